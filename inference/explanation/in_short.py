"""A call in one line: what it is for, strength, suits, force. And as an alert, in a sentence.

    2C: Stayman, asks for a four-card major; 8+; forcing
    Stayman, asks for a four-card major: 8 or more HCP; forcing for one round.

It renders the headline of the call (`inference.headline`): the author's words first, then what is
new and not said by them. What the player had shown before is not said again. A bound that hardly
any hand is beyond is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import SUIT_WORDS, Denomination
from bidwright.inference.engine.information import bits
from bidwright.inference.engine.statements import Turn
from bidwright.inference.explanation.purpose import Lengths, Purpose, purpose_of, shown_by_place
from bidwright.inference.explanation.stated_claims import (
    claimed_bounds,
    common_claims,
    strength_claimed,
)
from bidwright.inference.explanation.table_position import TablePosition
from bidwright.inference.explanation.terms import TRADE
from bidwright.inference.explanation.text_style import PLAIN, TextStyle
from bidwright.inference.headline import Headline, Strength
from bidwright.inference.meaning import Meaning, record_of
from bidwright.kb.logic.bounds import ANYTHING, Bounds, Interval
from bidwright.kb.logic.features import HCP
from bidwright.kb.logic.public_state import CallRecord, Forcing
from bidwright.kb.rules.decision_list import Instance
from bidwright.kb.wording.ranges import spelled_range, strength_range
from bidwright.kb.wording.words import BoundFact, fact_text, facts_of
from bidwright.runtime.sentences import COUNTS, listed

_MAJORS = ("spades", "hearts")

# Hands of 19 points or more are one in forty: an upper end above these is no news, and every
# opening of one in a suit would carry "up to 21".
_MOST_OF_PASS, _MOST_OF_ALL, _MOST_OF_STRONG = 14, 18, 23
"""The largest upper bound of HCP that is printed: of a pass, of other calls, of strong ones."""

_LEAST_HCP = 3
"""The smallest lower bound of HCP that is printed."""

_MIDDLING = 10
"""The least HCP of a strong call."""

_SMALL = 1
"""The width of a range of HCP that is printed with both ends in any case."""

_NARROW = 4
"""The width of a range of HCP that is printed however high it is; also the gap of two ranges."""

_MOST_SHORT = 2
"""The largest upper end of the length in the opponents' suit that is printed of a double."""

_SHORT = 4
"""The largest number of cards that is printed as an upper end of a range."""

_HCP = ((HCP, 1),)
"""The sum that is the high-card points alone."""

# A pass is described by the strength of nineteen in twenty of the hands that make it: its exact
# upper end belongs to a rare shape without a bid.
_HARDLY_ANY = 0.01
"""The share of hands above the printed upper end of a pass that needs no "usually"."""

_SOMETIMES = 0.05
"""The least share of hands beyond an end of strength that has a remark."""

_LIMITED = 17
"""The largest upper end that is printed again: such a hand was limited by it."""

_OFTEN = 0.2
"""The least share of hands below the lower end to repeat that."""

# Some systems rebid 1NT on a singleton in partner's suit: rare enough that teachers say "usually
# balanced".
_MOSTLY = 0.65
"""The least share of balanced hands of a bid of notrump that is "usually balanced"."""

# With three cards promised, a fourth by elimination is bridge logic; with none, the length would be
# a claim about a suit that nobody has mentioned.
_LEAST_PROMISED = 3
"""The promised length of a suit that is needed to print a greater computed one."""

_LEAST_THEIRS = 5
"""The length in a suit of the opponents that is printed of any call."""

_NO_OPENING = 12
"""The upper end of points of a pass that says little more than "no opening bid"."""

_MOSTLY_INVITES = 0.5
"""The least share of the hands that invite by a call, for it to be invitational."""

_MUCH_LESS = 4
"""The points that a pass has to take off the upper end given before, to be printed."""

_SLAM = 6
"""The level of slams."""

_MOST_RECKONED = 4
"""The most points that general rules may add to the lower end shown before."""

# Without a ceiling, elimination alone would pin the shape of a hand down in a long auction: a
# promise that no player makes.
_MOST_BY_DENIALS = 3.0
"""Bits of shape that calls not made, and catch-alls, may add over all calls of a player."""

_MOST_OF_SILENCE = 3.0
"""Bits that a pass over opponents may add by the calls it is not: more is not meant by it."""

_FORCED_BY_WORDS = {
    "forcing": r"\bforc(?:ing|es)\b|\btakeout\b|\b(?:negative|responsive|support) double\b",
    "forcing to game": r"\bforc(?:ing|es) to game\b|\bgame[- ]forc",
    "invitational": r"\binvit(?:es|ing|ational)\b|(?<!s the )\binvitation\b",
}
"""Patterns of words that imply a force, which is left out beside them."""

_NEEDS_NONE = (
    *("accepts", "declines", "completes", "quantitative", "penalties", "choice of games"),
    "control in",
)
"""Purposes that everybody plays alike: they need no agreement."""

_NEEDS_NO_STRENGTH = ("to play", "grand slam", "asks for", "preference", "save")
"""Purposes of calls by general rules that need no word on strength beside them."""

_EMPTY = {"no overcall", "no response"}
NO_AGREEMENT = "no agreement"


@dataclass(frozen=True, slots=True)
class Picture:
    """The usual meaning of a player's calls together: all facts of their lines, and no more.

    Attributes:
        points: his high-card points, the one range or the other.
        suits: the ranges of his suits, and balance; the longest first.
        usual: those of `suits` that only usually hold.
    """

    points: tuple[BoundFact, ...] = ()
    suits: tuple[BoundFact, ...] = ()
    usual: frozenset[BoundFact] = frozenset()

    def text(self, style: TextStyle = PLAIN) -> str:
        """Return it in words: `16-21 HCP, 5+ spades, 4+ hearts`; empty if there are no facts."""
        points = " or ".join(fact_text(fact, style.suits) for fact in self.points)
        return ", ".join(filter(None, (points, *_suit_texts(self.suits, style, self.usual))))


