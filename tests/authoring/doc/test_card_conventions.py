"""Every convention that an author's file announces is on his card."""

from pathlib import Path

import pytest

from bidwright.authoring.doc.card_conventions import (
    ConventionEntry,
    ConventionWriter,
    without_entry,
)
from bidwright.authoring.hands.positions import Explorer
from bidwright.kb.language.system import System
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.loading.load import load

SHELF = sorted((Path(__file__).parents[3] / "systems" / "conventions").glob("*.bid"))

GAZZILLI = """\
convention gazzilli "Gazzilli"

after 1M (P) 1NT (P) "Opener over one notrump"
  2C "seventeen or more, or clubs" hcp 17+ or clubs 4+; artificial, forcing
    2D "eight or more" hcp 8+; artificial, forcing
    2M "preference"
"""

OWN = """\
system own "Our system"

include gazzilli

opening
  2C "strong" hcp 22+; artificial, forcing
  1M "five" M 5+, hcp 12+
  pass
after 2C (P)
  2D "waiting"; artificial, forcing
after 2C (P) 2D (P)
  2H "hearts, or a balanced giant" hearts 5+ or balanced and hcp 25+; artificial, forcing, \
convention "Kokish"
  2NT "22 to 24" hcp 22..24, balanced
after 1M (P)
  1NT "a response" hcp 6..11
  pass
after 1M (P) 1NT (P)
  3D "a secret" hcp 16+, diamonds 5+; artificial, forcing game
  pass
"""


def _entries(path: Path) -> tuple[System, list[ConventionEntry]]:
    system = load(path)
    rules = open_system(path)
    return system, list(ConventionWriter(rules, system, Explorer(rules)).entries())


@pytest.fixture
def own(tmp_path: Path) -> Path:
    (tmp_path / "gazzilli.bid").write_text(GAZZILLI, encoding="utf-8")
    file = tmp_path / "own.bid"
    file.write_text(OWN, encoding="utf-8")
    return file


def test_conventions_deep_in_the_auction_are_on_the_card(own: Path) -> None:
    """A file that is a convention, a rule that names one, and an artificial call without a name."""
    system, entries = _entries(own)
    by_name = {entry.name: entry.words for entry in entries}
    assert by_name["Kokish"].startswith(
        "2♣ (P) 2♦ (P) 2♥; Kokish, ♥, or a balanced giant; forcing (artificial)"
    )
    assert "2♣ seventeen or more, or ♣" in by_name["Gazzilli"]
    assert "1M (P) 1NT (P)" in by_name["Gazzilli"]
    assert "a secret" in by_name["1M (P) 1NT (P) 3♦"]
    assert not without_entry(entries, system)


def test_a_convention_without_an_entry_is_found(own: Path) -> None:
    system, entries = _entries(own)
    left = [entry for entry in entries if entry.name != "Gazzilli"]
    assert without_entry(left, system) == {file for _, file in system.conventions}


@pytest.mark.system
@pytest.mark.parametrize("file", SHELF, ids=lambda path: path.stem)
def test_every_convention_of_the_shelf_has_an_entry(file: Path) -> None:
    """But for those that only define words for others."""
    _, entries = _entries(file)
    rules = open_system(file).rules
    own = {rule.span.file for rule in rules if Path(rule.span.file).name == file.name}
    assert {name for entry in entries for name in entry.files} >= own
    assert own or file.stem == "valuation"
    assert all(entry.name and entry.words for entry in entries)
