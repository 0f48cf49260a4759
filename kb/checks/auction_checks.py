"""Checks of patterns, for calls that can follow one another, and of rules' calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

from bidwright.bridge.calls import parse_call
from bidwright.kb.conditions.environment import OPPOSITES
from bidwright.kb.expressions.nodes import parts
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, error
from bidwright.kb.language.printer import made_call_text
from bidwright.kb.language.syntax_errors import nearest
from bidwright.kb.language.vocabulary import CALL_CLASSES, DENOMINATION_WORDS
from bidwright.kb.language.walk import THEY_PASS, PlacedRule, element_text, pattern_text
from bidwright.kb.rules.legality import Positions, can_make, positions_after
from bidwright.kb.rules.patterns import SUIT_VARIABLES

_NOWHERE: Positions = frozenset()


@dataclass(frozen=True, slots=True)
class PatternFindings:
    """Calls that are wrong in a statement, unless they are right in another use of it.

    Attributes:
        wrong: the mistakes, by place.
        fine: the places of calls that can be made.
    """

    wrong: tuple[Diagnostic, ...]
    fine: frozenset[ast.Span]

    @staticmethod
    def settled(findings: Iterable[PatternFindings]) -> list[Diagnostic]:
        """Return the mistakes that are wrong in every use, once for each place."""
        all_of_them = list(findings)
        wrong = [problem for each in all_of_them for problem in each.wrong]
        # Of several messages about one place the first stays.
        last = {problem.span: problem for problem in reversed(wrong)}
        return [
            problem
            for span, problem in last.items()
            if not any(span in each.fine for each in all_of_them)
        ]


@dataclass
class AuctionChecker:
    """Checks patterns, and rules in their places.

    A convention that is included several times is wrong only if it is wrong every time: what
    can follow 1NT may be too low over 2NT. Where it is given other values than its own, a call of
    theirs that is too low does not come up, and so does one of ours beside calls that can be made.

    Attributes:
        parameters: the parameters of each file, for suggestions.
        revalued: True for a statement of a module that is given other values than its own.
        problems: the diagnostics so far.
    """

    parameters: dict[str, tuple[str, ...]]
    revalued: bool = False
    problems: list[Diagnostic] = field(default_factory=list)
    _fine: set[ast.Span] = field(default_factory=set)
    _wrong: list[Diagnostic] = field(default_factory=list)
    _written_well: dict[ast.Pattern, bool] = field(default_factory=dict)
    _reached: dict[ast.Pattern, Positions] = field(default_factory=dict)
    _makes: bool = False

    @property
    def findings(self) -> PatternFindings:
        """The calls that are wrong unless they are right in another use."""
        return PatternFindings(tuple(self._wrong), frozenset(self._fine))

    # ------------------------------------------------------------- patterns

    def check_pattern(self, pattern: ast.Pattern) -> bool:
        """Check the form of a pattern; return True if it makes sense."""
        # Patterns of nested rules are checked once for all rules below them.
        if pattern not in self._written_well:
            problems = [*self._call_problems(pattern), *_side_problems(pattern)]
            self._written_well[pattern] = not problems
            self.problems += problems
        return self._written_well[pattern]

    def _call_problems(self, pattern: ast.Pattern) -> Iterator[Diagnostic]:
        for element in pattern.every_element:
            for call in (*element.alternatives, *element.excluded):
                yield from self._problems_of_call(call)
        yield from base_problems(pattern, ())

    def _problems_of_call(self, call: ast.CallPattern) -> Iterator[Diagnostic]:
        match call:
            case ast.ParameterCall(name=name):
                parameters = self.parameters.get(call.span.file, ())
                if name in parameters:
                    return  # It has no value; that is reported where the value should be.
                choice = nearest(
                    name, [*parameters, *CALL_CLASSES, "P", "X", "XX", "pass", "double", "redouble"]
                )
                yield error(
                    "E214",
                    f"'{name}' is neither a call nor a parameter of this file",
                    call.span,
                    expected="a call such as 1NT, 2M, P, any, bid or suit, or a parameter",
                    help=f"did you mean '{choice}'?" if choice else None,
                )
            case ast.LevelCall(low=low, high=high, suit=suit) if low > high:
                yield error(
                    "E208",
                    f"the levels {low}..{high} are reversed",
                    call.span,
                    expected="the lower level first",
                    help=f"write {high}..{low}{suit}",
                )
            case ast.ClassCall(cap=str(cap), floor=str(floor)) if parse_call(floor) > parse_call(
                cap
            ):
                yield error(
                    "E208",
                    f"the calls {floor}..{cap} are reversed",
                    call.span,
                    expected="the lower call first",
                    help=f"write {cap}..{floor}",
                )
            case ast.StepRange(low=low, high=high) if not 0 < low <= (high or low):
                yield error(
                    "E208",
                    f"no step is from {low} to {low if high is None else high}",
                    call.span,
                    expected="steps from 1 on, the lower one first",
                )
            case ast.RelativeCall():
                yield from relative_problems(call)
            case _:
                return

    def positions(self, pattern: ast.Pattern) -> Positions:
        """Return the positions after a pattern; report it if the Laws forbid all of them."""
        if pattern in self._reached:
            return self._reached[pattern]
        reached, failed = positions_after(pattern)
        self._reached[pattern] = reached
        for element in pattern.every_element:
            if element is failed:
                # Over another opening than its own a module's branch may be too low; then it just
                # does not come up.
                if self.revalued and element.theirs:
                    break
                self._wrong.append(_impossible(pattern, element))
                break
            self._fine.add(element.span)
        else:
            if not reached:
                last = pattern.every_element[-1]
                message = f"the auction is over after {pattern_text(pattern)}"
                self.problems.append(error("E212", message, last.span))
        return reached

    def check_tree(self, pattern: ast.Pattern) -> None:
        """Check the calls of an override, which may end with one of ours."""
        if pattern.open:
            self.problems.append(
                error(
                    "E242",
                    "'...' cannot stand in calls that are overridden",
                    pattern.span,
                    expected="the calls from the first bid on",
                    help="general rules stay; 'remove' takes out a single one",
                )
            )
            return
        if pattern.elements and not pattern.elements[-1].theirs:
            # The calls after ours are overridden, too, so it is followed by their pass to be looked
            # at.
            pattern = ast.Pattern((*pattern.elements, THEY_PASS), span=pattern.span)
        if self.check_pattern(pattern):
            self.positions(pattern)

    # ---------------------------------------------------------------- rules

    def check_rule(self, placed: PlacedRule) -> Positions:
        """Check a rule's call at its place; return the positions in which it applies."""
        if not self.check_pattern(placed.pattern):
            return _NOWHERE
        call = placed.rule.call
        problems = list(relative_problems(call)) if isinstance(call, ast.RelativeCall) else []
        scope = [node for node in (placed.when, placed.rule.condition) if node is not None]
        of_suit = [each for each in placed.rule.actions if each.kind == "agrees" or each.suit]
        problems += base_problems(placed.pattern, [call, *scope, *of_suit])
        problems += _unbound_agreements(placed.pattern, [call, *scope], of_suit)
        self.problems += problems
        reached = self.positions(placed.pattern)
        if problems or not reached:
            return _NOWHERE
        if not can_make(reached, call):
            if not (self.revalued and self._makes):
                self._wrong.append(_unmakeable(placed))
            return _NOWHERE
        self._makes = True
        self._fine.add(call.span)
        return reached


