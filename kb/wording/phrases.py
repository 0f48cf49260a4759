"""Conditions as phrases: trees of facts about a hand, simplified until they read well.

A phrase means exactly what the formula of its condition means (tests hold the two equal); only
its shape is kept from what the author wrote. Public facts are filled in, definitions unfolded
where that stays short, negations pushed down to single facts, and ranges of one number joined.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from bidwright.kb.language import ast
from bidwright.kb.logic import linear
from bidwright.kb.logic.conditions import ConditionError, Environment, fold, fold_number, inside
from bidwright.kb.logic.features import HCP, POINTS
from bidwright.kb.logic.formula import FALSE as NEVER
from bidwright.kb.logic.formula import TRUE as ALWAYS
from bidwright.kb.logic.formula import Formula, Literal, holds
from bidwright.kb.wording.naming import Interval, Measure, Names, Style, Subject, measure, reading

_MOST_INLINE = (8, 3)
"""The most facts of a definition that is written out: used directly, and within another one."""


@dataclass(frozen=True, slots=True)
class Within:
    """A number of the hand lies in one of some ranges.

    Attributes:
        subject: the number.
        ranges: disjoint, in order, with gaps between them; none is empty.
    """

    subject: Subject
    ranges: tuple[Interval, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """A fact that has words of its own.

    Attributes:
        kind: `longest`, `shape`, or the name of a definition.
        suits: the suits that it is about.
        formula: what it means.
        negated: whether it does not hold.
    """

    kind: str
    suits: tuple[int, ...]
    formula: Formula = field(repr=False)
    negated: bool = False


@dataclass(frozen=True, slots=True)
class All:
    """Every item holds."""

    items: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """Some item holds."""

    items: tuple[Phrase, ...]


Phrase = Within | Said | All | Some

ANY = All(())
NONE = Some(())


# -------------------------------------------------------------------- building


def phrase_of(condition: ast.Condition | None, env: Environment, names: Names) -> Phrase:
    """Return the phrase of a condition at a position."""
    if condition is None:
        return ANY
    return simplified(_Builder(names).build(condition, env, 0))


def phrase_of_clause(clause: Iterable[Literal], names: Names) -> Phrase:
    """Return the phrase of a disjunction of thresholds."""
    return simplified(Some(tuple(_literal(literal, names) for literal in clause)))


def phrase_of_formula(formula: Formula, names: Names) -> Phrase:
    """Return the phrase of a formula; where there is a condition, its own phrase reads better."""
    return simplified(
        All(tuple(Some(tuple(_literal(one, names) for one in clause)) for clause in formula))
    )


def _literal(literal: Literal, names: Names) -> Phrase:
    form = linear.Linear(tuple((index, Fraction(weight)) for index, weight in literal.terms))
    found = measure(form)
    assert isinstance(found, Measure)
    phrase = _within(found, names.subject(found), Fraction(literal.at_least), None)
    return phrase if literal.positive else negation(phrase)


def _within(
    found: Measure, subject: Subject, low: Fraction | None, high: Fraction | None
) -> Phrase:
    least, most = found.counts(low, high)
    least, most = max(least, subject.domain[0]), min(most, subject.domain[1])
    return _ranged(subject, [(least, most)] if least <= most else [])


def _ranged(subject: Subject, ranges: Iterable[Interval]) -> Phrase:
    """Return the phrase that a number lies in some ranges, which may overlap."""
    joined: list[Interval] = []
    for low, high in sorted(ranges):
        if joined and low <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(joined[-1][1], high))
        else:
            joined.append((low, high))
    if not joined:
        return NONE
    return ANY if joined == [subject.domain] else Within(subject, tuple(joined))


class _Builder:
    """Builds phrases, with the names of a system."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def build(self, node: ast.Condition, env: Environment, depth: int) -> Phrase:
        """Return the phrase of a condition, not simplified; `depth` counts definitions opened."""
        match node:
            case ast.And(items=items):
                return All(tuple(self.build(item, env, depth) for item in items))
            case ast.Or(items=items):
                return Some(tuple(self.build(item, env, depth) for item in items))
            case ast.Not(item=item):
                return negation(self.build(item, env, depth))
            case ast.InRange(expr=expr, ranges=ranges):
                return Some(tuple(self._in_range(expr, one.low, one.high, env) for one in ranges))
            case ast.Compare():
                return self._compare(node, env)
            case ast.Fact(expr=expr) if not isinstance(expr, ast.Public):
                return self._fact(node, expr, env, depth)
            case ast.Shape():
                formula = fold(node, env)
                return Said(f"shape {' or '.join(node.patterns)}", (), formula)
            case _:
                return _fixed(fold(node, env)) or ANY

    def _in_range(
        self, expr: ast.Expr, low: Fraction | None, high: Fraction | None, env: Environment
    ) -> Phrase:
        found = measure(fold_number(expr, env))
        if isinstance(found, Fraction):
            return _truth((low is None or found >= low) and (high is None or found <= high))
        return _within(found, self._names.subject(found, _hint(expr, env)), low, high)

    def _compare(self, node: ast.Compare, env: Environment) -> Phrase:
        left, right = fold_number(node.left, env), fold_number(node.right, env)
        difference = linear.add(left, linear.scale(right, Fraction(-1)))
        found = measure(difference)
        zero = Fraction(0)
        if isinstance(found, Fraction):
            return _fixed(fold(node, env)) or ANY
        subject = self._names.subject(found, _hint(node.left, env))
        match node.op:
            case ">=":
                return _within(found, subject, zero, None)
            case "<=":
                return _within(found, subject, None, zero)
            case ">":
                return negation(_within(found, subject, None, zero))
            case "<":
                return negation(_within(found, subject, zero, None))
            case "=":
                return _within(found, subject, zero, zero)
            case _:
                return negation(_within(found, subject, zero, zero))

    def _fact(
        self, node: ast.Fact, expr: ast.Name | ast.Apply, env: Environment, depth: int
    ) -> Phrase:
        if expr.name in env.lets:
            return self._definition(node, expr, env, depth)
        formula = fold(node, env)
        fixed = _fixed(formula)
        if fixed is not None:
            return fixed
        if len(formula) == len(formula[0]) == 1:
            return _literal(formula[0][0], self._names)
        suits = tuple(suit for arg in _arguments(expr) if (suit := env.suit(arg)) is not None)
        return Said(expr.name, suits, formula)

    def _definition(
        self, node: ast.Fact, expr: ast.Name | ast.Apply, env: Environment, depth: int
    ) -> Phrase:
        """Return the phrase of a definition: what it means, or its name if that is long."""
        call = expr if isinstance(expr, ast.Apply) else ast.Apply(expr.name, (), span=expr.span)
        let = env.lets[expr.name]
        body = let.body
        if isinstance(body, ast.Name | ast.Apply):
            body = ast.Fact(body)
        assert not isinstance(body, ast.Number | ast.Binary | ast.Public)
        phrase = simplified(self.build(body, inside(let, call, env), depth + 1))
        if _size(phrase) <= _MOST_INLINE[min(depth, 1)]:
            return phrase
        suits = tuple(suit for arg in call.args if (suit := env.suit(arg)) is not None)
        try:
            return Said(expr.name, suits, fold(node, env))
        except ConditionError:  # by itself it is too large for a formula
            return phrase


