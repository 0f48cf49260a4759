"""Compiled systems on disk: found again, made anew when a source changes, never in the way."""

from __future__ import annotations

import os
import pickle
import shutil
from hashlib import sha256
from pathlib import Path

import pytest

from bidwright.bridge.auction import parse_auction
from bidwright.kb.loading import compiled as compiled_systems
from bidwright.kb.loading.compiled import BrokenSystemError, _texts, open_system, source_key
from bidwright.kb.loading.load import UnknownSystemError
from bidwright.kb.loading.search_path import systems_root
from bidwright.kb.logic.public_state import PublicState
from bidwright.kb.rules.decision_list import ANY_HANDS
from bidwright.kb.rules.rulebase import RuleBase

MINI = Path(__file__).parents[2] / "systems" / "mini.bid"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty cache folder."""
    path = tmp_path / "cache"
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(path))
    return path


def entries(folder: Path) -> list[Path]:
    """Return the compiled systems in a cache folder."""
    return list(folder.glob("rules_*"))


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the systems that are compiled, as they are."""
    names: list[str] = []
    original = compiled_systems._compile

    def compile_(name: str | Path) -> RuleBase:
        names.append(str(name))
        return original(name)

    monkeypatch.setattr(compiled_systems, "_compile", compile_)
    return names


def decision(rules: RuleBase) -> list[tuple[str, str]]:
    state = PublicState(parse_auction("1NT P"))
    return [(each.rule.id, str(each.call)) for each in rules.decide(state, ANY_HANDS).instances]


def test_a_system_is_compiled_once(folder: Path, compiled: list[str]) -> None:
    first, second = open_system(MINI), open_system(MINI)
    assert compiled == [str(MINI)]
    assert decision(first) == decision(second)
    assert [rule.id for rule in first.rules] == [rule.id for rule in second.rules]
    assert first.examples == second.examples
    assert len(entries(folder)) == 1


