"""Inference from calls about the four hands of a deal, which share one deck."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bidwright.bridge.cards import Card, Seat
from bidwright.bridge.hand import Hand
from bidwright.inference.engine.hand_engine import HandEngine
from bidwright.inference.engine.hull import Array, Hull, common, ranges_of, settle, to_bounds
from bidwright.inference.engine.known_cards import PLAYERS, Key, Known, bounds_of, with_cards
from bidwright.inference.engine.reasons import Claim, Ground, conflict, why
from bidwright.inference.engine.solver import Timeout
from bidwright.inference.engine.statements import Turn
from bidwright.inference.engine.witnesses import KeptHands, random_deals
from bidwright.inference.engine.workspace import HAND, MadeCall, Workspace
from bidwright.kb.logic.bounds import Bounds
from bidwright.kb.logic.formula import Formula

_ANSWERS = 1024
"""Answers that an engine keeps."""


@dataclass(frozen=True, slots=True)
class DealBounds:
    """The bounds of the four hands.

    Attributes:
        seats: the bounds of each seat.
        exact: whether they are the exact bounds over all consistent deals; if not, time ran out
            and they are what each player's calls say of his hand alone, which is less.
    """

    seats: Mapping[Seat, Bounds]
    exact: bool

    def __getitem__(self, seat: Seat) -> Bounds:
        """Return the bounds of a seat."""
        return self.seats[seat]


@dataclass(frozen=True, slots=True)
class _Answer:
    """Bounds, with deals that show that they are attained.

    Attributes:
        bounds: the bounds.
        deals: int16 `[B, P, 24]`, holdings of the hidden hands in some consistent deals.
    """

    bounds: DealBounds
    deals: Array | None


class DealEngine:
    """Infers from calls the bounds of the four hands of a deal, given cards that are known.

    The program inside grows with the calls of an auction; use one engine for an auction, or for
    several that are short. Calls of a player whose whole hand is known say nothing more and are
    left out.
    """

    def __init__(self, hands: HandEngine | None = None, limit: int = 3000) -> None:
        """Make an engine.

        Args:
            hands: the engine for what calls show of one hand; may be shared.
            limit: rules or facts after which a program is replaced by a fresh one.
        """
        self._hands = hands or HandEngine()
        self._workspace = Workspace((*HAND, "deal", "report"), "", limit)
        self._answers: dict[tuple[tuple[Turn, ...], Key], _Answer | None] = {}

    def bounds(
        self,
        turns: Sequence[Turn],
        hands: Mapping[Seat, Hand] | None = None,
        cards: Mapping[Seat, Iterable[Card]] | None = None,
        deadline: float | None = None,
    ) -> DealBounds | None:
        """Return the bounds of every hand over all consistent deals; None if there is none.

        Args:
            turns: the calls.
            hands: hands that are known.
            cards: single cards known to be in a hand.
            deadline: `time.monotonic()` value after which each hand is bounded by its own
                calls instead.
        """
        visible = Known.of(hands, cards)
        key = (tuple(turns), visible.key)
        if key not in self._answers:
            answer = self._answer(turns, visible, deadline)
            # An answer cut short by the clock is not kept: with more time it would be better.
            if answer is not None and not answer.bounds.exact:
                return answer.bounds
            if len(self._answers) >= _ANSWERS:
                self._answers.clear()
            self._answers[key] = answer
        stored = self._answers[key]
        return None if stored is None else stored.bounds

    def _answer(
        self, turns: Sequence[Turn], known: Known, deadline: float | None
    ) -> _Answer | None:
        # The last call by a hand that is seen tells nothing new of the deal.
        before = self._answers.get((tuple(turns[:-1]), known.key))
        if before is not None and turns[-1].seat in known.hands:
            return before
        alone = self._alone(turns, known)
        calls = self._made(turns, known)
        if alone is None or calls is None:
            return None
        hidden = known.hidden
        if not hidden:
            return _Answer(DealBounds(alone, exact=True), None)
        assumed, _ = self._workspace.assume_calls(calls)
        outer = {seat: [ranges_of(alone[seat])] for seat in hidden}
        if before is not None and before.deals is not None:
            for seat in hidden:
                outer[seat].append(ranges_of(before.bounds[seat]))
            # Only the last call is new: the deals known before fit all the others.
            last = PLAYERS[turns[-1].seat]
            new = [statement for player, statement in calls if player == last][-1]
            seen = _fitting(before.deals, hidden, [(last, new)])
        # Random deals are witnesses as good as any where no single card is known.
        elif not known.cards:
            seen = _fitting(random_deals(len(hidden), known.elsewhere(hidden[0])), hidden, calls)
        else:
            # Deals with given cards would have to be drawn for each question.
            seen = None
        assumed += self._workspace.assume(known.atoms())
        scales = [self._workspace.steps(PLAYERS[seat]) for seat in hidden]
        hull = Hull(scales, [to_bounds(*common(outer[seat])) for seat in hidden], seen)
        try:
            # No model at all: the calls and the known cards contradict each other.
            if not settle(hull, self._workspace.program, assumed, deadline):
                return None
        except Timeout:
            return _Answer(DealBounds(alone, exact=False), None)
        bounds = {**alone, **dict(zip(hidden, hull.bounds(), strict=True))}
        return _Answer(DealBounds(bounds, exact=True), hull.hands)

    def consistent(
        self,
        turns: Sequence[Turn],
        hands: Mapping[Seat, Hand] | None = None,
        cards: Mapping[Seat, Iterable[Card]] | None = None,
    ) -> bool:
        """Return True if some deal is consistent with all turns and known cards."""
        visible = Known.of(hands, cards)
        calls = self._made(turns, visible)
        if calls is None:
            return False
        assumed, _ = self._workspace.assume_calls(calls)
        return self._workspace.program.satisfiable(
            assumed + self._workspace.assume(visible.atoms())
        )

    def possible(
        self,
        turns: Sequence[Turn],
        seat: Seat,
        formula: Formula,
        hands: Mapping[Seat, Hand] | None = None,
        cards: Mapping[Seat, Iterable[Card]] | None = None,
    ) -> bool:
        """Return True if a seat's hand satisfies a formula in some consistent deal."""
        visible = Known.of(hands, cards)
        calls = self._made(turns, visible)
        if calls is None:
            return False
        assumed, queried = self._workspace.assume_calls(calls, [(PLAYERS[seat], formula)])
        given = self._workspace.assume(visible.atoms())
        return self._workspace.program.satisfiable(assumed + queried + given)

    def why(
        self,
        turns: Sequence[Turn],
        seat: Seat,
        claim: Claim | Formula,
        hands: Mapping[Seat, Hand] | None = None,
        cards: Mapping[Seat, Iterable[Card]] | None = None,
    ) -> list[Ground] | None:
        """Return an irreducible set of grounds for a claim about a seat's hand.

        The known cards and the one deck are taken for granted. None if the claim does not follow.
        """
        visible = Known.of(hands, cards)
        calls = _calls(turns, visible)
        return why(self._workspace, turns, calls, PLAYERS[seat], claim, visible.atoms())

    def conflict(
        self,
        turns: Sequence[Turn],
        hands: Mapping[Seat, Hand] | None = None,
        cards: Mapping[Seat, Iterable[Card]] | None = None,
    ) -> tuple[int, ...]:
        """Return a minimal set of places of turns that contradict each other or the known cards.

        It is empty if they do not, and if the known cards contradict each other.
        """
        visible = Known.of(hands, cards)
        return conflict(self._workspace, _calls(turns, visible), visible.atoms())

    def _alone(self, turns: Sequence[Turn], known: Known) -> dict[Seat, Bounds] | None:
        """Return the bounds of each hand from its own calls and the known cards."""
        alone: dict[Seat, Bounds] = {}
        for seat in Seat:
            hand = known.hands.get(seat)
            if hand is not None:
                alone[seat] = bounds_of(hand)
                continue
            # Each hand by itself first: that is quick, and the program needs to search within it
            # only.
            bounds = self._hands.bounds([turn for turn in turns if turn.seat == seat])
            if bounds is None:
                return None
            alone[seat] = with_cards(bounds, known.held(seat), known.elsewhere(seat))
        return alone

    def _made(self, turns: Sequence[Turn], known: Known) -> list[MadeCall] | None:
        """Return the statements of the hidden hands' calls; None if one hand's are inconsistent."""
        calls: list[MadeCall] = []
        for seat in known.hidden:
            statements = self._hands.statements([turn for turn in turns if turn.seat == seat])
            if statements is None:
                return None
            calls += [(PLAYERS[seat], statement) for statement in statements]
        return calls


def _fitting(deals: Array, hidden: Sequence[Seat], made: Iterable[MadeCall]) -> Array:
    """Return the deals, holdings `[B, P, 24]` of the hidden hands, that fit calls."""
    calls = list(made)
    for place, seat in enumerate(hidden):
        statements = [statement for player, statement in calls if player == PLAYERS[seat]]
        if statements and len(deals):
            pool = KeptHands.of_holdings(deals[:, place])
            deals = deals[pool.places(pool.fitting(*statements))]
    return deals


def _calls(turns: Sequence[Turn], known: Known) -> dict[int, MadeCall]:
    """Return the statement of each call of a hidden hand by itself, by place."""
    return {
        place: (PLAYERS[turn.seat], turn.statement)
        for place, turn in enumerate(turns)
        if turn.seat not in known.hands
    }
