"""The cache on disk: what is found again, what is refused, what is removed."""

from __future__ import annotations

import os
import pickle
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from bidwright.runtime import cache as cache_module
from bidwright.runtime.cache import Cache, cache_folder, recorded, write_packaged

CACHE = Cache("things", most=3)
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="modes and owners are those of POSIX")


@pytest.fixture(autouse=True)
def _folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use empty folders for the cache and for the secret."""
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache_module, "_state_folder", lambda: tmp_path / "state")


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """Return the file of the secret."""
    return tmp_path / "state" / "cache.secret"


def entry(key: str) -> Path:
    return cache_folder() / f"things.{key}.entry"


def forget_secret() -> None:
    """Act like a process that has just started."""
    cache_module._secret.cache_clear()


class Trap:
    """An object with a pickle that creates a folder when it is decoded."""

    def __init__(self, path: Path) -> None:
        """Choose the folder."""
        self._path = path

    def __reduce__(self) -> tuple[object, tuple[str, int]]:
        """Be decoded by a call that creates it."""
        return os.mkdir, (str(self._path), 0o700)


def test_a_value_is_found_again() -> None:
    value = {"a": (1, 2), "b": [frozenset({3})]}
    assert CACHE.read("k1", dict) is None
    CACHE.write("k1", value)
    assert CACHE.read("k1", dict) == value
    forget_secret()
    assert CACHE.read("k1", dict) == value
    assert CACHE.read("k2", dict) is None
    assert CACHE.read("k1", list) is None, "of another type"


def test_a_planted_entry_runs_nothing(tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    hostile = pickle.dumps(Trap(trap))
    pickle.loads(hostile)
    assert trap.exists(), "where it is decoded it does run"
    trap.rmdir()
    CACHE.write("k1", "good")
    good = entry("k1").read_bytes()
    for planted in (hostile, bytes(32) + hostile, good[:32] + hostile, good + hostile):
        entry("k1").write_bytes(planted)
        assert CACHE.read("k1", object) is None
        assert CACHE.newest(object) is None
        assert not trap.exists()


def test_an_entry_signed_with_the_secret_of_another_user_runs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap = tmp_path / "trap"
    with monkeypatch.context() as other:
        other.setattr(cache_module, "_state_folder", lambda: tmp_path / "other")
        CACHE.write("k1", Trap(trap))
    assert entry("k1").exists()
    assert CACHE.read("k1", object) is None
    assert not trap.exists()


def test_an_entry_does_not_count_under_another_name() -> None:
    CACHE.write("k1", "one")
    entry("k2").write_bytes(entry("k1").read_bytes())
    assert CACHE.read("k2", str) is None
    assert CACHE.read("k1", str) == "one"


def test_entries_of_another_version_of_python_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    CACHE.write("k1", "one")
    monkeypatch.setattr("sys.version", "4.0")
    assert CACHE.read("k1", str) is None


@POSIX
def test_the_secret_is_for_its_owner_only(secret: Path) -> None:
    CACHE.write("k1", "one")
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert len(secret.read_bytes()) == 32
    assert [each.name for each in secret.parent.iterdir()] == ["cache.secret"]


@POSIX
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o666])
def test_a_secret_that_others_can_read_or_write_is_replaced(secret: Path, mode: int) -> None:
    CACHE.write("k1", "one")
    known = secret.read_bytes()
    secret.chmod(mode)
    forget_secret()
    assert CACHE.read("k1", str) is None
    assert secret.read_bytes() != known
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600


@POSIX
def test_a_secret_behind_a_link_is_replaced(secret: Path, tmp_path: Path) -> None:
    CACHE.write("k1", "one")
    elsewhere = secret.rename(tmp_path / "elsewhere")
    secret.symlink_to(elsewhere)
    forget_secret()
    assert CACHE.read("k1", str) is None
    assert not secret.is_symlink()


@POSIX
def test_a_secret_of_another_user_is_not_used(
    secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    CACHE.write("k1", "one")
    forget_secret()
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    assert CACHE.read("k1", str) is None
    CACHE.write("k2", "two")
    assert not entry("k2").exists()


def test_without_a_place_for_the_secret_nothing_is_cached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr(cache_module, "_state_folder", lambda: tmp_path / "file")
    CACHE.write("k1", "one")
    assert not entry("k1").exists()
    assert CACHE.read("k1", str) is None


def test_processes_that_start_together_agree_on_one_secret(tmp_path: Path, secret: Path) -> None:
    code = (
        "import sys, pathlib; from bidwright.runtime import cache; "
        f"print(cache._secret(pathlib.Path({str(secret.parent)!r})).hex())"
    )
    workers = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    found = {worker.communicate()[0].strip() for worker in workers}
    assert found == {secret.read_bytes().hex()}


def test_the_entries_unused_for_longest_are_removed() -> None:
    for number in range(5):
        CACHE.write(f"k{number}", number)
        os.utime(entry(f"k{number}"), (number, number))
    assert sorted(each.name for each in cache_folder().iterdir()) == [
        f"things.k{number}.entry" for number in (2, 3, 4)
    ]
    assert CACHE.read("k2", int) == 2, "reading counts as use"
    CACHE.write("k5", 5)
    assert entry("k2").exists()
    assert not entry("k3").exists()
    os.utime(entry("k5"), (10, 10))
    assert CACHE.newest(int) == 2


def test_the_cache_folder_is_that_of_the_platform(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache_folder() == Path(os.environ["BIDWRIGHT_CACHE"])
    monkeypatch.delenv("BIDWRIGHT_CACHE")
    if sys.platform == "linux":
        monkeypatch.setenv("XDG_CACHE_HOME", "/elsewhere")
        assert cache_folder() == Path("/elsewhere/bidwright")
        monkeypatch.delenv("XDG_CACHE_HOME")
        assert cache_folder() == Path.home() / ".cache" / "bidwright"
    else:
        assert cache_folder().is_relative_to(Path.home())


def test_a_secret_that_another_process_has_just_made_stays(secret: Path) -> None:
    cache_module._make_secret(secret)
    first = secret.read_bytes()
    cache_module._make_secret(secret)
    assert secret.read_bytes() == first
    secret.write_bytes(b"too short")
    cache_module._make_secret(secret)
    assert len(secret.read_bytes()) == len(first)


# ------------------------------------------------- a folder that others can write to


@POSIX
def test_an_entry_is_never_written_through_a_link(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("thesis", encoding="utf-8")
    cache_folder().mkdir()
    entry("k").symlink_to(precious)
    assert CACHE.read("k", str) is None
    CACHE.write("k", "value")
    assert precious.read_text(encoding="utf-8") == "thesis"
    assert not entry("k").is_symlink()
    assert CACHE.read("k", str) == "value"


@POSIX
def test_a_link_to_an_entry_is_no_entry(tmp_path: Path) -> None:
    CACHE.write("k", "value")
    moved = tmp_path / "moved"
    entry("k").rename(moved)
    entry("k").symlink_to(moved)
    assert CACHE.read("k", str) is None
    assert CACHE.newest(str) is None


@POSIX
@pytest.mark.parametrize("kind", ["pipe", "zero", "loop", "sparse", "unreadable"])
def test_what_is_no_entry_is_replaced_at_once(kind: str) -> None:
    path = entry("k")
    cache_folder().mkdir()
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "sparse":
        with path.open("wb") as file:
            file.truncate(8_000_000_000)
    elif kind == "unreadable":
        path.touch(mode=0)
    else:
        path.symlink_to("/dev/zero" if kind == "zero" else path)
    assert CACHE.read("k", str) is None
    assert CACHE.newest(str) is None
    CACHE.write("k", "value")
    assert CACHE.read("k", str) == "value"


def test_a_folder_of_the_name_of_an_entry_means_only_that_nothing_is_kept() -> None:
    entry("k").mkdir(parents=True)
    assert CACHE.read("k", str) is None
    CACHE.write("k", "value")
    assert CACHE.read("k", str) is None
    assert os.listdir(cache_folder()) == [entry("k").name]


@POSIX
def test_a_secret_that_is_a_pipe_or_a_link_is_made_anew(secret: Path, tmp_path: Path) -> None:
    secret.parent.mkdir()
    os.mkfifo(secret)
    CACHE.write("k", "value")
    assert CACHE.read("k", str) == "value"
    other = tmp_path / "other"
    secret.rename(other)
    secret.symlink_to(other)
    forget_secret()
    assert CACHE.read("k", str) is None
    assert not secret.is_symlink()


# ---------------------------------------------------------------------- the package


@pytest.fixture
def packaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the package's entries, with one of the key `k1`."""
    folder = tmp_path / "packaged"
    monkeypatch.setattr(cache_module, "_packaged_folder", lambda: folder)
    with recorded() as entries:
        CACHE.write("k1", {"packed": 1})
    write_packaged(folder, entries)
    entry("k1").unlink()
    return folder


