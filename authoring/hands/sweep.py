"""One number of one rule in several settings: frequency, changes, and value in IMPs.

Every setting is a file of its own, a system that includes the one it changes and overrides one
rule. So the results are those that an author would get by writing that.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypedDict

import numpy as np

from bidwright.authoring.hands.dealing import rule_named
from bidwright.authoring.hands.proofs import HandsAt, chosen_by
from bidwright.authoring.hands.reaching import reached
from bidwright.bridge.auction import Auction
from bidwright.bridge.board import board_dealer, board_vulnerability
from bidwright.bridge.calls import Call
from bidwright.bridge.deal import random_deal
from bidwright.bridge.errors import InvalidError
from bidwright.inference.reading.reader import Reader
from bidwright.inference.reading.selfplay import bid_out
from bidwright.inference.sampling import Probability
from bidwright.kb.expressions.nodes import parts
from bidwright.kb.language import ast
from bidwright.kb.language.parser import parse
from bidwright.kb.language.printer import condition_text, expr_text, header_lines, statement_lines
from bidwright.kb.language.walk import walk
from bidwright.kb.loading.incremental import load_again
from bidwright.kb.loading.load import MAIN, SUFFIX, available_systems
from bidwright.kb.loading.substitute import rewrite
from bidwright.kb.logic.bounds import Bounds
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.runtime.crew import Crew
from bidwright.runtime.files import write_text


class SettingMatch(TypedDict):
    """A setting's IMPs a board against the system as it is, with counts of boards."""

    mean: float
    error: float | None
    interval: list[float] | None
    boards: int
    different: int


# --------------------------------------------------------------------- what to vary


@dataclass(frozen=True)
class Knob:
    """A range in a rule, and the settings to try.

    Attributes:
        rule: id of the rule.
        test: the range, as it is written.
        settings: the ranges to put in its place.
    """

    rule: str
    test: ast.InRange
    settings: tuple[ast.InRange, ...]


def parse_knob(rules: RuleBase, text: str) -> Knob:
    """Return the knob written as `opening.1NT: 14..16 15..17` or `opening.1NT hcp: 14..16`.

    Without a number before the colon it is the rule's range of `hcp`, or else its first range.

    Raises:
        InvalidError: there is no such rule or range, or a setting is no range.
    """
    head, colon, tail = text.rpartition(":")
    values = tail.split()
    if not colon or not values:
        raise InvalidError(
            f"expected a rule, a colon and settings, such as 'opening.1NT: 14..16', got {text!r}"
        )
    name, fact = _split(rules, head.strip())
    condition = rules.by_id[name].condition
    ranges = (
        []
        if condition is None
        else [each for each in parts(condition) if isinstance(each, ast.InRange)]
    )
    # The range of points is what authors mean when they name no number.
    wanted = [each for each in ranges if expr_text(each.expr) == (fact or "hcp")]
    chosen = wanted or ([] if fact else ranges)
    if not ranges:
        raise InvalidError(f"expected a rule that has a range, got {name!r}")
    if not chosen:
        there = " or ".join(dict.fromkeys(expr_text(each.expr) for each in ranges))
        raise InvalidError(f"expected a number that {name} has a range for ({there}), got {fact!r}")
    return Knob(name, chosen[0], tuple(_setting(chosen[0], value) for value in values))


def _split(rules: RuleBase, head: str) -> tuple[str, str]:
    """Return the rule's id and the number named after it, empty if none is."""
    plain = head.replace('"', "")
    if plain in rules.by_id:
        return plain, ""
    words = plain.split(" ")
    # Ids contain blanks, so the longest beginning that is an id is taken.
    for count in range(len(words) - 1, 0, -1):
        name = " ".join(words[:count])
        if name in rules.by_id:
            return name, " ".join(words[count:]).strip()
    return rule_named(rules, plain), ""


