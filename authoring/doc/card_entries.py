"""Entries of a card for several auctions at once: one entry for all suits of which it is true.

`1♥/1♠ (P)` has an entry `2M` where both raises mean the same, and one for each where they do not;
calls of one level that say the same of the suit they bid are one entry, `2♦/2♥/2♠`. What is true
in some seats or at some vulnerability only is an entry of its own, which says where it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from bidwright.authoring.doc.call_meanings import CallMeaning, CallMeanings, Calls, Context
from bidwright.authoring.doc.rule_words import SYMBOLS, with_symbols
from bidwright.authoring.exchange.call_tables import ALL_VULNERABLE, Vulnerable, auction_at
from bidwright.authoring.hands.rule_contexts import looks_at
from bidwright.bridge.calls import Call
from bidwright.inference.reading.reader import Reader
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.runtime.sentences import COUNTS

OWN = "▢"
"""Stands for the suit that is bid while entries are compared."""

FIRST: Context = (1, ALL_VULNERABLE[0])
"""The first seat, nobody vulnerable."""

_PLACES = {1: "1st", 2: "2nd", 3: "3rd", 4: "4th"}


@dataclass(frozen=True)
class Family:
    """Auctions that a card treats together.

    Attributes:
        auctions: the calls of each, from the first bid on.
        letter: what stands for the suit that they differ in, such as `M`; empty for one auction.
        only: the call that is wanted; None for all.
    """

    auctions: tuple[Calls, ...]
    letter: str = ""
    only: Call | None = None

    @property
    def label(self) -> str:
        """The calls before: `1♥/1♠ (P)`."""
        if not self.auctions[0]:
            return ""
        rest = self.auctions[0][1:]
        openings = dict.fromkeys(with_symbols(str(calls[0])) for calls in self.auctions)
        words = ["/".join(openings), *(with_symbols(str(call)) for call in rest)]
        count = len(words)
        return " ".join(
            f"({word})" if (count - place) % 2 else word for place, word in enumerate(words)
        )


@dataclass(frozen=True, slots=True)
class CardEntry:
    """An entry of a card: one meaning of one call, or of calls that mean the same.

    Attributes:
        call: the calls, such as `2♦/2♥/2♠` or `2M`.
        text: what they show.
        where: where that holds, such as `3rd, 4th seat`; empty for everywhere.
        name: the convention; empty for none.
        flags: what the calls do besides, if the text does not say so.
        disclosed: what opponents hear.
        meanings: what the entry is about, one for each call and auction, at the first context.
        share: how many of the hands that make the call mean this, in the contexts where some do.
        contexts: the seats and vulnerabilities where it holds, of those that matter here.
    """

    call: str
    text: str
    where: str
    name: str
    flags: tuple[str, ...]
    disclosed: tuple[str, ...]
    meanings: tuple[CallMeaning, ...]
    share: float
    contexts: tuple[Context, ...]

    @property
    def is_usual(self) -> bool:
        """True if it holds in the first seat with nobody vulnerable."""
        return FIRST in self.contexts

    @property
    def words(self) -> str:
        """The text of the entry: where it holds, what it shows, and its flags."""
        name = f"{self.name}: " if self.name and self.name.lower() not in self.text.lower() else ""
        marks = ", ".join((*self.flags, *self.disclosed))
        before = f"{self.where}: " if self.where else ""
        return f"{before}{name}{self.text}" + (f" ({marks})" if marks else "")


@dataclass
class _Worded:
    """A meaning of a call in one auction, put in words that can be compared, and where it holds."""

    place: int
    label: str
    text: str
    flags: tuple[str, ...]
    meaning: CallMeaning
    contexts: list[Context] = field(default_factory=list)

    @property
    def key(self) -> tuple[object, ...]:
        """The words, flags and places; meanings of one entry have them in common."""
        return self.text, self.meaning.name, self.flags, self.meaning.disclosed, *self.contexts


class EntryWriter:
    """Puts positions of a system in entries of a card."""

    def __init__(self, rules: RuleBase, reader: Reader) -> None:
        """Take a system and its reader."""
        self._rules = rules
        self._reader = reader
        self._meanings = CallMeanings(reader)
        self._known: dict[Family, tuple[CardEntry, ...]] = {}

    def entries(self, family: Family) -> Sequence[CardEntry]:
        """Return the entries of a family in the order of the calls, the frequent ones first."""
        if family not in self._known:
            # The auctions of a family are compared in the same contexts, or one of them would seem
            # to hold only in the seats that the other one looks at.
            wanted = {context for calls in family.auctions for context in self._contexts(calls)}
            contexts = sorted(wanted)
            worded: list[_Worded] = []
            for place, calls in enumerate(family.auctions):
                worded += self._worded(family, place, calls, contexts)
            self._known[family] = tuple(_joined(family, worded, contexts))
        return self._known[family]

    def _worded(
        self, family: Family, place: int, calls: Calls, contexts: Sequence[Context]
    ) -> Iterator[_Worded]:
        suit = _suit_of(calls[0]) if family.letter and calls else None
        merged: list[_Worded] = []
        meanings = {each: self._meanings.at(calls, each, family.only) for each in contexts}
        firm = {
            m.call for of_context in meanings.values() for m in of_context if not m.by_judgement
        }
        for context, of_context in meanings.items():
            for meaning in of_context:
                if meaning.by_judgement and meaning.call in firm:
                    continue  # the author has no such bid in this seat: it would be printed as one
                # By words and near strength: the hands of a fourth seat differ a little with the
                # passes before it.
                same = next((each for each in merged if is_same(each.meaning, meaning)), None)
                if same is None:
                    same = _tell(place, meaning, suit, family.letter)
                    merged.append(same)
                same.contexts.append(context)
        yield from sorted(merged, key=lambda worded: int(worded.meaning.call))

    def _contexts(self, calls: Calls) -> Iterator[Context]:
        """Yield the seats and vulnerabilities that rules of a position look at."""
        decision = self._reader.read(auction_at(calls, 1, ALL_VULNERABLE[0])).decision
        rules = [each.rule for each in decision.applicable]
        if not calls:
            # The list of the first seat lacks rules that only later seats have, so that all
            # openings are asked.
            rules += [rule for rule in self._rules.rules if not rule.pattern.elements]
        looks = [looks_at(rule, self._rules.lets) for rule in rules if not rule.is_catch_all]
        # Up to sixteen contexts, each a reading: only where some rule looks at seat or
        # vulnerability.
        seats = (1, 2, 3, 4) if any(seat for seat, _ in looks) else (1,)
        states = ALL_VULNERABLE if any(state for _, state in looks) else ALL_VULNERABLE[:1]
        yield from product(seats, states)


def is_same(one: CallMeaning, other: CallMeaning) -> bool:
    """Return True if meanings of two seats or vulnerabilities are one.

    They are if their words are; and if the same rules make them, which do the same, and their
    strength and their suits differ by one at most: so much is due to who is left to hold what.
    """
    # All but the text: convention, flags and alerts have to agree.
    if one.call != other.call or one.key[1:] != other.key[1:]:
        return False
    if one.text == other.text:
        return True
    return one.rules == other.rules and is_near(one, other)


def is_near(one: CallMeaning, other: CallMeaning) -> bool:
    """Return True if strength and suits of two meanings differ by one at most."""
    pairs = [(one.low, other.low), (one.high, other.high)]
    for mine, yours in zip(one.lengths, other.lengths, strict=True):
        pairs += zip(mine, yours, strict=True)
    return all(
        first == second or (first is not None and second is not None and abs(first - second) <= 1)
        for first, second in pairs
    )


def _suit_of(call: Call) -> int | None:
    return int(call.denomination) if call.is_bid and call.denomination.is_suit else None


def _tell(place: int, meaning: CallMeaning, suit: int | None, letter: str) -> _Worded:
    bid = _suit_of(meaning.call)

    def general(text: str) -> str:
        if suit is not None:
            text = text.replace(SYMBOLS[suit], letter)
        # The suit of the family first: over 1♥ the raise shows the letter, and another bid its own
        # suit.
        if bid is not None and bid != suit:
            text = text.replace(SYMBOLS[bid], OWN)
        return text

    label = with_symbols(str(meaning.call))
    if suit is not None and bid == suit:
        label = f"{meaning.call.level}{letter}"
    flags = tuple(general(flag) for flag in meaning.flags)
    return _Worded(place, label, general(meaning.text), flags, meaning)


def _where(held: Sequence[Context], contexts: Sequence[Context], *, opened: bool) -> str:
    """Return seats and vulnerabilities in words: `3rd, 4th seat`, `4th seat vulnerable`."""
    all_seats = {seat for seat, _ in contexts}
    all_states = {state for _, state in contexts}
    by_states: dict[frozenset[Vulnerable], list[int]] = {}
    for seat in sorted({seat for seat, _ in held}):
        states = frozenset(state for each, state in held if each == seat)
        by_states.setdefault(states, []).append(seat)
    parts = []
    for states, seats in by_states.items():
        words = []
        # What holds in all seats says nothing of seats.
        if len(seats) < len(all_seats):
            words.append(_seat_words(seats, opened=opened))
        if len(states) < len(all_states):
            words.append(_vulnerable(states))
        parts.append(" ".join(words))
    return " or ".join(filter(None, parts))


def _seat_words(seats: Sequence[int], *, opened: bool) -> str:
    """Return seats of the first bid in words; who answers an opening may have passed before."""
    # The opener's seat says whether the responder has passed: players call that a passed hand.
    if opened and seats in ([1, 2], [3, 4]):
        return "not passed before" if seats == [1, 2] else "passed hand"
    return f"{', '.join(_PLACES[seat] for seat in seats)} seat" + " opening" * opened


_VULNERABLE = {
    (False, False): "neither vulnerable",
    (True, False): "unfavourable",
    (False, True): "favourable",
    (True, True): "both vulnerable",
}


def _vulnerable(states: frozenset[Vulnerable]) -> str:
    ours, theirs = ({state[side] for state in states} for side in (0, 1))
    # Two of the four states that agree for one side are named by that side.
    if len(states) == 2 and len(ours) == 1:
        return "vulnerable" if ours.pop() else "not vulnerable"
    if len(states) == 2 and len(theirs) == 1:
        return "they vulnerable" if theirs.pop() else "they not vulnerable"
    return " or ".join(_VULNERABLE[state] for state in sorted(states))


# ----------------------------------------------------------------------- joining


def _joined(
    family: Family, worded: Sequence[_Worded], contexts: Sequence[Context]
) -> Iterator[CardEntry]:
    """Yield entries: those of one call in several auctions together, then calls of one level."""
    groups: dict[tuple[object, ...], list[_Worded]] = {}
    by_label: dict[str, set[int]] = {}
    for meaning in worded:
        groups.setdefault((meaning.label, *meaning.key), []).append(meaning)
        by_label.setdefault(meaning.label, set()).add(meaning.place)
    levels: dict[tuple[object, ...], list[list[_Worded]]] = {}
    for group in groups.values():
        first, places = group[0], {each.place for each in group}
        # `2M over 1♥` only where the other major has another meaning of the same call.
        over = "" if places == by_label[first.label] else _over(family, places)
        # Weak twos with one text for their suit are one entry, `2♦/2♥/2♠`: the level is the common
        # part.
        is_of_suit = OWN in first.text and _suit_of(first.meaning.call) is not None
        alike = first.meaning.call.level if is_of_suit else first.label
        levels.setdefault((over, alike, *first.key), []).append(group)
    opened = bool(family.auctions[0])
    entries = [
        _entry(str(over), alike_groups, contexts, opened=opened)
        for (over, *_), alike_groups in levels.items()
    ]
    yield from sorted(entries, key=lambda entry: (int(entry.meanings[0].call), -entry.share))


def _entry(
    over: str, groups: Sequence[list[_Worded]], contexts: Sequence[Context], *, opened: bool
) -> CardEntry:
    first = groups[0][0]
    labels = "/".join(dict.fromkeys(group[0].label for group in groups))
    bid = _symbol(first.meaning.call) if len(groups) == 1 else "the suit"
    everywhere = len(first.contexts) == len(contexts)
    meanings = tuple(each.meaning for group in groups for each in group)
    return CardEntry(
        f"{labels}{over}",
        with_suit_bid(first.text, bid),
        "" if everywhere else _where(first.contexts, contexts, opened=opened),
        first.meaning.name,
        tuple(with_suit_bid(flag, bid) for flag in first.flags),
        first.meaning.disclosed,
        meanings,
        max(each.share for each in meanings),
        tuple(first.contexts),
    )


def _symbol(call: Call) -> str:
    suit = _suit_of(call)
    return "" if suit is None else SYMBOLS[suit]


_AT_MOST = re.compile(rf"(at most \d+|no) {OWN}")
_LENGTH = re.compile(rf"(\d+[+]|\d+-\d+|\d+|{'|'.join(COUNTS[2:])}) {OWN}")


_NUMBERED = re.compile(rf"\b((?:{'|'.join(COUNTS[2:])}) \w+) {OWN}")
"""A number and an adjective before the suit: `five good spades`."""

_ADJECTIVE = re.compile(rf"\b(good|long|short|solid|strong|weak) {OWN}")


def with_suit_bid(text: str, own: str) -> str:
    """Return a text with the suit that is bid."""
    # "long strong the suit" was printed: with several bids the suit has no name, and the text is
    # turned.
    if own == "the suit":
        text = _AT_MOST.sub(
            lambda match: f"{match[1]} {'card' if match[1] == 'at most 1' else 'cards'} there", text
        )
        text = _LENGTH.sub(r"\1 cards", text)
        text = _NUMBERED.sub(r"\1 cards", text)
        text = _ADJECTIVE.sub(r"\1 suit", text)
    return text.replace(OWN, own)


def _over(family: Family, places: set[int]) -> str:
    calls = [with_symbols(str(family.auctions[place][0])) for place in sorted(places)]
    return f" over {'/'.join(calls)}"
