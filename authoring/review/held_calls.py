"""Calls of played boards held against their promises: deviations, their size and frequency.

A call is as agreed if the system allows it with the hand, or if the hand has what some rule for the
call asks for and is within all that the call shows: that another call of the system comes first is
judged by nobody. If it is not, it is judgement as long as the hand is off by no more than the
latitude of the file (`DecisionList.latitude`, points); else it deviates. So it does where it is
three points or more outside of what the call is said to show: its usual meaning. Where an
explanation fits it, and no hand that all calls of its maker show together, it deviates from those,
though a rule has the call for it. What a call denies is what is left where other calls deny as
loosely as may be, and it deviates from that by three points or two cards: one card says only that
another call comes first. A pass deviates from nothing else.
What was explained at the table decides the kind of a deviation:

| kind | the hand and the system | the hand and the explanation |
|---|---|---|
| misexplained | as agreed | outside: the hand is the agreement, the explanation is not |
| undisclosed | outside | inside: the explanation fits, the disclosed system does not |
| misbid | outside | outside: the explanation is the agreement, the hand is not |
| departs | outside | nothing was explained, or nothing was understood |
| judgement | outside by no more than the latitude | |

A deviation is reported once, at the first call that shows it: what a player's later calls say of
the same thing is not held against him again, unless what was explained of them makes it graver.
Nor is a call that follows a deviation of partner's and was not explained: what it means
hangs on what partner's call means to the pair, and that is not what the file says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bidwright.authoring.review.shortfalls import (
    CARD,
    Gap,
    Key,
    Unmet,
    nearest,
    outside,
    shortfalls,
)
from bidwright.authoring.review.side_systems import ASSUMED, GIVEN, UNKNOWN, SideSystem
from bidwright.authoring.review.table_explanations import (
    TableExplanation,
    explanation_of,
    names_agreement,
)
from bidwright.bridge.auction import Auction
from bidwright.bridge.board import Board
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import NUM_CARDS, Seat, Side
from bidwright.bridge.hand import Hand
from bidwright.bridge.lin import BARE_ALERT
from bidwright.inference.explanation.explain import Explainer, claim_of
from bidwright.inference.explanation.in_short import Brief, brief_of
from bidwright.inference.explanation.model import RuleNote
from bidwright.inference.meaning import Meaning
from bidwright.inference.reading.reader import Reading
from bidwright.kb.logic.features import features, features_of
from bidwright.kb.logic.formula import holds, holds_for
from bidwright.kb.logic.latitude import stretched
from bidwright.kb.logic.public_state import PublicState
from bidwright.kb.rules.decision_list import fitting
from bidwright.kb.wording.words import facts_of

JUDGEMENT, DEVIATES, MISBID = "judgement", "departs", "misbid"
UNDISCLOSED, MISEXPLAINED = "undisclosed", "misexplained"
KINDS = (MISEXPLAINED, UNDISCLOSED, MISBID, DEVIATES, JUDGEMENT)
"""Kinds of findings, the gravest for a director first: misinformation, then deviations."""

_HANDS = 20_000
"""The number of random hands for estimates of shares: one per cent is off by a tenth of it."""

_MOST_CONFORM = 0.5
"""The least share of a call's hands that makes an explanation that of the call."""

_FEWEST = 100
"""Hands that must be left for a share to be said."""


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
        gaps: the bounds that the hand is outside of: those of the alternative of a rule for the
            call that it is nearest to, or what the call denies.
        unmet: what else that alternative asks for and the hand lacks.
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
    unmet: tuple[Unmet, ...]
    due: RuleNote | None
    share: float | None
    explained: TableExplanation | None
    broken: tuple[str, ...] = ()

    @property
    def _missing(self) -> tuple[Gap | Unmet, ...]:
        return (*self.gaps, *self.unmet)

    @property
    def size(self) -> float:
        """The distance of the hand from the conditions of the call, in points."""
        return sum(each.size for each in self._missing)

    @property
    def sizes(self) -> dict[Key, float]:
        """The broken promises with their sizes; findings of a player that share them are one."""
        # Without a size of its own a finding is that of the statements that do not hold.
        sizes = {each.key: float(each.size) for each in self._missing}
        return sizes or {("explained", text): 0.0 for text in self.broken}


