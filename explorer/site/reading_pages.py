"""Pages to read, each with its own address: a system, or a convention of the package.

A page has the text at the top of the file, its sources and gaps, the card, the calls of a
convention, examples, and hands to practise with their answers. The full notes of a system are a
page of their own, as `bidwright doc` writes them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypedDict

from bidwright import InvalidError, parse_hand
from bidwright.authoring.doc.document import CardSection, Notes, PositionNote
from bidwright.authoring.doc.html import suits, to_html
from bidwright.authoring.doc.kept_notes import kept_notes
from bidwright.authoring.lessons.questions_to_bid import (
    BiddingQuestion,
    question_of,
    questions_of,
)
from bidwright.bridge.regular_files import MIB, read_regular, read_regular_text
from bidwright.explorer.site.answer_shards import code_of_answers
from bidwright.inference.explanation.explain import Explainer
from bidwright.inference.reading.examples import auction_of, reader_for
from bidwright.kb.expressions.agreements import Example
from bidwright.kb.language.system import System
from bidwright.kb.loading.compiled import compiled, open_system
from bidwright.kb.loading.convention_names import other_names
from bidwright.kb.loading.incremental import load_again
from bidwright.kb.loading.load import SUFFIX, load, systems_root
from bidwright.kb.rules.rulebase import RuleBase
from bidwright.runtime.code import code_key
from bidwright.runtime.files import write_text

if TYPE_CHECKING:
    from jinja2 import Template


SYSTEMS, CONVENTIONS = "systems", "conventions"
"""The folders of pages, which are the kinds of pages."""
_EXAMPLES, _EXERCISES = 12, 6
"""Hands on a page."""
_DEEPEST = {SYSTEMS: 2, CONVENTIONS: 9}
"""Rounds of a kind's calls that can be searched."""
_MOST_DESCRIPTION = 155
"""Characters of a description, as lists of search results show them."""
_ADDRESS = "https://"
_ALLOWANCE = re.compile(r"[a-z-]+ [EWI][0-9]{3}\b")
"""A comment that allows a finding of `check`."""


class SearchEntry(TypedDict):
    """A page in the search, with pattern, call and meaning of each call that it has.

    `names` are the other names of a convention.
    """

    kind: str
    name: str
    title: str
    names: list[str]
    path: str
    text: str
    calls: list[list[str]]


class KeyedEntry(SearchEntry):
    """A page in the search, with the key of what it is made from."""

    key: str


@dataclass(frozen=True, slots=True)
class PageOrder:
    """A page to write.

    Attributes:
        kind: `SYSTEMS` or `CONVENTIONS`.
        name: the name of the system or convention.
        source: the name or the file that it is opened by.
        out: the folder of the site.
        address: the address of the site, which ends in a slash; empty if nobody knows it.
        site_title: the title of the site.
        explored: True if the explorer of the site has the system.
    """

    kind: str
    name: str
    source: str
    out: str
    address: str
    site_title: str
    explored: bool

    @property
    def path(self) -> str:
        """The path of the page below the site."""
        return f"{self.kind}/{self.name}/"


@cache
def packaged_conventions() -> dict[str, str]:
    """Return the conventions that come with the package: the file of each, by its name."""
    folder = systems_root() / CONVENTIONS
    paths = sorted(str(path) for path in folder.iterdir() if path.name.endswith(SUFFIX))
    return {Path(path).name.removesuffix(SUFFIX): path for path in paths}


def template(name: str) -> Template:
    """Return a template of this folder."""
    from jinja2 import Environment, StrictUndefined

    text = read_regular_text(files("bidwright.explorer.site") / name, MIB)
    # Titles and comments of files stand on the page: they are text there, whatever they contain.
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["suits"] = suits
    environment.filters["link"] = position_link
    return environment.from_string(text)


def write_page(order: PageOrder) -> KeyedEntry:
    """Write a page, with the notes of a system beside it; return its entry in the search.

    The entry has the key of what the page is made from: a page whose key is there already is kept.
    """
    system = load(order.source)
    rules = open_system(order.source, system)
    notes = kept_notes(rules, system)
    folder = Path(order.out) / order.kind / order.name
    summary = _header_text(system)
    content = template("reading_page.html.j2").render(
        order=order,
        title=notes.title,
        description=description(notes.title, order.kind, summary),
        paragraphs=summary.split("\n\n") if summary else [],
        notes=notes,
        card=[section for section in notes.card if _says_more(section)],
        names=_other_names(system),
        parameters=_parameters(system),
        examples=[_example_question(rules, each) for each in _own_examples(rules, order)],
        exercises=_exercises(rules, order),
        # Sources are prose; only those with an address can be followed.
        links=[source for source in notes.sources if _ADDRESS in source],
    )
    folder.mkdir(parents=True, exist_ok=True)
    write_text(folder / "index.html", content)
    write_text(folder / "notes.html", to_html(notes))
    return {
        **entry_of(order, notes, summary, _other_names(system)),
        "key": page_key(order, system),
    }


