"""A condition may be written in any way: what matters is which hands satisfy it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat, Side, Vulnerability
from bidwright.bridge.deal import random_deal
from bidwright.bridge.hand import Hand
from bidwright.inference.explanation.explain import Explainer
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.kb.assembly import rule_base
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Severity
from bidwright.kb.language.parser import parse
from bidwright.kb.loading.load import load
from bidwright.kb.logic.features import features, features_of, held_cards
from bidwright.kb.rules.rulebase import RuleBase

MINI = Path(__file__).parents[2] / "systems" / "mini.bid"

LATITUDE = """system latitude "A firm rule that no hand can use displaces nothing"

opening
  1S "six spades and five hearts" spades 6+, hearts 5+
  1H "hearts" hearts 5+
  pass

after 1S (P) 1NT (P)
  2D "diamonds" {firm}
  may 2D "strong" hcp 15+
  pass

after 1S (P)
  1NT

after 1H (P)
  1S "book" {book}
  1NT

anywhere
  1S "general" spades 4+
  pass
"""


def condition(text: str) -> ast.Condition:
    tree, problems = parse(f"let asked = not ({text})\n", "condition")
    assert tree is not None
    assert not problems
    (let,) = tree.statements
    assert isinstance(let, ast.Let)
    assert isinstance(let.body, ast.Not)
    return let.body.item


ALWAYS = condition("clubs + diamonds + hearts + spades 13")
NEVER = condition("spades 7+, hearts 7+")
SPLIT = condition("hearts 3+"), condition("hearts ..2")

REWRITTEN: dict[str, Callable[[ast.Condition], ast.Condition]] = {
    "and always": lambda c: ast.And((c, ALWAYS)),
    "or never": lambda c: ast.Or((c, NEVER)),
    "by cases": lambda c: ast.Or((ast.And((c, SPLIT[0])), ast.And((c, SPLIT[1])))),
    "not not": lambda c: ast.Not(ast.Not(ast.Or((NEVER, c)))),
}
"""Ways to write a condition that the same hands satisfy, though not with the same intervals."""


def system(tmp_path: Path, text: str) -> RuleBase:
    path = tmp_path / "system.bid"
    path.write_text(text, encoding="utf-8")
    loaded = load(path)
    assert not [each for each in loaded.diagnostics if each.severity is Severity.ERROR]
    return rule_base("system", loaded.title, loaded.statements)


def reader(rules: RuleBase) -> Reader:
    return Reader(dict.fromkeys(Side, rules))


def positions(start: Reading, depth: int, most: int) -> Iterator[Reading]:
    """Yield the positions that rules lead to, with passes between, breadth first."""
    waiting = [start]
    while waiting and most:
        reading = waiting.pop(0)
        yield reading
        most -= 1
        if len(reading.auction.calls) < depth:
            calls = dict.fromkeys(each.call for each in reading.decision.applicable)
            following = (reading.with_call(call) for call in [*calls, Call.PASS])
            waiting += [each for each in following if not each.auction.is_over]


def shown(reading: Reading) -> object:
    """Return the meaning of the last call, whatever the text of its conditions."""
    meaning = reading.meanings[-1]
    explained = Explainer(reading.reader).explain_last(reading)
    return (
        meaning.record,
        meaning.known,
        meaning.relaxed,
        meaning.conflict,
        meaning.bounds,
        [each.rule.id for each in meaning.instances],
        [each.rule.id for each in meaning.unmade],
        {each.fact for each in explained.denied},
        meaning.promised,
    )


@pytest.mark.parametrize("how", REWRITTEN)
def test_an_equivalent_condition_changes_no_call_no_meaning_and_no_denial(how: str) -> None:
    loaded = load(MINI)
    rules = rule_base("mini", loaded.title, loaded.statements)
    rewrite = REWRITTEN[how]
    changed = rules.with_conditions(
        {each.id: rewrite(each.condition) for each in rules.rules if each.condition}, {}
    )
    rng = np.random.default_rng(5)
    deals = [random_deal(rng) for _ in range(100)]
    rows = features(held_cards([hand for deal in deals for hand in deal.hands if hand]))
    one, other = reader(rules), reader(changed)
    start = one.start(Seat.NORTH, Vulnerability.NONE)
    for reading in positions(start, depth=3, most=40):
        again = other.read(reading.auction)
        calls = [
            [each.call for each in made.instances] + [Call.PASS]
            for made in (reading.decision, again.decision)
        ]
        chosen = [made.choose_for(rows) for made in (reading.decision, again.decision)]
        bid = [np.array(names)[places] for names, places in zip(calls, chosen, strict=True)]
        assert (bid[0] == bid[1]).all(), reading.auction
        for call in dict.fromkeys(calls[0]):
            pair = [each.with_call(call) for each in (reading, again)]
            assert shown(pair[0]) == shown(pair[1]), pair[0].auction


@pytest.mark.parametrize("firm", ["clubs + diamonds 3+", "spades 5", "spades 7+, hearts 7+"])
def test_a_firm_rule_that_no_hand_can_use_leaves_the_choice(tmp_path: Path, firm: str) -> None:
    rules = system(tmp_path, LATITUDE.format(firm=firm, book="spades 4+"))
    reading = reader(rules).read(parse_auction("1S (P) 1NT (P)", Seat.NORTH))
    hand = Hand.from_pbn("AKQJ32.AKJ32.4.2")
    chosen = reading.decision.choose(features_of(hand))
    assert chosen is not None
    assert str(chosen.call) == "2D"
    meaning = reading.with_call(chosen.call).meanings[-1]
    assert meaning.relaxed == ""
    assert meaning.bounds.hcp[0] == 15


def test_a_firm_rule_that_some_hand_can_use_takes_the_call(tmp_path: Path) -> None:
    rules = system(tmp_path, LATITUDE.format(firm="clubs + diamonds 2+", book="spades 4+"))
    reading = reader(rules).read(parse_auction("1S (P) 1NT (P)", Seat.NORTH))
    chosen = reading.decision.choose(features_of(Hand.from_pbn("AKQJ432.AKJ32.4.")))
    assert chosen is not None
    assert str(chosen.call) == "P"


@pytest.mark.parametrize(
    "book", ["spades 7+, hearts 7+", "spades + hearts 14+", "spades 5+, spades ..4"]
)
def test_a_book_rule_that_no_hand_satisfies_covers_nothing(tmp_path: Path, book: str) -> None:
    rules = system(tmp_path, LATITUDE.format(firm="clubs 1+", book=book))
    reading = reader(rules).read(parse_auction("1H (P) 1S", Seat.NORTH))
    assert [each.rule.text for each in reading.meanings[-1].instances] == ["general"]
