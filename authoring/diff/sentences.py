"""What differs, in words: the same sentences for text and Markdown."""

from __future__ import annotations

from bidwright.authoring.diff.causes import Cause, counts
from bidwright.authoring.diff.delta import Delta
from bidwright.authoring.diff.differences import HandChange, MeaningChange
from bidwright.authoring.diff.groups import Group, HandLine
from bidwright.authoring.diff.result import Difference
from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat
from bidwright.inference.sampling import Probability
from bidwright.kb.rules.rule import CompiledRule

_LEAST = 1e-7
_RENAMED = 5


def share_text(share: Probability) -> str:
    """Return a share of deals: `4.6 %` counted, `about 4.6 %` estimated, `1 in 12,000` if rare."""
    about = "" if share.is_exact else "about "
    return about + plain_share(share.value)


def plain_share(value: float) -> str:
    """Return a share as a percentage, or as one in so many if it is small."""
    if value >= 0.001:
        return f"{100 * value:.1f} %" if value >= 0.0995 else f"{100 * value:.2f} %"
    return f"1 in {round(1 / value):,}" if value >= _LEAST else "hardly ever"


def weight_text(line: HandLine) -> str:
    """Return how often hands come up, and which part of it was counted."""
    weight = line.weight
    if weight.is_exact:
        return f"{plain_share(weight.value)}, counted"
    text = plain_share(weight.value)
    text += f" ± {100 * weight.error:.2f}" if weight.value >= 0.001 else ", estimated"
    if line.counted >= 0.001:
        text += f" ({plain_share(line.counted)} counted)"
    return text


def headline(found: Difference) -> str:
    """Return the one sentence that says how much differs."""
    if not found.delta.causes:
        return "No meaning changed; words did." if found.delta.reworded else "No meaning changed."
    changed = counts(found.delta.causes)
    if found.is_empty:
        return (
            f"No hand was found to be bid otherwise, nor a call to mean more or less ({changed})."
        )
    if not found.parted.value:
        rare = [line.weight.value for group in found.groups for line in group.hands]
        if rare:
            return (
                f"No deal bid by both versions differs (± {100 * found.parted.error:.1f} %), but "
                f"rare hands do, the most frequent on {plain_share(max(rare))} of deals: {changed}."
            )
        return f"No hand was found to be bid otherwise, but calls mean something else ({changed})."
    share = plain_share(found.parted.value)
    share = f"At least {share}" if found.interrupted else share
    error = f"± {100 * found.parted.error:.1f}"
    seen = ""
    if found.parted.value - found.seen > 1e-9:
        seen = f", {plain_share(found.seen)} seen and the rest estimated"
        if not found.seen:
            seen = ", none seen and all of it estimated"
    return f"{share} of deals are bid otherwise ({error}{seen}): {changed}."


def after(calls: tuple[Call, ...]) -> str:
    """Return calls since the first bid in the notation of auctions; `opening` if there are none."""
    return str(Auction(Seat.NORTH, calls)) or "opening"


def seats_text(change: HandChange) -> str:
    """Return after how many passes it is so, as far as that varies."""
    passes = sorted({len(each.new.auction.calls) - len(change.calls) for each in change.places})
    if passes == [0]:
        return ""
    words = [str(number) for number in passes]
    many = f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]
    return f"after {many} pass{'es' * (passes[-1] != 1)}"


def calls_text(change: MeaningChange) -> str:
    """Return an auction with the call that means something else."""
    return str(Auction(Seat.NORTH, change.calls))


def rule_text(rule: CompiledRule | None) -> str:
    """Return a rule's id; passing without a rule is no rule."""
    return rule.id if rule is not None else "no rule"


def cause_text(cause: Cause | None) -> str:
    """Return what changed in the files."""
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
    """Return how much a change does, in a few words."""
    (hands, _), (meanings, _) = group.more
    words = [f"{hands} class{'es' * (hands != 1)} of hands"] if hands else []
    words += [f"{meanings} call{'s' * (meanings != 1)}"] if meanings else []
    return f"{' and '.join(words)}, the most frequent about {plain_share(group.heaviest)}"


def renamed_lines(delta: Delta) -> list[str]:
    """Return which rules have another id, a few of them."""
    lines = [f"{one} is {other}" for one, other in delta.renamed[:_RENAMED]]
    more = len(delta.renamed) - _RENAMED
    return lines + ([f"and {more} more"] if more > 0 else [])
