"""Reading text files of unknown encoding, and naming places in them."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from bidwright.bridge.errors import InvalidError
from bidwright.bridge.regular_files import MIB, read_regular

MOST_BYTES = 128 * MIB
"""Bytes of a file of boards, of notes or of settings: some 300,000 boards."""

MOST_BOARDS = 300_000
"""Boards of a file; each takes memory, however few bytes it has."""

MOST_OF_LINE = 1_000_000
"""Characters of a request of another program, or of what is typed on a line."""

STEERING = (
    r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
    r"\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890-\u0891\u08e2\u180e\u200b-\u200f\u2028-\u202e"
    r"\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f"
)
"""The characters that steer a terminal or show a text as another, as ranges of a regular
expression: controls but blanks and line ends, and the Unicode categories Cf, Zl and Zp, such as
marks of direction, line separators and signs without width."""

_CONTROL = re.compile(rf"[\r{STEERING}]")
_MARKED = (("utf-8-sig", b"\xef\xbb\xbf"), ("utf-16", b"\xff\xfe"), ("utf-16", b"\xfe\xff"))


def decode(data: bytes) -> str:
    """Return the text of a file, whatever program wrote it.

    A byte-order mark decides; without one, zero bytes tell UTF-16, and what is not UTF-8 is
    Latin-1. Line ends become newlines; characters that steer a terminal become U+FFFD.
    """
    # Letters of the West in UTF-16 have a zero byte in each pair: the second, where the low byte is
    # first.
    zero = data[:200].find(b"\0")
    unmarked = "utf-8" if zero < 0 else "utf-16-le" if zero % 2 else "utf-16-be"
    encoding = next((name for name, mark in _MARKED if data.startswith(mark)), unmarked)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        # Latin-1 has a character for every byte, so reading does not fail.
        text = data.decode("latin-1")
    return without_controls(text.replace("\r\n", "\n").replace("\r", "\n"))


def without_controls(text: str) -> str:
    """Return a text with U+FFFD for the characters that steer a terminal (`STEERING`)."""
    return _CONTROL.sub("\ufffd", text)


def lines_of(source: IO[str]) -> Iterator[str]:
    """Yield the lines of a stream of requests as they come.

    Raises:
        InvalidError: A line is longer than any request; what follows it is not read.
    """
    # Iterating over the stream would take a line without an end into memory whole.
    for number, line in enumerate(iter(lambda: source.readline(MOST_OF_LINE + 1), ""), 1):
        if len(line) > MOST_OF_LINE:
            raise InvalidError(
                f"expected lines of at most {MOST_OF_LINE:,} characters, got more in line {number}"
            )
        yield line


def parse_json(text: str | bytes) -> Any:  # noqa: ANN401 - JSON is anything
    """Return the value of a text in JSON.

    Raises:
        InvalidError: It is not JSON, is nested too deep, or has a number of thousands of digits.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise InvalidError("it is nested too deep") from None
    except ValueError as error:
        raise InvalidError(reason_of_value(error)) from None


def reason_of_value(error: ValueError) -> str:
    """Return the reason why a text has no value, in words of its own where Python's say little."""
    if isinstance(error, UnicodeDecodeError):
        return f"it is not UTF-8 text: byte {error.object[error.start]:#x} at {error.start}"
    if "set_int_max_str_digits" in str(error):
        return "a number in it has thousands of digits"
    if isinstance(error, json.JSONDecodeError):
        words = _NO_JSON.get(
            error.msg.partition(":")[0].rstrip(), error.msg[:1].lower() + error.msg[1:]
        )
        return f"it is no JSON: {words} at line {error.lineno}, column {error.colno}"
    return str(error)


_NO_JSON = {
    "Expecting value": "expected a value",
    "Expecting property name enclosed in double quotes": "expected a name in double quotes",
    "Expecting ',' delimiter": "expected a comma",
    "Expecting '": "expected a colon",  # "Expecting ':' delimiter", cut at its colon
    "Extra data": "expected nothing more",
    "Unterminated string starting at": "a string is not closed, which begins",
    "Invalid control character at": "a control character, which has to be escaped,",
    "Illegal trailing comma before end of object": "a comma that nothing follows",
    "Illegal trailing comma before end of array": "a comma that nothing follows",
}
"""Descriptions of faults by the words of Python's reader."""


def check_boards(count: int, path: object) -> None:
    """Check that a file has no more boards than its readers take.

    Args:
        count: how many were read so far.
        path: the file, for the message.

    Raises:
        InvalidError: It has more than `MOST_BOARDS`.
    """
    if count > MOST_BOARDS:
        raise InvalidError(
            f"expected at most {MOST_BOARDS:,} boards in a file, got more in {path}; "
            "split it into several"
        )


def load(source: str | Path) -> tuple[str, str]:
    """Return the text of a file or of a string, with its name for messages.

    Args:
        source: A path is read; a string is the text itself.

    Raises:
        InvalidError: If the file cannot be read.
    """
    if isinstance(source, str):
        return decode(source.encode()), "line "
    return decode(read_regular(source, MOST_BYTES)), f"{source}:"
