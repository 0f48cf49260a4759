"""A document of a system as one HTML file: card, tree with a search box, nothing from elsewhere."""

from __future__ import annotations

import re
from importlib.resources import files

from markupsafe import Markup, escape

from bidwright.authoring.doc.document import Notes

_SUITS = re.compile(r"[♣♦♥♠]")
_APART = re.compile(r"(?<=[\d+]) (?=[♣♦♥♠])")
_CLASSES = dict(zip("♣♦♥♠", "cdhs", strict=True))


def to_html(notes: Notes) -> str:
    """Return the document as HTML."""
    from jinja2 import Environment, StrictUndefined

    text = (files("bidwright") / "authoring" / "doc" / "notes.html.j2").read_text(encoding="utf-8")
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["suits"] = suits
    environment.filters["anchor"] = anchor
    return environment.from_string(text).render(notes=notes)


def anchor(pattern: str) -> str:
    """Return the name of a pattern's place in the page."""
    letters = pattern.translate(str.maketrans("♣♦♥♠", "CDHS"))
    return re.sub(r"[^\w.()|]+", "-", letters)


def suits(text: str) -> Markup:
    """Return a text with its suit symbols in their colours, each beside the number before it."""
    # No line may end between a number and its suit.
    together = _APART.sub("\u00a0", str(escape(text)))
    return Markup(
        _SUITS.sub(lambda match: f'<i class="{_CLASSES[match[0]]}">{match[0]}</i>', together)
    )
