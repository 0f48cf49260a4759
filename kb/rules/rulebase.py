"""From statements to a rule base: which rules apply at a position, in which order.

`RuleBase.decide(state)` matches every pattern against the auction, binds suit variables, folds
conditions with the public facts of the state and returns the instances in the order of choice:
more specific pattern first, then tier, what a system says before what a system says that it
includes, higher priority and file order, and for several bindings of one rule the cheapest call
first. Where a rule of a closed pattern makes a call, general rules (open patterns) for the same
call do not apply, catch-alls apart: what the book says of a call is all there is. Which of them bid
and which only explain is for the decision list to say.
"""

from __future__ import annotations

import pickle
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat
from bidwright.kb.conditions.environment import (
    ConditionError,
    Environment,
    NoPosition,
    with_opposites,
)
from bidwright.kb.conditions.fold import fold
from bidwright.kb.expressions.agreements import Rebase
from bidwright.kb.expressions.condition_nodes import Apply, Condition, Let, Name
from bidwright.kb.expressions.nodes import Node, Span, parts
from bidwright.kb.logic.formula import FALSE, Formula
from bidwright.kb.logic.latitude import SYSTEMS_OWN
from bidwright.kb.logic.public_facts import PublicFacts
from bidwright.kb.logic.public_state import PublicState
from bidwright.kb.rules.bindings import PublicPosition, Variants
from bidwright.kb.rules.book import by_the_book, current
from bidwright.kb.rules.decision_list import DecisionList, Hands
from bidwright.kb.rules.offers import Candidate, Offer, Offers, RuleTree, SystemOffers
from bidwright.kb.rules.patterns import (
    PatternIndex,
    bindings,
    last_bids,
    match,
)
from bidwright.kb.rules.rule import CompiledRule, RuleGroup, by_pattern
from bidwright.kb.rules.superseded import SupersededAuctions, UndiscussedCalls
from bidwright.kb.rules.views import AuctionView, AuctionViews

if TYPE_CHECKING:  # to read an auction none of these is needed, and importing them takes time
    from bidwright.kb.expressions.agreements import Example
    from bidwright.kb.language.diagnostics import Diagnostic
    from bidwright.kb.language.rule_changes import RuleChange


@dataclass(frozen=True, slots=True)
class Said:
    """The compiled statements of a system.

    Attributes:
        rules: its rules, in file order.
        examples: (module, example) pairs.
        lets: its definitions by name.
        rebases: the auctions in which our calls mean what they mean in another one.
        superseded: the auctions in which what was said before counts no longer.
        latitude: points that players who have bid before may be away from a bound of strength.
    """

    rules: tuple[CompiledRule, ...] = ()
    examples: tuple[tuple[str, Example], ...] = ()
    lets: Mapping[str, Let] = field(default_factory=dict)
    rebases: tuple[Rebase, ...] = ()
    superseded: tuple[SupersededAuctions, ...] = ()
    latitude: int = SYSTEMS_OWN


NOTHING_SAID = Said()
"""A system without a rule."""


Examples = tuple[tuple[str, "Example"], ...]
Changes = tuple["RuleChange", ...]


