"""The words for what everybody at the table knows: numbers and facts of a position."""

from __future__ import annotations

from bidwright.kb.language.word import Kind, Param, Word
from bidwright.kb.logic.feature_table import LENGTH_MAX, STRENGTH_MAX

_SUIT = (Param.SUIT,)


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
