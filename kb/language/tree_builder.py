"""The builder of the tree, with one method for each rule of `grammar.lark`.

Statements and files are here; `rule_builder` and `condition_builder` build their parts.
"""

from __future__ import annotations

from collections.abc import Sequence

from lark import Token

from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, error
from bidwright.kb.language.named_ranges import range_after_let
from bidwright.kb.language.node_builder import Mistake, Part, nodes, string, tokens, unquote
from bidwright.kb.language.rule_builder import RuleBuilder
from bidwright.kb.language.vocabulary import FIXED_SUITS


def misplaced_header(header: ast.Header) -> Diagnostic:
    """Return the error about a header that is not at the beginning of its file."""
    return error(
        "E103",
        f"'{header.kind}' must be the first statement of a file",
        header.span,
        help="one file describes one system or one convention",
    )


class Builder(RuleBuilder):
    """Makes the nodes of statements and files; one builder serves all files in turn."""

    def let(self, parts: list[Part]) -> ast.Let | ast.LetRange:
        """Return a definition."""
        names = tokens(parts, "NAME")
        replaces = bool(tokens(parts, "OVERRIDE"))
        exported = bool(tokens(parts, "EXPORT"))
        body, span = parts[-1], self._span(parts)
        if not isinstance(body, ast.Expr | ast.ComputedRange):
            body = self._condition(body)
        # `let weak = 5..10` and `let weak = hcp 5..10` differ in one word: the parser takes both
        # for tests.
        named_range = range_after_let(body)
        if named_range is None:
            assert not isinstance(body, ast.ComputedRange)
            return ast.Let(names[0], tuple(names[1:]), body, replaces, exported, span=span)
        if len(names) > 1:
            raise Mistake(
                error(
                    "E119",
                    "a range that has a name takes no parameters",
                    named_range.span,
                    help="write a condition after '=', such as hcp 5..10",
                )
            )
        return ast.LetRange(names[0], named_range, replaces, exported, span=span)

    def named_range(self, parts: list[Part]) -> ast.ComputedRange:
        """Return a range that has a name, its ends being numbers that are known."""
        ends = [self._expr(part) for part in parts if isinstance(part, ast.Node)]
        first, last = parts[0], parts[-1]
        low = None if isinstance(first, Token) else ends[0]
        high = None if isinstance(last, Token) else ends[-1]
        return ast.ComputedRange(low, high, span=self._span(parts))

    def _value(self, part: Part) -> ast.ArgumentValue:
        # `5` is read as a range from 5 to 5.
        if isinstance(part, ast.Range) and part.low is not None and part.low == part.high:
            return ast.Number(part.low, span=part.span)
        assert isinstance(part, ast.Pattern | ast.Range)
        match part:
            # A word alone is read as a stretch of calls that is a parameter; the name of a suit is
            # a suit.
            case ast.Pattern(
                elements=(ast.Element(alternatives=(ast.ParameterCall(name=name),)),)
            ) if name in FIXED_SUITS:
                return ast.Name(name, span=part.span)
            case _:
                return part

    def parameter(self, parts: list[Part]) -> ast.Argument:
        """Return a parameter, with its value if it has one."""
        value = self._value(parts[1]) if len(parts) > 1 else None
        return ast.Argument(str(parts[0]), value, span=self._span(parts))

    argument = parameter

    def include(self, parts: list[Part]) -> ast.Include:
        """Return an inclusion."""
        arguments = nodes(parts, ast.Argument)
        path, *others = tokens(parts, "PATH")
        instead_of = others[0] if others else None
        return ast.Include(path, arguments, instead_of, span=self._span(parts))

    def auction(self, parts: list[Token]) -> ast.Pattern:
        """Return the auction of an example as a pattern, for `example` to take apart."""
        elements = []
        for index, token in enumerate(parts):
            if token.type == "CALL":
                # Brackets are checked later, with the whole example at hand.
                theirs = index > 0 and parts[index - 1].type == "LPAR"
                call = ast.LiteralCall(self._literal(token), span=self._place(token))
                elements.append(ast.Element(theirs, (call,), span=call.span))
        return ast.Pattern(tuple(elements), span=self._span(parts))

    def vulnerability(self, parts: list[Token]) -> Token:
        """Return the vulnerability of an example."""
        return parts[0].update(type="VULNERABILITY")

    def dealer(self, parts: list[Token]) -> Token:
        """Return the dealer of an example."""
        return parts[0].update(type="DEALER")

    def example(self, parts: list[Part]) -> ast.Example:
        """Return an example."""
        auctions = nodes(parts, ast.Pattern)
        elements = auctions[0].elements if auctions else ()
        self._check_brackets(elements)
        call = parts[-1]
        assert isinstance(call, Token)
        vulnerability = tokens(parts, "VULNERABILITY")
        dealer = tokens(parts, "DEALER")
        return ast.Example(
            tokens(parts, "HAND")[0],
            tuple(
                alternative.call
                for element in elements
                for alternative in element.alternatives
                if isinstance(alternative, ast.LiteralCall)
            ),
            self._literal(call),
            vulnerability[0] if vulnerability else None,
            dealer[0] if dealer else None,
            span=self._span(parts),
        )

    def _check_brackets(self, elements: Sequence[ast.Element]) -> None:
        """Raise unless brackets, where used, hold every second call and the last."""
        # Auctions without brackets are plain lists of calls, as exercises print them.
        if not any(element.theirs for element in elements):
            return
        # From the last call, which is the opponents'.
        theirs = True
        for element in reversed(elements):
            if element.theirs is not theirs:
                raise Mistake(
                    error(
                        "E116",
                        "the calls of the two sides must alternate",
                        element.span,
                        expected="brackets around every second call; the last call is theirs",
                        help="write every call, passes too: 1NT (P)",
                    )
                )
            theirs = not theirs

    def _target(self, token: Part) -> str:
        assert isinstance(token, Token)
        return unquote(token) if token.type == "STRING" else str(token)

    def override(self, parts: list[Part]) -> ast.Override:
        """Return the replacement of a rule."""
        rule = nodes(parts, ast.Rule)[0]
        # The place of one rule is the place of one call: a choice of calls has no single id.
        if rule.others:
            message = "a rule that takes another one's place has one call"
            hint = "write 'remove', and the rule in a block"
            raise Mistake(error("E110", message, rule.others[0].span, help=hint))
        if rule.alternatives:
            first = rule.alternatives[0]
            message = "a rule that takes another one's place has no alternatives"
            hint = f"write 'override let {first.name} = ...', or 'remove' and the rule in a block"
            raise Mistake(error("E119", message, first.span, help=hint))
        keeps = (bool(tokens(parts, "ANSWERS")), bool(tokens(parts, "MAY")))
        return ast.Override(self._target(parts[1]), rule, *keeps, span=self._span(parts[:2]))

    def remove(self, parts: list[Part]) -> ast.Remove:
        """Return the removal of a rule."""
        return ast.Remove(self._target(parts[1]), span=self._span(parts))

    def replace(self, parts: list[Part]) -> ast.Replace:
        """Return the replacement of all rules after some calls."""
        block = self.block(parts[1:])
        return ast.Replace(block, span=self._span((parts[0], block)))

    def retire(self, parts: list[Part]) -> ast.Retire:
        """Return the retirement of an example."""
        example = self.example(parts[1:-1])
        return ast.Retire(example, string(parts) or "", span=self._span(parts))

    def rebase(self, parts: list[Part]) -> ast.Rebase:
        """Return a continuation that is the same as another."""
        source, target = nodes(parts, ast.Pattern)
        stolen = bool(tokens(parts, "STOLEN"))
        return ast.Rebase(source, target, stolen, span=self._span(parts))

    def latitude(self, parts: list[Token]) -> ast.Latitude:
        """Return the latitude of a system's players."""
        return ast.Latitude(int(parts[1]), span=self._span(parts))

    def undiscussed(self, parts: list[Part]) -> ast.Undiscussed:
        """Return calls without an agreement."""
        (pattern,) = nodes(parts, ast.Pattern)
        if tokens(parts, "AFTER"):
            message = "'undiscussed' is followed by calls, the last one being the first not agreed"
            place = self._span(parts[1:2])
            raise Mistake(error("E119", message, place, help="leave out 'after'"))
        return ast.Undiscussed(pattern, string(parts), span=self._span(parts))

    def reference(self, parts: list[Token]) -> ast.Reference:
        """Return a source, or a measurement, of the rules after it."""
        text = " ".join(map(unquote, parts[1:]))
        return ast.Reference(str(parts[0]), text, span=self._span(parts))

    def order(self, parts: list[Token]) -> ast.GroupOrder:
        """Return the order of groups of rules."""
        names = tuple(ast.Name(str(each), span=self._place(each)) for each in parts[1:])
        return ast.GroupOrder(names, span=self._span(parts))

    def header_item(self, parts: list[Token]) -> Token:
        """Return a source, a gap or another name."""
        return Token(parts[0].type, unquote(parts[1]))

    def needs(self, parts: list[Token]) -> ast.Needs:
        """Return the names that a module needs from others."""
        names = tuple(ast.Name(str(each), span=self._place(each)) for each in parts[1:])
        return ast.Needs(names, span=self._span(parts))

    def header_line(self, parts: list[Part]) -> ast.Header:
        """Return a header without sources and gaps."""
        return ast.Header(
            str(parts[0]),
            str(parts[1]),
            string(parts) or "",
            nodes(parts, ast.Argument),
            span=self._span(parts),
        )

    def header(self, parts: list[Part]) -> ast.Header:
        """Return a header."""
        line, *items = parts
        assert isinstance(line, ast.Header)
        return ast.Header(
            line.kind,
            line.name,
            line.title,
            line.parameters,
            tuple(tokens(items, "SOURCE")),
            tuple(tokens(items, "GAPS")),
            tuple(name for each in nodes(items, ast.Needs) for name in each.names),
            tuple(tokens(items, "ALSO")),
            span=line.span,
        )

    def file(self, parts: list[Part]) -> ast.File:
        """Return the whole file."""
        headers = nodes(parts, ast.Header)
        # A second header comes from files that were joined, and then nothing else in it is certain.
        if headers and (len(headers) > 1 or parts[0] is not headers[0]):
            raise Mistake(misplaced_header(headers[-1]))
        statements = tuple(part for part in parts if isinstance(part, ast.Statement))
        span = self._span(parts) if parts else ast.Span(self._file, 1, 1, 1, 1)
        return ast.File(headers[0] if headers else None, statements, span=span)
