"""Cache entries that come with the package: compiled systems and their checks.

The build runs `python -m bidwright.authoring.checking.packaging FOLDER` on the tree that is packed,
with the names of systems after the folder where not all of them are wanted. Entries in the cache
folder are taken from there.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from pathlib import Path

from bidwright.authoring.checking.system_report import check_system
from bidwright.bridge.errors import InvalidError
from bidwright.kb.language.parser import parse
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.loading.search_path import available_systems
from bidwright.runtime.cache import recorded, write_packaged


def pack_systems(folder: Path, names: Collection[str] = ()) -> None:
    """Write into a folder all cache entries for opening and checking the package's systems.

    These are the parser's tables, and of each system the compiled rules, the trees of its files
    with what was found in their statements, and what the hands of its examples bid.

    Args:
        folder: it is made if it is not there.
        names: systems of the package; without names all of them are packed.

    Raises:
        InvalidError: a system has a problem, or a name is that of no system of the package.
        OSError: the folder cannot be written.
    """
    systems = available_systems()
    for name in names:
        if name not in systems:
            raise InvalidError(f"{name} is not packed: expected one of {', '.join(systems)}")
    with recorded() as entries:
        # A first explanation after an installation took 10.5 s of processor time where nothing was
        # packed, and 1.3 s with these entries.
        parse("", "")  # reads the parser's tables, which nothing else may need here
        for name in names or systems:
            open_system(name)
            report = check_system(name)
            # What is packed is trusted by every installation: a system with a problem is not
            # shipped.
            if report.problems:
                raise InvalidError(f"{name} is not packed: {report.summary}")
    write_packaged(folder, entries)


if __name__ == "__main__":
    try:
        pack_systems(Path(sys.argv[1]), sys.argv[2:])
    except InvalidError as error:
        sys.exit(str(error))
