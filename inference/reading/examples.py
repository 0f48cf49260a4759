"""Runs the examples of convention files: each hand has to be bid as its line says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call, parse_call
from bidwright.bridge.cards import Seat, Side, Vulnerability, parse_seat, parse_vulnerability
from bidwright.bridge.hand import parse_hand
from bidwright.inference.reading.changed_examples import authors_line, changes_behind
from bidwright.inference.reading.player import Choice, choose
from bidwright.inference.reading.reader import Reader, Reading
from bidwright.kb.assembly import rule_base
from bidwright.kb.checks.allow import Sifted, allowances, codes_of_files, sift
from bidwright.kb.expressions.agreements import Example
from bidwright.kb.expressions.nodes import Span
from bidwright.kb.language.diagnostics import Diagnostic, Related, Severity, caused_at
from bidwright.kb.language.printer import condition_text, statement_lines
from bidwright.kb.logic.features import features_of
from bidwright.kb.logic.public_facts import PublicFacts
from bidwright.kb.rules.decision_list import Instance
from bidwright.kb.rules.rule import CompiledRule
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.kb.wording.phrase_text import text_of
from bidwright.kb.wording.phrases import first_unmet
from bidwright.kb.wording.words import Wording

if TYPE_CHECKING:
    from bidwright.kb.language.rule_changes import RuleChange
    from bidwright.kb.language.system import System


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of running an example.

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
        """True if the hand bids as the example states."""
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
        # One reader for all examples: their auctions have beginnings in common.
        reading = reader.read(auction_of(example))
        choice = choose(reading, parse_hand(example.hand))
        yield Outcome(module, example, reading, parse_call(example.call), choice)


@dataclass(frozen=True, slots=True)
class Considered:
    """A rule that had a say in an example, and why it did not make the call.

    Attributes:
        instance: the rule.
        chosen: whether it made the call.
        reason: `needs 15 to 17 HCP`; what it asks for, if it made the call; `comes later` if it
            fits as well.
    """

    instance: Instance
    chosen: bool
    reason: str


def considered(outcome: Outcome) -> list[Considered]:
    """Return the rules that had a say, in the order of choice.

    They are those before the one that made the call, that one, and later ones for the call that
    the example asks for.
    """
    choice, before = outcome.choice, outcome.reading.state
    wording = Wording(outcome.reading.reader.rules_of(before.me))
    row = features_of(parse_hand(outcome.example.hand))
    result: list[Considered] = []
    for place, instance in enumerate(outcome.reading.decision.instances):
        # Later rules for other calls had no say in the choice.
        if place > len(choice.rejected) and instance.call != outcome.expected:
            continue
        if instance is choice.instance:
            result.append(Considered(instance, True, wording.condition(instance, before)))
            continue
        unmet = first_unmet(wording.phrase(instance, before), row)
        reason = f"needs {text_of(unmet)}" if unmet else _comes_later(instance, choice.instance)
        if place > len(choice.rejected) and unmet:
            reason += ", and comes later"
        result.append(Considered(instance, False, reason))
    return result


def _comes_later(instance: Instance, chosen: Instance | None) -> str:
    """Return the reason why a rule that fits did not make the call: it comes after another one."""
    if chosen is None:
        return "comes later"
    rank, first = instance.rule.rank, chosen.rule.rank
    # What a system adds comes first after the same calls, so this is no matter of order.
    if rank.layer < first.layer and first.specificity < rank.specificity:
        return f"comes later: the block of {chosen.call} is more specific, 'when' included"
    return "comes later"


def ruled_out(outcome: Outcome) -> list[tuple[CompiledRule, str]]:
    """Return the rules for the expected call that the auction rules out, each with the reason."""
    state = outcome.reading.state
    rules = outcome.reading.reader.rules_of(state.me)
    return [
        (rule, f"{condition_text(condition)} does not hold here")
        for rule, condition in rules.ruled_out(PublicFacts(state), outcome.expected)
    ]


_MOST_RELATED = 6
_MOST_CHANGES = 3


def diagnostic(outcome: Outcome, system: System) -> Diagnostic:
    """Return a failed example as a diagnostic that shows the rules for both calls.

    Of an example that a variant has made wrong it names what the variant changes.
    """
    example, choice, expected = outcome.example, outcome.choice, outcome.expected
    account = considered(outcome)
    related = [
        Related(f"bids {choice.call}, {each.reason}", each.instance.rule.span)
        for each in account
        if each.chosen
    ]
    for_expected = [each for each in account if each.instance.call == expected]
    related += [
        Related(f"not {expected}: {each.reason}", each.instance.rule.span) for each in for_expected
    ]
    # Without any rule for the expected call that is the reason, so it is shown.
    if not for_expected:
        related += [
            Related(f"not {expected}: {reason}", rule.span) for rule, reason in ruled_out(outcome)
        ] or [Related(f"no rule bids {expected} here", example.span)]
    related = related[: _MOST_RELATED + 1]
    help, causes = None, []
    # In an author's own file the example itself may be wrong; in an included one something changed.
    if example.span.file not in system.own_files:
        changes = [each.related for each in _changes_behind(outcome, system)[:_MOST_CHANGES]]
        # The last calls first: they are likelier causes than earlier ones.
        earlier = (each for one in reversed(outcome.reading.meanings) for each in one.instances)
        causes = [each.span for each in (*changes, *related)] + [each.rule.span for each in earlier]
        related += changes
        help = f"if that is meant, write 'retire {statement_lines(example)[0]} \"why\"'"
    problem = Diagnostic(
        "E401",
        Severity.ERROR,
        f"the hand bids {choice.call}, not {expected}",
        example.span,
        help=help,
        related=tuple(related),
    )
    cause = authors_line(causes, example.span.file, system)
    return problem if cause is None else caused_at(problem, cause)


def _changes_behind(outcome: Outcome, system: System) -> list[RuleChange]:
    reading = outcome.reading
    return changes_behind(
        system.changes,
        reading.state.calls,
        (outcome.expected, outcome.choice.call),
        [each.instance for each in considered(outcome)],
        reading.reader.rules_of(reading.state.me),
    )


@dataclass(frozen=True)
class Suite:
    """A system or file, with the examples that belong to it.

    Attributes:
        system: as it was loaded.
        part: the file whose examples these are, if not the whole system's.
        name: the system as it was asked for; empty if it cannot be loaded again.
        aside: the examples found so far that hold for other values of parameters.
    """

    system: System
    part: str | None = None
    name: str | Path = ""
    aside: set[Span] = field(default_factory=set)

    @cached_property
    def rules(self) -> RuleBase | None:
        """The compiled system; None if its files have errors."""
        if self.system.has_errors:
            return None
        return rule_base(self.system.name, self.system.title, self.system.statements)

    @cached_property
    def problems(self) -> list[Diagnostic]:
        """The diagnostics of the files, examples aside."""
        return self.own([*self.system.diagnostics, *self._mistakes])

    @cached_property
    def _mistakes(self) -> list[Diagnostic]:
        """The mistakes in the compiled rules."""
        return self.rules.diagnose() if self.rules is not None else []

    @cached_property
    def is_usable(self) -> bool:
        """True if the examples can be run: nothing is wrong with the rules of any file."""
        return self.rules is not None and not self._mistakes

    @cached_property
    def examples(self) -> list[tuple[str, Example]]:
        """The examples to be run, each with its module; none if the rules are not usable."""
        if self.rules is None or not self.is_usable:
            return []
        return [each for each in self.rules.examples if self.part in (None, each[1].span.file)]

    def own(self, problems: Sequence[Diagnostic]) -> list[Diagnostic]:
        """Return the problems that are in the suite's file, or all of them."""
        return [each for each in problems if self.part is None or each.span.file == self.part]

    def sifted(
        self,
        found: Iterable[Diagnostic],
        proved: frozenset[str] = frozenset(),
        weights: Mapping[Diagnostic, float | None] | None = None,
    ) -> Sifted:
        """Return the problems that comments do not suppress, and the faults of the comments.

        A comment that suppresses nothing is reported only where the files have no errors, and only
        for files of the system itself: in a convention, systems that include it may need it.
        Nor is a file of the package that several systems share: one may need what another does not.

        Args:
            found: the problems of files, examples, and proofs if there are any.
            proved: the codes that proofs looked for.
            weights: the frequency of findings, per deal.
        """
        texts = self.system.texts
        allowed = allowances({f: text for f, text in texts.items() if self.part in (None, f)})
        # In a convention a comment may be needed by a system that includes it.
        if not self.is_usable or self.system.is_convention:
            looked_for: frozenset[str] = frozenset()
        else:
            looked_for = proved | codes_of_files(allowed)
        sifted = sift(found, allowed, looked_for, weights)
        own_files = self.system.own_files - self.system.shared | {self.part}
        about = [each for each in sifted.about if each.span.file in own_files and self.is_usable]
        return replace(sifted, about=about)

    def run(self) -> Iterator[Outcome]:
        """Yield the outcomes of the examples that count; of none if the rules are not usable."""
        if self.rules is not None:
            outcomes = run_examples(self.rules, self.examples)
            yield from (each for each in outcomes if each.passed or not self.is_aside(each))

    def is_aside(self, outcome: Outcome) -> bool:
        """Return True if a failing example of a module holds for the module's own values.

        An example is written for the values that its module has by itself. Where the system gives
        others, an example that fails is set aside if it is bid as stated without them.
        """
        # Without values that differ the example is simply wrong.
        if outcome.example.span.file not in self.system.varied or self._with_own_values is None:
            return False
        alone = [(outcome.module, outcome.example)]
        # Bid again with the module's own values: it is then an example for those.
        if next(iter(run_examples(self._with_own_values, alone))).passed:
            self.aside.add(outcome.example.span)
            return True
        return False

    @cached_property
    def _with_own_values(self) -> RuleBase | None:
        """The system with the modules' own values; None if it has errors then."""
        from bidwright.kb.loading.incremental import load_again  # it needs the parser

        system = load_again(self.name, only_defaults=True) if self.name else None
        if system is None or system.has_errors:
            return None
        return rule_base(system.name, system.title, system.statements)


