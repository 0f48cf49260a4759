"""Checks of rules and examples: rules without effect, broken hands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import parse_call
from bidwright.bridge.cards import Seat, parse_seat, parse_vulnerability
from bidwright.bridge.errors import BidwrightError, IllegalCallError
from bidwright.bridge.hand import Hand
from bidwright.kb.expressions.condition_nodes import plain_name
from bidwright.kb.expressions.nodes import parts
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, Related, error, warning
from bidwright.kb.language.printer import made_call_text
from bidwright.kb.language.syntax_errors import nearest
from bidwright.kb.language.system import Located
from bidwright.kb.language.vocabulary import SUIT_VARIABLES, SUIT_WORDS
from bidwright.kb.language.walk import PlacedRule
from bidwright.kb.logic.latitude import MOST_POINTS
from bidwright.kb.rules.legality import Positions, can_always_make

_CONTRADICTIONS = (
    ("forcing", "nonforcing"),
    ("forcing", "signoff"),
    ("forcing_to", "nonforcing"),
    ("forcing_to", "signoff"),
    ("forcing_game", "nonforcing"),
    ("forcing_game", "signoff"),
    ("invitational", "signoff"),
    ("invitational", "forcing_game"),
    ("artificial", "natural"),
    ("strict", "loose"),
    ("forcing", "forcing_game"),
    ("forcing", "forcing_to"),
    ("forcing_to", "forcing_game"),
)


# --------------------------------------------------------------------- rules


def action_problems(rule: ast.Rule) -> Iterator[Diagnostic]:
    """Yield the mistakes in the actions of a rule."""
    seen: dict[str, ast.Action] = {}
    for action in rule.actions:
        if action.kind in seen:
            word = action.kind.replace("_", " ")
            # Groups are priorities by now.
            help_ = "a group is a priority: give one of the two" if word == "priority" else None
            yield error("E228", f"'{word}' is given twice", action.span, help=help_)
        seen[action.kind] = action
        if action.kind == "agrees" and action.argument not in SUIT_WORDS:
            yield error(
                "E203",
                f"'{action.argument}' is not a suit",
                action.span,
                expected="a suit or a suit variable, as in agrees M",
            )
        if action.suit is not None and action.suit not in SUIT_WORDS:
            yield error(
                "E203",
                f"'{action.suit}' is not a suit",
                action.span,
                expected=f"a suit or a suit variable, as in asks {action.argument} in M",
            )
    for kind, contrary in _CONTRADICTIONS:
        if kind in seen and contrary in seen:
            words = f"'{kind.replace('_', ' ')}' and '{contrary.replace('_', ' ')}'"
            yield warning("W204", f"{words} contradict each other", seen[contrary].span)


def question_problems(
    asked: Set[str], answers: Iterable[ast.Action], tests: Iterable[ast.Apply]
) -> Iterator[Diagnostic]:
    """Yield answers to questions that nobody asks.

    Args:
        asked: the questions that are asked.
        answers: the actions that answer.
        tests: the places with `asked(...)`.
    """
    by_place: dict[ast.Span, list[str]] = {}
    for action in answers:
        by_place.setdefault(action.span, []).append(action.argument or "")
    for span, words in by_place.items():  # several, in a block for several questions
        if asked.isdisjoint(words):
            close = nearest(words[0], sorted(asked))
            yield warning(
                "W203",
                f"no call asks '{words[0]}'" + (f"; some call asks '{close}'" if close else ""),
                span,
                help=f"write 'asks {words[0]}' after the call that asks",
            )
    for node in tests:
        match node.args:
            case (ast.Name(name=word),) if word not in asked:
                yield warning(
                    "W203",
                    f"no call asks '{word}', so this never holds",
                    node.span,
                    help=f"write 'asks {word}' after the call that asks",
                )
            case _:
                continue


def alternative_problems(kinds: Set[str], tests: Iterable[ast.Apply]) -> Iterator[Diagnostic]:
    """Yield tests of alternatives that no call has.

    Args:
        kinds: the names of all alternatives.
        tests: the places with `partner_shows(...)`.
    """
    for node in tests:
        match node.args:
            case (ast.Name(name=name), *_) if name not in kinds:
                close = nearest(plain_name(name), sorted(map(plain_name, kinds)))
                yield error(
                    "E201",
                    f"no call has an alternative '{plain_name(name)}'",
                    node.span,
                    help=f"did you mean '{close}'?"
                    if close
                    else f"write 'either {plain_name(name)}: ...' under the call",
                )


def _place(rule: ast.Rule) -> tuple[ast.Tier, int]:
    """Return a rule's place among those of its block, as far as tier and priority decide."""
    priority = next((a.argument or "0" for a in rule.actions if a.kind == "priority"), "0")
    return rule.tier or ast.Tier.BOOK, -int(priority)


