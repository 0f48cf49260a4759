"""Queries for boards by the meaning of their calls: `responder shows hearts 5+; contract 4H`.

| clause | boards on which |
|---|---|
| `responder shows hearts 5+, forcing` | a call of responder's tells so, and none did before |
| `opener promises hcp 12+` | after a call no hand that opener possibly has lacks it |
| `opener denies spades 4+` | after a call opener's usual hands exclude it |
| `dealer has spades 7+` | the hand of the dealer satisfies it |
| `responder bids 2C or 2D`, `overcaller doubles`, `opener passes` | the call was made |
| `auction 1NT (P)` | the auction begins so, passes before it left out |
| `contract 4H`, `contract game by opener`, `contract doubled` | that was played |
| `result made`, `result down`, `result 10+` | declarer took so many tricks |
| `passed out` | nobody bid |

`;` joins clauses that must all be true of a board; `then` says in addition that the call of the
second clause comes after the call of the first. `no` or `not` before a clause turns it round.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from bidwright.authoring.find.bounds_rows import BoundsTest
from bidwright.authoring.find.read_boards import (
    ALERTED,
    ARTIFICIAL,
    FORCING_BITS,
    INVITATIONAL,
    NO_CALL,
    NOBODY,
    SIGNOFF,
    UNKNOWN,
    ReadShard,
)
from bidwright.bridge.auction import parse_auction
from bidwright.bridge.calls import Call, parse_call
from bidwright.bridge.cards import HAND_SIZE, Denomination, Seat
from bidwright.bridge.contract import BOOK
from bidwright.bridge.errors import IllegalError, InvalidError
from bidwright.kb.conditions.query import read_condition
from bidwright.kb.language import ast
from bidwright.kb.logic.bounds import Bounds
from bidwright.kb.logic.features import features
from bidwright.kb.logic.formula import Formula, holds_for, negation
from bidwright.kb.logic.intervals import may_hold
from bidwright.kb.logic.public_state import Forcing, game_level

Mask = NDArray[np.bool_]
"""bool `[n]`, a value for each board; or `[t]`, one for each call."""

_SLAM, _GRAND = 6, 7
_EXAMPLE = "'responder shows hearts 5+, forcing; contract 4H'"
_FORCES = {
    "forcing": (Forcing.ONE_ROUND, Forcing.LEVEL, Forcing.GAME),
    "forcing to game": (Forcing.GAME,),
    "game forcing": (Forcing.GAME,),
    "not forcing": (Forcing.NO,),
}
_ACTIONS = {
    "invitational": INVITATIONAL,
    "signoff": SIGNOFF,
    "sign-off": SIGNOFF,
    "artificial": ARTIFICIAL,
    "alerted": ALERTED,
}
_MADE = {"passes": (Call.PASS,), "doubles": (Call.DOUBLE,), "redoubles": (Call.REDOUBLE,)}


class _Roles:
    """The seats that the words of a query name, on each board of a shard."""

    def __init__(self, shard: ReadShard, me: Seat) -> None:
        self._shard, self._me = shard, me

    def __getitem__(self, word: str) -> NDArray[np.uint8]:
        """Return uint8 `[n]`, a seat for each board, or `NOBODY`; `KeyError` for another word."""
        shard = self._shard
        seats = {
            "opener": (shard.opener, 0),
            "responder": (shard.opener, 2),
            "overcaller": (shard.overcaller, 0),
            "advancer": (shard.overcaller, 2),
            "dealer": (shard.dealer, 0),
            "declarer": (shard.declarer, 0),
            "leader": (shard.declarer, 1),
            "dummy": (shard.declarer, 2),
            "me": (np.full_like(shard.dealer, self._me), 0),
            "lho": (np.full_like(shard.dealer, self._me), 1),
            "partner": (np.full_like(shard.dealer, self._me), 2),
            "rho": (np.full_like(shard.dealer, self._me), 3),
        }
        seats |= {
            name: (np.full_like(shard.dealer, seat), 0)
            for seat in Seat
            for name in (seat.name.lower(), seat.letter.lower())
        }
        first, steps = seats[word]
        # NOBODY is 4, and would become a seat by the steps.
        return np.where(first == NOBODY, NOBODY, (first + steps) % len(Seat)).astype(np.uint8)


_RELATIVE = (
    *("opener", "responder", "overcaller", "advancer"),
    *("dealer", "declarer", "dummy", "leader", "me", "partner", "lho", "rho"),
)
ROLES = (
    *_RELATIVE,
    *(name.lower() for seat in Seat for name in (seat.name, seat.letter)),
    "anyone",
)
"""The words for players."""


@dataclass(frozen=True)
class _Table:
    """A shard as clauses see it."""

    shard: ReadShard
    me: Seat

    @cached_property
    def board(self) -> NDArray[np.intp]:
        """The board of each call, intp `[t]`."""
        return np.repeat(np.arange(len(self.shard)), np.diff(self.shard.begin))

    @cached_property
    def place(self) -> NDArray[np.intp]:
        """The index of each call in its auction, intp `[t]`."""
        return np.arange(len(self.shard.calls)) - self.shard.begin[:-1][self.board]

    @cached_property
    def seat(self) -> NDArray[np.intp]:
        """The maker of each call, intp `[t]`."""
        return (self.shard.dealer[self.board] + self.place) % len(Seat)

    def by(self, who: str) -> Mask:
        """Return the calls of a player, bool `[t]`."""
        if who == "anyone":
            return np.ones(len(self.board), dtype=np.bool_)
        return np.asarray(self.seat == _Roles(self.shard, self.me)[who][self.board])

    def seats(self, who: str) -> NDArray[np.uint8]:
        """Return the seat of a player on each board, uint8 `[n]`."""
        return _Roles(self.shard, self.me)[who]

    def newly(self, of: NDArray[np.int32], test: BoundsTest, among: Mask) -> Mask:
        """Return those of some calls that make bounds pass a test for the first time.

        Args:
            of: int32 `[t]`, the index of the bounds after each call.
            test: the test.
            among: the calls, bool `[t]`.
        """
        places = np.flatnonzero(among)
        # The same player's call before this one is four calls earlier.
        is_later = self.place[places] >= len(Seat)
        before = of[places[is_later] - len(Seat)]
        # Only what these calls need is tried: most calls of a board fail the rest of a clause.
        needed, index = np.unique(np.concatenate([of[places], before]), return_inverse=True)
        outcomes = test.outcomes(self.shard.bounds, needed.tolist())[index]
        # Before a player has called his hand may be anything.
        was_so = np.full(len(places), test.of_anything)
        was_so[is_later] = outcomes[len(places) :]
        newly = np.zeros(len(of), dtype=np.bool_)
        newly[places] = outcomes[: len(places)] & ~was_so
        return newly


@dataclass(frozen=True)
class _Clause:
    """A condition on a board: on one of its calls, or on the board itself."""

    text: str
    of_calls: Callable[[_Table], Mask] | None = None
    of_boards: Callable[[_Table], Mask] | None = None
    negated: bool = False


@dataclass(frozen=True)
class FoundBoard:
    """A board that a query fits: its index in the shard, and the indices of the calls that do."""

    number: int
    places: tuple[int, ...]


@dataclass(frozen=True)
class Query:
    """A query for boards.

    Attributes:
        text: the query as it was written.
        chains: what must be true of a board; in each, one call after the other.
    """

    text: str
    chains: tuple[tuple[_Clause, ...], ...] = field(repr=False)

    def matches(self, shard: ReadShard, me: Seat = Seat.SOUTH) -> list[FoundBoard]:
        """Return the boards of a shard that the query fits, in their order.

        Args:
            shard: the boards.
            me: the seat of the words `me`, `partner`, `lho` and `rho`.
        """
        table = _Table(shard, me)
        fits = np.ones(len(shard), dtype=np.bool_)
        called: list[list[Mask]] = []
        for chain in self.chains:
            if chain[0].of_boards is not None:
                fits &= chain[0].of_boards(table) != chain[0].negated
                continue
            calls = [clause.of_calls(table) for clause in chain if clause.of_calls is not None]
            # `no` is about the board: not one call of it may fit.
            if chain[0].negated:
                happened = np.zeros(len(shard), dtype=np.bool_)
                happened[table.board[calls[0]]] = True
                fits &= ~happened
            else:
                called.append(calls)
        # Boards that fail a test are left out first, since the loop below is the slow part.
        for fitting in (each for chain in called for each in chain):
            happened = np.zeros(len(shard), dtype=np.bool_)
            happened[table.board[fitting]] = True
            fits &= happened
        boards: list[FoundBoard] = []
        for number in np.flatnonzero(fits).tolist():
            start, stop = shard.begin[number], shard.begin[number + 1]
            places = [_in_turn([calls[start:stop] for calls in chain]) for chain in called]
            if all(chain is not None for chain in places):
                flat = (place for chain in places if chain is not None for place in chain)
                boards.append(FoundBoard(number, tuple(sorted(set(flat)))))
        return boards


def _in_turn(calls: Sequence[Mask]) -> list[int] | None:
    """Return the earliest places, each after the one before, of calls that fit; None if none do."""
    places: list[int] = []
    for fitting in calls:
        # The earliest place leaves most calls for the next clause: no search back is needed.
        later = np.flatnonzero(fitting[places[-1] + 1 if places else 0 :])
        if not len(later):
            return None
        places.append(int(later[0]) + (places[-1] + 1 if places else 0))
    return places


def parse_query(text: str, lets: Mapping[str, ast.Let] | None = None) -> Query:
    """Return a query.

    Args:
        text: the query.
        lets: the definitions of a system that its conditions may use.

    Raises:
        InvalidError: It cannot be read; the message names the clause and says what is expected.
    """
    chains = []
    for part in text.split(";"):
        # `\b` keeps words such as `strengthen` whole.
        clauses = tuple(_clause(each, lets) for each in re.split(r"\bthen\b", part))
        if len(clauses) > 1:
            # Only calls have an order; what a hand has is true from the first call on.
            odd = next((each for each in clauses if each.of_calls is None or each.negated), None)
            if odd is not None:
                raise InvalidError(f"expected calls before and after 'then', got {odd.text!r}")
        chains.append(clauses)
    return Query(text, tuple(chains))


def _clause(text: str, lets: Mapping[str, ast.Let] | None) -> _Clause:
    text = " ".join(text.split())
    turned = re.match(r"(?:not|no)\s+(?=\S)", text, re.IGNORECASE)
    plain = text[turned.end() :] if turned else text
    head, _, rest = plain.partition(" ")
    head = head.lower()
    of_calls: Callable[[_Table], Mask] | None = None
    of_boards: Callable[[_Table], Mask] | None = None
    if head in _BOARDS:
        of_boards = _BOARDS[head](text, rest)
    elif head in ROLES:
        verb, _, object_ = rest.partition(" ")
        verb = verb.lower()
        if verb in ("has", "holds"):
            of_boards = partial(_has, head, _condition(text, object_, lets))
        elif verb in _MADE and not object_:
            of_calls = partial(_makes, head, _MADE[verb])
        elif verb in ("bids", "calls", "makes"):
            of_calls = partial(_makes, head, _calls(text, object_))
        elif verb in _SHOWN:
            condition, actions = _split_actions(object_)
            formula = _condition(text, condition, lets) if condition else None
            if formula is None and not actions:
                raise InvalidError(f"expected a condition after '{verb}' in {text!r}")
            fits, of = _SHOWN[verb]
            test = None if formula is None else BoundsTest(of(formula))
            of_calls = partial(fits, head, test, actions)
    if of_calls is None and of_boards is None:
        raise InvalidError(
            f"expected a clause such as {_EXAMPLE}, got {text!r}: it begins with a player "
            f"({', '.join(_RELATIVE)}, a seat, anyone) and shows, promises, denies, has, bids, "
            f"passes or doubles; or with {', '.join(_BOARDS)}"
        )
    return _Clause(text, of_calls, of_boards, negated=turned is not None)


def _condition(text: str, condition: str, lets: Mapping[str, ast.Let] | None) -> Formula:
    # `shows spades 5+ and hearts 5+` is how people say it.
    words = re.sub(r"\s+and\s+", ", ", condition)
    try:
        return read_condition(words, lets)
    except InvalidError as error:
        raise InvalidError(f"in {text!r}: {error}") from None


def _split_actions(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the condition, and the words on what the call does that follow it."""
    parts = [part.strip() for part in text.split(",")]
    actions: list[str] = []
    # From the end only: a condition may use the same words before it.
    while parts and parts[-1].lower() in {*_FORCES, *_ACTIONS, "natural"}:
        actions.insert(0, parts.pop().lower())
    return ", ".join(parts), tuple(actions)


