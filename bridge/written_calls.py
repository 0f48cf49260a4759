"""Splits the text of an auction into calls, however they are joined or marked.

`1S (2H) 3S`, `1s-2h-3s`, `1S,P,4S`, `1SP4SPPP`, `1nt! 2c? all pass`: blanks, commas, semicolons,
bars and dashes separate calls, and calls need not be separated; brackets mark one side's calls;
marks of alerts and quality (`!`, `?`, `*`) say nothing here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bidwright.bridge.calls import Call, parse_call
from bidwright.bridge.errors import InvalidError


@dataclass(frozen=True, slots=True)
class WrittenCall:
    """A call as it is written.

    Attributes:
        text: the text.
        call: the call; `None` for "all pass".
        bracketed: True if it stands in brackets.
    """

    text: str
    call: Call | None
    bracketed: bool


_ALL_PASS = re.compile(r"\ball[\s-]*pass(?:es)?\b", re.IGNORECASE)
_TOKEN = re.compile(
    r"\((?P<inside>[^()]*)\)|(?P<bare>[^\s,;|()\u2013\u2014-]+)|(?P<lone>[()])", re.IGNORECASE
)
# A longer spelling stands before one that begins it.
_GLUED = re.compile(
    r"[1-7]\s*(?:NT|N|SA|[CDHS\u2660-\u2667]\ufe0f?)|PASS|AP|P|REDOUBLE|REDBL|RDBL|RD|R"
    r"|DOUBLE|DBL|DB|D|XX|X",
    re.IGNORECASE,
)
_MARKS = re.compile(r"[!?*]+")


def written_calls(text: str) -> list[WrittenCall]:
    """Return the calls of a text.

    Raises:
        InvalidError: If something is no call, or a bracket has no partner.
    """
    calls: list[WrittenCall] = []
    for token in _TOKEN.finditer(_ALL_PASS.sub("AP", _MARKS.sub(" ", text))):
        if token["lone"]:
            raise InvalidError(f"expected brackets in pairs, got a lone one in auction {text!r}")
        inside = token["inside"]
        word = (token["bare"] if inside is None else inside).strip()
        for part in _parts(word):
            try:
                call = None if part.upper() == "AP" else parse_call(part)
            except InvalidError as error:
                raise InvalidError(
                    f"{error} as call {len(calls) + 1} of auction {text!r}"
                ) from None
            shown = part if inside is None else f"({part})"
            calls.append(WrittenCall(shown, call, inside is not None))
    return calls


def _parts(word: str) -> list[str]:
    """Return the calls that a word is made of; the word itself if they do not fill it."""
    # `1 NT`: a blank behind the level.
    word = word.replace(" ", "") if re.match(r"[1-7]\s", word) else word
    parts = [match[0] for match in _GLUED.finditer(word)]
    # With letters left over it is no row of calls, and the message quotes the word as it stands.
    return parts if len(parts) > 1 and "".join(parts) == word else [word]
