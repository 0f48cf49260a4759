"""Words of rules for a document: of calls, patterns, and conditions where letters stand for suits.

A rule that stands at auctions of its own is put in words at one of them, where all that is public
is known; suit letters come back afterwards if the condition names no other suit. The condition
of a general rule is put in the words of the language's own table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from bidwright.bridge.auction import Auction
from bidwright.kb.conditions.environment import SUIT_OF_WORD
from bidwright.kb.conditions.reads import words_of
from bidwright.kb.expressions.condition_nodes import name_in_words, parts_with_definitions
from bidwright.kb.language import ast
from bidwright.kb.language.printer import condition_text, expr_text, range_text
from bidwright.kb.language.vocabulary import Kind, Param
from bidwright.kb.language.vocabulary import condition_words as words_named
from bidwright.kb.language.walk import call_text, pattern_text
from bidwright.kb.logic.public_facts import PLAIN_FACTS
from bidwright.kb.logic.public_state import PublicState, forcing_words
from bidwright.kb.rules.decision_list import Instance
from bidwright.kb.rules.rule import AuthorClaim, CompiledRule
from bidwright.kb.wording.phrase_text import text_of
from bidwright.kb.wording.ranges import amount
from bidwright.kb.wording.style import Style
from bidwright.kb.wording.words import Wording

SYMBOLS = "♣♦♥♠"
_SIGN = dict(zip("CDHS", SYMBOLS, strict=True))
_CALL = re.compile(r"(?<![A-Za-z])([1-7](?:\.\.[1-7])?)([CDHS])\b")
_RELATIVE = {
    "bid": "cheapest",
    "jump": "jump in",
    "doublejump": "double jump in",
    "game": "game in",
    "small_slam": "small slam in",
    "grand_slam": "grand slam in",
    "step": "step",
}
ANY_HAND = "any hand"
"""The words for the condition of a rule without one."""


def with_symbols(text: str) -> str:
    """Return calls and patterns with suit symbols: `1♠ (2♥)`."""
    return _CALL.sub(lambda match: match[1] + _SIGN[match[2]], text)


def call_words(call: ast.CallExpr) -> str:
    """Return the call of a rule: `2♠`, `3M`, `cheapest M`."""
    if isinstance(call, ast.RelativeCall):
        # `bid(M)` keeps its letter: the suit depends on the auction.
        argument = _SIGN.get(call.argument, call.argument)
        return f"{_RELATIVE[call.kind]} {argument}"
    text = with_symbols(call_text(call))
    return "Pass" if text == "P" else text


def auction_words(auction: Auction) -> str:
    """Return an auction that ends with our call, with their calls in brackets."""
    calls = [with_symbols(str(call)) for call in auction.calls]
    return " ".join(
        call if (len(calls) - place) % 2 else f"({call})" for place, call in enumerate(calls)
    )


def pattern_words(pattern: ast.Pattern) -> str:
    """Return a pattern with suit symbols."""
    return with_symbols(pattern_text(pattern))


def flags_of(rule: CompiledRule, instance: Instance | None = None) -> Iterator[str]:
    """Yield the actions of a rule's call, in words.

    Args:
        rule: the rule.
        instance: the rule at a position; None to leave the rule's letters as they stand.
    """
    forcing_to, agrees, asks_in = rule.forcing_to, rule.agrees, rule.asks_in
    if instance is not None:
        forcing_to = str(instance.forcing_to or forcing_to or "")
        agrees = agrees if instance.agrees is None else SYMBOLS[instance.agrees]
        asks_in = asks_in if instance.asks_in is None else SYMBOLS[instance.asks_in]
    level = with_symbols(forcing_to) if forcing_to else None
    if (words := forcing_words(rule.forcing, level)) is not None:
        yield words
    for word, name in (
        ("invitational", "invitational"),
        ("signoff", "sign-off"),
        ("artificial", "artificial"),
    ):
        if getattr(rule, word):
            yield name
    if agrees:
        yield f"agrees {_suit_sign(agrees)}"
    if rule.asks:
        yield f"asks {rule.asks}" + (f" in {_suit_sign(asks_in)}" if asks_in else "")
    if rule.answers:
        yield f"answers {rule.answers}"


def with_shown(rule: CompiledRule, needs: str) -> str:
    """Return the author's claims for a rule's call, and its further conditions.

    Example: `shows 2-3 ♥; at most 14 HCP`.
    """
    claims = list(map(_claim_words, rule.shows))
    rest = [] if needs == ANY_HAND else [each for each in needs.split(", ") if each not in claims]
    return "; ".join(filter(None, ("shows " + ", ".join(claims), ", ".join(rest))))


def _claim_words(claim: AuthorClaim) -> str:
    if claim.about == "balanced":
        return "balanced"
    low, high = (None if end is None else Fraction(end) for end in (claim.low, claim.high))
    unit = "HCP" if claim.about == "hcp" else _suit_sign(claim.about)
    return f"{amount(low, high)} {unit}"


def _suit_sign(word: str) -> str:
    """Return a suit word of a rule: a symbol, or the letter as it stands."""
    return SYMBOLS[SUIT_OF_WORD[word]] if word in SUIT_OF_WORD else word


def disclosed_of(rule: CompiledRule) -> Iterator[str]:
    """Yield the announcement and the alert of a rule's call."""
    if rule.announce is not None:
        yield f"announce “{rule.announce}”" if rule.announce else "announce"
    if rule.alert is not None:
        yield f"alert “{rule.alert}”" if rule.alert else "alert"


