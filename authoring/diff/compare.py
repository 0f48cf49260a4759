"""Two versions compared: hands that call otherwise, and calls that mean something else.

Three sources, in this order: deals bid by both versions, the frequent auctions first
(`paired_bidding`); some of the deals that this leaves over, followed to the end; and for changed
rules that no deal reached, an auction at which they apply.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from bidwright.authoring.diff.delta import (
    Calls,
    Cause,
    ChangedDecision,
    Delta,
    HandChange,
    MeaningChange,
    aspects,
    means_same,
)
from bidwright.authoring.diff.paired_bidding import (
    AuctionNode,
    NodeCalls,
    PairedBidding,
    Rows,
    cause_of_call,
)
from bidwright.authoring.hands.dealing import calls_other
from bidwright.authoring.hands.positions import Explorer
from bidwright.authoring.hands.proofs import HandsAt, chosen_by, frequency, hand_of
from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat, Vulnerability
from bidwright.bridge.hand import Hand
from bidwright.inference.reading.reader import Reader
from bidwright.kb.language import ast
from bidwright.kb.logic.features import features, held_cards
from bidwright.kb.rules.decision_list import DecisionList
from bidwright.kb.rules.rule import CompiledRule


@dataclass(frozen=True)
class Effort:
    """Limits of the search for differences.

    Attributes:
        deals: random deals that are bid by both versions.
        positions: auctions that are looked at, those of most deals first.
        follow: of the deals that this leaves over, how many are followed to the end.
        top: the most differences of a kind that are shown for each change.
        causes: the most changes that are shown with their differences, the most frequent first.
        seed: what deals are drawn from.
        vulnerability: the only one to look at; None to choose by what changed.
    """

    deals: int = 10_000
    positions: int = 250
    follow: int = 50
    top: int = 8
    causes: int = 12
    seed: int = 0
    vulnerability: Vulnerability | None = None

    @property
    def visit(self) -> int:
        """The most changed rules, reached by no deal, for which an auction is searched."""
        return 2 + self.positions // 8


USUAL = Effort()
"""As far as is looked if nothing is said."""


_USERS = 4
"""Rules that are looked at for a definition."""
_BASES = 60
"""Auctions that are continued to find one for a general rule."""


class Comparison:
    """The collected differences of two versions.

    Attributes:
        hands: hands with another call in the new version.
        meanings: calls that mean something else.
        unseen: changed rules that no auction was found for.
    """

    def __init__(self, delta: Delta, readers: tuple[Reader, Reader], play: PairedBidding) -> None:
        """Prepare to compare."""
        self.unseen: list[Cause] = []
        self._delta = delta
        self._readers = readers
        self._play = play
        self._hands: dict[tuple[Calls, Call, Call], HandChange] = {}
        self._meanings: dict[Calls, MeaningChange] = {}
        self._bases: list[Auction] = []
        self._passed: tuple[Rows, Rows] = (np.zeros(0, np.intp), np.zeros(0, np.intp))

    @property
    def hands(self) -> list[HandChange]:
        """Hands that call otherwise, the frequent ones first."""
        changes = list(self._hands.values())
        for change in changes:
            change.places.sort(key=lambda place: (-place.weight, len(place.new.auction.calls)))
        return sorted(changes, key=lambda each: (-each.weight, len(each.calls), each.calls))

    @property
    def meanings(self) -> list[MeaningChange]:
        """Calls that mean something else, the frequent ones first."""
        changes = self._meanings.values()
        return sorted(changes, key=lambda each: (-each.weight, len(each.calls), each.calls))

    # -------------------------------------------------------------------- from deals

    def take(self, choice: NodeCalls, *, meanings: bool = True) -> None:
        """Add the calls of deals at an auction, and the meaning of the last call there."""
        node = choice.node
        # Some auctions for general rules, which have none of their own.
        if len(self._bases) < _BASES:
            self._bases.append(node.new.auction)
        if meanings and node.new.meanings and not node.clean:
            self._compare_meaning(node)
        if not len(choice.rows):
            return
        # Hands are compared where the new version brings them; only if none comes, the old one.
        basis = node.came[1] if len(node.came[1]) else node.came[0]
        differs = choice.differs & np.isin(choice.rows, basis, assume_unique=True)
        is_both = np.isin(choice.rows, node.both, assume_unique=True)
        for pair in sorted(set(zip(*choice.calls[:, differs].tolist(), strict=True))):
            here = differs & (choice.calls[0] == pair[0]) & (choice.calls[1] == pair[1])
            # A deal bid alike so far shows the difference best.
            common = here & is_both
            row = int(choice.rows[common if common.any() else here][0])
            deal = self._play.deals[row]
            hand = deal[node.new.state.me]
            assert hand is not None
            size = int(here.sum())
            side = 1 if len(node.came[1]) else 0
            place = ChangedDecision(node.old, node.new, side, size * node.scale, size, hand, deal)
            chosen = Counter(zip(*choice.chosen[:, here].tolist(), strict=True)).most_common(1)
            change = self._note(Call(pair[0]), Call(pair[1]), place, chosen[0][0], node.origin)
            # Deals that were bid alike up to here part here: each deal counts once in all.
            change.first += node.scale * int(common.sum())
            # Each deal stands for `scale`, so its variance is the square of that.
            change.variance += node.scale**2 * int(common.sum())

    def _note(
        self,
        old: Call,
        new: Call,
        place: ChangedDecision,
        chosen: tuple[int, int],
        origin: Cause | None,
    ) -> HandChange:
        calls = place.new.state.calls
        # Seats and vulnerabilities of one auction are one change, with a place for each.
        change = self._hands.get((calls, old, new))
        if change is None:
            decisions = place.old.decision, place.new.decision
            picked = [
                [one.instances[index]] if index >= 0 else []
                for one, index in zip(decisions, chosen, strict=True)
            ]
            making = [
                [each for each in one.instances if each.call in (old, new)] for one in decisions
            ]
            cause = (
                # The rules that hands were bid by, then those for either call, then an earlier
                # call, then any rule.
                self._delta.cause_among(*picked)
                or self._delta.cause_among(*making)
                or origin
                or self._delta.cause_among(*(one.instances for one in decisions))
            )
            rules = tuple(each[0].rule if each else None for each in picked)
            change = HandChange(calls, old, new, cause, (rules[0], rules[1]))
            self._hands[calls, old, new] = change
        earlier = [each for each in change.places if each.new.auction == place.new.auction]
        if earlier:
            earlier[0].weight += place.weight
            earlier[0].deals += place.deals
        else:
            change.places.append(place)
        return change

    # ----------------------------------------------------------------------- meanings

    def _compare_meaning(self, node: AuctionNode) -> None:
        calls = node.new.state.calls or node.new.auction.calls[-1:]
        came = node.came
        if not node.new.state.calls:
            # All players may pass on one deal, and this is one meaning: the deal counts once.
            seen = self._passed
            came = (np.setdiff1d(came[0], seen[0]), np.setdiff1d(came[1], seen[1]))
            self._passed = np.union1d(seen[0], came[0]), np.union1d(seen[1], came[1])
        weights = tuple(node.scale * len(rows) for rows in came)
        earlier = self._meanings.get(calls)
        if earlier is not None:
            earlier.weights = (earlier.weights[0] + weights[0], earlier.weights[1] + weights[1])
            return
        # Asked once for an auction: later deals with another vulnerability only add their weight.
        differing = tuple(aspects(*node.last, self._delta))
        if differing:
            cause = cause_of_call(self._delta, node) or node.origin
            self._meanings[calls] = MeaningChange(
                calls, cause, differing, (node.old, node.new), (weights[0], weights[1])
            )

    # ------------------------------------------------------------- what no deal came to

    @property
    def at_work(self) -> set[Cause | None]:
        """The changes of the files that are known to change something at the table."""
        seen = {change.cause for change in self._hands.values()}
        ruled: list[tuple[int, str]] = []
        for change in self._hands.values():
            ruled += [(side, rule.id) for side, rule in enumerate(change.rules) if rule]
        for other in self._meanings.values():
            seen.add(other.cause)
            for side, reading in enumerate(other.readings):
                ruled += [(side, each.rule.id) for each in reading.meanings[-1].instances]
        for side, name in ruled:
            seen.update((self._delta.of_old, self._delta.of_new)[side].get(name, ()))
        return seen

    def missing(self) -> list[Cause]:
        """Return the changes that nothing is known of yet, in the order of the files.

        Those of a rebase are not among them.
        """
        seen = self.at_work
        return [
            cause
            for cause in self._delta.causes
            if cause not in seen and not isinstance(cause.new or cause.old, ast.Rebase)
        ]

    def visit(self, cause: Cause) -> None:
        """Compare the versions at an auction with a changed rule; note if there is none.

        For a definition it is a rule that rests on it.
        """
        is_found = False
        for side, rule in self._concerned(cause):
            reader = self._readers[side]
            explorer = Explorer(reader.rules_of(Seat.NORTH), reader)
            bases = [reader.read(each) for each in self._bases] if rule.pattern.open else []
            for reading in explorer.positions_of([rule], 1, bases):
                if any(each.rule is rule for each in reading.decision.instances):
                    is_found = True
                    self._look_at(reading.auction, side, rule)
                    break
            # The other version may already show what changed.
            if side == 0 and cause in self.at_work:
                return  # both versions were looked at
        if not is_found:
            self.unseen.append(cause)

    def _concerned(self, cause: Cause) -> list[tuple[int, CompiledRule]]:
        """Return rules that a change concerns, each with its version: the new one is 1."""
        if not cause.is_definition:
            side = 0 if cause.new is None else 1
            rule = cause.old if cause.new is None else cause.new
            assert isinstance(rule, CompiledRule)
            return [(side, rule)]
        versions = [reader.rules_of(Seat.NORTH).by_id for reader in self._readers]
        return [
            (side, versions[side][name])
            for name in cause.users[:_USERS]
            for side in (1, 0)
            if name in versions[side]
        ]

    def _look_at(self, auction: Auction, side: int, rule: CompiledRule) -> None:
        """Add the calls of the hands that got to an auction, and the meanings of the calls."""
        old, new = (reader.read(auction) for reader in self._readers)
        decisions = old.decision, new.decision
        places = [i for i, each in enumerate(decisions[side].instances) if each.rule is rule]
        here = HandsAt((old, new)[side])
        held = here.sample
        # A rule that none of the sample chose needs a hand that the solver makes.
        if not np.isin(decisions[side].choose_for(here.sample_features), places).any():
            hand = _hand_for(here, side, decisions, places)
            held = held if hand is None else np.concatenate([held, held_cards([hand])])
        share = frequency((old, new)[side]).value / max(len(held), 1)
        rows = features(held)
        chosen = [one.choose_for(rows).tolist() for one in decisions]
        counts = Counter(zip(*chosen, strict=True))
        for pair, count in counts.items():
            calls = [
                one.instances[index].call if index >= 0 else Call.PASS
                for one, index in zip(decisions, pair, strict=True)
            ]
            if calls[0] != calls[1]:
                # One hand of each pair of rules is enough to show it.
                hand = hand_of(held[list(zip(*chosen, strict=True)).index(pair)])
                place = ChangedDecision(old, new, side, share * count, 0, hand)
                self._note(calls[0], calls[1], place, pair, None)
        call = decisions[side].instances[places[0]].call
        after = AuctionNode(
            old.with_call(call),
            new.with_call(call),
            (np.zeros(0, dtype=np.intp),) * 2,
            np.zeros(0, dtype=np.intp),
            False,
            None,
            0.0,
        )
        # What the rule's call means now, although no deal came there.
        if not means_same(after.old, after.new):
            self._compare_meaning(after)


def _hand_for(
    here: HandsAt, side: int, decisions: tuple[DecisionList, DecisionList], own: list[int]
) -> Hand | None:
    """Return a hand that a rule bids, and the other version bids otherwise."""
    call = decisions[side].instances[own[0]].call
    question = chosen_by(decisions[side], *own) & calls_other(decisions[1 - side], call)
    return here.example(question)
