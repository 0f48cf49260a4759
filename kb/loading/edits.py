"""The edits of a delta to the system it includes: overrides, removals, replacements.

The changes are made in the order in which they are written, and each `replace` overrides what
stands before it. So the ids of a system's own overrides are those of its own rules.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import count, dropwhile, takewhile

from bidwright.bridge.calls import Call, parse_call
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, error
from bidwright.kb.language.printer import statement_lines
from bidwright.kb.language.rule_changes import ChangesMade, RuleChange
from bidwright.kb.language.system import Located
from bidwright.kb.language.tree_parts import pattern_of
from bidwright.kb.language.walk import THEY_PASS, PlacedRule, walk
from bidwright.kb.loading.call_meaning import (
    calls_with_other_meanings,
    first_of_layer,
    is_other_meaning,
    layer_of,
)
from bidwright.kb.loading.definitions import replace_definitions
from bidwright.kb.loading.displaced_rules import Overridden, displaced_rules
from bidwright.kb.loading.edit_problems import ambiguous, nothing_said, removed_before
from bidwright.kb.rules.superseded import SupersededAuctions, is_within, may_meet

_DONE = ast.Override | ast.Remove | ast.Retire
_TREE = ast.Replace | ast.Undiscussed
_EDITS = _DONE | _TREE

Path = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Successor:
    """The rule that takes another one's place, and whether it inherits the answers below it."""

    rule: ast.Rule
    inherits: bool


_Edits = Mapping[Path, _Successor | None]


def _edited_children(
    children: Sequence[ast.Rule | ast.Branch], edits: _Edits, path: Path
) -> tuple[ast.Rule | ast.Branch, ...]:
    result: list[ast.Rule | ast.Branch] = []
    for index, child in enumerate(children):
        here = (*path, index)
        if isinstance(child, ast.Rule):
            result += _edited_rules((child,), edits, path, first=index)
            continue
        rules = _edited_rules(child.rules, edits, here)
        if rules:
            result.append(replace(child, rules=rules))
    return tuple(result)


def _edited_rules(
    rules: Sequence[ast.Rule], edits: _Edits, path: Path, first: int = 0
) -> tuple[ast.Rule, ...]:
    """Return rules with edits made in them and below them."""
    result: list[ast.Rule] = []
    for index, rule in enumerate(rules, first):
        here = (*path, index)
        children = _edited_children(rule.children, edits, here)
        change = edits.get(here, rule)
        if change is rule:
            result.append(replace(rule, children=children))
        elif isinstance(change, _Successor):
            # An override without continuations or a tier of its own keeps those of the rule it
            # replaces.
            continuations = children if change.inherits else ()
            result.append(
                replace(
                    change.rule,
                    label=change.rule.label or rule.label,
                    kind=change.rule.kind or rule.kind,
                    children=change.rule.children or continuations,
                    tier=change.rule.tier if change.rule.tier is not None else rule.tier,
                )
            )
    return tuple(result)


def _apply(statements: Sequence[Located], edits: _Edits) -> list[Located]:
    touched = {path[0] for path in edits}
    result: list[Located] = []
    for index, located in enumerate(statements):
        statement = located.statement
        if index in touched and isinstance(statement, ast.Block):
            # A block that has lost all its rules is gone.
            rules = _edited_rules(statement.rules, edits, (index,))
            if not rules:
                continue
            statement = replace(statement, rules=rules)
        result.append(Located(located.module, statement))
    return result


