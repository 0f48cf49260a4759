"""Measure how often a weak and a strong notrump find their game: a study in a few lines.

Run it with: python examples/notrump_study.py [DEALS]
"""

import sys

import bidwright
from bidwright import Denomination, Seat


def share_of_games(system: bidwright.System, deals: int) -> float:
    """Return the share of deals on which nine tricks are there after 1NT and a raise to 3NT."""
    drawn = system.sample("1NT (P) 3NT", deals, seed=1, exact=True)
    with bidwright.DoubleDummy() as solver:
        tricks = solver.tricks(drawn.owner, [Denomination.NOTRUMP] * deals, [Seat.NORTH] * deals)
    return float((tricks >= 9).mean())


def main(deals: int = 40) -> None:
    """Print the share for both ranges."""
    for notrump in ("15..17", "12..14"):
        system = bidwright.open_system("sayc", notrump=notrump)
        print(f"1NT {notrump}: 3NT makes on {share_of_games(system, deals):.0%} of {deals} deals")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
