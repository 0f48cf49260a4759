#!/usr/bin/env python3
"""Draw the house from its imports: folders as floors, with their rooms from left to right.

A floor imports only from floors below it, and a room of a floor only from rooms to the left of it.
`--write` puts the picture into CONTRIBUTING.md. The modules, and the imports of each, are read here
for the tests of the layers as well.

`--figures` prints a table of folders instead: modules, lines, floors (the longest chain of imports
among its own modules; a folder whose modules do not import each other has one), arrows (imports
among its own modules) and doors (other folders that it imports). A second table has, for a command
of each kind, the modules imported, and those entered with their functions while it runs. `--of
CHECKOUT` measures other code than this, such as an earlier commit in a worktree of its own.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import inspect
import io
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from itertools import zip_longest
from pathlib import Path
from types import CodeType, FrameType

import networkx as nx

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "bidwright"
FLOORS = (
    "bridge",
    "runtime",
    "kb",
    "inference",
    "neural",
    "match",
    "authoring",
    "front",
    "editor",
    "explorer",
    "commands",
    "lab",
    "cli",
    "__main__",
)
"""Folders and modules of the root; each may import itself and those before it."""

BEGIN = "<!-- written by scripts/house.py --write -->"
END = "<!-- end of the picture -->"
_FILE = ROOT / "CONTRIBUTING.md"
_WIDTH = 106
_LABEL = 10
_INIT = "__init__.py"
_MOST_IMPORTED = 5
"""Modules that are named for a floor that has no rooms."""


# ----------------------------------------------------------------------------- modules


def files(root: Path = ROOT) -> list[Path]:
    """Return the modules of the floors of a checkout, relative to its root, sorted."""
    paths = [path for floor in FLOORS for path in (root / floor).glob("**/*.py")]
    paths += [root / f"{floor}.py" for floor in FLOORS]
    return sorted(path.relative_to(root) for path in paths if path.exists())


def floor_of(path: Path) -> str:
    """Return the floor of a module."""
    return path.parts[0].removesuffix(".py")


def room_of(path: Path) -> str:
    """Return the room of a module: a folder of its floor; empty for modules beside the rooms."""
    return path.parts[1] if len(path.parts) > 2 else ""


def module_name(path: Path) -> str:
    """Return the name of a module in import statements."""
    return ".".join((PACKAGE, *path.with_suffix("").parts)).removesuffix(".__init__")


# ----------------------------------------------------------------------------- imports


def _nodes(tree: ast.AST, into_functions: bool) -> Iterator[ast.AST]:
    """Yield the nodes that run at import; with the bodies of functions if wanted."""
    for node in ast.iter_child_nodes(tree):
        is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        is_typing = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        if into_functions or not (is_function or is_typing):
            yield node
            yield from _nodes(node, into_functions)


@cache
def statements(
    path: Path, into_functions: bool, root: Path = ROOT
) -> list[ast.Import | ast.ImportFrom]:
    """Return the import statements of a module, those within functions if wanted."""
    tree = ast.parse((root / path).read_text(encoding="utf-8"))
    nodes = _nodes(tree, into_functions)
    return [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]


def imports(path: Path, *, into_functions: bool = True) -> set[str]:
    """Return all that a module imports, by full names: modules, and names that may be modules."""
    names: set[str] = set()
    for node in statements(path, into_functions):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        else:
            package = (PACKAGE, *path.parent.parts)
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*base, *([node.module] if node.module else [])))
            names |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
    return names


@cache
def module_graph(root: Path = ROOT) -> nx.DiGraph[Path]:
    """Return an arrow from each module to each that it imports, anywhere in it."""
    modules = {module_name(path): path for path in files(root)}
    graph: nx.DiGraph[Path] = nx.DiGraph()
    for path in modules.values():
        graph.add_node(path)
        for node in statements(path, True, root):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            else:
                # `from package import module` is an import of the module, not of the package.
                start = str(node.module)
                full = [f"{start}.{alias.name}" for alias in node.names]
                names = [name if name in modules else start for name in full]
            graph.add_edges_from((path, modules[name]) for name in names if name in modules)
    return graph


# ----------------------------------------------------------------------------- the picture


def picture() -> str:
    """Return the house as text, the highest floor first."""
    bands = [_band(floor) for floor in reversed(FLOORS) if floor != "__main__"]
    line = f"─{'─' * _LABEL}"
    edges = [
        f"{start}{line}{mid}{'─' * (_WIDTH - _LABEL - 4)}{end}" for start, mid, end in _CORNERS
    ]
    floors = f"\n{edges[1]}\n".join(bands)
    return f"{edges[0]}\n{floors}\n{edges[2]}"


_CORNERS = (("┌", "┬", "┐"), ("├", "┼", "┤"), ("└", "┴", "┘"))


def _band(floor: str) -> str:
    """Return the lines of a floor: its rooms by levels, then the floors that it imports."""
    modules = [path for path in module_graph() if floor_of(path) == floor]
    rooms = _levels(floor) if any(room_of(path) for path in modules) else [_most_imported(floor)]
    widths = [max(map(len, level)) for level in rooms]
    lines = [
        (" ← " if row == 0 else "   ").join(
            cell.ljust(width) for cell, width in zip(cells, widths, strict=True)
        )
        for row, cells in enumerate(zip_longest(*rooms, fillvalue=""))
    ]
    if below := _floors_below(floor):
        lines = [*filter(str.strip, lines), f"imports {', '.join(below)}"]
    return "\n".join(
        f"│ {label.ljust(_LABEL)}│ {text.rstrip().ljust(_WIDTH - _LABEL - 5)}│"
        for label, text in zip_longest([floor], lines, fillvalue="")
    )


def _levels(floor: str) -> list[list[str]]:
    """Return the rooms of a floor by levels, those that import no other room of it first.

    A room stands one place to the right of the rightmost that it imports.
    """
    modules = [
        path for path in module_graph() if floor_of(path) == floor and path.parts[1:] != (_INIT,)
    ]
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(map(room_of, modules))
    for path, other in module_graph().subgraph(modules).edges:
        if room_of(path) != room_of(other):
            graph.add_edge(room_of(path), room_of(other))
    places: dict[str, int] = {}
    # From the rooms that import none: the places of those that a room imports are known by then.
    for room in reversed(list(nx.topological_sort(graph))):
        places[room] = max((places[other] + 1 for other in graph[room]), default=0)
    levels: list[list[str]] = [[] for _ in range(max(places.values()) + 1)]
    for room, place in sorted(places.items()):
        levels[place].append(f"{room}/" if room else "*.py")
    return levels


def _most_imported(floor: str) -> list[str]:
    """Return a line with the modules of a floor that most modules import."""
    counts = Counter(
        {
            path.stem: len(module_graph().pred[path])
            for path in sorted(module_graph())
            if floor_of(path) == floor and path.name != _INIT
        }
    )
    names = sorted(name for name, count in counts.most_common(_MOST_IMPORTED) if count > 1)
    return [", ".join([*(f"{name}.py" for name in names), "..."])] if names else [""]


def _floors_below(floor: str) -> list[str]:
    """Return the floors that modules of a floor import, the highest first."""
    below = {floor_of(other) for path, other in module_graph().edges if floor_of(path) == floor}
    return [other for other in reversed(FLOORS) if other in below - {floor}]


def drawn(text: str) -> str:
    """Return the text of CONTRIBUTING.md with the picture as it is now."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"house.py: {_FILE.name} has no lines {BEGIN!r} and {END!r}")
    return f"{before}{BEGIN}\n\n```text\n{picture()}\n```\n\n{END}{after}"


