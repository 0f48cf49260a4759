"""The rules of a system as a list: ids, tiers and places, all of them or those of an auction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from itertools import pairwise
from typing import TypedDict, cast

from bidwright.bridge.errors import InvalidError
from bidwright.inference.reading.reader import Reading
from bidwright.kb.language import ast
from bidwright.kb.language.parser import parse
from bidwright.kb.language.rule_changes import RuleChange
from bidwright.kb.language.walk import call_text, pattern_text
from bidwright.kb.rules.patterns import last_bids, match, may_be_same, run_of
from bidwright.kb.rules.rule import CompiledRule
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.kb.rules.superseded import begins_with_theirs

Elements = tuple[ast.Element, ...]


class ListedRuleValues(TypedDict):
    """The fields of a `ListedRule`."""

    id: str
    after: str
    call: str
    tier: str
    priority: int
    included: int
    file: str
    line: int
    text: str | None
    optional: bool
    latitude: bool
    source: str | None
    measured: str | None


@dataclass(frozen=True, slots=True)
class ListedRule:
    """A rule in a list.

    Attributes:
        id: its id, as `override` and `remove` want it.
        after: the calls before it, or `opening`, or `anywhere`.
        call: the call that it makes, at a position the one that it makes there.
        tier: its tier, such as `book`.
        priority: its priority in the tier.
        included: the number of systems between it and the one listed: 0 for its own rules.
        file: its file.
        line: its line.
        text: the author's words.
        optional: True for a `may` rule.
        latitude: True if a firm rule for the same call displaces it at the position.
        source: the book, booklet or practice that it is from, if that is said.
        measured: what was measured of it, if that is said.
    """

    id: str
    after: str
    call: str
    tier: str
    priority: int
    included: int
    file: str
    line: int
    text: str | None
    optional: bool
    latitude: bool = False
    source: str | None = None
    measured: str | None = None

    @property
    def place(self) -> str:
        """File and line."""
        return f"{self.file}:{self.line}"

    def as_json(self) -> ListedRuleValues:
        """Return the rule as an object of JSON."""
        return cast("ListedRuleValues", asdict(self))


def _listed(rule: CompiledRule, call: str, *, latitude: bool = False) -> ListedRule:
    after = pattern_text(rule.pattern) if rule.pattern.elements else ""
    return ListedRule(
        rule.id,
        after or ("anywhere" if rule.pattern.open else "opening"),
        call,
        rule.rank.tier.word,
        # Ranks sort ascending, so they hold the negated priority.
        -rule.rank.priority,
        rule.rank.layer,
        rule.span.file,
        rule.span.line,
        rule.text,
        rule.optional,
        latitude,
        rule.source,
        rule.measured,
    )


def rules_of(rules: RuleBase, pattern: ast.Pattern | None = None) -> list[ListedRule]:
    """Return the rules of a system, in the order of its files.

    Args:
        rules: the system.
        pattern: only rules that may apply after calls of it, and with `...` at its end those that
            may apply later; a pattern that begins with `...` is that of general rules.
    """
    return [
        _listed(each, call_text(each.call))
        for each in rules.rules
        if pattern is None or _may_apply(each.pattern, pattern)
    ]


def displaced_of(rules: RuleBase, pattern: ast.Pattern | None = None) -> list[RuleChange]:
    """Return the `may` rules that went with rules that the system overrides.

    Args:
        rules: the system.
        pattern: only rules that might apply after calls of it, as in `rules_of`.
    """
    return [
        each
        for each in rules.changes
        if each.became == "displaced"
        and each.pattern is not None
        and (pattern is None or _may_apply(each.pattern, pattern))
    ]


def displaced_at(rules: RuleBase, reading: Reading) -> list[RuleChange]:
    """Return the displaced rules that would apply at a position."""
    views = [(calls, last_bids(calls)) for calls in rules.views(reading.state.calls)]
    return [
        each
        for each in displaced_of(rules)
        if each.pattern is not None
        and any(match(each.pattern, calls, before) is not None for calls, before in views)
    ]


def displaced_text(each: RuleChange) -> str:
    """Return the fate of a displaced rule, as a line."""
    place = f"{each.span.file}:{each.span.line}"
    return f"{each.name} went with the rule that is overridden at {place}; 'keeping may' keeps it"


def rules_at(reading: Reading) -> list[ListedRule]:
    """Return the rules that apply at a position, in the order of choice."""
    decision = reading.decision
    # By identity: the same rule may apply twice, with different suits, and be displaced once.
    used = set(map(id, decision.instances))
    return [
        _listed(each.rule, str(each.call), latitude=id(each) not in used)
        for each in decision.applicable
    ]


def _may_apply(own: ast.Pattern, wanted: ast.Pattern) -> bool:
    """Return True if a rule's pattern may fit calls of a wanted pattern."""
    if wanted.open and not wanted.head:
        return own.open and _alike(own.elements, wanted.elements, later=False)
    # Their calls and ours alternate, so it is enough to compare the first ones.
    theirs = bool(wanted.every_element) and wanted.every_element[0].theirs
    if own.open or begins_with_theirs(own) is not theirs:
        return False
    return _alike(own.elements, wanted.every_element, later=wanted.open)


