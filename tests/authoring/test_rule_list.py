"""Rules as a list: which are in it, in which order, and what is said of each."""

from __future__ import annotations

import pytest

from bidwright.authoring.rule_list import chosen, read_pattern, rules_at, rules_of, text_of
from bidwright.bridge.auction import parse_auction
from bidwright.bridge.errors import InvalidError
from bidwright.inference.reading.examples import reader_for
from bidwright.kb.assembly import rule_base
from bidwright.kb.language.parser import parse
from bidwright.kb.rules.rulebase import RuleBase

SYSTEM = """\
opening
  1NT hcp 15..17, balanced
  1M "five cards" M 5+, hcp 11..21
  pass

after 1NT (P) "Responses"
  ask: 2C "Stayman" hcp 8+; artificial, forcing, priority 3
    2D "none"
    (X)
      XX "clubs" clubs 4+
  judgement
    may 2NT "eight" hcp 8
  2NT "invites" hcp 9

after 1M (P)
  2M M 3+

after (1M)
  X hcp 12+

after ... 4NT (P)
  5C aces 0

anywhere
  may pass; last resort
"""


def base() -> RuleBase:
    file, problems = parse(SYSTEM, "notes/small.bid")
    assert file is not None
    assert not problems
    return rule_base("small", "Small", [("small", each) for each in file.statements])


def ids(pattern: str) -> list[str]:
    return [each.id for each in rules_of(base(), read_pattern(pattern))]


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("opening", ["opening.1NT", "opening.1M", "opening.P"]),
        ("after 1NT (P)", ["small.ask", "1NT (P): 2NT", "1NT (P): 2NT#2"]),
        ("1NT (P) 2C (P)", ["1NT (P) 2C (P): 2D"]),
        ("1NT (P) 2C ...", ["1NT (P) 2C (P): 2D", "1NT (P) 2C (X): XX"]),
        ("1S (P)", ["1M (P): 2M"]),
        ("1X (P)", ["1M (P): 2M"]),
        ("(1H)", ["(1M): X"]),
        ("... 4NT (P)", ["... 4NT (P): 5C"]),
        ("anywhere", ["anywhere: P"]),
        ("2NT (P)", []),
    ],
)
def test_rules_that_may_apply_after_calls(pattern: str, found: list[str]) -> None:
    assert ids(pattern) == found


def test_list_of_an_auction_is_in_the_order_of_choice() -> None:
    reading = reader_for(base()).read(parse_auction("1NT P"))
    listed = rules_at(reading)
    assert [(each.call, each.id, each.latitude) for each in listed] == [
        ("2C", "small.ask", False),
        ("2NT", "1NT (P): 2NT#2", False),
        ("2NT", "1NT (P): 2NT", True),
        ("P", "anywhere: P", False),
    ]
    assert text_of(listed, at_position=True).splitlines() == [
        "2C   small.ask       book, priority 3  notes/small.bid:7   Stayman",
        "2NT  1NT (P): 2NT#2  book              notes/small.bid:13  invites",
        "2NT  1NT (P): 2NT    judgement         notes/small.bid:12  "
        "may eight (latitude: nobody bids by it)",
        "P    anywhere: P     last resort       notes/small.bid:25  may",
    ]


def test_rules_are_chosen_by_id_tier_and_file() -> None:
    listed = rules_of(base())
    assert [each.id for each in chosen(listed, ["1NT*"], tier="judgement")] == ["1NT (P): 2NT"]
    assert [each.id for each in chosen(listed, ["small.*", "(1M)*"])] == ["small.ask", "(1M): X"]
    assert chosen(listed, file="small") == chosen(listed, file="notes/small.bid") == listed
    assert chosen(listed, file="mall") == []


def test_what_is_no_pattern_is_refused_with_the_reason() -> None:
    with pytest.raises(InvalidError, match=r"^expected a pattern such as '1M \(P\)' or 'opening'"):
        read_pattern("1NT (P")
    with pytest.raises(InvalidError, match="expected a pattern"):
        read_pattern("1NT (P)\n  2C\nafter 1S (P)")


def test_a_rule_names_its_source() -> None:
    tree, problems = parse('opening\n  1C hcp 12+; source "A book", measured "9 deals"\n', "a")
    assert tree is not None
    assert not problems
    rules = rule_base("a", "", [("a", statement) for statement in tree.statements])
    (rule,) = rules_of(rules)
    assert (rule.as_json()["source"], rule.as_json()["measured"]) == ("A book", "9 deals")
