"""A second, naive reading of the language: random systems, and every hand tried one by one.

Nothing here shares code with the package. Conditions speak of suit lengths, points and balance, so
the 560 shapes with the high-card points that each can hold stand for all hands; a condition is a
bool array over these classes, and what a call shows is a set of classes. Meaning is taken from
docs/language.md (which rule wins, what displaces what, what a call denies) and docs/explain.md
(which catch-alls are believed).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import reduce
from itertools import product
from math import comb, log2
from random import Random
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Classes: TypeAlias = NDArray[np.bool_]
Numbers: TypeAlias = NDArray[np.int64]

SUITS = ("clubs", "diamonds", "hearts", "spades")
CALLS = tuple(f"{level}{strain}" for level in range(1, 8) for strain in ("C", "D", "H", "S", "NT"))
TIERS = ("book", "default", "judgement", "last resort")


def _holdings(length: int) -> Counter[int]:
    """Return the number of holdings of a suit with each number of high-card points."""
    found: Counter[int] = Counter()
    for cards in product((False, True), repeat=4):
        if 0 <= length - sum(cards) <= 9:
            points = sum(points for points, held in zip((4, 3, 2, 1), cards, strict=True) if held)
            found[points] += comb(9, length - sum(cards))
    return found


def _all_classes() -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield each class with the number of its hands."""
    for clubs, diamonds, hearts in product(range(14), repeat=3):
        spades = 13 - clubs - diamonds - hearts
        if spades < 0:
            continue
        hands = Counter({0: 1})
        for length in (clubs, diamonds, hearts, spades):
            longer: Counter[int] = Counter()
            for (one, many), (other, times) in product(hands.items(), _holdings(length).items()):
                longer[one + other] += many * times
            hands = longer
        for hcp in sorted(hands):
            yield (clubs, diamonds, hearts, spades, hcp), hands[hcp]


_COUNTED = list(_all_classes())
TABLE: Numbers = np.array([row for row, _ in _COUNTED])
"""Every class: lengths of clubs to spades, and high-card points."""
HANDS: Numbers = np.array([hands for _, hands in _COUNTED])
"""The number of hands in each class."""
PLACE = {tuple(row): place for place, row in enumerate(TABLE.tolist())}
LENGTHS: Numbers = TABLE[:, :4]
_ORDERED: Numbers = np.sort(LENGTHS, axis=1)[:, ::-1]
FEATURES: dict[str, Numbers] = {name: LENGTHS[:, suit] for suit, name in enumerate(SUITS)}
FEATURES |= {
    "hcp": TABLE[:, 4],
    "points": TABLE[:, 4] + np.maximum(LENGTHS - 4, 0).sum(axis=1),
    "longest": _ORDERED[:, 0],
    "second_longest": _ORDERED[:, 1],
    "two_longest": _ORDERED[:, 0] + _ORDERED[:, 1],
    "shortest": _ORDERED[:, 3],
    "singletons": (LENGTHS == 1).sum(axis=1),
    "voids": (LENGTHS == 0).sum(axis=1),
    "doubletons": (LENGTHS == 2).sum(axis=1),
}
BALANCED: Classes = np.isin((_ORDERED * (1000, 100, 10, 1)).sum(axis=1), (4333, 4432, 5332))
_LARGEST = {"hcp": 37, "points": 46}
BELIEVED = 6.0
"""The most bits that catch-alls may say of a hand: docs/explain.md."""


def _bits(shown: Classes) -> float:
    """Return the logarithm of all hands over those in the ranges of some classes."""
    low, high = TABLE[shown].min(axis=0), TABLE[shown].max(axis=0)
    inside = ((low <= TABLE) & (high >= TABLE)).all(axis=1)
    return -log2(HANDS[inside].sum() / comb(52, 13))


@dataclass
class Table:
    """The public facts at a player's turn.

    Attributes:
        shown: the classes that each of two partners has shown.
        me: which of them is to call.
        forced: whether partner's last call was forcing.
        rounds: how many calls I have made.
    """

    shown: list[Classes]
    me: int
    forced: bool = False
    rounds: int = 0

    def least(self, who: int, name: str) -> int:
        """Return the least of a feature that a partner has shown."""
        return int(FEATURES[name][self.shown[who]].min())

    def most(self, who: int, name: str) -> int:
        """Return the most of a feature that a partner has shown."""
        return int(FEATURES[name][self.shown[who]].max())


