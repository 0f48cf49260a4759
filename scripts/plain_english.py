#!/usr/bin/env python3
"""Measure the English of docstrings, names and comments, a folder a line.

Counted are docstrings that begin with a question's word ("What a call shows", "Who leads",
"By whom it is played") or have one in the first clause, variables with a name that says nothing
of what they hold, and words of the house where the field has a term. `scripts/plain_english.toml`
lists the names and the words, and how many of each a folder may have: the count of the day when
it was written. `--write` lowers those numbers to the present ones; none is ever raised by it.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import sys
import tokenize
import tomllib
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "scripts" / "plain_english.toml"
FOLDERS = tuple(sorted(path.parent.name for path in ROOT.glob("*/__init__.py")))
"""Folders of the package; what is below them is counted a folder at a time."""
OUTSIDE = ("bench", "scripts", "tests")
"""Folders beside the package: a line each below the table. No docstring of theirs may ask, and
`scripts` may have no fault at all."""
FAULTS = ("questions", "clauses", "names", "words")
"""The counts that have a limit, in the order of the table."""
_QUESTION = "what|which|who|whom|whose|whether|how"
_BEGINS = re.compile(rf"(?:(?:by|for|of|in|on|with|to|at|from) )?(?:{_QUESTION})\b", re.IGNORECASE)
_HAS = re.compile(rf"\b(?:{_QUESTION})\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[.,:;](?=\s|$)|\n\s*\n")
"""Where the first clause of a docstring ends."""
_Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@dataclass
class Count:
    """The counts of a module, a folder or the package.

    Attributes:
        lines: lines of modules, blank ones included.
        comments: lines that have a comment, or nothing else.
        docstrings: docstrings of modules, classes, functions and attributes.
        questions: docstrings whose first words ask: what, who, whether, by which.
        clauses: docstrings with such a word in the first clause; the former are among them.
        targets: names that assignments, loops and `with` bind, a place each; none of a
            comprehension, whose variable is seen whole.
        names: those of them that are in the list of names that say nothing.
        words: words of the house in docstrings, comments, texts and names.
    """

    lines: int = 0
    comments: int = 0
    docstrings: int = 0
    questions: int = 0
    clauses: int = 0
    targets: int = 0
    names: int = 0
    words: int = 0

    def __add__(self, other: Count) -> Count:
        """Return the sums."""
        pairs = zip(asdict(self).values(), asdict(other).values(), strict=True)
        return Count(*(a + b for a, b in pairs))

    def faults(self) -> dict[str, int]:
        """Return the counts that have a limit, by name."""
        return {name: getattr(self, name) for name in FAULTS}


@dataclass(frozen=True)
class Fault:
    """A place that is counted.

    Attributes:
        kind: one of `FAULTS`.
        line: the line in its module, from 1.
        text: the first clause, the name, or the word with the field's term.
    """

    kind: str
    line: int
    text: str


def _text(node: ast.stmt) -> str | None:
    """Return the text of a statement that is nothing but one."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return node.value.value if isinstance(node.value.value, str) else None
    return None


