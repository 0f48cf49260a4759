"""Answers that need the engine: hovers, hands, examples and the background check of a system.

This runs in a process of its own (`worker`), so the server answers keystrokes while it is busy.
Where texts have errors, the last ones that had none are used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.resources.abc import Traversable
from pathlib import Path

import numpy as np

from bidwright.authoring.examples.testing import failure_text
from bidwright.authoring.examples.testing import summary as summary_of
from bidwright.authoring.hands.dealing import Spot, example_line
from bidwright.authoring.hands.positions import Explorer, Position, setting_text
from bidwright.authoring.hands.proofs import HandsAt, Question, chosen_by, frequency
from bidwright.authoring.lint.catalogue import LINTS
from bidwright.authoring.lint.claims import claims_offered
from bidwright.authoring.lint.findings import rendered
from bidwright.authoring.lint.prove import ProofStage, prove
from bidwright.editor.editor_files import real_path
from bidwright.editor.helper import PROOFS
from bidwright.inference.explanation.explain import Explainer
from bidwright.inference.explanation.prose import call_lines
from bidwright.inference.explanation.text_style import TextStyle
from bidwright.inference.reading.examples import (
    Suite,
    auction_of,
    diagnostic,
    reader_for,
    run_examples,
)
from bidwright.inference.reading.reader import Reading
from bidwright.inference.reading.two_conventions import TwoConventions, claims
from bidwright.kb.assembly import rule_base
from bidwright.kb.checks.allow import allowances, as_known, sift
from bidwright.kb.checks.statement_cache import Memory
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic
from bidwright.kb.language.system import System
from bidwright.kb.loading.incremental import Looks, ReadOnce
from bidwright.kb.loading.load import load
from bidwright.kb.rules.author_claims import claim_text
from bidwright.kb.rules.rule import AuthorClaim, CompiledRule
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.kb.wording.phrase_text import text_of
from bidwright.kb.wording.shares import precise_share
from bidwright.kb.wording.words import Style

Texts = Mapping[str, str]
"""The texts of files that are not saved, by path."""

_STYLE = TextStyle(Style.SYMBOLS, width=1000)
_SEED = 1
_MOST_RULES = 20
"""The most rules of a block that hands are dealt for at once."""

_PROVED = frozenset(LINTS) - {"I427"}
"""The codes that are looked for; thresholds are tested by a corpus, on the command line."""

_POSITIONS = 8
"""Positions for the claims offered of a rule."""

_BASES = 40
"""Auctions of examples that a pattern with `...` may go on from."""


class Overlay(ReadOnce):
    """Files of the disk, some of them covered by an editor's texts.

    Attributes:
        texts: the editor's texts, by path.
    """

    def __init__(self) -> None:
        """Start with no text of an editor."""
        super().__init__()
        self.texts: Texts = {}

    def exists(self, path: Traversable) -> bool:
        """Return True if there is such a file, on the disk or in the editor."""
        return str(real_path(str(path))) in self.texts or super().exists(path)

    def text(self, path: Traversable) -> str:
        """Return the text of a file, the editor's if it has one."""
        text = self.texts.get(str(real_path(str(path))))
        return super().text(path) if text is None else text


@dataclass
class Compiled:
    """A system without errors, ready to be asked.

    Attributes:
        root: its first file.
        system: the system as it was loaded.
        rules: the rules.
    """

    root: Path
    system: System
    rules: RuleBase

    @cached_property
    def explorer(self) -> Explorer:
        """Finds auctions that reach rules."""
        return Explorer(self.rules, reader_for(self.rules))

    @cached_property
    def explainer(self) -> Explainer:
        """Puts calls in words."""
        return Explainer(self.explorer.reader)

    @cached_property
    def bases(self) -> list[Reading]:
        """Auctions that patterns with `...` may continue: those of examples, short ones first."""
        auctions = {auction_of(example) for _, example in self.rules.examples}
        ordered = sorted(auctions, key=lambda each: (len(each.calls), each.calls))
        reader = self.explorer.reader
        return [self.explorer.start(), *map(reader.read, ordered[:_BASES])]

    def reading_of(self, rule: CompiledRule) -> Reading | None:
        """Return the reading of an auction with a rule that applies; None if none is found."""
        bases = self.bases if rule.pattern.open else ()
        for reading in self.explorer.positions_of([rule], limit=1, bases=bases):
            if any(each.rule is rule for each in reading.decision.instances):
                return reading
        return None

    def positions_of(self, rule: CompiledRule) -> list[Position]:
        """Return some positions of a rule."""
        bases = self.bases if rule.pattern.open else ()
        readings = self.explorer.positions_of([rule], limit=_POSITIONS, bases=bases)
        return list(map(Position, readings))

    def shortened(self, text: str) -> str:
        """Return a text with names of files relative to the system's folder."""
        return text.replace(f"{self.root.parent.as_posix()}/", "")


