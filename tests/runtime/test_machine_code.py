"""Machine code of loops: shared by copies of the same text, never by texts that differ."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

from bidwright.runtime import cache as cache_module
from bidwright.runtime import machine_code
from bidwright.runtime.cache import Cache, recorded

TEXT = """\
from bidwright.runtime.jit import jit

from bidwright_loops_constants import FACTOR

@jit
def scaled(number):
    return FACTOR * number
"""


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use an empty store with a secret of its own."""
    folder = tmp_path / "cache"
    monkeypatch.setattr(machine_code, "_STORE", Cache("loops", 9, folder, packable=False))
    monkeypatch.setattr(cache_module, "_state_folder", lambda: tmp_path / "state")
    return folder


def loop_of(folder: Path, monkeypatch: pytest.MonkeyPatch, factor: int = 3) -> Any:  # noqa: ANN401
    """Return the compiled loop of a module in a folder, made there with its constants."""
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    (folder / "bidwright_loops_constants.py").write_text(f"FACTOR = {factor}\n")
    (folder / "bidwright_loops.py").write_text(TEXT)
    for name in ("bidwright_loops_constants", "bidwright_loops"):
        spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, module)
        spec.loader.exec_module(module)
    return module.scaled


def hits(loop: Any) -> int:  # noqa: ANN401
    """Return the number of times that machine code came from the store."""
    return sum(loop.stats.cache_hits.values())


def test_a_copy_with_the_same_text_does_not_compile_again(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = loop_of(tmp_path / "first", monkeypatch)
    assert (first(5), hits(first)) == (15, 0)
    assert len(list(store.iterdir())) == 1
    second = loop_of(tmp_path / "second", monkeypatch)
    assert (second(5), hits(second)) == (15, 1)
    assert (second(0.5), hits(second)) == (1.5, 1)
    assert len(list(store.iterdir())) == 2
    other = loop_of(tmp_path / "third", monkeypatch, factor=4)  # a constant of another module
    assert (other(5), hits(other)) == (20, 0)


def test_machine_code_of_somebody_else_is_not_run(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop_of(tmp_path / "first", monkeypatch)(5)
    monkeypatch.setattr(cache_module, "_state_folder", lambda: tmp_path / "another")
    second = loop_of(tmp_path / "second", monkeypatch)
    assert (second(5), hits(second)) == (15, 0)
    (entry,) = store.iterdir()
    entry.write_bytes(entry.read_bytes()[:-1])
    third = loop_of(tmp_path / "third", monkeypatch)
    assert (third(5), hits(third)) == (15, 0)


def test_machine_code_never_comes_with_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with recorded() as entries:
        loop_of(tmp_path / "first", monkeypatch)(5)
        loop_of(tmp_path / "second", monkeypatch)(5)
    assert entries == {}
