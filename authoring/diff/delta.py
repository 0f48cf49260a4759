"""Differences of two versions: in the files with their causes, in hands' calls, in meanings.

Rules of two versions are paired by what they mean, then by their ids, then by pattern and call:
so a rule that got another id, because one was put before it, is still the same rule.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from bidwright.bridge.calls import Call
from bidwright.bridge.deal import Deal
from bidwright.bridge.hand import Hand
from bidwright.inference.meaning import Meaning
from bidwright.inference.reading.reader import Reading
from bidwright.kb.language import ast
from bidwright.kb.language.printer import condition_text, expr_text
from bidwright.kb.language.walk import call_text, pattern_text
from bidwright.kb.logic.public_state import CallRecord, forcing_words
from bidwright.kb.rules.author_claims import claim_text
from bidwright.kb.rules.decision_list import Instance
from bidwright.kb.rules.fingerprints import RuleFingerprints, rule_fingerprints
from bidwright.kb.rules.patterns import last_bids, match
from bidwright.kb.rules.rule import AuthorClaim, CompiledRule
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.kb.wording.words import bounds_text
from bidwright.runtime.sentences import noun_for


class ChangeKind(Enum):
    """The kind of change of a statement."""

    NEW = "new"
    GONE = "gone"
    CHANGED = "changed"
    MOVED = "moved"


@dataclass(frozen=True, eq=False)
class Cause:
    """A change in the files that calls may change by.

    Attributes:
        kind: in which way it changed.
        name: the rule's id in the new version (the old one if it is gone), or what it is called.
        old: the rule, definition or rebase as it was; None if it is new.
        new: as it is; None if it is gone.
        users: ids of the rules that change with a definition, in both versions.
    """

    kind: ChangeKind
    name: str
    old: CompiledRule | ast.Let | ast.Rebase | None
    new: CompiledRule | ast.Let | ast.Rebase | None
    users: tuple[str, ...] = ()

    @property
    def places(self) -> tuple[ast.Span | None, ast.Span | None]:
        """Where it stands in each version."""
        return (self.old.span if self.old else None, self.new.span if self.new else None)

    @cached_property
    def said(self) -> tuple[str, str]:
        """The text before and after; empty where it is not there."""
        return (said_by(self.old), said_by(self.new))

    @property
    def is_definition(self) -> bool:
        """True for a definition that rules use, False for a rule."""
        return isinstance(self.new or self.old, ast.Let)


def said_by(what: CompiledRule | ast.Let | ast.Rebase | None) -> str:
    """Return the text of a rule, a definition or a rebase; empty for nothing."""
    if what is None:
        return ""
    if isinstance(what, ast.Let):
        head = f"{what.name}({', '.join(what.params)})" if what.params else what.name
        if isinstance(what.body, ast.Expr):
            return f"let {head} = {expr_text(what.body)}"
        return f"let {head} = {condition_text(what.body)}"
    if isinstance(what, ast.Rebase):
        stolen = " stolen" if what.stolen else ""
        return f"rebase {pattern_text(what.source)} -> {pattern_text(what.target)}{stolen}"
    words = ["may"] if what.optional else []
    words.append(call_text(what.call))
    words += [condition_text(what.condition)] if what.condition is not None else []
    effects = [*_effects(what)]
    # Priorities count downwards inside, and upwards in files.
    priority = -what.rank.priority
    effects += [what.rank.tier.word] if what.rank.tier else []
    effects += [f"priority {priority}"] if priority else []
    return " ".join(words) + (f"; {', '.join(effects)}" if effects else "")


def _effects(rule: CompiledRule) -> Iterator[str]:
    """Yield the actions of a rule's call, as the language writes them."""
    if rule.artificial:
        yield "artificial"
    if (words := forcing_words(rule.forcing, rule.forcing_to)) is not None:
        yield words
    if rule.invitational:
        yield "invitational"
    if rule.signoff:
        yield "signoff"
    if rule.agrees:
        yield f"agrees {rule.agrees}"
    if rule.asks:
        yield f"asks {rule.asks}" + (f" in {rule.asks_in}" if rule.asks_in else "")
    if rule.answers:
        yield f"answers {rule.answers}"


