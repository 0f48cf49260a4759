"""The headline of a call: what nearly all hands show that make it.

A call may be made by many rules, and most of them are corners: Jacoby on three good trumps, a two
club opening on a long suit. What the call shows exactly is wide enough for all of them, which is
what a player must know who judges it, and not what a teacher says. The headline is of the *main*
rules: the fewest that make the call for nearly all hands of the position. A hand belongs to the
first rule that it fits.

Where the main rules are of two kinds of hand, they are kept apart: a takeout double is made short
in their suit, or on a strong hand of any shape. What both have in common is true of all hands and
says little.

Its suits are exact bounds of the hands of the main rules. Its strength is counted as the most
frequent of them counts: in high-card points, in points with length, or with distribution; its ends
are those that the author states, where nearly all hands keep to them, and else those of the hands.

Shapes: `H` hands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Denomination
from bidwright.inference.engine.hand_engine import HandEngine
from bidwright.inference.engine.information import joint_likelihood
from bidwright.inference.engine.statements import Turn
from bidwright.inference.engine.weighed_hands import Makers
from bidwright.kb.logic.bounds import ANYTHING, Bounds, Interval
from bidwright.kb.logic.features import FEATURES, HCP, INDEX, LENGTHS, POINTS
from bidwright.kb.logic.formula import Clause, Formula, Literal
from bidwright.kb.logic.public_state import Forcing
from bidwright.kb.rules.decision_list import Instance

NEARLY_ALL = 0.9
"""The share of the hands that the main rules make the call for, at least."""

_FREQUENT = 0.08
"""A rule that makes the call for as large a share of the hands is a main rule in any case."""

_FREQUENT_OPENING = 0.02
"""The same of openings of one of a suit: opponents count on the shortest suits, too."""

_STATED = 0.7
"""The least share of a rule's hands within an end that one of its alternatives states."""

_BEYOND = 0.05
"""The largest share of hands beyond an end of strength that the author does not state."""

_RARE = 0.1
"""The share of the hands that may be shorter in a suit than is said: that is said beside it."""

_RARE_IN_SUIT_BID = 0.15
"""The same of the suit that is bid."""

_RARELY_DENIED = 0.08
"""The share of the hands that may have four cards of a major that is said to be denied."""

_FOUR = 4
"""The shortest length of a suit that is stated of nearly all hands."""

_HEARTS = 2
"""The lower major."""

_DENYING = frozenset({Denomination.CLUBS, Denomination.DIAMONDS, Denomination.NOTRUMP})
"""The denominations that first bids without a major to show are in."""

_LIMITED = 12
"""The most points of a player limited to less than an opening bid."""

_LEAST, _MOST = 5, 21
"""The ends of high-card points that nobody states are said above the one and up to the other."""

_NARROW = 6
"""A range of high-card points as narrow as this is said however high it is."""

_MOST_SHORT = 2
"""The most cards of a short suit."""

_TWO_SUITS, _SUPPORT = 2, 3
"""The suits that two opponents have shown; the cards that support an unbid one."""

_FIRST_KIND = 0.4
"""The share of the hands that are of the first of two kinds, at least."""

_FIRST_KIND_OF_DOUBLES = 0.12
"""The same of hands that are short in a suit of theirs: such a double is named after them."""

_APART = 0.9
"""The share of the hands of a rule that are beyond the strength of the others, if it is another
kind."""

_FAR_APART = 0.05
"""The share of the hands that are of the second of two kinds, at least."""

_OTHER_LENGTH = 0.12
"""The same where the kinds differ in the length of the suit that is bid."""

_BINDING = 1
"""Points between an end and the strongest hands of a call, if the end decides."""

_MOSTLY = 0.5
"""The least share of hands above the lower end of earlier calls that keeps that end."""

_TRUMPS = 5
"""Trumps that count nothing where longer ones do."""

_RARER = 0.2
"""The largest share of the rules beyond a stated end; a remark beside the end mentions them."""

_RARER_DOUBLES = 0.15
"""The same for the lower end of a double, which partner counts on when he bids on nothing."""

_HARDLY_ANY = 0.002
"""The share of the hands that may be stronger than is said of a wide range."""

_UNSTATED = 0.02
"""The same where the author states no upper end, and of all calls but opening bids."""

_NO_EXCEPTIONS = 0.25
"""The share of the hands beyond an end that are not said beside it: the end is moved."""

_FLAT = 0.1
"""The share of balanced hands among those that have shape."""

Terms = tuple[tuple[int, int], ...]

