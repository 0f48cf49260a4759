"""`bidwright review`: boards of a file held against disclosed systems."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

BOARD = (
    '[Board "7"]\n[North "Nora"]\n[Dealer "N"]\n[Vulnerable "None"]\n'
    '[Deal "N:AQ8.K75.QJ84.J32 J943.QT4.K62.KT8 KT75.AJ62.A7.964 62.983.T953.AQ75"]\n'
    '[Auction "N"]\n1NT Pass Pass Pass\n'
)


def test_the_verb_prints_writes_and_refuses(
    run: Callable[..., Any], mini: str, tmp_path: Path
) -> None:
    path = tmp_path / "session.pbn"
    path.write_text(BOARD)
    printed = run("review", str(path), "--system", mini)
    assert (printed.code, printed.err) == (0, "")
    assert "departs from the system" in printed.out
    values = json.loads(run("review", str(path), "--system", mini, "--json").out)
    assert values["judged"] == 4
    page = tmp_path / "report.html"
    assert run("review", str(path), "--system", mini, "--html", str(page)).code == 0
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    explained = run("explain", "--pbn", str(path), "--system", mini)
    assert "promise   15+ HCP; held 13, 2 HCP too few" in explained.out
    refused = run("review", str(path), "--board", "9", "--system", mini)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    path.write_text('[Board "1"]\n[Auction "N"]\n1NT AP\n')
    refused = run("review", str(path), "--system", mini)
    assert refused.code == 2
    assert "expected boards with an auction and hands" in refused.err


def test_the_board_that_is_explained_of_several_is_named(
    run: Callable[..., Any], mini: str, tmp_path: Path
) -> None:
    path = tmp_path / "session.pbn"
    path.write_text(BOARD + "\n" + BOARD.replace('"7"', '"8"'))
    first = run("explain", "--pbn", str(path), "--system", mini, "--brief")
    said = f"bidwright: board 7 of the 2 in {path} is explained; --board K takes another\n"
    assert first.err == said
    named = run("explain", "--pbn", str(path), "--board", "7", "--system", mini, "--brief")
    assert (named.out, named.err) == (first.out, "")