class _Editor:
    """Makes edits one after the other; ids are those before any of them, or after."""

    def __init__(
        self, statements: list[Located], changes: ChangesMade, library: Container[str]
    ) -> None:
        self.statements = statements
        self._library = library
        self.problems: list[Diagnostic] = []
        self._changes = changes
        self._lets = {s.name: s for _, s in statements if isinstance(s, ast.Let)}
        self._pending: dict[Path, _Successor | None] = {}
        self._removed: dict[Path, ast.Remove] = {}
        self._retired: set[ast.Example] = set()
        self._new_meanings: dict[int, list[Located]] = {}
        self._overridden: list[Overridden] = []
        self._known_ids: dict[str, PlacedRule] | None = None

    @property
    def _ids(self) -> dict[str, PlacedRule]:
        """The rules by their ids, as they are without the pending edits."""
        if self._known_ids is None:
            self._known_ids = {placed.id: placed for placed in walk(self.statements)}
        return self._known_ids

    def settle(self) -> None:
        """Carry out the pending edits."""
        # Edits wait, since ids are those from before all of them.
        if self._pending or self._retired:
            edited = _apply(self.statements, self._pending)
            self.statements = [each for each in edited if not self._is_retired(each.statement)]
            self._pending = {}
            self._removed = {}
            self._retired = set()
            self._known_ids = None

    # ------------------------------------------------------------ single rules

    def edit(self, located: Located, statement: ast.Override | ast.Remove) -> None:
        """Replace or remove a rule, or note that there is none of that name."""
        # It may be the id that a rule has after the edits so far.
        if statement.target not in self._ids:
            self.settle()
        placed = self._ids.get(statement.target)
        if placed is None:
            self.problems.append(self._unknown(statement))
            return
        removed = self._removed.get(placed.path)
        if removed is not None:
            self.problems.append(removed_before(statement, removed))
        if isinstance(statement, ast.Override):
            self._overridden.append(Overridden(placed, statement, located.module))
        if isinstance(statement, ast.Override) and self._gives_other_meaning(statement, placed):
            self._change_meaning(located, statement, placed)
            return
        if any(self._others_of(statement.target)):
            self.problems.append(ambiguous(statement))
        if isinstance(statement, ast.Remove):
            # Of two removals the first is the place that messages name.
            self._removed.setdefault(placed.path, statement)
            self._pending[placed.path] = None
            self._changes.of_rule(placed, "removed", statement.span)
        else:
            self._pending[placed.path] = _Successor(statement.rule, inherits=True)
            self._changes.of_rule(placed, "overridden", statement.span)

    def _others_of(self, name: str) -> Iterator[PlacedRule]:
        """Yield the firm rules called by a name and a number that no edit has removed."""
        numbered = (self._ids.get(f"{name}#{number}") for number in count(2))
        for placed in takewhile(lambda each: each is not None, numbered):
            assert placed is not None
            if not placed.rule.optional and placed.path not in self._removed:
                yield placed

    def _gives_other_meaning(self, statement: ast.Override, placed: PlacedRule) -> bool:
        return not statement.keeps_answers and is_other_meaning(placed, statement.rule, self._lets)

    def _change_meaning(
        self, located: Located, statement: ast.Override, placed: PlacedRule
    ) -> None:
        """Give a call another meaning: the rules for the old one go, and the answers to it."""
        rule = statement.rule
        self._changes.of_rule(placed, "overridden", statement.span)
        # Another call: the answers stood below the old one, and go with it.
        if placed.rule.call != rule.call or placed.pattern.open:
            self._pending[placed.path] = _Successor(rule, inherits=False)
            return
        for other in self._ids.values():
            same_call = (other.pattern, other.rule.call) == (placed.pattern, rule.call)
            if same_call and is_other_meaning(other, rule, self._lets):
                self._pending[other.path] = None
                self._changes.of_rule(other, "overridden", statement.span)
        # The answers are taken out as blocks of their own: what is overridden after the call would
        # take them along.
        self._pending[placed.path] = _Successor(replace(rule, children=()), inherits=False)
        tree = _tree_after(placed.pattern, rule)
        answers = _blocks_of(rule.children, tree.block.pattern)
        self._new_meanings[id(statement)] = [
            Located(located.module, tree),
            *(Located(located.module, each) for each in answers),
        ]

    def take_displaced_rules(self) -> None:
        """Drop the `may` rules of calls with firm rules that overrides have replaced."""
        changed = {each.statement.rule.span for each in self._overridden}
        for placed, by in displaced_rules(self.statements, self._overridden, changed):
            self._pending[placed.path] = None
            self._changes.of_rule(placed, "displaced", by.statement.span)
        self.settle()

    def carry_out_new_meanings(self) -> None:
        """Drop the answers to calls that overrides have given another meaning."""
        # From a list of now, since statements are put in while it goes.
        for statement in [each.statement for each in self.statements]:
            news = self._new_meanings.pop(id(statement), None)
            if news is not None:
                at = self._place_of(statement)
                self.statements[at : at + 1] = news
                self.replace(news[0], is_meant=False)

    def change_meanings_of_layers(self) -> None:
        """Drop the calls of an included system that have another meaning in this one."""
        changed = list(calls_with_other_meanings(self.statements, self._lets))
        for new, olds in changed:
            for old in olds:
                self._pending[old.path] = None
                self._changes.of_rule(old, "given another meaning", new.rule.span)
        self.settle()
        for new, _ in changed:
            tree = Located(new.module, _tree_after(new.pattern, new.rule))
            # Before the system's own statements, so that its own answers stay.
            self.statements.insert(first_of_layer(self.statements, new.layer), tree)
            self.replace(tree, is_meant=False)

    def _place_of(self, statement: ast.Statement) -> int:
        return next(i for i, each in enumerate(self.statements) if each.statement is statement)

    def _unknown(self, statement: ast.Override | ast.Remove) -> Diagnostic:
        gone = next(self._changes.of(statement.target), None)
        if gone is not None:
            return error(
                "E216",
                f"the rule '{statement.target}' is {gone.became} before",
                statement.span,
                help="write the rule under 'after' and its auction, or leave this out",
                related=(gone.related,),
            )
        close = get_close_matches(statement.target, self._ids, n=1)
        return error(
            "E216",
            f"there is no rule '{statement.target}'",
            statement.span,
            expected='the id of a rule, such as opening.1NT or "1M (P): 3M"',
            help=f"did you mean '{close[0]}'?" if close else None,
        )

    # ------------------------------------------------------------- whole trees

    def replace(self, located: Located, *, is_meant: bool = True) -> None:
        """Override the rules and examples on some calls before a statement.

        Args:
            located: a `replace` or an `undiscussed`.
            is_meant: True if the author wrote it, so that it should have something to do.
        """
        self.settle()
        tree = located.statement
        assert isinstance(tree, _TREE)
        at = self._place_of(tree)
        pattern, before = pattern_of(tree), self.statements[:at]
        meets = False
        for placed in walk(before):
            if is_within(pattern, placed.pattern) or _is_undiscussed(tree, placed):
                self._pending[placed.path] = None
                self._changes.of_rule(placed, "put aside", tree.span)
            elif not meets:
                meets = may_meet(pattern, placed.pattern)
        after = [located]
        covered = SupersededAuctions(
            pattern, 0, 0, tree if isinstance(tree, ast.Undiscussed) else None
        )
        if isinstance(tree, ast.Replace):
            # A convention is written for many systems, not all of which have what it replaces.
            has_to_do = is_meant and tree.span.file not in self._library
            if has_to_do and not self._pending and not meets:
                self.problems.append(nothing_said(tree))
            rules, block = tree.block.rules, replace(tree.block, rules=())
            after = [Located(located.module, replace(tree, block=block))]
            if rules:
                after.append(Located(located.module, tree.block))
        before = _apply(before, self._pending)
        before = [each for each in before if not _goes_with(each.statement, covered)]
        self.statements[:] = [*before, *after, *self.statements[at + 1 :]]
        self._pending = {}
        self._known_ids = None

    # ---------------------------------------------------------------- examples

    def retire(self, statement: ast.Retire) -> None:
        """Retire an example."""
        example = statement.example
        is_there = any(each.statement == example for each in self.statements)
        if is_there and example not in self._retired:
            self._retired.add(example)
        elif statement.span.file not in self._library:
            self.problems.append(self._no_example(statement))

    def _is_retired(self, statement: ast.Statement) -> bool:
        return isinstance(statement, ast.Example) and statement in self._retired

    def _no_example(self, statement: ast.Retire) -> Diagnostic:
        examples = [s for _, s in self.statements if isinstance(s, ast.Example)]
        lines = [statement_lines(each)[0] for each in examples]
        close = get_close_matches(statement_lines(statement.example)[0], lines, n=1)
        return error(
            "E241",
            "there is no such example",
            statement.span,
            expected="an example of an included module, as it is written there",
            help=f"did you mean 'retire {close[0]} \"...\"'?" if close else None,
        )


