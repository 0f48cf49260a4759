"""Diagnostics as SARIF 2.1.0, which code hosts show beside the lines of a change.

Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import bidwright
from bidwright.authoring.lint.catalogue import LINTS
from bidwright.authoring.lint.findings import Finding
from bidwright.kb.checks.allow import Allowance
from bidwright.kb.language.ast import Span
from bidwright.kb.language.diagnostics import Diagnostic, Severity

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def to_sarif(
    diagnostics: Iterable[Diagnostic],
    suppressed: Iterable[tuple[Diagnostic, Allowance]] = (),
    findings: Mapping[Diagnostic, Finding] | None = None,
) -> dict[str, Any]:
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
    driver = {
        "name": "bidwright",
        "version": bidwright.__version__,
        "rules": [_rule(code) for code in codes],
    }
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }


def _rule(code: str) -> dict[str, Any]:
    rule: dict[str, Any] = {"id": code}
    lint = LINTS.get(code)
    if lint is not None:
        rule["shortDescription"] = {"text": lint.title}
        rule["defaultConfiguration"] = {"level": _LEVELS[lint.severity]}
    return rule


def _result(diagnostic: Diagnostic, finding: Finding | None) -> dict[str, Any]:
    text = diagnostic.message
    if diagnostic.help:
        text += f" ({diagnostic.help})"
    result: dict[str, Any] = {
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
        properties: dict[str, Any] = {"rule": finding.rule, "positions": finding.positions}
        if finding.witness is not None:
            properties["witness"] = str(finding.witness)
        if finding.weight is not None:
            properties["weight"] = finding.weight
            properties["weightIsExact"] = finding.is_exact
        result["properties"] = properties
    return result


def _location(span: Span) -> dict[str, Any]:
    # Places without a line stand at line 1: the format begins there.
    region = {
        "startLine": max(1, span.line),
        "startColumn": max(1, span.column),
        "endLine": max(1, span.end_line),
        "endColumn": max(1, span.end_column),
    }
    return {"physicalLocation": {"artifactLocation": {"uri": span.file}, "region": region}}
