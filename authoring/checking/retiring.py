"""Retires examples of others that an author's choices make wrong, for him to look at.

An example belongs to the file that it stands in. Where a system that includes this file plays
otherwise, the system says `retire example ... "why"`; here the reason is the hand's present call.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from bidwright.authoring.checking.stated import stated
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.regular_files import read_regular
from bidwright.inference.reading.examples import Outcome, open_suites
from bidwright.kb.language.limits import MOST_BYTES
from bidwright.kb.language.printer import quoted, statement_lines
from bidwright.kb.loading.search_path import systems_root
from bidwright.runtime.files import write_text

_HEADING = "# What this system makes wrong among others' examples; look at each."


def retiring(failed: Iterable[Outcome], because: str) -> list[str]:
    """Return the lines that retire examples, each once.

    Args:
        failed: the outcomes of the examples that are not bid as stated.
        because: the words before the call that the hand bids, such as `it bids`.
    """
    lines = (
        f"retire {statement_lines(each.example)[0]} {quoted(f'{because} {each.choice.call}')}"
        for each in failed
    )
    return list(dict.fromkeys(lines))


def retire(name: str) -> list[str]:
    """Retire others' examples that a system makes wrong in its first file; return the new lines.

    Examples in the author's own files are left to him, and so are all if files have errors.

    Raises:
        UnknownSystemError: there is no such system.
        InvalidError: its first file comes with the package, or cannot be written.
    """
    (suite,) = open_suites([name])
    system = suite.system
    outcomes = stated(suite).failed
    # An author's own failing example is a mistake of his rules or of the example: he has to choose.
    failed = (each for each in outcomes if each.example.span.file not in system.own_files)
    lines = retiring(failed, "here the hand bids")
    if not lines:
        return []
    path = Path(next(iter(system.texts)))
    if not path.is_file() or path.resolve().is_relative_to(Path(str(systems_root())).resolve()):
        raise InvalidError(f"expected a system of your own to retire examples in, got {name!r}")
    text = read_regular(path, MOST_BYTES).decode("utf-8").rstrip()
    # A second run adds its lines below the heading that is there.
    heading = "" if _HEADING in text else f"\n{_HEADING}\n"
    # A file keeps its line ends: mixed ones show up as changes of every line elsewhere.
    newline = "\r\n" if "\r\n" in text else "\n"
    added = heading + "".join(f"{line}\n" for line in lines)
    write_text(path, text + newline + added.replace("\n", newline), newline="")
    return lines
