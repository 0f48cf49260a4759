"""The record of a session: what can be checked is, and what cannot is said."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers import Session, play_out, run, seeded  # type: ignore[import-not-found]  # beside this

from bidwright.bridge.cards import Seat, card_name, parse_card
from bidwright.cli import main
from bidwright.match.play.deals import BoardSource
from bidwright.match.protocol.record import Record
from bidwright.match.record.match_file import MatchWriter, read_match


def _played(out: Path, source: BoardSource | None = None, **settings: Any) -> Path:  # noqa: ANN401
    """Play two boards in both rooms; A opens one club with eight points, B passes."""
    source = source or BoardSource(7)
    boards = [source.board(number) for number in (1, 2)]
    run(play_out(Session(boards, Record(source, out), **settings)))
    return out


def _changed(out: Path, room: str, **changes: object) -> None:
    """Change a room of board 1 and seal the file anew."""
    match = read_match(out)
    out.unlink()
    contents: list[dict[str, Any]] = [
        {key: value for key, value in line.items() if key != "seal"} for line in match.boards
    ]
    contents[0][room] = {**contents[0][room], **changes}
    writer = MatchWriter(out, {key: value for key, value in match.header.items() if key != "seal"})
    for content in contents:
        writer.add(content)
    writer.close()


def _verified(
    capsys: pytest.CaptureFixture[str], out: Path, *words: str, code: int = 0
) -> dict[str, Any]:
    assert main(["verify", str(out), "--json", "--quiet", *words]) == code
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_a_session_is_checked_as_far_as_it_can_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = _verified(capsys, _played(tmp_path / "s.jsonl"), "--of", "2")
    assert found["mismatches"] == []
    assert found["checked"] == [
        "2 boards: deal, dealer and vulnerability, drawn from seed 7 again",
        "18 calls: legal, each auction ended",
        "4 contracts: double-dummy tricks, points and IMPs worked out again",
    ]
    missing = "the program that made them is not here; if it was ours, --agent-{} SPEC"
    assert found["not checked"] == [
        f"8 calls of side A (A): {missing.format('a')} bids them again",
        f"10 calls of side B (B): {missing.format('b')} bids them again",
        "4 explanations: as the programs gave them",
    ]


def test_what_was_and_was_not_checked_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(_played(tmp_path / "s.jsonl")), "--agent-b", "pass"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "checked:"
    assert "  10 calls of side B (B): bid again by pass" in lines
    assert lines.index("not checked:") < len(lines) - 1
    assert lines[-1] == "2 boards: all as on file"


def test_calls_of_an_agent_of_ours_are_bid_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = _played(tmp_path / "s.jsonl")
    assert _verified(capsys, out, "--agent-b", "pass")["calls"] == 10
    found = _verified(capsys, out, "--agent-a", "pass", "--boards", "1", code=1)
    assert {each["what"].split(", ", 1)[1] for each in found["mismatches"]} <= {
        "call 1 after no calls is 1C on file, pass bids P",
        "call 2 after P is 1C on file, pass bids P",
        "call 3 after P (P) is 1C on file, pass bids P",
        "call 4 after P (P) P is 1C on file, pass bids P",
    }
    assert found["mismatches"]


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"contract": "7NT", "declarer": "N"}, 'contract is "7NT", not "1C"'),
        ({"score": {"dd": 70, "dd+pd": 7600}}, "score dd+pd is 7600, not "),
    ],
)
def test_a_result_that_does_not_follow_is_found(
    tmp_path: Path, changes: dict[str, Any], what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = _played(tmp_path / "s.jsonl")
    score = read_match(out).boards[0]["open"]["score"]
    if "score" in changes:
        changes = {"score": {**score, "dd+pd": 7600}}
    _changed(out, "open", **changes)
    (mismatch,) = _verified(capsys, out, code=1)["mismatches"]
    assert mismatch["board"] == 1
    assert mismatch["what"].startswith(f"open room, {what}")


def test_other_deals_than_the_seed_s_are_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = BoardSource(7)
    out = tmp_path / "s.jsonl"
    first, second = seeded(2)
    session = Session([replace(first, deal=second.deal), second], Record(source, out))
    run(play_out(session))
    (mismatch,) = _verified(capsys, out, code=1)["mismatches"]
    assert mismatch["what"].startswith("deal is 'N:")


def test_the_play_of_the_cards_is_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = _played(tmp_path / "s.jsonl", play=True, play_for=frozenset(Seat))
    found = _verified(capsys, out)
    assert "4 contracts played out: every card legal, tricks counted again" in found["checked"]
    played = read_match(out).boards[0]["open"]["play"]
    turned = [card_name(parse_card(card)) for card in (*played[1:2], *played[:1], *played[2:])]
    _changed(out, "open", play=turned)
    (mismatch,) = _verified(capsys, out, code=1)["mismatches"]
    assert mismatch["what"].startswith("open room, expected one of ")


def test_a_file_of_boards_that_is_gone_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from bidwright.match.play.deals import read_boards

    deals = tmp_path / "deals.pbn"
    deals.write_text("\n\n".join(f'[Deal "{each.deal}"]' for each in seeded(2)))
    out = _played(tmp_path / "s.jsonl", read_boards(deals, 0))
    assert _verified(capsys, out)["checked"][0].endswith(f"read from {deals} again")
    deals.write_text(deals.read_text() + "\n")
    found = _verified(capsys, out)
    assert found["not checked"][0] == (
        f"deals, dealers and vulnerability: {deals} has changed since"
    )
    deals.unlink()
    found = _verified(capsys, out)
    assert found["not checked"][0] == (
        f"deals, dealers and vulnerability: cannot read '{deals}': no such file or directory"
    )


def test_a_match_says_what_its_sides_knew(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "m.jsonl"
    assert main(["match", "pass", "pass", "--boards", "1", "--out", str(out), "--quiet"]) == 0
    assert main(["verify", str(out), "--theirs-a", "sayc"]) == 2
    assert f"expected no --theirs: {out} says what the sides knew" in capsys.readouterr().err
