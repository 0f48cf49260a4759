"""The sections of `authoring/meanings/lints.md`: one example triggers the code, one does not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bidwright.authoring.lint.catalogue import LINTS
from bidwright.authoring.lint.findings import RARE, Finding
from bidwright.authoring.lint.prove import prove
from bidwright.authoring.lint.whole import untested
from bidwright.inference.reading.player import choose
from bidwright.inference.reading.reader import Reader
from bidwright.kb.assembly import rule_base
from bidwright.kb.checks.allow import Sifted, allowances, as_known, sift
from bidwright.kb.language.ast import Span
from bidwright.kb.language.diagnostics import Diagnostic, Severity, warning
from bidwright.kb.language.system import System
from bidwright.kb.loading.load import load

PAGE = Path(__file__).parents[3] / "authoring" / "meanings" / "lints.md"
_SECTION = re.compile(r"^## ([EWI]\d{3}) (.+)$", re.MULTILINE)
_FENCE = re.compile(r"^```bid\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _sections() -> dict[str, tuple[str, list[str]]]:
    parts = _SECTION.split(PAGE.read_text(encoding="utf-8"))
    return {
        code: (title, _FENCE.findall(body))
        for code, title, body in zip(parts[1::3], parts[2::3], parts[3::3], strict=True)
    }


SECTIONS = _sections()


def _load(text: str, folder: Path) -> System:
    folder.mkdir(exist_ok=True)
    file = folder / "system.bid"
    file.write_text(f'system doc "From the page"\n\n{text}', encoding="utf-8")
    system = load(file)
    assert not system.has_errors
    return system


def _found(system: System) -> list[Finding]:
    rules = rule_base(system.name, system.title, system.statements)
    found = [each for each in prove(system, rules, deals=12) if isinstance(each, Finding)]
    return [*found, *untested(rules, ())]


def _codes(text: str, folder: Path) -> set[str]:
    system = _load(text, folder)
    weights = {each.diagnostic: each.weight for each in _found(system)}
    sifted = sift(weights, allowances(system.texts), frozenset(LINTS), weights)
    return {each.code for each in (*sifted.kept, *sifted.about)}


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(tmp_path / "cache"))


def test_every_lint_has_its_section_under_its_title() -> None:
    assert {code: title for code, (title, _) in SECTIONS.items()} == {
        code: lint.title for code, lint in LINTS.items()
    }


PAIRS = [
    pytest.param(code, *examples[at : at + 2], id=f"{code}-{at // 2 + 1}")
    for code, (_, examples) in sorted(SECTIONS.items())
    for at in range(0, len(examples), 2)
]


@pytest.mark.parametrize(("code", "triggers", "passes"), PAIRS)
def test_first_example_of_a_pair_triggers_and_second_passes(
    code: str, triggers: str, passes: str, tmp_path: Path
) -> None:
    assert code in _codes(triggers, tmp_path)
    assert code not in _codes(passes, tmp_path)
    assert not {each for each in _codes(passes, tmp_path) if each.startswith("E")}


def test_witness_of_a_gap_has_no_call(tmp_path: Path) -> None:
    system = _load(SECTIONS["E412"][1][0], tmp_path)
    (gap,) = [each for each in _found(system) if each.code == "E412"]
    assert gap.witness is not None
    assert gap.witness.hand is not None
    assert gap.weight is not None
    assert 0 < gap.weight < 0.05
    rules = rule_base(system.name, system.title, system.statements)
    reading = Reader({side: rules for side in gap.witness.seat.side.__class__}).read(
        gap.witness.auction
    )
    assert choose(reading, gap.witness.hand).instance is None


def test_change_of_a_rule_is_proved_anew_and_the_rest_is_kept(tmp_path: Path) -> None:
    text = SECTIONS["E412"][1][0]
    assert "E412" in _codes(text, tmp_path)
    assert "E412" not in _codes(text.replace("pass hcp ..6", "pass hcp ..7"), tmp_path)
    wide = text.replace("hcp 15..17", "hcp 15..18")
    assert _codes(wide, tmp_path) == _codes(text, tmp_path)
    again = text.replace("3NT hcp 10+", "3NT hcp 8+")
    assert "E411" in _codes(again, tmp_path)


def test_a_change_may_leave_rules_of_the_included_system_unused(tmp_path: Path) -> None:
    base = "opening\n  1NT hcp 15..17, balanced\n  1C\n"
    (tmp_path / "base.bid").write_text(f'system base "A base"\n\n{base}', "utf-8")
    change = "opening\n  1NT hcp 14..18, semibalanced\n\n"
    assert "E411" not in _codes(f"include base\n\n{change}", tmp_path)
    assert "E411" in _codes(change + base, tmp_path)


def test_a_change_may_leave_answers_of_the_included_system_unused(tmp_path: Path) -> None:
    base = """opening
  1NT hcp 15..17, balanced
  pass