def _side_problems(pattern: ast.Pattern) -> Iterator[Diagnostic]:
    """Yield the mistakes in the brackets of a pattern."""
    elements = pattern.elements
    for before, element in (*pairwise(pattern.head), *pairwise(elements)):
        if before.theirs is not element.theirs:
            continue
        earlier, later = _text(before), _text(element)
        if element.theirs:
            hint = (
                f"write our call between them, such as {earlier} P {later} or {earlier} any {later}"
            )
        else:
            hint = f"write their call between them, such as {earlier} (P) {later}"
        yield error(
            "E211",
            f"two calls of {'theirs' if element.theirs else 'ours'} in a row: {earlier} {later}",
            element.span,
            expected="our calls bare and theirs in brackets, in turn",
            help=hint,
        )
        return
    if elements and not elements[-1].theirs:
        last = elements[-1]
        yield error(
            "E211",
            f"the pattern ends with our call {_text(last)}",
            last.span,
            expected="their call in brackets as the last one, since it is our turn after it",
            help=f"write {_text(last)} (P)",
        )
    # An open pattern may begin anywhere in the auction, with a pass as well.
    first = (
        (pattern.head or elements)[0] if pattern.head or (elements and not pattern.open) else None
    )
    if first and all(call == ast.LiteralCall("P") for call in first.alternatives):
        yield error(
            "E211",
            "passes before the first bid are not written",
            first.span,
            help="leave it out; test 'seat' or 'passed_hand' if it matters",
        )


def _text(element: ast.Element) -> str:
    return element_text(element)


