"""The statements of descriptions: `15-17`, `5+ !S`, `stopper in !H`, support, splinter, takeout.

A description is cut into tokens: words, suits, ranges (`15-17`, `5+`, `at most 11`), phrases. A
reader looks at the tokens from a place on, and returns what it understands with the place after it,
or None. Words of the trade are read with what stands around them: the suit that partner bid, the
suit that they bid, the call itself; what is read into them beyond the letter comes back as a note.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Generic, TypeVar

from bidwright.authoring.exchange import english
from bidwright.bridge.cards import SUIT_WORDS, WORD_OF_SUIT
from bidwright.kb.expressions.nodes import parts
from bidwright.kb.language import ast
from bidwright.runtime.sentences import NUMBER_WORDS

# ------------------------------------------------------------------------ tokens

_TOKEN = re.compile(
    r"""
      (?P<quoted>"(?:[^"\\]|\\.)*")
    | (?P<suit>![cdhsCDHS](?![A-Za-z])|!(?:oM|om|[MmXYZ])(?![A-Za-z])|[\u2660-\u2667]
        |(?<=[0-9][-+])(?:oM|om|[MmCDHS])(?![A-Za-z])|(?<=[0-9]\+)[dhs](?![A-Za-z]))
    | (?P<number>[0-9]{1,4}(?:\.[0-9]{1,2})?(?![0-9]))
    | (?P<word>[A-Za-z]+(?:[-'/][A-Za-z]+)*|[0-9]+)
    | (?P<sign>>=|<=|!=|\S)
    """,
    re.VERBOSE,
)
_SYMBOLS = dict(zip("♠♥♦♣♤♡♢♧", SUIT_WORDS[::-1] * 2, strict=True))
_LETTERS = {letter.lower(): word for letter, word in WORD_OF_SUIT.items()}
_WORDS = {
    **{name: name for name in _LETTERS.values()},
    **{name.removesuffix("s"): name for name in _LETTERS.values()},
}
_VARIABLES = frozenset({"M", "m", "oM", "om", "X", "Y", "Z"})


@dataclass(frozen=True, slots=True)
class DescriptionToken:
    """A piece of a description.

    Attributes:
        kind: `quoted`, `suit`, `number`, `word` or `sign`.
        text: as it was written; without its quotes if quoted.
        value: a suit's word in the language, a word in small letters, else the text.
        start: where it begins in the description.
        end: where it ends.
    """

    kind: str
    text: str
    value: str
    start: int
    end: int


def tokens_of(text: str) -> list[DescriptionToken]:
    """Return the tokens of a description; nothing but blanks is left out."""
    return [_token(match) for match in _TOKEN.finditer(text)]


def _token(match: re.Match[str]) -> DescriptionToken:
    kind, text = str(match.lastgroup), match.group()
    value = text
    if kind == "suit":
        name = text.removeprefix("!")
        value = name if name in _VARIABLES else _SYMBOLS.get(name) or _LETTERS[name.lower()]
    elif kind == "word":
        value = text.lower()
        if value in _WORDS:
            kind, value = "suit", _WORDS[value]
    elif kind == "quoted":
        value = text = re.sub(r"\\(.)", r"\1", text[1:-1])
    return DescriptionToken(kind, text, value, match.start(), match.end())


Tokens = Sequence[DescriptionToken]
_Range = tuple[ast.Range, int] | None

_LONGEST = 7
"""A range that reaches further counts points, as suits of notes are seldom longer."""

_BOUNDS = (
    (("at", "most"), False, 0),
    (("up", "to"), False, 0),
    (("max",), False, 0),
    (("maximum",), False, 0),
    (("<=",), False, 0),
    (("<",), False, -1),
    (("less", "than"), False, -1),
    (("fewer", "than"), False, -1),
    (("at", "least"), True, 0),
    (("min",), True, 0),
    (("minimum",), True, 0),
    ((">=",), True, 0),
    ((">",), True, 1),
    (("more", "than"), True, 1),
)
"""Words before a number, whether it is then the least, and what is added to it."""

_COUNTED = {"hcp", "hcps", "p", "pt", "pts", "point", "points"}


def starts(tokens: Tokens, at: int, words: Sequence[str]) -> bool:
    """Return True if some words stand at a place."""
    end = at + len(words)
    # The first word alone decides most of the time.
    if end > len(tokens) or tokens[at].value != words[0]:
        return False
    return all(
        token.value == word and token.kind != "quoted"
        for token, word in zip(tokens[at:end], words, strict=True)
    )


def is_at(tokens: Tokens, at: int, kind: str, *values: str) -> bool:
    """Return True if a token of a kind, and of one of some values if any, stands at a place."""
    return (
        at < len(tokens) and tokens[at].kind == kind and (not values or tokens[at].value in values)
    )


def suit_at(tokens: Tokens, at: int) -> str | None:
    """Return the suit word at a place."""
    return tokens[at].value if is_at(tokens, at, "suit") else None


def _one_range(tokens: Tokens, at: int) -> _Range:
    for words, is_low, step in _BOUNDS:
        end = at + len(words)
        if starts(tokens, at, words) and is_at(tokens, end, "number"):
            value = Fraction(tokens[end].value) + step
            return ast.Range(value if is_low else None, None if is_low else value), end + 1
    if is_at(tokens, at, "word", "exactly", "precisely") and is_at(tokens, at + 1, "number"):
        exact = Fraction(tokens[at + 1].value)
        return ast.Range(exact, exact), at + 2
    if not is_at(tokens, at, "number"):
        return None
    low_end = Fraction(tokens[at].value)
    if is_at(tokens, at + 1, "sign", "+"):
        if is_at(tokens, at + 2, "sign", "-", "\u2013") or starts(tokens, at + 2, ("to",)):
            # A good 14 to 17: a plus within a range of points is finer than a bound can be.
            high = tokens[at + 3] if is_at(tokens, at + 3, "number") else None
            if high is not None and min(low_end, Fraction(high.value)) > _LONGEST:
                return ast.Range(low_end, Fraction(high.value)), at + 4
        return ast.Range(low_end, None), at + 2
    # `5=!h`: exactly five.
    if is_at(tokens, at + 1, "sign", "=") and is_at(tokens, at + 2, "suit"):
        return ast.Range(low_end, low_end), at + 2
    dashes = at + 1
    while is_at(tokens, dashes, "sign", "-", "\u2013", "\u2014"):
        dashes += 1
    # `12 to 14`.
    if dashes == at + 1 and starts(tokens, at + 1, ("to",)):
        dashes += 1
    if dashes > at + 1 and is_at(tokens, dashes, "number"):
        high_end = Fraction(tokens[dashes].value)
        return ast.Range(low_end, high_end), dashes + 1
    # `-5!h` after a number, or `11-`: at most so many.
    if dashes == at + 2 and (
        is_at(tokens, dashes, "suit") or is_at(tokens, dashes, "word", *_COUNTED)
    ):
        return ast.Range(None, low_end), dashes
    for words, upward in (
        (("or", "more"), True),
        (("or", "less"), False),
        (("or", "fewer"), False),
    ):
        if starts(tokens, at + 1, words):
            return ast.Range(low_end if upward else None, None if upward else low_end), at + 3
    return ast.Range(low_end, low_end), at + 1


def ranges_at(tokens: Tokens, at: int) -> tuple[tuple[ast.Range, ...], int] | None:
    """Return one or more ranges with `|` between them, or `12-14 or 18-19` and `12-14/18-19`."""
    read = _one_range(tokens, at)
    if read is None:
        return None
    ranges = [read[0]]
    # Ranges of the same sort alone: `12-14 or 5+` is of points and of cards.
    while is_at(tokens, read[1], "sign", "|") or _goes_on(tokens, read):
        more = _one_range(tokens, read[1] + 1)
        if more is None:
            break
        read = more
        ranges.append(read[0])
    return tuple(ranges), read[1]


def _goes_on(tokens: Tokens, found: tuple[ast.Range, int]) -> bool:
    """Return True if `or` and a second range of the same sort come next."""
    first, at = found
    if not (is_at(tokens, at, "sign", "/") or starts(tokens, at, ("or",))):
        return False
    more = _one_range(tokens, at + 1)
    if more is None or first.low is None or more[0].low is None:
        return False
    return (
        first.low != first.high
        and first.low < more[0].low
        and more[0].low != more[0].high
        and _is_strength(first) is _is_strength(more[0])
    )


def _is_strength(one: ast.Range) -> bool:
    """Return True if a range is more likely of points than of cards."""
    return (one.high or one.low or 0) > _LONGEST


_Value = TypeVar("_Value")


class PhraseTable(Generic[_Value]):
    """Values by phrases, each a run of words in small letters."""

    def __init__(self, entries: Iterable[tuple[tuple[str, ...], _Value]]) -> None:
        """Keep entries; of equal phrases the first one counts."""
        self._by_first: dict[str, list[tuple[tuple[str, ...], _Value]]] = {}
        for words, value in entries:
            self._by_first.setdefault(words[0], []).append((words, value))
        for entries_of_word in self._by_first.values():
            # The longest phrase first: "transfer to" before "transfer".
            entries_of_word.sort(key=lambda entry: -len(entry[0]))

    def longest(self, tokens: Tokens, at: int) -> tuple[_Value, int] | None:
        """Return the value of the longest phrase that stands at a place, and the place after it."""
        if at >= len(tokens):
            return None
        for words, value in self._by_first.get(tokens[at].value, ()):
            if starts(tokens, at, words):
                return value, at + len(words)
        return None


# ---------------------------------------------------------------------- statements


@dataclass
class Description:
    """The content of a description.

    Attributes:
        conditions: what the hand has; all of it holds.
        any_hand: it says that every hand does this.
        rest: it says that every hand does this that makes no other call of the table.
        actions: what the call does.
        optional: a player is free to do it.
        text: the author's own words, where they stand in quotes.
        unread: the words that were not understood, in order.
        notes: what was read into the words.
        strength: what is said of strength without points: `game`, `invitation`, `invitation+`
            or `below game`; empty for nothing.
        named: names of conventions and purposes, which leave the hands to other words.
    """

    conditions: list[ast.Condition] = field(default_factory=list)
    any_hand: bool = False
    rest: bool = False
    actions: list[ast.Action] = field(default_factory=list)
    optional: bool = False
    text: str | None = None
    unread: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    strength: str = ""
    named: list[str] = field(default_factory=list)

    @property
    def condition(self) -> ast.Condition | None:
        """The condition as a whole; None if the words name none."""
        items: list[ast.Condition] = []
        for condition in self.conditions:
            # Nested conjunctions are one: the order of the items is all that is left.
            items += condition.items if isinstance(condition, ast.And) else [condition]
        if len(items) < 2:
            return items[0] if items else None
        return ast.And(tuple(items))

    @property
    def is_rule(self) -> bool:
        """True if it names the hands that make the call, and all of it was understood."""
        return (bool(self.conditions) or self.any_hand) and not self.unread

    def act(self, actions: Iterable[ast.Action]) -> None:
        """Add actions; one of a kind is enough."""
        # One of a kind: "GF, forcing" is a game force.
        kinds = {action.kind for action in self.actions}
        self.actions += [action for action in actions if action.kind not in kinds]


@dataclass(frozen=True, slots=True)
class DescriptionContext:
    """The things that words of a description refer to.

    Attributes:
        partner_suit: the suit that "support" and "trumps" mean, a word of the language.
        own_suit: the suit that is bid: "a six-card suit".
        next_suit: the suit above the call's, shown by a transfer to the next suit.
        their_suit: the one suit that they have bid: "a stopper", "takeout".
        partner_bid: whether partner has bid.
        below_game: whether the call is below game.
        points: the least and the most points that the player's earlier calls show: "max".
        exported: whether it is this program's own words: of strength they say all in points.
        bid_by_partner: the suits that partner has bid, whatever these bids show.
        is_natural: whether no word says that the call is about another suit than its own.
        is_solid: whether the description speaks of a solid suit.
        is_gambling: whether it says that the call is gambling.
    """

    partner_suit: str | None = None
    own_suit: str | None = None
    their_suit: str | None = None
    partner_bid: bool = False
    below_game: bool = True
    exported: bool = False
    next_suit: str | None = None
    points: tuple[int, int] | None = None
    bid_by_partner: frozenset[str] = frozenset()
    is_natural: bool = True
    is_solid: bool = False
    is_gambling: bool = False


ANY_HAND = (
    "any hand",
    "all hands",
    "any",
    "any shape",
    "as asked",
    "forced",
    "compulsory",
    "completes the transfer",
    "completes transfer",
    "accepts the transfer",
    "accepts transfer",
)
"""Words for no condition at all."""

REST = (
    "any other hand",
    "all other hands",
    "all others",
    "anything else",
    "everything else",
    "otherwise",
    "the rest",
    "rest",
    "other hands",
)
"""Words for the hands that make no other call of the table."""

ACTIONS: dict[str, tuple[ast.Action, ...]] = {
    **dict.fromkeys(
        (
            "gf",
            "fg",
            "game force",
            "game forced",
            "game forcing",
            "game-forcing",
            "forcing to game",
        ),
        (ast.Action("forcing_game"),),
    ),
    "forcing game": (ast.Action("forcing_game"),),
    **dict.fromkeys(
        ("inv +", "inv or better", "invitational or better", "invitational +"),
        (ast.Action("forcing"),),
    ),
    **dict.fromkeys(
        (
            "forcing",
            "f",
            "f 1",
            "one round force",
            "forcing one round",
            "forcing for one round",
            "f1",
        ),
        (ast.Action("forcing"),),
    ),
    **dict.fromkeys(
        ("inv", "invite", "invites", "invitation", "invitational"), (ast.Action("invitational"),)
    ),
    **dict.fromkeys(("nf", "non-forcing", "nonforcing"), (ast.Action("nonforcing"),)),
    **dict.fromkeys(
        ("signoff", "sign-off", "sign off", "s/o", "to play"), (ast.Action("signoff"),)
    ),
    **dict.fromkeys(("art", "artificial", "conv", "conventional"), (ast.Action("artificial"),)),
    **dict.fromkeys(("nat", "natural"), (ast.Action("natural"),)),
    **dict.fromkeys(("relay", "puppet"), (ast.Action("artificial"), ast.Action("forcing"))),
}
"""The actions of a call, by the words for them. "Invitational or better" is forcing."""

CONVENTIONS = (
    *("Stayman", "Blackwood", "Gerber", "Michaels", "Drury", "Smolen", "Lebensohl"),
    *("Cappelletti", "Landy", "Texas", "Bergen", "Jacoby", "RKCB", "Ogust", "Multi", "Muiderberg"),
    *("Checkback", "DONT", "Truscott", "Flannery", "XYZ", "Ghestem", "Kokish", "Gambling"),
    *("Unusual", "Unusual 2NT", "Jacoby 2NT"),
)
"""Names that leave the hands of the call to other words."""

PURPOSES = (
    *("negative", "negative double", "penalty", "penalties", "penalty double", "responsive"),
    *("super-accept", "superaccept", "super accept"),
    *("support double", "competitive", "lead-directing", "quantitative", "fourth suit", "new suit"),
    *("weak jump shift", "wjs", "jump shift", "jump overcall", "weak jump overcall", "wjo"),
    *("cue", "cue-bid", "cuebid", "double", "overcall", "opening", "response", "raise", "rebid"),
)
"""Words for the purpose of a call; the suits are in other words."""

AMOUNTS = (
    *(
        "weak",
        "strong",
        "preemptive",
        "preempt",
        "pre",
        "pre-emptive",
        "constructive",
        "limit",
        "limit raise",
        "minimum",
    ),
    *("maximum", "min", "max", "extras", "mixed raise", "weak two", "slam try", "slam interest"),
)
"""Words for a strength that everybody sees in his own way; the points are in other words."""

STRENGTHS = {
    "forcing_game": "game",
    "invitational": "invitation",
    "signoff": "below game",
}
"""The strength that an action of a call implies, where no points are given."""

OR_BETTER = frozenset({"inv +", "inv or better", "invitational or better", "invitational +"})
"""Words for an invitation that may be a game force."""

TRANSFERS = ("transfer to", "trf to", "tfr to", "xfer to", "transfer", "trf", "tfr", "xfer")
"""Words before the suit that a transfer shows."""

NOISE = frozenset(
    {"with", "a", "an", "the", "hand", "hands", "has", "have", "having", "show", "shows"}
    | {"showing", "hold", "holds", "promises", "of", "in", "suit", "suits", "cards"}
)
"""Words that say nothing between others."""

HEDGES = frozenset(
    {"may", "might", "often", "sometimes", "could", "perhaps", "possibly", "maybe", "can"}
)
"""Words that make the following facts mere possibilities."""

ENDS = frozenset(",;.:")
"""Signs between statements."""


PREEMPTS = frozenset({"preemptive", "preempt", "pre", "pre-emptive"})
"""Words for a hand with a long suit and few points."""

PREEMPT = 10
"""The most high-card points of a preempt that gives none."""

LEAST, MOST = frozenset({"min", "minimum"}), frozenset({"max", "maximum"})
"""Words for the lower and the upper half of the points shown so far."""

SPLINTERS = ("splinter", "spl")

Found = tuple[ast.Condition, int] | None

_MAJORS, _MINORS = ("hearts", "spades"), ("clubs", "diamonds")
_SYNONYMS: dict[tuple[str, ...], str] = {
    ("high", "card", "points"): "hcp",
    ("hcps",): "hcp",
    ("total", "points"): "points",
    ("pts",): "hcp",
    ("p",): "hcp",
    ("ace",): "aces",
    ("king",): "kings",
    ("control",): "controls",
    ("loser",): "losers",
    ("ptricks",): "playing_tricks",
    ("qt",): "quick_tricks",
}


def _by_words(
    names: Mapping[str, str], others: dict[tuple[str, ...], str] | None = None
) -> PhraseTable[str]:
    """Return names by their English words, and by other words where there are some."""
    entries = {tuple(words.split()): name for name, words in names.items()} | (others or {})
    return PhraseTable(entries.items())


# Of a range of a king each player halves it alike; of a wider one nobody knows.
MOST_HALVED = 7
"""The widest range of points with halves that everybody divides alike."""

_NUMBERS = _by_words(english.NUMBERS, _SYNONYMS)
_SUIT_NUMBERS = _by_words(english.SUIT_NUMBERS)
_OTHER_FACTS: dict[tuple[str, ...], str] = {
    ("bal",): "balanced",
    ("semibal",): "semibalanced",
    ("semi-bal",): "semibalanced",
    ("semibalanced",): "semibalanced",
    ("unbal",): "unbalanced",
}
_FACTS = _by_words(english.FACTS, _OTHER_FACTS)
_OTHER_SUIT_FACTS: dict[tuple[str, ...], str] = {
    ("stop", "in"): "stopper",
    ("void",): "void",
    ("singleton",): "singleton",
    ("doubleton",): "doubleton",
    ("longest", "suit"): "longest",
}
_SUIT_FACTS = _by_words(english.SUIT_FACTS, _OTHER_SUIT_FACTS)
_AFTER_SUIT = {"stopper": "stopper", "stop": "stopper", "void": "void", "singleton": "singleton"}
_LEAST_HCP = 7
"""A bare range that reaches this far counts high-card points."""


# ---------------------------------------------------------------------- numbers


def _factor(tokens: Tokens, at: int) -> tuple[ast.Expr, int] | None:
    if is_at(tokens, at, "sign", "("):
        inner = _sum(tokens, at + 1)
        if inner and is_at(tokens, inner[1], "sign", ")"):
            return inner[0], inner[1] + 1
        return None
    # A number of a suit goes before the number of the hand that has the same words.
    suited = _SUIT_NUMBERS.longest(tokens, at)
    if suited and (suit := suit_at(tokens, suited[1])):
        return ast.Apply(suited[0], (ast.Name(suit),)), suited[1] + 1
    named = _NUMBERS.longest(tokens, at)
    if named:
        return ast.Name(named[0]), named[1]
    if suit := suit_at(tokens, at):
        return ast.Name(suit), at + 1
    if is_at(tokens, at, "number"):
        return ast.Number(Fraction(tokens[at].value)), at + 1
    return None


def _chain(tokens: Tokens, at: int, words: Sequence[str]) -> tuple[ast.Expr, int] | None:
    """Return operands with some operators between them, from the left."""
    operand = _factor if words == ("times",) else _product
    total = operand(tokens, at)
    # From the left, as sums are meant.
    while total and is_at(tokens, total[1], "word", *words):
        op = next(o for o, word in english.OPERATORS.items() if word == tokens[total[1]].value)
        right = operand(tokens, total[1] + 1)
        if right is None:
            return None
        total = ast.Binary(op, total[0], right[0]), right[1]
    return total


def _product(tokens: Tokens, at: int) -> tuple[ast.Expr, int] | None:
    return _chain(tokens, at, ("times",))


def _sum(tokens: Tokens, at: int) -> tuple[ast.Expr, int] | None:
    return _chain(tokens, at, ("plus", "minus"))


def comparison(tokens: Tokens, at: int) -> Found:
    """Read `!S >= !H`."""
    left = _sum(tokens, at)
    if left is None or not is_at(tokens, left[1], "sign", ">=", "<=", ">", "<", "=", "!="):
        return None
    right = _sum(tokens, left[1] + 1)
    if right is None or isinstance(left[0], ast.Number):
        return None
    return ast.Compare(tokens[left[1]].value, left[0], right[0]), right[1]


# ------------------------------------------------------------------------ counts


def length(suit: str, ranges: tuple[ast.Range, ...]) -> ast.Condition:
    """Return the condition of a suit's length."""
    return ast.InRange(ast.Name(suit), ranges)


def _either(suits: Sequence[str], ranges: tuple[ast.Range, ...]) -> ast.Condition:
    return ast.Or(tuple(length(suit, ranges) for suit in suits))


def _minimum(ranges: tuple[ast.Range, ...]) -> tuple[ast.Range, ...]:
    """Return ranges; a plain number as a minimum, as in `a 4-card major`."""
    if len(ranges) == 1 and ranges[0].low == ranges[0].high:
        return (ast.Range(ranges[0].low, None),)
    return ranges


def counted(tokens: Tokens, at: int) -> Found:
    """Read a range and the number that it bounds."""
    read = ranges_at(tokens, at)
    if read is None:
        return None
    ranges, end = read
    if is_at(tokens, end, "word", "cm", "cmajor", "cminor"):
        major = tokens[end].text in ("cM", "CM", "cmajor")
        return _either(_MAJORS if major else _MINORS, _minimum(ranges)), end + 1
    # "cM" counts cards in a major.
    named = _NUMBERS.longest(tokens, end)
    if named and tokens[end].value in ("card", "cards"):
        return ast.InRange(ast.Name(named[0]), ranges), named[1]
    place = end
    if is_at(tokens, place, "sign", "-") and is_at(tokens, place + 1, "word", "card", "cards"):
        place += 1
    if is_at(tokens, place, "word", "card", "cards", "c"):
        place += 1
        if is_at(tokens, place, "word", "in"):
            place += 1
    carded = place > end
    if is_at(tokens, place, "word", "major", "majors", "minor", "minors"):
        suits = _MAJORS if tokens[place].value.startswith("major") else _MINORS
        return _either(suits, _minimum(ranges) if carded else ranges), place + 1
    # After "cards" only a suit is counted.
    if not carded or suit_at(tokens, place):
        total = _sum(tokens, place)
        if total and not isinstance(total[0], ast.Number):
            after = total[1] + is_at(tokens, total[1], "word", "suit")
            return ast.InRange(total[0], ranges), after
    if carded:
        return None
    return _bare(ranges, end, tokens)


_LONGEST_RANGE = 6
"""After a suit a closed range that ends higher may be of points: `hearts 5-8`."""


def suit_first(tokens: Tokens, at: int) -> Found:
    """Read `diamonds 6+` and `a minor 4+`: the range after what it counts."""
    if at and is_at(tokens, at - 1, "word", "in", "of", "to", "over", "after", "agrees"):
        return None
    read = ranges_at(tokens, at + 1) if at + 1 < len(tokens) else None
    if read is None or len(read[0]) > 1 or suit_at(tokens, read[1]):
        return None
    low, high = read[0][0].low, read[0][0].high
    if low is None or low > _LONGEST_RANGE + 1 or (high or low) > _LONGEST_RANGE + (low == high):
        return None
    if suit := suit_at(tokens, at):
        return length(suit, read[0]), read[1]
    if low != high and is_at(tokens, at, "word", "major", "minor"):
        return _either(_MAJORS if tokens[at].value == "major" else _MINORS, read[0]), read[1]
    return None


_LONGEST_HELD = 9
"""A range that ends above it counts points."""


def counts_suit(tokens: Tokens, at: int) -> bool:
    """Return True if a range of few cards and a suit stand at a place."""
    read = ranges_at(tokens, at)
    return read is not None and suit_at(tokens, read[1]) is not None


def _bare(ranges: tuple[ast.Range, ...], end: int, tokens: Tokens) -> Found:
    """Read a range that counts high-card points though it does not say so."""
    low, high = ranges[0].low, ranges[0].high
    exact = low == high
    follows = is_at(tokens, end, "sign", "/", "=") or is_at(tokens, end, "number")
    if follows and (high or low or 0) > _LONGEST_HELD:  # `12-14 4!S`: two statements
        follows = not (is_at(tokens, end, "number") and counts_suit(tokens, end))
    # A single number, or what fractions and dates look like, is no range of points.
    if exact or follows or (high or low or 0) < _LEAST_HCP:
        return None
    return ast.InRange(ast.Name("hcp"), ranges), end


def is_bare(tokens: Tokens) -> bool:
    """Return True if a clause is a range alone that does not reach as far as points usually do."""
    read = ranges_at(tokens, 0)
    if read is None or read[1] < len(tokens):
        return False
    low, high = read[0][0].low, read[0][0].high
    return low != high and (high or low or 0) < _LEAST_HCP


# ------------------------------------------------------------------------ shapes


def two_suits(tokens: Tokens, at: int) -> Found:
    """Read `minors 5-5`, `5-4 in the majors` and `5+-5+ !H and !S`."""
    pair = _pair(tokens, at)
    if pair is not None:
        # "4-5" in this order is a shape.
        if pair[0][0] < pair[0][1]:
            return None
        place = pair[1]
        for word in ("in", "the", "both"):
            place += is_at(tokens, place, "word", word)
        suits = _two(tokens, place)
        return None if suits is None else (_lengths(suits[0], pair[0]), suits[1])
    suits = _two(tokens, at + is_at(tokens, at, "word", "both"))
    if suits is None:
        return None
    opened = is_at(tokens, suits[1], "sign", "(")
    pair = _pair(tokens, suits[1] + opened)
    if pair is None or pair[0][0] < pair[0][1]:
        return None
    closed = opened and is_at(tokens, pair[1], "sign", ")")
    return _lengths(suits[0], pair[0]), pair[1] + closed


def _pair(tokens: Tokens, at: int) -> tuple[tuple[int, int], int] | None:
    """Read `5-4`, `5+-4+` or `5/5` as two least lengths."""
    ends: list[int] = []
    place = at
    for number in range(2):
        if not is_at(tokens, place, "number") or not tokens[place].value.isdigit():
            return None
        ends.append(int(tokens[place].value))
        place += 1
        place += is_at(tokens, place, "sign", "+")
        if not number:
            if not is_at(tokens, place, "sign", "-", "/"):
                return None
            place += 1
    return (ends[0], ends[1]), place


def _two(tokens: Tokens, at: int) -> tuple[tuple[str, str], int] | None:
    if is_at(tokens, at, "word", "majors"):
        return _MAJORS, at + 1
    if is_at(tokens, at, "word", "minors"):
        return _MINORS, at + 1
    first = suit_at(tokens, at)
    joined = (
        at + 1 + (is_at(tokens, at + 1, "word", "and") or is_at(tokens, at + 1, "sign", "+", "&"))
    )
    second = suit_at(tokens, joined)
    return ((first, second), joined + 1) if first and second else None


def _lengths(suits: tuple[str, str], ends: tuple[int, int]) -> ast.Condition:
    """Return the condition of two least lengths, either way round if they differ.

    A smaller number first, `4-5`, is a shape in its order: the suits may stand in another one.
    """
    ways = [
        ast.And(
            tuple(
                length(suit, (ast.Range(Fraction(end), None),))
                for suit, end in zip(suits, order, strict=True)
            )
        )
        # Five of the one and four of the other, either way.
        for order in dict.fromkeys((ends, ends[::-1]))
    ]
    return ways[0] if len(ways) == 1 else ast.Or(tuple(ways))


def shape(tokens: Tokens, at: int) -> Found:
    """Read `5431`, `4=4=3=2`, `5-4-3-1` and `shape 5431|4441`."""
    named = is_at(tokens, at, "word", "shape")
    patterns: list[str] = []
    place = at + named
    while (pattern := _one_shape(tokens, place)) is not None:
        patterns.append(pattern[0])
        place = pattern[1]
        if not is_at(tokens, place, "sign", "|", "/"):
            break
        place += 1
    if patterns and is_at(tokens, place, "word", "any"):  # `3=3=3=4 any`: in any order
        patterns = ["".join(sorted(each.replace("=", ""), reverse=True)) for each in patterns]
        place += 1
    return (ast.Shape(tuple(patterns)), place) if patterns else None


_MOST_IN_SHAPE = 7
"""Tokens of the longest shape, four numbers and what stands between them."""


def _one_shape(tokens: Tokens, at: int) -> tuple[str, int] | None:
    end = at
    while end < min(len(tokens), at + _MOST_IN_SHAPE + 1) and (
        tokens[end].kind in ("number", "word")
        or (tokens[end].kind == "sign" and tokens[end].value in "=-")
    ):
        # Blanks separate numbers that are no shape.
        if end > at and tokens[end].start != tokens[end - 1].end:
            break
        end += 1
    text = "".join(token.text for token in tokens[at:end])
    for separator in ("", "=", "-"):
        digits = text.split(separator) if separator else list(text)
        if len(digits) == 4 and all(d == "x" or d.isdecimal() for d in digits):
            # Four digits that are no hand of thirteen cards, such as a year.
            if "x" not in digits and sum(map(int, digits)) != 13:
                return None
            # Figures that do not fall, such as 1444, are spades, hearts, diamonds and clubs.
            unsorted = "x" not in digits and digits != sorted(digits, reverse=True)
            return ("=" if separator == "=" or unsorted else "").join(digits), end
    return None


# ------------------------------------------------------------------------- facts


def fact(tokens: Tokens, at: int) -> Found:
    """Read `balanced`, `stopper in !H`, `!H stopper` or `ace of !S`."""
    suited = _SUIT_FACTS.longest(tokens, at)
    if suited:
        place = suited[1] + is_at(tokens, suited[1], "word", "in")
        if suit := suit_at(tokens, place):
            return ast.Fact(ast.Apply(suited[0], (ast.Name(suit),))), place + 1
        # "a void" alone asks for some void.
        if suited[0] in ("void", "singleton", "doubleton") and suited[1] == at + 1:
            some = (ast.Range(Fraction(1), None),)
            return ast.InRange(ast.Name(f"{suited[0]}s"), some), at + 1
    named = _FACTS.longest(tokens, at)
    if named:
        return ast.Fact(ast.Name(named[0])), named[1]
    if is_at(tokens, at, "word", "flat"):
        return ast.Shape(("4333",)), at + 1
    for letter, words in english.HONOURS.items():
        if starts(tokens, at, words.split()) and (suit := suit_at(tokens, at + 2)):
            card = ast.Name(f"{suit[0].upper()}{letter}")
            return ast.Fact(ast.Apply("has", (card,))), at + 3
    suit = suit_at(tokens, at)
    if suit and is_at(tokens, at + 1, "word", *_AFTER_SUIT):
        name = _AFTER_SUIT[tokens[at + 1].value]
        return ast.Fact(ast.Apply(name, (ast.Name(suit),))), at + 2
    return None


READERS = (shape, comparison, two_suits, counted, suit_first, fact)
"""The readers, in the order of trial."""


GAME = 25
"""High-card points together for game."""

_INVITED = 23
_POINTS = frozenset({"hcp", "points", "losers", "playing_tricks", "controls", "combined"})


@dataclass(frozen=True, slots=True)
class Habit:
    """A reading of words of the trade.

    Attributes:
        condition: what the hand has.
        end: the place after the words.
        note: what was read into them; empty for nothing.
        actions: what the call does by these words.
    """

    condition: ast.Condition
    end: int
    note: str = ""
    actions: tuple[ast.Action, ...] = ()


def _least(number: int) -> tuple[ast.Range, ...]:
    return (ast.Range(Fraction(number), None),)


def _most(number: int) -> tuple[ast.Range, ...]:
    return (ast.Range(None, Fraction(number)),)


def _support(tokens: Tokens, at: int, context: DescriptionContext) -> Habit | None:
    """Read `3+ support`, `4 trumps` as partner's suit, `6-card suit` as the suit bid."""
    read = ranges_at(tokens, at)
    if read is None:
        return None
    for suit, nouns in (
        (context.partner_suit, ("support", "trumps", "fit")),
        (context.own_suit, ("suit",)),
    ):
        for noun in nouns:
            for card in ((), ("card",), ("-", "card"), ("cards",), ("c",)):
                if suit is not None and starts(tokens, read[1], (*card, noun)):
                    return Habit(length(suit, read[0]), read[1] + len(card) + 1)
    return None


_CLASSES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(_MAJORS, ("major", "hearts", "spades")),
    **dict.fromkeys(("M", "oM"), ("major", "hearts", "spades")),
    **dict.fromkeys(_MINORS, ("minor", "clubs", "diamonds")),
    **dict.fromkeys(("m", "om"), ("minor", "clubs", "diamonds")),
}
"""The class of a suit's word, and the suits of that class."""

_SUITS_OF_CLASS = {"minor": _MINORS, "major": _MAJORS, "suit": (*_MINORS, *_MAJORS)}

_NUMBER_WORDS = {word: Fraction(number) for number, word in enumerate(NUMBER_WORDS[3:9], 3)}


def _card_class(tokens: Tokens, at: int, context: DescriptionContext) -> Habit | None:
    """Read `6 card major`, `5+cM` and `four-card minor` as the suit bid if it is of that class.

    After a transfer it is the suit above; if that is of the other class, nobody knows which.
    """
    ranges: tuple[ast.Range, ...]
    read = ranges_at(tokens, at)
    if read is not None:
        ranges, place = read
        place += is_at(tokens, place, "sign", "-") and is_at(tokens, place + 1, "word", "card")
        place += is_at(tokens, place, "word", "card", "cards", "c")
        if is_at(tokens, place, "word", "cm", "cmajor", "cminor"):
            kind = "minor" if tokens[place].text in ("cm", "Cm", "cminor") else "major"
        elif is_at(tokens, place, "word", "major", "minor"):
            kind = tokens[place].value
        else:
            return None
    else:
        if not is_at(tokens, at, "word"):
            return None
        word = tokens[at].value.removesuffix("-card")
        if word not in _NUMBER_WORDS:
            return None
        number = _NUMBER_WORDS[word]
        ranges = (ast.Range(number, number),)
        place = at + 1
        place += is_at(tokens, place, "word", "card")
        if not is_at(tokens, place, "word", "major", "minor"):
            return None
        kind = tokens[place].value
    suit_bid = context.own_suit
    # Of another class than the call's suit it is about some suit that is not said.
    if suit_bid is None or _CLASSES.get(suit_bid, ("",))[0] != kind:
        return None
    return Habit(length(suit_bid, ranges), place + 1)


def _counted_in_words(tokens: Tokens, at: int, context: DescriptionContext) -> Habit | None:
    """Read `four-card major`, `five-card suit`, the number in words."""
    for number, word in enumerate(NUMBER_WORDS[3:8], 3):
        for kind, suits in (
            ("major", ("hearts", "spades")),
            ("minor", ("clubs", "diamonds")),
            ("suit", (context.own_suit,)),
            ("support", (context.partner_suit,)),
        ):
            for words in ((f"{word}-card", kind), (word, "card", kind)):
                if starts(tokens, at, words) and None not in suits:
                    lengths = [length(suit, _least(number)) for suit in suits if suit]
                    condition = lengths[0] if len(lengths) == 1 else ast.Or(tuple(lengths))
                    return Habit(condition, at + len(words))
    return None


def _no_major(tokens: Tokens, at: int, context: DescriptionContext) -> Habit | None:
    """Read `no major` as four cards in neither."""
    for words in (
        ("no", "major"),
        ("no", "majors"),
        ("without", "a", "major"),
        ("without", "major"),
        ("without", "majors"),
        ("denies", "major"),
    ):
        if starts(tokens, at, words):
            neither = tuple(length(suit, _most(3)) for suit in ("hearts", "spades"))
            note = "no major was read as at most three cards in each"
            return Habit(ast.And(neither), at + len(words), note)
    return _no_long_major(tokens, at, context)


def _no_long_major(tokens: Tokens, at: int, context: DescriptionContext) -> Habit | None:
    """Read `no 4M`, `without 5cM` as fewer cards in both majors; nothing in the row of a major."""
    if not is_at(tokens, at, "word", "no", "without", "denies", "w/o"):
        return None
    # Beside the player's own major nobody knows which other one is denied.
    if context.own_suit in _MAJORS or not is_at(tokens, at + 1, "number", "4", "5"):
        return None
    place = at + 2
    if not is_at(tokens, place, "word", "m", "cm") or tokens[place].text not in (
        "M",
        "cM",
        "CM",
    ):
        return None
    fewer = _most(int(tokens[at + 1].value) - 1)
    return Habit(ast.And(tuple(length(suit, fewer) for suit in _MAJORS)), place + 1)


def _own_cards(tokens: Tokens, at: int, context: DescriptionContext) -> Habit | None:
    """Read `6 cards` and `7c`, where nothing else stands between the stops, as the suit bid."""
    read = None if at else ranges_at(tokens, at)
    if read is None or context.own_suit is None or not context.is_natural:
        return None
    place = read[1]
    place += is_at(tokens, place, "sign", "-") and is_at(tokens, place + 1, "word", "card")
    if place + 1 != len(tokens) or not is_at(tokens, place, "word", "card", "cards", "c"):
        return None
    return Habit(length(context.own_suit, read[0]), place + 1)


_SOLID_SUIT = re.compile(r"akqj?x{2,6}")
_NOTHING_OUTSIDE = PhraseTable(
    (tuple(words.split()), words)
    for words in (
        "nothing outside",
        "nothing else",
        "no ace or king outside",
        "no a or k outside",
        "no outside ace or king",
        "no side ace or king",
    )
)
_SOLID_CONTROLS = 3
"""Controls of the ace and the king of a suit, an ace counted as two."""


def _solid(tokens: Tokens, at: int, context: DescriptionContext) -> Habit | None:
    """Read `solid 7-card minor`, `solid suit of seven` and `AKQxxxx in a minor`.

    The suit has the three top honours. Without its length, as of a 3NT that is called gambling, it
    has seven cards or more; elsewhere nobody knows how many, and it is not read.
    """
    ranges: tuple[ast.Range, ...] = ()
    place = at + 1
    if is_at(tokens, at, "word", "solid"):
        read = ranges_at(tokens, place)
        if read is not None:
            ranges, place = read
            place += is_at(tokens, place, "sign", "-")
            place += is_at(tokens, place, "word", "card", "cards", "c")
        elif is_at(tokens, place, "word") and (
            number := _NUMBER_WORDS.get(tokens[place].value.removesuffix("-card"))
        ):
            ranges, place = (ast.Range(number, number),), place + 1
    elif is_at(tokens, at, "word") and _SOLID_SUIT.fullmatch(tokens[at].value):
        number = Fraction(len(tokens[at].value))
        ranges = (ast.Range(number, number),)
        place += is_at(tokens, place, "word", "in") and is_at(tokens, place + 1, "word", "a")
        place += is_at(tokens, place, "word", "in", "a")
    else:
        return None
    suits = _SUITS_OF_CLASS.get(tokens[place].value) if is_at(tokens, place, "word") else None
    if suits is None or (context.own_suit is not None and context.is_natural):
        return None
    place += 1
    if is_at(tokens, place, "word", "of") and is_at(tokens, place + 1, "word", *_NUMBER_WORDS):
        number = _NUMBER_WORDS[tokens[place + 1].value]
        ranges, place = (ast.Range(number, number),), place + 2
    note = ""
    if not ranges:
        if not context.is_gambling:
            return None
        ranges, note = _least(7), "a gambling bid was read as seven cards or more of a solid suit"
    three = (ast.Range(Fraction(3), Fraction(3)),)
    ways = tuple(
        ast.And((length(suit, ranges), ast.InRange(ast.Apply("top3", (ast.Name(suit),)), three)))
        for suit in suits
    )
    return Habit(ast.Or(ways), place, note)


def _nothing_outside(tokens: Tokens, at: int, context: DescriptionContext) -> Habit | None:
    """Read `nothing outside` beside a solid suit as no other ace and king."""
    words = _NOTHING_OUTSIDE.longest(tokens, at)
    if words is None or not context.is_solid:
        return None
    three = (ast.Range(Fraction(_SOLID_CONTROLS), Fraction(_SOLID_CONTROLS)),)
    return Habit(ast.InRange(ast.Name("controls"), three), words[1])


def _no_shortness(tokens: Tokens, at: int, context: DescriptionContext) -> Habit | None:
    """Read `no shortness` as neither a singleton nor a void."""
    if not starts(tokens, at, ("no", "shortness")):
        return None
    # None at all, of either kind.
    none = (ast.Range(Fraction(0), Fraction(0)),)
    both = tuple(ast.InRange(ast.Name(name), none) for name in ("singletons", "voids"))
    return Habit(ast.And(both), at + 2)


def _short(tokens: Tokens, at: int, context: DescriptionContext) -> Habit | None:
    """Read `short !C`, `singleton or void in !C` as at most one card there."""
    for words in (
        ("short",),
        ("shortness",),
        ("singleton", "or", "void"),
        ("void", "or", "singleton"),
        ("singleton", "/", "void"),
        ("singleton/void",),
        ("at", "most", "a", "singleton"),
    ):
        if starts(tokens, at, words):
            place = at + len(words)
            place += starts(tokens, place, ("in",))
            if suit := suit_at(tokens, place):
                return Habit(length(suit, _most(1)), place + 1)
    return None


def _transfer(tokens: Tokens, at: int, context: DescriptionContext) -> Habit | None:
    for words in TRANSFERS:
        phrase = words.split()
        place = at + len(phrase)
        if starts(tokens, at, phrase) and (suit := suit_at(tokens, place)):
            # A transfer into partner's suit is a raise, whose length is not said.
            if suit in context.bid_by_partner:  # a raise: how long it is, is not said
                return None
            return Habit(
                length(suit, _least(5)),
                place + 1,
                f"a transfer was read as five {suit} or more",
                (ast.Action("artificial"), ast.Action("forcing")),
            )
    return None


_UNNAMED = frozenset({"any", "some", "unspecified", "unknown", "hidden", "undisclosed"})
"""Words before a shortness that is in another suit than the one bid, or may be."""


def _splinter(tokens: Tokens, at: int, context: DescriptionContext) -> Habit | None:
    """Read a splinter as shortness in the suit bid and four cards in partner's suit."""
    suit_bid, partner = context.own_suit, context.partner_suit
    # In the suit that is bid, so partner's has to be another one.
    if not is_at(tokens, at, "word", *SPLINTERS) or suit_bid is None or partner in (None, suit_bid):
        return None
    if at and tokens[at - 1].value in _UNNAMED:
        return None
    assert partner is not None
    return Habit(
        ast.And((length(suit_bid, _most(1)), length(partner, _least(4)))),
        at + 1,
        f"a splinter was read as at most one of {suit_bid} and four {partner} or more",
        (ast.Action("artificial"), ast.Action("forcing_game")),
    )


def _stopper(tokens: Tokens, at: int, context: DescriptionContext) -> Habit | None:
    """Read `stopper` alone as one in the suit that they bid."""
    for words in (("stopper",), ("stop",), ("stopped",), ("guard",)):
        if starts(tokens, at, words) and context.their_suit is not None:
            place = at + 1
            for more in (("in", "their", "suit"), ("in", "opponents", "suit")):
                place += len(more) if starts(tokens, place, more) else 0
            suit = (ast.Name(context.their_suit),)
            return Habit(ast.Fact(ast.Apply("stopper", suit)), place)
    return None


def _takeout(tokens: Tokens, at: int, context: DescriptionContext) -> Habit | None:
    """Read takeout as shortness in their suit and three cards in each of the others."""
    theirs = context.their_suit
    takeouts = [
        words for words in (("takeout",), ("take-out",), ("t/o",)) if starts(tokens, at, words)
    ]
    # "Takeout" says nothing without a suit of theirs.
    if not takeouts or theirs not in SUIT_WORDS:
        return None
    others = tuple(length(suit, _least(3)) for suit in SUIT_WORDS if suit != theirs)
    place = at + 1
    place += starts(tokens, place, ("double",))
    return Habit(
        ast.And((length(theirs, _most(2)), *others)),
        place,
        f"takeout was read as at most two {theirs}, and three cards or more in the other suits",
    )


Reading = Callable[[Tokens, int, DescriptionContext], Habit | None]

READINGS: tuple[Reading, ...] = (
    _support,
    _counted_in_words,
    _transfer,
    _splinter,
    _stopper,
    _takeout,
)
"""The readers, in the order of trial."""

FIRST_READINGS: tuple[Reading, ...] = (
    _short,
    _no_shortness,
    _no_major,
    _card_class,
    _own_cards,
    _solid,
    _nothing_outside,
)
"""Those that come before single statements, which would take a part of their words."""


# --------------------------------------------------------------------- the whole


def settle(found: Description, context: DescriptionContext) -> None:
    """Put words of strength in points, and take names alone for what they are: not enough.

    `GF` without points is 25 together with partner, who has shown some; `INV` 23 or 24. A name
    such as Stayman needs suits beside it, `weak` needs points: everybody means other hands by it.
    """
    names = {
        part.name
        for condition in found.conditions
        for part in parts(condition)
        if isinstance(part, ast.Name | ast.Apply)
    }
    # A name that gives points needs no others.
    pointed = bool(names & _POINTS)
    shaped = bool(names - _POINTS) or any(
        isinstance(part, ast.Shape) for condition in found.conditions for part in parts(condition)
    )
    # Of force and invitation both count together with partner's points.
    if found.strength and not pointed and (found.any_hand or found.conditions):
        _in_points(found, context)
        pointed = not found.unread
    for name in found.named:
        if pointed:
            break
        if name in LEAST | MOST and _is_halved(context):
            assert context.points is not None, "they are halved"
            found.conditions.append(_half(found, name, context.points))
            pointed = True
        elif name in PREEMPTS and shaped:
            found.conditions.append(ast.InRange(ast.Name("hcp"), _most(PREEMPT)))
            found.notes.append(f"a preempt was read as at most {PREEMPT} points")
            pointed = True
    for name in found.named:
        if found.any_hand or (name in LEAST | MOST and _is_halved(context)):
            continue
        if not pointed and name in AMOUNTS:
            found.unread.append(f"{name}, without points")
        elif not shaped:
            found.unread.append(f"{name}, without suits")


def _is_halved(context: DescriptionContext) -> bool:
    """Return True if the points shown so far have a known minimum and maximum half."""
    return context.points is not None and context.points[1] - context.points[0] <= MOST_HALVED


def _half(found: Description, name: str, points: tuple[int, int]) -> ast.Condition:
    """Return the lower half of a range of points with its middle, or the upper half without."""
    low, high = points
    middle = (low + high) // 2
    # The middle belongs to the lower half.
    ends = (low, middle) if name in LEAST else (middle + 1, high)
    found.notes.append(f"{name} of {low} to {high} points was read as {ends[0]} to {ends[1]}")
    return ast.InRange(ast.Name("hcp"), (ast.Range(Fraction(ends[0]), Fraction(ends[1])),))


def _in_points(found: Description, context: DescriptionContext) -> None:
    words, ranges = {
        "game": ("game force", _least(GAME)),
        "invitation": ("an invitation", (ast.Range(Fraction(_INVITED), Fraction(GAME - 1)),)),
        "invitation+": ("an invitation or better", _least(_INVITED)),
        "below game": ("to play", _most(_INVITED - 1)),
    }[found.strength]
    # At game and above "to play" says nothing of strength.
    if found.strength == "below game" and not context.below_game:
        return
    # Without a bid of partner's there are no points to count on.
    if not context.partner_bid:
        found.unread.append(f"{words}, without points")
        return
    together = ast.Apply("combined", (ast.Name("hcp"),))
    found.conditions.append(ast.InRange(together, ranges))
    found.notes.append(f"{words} was read as {_range(ranges[0])} points together")


def _range(one: ast.Range) -> str:
    if one.high is None:
        return f"{one.low}+"
    return f"at most {one.high}" if one.low is None else f"{one.low} or {one.high}"
