"""Plant defects in a clean system by a seeded script, and count those that the proofs find.

    python bench/seeded_defects.py --system sayc --each 10 --jobs 2 --json seeded.json

The clean system is proved first (from the cache if that was done before): its unsuppressed errors
are false alarms. Then ten defects of each of ten kinds are planted in its files as they are read,
each in a block of its own, and the system is proved again. A defect counts as found if there is a
finding of its kind at the planted line (or about it) that the clean system has not.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import Counter
from pathlib import Path

from bidwright.authoring.lint.findings import Finding
from bidwright.authoring.lint.prove import ProofStage, prove
from bidwright.bench.planting import DefectSeeder, PlantedFiles, SeededDefect
from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import Call
from bidwright.kb.checks.allow import allowances, sift
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import render
from bidwright.kb.language.system import System
from bidwright.kb.loading.load import load
from bidwright.kb.rules.patterns import last_bids, match
from bidwright.lab.ending import ended, how_many, seed_number
from bidwright.runtime.crew import Crew

_MARK = re.compile(r"# planted (\d+)$")


def prove_all(system: System, jobs: int, title: str) -> list[Finding]:
    """Return the findings of a system, telling the stages on the standard error."""
    findings: list[Finding] = []
    stage = ""
    for step in prove(system, crew=Crew(jobs)):
        if isinstance(step, Finding):
            findings.append(step)
        elif isinstance(step, ProofStage) and step.stage != stage:
            stage = step.stage
            print(f"{title}: {stage}, {step.total}", file=sys.stderr)
    return findings


def numbers_of(finding: Finding, texts: dict[str, str]) -> set[int]:
    """Return the numbers of the planted lines that a finding, or what belongs to it, stands at."""
    spans = [finding.diagnostic.span, *(each.span for each in finding.diagnostic.related)]
    marks = (_MARK.search(texts[span.file].split("\n")[span.line - 1]) for span in spans)
    return {int(mark[1]) for mark in marks if mark}


def found_of(
    plants: list[SeededDefect], findings: list[Finding], clean: list[Finding], texts: dict[str, str]
) -> set[int]:
    """Return the numbers of the defects that were found.

    A finding about a whole position counts if a witness shows it where the plant stands, and the
    clean system has none of the kind at that rule.
    """
    before = {(each.code, each.rule) for each in clean}
    detected: set[int] = set()
    for finding in findings:
        at = {
            number for number in numbers_of(finding, texts) if finding.code in plants[number].codes
        }
        if finding.witness is not None and (finding.code, finding.rule) not in before:
            at |= {
                number
                for number, plant in enumerate(plants)
                if plant.pattern is not None
                and finding.code in plant.codes
                and fits(plant.pattern, finding.witness.auction)
            }
        detected |= at
    return detected


def fits(pattern: ast.Pattern, auction: Auction) -> bool:
    """Return True if an auction is one of a pattern."""
    calls = auction.calls
    first = next((place for place, call in enumerate(calls) if call != Call.PASS), len(calls))
    return match(pattern, calls[first:], last_bids(calls[first:])) is not None


def main() -> int:
    """Run the benchmark and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--each", type=how_many, default=10)
    parser.add_argument("--seed", type=seed_number, default=1)
    parser.add_argument("--jobs", type=how_many, default=2)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    start = time.monotonic()
    system = load(args.system)
    clean = prove_all(system, args.jobs, "clean")
    first = time.monotonic()
    remaining = sift(
        (each.diagnostic for each in clean), allowances(system.texts), frozenset()
    ).kept
    false = [each for each in remaining if each.is_error]
    plants = DefectSeeder(system, args.seed).plants(args.each)
    planted = load(args.system, PlantedFiles(plants, system))
    errors = [each for each in planted.diagnostics if each.is_error]
    if errors:
        print(render(errors, planted.texts))
        return 1
    findings = [*prove_all(planted, args.jobs, "planted"), *map(Finding, planted.diagnostics)]
    caught = found_of(plants, findings, clean, planted.texts)
    total = Counter(plant.kind for plant in plants)
    detected = Counter(plants[number].kind for number in caught)
    print(f"{'kind':22} detected planted")
    for kind, count in total.items():
        print(f"{kind:22} {detected[kind]:8} {count:7}")
    print(f"{'all':22} {len(caught):8} {len(plants):7}")
    print(f"errors on the clean system: {len(false)}")
    second = time.monotonic() - first
    print(f"{first - start:.0f} s for the clean system, {second:.0f} s for the planted one")
    for number, plant in enumerate(plants):
        if number not in caught:
            print(f"missed {number}: {plant.kind} at {plant.file}:{plant.line} {plant.put[-1:]}")
    if args.json:
        result = {"detected": detected, "planted": total, "false_errors": len(false)}
        args.json.write_text(json.dumps(result, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(ended(main))
