"""A call that two conventions claim is reported; what is not claimed twice is not."""

from __future__ import annotations

from pathlib import Path

from bidwright.authoring.checking.system_report import check_system

RAISES = """\
convention raises "Artificial raises"
after 1S (P)
  3C "a raise" spades 4+, hcp 7..9; artificial, forcing
  pass
after 1S (P) 3C (P)
  3S
example KQ82.84.J953.J62 after 1S (P) -> 3C
"""
JUMPS = """\
convention jumps(highest = 3) "Weak jumps"
after 1S (P)
  {} Z 6+, hcp ..6, level(Z) < highest
"""
OPENING = """\
opening
  1S hcp 12+, spades 5+
"""


def codes(folder: Path, system: str, jump: str = "jump(Z)", raises: str = RAISES) -> list[str]:
    """Return the problems of a system beside the two conventions, by code and line."""
    path = folder / "mine.bid"
    path.write_text(f'system mine "Mine"\n{system}{OPENING}', encoding="utf-8")
    (folder / "raises.bid").write_text(raises, encoding="utf-8")
    (folder / "jumps.bid").write_text(JUMPS.format(jump), encoding="utf-8")
    found = [each for each in check_system(str(path)).problems if each.code == "W222"]
    return [each.message for each in found]


def test_both_are_named_once(tmp_path: Path) -> None:
    assert codes(tmp_path, "include raises\ninclude jumps\n") == [
        "3C after 1S (P) means one thing in 'raises' and another in 'jumps'"
    ]


def test_advice_names_a_rule_whose_removal_mends_it(tmp_path: Path) -> None:
    removed = 'include raises\ninclude jumps\nremove "1S (P): jump(Z)"\n'
    assert codes(tmp_path, removed) == []


def test_values_that_keep_them_apart_mend_it(tmp_path: Path) -> None:
    assert codes(tmp_path, "include raises\ninclude jumps(highest = 2)\n") == []


def test_latitude_claims_nothing(tmp_path: Path) -> None:
    assert codes(tmp_path, "include raises\ninclude jumps\n", "may jump(Z)") == []


def test_calls_that_mean_the_same_are_shared(tmp_path: Path) -> None:
    natural = RAISES.replace("; artificial, forcing", "").replace("spades 4+", "clubs 6+")
    assert codes(tmp_path, "include raises\ninclude jumps\n", raises=natural) == []


def test_what_the_system_says_itself_is_no_convention(tmp_path: Path) -> None:
    own = 'include raises\nafter 1S (P)\n  jump(Z) "weak" Z 6+, hcp ..6\n'
    assert codes(tmp_path, own) == []


def test_system_displaces_what_an_included_system_says(tmp_path: Path) -> None:
    (tmp_path / "base.bid").write_text(f'system base "B"\ninclude jumps\n{OPENING}')
    assert codes(tmp_path, "include base\ninclude raises\n") == []
