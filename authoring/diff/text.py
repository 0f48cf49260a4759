"""What differs, as plain text."""

from __future__ import annotations

from collections.abc import Iterator

from bidwright.authoring.diff.causes import Cause
from bidwright.authoring.diff.delta import Reworded
from bidwright.authoring.diff.groups import Group, HandLine, MeaningLine
from bidwright.authoring.diff.result import Difference
from bidwright.authoring.diff.sentences import (
    after,
    brief_text,
    calls_text,
    cause_text,
    headline,
    place_text,
    plain_share,
    renamed_lines,
    rule_text,
    seats_text,
    share_text,
    weight_text,
)
from bidwright.authoring.lint.whole import diagram


def to_text(found: Difference, *, deals: bool = False) -> str:
    """Return what differs as plain text; with a deal for each class of hands if wanted."""
    return "\n".join(_lines(found, deals))


def _lines(found: Difference, deals: bool) -> Iterator[str]:
    old, new = found.versions
    yield f"{old.label} -> {new.label}"
    yield headline(found)
    brief = [group for group in found.groups if group.is_brief]
    for number, group in enumerate(found.groups[: len(found.groups) - len(brief)], 1):
        yield ""
        yield f"{number}. {cause_text(group.cause)}{_share(group)}"
        if group.cause is not None:
            yield from _said(group.cause)
        yield from _hands(found, group, deals)
        yield from _meanings(group)
    if brief:
        yield ""
        yield "Changes that matter less:"
        for group in brief:
            yield f"   {cause_text(group.cause)} ({place_text(group.cause)}): {brief_text(group)}"
    if found.idle:
        yield ""
        yield "Without effect, as far as was looked:"
        for cause in found.idle:
            yield f"   {cause_text(cause)} ({place_text(cause)})"
    if found.delta.reworded:
        yield ""
        yield "Words only:"
        for each in found.delta.reworded:
            yield from _words(each)
    if found.delta.renamed and found.delta.causes:
        yield ""
        yield "Another id:"
        yield from (f"   {line}" for line in renamed_lines(found.delta))
    if found.limits:
        yield ""
        yield from (f"* {line}" for line in found.limits)


def _share(group: Group) -> str:
    return f": {share_text(group.first)} of deals" if group.first.value else ""


def _said(cause: Cause) -> Iterator[str]:
    for name, place, said in zip(("was", "is"), cause.places, cause.said, strict=True):
        if place is not None:
            yield f"   {name:3}  {place}  {said}"


def _hands(found: Difference, group: Group, deals: bool) -> Iterator[str]:
    if group.hands:
        yield "   Hands that call otherwise"
    for line in group.hands:
        change = line.change
        seats = seats_text(change)
        where = after(change.calls) + (f", {seats}" if seats else "")
        yield f"     {where}: {change.old} -> {change.new}, {weight_text(line)}"
        yield f"       {line.hands}"
        yield f"       was {rule_text(change.rules[0])}, is {rule_text(change.rules[1])}"
        yield f"       {line.witness}"
        if deals:
            yield from _deal(found, line)
    count, weight = group.more[0]
    if count:
        yield f"     and {count} more, together about {plain_share(weight)}"


def _deal(found: Difference, line: HandLine) -> Iterator[str]:
    deal, auctions = found.deal_of(line)
    if deal is not None:
        yield from (f"         {row}".rstrip() for row in diagram(deal).split("\n"))
        yield from (
            f"         {name:3}  {auction}"
            for name, auction in zip(("was", "is"), auctions, strict=True)
        )


def _meanings(group: Group) -> Iterator[str]:
    if group.meanings:
        yield "   Calls that mean something else"
    for line in group.meanings:
        yield f"     {calls_text(line.change)}, {often(line)}"
        for aspect in line.aspects:
            yield f"       {aspect.name}: {aspect.old} -> {aspect.new}"
    count, _ = group.more[1]
    if count:
        yield f"     and {count} more"


def often(line: MeaningLine) -> str:
    """Return how often a call was and is made."""
    old, new = line.weights
    if not old.value and not new.value:
        return "hardly ever"
    if not old.value:
        return f"{share_text(new)}, never before"
    if not new.value:
        return f"{share_text(old)} before, never now"
    return f"{share_text(old)} -> {share_text(new)}"


def _words(each: Reworded) -> Iterator[str]:
    yield f"   {each.new.id} ({each.old.span} -> {each.new.span})"
    for name, old, new in each.words:
        yield f"     {name}: {old or 'none'} -> {new or 'none'}"
