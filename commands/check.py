"""The verb `check`: mistakes, failing examples, and with `--prove` faults of the rules."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, cast

import click

from bidwright.bridge.errors import InvalidError
from bidwright.commands.common_options import (
    cluster_option,
    json_option,
    quiet_option,
    shards_option,
)
from bidwright.commands.numbers import JOBS
from bidwright.kb.language.diagnostics import DiagnosticValues
from bidwright.runtime.crew import Crew
from bidwright.runtime.sentences import noun_for

if TYPE_CHECKING:
    from bidwright.authoring.lint.findings import Finding
    from bidwright.kb.checks.allow import Allowance
    from bidwright.kb.language.diagnostics import Diagnostic
    from bidwright.kb.rules.rulebase import RuleBase

PROBLEMS, INTERRUPTED = 1, 130

_EPILOG = """\b
Examples:
  bidwright check sayc
  bidwright check my_system/system.bid
  bidwright check my_system/system.bid --fix
  bidwright check my_system/system.bid --retire
  bidwright check my_system/system.bid --watch
  bidwright check sayc --prove --ignore W422
  bidwright check my_system/system.bid --prove --vs acol
  bidwright check sayc --prove --select E412 --deal
  bidwright check sayc --prove --sarif > sayc.sarif"""


@dataclass
class _Result:
    """The results for one of the systems given.

    Attributes:
        summary: one line.
        texts: the text of each file.
        shown: the diagnostics to show.
        suppressed: the diagnostics that a comment suppresses.
        findings: the proved ones among those to show.
        rules: the compiled system, if things were proved.
        theirs: the opponents' system in the proofs, if not the system itself.
        known: the diagnostics to show that comments call known.
        stopped: the sentence about proofs that were stopped; empty if they were not.
    """

    summary: str
    texts: dict[str, str]
    shown: list[Diagnostic]
    suppressed: list[tuple[Diagnostic, Allowance]] = field(default_factory=list)
    findings: dict[Diagnostic, Finding] = field(default_factory=dict)
    rules: RuleBase | None = None
    theirs: RuleBase | None = None
    known: frozenset[Diagnostic] = frozenset()
    stopped: str = ""


@click.command(epilog=_EPILOG)
@click.argument("files", nargs=-1, required=True, metavar="FILE|FOLDER...")
@click.option("--prove", is_flag=True, help="Look for faults of meaning, too: see docs/lints.md.")
@click.option("--vs", metavar="SYSTEM", help="With --prove: the opponents' system.")
@click.option("--select", metavar="CODES", help="Show these codes only: E412, or W4 for all W4xx.")
@click.option("--ignore", metavar="CODES", help="Do not show these codes.")
@click.option(
    "--deal", is_flag=True, help="With --prove: draw a deal for each finding that a hand shows."
)
@click.option("--corpus", type=click.Path(path_type=Path, exists=True, dir_okay=False),
              help="With --prove: boards whose hands test thresholds, as PBN or LIN.")  # fmt: skip
@click.option("--rare", is_flag=True, help="With --prove: show rare findings, too.")
@click.option("--known", "with_known", is_flag=True, help="List what comments call known, too.")
@click.option("--fix", is_flag=True, help="First carry out the advices that need no decision.")
@click.option("--retire", is_flag=True, help="First retire others' examples that now fail.")
@click.option("--watch", is_flag=True, help="Check again when a file changes, until Ctrl-C.")
@click.option("--jobs", type=JOBS, metavar="N", help="Processes (default: cores).")
@cluster_option
@shards_option
@json_option
@quiet_option
@click.option("--sarif", is_flag=True, help="Print SARIF 2.1.0, for code hosts.")
def check(
    files: tuple[str, ...],
    prove: bool,
    vs: str | None,
    select: str | None,
    ignore: str | None,
    deal: bool,
    corpus: Path | None,
    rare: bool,
    with_known: bool,
    fix: bool,
    retire: bool,
    watch: bool,
    jobs: int | None,
    cluster: str | None,
    shards: str | None,
    as_json: bool,
    quiet: bool,
    sarif: bool,
) -> int:
    """Check convention files or systems, bid their examples, and prove them sound.

    Of a folder every system is checked that is in it, and every file that is part of none.
    """
    from bidwright.authoring.convention_files import systems_below

    files = tuple(name for given in files for name in systems_below(given))
    of_proofs = {"--corpus": corpus, "--vs": vs, "--deal": deal, "--rare": rare}
    for name, given in of_proofs.items():
        if given and not prove:
            raise click.UsageError(f"{name} needs --prove")
    if (cluster or shards) is not None and not prove:
        raise click.UsageError("--cluster and --shards need --prove")
    keep = _chooser(select, ignore)
    if watch:
        if prove or as_json or sarif or fix or retire:
            raise click.UsageError(
                "expected --watch without --prove, --json, --sarif, --fix and --retire"
            )
        return _watch(files, keep)
    if fix:
        _mend(files)
    if retire:
        _retire(files)
    theirs = _opponents(vs) if vs is not None else None
    results: list[_Result] = []
    # Programs that read the answer get nothing else.
    quiet = quiet or as_json or sarif
    for file in files:
        if prove:
            crew = Crew(jobs or os.cpu_count() or 1, cluster, shards)
            result = _prove(file, crew, corpus, theirs, with_rare=rare, quiet=quiet)
        else:
            result = _check(file, quiet=quiet)
        result.shown = [each for each in result.shown if keep(each.code)]
        results.append(result)
        if result.stopped:
            break
    if sarif:
        from bidwright.authoring.lint.sarif import to_sarif

        shown = [each for one in results for each in one.shown]
        suppressed = [pair for one in results for pair in one.suppressed]
        findings = {key: value for one in results for key, value in one.findings.items()}
        print(json.dumps(to_sarif(shown, suppressed, findings), indent=2, ensure_ascii=False))
    elif as_json:
        print(json.dumps({"problems": [_json(each, one) for one in results for each in one.shown]},
                         indent=2, ensure_ascii=False))  # fmt: skip
    else:
        _print(results, deal, with_known=with_known)
    if results[-1].stopped:
        click.echo(f"bidwright: {results[-1].stopped}", err=True)
        return INTERRUPTED
    grave = [each for one in results for each in one.shown if each.severity.value != "info"]
    return PROBLEMS if grave else 0


def _chooser(select: str | None, ignore: str | None) -> Callable[[str], bool]:
    """Return a predicate of the codes to show.

    Raises:
        InvalidError: something is no code, nor the beginning of one.
    """
    wanted, unwanted = _codes(select), _codes(ignore)

    def keep(code: str) -> bool:
        return code.startswith(wanted or ("",)) and not (unwanted and code.startswith(unwanted))

    return keep


def _codes(text: str | None) -> tuple[str, ...]:
    codes = tuple(each.strip().upper() for each in (text or "").split(",") if each.strip())
    for code in codes:
        if code[0] not in "EWI" or not (code[1:].isdigit() or code[1:] == "") or len(code) > 4:
            raise InvalidError(f"expected codes such as E412 or W4, got {code!r}")
    return codes


# ----------------------------------------------------------------------- mending


def _mend(names: Sequence[str]) -> None:
    """Carry out safe advices in the files of systems, and print the changed lines."""
    from bidwright.authoring.mending import mend

    done = [each for name in dict.fromkeys(names) for each in mend(name)]
    for change in done:
        click.echo(f"{change.file}:{change.line}: mended {', '.join(change.codes)}", err=True)
        click.echo(f"  - {change.before.strip()}\n  + {change.after.strip()}", err=True)
    count = len(done)
    click.echo(f"{count or 'no'} {noun_for(count, 'line')} mended", err=True)


def _retire(names: Sequence[str]) -> None:
    """Retire others' examples that systems make wrong, and print them."""
    from bidwright.authoring.checking.retiring import retire

    for name in dict.fromkeys(names):
        lines = retire(name)
        for line in lines:
            click.echo(f"  + {line}", err=True)
        count = len(lines)
        sentence = f"{count or 'no'} {noun_for(count, 'example')} of others retired"
        click.echo(f"{name}: {sentence}" + "; look at each" * bool(count), err=True)


