"""Streams and surroundings: any encoding, closed streams, little memory, texts that steer."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from bidwright.bridge.text_files import without_controls
from bidwright.cli import main

pytestmark = pytest.mark.skipif(os.name == "nt", reason="shells and limits are those of POSIX")

TEXT = 'system a "A"\n\nopening "o"\n  1C "si\u0142a \u2663" hcp 12+; natural\n  pass "rest"\n'
MINI = Path(__file__).parents[1] / "systems" / "mini.bid"
_LONG = 300
"""Seconds until a command counts as one that hangs."""


def run(command: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a shell command in a folder; `$B` is the program."""
    program = f"{sys.executable} -m bidwright"
    return subprocess.run(
        ["bash", "-c", command.replace("$B", program)],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        timeout=_LONG,
        check=False,
        stdin=subprocess.DEVNULL,
    )


@pytest.fixture
def system(tmp_path: Path) -> Path:
    """Return a system with letters that few encodings have."""
    path = tmp_path / "pl.bid"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("surroundings", "verb"),
    [
        ({"PYTHONIOENCODING": "cp1252"}, "explain 1C --system"),
        ({"PYTHONIOENCODING": "cp1252"}, "doc"),
        ({"PYTHONIOENCODING": "ascii"}, "rules"),
        ({"PYTHONIOENCODING": "latin-1:strict"}, "explain 1C --system"),
        (
            {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
            "explain 1C --system",
        ),
    ],
)
def test_what_an_encoding_lacks_is_escaped(
    system: Path, surroundings: dict[str, str], verb: str
) -> None:
    words = f"$B {verb} {system.name}"
    done = run(words, system.parent, **surroundings)
    assert (done.returncode, done.stderr) == (0, b"")
    # To a terminal that is said to know ASCII only, click writes UTF-8.
    # What `doc` prints is the content of a file, which is in UTF-8.
    whole = "si\u0142a".encode() in done.stdout
    assert whole or (verb != "doc" and b"si\\u0142a" in done.stdout)


def test_a_page_has_no_mark_of_the_encoding_of_the_output(system: Path) -> None:
    command = f"$B doc --quiet {system.name} > page.html"
    assert run(command, system.parent, PYTHONIOENCODING="utf-16").returncode == 0
    page = (system.parent / "page.html").read_bytes().decode("utf-8")
    assert page.startswith("<!doctype html>")


def test_a_message_that_an_encoding_lacks_is_escaped(system: Path) -> None:
    system.write_text(TEXT.replace("hcp", "si\u0142a"), encoding="utf-8")
    done = run(f"$B check {system.name}", system.parent, PYTHONIOENCODING="ascii")
    assert done.returncode == 1
    assert b"si\\u0142a" in done.stdout + done.stderr
    assert b"internal error" not in done.stderr


@pytest.mark.parametrize("verb", ["explain --jsonl", "engine --agent pass", "fmt -"])
def test_a_closed_standard_input_is_one_sentence(tmp_path: Path, verb: str) -> None:
    done = run(f"$B {verb} <&-", tmp_path)
    assert done.returncode == 2
    assert done.stderr == (
        b"bidwright: expected something on the standard input, which is closed\n"
    )


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_output_that_was_closed_gets_lost(system: Path, closed: str) -> None:
    assert run(f"$B explain 1C --system {system.name} {closed}", system.parent).returncode == 0
    done = run(f"$B explain 1C --system none.bid {closed}", system.parent)
    assert done.returncode == 2
    assert b"Traceback" not in done.stdout + done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_output_is_one_sentence(system: Path, unbuffered: str) -> None:
    command = f"$B explain 1C --system {system.name} >/dev/full"
    done = run(command, system.parent, PYTHONUNBUFFERED=unbuffered)
    assert (done.returncode, done.stderr) == (
        2,
        b"bidwright: there is no room to write: no space left on device\n",
    )


@pytest.mark.skipif(sys.platform != "linux", reason="limits are those of Linux")
def test_no_room_for_a_temporary_file_is_one_sentence(tmp_path: Path) -> None:
    command = "(ulimit -f 0; $B new small.bid) 2>&1 | cat; exit ${PIPESTATUS[0]}"
    # Without that, the limit would cut the interpreter's own files.
    done = run(command, tmp_path, PYTHONDONTWRITEBYTECODE="1")
    assert done.returncode == 2
    assert done.stdout.startswith(b"bidwright: there is no room to write: ")
    assert done.stdout.count(b"\n") == 1


