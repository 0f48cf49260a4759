"""Plant defects in a clean system by a seeded script, and count those that the proofs find.

    python bench/seeded_defects.py --system sayc --each 10 --jobs 2 --json seeded.json

The clean system is proved first (from the cache if that was done before): its unsuppressed errors
are false alarms. Then ten defects of each of six kinds are planted in a copy of its files, each
in a block of its own, and the copy is proved. A defect counts as found if there is a finding of its
kind at the planted line (or about it) that the clean system has not.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import as_file, files
from itertools import islice
from pathlib import Path
from shutil import copytree

import numpy as np

from bidwright.authoring.hands.positions import Explorer
from bidwright.authoring.hands.proofs import HandsAt
from bidwright.authoring.lint.allow import allowances, sift
from bidwright.authoring.lint.examine import is_general
from bidwright.authoring.lint.findings import Finding
from bidwright.authoring.lint.prove import ProofStage, prove
from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.inference.reading.reader import Reading
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import render
from bidwright.kb.language.printer import condition_text
from bidwright.kb.language.system import System
from bidwright.kb.language.walk import PlacedRule, call_text, pattern_text, walk
from bidwright.kb.loading.load import load
from bidwright.kb.logic.features import HCP, features
from bidwright.kb.logic.formula import TRUE, holds_for
from bidwright.kb.rules.patterns import last_bids, match
from bidwright.kb.rules.rule import CompiledRule
from bidwright.kb.rules.rulebase import RuleBase

_AUCTIONS = 60
"""Auctions of a pattern up to which all of them are looked at."""

_MARK = re.compile(r"# planted (\d+)$")


@dataclass(frozen=True)
class Plant:
    """A defect to be planted.

    Attributes:
        kind: what it is.
        codes: the findings that count.
        file: the file's name in spans.
        line: the line that is changed, or after which lines are put in.
        taken: how many lines are taken out, from that line on.
        put: lines that are put in instead, or after the line if none is taken out.
        pattern: of the auctions where a finding about a whole position shows it.
    """

    kind: str
    codes: tuple[str, ...]
    file: str
    line: int
    taken: int
    put: tuple[str, ...]
    pattern: ast.Pattern | None = None


class Gardener:
    """Finds places for defects in a system's files, in an order that depends on the seed."""

    def __init__(self, system: System, seed: int) -> None:
        """Look at a system."""
        self.system = system
        self.rules = RuleBase(system.name, system.title, system.statements)
        self.by_id = {rule.id: rule for rule in self.rules.rules}
        self.by_pattern: dict[str, list[CompiledRule]] = defaultdict(list)
        for rule in self.rules.rules:
            self.by_pattern[pattern_text(rule.pattern)].append(rule)
        self.random = random.Random(seed)
        self.explorer = Explorer(self.rules)
        self.plain = [each for each in walk(system.statements) if self._is_plain(each)]
        self.used: set[int] = set()

    def _is_plain(self, each: PlacedRule) -> bool:
        """Tell whether a rule stands alone on a line of a closed block of the system itself."""
        span = each.rule.span
        return (
            "conventions/" not in span.file
            and span.line == span.end_line
            and not each.rule.children
            and len(each.path) == 2
            and not each.pattern.open
            and each.when is None
            and len(each.pattern.elements) > 0
        )

    def plants(self, each: int) -> list[Plant]:
        """Return so many defects of each kind."""
        found: list[Plant] = []
        for kind in (self.gap, self.contradiction, self.tail, self.passed, self.dead, self.overlap):
            candidates = list(self.plain)
            self.random.shuffle(candidates)
            chosen: list[Plant] = []
            for one in candidates:
                if len(chosen) == each or one.path[0] in self.used:
                    continue
                plant = kind(one)
                if plant is not None:
                    self.used.add(one.path[0])
                    chosen.append(plant)
            found += chosen
        return found

    # ------------------------------------------------------------------ the kinds

    def _line(self, each: PlacedRule) -> str:
        return self.system.texts[each.rule.span.file].split("\n")[each.rule.span.line - 1]

    def _siblings(self, each: PlacedRule) -> list[PlacedRule]:
        return [one for one in self.plain if one.path[0] == each.path[0] and one is not each]

    def _other_call(self, each: PlacedRule) -> str | None:
        """Return the call of another firm rule of the block, without letters of its own."""
        own = call_text(each.rule.call)
        for one in self._siblings(each):
            text = call_text(one.rule.call)
            if text not in (own, "P") and isinstance(one.rule.call, ast.LiteralCall):
                return text
        return None

    def _is_firm_and_bare(self, each: PlacedRule) -> bool:
        kinds = {action.kind for action in each.rule.actions}
        firm = not each.rule.optional and each.rule.tier is None
        return firm and each.rule.label is None and "priority" not in kinds

    def _readings(self, each: PlacedRule) -> Iterator[Reading]:
        """Yield a few readings where a rule applies."""
        auctions = self.explorer.auctions_of(each.pattern, self.explorer.start())
        for reading in islice(auctions, 3):
            if any(one.rule.id == each.id for one in reading.decision.instances):
                yield reading

    def _is_needed(self, each: PlacedRule) -> bool:
        """Tell whether some hand of some strength has but a last pass, and nets of `anywhere`."""
        return any(self._takes_more(each, reading) for reading in self._readings(each))

    @staticmethod
    def _takes_more(each: PlacedRule, reading: Reading) -> bool:
        book = [one for one in reading.decision.instances if not one.rule.pattern.open]
        if [one.rule.id for one in book if one.formula == TRUE] != [each.id]:
            return False
        rows = features(HandsAt(reading).draw(1000))
        fits = np.zeros(len(rows), dtype=np.bool_)
        for one in reading.decision.instances:
            is_net = is_general(one) and one.formula == TRUE
            if one.rule.id != each.id and not is_net:
                fits |= holds_for(one.formula, rows)
        return bool(np.any(~fits & (rows[:, HCP] > 2)))

    def _is_passed(self, each: PlacedRule) -> bool:
        """Tell whether nothing else is meant by a call, and partner passes it with some hand."""
        reading = next(self._readings(each), None)
        if reading is None:
            return False
        call = next(i.call for i in reading.decision.instances if i.rule.id == each.id)
        after = reading.with_call(call)
        if {one.rule.id for one in after.meanings[-1].instances} != {each.id}:
            return False
        answer = after.with_call(Call.PASS)
        chosen = answer.decision.choose_for(features(HandsAt(answer).draw(200)))
        instances = answer.decision.instances
        return any(
            instances[at].call == Call.PASS and not instances[at].rule.pattern.open
            for at in chosen
            if at >= 0
        )

    def dead(self, each: PlacedRule) -> Plant | None:
        """A rule after one whose hands are the same."""
        call, condition = self._other_call(each), each.rule.condition
        if call is None or condition is None or not self._is_firm_and_bare(each):
            return None
        line = f'  {call} "planted" {condition_text(condition)}'
        span = each.rule.span
        return Plant("dead rule", ("E411",), span.file, span.line, 0, (line,))

    def overlap(self, each: PlacedRule) -> Plant | None:
        """A block elsewhere with the same pattern and a wider condition for another call."""
        call, condition = self._other_call(each), each.rule.condition
        if call is None or not isinstance(condition, ast.And) or not self._is_firm_and_bare(each):
            return None
        wide = condition_text(condition.items[0])
        main = next(file for file in self.system.texts if file.endswith("/system.bid"))
        last = len(self.system.texts[main].rstrip("\n").split("\n"))
        block = ("", f"after {pattern_text(each.pattern)}", f'  {call} "planted" {wide}')
        return Plant("overlap", ("W421",), main, last, 0, block)

    def gap(self, each: PlacedRule) -> Plant | None:
        """A last pass that is left to weak hands."""
        rule = each.rule
        kinds = {action.kind for action in rule.actions}
        if rule.call != ast.LiteralCall("P") or rule.condition is not None:
            return None
        if "priority" in kinds or rule.tier is not None:
            return None
        nets = [
            one
            for one in self.by_pattern[pattern_text(each.pattern)]
            if one.call == rule.call and one.condition is None
        ]
        single = (ast.LiteralCall, ast.LevelCall)
        exact = all(isinstance(a, single) for e in each.pattern.elements for a in e.alternatives)
        if len(nets) != 1 or not exact or not self._is_needed(each):
            return None
        line = self._line(each)
        head, mark, actions = line.partition(";")
        text = f"{head.rstrip()} hcp ..2" + (f"; {actions.strip()}" if mark else "")
        codes = ("E412", "W428")
        return Plant("gap", codes, rule.span.file, rule.span.line, 1, (text,), each.pattern)

    def passed(self, each: PlacedRule) -> Plant | None:
        """A call that is made forcing although partner may pass it."""
        rule, own = each.rule, call_text(each.rule.call)
        kinds = {action.kind for action in rule.actions}
        silent = not kinds & {"forcing", "forcing_game", "signoff", "nonforcing"}
        if rule.optional or own in ("P", "X", "XX") or not silent:
            return None
        after = self.by_pattern.get(f"{pattern_text(each.pattern)} {own} (P)".lstrip(), [])
        passes = [
            one
            for one in after
            if one.call == ast.LiteralCall("P")
            and (one.condition is None or "forced" not in condition_text(one.condition))
        ]
        if not passes or not self._is_passed(each):
            return None
        answers = {one.id for one in after}
        self.used |= {one.path[0] for one in self.plain if one.id in answers}
        line = self._line(each)
        text = f"{line}, forcing" if rule.actions else f"{line}; forcing"
        return Plant("passed forcing call", ("E415",), rule.span.file, rule.span.line, 1, (text,))

    def tail(self, each: PlacedRule) -> Plant | None:
        """A natural bid that is made a question, with no rule for what opponents may do then."""
        rule, own = each.rule, call_text(each.rule.call)
        kinds = {action.kind for action in rule.actions}
        if not self._is_firm_and_bare(each) or own in ("P", "X", "XX") or "NT" in own:
            return None
        if kinds & {"artificial", "natural", "forcing", "forcing_game", "asks", "signoff"}:
            return None
        start = f"{pattern_text(each.pattern)} {own} ("
        if any(text.startswith(start) and text != f"{start}P)" for text in self.by_pattern):
            return None
        if any(one.pattern.open and one.pattern.elements for one in self._over(rule.call)):
            return None
        line = self._line(each)
        text = f"{line}{',' if rule.actions else ';'} artificial, asks planted"
        return Plant("missing tail", ("W422",), rule.span.file, rule.span.line, 1, (text,))

    def _over(self, call: ast.CallPattern) -> Iterator[CompiledRule]:
        """Yield the rules of patterns with `...` that continue a call."""
        for rule in self.rules.rules:
            elements = rule.pattern.elements
            if rule.pattern.open and len(elements) > 1 and call in elements[-2].alternatives:
                yield rule

    def contradiction(self, each: PlacedRule) -> Plant | None:
        """A rule for more points than an earlier call of the same hand allowed."""
        if len(each.pattern.elements) < 4 or not self._is_firm_and_bare(each):
            return None
        readings = self.explorer.auctions_of(each.pattern, self.explorer.start())
        shown = [r.state.shown[r.state.me].hcp[1] for r in islice(readings, _AUCTIONS + 1)]
        most = max(shown, default=37)
        if most > 17 or len(shown) > _AUCTIONS:
            return None
        line = f'  {call_text(each.rule.call)} "planted" hcp {most + 3}+'
        start = self.system.statements[each.path[0]].statement.span.line
        return Plant("contradiction", ("E413",), each.rule.span.file, start, 0, (line,))