@dataclass(frozen=True, slots=True)
class HeldCall:
    """A call held against the hand that made it.

    Attributes:
        hand: the hand.
        judged: whether something is agreed that the call can be held against.
        rule: the rule by which the hand makes the call; None if none does.
        finding: what is to be said of it; None if it is as agreed and as explained.
        due: the rule for another call that the system has for the hand, where there is no finding:
            the call is possible with latitude, but not what the system makes of the hand.
        repeats: the place of the call whose finding says it already; None if none does.
        follows: the place of partner's deviation if the call does not fit the file after it; None
            if it fits, or if partner did not deviate.
    """

    hand: Hand
    judged: bool
    rule: RuleNote | None
    finding: CallFinding | None
    due: RuleNote | None = None
    repeats: int | None = None
    follows: int | None = None


@dataclass(frozen=True, slots=True)
class HeldBoard:
    """A board held against the systems.

    Attributes:
        board: the board.
        auction: its auction.
        calls: those whose hand is known, by their place in the auction.
        unread: explanations of which nothing was understood.
        systems: the title of each side's system.
        disclosed: where each side's system is known from.
        not_judged: why no call of it is judged; empty if some are.
    """

    board: Board
    auction: Auction
    calls: Mapping[int, HeldCall]
    unread: tuple[TableExplanation, ...]
    systems: Mapping[Side, str]
    disclosed: Mapping[Side, SideSystem]
    not_judged: str = ""

    @property
    def judged(self) -> int:
        """The number of calls judged."""
        return sum(call.judged for call in self.calls.values())

    @property
    def findings(self) -> tuple[CallFinding, ...]:
        """The calls that are not as agreed or not as explained."""
        return tuple(call.finding for call in self.calls.values() if call.finding is not None)


def hold(
    explainer: Explainer, board: Board, disclosed: Mapping[Side, SideSystem] | None = None
) -> HeldBoard | None:
    """Return a board held against two systems; None if it has no auction or no hand.

    A board whose auction does not lead to its contract is not judged, and a side whose system is
    not known neither.

    Args:
        explainer: of the two systems.
        board: the board.
        disclosed: where the systems are known from; they were given if it is None.
    """
    hands = hands_of(board)
    if board.auction is None or not board.auction.calls or not hands:
        return None
    titles = {side: rules.title for side, rules in explainer.reader.systems.items()}
    sources = disclosed or {side: SideSystem(titles[side], GIVEN) for side in Side}
    auction = board.auction
    # An auction that leads to another contract was recorded wrongly: nobody made those calls.
    if board.leads_elsewhere:
        why = "the auction does not lead to the contract that is recorded"
        return HeldBoard(board, auction, {}, (), titles, sources, why)
    if all(sources[side].source == UNKNOWN for side in Side):
        why = "the systems that the file names are not known"
        return HeldBoard(board, auction, {}, (), titles, sources, why)
    reading = explainer.reader.start(auction.dealer, auction.vulnerability)
    calls: dict[int, HeldCall] = {}
    unread: list[TableExplanation] = []
    shown = {seat: _ShownDeviations({}) for seat in Seat}
    for place, call in enumerate(auction.calls):
        reading = reading.with_call(call)
        seat = auction.seat_of(place)
        hand = hands.get(seat)
        if hand is None or sources[seat.side].source == UNKNOWN:
            continue
        # A bare alert says that something is agreed, and not what.
        note = board.notes.get(place, "")
        explained = explanation_of(note, call) if note not in ("", BARE_ALERT) else None
        calls[place] = held = _reported_once(
            hold_call(explainer, reading, hand, explained), shown[seat], shown[seat.partner]
        )
        if held.judged and explained is not None and not _is_read(explained, reading.meanings[-1]):
            unread.append(explained)
    return HeldBoard(board, auction, calls, tuple(unread), titles, sources)


@dataclass(slots=True)
class _ShownDeviations:
    """Deviations from the system that the calls of a player have shown.

    Attributes:
        by_key: for each broken promise its size, the place of the call and the kind of finding.
        first: the place of the deviation that the player's or partner's calls began with, if any.
    """

    by_key: dict[Key, tuple[float, int, str]]
    first: int | None = None


