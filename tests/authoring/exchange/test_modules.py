"""Modules of the other language that ends in `.bid`: recognised everywhere, refused, imported."""

from pathlib import Path

import pytest

from bidwright.authoring.exchange.importer import import_file
from bidwright.authoring.exchange.module_files import (
    ModuleNames,
    UnknownWordError,
    calls_here,
    condition_of,
)
from bidwright.authoring.exchange.records import Fate
from bidwright.cli import main
from bidwright.kb.language.foreign import foreign_problem
from bidwright.kb.language.printer import condition_text
from bidwright.kb.loading.load import load

MODULE = """\
# Stayman and its answers
module stayman "Stayman over one notrump"
card notrump.stayman
needs notrump

param values = notrump.stayman.values default 8+
define major(x) = x>=4
define weak = hcp<=7

after 1N (P)
  2C "Stayman" shows hcp=values, major(H) | major(S) artificial
    sets forcing=one, ask=major
    alert "asks for a major"
  2D "transfer" shows H>=5 artificial sets forcing=one as hearts
  3C strength=invite
  P "weak" shows weak, !major(H)
  when passed_hand
    2N "invites" shows hcp=9..10
after 1N (P) 2C (P)
  2H "four hearts" shows H>=4
  2S "four spades" shows S>=4
  2D "none" denies H>=4 | S>=4
  4N "odd" shows hcp>=20 replaces core.x
after 1N (P) 2C (P) 2D (P) | 1N (P) 2C (P) 2H (P)
  3N "game" shows hcp=10..15 prefer hcp
when we.trump
  4N "keycards" shows hcp>=16
"""

CONVENTION = """\
convention stayman(values = 8+) "Stayman over one notrump"
  source "imported from stayman.bid"
# 1: # Stayman and its answers
# 3: card notrump.stayman
# 4: needs notrump

after 1NT (P)
  pass "weak" hcp ..7, not hearts 4+
  hearts: 2D "transfer" hearts 5+; artificial, forcing
  # 15: 1NT (P): 3C strength=invite
  2C "Stayman" hcp in values, hearts 4+ or spades 4+; artificial, forcing, asks major, \
alert "asks for a major"

after 1NT (P) when passed_hand
  2NT "invites" hcp 9..10

after 1NT (P) 2C (P)
  2D "none" not (hearts 4+ or spades 4+)
  2H "four hearts" hearts 4+
  2S "four spades" spades 4+
  # 23: 1NT (P) 2C (P): 4N "odd" shows hcp>=20 replaces core.x

after 1NT (P) 2C (P) 2D (P)
  3NT "game" hcp 10..15

after 1NT (P) 2C (P) 2H (P)
  3NT "game" hcp 10..15

# 27: 4N "keycards" shows hcp>=16
"""


@pytest.fixture
def module(tmp_path: Path) -> Path:
    file = tmp_path / "stayman.bid"
    file.write_text(MODULE, encoding="utf-8")
    return file


def test_a_module_becomes_a_convention(module: Path, tmp_path: Path) -> None:
    found = import_file(module, "anything")
    assert found.text == CONVENTION
    out = tmp_path / "ours" / "stayman.bid"
    out.parent.mkdir()
    out.write_text(found.text, encoding="utf-8")
    assert load(out).diagnostics == ()
    assert [line.text for line in found.report.lines] == MODULE.splitlines()


def test_what_cannot_be_said_stays_text_with_the_reason(module: Path) -> None:
    lines = import_file(module, "stayman").report.lines
    told = {line.number: (line.fate, line.notes) for line in lines}
    assert told[15] == (Fate.TEXT, ("not understood: 'strength=invite'",))
    assert told[23] == (Fate.TEXT, ("not understood: 'replaces core.x'",))
    assert told[27] == (Fate.TEXT, ("not understood: 'when we.trump'",))
    assert told[25] == (Fate.RULE, ("'prefer hcp' is left out",))
    assert told[3] == told[4] == (Fate.TEXT, ())


