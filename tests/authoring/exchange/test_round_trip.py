"""Rules that BML, .bss and .bboalert can carry come back with the same meaning."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bidwright.authoring.exchange.bboalert import to_bboalert, to_bss
from bidwright.authoring.exchange.bml import to_bml
from bidwright.authoring.exchange.call_tables import Sheet, auction_at, tabulate
from bidwright.authoring.exchange.importer import import_file
from bidwright.authoring.exchange.records import Fate
from bidwright.bench.exchange_agreement import compare
from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call, bid
from bidwright.bridge.cards import Denomination
from bidwright.bridge.deal import random_deal
from bidwright.cli import main
from bidwright.kb.assembly import rule_base
from bidwright.kb.loading.load import load
from bidwright.kb.logic.features import features, held_cards
from bidwright.kb.rules.rulebase import RuleBase

WRITERS = {"bml": to_bml, "bss": to_bss, "bboalert": to_bboalert}

HANDS = features(
    held_cards(
        [
            hand
            for rng in [np.random.default_rng(5)]
            for _ in range(150)
            for hand in random_deal(rng).hands
            if hand is not None
        ]
    )
)

SYSTEM = """\
system small "A small system"
  source "our notes"
  gaps "no slams"

let good(S) = top3(S) 2+ or top5(S) 3+
let light = seat 3 and not vulnerable and hcp 9+

opening
  1NT "15 to 17" hcp 15..17, balanced; announce "15 to 17"
  1S "five" spades 5+, (hcp 12+ or light), spades >= hearts
  1H "five" hearts 5+, hcp 12+ or light
  2X "weak" X 6, X != clubs, hcp 5..9, good(X)
  1D hcp 12+, diamonds 4+
  1C hcp 12+
  may 1C "light" hcp 11
  pass

after 1NT (P) "Responses"
  ask: 2C "Stayman" hcp 8+, hearts 4 or spades 4; artificial, forcing, asks major
    2M "four" M 4+; answers major
    2D "none"; artificial, answers major
    (X)
      XX "clubs" clubs 4+
      pass
  3NT "enough" hcp + partner.hcp.min >= 25
  2NT "nearly" combined(hcp) 23..24; invitational
  pass

after 1M (P)
  2M "raise" fit(M) 8+, hcp 6..9, usually hcp 7+ and M 3; agrees M
  2X "new suit" X 4+, hcp 10+; forcing

after (1M)
  X "takeout" hcp 12+, M ..2; forcing, alert "takeout"
  1X "natural" X 5+, hcp 8..16, longest_unbid(X)

anywhere
  3NT "enough for game" combined(hcp) 26+
  pass

