"""Includes, parameters, overrides: what a system consists of once it is loaded."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import render
from bidwright.kb.language.printer import to_text
from bidwright.kb.language.walk import walk
from bidwright.kb.loading.load import System, UnknownSystemError, available_systems, load


def written(folder: Path, texts: Mapping[str, str]) -> Path:
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def loaded(folder: Path, texts: Mapping[str, str]) -> System:
    system = load(written(folder, texts))
    assert system.diagnostics == (), render(system.diagnostics, system.texts)
    return system


def text_of(system: System) -> str:
    return to_text(ast.File(None, tuple(each.statement for each in system.statements)))


def ids(system: System) -> list[str]:
    return [placed.id for placed in walk(system.statements)]


def codes(system: System) -> list[str]:
    return [diagnostic.code for diagnostic in system.diagnostics]


OPENINGS = "opening\n  1NT hcp 15..17\n  1S spades 5+\n  pass\n"


# ---------------------------------------------------------------------- names


def test_folder_and_file_are_found_by_path(tmp_path: Path) -> None:
    folder = written(tmp_path / "mine", {"system.bid": f'system mine "Mine"\n{OPENINGS}'})
    for path in (folder, folder / "system.bid", str(folder)):
        assert load(path).title == "Mine"


def test_a_system_that_ships_is_found_by_name_before_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path / "sayc", {"system.bid": f'system mine "Mine"\n{OPENINGS}'})
    monkeypatch.chdir(tmp_path)
    assert "sayc" in available_systems()
    assert load("sayc").title == "Standard American Yellow Card"
    assert load(Path("sayc")).title == "Mine"


def test_file_without_header_is_named_after_its_file(tmp_path: Path) -> None:
    written(tmp_path, {"openings.bid": OPENINGS})
    system = load(tmp_path / "openings.bid")
    assert (system.name, system.title) == ("openings", "")
    assert {located.module for located in system.statements} == {"openings"}


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("scay", "got 'scay'; did you mean 'sayc'?"),
        ("", "got ''"),
    ],
)
def test_unknown_system(name: str, end: str) -> None:
    with pytest.raises(UnknownSystemError, match=re.escape(end) + "$") as caught:
        load(name)
    assert "sayc" in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_file_that_is_missing_is_said_to_be() -> None:
    with pytest.raises(UnknownSystemError, match=r"^no such file: 'no/such/file\.bid'"):
        load("no/such/file.bid")


# ------------------------------------------------------------------- includes


def test_includes_stand_in_their_place(tmp_path: Path) -> None:
    system = loaded(
        tmp_path,
        {
            "system.bid": 'system mine "Mine"\nlet a = hcp 5+\ninclude parts/one\nlet d = a\n',
            "parts/one.bid": "let b = hcp 6+\ninclude two\n",
            "parts/two.bid": "let c = hcp 7+\n",
        },
    )
    found = [(module, getattr(statement, "name", "")) for module, statement in system.statements]
    assert found == [("mine", "a"), ("one", "b"), ("two", "c"), ("mine", "d")]
    assert sorted(Path(name).name for name in system.texts) == ["one.bid", "system.bid", "two.bid"]


def test_same_file_counts_once(tmp_path: Path) -> None:
    system = loaded(
        tmp_path,
        {
            "system.bid": 'system mine "Mine"\ninclude one\ninclude two\n',
            "one.bid": OPENINGS,
            "two.bid": "include one\n",
        },
    )
    assert ids(system) == ["opening.1NT", "opening.1S", "opening.P"]


def test_conventions_that_ship_are_included_from_anywhere(tmp_path: Path) -> None:
    texts = {"system.bid": 'system mine "Mine"\ninclude conventions/stayman(over = 1NT)\n'}
    system = loaded(tmp_path, texts)
    assert {located.module for located in system.statements} == {"stayman"}


def test_file_in_the_folder_comes_before_one_that_ships(tmp_path: Path) -> None:
    texts = {
        "system.bid": 'system mine "Mine"\ninclude conventions/stayman\n',
        "conventions/stayman.bid": 'convention mine "My own"\nlet a = hcp 5+\n',
    }
    assert text_of(loaded(tmp_path, texts)) == "let a = hcp 5+\n"


def test_file_of_a_modules_name_may_include_the_module(tmp_path: Path) -> None:
    path = tmp_path / "gerber.bid"
    path.write_text('system mine "Mine"\ninclude gerber\nopening\n  1NT hcp 15..17\n')
    system = load(path)
    assert system.diagnostics == ()
    assert system.name == "mine"
    assert "systems/conventions/gerber.bid" in system.texts


def test_cycle_is_told_with_the_way_round(tmp_path: Path) -> None:
    system = load(
        written(
            tmp_path,
            {
                "system.bid": 'system mine "Mine"\ninclude one\n',
                "one.bid": f"include two\n{OPENINGS}",
                "two.bid": "include one\n",
            },
        )
    )
    [found] = system.diagnostics
    assert found.code == "E303"
    assert [Path(part).name for part in found.message.split(": ")[1].split(" -> ")] == [
        "one.bid",
        "two.bid",
        "one.bid",
    ]
    assert [Path(related.span.file).name for related in found.related] == ["one.bid"]
    assert ids(system) == ["opening.1NT", "opening.1S", "opening.P"]


def test_unreadable_file_is_told(tmp_path: Path) -> None:
    written(tmp_path, {"system.bid": 'system mine "Mine"\ninclude one\n'})
    (tmp_path / "one.bid").write_bytes(b"let a = \xff\n")
    [found] = load(tmp_path).diagnostics
    assert (found.code, found.span.line) == ("E302", 2)
    assert found.message.endswith("it is not UTF-8 text")


def test_missing_file_hides_the_names_that_may_be_in_it(tmp_path: Path) -> None:
    texts = {"system.bid": 'system mine "Mine"\ninclude words\nopening\n  1NT strong\n'}
    assert codes(load(written(tmp_path, texts))) == ["E301"]


def test_broken_definition_is_not_told_again_where_it_is_used(tmp_path: Path) -> None:
    texts = {"system.bid": 'system mine "Mine"\nlet strong = hcp 15-17\nopening\n  1NT strong\n'}
    assert codes(load(written(tmp_path, texts))) == ["E114"]


def test_mistakes_of_all_files_are_told(tmp_path: Path) -> None:
    system = load(
        written(
            tmp_path,
            {
                "system.bid": 'system mine "Mine"\ninclude one\nopening\n  1NT hcp 15-17\n',
                "one.bid": "after 1NT (P)\n  2C hcpp 8+\n  1S hcp 9+\n",
            },
        )
    )
    assert codes(system) == ["E114", "E201", "E213"]
    assert system.has_errors


# ----------------------------------------------------------------- parameters

PUPPET = """\
convention puppet(over = 2NT, values = 5+, low = 3, theirs = P) "Puppet"
let fine(S) = hcp in values and S >= low
after over (theirs)
  3C fine(spades), hcp + low 8+
  step(low) hcp in low
