"""The answers about practice: a hand to bid, and a verdict on a call for it.

The hands are those of `authoring.hands.exercises`.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
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

_OTHER = "Other topics"
"""The group of topics that have no teacher's name."""


class TopicCount(TypedDict):
    """A topic of a system: its name, title and group, and the number of its rules."""

    topic: str
    title: str
    group: str
    rules: int


class LegalCall(TypedDict):
    """A call that may be chosen."""

    call: str


class ExerciseAnswer(AuctionEntry):
    """An auction and a hand to bid."""

    made: list[CallMadeEntry]
    hand: str
    level: int
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
    """A verdict on a call: its grade, and as much help as was asked for.

    A call is `right` by the rules, `possible` if the hand is within what it shows with judgement,
    which is no mistake, or `wrong`. `also` has the other calls that are possible.
    """

    right: bool
    grade: str
    also: NotRequired[list[str]]
    hint: NotRequired[list[str]]
    call: NotRequired[str]
    line: NotRequired[str]
    rule: NotRequired[PageRule | None]
    rejected: NotRequired[list[RejectedEntry]]
    nearest: NotRequired[NearestEntry | None]
    nearest_call: NotRequired[str]


def topics(systems: PageSystems, query: Query) -> dict[str, list[TopicCount]]:
    """Return the topics of a system in the order of a beginner's path."""
    counts = exercises.topics(systems.rules(system_of(query, "system")))
    entries: list[TopicCount] = [
        # Taken out of the counts: what is left has no teacher's name, and follows at the end.
        {"topic": topic, "title": title, "group": group, "rules": counts.pop(topic)}
        for topic, (title, group) in _path().items()
        if topic in counts
    ]
    for topic, count in counts.items():
        title = topic.replace("_", " ").capitalize()
        entries.append({"topic": topic, "title": title, "group": _OTHER, "rules": count})
    return {"topics": entries}


@cache
def _path() -> dict[str, tuple[str, str]]:
    """Return title and group of the topics that have a teacher's name, in their order."""
    text = files("bidwright.explorer").joinpath("practice_topics.toml").read_text("utf-8")
    return {
        topic: (title, group["title"])
        for group in tomllib.loads(text)["groups"]
        for topic, title in group["topics"].items()
    }


# ---------------------------------------------------------------------- a hand to bid


def exercise(systems: PageSystems, query: Query) -> ExerciseAnswer:
    """Return a hand to bid: the same for the same system, topic, seed and level."""
    name = system_of(query, "system")
    topic = words_of_query(query, "topic")
    seed = number_of_query(query, "seed", 0, 0, MOST_SEED)
    level = number_of_query(query, "level", 0, 0, exercises.LEVELS[-1])
    rules, reader = systems.rules(name), systems.explainer(name, name).reader
    # Level 0 is any difficulty.
    reading, hand = exercises.exercise(rules, reader, topic, seed, level or None)
    return {
        **auction_json(reading.auction),
        "made": _lines(reading),
        "hand": str(hand),
        "level": exercises.difficulty(reading, hand),
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
                # In practice the meaning of each call is shown anyway.
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
    # The page offers legal calls only; other clients may ask for anything.
    if not reading.auction.is_legal(call):
        raise IllegalError(f"expected a legal call, got {call}")
    right = call in conforming_calls(reading.decision, hand)
    grade = (
        "right" if right else "possible" if exercises.is_possible(reading, hand, call) else "wrong"
    )
    verdict: Verdict = {"right": right, "grade": grade}
    # A call within judgement is good enough: a beginner is shown the book call, and loses nothing.
    if grade == "possible":
        return {**verdict, **_answer(systems, explainer, reading, hand)}
    if not right and level >= 1:
        verdict["hint"] = list(exercises.hint(explainer, reading, hand, call, STYLE))
    if right or level == 2:
        verdict = {**verdict, **_answer(systems, explainer, reading, hand)}
        verdict["also"] = _also(reading, hand)
    # The smallest change of the hand that makes the wrong call right explains more than the rule
    # does.
    if not right and level == 2:
        verdict["nearest"] = _nearest(reading, hand, call)
        verdict["nearest_call"] = str(call)
    return verdict


def _also(reading: Reading, hand: Hand) -> list[str]:
    """Return the calls that some rule makes, that are not right and that are possible."""
    right = conforming_calls(reading.decision, hand)
    others = sorted({each.call for each in reading.decision.instances} - right)
    return [str(call) for call in others if exercises.is_possible(reading, hand, call)]


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