def docstrings(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield the docstrings among the nodes of a module, with their lines.

    They are those of the module, of classes and functions, and of the attributes and constants
    below which they stand.
    """
    for node in nodes:
        if not isinstance(node, _Documented):
            continue
        for before, statement in zip([None, *node.body], node.body, strict=False):
            text = _text(statement)
            # Python has no docstrings of attributes; editors and Sphinx read a text below one so.
            is_below = isinstance(before, ast.Assign | ast.AnnAssign) and isinstance(
                node, ast.Module | ast.ClassDef
            )
            if text is not None and (before is None or is_below):
                yield statement.lineno, text


def _is_typed(base: str, typed: Container[str], imports: Mapping[str, str]) -> bool:
    """Return True for `TypedDict` and for the typed dictionaries of this module and of others."""
    if base in typed:
        return True
    module = imports.get(base, "")
    path = ROOT.joinpath(*module.split(".")[1:]).with_suffix(".py")
    return module.startswith("bidwright.") and path.is_file() and base in _typed_in(path)


@cache
def _typed_in(path: Path) -> frozenset[str]:
    """Return the names of the typed dictionaries of a module."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    return frozenset(each.name for each in typed_dictionaries(nodes))


def typed_dictionaries(nodes: Sequence[ast.AST]) -> list[ast.ClassDef]:
    """Return the classes of a module that are typed dictionaries."""
    imports = {
        alias.name: node.module
        for node in nodes
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }
    typed = {"TypedDict"}
    dictionaries: list[ast.ClassDef] = []
    # In the order of the text, where a class stands after those that it extends.
    for node in sorted(
        (each for each in nodes if isinstance(each, ast.ClassDef)), key=lambda each: each.lineno
    ):
        bases = (base.id for base in node.bases if isinstance(base, ast.Name))
        if any(_is_typed(base, typed, imports) for base in bases):
            typed.add(node.name)
            dictionaries.append(node)
    return dictionaries


def keys(nodes: Sequence[ast.AST]) -> set[ast.AST]:
    """Return the names of keys of typed dictionaries, which the form of a file gives."""
    return {
        field.target
        for node in typed_dictionaries(nodes)
        for field in node.body
        if isinstance(field, ast.AnnAssign)
    }


def targets(nodes: Sequence[ast.AST]) -> list[ast.Name]:
    """Return the names among the nodes of a module that are bound outside comprehensions.

    Keys of typed dictionaries are left out.
    """
    # The variable of a comprehension is read within one line: `each` does no harm there.
    inside = keys(nodes) | {
        name
        for node in nodes
        if isinstance(node, ast.comprehension)
        for name in ast.walk(node.target)
    }
    return [
        node
        for node in nodes
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node not in inside
    ]


def first_clause(text: str) -> str:
    """Return a docstring up to its first point, comma, colon or semicolon, on one line."""
    return " ".join(_CLAUSE.split(text.strip(), maxsplit=1)[0].split())


@dataclass(frozen=True)
class Measure:
    """The lists that a text is measured by.

    Attributes:
        names: names of variables that say nothing of what they hold.
        words: words of the house with the field's term for each.
        limits: the largest count of each of `FAULTS`, by folder.
    """

    names: frozenset[str]
    words: dict[str, str]
    limits: dict[str, dict[str, int]]

    @classmethod
    def from_file(cls, path: Path = TABLE) -> Measure:
        """Return the lists of a file; the file's errors pass through."""
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        return cls(frozenset(table["names"]), table["words"], table["limits"])

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """Match the words of the house in small letters; underscores of names separate words."""
        words = "|".join(re.escape(word).replace(r"\ ", r"[\s_]+") for word in self.words)
        return re.compile(rf"(?<![a-z])(?:{words})(?![a-z])")

    def faults(self, source: str) -> list[Fault]:
        """Return the places that are counted in the text of a module, in order of lines."""
        return self._faults(source, list(ast.walk(ast.parse(source))))

    def _faults(self, source: str, nodes: Sequence[ast.AST]) -> list[Fault]:
        faults = []
        for line, text in docstrings(nodes):
            clause = first_clause(text)
            if _BEGINS.match(clause):
                faults.append(Fault("questions", line, clause))
            if _HAS.search(clause):
                faults.append(Fault("clauses", line, clause))
        faults += [
            Fault("names", name.lineno, name.id)
            for name in targets(nodes)
            if name.id.lstrip("_") in self.names
        ]
        # In the whole source: names, messages and comments have words, too.
        for number, words in enumerate(source.lower().splitlines(), 1):
            for match in self._pattern.finditer(words):
                word = re.sub(r"[\s_]+", " ", match[0])
                faults.append(Fault("words", number, f"{word} ({self.words[word]})"))
        return sorted(faults, key=lambda fault: (fault.line, fault.kind))

    def count(self, source: str) -> Count:
        """Return the counts of the text of a module."""
        nodes = list(ast.walk(ast.parse(source)))
        kinds = Counter(fault.kind for fault in self._faults(source, nodes))
        return Count(
            lines=source.count("\n"),
            comments=_comments(source),
            docstrings=sum(1 for _ in docstrings(nodes)),
            targets=len(targets(nodes)),
            **{kind: kinds[kind] for kind in FAULTS},
        )

    def over(self, counts: dict[str, Count]) -> list[str]:
        """Return a sentence for each count that is above its folder's limit.

        A folder that is not in the list may have none of any kind.
        """
        return [
            f"{folder}: {count} {kind}, at most {limit}; "
            f"`scripts/plain_english.py --faults {folder}` lists them"
            for folder, of_folder in counts.items()
            for kind, count in of_folder.faults().items()
            if count > (limit := self.limits.get(folder, {}).get(kind, 0))
        ]

    def lowered(self, counts: dict[str, Count]) -> dict[str, dict[str, int]]:
        """Return the limits of the folders that there are, none above its present count."""
        return {
            folder: {
                # Never raised: a folder that got worse is to be mended, not measured anew.
                kind: min(count, self.limits.get(folder, {}).get(kind, 0))
                for kind, count in of_folder.faults().items()
            }
            for folder, of_folder in counts.items()
        }


def modules(root: Path = ROOT, folders: Iterable[str] = FOLDERS) -> dict[str, list[Path]]:
    """Return the modules of each folder and of those below it, by folder, in order."""
    by_folder: dict[str, list[Path]] = {}
    for folder in folders:
        for path in sorted((root / folder).rglob("*.py")):
            by_folder.setdefault(path.parent.relative_to(root).as_posix(), []).append(path)
    return dict(sorted(by_folder.items()))


def _comments(source: str) -> int:
    if "#" not in source:  # reading tokens takes most of the time, and most modules have none
        return 0
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return sum(token.type == tokenize.COMMENT for token in tokens)


def counts_of(measure: Measure, by_folder: dict[str, list[Path]]) -> dict[str, Count]:
    """Return the counts of folders."""
    return {
        folder: sum((measure.count(path.read_text(encoding="utf-8")) for path in paths), Count())
        for folder, paths in by_folder.items()
    }


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:5.1f} %" if whole else "      -"