"""


def test_parameters_are_filled_in(tmp_path: Path) -> None:
    system = loaded(
        tmp_path,
        {
            "system.bid": 'system mine "Mine"\ninclude puppet'
            "(over = 2C (P) 2D (P) 2NT, values = 1..2, theirs = P|X)\n",
            "puppet.bid": PUPPET,
        },
    )
    assert text_of(system) == (
        "let fine(S) = hcp 1..2, S >= 3\n"
        "\n"
        "after 2C (P) 2D (P) 2NT (P|X)\n"
        "  3C fine(spades), hcp + 3 8+\n"
        "  step(3) hcp 3\n"
    )


def test_texts_of_alternatives_are_filled_in(tmp_path: Path) -> None:
    text = (
        'convention strong(values = 16..40) "Strong"\nafter 1S (P) 1NT (P)\n'
        '  2C; artificial\n    either big: "{values.min} or more" hcp in values\n'
    )
    files = {"system.bid": 'system mine "Mine"\ninclude strong\n', "strong.bid": text}
    assert '"16 or more"' in text_of(loaded(tmp_path, files))


def test_defaults_are_used(tmp_path: Path) -> None:
    texts = {"system.bid": 'system mine "Mine"\ninclude puppet\n', "puppet.bid": PUPPET}
    assert "after 2NT (P)\n  3C" in text_of(loaded(tmp_path, texts))


def test_parameters_are_passed_on(tmp_path: Path) -> None:
    system = loaded(
        tmp_path,
        {
            "system.bid": 'system mine "Mine"\ninclude outer(base = 1C, range = 7+)\n',
            "outer.bid": 'convention outer(base, range) "Outer"\n'
            "include puppet(over = base (P) 2NT, values = range)\n",
            "puppet.bid": PUPPET,
        },
    )
    assert text_of(system).splitlines()[:3] == [
        "let fine(S) = hcp 7+, S >= 3",
        "",
        "after 1C (P) 2NT (P)",
    ]


def test_definitions_of_one_convention_with_two_values_are_kept_apart(tmp_path: Path) -> None:
    system = loaded(
        tmp_path,
        {
            "system.bid": 'system mine "Mine"\ninclude puppet\n'
            "include puppet(over = 3NT (P) 4C (P) 4NT)\n"
            "include puppet(over = 2C (P) 2D (P) 2NT, values = 9+)\n",
            "puppet.bid": PUPPET.replace("3C", "bid(C)"),
        },
    )
    lets = [each for _, each in system.statements if isinstance(each, ast.Let)]
    assert [let.name for let in lets] == ["fine", "fine#2"]
    lines = text_of(system).splitlines()
    assert [line for line in lines if "bid(C)" in line] == [
        "  bid(C) fine(spades), hcp + 3 8+",
        "  bid(C) fine(spades), hcp + 3 8+",
        "  bid(C) fine#2(spades), hcp + 3 8+",
    ]


@pytest.mark.parametrize(
    ("include", "expected"),
    [
        ("include puppet(oevr = 1NT)", ["E305"]),
        ("include puppet(values = 3..2)", ["E208"]),
        ("include puppet(over = 8..9)", ["E306"]),
        ("include puppet(low = 1..2)", ["E306"]),
        ("include puppet(theirs = 1C (P))", ["E306"]),
        ("include needy", ["E304"]),
        ("include needy(what = 1C)", ["E306"]),
    ],
)
def test_wrong_arguments(include: str, expected: list[str], tmp_path: Path) -> None:
    texts = {
        "system.bid": f'system mine "Mine"\n{include}\n',
        "puppet.bid": PUPPET,
        "needy.bid": 'convention needy(what) "Needy"\nafter what (P)\n  pass hcp in what\n',
    }
    assert codes(load(written(tmp_path, texts))) == expected


# ------------------------------------------------------------------ overrides

BASE = f"""\
system base "Base"
{OPENINGS}
after 1NT (P)
  ask: 2C hcp 8+; artificial
    2D hearts ..3
      2NT hcp 8
    2H
  2D hearts 5+
  2D diamonds 5+
  pass
