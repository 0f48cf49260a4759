"""A system as it is loaded: all its statements in order, and its diagnostics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from bidwright.kb.language import ast
from bidwright.kb.language.diagnostics import Diagnostic
from bidwright.kb.language.rule_changes import RuleChange


class Located(NamedTuple):
    """A statement and the module that it is from.

    Attributes:
        module: the name in the file's header, or the file's name without `.bid`.
        statement: the statement, parameters filled in.
    """

    module: str
    statement: ast.Statement


@dataclass(frozen=True, slots=True)
class System:
    """A system of conventions, ready to be compiled if it has no errors.

    Attributes:
        name: the name in the header of its first file, such as `sayc`.
        title: the title there; empty without a header.
        sources: the books and booklets that it follows.
        gaps: the parts that it leaves out on purpose.
        statements: blocks, definitions, examples and rebases in order; includes are resolved,
            parameters filled in, overrides and removals done.
        written: the statements as they were before overrides and removals.
        texts: the text of every file that was read, by the name that spans use.
        diagnostics: all mistakes and warnings, by place.
        parameters: the parameters of each file, by its name.
        conventions: pairs of a file and the file of a convention that it includes, by name.
        bases: the names of the systems that it includes to change them, and that those include,
            in the order of their includes.
        changes: the changes of rules and definitions by the system.
        own_files: the files of the system itself and of the conventions that it includes; without
            those of a system that it changes, and without the package's, if it is not its system.
        shared: those of them that a system of the package has from folders of others.
        varied: the files of modules to which other values are given than their own.
        revalued: those of them that have values of their own for all parameters.
        brought: the `include` of an own file that brings each other file, by that file's name.
        titles: the title of each file that has a header, by its name.
        is_convention: True if its first file is a convention by itself, with questions that the
            systems that include it may ask.
    """

    name: str
    title: str
    sources: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    statements: tuple[Located, ...] = ()
    written: tuple[Located, ...] = ()
    texts: dict[str, str] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()
    parameters: dict[str, tuple[str, ...]] = field(default_factory=dict)
    conventions: tuple[tuple[str, str], ...] = ()
    bases: tuple[str, ...] = ()
    is_convention: bool = False
    changes: tuple[RuleChange, ...] = ()
    own_files: frozenset[str] = frozenset()
    shared: frozenset[str] = frozenset()
    varied: frozenset[str] = frozenset()
    revalued: frozenset[str] = frozenset()
    brought: Mapping[str, ast.Span] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)

    @property
    def has_errors(self) -> bool:
        """True if a mistake makes the system unusable."""
        return any(diagnostic.is_error for diagnostic in self.diagnostics)