def _arguments(expr: ast.Name | ast.Apply) -> tuple[ast.Expr, ...]:
    return expr.args if isinstance(expr, ast.Apply) else ()


def _truth(value: bool) -> Phrase:
    return ANY if value else NONE


def _fixed(formula: Formula) -> Phrase | None:
    return ANY if formula == ALWAYS else NONE if formula == NEVER else None


def _hint(expr: ast.Expr, env: Environment) -> tuple[str, tuple[int, ...]] | None:
    """Return the name and suits that an author used for a number."""
    match expr:
        case ast.Name(name=name):
            suit = env.suit(expr)
            return (name, ()) if suit is None else ("len", (suit,))
        case ast.Apply(name=name, args=args):
            suits = tuple(suit for arg in args if (suit := env.suit(arg)) is not None)
            return name, suits
        case _:
            return None


# -------------------------------------------------------------------- meaning


def fits(phrase: Phrase, hand: Sequence[int]) -> bool:
    """Tell whether a hand (its features) is as the phrase says."""
    match phrase:
        case Within(subject=subject, ranges=ranges):
            count = subject.count(hand)
            return any(low <= count <= high for low, high in ranges)
        case Said(formula=formula, negated=negated):
            return holds(formula, hand) is not negated
        case All(items=items):
            return all(fits(item, hand) for item in items)
        case Some(items=items):
            return any(fits(item, hand) for item in items)


def first_unmet(phrase: Phrase, hand: Sequence[int]) -> Phrase | None:
    """Return the first part of a phrase that a hand does not fit, None if it fits the whole."""
    if isinstance(phrase, All):
        return next((item for item in phrase.items if not fits(item, hand)), None)
    return None if fits(phrase, hand) else phrase


def negation(phrase: Phrase) -> Phrase:
    """Return the phrase that holds for the other hands."""
    match phrase:
        case Within(subject=subject, ranges=ranges):
            return _ranged(subject, _gaps(ranges, subject.domain))
        case Said(kind=kind, suits=suits, formula=formula, negated=negated):
            return Said(kind, suits, formula, not negated)
        case All(items=items):
            return Some(tuple(map(negation, items)))
        case Some(items=items):
            return All(tuple(map(negation, items)))


