"""Lines of a card for several auctions at once: one line for all suits of which the same is true.

`1♥/1♠ (P)` has a line `2M` where both raises show the same, and a line of its own for each where
they do not; calls of one level that say the same of the suit they bid are one line, `2♦/2♥/2♠`.
What is true in some seats or at some vulnerability only stands behind, in the same line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from bidwright.authoring.doc.bid_lines import Bidders, BidLine
from bidwright.authoring.doc.rule_words import SYMBOLS, disclosed_of, flags_of, with_symbols
from bidwright.authoring.exchange.call_tables import ALL_VULNERABLE, Vulnerable, auction_at
from bidwright.authoring.hands.rule_contexts import looks_at
from bidwright.bridge.calls import Call
from bidwright.inference.reading.reader import Reader
from bidwright.kb.logic.bounds import ANYTHING, Bounds, Interval
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.kb.wording.style import Style
from bidwright.kb.wording.words import bounds_text

OWN = "▢"
"""Stands for the suit that is bid while lines are compared."""

_LENGTH = re.compile(rf"(at most \d+|\d+[+]|\d+-\d+|\d+|no) {OWN}")
_MOST_WORDS = 3
_PLACES = {1: "1st", 2: "2nd", 3: "3rd", 4: "4th"}

Calls = tuple[Call, ...]

Context = tuple[int, Vulnerable]
"""The seat of the first bid, and a vulnerability."""


@dataclass(frozen=True)
class Family:
    """Auctions that a card treats together.

    Attributes:
        auctions: the calls of each, from the first bid on.
        letter: what stands for the suit that they differ in, such as `M`; empty for one auction.
        only: the call that is told; None for all.
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


@dataclass(frozen=True)
class CardCall:
    """A line of a family.

    Attributes:
        call: the calls, such as `2♦/2♥/2♠` or `2M`.
        words: the authors' words of the rules by which hands bid it.
        name: the convention; empty for none.
        shows: what the hands that bid it have.
        flags: forcing, artificial, ...
        disclosed: what opponents hear.
        lines: what the line is about.
    """

    call: str
    words: str
    name: str
    shows: str
    flags: tuple[str, ...]
    disclosed: tuple[str, ...]
    lines: tuple[BidLine, ...]


@dataclass(frozen=True)
class _Told:
    """A call of one auction, put in words that can be compared."""

    place: int
    call: Call
    label: str
    shows: str
    words: str
    name: str
    flags: tuple[str, ...]
    disclosed: tuple[str, ...]
    lines: dict[Context, BidLine]

    @property
    def agreed(self) -> tuple[object, ...]:
        """What the authors say of it, apart from the hands."""
        return self.words, self.name, self.flags, self.disclosed

    @property
    def key(self) -> tuple[object, ...]:
        """What lines that are told together have in common."""
        return self.shows, self.words, self.name, self.flags, self.disclosed


class CardWriter:
    """Puts positions of a system in lines of a card."""

    def __init__(self, rules: RuleBase, reader: Reader) -> None:
        """Take a system and what reads auctions by it."""
        self._rules = rules
        self._reader = reader
        self._bidders = Bidders(reader)

    def calls(self, family: Family) -> list[CardCall]:
        """Return the lines of a family, in the order of the calls."""
        wanted = {context for calls in family.auctions for context in self._contexts(calls)}
        contexts = sorted(wanted)
        told: list[_Told] = []
        for place, calls in enumerate(family.auctions):
            told += self._told(family, place, calls, contexts)
        return list(_joined(family, told, contexts))

    def _told(
        self, family: Family, place: int, calls: Calls, contexts: Sequence[Context]
    ) -> Iterator[_Told]:
        found: dict[Call, dict[Context, BidLine]] = {}
        for context in contexts:
            for line in self._bidders.lines(auction_at(calls, *context), family.only):
                found.setdefault(line.call, {})[context] = line
        suit = _suit_of(calls[0]) if family.letter and calls else None
        for call, lines in sorted(found.items(), key=lambda pair: int(pair[0])):
            yield _tell(place, call, lines, contexts, suit, family.letter)

    def _contexts(self, calls: Calls) -> Iterator[Context]:
        """Yield the seats and vulnerabilities that rules of a position look at."""
        decision = self._reader.read(auction_at(calls, 1, ALL_VULNERABLE[0])).decision
        rules = [each.rule for each in decision.applicable]
        if not calls:
            rules += [rule for rule in self._rules.rules if not rule.pattern.elements]
        looks = [looks_at(rule, self._rules.lets) for rule in rules]
        seats = (1, 2, 3, 4) if any(seat for seat, _ in looks) else (1,)
        states = ALL_VULNERABLE if any(state for _, state in looks) else ALL_VULNERABLE[:1]
        yield from product(seats, states)


