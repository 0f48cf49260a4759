"""The results of the proofs about a system, as they are kept on disk from one run to the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypedDict

from bidwright.authoring.hands.evidence import EvidenceValues
from bidwright.authoring.lint.impact import Touched
from bidwright.kb.language.walk import pattern_text
from bidwright.kb.rules.rule import CompiledRule


class ExaminedValues(TypedDict):
    """The results at a position: ids of rules, how many hands chose each, and the faults."""

    live: list[str]
    chosen: dict[str, int]
    faults: list[EvidenceValues]


class VerdictValues(TypedDict):
    """The verdict on a rule: an auction in which a hand chooses it, or those asked about."""

    witness: str | None
    asked: list[str]
    faults: list[EvidenceValues]


class MissingAnswers(TypedDict):
    """The answers that are missing after a rule's call at a position."""

    at: str
    faults: list[EvidenceValues]


class ShownRanges(TypedDict):
    """The ranges of HCP, points and suits of a rule's hands at a position."""

    at: str
    shows: list[tuple[int, int]]


class ProvedClaims(TypedDict):
    """The claims of a rule in words, the positions where they were tried, and the faults."""

    says: str
    at: list[str]
    faults: list[EvidenceValues]


class RecordFields(TypedDict):
    """The fields of a `ProofRecord`."""

    deals: dict[str, str]
    explored: dict[str, list[str]]
    examined: dict[str, ExaminedValues]
    verdicts: dict[str, VerdictValues]
    answers: dict[str, MissingAnswers]
    texts: dict[str, ShownRanges]
    claims: dict[str, ProvedClaims]


@dataclass
class ProofRecord:
    """The results of proofs, by the words of auctions and the ids of rules.

    Attributes:
        deals: the auction of each random deal.
        explored: the auctions found for each pattern.
        examined: the results at each position.
        verdicts: the verdicts on rules that no sampled hand chose.
        answers: missing answers after the calls that need one: auction and evidence.
        texts: the ranges shown by rules with texts to compare: auction and ranges.
        claims: the claims of rules with a `shows`: their words, auctions and evidence against them.
    """

    deals: dict[str, str] = field(default_factory=dict)
    explored: dict[str, list[str]] = field(default_factory=dict)
    examined: dict[str, ExaminedValues] = field(default_factory=dict)
    verdicts: dict[str, VerdictValues] = field(default_factory=dict)
    answers: dict[str, MissingAnswers] = field(default_factory=dict)
    texts: dict[str, ShownRanges] = field(default_factory=dict)
    claims: dict[str, ProvedClaims] = field(default_factory=dict)

    def untouched(self, touched: Touched, rules: Mapping[str, CompiledRule]) -> ProofRecord:
        """Return the results that a change of the system does not affect.

        Args:
            touched: the changes.
            rules: the rules of the system as it is now, by id.
        """
        return ProofRecord(
            {n: words for n, words in self.deals.items() if not touched.auction(words)},
            {
                text: found
                for text, found in self.explored.items()
                # Both may change an auction: a rule of the pattern, or one that makes a call on the
                # way.
                if text not in touched.patterns
                and not touched.leads(text)
                and not any(map(touched.auction, found))
            },
            {words: one for words, one in self.examined.items() if not touched.position(words)},
            {
                rule: one
                for rule, one in self.verdicts.items()
                if rule in rules
                and rule not in touched.rules
                # A verdict with a witness rests on one auction, one without on all that were asked.
                and not any(
                    map(touched.position, [one["witness"]] if one["witness"] else one["asked"])
                )
                # Without a witness a new rule may lead to auctions that nobody had.
                and (one["witness"] or not touched.leads(pattern_text(rules[rule].pattern)))
            },
            {
                rule: one
                for rule, one in self.answers.items()
                if rule in rules and rule not in touched.rules and not touched.after(one["at"])
            },
            {
                rule: one
                for rule, one in self.texts.items()
                if rule in rules and rule not in touched.rules and not touched.position(one["at"])
            },
            {
                rule: one
                for rule, one in self.claims.items()
                if rule in rules
                and rule not in touched.rules
                and not any(map(touched.position, one["at"]))
            },
        )
