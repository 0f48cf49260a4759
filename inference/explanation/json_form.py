"""Explanations as plain values for JSON."""

from __future__ import annotations

from typing import NotRequired, TypedDict, cast

from bidwright.bridge.cards import SUITS, Seat, card_name
from bidwright.inference.explanation.denials import denial_text
from bidwright.inference.explanation.in_short import Brief
from bidwright.inference.explanation.model import (
    CallExplanation,
    ChoiceExplanation,
    Explanation,
    Reason,
    RuleNote,
)
from bidwright.inference.explanation.questions import ExplainedBound, NotMade
from bidwright.inference.reading.player_view import PlayerView
from bidwright.kb.logic.bounds import Bounds
from bidwright.kb.logic.public_state import CallRecord, Forcing
from bidwright.kb.wording.phrase_text import text_of
from bidwright.kb.wording.words import BoundFact, bounds_text, constraint_string, fact_text


class SuitRanges(TypedDict):
    """The shortest and the longest length of each suit."""

    S: list[int]
    H: list[int]
    D: list[int]
    C: list[int]


class BoundsValues(TypedDict):
    """The range of HCP, those of suits, and the cards that are surely and never held."""

    hcp: list[int]
    len: SuitRanges
    sure: list[str]
    impossible: list[str]


class BoxValues(BoundsValues):
    """One box of a union; `balanced` only where all its hands are, or none is."""

    balanced: NotRequired[bool]


class TierValues(TypedDict):
    """The bounds of both tiers."""

    usual: BoundsValues
    possible: BoundsValues


class MoreBoundsValues(TypedDict):
    """The other numbers of bounds, and two renderings."""

    points: list[int]
    controls: list[int]
    aces: list[int]
    balanced: bool | None
    shown: str
    constraint: str


class AllBoundsValues(BoundsValues, MoreBoundsValues):
    """All numbers of bounds."""


class ViewValues(TypedDict):
    """A player's knowledge of each seat."""

    seat: str
    known: dict[str, AllBoundsValues]
    relaxed: list[int]


class RuleValues(TypedDict):
    """A rule with its place and its condition in words."""

    rule: str
    call: str
    at: str
    text: str | None
    needs: str
    optional: bool
    latitude: str | None
    extra: bool


class ConsideredValues(RuleValues):
    """A rule that a hand does not fit, with the condition that fails."""

    unmet: str


class ReasonValues(TypedDict):
    """A ground of a bound: a promise, or a call that was not made."""

    place: int
    kind: str
    call: str
    says: str | None
    rules: list[RuleValues]


class NotMadeValues(RuleValues):
    """A rule that was not used, with the grounds that exclude it."""

    standing: str
    excluded: list[ReasonValues] | None


class FactValues(TypedDict):
    """A bound in numbers and in words."""

    about: str
    low: int | None
    high: int | None
    text: str


class BoundValues(FactValues):
    """A bound and its reasons."""

    reasons: list[ReasonValues]


class DenialValues(BoundValues):
    """A bound by calls that were not made, with its reasons in words too."""

    because: str


class RecordValues(TypedDict):
    """The public actions of a call."""

    forcing: str | None
    artificial: bool
    invitational: bool
    signoff: bool
    agrees: str | None
    asks: str | None
    asks_in: str | None


class StrengthValues(TypedDict):
    """A range of strength in its unit, and that of HCP."""

    unit: str
    low: int | None
    high: int | None
    hcp: list[int]


class KindValues(TypedDict):
    """Purpose, strength and suits of a kind of hand."""

    purpose: str
    strength: StrengthValues | None
    suits: SuitRanges


class HeadlineValues(KindValues):
    """The headline of a call, with its other kinds of hand."""

    text: str
    force: str
    share: float
    kinds: list[KindValues]


class AlternativesValues(TypedDict, total=False):
    """The kinds of hand of a call that shows one of several; missing for other calls."""

    alternatives: list[str]