class RuleWords:
    """Puts conditions of a system in words."""

    def __init__(self, wording: Wording, lets: Mapping[str, ast.Let]) -> None:
        """Use the words and the definitions of a system."""
        self._wording = wording
        self._lets = lets

    def at(self, instance: Instance, state: PublicState) -> tuple[str, str]:
        """Return the condition of a rule at a position, and its `usually` condition, in words."""
        letters = self._letters(instance)
        needs = text_of(self._wording.phrase(instance, state), Style.SYMBOLS)
        usually = ""
        if instance.rule.usually is not None:
            usually = text_of(self._wording.usually(instance, state), Style.SYMBOLS)
        for symbol, letter in letters.items():
            needs, usually = needs.replace(symbol, letter), usually.replace(symbol, letter)
        return needs or ANY_HAND, usually

    def _letters(self, instance: Instance) -> dict[str, str]:
        """Return the letter of each suit symbol; none if the condition names suits itself."""
        # With a suit named outright, "♠" may be that suit or the letter's: symbols stay.
        if self._fixed(instance.rule.condition) or self._fixed(instance.rule.usually):
            return {}
        rule, letters = instance.rule, {}
        written = {*words_of(rule.condition), *words_of(rule.usually), *_call_word(rule.call)}
        # Two letters may be one suit: the one that the rule writes comes last, and wins.
        for name, suit in sorted(instance.binding, key=lambda pair: pair[0] in written):
            letters[SYMBOLS[suit]] = name
        return letters

    def _fixed(self, condition: ast.Condition | None) -> bool:
        """Return True if a condition, or a definition in it, names a suit."""
        if condition is None:
            return False
        nodes = parts_with_definitions(condition, self._lets)
        return any(name in SUIT_OF_WORD for node in nodes for name in _names(node))


def conjuncts_of(condition: ast.Condition | None) -> tuple[ast.Condition, ...]:
    """Return the parts of a condition that all have to hold."""
    if isinstance(condition, ast.And):
        return tuple(part for item in condition.items for part in conjuncts_of(item))
    return () if condition is None else (condition,)


def in_general(parts: Iterable[ast.Condition]) -> str:
    """Return the condition of a general rule in words, for any auction; empty for no parts."""
    return "; ".join(map(_general, parts))