@dataclass(frozen=True, slots=True)
class Brief:
    """A call in short.

    Attributes:
        call: the call.
        purpose: its purpose in a few words, the most important first.
        alternatives: its possible meanings, the most frequent first; empty where it has one.
        strength: how strong its maker is, as the main rule counts; None if nothing is known.
        beyond: remarks on hands beyond the ends of the strength that are not rare and are new.
        points: new facts about strength, the one or the other of which holds; may be empty.
        suits: new facts about suits and balance.
        lengths: the ranges of the four suits, C D H S, this call included.
        force: its demand on partner: `forcing`, `forcing to game`, `invitational`; or empty.
        force_word: the same as one of `none`, `round`, `game`, `invitational` and `signoff`.
        share: the share of the hands that make the call of which all this is true.
        covered: True if some rule of the system makes it.
        usual: those of `suits` that only usually hold.
        trumps: the suit that it agrees; empty if it agrees none.
        together: the usual picture of its maker's calls together, this call included.
        artificial: True if its denomination says nothing about that suit.
        others: the other kinds of hand that make it; the rest is about the most frequent kind.
    """

    call: Call
    purpose: tuple[str, ...]
    alternatives: tuple[str, ...]
    strength: Strength | None
    beyond: tuple[str, ...]
    points: tuple[BoundFact, ...]
    suits: tuple[BoundFact, ...]
    lengths: tuple[Interval, Interval, Interval, Interval]
    force: str
    force_word: str
    share: float
    covered: bool
    usual: frozenset[BoundFact] = frozenset()
    trumps: str = ""
    together: Picture = Picture()
    artificial: bool = False
    others: tuple[Brief, ...] = ()

    @property
    def all_lengths(self) -> tuple[Interval, ...]:
        """The ranges of the four suits, C D H S, that all kinds of hand are in."""
        return tuple(
            (min(low for low, _ in ranges), max(high for _, high in ranges))
            for ranges in zip(*(each.lengths for each in (self, *self.others)), strict=True)
        )

    @property
    def least(self) -> int | None:
        """The lower end of the strength of all kinds of hand; None for none."""
        strengths = [each.strength for each in (self, *self.others)]
        ends = [each.low for each in strengths if each is not None and each.low is not None]
        return min(ends) if len(ends) == len(strengths) else None

    @property
    def most(self) -> int | None:
        """The upper end of the strength of all kinds of hand; None for none."""
        strengths = [each.strength for each in (self, *self.others)]
        ends = [each.high for each in strengths if each is not None and each.high is not None]
        return max(ends) if len(ends) == len(strengths) else None

    def meaning(self, style: TextStyle = PLAIN) -> str:
        """Return the line without the call: `limit raise; 10-12, 3+ spades; invitational`."""
        return self._line(style, self._words())

    def summary(self, style: TextStyle = PLAIN) -> str:
        """Return the line without the alternatives that `listed` yields."""
        words = self.purpose or self.alternatives[:1]
        return self._line(style, words, beside=self.alternatives, with_others=False)

    def listed(self) -> Iterator[tuple[str, str]]:
        """Yield the alternatives that stand in lines of their own, each with its label."""
        if self.purpose:
            yield from (
                (f"{letter})", text) for letter, text in zip("abc", self.alternatives, strict=False)
            )
        else:
            yield from (("or", text) for text in self.alternatives[1:])
        yield from (("or", self._other(other, PLAIN)) for other in self.others)

    def _other(self, other: Brief, style: TextStyle, *, spelled: bool = False) -> str:
        """Return another kind of hand in words: `14+, any shape`; spelled out as in an alert."""
        single = other.alternatives if len(other.alternatives) == 1 else ()
        texts = (*other.purpose, *single)
        # The force stands behind all kinds, and their cards among the facts of this one: "or
        # inviting, five cards, 8" is a hand of 8 points with five spades.
        spoken = (*self._words(), *_FORCE_OF_TEXTS)
        words = [left for each in texts if (left := _beside(each, spoken))]
        words = [each for each in words if not _COUNTS_CARDS.fullmatch(each)]
        # A second kind of hand is an aside. Its short suits made "or to play in whatever comes, up
        # to 7, at most 3 hearts, at most 3 diamonds"; the long suit and the suit bid are enough.
        if words:  # they say enough of the short suits
            other = replace(other, suits=tuple(filter(other._is_telling, other.suits)))
        facts = other._spelled_facts(words) if spelled else other._facts(style, words)
        # The first kind of takeout double is short in their suit. The strong kind need not be, and
        # the reader has to see that.
        takes_out = self.call == Call.DOUBLE and self.force_word != "none"
        if takes_out and not other._unsaid(words):
            facts = [*facts, "any shape"]
        return ", ".join((*_without(words, facts), *facts)).removeprefix("or ")

    def _is_telling(self, fact: BoundFact) -> bool:
        """Return True for a fact about a long suit, or about the suit bid."""
        suit = self.call.denomination.name.lower() if self.call.is_bid else ""
        return fact.low is not None and (fact.low >= _LEAST_THEIRS or fact.about == suit)

    def _facts(self, style: TextStyle, words: Sequence[str]) -> list[str]:
        """Return strength and suits, as far as some words do not give them."""
        suits = _suit_texts(self._unsaid(words), style, self.usual)
        strength = [strength_text(each, before_suits=bool(suits)) for each in self._points(words)]
        beside = self._in_hcp(strength) or self._beyond(strength)
        return [*filter(None, [self._hedged(" or ".join(strength)) + beside]), *suits]

    def _line(
        self,
        style: TextStyle,
        words: Sequence[str],
        beside: Sequence[str] = (),
        *,
        with_others: bool = True,
    ) -> str:
        printed = (*words, *beside)
        facts = self._facts(style, printed)
        purpose = _without_ends(", ".join(_without(words, facts)), self._points(printed))
        force = "" if says_force(" ".join(printed), self.force) else self.force
        others = [f"or {self._other(each, style)}" for each in self.others if with_others]
        parts = (purpose, ", ".join(facts), *others, force)
        return "; ".join(filter(None, parts)) or self._nothing()

    def _words(self) -> tuple[str, ...]:
        return (*self.purpose, *filter(None, ["; or ".join(self.alternatives)]))

    def _points(self, words: Sequence[str]) -> Sequence[BoundFact]:
        """Return the new facts about strength that some words do not give."""
        return [fact for fact in self.points if not self._is_said(words, says_points, fact)]

    def _is_said(
        self, words: Sequence[str], says: Callable[[str, BoundFact], bool], fact: BoundFact
    ) -> bool:
        """Return True if words give a fact; of alternatives, all have to give it."""
        # Only what all alternatives say is certain. "strong club, or weak with diamonds" does not
        # say diamonds.
        either = [word for word in words if word in self._either()]
        others = " ".join(word for word in words if word not in either)
        return says(others, fact) or (
            bool(either) and all(says(text, fact) for text in self.alternatives)
        )

    def _either(self) -> tuple[str, ...]:
        """Return the alternatives of the call, one by one and together."""
        return (*self.alternatives, *filter(None, ["; or ".join(self.alternatives)]))

    def _unsaid(self, words: Sequence[str]) -> Sequence[BoundFact]:
        """Return the new facts about suits that some words do not give."""
        bid = self.call.denomination if self.call.is_bid and not self.artificial else None
        name = SUIT_WORDS[int(bid)] if bid is not None and bid.is_suit else ""
        says = partial(says_suit, trumps=self.trumps, bid=name)
        return [fact for fact in self.suits if not self._is_said(words, says, fact)]

    def _in_hcp(self, strength: Sequence[str]) -> str:
        """Return the high-card points beside points that count more, in brackets."""
        if not strength or self.strength is None or self.strength.unit != "distribution":
            return ""
        low, high = self.strength.hcp
        return f" ({strength_text(BoundFact('hcp', *telling_hcp((low, high))))} HCP)"

    def _hedged(self, strength: str) -> str:
        """Return the strength of a pass with "usually" where a few hands have more."""
        # Only a pass is hedged: of another call the hands beyond are in brackets, see `_beyond`.
        more = self.strength is not None and self.strength.above > _HARDLY_ANY
        return f"usually {strength}" if strength and more and self.call == Call.PASS else strength

    def _beyond(self, strength: Sequence[str]) -> str:
        """Return the remarks on hands beyond the ends of the strength, in brackets."""
        # Of a weak or strong hand the remark would stand beside either range.
        if len(strength) != 1 or not self.beyond:
            return ""
        return f" ({' or '.join(self.beyond)})"

    @property
    def is_empty(self) -> bool:
        """True for a pass that says nothing: its place in the auction says it all."""
        return self._is_bare_pass() and set(self.purpose) <= _EMPTY

    @property
    def is_last_word(self) -> bool:
        """True for a pass that says hardly anything if the auction ends with it."""
        silent = self._is_bare_pass() or self._is_silent_pass()
        return silent and not any(word in TRADE for word in self.purpose)

    def _is_silent_pass(self) -> bool:
        """Return True for a pass that excludes little more than an opening bid."""
        points = self.points if self.call == Call.PASS and self.covered and not self.suits else ()
        promises = self.strength is not None and self.strength.above <= _HARDLY_ANY
        return any(
            each.low is None and ((each.high or 0) >= _NO_OPENING or not promises)
            for each in points
        )

    def _is_bare_pass(self) -> bool:
        facts = self.suits or self.points
        return self.call == Call.PASS and self.covered and not facts

    def _nothing(self) -> str:
        """Return the text of a call that says nothing new."""
        if self.call == Call.PASS:
            return "nothing to add"
        return "artificial" if self.artificial else "natural"

    def line(self, style: TextStyle = PLAIN) -> str:
        """Return the line: `1NT: 15-17, balanced`."""
        return f"{style.call(self.call)}: {self.meaning(style)}"

    def alert(self, words: str = "") -> str:
        """Return a sentence that an opponent understands.

        Args:
            words: the purpose of the call in its author's words; empty without any.
        """
        printed = (words,) if words else self._words()
        facts = self._spelled_facts(printed)
        purpose = ", ".join(_without(printed, _suit_texts(self._unsaid(printed), PLAIN)))
        # Opener's 2D over Stayman was announced as "Natural: no four-card major". Of an artificial
        # call without a purpose the facts stand alone.
        if not purpose and not (self.artificial and facts):
            passed = "pass" if facts else "nothing to add"
            purpose = passed if self.call == Call.PASS else self._nothing()
        force = "" if says_force(" ".join(printed), self.force) else self.force
        force = "forcing for one round" if force == "forcing" else force
        text = ": ".join(filter(None, (purpose, listed(facts, "and") if facts else "")))
        kinds = (self._other(each, PLAIN, spelled=True) for each in self.others)
        others = "".join(f"; or {kind}" for kind in kinds)
        return f"{text[0].upper()}{text[1:]}{others}{'; ' if force else ''}{force}."

    def _spelled_facts(self, words: Sequence[str]) -> list[str]:
        """Return strength and suits in full words, as far as some words do not give them."""
        points = self._points(words)
        spelled = self._hedged(" or ".join(map(_spelled_strength, points)))
        strength = spelled + self._spelled_hcp(points)
        return [*filter(None, [strength]), *_spelled_suits(self._unsaid(words), self.usual)]

    def _spelled_hcp(self, points: Sequence[BoundFact]) -> str:
        text = self._in_hcp([strength_text(each) for each in points])
        return text.replace("-", " to ")


