"""The examples of a system that are not bid as stated, run only where something has changed.

The call of each example's hand is cached on disk, with the calls that several rules claim there.
After a change of some rules those examples are run again that have a decision, anywhere in their
auction, to which a changed rule can contribute. The set of examples for other values is known as
long as no file changes.

A system that has not been run before begins with the cached calls of the systems that it includes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, cast

from bidwright.authoring.hands.positions import words_of
from bidwright.authoring.lint.impact import Basis, Touched, basis, block_list
from bidwright.bridge.calls import parse_call
from bidwright.inference.reading.examples import Outcome, Suite, auction_of, run_examples
from bidwright.inference.reading.two_conventions import Claims, claimed_twice, claims
from bidwright.kb.language.ast import Example, Span
from bidwright.kb.language.diagnostics import Diagnostic
from bidwright.kb.rules.fingerprints import RuleFingerprints, hash_of, rule_fingerprints
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.runtime.cache import Cache
from bidwright.runtime.code import code_key
from bidwright.runtime.progress import Show, show_nothing


@dataclass(frozen=True, slots=True)
class Stated:
    """The outcomes of the examples of a system or file.

    Attributes:
        count: the number that count; the others hold for other values of parameters.
        failed: the outcomes of those that count and are not bid as stated, in their order.
        doubled: a warning for each pair of conventions that claim a call after one of the auctions.
    """

    count: int
    failed: Sequence[Outcome]
    doubled: Sequence[Diagnostic]


class _Bid(NamedTuple):
    """The call of a hand, and the calls that several rules claim there."""

    call: str
    claimed: Claims


class _Stored(Basis):
    """An entry of the cache: the calls of hands, and the system and the code they hold for."""

    code: str
    bid: dict[str, _Bid]
    of_files: str
    aside: set[Span]


def stated(suite: Suite, show: Show = show_nothing) -> Stated:
    """Return the outcomes of the examples of a suite; none if its rules are not usable.

    Args:
        suite: the suite.
        show: gets the number of examples that are done, of those that have to be bid.
    """
    if suite.rules is None or not suite.examples:
        return Stated(0, (), ())
    rules = suite.rules
    marks, blocks = rule_fingerprints(rules), block_list(suite.system.statements)
    cache, key = _cache(rules.name), f"{_code()[:16]}_{marks.system}"
    cached = cast("_Stored | None", cache.read(key, dict))
    bid = cached["bid"] if cached else {}
    # A new system plays as its base almost everywhere: SAYC changed by a call over 1NT checks in 12
    # s of processor time instead of 18.
    for name in () if cached else (rules.name, *suite.system.bases):
        bid = bid or _still_valid(_cache(name).newest(dict), rules, marks, blocks)
    files = suite.system.texts.items()  # whatever the folder: `new` checks in one of its own
    of_files = hash_of(repr(sorted((Path(name).name, text) for name, text in files)))
    aside = cached["aside"] if cached and cached["of_files"] == of_files else set()
    suite.aside.update(each.span for _, each in suite.examples if each.span in aside)
    # Examples with the call they state are done; those without a stored call are among the wrong.
    wrong = [each for each in suite.examples if not _is_bid(each[1], bid)]
    left = [each for each in wrong if each[1].span not in suite.aside]
    failed = []
    for done, outcome in enumerate(run_examples(rules, left), 1):
        show("bidding examples", done, len(left))
        bid_now = _Bid(str(outcome.choice.call), claims(outcome.reading))
        bid[_text(outcome.example)] = bid_now
        if not outcome.passed and not suite.is_aside(outcome):
            failed.append(outcome)
    if left or cached is None:
        # Calls of examples that are gone would otherwise stay for good.
        texts = {_text(example) for _, example in rules.examples}
        bid = {text: made for text, made in bid.items() if text in texts}
        entry: _Stored = {
            **basis(rules, marks, blocks),
            "code": _code(),
            "bid": bid,
            "of_files": of_files,
            "aside": aside | suite.aside,
        }
        cache.write(key, entry)
    counted = [each for _, each in suite.examples if each.span not in suite.aside]
    positions = ((str(auction_of(each)), bid[_text(each)].claimed) for each in counted)
    return Stated(len(counted), failed, claimed_twice(suite.system, rules, positions))


def _cache(name: str) -> Cache:
    """Return the cache of the calls of a system's examples, by its name."""
    return Cache(f"stated_{name}", most=12)


def _still_valid(
    newest: Mapping[str, object] | None,
    rules: RuleBase,
    marks: RuleFingerprints,
    blocks: list[list[str]],
) -> dict[str, _Bid]:
    """Return the earlier calls of hands that the changes since then do not touch."""
    earlier = cast("_Stored | None", newest)
    if earlier is None or earlier["code"] != _code():
        return {}
    touched = Touched.between(earlier, rules, marks, blocks)
    if touched is None:
        return {}
    bid = earlier["bid"]
    return {
        text: made for text, made in bid.items() if not touched.position(text.partition(": ")[2])
    }


def _code() -> str:
    return code_key("bridge", "kb", "inference", "authoring")


def _is_bid(example: Example, bid: dict[str, _Bid]) -> bool:
    """Return True if a hand is known to bid as its example states."""
    cached = bid.get(_text(example))
    return cached is not None and cached.call == str(parse_call(example.call))


def _text(example: Example) -> str:
    """Return an example's hand and auction."""
    return f"{example.hand}: {words_of(auction_of(example))}"