# ------------------------------------------------------------------------- planting


def sow(plants: list[Plant], system: System, root: Path, name: str) -> None:
    """Write the files of a system with the defects, each line put in with its number."""
    by_file: dict[str, list[tuple[int, Plant]]] = defaultdict(list)
    for number, plant in enumerate(plants):
        by_file[plant.file].append((number, plant))
    for file, some in by_file.items():
        lines = system.texts[file].rstrip("\n").split("\n")
        for number, plant in sorted(some, key=lambda one: (-one[1].line, -one[0])):
            put = [*plant.put[:-1], f"{plant.put[-1]}  # planted {number}"] if plant.put else []
            at = plant.line - 1 if plant.taken else plant.line
            lines[at : at + plant.taken] = put
        (root / file.removeprefix("systems/")).write_text("\n".join(lines) + "\n", encoding="utf-8")


def prove_all(system: System, jobs: int, title: str) -> list[Finding]:
    """Return the findings of a system, telling the stages on the standard error."""
    found: list[Finding] = []
    stage = ""
    for each in prove(system, jobs=jobs):
        if isinstance(each, Finding):
            found.append(each)
        elif isinstance(each, ProofStage) and each.stage != stage:
            stage = each.stage
            print(f"{title}: {stage}, {each.total}", file=sys.stderr)
    return found


