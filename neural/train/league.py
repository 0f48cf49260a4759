"""The league: who sits against the learner, and what both play.

A run names its rivals with the share of rounds that each is drawn for:

- `0.4 past`: a past self, any;
- `0.3 WEIGHTS as SYSTEM`: a policy that stays what it is, such as the imitation of another system,
  a free rival that was trained without a leash, or an exploiter that was trained against the
  learner; `as` tells a policy with card vectors what to play, and the learner what it meets;
- `0.2 punisher`: a past self that sees all hands, doubles a contract that fails and leaves it
  doubled. Against it wild doubles, thin games and sacrifices cost what they are worth.

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
    """Somebody in a league.

    Attributes:
        share: how often he is drawn, against the shares of the others.
        name: `past`, `punisher`, or weights by name or path.
        system: what he plays; empty if he discloses nothing.
    """

    share: float
    name: str
    system: str = ""

    @property
    def is_past(self) -> bool:
        """Whether a past self calls, alone or with the eyes of a punisher."""
        return self.name in (PAST, PUNISHER)

    @property
    def label(self) -> str:
        """What measurements of him are called."""
        stem = Path(self.name).stem
        folder = Path(self.name).parent.name
        system = self.system if "(" in self.system else Path(self.system).stem
        return "_".join(re.findall(r"\w+", f"{folder or stem} {system}"))


def parse_member(entry: str) -> Member | None:
    """Return the member that a text names: a share, a name, perhaps `as` and a system."""
    match = _MEMBER.fullmatch(entry.strip())
    if match is None or float(match[1]) <= 0:
        return None
    return Member(float(match[1]), match[2], match[3] or "")


def members(entries: Sequence[str]) -> list[Member]:
    """Return the members that a configuration names.

    Raises:
        InvalidError: One cannot be understood.
    """
    found = []
    for entry in entries:
        member = parse_member(entry)
        if member is None:
            raise InvalidError(
                "expected a share and a rival, such as '0.4 past', '0.2 punisher' or "
                f"'0.3 WEIGHTS as acol', got {entry!r}"
            )
        found.append(member)
    return found


class Bidder(Protocol):
    """Somebody who calls at some of the lanes."""

    def logs(
        self, lanes: TensorLanes, rows: Tensor, seen: Tensor, legal: Tensor, card: Tensor
    ) -> Tensor:
        """Return float32 `[N, C]`: a log policy of the players to call in some lanes.

        Args:
            lanes: the tables.
            rows: int64 `[N]`: of the lanes that are carried.
            seen: uint8 `[N, 480]`: what the players see, perhaps more after it.
            legal: bool `[N, C]`.
            card: int64 `[N, 2]`: the rows of what both sides play.
        """
        ...


@dataclass(frozen=True)
class Punisher:
    """A bidder who also sees all hands: he doubles what fails, and leaves it doubled."""

    bidder: Bidder

    def logs(
        self, lanes: TensorLanes, rows: Tensor, seen: Tensor, legal: Tensor, card: Tensor
    ) -> Tensor:
        """Return the bidder's log policy, and certain calls where their contract fails."""
        failing, doubled = lanes.failing(rows)
        found = self.bidder.logs(lanes, rows, seen, legal, card)
        found = found.masked_fill(failing[:, None], -1e9)
        call = torch.where(doubled > 0, int(Call.PASS), int(Call.DOUBLE))[:, None]
        certain = torch.where(failing[:, None], 0.0, found.gather(1, call))
        return found.scatter(1, call, certain)


_VECTORS = "card_vectors.npz"


def _key(files: Sequence[str]) -> str:
    """Return a hash of all that the card vectors of systems follow from."""
    parts = [source_key(each) if each else "" for each in files]
    return sha256("\n".join((card_code(), *parts)).encode()).hexdigest()


def _card_vectors(files: Sequence[str]) -> NDArray[np.float32]:
    """Return float32 `[S, V]`: what each system shows against each; the first is not disclosed."""
    rules: list[RuleBase | None] = [open_system(each) if each else None for each in files]
    rows = [side_cards(own, theirs)[0] for own in rules for theirs in rules]
    rows[0] = hidden_card()
    return np.stack(rows)


def _kept_vectors(file: Path, key: str, count: int) -> NDArray[np.float32] | None:
    """Return the vectors in a file; None if there are none that still hold."""
    try:
        found = read_arrays(file, ("key", "vectors"))
    except InvalidError:
        return None
    vectors, known = found["vectors"], str(found["key"])
    fits = vectors.shape == (count, CARD) and vectors.dtype == np.float32
    return vectors if fits and known == key else None


class SystemTable:
    """The card vectors of all systems that a run meets, each against each.

    Attributes:
        names: the systems; the first is `""`, nothing disclosed.
        vectors: float32 `[S, V]`: row `i * len(names) + j` is system `i` against system `j`.
    """

    def __init__(self, systems: Sequence[str], folder: Path | None = None) -> None:
        """Take what the systems' calls show from a folder, or work it out.

        Seventeen systems have 289 vectors, which take minutes. They are kept in the folder, so
        that a run goes on elsewhere without the rules being read there.

        Args:
            systems: names, paths, or variants such as `sayc(majors = 4)`.
            folder: of the vectors, and of files of variants; None keeps nothing.

        Raises:
            InvalidError: A system cannot be used.
        """
        self.names = list(dict.fromkeys(("", *systems)))
        files = [variant_file(each, folder or Path()) for each in self.names]
        if folder is None or len(files) == 1:
            self.vectors = torch.from_numpy(_card_vectors(files))
            return
        kept, key = folder / _VECTORS, _key(files)
        found = _kept_vectors(kept, key, len(files) ** 2)
        if found is None:
            found = _card_vectors(files)
            folder.mkdir(parents=True, exist_ok=True)
            with replacing_bytes(kept) as stream:
                np.savez_compressed(stream, key=key, vectors=found)
        self.vectors = torch.from_numpy(found)

    def rows(self, own: str, theirs: str) -> tuple[int, int]:
        """Return the rows of a side that plays one system against another, and of the other."""
        i, j, count = self.names.index(own), self.names.index(theirs), len(self.names)
        return i * count + j, j * count + i

    def seats(
        self, facing: NDArray[np.bool_], own_side: NDArray[np.integer], played: tuple[str, str, str]
    ) -> NDArray[np.int64]:
        """Return int64 `[L, 2, 2]`: for each lane and side the rows of its own and the other side.

        Args:
            facing: bool `[L]`: where a rival sits.
            own_side: `[L]`: the learner's side there, from the dealer's.
            played: the learner's system; elsewhere that of the side which does not deal; the
                rival's.
        """
        own, other, rival = played
        among, against = self.rows(own, other), self.rows(own, rival)
        out = np.empty((len(facing), 2, 2), dtype=np.int64)
        out[:, 0], out[:, 1] = among, among[::-1]
        lanes = np.flatnonzero(facing)
        side = own_side[lanes].astype(np.int64)
        out[lanes, side], out[lanes, 1 - side] = against, against[::-1]
        return out


def draw(found: Sequence[Member], rng: np.random.Generator) -> Member:
    """Return a member by the shares; `rng` is consumed."""
    shares = np.array([each.share for each in found])
    return found[int(rng.choice(len(found), p=shares / shares.sum()))]
