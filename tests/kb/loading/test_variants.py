"""A system that includes another one and lists its differences."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.authoring.checking.system_report import check_system
from bidwright.bridge.calls import parse_call
from bidwright.kb.assembly import rule_base
from bidwright.kb.language.repair import edit_of
from bidwright.kb.loading.load import System, load
from bidwright.kb.rules.rulebase import RuleBase

BASE = """\
system base "Base"

opening
  1NT hcp 15..17, balanced
  1H hearts 5+, hcp 12..20
  1S spades 5+, hcp 12..20
  2D "weak" diamonds 6+, hcp 5..10
  may 2D "weak, five cards" diamonds 5, hcp 5..10
  pass

after 1NT (P)
  2C "Stayman" hcp 8+, (hearts 4 or spades 4); artificial, forcing
    2D "none"; artificial
  3NT hcp 10..15
  pass

after 1NT (X)
  XX hcp 9+
  pass

after 1X (P) "One of a suit"
  2X X 3+, hcp 6..9
  3X X 4+, hcp 10..12; priority 5
  pass

after 2D (P)
  3D diamonds 3+; signoff
  pass

after (1NT)
  X hcp 15+
  2C clubs 6+, hcp 8+
  pass

rebase 1NT (2C) -> 1NT (P)

example AQ84.K2.KQ73.J64 after 1NT (P) -> 2C
example A84.K2.KQ73.J642 after 1NT (P) -> 3NT
example A84.K2.KQ73.J642 after 1NT (X) -> XX
example A4.K2.7432.J6432 after 2D (P) -> 3D
example AQ84.K2.Q742.964 after 1S (P) -> 3S
example 84.K2.Q742.A9643 after 1S (P) -> pass
"""


def variant(folder: Path, *lines: str) -> Path:
    (folder / "base.bid").write_text(BASE, encoding="utf-8")
    path = folder / "variant.bid"
    text = "\n".join(('system variant "Variant"', "include base", *lines, ""))
    path.write_text(text, encoding="utf-8")
    return path


def rules_of(system: System) -> RuleBase:
    return rule_base(system.name, system.title, system.statements)


def offered(system: System, auction: str) -> list[tuple[str, str]]:
    """Return file and call of the rules that apply after some calls, in the order of choice."""
    calls = tuple(parse_call(word) for word in auction.split())
    found = rules_of(system)._in_order(calls)
    return [(Path(m.variant.rule.span.file).stem, str(m.call)) for m in found]


def messages(path: Path) -> list[str]:
    return [f"{each.code} {each.message}" for each in check_system(str(path)).problems]


# ------------------------------------------------------------------------ layers


def test_what_a_system_says_itself_comes_before_what_it_includes(tmp_path: Path) -> None:
    path = variant(tmp_path, "after 1X (P)", "  3X X 4+, hcp 6..9", "  may pass; last resort")
    assert offered(load(path), "1S P")[:3] == [("variant", "3S"), ("base", "3S"), ("base", "2S")]


def test_the_order_of_the_include_does_not_matter(tmp_path: Path) -> None:
    path = variant(tmp_path, "after 1X (P)", "  3X X 4+, hcp 6..9")
    first = rules_of(load(path)).fingerprint
    text = path.read_text(encoding="utf-8").replace("include base\n", "") + "\ninclude base\n"
    path.write_text(text, encoding="utf-8")
    assert rules_of(load(path)).fingerprint == first


def test_a_later_tier_of_the_system_itself_waits_for_the_book(tmp_path: Path) -> None:
    path = variant(tmp_path, "after 1NT (P)", "  2NT hcp 8..9; default")
    calls = [call for _, call in offered(load(path), "1NT P")]
    assert calls == ["2C", "3NT", "P", "2NT"]


# ----------------------------------------------------------------- other meanings


def test_answers_to_another_meaning_go_with_their_examples(tmp_path: Path) -> None:
    path = variant(
        tmp_path,
        "override opening.2D",
        "  2D hcp 5..10, (hearts 6 or spades 6); artificial",
        "    2H; artificial",
        "example A4.K2.7432.J6432 after 2D (P) -> 2H",
    )
    system = load(path)
    assert offered(system, "2D P") == [("variant", "2H")]
    assert [file for file, call in offered(system, "") if call == "2D"] == ["variant"]
    assert messages(path) == []


@pytest.mark.parametrize("kept", ["override opening.2D keeping answers", "override opening.2D"])
def test_answers_stay_for_the_same_meaning_or_where_the_author_says_so(
    tmp_path: Path, kept: str
) -> None:
    action = "; artificial" if kept.endswith("answers") else ""
    path = variant(tmp_path, kept, f"  2D diamonds 6+, hcp 3..8{action}")
    assert offered(load(path), "2D P") == [("base", "3D"), ("base", "P")]


def test_a_rule_after_the_same_calls_gives_another_meaning_too(tmp_path: Path) -> None:
    path = variant(
        tmp_path, "opening", "  2D hearts 6, hcp 5..10; artificial", "after 2D (P)", "  2H"
    )
    system = load(path)
    assert offered(system, "2D P") == [("variant", "2H")]
    assert [file for file, call in offered(system, "") if call == "2D"] == ["variant"]


@pytest.mark.parametrize(
    ("whens", "left"),
    [
        ((" when not passed_hand", " when not passed_hand"), ["variant"]),
        ((" when not passed_hand", ""), ["variant"]),
        (("", " when not passed_hand"), ["variant", "base"]),
    ],
)
def test_rule_in_a_block_with_the_same_when_gives_another_meaning(
    tmp_path: Path, whens: tuple[str, str], left: list[str]
) -> None:
    old, new = whens
    (tmp_path / "base.bid").write_text(
        f'system base "Base"\n\nopening\n  1S spades 5+\n  pass\n\nafter 1S (P){old}\n'
        "  3C clubs 6+, hcp 16+\n  pass\n",
        encoding="utf-8",
    )
    path = tmp_path / "variant.bid"
    path.write_text(
        f'system variant "Variant"\ninclude base\n\nafter 1S (P){new}\n'
        "  3C spades 4, hcp 7..9; artificial\n",
        encoding="utf-8",
    )
    found = [file for file, call in offered(load(path), "1S P") if call == "3C"]
    assert found == left


@pytest.mark.parametrize(
    "rule",
    [
        "may 2D hearts 6, hcp 5..10; artificial",
        "2D hearts 6, hcp 5..10, vulnerable; artificial",
        "2D diamonds 7, hcp 5..10",
    ],
)
def test_a_free_conditional_or_similar_rule_leaves_the_meaning(tmp_path: Path, rule: str) -> None:
    system = load(variant(tmp_path, "opening", f"  {rule}"))
    assert ("base", "3D") in offered(system, "2D P")
    assert [file for file, call in offered(system, "") if call == "2D"] == [
        "variant",
        "base",
        "base",
    ]


def test_two_artificial_calls_differ_if_no_hand_fits_both(tmp_path: Path) -> None:
    for condition, stays in (("hcp ..7, (hearts 4 or spades 4)", False), ("hcp 9+", True)):
        path = variant(tmp_path, "after 1NT (P)", f"  2C {condition}; artificial, forcing")
        assert (("base", "2D") in offered(load(path), "1NT P 2C P")) is stays


# ------------------------------------------------------- `may` rules of overridden calls


def twos(system: System) -> list[str]:
    return [file for file, call in offered(system, "") if call == "2D"]


def displaced(system: System) -> list[str]:
    return [each.name for each in system.changes if each.became == "displaced"]


def test_may_rules_of_a_call_go_with_its_firm_rule(tmp_path: Path) -> None:
    path = variant(tmp_path, "override opening.2D", "  2D diamonds 6+, hcp 3..8")
    system = load(path)
    assert twos(system) == ["variant"]
    assert displaced(system) == ["opening.2D#2"]
    (change,) = (each for each in system.changes if each.became == "displaced")
    assert change.related.message == "'opening.2D#2' is displaced here"
    assert (change.span.file, change.span.line) == (str(path), 3)
    assert [each.name for each in rules_of(system).changes] == []


@pytest.mark.parametrize("kept", ["may", "may and answers", "answers and may"])
def test_may_rules_stay_where_the_author_says_so(tmp_path: Path, kept: str) -> None:
    path = variant(tmp_path, f"override opening.2D keeping {kept}", "  2D diamonds 6+, hcp 3..8")
    assert twos(load(path)) == ["variant", "base"]


@pytest.mark.parametrize("place", ["before", "after"])
def test_may_rules_of_the_system_itself_stay(tmp_path: Path, place: str) -> None:
    change = ("override opening.2D", "  2D diamonds 6+, hcp 3..8")
    own = ("opening", "  may 2D diamonds 5, hcp 8..9")
    lines = (*own, *change) if place == "before" else (*change, *own)
    system = load(variant(tmp_path, *lines))
    assert twos(system) == ["variant", "variant"]


def test_a_may_rule_that_is_overridden_itself_stays_so(tmp_path: Path) -> None:
    change = ("override opening.2D", "  2D diamonds 6+, hcp 3..8")
    latitude = ("override opening.2D#2", "  may 2D diamonds 5, hcp 8..9")
    for lines in ((*change, *latitude), (*latitude, *change), latitude):
        system = load(variant(tmp_path, *lines))
        files = ["variant", "variant"] if len(lines) > 2 else ["base", "variant"]
        assert twos(system) == files
        assert displaced(system) == []


def test_may_rules_stay_as_long_as_a_firm_rule_of_theirs_does(tmp_path: Path) -> None:
    text = BASE.replace("  may 2D", "  2D hcp 11, diamonds 7+\n  may 2D")
    first, second = "override opening.2D\n  2D hcp 4..9", "override opening.2D#2\n  2D hcp 10"
    for lines, files in (
        ((first,), ["variant", "base", "base"]),
        ((first, second), ["variant", "variant"]),
        ((first, "remove opening.2D#2"), ["variant"]),
    ):
        path = variant(tmp_path, *lines)
        (tmp_path / "base.bid").write_text(text, encoding="utf-8")
        assert twos(load(path)) == files


def test_general_may_rules_and_passes_stay(tmp_path: Path) -> None:
    general = "\nanywhere\n  5C clubs 8+\n  may 5C clubs 7\n"
    text = BASE.replace("  pass\n", "  pass\n  may pass hcp 12\n", 1) + general
    changes = ("override opening.P", "  pass hcp ..11", 'override "anywhere: 5C"', "  5C clubs 9+")
    path = variant(tmp_path, *changes)
    (tmp_path / "base.bid").write_text(text, encoding="utf-8")
    system = load(path)
    assert displaced(system) == []
    assert [file for file, call in offered(system, "") if call == "P"] == ["variant", "base"]


# ------------------------------------------------------------------------- replace


def test_replace_puts_a_tree_aside_with_its_examples(tmp_path: Path) -> None:
    path = variant(tmp_path, "replace after 1NT (P)", "  2C hcp 9+; artificial", "  pass")
    system = load(path)
    assert offered(system, "1NT P") == [("variant", "2C"), ("variant", "P")]
    assert offered(system, "1NT P 2C P") == []
    assert offered(system, "1NT X") == [("base", "XX"), ("base", "P")]
    assert messages(path) == []


def test_replace_after_our_call_puts_their_calls_aside_too(tmp_path: Path) -> None:
    system = load(variant(tmp_path, "replace after 1NT"))
    assert system.diagnostics == ()
    assert offered(system, "1NT X") == offered(system, "1NT P") == offered(system, "1NT 2C") == []
    assert offered(system, "1NT") != []  # what the other side says over it


def test_replace_in_some_of_a_pattern_s_auctions(tmp_path: Path) -> None:
    system = load(variant(tmp_path, "replace after 1H (P)", "  2NT hearts 4+, hcp 13+"))
    assert offered(system, "1H P") == [("variant", "2NT")]
    assert offered(system, "1S P") == [("base", "3S"), ("base", "2S"), ("base", "P")]


def test_rebase_looks_at_the_new_tree_and_goes_with_the_old_one(tmp_path: Path) -> None:
    new = load(variant(tmp_path, "replace after 1NT (P)", "  3D hcp 9+"))
    assert offered(new, "1NT 2C") == [("variant", "3D")]
    gone = load(variant(tmp_path, "replace after 1NT (2C)", "  3D hcp 9+"))
    assert offered(gone, "1NT 2C") == [("variant", "3D")]


def test_replace_the_defence_leaves_the_openings(tmp_path: Path) -> None:
    system = load(variant(tmp_path, "replace after (1NT)", "  2C hearts 4+, spades 4+; artificial"))
    assert offered(system, "1NT") == [("variant", "2C")]
    assert offered(system, "1NT P")[0] == ("base", "2C")


def test_replace_opening_leaves_the_defence(tmp_path: Path) -> None:
    system = load(variant(tmp_path, "replace opening", "  1C hcp 16+; artificial", "  pass"))
    assert offered(system, "") == [("variant", "1C"), ("variant", "P")]
    assert offered(system, "1NT P") == []
    assert ("base", "X") in offered(system, "1NT")


def test_replace_of_nothing_is_reported(tmp_path: Path) -> None:
    path = variant(tmp_path, "replace after 2NT (P)", "  3NT hcp 5+")
    message = "nothing is said after 2NT (P) before this, so it replaces nothing"
    assert messages(path) == [f"W221 {message}"]


def test_convention_may_replace_where_nothing_is_said(tmp_path: Path) -> None:
    (tmp_path / "strong.bid").write_text(
        'convention strong "Strong"\n  source "ours"\n\nreplace after 2NT (P)\n  3NT hcp 5+\n'
    )
    assert messages(tmp_path / "strong.bid") == []
    assert messages(variant(tmp_path, "include strong")) == []


def test_convention_may_retire_an_example_that_a_system_has_not(tmp_path: Path) -> None:
    (tmp_path / "strong.bid").write_text(
        'convention strong "Strong"\n  source "ours"\n\nafter 2NT (P)\n  3NT hcp 5+\n\n'
        'retire example 2.AQ72.A843.J652 after 1NT (P) -> 7C "not with this hand"\n'
    )
    assert messages(tmp_path / "strong.bid") == []
    assert messages(variant(tmp_path, "include strong")) == []


def test_replace_needs_the_calls_from_the_first_bid_on(tmp_path: Path) -> None:
    path = variant(tmp_path, "replace after ... 4NT (P)", "  5C aces 0")
    assert "E242 '...' cannot stand in calls that are overridden" in messages(path)


def test_a_rule_that_is_put_aside_says_so(tmp_path: Path) -> None:
    path = variant(
        tmp_path,
        "replace after 1NT (P)",
        "  pass",
        'override "1NT (P): 3NT"',
        "  3NT hcp 14..15",
    )
    (problem,) = load(path).diagnostics
    assert problem.code == "E216"
    assert problem.message == "the rule '1NT (P): 3NT' is put aside before"
    assert [each.span.line for each in problem.related] == [3]


# ------------------------------------------------------------------------ examples


def test_example_that_an_override_makes_wrong_names_it(tmp_path: Path) -> None:
    path = variant(tmp_path, 'override "1NT (P): 3NT"', "  3NT hcp 14..15")
    (problem,) = check_system(str(path)).problems
    line = "example A84.K2.KQ73.J642 after 1NT (P) -> 3NT"
    assert problem.code == "E401"
    assert problem.help == f"if that is meant, write 'retire {line} \"why\"'"
    assert [each.message for each in problem.related][-1] == "'1NT (P): 3NT' is overridden here"
    assert problem.related[-1].span == problem.span
    assert (problem.span.file, problem.span.line) == (str(path), 3)
    assert problem.origin is not None
    assert Path(problem.origin.file).name == "base.bid"
    assert problem.message == (
        f"because of this, at {problem.origin.file}:{problem.origin.line}: the hand bids P, not 3NT"
    )


LATER = """
after 1NT (P) 2C (P) 2D (P)
  3NT me.hcp.min 8+
  pass
