"""Why a call means what it means: one object behind every rendering.

A `CallExplanation` keeps apart what a call promises (the conditions of the rules it may have been
made by), what it denies (bounds that follow from calls that were open and would have been
preferred), and what is only typical. Each denied fact names an irreducible set of unmade calls
from which it follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat, Side, parse_card
from bidwright.bridge.hand import Hand
from bidwright.inference.engine.hand_engine import HandEngine
from bidwright.inference.engine.reasons import Claim, Ground
from bidwright.inference.reading.player import choose
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.kb.language import ast
from bidwright.kb.logic.bounds import Bounds
from bidwright.kb.logic.features import HCP, INDEX, LENGTHS, POINTS, features_of, suit_feature
from bidwright.kb.logic.formula import holds
from bidwright.kb.logic.public_state import CallRecord, PublicState
from bidwright.kb.rules.decision_list import Instance
from bidwright.kb.rules.rule import CompiledRule
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.kb.wording.phrases import Phrase, first_unmet
from bidwright.kb.wording.words import Fact, Wording, facts_of


@dataclass(frozen=True)
class RuleNote:
    """A rule at a position, as an explanation quotes it.

    Attributes:
        instance: the rule, with its suits bound.
        before: the position.
        wording: the words of its system.
        extra: whether every hand that it covers is covered by the other rules that are quoted.
    """

    instance: Instance
    before: PublicState
    wording: Wording
    extra: bool = False

    @property
    def id(self) -> str:
        """The rule's id in its system."""
        return self.instance.rule.id

    @property
    def call(self) -> Call:
        """The call it makes here."""
        return self.instance.call

    @property
    def place(self) -> str:
        """File and line."""
        return str(self.instance.rule.span)

    @property
    def text(self) -> str | None:
        """The author's words."""
        return self.instance.rule.text

    @property
    def optional(self) -> bool:
        """Whether it is a `may` rule."""
        return self.instance.optional

    @cached_property
    def needs(self) -> Phrase:
        """What it asks of the hand."""
        return self.wording.phrase(self.instance, self.before)


@dataclass(frozen=True, slots=True)
class Reason:
    """A ground on which a fact rests.

    Attributes:
        place: the call's place in the auction, from 0.
        call: the call made if promised, the call not made if not.
        promised: whether the call made says it; if not, it follows from the call not made.
        part: the part of the rules' conditions that says it; None for calls not made.
        rules: the rules that say it, or that would have made the other call.
    """

    place: int
    call: Call
    promised: bool
    part: Phrase | None
    rules: tuple[RuleNote, ...]


