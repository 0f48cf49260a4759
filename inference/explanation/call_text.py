"""Single lines about a call: its rules, its flags, notes in PBN."""

from __future__ import annotations

from bidwright.inference.explanation.model import CallExplanation, RuleNote
from bidwright.inference.explanation.purpose import asked_thing
from bidwright.inference.explanation.text_style import TextStyle
from bidwright.kb.logic.public_state import Forcing
from bidwright.kb.wording.phrase_text import text_of
from bidwright.kb.wording.phrases import ANY
from bidwright.kb.wording.words import Style


def rule_text(rule: RuleNote, style: TextStyle, *, titled: bool = False) -> str:
    """Return the conditions of a rule and its place; after its text if `titled`."""
    needs = text_of(rule.needs, style.suits)
    if titled and rule.text:
        needs = rule.text if rule.needs == ANY else f"{rule.text}: {needs}"
    latitude = rule.instance.rule.latitude
    return f"{needs} ({latitude}, {rule.place})" if latitude else f"{needs} ({rule.place})"


def flag_words(call: CallExplanation, suits: Style = Style.WORDS) -> list[str]:
    """Return the actions of a call besides the hand it shows: `forcing to game`, `asks aces`."""
    record = call.record
    words = [
        # A call that no rule covers has the actions of its record by default: they are nobody's
        # agreement.
        ("artificial", record.artificial and call.known),
        ("forcing for one round", record.forcing is Forcing.ONE_ROUND),
        (f"forcing to {record.forcing_to}", record.forcing is Forcing.LEVEL),
        ("forcing to game", record.forcing is Forcing.GAME),
        ("invitational", record.invitational and call.known),
        ("a sign-off", record.signoff and call.known),
    ]
    flags = [word for word, holds in words if holds]
    if record.agrees is not None:
        flags.append(f"agreeing {suits.suit(record.agrees)}")
    if record.asks is not None:
        suit = "" if record.asks_in is None else f" in {suits.suit(record.asks_in)}"
        flags.append(f"asking for {asked_thing(record.asks)}{suit}")
    if call.answers is not None:
        flags.append(f"answering {call.answers.replace('_', ' ')}")
    return flags
