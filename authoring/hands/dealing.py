"""Hands for a rule or a position: drawn uniformly, and pairs on the two sides of a threshold.

    here = Spot(reading, "1M (P): 3M")
    here.draw(5, rng)                  # hands that the rule bids, each as likely as any other
    here.boundaries(rng)               # for each threshold a hand inside and one outside it

The two hands of a pair differ as little as is possible for the hands drawn: in one card, if that
can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bidwright.authoring.condition_changes import SystemChange, changes_of_rule
from bidwright.authoring.hands.positions import setting_text
from bidwright.authoring.hands.proofs import HandsAt, Question, calls, chosen_by
from bidwright.authoring.hands.reaching import reached, why_not
from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import HAND_SIZE, NUM_CARDS, Seat, Vulnerability
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.hand import Hand
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.inference.sampling import (
    DealBatch,
    DealSampler,
    InfeasibleError,
    Knowledge,
    RareDealsError,
)
from bidwright.kb.language import ast
from bidwright.kb.language.printer import quoted, statement_lines
from bidwright.kb.logic.features import features, features_of
from bidwright.kb.rules.decision_list import DecisionList, Instance, fitting
from bidwright.kb.rules.rulebase import RuleBase

_EFFORT = 2_000_000
_INSIDE = 60
"""The most hands inside a threshold that one outside is looked for."""
_APART = 400
"""Hands on each side that are compared where no two are one card apart."""
_MEANT = 3
"""Ids that are proposed where there is none of a name."""


# ----------------------------------------------------------------------- positions


def rule_named(rules: RuleBase, name: str, here: Iterable[Instance] = ()) -> str:
    """Return a rule's id as the system has it.

    Args:
        rules: the system.
        name: the id, or the call where one rule that applies makes it: `1NT` for `opening.1NT`.
        here: the rules that apply; none if that does not matter.

    Raises:
        InvalidError: there is no such rule; the message names ids that end like it, such as
            `opening.1NT` for `1NT`, or look like it.
    """
    from difflib import get_close_matches

    # An id wins over a call of the same name.
    if name in rules.by_id:
        return name
    meant = list(dict.fromkeys(each.rule.id for each in here if str(each.call) == name))
    if len(meant) == 1:
        return meant[0]
    ends = (f".{name}", f": {name}")
    endings = meant or [each for each in rules.by_id if each.endswith(ends)]
    close = endings[:_MEANT] or get_close_matches(name, rules.by_id, n=_MEANT, cutoff=0.5)
    hint = f"; did you mean {' or '.join(map(repr, close))}?" if close else ""
    raise InvalidError(
        f"expected the id of a rule of {rules.name}, got {name!r}{hint} "
        "('bidwright rules' lists them)"
    )


# --------------------------------------------------------------------------- hands


def calls_other(decision: DecisionList, call: Call) -> Question:
    """Return the question of hands that make another call than a given one."""
    return ~calls(decision, call)


def example_line(auction: Auction, hand: Hand, call: Call) -> str:
    """Return an example as a line for a file."""
    vul, dealer = auction.vulnerability, auction.dealer
    node = ast.Example(
        str(hand),
        tuple(map(str, auction.calls)),
        str(call),
        vul.word if vul is not Vulnerability.NONE else None,
        str(dealer) if dealer is not Seat.NORTH else None,
    )
    return statement_lines(node)[0]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two hands on the two sides of a threshold.

    Attributes:
        rule: id of the rule.
        threshold: the change that would let the outer hand in.
        inside: the hand that the rule takes.
        outside: the hand that it does not.
        calls: the calls of the two hands.
    """

    rule: str
    threshold: SystemChange
    inside: Hand
    outside: Hand
    calls: tuple[Call, Call]