HCP_TERMS: Terms = ((HCP, 1),)
_BALANCED: Terms = ((INDEX["balanced"], 1),)
_LENGTH = frozenset(
    [POINTS, *(index for index, name in enumerate(FEATURES) if name.startswith("over4"))]
)
_LENGTHS = frozenset(LENGTHS)
_SHORTNESS = frozenset(
    index
    for index, name in enumerate(FEATURES)
    if name.startswith(("short", "void", "singleton", "doubleton"))
)


def unit_of(terms: Terms) -> str:
    """Return the unit of strength that a sum counts in; empty if it is none.

    It is `HCP`, `points` with length, or points with `distribution`: shortages, and trumps beyond
    the fifth.
    """
    if terms == HCP_TERMS:
        return "HCP"
    weights = dict(terms)
    indices = set(weights)
    trumps = indices & _LENGTHS
    if len(trumps) == 1 and indices & _SHORTNESS:
        indices -= trumps
    counted = POINTS if POINTS in indices else HCP
    if weights.get(counted) != 1 or min(weights.values()) < 0:
        return ""
    rest = indices - {HCP, POINTS}
    if rest & _SHORTNESS and rest <= _SHORTNESS | _LENGTH:
        return "distribution"
    return "points" if rest <= _LENGTH else ""


def _zero(terms: Terms) -> int:
    """Return the value of a sum in a hand without points: 5 if it counts trumps, else 0."""
    return _TRUMPS if _LENGTHS & {index for index, _ in terms} else 0


@dataclass(frozen=True, slots=True)
class Strength:
    """The strength of the hands.

    Attributes:
        unit: `HCP`, `points` with length, or points with `distribution`.
        low: the lower end; None for none.
        high: the upper end, likewise.
        hcp: the high-card points of the same hands, nearly all of them.
        least: the least that some hand has.
        most: the most that some hand has.
        below: the share of the hands that have less than the lower end.
        above: the share of those that have more than the upper end.
        shapely: True if hardly any of those below the lower end is balanced.
    """

    unit: str
    low: int | None
    high: int | None
    hcp: Interval
    least: int = 0
    most: int = 0
    below: float = 0.0
    above: float = 0.0
    shapely: bool = False


@dataclass(frozen=True, slots=True)
class RuleShare:
    """A rule and its share of the hands that make a call.

    Attributes:
        place: the place of the rule among the steps of the turn.
        instance: the rule.
        share: the share of the hands that make the call for which this rule does.
        case: the length of a suit that tells apart its ways of counting strength, as it is in most
            of the hands; None if it counts in one way.
    """

    place: int
    instance: Instance
    share: float
    case: Literal | None = None

    @property
    def formula(self) -> Formula:
        """The condition of the rule, as it reads in its more frequent case."""
        return _in_case(self.instance.formula, self.case)


@dataclass(frozen=True, slots=True)
class Headline:
    """The common facts of nearly all hands that make a call.

    Attributes:
        rules: the rules that make it, the most frequent first.
        main: the number of them, from the first, that make it for nearly all hands.
        bounds: the exact bounds of the hands for which the main rules make it.
        strength: their strength; None if nothing is known of it.
        lengths: the ranges of the suits, C D H S, that nearly all of them are in.
        balanced: the share of them that are balanced.
        turns: the evidence of the player's calls by their main rules.
        kinds: the places of the main rules by kind of hand, the most frequent kind first; empty if
            all are of one kind.
    """

    rules: tuple[RuleShare, ...]
    main: int
    bounds: Bounds
    strength: Strength | None
    lengths: tuple[Interval, ...]
    balanced: float
    turns: tuple[Turn, ...]
    kinds: tuple[frozenset[int], ...] = ()

    @property
    def share(self) -> float:
        """The share of the hands that are made by the main rules and as strong as is said."""
        strength = self.strength
        within = 1.0 if strength is None else 1.0 - strength.below - strength.above
        return min(1.0, within * sum(each.share for each in self.rules[: self.main]))

    @property
    def instances(self) -> tuple[Instance, ...]:
        """The main rules, the most frequent first."""
        return tuple(each.instance for each in self.rules[: self.main])

    @property
    def rarer(self) -> tuple[RuleShare, ...]:
        """The other rules, the most frequent first."""
        return self.rules[self.main :]


