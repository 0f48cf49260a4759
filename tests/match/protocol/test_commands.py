"""The verbs of the protocol: wrong usage is one sentence and exit code 2."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from bidwright.cli import main


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["table", "--rooms", "one", "--out", "x.jsonl"],
            "expected two rooms for a match file, got --rooms one with --out",
        ),
        (
            ["table", "--on-fault", "skip", "--out", "x.jsonl"],
            "expected --on-fault stop with --out: match files have no gaps",
        ),
        (["table", "--boards", "nowhere.pbn"], "nowhere.pbn"),
        (["table", "--play-for", "NX"], "expected a seat (N, E, S or W), got 'X'"),
        (["table", "--transcript", "/nowhere/x"], "folder that is there for --transcript"),
        (["seat", "--seat", "Q"], "expected a seat (N, E, S or W), got 'Q'"),
        (["seat", "--agent", "nobody"], "expected an agent ("),
        (["seat", "--theirs", "nobody"], "nobody"),
        (
            ["seat", "--agent", "pass", "--wait", "0", "--port", "1"],
            "expected a table manager at 127.0.0.1:1, found none: ",
        ),
        (
            ["conformance", "server", "--port", "1"],
            "expected a table manager at 127.0.0.1:1, found none: ",
        ),
        (
            ["conformance", "client", "--port", "1", "--host", "192.0.2.1"],
            "cannot listen at 192.0.2.1:1: ",
        ),
        (["rest", "--agent", "nobody"], "expected an agent ("),
    ],
)
def test_wrong_usage_is_one_sentence(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    error = capsys.readouterr().err.strip().splitlines()
    assert message in error[-1]


def test_four_processes_and_a_manager(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    port = _free_port()
    start = [sys.executable, "-m", "bidwright"]
    foreign = [sys.executable, str(Path(__file__).with_name("foreign_client.py"))]
    ours = ["seat", "--port", str(port), "--agent", "pass", "--team", "Ours"]
    words = [
        [*start, *ours, "--seat", "N"],
        [*foreign, "127.0.0.1", str(port), "East", "Theirs"],
        [*start, *ours, "--seat", "S"],
        [*foreign, "127.0.0.1", str(port), "West", "Theirs"],
    ]
    clients = [subprocess.Popen(each, stderr=subprocess.PIPE, text=True) for each in words]
    out, pbn = tmp_path / "m.jsonl", tmp_path / "m.pbn"
    options = ["--port", str(port), "--count", "2", "--seed", "7", "--timeout", "30"]
    try:
        code = main(["table", *options, "--out", str(out), "--pbn", str(pbn)])
        ends = [client.communicate(timeout=30)[1] for client in clients]
    finally:
        for client in clients:
            client.kill()
    assert code == 0
    assert [client.returncode for client in clients] == [0] * 4
    assert [end.strip() for end in ends] == [
        "4 boards bid",
        "East: 4 boards",
        "4 boards bid",
        "West: 4 boards",
    ]
    shown = capsys.readouterr()
    assert "Ours against Theirs: 2 boards" in shown.out.splitlines()[-1]
    assert pbn.exists()
    assert main(["verify", str(out), "--agent-a", "pass", "--quiet"]) == 0
    assert "calls of side A (Ours): bid again by pass" in capsys.readouterr().out
