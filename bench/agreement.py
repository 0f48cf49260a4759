"""Hold the answer-set engine to the fast evaluator on the positions of real auctions.

    python bench/agreement.py AUCTIONS.jsonl --auctions 200 --pairs 20000

Pairs: a random hand and a position of an auction. By the evaluator the hand makes one call; the
engine must find the hand in the meaning of a call exactly if the evaluator puts it there.
Bounds: what a seat has shown at the end of an auction. Every random hand that the evaluator puts
in the meaning of all its calls must lie inside (no bound is too tight), and each end of the HCP,
point and length ranges must be held by a hand that the evaluator accepts (none is too loose).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.auction import parse_auction
from bidwright.bridge.cards import Seat, Side, parse_seat, parse_vulnerability
from bidwright.inference.engine.hand_engine import HandEngine
from bidwright.inference.engine.statements import Turn
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.inference.reading.selfplay import outside
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.features import (
    HCP,
    HONOUR_LETTERS,
    LENGTHS,
    POINTS,
    features,
    features_of,
    suit_feature,
)
from bidwright.kb.logic.formula import Formula, both, holds_for, reaches
from bidwright.lab.ending import auction_records, ended, how_many, seed_number

POOL = 20_000
"""The number of random hands that consistent ones are taken from."""


def in_meaning(turn: Turn, hands: NDArray[np.int16]) -> NDArray[np.bool_]:
    """Return bool `[B]`: which hands, features `[B, F]`, a call may have been made with."""
    meant = np.zeros(len(hands), dtype=np.bool_)
    denied = np.zeros(len(hands), dtype=np.bool_)
    for step in turn.steps:
        held = holds_for(step.formula, hands)
        if step.fits:
            meant |= held & ~denied
        else:
            denied |= held
    return meant


def exactly(row: NDArray[np.int16]) -> Formula:
    """Return the formula of the hands with these lengths and honours."""
    held = (
        *LENGTHS,
        *(suit_feature(f"card_{h}", suit) for h in HONOUR_LETTERS for suit in range(4)),
    )
    at_least = (reaches(((index, 1),), int(row[index])) for index in held)
    at_most = (reaches(((index, -1),), -int(row[index])) for index in held)
    return both(*at_least, *at_most)


def random_hands(rng: np.random.Generator, count: int) -> NDArray[np.int16]:
    """Return the features `[count, F]` of random hands."""
    order = rng.random((count, 52)).argsort(axis=1)
    held = np.zeros((count, 52), dtype=np.bool_)
    np.put_along_axis(held, order[:, :13], values=True, axis=1)
    return features(held)


def compare_pairs(
    readings: list[Reading], pool: NDArray[np.int16], pairs: int, rng: np.random.Generator
) -> tuple[int, int]:
    """Return the number of pairs, and of those that engine and evaluator disagree about."""
    engine = HandEngine()
    meanings = [m for reading in readings for m in reading.meanings if m.decision.instances]
    done = wrong = 0
    while done < pairs:
        meaning = meanings[rng.integers(len(meanings))]
        row = pool[rng.integers(len(pool))]
        chosen = meaning.decision.choose(tuple(int(n) for n in row))
        calls = sorted({each.call for each in meaning.decision.instances})
        other = calls[rng.integers(len(calls))]
        for call in {other, chosen.call if chosen else other}:
            turn = Turn(meaning.record.seat, call, meaning.decision.shown_steps(call))
            expected = bool(in_meaning(turn, row[None, :])[0])
            wrong += engine.possible([turn], exactly(row)) is not expected
            wrong += chosen is not None and call == chosen.call and not expected
            done += 1
    return done, wrong


def compare_bounds(readings: list[Reading], pool: NDArray[np.int16]) -> tuple[int, int, int, int]:
    """Return seats looked at, samples inside them, bounds too tight, and bounds too loose."""
    engine = HandEngine()
    seats = samples = tight = loose = 0
    for reading in readings:
        for seat in Seat:
            turns = reading.turns(seat)
            if not turns:
                continue
            bounds = engine.bounds(turns)
            assert bounds is not None, "the reader keeps only consistent turns"
            seats += 1
            fits = np.ones(len(pool), dtype=np.bool_)
            for turn in turns:
                fits &= in_meaning(turn, pool)
            samples += int(fits.sum())
            inside = (outside(tuple(row), bounds) is None for row in pool[fits][:300].tolist())
            tight += sum(not each for each in inside)
            ranges = ((HCP, bounds.hcp), (POINTS, bounds.points))
            for index, (low, high) in (*ranges, *zip(LENGTHS, bounds.lengths, strict=True)):
                for claim in (reaches(((index, -1),), -low), reaches(((index, 1),), high)):
                    witness = engine.example(turns, claim)
                    vector = np.array([features_of(witness)]) if witness else None
                    loose += vector is None or not all(
                        in_meaning(turn, vector)[0] for turn in turns
                    )
    return seats, samples, tight, loose


def main() -> None:
    """Run both comparisons and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("auctions_file", type=Path)
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--auctions", type=how_many, default=200)
    parser.add_argument("--pairs", type=how_many, default=20_000)
    parser.add_argument("--seed", type=seed_number, default=1)
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    rules = open_system(args.system)
    reader = Reader({Side.NS: rules, Side.EW: rules})
    readings: dict[str, Reading] = {}
    for record in auction_records(args.auctions_file, names=("dealer", "auction")):
        vulnerability = parse_vulnerability((record.get("vul") or "none").lower())
        auction = parse_auction(record["auction"], parse_seat(record["dealer"]), vulnerability)
        if record["auction"] not in readings:
            readings[record["auction"]] = reader.read(auction)
        if len(readings) == args.auctions:
            break
    some = list(readings.values())
    pool = random_hands(rng, POOL)
    seats, samples, tight, loose = compare_bounds(some, pool)
    print(
        f"bounds: {len(some)} auctions, {seats} seats, {12 * seats} ends, "
        f"{samples} hands of {POOL} consistent: {tight} outside, {loose} ends not attained"
    )
    done, wrong = compare_pairs(some, pool, args.pairs, rng)
    print(f"pairs: {done} (hand, position) pairs, {wrong} disagreements")


if __name__ == "__main__":
    sys.exit(ended(main))
