"""Defects planted in a clean system: a few of each kind, at places that depend on a seed."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from itertools import islice

import numpy as np

from bidwright.authoring.hands.positions import Explorer
from bidwright.authoring.hands.proofs import HandsAt
from bidwright.authoring.lint.examine import is_general
from bidwright.bridge.calls import Call
from bidwright.inference.reading.reader import Reading
from bidwright.kb.assembly import rule_base
from bidwright.kb.language import ast
from bidwright.kb.language.printer import condition_text
from bidwright.kb.language.system import System
from bidwright.kb.language.walk import PlacedRule, call_text, pattern_text, walk
from bidwright.kb.loading.load import Files, Parsed
from bidwright.kb.logic.features import HCP, LENGTHS, features
from bidwright.kb.logic.formula import TRUE, holds_for
from bidwright.kb.rules.rule import CompiledRule

_AUCTIONS = 60
"""The largest number of auctions of a pattern that are all examined."""


_SHORT = 2
"""The largest number of cards of a suit that nobody wants to play in; the fewest rules of a
block."""

_WEAK = 5
"""The most points that a hand may have and still be weak: up to there it has shown nothing."""


@dataclass(frozen=True)
class SeededDefect:
    """A defect to be planted.

    Attributes:
        kind: what it is.
        codes: the findings that count.
        file: the file's name in spans.
        line: the line that is changed, or after which lines are put in.
        taken: how many lines are taken out, from that line on.
        put: lines that are put in instead, or after the line if none is taken out.
        pattern: of the auctions where a finding about a whole position shows it.
    """

    kind: str
    codes: tuple[str, ...]
    file: str
    line: int
    taken: int
    put: tuple[str, ...]
    pattern: ast.Pattern | None = None


class DefectSeeder:
    """Finds places for defects in a system's files, in an order that depends on the seed."""

    def __init__(self, system: System, seed: int) -> None:
        """Look at a system."""
        self.system = system
        self.rules = rule_base(system.name, system.title, system.statements)
        self.by_id = {rule.id: rule for rule in self.rules.rules}
        self.by_pattern: dict[str, list[CompiledRule]] = defaultdict(list)
        for rule in self.rules.rules:
            self.by_pattern[pattern_text(rule.pattern)].append(rule)
        # Seeded: a finding that was missed is looked at again by the same command.
        self.random = random.Random(seed)
        self.explorer = Explorer(self.rules)
        self.plain = [each for each in walk(system.statements) if self._is_plain(each)]
        self.used: set[int] = set()

    def _is_plain(self, each: PlacedRule) -> bool:
        """Return True if a rule stands alone on a line of a closed block of the system itself."""
        span = each.rule.span
        return (
            "conventions/" not in span.file
            and span.line == span.end_line
            and not each.rule.children
            and len(each.path) == 2
            and not each.pattern.open
            and each.when is None
            and len(each.pattern.elements) > 0
        )

    def plants(self, each: int) -> list[SeededDefect]:
        """Return so many defects of each kind."""
        defects: list[SeededDefect] = []
        kinds = (self.gap, self.contradiction, self.tail, self.passed, self.dead, self.overlap)
        traps = (self.artificial, self.free_ask, self.strong_pass)  # after the older kinds
        for kind in (*kinds, *traps):
            candidates = list(self.plain)
            self.random.shuffle(candidates)
            chosen: list[SeededDefect] = []
            for candidate in candidates:
                if len(chosen) == each or candidate.path[0] in self.used:
                    continue
                plant = kind(candidate)
                if plant is not None:
                    self.used.add(candidate.path[0])
                    chosen.append(plant)
            defects += chosen
        return [*defects, *self.doubled_rebases(each)]

    # ------------------------------------------------------------------ the kinds

    def _line(self, each: PlacedRule) -> str:
        return self.system.texts[each.rule.span.file].split("\n")[each.rule.span.line - 1]

    def _siblings(self, each: PlacedRule) -> list[PlacedRule]:
        return [one for one in self.plain if one.path[0] == each.path[0] and one is not each]

    def _other_call(self, each: PlacedRule) -> str | None:
        """Return the call of another firm rule of the block, without letters of its own."""
        call = call_text(each.rule.call)
        for sibling in self._siblings(each):
            text = call_text(sibling.rule.call)
            if text not in (call, "P") and isinstance(sibling.rule.call, ast.LiteralCall):
                return text
        return None

    def _is_firm_and_bare(self, each: PlacedRule) -> bool:
        kinds = {action.kind for action in each.rule.actions}
        firm = not each.rule.optional and each.rule.tier is None
        return firm and each.rule.label is None and "priority" not in kinds

    def _readings(self, each: PlacedRule) -> Iterator[Reading]:
        """Yield a few readings where a rule applies."""
        # Three auctions are enough to see that a rule is used, and some patterns stand for very
        # many.
        auctions = self.explorer.auctions_of(each.pattern, self.explorer.start())
        for reading in islice(auctions, 3):
            if any(one.rule.id == each.id for one in reading.decision.instances):
                yield reading

    def _is_needed(self, each: PlacedRule) -> bool:
        """Return True if some hand of some strength has but a last pass, and nets of `anywhere`."""
        return any(self._takes_more(each, reading) for reading in self._readings(each))

    @staticmethod
    def _takes_more(each: PlacedRule, reading: Reading, above: int = 2) -> bool:
        # General rules stand below the book's; a gap is one of the book.
        book = [one for one in reading.decision.instances if not one.rule.pattern.open]
        if [one.rule.id for one in book if one.formula == TRUE] != [each.id]:
            return False
        rows = features(HandsAt(reading).draw(1000))
        fits = np.zeros(len(rows), dtype=np.bool_)
        for instance in reading.decision.instances:
            is_net = is_general(instance) and instance.formula == TRUE
            if instance.rule.id != each.id and not is_net:
                fits |= holds_for(instance.formula, rows)
        return bool(np.any(~fits & (rows[:, HCP] > above)))

    def _is_passed(self, each: PlacedRule) -> bool:
        """Return True if nothing else is meant by a call, and partner passes it with some hand."""
        reading = next(self._readings(each), None)
        if reading is None:
            return False
        call = next(i.call for i in reading.decision.instances if i.rule.id == each.id)
        after = reading.with_call(call)
        # With other rules for the same call the proof would speak of them together.
        if {one.rule.id for one in after.meanings[-1].instances} != {each.id}:
            return False
        answer = after.with_call(Call.PASS)
        # Drawn hands instead of a proof: that there is one hand which passes is all that is needed.
        chosen = answer.decision.choose_for(features(HandsAt(answer).draw(200)))
        instances = answer.decision.instances
        return any(
            instances[at].call == Call.PASS and not instances[at].rule.pattern.open
            for at in chosen
            if at >= 0
        )

    def dead(self, each: PlacedRule) -> SeededDefect | None:
        """Plant a rule after one for the same hands."""
        call, condition = self._other_call(each), each.rule.condition
        if call is None or condition is None or not self._is_firm_and_bare(each):
            return None
        line = f'  {call} "planted" {condition_text(condition)}'
        span = each.rule.span
        return SeededDefect("dead rule", ("E411",), span.file, span.line, 0, (line,))

    def overlap(self, each: PlacedRule) -> SeededDefect | None:
        """A block elsewhere with the same pattern and a wider condition for another call."""
        call, condition = self._other_call(each), each.rule.condition
        if call is None or not isinstance(condition, ast.And) or not self._is_firm_and_bare(each):
            return None
        # The first part of the condition alone: wider than the whole, and about the same hands.
        wide = condition_text(condition.items[0])
        # At the end of the system's own file, where authors put what they add: far from the block
        # that it overlaps.
        main = next(file for file in self.system.texts if file.endswith("/system.bid"))
        last = len(self.system.texts[main].rstrip("\n").split("\n"))
        block = ("", f"after {pattern_text(each.pattern)}", f'  {call} "planted" {wide}')
        return SeededDefect("overlap", ("W421",), main, last, 0, block)

    def gap(self, each: PlacedRule) -> SeededDefect | None:
        """A last pass that is left to weak hands."""
        rule = each.rule
        if not self._is_net(each):
            return None
        line = self._line(each)
        head, mark, actions = line.partition(";")
        # Hands of three points and more have no call then; with no hand left at all the pass would
        # be a dead rule, another defect.
        text = f"{head.rstrip()} hcp ..2" + (f"; {actions.strip()}" if mark else "")
        codes = ("E412", "W428")
        return SeededDefect("gap", codes, rule.span.file, rule.span.line, 1, (text,), each.pattern)

    def passed(self, each: PlacedRule) -> SeededDefect | None:
        """A call that is made forcing although partner may pass it."""
        rule, call = each.rule, call_text(each.rule.call)
        kinds = {action.kind for action in rule.actions}
        silent = not kinds & {"forcing", "forcing_game", "signoff", "nonforcing"}
        if rule.optional or call in ("P", "X", "XX") or not silent:
            return None
        after = self.by_pattern.get(f"{pattern_text(each.pattern)} {call} (P)".lstrip(), [])
        passes = [
            one
            for one in after
            if one.call == ast.LiteralCall("P")
            and (one.condition is None or "forced" not in condition_text(one.condition))
        ]
        if not passes or not self._is_passed(each):
            return None
        answers = {one.id for one in after}
        # The answers' blocks are taken: a second defect there could hide this one.
        self.used |= {one.path[0] for one in self.plain if one.id in answers}
        line = self._line(each)
        text = f"{line}, forcing" if rule.actions else f"{line}; forcing"
        return SeededDefect(
            "passed forcing call", ("E415",), rule.span.file, rule.span.line, 1, (text,)
        )

    def _is_plain_suit_bid(self, each: PlacedRule) -> bool:
        """Return True if a firm rule bids a suit, and nothing is said of the bid's effects."""
        call, kinds = call_text(each.rule.call), {action.kind for action in each.rule.actions}
        stated = kinds & {"artificial", "natural", "forcing", "forcing_game", "asks", "signoff"}
        is_suit = call not in ("P", "X", "XX") and "NT" not in call
        return self._is_firm_and_bare(each) and is_suit and not stated

    def tail(self, each: PlacedRule) -> SeededDefect | None:
        """A natural bid that is made a question, with no rule for what opponents may do then."""
        rule, call = each.rule, call_text(each.rule.call)
        if not self._is_plain_suit_bid(each):
            return None
        start = f"{pattern_text(each.pattern)} {call} ("
        # Some answer over interference is a tail already.
        if any(text.startswith(start) and text != f"{start}P)" for text in self.by_pattern):
            return None
        if any(one.pattern.open and one.pattern.elements for one in self._over(rule.call)):
            return None
        line = self._line(each)
        text = f"{line}{',' if rule.actions else ';'} artificial, asks planted"
        return SeededDefect("missing tail", ("W422",), rule.span.file, rule.span.line, 1, (text,))

    def _over(self, call: ast.CallPattern) -> Iterator[CompiledRule]:
        """Yield the rules of patterns with `...` that continue a call."""
        for rule in self.rules.rules:
            elements = rule.pattern.elements
            if rule.pattern.open and len(elements) > 1 and call in elements[-2].alternatives:
                yield rule

    def artificial(self, each: PlacedRule) -> SeededDefect | None:
        """A natural bid that is made artificial although partner passes it with any hand."""
        rule = each.rule
        if not self._is_plain_suit_bid(each):
            return None
        reading = next(self._readings(each), None)
        if reading is None:
            return None
        call = next(i.call for i in reading.decision.instances if i.rule.id == each.id)
        after = reading.with_call(call)
        if {one.rule.id for one in after.meanings[-1].instances} != {each.id}:
            return None
        answer = after.with_call(Call.PASS)
        rows = features(HandsAt(answer).draw(400))
        chosen = answer.decision.choose_for(rows)
        instances = answer.decision.instances
        # With length in the suit a pass would be right even if the bid were artificial.
        short = rows[:, LENGTHS[int(call.denomination)]] <= _SHORT
        if all(map(is_general, instances)) or not any(
            at >= 0 and instances[at].call == Call.PASS and instances[at].formula == TRUE
            for at in chosen[short]
        ):
            return None
        self.used |= {one.path[0] for one in self.plain if one.id in _ids(answer)}
        line = self._line(each)
        text = f"{line}{',' if rule.actions else ';'} artificial"
        return SeededDefect(
            "artificial passed", ("W429",), rule.span.file, rule.span.line, 1, (text,)
        )

    def _is_net(self, each: PlacedRule) -> bool:
        """Return True if a rule is the only pass of a closed place without a condition."""
        rule = each.rule
        kinds = {action.kind for action in rule.actions}
        if rule.call != ast.LiteralCall("P") or rule.condition is not None:
            return False
        if "priority" in kinds or rule.tier is not None:
            return False
        nets = [
            one
            for one in self.by_pattern[pattern_text(each.pattern)]
            if one.call == rule.call and one.condition is None
        ]
        single = (ast.LiteralCall, ast.LevelCall)
        exact = all(isinstance(a, single) for e in each.pattern.elements for a in e.alternatives)
        return len(nets) == 1 and exact and self._is_needed(each)

    def free_ask(self, each: PlacedRule) -> SeededDefect | None:
        """Plant an ask for aces by any hand in place of a last pass."""
        # A block of one rule is often a forced answer, where any hand may be meant.
        if len(self._siblings(each)) < _SHORT or not self._is_net(each):
            return None
        span = each.rule.span
        line = '  4NT "planted"; artificial, forcing, asks planted'
        return SeededDefect("ask of any hand", ("W430",), span.file, span.line, 1, (line,))

    def strong_pass(self, each: PlacedRule) -> SeededDefect | None:
        """A call for all weak hands, before a block whose last pass had them."""
        call = self._other_call(each)
        if call is None or not self._is_net(each):
            return None
        reading = next(self._readings(each), None)
        if reading is None or reading.state.shown[reading.state.me].hcp[0] > _WEAK:
            return None
        # Hands above the planted range must be there, or the pass after it would be dead as well
        # and that would be found instead.
        if not self._takes_more(each, reading, _WEAK + 4):
            return None
        line = f'  {call} "planted" hcp ..{_WEAK + 4}'
        start = self.system.statements[each.path[0]].statement.span.line
        return SeededDefect(
            "strong pass", ("W433",), each.rule.span.file, start, 0, (line,), each.pattern
        )

    def doubled_rebases(self, most: int) -> list[SeededDefect]:
        """Return `rebase` statements that stand a second time at the end of the system."""
        rebases = [one.statement for one in self.system.statements]
        single = [one for one in rebases if isinstance(one, ast.Rebase) and not one.stolen]
        self.random.shuffle(single)
        main = next(file for file in self.system.texts if file.endswith("/system.bid"))
        last = len(self.system.texts[main].rstrip("\n").split("\n"))
        texts = [
            f"rebase {pattern_text(one.source)} -> {pattern_text(one.target)}" for one in single
        ]
        return [
            SeededDefect("two rebases", ("W213",), main, last, 0, (text,)) for text in texts[:most]
        ]

    def contradiction(self, each: PlacedRule) -> SeededDefect | None:
        """A rule for more points than an earlier call of the same hand allowed."""
        if len(each.pattern.elements) < 4 or not self._is_firm_and_bare(each):
            return None
        readings = self.explorer.auctions_of(each.pattern, self.explorer.start())
        shown = [r.state.shown[r.state.me].hcp[1] for r in islice(readings, _AUCTIONS + 1)]
        most = max(shown, default=37)
        if most > 17 or len(shown) > _AUCTIONS:
            return None
        # Three points beyond: fewer might pass for judgement.
        line = f'  {call_text(each.rule.call)} "planted" hcp {most + 3}+'
        start = self.system.statements[each.path[0]].statement.span.line
        return SeededDefect("contradiction", ("E413",), each.rule.span.file, start, 0, (line,))


