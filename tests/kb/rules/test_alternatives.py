"""Named alternatives of a call: bid, read, told, answered, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Side
from bidwright.bridge.hand import parse_hand
from bidwright.inference.explanation.explain import Explainer
from bidwright.inference.explanation.json_form import call_json
from bidwright.inference.explanation.prose import full_call_prose
from bidwright.inference.reading.player import choose
from bidwright.inference.reading.reader import Reader
from bidwright.kb.assembly import rule_base
from bidwright.kb.language.format import reformat
from bidwright.kb.language.parser import parse
from bidwright.kb.language.printer import to_text
from bidwright.kb.loading.load import load
from bidwright.kb.logic.public_state import Kinds

MULTI = """\
system multi "Multi"

opening
  2D; artificial, forcing
    either weak_two(M): "a weak two" M 6, oM ..3, hcp 5..10
    either strong: "strong" hcp 20..21, balanced; alert "strong"
    2NT "which?" hcp 15+; artificial, forcing
      3C "a weak two, a maximum" hcp 8..10; artificial
      3H "hearts" weak_two(H)
      3S "spades" weak_two(S)
      3NT strong
    2H "pass with hearts"; artificial
      pass weak_two(H)
      2S weak_two(S)
      2NT strong
  pass

after 2D (P) 2NT (P) any (P)
  6NT partner_shows(strong), hcp 17+
  4M partner_shows(weak_two, M), M 2+
  3D "which?" partner_shows(weak_two); artificial, forcing
    3M weak_two(M)
  pass
