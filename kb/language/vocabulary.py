"""Every word of the language with a meaning of its own.

The checker reads the words to know names and arguments, the documentation is checked against
them, and a test holds the compiler to them. The meanings are for bridge players.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cache

from bidwright.kb.logic.feature_records import FactWord, NumberWord
from bidwright.kb.logic.feature_table import FACTS, LENGTH_MAX, NUMBERS, STRENGTH_MAX


class Kind(Enum):
    """The kind of a word; the value is its name in messages."""

    HAND_NUMBER = "a number of the hand"
    HAND_FACT = "a fact about the hand"
    PUBLIC_NUMBER = "a public number"
    PUBLIC_FACT = "a public fact"
    ACTION = "an action"
    CALL = "a call"

    @property
    def is_number(self) -> bool:
        """True if it is compared with a range."""
        return self in (Kind.HAND_NUMBER, Kind.PUBLIC_NUMBER)

    @property
    def is_fact(self) -> bool:
        """True if it stands alone as a condition."""
        return self in (Kind.HAND_FACT, Kind.PUBLIC_FACT)


class Param(Enum):
    """A kind of argument in the brackets after a word; the value is its name in messages."""

    SUIT = "a suit"
    DENOMINATION = "a suit or NT"
    CARD = "a card such as SA or MQ"
    SHAPES = "shapes such as 5431 or 4=4=3=2"
    STRENGTH = "hcp or points"
    CALL_CLASS = "a kind of call such as X, NT, suit or 2C"
    QUESTION = "what was asked, in one word"
    ALTERNATIVE = "the name of an alternative"
    STEPS = "a number of steps"
    TEXT = "a text in quotes"
    OPTIONAL_TEXT = "a text in quotes, or nothing"
    WHOLE_NUMBER = "a whole number"
    NUMBERS = "two or more numbers"
    GROUP = "the name of a group"
    BID = "a bid such as 2NT or 3M"


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the language.

    Attributes:
        name: the word; dotted for public numbers such as `partner.hcp.min`.
        kind: the kind of the word.
        params: the arguments in its brackets, or after an action.
        meaning: one line for players.
        low: the least value of a number; None for no limit.
        high: the greatest value of a number; None for no limit.
    """

    name: str
    kind: Kind
    params: tuple[Param, ...]
    meaning: str
    low: int | None = None
    high: int | None = None

    @property
    def usage(self) -> str:
        """The word as it is written, with a name for each argument."""
        if self.kind is Kind.ACTION or self.params == (Param.SHAPES,):
            return " ".join([self.name, *(_ARGUMENT_NAMES[param] for param in self.params)])
        if not self.params:
            return self.name
        names = [_ARGUMENT_NAMES[param] for param in self.params]
        if names[-2:] == ["S", "S"]:
            names[-1] = "R"
        if self.name == "is":
            return "S is R"
        return f"{self.name}({', '.join(names)})"


_ARGUMENT_NAMES = {
    Param.SUIT: "S",
    Param.DENOMINATION: "D",
    Param.CARD: "SA",
    Param.SHAPES: "5431|4=4=3=2",
    Param.STRENGTH: "hcp",
    Param.CALL_CLASS: "X",
    Param.QUESTION: "aces",
    Param.ALTERNATIVE: "strong",
    Param.STEPS: "n",
    Param.TEXT: '"text"',
    Param.OPTIONAL_TEXT: '["text"]',
    Param.WHOLE_NUMBER: "n",
    Param.BID: "2NT",
    Param.GROUP: "strong",
    Param.NUMBERS: "hcp, points",
}


_SUIT = (Param.SUIT,)

SUIT_NAMES: dict[str, str] = {
    "clubs": "C",
    "diamonds": "D",
    "hearts": "H",
    "spades": "S",
}
"""The suits in conditions, and the letters that also name them there."""


def _number(number: NumberWord) -> Word:
    params = _SUIT if number.is_of_suit else ()
    return Word(number.name, Kind.HAND_NUMBER, params, number.meaning, number.low, number.high)


