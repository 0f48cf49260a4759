"""The answers about texts of the page: mistakes in them, and the effects of a change."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Any, TypedDict

from bidwright import InvalidError, diff
from bidwright.editor.helper import PROOFS
from bidwright.explorer.page_systems import PageSystems, PageText
from bidwright.explorer.queries import Query, number_of_query, system_of, words_of_query
from bidwright.explorer.request_limits import MOST_TEXT
from bidwright.kb.language.diagnostics import Diagnostic

_MOST_SHOWN = 60
"""Mistakes of a text that are shown."""

_MOST_SECONDS = 60

_OF_MEANING = "E4"
"""The prefix of errors of meaning, which leave a system usable."""


def _text(systems: PageSystems, query: Query) -> PageText:
    """Return the text of the page that a question is about."""
    page = systems.page(words_of_query(query, "text"))
    if page is None:
        raise InvalidError("expected a text of the page as 'text'")
    return page


class ProblemEntry(TypedDict):
    """A problem; `own` if its place is in the text itself."""

    code: str
    severity: str
    message: str
    own: bool
    at: str
    line: int
    column: int
    end_line: int
    end_column: int
    more: list[str]


class MeaningAnswer(TypedDict):
    """The meaning of a place as Markdown, empty for none."""

    text: str


class CheckAnswer(TypedDict):
    """The problems of a text, and the last stage of the check that was finished."""

    usable: bool
    examples: int
    stage: str
    problems: list[ProblemEntry]
    more: int


def check(systems: PageSystems, query: Query) -> CheckAnswer:
    """Return the problems of a text: mistakes, and examples that are bid otherwise.

    With `seconds` proofs are looked for as well, until the time is over; `stage` is the last stage
    that was finished, `done` for all of it.
    """
    page = _text(systems, query)
    seconds = number_of_query(query, "seconds", 0, 0, _MOST_SECONDS)
    root = systems.root(page)
    compiled = systems.read(page)
    problems = list(systems.bench.problems(root))
    stage, examples = PROOFS, 0
    if compiled is not None and not any(each.is_error for each in problems):
        stage, more = _looked(systems, page, seconds)
        problems += more
        examples = sum(each.span.file == str(root) for _, each in compiled.rules.examples)
    # The stages of a check may find a mistake twice.
    problems = list(dict.fromkeys(problems))
    return {
        "usable": not any(
            # A false example or claim is an error that leaves the rules as they are: they can still
            # be read.
            each.is_error and not each.code.startswith(_OF_MEANING)
            for each in problems
        ),
        "examples": examples,
        "stage": stage,
        "problems": [_diagnostic(systems, page, each) for each in problems[:_MOST_SHOWN]],
        "more": max(0, len(problems) - _MOST_SHOWN),
    }


def _looked(systems: PageSystems, page: PageText, seconds: int) -> tuple[str, list[Diagnostic]]:
    """Return the last stage of the checks of a readable text, and the problems."""
    root = systems.root(page)
    until = time.monotonic() + seconds
    problems: list[Diagnostic] = []
    stage = ""
    for stage, step in systems.bench.check(root, {str(root): page.text}, [str(root)]):
        problems += step
        # The stage of proofs has begun when its name comes: without time for them that is the end.
        if stage == PROOFS and not seconds:
            break
        if seconds and time.monotonic() > until:
            break
    return stage, problems


def _diagnostic(systems: PageSystems, page: PageText, problem: Diagnostic) -> ProblemEntry:
    """Return a problem as plain values."""
    span = problem.span
    is_own = span.file == str(systems.root(page))
    return {
        "code": problem.code,
        "severity": problem.severity.value,
        "message": systems.plain(problem.message),
        "own": is_own,
        "at": systems.plain(str(span)),
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "more": [
            systems.plain(f"{name}: {text}")
            for name, text in (
                ("expected", problem.expected),
                ("note", problem.note),
                ("help", problem.help),
                *((each.message, str(each.span)) for each in problem.related),
            )
            if text
        ],
    }


def colours(systems: PageSystems, query: Query) -> Mapping[str, object]:
    """Return the kinds of the words of a text; see `PageDesk.colours`."""
    page = _text(systems, query)
    return systems.desk.colours(systems.root(page), page.text)


def proposals(systems: PageSystems, query: Query) -> Mapping[str, object]:
    """Return the proposals for a place of a text; see `PageDesk.proposals`."""
    page = _text(systems, query)
    return systems.desk.proposals(systems.root(page), page.text, *_place(query))


def meaning(systems: PageSystems, query: Query) -> MeaningAnswer:
    """Return the meaning of the word or rule at a place of a text, as Markdown."""
    page = _text(systems, query)
    root = systems.root(page)
    text, rules = systems.desk.meaning(root, page.text, *_place(query))
    if rules:
        # The trees of the systems that it includes are taken first, which saves parsing them.
        systems.read(page)
        text = systems.bench.hover(root, {str(root): page.text}, rules)
    return {"text": systems.plain(text)}


def _place(query: Query) -> tuple[int, int]:
    """Return line and character, from 0, of a query."""
    line, character = (
        number_of_query(query, name, 0, 0, MOST_TEXT) for name in ("line", "character")
    )
    return line, character


def changes(systems: PageSystems, query: Query) -> Mapping[str, object]:
    """Return the differences at the table between two systems: a short `bidwright diff`."""
    old, new = (systems.system(system_of(query, name)) for name in ("old", "new"))
    # Few deals and positions, so that a reader can wait for them.
    shown = diff(old, new, deals=2_000, positions=50, follow=40, top=4, causes=8)
    values: Mapping[str, object] = _plain(systems, shown.as_json())
    return values


def _plain(systems: PageSystems, value: Any) -> Any:  # noqa: ANN401 - JSON
    """Return a value with all its texts as a reader may see them."""
    if isinstance(value, str):
        return systems.plain(value)
    if isinstance(value, dict):
        return {name: _plain(systems, each) for name, each in value.items()}
    return [_plain(systems, each) for each in value] if isinstance(value, Iterable) else value