# ---------------------------------------------------------------------- watching


def _watch(names: Sequence[str], keep: Callable[[str], bool]) -> int:
    """Check systems whenever a file changes, and print the news, until Ctrl-C."""
    from bidwright.authoring.checking.watching import News, count_text, watch
    from bidwright.kb.language.diagnostics import render_one

    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ

    def tell(name: str, change: News) -> None:
        for problem in change.gone:
            if keep(problem.code):
                click.echo(f"gone: {problem.span}: {problem.code} {problem.message}")
        for problem in change.new:
            if keep(problem.code):
                click.echo(render_one(problem, change.report.texts, colour=colour) + "\n")
        click.echo(count_text(change))

    with suppress(KeyboardInterrupt):
        watch(names, tell)
    return 0


# ----------------------------------------------------------------------- proving


def _check(name: str, *, quiet: bool) -> _Result:
    """Return the mistakes in the files of a system, and the examples that fail."""
    from bidwright.authoring.checking.system_report import check_system
    from bidwright.runtime.progress import counting

    with counting(1, f"checking {name}", quiet=quiet):
        report = check_system(name)
    return _Result(
        report.summary,
        report.texts,
        report.problems,
        list(report.suppressed),
        known=report.known,
    )


def _opponents(name: str) -> RuleBase:
    """Return the system that opponents play.

    Raises:
        UnknownSystemError: there is no such system.
        BrokenSystemError: its files have errors.
    """
    from bidwright.kb.loading.compiled import open_system

    return open_system(name)


