"""Completion: legal calls, facts, definitions, actions and modules that may be written next.

The place is read from text that is half typed: neither its line nor the lines beside it need to
make sense, only the beginnings of the lines above that are indented less.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lsprotocol import types

from bidwright.bridge.calls import CALLS
from bidwright.editor.editor_files import Document
from bidwright.editor.names import letters_in
from bidwright.editor.session import Session
from bidwright.kb.expressions.condition_nodes import plain_name
from bidwright.kb.language import ast
from bidwright.kb.language.line_groups import LogicalLine, code_of, indentation, logical_lines
from bidwright.kb.language.parser import parse
from bidwright.kb.language.printer import condition_text, expr_text
from bidwright.kb.language.vocabulary import (
    CALL_CLASSES,
    LAST_CALL_CLASSES,
    SUIT_NAMES,
    SUIT_VARIABLES,
    SUIT_WORD,
    TIERS,
    WORDS,
    Kind,
    Param,
    Word,
)
from bidwright.kb.language.walk import THEY_PASS, walk
from bidwright.kb.loading.load import includable, included_file
from bidwright.kb.rules.legality import LegalityState, can_make, positions_after

_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"?')
_LEAD = re.compile(r"(?:[A-Za-z_]\w*[ \t]*:(?!:))?[ \t]*(?:may[ \t]+)?")
_CALL = re.compile(
    r"(?:[1-7](?:\.\.[1-7])?[A-Za-z]+|P|X|XX|[Pp]ass|[Dd]ouble|[Rr]edouble"
    r"|(?:bid|jump|doublejump|game|small_slam|grand_slam|step)\(\s*\w+\s*\))(?![\w(])"
)
_HEADING = re.compile(r"(?:" + "|".join(TIERS).replace(" ", r"[ \t]+") + r"|group\s+\w+)\s*")
_BRANCH = re.compile(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)")


@dataclass(frozen=True, slots=True)
class PlaceContext:
    """The calls before a place.

    Attributes:
        pattern: the calls, None where there are none to tell.
        calls: the calls that the rules above it at the same place make, as they are written.
    """

    pattern: ast.Pattern | None
    calls: tuple[str, ...] = ()


def head_of(lines: Sequence[str], line: int, column: int) -> str:
    """Return the code from the beginning of the statement or rule up to a place (from 1)."""
    here = line - 1
    # A word joiner ends a line that is empty so far, which would be no line otherwise.
    logical = logical_lines([*lines[:here], lines[here][: column - 1] + "\u2060"])
    first = logical[-1].first if logical and logical[-1].last == here else here
    parts = [*lines[first:here], lines[here][: column - 1]]
    joined = [code_of(part) for part in parts[:-1]]
    last = parts[-1]
    return " ".join([*(part.rstrip("\\") for part in joined), last]).replace("\u2060", "")


def in_text_or_comment(line: str, column: int) -> bool:
    """Return True if a place in a line (column from 1) is inside quotes or behind a `#`."""
    before = line[: column - 1]
    # A text that is closed is taken out: a quote that remains is open.
    rest = _TEXT.sub(
        lambda found: "" if found[0].endswith('"') and len(found[0]) > 1 else '"', before
    )
    return '"' in rest or "#" in rest


def _enclosing(lines: Sequence[str], line: int, indent: int) -> list[LogicalLine]:
    """Return the lines that a line with some blanks before it stands under, outermost first."""
    lines_around: list[LogicalLine] = []
    for above in reversed(logical_lines(list(lines[: line - 1]))):
        if above.indent < indent:
            lines_around.append(above)
            indent = above.indent
    return lines_around[::-1]


def _pattern_of(head: str) -> ast.Pattern | None:
    """Return the pattern of a block's first line; any text may follow the pattern there."""
    words = head.split('"')[0].split(" when ")[0].strip()
    # A block needs a rule; what stands behind the pattern may be half written and is left away.
    tree, _ = parse(f"{words}\n  may pass\n", "")
    for statement in tree.statements if tree else ():
        if isinstance(statement, ast.Block):
            return statement.pattern
    return None


