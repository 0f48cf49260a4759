"""Hands to bid with their answers, drawn from a system; of each also a whole deal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bidwright.authoring.hands.exercises import exercise
from bidwright.bridge.auction import Auction
from bidwright.bridge.board import Board
from bidwright.bridge.calls import Call, parse_call
from bidwright.bridge.cards import Seat
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.hand import Hand
from bidwright.inference.explanation.explain import Explainer
from bidwright.inference.explanation.text_style import TextStyle
from bidwright.inference.posterior.section import View
from bidwright.inference.reading.examples import reader_for
from bidwright.inference.reading.reader import Reading
from bidwright.kb.logic.features import features_of
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.kb.wording.phrase_text import text_of
from bidwright.kb.wording.words import Style

STYLE = TextStyle(Style.SYMBOLS, width=10_000)
"""Texts with suit symbols, in one line."""
_HOPELESS = 3
"""Seeds without a hand, after which no more are tried."""


@dataclass(frozen=True, slots=True)
class BiddingQuestion:
    """A hand to bid with the answer.

    Attributes:
        auction: the calls before, with dealer and vulnerability.
        hand: the hand of the player in turn.
        call: the call by the system, with suit symbols.
        meaning: the meaning of that call.
        needs: the condition of its rule; empty for a pass without a rule.
        reading: the auction as it is read.
    """

    auction: Auction
    hand: Hand
    call: str
    meaning: str
    needs: str
    reading: Reading

    @property
    def holdings(self) -> tuple[str, ...]:
        """The cards of each suit, spades first, a dash for a void."""
        return tuple(ranks.replace("T", "10") or "-" for ranks in str(self.hand).split("."))

    @property
    def before(self) -> str:
        """The calls before with symbols, those of opponents in brackets; empty for the first."""
        me = self.auction.turn.side
        words = []
        for place, call in enumerate(self.auction.calls):
            word = call_text(str(call))
            # The player's own side without brackets, whoever opened: the reader sits in his seat.
            words.append(word if self.auction.seat_of(place).side is me else f"({word})")
        return " ".join(words)


def call_text(call: str) -> str:
    """Return a call as players write it: `1♠`, `3NT`, `Pass`."""
    return "Pass" if call == "P" else STYLE.call(parse_call(call))


def question_of(explainer: Explainer, reading: Reading, hand: Hand) -> BiddingQuestion:
    """Return the question of a hand at a position, with the system's call as the answer."""
    choice = explainer.explain_choice(reading, hand)
    return BiddingQuestion(
        auction=reading.auction,
        hand=hand,
        call=call_text(str(choice.shows.record.call)),
        meaning=choice.shows.brief.meaning(STYLE),
        needs=text_of(choice.rule.needs, STYLE.suits) if choice.rule else "",
        reading=reading,
    )


def questions_of(
    rules: RuleBase, topic: str, count: int, seed: int = 0, most: int = 40
) -> Iterator[BiddingQuestion]:
    """Yield hands with a single call by the system, each once.

    Args:
        rules: the system.
        topic: a file of the system; empty for any.
        count: the number of hands.
        seed: the seed of the first hand.
        most: the number of seeds that are tried.

    Raises:
        InvalidError: There is no hand for the topic, or no such topic.
    """
    reader = reader_for(rules)
    explainer = Explainer(reader)
    seen: set[str] = set()
    for number in range(seed, seed + max(most, 4 * count)):
        if len(seen) == count:
            return
        try:
            reading, hand = exercise(rules, reader, topic, number)
        except InvalidError:
            # A topic without a hand fails at every seed; one that found some is only thin.
            if number - seed >= _HOPELESS and not seen:
                raise
            continue
        # Seeds of one position may deal a hand twice.
        if str(hand) not in seen:
            seen.add(str(hand))
            yield question_of(explainer, reading, hand)


def board_of(question: BiddingQuestion, number: int, seed: int = 0) -> Board:
    """Return a board with the question's hand, bid to the end by the system.

    The other hands agree with the calls before, and all four bid on from there; the note of a call
    is its meaning for opponents.
    """
    auction = question.auction
    # The other hands are drawn from the meaning of their calls, so that the auction is possible.
    view = View.of(question.reading, (auction.turn, question.hand), None, seed)
    (deal,) = view.deals(1)
    rows = {seat: features_of(hand) for seat, hand in zip(Seat, deal.hands, strict=True) if hand}
    reading = question.reading
    while not reading.auction.is_over:
        chosen = reading.decision.choose(rows[reading.state.me])
        reading = reading.with_call(chosen.call if chosen else Call.PASS)
    explanation = Explainer(reading.reader).explain(reading.auction)
    return Board(
        number,
        deal,
        auction.dealer,
        auction.vulnerability,
        auction=reading.auction,
        notes={call.place: call.brief.alert() for call in explanation.calls if call.known},
    )
