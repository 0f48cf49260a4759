"""The league: the learner's opponents, and the systems of both.

A run names its rivals with the share of groups of boards that each is drawn for:

- `0.4 past`: a past self, any;
- `0.3 WEIGHTS as SYSTEM`: a policy that does not change, such as the imitation of another system,
  a free rival that was trained without a KL penalty, or an exploiter that was trained against the
  learner; `as` names its system, to a policy with card vectors and to the learner;
- `0.2 punisher`: a past self that sees all hands, doubles a contract that fails and leaves it
  doubled. Against it wild doubles, thin games and sacrifices have their full price.

Letters in shapes: `N` positions, `C` calls, `L` lanes, `S` rows of the table of card vectors.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from bidwright.bridge.arrays import read_arrays
from bidwright.bridge.calls import Call
from bidwright.bridge.errors import InvalidError
from bidwright.kb.loading.compiled import open_system, source_key
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.neural.card_vectors import card_code, hidden_card, side_cards
from bidwright.neural.data.variants import variant_file
from bidwright.neural.env.card_layout import CARD
from bidwright.neural.env.tensors import TensorLanes
from bidwright.runtime.files import replacing_bytes

PAST, PUNISHER = "past", "punisher"
_MEMBER = re.compile(r"(\d*\.?\d+)\s+(\S+)(?:\s+as\s+(\S.*))?")


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a league.

    Attributes:
        share: the weight of the member in the draw; shares need not sum to 1.
        name: `past`, `punisher`, or weights by name or path.
        system: the member's system; empty if it discloses nothing.
    """

    share: float
    name: str
    system: str = ""

    @property
    def is_past(self) -> bool:
        """True for a past self, alone or as a punisher."""
        return self.name in (PAST, PUNISHER)

    @property
    def label(self) -> str:
        """The name of measurements against the member."""
        stem = Path(self.name).stem
        folder = Path(self.name).parent.name
        system = self.system if "(" in self.system else Path(self.system).stem
        # Weights of runs all have the same file name; the folder tells them apart.
        return "_".join(re.findall(r"\w+", f"{folder or stem} {system}"))


def parse_member(entry: str) -> Member | None:
    """Return the member that a text names: a share, a name, perhaps `as` and a system."""
    match = _MEMBER.fullmatch(entry.strip())
    # A share of 0 is refused: the member would never be met.
    if match is None or float(match[1]) <= 0:
        return None
    return Member(float(match[1]), match[2], match[3] or "")


def members(entries: Sequence[str]) -> list[Member]:
    """Return the members that a configuration names.

    Raises:
        InvalidError: One cannot be understood.
    """
    named = []
    for entry in entries:
        member = parse_member(entry)
        if member is None:
            raise InvalidError(
                "expected a share and a rival, such as '0.4 past', '0.2 punisher' or "
                f"'0.3 WEIGHTS as acol', got {entry!r}"
            )
        named.append(member)
    return named


class Bidder(Protocol):
    """A player of calls at some of the lanes."""

    def logs(
        self, lanes: TensorLanes, rows: Tensor, seen: Tensor, legal: Tensor, card: Tensor
    ) -> Tensor:
        """Return a log policy of the players to call in some lanes, float32 `[N, C]`.

        Args:
            lanes: the tables.
            rows: int64 `[N]`: places among the lanes in memory.
            seen: uint8 `[N, 480]`: the observations, perhaps with more columns after them.
            legal: bool `[N, C]`: True for legal calls.
            card: int64 `[N, 2]`: the rows of the card vectors of both sides.
        """
        ...


@dataclass(frozen=True, eq=False)
class BoardSystems:
    """The systems of boards, as places among the names of a table of systems.

    Attributes:
        ours: int64 `[B]`: the learner's system.
        other: int64 `[B]`: its system on the other side, at boards without a rival.
        rival: int64 `[B]`: the rival's system; 0 for one that has none.
        undisclosed: bool `[B]`: True where the other side's system is hidden from the learner. That
            side plays it all the same, and sees it.
    """

    ours: NDArray[np.int64]
    other: NDArray[np.int64]
    rival: NDArray[np.int64]
    undisclosed: NDArray[np.bool_]

    @classmethod
    def nothing(cls, boards: int) -> BoardSystems:
        """Return the systems of so many boards where nobody has one."""
        none = np.zeros(boards, dtype=np.int64)
        return cls(none, none, none, none.astype(np.bool_))


@dataclass(frozen=True)
class Punisher:
    """A bidder with sight of all hands: he doubles what fails, and leaves it doubled."""

    bidder: Bidder

    def logs(
        self, lanes: TensorLanes, rows: Tensor, seen: Tensor, legal: Tensor, card: Tensor
    ) -> Tensor:
        """Return the bidder's log policy, and certain calls where their contract fails."""
        failing, doubled = lanes.failing(rows)
        logs = self.bidder.logs(lanes, rows, seen, legal, card)
        # Not minus infinity, which would make gradients and products NaN.
        logs = logs.masked_fill(failing[:, None], -1e9)
        # Doubled already: pass, so that it stays doubled.
        call = torch.where(doubled > 0, int(Call.PASS), int(Call.DOUBLE))[:, None]
        certain = torch.where(failing[:, None], 0.0, logs.gather(1, call))
        return logs.scatter(1, call, certain)


