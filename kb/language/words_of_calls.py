"""The words for calls: those of rules and patterns, and what a call does."""

from __future__ import annotations

from bidwright.kb.language.word import Kind, Param, Word


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
"""What may stand in `partner_last(...)`, besides a call such as `2C`."""
