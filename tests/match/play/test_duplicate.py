"""Matches: the same file however the work is cut up, and after a kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Seat, Side
from bidwright.bridge.deal import Deal
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.pbn import read_pbn
from bidwright.cli import main
from bidwright.match.agents.agent import AgentError
from bidwright.match.play.deals import seeded_board
from bidwright.match.play.duplicate import play_match
from bidwright.match.play.plan import Plan, plan_of
from bidwright.match.play.playroom import Playroom
from bidwright.match.play.verify import verify
from bidwright.match.play.workers import play_boards
from bidwright.match.record.estimate import StoppingRule
from bidwright.match.record.match_file import MatchFileError, MatchWriter, read_match
from bidwright.match.record.match_lines import room_of, tricks_of
from bidwright.match.reports.rooms_pbn import match_boards
from bidwright.runtime.crew import Crew

RANDOM = Plan("random:1", "random:2", seed=7)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Return where a match file may be written."""
    return tmp_path / "match.jsonl"


def test_a_board_depends_on_the_seed_and_its_number_only() -> None:
    assert seeded_board(7, 12) == seeded_board(7, 12)
    deals = {seeded_board(seed, number).deal for seed in (7, 8) for number in (1, 2, 3)}
    assert len(deals) == 6
    assert seeded_board(7, 2).dealer is Seat.EAST


def test_a_side_against_itself_has_no_swings(tiny: Path) -> None:
    spec = f"rules:{tiny}"
    standing = play_match(Plan(spec, spec), 12)
    assert (standing.boards, standing.swings, standing.different) == (12, 0, 0)


def test_sides_are_swapped_and_imps_are_side_a_s(tiny: Path, out: Path) -> None:
    play_match(Plan(f"rules:{tiny}", "pass", seed=2), 8, out)
    match = read_match(out)
    assert any(line["imps"]["dd"] for line in match.boards)
    for line in match.boards:
        for room, ours in (("open", "NS"), ("closed", "EW")):
            played = room_of(line, room)
            assert {"N": "NS", "S": "NS"}.get(played["declarer"] or "", "EW") == ours or not played[
                "declarer"
            ]
            first = "NESW".index(line["dealer"])
            for place, (call, by) in enumerate(zip(played["auction"], played["by"], strict=True)):
                seat = "NESW"[(first + place) % 4]
                assert bool(by) == (seat in ours), (call, by)
        difference = line["open"]["score"]["dd"] - line["closed"]["score"]["dd"]
        assert (difference > 0) == (line["imps"]["dd"] > 0) or abs(difference) < 20


def test_exchanging_the_sides_turns_the_result_round(out: Path) -> None:
    one = play_match(RANDOM, 6)
    other = play_match(Plan("random:2", "random:1", seed=7), 6)
    assert one.main.mean == -other.main.mean


def test_the_file_does_not_depend_on_batches_or_processes(out: Path) -> None:
    play_match(RANDOM, 7, out)
    for jobs, batch in ((1, 1), (1, 3), (2, 2)):
        again = out.with_suffix(f".{jobs}-{batch}")
        play_match(RANDOM, 7, again, Crew(jobs), batch)
        assert again.read_bytes() == out.read_bytes(), (jobs, batch)


def test_a_finished_match_is_not_played_again(out: Path) -> None:
    play_match(RANDOM, 3, out)
    before = out.read_bytes()
    seen: list[int] = []
    standing = play_match(RANDOM, 3, out, on_board=lambda standing, line: seen.append(1))
    assert (standing.boards, standing.resumed, seen) == (3, 3, [])
    assert out.read_bytes() == before


def _command(out: Path, *more: str) -> list[str]:
    words = ["match", "random:1", "random:2", "--seed", "7", "--boards", "16", "--out", str(out)]
    return [*words, "--batch", "2", "--quiet", *more]


