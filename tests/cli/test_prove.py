"""`check --prove` as a command: what it shows, in which form, and how it ends."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bidwright.runtime.progress import Progress

Run = Callable[..., Any]

TEXT = """system tiny "Tiny"

opening
  1NT "15 to 17" hcp 15..17, balanced
  1S "five spades" spades 5+, hcp 12+
  2S "strong" spades 6+, hcp 17+   # allow E411: kept for the notes
  pass

after 1NT (P)
  3NT hcp 10+
  2NT hcp 8..9; invitational
  pass hcp ..6
"""


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "tiny.bid"
    file.write_text(TEXT, encoding="utf-8")
    return str(file)


def test_faults_are_shown_with_a_hand_and_a_deal(run: Run, tiny: str) -> None:
    result = run("check", tiny, "--prove", "--deal", "--jobs", "1")
    assert result.code == 1
    assert "E412 no rule fits some hands here" in result.out
    assert "note: shown by" in result.out
    assert result.out.count("S ") >= 4
    assert "E411" not in result.out
    assert result.out.rstrip().endswith("proofs: 1 finding, 1 suppressed")


def test_a_known_fault_is_shown_with_its_remark_and_fails_nothing(run: Run, tiny: str) -> None:
    gap = "after 1NT (P)\n  3NT hcp 10+\n"
    known = TEXT.replace(gap, f"# open E412: not decided yet\n{gap}")
    Path(tiny).write_text(known, encoding="utf-8")
    folded = run("check", tiny, "--prove", "--jobs", "1")
    assert folded.code == 0
    assert "E412 no rule fits" not in folded.out
    assert "\n1 known: E412 1 (--known lists them)\n" in f"\n{folded.out}"
    result = run("check", tiny, "--prove", "--jobs", "1", "--known")
    assert result.code == 0
    assert "E412 no rule fits some hands here" in result.out
    assert "= help: known: not decided yet" in result.out
    assert "--known lists" not in result.out
    assert result.out.rstrip().endswith("proofs: no findings, 1 suppressed, 1 known")
    found = json.loads(run("check", tiny, "--prove", "--jobs", "1", "--json").out)["problems"]
    assert [(each["code"], each["severity"]) for each in found] == [("E412", "info")]
    assert found[0]["witness"]["hand"]


RARELY = """system rarely "A fault that hardly ever comes up"

opening
  1NT hcp 25..26, balanced; forcing, artificial
  pass

after 1NT (P)
  2C
after (1NT)
  X hcp 11+, shape 4333
  pass

anywhere
  may pass
"""


def test_rare_faults_are_suppressed_by_comments_all_the_same(run: Run, tiny: str) -> None:
    said = "forcing, artificial   # allow W422: it hardly ever comes up"
    Path(tiny).write_text(RARELY.replace("forcing, artificial", said), encoding="utf-8")
    assert "W431" not in run("check", tiny, "--prove", "--jobs", "1").out


def test_rare_warnings_are_counted_and_shown_on_request(run: Run, tiny: str) -> None:
    Path(tiny).write_text(RARELY, encoding="utf-8")
    shown = run("check", tiny, "--prove", "--jobs", "1")
    assert "W422" not in shown.out
    assert shown.out.rstrip().endswith("rarer than one deal in 50,000")
    every = run("check", tiny, "--prove", "--jobs", "1", "--rare")
    assert "W422 no rule says what to do after 1NT and a double" in every.out
    assert "rarer" not in every.out
    assert every.code == 1


RARE_ERROR = """system rarely "A forcing bid that hardly any hand makes is passed"

opening
  1NT hcp 15..17, balanced
  2C hcp 24+, shape 4333; artificial, forcing
  pass

after 2C (P)
  2D hcp 1+; artificial
  pass

anywhere
  may pass
"""


def test_rare_errors_are_counted_as_rare_warnings_are(run: Run, tiny: str) -> None:
    Path(tiny).write_text(RARE_ERROR, encoding="utf-8")
    shown = run("check", tiny, "--prove", "--jobs", "1", "--ignore", "W4")
    assert shown.code == 0
    assert "E415" not in shown.out
    assert "rarer than one deal in 50,000" in shown.out
    every = run("check", tiny, "--prove", "--jobs", "1", "--ignore", "W4", "--rare")
    assert "E415 partner's 2C is forcing, but some hands pass it" in every.out
    assert every.code == 1


ORDERED = """system ordered "Faults of different frequencies"

