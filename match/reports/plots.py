"""Plots of a match as SVG, to be put into a page as they are."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from bidwright.bridge.calls import MAX_LEVEL, Call
from bidwright.bridge.cards import Denomination
from bidwright.match.record.estimate import Tally, interval

_A, _B = "#2a6f97", "#b56576"
"""The colours of the two sides."""


def _style(name: str = "") -> AbstractContextManager[None]:
    """Return the settings of all plots; `name` makes the ids in a plot unique."""
    return rc_context(
        {
            "svg.fonttype": "none",
            "svg.hashsalt": name,
            "font.size": 9,
            "font.family": "sans-serif",
        }
    )


def _svg(figure: Figure, name: str) -> str:
    """Return a figure as an SVG element; the same figure gives the same text."""
    buffer = io.StringIO()
    with _style(name):
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    # Several plots share a page: their names must not meet.
    text = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', text)
    return re.sub(r'(xlink:href="#|url\(#)', rf"\1{name}-", text)


def _figure(width: float, height: float) -> Figure:
    return Figure(figsize=(width, height), layout="constrained")


def _plain(axes: Axes) -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def bid_map(counts: Sequence[Mapping[Call, int]], titles: Sequence[str], name: str) -> str:
    """Return heat maps of bids: level by denomination, a map for each side.

    Args:
        counts: the number of times each bid was made, for each map.
        titles: the titles of the maps.
        name: the name of the plot, unique on the page.
    """
    with _style():
        figure = _figure(3.3 * len(counts), 3.4)
        # One scale for all maps: two sides are compared by their colours.
        top = max((max(each.values(), default=0) for each in counts), default=0)
        for place, (bids, title) in enumerate(zip(counts, titles, strict=True), start=1):
            _one_map(figure.add_subplot(1, len(counts), place), bids, title, top)
        return _svg(figure, name)


def _one_map(axes: Axes, counts: Mapping[Call, int], title: str, top: int) -> None:
    grid = np.zeros((MAX_LEVEL, len(Denomination)))
    for call, count in counts.items():
        grid[call.level - 1, call.denomination] = float(count)
    # The square root keeps what is rare in sight beside what is common.
    axes.imshow(np.sqrt(grid), cmap="Blues", vmin=0, vmax=max(top, 1) ** 0.5, aspect="auto")
    for (row, column), share in np.ndenumerate(grid):
        count = int(share)
        if count:
            # Black on dark blue cannot be read; under the square root a third of the count is more
            # than half of the colour.
            colour = "white" if count > 0.35 * top else "black"
            axes.text(column, row, str(count), ha="center", va="center", color=colour, fontsize=7)
    axes.set_xticks(range(len(Denomination)), [each.symbol for each in Denomination])
    axes.set_yticks(range(MAX_LEVEL), [str(level) for level in range(1, MAX_LEVEL + 1)])
    axes.set_title(title, fontsize=9)
    axes.tick_params(length=0)


def histogram(
    counts: Sequence[Mapping[int, int]], labels: Sequence[str], axis: str, name: str
) -> str:
    """Return bars of the frequency of each number, side by side for several series."""
    with _style():
        figure = _figure(6.6, 2.6)
        axes = figure.add_subplot()
        numbers = [number for each in counts for number in each]
        low, high = min(numbers, default=0), max(numbers, default=0)
        at = np.arange(low, high + 1)
        width = 0.8 / len(counts)
        for place, (frequencies, label) in enumerate(zip(counts, labels, strict=True)):
            shift = (place - (len(counts) - 1) / 2) * width
            heights = [frequencies.get(int(number), 0) for number in at]
            axes.bar(at + shift, heights, width, label=label, color=(_A, _B)[place % 2])
        axes.set_xlabel(axis)
        axes.set_ylabel("boards")
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
        if len(counts) > 1:
            axes.legend(frameon=False)
        _plain(axes)
        return _svg(figure, name)


def course(imps: Sequence[float], name: str) -> str:
    """Return the mean over the boards so far, with its interval."""
    with _style():
        figure = _figure(6.6, 2.6)
        axes = figure.add_subplot()
        tally = Tally()
        boards, means, lows, highs = [], [], [], []
        # More points than the plot has pixels would only make the page larger.
        step = max(1, len(imps) // 400)
        for count, value in enumerate(imps, start=1):
            tally.add(value)
            # The interval of the first boards is so wide that the rest of the curve would be a
            # line.
            if count >= min(10, len(imps)) and (count % step == 0 or count == len(imps)):
                mean_interval = interval(tally)
                boards.append(count)
                means.append(tally.mean)
                lows.append(mean_interval.low)
                highs.append(mean_interval.high)
        axes.axhline(0, color="grey", linewidth=0.8)
        if len(imps) > 1:
            axes.fill_between(boards, lows, highs, color=_A, alpha=0.2, linewidth=0)
        axes.plot(boards, means, color=_A)
        axes.set_xlabel("boards")
        axes.set_ylabel("IMPs/board, side A")
        _plain(axes)
        return _svg(figure, name)
