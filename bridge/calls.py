"""Calls: pass, double, redouble and the 35 bids, as integers in rank order."""

from bidwright.bridge.cards import Denomination, NamedIndex
from bidwright.bridge.errors import InvalidError

MAX_LEVEL = 7
"""The highest level of a bid: all thirteen tricks."""

NUM_BIDS = MAX_LEVEL * len(Denomination)
"""Bids from 1C to 7NT."""


class Call(NamedIndex):
    """A call (Law 17); bids follow the three others in rank order.

    The bid of seven notrump is `Call.C7NT`; `bid(7, Denomination.NOTRUMP)` is the same object.
    `str(call)` is the notation `P`, `X`, `XX`, `1C` ... `7NT`.

    Example:
        >>> import bidwright
        >>> call = bidwright.parse_call("3h")
        >>> call, call.level, call.denomination, call > bidwright.Call.C2NT
        (Call.C3H, 3, Denomination.HEARTS, True)
    """

    # Outputs of networks and corpora number calls like this.
    PASS = 0
    DOUBLE = 1
    REDOUBLE = 2
    C1C = 3
    C1D = 4
    C1H = 5
    C1S = 6
    C1NT = 7
    C2C = 8
    C2D = 9
    C2H = 10
    C2S = 11
    C2NT = 12
    C3C = 13
    C3D = 14
    C3H = 15
    C3S = 16
    C3NT = 17
    C4C = 18
    C4D = 19
    C4H = 20
    C4S = 21
    C4NT = 22
    C5C = 23
    C5D = 24
    C5H = 25
    C5S = 26
    C5NT = 27
    C6C = 28
    C6D = 29
    C6H = 30
    C6S = 31
    C6NT = 32
    C7C = 33
    C7D = 34
    C7H = 35
    C7S = 36
    C7NT = 37

    @property
    def is_bid(self) -> bool:
        """True if the call names a level and a denomination."""
        return self >= FIRST_BID

    @property
    def level(self) -> int:
        """The level of a bid, 1 to 7; 0 for the other calls."""
        return _LEVELS[self]

    @property
    def denomination(self) -> Denomination:
        """The denomination of a bid.

        Raises:
            ValueError: If the call is not a bid.
        """
        if self < FIRST_BID:
            raise ValueError(f"{self.name.lower()} has no denomination")
        return _DENOMINATIONS[self - FIRST_BID]

    def __str__(self) -> str:
        """Return the notation `P`, `X`, `XX`, `1C` ... `7NT`."""
        return _TEXTS[self]


NUM_CALLS = len(Call)
"""Calls of any kind."""

FIRST_BID = NUM_CALLS - NUM_BIDS
"""Index of the lowest bid."""

CALLS = tuple(Call)
"""Every call by index."""

BIDS = CALLS[FIRST_BID:]
"""The bids in rank order."""

_TEXTS = ("P", "X", "XX", *(call.name[1:] for call in BIDS))
_LEVELS = (0,) * FIRST_BID + tuple(1 + index // len(Denomination) for index in range(NUM_BIDS))
_DENOMINATIONS = tuple(Denomination) * MAX_LEVEL


def bid(level: int, denomination: Denomination) -> Call:
    """Return the bid of a level, 1 to 7, and a denomination.

    Raises:
        ValueError: If there is no such level.
    """
    if not 1 <= level <= MAX_LEVEL:
        raise ValueError(f"expected a level from 1 to {MAX_LEVEL}, got {level!r}")
    return CALLS[FIRST_BID + (level - 1) * len(Denomination) + denomination]


# `D` and `R` are the letters of LIN.
_SYNONYMS: dict[Call, tuple[str, ...]] = {
    Call.PASS: ("P", "PASS"),
    Call.DOUBLE: ("X", "D", "DB", "DBL", "DOUBLE"),
    Call.REDOUBLE: ("XX", "R", "RD", "RDBL", "REDBL", "REDOUBLE"),
}
# Filled and outlined signs both occur in texts; `SA` is notrump in French and German.
_STRAIN_TEXTS = (
    ("C", "\u2663", "\u2667"),
    ("D", "\u2666", "\u2662"),
    ("H", "\u2665", "\u2661"),
    ("S", "\u2660", "\u2664"),
    ("NT", "N", "SA"),
)
_BY_TEXT = {text: call for call, texts in _SYNONYMS.items() for text in texts} | {
    f"{level}{text}": bid(level, denomination)
    for level in range(1, MAX_LEVEL + 1)
    for denomination in Denomination
    for text in _STRAIN_TEXTS[denomination]
}


def parse_call(text: str) -> Call:
    """Return the call written as in `1NT`, `1n`, `pass`, `p`, `dbl`, `x`, `rdbl` or `xx`.

    Suits may be letters or signs, in either case.

    Raises:
        InvalidError: If the text is no call.

    Example:
        >>> parse_call("1n"), parse_call("dbl"), parse_call("3\u2661")
        (Call.C1NT, Call.DOUBLE, Call.C3H)
    """
    # Most texts are plain, and then need no copy in capitals. PASS is 0, so it is looked up again,
    # to the same end. U+FE0F asks for a sign in colour and says nothing of the call.
    call = _BY_TEXT.get(text) or _BY_TEXT.get(text.strip().upper().replace("\ufe0f", ""))
    if call is None:
        raise InvalidError(f"expected a call (P, X, XX or 1C to 7NT), got {text!r}")
    return call
