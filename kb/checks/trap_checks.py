"""Warnings about conditions, calls and statements that are legal but seldom meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain

from bidwright.bridge.calls import parse_call
from bidwright.bridge.cards import Denomination
from bidwright.kb.checks.contradictions import Refutation
from bidwright.kb.conditions.environment import SUIT_PUBLIC_FACTS
from bidwright.kb.expressions.condition_nodes import parts_with_definitions, plain_name
from bidwright.kb.expressions.nodes import parts
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, warning
from bidwright.kb.language.printer import condition_text, made_call_text
from bidwright.kb.language.system import Located
from bidwright.kb.language.tree_parts import Same
from bidwright.kb.language.walk import PlacedRule, pattern_text
from bidwright.kb.rules.legality import positions_after
from bidwright.kb.rules.patterns import VARIABLES, Run, call_of, may_be_same, run_of


def loose_alternatives(condition: ast.Condition) -> Iterator[Diagnostic]:
    """Yield each `or` between two commas without brackets: it ends at the commas."""
    for node in parts(condition):
        if not isinstance(node, ast.And):
            continue
        # At either end the comma on one side alone is no doubt.
        for index, item in enumerate(node.items[1:-1], 1):
            if isinstance(item, ast.Or) and not item.bracketed:
                yield _loose(node, index, item)


def _loose(node: ast.And, index: int, item: ast.Or) -> Diagnostic:
    before = ", ".join(map(_in_list, node.items[:index]))
    after = ", ".join(map(_in_list, node.items[index + 1 :]))
    here = condition_text(item)
    first, last = _in_list(item.items[0]), _in_list(item.items[-1])
    middle = "".join(f" or {_in_list(each)}" for each in item.items[1:-1])
    return warning(
        "W207",
        f"',' binds looser than 'or': this asks for {before} and {after} in every case",
        item.span,
        help=f"write ({here}) if so, else ({before}, {first}){middle} or ({last}, {after})",
    )


def _in_list(item: ast.Condition) -> str:
    text = condition_text(item)
    return f"({text})" if isinstance(item, ast.Or) else text


# ------------------------------------------------------------------ their suit


def cue_bids(
    placed: PlacedRule, lets: Mapping[str, ast.Let], refutation: Refutation
) -> Iterator[Diagnostic]:
    """Yield a warning if a rule's suit letter includes a suit that they have bid.

    A rule is taken at its word if its call is artificial, or if its condition tests the owner of
    a suit or its shown length.
    """
    rule, call = placed.rule, placed.rule.call
    letter = _letter(call)
    theirs = _their_suits(placed.pattern)
    if letter is None or not theirs or any(each.kind == "artificial" for each in rule.actions):
        return
    # Such a letter has the suit of a call before.
    bound = {word for element in placed.pattern.every_element for word in _letters_of(element)}
    if letter in bound:
        return
    conditions = [each for each in (placed.when, rule.condition) if each is not None]
    for part in chain.from_iterable(parts_with_definitions(each, lets) for each in conditions):
        if isinstance(part, ast.Public):
            return
        if isinstance(part, ast.Apply) and part.name in SUIT_PUBLIC_FACTS:
            return
    reached, _ = positions_after(placed.pattern)
    for suit in sorted(theirs & set(VARIABLES[letter])):
        for position in reached:
            suits = dict(position.suits)
            # Different letters stand for different suits.
            if suit in suits.values():
                continue
            binding = {**suits, letter: suit}
            bid = call_of(call, position.last_bid, binding)
            if bid is None or not position.allows(bid, ours=True):
                continue
            if refutation.is_impossible(conditions, binding):
                continue
            yield warning(
                "W208",
                f"{made_call_text(call)} includes {bid}, and they have bid that suit",
                call.span,
                help=f"add 'not their_suit({letter})', or ';' and 'artificial' for a cue-bid",
            )
            return


def _letter(call: ast.CallExpr) -> str | None:
    """Return the suit letter of a call, None if it has none that stands for itself."""
    match call:
        case ast.LevelCall(suit=word) | ast.RelativeCall(argument=word) if word in VARIABLES:
            return word
        case _:
            return None


def _letters_of(element: ast.Element) -> Iterator[str]:
    for call in element.alternatives:
        match call:
            case ast.LevelCall(suit=word) | ast.RelativeCall(argument=word):
                yield word[1:] if word in ("oM", "om") else word
            case _:
                continue


def _their_suits(pattern: ast.Pattern) -> set[int]:
    """Return the suits (0..3) that the opponents have bid and are sure to hold.

    A bid of two clubs is strong or conventional as a rule, and so are the overcalls of a notrump:
    suits count that were bid at the one level or that opened the bidding.
    """
    suits = set()
    for index, element in enumerate(pattern.elements):
        match element:
            case ast.Element(theirs=True, alternatives=(ast.LiteralCall(call=text),)):
                call = parse_call(text)
                if not call.is_bid or call.denomination == Denomination.NOTRUMP or text == "2C":
                    continue
                if call.level == 1 or (index == 0 and not pattern.open):
                    suits.add(int(call.denomination))
            case _:
                continue
    return suits


# ------------------------------------------------------- statements in a system


def unused_definitions(
    statements: Sequence[Located], module: str, used: Iterable[str]
) -> Iterator[Diagnostic]:
    """Yield the definitions of the module that is checked, and has rules, that nothing uses.

    One that only gives another name to something is put in where it is used, which leaves no
    trace; nothing is said of it.

    Args:
        statements: the statements of the system.
        module: the module of the system's first file; others may be written for several systems.
        used: the names that other statements use.
    """
    in_module = [each.statement for each in statements if each.module == module]
    if not any(isinstance(each, ast.Block) for each in in_module):
        return
    used_names = set(used)
    for let in in_module:
        if isinstance(let, ast.Let) and let.name not in used_names and not _only_renames(let):
            yield warning(
                "W209",
                f"nothing uses the definition '{plain_name(let.name)}'",
                let.span,
                help="use it in a condition, or remove it",
            )


def _only_renames(let: ast.Let) -> bool:
    match let.body:
        case ast.Name():
            return not let.params
        case ast.Apply(args=args):
            return bool(let.params) and args == tuple(map(ast.Name, let.params))
        case _:
            return False


def idle_rebases(
    statements: Sequence[Located], patterns: Iterable[ast.Pattern]
) -> Iterator[Diagnostic]:
    """Yield a warning of each `rebase` onto an auction that no rule stands at or after.

    Args:
        statements: the statements of the system.
        patterns: the patterns of its rules.
    """
    rebases = [each.statement for each in statements if isinstance(each.statement, ast.Rebase)]
    if not rebases:
        return
    # By identity: to compare patterns takes longer than to look through equal ones twice.
    closed = {Same(pattern) for pattern in patterns if not pattern.open}
    runs = [run for pattern in closed if (run := _run(pattern)) is not None]
    sources = [run for each in rebases if (run := _run(Same(each.source))) is not None]
    for rebase in rebases:
        target = _run(Same(rebase.target))
        if target is None or any(_continues(run, target) for run in (*runs, *sources)):
            continue
        yield warning(
            "W212",
            f"no rule stands after {pattern_text(rebase.target)}, so this 'rebase' does nothing",
            rebase.target.span,
            help=f"write 'after {pattern_text(rebase.target)}' and rules, or another auction here",
        )


@lru_cache(maxsize=16_384)
def _run(pattern: Same) -> Run | None:
    """Return the calls of a pattern; an editor asks for the same ones after every keystroke."""
    assert isinstance(pattern.node, ast.Pattern)
    try:
        return run_of(pattern.node)
    except ValueError:  # A parameter without a value, which is reported as such.
        return None


def _continues(run: Run, target: Run) -> bool:
    return len(run) >= len(target) and may_be_same(run, target)