after 1NT (P)
  2C "four spades?" hcp 8+; artificial, forcing, asks spades
    2S "yes" spades 4
    2D "no"; artificial
  pass
"""
    (tmp_path / "base.bid").write_text(f'system base "A base"\n\n{base}', "utf-8")
    change = 'after 1NT (P) 2C (P)\n  3S "yes" spades 4\n\n'
    assert "W424" not in _codes(f"include base\n\n{change}", tmp_path)
    assert "W424" in _codes(f"{change}{base}", tmp_path)


def test_an_artificial_answer_in_partners_own_suit_may_be_passed(tmp_path: Path) -> None:
    text = """opening
  {opening} hcp 5..10; natural
  pass

after {call} (P)
  2NT hcp 14+; artificial, forcing, asks strength
    3H "a minimum" hcp ..7; artificial
      4H hcp 17+
      pass
    3S "a maximum" ; artificial, forcing
      4H
  pass
"""
    own = text.format(opening="2H hearts 6+,", call="2H")
    assert "W429" not in _codes(own, tmp_path)
    assert "W429" in _codes(text.format(opening="2S spades 6+,", call="2S"), tmp_path)


# ------------------------------------------------------------------------ ceilings


def _problem(line: int, code: str = "W428") -> Diagnostic:
    return warning(code, "a gap", Span("a.bid", line, 1, line, 2))


def _sifted(comment: str, *weights: float | None) -> Sifted:
    """Return the problems of these weights that a file with the comment above them leaves."""
    problems = {_problem(line): weight for line, weight in enumerate(weights, 2)}
    text = "\n".join([comment, *("opening" for _ in weights)])
    return sift(problems, allowances({"a.bid": text}), frozenset(LINTS), problems)


def test_ceiling_keeps_what_comes_up_as_often_or_was_not_weighed() -> None:
    sifted = _sifted("# allow-file W428 under 0.02%: rare", 0.0, 0.0001999, 0.0002, 0.3, None)
    assert [each.span.line for each, _ in sifted.suppressed] == [2, 3]
    assert [each.span.line for each in sifted.kept] == [4, 5, 6]
    assert not sifted.about


def test_ceiling_that_nothing_is_below_is_reported() -> None:
    sifted = _sifted("# allow-file W428 under 0.02%: rare", 0.3, None)
    assert [each.code for each in sifted.about] == ["W431"]
    assert sifted.about[0].message == "there is no W428 under 0.02% here to suppress"


def test_ceiling_stands_for_each_of_the_codes_and_before_the_reason() -> None:
    (one,) = allowances({"a.bid": "# allow-file W422,W428 under 5 %: rare: one in 20"})
    assert (one.codes, one.ceiling, one.reason) == (("W422", "W428"), 0.05, "rare: one in 20")


def test_ceiling_without_a_reason_is_reported() -> None:
    sifted = _sifted("# allow-file W428 under 1%", 0.0)
    assert [each.code for each in sifted.about] == ["W432"]


def test_ceiling_without_a_percent_sign_suppresses_nothing() -> None:
    assert not allowances({"a.bid": "# allow-file W428 under 0.02: rare"})


def test_reason_of_its_own_covers_what_comes_up_more_often_than_the_ceiling() -> None:
    text = "# allow-file W428 under 0.02%: rare\nopening  # allow W428: meant\nafter 1C (P)"
    problems = {_problem(2): 0.3, _problem(3): 0.0}
    sifted = sift(problems, allowances({"a.bid": text}), frozenset(LINTS), problems)
    assert [one.reason for _, one in sifted.suppressed] == ["meant", "rare"]
    assert not sifted.kept
    assert not sifted.about


def test_a_known_fault_is_shown_as_information_with_what_is_said_of_it() -> None:
    text = "# open-file W428: nobody has had time\nopening  # allow W428: meant\nafter 1C (P)"
    problems = {_problem(2): 0.3, _problem(3): 0.3}
    sifted = sift(problems, allowances({"a.bid": text}), frozenset(LINTS), problems)
    assert [each.span.line for each, _ in sifted.suppressed] == [2]
    assert not sifted.kept
    assert not sifted.about
    (shown,) = map(as_known, sifted.known)
    assert (shown.severity, shown.span.line) == (Severity.INFO, 3)
    assert shown.help == "known: nobody has had time"


def test_a_known_fault_that_is_gone_is_reported() -> None:
    allowed = allowances({"a.bid": "opening  # open W428: nobody has had time"})
    assert [each.code for each in sift([], allowed, frozenset(LINTS)).about] == ["W431"]


@pytest.mark.parametrize(
    ("code", "weight", "is_question", "rare"),
    [
        ("W421", RARE / 2, False, True),
        ("W422", RARE / 2, False, True),
        ("W422", RARE / 2, True, False),
        ("W428", RARE, False, False),
        ("W421", None, False, False),
        ("W425", RARE / 2, False, False),
        ("E415", 0.0, False, False),
    ],
)
def test_what_is_too_rare_to_be_shown(
    code: str, weight: float | None, is_question: bool, rare: bool
) -> None:
    found = Finding(
        warning(code, "a fault", Span("a.bid", 1, 1, 1, 2)),
        weight=weight,
        is_question=is_question,
    )
    assert found.is_rare is rare


def test_a_finding_about_an_ask_or_an_answer_says_so(tmp_path: Path) -> None:
    plain = _missing("  may pass", tmp_path)
    asking = _missing("  may pass", tmp_path, asks=", asks major")
    assert not plain["W422"].is_question
    assert asking["W422"].is_question


# ------------------------------------------------------------ rules that never apply


@pytest.mark.parametrize(
    ("pattern", "condition", "codes"),
    [
        ("...", "hcp 30+", set()),  # it applies, and 1NT denies such hands
        ("... 2C (P)", "hcp 10+", {"W420"}),  # nobody bids two clubs
        ("...", "level(C) 6, contract_level 7", {"W420"}),  # there is no such auction
    ],
)
def test_general_rule_is_reported_only_where_it_never_applies(
    pattern: str, condition: str, codes: set[str], tmp_path: Path
) -> None:
    text = (
        "opening\n  1NT hcp 15..17, balanced\n  pass\n"
        f"after 1NT (P)\n  3NT hcp 10+\n  pass\nafter {pattern} 3NT (P)\n  4NT {condition}\n"
        "anywhere\n  may pass\n"
    )
    found = _found(_load(text, tmp_path))
    assert {each.code for each in found if each.code == "W420"} == codes


# --------------------------------------------------------------- what is an answer

_TRANSFER = """
opening
  1NT hcp 15..17, balanced
  pass

