"""What comes with the package, worked out when it is built: compiled systems and their checks.

The build runs `python -m bidwright.authoring.checking.packaging FOLDER` on the tree that is packed.
What is in the cache folder already is taken from there.
"""

from __future__ import annotations

import sys
from pathlib import Path

from bidwright.authoring.checking.system_report import check_system
from bidwright.bridge.errors import InvalidError
from bidwright.kb.language.parser import parse
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.loading.search_path import available_systems
from bidwright.runtime.cache import recorded, write_packaged


def pack_systems(folder: Path) -> None:
    """Write into a folder all that opening and checking the package's systems reads from caches.

    These are the parser's tables, and of each system the compiled rules, the trees of its files
    with what was found in their statements, and what the hands of its examples bid.

    Raises:
        InvalidError: a system has a problem.
        OSError: the folder cannot be written.
    """
    with recorded() as entries:
        parse("", "")  # reads the parser's tables, which nothing else may need here
        for name in available_systems():
            open_system(name)
            report = check_system(name)
            if report.problems:
                raise InvalidError(f"{name} is not packed: {report.summary}")
    write_packaged(folder, entries)


if __name__ == "__main__":
    pack_systems(Path(sys.argv[1]))
