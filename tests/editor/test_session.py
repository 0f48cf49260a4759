"""Files read again piece by piece are judged as if they were new, whatever is typed into them."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path

import pytest

from bidwright.editor.completion import Completer
from bidwright.editor.hover import name_text
from bidwright.editor.names import NameFinder
from bidwright.editor.rename import Renamer, UnsafeRenameError
from bidwright.editor.semantic import Painter, encoded
from bidwright.editor.session import Session
from bidwright.editor.symbols import Outline, folds
from bidwright.kb.language.diagnostics import Diagnostic
from bidwright.kb.loading.load import load

MAIN = """# A small system.

system small "A small system"
  source "us"

include part
include later(low = 9)

let good(S) = top3(S) 2+ and
    S 5+
let better(S) = good(S) and hcp 10+

opening "Openings"
  1NT "15 to 17" hcp 15..17, balanced # a comment, with "quotes"
  strong: 1S "five spades" spades 5+, hcp 12..21,
      good(spades)
    2S "raise" (spades 3+ or
        spades 2), hcp 6..9
    (X)
      XX hcp 10+
  pass

after 1X (P) when not vulnerable
  2X "raise" X 4+, hcp 6..9; agrees X
  bid(Y) "a suit" Y 5+, better(Y); forcing, asks help
    3Y; answers help

example KQ4.AQ8.K9873.K2 -> 1NT
example AKQ43.A8.K973.K2 after P P vul both dealer E -> 1S
"""
PART = """after 1C (1D|1H)
  X "takeout" hcp 8+
  pass
"""
LATER = """convention later(low = 8, over = 1NT) "Later"
after over (P)
  2C hcp >= low; artificial
  pass
"""
SNIPPETS = (
    "(",
    ")",
    '"',
    "#",
    ",",
    ";",
    "\n",
    "  ",
    "\n  pass",
    " or ",
    "1H",
    "hcp 5+",
    "\\",
    "let ",
)


def _edited(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text))
    if rng.random() < 0.5:
        return text[:at] + text[at + rng.choice((1, 1, 2, 8, 40)) :]
    return text[:at] + rng.choice(SNIPPETS) + text[at:]


def _told(problems: list[Diagnostic]) -> set[tuple[str, str, int, int]]:
    return {(each.code, each.message, each.span.line, each.span.column) for each in problems}


@pytest.mark.parametrize("seed", range(8))
def test_problems_are_those_of_a_fresh_load(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    main = (tmp_path / "system.bid").resolve()
    (tmp_path / "part.bid").write_text(PART, encoding="utf-8")
    (tmp_path / "later.bid").write_text(LATER, encoding="utf-8")
    session = Session()
    text = MAIN
    for _ in range(12):
        main.write_text(text, encoding="utf-8")
        session.put(main, main.as_uri(), text)
        fresh = [each for each in load(main).diagnostics if each.span.file == main.as_posix()]
        assert _told(session.problems(main)) == _told(fresh), text
        # Mistakes may pile up, but not until nothing can be read any more.
        text = _edited(text if rng.random() < 0.6 else MAIN, rng)


@pytest.mark.system
def test_no_request_fails_on_half_typed_text(tmp_path: Path) -> None:
    rng = random.Random(1)
    main = (tmp_path / "system.bid").resolve()
    (tmp_path / "part.bid").write_text(PART, encoding="utf-8")
    (tmp_path / "later.bid").write_text(LATER, encoding="utf-8")
    main.write_text(MAIN, encoding="utf-8")
    session = Session()
    names = NameFinder(session)
    completer, renamer, painter = Completer(session), Renamer(session, names), Painter(names)
    text = MAIN
    for _ in range(30):
        session.put(main, main.as_uri(), text)
        document = session.files.document(main)
        assert Outline(session, document).symbols() or not document.parsed.tree.statements
        encoded(painter.marks(document))
        folds(document)
        for _ in range(6):
            line = rng.randrange(1, len(document.lines) + 1)
            column = rng.randrange(1, len(document.lines[line - 1]) + 2)
            completer.complete(document, line, column)
            found = names.at(document, line, column)
            if found is not None:
                name_text(session, names, document, found)
            with suppress(UnsafeRenameError):
                renamer.edits(renamer.target(document, line, column), document, "fresh")
        text = _edited(text if rng.random() < 0.6 else MAIN, rng)


def test_a_piece_that_moves_is_not_read_again(tmp_path: Path) -> None:
    main = (tmp_path / "system.bid").resolve()
    session = Session()
    session.put(main, main.as_uri(), MAIN)
    before = session.files.document(main).pieces
    session.put(main, main.as_uri(), f"# more\n\n{MAIN}")
    after = session.files.document(main).pieces
    kept = {id(each.piece) for each in before} & {id(each.piece) for each in after}
    assert len(kept) == len(before) - 1
    assert [each.offset for each in after[1:]] == [each.offset + 2 for each in before[1:]]


def test_tabs_are_told_once(tmp_path: Path) -> None:
    main = (tmp_path / "system.bid").resolve()
    session = Session()
    session.put(main, main.as_uri(), "opening\n\t1S hcp 12+\n\tpass\nafter 1S (P)\n\tpass\n")
    assert [each.code for each in session.problems(main)] == ["E104"]


def test_line_ends_of_other_systems_do_not_matter(tmp_path: Path) -> None:
    main = (tmp_path / "system.bid").resolve()
    session = Session()
    wrong = MAIN.replace("spades 5+", "spade 5+")
    session.put(main, main.as_uri(), wrong)
    expected = _told(session.problems(main))
    session.put(main, main.as_uri(), wrong.replace("\n", "\r\n"))
    assert expected
    assert _told(session.problems(main)) == expected


def test_a_file_of_two_systems_is_looked_at_in_both(tmp_path: Path) -> None:
    part = (tmp_path / "part.bid").resolve()
    session = Session()
    for name, let in (("one", "let a = hcp 5"), ("two", "let b = hcp 5")):
        main = (tmp_path / f"{name}.bid").resolve()
        text = f'system {name} "S"\n{let}\ninclude part\n'
        main.write_text(text, encoding="utf-8")
        session.put(main, main.as_uri(), text)
    session.put(part, part.as_uri(), "opening\n  1S a\n  1H b\n  pass\n")
    assert [each.message for each in session.problems(part)] == [
        "unknown condition 'b'",
        "unknown condition 'a'",
    ]