def _prove(
    name: str,
    crew: Crew,
    corpus: Path | None,
    theirs: RuleBase | None,
    *,
    with_rare: bool,
    quiet: bool,
) -> _Result:
    """Return everything that is wrong with a system, proofs included."""
    from bidwright.authoring.checking.stated import stated
    from bidwright.authoring.checking.system_report import authors_first, remarks_text, summary
    from bidwright.authoring.lint.findings import RARE, rendered
    from bidwright.authoring.lint.proof_workers import collect_rarely
    from bidwright.authoring.lint.whole import proved
    from bidwright.inference.reading.examples import diagnostic, open_suites
    from bidwright.kb.checks.allow import as_known
    from bidwright.runtime.progress import counting

    collect_rarely()
    (suite,) = open_suites([name])
    if suite.rules is None or not suite.is_usable:
        return _check(name, quiet=quiet)
    with counting(1, f"bidding the examples of {name}", quiet=quiet):
        examples = stated(suite)
    unstated = [diagnostic(outcome, suite.system) for outcome in examples.failed]
    with counting(1, "proving", quiet=quiet) as progress:
        findings, proved_codes, stopped = proved(suite, crew, corpus, progress.stage, theirs)
    shown = {rendered(each): each for each in findings}
    of_system = set(suite.own(list(shown)))
    weights = {each: finding.weight for each, finding in shown.items()}
    sifted = suite.sifted(
        [*suite.problems, *suite.own(examples.doubled), *of_system], proved_codes, weights
    )
    rare = {each for each in of_system if shown[each].is_rare and not with_rare}
    of_proofs = [each for each in sifted.kept if each in of_system - rare]
    of_files = [each for each in sifted.kept if each not in of_system]
    known_pairs = [pair for pair in sifted.known if pair[0] not in rare]
    suppressed = [pair for pair in sifted.suppressed if pair[0] not in rare]
    shown |= {as_known(pair): shown[pair[0]] for pair in known_pairs if pair[0] in shown}
    of_comments = list(map(as_known, known_pairs))
    own_files = suite.system.own_files - suite.system.shared
    listed = authors_first([*of_files, *sifted.about, *unstated, *of_proofs], own_files, weights)
    shown_here = [*listed, *of_comments]
    aside = len(suite.aside)
    problems = len(of_files) + len(sifted.about)
    against = f" against {theirs.name}" if theirs is not None else ""
    count, hidden = len(of_proofs), len(rare.intersection(sifted.kept))
    parts = [
        summary(name, problems, len(unstated), examples.count, aside)
        + f"; proofs{against}: {count or 'no'} {noun_for(count, 'finding')}",
        remarks_text(len(suppressed), len(known_pairs)),
        f"{hidden} rarer than one deal in {round(1 / RARE):,}" if hidden else "",
    ]
    texts = suite.system.texts
    summary_text = ", ".join(filter(None, parts))
    if stopped:
        stopped = f"stopped while {stopped}; what was found by then is above, the rest is not known"
    return _Result(
        summary_text,
        texts,
        shown_here,
        suppressed,
        shown,
        suite.rules,
        theirs,
        frozenset(of_comments),
        stopped,
    )