def numbers_of(finding: Finding, texts: dict[str, str]) -> set[int]:
    """Return the numbers of the planted lines that a finding, or what belongs to it, stands at."""
    spans = [finding.diagnostic.span, *(each.span for each in finding.diagnostic.related)]
    marks = (_MARK.search(texts[span.file].split("\n")[span.line - 1]) for span in spans)
    return {int(mark[1]) for mark in marks if mark}


def found_of(
    plants: list[Plant], findings: list[Finding], clean: list[Finding], texts: dict[str, str]
) -> set[int]:
    """Return the numbers of the defects that were found.

    A finding about a whole position counts if a witness shows it where the plant stands, and the
    clean system has none of the kind at that rule.
    """
    before = {(each.code, each.rule) for each in clean}
    found: set[int] = set()
    for each in findings:
        at = {number for number in numbers_of(each, texts) if each.code in plants[number].codes}
        if each.witness is not None and (each.code, each.rule) not in before:
            at |= {
                number
                for number, plant in enumerate(plants)
                if plant.pattern is not None
                and each.code in plant.codes
                and fits(plant.pattern, each.witness.auction)
            }
        found |= at
    return found


def fits(pattern: ast.Pattern, auction: Auction) -> bool:
    """Tell whether an auction is one of a pattern."""
    calls = auction.calls
    first = next((place for place, call in enumerate(calls) if call != Call.PASS), len(calls))
    return match(pattern, calls[first:], last_bids(calls[first:])) is not None


