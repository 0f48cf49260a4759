"""Proofs at one position: gaps, calls that are passed, calls of any hand, accidental order.

A sample of the hands that bid their way to the position decides most questions; what the sample
leaves open is put to the solver, whose "no hand" is a proof.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bidwright.authoring.hands.evidence import Evidence
from bidwright.authoring.hands.natural_bids import SHORT, suit_to_hold
from bidwright.authoring.hands.positions import Position, words_of
from bidwright.authoring.hands.proofs import (
    HandsAt,
    Question,
    calls,
    chosen_by,
    frequency,
    hand_of,
    holding,
    without_call,
)
from bidwright.authoring.lint.written_order import WrittenOrder
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import SUIT_WORDS
from bidwright.bridge.hand import Hand
from bidwright.kb.logic.features import LENGTHS, features
from bidwright.kb.logic.formula import TRUE, reaches
from bidwright.kb.logic.public_facts import PublicFacts
from bidwright.kb.logic.public_state import Forcing
from bidwright.kb.rules.decision_list import DecisionList, Instance
from bidwright.kb.rules.patterns import last_bids, match

SAMPLE = 600
"""Hands that are drawn at each position."""


_REAL = 4
"""The fewest cards of a suit that a player wants as trumps."""

_RISE = 3
"""The most points that a pass may add to the shown minimum."""


@dataclass(frozen=True)
class Examined:
    """The results at a position.

    Attributes:
        chosen: the number of sampled hands that chose each rule, by id.
        faults: the faults.
        is_reached: True if some hand bids its way there.
    """

    chosen: Mapping[str, int]
    faults: tuple[Evidence, ...]
    is_reached: bool = True


def examine(position: Position, order: WrittenOrder) -> Examined:
    """Return the faults at a position."""
    decision = position.decision
    here = HandsAt(position.reading)
    held = here.draw(SAMPLE)
    # No hand in a sample is no proof; the solver's "no" is.
    if not len(held) and not here.possible():
        return Examined({}, (), is_reached=False)
    choice = decision.choose_for(features(held))
    chosen = Counter(decision.instances[index].rule.id for index in choice[choice >= 0].tolist())
    look = _Look(position, here, held, choice)
    faults = [*look.gaps(), *look.leftovers(), *look.passes(), *look.overlaps(order)]
    faults += [*look.artificial_passes(), *look.free_asks(), *look.strong_passes()]
    faults += look.short_suits()
    return Examined(dict(chosen), tuple(faults))


def is_general(instance: Instance) -> bool:
    """Return True for a rule of `anywhere`, which does not look at the auction."""
    return instance.rule.pattern.open and not instance.rule.pattern.elements


class _Look:
    """A position, the hands there, and what each of them chooses."""

    def __init__(
        self,
        position: Position,
        here: HandsAt,
        held: NDArray[np.bool_],
        choice: NDArray[np.int16],
    ) -> None:
        self.position = position
        self.decision: DecisionList = position.decision
        self.here = here
        self.held = held
        self.choice = choice

    def _evidence(
        self,
        code: str,
        rule: str,
        message: str,
        question: Question,
        hand: Hand,
        others: tuple[tuple[str, str], ...] = (),
        help: str | None = None,
    ) -> Evidence:
        likelihood = self.here.probability(question)
        share = frequency(self.position.reading).value
        return Evidence(
            code,
            rule,
            message,
            words_of(self.position.auction),
            hand.to_pbn(),
            None,
            likelihood.value,
            likelihood.error,
            share,
            others,
            help,
        )

    def _witness(self, hits: NDArray[np.bool_], question: Question) -> Hand | None:
        """Return a hand: one of the sample that is hit, or one that the solver finds."""
        places = np.flatnonzero(hits)
        if len(places):
            return hand_of(self.held[places[0]])
        # The sample decides at no cost; the solver is slow and exact.
        if not self.here.possible(question):
            return None
        return self.here.example(question)

    def _place(self) -> str:
        """Return the id of the rule that a fault of the whole position is shown at."""
        special = [each for each in self.decision.instances if not is_general(each)]
        return (special or list(self.decision.instances))[0].rule.id

    # ----------------------------------------------------------------- no call

    def gaps(self) -> list[Evidence]:
        """Return the gap at the position, if there is one."""
        instances = self.decision.instances
        if not instances or any(each.formula == TRUE for each in instances):
            return []
        if self.decision.undiscussed:
            return []  # the author says so
        question = without_call(self.decision)
        hand = self._witness(self.choice < 0, question)
        if hand is None:
            return []
        message = "no rule fits some hands here; they would pass without a meaning"
        help = "add a last rule that holds for every hand, such as 'pass'"
        return [self._evidence("E412", self._place(), message, question, hand, help=help)]

    def leftovers(self) -> list[Evidence]:
        """Return the fault that hands at a position of the book fall through to a catch-all."""
        instances = self.decision.instances
        # General rules for every hand stand last and catch what the book leaves.
        nets = [i for i, each in enumerate(instances) if is_general(each) and each.formula == TRUE]
        book = [each for each in instances if not each.rule.pattern.open]
        if not nets or not book or any(each.formula == TRUE for each in book):
            return []
        if self.decision.undiscussed:
            return []
        question = chosen_by(self.decision, *nets)
        hand = self._witness(np.isin(self.choice, nets), question)
        if hand is None:
            return []
        net = instances[nets[0]]
        message = (
            f"the book has no call for some hands here: they {_verb(net.call)} as any hand may"
        )
        help = "add a last rule here, such as 'pass', with words that say what it shows"
        others = (("the rule of 'anywhere' that takes them", net.rule.id),)
        return [self._evidence("W428", book[0].rule.id, message, question, hand, others, help)]

    # ------------------------------------------------------------------ passes

    def passes(self) -> list[Evidence]:
        """Return the forcing call that is passed here, or the game force that is given up."""
        state = self.position.reading.state
        facts = PublicFacts(state)
        partner = state.last_call(state.me.partner)
        if facts["forced",] and partner is not None and self._must_bid(partner.forcing, facts):
            code, doubled = "E415", partner.call in (Call.DOUBLE, Call.REDOUBLE)
            word = partner.forcing_words
            message = f"partner's {partner.call} is {word}, but some hands pass it"
        elif state.is_pass_excluded:
            code, doubled = "W425", False
            level = "game" if facts["game_forced",] else state.forced_level
            message = f"our side is forced to {level}, but some hands pass below it"
        else:
            return []
        # Passing partner's double may be meant: a pass with a condition says so.
        meant = {
            index
            for index, each in enumerate(self.decision.instances)
            if each.call == Call.PASS and doubled and (each.formula != TRUE or not is_general(each))
        }
        # -1: without a rule a hand passes.
        passing = np.array([index < 0 or self._is_pass(index, meant) for index in self.choice])
        question = calls(self.decision, Call.PASS)
        if meant:
            question = question & ~chosen_by(self.decision, *meant)
        hand = self._witness(passing, question)
        if hand is None:
            return []
        index = next(
            (
                place
                for place, each in enumerate(self.decision.instances)
                if each.call == Call.PASS and place not in meant
            ),
            None,
        )
        rule = self._place_of_call(index)
        help = "add a bid for such a hand, or drop 'forcing'"
        partner_rule = self._rule_of_partner()
        others = (("the forcing call", partner_rule),) if partner_rule else ()
        return [self._evidence(code, rule, message, question, hand, others, help)]

    @staticmethod
    def _must_bid(forcing: Forcing, facts: PublicFacts) -> bool:
        """Return True if a forcing call still binds: a game force ends once game is reached."""
        return forcing is not Forcing.GAME or bool(facts["below_game",])

    def _is_pass(self, index: int, meant: set[int]) -> bool:
        return self.decision.instances[index].call == Call.PASS and index not in meant

    def _place_of_call(self, index: int | None) -> str:
        if index is not None:
            return self.decision.instances[index].rule.id
        return self._place() if self.decision.instances else self._rule_of_partner()

    def _rule_of_partner(self) -> str:
        """Return the id of the rule behind partner's last call; empty if there is none."""
        # Partner's call is the last but one of the meanings.
        meanings = self.position.reading.meanings
        if len(meanings) < 2 or not meanings[-2].instances:
            return ""
        return meanings[-2].instances[0].rule.id

    # ------------------------------------------------------- calls of any hand

    def artificial_passes(self) -> list[Evidence]:
        """Return the fault that hands that are short in partner's artificial suit pass it out."""
        state = self.position.reading.state
        partner = state.last_call(state.me.partner)
        if partner is None or not partner.artificial or partner.signoff:
            return []
        # Only right after partner's call and a pass: later the auction may have changed its course.
        if state.calls[-2:] != (partner.call, Call.PASS) or partner.forcing is not Forcing.NO:
            return []
        instances = self.decision.instances
        if not partner.call.is_bid or not partner.call.denomination.is_suit:
            return []
        suit = int(partner.call.denomination)
        last = self.position.reading.last_of(state.me.partner)
        if last is not None and last.before.lengths[suit][0] >= _REAL:
            return []  # an answer, say, in the suit that he opened
        if all(map(is_general, instances)):
            return []  # nobody answers it: that is reported of the call
        meant = {
            index
            for index, each in enumerate(instances)
            if each.call == Call.PASS and each.formula != TRUE and not is_general(each)
        }
        few = reaches(((LENGTHS[suit], -1),), -SHORT)
        # The hand passes, and is short: both have to be possible for the same hand.
        question = calls(self.decision, Call.PASS) & holding(few)
        if meant:
            question = question & ~chosen_by(self.decision, *meant)
        passing = np.array([index < 0 or self._is_pass(index, meant) for index in self.choice])
        short = holding(few).holds_for(features(self.held))
        hand = self._witness(passing & short, question)
        if hand is None:
            return []
        passes = (i for i, each in enumerate(instances) if self._is_pass(i, meant))
        rule = self._place_of_call(next(passes, None))
        message = f"partner's {partner.call} is artificial, but hands without its suit pass it"
        partner_rule = self._rule_of_partner()
        others = (("the artificial call", partner_rule),) if partner_rule else ()
        help = "say what such a hand bids, or which hands play there"
        return [self._evidence("W429", rule, message, question, hand, others, help)]

    def free_asks(self) -> list[Evidence]:
        """Return the asks by all hands that the rules before them leave over."""
        faults = []
        instances = self.decision.instances
        for index, instance in enumerate(instances):
            if instance.rule.asks is None or instance.formula != TRUE:
                continue
            # Nothing else comes before it, so all hands are meant to ask.
            if all(before.call == instance.call for before in instances[:index]):
                continue
            question = chosen_by(self.decision, index)
            hand = self._witness(self.choice == index, question)
            if hand is None:
                continue
            message = f"any hand that nothing else fits asks by {instance.call}"
            help = "say in a condition which hands ask, and what the others do"
            faults.append(
                self._evidence("W430", instance.rule.id, message, question, hand, help=help)
            )
        return faults

    def strong_passes(self) -> list[Evidence]:
        """Return the fault that a pass without a condition shows strength, if there is one."""
        instances = self.decision.instances
        passes = [i for i, each in enumerate(instances) if each.call == Call.PASS]
        if not passes or any(instances[index].formula != TRUE for index in passes):
            return []
        after = self.position.reading.with_call(Call.PASS)
        # The meaning counts, not the condition: the pass shows what the rules before it leave.
        meaning = after.meanings[-1]
        before, least = meaning.before.hcp[0], meaning.bounds.hcp[0]
        # Relaxed: the call contradicts earlier ones, and its minimum means nothing.
        if meaning.relaxed or least < before + _RISE:
            return []
        question = calls(self.decision, Call.PASS)
        hand = self._witness(np.isin(self.choice, passes), question)
        if hand is None:
            return []
        message = f"what is left for this pass are hands of {least} HCP or more"
        help = "leave an upper end open, or say what such hands bid"
        rule = instances[passes[0]].rule.id
        return [self._evidence("W433", rule, message, question, hand, help=help)]

    def short_suits(self) -> list[Evidence]:
        """Return the natural bids that a sampled hand makes with a doubleton or less in the suit.

        Only what the sample shows counts: a hand in thousands is no misunderstanding.
        """
        faults = []
        held = features(self.held)
        for index, instance in enumerate(self.decision.instances):
            suit = suit_to_hold(instance, self.position.reading.state)
            if suit is None or is_general(instance):
                continue
            few = holding(reaches(((LENGTHS[suit], -1),), -SHORT))
            hits = (self.choice == index) & few.holds_for(held)
            if not hits.any():
                continue
            hand = hand_of(self.held[int(hits.argmax())])
            question = chosen_by(self.decision, index) & few
            message = (
                f"{instance.call} is natural, "
                f"but a hand with {SHORT} {SUIT_WORDS[suit]} or fewer bids it"
            )
            help = "ask for a length of the suit, or say that the bid is artificial"
            faults.append(
                self._evidence("W434", instance.rule.id, message, question, hand, help=help)
            )
        return faults

    # ---------------------------------------------------------------- overlaps

    def overlaps(self, order: WrittenOrder) -> list[Evidence]:
        """Return the pairs of rules in an accidental order, that of their blocks."""
        instances = self.decision.instances
        faults: list[Evidence] = []
        row = features(self.held)
        reported: set[tuple[str, str]] = set()
        state = self.position.reading.state
        direct = [_is_direct(each, state.calls) for each in instances]
        for second, after in enumerate(instances):
            for first, before in enumerate(instances[:second]):
                pair = (before.rule.id, after.rule.id)
                # Rules that a `rebase` brings are written for another auction.
                if pair in reported or direct[first] != direct[second]:
                    continue
                if not accidental(before, after, order):
                    continue
                # Both rules fit the hand, and the first takes it: otherwise order decides nothing.
                question = chosen_by(self.decision, first) & holding(after.formula)
                hand = self._witness(question.holds_for(row), question)
                if hand is None:
                    continue
                reported.add(pair)
                message = (
                    f"some hands fit both {before.call} and {after.call}, "
                    "and only the order of the blocks decides"
                )
                help = "give one of them a priority, or say in the condition what tells them apart"
                others = (("comes first", before.rule.id),)
                faults.append(
                    self._evidence("W421", after.rule.id, message, question, hand, others, help)
                )
        return faults


def _verb(call: Call) -> str:
    return "pass" if call == Call.PASS else f"bid {call}"


def _is_direct(instance: Instance, calls: tuple[Call, ...]) -> bool:
    """Return True if a rule is written for the auction itself, and not brought by a `rebase`."""
    return match(instance.rule.pattern, calls, last_bids(calls)) is not None


def accidental(before: Instance, after: Instance, order: WrittenOrder) -> bool:
    """Return True if nothing but the order of blocks decides between two rules.

    A more special pattern, a tier and a priority are deliberate, and so is the order that an author
    has written down. Blocks of `anywhere` in one file are read from top to bottom.
    """
    first, second = before.rule, after.rule
    if before.call == after.call or before.optional or after.optional:
        return False
    # Different ranks are stated in the file, so the order is deliberate.
    if first.rank.stated != second.rank.stated or first.id == second.id:
        return False
    # An `anywhere` block is read from top to bottom, however far apart its rules stand.
    if is_general(before) and first.span.file == second.span.file:
        return False
    return not order.is_written(first.id, second.id)
