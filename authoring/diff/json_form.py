"""What differs, as plain values for programs."""

from __future__ import annotations

from typing import Any

from bidwright.authoring.diff.causes import Cause
from bidwright.authoring.diff.groups import Group, HandLine, MeaningLine
from bidwright.authoring.diff.result import Difference
from bidwright.authoring.diff.sentences import headline
from bidwright.inference.sampling import Probability

Json = dict[str, Any]


def to_json(found: Difference, *, deals: bool = False) -> Json:
    """Return what differs as plain values; with a deal for each class of hands if wanted."""
    old, new = found.versions
    return {
        "old": old.label,
        "new": new.label,
        "headline": headline(found),
        "changed": not found.is_empty,
        "interrupted": found.interrupted,
        "bid_otherwise": {**_share(found.parted), "seen": found.seen},
        "groups": [_group(found, group, deals) for group in found.groups],
        "without_effect": [_cause(cause) for cause in found.idle],
        "words_only": [
            {
                "rule": each.new.id,
                "places": [str(each.old.span), str(each.new.span)],
                "words": [
                    dict(zip(("name", "old", "new"), one, strict=True)) for one in each.words
                ],
            }
            for each in found.delta.reworded
        ],
        "renamed": [{"old": one, "new": other} for one, other in found.delta.renamed],
        "limits": found.limits,
    }


def _share(share: Probability) -> Json:
    return {"share": share.value, "error": share.error, "is_exact": share.is_exact}


def _cause(cause: Cause | None) -> Json | None:
    if cause is None:
        return None
    old, new = cause.places
    return {
        "kind": cause.kind.value,
        "name": cause.name,
        "is_definition": cause.is_definition,
        "old": {"place": str(old), "text": cause.said[0]} if old else None,
        "new": {"place": str(new), "text": cause.said[1]} if new else None,
        "users": list(cause.users),
    }


def _group(found: Difference, group: Group, deals: bool) -> Json:
    return {
        "cause": _cause(group.cause),
        "bid_otherwise": _share(group.first),
        "hands": [_hands(found, line, deals) for line in group.hands],
        "meanings": [_meaning(line) for line in group.meanings],
        "more_hands": group.more[0][0],
        "more_meanings": group.more[1][0],
    }


def _hands(found: Difference, line: HandLine, deals: bool) -> Json:
    change = line.change
    value: Json = {
        "calls": [str(call) for call in change.calls],
        "old": str(change.old),
        "new": str(change.new),
        "rules": [rule.id if rule else None for rule in change.rules],
        "hands": line.hands,
        "weight": _share(line.weight),
        "auctions": [
            {
                "calls": [str(call) for call in place.new.auction.calls],
                "vul": place.new.auction.vulnerability.word,
                **_share(share),
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


def _meaning(line: MeaningLine) -> Json:
    return {
        "calls": [str(call) for call in line.change.calls],
        "aspects": [{"name": each.name, "old": each.old, "new": each.new} for each in line.aspects],
        "weights": {"old": _share(line.weights[0]), "new": _share(line.weights[1])},
    }