@pytest.mark.skipif(sys.platform != "linux", reason="limits are those of Linux")
@pytest.mark.parametrize("kibibytes", [150_000, 250_000])
def test_little_memory_is_one_sentence(tmp_path: Path, kibibytes: int) -> None:
    words = f"$B sample 1NT -n 3 --seed 1 --system {MINI}"
    done = run(f"ulimit -v {kibibytes}; {words}", tmp_path)
    if done.returncode:
        assert done.returncode == 2
        assert done.stderr.splitlines()[-1] == (
            b"bidwright: there is not enough memory for so much at once"
        )


def test_a_server_that_cannot_listen_does_not_say_that_it_does(
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("uvicorn")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 2
    printed = capsys.readouterr().err
    assert printed.startswith(f"bidwright: cannot listen at 127.0.0.1:{port}: ")
    assert printed.count("\n") == 1


def test_what_is_no_text_on_the_standard_input_is_one_sentence(tmp_path: Path) -> None:
    done = run(r"printf '\xb7\xff' | $B fmt -", tmp_path, PYTHONIOENCODING="utf-8:strict")
    assert done.returncode == 2
    assert done.stderr == b"bidwright: standard input: it is not UTF-8 text: byte 0xb7 at 0\n"
    for verb in (f"explain --jsonl --system {MINI}", f"engine --agent rules:{MINI}"):
        done = run(rf"printf '\xb7\xff\n' | $B {verb}", tmp_path, PYTHONIOENCODING="utf-8:strict")
        assert (done.returncode, done.stderr) == (0, b"")
        assert b"expected a line of JSON" in done.stdout


def test_links_in_a_circle_are_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for suffix in ("bml", "bss", "bbsa"):
        path = tmp_path / f"circle.{suffix}"
        path.symlink_to(path.name)
        assert main(["import", str(path), "-o", str(tmp_path / "made.bid")]) == 2
        printed = capsys.readouterr().err
        assert "too many levels of symbolic links" in printed
        assert printed.count("\n") == 1


# ------------------------------------------------------------- texts that steer


def test_the_characters_that_steer_are_those_of_unicode() -> None:
    wrong = [
        hex(code)
        for code in range(sys.maxunicode + 1)
        if (unicodedata.category(chr(code)) in ("Cc", "Cf", "Zl", "Zp"))
        != (without_controls(chr(code)) == "\ufffd")
        and chr(code) not in "\t\n\ufffd"
        # of a later version of Unicode than some Pythons have
        and not (0x13430 <= code <= 0x1343F and unicodedata.category(chr(code)) == "Cn")
    ]
    assert wrong in ([], ["0x13440"])


@pytest.mark.parametrize(
    "sign", ["\u202e", "\u2066", "\u2069", "\u2028", "\u2029", "\u200b", "\u00ad", "\x1b", "\x9b"]
)
def test_signs_that_steer_are_a_mistake_and_not_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], sign: str
) -> None:
    path = tmp_path / "a.bid"
    for text in (TEXT.replace("si", f"s{sign}i"), TEXT.replace("hcp 12+", f"hcp 12+ # {sign}")):
        path.write_text(text, encoding="utf-8")
        assert main(["check", str(path)]) == 1
        first = capsys.readouterr()
        assert main(["explain", "1C", "--system", str(path)]) == 2
        second = capsys.readouterr()
        printed = "".join((*first, *second))
        kind = "control" if unicodedata.category(sign) == "Cc" else "invisible"
        assert f"E123 the {kind} character U+{ord(sign):04X}" in printed
        assert sign not in printed


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("let h\u0441p = hcp 5+\n" + TEXT, "E128"),  # a Cyrillic letter
        (TEXT.replace("hcp", "h\u0441p"), "E128"),
        (TEXT.replace("hcp", "hc\uff50"), "E128"),  # a letter of full width
        (TEXT.replace("12+", "\u0661\u0662+"), "E129"),
        (TEXT.replace("12+", "1\uff12+"), "E129"),
        (TEXT.replace("natural", "natural, priority \u0967"), "E129"),
    ],
)
def test_names_and_numbers_that_look_like_others_are_a_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, code: str
) -> None:
    path = tmp_path / "a.bid"
    path.write_text(text, encoding="utf-8")
    assert main(["check", str(path)]) == 1
    printed = "".join(capsys.readouterr())
    assert f" {code} " in printed


def test_texts_comments_and_latin_names_may_have_any_letters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.bid"
    words = "\nlet si\u0142a = hcp 12+  # \u0441\u0438\u043b\u0430 \u0661\n"
    text = TEXT.replace("hcp 12+", "si\u0142a").replace("rest", "\u043f\u0430\u0441 \u0662")
    path.write_text(text.replace('"A"\n', f'"A"\n{words}'), encoding="utf-8")
    assert main(["check", str(path)]) == 0, capsys.readouterr()