_PARTS = re.compile(r"[,:] ")
"""The signs between the parts of a text."""

_FORCE_OF_TEXTS = ("inviting", "invitational", "invitation")
"""Words of authors for a force alone."""

_COUNTS_CARDS = re.compile(rf"(?:{'|'.join(COUNTS)})(?: or more)? cards?")
"""Texts that count the cards of the suit bid, and say nothing else."""

_NUMBER = re.compile(r"[0-9]+")
_TENS = {"twenty": 20, "thirty": 30}
_NUMBERS = {
    word: number
    for number, word in enumerate(
        (
            *COUNTS[:13],
            *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
        )
    )
}


def _numbers_in(text: str) -> set[int]:
    """Return the numbers in a text, in digits or in words: `twenty-one`, `15 to 17`."""
    numbers = {int(each) for each in _NUMBER.findall(text)}
    for word in re.findall(r"[a-z]+(?:-[a-z]+)?", text.lower()):
        tens, _, rest = word.partition("-")
        if tens in _TENS:
            numbers.add(_TENS[tens] + _NUMBERS.get(rest, 0))
        elif word in _NUMBERS:
            numbers.add(_NUMBERS[word])
    return numbers


def says_points(text: str, fact: BoundFact) -> bool:
    """Return True if a text has the ends of a range of points."""
    # Numbers alone decide, in any order and unit: "a good 15 to 17" and "15-17" give the same ends.
    # A number of cards can be taken for points; a line then lacks a range that its neighbour has.
    ends = {end for end in (fact.low, fact.high) if end is not None}
    return ends <= _numbers_in(text)


def says_force(text: str, force: str) -> bool:
    """Return True if a text implies a force such as `forcing to game`."""
    words = _FORCED_BY_WORDS.get(force)
    return words is not None and re.search(words, text.lower()) is not None


def says_suit(text: str, fact: BoundFact, trumps: str = "", bid: str = "") -> bool:
    """Return True if a text implies a fact about a suit, or about balance.

    Args:
        text: the text.
        fact: the fact.
        trumps: the suit that is called support or trumps.
        bid: the suit bid: its cards need no name.
    """
    if fact.about == "balanced":
        return re.search(r"(?<!un)(?<!semi)balanced|\bflat\b", text.lower()) is not None
    if fact.low is None:
        return _says_most(text.lower(), fact)
    name = fact.about.removesuffix("s")
    if fact.about == trumps:
        name = f"(?:{name}|support|trump)"
    if fact.about == bid:
        name = f"(?:{name}|card)"
    for part in re.split(r"[,;:]", text.lower()):
        count = f"{fact.low}|{COUNTS[fact.low]}"
        # "four or five spades" gives no exact four: the range is looked for below.
        if re.search(rf"\b({count})(-card)?\b(?! or ).*\b{name}s?\b", part):
            return fact.high is None or fact.high == fact.low or COUNTS[fact.high] in part
        if fact.high is not None:
            most = f"{fact.high}|{COUNTS[fact.high]}"
            if re.search(rf"\b({count})(?: or | to |-)({most})\b.*\b{name}s?\b", part):
                return True
    return False


def _says_most(text: str, fact: BoundFact) -> bool:
    """Return True if a text implies a fact without a lower end: shortness in a suit."""
    name = fact.about.removesuffix("s")
    if fact.high == 1:
        return f"singleton or void in {fact.about}" in text
    if fact.high != _SHORT - 1:
        return False
    # "no four-card major" is about both suits, and names neither.
    majors = fact.about in _MAJORS and re.search(r"\bno (?:four-card )?major\b", text) is not None
    return majors or re.search(rf"\b(?:not|no) four {name}s\b", text) is not None


def _without_ends(text: str, points: Sequence[BoundFact]) -> str:
    """Return a text without an end of the strength that stands beside it: `16 or more`."""
    for fact in points:
        for end, way in (
            (fact.low, "{} or more"),
            (fact.high, "(?:at most|up to|no more than) {}"),
        ):
            if end is not None:
                text = re.sub(rf"[,:] {way.format(end)}(?: points)?(?=[,;:]|$)", "", text)
    return text


def unagreed_text(meaning: Meaning) -> str:
    """Return the remark on a call without an agreement (`Meaning.agreed`)."""
    if not meaning.known:
        return NO_AGREEMENT
    return "strength not discussed" if meaning.record.call.is_bid else "not discussed"