class Workbench:
    """Answers requests about systems as an editor has them."""

    def __init__(self, files: Overlay | None = None) -> None:
        """Start with no system; `files` reads texts that no editor has."""
        self._files = files or Overlay()
        self._memories: dict[Path, Memory] = {}
        self._seen: dict[Path, Mapping[str, str]] = {}
        self._compiled: dict[Path, Compiled] = {}
        self._problems: dict[Path, tuple[Sequence[Diagnostic], Texts]] = {}

    def compiled(self, root: Path, texts: Texts) -> Compiled | None:
        """Return a system by the editor's texts; by the last good ones if these have errors."""
        self._files.texts = texts
        if root not in self._memories:
            self.begin(root, Looks.kept(root))
        system = load(root, self._files, self._memories[root])
        if self._seen.get(root) != system.texts and not system.has_errors:
            rules = rule_base(system.name, system.title, system.statements)
            self._compiled[root] = Compiled(root, system, rules)
            self._seen[root] = dict(system.texts)
        self._problems[root] = system.diagnostics, system.texts
        return self._compiled.get(root)

    def problems(self, root: Path) -> Sequence[Diagnostic]:
        """Return the diagnostics of a system's texts when it was read last.

        Suppressed ones are left out.
        """
        problems, texts = self._problems.get(root, ((), {}))
        return sift(problems, allowances(texts), frozenset()).shown

    def begin(self, root: Path, looks: Looks) -> None:
        """Begin with a system by its saved trees, or by those of one that it includes."""
        self._files.take(looks.trees)
        self._memories[root] = looks.memory

    def knows(self, root: Path) -> bool:
        """Return True if a system was loaded before."""
        return root in self._memories

    def forget(self, root: Path) -> None:
        """Forget a system."""
        for cache in (self._memories, self._seen, self._compiled, self._problems):
            cache.pop(root, None)

    # ---------------------------------------------------------------- requests

    def hover(self, root: Path, texts: Texts, rules: Sequence[str]) -> str:
        """Return the meanings of rules, as Markdown; empty if no auction reaches them."""
        compiled = self.compiled(root, texts)
        if compiled is None:
            return ""
        wanted = [compiled.rules.by_id[each] for each in rules if each in compiled.rules.by_id]
        shown = [text for rule in wanted[:2] if (text := _rule_text(compiled, rule))]
        if len(wanted) > len(shown) and shown:
            shown.append(f"It is included {len(wanted)} times.")
        return "\n\n---\n\n".join(shown)

    def deal(self, root: Path, texts: Texts, rules: Sequence[str], count: int) -> str:
        """Return hands for rules, as lines of examples that can be pasted into a file."""
        compiled = self.compiled(root, texts)
        if compiled is None:
            return "# The file has errors: mend them to see hands.\n"
        wanted = [compiled.rules.by_id[each] for each in rules if each in compiled.rules.by_id]
        lines: list[str] = []
        for rule in wanted[:_MOST_RULES]:
            lines += _examples_for(compiled, rule, count)
        if len(wanted) > _MOST_RULES:
            lines.append(f"# and {len(wanted) - _MOST_RULES} more rules")
        return compiled.shortened("\n".join(lines) + "\n")

    def claims(self, root: Path, texts: Texts, rules: Sequence[str]) -> str:
        """Return claims true of all rules of a line, in the language; empty for none."""
        compiled = self.compiled(root, texts)
        there = [] if compiled is None else [compiled.rules.by_id.get(each) for each in rules]
        offered: list[tuple[AuthorClaim, ...]] = []
        for rule in there[:_MOST_RULES]:
            if compiled is not None and rule is not None:
                offered.append(claims_offered(rule, compiled.positions_of(rule)))
        first = offered[0] if offered else ()
        return ", ".join(claim_text(each) for each in first if all(each in one for one in offered))

    def examples(self, root: Path, texts: Texts, path: str, line: int | None) -> str:
        """Return the outcomes of the examples of a file, or of the one on a line, in words."""
        compiled = self.compiled(root, texts)
        if compiled is None:
            return "The file has errors: mend them to run its examples."
        chosen = [
            (module, each)
            for module, each in compiled.rules.examples
            if _is_at(each.span, path) and line in (None, each.span.line)
        ]
        outcomes = list(run_examples(compiled.rules, chosen))
        parts = [failure_text(each) for each in outcomes if not each.passed]
        return compiled.shortened("\n\n".join([*parts, summary_of(outcomes)]))

    def check(
        self, root: Path, texts: Texts, paths: Sequence[str]
    ) -> Iterator[tuple[str, list[Diagnostic]]]:
        """Yield the problems that take longer to find: a word on each step, and its diagnostics.

        Args:
            root: the system's first file.
            texts: the editor's texts.
            paths: the open files; examples are run in these.
        """
        compiled = self.compiled(root, texts)
        if compiled is None or self._seen.get(root) != compiled.system.texts:
            return
        suite = Suite(compiled.system, name=root)
        remarks = suite.sifted(suite.problems).about
        yield "definitions", [*compiled.rules.diagnose(), *remarks]
        examples = [
            pair for pair in compiled.rules.examples if any(_is_at(pair[1].span, p) for p in paths)
        ]
        conventions = TwoConventions(compiled.system, compiled.rules)
        for number, outcome in enumerate(run_examples(compiled.rules, examples), 1):
            problems = [] if outcome.passed else [diagnostic(outcome, compiled.system)]
            before = str(outcome.reading.auction)
            problems += conventions.at(before, claims(outcome.reading))
            yield f"examples {number}/{len(examples)}", problems
        yield PROOFS, []
        proved: dict[Diagnostic, float | None] = {}
        rare: set[Diagnostic] = set()
        for step in prove(compiled.system, compiled.rules):
            if isinstance(step, ProofStage):
                yield f"{step.stage} {step.done}/{step.total}", []
            else:
                proved[rendered(step)] = step.weight
                rare |= {rendered(step)} if step.is_rare else set()
        sifted = suite.sifted([*suite.problems, *proved], _PROVED, proved)
        known_pairs = [as_known(pair) for pair in sifted.known if pair[0] in proved.keys() - rare]
        reported = {*suite.problems, *remarks, *rare}
        yield "done", [e for e in (*sifted.kept, *known_pairs, *sifted.about) if e not in reported]


