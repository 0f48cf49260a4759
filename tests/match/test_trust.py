"""Files read as data start no program, open no socket and load no code of others."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import match_files  # type: ignore[import-not-found]  # beside this file
import pytest

from bidwright.cli import main
from bidwright.match.agents import specs
from bidwright.match.agents.agent import AgentError
from bidwright.match.play.duplicate import play_match
from bidwright.match.play.plan import Plan
from bidwright.match.play.verify import verify
from bidwright.match.record.match_file import MatchFileError, MatchWriter, read_match

MINI = Path(__file__).parents[1] / "systems" / "mini.bid"
_WATCHED = {"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn"}
_WATCHED |= {"socket.bind", "socket.connect", "socket.getaddrinfo"}
_watching: list[list[str]] = []
_opening: list[tuple[str, list[str]]] = []


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if _watching and event in _WATCHED:
        _watching[-1].append(event)
    if _opening and event == "open" and isinstance(arguments[0], str | os.PathLike):
        folder, found = _opening[-1]
        path = os.fsdecode(arguments[0])
        if path.startswith(folder):
            found.append(path)


@cache
def _start_watching() -> None:
    """Have Python report events: for good, and slower, so not before it is asked for."""
    sys.addaudithook(_watch)


@contextmanager
def watched() -> Iterator[list[str]]:
    """Give a list that gets every program started and every address used."""
    found: list[str] = []
    _start_watching()
    _watching.append(found)
    try:
        yield found
    finally:
        _watching.remove(found)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Return where a match file may be written."""
    return tmp_path / "match.jsonl"


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """Return the file that the trap leaves when it is started."""
    return tmp_path / "started"


@pytest.fixture
def trap(tmp_path: Path, mark: Path) -> str:
    """Return the specification of an engine that leaves a mark, and passes."""
    program = tmp_path / "trap.py"
    program.write_text(
        f"import json, sys\nopen({str(mark)!r}, 'w').close()\nfor line in sys.stdin:\n"
        "    print(json.dumps({'id': json.loads(line)['id'], 'call': 'P'}), flush=True)\n",
        encoding="utf-8",
    )
    return f"engine:{sys.executable} {program}"


def _passed_out(out: Path, **sides: str) -> Path:
    """Write a match file of three boards that both sides passed out, by whom it is told."""
    play_match(Plan("pass", "pass", seed=7), 3, out.with_suffix(".pass"))
    header = _unsealed(read_match(out.with_suffix(".pass")).header)
    for side, spec in sides.items():
        players = [{"spec": each, "system": None} for each in dict.fromkeys(specs.split_side(spec))]
        header[side] = {**match_files.SIDE, "spec": spec, "players": players}
    writer = MatchWriter(out, header)
    for line in read_match(out.with_suffix(".pass")).boards:
        writer.add(_unsealed(line))
    writer.close()
    return out


def _unsealed(content: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in content.items() if name != "seal"}


def test_the_watch_sees_a_program_that_is_started(trap: str, mark: Path) -> None:
    with watched() as seen:
        play_match(Plan(trap, "pass"), 1)
    assert "subprocess.Popen" in seen
    assert mark.exists()


def test_the_watch_sees_an_address_that_is_used() -> None:
    with watched() as seen, pytest.raises(AgentError):
        play_match(Plan("tm:127.0.0.1:59999", "pass", timeout=0.01), 1)
    assert "socket.bind" in seen


@pytest.mark.parametrize("side", ["a", "b"])
@pytest.mark.parametrize("jobs", [1, 2])
def test_verify_starts_no_program_that_a_file_names(
    out: Path, trap: str, mark: Path, side: str, jobs: int
) -> None:
    _passed_out(out, **{side: trap})
    found = verify(out, jobs=jobs, batch=1)
    assert not mark.exists()
    assert (found.calls, found.mismatches) == (12, ())
    assert found.done[1:] == (f"12 calls of side {'ba'[side == 'b'].upper()}: bid again by 'pass'",)
    (left,) = found.left
    assert left.startswith(f"12 calls of side {side.upper()} ({trap!r}): no file may start")


@pytest.mark.parametrize("spec", ["engine:./none", " engine:ls", "tm:59998", "tm:0.0.0.0:59998"])
def test_verify_starts_nothing_and_opens_no_address(out: Path, spec: str) -> None:
    _passed_out(out, a=spec, b=spec)
    with watched() as seen:
        found = verify(out)
    assert (seen, found.calls, found.mismatches, len(found.left)) == ([], 0, (), 2)


def test_one_of_two_partners_is_asked_when_the_other_may_not_be(
    out: Path, trap: str, mark: Path
) -> None:
    _passed_out(out, b=f"random:1 + {trap}")
    found = verify(out)
    assert not mark.exists()
    assert found.calls > 12
    assert {each.board for each in found.mismatches} == {1, 2, 3}


