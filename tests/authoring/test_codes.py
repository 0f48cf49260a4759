"""Every code is explained, by a file that shows it and one that does not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bidwright.authoring.checking.system_report import check_system
from bidwright.authoring.codes import (
    CodeMeaning,
    ShownFile,
    code_meanings,
    codes_like,
    meaning_of_code,
)
from bidwright.authoring.lint.catalogue import LINTS
from bidwright.bridge.errors import InvalidError

ROOT = Path(__file__).parents[2]
MEANINGS = code_meanings()
OF_FILES = [each for each in MEANINGS.values() if each.page == "messages.md"]


def test_every_code_of_the_program_is_explained_once() -> None:
    folders = ("kb", "authoring", "editor", "inference")
    texts = [path.read_text(encoding="utf-8") for each in folders for path in _sources(each)]
    used = {code for text in texts for code in re.findall(r'"([EWI]\d{3})"', text)}
    assert {*MEANINGS} == used | {*LINTS}
    assert not {each.code for each in OF_FILES} & {*LINTS}


def _sources(folder: str) -> list[Path]:
    return [*(ROOT / folder).rglob("*.py"), *(ROOT / folder).rglob("*.toml")]


def test_codes_are_listed_by_their_beginning() -> None:
    listed = codes_like("e2")
    assert [each.code for each in listed] == sorted(each.code for each in listed)
    assert {each.code for each in listed} == {code for code in MEANINGS if code.startswith("E2")}
    with pytest.raises(InvalidError, match="there is no code that begins with E9"):
        codes_like("E9")


def written(sample: ShownFile, meaning: CodeMeaning, folder: Path) -> Path:
    """Write a sample, and the files beside it; return its path."""
    for name, text in meaning.others.items():
        (folder / name).write_text(text, encoding="utf-8")
    path = folder / "system.bid"
    count, _, what = sample.how.partition(" ")
    data = sample.text.encode()
    if what == "times":
        data = b"opening\n" + data * int(count)
    elif what == "files":
        lines = [f"include part{number}\n" for number in range(int(count))]
        for number in range(int(count)):
            (folder / f"part{number}.bid").write_text("", encoding="utf-8")
        data = "".join(lines).encode()
    elif sample.how == "not in UTF-8":
        data = data.replace(b"?", b"\xe9")
    elif sample.how == "control":
        data = data.replace(b"?", b"\x07")
    else:
        assert not sample.how, sample.how
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    "meaning",
    [
        # Samples that include a whole system take seconds each.
        pytest.param(
            each,
            id=each.code,
            marks=[pytest.mark.system] * ("include sayc" in each.wrong.text + each.right.text),
        )
        for each in OF_FILES
    ],
)
def test_first_file_shows_the_code_and_the_second_one_nothing(
    meaning: CodeMeaning, tmp_path: Path
) -> None:
    wrong = check_system(str(written(meaning.wrong, meaning, tmp_path)))
    assert meaning.code in {each.code for each in wrong.problems}
    right = check_system(str(written(meaning.right, meaning, tmp_path)))
    assert [str(each) for each in right.problems] == []


def test_text_has_title_words_and_both_files() -> None:
    text = meaning_of_code("e205").text()
    assert text == (
        "E205 a condition where a number is needed\n\n"
        "`balanced` holds or does not; there is nothing to count.\n\n"
        "Wrong:\n    opening\n      1NT balanced 1+, hcp 15..17\n\n"
        "Right:\n    opening\n      1NT balanced, hcp 15..17"
    )


def test_files_beside_the_two_are_shown() -> None:
    text = meaning_of_code("E304").text()
    assert "\n\nover_it.bid:\n    convention over_it(bid)" in text
    assert "\n\nWrong:\n    include over_it\n" in text


def test_what_is_no_code_is_refused() -> None:
    with pytest.raises(InvalidError, match="there is no code E299; near it are E2"):
        meaning_of_code("E299")