class CallValues(AllBoundsValues, RecordValues, AlternativesValues):
    """The explanation of a call."""

    call: str
    seat: str
    known: bool
    agreed: bool
    undiscussed: str | None
    system: str
    name: str | None
    text: str
    brief: str
    alert: str
    headline: HeadlineValues
    tiers: TierValues
    boxes: list[BoxValues]
    answers: str | None
    alerted: str | None
    announce: str | None
    context: list[str]
    rules: list[RuleValues]
    promised: list[FactValues]
    denied: list[DenialValues]
    denies: list[RuleValues]
    typical: list[str]
    conflict: list[int]
    relaxed: str | None


class ExplanationValues(TypedDict):
    """An explained auction."""

    dealer: str
    vul: str
    auction: list[str]
    systems: dict[str, str]
    calls: list[CallValues]


class ChoiceValues(TypedDict):
    """A hand's call with its reasons."""

    call: str
    rule: RuleValues | None
    considered: list[ConsideredValues]
    shows: CallValues


def choice_json(choice: ChoiceExplanation) -> ChoiceValues:
    """Return a hand's call with its reasons."""
    return {
        "call": str(choice.shows.record.call),
        "rule": rule_json(choice.rule) if choice.rule else None,
        "considered": [
            {**rule_json(each.rule), "unmet": text_of(each.unmet)} for each in choice.rejected
        ],
        "shows": call_json(choice.shows),
    }


def bound_json(answer: ExplainedBound) -> BoundValues:
    """Return a bound and its reasons."""
    return {**fact_json(answer.fact), "reasons": [reason_json(each) for each in answer.reasons]}


def not_made_json(answer: NotMade) -> NotMadeValues:
    """Return a rule that was not used."""
    reasons = answer.reasons
    return {
        **rule_json(answer.rule),
        "standing": answer.standing,
        "excluded": None if reasons is None else [reason_json(each) for each in reasons],
    }


def view_json(view: PlayerView) -> ViewValues:
    """Return a player's knowledge as plain values."""
    by_seat: dict[str, AllBoundsValues] = {
        str(seat): {**bounds_json(bounds), **more_bounds_json(bounds)}
        for seat, bounds in ((seat, view.known(seat)) for seat in Seat)
    }
    return {"seat": str(view.seat), "known": by_seat, "relaxed": list(view.relaxed)}


USUAL, POSSIBLE = "usual", "possible"
"""The tiers of the meaning of a call: by the firm rules, and with judgement."""

FORCING_WORDS = {Forcing.NO: None, Forcing.ONE_ROUND: "one round", Forcing.GAME: "game"}


def cards_json(cards: frozenset[int]) -> list[str]:
    """Return card names, spades and high cards first."""
    return [card_name(card) for card in sorted(cards, reverse=True)]


def bounds_json(bounds: Bounds) -> BoundsValues:
    """Return bounds as plain values: ranges of HCP and lengths, cards held and not held."""
    clubs, diamonds, hearts, spades = (list(each) for each in bounds.lengths)
    return {
        "hcp": list(bounds.hcp),
        "len": {"S": spades, "H": hearts, "D": diamonds, "C": clubs},
        "sure": cards_json(bounds.sure),
        "impossible": cards_json(bounds.impossible),
    }


def tiers_json(usual: Bounds, possible: Bounds) -> TierValues:
    """Return the bounds of both tiers."""
    return {"usual": bounds_json(usual), "possible": bounds_json(possible)}


def box_json(bounds: Bounds) -> BoxValues:
    """Return one box of a union."""
    box = cast("BoxValues", bounds_json(bounds))
    if bounds.balanced is not None:
        box["balanced"] = bounds.balanced
    return box


def more_bounds_json(bounds: Bounds) -> MoreBoundsValues:
    """Return the other numbers of bounds, and two renderings."""
    return {
        "points": list(bounds.points),
        "controls": list(bounds.controls),
        "aces": list(bounds.aces),
        "balanced": bounds.balanced,
        "shown": bounds_text(bounds),
        "constraint": constraint_string(bounds),
    }


def rule_json(rule: RuleNote) -> RuleValues:
    """Return a rule."""
    return {
        "rule": rule.id,
        "call": str(rule.call),
        "at": rule.place,
        "text": rule.text,
        "needs": text_of(rule.needs),
        "optional": rule.optional,
        "latitude": rule.instance.rule.latitude or None,
        "extra": rule.extra,
    }


