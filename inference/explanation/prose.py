"""Renderings of an explanation: prose for people, alerts, PBN notes, JSON."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap
from typing import Any

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import SUITS, Seat, Vulnerability, card_name
from bidwright.inference.explanation.model import (
    CallExplanation,
    ChoiceExplanation,
    Denial,
    Explanation,
    Reason,
    RuleNote,
    Verdict,
)
from bidwright.inference.explanation.questions import ExplainedBound, NotMade
from bidwright.inference.reading.player_view import PlayerView
from bidwright.kb.logic.bounds import Bounds
from bidwright.kb.logic.public_state import CallRecord, Forcing
from bidwright.kb.wording.phrases import ANY, text_of
from bidwright.kb.wording.words import BoundFact, Style, bounds_text, constraint_string, fact_text

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class TextStyle:
    """How text is written.

    Attributes:
        style: how suits are written.
        width: characters in a line.
        colour: whether to use the terminal's colours.
    """

    style: Style = Style.WORDS
    width: int = 88
    colour: bool = False

    def call(self, call: Call) -> str:
        """Return a call: `1♠` where suits are symbols."""
        text = str(call)
        if self.style is Style.SYMBOLS and call.is_bid and call.denomination.is_suit:
            return text[0] + call.denomination.symbol
        return text

    def strong(self, text: str) -> str:
        """Return text that stands out."""
        return f"\x1b[1m{text}\x1b[0m" if self.colour else text

    def faint(self, text: str) -> str:
        """Return text that stands back."""
        return f"\x1b[2m{text}\x1b[0m" if self.colour else text


PLAIN = TextStyle()


def terminal_look() -> TextStyle:
    """Return how to write for where the standard output goes."""
    if not sys.stdout.isatty():
        return PLAIN
    width = max(40, min(100, shutil.get_terminal_size().columns))
    symbols = "utf" in (sys.stdout.encoding or "").lower()
    colour = "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    return TextStyle(Style.SYMBOLS if symbols else Style.LETTERS, width, colour)


# ----------------------------------------------------------------------- prose

_VULNERABLE = {
    Vulnerability.NONE: "nobody vulnerable",
    Vulnerability.NS: "North-South vulnerable",
    Vulnerability.EW: "East-West vulnerable",
    Vulnerability.BOTH: "both sides vulnerable",
}
_LABEL = 10
_MOST_TEXTS = 3
_INDENT = 7


def prose(explanation: Explanation, look: TextStyle = PLAIN) -> str:
    """Return an explained auction as text for people."""
    auction = explanation.auction
    dealer = auction.dealer.name.capitalize()
    titles = dict(explanation.titles)
    systems = " / ".join(f"{side.name} {title}" for side, title in titles.items())
    if len(set(titles.values())) == 1:
        systems = f"both sides {next(iter(titles.values()))}"
    head = [
        look.strong(auction_text(auction, look) or "no calls"),
        f"dealer {dealer}, {_VULNERABLE[auction.vulnerability]}; {systems}",
    ]
    parts = ["\n".join(head)]
    parts += [call_prose(call, auction, look) for call in explanation.calls]
    return "\n\n".join(parts)


def auction_text(auction: Auction, look: TextStyle = PLAIN) -> str:
    """Return an auction in the notation of the trade."""
    opener = auction.opener
    side = (auction.dealer if opener is None else opener).side
    return " ".join(
        look.call(call) if auction.seat_of(place).side == side else f"({look.call(call)})"
        for place, call in enumerate(auction.calls)
    )


def call_prose(call: CallExplanation, auction: Auction, look: TextStyle = PLAIN) -> str:
    """Return what a call shows, a few lines of text."""
    title = f"{call.record.seat} {look.call(call.record.call)}"
    head = "; or ".join(call.texts[:_MOST_TEXTS]) or ("" if call.known else "no agreement")
    if call.name and call.name.lower() not in head.lower():
        head = f"{call.name}: {head}" if head else call.name
    if call.context:
        head = f"{head} ({', '.join(call.context)})".strip()
    lines = _titled(title, head, look)
    for label, text in call_lines(call, auction, look):
        lines += _labelled(label, text, look)
    return "\n".join(lines)


def _titled(title: str, text: str, look: TextStyle) -> list[str]:
    """Return lines that begin with a call."""
    wrapped = _wrap(text, look.width - _INDENT)
    gap = " " * max(1, _INDENT - len(title))
    first = f"{look.strong(title)}{gap}{wrapped[0]}".rstrip()
    return [first, *(" " * _INDENT + line for line in wrapped[1:])]


def _wrap(text: str, width: int) -> list[str]:
    return wrap(text, max(20, width), break_long_words=False, break_on_hyphens=False) or [""]


def _labelled(label: str, text: str, look: TextStyle) -> list[str]:
    margin = " " * (_INDENT + _LABEL)
    wrapped = _wrap(text, look.width - len(margin))
    first = " " * _INDENT + look.faint(label) + " " * max(1, _LABEL - len(label)) + wrapped[0]
    return [first, *(margin + line for line in wrapped[1:])]


_READ = {
    "latitude": "read with all the latitude its rules give",
    "denials": "read without what it denies",
    "promises": "read without what it promises",
}
"""How a call that contradicts others was read all the same."""


def call_lines(
    call: CallExplanation, auction: Auction, look: TextStyle = PLAIN
) -> Iterator[tuple[str, str]]:
    """Yield what is told of a call: labels and texts."""
    style = look.style
    for place in call.conflict:
        other = f"{look.call(auction.calls[place])} by {auction.seat_of(place).name.capitalize()}"
        yield "conflict", f"contradicts {other}; {_READ[call.relaxed]}"
    if not call.known:
        yield "unknown", f"no rule of {call.system} makes this call here"
    yield from _promises(call, look)
    for denial in call.denied:
        yield "denies", denial_text(denial, look)
    for phrase in call.typical:
        yield "usually", text_of(phrase, style)
    if flags := flag_words(call, style):
        yield "it is", ", ".join(flags)
    if call.alert is not None:
        yield "alert", call.alert or alert_text(call, look)
    if call.announce is not None:
        yield "announce", f'"{call.announce}"' if call.announce else alert_text(call, look)
    yield "shown", bounds_text(call.shown, style)
    if call.verdict is not None:
        yield "holds", verdict_text(call.verdict, look)


def _promises(call: CallExplanation, look: TextStyle) -> Iterator[tuple[str, str]]:
    told = [rule for rule in call.rules if not rule.extra]
    main = [rule for rule in told if not rule.optional] or told
    optional = [rule for rule in told if rule not in main]
    if len(told) == 1:
        if told[0].needs == ANY:
            yield "by", told[0].place
        else:
            yield "promises", _rule_text(told[0], look)
        return
    facts = ", ".join(fact_text(fact, look.style) for fact in call.promised)
    if facts:
        yield "promises", facts
    for label, rule in zip(["by", *["or"] * len(main)], main, strict=False):
        yield label, _rule_text(rule, look, titled=True)
    for rule in optional:
        yield "or maybe", _rule_text(rule, look, titled=True)


def _rule_text(rule: RuleNote, look: TextStyle, *, titled: bool = False) -> str:
    needs = text_of(rule.needs, look.style)
    if titled and rule.text:
        needs = rule.text if rule.needs == ANY else f"{rule.text}: {needs}"
    return f"{needs} ({rule.place})"


def verdict_text(verdict: Verdict, look: TextStyle = PLAIN) -> str:
    """Return how a call fits its maker's hand: `KQ4.AQ8.K9873.K2, as agreed`."""
    if verdict.rule is not None:
        return f"{verdict.hand}, as agreed"
    text = f"{verdict.hand}, not as agreed"
    if verdict.outside:
        text += f": not {' nor '.join(fact_text(fact, look.style) for fact in verdict.outside)}"
    if verdict.instead is not None:
        rule = verdict.instead
        name = f" ({rule.text})" if rule.text else ""
        text += f"; by the system {look.call(rule.call)}{name}, {rule.place}"
    return text


