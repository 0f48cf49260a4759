"""Play a bot of one's own against the rules: it stops in game where partner has not shown much.

Run it with: python examples/cautious_bot.py [BOARDS]
"""

import sys

import bidwright


class Cautious(bidwright.Bot):
    """Bids by the rules, but no slam without 33 points that the two hands are sure to have."""

    system = "sayc"

    def __init__(self) -> None:
        """Open the system once, so that it remembers what it has read."""
        self._rules = bidwright.open_system(self.system)

    def call(self, request: bidwright.Request) -> bidwright.Call:
        """Return the call of the rules, or a pass in place of a slam that may lack points."""
        call = self._rules.bid(request.hand, request.auction).call
        if call.level < 6:
            return call
        shown = self._rules.read(request.auction).last_of(request.seat.partner)
        partner = shown.bounds.hcp[0] if shown else 0
        return call if request.hand.hcp + partner >= 33 else bidwright.Call.PASS


def main(boards: int = 8) -> None:
    """Print the result of a match."""
    print(bidwright.play_match(Cautious(), "rules:sayc", boards, seed=1))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
