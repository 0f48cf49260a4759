"""Answers that speak of a certain suit, though their block names none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from bidwright.kb.conditions.environment import SUIT_PUBLIC_FACTS
from bidwright.kb.expressions.condition_nodes import parts_with_definitions, plain_name
from bidwright.kb.expressions.nodes import children, parts
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, Related, warning
from bidwright.kb.language.printer import condition_text, made_call_text
from bidwright.kb.language.vocabulary import SUIT_VARIABLES

_SIDES = frozenset({"asked", "answered", "told"})
_TELLING = SUIT_PUBLIC_FACTS | _SIDES | {"partner_shows"}
"""Public facts that fix the suit of a letter."""

_TRUMPS = frozenset({"keycards"})
"""Words that are about the suit of a question and no other."""

_PLACES = frozenset({"keycards", "fit", "known_fit", "level", "steps"})
"""Words that do not describe a suit well enough to find it among the four."""


def answers_without_their_suit(
    block: ast.Block, lets: Mapping[str, ast.Let]
) -> Iterator[Diagnostic]:
    """Yield a warning if answers to a question use a letter that could be any suit.

    A letter is known that stands in the calls before or in a public fact, such as `agreed(X)`.
    Others stand for some suit, which is meant where the hand is described: `5X` with `has(XK)`.

    Args:
        block: the answers to one question, or the continuations of one of them.
        lets: the system's definitions.
    """
    question = _question_without_suit(block)
    if question is None:
        return
    # A letter in the calls before has a suit at this place.
    before = {word for element in block.pattern.every_element for word in _letters(element)}
    for rule in block.rules:
        asked = [each for each in (block.when, rule.condition) if each is not None]
        fixed = before | {word for each in asked for word in _public_letters(each)}
        loose = _loose_letter(rule, fixed, lets)
        if loose is None:
            continue
        letter, where = loose
        yield warning(
            "W214",
            f"which suit '{question}' is about is not said here, "
            f"so {letter} may be any suit in {where}",
            block.span,
            help=f"write 'in {letter}' behind the question: answer {question} in {letter}",
            related=(Related(f"{letter} stands here", rule.span),),
        )
        return


def once_a_block(found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield diagnostics, of those about one block of answers the first."""
    reported: set[ast.Span] = set()
    for diagnostic in found:
        if diagnostic.code == "W214":
            if diagnostic.span in reported:
                continue
            reported.add(diagnostic.span)
        yield diagnostic


def _question_without_suit(block: ast.Block) -> str | None:
    """Return the question of a block of answers, as it is written, if it names no suit."""
    if not block.pattern.about_question or block.when is None:
        return None
    for part in parts(block.when):
        match part:
            case ast.Apply(name=name, args=(ast.Name(name=word),), span=span):
                # The test that the block's heading stands for; the author's own tests have places
                # of their own.
                if name in _SIDES and span == block.span:
                    return word
            case _:
                continue
    return None


def _loose_letter(
    rule: ast.Rule, known: set[str], lets: Mapping[str, ast.Let]
) -> tuple[str, str] | None:
    """Return a letter of a rule that stands for no suit in particular, and where it stands."""
    call = made_call_text(rule.call)
    uses: defaultdict[str, set[str]] = defaultdict(set)
    places = {word: call for word in _letters(rule.call)}
    for word in places:
        uses[word] = set()
    if rule.condition is not None:
        items = rule.condition.items if isinstance(rule.condition, ast.And) else [rule.condition]
        for item in items:
            for word, about in _uses(item, lets):
                uses[word] |= about
                places.setdefault(word, condition_text(item))
    for letter, about in uses.items():
        # With `oM` the suit of `M` is known, and the other way around.
        same_suit = {letter, letter[-1]}
        described = about - _PLACES - (set() if letter in _letters(rule.call) else {"has"})
        if known.isdisjoint(same_suit) and (about & _TRUMPS or not described):
            return letter, places[letter]
    return None


def _uses(node: ast.Node, lets: Mapping[str, ast.Let]) -> Iterator[tuple[str, set[str]]]:
    """Yield the letters in a condition, each with the words that ask something of its suit."""
    match node:
        case ast.Name(name=word) if word in SUIT_VARIABLES:
            yield word, {"length"}
        case ast.Apply(name=name, args=args):
            for arg in args:
                word = arg.name if isinstance(arg, ast.Name) else ""
                letter = word[:-1] if name == "has" else word
                if letter in SUIT_VARIABLES:
                    yield letter, _meant_by(name, lets)
                else:
                    yield from _uses(arg, lets)
        case _:
            for child in children(node):
                yield from _uses(child, lets)


def _meant_by(name: str, lets: Mapping[str, ast.Let]) -> set[str]:
    """Return the word that is asked of a suit, or those that a definition is made of."""
    if name not in lets:
        return {plain_name(name)}
    body = parts_with_definitions(lets[name].body, lets)
    return {plain_name(name)} | {part.name for part in body if isinstance(part, ast.Apply)}


def _letters(node: ast.Node) -> set[str]:
    """Return the letters in calls, with the suits that follow from them."""
    letters = set()
    for part in parts(node):
        match part:
            case ast.LevelCall(suit=word) | ast.RelativeCall(argument=word):
                if word in SUIT_VARIABLES:
                    letters |= {word, word[-1]}
            case _:
                continue
    return letters


def _public_letters(condition: ast.Condition) -> Iterator[str]:
    """Yield the letters in public facts that fix their suits."""
    for part in parts(condition):
        match part:
            case ast.Apply(name=name, args=args) if name in _TELLING:
                for arg in args:
                    if isinstance(arg, ast.Name) and arg.name in SUIT_VARIABLES:
                        yield arg.name[-1]
            case ast.Public(path=path):
                yield from (word[-1] for word in path if word in SUIT_VARIABLES)
            case _:
                continue
