"""Files of a wheel beside its modules: a system is opened and checked from them."""

import io
import pickle
import sys
import zlib
from pathlib import Path
from typing import NoReturn

import pytest

from bidwright.authoring.checking import stated
from bidwright.authoring.checking.packaging import pack_systems
from bidwright.authoring.checking.system_report import check_system
from bidwright.bridge.errors import InvalidError
from bidwright.kb.language import parser
from bidwright.kb.loading import compiled, incremental
from bidwright.kb.loading.compiled import open_system
from bidwright.runtime import cache as cache_module

SYSTEM = "sayc"


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the packed results of one system."""
    folder = tmp_path_factory.mktemp("build") / cache_module.PACKAGED
    pack_systems(folder, [SYSTEM])
    return folder


@pytest.fixture
def _installed(packed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read packed results, beside an empty cache folder."""
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache_module, "_packaged_folder", lambda: packed)


def _refused(*_: object, **__: object) -> NoReturn:
    raise AssertionError("worked out although it was packed")


@pytest.mark.system
@pytest.mark.usefixtures("_installed")
def test_a_packed_system_is_opened_and_checked_without_being_worked_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "compiled", _refused)
    monkeypatch.setattr(incremental.ReadOnce, "parse", _refused)
    monkeypatch.setattr(stated, "run_examples", lambda rules, left: [_refused() for _ in left])
    assert open_system(SYSTEM).name == SYSTEM
    assert check_system(SYSTEM).problems == []
    assert not list(tmp_path.glob("cache/*"))


@pytest.mark.system
@pytest.mark.usefixtures("_installed")
def test_what_was_packed_is_not_used_for_other_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = list(compiled._texts(SYSTEM))
    monkeypatch.setattr(compiled, "_texts", lambda name: [*texts, b"# changed"])
    monkeypatch.setattr(compiled, "_compile", lambda name: _refused())
    with pytest.raises(AssertionError, match="worked out"):
        open_system(SYSTEM)


@pytest.mark.system
@pytest.mark.usefixtures("_installed")
def test_the_tables_of_the_parser_are_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    parser._machinery.cache_clear()
    monkeypatch.setattr(parser, "_new_parser", _refused)
    assert parser.parse(f'system {SYSTEM} "title"\n', "a.bid")[1] == []


class _Classes(pickle.Unpickler):
    """Reads a pickle, and keeps the modules of all that it names."""

    def __init__(self, data: bytes) -> None:
        super().__init__(io.BytesIO(data))
        self.modules: set[str] = set()

    def find_class(self, module_name: str, global_name: str, /) -> object:
        self.modules.add(module_name.partition(".")[0])
        return super().find_class(module_name, global_name)


@pytest.mark.system
def test_nothing_is_packed_that_versions_of_other_packages_read_differently(packed: Path) -> None:
    for file in packed.iterdir():
        reader = _Classes(zlib.decompress(file.read_bytes()))
        reader.load()
        assert reader.modules - sys.stdlib_module_names <= {"bidwright"}, file.name


def test_a_name_of_no_system_is_refused_before_anything_is_packed(tmp_path: Path) -> None:
    with pytest.raises(InvalidError, match="sacy is not packed: expected one of acol, "):
        pack_systems(tmp_path / "packed", [SYSTEM, "sacy"])
    assert not list(tmp_path.iterdir())