def _no_agreement(meaning: Meaning, purpose: Purpose) -> Purpose:
    """Return the purpose of a call without an agreement, with a remark that there is none."""
    statement = meaning.undiscussed
    if statement is None:
        alike = (*_NEEDS_NONE, *(_NEEDS_NO_STRENGTH if meaning.agreed else ()))
        if meaning.known and any(word.startswith(alike) for word in purpose.words):
            return purpose
        return Purpose((*purpose.words, unagreed_text(meaning)))
    return Purpose((f"{NO_AGREEMENT} ({statement.text})" if statement.text else NO_AGREEMENT,))


def brief_of(meanings: Sequence[Meaning]) -> Brief:
    """Return the last of some calls in short.

    Args:
        meanings: the meanings of the calls of an auction up to that call, from the first.

    Example:
        `brief_of(reading.meanings).line()` of `1NT` is `1NT: 15-17, balanced`.
    """
    whole = meanings[-1]
    if len(whole.kinds) < 2 or whole.headline is None:
        return _brief_of_kind(meanings)
    # A takeout double was described as "12+, usually at most 2 hearts", which is false of half the
    # hands: a weak shapely kind and a strong kind of any shape have a text each.
    first, *others = (_brief_of_kind((*meanings[:-1], kind)) for kind in whole.kinds)
    totals = [
        sum(rule.share for rule in whole.headline.rules if rule.place in places)
        for places in whole.headline.kinds
    ]
    share = sum(total * each.share for total, each in zip(totals, (first, *others), strict=True))
    return replace(first, others=tuple(others), share=share, together=picture_of(whole))


def _brief_of_kind(meanings: Sequence[Meaning]) -> Brief:
    """Return the last of some calls in short, as if its hands were of one kind."""
    meaning = meanings[-1]
    position = TablePosition(meanings[:-1], meaning.record.seat)
    purpose = purpose_of(meaning, position)
    # A pass needs no agreement: it says that no rule for another call fits.
    if meaning.undiscussed is not None or not (
        meaning.is_stated or meaning.record.call == Call.PASS
    ):
        purpose = _no_agreement(meaning, purpose)
    suits, rarely = _stated_suits(meaning)
    lengths = headline_bounds(meaning).lengths
    record = _record(meaning)
    if not meaning.is_stated and meaning.undiscussed is None:
        # A natural bid that no rule covers still shows its suit: partner has nothing else to go by.
        lengths = shown_by_place(meaning, position, lengths)
        suits = tuple(_suits(Bounds(lengths=lengths), Bounds(lengths=_before(meaning).lengths)))
    headline = meaning.headline
    strength = _strength_of(meaning)
    beyond = _beyond(meaning, strength)
    return Brief(
        meaning.record.call,
        purpose.words,
        purpose.alternatives,
        strength,
        beyond,
        _new_points(meaning, strength) if _tells_strength(meaning, purpose.words) else (),
        suits,
        lengths,
        "" if meaning.undiscussed else _force(record, purpose.words),
        "none" if meaning.undiscussed else _force_word(record, purpose.words),
        1.0 if headline is None else _share_said(headline),
        meaning.known,
        rarely,
        "" if record.agrees is None else SUIT_WORDS[record.agrees],
        picture_of(meaning),
        artificial=record.artificial,
    )


def _stated_suits(meaning: Meaning) -> tuple[tuple[BoundFact, ...], frozenset[BoundFact]]:
    """Return the new facts about suits and balance, and those of them that only usually hold.

    The author's claims come first, in place of computed facts about the same suits.
    """
    before = _before(meaning)
    theirs = meaning.theirs if meaning.record.call == Call.DOUBLE else ()
    shown = _suits(headline_bounds(meaning), before, theirs)
    suits = tuple(_without_elimination(meaning, shown))
    rarely = frozenset(fact for fact in suits if _is_usual(meaning, fact))
    if is_usually_balanced(meaning):
        balance = BoundFact("balanced", 1, 1)
        suits, rarely = (*suits, balance), rarely | {balance}
    # "balanced, 2-5 clubs" repeats itself: a balanced hand has two to five cards in most suits.
    if any(fact.about == "balanced" and fact.low for fact in suits):
        suits = tuple(fact for fact in suits if not _goes_with_balance(fact))
    suits = tuple(fact for fact in suits if not _is_left_over(meaning, fact))
    suits = tuple(_without_rest(meaning, suits))
    # Support for each unbid suit goes without saying beside "takeout, at most 2 hearts".
    if len(meaning.theirs) == 1 and _takes_out(meaning, suits):
        suits = tuple(fact for fact in suits if fact.low != _LEAST_PROMISED)
    # The author wrote `usually`: the narrower facts hold of the hands that bid it, and are no
    # promise.
    if any(instance.wide is not None for instance in meaning.instances):
        rarely |= {*suits} - {*_suits(meaning.possible, before)}
    # "no ace, or all four; usually 4+ clubs" of five clubs was read as clubs.
    if meaning.record.artificial and meaning.record.answers is not None:
        suits = tuple(fact for fact in suits if fact not in rarely)
    claims = [each for each in common_claims(meaning) if each.about in (*SUIT_WORDS, "balanced")]
    subjects = {each.about for each in claims}
    if meaning.record.call == Call.PASS:  # a few cards more say little of a player who is silent
        earlier = () if meaning.previous is None else picture_of(meaning.previous).suits
        suits = tuple(
            fact
            for fact in suits
            if (fact.low is None or fact not in rarely) and not _is_said_by(earlier, fact)
        )
    return (*claims, *(each for each in suits if each.about not in subjects)), rarely


def _is_said_by(said: Iterable[BoundFact], fact: BoundFact) -> bool:
    """Return True if a fact about a suit follows from one of others."""
    return any(
        each.about == fact.about
        and (fact.low is None or (each.low or 0) >= fact.low)
        and (fact.high is None or (each.high is not None and each.high <= fact.high))
        for each in said
    )


def _takes_out(meaning: Meaning, suits: Sequence[BoundFact]) -> bool:
    """Return True for a double on few cards of their suit: it supports the others."""
    names = [SUIT_WORDS[suit] for suit in meaning.theirs]
    is_double = meaning.record.call == Call.DOUBLE and meaning.record.forcing is not Forcing.NO
    return is_double and any(fact.about in names and fact.low is None for fact in suits)


def _without_rest(meaning: Meaning, suits: Sequence[BoundFact]) -> Iterator[BoundFact]:
    """Yield facts about suits without three cards each in the others than a short one."""
    rest = [fact for fact in suits if fact.low == _LEAST_PROMISED and _goes_with_balance(fact)]
    short = [fact for fact in suits if fact.low is None and (fact.high or 0) <= _MOST_SHORT]
    bid = meaning.record.natural_suit
    name = "" if bid is None else SUIT_WORDS[bid]
    # A balanced hand without three hearts has three cards or more elsewhere: nobody says so.
    is_known = len(rest) > 1 and len(short) == 1 and _before(meaning).balanced
    yield from (fact for fact in suits if not (is_known and fact in rest and fact.about != name))


