"""The meanings of a call at a position, one by one, in the words of its headline.

A call is often made by several rules that do different things: two clubs is Drury by a passed hand
and forces to game by another one, a jump invites with six clubs and is a slam try with five.
Rules that do the same in public are one meaning; others are another, with an entry of its own, so
that nothing is said of a call which is true of one of them alone. Each meaning is worded as the
call would be that only its rules made (`inference.headline`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bidwright.authoring.doc.rule_words import (
    SYMBOLS,
    disclosed_of,
    flags_of,
    with_symbols,
)
from bidwright.authoring.exchange.call_tables import Vulnerable, auction_at
from bidwright.bridge.calls import Call
from bidwright.inference.explanation.in_short import brief_of
from bidwright.inference.explanation.text_style import TextStyle
from bidwright.inference.meaning import Meaning, effects, record_of
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.kb.rules.decision_list import Instance
from bidwright.kb.wording.ranges import strength_range
from bidwright.kb.wording.style import Style

Calls = tuple[Call, ...]

Context = tuple[int, Vulnerable]
"""The seat of the first bid, and a vulnerability."""

RARE = 0.02
"""The least share of the hands of a call for a meaning of it to be an entry of a card."""

_STYLE = TextStyle(Style.SYMBOLS)
_SUIT_WORD = re.compile(r"\b(club|diamond|heart|spade)s?\b")
_BARE = re.compile(r"^[♣♦♥♠]; (?=.*[♣♦♥♠])")
"""A suit alone, with the suit again later in the text."""

_SIGN_OF = dict(zip(("club", "diamond", "heart", "spade"), SYMBOLS, strict=True))
_SAID_BY_TEXT = {
    "forcing": r"\bforc(?:ing|es)\b",
    "forcing to game": r"\bforc(?:ing|es) to game\b|\bgame[- ]forc",
    "invitational": r"\binvit",
    "sign-off": r"\bsign-?off\b|\bto play\b",
    "artificial": r"\bartificial\b|\btransfer\b",
    "agrees": r"\b(?:raises?|support|trumps?|fit|agreed)\b",
    "asks": r"\basks?\b",
}
"""Words of a text that make a flag beside it superfluous."""

_MOST_POSITIONS = 1024
"""Positions in memory."""


@dataclass(frozen=True, slots=True)
class CallMeaning:
    """One meaning of a call.

    Attributes:
        calls: the calls before, from the first bid on.
        call: the call.
        text: what it shows, suits as symbols.
        name: the convention; empty for none.
        flags: what it does besides: artificial, agrees ♠, ..., if the text does not say so.
        effects: all that it does, whether the text says so or not.
        disclosed: what opponents hear: announced or alerted.
        low: the lower end of its strength, as the most frequent rule counts it; None for none.
        high: the upper end, likewise.
        lengths: the ranges of the suits, C D H S.
        artificial: whether the bid says nothing of its denomination.
        share: the share of the hands that make the call which mean this.
        rules: the ids of the rules that make it.
        files: the files that they stand in.
        by_judgement: whether they are all `may` rules.
    """

    calls: Calls
    call: Call
    text: str
    name: str
    flags: tuple[str, ...]
    effects: tuple[str, ...]
    disclosed: tuple[str, ...]
    low: int | None
    high: int | None
    lengths: tuple[tuple[int, int], ...]
    artificial: bool
    share: float
    rules: tuple[str, ...]
    files: tuple[str, ...]
    by_judgement: bool = False

    @property
    def strength(self) -> str:
        """The range of its strength: `10-12`, `22+`, `up to 9`; empty if nothing is known of it."""
        return strength_range(self.low, self.high)

    @property
    def key(self) -> tuple[object, ...]:
        """The words and flags; meanings of one entry have them in common."""
        return self.text, self.name, self.flags, self.disclosed


class CallMeanings:
    """Finds the meanings of calls, by the systems of one reader.

    Many positions of a card differ in the seat of the first bid or in the vulnerability alone,
    and no rule looks at that: what is true of one of them is true of the others.
    """

    def __init__(self, reader: Reader) -> None:
        """Take the reader of the system."""
        self._reader = reader
        self._found: dict[tuple[object, ...], tuple[CallMeaning, ...]] = {}

    def at(self, calls: Calls, context: Context, only: Call | None = None) -> Sequence[CallMeaning]:
        """Return the meanings of the calls at a position but pass, the cheapest call first.

        Args:
            calls: the calls before, from the first bid on.
            context: the seat of the first bid, and the vulnerability.
            only: the call that is wanted; None for all.
        """
        reading = self._reader.read(auction_at(calls, *context))
        # The key has the rules and the evidence, not the auction: a pass more in front, or another
        # vulnerability, is a look-up where no rule reads it.
        earlier = reading.turns(reading.state.me)
        shown = tuple(tuple((step.fits, step.formula) for step in turn.steps) for turn in earlier)
        key = (calls, reading.decision.key, shown, only)
        if key not in self._found:
            # Emptied whole: entries are asked for family by family, so that old ones hardly come
            # back.
            if len(self._found) >= _MOST_POSITIONS:
                self._found.clear()
            self._found[key] = tuple(self._meanings(reading, only))
        return self._found[key]

    def _meanings(self, reading: Reading, only: Call | None) -> Iterator[CallMeaning]:
        calls = {
            each.call
            for each in reading.decision.instances
            # A pass has no line on a card, and a catch-all is no agreement.
            if each.call != Call.PASS and only in (None, each.call) and not each.rule.is_catch_all
        }
        for call in sorted(calls, key=int):
            yield from meanings_of(reading, call)


def meanings_of(reading: Reading, call: Call) -> Iterator[CallMeaning]:
    """Yield the meanings of a call at a position, the frequent ones first."""
    after = reading.with_call(call)
    for meaning, share in separate_meanings(after):
        yield _worded(reading.state.calls, after, meaning, share)


def separate_meanings(reading: Reading) -> Iterator[tuple[Meaning, float]]:
    """Yield the meanings of the last call of an auction, with their shares, the largest first.

    General rules and rules of the last resort are left out, and `may` rules where firm ones
    make the call. So are meanings that no hand has, and those that hardly any has.
    """
    whole = reading.meanings[-1]
    # Nothing is believed of such a call: no words would be true of its hands.
    if whole.turn is None or whole.headline is None:
        return
    places = _places(whole)
    shares = {each.place: each.share for each in whole.headline.rules}
    total = sum(shares.get(place, 0.0) for group in places for place in group)
    ranked = []
    for group in places:
        share = sum(shares.get(place, 0.0) for place in group) / total if total else 0.0
        # The share first: bounds of a group of rules ask the engine.
        if share >= RARE and (meaning := _by_rules(whole, group)) is not None:
            ranked.append((meaning, share))
    yield from sorted(ranked, key=lambda pair: -pair[1])


def _places(meaning: Meaning) -> list[list[int]]:
    """Return the places of the rules of a call in its turn, those together that do the same."""
    assert meaning.turn is not None
    book = {
        place: step.instance
        for place, step in enumerate(meaning.turn.steps)
        if step.fits and step.instance is not None and not step.instance.rule.is_catch_all
    }
    # A `may` rule is a liberty of the player; beside firm rules it would read as another meaning.
    firm = {place: each for place, each in book.items() if not each.optional} or book
    groups: dict[tuple[object, ...], list[int]] = {}
    for place, instance in firm.items():
        groups.setdefault(_does(instance), []).append(place)
    return list(groups.values())


def _does(instance: Instance) -> tuple[object, ...]:
    """Return the effects of a rule and its name: rules of one meaning have them in common."""
    rule = instance.rule
    # A force to game and Drury once stood in one line, "invitational, forcing to game". Opponents
    # hear the alert, so that two alerts are two meanings.
    return effects(instance), rule.convention, rule.alert, rule.announce


def _by_rules(whole: Meaning, places: Sequence[int]) -> Meaning | None:
    """Return the meaning of a call made by some of its rules alone; None if no hand is left."""
    assert whole.turn is not None
    fitting = [place for place, step in enumerate(whole.turn.steps) if step.fits]
    # The usual case: one meaning, whose bounds are there already.
    if list(places) == fitting:
        return whole
    turn = whole.turn.made_only_by(places)
    bounds = whole.engine.bounds((*whole.earlier, turn))
    if bounds is None:
        return None
    instances = [step.instance for step in turn.steps if step.fits and step.instance is not None]
    record = record_of(whole.seat, whole.call, instances)
    return replace(whole, record=record, turn=turn, bounds=bounds)


def _worded(calls: Calls, reading: Reading, meaning: Meaning, share: float) -> CallMeaning:
    brief = brief_of((*reading.meanings[:-1], meaning))
    assert meaning.turn is not None
    instances = [step.instance for step in meaning.turn.steps if step.fits and step.instance]
    book = [each for each in instances if not each.rule.is_catch_all] or instances
    firm = [each for each in book if not each.optional] or book
    # "♠; 5+♠" repeats itself where the author's text is the suit alone.
    text = _BARE.sub("", card_text(brief.meaning(_STYLE)))
    does = tuple(dict.fromkeys(flag for each in firm for flag in flags_of(each.rule, each)))
    return CallMeaning(
        calls,
        meaning.call,
        text,
        next((each.rule.convention for each in firm if each.rule.convention), "") or "",
        tuple(flag for flag in does if not _says(text, flag)),
        does,
        tuple(dict.fromkeys(heard for each in firm for heard in disclosed_of(each.rule))),
        # Over all kinds of hand: a card gives one range, and may not give the narrower one.
        brief.least,
        brief.most,
        brief.all_lengths,
        meaning.record.artificial,
        share,
        tuple(dict.fromkeys(each.rule.id for each in firm)),
        tuple(dict.fromkeys(each.rule.span.file for each in firm)),
        by_judgement=all(each.optional for each in firm),
    )


def card_text(text: str) -> str:
    """Return words as a card writes them: suits and calls with symbols."""
    return with_symbols(_SUIT_WORD.sub(lambda match: _SIGN_OF[match[1]], text))


def _says(text: str, flag: str) -> bool:
    """Return True if a text makes a flag beside it superfluous."""
    words = _SAID_BY_TEXT.get(flag.partition(" ")[0] if flag[:4] in ("agre", "asks") else flag)
    return words is not None and re.search(words, text.lower()) is not None