opening
  1NT "15 to 17" hcp 15..17, balanced
  2NT "20 or 21" hcp 20..21, balanced
  1S "five spades" spades 5+, hcp 12+
  pass

after 2NT (P) "A gap that comes up seldom"
  3NT hcp 5+
  pass hcp ..3
after 1S (P) "A gap that comes up often"
  2S hcp 6+
  pass hcp ..3
"""


def _places(text: str) -> list[str]:
    """Return where findings are, in the order in which they are shown."""
    return re.findall(r"(?m)^\S*?(\w+\.bid:\d+):\d+: [EW]4", text)


def test_findings_are_in_order_of_frequency_the_authors_own_first(run: Run, tiny: str) -> None:
    own = Path(tiny)
    own.write_text(ORDERED, encoding="utf-8")
    shown = run("check", tiny, "--prove", "--jobs", "1")
    assert _places(shown.out)[:2] == ["tiny.bid:13", "tiny.bid:10"]
    base = own.with_name("base.bid")
    own.rename(base)
    own.write_text(
        'system tiny "A change of it"\n\ninclude base\n\n'
        "replace after 1NT (P)\n  3NT hcp 10+\n  2NT hcp 8..9\n  pass hcp ..6\n",
        encoding="utf-8",
    )
    changed = run("check", tiny, "--prove", "--jobs", "1")
    assert _places(changed.out)[:3] == ["tiny.bid:6", "base.bid:13", "base.bid:10"]


def test_what_was_found_is_shown_when_it_is_stopped(
    run: Run, tiny: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C while rules are judged: positions were examined, and nothing is said of dead rules."""
    Path(tiny).write_text(TEXT.replace("   # allow E411: kept for the notes", ""), encoding="utf-8")
    whole = run("check", tiny, "--prove", "--jobs", "1")
    assert {"E411", "E412"} <= set(re.findall(r"E41\d", whole.out))
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(Path(tiny).parent / "another"))
    stage = Progress.stage

    def stopped(self: Progress, title: str, done: int, total: int) -> None:
        if title == "proving rules dead or alive":
            raise KeyboardInterrupt
        stage(self, title, done, total)

    monkeypatch.setattr(Progress, "stage", stopped)
    result = run("check", tiny, "--prove", "--jobs", "1")
    assert result.code == 130
    assert "E412 no rule fits some hands here" in result.out
    assert "E411" not in result.out
    assert result.err == (
        "bidwright: stopped while proving rules dead or alive: 0 of 1;"
        " what was found by then is above, the rest is not known\n"
    )
    found = run("check", tiny, "--prove", "--jobs", "1", "--json")
    assert found.code == 130
    assert "E412" in {each["code"] for each in json.loads(found.out)["problems"]}


def test_without_prove_nothing_is_proved(run: Run, tiny: str) -> None:
    result = run("check", tiny)
    assert (result.code, result.err) == (0, "")
    assert "no problems" in result.out


def test_codes_are_selected_and_ignored(run: Run, tiny: str) -> None:
    assert run("check", tiny, "--prove", "--jobs", "1", "--ignore", "E412").code == 0
    assert run("check", tiny, "--prove", "--jobs", "1", "--select", "W4").code == 0
    refused = run("check", tiny, "--select", "gaps")
    assert refused.code == 2
    assert "expected codes such as E412" in refused.err


def test_sarif_holds_the_suppressed_ones_with_their_reason(run: Run, tiny: str) -> None:
    result = run("check", tiny, "--prove", "--jobs", "1", "--sarif")
    log = json.loads(result.out)
    assert log["version"] == "2.1.0"
    (job,) = log["runs"]
    by_code = {each["ruleId"]: each for each in job["results"]}
    assert by_code["E411"]["suppressions"][0]["justification"] == "kept for the notes"
    assert by_code["E412"]["level"] == "error"
    assert by_code["E412"]["properties"]["weight"] > 0
    region = by_code["E412"]["locations"][0]["physicalLocation"]["region"]
    assert region["startLine"] == 10


def test_json_has_the_witness(run: Run, tiny: str) -> None:
    result = run("check", tiny, "--prove", "--jobs", "1", "--json")
    (problem,) = json.loads(result.out)["problems"]
    assert problem["code"] == "E412"
    assert problem["witness"]["hand"].count(".") == 3
    assert problem["witness"]["auction"][-2:] == ["1NT", "P"]
    assert problem["witness"]["vul"] == "none"


