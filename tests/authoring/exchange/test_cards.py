"""Convention cards with switches: modules and values of ours, and what has no counterpart."""

from pathlib import Path

import pytest

from bidwright.authoring.exchange.bbsa import SWITCHES, NoBaseError, to_bbsa
from bidwright.authoring.exchange.importer import import_file
from bidwright.authoring.exchange.records import Fate
from bidwright.cli import main
from bidwright.kb.loading.load import load

CARD = """\
System type = 1
1NT opening range 14-16 = 1
Bergen = 0
Reverse Bergen = 1
Blackwood 1430 = 1
Blackwood 0314 = 1
Jacoby 2NT = 1
Gerber = 0
Mixed raise = 1
Not defined = 0
Ogust = 1
ROPI = 1
Opponent type = 0
"""

SYSTEM = """\
system mine "mine"
  source "imported from mine.bbsa"
  gaps "Mixed raise"

include sayc(notrump = 14..16, rebid = 12..13)
include bergen(clubs = 10..12, diamonds = 7..9)
include rkcb
include ogust
"""


@pytest.mark.system
def test_a_card_becomes_a_system(tmp_path: Path) -> None:
    file = tmp_path / "mine.bbsa"
    file.write_text(CARD, encoding="utf-8")
    found = import_file(file, "mine")
    assert found.text.startswith(SYSTEM)
    rest = found.text.removeprefix(SYSTEM).split("\n")
    assert all(not line or line.startswith("retire example ") for line in rest)
    told = {line.number: (line.fate, "".join(line.notes)) for line in found.report.lines}
    assert told == {
        1: (Fate.CONTEXT, "the system is sayc"),
        2: (Fate.MODULE, "include sayc(notrump = 14..16, rebid = 12..13)"),
        3: (Fate.OFF, ""),
        4: (Fate.MODULE, "include bergen(clubs = 10..12, diamonds = 7..9)"),
        5: (Fate.MODULE, "include rkcb"),
        6: (Fate.CONTRADICTION, "line 5 has rkcb"),
        7: (Fate.MODULE, "sayc has it"),
        8: (Fate.TEXT, "sayc plays it all the same"),
        9: (Fate.TEXT, "it has no counterpart here"),
        10: (Fate.OFF, ""),
        11: (Fate.MODULE, "include ogust"),
        12: (Fate.MODULE, "rkcb and blackwood have it"),
        13: (Fate.CONTEXT, "what the opponents play"),
    }
    out = tmp_path / "mine.bid"
    out.write_text(found.text, encoding="utf-8")
    system = load(out)
    assert system.diagnostics == ()
    text, report = to_bbsa(system)
    rows = dict(line.split(" = ") for line in text.splitlines())
    on = {name for name, value in rows.items() if value == "1"}
    assert {"System type", "1NT opening range 14-16", "Reverse Bergen", "Blackwood 1430"} <= on
    assert {"Ogust", "Jacoby 2NT", "ROPI"} <= on
    assert not on & {"Bergen", "Blackwood 0314", "Multi"}
    assert all(loss.what.startswith("retire ") for loss in report.losses)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Drury = 1\n", "1: expected 'System type = 1' in the first row, got 'Drury = 1'"),
        ("System type = 3\n", "got 3 (a strong club)"),
        ("System type = 1\nnonsense\n", "2: expected a row such as 'Drury = 1', got 'nonsense'"),
        ("\n", "got no rows"),
    ],
)
def test_bad_cards(
    tmp_path: Path, text: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.bbsa"
    file.write_text(text, encoding="utf-8")
    assert main(["import", str(file)]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    "base",
    [
        pytest.param("sayc", marks=pytest.mark.system),
        *(
            pytest.param(name, marks=pytest.mark.slow)
            for name in ("acol", "two_over_one", "polish_club")
        ),
    ],
)
def test_every_module_of_the_switches_can_be_included(base: str, tmp_path: Path) -> None:
    """One value of each module; their texts fit together."""
    modules: dict[str, str] = {}
    for switch in SWITCHES.values():
        if switch.include:
            modules.setdefault(switch.include.partition("(")[0], switch.include)
    lines = [f'system all "All"\n\ninclude {base}', *(f"include {one}" for one in modules.values())]
    file = tmp_path / "all.bid"
    file.write_text("\n".join([*lines, ""]), encoding="utf-8")
    assert [each for each in load(file).diagnostics if each.is_error] == []


def test_a_system_of_its_own_has_no_card(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "own.bid"
    file.write_text('system own "Own"\n\nopening\n  pass\n', encoding="utf-8")
    with pytest.raises(NoBaseError):
        to_bbsa(load(file))
    assert main(["doc", str(file), "--format", "bbsa"]) == 2
    assert (
        "a card begins with one of two_over_one, sayc, polish_club, acol, and own includes none"
        in capsys.readouterr().err
    )


@pytest.mark.system
def test_polish_club_goes_to_a_card_and_comes_back(tmp_path: Path) -> None:
    folder = Path(__file__).parents[3] / "systems" / "polish_club"
    text, report = to_bbsa(load(folder / "system.bid"))
    rows = dict(line.split(" = ") for line in text.splitlines())
    assert rows["System type"] == "2"
    assert rows["Multi"] == rows["Blackwood 1430"] == rows["1NT opening range 15-17"] == "1"
    assert rows["Weak natural 2M"] == rows["Weak natural 2D"] == "0"
    assert report.losses == ()
    file = tmp_path / "polish.bbsa"
    file.write_text(text, encoding="utf-8")
    found = import_file(file, "mine")
    assert found.text.split("\n\n")[1].strip() == "include polish_club"
