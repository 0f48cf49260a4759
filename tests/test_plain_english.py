"""Plain English: no folder has more docstrings, names and words of the house than it had."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

import pytest

from bidwright.tests.scripts import script

ROOT = Path(__file__).parents[1]


plain_english = script("plain_english")
Measure: TypeAlias = Any
"""The script's class, which type checkers do not see."""
TEXT = '''"""What a deal holds.

More.
"""

LIMIT = 3
"""The cards, of which three count."""


class Deal:
    """A deal."""

    size: int
    """How many cards a deal has."""


def leash(cards: list[int]) -> list[int]:
    """Return the cards who lead: told by a leash."""
    found = [each for each in cards]  # why
    for one in [kept for kept in found]:
        with open(one) as (_known, other):
            "What is no docstring."
    return found
'''


@pytest.fixture
def measure() -> Measure:
    words = {"leash": "KL penalty", "told": "given", "put aside": "overridden"}
    names = frozenset({"each", "found", "one", "kept", "known"})
    limits = {"a": {"names": 2, "words": 9}}
    return plain_english.Measure(names, words, limits)


def test_no_folder_is_above_its_limits() -> None:
    measure = plain_english.Measure.from_file()
    counts = plain_english.counts_of(measure, plain_english.modules())
    assert not measure.over(counts)


def test_scripts_have_no_faults() -> None:
    measure = plain_english.Measure.from_file()
    counts = plain_english.counts_of(measure, plain_english.modules(folders=["scripts"]))
    assert not measure.over(counts)


def test_no_docstring_beside_the_package_asks() -> None:
    measure = plain_english.Measure.from_file()
    folders = plain_english.modules(folders=plain_english.OUTSIDE)
    counts = plain_english.counts_of(measure, folders)
    asking = {
        folder: f"`scripts/plain_english.py --faults {folder}` lists them"
        for folder, count in counts.items()
        if count.questions or count.clauses
    }
    assert set(plain_english.OUTSIDE) <= counts.keys()
    assert not asking


def test_the_limits_are_of_folders_that_there_are() -> None:
    folders = plain_english.modules()
    assert not plain_english.Measure.from_file().limits.keys() - folders.keys()


def test_every_folder_that_is_a_floor_of_the_house_is_measured() -> None:
    floors = {floor for floor in script("house").FLOORS if (ROOT / floor).is_dir()}
    assert set(plain_english.FOLDERS) == floors


def test_faults_of_a_text(measure: Measure) -> None:
    faults = [(fault.kind, fault.line, fault.text) for fault in measure.faults(TEXT)]
    assert faults == [
        ("clauses", 1, "What a deal holds"),
        ("questions", 1, "What a deal holds"),
        ("clauses", 14, "How many cards a deal has"),
        ("questions", 14, "How many cards a deal has"),
        ("words", 17, "leash (KL penalty)"),
        ("clauses", 18, "Return the cards who lead"),
        ("words", 18, "told (given)"),
        ("words", 18, "leash (KL penalty)"),
        ("names", 19, "found"),
        ("names", 20, "one"),
        ("names", 21, "_known"),
    ]


def test_counts_of_a_text(measure: Measure) -> None:
    assert measure.count(TEXT) == plain_english.Count(
        lines=23,
        comments=1,
        docstrings=5,
        questions=2,
        clauses=3,
        targets=6,
        names=3,
        words=3,
    )


def test_keys_of_typed_dictionaries_are_no_names(measure: Measure) -> None:
    text = (
        "class A(TypedDict):\n    found: int\nclass B(A):\n    one: int\nclass C:\n    found: int\n"
    )
    assert [fault.line for fault in measure.faults(text) if fault.kind == "names"] == [6]


def test_keys_of_typed_dictionaries_that_extend_those_of_other_modules_are_no_names(
    measure: Measure,
) -> None:
    text = (
        "from bidwright.inference.explanation.json_form import BoundsValues, bounds_json\n"
        "class A(BoundsValues):\n    found: int\nclass B(bounds_json):\n    one: int\n"
    )
    assert [fault.line for fault in measure.faults(text) if fault.kind == "names"] == [5]


def test_a_name_has_words(measure: Measure) -> None:
    texts = [fault.text for fault in measure.faults("_put_aside = leash_b + leashb + PUT  # put\n")]
    assert texts == ["put aside (overridden)", "leash (KL penalty)"]


def test_a_count_above_its_limit_is_a_fault_and_a_new_folder_has_none(measure: Measure) -> None:
    counts = {
        "a": plain_english.Count(names=3, words=9),
        "b": plain_english.Count(words=1),
        "c": plain_english.Count(comments=4),
    }
    assert [text.partition(";")[0] for text in measure.over(counts)] == [
        "a: 3 names, at most 2",
        "b: 1 words, at most 0",
    ]


def test_limits_only_shrink(measure: Measure) -> None:
    counts = {"a": plain_english.Count(names=1, words=12), "b": plain_english.Count(words=1)}
    lowered = measure.lowered(counts)
    assert lowered == {
        "a": {"questions": 0, "clauses": 0, "names": 1, "words": 9},
        "b": {"questions": 0, "clauses": 0, "names": 0, "words": 0},
    }
    assert plain_english.written("names = []\n\n[limits]\nold\n", lowered) == (
        'names = []\n\n[limits]\n"a" = { questions = 0, clauses = 0, names = 1, words = 9 }\n'
    )