def test_what_was_imported_bids(module: Path, tmp_path: Path) -> None:
    out = tmp_path / "sub" / "stayman.bid"
    out.parent.mkdir()
    assert main(["import", str(module), "-o", str(out)]) == 0
    (out.parent / "ours.bid").write_text(
        'system ours "Ours"\n\ninclude stayman(values = 9+)\n\nopening\n  1NT hcp 15..17\n'
        "  pass\n\nexample KQ84.K72.A843.92 after 1NT (P) -> 2C\n",
        encoding="utf-8",
    )
    assert main(["check", str(out.parent / "ours.bid")]) == 0


def test_it_is_refused_wherever_a_system_is_read(
    module: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    user = module.with_name("user.bid")
    user.write_text('system user "U"\n\ninclude stayman\n\nopening\n  pass\n', encoding="utf-8")
    for command in (
        ["check", str(module)],
        ["check", str(user)],
        ["test", str(user)],
        ["explain", "--system", str(module), "1NT"],
        ["doc", str(module)],
        ["fmt", str(module)],
        ["bid", "--system", str(module), "KQ84.K72.A843.92"],
    ):
        assert main(command) in (1, 2), command
        told = "".join(capsys.readouterr())
        assert told.count("is a module of another program") == 1, command
        assert "bidwright import " in told, command


def test_only_a_first_statement_counts() -> None:
    assert foreign_problem('system module "M"\n', "a.bid") is None
    assert foreign_problem('# module a "A"\nsystem a "A"\n', "a.bid") is None
    assert foreign_problem('opening\n  pass\nmodule a "A"\n', "a.bid") is None
    found = foreign_problem('\n# a\n\nmodule a "A"  # more\nafter 1N (P)\n', "a.bid")
    assert found is not None
    assert (found.code, found.span.line) == ("E126", 4)


def test_a_file_of_ours_is_not_imported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.bid"
    file.write_text('system a "A"\n', encoding="utf-8")
    assert main(["import", str(file)]) == 2
    assert "this is a convention file already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("hcp=15..17, balanced", "hcp 15..17, balanced"),
        ("S>=5, hcp<12", "spades 5+, hcp ..11"),
        ("!balanced | H>=6, S=4", "not balanced or hearts 6+, spades 4"),
        ("stop(x), has(Q, x)", "stopper(X), has(XQ)"),
        ("keycards(M)>=2", "keycards(M) 2+"),
        ("shape 5-4-x-x", "shape 54xx"),
        ("x is not M, x>=4", "not X is M, X 4+"),
        ("we.hcp.min >= 25", "me.hcp.min + partner.hcp.min 25+"),
        ("partner.S.min >= 5", "partner.spades.min 5+"),
        ("S > H, S + H >= 9", "spades > hearts, spades + hearts 9+"),
        ("(S>=4 | H>=4), seat=3", "spades 4+ or hearts 4+, seat 3"),
    ],
)
def test_conditions(theirs: str, ours: str) -> None:
    assert condition_text(condition_of(theirs, ModuleNames())) == ours


@pytest.mark.parametrize(
    "theirs", ["strength=invite", "we.trump", "hcp=", "S>=5 balanced", "shape 5-4", "quality(x)"]
)
def test_conditions_that_have_no_counterpart(theirs: str) -> None:
    with pytest.raises(UnknownWordError):
        condition_of(theirs, ModuleNames())


@pytest.mark.parametrize(
    "text",
    [
        'module system "S"\nafter 1N (P)\n  2C shows hcp>=8\n',
        'module été "E"\nparam hcp = a.b default 8+\nafter 1N\n  2C shows\n  2D shows hcp=\n',
        'module a "A"\nafter\n  2C "x\nwhen\n  3C shows (((\n    sets =\n    prefer\n',
        'module a "A"\ndefine a = a\ndefine b(x) = b(x)\nafter (P) (P)\n  P shows b(H), a\n',
    ],
)
def test_odd_modules_are_read_to_the_end(text: str, tmp_path: Path) -> None:
    file = tmp_path / "a.bid"
    file.write_text(text, encoding="utf-8")
    found = import_file(file, "a")
    assert [line.text for line in found.report.lines] == text.splitlines()
    out = tmp_path / "b.bid"
    out.write_text(found.text, encoding="utf-8")
    assert [each for each in load(out).diagnostics if each.is_error] == []


def test_calls() -> None:
    assert calls_here("1N (P) 2x (*)") == "1NT (P) 2X (any)"
