"""Which auctions a change of the rules cannot touch.

At a position the rules that apply follow from the calls alone (patterns), and what they say follows
from the rules and from what was shown before. So an auction is the same, call by call and in every
reading, if at none of its positions a rule applies that was changed, added, removed or moved past
another, and no changed `rebase` either. That is found without reading the auction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from bidwright.authoring.diff.causes import ChangeKind
from bidwright.authoring.diff.delta import delta_of
from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat
from bidwright.kb.language import ast
from bidwright.kb.rules.patterns import Binding, bindings, call_of, last_bids, match
from bidwright.kb.rules.rule import CompiledRule
from bidwright.kb.rules.rulebase import RuleBase

_CODE = (
    "bridge",
    "kb",
    "inference",
    "bench/four_hands/bidding.py",
    "bench/four_hands/faults.py",
)
"""The parts of the program that decide what is bid, and what is a fault."""


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
class Change:
    """The difference between two versions of a system."""

    gone: tuple[CompiledRule, ...]
    """Rules of the earlier version that were changed, removed or moved past others."""
    new: tuple[CompiledRule, ...]
    """Rules of the later version that were changed, added or moved past others."""
    rebases: tuple[ast.Rebase, ...]
    """Rebased auctions that were added, removed or moved past others."""
    names: dict[str, str]
    """The later ids of rules that mean the same but have another id."""
    versions: tuple[RuleBase, RuleBase]
    """The earlier and the later version."""

    def touches(self, auction: Auction) -> bool:
        """Tell whether a changed rule applies at one of the positions of an auction."""
        if not (self.gone or self.new or self.rebases):
            return False
        first = next(
            (at for at, call in enumerate(auction.calls) if call is not Call.PASS),
            len(auction.calls),
        )
        calls = auction.calls[first:]
        # the opening position too where all pass; no call follows the last one
        return any(_applies(self, calls[:length]) for length in range(max(1, len(calls))))


def change_of(earlier: RuleBase, later: RuleBase) -> Change:
    """Return the difference between two versions of a system."""
    delta = delta_of(earlier, later)
    turned = [
        (each.kind, rebase)
        for each in delta.causes
        if isinstance(rebase := each.new or each.old, ast.Rebase)
    ]
    moved = any(kind is ChangeKind.MOVED for kind, _ in turned)
    return Change(
        tuple(earlier.by_id[name] for name in delta.of_old),
        tuple(later.by_id[name] for name in delta.of_new),
        earlier.rebases if moved else tuple(rebase for _, rebase in turned),
        dict(delta.renamed),
        (earlier, later),
    )


@lru_cache(maxsize=500_000)
def _applies(change: Change, calls: tuple[Call, ...]) -> bool:
    """Tell whether something that was changed applies after the calls since the first bid."""
    for rebase in change.rebases:
        head = calls[: len(rebase.source.elements)]
        if match(rebase.source, head, last_bids(head)) is not None:
            return True
    pairs = zip((change.gone, change.new), change.versions, strict=True)
    return any(rules and _matches(rules, version, calls) for rules, version in pairs)


def _matches(rules: Sequence[CompiledRule], version: RuleBase, calls: tuple[Call, ...]) -> bool:
    auction = Auction(Seat.NORTH, calls)
    for echo, view in enumerate(version.views(calls)):
        before = last_bids(view)
        found = dict[int, Binding | None]()
        for rule in rules:
            pattern = rule.pattern
            if echo and pattern.open:
                continue
            if id(pattern) not in found:
                found[id(pattern)] = match(pattern, view, before)
            fixed = found[id(pattern)]
            if fixed is not None and (echo or _callable(rule, fixed, auction, before[-1])):
                return True
    return False


def _callable(rule: CompiledRule, fixed: Binding, auction: Auction, last_bid: Call | None) -> bool:
    """Tell whether a rule makes a legal call with some suits for its variables."""
    calls = (call_of(rule.call, last_bid, each) for each in bindings(rule.variables, fixed))
    return any(call is not None and auction.is_legal(call) for call in calls)
