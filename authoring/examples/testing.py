"""Runs of the examples of files: their choice, and reports of failures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NotRequired, TypedDict

from bidwright.bridge.hand import parse_hand
from bidwright.inference.explanation.text_style import PLAIN, TextStyle
from bidwright.inference.reading.examples import Outcome, Suite, considered, ruled_out
from bidwright.kb.language.ast import Example
from bidwright.kb.language.printer import statement_lines
from bidwright.kb.logic.features import HCP, LENGTHS, features_of


@dataclass(frozen=True, slots=True)
class Filter:
    """Chooses examples by words: every word has to stand in one of their texts.

    The texts are the file and line, the example as it is written, and the id of the rule that
    makes the call.

    Attributes:
        words: in lower case.
    """

    words: tuple[str, ...] = ()

    @classmethod
    def of(cls, text: str | None) -> Filter:
        """Return the filter of the words after `-k`."""
        return cls(tuple((text or "").lower().split()))

    def takes(self, outcome: Outcome) -> bool:
        """Return True if an example is chosen."""
        instance = outcome.choice.instance
        texts = (
            str(outcome.example.span),
            example_text(outcome.example),
            instance.rule.id if instance else "",
        )
        whole = "\n".join(texts).lower()
        return all(word in whole for word in self.words)


def example_text(example: Example) -> str:
    """Return an example as a line of a file, without the word `example`."""
    return statement_lines(example)[0].removeprefix("example ")


def run_suites(suites: Iterable[Suite], chosen: Filter) -> Iterator[Outcome]:
    """Yield the outcomes of the examples that a filter chooses, each example once."""
    seen: set[tuple[object, Example]] = set()
    for suite in suites:
        for outcome in suite.run():
            # Files of a folder share modules, whose examples would run once for each.
            key = (outcome.example.span, outcome.example)
            if key not in seen and chosen.takes(outcome):
                seen.add(key)
                yield outcome


# ------------------------------------------------------------------------ a failure


def hand_text(text: str) -> str:
    """Return a hand with its points and shape: `KQ4.AQ8.K9873.K2 (17 HCP, 3=3=5=2)`."""
    row = features_of(parse_hand(text))
    shape = "=".join(str(row[index]) for index in reversed(LENGTHS))
    return f"{text} ({row[HCP]} HCP, {shape})"


def failure_text(outcome: Outcome, style: TextStyle = PLAIN) -> str:
    """Return a failed example: the expected call, the call, and every rule with a say."""
    example = outcome.example
    lines = [
        style.strong(f"{example.span}: expected {outcome.expected}, got {outcome.choice.call}"),
        f"  {example_text(example)}",
        f"  {hand_text(example.hand)}",
    ]
    account = considered(outcome)
    if outcome.choice.instance is None:
        lines.append("  no rule fits the hand, so it passes")
    if not any(each.instance.call == outcome.expected for each in account):
        lines.append(f"  no rule bids {outcome.expected} here")
        lines += [f"    {rule.span}  {reason}" for rule, reason in ruled_out(outcome)]
    lines.append("  the rules, in their order:")
    places = [str(each.instance.rule.span) for each in account]
    width = max(map(len, places), default=0)
    for rule, place in zip(account, places, strict=True):
        sign = ">" if rule.chosen else " "
        call = f"{rule.instance.call!s:4}"
        verdict = f"bids it: {rule.reason}" if rule.chosen else rule.reason
        lines.append(f"  {sign} {call} {style.faint(f'{place:{width}}')}  {verdict}")
    return "\n".join(lines)


class FailedExampleRule(TypedDict):
    """A rule that was considered for a hand, and why it was chosen or not."""

    rule: str
    call: str
    file: str
    line: int
    chosen: bool
    reason: str


class OutcomeValues(TypedDict):
    """An example and the call for it; the rules considered only where it failed."""

    file: str
    line: int
    module: str
    hand: str
    auction: list[str]
    dealer: str
    vul: str
    expected: str
    call: str
    rule: str | None
    passed: bool
    considered: NotRequired[list[FailedExampleRule]]


def outcome_json(outcome: Outcome) -> OutcomeValues:
    """Return an outcome for programs; the rules considered only where it failed."""
    example, instance = outcome.example, outcome.choice.instance
    auction = outcome.reading.auction
    content: OutcomeValues = {
        "file": example.span.file,
        "line": example.span.line,
        "module": outcome.module,
        "hand": example.hand,
        "auction": [str(call) for call in auction.calls],
        "dealer": str(auction.dealer),
        "vul": auction.vulnerability.word,
        "expected": str(outcome.expected),
        "call": str(outcome.choice.call),
        "rule": instance.rule.id if instance else None,
        "passed": outcome.passed,
    }
    if not outcome.passed:
        content["considered"] = [
            {
                "rule": each.instance.rule.id,
                "call": str(each.instance.call),
                "file": each.instance.rule.span.file,
                "line": each.instance.rule.span.line,
                "chosen": each.chosen,
                "reason": each.reason,
            }
            for each in considered(outcome)
        ]
    return content


def summary(outcomes: Sequence[Outcome]) -> str:
    """Return the number of examples that are bid as stated, as one line."""
    passed = sum(outcome.passed for outcome in outcomes)
    return f"{passed} of {len(outcomes)} examples bid as stated"
