"""A form as one HTML file of two A4 pages; nothing is loaded from elsewhere."""

from __future__ import annotations

from importlib.resources import files

from bidwright.authoring.doc.card_forms import Form
from bidwright.authoring.doc.html import suits


def form_html(form: Form) -> str:
    """Return a form as HTML."""
    from jinja2 import Environment, StrictUndefined

    text = (files("bidwright") / "authoring" / "doc" / "card_form.html.j2").read_text("utf-8")
    # Texts of convention files come from strangers: they are escaped, and a misspelt name is an
    # error.
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["suits"] = suits
    return environment.from_string(text).render(form=form)