after (1NT)
  2H hearts 6+, hcp 8+
after 1NT (2H)
  X rho.hearts.min 6+
  pass

example AQ84.K2.KQ73.J64 after 1NT (P) 2C (P) 2D (P) -> 3NT
example AQ84.K2.KQ73.J64 after 1NT (2H) -> X
"""


@pytest.mark.parametrize(
    ("lines", "place"),
    [
        # his own rule makes a call of the example's auction
        (("after 1NT (P) when not passed_hand", "  2C clubs 5, hcp ..3; artificial"), 4),
        # the convention that he includes changes what a call of the auction shows
        (("include dont",), 3),
    ],
)
def test_example_after_a_call_that_shows_other_hands_is_told_at_the_cause(
    lines: tuple[str, ...], place: int, tmp_path: Path
) -> None:
    path = variant(tmp_path, *lines)
    (tmp_path / "base.bid").write_text(BASE + LATER, encoding="utf-8")
    (problem,) = check_system(str(path)).problems
    assert (problem.code, problem.span.file, problem.span.line) == ("E401", str(path), place)
    assert problem.message.startswith("because of this, at ")
    assert problem.origin is not None
    assert Path(problem.origin.file).name == "base.bid"


def test_redefinition_that_makes_a_condition_wrong_is_told_where_it_is(tmp_path: Path) -> None:
    base = """system base "Base"

