"""A call in one line: what it is for, strength, suits, force. And as an alert, in a sentence.

    2C: Stayman, asks for a four-card major; 8+; forcing
    Stayman, asks for a four-card major: 8 or more HCP; forcing for one round.

The line has what is new: what the player had shown before is not said again. Strength is in
high-card points. A bound that hardly any hand is beyond is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import SUITS
from bidwright.inference.explanation.counts import COUNTS
from bidwright.inference.explanation.purpose import purpose_of
from bidwright.inference.explanation.table_position import TablePosition
from bidwright.inference.explanation.terms import TRADE
from bidwright.inference.explanation.text_style import PLAIN, TextStyle
from bidwright.inference.meaning import Meaning
from bidwright.kb.logic.bounds import Bounds, Interval
from bidwright.kb.logic.features import HCP
from bidwright.kb.logic.public_state import CallRecord
from bidwright.kb.rules.decision_list import Instance
from bidwright.kb.wording.words import BoundFact, fact_text, facts_of

_SUIT_NAMES = tuple(suit.name.lower() for suit in SUITS)
_MAJORS = ("spades", "hearts")

_MOST_OF_PASS, _MOST_OF_ALL, _MOST_OF_STRONG = 14, 18, 23
"""The largest upper bound of HCP that is said: of a pass, of other calls, of strong ones."""

_LEAST_HCP = 3
"""The smallest lower bound of HCP that is said."""

_MIDDLING = 10
"""HCP from which a call is a strong one."""

_NARROW = 4
"""A range of HCP as narrow as this is said however high it is; two ranges are so far apart."""

_SHORT = 4
"""The largest number of cards that is said as an upper end of a range."""

_HCP = ((HCP, 1),)
"""The sum that is the high-card points alone."""

_EMPTY = {"no overcall", "no response"}
NO_AGREEMENT = "no agreement"


@dataclass(frozen=True, slots=True)
class Brief:
    """A call in short.

    Attributes:
        call: the call.
        purpose: what it is for, the most important first.
        strength: what is new about points, the one or the other of it; empty if nothing is.
        suits: what is new about suits and balance.
        force: what it asks of partner: `forcing`, `forcing to game`, `invitational`; or nothing.
        known: whether the system has an agreement about it.
        usual: those of `suits` that its author says only usually hold.
    """

    call: Call
    purpose: tuple[str, ...]
    strength: tuple[BoundFact, ...]
    suits: tuple[BoundFact, ...]
    force: str
    known: bool
    usual: frozenset[BoundFact] = frozenset()

    def meaning(self, style: TextStyle = PLAIN) -> str:
        """Return the line without the call: `limit raise; 10-12, 3+ spades; invitational`."""
        if not self.known:
            return NO_AGREEMENT
        suits = _suit_texts(self.suits, style, self.usual)
        strength = [strength_text(each, before_suits=bool(suits)) for each in self.strength]
        facts = [*filter(None, [" or ".join(strength)]), *suits]
        purpose = ", ".join(_without(self.purpose, facts))
        return "; ".join(filter(None, (purpose, ", ".join(facts), self.force))) or self._nothing()

    @property
    def is_empty(self) -> bool:
        """Whether it is a pass that says nothing: its place in the auction says it all."""
        return self._is_bare_pass() and set(self.purpose) <= _EMPTY

    @property
    def is_last_word(self) -> bool:
        """Whether it is a pass that says nothing if the auction ends with it."""
        return self._is_bare_pass() and not any(word in TRADE for word in self.purpose)

    def _is_bare_pass(self) -> bool:
        facts = self.suits or self.strength
        return self.call == Call.PASS and self.known and not facts

    def _nothing(self) -> str:
        """Return what a call is that says nothing new."""
        return "nothing to add" if self.call == Call.PASS else "natural"

    def line(self, style: TextStyle = PLAIN) -> str:
        """Return the line: `1NT: 15-17, balanced`."""
        return f"{style.call(self.call)}: {self.meaning(style)}"

    def alert(self, words: str = "") -> str:
        """Return a sentence that an opponent understands.

        Args:
            words: what the call is for, where its author has words for that.
        """
        if not self.known:
            return "No agreement."
        facts = [" or ".join(map(_spelled_strength, self.strength))] if self.strength else []
        facts += _spelled_suits(self.suits, self.usual)
        purpose = words or ", ".join(_without(self.purpose, _suit_texts(self.suits, PLAIN)))
        if not purpose:
            passed = "pass" if facts else "nothing to add"
            purpose = passed if self.call == Call.PASS else "natural"
        force = "forcing for one round" if self.force == "forcing" else self.force
        text = f"{purpose}: {_and(facts)}" if facts else purpose
        return f"{text[0].upper()}{text[1:]}{'; ' if force else ''}{force}."


def unagreed_text(record: CallRecord) -> str:
    """Return what is said of a call on which nothing was agreed (`Meaning.agreed`)."""
    call = record.call
    natural = call.is_bid and call.denomination.is_suit and not record.artificial
    return "natural or artificial: no firm agreement" if natural else "no firm agreement"


def _no_agreement(meaning: Meaning) -> tuple[str, ...]:
    """Return what a call on which nothing was agreed is said to be for."""
    said = meaning.undiscussed
    if said is None:
        return (unagreed_text(meaning.record),)
    return (f"{NO_AGREEMENT} ({said.text})" if said.text else NO_AGREEMENT,)


def brief_of(meanings: Sequence[Meaning]) -> Brief:
    """Return the last of some calls in short.

    Args:
        meanings: what the calls of an auction mean up to that call, from the first.

    Example:
        `brief_of(reading.meanings).line()` of `1NT` is `1NT: 15-17, balanced`.
    """
    meaning = meanings[-1]
    purpose = _no_agreement(meaning)
    if meaning.undiscussed is None and (meaning.agreed or meaning.record.call == Call.PASS):
        purpose = purpose_of(meaning, TablePosition(meanings[:-1], meaning.record.seat))
    before = _before(meaning)
    suits = tuple(_suits(told_bounds(meaning), before))
    hedged = any(instance.wide is not None for instance in meaning.instances)
    return Brief(
        meaning.record.call,
        purpose,
        _strength(meaning),
        suits,
        "" if meaning.undiscussed else _force(meaning.record, purpose),
        meaning.known,
        frozenset({*suits} - {*_suits(meaning.possible, before)}) if hedged else frozenset(),
    )


def told_bounds(meaning: Meaning) -> Bounds:
    """Return what is told: what is usual, or what is possible where that is not believed."""
    return meaning.bounds if _is_believed(meaning) else meaning.possible


def _is_believed(meaning: Meaning) -> bool:
    """Tell whether what is usual is believed: it contradicts nothing, and was agreed."""
    return meaning.agreed and not meaning.relaxed


def _before(meaning: Meaning) -> Bounds:
    if not _is_believed(meaning) and meaning.previous is not None:
        return meaning.previous.possible
    return meaning.before


def _force(record: CallRecord, purpose: Sequence[str]) -> str:
    if record.forcing_words:
        return record.forcing_words
    if record.invitational:
        return "invitational"
    return "to play" if record.signoff and "to play" not in purpose else ""


# ------------------------------------------------------------------------- facts


def _strength(meaning: Meaning) -> tuple[BoundFact, ...]:
    """Return what is new about points: high-card points, else points with length."""
    shown, passed = told_bounds(meaning), meaning.record.call == Call.PASS
    hcp = shown.hcp if shown.hcp[0] < shown.hcp[1] else meaning.possible.hcp
    now, earlier = telling_hcp(hcp, passed=passed), telling_hcp(_before(meaning).hcp, passed=passed)
    if now != earlier and now != (None, None):
        apart = _apart(meaning, hcp)
        return tuple(BoundFact("hcp", *telling_hcp(each, passed=passed)) for each in apart)
    points = next((fact for fact in facts_of(shown) if fact.about == "points"), None)
    if points is not None and points.low and not hcp[0] and points.low > _before(meaning).points[0]:
        return (BoundFact("points", points.low, None),)
    return ()


def _apart(meaning: Meaning, hcp: Interval) -> tuple[Interval, ...]:
    """Return the two ranges of high-card points that are weak or strong; else the whole range."""
    low, high = hcp
    if not _is_believed(meaning):
        return (hcp,)
    values = [v for v in range(low, high + 1) if any(map(partial(_allows, v), meaning.instances))]
    steps = [place for place in range(1, len(values)) if values[place] > values[place - 1] + 1]
    if len(steps) != 1 or values[0] != low or values[-1] != high:
        return (hcp,)
    weak, strong = (low, values[steps[0] - 1]), (values[steps[0]], high)
    said = telling_hcp(weak)[1] is not None and strong[0] - weak[1] > _NARROW
    return (weak, strong) if said else (hcp,)


def _allows(value: int, instance: Instance) -> bool:
    """Tell whether what a condition says of high-card points alone leaves a number of them."""
    said = (each for each in instance.formula if all(one.terms == _HCP for one in each))
    return all(any((value >= one.at_least) == one.positive for one in each) for each in said)


def telling_hcp(hcp: Interval, *, passed: bool = False) -> tuple[int | None, int | None]:
    """Return the ends of a range of points that say something."""
    low, high = hcp
    most = _MOST_OF_PASS if passed else _MOST_OF_ALL if low < _MIDDLING else _MOST_OF_STRONG
    return (
        low if low >= _LEAST_HCP else None,
        high if high <= most or high - low <= _NARROW else None,
    )


def _suits(shown: Bounds, before: Bounds) -> Iterator[BoundFact]:
    """Yield what is new about suits and balance and has room in a line."""
    known = set(facts_of(before))
    facts = [fact for fact in facts_of(shown) if fact not in known]
    suits = [fact for each in facts if (fact := _suit(each, before)) is not None]
    yield from suits
    balance = [fact for fact in facts if fact.about == "balanced"]
    yield from (fact for fact in balance if fact.low)


def _suit(fact: BoundFact, before: Bounds) -> BoundFact | None:
    """Return what is new of a fact about a suit, if anything."""
    if fact.about not in _SUIT_NAMES:
        return None
    low, high = before.lengths[_SUIT_NAMES.index(fact.about)]
    if fact.low is not None and fact.low > max(low, 1 if fact.low == fact.high else 2):
        if fact.high is not None and fact.low < fact.high and fact.high > _SHORT:
            return replace(fact, high=None)
        return fact
    fact = replace(fact, low=None)
    if fact.high is not None and fact.high < high and fact.high <= _most(fact.about):
        return fact
    return None


def _most(suit: str) -> int:
    """Return the largest number of cards that is worth saying to be the most."""
    return 3 if suit in _MAJORS else 1


def strength_text(fact: BoundFact, *, before_suits: bool = False) -> str:
    """Return points as players write them: `15-17`, `8+`, `up to 11`, `12+ points`.

    Args:
        fact: the points.
        before_suits: whether a suit follows: then an open range has its unit, `8+ HCP, 5+ spades`.
    """
    unit = " points" if fact.about == "points" else ""
    if fact.low is None:
        return f"up to {fact.high}{unit}"
    if fact.high is None:
        return f"{fact.low}+{unit or (' HCP' if before_suits else '')}"
    return (str(fact.low) if fact.low == fact.high else f"{fact.low}-{fact.high}") + unit


def _suit_texts(
    facts: Sequence[BoundFact], style: TextStyle, usual: Collection[BoundFact] = ()
) -> list[str]:
    """Return facts about suits: `5+ spades`, `no four-card major`, `usually balanced`."""
    return [
        "no four-card major" if fact is None else _hedge(fact, usual) + fact_text(fact, style.suits)
        for fact in _with_majors_joined(facts)
    ]


def _hedge(fact: BoundFact, usual: Collection[BoundFact]) -> str:
    return "usually " if fact in usual else ""


def _with_majors_joined(facts: Sequence[BoundFact]) -> Iterator[BoundFact | None]:
    """Yield the facts; `None` in place of both majors where neither has four cards."""
    short = [f for f in facts if f.about in _MAJORS and f.low is None and f.high == 3]
    if len(short) == len(_MAJORS):
        yield None
    yield from (fact for fact in facts if len(short) < len(_MAJORS) or fact not in short)


def _spelled_strength(fact: BoundFact) -> str:
    unit = "HCP" if fact.about == "hcp" else "points with length"
    if fact.low is None:
        return f"at most {fact.high} {unit}"
    if fact.high is None:
        return f"{fact.low} or more {unit}"
    if fact.low == fact.high:
        return f"{fact.low} {unit}"
    return f"{fact.low} to {fact.high} {unit}"


def _spelled_suits(facts: Sequence[BoundFact], usual: Collection[BoundFact] = ()) -> Iterator[str]:
    for fact in _with_majors_joined(facts):
        if fact is None:
            yield "no four-card major"
        elif fact.about == "balanced":
            balance = "a balanced hand" if fact.low else "an unbalanced hand"
            yield _hedge(fact, usual) + balance
        else:
            yield _hedge(fact, usual) + _spelled_length(fact)


def _spelled_length(fact: BoundFact) -> str:
    suit = fact.about
    if fact.high == 0:
        return f"no {suit}"
    if fact.low is None:
        assert fact.high is not None
        most = COUNTS[fact.high]
        return f"at most {most} {suit.removesuffix('s') if fact.high == 1 else suit}"
    if fact.high is None:
        return f"{COUNTS[fact.low]} or more {suit}"
    if fact.low == fact.high:
        return f"{COUNTS[fact.low]} {suit}"
    return f"{COUNTS[fact.low]} to {COUNTS[fact.high]} {suit}"


def _and(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _without(words: Sequence[str], facts: Sequence[str]) -> Iterator[str]:
    """Yield words that facts do not repeat."""
    yield from (word for word in words if word not in facts)


# --------------------------------------------------------------------- auctions


def briefs_of(meanings: Sequence[Meaning]) -> tuple[Brief, ...]:
    """Return every call of an auction in short."""
    return tuple(brief_of(meanings[: place + 1]) for place in range(len(meanings)))


def brief_prose(auction: Auction, briefs: Sequence[Brief], style: TextStyle = PLAIN) -> str:
    """Return an auction with a line for each call: `N  1NT: 15-17, balanced`.

    A pass that says nothing is only its call; the passes that end an auction and say nothing are
    one line.
    """
    lines = []
    for place, each in enumerate(briefs):
        if auction.is_over and all(other.is_last_word for other in briefs[place:]):
            lines.append("   all pass")
            break
        title = style.strong(style.call(each.call))
        text = "" if each.is_empty else f": {each.meaning(style)}"
        lines.append(f"{auction.seat_of(place)}  {title}{text}")
    return style.painted("\n".join(lines))
