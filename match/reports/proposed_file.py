"""The convention file of proposals: written, checked, and every example in it bid as stated.

A proposal has to work as it stands. One with findings, one that would override another meaning of
the system, and one with examples that are bid otherwise are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path

from bidwright.inference.reading.examples import run_examples
from bidwright.kb.loading.compiled import compiled
from bidwright.kb.loading.load import MAIN, SUFFIX, Files, load
from bidwright.match.reports.proposed_rules import Proposal, rule_lines

_NAME = "as_practised"
"""The name of the system, and of its file as long as it is only a text."""


class _FilesAndText(Files):
    """The files of the disk, and one that is not written yet."""

    def __init__(self, place: Path, text: str) -> None:
        self._place, self._text = place, text

    def exists(self, path: Traversable) -> bool:
        return path == self._place or super().exists(path)

    def text(self, path: Traversable) -> str:
        return self._text if path == self._place else super().text(path)


@dataclass(frozen=True, slots=True)
class ProposedFile:
    """A convention file.

    Attributes:
        text: the file.
        accepted: the proposals in it.
        refused: the number of proposals left out.
    """

    text: str
    accepted: tuple[Proposal, ...]
    refused: int


def proposed_file(system: str, found: Sequence[Proposal], remarks: Sequence[str]) -> ProposedFile:
    """Return a system that changes another one by proposals, those that hold good.

    Args:
        system: the name or path of the system that is changed.
        found: the proposals.
        remarks: lines of comment at the top.
    """
    folder, included = _included(system)
    left = list(found)
    while True:
        text, lines = _written(system, included, left, remarks)
        faulty = set(_faulty_lines(folder / f"{_NAME}{SUFFIX}", text))
        good = [each for each, own in zip(left, lines, strict=True) if faulty.isdisjoint(own)]
        if len(good) == len(left):
            return ProposedFile(text, tuple(good), len(found) - len(good))
        left = good


def _included(system: str) -> tuple[Path, str]:
    """Return the folder that a system is included in, and the text of the include."""
    path = Path(system)
    if path.is_dir():
        return path.parent, f"{path.name}/{MAIN.removesuffix(SUFFIX)}"
    return (path.parent, path.stem) if path.suffix == SUFFIX else (Path(), system)


def _written(
    system: str, included: str, found: Sequence[Proposal], remarks: Sequence[str]
) -> tuple[str, list[range]]:
    """Return a file, and the lines, from 1, of each proposal in it."""
    out = [f"# {line}" for line in remarks]
    out += [f'system {_NAME} "{Path(system).stem} as practised"', "", f"include {included}"]
    places = []
    for proposal in found:
        rule = rule_lines(proposal)
        places.append(range(len(out) + 2, len(out) + 2 + len(rule)))
        out += ["", *rule]
    return "\n".join(out) + "\n", places


def _faulty_lines(place: Path, text: str) -> Iterator[int]:
    """Yield the lines of a file with findings, overridden meanings, or failing examples."""
    loaded = load(place, _FilesAndText(place, text))
    name = place.as_posix()
    spans = [each.span for each in loaded.diagnostics] + [each.span for each in loaded.changes]
    yield from (span.line for span in spans if span.file == name)
    if any(each.is_error for each in loaded.diagnostics):
        return
    rules = compiled(place, loaded)
    stated = [(module, each) for module, each in rules.examples if each.span.file == name]
    for outcome in run_examples(rules, stated):
        if not outcome.passed:
            yield outcome.example.span.line