@dataclass(frozen=True)
class Surroundings:
    """The facts besides a call and its rules.

    Attributes:
        others: the high-card points that the other players have shown.
        low: the lower end of its maker's high-card points, as stated of earlier calls.
        high: the upper end of them; more than there are if none was stated.
        theirs: the suits that the opponents have shown.
        opens: True if nobody has bid.
    """

    others: tuple[Interval, ...] = ()
    low: int = 0
    high: int = ANYTHING.hcp[1] + 1
    theirs: frozenset[int] = frozenset()
    opens: bool = False


def headline_of(
    engine: HandEngine, earlier: tuple[Turn, ...], turn: Turn, beside: Surroundings
) -> Headline | None:
    """Return the headline of a call; None if no hand makes it.

    Args:
        engine: the engine that counts hands and works out bounds.
        earlier: the evidence of its maker's earlier calls.
        turn: the call as evidence.
        beside: the facts besides the call and its rules.
    """
    makers = engine.makers((*earlier, turn))
    if makers is None:
        return None
    counted = _Counted(makers, beside)
    shares = counted.ranked(turn)
    if not shares:
        return None
    # Opponents count on the shortest suit of an opening: a rule for 1D on three cards is shown
    # though it is rare.
    opens = beside.opens and turn.call.is_bid and turn.call.level == 1
    main = _main(shares, _FREQUENT_OPENING if opens else _FREQUENT)
    evidence = (
        turn
        if main == len(makers.by_rule)
        else turn.made_by({each.place for each in shares[:main]})
    )
    bounds = engine.bounds((*earlier, evidence))
    if bounds is None:  # pragma: no cover - hands that make the call were found
        return None
    rows = counted.rows(shares[:main])
    denies = not earlier and turn.call.is_bid and turn.call.denomination in _DENYING
    strength = _strength(counted, shares[:main], bounds, beside, turn.call)
    return Headline(
        tuple(shares),
        main,
        bounds,
        strength,
        tuple(
            _usual_length(counted, turn.call, suit, rows, bounds, denies, opens)
            for suit in range(len(bounds.lengths))
        ),
        float(rows.weights[counted.values(_BALANCED, rows) > 0].sum()),
        (*earlier, evidence),
        _kinds(counted, shares[:main], strength, turn.call, beside.theirs),
    )


class _Rows(NamedTuple):
    """Some of the hands counted.

    Attributes:
        places: int `[H]`, their places.
        weights: float64 `[H]`, the share of each; the sum is 1.
    """

    places: NDArray[np.intp]
    weights: NDArray[np.float64]


class _Counted:
    """The hands that make a call, weighed by how well they go with what the others have shown."""

    def __init__(self, makers: Makers, beside: Surroundings) -> None:
        self._makers = makers
        self._weights = makers.hands.weights
        # The 40 points of the deal tie the hands together: behind two strong opponents the weak
        # hands of a range are the frequent ones. All three others count at once, exactly.
        if any(each != ANYTHING.hcp for each in beside.others):
            unknown = (ANYTHING.hcp,) * (3 - len(beside.others))
            first, second, third = sorted((*beside.others, *unknown))
            likely = joint_likelihood((first, second, third))
            weights = self._weights * likely[makers.hands.column(HCP)]
            if weights.sum() > 0:  # else the players have more points than there are
                self._weights = weights

    def ranked(self, turn: Turn) -> list[RuleShare]:
        """Return the rules that make the call, the most frequent first."""
        weights = {
            place: float(self._weights[self._makers.places([place])].sum())
            for place in self._makers.by_rule
        }
        total = sum(weights.values())
        shares = [
            RuleShare(place, instance, weight / total, self._case(place, instance))
            for place, weight in weights.items()
            if weight and (instance := turn.steps[place].instance) is not None
        ]
        return sorted(shares, key=lambda each: -each.share)

    def _case(self, place: int, instance: Instance) -> Literal | None:
        """Return the length that decides on a rule's count of strength, as most hands have it."""
        decisive = _deciding_length(instance.formula)
        if decisive is None:
            return None
        places = self._makers.places([place])
        weights = self._weights[places]
        holds = self._makers.sums(decisive.terms, places) >= decisive.at_least
        mostly = weights[holds].sum() >= _MOSTLY * weights.sum()
        return decisive if mostly else Literal(decisive.terms, decisive.at_least, positive=False)

    def rows(self, rules: Iterable[RuleShare]) -> _Rows:
        """Return the hands of some rules for the call, weights adding up to 1."""
        places = self._makers.places(each.place for each in rules)
        weights = self._weights[places]
        return _Rows(places, weights / weights.sum())

    def values(self, terms: Terms, rows: _Rows) -> NDArray[np.int_]:
        """Return int `[H]`, a sum of features of hands."""
        return self._makers.sums(terms, rows.places)


