"""Auctions with hands that a rule bids, or the reasons why there are none.

    reached(rules, reader, "1M (P): 3M")       # the reading of an auction at which a hand is bid so

Auctions that lead to the rule's block are tried one after the other, with every number of passes
before them and at every vulnerability: first a few typical ones, then all up to a limit. Where no
hand is bid by the rule, the reason at the auctions that were tried is stated: a
call before it that nobody makes, what everybody knows, another rule for the same call, or rules
before it, which is then a proof (`unused`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice, product

from bidwright.authoring.condition_changes import NEVER
from bidwright.authoring.hands.positions import (
    Explorer,
    Key,
    Position,
    common_positions,
    key_of,
    setting_text,
)
from bidwright.authoring.hands.proofs import HandsAt, chosen_by
from bidwright.authoring.hands.unused import why_unused
from bidwright.bridge.cards import Vulnerability
from bidwright.bridge.errors import InvalidError
from bidwright.inference.reading.examples import auction_of
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.kb.conditions.reads import reads_hand
from bidwright.kb.language import ast
from bidwright.kb.language.printer import condition_text
from bidwright.kb.language.walk import pattern_text
from bidwright.kb.logic.formula import FALSE
from bidwright.kb.logic.public_facts import PublicFacts
from bidwright.kb.rules.decision_list import Instance
from bidwright.kb.rules.rule import CompiledRule
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.runtime.sentences import listed, noun_for

_DEALS = 60
"""Random deals that are bid to find positions for general rules."""
_FIRST = 4
"""Auctions that are tried first."""
_LEAVES = 96
"""Auctions of a pattern that are tried without a pass before them, at no vulnerability."""
_OTHERS = 8
"""The same for each other number of passes and vulnerability, and each auction continued from."""
_ASKED = 40
"""The most auctions with the rule that are searched for a hand."""


class NoHandError(InvalidError):
    """There is no hand for a question."""


def reached(rules: RuleBase, reader: Reader, name: str) -> Reading:
    """Return the first auction found with a hand that a rule bids.

    Args:
        rules: the system.
        reader: reads auctions between the system and itself.
        name: the rule's id.

    Raises:
        NoHandError: none was found; the message is the reason.
    """
    seen: dict[Key, Reading] = {}
    asked = 0
    for reading in _auctions(rules, reader, rules.by_id[name]):
        if key_of(reading.auction) in seen:
            continue
        seen[key_of(reading.auction)] = reading
        if _is_live(name, reading):
            if _is_bid(name, reading):
                return reading
            asked += 1
            if asked == _ASKED:
                break
    raise NoHandError(why_not(rules, reader, name, list(seen.values())))


def _is_live(name: str, reading: Reading) -> bool:
    return any(each.rule.id == name for each in reading.decision.instances)


def _is_bid(name: str, reading: Reading) -> bool:
    decision = reading.decision
    places = [i for i, each in enumerate(decision.instances) if each.rule.id == name]
    return HandsAt(reading).possible(chosen_by(decision, *places))


# ------------------------------------------------------------------------- auctions


def _auctions(rules: RuleBase, reader: Reader, rule: CompiledRule) -> Iterator[Reading]:
    """Yield auctions that lead to a rule's block, typical ones first; some may come twice."""
    explorer = Explorer(rules, reader)
    pattern = rule.pattern
    # General rules have no auction of their own: the frequent positions stand in.
    common = [each.reading for each in common_positions(reader, _DEALS)] if pattern.open else []
    yield from explorer.positions_of([rule], _FIRST, common, optional=True)
    leaves: Iterator[Reading]
    if pattern.open:
        # The author's examples lead to places that random deals rarely reach.
        examples = (reader.read(auction_of(each)) for _, each in rules.examples)
        bases = chain(common, (each for each in examples if not each.auction.is_over))
        leaves = (
            leaf for base in bases for leaf in islice(explorer.auctions_of(pattern, base), _OTHERS)
        )
    else:
        leaves = islice(explorer.auctions_of(pattern, explorer.start()), _LEAVES)
    tried = []
    for leaf in leaves:
        tried.append(leaf)
        yield leaf
    for passes, vulnerability in islice(product(range(4), Vulnerability), 1, None):
        if pattern.open:
            again = (explorer.again(leaf, passes, vulnerability) for leaf in tried[:_OTHERS])
            yield from (each for each in again if each is not None)
        else:
            start = explorer.start(passes, vulnerability)
            yield from islice(explorer.auctions_of(pattern, start), _OTHERS)


# -------------------------------------------------------------------------- why not


