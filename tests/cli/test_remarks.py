"""A comment that suppresses something means the same wherever a system is looked at."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from bidwright.authoring.checking.system_report import check_system
from bidwright.authoring.checking.watching import Watched
from bidwright.authoring.lint.catalogue import LINTS
from bidwright.editor.editor_files import real_path
from bidwright.editor.session import Session
from bidwright.editor.workbench import Workbench
from bidwright.inference.reading.examples import open_suites
from bidwright.kb.language.diagnostics import Diagnostic

TEXT = """system mine "Mine"

let weak = hcp ..9        # allow W209: for a later chapter
let odd = hcp 3           # open W209: nobody knows what it is for
let idle = hcp 5

opening
  1NT "15 to 17" hcp 15..17, balanced    # allow W208: none of theirs
  1S spades 5+, hcp 12+
  2S spades 6+, hcp 17+                  # allow E411: kept for the notes
  2H hearts 6+, hcp 5..10                # allow E412: there is no gap
  pass                                   # allow W424
  # allow E201: it is meant so

example KQ4.AQ8.K9873.K2 -> pass         # allow E401: it is meant so
"""

Place = tuple[int, str, str]

OF_FILES: set[Place] = {
    (4, "W209", "info"),
    (5, "W209", "warning"),
    (8, "W431", "warning"),  # no W208 here
    (12, "W432", "warning"),
    (13, "W431", "warning"),  # E201 cannot be suppressed
    (15, "W431", "warning"),  # nor can E401
    (15, "E401", "error"),
}
OF_PROOFS: set[Place] = {
    (11, "W431", "warning"),  # no E412 here
    (12, "W431", "warning"),  # no W424 here
}


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(tmp_path / "cache"))
    file = real_path(str(tmp_path)) / "mine.bid"
    file.write_text(TEXT, encoding="utf-8")
    return file


def places(problems: Iterable[Diagnostic]) -> set[Place]:
    told = list(problems)
    found = {(each.span.line, each.code, each.severity.value) for each in told}
    assert len(found) == len(told), "each is told once"
    return found


def test_check(path: Path) -> None:
    report = check_system(str(path))
    assert places(report.problems) == OF_FILES
    assert report.summary.endswith(
        "mine.bid: 5 problems, 0 of 1 examples bid as stated; 1 suppressed, 1 known"
    )


def test_check_prove(path: Path, run: Any) -> None:  # noqa: ANN401 - see the fixture
    result = run("check", str(path), "--prove", "--jobs", "1", "--json")
    problems = json.loads(result.out)["problems"]
    found = {(each["span"]["line"], each["code"], each["severity"]) for each in problems}
    assert len(found) == len(problems)
    assert found == OF_FILES | OF_PROOFS
    text = run("check", str(path), "--prove", "--jobs", "1").out
    assert text.rstrip().endswith(
        "7 problems, 0 of 1 examples bid as stated; proofs: no findings, 2 suppressed, 1 known"
    )


def test_watch(path: Path) -> None:
    watched = Watched(str(path))
    news = watched.look()
    assert news is not None
    assert places(news.new) == OF_FILES
    path.write_text(TEXT.replace(" # allow W209: for a later chapter", ""), encoding="utf-8")
    news = watched.look()
    assert news is not None
    assert [(each.span.line, each.code) for each in news.new] == [(3, "W209")]


def test_editor(path: Path) -> None:
    """The server's remarks at once, and those of its worker in the background."""
    session = Session()
    session.put(path, path.as_uri(), TEXT)
    assert places(session.problems(path)) == {
        (line, code, severity) for line, code, severity in OF_FILES if code == "W209"
    }
    steps = dict(Workbench().check(path, {}, [str(path)]))
    session.found_deep(path, [each for found in steps.values() for each in found])
    assert places(session.problems(path)) == OF_FILES | OF_PROOFS


def test_a_file_with_errors_is_not_asked_what_its_comments_suppress(path: Path) -> None:
    path.write_text(TEXT.replace("spades 5+", "spads 5+"), encoding="utf-8")
    assert {each.code for each in check_system(str(path)).problems} == {"E201"}


def test_comments_in_files_of_an_included_system_are_left_alone(path: Path) -> None:
    mine = path.parent / "own.bid"
    mine.write_text('system own "Own"\ninclude mine\n', encoding="utf-8")
    told = places(check_system(str(mine)).problems)
    assert not [each for each in told if each[1] in ("W431", "W432")]


@pytest.mark.system
def test_shared_files_of_the_package_are_not_asked_what_their_comments_suppress() -> None:
    acol = open_suites(["acol"])[0]
    own = acol.system.own_files - acol.system.shared
    assert all(name.startswith("systems/acol/") for name in own)
    assert "systems/common/doubles.bid" in acol.system.shared
    about = acol.sifted([], frozenset(LINTS)).about
    assert about, "nothing was found, so nothing is suppressed"
    assert {each.span.file for each in about} <= own