# ----------------------------------------------------------------------------- figures of folders


@dataclass(frozen=True)
class Folder:
    """The figures of a folder, those below it not counted.

    Attributes:
        modules: its modules, `__init__` among them.
        lines: lines of them, blank ones included.
        floors: modules in the longest chain of which one imports the next; circles count once.
        arrows: imports of a module of the folder by another of it.
        doors: folders outside that modules of it import.
    """

    modules: int
    lines: int
    floors: int
    arrows: int
    doors: int


def folders_of(checkout: Path) -> dict[str, Folder]:
    """Return the figures of the folders of a checkout, by path; those of the root are in `.`."""
    graph = module_graph(checkout)
    by_folder: dict[str, list[Path]] = {}
    for path in sorted(graph):
        by_folder.setdefault(path.parent.as_posix(), []).append(path)
    return {name: _figures(checkout, graph, paths) for name, paths in sorted(by_folder.items())}


def _figures(checkout: Path, graph: nx.DiGraph[Path], paths: list[Path]) -> Folder:
    inside = graph.subgraph(paths)
    outside = {other.parent for path in paths for other in graph[path]} - {paths[0].parent}
    return Folder(
        modules=len(paths),
        lines=sum((checkout / path).read_text(encoding="utf-8").count("\n") for path in paths),
        # Condensed: modules that import each other in a circle have no longest chain.
        floors=nx.dag_longest_path_length(nx.condensation(inside)) + 1,
        arrows=inside.number_of_edges(),
        doors=len(outside),
    )


def _sums(graph: nx.DiGraph[Path], folders: dict[str, Folder]) -> Folder:
    """Return the figures of the whole: arrows between any modules, doors between folders."""
    return Folder(
        modules=len(graph),
        lines=sum(folder.lines for folder in folders.values()),
        floors=nx.dag_longest_path_length(nx.condensation(graph)) + 1,
        arrows=graph.number_of_edges(),
        doors=sum(folder.doors for folder in folders.values()),
    )


