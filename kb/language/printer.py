"""From tree to text, in one tidy layout; comments are not kept.

Reading the text again gives the same tree, and printing that gives the same text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby

from bidwright.kb.language import ast
from bidwright.kb.language.walk import call_text, element_text, pattern_text

INDENT = "  "
"""The indentation of a level of rules."""

_PLAIN_ID = re.compile(r"[A-Za-z_]\w*\.\w+(?:\(\w+\))?(?:#[0-9]+)?")


def quoted(text: str) -> str:
    """Return a text in quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def number_text(value: Fraction) -> str:
    """Return a number as a decimal: `15`, `2.5`."""
    if value.denominator == 1:
        return str(value.numerator)
    return f"{float(value):.10f}".rstrip("0")


# ------------------------------------------------------------------- numbers

_SUM, _PRODUCT, _ATOM = range(3)


def expr_text(expr: ast.Expr, level: int = _SUM) -> str:
    """Return a number as it is written; in brackets if it binds less than `level`."""
    match expr:
        case ast.Number(value=value):
            return number_text(value)
        case ast.Name(name=name):
            return name
        case ast.Apply(name="is", args=(one, other)):
            return f"{expr_text(one)} is {expr_text(other)}"
        case ast.Conditional(condition=condition, then=then, otherwise=otherwise):
            parts = expr_text(then), condition_text(condition), expr_text(otherwise)
            return "({} if {} else {})".format(*parts)
        case ast.Apply(name=name, args=args):
            return f"{name}({', '.join(map(expr_text, args))})"
        case ast.Public(path=path):
            return ".".join(path)
        case ast.Binary(op=op, left=left, right=right):
            binding = _PRODUCT if op == "*" else _SUM
            # `a - (b - c)`: a sum on the right of another one needs brackets.
            text = f"{expr_text(left, binding)} {op} {expr_text(right, binding + 1)}"
            return f"({text})" if binding < level else text


# ---------------------------------------------------------------- conditions

_COMMA, _OR, _AND, _NOT = range(4)


def range_text(one: ast.Range, most: str = "..", to: str = "..") -> str:
    """Return a range: `5+`, `..11`, `15..17` or `5`.

    Args:
        one: the range.
        most: the text before the upper end of a range without a lower one.
        to: the text between both ends.
    """
    if one.high is None:
        return f"{number_text(one.low or Fraction(0))}+"
    if one.low is None:
        return f"{most}{number_text(one.high)}"
    if one.low == one.high:
        return number_text(one.low)
    return f"{number_text(one.low)}{to}{number_text(one.high)}"


def condition_text(condition: ast.Condition) -> str:
    """Return a condition as it is written."""
    return combined_text(condition, _statement_text)


def _statement_text(condition: ast.Condition) -> str:
    match condition:
        case ast.InRange(expr=expr, ranges=ranges):
            return f"{expr_text(expr)} {'|'.join(map(range_text, ranges))}"
        case ast.InParameter(expr=expr, name=name):
            return f"{expr_text(expr)} in {name}"
        case ast.Compare(op=op, left=left, right=right):
            return f"{expr_text(left)} {op} {expr_text(right)}"
        case ast.Fact(expr=expr):
            return expr_text(expr)
        case ast.Shape(patterns=patterns):
            return f"shape {'|'.join(patterns)}"
        case _:
            raise TypeError(f"no statement: {condition!r}")


def combined_text(
    condition: ast.Condition,
    statement: Callable[[ast.Condition], str],
    *,
    commas: bool = True,
    bracketed: bool = True,
) -> str:
    """Return a condition with its commas, `and`, `or`, `not` and brackets.

    Args:
        condition: the condition.
        statement: writes conditions that are no combination of others.
        commas: join conjuncts by commas; otherwise by `and`.
        bracketed: put an `or` between two commas in brackets, which show its ends.
    """

    def text(node: ast.Condition, level: int) -> str:
        match node:
            case ast.Not(item=item):
                return f"not {text(item, _NOT)}"
            case ast.And(items=items) if level == _COMMA:
                ends = (0, len(items) - 1) if bracketed else range(len(items))
                return ", ".join(
                    text(item, _OR if index in ends else _AND) for index, item in enumerate(items)
                )
            case ast.And(items=items):
                return joined(items, " and ", _AND, level)
            case ast.Or(items=items):
                return joined(items, " or ", _OR, level)
            case _:
                return statement(node)

    def joined(items: Sequence[ast.Condition], word: str, binds: int, level: int) -> str:
        combined = word.join(text(item, binds + 1) for item in items)
        return f"({combined})" if binds < level else combined

    return text(condition, _COMMA if commas else _OR)


# --------------------------------------------------------------------- rules


def made_call_text(call: ast.CallExpr) -> str:
    """Return the call of a rule; a pass is written out."""
    return "pass" if call == ast.LiteralCall("P") else call_text(call)