def counts(causes: Iterable[Cause]) -> str:
    """Return the number of causes of each kind, in words: `1 rule changed, 2 new`."""
    rules = Counter(each.kind for each in causes if isinstance(each.new or each.old, CompiledRule))
    words = [
        f"{rules[kind]} {noun_for(rules[kind], 'rule')} {kind.value}"
        for kind in ChangeKind
        if rules[kind]
    ]
    others = [each for each in causes if not isinstance(each.new or each.old, CompiledRule)]
    # Definitions and rebases stand behind the rules: one of them may change many.
    lets = sum(each.is_definition for each in others)
    words += [f"{lets} {noun_for(lets, 'definition')} changed"] if lets else []
    more = len(others) - lets
    words += [f"{more} {noun_for(more, 'rebase')} changed"] if more else []
    return ", ".join(words)


_WORDS = ("text", "alert", "announce", "convention", "usually", "shows")


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
    """The changes between two versions of a system.

    Attributes:
        causes: what can change a meaning, in the order of the new files.
        reworded: rules that mean the same in other words.
        renamed: rules that mean the same under another id: the old one and the new one.
        pairs: the old id of every rule of the new version that was there before.
        of_old: the causes of each old rule that changed, by id.
        of_new: likewise in the new version.
        patterns: the patterns of the rules concerned, in both versions.
        rebases: what the rebases of both versions look at, and what `replace` overrides there.
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
            for instance in instances:
                if instance.rule.id in causes:
                    return causes[instance.rule.id][0]
        return None

    def can_touch(self, views: Iterable[tuple[Call, ...]]) -> bool:
        """Return True if a changed rule may apply at some calls or after more of them.

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
    """Return True if a pattern may match these calls, or these and more."""
    if pattern.open:
        return True
    if len(pattern.elements) < len(calls):
        return False
    # Only the beginning has to match: further calls may complete the pattern.
    head = ast.Pattern(pattern.elements[: len(calls)])
    return match(head, calls, last_bids(calls)) is not None


def delta_of(old: RuleBase, new: RuleBase) -> Delta:
    """Return the changes between two versions."""
    marks = rule_fingerprints(old), rule_fingerprints(new)
    pairs = _pairs(old, new, marks)
    # The same mark: the rule means the same, whatever its id.
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
        # Alone: the rule's own text, its definitions set aside.
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
            # A definition counts as a cause only where the rule's meaning changed with it.
            if b not in same and {a, b} & set(let.users):
                of_old[a].append(let)
                of_new[b].append(let)
    for a, b in pairs.items():
        # Changed by something else, such as a definition of a definition.
        if b not in same and b not in of_new:
            note(Cause(ChangeKind.CHANGED, b, old.by_id[a], new.by_id[b]), a, b)
    turned = _rebase_causes(old, new)
    touched = [old.by_id[name].pattern for name in of_old]
    touched += [new.by_id[name].pattern for name in of_new]
    # A rebase may bring rules to any auction.
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
                    *(each.pattern for each in (*old.superseded, *new.superseded)),
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
    partners = {a: a for a, mark in marks[0].of_rule.items() if marks[1].of_rule.get(a) == mark}
    # By meaning first: an id may only have been numbered anew.
    tried = (
        lambda side, rule: marks[side].of_rule[rule.id],
        lambda side, rule: rule.id,
        lambda side, rule: (repr(rule.pattern), repr(rule.call)),
    )
    for key in tried:
        left: defaultdict[object, list[str]] = defaultdict(list)
        taken = set(partners.values())
        for rule in new.rules:
            if rule.id not in taken:
                left[key(1, rule)].append(rule.id)
        for rule in old.rules:
            waiting = left.get(key(0, rule))
            if rule.id not in partners and waiting:
                # In the order of the files: equal rules are paired first to first.
                partners[rule.id] = waiting.pop(0)
    return partners