after 1NT (P)
  2D "hearts" hearts 5+; artificial, forcing{asks}
  pass
after (1NT) P (2D)
  X clubs 6+, hcp 15+
  pass

anywhere
{general}
"""


def _missing(general: str, folder: Path, asks: str = "") -> dict[str, Finding]:
    found = _found(_load(_TRANSFER.format(general=general, asks=asks), folder))
    return {each.code: each for each in found if each.code in ("W422", "W423")}


def _weight(finding: Finding) -> float:
    assert finding.weight is not None
    return finding.weight


def test_general_rules_answer_where_they_have_a_call_for_every_hand(tmp_path: Path) -> None:
    whole = "  bid(X) partner_suit(X), hcp 16+\n  pass hcp ..15"
    assert not _missing(whole, tmp_path)


def test_general_rules_answer_no_question(tmp_path: Path) -> None:
    whole = "  bid(X) partner_suit(X), hcp 16+\n  pass hcp ..15"
    assert set(_missing(whole, tmp_path, asks=", asks major")) == {"W422", "W423"}


def test_partner_is_not_left_alone_where_any_hand_may_bid(tmp_path: Path) -> None:
    some = "  2H hearts 3+, hcp 16+\n  bid(S)"
    assert set(_missing(some, tmp_path)) == {"W422"}
    assert set(_missing(some, tmp_path, asks=", asks major")) == {"W422", "W423"}
    assert set(_missing("  2H hearts 3+, hcp 16+\n  may pass", tmp_path)) == {"W422", "W423"}


def test_nothing_is_missing_where_the_author_says_that_nothing_is_agreed(tmp_path: Path) -> None:
    said = "  2H hearts 3+, hcp 16+\n\nundiscussed 1NT (P) 2D (X)\n"
    suits = "undiscussed 1NT (P) 2D (suit..3S)\n"
    assert set(_missing(said, tmp_path)) == {"W422", "W423"}, "over a suit, and a pass"
    assert set(_missing(said + suits, tmp_path)) == {"W423"}
    assert not _missing(f"{said}{suits}undiscussed 1NT (P) 2D (P)", tmp_path)


def test_weight_is_that_of_the_hands_that_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = "  2H hearts 3+, hcp 16+\n  pass hcp ..15\n  may pass"
    found = _missing(some, tmp_path)
    none = _missing("  may pass", tmp_path)
    for code in ("W422", "W423"):
        one, other = found[code], none[code]
        assert one.witness is not None
        assert one.witness.hand is not None
        assert 0 < _weight(one) < _weight(other)
    assert _weight(found["W422"]) < _weight(found["W423"]) / 20
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(tmp_path / "empty"))
    again = _missing(some, tmp_path / "again")
    assert {code: _weight(found[code]) for code in found} == {
        code: _weight(again[code]) for code in again
    }


def test_call_of_several_rules_is_told_once(tmp_path: Path) -> None:
    text = _TRANSFER.replace("  2D ", '  2D "six" hearts 6+; artificial, forcing{asks}\n  2D ')
    found = _found(_load(text.format(general="  may pass", asks=""), tmp_path))
    assert [each.code for each in found].count("W423") == 1


def test_answer_under_an_open_pattern_is_seen_after_the_change(tmp_path: Path) -> None:
    assert set(_missing("  may pass", tmp_path)) == {"W422", "W423"}
    over = "  may pass\nafter ... 2D (X|bid)\n  pass"
    assert set(_missing(over, tmp_path)) == {"W423"}


DENIED = """\
opening
  1S spades 5+, hcp 11..15
  pass
after 1S (P)
  2C hcp 10+; artificial, forcing
  pass
after 1S (P) 2C (P)
  2D hcp 11..13; artificial, forcing
  2S
after 1S (P) 2C (P) 2D (P)
  2H; artificial, forcing
after 1S (P) 2C (P) 2D (P) 2H (P)
  3NT hcp 14..15
  2S
"""


def test_of_the_earlier_calls_the_one_that_denies_is_named(tmp_path: Path) -> None:
    found = {each.diagnostic.code: each.diagnostic for each in _found(_load(DENIED, tmp_path))}
    denied = found["E413"].message
    assert "the earlier 2D denies it" in denied
