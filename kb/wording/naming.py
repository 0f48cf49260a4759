"""Names for the numbers of a hand: those of the language, then those of a system's definitions.

A sum that the system has a definition for is called by that definition's name.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from itertools import permutations

from bidwright.bridge.cards import SUITS
from bidwright.kb.conditions.environment import ConditionError, Environment, NoPosition
from bidwright.kb.conditions.fold import fold_number
from bidwright.kb.expressions.condition_nodes import Apply, Let, Name
from bidwright.kb.logic import linear
from bidwright.kb.logic.features import FEATURES, LARGEST, LENGTHS
from bidwright.kb.logic.hand_numbers import HAND_NUMBERS, SUIT_NUMBERS
from bidwright.kb.logic.linear import Cases, Extreme, Linear, Number, NumberForm
from bidwright.kb.wording.readings import SHAPE_OF
from bidwright.kb.wording.subjects import Measure, Subject, measure


def _feature_subject(index: int) -> Subject:
    """Return the subject of a single feature."""
    name, _, rest = FEATURES[index].partition("(")
    key = ("sum", ((index, 1),))
    form = linear.feature(index)
    domain = (0, LARGEST[index])
    if not rest:
        return Subject(key, form, domain, name)
    letters = rest.rstrip(")").split(",")
    if name == "pattern":
        return Subject(key, form, domain, "shape")
    suit = "cdhs".index(letters[0])
    kind = f"card_{letters[1]}" if name == "card" else name
    return Subject(key, form, domain, kind, (suit,))


class Names:
    """The names of numbers in a system: those of the language, then those of its definitions."""

    def __init__(self, lets: Mapping[str, Let]) -> None:
        """Take a system's definitions, by name."""
        self._lets = lets

    def subject(self, number: Measure, hint: tuple[str, tuple[int, ...]] | None = None) -> Subject:
        """Return the subject of a measure.

        Args:
            number: the measure.
            hint: the name that the author used, if it is one of the language's own.
        """
        if hint is not None:
            named = self._own.get(hint)
            # The author's word stays if it counts the same: two words of the language may be one
            # number.
            if named is not None and named.key == number.key:
                return named
        named = self._table.get(number.key)
        if named is not None:
            return named
        match number.form:
            case Linear(terms=terms):
                return self._unnamed(number, terms)
            case Extreme():
                return self._unnamed_extreme(number, number.form)
            case _:
                return Subject(number.key, number.form, number.domain, "second_longest")

    def _unnamed(self, number: Measure, terms: tuple[tuple[int, Number], ...]) -> Subject:
        """Return the subject of a sum that has no name as a whole."""
        match terms:
            # A difference of two lengths is how authors compare suits: it reads "longer than", not
            # "minus".
            case ((first, weight), (second, other)) if (
                weight == 1 and other == -1 and first in LENGTHS and second in LENGTHS
            ):
                suits = (LENGTHS.index(first), LENGTHS.index(second))
                return Subject(number.key, number.form, number.domain, "difference", suits)
            # A hand has exactly one pattern, so that a sum of pattern features is 0 or 1: one of
            # some shapes.
            case _ if all(index in SHAPE_OF for index, _ in terms):
                return Subject(number.key, number.form, (0, 1), "shape")
        parts = self._parts(dict(terms))
        return Subject(number.key, number.form, number.domain, "sum", parts=parts)

    def _parts(self, terms: dict[int, Number]) -> tuple[tuple[Fraction, Subject], ...]:
        """Split a sum into summands that have names, the longest first."""
        parts: list[tuple[Fraction, Subject]] = []
        left = dict(terms)
        for subject in self._summands:
            assert isinstance(subject.form, Linear)
            members = subject.form.terms
            index, weight = members[0]
            factor = Fraction(left.get(index, 0)) / weight
            if factor and all(left.get(i) == factor * w for i, w in members):
                parts.append((factor, subject))
                for i, _ in members:
                    del left[i]
        return tuple(sorted(parts, key=lambda part: (part[0] < 0, part[1].kind != "hcp")))

    def _unnamed_extreme(self, number: Measure, form: Extreme) -> Subject:
        """Return the subject of a sum with a largest or smallest number among its summands."""
        # `hcp + max(spades, hearts)` is kept as the largest of two sums: what they share is taken
        # out, and the rest is looked up as a name.
        shared = dict(form.sums[0].terms)
        for alternative in form.sums[1:]:
            terms = dict(alternative.terms)
            shared = {index: w for index, w in shared.items() if terms.get(index) == w}
        rest = Extreme(
            form.largest,
            tuple(
                Linear(tuple(t for t in each.terms if t[0] not in shared), each.constant)
                for each in form.sums
            ),
        )
        # A name with a scale or an offset does not stand for the number itself in a sum.
        other = measure(rest)
        named = self._table.get(other.key) if isinstance(other, Measure) else None
        if not shared or named is None or named.scale != 1 or named.offset:
            sums = [measure(each) for each in form.sums]
            each_named = tuple(
                (one.scale, self.subject(one))
                for one in sums
                if isinstance(one, Measure) and not one.constant
            )
            if len(each_named) < len(sums):
                return Subject(number.key, number.form, number.domain, "some_count")
            kind = "largest" if form.largest else "smallest"
            return Subject(number.key, number.form, number.domain, kind, parts=each_named)
        parts = (*self._parts(shared), (Fraction(1), named))
        return Subject(number.key, number.form, number.domain, "sum", parts=parts)

    @cached_property
    def _summands(self) -> list[Subject]:
        """The subjects that sums are split into: those of several features first."""
        linear = [
            subject
            for subject in self._table.values()
            if isinstance(subject.form, Linear) and subject.scale == 1 and not subject.offset
        ]
        # A definition of three features has to be tried before the features one by one.
        return sorted(linear, key=lambda subject: -len(_terms(subject)))

    @cached_property
    def _own(self) -> dict[tuple[str, tuple[int, ...]], Subject]:
        """The language's own names, by name and suits."""
        forms: dict[tuple[str, tuple[int, ...]], NumberForm] = {
            (word, ()): form for word, form in HAND_NUMBERS.items()
        }
        forms |= {
            (word, (suit,)): form
            for word, forms_of in SUIT_NUMBERS.items()
            for suit, form in enumerate(forms_of)
        }
        return {name: subject for name, form in forms.items() if (subject := _named(form, *name))}

    @cached_property
    def _table(self) -> dict[tuple[str, object], Subject]:
        """The subjects with names, by the key of their count."""
        # The first name stays: features, then the language's words, then definitions in their
        # order.
        table = {subject.key: subject for subject in map(_feature_subject, range(len(FEATURES)))}
        for subject in self._own.values():
            table.setdefault(subject.key, subject)
        for let in self._lets.values():
            for suits in permutations(range(4), len(let.params)):
                facts = NoPosition()
                call = Apply(let.name, tuple(Name(SUITS[s].name.lower()) for s in suits))
                env = Environment({}, self._lets, facts, {})
                try:
                    named = _named(fold_number(call, env), let.name, suits)
                except (ConditionError, linear.NumberFormError):
                    break  # it is a condition, or about other things than suits
                # A definition that reads the auction counts something else at every position: it
                # has no name here.
                if named is not None and not facts.was_read:
                    table.setdefault(named.key, named)
        return table


def _terms(subject: Subject) -> tuple[tuple[int, Number], ...]:
    return subject.form.terms if isinstance(subject.form, Linear) else ()


def _named(form: NumberForm, kind: str, suits: tuple[int, ...]) -> Subject | None:
    if isinstance(form, Cases):
        return None
    measured = measure(form)
    if isinstance(measured, Fraction):
        return None
    return Subject(
        measured.key, measured.form, measured.domain, kind, suits, measured.scale, measured.constant
    )