def call_in(text: str) -> ast.CallExpr | None:
    """Return the call of a rule; any text may follow it."""
    match = _CALL.match(text, _LEAD.match(text).end())  # type: ignore[union-attr]
    if not match:
        return None
    # The call is parsed under a block, for the grammar has no call by itself.
    tree, _ = parse(f"anywhere\n  {match[0]}\n", "")
    for statement in tree.statements if tree else ():
        if isinstance(statement, ast.Block) and statement.rules:
            return statement.rules[0].call
    return None


def _branch_in(text: str) -> ast.Element | None:
    match = _BRANCH.match(text)
    if not match:
        return None
    pattern = _pattern_of(f"after ({match[1]})")
    return pattern.elements[0] if pattern is not None and pattern.elements else None


def setting_at(lines: Sequence[str], line: int, indent: int) -> PlaceContext:
    """Return the calls before a rule at a line (from 1) with some blanks before it."""
    above = _enclosing(lines, line, indent)
    if not above:
        return PlaceContext(None)
    texts = [" ".join(code_of(each) for each in lines[a.first : a.last + 1]) for a in above]
    # A tier or a group above its rules is indented less, but is no call.
    texts = [text for text in texts if not _HEADING.fullmatch(text.strip())]
    pattern = _pattern_of(texts[0])
    if pattern is None:
        return PlaceContext(None)
    elements = list(pattern.elements)
    for index, text in enumerate(texts[1:], 1):
        code = text.strip()
        branch = _branch_in(code)
        if branch is not None:
            elements.append(branch)
            continue
        call = call_in(code)
        if call is None:
            return PlaceContext(None)
        elements.append(ast.Element(False, (call,)))
        following = texts[index + 1].strip() if index + 1 < len(texts) else ""
        # A rule below a call without brackets between answers after a pass.
        if not following.startswith("("):
            elements.append(THEY_PASS)
    return PlaceContext(ast.Pattern(tuple(elements), pattern.open), _beside(lines, line, indent))


def _beside(lines: Sequence[str], line: int, indent: int) -> tuple[str, ...]:
    """Return the calls of the rules above a line that stand under the same line as it."""
    calls = []
    for above in reversed(logical_lines(list(lines[: line - 1]))):
        if above.indent < indent:
            break
        if above.indent == indent:
            code = lines[above.first].strip()
            call = _CALL.match(code, _LEAD.match(code).end())  # type: ignore[union-attr]
            if call:
                calls.append(call[0])
    return tuple(calls)


KEYWORDS = {
    "system": "the header of a system",
    "convention": "the header of a convention",
    "include": "puts another file in this place",
    "let": "gives a name to a number or a condition",
    "export": "lets other modules use the definition",
    "opening": "rules for opening the bidding",
    "after": "rules after some calls",
    "anywhere": "rules for every position",
    "example": "a hand and its call: a test",
    "override": "takes another rule instead of one that is included",
    "remove": "takes a rule out",
    "replace": "overrides all that was said after some calls",
    "retire": "puts an example aside that holds no longer",
    "latitude": "points that our players may be away from a bound of strength",
    "undiscussed": "nothing is agreed from the last of some calls on",
    "block": "rules with a name, for several calls",
    "answer": "the answers to a question, wherever it is asked",
    "source": "the book, booklet or practice that the rules after it are from",
    "measured": "what was measured of the rules after it",
    "order": "groups of rules, the first to be tried first, with `rest` for all others",
    "rebase": "our calls mean what they mean in another auction",
}
"""The words that a statement begins with."""

INNER_KEYWORDS = {
    "group": "rules that stand in a group of an `order` line",
    "use": "the rules of a named block stand here",
    "either": "one of several meanings of the call above, with a name",
    "usually": "holds for the hands that bid by the rule, and is not promised",
    "shows": "claims about the hands of the call: proved, and printed first",
    "may": "a call that a player is free to make; not making it denies nothing",
}
"""Words inside blocks and rules."""

