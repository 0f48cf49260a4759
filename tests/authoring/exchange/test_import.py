"""Files of other notations become convention files; no line is dropped without a word."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bidwright.authoring.exchange.importer import Imported, import_file
from bidwright.authoring.exchange.records import BadFileError, Fate
from bidwright.cli import main
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.loading.load import load

Importer = Callable[[str, str], Imported]

NOTES = """\
#+TITLE: Club notes
These are our notes of last winter.

* Openings

1NT  15-17 bal
  2C  Stayman: 8+, 4cM; asks major, artificial, forcing
    2D  no 4cM
    2M  4+!M
  2D  trf to hearts
    2H  as asked
  2NT  inv+, relay
  3C  whatever you like
  (2H)
    X  10+ hcp, 4!S
    2S  5+!S, 5-9
      a good suit
1H  5+!H, 11-21
  2H  3+ support, 6-9
    3H  4!H, 12-14
  1C  5+!C

#SEAT 34
2S  6!S, 4-9
#SEAT 0

(1NT)
  X 16+
  2red 5+!M
"""

CONVENTIONS = """\
system notes "Club notes"
  source "imported from notes.bml"
# 2: These are our notes of last winter.
# 4: * Openings

opening
  1NT "15-17 bal" hcp 15..17, balanced
  1H "5+!H, 11-21" hearts 5+, hcp 11..21

after 1NT (P)
  2D "trf to hearts" hearts 5+; artificial, forcing
  2C "Stayman: 8+, 4cM; asks major, artificial, forcing" hcp 8+, hearts 4+ or spades 4+; \
convention "Stayman", asks major, artificial, forcing
  # 12: 1NT (P): 2NT  inv+, relay
  # 13: 1NT (P): 3C  whatever you like

after 1NT (P) 2C (P)
  2D "no 4cM" not (hearts 4+ or spades 4+)
  2M "4+!M" M 4+

after 1NT (P) 2D (P)
  2H "as asked"

after 1NT (2H)
  X "10+ hcp, 4!S" hcp 10+, spades 4
  # 16: 1NT (2H): 2S  5+!S, 5-9 a good suit

after 1H (P)
  2H "3+ support, 6-9" hearts 3+, hcp 6..9
  # 21: 1H (P): 1C  5+!C

after 1H (P) 2H (P)
  3H "4!H, 12-14" hearts 4, hcp 12..14

opening when seat 3|4
  2S "6!S, 4-9" spades 6, hcp 4..9

after (1NT)
  X "16+" hcp 16+
  2D "5+!M" M 5+
  2H "5+!M" M 5+
