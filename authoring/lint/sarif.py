"""Diagnostics as SARIF 2.1.0, which code hosts show beside the lines of a change.

Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NotRequired, TypedDict

import bidwright
from bidwright.authoring.lint.catalogue import LINTS
from bidwright.authoring.lint.findings import Finding
from bidwright.kb.checks.allow import Allowance
from bidwright.kb.language.ast import Span
from bidwright.kb.language.diagnostics import Diagnostic, Severity

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


class SarifText(TypedDict):
    """A message."""

    text: str


class Artifact(TypedDict):
    """A file."""

    uri: str


class SarifRegion(TypedDict):
    """A part of a file; lines and columns count from 1."""

    startLine: int
    startColumn: int
    endLine: int
    endColumn: int


class PhysicalLocation(TypedDict):
    """A file and a part of it."""

    artifactLocation: Artifact
    region: SarifRegion


class Location(TypedDict):
    """A place."""

    physicalLocation: PhysicalLocation


class RelatedLocation(Location):
    """Another place, with the reason why it matters."""

    id: int
    message: SarifText


class Properties(TypedDict):
    """Facts without a field in the format: the rule, a witness and its weight."""

    rule: str
    positions: int
    witness: NotRequired[str]
    weight: NotRequired[float]
    weightIsExact: NotRequired[bool]


class Suppression(TypedDict):
    """A comment that suppresses a result, and its reason."""

    kind: str
    justification: str


class Result(TypedDict):
    """A diagnostic; `ruleIndex` is its place in the list of rules."""

    ruleId: str
    level: str
    message: SarifText
    locations: list[Location]
    ruleIndex: NotRequired[int]
    relatedLocations: NotRequired[list[RelatedLocation]]
    suppressions: NotRequired[list[Suppression]]
    properties: NotRequired[Properties]


class Configuration(TypedDict):
    """The severity of a rule's results."""

    level: str


class ReportingRule(TypedDict):
    """A lint; an error of the compiler has an id only."""

    id: str
    shortDescription: NotRequired[SarifText]
    defaultConfiguration: NotRequired[Configuration]


class Driver(TypedDict):
    """The program and its lints."""

    name: str
    version: str
    rules: list[ReportingRule]


class Tool(TypedDict):
    """The program that ran."""

    driver: Driver


class SarifRun(TypedDict):
    """A run and its results."""

    tool: Tool
    results: list[Result]


# A name such as `$schema` can only be written in this form.
SarifLog = TypedDict("SarifLog", {"$schema": str, "version": str, "runs": list[SarifRun]})
"""A whole log."""


def to_sarif(
    diagnostics: Iterable[Diagnostic],
    suppressed: Iterable[tuple[Diagnostic, Allowance]] = (),
    findings: Mapping[Diagnostic, Finding] | None = None,
) -> SarifLog:
    """Return a SARIF log with one run, ready for `json.dump`.

    Args:
        diagnostics: the diagnostics that are shown.
        suppressed: the suppressed ones, each with the comment that suppresses it.
        findings: the witness and the weight of those that were proved.
    """
    proved = findings or {}
    results = [_result(each, proved.get(each)) for each in diagnostics]
    for diagnostic, allowance in suppressed:
        result = _result(diagnostic, proved.get(diagnostic))
        result["suppressions"] = [{"kind": "inSource", "justification": allowance.reason}]
        results.append(result)
    # Rules by index, as the format asks; sorted so that logs can be compared.
    codes = sorted({result["ruleId"] for result in results})
    for result in results:
        result["ruleIndex"] = codes.index(result["ruleId"])
    driver: Driver = {
        "name": "bidwright",
        "version": bidwright.__version__,
        "rules": [_rule(code) for code in codes],
    }
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }


def _rule(code: str) -> ReportingRule:
    rule: ReportingRule = {"id": code}
    lint = LINTS.get(code)
    if lint is not None:
        rule["shortDescription"] = {"text": lint.title}
        rule["defaultConfiguration"] = {"level": _LEVELS[lint.severity]}
    return rule


def _result(diagnostic: Diagnostic, finding: Finding | None) -> Result:
    text = diagnostic.message
    if diagnostic.help:
        text += f" ({diagnostic.help})"
    result: Result = {
        "ruleId": diagnostic.code,
        "level": _LEVELS[diagnostic.severity],
        "message": {"text": text},
        "locations": [_location(diagnostic.span)],
    }
    if diagnostic.related:
        result["relatedLocations"] = [
            {**_location(each.span), "id": number, "message": {"text": each.message}}
            for number, each in enumerate(diagnostic.related, 1)
        ]
    if finding is not None:
        properties: Properties = {"rule": finding.rule, "positions": finding.positions}
        if finding.witness is not None:
            properties["witness"] = str(finding.witness)
        if finding.weight is not None:
            properties["weight"] = finding.weight
            properties["weightIsExact"] = finding.is_exact
        result["properties"] = properties
    return result


def _location(span: Span) -> Location:
    # Places without a line stand at line 1: the format begins there.
    region: SarifRegion = {
        "startLine": max(1, span.line),
        "startColumn": max(1, span.column),
        "endLine": max(1, span.end_line),
        "endColumn": max(1, span.end_column),
    }
    return {"physicalLocation": {"artifactLocation": {"uri": span.file}, "region": region}}
