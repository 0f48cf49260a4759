"""Lines that stand for several: rules for several calls, blocks that are used, answers to asks.

The tree of a file has the written form. Here it becomes blocks of rules with one call each, the
form that the rest of the program works on.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bidwright.kb.expressions.condition_nodes import plain_name
from bidwright.kb.expressions.nodes import parts
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, Related, error, warning
from bidwright.kb.language.limits import MOST_RULES, MOST_USES
from bidwright.kb.language.walk import THEY_PASS, what_lasts

_ANY_HAND = ast.Fact(ast.Name("otherwise"))
_ANY = ast.Element(theirs=False, alternatives=(ast.ClassCall("any", None),))

Entry = ast.Rule | ast.Branch


@dataclass(frozen=True, slots=True)
class Expanded:
    """The expansion of a statement.

    Attributes:
        statements: blocks of rules with one call each, and statements without an expansion.
        problems: mistakes in its uses of named blocks and its answers.
        used: the named blocks that it uses, itself or through others.
        size: the number of its rules; one more than `MOST_RULES` stands for any larger number,
            and then there are no statements.
    """

    statements: tuple[ast.Statement, ...]
    problems: tuple[Diagnostic, ...]
    used: frozenset[str]
    size: int


def expanded(statement: ast.Statement, blocks: Mapping[str, ast.NamedBlock]) -> Expanded:
    """Return the expansion of a statement, given the named blocks of its file."""
    expansion = _Expansion(blocks)
    try:
        statements = expansion.of(statement)
    except _TooManyRulesError:
        # All count as used: beside this message others would mislead.
        return Expanded((), (), frozenset(blocks), MOST_RULES + 1)
    used = frozenset(expansion.used)
    return Expanded(statements, tuple(expansion.problems), used, expansion.size)


def too_many_rules(span: ast.Span) -> Diagnostic:
    """Return the mistake that a system has more rules than can be read, noticed at a place."""
    return error(
        "E130",
        "more rules than a system may have; those of a block count at each of its uses, those "
        "under several calls under each of them",
        span,
        expected=f"at most {MOST_RULES:,} rules, {MOST_USES} blocks that use each other in a row",
    )


class _TooManyRulesError(Exception):
    """A statement for more rules than a system may have, or with too long a row of blocks."""


def named_blocks(
    statements: Iterable[ast.Statement],
) -> tuple[dict[str, ast.NamedBlock], list[Diagnostic]]:
    """Return the named blocks of a file, and the mistakes in their names."""
    blocks: dict[str, ast.NamedBlock] = {}
    problems: list[Diagnostic] = []
    for block in statements:
        if not isinstance(block, ast.NamedBlock):
            continue
        # The first one counts, so that its uses are read in spite of the mistake.
        first = blocks.setdefault(block.name, block)
        if first is not block:
            related = (Related("the first one", first.span),)
            message = f"the block '{block.name}' is made twice"
            problems.append(error("E218", message, block.span, related=related))
    return blocks, problems


def unused_blocks(
    blocks: Mapping[str, ast.NamedBlock], used: Container[str]
) -> Iterator[Diagnostic]:
    """Yield the named blocks of a file that no statement uses."""
    for name, block in blocks.items():
        if name not in used:
            message = f"nothing uses the block '{name}'"
            yield warning("W209", message, block.span, help=f"write 'use {name}' under a call")


class _Expansion:
    """The expansion of a statement in progress.

    Attributes:
        problems: mistakes in its uses of named blocks and its answers.
        used: the named blocks used so far.
        size: the number of rules so far.
    """

    def __init__(self, blocks: Mapping[str, ast.NamedBlock]) -> None:
        """Take the named blocks of the file."""
        self.problems: list[Diagnostic] = []
        self.used: set[str] = set()
        self.size = 0
        self._blocks = blocks

    def of(self, statement: ast.Statement) -> tuple[ast.Statement, ...]:
        """Return the expansion of a statement; nothing for a named block."""
        match statement:
            case ast.NamedBlock():
                return ()
            case ast.AnswerBlock():
                return tuple(self._answers(statement))
            case ast.Block():
                return (self._block(statement),)
            case ast.Replace(block=block):
                whole = self._block(block)
                return (statement if whole is block else replace(statement, block=whole),)
            case ast.Override(rule=rule):
                (single,) = self._rules((rule,), (), ())
                return (statement if single == rule else replace(statement, rule=single),)
            case _:
                return (statement,)

    # -------------------------------------------------------------- entries

    def _block(self, block: ast.Block) -> ast.Block:
        rules = tuple(self._rules(block.rules, block.uses, ()))
        # The very same object where nothing is expanded: others keep by identity what they know of
        # it.
        same = rules == block.rules and not block.uses
        return block if same else replace(block, rules=rules, uses=())

    def _rules(
        self, rules: Sequence[Entry], uses: Sequence[ast.Use], within: tuple[str, ...]
    ) -> Iterator[ast.Rule]:
        """Yield the rules at a place where no branch is allowed."""
        for entry in self._entries(rules, uses, within):
            if isinstance(entry, ast.Rule):
                yield entry
                continue
            self.problems.append(
                error(
                    "E106",
                    "a branch follows a rule; there is none above this one",
                    uses[0].span if uses else entry.span,
                    related=(Related("the branch", entry.span),),
                    help="use the block under a rule",
                )
            )

    def _entries(
        self, entries: Sequence[Entry], uses: Sequence[ast.Use], within: tuple[str, ...]
    ) -> Iterator[Entry]:
        begin = 0
        for use in uses:
            yield from self._single(entries[begin : use.place], within)
            yield from self._used_by(use, within)
            begin = use.place
        yield from self._single(entries[begin:], within)

    def _used_by(self, use: ast.Use, within: tuple[str, ...]) -> Iterator[Entry]:
        block = self._blocks.get(use.name)
        if block is None:
            names = ", ".join(sorted(self._blocks))
            message = f"this file has no block '{use.name}'"
            hint = f"the blocks here are {names}" if names else f"write 'block {use.name}' first"
            self.problems.append(error("E233", message, use.span, help=hint))
        # By the trail of names: two uses side by side are no circle.
        elif use.name in within:
            trail = " -> ".join([*within[within.index(use.name) :], use.name])
            message = f"the block '{use.name}' uses itself: {trail}"
            self.problems.append(error("E207", message, use.span))
        else:
            if len(within) == MOST_USES:
                raise _TooManyRulesError
            self.used.add(use.name)
            yield from self._entries(block.entries, block.uses, (*within, use.name))

    def _single(self, entries: Iterable[Entry], within: tuple[str, ...]) -> Iterator[Entry]:
        """Yield entries with one call in every rule."""
        for entry in entries:
            if isinstance(entry, ast.Branch):
                rules = tuple(self._rules(entry.rules, entry.uses, within))
                yield replace(entry, rules=rules, uses=())
                continue
            before = self.size
            children = tuple(self._entries(entry.children, entry.uses, within))
            # Rules below were counted once as they were expanded; each further call of the rule
            # repeats them.
            below = self.size - before
            self._count(max(1, len(entry.alternatives)) + len(entry.others) * (1 + below))
            choice = (entry.call, *entry.others) if entry.others else ()
            for call in (entry.call, *entry.others):
                single = replace(
                    entry, call=call, others=(), choice=choice, children=children, uses=()
                )
                yield from _by_alternative(single) if entry.alternatives else (single,)

    def _count(self, rules: int) -> None:
        self.size += rules
        if self.size > MOST_RULES:
            raise _TooManyRulesError

    # -------------------------------------------------------------- answers

    def _answers(self, block: ast.AnswerBlock) -> Iterator[ast.Block]:
        entries = tuple(self._entries(block.entries, block.uses, ()))
        # The entries were counted once; each further question repeats them.
        self._count(self.size * (len(block.questions) - 1))
        for question in block.questions:
            yield from self._about(question, block, entries)

    def _about(
        self, question: str, block: ast.AnswerBlock, entries: Sequence[Entry]
    ) -> Iterator[ast.Block]:
        """Yield the answers to one of a block's questions, and what follows them."""
        words = [question, *([block.suit] if block.suit else [])]
        names = tuple(ast.Name(word, span=block.span) for word in words)

        def placed(
            entries: Sequence[Entry],
            before: tuple[ast.Element, ...],
            facts: Sequence[str],
            lasting: ast.Condition | None,
        ) -> Iterator[ast.Block]:
            # The fact stays true through interference: a double of the question does not end it.
            fact = ast.Fact(ast.Apply(facts[0], names, span=block.span), span=block.span)
            when = fact if lasting is None else ast.And((fact, lasting))
            for element, rules in _by_their_call(entries):
                pattern = ast.Pattern(
                    (*before, element), open=True, about_question=True, span=block.span
                )
                answers = tuple(replace(rule, children=()) for rule in rules)
                # These are the answers; further down one fact less is left.
                if len(facts) == len(_SIDES_OF_A_QUESTION):
                    answers = tuple(_answering(rule, question, block.span) for rule in answers)
                yield ast.Block("after", pattern, answers, block.text, when, span=block.span)
                for rule in rules:
                    if rule.children and len(facts) == 1:
                        self._too_far(rule)
                    elif rule.children:
                        ours = ast.Element(theirs=False, alternatives=(rule.call,), span=rule.span)
                        follow = (*pattern.elements, ours)
                        yield from placed(rule.children, follow, facts[1:], what_lasts(lasting))

        yield from placed(entries, (_ANY,), _SIDES_OF_A_QUESTION, block.when)

    def _too_far(self, rule: ast.Rule) -> None:
        problem = error(
            "E106",
            "under an answer stand the asker's next call and the reply to it, no more",
            rule.children[0].span,
            related=(Related("the last call that may stand here", rule.span),),
            help="give the last call a question of its own, and write another answer block for it",
        )
        # A block for two questions would report it for each of them.
        if problem not in self.problems:
            self.problems.append(problem)


