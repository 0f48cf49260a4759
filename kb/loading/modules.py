"""The definitions visible in a module: its own, those of modules it includes, those it needs.

A module is a convention with the fragments that it includes. A system is one module with its
fragments and with the systems that it changes. A definition is private to its module unless it is
exported; two modules may have private definitions of one name, which are distinguished here by new
names such as `two_suits#2`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from bidwright.kb.checks.statement_cache import Memory
from bidwright.kb.conditions.environment import WORD_FACTS
from bidwright.kb.expressions.condition_nodes import plain_name
from bidwright.kb.expressions.nodes import parts
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, Related, error
from bidwright.kb.language.system import Located
from bidwright.kb.loading.substitute import renamed

Exporter = Callable[[str], str | None]
"""Returns the module to include for a definition that no loaded module has; None if unknown."""


@dataclass
class Module:
    """A module of a system.

    Attributes:
        name: the name in its header.
        needs: the names that its header declares.
        files: the files it consists of.
        includes: the first files of the modules that it includes.
    """

    name: str
    needs: tuple[ast.Name, ...] = ()
    files: set[str] = field(default_factory=set)
    includes: set[str] = field(default_factory=set)


class Written(NamedTuple):
    """A statement, and the file that it stands in.

    Attributes:
        file: the file.
        located: the statement with its module.
        layer: how many systems change the one that it is from.
        values: of its file's parameters.
    """

    file: str
    located: Located
    layer: int = 0
    values: tuple[tuple[str, object], ...] = ()


def once(written: Iterable[Written], conventions: Collection[str]) -> list[Written]:
    """Return statements, those of the system that is included deepest first.

    A convention that an included system has with the same values is there once, at its place among
    that system's calls: including it again changes nothing.

    Args:
        written: the statements of all files.
        conventions: the files of conventions.
    """
    # Sorting is stable: in a layer the order of the files stays.
    listed = sorted(written, key=lambda each: -each.layer)
    deepest: dict[tuple[str, object], int] = {}
    for statement in listed:
        deepest.setdefault((statement.file, statement.values), statement.layer)
    return [
        each
        for each in listed
        if each.file not in conventions
        or each.layer == deepest[each.file, each.values]
        # Definitions and examples are distinguished by their contents.
        or isinstance(each.located.statement, ast.Definition | ast.Example)
    ]


class _Definition(NamedTuple):
    """A definition with its file, its module, and the name that it has in the whole system."""

    let: ast.Definition
    file: str
    home: str
    unique: str


class _Scopes:
    """Resolves the names of a system's modules."""

    def __init__(
        self, modules: Mapping[str, Module], written: Sequence[Written], exporter: Exporter
    ) -> None:
        self.problems: list[Diagnostic] = []
        self._modules = modules
        self._exporter = exporter
        self._homes: dict[str, str] = {}
        for key, module in modules.items():
            for file in module.files:
                self._homes.setdefault(file, key)
        lets = [(w.file, w.located.statement) for w in written]
        self._by_name: dict[str, list[_Definition]] = {}
        self._taken = {let.name for _, let in lets if isinstance(let, ast.Definition)}
        for file, let in lets:
            if isinstance(let, ast.Definition) and not let.replaces:
                self._define(let, file)
        self._seen = {key: self._visible(key) for key in modules}
        # Made once: a module of many definitions would walk all of them for each statement.
        self._new_names = {
            key: {name: unique for name, unique in seen.items() if name != unique}
            for key, seen in self._seen.items()
        }

    def _define(self, let: ast.Definition, file: str) -> None:
        definitions = self._by_name.setdefault(let.name, [])
        home = self._homes[file]
        here = next((each for each in definitions if each.home == home), None)
        # Two definitions in one module are a mistake, and share the name.
        unique = here.unique if here else let.name
        if here is None and definitions:
            base, count = plain_name(let.name), 2
            while f"{base}#{count}" in self._taken:
                count += 1
            unique = f"{base}#{count}"
            self._taken.add(unique)
        definitions.append(_Definition(let, file, home, unique))

    def _visible(self, key: str) -> dict[str, str]:
        """Return the names that a module may use, with the unique names of what they mean."""
        module = self._modules[key]
        needed = {each.name for each in module.needs}
        seen: dict[str, str] = {}
        for name, definitions in self._by_name.items():
            in_module = [each for each in definitions if each.file in module.files]
            offered = [
                each
                for each in definitions
                if each.let.exported and (each.home in module.includes or name in needed)
            ]
            usable = [*in_module, *offered]
            if usable:
                seen[name] = usable[0].unique
                self._check_single(usable)
        self.problems += [
            self._unmet(module, each) for each in module.needs if each.name not in seen
        ]
        return seen

    def _check_single(self, usable: Sequence[_Definition]) -> None:
        """Note a name that a module would use for two definitions."""
        first = usable[0]
        other = next((each for each in usable if each.unique != first.unique), None)
        if other is not None:
            name = first.let.name
            self.problems.append(
                error(
                    "E218",
                    f"'{name}' is defined twice",
                    first.let.span,
                    help=f"choose another name, or write 'override let {name}' to replace "
                    "the exported one",
                    related=(Related("exported here", other.let.span),),
                )
            )

    def _unmet(self, module: Module, need: ast.Name) -> Diagnostic:
        return error(
            "E230",
            f"{module.name} needs '{need.name}', which no module here exports",
            need.span,
            help=self._way(need.name),
        )

    def _way(self, name: str) -> str | None:
        """Return the way to a definition that a module does not see, as advice."""
        definitions = self._by_name.get(name, [])
        exported = next((each for each in definitions if each.let.exported), None)
        if exported is not None:
            return f"write 'needs {name}' under the header"
        if definitions:
            there = self._modules[definitions[0].home].name
            return f"{there} has it: write 'export let {name}' there, or define it here"
        module = self._exporter(name)
        return f"{module} has it: write 'include {module}'" if module else None

    def resolved(self, written: Written, names: Mapping[str, ast.Node]) -> Located:
        """Return a statement with unique names, and note the names that its module does not see."""
        key, located = self._homes[written.file], written.located
        self.problems += self._unseen(self._seen[key], names)
        new = self._new_names[key]
        return Located(located.module, renamed(located.statement, new)) if new else located

    def _unseen(
        self, seen: Mapping[str, str], names: Mapping[str, ast.Node]
    ) -> Iterator[Diagnostic]:
        for name, node in names.items():
            if name in seen or name not in self._by_name:
                continue
            homes = {self._modules[each.home].name for each in self._by_name[name]}
            yield error(
                "E231",
                f"'{plain_name(name)}' belongs to {' and '.join(sorted(homes))}",
                node.span,
                help=self._way(name),
                related=(Related("defined here", self._by_name[name][0].let.span),),
            )


_NAMED = ast.Name | ast.Apply | ast.InParameter


def _used(statement: ast.Statement) -> dict[str, ast.Node]:
    """Return the names in a statement that may be definitions, each with its first place."""
    params = set(statement.params) if isinstance(statement, ast.Let) else set()
    result: dict[str, ast.Node] = {}
    for node in parts(statement, closed=_takes_words):
        if isinstance(node, _NAMED) and node.name not in params:
            result.setdefault(node.name, node)
    return result


def _takes_words(node: ast.Node) -> bool:
    return isinstance(node, ast.Apply) and node.name in WORD_FACTS


def resolve(
    modules: Mapping[str, Module], written: Sequence[Written], memory: Memory, exporter: Exporter
) -> tuple[list[Located], list[Diagnostic]]:
    """Return the statements with every definition under a name of its own, and what is wrong.

    Args:
        modules: the modules by their first files.
        written: the statements as they were written, in order.
        memory: keeps the names in statements.
        exporter: names the module to include for a definition that no module here has.
    """
    scopes = _Scopes(modules, written, exporter)
    result = []
    for reference in written:
        statement = reference.located.statement
        names = memory.recall("names", statement, None, partial(_used, statement))
        result.append(scopes.resolved(reference, names))
    return result, scopes.problems
