"""The cost in IMPs of rules that another agent disagrees with, by playing on with either call.

    python bench/dissent.py sayc policy:league,system=sayc --boards dd_deals.npz
        --auctions sayc.jsonl.gz --count 4000 --out dissent.jsonl

The rules bid all four hands of each board, and the agent is asked for a call at each of their
positions. Where it disagrees both calls are played on: by the rules in all seats, and by the agent
in all seats. The gain is what the agent's call is worth to its side more than that of the rules, in
IMPs at double dummy. Printed are the rules whose calls lose, most first by the mean of both ways,
with what was called instead and some hands. Rules that bid on may take the other call for something
that it was not, an agent is no better after a call that it would not make: a rule that loses both
ways is a rule to look at. Boards on which rules were mended say nothing of what the mending is
worth. `--out` keeps what is finished, and the same command goes on. The other auctions in the files
of boards are not used. Exit status 2 if a file, system or agent is wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from bidwright.bench.four_hands.boards import Board, add_board_arguments, asked_boards
from bidwright.bridge.cards import Seat, Side
from bidwright.bridge.scoring import imps
from bidwright.kb.loading.compiled import open_system
from bidwright.lab.ending import ended
from bidwright.match.agents.agent import Agent, Answer
from bidwright.match.agents.disclosure import Disclosure
from bidwright.match.agents.specs import default_context, open_agent
from bidwright.match.play.deals import MatchBoard
from bidwright.match.play.playroom import BiddingTable, bid_out
from bidwright.match.record.estimate import Tally
from bidwright.match.record.match_lines import OPEN
from bidwright.runtime.code import code_key
from bidwright.runtime.garbage import collect_rarely
from bidwright.runtime.journal import Journal
from bidwright.runtime.progress import Progress

Json = dict[str, Any]

_TABLES = 50
"""Boards that are bid at a time."""


@dataclass(frozen=True, slots=True)
class Dissent:
    """A position where an agent would not have made the call of the rules.

    Attributes:
        board: the number of the board.
        rule: the rule that called; empty if no rule fitted.
        call: its call.
        other: the agent's.
        before: the auction.
        hand: the hand that called.
        by_rules: IMPs that the agent's call gains its side, all bidding on by the rules.
        by_agent: the same, all bidding on as the agent does.
    """

    board: int
    rule: str
    call: str
    other: str
    before: str
    hand: str
    by_rules: int
    by_agent: int

    @property
    def gain(self) -> float:
        """The gain of the agent's call, the mean of both ways to bid on."""
        return (self.by_rules + self.by_agent) / 2


class Dissenting:
    """Finds where an agent disagrees with the rules that bid, and what that is worth."""

    def __init__(self, rules: Agent, agent: Agent, view: Disclosure) -> None:
        """Let rules bid and an agent disagree, both of a system that a view discloses."""
        self._rules, self._agent, self._view = rules, agent, view

    def of(self, boards: Sequence[Board]) -> Iterator[Dissent]:
        """Yield the disagreements on some boards."""
        # The rules bid, so that a disagreement is about a position that the rules come to; one that
        # the agent leads to may be one that no rule was written for.
        bid = [self._table(board, self._rules, ()) for board in boards]
        bid_out(bid)
        places = [
            (board, table, place)
            for board, table in zip(boards, bid, strict=True)
            for place in range(len(table.answers))
        ]
        asked = [
            self._table(board, self._agent, table.answers[:place]).request()
            for board, table, place in places
        ]
        # All positions in one call: an agent with a network answers hundreds of rows as fast as a
        # few.
        answers = self._agent.calls(asked)
        dissents = [
            (*where, answer)
            for where, answer in zip(places, answers, strict=True)
            if answer.call != where[1].answers[where[2]].call
        ]
        # Both ways to bid on: by the rules a call that they do not expect may be punished, and by
        # the agent it gets answers that the rules would not give.
        by_rules, stays, by_agent = (
            [
                self._table(
                    board, bidder, (*table.answers[:at], other if changed else table.answers[at])
                )
                for board, table, at, other in dissents
            ]
            for bidder, changed in (
                (self._rules, True),
                (self._agent, False),
                (self._agent, True),
            )
        )
        bid_out([*by_rules, *stays, *by_agent])
        for (board, table, place, other), *on in zip(
            dissents, by_rules, stays, by_agent, strict=True
        ):
            before = on[0].auction.calls[:place]
            # The agent's call is compared with the rules' call bid on by the same bidder, not with
            # another bidding on: that would measure the rest of the auction.
            of_agent, seat = table.answers[place], table.auction.seat_of(place)
            ours, theirs = _gain(board, seat, table, on[0]), _gain(board, seat, on[1], on[2])
            words = " ".join(str(call) for call in before)
            hand = str(board.deal[seat])
            rule = of_agent.rule or ""
            yield Dissent(
                board.number, rule, str(of_agent.call), str(other.call), words, hand, ours, theirs
            )

    def _table(self, board: Board, bidder: Agent, answers: Iterable[Answer]) -> BiddingTable:
        """Return a table after some calls, where one agent makes the others."""
        laid = MatchBoard(board.number, board.deal, board.dealer, board.vulnerability)
        agents, views = dict.fromkeys(Seat, bidder), dict.fromkeys(Side, self._view)
        table = BiddingTable(laid, OPEN, agents, views)
        for answer in answers:
            table.take(answer)
        return table