"""


def delta(folder: Path, changes: str) -> System:
    texts = {"base.bid": BASE, "system.bid": f'system mine "Mine"\ninclude base\n{changes}'}
    return load(written(folder, texts))


def rules(system: System) -> dict[str, str]:
    lines = {}
    for placed in walk(system.statements):
        block = ast.Block("anywhere", ast.Pattern((), True), (placed.rule,))
        lines[placed.id] = to_text(ast.File(None, (block,))).splitlines()[1].strip()
    return lines


def test_ids(tmp_path: Path) -> None:
    assert ids(delta(tmp_path, "")) == [
        "opening.1NT",
        "opening.1S",
        "opening.P",
        "base.ask",
        "1NT (P) 2C (P): 2D",
        "1NT (P) 2C (P) 2D (P): 2NT",
        "1NT (P) 2C (P): 2H",
        "1NT (P): 2D",
        "1NT (P): 2D#2",
        "1NT (P): P",
    ]


def test_rule_is_replaced_where_it_stands(tmp_path: Path) -> None:
    system = delta(tmp_path, "override opening.1NT\n  1NT hcp 14..16\n")
    assert system.diagnostics == ()
    assert list(rules(system))[:2] == ["opening.1NT", "opening.1S"]
    assert rules(system)["opening.1NT"] == "1NT hcp 14..16"


def test_replaced_rule_keeps_what_follows_it_and_its_label(tmp_path: Path) -> None:
    system = delta(tmp_path, "override base.ask\n  2C hcp 7+; artificial\n")
    assert rules(system)["base.ask"] == "ask: 2C hcp 7+; artificial"
    assert "1NT (P) 2C (P): 2H" in ids(system)


def test_replaced_rule_keeps_its_tier_unless_the_new_one_names_another(tmp_path: Path) -> None:
    (tmp_path / "other.bid").write_text(
        'system other "Other"\nopening\n  judgement\n    1C clubs 4+\n    1D diamonds 4+\n',
        encoding="utf-8",
    )
    changes = "override opening.1C\n  1C clubs 3+\noverride opening.1D\n  1D; book\n"
    (tmp_path / "system.bid").write_text(
        f'system mine "Mine"\ninclude other\n{changes}', encoding="utf-8"
    )
    system = load(tmp_path / "system.bid")
    assert rules(system) == {"opening.1C": "1C clubs 3+; judgement", "opening.1D": "1D; book"}


def test_replacing_rule_brings_its_own_continuations(tmp_path: Path) -> None:
    system = delta(tmp_path, "override base.ask\n  2C hcp 7+\n    2S spades 4+\n")
    assert [name for name in ids(system) if "2C" in name] == ["1NT (P) 2C (P): 2S"]


def test_rule_is_removed_with_what_follows_it(tmp_path: Path) -> None:
    system = delta(tmp_path, 'remove base.ask\nremove "1NT (P): 2D#2"\nremove opening.P\n')
    assert ids(system) == ["opening.1NT", "opening.1S", "1NT (P): 2D", "1NT (P): P"]


def test_inner_rules_are_changed(tmp_path: Path) -> None:
    changes = (
        'override "1NT (P) 2C (P): 2D"\n  2D hearts ..3, spades ..3\n'
        'remove "1NT (P) 2C (P) 2D (P): 2NT"\n'
    )
    system = delta(tmp_path, changes)
    assert rules(system)["1NT (P) 2C (P): 2D"] == "2D hearts ..3, spades ..3"
    assert "1NT (P) 2C (P) 2D (P): 2NT" not in ids(system)


def test_block_goes_with_its_last_rule(tmp_path: Path) -> None:
    system = delta(tmp_path, "remove opening.1NT\nremove opening.1S\nremove opening.P\n")
    assert not any(name.startswith("opening") for name in ids(system))
    assert text_of(system).startswith("after 1NT (P)\n")


def test_later_change_wins_and_new_ids_are_known(tmp_path: Path) -> None:
    changes = (
        "override opening.1NT\n  1C hcp 17+\n"
        "override opening.1C\n  1C hcp 16+\n"
        "override opening.1C\n  1C hcp 18+\n"
    )
    assert rules(delta(tmp_path, changes))["opening.1C"] == "1C hcp 18+"


def test_ambiguous_id_is_a_warning(tmp_path: Path) -> None:
    system = delta(tmp_path, 'remove "1NT (P): 2D"\n')
    assert codes(system) == ["W202"]
    assert not system.has_errors


def test_the_last_rule_of_a_name_is_not_ambiguous(tmp_path: Path) -> None:
    changes = 'remove "1NT (P): 2D#2"\nremove "1NT (P): 2D"\n'
    system = delta(tmp_path, changes)
    assert codes(system) == []
    assert not any("1NT (P): 2D" in name for name in ids(system))


def test_unknown_id_is_told_with_the_nearest(tmp_path: Path) -> None:
    system = delta(tmp_path, "remove base.aks\n")
    [found] = system.diagnostics
    assert (found.code, found.help) == ("E216", "did you mean 'base.ask'?")


def test_definitions_are_replaced_whatever_the_order(tmp_path: Path) -> None:
    texts = {
        "system.bid": 'system mine "Mine"\noverride let a = hcp 7+\ninclude one\nlet b = a\n',
        "one.bid": "let a = hcp 5+\n",
    }
    assert text_of(loaded(tmp_path, texts)) == "let a = hcp 7+\nlet b = a\n"


def test_delta_of_a_delta(tmp_path: Path) -> None:
    texts = {
        "base.bid": BASE,
        "middle.bid": "include base\noverride opening.1NT\n  1NT hcp 14..16\n",
        "system.bid": 'system mine "Mine"\n'
        "include middle\noverride opening.1NT\n  1NT hcp 12..14\n",
    }
    assert rules(loaded(tmp_path, texts))["opening.1NT"] == "1NT hcp 12..14"


# ------------------------------------------------------------- several times


def test_convention_is_wrong_only_if_it_is_wrong_everywhere(tmp_path: Path) -> None:
    texts = {
        "c.bid": 'convention c(over) "C"\nafter over (P)\n  bid(C) hcp 5+\n    (2S)\n      X\n',
        "system.bid": 'system mine "Mine"\ninclude c(over = 1NT)\ninclude c(over = 2NT)\n',
    }
    loaded(tmp_path, texts)
    texts["system.bid"] = 'system mine "Mine"\ninclude c(over = 3NT)\ninclude c(over = 2NT)\n'
    assert codes(load(written(tmp_path, texts))) == ["E212"]
