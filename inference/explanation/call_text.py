"""What a call means in single lines: alerts, PBN notes, denials with their reasons, verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bidwright.bridge.calls import Call
from bidwright.inference.explanation.model import CallExplanation, Denial, Reason, RuleNote, Verdict
from bidwright.inference.explanation.text_style import PLAIN, TextStyle
from bidwright.kb.logic.public_state import Forcing
from bidwright.kb.wording.phrase_text import text_of
from bidwright.kb.wording.phrases import ANY
from bidwright.kb.wording.words import BoundFact, Style, fact_text


def rule_text(rule: RuleNote, style: TextStyle, *, titled: bool = False) -> str:
    """Return what a rule needs and where it is; with its own text before that if `titled`."""
    needs = text_of(rule.needs, style.suits)
    if titled and rule.text:
        needs = rule.text if rule.needs == ANY else f"{rule.text}: {needs}"
    return f"{needs} ({rule.place})"


def verdict_text(verdict: Verdict, style: TextStyle = PLAIN) -> str:
    """Return how a call fits its maker's hand: `KQ4.AQ8.K9873.K2, as agreed`."""
    if verdict.rule is not None:
        return f"{verdict.hand}, as agreed"
    text = f"{verdict.hand}, not as agreed"
    if verdict.outside:
        text += f": not {' nor '.join(fact_text(fact, style.suits) for fact in verdict.outside)}"
    if verdict.instead is not None:
        rule = verdict.instead
        name = f" ({rule.text})" if rule.text else ""
        text += f"; by the system {style.call(rule.call)}{name}, {rule.place}"
    return text


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


def would_have(reasons: Iterable[Reason], style: TextStyle = PLAIN) -> str:
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
            verbs.setdefault("bid", []).append(f"{style.call(call)} {where}")
        else:
            verbs[f"{verb} {where}"] = []
    words = [f"{verb} {_or(calls)}".strip() for verb, calls in verbs.items()]
    return f"would have {_or(words)}"


def _or(words: Sequence[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def denial_text(denial: Denial, style: TextStyle = PLAIN) -> str:
    """Return a denied fact with its reason.

    `at most 3 clubs: with 4 it would have bid 1C (sayc/openings.bid:31)`.
    """
    fact = denial.fact
    return (
        f"{fact_text(fact, style.suits)}: {denied_hand(fact)} {would_have(denial.reasons, style)}"
    )


def denied_hand(fact: BoundFact) -> str:
    """Return the hand that is denied: `with 4 it`."""
    if fact.about == "balanced":
        return f"{'an un' if fact.low else 'a '}balanced hand"
    if fact.about[-1] in "AKQJT":
        return "without it it" if fact.low else "with it it"
    if fact.low is not None:
        return f"with {fact.low - 1 or 'none'} it"
    assert fact.high is not None
    return f"with {fact.high + 1} it"


def flag_words(call: CallExplanation, suits: Style = Style.WORDS) -> list[str]:
    """Return what a call does besides showing something: `forcing to game`, `asks aces`."""
    record = call.record
    words = [
        ("artificial", record.artificial and call.known),
        ("forcing for one round", record.forcing is Forcing.ONE_ROUND),
        (f"forcing to {record.forcing_to}", record.forcing is Forcing.LEVEL),
        ("forcing to game", record.forcing is Forcing.GAME),
        ("invitational", record.invitational and call.known),
        ("a sign-off", record.signoff and call.known),
    ]
    found = [word for word, holds in words if holds]
    if record.agrees is not None:
        found.append(f"agreeing {suits.suit(record.agrees)}")
    if record.asks is not None:
        suit = "" if record.asks_in is None else f" in {suits.suit(record.asks_in)}"
        found.append(f"asking for {record.asks.replace('_', ' ')}{suit}")
    if call.answers is not None:
        found.append(f"answering {call.answers.replace('_', ' ')}")
    return found


def pbn_note(call: CallExplanation, number: int) -> str:
    """Return a call's meaning as a tag of PBN."""
    text = call.brief.alert().replace("\\", "\\\\").replace('"', '\\"')
    return f'[Note "{number}:{text}"]'
