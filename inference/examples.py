"""Runs the examples of convention files: each hand has to be bid as its line says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call, parse_call
from bidwright.bridge.cards import Seat, Side, Vulnerability, parse_seat, parse_vulnerability
from bidwright.bridge.hand import parse_hand
from bidwright.inference.player import Choice, choose
from bidwright.inference.reader import Reader, Reading
from bidwright.kb.ast import Example
from bidwright.kb.compile import RuleBase
from bidwright.kb.diagnostics import Diagnostic, Related, Severity
from bidwright.kb.features import features_of
from bidwright.kb.phrases import first_unmet, text_of
from bidwright.kb.words import Wording


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an example.

    Attributes:
        module: the module that it is from.
        example: the example.
        reading: the auction before the call.
        expected: the call it asks for.
        choice: what the hand bids.
    """

    module: str
    example: Example
    reading: Reading
    expected: Call
    choice: Choice

    @property
    def passed(self) -> bool:
        """Whether the hand bids what the example says."""
        return self.choice.call == self.expected


def reader_for(rules: RuleBase) -> Reader:
    """Return a reader of auctions where both sides play a system."""
    return Reader(dict.fromkeys(Side, rules))


def auction_of(example: Example) -> Auction:
    """Return the auction before an example's call.

    Without a dealer North deals. `vul we` and `vul they` are not words of the language: the
    sides are named.
    """
    dealer = parse_seat(example.dealer) if example.dealer else Seat.NORTH
    vulnerability = (
        parse_vulnerability(example.vulnerability) if example.vulnerability else Vulnerability.NONE
    )
    calls = tuple(parse_call(call) for call in example.auction)
    return Auction(dealer, calls, vulnerability)


def run_examples(
    rules: RuleBase, examples: Iterable[tuple[str, Example]] | None = None
) -> Iterator[Outcome]:
    """Yield the outcome of each example of a system, or of those given."""
    reader = reader_for(rules)
    for module, example in rules.examples if examples is None else examples:
        reading = reader.read(auction_of(example))
        choice = choose(reading, parse_hand(example.hand))
        yield Outcome(module, example, reading, parse_call(example.call), choice)


_MOST_TOLD = 6


def diagnostic(outcome: Outcome) -> Diagnostic:
    """Return a failed example as a diagnostic that shows the rules considered."""
    example, choice, expected = outcome.example, outcome.choice, outcome.expected
    wording = Wording(outcome.reading.reader.rules_of(outcome.reading.state.me))
    row = features_of(parse_hand(example.hand))
    before = outcome.reading.state
    related: list[Related] = []
    if choice.instance is not None:
        needs = wording.condition(choice.instance, before)
        related.append(Related(f"bids {choice.call}, {needs}", choice.instance.rule.span))
    chosen = len(choice.rejected)
    for place, instance in enumerate(outcome.reading.decision.instances):
        if instance.call != expected or len(related) > _MOST_TOLD:
            continue
        phrase = wording.phrase(instance, before)
        unmet = first_unmet(phrase, row)
        reason = f"needs {text_of(unmet)}" if unmet else "comes later"
        if place > chosen and unmet:
            reason += ", and comes later"
        related.append(Related(f"not {expected}: {reason}", instance.rule.span))
    if len(related) <= (choice.instance is not None):
        related.append(Related(f"no rule bids {expected} here", example.span))
    return Diagnostic(
        "E401",
        Severity.ERROR,
        f"the hand bids {choice.call}, not {expected}",
        example.span,
        related=tuple(related),
    )


@dataclass(frozen=True, slots=True)
class Report:
    """What is wrong with a system.

    Attributes:
        problems: errors and warnings in its files, then examples that fail.
        texts: the text of each file, by the name that spans use.
        summary: one line.
    """

    problems: list[Diagnostic]
    texts: dict[str, str]
    summary: str


def check_system(name: str) -> Report:
    """Return what is wrong with a system or file, its examples included.

    A file without a header, such as `systems/sayc/openings.bid`, is checked as a part of the
    system in its folder.

    Raises:
        UnknownSystemError: There is no such system or file.
    """
    from bidwright.kb.load import MAIN, load  # it needs the parser

    system = load(name)
    path = Path(name)
    whole = path.parent / MAIN
    part = None
    if path.is_file() and path.name != MAIN and not system.title and whole.is_file():
        system, part = load(whole), path.as_posix()
    problems = list(system.diagnostics)
    outcomes: list[Outcome] = []
    if not system.has_errors:
        rules = RuleBase(system.name, system.title, system.statements)
        problems += rules.diagnose()
        if not any(problem.is_error for problem in problems):
            outcomes = list(run_examples(rules))
            problems += [diagnostic(outcome) for outcome in outcomes if not outcome.passed]
    if part is not None:
        problems = [each for each in problems if each.span.file == part]
        outcomes = [each for each in outcomes if each.example.span.file == part]
    return Report(problems, system.texts, _summary(name, problems, outcomes))


def _summary(name: str, problems: list[Diagnostic], outcomes: list[Outcome]) -> str:
    failed = sum(not outcome.passed for outcome in outcomes)
    examples = f"{len(outcomes) - failed} of {len(outcomes)} examples bid as stated"
    count = len(problems) - failed
    if count:
        found = f"{count} problem{'s' * (count != 1)}"
        return f"{name}: {found}" + (f", {examples}" if outcomes else "")
    return f"{name}: no problems, {examples}"