_WORD_BEFORE = re.compile(r"[\w.]*$")
_PATH_BEFORE = re.compile(r"[\w/.-]*$")
_CALL_LEAD = re.compile(r"\s*(?:[A-Za-z_]\w*[ \t]*:[ \t]*)?(?:may[ \t]+)?[\w.]*$")
_LAST = re.compile(r"\b(?:partner|rho|lho)_last\(\w*$")
_ASKED = re.compile(r"\b(?:asked\(|asks\s+|answers\s+)\w*$")
_GROUP = re.compile(r"(?:^|[;,])\s*group\s+\w*$")
_KINDS = types.CompletionItemKind


@dataclass(frozen=True, slots=True)
class Item:
    """A proposal for completion.

    Attributes:
        text: the text to insert.
        kind: the kind of the proposal.
        detail: a short remark.
        about: its meaning.
        rank: its place in the list; less is earlier.
    """

    text: str
    kind: types.CompletionItemKind
    detail: str = ""
    about: str = ""
    rank: int = 5


class Completer:
    """Completes half-written text in the files of a session."""

    def __init__(self, session: Session) -> None:
        """Complete in the files of an editor."""
        self._session = session

    def complete(self, document: Document, line: int, column: int) -> list[types.CompletionItem]:
        """Return the proposals at a place (line and column from 1)."""
        lines = document.lines
        text = lines[line - 1] if line <= len(lines) else ""
        # Nothing is proposed inside quotes and comments, where every word would fit.
        if in_text_or_comment(text, column):
            return []
        head = head_of(lines, line, column) if line <= len(lines) else ""
        before = text[: column - 1]
        # The whole word is replaced, so that a proposal does not stand behind its own beginning.
        start = _WORD_BEFORE.search(before).start()  # type: ignore[union-attr]
        items: Iterable[Item]
        if head[:1].isspace():
            items = self._in_rule(document, lines, line, head)
        elif match := re.match(r"include\s+(?:[\w/.-]+\s+for\s+)?([\w/.-]*)$", head):
            start = _PATH_BEFORE.search(before).start()  # type: ignore[union-attr]
            items = self._modules(document.path)
        elif match := re.match(r"include\s+([\w/.-]+)\s*\((?:[^=]*=[^,]*,)*\s*\w*$", head):
            items = self._arguments(document.path, match[1])
        elif match := re.match(r"override\s+let\s+\w*$", head):
            items = self._definitions(document.path)
        elif match := re.match(r'(override|remove)\s+("?)(.*)$', head):
            start = len(before) - len(match[3])
            items = self._rules(document.path, quoted=bool(match[2]))
        else:
            items = self._in_statement(document, head)
        place = types.Range(
            self._session.position(document, line, start + 1),
            self._session.position(document, line, column),
        )
        return [_to_client(each, place) for each in items]

    # -------------------------------------------------------------- statements

    def _in_statement(self, document: Document, head: str) -> Iterator[Item]:
        if re.fullmatch(r"\w*", head):
            for word, about in KEYWORDS.items():
                yield Item(word, _KINDS.Keyword, about=about)
        elif match := re.match(r"(?:\w+\s+)?let\s+\w+\s*(?:\(([^)]*)\))?\s*=", head):
            for name in filter(None, re.split(r"\W+", match[1] or "")):
                yield Item(name, _KINDS.Variable, "parameter of the definition", rank=0)
            yield from self._condition(document, head, None)
        elif match := re.match(r"(?:replace\s+)?(?:after|opening|anywhere)\b(.*)\bwhen\b", head):
            # `opening` and `anywhere` have no calls that a condition could look back at.
            pattern = _pattern(match[1].split('"')[0]) if head.startswith("after") else None
            yield from self._condition(document, head, pattern)
        elif match := re.match(r"(?:(?:replace\s+)?after|rebase)\s+(.*)$", head):
            yield from self._pattern(document, match[1].rpartition("->")[2])
        elif head.startswith("example"):
            yield from self._example(head)

    def _example(self, head: str) -> Iterator[Item]:
        calls = re.search(r"\bafter\s+(.*?)(?:\bvul\b|\bdealer\b|->|$)", head)
        if re.search(r"\b(?:vul|dealer)\s+\w*$", head):
            words = ("none", "ns", "ew", "both") if re.search(r"vul\s+\w*$", head) else "NESW"
            yield from (Item(word, _KINDS.EnumMember) for word in words)
            return
        if "->" in head or calls:
            words_before = re.findall(r"[1-7](?:NT|N|[CDHS])|XX?|P", calls[1] if calls else "")
            position = LegalityState()
            # Only calls that were understood are played; a half-typed one changes nothing.
            for index, word in enumerate(words_before):
                call = next((each for each in CALLS if str(each) == word), None)
                if call is not None:
                    position = position.after(call, {}, ours=(len(words_before) - index) % 2 == 0)
            yield from (
                Item(str(call), _KINDS.Value, rank=0)
                for call in CALLS
                if position.allows(call, ours=True)
            )
        if "->" not in head:
            for word in ("after", "vul", "dealer", "->"):
                yield Item(word, _KINDS.Keyword)

    def _modules(self, path: Path) -> Iterator[Item]:
        of_file = self._session.project(path)
        project = of_file.root if of_file else None
        for name in includable(path, project):
            target = included_file(path, name, self._session.files.exists, project)
            document = self._session.document(target.resolve()) if target else None
            header = document.parsed.tree.header if document else None
            yield Item(name, _KINDS.Module, header.title if header else "")

    def _arguments(self, path: Path, include: str) -> Iterator[Item]:
        of_file = self._session.project(path)
        project = of_file.root if of_file else None
        target = included_file(path, include, self._session.files.exists, project)
        document = self._session.document(target.resolve()) if target else None
        header = document.parsed.tree.header if document else None
        for parameter in header.parameters if header else ():
            yield Item(f"{parameter.name} = ", _KINDS.Property, f"parameter of {include}", rank=0)
        yield from self._pattern_words()

    def _rules(self, path: Path, *, quoted: bool) -> Iterator[Item]:
        project = self._session.project(path)
        for placed in walk(project.look.system.written) if project else ():
            # Ids of rules without a label have blanks and brackets, and need quotes.
            plain = re.fullmatch(r"[A-Za-z_]\w*\.\w+(?:\(\w+\))?(?:#\d+)?", placed.id)
            text = placed.id if plain or quoted else f'"{placed.id}"'
            yield Item(text, _KINDS.Method, placed.rule.text or "")

    # ------------------------------------------------------------------- rules

    def _in_rule(
        self, document: Document, lines: Sequence[str], line: int, head: str
    ) -> Iterator[Item]:
        setting = setting_at(lines, line, indentation(lines[line - 1]) or len(head))
        if _GROUP.search(head):
            yield from _groups(document)
            return
        if re.fullmatch(_CALL_LEAD, head):
            if setting.pattern is None:
                yield from (Item(word, _KINDS.Keyword) for word in ("also", "source", "gaps"))
            else:
                yield from self._calls(setting)
                yield from _tiers(rank=6)
            return
        if re.match(r"\s*\([^()]*$", head):
            yield from self._pattern_words()
            return
        if ";" in re.sub(r'"[^"]*"', "", head):
            yield from self._actions(document, head, setting.pattern)
            return
        call = call_in(head.strip())
        pattern = setting.pattern
        if pattern is not None and call is not None:
            pattern = ast.Pattern((*pattern.elements, ast.Element(False, (call,))), pattern.open)
        yield from self._condition(document, head, pattern)
        yield Item("otherwise", _KINDS.Keyword, "for every hand", rank=9)

    def _calls(self, setting: PlaceContext) -> Iterator[Item]:
        """Yield the calls that we can make at a place, those without a rule first."""
        assert setting.pattern is not None
        positions, _ = positions_after(setting.pattern)
        letters = letters_in(setting.pattern)
        opposite = {f"o{letter}" for letter in letters & {"M", "m"}}
        for call in CALLS:
            text = "pass" if str(call) == "P" else str(call)
            if any(position.allows(call, ours=True) for position in positions):
                used = text in setting.calls or str(call) in setting.calls
                detail = "a rule above makes it" if used else ""
                yield Item(text, _KINDS.Value, detail, rank=2 if used else 0)
        # Before any letter is used the usual ones are proposed.
        for letter in sorted(letters | opposite) or ("M", "m", "X"):
            for level in range(1, 8):
                lettered = ast.LevelCall(level, level, letter)
                if can_make(positions, lettered):
                    about = SUIT_VARIABLES[letter]
                    yield Item(f"{level}{letter}", _KINDS.Value, about, rank=1)
        for word in WORDS:
            if word.kind is Kind.CALL and word.params:
                yield Item(f"{word.name}(", _KINDS.Function, word.meaning, rank=3)
        for name in ("may", "either", "use", "group"):
            yield Item(name, _KINDS.Keyword, INNER_KEYWORDS[name], rank=4)
        for name in ("source", "measured"):
            yield Item(name, _KINDS.Keyword, KEYWORDS[name], rank=6)

    def _actions(
        self, document: Document, head: str, pattern: ast.Pattern | None
    ) -> Iterator[Item]:
        if _ASKED.search(head):
            yield from self._questions(document.path)
        elif re.search(r"\bagrees\s+\w*$", head):
            yield from self._suits(pattern)
        else:
            for word in WORDS:
                if word.kind is Kind.ACTION:
                    yield Item(word.name, _KINDS.Keyword, word.usage, word.meaning)
            yield from _tiers(rank=5)

    # ---------------------------------------------------------------- patterns

    def _pattern_words(self) -> Iterator[Item]:
        yield from (Item(word, _KINDS.Class, about) for word, about in CALL_CLASSES.items())
        yield from (Item(str(call), _KINDS.Value) for call in CALLS)

    def _pattern(self, document: Document, text: str) -> Iterator[Item]:
        """Yield the calls that may go on a pattern, theirs without brackets inside brackets."""
        # Inside brackets are their calls.
        inside = text.count("(") > text.count(")")
        done = re.sub(r"\(?[\w.|]*$", "", text).strip()
        pattern = _pattern(done) if done else ast.Pattern(())
        if pattern is None:
            yield from self._pattern_words()
            return
        ours = bool(pattern.elements) and pattern.elements[-1].theirs and not inside
        if not pattern.elements:
            ours = not inside
        positions, _ = positions_after(pattern)
        for call in CALLS:
            # A pattern does not begin with a pass: passes before the first bid are never written.
            if str(call) == "P" and not pattern.elements and not pattern.open:
                continue
            if any(position.allows(call, ours=ours) for position in positions):
                shown = str(call) if ours or inside else f"({call})"
                yield Item(shown, _KINDS.Value, rank=1)
        for letter, about in SUIT_VARIABLES.items():
            for level in range(1, 8):
                if can_make(positions, ast.LevelCall(level, level, letter)):
                    shown = f"{level}{letter}"
                    yield Item(shown if ours or inside else f"({shown})", _KINDS.Value, about)
        for word, about in CALL_CLASSES.items():
            yield Item(word if ours or inside else f"({word})", _KINDS.Class, about, rank=3)
        header = document.parsed.tree.header
        for parameter in header.parameters if header else ():
            yield Item(parameter.name, _KINDS.Property, "a parameter of this file", rank=0)
        yield Item("when", _KINDS.Keyword, "a condition that all rules of the block share", rank=8)

    # -------------------------------------------------------------- conditions

    def _condition(
        self, document: Document, head: str, pattern: ast.Pattern | None
    ) -> Iterator[Item]:
        if _LAST.search(head):
            yield from (Item(w, _KINDS.EnumMember, about) for w, about in LAST_CALL_CLASSES.items())
            return
        if _ASKED.search(head):
            yield from self._questions(document.path)
            return
        header = document.parsed.tree.header
        parameters = header.parameters if header else ()
        if re.search(r"\bin\s+\w*$", head):
            yield from (Item(each.name, _KINDS.Property, "a parameter") for each in parameters)
            return
        yield from self._suits(pattern)
        yield from self._definitions(document.path)
        for parameter in parameters:
            yield Item(parameter.name, _KINDS.Property, "a parameter of this file", rank=1)
        # The lengths of suits stand among the suits already.
        seen = set(SUIT_NAMES)
        for word in WORDS:
            if word.kind.is_number or word.kind.is_fact:
                if word.usage in seen:
                    continue
                seen.add(word.usage)
                yield Item(*_written(word), word.kind.value, word.meaning, _rank(word))
        for name in ("usually", "shows"):
            yield Item(name, _KINDS.Keyword, INNER_KEYWORDS[name], rank=9)
        for name in ("and", "or", "not"):
            yield Item(name, _KINDS.Keyword, rank=9)

    def _suits(self, pattern: ast.Pattern | None) -> Iterator[Item]:
        bound = letters_in(pattern) if pattern is not None else set()
        for letter, about in SUIT_VARIABLES.items():
            is_bound = letter.removeprefix("o") in bound
            detail = f"{about}; it has its suit from the calls before" if is_bound else about
            yield Item(letter, _KINDS.Variable, detail, rank=0 if is_bound else 7)
        yield from (Item(name, _KINDS.Variable, "cards in the suit", rank=3) for name in SUIT_NAMES)

    def _definitions(self, path: Path) -> Iterator[Item]:
        project = self._session.project(path)
        for _, let in project.look.system.statements if project else ():
            if isinstance(let, ast.Let) and "#" not in let.name:
                body = let.body
                text = expr_text(body) if isinstance(body, ast.Expr) else condition_text(body)
                brackets = f"({', '.join(let.params)})" if let.params else ""
                name = plain_name(let.name) + ("(" if let.params else "")
                detail = f"{plain_name(let.name)}{brackets} = {text}"
                yield Item(name, _KINDS.Function, detail, rank=2)

    def _questions(self, path: Path) -> Iterator[Item]:
        project = self._session.project(path)
        asked = {
            action.argument or ""
            for placed in (project.look.rules if project else ())
            for action in placed.rule.actions
            if action.kind == "asks"
        }
        yield from (Item(word, _KINDS.EnumMember, "a question that is asked") for word in asked)


