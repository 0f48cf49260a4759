"""The process beside the server: JSON requests on standard input, replies on standard output.

A request has `id`, `do` and what that needs; `{"cancel": id}` breaks off a check between two of
its steps. A check sends a reply for each step that found something, and one at its end.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import NoReturn, Required, TextIO, TypedDict

from bidwright.editor.helper import HelperReply
from bidwright.editor.workbench import Workbench
from bidwright.kb.language.diagnostics import to_json


class Job(TypedDict, total=False):
    """A request: its kind, the system with texts that are not saved, and what the kind needs."""

    id: Required[int]
    do: Required[str]
    root: Required[str]
    texts: Required[dict[str, str]]
    rules: list[str]
    count: int
    path: str
    line: int | None
    paths: list[str]


class Worker:
    """Answers requests one after the other."""

    def __init__(self, requests: TextIO, replies: TextIO) -> None:
        """Read and write these streams."""
        self._requests = requests
        self._replies = replies
        self._bench = Workbench()
        self._jobs: SimpleQueue[Job] = SimpleQueue()
        self._cancelled: set[int] = set()

    def run(self) -> NoReturn:
        """Work until the requests end, which ends the process."""
        threading.Thread(target=self._listen, daemon=True).start()
        while True:
            job = self._jobs.get()
            if job["id"] not in self._cancelled:
                self._answer(job)

    def _listen(self) -> None:
        for line in self._requests:
            request = json.loads(line)
            if "cancel" in request:
                self._cancelled.add(request["cancel"])
            else:
                self._jobs.put(request)
        # The server has gone: whatever is being worked out, nobody waits for it.
        os._exit(0)

    def _answer(self, job: Job) -> None:
        try:
            for reply in self._replies_to(job):
                self._send({"id": job["id"], **reply})
        except Exception as error:
            # The next requests must not suffer from a bug that this one has found.
            self._send({"id": job["id"], "error": f"{type(error).__name__}: {error}"[:300]})

    def _replies_to(self, job: Job) -> Iterator[HelperReply]:
        root, texts = Path(job["root"]), job["texts"]
        match job["do"]:
            case "hover":
                yield {"result": self._bench.hover(root, texts, job["rules"])}
            case "deal":
                yield {"result": self._bench.deal(root, texts, job["rules"], job["count"])}
            case "claims":
                yield {"result": self._bench.claims(root, texts, job["rules"])}
            case "examples":
                text = self._bench.examples(root, texts, job["path"], job["line"])
                yield {"result": text}
            case "check":
                for step, problems in self._bench.check(root, texts, job["paths"]):
                    if job["id"] in self._cancelled:
                        yield {"result": False}
                        return
                    yield {"step": step, "found": to_json(problems)}
                yield {"result": True}

    def _send(self, reply: HelperReply) -> None:
        self._replies.write(json.dumps(reply) + "\n")
        self._replies.flush()


def main() -> None:
    """Serve standard input; whatever else is printed goes to standard error."""
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with suppress(OSError, AttributeError):
        os.nice(5)
    with suppress(BrokenPipeError, KeyboardInterrupt):
        Worker(sys.stdin, replies).run()


if __name__ == "__main__":
    main()
