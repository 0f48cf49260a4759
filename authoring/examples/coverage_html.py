"""Coverage as pages: a table of the files, and each file's text with its exercised parts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

from bidwright.authoring.convention_files import read_text
from bidwright.authoring.examples.coverage import NOTHING, Coverage, CoverageRow
from bidwright.authoring.examples.probes import ProbedTest, Trials
from bidwright.bridge.errors import InvalidError
from bidwright.kb.language.printer import condition_text
from bidwright.kb.loading.load import load
from bidwright.runtime.files import write_text

FULL, PART, NONE = "full", "part", "none"


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of a line.

    Attributes:
        text: the characters.
        state: the exercised part of the test there; empty where there is none.
        title: the tooltip.
    """

    text: str
    state: str = ""
    title: str = ""


@dataclass
class SourceLine:
    """A line of a file.

    Attributes:
        number: its number, from 1.
        counts: hands that the rules on it bid, for examples and corpus; empty without rules.
        state: the state of the rules on it; empty without rules.
        stretches: the text.
    """

    number: int
    counts: tuple[int, ...] = ()
    state: str = ""
    stretches: list[Stretch] = field(default_factory=list)


def write_pages(coverage: Coverage, folder: Path) -> None:
    """Write `index.html` and one page for each file into a folder, which is made if need be.

    Raises:
        InvalidError: The folder cannot be written to.
    """
    from jinja2 import Environment, StrictUndefined

    text = (files("bidwright") / "authoring" / "examples" / "coverage.html.j2").read_text(
        encoding="utf-8"
    )
    page = Environment(undefined=StrictUndefined, autoescape=True, trim_blocks=True).from_string(
        text
    )
    kinds = [("examples", coverage.examples)]
    if coverage.corpus is not None:
        kinds.append(("corpus", coverage.corpus))
    names = _page_names(coverage.files())
    tables: list[tuple[str, int, dict[str, CoverageRow]]] = []
    for kind, trials in kinds:
        rows = coverage.rows(trials)
        rows["all"] = sum(rows.values(), NOTHING)
        tables.append((kind, trials.decisions, rows))
    title = f"{coverage.rules.title or coverage.rules.name}: coverage"
    heads = [kind for kind, _ in kinds]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        index = page.render(title=title, tables=tables, pages=names, lines=None, heads=heads)
        write_text(folder / "index.html", index)
        for file, name in names.items():
            lines = annotated(coverage, file, [trials for _, trials in kinds])
            content = page.render(title=file, tables=[], pages=names, lines=lines, heads=heads)
            write_text(folder / name, content)
    except OSError as error:
        raise InvalidError(f"{folder} cannot be written to: {error.strerror}") from None


def _page_names(names: Sequence[str]) -> dict[str, str]:
    pages: dict[str, str] = {}
    for name in names:
        plain = re.sub(r"\W+", "_", name.removesuffix(".bid")).strip("_")
        # Names of several folders may come to the same word; the index has to keep them apart.
        page = f"{plain}.html"
        while page in pages.values():
            page = f"_{page}"
        pages[name] = page
    return pages


def annotated(coverage: Coverage, file: str, kinds: Sequence[Trials]) -> list[SourceLine]:
    """Return the lines of a file with their exercised parts."""
    lines = [SourceLine(number) for number, _ in enumerate(_text(file), 1)]
    for rule in coverage.rules.rules:
        if rule.span.file == file:
            line = lines[rule.span.line - 1]
            counts = tuple(trials.chosen[rule.id] for trials in kinds)
            # Several rules may begin on one line: their counts are summed.
            line.counts = tuple(
                map(sum, zip(line.counts or (0,) * len(counts), counts, strict=True))
            )
            line.state = FULL if any(line.counts) else NONE
    here: dict[int, list[ProbedTest]] = {}
    for place in coverage.places:
        if place.test.span.file == file:
            here.setdefault(place.test.span.line, []).append(place)
    for line, text in zip(lines, _text(file), strict=True):
        line.stretches = list(_stretches(coverage, text, here.get(line.number, ()), kinds))
    return lines


def _text(file: str) -> list[str]:
    """Return the lines of a file, which spans name as the loader found it."""
    path = Path(file)
    if path.is_file():
        # A name as the loader has it may exist only inside the package.
        return read_text(path).splitlines()
    return load(file).texts[file].splitlines()


def _stretches(
    coverage: Coverage, text: str, places: Sequence[ProbedTest], kinds: Sequence[Trials]
) -> list[Stretch]:
    stretches: list[Stretch] = []
    at = 0
    by_start: dict[tuple[int, int], list[ProbedTest]] = {}
    for place in places:
        span = place.test.span
        # A test that goes on below is marked to the end of its first line.
        end = span.end_column - 1 if span.end_line == span.line else len(text)
        by_start.setdefault((span.column - 1, end), []).append(place)
    for (start, end), tests_here in sorted(by_start.items()):
        # Tests may lie within each other: only the outer one is marked, as marks
        # cannot overlap.
        if start < at:
            continue
        stretches.append(Stretch(text[at:start]))
        title, state = _tooltip(coverage, tests_here, kinds)
        stretches.append(Stretch(text[start:end], state, title))
        at = end
    stretches.append(Stretch(text[at:]))
    return [each for each in stretches if each.text]


def _tooltip(
    coverage: Coverage, places: Sequence[ProbedTest], kinds: Sequence[Trials]
) -> tuple[str, str]:
    """Return the trials of the tests at one place: in words, and as a state."""
    words: list[str] = []
    done = []
    for place in places:
        if len(places) > 1:
            words.append(condition_text(place.test))
        for number in (*place.switches, *place.moves):
            change = coverage.probes.changes[number]
            counts = [trials.changes[number] for trials in kinds]
            done.append(sum(counts) > 0)
            if number in place.switches:
                what = "fail for it alone" if change.wider else "are bid because of it"
            else:
                what = f"notice {change}"
            words.append(f"{' + '.join(map(str, counts))} {what}")
    state = FULL if all(done) else PART if any(done) else NONE
    return "\n".join(words), state