class RuleBase:
    """A compiled system.

    Attributes:
        name: the system's name, such as `sayc`.
        title: its title.
        lets: definitions by name.
        latitude: points that players who have bid before may be away from a bound of strength.
        file_hashes: the SHA-256 of each file that it was compiled from, by the file's name.
        questions: the questions that it has answers to.
    """

    def __init__(
        self,
        name: str,
        title: str,
        says: Said = NOTHING_SAID,
        changes: Sequence[RuleChange] = (),
        file_hashes: Mapping[str, str] | None = None,
    ) -> None:
        """Take the statements of a system, compiled: see `kb.assembly`."""
        self.name = name
        self.title = title
        self._apart: tuple[Examples, Changes] | bytes = says.examples, tuple(changes)
        self.file_hashes = dict(file_hashes or {})
        self._groups = by_pattern(says.rules)
        self.lets = dict(says.lets)
        self._rebases = says.rebases
        self.latitude = says.latitude
        self._superseded = says.superseded
        self._undiscussed = UndiscussedCalls(self._superseded)
        rules = [rule for group in self._groups for rule in group.rules]
        self.questions = frozenset(rule.answers for rule in rules if rule.answers is not None)
        layers = {rule.rank.layer for rule in rules}
        self._is_layered = len(layers) > 1
        self._variants = Variants(self.lets)
        self._system_offers = SystemOffers(self._variants)
        # Made for the object: a cache of the method would keep every system alive.
        self._matches = lru_cache(maxsize=50_000)(self._find_matches)
        self._views = AuctionViews(self._rebases, self._superseded)

    @cached_property
    def rules(self) -> tuple[CompiledRule, ...]:
        """All rules, in file order."""
        rules = (rule for group in self._groups for rule in group.rules)
        return tuple(sorted(rules, key=lambda rule: rule.rank.order))

    @property
    def examples(self) -> Examples:
        """Its (module, example) pairs."""
        return self._taken_apart[0]

    @property
    def changes(self) -> Changes:
        """The fate of rules and definitions that the system changes."""
        return self._taken_apart[1]

    @property
    def _taken_apart(self) -> tuple[Examples, Changes]:
        """Data that no auction needs; from a cache file it is decoded when first asked for."""
        if isinstance(self._apart, bytes):
            self._apart = pickle.loads(self._apart)
        assert not isinstance(self._apart, bytes)
        return self._apart

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the meaning of the rules; see `kb.rules.fingerprints`."""
        from bidwright.kb.rules.fingerprints import fingerprint

        return fingerprint(self.rules, self.lets, self._rebases, self._superseded, self.latitude)

    @property
    def rebases(self) -> tuple[Rebase, ...]:
        """The auctions that take the meaning of our calls from another one."""
        return self._rebases

    @property
    def superseded(self) -> tuple[SupersededAuctions, ...]:
        """The auctions with earlier rules that count no longer."""
        return self._superseded

    @cached_property
    def by_id(self) -> dict[str, CompiledRule]:
        """The rules by their ids."""
        return {rule.id: rule for rule in self.rules}

    def __getstate__(self) -> dict[str, object]:
        """Leave the caches out, so that a compiled system can be kept on disk."""
        # Whatever a system works out has to be here: otherwise a compiled system carries all that
        # it has bid before along.
        caches = (
            "rules",
            "by_id",
            "_groups_by_length",
            "_variants",
            "_system_offers",
            "_matches",
            "_views",
        )
        state = {k: v for k, v in self.__dict__.items() if k not in caches}
        if not isinstance(self._apart, bytes):
            # Bytes inside bytes: opening a system decodes rules, and leaves examples until `check`
            # wants them.
            state["_apart"] = pickle.dumps(self._apart, protocol=pickle.HIGHEST_PROTOCOL)
        return state

    def __setstate__(self, state: Mapping[str, object]) -> None:
        """Start with empty caches."""
        self.__dict__.update(state)
        self._variants = Variants(self.lets)
        self._system_offers = SystemOffers(self._variants)
        self._matches = lru_cache(maxsize=50_000)(self._find_matches)
        self._views = AuctionViews(self._rebases, self._superseded)

    # -------------------------------------------------------------- matching

    def views(self, calls: tuple[Call, ...]) -> Iterator[tuple[Call, ...]]:
        """Yield calls from the first bid on, and then as each `rebase` statement sees them."""
        yield from (each.calls for each in self._views.of(calls))

    @cached_property
    def _groups_by_length(self) -> dict[int, tuple[list[RuleGroup], PatternIndex]]:
        """The groups of closed patterns by their number of calls; open ones under -1."""
        groups: dict[int, list[RuleGroup]] = {}
        for group in self._groups:
            length = -1 if group.pattern.open else len(group.pattern.elements)
            groups.setdefault(length, []).append(group)
        return {
            length: (some, PatternIndex([group.pattern for group in some]))
            for length, some in groups.items()
        }

    def _may_match(self, calls: tuple[Call, ...], *, closed: bool) -> Iterator[RuleGroup]:
        """Yield the groups with a pattern that may match calls: closed patterns, or open ones."""
        indexed = self._groups_by_length.get(len(calls) if closed else -1)
        if indexed is not None:
            groups, index = indexed
            yield from (groups[place] for place in index.candidates(calls))

    def _find_matches(self, calls: tuple[Call, ...]) -> tuple[Offers, ...]:
        """Return the offers after the calls since the first bid, by pattern."""
        # Who deals makes no call legal.
        legal = frozenset(Auction(Seat.NORTH, calls).legal_calls())
        last_bid = last_bids(calls)[-1]
        matches: list[Offers] = []
        for echo, view in enumerate(self._views.of(calls)):
            calling = self._system_offers.calling(last_bid, legal, view.stolen, echo)
            before = last_bids(view.calls)
            groups = [*self._may_match(view.calls, closed=True)]
            # A rebase lends the book of another auction; general rules speak of the auction as it
            # is.
            if not echo:
                groups += self._may_match(view.calls, closed=False)
            for group in groups:
                fixed = match(group.pattern, view.calls, before)
                if fixed is None:
                    continue
                offers = Offers(self._system_offers.tree(group, fixed), calling)
                if (view.superseded or self._undiscussed) and not group.pattern.open:
                    offers = self._counting(offers, view)
                matches.append(offers)
        return tuple(matches)

    def _counting(self, offers: Offers, view: AuctionView) -> Offers:
        """Return the offers of closed patterns that are not superseded."""
        count = self._undiscussed.count_superseded
        return offers.from_place(lambda call: max(view.superseded, count(view.calls, call)))

    def _in_order(self, calls: tuple[Call, ...]) -> list[Offer]:
        """Return the offers after the calls since the first bid, in the order of choice."""
        offers = (offer for each in self._matches(calls) for offer in each.all)
        return sorted(offers, key=_order_of)

    # -------------------------------------------------------------- deciding

    def decide(self, state: PublicState, hands: Hands) -> DecisionList:
        """Return the rules that apply for the player to call, in the order of choice.

        No pass is among them where it could end the auction below the level that our side is
        forced to.

        Args:
            state: what is public.
            hands: which hands there are, and which the player to call has shown.
        """
        facts = PublicFacts(state)
        applying = [
            (order, instance)
            for offers in self._matches(state.calls)
            for order, instance in offers.applying(facts)
            if instance.call != Call.PASS or not state.is_pass_excluded
        ]
        # Offers come by pattern; the order of choice runs across patterns.
        applying.sort(key=_first)
        present = current(applying, hands) if self._is_layered else [each for _, each in applying]
        rules = by_the_book(present, hands)
        agreed = {each.call for each in rules if not each.rule.pattern.open}
        undiscussed = self._undiscussed.said(self.views(state.calls), agreed)
        sees = facts.sees_vulnerability
        return DecisionList(rules, hands, self.latitude, undiscussed, sees)

    def formulas(self, facts: PublicFacts, ids: Collection[str]) -> tuple[Formula, ...]:
        """Return the formulas of rules at a position, in the order of choice.

        Args:
            facts: of the position.
            ids: of the rules; each binding of one counts. What a public condition rules out is
                there as the formula that no hand satisfies.
        """
        position = PublicPosition(facts)
        return tuple(
            position.formula_of(offer.variant)
            for offer in self._in_order(facts.state.calls)
            if offer.variant.rule.id in ids
        )

    def ruled_out(self, facts: PublicFacts, call: Call) -> list[tuple[CompiledRule, Condition]]:
        """Return the rules that would make a call but for a condition on the auction.

        Args:
            facts: of the position.
            call: the call.

        Returns:
            Each rule once, in the order of choice, with the first of its conditions on public
            facts that does not hold.
        """
        position = PublicPosition(facts)
        failing: dict[str, tuple[CompiledRule, Condition]] = {}
        for offer in self._in_order(facts.state.calls):
            if offer.call != call:
                continue
            for guard in offer.variant.guards:
                if not position.holds(guard):
                    rule = offer.variant.rule
                    failing.setdefault(rule.id, (rule, guard.condition))
                    break
        return list(failing.values())

    def may_apply(self, facts: PublicFacts, ids: Collection[str]) -> bool:
        """Return True if one of some rules applies at a position, as far as public facts tell.

        Args:
            facts: of the position.
            ids: of the rules.
        """
        position = PublicPosition(facts)
        return any(
            position.formula_of(offer.variant) != FALSE
            for offers in self._matches(facts.state.calls)
            for offer in offers.all
            if offer.variant.rule.id in ids
        )

    def matching(self, state: PublicState) -> frozenset[str]:
        """Return the ids of the rules with a fitting pattern and a legal call."""
        return frozenset(
            offer.variant.rule.id for offers in self._matches(state.calls) for offer in offers.all
        )

    # -------------------------------------------------------------- changing

    def users_of(self, lets: Collection[str]) -> list[str]:
        """Return the ids of the rules with a condition that rests on given definitions."""
        if not lets:
            return []
        users = set(lets)
        # Definitions may use each other, so users are looked for until no more come.
        while more := {
            name
            for name, let in self.lets.items()
            if name not in users and not users.isdisjoint(_names_in(let.body))
        }:
            users |= more
        return [
            rule.id
            for rule in self.rules
            if rule.condition is not None and not users.isdisjoint(_names_in(rule.condition))
        ]

    def with_conditions(
        self, conditions: Mapping[str, Condition | None], lets: Mapping[str, Let]
    ) -> RuleBase:
        """Return the same system with other conditions and definitions, quickly.

        What the patterns match is looked up in this system, so many small changes can be tried.

        Args:
            conditions: of rules, by id; the suit letters in them stay the same.
            lets: definitions that take the place of those of the same name.
        """
        other = RuleBase(self.name, self.title)
        other._apart, other._rebases, other._views = self._apart, self._rebases, self._views
        other.questions = self.questions
        other.latitude = self.latitude
        other._superseded, other._undiscussed = self._superseded, self._undiscussed
        other._is_layered = self._is_layered
        other.lets = {**self.lets, **lets}
        other._variants = Variants(other.lets)
        changed: dict[int, CompiledRule] = {}
        for name in {*conditions, *self.users_of(lets)}:
            rule = self.by_id[name]
            changed[id(rule)] = replace(rule, condition=conditions.get(name, rule.condition))
        other._groups = tuple(group.with_rules(changed) for group in self._groups)
        trees: dict[int, tuple[RuleTree, RuleTree]] = {}

        def renewed(candidate: Candidate) -> Candidate:
            variant, place, bound = candidate.variant, candidate.place, candidate.bound
            rule = changed.get(id(variant.rule))
            if rule is None:
                return candidate
            return Candidate(other._variants.under(rule, variant.binding), place, bound)

        def matches(calls: tuple[Call, ...]) -> tuple[Offers, ...]:
            renewed_offers = []
            for offers in self._matches(calls):
                tree = offers.tree
                if id(tree) not in trees:  # kept with the answer, so its id stays in use
                    is_changed = any(id(each.variant.rule) in changed for each in tree.candidates)
                    new = RuleTree(map(renewed, tree.candidates)) if is_changed else tree
                    trees[id(tree)] = tree, new
                renewed_offers.append(offers.of_tree(trees[id(tree)][1]))
            return tuple(renewed_offers)

        other._matches = lru_cache(maxsize=50_000)(matches)
        return other

    # -------------------------------------------------------------- checking

    def diagnose(self) -> list[Diagnostic]:
        """Return the mistakes that only folding finds, such as `longest + shortest`."""
        from bidwright.kb.language.diagnostics import Diagnostic, Severity

        mistakes: dict[tuple[Span, str], Diagnostic] = {}
        for rule in self.rules:
            # A sum is wrong whatever its suits are, so one binding is tried; only four letters can
            # have suits of their own.
            binding = next(iter(bindings(tuple("MmXYZW")[:4], {})), {})
            suits = {**with_opposites(binding), "Z": 3, "W": 2}
            env = Environment(suits, self.lets, NoPosition(), {})
            try:
                for condition in (rule.condition, rule.usually):
                    if condition is not None:
                        fold(condition, env)
            except ConditionError as error:
                span = error.node.span if error.node.span.line else rule.span
                mistakes[span, str(error)] = Diagnostic("E210", Severity.ERROR, str(error), span)
        return list(mistakes.values())


_order_of = attrgetter("order")
_first = itemgetter(0)


def _names_in(node: Node) -> set[str]:
    """Return the words and functions in a condition or number."""
    return {each.name for each in parts(node) if isinstance(each, Name | Apply)}