# ----------------------------------------------------------------------------- figures of commands

COMMANDS = {
    "explain": ("explain", "1NT (P) 2H (P) 2S (P) 3NT", "--system", "sayc"),
    "bid": ("bid", "KQ4.AQ8.K9873.K2", "1S (P)", "--system", "sayc"),
    "sample": ("sample", "1NT (P) 3NT", "-n", "10", "--system", "sayc", "--quiet"),
    "check": ("check", "systems/conventions/stayman.bid"),
    "match": ("match", "rules:sayc", "rules:sayc", "--boards", "2", "--quiet"),
}
"""The command line of each verb that is measured on its way through the house."""


@dataclass(frozen=True)
class Trip:
    """The part of the house that a command enters.

    Attributes:
        imported: modules that are loaded at its end.
        modules: modules of which a function was entered.
        functions: functions and methods entered; lambdas and comprehensions are not counted.
        calls: how often they were.
    """

    imported: int
    modules: int
    functions: int
    calls: int


def trip_of(words: tuple[str, ...]) -> Trip:
    """Return the trip of a command in this process; threads count, processes that it starts do not.

    It runs once before, so that compiled systems and machine code are in the cache.
    """
    from bidwright.cli import main

    root = str(Path(sys.modules[PACKAGE].__file__ or "").resolve().parent) + os.sep
    counts: dict[CodeType, int] = {}

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            counts[frame.f_code] = counts.get(frame.f_code, 0) + 1

    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        # Each thread has a profiler of its own: this sets that of threads to come.
        threading.setprofile(note)
        sys.setprofile(note)
        try:
            main(list(words))
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
    inside = {
        code: count
        for code, count in counts.items()
        if code.co_flags & inspect.CO_OPTIMIZED  # neither a module's body nor a class's
        and not code.co_name.startswith("<")
        and os.path.realpath(code.co_filename).startswith(root)
    }
    return Trip(
        imported=sum(name.partition(".")[0] == PACKAGE for name in sys.modules),
        modules=len({code.co_filename for code in inside}),
        functions=len(inside),
        calls=sum(inside.values()),
    )


def trips_of(checkout: Path) -> Iterator[tuple[str, Trip]]:
    """Yield the trip of each of `COMMANDS` in the code of a checkout, in a process of its own.

    Raises:
        subprocess.CalledProcessError: a command could not be measured.
    """
    with tempfile.TemporaryDirectory() as folder:
        # A link named as the package: a checkout may have any name.
        (Path(folder) / PACKAGE).symlink_to(checkout, target_is_directory=True)
        environment = {**os.environ, "PYTHONPATH": folder, "PYTHONHASHSEED": "0"}
        for verb, words in COMMANDS.items():
            command = [sys.executable, "-m", PACKAGE, *words]
            # Before it is measured: what is compiled the first time would be counted as entered.
            subprocess.run(
                command, cwd=checkout, env=environment, stdout=subprocess.DEVNULL, check=True
            )
            command = [sys.executable, str(Path(__file__).resolve()), "--trip", verb]
            measured = subprocess.run(
                command, cwd=checkout, env=environment, stdout=subprocess.PIPE, check=True
            )
            yield verb, Trip(**json.loads(measured.stdout))


def _print_folders(checkout: Path) -> None:
    folders = folders_of(checkout)
    rows = {**folders, "all": _sums(module_graph(checkout), folders)}
    print(f"{'folder':24} modules   lines  floors  arrows   doors")
    for name, row in rows.items():
        print(
            f"{name:24} {row.modules:7} {row.lines:7} {row.floors:7} {row.arrows:7} {row.doors:7}"
        )


def _print_trips(checkout: Path) -> None:
    print(f"{'command':24} imported modules entered functions entered   calls")
    for verb, trip in trips_of(checkout):
        print(f"{verb:24} {trip.imported:8} {trip.modules:15} {trip.functions:17} {trip.calls:7}")


def main() -> None:
    """Print the picture, write it, or print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help=f"put it into {_FILE.name}")
    parser.add_argument("--figures", action="store_true", help="print tables in place of it")
    parser.add_argument("--of", type=Path, default=ROOT, metavar="CHECKOUT", help="of its code")
    parser.add_argument("--trip", choices=COMMANDS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.trip:
        print(json.dumps(asdict(trip_of(COMMANDS[options.trip]))))
    elif options.figures:
        _print_folders(options.of.resolve())
        print()
        _print_trips(options.of.resolve())
    elif options.write:
        _FILE.write_text(drawn(_FILE.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        print(picture())


if __name__ == "__main__":
    main()
