"""The habits of those who write system notes: their words for what calls do, and for nothing."""

from __future__ import annotations

from bidwright.kb.language import ast

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
        ("gf", "fg", "game force", "game forcing", "game-forcing", "forcing to game"),
        (ast.Action("forcing_game"),),
    ),
    "forcing game": (ast.Action("forcing_game"),),
    **dict.fromkeys(
        ("inv +", "inv or better", "invitational or better", "invitational +"),
        (ast.Action("forcing"),),
    ),
    **dict.fromkeys(
        ("forcing", "f", "f 1", "one round force", "forcing one round", "forcing for one round"),
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
"""What a call does, by the words for it. "Invitational or better" is forcing."""

CONVENTIONS = (
    *("Stayman", "Blackwood", "Gerber", "Michaels", "Drury", "Smolen", "Lebensohl"),
    *("Cappelletti", "Landy", "Texas", "Bergen", "Jacoby", "RKCB", "Ogust", "Multi", "Muiderberg"),
    *("Checkback", "DONT", "Truscott", "Flannery", "XYZ", "Ghestem", "Kokish"),
)
"""Names that leave it to other words which hands make the call."""

PURPOSES = (
    *("negative", "negative double", "penalty", "penalties", "penalty double", "responsive"),
    *("support double", "competitive", "lead-directing", "quantitative", "fourth suit", "new suit"),
    *("cue", "cue-bid", "cuebid", "double", "overcall", "opening", "response", "raise", "rebid"),
)
"""Words for what a call is for; the suits are in other words."""

AMOUNTS = (
    *("weak", "strong", "preemptive", "preempt", "constructive", "limit", "limit raise", "minimum"),
    *("maximum", "min", "max", "extras", "mixed raise", "weak two", "slam try", "slam interest"),
)
"""Words for a strength that everybody sees in his own way; the points are in other words."""

STRENGTHS = {
    "forcing_game": "game",
    "invitational": "invitation",
    "signoff": "below game",
}
"""What a call that does something says of strength, where no points are given."""

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
"""Words after which nothing is promised."""

ENDS = frozenset(",;.:")
"""Signs between statements."""
