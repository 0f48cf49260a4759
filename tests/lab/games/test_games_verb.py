"""The verb `games` prints tables of runs and of stored results."""

import json
from pathlib import Path

import pytest

from bidwright.cli import main

QUICK = ("--seeds", "10", "--quiet")


@pytest.mark.system
def test_table1_runs_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["games", "table1", "--store", str(tmp_path), "--game", "bidding-4", *QUICK]
    asked += ["--method", "cfr", "--method", "cfr+jps"]
    assert main([*asked, "--plot", str(tmp_path / "plot.svg")]) == 0
    first = capsys.readouterr().out
    lines = [line.split() for line in first.splitlines()]
    assert [line[1] for line in lines] == ["method", "cfr", "cfr+jps", "best"]
    assert lines[0][2:6] == ["paper", "mean", "error", "seeds"]
    assert lines[1][5] == "10"
    assert float(lines[1][3]) <= float(lines[2][3]) <= float(lines[3][3]) == 2.25
    assert (tmp_path / "plot.svg").exists()
    assert main([*asked, "--stored"]) == 0
    assert capsys.readouterr().out == first
    assert main([*asked, "--stored", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["paper"] for row in rows] == [2.18, 2.2, 2.25]


def test_table2_and_its_plot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from bidwright.lab.games.methods import Runner
    from bidwright.lab.games.settings import Settings

    runner = Runner(tmp_path, "hanabi", Settings())
    runner.run("cfr+jps:1", 0)
    assert main(["games", "table2", "--store", str(tmp_path), "--stored", "--md"]) == 0
    head, _, mean, *_, said = capsys.readouterr().out.splitlines()
    assert head.split(" | ")[3:5] == ["all states", "1"]
    assert mean.startswith("| hanabi | cfr | mean |  | 10.000 |")
    assert "| 9.50 | 10.00 |" in said
    plot = tmp_path / "fig2.svg"
    asked = ["games", "fig2", "--store", str(tmp_path), "--plot", str(plot)]
    assert main([*asked, "--game", "hanabi"]) == 0
    assert plot.exists()
    assert main(asked) == 2
    assert "expected results with samples in bidding-16" in capsys.readouterr().err


def test_table4_has_the_auction_of_every_deal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "table4", "--size", "1"]) == 0
    table, said = capsys.readouterr().out.split("\n\n")
    assert [line.split("  ")[0] for line in table.splitlines()] == ["hearts", "0", "1"]
    # Two hearts between both make 1H, none make 1S; the first player opens 1H with none.
    first, last = (line.split() for line in table.splitlines()[1:])
    assert first[1:4] == ["1H", "1S", "P"]
    assert last[-2:] == ["1H", "P"]
    assert said == "worth 0.2500, which is the optimum; rows: hearts of the first player\n"


def test_bound_says_what_it_proved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["games", "bound", "--size", "8", "--store", str(tmp_path), "--quiet", "--at-least"]
    assert main([*asked, "5"]) == 0
    first, *openings = capsys.readouterr().out.splitlines()
    assert first == "5.062500: the optimum"
    assert len(openings) == 4
    (tmp_path / "bidding-8-proof.npz").unlink()
    assert main([*asked, "5.07"]) == 0
    assert capsys.readouterr().out == "5.062500: no policy is better\n"


def test_speeds_are_kept_beside_those_of_other_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for game in ("hanabi", "bidding-4"):
        asked = ["games", "speed", "--game", game, "--seconds", "0.1", "--store", str(tmp_path)]
        assert main(asked) == 0
    head, line = capsys.readouterr().out.splitlines()[-2:]
    assert head.split()[:3] == ["game", "paper", "ratio"]
    assert line.split()[0] == "bidding-4"
    assert sorted(json.loads((tmp_path / "speed.json").read_text())) == ["bidding-4", "hanabi"]
    (tmp_path / "speed.json").write_text('{"hanabi": {}}')
    assert main(asked) == 2
    assert "expected measured speeds in" in capsys.readouterr().err


def test_unknown_game_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "table1", "--store", str(tmp_path), "--game", "poker", *QUICK]) == 2
    assert "expected the name of a game" in capsys.readouterr().err


KEPT = {"settings": {}, "blocks": [0], "seconds": 1.0, "values": {"9.5": 10}}


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"[1]",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"cfr": 3}',
        b'{"cfr": {}}',
        json.dumps({"cfr": KEPT | {"values": {"many": 1}}}).encode(),
        json.dumps({"cfr": KEPT | {"blocks": 3}}).encode(),
        json.dumps({"cfr": KEPT | {"seconds": None}}).encode(),
    ],
)
def test_a_damaged_store_is_one_sentence(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "hanabi.json").write_bytes(content)
    asked = ["games", "table1", "--store", str(tmp_path), "--game", "hanabi", "--stored"]
    assert main(asked) == 2
    said = capsys.readouterr().err
    assert said.startswith("bidwright: expected results ")
    assert said.endswith("hanabi.json': name another folder, or delete the file\n")


def test_a_method_without_seeds_has_no_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "hanabi.json").write_text(json.dumps({"cfr": KEPT | {"values": {}}}))
    for table in (["table1", "--game", "hanabi"], ["table2"]):
        assert main(["games", *table, "--store", str(tmp_path), "--stored"]) == 0
        assert "cfr" not in capsys.readouterr().out


@pytest.mark.parametrize("verb", [["table1", "--game", "hanabi"], ["bound", "--size", "5"]])
def test_a_store_that_is_a_file_is_one_sentence(
    verb: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store"
    store.touch()
    least = ["--at-least", "1"] if verb[0] == "bound" else ["--method", "random+jps", *QUICK]
    assert main(["games", *verb, *least, "--store", str(store)]) == 2
    assert f"cannot write {store}: file exists" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["bound", "--at-least", "nan"], "expected a finite number, got nan"),
        (
            ["bound", "--at-least", "-1e300"],
            "expected a number of at least 0 and at most 16, got -1e300",
        ),
        (["table1", "--method", "cfr+jps:" + "9" * 30], "expected a method such as"),
        (["table1", "--method", "cfr+jps:0"], "expected a method such as"),
    ],
)
def test_numbers_that_mean_nothing_are_refused(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["games", *words, "--store", str(tmp_path)]) == 2
    assert message in capsys.readouterr().err


def test_damaged_proofs_and_bounds_are_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proof, bound = tmp_path / "bidding-5-proof.npz", tmp_path / "bidding-5-bound.json"
    asked = ["games", "bound", "--size", "5", "--at-least", "1", "--store", str(tmp_path)]
    proof.write_bytes(b"PK\x03\x04")
    assert main(asked) == 2
    assert f"expected a proof in '{proof}': it is damaged" in capsys.readouterr().err
    proof.unlink()
    bound.write_text('{"value": []}')
    assert main(asked) == 2
    assert f"expected a bound that was proved in '{bound}'" in capsys.readouterr().err


def test_a_page_that_is_no_text_stays_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_bytes(b"\xeb\x00")
    assert main(["games", "page", str(page), "--store", str(tmp_path)]) == 2
    assert "expected a page of Markdown in UTF-8" in capsys.readouterr().err
    assert page.read_bytes() == b"\xeb\x00"
