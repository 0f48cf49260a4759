"""The process that computes answers: JSON requests on standard input, replies on standard output.

A request has `id`, `do`, the `query`, the `texts` of the page that it may name, and the `files` of
the command line. A reply has the `result`: `{"answer": ...}`, or `{"refused": sentence}` for input
that cannot be read. One request is answered at a time; the caller ends a process that takes too
long.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TextIO, TypedDict

from bidwright import BidwrightError
from bidwright.bridge.errors import one_sentence
from bidwright.explorer import boards_page, editing_page, positions_page, practice_page
from bidwright.explorer.page_systems import PageSystems, PageText
from bidwright.explorer.queries import Query


class PageQuestion(TypedDict):
    """A question: its kind, its values, and the texts of the page that it names, by their keys."""

    do: str
    query: Query
    texts: Mapping[str, tuple[str, str]]


class Answered(TypedDict, total=False):
    """An answer as plain values, or a sentence with the reason for its refusal."""

    answer: Mapping[str, object]
    refused: str


ANSWERS: dict[str, Callable[[PageSystems, Query], Mapping[str, object]]] = {
    "typed": positions_page.typed,
    "position": positions_page.position,
    "chosen": positions_page.chosen,
    "call": positions_page.made_call,
    "deals": positions_page.deals,
    "odds": positions_page.odds,
    "pasted": boards_page.pasted,
    "board": boards_page.board,
    "report": boards_page.report,
    "check": editing_page.check,
    "colours": editing_page.colours,
    "proposals": editing_page.proposals,
    "meaning": editing_page.meaning,
    "changes": editing_page.changes,
    "topics": practice_page.topics,
    "exercise": practice_page.exercise,
    "judged": practice_page.judged,
}
"""The functions that answer, by kind of question."""

_MEMORY = 8 * 2**30
"""The limit on address space, in bytes, so that a request fails before the machine does."""


def answer(systems: PageSystems, request: PageQuestion) -> Answered:
    """Return the answer to a request, or a sentence with the reason for its refusal."""
    systems.put({key: PageText(*text) for key, text in request["texts"].items()})
    try:
        return {"answer": ANSWERS[request["do"]](systems, request["query"])}
    except BidwrightError as error:
        return {"refused": one_sentence(systems.plain(str(error)))}


def run(requests: TextIO, replies: TextIO, systems: PageSystems) -> None:
    """Answer requests until they end."""
    for line in requests:
        request = json.loads(line)
        # The pool's protocol has the word; an answer that is being worked out is ended with its
        # process.
        if "cancel" in request:
            continue
        try:
            reply: dict[str, object] = {"result": answer(systems, request)}
        except Exception as error:
            # The next requests must not suffer from a bug that this one has found.
            reply = {"error": f"{type(error).__name__}: {error}"[:300]}
        replies.write(json.dumps({"id": request["id"], **reply}) + "\n")
        replies.flush()


def _limit_memory() -> None:
    # Not every system has limits of resources, and some set a lower one already.
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def main() -> None:
    """Serve standard input; all other output goes to standard error."""
    # A library that prints would break a reply in two: from here on its words go to standard error.
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    _limit_memory()
    files = dict(argument.split("=", 1) for argument in sys.argv[1:])
    with suppress(BrokenPipeError, KeyboardInterrupt):
        run(sys.stdin, replies, PageSystems(files))


if __name__ == "__main__":
    main()
