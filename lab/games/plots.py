"""Plots of the results: shares of the optimum by method, and gains by number of samples."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from matplotlib import rc_context
from matplotlib.figure import Figure

from bidwright import InvalidError
from bidwright.lab.games import paper
from bidwright.lab.games.tables import Row, SampledRow

_COLOURS = {
    "random+jps": "#9a9a9a",
    "cfr": "#8fb3d1",
    "cfr+jps": "#1b5a8a",
    "a2c": "#d98c8c",
    "a2c+jps": "#a33a3a",
    "a2c@0.02": "#e3b778",
    "a2c@0.02+jps": "#b56a12",
    "bad": "#a9cba4",
    "bad+jps": "#3f7d4e",
}


def plot_table1(rows: Sequence[Row], path: Path) -> None:
    """Plot the share of the optimum that each method gets in each game.

    Raises:
        InvalidError: The file cannot be written.
    """
    best = {row.game: row.mean for row in rows if row.method == "best"}
    games = [game for game in dict.fromkeys(row.game for row in rows) if game in best]
    with _style():
        figure = Figure(figsize=(8, 3.4), layout="constrained")
        axes = figure.subplots()
        for k, (method, colour) in enumerate(_COLOURS.items()):
            of_method = [row for row in rows if row.method == method and row.game in best]
            at = [games.index(row.game) + 0.09 * (k - 4) for row in of_method]
            share = [row.mean / best[row.game] for row in of_method]
            error = [row.error / best[row.game] for row in of_method]
            axes.errorbar(at, share, error, fmt="o", ms=3.5, color=colour, label=method)
            printed = [row.paper for row in of_method]
            axes.plot(
                [x for x, value in zip(at, printed, strict=True) if value is not None],
                [
                    v / best[row.game]
                    for v, row in zip(printed, of_method, strict=True)
                    if v is not None
                ],
                "_",
                color="black",
                ms=6,
                label="the paper" if method == "cfr" else None,
            )
        axes.axhline(1, color="black", lw=0.6)
        axes.set_xticks(range(len(games)), games, rotation=30, ha="right")
        axes.set_ylabel("share of the optimum (or its bound)")
        figure.legend(fontsize=7, loc="outside right upper")
        _save(figure, path)


def plot_samples(rows: Sequence[SampledRow], game: str, path: Path) -> None:
    """Write means by the number of samples, as in figure 2 of the paper.

    Raises:
        InvalidError: There is nothing of this game, or the file cannot be written.
    """
    of_game = [row for row in rows if row.game == game]
    if not of_game:
        raise InvalidError(f"expected results with samples in {game}: run `games table2` first")
    with _style():
        figure = Figure(figsize=(3.6 * len(of_game), 2.8), layout="constrained")
        for axes, row in zip(
            figure.subplots(1, len(of_game), squeeze=False)[0], of_game, strict=True
        ):
            done = [k for k, mean in enumerate(row.means[1:], 1) if mean is not None]
            axes.errorbar(
                [paper.SAMPLES[k - 1] for k in done],
                [row.means[k] or 0.0 for k in done],
                [row.errors[k] or 0.0 for k in done],
                fmt="o-",
                ms=3.5,
                color=_COLOURS[f"{row.base}+jps"],
                label=f"{row.base}+jps",
            )
            axes.plot(paper.SAMPLES, row.paper[1:], "_", color="black", ms=6, label="the paper")
            if row.means[0] is not None:
                axes.axhline(row.means[0], color="grey", lw=0.8, label="all states")
            if row.alone is not None:
                axes.axhline(row.alone, color="grey", lw=0.8, ls="--", label=f"{row.base} alone")
            axes.set_xlabel("states drawn from each information set")
            axes.set_title(f"{game}, {row.base}")
            axes.legend(fontsize=7)
        _save(figure, path)


def _style() -> AbstractContextManager[None]:
    # A fixed salt and no date: the same results give the same file, so a rebuilt page has no
    # changes.
    return rc_context({"svg.fonttype": "none", "svg.hashsalt": "games", "font.size": 9})


def _save(figure: Figure, path: Path) -> None:
    kind = path.suffix.removeprefix(".")
    if kind not in ("svg", "png"):
        raise InvalidError(f"expected a file .svg or .png, got '{path}'")
    try:
        figure.savefig(path, dpi=150, metadata={"Date": None} if kind == "svg" else None)
    except OSError as error:
        raise InvalidError(f"expected a file to write, got '{path}': {error.strerror}") from None