def test_a_system_that_is_compiled_is_not_loaded_again(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_match(Plan(f"rules:{tiny}", f"rules:{tiny}"), 2)

    def parsed(text: str, name: str) -> None:
        raise AssertionError(f"{name} is parsed")

    monkeypatch.setattr("bidwright.kb.loading.load.parse", parsed)
    play_match(Plan(f"rules:{tiny}", f"rules:{tiny}"), 2)


@pytest.mark.system
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_match_that_is_killed_goes_on_to_the_same_file(
    out: Path, jobs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = out.with_suffix(".whole")
    assert main(_command(whole)) == 0
    command = [sys.executable, "-m", "bidwright", *_command(out, "--jobs", jobs)]
    with subprocess.Popen(command, start_new_session=True) as process:
        while process.poll() is None and (not out.exists() or out.read_bytes().count(b"\n") < 4):
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
    left = out.read_bytes()
    assert left.count(b"\n") < 17
    assert whole.read_bytes().startswith(left)
    assert main(_command(out, "--jobs", jobs)) == 0
    assert out.read_bytes() == whole.read_bytes()
    assert "16 boards" in capsys.readouterr().out


def test_workers_end_with_a_match_that_is_killed(out: Path) -> None:
    command = [sys.executable, "-m", "bidwright", *_command(out, "--jobs", "2")]
    with subprocess.Popen(command, start_new_session=True) as process:
        while process.poll() is None and not (out.exists() and b"\n" in out.read_bytes()):
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
    for _ in range(600):
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("workers are still running")


def test_an_engine_that_dies_loses_no_board(engine: str, out: Path) -> None:
    # Eight calls by the engine in each batch of two boards that are passed out.
    with pytest.raises(AgentError, match="ended with status 3"):
        play_match(Plan(f"{engine} die 20", "pass"), 10, out, batch=2)
    assert len(read_match(out).boards) == 4


def test_an_illegal_call_names_agent_board_and_auction(engine: str) -> None:
    with pytest.raises(AgentError) as caught:
        play_match(Plan(f"{engine} low", "pass"), 1)
    assert "made the illegal call 1C as S after '1C (P)' on board 1 (open room)" in str(
        caught.value
    )


def test_an_engine_plays_with_processes(engine: str) -> None:
    standing = play_match(Plan(f"{engine} pass", "pass"), 4, crew=Crew(2), batch=2)
    assert (standing.boards, standing.different) == (4, 0)


@pytest.mark.system
def test_a_match_stops_once_one_side_is_better(
    tiny: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bidwright.match.record.estimate.FEWEST", 10)
    plan = Plan(f"rules:{tiny}", "random:1", seed=1, stop=StoppingRule(0.95))
    standing = play_match(plan, 200, out)
    assert standing.verdict == "ahead"
    assert 10 <= standing.boards < 40
    assert len(read_match(out).boards) == standing.boards
    again = play_match(plan, 200, out)
    assert (again.verdict, again.boards, again.resumed) == (
        "ahead",
        standing.boards,
        standing.boards,
    )


def test_a_header_gives_the_plan_back(tiny: Path, out: Path) -> None:
    plan = Plan(
        f"rules:{tiny} + pass", "random:2", 3, None, False, 2, "blind", StoppingRule(0.9, 0.5)
    )
    play_match(plan, 1, out)
    assert plan_of(read_match(out).header) == plan


@pytest.mark.system
def test_blind_leads_are_on_file(tiny: Path, out: Path) -> None:
    play_match(Plan(f"rules:{tiny}", "pass", seed=2, leads=2), 6, out)
    rooms = [room_of(line, room) for line in read_match(out).boards for room in ("open", "closed")]
    played = [room for room in rooms if room["contract"]]
    assert played
    for room in played:
        assert tricks_of(room, "blind") >= tricks_of(room, "dd")
        assert set(room["score"]) == {"dd", "dd+pd", "blind", "blind+pd"}
        assert len(room["lead"] or "") == 2


def test_known_results_change_nothing(tmp_path: Path, out: Path) -> None:
    play_match(RANDOM, 3, out)
    for _ in range(2):
        again = tmp_path / "again.jsonl"
        again.unlink(missing_ok=True)
        play_match(replace(RANDOM, known=tmp_path / "known.db"), 3, again)
        assert again.read_bytes() == out.read_bytes()


def test_a_side_knows_the_others_system_if_it_is_disclosed(tiny: Path) -> None:
    other = tiny.with_name("other.bid")
    other.write_text(tiny.read_text().replace("tiny", "other").replace("15..17", "12..14"))
    plan = Plan(f"rules:{tiny}", f"rules:{other}")
    auction = parse_auction("1NT", Seat.EAST)
    for disclosure, hcp in ((True, (12, 14)), (False, (15, 17))):
        room = Playroom(replace(plan, disclosure=disclosure))
        reading = room.table(seeded_board(1, 2), "open").views[Side.NS].reading(auction)
        assert reading is not None
        assert reading.state.shown[Seat.EAST].hcp == hcp
        reading = room.table(seeded_board(1, 2), "open").views[Side.EW].reading(auction)
        assert reading is not None
        assert reading.state.shown[Seat.EAST].hcp == (12, 14)


@pytest.mark.parametrize(
    ("disclosure", "heard"), [(True, {(True, (12, 14))}), (False, {(False, None)})]
)
def test_an_agent_that_asks_is_told_the_system_of_the_others(
    engine: str, tiny: Path, disclosure: bool, heard: set[object]
) -> None:
    other, notes = tiny.with_name("other.bid"), tiny.with_name("notes")
    other.write_text(tiny.read_text().replace("tiny", "other").replace("15..17", "12..14"))
    asks = f"{engine} asks {notes} 1"
    plan = Plan(asks, f"rules:{other}", 3, system_a=str(tiny), disclosure=disclosure)
    play_match(plan, 12)
    told = [json.loads(text)["meaning"] for text in notes.read_text().splitlines()]
    opened = [each for each in told if each["call"] == "1NT"]
    assert {(each["known"], each.get("hcp") and tuple(each["hcp"])) for each in opened} == heard


def test_the_boards_of_a_file_are_played(tmp_path: Path, out: Path) -> None:
    deals = [seeded_board(1, number).deal for number in (1, 2)]
    file = tmp_path / "deals.pbn"
    file.write_text(
        "".join(
            f'[Board "{n}"]\n[Dealer "W"]\n[Deal "{deal}"]\n\n' for n, deal in enumerate(deals, 5)
        )
    )
    play_match(Plan("pass", "pass", boards_from=str(file)), 2, out)
    lines = read_match(out).boards
    assert [Deal.from_pbn(line["deal"]) for line in lines] == deals
    assert [line["dealer"] for line in lines] == ["W", "W"]
    with pytest.raises(InvalidError, match=r"expected at most 2 boards, the number in .*, got 3"):
        play_match(Plan("pass", "pass", boards_from=str(file)), 3)


def test_a_file_of_deals_needs_whole_deals(tmp_path: Path) -> None:
    file = tmp_path / "deals.pbn"
    file.write_text('[Board "1"]\n[Deal "N:AKQ2.AKQ.AKQ.AKQ - - -"]\n')
    with pytest.raises(InvalidError, match="expected four hands in game 1, there are not"):
        play_match(Plan("pass", "pass", boards_from=str(file)), 1)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"scorer": "matchpoints"}, "expected a scorer (dd, dd+pd, blind, blind+pd)"),
        ({"scorer": "blind"}, "expected a number of deals for the leader to imagine"),
    ],
)
def test_settings_are_checked(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidError) as caught:
        Plan("pass", "pass", **settings)
    assert message in str(caught.value)


