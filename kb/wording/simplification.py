"""Shorter phrases that mean the same: negations and ranges of one number joined."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from bidwright.kb.logic.bounds import Interval
from bidwright.kb.wording.phrases import ANY, NONE, All, Phrase, Some, Within, ranged
from bidwright.kb.wording.phrases import gaps as uncovered
from bidwright.kb.wording.subjects import Subject

_Ranges = Mapping[Subject, tuple[Interval, ...]]
"""The ranges of numbers that the context of a phrase gives already."""


def simplified(phrase: Phrase, given: _Ranges | None = None) -> Phrase:
    """Return a shorter phrase of the same meaning for hands within given ranges."""
    given = given or {}
    match phrase:
        case Within(subject=subject, ranges=ranges):
            before = given.get(subject, (subject.domain,))
            both = tuple(_common(ranges, before))
            if not both:
                return NONE
            return ANY if both == before else phrase
        case All(items=items):
            return _simplified_all(items, given)
        case Some(items=items):
            return _simplified_some(items, given)
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


def _simplified_all(items: Iterable[Phrase], given: _Ranges) -> Phrase:
    # To a fixed point: an alternative that shrinks to a range narrows the other items in turn.
    waiting = list(_flat(items, All))
    while True:
        ranges = _ranges_of(waiting)
        if not all(ranges.values()):
            return NONE
        inside = {**given}
        for subject, of_subject in ranges.items():
            inside[subject] = tuple(_common(of_subject, given.get(subject, (subject.domain,))))
            if not inside[subject]:
                return NONE
        changed = [
            # A range may not be simplified by itself: it would become "any hand".
            simplified(item, given if isinstance(item, Within) else inside)
            for item in _joined(waiting, ranges)
        ]
        if NONE in changed:
            return NONE
        flat = list(dict.fromkeys(_flat(changed, All)))
        if flat == waiting:
            break
        waiting = flat
    narrowed = _narrowed(waiting)
    return narrowed[0] if len(narrowed) == 1 else All(tuple(narrowed))


def _ranges_of(items: Iterable[Phrase]) -> dict[Subject, tuple[Interval, ...]]:
    """Return the ranges of each number that the items bound directly, all of them together."""
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
            # Only where every alternative bounds the number: in others the outer range would be
            # repeated.
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


def _simplified_some(items: Iterable[Phrase], given: _Ranges) -> Phrase:
    flat = list(
        dict.fromkeys(_flat((simplified(item, given) for item in _flat(items, Some)), Some))
    )
    if ANY in flat:
        return ANY
    union: dict[Subject, Phrase] = {}
    for item in flat:
        if isinstance(item, Within):
            before = union.get(item.subject)
            ranges = (*item.ranges, *(before.ranges if isinstance(before, Within) else ()))
            union[item.subject] = simplified(ranged(item.subject, ranges), given)
    if ANY in union.values():
        return ANY
    result: dict[Phrase, None] = {}
    for item in flat:
        if isinstance(item, Within):
            result[union[item.subject]] = None
        elif (rest := _beyond(item, union)) is not None:
            result[rest] = None
    alternatives = tuple(result)
    return alternatives[0] if len(alternatives) == 1 else Some(alternatives)


def _beyond(item: Phrase, union: Mapping[Subject, Phrase]) -> Phrase | None:
    """Return the part of an alternative beyond those that are plain ranges; None if empty."""
    parts: list[Phrase] = []
    for part in _parts(item):
        plain = union.get(part.subject) if isinstance(part, Within) else None
        if isinstance(part, Within) and isinstance(plain, Within):
            gaps = tuple(_common(part.ranges, tuple(uncovered(plain.ranges, part.subject.domain))))
            if not gaps:
                return None
            # Two gaps are longer to read than the whole range, which is as true.
            part = Within(part.subject, gaps) if len(gaps) == 1 else part
        parts.append(part)
    return parts[0] if len(parts) == 1 else All(tuple(parts))
