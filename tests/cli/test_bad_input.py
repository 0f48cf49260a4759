"""Bad input on the command line: one clear sentence, exit code 2."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

SEE_EXPLAIN = "; see bidwright explain --help\n"
SEE_CHECK = "; see bidwright check --help\n"

CASES = [
    *(
        (["check", "sayc", name, *value], f"bidwright: {name} needs --prove{SEE_CHECK}")
        for name, value in (("--deal", []), ("--rare", []), ("--vs", ["acol"]))
    ),
    *(
        (
            ["check", "sayc", "--watch", name],
            "bidwright: expected --watch without --prove, --json, --sarif, --fix and "
            f"--retire{SEE_CHECK}",
        )
        for name in ("--fix", "--retire", "--json")
    ),
    (
        ["bid", "KQ4.AQ8.K9873.K"],
        "bidwright: expected 13 cards, got 12 in hand 'KQ4.AQ8.K9873.K'\n",
    ),
    (
        ["bid", "KQ4.AQ8.K9873"],
        "bidwright: expected four holdings such as KQ4.AQ8.K9873.K2, got 3 in hand "
        "'KQ4.AQ8.K9873'\n",
    ),
    (
        ["bid", "KQ4.AQ8.K9873.K2", "1NT (P) 1C"],
        "bidwright: illegal call 1C after 1NT in auction '1NT (P)'\n",
    ),
    (
        ["bid", "KQ4.AQ8.K9873.K2", "1NT P P P"],
        "bidwright: expected an auction in progress, got '1NT (P) P (P)'\n",
    ),
    (
        ["bid", "1NT P", "KQ4.AQ8.K9873.K2"],
        "bidwright: expected the hand first, then the auction; see bidwright bid --help\n",
    ),
    (
        ["bid", "1NT P", "1NT"],
        "bidwright: expected four holdings such as KQ4.AQ8.K9873.K2, got 2 in hand '1NT P'\n",
    ),
    (
        ["explain", "1NT", "--hand", "Q:KQ4.AQ8.K9873.K2"],
        "bidwright: expected a seat (N, E, S or W), got 'Q'\n",
    ),
    (
        ["explain", "1NT", "--hand", "N:KQ4.AQ8.K9873"],
        "bidwright: expected four holdings such as KQ4.AQ8.K9873.K2, got 3 in hand "
        "'KQ4.AQ8.K9873'\n",
    ),
    (
        ["explain", "1NT (P) 1C"],
        "bidwright: illegal call 1C after 1NT in auction '1NT (P)'\n",
    ),
    (
        ["explain", "1NT (P"],
        "bidwright: expected brackets in pairs, got a lone one in auction '1NT (P'\n",
    ),
    (
        ["explain", "1NT frog"],
        "bidwright: expected a call (P, X, XX or 1C to 7NT), got 'frog' as call 2 of auction "
        "'1NT frog'\n",
    ),
    (
        ["explain", "1NT", "--dealer", "Q"],
        "bidwright: expected a seat (N, E, S or W), got 'Q'\n",
    ),
    (
        ["explain", "1NT", "--vul", "some"],
        "bidwright: expected a vulnerability (None, NS, EW or Both), got 'some'\n",
    ),
    (
        ["explain", "1NT", "--why", "N frogs"],
        "bidwright: expected a seat and one of hcp, points, balanced, clubs, diamonds, hearts, "
        "spades, such as 'S spades', got 'N frogs'\n",
    ),
    (
        ["explain", "1NT", "--why-not", "1NT"],
        "bidwright: expected another call than the one made, got '1NT'\n",
    ),
    (
        ["explain", "1NT P", "--why-not", "1D"],
        "bidwright: illegal call 1D after 1NT in auction '1NT'\n",
    ),
    (
        ["explain", "1NT", "--hand", "KQ4.AQ8.K9873.K2", "--dummy", "KQ4.J87.Q62.9543"],
        "bidwright: expected each card once, got H8 in the hands of E and S\n",
    ),
    (
        ["explain", "--pbn", "missing.pbn"],
        "bidwright: cannot read 'missing.pbn': no such file or directory\n",
    ),
    (
        ["explain", "--lin", "missing.lin"],
        "bidwright: cannot read 'missing.lin': no such file or directory\n",
    ),
    (
        ["explain", "--pbn", "examples/demo.pbn", "--board", "99"],
        "bidwright: expected a board of examples/demo.pbn (board 1; board 2; board 3), got board "
        "'99'\n",
    ),
    (
        ["explain"],
        f"bidwright: expected one of an auction, --pbn FILE and --lin FILE{SEE_EXPLAIN}",
    ),
    (
        ["explain", "1NT", "--dummy", "KQ4.AQ8.K9873.K2"],
        f"bidwright: --dummy needs --hand: what is known depends on who looks{SEE_EXPLAIN}",
    ),
    (
        ["engine", "--agent", "frog"],
        "bidwright: expected an agent (rules:SYSTEM, policy:WEIGHTS, hybrid:WEIGHTS, "
        "bmcs:WEIGHTS, engine:COMMAND, random[:SEED], pass, tm:HOST:PORT), got 'frog'\n",
    ),
    (
        ["frobnicate"],
        "bidwright: no such command 'frobnicate'; see bidwright --help\n",
    ),
]


@pytest.mark.parametrize(("argv", "message"), CASES, ids=lambda value: str(value)[:40])
def test_bad_input_gets_one_sentence(run: Run, mini: str, argv: list[str], message: str) -> None:
    system = ["--system", mini] if argv[0] in ("bid", "explain") else []
    result = run(*argv, *system)
    assert (result.code, result.out, result.err) == (2, "", message)


def test_an_unknown_system_names_those_there_are(run: Run) -> None:
    result = run("explain", "1NT", "--system", "sayk")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("bidwright: expected a system (")
    assert result.err.endswith(", got 'sayk'; did you mean 'sayc'?\n")


def test_a_file_that_is_no_pbn_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "letter.pbn"
    path.write_text("Dear sir,\n")
    result = run("explain", "--pbn", str(path))
    assert (result.code, result.out) == (2, "")
    assert result.err == f'bidwright: {path}:1: expected PBN tags such as [Board "1"], found none\n'


def test_a_file_that_is_no_lin_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "letter.lin"
    path.write_text("Dear sir,\n")
    result = run("explain", "--lin", str(path))
    assert (result.code, result.out) == (2, "")
    assert result.err == f"bidwright: {path}:1: expected LIN pairs such as md|1S...|, found none\n"


def test_a_board_without_an_auction_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "deal.pbn"
    path.write_text('[Board "3"]\n[Dealer "N"]\n[Vulnerable "None"]\n')
    result = run("explain", "--pbn", str(path))
    assert (result.code, result.out) == (2, "")
    assert result.err == f"bidwright: expected a board with an auction, got board 3 of {path}\n"

    path.write_text('[Event "x"]\n')
    result = run("explain", "--pbn", str(path))
    expected = f"expected a board with an auction, got a board without a number of {path}"
    assert (result.code, result.err) == (2, f"bidwright: {expected}\n")


def test_what_cannot_be_read_of_a_board_is_told_and_the_rest_explained(
    run: Run, mini: str, tmp_path: Path
) -> None:
    path = tmp_path / "dirty.pbn"
    path.write_text('[Board "1"]\n[Dealer "N"]\n[Vulnerable "Some"]\n[Auction "N"]\n1NT Pass\n')
    result = run("explain", "--pbn", str(path), "--system", mini)
    assert result.code == 0
    assert result.err == (
        f"bidwright: {path}:3: expected a vulnerability (None, NS, EW or Both), got 'Some'\n"
    )
    assert "1NT  15 to 17, balanced" in result.out


def test_a_system_with_errors_shows_its_diagnostics(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bad.bid"
    path.write_text('system bad "Bad"\n\nopening\n  1NT hpc 15..17\n')
    result = run("explain", "1NT", "--system", str(path))
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"bidwright: {path} cannot be used: 1 error\n\n{path}:4:7: E201")
    assert "did you mean 'hcp'?" in result.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["match", "pass", "pass", "--seed", "-1"],
            "whole number from 0 to 9,223,372,036,854,775,807, got -1",
        ),
        (
            ["match", "pass", "pass", "--jobs", "99999999"],
            "whole number from 1 to 1,024, got 99999999",
        ),
        (
            ["check", "--prove", "sayc", "--jobs", "99999999"],
            "whole number from 1 to 1,024, got 99999999",
        ),
        (["match", "pass", "pass", "--seed", "9" * 30], "whole number from 0 to 9,223"),
        (
            ["match", "pass", "pass", "--until-sure", "--level", "nan"],
            "expected a finite number, got nan",
        ),
        (["match", "pass", "pass", "--margin", "inf"], "expected a finite number, got inf"),
        (
            ["match", "pass", "pass", "--until-sure", "--within", "0.1"],
            "expected --within alone, or --until-sure and --margin",
        ),
        (["match", "pass", "pass", "--timeout", "-1"], "number above 0, got -1"),
        (["match", "pass", "pass", "--timeout", "nan"], "expected a finite number, got nan"),
        (
            ["solve", "-n", "1", "-o", "x.npz", "--seed", "-1"],
            "whole number from 0 to 9,223,372,036,854,775,807, got -1",
        ),
        (
            ["sample", "1NT", "--seed", "-1"],
            "whole number from 0 to 9,223,372,036,854,775,807, got -1",
        ),
        (["seat", "--pause", "nan"], "expected a finite number, got nan"),
        (["match", f"random:{'9' * 5000}", "pass"], "expected a number as the seed of"),
    ],
)
def test_numbers_that_mean_nothing_are_refused(run: Run, words: list[str], message: str) -> None:
    result = run(*words)
    assert result.code == 2
    assert message in result.err


@pytest.mark.parametrize("agent", ["rules:sayc", "random:1"])
@pytest.mark.parametrize("line", ["[" * 100_000, '{"id": 1, "hand": ' + "9" * 5000 + "}"])
def test_an_engine_goes_on_after_a_line_that_no_reader_could_take(
    run: Run, agent: str, line: str
) -> None:
    good = '{"id": 2, "hand": "KQ4.AQ8.K9873.K2", "auction": []}'
    result = run("engine", "--agent", agent, stdin=f"{line}\n{good}\n")
    first, second = map(json.loads, result.out.splitlines())
    assert (result.code, second["id"]) == (0, 2)
    assert first["error"].startswith("expected a line of JSON")
    assert "call" in second


LONG = "N" * 20_000


@pytest.mark.parametrize(
    "argv",
    [
        ["explain", LONG],
        ["explain", "1S", "--dealer", LONG],
        ["explain", "1S", "--vul", LONG],
        ["explain", "1S", "--why", LONG],
        ["explain", "1S", "--why-not", LONG],
        ["explain", "1S", "--hand", LONG],
        ["bid", LONG],
        ["rules", "sayc", "--pattern", LONG],
        ["rules", "sayc", "--tier", LONG],
        ["check", "--select", LONG, "sayc"],
        ["deal", LONG],
        ["match", LONG, "pass"],
    ],
    ids=lambda argv: " ".join(argv)[:30],
)
def test_long_input_is_not_quoted_whole(run: Run, argv: list[str]) -> None:
    result = run(*argv)
    assert (result.code, result.out) == (2, "")
    assert "NNN" in result.err
    assert max(map(len, result.err.splitlines())) <= 1100


@pytest.mark.parametrize("verb", ["explain 1S --system", "check", "rules", "mutate", "coverage"])
@pytest.mark.parametrize(
    ("name", "reason"), [(LONG, "file name too long"), ("a\0b", "embedded null byte")]
)
def test_a_name_that_no_file_can_have_is_a_sentence(
    run: Run, verb: str, name: str, reason: str
) -> None:
    result = run(*verb.split(), name)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("bidwright: expected a system (")
    assert result.err.endswith(f": {reason}\n")


def test_the_top_folder_is_no_system(run: Run) -> None:
    result = run("explain", "1S", "--system", "/")
    assert result.code == 2
    assert result.err.startswith("bidwright: expected a system (")


def test_of_many_warnings_the_first_are_printed(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "many.pbn"
    path.write_text('[Event "x"]\n' * 3000)
    result = run("review", str(path), "--ns", "sayc", "--ew", "sayc")
    assert result.code == 2
    assert len(result.err.splitlines()) == 52
    assert "bidwright: and 2949 more\n" in result.err


def test_a_corpus_cannot_take_the_place_of_a_folder(run: Run) -> None:
    pytest.importorskip("torch")
    result = run("train", "data", "-n", "1", "-o", ".", "--quiet")
    assert (result.code, result.out) == (2, "")
    assert result.err == "bidwright: expected a corpus of auctions, got '.': is a directory\n"


def test_a_folder_is_no_match_file(run: Run) -> None:
    pytest.importorskip("matplotlib")
    result = run("report", ".")
    assert (result.code, result.out, result.err) == (
        2,
        "",
        "bidwright: cannot read .: is a directory\n",
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--out", "m.jsonl", "--pbn", "m.jsonl"], "expected different files for --out and --pbn"),
        (
            ["--out", "m.jsonl", "--pbn", "./m.jsonl"],
            "expected different files for --out and --pbn",
        ),
        (["--out", "m.jsonl", "--pbn", "."], "expected a file for --pbn, got the folder ."),
        (["--out", "no/m.jsonl"], "expected a file in a folder that is there for --out, got no/m"),
    ],
)
@pytest.mark.parametrize(
    "verb", [["match", "pass", "pass", "--boards", "1"], ["table", "--port=0"]]
)
def test_outputs_are_looked_at_before_the_work_begins(
    run: Run,
    verb: list[str],
    words: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*verb, *words)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "work", "message"),
    [
        (
            ["new", "no/mine.bid"],
            "bidwright.authoring.checking.new_system.text_of",
            "cannot write no/mine.bid: no such file or directory",
        ),
        (
            ["doc", "sayc", "-o", "no/sayc.html"],
            "bidwright.kb.loading.incremental.load_again",
            "cannot write no/sayc.html: no such file or directory",
        ),
        (
            ["import", "notes.bml", "-o", "no/notes.bid"],
            "bidwright.authoring.exchange.importer.import_file",
            "expected a file in a folder that is there for --out, got no/notes.bid",
        ),
        (
            ["import", "notes.bml", "--report", "."],
            "bidwright.authoring.exchange.importer.import_file",
            "expected a file for --report, got the folder .",
        ),
    ],
)
def test_files_of_systems_are_looked_at_before_the_work_begins(
    run: Run,
    words: list[str],
    work: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def begun(*_: object, **__: object) -> None:
        raise AssertionError("the work has begun")

    monkeypatch.setattr(work, begun)
    monkeypatch.chdir(tmp_path)
    result = run(*words)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert not list(tmp_path.iterdir())


def test_a_page_of_notes_may_be_there_before_the_match_file(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.pbn").touch()
    words = [
        "match",
        "pass",
        "pass",
        "--boards",
        "1",
        "--quiet",
        "--out",
        "m.jsonl",
        "--pbn",
        "m.pbn",
    ]
    assert run(*words).code == 0
    assert Path("m.pbn").read_text().startswith("%")


@pytest.mark.parametrize("verb", ["table", "seat", "rest", "serve", "conformance client"])
@pytest.mark.parametrize("host", ["", " ", "a..b", "x" * 100])
def test_a_name_that_no_machine_has_is_a_sentence(run: Run, verb: str, host: str) -> None:
    result = run(*verb.split(), "--host", host)
    assert (result.code, result.out) == (2, "")
    assert "expected the name or the address of a machine" in result.err


@pytest.mark.parametrize("address", ["a..b:2000", "9" * 5_000, "127.0.0.1:" + "9" * 5_000])
def test_an_agent_at_no_address_is_a_sentence(run: Run, address: str) -> None:
    result = run("match", f"tm:{address}", "pass")
    assert (result.code, result.out) == (2, "")
    assert "expected an address such as tm:127.0.0.1:2000" in result.err


@pytest.mark.parametrize("content", [b"one\ntwo, without an end", b"\xff\n\x00\x01", b"no end"])
def test_a_file_that_is_no_match_keeps_all_that_it_holds(
    run: Run, content: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    result = run("match", "pass", "pass", "--boards", "1", "--quiet", "--out", str(path))
    assert (result.code, result.out) == (2, "")
    assert "expected the header of a match file" in result.err
    assert path.read_bytes() == content


def test_another_match_keeps_all_that_it_holds(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    words = ["match", "pass", "pass", "--boards", "2", "--quiet", "--out", str(path)]
    assert run(*words).code == 0
    path.write_bytes(path.read_bytes()[:-9])  # as after a kill
    before = path.read_bytes()
    assert "holds another match" in run(*words, "--seed", "7").err
    assert path.read_bytes() == before
    assert run(*words).code == 0
    assert path.read_bytes().count(b"\n") == 3


def test_a_match_is_not_written_to_a_pipe(run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    result = run("match", "pass", "pass", "--quiet", "--out", str(tmp_path / "pipe"))
    assert result.code == 2
    assert "pipe: it is no file that can be resumed" in result.err
