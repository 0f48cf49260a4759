"""Explained auctions and chosen calls, as objects that print the text of the commands."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bidwright.bridge.auction import Auction
from bidwright.bridge.board import Board
from bidwright.bridge.calls import Call, parse_call
from bidwright.inference.explanation import json_form, prose, questions
from bidwright.inference.explanation.call_text import rule_text
from bidwright.inference.explanation.explain import Explainer
from bidwright.inference.explanation.in_short import brief_prose, briefs_of
from bidwright.inference.explanation.model import (
    CallExplanation,
    ChoiceExplanation,
    Explanation,
    Rejection,
    RuleNote,
)
from bidwright.inference.explanation.text_style import PLAIN
from bidwright.inference.reading.reader import Reading
from bidwright.match.agents.explaining import ArgumentValues


@dataclass(frozen=True, eq=False)
class ExplainedAuction:
    """An auction with the explanation of every call, as `explain` returns it.

    `str` of it is the text that `bidwright explain` prints.

    Attributes:
        explainer: answers `why` and `why_not`.
        reading: the auction as it is read; `reading.meanings` has the facts behind the words.
        calls: an explanation for each call, in order. Of each, `record.call` and `record.seat`
            are the call and its maker, `brief` is its line (`brief.line()`, and as a sentence
            `brief.alert()`), `rules` are the rules that it may have been made by, `denied` the
            conclusions from calls not made, `shown` and `possible` the bounds of its maker's hand.
        board: the board that the auction is from, if it was given with one.

    Example:
        >>> import bidwright
        >>> explained = bidwright.explain("1NT (P) 2H", system="sayc")
        >>> explained.calls[-1].brief.line()
        '2H: transfer: five spades or more; forcing'
        >>> print(explained.brief())
        N  1NT: 15 to 17, balanced
        E  P: no overcall; usually up to 13
        S  2H: transfer: five spades or more; forcing
    """

    explainer: Explainer
    reading: Reading
    calls: tuple[CallExplanation, ...]
    board: Board | None = None

    @classmethod
    def of(cls, reading: Reading, board: Board | None = None) -> ExplainedAuction:
        """Return the explanation of a reading."""
        explainer = Explainer(reading.reader)
        return cls(explainer, reading, explainer.explain(reading.auction).calls, board)

    @property
    def auction(self) -> Auction:
        """The calls."""
        return self.reading.auction

    @cached_property
    def _explanation(self) -> Explanation:
        systems = self.reading.reader.systems.items()
        titles = tuple((side, rules.title) for side, rules in systems)
        # From the calls that are there, not explained a second time.
        return Explanation(self.auction, titles, self.calls)

    def text(self, *, full: bool = False) -> str:
        """Return the explanation as lines of text.

        On a board with hands it has the fit of each call with the hand that made it as well.

        Args:
            full: add rules, their files and alternatives.
        """
        below = None
        if self.board is not None:
            from bidwright.authoring.review.held_calls import hold
            from bidwright.authoring.review.session_report import lines_below

            # None where the board has no hands: then there is nothing to hold the calls against.
            held = hold(self.explainer, self.board)
            below = lines_below(held, self._explanation, PLAIN) if held else None
        return prose.prose(self._explanation, PLAIN, full=full, below=below)

    def brief(self) -> str:
        """Return the explanation with one line for each call."""
        return brief_prose(self.auction, briefs_of(self.reading.meanings), PLAIN)

    def why(self, about: str) -> str:
        """Return the reasons for the bounds of a hand, as lines of text.

        Args:
            about: a seat and one of `hcp`, `points`, `balanced` and the suits: `S spades`. Without
                a seat the last caller is meant.

        Raises:
            InvalidError: The text asks for nothing of this kind.
        """
        seat, number = questions.parse_question(about, self.auction.turn)
        answers = questions.why(self.explainer, self.reading, seat, number)
        return prose.bounds_prose(seat, number, answers, PLAIN)

    def why_not(self, call: Call | str) -> str:
        """Return the reasons why the last caller did not make another call, rule by rule.

        Raises:
            InvalidError: The text is no call, or there is no call in the auction.
        """
        other = call if isinstance(call, Call) else parse_call(call)
        answers = questions.why_not(self.explainer, self.reading, other)
        beside = questions.call_beside(self.explainer, self.reading, other)
        return prose.not_made_prose(self.auction, other, answers, PLAIN, beside=beside)

    def as_json(self, tier: str = json_form.POSSIBLE) -> json_form.ExplanationValues:
        """Return the object that `bidwright explain --json` prints.

        Args:
            tier: the bounds of calls: `possible`, with judgement, or `usual`, by the rules.
        """
        # Boxes take the solver some time: `calls` has them only where a line needs them.
        return json_form.to_json(self.explainer.explain(self.auction, boxes=True), tier)

    def __str__(self) -> str:
        """Return the text that `bidwright explain` prints."""
        return self.text()

    def __repr__(self) -> str:
        """Return the class and the auction."""
        return f"<ExplainedAuction {str(self.auction)!r}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ANN401 - IPython's
        printer.text(str(self))


@dataclass(frozen=True, eq=False)
class ChosenCall:
    """A call that a hand makes, with the reason for it, as `bid` returns it.

    `str` of it is the text that `bidwright bid` prints.

    Attributes:
        call: the call.
        by: the decider: `rule:ID`, `no rule`, `net`, `search`; empty if an agent does not say.
        rule: the rule, with `id`, `text`, `place` and `needs`; None where none fits, and for
            agents.
        why: the conditions of the rule and its place, or an agent's sentences.
        rejected: the rules before it in the order of choice, each with the condition that the hand
            fails (`rule` and `unmet`).
        shows: the explanation of the call; None for agents.
        values: the same as plain values.

    Example:
        >>> import bidwright
        >>> choice = bidwright.bid("KQ4.AQ8.K9873.K2", system="sayc")
        >>> choice.call, choice.rule.id
        (Call.C1NT, 'opening.1NT')
        >>> choice.shows.shown.hcp
        (15, 17)
    """

    call: Call
    by: str
    rule: RuleNote | None
    why: str
    rejected: tuple[Rejection, ...]
    shows: CallExplanation | None
    values: json_form.ChoiceValues | ArgumentValues
    _text: str

    @classmethod
    def by_rule(cls, choice: ChoiceExplanation) -> ChosenCall:
        """Return a choice by the rules of a system."""
        rule = choice.rule
        return cls(
            choice.shows.record.call,
            f"rule:{rule.id}" if rule else "no rule",
            rule,
            rule_text(rule, PLAIN) if rule else "no rule fits the hand",
            choice.rejected,
            choice.shows,
            # All forms are made now: the explainer with its caches can go, while the choice is
            # kept.
            json_form.choice_json(choice),
            prose.choice_prose(choice, PLAIN),
        )

    def as_json(self) -> json_form.ChoiceValues | ArgumentValues:
        """Return the object that `bidwright bid --json` prints."""
        return self.values

    def __str__(self) -> str:
        """Return the text that `bidwright bid` prints."""
        return self._text

    def __repr__(self) -> str:
        """Return the class, the call and its decider."""
        return f"<ChosenCall {self.call} by {self.by or 'an agent'}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ANN401 - IPython's
        printer.text(str(self))
