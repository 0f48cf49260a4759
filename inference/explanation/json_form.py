"""Explanations as plain values for JSON."""

from __future__ import annotations

from typing import Any

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

Json = dict[str, Any]


def choice_json(choice: ChoiceExplanation) -> Json:
    """Return what a hand bids and why."""
    return {
        "call": str(choice.shows.record.call),
        "rule": rule_json(choice.rule) if choice.rule else None,
        "considered": [
            {**rule_json(each.rule), "unmet": text_of(each.unmet)} for each in choice.rejected
        ],
        "shows": call_json(choice.shows),
    }


def bound_json(answer: ExplainedBound) -> Json:
    """Return a bound and its reasons."""
    return {**fact_json(answer.fact), "reasons": [reason_json(each) for each in answer.reasons]}


def not_made_json(answer: NotMade) -> Json:
    """Return a rule that was not used."""
    reasons = answer.reasons
    return {
        **rule_json(answer.rule),
        "standing": answer.standing,
        "excluded": None if reasons is None else [reason_json(each) for each in reasons],
    }


def view_json(view: PlayerView) -> Json:
    """Return a player's knowledge as plain values."""
    by_seat = {
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


def bounds_json(bounds: Bounds) -> Json:
    """Return bounds as plain values: ranges of HCP and lengths, cards held and not held."""
    clubs, diamonds, hearts, spades = (list(each) for each in bounds.lengths)
    return {
        "hcp": list(bounds.hcp),
        "len": {"S": spades, "H": hearts, "D": diamonds, "C": clubs},
        "sure": cards_json(bounds.sure),
        "impossible": cards_json(bounds.impossible),
    }


def tiers_json(usual: Bounds, possible: Bounds) -> Json:
    """Return the bounds of both tiers."""
    return {USUAL: bounds_json(usual), POSSIBLE: bounds_json(possible)}


def box_json(bounds: Bounds) -> Json:
    """Return one box of a union."""
    box = bounds_json(bounds)
    return box if bounds.balanced is None else {**box, "balanced": bounds.balanced}


def more_bounds_json(bounds: Bounds) -> Json:
    """Return the other numbers of bounds, and two renderings."""
    return {
        "points": list(bounds.points),
        "controls": list(bounds.controls),
        "aces": list(bounds.aces),
        "balanced": bounds.balanced,
        "shown": bounds_text(bounds),
        "constraint": constraint_string(bounds),
    }


def rule_json(rule: RuleNote) -> Json:
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


def reason_json(reason: Reason) -> Json:
    """Return a ground."""
    return {
        "place": reason.place,
        "kind": "promised" if reason.promised else "unmade",
        "call": str(reason.call),
        "says": text_of(reason.part) if reason.part is not None else None,
        "rules": [rule_json(rule) for rule in reason.rules],
    }


def fact_json(fact: BoundFact) -> Json:
    """Return a fact."""
    return {"about": fact.about, "low": fact.low, "high": fact.high, "text": fact_text(fact)}


def record_json(record: CallRecord) -> Json:
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


def headline_json(call: CallExplanation) -> Json:
    """Return the headline of a call: text, strength, suits, force; and its other kinds of hand."""
    brief = call.brief
    return {
        "text": brief.meaning(),
        **_kind_json(brief),
        "force": brief.force_word,
        "share": round(brief.share, 3),
        "kinds": [_kind_json(other) for other in brief.others],
    }


def _kind_json(brief: Brief) -> Json:
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


def call_json(call: CallExplanation, tier: str = USUAL) -> Json:
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
        **({"alternatives": list(call.kinds)} if call.kinds else {}),
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


def to_json(explanation: Explanation, tier: str = POSSIBLE) -> Json:
    """Return an explained auction; the bounds of calls are those of a tier."""
    auction = explanation.auction
    return {
        "dealer": str(auction.dealer),
        "vul": auction.vulnerability.word,
        "auction": [str(call) for call in auction.calls],
        "systems": {side.name.lower(): title for side, title in explanation.titles},
        "calls": [call_json(call, tier) for call in explanation.calls],
    }
