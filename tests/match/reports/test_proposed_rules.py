"""Habits of an agent beyond its file, written as rules for it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.calls import parse_call
from bidwright.bridge.deal import random_deal
from bidwright.cli import main
from bidwright.kb.logic.features import features_of
from bidwright.match.reports.hand_tree import facts_of_hand, leaves
from bidwright.match.reports.lettered import lettered

MINI = Path(__file__).parents[2] / "systems" / "mini.bid"
SUITS = {"clubs": 0, "diamonds": 1, "hearts": 2, "spades": 3}
PRACTISED = """system practised "What the players really do"

include mini

after 1m (P) 1M (P)
  2M "the fit" M 4+, hcp 12..16
"""


@pytest.mark.parametrize(
    ("auction", "heading", "call", "text"),
    [
        ("", "opening", "1H", "1H"),
        ("P P", "opening", "2C", "2C"),
        ("1D 1S X 2S P P", "after 1X (1Y) X (2Y) P (P)", "X", "X"),
        ("P 1C 1H X 2H", "after 1X (1Y) X (2Y)", "3C", "3X"),
        ("1H P", "after 1X (P)", "2NT", "2NT"),
        ("1H P", "after 1X (P)", "1S", "1Y"),
        ("1H", "after (1X)", "P", "P"),
    ],
)
def test_auctions_have_letters_for_suits(auction: str, heading: str, call: str, text: str) -> None:
    found = lettered(parse_auction(auction))
    assert found.heading == heading
    assert found.text(parse_call(call))[0] == text


def test_a_tree_finds_the_condition_that_hands_were_chosen_by() -> None:
    rng = np.random.default_rng(4)
    hands = [hand for _ in range(400) for hand in random_deal(rng).hands if hand is not None]
    facts = [facts_of_hand(features_of(hand), SUITS) for hand in hands]
    values = {name: np.array([each[name] for each in facts]) for name in facts[0]}
    makes = (values["hearts"] >= 5) & (values["hcp"] >= 10) & (values["hcp"] <= 12)
    (leaf,) = leaves(values, makes, "hearts")
    assert (leaf.inside, leaf.hands) == (makes.sum(), makes.sum())
    assert leaf.text == "hcp 10..12, hearts 5+"
    assert (leaf.fitting(values) == makes).all()
    nobody = np.zeros(len(makes), dtype=np.bool_)
    assert not list(leaves(values, nobody, "hearts"))


@pytest.mark.system
def test_an_author_may_accept_what_is_proposed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mini.bid").write_text(MINI.read_text(encoding="utf-8"), encoding="utf-8")
    Path("practised.bid").write_text(PRACTISED, encoding="utf-8")
    audit = ["audit", "rules:practised.bid", "--boards", "400", "--seed", "1", "--quiet"]
    propose = [*audit, "--system", "mini.bid", "--propose", "--support", "6"]
    assert main(propose) == 0
    text = capsys.readouterr().out
    rule = re.search(r'^after 1X \(P\) 1Y \(P\)\n  2Y "as practised" (.*)$', text, re.MULTILINE)
    assert rule is not None
    assert rule[1] == "hcp 12..16, Y 4+"
    comment = text[: rule.start()].splitlines()[-1]
    assert re.fullmatch(
        r"# (\d+) of \1 hands seen that fit; 1NT by the file; "
        r"\+\d\.\d \+- \d\.\d IMPs a deviation \(n = \d+\)",
        comment,
    )
    Path("accepted.bid").write_text(text, encoding="utf-8")
    assert main(["check", "accepted.bid"]) == 0
    capsys.readouterr()
    shares = []
    for judge in ("mini.bid", "accepted.bid"):
        assert main([*audit, "--system", judge]) == 0
        found = re.search(r"([\d.]+)% conform", capsys.readouterr().out)
        assert found is not None
        shares.append(float(found[1]))
    assert shares[0] < shares[1] == 100


def test_nothing_is_proposed_where_nothing_departs(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["audit", f"rules:{MINI}", "--boards", "4", "--quiet", "--propose"]
    assert main(words) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "nothing is proposed: no deviation is frequent enough and gains\n"


def test_a_file_and_values_at_once_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", f"rules:{MINI}", "--propose", "--json"]) == 2
    assert "--propose or --json, not both" in capsys.readouterr().err