"""


@pytest.fixture
def imported(tmp_path: Path) -> Importer:
    def run(text: str, suffix: str = ".bml") -> Imported:
        file = tmp_path / f"notes{suffix}"
        file.write_text(text, encoding="utf-8")
        return import_file(file, "notes")

    return run


def _fates(found: Imported) -> dict[int, tuple[Fate, str]]:
    return {line.number: (line.fate, "; ".join(line.notes)) for line in found.report.lines}


def test_notes_become_a_convention_file(imported: Importer) -> None:
    found = imported(NOTES, ".bml")
    assert found.text == CONVENTIONS


def test_every_line_of_the_notes_is_accounted_for(imported: Importer) -> None:
    found = imported(NOTES, ".bml")
    assert [line.text for line in found.report.lines] == NOTES.splitlines()
    fates = _fates(found)
    assert {fate for fate, _ in fates.values()} == set(Fate) - {Fate.MODULE, Fate.OFF}
    assert fates[2] == (Fate.TEXT, "")
    assert fates[7] == (
        Fate.RULE,
        "fits 7.AKT72.AK86.965 as line 10 does (2D), which is rarer and comes first",
    )
    assert fates[10] == (Fate.RULE, "a transfer was read as five hearts or more")
    assert fates[12] == (Fate.TEXT, "it names no hands")
    assert fates[13] == (Fate.TEXT, "not understood: 'whatever you like'")
    assert fates[16] == fates[17] == (Fate.TEXT, "not understood: 'good suit'")
    assert fates[20] == (Fate.CONTRADICTION, "no hand makes it after 1H (line 18)")
    assert fates[21] == (
        Fate.CONTRADICTION,
        "1C is never a legal call after 1H (P) (E213)",
    )
    assert fates[23] == (Fate.CONTEXT, "")


def test_records_of_bss(imported: Importer) -> None:
    found = imported(
        "*00{Two bids}=NYYYYYY a summary\n"
        "001N=NYYYYYY215-17 balanced\n"
        "001S=NYYYYYY25811-21 hcp\n"
        "001H=NYYYYYY258good suit\n"
        "001NP2D=YYYYYYYA08transfer to hearts\n"
        "001SP2S=NYYYYYY5373+ support, 6-9, to play\n"
        "*001S2S=YYYYYYYA05minors 5-5\n"
        "001S2H=NYYYYYY058natural\n"
        "$ stock card\n",
        ".bss",
    )
    assert found.text == (
        'system notes "Two bids"\n'
        '  source "imported from notes.bss"\n'
        "# 1: *00{Two bids}=NYYYYYY a summary\n"
        "\n"
        "opening\n"
        '  1NT "15-17 balanced" hcp 15..17, balanced; nonforcing\n'
        '  1S "11-21 hcp" hcp 11..21, spades 5+; nonforcing\n'
        "  # 4: 001H=NYYYYYY258good suit\n"
        "\n"
        "after 1NT (P)\n"
        '  2D "transfer to hearts" hearts 5+; artificial, forcing\n'
        "\n"
        "after 1S (P)\n"
        '  2S "3+ support, 6-9, to play" spades 3+, hcp 6..9; signoff\n'
        "\n"
        "after (1S)\n"
        '  2S "minors 5-5" clubs 5+, diamonds 5+; artificial\n'
        "\n"
        "# 8: 1S: 001S2H=NYYYYYY058natural\n"
        "# 9: $ stock card\n"
    )
    fates = _fates(found)
    assert fates[3] == (
        Fate.RULE,
        "5+ spades: from the record's lengths; "
        "fits KJT64.Q6.AJ9.A95 as line 2 does (1NT), which is rarer and comes first",
    )
    assert fates[4] == (Fate.TEXT, "not understood: 'good suit'")
    assert fates[6][0] is Fate.CONTRADICTION
    assert fates[6][1] == (
        "the record says forcing, its text signoff; "
        "the record says 3-7 spades, its text 3+; the text counts"
    )


def test_copied_lines_and_included_files(tmp_path: Path) -> None:
    (tmp_path / "more.bml").write_text("(1D)\n  1S  5+!S\n", encoding="utf-8")
    file = tmp_path / "notes.bml"
    file.write_text(
        "1H  5+!H, 11+\n"
        "  #COPY raise\n"
        "  2H  3+!H, 6-9\n"
        "  #ENDCOPY\n"
        "1S  5+!S, 11+\n"
        "  #PASTE raise 2H=2S !H=!S\n"
        "#INCLUDE more.bml\n",
        encoding="utf-8",
    )
    found = import_file(file, "notes")
    assert 'after 1S (P)\n  2S "3+!S, 6-9" spades 3+, hcp 6..9\n' in found.text
    assert 'after (1D)\n  1S "5+!S" spades 5+\n' in found.text
    names = [(Path(line.file).name, line.number) for line in found.report.lines]
    assert names == [*(("notes.bml", n) for n in range(1, 8)), ("more.bml", 1), ("more.bml", 2)]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("../secret.txt", "a.bml:1: expected a file in the folder of the notes or below, got "),
        ("/etc/hosts", "a.bml:1: expected a file in the folder of the notes or below, got "),
        ("link.bml", "a.bml:1: expected a file in the folder of the notes or below, got "),
        ("pipe", "a.bml:1: expected a file at "),
        ("", "a.bml:1: expected a file at "),
        ("x" * 5_000, "a.bml:1: expected a file at "),
    ],
)
def test_notes_read_no_files_but_their_own(
    asked: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "secret.txt").write_text("mine", encoding="utf-8")
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "link.bml").symlink_to(tmp_path / "secret.txt")
    os.mkfifo(folder / "pipe")
    file = folder / "a.bml"
    file.write_text(f"#INCLUDE {asked}\n", encoding="utf-8")
    assert main(["import", str(file)]) == 2
    said = capsys.readouterr()
    assert message in said.err
    assert "mine" not in said.out


def test_notes_that_grow_without_end_are_given_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.bml"
    file.write_text("#COPY x\na\n#ENDCOPY\n#PASTE x" + " a=aa" * 60 + "\n", encoding="utf-8")
    assert main(["import", str(file)]) == 2
    assert "a.bml:4: expected replacements of 10,000 characters" in capsys.readouterr().err
    for k in range(19):
        (tmp_path / f"{k}.bml").write_text(f"#INCLUDE {k + 1}.bml\n" * 2, encoding="utf-8")
    (tmp_path / "19.bml").write_text("", encoding="utf-8")
    assert main(["import", str(tmp_path / "0.bml")]) == 2
    assert "expected at most 1,000 files to include" in capsys.readouterr().err
    lines = "#COPY x\n" + "a\n" * 1_000 + "#ENDCOPY\n" + "#PASTE x\n" * 200
    file.write_text(lines, encoding="utf-8")
    assert main(["import", str(file)]) == 2
    assert "expected at most 100,000 lines, with all that is pasted" in capsys.readouterr().err


def test_long_lines_are_not_quoted_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.bml"
    file.write_text("1C " + "a" * 9_000 + "\n", encoding="utf-8")
    assert main(["import", str(file), "-o", str(tmp_path / "a.bid")]) == 0
    assert max(map(len, capsys.readouterr().err.splitlines())) < 1_100


@pytest.mark.parametrize(
    "words", [["-o", "a.bml"], ["--report", "a.bml"], ["-o", "b", "--report", "./b"]]
)
def test_no_file_takes_the_place_of_another(
    words: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.bml").write_text("1C  12+ hcp\n", encoding="utf-8")
    assert main(["import", "a.bml", "--force", *words]) == 2
    assert "expected different files for FILE, --out and --report" in capsys.readouterr().err
    assert Path("a.bml").read_text(encoding="utf-8") == "1C  12+ hcp\n"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.bml", "1C  3+!C\n#PASTE nothing\n", "a.bml:2: expected a name that was copied (none)"),
        ("a.bml", "#SEAT 7\n", "a.bml:1: expected seats such as 12 after #SEAT, got '7'"),
        ("a.bml", "#VUL Q\n", "a.bml:1: expected two of Y, N and 0 after #VUL, got 'Q'"),
        ("a.bml", "x\n#COPY b\n1C\n", "a.bml:2: expected #ENDCOPY or #ENDCUT after this line"),
        ("a.bml", "x\n#INCLUDE b.bml\n", "a.bml:2: expected a file at "),
        ("a.bss", "nonsense\n", "a.bss:1: expected a record such as "),
        ("a.bss", "001C=NYYYYYY2x", "a.bss:1: expected a record such as "),
        ("a.bss", "00\0", "a.bss:1: expected text, got binary data"),
        ("a.txt", "1C", "expected a file that ends in .bml, .bss, .bboalert or .bbsa, or another"),
    ],
)
def test_bad_files(
    tmp_path: Path, name: str, text: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    assert main(["import", str(file)]) == 2
    assert message in capsys.readouterr().err


def test_a_file_that_is_there_is_not_written_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = tmp_path / "a.bml", tmp_path / "a.bid"
    file.write_text("1C  12+ hcp\n", encoding="utf-8")
    out.write_text("mine", encoding="utf-8")
    assert main(["import", str(file), "-o", str(out)]) == 2
    assert out.read_text(encoding="utf-8") == "mine"
    assert "--force" in capsys.readouterr().err
    report = tmp_path / "report.txt"
    arguments = ["import", str(file), "-o", str(out), "--force", "--report", str(report)]
    assert main(arguments) == 0
    assert "became a rule" in report.read_text(encoding="utf-8")
    assert open_system(out).name == "a"


VOCABULARY = (
    "1C 1NT 2H 3S P X (2D) (X) 1M 2oM 2X 1step #SEAT #VUL #COPY #HIDE * - 15-17 5+!S bal GF or and"
    " not ( ) 4cM trf to hearts minors 5-5 ; , : \" ' 17-15 shape 5431 support 1NT-2C- = may ♠ \\"
    " opening after when system any hand"
)
WORDS = st.sampled_from(VOCABULARY.split())
LINES = st.lists(
    st.tuples(st.sampled_from(["", "  ", "    ", "\t"]), st.lists(WORDS, max_size=7)),
    max_size=8,
)


@settings(max_examples=25, deadline=None)
@given(lines=LINES)
def test_whatever_the_lines_all_are_accounted_for_and_the_file_passes(
    lines: list[tuple[str, list[str]]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = "\n".join(indent + " ".join(words) for indent, words in lines)
    folder = tmp_path_factory.mktemp("import")
    file = folder / "a.bml"
    file.write_text(text, encoding="utf-8")
    try:
        found = import_file(file, "a")
    except BadFileError:
        return
    assert [line.text for line in found.report.lines] == text.split("\n")[: len(found.report.lines)]
    assert len(found.report.lines) == len(text.split("\n")) - (not text.split("\n")[-1])
    kept = found.text
    for line in found.report.lines:
        if line.fate is Fate.TEXT:
            assert line.text.strip() in kept
    out = folder / "a.bid"
    out.write_text(found.text, encoding="utf-8")
    assert load(out).diagnostics == ()


def test_many_rules_are_not_all_compared(
    imported: Importer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bidwright.authoring.exchange.importer.MOST_READ", 1)
    found = imported("1NT  15-17 bal\n1H  5+!H, 12+\n", ".bml")
    assert found.report.summary().endswith(
        "only the first 1 rules were compared with earlier calls\n"
    )


RECORDS = st.tuples(
    st.sampled_from(["", "*"]),
    st.sampled_from(["00", "13", "56", "98"]),
    st.lists(st.sampled_from(["1C", "1N", "2H", "P", "D", "R", "1N{weak}"]), max_size=4),
    st.sampled_from(["=NYYYYYY", "=YYYYYYY", "=N"]),
    st.sampled_from(["2", "5", "A", "D", "Z"]),
    st.sampled_from(["", "58", "08", "00"]),
    st.lists(WORDS, max_size=4),
)


@settings(max_examples=40, deadline=None)
@given(records=st.lists(RECORDS, max_size=4))
def test_whatever_the_records_all_are_accounted_for_and_the_file_passes(
    records: list[tuple[str, str, list[str], str, str, str, list[str]]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    lines = [
        they + seat + "".join(calls) + flags + kind + ends + " ".join(words)
        for they, seat, calls, flags, kind, ends, words in records
    ]
    folder = tmp_path_factory.mktemp("import")
    file = folder / "a.bss"
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    refusal = ""
    try:
        found = import_file(file, "a")
    except BadFileError as error:
        refusal = str(error)
    if refusal:
        assert re.match(rf"{re.escape(str(file))}:\d+: expected ", refusal)
        return
    assert [line.text for line in found.report.lines] == lines
    out = folder / "a.bid"
    out.write_text(found.text, encoding="utf-8")
    assert load(out).diagnostics == ()


def test_a_number_of_thousands_of_digits_is_text(tmp_path: Path) -> None:
    path = tmp_path / "notes.bml"
    path.write_text(f"1N {'9' * 5000} hcp\n1S 5+ !s, 12-21 hcp\n", encoding="utf-8")
    assert "1S" in import_file(path, "notes").text


def test_control_characters_of_notes_are_replaced(tmp_path: Path) -> None:
    path = tmp_path / "notes.bml"
    path.write_text('1N 15-17 bal "\x1b[2J"\n', encoding="utf-8")
    assert "\x1b" not in import_file(path, "notes").text


def test_a_record_that_cannot_be_read_leaves_the_others(imported: Importer) -> None:
    found = imported("001S=NYYYYYY0085+!S, 11-15\n001SP4CD=NYYYYYYSplinter\n", ".bss")
    assert [line.fate for line in found.report.lines] == [Fate.RULE, Fate.TEXT]


def test_notes_that_are_hardly_understood_stay_notes(imported: Importer) -> None:
    found = imported("1NT  15-17 bal\n" + "We talk about style.\n" * 30, ".bml")
    assert found.report.counts()[Fate.RULE] == 0
    assert found.report.limits[0].startswith("1 of 31 lines are understood, less than one in 20")


def test_hands_that_fit_a_rule_stand_in_the_report(imported: Importer) -> None:
    found = imported("1NT  15-17 bal\n", ".bml")
    assert len(found.report.lines[0].hands) == 3
    assert "    fits " in found.report.text()
