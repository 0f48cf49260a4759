"""Read, explain, bid, deal and play contract-bridge auctions by systems written as text.

Auctions, hands and systems may be given as the text that people type; what comes back are typed
objects whose `str` is what the command line prints. A name is imported when it is used first.

Example:
    >>> import bidwright
    >>> bidwright.explain("1NT (P) 2H", system="sayc").calls[-1].brief.line()
    '2H: transfer to spades; 5+ spades; forcing'
    >>> str(bidwright.bid("KQ4.AQ8.K9873.K2", system="sayc").call)
    '1NT'

The names here, and what their docstrings say of them, are kept between versions as
`docs/stability.md` says. Modules below this one are not.
"""

__version__ = "0.1.0"

TYPE_CHECKING = False
"""As in `typing`, which takes longer to import than all of this; type checkers know the name."""

if TYPE_CHECKING:
    from bidwright.bridge.auction import Auction
    from bidwright.bridge.board import Board
    from bidwright.bridge.calls import Call, parse_call
    from bidwright.bridge.cards import (
        Denomination,
        Seat,
        Side,
        Vulnerability,
        parse_seat,
        parse_vulnerability,
    )
    from bidwright.bridge.contract import Contract
    from bidwright.bridge.deal import Deal
    from bidwright.bridge.errors import BidwrightError, IllegalError, InvalidError
    from bidwright.bridge.hand import Hand, parse_hand
    from bidwright.bridge.pbn import write_pbn
    from bidwright.bridge.scoring import imps, score
    from bidwright.front.bots import Bot
    from bidwright.front.differences import SystemDifference
    from bidwright.front.explained import ChosenCall, ExplainedAuction
    from bidwright.front.file_problem import FileProblem
    from bidwright.front.inputs import BidwrightWarning, parse_auction
    from bidwright.front.matches import MatchResult, open_agent, play_match
    from bidwright.front.open_systems import System, available_systems, open_system
    from bidwright.front.verbs import (
        bid,
        check,
        diff,
        explain,
        odds,
        read,
        read_boards,
        sample,
        solve,
    )
    from bidwright.inference.meaning import Meaning
    from bidwright.inference.reading.reader import Reading
    from bidwright.inference.sampling import DealBatch
    from bidwright.kb.logic.bounds import Bounds
    from bidwright.match.agents.agent import Agent, AgentError, Answer, Request
    from bidwright.match.double_dummy.dd_solver import DoubleDummy

_HOMES = {
    "bridge.auction": ("Auction",),
    "bridge.board": ("Board",),
    "bridge.calls": ("Call", "parse_call"),
    "bridge.cards": (
        "Denomination",
        "Seat",
        "Side",
        "Vulnerability",
        "parse_seat",
        "parse_vulnerability",
    ),
    "bridge.contract": ("Contract",),
    "bridge.deal": ("Deal",),
    "bridge.errors": ("BidwrightError", "IllegalError", "InvalidError"),
    "bridge.hand": ("Hand", "parse_hand"),
    "bridge.pbn": ("write_pbn",),
    "bridge.scoring": ("imps", "score"),
    "front.bots": ("Bot",),
    "front.differences": ("SystemDifference",),
    "front.explained": ("ChosenCall", "ExplainedAuction"),
    "front.inputs": ("BidwrightWarning", "parse_auction"),
    "front.matches": ("MatchResult", "open_agent", "play_match"),
    "front.open_systems": ("System", "available_systems", "open_system"),
    "front.file_problem": ("FileProblem",),
    "front.verbs": (
        "bid",
        "check",
        "diff",
        "explain",
        "odds",
        "read",
        "read_boards",
        "sample",
        "solve",
    ),
    "inference.meaning": ("Meaning",),
    "inference.reading.reader": ("Reading",),
    "inference.sampling": ("DealBatch",),
    "kb.logic.bounds": ("Bounds",),
    "match.agents.agent": ("Agent", "AgentError", "Answer", "Request"),
    "match.double_dummy.dd_solver": ("DoubleDummy",),
}
"""The names by the module that defines them: all that has to follow when a module moves."""

_MODULES = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Agent",
    "AgentError",
    "Answer",
    "Auction",
    "BidwrightError",
    "BidwrightWarning",
    "Board",
    "Bot",
    "Bounds",
    "Call",
    "ChosenCall",
    "Contract",
    "Deal",
    "DealBatch",
    "Denomination",
    "DoubleDummy",
    "ExplainedAuction",
    "FileProblem",
    "Hand",
    "IllegalError",
    "InvalidError",
    "MatchResult",
    "Meaning",
    "Reading",
    "Request",
    "Seat",
    "Side",
    "System",
    "SystemDifference",
    "Vulnerability",
    "available_systems",
    "bid",
    "check",
    "diff",
    "explain",
    "imps",
    "odds",
    "open_agent",
    "open_system",
    "parse_auction",
    "parse_call",
    "parse_hand",
    "parse_seat",
    "parse_vulnerability",
    "play_match",
    "read",
    "read_boards",
    "sample",
    "score",
    "solve",
    "write_pbn",
]


if not TYPE_CHECKING:  # so that type checkers find names that are not there

    def __getattr__(name: str) -> object:
        """Import a name when it is used first."""
        from importlib import import_module

        module = _MODULES.get(name)
        if module is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.{module}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    """Return the names that are there, imported already or not."""
    return sorted({*globals(), *__all__})
