"""The parts of an explanation: plain values, before they are text or JSON.

A `CallExplanation` keeps apart what a call promises (the conditions of the rules it may have been
made by), what it denies (bounds that follow from calls that were open and would have been
preferred), and what is only typical. Each denied fact names an irreducible set of unmade calls
from which it follows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Side
from bidwright.bridge.hand import Hand
from bidwright.inference.explanation.in_short import Brief
from bidwright.kb.logic.bounds import Bounds
from bidwright.kb.logic.public_state import CallRecord, PublicState
from bidwright.kb.rules.decision_list import Instance
from bidwright.kb.wording.phrases import Phrase
from bidwright.kb.wording.words import BoundFact, Wording


@dataclass(frozen=True)
class RuleNote:
    """A rule at a position, as an explanation quotes it.

    Attributes:
        instance: the rule, with its suits bound.
        before: the position.
        wording: the words of its system.
        extra: True if the other rules that are quoted cover every hand of it.
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
        """True for a `may` rule."""
        return self.instance.optional

    @cached_property
    def needs(self) -> Phrase:
        """The rule's conditions on the hand."""
        return self.wording.phrase(self.instance, self.before)


@dataclass(frozen=True, slots=True)
class Reason:
    """A ground of a fact: a promise, or a call that was not made.

    Attributes:
        place: the call's place in the auction, from 0.
        call: the call made if promised, the call not made if not.
        promised: True if the call made promises it; else it follows from the call not made.
        part: the part of the rules' conditions that says it; None for calls not made.
        rules: the rules that say it, or that would have made the other call.
        action: the other call as a verb: `opened`, `raised to`, `doubled`; see `denials`.
        earlier_turn: the number of the caller's turn, from 1, if it was before his last; else 0.
    """

    place: int
    call: Call
    promised: bool
    part: Phrase | None
    rules: tuple[RuleNote, ...]
    action: str = "bid"
    earlier_turn: int = 0


@dataclass(frozen=True, slots=True)
class Denial:
    """A fact that follows from calls that were not made.

    Attributes:
        fact: one bound, such as at most three clubs.
        reasons: an irreducible set of grounds.
    """

    fact: BoundFact
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class CallExplanation:
    """The meaning of a call, with its reasons.

    Attributes:
        place: its place in the auction, from 0.
        record: the call, its maker, and what it does in public.
        system: the system it is read by.
        name: the convention, if it is one.
        brief: the call in one line.
        texts: the authors' words of the rules that it may be.
        context: conditions of the meaning besides the calls, such as the vulnerability.
        answers: the question it answers.
        alert: alert text, empty for a bare alert; None if it needs none.
        announce: announcement text, likewise.
        rules: the rules it may have been made by.
        shares: the rules by which its headline is made, and rarer ones, each with the share of
            the hands that it makes the call for, the most frequent first.
        promised: what those rules say of the hand.
        denied: what follows from calls not made.
        unmade: the rules for other calls that come first and that the promise does not exclude.
        typical: what usually holds as well, but is not promised.
        shown: what its maker has usually shown so far, this call included.
        possible: what he may hold, judgement included: the other tier (see `Meaning`).
        before: what he had shown before it.
        boxes: a union of boxes that holds what he has shown; if not asked for, only where the
            bounds say nothing of his suits.
        conflict: places of the calls that contradict it.
        relaxed: what was dropped to read it all the same: see `Meaning.relaxed`.
        agreed: whether something was agreed: see `Meaning.agreed`.
        undiscussed: the file and line that say that nothing is agreed on it; None if none do.
        contradicts: what of it cannot be believed even with judgement: see `Meaning.contradicts`.
        kinds: the named alternatives of his calls that he has shown, this call included, as they
            are written: `weak_two(H)`.
    """

    place: int
    record: CallRecord
    system: str
    name: str | None
    brief: Brief
    texts: tuple[str, ...]
    context: tuple[str, ...]
    answers: str | None
    alert: str | None
    announce: str | None
    rules: tuple[RuleNote, ...]
    shares: tuple[tuple[RuleNote, float], ...]
    promised: tuple[BoundFact, ...]
    denied: tuple[Denial, ...]
    unmade: tuple[RuleNote, ...]
    typical: tuple[Phrase, ...]
    shown: Bounds
    possible: Bounds
    before: Bounds
    boxes: tuple[Bounds, ...]
    conflict: tuple[int, ...]
    relaxed: str
    agreed: bool
    undiscussed: str | None
    contradicts: str
    kinds: tuple[str, ...] = ()

    @property
    def known(self) -> bool:
        """True if some rule of the system covers the call."""
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
    """The call of a hand, with its reasons.

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