def verdict_json(verdict: Verdict) -> Json:
    """Return how a call fits its maker's hand."""
    return {
        "hand": str(verdict.hand),
        "as_agreed": verdict.as_agreed,
        "rule": rule_json(verdict.rule) if verdict.rule else None,
        "instead": rule_json(verdict.instead) if verdict.instead else None,
        "outside": [fact_json(fact) for fact in verdict.outside],
    }


def places_text(rules: Iterable[RuleNote]) -> str:
    """Return the places of rules, a file's name only once: `a.bid:31, :33`."""
    return _places(list(dict.fromkeys(rule.place for rule in rules)), "")


def _places(places: Sequence[str], file: str) -> str:
    words = []
    for place in places:
        name, _, line = place.rpartition(":")
        words.append(f":{line}" if name == file else place)
        file = name
    return ", ".join(words)


def would_have(reasons: Iterable[Reason], look: TextStyle = PLAIN) -> str:
    """Return the calls that were open: `would have bid 1C (sayc/openings.bid:31) or passed`."""
    unmade: dict[Call, list[str]] = {}
    for reason in reasons:
        if not reason.promised:
            places = unmade.setdefault(reason.call, [])
            places += [rule.place for rule in reason.rules if rule.place not in places]
    verbs: dict[str, list[str]] = {}
    file = ""
    for call, places in unmade.items():
        verb = {Call.PASS: "passed", Call.DOUBLE: "doubled", Call.REDOUBLE: "redoubled"}.get(call)
        where = f"({_places(places, file)})"
        file = places[-1].rpartition(":")[0] if places else file
        if verb is None:
            verbs.setdefault("bid", []).append(f"{look.call(call)} {where}")
        else:
            verbs[f"{verb} {where}"] = []
    words = [f"{verb} {_or(calls)}".strip() for verb, calls in verbs.items()]
    return f"would have {_or(words)}"