# ---------------------------------------------------------------------- verify


def _forged(out: Path, room: str, **changes: object) -> None:
    """Change a room of board 2 of a match file and seal it anew."""
    match = read_match(out)
    out.unlink()
    writer = MatchWriter(out, _unsealed(match.header))
    for line in match.boards:
        content = _unsealed(line)
        if line["board"] == 2:
            content[room] = {**content[room], **changes}
        writer.add(content)
    writer.close()


def _unsealed(content: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in content.items() if name != "seal"}


def test_a_match_comes_out_again(tiny: Path, out: Path) -> None:
    play_match(Plan(f"rules:{tiny}", "random:1", seed=3), 5, out)
    found = verify(out)
    assert (found.boards, found.mismatches, found.notes) == (5, (), ())
    assert verify(out, [2, 4]).boards == 2


def test_a_call_that_was_never_made_is_found(tiny: Path, out: Path) -> None:
    play_match(Plan(f"rules:{tiny}", "pass", seed=3), 3, out)
    _forged(out, "closed", auction=["7NT", "P", "P", "P"])
    (mismatch,) = verify(out).mismatches
    assert str(mismatch).startswith(
        "board 2: closed room, call 1 after no calls is 7NT on file and"
    )


def test_a_score_that_was_not_earned_is_found(out: Path) -> None:
    play_match(RANDOM, 3, out)
    _forged(out, "open", score={"dd": 7600, "dd+pd": 7600})
    (mismatch,) = verify(out).mismatches
    assert str(mismatch).startswith("board 2: open room, score dd is 7600, not ")


