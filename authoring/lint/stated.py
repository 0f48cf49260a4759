"""The examples of a system that are not bid as stated, run only where something has changed.

What each example's hand bids is cached on disk. After a change of some rules those examples are run
again that have a decision, anywhere in their auction, to which a changed rule can contribute.
"""

from __future__ import annotations

from typing import Any

from bidwright.authoring.hands.positions import words_of
from bidwright.authoring.lint.impact import Touched, basis, block_list
from bidwright.bridge.calls import parse_call
from bidwright.inference.reading.examples import Outcome, Suite, auction_of, run_examples
from bidwright.kb.language.ast import Example
from bidwright.kb.rules.rule_fingerprints import RuleFingerprints, rule_fingerprints
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.runtime.cache import Cache
from bidwright.runtime.code import code_key

Json = dict[str, Any]


def failed(suite: Suite) -> list[Outcome]:
    """Return the outcomes of the examples that are not bid as stated, in their order."""
    if suite.rules is None or not suite.examples:
        return []
    rules = suite.rules
    marks, blocks = rule_fingerprints(rules), block_list(suite.system.statements)
    cache, key = Cache(f"examples_{rules.name}", most=12), marks.system
    cached = cache.read(key, dict)
    bid = cached["bid"] if cached else _still_valid(cache.newest(dict), rules, marks, blocks)
    left = [each for each in suite.examples if bid.get(_text(each[1])) != _call(each[1])]
    outcomes = list(run_examples(rules, left))
    bid.update((_text(each.example), str(each.choice.call)) for each in outcomes)
    if left or cached is None:
        texts = {_text(example) for _, example in rules.examples}
        bid = {text: call for text, call in bid.items() if text in texts}
        cache.write(key, {**basis(rules, marks, blocks), "code": _code(), "bid": bid})
    return [each for each in outcomes if not each.passed and not suite.is_aside(each)]


def _still_valid(
    earlier: Json | None, rules: RuleBase, marks: RuleFingerprints, blocks: list[list[str]]
) -> dict[str, str]:
    """Return what hands bid before, where the changes since then do not touch it."""
    if earlier is None or earlier["code"] != _code():
        return {}
    touched = Touched.between(earlier, rules, marks, blocks)
    if touched is None:
        return {}
    bid: dict[str, str] = earlier["bid"]
    return {
        text: call for text, call in bid.items() if not touched.position(text.partition(": ")[2])
    }


def _code() -> str:
    return code_key("kb", "inference")


def _call(example: Example) -> str:
    return str(parse_call(example.call))


def _text(example: Example) -> str:
    """Return an example's hand and auction."""
    return f"{example.hand}: {words_of(auction_of(example))}"