def why_not(rules: RuleBase, reader: Reader, name: str, readings: Sequence[Reading]) -> str:
    """Return the reason why no hand is bid by a rule at some auctions, in a sentence.

    Args:
        rules: the system.
        reader: reads auctions between the system and itself.
        name: the rule's id.
        readings: the auctions; those where the rule comes closest to being used tell why.
    """
    rule = rules.by_id[name]
    # The closest reason first: live but unused, matched but displaced, not applicable, not legal.
    live = [reading for reading in readings if _is_live(name, reading)]
    if live:
        return f"no hand is bid by {name!r}{_at(live)}: {_unused(rules, rule, live)}"
    matched = [each for each in readings if name in rules.matching(each.state)]
    displaced = [each for each in matched if _offered(rules, name, each)]
    if displaced:
        return f"nobody bids by {name!r}{_at(displaced)}: {_displaced(rules, rule, displaced[0])}"
    if matched:
        return f"{name!r} does not apply{_at(matched)}: {_public(rules, rule, matched)}"
    if readings:
        return f"{name!r} does not apply{_at(readings)}: its call is not legal"
    return f"no auction leads to {name!r}: {_unreached(rules, reader, rule.pattern)}"


def _at(readings: Sequence[Reading]) -> str:
    """Return the first of some auctions, and the number of further ones."""
    more = len(readings) - 1
    others = f", nor in {more} more {noun_for(more, 'auction')}" if more else ""
    where = setting_text(readings[0].auction)
    return f" {'at' if where.startswith('opening') else 'after'} {where}{others}"


def _named(rules: RuleBase, names: Sequence[str]) -> str:
    """Return rules with their places: `'opening.1S' (own.bid:4) and 'opening.1H' (own.bid:5)`."""
    named = [f"{name!r} ({rules.by_id[name].span})" for name in dict.fromkeys(names)]
    return listed(named, "and")


def _unused(rules: RuleBase, rule: CompiledRule, live: Sequence[Reading]) -> str:
    """Return the reason why no hand uses a rule where it applies: the proof of the lints."""
    proof = why_unused(rule, [Position(reading) for reading in live])
    named = [other for _, other in proof.others]
    # The proof of the lints has the rules that take its hands.
    if proof.code == "E411" and named:
        return f"every hand that fits it is taken before it by {_named(rules, named)}"
    if proof.code == "E413" and named:
        return f"{proof.message.partition(': ')[2]}, by {_named(rules, named)}"
    return proof.message


def _offered(rules: RuleBase, name: str, reading: Reading) -> bool:
    """Return True if a rule's condition can hold at a position where it has no say."""
    formulas = rules.formulas(PublicFacts(reading.state), (name,))
    return any(formula != FALSE for formula in formulas)


def _displaced(rules: RuleBase, rule: CompiledRule, reading: Reading) -> str:
    """Return the rule for the same call that takes the place of a rule, in words."""
    # As if displacement did not exist: the rule is then among those that apply.
    wide = reading.decision_by(rules).applicable
    instance = next((each for each in wide if each.rule.id == rule.id), None)
    if instance is not None:
        return (
            f"it is latitude, since {_named(rules, [_firm_before(instance, wide)])} makes the same "
            f"call before it; {instance.call} is read by it only where nothing else explains the "
            "call"
        )
    book = [each for each in wide if not each.rule.pattern.open]
    # Without the book's rules the general ones apply again, which shows what they are displaced
    # from.
    without = rules.with_conditions({each.rule.id: NEVER for each in book}, {})
    left = reading.decision_by(without).applicable
    calls = {each.call for each in left if each.rule.id == rule.id}
    covering = [each.rule.id for each in book if each.call in calls]
    return f"what the book says of a call is all there is, and {_named(rules, covering)} makes it"


def _firm_before(own: Instance, wide: Sequence[Instance]) -> str:
    before = wide[: wide.index(own)]
    return next(each.rule.id for each in before if each.call == own.call and not each.optional)


def _public(rules: RuleBase, rule: CompiledRule, readings: Sequence[Reading]) -> str:
    """Return the public facts that keep a rule from applying."""
    failing: list[str] = []
    for part in rule.conjuncts:
        alone = rules.with_conditions({rule.id: part}, {})
        if not any(_offered(alone, rule.id, reading) for reading in readings):
            failing.append(f"{condition_text(part)!r}")
            # Public facts are the same for all hands, so one that fails is reason enough.
            if not reads_hand(part, rules.lets):
                break
    if failing:
        return f"{' and '.join(failing)} {'does' if len(failing) == 1 else 'do'} not hold there"
    return "no hand can satisfy all of its condition there"


def _unreached(rules: RuleBase, reader: Reader, pattern: ast.Pattern) -> str:
    """Return the call of a pattern that nobody makes, in words."""
    explorer = Explorer(rules, reader)
    start = explorer.start()
    # From the full pattern backwards: the longest beginning that somebody bids.
    for length in range(len(pattern.elements), 0, -1):
        head = ast.Pattern(pattern.elements[: length - 1], open=pattern.open)
        reading = next(explorer.auctions_of(head, start), None)
        if reading is not None:
            element = pattern_text(ast.Pattern(pattern.elements[length - 1 : length]))
            where = f"after {reading.auction}" if reading.auction.calls else "first"
            return f"nobody bids {element} {where}"
    return "no auction that was tried ends like its pattern"