def _suit_of(call: Call) -> int | None:
    return int(call.denomination) if call.is_bid and call.denomination.is_suit else None


def _tell(
    place: int,
    call: Call,
    lines: dict[Context, BidLine],
    contexts: Sequence[Context],
    suit: int | None,
    letter: str,
) -> _Told:
    own = _suit_of(call)

    def general(text: str) -> str:
        if suit is not None:
            text = text.replace(SYMBOLS[suit], letter)
        elif own is not None:
            text = text.replace(SYMBOLS[own], OWN)
        if own is not None and own != suit:
            text = text.replace(SYMBOLS[own], OWN)
        return text

    found = {id(each.rule): each for line in lines.values() for each in line.rules}.values()
    instances = [each for each in found if not each.rule.optional] or list(found)
    firm = [each.rule for each in instances]
    flags = (flag for each in instances for flag in flags_of(each.rule, each))
    words = "; ".join(list(dict.fromkeys(rule.text for rule in firm if rule.text))[:_MOST_WORDS])
    label = with_symbols(str(call))
    if suit is not None and own == suit:
        label = f"{call.level}{letter}"
    return _Told(
        place,
        call,
        label,
        general(_in_contexts(lines, contexts)),
        words,
        next((rule.convention for rule in firm if rule.convention), "") or "",
        tuple(dict.fromkeys(general(flag) for flag in flags)),
        tuple(dict.fromkeys(told for rule in firm for told in disclosed_of(rule))),
        lines,
    )


def hands_text(line: BidLine) -> str:
    """Return the boxes of a line in words: `8+ HCP, 4+ ♥ or 8+ HCP, 4+ ♠`."""
    return " or ".join(dict.fromkeys(bounds_text(box, Style.SYMBOLS) for box in line.boxes))


def _in_contexts(lines: dict[Context, BidLine], contexts: Sequence[Context]) -> str:
    """Return what hands have, and behind it what holds in some seats or vulnerabilities only."""
    groups: dict[str, list[Context]] = {}
    for context in contexts:
        text = hands_text(lines[context]) if context in lines else ""
        groups.setdefault(text, []).append(context)
    groups.pop("", None)
    most = max(groups, key=lambda text: len(groups[text]))
    opened = any(call.is_bid for call in next(iter(lines.values())).auction.calls)

    def where(text: str) -> str:
        return _where(groups[text], contexts, "seat opening" if opened else "seat")

    told = [most if len(lines) == len(contexts) else f"{most} ({where(most)})"]
    told += [f"{where(text)}: {text}" for text in groups if text != most]
    return "; ".join(told)


def _where(held: Sequence[Context], contexts: Sequence[Context], noun: str) -> str:
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
        if len(seats) < len(all_seats):
            words.append(f"{', '.join(_PLACES[seat] for seat in seats)} {noun}")
        if len(states) < len(all_states):
            words.append(_vulnerable(states))
        parts.append(" ".join(words))
    return " or ".join(parts)


_VULNERABLE = {
    (False, False): "neither vulnerable",
    (True, False): "unfavourable",
    (False, True): "favourable",
    (True, True): "both vulnerable",
}


def _vulnerable(states: frozenset[Vulnerable]) -> str:
    ours, theirs = ({state[side] for state in states} for side in (0, 1))
    if len(states) == 2 and len(ours) == 1:
        return "vulnerable" if ours.pop() else "not vulnerable"
    if len(states) == 2 and len(theirs) == 1:
        return "they vulnerable" if theirs.pop() else "they not vulnerable"
    return " or ".join(_VULNERABLE[state] for state in sorted(states))


# ----------------------------------------------------------------------- joining


