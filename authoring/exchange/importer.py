"""From calls with descriptions to a convention file, with an account of every line.

A description that says which hands make the call, and is understood as a whole, becomes a rule.
Whatever else there is stays as a comment in the place where it stood. The file that comes out is
checked as `bidwright check` checks it: a rule that cannot stand is taken out again, and the report
says what it contradicts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from bidwright.authoring.exchange.bboalert import read_bboalert, read_bss
from bidwright.authoring.exchange.bbsa import import_card
from bidwright.authoring.exchange.bml import read_bml
from bidwright.authoring.exchange.imported_rules import (
    MOST_READ,
    ImportedCall,
    TriedRow,
    candidates_of,
    conditions_of_block,
    conflicts,
    longest_first,
    shared_hands,
    specific_first,
    tried,
    without_points,
)
from bidwright.authoring.exchange.module_files import read_module
from bidwright.authoring.exchange.records import (
    BadFileError,
    Fate,
    ImportedLine,
    ImportReport,
    NoteLine,
    ParsedNotes,
    Place,
)
from bidwright.inference.reading.examples import reader_for
from bidwright.kb.assembly import rule_base
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic
from bidwright.kb.language.parser import parse
from bidwright.kb.language.printer import header_lines, statement_lines
from bidwright.kb.language.system import System
from bidwright.kb.language.walk import pattern_text
from bidwright.kb.loading.load import load
from bidwright.kb.rules.rulebase import RuleBase

READERS: dict[str, Callable[[Path], ParsedNotes]] = {
    ".bml": read_bml,
    ".bss": read_bss,
    ".bboalert": read_bboalert,
    ".bid": read_module,
}
"""The readers of files, by suffix."""

LEAST_SHARE = 20
"""Of more lines than this for each that is understood, a file is kept as notes."""

_SHOWN_HANDS = 3
"""Hands that fit a rule in the report."""

_DROPPED = {"W203": ("answers",), "W204": ()}
"""Findings that an action causes: the kinds to leave out; all of them if none is named."""


@dataclass(frozen=True, slots=True)
class Imported:
    """A file that was read.

    Attributes:
        text: the convention file.
        report: what became of every line.
    """

    text: str
    report: ImportReport


def import_file(path: Path, name: str, *, anyway: bool = False) -> Imported:
    """Return a convention file with the rules of another program's file.

    Args:
        path: a `.bml`, `.bss`, `.bboalert` or `.bbsa` file, or a `.bid` file of the other language.
        name: the name of the system; what is not a letter or digit becomes `_`.
        anyway: True to make rules of a file of which less than a twentieth is understood.

    Raises:
        BadFileError: the file cannot be read, or a line of it is not what it should be.
    """
    if path.suffix.lower() == ".bbsa":
        return Imported(*import_card(path, _system_name(name)))
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        kinds = ".bml, .bss, .bboalert or .bbsa, or another program's module that ends in .bid"
        raise BadFileError(f"expected a file that ends in {kinds}, got {path}")
    reading = reader(path)
    draft = _Draft(reading, path, _system_name(name))
    # Errors first, then the order, which needs a file that compiles, then warnings as well.
    draft.settle(("E",))
    draft.arrange()
    draft.settle(("E", "W"))
    # Contradictions come last, when it is settled which rows stand.
    if draft.rules:
        for candidate, message in conflicts(draft.rule_base(), draft.kept()):
            draft.findings.setdefault(id(candidate), []).append(message)
    limits: tuple[str, ...] = ()
    rules, lines = draft.rules, sum(bool(source.text.strip()) for source in reading.sources)
    if 0 < rules * LEAST_SHARE < lines and not anyway:
        draft.keep_as_notes()
        limits = (
            f"{rules} of {lines} lines are understood, less than one in {LEAST_SHARE}: the file is "
            "kept as notes; --anyway makes rules of them",
        )
    draft.try_rules()
    if draft.rules > MOST_READ:
        limits += (f"only the first {MOST_READ} rules were compared with earlier calls",)
    # After the name the text of the file is only words to keep.
    return Imported(draft.text(), ImportReport(tuple(draft.lines()), limits))


def _system_name(name: str) -> str:
    # A name in letters of other scripts, or a word of the language, cannot be a system's.
    slug = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_").lower() or "system"
    _, problems = parse(f'system {slug} "x"\n', "name")
    return f"my_{slug}" if problems else slug


_Key = tuple[ast.Pattern, tuple[int, ...], tuple[bool | None, bool | None], ast.Condition | None]


@dataclass
class _Block:
    """The rules of one position, with the comments between them."""

    key: _Key
    items: list[ImportedCall | NoteLine] = field(default_factory=list)

    @property
    def rows(self) -> list[ImportedCall]:
        """The calls of ours."""
        return [
            item for item in self.items if isinstance(item, ImportedCall) and not item.entry.theirs
        ]


class _Draft:
    """A convention file in the making."""

    def __init__(self, reading: ParsedNotes, path: Path, name: str) -> None:
        self._reading = reading
        self._header = reading.header or ast.Header("system", name, reading.title or path.stem)
        self._texts = {source.place: source.text for source in reading.sources}
        self._header = replace(self._header, sources=(f"imported from {path.name}",))
        self._candidates = list(candidates_of(reading.entries, exported=reading.exported))
        self._blocks = list(self._grouped())
        self.findings: dict[int, list[str]] = {}
        self._hands: dict[int, tuple[str, ...]] = {}
        self._out: dict[int, str] = {}
        self._owner: dict[int, list[ImportedCall]] = {}
        self._last: tuple[str, System] | None = None

    # ---------------------------------------------------------------------- layout

    def _grouped(self) -> Iterator[_Block | NoteLine]:
        """Yield blocks in the order of their beginnings, and prose that stands before them."""
        blocks: dict[_Key, _Block] = {}
        order: list[_Block | NoteLine] = []
        prose = list(self._reading.prose)
        for candidate in self._candidates:
            entry = candidate.entry
            key = (candidate.pattern, entry.seats, entry.vulnerable, entry.when)
            waiting = []
            # Text between two rows stands in front of the second.
            while prose and prose[0][0] <= candidate.number:
                waiting.append(prose.pop(0)[1])
            block = blocks.get(key)
            if block is None:
                order += waiting
                block = blocks[key] = _Block(key)
                order.append(block)
            else:
                block.items += waiting
            block.items.append(candidate)
        yield from order
        yield from (source for _, source in prose)

    def text(self) -> str:
        """Return the file; remember which line is whose."""
        lines = [*header_lines(self._header)]
        self._owner = {}
        for item in self._blocks:
            if isinstance(item, NoteLine):
                lines += _comment(item.place, item.text, 0)
                continue
            # The block of a position whose rows are all text is a run of comments.
            rules = [row for row in item.items if self._stands(row)]
            lines.append("")
            if rules:
                pattern, seats, vulnerable, when = item.key
                kind = "after" if pattern.elements else "opening"
                if when is None:
                    when = conditions_of_block(seats, vulnerable, len(pattern.elements))
                block = ast.Block(kind, pattern, (), when=when)
                lines += statement_lines(block)
                self._owner[len(lines)] = [row for row in rules if isinstance(row, ImportedCall)]
            for row in item.items:
                if isinstance(row, NoteLine):
                    lines += _comment(row.place, row.text, bool(rules))
                elif row in rules and isinstance(row, ImportedCall) and row.rule is not None:
                    lines += statement_lines(ast.Block("opening", _NOWHERE, (row.rule,)))[1:]
                    self._owner[len(lines)] = [row]
                elif isinstance(row, ImportedCall) and row.is_first:
                    lines += _comment(row.entry.places[0], self._reported(row), bool(rules))
        return "\n".join([*lines, ""])

    def _reported(self, candidate: ImportedCall) -> str:
        """Return the lines of a call as they were written, after the calls before it."""
        lines = " ".join(self._texts[place].strip() for place in candidate.entry.places)
        elements = candidate.pattern.elements
        return f"{pattern_text(candidate.pattern)}: {lines}" if elements else lines

    def _stands(self, item: ImportedCall | NoteLine) -> bool:
        return (
            isinstance(item, ImportedCall) and item.rule is not None and id(item) not in self._out
        )

    # -------------------------------------------------------------------- checking

    def arrange(self) -> None:
        """Put the rows of each table in order, the specific before the general.

        Rows that are for the rest of the hands, or count on partner's points, become text where
        other rows of the table are text or partner has shown none.
        """
        if self._reading.exported:
            return
        self._lean()
        for block in self._tables():
            silent = [each for each in block.rows if not self._stands(each)]
            for row in block.rows if silent else ():
                if row.rest and row.rule is not None:
                    line = silent[0].entry.places[0][1]
                    row.refuse(f"line {line} of the table is text, so what is left is not known")
        # A row that is taken out may be the one on whose points another counts.
        while True:
            reader = reader_for(self.rule_base())
            tables = [[row for row in block.rows if self._stands(row)] for block in self._tables()]
            weak = [row for rows in tables if rows for row in without_points(reader, rows)]
            for row in weak:
                row.refuse("it has no points of its own, and partner has shown none")
            if not weak:
                break
        for block in self._tables():
            longest_first([row for row in block.rows if self._stands(row)])
        reader = reader_for(self.rule_base())
        for block in self._tables():
            rows = [row for row in block.rows if self._stands(row)]
            if len(rows) > 1:
                self._order(block, specific_first(tried(reader, rows, self._owner)))

    def keep_as_notes(self) -> None:
        """Make text of every row."""
        for row in self.kept():
            row.refuse("too little of the file is understood")
        self.findings = {}

    def try_rules(self) -> None:
        """Find some hands that fit every rule, for the report."""
        if not self.rules:
            return
        reader = reader_for(self.rule_base())
        for block in self._tables():
            rows = [row for row in block.rows if self._stands(row)]
            for row in tried(reader, rows, self._owner) if rows else ():
                self._hands[id(row.candidate)] = row.hands(_SHOWN_HANDS)
                if row.doubt and not self._reading.exported:
                    row.candidate.notes += (row.doubt,)

    def _lean(self) -> None:
        """Make text of rows with words that refer to a row that became text."""
        changed = True
        while changed:
            changed = False
            for row in self.kept():
                fallen = [each for each in row.leans if not self._stands(each)]
                if fallen:
                    line = fallen[0].entry.places[0][1]
                    row.refuse(f"its words refer to line {line}, which is text")
                    changed = True

    def _order(self, block: _Block, rows: list[TriedRow]) -> None:
        """Put rows in the places of the table that rules have; comments stay where they are."""
        remarks = shared_hands(rows)
        waiting = iter(rows)
        for place, item in enumerate(block.items):
            if self._stands(item):
                row = next(waiting).candidate
                row.notes += (remarks[id(row)],) if id(row) in remarks else ()
                block.items[place] = row

    # One table for each position.
    def _tables(self) -> list[_Block]:
        return [block for block in self._blocks if isinstance(block, _Block)]

    def settle(self, kinds: tuple[str, ...]) -> None:
        """Take out rows with findings until the file passes its check.

        Args:
            kinds: the first letters of the codes of findings that count.
        """
        while problems := [each for each in self._problems() if each.code.startswith(kinds)]:
            # Until a round changes nothing: a rule that goes may leave an answer without its
            # question.
            before = (len(self._out), sum(len(each) for each in self.findings.values()))
            for problem in problems:
                for candidate in self._owner.get(problem.span.line, ()):
                    self._mend(candidate, problem)
            after = (len(self._out), sum(len(each) for each in self.findings.values()))
            if before == after:  # no row is to blame
                raise BadFileError(
                    f"{self._reading.sources[0].place[0]}: the notes make no convention file: "
                    f"{problems[0].message} ({problems[0].code})"
                )

    def _mend(self, candidate: ImportedCall, problem: Diagnostic) -> None:
        message = f"{problem.message} ({problem.code})"
        self.findings.setdefault(id(candidate), []).append(message)
        rule = candidate.rule
        kinds = _DROPPED.get(problem.code)
        if kinds is None or rule is None or not rule.actions:
            self._out[id(candidate)] = message
            return
        # Without the action the rule may stand.
        actions = tuple(each for each in rule.actions if kinds and each.kind not in kinds)
        candidate.rule = replace(rule, actions=actions)

    def _problems(self) -> Iterator[Diagnostic]:
        system = self._loaded()
        yield from system.diagnostics
        if not system.has_errors:
            yield from rule_base(system.name, system.title, system.statements).diagnose()

    def _loaded(self) -> System:
        """Return the file loaded; it is loaded again if its text is another one."""
        text = self.text()
        if self._last is None or self._last[0] != text:
            with TemporaryDirectory() as folder:
                file = Path(folder) / "imported.bid"
                file.write_text(text, encoding="utf-8")
                self._last = text, load(file)
        return self._last[1]

    def rule_base(self) -> RuleBase:
        """Return the rules that stand, compiled."""
        system = self._loaded()
        return rule_base(system.name, system.title, system.statements)

    @property
    def rules(self) -> int:
        """The number of rules that stand."""
        return len(self.kept())

    def kept(self) -> list[ImportedCall]:
        """Return the rows that became rules."""
        return [each for each in self._candidates if self._stands(each)]

    # --------------------------------------------------------------------- account

    def lines(self) -> Iterator[ImportedLine]:
        """Yield every line that was read, with what became of it."""
        by_place: dict[Place, list[ImportedCall]] = {}
        for candidate in self._candidates:
            for place in candidate.entry.places:
                by_place.setdefault(place, []).append(candidate)
        for source in self._reading.sources:
            fate, notes = self._fate(source, by_place.get(source.place, []))
            rows = by_place.get(source.place, []) if fate is Fate.RULE else []
            hands = next((self._hands[id(row)] for row in rows if id(row) in self._hands), ())
            yield ImportedLine(*source.place, source.text, fate, notes, hands)

    def _fate(
        self, source: NoteLine, candidates: list[ImportedCall]
    ) -> tuple[Fate, tuple[str, ...]]:
        if not source.text.strip():
            return Fate.BLANK, ()
        if not candidates:
            is_context = source.place in self._reading.context
            return (Fate.CONTEXT if is_context else Fate.TEXT), ()
        notes = [note for each in candidates for note in each.notes]
        unread = [note for each in candidates for note in each.unread_notes]
        findings = [note for each in candidates for note in self.findings.get(id(each), ())]
        clashes = [*findings, *(note for each in candidates for note in each.clashes)]
        if clashes:
            return Fate.CONTRADICTION, tuple(dict.fromkeys((*clashes, *notes, *unread)))
        if not any(self._stands(each) for each in candidates):
            # The reason for which it stayed text comes first.
            return Fate.TEXT, tuple(dict.fromkeys((*unread, *notes)))  # the reason first
        return Fate.RULE, tuple(dict.fromkeys((*notes, *unread)))


_NOWHERE = ast.Pattern(())


def _comment(place: Place, text: str, indented: bool | int) -> Iterable[str]:
    """Return a line that stayed text as a comment."""
    return [f"{'  ' * bool(indented)}# {place[1]}: {text.strip()}"]
