"""Random deals bid by two versions at once: the auctions where they part, the frequent ones first.

All deals are bid together. An `AuctionNode` is an auction with the deals that reach it in either
version; bidding one call at a node passes its deals on to the nodes after it. The deals that reach
a node in both versions have been bid alike so far: where such a deal is bid otherwise, the versions
part.

A node is `clean` if every call up to it means the same in both versions, proved by the solver where
the rules around it differ. Where no changed rule can apply after a clean node, nothing differs.

Shapes: `D` deals, `B` some of them, `F` features.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bidwright.authoring.diff.delta import Cause, Delta, means_same
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import HAND_SIZE, NUM_CARDS, Seat, Vulnerability
from bidwright.bridge.deal import Deal, deal_from_owner
from bidwright.inference.meaning import Meaning
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.kb.logic.features import features

Rows = NDArray[np.intp]
"""Numbers of deals, int `[B]`, rising."""


class Deals:
    """Random deals."""

    def __init__(self, count: int, seed: int) -> None:
        """Deal; the same seed gives the same deals."""
        rng = np.random.default_rng(seed)
        order = rng.permuted(np.tile(np.arange(NUM_CARDS, dtype=np.uint8), (count, 1)), axis=1)
        self._owner = np.empty((count, NUM_CARDS), dtype=np.uint8)
        seats = np.repeat(np.arange(len(Seat), dtype=np.uint8), HAND_SIZE)
        np.put_along_axis(self._owner, order.astype(np.intp), seats[None, :], axis=1)
        self._features = [features(self._owner == int(seat)) for seat in Seat]

    def __len__(self) -> int:
        """Return the number of deals."""
        return len(self._owner)

    def __getitem__(self, row: int) -> Deal:
        """Return a deal."""
        return deal_from_owner(self._owner[row])

    def features(self, seat: Seat, rows: Rows) -> NDArray[np.int16]:
        """Return the features of a seat's hands, int16 `[B, F]`."""
        return self._features[seat][rows]


# Where a changed rule is near, differences are found sooner.
_TOUCHED = 4
"""Factor on the priority of a node with a changed rule nearby."""


@dataclass
class AuctionNode:
    """An auction, and the deals that come there.

    Attributes:
        old: the auction as the old version reads it.
        new: as the new one does.
        came: the deals that come there in the old and in the new version.
        both: those that come there in both.
        clean: whether every call so far means the same.
        origin: what the first call that does not means otherwise by.
        scale: how many deals each of them stands for, as a share of all.
    """

    old: Reading
    new: Reading
    came: tuple[Rows, Rows]
    both: Rows
    clean: bool
    origin: Cause | None
    scale: float

    @property
    def last(self) -> tuple[Meaning, Meaning]:
        """The meaning of the last call in each version."""
        return self.old.meanings[-1], self.new.meanings[-1]


@dataclass(frozen=True)
class NodeCalls:
    """The calls of the deals at a node.

    Attributes:
        node: the auction.
        rows: the deals that come there in either version.
        chosen: the index of the rule chosen by each version, -1 if none: int `[2, B]`.
        calls: the calls made, int `[2, B]`.
    """

    node: AuctionNode
    rows: Rows
    chosen: NDArray[np.intp]
    calls: NDArray[np.intp]

    @property
    def differs(self) -> NDArray[np.bool_]:
        """The deals that are bid otherwise here, bool `[B]`."""
        result: NDArray[np.bool_] = self.calls[0] != self.calls[1]
        return result


@dataclass(order=True)
class _Waiting:
    """A node that is not read yet."""

    order: tuple[float, int]
    before: AuctionNode | None = field(compare=False)
    call: Call | None = field(compare=False)
    came: tuple[Rows, Rows] = field(compare=False)
    both: Rows = field(compare=False)