def _goes_with_balance(fact: BoundFact) -> bool:
    """Return True if a fact about a suit follows, but for a card, from a balanced hand."""
    is_low = fact.low is not None and fact.low < _SHORT
    return is_low and (fact.high is None or fact.high >= _SHORT)


def _is_left_over(meaning: Meaning, fact: BoundFact) -> bool:
    """Return True if a fact is length in the opponents' suit beside the point of the call."""
    if fact.about not in SUIT_WORDS or fact.low is None or meaning.record.call == Call.PASS:
        return False
    suit = SUIT_WORDS.index(fact.about)
    if suit not in meaning.theirs or _bids(meaning, suit) or meaning.headline is None:
        return False
    # A double that is not forcing is for penalties: length in their suit is its point.
    if meaning.record.call == Call.DOUBLE and meaning.record.forcing is Forcing.NO:
        return False
    return fact.low < _LEAST_THEIRS


def picture_of(meaning: Meaning) -> Picture:
    """Return the usual picture of a player's calls up to one of them, together."""
    by_subject: dict[str, BoundFact] = {}
    usual: set[str] = set()
    points: tuple[BoundFact, ...] = ()
    for earlier in _calls_up_to(meaning):
        if earlier.is_reckoned:
            for fact in _suits(headline_bounds(earlier), _before(earlier)):
                by_subject[fact.about] = _joined(by_subject.get(fact.about, fact), fact)
        if not earlier.is_stated or earlier.undiscussed is not None:
            continue
        strength = _strength_of(earlier)
        # An early pass leaves a player at "up to 11" for good, while his later calls tell more.
        if strength is not None and (earlier is meaning or earlier.record.call != Call.PASS):
            points = _high_cards(earlier, strength)
        suits, rarely = _stated_suits(earlier)
        for fact in suits:
            is_double = earlier is not meaning and earlier.record.call == Call.DOUBLE
            if is_double and fact in rarely:
                continue  # a doubler who bids again is strong, and may have any shape
            by_subject[fact.about] = _joined(by_subject.get(fact.about, fact), fact)
            (usual.add if fact in rarely else usual.discard)(fact.about)
    suits = tuple(sorted(by_subject.values(), key=_order))
    return Picture(points, suits, frozenset(fact for fact in suits if fact.about in usual))


def _calls_up_to(meaning: Meaning) -> Sequence[Meaning]:
    """Return the calls of a player up to one of them, the first one first."""
    calls = [meaning]
    while (previous := calls[-1].previous) is not None:
        calls.append(previous)
    return calls[::-1]


def _high_cards(meaning: Meaning, strength: Strength) -> tuple[BoundFact, ...]:
    """Return the high-card points of a strength, the one range or the other."""
    if strength.unit != "HCP":
        ranges: tuple[Interval, ...] = (strength.hcp,)
    elif (
        meaning.headline is not None
        and len(both := _apart(meaning, meaning.headline.bounds.hcp)) > 1
    ):
        ranges = both
    else:
        low = strength.low if (strength.low or 0) >= _LEAST_HCP else None
        return () if low is strength.high is None else (BoundFact("hcp", low, strength.high),)
    ends = map(telling_hcp, ranges)
    return tuple(BoundFact("hcp", *each) for each in ends if each != (None, None))


def _joined(old: BoundFact, new: BoundFact) -> BoundFact:
    """Return the conjunction of two facts about a suit; the newer if they exclude each other."""
    low = max((end for end in (old.low, new.low) if end is not None), default=None)
    high = min((end for end in (old.high, new.high) if end is not None), default=None)
    # Lines round to what is usual, so that two of them may exclude each other where the exact
    # bounds do not. The later call knows more.
    if low is not None and high is not None and low > high:
        return new
    return BoundFact(new.about, low, high)


def _order(fact: BoundFact) -> tuple[bool, int]:
    """Order suits from the longest to the shortest; balance comes last."""
    return fact.about == "balanced", -(fact.low or 0)


def _record(meaning: Meaning) -> CallRecord:
    """Return the public actions of a call by the rules that nearly all hands use for it."""
    headline = meaning.headline
    if headline is None or not headline.instances:
        return meaning.record
    # The record of the meaning covers rare rules too, and is the weakest of them: a splinter that
    # one general rule may also bid would lose its force.
    record = record_of(meaning.record.seat, meaning.record.call, headline.instances)
    return replace(record, invitational=True) if _mostly_invites(headline, record) else record


def _mostly_invites(headline: Headline, record: CallRecord) -> bool:
    """Return True for a call that invites by its main rules, but for some that do not say so."""
    if record.forcing is not Forcing.NO or record.signoff or record.artificial:
        return False
    main = headline.rules[: headline.main]
    rules = [each.instance.rule for each in main]
    # A rule for hands without a better call leaves the force out: partner takes it as he takes the
    # others.
    if any(each.signoff or each.forcing is not Forcing.NO for each in rules):
        return False
    inviting = sum(each.share for each in main if each.instance.rule.invitational)
    return inviting >= _MOSTLY_INVITES * sum(each.share for each in main)


def headline_bounds(meaning: Meaning) -> Bounds:
    """Return the bounds of the headline; without one, the bounds that are believed.

    The lengths of suits are those that nearly all hands have. Where calls not made and catch-alls
    add more than a ceiling to what the player's calls promise, they add nothing, but for the suit
    that he bids.
    """
    return claimed_bounds(meaning, _computed_bounds(meaning))


def _computed_bounds(meaning: Meaning) -> Bounds:
    """Return the same bounds without regard to the author's claims."""
    headline = meaning.headline
    if meaning.reckoned is not None:
        return _with_suit_bid(meaning, meaning.reckoned)
    if _is_mere_silence(meaning):
        return _before(meaning)
    if headline is None:
        return believed_bounds(meaning)
    shown = replace(headline.bounds, lengths=_widened(meaning, headline))
    # Lengths only: the ceiling is on shapes by elimination. Strength has a limit of its own, see
    # `_is_reckoned`.
    information = bits(Bounds(lengths=shown.lengths))
    if information <= _MOST_BY_DENIALS:
        return shown
    promised = _promised(meaning)
    if information - bits(Bounds(lengths=promised.lengths)) <= _MOST_BY_DENIALS:
        return shown
    before = _before(meaning).lengths
    lengths = []
    for suit, (firm, ends) in enumerate(zip(promised.lengths, shown.lengths, strict=True)):
        # The suit bid keeps what is computed: a rule that bids the longest suit says so by
        # elimination.
        if not _bids(meaning, suit):
            low, high = before[suit]
            denied = not meaning.has_bid_before and SUIT_WORDS[suit] in _MAJORS
            # A first bid may deny a major, that of a passed hand too: that upper end stays.
            ends = (low, ends[1] if denied else high)
        lengths.append(_within(firm, ends))
    clubs, diamonds, hearts, spades = lengths
    return replace(shown, lengths=(clubs, diamonds, hearts, spades), balanced=promised.balanced)


def _with_suit_bid(meaning: Meaning, reckoned: Headline) -> Bounds:
    """Return the bounds stated before a call, with the cards that a natural bid of a suit shows.

    A new suit has four cards, a suit that is repeated one more than before: general rules ask for
    more, but only so that the call is sensible.
    """
    before, suit = _before(meaning), meaning.record.natural_suit
    if suit is None:
        return before
    lengths = list(before.lengths)
    low, high = lengths[suit]
    asked = reckoned.lengths[suit][0]
    lengths[suit] = (min(high, max(low, min(asked, max(low + 1, _SHORT)))), high)
    clubs, diamonds, hearts, spades = lengths
    return replace(before, lengths=(clubs, diamonds, hearts, spades))


