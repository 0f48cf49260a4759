"""A client of the table-manager protocol that shares no code with the package.

It was written from the transcripts alone, in another manner: one blocking socket, a loop over
regular expressions, strings for everything. It bids a little by points and length, explains its
bids, and plays the first legal card if it is asked to.

Usage: python foreign_client.py HOST PORT SEAT TEAM
"""

import re
import socket
import sys
import time

SEATS = ["North", "East", "South", "West"]
RANKS = "AKQJT98765432"
DENOMINATIONS = ["C", "D", "H", "S", "NT"]
BIDS = [f"{level}{name}" for level in range(1, 8) for name in DENOMINATIONS]


class Foreigner:
    """One client: what it knows of the board in hand."""

    def __init__(self, host: str, port: int, seat: str, team: str) -> None:
        """Connect, trying for ten seconds."""
        self.seat, self.team = seat, team
        for _ in range(50):
            try:
                self.socket = socket.create_connection((host, port), timeout=120)
                break
            except OSError:
                time.sleep(0.2)
        else:
            raise SystemExit("no table manager")
        self.file = self.socket.makefile("r", encoding="ascii", newline="\r\n")
        self.boards = 0

    def say(self, text: str) -> None:
        """Send a line."""
        self.socket.sendall(f"{text}\r\n".encode("ascii"))

    def hear(self) -> str:
        """Return the next line; nothing at the end."""
        return self.file.readline().strip()

    def run(self) -> int:
        """Take part until the session ends; return the number of boards."""
        self.say(f'Connecting "{self.team}" as {self.seat} using protocol version 18')
        if "seated" not in self.hear():
            raise SystemExit("not seated")
        self.say(f"{self.seat} ready for teams")
        if not self.hear().startswith("Teams"):
            raise SystemExit("no teams")
        self.say(f"{self.seat} ready to start")
        while (line := self.hear()) and line != "End of session":
            self.take(line)
        self.socket.close()
        return self.boards

    def take(self, line: str) -> None:
        """React to a line."""
        if line == "Start of board":
            self.calls: list[str] = []
            self.played: list[str] = []
            self.dummy_cards: list[str] = []
            self.leading = False
            self.say(f"{self.seat} ready for deal")
        elif found := re.match(r"Board number (\d+)\. Dealer (\w+)\.", line):
            self.dealer = SEATS.index(found[2])
            self.say(f"{self.seat} ready for cards")
        elif line.startswith(f"{self.seat}'s cards"):
            self.cards = cards_of(line)
            self.boards += 1
            self.bid()
        elif line.startswith("Dummy's cards"):
            self.dummy_cards = cards_of(line)
            self.play()
        elif found := re.match(r"(\w+) (passes|doubles|redoubles|bids (\w+))", line):
            self.calls.append(found[3] or found[2])
            self.bid()
        elif found := re.match(r"(\w+) plays (\w\w)", line):
            self.add(found[2])
            self.play()
        elif re.match(r"\w+ to lead", line):
            self.leading = True
            self.play()

    # ------------------------------------------------------------------ auction

    def bid(self) -> None:
        """Call if it is my turn, then wait for the next call, until the auction is over."""
        while not self.over():
            turn = SEATS[(self.dealer + len(self.calls)) % 4]
            if turn != self.seat:
                self.say(f"{self.seat} ready for {turn}'s bid")
                return
            call, text = self.choose()
            self.calls.append(call)
            words = call if call == "passes" else f"bids {call}"
            self.say(f"{self.seat} {words}{text}")
        if any(call in BIDS for call in self.calls):
            self.contract()
            self.play()

    def over(self) -> bool:
        """Return True if the auction is over."""
        if len(self.calls) < 4:
            return False
        return self.calls[-3:] == ["passes"] * 3

    def choose(self) -> tuple[str, str]:
        """Return a call and its explanation."""
        points = sum(max(0, 4 - RANKS.index(card[0])) for card in self.cards)
        suits = {suit: sum(card[1] == suit for card in self.cards) for suit in "CDHS"}
        longest = max("CDHS", key=lambda suit: (suits[suit], suit))
        mine = self.calls[-2::-4]
        bids = [call for call in self.calls if call in BIDS]
        partner = next((call for call in mine if call in BIDS), None)
        lowest = BIDS.index(bids[-1]) + 1 if bids else 0
        if partner is None and points >= 12 and not self.calls[-4::-4].count("1NT"):
            name = "NT" if 15 <= points <= 17 and sorted(suits.values())[0] > 1 else longest
            return self.cheapest(lowest, name, 2, f" Infos. HCP={points}-{points + 3}")
        if partner is not None and points >= 6 and len(self.calls) < 8:
            suit = partner[1:]
            if suit in suits and suits[suit] >= 3:
                level = 4 if points >= 12 and suit in "HS" else 2 if points < 10 else 3
                bid = f"{level}{suit}"
                if BIDS.index(bid) >= lowest:
                    return bid, f" Alert. support, {suit}=3-6."
            return self.cheapest(lowest, longest, 2, "")
        return "passes", ""

    def cheapest(self, lowest: int, name: str, level: int, text: str) -> tuple[str, str]:
        """Return the cheapest bid of a denomination, a pass if that is too high."""
        for bid in BIDS[lowest:]:
            if bid[1:] == name:
                return (bid, text) if int(bid[0]) <= level else ("passes", "")
        return "passes", ""

    def contract(self) -> None:
        """Find declarer, dummy and trumps."""
        last = max(index for index, call in enumerate(self.calls) if call in BIDS)
        self.trumps = self.calls[last][1:]
        for index, call in enumerate(self.calls):
            if call in BIDS and call[1:] == self.trumps and (index - last) % 2 == 0:
                self.declarer = (self.dealer + index) % 4
                break
        self.dummy = (self.declarer + 2) % 4
        self.turn = (self.declarer + 1) % 4
        self.played = []

    # --------------------------------------------------------------------- play

    def add(self, card: str) -> None:
        """Note a card; the turn passes on, after a trick to its winner."""
        self.played.append(card)
        self.turn = (self.turn + 1) % 4
        if len(self.played) % 4 == 0:
            trick = self.played[-4:]

            def strength(place: int) -> int:
                rank = 13 - RANKS.index(trick[place][0])
                suit = trick[place][1]
                return rank + (200 if suit == self.trumps else 100 if suit == trick[0][1] else 0)

            self.turn = (self.turn + max(range(4), key=strength)) % 4

    def play(self) -> None:
        """Play if it is my turn, or say what I wait for."""
        me = SEATS.index(self.seat)
        while len(self.played) < 52:
            if self.played and me != self.dummy and not self.dummy_cards:
                self.say(f"{self.seat} ready for dummy")
                return
            player = self.declarer if self.turn == self.dummy else self.turn
            trick = len(self.played) // 4 + 1
            if player != me:
                whose = "dummy" if self.turn == self.dummy else SEATS[self.turn]
                self.say(f"{self.seat} ready for {whose}'s card to trick {trick}")
                return
            if len(self.played) % 4 == 0 and not self.leading:
                return
            self.leading = False
            holding = self.dummy_cards if self.turn == self.dummy else self.cards
            left = [card for card in holding if card not in self.played]
            start = len(self.played) // 4 * 4
            led = self.played[start][1] if len(self.played) > start else ""
            card = next((each for each in left if each[1] == led), left[0])
            self.say(f"{SEATS[self.turn]} plays {card}")
            self.add(card)


def cards_of(line: str) -> list[str]:
    """Return the cards of a line, rank first."""
    cards = []
    for part in line.split(":")[1].split("."):
        words = part.split()
        cards += [rank + words[0] for rank in words[1:] if rank != "-"]
    return cards


if __name__ == "__main__":
    host, port, seat, team = sys.argv[1:5]
    boards = Foreigner(host, int(port), seat, team).run()
    print(f"{seat}: {boards} boards", file=sys.stderr)