# ------------------------------------------------------------------ conditions


@dataclass(frozen=True)
class Test:
    """A number with a range."""

    number: str
    low: int
    high: int
    text: str
    __test__ = False

    def holds(self, table: Table) -> Classes:
        """Return the classes that pass the test."""
        values = _value(self.number, table)
        return (self.low <= values) & (values <= self.high)


@dataclass(frozen=True)
class Compare:
    """Two numbers held against each other."""

    left: str
    sign: str
    right: str

    @property
    def text(self) -> str:
        """As it is written."""
        return f"{self.left} {self.sign} {self.right}"

    def holds(self, table: Table) -> Classes:
        """Return the classes that pass the comparison."""
        left, right = _value(self.left, table), _value(self.right, table)
        answers = {
            ">": left > right,
            ">=": left >= right,
            "<": left < right,
            "<=": left <= right,
            "=": left == right,
            "!=": left != right,
        }
        held: Classes = answers[self.sign]
        return held


@dataclass(frozen=True)
class Fact:
    """A fact by itself."""

    text: str

    def holds(self, table: Table) -> Classes:
        """Return the classes that have it."""
        if self.text == "balanced":
            return BALANCED
        if self.text == "forced":
            return np.full(len(TABLE), table.forced)
        return ~BALANCED


@dataclass(frozen=True)
class Joined:
    """Conditions joined by `not`, `and`, `or` or commas."""

    word: str
    parts: tuple[Condition, ...]

    @property
    def text(self) -> str:
        """As it is written, with brackets where a part binds less."""
        strength = ("not", "and", "or", ",")

        def part(one: Condition) -> str:
            loose = isinstance(one, Joined) and strength.index(one.word) >= strength.index(
                self.word
            )
            return f"({one.text})" if loose else one.text

        if self.word == "not":
            return f"not {part(self.parts[0])}"
        return (", " if self.word == "," else f" {self.word} ").join(map(part, self.parts))

    def holds(self, table: Table) -> Classes:
        """Return the classes that have it."""
        held = [part.holds(table) for part in self.parts]
        if self.word == "not":
            return ~held[0]
        join = np.logical_or if self.word == "or" else np.logical_and
        return reduce(join, held)


Condition: TypeAlias = Test | Compare | Fact | Joined


def _value(text: str, table: Table) -> Numbers:
    """Return a sum of numbers for every class."""
    total = np.zeros(len(TABLE), dtype=np.int64)
    sign = 1
    for word in text.split():
        if word in "+-":
            sign = 1 if word == "+" else -1
        else:
            total = total + sign * _word(word, table)
    return total


def _word(word: str, table: Table) -> Numbers | int:
    partner = 1 - table.me
    if word.isdigit():
        return int(word)
    if word in FEATURES:
        return FEATURES[word]
    if word == "rounds":
        return table.rounds
    if word.startswith("fit("):
        name = word[4:-1]
        return FEATURES[name] + table.least(partner, name)
    if word.startswith("combined("):
        name = word[9:-1]
        return FEATURES[name] + table.least(partner, name)
    who, name, end = word.split(".")
    seat = partner if who == "partner" else table.me
    return table.least(seat, name) if end == "min" else table.most(seat, name)


# ------------------------------------------------------------------ systems


@dataclass
class Rule:
    """A rule; `condition` is None where none is written."""

    call: str
    condition: Condition | None
    may: bool = False
    tier: int = 0
    priority: int = 0
    forcing: bool = False
    answers: list[Rule] = field(default_factory=list)

    def lines(self, indent: int) -> Iterator[str]:
        """Yield the rule as it is written, and its answers."""
        words = ["may"] if self.may else []
        words += [self.call, '"r"'] + ([self.condition.text] if self.condition else [])
        actions = [TIERS[self.tier]] if self.tier else []
        actions += [f"priority {self.priority}"] if self.priority else []
        actions += ["forcing"] if self.forcing else []
        end = f"; {', '.join(actions)}" if actions else ""
        yield f"{'  ' * indent}{' '.join(words)}{end}"
        for answer in self.answers:
            yield from answer.lines(indent + 1)

    def holds(self, table: Table) -> Classes:
        """Return the classes that meet the condition."""
        return self.condition.holds(table) if self.condition else np.ones(len(TABLE), np.bool_)


