"""Phrases in words: `15-17 HCP, balanced`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bidwright.kb.expressions.condition_nodes import name_in_words
from bidwright.kb.logic.features import HCP, POINTS
from bidwright.kb.wording.phrases import ANY, NONE, All, Named, Phrase, Some, Within
from bidwright.kb.wording.readings import reading
from bidwright.kb.wording.style import Style
from bidwright.kb.wording.subjects import Subject
from bidwright.runtime.sentences import listed

_CONTROLS = {
    "first_control": "first-round control",
    "second_control": "second-round control",
    "control": "control",
}


def _order(phrase: Phrase) -> int:
    """Return the rank of a fact in a list: strength first, then suits, then the rest."""
    match phrase:
        case Within(subject=Subject(key=("sum", tuple() as terms))):
            if any(index in (HCP, POINTS) for index, _ in terms):
                return 0
            return 1
        case Some(items=items):
            return 2 if any(map(_order, items)) else 0
        case All(items=items):
            return min(map(_order, items), default=1)
        case _:
            return 1


def text_of(phrase: Phrase, style: Style = Style.WORDS) -> str:
    """Return a phrase in words: `15-17 HCP, balanced`."""
    if phrase == ANY:
        return "any hand"
    if phrase == NONE:
        return "no hand"
    match phrase:
        case All(items=items):
            return ", ".join(_listed(items, style))
        case Some(items=items):
            plain = not any(isinstance(item, All) for item in items)
            return (" or " if plain else "; or ").join(text_of(item, style) for item in items)
        case _:
            return _leaf(phrase, style)


def _listed(items: Iterable[Phrase], style: Style) -> list[str]:
    """Return the texts of facts that hold together, similar ones in one."""
    groups: dict[object, list[Phrase]] = {}
    for item in sorted(items, key=_order):
        groups.setdefault(_likeness(item) or item, []).append(item)
    return [
        _inner(group[0], style) if len(group) == 1 else _together(key, group, style)
        for key, group in groups.items()
    ]


def _likeness(phrase: Phrase) -> tuple[str, int, int] | None:
    """Return the key of facts that are worded together; None for a fact worded alone."""
    if not isinstance(phrase, Within) or len(phrase.ranges) > 1:
        return None
    subject, (low, high) = phrase.subject, phrase.ranges[0]
    match subject.kind:
        case "stopper" if low == 1:
            # Only the plain stopper: half a stopper or two of them are about their suit alone.
            return "stopper", 0, 0
        case "voids" | "singletons" if high == 0:
            return "no shortage", 0, 0
        # `spades - hearts` at least 0 or 1 is a comparison; by two cards or more it is a number
        # again.
        case "difference" if high == subject.domain[1] and low in (0, 1):
            return "longer", subject.suits[0], low
        case "difference" if low == subject.domain[0] and high in (0, -1):
            return "longer", subject.suits[1], -high
        case _:
            return None


def _together(likeness: object, group: Sequence[Phrase], style: Style) -> str:
    """Return the text of several facts of a likeness."""
    subjects = [phrase.subject for phrase in group if isinstance(phrase, Within)]
    match likeness:
        case ("longer", int() as suit, margin):
            others = [next(s for s in subject.suits if s != suit) for subject in subjects]
            # At least as long as all three others: the longest suit, ties allowed.
            if len(others) == 3 and not margin:
                return f"no suit longer than {style.suit(suit)}"
            manner = "longer than" if margin else "at least as long as"
            return f"{style.suit(suit)} {manner} {listed([style.suit(s) for s in others], 'and')}"
        case ("stopper", *_):
            suits = (style.suit(subject.suits[0]) for subject in subjects)
            return f"stoppers in {listed(suits, 'and')}"
        case _:
            return "no singleton or void"


def _inner(phrase: Phrase, style: Style) -> str:
    """Return the text of a part that others follow."""
    match phrase:
        case All(items=items):
            return " and ".join(_listed(items, style))
        case Some(items=items):
            plain = not any(isinstance(item, All) for item in items)
            text = " or ".join(_inner(item, style) for item in items)
            return text if plain else f"({text})"
        case _:
            return _leaf(phrase, style)


def _leaf(phrase: Within | Named, style: Style) -> str:
    if isinstance(phrase, Within):
        return reading(phrase.subject, phrase.ranges, style)
    suits = " and ".join(style.suit(suit) for suit in phrase.suits)
    if phrase.kind == "longest":
        return f"{'a' if phrase.negated else 'no'} suit longer than {suits}"
    if phrase.kind == "longest_unbid":
        return f"{suits} {'not ' if phrase.negated else ''}the longest unbid suit"
    if phrase.kind in _CONTROLS:
        return f"{'no ' if phrase.negated else ''}{_CONTROLS[phrase.kind]} in {suits}"
    # A definition private to a module is stored as `name#module`: readers see the name.
    name = name_in_words(phrase.kind)
    text = f"{name} in {suits}" if suits else name
    return f"not {text}" if phrase.negated else text