class PairedBidding:
    """Bids deals by two versions, as far as it is allowed to look.

    Attributes:
        deals: the deals.
        parted: the share of all deals found to be bid otherwise.
        followed: numbers of the deals that were picked from those left over, and followed.
        left: the share of all deals that the first look left over.
        looked: how many auctions were looked at.
    """

    def __init__(
        self,
        readers: tuple[Reader, Reader],
        delta: Delta,
        deals: Deals,
        vulnerabilities: Sequence[Vulnerability],
        seed: int,
    ) -> None:
        """Prepare to bid.

        Args:
            readers: of the old and the new version; they share one engine.
            delta: what changed between them.
            deals: the deals; North deals all of them.
            vulnerabilities: each gets an equal share of the deals.
            seed: for picking deals that are followed to the end.
        """
        self.deals = deals
        self.parted = 0.0
        self.left = 0.0
        self.followed = 0
        self.looked = 0
        self._parted_late = 0
        self._readers = readers
        self._delta = delta
        self._rng = np.random.default_rng(seed)
        self._heap: list[_Waiting] = []
        self._number = 0
        self._starts = dict(
            zip(
                vulnerabilities,
                np.array_split(np.arange(len(deals)), len(vulnerabilities)),
                strict=True,
            )
        )

    @property
    def error(self) -> float:
        """The standard error of `parted`."""
        size = len(self.deals)
        early = self.parted - self.estimated
        # The rule of succession again: no deal that differs is no proof.
        likely = (early * size + 1) / (size + 2)
        variance = likely * (1 - likely) / size
        if self.followed:
            guess = (self._parted_late + 1) / (self.followed + 2)
            # The deals left over are estimated from the few that were followed.
            variance += self.left**2 * guess * (1 - guess) / self.followed
        return float(np.sqrt(variance))

    @property
    def estimated(self) -> float:
        """The part of `parted` that is estimated from the deals that were followed."""
        return self.left * self._parted_late / self.followed if self.followed else 0.0

    # ------------------------------------------------------------------ the first look

    def look(self, limit: int) -> Iterator[NodeCalls]:
        """Yield the calls of the deals at up to `limit` auctions."""
        share = 1 / len(self.deals)
        for vulnerability, rows in self._starts.items():
            old, new = (reader.start(Seat.NORTH, vulnerability) for reader in self._readers)
            root = AuctionNode(old, new, (rows, rows), rows, True, None, share)
            # Nothing can differ after a root that no changed rule can touch.
            if self._may_differ(root):
                self._wait(None, None, root.came, root.both, root)
        while self._heap and self.looked < limit:
            node = self._next()
            if node is None:
                continue
            self.looked += 1
            choice = self._choose(node)
            # Only deals bid alike so far part here; others have parted before.
            self.parted += share * int(np.isin(choice.rows[choice.differs], node.both).sum())
            yield choice
            self._hand_on(choice)

    def follow(self, count: int) -> Iterator[NodeCalls]:
        """Yield the calls of some of the deals left over, until the versions part.

        The deals are picked at random; they stand for all those left over.
        """
        leftover = [waiting.both for waiting in self._heap]
        rows = np.concatenate([*leftover, np.zeros(0, dtype=np.intp)])
        self.left = len(rows) / len(self.deals)
        if not len(rows):
            return
        # Sorted, since rows are expected to rise; without replacement, as each stands for others.
        picked = np.sort(self._rng.choice(rows, min(count, len(rows)), replace=False))
        scale = self.left / len(picked)
        waiting = []
        for waiting_node in self._heap:
            deals = np.intersect1d(waiting_node.both, picked, assume_unique=True)
            if len(deals):
                waiting_node.came, waiting_node.both = (deals, deals), deals
                waiting.append(waiting_node)
        self._heap = waiting
        heapq.heapify(self._heap)
        self.followed = len(picked)
        while self._heap:
            node = self._next()
            if node is None:
                continue
            # From here on each deal stands for many.
            node.scale = scale
            choice = self._choose(node)
            apart = int(choice.differs.sum())
            self._parted_late += apart
            self.parted += scale * apart
            self.looked += 1
            yield choice
            # A deal is followed until the versions part, no further.
            self._hand_on(choice, only_both=True)

    # -------------------------------------------------------------------- nodes

    def _wait(
        self,
        before: AuctionNode | None,
        call: Call | None,
        came: tuple[Rows, Rows],
        both: Rows,
        root: AuctionNode | None = None,
    ) -> None:
        self._number += 1
        size = max(len(rows) for rows in came) * (_TOUCHED if self._is_near(before, call) else 1)
        # Largest first; numbered, so that equal ones keep their order.
        heapq.heappush(
            self._heap, _Waiting((-size, self._number), before or root, call, came, both)
        )

    def _is_near(self, before: AuctionNode | None, call: Call | None) -> bool:
        """Return True if a changed rule that is no general one may apply after a call."""
        if before is None or call is None:
            return True
        # General rules are near everywhere and would make all alike.
        closed = [each for each in self._delta.patterns if not each.open]
        delta = Delta(patterns=tuple(closed))
        calls = before.old.state.calls
        return delta.can_touch([(*calls, call) if calls or call != Call.PASS else ()])

    def _next(self) -> AuctionNode | None:
        """Return the next node, None if nothing can differ there or after it."""
        waiting = heapq.heappop(self._heap)
        before, call = waiting.before, waiting.call
        assert before is not None
        if call is None:
            return before
        node = AuctionNode(
            before.old.with_call(call),
            before.new.with_call(call),
            waiting.came,
            waiting.both,
            False,
            before.origin,
            before.scale,
        )
        # Once a call means something else, everything after it may.
        node.clean = before.clean and means_same(node.old, node.new)
        if before.clean and not node.clean:
            node.origin = cause_of_call(self._delta, node) or before.origin
        return node if self._may_differ(node) else None

    def _may_differ(self, node: AuctionNode) -> bool:
        if node.old.auction.is_over:
            return not node.clean and bool(node.old.meanings)
        if not node.clean:
            return True
        calls = node.old.state.calls
        views = [
            view for reader in self._readers for view in reader.rules_of(Seat.NORTH).views(calls)
        ]
        return self._delta.can_touch(views)

    def _choose(self, node: AuctionNode) -> NodeCalls:
        rows = np.union1d(*node.came)
        if node.old.auction.is_over:
            nothing = np.zeros((2, 0), dtype=np.intp)
            return NodeCalls(node, rows[:0], nothing, nothing)
        hands = self.deals.features(node.old.state.me, rows)
        decisions = node.old.decision, node.new.decision
        first = decisions[0].choose_for(hands)
        # The same list chooses the same: half of the work.
        same = decisions[0].key == decisions[1].key
        chosen = np.stack([first, first if same else decisions[1].choose_for(hands)])
        calls = np.stack(
            [
                # The last entry, -1, is the pass of a hand without a rule.
                np.array([*(int(each.call) for each in one.instances), int(Call.PASS)])[row]
                for one, row in zip(decisions, chosen, strict=True)
            ]
        )
        return NodeCalls(node, rows, chosen.astype(np.intp), calls)

    def _hand_on(self, choice: NodeCalls, *, only_both: bool = False) -> None:
        """Put the deals at a node to the nodes after it."""
        node = choice.node
        is_both = np.isin(choice.rows, node.both, assume_unique=True)
        is_here = [np.isin(choice.rows, rows, assume_unique=True) for rows in node.came]
        for number in np.unique(choice.calls):
            makes = choice.calls == number
            both = choice.rows[makes[0] & makes[1] & is_both]
            came = (choice.rows[makes[0] & is_here[0]], choice.rows[makes[1] & is_here[1]])
            if only_both:
                came = (both, both)
            if len(came[0]) or len(came[1]):
                self._wait(node, Call(int(number)), came, both)


def cause_of_call(delta: Delta, node: AuctionNode) -> Cause | None:
    """Return the cause of the last call's other meaning; None if it lies further back."""
    call = node.last[0].record.call
    decisions = [meaning.decision for meaning in node.last]
    of_call = [[each for each in one.instances if each.call == call] for one in decisions]
    # Without a rule for the call the rules that did not fit explain it.
    steps = [one.shown_steps(call) or one.unmatched_steps() for one in decisions]
    rivals = [[each.instance for each in one if each.instance] for one in steps]
    return delta.cause_among(*of_call) or delta.cause_among(*rivals)
