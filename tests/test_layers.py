"""Imports follow the layers, and the rooms within them; nothing imports itself in a circle.

bridge <- runtime <- kb <- inference <- neural <- match <- authoring <- front <- editor
<- explorer <- commands <- lab <- cli

Nothing imports `lab`: `cli` only names the modules of its verbs.
"""

import ast
import sys
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import TypeGuard

import networkx as nx

from bidwright.cli import VERBS
from bidwright.tests.scripts import script

ROOT = Path(__file__).parents[1]
house = script("house")
LAYERS: tuple[str, ...] = house.FLOORS
ROOMS = {
    "kb": (
        "expressions",
        "logic",
        "language",
        "conditions",
        "rules",
        "assembly",
        "wording",
        "checks",
        "loading",
    ),
    "inference": (
        "engine",
        "headline",
        "meaning",
        "reading",
        "sampling",
        "explanation",
        "posterior",
    ),
}
"""Folders and modules of a layer, each of which imports only itself and those before it."""
ONLY_IN = {
    "clingo": {"inference"},
    "torch": {"neural", "lab"},
    "safetensors": {"neural"},
    "lark": {"kb"},
    "click": {"commands", "lab", "cli"},
    "ray": {"runtime"},
    "fsspec": {"runtime"},
}
SYNTAX_TREES = {
    f"bidwright.kb.language.{name}"
    for name in ("ast", "parser", "rule_builder", "scope", "tree_builder", "tree_parts", "walk")
}
"""The modules that make and walk the syntax tree; of it, compiled rules hold expressions alone."""
COMPILED = {
    *(ROOT / "inference" / "sampling").glob("_[a-z]*.py"),
    ROOT / "runtime" / "machine_code.py",
}
"""Modules of compiled loops: importing one imports numba."""
HEAVY = {
    "endplay",
    "matplotlib",
    "networkx",
    "numba",
    "platformdirs",
    "rich",
    "bidwright.kb.rules.graph",
    *(house.module_name(path.relative_to(ROOT)) for path in COMPILED),
}
"""Too slow to import for a command that people type (`explain`, `bid`)."""
LIGHT_LAYERS = ("bridge", "runtime", "kb", "inference", "cli", "__main__")
PLOTS = Path("inference/posterior/plots.py")
MAY_BE_HEAVY = {Path("kb/rules/graph.py"), PLOTS, *(path.relative_to(ROOT) for path in COMPILED)}
BRIDGE_MAY_IMPORT = {*sys.stdlib_module_names, "numpy", "endplay", "bidwright"}


FILES: list[Path] = house.files()


def _layer(path: Path) -> str:
    return str(house.floor_of(path))


def _imports(path: Path, *, into_functions: bool = True) -> set[str]:
    names: set[str] = house.imports(path, into_functions=into_functions)
    return names


def _faults(paths: Iterable[Path], forbidden: Callable[[Path], Collection[object]]) -> list[str]:
    """Return the forbidden imports of each file, a line a file, so that one run shows all of it."""
    found = ((path, forbidden(path)) for path in paths)
    return [f"{path}: {', '.join(sorted(map(str, bad)))}" for path, bad in found if bad]


def test_imports_point_down_the_layers() -> None:
    def above(path: Path) -> set[str]:
        layers = {name.split(".")[1] for name in _imports(path) if name.startswith("bidwright.")}
        lab = layers & {"lab"} if _layer(path) != "lab" else set()
        return lab | layers & set(LAYERS[LAYERS.index(_layer(path)) + 1 :])

    assert _faults(FILES, above) == []


def test_imports_point_down_the_rooms_of_a_layer() -> None:
    def above(path: Path) -> set[str]:
        layer = path.parts[0]
        rooms = ROOMS[layer]
        room = path.parts[1].removesuffix(".py")
        if room == "__init__":
            return set()
        if room not in rooms:
            return {f"the room {room!r} has no place in the order of {layer}"}
        start = f"bidwright.{layer}."
        imported = {name.split(".")[2] for name in _imports(path) if name.startswith(start)}
        return imported & set(rooms[rooms.index(room) + 1 :])

    assert _faults([path for path in FILES if path.parts[0] in ROOMS], above) == []


def test_compiled_rules_are_read_without_the_syntax_tree() -> None:
    def trees(path: Path) -> set[str]:
        return _imports(path) & SYNTAX_TREES

    rooms = {("kb", "rules"), ("kb", "wording")}
    paths = [path for path in FILES if path.parts[0] == "inference" or path.parts[:2] in rooms]
    assert _faults(paths, trees) == []
    assert trees(Path("kb/assembly.py")), "what compiles them reads it"


def _circles(graph: "nx.DiGraph[Path]") -> list[list[str]]:
    parts = nx.strongly_connected_components(graph)
    return sorted(sorted(map(str, part)) for part in parts if len(part) > 1)


def test_modules_import_in_no_circle() -> None:
    assert not _circles(house.module_graph())


def test_rooms_import_in_no_circle() -> None:
    rooms: nx.DiGraph[Path] = nx.DiGraph()
    for path, other in house.module_graph().edges:
        rooms.add_edge(path.parent, other.parent)
    assert not _circles(rooms)


def test_packages_are_imported_in_their_layers_only() -> None:
    def foreign(path: Path) -> set[str]:
        roots = {name.split(".")[0] for name in _imports(path)}
        return {root for root in roots & ONLY_IN.keys() if _layer(path) not in ONLY_IN[root]}

    assert _faults(FILES, foreign) == []


def test_bridge_imports_the_standard_library_and_numpy() -> None:
    def foreign(path: Path) -> set[str]:
        return {name.split(".")[0] for name in _imports(path)} - BRIDGE_MAY_IMPORT

    assert _faults([path for path in FILES if _layer(path) == "bridge"], foreign) == []


def test_heavy_packages_are_imported_where_they_are_used() -> None:
    def heavy(path: Path) -> set[str]:
        names = _imports(path, into_functions=False)
        return {each for each in HEAVY for name in names if f"{name}.".startswith(f"{each}.")}

    light = [p for p in FILES if _layer(p) in LIGHT_LAYERS and p not in MAY_BE_HEAVY]
    assert _faults(light, heavy) == []


def test_a_verb_has_a_module_of_its_own() -> None:
    modules = [target.partition(":")[0] for target in VERBS.values()]
    assert sorted(set(modules)) == sorted(modules)
    for folder in ("commands", "lab/commands"):
        for path in (ROOT / folder).glob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            verbs = [node.name for node in tree.body if _is_verb(node)]
            assert len(verbs) == (house.module_name(path.relative_to(ROOT)) in modules), path


def _is_verb(node: ast.stmt) -> TypeGuard[ast.FunctionDef]:
    """Return True if a statement defines a command or a group of `click`, not one of a group."""
    return isinstance(node, ast.FunctionDef) and any(
        ast.unparse(each).startswith(("click.command(", "click.group("))
        for each in node.decorator_list
    )