@dataclass(frozen=True, slots=True)
class Denial:
    """A fact that follows from calls that were not made.

    Attributes:
        fact: one bound, such as at most three clubs.
        reasons: an irreducible set of grounds.
    """

    fact: Fact
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a call fits the hand that made it.

    Attributes:
        hand: the hand.
        rule: the rule by which it makes the call; None if it does not by its system.
        instead: the rule that it should have followed, if another one.
        outside: what the call shows and the hand has not.
    """

    hand: Hand
    rule: RuleNote | None
    instead: RuleNote | None
    outside: tuple[Fact, ...]

    @property
    def as_agreed(self) -> bool:
        """Whether the hand makes the call by its system."""
        return self.rule is not None


@dataclass(frozen=True, slots=True)
class CallExplanation:
    """What a call shows, and why.

    Attributes:
        place: its place in the auction, from 0.
        record: the call, its maker, and what it does in public.
        system: the system it is read by.
        name: the convention, if it is one.
        texts: the authors' words of the rules that it may be.
        context: what the meaning depends on besides the calls, such as the vulnerability.
        answers: the question it answers.
        alert: alert text, empty for a bare alert; None if it needs none.
        announce: announcement text, likewise.
        rules: the rules it may have been made by.
        promised: what those rules say of the hand.
        denied: what follows from calls not made.
        unmade: the rules for other calls that come first and that the promise does not exclude.
        typical: what usually holds as well, but is not promised.
        shown: what its maker has shown so far, this call included.
        before: what he had shown before it.
        boxes: a union of boxes that holds what he has shown.
        conflict: places of the calls that contradict it.
        relaxed: what was dropped to read it all the same: see `Meaning.relaxed`.
        verdict: how the call fits its maker's hand; None if that is not known.
    """

    place: int
    record: CallRecord
    system: str
    name: str | None
    texts: tuple[str, ...]
    context: tuple[str, ...]
    answers: str | None
    alert: str | None
    announce: str | None
    rules: tuple[RuleNote, ...]
    promised: tuple[Fact, ...]
    denied: tuple[Denial, ...]
    unmade: tuple[RuleNote, ...]
    typical: tuple[Phrase, ...]
    shown: Bounds
    before: Bounds
    boxes: tuple[Bounds, ...]
    conflict: tuple[int, ...]
    relaxed: str
    verdict: Verdict | None = None

    @property
    def known(self) -> bool:
        """Whether some rule of the system covers the call."""
        return bool(self.rules)


@dataclass(frozen=True, slots=True)
class Explanation:
    """An auction explained.

    Attributes:
        auction: the calls.
        titles: the system of each side.
        calls: one explanation per call.
    """

    auction: Auction
    titles: tuple[tuple[Side, str], ...]
    calls: tuple[CallExplanation, ...]


@dataclass(frozen=True, slots=True)
class Rejection:
    """A rule that comes before the one chosen and does not fit the hand.

    Attributes:
        rule: the rule.
        unmet: the first thing it asks for that the hand lacks.
    """

    rule: RuleNote
    unmet: Phrase


@dataclass(frozen=True, slots=True)
class ChoiceExplanation:
    """What a hand bids, and why.

    Attributes:
        auction: the calls before.
        hand: the hand.
        rule: the rule chosen, None where none fits.
        rejected: the rules before it, in the order of choice.
        shows: what the call will show.
    """

    auction: Auction
    hand: Hand
    rule: RuleNote | None
    rejected: tuple[Rejection, ...]
    shows: CallExplanation


class Explainer:
    """Explains readings of one reader."""

    def __init__(self, reader: Reader) -> None:
        """Prepare the words of the reader's systems."""
        self.reader = reader
        self._wordings: dict[Side, Wording] = {}

    @property
    def engine(self) -> HandEngine:
        """The engine that the reader asks."""
        return self.reader.engine

    def wording(self, seat: Seat) -> Wording:
        """Return the words of a seat's system."""
        if seat.side not in self._wordings:
            self._wordings[seat.side] = Wording(self.reader.rules_of(seat))
        return self._wordings[seat.side]

    def explain(
        self, auction: Auction, hands: Mapping[Seat, Hand] | None = None, *, boxes: bool = False
    ) -> Explanation:
        """Return the explanation of every call.

        Args:
            auction: the calls.
            hands: the hands that are known, to be compared with what they show.
            boxes: whether to work out the boxes.
        """
        reading = self.reader.start(auction.dealer, auction.vulnerability)
        calls = []
        for place, call in enumerate(auction.calls):
            reading = reading.with_call(call)
            hand = (hands or {}).get(auction.seat_of(place))
            calls.append(self.explain_last(reading, hand, boxes=boxes))
        titles = tuple((side, rules.title) for side, rules in self.reader.systems.items())
        return Explanation(auction, titles, tuple(calls))

    def explain_last(
        self, reading: Reading, hand: Hand | None = None, *, boxes: bool = False
    ) -> CallExplanation:
        """Return the explanation of the last call of a reading; see `explain`."""
        explanation = _Last(self, reading, self.before(reading)).explanation(boxes=boxes)
        if hand is None:
            return explanation
        return replace(explanation, verdict=self._verdict(reading, explanation, hand))

    def _verdict(self, reading: Reading, explanation: CallExplanation, hand: Hand) -> Verdict:
        """Return how the last call fits the hand that made it."""
        row = features_of(hand)
        meaning = reading.meanings[-1]
        decision, call = meaning.decision, meaning.record.call
        before = self.before(reading)
        own = next((each for each in decision.allowed(row) if each.call == call), None)
        if own is not None:
            return Verdict(hand, self.note(own, before), None, ())
        chosen = decision.choose(row)
        outside = tuple(
            one
            for fact in facts_of(explanation.shown)
            for one in _ends(fact)
            if not holds(claim_of(one).formula, row)
        )
        return Verdict(hand, None, self.note(chosen, before) if chosen else None, outside)

    def explain_choice(self, reading: Reading, hand: Hand) -> ChoiceExplanation:
        """Return what the player to call bids with a hand, and why."""
        row = features_of(hand)
        choice = choose(reading, hand)
        rejected = []
        for each in choice.rejected:
            before = self.note(each.instance, reading.state)
            rejected.append(Rejection(before, first_unmet(before.needs, row) or before.needs))
        rule = self.note(choice.instance, reading.state) if choice.instance else None
        shows = self.explain_last(reading.with_call(choice.call))
        return ChoiceExplanation(reading.auction, hand, rule, tuple(rejected), shows)

    def before(self, reading: Reading) -> PublicState:
        """Return the public state before the last call of a reading."""
        auction = reading.auction
        earlier = Auction(auction.dealer, auction.calls[:-1], auction.vulnerability)
        return self.reader.read(earlier).state

    def note(self, instance: Instance, before: PublicState, *, extra: bool = False) -> RuleNote:
        """Return a rule as explanations quote it."""
        return RuleNote(instance, before, self.wording(before.me), extra)

    def reasons(self, reading: Reading, seat: Seat, claim: Claim) -> tuple[Reason, ...] | None:
        """Return why a seat's hand is as claimed; None if the calls do not say so."""
        found = self.engine.why(reading.turns(seat), claim)
        return None if found is None else tuple(self.told(reading, seat, found))

    def told(self, reading: Reading, seat: Seat, grounds: Iterable[Ground]) -> Iterator[Reason]:
        """Yield the grounds that the engine found in a seat's calls, in words."""
        places = [
            place
            for place, meaning in enumerate(reading.meanings)
            if meaning.turn is not None and meaning.record.seat == seat
        ]
        for ground in grounds:
            place = places[ground.turn_index]
            before = self.reader.read(_prefix(reading.auction, place)).state
            part = None
            if ground.clause is not None:
                part = self.wording(seat).part(ground.clause)
            notes = tuple(self.note(instance, before) for instance in ground.instances)
            yield Reason(place, ground.call, ground.clause is not None, part, notes)