def _gaps(ranges: Iterable[Interval], domain: Interval) -> Iterator[Interval]:
    start = domain[0]
    for low, high in ranges:
        if start < low:
            yield start, low - 1
        start = high + 1
    if start <= domain[1]:
        yield start, domain[1]


def _size(phrase: Phrase) -> int:
    match phrase:
        case All(items=items) | Some(items=items):
            return sum(map(_size, items))
        case _:
            return 1


# -------------------------------------------------------------- simplification

_Known = Mapping[Subject, tuple[Interval, ...]]


def simplified(phrase: Phrase, known: _Known | None = None) -> Phrase:
    """Return a shorter phrase that means the same for hands within the known ranges."""
    known = known or {}
    match phrase:
        case Within(subject=subject, ranges=ranges):
            before = known.get(subject, (subject.domain,))
            both = tuple(_common(ranges, before))
            if not both:
                return NONE
            return ANY if both == before else phrase
        case All(items=items):
            return _simplified_all(items, known)
        case Some(items=items):
            return _simplified_some(items, known)
        case _:
            return phrase


def _common(one: Iterable[Interval], other: Sequence[Interval]) -> Iterator[Interval]:
    for low, high in one:
        for least, most in other:
            if max(low, least) <= min(high, most):
                yield max(low, least), min(high, most)


def _flat(items: Iterable[Phrase], kind: type[All] | type[Some]) -> Iterator[Phrase]:
    for item in items:
        if isinstance(item, kind):
            yield from _flat(item.items, kind)
        else:
            yield item


def _simplified_all(items: Iterable[Phrase], known: _Known) -> Phrase:
    waiting = list(_flat(items, All))
    while True:
        ranges = _ranges_of(waiting)
        if not all(ranges.values()):
            return NONE
        inside_known = {**known}
        for subject, each in ranges.items():
            inside_known[subject] = tuple(_common(each, known.get(subject, (subject.domain,))))
            if not inside_known[subject]:
                return NONE
        changed = [
            simplified(item, known if isinstance(item, Within) else inside_known)
            for item in _joined(waiting, ranges)
        ]
        if NONE in changed:
            return NONE
        flat = list(dict.fromkeys(_flat(changed, All)))
        if flat == waiting:
            break
        waiting = flat
    kept = _narrowed(waiting)
    return kept[0] if len(kept) == 1 else All(tuple(kept))


def _ranges_of(items: Iterable[Phrase]) -> dict[Subject, tuple[Interval, ...]]:
    """Return what the items that are ranges say together of each number."""
    ranges: dict[Subject, tuple[Interval, ...]] = {}
    for item in items:
        if isinstance(item, Within):
            before = ranges.get(item.subject, (item.subject.domain,))
            ranges[item.subject] = tuple(_common(item.ranges, before))
    return ranges


def _joined(
    items: Iterable[Phrase], ranges: Mapping[Subject, tuple[Interval, ...]]
) -> Iterator[Phrase]:
    """Yield the items, those about one number together."""
    done: set[Subject] = set()
    for item in items:
        if not isinstance(item, Within):
            yield item
        elif item.subject not in done:
            done.add(item.subject)
            yield Within(item.subject, ranges[item.subject])


def _narrowed(items: list[Phrase]) -> list[Phrase]:
    """Move a range into alternatives that all speak of the same number.

    `..21 HCP, 12+ HCP or 10+ HCP with spades` becomes `12-21 HCP or 10-21 HCP with spades`.
    """
    for place, outer in enumerate(items):
        if not isinstance(outer, Within):
            continue
        for other, inner in enumerate(items):
            if isinstance(inner, Some) and all(
                outer.subject in _ranges_of(_parts(each)) for each in inner.items
            ):
                narrow = Some(
                    tuple(_simplified_all((outer, *_parts(each)), {}) for each in inner.items)
                )
                rest = [item for i, item in enumerate(items) if i not in (place, other)]
                return _narrowed([simplified(narrow), *rest])
    return items


def _parts(phrase: Phrase) -> tuple[Phrase, ...]:
    return phrase.items if isinstance(phrase, All) else (phrase,)


def _simplified_some(items: Iterable[Phrase], known: _Known) -> Phrase:
    flat = list(
        dict.fromkeys(_flat((simplified(item, known) for item in _flat(items, Some)), Some))
    )
    if ANY in flat:
        return ANY
    union: dict[Subject, Phrase] = {}
    for item in flat:
        if isinstance(item, Within):
            before = union.get(item.subject)
            ranges = (*item.ranges, *(before.ranges if isinstance(before, Within) else ()))
            union[item.subject] = simplified(_ranged(item.subject, ranges), known)
    if ANY in union.values():
        return ANY
    kept: dict[Phrase, None] = {}
    for item in flat:
        if isinstance(item, Within):
            kept[union[item.subject]] = None
        elif (rest := _beyond(item, union)) is not None:
            kept[rest] = None
    found = tuple(kept)
    return found[0] if len(found) == 1 else Some(found)