def _usual_length(
    counted: _Counted,
    call: Call,
    suit: int,
    rows: _Rows,
    bounds: Bounds,
    denies: bool,
    opens: bool,
) -> Interval:
    """Return the range of a suit that nearly all hands are in, where it says something.

    That is: four cards or more, three of the suit that is bid; and at most three cards of a major,
    where that is denied.
    """
    least, most = bounds.lengths[suit]
    lengths = counted.values(((LENGTHS[suit], 1),), rows)
    lowest = _least_said(call, suit, opens)
    is_bid = call.is_bid and int(call.denomination) == suit
    # A rare doubleton in a suit of four is left out of the line, not out of the exact bounds.
    low = _least(lengths, rows.weights, _RARE_IN_SUIT_BID if is_bid else _RARE)
    if denies and suit >= _HEARTS and -_least(-lengths, rows.weights, _RARELY_DENIED) < _FOUR:
        most = min(most, _FOUR - 1)
    return (max(least, low) if low >= lowest else least, most)


def _least_said(call: Call, suit: int, opens: bool) -> int:
    """Return the shortest length of a suit that may stand for nearly all hands.

    For the suit of an opening bid no length may: the fewest cards are said.
    """
    # An opening of one diamond was read as four cards, since nearly all have them.
    if opens and int(call.denomination) == suit:
        return ANYTHING.lengths[suit][1] + 1
    return _FOUR - 1 if call.is_bid and int(call.denomination) == suit else _FOUR


def _kinds(
    counted: _Counted,
    main: Sequence[RuleShare],
    strength: Strength,
    call: Call,
    theirs: frozenset[int],
) -> tuple[frozenset[int], ...]:
    """Return the places of rules by kind of hand, the most frequent kind first; none for one kind.

    There are two kinds where a double is made on few cards of a suit of theirs or else on any
    number; where a suit is bid on fewer cards or on more with another strength; and where some
    rules make the call on hands that are weaker, or stronger, than the others.
    """
    if len(main) < 2:
        return ()
    few, enough = _FAR_APART, _FIRST_KIND
    if call == Call.DOUBLE:
        by_length: dict[object, list[RuleShare]] = {}
        for rule in main:
            by_length.setdefault(_takes_out(counted, rule, theirs), []).append(rule)
        short = [group for suits, group in by_length.items() if suits]
        # Half of the hands that double 1H for takeout are short in hearts, the others strong: in
        # one text, "usually at most 2 hearts" was false of half of them.
        first = max(short, key=_total, default=[])
        if first:
            enough = _FIRST_KIND_OF_DOUBLES
        else:
            first = _long_in_a_suit(counted, main)
    elif first := _of_other_length(counted, main, call):
        few = _OTHER_LENGTH
    else:
        first = [each for each in main if _share_beyond(counted, each, strength) < _APART]
        others = [each for each in main if each not in first]
        if not _are_apart(counted, first, others) or _adjoin(counted, first, others):
            return ()
    rest = [each for each in main if each not in first]
    total = _total(main)
    if _total(first) < enough * total or _total(rest) < few * total:
        return ()
    return frozenset(each.place for each in first), frozenset(each.place for each in rest)


def _total(rules: Iterable[RuleShare]) -> float:
    return sum(each.share for each in rules)


def _takes_out(counted: _Counted, rule: RuleShare, theirs: frozenset[int]) -> frozenset[int]:
    """Return the suits that tell a takeout double of a rule from one on any shape; none for that.

    They are the suits of the opponents that all its hands are short in; where the opponents have
    shown two, the other two if all its hands have support for both.
    """
    rows = counted.rows([rule])
    lengths = [counted.values(((LENGTHS[suit], 1),), rows) for suit in range(len(LENGTHS))]
    short = frozenset(suit for suit in theirs if lengths[suit].max() <= _MOST_SHORT)
    if len(theirs) != _TWO_SUITS:
        return short
    unbid = frozenset(range(len(LENGTHS))) - theirs
    return unbid if all(lengths[suit].min() >= _SUPPORT for suit in unbid) else short


def _least_length(counted: _Counted, rule: RuleShare, call: Call) -> int:
    """Return the fewest cards of the suit bid among the hands of a rule."""
    rows = counted.rows([rule])
    return int(counted.values(((LENGTHS[int(call.denomination)], 1),), rows).min())