def _fact(fact: FactWord) -> Word:
    return Word(fact.name, Kind.HAND_FACT, _SUIT if fact.is_of_suit else (), fact.meaning)


HAND_NUMBERS: tuple[Word, ...] = (
    *(Word(name, Kind.HAND_NUMBER, (), f"cards in {name}", 0, LENGTH_MAX) for name in SUIT_NAMES),
    *map(_number, NUMBERS),
    Word(
        "fit",
        Kind.HAND_NUMBER,
        _SUIT,
        "cards in S, and the least that partner has shown there",
        0,
        2 * LENGTH_MAX,
    ),
    Word(
        "combined",
        Kind.HAND_NUMBER,
        (Param.STRENGTH,),
        "own hcp or points, and the least that partner has shown",
        0,
        2 * STRENGTH_MAX,
    ),
    Word("max", Kind.HAND_NUMBER, (Param.NUMBERS,), "the largest of some numbers", 0, None),
    Word("min", Kind.HAND_NUMBER, (Param.NUMBERS,), "the smallest of some numbers", 0, None),
)
"""Words that are compared with a range."""

HAND_FACTS: tuple[Word, ...] = (
    *map(_fact, FACTS),
    Word(
        "has",
        Kind.HAND_FACT,
        (Param.CARD,),
        "holds the card: a suit or its letter, and A K Q J or T",
    ),
    Word("first_control", Kind.HAND_FACT, _SUIT, "ace or void in S"),
    Word("second_control", Kind.HAND_FACT, _SUIT, "king or singleton in S"),
    Word("control", Kind.HAND_FACT, _SUIT, "first or second control in S"),
    Word("longest", Kind.HAND_FACT, _SUIT, "no suit is longer than S"),
    Word("longest_unbid", Kind.HAND_FACT, _SUIT, "S is unbid, and no other unbid suit is longer"),
    Word(
        "shape",
        Kind.HAND_FACT,
        (Param.SHAPES,),
        "suit lengths in any order, with = spades first; x is any number",
    ),
)
"""Words that stand alone as a condition."""


def _known(name: str, meaning: str) -> Word:
    return Word(name, Kind.PUBLIC_FACT, (), meaning)


def _known_of_suit(name: str, meaning: str) -> Word:
    return Word(name, Kind.PUBLIC_FACT, _SUIT, meaning)


def _last(who: str, whom: str) -> Word:
    meaning = f"{whom} last call was a double, a pass, in notrump, ... (see the kinds of call)"
    return Word(f"{who}_last", Kind.PUBLIC_FACT, (Param.CALL_CLASS,), meaning)


def _shown(who: str, whose: str, what: str, meaning: str, high: int) -> tuple[Word, Word]:
    return (
        Word(
            f"{who}.{what}.min", Kind.PUBLIC_NUMBER, (), f"least {meaning} {whose} shown", 0, high
        ),
        Word(f"{who}.{what}.max", Kind.PUBLIC_NUMBER, (), f"most {meaning} {whose} shown", 0, high),
    )


SUIT_WORD = "spades"
"""Stands for any suit word or variable in the dotted names of this table."""

_PLAYERS = (
    ("partner", "partner has"),
    ("me", "I have"),
    ("lho", "the opponent on my left has"),
    ("rho", "the opponent on my right has"),
)

_SHOWN = tuple(
    word
    for who, whose in _PLAYERS
    for what, meaning, high in (
        ("hcp", "high-card points", STRENGTH_MAX),
        ("points", "points (long suits counted)", STRENGTH_MAX),
        (SUIT_WORD, "cards in the suit", LENGTH_MAX),
    )
    for word in _shown(who, whose, what, meaning, high)
) + tuple(
    word
    for what, meaning in (("hcp", "high-card points"), ("points", "points (long suits counted)"))
    for word in _shown("opponents", "the opponents together have", what, meaning, 2 * STRENGTH_MAX)
)

