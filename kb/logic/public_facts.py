"""Public facts by name: the constants that a position puts into conditions.

Each fact has a key, a tuple of words and suit numbers such as `("partner", "len", 3, "min")` or
`("unbid", 0)`. `PublicFacts` computes a fact once per position; `kb.rules.bindings` records
which keys a rule reads, so a rule is folded once for each combination of their values.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from operator import attrgetter

from bidwright.bridge.calls import Call
from bidwright.bridge.cards import SUITS, Denomination, Seat
from bidwright.kb.logic.public_state import CallRecord, PublicState, cheapest_level, steps_to

Key = tuple[str | int, ...]


def _balancing(state: PublicState) -> bool:
    # A pass would end the auction: two stand before it after a bid, three without one.
    needed = 2 if state.last_bid else 3
    calls = state.auction.calls
    return len(calls) >= needed and all(call == Call.PASS for call in calls[-needed:])


def _passed_before_any_bid(state: PublicState, seat: Seat) -> bool:
    for record in state.records:
        if record.call != Call.PASS:
            return False
        if record.seat == seat:
            return True
    return False


def _contested(state: PublicState) -> bool:
    return any(r.call != Call.PASS and r.seat.side != state.me.side for r in state.records)


def _opener(state: PublicState) -> Seat | None:
    return next((r.seat for r in state.records if r.call.is_bid), None)


def _vulnerable(state: PublicState, *, we: bool) -> bool:
    seat = state.me if we else state.me.lho
    return state.auction.vulnerability.is_vulnerable(seat.side)


def _opened_by_side(state: PublicState, *, ours: bool) -> bool:
    opener = _opener(state)
    return opener is not None and (opener.side == state.me.side) is ours


_PLAIN: dict[str, Callable[[PublicState], int]] = {
    "seat": lambda s: (s.me - s.auction.dealer) % 4 + 1,
    "contract_level": lambda s: s.last_bid_call.level if s.last_bid_call else 0,
    "calls_by_us": lambda s: sum(r.call.is_bid and r.seat.side == s.me.side for r in s.records),
    "rounds": lambda s: sum(r.seat == s.me for r in s.records),
    "vulnerable": lambda s: _vulnerable(s, we=True),
    "they_vulnerable": lambda s: _vulnerable(s, we=False),
    "favourable": lambda s: not _vulnerable(s, we=True) and _vulnerable(s, we=False),
    "unfavourable": lambda s: _vulnerable(s, we=True) and not _vulnerable(s, we=False),
    "passed_hand": lambda s: _passed_before_any_bid(s, s.me),
    "partner_passed_hand": lambda s: _passed_before_any_bid(s, s.me.partner),
    "forced": lambda s: s.is_forced,
    "game_forced": lambda s: s.is_game_forced,
    "level_forced": lambda s: s.is_level_forced,
    "invited": lambda s: bool((r := s.last_call(s.me.partner)) and r.invitational),
    "contested": _contested,
    "they_opened": lambda s: _opened_by_side(s, ours=False),
    "we_opened": lambda s: _opened_by_side(s, ours=True),
    "opener": lambda s: _opener(s) == s.me,
    "balancing": _balancing,
    "doubled": lambda s: s.doubling == 1,
    "redoubled": lambda s: s.doubling == 2,
    "ours": lambda s: s.is_ours,
    "theirs": lambda s: s.last_bid is not None and not s.is_ours,
    "below_game": lambda s: s.is_below_game,
}

_OF_VULNERABILITY = frozenset(
    (word,) for word in ("vulnerable", "they_vulnerable", "favourable", "unfavourable")
)
"""The facts that depend on the vulnerability; no other does."""

_WHOSE = ("my_suit", "partner_suit", "our_suit", "their_suit", "unbid")
"""The facts about owners of suits, which `_whose` computes together."""

_OF_ALL_SUITS = frozenset(_WHOSE)


def _whose(state: PublicState) -> dict[Key, int]:
    """Return the owner of each suit, as facts."""
    me = state.me
    # Once for all suits and words: what a rule asks about one suit the next one asks about another.
    theirs = state.suits_of(me.lho) | state.suits_of(me.rho)
    return _whose_suits(state.suits_of(me), state.suits_of(me.partner), theirs)


# Few sets of suits come up, and every position asks.
@cache
def _whose_suits(
    mine: frozenset[int], partners: frozenset[int], theirs: frozenset[int]
) -> dict[Key, int]:
    """Return the owner of each suit, by the suits of the player to call and of the others."""
    ours = mine | partners
    unbid = frozenset(range(len(SUITS))) - ours - theirs
    return {
        (word, suit): int(suit in suits)
        for word, suits in zip(_WHOSE, (mine, partners, ours, theirs, unbid), strict=True)
        for suit in range(len(SUITS))
    }


_OF_SUIT: dict[str, Callable[[PublicState, int], int]] = {
    "agreed": lambda s, suit: s.is_agreed(suit),
    "known_fit": lambda s, suit: s.known_fit(suit),
    "level": lambda s, denomination: cheapest_level(s.last_bid_call, denomination),
    "steps": lambda s, denomination: steps_to(s.last_bid_call, denomination),
}

_WHO: dict[str, Callable[[Seat], Seat]] = {
    "me": lambda seat: seat,
    "partner": lambda seat: seat.partner,
    "lho": lambda seat: seat.lho,
    "rho": lambda seat: seat.rho,
}


def _is_in_class(record: CallRecord | None, word: str) -> bool:
    """Return True if a call is of a class: P X XX NT suit bid, or a call such as 1NT."""
    if record is None:
        return False
    call = record.call
    match word:
        case "suit":
            return call.is_bid and call.denomination.is_suit
        case "bid":
            return call.is_bid
        case "NT":
            return call.is_bid and call.denomination is Denomination.NOTRUMP
        case "natural":
            return call.is_bid and not record.artificial
        case "artificial":
            return record.artificial
        case "signoff":
            return record.signoff
        case _:
            return str(call) == word


def _has_asked(state: PublicState, record: CallRecord | None, key: Key) -> bool:
    """Return True if a call asks the question of a key: `("asked", "keycards")`, or with a suit.

    A question that names no suit is about the one that its call agrees, or else about the suit
    that our side has agreed.
    """
    if record is None or record.asks != key[1]:
        return False
    if len(key) == 2:
        return True
    # 4NT after a raise asks about the raised suit without naming it.
    about = record.agrees if record.asks_in is None else record.asks_in
    return state.is_agreed(int(key[2])) if about is None else about == key[2]


def _has_answered(state: PublicState, record: CallRecord | None, key: Key) -> bool:
    """Return True if a call answers the question of a key, and its maker's partner asked it."""
    if record is None or record.answers != key[1]:
        return False
    asker = record.seat.partner
    # By identity, since the records of two passes are equal.
    place = max(i for i, each in enumerate(state.records) if each is record)
    before = (each for each in reversed(state.records[:place]) if each.seat == asker)
    return len(key) == 2 or _has_asked(state, next(before, None), key)


