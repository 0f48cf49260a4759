"""What the codes of diagnostics mean at length: the sections of `docs/messages.md` and `lints.md`.

The pages are part of the package, so that what is printed is what stands there.
"""

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
    """A file that shows something.

    Attributes:
        text: what is in it.
        how: what the text does not show: `60 times`, `not in UTF-8`; mostly empty.
    """

    text: str
    how: str = ""


@dataclass(frozen=True, slots=True)
class CodeMeaning:
    """What a code means.

    Attributes:
        code: such as `E201`.
        title: what it is, in few words.
        page: the page that it is explained on.
        paragraphs: what it means and what to do.
        others: the files beside the two samples, by name.
        wrong: a file that shows it.
        right: the same file put right.
    """

    code: str
    title: str
    page: str
    paragraphs: tuple[str, ...]
    others: Mapping[str, str]
    wrong: ShownFile
    right: ShownFile

    def text(self, width: int = 88) -> str:
        """Return it as text for a terminal."""
        lines = [f"{self.code} {self.title}"]
        for each in self.paragraphs:
            lines += ["", *textwrap.wrap(each, width, break_on_hyphens=False)]
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
    """Return what all codes mean, by code."""
    found: dict[str, CodeMeaning] = {}
    for page in _PAGES:
        text = files("bidwright").joinpath("docs", page).read_text(encoding="utf-8")
        parts = _SECTION.split(text)
        for code, title, body in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
            found[code] = _read(code, title, page, body)
    return found


def _read(code: str, title: str, page: str, body: str) -> CodeMeaning:
    fences = _FENCE.findall(body)
    others = {how: text for how, text in fences if _FILE.fullmatch(how)}
    wrong, right, *_ = [ShownFile(text, how) for how, text in fences if how not in others]
    plain = (
        _LINK.sub(r"\1", each) for each in _HEADING.sub("", _FENCE.sub("", body)).split("\n\n")
    )
    paragraphs = tuple(" ".join(each.split()) for each in plain if each.strip())
    return CodeMeaning(code, title, page, paragraphs, others, wrong, right)


def meaning_of_code(code: str) -> CodeMeaning:
    """Return what a code means.

    Raises:
        InvalidError: there is no such code.
    """
    known = code_meanings()
    found = known.get(code.upper())
    if found is None:
        close = get_close_matches(code.upper(), known, n=3)
        hint = f"; near it are {', '.join(sorted(close))}" if close else ""
        raise InvalidError(f"there is no code {code.upper()}{hint}")
    return found
