"""Results of solvers, kept on disk by game and by block of seeds, so that a run can be resumed.

A store is a folder. `GAME.json` holds the values that each method came to, by how many seeds; the
policies of a block are kept beside it (`GAME-METHOD-BLOCK.npz`) for the methods that begin with
them, and may be deleted at any time: they are made again.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from bidwright.bridge.errors import InvalidError
from bidwright.neural.games.tree import Floats, Tree
from bidwright.runtime.files import lock, write_text

BLOCK = 10
"""Seeds that are run and kept together."""
_WAIT = 0.05
"""Seconds to wait for another process that writes."""


@dataclass
class Results:
    """What one method came to in one game.

    Attributes:
        settings: What the results depend on, beside the program.
        blocks: Which blocks of seeds are done.
        seconds: How long they took.
        values: How many seeds came to each value, rounded to six places.
    """

    settings: dict[str, Any]
    blocks: list[int] = field(default_factory=list)
    seconds: float = 0.0
    values: Counter[float] = field(default_factory=Counter)

    @property
    def seeds(self) -> int:
        """How many seeds there are."""
        return sum(self.values.values())

    @property
    def all(self) -> Floats:
        """The values of all seeds, in rising order."""
        return np.array(sorted(self.values.elements()))

    @property
    def error(self) -> float:
        """The standard error of the mean; 0 with a single seed."""
        return float(self.all.std(ddof=1) / self.seeds**0.5) if self.seeds > 1 else 0.0


class Store:
    """The results of one game."""

    def __init__(self, folder: Path, game: str) -> None:
        """Read what the folder holds of the game; the folder need not exist."""
        self.folder, self.game = folder, game
        self.methods: dict[str, Results] = {}
        self._read()

    def _read(self) -> None:
        if self._file.exists():
            for name, kept in json.loads(self._file.read_text(encoding="utf-8")).items():
                values = Counter({float(value): count for value, count in kept["values"].items()})
                self.methods[name] = Results(
                    kept["settings"], kept["blocks"], kept["seconds"], values
                )

    @property
    def _file(self) -> Path:
        return self.folder / f"{self.game}.json"

    def is_done(self, method: str, block: int, settings: dict[str, Any]) -> bool:
        """Return whether a block of seeds is kept.

        Raises:
            InvalidError: The method was run with other settings.
        """
        kept = self.methods.get(method)
        if kept and kept.settings != settings:
            raise InvalidError(
                f"expected {method} of {self.game} with the settings of {self._file} "
                f"({kept.settings}), got {settings}: name another folder, or delete the file"
            )
        return bool(kept) and block in self.methods[method].blocks

    def add(
        self, method: str, block: int, settings: dict[str, Any], values: Floats, seconds: float
    ) -> None:
        """Keep the values of a block of seeds; other processes may add to the file, too."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / f"{self.game}.lock").open("w", encoding="utf-8") as alone:
            while not lock(alone.fileno()):
                time.sleep(_WAIT)
            self._read()
            kept = self.methods.setdefault(method, Results(settings))
            if block in kept.blocks:
                return
            kept.blocks.append(block)
            kept.seconds += seconds
            kept.values.update(round(float(value), 6) for value in values)
            self._write()

    def _write(self) -> None:
        out = {
            name: {
                "settings": kept.settings,
                "blocks": sorted(kept.blocks),
                "seconds": round(kept.seconds, 3),
                "values": {repr(value): kept.values[value] for value in sorted(kept.values)},
            }
            for name, kept in sorted(self.methods.items())
        }
        write_text(self._file, json.dumps(out, indent=1) + "\n")

    def policies(self, tree: Tree, method: str, block: int) -> Floats | None:
        """Return the pure policies `[S, K]` of a block; None if they are not kept."""
        path = self._policies(method, block)
        if not path.exists():
            return None
        with np.load(path) as kept:
            chosen = kept["chosen"]
        out = np.zeros((len(chosen), tree.slots))
        np.put_along_axis(out, tree.shape.base[:-1] + chosen.astype(np.int64), 1.0, axis=1)
        return out

    def keep_policies(self, tree: Tree, method: str, block: int, policies: Floats) -> None:
        """Keep the pure policies `[S, K]` of a block."""
        slots = np.nonzero(policies)[1].reshape(len(policies), tree.infosets)
        self.folder.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(
            self._policies(method, block), chosen=(slots - tree.shape.base[:-1]).astype(np.uint8)
        )

    def _policies(self, method: str, block: int) -> Path:
        return self.folder / f"{self.game}-{method}-{block}.npz"
