"""Proofs of a whole system, from the system's name to the findings and deals of the command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from bidwright.authoring.examples.corpus import Bidding, read_corpus
from bidwright.authoring.examples.coverage import measure
from bidwright.authoring.hands.positions import Explorer
from bidwright.authoring.hands.proofs import witness_deal
from bidwright.authoring.lint.catalogue import LINTS
from bidwright.authoring.lint.findings import Finding
from bidwright.authoring.lint.prove import ProofRun, ProofStage
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import SUITS, Seat
from bidwright.bridge.deal import Deal
from bidwright.bridge.hand import Hand
from bidwright.inference.reading.examples import Suite
from bidwright.kb.language.diagnostics import Diagnostic
from bidwright.kb.language.printer import condition_text
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.runtime.crew import Crew
from bidwright.runtime.extras import need

Tell = Callable[[str, int, int], None]
"""Called with the stage, the number of pieces that are done, and that of all."""

_WITHOUT_CORPUS = frozenset(LINTS) - {"I427"}


class Proved(NamedTuple):
    """The proofs of a system.

    Attributes:
        findings: the faults.
        codes: the codes that were looked for everywhere.
        stopped: the stage at which the work was stopped, in words; empty if it was not.
    """

    findings: list[Finding]
    codes: frozenset[str]
    stopped: str = ""


def proved(
    suite: Suite, crew: Crew, corpus: Path | None, tell: Tell, vs: RuleBase | None = None
) -> Proved:
    """Return the findings of a system without errors, and the codes that were looked for.

    Three questions about a convention by itself are left to the systems that include it: auctions
    that lead to its rules, calls of other hands where it begins, and the use of its comments.
    Against opponents of one system (`vs`) comments are not judged, since others make other calls.
    KeyboardInterrupt stops the work: the findings by then are returned, and no code counts as
    looked for.
    """
    need("numba")  # each process would find out by itself
    rules = suite.rules
    assert rules is not None, "a system with errors cannot be proved"
    run = ProofRun(suite.system, rules, crew, vs=vs)
    stage, stopped = ProofStage("beginning", 0, 0), False
    try:
        for stage in run.stages():
            tell(stage.stage, stage.done, stage.total)
    except KeyboardInterrupt:
        stopped = True
    results = run.findings()
    if stopped:
        return Proved(results, frozenset(), f"{stage.stage}: {stage.done:,} of {stage.total:,}")
    if suite.system.is_convention:
        # A convention begins where systems have bid; those calls are not its own.
        explorer = Explorer(rules, vs=vs)
        results = [each for each in results if not _is_left_to_systems(each, explorer)]
    if suite.system.is_convention or vs is not None:
        thresholds = [] if corpus is None else untested(rules, read_corpus([corpus]).boards)
        return Proved([*results, *thresholds], frozenset())
    if corpus is None:
        return Proved(results, _WITHOUT_CORPUS)
    thresholds = untested(rules, read_corpus([corpus]).boards)
    return Proved([*results, *thresholds], frozenset(LINTS))


def _is_left_to_systems(finding: Finding, explorer: Explorer) -> bool:
    """Return True if a finding about a convention is a matter of the systems that include it.

    They make the calls before its rules, and have a call for the hands that do not begin with it.
    """
    if finding.code == "W420":
        return True
    if finding.code != "E412" or finding.witness is None:
        return False
    reading = explorer.read(finding.witness.auction)
    # Only calls of our own side that mean something begin a convention.
    side = reading.state.me.side
    meanings = (each for each in reading.meanings if each.record.seat.side == side)
    return not any(each.known and each.record.call != Call.PASS for each in meanings)


def untested(rules: RuleBase, boards: Sequence[Bidding]) -> list[Finding]:
    """Return the thresholds that no hand of an example or a board tests, as findings."""
    coverage = measure(rules, boards)
    thresholds: list[Finding] = []
    for place in coverage.places:
        count = 0
        for trials in (coverage.examples, coverage.corpus):
            count += sum(trials.changes[number] for number in place.moves) if trials else 0
        if not place.moves or count:
            continue
        message = (
            f"no example and no board has a hand at the edge of '{condition_text(place.test)}'"
        )
        lint = LINTS["I427"]
        help = "add an example just inside or just outside: 'bidwright deal' finds such hands"
        thresholds.append(
            Finding(Diagnostic(lint.code, lint.severity, message, place.test.span, help=help))
        )
    return thresholds


# -------------------------------------------------------------------------- drawing


def deal_of(finding: Finding, rules: RuleBase, vs: RuleBase | None = None) -> Deal | None:
    """Return a deal that shows a finding; None if it has no witness or there is no deal.

    Args:
        finding: the finding.
        rules: the system.
        vs: the opponents' system, if not the system itself.
    """
    witness = finding.witness
    if witness is None:
        return None
    reading = Explorer(rules, vs=vs).read(witness.auction)
    return witness_deal(reading, {witness.seat: witness.hand} if witness.hand else {})


def diagram(deal: Deal) -> str:
    """Return a deal as it is drawn in books: North above, West and East beside, South below."""
    north, east, south, west = (_lines(deal[seat], seat) for seat in Seat)
    width = max(len(line) for line in west)
    half = " " * (width + 2)
    middle = [
        f"{left:<{width}}{'':{len(half)}}{right}" for left, right in zip(west, east, strict=True)
    ]
    return "\n".join([*(half + line for line in north), *middle, *(half + line for line in south)])


def _lines(hand: Hand | None, seat: Seat) -> list[str]:
    if hand is None:
        return [str(seat), "", "", "", ""]
    return [str(seat), *(f"{suit.letter} {hand.holding(suit) or '-'}" for suit in reversed(SUITS))]
