"""Calls without an agreement: the rules that bid them, their reading and their explanation."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.authoring.checking.system_report import check_system
from bidwright.bridge.auction import parse_auction
from bidwright.bridge.calls import parse_call
from bidwright.bridge.cards import Side
from bidwright.bridge.hand import parse_hand
from bidwright.inference.explanation.explain import Explainer
from bidwright.inference.explanation.json_form import call_json
from bidwright.inference.explanation.prose import call_prose, full_call_prose
from bidwright.inference.meaning import Meaning
from bidwright.inference.reading.player import choose
from bidwright.inference.reading.reader import Reader
from bidwright.kb.assembly import rule_base
from bidwright.kb.loading.load import load
from bidwright.kb.logic.bounds import ANYTHING

BASE = """\
system base "Base"

opening
  1NT hcp 15..17, balanced
  1S spades 5+, hcp 12..20
  pass

after 1NT (P)
  3C "both minors" clubs 5+, diamonds 5+; artificial, forcing
    3D "better diamonds" diamonds 3+
    3NT "no fit"
  2NT hcp 8..9
  pass

after 1S (2NT)
  X hcp 10+
  3S spades 3+
  pass

anywhere
  bid(X) "a long suit" X 6+, hcp 5+
  pass

rebase 1NT (X) -> 1NT (P)

