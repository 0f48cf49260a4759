"""The long tests that a change touches, and the list of faults by hand."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from bidwright.tests.scripts import script

ROOT = Path(__file__).parents[1]


changed = script("changed")
TEST = '''"""A test."""
import pytest
from bidwright.kb.logic import bounds

@pytest.mark.system
def test_long() -> None:
    assert {result}
'''


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a small tree with one long test."""
    texts = {
        "__init__.py": "",
        "kb/__init__.py": "",
        "kb/logic/__init__.py": "",
        "kb/logic/bounds.py": "from bidwright.bridge import cards\n",
        "kb/loading/__init__.py": "",
        "bridge/__init__.py": "",
        "bridge/cards.py": "SUITS = 4\n",
        "match/__init__.py": "",
        "match/play.py": "from bidwright.kb.loading import nothing\n",
        "systems/sayc.bid": 'system sayc "SAYC"\n',
        "tests/conftest.py": "",
        "tests/kb/test_short.py": "def test_short() -> None: ...\n",
        "tests/kb/test_long.py": TEST.format(result="True"),
    }
    for name, text in texts.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(changed, "ROOT", tmp_path)
    for kept in (changed._rooms, changed._named_by, changed.inputs, changed._hash_of):
        kept.cache_clear()
    return tmp_path


def _hash(test: str) -> str:
    for kept in (changed._rooms, changed._named_by, changed.inputs, changed._hash_of):
        kept.cache_clear()
    return str(changed.key(test, "system"))


def test_files_with_long_tests_are_found_by_their_marks(tree: Path) -> None:
    assert changed.tests_marked(["system"]) == ["tests/kb/test_long.py"]
    assert changed.tests_marked(["slow"]) == []


def test_inputs_are_what_a_test_imports_and_what_that_imports(tree: Path) -> None:
    assert changed.inputs("tests/kb/test_long.py") >= {"kb/logic", "bridge"}
    assert not changed.inputs("tests/kb/test_long.py") & {"match", "systems", "kb/loading"}


def test_whatever_loads_files_depends_on_the_systems(tree: Path) -> None:
    test = tree / "tests" / "kb" / "test_long.py"
    test.write_text("from bidwright.match import play  # mark.system\n", encoding="utf-8")
    assert changed.inputs("tests/kb/test_long.py") >= {"match", "kb/loading", "systems"}


@pytest.mark.parametrize(
    ("file", "touched"),
    [
        ("bridge/cards.py", True),
        ("kb/logic/bounds.py", True),
        ("tests/conftest.py", True),
        ("tests/kb/test_long.py", True),
        ("tests/kb/test_short.py", False),
        ("match/play.py", False),
        ("systems/sayc.bid", False),
    ],
)
def test_the_hash_changes_with_the_inputs_alone(tree: Path, file: str, touched: bool) -> None:
    before = _hash("tests/kb/test_long.py")
    path = tree / file
    path.write_text(f"{path.read_text(encoding='utf-8')}\n# more\n", encoding="utf-8")
    assert (_hash("tests/kb/test_long.py") != before) is touched
    assert changed._touches("tests/kb/test_long.py", [file]) is touched


def test_what_was_green_is_left_out_until_it_changes(tree: Path) -> None:
    test, file = "tests/kb/test_long.py", tree / "green.json"
    record = changed.Record.read(file)
    record.add(test, _hash(test), 12.0)
    gone = tree / "tests" / "kb" / "test_gone.py"
    gone.write_text(TEST.format(result="True"), encoding="utf-8")
    record.add("tests/kb/test_gone.py", "0", 1.0)
    gone.unlink()
    again = changed.Record.read(file)
    assert again.seconds[test] == 12.0
    assert changed.wanted_tests([test], "system", again)[0] == []
    (tree / "bridge" / "cards.py").write_text("SUITS = 5\n", encoding="utf-8")
    _hash(test)
    assert changed.wanted_tests([test], "system", again)[0] == [test]


def test_what_failed_or_is_near_the_change_comes_first_and_the_shortest_of_these(
    tree: Path,
) -> None:
    names = [f"tests/kb/test_{name}.py" for name in ("failed", "slow", "short", "own", "new")]
    failed, slow, short, own, new = names
    record = changed.Record(tree / "green.json")
    for name, seconds in zip(names, (50.0, 40.0, 2.0, 30.0, None), strict=True):
        (tree / name).write_text(TEST.format(result="True"), encoding="utf-8")
        if seconds is not None:
            record.add(name, "0", seconds)
    (tree / own).write_text(TEST.format(result="1"), encoding="utf-8")
    (tree / "bridge" / "cards.py").write_text("SUITS = 5\n", encoding="utf-8")  # far from all
    record.add_failed(failed)
    _hash(own)
    again = changed.Record.read(tree / "green.json")
    assert changed.in_order(names, again) == [failed, own, new, short, slow]
    again.add(failed, "0", 1.0)
    assert changed.in_order([slow, failed], again) == [failed, slow]
    assert again.failed == set()


def test_a_damaged_record_is_none(tree: Path) -> None:
    file = tree / "green.json"
    for text in ("", "[]", '{"green": 3}'):
        file.write_text(text, encoding="utf-8")
        assert changed.Record.read(file).green == {}


def test_what_does_not_fit_into_the_time_is_left(tree: Path) -> None:
    test = "tests/kb/test_long.py"
    record = changed.Record(tree / "green.json", seconds={test: 100.0})
    assert changed.run(test, ["system"], record, time.monotonic() + 50).status == "left"
    assert record.green == {}


@pytest.mark.parametrize(("result", "status"), [("True", "green"), ("False", "failed")])
def test_only_what_passes_is_green(tree: Path, result: str, status: str) -> None:
    test = "tests/kb/test_long.py"
    text = f"import pytest\n\n@pytest.mark.system\ndef test_long() -> None:\n    assert {result}\n"
    (tree / test).write_text(text, encoding="utf-8")
    record = changed.Record(tree / "green.json")
    assert changed.run(test, ["system"], record, float("inf")).status == status
    assert (test in record.green) is (status == "green")


def test_faults_have_their_places(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["mutants.py", "--check"])
    status = script("mutants").main()
    printed = capsys.readouterr().out
    assert status == 0, printed
    assert int(printed.splitlines()[-1].split()[0]) >= 60


def test_results_of_faults_are_kept_beside_those_that_were_not_tried() -> None:
    faults = script("mutants")
    first, second, *_ = map(str, faults.mutants())
    page = faults.recorded("", {first: "killed", second: "survived"})
    assert f"- survived  {second}\n" in page
    page = faults.recorded(page, {second: "killed"})
    assert f"- killed    {first}\n- killed    {second}\n" in page
    assert "\n2 of 2 killed.\n" in page
