"""A system checked again with earlier results is judged as if it were new."""

from __future__ import annotations

from importlib.resources.abc import Traversable
from pathlib import Path

import pytest

from bidwright.kb.checks.statement_cache import Memory
from bidwright.kb.language.parser import assemble, parse, pieces_of, read_piece
from bidwright.kb.loading.load import Files, Parsed, load

TEXT = """system a "A system"

let good(S) = top3(S) 2+
let very(S) = good(S) and S 6+

include stayman(over = 1NT)

opening
  1NT hcp 15..17, balanced; asks nothing
  1S spades 5+, very(S)
  pass

after 1NT (P)
  3C "two of them" good(clubs)
  pass asked(nothing)

example KQ4.AQ8.K9873.K2 -> 1NT
"""
STAYMAN = """convention stayman(over = 2NT, low = 8) "Stayman"
after over (P)
  2C hcp >= low; artificial, asks major
    2D; answers major
"""
EDITS = (
    ("top3(S) 2+", "hcp"),
    ("top3(S) 2+", "very(S)"),
    ("let good(S)", "let god(S)"),
    ("asks nothing", "signoff"),
    ("opening\n", "opening\n  1H hearts\n"),
    ("after 1NT (P)", "after 1NT P"),
    ("(over = 1NT)", "(over = 7NT)"),
    ("(over = 1NT)", "(low = 3)"),
    ("KQ4.AQ8", "KQ4.AQ"),
    ("balanced;", "balanced and ;"),
    ("include stayman", "include staymann"),
    ("very(S) = good(S)", "very(S, T) = good(T)"),
    ("  pass\n\nafter", "  3S spades 9+\n  pass\n  3H\n\nafter"),
)


class _Kept(Files):
    """Files that are parsed once for each text."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Parsed] = {}

    def read(self, path: Traversable, name: str) -> Parsed:
        key = (name, path.read_text(encoding="utf-8"))
        if key not in self._known:
            self._known[key] = super().read(path, name)
        return self._known[key]


def test_diagnostics_after_each_edit_are_those_of_a_fresh_load(tmp_path: Path) -> None:
    main = tmp_path / "system.bid"
    main.write_text(TEXT, encoding="utf-8")
    (tmp_path / "stayman.bid").write_text(STAYMAN, encoding="utf-8")
    files, memory = _Kept(), Memory()
    assert not load(main, files, memory).diagnostics
    found = []
    for old, new in EDITS:
        assert old in TEXT
        main.write_text(TEXT.replace(old, new), encoding="utf-8")
        fresh = load(main).diagnostics
        found.append(bool(fresh))
        assert load(main, files, memory).diagnostics == fresh
    assert all(found[1:9])
    main.write_text(TEXT, encoding="utf-8")
    assert not load(main, files, memory).diagnostics


@pytest.mark.parametrize(("old", "new"), EDITS)
def test_a_file_read_in_pieces_is_the_file(old: str, new: str) -> None:
    text = TEXT.replace(old, new)
    pieces = pieces_of(text)
    assert "\n".join(piece for _, piece in pieces) == text
    last = len(pieces) - 1
    read = [read_piece(p, "f", final=i == last) for i, (_, p) in enumerate(pieces)]
    tree, problems = assemble(read)
    whole, expected = parse(text, "f")
    assert tree == whole
    assert [(p.code, p.message) for p in problems] == [(p.code, p.message) for p in expected]