PUBLIC_NUMBERS: tuple[Word, ...] = (
    *_SHOWN,
    Word("known_fit", Kind.PUBLIC_NUMBER, _SUIT, "least that partner and I have shown in S", 0, 26),
    Word("level", Kind.PUBLIC_NUMBER, (Param.DENOMINATION,), "lowest level to bid D at", 1, 8),
    Word(
        "steps",
        Kind.PUBLIC_NUMBER,
        (Param.DENOMINATION,),
        "which step above the last bid the cheapest bid in D is",
        1,
        5,
    ),
    Word("seat", Kind.PUBLIC_NUMBER, (), "place in the order of calling: dealer 1 to 4", 1, 4),
    Word("contract_level", Kind.PUBLIC_NUMBER, (), "level of the last bid, 0 before any", 0, 7),
    Word("calls_by_us", Kind.PUBLIC_NUMBER, (), "bids that our side has made", 0, None),
    Word("rounds", Kind.PUBLIC_NUMBER, (), "calls that I have made", 0, None),
)

PUBLIC_FACTS: tuple[Word, ...] = (
    _known("vulnerable", "our side is vulnerable"),
    _known("they_vulnerable", "their side is vulnerable"),
    _known("favourable", "they are vulnerable, we are not"),
    _known("unfavourable", "we are vulnerable, they are not"),
    _known("passed_hand", "my first call was a pass, before anybody bid"),
    _known("partner_passed_hand", "partner's first call was a pass, before anybody bid"),
    _known("forced", "partner's last call was forcing, and the next player passed"),
    _known("game_forced", "our side is forced to game and not there yet"),
    _known("level_forced", "our side is forced to a level and not there yet"),
    _known("invited", "partner's last call was invitational"),
    _known_of_suit("our_suit", "partner or I have bid S naturally, or shown four"),
    _known_of_suit("my_suit", "I have bid S naturally, or shown four"),
    _known_of_suit("partner_suit", "partner has bid S naturally, or shown four"),
    _known_of_suit("their_suit", "an opponent has bid S naturally, or shown four"),
    _known_of_suit("unbid", "nobody has bid S naturally, or shown four"),
    _known_of_suit("agreed", "S is the agreed trump suit"),
    _last("partner", "partner's"),
    _last("rho", "the right-hand opponent's"),
    _last("lho", "the left-hand opponent's"),
    _known("contested", "the opponents have bid or doubled"),
    _known("they_opened", "an opponent opened the bidding"),
    _known("we_opened", "our side opened the bidding"),
    _known("opener", "I opened the bidding"),
    _known("balancing", "my pass would end the auction"),
    _known("doubled", "the last bid is doubled"),
    _known("redoubled", "the last bid is redoubled"),
    _known("ours", "the last bid is our side's"),
    _known("theirs", "the last bid is the opponents'"),
    Word("above", Kind.PUBLIC_FACT, (Param.SUIT, Param.SUIT), "S ranks higher than R"),
    Word("just_above", Kind.PUBLIC_FACT, (Param.SUIT, Param.SUIT), "S is the next suit above R"),
    Word("is", Kind.PUBLIC_FACT, (Param.SUIT, Param.SUIT), "S and R are one suit; also is not"),
    _known_of_suit("is_major", "S is hearts or spades"),
    _known_of_suit("is_minor", "S is clubs or diamonds"),
    Word("asked", Kind.PUBLIC_FACT, (Param.QUESTION,), "partner's last call asks this"),
    Word(
        "asked",
        Kind.PUBLIC_FACT,
        (Param.QUESTION, Param.SUIT),
        "partner's last call asks this in S",
    ),
    Word("answered", Kind.PUBLIC_FACT, (Param.QUESTION,), "partner's last call answers this"),
    Word(
        "answered",
        Kind.PUBLIC_FACT,
        (Param.QUESTION, Param.SUIT),
        "I asked this in S, and partner's last call answers it",
    ),
    Word("told", Kind.PUBLIC_FACT, (Param.QUESTION,), "my last call answered this"),
    Word(
        "told",
        Kind.PUBLIC_FACT,
        (Param.QUESTION, Param.SUIT),
        "partner asked this in S, and my last call answered it",
    ),
    Word(
        "partner_shows",
        Kind.PUBLIC_FACT,
        (Param.ALTERNATIVE,),
        "partner has shown this of the named alternatives of his call",
    ),
    Word(
        "partner_shows",
        Kind.PUBLIC_FACT,
        (Param.ALTERNATIVE, Param.SUIT),
        "the same, with S for its letter",
    ),
    Word(
        "partner_shows",
        Kind.PUBLIC_FACT,
        (Param.ALTERNATIVE, Param.SUIT, Param.SUIT),
        "the same, with S and R for its letters",
    ),
    _known("below_game", "the last bid is below game"),
)