def _moved(pairs: Sequence[tuple[str, str]], order: Sequence[str]) -> set[str]:
    """Return the fewest rules that have to change places to make one order of the other."""
    place = {name: number for number, name in enumerate(order)}
    ends: list[int] = []
    lengths = []
    for before, _ in pairs:
        # The longest rising sequence: what stays in place, so that the fewest rules moved.
        at = bisect_left(ends, place[before])
        ends[at : at + 1] = [place[before]]
        lengths.append(at)
    in_order: set[str] = set()
    wanted = len(ends) - 1
    bound = len(order)
    for (before, after), length in zip(reversed(pairs), reversed(lengths), strict=True):
        if length == wanted and place[before] < bound:
            in_order.add(after)
            wanted, bound = wanted - 1, place[before]
    return {after for _, after in pairs} - in_order


def _let_causes(old: RuleBase, new: RuleBase) -> Iterator[Cause]:
    """Yield the definitions that changed in both versions or came and went, and are used."""
    for name in dict.fromkeys((*new.lets, *old.lets)):
        before, after = old.lets.get(name), new.lets.get(name)
        # One that comes or goes shows in the rules that use it.
        if before is None or after is None or before == after:
            continue
        users = dict.fromkeys((*old.users_of([name]), *new.users_of([name])))
        if users:
            yield Cause(ChangeKind.CHANGED, name, before, after, tuple(users))


def _rebase_causes(old: RuleBase, new: RuleBase) -> list[Cause]:
    gone = [each for each in old.rebases if each not in new.rebases]
    come = [each for each in new.rebases if each not in old.rebases]
    causes = [Cause(ChangeKind.GONE, said_by(each), each, None) for each in gone]
    causes += [Cause(ChangeKind.NEW, said_by(each), None, each) for each in come]
    # The same rebases in another order: the first that differs stands for all.
    if not causes and old.rebases != new.rebases:
        first = next(b for a, b in zip(old.rebases, new.rebases, strict=False) if a != b)
        causes = [Cause(ChangeKind.MOVED, said_by(first), first, first)]
    return causes


def _reworded(old: RuleBase, new: RuleBase, same: dict[str, str]) -> Iterator[Reworded]:
    for after, before in same.items():
        before_it, other = old.by_id[before], new.by_id[after]
        words = tuple(
            (name, _words(getattr(before_it, name)), _words(getattr(other, name)))
            for name in _WORDS
            if getattr(before_it, name) != getattr(other, name)
        )
        if words:
            yield Reworded(before_it, other, words)


def _words(value: str | ast.Condition | tuple[AuthorClaim, ...] | None) -> str:
    if value is None:
        return ""
    if isinstance(value, tuple):
        return ", ".join(map(claim_text, value))
    return (value or "(bare)") if isinstance(value, str) else condition_text(value)


def means_same(old: Reading, new: Reading) -> bool:
    """Return True if the last call means the same in both versions, if all calls before it do.

    It does if it does the same in public, and is proved to show the same hands.
    """
    first, other = old.meanings[-1], new.meanings[-1]
    # The cheap comparison first: most calls that differ do so in public.
    if first.record != other.record or first.relaxed != other.relaxed:
        return False
    # The same evidence is the same meaning; the solver is asked only where it differs.
    if first.turn == other.turn:
        return True
    if first.turn is None or other.turn is None:
        return False
    engine, earlier = new.reader.engine, other.earlier
    return not any(
        # Neither shows a hand that the other does not.
        engine.possible((*earlier, shown, missing), ())
        for shown, missing in (
            (first.turn, other.turn.complement()),
            (other.turn, first.turn.complement()),
        )
    )


@dataclass(frozen=True)
class Aspect:
    """One thing that a call showed or did, and shows or does.

    Attributes:
        name: `shows`, `does`, `text` or `rule`.
        old: as it was.
        new: as it is.
    """

    name: str
    old: str
    new: str


# ---------------------------------------------------------------- in which it differs


