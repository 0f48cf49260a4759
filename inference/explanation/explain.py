"""Explanations of readings: calls with their reasons, one object behind every rendering."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import SUIT_WORDS, Seat, Side, parse_card
from bidwright.bridge.hand import Hand
from bidwright.inference.engine.hand_engine import HandEngine
from bidwright.inference.engine.information import bits
from bidwright.inference.engine.reasons import Claim, Ground
from bidwright.inference.explanation.context import MeaningContext
from bidwright.inference.explanation.denials import action_verb
from bidwright.inference.explanation.in_short import brief_of
from bidwright.inference.explanation.kind_names import kind_names
from bidwright.inference.explanation.model import (
    CallExplanation,
    ChoiceExplanation,
    Denial,
    Explanation,
    Reason,
    Rejection,
    RuleNote,
)
from bidwright.inference.explanation.shown import is_vague
from bidwright.inference.explanation.table_position import TablePosition
from bidwright.inference.reading.player import choose
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.kb.logic.bounds import Bounds, Interval
from bidwright.kb.logic.features import HCP, INDEX, LENGTHS, POINTS, features_of, suit_feature
from bidwright.kb.logic.public_state import PublicState
from bidwright.kb.rules.decision_list import Instance
from bidwright.kb.wording.phrases import ANY, Phrase, first_unmet
from bidwright.kb.wording.words import BoundFact, Wording, facts_of


class Explainer:
    """Maker of the explanations of one reader's auctions."""

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

    def explain(self, auction: Auction, *, boxes: bool = False) -> Explanation:
        """Return the explanation of every call.

        Args:
            auction: the calls.
            boxes: whether to work out the boxes.
        """
        reading = self.reader.start(auction.dealer, auction.vulnerability)
        calls = []
        for call in auction.calls:
            reading = reading.with_call(call)
            calls.append(self.explain_last(reading, boxes=boxes))
        titles = tuple((side, rules.title) for side, rules in self.reader.systems.items())
        return Explanation(auction, titles, tuple(calls))

    def explain_last(self, reading: Reading, *, boxes: bool = False) -> CallExplanation:
        """Return the explanation of the last call of a reading; see `explain`."""
        return _Last(self, reading, self.before(reading)).explanation(boxes=boxes)

    def explain_choice(self, reading: Reading, hand: Hand) -> ChoiceExplanation:
        """Return the call of a hand for the player to call, with its reasons."""
        row = features_of(hand)
        choice = choose(reading, hand)
        rejected = []
        for rejection in choice.rejected:
            # The first condition that fails is the shortest honest answer: a hand that lacks
            # several of them would have to satisfy all, and the list would be the whole rule.
            before = self.note(rejection.instance, reading.state)
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
        """Return the grounds of a claim about a seat's hand; None if it does not follow."""
        grounds = self.engine.why(reading.turns(seat), claim)
        return None if grounds is None else tuple(self.worded(reading, seat, grounds))

    def worded(self, reading: Reading, seat: Seat, grounds: Iterable[Ground]) -> Iterator[Reason]:
        """Yield the grounds that the engine found in a seat's calls, in words."""
        places = [
            place
            for place, meaning in enumerate(reading.meanings)
            if meaning.turn is not None and meaning.record.seat == seat
        ]
        for ground in grounds:
            place = places[ground.turn_index]
            turn = 1 + sum(meaning.record.seat == seat for meaning in reading.meanings[:place])
            position = TablePosition(reading.meanings[:place], seat)
            before = self.reader.read(_prefix(reading.auction, place)).state
            part = None
            if ground.clause is not None:
                part = self.wording(seat).part(ground.clause)
            notes = tuple(self.note(instance, before) for instance in ground.instances)
            yield Reason(
                place,
                ground.call,
                ground.clause is not None,
                part,
                notes,
                action_verb(ground.call, position),
                # The last turn needs no "on the second round": it is the call that is explained.
                turn if place != places[-1] else 0,
            )


def _prefix(auction: Auction, place: int) -> Auction:
    return Auction(auction.dealer, auction.calls[:place], auction.vulnerability)