def _groups(document: Document) -> Iterator[Item]:
    """Yield the groups that the `order` lines of a file name."""
    for statement in document.parsed.tree.statements:
        if isinstance(statement, ast.GroupOrder):
            for group in statement.groups:
                yield Item(group.name, _KINDS.EnumMember, "a group of the order line", rank=0)


def _tiers(*, rank: int) -> Iterator[Item]:
    """Yield the tiers, which are headings above rules and actions of a single one."""
    for word, meaning in TIERS.items():
        yield Item(word, _KINDS.Keyword, "a tier of the order of choice", meaning, rank)


def _written(word: Word) -> tuple[str, types.CompletionItemKind]:
    kind = _KINDS.Field if word.kind.is_number else _KINDS.Constant
    if word.params == (Param.SHAPES,):
        return word.name, kind
    return word.name + ("(" if word.params else ""), kind


def _rank(word: Word) -> int:
    return 6 if "." in word.name else 4 if word.name == SUIT_WORD else 5


def _pattern(text: str) -> ast.Pattern | None:
    tree, problems = parse(f"after {text.strip()}\n  may pass\n", "")
    if problems or tree is None:
        return None
    block = tree.statements[0]
    return block.pattern if isinstance(block, ast.Block) else None


def _to_client(item: Item, place: types.Range) -> types.CompletionItem:
    return types.CompletionItem(
        label=item.text,
        kind=item.kind,
        detail=item.detail or None,
        documentation=item.about or None,
        sort_text=f"{item.rank}",
        text_edit=types.TextEdit(place, item.text),
        filter_text=item.text,
    )