def _action_text(action: ast.Action) -> str:
    if action.kind == "forcing_game":
        return "forcing game"
    if action.kind == "forcing_to":
        return f"forcing to {action.argument}"
    if action.argument is None:
        return action.kind
    if action.suit is not None:
        return f"{action.kind} {action.argument} in {action.suit}"
    plain = action.kind in ("agrees", "asks", "answers", "priority", "group")
    return f"{action.kind} {action.argument if plain else quoted(action.argument)}"


def rule_text(rule: ast.Rule) -> str:
    """Return the line of a rule, without its continuations; its tier is the last of the actions."""
    words = [f"{rule.label}:"] if rule.label else []
    if rule.optional:
        words.append("may")
    words.append("|".join(map(made_call_text, (rule.call, *rule.others))))
    if rule.text is not None:
        words.append(quoted(rule.text))
    words += _own_condition_text(rule)
    line = " ".join(words)
    actions = [*map(_action_text, _written_actions(rule))]
    if rule.tier is not None:
        actions.append(rule.tier.word)
    return f"{line}; {', '.join(actions)}" if actions else line


def _own_condition_text(rule: ast.Rule | ast.NamedAlternative) -> list[str]:
    """Return the condition of a rule with its `usually` conditions, and its claims, as texts."""
    texts = [] if rule.condition is None else [condition_text(rule.condition)]
    shown = []
    for action in rule.actions:
        if action.condition is None:
            continue
        if action.kind == "shows":
            shown.append(f"shows {condition_text(action.condition)}")
        else:
            texts.append(
                f"usually {combined_text(action.condition, _statement_text, commas=False)}"
            )
    return [*([", ".join(texts)] if texts else []), *shown]


def _written_actions(rule: ast.Rule | ast.NamedAlternative) -> list[ast.Action]:
    """Return the actions that stand behind the condition."""
    return [action for action in rule.actions if action.condition is None]


def _alternative_text(alternative: ast.NamedAlternative) -> str:
    words = [f"either {alternative.name}{_in_brackets(alternative.letters)}:"]
    if alternative.text is not None:
        words.append(quoted(alternative.text))
    words += _own_condition_text(alternative)
    actions = ", ".join(map(_action_text, _written_actions(alternative)))
    return " ".join(words) + (f"; {actions}" if actions else "")


def _tier_of(entry: ast.Rule | ast.Branch) -> ast.Tier | None:
    return entry.tier if isinstance(entry, ast.Rule) else None


def _with_uses(
    entries: Sequence[ast.Rule | ast.Branch], uses: Sequence[ast.Use], depth: int
) -> Iterator[str]:
    """Yield the lines of entries, and of the `use` lines among them."""
    begin = 0
    for use in uses:
        yield from _rules(entries[begin : use.place], depth)
        yield f"{INDENT * depth}use {use.name}"
        begin = use.place
    yield from _rules(entries[begin:], depth)


def _rules(entries: Iterable[ast.Rule | ast.Branch], depth: int) -> Iterator[str]:
    for tier, group in groupby(entries, _tier_of):
        in_tier = list(group)
        if tier is None or len(in_tier) == 1:
            yield from _lines(in_tier, depth)
            continue
        yield INDENT * depth + tier.word
        below = [replace(rule, tier=None) for rule in in_tier if isinstance(rule, ast.Rule)]
        yield from _lines(below, depth + 1)


def _lines(entries: Iterable[ast.Rule | ast.Branch], depth: int) -> Iterator[str]:
    for entry in entries:
        if isinstance(entry, ast.Branch):
            yield f"{INDENT * depth}{element_text(entry.element)}"
            yield from _with_uses(entry.rules, entry.uses, depth + 1)
        else:
            yield INDENT * depth + rule_text(entry)
            for alternative in entry.alternatives:
                yield INDENT * (depth + 1) + _alternative_text(alternative)
            yield from _with_uses(entry.children, entry.uses, depth + 1)


# ---------------------------------------------------------------- statements


def _argument_text(argument: ast.Argument) -> str:
    match argument.value:
        case None:
            return argument.name
        case ast.Number(value=value):
            text = number_text(value)
        case ast.Range() as one:
            text = range_text(one)
        case ast.Name(name=name):
            text = name
        case ast.Pattern() as pattern:
            text = pattern_text(pattern)
    return f"{argument.name} = {text}"


def _in_brackets(words: Iterable[str]) -> str:
    text = ", ".join(words)
    return f"({text})" if text else ""


def _example_text(example: ast.Example) -> str:
    words = ["example", example.hand]
    if example.auction:
        # The last call is the opponents', so brackets go back from there.
        count = len(example.auction)
        calls = [
            f"({call})" if (count - index) % 2 else call
            for index, call in enumerate(example.auction)
        ]
        words += ["after", *calls]
    if example.vulnerability:
        words += ["vul", example.vulnerability]
    if example.dealer:
        words += ["dealer", example.dealer]
    call = "pass" if example.call == "P" else example.call
    return " ".join([*words, "->", call])