def test_a_match_whose_system_has_changed_cannot_be_verified(tiny: Path, out: Path) -> None:
    play_match(Plan(f"rules:{tiny}", "pass"), 1, out)
    tiny.write_text(tiny.read_text().replace("15..17", "12..14"))
    with pytest.raises(MatchFileError) as caught:
        verify(out)
    assert "cannot be bid again: what it was played with has changed: a players 1 sources" in str(
        caught.value
    )


def test_only_boards_that_there_are_can_be_verified(out: Path) -> None:
    play_match(RANDOM, 1, out)
    with pytest.raises(MatchFileError, match="expected a board from 1 to 1, got 2"):
        verify(out, [2])


# ------------------------------------------------------------------------- PBN


def test_a_match_as_pbn_has_both_rooms_and_the_alerts(tiny: Path, out: Path) -> None:
    pbn = out.with_suffix(".pbn")
    spec = f"rules:{tiny}"
    words = ["match", spec, "pass", "--boards", "12", "--seed", "1", "--out", str(out)]
    assert main([*words, "--pbn", str(pbn), "--quiet"]) == 0
    boards = read_pbn(pbn, strict=True)
    lines = read_match(out).boards
    assert [board.tags["Room"] for board in boards] == ["Open", "Closed"] * 12
    for board, line in zip(boards[::2], lines, strict=True):
        assert board.number == line["board"]
        assert board.auction is not None
        assert [str(call) for call in board.auction.calls] == line["open"]["auction"]
        assert board.score_ns == line["open"]["score"]["dd"]
        assert board.players[Seat.NORTH] == spec
        assert board.players[Seat.EAST] == "pass"
        assert {str(place): note for place, note in board.notes.items()} == line["open"]["notes"]
    notes = [note for board in boards for note in board.notes.values()]
    assert "Strong: 15 to 17 HCP and a balanced hand." in notes
    text = pbn.read_text()
    assert text.index("[Note") > text.index("[Auction")
    assert next(match_boards(read_match(out))).tags["ScoreIMP"].startswith("NS ")


# ------------------------------------------------------------------------- CLI


def test_the_result_is_printed(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["match", "pass", "pass", "--boards", "5", "--out", str(out)]
    assert main(words) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith(
        "side A pass  against  pass\n"
        "5 boards, 0 bid differently, 0 with a swing; IMPs are side A's\n"
    )
    assert (
        "+0.000 IMPs/board (s.e. 0.000; 95% interval +0.000 to +0.000)  double dummy" in printed.out
    )
    assert main(["verify", str(out)]) == 0
    assert "5 boards, 40 calls bid again: all as on file" in capsys.readouterr().out
    assert main(["verify", str(out), "--boards", "5,1-2,2"]) == 0
    assert "3 boards, 24 calls bid again: all as on file" in capsys.readouterr().out
    assert main(["verify", str(out), "--boards", "1-999999999999"]) == 2
    assert "expected a board from 1 to 5, got 999999999999" in capsys.readouterr().err


def test_one_board_has_no_interval(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "pass", "random:1", "--boards", "1", "--quiet", "--json"]) == 0
    printed = capsys.readouterr().out
    assert "Infinity" not in printed
    assert json.loads(printed)["imps"]["dd"]["interval"] is None


def test_the_result_of_one_board_is_its_swing(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["match", "pass", "random:1", "--boards", "1", "--out", str(out)]) == 0
    (line,) = read_match(out).boards
    printed = capsys.readouterr().out
    assert "1 board, 1 bid differently, 1 with a swing" in printed
    assert f"\n{line['imps']['dd']:+d} IMPs on one board  double dummy\n" in printed
    assert main(["verify", str(out)]) == 0
    assert "\n1 board, " in f"\n{capsys.readouterr().out}"


