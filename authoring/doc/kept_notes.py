"""Documents kept on disk, so that nothing of a system has to be worked out twice."""

from __future__ import annotations

from hashlib import sha256

from bidwright.authoring.doc.card import card_of
from bidwright.authoring.doc.card_forms import Form
from bidwright.authoring.doc.card_layouts import FORMS
from bidwright.authoring.doc.document import Notes
from bidwright.authoring.doc.notes import notes_of
from bidwright.inference.reading.examples import reader_for
from bidwright.kb.language.system import System
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.runtime.cache import Cache
from bidwright.runtime.code import code_key
from bidwright.runtime.progress import counting

_NOTES = Cache("notes", most=8)
_FORMS = Cache("forms", most=24)


def kept_notes(rules: RuleBase, system: System, *, quiet: bool = True) -> Notes:
    """Return the document of a system, as `notes_of` makes it, from the cache if it is there.

    Args:
        rules: the compiled system.
        system: the same as it was loaded.
        quiet: show no progress.
    """
    key = _key(system)
    notes = _NOTES.read(key, Notes)
    if notes is None:
        notes = notes_of(rules, system, quiet=quiet)
        _NOTES.write(key, notes)
    return notes


def kept_form(rules: RuleBase, system: System, name: str, *, quiet: bool = True) -> Form:
    """Return a form of `FORMS`, filled from a system, from the cache if it is there.

    Args:
        rules: the compiled system.
        system: the same as it was loaded.
        name: the name of the form.
        quiet: show no progress.
    """
    key = f"{_key(system)}{name}"
    form = _FORMS.read(key, Form)
    if form is None:
        with counting(2, "filling the card", quiet=quiet) as progress:
            progress.show(0)
            card = card_of(rules, system, reader_for(rules))
            progress.show(1)
            form = FORMS[name](card)
        _FORMS.write(key, form)
    return form


def _key(system: System) -> str:
    """Return the hash of a system's texts and of the code that reads them."""
    # Texts and code: a document is never older than what it is made of.
    digest = sha256(code_key("bridge", "kb", "inference", "authoring").encode())
    for name, text in system.texts.items():
        # With the length, or two files could be cut at another place and give the same hash.
        digest.update(f"{name}\0{len(text)}\0{text}".encode())
    return digest.hexdigest()[:32]