@lru_cache(maxsize=16_384)
def _fact(key: Key) -> Callable[[PublicState], int]:
    """Return the function that computes a fact of a state."""
    word = str(key[0])
    if word in _PLAIN:
        return _PLAIN[word]
    if word in _OF_SUIT:
        of_suit, suit = _OF_SUIT[word], int(key[1])
        return lambda s: of_suit(s, suit)
    if word == "asked":
        return lambda s: _has_asked(s, s.last_call(s.me.partner), key)
    if word == "partner_shows":
        return lambda s: key[1:] in s.kinds[s.me.partner]
    if word == "answered":
        return lambda s: _has_answered(s, s.last_call(s.me.partner), key)
    # The third call of the exchange: the asker replies to the answer of his partner, and this is
    # the seat of the one who answered.
    if word == "told":
        return lambda s: _has_answered(s, s.last_call(s.me), key)
    if word.endswith("_last"):
        who, of_class = _WHO[word.removesuffix("_last")], str(key[1])
        return lambda s: _is_in_class(s.last_call(who(s.me)), of_class)
    bound = _bound(key[1:])
    if word == "opponents":
        return lambda s: bound(s, s.me.lho) + bound(s, s.me.rho)
    whose = _WHO[word]
    return lambda s: bound(s, whose(s.me))


def _bound(path: Key) -> Callable[[PublicState, Seat], int]:
    """Return the function for a shown bound of a seat: `("hcp", "min")`, `("len", 3, "min")`."""
    side = 0 if path[-1] == "min" else 1
    if path[0] == "len":
        suit = int(path[1])
        return lambda s, seat: s.shown[seat].lengths[suit][side]
    interval = attrgetter(str(path[0]))
    return lambda s, seat: int(interval(s.shown[seat])[side])


class PublicFacts(dict[Key, int]):
    """The values of public facts for the player to call in a state; a truth value is 0 or 1.

    Each fact is computed when it is first read. A dictionary that fills itself is read without
    a call of Python code, and a decision reads some hundred facts.
    """

    def __init__(self, state: PublicState) -> None:
        """Compute nothing yet; the values will be those for `state.me`."""
        super().__init__()
        self.state = state

    def __missing__(self, key: Key) -> int:
        """Compute a fact that is read for the first time; owners of suits all at once."""
        if key[0] in _OF_ALL_SUITS:
            # All five words of all four suits follow from three sets.
            self.update(_whose(self.state))
            return self[key]
        value = self[key] = int(_fact(key)(self.state))
        return value

    @property
    def sees_vulnerability(self) -> bool:
        """True if a fact was read that depends on the vulnerability."""
        return not _OF_VULNERABILITY.isdisjoint(self)


PLAIN_FACTS = frozenset(_PLAIN)
SUIT_FACTS = _OF_ALL_SUITS.union(_OF_SUIT)
WHO = (*_WHO, "opponents")