@dataclass
class System:
    """Rules for openings, what follows them, and rules for every position."""

    opening: list[Rule]
    anywhere: list[Rule]

    @property
    def text(self) -> str:
        """The convention file."""
        lines = ['system fuzz "Fuzz"', "", 'opening "o"']
        lines += [line for rule in self.opening for line in rule.lines(1)]
        lines += ["", 'anywhere "a"', *(line for rule in self.anywhere for line in rule.lines(1))]
        return "\n".join(lines) + "\n"

    def after(self, calls: list[str]) -> list[Rule]:
        """Return the rules written for a position: our calls since the opening bid."""
        rules = self.opening
        for call in calls:
            rules = [answer for rule in rules if rule.call == call for answer in rule.answers]
        return rules


@dataclass
class Position:
    """The rules that apply where somebody has to call, in the order of choice."""

    rules: list[Rule]
    held: list[Classes]
    shown: Classes
    catch_all: list[bool]

    @staticmethod
    def of(system: System, calls: list[str], table: Table) -> Position:
        """Return the position after our side's calls since the opening bid."""
        own = system.after(calls)
        taken = {rule.call for rule in own if rule.holds(table).any()}
        last = CALLS.index([call for call in calls if call in CALLS][-1]) if calls else -1
        general = [
            rule
            for rule in system.anywhere
            if (rule.call not in taken or rule.condition is None)
            and (rule.call == "pass" or CALLS.index(rule.call) > last)
        ]
        rules = [
            *sorted(own, key=lambda rule: (rule.tier, -rule.priority)),
            *sorted(general, key=lambda rule: (rule.tier, -rule.priority)),
        ]
        held = [rule.holds(table) for rule in rules]
        last_resort = TIERS.index("last resort")
        caught = [n >= len(own) or rule.tier == last_resort for n, rule in enumerate(rules)]
        return Position(rules, held, table.shown[table.me], caught)

    def displaced(self, place: int) -> bool:
        """Return True if a usable firm rule for the same call comes before a `may` rule."""
        rule = self.rules[place]
        return (
            rule.may
            and rule.call != "pass"
            and any(
                other.call == rule.call and not other.may and (held & self.shown).any()
                for other, held in zip(self.rules[:place], self.held, strict=False)
            )
        )

    def bid(self, hand: int) -> str | None:
        """Return the call of a hand, given by its class; None if no rule is for it."""
        for place, held in enumerate(self.held):
            if held[hand] and not self.displaced(place):
                return self.rules[place].call
        return None

    def shows(self, call: str) -> Classes:
        """Return the classes that a call shows here, whatever its maker has shown before.

        It shows all of them if only catch-alls can have made it and they say more than is believed.
        """
        found = np.zeros(len(TABLE), np.bool_)
        denied = np.zeros(len(TABLE), np.bool_)
        promised = np.zeros(len(TABLE), np.bool_)
        only_caught = True
        for place, rule in enumerate(self.rules):
            if rule.call == call and not self.displaced(place):
                made = self.held[place] & ~denied
                only_caught &= self.catch_all[place] or not (made & self.shown).any()
                found |= made
                promised |= self.held[place]
            elif rule.call != call and not rule.may:
                denied |= self.held[place]
        if only_caught:
            before = _bits(self.shown)
            said = (_bits(self.shown & each) - before for each in (found, promised))
            if min(said) > BELIEVED:
                return np.ones(len(TABLE), np.bool_)
        return found

    def is_forcing(self, call: str) -> bool | None:
        """Return True for a forcing call; None if its rules differ."""
        found = {
            rule.forcing
            for place, rule in enumerate(self.rules)
            if rule.call == call and not self.displaced(place)
        }
        return found.pop() if len(found) == 1 else None


# ------------------------------------------------------------------ authors