def _is_mere_silence(meaning: Meaning) -> bool:
    """Return True for a later pass that says much, but only by the calls it is not."""
    headline = meaning.headline
    if meaning.record.call != Call.PASS or not meaning.has_bid or headline is None:
        return False
    by_seat = {each.record.seat: each.record.call for each in meaning.others}
    around = (meaning.seat.rho, meaning.seat.partner, meaning.seat.lho)
    acted = next((seat for seat in around if by_seat.get(seat, Call.PASS) != Call.PASS), None)
    if acted is None or acted == meaning.seat.partner:
        return False
    hcp = ANYTHING.hcp if headline.strength is None else headline.strength.hcp
    clubs, diamonds, hearts, spades = headline.lengths
    shown = Bounds(hcp=hcp, lengths=(clubs, diamonds, hearts, spades))
    return bits(shown) - bits(_promised(meaning)) > _MOST_OF_SILENCE


def _widened(meaning: Meaning, headline: Headline) -> Lengths:
    """Return the lengths of suits; the suit bid is not exact if only calls not made say so."""
    lengths = list(headline.lengths)
    suit = meaning.record.natural_suit
    low, high = ANYTHING.lengths[0] if suit is None else lengths[suit]
    if suit is not None and suit != meaning.record.agrees and _SHORT <= low == high:
        lengths[suit] = (low, max(high, _promised(meaning).lengths[suit][1]))
    clubs, diamonds, hearts, spades = lengths
    return clubs, diamonds, hearts, spades


def _within(one: Interval, other: Interval) -> Interval:
    """Return the intersection of two ranges; the first of them if it is empty."""
    low, high = max(one[0], other[0]), min(one[1], other[1])
    return (low, high) if low <= high else one


def _bids(meaning: Meaning, suit: int) -> bool:
    """Return True if a call is a natural bid of a suit, 0..3."""
    return meaning.record.natural_suit == suit


def _promised(meaning: Meaning) -> Bounds:
    """Return the bounds that a player's headlines promise, without denials and catch-alls."""
    headline = meaning.headline
    assert headline is not None, "promises are asked of calls that have a headline"
    return meaning.engine.bounds(tuple(map(_bare, headline.turns))) or headline.bounds


def _bare(turn: Turn) -> Turn:
    """Return a call as evidence for its promises alone; for none if only catch-alls make it."""
    rules = [step.instance.rule for step in turn.steps if step.fits and step.instance]
    # General rules state a sensible call, and promise nothing that partner may count on.
    if rules and all(rule.is_catch_all for rule in rules):
        return turn.unbelieved()
    return turn.without_denials()


def _without_elimination(meaning: Meaning, suits: Iterable[BoundFact]) -> Iterator[BoundFact]:
    """Yield facts about suits without those that only calls not made leave over.

    Length is stated in the suit that the player bids, and where a rule promises it.
    """
    is_double = meaning.record.call == Call.DOUBLE
    promised: Bounds | None = None
    for fact in suits:
        place = SUIT_WORDS.index(fact.about) if fact.about in SUIT_WORDS else None
        if meaning.headline is None or place is None or fact.low is None:
            yield fact
            continue
        is_bid = _bids(meaning, place)
        is_new = fact.low >= _SHORT and meaning.record.agrees != place and not is_double
        is_exact = is_new and fact.low == fact.high
        if is_bid and not is_exact:
            yield fact
            continue
        promised = promised or _promised(meaning)
        low, high = promised.lengths[place]
        # The lower end is a promise, or near one. Else only a short upper end is kept: that a suit
        # is short follows from calls not made as often as from a rule, and players do draw it.
        if is_bid or low >= min(fact.low, _LEAST_PROMISED):
            # No more than so many only because of calls not made: that is nobody's promise.
            yield replace(fact, high=None) if is_exact and fact.low < high else fact
        elif fact.high is not None and fact.high <= _most(fact.about):
            yield replace(fact, low=None)


def _is_usual(meaning: Meaning, fact: BoundFact) -> bool:
    """Return True if a fact about a suit is false for a few of the hands that make a call."""
    if meaning.headline is None or fact.about not in SUIT_WORDS:
        return False
    # The exact bounds of the headline's rules are wider than its lengths exactly where a few hands
    # lie beyond these.
    low, high = meaning.headline.bounds.lengths[SUIT_WORDS.index(fact.about)]
    too_short = fact.low is not None and fact.low > low
    return too_short or (fact.high is not None and fact.high < high)


def is_usually_balanced(meaning: Meaning) -> bool:
    """Return True if most hands that bid notrump naturally are balanced, though not all."""
    call, headline = meaning.record.call, meaning.headline
    if headline is None or not call.is_bid or call.denomination is not Denomination.NOTRUMP:
        return False
    is_stated = headline.bounds.balanced is not None or meaning.record.artificial
    return not is_stated and headline.balanced >= _MOSTLY and meaning.before.balanced is None


def believed_bounds(meaning: Meaning) -> Bounds:
    """Return the usual bounds, or the possible ones where the usual are not believed."""
    return meaning.bounds if _is_believed(meaning) else meaning.possible


def _is_believed(meaning: Meaning) -> bool:
    """Return True if the usual reading is believed: it contradicts nothing, and was agreed."""
    return meaning.is_stated and not meaning.relaxed


def _before(meaning: Meaning) -> Bounds:
    """Return the bounds of a player's hand before his call, as they were stated."""
    previous = meaning.previous
    if previous is None:
        return ANYTHING
    believed = _is_believed(meaning) or meaning.is_reckoned
    return headline_bounds(previous) if believed else previous.possible


def _force(record: CallRecord, purpose: Sequence[str]) -> str:
    if (word := _force_by_purpose(purpose)) is not None:
        return word
    if record.forcing_words:
        return record.forcing_words
    if record.invitational:
        return "invitational"
    return "to play" if record.signoff and not any("to play" in w for w in purpose) else ""


def _force_by_purpose(purpose: Sequence[str]) -> str | None:
    """Return the force that a purpose implies: empty for none; None where it implies nothing."""
    if any(word.startswith("quantitative") for word in purpose):
        return "invitational"
    return "" if any(word.startswith("lead-directing") for word in purpose) else None


def _force_word(record: CallRecord, purpose: Sequence[str]) -> str:
    if (word := _force_by_purpose(purpose)) is not None:
        return word or "none"
    if record.forcing is Forcing.GAME:
        return "game"
    if record.forcing is not Forcing.NO:
        return "round"
    if record.invitational:
        return "invitational"
    return "signoff" if record.signoff else "none"


# ------------------------------------------------------------------------- facts