# ----------------------------------------------------------------------- showing


def _print(results: Sequence[_Result], deal: bool, *, with_known: bool) -> None:
    from bidwright.authoring.checking.system_report import known_text
    from bidwright.kb.language.diagnostics import more_than_shown, render_one
    from bidwright.kb.language.limits import MOST_SHOWN

    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    for number, result in enumerate(results):
        if number:
            print()
        listed = [each for each in result.shown if with_known or each not in result.known]
        errors_first = sorted(listed, key=lambda each: not each.is_error)
        chosen = set(errors_first[:MOST_SHOWN])
        for diagnostic in [each for each in listed if each in chosen]:
            print(render_one(diagnostic, result.texts, colour=colour), end="\n\n")
            if deal and diagnostic in result.findings:
                _draw(result.findings[diagnostic], result)
        for line in more_than_shown(len(listed)):
            print(line, end="\n\n")
        folded = [each for each in result.shown if each in result.known and not with_known]
        if folded:
            print(known_text(folded), end="\n\n")
        print(result.summary)


def _draw(finding: Finding, result: _Result) -> None:
    """Print a deal that shows a fault."""
    from bidwright.authoring.lint.whole import deal_of, diagram

    rules = result.rules
    deal = deal_of(finding, rules, result.theirs) if rules is not None else None
    if deal is not None:
        drawn = "\n".join(f"    {line}".rstrip() for line in diagram(deal).split("\n"))
        print(drawn, end="\n\n")


class FaultValues(TypedDict):
    """An auction and a hand that show a fault."""

    auction: list[str]
    dealer: str
    vul: str
    seat: str
    hand: str | None


class ReportedValues(DiagnosticValues, total=False):
    """A diagnostic without its note; of a proof also its rule, its frequency and a hand."""

    rule: str
    weight: float | None
    weight_is_exact: bool
    witness: FaultValues


def _json(diagnostic: Diagnostic, result: _Result) -> ReportedValues:
    from bidwright.kb.language.diagnostics import to_json

    values = cast("ReportedValues", to_json([diagnostic])[0])
    del values["note"]
    finding = result.findings.get(diagnostic)
    if finding is not None:
        values["rule"] = finding.rule
        values["weight"] = finding.weight
        values["weight_is_exact"] = finding.is_exact
        if finding.witness is not None:
            witness = finding.witness
            values["witness"] = {
                "auction": [str(call) for call in witness.auction.calls],
                "dealer": str(witness.auction.dealer),
                "vul": witness.auction.vulnerability.word,
                "seat": str(witness.seat),
                "hand": witness.hand.to_pbn() if witness.hand else None,
            }
    return values