def _alike(own: Elements, wanted: Elements, *, later: bool) -> bool:
    """Return True if calls may be the wanted ones, or with `later` continue them."""
    long_enough = len(own) >= len(wanted) if later else len(own) == len(wanted)
    return long_enough and may_be_same(run_of(ast.Pattern(wanted)), run_of(ast.Pattern(own)))


def read_pattern(text: str) -> ast.Pattern:
    """Return a pattern as a block has it: `after 1M (P)`, `1M (P)`, `opening`, `anywhere`.

    Raises:
        InvalidError: it is none.
    """
    words = text.strip()
    plain = words in ("opening", "anywhere") or words.startswith("after ")
    # A block with one rule, since the grammar has no pattern by itself.
    file, problems = parse(f"{words if plain else f'after {words}'}\n  pass\n", "the pattern")
    blocks = file.statements if file is not None and not problems else ()
    reason = f" ({problems[0].message})" if problems else ""
    if len(blocks) == 1 and isinstance(blocks[0], ast.Block):
        pattern = blocks[0].pattern
        # An opening has no calls before it, as if theirs were the last.
        theirs = [each.theirs for each in pattern.elements] or [True]
        if theirs[-1] and all(one is not other for one, other in pairwise(theirs)):
            return pattern
        reason = " (their calls stand in brackets, every second one and the last)"
    raise InvalidError(f"expected a pattern such as '1M (P)' or 'opening', got {text!r}{reason}")


def _has_id(name: str, ids: Sequence[str]) -> bool:
    return not ids or any(fnmatchcase(name, each) for each in ids)


def with_ids(changes: Iterable[RuleChange], ids: Sequence[str]) -> list[RuleChange]:
    """Return the changes of rules with ids that fit one of some patterns; without patterns all."""
    return [each for each in changes if _has_id(each.name, ids)]


def chosen(
    listed: Iterable[ListedRule],
    ids: Sequence[str] = (),
    tier: str | None = None,
    file: str | None = None,
) -> list[ListedRule]:
    """Return the rules of ids that fit some patterns, of a tier, and of a file.

    Args:
        listed: the rules.
        ids: patterns of ids, in which `*` stands for anything; none for all.
        tier: the tier.
        file: the end of the file's name, such as `stayman` or `sayc/openings.bid`.
    """
    return [
        each
        for each in listed
        if _has_id(each.id, ids)
        and tier in (None, each.tier)
        # With a slash before it, so that `stayman` is not the end of `puppet_stayman`.
        and (file is None or f"/{each.file}".removesuffix(".bid").endswith(f"/{_stem(file)}"))
    ]


def _stem(file: str) -> str:
    return file.removesuffix(".bid").strip("/")


def text_of(listed: Sequence[ListedRule], *, at_position: bool = False) -> str:
    """Return a list as lines in columns: id, tier, place and the author's words.

    Args:
        listed: the rules.
        at_position: begin with the calls that they make, in the order of choice.
    """
    rows = []
    for rule in listed:
        tier = rule.tier + (f", priority {rule.priority}" if rule.priority else "")
        words = [*(["may"] if rule.optional else []), *([rule.text] if rule.text else [])]
        rows.append([rule.id, tier, rule.place, " ".join(words)])
        if at_position:
            rows[-1].insert(0, rule.call)
            rows[-1][-1] += " (latitude: nobody bids by it)" * rule.latitude
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(4)]
    return "\n".join(
        "  ".join(
            cell.ljust(widths[column]) if column < len(row) - 1 else cell
            for column, cell in enumerate(row)
        ).rstrip()
        for row in rows
    )
