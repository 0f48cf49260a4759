"""Measurements end with a sentence and a status, whatever they are given."""

from __future__ import annotations

import gzip
from argparse import ArgumentTypeError
from collections.abc import Callable
from pathlib import Path

import pytest

from bidwright.bench.four_hands.boards import load_boards
from bidwright.bench.probing import read_probes
from bidwright.bridge.errors import InvalidError
from bidwright.lab.ending import auction_records, ended, how_many, seed_number

ROOT = Path(__file__).parents[2]
RECORD = '{"deal": "N:...", "dealer": "N", "vul": null, "auction": "P P P P"}'


def raises(error: BaseException) -> Callable[[], None]:
    def measure() -> None:
        raise error

    return measure


def test_what_cannot_be_used_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended(raises(InvalidError("expected boards"))) == 2
    assert ended(raises(FileNotFoundError(2, "No such file or directory", "a.json"))) == 2
    assert ended(raises(OSError(28, "No space left on device"))) == 2
    assert capsys.readouterr().err == (
        "expected boards\ncannot use a.json: no such file or directory\nno space left on device\n"
    )
    assert ended(raises(InvalidError("N" * 20_000))) == 2
    assert len(capsys.readouterr().err) < 1_100


def test_the_status_is_that_of_the_measurement_or_of_who_stopped_it() -> None:
    assert (ended(lambda: None), ended(lambda: 1)) == (0, 1)
    assert ended(raises(KeyboardInterrupt())) == 130
    with pytest.raises(ZeroDivisionError):
        ended(raises(ZeroDivisionError()))


def test_what_an_interruption_leaves_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended(raises(KeyboardInterrupt()), "the boards are kept") == 130
    assert capsys.readouterr() == ("", "stopped; the boards are kept\n")


def test_scripts_that_use_the_package_end_so() -> None:
    files = [*(ROOT / "bench").glob("*.py"), *(ROOT / "lab").glob("**/*.py")]
    scripts = [path for path in files if "ArgumentParser(" in path.read_text()]
    ends = {path.name: "sys.exit(ended(main))" in path.read_text() for path in scripts}
    standing_alone = {"lsp.py", "matches.py", "prove.py", "probing.py"}
    assert {name for name, does in ends.items() if not does} == standing_alone


def test_auctions_are_read_a_line_each(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + f"{RECORD}\r\n{RECORD}\r\n".encode())
    assert len(auction_records(path)) == 2
    assert auction_records(path, 1)[0]["auction"] == "P P P P"


@pytest.mark.parametrize("line", ["", "x", "[]", "[" * 100_000, "{}", RECORD.replace('"N"', "3")])
def test_a_line_that_is_no_auction_is_named(line: str, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f"{RECORD}\n{line}\n")
    with pytest.raises(InvalidError, match=r"a\.jsonl:2: expected a JSON object with the texts"):
        auction_records(path)
    path.write_text("")
    with pytest.raises(InvalidError, match="expected auctions in"):
        auction_records(path)


@pytest.mark.parametrize("content", [b"\xeb\x00\n", b"[" * 100_000, b"9" * 5_000, b"3"])
def test_boards_that_are_none_are_named(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "b.jsonl"
    path.write_bytes(content)
    with pytest.raises(InvalidError, match=r"b\.jsonl:1: expected a board"):
        load_boards(path, None)


def test_a_file_that_was_cut_short_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "b.jsonl.gz"
    path.write_bytes(gzip.compress(bytes(range(11, 256)) * 99)[:200])
    with pytest.raises(InvalidError, match=r"cannot read '.*b\.jsonl\.gz'"):
        load_boards(path, None)


@pytest.mark.parametrize("text", ["", "x", "-1", "1.5", "\u0663", "9" * 5_000])
def test_counts_and_seeds_are_whole_numbers(text: str) -> None:
    for kind in (how_many, seed_number):
        with pytest.raises(ArgumentTypeError, match="expected a whole number from"):
            kind(text)


def test_a_count_is_one_at_least_and_a_seed_may_be_none() -> None:
    assert (how_many("1"), seed_number("0")) == (1, 0)
    with pytest.raises(ArgumentTypeError, match="expected a whole number from 1 on, got '0'"):
        how_many("0")


@pytest.mark.parametrize("content", [b"\xeb", b"a,b\n\x00,\n"])
def test_probes_that_are_no_text_are_one_sentence(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "probes.csv"
    path.write_bytes(content)
    with pytest.raises(InvalidError, match=r"probes\.csv"):
        read_probes(path)
