"""Names of the conventions of the library: the file's own, its title, and those of `also`.

The names stand in the files alone: a line `also "Multi-Landy"` in a module's header. Case, spaces
and punctuation do not matter.
"""

import re
from collections.abc import Iterator, Mapping
from importlib.resources.abc import Traversable

from bidwright.bridge.regular_files import read_regular_text
from bidwright.kb.language.limits import MOST_BYTES

_HEADER = re.compile(r'^convention (\w+).*?"([^"]*)"((?:\n[ \t]+.*)*)', re.MULTILINE)
_ALSO = re.compile(r'^[ \t]+also "([^"]*)"', re.MULTILINE)


def plain(name: str) -> str:
    """Return a name as it is compared: letters and digits, in small letters."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def claims(library: Traversable) -> Iterator[tuple[str, str]]:
    """Yield pairs of a name and the module that claims it, in the order of the modules."""
    for file in sorted(library.iterdir(), key=lambda file: file.name):
        if not file.name.endswith(".bid"):
            continue
        # A module is not parsed for its names: a search would parse the whole library.
        header = _HEADER.search(read_regular_text(file, MOST_BYTES))
        if header is not None:
            module, title, lines = header.groups()
            names = dict.fromkeys(map(plain, (module, title, *_ALSO.findall(lines))))
            yield from ((name, module) for name in names)


def other_names(text: str) -> list[str]:
    """Return the names of `also` in the header of a convention's text, as they are written."""
    header = _HEADER.search(text)
    return [] if header is None else _ALSO.findall(header[3])


def modules_by_name(library: Traversable) -> Mapping[str, str]:
    """Return the modules of a folder by every name that they have, compared as by `plain`."""
    return dict(claims(library))


def module_of(name: str, library: Traversable) -> str | None:
    """Return the module that is found by a name, None if there is none."""
    return modules_by_name(library).get(plain(name))
