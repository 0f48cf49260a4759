"""The system that weights were made for, in which state, as their card says.

A corpus carries the name and fingerprint of the system that bid it, weights those of the corpus or
of the policy that they learnt from. Weights made before there were fingerprints have none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypedDict

from bidwright.bridge.errors import one_sentence
from bidwright.bridge.text_files import without_controls


class SystemEntries(TypedDict, total=False):
    """The entries of a card, or of the origin of a corpus, about the system in play."""

    system: str
    system_fingerprint: str | None


@dataclass(frozen=True, slots=True)
class MadeFor:
    """A system in some state.

    Attributes:
        system: the name of the system; None if it is not recorded.
        fingerprint: the fingerprint of its rules (`kb.rules.fingerprints`); None if not recorded.
    """

    system: str | None = None
    fingerprint: str | None = None

    def entries(self) -> SystemEntries:
        """Return its entries for a card, or for the origin of a corpus."""
        if self.system is None:
            return {}
        return {"system": self.system, "system_fingerprint": self.fingerprint}

    def __str__(self) -> str:
        """Return name and fingerprint."""
        # The card may come from anybody: controls in it must not steer a terminal.
        text = f"{self.system or 'any system'} {self.fingerprint or '(fingerprint not recorded)'}"
        return one_sentence(without_controls(text))


def made_for(card: Mapping[str, Any]) -> MadeFor:
    """Return the system of a card of weights, or of its data, or of its run's settings."""
    # Weights name the system themselves; older ones only in the settings or data that they came
    # from.
    for part in (card, card.get("data"), card.get("config")):
        name = part.get("system") if isinstance(part, dict) else None
        if part and isinstance(name, str) and name:
            # Without a fingerprint the name is all that can be compared.
            fingerprint = part.get("system_fingerprint")
            return MadeFor(name, fingerprint if isinstance(fingerprint, str) else None)
    return MadeFor()