def _strength_of(meaning: Meaning) -> Strength | None:
    """Return the strength of a call's maker, with ends shown before; None if there is none."""
    if _is_mere_silence(meaning):
        return None if meaning.previous is None else _strength_of(meaning.previous)
    if meaning.headline is not None and meaning.headline.strength is not None:
        if _is_reckoned(meaning, meaning.headline.strength):
            return None
        strength = _without_old_end(meaning, meaning.headline.strength)
        claimed = strength_claimed(meaning, strength)
        if claimed is not strength:
            return claimed
        # Nobody plays a call of exactly 15 points: one number is left over by other calls, and is
        # given the latitude of their ends. Read to the letter, 16 of 27 such claims were true of
        # strangers.
        if strength.unit == "HCP" and strength.low == strength.high:
            strength = _with_judgement(meaning, strength)
        return _as_promised(meaning, strength)
    if meaning.is_reckoned:
        return None if meaning.previous is None else _strength_of(meaning.previous)
    hcp = believed_bounds(meaning).hcp
    low, high = telling_hcp(hcp, passed=meaning.record.call == Call.PASS)
    return None if low is high is None else Strength("HCP", low, high, hcp)


def _as_promised(meaning: Meaning, strength: Strength) -> Strength:
    """Return the strength of a first bid by its rules' own range, where others leave two points.

    A weak jump of 3 to 12 points of which a raise takes all but the 3 is no bid of 3 points: who
    jumps has preferred it.
    """
    low, high = strength.low or 0, strength.high
    is_first = not meaning.has_bid_before and meaning.record.call.is_bid
    if not is_first or strength.unit != "HCP" or high is None or high - low > _SMALL:
        return strength
    promised = _promised_points(meaning)
    if promised[1] - promised[0] <= _SMALL or not low <= promised[1] <= _LIMITED:
        return strength
    least, most = promised
    return replace(strength, low=least, high=most, hcp=promised, below=0.0, above=0.0)


def _promised_points(meaning: Meaning) -> Interval:
    """Return the high-card points that the main rules of a call promise, denials apart."""
    headline = meaning.headline
    assert headline is not None, "promises are those of a headline's rules"
    assert meaning.turn is not None, "a call that has a headline has rules"
    main = meaning.turn.made_by({rule.place for rule in headline.rules[: headline.main]})
    promise = meaning.engine.bounds((main.promises(),))
    return ANYTHING.hcp if promise is None else promise.hcp


def _with_judgement(meaning: Meaning, strength: Strength) -> Strength:
    """Return the strength of a call that shows a single number of points, with what may differ."""
    promised = _promised_points(meaning)
    # A range of a few points that the rule states itself stands; otherwise latitude decides.
    is_stated = promised[1] - promised[0] <= _NARROW
    low, high = telling_hcp(promised if is_stated else meaning.possible.hcp)
    if low is None or high is None:
        return strength
    earlier = None if meaning.previous is None else _strength_of(meaning.previous)
    # Of 20 to 21 points 21 are the maximum: latitude that he excluded before comes not back.
    if earlier is not None and earlier.unit == strength.unit and earlier.high is not None:
        least, most = earlier.low or 0, earlier.high
        if most - least <= _NARROW and least <= (strength.low or 0) <= most:
            low, high = max(low, least), min(high, most)
    return replace(strength, low=low, high=high, below=0.0, above=0.0)


def _beyond(meaning: Meaning, strength: Strength | None) -> tuple[str, ...]:
    """Return remarks on hands beyond the ends of a strength: `10-11 with shape`."""
    if strength is None or meaning.record.call == Call.PASS:
        return ()
    earlier = None if meaning.previous is None else _strength_of(meaning.previous)
    # The reader has seen the remark once: only a large share earns a second one.
    is_old = earlier is not None and earlier.low == strength.low and earlier.below >= _SOMETIMES
    texts = []
    if (strength.low or 0) < _LEAST_HCP:
        strength = replace(strength, low=None)  # it is not said
    if strength.low is not None and strength.below >= (_OFTEN if is_old else _SOMETIMES):
        least = strength.least
        points = "fewer"
        if least >= _LEAST_HCP:
            points = strength_text(BoundFact("hcp", least, strength.low - 1))
        texts.append(f"{points} with shape" if strength.shapely else f"sometimes {points}")
    if strength.high is not None and strength.above >= _SOMETIMES:
        texts.append(f"sometimes {strength_range(None, strength.most)}")
    return tuple(texts)


def _share_said(headline: Headline) -> float:
    """Return the share of hands within the sentence of a call.

    Hands beyond an end of strength that a remark mentions, now or before, are among them.
    """
    strength = headline.strength
    share = sum(each.share for each in headline.rules[: headline.main])
    if strength is None:
        return min(1.0, share)
    beyond = (end for end in (strength.below, strength.above) if end < _SOMETIMES)
    # Floating-point shares of the main rules may add up to a little more than one.
    return min(1.0, (1.0 - sum(beyond)) * share)


def _is_reckoned(meaning: Meaning, strength: Strength) -> bool:
    """Return True if strength only follows from the least that partner has shown.

    General rules ask for it, so that the call is sensible: nobody promises it.
    """
    headline = meaning.headline
    # Partner's 13 and the 25 that game needs make 12: arithmetic of a general rule, and nobody's
    # agreement.
    if headline is None or not all(each.rule.is_catch_all for each in headline.instances):
        return False
    # A slam that general rules bid is a judgement of both hands together.
    if meaning.record.call.is_bid and meaning.record.call.level >= _SLAM:
        return True
    earlier = meaning.previous
    while earlier is not None and (shown := _strength_of(earlier)) is None:
        earlier = earlier.previous
    low = 0 if earlier is None or shown is None else shown.low or 0
    return (strength.low or 0) - low > _MOST_RECKONED


def _without_old_end(meaning: Meaning, strength: Strength) -> Strength:
    """Return the strength without an upper end that is old, where the lower one is new."""
    earlier = None if meaning.previous is None else meaning.previous.headline
    if earlier is None or earlier.strength is None or strength.high is None:
        return strength
    old = earlier.strength
    if old.unit != strength.unit or old.high is None or strength.high < old.high:
        return strength
    # A hand limited to 15-17 stays so, and its partner wants to see the limit again beside a new
    # lower end; "up to 21" of an opening is left out.
    if old.high <= _LIMITED:
        return replace(strength, high=max(old.high, strength.low or 0))
    is_new = (strength.low or 0) > (old.low or 0) and strength.high - (strength.low or 0) > _SMALL
    return replace(strength, high=None) if is_new else strength


def _tells_strength(meaning: Meaning, purpose: Sequence[str]) -> bool:
    """Return True if the strength of a call is shown.

    It is not where nothing was agreed. The first pass is described by its strength; a later one
    only where it leaves much less than was shown.
    """
    if meaning.record.call != Call.PASS:
        return meaning.is_stated
    # A player who has described his hand and passes partner's bid adds nothing about points.
    if any("leaves partner in" in word for word in purpose) and meaning.has_bid:
        return False
    if meaning.previous is None or any("invitation" in word for word in purpose):
        return True
    strength, earlier = _strength_of(meaning), _strength_of(meaning.previous)
    if strength is None or strength.high is None:
        return False
    old = None if earlier is None else earlier.high
    return strength.high <= _LIMITED if old is None else old - strength.high >= _MUCH_LESS