def _does(table: _Table, actions: Sequence[str]) -> Mask:
    flags = table.shard.flags
    does = np.ones(len(flags), dtype=np.bool_)
    for action in actions:
        if action in _FORCES:
            does &= np.isin(flags & FORCING_BITS, [int(force) for force in _FORCES[action]])
        elif action == "natural":
            # A pass or a double is neither natural nor artificial in this sense, unless it is
            # flagged.
            does &= (flags & ARTIFICIAL == 0) & (table.shard.calls > Call.REDOUBLE)
        else:
            does &= flags & _ACTIONS[action] != 0
    return does


def _shows(who: str, test: BoundsTest | None, actions: Sequence[str], table: _Table) -> Mask:
    return _newly(who, test, actions, table, table.shard.headline)


def _promises(who: str, test: BoundsTest | None, actions: Sequence[str], table: _Table) -> Mask:
    return _newly(who, test, actions, table, table.shard.possible)


def _denies(who: str, test: BoundsTest | None, actions: Sequence[str], table: _Table) -> Mask:
    return _newly(who, test, actions, table, table.shard.usual)


def _newly(
    who: str,
    test: BoundsTest | None,
    actions: Sequence[str],
    table: _Table,
    of: NDArray[np.int32],
) -> Mask:
    mask = table.by(who) & _does(table, actions)
    return mask if test is None else table.newly(of, test, mask)