class Author:
    """Writes random systems; the same seed writes the same."""

    def __init__(self, seed: int) -> None:
        """Begin with a seed."""
        self._rng = Random(seed)

    def system(self) -> System:
        """Return a system."""
        rng = self._rng
        opening = self._rules(0, 3, public=False)
        for rule in opening:
            if rule.condition and rng.random() < 0.5:
                rule.condition = Joined(",", (Test("hcp", 10, 22, "hcp 10..22"), rule.condition))
        anywhere = [self._rule(call, public=True) for call in self._calls(3, rng.randint(0, 4))]
        anywhere.append(Rule("pass", None, rng.random() < 0.2))
        return System(opening, anywhere)

    def _calls(self, lowest: int, count: int) -> list[str]:
        rng = self._rng
        return [rng.choice((*CALLS[lowest : lowest + 8], "pass")) for _ in range(count)]

    def _rules(self, lowest: int, deep: int, public: bool) -> list[Rule]:
        rng = self._rng
        rules = []
        seen: set[str] = set()
        for call in self._calls(lowest, rng.randint(2, 6)):
            rule = self._rule(call, public)
            after = CALLS.index(call) + 1 if call != "pass" else len(CALLS)
            if deep and call not in seen and after < 30 and rng.random() < 0.7:
                rule.answers = self._rules(after, deep - 1, public=True)
            seen.add(call)
            rules.append(rule)
            if deep < 2 and rng.random() < 0.3:
                rules += self._displaced_or_not(call)
        if rng.random() < 0.4:
            rules.append(Rule("pass", None))
        return rules

    def _displaced_or_not(self, call: str) -> list[Rule]:
        """Return a firm rule for rare hands, often none, and a `may` rule that it may displace."""
        rare = (Test("hcp", 0, 4, "hcp ..4"), Test("hcp", 23, 37, "hcp 23+"))
        firm = Rule(call, self._rng.choice((*rare, _ranged(self._rng, "longest", 8, 1))))
        return [firm, Rule(call, self._condition(1, public=True), may=True)]

    def _rule(self, call: str, public: bool) -> Rule:
        rng = self._rng
        return Rule(
            call,
            self._condition(2, public) if rng.random() < 0.93 else None,
            may=rng.random() < 0.25,
            tier=rng.choice((0, 0, 0, 0, 1, 2, 3)),
            priority=rng.choice((0, 0, 0, 5, -3)),
            forcing=call != "pass" and rng.random() < 0.3,
        )

    def _condition(self, depth: int, public: bool) -> Condition:
        rng = self._rng
        if depth == 0 or rng.random() < 0.3:
            return self._simple(public)
        word = rng.choice(("not", "and", "or", "or", ","))
        if word == "," and depth < 2:
            word = "and"
        parts = [self._condition(depth - 1, public) for _ in range(rng.randint(2, 3))]
        return Joined(word, tuple(parts[:1] if word == "not" else parts))

    def _simple(self, public: bool) -> Condition:
        rng = self._rng
        kind = rng.random()
        if kind < 0.1:
            return Fact(rng.choice(("balanced", "unbalanced", *(("forced",) if public else ()))))
        if kind < 0.25:
            signs = (">", ">=", "<", "<=", "=", "!=")
            one, other = rng.sample(SUITS, 2)
            return Compare(one, rng.choice(signs), rng.choice((other, f"{other} + 1")))
        if public and kind < 0.55:
            return self._public()
        if kind < 0.75:
            return _ranged(rng, rng.choice(SUITS), rng.choice((2, 3, 4, 4, 5, 6)), 2)
        if kind < 0.9:
            return _ranged(rng, rng.choice(("hcp", "points")), rng.randint(4, 18), 6)
        name = rng.choice(("longest", "singletons", "two_longest", "hcp + spades", "hcp - voids"))
        around = {"longest": 5, "singletons": 1, "two_longest": 9}.get(name, 14)
        return _ranged(rng, name, around, 1)

    def _public(self) -> Condition:
        rng = self._rng
        suit = rng.choice(SUITS)
        number, around = rng.choice(
            (
                (f"fit({suit})", 7),
                ("combined(hcp)", 22),
                ("combined(points)", 24),
                ("hcp + partner.hcp.min", 20),
                (f"{suit} - partner.{suit}.min", 1),
                ("partner.hcp.max", 17),
                (f"me.{suit}.min", 3),
                (f"partner.{suit}.max", 5),
                ("rounds", 1),
            )
        )
        return _ranged(rng, number, around, 3)


def _ranged(rng: Random, number: str, around: int, spread: int) -> Test:
    low = max(0, around - rng.randint(0, spread))
    high = around + rng.randint(0, spread)
    low, high = min(low, high), max(low, high)
    if number in SUITS:
        high = min(high, 13)
    return rng.choice(
        (
            Test(number, low, 10_000, f"{number} {low}+"),
            Test(number, -10_000, high, f"{number} ..{high}"),
            Test(number, low, high, f"{number} {low}..{high}"),
            Test(number, low, low, f"{number} {low}"),
        )
    )