def unreachable_rules(placed: Iterable[tuple[PlacedRule, Positions]]) -> Iterator[Diagnostic]:
    """Yield rules that a rule for every hand keeps from being used.

    Args:
        placed: rules with the positions in which they apply; none after a mistake.
    """
    # Rules of one block and one pattern: the path begins with the statement.
    by_place: dict[tuple[int, ast.Pattern], list[tuple[PlacedRule, Positions]]] = {}
    for placed_rule, reached in placed:
        by_place.setdefault((placed_rule.path[0], placed_rule.pattern), []).append(
            (placed_rule, reached)
        )
    for rules in by_place.values():
        blocker: ast.Rule | None = None
        for placed_rule, reached in sorted(rules, key=lambda pair: _place(pair[0].rule)):
            rule = placed_rule.rule
            # Calls of one rule go to the same hands, so neither keeps the other from being used.
            if blocker is not None and not (rule.choice and rule.choice == blocker.choice):
                yield warning(
                    "W201",
                    f"this rule is never used: {made_call_text(blocker.call)} is for every hand",
                    rule.call.span,
                    help=_way_out(rule, blocker),
                    related=(Related("the rule for every hand", blocker.call.span),),
                )
            elif (
                blocker is None
                and _is_catch_all(rule)
                and reached
                and can_always_make(reached, rule.call)
            ):
                blocker = rule


def rules_twice(placed: Iterable[PlacedRule]) -> Iterator[Diagnostic]:
    """Yield rules of one block that ask for the same hands, and make the same call, as one before.

    Args:
        placed: the rules of one statement.
    """
    earlier: dict[tuple[object, ...], ast.Rule] = {}
    for placed_rule in placed:
        rule = placed_rule.rule
        # One for every hand is W201.
        if rule.condition is None:
            continue
        hands = (rule.condition, rule.optional, rule.tier, rule.kind)
        key = (placed_rule.pattern, rule.call, *hands)
        first = earlier.setdefault(key, rule)
        # Alternatives of one rule differ in their names, and calls of one rule in the call.
        if first is not rule and _usual_hands(first) == _usual_hands(rule):
            yield warning(
                "W216",
                "this rule stands twice: the same hands make the same call by one before",
                rule.call.span,
                help="leave one of them out, or say in its condition what tells them apart",
                related=(Related("the first one", first.call.span),),
            )


def _usual_hands(rule: ast.Rule) -> list[ast.Condition | None]:
    return [action.condition for action in rule.actions if action.kind == "usually"]


def _way_out(rule: ast.Rule, blocker: ast.Rule) -> str:
    """Return advice about a rule that comes after a rule for every hand."""
    if _place(rule) == _place(blocker):
        return "put it before that rule, or write 'may' before that one's call"
    if (rule.tier or ast.Tier.BOOK) is not (blocker.tier or ast.Tier.BOOK):
        return "its tier comes later; give that rule a later one, such as 'last resort'"
    return f"give it a priority above {-_place(blocker)[1]}, or that rule 'last resort'"


def _is_catch_all(rule: ast.Rule) -> bool:
    return rule.condition is None and not rule.optional


# ------------------------------------------------------------------- rebases