def target_text(target: str) -> str:
    """Return the id of a rule, or another target, as `remove` and `override` name it."""
    return target if _PLAIN_ID.fullmatch(target) else quoted(target)


def _block_text(block: ast.Block) -> str:
    words = [block.kind]
    if block.kind == "after":
        words.append(pattern_text(block.pattern))
    if block.text is not None:
        words.append(quoted(block.text))
    if block.when is not None:
        words += ["when", condition_text(block.when)]
    return " ".join(words)


def _named_range_text(body: ast.Range | ast.ComputedRange) -> str:
    match body:
        case ast.Range():
            return range_text(body)
        case ast.ComputedRange(low=low, high=None) if low is not None:
            return f"{expr_text(low, _ATOM)}+"
        case ast.ComputedRange(low=low, high=high):
            ends = ("" if each is None else expr_text(each) for each in (low, high))
            return "..".join(ends)


def _let_word(let: ast.Let | ast.LetRange) -> str:
    return "override let" if let.replaces else "export let" if let.exported else "let"


def statement_lines(statement: ast.Statement) -> list[str]:
    """Return the lines of a statement."""
    match statement:
        case ast.Block(rules=rules, uses=uses):
            return [_block_text(statement), *_with_uses(rules, uses, 1)]
        case ast.NamedBlock(name=name, entries=entries, text=text, uses=uses):
            title = f" {quoted(text)}" if text is not None else ""
            return [f"block {name}{title}", *_with_uses(entries, uses, 1)]
        case ast.AnswerBlock(questions=questions, suit=suit, entries=entries, uses=uses):
            words = ["answer", "|".join(questions), *(["in", suit] if suit else [])]
            if statement.text is not None:
                words.append(quoted(statement.text))
            if statement.when is not None:
                words += ["when", condition_text(statement.when)]
            return [" ".join(words), *_with_uses(entries, uses, 1)]
        case ast.Let(name=name, params=params, body=body):
            text = expr_text(body) if isinstance(body, ast.Expr) else condition_text(body)
            return [f"{_let_word(statement)} {name}{_in_brackets(params)} = {text}"]
        case ast.LetRange(name=name, body=body):
            return [f"{_let_word(statement)} {name} = {_named_range_text(body)}"]
        case ast.Include(path=path, arguments=arguments, instead_of=instead_of):
            end = f" for {instead_of}" if instead_of is not None else ""
            return [f"include {path}{_in_brackets(map(_argument_text, arguments))}{end}"]
        case ast.Example():
            return [_example_text(statement)]
        case ast.Override(target=target, rule=rule):
            words_of_keeping = ["answers"] * statement.keeps_answers + ["may"] * statement.keeps_may
            end = f" keeping {' and '.join(words_of_keeping)}" if words_of_keeping else ""
            return [f"override {target_text(target)}{end}", *_rules((rule,), 1)]
        case ast.Remove(target=target):
            return [f"remove {target_text(target)}"]
        case ast.Replace(block=block):
            first, *lines = statement_lines(block)
            return [f"replace {first}", *lines]
        case ast.Retire(example=example, reason=reason):
            return [f"retire {_example_text(example)} {quoted(reason)}"]
        case ast.Rebase(source=source, target=to, stolen=stolen):
            end = " stolen" if stolen else ""
            return [f"rebase {pattern_text(source)} -> {pattern_text(to)}{end}"]
        case ast.Undiscussed(pattern=pattern, text=text):
            end = f" {quoted(text)}" if text is not None else ""
            return [f"undiscussed {pattern_text(pattern)}{end}"]
        case ast.Latitude(points=points):
            return [f"latitude {points}"]
        case ast.Reference(kind=kind, text=text):
            return [f"{kind} {quoted(text)}"]
        case ast.GroupOrder(groups=groups):
            return [f"order {' > '.join(each.name for each in groups)}"]


def header_lines(header: ast.Header) -> list[str]:
    """Return the lines of a header."""
    parameters = _in_brackets(map(_argument_text, header.parameters))
    needs = ", ".join(each.name for each in header.needs)
    return [
        f"{header.kind} {header.name}{parameters} {quoted(header.title)}",
        *(f"{INDENT}also {quoted(name)}" for name in header.also),
        *(f"{INDENT}source {quoted(source)}" for source in header.sources),
        *(f"{INDENT}gaps {quoted(gap)}" for gap in header.gaps),
        *([f"{INDENT}needs {needs}"] if needs else []),
    ]


def to_text(file: ast.File) -> str:
    """Return the text of a file; an empty line stands between statements of different kinds."""
    lines: list[str] = header_lines(file.header) if file.header else []
    before: ast.Node | None = file.header
    for statement in file.statements:
        long = isinstance(statement, ast.Block | ast.Override | ast.Replace)
        if before is not None and (long or type(statement) is not type(before)):
            lines.append("")
        lines += statement_lines(statement)
        before = statement
    return "".join(f"{line}\n" for line in lines)