def _action(name: str, meaning: str, *params: Param) -> Word:
    return Word(name, Kind.ACTION, params, meaning)


ACTIONS: tuple[Word, ...] = (
    _action("artificial", "says nothing about the denomination that is bid"),
    _action("natural", "shows the denomination that is bid"),
    _action("forcing", "partner must not pass"),
    _action("forcing game", "our side must not stop below game; also forcing to game"),
    _action("forcing to", "our side must not stop below this bid", Param.BID),
    _action("invitational", "invites partner to bid game"),
    _action("signoff", "asks partner to pass"),
    _action("nonforcing", "partner may pass"),
    _action("strict", "is held to the letter: judgement is no excuse"),
    _action("loose", "leaves room for judgement: two points, and a card in a suit"),
    _action("agrees", "agrees S as trumps", Param.SUIT),
    _action("asks", "asks partner a question; also asks aces in S", Param.QUESTION),
    _action("answers", "answers partner's question", Param.QUESTION),
    _action("alert", "the call is alerted", Param.OPTIONAL_TEXT),
    _action("announce", "partner announces the call", Param.OPTIONAL_TEXT),
    _action("convention", "the name of the convention", Param.TEXT),
    _action(
        "priority",
        "comes before rules of its tier with lower priority; 0 if not given",
        Param.WHOLE_NUMBER,
    ),
    _action("group", "stands in this group of an `order` line", Param.GROUP),
    _action("source", "the book, booklet or practice that the rule is from", Param.TEXT),
    _action("measured", "what was measured of the rule, and on what", Param.TEXT),
    _action("as", "the name of the rule in explanations", Param.TEXT),
)


def _call(name: str, meaning: str, *params: Param) -> Word:
    return Word(name, Kind.CALL, params, meaning)


CALLS: tuple[Word, ...] = (
    _call("pass", "pass; also P"),
    _call("double", "double; also X"),
    _call("redouble", "redouble; also XX"),
    _call("bid", "the cheapest legal bid in D", Param.DENOMINATION),
    _call("jump", "one level higher than the cheapest", Param.DENOMINATION),
    _call("doublejump", "two levels higher than the cheapest", Param.DENOMINATION),
    _call("game", "game in D: 3NT, four of a major, five of a minor", Param.DENOMINATION),
    _call("small_slam", "six of D", Param.DENOMINATION),
    _call("grand_slam", "seven of D", Param.DENOMINATION),
    _call("step", "the n-th bid above the last bid", Param.STEPS),
)

CALL_CLASSES: dict[str, str] = {
    "any": "any call",
    "bid": "any bid",
    "suit": "any bid in a suit",
}
"""Sets of calls in a pattern; `bid` and `suit` may have a highest call, as in `bid..2S`."""

TIERS: dict[str, str] = {
    "book": "what is agreed; rules that name no tier belong here",
    "default": "what a hand does that the book has no call for",
    "judgement": "what a player may do beyond that",
    "last resort": "what is left when nothing else fits",
}
"""The tiers of rules, in the order of choice; the words of `ast.Tier`."""