example KQ4.AQ8.K9873.K2 -> 1NT
"""


def _open(folder: Path, name: str, text: str) -> tuple[RuleBase, Sheet]:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    system = load(file)
    assert system.diagnostics == ()
    rules = rule_base(system.name, system.title, system.statements)
    return rules, tabulate(rules, system)


def _back(folder: Path, sheet: Sheet, kind: str) -> RuleBase:
    file = folder / f"there.{kind}"
    file.write_text(WRITERS[kind](sheet), encoding="utf-8")
    found = import_file(file, "back")
    unread = [
        str(line)
        for line in found.report.lines
        if line.fate is Fate.TEXT and not line.text.startswith(("*", "#"))
    ]
    assert unread == []
    back = folder / "back.bid"
    back.write_text(found.text, encoding="utf-8")
    system = load(back)
    return rule_base(system.name, system.title, system.statements)


def _positions() -> list[Auction]:
    openings = [bid(1, each) for each in Denomination] + [bid(2, Denomination.HEARTS)]
    vulnerable = [(False, False), (True, False), (False, True)]
    found = [auction_at((), seat, state) for seat in (1, 2, 3, 4) for state in vulnerable]
    found += [
        auction_at((call, Call.PASS), seat, (True, False)) for call in openings for seat in (1, 3)
    ]
    found += [auction_at((call,), 1, (False, False)) for call in openings]
    notrump, clubs = bid(1, Denomination.NOTRUMP), bid(2, Denomination.CLUBS)
    found += [
        auction_at((notrump, Call.PASS, clubs, after), 1, (False, False))
        for after in (Call.PASS, Call.DOUBLE)
    ]
    return found


def _differences(one: RuleBase, other: RuleBase, auctions: Sequence[Auction]) -> list[str]:
    return [
        f"{each.auction}: {each.same_booked} of {each.booked}"
        for each in compare(one, other, auctions, HANDS)
        if each.same_booked < each.booked
    ]


@pytest.mark.parametrize("kind", sorted(WRITERS))
def test_hands_make_the_same_calls_by_the_rules_that_come_back(kind: str, tmp_path: Path) -> None:
    rules, sheet = _open(tmp_path, "small.bid", SYSTEM)
    back = _back(tmp_path, sheet, kind)
    assert _differences(rules, back, _positions()) == []


@pytest.mark.parametrize("kind", ["bml", "bboalert"])
def test_what_a_call_does_comes_back(kind: str, tmp_path: Path) -> None:
    _, sheet = _open(tmp_path, "small.bid", SYSTEM)
    back = _back(tmp_path, sheet, kind)
    rules = {(str(rule.call), rule.text): rule for rule in back.rules}
    by_text = {text: rule for (_, text), rule in rules.items()}
    stayman, raise_, takeout = by_text["Stayman"], by_text["raise"], by_text["takeout"]
    assert stayman.artificial
    assert (stayman.asks, by_text["none"].answers) == ("major", "major")
    assert (raise_.agrees, raise_.usually is not None) == ("spades", True)
    assert takeout.alert == "takeout"
    assert by_text["15 to 17"].announce == "15 to 17"
    assert by_text["nearly"].invitational
    assert by_text["light"].optional


def test_every_loss_is_told(tmp_path: Path) -> None:
    _, sheet = _open(tmp_path, "small.bid", SYSTEM)
    losses = [(loss.kind, loss.what) for loss in sheet.report.losses]
    assert losses == [
        ("example", "example KQ4.AQ8.K9873.K2 -> 1NT"),
        ("general rule", "anywhere: 3NT"),
        ("general rule", "anywhere: P"),
        ("label", "ask"),
        ("later row", "4 rows for a call that has one before in its table"),
        ("stated gap", "no slams"),
    ]
    assert (sheet.report.carried, sheet.report.rules) == (20, 22)


def test_bml_of_a_small_system(tmp_path: Path) -> None:
    _, sheet = _open(
        tmp_path,
        "tiny.bid",
        """\
system tiny "Tiny"
opening
  1NT hcp 15..17, balanced
    2C "ask" hcp 8+; artificial, forcing
      2H hearts 4+
    (2D)
      X "cards" hcp 8+
  1H "five \\"good\\" ones" hearts 5+, hcp 12+ or seat 4 and hcp 11
after (1C)
  1S spades 5+