"""
HEARTS, SPADES, STRONG = "83.KQJ974.K62.84", "KQJ974.83.K62.84", "KQ4.AQ8.AQ873.A2"
ANSWERS = "A4.K95.KQ73.AJ52"


def reader_of(folder: Path, text: str) -> Reader:
    path = folder / "multi.bid"
    path.write_text(text, encoding="utf-8")
    found = load(path)
    assert found.diagnostics == ()
    rules = rule_base(found.name, found.title, found.statements)
    return Reader({Side.NS: rules, Side.EW: rules})


def bid(reader: Reader, auction: str, hand: str) -> str:
    return str(choose(reader.read(parse_auction(auction)), parse_hand(hand)).call)


def shown(reader: Reader, auction: str) -> Kinds:
    reading = reader.read(parse_auction(auction))
    return reading.state.kinds[reading.state.me.partner]


def problems(folder: Path, text: str) -> list[tuple[str, str]]:
    path = folder / "wrong.bid"
    path.write_text(text, encoding="utf-8")
    return [(each.code, each.message) for each in load(path).diagnostics]


def test_each_alternative_is_bid_and_answered(tmp_path: Path) -> None:
    reader = reader_of(tmp_path, MULTI)
    assert {bid(reader, "", hand) for hand in (HEARTS, SPADES, STRONG)} == {"2D"}
    assert bid(reader, "2D P 2H P", HEARTS) == "P"
    assert bid(reader, "2D P 2H P", SPADES) == "2S"
    assert bid(reader, "2D P 2NT P", STRONG) == "3NT"
    assert bid(reader, "2D P 2NT P 3H P", ANSWERS) == "4H"
    assert bid(reader, "2D P 2NT P 3S P", ANSWERS) == "4S"
    assert bid(reader, "2D P 2NT P 3NT P", ANSWERS) == "6NT"
    assert bid(reader, "2D P 2NT P 3C P", ANSWERS) == "3D"


def test_an_alternative_is_shown_when_no_other_hand_is_left(tmp_path: Path) -> None:
    reader = reader_of(tmp_path, MULTI)
    assert shown(reader, "2D P") == frozenset()
    assert shown(reader, "2D P 2NT P 3C P") == {("weak_two",)}
    assert shown(reader, "2D P 2NT P 3C P 3D P 3S P") == {("weak_two",), ("weak_two", 3)}
    assert shown(reader, "2D P 2NT P 3NT P") == {("strong",)}


def test_a_rule_without_a_name_for_the_same_call_leaves_it_open(tmp_path: Path) -> None:
    other = MULTI.replace("  pass\n\nafter", '  2D "another" clubs 7, hcp 8..10\n  pass\n\nafter')
    assert shown(reader_of(tmp_path, other), "2D P 2NT P 3C P") == frozenset()


def test_alternatives_mean_what_rules_for_the_same_call_mean(tmp_path: Path) -> None:
    lines = MULTI.split("\n")
    start = lines.index("  2D; artificial, forcing")
    apart = [
        "  2D M 6, oM ..3, hcp 5..10; artificial, forcing",
        *lines[start + 3 : start + 12],
        "  2D hcp 20..21, balanced; artificial, forcing",
        "  pass",
        "",
    ]
    plain = "\n".join([*lines[:start], *apart])
    plain = plain.replace("weak_two(H)", "hearts 6, spades ..3, hcp 5..10")
    plain = plain.replace("weak_two(S)", "spades 6, hearts ..3, hcp 5..10")
    plain = plain.replace(" strong\n", " hcp 20..21, balanced\n")
    named, other = reader_of(tmp_path, MULTI), reader_of(tmp_path, plain)
    for auction in ("2D", "2D P 2NT", "2D P 2NT P 3H", "2D P 2H P 2S", "2D P 2NT P 3NT", "P"):
        one, two = (each.read(parse_auction(auction)).meanings[-1] for each in (named, other))
        assert (one.bounds, one.possible, one.record) == (two.bounds, two.possible, two.record)


def test_the_names_are_told(tmp_path: Path) -> None:
    reader = reader_of(tmp_path, MULTI)
    explainer = Explainer(reader)
    opened = explainer.explain(parse_auction("2D")).calls[-1]
    assert opened.texts == ("a weak two", "strong")
    assert "alternatives" not in call_json(opened)
    auction = parse_auction("2D P 2NT P 3C P 3D P 3S")
    rebid = explainer.explain(auction).calls[-1]
    assert call_json(rebid)["alternatives"] == ["weak_two(S)"]
    assert "that is   weak_two(S)" in full_call_prose(rebid, auction)


def test_rules_have_the_names_as_ids_and_can_be_changed(tmp_path: Path) -> None:
    (tmp_path / "multi.bid").write_text(MULTI, encoding="utf-8")
    path = tmp_path / "mine.bid"
    path.write_text(
        'system mine "Mine"\ninclude multi\n'
        "override let strong = hcp 22..24 and balanced\n"
        "override multi.weak_two\n  2D M 6, oM ..2, hcp 5..10; artificial, forcing\n",
        encoding="utf-8",
    )
    found = load(path)
    assert found.diagnostics == ()
    rules = rule_base(found.name, found.title, found.statements)
    assert {"multi.weak_two", "multi.strong"} <= {rule.id for rule in rules.rules}
    reader = Reader({Side.NS: rules, Side.EW: rules})
    assert bid(reader, "", STRONG) == "P"
    assert bid(reader, "", "KQ4.AQ8.AKQ73.A2") == "2D"
    assert bid(reader, "", "832.KQJ974.K6.84") == "P"
    assert shown(reader, "2D P 2NT P 3H P") == {("weak_two",), ("weak_two", 2)}


def test_a_module_included_twice_keeps_its_names_apart(tmp_path: Path) -> None:
    module = (
        'convention two(over = 1C, least = 12..14) "Two"\n\nafter over (P)\n'
        "  1D; artificial\n    either good: hcp in least\n    either other: hcp 20+\n"
        "  pass\n\nafter over (P) 1D (P) 1H (P) any (P)\n  2NT partner_shows(good)\n  pass\n\n"
        "after over (P) 1D (P)\n  1H; artificial\n    1S good\n    1NT\n"
    )
    (tmp_path / "two.bid").write_text(module, encoding="utf-8")
    text = (
        'system both "Both"\ninclude two\ninclude two(over = 1S, least = 8..9)\n'
        "opening\n  1C hcp 12+\n  1S spades 5\n  pass\n"
    )
    reader = reader_of(tmp_path, text.replace("over = 1S", "over = 1C (1H) P"))
    assert bid(reader, "1C P 1D P 1H P 1S P", "A43.KQ8.K973.K62") == "2NT"


def test_printer_and_format_keep_them() -> None:
    tree, found = parse(MULTI, "multi.bid")
    assert tree is not None
    assert not found
    again, found = parse(to_text(tree), "multi.bid")
    assert again == tree
    assert not found
    assert reformat(MULTI, "multi.bid") == (MULTI, [])
    wide = MULTI.replace("either weak_two(M): ", "either   weak_two(M) :   ")
    assert reformat(wide, "multi.bid") == (MULTI, [])


RULE = "opening\n  2D; artificial\n    either strong: hcp 20+\n    {}\n  pass\n"


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("either weak M 6", "E101", "':' stands after the name of an alternative"),
        ("or weak: hearts 6", "E109", "each alternative begins with 'either'"),
        ("either weak(S): S 6", "E206", "'S' is no letter that stands for a suit"),
        ("either weak: M 6", "E206", "'M' stands for no suit in the definition of 'weak'"),
        ("either weak: hcp 5; default", "E119", "an alternative is in the tier of its rule"),
        ("either strong: hcp 5", "E218", "'strong' is defined twice"),
        ("2H partner_shows(weak)", "E201", "no call has an alternative 'weak'"),
        ("2H storng", "E201", "unknown condition 'storng'"),
        ("either hcp: hcp 5", "E219", "'hcp' is a word of the language"),
    ],
)
def test_what_is_wrong_has_its_message(line: str, code: str, message: str, tmp_path: Path) -> None:
    assert (code, message) in problems(tmp_path, RULE.format(line))


def test_a_rule_with_alternatives_has_no_label(tmp_path: Path) -> None:
    found = problems(tmp_path, RULE.format("2H").replace("  2D;", "  multi: 2D;"))
    assert ("E119", "a rule with alternatives has their names") in found


def test_an_override_has_no_alternatives(tmp_path: Path) -> None:
    (tmp_path / "multi.bid").write_text(MULTI, encoding="utf-8")
    text = (
        "include multi\noverride multi.strong\n  2D; artificial\n"
        "    either strong: hcp 22+\n    either other: hcp 5\n"
    )
    message = "a rule that takes another one's place has no alternatives"
    assert problems(tmp_path, text)[0] == ("E119", message)


def test_the_other_major_needs_a_major(tmp_path: Path) -> None:
    text = MULTI.replace("      pass weak_two(H)\n", "      pass weak_two(X)\n")
    assert ("E203", "'X' is not surely a major") in problems(tmp_path, text)
