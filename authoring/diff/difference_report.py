"""A difference of two versions as plain text, Markdown and JSON, in the same sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NotRequired, TypedDict

from bidwright.authoring.diff.delta import Cause, Delta, HandChange, MeaningChange, Reworded, counts
from bidwright.authoring.diff.result import Difference, Group, HandLine, MeaningLine, is_telling
from bidwright.authoring.lint.whole import diagram
from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat
from bidwright.inference.sampling import Probability
from bidwright.kb.rules.rule import CompiledRule
from bidwright.kb.wording.shares import frequency_text
from bidwright.runtime.sentences import listed, noun_for

_RENAMED = 5


def share_text(share: Probability) -> str:
    """Return a share of deals: `4.6 %` counted, `about 4.6 %` estimated, `1 in 12,000` if rare."""
    about = "" if share.is_exact else "about "
    return about + frequency_text(share.value)


def at_most_text(share: Probability) -> str:
    """Return the upper end of an estimate: `at most about 40.0 %`."""
    return f"at most about {frequency_text(min(1.0, share.value + 2 * share.error))}"


def group_share_text(group: Group) -> str:
    """Return the share of deals that a change makes different, as text; empty if there are none."""
    if not group.first.value:
        return ""
    # An estimate below its error says nothing of the share.
    if is_telling(group.first):
        return f": {share_text(group.first)} of deals"
    return f": one deal shows it; {at_most_text(group.first)} of deals"


def weight_text(line: HandLine) -> str:
    """Return the frequency of hands, and the part of it that was counted, as text."""
    weight = line.weight
    if weight.is_exact:
        return f"{frequency_text(weight.value)}, counted"
    text = frequency_text(weight.value)
    text += f" ± {100 * weight.error:.2f}" if weight.value >= 0.001 else ", estimated"
    if line.counted >= 0.001:
        text += f" ({frequency_text(line.counted)} counted)"
    return text


def headline(found: Difference) -> str:
    """Return a sentence with the size of the difference."""
    if not found.delta.causes:
        return "No meaning changed; words did." if found.delta.reworded else "No meaning changed."
    changed = counts(found.delta.causes)
    if found.is_empty:
        return (
            f"No hand was found to be bid otherwise, nor a call to mean more or less ({changed})."
        )
    if not found.parted.value:
        # A rare hand that the solver made is a difference, though no deal has shown it.
        rare = [line.weight.value for group in found.groups for line in group.hands]
        if rare:
            most = frequency_text(max(rare))
            return (
                f"No deal bid by both versions differs (± {100 * found.parted.error:.1f} %), but "
                f"rare hands do, the most frequent on {most} of deals: {changed}."
            )
        return f"No hand was found to be bid otherwise, but calls mean something else ({changed})."
    # An estimate no larger than its error was printed, and read as a result.
    if not is_telling(found.parted):
        seen = f"{frequency_text(found.seen)} of them seen" if found.seen else "none of them seen"
        return (
            f"Some deals are bid otherwise, {seen}; so few were bid that how many is not known "
            f"({at_most_text(found.parted)}; --deals and --follow take more): {changed}."
        )
    share = frequency_text(found.parted.value)
    # Ctrl-C ends the look early: what was seen is a lower end.
    share = f"At least {share}" if found.interrupted else share
    error = f"± {100 * found.parted.error:.1f}"
    seen = ""
    if found.parted.value - found.seen > 1e-9:
        seen = f", {frequency_text(found.seen)} seen and the rest estimated"
        if not found.seen:
            seen = ", none seen and all of it estimated"
    return f"{share} of deals are bid otherwise ({error}{seen}): {changed}."


def after(calls: tuple[Call, ...]) -> str:
    """Return calls since the first bid in the notation of auctions; `opening` if there are none."""
    return str(Auction(Seat.NORTH, calls)) or "opening"


def seats_text(change: HandChange) -> str:
    """Return the numbers of passes before the auction of a change, as far as they vary."""
    passes = sorted({len(each.new.auction.calls) - len(change.calls) for each in change.places})
    # The first seat is what an auction is read as.
    if passes == [0]:
        return ""
    many = listed(map(str, passes), "or")
    return f"after {many} {noun_for(passes[-1], 'pass')}"


def calls_text(change: MeaningChange) -> str:
    """Return an auction with the call that means something else."""
    return str(Auction(Seat.NORTH, change.calls))


def rule_text(rule: CompiledRule | None) -> str:
    """Return a rule's id; passing without a rule is no rule."""
    return rule.id if rule is not None else "no rule"


def cause_text(cause: Cause | None) -> str:
    """Return the change in the files, as text."""
    if cause is None:
        return "several changes together"
    what = "definition " if cause.is_definition else ""
    return f"{what}{cause.name} {'is ' if cause.kind.value != 'changed' else ''}{cause.kind.value}"


def place_text(cause: Cause | None) -> str:
    """Return where a change stands, in the new version unless it is gone."""
    if cause is None:
        return "more than one file"
    return next(str(each) for each in reversed(cause.places) if each is not None)


