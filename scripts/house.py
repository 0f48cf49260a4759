#!/usr/bin/env python3
"""Draw the house from its imports: folders as floors, with their rooms from left to right.

A floor imports only from floors below it, and a room of a floor only from rooms to the left of it.
`--write` puts the picture into CONTRIBUTING.md. The modules, and the imports of each, are read here
for the tests of the layers as well.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import zip_longest
from pathlib import Path

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


def files() -> list[Path]:
    """Return the modules of the floors, relative to the root, sorted."""
    paths = [path for floor in FLOORS for path in (ROOT / floor).glob("**/*.py")]
    paths += [ROOT / f"{floor}.py" for floor in FLOORS]
    return sorted(path.relative_to(ROOT) for path in paths if path.exists())


def floor_of(path: Path) -> str:
    """Return the floor of a module."""
    return path.parts[0].removesuffix(".py")


def room_of(path: Path) -> str:
    """Return the room of a module: a folder of its floor; empty for modules beside the rooms."""
    return path.parts[1] if len(path.parts) > 2 else ""


def module_name(path: Path) -> str:
    """Return the name under which a module is imported."""
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
def statements(path: Path, into_functions: bool) -> list[ast.Import | ast.ImportFrom]:
    """Return the import statements of a module, those within functions if wanted."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
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
def module_graph() -> nx.DiGraph[Path]:
    """Return an arrow from each module to each that it imports, anywhere in it."""
    modules = {module_name(path): path for path in files()}
    graph: nx.DiGraph[Path] = nx.DiGraph()
    for path in modules.values():
        graph.add_node(path)
        for node in statements(path, True):
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


def main() -> None:
    """Print the picture, or write it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help=f"put it into {_FILE.name}")
    if parser.parse_args().write:
        _FILE.write_text(drawn(_FILE.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        print(picture())


if __name__ == "__main__":
    main()