_VECTORS = "card_vectors.npz"


def _key(files: Sequence[str]) -> str:
    """Return a hash of the texts and the code that determine the card vectors of systems."""
    # Texts, not paths: on another machine the same systems lie elsewhere.
    parts = [source_key(each) if each else "" for each in files]
    return sha256("\n".join((card_code(), *parts)).encode()).hexdigest()


def _card_vectors(files: Sequence[str]) -> NDArray[np.float32]:
    """Return card vectors of each system against each, float32 `[S, V]`; the first is hidden."""
    rules: list[RuleBase | None] = [open_system(each) if each else None for each in files]
    rows = [side_cards(own, theirs)[0] for own in rules for theirs in rules]
    # Row 0 is nobody's card: nothing disclosed.
    rows[0] = hidden_card()
    return np.stack(rows)


def _kept_vectors(file: Path, key: str, count: int) -> NDArray[np.float32] | None:
    """Return the vectors in a file; None if it is missing, unreadable or out of date."""
    try:
        arrays = read_arrays(file, ("key", "vectors"))
    except InvalidError:
        return None
    vectors, saved_key = arrays["vectors"], str(arrays["key"])
    # A damaged table is worked out again rather than trusted.
    fits = vectors.shape == (count, CARD) and vectors.dtype == np.float32
    return vectors if fits and saved_key == key else None


class SystemTable:
    """The card vectors of all systems that a run meets, each against each.

    Attributes:
        names: the systems; the first is `""`, nothing disclosed.
        vectors: float32 `[S, V]`: row `i * len(names) + j` is system `i` against system `j`.
    """

    def __init__(self, systems: Sequence[str], folder: Path | None = None) -> None:
        """Read the card vectors of systems from a folder, or compute them.

        Seventeen systems have 289 vectors, which take minutes. They are stored in the folder, so
        that a run can be resumed elsewhere without the rules being read there.

        Args:
            systems: names, paths, or variants such as `sayc(majors = 4)`.
            folder: the folder of the vectors, and of files of variants; None stores nothing.

        Raises:
            InvalidError: A system cannot be used.
        """
        self.names = list(dict.fromkeys(("", *systems)))
        # Variants become files, since systems are opened by file.
        files = [variant_file(each, folder or Path()) for each in self.names]
        if folder is None or len(files) == 1:
            self.vectors = torch.from_numpy(_card_vectors(files))
            return
        file, key = folder / _VECTORS, _key(files)
        vectors = _kept_vectors(file, key, len(files) ** 2)
        if vectors is None:
            vectors = _card_vectors(files)
            folder.mkdir(parents=True, exist_ok=True)
            with replacing_bytes(file) as stream:
                np.savez_compressed(stream, key=key, vectors=vectors)
        self.vectors = torch.from_numpy(vectors)

    def rows(self, ours: str, theirs: str) -> tuple[int, int]:
        """Return the rows of a side that plays one system against another, and of the other."""
        i, j, count = self.names.index(ours), self.names.index(theirs), len(self.names)
        return i * count + j, j * count + i

    def seats(
        self, facing: NDArray[np.bool_], own_side: NDArray[np.integer], played: BoardSystems
    ) -> NDArray[np.int64]:
        """Return the rows of the own and the other side, by lane and side, int64 `[L, 2, 2]`.

        Args:
            facing: bool `[L]`: True in lanes with a rival.
            own_side: `[L]`: the learner's side there, 0 for the dealer's.
            played: the systems of the boards; a board's lanes stand side by side.
        """
        # One row of lanes for each board, to which its systems are repeated.
        boards = np.arange(len(facing)) // (len(facing) // len(played.ours))
        # Both sides are the learner's where there is no rival; the dealer's is then the first.
        side = np.where(facing, own_side, 0).astype(np.int64)
        ours = played.ours[boards]
        theirs = np.where(facing, played.rival[boards], played.other[boards])
        disclosed = np.where(played.undisclosed[boards], 0, theirs)
        count, lanes = len(self.names), np.arange(len(facing))
        out = np.empty((len(facing), 2, 2), dtype=np.int64)
        seen = np.stack((ours * count + disclosed, disclosed * count + ours), axis=1)
        out[lanes, side] = seen
        out[lanes, 1 - side] = np.stack((theirs * count + ours, ours * count + theirs), axis=1)
        return out


def draw(league: Sequence[Member], rng: np.random.Generator) -> Member:
    """Return a member by the shares; `rng` is consumed."""
    shares = np.array([each.share for each in league])
    return league[int(rng.choice(len(league), p=shares / shares.sum()))]
