"""The wheel has the same modules as the tree, and the examples in docstrings work."""

import doctest
import importlib
import linecache
import os
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import bidwright

ROOT = Path(__file__).parents[1]
CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGE: str = CONFIG["project"]["name"]
ROOT_MODULES = {"__init__.py", "__main__.py", "cli.py", "resources.py", "setup.py"}
NO_MODULES = {"__init__.py", "__main__.py", "setup.py"}
"""Files that are not looked through for examples."""
NOT_PACKAGED = {"bench", "build", "dist", "examples", "scripts", "tests"}
"""Folders of modules that are not installed, or that a build leaves."""


def _packages() -> list[str]:
    """Return the packages that the build gives, by its own `setup.py`."""
    given: list[str] = []

    def setup(*, packages: list[str], script_name: str, cmdclass: object) -> None:
        assert script_name == "setup.py"
        given.extend(packages)

    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setattr("setuptools.setup", setup)
        runpy.run_path(str(ROOT / "setup.py"))
    return given


PACKAGES = _packages()


def _folder(package: str) -> Path:
    return ROOT.joinpath(*package.split(".")[1:])


def test_every_module_is_in_a_package() -> None:
    folders = {_folder(package) for package in PACKAGES}
    modules = (
        path
        for folder in ROOT.glob("[a-z]*/")
        if folder.name not in NOT_PACKAGED
        for path in folder.glob("**/*.py")
    )
    assert [str(path) for path in modules if path.parent not in folders] == []


def test_what_is_not_installed_is_in_no_package() -> None:
    assert not {package.split(".")[1] for package in PACKAGES if "." in package} & NOT_PACKAGED


@pytest.mark.system
def test_packages_of_an_isolated_build_are_those_of_its_process(tmp_path: Path) -> None:
    # pip builds with the interpreter below an environment, and gives it packages by a path alone.
    interpreter = Path(getattr(sys, "_base_executable", sys.executable))
    build = [str(interpreter), "setup.py", "build_py", "--build-lib", str(tmp_path / "lib")]
    packages = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "BIDWRIGHT_PACKED": "basic"}
    subprocess.run(
        build,
        cwd=ROOT,
        env={**os.environ, **packages},
        check=True,
        capture_output=True,
    )
    assert any((tmp_path / "lib" / "bidwright" / "runtime" / "packaged").iterdir())


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
        for path in _folder(package).glob(pattern)
    }
    assert [file for file in _data_files() if file not in matches] == []


def _modules() -> list[str]:
    names: list[str] = []
    for package in PACKAGES:
        stems = [path.stem for path in sorted(_folder(package).glob("*.py"))]
        names += [f"{package}.{stem}" for stem in stems if f"{stem}.py" not in NO_MODULES]
    return names


OF_THE_DOOR = {f"{PACKAGE}.{module}" for module in bidwright._HOMES}
"""Modules with examples that bid whole systems: `test_front_door` runs them."""


def test_doctests() -> None:
    failed: list[str] = []
    for module in _modules():
        if module in OF_THE_DOOR:
            continue
        linecache.clearcache()  # of files that other tests showed, or doctest looks at all of them
        if doctest.testmod(importlib.import_module(module)).failed:
            failed.append(module)
    assert failed == []
