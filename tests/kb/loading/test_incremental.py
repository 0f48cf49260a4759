"""Systems loaded again are the same as without any kept result."""

from __future__ import annotations

import os
import pickle
import re
from dataclasses import fields
from pathlib import Path

import pytest

from bidwright.bridge.errors import InvalidError
from bidwright.kb.checks import check
from bidwright.kb.checks.condition_checks import ConditionChecker
from bidwright.kb.language import ast
from bidwright.kb.language.ast import Node
from bidwright.kb.language.parser import parse
from bidwright.kb.language.system import Located, System
from bidwright.kb.loading import incremental
from bidwright.kb.loading.incremental import Looks, ReadOnce, load_again
from bidwright.kb.loading.load import Files, Parsed, UnknownSystemError, load
from bidwright.runtime import cache
from bidwright.runtime import code as code_module

MAIN = """system a "A system"

let good(S) = top3(S) 2+

include part(over = 1NT)

opening
  1NT hcp 15..17, balanced
  1S spades 5+, good(S)
  pass
"""
PART = """convention part(over = 2NT, low = 8) "Part"

after over (P)
  2C hcp >= low; artificial, asks major
    2D; answers major
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty cache folder."""
    path = tmp_path / "cache"
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(path))
    return path


@pytest.fixture
def system(tmp_path: Path) -> Path:
    """Return the first file of a system of two."""
    path = tmp_path / "a" / "system.bid"
    path.parent.mkdir()
    path.write_text(MAIN, encoding="utf-8")
    (path.parent / "part.bid").write_text(PART, encoding="utf-8")
    return path


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the files that are parsed, as they are."""
    names: list[str] = []
    original = Files.parse

    def parse_(text: str, name: str) -> Parsed:
        names.append(Path(name).name)
        return original(text, name)

    monkeypatch.setattr(Files, "parse", staticmethod(parse_))
    return names


def trees(folder: Path) -> Path:
    (entry,) = folder.glob("trees.*")
    return entry


def test_files_that_did_not_change_are_not_parsed(
    folder: Path, system: Path, parsed: list[str]
) -> None:
    first = load_again(system)
    assert parsed == ["system.bid", "part.bid"]
    assert load_again(system) == first == load(system)
    assert parsed[2:] == ["system.bid", "part.bid"], "by 'load' alone, which keeps nothing"


@pytest.mark.parametrize(
    ("file", "old", "new", "codes"),
    [
        ("part.bid", "low = 8", "low = 9", []),
        ("part.bid", "hcp >= low", "hcp >= lo", ["E201"]),
        ("part.bid", "    2D; answers major\n", "", []),
        ("part.bid", "asks major", "asks minor", None),
        ("system.bid", "top3(S) 2+", "top3(S) 9+", None),
        ("system.bid", "let good", "let god", ["E201"]),
        ("system.bid", "over = 1NT", "over = 7NT", None),
        ("system.bid", "hcp 15..17,", "hcp 15..17,,", None),
        ("system.bid", '"A system"', '"Another"', []),
    ],
)
def test_a_changed_text_counts_at_once(
    folder: Path,
    system: Path,
    parsed: list[str],
    file: str,
    old: str,
    new: str,
    codes: list[str] | None,
) -> None:
    before = load_again(system)
    path = system.parent / file
    stat = path.stat()
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    del parsed[:]
    after = load_again(system)
    assert parsed == [file]
    assert after == load(system) != before
    if codes is not None:
        assert [each.code for each in after.diagnostics] == codes
    assert load_again(system) == after
    path.write_text(text, encoding="utf-8")
    assert load_again(system) == before


def test_a_file_that_is_gone_is_missed(folder: Path, system: Path) -> None:
    load_again(system)
    (system.parent / "part.bid").unlink()
    assert [each.code for each in load_again(system).diagnostics] == ["E301"]
    system.unlink()
    with pytest.raises(UnknownSystemError):
        load_again(system)


def test_what_other_code_kept_is_left_alone(
    folder: Path, system: Path, parsed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    load_again(system)
    monkeypatch.setattr(incremental, "code_key", lambda *_: "another version")
    del parsed[:]
    load_again(system)
    assert parsed == ["system.bid", "part.bid"]


def test_the_key_of_the_code_is_that_of_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "kb").mkdir()
    code = tmp_path / "kb" / "parse.py"
    code.write_text("one\n")
    monkeypatch.setattr(code_module, "files", lambda _: tmp_path)
    first = code_module.code_key.__wrapped__("kb")
    code.write_text("two\n")
    assert code_module.code_key.__wrapped__("kb") != first


@pytest.mark.parametrize("content", [b"", b"no pickle", pickle.dumps("trees"), None])
def test_a_damaged_entry_is_ignored_and_rewritten(
    folder: Path, system: Path, parsed: list[str], content: bytes | None
) -> None:
    first = load_again(system)
    entry = trees(folder)
    good = entry.read_bytes()
    entry.write_bytes(good[: len(good) // 2] if content is None else content)
    assert load_again(system) == first
    assert len(parsed) == 4
    assert trees(folder).stat().st_size > len(good) // 2
    assert load_again(system) == first
    assert len(parsed) == 4


def test_a_folder_that_cannot_be_written_is_done_without(
    tmp_path: Path, system: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_text("in the way")
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(file))
    assert load_again(system) == load(system)


def test_a_folder_that_may_only_be_read_is_read(
    folder: Path, system: Path, parsed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = load_again(system)
    before = sorted(folder.iterdir())

    def refuse(path: Path, **_: object) -> None:
        raise InvalidError(f"cannot write {path}: read-only")

    monkeypatch.setattr(cache, "replacing_name", refuse)
    assert load_again(system) == first
    assert len(parsed) == 2
    system.write_text(MAIN.replace("15..17", "15..18"), encoding="utf-8")
    assert load_again(system) == load(system) != first
    assert sorted(folder.iterdir()) == before


def test_two_systems_of_one_name_are_kept_apart(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    titles = []
    for title in ("One", "Two", "One", "Two"):
        (tmp_path / title).mkdir(exist_ok=True)
        monkeypatch.chdir(tmp_path / title)
        Path("system.bid").write_text(f'system a "{title}"\n\nopening\n  pass\n')
        titles.append(load_again("system.bid").title)
    assert titles == ["One", "Two", "One", "Two"]
    assert len(list(folder.glob("trees.*"))) == 2


@pytest.mark.system
def test_only_the_newest_systems_are_kept(folder: Path, tmp_path: Path) -> None:
    load_again("sayc")
    for number in range(10):
        path = tmp_path / f"s{number}.bid"
        path.write_text(f'system s{number} "S"\n\nopening\n  pass\n')
        load_again(path)
    assert len(list(folder.glob("trees.*"))) == 8
    assert len(list(folder.glob("packaged_trees.*"))) == 1, "which others do not displace"


@pytest.mark.system
def test_what_a_system_includes_of_the_package_is_not_parsed_again(
    folder: Path, tmp_path: Path, parsed: list[str]
) -> None:
    """Nor is anything found in it anew: a first look at a system is like a second one."""
    path = tmp_path / "mine.bid"
    path.write_text('system mine "Mine"\n\ninclude sayc(notrump = 12..14, rebid = 15..17)\n')
    without = load_again(path)
    trees(folder).unlink()
    load_again("sayc")
    del parsed[:]
    assert load_again(path) == without
    assert parsed == ["mine.bid"]


@pytest.mark.system
@pytest.mark.parametrize("included", ["sayc\ninclude bergen", "sayc(notrump = 12..14)"])
def test_a_system_that_changes_another_is_looked_at_where_it_differs(
    included: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither its layer nor other values have a statement looked at that stays as it was."""
    before = {plain(each.statement) for each in load_again("sayc").statements}
    assert len(before) > 1200
    looked: list[ast.Statement] = []
    original = check._look_at

    def look_at(located: Located, system: System, revalued: bool) -> object:
        looked.append(located.statement)
        return original(located, system, revalued)

    monkeypatch.setattr(check, "_look_at", look_at)
    path = tmp_path / "mine.bid"
    path.write_text(f'system mine "Mine"\n\ninclude {included}\n')
    system = load_again(path)
    differ = [each for each in system.statements if plain(each.statement) not in before]
    assert {plain(each.statement) for each in differ} <= {plain(each) for each in looked}
    assert 20 < len(differ) <= len(looked) < 150, "where a range has a name, it is written out"