def _setting(test: ast.InRange, value: str) -> ast.InRange:
    # Read by the language itself, so that every form of a range works.
    tree, problems = parse(f"let setting = {expr_text(test.expr)} {value}\n", "setting")
    let = tree.statements[0] if tree is not None and not problems else None
    if not isinstance(let, ast.Let) or not isinstance(let.body, ast.InRange):
        raise InvalidError(f"expected a range such as 14..16, 5+ or ..11, got {value!r}")
    return replace(test, ranges=let.body.ranges)


# ------------------------------------------------------------------------ the files


def write_settings(system: str, knob: Knob, folder: Path) -> list[Path]:
    """Write a system for each setting into a folder; return the files.

    A system that is not one of the package's is copied there, with all convention files of its
    folder, so that it can be included.

    Raises:
        InvalidError: the rule cannot be overridden, or the folder not be written to.
    """
    # Loaded again with places, since a compiled rule has no tree to rewrite.
    rule = next(each.rule for each in walk(load_again(system).statements) if each.id == knob.rule)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        included = _included(system, folder)
        files = []
        for number, setting in enumerate(knob.settings, 1):
            text = "\n".join(_lines(included, knob, rule, setting, number))
            path = folder / f"setting{number}{SUFFIX}"
            write_text(path, text + "\n")
            files.append(path)
    except OSError as error:
        raise InvalidError(f"{folder} cannot be written to: {error.strerror}") from None
    return files


def _included(system: str, folder: Path) -> str:
    if system in available_systems():
        return system
    path = Path(system)
    source, name = (path, MAIN) if path.is_dir() else (path.parent, path.name)
    target_folder = folder.resolve()
    for file in sorted(source.glob(f"**/*{SUFFIX}")):
        # Settings kept below the system must not be copied as a part of it.
        if target_folder not in file.resolve().parents:
            target = folder / "system" / file.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
    return f"system/{name.removesuffix(SUFFIX)}"


def _lines(
    included: str, knob: Knob, rule: ast.Rule, setting: ast.InRange, number: int
) -> list[str]:
    def change(node: ast.Node) -> ast.Node | None:
        # By value and place: the same range may stand twice in a condition.
        same = node == knob.test and node.span == knob.test.span
        return setting if same else None

    condition = None if rule.condition is None else rewrite(rule.condition, change)
    varied = replace(rule, condition=condition, children=())
    # A condition at the block is not the rule's own and stays as it is.
    if setting != knob.test and condition == rule.condition:
        raise InvalidError(f"the condition of {knob.rule} stands at its block; it cannot be varied")
    # Names with # are renamed definitions of a module, which no file can name.
    if any("#" in each.name for each in parts(varied) if isinstance(each, ast.Name | ast.Apply)):
        raise InvalidError(f"{knob.rule} rests on a definition of a module that is included twice")
    title = f"{included} with {condition_text(setting)} for {knob.rule}"
    header = ast.Header("system", f"setting{number}", title)
    return [
        *header_lines(header),
        "",
        f"include {included}",
        "",
        *statement_lines(ast.Override(knob.rule, varied)),
    ]


# ------------------------------------------------------------------------ measuring


@dataclass
class RangeSetting:
    """The effects of one setting.

    Attributes:
        range: the range, as it is written.
        file: the system with it; None for the system as it is.
        frequency: the probability that a hand is bid by the rule where it applies first.
        auctions: the share of the deals that are bid otherwise.
        meanings: the share of the deals with a call of another meaning in the auction as it was.
        examples: such calls with their old and new bounds, the frequent ones first.
        imps: IMPs per board against the system as it is; None if no match was played.
    """

    range: str
    file: Path | None
    frequency: Probability
    auctions: float = 0.0
    meanings: float = 0.0
    examples: list[tuple[str, Bounds, Bounds]] = field(default_factory=list)
    imps: SettingMatch | None = None

    def as_json(self) -> dict[str, object]:
        """Return the effects as plain values."""
        return {
            "range": self.range,
            "frequency": self.frequency.value,
            "frequency_error": self.frequency.error,
            "auctions_changed": self.auctions,
            "meanings_changed": self.meanings,
            "imps": self.imps,
        }


