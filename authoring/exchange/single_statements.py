"""The single statements of descriptions: `15-17`, `5+ !S`, `4cM`, `minors 5-5`, `stopper in !H`.

Each reader looks at the tokens from a place on, and returns what it understands with the place
after it, or None.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from bidwright.authoring.exchange import english
from bidwright.authoring.exchange.phrase_table import PhraseTable
from bidwright.authoring.exchange.ranges import Tokens, is_at, ranges_at, starts, suit_at
from bidwright.kb.language import ast

Found = tuple[ast.Condition, int] | None

_MAJORS, _MINORS = ("hearts", "spades"), ("clubs", "diamonds")
_SYNONYMS: dict[tuple[str, ...], str] = {
    ("high", "card", "points"): "hcp",
    ("hcps",): "hcp",
    ("total", "points"): "points",
    ("pts",): "hcp",
    ("p",): "hcp",
    ("ace",): "aces",
    ("king",): "kings",
    ("control",): "controls",
    ("loser",): "losers",
    ("ptricks",): "playing_tricks",
    ("qt",): "quick_tricks",
}


def _by_words(
    names: Mapping[str, str], others: dict[tuple[str, ...], str] | None = None
) -> PhraseTable[str]:
    """Return names by their English words, and by other words where there are some."""
    known = {tuple(words.split()): name for name, words in names.items()} | (others or {})
    return PhraseTable(known.items())


_NUMBERS = _by_words(english.NUMBERS, _SYNONYMS)
_SUIT_NUMBERS = _by_words(english.SUIT_NUMBERS)
_OTHER_FACTS: dict[tuple[str, ...], str] = {
    ("bal",): "balanced",
    ("semibal",): "semibalanced",
    ("semi-bal",): "semibalanced",
    ("semibalanced",): "semibalanced",
    ("unbal",): "unbalanced",
}
_FACTS = _by_words(english.FACTS, _OTHER_FACTS)
_OTHER_SUIT_FACTS: dict[tuple[str, ...], str] = {
    ("stop", "in"): "stopper",
    ("void",): "void",
    ("singleton",): "singleton",
    ("doubleton",): "doubleton",
    ("longest", "suit"): "longest",
}
_SUIT_FACTS = _by_words(english.SUIT_FACTS, _OTHER_SUIT_FACTS)
_AFTER_SUIT = {"stopper": "stopper", "stop": "stopper", "void": "void", "singleton": "singleton"}
_LEAST_HCP = 7
"""A bare range that reaches this far counts high-card points."""


# ---------------------------------------------------------------------- numbers


def _factor(tokens: Tokens, at: int) -> tuple[ast.Expr, int] | None:
    if is_at(tokens, at, "sign", "("):
        inner = _sum(tokens, at + 1)
        if inner and is_at(tokens, inner[1], "sign", ")"):
            return inner[0], inner[1] + 1
        return None
    suited = _SUIT_NUMBERS.longest(tokens, at)
    if suited and (suit := suit_at(tokens, suited[1])):
        return ast.Apply(suited[0], (ast.Name(suit),)), suited[1] + 1
    named = _NUMBERS.longest(tokens, at)
    if named:
        return ast.Name(named[0]), named[1]
    if suit := suit_at(tokens, at):
        return ast.Name(suit), at + 1
    if is_at(tokens, at, "number"):
        return ast.Number(Fraction(tokens[at].value)), at + 1
    return None


def _chain(tokens: Tokens, at: int, words: Sequence[str]) -> tuple[ast.Expr, int] | None:
    """Return operands with some operators between them, from the left."""
    operand = _factor if words == ("times",) else _product
    found = operand(tokens, at)
    while found and is_at(tokens, found[1], "word", *words):
        op = next(o for o, word in english.OPERATORS.items() if word == tokens[found[1]].value)
        right = operand(tokens, found[1] + 1)
        if right is None:
            return None
        found = ast.Binary(op, found[0], right[0]), right[1]
    return found


def _product(tokens: Tokens, at: int) -> tuple[ast.Expr, int] | None:
    return _chain(tokens, at, ("times",))


def _sum(tokens: Tokens, at: int) -> tuple[ast.Expr, int] | None:
    return _chain(tokens, at, ("plus", "minus"))


def comparison(tokens: Tokens, at: int) -> Found:
    """Read `!S >= !H`."""
    left = _sum(tokens, at)
    if left is None or not is_at(tokens, left[1], "sign", ">=", "<=", ">", "<", "=", "!="):
        return None
    right = _sum(tokens, left[1] + 1)
    if right is None or isinstance(left[0], ast.Number):
        return None
    return ast.Compare(tokens[left[1]].value, left[0], right[0]), right[1]


# ------------------------------------------------------------------------ counts


def length(suit: str, ranges: tuple[ast.Range, ...]) -> ast.Condition:
    """Return the condition of a suit's length."""
    return ast.InRange(ast.Name(suit), ranges)


