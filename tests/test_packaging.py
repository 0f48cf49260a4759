"""The hand-kept lists in pyproject.toml match the tree, and the examples in docstrings work."""

import doctest
import importlib
import linecache
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES: list[str] = CONFIG["tool"]["setuptools"]["packages"]
PACKAGE: str = CONFIG["project"]["name"]
ROOT_MODULES = {"__init__.py", "__main__.py", "cli.py", "resources.py"}
NOT_PACKAGED = {"bench", "build", "dist", "tests"}


def test_package_list_is_complete() -> None:
    found = {PACKAGE}
    for init in ROOT.glob("[a-z]*/**/__init__.py"):
        parts = init.parent.relative_to(ROOT).parts
        if parts[0] not in NOT_PACKAGED:
            found.add(".".join((PACKAGE, *parts)))
    assert found == set(PACKAGES)


def test_the_wheel_says_what_it_is() -> None:
    assert CONFIG["project"]["readme"] == "README.md"
    assert (ROOT / "README.md").read_text(encoding="utf-8").startswith("# ")
    assert CONFIG["project"]["license-files"] == ["LICENSE"]
    assert "Copyright" in (ROOT / "LICENSE").read_text(encoding="utf-8")


def test_every_root_module_is_meant_to_ship() -> None:
    assert {path.name for path in ROOT.glob("*.py")} <= ROOT_MODULES


def _data_files() -> list[str]:
    suffixes = {".lark", ".lp", ".bid", ".html", ".css", ".js", ".svg"}
    folders = {PACKAGE.split(".")[0], *(name.split(".")[1] for name in PACKAGES if "." in name)}
    return [
        str(path.relative_to(ROOT))
        for folder in sorted(folders | {"systems"})
        for path in sorted((ROOT / folder).glob("**/*"))
        if path.suffix in suffixes
    ]


def test_data_files_are_listed_as_package_data() -> None:
    listed: dict[str, list[str]] = CONFIG["tool"]["setuptools"]["package-data"]
    matches = {
        str(path.relative_to(ROOT))
        for package, patterns in listed.items()
        for pattern in patterns
        for path in ROOT.joinpath(*package.split(".")[1:]).glob(pattern)
    }
    assert [file for file in _data_files() if file not in matches] == []


def _modules() -> list[str]:
    names: list[str] = []
    for package in PACKAGES:
        folder = ROOT.joinpath(*package.split(".")[1:])
        stems = [path.stem for path in sorted(folder.glob("*.py"))]
        names += [f"{package}.{stem}" for stem in stems if not stem.startswith("__")]
    return names


def test_doctests() -> None:
    failed: list[str] = []
    for module in _modules():
        linecache.clearcache()  # of files that other tests showed, or doctest looks at all of them
        if doctest.testmod(importlib.import_module(module)).failed:
            failed.append(module)
    assert failed == []
