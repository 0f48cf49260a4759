"""A new system from a few answers: its base, its parameters, conventions of the library.

The file passes all checks. Where answers make examples of the package wrong, these are retired in
the file, each with the call that its hand bids now, for the author to look at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from bidwright.authoring.balanced_ranges import with_rebid
from bidwright.authoring.checking.retiring import retiring
from bidwright.authoring.checking.stated import stated
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.regular_files import read_regular_text
from bidwright.inference.reading.examples import Suite, open_suites
from bidwright.kb.language.limits import MOST_BYTES
from bidwright.kb.language.parser import parse
from bidwright.kb.language.printer import header_lines, quoted
from bidwright.kb.language.syntax_errors import nearest
from bidwright.kb.loading.load import MAIN, SUFFIX, available_systems, systems_root
from bidwright.runtime.files import write_text
from bidwright.runtime.progress import Show, show_nothing

_NAME = re.compile(r"[A-Za-z_]\w*")
_DASH = re.compile(r"^\s*([0-9]+)\s*(?:-|to)\s*([0-9]+)\s*$")


@dataclass(frozen=True, slots=True)
class NewSystem:
    """An author's answers about a new system.

    Attributes:
        name: its name, one word.
        title: its title.
        base: the system that it changes.
        values: values of parameters of that system, as they are typed: `12-14`, `12..14`, `4`.
        conventions: conventions of the library that are added.
        card: the lines of a file made from a convention card; empty for no card.
        source: the origin of the system, for the first line; empty for `base`.
    """

    name: str
    title: str
    base: str = "sayc"
    values: Mapping[str, str] = field(default_factory=dict)
    conventions: Sequence[str] = ()
    card: Sequence[str] = ()
    source: str = ""


def parameters_of(base: str) -> dict[str, str]:
    """Return the parameters of a system that comes with the package, with their values as written.

    Raises:
        InvalidError: there is no such system.
    """
    if base not in available_systems():
        raise InvalidError(_not_one_of("a system to begin with", available_systems(), base))
    text = read_regular_text(systems_root() / base / MAIN, MOST_BYTES)
    file, _ = parse(text, base)
    assert file is not None
    assert file.header is not None
    line = header_lines(file.header)[0]
    # Read from the printed header, so that values stand as an author would write them.
    return dict(re.findall(r"(\w+) = ([^,)]+)", line.partition('"')[0]))


def library() -> dict[str, str]:
    """Return the conventions that a system can add, by name with their titles."""
    titles = {}
    for path in sorted((systems_root() / "conventions").iterdir(), key=lambda each: each.name):
        text = read_regular_text(path, MOST_BYTES)
        title = re.search(r'^convention\s+(\w+).*"(.+)"', text, re.MULTILINE)
        # A module of definitions alone: to include it changes no call.
        if title is not None and title[1] != "valuation":
            titles[title[1]] = title[2]
    return titles


def text_of(answers: NewSystem, show: Show = show_nothing) -> str:
    """Return the text of a system's first file, which checks green.

    Args:
        answers: the author's answers.
        show: gets the progress of bidding examples.

    Raises:
        InvalidError: an answer makes no sense, or the choices do not go together.
    """
    text = "".join(f"{line}\n" for line in _lines(answers))
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{answers.name}{SUFFIX}"
        retired = _retired(_suite(path, text), show)
        if retired:
            text += "\n# What these choices make wrong among others' examples; look at each.\n"
            text += "".join(f"{line}\n" for line in retired)
            # Once more, since a retired example can uncover another one of the same auction.
            if _retired(_suite(path, text), show):
                raise InvalidError(f"the examples of {answers.base} do not go with these choices")
    return text


def forked(text: str, base: str, parts: Sequence[str]) -> tuple[str, dict[str, str]]:
    """Return a system's text with parts of the package that are its own, and the texts of these.

    Args:
        text: the text of its first file, as `text_of` returns it.
        base: the system that it includes.
        parts: files without a header, as systems include them, such as `common/advances`.

    Raises:
        InvalidError: there is no such part.
    """
    files: dict[str, str] = {}
    for part in parts:
        path = systems_root() / f"{part}{SUFFIX}"
        if not re.fullmatch(r"\w+/\w+", part) or not path.is_file():
            parts_there = sorted(
                f"common/{each.name.removesuffix(SUFFIX)}"
                for each in (systems_root() / "common").iterdir()
            )
            raise InvalidError(_not_one_of("a part of the package", parts_there, part))
        name = part.rpartition("/")[2]
        files[f"{name}{SUFFIX}"] = read_regular_text(path, MOST_BYTES)
        line = f"include {name} for {part}\n"
        text = re.sub(rf"^(?=include {re.escape(base)}\b)", line, text, count=1, flags=re.M)
    return text, files


def _lines(answers: NewSystem) -> Iterator[str]:
    if not _NAME.fullmatch(answers.name):
        raise InvalidError(f"expected a name such as my_system, got {answers.name!r}")
    yield f"# Begun with {answers.source or answers.base}; what is played differently stands here."
    yield ""
    if answers.card:
        yield from answers.card
    else:
        yield f"system {answers.name} {quoted(answers.title)}"
        yield ""
        yield f"include {answers.base}{arguments_of(answers.base, answers.values)}"
    titles = library()
    for name in dict.fromkeys(answers.conventions):
        if name not in titles:
            hint = f"; one of your own becomes a line 'include {name}' in the file"
            raise InvalidError(_not_one_of("a convention of the library", titles, name, hint))
        yield f"include {name}"


def _not_one_of(what: str, known: Iterable[str], name: str, hint: str = "") -> str:
    """Return a message about an unknown name, with a near one as advice.

    Args:
        what: the kind of the name.
        known: all names of this kind.
        name: the name.
        hint: the advice if none is near it.
    """
    close = nearest(name, known)
    hint = f"; did you mean {close!r}?" if close else hint
    return f"expected {what} ({', '.join(known)}), got {name!r}{hint}"


def arguments_of(base: str, given: Mapping[str, str]) -> str:
    """Return the values of parameters in the form of an `include`, to follow a system's name.

    Args:
        base: a system that comes with the package.
        given: values by the names of parameters, as they are typed: `12-14`, `12..14`, `4`. With
            another notrump, opener's rebid of one notrump moves as well if it is not given.

    Raises:
        InvalidError: there is no such system, or it has no such parameter.

    Example:
        >>> arguments_of("sayc", {"notrump": "12-14"})
        '(notrump = 12..14, rebid = 15..17)'
    """
    parameters = parameters_of(base)
    for name in given:
        if name not in parameters:
            has = f"; it has {', '.join(parameters)}" if parameters else ", and no other one"
            raise InvalidError(f"{base} has no parameter {name!r}{has}")
    values = {name: _DASH.sub(r"\1..\2", value) for name, value in given.items()}
    # A weak notrump with a rebid of 12-14 would leave a hole between the two: the rebid moves
    # along.
    values = with_rebid(values, parameters)
    changed = []
    for name, default in parameters.items():
        value = values.get(name, default).strip()
        if value and value != default:
            changed.append(f"{name} = {value}")
    return f"({', '.join(changed)})" if changed else ""


def _suite(path: Path, text: str) -> Suite:
    """Return the suite of a text.

    Raises:
        InvalidError: something is wrong with it besides its examples.
    """
    write_text(path, text)
    (suite,) = open_suites([str(path)])
    if suite.problems:
        first, *others = suite.problems
        more = f", and {len(others)} more" if others else ""
        raise InvalidError(f"these choices do not go together: {first.message}{more}")
    return suite


def _retired(suite: Suite, show: Show) -> list[str]:
    """Return the lines that retire the examples that hold no longer.

    Raises:
        InvalidError: two conventions claim one call.
    """
    outcomes = stated(suite, show)
    # Two conventions for one call cannot be settled by retiring examples.
    for double in outcomes.doubled:
        raise InvalidError(f"these choices do not go together: {double.message}")
    return retiring(outcomes.failed, "with these choices it bids")