def _or(words: Sequence[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def denial_text(denial: Denial, look: TextStyle = PLAIN) -> str:
    """Return a denied fact with its reason.

    `at most 3 clubs: with 4 it would have bid 1C (sayc/openings.bid:31)`.
    """
    fact = denial.fact
    return f"{fact_text(fact, look.style)}: {_otherwise(fact)} {would_have(denial.reasons, look)}"


def _otherwise(fact: BoundFact) -> str:
    """Return the hand that is denied: `with 4 it`."""
    if fact.about == "balanced":
        return f"{'an un' if fact.low else 'a '}balanced hand"
    if fact.about[-1] in "AKQJT":
        return "without it it" if fact.low else "with it it"
    if fact.low is not None:
        return f"with {fact.low - 1 or 'none'} it"
    assert fact.high is not None
    return f"with {fact.high + 1} it"


def flag_words(call: CallExplanation, style: Style = Style.WORDS) -> list[str]:
    """Return what a call does besides showing something: `forcing to game`, `asks aces`."""
    record = call.record
    words = [
        ("artificial", record.artificial and call.known),
        ("forcing for one round", record.forcing is Forcing.ONE_ROUND),
        ("forcing to game", record.forcing is Forcing.GAME),
        ("invitational", record.invitational and call.known),
        ("a sign-off", record.signoff and call.known),
    ]
    found = [word for word, holds in words if holds]
    if record.agrees is not None:
        found.append(f"agreeing {style.suit(record.agrees)}")
    if record.asks is not None:
        found.append(f"asking for {record.asks.replace('_', ' ')}")
    if call.answers is not None:
        found.append(f"answering {call.answers.replace('_', ' ')}")
    return found


# --------------------------------------------------------------------- choices

_MOST_REJECTED = 12


def choice_prose(choice: ChoiceExplanation, look: TextStyle = PLAIN) -> str:
    """Return what a hand bids and why, as text for people."""
    made = choice.shows.record
    title = f"{made.seat} {look.call(made.call)}"
    rule = choice.rule
    head = (rule.text or "") if rule else "no rule fits the hand"
    lines = _titled(title, head, look)
    if rule is not None:
        lines += _labelled("because", _rule_text(rule, look), look)
    told = choice.rejected[:_MOST_REJECTED]
    for each in told:
        call = look.call(each.rule.call)
        name = f"{call} ({each.rule.text})" if each.rule.text else call
        text = f"{name}: needs {text_of(each.unmet, look.style)} ({each.rule.place})"
        lines += _labelled("not", text, look)
    if len(choice.rejected) > len(told):
        more = len(choice.rejected) - len(told)
        lines += _labelled("", f"and {more} more rules; --json lists them", look)
    for label, text in call_lines(choice.shows, choice.auction.with_call(made.call), look):
        if label not in ("promises", "by", "or", "or maybe"):
            lines += _labelled("will show" if label == "shown" else label, text, look)
    return "\n".join(lines)


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


# -------------------------------------------------------------------- questions


def answers_prose(
    seat: Seat, about: str, answers: Sequence[ExplainedBound], look: TextStyle = PLAIN
) -> str:
    """Return why a hand has its bounds, as text for people."""
    name = seat.name.capitalize()
    if not answers:
        topic = "HCP" if about == "hcp" else about
        return f"{name} has shown nothing about {topic}."
    lines: list[str] = []
    for answer in answers:
        lines.append(f"{look.strong(f'{name}: {fact_text(answer.fact, look.style)}')}")
        lines += [
            line
            for label, text in reason_lines(answer.fact, answer.reasons, look)
            for line in _labelled(label, text, look)
        ]
    return "\n".join(lines)


def reason_lines(
    fact: BoundFact, reasons: Sequence[Reason], look: TextStyle = PLAIN
) -> Iterator[tuple[str, str]]:
    """Yield the grounds of a fact: labels and texts."""
    for reason in reasons:
        if reason.promised and reason.part is not None:
            where = places_text(reason.rules)
            yield (
                "promised",
                f"{look.call(reason.call)}: {text_of(reason.part, look.style)} ({where})",
            )
    unmade = [reason for reason in reasons if not reason.promised]
    if unmade:
        yield "denied", f"{_otherwise(fact)} {would_have(unmade, look)}"


def not_made_prose(
    seat: Seat, made: Call, call: Call, answers: Sequence[NotMade], look: TextStyle = PLAIN
) -> str:
    """Return why a call was not made, as text for people."""
    name = seat.name.capitalize()
    if not answers:
        return f"No rule bids {look.call(call)} here."
    head = f"{name} bid {look.call(made)} and not {look.call(call)}"
    lines = [look.strong(head)]
    for answer in answers:
        lines += _labelled(look.call(call), _rule_text(answer.rule, look, titled=True), look)
        lines += _labelled("", _STANDING[answer.standing], look)
        if answer.standing == "first":
            continue  # it was not used: that is all the reason there is
        for reason in answer.reasons or ():
            text = (
                f"{look.call(reason.call)} promises {text_of(reason.part, look.style)}"
                if reason.part is not None
                else f"{look.call(reason.call)} was not made"
            )
            lines += _labelled("excluded", f"{text} ({places_text(reason.rules)})", look)
    return "\n".join(lines)


_STANDING = {
    "first": "preferred to the call made, so the hand does not fit it",
    "optional": "a may rule: not using it denies nothing",
    "later": "the call made is preferred, so the hand may fit it",
}


def answer_json(answer: ExplainedBound) -> Json:
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


# ------------------------------------------------------------------- knowledge


def knowledge_prose(knowledge: PlayerView, look: TextStyle = PLAIN) -> str:
    """Return what a player knows of the other hands, as text for people."""
    auction = knowledge.reading.auction
    lines = [look.strong(f"What {knowledge.seat.name.capitalize()} knows")]
    for seat in Seat:
        if seat != knowledge.seat:
            text = _known_text(knowledge, seat, look)
            lines += _labelled(seat.name.capitalize(), text, look)
    for place in knowledge.relaxed:
        text = f"{look.call(auction.calls[place])} by {auction.seat_of(place).name.capitalize()}"
        lines += _labelled("ignoring", f"{text}: the cards contradict it", look)
    return "\n".join(lines)


def _known_text(knowledge: PlayerView, seat: Seat, look: TextStyle) -> str:
    """Return what is known of a hand, without cards that are known to be elsewhere."""
    hand = knowledge.hands.get(seat)
    if hand is not None:
        return str(hand)
    known = knowledge.known(seat)
    elsewhere = knowledge.seen.union(*(knowledge.known(other).sure for other in Seat))
    return bounds_text(replace(known, impossible=known.impossible - elsewhere), look.style)


def knowledge_json(knowledge: PlayerView) -> Json:
    """Return what a player knows."""
    known = {
        str(seat): {**bounds_json(bounds), **more_bounds_json(bounds)}
        for seat, bounds in ((seat, knowledge.known(seat)) for seat in Seat)
    }
    return {"seat": str(knowledge.seat), "known": known, "relaxed": list(knowledge.relaxed)}


# ---------------------------------------------------------------------- alerts


def alert_text(call: CallExplanation, look: TextStyle = PLAIN) -> str:
    """Return a call's meaning in one line, for opponents."""
    words = call.texts[0] if call.texts else ""
    if call.name and call.name.lower() not in words.lower():
        words = f"{call.name}: {words}" if words else call.name
    bounds = bounds_text(call.shown, look.style)
    parts = [words, "" if bounds == "any hand" else bounds, *flag_words(call, look.style)]
    return "; ".join(part for part in parts if part) or "no agreement"


def pbn_note(call: CallExplanation, number: int) -> str:
    """Return a call's meaning as a tag of PBN."""
    text = alert_text(call).replace("\\", "\\\\").replace('"', '\\"')
    return f'[Note "{number}:{text}"]'


# ------------------------------------------------------------------------ JSON

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
    """Return what a call does in public."""
    return {
        "forcing": FORCING_WORDS[record.forcing],
        "artificial": record.artificial,
        "invitational": record.invitational,
        "signoff": record.signoff,
        "agrees": None if record.agrees is None else SUITS[record.agrees].letter,
        "asks": record.asks,
    }


def call_json(call: CallExplanation) -> Json:
    """Return the explanation of a call."""
    return {
        "call": str(call.record.call),
        "seat": str(call.record.seat),
        "known": call.known,
        "system": call.system,
        "name": call.name,
        "text": " or ".join(call.texts),
        "alert_text": alert_text(call),
        **bounds_json(call.shown),
        **more_bounds_json(call.shown),
        "boxes": [box_json(box) for box in call.boxes],
        **record_json(call.record),
        "answers": call.answers,
        "alert": call.alert,
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
        **({"verdict": verdict_json(call.verdict)} if call.verdict else {}),
    }


def to_json(explanation: Explanation) -> Json:
    """Return an explained auction."""
    auction = explanation.auction
    return {
        "dealer": str(auction.dealer),
        "vul": auction.vulnerability.word,
        "auction": [str(call) for call in auction.calls],
        "systems": {side.name.lower(): title for side, title in explanation.titles},
        "calls": [call_json(call) for call in explanation.calls],
    }