def test_examples_are_bid_again_where_a_rule_changed(run: Run, tiny: str) -> None:
    held = "\nexample KQ4.AQ82.K73.Q52 -> 1NT\nexample KQ42.A87.73.Q852 after 1NT (P) -> 3NT\n"
    Path(tiny).write_text(TEXT + held, encoding="utf-8")
    first = run("check", tiny, "--prove", "--jobs", "1", "--select", "E401")
    assert (first.code, "2 of 2 examples" in first.out) == (0, True)
    narrower = (TEXT + held).replace("3NT hcp 10+", "3NT hcp 12+")
    Path(tiny).write_text(narrower, encoding="utf-8")
    for _ in range(2):
        result = run("check", tiny, "--prove", "--jobs", "1", "--select", "E401")
        assert result.code == 1
        assert result.out.count("E401") == 1
        assert "1 of 2 examples bid as stated" in result.out


def test_convention_is_not_asked_who_makes_the_calls_before_its_rules(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(tmp_path / "cache"))
    text = """convention tiny "Tiny"
  source "ours"

after 1NT (P)
  # allow E415: a system that includes it may force
  3NT hcp 10+
  pass
"""
    file = tmp_path / "tiny.bid"
    file.write_text(text, encoding="utf-8")
    result = run("check", str(file), "--prove", "--jobs", "1")
    assert (result.code, result.out.rstrip().endswith("proofs: no findings")) == (0, True)
    file.write_text(text.replace("convention", "system"), encoding="utf-8")
    result = run("check", str(file), "--prove", "--jobs", "1")
    assert "W420 no auction that the system bids leads to this rule" in result.out
    assert "W431 there is no E415 here to suppress" in result.out


def test_opponents_play_what_vs_says(run: Run, tiny: str, tmp_path: Path) -> None:
    Path(tiny).write_text(TEXT.replace("after 1NT (P)", "after 1NT (2H)"), encoding="utf-8")
    theirs = tmp_path / "theirs.bid"
    silent = 'system silent "They pass"\n\nopening\n  pass\n\nanywhere\n  pass\n'
    theirs.write_text(silent, encoding="utf-8")
    alone = run("check", tiny, "--prove", "--jobs", "1")
    assert "E412 no rule fits" in alone.out
    result = run("check", tiny, "--prove", "--jobs", "1", "--vs", str(theirs))
    assert "E412" not in result.out
    assert "proofs against silent: no findings" in result.out
    bidding = silent.replace("anywhere", "after (1NT)\n  2H hearts 6+\n  pass\n\nanywhere")
    theirs.write_text(bidding, encoding="utf-8")
    result = run("check", tiny, "--prove", "--jobs", "1", "--vs", str(theirs), "--deal")
    assert "E412 no rule fits" in result.out
    assert "note: shown by" in result.out
    assert result.out.count("S ") >= 4


def test_vs_needs_proofs_and_a_system(run: Run, tiny: str) -> None:
    assert run("check", tiny, "--vs", "sayc").code == 2
    result = run("check", tiny, "--prove", "--vs", "nobody")
    assert result.code == 2
    assert "nobody" in result.err


def test_hands_that_do_not_begin_with_a_convention_are_left_to_systems(run: Run, tiny: str) -> None:
    text = """convention twos "Weak twos in spades"

opening
  2S spades 6, hcp 5..10; forcing
    2NT hcp 15+; artificial, forcing, asks strength
      3C hcp ..7
      3D hcp 8+
    4S spades 3+
"""
    Path(tiny).write_text(text, encoding="utf-8")
    found = json.loads(run("check", tiny, "--prove", "--jobs", "1", "--json").out)["problems"]
    gaps = [each["span"]["line"] for each in found if each["code"] == "E412"]
    assert gaps == [5], "an answer to 2S is missing, and no call for other hands at the start"
    passes = '  pass "too weak for it" spades 6, hcp ..4\n'
    Path(tiny).write_text(text + passes, encoding="utf-8")
    found = json.loads(run("check", tiny, "--prove", "--jobs", "1", "--json").out)["problems"]
    gaps = [each["span"]["line"] for each in found if each["code"] == "E412"]
    assert gaps == [5], "nor for them after passes"
    Path(tiny).write_text(text.replace("convention twos", "system twos"), encoding="utf-8")
    found = json.loads(run("check", tiny, "--prove", "--jobs", "1", "--json").out)["problems"]
    assert [each["span"]["line"] for each in found if each["code"] == "E412"] == [4, 5]
