"""The meaning itself: random systems are bid and read as `naive.py` says, hand by hand."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest
from naive import (  # type: ignore[import-not-found]  # beside this
    FEATURES,
    PLACE,
    SUITS,
    TABLE,
    Author,
    Classes,
    Position,
    System,
    Table,
)

from bidwright.bridge.calls import Call, parse_call
from bidwright.bridge.cards import Seat, Side, Vulnerability
from bidwright.bridge.deal import random_deal
from bidwright.bridge.errors import BidwrightError
from bidwright.bridge.hand import Hand
from bidwright.inference.reading.conformity import conforms
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.kb.loading.compiled import compiled
from bidwright.kb.loading.load import load
from bidwright.kb.logic.bounds import Bounds
from bidwright.kb.logic.features import features_of
from bidwright.kb.rules.decision_list import fits
from bidwright.kb.rules.rulebase import RuleBase

START = int(os.environ.get("BIDWRIGHT_FUZZ_START", "0"))
COUNT = int(os.environ.get("BIDWRIGHT_FUZZ_COUNT", "40"))
FOUND = (20263737,)
"""Seeds that have found a fault, tried in every run."""
AUCTIONS = 4
SILENT = 'system silent "Silent"\n\nanywhere\n  pass\n'


@cache
def hands() -> list[tuple[Hand, tuple[int, ...], int]]:
    """Return hands with their features and their classes, which are counted from the cards."""
    rng = np.random.default_rng(5)
    found = []
    for _ in range(500):
        for hand in filter(None, random_deal(rng).hands):
            suits = str(hand).split(".")
            lengths = tuple(len(suit.strip("-")) for suit in reversed(suits))
            points = sum({"A": 4, "K": 3, "Q": 2, "J": 1}.get(card, 0) for card in str(hand))
            found.append((hand, features_of(hand), PLACE[(*lengths, points)]))
    return found


def rules_of(text: str, path: Path) -> RuleBase | None:
    """Return a system's rules; None if the file has mistakes."""
    path.write_text(text, encoding="utf-8")
    try:
        return compiled(path, load(path))
    except BidwrightError:
        return None


def extent(name: str, shown: Classes) -> tuple[int, int]:
    """Return the least and the most of a feature in a set of classes."""
    values = FEATURES[name][shown]
    return int(values.min()), int(values.max())


def compare_bounds(bounds: Bounds, shown: Classes, where: str) -> None:
    """Compare bounds that were read with the least and the most of the hands themselves."""
    assert bounds.hcp == extent("hcp", shown), f"hcp {where}"
    assert bounds.points == extent("points", shown), f"points {where}"
    for suit, name in enumerate(SUITS):
        assert bounds.lengths[suit] == extent(name, shown), f"{name} {where}"


def play(system: System, reading: Reading, rng: Random) -> int:
    """Bid and read one auction of two partners both ways; return the number of calls compared."""
    table = Table([np.ones(len(TABLE), np.bool_)] * 2, 0)
    since: list[str] = []
    made = [0, 0]
    compared = 0
    while not reading.auction.is_over:
        if reading.state.me.side is Side.EW:
            reading = reading.with_call(Call.PASS)
            continue
        table.me = 0 if reading.state.me is Seat.NORTH else 1
        table.rounds = made[table.me]
        position = Position.of(system, since, table)
        where = f"after {reading.auction}\n{system.text}"
        for hand, row, place in rng.sample(hands(), 40):
            chosen = reading.decision.choose(row)
            assert (str(chosen.call) if chosen else None) == _printed(position.bid(place)), (
                f"{hand} {where}"
            )
        mine = [each for each in hands() if table.shown[table.me][each[2]]]
        if not mine:
            break
        _, _, place = rng.choice(mine)
        call = position.bid(place)
        if call is None:
            break
        forcing = position.is_forcing(call)
        decision = reading.decision
        reading = reading.with_call(parse_call(call))
        meaning = reading.meanings[-1]
        shows = position.shows(call)
        table.shown[table.me] = table.shown[table.me] & shows
        where = f"{call} {where}"
        assert not meaning.conflict, where
        compare_bounds(meaning.bounds, table.shown[table.me], where)
        for hand, row, place in rng.sample(hands(), 40):
            inside = all(fits(turn.steps, row) for turn in meaning.turns)
            assert inside == table.shown[table.me][place], f"{hand} {where}"
            if shows[place] and not inside:
                continue
            possible = all(fits(turn.steps, row) for turn in meaning.possible_turns)
            assert possible or not inside, f"usual but not possible: {hand} {where}"
            if position.bid(place) == call:
                assert conforms(decision, hand, parse_call(call)), f"{hand} {where}"
        compared += 1
        if forcing is None:
            break
        table.forced = forcing
        made[table.me] += 1
        if since or call != "pass":
            since.append(call)
    return compared


def _printed(call: str | None) -> str | None:
    return None if call is None else str(parse_call(call))


@pytest.mark.parametrize(
    "block", [0, 1, *(pytest.param(block, marks=pytest.mark.system) for block in (2, 3))]
)
def test_random_systems_mean_what_a_naive_reader_says(block: int, tmp_path: Path) -> None:
    silent = rules_of(SILENT, tmp_path / "silent.bid")
    assert silent is not None
    compared = usable = 0
    seeds = (*range(START, START + COUNT), *FOUND)[block::4]
    for seed in seeds:
        system = Author(seed).system()
        rules = rules_of(system.text, tmp_path / f"{seed}.bid")
        if rules is None:
            continue
        usable += 1
        reader = Reader({Side.NS: rules, Side.EW: silent})
        rng = Random(seed)
        for _ in range(AUCTIONS):
            compared += play(system, reader.start(Seat.NORTH, Vulnerability.NONE), rng)
    assert usable > 0.6 * len(seeds)
    assert compared > 3 * usable
