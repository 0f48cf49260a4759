"""What changed in the files: the causes of everything else.

Rules of two versions are paired by what they mean, then by their ids, then by pattern and call:
so a rule that got another id, because one was put before it, is still the same rule.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from bidwright.authoring.diff.causes import Cause, ChangeKind, said_by
from bidwright.bridge.calls import Call
from bidwright.kb.language import ast
from bidwright.kb.language.printer import condition_text
from bidwright.kb.rules.decision_list import Instance
from bidwright.kb.rules.fingerprints import RuleFingerprints, rule_fingerprints
from bidwright.kb.rules.patterns import last_bids, match
from bidwright.kb.rules.rule import CompiledRule
from bidwright.kb.rules.rulebase import RuleBase

_WORDS = ("text", "alert", "announce", "convention", "usually")


@dataclass(frozen=True)
class Reworded:
    """A rule that means the same in other words.

    Attributes:
        old: the rule as it was.
        new: as it is.
        words: what its words are called, what they were and what they are.
    """

    old: CompiledRule
    new: CompiledRule
    words: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Delta:
    """What changed between two versions of a system.

    Attributes:
        causes: what can change a meaning, in the order of the new files.
        reworded: rules that mean the same in other words.
        renamed: rules that mean the same under another id: the old one and the new one.
        pairs: the old id of every rule of the new version that was there before.
        of_old: the causes of each old rule that changed, by id.
        of_new: likewise in the new version.
        patterns: the patterns of the rules concerned, in both versions.
        rebases: what the rebases of both versions look at, and what `replace` puts aside there.
        reads_vulnerability: whether a rule that changed looks at the vulnerability, itself or by a
            definition.
    """

    causes: tuple[Cause, ...] = ()
    reworded: tuple[Reworded, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    pairs: dict[str, str] = field(default_factory=dict)
    of_old: dict[str, tuple[Cause, ...]] = field(default_factory=dict)
    of_new: dict[str, tuple[Cause, ...]] = field(default_factory=dict)
    patterns: tuple[ast.Pattern, ...] = ()
    rebases: tuple[ast.Pattern, ...] = ()
    reads_vulnerability: bool = False

    def cause_among(self, old: Iterable[Instance], new: Iterable[Instance]) -> Cause | None:
        """Return the change of the first of some rules that changed, the new version's first."""
        for instances, causes in ((new, self.of_new), (old, self.of_old)):
            for each in instances:
                if each.rule.id in causes:
                    return causes[each.rule.id][0]
        return None

    def can_touch(self, views: Iterable[tuple[Call, ...]]) -> bool:
        """Tell whether a changed rule may apply at some calls or after more of them.

        Args:
            views: the calls since the first bid, as both versions see them.
        """
        return any(
            _may_come(pattern, view)
            for view in views
            for pattern in (*self.patterns, *self.rebases)
        )

    @cached_property
    def changed_in_words(self) -> frozenset[str]:
        """The ids, in the new version, of the rules that mean the same in other words."""
        return frozenset(each.new.id for each in self.reworded)


_VULNERABLE = ("vulnerable", "they_vulnerable", "favourable", "unfavourable")


def _may_come(pattern: ast.Pattern, calls: tuple[Call, ...]) -> bool:
    """Tell whether a pattern may match these calls, or these and more."""
    if pattern.open:
        return True
    if len(pattern.elements) < len(calls):
        return False
    head = ast.Pattern(pattern.elements[: len(calls)])
    return match(head, calls, last_bids(calls)) is not None


