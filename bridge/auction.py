"""The auction: the player in turn, legal calls, and the contract (Laws 17 to 22).

Written down, an auction is in the notation of the trade: `1S (2H) 3S (P)`. The brackets
hold the calls of the side that did *not* open the bidding; while nobody has bid, of the side
that did not deal.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from bidwright.bridge.calls import BIDS, FIRST_BID, Call
from bidwright.bridge.cards import Seat, Vulnerability
from bidwright.bridge.contract import Contract
from bidwright.bridge.errors import AmbiguousError, IllegalCallError
from bidwright.bridge.written_calls import WrittenCall, written_calls


@dataclass(frozen=True, slots=True)
class Auction:
    """The calls so far, oldest first; each is checked against the Laws.

    Raises:
        IllegalCallError: If one of the calls is illegal where it stands.

    Example:
        >>> import bidwright
        >>> auction = bidwright.parse_auction("1S (2H) 3S (P)")
        >>> auction.turn, str(auction.contract())
        (Seat.NORTH, '3S by N')
    """

    dealer: Seat
    """The seat that calls first."""
    calls: tuple[Call, ...] = ()
    """The calls in order."""
    vulnerability: Vulnerability = Vulnerability.NONE
    """The vulnerability; the same calls can mean other things."""
    _bid_at: int = field(init=False, repr=False, compare=False)
    """Index of the last bid, -1 before the first."""
    _doubled: int = field(init=False, repr=False, compare=False)
    """0, 1 or 2: what stands on the last bid."""
    _passes: int = field(init=False, repr=False, compare=False)
    """Passes since the last call that was none."""

    def __post_init__(self) -> None:
        """Replay the calls, checking each."""
        calls = tuple(self.calls)
        auction = _at(self.dealer, (), self.vulnerability, -1, 0, 0)
        for call in calls:
            auction = auction.with_call(call)
        # The class is frozen, so its own fields are filled in past it.
        for name in ("calls", "_bid_at", "_doubled", "_passes"):
            object.__setattr__(self, name, getattr(auction, name))

    @property
    def turn(self) -> Seat:
        """The seat that calls next, or would if the auction went on."""
        return self.seat_of(len(self.calls))

    def seat_of(self, index: int) -> Seat:
        """Return the seat of a call by its index, counted from 0 at the dealer."""
        # `+` binds before `&`: (dealer + index) & 3. A tuple is indexed, since to call an
        # enumeration takes far longer, and readers ask for seats all the time.
        return _SEATS[self.dealer + index & 3]

    @property
    def is_over(self) -> bool:
        """True once three passes have followed a call, or four opened the auction."""
        # Law 22 A: passed out after four passes; with a bid, over after three.
        return self._passes >= (4 if self._bid_at < 0 else 3)

    @property
    def last_bid(self) -> Call | None:
        """The highest bid so far, `None` before the first."""
        return self.calls[self._bid_at] if self._bid_at >= 0 else None

    @property
    def opener(self) -> Seat | None:
        """The seat that made the first bid, `None` before there is one."""
        for index, call in enumerate(self.calls):
            if call >= FIRST_BID:
                return self.seat_of(index)
        return None

    def is_legal(self, call: Call) -> bool:
        """Return True if the player in turn may make the call."""
        if self.is_over:
            return False
        if call >= FIRST_BID:
            # Law 18: a bid has to outrank the last one, which is the order of the calls' numbers.
            return self._bid_at < 0 or call > self.calls[self._bid_at]
        if call == Call.PASS:
            return True
        # The sides take turns, so an odd distance from the last bid makes it the opponents'.
        opponents_bid = self._bid_at >= 0 and (len(self.calls) - self._bid_at) % 2 == 1
        # Law 19 A: only the opponents' last bid may be doubled, and once.
        if call == Call.DOUBLE:
            return opponents_bid and self._doubled == 0
        # Law 19 B: only the opponents' double, so a bid of one's own side, may be redoubled.
        return self._doubled == 1 and not opponents_bid

    def legal_calls(self) -> tuple[Call, ...]:
        """Return the legal calls in index order; none when the auction is over."""
        if self.is_over:
            return ()
        others = tuple(call for call in _NOT_BIDS if self.is_legal(call))
        last = self.last_bid
        return others + (BIDS if last is None else BIDS[last - FIRST_BID + 1 :])

    def with_call(self, call: Call) -> "Auction":
        """Return the auction with one more call.

        Raises:
            IllegalCallError: If the call is illegal here.
        """
        if not self.is_legal(call):
            raise IllegalCallError(self._refusal(call))
        calls = (*self.calls, call)
        if call >= FIRST_BID:
            return _at(self.dealer, calls, self.vulnerability, len(self.calls), 0, 0)
        if call == Call.PASS:
            passes = self._passes + 1
            return _at(self.dealer, calls, self.vulnerability, self._bid_at, self._doubled, passes)
        # DOUBLE and REDOUBLE are 1 and 2, as contracts count them.
        return _at(self.dealer, calls, self.vulnerability, self._bid_at, int(call), 0)

    def contract(self) -> Contract | None:
        """Return the contract if all pass from here; `None` without a bid (passed out)."""
        last = self.last_bid
        if last is None:
            return None
        # By definition of the Laws declarer is who first named the denomination for the side that
        # bid last, so every second call is looked at.
        for index in range(self._bid_at & 1, self._bid_at + 1, 2):
            call = self.calls[index]
            if call >= FIRST_BID and call.denomination == last.denomination:
                break
        return Contract(last.level, last.denomination, self._doubled, self.seat_of(index))

    def __str__(self) -> str:
        """Return the trade notation, brackets around the side that did not open."""
        opener = self.opener
        side = (self.dealer if opener is None else opener).side
        return " ".join(
            str(call) if self.seat_of(index).side == side else f"({call})"
            for index, call in enumerate(self.calls)
        )

    def _refusal(self, call: Call) -> str:
        if not self.calls:
            return f"illegal call {call} as the first call of an auction"
        where = f"in auction {str(self)!r}"
        if self.is_over:
            return f"illegal call {call} after the end of auction {str(self)!r}"
        last = self.last_bid
        after = last if call >= FIRST_BID and last is not None else self.calls[-1]
        return f"illegal call {call} after {after} {where}"


def _at(
    dealer: Seat,
    calls: tuple[Call, ...],
    vulnerability: Vulnerability,
    bid_at: int,
    doubled: int,
    passes: int,
) -> Auction:
    """Return an auction of a known state, without replaying it."""
    # Not by the constructor, which replays all calls: an auction made call by call would be checked
    # again from its beginning each time.
    auction = object.__new__(Auction)
    put = object.__setattr__
    put(auction, "dealer", dealer)
    put(auction, "calls", calls)
    put(auction, "vulnerability", vulnerability)
    put(auction, "_bid_at", bid_at)
    put(auction, "_doubled", doubled)
    put(auction, "_passes", passes)
    return auction


_SEATS = tuple(Seat)
_NOT_BIDS = (Call.PASS, Call.DOUBLE, Call.REDOUBLE)


def parse_auction(
    text: str, dealer: Seat = Seat.NORTH, vulnerability: Vulnerability = Vulnerability.NONE
) -> Auction:
    """Return the auction written in full as `1S (2H) 3S (P)` or as a plain list of calls.

    This is the notation of files; `typed_auction.read_typed` reads what people type.

    Every call is written, passes too, the dealer's first. Blanks, commas, semicolons and
    dashes separate calls; `AP` (all pass) ends the auction. Brackets mark one side's calls;
    where they are used they must hold every second call.

    Raises:
        InvalidError: If something is no call, or a bracket has no partner.
        AmbiguousError: If the brackets do not alternate.
        IllegalCallError: If a call is illegal where it stands.
    """
    written = written_calls(text)
    if any(each.bracketed for each in written):
        _check_brackets(text, [each for each in written if each.call is not None])
    auction = Auction(dealer, (), vulnerability)
    for word in written:
        for call in [word.call] if word.call is not None else _closing_passes(auction):
            auction = auction.with_call(call)
    return auction


def _closing_passes(auction: Auction) -> Iterable[Call]:
    while not auction.is_over:
        auction = auction.with_call(Call.PASS)
        yield Call.PASS


def _check_brackets(text: str, written: list[WrittenCall]) -> None:
    """Raise unless brackets hold every second call."""
    # Two neighbours that are both inside or both outside leave the seats open.
    for before, after in pairwise(written):
        if before.bracketed == after.bracketed:
            raise AmbiguousError(
                "expected brackets around every second call (passes written out), "
                f"got {after.text!r} after {before.text!r} in auction {text!r}"
            )