def aspects(old: Meaning, new: Meaning, delta: Delta) -> Iterator[Aspect]:
    """Yield the differences between the meanings of a call."""
    shown = [bounds_text(each.bounds) if each.known else "" for each in (old, new)]
    if old.bounds != new.bounds or old.known != new.known:
        # The words leave out numbers; where only these differ they are shown.
        if shown[0] == shown[1]:
            shown = [_fine(each) for each in (old, new)]
        yield Aspect("shows", shown[0] or "nothing known", shown[1] or "nothing known")
    does = [_does(each.record) for each in (old, new)]
    if does[0] != does[1]:
        yield Aspect("does", does[0] or "nothing more", does[1] or "nothing more")
    texts = [next((each.rule.text for each in one.instances), None) or "" for one in (old, new)]
    ids = [dict.fromkeys(each.rule.id for each in one.instances) for one in (old, new)]
    # By pairs: a rule with another id that means the same neither came nor went.
    come = [each for each in ids[1] if delta.pairs.get(each) not in ids[0]]
    paired = {delta.pairs.get(each) for each in ids[1]}
    gone = [each for each in ids[0] if each not in paired]
    # A text that was only reworded has its own part of the report.
    if texts[0] != texts[1] and not delta.changed_in_words.issuperset(ids[1]):
        yield Aspect("text", texts[0] or "none", texts[1] or "none")
    elif come or gone:
        yield Aspect("rule", ", ".join(gone) or "no other", ", ".join(come) or "no other")


def _fine(meaning: Meaning) -> str:
    """Return bounds with the numbers that their words leave out."""
    bounds = meaning.bounds
    points = "{}-{}".format(*bounds.points)
    controls = "{}-{}".format(*bounds.controls)
    return f"{bounds_text(bounds)} ({points} points, {controls} controls)"


def _does(record: CallRecord) -> str:
    words = ["artificial"] if record.artificial else []
    words += [record.forcing_words] if record.forcing_words else []
    words += ["invitational"] if record.invitational else []
    words += ["sign-off"] if record.signoff else []
    words += [f"agrees {'CDHS'[record.agrees]}"] if record.agrees is not None else []
    words += [f"asks {record.asks}"] if record.asks else []
    return ", ".join(words)


Calls = tuple[Call, ...]


@dataclass
class ChangedDecision:
    """An auction with hands that have another call in the new version.

    Attributes:
        old: the auction as the old version reads it.
        new: as the new one does.
        side: the version that bids the hands there: 1 for the new one, or 0 if that never comes
            there.
        weight: the frequency of such hands there, per deal, as far as deals show.
        deals: the number of deals with such a hand.
        hand: such a hand.
        deal: a deal with it on which the auction is bid; None if it was not dealt.
    """

    old: Reading
    new: Reading
    side: int
    weight: float
    deals: int
    hand: Hand
    deal: Deal | None = None


@dataclass
class HandChange:
    """A class of hands that call otherwise.

    Attributes:
        calls: the calls since the first bid.
        old: what these hands called.
        new: what they call.
        cause: what changed in the files; None if that is not one thing.
        rules: the rules that most of them were and are bid by; None for "no rule".
        first: the share of all deals that are bid alike up to here, and part here.
        variance: of that share, from the deals that were bid.
        places: the auctions, one for each number of passes before, the most frequent first.
    """

    calls: Calls
    old: Call
    new: Call
    cause: Cause | None
    rules: tuple[CompiledRule | None, CompiledRule | None]
    first: float = 0.0
    variance: float = 0.0
    places: list[ChangedDecision] = field(default_factory=list)

    @property
    def weight(self) -> float:
        """The frequency of such hands, per deal."""
        return sum(place.weight for place in self.places)


@dataclass
class MeaningChange:
    """A call that means something else.

    Attributes:
        calls: the calls since the first bid, the one in question being the last.
        cause: what changed in the files; None if that is not one thing.
        aspects: what changed.
        readings: the auction with the call, as both versions read it.
        weights: how often the call is made in each version, per deal.
    """

    calls: Calls
    cause: Cause | None
    aspects: tuple[Aspect, ...]
    readings: tuple[Reading, Reading]
    weights: tuple[float, float] = (0.0, 0.0)

    @property
    def weight(self) -> float:
        """The frequency of the call in the version that makes it more often."""
        return max(self.weights)