def test_verify_loads_no_kinds_of_other_packages(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(specs, "entry_points", lambda **_: pytest.fail("looked for other packages"))
    assert verify(_passed_out(out, a="plugin:x")).calls == 12


def test_a_program_that_the_user_names_bids_again(out: Path, trap: str, mark: Path) -> None:
    play_match(Plan("pass", trap, seed=7), 3, out)
    mark.unlink()
    assert verify(out).calls == 12
    assert not mark.exists()
    found = verify(out, agents={"b": trap})
    assert (found.calls, found.mismatches, found.done, found.left) == (24, (), (), ())
    assert mark.exists()


def test_another_agent_than_on_file_is_named_and_compared(out: Path, trap: str) -> None:
    found = verify(_passed_out(out, b=trap), agents={"b": "random:3"})
    assert found.notes[0] == f"side B was {trap!r} and is 'random:3'"
    assert {each.board for each in found.mismatches} == {1, 2, 3}


def test_a_changed_program_that_the_user_names_is_noticed(
    out: Path, trap: str, tmp_path: Path
) -> None:
    play_match(Plan("pass", trap, seed=7), 1, out)
    (tmp_path / "trap.py").write_text("", encoding="utf-8")
    with pytest.raises(MatchFileError, match="what it was played with has changed: b players 1"):
        verify(out, agents={"b": trap})


def test_results_of_repeated_calls_are_worked_out_again(out: Path, trap: str) -> None:
    _passed_out(out, a=trap, b=trap)
    lines = [_unsealed(line) for line in read_match(out).boards]
    header = _unsealed(read_match(out).header)
    lines[1]["open"] = {
        **lines[1]["open"],
        "auction": ["1C", "P", "P", "P"],
        "contract": "1C",
        "declarer": lines[1]["dealer"],
        "tricks": {"dd": 13},
    }
    out.unlink()
    writer = MatchWriter(out, header)
    for line in lines:
        writer.add(line)
    writer.close()
    found = [str(each) for each in verify(out).mismatches]
    assert found[0].startswith("board 2: open room, tricks dd is 13, not ")


def test_what_was_not_checked_is_printed_without_escapes(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _passed_out(out, b="engine:\x1b[2Jrm -r .")
    assert main(["verify", str(out), "--quiet"]) == 0
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert "12 calls of side B ('engine:\\x1b[2Jrm -r .'): no file may start a program" in printed
    assert printed.endswith("3 boards: all as on file\n")
    assert main(["verify", str(out), "--quiet", "--json", "--of", "3"]) == 0
    assert len(json.loads(capsys.readouterr().out)["not checked"]) == 1


def test_a_match_that_goes_on_runs_what_the_command_line_says(
    out: Path, trap: str, mark: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _passed_out(out, b=trap)
    words = ["match", "pass", "random:1", "--boards", "5", "--seed", "7", "--out", str(out)]
    with watched() as seen:
        assert main([*words, "--quiet"]) == 2
    assert "holds another match: its b spec is" in capsys.readouterr().err
    assert (seen, mark.exists()) == ([], False)


@pytest.mark.parametrize("verb", ["verify", "report"])
def test_the_record_of_a_table_starts_nothing(out: Path, trap: str, mark: Path, verb: str) -> None:
    _passed_out(out, a="table:Alpha", b=trap)
    with watched() as seen:
        assert main([verb, str(out), *(["--quiet"] if verb == "verify" else [])]) == 0
    assert (seen, mark.exists()) == ([], False)


def test_the_report_of_a_match_starts_nothing(out: Path, trap: str, mark: Path) -> None:
    _passed_out(out, a=trap, b="tm:59997")
    with watched() as seen:
        assert main(["report", str(out)]) == 0
    assert (seen, mark.exists()) == ([], False)


# -------------------------------------------------- files that a match file names


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """Return a system outside the folder of the match file."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    system = folder / "tiny.bid"
    system.write_text(
        'system tiny "Tiny"\n\nopening "o"\n  1NT "strong" hcp 15..17, balanced\n  pass "rest"\n',
        encoding="utf-8",
    )
    return system


@pytest.fixture
def match(tmp_path: Path) -> Path:
    """Return where a match file may be written, in a folder of its own."""
    (tmp_path / "match").mkdir()
    return tmp_path / "match" / "match.jsonl"


def _forged(match: Path, boards: str | None = None, **sides: str) -> Path:
    """Write a match file of boards that were passed out, its header naming what it likes."""
    play_match(Plan("pass", "pass", seed=7), 2, match.with_suffix(".pass"))
    header = _unsealed(read_match(match.with_suffix(".pass")).header)
    for side, system in sides.items():
        player = {"spec": f"rules:{system}", "system": system, "sources": {}, "title": "T"}
        header[side] = {**match_files.SIDE, "system": system, "spec": player["spec"]}
        header[side]["players"] = [player]
    if boards is not None:
        header["boards"] = {"file": boards, "sha256": "0" * 64}
    writer = MatchWriter(match, header)
    for line in read_match(match.with_suffix(".pass")).boards:
        writer.add(_unsealed(line))
    writer.close()
    return match


@contextmanager
def opened_below(folder: Path) -> Iterator[list[str]]:
    """Give a list that gets every file opened below a folder."""
    found: list[str] = []
    _opening.append((str(folder), found))
    _start_watching()
    try:
        yield found
    finally:
        _opening.pop()


def test_verify_opens_no_system_outside_the_folders_given(match: Path, elsewhere: Path) -> None:
    play_match(Plan(f"rules:{elsewhere}", "pass", seed=7), 2, match)
    with opened_below(elsewhere.parent) as opened:
        found = verify(match)
    assert opened == []
    assert (found.calls, found.mismatches) == (0, ())
    assert [each.split(": ", 1)[1] for each in found.left] == [
        f"'{elsewhere}' is not opened, since it lies outside the folders that may be read; "
        "if you trust who named it, give --below FOLDER",
        "they go by what the other side plays, which was not opened",
    ]
    with opened_below(elsewhere.parent) as opened:
        again = verify(match, below=[elsewhere.parent])
    assert opened
    assert again.calls > 0
    assert (again.mismatches, again.left) == ((), ())


@pytest.mark.parametrize("name", ["/dev/zero", "/etc/passwd", "PIPE", "LINK"])
def test_whatever_a_header_names_nothing_waits_or_grows(
    match: Path, elsewhere: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe, link = elsewhere.parent / "pipe.bid", match.parent / "link.bid"
    os.mkfifo(pipe)
    link.symlink_to(elsewhere)
    path = {"PIPE": str(pipe), "LINK": str(link)}.get(name, name)
    _forged(match, a=path)
    assert main(["verify", str(match), "--quiet"]) == 0
    assert f"'{path}' is not opened, since it lies outside" in capsys.readouterr().out
    page = match.with_suffix(".html")
    assert main(["report", str(match), "--out", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert "is not opened, since it lies outside" in text
    assert "root:" not in text


def test_a_pipe_beside_the_match_file_is_refused_at_once(
    match: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe = match.parent / "pipe.bid"
    os.mkfifo(pipe)
    _forged(match, b=str(pipe))
    assert main(["verify", str(match), "--quiet"]) == 2
    assert "got no regular file" in capsys.readouterr().err
    assert main(["report", str(match)]) == 0


@pytest.mark.parametrize(
    "spec",
    [
        *("policy:{}", "hybrid:{}", "bmcs:{}", "bmcs:rules,system=sayc,belief={}"),
        *("bmcs:rules,system=sayc,tricks={}", "bmcs:rules,system=sayc,theirs={}"),
        *("policy:sayc,system={}", "hybrid:sayc,system={}"),
        "bmcs:rules,system=sayc,theirs=1 sayc as {}",
    ],
)
def test_weights_and_their_systems_outside_are_not_opened(
    match: Path, elsewhere: Path, spec: str
) -> None:
    pytest.importorskip("torch")
    header_spec = spec.format(elsewhere)
    _passed_out(match, a=header_spec)
    with opened_below(elsewhere.parent) as opened:
        found = verify(match)
    assert (opened, found.calls, found.mismatches) == ([], 0, ())
    assert f"'{elsewhere}' is not opened" in found.left[0]


def test_boards_outside_are_not_opened_and_those_on_file_are_scored(
    match: Path, elsewhere: Path
) -> None:
    boards = elsewhere.parent / "boards.pbn"
    os.mkfifo(boards)
    _forged(match, boards=str(boards))
    found = verify(match)
    assert (found.calls, found.mismatches) == (16, ())
    assert found.done[0] == "2 boards: contracts, tricks, points and IMPs, worked out again"
    (left,) = found.left
    assert left.startswith(f"deals, dealers and vulnerability: '{boards}' is not opened")


def test_a_side_that_the_user_gives_may_lie_anywhere(match: Path, elsewhere: Path) -> None:
    _passed_out(match, b="plugin:x")
    found = verify(match, agents={"b": f"rules:{elsewhere}"})
    assert found.calls == 24 or found.mismatches


def test_a_side_that_the_user_gives_needs_the_system_of_the_other(
    match: Path, elsewhere: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _forged(match, a=str(elsewhere))
    assert main(["verify", str(match), "--quiet", "--agent-b", f"rules:{MINI}"]) == 2
    printed = capsys.readouterr().err
    assert printed.startswith(f"bidwright: '{elsewhere}' is not opened")
    assert printed.count("\n") == 1
