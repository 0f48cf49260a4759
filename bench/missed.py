"""Where a player passes although his side has the values for game, by hands drawn from the auction.

    python bench/missed.py sayc --boards 300
    python bench/missed.py sayc --auctions auctions.txt --deals 150

Takes positions, from a file (an auction a line) or from random boards that rules bid: those of both
sides' auctions in which only general rules told a player to pass, the most frequent ones first.
Deals that fit each auction are drawn, and the player to call is asked what he calls. Counted are
deals on which he passes and his side has 26 points, or 24 and nine cards of a major. A few are bad
luck, since partner may have the most that he can; where they are many, a rule is missing. Exit
status 2 if the system or an auction is wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from bidwright.bench.reference import is_contested
from bidwright.bridge.auction import Auction, parse_auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat, Side, Vulnerability
from bidwright.bridge.deal import Deal, random_deal
from bidwright.bridge.errors import BidwrightError, InvalidError
from bidwright.bridge.text_files import load
from bidwright.inference.posterior.draws import draw_batches
from bidwright.inference.reading.player import choose
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.inference.sampling import feasible_knowledge
from bidwright.inference.sampling.knowledge import RareDealsError
from bidwright.kb.loading.compiled import open_system
from bidwright.lab.ending import ended
from bidwright.runtime.files import write_text
from bidwright.runtime.garbage import collect_rarely

GAME, GAME_WITH_NINE = 26, 24
"""High-card points of both hands that count as the values for game; with nine cards of a major."""


@dataclass(frozen=True)
class Missed:
    """A position, and the deals on which its player passed with the values for game.

    Attributes:
        auction: the calls before.
        deals: how many were drawn.
        missed: on how many he passed so.
        hands: of some of them, the player's hand, partner's and the rule that passed.
    """

    auction: str
    deals: int
    missed: int
    hands: tuple[tuple[str, str, str], ...]


def has_game(deal: Deal, seat: Seat) -> bool:
    """Return True if a player and his partner have the values for game between them."""
    hand, other = deal.hands[seat], deal.hands[seat.partner]
    assert hand is not None
    assert other is not None
    points = hand.hcp + other.hcp
    majors = [a + b for a, b in zip(hand.lengths[2:], other.lengths[2:], strict=True)]
    return points >= GAME or (points >= GAME_WITH_NINE and max(majors) >= 9)


def looked_at(reading: Reading, deals: int, rng: np.random.Generator, shown: int) -> Missed | None:
    """Return the calls of drawn hands at a position.

    None if game is bid, or if the search finds no more deals that fit the auction.
    """
    if not reading.state.is_below_game:
        return None
    seat = reading.state.me
    drawn, missed, hands = 0, 0, list[tuple[str, str, str]]()
    try:
        for batch in draw_batches(feasible_knowledge(reading), deals, rng):
            for deal in batch:
                drawn += 1
                hand, partner = deal.hands[seat], deal.hands[seat.partner]
                assert hand is not None
                assert partner is not None
                choice = choose(reading, hand)
                if choice.call is Call.PASS and has_game(deal, seat):
                    missed += 1
                    rule = choice.instance.rule if choice.instance else None
                    by = (rule.text or rule.id) if rule else "no rule"
                    hands.append((hand.to_pbn(), partner.to_pbn(), by))
    except RareDealsError:
        return None
    return Missed(str(reading.auction), drawn, missed, tuple(hands[:shown]))


def frequent_passes(reader: Reader, boards: int, rng: np.random.Generator) -> list[Auction]:
    """Return contested auctions that were passed by general rules only, the most frequent first.

    Args:
        reader: the system, for both sides.
        boards: random boards that are bid.
        rng: consumed.
    """
    passes: Counter[Auction] = Counter()
    for number in range(boards):
        deal = random_deal(rng)
        reading = reader.start(Seat(number % 4), Vulnerability.NONE)
        while not reading.auction.is_over:
            auction, hand = reading.auction, deal.hands[reading.state.me]
            assert hand is not None
            choice = choose(reading, hand)
            general = choice.instance is None or choice.instance.rule.pattern.open
            if choice.call is Call.PASS and general and is_contested(auction, len(auction.calls)):
                passes[auction] += 1
            reading = reading.with_call(choice.call)
    return [auction for auction, _ in passes.most_common()]


def read_auctions(path: Path) -> list[Auction]:
    """Return the auctions of a file, one a line; blank lines and those with # are put aside.

    Raises:
        InvalidError: The file cannot be read, or a line is no auction.
    """
    auctions = []
    lines, _ = load(path)
    for number, line in enumerate(lines.splitlines(), start=1):
        text = line.partition("#")[0].strip()
        if text:
            try:
                auctions.append(parse_auction(text))
            except BidwrightError as error:
                raise InvalidError(f"{path}:{number}: {error}") from None
    return auctions


def told(found: Missed) -> str:
    """Return a line for a position, and one for each of the hands."""
    lines = [f"{found.missed:4} of {found.deals}  {found.auction}"]
    lines += [f"{'':13}{own} opposite {other}: {rule}" for own, other, rule in found.hands]
    return "\n".join(lines)


def search(given: argparse.Namespace) -> Iterator[Missed]:
    """Yield the findings at each position, those without a missed game left out."""
    system = open_system(given.system)
    reader = Reader(dict.fromkeys(Side, system))
    rng = np.random.default_rng(given.seed)
    if given.auctions:
        auctions = read_auctions(given.auctions)
    else:
        auctions = frequent_passes(reader, given.boards, rng)[: given.positions]
    for auction in auctions:
        position = looked_at(reader.read(auction), given.deals, rng, given.hands)
        if position is not None and position.missed:
            yield position


def main(words: Sequence[str] | None = None) -> int:
    """Run the search; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("system", help="a system's name or path")
    parser.add_argument("--auctions", type=Path, help="file of auctions, one a line")
    parser.add_argument("--boards", type=int, default=300, help="random boards, without a file")
    parser.add_argument("--positions", type=int, default=100, help="of them, the most frequent")
    parser.add_argument("--deals", type=int, default=150, help="drawn for each position")
    parser.add_argument("--hands", type=int, default=3, help="that are shown of each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args(words)
    if min(given.boards, given.positions, given.deals) < 1 or min(given.seed, given.hands) < 0:
        parser.error("expected at least one board, position and deal, and a seed from 0")
    collect_rarely()
    results = []
    try:
        for missed in search(given):
            results.append(missed)
            print(told(missed), flush=True)
    except BidwrightError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped; nothing is kept", file=sys.stderr)
        return 130
    if given.json:
        write_text(given.json, json.dumps([asdict(each) for each in results], indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(ended(main))