@pytest.mark.system
def test_a_new_definition_has_only_what_uses_it_looked_at_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Letters that are no definitions do not make a condition depend on all that are."""
    load_again("sayc")
    looked: list[ast.Statement] = []
    original = check._conditions_in

    def conditions_in(located: Located, checker: ConditionChecker) -> object:
        looked.append(located.statement)
        return original(located, checker)

    monkeypatch.setattr(check, "_conditions_in", conditions_in)
    path = tmp_path / "mine.bid"
    text = 'system mine "Mine"\n\ninclude sayc\n\nlet handsome = hcp 12+\n\n'
    path.write_text(f"{text}after 1NT (P)\n  5C handsome\n  5D hansome\n")
    (problem,) = load_again(path).diagnostics
    assert problem.help == "did you mean 'handsome'?"
    assert len(looked) == 2


def plain(statement: ast.Statement) -> str:
    """Return a statement with all its places, in no layer."""
    return re.sub(r"layer=\d+", "", repr(statement)) + str(statement.span)


def test_modules_values_of_their_own_are_not_kept_as_the_systems(
    folder: Path, system: Path
) -> None:
    first = load_again(system)
    own = load_again(system, only_defaults=True)
    assert own == load(system, only_defaults=True) != first
    assert load_again(system) == first


def test_what_was_found_is_kept_with_the_statements(folder: Path, system: Path) -> None:
    load_again(system)
    looks = Looks.kept(system)
    files = ReadOnce()
    files.take(looks.trees)
    asked: list[str] = []
    recall, recall_faults = looks.memory.recall, looks.memory.recall_faults

    def told(kind: str, node: object, circumstances: object, find: object) -> object:
        return recall(kind, node, circumstances, lambda: asked.append(kind))  # type: ignore[arg-type]

    def told_of_faults(kind: str, node: object, circumstances: object, find: object) -> object:
        def fail() -> tuple[()]:
            asked.append(kind)
            return ()

        return recall_faults(kind, node, circumstances, fail)  # type: ignore[arg-type]

    looks.memory.recall = told  # type: ignore[method-assign, assignment]
    looks.memory.recall_faults = told_of_faults  # type: ignore[method-assign, assignment]
    load(system, files, looks.memory)
    assert not asked


def test_a_kept_tree_is_the_tree_places_and_all(folder: Path, system: Path) -> None:
    load_again(system)
    for name, tree in Looks.kept(system).trees.items():
        fresh, _ = parse(Path(name).read_text(encoding="utf-8"), name)
        assert fresh is not None
        assert tree.tree == fresh
        found = [(type(node), node.span) for node in _nodes(tree.tree)]
        assert found == [(type(node), node.span) for node in _nodes(fresh)]
        assert len({span.line for _, span in found}) > 3


def _nodes(node: object) -> list[Node]:
    if isinstance(node, tuple):
        return [each for item in node for each in _nodes(item)]
    if not isinstance(node, Node):
        return []
    return [node, *(each for f in fields(node) for each in _nodes(getattr(node, f.name)))]
