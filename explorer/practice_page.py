"""The answers about practice: a hand to bid, and a verdict on a call for it.

The hands are those of `authoring.hands.exercises`.
"""

from __future__ import annotations

from typing import NotRequired, TypedDict

from bidwright import Call, Hand, IllegalError, InvalidError, Reading
from bidwright.authoring.hands import exercises
from bidwright.authoring.hands.nearest import nearest_hand
from bidwright.bridge.cards import card_name
from bidwright.explorer.call_lines import (
    STYLE,
    PageRule,
    RejectedEntry,
    call_line,
    rejected_json,
    rule_json,
)
from bidwright.explorer.page_systems import PageSystems
from bidwright.explorer.positions_page import AuctionEntry, CallMadeEntry, auction_json
from bidwright.explorer.queries import (
    Query,
    Setting,
    call_of_query,
    hand_of_query,
    in_progress,
    number_of_query,
    system_of,
    words_of_query,
)
from bidwright.explorer.request_limits import MOST_SEED
from bidwright.inference.explanation.explain import Explainer
from bidwright.inference.reading.conformity import conforming_calls


class TopicCount(TypedDict):
    """A topic of a system with the number of its rules."""

    topic: str
    rules: int


class LegalCall(TypedDict):
    """A call that may be chosen."""

    call: str


class ExerciseAnswer(AuctionEntry):
    """An auction and a hand to bid."""

    made: list[CallMadeEntry]
    hand: str
    legal: list[LegalCall]


class NearestEntry(TypedDict):
    """The least change of a hand that makes a call right: the hand, cards gone and come."""

    hand: str
    gone: list[str]
    come: list[str]
    least: bool


class RightCall(TypedDict):
    """The right call, its rule, and the rules before it."""

    call: str
    line: str
    rule: PageRule | None
    rejected: list[RejectedEntry]


class Verdict(TypedDict):
    """A verdict on a call: right or not, and as much help as was asked for."""

    right: bool
    hint: NotRequired[list[str]]
    call: NotRequired[str]
    line: NotRequired[str]
    rule: NotRequired[PageRule | None]
    rejected: NotRequired[list[RejectedEntry]]
    nearest: NotRequired[NearestEntry | None]
    nearest_call: NotRequired[str]


def topics(systems: PageSystems, query: Query) -> dict[str, list[TopicCount]]:
    """Return the topics of a system, each with the number of its rules."""
    counts = exercises.topics(systems.rules(system_of(query, "system")))
    return {"topics": [{"topic": topic, "rules": count} for topic, count in counts.items()]}


# ---------------------------------------------------------------------- a hand to bid


def exercise(systems: PageSystems, query: Query) -> ExerciseAnswer:
    """Return a hand to bid: the same for the same system, topic and seed."""
    name = system_of(query, "system")
    topic = words_of_query(query, "topic")
    seed = number_of_query(query, "seed", 0, 0, MOST_SEED)
    rules, reader = systems.rules(name), systems.reader(name, name)
    reading, hand = exercises.exercise(rules, reader, topic, seed)
    return {
        **auction_json(reading.auction),
        "made": _lines(reading),
        "hand": str(hand),
        "legal": [{"call": str(call)} for call in reading.auction.legal_calls()],
    }


def _lines(reading: Reading) -> list[CallMadeEntry]:
    """Return the calls made with their lines."""
    lines: list[CallMadeEntry] = []
    steps = reading.reader.start(reading.auction.dealer, reading.auction.vulnerability)
    for place, call in enumerate(reading.auction.calls):
        steps = steps.with_call(call)
        lines.append(
            {
                "place": place,
                "call": str(call),
                "seat": str(reading.auction.seat_of(place)),
                "line": call_line(steps),
                "known": steps.meanings[-1].known,
                "alert": False,
                "conflict": [],
            }
        )
    return lines


# ---------------------------------------------------------------------- right or wrong


def judged(systems: PageSystems, query: Query) -> Verdict:
    """Return a verdict on a call for a hand; with `help` 1 also a hint, with 2 everything."""
    name = system_of(query, "system")
    setting = Setting.of({**query, "ns": name, "ew": name})
    hand = hand_of_query(query)
    if hand is None:
        raise InvalidError("expected a hand as 'hand'")
    call = call_of_query(query)
    level = number_of_query(query, "help", 0, 0, 2)
    explainer = systems.explainer(name, name)
    reading = explainer.reader.read(in_progress(setting.auction))
    if not reading.auction.is_legal(call):
        raise IllegalError(f"expected a legal call, got {call}")
    right = call in conforming_calls(reading.decision, hand)
    verdict: Verdict = {"right": right}
    if not right and level >= 1:
        verdict["hint"] = list(exercises.hint(explainer, reading, hand, call, STYLE))
    if right or level == 2:
        verdict = {**verdict, **_answer(systems, explainer, reading, hand)}
    if not right and level == 2:
        verdict["nearest"] = _nearest(reading, hand, call)
        verdict["nearest_call"] = str(call)
    return verdict


def _answer(systems: PageSystems, explainer: Explainer, reading: Reading, hand: Hand) -> RightCall:
    """Return the right call, its rule, and the reasons against the rules before it."""
    choice = explainer.explain_choice(reading, hand)
    return {
        "call": str(choice.shows.record.call),
        "line": choice.shows.brief.meaning(STYLE),
        "rule": rule_json(systems, choice.rule) if choice.rule else None,
        "rejected": rejected_json(systems, choice),
    }


def _nearest(reading: Reading, hand: Hand, call: Call) -> NearestEntry | None:
    """Return the least change of the hand that makes a call right; None if no hand is found."""
    nearest = nearest_hand(reading, hand, call)
    if nearest is None:
        return None
    return {
        "hand": str(nearest.hand),
        "gone": [card_name(card) for card in nearest.gone],
        "come": [card_name(card) for card in nearest.come],
        "least": nearest.is_least,
    }
