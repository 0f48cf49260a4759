"""Proofs about what follows an artificial or forcing call: is there an answer over everything.

After the call the next player passes, doubles, or overcalls. Where no rule that looks at the
auction applies then, only the rules of `anywhere`, partner is left to general bidding.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from bidwright.authoring.hands import Got, HandsAt, calls, holding
from bidwright.authoring.lint.evidence import Evidence
from bidwright.authoring.lint.examine import is_general
from bidwright.authoring.positions import Position, words_of
from bidwright.bridge.calls import BIDS, Call
from bidwright.inference.reader import Reading
from bidwright.kb.decision import Decision, Instance
from bidwright.kb.formula import negation
from bidwright.kb.rule import CompiledRule
from bidwright.kb.state import CallRecord, Forcing

_LEVELS_UP = 1


def needs_answer(rule: CompiledRule) -> bool:
    """Tell whether partner has to know what to do after a rule of the book."""
    artificial = rule.artificial and not rule.signoff
    return not _is_anywhere(rule) and (
        artificial or rule.forcing is not Forcing.NO or rule.asks is not None
    )


def _is_anywhere(rule: CompiledRule) -> bool:
    return rule.pattern.open and not rule.pattern.elements


def unanswered(position: Position, rule: CompiledRule) -> list[Evidence]:
    """Return what is missing after a call that a rule makes at a position."""
    made = next(
        (each for each in position.decision.instances if each.rule.id == rule.id and each.call),
        None,
    )
    if made is None or made.call == Call.PASS:
        return []
    after = position.reading.with_call(made.call)
    found: list[Evidence] = []
    missing: dict[str, Call] = {}
    for kind, call in _interference(after):
        answer = _answer_over(after, call)
        if answer is not None:
            if call == Call.PASS and rule.asks is not None:
                found += _equal_answers(position, rule, after, answer)
            continue
        missing[kind] = call
    if not missing:
        return found
    passed = missing.pop("a pass", None)
    likelihood = HandsAt(position.reading).probability(calls(position.decision, made.call)).value
    where = words_of(position.auction.with_call(made.call))

    def evidence(code: str, message: str, help: str) -> Evidence:
        return Evidence(
            code, rule.id, message, where, None, None, likelihood, 0.0, position.share, (), help
        )

    if passed is not None:
        kind = "ask" if rule.asks else "artificial call" if rule.artificial else "forcing call"
        found.append(
            evidence(
                "W423",
                f"no rule answers this {kind}: partner is left to the rules of 'anywhere'",
                "indent the answers under it",
            )
        )
    if missing:
        over = ", ".join(
            f"{kind} ({call})" if call.is_bid else kind for kind, call in missing.items()
        )
        found.append(
            evidence(
                "W422",
                f"no rule says what to do after {made.call} and {over}",
                f"add a branch under it, such as ({next(iter(missing.values()))})",
            )
        )
    return found


def _interference(after: Reading) -> Iterator[tuple[str, Call]]:
    """Yield a pass, a double, and one overcall of each class."""
    auction = after.auction
    yield "a pass", Call.PASS
    if auction.is_legal(Call.DOUBLE):
        yield "a double", Call.DOUBLE
    last = auction.last_bid
    if last is None:
        return
    bids = [bid for bid in BIDS if auction.is_legal(bid)]
    suits = [bid for bid in bids if bid.denomination.is_suit]
    seen: set[int] = set()
    for bid in suits:
        if bid.level > last.level + _LEVELS_UP:
            break
        if bid.level == last.level and 0 not in seen:
            seen.add(0)
            yield "a suit at the same level", bid
        elif bid.level > last.level and 1 not in seen:
            seen.add(1)
            yield "a suit at the next level", bid


def _answer_over(after: Reading, call: Call) -> Decision | None:
    """Return the rules that apply once the next player has made a call, whatever it shows.

    None if there are but rules of `anywhere`.
    """
    seat = after.state.me
    state = after.state.after(CallRecord(seat, call), after.state.shown[seat])
    rules = after.reader.rules_of(state.me)
    if all(_is_anywhere(rules.by_id[each]) for each in rules.matching(state)):
        return None
    decision = rules.decide(state)
    return None if all(map(is_general, decision.instances)) else decision


# --------------------------------------------------------------------- equal answers


def _equal_answers(
    position: Position, rule: CompiledRule, after: Reading, decision: Decision
) -> Iterator[Evidence]:
    """Yield the pairs of answers to an ask that the same hands give."""
    answers = [each for each in decision.instances if not is_general(each) and not each.optional]
    passed = after.with_call(Call.PASS)
    here = HandsAt(passed, got=Got.SHOWING)
    for one, other in combinations(answers, 2):
        if one.call == other.call or not _equal(here, one, other):
            continue
        yield Evidence(
            "W424",
            other.rule.id,
            f"the answers {one.call} and {other.call} to '{rule.asks}' show the same hands",
            words_of(passed.auction),
            share=position.share,
            likelihood=1.0,
            others=(("the other answer", one.rule.id), ("the ask", rule.id)),
            help="let one of them show something else",
        )


def _equal(here: HandsAt, one: Instance, other: Instance) -> bool:
    """Tell whether the same hands, and some at all, satisfy two rules."""
    first, second = holding(one.formula), holding(other.formula)
    if one.formula != other.formula:
        sample = here.sample_features
        if (first.holds_for(sample) != second.holds_for(sample)).any() or not len(sample):
            return False
        if here.possible(first & holding(negation(other.formula))):
            return False
        if here.possible(second & holding(negation(one.formula))):
            return False
    return here.possible(first)