def _prefix(auction: Auction, place: int) -> Auction:
    return Auction(auction.dealer, auction.calls[:place], auction.vulnerability)


class _Last:
    """Explains the last call of a reading."""

    def __init__(self, explainer: Explainer, reading: Reading, before: PublicState) -> None:
        self._explainer = explainer
        self._engine = explainer.engine
        self._reading = reading
        self._before = before
        self._meaning = reading.meanings[-1]
        self._seat = self._meaning.record.seat
        self._rules = self._live()

    def explanation(self, *, boxes: bool) -> CallExplanation:
        meaning = self._meaning
        told = sorted((note for note in self._rules if not note.extra), key=lambda n: n.optional)
        rules = [note.instance.rule for note in told]
        conventions = {rule.convention for rule in rules}
        answers = {rule.answers for rule in rules}
        unmade = self._meaning.unmade
        context = _Context(self._reading.reader.rules_of(self._seat), self._before)
        return CallExplanation(
            place=len(self._reading.meanings) - 1,
            record=meaning.record,
            system=meaning.system,
            name=conventions.pop() if len(conventions) == 1 else None,
            texts=tuple(dict.fromkeys(rule.text for rule in rules if rule.text)),
            context=context.words([*rules, *(instance.rule for instance in unmade)]),
            answers=answers.pop() if len(answers) == 1 else None,
            alert=next((rule.alert for rule in rules if rule.alert is not None), None),
            announce=next((rule.announce for rule in rules if rule.announce is not None), None),
            rules=self._rules,
            promised=self._promised(),
            denied=tuple(self._denied()),
            unmade=tuple(self._explainer.note(each, self._before) for each in unmade),
            typical=self._typical(),
            shown=meaning.bounds,
            before=meaning.before,
            boxes=self._engine.boxes(self._meaning.turns) if boxes else (),
            conflict=meaning.conflict,
            relaxed=meaning.relaxed,
        )

    def _live(self) -> tuple[RuleNote, ...]:
        """Return the rules that the call may have been made by."""
        needed = {id(instance) for instance in self._meaning.needed}
        return tuple(
            self._explainer.note(instance, self._before, extra=id(instance) not in needed)
            for instance in self._meaning.instances
        )

    def _promised(self) -> tuple[Fact, ...]:
        promised = self._meaning.promised
        return () if promised is None else facts_of(promised)

    def _typical(self) -> tuple[Phrase, ...]:
        wording = self._explainer.wording(self._seat)
        return tuple(
            dict.fromkeys(
                wording.usually(note.instance, self._before)
                for note in self._rules
                if note.instance.rule.usually is not None
            )
        )

    def _denied(self) -> Iterator[Denial]:
        evidence = self._meaning.evidence
        if evidence is None or not evidence.denies:
            return
        promised = self._meaning.undenied
        turns = (*self._meaning.earlier, evidence)
        for fact in facts_of(self._meaning.bounds):
            for one in _ends(fact):
                if promised is None or _says(promised, one):
                    continue
                found = self._engine.why(turns, claim_of(one))
                if found:
                    reasons = self._explainer.told(self._reading, self._seat, found)
                    yield Denial(one, tuple(reasons))


