"""What differs, as Markdown for a pull request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bidwright.authoring.diff.causes import Cause
from bidwright.authoring.diff.groups import Group, HandLine
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
from bidwright.authoring.diff.text import often
from bidwright.authoring.lint.whole import diagram

_FEW = 20
"""More lines than this are folded away."""


def to_markdown(found: Difference, *, deals: bool = False) -> str:
    """Return what differs as Markdown; with a deal for each class of hands if wanted."""
    return "\n".join(_lines(found, deals))


def _lines(found: Difference, deals: bool) -> Iterator[str]:
    old, new = found.versions
    yield f"## Bidding: {_code(old.label)} → {_code(new.label)}"
    yield ""
    yield f"**{headline(found)}**"
    brief = [group for group in found.groups if group.is_brief]
    for number, group in enumerate(found.groups[: len(found.groups) - len(brief)], 1):
        yield from _group(found, number, group, deals)
    if brief:
        yield from _section(
            "Changes that matter less", [_changed(each.cause, brief_text(each)) for each in brief]
        )
    if found.idle:
        rows = [_changed(cause) for cause in found.idle]
        yield from _section("Without effect, as far as was looked", rows)
    if found.delta.reworded:
        rows = [
            f"- {_code(each.new.id)}, {name}: {_cell(old_words or 'none')} → "
            f"{_cell(new_words or 'none')} "
            f"({_code(str(each.old.span))} → {_code(str(each.new.span))})"
            for each in found.delta.reworded
            for name, old_words, new_words in each.words
        ]
        yield from _section("Words only", rows)
    if found.delta.renamed and found.delta.causes:
        yield from _section("Another id", [f"- {line}" for line in renamed_lines(found.delta)])
    if found.limits:
        yield ""
        yield "<sub>" + ". ".join(line[0].upper() + line[1:] for line in found.limits) + ".</sub>"


def _changed(cause: Cause | None, more: str = "") -> str:
    name = cause.name if cause else ""
    tail = f": {more}" if more else ""
    return f"- {_cause(cause_text(cause), name)} ({_code(place_text(cause))}){tail}"


def _section(title: str, rows: list[str]) -> Iterator[str]:
    yield ""
    if len(rows) <= _FEW:
        yield f"### {title}"
        yield ""
        yield from rows
        return
    yield f"<details><summary>{title} ({len(rows)})</summary>"
    yield ""
    yield from rows
    yield ""
    yield "</details>"


def _group(found: Difference, number: int, group: Group, deals: bool) -> Iterator[str]:
    share = f": {share_text(group.first)} of deals" if group.first.value else ""
    name = group.cause.name if group.cause else ""
    yield ""
    yield f"### {number}. {_cause(cause_text(group.cause), name)}{share}"
    if group.cause is not None:
        yield ""
        for word, place, said in zip(
            ("was", "is"), group.cause.places, group.cause.said, strict=True
        ):
            if place is not None:
                yield f"- {word} {_code(str(place))}: {_code(said)}"
    if group.hands:
        yield ""
        yield from _table(
            ("position", "was", "is", "hands", "how often", "witness"),
            (_hand_row(line) for line in group.hands),
        )
        yield from _more(*group.more[0])
        if deals:
            yield from _deals(found, group)
    if group.meanings:
        yield ""
        yield from _table(
            ("call", "what changed", "was", "is", "how often"),
            (
                (
                    _code(calls_text(line.change)) if not row else "",
                    aspect.name,
                    aspect.old,
                    aspect.new,
                    often(line) if not row else "",
                )
                for line in group.meanings
                for row, aspect in enumerate(line.aspects)
            ),
        )
        yield from _more(*group.more[1])


def _hand_row(line: HandLine) -> tuple[str, ...]:
    change = line.change
    seats = seats_text(change)
    return (
        _code(after(change.calls)) + (f", {seats}" if seats else ""),
        f"{change.old} ({_code(rule_text(change.rules[0]))})",
        f"**{change.new}** ({_code(rule_text(change.rules[1]))})",
        line.hands,
        weight_text(line),
        _code(str(line.witness)),
    )


def _more(count: int, weight: float) -> Iterator[str]:
    if count:
        yield ""
        yield f"and {count} more, less frequent ones (about {plain_share(weight)} together)"


def _deals(found: Difference, group: Group) -> Iterator[str]:
    yield ""
    yield "<details><summary>Deals</summary>"
    for line in group.hands:
        deal, auctions = found.deal_of(line)
        if deal is None:
            continue
        yield ""
        yield f"{after(line.change.calls)}: {line.change.old} → {line.change.new}"
        yield ""
        yield "```text"
        yield from (row.rstrip() for row in diagram(deal).split("\n"))
        yield ""
        yield from (f"{name:3}  {each}" for name, each in zip(("was", "is"), auctions, strict=True))
        yield "```"
    yield ""
    yield "</details>"


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield "| " + " | ".join(heads) + " |"
    yield "|" + " --- |" * len(heads)
    for row in rows:
        yield "| " + " | ".join(map(_cell, row)) + " |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _code(text: str) -> str:
    fence = "``" if "`" in text else "`"
    return f"{fence}{text}{fence}"


def _cause(text: str, name: str) -> str:
    return text.replace(name, _code(name), 1) if name else text
