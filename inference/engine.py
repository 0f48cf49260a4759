"""What hands are consistent with calls: bounds, reasons and conflicts, for one hand or a deal."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bidwright.bridge.cards import Card, Seat
from bidwright.bridge.hand import Hand
from bidwright.inference.boxes import merged, volume
from bidwright.inference.decode import decode
from bidwright.inference.known import (
    PLAYERS,
    Atom,
    Key,
    Known,
    atoms_of_shape,
    atoms_within,
    bounds_of,
    hand_of,
    with_cards,
)
from bidwright.inference.reasons import Claim, Ground, grounds, minimal_core
from bidwright.inference.solve import Timeout
from bidwright.inference.statements import Box, Statement, Turn, state
from bidwright.inference.workspace import Arguing, Deciding, Made
from bidwright.inference.workspace import Ground as Assumed
from bidwright.kb.bounds import ANYTHING as ANY_HAND
from bidwright.kb.bounds import Bounds
from bidwright.kb.formula import Clause, Formula, Literal

__all__ = ["Claim", "DealBounds", "DealEngine", "Ground", "HandEngine", "Turn"]

_HAND = ("hand", "points", "features")
_SOMEONE = "x"

_MOST_CASES = 16
"""Selections of rules that are told apart before boxes are merged."""

_MOST_QUERIES = 32
"""Queries spent on telling apart the cases of conditions."""

_ANSWERS = 1024
"""Answers that a deal engine keeps."""

_WORTHWHILE = 0.75
"""Each case of a condition must be smaller than the whole by this factor."""


class HandEngine:
    """What calls say about the hand of the player who made them, apart from the other hands.

    One engine serves every seat and many auctions: all turns of a query are calls by one player,
    whoever that is. The program inside grows with new turns and is dropped when it is large.
    """

    def __init__(self, limit: int = 800, memory: int = 65536) -> None:
        """Make an engine.

        Args:
            limit: rules or facts after which a program is replaced by a fresh one.
            memory: number of answers of `bounds` that are kept.
        """
        base = f"player({_SOMEONE})."
        self._deciding = Deciding((*_HAND, "report"), base, limit)
        self._arguing = Arguing((*_HAND, "tests", "reasons"), base, limit)
        self._cached_bounds = lru_cache(maxsize=memory)(self._bounds)
        self._cached_boxes = lru_cache(maxsize=memory // 16)(self._boxes)

    def bounds(self, turns: Sequence[Turn]) -> Bounds | None:
        """Return the exact bounds of the hands consistent with all turns; None if there is none."""
        return self._cached_bounds(tuple(turns))

    def statements(self, turns: Sequence[Turn]) -> list[Statement] | None:
        """Return what each turn says beyond those before it; None if nothing is consistent."""
        statements: list[Statement] = []
        for place, turn in enumerate(turns):
            before = self.bounds(turns[:place])
            if before is None:
                return None
            statement = state(turn, Box.around(before))
            if not statement:
                return None
            statements.append(statement)
        return statements

    def consistent(self, turns: Sequence[Turn]) -> bool:
        """Tell whether some hand is consistent with all turns."""
        return self.possible(turns, ())

    def possible(self, turns: Sequence[Turn], formula: Formula) -> bool:
        """Tell whether some hand consistent with all turns satisfies a formula."""
        statements = self.statements(turns)
        if statements is None:
            return False
        made, asked = self._deciding.tell(_by_someone(statements), [(_SOMEONE, formula)])
        return self._deciding.program.satisfiable(made + asked)

    def example(self, turns: Sequence[Turn], formula: Formula = ()) -> Hand | None:
        """Return a hand consistent with all turns that satisfies a formula; None if there is none.

        It is some hand, not a typical one; its spot cards are the highest.
        """
        statements = self.statements(turns)
        if statements is None:
            return None
        made, asked = self._deciding.tell(_by_someone(statements), [(_SOMEONE, formula)])
        atoms = list(atoms_of_shape(_SOMEONE))
        literals = self._deciding.assume((atom, True) for atom in atoms)
        values = self._deciding.program.model(made + asked, literals)
        if values is None:
            return None
        return hand_of(atom for atom, value in zip(atoms, values, strict=True) if value)

    def why(self, turns: Sequence[Turn], claim: Claim | Formula) -> list[Ground] | None:
        """Return an irreducible set of grounds from which a claim follows; None if it does not.

        No ground of the set can be left out. The list is empty if every hand is as claimed. Calls
        that no rule makes give no grounds.
        """
        return _why(self._arguing, turns, _calls(turns), _SOMEONE, claim, ())

    def conflict(self, turns: Sequence[Turn]) -> tuple[int, ...]:
        """Return a minimal set of places of turns that contradict; empty if they do not."""
        return _conflict(self._deciding, _calls(turns), ())

    def boxes(self, turns: Sequence[Turn], limit: int = 8) -> tuple[Bounds, ...]:
        """Return at most `limit` boxes that together hold every consistent hand.

        There is a box for each selection of the rules that the calls can have been made by, and
        for each case of a rule's condition where that makes the boxes clearly smaller. There is
        none if nothing is consistent.
        """
        return self._cached_boxes(tuple(turns), limit)

    def _boxes(self, turns: tuple[Turn, ...], limit: int) -> tuple[Bounds, ...]:
        whole = self.bounds(turns)
        statements = self.statements(turns)
        if statements is None or whole is None:
            return ()
        clauses = {
            clause: None
            for statement in statements
            for alternative in statement
            for clause in alternative.formula
            if len(clause) > 1
        }
        literals = list(dict.fromkeys(literal for clause in clauses for literal in clause))
        made, asked = self._deciding.tell(
            _by_someone(statements), [(_SOMEONE, ((literal,),)) for literal in literals]
        )
        by_rule = self._cases_by_rule(_Case(tuple(made), whole, ()), statements)
        atoms = dict(zip(literals, asked, strict=True))
        return merged(self._split(by_rule, atoms, limit), limit)

    def rules_meant(self, turns: Sequence[Turn]) -> tuple[tuple[int, ...], frozenset[int]]:
        """Return by which rules the last call can have been made, and which of them matter.

        Returns:
            The indices of the rules in the last turn's decision, in the order of choice, and of
            those that some hand fits which no other rule covers: firm rules are tried before
            optional ones, and earlier before later ones.
        """
        statements = self.statements(turns)
        if not statements:
            return (), frozenset()
        made, _ = self._deciding.tell(_by_someone(statements))
        last = statements[-1]
        if len(last) == 1:
            only = (last[0].index,) if self._deciding.program.satisfiable(made) else ()
            return only, frozenset(only)
        meant = {each.index: self._deciding.meant(_SOMEONE, last, each.index) for each in last}
        can_hold = self._deciding.program.satisfiable
        live = tuple(index for index, literal in meant.items() if can_hold([*made, literal]))
        instances = turns[-1].decision.instances
        covered: list[int] = []
        needed: list[int] = []
        for index in sorted(live, key=lambda index: (instances[index].optional, index)):
            if can_hold([*made, meant[index], *covered]):
                needed.append(index)
                covered.append(-meant[index])
        return live, frozenset(needed)

    def _bounds(self, turns: tuple[Turn, ...]) -> Bounds | None:
        statements = self.statements(turns)
        if statements is None:
            return None
        made, _ = self._deciding.tell(_by_someone(statements))
        before = self.bounds(turns[:-1]) if turns else None
        return self._decide(made, before or ANY_HAND)

    def _decide(self, assumptions: Sequence[int], outer: Bounds) -> Bounds | None:
        """Return the bounds of the hands for which literals hold, known to lie within others."""
        hints = self._deciding.assume(atoms_within(_SOMEONE, outer))
        report = self._deciding.program.brave([*assumptions, *hints])
        return None if report is None else decode(report, (_SOMEONE,))[_SOMEONE]

    def _part(self, case: _Case, literal: int, clauses: tuple[Clause, ...]) -> list[_Case]:
        """Return the part of a case where a literal holds, as a list of one or none."""
        assumed = (*case.assumed, literal)
        bounds = self._decide(assumed, case.bounds)
        return [] if bounds is None else [_Case(assumed, bounds, clauses)]

    def _cases_by_rule(self, whole: _Case, statements: Iterable[Statement]) -> list[_Case]:
        """Return a case for each selection of the rules meant, as far as there are not too many."""
        cases = [whole]
        for statement in statements:
            if len(statement) > 1 and len(cases) * len(statement) > _MOST_CASES:
                continue
            cases = [
                part
                for case in cases
                for alternative in statement
                for part in self._part_by_rule(case, statement, alternative.index)
            ]
        return cases

    def _part_by_rule(self, case: _Case, statement: Statement, index: int) -> list[_Case]:
        formula = next(one.formula for one in statement if one.index == index)
        clauses = (*case.clauses, *(clause for clause in formula if len(clause) > 1))
        if len(statement) == 1:
            return [_Case(case.assumed, case.bounds, clauses)]
        return self._part(case, self._deciding.meant(_SOMEONE, statement, index), clauses)

    def _split(
        self, cases: Sequence[_Case], atoms: Mapping[Literal, int], limit: int
    ) -> Iterator[Bounds]:
        """Yield the boxes of the cases, or of the cases of a condition where they are smaller."""
        waiting = deque(cases)
        finished = 0
        queries = _MOST_QUERIES
        while waiting:
            case = waiting.popleft()
            room = limit - finished - len(waiting)
            parts: list[_Case] = []
            for place, clause in enumerate(case.clauses):
                open_literals = Box.around(case.bounds).reduce((clause,))
                if not open_literals or not 1 < len(clause) <= min(room, queries):
                    continue
                rest = case.clauses[place + 1 :]
                queries -= len(clause)
                parts = [part for one in clause for part in self._part(case, atoms[one], rest)]
                most = _WORTHWHILE * volume(case.bounds)
                if parts and all(volume(part.bounds) <= most for part in parts):
                    break
                parts = []
            if parts:
                waiting.extend(parts)
            else:
                finished += 1
                yield case.bounds


@dataclass(frozen=True, slots=True)
class _Case:
    """Some of the consistent hands.

    Attributes:
        assumed: solver literals that hold for them.
        bounds: their bounds.
        clauses: conditions of several literals that they satisfy.
    """

    assumed: tuple[int, ...]
    bounds: Bounds
    clauses: tuple[Clause, ...]


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


class DealEngine:
    """What calls say about the four hands of a deal, given cards that are known.

    The program inside grows with the calls of an auction; use one engine for an auction, or for
    several that are short. Calls of a player whose whole hand is known say nothing more and are
    left out.
    """

    def __init__(self, hands: HandEngine | None = None, limit: int = 3000) -> None:
        """Make an engine.

        Args:
            hands: the engine asked for what calls say of one hand; may be shared.
            limit: rules or facts after which a program is replaced by a fresh one.
        """
        self._hands = hands or HandEngine()
        self._deciding = Deciding((*_HAND, "deal", "report"), "", limit)
        self._arguing = Arguing((*_HAND, "deal", "tests", "reasons"), "", limit)
        self._answers: dict[tuple[tuple[Turn, ...], Key], DealBounds | None] = {}

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
        known = Known.of(hands, cards)
        key = (tuple(turns), known.key)
        if key not in self._answers:
            answer = self._answer(turns, known, deadline)
            if answer is not None and not answer.exact:
                return answer
            if len(self._answers) >= _ANSWERS:
                self._answers.clear()
            self._answers[key] = answer
        return self._answers[key]

    def _answer(
        self, turns: Sequence[Turn], known: Known, deadline: float | None
    ) -> DealBounds | None:
        alone = self._alone(turns, known)
        made = self._made(turns, known)
        if alone is None or made is None:
            return None
        assumed, _ = self._deciding.tell(made)
        before = self._answers.get((tuple(turns[:-1]), known.key))
        outer = [alone] if before is None else [alone, before.seats]
        hints = [
            atom
            for bounds in outer
            for seat in known.hidden
            for atom in atoms_within(PLAYERS[seat], bounds[seat])
        ]
        assumed += self._deciding.assume([*known.atoms(), *hints])
        try:
            report = self._deciding.program.brave(assumed, deadline)
        except Timeout:
            return DealBounds(alone, exact=False)
        if report is None:
            return None
        found = decode(report, tuple(PLAYERS.values()))
        return DealBounds({seat: found[player] for seat, player in PLAYERS.items()}, exact=True)

    def consistent(
        self,
        turns: Sequence[Turn],
        hands: Mapping[Seat, Hand] | None = None,
        cards: Mapping[Seat, Iterable[Card]] | None = None,
    ) -> bool:
        """Tell whether some deal is consistent with all turns and known cards."""
        known = Known.of(hands, cards)
        made = self._made(turns, known)
        if made is None:
            return False
        assumed, _ = self._deciding.tell(made)
        return self._deciding.program.satisfiable(assumed + self._deciding.assume(known.atoms()))

    def possible(
        self,
        turns: Sequence[Turn],
        seat: Seat,
        formula: Formula,
        hands: Mapping[Seat, Hand] | None = None,
        cards: Mapping[Seat, Iterable[Card]] | None = None,
    ) -> bool:
        """Tell whether in some consistent deal a seat's hand satisfies a formula."""
        known = Known.of(hands, cards)
        made = self._made(turns, known)
        if made is None:
            return False
        assumed, asked = self._deciding.tell(made, [(PLAYERS[seat], formula)])
        given = self._deciding.assume(known.atoms())
        return self._deciding.program.satisfiable(assumed + asked + given)

    def why(
        self,
        turns: Sequence[Turn],
        seat: Seat,
        claim: Claim | Formula,
        hands: Mapping[Seat, Hand] | None = None,
        cards: Mapping[Seat, Iterable[Card]] | None = None,
    ) -> list[Ground] | None:
        """Return an irreducible set of grounds from which a claim about a seat's hand follows.

        The known cards and the one deck are taken for granted. None if the claim does not follow.
        """
        known = Known.of(hands, cards)
        calls = _calls(turns, known)
        return _why(self._arguing, turns, calls, PLAYERS[seat], claim, known.atoms())

    def conflict(
        self,
        turns: Sequence[Turn],
        hands: Mapping[Seat, Hand] | None = None,
        cards: Mapping[Seat, Iterable[Card]] | None = None,
    ) -> tuple[int, ...]:
        """Return a minimal set of places of turns that contradict each other or the known cards.

        It is empty if they do not, and if the known cards contradict each other.
        """
        known = Known.of(hands, cards)
        return _conflict(self._deciding, _calls(turns, known), known.atoms())

    def _alone(self, turns: Sequence[Turn], known: Known) -> dict[Seat, Bounds] | None:
        """Return the bounds of each hand from its own calls and the known cards."""
        alone: dict[Seat, Bounds] = {}
        for seat in Seat:
            hand = known.hands.get(seat)
            if hand is not None:
                alone[seat] = bounds_of(hand)
                continue
            bounds = self._hands.bounds([turn for turn in turns if turn.seat == seat])
            if bounds is None:
                return None
            alone[seat] = with_cards(bounds, known.held(seat), known.elsewhere(seat))
        return alone

    def _made(self, turns: Sequence[Turn], known: Known) -> list[Made] | None:
        """Return what the calls of hidden hands say; None if one hand's are inconsistent."""
        made: list[Made] = []
        for seat in known.hidden:
            statements = self._hands.statements([turn for turn in turns if turn.seat == seat])
            if statements is None:
                return None
            made += [(PLAYERS[seat], statement) for statement in statements]
        return made


