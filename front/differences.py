"""Two systems compared: the hands that call otherwise, and the calls that mean something else."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bidwright.authoring.diff.compare import Effort
from bidwright.authoring.diff.difference_report import to_json, to_markdown, to_text
from bidwright.authoring.diff.result import Difference, difference
from bidwright.authoring.diff.versions import Version
from bidwright.front.open_systems import System, SystemLike, system_of
from bidwright.kb.loading.search_path import SUFFIX

if TYPE_CHECKING:
    from bidwright.authoring.diff.difference_report import DifferenceValues


@dataclass(frozen=True, eq=False)
class SystemDifference:
    r"""The differences between two systems, as `diff` returns them.

    `str` of it is the text that `bidwright diff` prints.

    Attributes:
        details: the differences with their hands and rules; what its attributes are is not promised
            between versions.

    Example:
        >>> import bidwright
        >>> text = 'opening\n  1NT "strong" hcp 15..17, balanced\n'
        >>> strong = bidwright.System.from_text(text, "strong")
        >>> weak = bidwright.System.from_text(text.replace("15..17", "12..14"), "weak")
        >>> changes = bidwright.diff(strong, weak, deals=200)
        >>> changes.is_empty, changes.as_json()["new"]
        (False, 'weak')
    """

    details: Difference

    @classmethod
    def between(cls, old: SystemLike, new: SystemLike, effort: Effort) -> SystemDifference:
        """Return the differences between two systems, found with some effort."""
        versions = [Version(_label(each), each.rules) for each in map(system_of, (old, new))]
        return cls(difference(versions[0], versions[1], effort))

    @property
    def is_empty(self) -> bool:
        """True if nothing differs in meaning."""
        return self.details.is_empty

    def as_json(self, *, deals: bool = False) -> DifferenceValues:
        """Return the object that `bidwright diff --format json` prints.

        Args:
            deals: add a deal for each class of hands.
        """
        return to_json(self.details, deals=deals)

    def markdown(self, *, deals: bool = False) -> str:
        """Return the text for a pull request; see `as_json`."""
        return to_markdown(self.details, deals=deals)

    def __str__(self) -> str:
        """Return the text that `bidwright diff` prints."""
        return to_text(self.details)

    def __repr__(self) -> str:
        """Return the class and the names of the systems."""
        old, new = (version.label for version in self.details.versions)
        return f"<SystemDifference {old!r} {new!r}>"


def _label(system: System) -> str:
    """Return the name of a system for readers: as it was opened, or of its text."""
    return Path(system.spec).stem if system.spec.endswith(SUFFIX) else system.spec
