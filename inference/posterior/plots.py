"""Plots of the probabilities of the hidden hands."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bidwright.bridge.cards import SUITS, Denomination, Seat
from bidwright.bridge.errors import InvalidError
from bidwright.inference.posterior.probability_tables import HandTables, Posterior

FORMATS = ("pdf", "png", "svg")
_SUIT_COLOURS = {"S": "#1b3a57", "H": "#b5364b", "D": "#e08e2b", "C": "#3f7d4e"}
_LONGEST = 9


def plot_posterior(found: Posterior, title: str, path: Path) -> None:
    """Write points and lengths of each hidden hand as a picture: PNG, SVG or PDF by its name.

    Raises:
        InvalidError: The file cannot be written, or its name is of no such kind.
    """
    kind = plot_format(path)
    # A fixed salt and text as text: the same picture byte for byte, and searchable.
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "posterior", "font.size": 9}):
        figure = _figure(found, title)
        # Dates would make every picture another file.
        dateless = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": None}
        try:
            figure.savefig(path, format=kind, dpi=150, metadata=dateless[kind])
        except OSError as error:
            reason = error.strerror
            raise InvalidError(f"expected a file to write, got '{path}': {reason}") from None


def plot_format(path: Path) -> str:
    """Return the format that a file's name stands for.

    Raises:
        InvalidError: It stands for none that plots are written in.
    """
    kind = path.suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        raise InvalidError(f"expected a plot file ending in .png, .svg or .pdf, got '{path}'")
    return kind


def _figure(found: Posterior, title: str) -> Figure:
    hands = found.hands
    figure = Figure(figsize=(7.5, 0.7 + 1.9 * len(hands)), layout="constrained")
    source = "counted" if found.is_exact else f"from {len(found.batch):,} deals"
    figure.suptitle(f"{title}  ({source})", fontsize=10)
    grid = figure.subplots(len(hands), 2, squeeze=False, sharex="col")
    for place, (seat, tables) in enumerate(hands.items()):
        left, right = grid[place]
        _points(left, seat, tables)
        _lengths(right, tables)
        if place == 0:
            bars, names = right.get_legend_handles_labels()
            figure.legend(bars, names, loc="outside lower center", ncols=4, frameon=False)
        if place == len(hands) - 1:
            left.set_xlabel("high-card points")
            right.set_xlabel("cards")
    return figure


def _points(axes: Axes, seat: Seat, tables: HandTables) -> None:
    # Bars too small to be seen are left out, and the axis with them.
    likely = np.flatnonzero(tables.hcp >= 0.0005)
    axes.bar(likely, 100 * tables.hcp[likely], 0.85, color="#2a6f97")
    axes.axvline(tables.mean_hcp, color="black", linewidth=0.8, linestyle=":")
    axes.set_ylabel(f"{seat.name.capitalize()}, %")
    _plain(axes)


def _lengths(axes: Axes, tables: HandTables) -> None:
    # A suit of ten cards or more is a bar too small to see: the axis would be a third longer for
    # it.
    at = np.arange(_LONGEST + 1)
    for place, suit in enumerate(reversed(range(len(SUITS)))):
        name = Denomination(suit)
        shares = 100 * tables.lengths[suit][: _LONGEST + 1]
        colour = _SUIT_COLOURS[name.letter]
        axes.bar(at + 0.2 * (place - 1.5), shares, 0.2, color=colour, label=name.letter)
    axes.set_xticks(at)
    _plain(axes)


def _plain(axes: Axes) -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