example 2.K2.AQ873.KJ652 after 1NT (P) -> 3C
example K94.83.AQ87.K652 after 1S (2NT) -> X
example K94.83.A987.9652 after 1NT (P) -> pass
"""

SHORT, MINORS, CLUBS = "K94.83.AQ87.K652", "2.K2.AQ873.KJ652", "2.Q82.Q73.QJ7652"


def written(folder: Path, *lines: str) -> Path:
    (folder / "base.bid").write_text(BASE)
    path = folder / "system.bid"
    path.write_text("\n".join(['system mine "Mine"', "include base", *lines, ""]))
    return path


def reader_of(path: Path) -> Reader:
    found = load(path)
    assert found.diagnostics == ()
    rules = rule_base(found.name, found.title, found.statements)
    return Reader({Side.NS: rules, Side.EW: rules})


def bid(reader: Reader, auction: str, hand: str) -> str:
    return str(choose(reader.read(parse_auction(auction)), parse_hand(hand)).call)


def meaning(reader: Reader, auction: str) -> Meaning:
    return reader.read(parse_auction(auction)).meanings[-1]


def told(reader: Reader, auction: str, *, full: bool = False) -> str:
    explanation = Explainer(reader).explain(parse_auction(auction))
    write = full_call_prose if full else call_prose
    return write(explanation.calls[-1], explanation.auction)


def test_call_is_bid_by_general_rules_and_the_book_does_not_count(tmp_path: Path) -> None:
    reader = reader_of(written(tmp_path, "undiscussed 1NT (P) 3C"))
    assert bid(reader, "1NT P", MINORS) == "P"
    assert bid(reader, "1NT P 3C P", SHORT) == "P", "its answers are put aside, too"
    reader = reader_of(written(tmp_path, "undiscussed 1S (2NT)"))
    assert bid(reader, "1S 2NT", SHORT) == "P"
    assert bid(reader, "1S 2NT", CLUBS) == "3C"


def test_agreed_calls_beside_it_stay(tmp_path: Path) -> None:
    reader = reader_of(written(tmp_path, "undiscussed 1NT (P) 3C"))
    assert bid(reader, "1NT P", "K94.83.AJ87.9652") == "2NT"
    assert meaning(reader, "1NT P 2NT").agreed
    assert meaning(reader, "1NT P 2NT").undiscussed is None


def test_whoever_asks_hears_that_there_is_no_agreement(tmp_path: Path) -> None:
    reader = reader_of(written(tmp_path, 'undiscussed 1S (2NT) "not yet"'))
    call = meaning(reader, "1S 2NT 3C")
    assert not call.agreed
    assert call.possible == ANYTHING, "what is not agreed is not told"
    assert call.bounds.lengths[0] == (6, 13), "partner takes it as the general rules bid it"
    text = told(reader, "1S 2NT 3C")
    assert text.splitlines()[0].split(maxsplit=2)[2] == "no agreement (not yet)"
    assert text.splitlines()[1].split(maxsplit=1) == ["general", "5+ HCP, 6+ clubs"]
    full = " ".join(told(reader, "1S 2NT 3C", full=True).split())
    assert "it is undiscussed, so general rules bid it (" in full


def test_pass_over_their_call_is_undiscussed_too(tmp_path: Path) -> None:
    reader = reader_of(written(tmp_path, "undiscussed 1S (2NT)"))
    assert not meaning(reader, "1S 2NT P").agreed
    assert not meaning(reader, "1S 2NT P P 3H").agreed, "and what follows"


def test_what_is_said_later_counts(tmp_path: Path) -> None:
    lines = ("undiscussed 1S (2NT)", "after 1S (2NT)", '  X "defend" hcp 9+')
    reader = reader_of(written(tmp_path, *lines))
    assert bid(reader, "1S 2NT", SHORT) == "X"
    assert meaning(reader, "1S 2NT X").agreed
    assert not meaning(reader, "1S 2NT 3C").agreed


def test_json_names_the_line(tmp_path: Path) -> None:
    path = written(tmp_path, "undiscussed 1NT (P) 3C")
    explainer = Explainer(reader_of(path))
    discussed, undiscussed = (
        call_json(explainer.explain(parse_auction(f"1NT P {call}")).calls[-1])
        for call in ("2NT", "3C")
    )
    assert (discussed["undiscussed"], discussed["agreed"]) == (None, True)
    assert (undiscussed["undiscussed"], undiscussed["agreed"]) == (f"{path}:3", False)


def test_it_holds_where_a_rebase_leads_there(tmp_path: Path) -> None:
    reader = reader_of(written(tmp_path, "undiscussed 1NT (P) 3C"))
    assert bid(reader, "1NT X", MINORS) == "P"
    assert meaning(reader, "1NT X 3C").undiscussed is not None


def test_letters_stand_for_suits(tmp_path: Path) -> None:
    reader = reader_of(written(tmp_path, "undiscussed 1NT (P) 3X"))
    assert bid(reader, "1NT P", MINORS) == "P"
    assert all(meaning(reader, f"1NT P 3{suit}").undiscussed for suit in "CDHS")
    assert meaning(reader, "1NT P 2S").undiscussed is None


@pytest.mark.parametrize(
    ("line", "kept"), [("1NT (P) 3C", 2), ("1S (2NT)", 2), ("1S", 2), ("1S (3C)", 3)]
)
def test_examples_go_with_what_they_show(line: str, kept: int, tmp_path: Path) -> None:
    report = check_system(str(written(tmp_path, f"undiscussed {line}")))
    assert report.summary.endswith(f"no problems, {kept} of {kept} examples bid as stated")


def test_calls_begin_with_the_first_bid(tmp_path: Path) -> None:
    report = check_system(str(written(tmp_path, "undiscussed ... 4NT (P)")))
    assert [each.code for each in report.problems] == ["E242"]


def test_fingerprint_tells_it_from_a_replace(tmp_path: Path) -> None:
    prints = []
    for line in ("undiscussed 1S (2NT)", "replace after 1S (2NT)"):
        found = load(written(tmp_path, line))
        prints.append(rule_base(found.name, found.title, found.statements).fingerprint)
    assert prints[0] != prints[1]


def test_legal_calls_without_a_rule_are_undiscussed_as_well(tmp_path: Path) -> None:
    reader = reader_of(written(tmp_path, "undiscussed 1S (2NT)"))
    decision = reader.read(parse_auction("1S 2NT")).decision
    assert {call for call, _ in decision.undiscussed} >= {parse_call("7NT"), parse_call("X")}


def test_after_is_left_out(tmp_path: Path) -> None:
    report = check_system(str(written(tmp_path, "undiscussed after 1S (2NT)")))
    (problem,) = report.problems
    assert (problem.code, problem.help) == ("E119", "leave out 'after'")
    assert (problem.span.line, problem.span.column) == (3, 13)
