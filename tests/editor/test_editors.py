"""The files for editors: they parse, and the TextMate grammar knows the words of ours."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from bidwright.kb.language.parser import tokens
from bidwright.kb.language.vocabulary import TIERS

ROOT = Path(__file__).parents[2]
CODE = ROOT / "editors" / "vscode"
GRAMMAR: dict[str, Any] = json.loads(
    (CODE / "syntaxes" / "bid.tmLanguage.json").read_text(encoding="utf-8")
)
LARK = (files("bidwright.kb.language") / "grammar.lark").read_text(encoding="utf-8")
WORDS = [*re.findall(r'^_?[A-Z]+: "([a-z]+)"$', LARK, re.MULTILINE)]
WORDS += re.findall(r"^ACTION: /\(([a-z|]+)\)", LARK, re.MULTILINE)[0].split("|")
WORDS += TIERS
FILES = sorted((ROOT / "systems").glob("*/*.bid"), key=lambda path: path.stat().st_size)


@dataclass
class Painter:
    """Colours a text by the grammar, as TextMate does: line by line, with a stack of rules."""

    scopes: dict[int, str] = field(default_factory=dict)
    _stack: list[dict[str, Any]] = field(default_factory=list)

    def paint(self, text: str) -> None:
        """Note the scope of every character that gets one."""
        start = 0
        for line in text.split("\n"):
            self._line(line, start)
            start += len(line) + 1

    def _rules(self) -> Iterator[dict[str, Any]]:
        rules = self._stack[-1].get("patterns", []) if self._stack else GRAMMAR["patterns"]
        yield from _flat(rules)

    def _line(self, line: str, start: int) -> None:
        at = 0
        while True:
            found = [
                (match.start(), 1, rule, match)
                for rule in self._rules()
                if (match := _pattern(rule).search(line, at))
                and (match.end() > at or "begin" in rule)
            ]
            if self._stack:
                end = re.compile(self._stack[-1]["end"]).search(line, at)
                if end:
                    found.append((end.start(), 0, {}, end))
            if not found:
                self._mark(start + at, start + len(line), self._inside())
                return
            place, kind, rule, match = min(found, key=lambda each: each[:2])
            self._mark(start + at, start + place, self._inside())
            if kind == 0:
                self._mark(start + place, start + match.end(), self._stack.pop().get("name", ""))
                if match.end() >= len(line) and not self._stack:
                    return
            else:
                self._mark(start + place, start + match.end(), rule.get("name", ""))
                for number, capture in rule.get("captures", rule.get("beginCaptures", {})).items():
                    first, last = match.span(int(number))
                    self._mark(start + first, start + last, capture["name"])
                if "begin" in rule:
                    self._stack.append(rule)
            at = match.end()

    def _inside(self) -> str:
        return self._stack[-1].get("name", "") if self._stack else ""

    def _mark(self, first: int, last: int, scope: str) -> None:
        if scope and first >= 0:
            self.scopes.update(dict.fromkeys(range(first, last), scope))


def _pattern(rule: dict[str, Any]) -> re.Pattern[str]:
    return re.compile(str(rule["match"] if "match" in rule else rule["begin"]))


def _flat(rules: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for rule in rules:
        if "include" in rule:
            inner = GRAMMAR["repository"][rule["include"].removeprefix("#")]
            yield from _flat([inner] if "match" in inner or "begin" in inner else inner["patterns"])
        else:
            yield rule


EXPECTED: dict[str, tuple[str, ...]] = {
    "STRING": ("string.",),
    "CALL": ("constant.language.call",),
    "LEVEL_CALL": ("constant.language.call",),
    "RELATIVE_CALL": ("support.function.call",),
    "LABEL": ("entity.name.tag",),
    "HAND": ("constant.other.hand",),
    "NUMBER": ("constant.numeric",),
    "PUBLIC": ("variable.other.property",),
    "PATH": ("entity.name.namespace",),
}


@pytest.mark.parametrize("path", [FILES[0], *FILES[-6:-4], FILES[len(FILES) // 2]], ids=str)
def test_every_word_of_a_file_is_coloured_for_what_it_is(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    painter = Painter()
    painter.paint(text)
    wrong = []
    for token in tokens(text):
        expected = EXPECTED.get(token.kind)
        if expected is None and token.text in WORDS and token.kind != "NAME":
            expected = ("keyword.", "storage.")
        scope = painter.scopes.get(token.start, "")
        if expected and not scope.startswith(expected):
            wrong.append((token.kind, token.text, text.count("\n", 0, token.start) + 1, scope))
    assert not wrong


@pytest.mark.parametrize("word", WORDS)
def test_every_keyword_is_known(word: str) -> None:
    painter = Painter()
    painter.paint(f"x {word} y")
    assert painter.scopes.get(2, "").startswith(("keyword.", "storage."))


def test_comments_are_comments() -> None:
    text = '  1NT "a # b" hcp 5; forcing # after 1NT\nopening # let'
    painter = Painter()
    painter.paint(text)
    scopes = [painter.scopes[text.index(piece)] for piece in ("# b", "after", "opening", "let")]
    assert [scope.split(".")[0] for scope in scopes] == ["string", "comment", "keyword", "comment"]


def test_extension_names_files_that_are_there() -> None:
    package = json.loads((CODE / "package.json").read_text(encoding="utf-8"))
    contributes = package["contributes"]
    paths = [
        package["main"],
        *(each["configuration"] for each in contributes["languages"]),
        *(each["path"] for each in contributes["grammars"]),
    ]
    assert all((CODE / path).is_file() for path in paths)
    assert contributes["grammars"][0]["scopeName"] == GRAMMAR["scopeName"]
    setting = contributes["configuration"]["properties"]["bidwright.command"]
    assert setting["default"] == ["bidwright", "lsp"]


def test_the_command_that_packages_the_extension_is_there() -> None:
    package = json.loads((CODE / "package.json").read_text(encoding="utf-8"))
    readme = (CODE / "README.md").read_text(encoding="utf-8")
    (name,) = re.findall(r"^    npm run (\w+)$", readme, re.MULTILINE)
    words = package["scripts"][name].split()
    assert words[:2] == ["vsce", "package"]
    # Without an address of a repository `vsce` refuses links, and asks questions.
    assert {"--allow-missing-repository", "--no-rewrite-relative-links"} <= {*words}
    assert "@vscode/vsce" in package["devDependencies"]
    assert f"{package['name']}-{package['version']}.vsix" in readme


def test_language_configuration_is_sound() -> None:
    language = json.loads((CODE / "language-configuration.json").read_text(encoding="utf-8"))
    assert language["comments"] == {"lineComment": "#"}
    word = re.compile(language["wordPattern"])
    assert word.fullmatch("partner.hcp.min")
    assert word.fullmatch("2oM")