def reason_json(reason: Reason) -> ReasonValues:
    """Return a ground."""
    return {
        "place": reason.place,
        "kind": "promised" if reason.promised else "unmade",
        "call": str(reason.call),
        "says": text_of(reason.part) if reason.part is not None else None,
        "rules": [rule_json(rule) for rule in reason.rules],
    }


def fact_json(fact: BoundFact) -> FactValues:
    """Return a fact."""
    return {"about": fact.about, "low": fact.low, "high": fact.high, "text": fact_text(fact)}


def record_json(record: CallRecord) -> RecordValues:
    """Return the public actions of a call."""
    return {
        "forcing": FORCING_WORDS.get(record.forcing, str(record.forcing_to)),
        "artificial": record.artificial,
        "invitational": record.invitational,
        "signoff": record.signoff,
        "agrees": None if record.agrees is None else SUITS[record.agrees].letter,
        "asks": record.asks,
        "asks_in": None if record.asks_in is None else SUITS[record.asks_in].letter,
    }


def headline_json(call: CallExplanation) -> HeadlineValues:
    """Return the headline of a call: text, strength, suits, force; and its other kinds of hand."""
    brief = call.brief
    return {
        "text": brief.meaning(),
        **_kind_json(brief),
        "force": brief.force_word,
        "share": round(brief.share, 3),
        "kinds": [_kind_json(other) for other in brief.others],
    }


def _kind_json(brief: Brief) -> KindValues:
    """Return purpose, strength and suits of a kind of hand."""
    strength = brief.strength
    clubs, diamonds, hearts, spades = (list(each) for each in brief.lengths)
    return {
        "purpose": ", ".join(brief.purpose),
        "strength": None
        if strength is None
        else {
            "unit": strength.unit,
            "low": strength.low,
            "high": strength.high,
            "hcp": list(strength.hcp),
        },
        "suits": {"S": spades, "H": hearts, "D": diamonds, "C": clubs},
    }


def _alternatives(call: CallExplanation) -> AlternativesValues:
    return {"alternatives": list(call.kinds)} if call.kinds else {}


def call_json(call: CallExplanation, tier: str = USUAL) -> CallValues:
    """Return the explanation of a call; its bounds are those of a tier."""
    return {
        "call": str(call.record.call),
        "seat": str(call.record.seat),
        "known": call.known,
        "agreed": call.agreed,
        "undiscussed": call.undiscussed,
        "system": call.system,
        "name": call.name,
        "text": " or ".join(call.texts),
        "brief": call.brief.line(),
        "alert": call.brief.alert(),
        "headline": headline_json(call),
        **bounds_json(call.shown if tier == USUAL else call.possible),
        **more_bounds_json(call.shown if tier == USUAL else call.possible),
        "tiers": tiers_json(call.shown, call.possible),
        "boxes": [box_json(box) for box in call.boxes],
        **record_json(call.record),
        "answers": call.answers,
        **_alternatives(call),
        "alerted": call.alert,
        "announce": call.announce,
        "context": list(call.context),
        "rules": [rule_json(rule) for rule in call.rules],
        "promised": [fact_json(fact) for fact in call.promised],
        "denied": [
            {
                **fact_json(denial.fact),
                "because": denial_text(denial),
                "reasons": [reason_json(reason) for reason in denial.reasons],
            }
            for denial in call.denied
        ],
        "denies": [rule_json(rule) for rule in call.unmade],
        "typical": [text_of(phrase) for phrase in call.typical],
        "conflict": list(call.conflict),
        "relaxed": call.relaxed or None,
    }


def to_json(explanation: Explanation, tier: str = POSSIBLE) -> ExplanationValues:
    """Return an explained auction; the bounds of calls are those of a tier."""
    auction = explanation.auction
    return {
        "dealer": str(auction.dealer),
        "vul": auction.vulnerability.word,
        "auction": [str(call) for call in auction.calls],
        "systems": {side.name.lower(): title for side, title in explanation.titles},
        "calls": [call_json(call, tier) for call in explanation.calls],
    }