def _by_someone(statements: Iterable[Statement]) -> list[Made]:
    return [(_SOMEONE, statement) for statement in statements]


def _calls(turns: Sequence[Turn], known: Known | None = None) -> dict[int, Made]:
    """Return what each call says by itself, by place; only calls of hidden hands in a deal."""
    if known is None:
        return {place: (_SOMEONE, turn.statement) for place, turn in enumerate(turns)}
    return {
        place: (PLAYERS[turn.seat], turn.statement)
        for place, turn in enumerate(turns)
        if turn.seat not in known.hands
    }


def _conflict(
    workspace: Deciding, calls: Mapping[int, Made], given: Iterable[Atom]
) -> tuple[int, ...]:
    """Return places of calls that contradict each other and what is given; empty if none do."""
    for place, (_, statement) in calls.items():
        if not statement:
            return (place,)
    made, _ = workspace.tell(calls.values())
    core = minimal_core(workspace.program, workspace.assume(given), [made])
    places: dict[int, int] = {}
    for literal, place in zip(made, calls, strict=True):
        places.setdefault(literal, place)
    return tuple(sorted(places[literal] for literal in core or ()))


def _why(
    workspace: Arguing,
    turns: Sequence[Turn],
    calls: Mapping[int, Made],
    player: str,
    claim: Claim | Formula,
    given: Iterable[Atom],
) -> list[Ground] | None:
    """Return an irreducible set of grounds for a claim about a player; None if there is none."""
    formula = claim.formula if isinstance(claim, Claim) else claim
    telling = {place: call for place, call in calls.items() if call[1]}
    assumed, goal = workspace.argue(telling, player, formula)
    shown = [ground.literal for ground in assumed if ground.clause is not None]
    unmade = [ground.literal for ground in assumed if ground.clause is None]
    core = minimal_core(workspace.program, [*workspace.assume(given), -goal], [shown, unmade])
    if core is None:
        return None
    by_literal: dict[int, Assumed] = {}
    for ground in assumed:
        by_literal.setdefault(ground.literal, ground)
    return grounds([by_literal[literal] for literal in core], turns)
