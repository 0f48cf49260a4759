"""Results of solvers, kept on disk by game and by block of seeds, so that a run can be resumed.

A store is a folder. `GAME.json` holds the values of each method, with the number of seeds; the
policies of a block are kept beside it (`GAME-METHOD-BLOCK.npz`) for the methods that begin with
them, and may be deleted at any time: they are made again. Learning takes minutes a seed, so the
seeds of a block that are done are kept, too (`-begun.npz`), until all are.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bidwright import InvalidError
from bidwright.bridge.arrays import read_arrays
from bidwright.bridge.json_values import JsonValue, UncheckedObject
from bidwright.bridge.regular_files import UnreadableError, read_regular
from bidwright.bridge.text_files import MOST_BYTES, parse_json
from bidwright.lab.games.tree import Floats, Tree
from bidwright.runtime.files import lock, reason_of, replacing_bytes, write_text

BLOCK = 10
"""Seeds that are run and kept together."""
_WAIT = 0.05
"""Seconds to wait for another process that writes."""


@dataclass
class Results:
    """The results of one method in one game.

    Attributes:
        settings: The settings that the results depend on, beside the program.
        blocks: The blocks of seeds that are done.
        seconds: The seconds that they took.
        values: The number of seeds with each value, rounded to six places.
        gap: The greatest difference between the gain of a change by Theorem 1 and by a full
            evaluation of the game; None where it was not measured.
    """

    settings: dict[str, JsonValue]
    blocks: list[int] = field(default_factory=list)
    seconds: float = 0.0
    values: Counter[float] = field(default_factory=Counter)
    gap: float | None = None

    @property
    def seeds(self) -> int:
        """The number of seeds."""
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
        """Read the results of the game in a folder; the folder need not exist.

        Raises:
            InvalidError: A file there is damaged or something else.
        """
        self.folder, self.game = folder, game
        self.methods: dict[str, Results] = {}
        self._read()

    def _read(self) -> None:
        for name, entry in kept_in(self._file).items():
            try:
                counts = {float(value): int(count) for value, count in entry["values"].items()}
                self.methods[name] = Results(
                    dict(entry["settings"]),
                    [int(block) for block in entry["blocks"]],
                    float(entry["seconds"]),
                    Counter(counts),
                    float(entry["gap"]) if "gap" in entry else None,
                )
            except (AttributeError, KeyError, TypeError, ValueError):
                raise _no_results(self._file, f"of {name!r}") from None

    @property
    def _file(self) -> Path:
        return self.folder / f"{self.game}.json"

    def is_done(self, method: str, block: int, settings: dict[str, JsonValue]) -> bool:
        """Return True if a block of seeds is kept.

        Raises:
            InvalidError: The method was run with other settings.
        """
        results = self.methods.get(method)
        if results and results.settings != settings:
            raise InvalidError(
                f"expected {method} of {self.game} with the settings of {self._file} "
                f"({results.settings}), got {settings}: name another folder, or delete the file"
            )
        return bool(results) and block in self.methods[method].blocks

    def add(
        self,
        method: str,
        block: int,
        settings: dict[str, JsonValue],
        values: Floats,
        seconds: float,
        gap: float | None = None,
    ) -> None:
        """Keep the values of a block of seeds; other processes may add to the file, too.

        Raises:
            InvalidError: They cannot be written.
        """
        make_folder(self.folder)
        with (self.folder / f"{self.game}.lock").open("w", encoding="utf-8") as alone:
            # Runs of several methods may share a store, each in a process of its own.
            while not lock(alone.fileno()):
                time.sleep(_WAIT)
            self._read()
            results = self.methods.setdefault(method, Results(settings))
            if block in results.blocks:
                return
            results.blocks.append(block)
            results.seconds += seconds
            if gap is not None:
                results.gap = max(gap, results.gap or 0.0)
            # Counts by rounded value: pure policies have few values, so a thousand seeds take a few
            # lines.
            results.values.update(round(float(value), 6) for value in values)
            self._write()

    def _write(self) -> None:
        out = {
            name: {
                "settings": kept.settings,
                "blocks": sorted(kept.blocks),
                "seconds": round(kept.seconds, 3),
                "values": {repr(value): kept.values[value] for value in sorted(kept.values)},
                **({} if kept.gap is None else {"gap": float(f"{kept.gap:.2g}")}),
            }
            for name, kept in sorted(self.methods.items())
        }
        write_text(self._file, json.dumps(out, indent=1) + "\n")

    def policies(self, tree: Tree, method: str, block: int) -> Floats | None:
        """Return the pure policies `[S, K]` of a block; None if they are not kept, or damaged."""
        try:
            chosen = read_arrays(self._policies(method, block), ["chosen"])["chosen"]
        except InvalidError:
            return None
        return _pure(tree, chosen) if _is_chosen(tree, chosen) and len(chosen) == BLOCK else None

    def keep_policies(self, tree: Tree, method: str, block: int, policies: Floats) -> None:
        """Keep the pure policies `[S, K]` of a block, whole or not at all.

        Raises:
            InvalidError: They cannot be written.
        """
        make_folder(self.folder)
        with replacing_bytes(self._policies(method, block)) as file:
            np.savez_compressed(file, chosen=_chosen(tree, policies))

    def begun(self, tree: Tree, method: str, block: int) -> tuple[Floats, float]:
        """Return the pure policies `[S, K]` of the seeds of a block that are done, and seconds."""
        path = self._begun(method, block)
        try:
            saved = read_arrays(path, ["chosen", "seconds"])
        except InvalidError:
            return np.zeros((0, tree.slots)), 0.0
        chosen, seconds = saved["chosen"], saved["seconds"]
        if not _is_chosen(tree, chosen) or len(chosen) > BLOCK or seconds.shape != ():
            return np.zeros((0, tree.slots)), 0.0
        return _pure(tree, chosen), float(seconds)

    def keep_begun(
        self, tree: Tree, method: str, block: int, policies: Floats, seconds: float
    ) -> None:
        """Keep the pure policies `[S, K]` of the first seeds of a block, whole or not at all.

        Raises:
            InvalidError: They cannot be written.
        """
        make_folder(self.folder)
        with replacing_bytes(self._begun(method, block)) as file:
            np.savez_compressed(file, chosen=_chosen(tree, policies), seconds=np.float64(seconds))

    def forget_begun(self, method: str, block: int) -> None:
        """Remove the file of a block that is done."""
        self._begun(method, block).unlink(missing_ok=True)

    def _begun(self, method: str, block: int) -> Path:
        return self.folder / f"{self.game}-{method}-{block}-begun.npz"

    def _policies(self, method: str, block: int) -> Path:
        return self.folder / f"{self.game}-{method}-{block}.npz"


def _chosen(tree: Tree, policies: Floats) -> NDArray[np.uint8]:
    """Return the rank of the move of pure policies `[S, K]` in each information set, `[S, I]`."""
    # A pure policy has one slot for each information set; its rank there fits into a byte.
    slots = np.nonzero(policies)[1].reshape(len(policies), tree.infosets)
    return (slots - tree.shape.base[:-1]).astype(np.uint8)


def _is_chosen(tree: Tree, chosen: NDArray[Any]) -> bool:
    """Return True if an array of a file may be ranks of moves."""
    if chosen.ndim != 2 or chosen.shape[1] != tree.infosets or chosen.dtype != np.uint8:
        return False
    # A number from the file becomes an index: out of range it would write another set's move.
    return bool((chosen < np.diff(tree.shape.base)).all())


def _pure(tree: Tree, chosen: NDArray[np.uint8]) -> Floats:
    """Return pure policies `[S, K]` by the ranks of their moves."""
    out = np.zeros((len(chosen), tree.slots))
    np.put_along_axis(out, tree.shape.base[:-1] + chosen.astype(np.int64), 1.0, axis=1)
    return out


def make_folder(folder: Path) -> None:
    """Make the folder of a store, if it is not there.

    Raises:
        InvalidError: It cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidError(f"cannot write {folder}: {reason_of(error)}") from None


def kept_in(path: Path) -> UncheckedObject:
    """Return the content of a file of a store; nothing if there is no file.

    Raises:
        InvalidError: It is damaged or something else.
    """
    try:
        content = parse_json(read_regular(path, MOST_BYTES))
    except UnreadableError as error:
        if error.is_missing:
            return {}
        raise InvalidError(f"cannot read {path}: {reason_of(error)}") from None
    except InvalidError as error:
        raise _no_results(path, f"({error})") from None
    if not isinstance(content, dict):
        raise _no_results(path, "by their names")
    return content


def _no_results(path: Path, what: str) -> InvalidError:
    return InvalidError(
        f"expected results {what} in '{path}': name another folder, or delete the file"
    )