let weak = hcp 5..10
let light = weak and hcp 8+
opening
  2S spades 6+, light
  pass
"""
    (tmp_path / "base.bid").write_text(base, encoding="utf-8")
    path = tmp_path / "variant.bid"
    for body, code in (("5", "E204"), ("hcp 5..7", "W206")):
        text = f'system variant "Variant"\ninclude base\n\noverride let weak = {body}\n'
        path.write_text(text, encoding="utf-8")
        problem, *others = load(path).diagnostics
        for each in (problem, *others):
            assert (each.code, each.span.file, each.span.line) == (code, str(path), 4)
            assert each.origin is not None
            assert Path(each.origin.file).name == "base.bid"
            assert edit_of(each, text.splitlines()[3]) is None
        assert problem.origin is not None
        assert problem.origin.line == 4


def test_example_names_a_change_earlier_in_its_auction(tmp_path: Path) -> None:
    path = variant(
        tmp_path, "override opening.1S", "  1S spades 5+, hcp 11..20", 'remove "1X (P): 3X"'
    )
    (problem,) = check_system(str(path)).problems
    names = [each.message for each in problem.related]
    assert names[-2:] == ["'opening.1S' is overridden here", "'1X (P): 3X' is removed here"]


def test_retired_example_is_not_run(tmp_path: Path) -> None:
    line = "example A84.K2.KQ73.J642 after 1NT (P) -> 3NT"
    path = variant(
        tmp_path, 'override "1NT (P): 3NT"', "  3NT hcp 14..15", f'retire {line} "we invite"'
    )
    report = check_system(str(path))
    assert report.problems == []
    assert report.summary.endswith("no problems, 5 of 5 examples bid as stated")


def test_retired_example_that_there_is_not(tmp_path: Path) -> None:
    line = "example A84.K2.KQ73.J642 after 1NT (P) -> 2NT"
    (problem,) = load(variant(tmp_path, f'retire {line} "we invite"')).diagnostics
    assert problem.code == "E241"
    assert problem.help == f"did you mean 'retire {line.replace('2NT', '3NT')} \"...\"'?"


@pytest.mark.parametrize("retires_first", [False, True])
def test_retiring_an_example_leaves_other_changes_in_place(
    tmp_path: Path, retires_first: bool
) -> None:
    example = "example A84.K2.KQ73.J642 -> pass"
    (tmp_path / "early.bid").write_text(
        f'system early "Early"\n\n{example}\n\nopening\n  1NT hcp 15..17\n  pass\n'
    )
    override = "override opening.1NT\n  1NT hcp 14..16"
    retire = f'retire {example} "we open it"'
    changes = [retire, override] if retires_first else [override, retire]
    path = tmp_path / "late.bid"
    path.write_text('system late "Late"\n\ninclude early\n\n' + "\n".join(changes) + "\n")
    system = load(path)
    assert system.diagnostics == ()
    rules = rule_base(system.name, system.title, system.statements)
    (opening,) = (rule for rule in rules.rules if rule.id == "opening.1NT")
    assert opening.span.file == str(path)


# --------------------------------------------------------------------- conventions


@pytest.mark.parametrize(("values", "is_there"), [("", True), ("(over = 2NT)", False)])
def test_convention_that_the_system_has_is_there_once(
    tmp_path: Path, values: str, is_there: bool
) -> None:
    """Included again with the same values it changes nothing, its place in the order included."""
    (tmp_path / "transfers.bid").write_text(
        'convention transfers(over = 1NT) "Transfers"\n\n'
        "after over (P)\n  bid(D) hearts 5+; artificial\n\n"
        "example KQ974.J9732.4.52 after 1NT (P) -> 2C\n"
    )
    before = BASE.replace("after 1NT (X)", "include transfers\n\nafter 1NT (X)", 1)
    (tmp_path / "base.bid").write_text(before)
    path = tmp_path / "again.bid"
    path.write_text(f'system again "Again"\n\ninclude base\ninclude transfers{values}\n')
    one, other = (rules_of(load(tmp_path / name)) for name in ("base.bid", "again.bid"))
    assert (one.fingerprint == other.fingerprint) is is_there
