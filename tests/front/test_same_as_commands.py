"""The front door and the commands print the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import bidwright
from bidwright.cli import main

ROOT = Path(__file__).parents[2]
MINI = str(ROOT / "tests" / "systems" / "mini.bid")
HAND = "KQ4.AQ8.K9873.K2"

pytestmark = pytest.mark.filterwarnings("ignore::bidwright.front.inputs.BidwrightWarning")


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    main(list(words))
    return capsys.readouterr().out


@pytest.mark.parametrize("auction", ["1NT (P) 2C", "1S (2H) 3S", "1NT"])
def test_explain(auction: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["explain", auction, "--system", MINI]
    explained = bidwright.explain(auction, system=MINI)
    assert f"{explained}\n" == printed(capsys, *words)
    assert f"{explained.text(full=True)}\n" == printed(capsys, *words, "--full")
    assert f"{explained.brief()}\n" == printed(capsys, *words, "--brief")
    assert explained.as_json() == json.loads(printed(capsys, *words, "--json"))
    assert f"{explained.why('hcp')}\n" == printed(capsys, *words, "--why", "hcp")


def test_explain_a_board(capsys: pytest.CaptureFixture[str]) -> None:
    path = ROOT / "examples" / "demo.pbn"
    words = ["explain", "--pbn", str(path), "--system", MINI]
    for board in bidwright.read_boards(path):
        out = printed(capsys, *words, "--board", str(board.number))
        assert f"{bidwright.explain(board, system=MINI)}\n" == out


def test_bid(capsys: pytest.CaptureFixture[str]) -> None:
    for auction in ("", "1S (P)"):
        choice = bidwright.bid(HAND, auction, system=MINI)
        words = ["bid", HAND, auction, "--system", MINI]
        assert f"{choice}\n" == printed(capsys, *words)
        assert choice.as_json() == json.loads(printed(capsys, *words, "--json"))
    by_agent = bidwright.bid(HAND, system=MINI, agent=f"rules:{MINI}")
    agent = f"rules:{MINI}"
    assert f"{by_agent}\n" == printed(capsys, "bid", HAND, "--system", MINI, "--agent", agent)


def test_sample(capsys: pytest.CaptureFixture[str]) -> None:
    deals = bidwright.sample("1NT", 20, seed=5, system=MINI, hand=HAND, seat="S")
    words = ["sample", "1NT", "-n", "20", "--seed", "5", "--system", MINI, "--quiet"]
    out = printed(capsys, *words, "--hand", f"S:{HAND}", "--format", "jsonl")
    assert [json.loads(line)["deal"] for line in out.splitlines()] == list(map(str, deals))


def test_odds(capsys: pytest.CaptureFixture[str]) -> None:
    chance = bidwright.odds("1NT", "N hcp 16+", system=MINI)
    out = printed(capsys, "explain", "1NT", "--odds", "N hcp 16+", "--system", MINI, "--json")
    (answer,) = json.loads(out)["odds"]
    assert (chance.value, chance.error) == (answer["probability"], answer["error"])


def test_solve(capsys: pytest.CaptureFixture[str]) -> None:
    deal = "N:AQ8.K75.KQ84.J32 J943.QT4.J62.KT8 KT75.AJ62.A7.964 62.983.T953.AQ75"
    solved = bidwright.solve(deal, vulnerability="both")
    assert f"{solved.text()}\n" == printed(capsys, "solve", deal, "--vul", "both")


def test_match(capsys: pytest.CaptureFixture[str]) -> None:
    system = bidwright.open_system(MINI)
    result = bidwright.play_match(system, "pass", boards=3, seed=2)
    words = ["match", f"rules:{MINI}", "pass", "--boards", "3", "--seed", "2", "--quiet"]
    assert f"{result}\n" == printed(capsys, *words)
    assert result.as_json() == json.loads(printed(capsys, *words, "--json"))


def test_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "wrong.bid"
    path.write_text("opening\n  1C hpc 16+\n  1D hcp 12+, diamnds 4+\n")
    problems = bidwright.check(path)
    assert len(problems) == 2
    out = printed(capsys, "check", str(path))
    assert out.startswith("".join(f"{each}\n\n" for each in problems))
