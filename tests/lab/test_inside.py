"""The laboratory imports from the inside of the package as its README lists, and no more."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = "bidwright."


def _imported(path: Path) -> set[str]:
    """Return the modules of the package outside the lab that a file imports."""
    modules: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: expected a full name, got a relative import"
            modules |= _modules_of(node)
    inside = {name.removeprefix(PACKAGE) for name in modules if name.startswith(PACKAGE)}
    return {name for name in inside if name.split(".")[0] != "lab"}


def _modules_of(node: ast.ImportFrom) -> set[str]:
    """Return the modules of `from module import name`, or of `from folder import module`."""
    name = str(node.module)
    folder = ROOT.joinpath(*name.split(".")[1:])
    modules = {alias.name for alias in node.names if (folder / f"{alias.name}.py").is_file()}
    others = {alias.name for alias in node.names} - modules
    return {f"{name}.{module}" for module in modules} | ({name} if others else set())


def _listed() -> list[str]:
    """Return the modules in the first column of the table."""
    table = (ROOT / "lab" / "README.md").read_text(encoding="utf-8").split("from the inside")[1]
    rows = re.findall(r"^\| (`.*?`) \|", table, flags=re.MULTILINE)
    return [name for row in rows for name in re.findall(r"`([\w.]+)`", row)]


def test_the_table_has_each_module_once() -> None:
    listed = _listed()
    assert len(listed) == len(set(listed)) > 0


def test_what_is_imported_from_the_inside_is_listed() -> None:
    files = {path: _imported(path) for path in (ROOT / "lab").glob("**/*.py")}
    listed = set(_listed())
    missing = {str(path): modules - listed for path, modules in files.items() if modules - listed}
    assert not missing
    assert listed <= set().union(*files.values())


def test_a_module_is_known_however_it_is_imported(tmp_path: Path) -> None:
    path = tmp_path / "other.py"
    path.write_text(
        "import bidwright.bridge.cards\nfrom bidwright.bridge import calls, deal\n"
        "from bidwright.bridge.hand import Hand\nfrom bidwright import __version__\n"
        "def f():\n    from bidwright.kb.loading.compiled import open_system\n"
        "from bidwright.lab.games import zoo\nimport json\n"
    )
    assert _imported(path) == {
        *("bridge.cards", "bridge.calls", "bridge.deal", "bridge.hand", "kb.loading.compiled")
    }
