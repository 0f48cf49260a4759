"""Reads a system: its first file, everything that it includes, and the changes it makes to that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.resources.abc import Traversable
from pathlib import Path

from bidwright.bridge.regular_files import UnreadableError, read_regular_text
from bidwright.kb.checks.check import check
from bidwright.kb.checks.statement_cache import Memory
from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic, Related, error, in_order
from bidwright.kb.language.expansion import (
    definitions_in,
    expanded,
    named_blocks,
    too_many_rules,
    unused_blocks,
)
from bidwright.kb.language.limits import MOST_BYTES, MOST_FILES, MOST_INCLUDED, MOST_RULES
from bidwright.kb.language.parser import long_file, parse
from bidwright.kb.language.player_phrases import advised
from bidwright.kb.language.references import has_reference, with_holding
from bidwright.kb.language.system import Located as Located
from bidwright.kb.language.system import System as System
from bidwright.kb.language.tree_parts import Same
from bidwright.kb.loading.arguments import inherited, values_of, without_defaults
from bidwright.kb.loading.call_meaning import in_layer, layer_of
from bidwright.kb.loading.causes_of_problems import (
    Varied,
    caused_by_arguments,
    caused_by_redefinitions,
)
from bidwright.kb.loading.edits import apply_edits
from bidwright.kb.loading.groups import GroupPlace, add_order, with_priorities
from bidwright.kb.loading.include_problems import (
    before_references,
    included_before,
    naming_modules,
    no_part,
    nothing_to_stand_for,
    too_many_files,
)
from bidwright.kb.loading.modules import Module, Written, once, resolve
from bidwright.kb.loading.named_values import with_values_of_names
from bidwright.kb.loading.search_path import MAIN as MAIN
from bidwright.kb.loading.search_path import SUFFIX as SUFFIX
from bidwright.kb.loading.search_path import Source, exporting, first_file, including, is_file
from bidwright.kb.loading.search_path import UnknownSystemError as UnknownSystemError
from bidwright.kb.loading.search_path import available_systems as available_systems
from bidwright.kb.loading.search_path import includable as includable
from bidwright.kb.loading.search_path import included_file as included_file
from bidwright.kb.loading.search_path import systems_root as systems_root
from bidwright.kb.loading.substitute import NO_VALUES, Values, renamed, substitute


@dataclass(frozen=True, slots=True)
class Parsed:
    """A file as it was read.

    Attributes:
        tree: what it says.
        problems: what is wrong with its text.
        texts: its text, by the name that its spans use; several if it was read in pieces.
    """

    tree: ast.File
    problems: Sequence[Diagnostic]
    texts: Mapping[str, str]


class Files:
    """Where files are read from: here the disk; an editor has some that are not saved yet."""

    def exists(self, path: Traversable) -> bool:
        """Return True if there is such a file."""
        return is_file(path)

    def read(self, path: Traversable, name: str) -> Parsed:
        """Return a file parsed, its spans under a name.

        Raises:
            OSError: it cannot be read.
            UnicodeDecodeError: it is not text.
        """
        return self.parse(self.text(path), name)

    def text(self, path: Traversable) -> str:
        """Return the text of a file.

        Raises:
            OSError: it cannot be read.
            UnicodeDecodeError: it is not text.
        """
        return read_regular_text(path, MOST_BYTES)

    @staticmethod
    def parse(text: str, name: str) -> Parsed:
        """Return a text parsed, its spans under a name."""
        tree, problems = parse(text, name)
        return Parsed(tree or ast.File(None, ()), problems, {name: text})


class _Loader:
    """Reads files and collects statements, in the order of the includes."""

    def __init__(
        self, files: Files, memory: Memory, project: Source, *, only_defaults: bool
    ) -> None:
        self._files = files
        self._project = project
        self._memory = memory
        self.written: list[Written] = []
        self.modules: dict[str, Module] = {}
        self.texts: dict[str, str] = {}
        self.problems: list[Diagnostic] = []
        self.parameters: dict[str, tuple[str, ...]] = {}
        self.titles: dict[str, str] = {}
        self.conventions: dict[tuple[str, str], None] = {}
        self.bases: dict[str, None] = {}
        self.own_files: set[str] = set()
        self.shared: set[str] = set()
        self.packaged: set[str] = set()
        self.varied: dict[str, Varied] = {}
        self.brought: dict[str, ast.Span] = {}
        self._only_defaults = only_defaults
        self._rules = 0
        self._examples: set[ast.Span] = set()
        self._trees: dict[str, ast.File] = {}
        self._included: dict[tuple[str, tuple[ast.Argument, ...]], tuple[str, ast.Span]] = {}
        self._places: dict[str, dict[str, GroupPlace]] = {}
        self._instead: dict[str, tuple[ast.Include, Source]] = {}
        self._taken: set[str] = set()
        self._open: list[tuple[str, ast.Span]] = []
        self._definitions: dict[tuple[str, ast.Span], list[ast.Node]] = {}

    # ------------------------------------------------------------- reading

    def tree(self, source: Source, span: ast.Span) -> ast.File:
        """Return the tree of a file, parsed once."""
        if source.name not in self._trees:
            self._trees[source.name] = self._parse(source, span)
        return self._trees[source.name]

    def _parse(self, source: Source, span: ast.Span) -> ast.File:
        try:
            parsed = self._files.read(source.path, source.name)
        except UnreadableError as problem:
            self.problems.append(
                long_file(source.name)
                if problem.is_too_large
                else error("E302", f"cannot read '{source.name}': {problem.strerror}", span)
            )
            return ast.File(None, ())
        except (OSError, UnicodeDecodeError) as problem:
            reason = "it is not UTF-8 text" if isinstance(problem, ValueError) else problem.strerror
            self.problems.append(error("E302", f"cannot read '{source.name}': {reason}", span))
            return ast.File(None, ())
        self.texts.update(parsed.texts)
        self.problems += parsed.problems
        if parsed.tree.header is not None:
            parameters = tuple(each.name for each in parsed.tree.header.parameters)
            self.parameters.update(dict.fromkeys(parsed.texts, parameters))
            self.titles[source.name] = parsed.tree.header.title
        return parsed.tree

    # ------------------------------------------------------------ including

    def include(
        self,
        source: Source,
        arguments: tuple[ast.Argument, ...],
        span: ast.Span,
        within: str = "",
        layer: int = 0,
        outer: Values = NO_VALUES,
    ) -> ast.File:
        """Add the statements of a file and of the files that it includes.

        Args:
            source: the file.
            arguments: the values of its parameters.
            span: where it is included.
            within: the module that includes it, by its first file; empty for the first file.
            layer: how many systems that change it include it.
            outer: the values of parameters in the file that includes it.
        """
        tree = self.tree(source, span)
        header = tree.header
        # What a system says itself is layer 0, what it includes to change is deeper.
        if within and header and header.kind == "system":
            layer += 1
            self.bases[header.name] = None
        of_parameters, problems = values_of(header, arguments, span)
        self.problems += problems
        values = inherited(of_parameters, header, outer)
        # A fragment shares the parameters of the module around it, and names them in its messages.
        if header is None and outer:
            self.parameters.setdefault(source.name, tuple(outer))
        module = header.name if header else source.stem
        self._open.append((source.name, span))
        # Files of the package are nobody's own where an author's system includes them.
        if source.packaged and not self._project.packaged:
            self.packaged.add(source.name)
        elif not layer or source.name in self._taken:
            self.own_files.add(source.name)
            if source.packaged and source.folder != self._project.folder:
                self.shared.add(source.name)
        if source.name not in self.own_files:
            by = next(each for _, each in reversed(self._open) if each.file in self.own_files)
            self.brought.setdefault(source.name, by)
        home = self._home(source, header, within)
        body: list[ast.Statement] = []
        # The spans, too, since messages point at them.
        given = self._memory.brief(tuple((name, each, each.span) for name, each in values.items()))
        for statement in self._settled(tree, home):
            if not values:
                body.append(statement)
                continue
            changed, problems = self._memory.recall(
                "substituted", statement, given, partial(substitute, statement, values)
            )
            self.problems += problems
            body.append(changed)
        # A copy, since alternatives add definitions.
        for statement in tuple(body):
            named = partial(definitions_in, statement)
            body += self._memory.recall("alternatives", statement, None, named)
        names = self._own_definitions(source, body)
        blocks, problems = named_blocks(body)
        self.problems += problems
        given_blocks = self._memory.brief(tuple(map(Same, blocks.values())))
        used: set[str] = set()
        ranges = {
            each.name: each.body
            for each in body
            if isinstance(each, ast.LetRange) and isinstance(each.body, ast.Range)
        }
        for statement in body:
            if isinstance(statement, ast.Include):
                # Named ranges of this file may be values for the files that it includes.
                include, _ = substitute(statement, ranges)
                self._follow(source, include, home, layer, values)
                continue
            if isinstance(statement, ast.Example) and not self._is_new(statement):
                continue
            whole = renamed(statement, names)
            stands_for = self._memory.recall(
                "expanded", whole, given_blocks, partial(expanded, whole, blocks)
            )
            self.problems += stands_for.problems
            used |= stands_for.used
            # Rules are counted as they come, and the first too many is the only message.
            fitted = self._rules <= MOST_RULES
            self._rules += stands_for.size
            if self._rules > MOST_RULES:
                self.problems += [too_many_rules(whole.span)] if fitted else []
                continue
            for single in stands_for.statements:
                located = Located(module, self._in_layer(single, layer))
                self.written.append(Written(source.name, located, layer, tuple(values.items())))
        self.problems += unused_blocks(blocks, used)
        self._open.pop()
        return tree

    def _settled(self, tree: ast.File, home: str) -> Iterator[ast.Statement]:
        """Yield the statements of a file, their rules with priorities and what they rest on."""
        places = self._places.setdefault(home, {})
        for statement in tree.statements:
            if isinstance(statement, ast.GroupOrder):
                self.problems += add_order(statement, places)
        given = self._memory.brief(tuple((name, each.priority) for name, each in places.items()))
        missing = []
        for statement, holding in with_holding(tree.statements):
            if isinstance(statement, ast.GroupOrder):
                continue
            if not holding.actions and not has_reference(statement):
                missing.append(statement)
            with_places = partial(with_priorities, statement, places)
            placed = self._memory.recall("groups", statement, given, with_places)
            self.problems += placed.problems
            held = self._memory.brief(tuple((each, each.span) for each in holding.actions))
            referred = partial(holding.given_to_all, placed.statement)
            yield self._memory.recall("references", placed.statement, held, referred)
        # In a file that names none, none is missed; and a header's sources are of the whole file.
        names_some = any(isinstance(each, ast.Reference) for each in tree.statements)
        if names_some and not (tree.header and tree.header.sources):
            self.problems += map(before_references, missing)

    def _is_new(self, example: ast.Example) -> bool:
        """Return True if an example has not been there in an earlier inclusion of its file."""
        was_there = example.span in self._examples
        self._examples.add(example.span)
        return not was_there

    def _in_layer(self, statement: ast.Statement, layer: int) -> ast.Statement:
        """Return a statement with the number of systems that change the one it is from."""
        if layer == layer_of(statement):
            return statement
        return self._memory.recall("layer", statement, layer, partial(in_layer, statement, layer))

    def _own_definitions(self, source: Source, body: list[ast.Statement]) -> dict[str, str]:
        """Keep apart the definitions of a file that is included with several parameters.

        A definition that an earlier inclusion brought in the same words is taken out of `body`.

        Returns:
            New names for the definitions that differ from those of earlier inclusions.
        """
        names: dict[str, str] = {}
        # Brought in twice with other values, a definition of a module has two bodies.
        for let in [each for each in body if isinstance(each, ast.Definition)]:
            if let.replaces:
                continue
            meaning = renamed(let, names).body
            meanings = self._definitions.setdefault((source.name, let.span), [])
            if meaning in meanings:
                body.remove(let)
            else:
                meanings.append(meaning)
            index = meanings.index(meaning)
            if index:
                names[let.name] = f"{let.name}#{index + 1}"
        return names

    def _home(self, source: Source, header: ast.Header | None, within: str) -> str:
        """Return the module that a file belongs to, by that module's first file.

        A file without a header is a part of the module that includes it, and a system that is
        included is a part of the system that changes it.
        """
        if within and (header is None or header.kind == "system"):
            self.modules[within].files.add(source.name)
            return within
        if within:
            self.modules[within].includes.add(source.name)
        name = header.name if header else source.stem
        needs = header.needs if header else ()
        self.modules.setdefault(source.name, Module(name, needs, {source.name}))
        return source.name

    def _follow(
        self, source: Source, include: ast.Include, within: str, layer: int, values: Values
    ) -> None:
        included = including(source, include, self._project, self._files.exists)
        if isinstance(included, Diagnostic):
            self.problems.append(included)
            return
        if include.instead_of is not None:
            self._put_instead(source, include, included)
            return
        if included.name in self._instead:
            _, included = self._instead[included.name]
            self._taken.add(included.name)
        if any(name == included.name for name, _ in self._open):
            self.problems.append(self._cycle(included, include))
            return
        header = self.tree(included, include.span).header
        arguments = include.arguments
        # The module by itself is looked at with the values that are its own.
        if self._only_defaults and within == self._project.name:
            arguments = without_defaults(header, arguments)
        outer = values if header is None else NO_VALUES
        key = (included.name, (*arguments, *(ast.Argument(*each) for each in outer.items())))
        if key in self._included:
            by, first = self._included[key]
            if by == source.name:
                self.problems.append(included_before(include, first))
            # Included in vain, but a part of this module all the same.
            self._home(included, header, within)
            return
        if len(self._open) > MOST_INCLUDED or len(self._included) >= MOST_FILES:
            self.problems.append(too_many_files(include))
            return
        self._included[key] = (source.name, include.span)
        if arguments:
            has_own = header is not None and all(
                each.value is not None for each in header.parameters
            )
            self.varied.setdefault(included.name, Varied(include.span, included.path, has_own))
        elif header is None and source.name in self.varied:
            self.varied.setdefault(included.name, self.varied[source.name])
        self.include(included, arguments, include.span, within, layer, outer)
        if header is not None and header.kind == "convention":
            self.conventions[source.name, included.name] = None

    def _put_instead(self, source: Source, include: ast.Include, own: Source) -> None:
        """Take note of a file that stands where another one is included from now on."""
        assert include.instead_of is not None
        other = replace(include, path=include.instead_of, instead_of=None)
        instead_of = including(source, other, self._project, self._files.exists)
        if isinstance(instead_of, Diagnostic):
            self.problems.append(instead_of)
        elif self.tree(own, include.span).header is not None:
            self.problems.append(no_part(include))
        else:
            self._instead[instead_of.name] = include, own

    def unused_instead(self) -> list[Diagnostic]:
        """Return the mistakes of files that stand for others without a later `include` of these."""
        return [
            nothing_to_stand_for(include)
            for include, own in self._instead.values()
            if own.name not in self._taken
        ]

    def _cycle(self, found: Source, include: ast.Include) -> Diagnostic:
        names = [name for name, _ in self._open]
        start = names.index(found.name)
        round_trip = " -> ".join([*names[start:], found.name])
        related = tuple(Related("included here", span) for _, span in self._open[start + 1 :])
        return error(
            "E303",
            f"'{include.path}' includes itself: {round_trip}",
            include.span,
            related=related,
        )


def load(
    name: str | Path,
    files: Files | None = None,
    memory: Memory | None = None,
    *,
    only_defaults: bool = False,
) -> System:
    """Return a system with everything it includes, and with what is wrong in its files.

    Args:
        name: a system that comes with the package (`sayc`), or the path of a `.bid` file or
            of a folder with a `system.bid`.
        files: where to read from, if not from the disk.
        memory: what was found when the system was loaded before.
        only_defaults: whether the modules that the system itself includes keep their own values
            of the parameters that have one.

    Raises:
        UnknownSystemError: there is no such system or file. Nothing else is raised: mistakes
            in the files are in `System.diagnostics`.
    """
    files = files or Files()
    memory = memory or Memory()
    memory.next_turn()
    source = first_file(name, files.exists)
    loader = _Loader(files, memory, source, only_defaults=only_defaults)
    tree = loader.include(source, (), ast.Span(source.name, 1, 1, 1, 1))
    loader.problems += loader.unused_instead()
    written = once(loader.written, {found for _, found in loader.conventions})
    exporter = exporting(source)
    resolved, unseen = resolve(loader.modules, written, memory, exporter)
    header = tree.header
    is_convention = header is not None and header.kind == "convention"
    library = {found for _, found in loader.conventions} | (
        {source.name} if is_convention else set()
    )
    edited, problems, changes = apply_edits(resolved, library)
    statements, unknown = with_values_of_names(edited, memory)
    system = System(
        name=header.name if header else source.stem,
        title=header.title if header else "",
        sources=header.sources if header else (),
        gaps=header.gaps if header else (),
        statements=tuple(statements),
        written=tuple(each.located for each in written),
        texts=loader.texts,
        diagnostics=tuple(loader.problems + unseen + problems + unknown),
        parameters=loader.parameters,
        conventions=tuple(loader.conventions),
        bases=tuple(loader.bases),
        changes=changes,
        own_files=frozenset(loader.own_files),
        shared=frozenset(loader.shared),
        varied=frozenset(loader.varied),
        revalued=frozenset(name for name, each in loader.varied.items() if each.has_own),
        brought=loader.brought,
        titles=loader.titles,
        is_convention=is_convention,
    )
    problems = [*system.diagnostics, *check(system, memory)]
    # What a system does not ask is no mistake in files that the package has for many systems.
    # Nor does one of the author's have all questions and auctions of the package's files.
    spared = ("W203", "W212")
    packaged = loader.packaged
    problems = [
        each for each in problems if each.code not in spared or each.span.file not in packaged
    ]
    problems = naming_modules(problems, exporter)
    problems = caused_by_arguments(problems, loader.varied, partial(load, files=files))
    problems = [advised(problem, system.texts) for problem in problems]
    # After advice, which is about the words at their own place.
    placed = in_order(caused_by_redefinitions(problems, system))
    return replace(system, diagnostics=tuple(placed))
