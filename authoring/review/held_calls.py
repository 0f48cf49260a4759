"""Calls of played boards held against what they promise: who departed, by how much, how rare.

A call is as agreed if the system allows it with the hand. If not, it is judgement as long as
the hand is within what is possible (`Meaning.possible_turns`); else it departs from the system.
What was explained at the table decides what kind of departure it is:

| kind | the hand and the system | the hand and the explanation |
|---|---|---|
| judgement | outside by no more than judgement allows | |
| departs | outside | nothing was explained, or nothing was understood |
| misbid | outside | outside: the explanation is the agreement, the hand is not |
| undisclosed | outside | inside: the explanation fits, the disclosed system does not |
| misexplained | as agreed | outside: the hand is the agreement, the explanation is not |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from string import digits

import numpy as np
from numpy.typing import NDArray

from bidwright.authoring.review.table_explanations import (
    TableExplanation,
    explanation_of,
    names_agreement,
)
from bidwright.bridge.auction import Auction
from bidwright.bridge.board import Board
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import NUM_CARDS, Seat
from bidwright.bridge.hand import Hand
from bidwright.bridge.lin import BARE_ALERT
from bidwright.inference.explanation.explain import Explainer, claim_of
from bidwright.inference.explanation.in_short import Brief, brief_of
from bidwright.inference.explanation.model import RuleNote
from bidwright.inference.meaning import Meaning
from bidwright.inference.reading.conformity import possible_hands
from bidwright.inference.reading.reader import Reading
from bidwright.kb.logic.features import LENGTHS, POINTS, features, features_of
from bidwright.kb.logic.formula import holds, holds_for
from bidwright.kb.rules.decision_list import fitting
from bidwright.kb.wording.phrase_text import text_of
from bidwright.kb.wording.phrases import Phrase, Within, first_unmet
from bidwright.kb.wording.words import BoundFact, facts_of

JUDGEMENT, DEPARTS, MISBID = "judgement", "departs", "misbid"
UNDISCLOSED, MISEXPLAINED = "undisclosed", "misexplained"
KINDS = (MISBID, MISEXPLAINED, UNDISCLOSED, DEPARTS, JUDGEMENT)
"""Kinds of findings, the gravest for a director first."""

_HANDS = 20_000
"""Random hands by which shares are estimated: one per cent is known to a tenth of it."""

_FEWEST = 100
"""Hands that must be left for a share to be said."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A promise that a hand does not keep.

    Attributes:
        fact: the bound.
        has: what the hand has of it; None where that is no number.
    """

    fact: BoundFact
    has: int | None

    @property
    def amount(self) -> int:
        """By how much the hand is outside; 1 where that is no number."""
        if self.has is None:
            return 1
        if self.fact.low is not None and self.has < self.fact.low:
            return self.fact.low - self.has
        return self.has - (self.fact.high or 0)


@dataclass(frozen=True, slots=True)
class CallFinding:
    """A call that is not as agreed, or not as explained.

    Attributes:
        place: its place in the auction, from 0.
        seat: who made it.
        call: the call.
        hand: the hand that made it.
        kind: one of `KINDS`.
        shows: what the call shows by the system, in short.
        gaps: the bounds that the call shows and that the hand is outside of.
        unmet: what a rule for the call asks for and the hand lacks, where no bound says it.
        unmet_amount: what the hand has of that, where it is a number; else empty.
        due: the rule that the hand should have followed; None if none fits, or if it did.
        share: of the hands that the player may hold here, those that make the call, if known.
        explained: what was explained; None if nothing was.
        broken: what the explanation says and the hand has not, as the language writes it.
    """

    place: int
    seat: Seat
    call: Call
    hand: Hand
    kind: str
    shows: Brief
    gaps: tuple[Gap, ...]
    unmet: str
    due: RuleNote | None
    share: float | None
    explained: TableExplanation | None
    broken: tuple[str, ...] = ()
    unmet_amount: str = ""


@dataclass(frozen=True, slots=True)
class HeldCall:
    """A call held against the hand that made it.

    Attributes:
        hand: the hand.
        judged: whether something is agreed that the call can be held against.
        rule: the rule by which the hand makes the call; None if none does.
        finding: what is to be said of it; None if it is as agreed and as explained.
    """

    hand: Hand
    judged: bool
    rule: RuleNote | None
    finding: CallFinding | None


@dataclass(frozen=True, slots=True)
class HeldBoard:
    """A board held against the systems.

    Attributes:
        board: the board.
        auction: its auction.
        calls: those whose hand is known, by their place in the auction.
        unread: explanations of which nothing was understood.
    """

    board: Board
    auction: Auction
    calls: Mapping[int, HeldCall]
    unread: tuple[TableExplanation, ...]

    @property
    def judged(self) -> int:
        """How many calls were judged."""
        return sum(call.judged for call in self.calls.values())

    @property
    def findings(self) -> tuple[CallFinding, ...]:
        """The calls that are not as agreed or not as explained."""
        return tuple(call.finding for call in self.calls.values() if call.finding is not None)


def hold(explainer: Explainer, board: Board) -> HeldBoard | None:
    """Return a board held against two systems; None if it has no auction or no hand.

    Args:
        explainer: of the two systems.
        board: the board.
    """
    hands = hands_of(board)
    if board.auction is None or not board.auction.calls or not hands:
        return None
    auction = board.auction
    reading = explainer.reader.start(auction.dealer, auction.vulnerability)
    calls, unread = {}, []
    for place, call in enumerate(auction.calls):
        reading = reading.with_call(call)
        hand = hands.get(auction.seat_of(place))
        if hand is None:
            continue
        note = board.notes.get(place, "")
        explained = explanation_of(note, call) if note not in ("", BARE_ALERT) else None
        calls[place] = held = hold_call(explainer, reading, hand, explained)
        if held.judged and explained is not None and not _is_read(explained, reading.meanings[-1]):
            unread.append(explained)
    return HeldBoard(board, auction, calls, tuple(unread))


def _is_read(explained: TableExplanation, meaning: Meaning) -> bool:
    return explained.condition is not None or names_agreement(explained, meaning)


def hold_call(
    explainer: Explainer, reading: Reading, hand: Hand, explained: TableExplanation | None = None
) -> HeldCall:
    """Return the last call of a reading held against the hand that made it.

    Args:
        explainer: of the two systems.
        reading: the auction, this call included.
        hand: the hand.
        explained: what was explained of the call at the table, if anything was.
    """
    meaning = reading.meanings[-1]
    judged = meaning.known and meaning.agreed
    allowed = meaning.decision.allowed(features_of(hand))
    own = next((each for each in allowed if each.call == meaning.record.call), None)
    rule = explainer.note(own, explainer.before(reading)) if own else None
    finding = _finding(explainer, reading, hand, explained) if judged else None
    return HeldCall(hand, judged, rule, finding)


def hands_of(board: Board) -> Mapping[Seat, Hand]:
    """Return the hands that are recorded on a board."""
    hands = board.deal.hands if board.deal else ()
    return {seat: hand for seat, hand in zip(Seat, hands, strict=False) if hand}


def _finding(
    explainer: Explainer, reading: Reading, hand: Hand, explained: TableExplanation | None
) -> CallFinding | None:
    """Return what is to be said of the last call; None if it is as agreed and as explained."""
    meaning, row = reading.meanings[-1], features_of(hand)
    call, decision = meaning.record.call, meaning.decision
    agreed = any(each.call == call for each in decision.allowed(row))
    said = None if explained is None or explained.condition is None else explained.condition
    as_explained = None if said is None else holds(said, row)
    if said is None and explained is not None and names_agreement(explained, meaning):
        as_explained = agreed
    if agreed and as_explained is not False:
        return None
    if agreed:
        kind = MISEXPLAINED
    elif possible_hands(meaning, np.array([row], dtype=np.int16)).all():
        kind = JUDGEMENT
    else:
        kind = {None: DEPARTS, True: UNDISCLOSED, False: MISBID}[as_explained]
    gaps = () if agreed or kind == JUDGEMENT else tuple(_gaps(meaning, hand))
    before = explainer.before(reading)
    rules = [explainer.note(each, before) for each in meaning.needed]
    unmet = first_unmet(rules[0].needs, row) if rules and not gaps and not agreed else None
    chosen = None if agreed else decision.choose(row)
    return CallFinding(
        len(reading.meanings) - 1,
        meaning.record.seat,
        call,
        hand,
        kind,
        brief_of(reading.meanings),
        gaps,
        "" if unmet is None else text_of(unmet),
        explainer.note(chosen, before) if chosen else None,
        _share(meaning),
        explained,
        () if explained is None else explained.broken_by(row),
        "" if unmet is None else _amount(unmet, row),
    )


def _amount(phrase: Phrase, row: tuple[int, ...]) -> str:
    """Return what a hand has of what is asked for; empty where that is no amount in words."""
    if not isinstance(phrase, Within) or not text_of(phrase).startswith((*digits, "at most ")):
        return ""
    subject = phrase.subject
    return f"{float(subject.scale * subject.count(row) + subject.offset):g}"


def _gaps(meaning: Meaning, hand: Hand) -> Iterator[Gap]:
    """Yield the bounds that a hand is outside of, those left out that an earlier call broke."""
    row = features_of(hand)
    known = set(facts_of(meaning.previous.possible)) if meaning.previous else set()
    for fact in facts_of(meaning.possible):
        if fact in known:
            continue
        ends = [BoundFact(fact.about, fact.low, None), BoundFact(fact.about, None, fact.high)]
        if fact.about == "balanced":
            ends = [fact]
        for end in ends:
            if (end.low, end.high) != (None, None) and not holds(claim_of(end).formula, row):
                yield Gap(end, _number(end.about, row, hand))


_SUITS = ("clubs", "diamonds", "hearts", "spades")


def _number(about: str, row: tuple[int, ...], hand: Hand) -> int | None:
    if about == "hcp":
        return hand.hcp
    if about == "points":
        return int(row[POINTS])
    return int(row[LENGTHS[_SUITS.index(about)]]) if about in _SUITS else None


# ------------------------------------------------------------------------ shares


@lru_cache(maxsize=1)
def _random_hands() -> NDArray[np.int16]:
    """Return features, int16 `[_HANDS, F]`, of hands drawn alike on every run."""
    order = np.random.default_rng(0).random((_HANDS, NUM_CARDS)).argsort(axis=1)
    held = np.zeros((_HANDS, NUM_CARDS), dtype=np.bool_)
    np.put_along_axis(held, order[:, :13], values=True, axis=1)
    return features(held)


def _share(meaning: Meaning) -> float | None:
    """Return how many of the hands that a player may hold make his call by the system."""
    hands = _random_hands()
    for turn in meaning.earlier:
        hands = hands[fitting(turn.steps, hands)]
    if len(hands) < _FEWEST:
        return None
    makes = [each.call == meaning.record.call for each in meaning.decision.instances]
    chosen = meaning.decision.choose_for(hands)
    return float(np.append(np.array(makes, dtype=np.bool_), False)[chosen].mean())


def conform(explanation: TableExplanation, meaning: Meaning) -> float | None:
    """Return how many of the hands that a call shows are as it was explained; None if unknown."""
    if explanation.condition is None or meaning.turn is None:
        return None
    hands = _random_hands()
    hands = hands[fitting(meaning.turn.steps, hands)]
    if len(hands) < _FEWEST:
        return None
    return float(holds_for(explanation.condition, hands).mean())


# ---------------------------------------------------------------------- sessions


@dataclass(frozen=True, slots=True)
class ReviewedSession:
    """Boards held against two systems.

    Attributes:
        systems: the titles of the systems of North-South and East-West.
        boards: those with an auction and a hand.
        skipped: how many have none.
    """

    systems: tuple[str, str]
    boards: tuple[HeldBoard, ...]
    skipped: int

    @property
    def judged(self) -> int:
        """Calls that were judged."""
        return sum(board.judged for board in self.boards)

    @property
    def counts(self) -> Counter[str]:
        """Findings by kind."""
        return Counter(finding.kind for board in self.boards for finding in board.findings)


def hold_session(explainer: Explainer, boards: Iterable[Board]) -> ReviewedSession:
    """Return boards held against two systems."""
    held = [hold(explainer, board) for board in boards]
    north_south, east_west = (rules.title for rules in explainer.reader.systems.values())
    kept = tuple(board for board in held if board is not None)
    return ReviewedSession((north_south, east_west), kept, len(held) - len(kept))