def _of_other_length(counted: _Counted, main: Sequence[RuleShare], call: Call) -> list[RuleShare]:
    """Return the rules that bid a suit on as few cards as the first, if the others differ.

    They do if they bid it on fewer cards or on more, and the strengths differ with it.
    """
    is_suit = call.is_bid and call.denomination.is_suit
    if not is_suit or any(each.instance.rule.artificial for each in main):
        return []
    least = [_least_length(counted, each, call) for each in main]
    # Weak twos and strong twos in one bid differ in length and strength at once; a raise on three
    # or four cards is one kind.
    if len(set(least)) == 1:
        return []
    first = [each for each, length in zip(main, least, strict=True) if length == least[0]]
    rest = [each for each, length in zip(main, least, strict=True) if length != least[0]]
    return first if _are_apart(counted, first, rest) else []


def _long_in_a_suit(counted: _Counted, main: Sequence[RuleShare]) -> list[RuleShare]:
    """Return the rules that promise a long suit, if the others are of another strength."""
    long = []
    for rule in main:
        rows = counted.rows([rule])
        if any(counted.values(((suit, 1),), rows).min() > _FOUR for suit in LENGTHS):
            long.append(rule)
    return long if _are_apart(counted, long, [each for each in main if each not in long]) else []


def _are_apart(counted: _Counted, first: Sequence[RuleShare], rest: Sequence[RuleShare]) -> bool:
    """Return True if the hands of some rules are all stronger than others, or weaker."""
    if not first or not rest:
        return False
    low, high = _hcp_range(counted, first)
    least, most = _hcp_range(counted, rest)
    # A single common value does not join them: ranges of neighbours touch.
    return min(high, most) <= max(low, least)


def _adjoin(counted: _Counted, first: Sequence[RuleShare], rest: Sequence[RuleShare]) -> bool:
    """Return True if rules with the same demand on partner go on where others of them stop."""
    if len({_demand(each.instance) for each in (*first, *rest)}) > 1:
        return False
    # Each rule bids its own points: 17 to 19 a good major, 20 and more too good for an overcall. A
    # teacher says 17 and more of both; of 8 and more, or a weak hand with shape, he says both.
    _, high = _hcp_range(counted, first)
    least, _ = _hcp_range(counted, rest)
    return 0 <= least - high <= 1


def _demand(instance: Instance) -> tuple[object, ...]:
    """Return the demand of a rule on partner."""
    rule = instance.rule
    return rule.artificial, rule.forcing, rule.invitational, rule.signoff


def _hcp_range(counted: _Counted, rules: Sequence[RuleShare]) -> Interval:
    """Return the high-card points of nearly all hands of some rules."""
    rows = counted.rows(rules)
    hcp = counted.values(HCP_TERMS, rows)
    return _least(hcp, rows.weights), -_least(-hcp, rows.weights)


def _share_beyond(counted: _Counted, rule: RuleShare, strength: Strength) -> float:
    """Return the share of the hands of a rule that are weaker or stronger than is said."""
    if strength.unit != unit_of(HCP_TERMS):
        return 0.0
    rows = counted.rows([rule])
    hcp = counted.values(HCP_TERMS, rows)
    low = strength.low or 0
    high = ANYTHING.hcp[1] if strength.high is None else strength.high
    return float(rows.weights[(hcp < low) | (hcp > high)].sum())


def _main(shares: Sequence[RuleShare], frequent: float) -> int:
    """Return the number of rules, from the first, that make the call for nearly all hands."""
    total = 0.0
    for count, rule in enumerate(shares):
        # A frequent rule belongs to the headline though nine hands in ten are covered without it.
        if total >= NEARLY_ALL and rule.share < frequent:
            return count
        total += rule.share
    return len(shares)