@pytest.mark.usefixtures("packaged")
def test_entries_of_the_package_are_read_without_a_secret(
    secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget_secret()
    secret.unlink()
    monkeypatch.setattr(cache_module, "_make_secret", lambda file: None)
    assert CACHE.read("k1", dict) == {"packed": 1}
    assert CACHE.newest(dict) == {"packed": 1}
    assert not secret.exists()
    assert not entry("k1").exists()


@pytest.mark.usefixtures("packaged")
def test_of_the_package_only_what_has_key_kind_and_type_is_used() -> None:
    assert CACHE.read("k2", dict) is None
    assert CACHE.read("k1", list) is None
    assert Cache("others", most=3).read("k1", dict) is None
    assert Cache("thing", most=3).newest(dict) is None


@pytest.mark.usefixtures("packaged")
def test_what_was_written_here_is_used_before_what_comes_with_the_package() -> None:
    CACHE.write("k1", {"written": 2})
    assert CACHE.read("k1", dict) == {"written": 2}
    CACHE.write("k2", {"written": 3})
    assert CACHE.newest(dict) == {"written": 3}


@pytest.mark.parametrize("content", [b"", b"x", b"\x80\x05."])
def test_a_damaged_entry_of_the_package_is_ignored(packaged: Path, content: bytes) -> None:
    (packaged / entry("k1").name).write_bytes(content)
    assert CACHE.read("k1", dict) is None
    assert CACHE.newest(dict) is None


def test_what_is_read_is_recorded_as_what_is_written() -> None:
    CACHE.write("k1", {"a": 1})
    with recorded() as entries:
        CACHE.read("k1", dict)
        CACHE.read("k2", dict)
        CACHE.write("k3", {"b": 2})
    assert {name: pickle.loads(data) for name, data in entries.items()} == {
        entry("k1").name: {"a": 1},
        entry("k3").name: {"b": 2},
    }