def delta_of(old: RuleBase, new: RuleBase) -> Delta:
    """Return what changed between two versions."""
    marks = rule_fingerprints(old), rule_fingerprints(new)
    pairs = _pairs(old, new, marks)
    same = {b: a for a, b in pairs.items() if marks[0].of_rule[a] == marks[1].of_rule[b]}
    lets = _let_causes(old, new)
    of_old: defaultdict[str, list[Cause]] = defaultdict(list)
    of_new: defaultdict[str, list[Cause]] = defaultdict(list)
    causes: list[Cause] = []

    def note(cause: Cause, before: str | None, after: str | None) -> None:
        causes.append(cause)
        if before is not None:
            of_old[before].append(cause)
        if after is not None:
            of_new[after].append(cause)

    moved = _moved([(same[b], b) for b in marks[1].order if b in same], marks[0].order)
    backwards = {b: a for a, b in pairs.items()}
    for rule in new.rules:
        before = backwards.get(rule.id)
        if before is None:
            note(Cause(ChangeKind.NEW, rule.id, None, rule), None, rule.id)
        elif marks[0].alone[before] != marks[1].alone[rule.id]:
            note(Cause(ChangeKind.CHANGED, rule.id, old.by_id[before], rule), before, rule.id)
        elif rule.id in moved:
            note(Cause(ChangeKind.MOVED, rule.id, old.by_id[before], rule), before, rule.id)
    for rule in old.rules:
        if rule.id not in pairs:
            note(Cause(ChangeKind.GONE, rule.id, rule, None), rule.id, None)
    for let in lets:
        causes.append(let)
        for a, b in pairs.items():
            if b not in same and {a, b} & set(let.users):
                of_old[a].append(let)
                of_new[b].append(let)
    for a, b in pairs.items():
        if b not in same and b not in of_new:
            note(Cause(ChangeKind.CHANGED, b, old.by_id[a], new.by_id[b]), a, b)
    turned = _rebase_causes(old, new)
    touched = [old.by_id[name].pattern for name in of_old]
    touched += [new.by_id[name].pattern for name in of_new]
    touched += [ast.Pattern((), open=True)] if turned else []
    return Delta(
        (*causes, *turned),
        tuple(_reworded(old, new, same)),
        tuple((a, b) for b, a in same.items() if a != b),
        backwards,
        {name: tuple(found) for name, found in of_old.items()},
        {name: tuple(found) for name, found in of_new.items()},
        tuple(dict.fromkeys(touched)),
        tuple(
            dict.fromkeys(
                (
                    *(each.source for each in (*old.rebases, *new.rebases)),
                    *(each.pattern for each in (*old.asides, *new.asides)),
                )
            )
        ),
        not of_old.keys().isdisjoint(old.users_of(_VULNERABLE))
        or not of_new.keys().isdisjoint(new.users_of(_VULNERABLE)),
    )


def _pairs(
    old: RuleBase, new: RuleBase, marks: tuple[RuleFingerprints, RuleFingerprints]
) -> dict[str, str]:
    """Return the new id of each old rule that is still there."""
    found = {a: a for a, mark in marks[0].of_rule.items() if marks[1].of_rule.get(a) == mark}
    tried = (
        lambda side, rule: marks[side].of_rule[rule.id],
        lambda side, rule: rule.id,
        lambda side, rule: (repr(rule.pattern), repr(rule.call)),
    )
    for key in tried:
        left: defaultdict[object, list[str]] = defaultdict(list)
        taken = set(found.values())
        for rule in new.rules:
            if rule.id not in taken:
                left[key(1, rule)].append(rule.id)
        for rule in old.rules:
            waiting = left.get(key(0, rule))
            if rule.id not in found and waiting:
                found[rule.id] = waiting.pop(0)
    return found


def _moved(pairs: Sequence[tuple[str, str]], order: Sequence[str]) -> set[str]:
    """Return the fewest rules that have to change places to make one order of the other."""
    place = {name: number for number, name in enumerate(order)}
    ends: list[int] = []
    lengths = []
    for before, _ in pairs:
        at = bisect_left(ends, place[before])
        ends[at : at + 1] = [place[before]]
        lengths.append(at)
    kept: set[str] = set()
    wanted = len(ends) - 1
    bound = len(order)
    for (before, after), length in zip(reversed(pairs), reversed(lengths), strict=True):
        if length == wanted and place[before] < bound:
            kept.add(after)
            wanted, bound = wanted - 1, place[before]
    return {after for _, after in pairs} - kept


def _let_causes(old: RuleBase, new: RuleBase) -> Iterator[Cause]:
    """Yield the definitions that changed in both versions or came and went, and are used."""
    for name in dict.fromkeys((*new.lets, *old.lets)):
        before, after = old.lets.get(name), new.lets.get(name)
        if before is None or after is None or before == after:
            continue
        users = dict.fromkeys((*old.users_of([name]), *new.users_of([name])))
        if users:
            yield Cause(ChangeKind.CHANGED, name, before, after, tuple(users))


def _rebase_causes(old: RuleBase, new: RuleBase) -> list[Cause]:
    gone = [each for each in old.rebases if each not in new.rebases]
    come = [each for each in new.rebases if each not in old.rebases]
    found = [Cause(ChangeKind.GONE, said_by(each), each, None) for each in gone]
    found += [Cause(ChangeKind.NEW, said_by(each), None, each) for each in come]
    if not found and old.rebases != new.rebases:
        first = next(b for a, b in zip(old.rebases, new.rebases, strict=False) if a != b)
        found = [Cause(ChangeKind.MOVED, said_by(first), first, first)]
    return found


def _reworded(old: RuleBase, new: RuleBase, same: dict[str, str]) -> Iterator[Reworded]:
    for after, before in same.items():
        one, other = old.by_id[before], new.by_id[after]
        words = tuple(
            (name, _words(getattr(one, name)), _words(getattr(other, name)))
            for name in _WORDS
            if getattr(one, name) != getattr(other, name)
        )
        if words:
            yield Reworded(one, other, words)


def _words(value: str | ast.Condition | None) -> str:
    if value is None:
        return ""
    return (value or "(bare)") if isinstance(value, str) else condition_text(value)
