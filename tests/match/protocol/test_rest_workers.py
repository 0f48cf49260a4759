"""The processes behind the seat over HTTP: the same answers, and others after one that ends."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from bidwright.match.protocol.rest import SeatAnswerer
from bidwright.match.protocol.rest_paths import PATHS, open_service
from bidwright.match.protocol.rest_workers import SeatProcess

pytest.importorskip("fastapi")

MINI = f"rules:{Path(__file__).parents[2] / 'systems' / 'mini.bid'}"


class Fragile:
    """A service that ends its process, or looks at no clock."""

    @property
    def answers(self) -> Mapping[str, Any]:
        """The function of each path."""
        return {"end": self.end, "sleep": self.sleep, "pid": self.pid}

    def end(self, query: Mapping[str, str]) -> Any:  # noqa: ANN401
        """End the process."""
        os._exit(3)

    def sleep(self, query: Mapping[str, str]) -> Any:  # noqa: ANN401
        """Answer too late."""
        time.sleep(600)

    def pid(self, query: Mapping[str, str]) -> Any:  # noqa: ANN401
        """Return the process and the query."""
        return {"pid": os.getpid(), "query": dict(query)}


@pytest.fixture(scope="module")
def fragile() -> Iterator[SeatProcess]:
    process = SeatProcess(Fragile, (), 0.5)  # type: ignore[arg-type]
    while process("pid", {}, time.monotonic())[0] != 200:
        pass  # a busy machine takes longer to start it
    yield process
    process.close()


def test_processes_answer_as_this_one_does() -> None:
    here = SeatAnswerer(open_service(MINI, None, None), 600)
    process = SeatProcess(open_service, (MINI, None, None), 600)
    try:
        for path, text in PATHS.items():
            asked = (path, text.example, time.monotonic())
            assert process(*asked) == here(*asked)
        wrong = ("bid", {"hand": "A"}, time.monotonic())
        assert process(*wrong) == here(*wrong)
        assert process(*wrong)[0] == 400
    finally:
        process.close()


@pytest.mark.parametrize(
    ("path", "reply"),
    [
        ("end", (500, {"error": "the process that worked it out has ended: try again"})),
        ("sleep", (503, {"error": "no answer was found within 0.5 seconds"})),
    ],
)
def test_another_process_comes_after_one_that_ends(
    fragile: SeatProcess, path: str, reply: object
) -> None:
    status, reply_before = fragile("pid", {"a": "b"}, time.monotonic())
    before = dict[str, object](**reply_before)  # of the fragile service, not of the seat's
    assert (status, before["query"]) == (200, {"a": "b"})
    assert fragile(path, {}, time.monotonic()) == reply
    while (after := fragile("pid", {}, time.monotonic()))[0] != 200:
        pass  # it starts
    assert dict[str, object](**after[1])["pid"] not in (before["pid"], os.getpid())


def test_a_query_that_waited_too_long_gets_no_answer(fragile: SeatProcess) -> None:
    status, answer = fragile("pid", {}, time.monotonic() - 0.6)
    assert (status, answer) == (503, {"error": "no answer was found within 0.5 seconds"})