def _strength(
    counted: _Counted,
    main: Sequence[RuleShare],
    bounds: Bounds,
    beside: Surroundings,
    call: Call,
) -> Strength:
    """Return the strength of the hands that make a call by its main rules."""
    earlier, opens = beside.low, beside.opens
    # The unit first: a limit raise counted in distribution reads "10-12", the same hands in
    # high-card points "7-12".
    terms = _unit(main)
    if terms == HCP_TERMS:
        terms = _binding(counted, main[0])
    if (capped := _capped_in_hcp(counted, main, terms, beside, bounds)) is not None:
        return capped
    is_hcp = terms == HCP_TERMS
    ends = [_ends_of(counted, each, _own_terms(each, terms), bounds) for each in main]
    rows = counted.rows(main)
    weights = rows.weights
    values, hcp = counted.values(terms, rows) - _zero(terms), counted.values(HCP_TERMS, rows)
    central = (_least(hcp, weights), -_least(-hcp, weights))
    least, most = (
        bounds.hcp if is_hcp else (int(values.min()), max(bounds.hcp[1], int(values.max())))
    )
    few = _RARER_DOUBLES if call == Call.DOUBLE else _RARER
    low = max(_joint([(each.low, each.share) for each in ends], few), least)
    # Nobody says "3+" of a bid that no rule limits: the number is only where the hands end.
    is_unstated = all(not each.states_low for each in ends)
    if is_unstated and (low <= _LEAST or call == Call.PASS):
        low = least
    # A later call of an opener does not make him weaker: 12 stays 12, although some rules of the
    # call are open to 11.
    if is_hcp and earlier > low and weights[values >= earlier].sum() >= _MOSTLY:
        low = earlier
    if is_hcp and low == earlier + 1 and least == earlier:
        low = earlier  # a point more than was said before says nothing
    stops = min(-_joint([(-each.high, each.share) for each in ends], _RARER), most)
    high: int | None = _continued(counted, main, ends, terms, stops)
    stated = {each.high for each in ends if each.states_high}
    # The author states no end: 21 or more is every strong hand, and "up to 22" an accident of
    # rules.
    if high is not None and high not in stated:
        high = None if high > _MOST and high - low > _NARROW else high
    if call == Call.PASS:
        high = min(central[1], most)
    if high is not None and high - low > _NARROW:
        high = min(high, -_least(-values, weights, _HARDLY_ANY if opens else _UNSTATED))
    if high is not None and low > high:
        low, high = least, most
    if not (is_hcp and low == earlier):
        # Of 304 textbook calls 51 had an end that more than one hand in ten was beyond. An end that
        # a quarter is beyond is wrong, and no remark beside it mends that.
        while low > least and weights[values < low].sum() > _NO_EXCEPTIONS:
            low -= 1
    while high is not None and high < most and weights[values > high].sum() > _NO_EXCEPTIONS:
        high += 1
    below = float(weights[values < low].sum())
    above = 0.0 if high is None else float(weights[values > high].sum())
    most = min(most, -_least(-values, weights, _HARDLY_ANY))
    flat = float(weights[(values < low) & (counted.values(_BALANCED, rows) > 0)].sum())
    # "10-11 with shape": teachers name the reason, where nearly all the lighter hands have it.
    shapely = below > 0 and flat <= _FLAT * below
    return Strength(unit_of(terms), low or None, high, central, least, most, below, above, shapely)


def _continued(
    counted: _Counted, main: Sequence[RuleShare], ends: Sequence[_Ends], terms: Terms, high: int
) -> int:
    """Return an upper end with the ranges of rules that go on where it stops, if not rare."""
    # "17-19, sometimes up to 21" where a rule of its own bids the same on 20 and 21.
    for rule, end in sorted(zip(main, ends, strict=True), key=lambda pair: pair[1].low):
        if rule.share < _BEYOND or not end.states_high or end.low > high + 1:
            continue
        if _demand(rule.instance) != _demand(main[0].instance):
            continue
        rows = counted.rows([rule])
        beyond = counted.values(_own_terms(rule, terms), rows) - _zero(terms) > high
        if rows.weights[beyond].sum() >= _APART:
            high = max(high, end.high)
    return high