class _Last:
    """Maker of the explanation of the last call of a reading."""

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
        needed = sorted((note for note in self._rules if not note.extra), key=lambda n: n.optional)
        rules = [note.instance.rule for note in needed]
        conventions = {rule.convention for rule in rules}
        answers = {rule.answers for rule in rules}
        # Rules that `unmade` lists belong to the context too: a call denied when vulnerable only
        # makes the meaning depend on the vulnerability.
        unmade = self._meaning.unmade
        context = MeaningContext(self._reading.reader.rules_of(self._seat), self._before)
        return CallExplanation(
            place=len(self._reading.meanings) - 1,
            record=meaning.record,
            system=meaning.system,
            name=conventions.pop() if len(conventions) == 1 else None,
            brief=brief_of(self._reading.meanings),
            texts=tuple(dict.fromkeys(rule.text for rule in rules if rule.text)),
            context=context.words([*rules, *(instance.rule for instance in unmade)]),
            answers=answers.pop() if len(answers) == 1 else None,
            alert=next((rule.alert for rule in rules if rule.alert is not None), None),
            announce=next((rule.announce for rule in rules if rule.announce is not None), None),
            rules=self._rules,
            shares=self._shares(),
            promised=self._promised(),
            denied=tuple(self._denied()),
            unmade=tuple(self._explainer.note(each, self._before) for each in unmade),
            typical=self._typical(),
            shown=meaning.bounds,
            possible=meaning.possible,
            before=meaning.before,
            boxes=self._engine.boxes(self._meaning.turns) if boxes or self._is_vague() else (),
            conflict=meaning.conflict,
            relaxed=meaning.relaxed,
            agreed=meaning.agreed,
            undiscussed=str(meaning.undiscussed.span) if meaning.undiscussed else None,
            contradicts=meaning.contradicts,
            kinds=kind_names(self._reading.state.kinds[self._seat]),
        )

    def _is_vague(self) -> bool:
        """Return True if the bounds of the call leave its suits open."""
        meaning = self._meaning
        return meaning.record.call != Call.PASS and meaning.known and is_vague(meaning.bounds)

    def _live(self) -> tuple[RuleNote, ...]:
        """Return the rules that the call may have been made by."""
        # By identity: to compare or hash two instances is to do so with their formulas.
        needed = {id(instance) for instance in self._meaning.needed}
        return tuple(
            self._explainer.note(instance, self._before, extra=id(instance) not in needed)
            for instance in self._meaning.instances
        )

    def _shares(self) -> tuple[tuple[RuleNote, float], ...]:
        """Return each rule with its share of the hands that make the call."""
        headline = self._meaning.headline
        if headline is None:
            return ()
        notes = {id(note.instance): note for note in self._rules}
        return tuple(
            (notes[id(each.instance)], each.share)
            for each in headline.rules
            if id(each.instance) in notes
        )

    def _promised(self) -> tuple[BoundFact, ...]:
        promised = self._meaning.promised
        return () if promised is None else facts_of(promised)

    def _typical(self) -> tuple[Phrase, ...]:
        wording = self._explainer.wording(self._seat)
        usual = (
            wording.usually(note.instance, self._before)
            for note in self._rules
            if note.instance.rule.usually is not None
        )
        return tuple(dict.fromkeys(each for each in usual if each != ANY))

    def _denied(self) -> Iterator[Denial]:
        evidence = self._meaning.evidence
        if evidence is None or not evidence.denies:
            return
        promised = self._meaning.undenied
        turns = (*self._meaning.earlier, evidence)
        for fact in facts_of(self._meaning.bounds):
            # Each end of a range has a reason of its own: "3 to 4 hearts" is usually a promise
            # below and a denial above.
            for part in _ends(fact):
                # What the rules for the call promise by themselves is no denial, even where it
                # follows from the unmade calls as well.
                if promised is None or _says(promised, part):
                    continue
                grounds = self._engine.why(turns, claim_of(part))
                # General rules stand for nearly every call, so that most facts follow from some of
                # them. Of these only what narrows the hand counts.
                if grounds and (self._tells(part, promised) or not _by_catch_alls(grounds)):
                    reasons = self._explainer.worded(self._reading, self._seat, grounds)
                    yield Denial(part, tuple(reasons))

    def _tells(self, fact: BoundFact, undenied: Bounds | None) -> bool:
        """Return True if a denied fact narrows the hand by at least `_TELLING` bits."""
        bounds = self._meaning.bounds
        if undenied is None or fact.about not in ("hcp", *SUIT_WORDS):
            return False
        if fact.about == "hcp":
            wider = replace(bounds, hcp=_with_end(bounds.hcp, undenied.hcp, fact))
        else:
            lengths = list(bounds.lengths)
            suit = SUIT_WORDS.index(fact.about)
            lengths[suit] = _with_end(lengths[suit], undenied.lengths[suit], fact)
            clubs, diamonds, hearts, spades = lengths
            wider = replace(bounds, lengths=(clubs, diamonds, hearts, spades))
        return bits(bounds) - bits(wider) >= _TELLING


_TELLING = 0.5
"""Bits that a denial says at least, if it is printed though it rests on catch-alls alone."""


def _with_end(own: Interval, other: Interval, fact: BoundFact) -> Interval:
    """Return an interval with the end that a fact is about taken from another one."""
    return (own[0], other[1]) if fact.low is None else (other[0], own[1])


def _by_catch_alls(grounds: Iterable[Ground]) -> bool:
    """Return True if every unmade call among the grounds is that of a catch-all."""
    return all(
        instance.rule.is_catch_all
        for ground in grounds
        if ground.clause is None
        for instance in ground.instances
    )


def _ends(fact: BoundFact) -> Iterator[BoundFact]:
    """Yield the two ends of a range as facts of their own; a truth value stays one."""
    if fact.about == "balanced" or fact.low is None or fact.high is None:
        yield fact
    else:
        yield replace(fact, high=None)
        yield replace(fact, low=None)


def claim_of(fact: BoundFact) -> Claim:
    """Return a fact as the engine is asked about it."""
    if fact.about == "balanced":
        return Claim(INDEX["balanced"], fact.low or None, None if fact.low else 0)
    if fact.about in SUIT_WORDS:
        return Claim(LENGTHS[SUIT_WORDS.index(fact.about)], fact.low, fact.high)
    if fact.about in ("hcp", "points"):
        return Claim(HCP if fact.about == "hcp" else POINTS, fact.low, fact.high)
    suit, rank = divmod(parse_card(fact.about), 13)
    return Claim(suit_feature(f"card_{'akqjt'[12 - rank]}", suit), fact.low, fact.high)


def _says(bounds: Bounds, fact: BoundFact) -> bool:
    """Return True if bounds imply a fact."""
    if fact.about == "balanced":
        return bounds.balanced is not None
    if fact.about in SUIT_WORDS:
        low, high = bounds.lengths[SUIT_WORDS.index(fact.about)]
    elif fact.about in ("hcp", "points"):
        low, high = bounds.hcp if fact.about == "hcp" else bounds.points
    else:
        card = parse_card(fact.about)
        low, high = int(card in bounds.sure), int(card not in bounds.impossible)
    return (fact.low is None or low >= fact.low) and (fact.high is None or high <= fact.high)