def _gain(board: Board, seat: Seat, one: BiddingTable, other: BiddingTable) -> int:
    """Return the IMPs that a seat's side gains at the other of two tables."""
    points = [board.score_ns(table.auction.contract()) for table in (one, other)]
    better = points[1] - points[0]
    return imps(better if seat.side is Side.NS else -better)


def report(
    found: Sequence[Dissent],
    boards: int,
    top: int,
    shown: int,
    least: int,
    places: Mapping[str, str],
) -> str:
    """Return the rules that lose most where the agent disagrees.

    Args:
        found: the disagreements.
        boards: how many boards there were.
        top: rules to list.
        shown: hands to show of each.
        least: disagreements that a rule must have to be listed.
        places: the file and line of each rule, by its name.
    """
    of_rule = defaultdict[tuple[str, str], list[Dissent]](list)
    for dissent in found:
        of_rule[dissent.rule, dissent.call].append(dissent)
    # One swing of 13 IMPs would put a rule at the top that lost nothing else.
    listed = [each for each in of_rule.items() if len(each[1]) >= least]
    listed.sort(key=lambda item: -sum(each.gain for each in item[1]))
    lines = [f"{len(found)} disagreements on {boards} boards; IMPs that the other call gains"]
    lines.append("per 1000 boards; each time by the rules, by the agent; times; rule; instead")
    for (rule, call), all_of in listed[:top]:
        ways = [Tally.of(each.by_rules for each in all_of), Tally.of(e.by_agent for e in all_of)]
        per = 1000 * sum(each.gain for each in all_of) / boards
        means = ", ".join(f"{way.mean:+5.2f} +- {way.error:.2f}" for way in ways)
        instead = Counter(each.other for each in all_of).most_common(4)
        other = ", ".join(f"{call} {times}" for call, times in instead)
        name = f"{call} by {rule}, {places[rule]}" if rule else f"{call}, no rule"
        lines.append(f"{per:+7.1f}  {means}  {len(all_of):4}  {name}  ({other})")
        worst = sorted(all_of, key=lambda each: (-each.gain, each.board))
        lines += [
            f"{'':9}{each.by_rules:+3} {each.by_agent:+3}  {each.hand} after "
            f"{each.before or 'nothing'}: {each.other} (board {each.board})"
            for each in worst[:shown]
        ]
    return "\n".join(lines)


def parsed(words: Sequence[str] | None) -> argparse.Namespace:
    """Return the arguments."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("system", help="a system's name or path")
    parser.add_argument("agent", help="an agent, as for bidwright match")
    add_board_arguments(parser)
    parser.add_argument("--out", type=Path, required=True, help="keep what is finished there")
    parser.add_argument("--top", type=int, default=40, help="rules to list")
    parser.add_argument("--hands", type=int, default=4, help="hands to show of each rule")
    parser.add_argument("--least", type=int, default=4, help="disagreements of a rule listed")
    given = parser.parse_args(words)
    if min(given.first, given.top, given.hands, given.least, given.count or 0) < 0:
        parser.error("expected no number below 0")
    return given


def run(given: argparse.Namespace) -> None:
    """Bid and play on, and print the rules."""
    boards = asked_boards(given)
    context = default_context(given.system)
    rules = open_agent(f"rules:{given.system}", context)
    agent = open_agent(given.agent, context)
    view = Disclosure(context.library, given.system, given.system)
    system = open_system(given.system)
    about = {
        "dissent": system.fingerprint,
        "agent": agent.card(),
        "code": code_key("bridge", "kb", "inference", "neural"),
        "boards": sha256("".join(board.key for board in boards).encode()).hexdigest()[:16],
    }
    header = (json.dumps(about) + "\n").encode()
    dissents: list[Dissent] = []
    with Journal(given.out, header, "disagreements by this system, agent and code") as journal:
        done = 0
        for line in map(json.loads, journal.content.decode().splitlines()):
            done = line["done"]
            dissents += [Dissent(**each) for each in line["found"]]
        dissenting = Dissenting(rules, agent, view)
        with Progress(len(boards), "bidding", "boards").shown() as progress:
            progress.show(done)
            while done < len(boards):
                # In pieces that are written as they end: a run of thousands of boards may be
                # interrupted.
                new = list(dissenting.of(boards[done : done + _TABLES]))
                done, dissents = min(len(boards), done + _TABLES), dissents + new
                line = {"done": done, "found": [_plain(each) for each in new]}
                journal.add((json.dumps(line) + "\n").encode())
                progress.show(done)
    agent.close()
    places = {each.id: f"{each.span.file}:{each.span.line}" for each in system.rules}
    print(report(dissents, len(boards), given.top, given.hands, given.least, places))


def _plain(dissent: Dissent) -> Json:
    return {name: getattr(dissent, name) for name in Dissent.__slots__}


def main(words: Sequence[str] | None = None) -> int:
    """Run the search; return the exit status."""
    given = parsed(words)
    collect_rarely()
    return ended(lambda: run(given), "what was bid is kept, and the same command goes on")


if __name__ == "__main__":
    sys.exit(ended(main))
