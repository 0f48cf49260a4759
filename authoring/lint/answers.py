"""Proofs of answers to an artificial or forcing call, over all that the next player may do.

After the call the next player passes, doubles, or overcalls: in any way that is legal, or, where it
the opponents' system is known, as some hand of his does by their rules. Where no rule that looks
at the auction applies then, partner is left to the rules of `anywhere`. They may do: reported are
the hands for which they have nothing but a call that any hand may make.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, takewhile
from math import sqrt

from bidwright.authoring.hands.evidence import Evidence
from bidwright.authoring.hands.positions import Position, words_of
from bidwright.authoring.hands.proofs import (
    Got,
    HandsAt,
    Question,
    calls,
    frequency,
    holding,
)
from bidwright.authoring.lint.examine import is_general
from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import BIDS, Call
from bidwright.bridge.hand import Hand
from bidwright.inference.reading.reader import Reading
from bidwright.inference.sampling import Probability
from bidwright.kb.logic.formula import TRUE, negation
from bidwright.kb.logic.public_state import CallRecord, Forcing
from bidwright.kb.rules.decision_list import OTHERWISE, DecisionList, Instance
from bidwright.kb.rules.rule import CompiledRule

_SAMPLE = 1000
"""The number of hands drawn to estimate the chance of one that is left alone."""


def needs_answer(rule: CompiledRule) -> bool:
    """Return True if partner needs an answer to a rule of the book."""
    # A sign-off is artificial at times, but it ends the auction: no answer is missing.
    artificial = rule.artificial and not rule.signoff
    return not _is_anywhere(rule) and (
        artificial or rule.forcing is not Forcing.NO or rule.asks is not None
    )


def _is_anywhere(rule: CompiledRule) -> bool:
    return rule.pattern.open and not rule.pattern.elements


@dataclass(frozen=True)
class _Silence:
    """An action of the next player after a call, and the hands that are then left alone.

    Attributes:
        kind: the kind of his call, in words.
        call: a call of that kind.
        chance: the probability of this kind, by the rules of his side.
        left: the probability that partner then has nothing but a call that any hand may make.
        hand: such a hand of partner's.
    """

    kind: str
    call: Call
    chance: Probability
    left: Probability
    hand: Hand

    @property
    def value(self) -> float:
        """The probability of both."""
        return self.chance.value * self.left.value


class Answers:
    """Looks for missing answers after calls; several rules may make the same call."""

    def __init__(self, *, knows_opponents: bool = False) -> None:
        """Begin without results.

        Args:
            knows_opponents: True if opponents' calls are read by the rules of their own system.
        """
        self._knows_opponents = knows_opponents
        self._found: dict[tuple[str, bool], list[_Silence]] = {}

    def missing(self, position: Position, rule: CompiledRule) -> list[Evidence]:
        """Return the missing answers after a call that a rule makes at a position."""
        maker = next(
            (each for each in position.decision.instances if each.rule.id == rule.id), None
        )
        if maker is None or maker.call == Call.PASS:
            return []
        after = position.reading.with_call(maker.call)
        evidence = list(_equal_answers(rule, after)) if rule.asks is not None else []
        # The same call by several rules is looked at once, but an ask is judged more strictly.
        key = (words_of(after.auction), rule.asks is not None)
        if key not in self._found:
            self._found[key] = list(self._silences(after, is_ask=key[1]))
        silences = self._found[key]
        passed = [each for each in silences if each.call == Call.PASS]
        if passed:
            kind = "ask" if rule.asks else "artificial call" if rule.artificial else "forcing call"
            message = f"no rule answers this {kind}: partner is left to the rules of 'anywhere'"
            help = "indent the answers under it"
            evidence.append(_evidence("W423", position, rule, after, passed, message, help))
        over = [each for each in silences if each.call != Call.PASS]
        if over:
            kinds = ", ".join(
                f"{each.kind} ({each.call})" if each.kind in _CLASSES else each.kind
                for each in over
            )
            message = f"no rule says what to do after {maker.call} and {kinds}"
            help = f"add a branch under it, such as ({over[0].call})"
            evidence.append(_evidence("W422", position, rule, after, over, message, help))
        return evidence

    def _silences(self, after: Reading, is_ask: bool) -> Iterator[_Silence]:
        """Yield the actions of the next player after a call that leave some hands alone.

        General rules with a condition answer by what was shown; but not a question.
        """
        interference = _made(after) if self._knows_opponents else _legal(after.auction)
        for kind, members in interference:
            reading = self._over(after, members[0])
            # Where somebody wrote a rule for the auction, or said that nothing is agreed, no answer
            # is missing.
            if not _is_left_to_anywhere(reading) or reading.decision.undiscussed:
                continue
            # A bid that any hand makes carries the auction on, so nothing is lost; a question is.
            if members[0] == Call.PASS and not is_ask and _is_carried_on(reading.decision):
                continue
            here = HandsAt(reading, size=_SAMPLE)
            alone = Question() if is_ask else _left_over(reading.decision)
            hand = here.example(alone)
            if hand is None:
                continue
            yield _Silence(
                kind,
                members[0],
                HandsAt(after, size=_SAMPLE).probability(calls(after.decision, *members)),
                here.probability(alone),
                hand,
            )

    def _over(self, after: Reading, call: Call) -> Reading:
        """Return the reading once the next player has made a call.

        Where it is not known what he plays, the call shows nothing.
        """
        # Opponents' calls without a known system show nothing: their rules would be ours.
        if self._knows_opponents:
            return after.with_call(call)
        seat = after.state.me
        state = after.state.after(CallRecord(seat, call), after.state.shown[seat])
        return Reading(after.reader, state, after.meanings)


def _evidence(
    code: str,
    position: Position,
    rule: CompiledRule,
    after: Reading,
    silences: Sequence[_Silence],
    message: str,
    help: str,
) -> Evidence:
    chief = max(silences, key=lambda each: each.value)
    # How often the call is made at all: the fault cannot be more frequent.
    same_call = calls(position.decision, after.meanings[-1].record.call)
    likelihood = HandsAt(position.reading, size=_SAMPLE).probability(same_call).value
    return Evidence(
        code,
        rule.id,
        message,
        words_of(after.auction.with_call(chief.call)),
        chief.hand.to_pbn(),
        likelihood=sum(each.value for each in silences),
        error=_error(silences),
        share=frequency(position.reading).value * likelihood,
        help=help,
    )


def once(evidence: Iterable[Evidence], rules: Iterable[CompiledRule]) -> list[Evidence]:
    """Return evidence with missing answers to a call reported once, at the first rule for it.

    Several rules may make the same call at a position; what follows does not depend on which.
    """
    order = {rule.id: place for place, rule in enumerate(rules)}
    by_fault: dict[tuple[object, ...], Evidence] = {}
    for item in sorted(evidence, key=lambda one: order.get(one.rule, len(order))):
        # Answers go by the auction, so several rules for one call share a fault.
        alike = item.code in ("W422", "W423")
        by_fault.setdefault((item.code, item.auction) if alike else (len(by_fault), item), item)
    return list(by_fault.values())


def _left_over(decision: DecisionList) -> Question:
    """Return the question of hands that no rule fits but one that fits every hand."""
    # Up to the catch-all: what it takes is what is left.
    rules = takewhile(lambda step: step.formula != TRUE, decision.unmatched_steps())
    return Question(((*rules, OTHERWISE),))


def _is_carried_on(decision: DecisionList) -> bool:
    """Return True if the call of any hand is a bid, so that the auction does not end there."""
    free = next((each for each in decision.instances if each.formula == TRUE), None)
    return free is not None and free.call.is_bid


def _error(silences: Iterable[_Silence]) -> float:
    """Return the standard error of the probability of some silences together."""
    return sqrt(
        sum(
            (each.chance.error * each.left.value) ** 2 + (each.chance.value * each.left.error) ** 2
            for each in silences
        )
    )


_CLASSES = ("a suit at the same level", "a suit at the next level")
"""Overcalls of a suit that are taken together, the cheaper ones first."""


def _legal(auction: Auction) -> Iterator[tuple[str, list[Call]]]:
    """Yield a pass, a double, and the overcalls of each class, a typical one first."""
    # A pass comes first: it is by far the most frequent.
    yield "a pass", [Call.PASS]
    if auction.is_legal(Call.DOUBLE):
        yield "a double", [Call.DOUBLE]
    last = auction.last_bid
    if last is None:
        return
    suits = [bid for bid in BIDS if auction.is_legal(bid) and bid.denomination.is_suit]
    # A class is tried by its cheapest member: higher ones are rarer and alike.
    for up, words in enumerate(_CLASSES):
        some = [bid for bid in suits if bid.level == last.level + up]
        if some:
            yield words, some


def _made(after: Reading) -> Iterator[tuple[str, list[Call]]]:
    """Yield each call that some hand of the next player makes, by the rules of his side."""
    here = HandsAt(after, size=_SAMPLE)
    words = {Call.PASS: "a pass", Call.DOUBLE: "a double", Call.REDOUBLE: "a redouble"}
    for call in sorted({Call.PASS, *(each.call for each in after.decision.instances)}):
        if after.auction.is_legal(call) and here.possible(calls(after.decision, call)):
            yield words.get(call, str(call)), [call]


def _is_left_to_anywhere(reading: Reading) -> bool:
    """Return True if no rule that applies looks at the auction."""
    rules = reading.reader.rules_of(reading.state.me)
    # Either no rule of the book matches, or those that do have no say.
    return all(_is_anywhere(rules.by_id[each]) for each in rules.matching(reading.state)) or all(
        map(is_general, reading.decision.instances)
    )


# --------------------------------------------------------------------- equal answers


def _equal_answers(rule: CompiledRule, after: Reading) -> Iterator[Evidence]:
    """Yield the pairs of answers to an ask that the same hands give.

    A change of a system may leave answers of it unused.
    """
    passed = after.with_call(Call.PASS)
    answers = [
        each
        for each in passed.decision.instances
        # A layer is an included system: a variant need not fill what it left over.
        if not is_general(each) and not each.optional and not each.rule.rank.layer
    ]
    here = HandsAt(passed, got=Got.SHOWING)
    for first, second in combinations(answers, 2):
        if first.call == second.call or not _equal(here, first, second):
            continue
        yield Evidence(
            "W424",
            second.rule.id,
            f"the answers {first.call} and {second.call} to '{rule.asks}' show the same hands",
            words_of(passed.auction),
            share=frequency(passed).value,
            likelihood=1.0,
            others=(("the other answer", first.rule.id), ("the ask", rule.id)),
            help="let one of them show something else",
        )


def _equal(here: HandsAt, one: Instance, other: Instance) -> bool:
    """Return True if the same hands, and some at all, satisfy two rules."""
    first, second = holding(one.formula), holding(other.formula)
    # The sample refutes most pairs at once; the solver is asked about the rest.
    if one.formula != other.formula:
        sample = here.sample_features
        if (first.holds_for(sample) != second.holds_for(sample)).any() or not len(sample):
            return False
        if here.possible(first & holding(negation(other.formula))):
            return False
        if here.possible(second & holding(negation(one.formula))):
            return False
    # Two rules without any hand are equal, too, which is another fault.
    return here.possible(first)
