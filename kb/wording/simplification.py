"""Shorter phrases that mean the same: negations and ranges of one number joined."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from bidwright.kb.logic.bounds import Interval
from bidwright.kb.wording.phrases import ANY, NONE, All, Phrase, Some, Within, ranged
from bidwright.kb.wording.phrases import gaps as uncovered
from bidwright.kb.wording.subjects import Subject

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
    narrowed = _narrowed(waiting)
    return narrowed[0] if len(narrowed) == 1 else All(tuple(narrowed))


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
            union[item.subject] = simplified(ranged(item.subject, ranges), known)
    if ANY in union.values():
        return ANY
    result: dict[Phrase, None] = {}
    for item in flat:
        if isinstance(item, Within):
            result[union[item.subject]] = None
        elif (rest := _beyond(item, union)) is not None:
            result[rest] = None
    found = tuple(result)
    return found[0] if len(found) == 1 else Some(found)


def _beyond(item: Phrase, union: Mapping[Subject, Phrase]) -> Phrase | None:
    """Return what an alternative adds to those that are plain ranges, None for nothing."""
    parts: list[Phrase] = []
    for part in _parts(item):
        plain = union.get(part.subject) if isinstance(part, Within) else None
        if isinstance(part, Within) and isinstance(plain, Within):
            gaps = tuple(_common(part.ranges, tuple(uncovered(plain.ranges, part.subject.domain))))
            if not gaps:
                return None
            part = Within(part.subject, gaps) if len(gaps) == 1 else part
        parts.append(part)
    return parts[0] if len(parts) == 1 else All(tuple(parts))