def _either(suits: Sequence[str], ranges: tuple[ast.Range, ...]) -> ast.Condition:
    return ast.Or(tuple(length(suit, ranges) for suit in suits))


def _minimum(ranges: tuple[ast.Range, ...]) -> tuple[ast.Range, ...]:
    """Return ranges; a plain number as a minimum, as in `a 4-card major`."""
    if len(ranges) == 1 and ranges[0].low == ranges[0].high:
        return (ast.Range(ranges[0].low, None),)
    return ranges


def counted(tokens: Tokens, at: int) -> Found:
    """Read a range and what it counts."""
    read = ranges_at(tokens, at)
    if read is None:
        return None
    ranges, end = read
    if is_at(tokens, end, "word", "cm", "cmajor", "cminor"):
        major = tokens[end].text in ("cM", "CM", "cmajor")
        return _either(_MAJORS if major else _MINORS, _minimum(ranges)), end + 1
    named = _NUMBERS.longest(tokens, end)
    if named and tokens[end].value in ("card", "cards"):
        return ast.InRange(ast.Name(named[0]), ranges), named[1]
    place = end
    if is_at(tokens, place, "sign", "-") and is_at(tokens, place + 1, "word", "card", "cards"):
        place += 1
    if is_at(tokens, place, "word", "card", "cards", "c"):
        place += 1
        if is_at(tokens, place, "word", "in"):
            place += 1
    carded = place > end
    if is_at(tokens, place, "word", "major", "majors", "minor", "minors"):
        suits = _MAJORS if tokens[place].value.startswith("major") else _MINORS
        return _either(suits, _minimum(ranges) if carded else ranges), place + 1
    if not carded or suit_at(tokens, place):
        total = _sum(tokens, place)
        if total and not isinstance(total[0], ast.Number):
            after = total[1] + is_at(tokens, total[1], "word", "suit")
            return ast.InRange(total[0], ranges), after
    if carded:
        return None
    return _bare(ranges, end, tokens)


def _bare(ranges: tuple[ast.Range, ...], end: int, tokens: Tokens) -> Found:
    """Read a range that counts high-card points though it does not say so."""
    low, high = ranges[0].low, ranges[0].high
    exact = low == high
    follows = is_at(tokens, end, "sign", "/", "=") or is_at(tokens, end, "number")
    if exact or follows or (high or low or 0) < _LEAST_HCP:
        return None
    return ast.InRange(ast.Name("hcp"), ranges), end


def is_bare(tokens: Tokens) -> bool:
    """Tell whether a clause is a range alone that does not reach as far as points usually do."""
    read = ranges_at(tokens, 0)
    if read is None or read[1] < len(tokens):
        return False
    low, high = read[0][0].low, read[0][0].high
    return low != high and (high or low or 0) < _LEAST_HCP


# ------------------------------------------------------------------------ shapes


def two_suits(tokens: Tokens, at: int) -> Found:
    """Read `minors 5-5`, `5-4 in the majors` and `5+-5+ !H and !S`."""
    pair = _pair(tokens, at)
    if pair is not None:
        place = pair[1]
        for word in ("in", "the", "both"):
            place += is_at(tokens, place, "word", word)
        suits = _two(tokens, place)
        return None if suits is None else (_lengths(suits[0], pair[0]), suits[1])
    suits = _two(tokens, at + is_at(tokens, at, "word", "both"))
    if suits is None:
        return None
    opened = is_at(tokens, suits[1], "sign", "(")
    pair = _pair(tokens, suits[1] + opened)
    if pair is None:
        return None
    closed = opened and is_at(tokens, pair[1], "sign", ")")
    return _lengths(suits[0], pair[0]), pair[1] + closed