def _variables_of(node: ast.Node) -> Iterator[str]:
    """Yield the suit variables of the calls in a tree."""
    for part in parts(node):
        match part:
            case ast.LevelCall(suit=word) | ast.RelativeCall(argument=word):
                if word in SUIT_VARIABLES:
                    yield word
            case _:
                continue


def rebase_problems(rebase: ast.Rebase) -> Iterator[Diagnostic]:
    """Yield the mistakes that keep the right side of a `rebase` from being one auction."""
    bound = set(_variables_of(rebase.source))
    # With `M` the other major is known, and the other way around.
    bound |= {other for word in bound for other in ("o" + word, word[-1])}
    for element in rebase.target.elements:
        call = element.alternatives[0]
        plain = isinstance(call, ast.LiteralCall | ast.LevelCall | ast.RelativeCall)
        single = len(element.alternatives) == 1 and plain
        if not single or (isinstance(call, ast.LevelCall) and call.low != call.high):
            yield error(
                "E225",
                "'rebase' needs a single auction on the right",
                element.span,
                expected="one call for each turn, such as 1NT (P)",
            )
        for word in set(_variables_of(element)) - bound:
            yield error(
                "E225",
                f"'{word}' has no suit on the left",
                element.span,
                expected="variables that the left side uses too",
            )
    if rebase.source.open or rebase.target.open:
        side = rebase.source if rebase.source.open else rebase.target
        yield error("E225", "'...' cannot stand in 'rebase'", side.span)


def latitude_problems(latitude: ast.Latitude) -> Iterator[Diagnostic]:
    """Yield the mistake in the latitude of a system."""
    if not 0 <= latitude.points <= MOST_POINTS:
        yield error(
            "E244",
            f"a latitude of {latitude.points} points",
            latitude.span,
            expected=f"0 to {MOST_POINTS} points, as in latitude 1",
        )


# ------------------------------------------------------------------ examples


def _place_of(text: str, span: ast.Span, sources: Mapping[str, str]) -> ast.Span:
    """Return the place of a piece of text in a statement, the whole statement if unknown."""
    lines = sources.get(span.file, "").split("\n")
    if 1 <= span.line <= len(lines):
        at = lines[span.line - 1].find(text, span.column - 1)
        if at >= 0:
            return ast.Span(span.file, span.line, at + 1, span.line, at + 1 + len(text))
    return span


def example_problems(
    located: Iterable[Located], sources: Mapping[str, str]
) -> Iterator[Diagnostic]:
    """Yield the mistakes in hands, auctions and calls of examples."""
    for _, example in located:
        if not isinstance(example, ast.Example):
            continue
        try:
            Hand.from_pbn(example.hand)
        except BidwrightError as problem:
            # The place of the fault is known better than the words for it.
            message = str(problem).partition(" in hand ")[0]
            yield error(
                "E222",
                f"this is not a hand: {message}",
                _place_of(example.hand, example.span, sources),
                help="write spades, hearts, diamonds and clubs: KQ4.AQ8.K9873.K2",
            )
        yield from _auction_problems(example)
        yield from _setting_problems(example, sources)


def _auction_problems(example: ast.Example) -> Iterator[Diagnostic]:
    auction = Auction(Seat.NORTH)
    try:
        # Who deals makes no call legal.
        for call in [*example.auction, example.call]:
            auction = auction.with_call(parse_call(call))
    except IllegalCallError as problem:
        yield error("E223", f"this auction is against the Laws: {problem}", example.span)


def _setting_problems(example: ast.Example, sources: Mapping[str, str]) -> Iterator[Diagnostic]:
    for word, text, parse, expected in (
        ("vul", example.vulnerability, parse_vulnerability, "none, ns, ew or both"),
        ("dealer", example.dealer, parse_seat, "N, E, S or W"),
    ):
        if text is None:
            continue
        try:
            parse(text)
        except BidwrightError:
            place = _place_of(f"{word} {text}", example.span, sources)
            yield error("E224", f"'{text}' cannot stand after '{word}'", place, expected=expected)