def _new_points(meaning: Meaning, strength: Strength | None) -> tuple[BoundFact, ...]:
    """Return the new facts about strength; two of them if the hand is weak or strong."""
    if strength is None:
        return ()
    earlier = None if meaning.previous is None else _strength_of(meaning.previous)
    if earlier is not None:
        if (strength.low, strength.high, strength.unit) == (
            earlier.low,
            earlier.high,
            earlier.unit,
        ):
            return ()
        # The same hands counted in another unit are no news.
        if strength.unit != "HCP" and strength.hcp == earlier.hcp:
            return ()
        if earlier.unit != "HCP" and (strength.low, strength.high) == earlier.hcp:
            return ()
    about = {"HCP": "hcp"}.get(strength.unit, strength.unit)
    passed = meaning.record.call == Call.PASS
    if about == "hcp" and meaning.headline is not None:
        apart = _apart(meaning, meaning.headline.bounds.hcp)
        # Michaels read "5+ HCP" while it is 5-11 or 16+: one range around two hides both ends.
        if len(apart) > 1 and not any(each.about == "hcp" for each in common_claims(meaning)):
            return tuple(BoundFact("hcp", *telling_hcp(each, passed=passed)) for each in apart)
    low = strength.low if (strength.low or 0) >= _LEAST_HCP else None
    if (low, strength.high) == (None, None):
        return ()
    return (BoundFact(about, low, strength.high),)


def _apart(meaning: Meaning, hcp: Interval) -> tuple[Interval, ...]:
    """Return the two ranges of high-card points that are weak or strong; else the whole range."""
    low, high = hcp
    if meaning.headline is None:
        return (hcp,)
    rules = meaning.headline.instances
    values = [v for v in range(low, high + 1) if any(map(partial(_allows, v), rules))]
    steps = [place for place in range(1, len(values)) if values[place] > values[place - 1] + 1]
    # Exactly one gap that reaches both ends: with two gaps the three ranges are an accident of
    # several rules, and no player plays them.
    if len(steps) != 1 or values[0] != low or values[-1] != high:
        return (hcp,)
    weak, strong = (low, values[steps[0] - 1]), (values[steps[0]], high)
    is_apart = telling_hcp(weak)[1] is not None and strong[0] - weak[1] > _NARROW
    return (weak, strong) if is_apart else (hcp,)


def _allows(value: int, instance: Instance) -> bool:
    """Return True if the clauses of a rule about high-card points alone allow a number of them."""
    clauses = (each for each in instance.formula if all(one.terms == _HCP for one in each))
    return all(any((value >= one.at_least) == one.positive for one in each) for each in clauses)


def telling_hcp(hcp: Interval, *, passed: bool = False) -> tuple[int | None, int | None]:
    """Return the ends of a range of points that tell a reader something; None for the others."""
    low, high = hcp
    most = _MOST_OF_PASS if passed else _MOST_OF_ALL if low < _MIDDLING else _MOST_OF_STRONG
    return (
        low if low >= _LEAST_HCP else None,
        # 22-24 is above every limit, but a range this narrow is an agreement of its own.
        high if high <= most or high - low <= _NARROW else None,
    )


def _suits(shown: Bounds, before: Bounds, theirs: Collection[int] = ()) -> Iterator[BoundFact]:
    """Yield the new facts about suits and balance that have room in a line.

    Args:
        shown: the bounds shown.
        before: the bounds shown before.
        theirs: the suits of the opponents, 0..3, in which shortness is printed.
    """
    shown_before = set(facts_of(before))
    facts = [fact for fact in facts_of(shown) if fact not in shown_before]
    suits = [fact for each in facts if (fact := _suit(each, before, theirs)) is not None]
    yield from suits
    balance = [fact for fact in facts if fact.about == "balanced"]
    # Only "balanced" has room in a line: an unbalanced hand is shown by its long suit.
    yield from (fact for fact in balance if fact.low)


def _suit(fact: BoundFact, before: Bounds, theirs: Collection[int]) -> BoundFact | None:
    """Return the new part of a fact about a suit; None if there is none."""
    if fact.about not in SUIT_WORDS:
        return None
    suit = SUIT_WORDS.index(fact.about)
    low, high = before.lengths[suit]
    # Two cards are less than the average of a suit; an exact doubleton or singleton is a fact.
    if fact.low is not None and fact.low > max(low, 1 if fact.low == fact.high else 2):
        # "5-8 spades" is computed from thirteen cards: players say "5+".
        if fact.high is not None and fact.low < fact.high and fact.high > _SHORT:
            return replace(fact, high=None)
        return fact
    fact = replace(fact, low=None)
    most = _MOST_SHORT if suit in theirs else _most(fact.about)
    if fact.high is not None and fact.high < high and fact.high <= most:
        return fact
    return None


def _most(suit: str) -> int:
    """Return the largest upper end of a suit's length that is printed."""
    # Without four cards in a major is half of what responses say; a minor is mentioned when short.
    return 3 if suit in _MAJORS else 1


_UNITS = {"points": " points", "distribution": " with distribution"}
"""The words behind points that are not high-card points alone."""


def strength_text(fact: BoundFact, *, before_suits: bool = False) -> str:
    """Return points as players write them: `15-17`, `8+`, `up to 11`, `12+ points`.

    Args:
        fact: the points.
        before_suits: whether a suit follows: then an open range has its unit, `8+ HCP, 5+ spades`.
    """
    unit = _UNITS.get(fact.about, "")
    if fact.high is None and before_suits:
        unit = unit or " HCP"
    return strength_range(fact.low, fact.high) + unit


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
    # Two facts that teachers give as one.
    if len(short) == len(_MAJORS):
        yield None
    yield from (fact for fact in facts if len(short) < len(_MAJORS) or fact not in short)


def _spelled_strength(fact: BoundFact) -> str:
    unit = {"hcp": "HCP", "points": "points with length"}.get(
        fact.about, "points with distribution"
    )
    low, high = (None if end is None else str(end) for end in (fact.low, fact.high))
    return f"{spelled_range(low, high)} {unit}"


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
    if fact.low is None and fact.high == 1:
        suit = suit.removesuffix("s")
    low, high = (None if end is None else COUNTS[end] for end in (fact.low, fact.high))
    return f"{spelled_range(low, high)} {suit}"


def _beside(word: str, said: Sequence[str]) -> str:
    """Return the new parts of a text: `strong` of `takeout, strong` after `takeout`."""
    # By whole parts: "takeout" is old after "takeout, short hearts", "take" is not.
    heads = {part.lower() for text in said for part in _PARTS.split(text)}
    return ", ".join(part for part in _PARTS.split(word) if part.lower() not in heads)


def _without(words: Sequence[str], facts: Sequence[str]) -> Iterator[str]:
    """Yield words that facts do not repeat: neither a whole fact, nor the bare name of a suit."""
    for word in words:
        name = word.lower()
        # Authors write "hearts" as the text of a rule, and the facts say "5+ hearts" beside it.
        if word not in facts and not (name in SUIT_WORDS and any(name in each for each in facts)):
            yield word


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
    for place, brief in enumerate(briefs):
        if auction.is_over and all(other.is_last_word for other in briefs[place:]):
            lines.append("   all pass")
            break
        title = style.strong(style.call(brief.call))
        text = "" if brief.is_empty else f": {brief.meaning(style)}"
        lines.append(f"{auction.seat_of(place)}  {title}{text}")
    return style.painted("\n".join(lines))