class Spot:
    """A rule at a position, or the position itself."""

    def __init__(self, reading: Reading, rule: str | None = None) -> None:
        """Take the hands that a rule bids here, or all that got here.

        Args:
            reading: the auction.
            rule: id of the rule, None for any.
        """
        self.reading = reading
        self.rule = rule
        self.hands = HandsAt(reading)
        decision = reading.decision
        self.indices = [
            index
            for index, each in enumerate(decision.instances)
            if rule is None or each.rule.id == rule
        ]
        if rule is None:
            self.question = Question()
        else:
            self.question = chosen_by(decision, *self.indices)

    @property
    def auction(self) -> Auction:
        """The calls so far."""
        return self.reading.auction

    def named(self, rule: str) -> str:
        """Return a rule with its text, its place and the auction."""
        compiled = self._rules.by_id[rule]
        text = f" {quoted(compiled.text)}" if compiled.text else ""
        return f"{rule}{text} ({compiled.span}), at {setting_text(self.auction)}"

    def __str__(self) -> str:
        """Return the rule and the auction."""
        if self.rule is None:
            return f"hands at {setting_text(self.auction)}"
        return self.named(self.rule)

    def call(self, hand: Hand) -> Call:
        """Return the call of a hand here."""
        instance = self.reading.decision.choose(features_of(hand))
        return instance.call if instance else Call.PASS

    def draw(self, n: int, rng: np.random.Generator) -> list[Hand]:
        """Return hands, each as likely as any other; none if there is none."""
        return [_hand(row) for row in self._draw(self.question, n, rng)]

    def deals(self, n: int, rng: np.random.Generator) -> DealBatch | None:
        """Return whole deals that are bid by the auction and have one of these hands."""
        turns = {
            meaning.record.seat: HandsAt(self.reading, meaning.record.seat).turns
            for meaning in self.reading.meanings
        }
        me = self.hands.seat
        # Both what the hand showed and what the rule asks: the deal has to be bid like that.
        turns[me] = (*self.hands.turns, *self.question.turns(me))
        try:
            return DealSampler(Knowledge(turns=turns)).draw(n, rng, effort=_EFFORT)
        except (InfeasibleError, RareDealsError):
            return None

    def _draw(self, question: Question, n: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        """Return up to `n` hands that got here and answer yes, bool `[D, 52]`."""
        seat = self.hands.seat
        turns = {seat: (*self.hands.turns, *question.turns(seat))}
        conditions = {seat: (question.formula,)} if question.formula else {}
        hands = np.zeros((0, NUM_CARDS), dtype=np.bool_)
        try:
            sampler = DealSampler(Knowledge(turns=turns, conditions=conditions))
            # `at_least=0`: as many as the effort yields, rather than an error.
            hands = sampler.draw(n, rng, effort=_EFFORT, at_least=0).held(seat)
        except (InfeasibleError, RareDealsError):
            pass
        if not len(hands):
            # Where drawing yields nothing the solver still finds a hand, or proves that there is
            # none.
            hand = self.hands.example(question)
            if hand is not None:
                hands = _held(hand)[None, :]
        return hands

    # ------------------------------------------------------------------ boundaries

    @cached_property
    def _rules(self) -> RuleBase:
        return self.reading.reader.rules_of(self.reading.state.me)

    def boundaries(self, rng: np.random.Generator) -> Iterator[Pair]:
        """Yield for each threshold of the rule a hand inside and one outside."""
        for index in self.indices:
            instance = self.reading.decision.instances[index]
            moves: dict[tuple[object, ...], dict[bool, SystemChange]] = {}
            for change in changes_of_rule(self._rules, instance.rule.id):
                threshold = change.change
                # A limit that moves both ways is one threshold with two changes.
                key = (threshold.span, threshold.test, threshold.end)
                moves.setdefault(key, {})[threshold.wider] = change
            for sides in moves.values():
                # A pair needs a change that lets a hand in; what only narrows has no hand outside.
                if True in sides:
                    pair = self._pair(instance, sides[True], sides.get(False), rng)
                    if pair is not None:
                        yield pair

    def _taking(self, decision: DecisionList, instance: Instance, *, taken: bool) -> Question:
        """Return the question of hands that a rule takes, in this system or a changed one."""
        # The changed system has other instances, so rules are found by id and letters.
        places = [at for at, each in enumerate(decision.instances) if _same(each, instance)]
        question = chosen_by(decision, *places)
        return question if taken else ~question

    def _pair(
        self,
        instance: Instance,
        wider: SystemChange,
        narrower: SystemChange | None,
        rng: np.random.Generator,
    ) -> Pair | None:
        decision = self.reading.decision
        inner = self._taking(decision, instance, taken=True)
        # Inside are hands that the narrower limit would lose: those at the very edge.
        if narrower is not None:
            changed = self.reading.decision_by(narrower.applied(self._rules))
            inner = inner & self._taking(changed, instance, taken=False)
        changed = self.reading.decision_by(wider.applied(self._rules))
        outer = self._taking(decision, instance, taken=False)
        outer = outer & self._taking(changed, instance, taken=True)
        # A hand outside that bids otherwise teaches more than one that another rule bids alike.
        elsewhere = outer & calls_other(decision, instance.call)
        if self.hands.possible(elsewhere):
            outer = elsewhere
        inside = self._draw(inner, _INSIDE, rng)
        if not len(inside) or not self.hands.possible(outer):
            return None
        pair = self._one_card_apart(inside, outer)
        if pair is None:
            # Where no two are one card apart, many of both are drawn and the most alike are taken.
            pair = _closest(self._draw(inner, _APART, rng), self._draw(outer, _APART, rng))
        inner_hand, outer_hand = map(_hand, pair)
        return Pair(
            instance.rule.id,
            wider,
            inner_hand,
            outer_hand,
            (self.call(inner_hand), self.call(outer_hand)),
        )

    def _one_card_apart(
        self, inside: NDArray[np.bool_], outer: Question
    ) -> tuple[NDArray[np.bool_], NDArray[np.bool_]] | None:
        """Return a hand of some, and one outside that differs in one card, as like as can be."""
        best: tuple[tuple[int, int, int], NDArray[np.bool_], NDArray[np.bool_]] | None = None
        for hand in inside:
            # Every card of the hand against every other: 507 hands, judged at once.
            gone, come = (each.ravel() for each in np.meshgrid(*map(np.flatnonzero, (hand, ~hand))))
            others = np.repeat(hand[None, :], len(gone), axis=0)
            others[np.arange(len(gone)), gone] = False
            others[np.arange(len(gone)), come] = True
            fits = np.flatnonzero(self._got_here(others) & outer.holds_for(features(others)))
            for at in fits:
                unlike = _unlike(int(gone[at]), int(come[at]))
                if best is None or unlike < best[0]:
                    best = (unlike, hand, others[at])
            # Nothing can be closer than the next rank of the same suit, without a point.
            if best is not None and best[0] <= (0, 1, 1):
                break
        return None if best is None else best[1:]

    def _got_here(self, hands: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return bool `[B]`, True for hands that bid the calls that their player has made."""
        rows = features(hands)
        result = np.ones(len(hands), dtype=np.bool_)
        for turn in self.hands.turns:
            result &= fitting(turn.steps, rows)
        return result


def _same(one: Instance, other: Instance) -> bool:
    return one.rule.id == other.rule.id and one.binding == other.binding


def _unlike(gone: int, come: int) -> tuple[int, int, int]:
    """Return the distance of two cards: in suit, in honour points, in rank."""
    # A jack counts 1: ranks count from the two, which is 0.
    ranks = (gone % HAND_SIZE, come % HAND_SIZE)
    points = [max(0, rank - 8) for rank in ranks]
    return (
        int(gone // HAND_SIZE != come // HAND_SIZE),
        abs(points[0] - points[1]),
        abs(ranks[0] - ranks[1]),
    )


def _closest(
    one: NDArray[np.bool_], other: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return the hands of two lists that have most cards in common."""
    # A product of 0s and 1s counts common cards of all pairs at once.
    common = one.astype(np.float32) @ other.astype(np.float32).T
    place = np.unravel_index(int(common.argmax()), common.shape)
    return one[place[0]], other[place[1]]


def _hand(held: NDArray[np.bool_]) -> Hand:
    return Hand(frozenset(np.flatnonzero(held).tolist()))


def _held(hand: Hand) -> NDArray[np.bool_]:
    held = np.zeros(NUM_CARDS, dtype=np.bool_)
    held[sorted(hand.cards)] = True
    return held


def spot_of(rules: RuleBase, reader: Reader, rule: str | None, auction: Auction | None) -> Spot:
    """Return the spot at an auction, or at the first one with a hand that a rule bids.

    Raises:
        InvalidError: there is no such rule, or it does not apply at the auction, or that is over.
        NoHandError: no auction was found at which the rule bids a hand; it says why.
    """
    if auction is not None:
        if auction.is_over:
            raise InvalidError(f"expected an auction in progress, got {str(auction)!r}")
        reading = reader.read(auction)
        name = None if rule is None else rule_named(rules, rule, reading.decision.instances)
        spot = Spot(reading, name)
        if not spot.indices:
            what = f"rule {name!r}" if name else "a rule"
            message = f"expected an auction at which {what} applies, got {str(auction)!r}"
            # The rule stands for the auction but is not live there: the message has the reason.
            if name is not None and name in rules.matching(spot.reading.state):
                message += f": {why_not(rules, reader, name, [spot.reading])}"
            raise InvalidError(message)
        return spot
    assert rule is not None
    name = rule_named(rules, rule)
    return Spot(reached(rules, reader, name), name)
