"""Plant departures in auctions that a system's own bidder made, and count those that are found.

    python bench/planted_departures.py --boards 200 --seed 1 --json planted.json

Deals are drawn from the seed and bid by the system in all four seats, so that every call is as
agreed. One call of a board is then made a departure, of one of these kinds in turn:

- `points`: honours are exchanged for small cards of the same suits until the hand is exactly three
  points outside of what the call shows;
- `card`: small cards are exchanged for small cards of other suits until a suit is exactly one card
  outside;
- `misexplained`: the call is explained by a range of points that begins three points above what the
  hand has, or ends three below;
- `undisclosed`: as `points`, and the call is explained as the hand is.

What a call shows is, by `--bounds`, what the reader says that it usually shows, what the rules for
it promise by themselves, or what its maker possibly holds, judgement included. A departure counts
as found if the planted call has a finding of its kind; for `points` and `card` that is any
departure, or one of an earlier call of the same player that names what was planted: a bound that
several of his calls show is told at the first. The boards as they were bid tell how many calls are
flagged although all are as agreed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from bidwright.authoring.review.held_calls import (
    DEVIATES,
    JUDGEMENT,
    MISEXPLAINED,
    UNDISCLOSED,
    HeldBoard,
    hold,
)
from bidwright.authoring.review.shortfalls import Key
from bidwright.bridge.auction import Auction
from bidwright.bridge.board import Board, board_dealer, board_vulnerability
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import HAND_SIZE, Rank, Seat
from bidwright.bridge.deal import Deal, random_deal
from bidwright.bridge.hand import HCP, Hand
from bidwright.inference.explanation.explain import Explainer
from bidwright.inference.meaning import Meaning
from bidwright.inference.reading.examples import reader_for
from bidwright.inference.reading.player import choose
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.bounds import Bounds
from bidwright.lab.ending import ended, how_many, seed_number

POINTS, CARD = "points", "card"
PLANTED = (POINTS, CARD, MISEXPLAINED, UNDISCLOSED)
WANTED = {
    POINTS: {DEVIATES},
    CARD: {DEVIATES},
    MISEXPLAINED: {MISEXPLAINED},
    UNDISCLOSED: {UNDISCLOSED},
}
BOUNDS: dict[str, Callable[[Meaning], Bounds | None]] = {
    "usual": lambda meaning: meaning.bounds,
    "promised": lambda meaning: meaning.promised,
    "possible": lambda meaning: meaning.possible,
}
"""The bounds of a hand by each reading of the meaning of its call."""

_SUITS = ("clubs", "diamonds", "hearts", "spades")

OFF = 3
"""Points of a hand outside of the range of its call."""


def bid_out(explainer: Explainer, number: int, deal: Deal) -> Board:
    """Return a board bid by the system in all four seats."""
    reading = explainer.reader.start(board_dealer(number), board_vulnerability(number))
    while not reading.auction.is_over:
        hand = deal[reading.auction.turn]
        assert hand is not None, "the deal is whole"
        reading = reading.with_call(choose(reading, hand).call)
    auction = reading.auction
    return Board(
        number,
        deal,
        auction.dealer,
        auction.vulnerability,
        auction,
        contract=auction.contract(),
        passed_out=auction.contract() is None,
    )


def exchange(deal: Deal, seat: Seat, given: int, other: Seat, taken: int) -> Deal:
    """Return a deal after two players have exchanged a card."""
    hands = list(deal.hands)
    mine, theirs = hands[seat], hands[other]
    assert mine is not None, "the deal is whole"
    assert theirs is not None, "the deal is whole"
    hands[seat] = Hand(mine.cards - {given} | {taken})
    hands[other] = Hand(theirs.cards - {taken} | {given})
    return Deal(*hands)


def _points(card: int) -> int:
    return HCP.get(Rank(card % HAND_SIZE), 0)


def with_points(deal: Deal, seat: Seat, wanted: int, rng: np.random.Generator) -> Deal | None:
    """Return a deal that gives a hand so many points and leaves its lengths, if possible."""
    for _ in range(40):
        hand = deal[seat]
        assert hand is not None, "the deal is whole"
        lacking = wanted - hand.hcp
        if lacking == 0:
            return deal
        swaps = [
            (abs(lacking - _points(taken) + _points(given)), given, other, taken)
            for other in Seat
            if other != seat
            for given in hand.cards
            for taken in _cards(deal, other)
            if given // HAND_SIZE == taken // HAND_SIZE
            and 0 < (_points(taken) - _points(given)) * np.sign(lacking) <= abs(lacking)
        ]
        if not swaps:
            return None
        _, given, other, taken = swaps[rng.integers(len(swaps))]
        deal = exchange(deal, seat, given, other, taken)
    return None


def _cards(deal: Deal, seat: Seat) -> frozenset[int]:
    hand = deal[seat]
    assert hand is not None, "the deal is whole"
    return hand.cards


def with_length(
    deal: Deal, seat: Seat, suit: int, wanted: int, rng: np.random.Generator
) -> Deal | None:
    """Return a deal that gives a hand so many cards of a suit and leaves its points."""
    for _ in range(HAND_SIZE):
        hand = deal[seat]
        assert hand is not None, "the deal is whole"
        lacking = wanted - hand.lengths[suit]
        if lacking == 0:
            return deal
        swaps = [
            (given, other, taken)
            for other in Seat
            if other != seat
            for given in hand.cards
            for taken in _cards(deal, other)
            if not _points(given)
            and not _points(taken)
            and (given // HAND_SIZE == suit) is (lacking < 0)
            and (taken // HAND_SIZE == suit) is (lacking > 0)
        ]
        if not swaps:
            return None
        given, other, taken = swaps[rng.integers(len(swaps))]
        deal = exchange(deal, seat, given, other, taken)
    return None


def plant(
    board: Board, place: int, meaning: Meaning, shown: str, kind: str, rng: np.random.Generator
) -> tuple[Board, Key] | None:
    """Return a board with a departure at a call, and what the hand breaks; None without a bound."""
    assert board.auction is not None, "the board was bid"
    assert board.deal is not None, "the board was bid"
    seat = board.auction.seat_of(place)
    bounds = BOUNDS[shown](meaning)
    if bounds is None:
        return None
    auction = Auction(
        board.auction.dealer, board.auction.calls[: place + 1], board.auction.vulnerability
    )
    bare = replace(board, auction=auction, contract=None, passed_out=False)
    if kind == MISEXPLAINED:
        points = board.deal[seat].hcp  # type: ignore[union-attr]
        text = f"{points + OFF}-{points + OFF + 3} HCP"
        if points >= OFF + 5 and rng.random() < 0.5:
            text = f"{points - OFF - 3}-{points - OFF} HCP"
        return replace(bare, notes={place: text}), ()
    if kind == CARD:
        lows = [(suit, low - 1) for suit, (low, _) in enumerate(bounds.lengths) if low >= 3]
        highs = [
            (suit, high + 1) for suit, (low, high) in enumerate(bounds.lengths) if 2 < high <= 5
        ]
        ends = [*lows, *(highs if meaning.record.call == Call.C1NT else ())]
        if not ends:
            return None
        suit, wanted = ends[rng.integers(len(ends))]
        deal = with_length(board.deal, seat, suit, wanted, rng)
        broken = (_SUITS[suit], wanted < bounds.lengths[suit][0])
        return None if deal is None else (replace(bare, deal=deal), broken)
    low, high = bounds.hcp
    ends = [value for value in (low - OFF, high + OFF) if 0 <= value <= 25 and low > 4]
    if not ends:
        return None
    wanted = ends[rng.integers(len(ends))]
    deal = with_points(board.deal, seat, wanted, rng)
    if deal is None:
        return None
    if kind == UNDISCLOSED:
        bare = replace(bare, notes={place: f"{wanted - 1}-{wanted + 1} HCP"})
    return replace(bare, deal=deal), ("strength", wanted < low)


def is_found(held: HeldBoard, place: int, kind: str, broken: Key) -> bool:
    """Return True if a departure that was planted at a call is reported."""
    finding = held.calls[place].finding if place in held.calls else None
    if finding is not None and finding.kind in WANTED[kind]:
        return True
    if kind not in (POINTS, CARD):
        return False
    seat = held.auction.seat_of(place)
    return any(
        earlier.seat == seat and earlier.kind in WANTED[kind] and broken in earlier.sizes
        for earlier in held.findings
        if earlier.place < place
    )


def planted(
    explainer: Explainer, board: Board, shown: str, kind: str, rng: np.random.Generator
) -> Iterator[tuple[Board, int, Key]]:
    """Yield one board with a departure planted, its place, what is broken; none without a place."""
    assert board.auction is not None, "the board was bid"
    meanings = explainer.reader.read(board.auction).meanings
    places = [
        place
        for place, meaning in enumerate(meanings)
        if meaning.known and meaning.agreed and meaning.record.call != Call.PASS
    ]
    for place in rng.permutation(places).tolist():
        altered = plant(board, place, meanings[place], shown, kind, rng)
        if altered is not None:
            yield altered[0], place, altered[1]
            return


def measure(system: str, boards: int, seed: int, shown: str) -> dict[str, object]:
    """Return the departures planted and found, and the flagged calls of the clean boards."""
    explainer = Explainer(reader_for(open_system(system)))
    rng = np.random.default_rng(seed)
    placed: Counter[str] = Counter()
    detected: Counter[str] = Counter()
    missed: list[str] = []
    judged = flagged = 0
    for number in range(1, boards + 1):
        board = bid_out(explainer, number, random_deal(rng))
        clean = hold(explainer, board)
        if clean is not None:
            judged += clean.judged
            flagged += sum(each.kind != JUDGEMENT for each in clean.findings)
        kind = PLANTED[number % len(PLANTED)]
        for changed, place, broken in planted(explainer, board, shown, kind, rng):
            placed[kind] += 1
            held = hold(explainer, changed)
            assert held is not None, "the board has an auction and hands"
            if is_found(held, place, kind, broken):
                detected[kind] += 1
            else:
                finding = held.calls[place].finding
                reported = "nothing" if finding is None else finding.kind
                hand = changed.deal[changed.auction.seat_of(place)]  # type: ignore[union-attr,index]
                missed.append(f"{kind}: {changed.auction}; {hand}: {reported}")
    return {
        "system": system,
        "seed": seed,
        "bounds": shown,
        "boards": boards,
        "judged": judged,
        "flagged_clean": flagged,
        "planted": {kind: placed[kind] for kind in PLANTED},
        "found": {kind: detected[kind] for kind in PLANTED},
        "missed": missed,
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--boards", type=how_many, default=200)
    parser.add_argument("--seed", type=seed_number, default=1)
    parser.add_argument("--bounds", choices=BOUNDS, default="usual", help="What a call shows.")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--missed", action="store_true", help="List what was not found.")
    options = parser.parse_args()
    result = measure(options.system, options.boards, options.seed, options.bounds)
    placed, detected = result["planted"], result["found"]
    assert isinstance(placed, dict), "counts by kind"
    assert isinstance(detected, dict), "counts by kind"
    print(f"{'kind':<14}{'planted':>8}{'found':>8}{'share':>8}")
    for kind in PLANTED:
        share = f"{100 * detected[kind] / placed[kind]:.0f} %" if placed[kind] else "-"
        print(f"{kind:<14}{placed[kind]:>8}{detected[kind]:>8}{share:>8}")
    total, sum_found = sum(placed.values()), sum(detected.values())
    print(f"{'all':<14}{total:>8}{sum_found:>8}{100 * sum_found / max(1, total):>6.0f} %")
    print(f"clean boards: {result['flagged_clean']} of {result['judged']} calls flagged")
    if options.missed:
        print("\n".join(map(str, result["missed"])))  # type: ignore[call-overload]
    if options.json is not None:
        options.json.write_text(json.dumps(result, indent=2), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(ended(main))
