"""The systems that a page may name: the package's, files of the command line, texts of the page.

A text of the page is read as if it stood alone in an empty folder: its includes are looked for
among the files of the package, and no other file is opened, whatever it names.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import weakref
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from bidwright import InvalidError, System, available_systems
from bidwright.bridge.regular_files import lies_below, read_regular_text
from bidwright.editor.editor_files import real_path
from bidwright.editor.workbench import Compiled, Workbench
from bidwright.explorer.queries import OWN
from bidwright.inference.explanation.explain import Explainer
from bidwright.inference.explanation.service import Library
from bidwright.kb.language import ast
from bidwright.kb.language.limits import MOST_BYTES
from bidwright.kb.loading.compiled import BrokenSystemError, open_system
from bidwright.kb.loading.load import SUFFIX, systems_root
from bidwright.kb.rules.rulebase import RuleBase

if TYPE_CHECKING:
    from bidwright.editor.page_texts import PageDesk

_MOST_OWN = 6
"""Texts of pages that are kept compiled."""
_MOST_LINES = 16
"""Lines of a rule that are shown."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")


@dataclass(frozen=True, slots=True)
class PageText:
    """A convention file of the page.

    Attributes:
        name: the file's name without `.bid`.
        text: the text of the file.
    """

    name: str
    text: str

    @property
    def key(self) -> str:
        """The name that the page and links use for it: the same for the same text."""
        # Surrogates pass: the key of any text can be made, and the text is refused when it is kept.
        digest = sha256(f"{self.name}\0{self.text}".encode("utf-8", "surrogatepass"))
        return f"own:{digest.hexdigest()[:16]}"


def file_name(text: str) -> str:
    """Return the name of a file of the page, without `.bid`.

    Raises:
        InvalidError: It is none: letters, digits, `_` and `-`, a letter first, 40 at most.
    """
    name = text.strip().removesuffix(SUFFIX)
    if not _NAME.fullmatch(name):
        raise InvalidError(
            f"expected a name of letters, digits, _ and - such as my_system, got {text[:60]!r}"
        )
    return name


class PageSystems:
    """Opens systems by the names that pages use, and keeps their readers."""

    def __init__(self, files: Mapping[str, str] | None = None) -> None:
        """Offer the systems of the package, and files by their names."""
        self._files = dict(files or {})
        self._texts: dict[str, PageText] = {}
        self._library = Library(self._open)
        self._own: OrderedDict[str, None] = OrderedDict()
        self._roots: OrderedDict[Path, None] = OrderedDict()

    @cached_property
    def _folder(self) -> str:
        """An empty folder for the places of texts of pages; it goes when this object goes."""
        folder = tempfile.mkdtemp(prefix="bidwright-page-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        return folder

    @cached_property
    def desk(self) -> PageDesk:
        """The answers about texts of pages; a site, which has none, needs no language server."""
        from bidwright.editor.page_texts import PageDesk

        return PageDesk()

    @property
    def bench(self) -> Workbench:
        """The checks of texts of pages."""
        return self.desk.bench

    # ---------------------------------------------------------------- systems

    def put(self, texts: Mapping[str, PageText]) -> None:
        """Take the texts for the next question, by their keys."""
        self._texts = dict(texts)

    def rules(self, name: str) -> RuleBase:
        """Return a system.

        Raises:
            InvalidError: There is none of that name, or its text has errors.
        """
        self._use(name)
        return self._library.system(name)

    def system(self, name: str) -> System:
        """Return a system as `import bidwright` offers it; see `rules`."""
        return System(self.rules(name), self.title(name), f"page\0{name}")

    def explainer(self, ns: str, ew: str) -> Explainer:
        """Return the explainer of auctions between two systems; see `rules`."""
        for name in (ns, ew):
            self._use(name)
        return Explainer(self._library.reader(ns, ew))

    def _use(self, name: str) -> None:
        """Note that a system is used; forget the texts of pages unused for longest."""
        if not OWN.fullmatch(name):
            return
        if name not in self._texts:
            raise InvalidError("this text is not kept here any more: open it again in the editor")
        self._own[name] = None
        self._own.move_to_end(name)
        # Compiled systems are large, and so is what their readers have worked out.
        while len(self._own) > _MOST_OWN:
            self._library.drop(self._own.popitem(last=False)[0])

    def _open(self, name: str) -> RuleBase:
        if name in self._texts:
            return self.compiled(self._texts[name])
        if name in self._files:
            return open_system(Path(self._files[name]))
        if name in available_systems():
            return open_system(name)
        names = ", ".join([*available_systems(), *self._files])
        raise InvalidError(f"expected a system ({names}), got {name!r}")

    def page(self, key: str) -> PageText | None:
        """Return a text of the page by its key, None if it is not at hand."""
        return self._texts.get(key)

    def title(self, name: str) -> str:
        """Return the title of a system for readers."""
        return self._texts[name].name if name in self._texts else name

    def root(self, page: PageText) -> Path:
        """Return the place that stands for a text of a page; there is no file there."""
        root = real_path(str(Path(self._folder) / f"{page.name}{SUFFIX}"))
        self._roots[root] = None
        self._roots.move_to_end(root)
        while len(self._roots) > _MOST_OWN:
            self.bench.forget(self._roots.popitem(last=False)[0])
        return root

    def compiled(self, page: PageText) -> RuleBase:
        """Return a text of a page, compiled.

        Raises:
            InvalidError: It has errors; the first is named.
        """
        root = self.root(page)
        read = self.read(page)
        problems = [each for each in self.bench.problems(root) if each.is_error]
        if read is not None and not problems:
            # Only a text that can be read is asked for mistakes across its rules.
            problems = read.rules.diagnose()
        if read is None or problems:
            error = BrokenSystemError(page.name, problems[:1], {})
            raise InvalidError(self.plain(str(error)).partition("\n\n")[2] or str(error))
        return read.rules

    def read(self, page: PageText) -> Compiled | None:
        """Return a text of a page as far as it can be used; see `Workbench.compiled`."""
        return self.desk.compiled(self.root(page), page.text)

    def plain(self, text: str) -> str:
        """Return a message without the folder that stands for the page's."""
        return text.replace(f"{real_path(self._folder)}{os.sep}", "")

    # ------------------------------------------------------------------ texts

    def source(self, span: ast.Span) -> str:
        """Return the lines of a rule as they were written; empty if the text is not there."""
        text = self._source(span.file)
        lines = text.split("\n")[span.line - 1 : span.end_line]
        lines = lines[:_MOST_LINES]
        # The lines of a rule under a branch begin far to the right.
        margin = min((len(each) - len(each.lstrip()) for each in lines if each.strip()), default=0)
        return "\n".join(each[margin:].rstrip() for each in lines)

    def _source(self, file: str) -> str:
        for page in self._texts.values():
            if str(self.root(page)) == file:
                return page.text
        packaged = Path(str(systems_root())).parent / file
        if real_path(str(packaged)).is_relative_to(real_path(str(systems_root()))):
            return read_regular_text(packaged, MOST_BYTES) if packaged.is_file() else ""
        for path in self._files.values():
            folder = os.path.dirname(os.path.abspath(path)) or os.sep
            # Only below the folder of a file that was named on the command line: the text of a rule
            # is shown to whoever can reach the page.
            inside = lies_below(file, folder)
            if inside and file.endswith(SUFFIX) and Path(file).is_file():
                return read_regular_text(file, MOST_BYTES)
        return ""