def test_a_folder_with_the_name_of_a_system_is_another_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`sayc` is the shipped system, `Path("sayc")` a file in the current folder."""
    monkeypatch.chdir(tmp_path)
    assert source_key("sayc") != source_key(Path("sayc"))
    assert source_key("sayc") != source_key("acol")
    assert source_key(Path("sayc")) == source_key(Path("./sayc"))


def test_a_changed_source_is_compiled_again(
    folder: Path, compiled: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "mini.bid"
    shutil.copy(MINI, path)
    assert open_system(path).title == "Mini Standard"
    path.write_text(path.read_text().replace("Mini Standard", "Mini Changed"))
    assert open_system(path).title == "Mini Changed"
    assert len(compiled) == 2


def test_a_changed_include_is_compiled_again(
    folder: Path, compiled: list[str], tmp_path: Path
) -> None:
    main, part = tmp_path / "system.bid", tmp_path / "part.bid"
    main.write_text('system two "Two files"\ninclude part\n')
    part.write_text("opening\n  1NT hcp 15..17\n")
    assert [str(rule.span) for rule in open_system(main).rules] == [f"{part}:2"]
    part.write_text("opening\n  1NT hcp 15..17\n  1S spades 5+\n")
    again = open_system(main)
    assert len(again.rules) == 2
    assert len(compiled) == 2
    assert again.file_hashes == {
        str(file): sha256(file.read_bytes()).hexdigest() for file in (part, main)
    }


def test_old_versions_of_a_system_are_forgotten(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "mini.bid"
    for number in range(7):
        path.write_text(f'system mini "Version {number}"\n\nopening\n  pass\n')
        assert open_system(path).title == f"Version {number}"
    assert len(entries(folder)) == 4
    assert open_system(path).title == "Version 6"


@pytest.mark.parametrize("content", [b"", b"no pickle", pickle.dumps("not a system")])
def test_a_broken_cache_file_is_ignored_and_rewritten(
    folder: Path, compiled: list[str], content: bytes
) -> None:
    first = open_system(MINI)
    (entry,) = entries(folder)
    good = entry.read_bytes()
    entry.write_bytes(content)
    assert open_system(MINI).title == "Mini Standard"
    assert len(compiled) == 2
    assert entry.read_bytes() != content
    assert open_system(MINI).fingerprint == first.fingerprint
    assert len(compiled) == 2
    entry.write_bytes(good[: len(good) // 2])
    assert open_system(MINI).title == "Mini Standard"
    assert len(entries(folder)) == 1
    assert {each.suffix for each in folder.iterdir()} == {".entry"}


def test_a_cache_that_cannot_be_written_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_text("in the way")
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(file))
    assert open_system(MINI).title == "Mini Standard"


def test_a_system_with_errors_is_an_exception_and_not_kept(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "bad.bid"
    path.write_text('system bad "Bad"\n\nopening\n  1NT hpc 15..17\n')
    with pytest.raises(BrokenSystemError) as caught:
        open_system(path)
    assert [each.code for each in caught.value.diagnostics] == ["E201"]
    assert f"{path}:4:7: E201" in str(caught.value)
    assert not entries(folder)


def test_an_unknown_system_is_an_exception(folder: Path) -> None:
    with pytest.raises(UnknownSystemError):
        open_system("no such system")


def test_a_planted_rule_base_runs_nothing(
    folder: Path, compiled: list[str], tmp_path: Path
) -> None:
    open_system(MINI)
    (entry,) = entries(folder)
    trap = tmp_path / "trap"
    planted = Trap(trap)
    assert pickle.loads(pickle.dumps(planted)) is None
    assert trap.exists(), "the planted pickle does run code where it is decoded"
    trap.rmdir()
    for data in (pickle.dumps(planted), entry.read_bytes()[:32] + pickle.dumps(planted)):
        entry.write_bytes(data)
        assert open_system(MINI).title == "Mini Standard"
        assert not trap.exists()


class Trap:
    """An object with a pickle that creates a folder when it is decoded."""

    def __init__(self, path: Path) -> None:
        """Choose the folder."""
        self._path = path

    def __reduce__(self) -> tuple[object, tuple[str, int]]:
        """Be decoded by a call that creates it."""
        return os.mkdir, (str(self._path), 0o700)


def test_a_file_deep_in_folders_counts(folder: Path, compiled: list[str], tmp_path: Path) -> None:
    """Included files are followed through their own includes, however deep they stand."""
    deep = tmp_path / "lib" / "shared" / "answers"
    deep.mkdir(parents=True)
    first = tmp_path / "mine.bid"
    first.write_text(
        'system mine "Mine"\ninclude lib/part\nopening\n  1NT hcp 15..17\n  pass\n',
        encoding="utf-8",
    )
    (tmp_path / "lib" / "part.bid").write_text("include shared/answers/all\n", encoding="utf-8")
    last = deep / "all.bid"
    last.write_text("after 1NT (P)\n  2C hcp 8+\n  pass\n", encoding="utf-8")
    before = decision(open_system(first))
    open_system(first)
    last.write_text("after 1NT (P)\n  2D hcp 8+\n  pass\n", encoding="utf-8")
    after = decision(open_system(first))
    assert compiled == [str(first)] * 2
    assert ([call for _, call in before], [call for _, call in after]) == (["2C", "P"], ["2D", "P"])


def test_the_key_of_a_system_does_not_tell_where_the_package_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Results that follow from the texts alone are the same on another machine."""
    monkeypatch.chdir(tmp_path)
    Path("own.bid").write_text('system own "Own"\n\ninclude sayc\ninclude extra\n')
    Path("extra.bid").write_text("include common/slam\n")
    root = str(systems_root()).encode()
    before = source_key("own.bid")
    assert not [text for text in _texts("own.bid") if text.startswith(root)]
    Path("extra.bid").write_text("include common/slam\n\n")
    assert source_key("own.bid") != before
