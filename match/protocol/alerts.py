"""Explanations of calls for the opponents, in words and as numbers, written and read.

Programs have the habit of writing the shown hands as `C=0-8,D=4-8,H=0-5,S=0-5,HCP=17-19`,
some with `Total=19-21` for points with distribution. It is written after the words and read
wherever it stands in a text.
"""

from __future__ import annotations

import re
from typing import NotRequired, TypedDict

from bidwright.bridge.calls import Call
from bidwright.bridge.cards import SUITS, Seat
from bidwright.inference.explanation.alerting import Disclosed
from bidwright.kb.logic.bounds import ANYTHING, Bounds
from bidwright.kb.wording.words import constraint_string
from bidwright.match.protocol.lines import Called


class HeardCall(TypedDict):
    """An explanation of a call by its maker; ranges only where the text has them."""

    call: str
    seat: str
    known: bool
    alert: bool
    text: str
    hcp: NotRequired[list[int]]
    len: NotRequired[dict[str, list[int]]]
    points: NotRequired[list[int]]


STYLES = ("both", "text", "numbers", "none")
"""The styles of a client's alerts: words and numbers, one of them, or none."""

_MOST = 300
"""Characters of an explanation that are sent; some clients read into short buffers."""
# Nine digits at most: Python refuses to convert numbers of thousands of digits.
_RANGE = re.compile(
    r"(?<![A-Za-z])(?P<about>HCP|Total|[CDHS]) ?= ?"
    r"(?P<low>[0-9]{1,9})(?:(?P<plus>\+)|-(?P<high>[0-9]{1,9}))?(?!-?[0-9])",
    re.IGNORECASE,
)
# 37 high-card points is the most that thirteen cards hold; points with distribution have no natural
# limit.
_MOST_POINTS = {"hcp": 37, "total": 60}
_UNPRINTED = re.compile(r"[^ -~]")
# Suit signs are letters and dashes hyphens on the line; without this they would all become question
# marks.
_SIGNS = str.maketrans(
    {"\u2660": "S", "\u2665": "H", "\u2666": "D", "\u2663": "C", "\u2013": "-", "\u2014": "-"}
)


def ascii_text(text: str) -> str:
    """Return a text in the characters that lines may have, on one line and not too long."""
    plain = " ".join(text.translate(_SIGNS).split())
    return _UNPRINTED.sub("?", plain)[:_MOST].strip()


def numbers_text(bounds: Bounds) -> str:
    """Return bounds as programs exchange them.

    Example:
        >>> numbers_text(Bounds((15, 17), (15, 18), ((2, 5),) * 4))
        'C=2-5,D=2-5,H=2-5,S=2-5,HCP=15-17,Total=15-18'
    """
    low, high = bounds.points
    return f"{constraint_string(bounds)},Total={low}-{high}"


def parse_numbers(text: str) -> dict[str, tuple[int, int]]:
    """Return the ranges in a text, by `C D H S HCP Total`; empty if there are none.

    Example:
        >>> parse_numbers("strong; S=5+,HCP=17-19.")
        {'S': (5, 13), 'HCP': (17, 19)}
    """
    ranges: dict[str, tuple[int, int]] = {}
    for match in _RANGE.finditer(text):
        about = match["about"].upper()
        most = _MOST_POINTS.get(about.lower(), 13)
        low = int(match["low"])
        # `S=5` alone means exactly five; only a plus sign makes the range open.
        high = most if match["plus"] else int(match["high"] or low)
        # A reversed range is dropped as a whole: no guess of the ends is better than none.
        if low <= high:
            ranges["Total" if about == "TOTAL" else about] = (min(low, most), min(high, most))
    return ranges


def disclosed_by(called: Called) -> HeardCall | None:
    """Return a call's explanation by its maker as plain values; `None` if he gave none."""
    if not called.alert:
        return None
    ranges = parse_numbers(called.text)
    heard: HeardCall = {
        "call": str(called.call),
        "seat": str(called.seat),
        "known": bool(called.text),
        "alert": called.alert == "Alert",
        "text": called.text,
    }
    if "HCP" in ranges:
        heard["hcp"] = list(ranges["HCP"])
    # Without any length the key is left out: four full ranges would look like a disclosure.
    if ranges.keys() & set("CDHS"):
        heard["len"] = {
            suit.letter: list(ranges.get(suit.letter, (0, 13))) for suit in reversed(SUITS)
        }
    if "Total" in ranges:
        heard["points"] = list(ranges["Total"])
    return heard


def called_with_alert(
    seat: Seat,
    call: Call,
    disclosed: Disclosed | None,
    note: str | None,
    style: str = "both",
    infos: bool = False,
) -> Called:
    """Return the line of a call, with its explanation for the opponents.

    Args:
        seat: the seat that calls.
        call: the call.
        disclosed: the explanation by the caller's system, if he has one.
        note: the alert of an agent without a system.
        style: one of `STYLES`.
        infos: explain calls that need no alert as well.
    """
    if style == "none":
        return Called(seat, call)
    if disclosed is None:
        kind, parts = "Infos" if note is None else "Alert", [note or ""]
    # Without a system there is only the agent's note, and an agent notes only calls that it alerts.
    else:
        kind, parts = "Alert" if disclosed.is_alerted else "Infos", [disclosed.sentence]
        # Bounds of a call that shows nothing are all full ranges, which tell opponents nothing.
        if disclosed.bounds != ANYTHING:
            words, numbers = disclosed.sentence.removesuffix("."), numbers_text(disclosed.bounds)
            parts = {"both": [words, numbers], "text": parts, "numbers": [numbers]}[style]
    if kind == "Infos" and not (infos and any(parts)):
        return Called(seat, call)
    return Called(seat, call, kind, ascii_text("; ".join(part for part in parts if part)))
