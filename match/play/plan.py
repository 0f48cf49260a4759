"""The plan of a match: all that its calls, its boards and its scores depend on."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import bidwright
from bidwright.bridge.errors import InvalidError
from bidwright.match.play.deals import BoardSource, read_boards
from bidwright.match.record.estimate import StoppingRule
from bidwright.match.record.match_lines import FORMAT, MatchHeader, SideCard
from bidwright.match.record.scorers import DOUBLE_DUMMY, SCORERS
from bidwright.runtime.code import code_key

# A change of code anywhere here may change a call; `verify` names it, and plays all the same.
_CODE = ("bridge", "kb", "inference", "neural", "match")
_NOT_PLAYED = "reports"
"""The folder of reports, which no call depends on."""


@dataclass(frozen=True)
class Plan:
    """The settings of a match; a match file's header records them."""

    a: str
    """The side that sits North-South in the open room: one or two specifications."""
    b: str
    """The other side."""
    seed: int = 0
    """The random seed of boards and of agents that choose at random."""
    boards_from: str | None = None
    """A PBN file with the boards; `None` to draw them from the seed."""
    disclosure: bool = True
    """True if each side knows the other's system."""
    leads: int = 0
    """The number of deals that a blind leader imagines; 0 for no blind leads."""
    scorer: str = DOUBLE_DUMMY
    """The scorer that decides; IMPs by the others are recorded as well."""
    stop: StoppingRule | None = None
    """When to stop early."""
    system_a: str | None = None
    """The system of side a, where its agents do not say so themselves."""
    system_b: str | None = None
    """The system of side b, likewise."""
    timeout: float | None = None
    """Seconds to wait for agents outside; it changes no call and is not recorded."""
    known: Path | None = None
    """A file of known double-dummy results; likewise."""
    record: Path | None = None
    """A match file that is being checked; likewise."""
    below: tuple[Path, ...] = ()
    """The folders that named files may be opened below; likewise."""
    recorded: frozenset[str] = frozenset()
    """The sides (`a`, `b`) that are as that file has them: players whom no file may open
    (`specs.NAMED_BY_FILES`) repeat their calls. Other sides are as the user gave them."""

    def __post_init__(self) -> None:
        """Check the settings.

        Raises:
            InvalidError: A setting is not one of those there are.
        """
        if self.scorer not in SCORERS:
            scorers = ", ".join(SCORERS)
            raise InvalidError(f"expected a scorer ({scorers}), got {self.scorer!r}")
        if self.scorer.startswith("blind") and not self.leads:
            raise InvalidError(
                f"expected a number of deals for the leader to imagine with scorer {self.scorer!r}"
            )

    def source(self) -> BoardSource:
        """Return the source of the boards.

        Raises:
            InvalidError: The file cannot be read.
        """
        if self.boards_from is None:
            return BoardSource(self.seed)
        return read_boards(Path(self.boards_from), self.seed)


def header_of(plan: Plan, source: BoardSource, a: SideCard, b: SideCard) -> MatchHeader:
    """Return the header of a match file.

    Args:
        plan: the settings.
        source: where the boards come from.
        a: the cards of side a, as `sides.Side.card` gives them.
        b: those of side b.
    """
    return {
        "bidwright": "match",
        "format": FORMAT,
        "a": a,
        "b": b,
        "seed": plan.seed,
        "boards": None if source.path is None else {"file": source.path, "sha256": source.digest},
        "settings": {
            "disclosure": plan.disclosure,
            "leads": plan.leads,
            "scorer": plan.scorer,
            "stop": None if plan.stop is None else plan.stop.as_json(),
        },
        "versions": versions(),
    }


def plan_of(header: MatchHeader) -> Plan:
    """Return the plan of a match from its header.

    Raises:
        InvalidError: The header lacks something.
    """
    # The check of a header does not ask for every key.
    try:
        settings = header["settings"]
        stop = settings["stop"]
        return Plan(
            header["a"]["spec"],
            header["b"]["spec"],
            header["seed"],
            None if header["boards"] is None else header["boards"]["file"],
            settings["disclosure"],
            settings["leads"],
            settings["scorer"],
            # The rule's fields are its constructor's; an unknown one is a TypeError, caught below.
            None if stop is None else StoppingRule(**stop),
            header["a"]["declared"],
            header["b"]["declared"],
        )
    except (KeyError, TypeError) as error:
        raise InvalidError(f"expected a whole header of a match, it lacks {error}") from None


def versions() -> dict[str, str]:
    """Return the versions of the programs that bid and score."""
    program = code_key(*_CODE, without=_NOT_PLAYED)[:16]
    by_name = {"bidwright": bidwright.__version__, "program": program}
    # Without the last part: patch releases of Python change no result.
    by_name["python"] = ".".join(platform.python_version_tuple()[:2])
    for name in ("numpy", "clingo", "endplay"):
        try:
            by_name[name] = version(name)
        # A package may run from a folder without ever having been installed.
        except PackageNotFoundError:
            by_name[name] = "unknown"
    return by_name