LAST_CALL_CLASSES: dict[str, str] = {
    "P": "a pass",
    "X": "a double",
    "XX": "a redouble",
    "NT": "a bid in notrump",
    "suit": "a bid in a suit",
    "bid": "any bid",
    "natural": "a bid that is not artificial",
    "artificial": "an artificial call",
    "signoff": "a sign-off",
}
"""The words that may stand in `partner_last(...)`, besides a call such as `2C`."""


WORDS: tuple[Word, ...] = (
    *HAND_NUMBERS,
    *HAND_FACTS,
    *PUBLIC_NUMBERS,
    *PUBLIC_FACTS,
    *ACTIONS,
    *CALLS,
)
"""Every word, in the order of the documentation."""

SUIT_VARIABLES: dict[str, str] = {
    "M": "a major",
    "oM": "the other major, when M is known",
    "m": "a minor",
    "om": "the other minor, when m is known",
    "X": "a suit",
    "Y": "another suit",
    "Z": "another suit",
    "W": "another suit",
}
"""Letters that stand for a suit; different letters are different suits."""

FIXED_SUITS = frozenset({*SUIT_NAMES, *SUIT_NAMES.values()})
"""Every word that is one of the four suits."""

SUIT_WORDS = frozenset({*SUIT_NAMES, *SUIT_NAMES.values(), *SUIT_VARIABLES})
"""Every word that can stand for a suit in a condition."""

DENOMINATION_WORDS = frozenset({*SUIT_WORDS, "NT"})
"""Every word that can stand for a denomination."""

_CONDITION_WORDS: dict[str, list[Word]] = {}
for _word in WORDS:
    if _word.kind.is_number or _word.kind.is_fact:
        _CONDITION_WORDS.setdefault(_word.name, []).append(_word)

SAID_OTHERWISE = {
    **{"honors": "top5", "honours": "top5", "tops": "top3", "ltc": "losers", "qt": "quick_tricks"},
    **{"tricks": "playing_tricks", "high_cards": "hcp", "hcps": "hcp", "shortage": "shortness"},
    **{"support": "fit", "stop": "stopper", "stops": "stopper", "guard": "stopper"},
    **{"bal": "balanced", "vul": "vulnerable"},
}
"""Words of players and other programs, with the language's word for each."""


def condition_words(name: str) -> tuple[Word, ...]:
    """Return the words of that name that conditions may use: none, one, or with two uses."""
    return tuple(_CONDITION_WORDS.get(name, ()))


def names(kinds: Iterable[Kind]) -> list[str]:
    """Return the names of the words of some kinds, each once."""
    return list(_names(tuple(kinds)))


@cache
def _names(kinds: tuple[Kind, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.name for word in WORDS if word.kind in kinds))


ACTION_NAMES: tuple[str, ...] = tuple(names([Kind.ACTION]))
"""The words that may stand after `;`."""


def public_number(path: tuple[str, ...]) -> Word | None:
    """Return the word for a dotted number of any suit; None if there is none.

    Example:
        >>> public_number(("partner", "M", "max")).name
        'partner.spades.max'
    """
    parts = [SUIT_WORD if part in SUIT_WORDS else part for part in path]
    words = condition_words(".".join(parts))
    return words[0] if words else None


def table(*kinds: Kind) -> str:
    """Return the words of some kinds as a Markdown table, for the documentation.

    Of what a single player has shown the table has partner's words: those of others differ in the
    player alone.
    """
    others = tuple(f"{who}." for who, _ in _PLAYERS[1:])
    rows = [
        (word.usage, word.meaning)
        for word in WORDS
        if word.kind in kinds and not word.name.startswith(others)
    ]
    return "".join(
        f"| {first} | {second} |\n"
        for first, second in [
            ("word", "meaning"),
            ("---", "---"),
            *((f"`{usage}`".replace("|", "\\|"), meaning) for usage, meaning in rows),
        ]
    )