def _beyond(item: Phrase, union: Mapping[Subject, Phrase]) -> Phrase | None:
    """Return what an alternative adds to those that are plain ranges, None for nothing."""
    parts: list[Phrase] = []
    for part in _parts(item):
        plain = union.get(part.subject) if isinstance(part, Within) else None
        if isinstance(part, Within) and isinstance(plain, Within):
            gaps = tuple(_common(part.ranges, tuple(_gaps(plain.ranges, part.subject.domain))))
            if not gaps:
                return None
            part = Within(part.subject, gaps) if len(gaps) == 1 else part
        parts.append(part)
    return parts[0] if len(parts) == 1 else All(tuple(parts))


# -------------------------------------------------------------------- reading


def _order(phrase: Phrase) -> int:
    """Return where a fact stands in a list: strength first, then suits, then the rest."""
    match phrase:
        case Within(subject=Subject(key=("sum", tuple() as terms))):
            if any(index in (HCP, POINTS) for index, _ in terms):
                return 0
            return 1
        case Some(items=items):
            return 2 if any(map(_order, items)) else 0
        case All(items=items):
            return min(map(_order, items), default=1)
        case _:
            return 1


def text_of(phrase: Phrase, style: Style = Style.WORDS) -> str:
    """Return a phrase in words: `15-17 HCP, balanced`."""
    if phrase == ANY:
        return "any hand"
    if phrase == NONE:
        return "no hand"
    match phrase:
        case All(items=items):
            return ", ".join(_listed(items, style))
        case Some(items=items):
            plain = not any(isinstance(item, All) for item in items)
            return (" or " if plain else "; or ").join(text_of(item, style) for item in items)
        case _:
            return _leaf(phrase, style)


def _listed(items: Iterable[Phrase], style: Style) -> list[str]:
    """Return the texts of facts that hold together, similar ones in one."""
    groups: dict[object, list[Phrase]] = {}
    for item in sorted(items, key=_order):
        groups.setdefault(_likeness(item) or item, []).append(item)
    return [
        _inner(group[0], style) if len(group) == 1 else _together(key, group, style)
        for key, group in groups.items()
    ]


def _likeness(phrase: Phrase) -> tuple[str, int, int] | None:
    """Return what facts that are told together have in common; None if it is told alone."""
    if not isinstance(phrase, Within) or len(phrase.ranges) > 1:
        return None
    subject, (low, high) = phrase.subject, phrase.ranges[0]
    match subject.kind:
        case "stopper" if low == 1:
            return "stopper", 0, 0
        case "voids" | "singletons" if high == 0:
            return "no shortage", 0, 0
        case "difference" if high == subject.domain[1] and low in (0, 1):
            return "longer", subject.suits[0], low
        case "difference" if low == subject.domain[0] and high in (0, -1):
            return "longer", subject.suits[1], -high
        case _:
            return None


def _together(likeness: object, group: Sequence[Phrase], style: Style) -> str:
    """Return the text of several facts of a likeness."""
    subjects = [phrase.subject for phrase in group if isinstance(phrase, Within)]
    match likeness:
        case ("longer", int() as suit, margin):
            others = [next(s for s in subject.suits if s != suit) for subject in subjects]
            if len(others) == 3 and not margin:
                return f"no suit longer than {style.suit(suit)}"
            manner = "longer than" if margin else "at least as long as"
            return f"{style.suit(suit)} {manner} {_and([style.suit(s) for s in others])}"
        case ("stopper", *_):
            return f"stoppers in {_and([style.suit(subject.suits[0]) for subject in subjects])}"
        case _:
            return "no singleton or void"


def _and(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]])


def _inner(phrase: Phrase, style: Style) -> str:
    """Return the text of a part that others follow."""
    match phrase:
        case All(items=items):
            return " and ".join(_listed(items, style))
        case Some(items=items):
            plain = not any(isinstance(item, All) for item in items)
            text = " or ".join(_inner(item, style) for item in items)
            return text if plain else f"({text})"
        case _:
            return _leaf(phrase, style)


def _leaf(phrase: Within | Said, style: Style) -> str:
    if isinstance(phrase, Within):
        return reading(phrase.subject, phrase.ranges, style)
    suits = " and ".join(style.suit(suit) for suit in phrase.suits)
    if phrase.kind == "longest":
        return f"{'a' if phrase.negated else 'no'} suit longer than {suits}"
    if phrase.kind == "longest_unbid":
        return f"{suits} {'not ' if phrase.negated else ''}the longest unbid suit"
    name = phrase.kind.partition("#")[0].replace("_", " ").replace("hcp", "HCP")
    text = f"{name} in {suits}" if suits else name
    return f"not {text}" if phrase.negated else text