def _is_at(span: ast.Span, path: str) -> bool:
    return str(real_path(span.file)) == path or str(_packaged(span.file)) == path


def _packaged(name: str) -> Path:
    """Return the path of a file that comes with the package, by its name in messages."""
    from bidwright.kb.loading.load import systems_root

    return real_path(str(Path(str(systems_root())).parent / name))


# ----------------------------------------------------------------------- texts


def _question(reading: Reading, rule: CompiledRule) -> tuple[Question, int] | None:
    instances = reading.decision.instances
    places = [place for place, each in enumerate(instances) if each.rule is rule]
    return (chosen_by(reading.decision, *places), places[0]) if places else None


def _rule_text(compiled: Compiled, rule: CompiledRule) -> str:
    reading = compiled.reading_of(rule)
    asked = _question(reading, rule) if reading is not None else None
    if reading is None or asked is None:
        return f"**{rule.id}**\n\nNo auction was found in which this rule applies."
    question, place = asked
    instance = reading.decision.instances[place]
    note = compiled.explainer.note(instance, reading.state)
    here = HandsAt(reading)
    share, reached = here.probability(question), frequency(reading)
    lines = [f"**{_STYLE.call(instance.call)}** after `{setting_text(reading.auction)}`", ""]
    lines.append(f"- needs: {text_of(note.needs, _STYLE.suits)}")
    if rule.text:
        lines.append(f"- the text says: “{rule.text}”")
    explanation = compiled.explainer.explain_last(reading.with_call(instance.call))
    lines += [
        f"- {label}: {compiled.shortened(text)}"
        for label, text in call_lines(explanation, reading.auction, _STYLE)
    ]
    chosen = f"chosen by {precise_share(share.value)}" if share.value else "chosen by none"
    lines.append(f"- {chosen} of the hands that get here")
    if reading.auction.calls:
        lines.append(f"- {precise_share(reached.value)} of deals come here")
    return "\n".join(lines)


def _examples_for(compiled: Compiled, rule: CompiledRule, count: int) -> Iterator[str]:
    """Yield hands for a rule as examples; with several, also pairs about its thresholds."""
    reading = compiled.reading_of(rule)
    if reading is None:
        yield f"# {rule.id}: no auction was found in which this rule applies"
        return
    spot = Spot(reading, rule.id)
    rng = np.random.default_rng(_SEED)
    hands = spot.draw(count, rng)
    if not hands:
        yield f"# {spot}: no hand bids by this rule"
        return
    yield f"# {spot}"
    yield from (example_line(spot.auction, hand, spot.call(hand)) for hand in hands)
    for pair in spot.boundaries(rng) if count > 1 else ():
        yield f"# {pair.threshold.change}"
        for hand, call in zip((pair.inside, pair.outside), pair.calls, strict=True):
            yield example_line(spot.auction, hand, call)