def _joined(
    family: Family, told: Sequence[_Told], contexts: Sequence[Context]
) -> Iterator[CardCall]:
    """Yield lines: first those of one call in several auctions, then calls of one level."""
    groups: dict[tuple[object, ...], list[_Told]] = {}
    by_label: dict[str, set[int]] = {}
    for each in told:
        groups.setdefault((each.label, *each.key), []).append(each)
        by_label.setdefault(each.label, set()).add(each.place)
    levels: dict[tuple[str, tuple[object, ...]], list[list[_Told]]] = {}
    for group in groups.values():
        first, places = group[0], {each.place for each in group}
        where = "" if places == by_label[first.label] else _over(family, places)
        own = _own_of(first)
        alike: tuple[object, ...] = (first.label, first.shows)
        if own is not None:
            alike = (first.call.level, own)
        levels.setdefault((where, (*alike, *first.agreed)), []).append(group)
    for (where, _), alike_groups in levels.items():
        yield _line(where, alike_groups, contexts)


def _line(where: str, groups: Sequence[list[_Told]], contexts: Sequence[Context]) -> CardCall:
    first = groups[0][0]
    labels = "/".join(dict.fromkeys(group[0].label for group in groups))
    own, shows = _symbol(first.call), first.shows
    if len(groups) > 1:
        own, shows = "the suit bid", _in_contexts(_hulls(groups), contexts)
        shows = shows.replace(SYMBOLS[0], OWN)
    return CardCall(
        f"{labels}{where}",
        first.words,
        first.name,
        _named(shows, own),
        tuple(_named(flag, own) for flag in first.flags),
        first.disclosed,
        tuple(line for group in groups for each in group for line in each.lines.values()),
    )


def _own_of(told: _Told) -> tuple[object, ...] | None:
    """Return what a bid in a suit says of it and of strength in the first context.

    None where the box says less than the whole, or says the suit in other words.
    """
    suit = _suit_of(told.call)
    box = next(iter(told.lines.values())).boxes
    if suit is None or len(box) != 1 or OWN not in told.shows:
        return None
    return box[0].hcp, box[0].points, box[0].lengths[suit], box[0].balanced


def _hulls(groups: Sequence[list[_Told]]) -> dict[Context, BidLine]:
    """Return what calls of several suits have in common, their own suit in the place of clubs."""
    found: dict[Context, BidLine] = {}
    for group in groups:
        for each in group:
            suit = _suit_of(each.call)
            assert suit is not None
            for context, line in each.lines.items():
                box = _only_own(line.boxes, suit)
                if context in found:
                    box = hull((found[context].boxes[0], box))
                found[context] = BidLine(line.auction, line.call, (box,), line.rules)
    return found


def _only_own(boxes: Sequence[Bounds], suit: int) -> Bounds:
    """Return a box around boxes, with the length of one suit alone, in the place of clubs."""
    box = hull(boxes)
    rest = ANYTHING.lengths[1:]
    return replace(box, lengths=(box.lengths[suit], *rest), controls=ANYTHING.controls)


def hull(boxes: Sequence[Bounds]) -> Bounds:
    """Return the box around boxes, as far as strength, lengths and balance go."""

    def around(intervals: Iterable[Interval]) -> Interval:
        lows, highs = zip(*intervals, strict=True)
        return min(lows), max(highs)

    clubs, diamonds, hearts, spades = (
        around(box.lengths[suit] for box in boxes) for suit in range(4)
    )
    balanced = {box.balanced for box in boxes}
    return Bounds(
        hcp=around(box.hcp for box in boxes),
        points=around(box.points for box in boxes),
        lengths=(clubs, diamonds, hearts, spades),
        balanced=balanced.pop() if len(balanced) == 1 else None,
    )


def _symbol(call: Call) -> str:
    suit = _suit_of(call)
    return "" if suit is None else SYMBOLS[suit]


def _named(text: str, own: str) -> str:
    """Return a text with the suit that is bid."""
    if own == "the suit bid":
        text = _LENGTH.sub(_cards, text)
    return text.replace(OWN, own)


def _cards(match: re.Match[str]) -> str:
    noun = "card" if match[1] in ("1", "at most 1") else "cards"
    return f"{match[1]} {noun} in {OWN}"


def _over(family: Family, places: set[int]) -> str:
    calls = [with_symbols(str(family.auctions[place][0])) for place in sorted(places)]
    return f" over {'/'.join(calls)}"