def _ends(fact: Fact) -> Iterator[Fact]:
    """Yield the two ends of a range as facts of their own; a truth value stays one."""
    if fact.about == "balanced" or fact.low is None or fact.high is None:
        yield fact
    else:
        yield replace(fact, high=None)
        yield replace(fact, low=None)


_SUITS = ("clubs", "diamonds", "hearts", "spades")


def claim_of(fact: Fact) -> Claim:
    """Return a fact as the engine is asked about it."""
    if fact.about == "balanced":
        return Claim(INDEX["balanced"], fact.low or None, None if fact.low else 0)
    if fact.about in _SUITS:
        return Claim(LENGTHS[_SUITS.index(fact.about)], fact.low, fact.high)
    if fact.about in ("hcp", "points"):
        return Claim(HCP if fact.about == "hcp" else POINTS, fact.low, fact.high)
    suit, rank = divmod(parse_card(fact.about), 13)
    return Claim(suit_feature(f"card_{'akqjt'[12 - rank]}", suit), fact.low, fact.high)


def _says(bounds: Bounds, fact: Fact) -> bool:
    """Tell whether bounds say as much as a fact."""
    if fact.about == "balanced":
        return bounds.balanced is not None
    if fact.about in _SUITS:
        low, high = bounds.lengths[_SUITS.index(fact.about)]
    elif fact.about in ("hcp", "points"):
        low, high = bounds.hcp if fact.about == "hcp" else bounds.points
    else:
        card = parse_card(fact.about)
        low, high = int(card in bounds.sure), int(card not in bounds.impossible)
    return (fact.low is None or low >= fact.low) and (fact.high is None or high <= fact.high)


# --------------------------------------------------------------------- context

_VULNERABILITY = frozenset({"vulnerable", "they_vulnerable", "favourable", "unfavourable"})
_ORDINALS = ("first", "second", "third", "fourth")


class _Context:
    """Says what a meaning depends on besides the calls."""

    def __init__(self, rules: RuleBase, before: PublicState) -> None:
        self._rules = rules
        self._before = before

    def words(self, rules: Iterable[CompiledRule]) -> tuple[str, ...]:
        """Return the context that some rules read, in words."""
        used = {name for rule in rules for name in self._names(rule.condition)}
        auction, me = self._before.auction, self._before.me
        words = []
        if "seat" in used:
            words.append(f"{_ORDINALS[(me - auction.dealer) % 4]} seat")
        if used & _VULNERABILITY:
            we, they = (auction.vulnerability.is_vulnerable(s) for s in (me.side, me.side.other))
            words.append(
                (
                    "neither side vulnerable",
                    "they are vulnerable",
                    "we are vulnerable",
                    "both sides vulnerable",
                )[2 * we + they]
            )
        if "passed_hand" in used and self._passed(me):
            words.append("passed hand")
        if "partner_passed_hand" in used and self._passed(me.partner):
            words.append("partner is a passed hand")
        return tuple(words)

    def _passed(self, seat: Seat) -> bool:
        for record in self._before.records:
            if record.call != Call.PASS:
                return False
            if record.seat == seat:
                return True
        return False

    def _names(self, node: object) -> Iterator[str]:
        """Yield the names that a condition reads, definitions opened."""
        match node:
            case ast.Name(name=name):
                yield name
                if name in self._rules.lets:
                    yield from self._names(self._rules.lets[name].body)
            case ast.Apply(name=name, args=args):
                if name in self._rules.lets:
                    yield from self._names(self._rules.lets[name].body)
                for each in args:
                    yield from self._names(each)
            case ast.And(items=items) | ast.Or(items=items):
                for part in items:
                    yield from self._names(part)
            case ast.Not(item=item):
                yield from self._names(item)
            case ast.InRange(expr=expr) | ast.Fact(expr=expr):
                yield from self._names(expr)
            case ast.Compare(left=left, right=right) | ast.Binary(left=left, right=right):
                yield from self._names(left)
                yield from self._names(right)
            case _:
                return