def _pair(tokens: Tokens, at: int) -> tuple[tuple[int, int], int] | None:
    """Read `5-4`, `5+-4+` or `5/5` as two least lengths."""
    ends: list[int] = []
    place = at
    for number in range(2):
        if not is_at(tokens, place, "number") or not tokens[place].value.isdigit():
            return None
        ends.append(int(tokens[place].value))
        place += 1
        place += is_at(tokens, place, "sign", "+")
        if not number:
            if not is_at(tokens, place, "sign", "-", "/"):
                return None
            place += 1
    return (ends[0], ends[1]), place


def _two(tokens: Tokens, at: int) -> tuple[tuple[str, str], int] | None:
    if is_at(tokens, at, "word", "majors"):
        return _MAJORS, at + 1
    if is_at(tokens, at, "word", "minors"):
        return _MINORS, at + 1
    one = suit_at(tokens, at)
    joined = at + 1 + is_at(tokens, at + 1, "word", "and")
    other = suit_at(tokens, joined)
    return ((one, other), joined + 1) if one and other else None


def _lengths(suits: tuple[str, str], ends: tuple[int, int]) -> ast.Condition:
    """Return the condition of two least lengths, either way round if they differ."""
    ways = [
        ast.And(
            tuple(
                length(suit, (ast.Range(Fraction(end), None),))
                for suit, end in zip(suits, order, strict=True)
            )
        )
        for order in dict.fromkeys((ends, ends[::-1]))
    ]
    return ways[0] if len(ways) == 1 else ast.Or(tuple(ways))


def shape(tokens: Tokens, at: int) -> Found:
    """Read `5431`, `4=4=3=2`, `5-4-3-1` and `shape 5431|4441`."""
    named = is_at(tokens, at, "word", "shape")
    patterns: list[str] = []
    place = at + named
    while (found := _one_shape(tokens, place)) is not None:
        patterns.append(found[0])
        place = found[1]
        if not is_at(tokens, place, "sign", "|", "/"):
            break
        place += 1
    return (ast.Shape(tuple(patterns)), place) if patterns else None


_MOST_IN_SHAPE = 7
"""Tokens of the longest shape, four numbers and what stands between them."""


def _one_shape(tokens: Tokens, at: int) -> tuple[str, int] | None:
    end = at
    while end < min(len(tokens), at + _MOST_IN_SHAPE + 1) and (
        tokens[end].kind in ("number", "word")
        or (tokens[end].kind == "sign" and tokens[end].value in "=-")
    ):
        if end > at and tokens[end].start != tokens[end - 1].end:
            break
        end += 1
    text = "".join(token.text for token in tokens[at:end])
    for separator in ("", "=", "-"):
        digits = text.split(separator) if separator else list(text)
        if len(digits) == 4 and all(d == "x" or d.isdigit() for d in digits):
            if "x" not in digits and sum(map(int, digits)) != 13:
                return None
            return ("=" if separator == "=" else "").join(digits), end
    return None


# ------------------------------------------------------------------------- facts


def fact(tokens: Tokens, at: int) -> Found:
    """Read `balanced`, `stopper in !H`, `!H stopper` or `ace of !S`."""
    suited = _SUIT_FACTS.longest(tokens, at)
    if suited:
        place = suited[1] + is_at(tokens, suited[1], "word", "in")
        if suit := suit_at(tokens, place):
            return ast.Fact(ast.Apply(suited[0], (ast.Name(suit),))), place + 1
        if suited[0] in ("void", "singleton", "doubleton") and suited[1] == at + 1:
            some = (ast.Range(Fraction(1), None),)
            return ast.InRange(ast.Name(f"{suited[0]}s"), some), at + 1
    named = _FACTS.longest(tokens, at)
    if named:
        return ast.Fact(ast.Name(named[0])), named[1]
    if is_at(tokens, at, "word", "flat"):
        return ast.Shape(("4333",)), at + 1
    for letter, words in english.HONOURS.items():
        if starts(tokens, at, words.split()) and (suit := suit_at(tokens, at + 2)):
            card = ast.Name(f"{suit[0].upper()}{letter}")
            return ast.Fact(ast.Apply("has", (card,))), at + 3
    suit = suit_at(tokens, at)
    if suit and is_at(tokens, at + 1, "word", *_AFTER_SUIT):
        name = _AFTER_SUIT[tokens[at + 1].value]
        return ast.Fact(ast.Apply(name, (ast.Name(suit),))), at + 2
    return None


READERS = (shape, comparison, two_suits, counted, fact)
"""In the order in which they are tried."""