def brief_text(group: Group) -> str:
    """Return the effect of a change in a few words."""
    (hands, _), (meanings, _) = group.more
    words = [f"{hands} {noun_for(hands, 'class')} of hands"] if hands else []
    words += [f"{meanings} {noun_for(meanings, 'call')}"] if meanings else []
    return f"{' and '.join(words)}, the most frequent about {frequency_text(group.heaviest)}"


def renamed_lines(delta: Delta) -> list[str]:
    """Return a few lines about rules with another id."""
    lines = [f"{one} is {other}" for one, other in delta.renamed[:_RENAMED]]
    more = len(delta.renamed) - _RENAMED
    return lines + ([f"and {more} more"] if more > 0 else [])


def to_text(found: Difference, *, deals: bool = False) -> str:
    """Return the differences as plain text; with a deal for each class of hands if wanted."""
    return "\n".join(_text_lines(found, deals))


def _text_lines(found: Difference, deals: bool) -> Iterator[str]:
    old, new = found.versions
    yield f"{old.label} -> {new.label}"
    yield headline(found)
    brief = [group for group in found.groups if group.is_brief]
    for number, group in enumerate(found.groups[: len(found.groups) - len(brief)], 1):
        yield ""
        yield f"{number}. {cause_text(group.cause)}{group_share_text(group)}"
        if group.cause is not None:
            yield from _said(group.cause)
        yield from _text_hands(found, group, deals)
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
        for rewording in found.delta.reworded:
            yield from _words(rewording)
    if found.delta.renamed and found.delta.causes:
        yield ""
        yield "Another id:"
        yield from (f"   {line}" for line in renamed_lines(found.delta))
    if found.limits:
        yield ""
        yield from (f"* {line}" for line in found.limits)


def _said(cause: Cause) -> Iterator[str]:
    for name, place, text in zip(("was", "is"), cause.places, cause.said, strict=True):
        if place is not None:
            yield f"   {name:3}  {place}  {text}"


def _text_hands(found: Difference, group: Group, deals: bool) -> Iterator[str]:
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
        yield f"     and {count} more, together about {frequency_text(weight)}"


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
    """Return the frequencies of a call in both versions, as text."""
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


_FEW = 20
"""More lines than this are folded away."""


def to_markdown(found: Difference, *, deals: bool = False) -> str:
    """Return the differences as Markdown; with a deal for each class of hands if wanted."""
    return "\n".join(_markdown_lines(found, deals))


def _markdown_lines(found: Difference, deals: bool) -> Iterator[str]:
    old, new = found.versions
    yield f"## Bidding: {_code(old.label)} → {_code(new.label)}"
    yield ""
    yield f"**{headline(found)}**"
    brief = [group for group in found.groups if group.is_brief]
    for number, group in enumerate(found.groups[: len(found.groups) - len(brief)], 1):
        yield from _markdown_group(found, number, group, deals)
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
    return f"- {_markdown_cause(cause_text(cause), name)} ({_code(place_text(cause))}){tail}"


# Long lists are folded, so that the differences that matter stay in sight.
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


def _markdown_group(found: Difference, number: int, group: Group, deals: bool) -> Iterator[str]:
    share = group_share_text(group)
    name = group.cause.name if group.cause else ""
    yield ""
    yield f"### {number}. {_markdown_cause(cause_text(group.cause), name)}{share}"
    if group.cause is not None:
        yield ""
        for word, place, text in zip(
            ("was", "is"), group.cause.places, group.cause.said, strict=True
        ):
            if place is not None:
                yield f"- {word} {_code(str(place))}: {_code(text)}"
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
        yield f"and {count} more, less frequent ones (about {frequency_text(weight)} together)"


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
    # A text with a backtick needs two around it.
    fence = "``" if "`" in text else "`"
    return f"{fence}{text}{fence}"


def _markdown_cause(text: str, name: str) -> str:
    return text.replace(name, _code(name), 1) if name else text


class ShareValues(TypedDict):
    """A share of deals: its error is 0 if it was counted."""

    share: float
    error: float
    is_exact: bool


class SeenShareValues(ShareValues):
    """A share of deals, and the part of it that was seen."""

    seen: float


class PlacedText(TypedDict):
    """A line of a convention file and its text."""

    place: str
    text: str


class CauseValues(TypedDict):
    """A change of the files; a side is missing where a rule is new or gone."""

    kind: str
    name: str
    is_definition: bool
    old: PlacedText | None
    new: PlacedText | None
    users: list[str]


class AuctionValues(ShareValues):
    """An auction, and the share of deals on which a class of hands comes up after it."""

    calls: list[str]
    vul: str


class WitnessValues(TypedDict):
    """A hand that is bid otherwise, in PBN, and its auction."""

    calls: list[str]
    dealer: str
    vul: str
    seat: str
    hand: str