def open_suites(names: Iterable[str]) -> list[Suite]:
    """Return systems or files with their examples.

    A file without a header, such as `systems/sayc/openings.bid`, is taken as a part of the
    system in its folder; one that several systems of the package share as a part of the first
    of them that includes it.

    Raises:
        UnknownSystemError: There is no such system or file.
    """
    from bidwright.kb.loading.incremental import load_again  # it needs the parser
    from bidwright.kb.loading.search_path import MAIN

    wholes: dict[Path, Suite] = {}
    suites: list[Suite] = []
    for name in names:
        path = Path(name)
        whole = path.parent / MAIN
        system = load_again(name)
        if path.is_file() and path.name != MAIN and not system.title and whole.is_file():
            # Files of one system share what was loaded of it.
            wholes.setdefault(whole, Suite(load_again(whole), name=whole))
            suites.append(replace(wholes[whole], part=path.as_posix()))
        else:
            shared = _shared_part(path) if path.is_file() and not system.title else None
            suites.append(shared or Suite(system, name=name))
    return suites


def _shared_part(path: Path) -> Suite | None:
    """Return a file of the package as a part of a system that includes it, None if none does."""
    from bidwright.kb.loading.incremental import load_again  # it needs the parser
    from bidwright.kb.loading.search_path import name_in_package, packaged_systems_around

    for whole in packaged_systems_around(path):
        system = load_again(whole.parent.name)
        name = name_in_package(path)
        if name in system.texts:
            return Suite(system, part=name, name=whole.parent.name)
    return None
