"""What a call is for, in a few words: the authors' terms, or what the call does at the table.

The texts of rules say why a hand chooses a call ("five spades", "nothing better") as well as what
the call is for ("limit raise"). What repeats the bounds, or is about the choice, is left out; where
nothing is left, a call is named after its place in the auction: an overcall, a raise, a cue-bid.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from bidwright.bridge.calls import Call
from bidwright.bridge.cards import SUITS, Denomination, Seat
from bidwright.inference.explanation.table_position import TablePosition
from bidwright.inference.explanation.terms import (
    ACTS,
    FILLERS,
    FORCES,
    QUALIFIERS,
    SYNONYMS,
    TRADE,
    UNCOUNTED,
)
from bidwright.inference.meaning import Meaning
from bidwright.kb.logic.bounds import Bounds
from bidwright.kb.logic.public_state import Forcing, game_level
from bidwright.kb.rules.rule import CompiledRule

_SUPPORT, _NATURAL, _LONG = 3, 4, 5
"""Cards that make a raise, a suit that is bid naturally, a suit to transfer to."""

_MOST_MEANINGS = 3
"""Meanings of one artificial call that are named."""

_WORDS_OF_FACTS = re.compile(
    r"none|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|[0-9]+"
    r"|(club|diamond|heart|spade|major|minor|card|point|trump)s?|hcp|balanced|flat|suit|shortage"
    r"|not|maximum|minimum|few|fewer|more|most|least|long|longer|good|both|together|unbid|support"
    r"|a|and|at|in|nearly|no|of|or|over|perhaps|than|the|to"
)
_BOUNDARY = re.compile(r"[,;:]\s+")


def purpose_of(meaning: Meaning, position: TablePosition) -> tuple[str, ...]:
    """Return what a call is for, the most important first; nothing where its bounds say it all.

    Args:
        meaning: what it means.
        position: where it is made.
    """
    if not meaning.known:
        return ()
    rules = _main([instance.rule for instance in meaning.needed])
    words = list(_authors_words(meaning, rules))
    if not any(_names_act(word, rules) for word in words):
        acts = _act(meaning, position)
        words = [*(act for act in acts if not any(act in word for word in words)), *words]
    return tuple(_specific(meaning, position, dict.fromkeys(words)))


def _main(rules: Sequence[CompiledRule]) -> list[CompiledRule]:
    """Return the firm rules, or all if there is none."""
    return [rule for rule in rules if not rule.optional] or list(rules)


def _names_act(words: str, rules: Iterable[CompiledRule]) -> bool:
    """Tell whether words say by themselves what a call is for."""
    if words in ACTS or words in TRADE:
        return words not in QUALIFIERS
    return any(rule.artificial or (rule.convention and rule.convention in words) for rule in rules)


def _authors_words(meaning: Meaning, rules: Sequence[CompiledRule]) -> Iterator[str]:
    """Yield what the texts of some rules say of the purpose of their call."""
    texts = list(dict.fromkeys(rule.text for rule in rules if rule.text))
    conventions = {rule.convention for rule in rules}
    name = conventions.pop() if len(conventions) == 1 else None
    if name and not any(name.lower() in text.lower() for text in texts):
        yield name
    if not texts:
        return
    if meaning.record.artificial and not meaning.record.asks and len(texts) > 1:
        yield " or ".join(texts[:_MOST_MEANINGS])
        return
    if meaning.record.artificial:
        texts = texts[:1]
    anywhere = all(rule.pattern.open and not rule.pattern.elements for rule in rules)
    parts = [_parts(text, anywhere=anywhere or meaning.record.call == Call.PASS) for text in texts]
    shared = (part for part in parts[0] if all(part in others for others in parts))
    yield from (part for part in shared if part.lower() not in (name or "").lower())


def _parts(text: str, *, anywhere: bool) -> list[str]:
    """Return the parts of a rule's text that say what the call is for.

    Args:
        text: the text.
        anywhere: whether the rule is a general one; of these only terms are kept.
    """
    if text.lower() in FILLERS:
        return []
    found = []
    for part in _BOUNDARY.split(text):
        term = SYNONYMS.get(part.lower(), part)
        term = next((act for act in ACTS if term.startswith(f"{act} in ")), term)
        if term.lower() in FILLERS or (anywhere and term not in TRADE and term not in ACTS):
            continue
        if not _says_only_facts(term):
            found.append(term)
    return found


def _says_only_facts(text: str) -> bool:
    """Tell whether words say nothing but what bounds say as well."""
    if text in TRADE or text in ACTS or re.fullmatch(r"no [^0-9]+", text):
        return False
    words = re.findall(r"\w+", text.lower())
    return all(_WORDS_OF_FACTS.fullmatch(word) for word in words)


def _specific(meaning: Meaning, position: TablePosition, words: Iterable[str]) -> Iterator[str]:
    """Yield words with the suit, or the contract, that they are about."""
    call, shown = meaning.record.call, meaning.bounds
    for word in words:
        if word == "transfer" and (suit := _long_suit(shown, call)) is not None:
            yield f"transfer to {SUITS[suit].name.lower()}"
        elif word == "leaves partner in" and position.last_bid is not None:
            yield f"leaves partner in {position.last_bid.call}"
        elif word == "control" and call.is_bid and call.denomination.is_suit:
            yield f"control in {call.denomination.name.lower()}"
        elif word in FORCES:
            continue  # its force says so
        elif word.startswith("asks for a") and word in TRADE and meaning.record.agrees is not None:
            yield f"{word}, {SUITS[meaning.record.agrees].name.lower()} agreed"
        else:
            yield word


def _long_suit(bounds: Bounds, call: Call) -> int | None:
    """Return the one suit other than the one bid in which five cards are shown."""
    found = [suit for suit, (low, _) in enumerate(bounds.lengths) if low >= _LONG]
    found = [suit for suit in found if not call.is_bid or suit != int(call.denomination)]
    return found[0] if len(found) == 1 else None


# ------------------------------------------------------------------ at the table


def _act(meaning: Meaning, position: TablePosition) -> tuple[str, ...]:
    """Return what a call is called by its place in the auction; nothing if there is no word."""
    call = meaning.record.call
    if meaning.record.asks is not None:
        return (asking(meaning.record.asks),)
    if position.has_asked and call.is_bid:
        return tuple(filter(None, [_slam(call)]))
    if call == Call.PASS:
        return tuple(filter(None, [_act_of_pass(position)]))
    if not call.is_bid:
        return (_act_of_double(meaning, position),)
    if call.denomination is Denomination.NOTRUMP:
        return _act_in_notrump(meaning, position)
    if meaning.record.artificial:
        return ("cue-bid",) if _is_theirs(position, int(call.denomination)) else ("artificial",)
    return _act_in_suit(meaning, position)


def _act_of_pass(position: TablePosition) -> str:
    me, last, action = position.me, position.last_bid, position.last_action
    if last is None or action is None:
        return "no opening bid"
    ours = action.seat == me.partner
    if ours and action.call == Call.DOUBLE:
        return "leaves the double in"
    if ours and action.call.is_bid:
        return "leaves partner in"
    if position.opener == me.partner:
        return "" if position.has_acted(me) else "no response"
    called = any(record.seat == me for record in position.records[position.opened :])
    return "" if called or position.has_acted(me.partner) else "no overcall"


def _act_of_double(meaning: Meaning, position: TablePosition) -> str:
    if meaning.record.call == Call.REDOUBLE:
        return "values"
    if meaning.record.forcing is not Forcing.NO:
        negative = position.opener == position.me.partner and not position.has_acted(position.me)
        return "negative double" if negative else "takeout"
    texts = [instance.rule.text or "" for instance in meaning.needed]
    return "penalties" if any("penalties" in text for text in texts) else "values"


def _act_in_notrump(meaning: Meaning, position: TablePosition) -> tuple[str, ...]:
    if _slam(meaning.record.call):
        return (_slam(meaning.record.call),)
    if meaning.record.artificial:
        return ("artificial",)
    if not position.is_opening_side and not position.has_acted(position.me, position.me.partner):
        return ("notrump overcall",)
    return ()


def _act_in_suit(meaning: Meaning, position: TablePosition) -> tuple[str, ...]:
    if position.is_asked:
        return ()
    call, me = meaning.record.call, position.me
    suit, jump = int(call.denomination), position.jump(call)
    if slam := _slam(call):
        return (slam,)
    length = meaning.bounds.lengths[suit][0]
    if meaning.record.agrees == suit or position.is_suit_of(me.partner, suit):
        if position.is_suit_of(me, suit):
            return ("game",) if call.level == game_level(call.denomination) else ("rebid",)
        if length < _SUPPORT and _has_two_suits(position, me.partner):
            return ("preference",)
        return ("jump raise",) if jump == 1 else ("raise",)
    if position.is_suit_of(me, suit):
        return ("rebid",)
    if _is_theirs(position, suit) and length < _NATURAL:
        return ("cue-bid",)
    if position.is_opening_side:
        if position.opener is None:
            return ()
        if jump == 1 and position.opener.side == me.side and not position.has_acted(me):
            return ("jump shift",) if call.level < game_level(call.denomination) else ()
        if not position.has_acted(me):
            return ()
        own = any(position.is_suit_of(me, other) for other in range(4) if other != suit)
        return ("second suit",) if own else ("new suit",)
    if position.answers_double and not position.has_acted(me):
        return ("answers the double",)
    if not position.has_acted(me, me.partner):
        return ("jump overcall" if jump else "overcall",)
    return ("new suit",)


def _has_two_suits(position: TablePosition, seat: Seat) -> bool:
    return sum(position.is_suit_of(seat, suit) for suit in range(len(SUITS))) > 1


def asking(question: str) -> str:
    """Return a question of the language as a term: `asks for aces`, `asks for a stopper`."""
    return f"asks for {asked_thing(question)}"


def asked_thing(question: str) -> str:
    """Return what a question is about, as after "for": `aces`, `a stopper`, `strength`."""
    words = question.replace("_", " ")
    if words.endswith("s") or words.rpartition(" ")[2] in UNCOUNTED:
        return words
    return f"{'an' if words[:1] in 'aeiou' else 'a'} {words}"


def _is_theirs(position: TablePosition, suit: int) -> bool:
    me = position.me
    if position.is_suit_of(me, suit) or position.is_suit_of(me.partner, suit):
        return False
    return any(position.is_suit_of(seat, suit) for seat in (me.lho, me.rho))


def _slam(call: Call) -> str:
    return {6: "small slam", 7: "grand slam"}.get(call.level, "")