def _row(folder: str, count: Count) -> str:
    return "  ".join(
        (
            f"{folder:26}",
            f"{count.lines:6}",
            f"{count.docstrings:10}",
            f"{_share(count.questions, count.docstrings):>9}",
            f"{_share(count.clauses, count.docstrings):>7}",
            f"{count.targets:7}",
            f"{_share(count.names, count.targets):>7}",
            f"{count.words:5}",
            f"{_share(count.comments, count.lines):>8}",
        )
    )


def written(text: str, limits: dict[str, dict[str, int]]) -> str:
    """Return the text of the file of lists with other limits; what stands above stays."""
    lists = text.partition("[limits]\n")[0]
    rows = (
        f'"{folder}" = {{ {", ".join(f"{kind} = {number}" for kind, number in of_kind.items())} }}'
        for folder, of_kind in limits.items()
        if any(of_kind.values())
    )
    return lists + "[limits]\n" + "\n".join(rows) + "\n"


def main() -> int:
    """Print the table, or the places; 1 if a folder is over its limits."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="*", help="only these folders, with all below them")
    parser.add_argument("--faults", action="store_true", help="print each place that is counted")
    parser.add_argument("--write", action="store_true", help="lower the limits to what is counted")
    options = parser.parse_args()
    measure = Measure.from_file()
    by_folder = modules(folders=[name.rstrip("/") for name in options.folders] or FOLDERS)
    if options.faults:
        for path in (path for paths in by_folder.values() for path in paths):
            for fault in measure.faults(path.read_text(encoding="utf-8")):
                print(f"{path.relative_to(ROOT)}:{fault.line}: {fault.kind}: {fault.text}")
        return 0
    counts = counts_of(measure, by_folder)
    print(
        f"{'folder':26}   lines  docstrings  questions  clauses  targets    names  words  comments"
    )
    for folder, count in counts.items():
        print(_row(folder, count))
    print(_row("all", sum(counts.values(), Count())))
    if not options.folders:
        for folder in OUTSIDE:
            print(
                _row(folder, sum(counts_of(measure, modules(folders=[folder])).values(), Count()))
            )
    if options.write:
        limits = measure.lowered(counts_of(measure, modules()))
        TABLE.write_text(written(TABLE.read_text(encoding="utf-8"), limits), encoding="utf-8")
    over = measure.over(counts)
    print(*over, sep="\n", end="\n" if over else "")
    return int(bool(over))


if __name__ == "__main__":
    sys.exit(main())