def page_key(order: PageOrder, system: System) -> str:
    """Return a hash of all that a page is made from."""
    texts = sha256(json.dumps(sorted(system.texts.items())).encode()).hexdigest()
    code = [code_of_answers(), code_key("explorer/site"), _templates()]
    # The folder is not part of the page: a site may be moved.
    fields = {name: value for name, value in asdict(order).items() if name != "out"}
    return sha256(json.dumps([fields, texts, code]).encode()).hexdigest()[:16]


@cache
def _templates() -> str:
    folder = files("bidwright.explorer.site")
    texts = (read_regular(each, MIB) for each in folder.iterdir() if each.name.endswith(".j2"))
    return sha256(b"\0".join(sorted(texts))).hexdigest()


def description(title: str, kind: str, summary: str) -> str:
    """Return a description for lists of search results."""
    what = "bidding system" if kind == SYSTEMS else "convention"
    text = summary.replace("\n", " ") or f"{title}, a {what} in contract bridge."
    # A list of search results may show the description alone.
    if not summary.lower().startswith(title.lower()):
        text = f"{title}: {text}"
    if len(text) <= _MOST_DESCRIPTION:
        return text
    # Cut between words, with room for the dots.
    return text[: _MOST_DESCRIPTION - 2].rpartition(" ")[0].rstrip(",;:") + " …"


def _header_text(system: System) -> str:
    """Return the comment that the system's first file begins with, without its marks."""
    text = next(iter(system.texts.values()), "")
    lines: list[str] = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        words = line.lstrip("#").strip()
        if not _ALLOWANCE.match(words):  # it is for `check`, not for readers
            lines.append(words)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _says_more(section: CardSection) -> bool:
    """Return True if a part of the card has more than the title and the sources."""
    labels = [label for group in section.groups for label, _ in group.lines]
    return any(label not in ("System", "Follows", "Left out") for label in labels)


def _other_names(system: System) -> list[str]:
    """Return the other names of a convention, as its header has them."""
    return other_names(next(iter(system.texts.values()), ""))


def _parameters(system: System) -> str:
    """Return the parameters of a convention as its header writes them."""
    text = next(iter(system.texts.values()), "")
    match = re.search(r"^convention \w+\((.*)\) ", text, re.MULTILINE)
    return match[1] if match else ""


# ---------------------------------------------------------------------- hands


def _own_examples(rules: RuleBase, order: PageOrder) -> list[Example]:
    """Return examples spread over those of the file, or of a whole system."""
    examples = list(rules.examples)
    if order.kind == CONVENTIONS:
        # A convention that includes others has their examples as well: its own come first.
        examples = [each for each in examples if each[0] == order.name] or examples
    # Spread over the file: it begins with the simplest calls.
    step = max(1, len(examples) // _EXAMPLES)
    return [example for _, example in examples[::step]][:_EXAMPLES]


def _example_question(rules: RuleBase, example: Example) -> BiddingQuestion:
    """Return an example with the system's call as the answer."""
    reader = reader_for(rules)
    return question_of(
        Explainer(reader), reader.read(auction_of(example)), parse_hand(example.hand)
    )


def _exercises(rules: RuleBase, order: PageOrder) -> list[BiddingQuestion]:
    """Return hands with a single call by the system, each once.

    A convention that answers an opening has no auctions of its own; its hands are those of SAYC
    with it.
    """
    topic = order.name if order.kind == CONVENTIONS else ""
    with suppress(InvalidError):
        return list(questions_of(rules, topic, _EXERCISES))
    with TemporaryDirectory() as folder, suppress(InvalidError):
        file = Path(folder) / f"practice{SUFFIX}"
        file.write_text(
            f'system practice "SAYC with {order.name}"\n\ninclude sayc\ninclude {order.name}\n',
            encoding="utf-8",
        )
        # Not `open_system`: a file that goes at once has no place in the cache.
        rules = compiled(file, load_again(file))
        return list(questions_of(rules, topic, _EXERCISES))
    return []


def position_link(question: BiddingQuestion) -> str:
    """Return the query of a question's position in the explorer."""
    auction = question.auction
    calls = "-".join(map(str, auction.calls))
    vul = auction.vulnerability.word
    rest = "" if vul == "none" else f"&vul={vul}"
    return f"auction={calls}&dealer={auction.dealer}{rest}"


# ---------------------------------------------------------------------- search


def entry_of(order: PageOrder, notes: Notes, summary: str, names: list[str]) -> SearchEntry:
    """Return a page in the search: its names, and the calls that it has, each with its pattern."""
    calls: list[list[str]] = []
    deepest = _DEEPEST[order.kind]
    for section in notes.sections:
        for position in section.positions:
            calls.extend(_calls_below(position, deepest))
    return {
        "kind": order.kind,
        "name": order.name,
        "title": notes.title,
        "names": names,
        "path": order.path,
        "text": description(notes.title, order.kind, summary),
        "calls": calls,
    }


def _calls_below(position: PositionNote, rounds: int) -> Iterator[list[str]]:
    """Yield pattern, call and meaning of the calls at a position and for some rounds below it."""
    if rounds == 0 or position.is_general:
        return
    for note in position.calls:
        yield [position.pattern, note.call, note.summary]
        for after in note.after:
            yield from _calls_below(after, rounds - 1)
