"""The calls that rules offer after some calls, and which of them public facts allow.

The general rules are hundreds, and a position allows few of them. Many begin with the same
guards: that of their block comes first. So the offers of a pattern are kept as a tree by their
guards, and a guard that fails puts all offers below it aside at once. Guards that stand side by
side and read the same few public facts are looked up together, by the values of these facts; so is
what a rule comes to.

The tree holds rules, not calls: `bid(X)` is another call over another last bid, and its guards are
the same. So a pattern has one tree for all auctions, and what its rules call is worked out for the
branches that are reached, once for each last bid. All of it is made when it is first needed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from bidwright.bridge.calls import Call
from bidwright.kb.expressions.agreements import Tier
from bidwright.kb.logic.formula import FALSE
from bidwright.kb.logic.public_facts import Key, PublicFacts
from bidwright.kb.rules.bindings import Conjunct, Names, Variant, Variants, nothing, values_of
from bidwright.kb.rules.decision_list import Instance
from bidwright.kb.rules.patterns import Binding, BoundCall, Specificity, bound_call, call_over
from bidwright.kb.rules.rule import RuleGroup


class Order(NamedTuple):
    """The place of an offer in the order of choice: `RuleRank`, and what else decides."""

    specificity: Specificity
    echo: int
    tier: Tier
    layer: int
    priority: int
    order: int
    call: int
    binding: int


_MOST_KNOWN = 1024
"""Answers that are kept of a question about public facts."""


# Together like this a position takes 69 look-ups of guards; 129 if only guards of equal facts are.
_FACTS_TOGETHER = 4
"""The most public facts of guards that are looked up together."""

_NOTHING_KNOWN: Any = {}
"""Answers to a question that was never asked: most never are."""

T = TypeVar("T")


class _Asked(ABC, Generic[T]):
    """Consequences of some public facts, by their values.

    Attributes:
        values_of: what reads the facts; it reads nothing as long as they are not known.
        known: what follows, by the values; bounded.
    """

    __slots__ = ("known", "values_of")

    def __init__(self) -> None:
        """Start with nothing known."""
        self.values_of: Callable[[PublicFacts], Hashable] = nothing
        self.known: dict[Hashable, tuple[T, ...]] = _NOTHING_KNOWN

    def learn(self, facts: PublicFacts) -> tuple[T, ...]:
        """Return the answer for facts not met before, and keep it."""
        answer = self._answer(facts)
        if self.known is _NOTHING_KNOWN:
            # Facts of some conjuncts are known only once these have been folded.
            keys = self._keys()
            if keys is None:
                return answer
            self.values_of = values_of(keys)
            self.known = {}
        elif len(self.known) >= _MOST_KNOWN:
            self.known = {}
        self.known[self.values_of(facts)] = answer
        return answer

    @abstractmethod
    def _answer(self, facts: PublicFacts) -> tuple[T, ...]:
        """Return the answer, computed afresh."""

    @abstractmethod
    def _keys(self) -> tuple[Key, ...] | None:
        """Return the facts that all answers depend on; None as long as they are not known."""


class _Guarded(_Asked["_Branch"]):
    """Branches with guards of the same few facts; the answer is those with a guard that holds."""

    __slots__ = ("_below", "_read")

    def __init__(self, keys: tuple[Key, ...], below: Sequence[tuple[Conjunct, _Branch]]) -> None:
        super().__init__()
        self._read = keys
        self._below = below

    def _answer(self, facts: PublicFacts) -> tuple[_Branch, ...]:
        return tuple(below for guard, below in self._below if guard.formula(facts) is not FALSE)

    def _keys(self) -> tuple[Key, ...]:
        return self._read


class Offer(_Asked[tuple[Order, Instance]]):
    """A rule that applies after some calls; at a position it follows, if a hand can satisfy it.

    Attributes:
        variant: the rule under a binding.
        call: what it calls.
        echo: which view of the auction it applies in.
        place: which of the rule's bindings it is.
    """

    __slots__ = ("_order", "call", "echo", "place", "variant")

    def __init__(self, variant: Variant, call: Call, echo: int, place: int) -> None:
        """Offer a rule; its guards hold where it is asked about."""
        super().__init__()
        self.variant = variant
        self.call = call
        self.echo = echo
        self.place = place
        self._order: Order | None = None

    @property
    def order(self) -> Order:
        """Its place in the order of choice; no two after the same calls are equal."""
        if self._order is None:
            specificity, tier, layer, priority, order = self.variant.rule.rank
            self._order = Order(
                specificity, self.echo, tier, layer, priority, order, int(self.call), self.place
            )
        return self._order

    def _answer(self, facts: PublicFacts) -> tuple[tuple[Order, Instance], ...]:
        instance = self.variant.at(self.call, facts)
        return () if instance is None else ((self.order, instance),)

    def _keys(self) -> tuple[Key, ...] | None:
        return self.variant.keys


class Candidate:
    """A rule under a binding that may apply after some calls, whatever it calls there.

    Attributes:
        variant: the rule under the binding.
        place: which of the rule's bindings it is.
        bound: its call with the suit filled in.
    """

    __slots__ = ("_offers", "bound", "place", "variant")

    def __init__(self, variant: Variant, place: int, bound: BoundCall) -> None:
        """Start with no offer made."""
        self.variant = variant
        self.place = place
        self.bound = bound
        self._offers: dict[tuple[Call, int], Offer] = {}

    def offer(self, calling: Calling) -> Offer | None:
        """Return the offer of its call; None where it has none or that is not legal."""
        call = calling.call(self.bound)
        if call is None:
            return None
        # A relative call such as `jump(M)` is one candidate with other calls after other last bids.
        key = call, calling.echo
        offer = self._offers.get(key)
        if offer is None:
            offer = self._offers[key] = Offer(self.variant, call, calling.echo, self.place)
        return offer


class Calling:
    """The calls of rules where some calls are legal.

    Attributes:
        echo: which view of the auction it is.
    """

    __slots__ = ("_calls", "_last_bid", "_legal", "_stolen", "echo")

    def __init__(
        self, last_bid: Call | None, legal: Collection[Call], stolen: Call | None, echo: int
    ) -> None:
        """Work out nothing yet.

        Args:
            last_bid: the last bid, if there is one.
            legal: the legal calls.
            stolen: their bid that a double takes the meaning of, if there is one.
            echo: which view of the auction it is.
        """
        self._last_bid = last_bid
        self._legal = legal
        self._stolen = stolen
        self._calls: dict[BoundCall, Call | None] = {}
        self.echo = echo

    def call(self, bound: BoundCall) -> Call | None:
        """Return the call of a bound call; None where it is not legal."""
        if bound not in self._calls:
            call = call_over(bound, self._last_bid)
            # With `stolen` a double means what the bid would have meant that the opponents made.
            if call is not None and call == self._stolen:
                call = Call.DOUBLE
            self._calls[bound] = call if call in self._legal else None
        return self._calls[bound]


class _Branch:
    """Rules that are left once some guards hold.

    Most branches are never reached, so one is split by the next guards when it first is.

    Attributes:
        offers: those without another guard, as offers of their legal calls; by what rules call.
        guarded: the others, as branches by their next guard, together where their guards read the
            same few facts; None before the branch is first reached.
    """

    __slots__ = ("_depth", "_free", "_left", "guarded", "offers")

    def __init__(self, left: Sequence[Candidate], depth: int) -> None:
        """Take rules after the tests of their first `depth` guards."""
        self._left = left
        self._depth = depth
        self._free: list[Candidate] = []
        self.offers: dict[Calling, list[Offer]] = {}
        self.guarded: list[_Guarded] | None = None

    def offers_of(self, calling: Calling) -> list[Offer]:
        """Return the offers without another guard where they are not known, and keep them."""
        offers = (each.offer(calling) for each in self._free)
        kept_offers = self.offers[calling] = [offer for offer in offers if offer is not None]
        return kept_offers

    def split(self, facts: PublicFacts) -> list[_Guarded]:
        """Split the rules by the few facts that their next guards read, at some position."""
        depth = self._depth
        by_guard: dict[Conjunct, list[Candidate]] = {}
        for offered in self._left:
            guards = offered.variant.guards
            # A block's `when` comes first in the conditions of its rules, so they share the branch
            # that tests it.
            if len(guards) == depth:
                self._free.append(offered)
            else:
                by_guard.setdefault(guards[depth], []).append(offered)
        self._left = ()
        packs: list[tuple[dict[Key, None], list[tuple[Conjunct, _Branch]]]] = []
        for guard, left in by_guard.items():
            # A conjunct says which facts it reads only once it has been folded at some position.
            if guard.keys is None:
                guard.formula(facts)
            assert guard.keys is not None, "it is folded"
            keys_of_guard = dict.fromkeys(guard.keys)
            member = guard, _Branch(left, depth + 1)
            for keys, members in packs:
                # A pack has four facts at most, but one that began with more takes guards that read
                # none besides.
                if len(keys | keys_of_guard) <= max(_FACTS_TOGETHER, len(keys)):
                    keys |= keys_of_guard
                    members.append(member)
                    break
            else:
                packs.append((keys_of_guard, [member]))
        self.guarded = [_Guarded(tuple(keys), members) for keys, members in packs]
        return self.guarded


class RuleTree:
    """The rules of one pattern with the suits that it fixes, by their guards.

    Attributes:
        candidates: all of them.
    """

    __slots__ = ("_root", "candidates")

    def __init__(self, candidates: Iterable[Candidate]) -> None:
        """Keep rules."""
        self.candidates = tuple(candidates)
        self._root = _Branch(self.candidates, 0)

    def applying(self, calling: Calling, facts: PublicFacts) -> list[tuple[Order, Instance]]:
        """Return the rules that public facts allow, each with its place in the order of choice."""
        allowed: list[tuple[Order, Instance]] = []
        waiting = [self._root]
        while waiting:  # without calls: this is the inner loop of every reading
            branch = waiting.pop()
            guarded = branch.guarded
            for guarded_offers in branch.split(facts) if guarded is None else guarded:
                below = guarded_offers.known.get(guarded_offers.values_of(facts))
                waiting += guarded_offers.learn(facts) if below is None else below
            offers = branch.offers.get(calling)
            for offered in branch.offers_of(calling) if offers is None else offers:
                rules = offered.known.get(offered.values_of(facts))
                allowed += offered.learn(facts) if rules is None else rules
        return allowed


class Offers:
    """The calls of the rules of one pattern after some calls.

    Attributes:
        tree: the rules.
        calling: what they call.
    """

    __slots__ = ("_all", "_least", "calling", "tree")

    def __init__(
        self, tree: RuleTree, calling: Calling, least: Mapping[Call, int] | None = None
    ) -> None:
        """Offer the rules of a tree; by call, those before a place in file order do not count."""
        self.tree = tree
        self.calling = calling
        self._least = least
        self._all: tuple[Offer, ...] | None = None

    @property
    def all(self) -> tuple[Offer, ...]:
        """The offers, whatever public facts allow."""
        if self._all is None:
            offers = (each.offer(self.calling) for each in self.tree.candidates)
            self._all = tuple(
                each
                for each in offers
                if each is not None
                and (self._least is None or each.order.order >= self._least[each.call])
            )
        return self._all

    def applying(self, facts: PublicFacts) -> list[tuple[Order, Instance]]:
        """Return the rules that public facts allow, each with its place in the order of choice."""
        applying = self.tree.applying(self.calling, facts)
        least = self._least
        if least is None:
            return applying
        return [(order, each) for order, each in applying if order.order >= least[each.call]]

    def from_place(self, least: Callable[[Call], int]) -> Offers:
        """Return the offers from a place in file order on, which depends on the call."""
        return Offers(self.tree, self.calling, {call: least(call) for call in self._calls()})

    def of_tree(self, tree: RuleTree) -> Offers:
        """Return the offers of other rules that make the same calls."""
        return Offers(tree, self.calling, self._least)

    def _calls(self) -> set[Call]:
        return {each.call for each in self.all}


_Key = tuple[Call | None, tuple[bool, bool], Call | None, int]
"""The last bid, whether we may double or redouble, their bid that a double stands for, and which
view of the auction it is."""


class SystemOffers:
    """The offers of a system's rules, made when they are first needed."""

    def __init__(self, variants: Variants) -> None:
        """Use the variants of a system's rules."""
        self._variants = variants
        self._trees: dict[tuple[int, Names], RuleTree] = {}
        self._callings: dict[_Key, Calling] = {}

    def calling(
        self, last_bid: Call | None, legal: Collection[Call], stolen: Call | None, echo: int
    ) -> Calling:
        """Return the calls of rules among the legal ones; see `Calling` for the arguments."""
        # The legal bids follow from the last one.
        key = last_bid, (Call.DOUBLE in legal, Call.REDOUBLE in legal), stolen, echo
        calling = self._callings.get(key)
        if calling is None:
            calling = self._callings[key] = Calling(last_bid, legal, stolen, echo)
        return calling

    def tree(self, group: RuleGroup, fixed: Binding) -> RuleTree:
        """Return the rules of a pattern with the suits that it fixes."""
        key = id(group), tuple(sorted(fixed.items()))
        tree = self._trees.get(key)
        if tree is None:
            tree = self._trees[key] = RuleTree(
                Candidate(variant, place, bound)
                for rule in group.rules
                for place, variant in enumerate(self._variants.of(rule, fixed))
                if (bound := bound_call(rule.call, variant.binding)) is not None
            )
        return tree
