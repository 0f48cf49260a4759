"""The answers about texts of the page: what is wrong in them, and what a change changes."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from bidwright import InvalidError
from bidwright.authoring.diff.compare import Effort
from bidwright.authoring.diff.difference_report import to_json
from bidwright.authoring.diff.result import difference
from bidwright.authoring.diff.versions import Version
from bidwright.editor.helper import PROOFS
from bidwright.explorer.queries import Query, number_of_query, system_of, words_of_query
from bidwright.explorer.shelf import PageText, Shelf
from bidwright.kb.language.diagnostics import Diagnostic

Json = dict[str, Any]

_EFFORT = Effort(deals=2_000, positions=50, follow=40, top=4, causes=8)
"""How far is looked for what differs, so that a reader may wait for it."""

_MOST_SHOWN = 60
"""Mistakes of a text that are shown."""

_MOST_SECONDS = 60

_OF_MEANING = "E4"
"""How the codes of errors begin with which a system bids all the same, if not as it should."""


def _text(shelf: Shelf, query: Query) -> PageText:
    """Return the text of the page that a question is about."""
    page = shelf.page(words_of_query(query, "text"))
    if page is None:
        raise InvalidError("expected a text of the page as 'text'")
    return page


def check(shelf: Shelf, query: Query) -> Json:
    """Answer what is wrong in a text: mistakes, and examples that are bid otherwise.

    With `seconds` proofs are looked for as well, until the time is over; `stage` says how far that
    came, `done` being all of it.
    """
    page = _text(shelf, query)
    seconds = number_of_query(query, "seconds", 0, 0, _MOST_SECONDS)
    root = shelf.root(page)
    compiled = shelf.read(page)
    problems = list(shelf.bench.problems(root))
    stage, examples = PROOFS, 0
    if compiled is not None and not any(each.is_error for each in problems):
        stage, found = _looked(shelf, page, seconds)
        problems += found
        examples = sum(each.span.file == str(root) for _, each in compiled.rules.examples)
    problems = list(dict.fromkeys(problems))
    return {
        "usable": not any(
            each.is_error and not each.code.startswith(_OF_MEANING) for each in problems
        ),
        "examples": examples,
        "stage": stage,
        "problems": [_diagnostic(shelf, page, each) for each in problems[:_MOST_SHOWN]],
        "more": max(0, len(problems) - _MOST_SHOWN),
    }


def _looked(shelf: Shelf, page: PageText, seconds: int) -> tuple[str, list[Diagnostic]]:
    """Return how far a text that can be read was looked at, and what was found."""
    root = shelf.root(page)
    until = time.monotonic() + seconds
    found: list[Diagnostic] = []
    stage = ""
    for stage, step in shelf.bench.check(root, {str(root): page.text}, [str(root)]):
        found += step
        if stage == PROOFS and not seconds:
            break
        if seconds and time.monotonic() > until:
            break
    return stage, found


def _diagnostic(shelf: Shelf, page: PageText, problem: Diagnostic) -> Json:
    """Return what is wrong at a place; `own` if that is in the text itself."""
    span = problem.span
    own = span.file == str(shelf.root(page))
    return {
        "code": problem.code,
        "severity": problem.severity.value,
        "message": shelf.plain(problem.message),
        "own": own,
        "at": shelf.plain(str(span)),
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "more": [
            shelf.plain(f"{name}: {text}")
            for name, text in (
                ("expected", problem.expected),
                ("note", problem.note),
                ("help", problem.help),
                *((each.message, str(each.span)) for each in problem.related),
            )
            if text
        ],
    }


def changes(shelf: Shelf, query: Query) -> Json:
    """Answer what differs at the table between two systems: a short `bidwright diff`."""
    old, new = system_of(query, "old"), system_of(query, "new")
    versions = [Version(shelf.title(name), shelf.rules(name)) for name in (old, new)]
    return dict(_plain(shelf, to_json(difference(versions[0], versions[1], _EFFORT))))


def _plain(shelf: Shelf, value: Any) -> Any:  # noqa: ANN401 - JSON
    """Return a value with all its texts as a reader may see them."""
    if isinstance(value, str):
        return shelf.plain(value)
    if isinstance(value, dict):
        return {name: _plain(shelf, each) for name, each in value.items()}
    return [_plain(shelf, each) for each in value] if isinstance(value, Iterable) else value