def _reported_once(held: HeldCall, mine: _ShownDeviations, partners: _ShownDeviations) -> HeldCall:
    """Return a call without its finding if earlier ones say it or it follows one; note it."""
    finding = held.finding
    if finding is None:
        return held
    place, grave = finding.place, KINDS.index(finding.kind)
    # A pair that plays one convention otherwise was flagged up to five times on a board.
    if partners.first is not None and finding.kind in (DEVIATES, JUDGEMENT):
        mine.first = partners.first if mine.first is None else mine.first
        return replace(held, finding=None, follows=partners.first)
    sizes, shown = finding.sizes, mine.by_key
    # An earlier finding covers this one only if it is as large and at least as grave.
    before = [
        shown[key]
        for key, size in sizes.items()
        if key in shown and shown[key][0] >= size and KINDS.index(shown[key][2]) <= grave
    ]
    for key, size in sizes.items():
        if key not in shown or shown[key][0] < size:
            shown[key] = (size, place, finding.kind)
    for text in finding.broken:
        shown.setdefault(("explained", text), (0.0, place, finding.kind))
    if sizes and len(before) == len(sizes):
        return replace(held, finding=None, repeats=before[0][1])
    if mine.first is None and finding.kind in (DEVIATES, MISBID, UNDISCLOSED):
        mine.first = place
    return held


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
    row, before = features_of(hand), explainer.before(reading)
    allowed = meaning.decision.allowed(row)
    by_rule = next((each for each in allowed if each.call == meaning.record.call), None)
    rule = explainer.note(by_rule, before) if by_rule else None
    finding = _finding(explainer, reading, hand, explained) if judged else None
    # General rules are for auctions that the book forgot: a call that no hand makes by them is
    # nobody's agreement. Of 400 boards of another program 117 calls were flagged where 128 had
    # been.
    if finding is not None and explained is None and _is_unheard_of(meaning):
        judged, finding = False, None
    other = None
    # Possible with latitude, though the system has another call for the hand: no finding, but said.
    if judged and finding is None and by_rule is None:
        other = meaning.decision.choose(row)
    due = explainer.note(other, before) if other else None
    return HeldCall(hand, judged, rule, finding, due)


def hands_of(board: Board) -> Mapping[Seat, Hand]:
    """Return the hands that are recorded on a board."""
    hands = board.deal.hands if board.deal else ()
    return {seat: hand for seat, hand in zip(Seat, hands, strict=False) if hand}


def _finding(
    explainer: Explainer, reading: Reading, hand: Hand, explained: TableExplanation | None
) -> CallFinding | None:
    """Return the finding on the last call; None if it is as agreed and as explained."""
    meaning, row = reading.meanings[-1], features_of(hand)
    call, decision = meaning.record.call, meaning.decision
    before = explainer.before(reading)
    # A rule that may make the call with the hand is enough: the order of rules is judged by nobody.
    allowed = any(each.call == call for each in decision.allowed(row))
    deviation = _AS_AGREED if allowed else _deviation(explainer, meaning, before, hand)
    # A rule has the call, but its maker has shown otherwise before: where just that was explained,
    # the pair plays it and has not disclosed it.
    if deviation.kind in ("", JUDGEMENT):
        deviation = _habit(meaning, explained, row, hand) or deviation
    as_explained = _as_explained(meaning, explained, row, agreed=deviation.kind == "")
    if deviation.kind == "" and as_explained is not False:
        return None
    if deviation.kind == "":
        kind = MISEXPLAINED
    elif deviation.kind == JUDGEMENT:
        kind = JUDGEMENT
    else:
        kind = {None: DEVIATES, True: UNDISCLOSED, False: MISBID}[as_explained]
    chosen = None if deviation.kind == "" else decision.choose(row)
    return CallFinding(
        len(reading.meanings) - 1,
        meaning.record.seat,
        call,
        hand,
        kind,
        brief_of(reading.meanings),
        deviation.gaps,
        deviation.unmet,
        explainer.note(chosen, before) if chosen else None,
        _share(meaning),
        explained,
        () if explained is None else explained.broken_by(row),
    )


@dataclass(frozen=True, slots=True)
class _Deviation:
    """The fit of a hand to a call: an empty kind, `JUDGEMENT` or `DEVIATES`, with the gaps."""

    kind: str
    gaps: tuple[Gap, ...] = ()
    unmet: tuple[Unmet, ...] = ()


_AS_AGREED = _Deviation("")

