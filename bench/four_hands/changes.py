"""The auctions that a change of the rules cannot touch.

At a position the rules that apply follow from the calls alone (patterns), and what they say follows
from the rules and from what was shown before. So an auction is the same, call by call and in every
reading, if at each of its positions every rule that was changed, added, removed or moved past
another

- does not match the calls, or makes no legal call there; or
- has a condition that is false by what is public; or
- may stand anywhere (an open pattern) and asks for what its player has excluded before: then nobody
  bids by it, and it takes no part in what calls show.

That is found without reading the auction: what was public is kept with it. An auction in which a
hand left what it had shown, or a call contradicted others, goes by the first of the three alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from bidwright.authoring.diff.delta import ChangeKind, delta_of
from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat
from bidwright.kb.language import ast
from bidwright.kb.logic.formula import FALSE
from bidwright.kb.logic.intervals import may_hold
from bidwright.kb.logic.public_facts import PublicFacts
from bidwright.kb.logic.public_state import PublicState
from bidwright.kb.rules.bindings import PublicPosition, Variant, Variants
from bidwright.kb.rules.patterns import Binding, call_of, last_bids, match
from bidwright.kb.rules.rule import CompiledRule
from bidwright.kb.rules.rulebase import RuleBase

_CODE = (
    "bridge",
    "kb",
    "inference",
    "bench/four_hands/bidding.py",
    "bench/four_hands/faults.py",
    "bench/four_hands/states.py",
)
"""The parts of the program that decide the calls and the faults."""


def code_fingerprint() -> str:
    """Return a hash of the code that bids and finds faults."""
    digest = sha256()
    root = Path(str(files("bidwright")))
    for part in _CODE:
        path = root / part
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            if file.suffix in {".py", ".lark", ".lp"}:
                digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


@dataclass(frozen=True, eq=False)
class Version:
    """A version of a system, and its rules that the other version does not have in that place."""

    system: RuleBase
    """The system."""
    rules: tuple[CompiledRule, ...]
    """Rules that were changed, moved past others, or are in this version only."""
    variants: Variants
    """Its rules under bindings of their suits."""


@dataclass(frozen=True, eq=False)
class Change:
    """The difference between two versions of a system."""

    versions: tuple[Version, Version]
    """The earlier one and the later one."""
    rebases: tuple[ast.Rebase, ...]
    """Rebased auctions that were added, removed or moved past others."""
    names: dict[str, str]
    """The later ids of rules that mean the same but have another id."""

    def touches(self, auction: Auction, states: Callable[[], Iterable[PublicState]]) -> bool:
        """Return True if a changed rule may have a say at one of the positions of an auction.

        Args:
            auction: the auction, by the earlier version.
            states: returns what was public before each call, none where that does not count.
        """
        if not (self.rebases or any(version.rules for version in self.versions)):
            return False
        calls = auction.calls
        first = next((at for at, call in enumerate(calls) if call is not Call.PASS), len(calls))
        matching = {
            at: rules for at in range(len(calls)) if (rules := _matching(self, calls[first:at]))
        }
        if not matching:
            return False
        if any(item is None for rules in matching.values() for item in rules):
            return True
        public = dict(enumerate(states()))
        return any(
            at not in public or _has_a_say(self, public[at], found)
            for at, found in matching.items()
        )


def change_of(earlier: RuleBase, later: RuleBase) -> Change:
    """Return the difference between two versions of a system."""
    delta = delta_of(earlier, later)
    turned = [
        (each.kind, rebase)
        for each in delta.causes
        if isinstance(rebase := each.new or each.old, ast.Rebase)
    ]
    moved = any(kind is ChangeKind.MOVED for kind, _ in turned)
    old, new = (
        Version(system, tuple(system.by_id[name] for name in names), Variants(system.lets))
        for system, names in ((earlier, delta.of_old), (later, delta.of_new))
    )
    return Change(
        (old, new),
        earlier.rebases if moved else tuple(rebase for _, rebase in turned),
        dict(delta.renamed),
    )


@lru_cache(maxsize=500_000)
def _matching(change: Change, calls: tuple[Call, ...]) -> tuple[Variant | None, ...]:
    """Return the changed rules that match the calls since the first bid; None for a rebase."""
    for rebase in change.rebases:
        head = calls[: len(rebase.source.elements)]
        if match(rebase.source, head, last_bids(head)) is not None:
            return (None,)
    return tuple(each for version in change.versions for each in _of_version(version, calls))


def _of_version(version: Version, calls: tuple[Call, ...]) -> Iterator[Variant]:
    """Yield the changed rules of a version that match the calls and make a legal call."""
    if not version.rules:
        return
    auction = Auction(Seat.NORTH, calls)
    for echo, view in enumerate(version.system.views(calls)):
        before = last_bids(view)
        bindings = dict[int, Binding | None]()
        for rule in version.rules:
            pattern = rule.pattern
            if echo and pattern.open:
                continue
            if id(pattern) not in bindings:
                bindings[id(pattern)] = match(pattern, view, before)
            fixed = bindings[id(pattern)]
            for variant in () if fixed is None else version.variants.of(rule, fixed):
                # a rebased call may turn into a double: its legality is not looked at
                call = call_of(rule.call, last_bids(calls)[-1], variant.binding)
                if call is not None and (echo or auction.is_legal(call)):
                    yield variant


@lru_cache(maxsize=500_000)
def _kept(change: Change, auction: Auction) -> dict[Variant, bool]:
    """Return a memory for the rules that have a say at a position."""
    return {}


def _has_a_say(change: Change, state: PublicState, variants: Iterable[Variant | None]) -> bool:
    """Return True if one of some rules may have a say at a position."""
    memory = _kept(change, state.auction)
    position: PublicPosition | None = None
    for variant in variants:
        if variant is None:
            return True
        if variant not in memory:
            position = position or PublicPosition(PublicFacts(state))
            formula = position.formula_of(variant)
            memory[variant] = formula != FALSE and (
                not variant.rule.pattern.open or may_hold(formula, state.shown[state.me])
            )
        if memory[variant]:
            return True
    return False