def _all(formula: Formula) -> Callable[[Bounds], bool]:
    """Return a test: does every hand within bounds satisfy the formula?"""
    opposite = negation(formula)
    return lambda bounds: not may_hold(opposite, bounds)


def _none(formula: Formula) -> Callable[[Bounds], bool]:
    """Return a test: does no hand within bounds satisfy the formula?"""
    return lambda bounds: not may_hold(formula, bounds)


_SHOWN = {"shows": (_shows, _all), "promises": (_promises, _all), "denies": (_denies, _none)}


def _has(who: str, formula: Formula, table: _Table) -> Mask:
    shard = table.shard
    seats = Seat if who == "anyone" else (None,)
    fits = np.zeros(len(shard), dtype=np.bool_)
    for seat in seats:
        owner = table.seats(who) if seat is None else np.full_like(shard.dealer, seat)
        held = (shard.owner == owner[:, None]) & (owner != NOBODY)[:, None]
        # A hand of fewer cards cannot be counted; such boards fit no condition.
        whole = np.flatnonzero(held.sum(axis=1) == HAND_SIZE)
        if len(whole):
            fits[whole] |= holds_for(formula, features(held[whole]))
    return fits


def _makes(who: str, calls: Sequence[Call], table: _Table) -> Mask:
    return table.by(who) & np.isin(table.shard.calls, [int(call) for call in calls])