_ANOTHER_COMES_FIRST = CARD
"""The most points outside of a denied length that are no deviation: one card more says only that
another call of the system comes first."""


def _deviation(
    explainer: Explainer, meaning: Meaning, before: PublicState, hand: Hand
) -> _Deviation:
    """Return the fit of a hand to a call that the system does not choose with it."""
    row, call = features_of(hand), meaning.record.call
    steps = meaning.decision.possible_steps(call, has_bid=meaning.has_bid_before, lenient=True)
    within = any(step.fits and holds(step.formula, row) for step in steps)
    # A pass has no condition of its own: only what it denies for certain can be broken.
    if within or call == Call.PASS:
        shown = set(facts_of(meaning.previous.possible)) if meaning.previous else set()
        # What an earlier call showed is not held against this one again.
        denied = (fact for fact in facts_of(meaning.most_lenient) if fact not in shown)
        gaps = tuple(outside(denied, row, hand))
        if max((gap.size for gap in gaps), default=0) <= _ANOTHER_COMES_FIRST:
            gaps = tuple(gap for gap in gaps if gap.points_off >= CARD)
        # Three points outside of what the call usually shows: with the latitude of every rule
        # together a hand could be nowhere near any of them.
        if not gaps and call != Call.PASS:
            usual = (fact for fact in facts_of(meaning.bounds) if fact not in shown)
            gaps = tuple(gap for gap in outside(usual, row, hand) if gap.points_off >= CARD)
        if gaps:
            return _Deviation(DEVIATES, gaps)
        if call == Call.PASS:
            return _AS_AGREED
    # The nearest alternative is named: its gap is the one that a director can judge.
    rules = [each for each in meaning.decision.with_latitude().applicable if each.call == call]
    # All rules for the call, displaced ones too: the hand may have followed the `may` rule.
    lacking = nearest([explainer.note(each, before).needs for each in rules], row)
    if not lacking:
        return _AS_AGREED
    gaps, unmet = shortfalls(lacking, row, hand)
    return _Deviation(JUDGEMENT if within else DEVIATES, gaps, unmet)


def _habit(
    meaning: Meaning, explained: TableExplanation | None, row: tuple[int, ...], hand: Hand
) -> _Deviation | None:
    """Return the deviation of a hand as explained from all that the calls of its maker show.

    A rule may have a call for a hand that is too strong or too weak for what its maker showed
    before. Where just that was explained, the pair plays it, and has not disclosed it: no hand that
    is within all that was shown is as explained.
    """
    # A text that was cut off may have said more, so it neither accuses nor excuses.
    if explained is None or explained.condition is None or explained.is_cut:
        return None
    if not holds(explained.condition, row):
        return None
    facts = facts_of(meaning.bounds)
    gaps = tuple(gap for gap in outside(facts, row, hand) if gap.size >= CARD)
    if not gaps:
        return None
    hands = _random_hands()
    for fact in facts:
        hands = hands[holds_for(claim_of(fact).formula, hands)]
    if len(hands) < _FEWEST or holds_for(explained.condition, hands).any():
        return None
    return _Deviation(DEVIATES, gaps)


def _as_explained(
    meaning: Meaning, explained: TableExplanation | None, row: tuple[int, ...], *, agreed: bool
) -> bool | None:
    """Return True if a hand is as explained; None if nothing was, or nothing was understood.

    Of an explanation that was cut off nobody knows that a hand is as it says.

    A hand that is as agreed, and off the explanation by no more than the latitude of the file, is
    as explained if most hands that the call shows are: then it is the agreement that was explained.
    """
    if explained is None:
        return None
    if explained.condition is None:
        return agreed if names_agreement(explained, meaning) else None
    if holds(explained.condition, row):
        return None if explained.is_cut and not agreed else True
    latitude = meaning.decision.latitude
    near = agreed and holds(stretched(explained.condition, latitude), row)
    return near and (conform(explained, meaning) or 0.0) >= _MOST_CONFORM


_NOT_BELIEVED = ("denials", "promises")
"""The parts of a call that may be dropped (`Meaning.relaxed`), so that it fits the calls before."""