class HandsValues(TypedDict):
    """A class of hands that call otherwise; the deal and its auctions only where asked for."""

    calls: list[str]
    old: str
    new: str
    rules: list[str | None]
    hands: str
    weight: ShareValues
    auctions: list[AuctionValues]
    witness: WitnessValues
    deal: NotRequired[str | None]
    auctions_on_it: NotRequired[list[str]]


class WordingValues(TypedDict):
    """An aspect of a rule or a call, as it was and as it is."""

    name: str
    old: str
    new: str


class WeightValues(TypedDict):
    """The shares of deals for a call, before and now."""

    old: ShareValues
    new: ShareValues


class MeaningValues(TypedDict):
    """A call that means something else."""

    calls: list[str]
    aspects: list[WordingValues]
    weights: WeightValues


class GroupValues(TypedDict):
    """The effects of a change, the most frequent ones; the rest is counted."""

    cause: CauseValues | None
    bid_otherwise: ShareValues
    hands: list[HandsValues]
    meanings: list[MeaningValues]
    more_hands: int
    more_meanings: int


class RewordedValues(TypedDict):
    """A rule with other words and the same meaning; its places are the old and the new one."""

    rule: str
    places: list[str]
    words: list[WordingValues]


class RenamedValues(TypedDict):
    """A rule with another id."""

    old: str
    new: str


class DifferenceValues(TypedDict):
    """A difference of two versions, as `bidwright diff --json` prints it."""

    old: str
    new: str
    headline: str
    changed: bool
    interrupted: bool
    bid_otherwise: SeenShareValues
    groups: list[GroupValues]
    without_effect: list[CauseValues]
    words_only: list[RewordedValues]
    renamed: list[RenamedValues]
    limits: list[str]


def to_json(found: Difference, *, deals: bool = False) -> DifferenceValues:
    """Return the differences as plain values; with a deal for each class of hands if wanted."""
    old, new = found.versions
    return {
        "old": old.label,
        "new": new.label,
        "headline": headline(found),
        "changed": not found.is_empty,
        "interrupted": found.interrupted,
        "bid_otherwise": {**_json_share(found.parted), "seen": found.seen},
        "groups": [_json_group(found, group, deals) for group in found.groups],
        "without_effect": [_json_cause(cause) for cause in found.idle],
        "words_only": [
            {
                "rule": each.new.id,
                "places": [str(each.old.span), str(each.new.span)],
                "words": [
                    {"name": name, "old": old_words, "new": new_words}
                    for name, old_words, new_words in each.words
                ],
            }
            for each in found.delta.reworded
        ],
        "renamed": [{"old": one, "new": other} for one, other in found.delta.renamed],
        "limits": found.limits,
    }


def _json_share(share: Probability) -> ShareValues:
    return {"share": share.value, "error": share.error, "is_exact": share.is_exact}


def _json_cause(cause: Cause) -> CauseValues:
    old, new = cause.places
    return {
        "kind": cause.kind.value,
        "name": cause.name,
        "is_definition": cause.is_definition,
        "old": {"place": str(old), "text": cause.said[0]} if old else None,
        "new": {"place": str(new), "text": cause.said[1]} if new else None,
        "users": list(cause.users),
    }


def _json_group(found: Difference, group: Group, deals: bool) -> GroupValues:
    return {
        "cause": None if group.cause is None else _json_cause(group.cause),
        "bid_otherwise": _json_share(group.first),
        "hands": [_json_hands(found, line, deals) for line in group.hands],
        "meanings": [_meaning(line) for line in group.meanings],
        "more_hands": group.more[0][0],
        "more_meanings": group.more[1][0],
    }


def _json_hands(found: Difference, line: HandLine, deals: bool) -> HandsValues:
    change = line.change
    value: HandsValues = {
        "calls": [str(call) for call in change.calls],
        "old": str(change.old),
        "new": str(change.new),
        "rules": [rule.id if rule else None for rule in change.rules],
        "hands": line.hands,
        "weight": _json_share(line.weight),
        "auctions": [
            {
                "calls": [str(call) for call in place.new.auction.calls],
                "vul": place.new.auction.vulnerability.word,
                **_json_share(share),
            }
            for place, share in zip(change.places, line.shares, strict=True)
        ],
        "witness": {
            "calls": [str(call) for call in line.witness.auction.calls],
            "dealer": str(line.witness.auction.dealer),
            "vul": line.witness.auction.vulnerability.word,
            "seat": str(line.witness.seat),
            "hand": change.places[0].hand.to_pbn(),
        },
    }
    if deals:
        deal, auctions = found.deal_of(line)
        value["deal"] = deal.to_pbn() if deal is not None else None
        value["auctions_on_it"] = [str(each) for each in auctions]
    return value


def _meaning(line: MeaningLine) -> MeaningValues:
    return {
        "calls": [str(call) for call in line.change.calls],
        "aspects": [{"name": each.name, "old": each.old, "new": each.new} for each in line.aspects],
        "weights": {"old": _json_share(line.weights[0]), "new": _json_share(line.weights[1])},
    }
