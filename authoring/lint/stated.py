"""The examples of a system that are not bid as stated, run only where something has changed.

What each example's hand bids is kept on disk. After a change of some rules those examples are
run again that have a decision, anywhere in their auction, in which a changed rule can have a say.
"""

from __future__ import annotations

from typing import Any

from bidwright.authoring.fingerprints import Fingerprints, code_key, fingerprints
from bidwright.authoring.hands.positions import words_of
from bidwright.authoring.lint.impact import Touched, basis, block_list
from bidwright.bridge.calls import parse_call
from bidwright.inference.reading.examples import Outcome, Suite, auction_of, run_examples
from bidwright.kb.language.ast import Example
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.runtime.store import newest_entry, read_entry, write_entry

Json = dict[str, Any]


def failed(suite: Suite) -> list[Outcome]:
    """Return the outcomes of the examples that are not bid as stated, in their order."""
    if suite.rules is None or not suite.examples:
        return []
    rules = suite.rules
    marks, blocks = fingerprints(rules), block_list(suite.system.statements)
    kind, key = f"examples-{rules.name}", marks.system
    kept = read_entry(kind, key)
    bid = kept["bid"] if kept else _still_valid(newest_entry(kind), rules, marks, blocks)
    left = [each for each in suite.examples if bid.get(_text(each[1])) != _call(each[1])]
    outcomes = list(run_examples(rules, left))
    bid.update((_text(each.example), str(each.choice.call)) for each in outcomes)
    if left or kept is None:
        texts = {_text(example) for _, example in rules.examples}
        bid = {text: call for text, call in bid.items() if text in texts}
        write_entry(kind, key, {**basis(rules, marks, blocks), "code": code_key(), "bid": bid})
    return [outcome for outcome in outcomes if not outcome.passed]


def _still_valid(
    kept: Json | None, rules: RuleBase, marks: Fingerprints, blocks: list[list[str]]
) -> dict[str, str]:
    """Return what hands bid before, where the changes since then do not touch it."""
    if kept is None or kept["code"] != code_key():
        return {}
    touched = Touched.between(kept, rules, marks, blocks)
    if touched is None:
        return {}
    bid: dict[str, str] = kept["bid"]
    return {
        text: call for text, call in bid.items() if not touched.position(text.partition(": ")[2])
    }


def _call(example: Example) -> str:
    return str(parse_call(example.call))


def _text(example: Example) -> str:
    """Return an example's hand and auction."""
    return f"{example.hand}: {words_of(auction_of(example))}"