@pytest.mark.parametrize(
    ("sides", "option", "end"),
    [
        (("random:1", "pass"), ["--until-sure"], ": side B is better"),
        (("pass", "pass"), ["--margin", "0.5"], ": neither is better by 0.5 IMPs/board"),
        (("random:1", "pass"), ["--within", "20"], ": the difference is known to 20.0 IMPs/board"),
    ],
)
def test_why_a_match_stopped_is_printed(
    sides: tuple[str, str],
    option: list[str],
    end: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bidwright.match.record.estimate.FEWEST", 10)
    assert main(["match", *sides, "--boards", "60", "--seed", "1", "--quiet", *option]) == 0
    printed = capsys.readouterr().out
    assert "95% interval, at any time, " in printed
    last = printed.splitlines()[-1]
    assert last.startswith("stopped after ")
    assert last.endswith(end)


def test_a_shortened_file_is_not_taken_for_the_whole_match(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play_match(RANDOM, 3, out)
    out.write_bytes(b"".join(out.read_bytes().splitlines(keepends=True)[:3]))
    assert main(["verify", str(out), "--quiet"]) == 0
    seal = read_match(out).seal
    printed = capsys.readouterr().out
    assert f"not checked: whether boards after board 2 (seal {seal}) were cut off" in printed
    assert main(["verify", str(out), "--quiet", "--of", "3"]) == 1
    assert "board 2: the file ends with board 2, the match had 3" in capsys.readouterr().out
    assert main(["verify", str(out), "--quiet", "--of", "2"]) == 0
    assert "not checked" not in capsys.readouterr().out


def test_notes_that_nobody_gave_are_found(tiny: Path, out: Path) -> None:
    play_match(Plan(f"rules:{tiny}", "pass", seed=3), 3, out)
    _forged(out, "open", notes={"0": "shows five aces"})
    (mismatch,) = verify(out).mismatches
    assert str(mismatch).startswith('board 2: open room, notes 0 is "shows five aces", not ')


def test_imps_that_were_not_earned_are_found(out: Path) -> None:
    play_match(RANDOM, 3, out)
    match = read_match(out)
    out.unlink()
    writer = MatchWriter(out, _unsealed(match.header))
    for line in match.boards:
        imps = {**line["imps"], "dd": line["imps"]["dd"] + (line["board"] == 2)}
        writer.add({**_unsealed(line), "imps": imps})
    writer.close()
    (mismatch,) = verify(out).mismatches
    right = match.boards[1]["imps"]["dd"]
    assert str(mismatch) == f"board 2: IMPs, dd is {right + 1}, not {right}"


def test_verify_says_by_its_exit_code_what_it_found(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play_match(RANDOM, 2, out)
    _forged(out, "open", score={"dd": 7600, "dd+pd": 7600})
    assert main(["verify", str(out), "--quiet"]) == 1
    assert "1 came out otherwise" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["match", "rules:nobody", "pass"], "got 'nobody'"),
        (["match", "pass", "magic"], "expected an agent (rules:SYSTEM"),
        (["match", "pass", "pass", "--pbn", "x.pbn"], "expected --out FILE as well"),
        (
            ["match", "pass", "pass", "--boards", "0"],
            "--boards: expected a whole number of at least 1, got 0",
        ),
        (["match", "pass", "pass", "--deals", "none.pbn"], "none.pbn"),
        (["match", "pass", "pass", "--system-a", "nothing"], "got 'nothing'"),
        (
            ["match", "pass", "pass", "--out", "m.jsonl", "--pbn", "no/m.pbn"],
            "expected a file in a folder that is there for --pbn, got no/m.pbn",
        ),
        (
            ["match", "pass", "pass + tm:127.0.0.1:2000", "--jobs", "2"],
            "expected --jobs 1 with tm:127.0.0.1:2000, to which programs connect in one place, "
            "got 2",
        ),
        (["verify", "none.jsonl"], "cannot read none.jsonl: no such file or directory"),
        (["verify", "none.jsonl", "--boards", "9" * 5000], "expected numbers of boards such as"),
        (["verify", "none.jsonl", "--boards", "3-1"], "expected numbers of boards such as 1-20,37"),
    ],
)
def test_wrong_use_is_one_message_and_exit_code_two(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--quiet"]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert "Traceback" not in printed.err
    assert printed.out == ""


def test_the_scorers_of_the_command_are_those_there_are() -> None:
    from bidwright.commands.match import SCORER_NAMES
    from bidwright.match.record.scorers import SCORERS

    assert tuple(SCORERS) == SCORER_NAMES


def test_a_process_that_died_is_told_with_its_boards(tmp_path: Path) -> None:
    killer = tmp_path / "killer.py"
    killer.write_text("import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n")
    plan = Plan(f"engine:{sys.executable} {killer}", "pass")
    told = r"\(exit status -9\) at boards (1 to 8|9 to 16); the boards before are kept"
    with pytest.raises(AgentError, match=told):
        list(play_boards(plan, range(1, 17), Crew(2)))