def _calls(text: str, object_: str) -> tuple[Call, ...]:
    try:
        return tuple(parse_call(word) for word in re.split(r"\s+or\s+|\s*,\s*", object_.strip()))
    except InvalidError as error:
        raise InvalidError(f"in {text!r}: {error}") from None


# ---------------------------------------------------------------- clauses about boards


def _auction(text: str, rest: str) -> Callable[[_Table], Mask]:
    try:
        auction = parse_auction(rest)
    except (InvalidError, IllegalError) as error:
        raise InvalidError(f"in {text!r}: {error}") from None
    calls = list(auction.calls)
    # Passes before the opening depend on who dealt, as in the language.
    while calls and calls[0] == Call.PASS:
        calls.pop(0)
    if not calls:
        raise InvalidError(f"expected an auction with a bid in {text!r}")
    wanted = np.array(calls, dtype=np.uint8)

    def begins(table: _Table) -> Mask:
        shard = table.shard
        fits = np.zeros(len(shard), dtype=np.bool_)
        for number, (start, stop) in enumerate(zip(shard.begin, shard.begin[1:], strict=False)):
            calls = shard.calls[start:stop]
            bids = np.flatnonzero(calls > Call.REDOUBLE)
            first = int(bids[0]) if len(bids) else len(calls)
            fits[number] = np.array_equal(calls[first : first + len(wanted)], wanted)
        return fits

    return begins


def _contract(text: str, rest: str) -> Callable[[_Table], Mask]:
    words, _, who = rest.partition(" by ")
    who = who.strip().lower()
    if who and who not in ROLES:
        raise InvalidError(f"expected a player after 'by' in {text!r}, got {who!r}")
    tests = [_contract_word(text, word) for word in words.lower().replace(",", " ").split()]
    if not tests and not who:
        raise InvalidError(f"expected a contract in {text!r}, such as 4H, game or doubled")

    def played(table: _Table) -> Mask:
        fits = table.shard.contract != NO_CALL
        for test in tests:
            fits = fits & test(table.shard)
        if who and who != "anyone":
            fits = fits & (table.shard.declarer == table.seats(who))
        return np.asarray(fits)

    return played