_SIDES_OF_A_QUESTION = ("asked", "answered", "told")
"""The facts about a question: at the answer, at the asker's next call, at the reply to it."""


def _by_their_call(entries: Sequence[Entry]) -> Iterator[tuple[ast.Element, tuple[ast.Rule, ...]]]:
    """Yield the rules for their pass, if there are any, and those of each branch."""
    after_pass = tuple(each for each in entries if isinstance(each, ast.Rule))
    if after_pass:
        yield THEY_PASS, after_pass
    for entry in entries:
        if isinstance(entry, ast.Branch):
            yield entry.element, entry.rules


def _by_alternative(rule: ast.Rule) -> Iterator[ast.Rule]:
    """Yield a rule for each alternative of one; what follows the call belongs to the first."""
    children = rule.children
    for alternative in rule.alternatives:
        kind = ast.Apply(alternative.name, _letters(alternative), span=alternative.span)
        fact = ast.Fact(
            kind if alternative.letters else ast.Name(alternative.name, span=alternative.span)
        )
        shared = rule.condition
        items = shared.items if isinstance(shared, ast.And) else (shared,) if shared else ()
        asked = ast.And((*items, fact), span=alternative.span) if items else fact
        yield replace(
            rule,
            label=plain_name(alternative.name),
            text=alternative.text if alternative.text is not None else rule.text,
            condition=asked,
            actions=(*rule.actions, *alternative.actions),
            children=children,
            alternatives=(),
            kind=kind,
            span=alternative.span,
        )
        # What follows the call is the same after each alternative, so it is placed once.
        children = ()


def _letters(alternative: ast.NamedAlternative) -> tuple[ast.Name, ...]:
    return tuple(ast.Name(letter, span=alternative.span) for letter in alternative.letters)


def definitions_in(statement: ast.Statement) -> tuple[ast.Let, ...]:
    """Return the definitions that the named alternatives of a statement's rules make."""
    alternatives = (part for part in parts(statement) if isinstance(part, ast.NamedAlternative))
    return tuple(
        ast.Let(each.name, each.letters, each.condition or _ANY_HAND, span=each.span)
        for each in alternatives
    )


def _answering(rule: ast.Rule, question: str, place: ast.Span) -> ast.Rule:
    """Return a rule that answers a question, artificially unless it says that it is natural.

    What it answers is said at a place: the heading of its block.
    """
    kinds = {action.kind for action in rule.actions}
    added = [] if "answers" in kinds else [ast.Action("answers", question, span=place)]
    passes = rule.call == ast.LiteralCall("P")
    if not passes and kinds.isdisjoint({"natural", "artificial"}):
        added.append(ast.Action("artificial", span=rule.span))
    return replace(rule, actions=(*rule.actions, *added)) if added else rule