def main() -> int:
    """Run the benchmark and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--each", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    start = time.monotonic()
    system = load(args.system)
    clean = prove_all(system, args.jobs, "clean")
    first = time.monotonic()
    kept = sift((each.diagnostic for each in clean), allowances(system.texts), frozenset()).kept
    false = [each for each in kept if each.is_error]
    plants = Gardener(system, args.seed).plants(args.each)
    with tempfile.TemporaryDirectory() as folder, as_file(files("bidwright") / "systems") as root:
        copy = Path(folder) / "systems"
        copytree(root, copy)
        sow(plants, system, copy, args.system)
        planted = load(copy / args.system)
        errors = [each for each in planted.diagnostics if each.is_error]
        if errors:
            print(render(errors, planted.texts))
            return 1
        findings = prove_all(planted, args.jobs, "planted")
    found = found_of(plants, findings, clean, planted.texts)
    total = Counter(plant.kind for plant in plants)
    detected = Counter(plants[number].kind for number in found)
    print(f"{'kind':22} detected planted")
    for kind, count in total.items():
        print(f"{kind:22} {detected[kind]:8} {count:7}")
    print(f"{'all':22} {len(found):8} {len(plants):7}")
    print(f"errors on the clean system: {len(false)}")
    second = time.monotonic() - first
    print(f"{first - start:.0f} s for the clean system, {second:.0f} s for the planted one")
    for number, plant in enumerate(plants):
        if number not in found:
            print(f"missed {number}: {plant.kind} at {plant.file}:{plant.line} {plant.put[-1:]}")
    if args.json:
        result = {"detected": detected, "planted": total, "false_errors": len(false)}
        args.json.write_text(json.dumps(result, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