def _contract_word(text: str, word: str) -> Callable[[ReadShard], Mask]:
    levels = np.array([Call(call).level for call in range(len(Call))])
    games = np.array(
        [
            call.is_bid and call.level >= game_level(call.denomination)
            for call in map(Call, range(len(Call)))
        ]
    )
    # The contract may be NO_CALL, which is 255: the tables need an entry for it.
    levels, games = np.append(levels, [0] * 256)[:256], np.append(games, [False] * 256)[:256]
    tests: dict[str, Callable[[ReadShard], Mask]] = {
        "partscore": lambda shard: ~games[shard.contract],
        "game": lambda shard: games[shard.contract] & (levels[shard.contract] < _SLAM),
        "slam": lambda shard: levels[shard.contract] >= _SLAM,
        "grand": lambda shard: levels[shard.contract] == _GRAND,
        "doubled": lambda shard: shard.doubled > 0,
        "undoubled": lambda shard: shard.doubled == 0,
    }
    if word in tests:
        return tests[word]
    suits = {"c": 0, "d": 1, "h": 2, "s": 3, "nt": 4, "n": 4} | {
        suit.name.lower(): int(suit) for suit in Denomination
    }
    if word in suits:
        strains = np.array(
            [int(call.denomination) if call.is_bid else 9 for call in map(Call, range(len(Call)))]
        )
        strains = np.append(strains, [9] * 256)[:256]
        return lambda shard: np.asarray(strains[shard.contract] == suits[word])
    try:
        call = parse_call(word.rstrip("x"))
    except InvalidError:
        call = None
    if call is None or not call.is_bid:
        raise InvalidError(
            f"expected a contract (4H, 3NTX, hearts, {', '.join(tests)}) in {text!r}, got {word!r}"
        )
    # `4HX` asks for a doubled contract; without a cross any number of doubles fits.
    crosses = len(word) - len(word.rstrip("x"))
    return lambda shard: np.asarray(
        (shard.contract == int(call)) & ((shard.doubled == crosses) | (crosses == 0))
    )


def _result(text: str, rest: str) -> Callable[[_Table], Mask]:
    levels = np.array([Call(call).level for call in range(len(Call))] + [0] * 256)[:256]
    word = rest.strip().lower()
    numbers = re.fullmatch(r"(\d+)(\+)?|(\d+)\.\.(\d+)", word)
    if word in ("made", "down"):

        def against(table: _Table) -> Mask:
            needed = levels[table.shard.contract] + BOOK
            enough = table.shard.tricks >= needed
            is_known = (table.shard.tricks != UNKNOWN) & (table.shard.contract != NO_CALL)
            return np.asarray(is_known & (enough if word == "made" else ~enough))

        return against
    if numbers is None:
        raise InvalidError(f"expected made, down or tricks (10+, 7..9) in {text!r}, got {rest!r}")
    low = int(numbers[1] or numbers[3])
    high = int(numbers[4]) if numbers[4] else 13 if numbers[2] else low
    return lambda table: np.asarray((table.shard.tricks >= low) & (table.shard.tricks <= high))


def _passed(text: str, rest: str) -> Callable[[_Table], Mask]:
    if rest.strip().lower() != "out":
        raise InvalidError(f"expected 'passed out', got {text!r}")
    return lambda table: np.asarray(table.shard.opener == NOBODY)


def _vulnerable(text: str, rest: str) -> Callable[[_Table], Mask]:
    who = rest.strip().lower()
    if who in ("none", "both"):
        return lambda table: table.shard.vulnerable == (0 if who == "none" else 3)
    if who not in ROLES or who == "anyone":
        raise InvalidError(f"expected a player, none or both after 'vul' in {text!r}")

    def vulnerable(table: _Table) -> Mask:
        seats = table.seats(who)
        return np.asarray((seats != NOBODY) & (table.shard.vulnerable >> (seats % 2) & 1 == 1))

    return vulnerable


_BOARDS: dict[str, Callable[[str, str], Callable[[_Table], Mask]]] = {
    "auction": _auction,
    "contract": _contract,
    "result": _result,
    "passed": _passed,
    "vul": _vulnerable,
}