def _impossible(pattern: ast.Pattern, element: ast.Element) -> Diagnostic:
    index = next(i for i, each in enumerate(pattern.every_element) if each is element)
    in_head = index < len(pattern.head)
    shown = (
        ast.Pattern(pattern.head[:index])
        if in_head
        else replace(pattern, elements=pattern.elements[: index - len(pattern.head)])
    )
    before = pattern_text(shown)
    where = "as the first call" if not index else f"after {before}"
    return error(
        "E212",
        f"{_text(element)} is not a legal call {where}",
        element.span,
        expected="a call that the Laws allow there",
    )


def _unmakeable(placed: PlacedRule) -> Diagnostic:
    call = made_call_text(placed.rule.call)
    span = placed.rule.call.span
    if not placed.pattern.elements and not placed.pattern.open:
        return error(
            "E213",
            f"{call} is not an opening call",
            span,
            expected="a bid or pass",
        )
    return error(
        "E213",
        f"{call} is never a legal call after {pattern_text(placed.pattern)}",
        span,
        expected="a call that the Laws allow there",
    )


def relative_problems(call: ast.RelativeCall) -> Iterator[Diagnostic]:
    """Yield the mistakes in the brackets of `bid(S)`, `step(2)` and the like."""
    word = call.argument
    if call.kind == "step":
        if not word.isdigit() or int(word) < 1:
            yield error(
                "E221",
                f"'{word}' is not a number of steps",
                call.span,
                expected="a whole number, as in step(1)",
            )
    elif word not in DENOMINATION_WORDS:
        choice = nearest(word, sorted(DENOMINATION_WORDS))
        hint = f"did you mean '{call.kind}({choice})'?" if choice else None
        if word in ("P", "X", "XX", "any", "bid", "suit"):
            hint = f"write a blank before their call: {call.kind} ({word})"
        yield error(
            "E221",
            f"'{word}' is neither a suit nor NT",
            call.span,
            expected=f"a suit, a suit variable or NT, as in {call.kind}(S)",
            help=hint,
        )


def _suit_words(node: ast.Node) -> Iterator[tuple[str, ast.Node]]:
    """Yield the suit variables in a tree, each with the node it stands in."""
    for part in parts(node):
        match part:
            case (
                ast.LevelCall(suit=word)
                | ast.RelativeCall(argument=word)
                | ast.Name(name=word)
                | ast.Action(kind="agrees", argument=str(word))
                | ast.Action(suit=str(word))
            ):
                words = [word]
            case ast.Public(path=path):
                words = list(path)
            case _:
                continue
        yield from ((word, part) for word in words if word in SUIT_VARIABLES)


def _unbound_agreements(
    pattern: ast.Pattern, nodes: Iterable[ast.Node], own: Iterable[ast.Action]
) -> Iterator[Diagnostic]:
    """Yield the suits of `agrees` and `asks` that nothing determines.

    Args:
        pattern: the calls before.
        nodes: the rule's call and conditions.
        own: the rule's actions that name a suit.
    """
    bound = {word for node in (pattern, *nodes) for word, _ in _suit_words(node)}
    bound |= {OPPOSITES.get(word, word) for word in bound}
    for action in own:
        word = action.suit or action.argument or ""
        if word not in SUIT_VARIABLES or OPPOSITES.get(word, word) in bound:
            continue
        other = min(bound, default=None)
        yield error(
            "E206",
            f"'{_action(action)}' is about no suit: nothing says what '{word}' is",
            action.span,
            expected=f"'{word}' in the calls before, in the call or in the condition",
            help=f"write '{_action(action, other or 'S')}'",
        )


def _action(action: ast.Action, suit: str | None = None) -> str:
    """Return an action that names a suit, perhaps another one, as it is written."""
    if action.suit is None:
        return f"{action.kind} {suit or action.argument}"
    return f"{action.kind} {action.argument} in {suit or action.suit}"


def base_problems(pattern: ast.Pattern, nodes: Iterable[ast.Node]) -> list[Diagnostic]:
    """Return the mistakes of `oM` without `M`, or `om` without `m`.

    Args:
        pattern: the calls before; it is to blame only if there are no nodes.
        nodes: a rule's call and conditions.
    """
    # Where the rule itself has an `oM`, the blame is there and not in the pattern.
    in_nodes = [found for node in nodes for found in _suit_words(node)]
    before = list(_suit_words(pattern))
    seen = {word for word, _ in [*in_nodes, *before]}
    result = []
    for word, node in in_nodes if nodes else before:
        base = OPPOSITES.get(word)
        if base is not None and base not in seen:
            seen.add(base)
            result.append(
                error(
                    "E206",
                    f"'{word}' is the other suit than '{base}', but nothing says what '{base}' is",
                    node.span,
                    expected=f"'{base}' in the calls before, in the call or in the condition",
                    help=f"write '{base}'",
                )
            )
    return result
