"""Denials of a call, in a player's words: `four spades (would have raised to 2S)`.

A denial is a bound that follows from calls that were not made. The hand denied is named, then what
its holder would have done, and in which round if that was an earlier one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bidwright.bridge.calls import Call
from bidwright.bridge.cards import SUIT_WORDS
from bidwright.inference.explanation.model import CallExplanation, Denial, Reason, RuleNote
from bidwright.inference.explanation.table_position import TablePosition
from bidwright.inference.explanation.text_style import PLAIN, TextStyle
from bidwright.kb.wording.words import BoundFact, Style, fact_text
from bidwright.runtime.sentences import COUNTS, ORDINALS, listed

_MOST_CARDS, _MOST_CALLS = 3, 3
"""A denial matters if it leaves at most so many cards, and rests on at most so many calls."""


_CONTROLS, _CUE = "AK", 3
"""Ranks that a control bid shows, and the lowest level of such bids."""


def action_verb(call: Call, position: TablePosition) -> str:
    """Return the verb for a call in a position: `opened`, `raised to`, `doubled`."""
    plain = {Call.PASS: "passed", Call.DOUBLE: "doubled", Call.REDOUBLE: "redoubled"}
    if call in plain:
        return plain[call]
    if position.opener is None:
        return "opened"
    me, first = position.me, not position.has_acted(position.me)
    if call.denomination.is_suit:
        suit = int(call.denomination)
        if position.is_suit_of(me, suit):
            return "rebid"
        if position.is_suit_of(me.partner, suit):
            return "raised to"
    # Once partner has overcalled or doubled, the next bid of the side advances: "bid", not
    # "overcalled".
    if first and not position.is_opening_side and not position.has_acted(me.partner):
        return "overcalled"
    return "responded" if first and position.opener == me.partner else "bid"


def denied_hand(fact: BoundFact, style: TextStyle = PLAIN) -> str:
    """Return the hands that a bound denies: `four spades`, `12+ HCP`, `a balanced hand`."""
    if fact.about == "balanced":
        return f"{'an unbalanced' if fact.low else 'a balanced'} hand"
    if fact.about[-1] in "AKQJT":
        card = fact_text(BoundFact(fact.about, 1, None), style.suits)
        return f"a hand without {card}" if fact.low else card
    if fact.about in ("hcp", "points"):
        unit = "HCP" if fact.about == "hcp" else "points"
        return f"fewer than {fact.low} {unit}" if fact.low else f"{(fact.high or 0) + 1}+ {unit}"
    suit = style.suits.suit(SUIT_WORDS.index(fact.about))
    if fact.low is not None:
        short = {1: "a void in", 2: "a singleton in"}
        return f"{short.get(fact.low, f'fewer than {COUNTS[fact.low]}')} {suit}"
    more = (fact.high or 0) + 1
    if style.suits is not Style.WORDS:
        return f"{more}+ {suit}"
    return f"{COUNTS[more]} {suit if more > 1 else suit.removesuffix('s')}"


def would_have(
    reasons: Iterable[Reason], style: TextStyle = PLAIN, *, sources: bool = False
) -> str:
    """Return the calls that were open: `would have opened 1C or passed`.

    Args:
        reasons: the grounds; those that are promises are left out.
        style: how calls are written.
        sources: whether to add the places of the rules.
    """
    unmade: dict[tuple[str, str], dict[Call, list[str]]] = {}
    for reason in reasons:
        if not reason.promised:
            calls = unmade.setdefault((reason.action, _round(reason)), {})
            places = calls.setdefault(reason.call, [])
            places += [rule.place for rule in reason.rules if rule.place not in places]
    words, file = [], ""
    for (verb, when), calls in unmade.items():
        texts = []
        for call, places in calls.items():
            text = style.call(call) if call.is_bid else ""
            if sources:
                text = f"{text} ({_places(places, file)})".strip()
                # The file is named once and left out of the places that follow in it: `a.bid:31,
                # :33`.
                file = places[-1].rpartition(":")[0] if places else file
            texts.append(text)
        words.append(" ".join(filter(None, (verb, listed(texts, "or"), when))))
    return f"would have {listed(words, 'or')}"


def _round(reason: Reason) -> str:
    """Return when a call was open, if it was in an earlier round than the call explained."""
    if not reason.earlier_turn or reason.action == "opened":
        return ""
    return f"on the {ORDINALS[min(reason.earlier_turn, len(ORDINALS)) - 1]} round"


def denial_text(denial: Denial, style: TextStyle = PLAIN, *, sources: bool = True) -> str:
    """Return a denied fact with its reason: `four spades (would have raised to 2S)`."""
    return (
        f"{denied_hand(denial.fact, style)} ({would_have(denial.reasons, style, sources=sources)})"
    )


def denial_texts(
    denials: Sequence[Denial], style: TextStyle = PLAIN, *, sources: bool = False
) -> list[str]:
    """Return denials as texts, those with one reason in one: `four hearts or four spades (...)`."""
    hands: dict[tuple[str, bool], list[str]] = {}
    for denial in denials:
        reason = would_have(denial.reasons, style, sources=sources)
        # Upper and lower ends stay apart: "four hearts or fewer than two spades" would read as a
        # choice.
        key = reason, denial.fact.low is None
        hands.setdefault(key, []).append(denied_hand(denial.fact, style))
    return [
        f"{listed(dict.fromkeys(each), 'or')} ({reason})" for (reason, _), each in hands.items()
    ]


def telling(call: CallExplanation) -> list[Denial]:
    """Return the denials that matter to a player: lengths and controls shown by other calls.

    A pass is shown by its strength, and the range of strength of other calls by their line.
    """
    if call.record.call == Call.PASS:
        return []
    return [denial for denial in call.denied if _matters(denial)]


def _matters(denial: Denial) -> bool:
    fact = denial.fact
    unmade = {reason.call for reason in denial.reasons if not reason.promised}
    # A lower end that follows from silence is read off the range of the line; a list of many calls
    # that were not made explains nothing to a player.
    if fact.high is None or len(unmade) > _MOST_CALLS:
        return False
    if fact.about[-1] in _CONTROLS:  # an ace or a king that a cheaper bid would have shown
        return fact.high == 0 and any(call.is_bid and call.level >= _CUE for call in unmade)
    return fact.about in SUIT_WORDS and fact.high <= _MOST_CARDS


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
