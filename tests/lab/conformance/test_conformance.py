"""Conformance: our own client and manager pass; others are told which line broke which rule."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from bidwright.bridge.cards import Seat
from bidwright.lab.conformance.fake_clients import examine_server
from bidwright.lab.conformance.fake_server import examine_client
from bidwright.lab.conformance.findings import Broken, ConformanceReport
from bidwright.match.play.deals import BoardSource
from bidwright.match.protocol.record import Record
from bidwright.tests.match.protocol.helpers import (
    LIMIT,
    Scripted,
    Session,
    opener,
    player,
    run,
    seeded,
)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


async def _examined(seat: Seat | None, **manner: Any) -> ConformanceReport:  # noqa: ANN401
    port = _free_port()
    examination = asyncio.create_task(examine_client("127.0.0.1", port, LIMIT))
    await player(port, seat, "A", Scripted(opener), **manner).run()
    return await examination


@pytest.mark.parametrize("seat", [Seat.NORTH, Seat.WEST, None])
def test_our_client_conforms(seat: Seat | None) -> None:
    report = run(_examined(seat))
    assert report.conforms
    assert report.findings == []
    assert {"deal", "wait-bid", "call", "wait-card"} <= report.passed.keys()


def test_a_habit_is_told_once_for_each_rule() -> None:
    report = ConformanceReport()
    for rule in ("3.1", "3.1", "3.2"):
        report.note(rule, "lower case")
    assert [finding.rule for finding in report.findings] == ["3.1", "3.2"]


def test_spelling_is_a_habit_and_breaks_no_rule() -> None:
    report = run(_examined(Seat.EAST, dialect="wbridge5"))
    assert report.conforms
    assert any("letter case" in finding.text for finding in report.findings)


@pytest.mark.parametrize("play", [False, True])
def test_our_manager_conforms(play: bool) -> None:
    async def conversation() -> ConformanceReport:
        record = Record(BoardSource(7))
        session = Session(seeded(2), record, rooms="one", play=play)
        task, port = await session.start()
        report = await examine_server("127.0.0.1", port, 10)
        await task
        return report

    report = run(conversation())
    assert report.conforms
    assert report.findings == []
    assert {"refuse", "patience", "partner", "illegal", "hand"} <= report.passed.keys()
    assert ("relay-card" in report.passed) is play


CONNECT = 'Connecting "A" as South using protocol version 18'


async def _sent(*lines: str) -> ConformanceReport:
    """Have a client send lines, each after a line of the manager's."""
    port = _free_port()
    examination = asyncio.create_task(examine_client("127.0.0.1", port, 1))
    for _ in range(50):
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            break
        except OSError:
            await asyncio.sleep(0.05)
    for line in lines:
        writer.write(f"{line}\r\n".encode("ascii"))
        await reader.readline()
    report = await examination
    writer.close()
    await writer.wait_closed()
    return report


@pytest.mark.parametrize(
    ("lines", "rule", "text"),
    [
        (["Hello"], "connecting", "got 'Hello'"),
        (['Connecting "A" as South using protocol version 9'], "connecting", "got 9"),
        ([CONNECT, "South ready to start"], "teams", "expected 'South ready for teams', got"),
        ([CONNECT, "North ready for teams"], "teams", "got 'North ready for teams'"),
        ([CONNECT], "teams", "expected 'South ready for teams': expected a line from client"),
    ],
)
def test_broken_rule_of_a_client_is_named(lines: list[str], rule: str, text: str) -> None:
    report = run(_sent(*lines))
    assert not report.conforms
    finding = report.findings[-1]
    assert (finding.rule, finding.broken) == (rule, True)
    assert text in finding.text
    assert f"broken, rule {rule}" in report.text()
    assert report.lines[-1] in report.text()


def _server(answers: dict[str, str]) -> Callable[..., Coroutine[Any, Any, None]]:
    """Return a manager that answers the beginnings of lines."""

    async def manage(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := (await reader.readline()).decode("ascii").strip():
            for start, answer in answers.items():
                if line.startswith(start):
                    writer.write(f"{answer}\r\n".encode("ascii"))
        writer.close()

    return manage


def test_broken_rule_of_a_manager_is_named() -> None:
    async def conversation() -> ConformanceReport:
        manage = _server({"Connecting": 'North ("examiner A") seated'})
        server = await asyncio.start_server(manage, "127.0.0.1", 0)
        async with server:
            report = await examine_server("127.0.0.1", server.sockets[0].getsockname()[1], 1)
            await asyncio.sleep(0.05)
            return report

    report = run(conversation())
    assert [finding.rule for finding in report.findings] == ["refuse", "refuse", "seated"]
    assert report.findings[0].text == (
        "expected a seat that is taken to be refused, got 'North (\"examiner A\") seated'"
    )


def test_nobody_to_examine_is_said() -> None:
    with pytest.raises(Broken, match=r"expected a client at 127\.0\.0\.1:\d+, none came"):
        run(examine_client("127.0.0.1", _free_port(), 0.01))
    with pytest.raises(Broken, match=r"expected a table manager at 127\.0\.0\.1:\d+, found none"):
        run(examine_server("127.0.0.1", _free_port(), 1))


def test_foreign_client_keeps_the_rules_but_knows_no_dialects() -> None:
    program = Path(__file__).parents[2] / "match" / "protocol" / "foreign_client.py"
    port = _free_port()
    words = [sys.executable, str(program), "127.0.0.1", str(port), "South", "F"]
    with subprocess.Popen(words, stderr=subprocess.PIPE) as child:
        report = run(examine_client("127.0.0.1", port, 2))
        child.communicate(timeout=20)
    assert report.conforms, report.text()
    assert [finding.rule for finding in report.findings] == ["tolerance"]