""",
    )
    assert to_bml(sheet) == (
        "#+TITLE: Tiny\n"
        "#+CREATOR: bidwright, rows in the order of choice\n"
        "\n"
        "* We open\n"
        "\n"
        "#SEAT 12\n"
        "1NT  15-17 hcp, balanced\n"
        '1H  5+ !H, 12+ hcp; "five \\"good\\" ones"\n'
        "#SEAT 0\n"
        "\n"
        "#SEAT 3\n"
        "1NT  15-17 hcp, balanced\n"
        '1H  5+ !H, 12+ hcp; "five \\"good\\" ones"\n'
        "#SEAT 0\n"
        "\n"
        "#SEAT 4\n"
        "1NT  15-17 hcp, balanced\n"
        '1H  5+ !H, 12+ hcp or 11 hcp; "five \\"good\\" ones"\n'
        "#SEAT 0\n"
        "\n"
        "1NT-\n"
        '  2C  8+ hcp; artificial; forcing; "ask"\n'
        "    2H  4+ !H\n"
        "\n"
        "1NT-(2D)-\n"
        '  X  8+ hcp; "cards"\n'
        "\n"
        "* They open\n"
        "\n"
        "(1C)-\n"
        "  1S  5+ !S\n"
    )
    assert set(to_bss(sheet).splitlines()[-4:]) == {
        '001NP2C=YYYYYYY5088+ hcp; artificial; forcing; "ask"',
        "001NP2CP2H=NYYYYYY0484+ !H",
        '001N2DD=NYYYYYY08+ hcp; "cards"',
        "*001C1S=NYYYYYY0585+ !S",
    }


NUMBERS = ["hcp", "points", "controls", "losers", "quick_tricks", "longest", "top3(S)", "hcp_in(H)"]
SUITS = ["clubs", "diamonds", "hearts", "spades"]
FACTS = ["balanced", "unbalanced", "stopper(D)", "void(C)", "has(HA)", "shape 5xxx|4432"]
RANGES = st.one_of(
    st.integers(0, 16).map("{}+".format),
    st.integers(0, 16).map("..{}".format),
    st.tuples(st.integers(0, 8), st.integers(1, 6)).map(lambda ends: f"{ends[0]}..{sum(ends)}"),
)
LENGTHS = st.one_of(st.integers(0, 6).map("{}+".format), st.integers(1, 5).map("..{}".format))
TESTS = st.one_of(
    st.tuples(st.sampled_from(NUMBERS), RANGES).map(" ".join),
    st.tuples(st.sampled_from(SUITS), LENGTHS).map(" ".join),
    st.sampled_from(FACTS),
    st.permutations(SUITS).map(lambda suits: f"{suits[0]} >= {suits[1]}"),
    st.permutations(SUITS).map(lambda suits: f"hcp + {suits[0]} > 2 * {suits[1]} + 4"),
)
CONDITIONS = st.recursive(
    TESTS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda each: f"({' or '.join(each)})"),
        st.lists(inner, min_size=2, max_size=3).map(lambda each: f"({' and '.join(each)})"),
        inner.map("not ({})".format),
    ),
    max_leaves=5,
)
RULES = st.lists(
    st.tuples(st.sampled_from(["1C", "1D", "1H", "1S", "1NT", "2C", "2H", "pass"]), CONDITIONS),
    min_size=1,
    max_size=5,
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    openings=RULES,
    responses=st.lists(st.tuples(st.sampled_from(["2M", "2D", "3C"]), CONDITIONS), max_size=3),
    kind=st.sampled_from(sorted(WRITERS)),
)
def test_any_small_system_comes_back(
    openings: list[tuple[str, str]],
    responses: list[tuple[str, str]],
    kind: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("round")
    lines = [
        "system any_one",
        "opening",
        *(f"  {call} {condition}" for call, condition in openings),
    ]
    lines[0] += ' "Any"'
    if responses:
        lines += ["after 1M (P)", *(f"  {call} {condition}" for call, condition in responses)]
    file = folder / "any.bid"
    file.write_text("\n".join([*lines, ""]), encoding="utf-8")
    system = load(file)
    if system.has_errors or any(each.code == "W205" for each in system.diagnostics):
        return  # what excludes itself is not carried, and told
    rules = rule_base(system.name, system.title, system.statements)
    back = _back(folder, tabulate(rules, system), kind)
    hearts, spades = bid(1, Denomination.HEARTS), bid(1, Denomination.SPADES)
    auctions = [
        auction_at(calls, 1, (False, False))
        for calls in ((), (hearts, Call.PASS), (spades, Call.PASS))
    ]
    assert _differences(rules, back, auctions) == []


def test_the_verb_writes_the_file_and_its_losses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / "small.bid", tmp_path / "out"
    source.write_text(SYSTEM, encoding="utf-8")
    out.mkdir()
    assert main(["doc", str(source), "--format", "bml", "-o", str(out), "--quiet"]) == 0
    assert (out / "small.bml").read_text(encoding="utf-8").startswith("#+TITLE: A small system")
    losses = (out / "small.bml.loss.txt").read_text(encoding="utf-8")
    assert "small.bid:38: general rule: anywhere: 3NT (" in losses
    assert "20 of 22 rules carried (90.9%)" in capsys.readouterr().err
    assert main(["doc", str(source), "--format", "bss", "--quiet"]) == 0
    told = capsys.readouterr()
    assert told.out.startswith(
        "*00{A small system}=NYYYYYY bidwright, rows in the order of choice; our notes\n"
    )
    assert "flags: the strains still possible after a call (every flag is Y)\n" in told.err
    assert told.err.endswith("     1  length lost\n     1  stated gap lost\n")


def test_no_row_stands_twice_in_a_table(tmp_path: Path) -> None:
    path = tmp_path / "system.bid"
    path.write_text(
        'system twice "Rows that say the same"\n\n'
        "opening\n  1NT hcp 15..17, balanced\n  pass\n\n"
        'after 1NT (P)\n  2S "five" spades 5+\n  2H hearts 5+\n  2M "five" M 5+\n  pass\n'
    )
    system = load(path)
    sheet = tabulate(rule_base(system.name, system.title, system.statements), system)
    (table,) = (each for each in sheet.tables if each.calls)
    assert [str(row.call) for row in table.rows] == ["2S", "2H", "2H", "P"]
    for write in WRITERS.values():
        lines = [line.strip() for line in write(sheet).splitlines() if line.strip()]
        assert len([line for line in lines if '"five"' in line]) == 2
    assert sheet.report.carried == 6
    assert not [loss for loss in sheet.report.losses if loss.kind == "idle rule"]
