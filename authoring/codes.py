"""The meanings of codes of diagnostics: the sections of the pages in `authoring/meanings`."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files

from bidwright.bridge.errors import InvalidError

_PAGES = ("messages.md", "lints.md")
_SECTION = re.compile(r"^## ([EWI]\d{3}) (.+)$", re.MULTILINE)
_FENCE = re.compile(r"^```bid ?([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"\w+\.bid")
_HEADING = re.compile(r"^# .+$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A sample file.

    Attributes:
        text: its text.
        how: a property that the text does not show: `60 times`, `not in UTF-8`; mostly empty.
    """

    text: str
    how: str = ""


@dataclass(frozen=True, slots=True)
class CodeMeaning:
    """The meaning of a code.

    Attributes:
        code: the code, such as `E201`.
        title: the meaning in few words.
        page: the page that it is explained on.
        paragraphs: the explanation and the way out.
        others: the files beside the two samples, by name.
        wrong: a file with the mistake.
        right: the same file without it.
    """

    code: str
    title: str
    page: str
    paragraphs: tuple[str, ...]
    others: Mapping[str, str]
    wrong: ShownFile
    right: ShownFile

    def text(self, width: int = 88) -> str:
        """Return the meaning as text for a terminal."""
        lines = [f"{self.code} {self.title}"]
        for paragraph in self.paragraphs:
            lines += ["", *textwrap.wrap(paragraph, width, break_on_hyphens=False)]
        for name, text in self.others.items():
            lines += ["", f"{name}:", *_indented(text)]
        for title, sample in (("Wrong", self.wrong), ("Right", self.right)):
            head = f"{title} ({sample.how}):" if sample.how else f"{title}:"
            lines += ["", head, *_indented(sample.text)]
        return "\n".join(lines)


def _indented(text: str) -> list[str]:
    return textwrap.indent(text.rstrip("\n"), "    ").split("\n")


@cache
def code_meanings() -> Mapping[str, CodeMeaning]:
    """Return the meanings of all codes, by code."""
    meanings: dict[str, CodeMeaning] = {}
    for page in _PAGES:
        text = files("bidwright.authoring").joinpath("meanings", page).read_text(encoding="utf-8")
        parts = _SECTION.split(text)
        # With groups in the pattern `split` returns text, code, title, body, code, title, body and
        # so on.
        for code, title, body in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
            meanings[code] = _read(code, title, page, body)
    return meanings


def _read(code: str, title: str, page: str, body: str) -> CodeMeaning:
    fences = _FENCE.findall(body)
    others = {how: text for how, text in fences if _FILE.fullmatch(how)}
    wrong, right, *_ = [ShownFile(text, how) for how, text in fences if how not in others]
    # Links lead to other pages, where a terminal cannot follow.
    plain = (
        _LINK.sub(r"\1", each) for each in _HEADING.sub("", _FENCE.sub("", body)).split("\n\n")
    )
    paragraphs = tuple(" ".join(each.split()) for each in plain if each.strip())
    return CodeMeaning(code, title, page, paragraphs, others, wrong, right)


def codes_like(beginning: str) -> list[CodeMeaning]:
    """Return the meanings of the codes that begin with some letters and digits, in their order.

    Raises:
        InvalidError: There is no such code.
    """
    codes = [each for each in code_meanings().values() if each.code.startswith(beginning.upper())]
    if not codes:
        raise InvalidError(f"there is no code that begins with {beginning.upper()}")
    return sorted(codes, key=lambda each: each.code)


def meaning_of_code(code: str) -> CodeMeaning:
    """Return the meaning of a code.

    Raises:
        InvalidError: there is no such code.
    """
    meanings = code_meanings()
    meaning = meanings.get(code.upper())
    if meaning is None:
        close = get_close_matches(code.upper(), meanings, n=3)
        hint = f"; near it are {', '.join(sorted(close))}" if close else ""
        raise InvalidError(f"there is no code {code.upper()}{hint}")
    return meaning