def _tree_after(pattern: ast.Pattern, rule: ast.Rule) -> ast.Replace:
    """Return a `replace` of all that is said after a rule's call."""
    ours = ast.Element(theirs=False, alternatives=(rule.call,), span=rule.span)
    after = ast.Pattern((*pattern.elements, ours), span=rule.span)
    return ast.Replace(ast.Block("after", after, (), span=rule.span), span=rule.span)


def _blocks_of(
    children: Sequence[ast.Rule | ast.Branch], after: ast.Pattern
) -> Iterator[ast.Block]:
    """Yield the children of a rule as blocks of their own, `after` ending with its call."""
    passed = tuple(each for each in children if isinstance(each, ast.Rule))
    followed = [(THEY_PASS, passed)] if passed else []
    followed += [(each.element, each.rules) for each in children if isinstance(each, ast.Branch)]
    for element, rules in followed:
        pattern = ast.Pattern((*after.elements, element), span=after.span)
        yield ast.Block("after", pattern, rules, span=rules[0].span)


def _is_undiscussed(tree: _TREE, placed: PlacedRule) -> bool:
    """Return True if a rule makes the call that an `undiscussed` ends with."""
    if not isinstance(tree, ast.Undiscussed) or placed.pattern.open:
        return False
    ours = ast.Element(theirs=False, alternatives=(placed.rule.call,), span=placed.rule.span)
    return is_within(tree.pattern, ast.Pattern((*placed.pattern.elements, ours)))