def text_of(test: ast.InRange) -> str:
    """Return a range as it is written."""
    return condition_text(test)


def frequency(reader: Reader, name: str, auction: Auction) -> Probability:
    """Return the probability that a hand that got to an auction is bid by a rule there."""
    here = HandsAt(reader.read(auction))
    instances = here.reading.decision.instances
    places = [index for index, each in enumerate(instances) if each.rule.id == name]
    return here.probability(chosen_by(here.reading.decision, *places))


def auction_of_rule(rules: RuleBase, reader: Reader, name: str) -> Auction:
    """Return the first auction with a hand that a rule bids.

    Raises:
        NoHandError: none was found.
    """
    return reached(rules, reader, name).auction


Calls = tuple[Call, ...]


@dataclass(frozen=True)
class SelfPlay:
    """Deals bid by four players of one system.

    Attributes:
        seed: the random seed of the deals.
        auctions: the auctions, one per deal.
    """

    seed: int
    auctions: tuple[Auction, ...]


def play(
    reader: Reader,
    deals: int,
    seed: int,
    shown: Callable[[Iterable[int]], Iterable[int]] = iter,
) -> SelfPlay:
    """Bid seeded random deals; dealer and vulnerability go by the board's number."""
    # One generator for all deals: both settings are bid on the same ones.
    rng = np.random.default_rng(seed)
    auctions = []
    for number in shown(range(1, deals + 1)):
        deal = random_deal(rng)
        dealer, vulnerability = board_dealer(number), board_vulnerability(number)
        auctions.append(bid_out(reader, deal, dealer, vulnerability).auction)
    return SelfPlay(seed, tuple(auctions))


_SHOWN = 3


def compare(
    before: SelfPlay, after: SelfPlay, readers: tuple[Reader, Reader], to: RangeSetting
) -> None:
    """Fill in the changes by a setting: in auctions, and in meanings of the calls as they were."""
    pairs = list(zip(before.auctions, after.auctions, strict=True))
    to.auctions = sum(one.calls != other.calls for one, other in pairs) / len(pairs)
    counts: Counter[tuple[Calls, Bounds, Bounds]] = Counter()
    touched = 0
    for auction in before.auctions:
        readings = [reader.read(auction) for reader in readers]
        differs = False
        for place, (old, new) in enumerate(
            zip(readings[0].meanings, readings[1].meanings, strict=True)
        ):
            if old.bounds != new.bounds:
                first = 0 if differs else 1
                differs = True
                # Passes before the opening are left out, so that seats are counted together.
                opener = next((i for i, c in enumerate(auction.calls) if c != Call.PASS), place)
                calls = auction.calls[min(opener, place) : place + 1]
                # Only the first difference of an auction is an example; later ones follow from it.
                counts[calls, old.bounds, new.bounds] += first
        touched += differs
    to.meanings = touched / len(pairs)
    to.examples = [
        (" ".join(map(str, calls)), old, new)
        for (calls, old, new), count in counts.most_common(_SHOWN)
        if count
    ]


def match(
    setting: RangeSetting, system: str, boards: int, seed: int, jobs: int, *, quiet: bool
) -> SettingMatch:
    """Play a setting against the system as it is; return its IMPs per board.

    The match file lies beside the setting; one that was cut short is resumed.
    """
    from bidwright.match.play.duplicate import play_match, showing_standing
    from bidwright.match.play.plan import Plan
    from bidwright.runtime.progress import counting

    assert setting.file is not None
    plan = Plan(f"rules:{setting.file}", f"rules:{system}", seed)
    out = setting.file.with_suffix(".jsonl")
    with counting(boards, "bidding", "boards", quiet=quiet) as progress:
        standing = play_match(plan, boards, out, Crew(jobs), on_board=showing_standing(progress))
    imps = standing.as_json()["imps"][plan.scorer]
    return {**imps, "boards": standing.boards, "different": standing.different}