def _is_unheard_of(meaning: Meaning) -> bool:
    """Return True if no hand that its maker may hold makes a call, and so nobody agreed on it.

    So it is where what the call shows cannot be true with what its maker showed before. So it is,
    too, where only general rules have the call, which are for auctions of which the book says
    nothing, and they would never make it themselves.
    """
    call = meaning.record.call
    if meaning.relaxed in _NOT_BELIEVED:
        return True
    general = [
        rule.rule.pattern.open and not rule.rule.pattern.elements
        for rule in meaning.decision.with_latitude().applicable
        if rule.call == call
    ]
    return call != Call.PASS and all(general) and _share(meaning) == 0.0


# ------------------------------------------------------------------------ shares


@lru_cache(maxsize=1)
def _random_hands() -> NDArray[np.int16]:
    """Return features, int16 `[_HANDS, F]`, of hands drawn alike on every run."""
    # Sorting random numbers shuffles all hands at once.
    order = np.random.default_rng(0).random((_HANDS, NUM_CARDS)).argsort(axis=1)
    held = np.zeros((_HANDS, NUM_CARDS), dtype=np.bool_)
    np.put_along_axis(held, order[:, :13], values=True, axis=1)
    return features(held)


def _share(meaning: Meaning) -> float | None:
    """Return the share of a player's possible hands with his call as the system's choice."""
    hands = _random_hands()
    for turn in meaning.earlier:
        hands = hands[fitting(turn.steps, hands)]
    if len(hands) < _FEWEST:
        return None
    makes = [each.call == meaning.record.call for each in meaning.decision.instances]
    chosen = meaning.decision.choose_for(hands)
    # The entry at the end is for -1, a hand that no rule fits.
    return float(np.append(np.array(makes, dtype=np.bool_), False)[chosen].mean())


def conform(explanation: TableExplanation, meaning: Meaning) -> float | None:
    """Return the share of the hands shown by a call that are as explained; None if unknown."""
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
    """Boards held against the disclosed systems.

    Attributes:
        boards: those with an auction and a hand.
        skipped: the number without.
    """

    boards: tuple[HeldBoard, ...]
    skipped: int

    @property
    def systems(self) -> tuple[str, str]:
        """The titles of the systems of North-South and East-West, with where they are from."""
        north_south, east_west = (
            ", ".join(dict.fromkeys(system_text(board, side) for board in self.boards))
            for side in (Side.NS, Side.EW)
        )
        return north_south, east_west

    @property
    def is_assumed(self) -> bool:
        """True if the system of some side was neither given nor named in the file."""
        sources = (each.source for board in self.boards for each in board.disclosed.values())
        return ASSUMED in sources

    @property
    def judged(self) -> int:
        """Calls that were judged."""
        return sum(board.judged for board in self.boards)

    @property
    def not_judged(self) -> int:
        """The number of boards with an auction and hands but no call that is judged."""
        return sum(bool(board.not_judged) for board in self.boards)

    @property
    def counts(self) -> Counter[str]:
        """Findings by kind."""
        return Counter(finding.kind for board in self.boards for finding in board.findings)

    @property
    def flagged(self) -> int:
        """Calls that misinform or deviate: all findings but judgement."""
        return self.counts.total() - self.counts[JUDGEMENT]


def system_text(board: HeldBoard, side: Side) -> str:
    """Return the title of a side's system, with where it is known from if it was not given."""
    disclosed = board.disclosed[side]
    if disclosed.source == UNKNOWN:
        return f'"{disclosed.named}", which is not known here'
    title = board.systems[side]
    return f"{title} ({disclosed.remark})" if disclosed.remark else title


Table = Callable[[Board], tuple[Explainer, Mapping[Side, SideSystem] | None]]
"""The readers that explain the calls of a board, and where its systems are known from."""


def hold_session(
    explainer: Explainer | Table,
    boards: Iterable[Board],
    show: Callable[[int], object] = lambda done: None,
) -> ReviewedSession:
    """Return boards held against two systems.

    Args:
        explainer: of the two systems, which were given; or what tells it of a board.
        boards: the boards.
        show: is called with the number of boards that are done.
    """
    held = []
    for done, board in enumerate(boards, start=1):
        reader, disclosed = (
            (explainer, None) if isinstance(explainer, Explainer) else explainer(board)
        )
        held.append(hold(reader, board, disclosed))
        show(done)
    judged = tuple(board for board in held if board is not None)
    return ReviewedSession(judged, len(held) - len(judged))
