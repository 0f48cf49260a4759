"""All that a player has shown, in words: the usual picture of his calls, and the possible one.

Bounds that hardly any hand is beyond are left out. Where the one box around the hands says nothing
of the suits, as of Stayman or a Multi, the boxes of which they are made are named one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bidwright.bridge.calls import Call
from bidwright.bridge.cards import HAND_SIZE
from bidwright.inference.explanation.in_short import telling_hcp
from bidwright.inference.explanation.model import CallExplanation
from bidwright.inference.explanation.text_style import PLAIN, TextStyle
from bidwright.kb.logic.bounds import ANYTHING, Bounds, Interval
from bidwright.kb.wording.words import bounds_text, facts_of, two_tiers_text

_LEAST = 3
"""The least number of cards that is said as a lower end, and the most that is as an upper one."""

_LEAST_POINTS = 5
"""The least lower end of points with length that is said, where high-card points have none."""

_MOST_BOXES = 3
"""Boxes that a reader takes in."""


def possible_text(call: CallExplanation, style: TextStyle = PLAIN) -> str:
    """Return the exact bounds of a caller's possible hands, the usual ones beside them."""
    possible, usual = trimmed(call.possible), trimmed(call.shown)
    if not call.agreed:
        return bounds_text(possible, style.suits)
    union = union_text(call.boxes, style) if is_vague(call.shown) else ""
    if union:
        return union if possible == usual else f"usually {union}"
    return two_tiers_text(possible, usual, style.suits)


def shown_text(call: CallExplanation, style: TextStyle = PLAIN) -> str:
    """Return the usual picture of a player's calls together, where no line has given it.

    It is empty where the line of the call says as much, and where the call adds nothing.
    """
    brief = call.brief
    if call.record.call == Call.PASS or not call.agreed or call.undiscussed:
        return ""
    if is_vague(call.shown) and (union := union_text(call.boxes, style)):
        return union if trimmed(call.possible) == trimmed(call.shown) else f"usually {union}"
    if not (brief.suits or brief.points) or not brief.together.suits:
        return ""
    # Strength alone is not repeated: the line of the call has it, and the picture would be that
    # line.
    is_new = {*brief.together.suits} - {*brief.suits}
    return brief.together.text(style) if is_new else ""


def is_vague(bounds: Bounds) -> bool:
    """Return True if bounds limit neither suits nor balance, and name no card as held."""
    rest = replace(trimmed(bounds), impossible=frozenset())
    return all(fact.about in ("hcp", "points") for fact in facts_of(rest))


def trimmed(bounds: Bounds) -> Bounds:
    """Return bounds without rare ends and without numbers that players do not count."""
    low, high = telling_hcp(bounds.hcp)
    clubs, diamonds, hearts, spades = map(_trimmed_length, bounds.lengths)
    return replace(
        bounds,
        hcp=(low or 0, ANYTHING.hcp[1] if high is None else high),
        points=bounds.points
        if not bounds.hcp[0] and bounds.points[0] >= _LEAST_POINTS
        else ANYTHING.points,
        lengths=(clubs, diamonds, hearts, spades),
        balanced=bounds.balanced or None,
    )


def _trimmed_length(length: Interval) -> Interval:
    low, high = length
    if low == high:
        return length
    # "At least two hearts" or "at most six clubs" holds of most hands; printed, it hid the facts
    # that matter.
    return low if low >= _LEAST else 0, high if high <= _LEAST else HAND_SIZE


def _names_a_suit(box: Bounds) -> bool:
    """Return True if a box promises a suit, or a balanced hand."""
    return bool(box.balanced) or any(low > _LEAST for low, _ in box.lengths)


def union_text(boxes: Sequence[Bounds], style: TextStyle = PLAIN) -> str:
    """Return a union of boxes: `8+ HCP; 4 hearts or 4 spades`; nothing if it says nothing."""
    boxes = [trimmed(box) for box in boxes]
    if not 1 < len(boxes) <= _MOST_BOXES or not all(map(_names_a_suit, boxes)):
        return ""
    shared = {box.hcp for box in boxes}
    strength = ""
    if len(shared) == 1:
        strength = bounds_text(Bounds(hcp=shared.pop()), style.suits)
        strength = "" if strength == "any hand" else f"{strength}; "
        # A strength that all boxes share stands once in front: `8+ HCP; 4 hearts or 4 spades`.
        boxes = [replace(box, hcp=ANYTHING.hcp, points=ANYTHING.points) for box in boxes]
    # The gambling 3NT of Acol was printed as 10-13 without a minor while hands lacking the ace of
    # spades counted as said of the suits. Cards that no box holds come last, once.
    gone = frozenset.intersection(*(box.impossible for box in boxes))
    boxes = [replace(box, impossible=box.impossible - gone) for box in boxes]
    denied = bounds_text(Bounds(impossible=gone), style.suits)
    texts = list(dict.fromkeys(bounds_text(box, style.suits) for box in boxes))
    plain = not any(", " in text for text in texts)
    named = strength + (" or " if plain else "; or ").join(texts)
    return f"{named}; {denied}" if gone else named