def _capped_in_hcp(
    counted: _Counted, main: Sequence[RuleShare], terms: Terms, beside: Surroundings, bounds: Bounds
) -> Strength | None:
    """Return the strength of hands with a lower end in distribution and an upper one in points.

    A raise on six points with distribution and no more than nine high-card points is one of six to
    nine points, fewer with shape; so is a later call of such a hand whose upper end is the old one.
    None where ends are otherwise, or shape is the rule.
    """
    # "raise; 6-9 (4-5 with shape)" is how a teacher says "6-11 with distribution (5-9 HCP)".
    if unit_of(terms) != "distribution":
        return None
    most = bounds.hcp[1]
    is_old = beside.high <= most <= _LIMITED
    lows, highs = [], []
    for rule in main:
        alone = [next(iter(clause)) for clause in rule.formula if len(clause) == 1]
        counts = _own_terms(rule, terms)
        values = counted.values(counts, counted.rows([rule])) - _zero(counts)
        low = [
            each.at_least - _zero(counts)
            for each in alone
            if each.positive and each.terms == counts
        ]
        high = [
            each.at_least - 1 for each in alone if not each.positive and each.terms == HCP_TERMS
        ]
        if is_old:
            low = low or [int(values.min())]
            high = [most] if most - max(low) <= _NARROW else []
        else:
            ends = [
                each.at_least - 1 - _zero(counts)
                for each in alone
                if not each.positive and each.terms == counts
            ]
            # Up to ten points, and up to twelve with distribution: the first decides.
            if ends and min(ends) <= min(high, default=ANYTHING.hcp[1]) + 1:
                return None
        if not low or not high:
            return None
        # The most demanding of a rule's ends is the one that decides.
        lows.append(max(low))
        highs.append(min(high))
    rows = counted.rows(main)
    weights, hcp = rows.weights, counted.values(HCP_TERMS, rows)
    low_end, high_end = min(lows), max(highs)
    below, above = float(weights[hcp < low_end].sum()), float(weights[hcp > high_end].sum())
    # Where most hands are below, shape is what the bid is about, and distribution stays its unit.
    if below > _MOSTLY or low_end > high_end:
        return None
    central = (_least(hcp, weights), -_least(-hcp, weights))
    return Strength(
        unit_of(HCP_TERMS),
        low_end or None,
        high_end,
        central,
        int(hcp.min()),
        int(hcp.max()),
        below,
        above,
        shapely=True,
    )


class _Ends(NamedTuple):
    """The ends of the strength of the hands of a rule.

    Attributes:
        share: the share of the rule.
        low: the lower end.
        high: the upper end.
        states_low: whether the author states the lower end.
        states_high: whether the author states the upper end.
    """

    share: float
    low: int
    high: int
    states_low: bool
    states_high: bool


def _ends_of(counted: _Counted, rule: RuleShare, terms: Terms, bounds: Bounds) -> _Ends:
    """Return the ends of a sum over the hands of a rule."""
    rows = counted.rows([rule])
    weights = rows.weights
    values = counted.values(terms, rows) - _zero(terms)
    low, high = _stated(rule, values, weights, terms)
    least = _least(values, weights) if low is None else low
    most = bounds.hcp[1]
    # High-card points bound points with distribution from below only: the hands have to be asked.
    if terms != HCP_TERMS and most <= _MOST:
        most = -_least(-values, weights)
    # Only limited calls: a forcing one has no upper end to tell, and partner will not pass.
    elif most <= _MOST and rule.instance.rule.forcing is Forcing.NO:
        few = -_least(-values, weights, _UNSTATED)
        most = min(most, few) if few - least <= _NARROW else most
    return _Ends(
        rule.share,
        least,
        most if high is None else high,
        low is not None,
        high is not None,
    )


def _stated(
    rule: RuleShare, values: NDArray[np.int_], weights: NDArray[np.float64], terms: Terms
) -> tuple[int | None, int | None]:
    """Return the tightest ends of a sum that a rule states and nearly all its hands keep to."""
    alone: dict[bool, list[int]] = {True: [], False: []}
    among: dict[bool, list[int]] = {True: [], False: []}
    either: list[int] = []
    for clause in rule.formula:
        for literal in dict.fromkeys((*clause, *_simplest(clause))):
            if literal.terms != terms or literal.at_least >= ANYTHING.hcp[1]:
                continue
            end = literal.at_least - (not literal.positive) - _zero(terms)
            keeps = values >= end if literal.positive else values <= end
            if len(clause) == 1:
                alone[literal.positive].append(end)
            # "up to 11, or a six-card suit" states no upper end: the long hands may have any
            # strength.
            elif (literal.positive or _is_of_strength(clause)) and weights[keeps].sum() >= _STATED:
                among[literal.positive].append(end)
                # "ten points, or eleven with support, and never fewer than eight" is ten or more.
                if literal.positive and _is_in_two_units(clause):
                    either.append(end)
    simplest = [
        literal.at_least
        for clause in rule.formula
        if len(clause) > 1 and len(_simplest(clause)) == 1
        for literal in _simplest(clause)
        if literal.terms == terms and literal.positive
    ]
    # A condition by itself binds every hand, an alternative only some: what binds all goes first.
    low = max((*alone[True], *either) or among[True], default=None)
    if (
        terms != HCP_TERMS
        and low is not None
        and low - 1 in (each - _zero(terms) for each in simplest)
    ):
        low -= 1
    return (
        low,
        min(alone[False] or among[False], default=None),
    )