def _goes_with(statement: ast.Statement, covered: SupersededAuctions) -> bool:
    """Return True if an example or a rebase lies in the overridden auctions."""
    match statement:
        case ast.Example(auction=auction, call=call):
            calls = since_first_bid(auction)
            return covered.covers(calls) or covered.is_undiscussed(calls, parse_call(call))
        case ast.Rebase(source=source):
            return is_within(covered.pattern, source)
        case _:
            return False


def since_first_bid(auction: Sequence[str]) -> tuple[Call, ...]:
    # Dealer and passes before the first bid are left out of patterns.
    """Return the calls of an example's auction without the passes before the first bid."""
    calls = [parse_call(call) for call in auction]
    return tuple(dropwhile(lambda call: call == Call.PASS, calls))


def apply_edits(
    statements: Sequence[Located], library: Container[str] = ()
) -> tuple[list[Located], list[Diagnostic], tuple[RuleChange, ...]]:
    """Return the statements with their changes carried out, what is wrong, and the changes.

    A convention is written for many systems: not all have what the files of a library replace or
    retire, which is nothing wrong. Of `replace` the statement stays, without rules, where it
    stood: the rule base learns from it what is overridden in some auctions only.
    """
    changes = ChangesMade()
    settled, problems = replace_definitions(statements, changes)
    is_layered = any(layer_of(each.statement) for each in settled)
    # Most systems change nothing.
    if not is_layered and not any(isinstance(each.statement, _EDITS) for each in settled):
        return settled, problems, tuple(changes.changes)
    editor = _Editor(list(settled), changes, library)
    for located in settled:
        match located.statement:
            case ast.Override() | ast.Remove() as statement:
                editor.edit(located, statement)
            case ast.Replace() | ast.Undiscussed():
                editor.settle()
                editor.carry_out_new_meanings()
                editor.replace(located)
            case ast.Retire() as statement:
                editor.retire(statement)
            case _:
                continue
    editor.settle()
    # Last, since only then all firm rules are known.
    editor.carry_out_new_meanings()
    editor.take_displaced_rules()
    if is_layered:
        editor.change_meanings_of_layers()
    left = [each for each in editor.statements if not isinstance(each.statement, _DONE)]
    return left, problems + editor.problems, tuple(changes.changes)
