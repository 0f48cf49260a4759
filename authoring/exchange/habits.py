"""The habits of those who write system notes: their words for what calls do, and for nothing."""

from __future__ import annotations

from bidwright.kb.language import ast

ANY_HAND = (
    "any hand",
    "all hands",
    "any other hand",
    "all other hands",
    "any",
    "anything else",
    "everything else",
    "otherwise",
    "as asked",
    "forced",
    "compulsory",
    "completes the transfer",
    "accepts the transfer",
)
"""Words for no condition at all."""

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
    *("Cappelletti", "Landy", "Texas", "Bergen", "Jacoby", "RKCB"),
)
"""Names that say nothing of the hand by themselves."""

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

TURNS = frozenset(
    ["or", "/", "not", "no", "denies", "without", "unless", "except", "if", "but", "("]
)
"""Words that make what stands beside them mean something else."""

ENDS = frozenset(",;.:")
"""Signs between statements."""