def _ids(reading: Reading) -> set[str]:
    return {each.rule.id for each in reading.decision.instances}


class PlantedFiles(Files):
    """The files of a system with defects in them, each line put in with the defect's number.

    The system is loaded by the name or path that it has, so that a file of the package is read
    and judged as one of the package.
    """

    def __init__(self, plants: list[SeededDefect], system: System) -> None:
        """Put the defects into the texts of the files."""
        by_file: dict[str, list[tuple[int, SeededDefect]]] = defaultdict(list)
        for number, plant in enumerate(plants):
            by_file[plant.file].append((number, plant))
        self._texts = {file: _seeded(system.texts[file], some) for file, some in by_file.items()}

    def read(self, path: Traversable, name: str) -> Parsed:
        """Return a file parsed, with the defects if it has some."""
        text = self._texts.get(name)
        return super().read(path, name) if text is None else self.parse(text, name)


def _seeded(text: str, plants: list[tuple[int, SeededDefect]]) -> str:
    lines = text.rstrip("\n").split("\n")
    # From the end, so that the lines of the others keep their numbers.
    for number, plant in sorted(plants, key=lambda one: (-one[1].line, -one[0])):
        put = [*plant.put[:-1], f"{plant.put[-1]}  # planted {number}"] if plant.put else []
        at = plant.line - 1 if plant.taken else plant.line
        lines[at : at + plant.taken] = put
    return "\n".join(lines) + "\n"