def _simplest(clause: Clause) -> Clause:
    """Return a clause without the literals that another one includes: `14+ or 15+` is `14+`."""
    # `14+ or 15+` comes of a definition with cases, and would read as no single end.
    if len(clause) > 1 and len({(each.terms, each.positive) for each in clause}) == 1:
        first = next(iter(clause))
        ends = [each.at_least for each in clause]
        return type(clause)([replace(first, at_least=(min if first.positive else max)(ends))])
    return clause


def _own_terms(rule: RuleShare, terms: Terms) -> Terms:
    """Return the sum that a rule counts, if it is of the same unit as another sum; else that."""
    counts = _unit([rule])
    return counts if unit_of(counts) == unit_of(terms) else terms


def _is_of_strength(clause: Clause) -> bool:
    """Return True if a clause is about strength alone, so that it states an end in any case."""
    return all(unit_of(literal.terms) for literal in clause)


def _deciding_length(formula: Formula) -> Literal | None:
    """Return the length of a suit that decides between two sums of strength of a formula.

    Support points are counted with a fourth trump one way and without it another. None where there
    is one way.
    """
    ways: dict[Literal, set[bool]] = {}
    for clause in formula:
        if len(clause) == 1 or not any(unit_of(each.terms) for each in clause):
            continue
        for literal in clause:
            if len(literal.terms) == 1 and literal.terms[0][0] in _LENGTHS:
                length = Literal(literal.terms, literal.at_least)
                ways.setdefault(length, set()).add(literal.positive)
    return next((length for length, both in ways.items() if len(both) > 1), None)


def _in_case(formula: Formula, case: Literal | None) -> Formula:
    """Return a formula as it reads of hands that meet a literal; itself without a literal."""
    if case is None:
        return formula
    excluded = Literal(case.terms, case.at_least, not case.positive)
    return tuple(
        type(clause)([each for each in clause if each is not excluded])
        for clause in formula
        if case not in clause
    )


def _is_in_two_units(clause: Clause) -> bool:
    """Return True if a clause is about lower ends of strength, one for each way of counting."""
    ways = [literal.terms for literal in clause]
    return (
        _is_of_strength(clause)
        and all(literal.positive for literal in clause)
        and len({*ways}) == len(ways)
    )


def _joint(ends: Sequence[tuple[int, float]], few: float) -> int:
    """Return the least of some ends, each with a share, but for the few that are below it."""
    below, total = 0.0, sum(share for _, share in ends)
    for end, share in sorted(ends):
        below += share
        if below > few * total:
            return end
    return min(end for end, _ in ends)


def _unit(main: Sequence[RuleShare]) -> Terms:
    """Return the sum counted by the most frequent rule that states a strength."""
    for rule in main:
        sums = [
            literal.terms
            for clause in map(_simplest, rule.formula)
            if len(clause) == 1
            for literal in clause
            if literal.positive and unit_of(literal.terms)
        ]
        # A rule that counts length or shortage besides means that: its high-card points are a
        # safeguard.
        other = [terms for terms in sums if terms != HCP_TERMS]
        if sums:
            return other[0] if other else HCP_TERMS
    return HCP_TERMS


def _binding(counted: _Counted, rule: RuleShare) -> Terms:
    """Return the sum with length or distribution by its upper end, if that decides about a call.

    It is the unit of such a rule though it states no lower end. High-card points if there is none.
    """
    rows = counted.rows([rule])
    alone = [next(iter(clause)) for clause in rule.formula if len(clause) == 1]
    upper = {each.terms: each.at_least - 1 for each in alone if not each.positive}
    hcp = -_least(-counted.values(HCP_TERMS, rows), rows.weights)
    # The upper end in high-card points is reached: it decides, and distribution does not.
    if HCP_TERMS in upper and hcp >= upper[HCP_TERMS]:
        return HCP_TERMS
    for terms, end in upper.items():
        if not (unit := unit_of(terms)) or unit == unit_of(HCP_TERMS):
            continue
        values = counted.values(terms, rows)
        is_narrow = end - _least(values, rows.weights) <= _NARROW
        top = -_least(-values, rows.weights)
        if end - top <= _BINDING and (unit == "distribution" or is_narrow):
            return terms
    return HCP_TERMS


def _least(values: NDArray[np.int_], weights: NDArray[np.float64], beyond: float = _BEYOND) -> int:
    """Return the largest value that all hands but a few reach."""
    lowest = int(values.min())
    below = np.bincount(values - lowest, weights).cumsum()
    return lowest + min(int(np.searchsorted(below, beyond, side="right")), len(below) - 1)
