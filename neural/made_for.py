"""The system that weights were made for, in which state, as their card says.

A corpus carries the name and fingerprint of the system that bid it, weights those of the corpus or
of the policy that they learnt from. Weights made before there were fingerprints have none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from bidwright.bridge.errors import one_sentence
from bidwright.bridge.json_values import JsonValue, UncheckedObject
from bidwright.bridge.text_files import without_controls


class SystemEntries(TypedDict, total=False):
    """The entries of a card, or of the origin of a corpus, about the system in play."""

    system: str
    system_fingerprint: str | None


class CorpusOrigin(SystemEntries, total=False):
    """The source of auctions, as a corpus records it; each kind of corpus has some of the entries.

    Attributes:
        kind: the kind of bidders: `rules`, `self-play` or `searched`.
        systems: the systems, if there are several.
        seed: the random seed of the deals.
        random_share: the share of random calls.
        echoes: further deals of each auction.
        sets: true for sets of calls in both tiers, or the tier.
        policy: the hash of the policy that bid.
        tricks: the hash of the network that counted tricks.
        tier: the tier of the calls that a search tries.
        search: the settings of the search.
    """

    kind: str
    systems: list[SystemEntries]
    seed: int
    random_share: float
    echoes: int
    sets: bool | str
    policy: str
    tricks: str
    tier: str
    search: dict[str, JsonValue]


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

    def add_to(self, entries: SystemEntries) -> None:
        """Add its entries to a card, or to the origin of a corpus."""
        if self.system is not None:
            entries["system"] = self.system
            entries["system_fingerprint"] = self.fingerprint

    def __str__(self) -> str:
        """Return name and fingerprint."""
        # The card may come from anybody: controls in it must not steer a terminal.
        text = f"{self.system or 'any system'} {self.fingerprint or '(fingerprint not recorded)'}"
        return one_sentence(without_controls(text))


def made_for(card: UncheckedObject) -> MadeFor:
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