def _call_word(call: ast.CallExpr) -> tuple[str, ...]:
    match call:
        case ast.LevelCall(suit=word) | ast.RelativeCall(argument=word):
            return (word,)
        case _:
            return ()


def _names(node: ast.Node) -> tuple[str, ...]:
    """Return the names that a node itself is made of."""
    match node:
        case ast.Name(name=name) | ast.Apply(name=name):
            return (name,)
        case ast.Public(path=path):
            return path
        case _:
            return ()


# ------------------------------------------------------------------ general rules

_WHOSE = {"me": "I", "lho": "left-hand opponent", "rho": "right-hand opponent"}


def _general(node: ast.Condition) -> str:
    match node:
        case ast.Fact(expr=ast.Name(name=name)):
            return _meaning(name, ()) or name_in_words(name)
        case ast.Fact(expr=ast.Apply(name=name, args=args)):
            return (
                _meaning(name, args) or f"{name_in_words(name)} in {', '.join(map(_number, args))}"
            )
        case ast.Not(item=item):
            return f"not ({_general(item)})"
        case ast.And(items=items):
            return f"({' and '.join(map(_general, items))})"
        case ast.Or(items=items):
            return f"({' or '.join(map(_general, items))})"
        case ast.InRange(expr=expr, ranges=ranges):
            amount = " or ".join(map(_range, ranges))
            # "13-15 HCP" of a hand, but "partner's least HCP: 13+" of the table.
            public = isinstance(expr, ast.Public) or (
                isinstance(expr, ast.Name) and expr.name in PLAIN_FACTS
            )
            return f"{_number(expr)}: {amount}" if public else f"{amount} {_number(expr)}"
        case ast.Compare(op=op, left=left, right=right):
            return f"{_number(left)} {op} {_number(right)}"
        case _:
            return condition_text(node)


def _range(one: ast.Range) -> str:
    return range_text(one, most="at most ", to="-")


def _meaning(name: str, args: tuple[ast.Expr, ...]) -> str:
    """Return the meaning of a fact in the language's table, its suit put in."""
    words = [
        word for word in words_named(name) if word.kind.is_fact and len(word.params) == len(args)
    ]
    if not words:
        return ""
    text = words[0].meaning
    if words[0].params == (Param.CALL_CLASS,):
        return f"{text.partition(' last call')[0]} last call was {_number(args[0])}"
    if words[0].params == (Param.QUESTION,):
        return text.replace("this", expr_text(args[0]))
    for letter, argument in zip("SR", args, strict=False):
        text = re.sub(rf"\b{letter}\b", _number(argument), text)
    return text


def _public_meaning(name: str) -> str:
    """Return the meaning of a number that everybody knows; empty for others."""
    words = [word for word in words_named(name) if word.kind is Kind.PUBLIC_NUMBER]
    return words[0].meaning.partition(",")[0] if words and name in PLAIN_FACTS else ""


def _number(expr: ast.Expr) -> str:
    match expr:
        case ast.Name(name=name) if name in SUIT_OF_WORD:
            return SYMBOLS[SUIT_OF_WORD[name]]
        case ast.Name(name=name):
            return _public_meaning(name) or name_in_words(name)
        case ast.Public(path=(who, what, side)):
            whose = _WHOSE.get(who, who)
            end = "least" if side == "min" else "most"
            suit = SUIT_OF_WORD.get(what)
            return (
                f"the {end} {name_in_words(what) if suit is None else SYMBOLS[suit]} {whose} showed"
            )
        case ast.Apply(name="fit", args=(suit,)):
            return f"{_number(suit)} together with partner's"
        case ast.Apply(name="combined", args=(what,)):
            return f"{_number(what)} together with partner's"
        case ast.Apply(name=name, args=args):
            return f"{name_in_words(name)} in {', '.join(map(_number, args))}"
        case ast.Binary(op=op, left=left, right=right):
            return f"{_number(left)} {op} {_number(right)}"
        case _:
            return expr_text(expr)
