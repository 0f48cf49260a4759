"""Findings: faults put together over the positions where they show, ready to be printed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from bidwright.authoring.hands.evidence import Evidence
from bidwright.authoring.hands.positions import auction_from, setting_text
from bidwright.authoring.lint.catalogue import LINTS
from bidwright.authoring.lint.frequency import weight_of
from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import Seat, parse_seat
from bidwright.bridge.hand import Hand, parse_hand
from bidwright.kb.language.diagnostics import Diagnostic, Related
from bidwright.kb.rules.rule import CompiledRule

_LEAST_SHOWN = 1e-7

RARE = 1 / 50_000
"""The least probability, per deal, of a finding that is shown: twice in 100,000 deals."""

_BY_FREQUENCY = frozenset({"W421", "W422", "W423", "W428", "W429", "W430", "W433", "W434"})
"""The codes of faults that cost little each time, so that they matter only if they come up."""

_ERRORS_BY_FREQUENCY = frozenset({"E412", "E415"})
"""The codes of errors that matter only if they come up.

One that weighs nothing is shown: opponents make a call there that the system itself does not have,
and nothing is known of how often others make it.
"""


@dataclass(frozen=True)
class Witness:
    """An auction, and a hand that shows a fault there.

    Attributes:
        auction: the auction up to the call in question.
        seat: the seat of the hand.
        hand: the hand; None where the auction alone shows it.
    """

    auction: Auction
    seat: Seat
    hand: Hand | None

    def __str__(self) -> str:
        """Return it as an example is written: `KQ4.AQ8.K9873.K2 after 1NT (P)`."""
        where = setting_text(self.auction)
        after = where if where.startswith("opening") else f"after {where}"
        return f"{self.hand.to_pbn()} {after}" if self.hand else after


@dataclass(frozen=True)
class Finding:
    """A fault in a convention file.

    Attributes:
        diagnostic: the code, the message, the place and the way out.
        rule: id of the rule at fault; empty if it is not one rule's.
        witness: an auction and a hand that show it.
        weight: the probability of the fault, per deal, 0 to 1; None if it was not estimated.
        is_exact: True if that was counted, given the frequency of the auction.
        positions: the number of examined positions that show it.
        is_question: True if it is about a call that asks or answers: where that goes wrong a slam
            is lost each time.
    """

    diagnostic: Diagnostic
    rule: str = ""
    witness: Witness | None = None
    weight: float | None = None
    is_exact: bool = True
    positions: int = 0
    is_question: bool = False

    @property
    def is_rare(self) -> bool:
        """True if it comes up so seldom that an author need not know it."""
        if self.weight is None or self.is_question or self.weight >= RARE:
            return False
        is_estimated = self.weight >= _LEAST_SHOWN
        # Errors without a weight are shown: nothing says that they are rare.
        return self.code in _BY_FREQUENCY or (self.code in _ERRORS_BY_FREQUENCY and is_estimated)

    @property
    def code(self) -> str:
        """Its code."""
        return self.diagnostic.code


def findings(evidence: Iterable[Evidence], rules: Mapping[str, CompiledRule]) -> list[Finding]:
    """Return a finding for each code, line and set of other lines, by place.

    A rule of a convention that is included in several places is one line.
    """
    groups: dict[tuple[object, ...], list[Evidence]] = {}
    for item in evidence:
        if item.rule not in rules:
            continue
        others = tuple(rules[rule].span for _, rule in item.others[:1] if rule in rules)
        # The same rule can clash with several others, and each of them is a line to mend.
        if item.code in ("W421", "E415"):
            key: tuple[object, ...] = (item.code, rules[item.rule].span, others)
        else:
            key = (item.code, rules[item.rule].span)
        groups.setdefault(key, []).append(item)
    merged = [_finding(group, rules) for group in groups.values()]
    return sorted(merged, key=lambda one: (one.diagnostic.span, one.code))


def _finding(group: list[Evidence], rules: Mapping[str, CompiledRule]) -> Finding:
    # The most probable position first, then the shortest auction.
    group.sort(key=lambda each: (-each.weight, len(each.auction or ""), each.auction or ""))
    chief = group[0]
    rule = rules[chief.rule]
    lint = LINTS[chief.code]
    related = [Related(words, rules[other].span) for words, other in chief.others if other in rules]
    diagnostic = Diagnostic(
        chief.code,
        lint.severity,
        chief.message,
        rule.span,
        help=chief.help,
        related=tuple(dict.fromkeys(related)),
    )
    witness = None
    if chief.auction is not None:
        auction = auction_from(chief.auction)
        hand = parse_hand(chief.hand) if chief.hand else None
        seat = parse_seat(chief.seat) if chief.seat else auction.turn
        witness = Witness(auction, seat, hand)
    weight = weight_of(group) if chief.auction is not None else None
    return Finding(
        diagnostic,
        chief.rule,
        witness,
        weight,
        all(not each.error for each in group),
        len(group),
        # An answer to an ask that is missing costs a slam each time, however rare.
        chief.code in ("W422", "W423") and bool(rule.asks or rule.answers),
    )


def weight_text(finding: Finding) -> str:
    """Return the probability of a finding, in words."""
    weight = finding.weight
    if weight is None:
        return "not weighed"
    if weight < _LEAST_SHOWN:
        return "hardly ever"
    about = "" if finding.is_exact else "about "
    if weight >= 0.01:
        return f"{about}{weight:.1%} of deals"
    return f"{about}{100 * weight:.2g}% of deals, one in {round(1 / weight):,}"


def rendered(finding: Finding) -> Diagnostic:
    """Return the diagnostic with the witness and the weight stated beside the rest."""
    notes = []
    if finding.witness is not None:
        notes.append(
            f"shown by {finding.witness}" if finding.witness.hand else str(finding.witness)
        )
        notes.append(weight_text(finding))
    return replace(finding.diagnostic, note="; ".join(notes)) if notes else finding.diagnostic
