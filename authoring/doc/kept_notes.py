"""Documents kept on disk, so that nothing of a system has to be worked out twice."""

from __future__ import annotations

from hashlib import sha256

from bidwright.authoring.doc.document import Notes
from bidwright.authoring.doc.notes import notes_of
from bidwright.kb.language.system import System
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.runtime.cache import Cache
from bidwright.runtime.code import code_key

_NOTES = Cache("notes", most=8)


def kept_notes(rules: RuleBase, system: System, *, quiet: bool = True) -> Notes:
    """Return the document of a system, as `notes_of` makes it, from the cache if it is there.

    Args:
        rules: the compiled system.
        system: the same as it was loaded.
        quiet: show no progress.
    """
    digest = sha256(code_key("bridge", "kb", "inference", "authoring").encode())
    for name, text in system.texts.items():
        digest.update(f"{name}\0{len(text)}\0{text}".encode())
    key = digest.hexdigest()[:32]
    notes = _NOTES.read(key, Notes)
    if notes is None:
        notes = notes_of(rules, system, quiet=quiet)
        _NOTES.write(key, notes)
    return notes
