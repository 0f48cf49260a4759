"""Requests of other programs: JSON objects on standard input, one a line, and a reply to each."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Mapping
from typing import IO, Any

from bidwright.bridge.errors import BidwrightError, InvalidError, one_sentence
from bidwright.bridge.json_values import UncheckedObject
from bidwright.runtime.time_limits import within


def serve(answer: Callable[[UncheckedObject], Mapping[str, object]], seconds: float | None) -> None:
    """Answer each line of the standard input with a line, until it ends.

    Args:
        answer: answers a request.
        seconds: the time limit of each request; None for no limit.
    """
    from bidwright.bridge.text_files import lines_of

    take_any_bytes(sys.stdin)
    for line in lines_of(sys.stdin):
        if line.strip():
            print(json.dumps(_reply(answer, line, seconds)), flush=True)


def whole_input(most: int) -> str:
    """Return the standard input as a text.

    Args:
        most: how many characters it may have.

    Raises:
        InvalidError: It is longer, or is no text.
    """
    from bidwright.bridge.text_files import reason_of_value

    try:
        text = sys.stdin.read(most + 1)
    except UnicodeDecodeError as error:
        raise InvalidError(f"standard input: {reason_of_value(error)}") from None
    if len(text) > most:
        raise InvalidError(f"standard input: expected at most {most:,} characters, got more")
    return text.removeprefix("\ufeff")


def take_any_bytes(source: IO[str]) -> None:
    """Make a stream read U+FFFD in place of bytes that are no text, so that the line is refused."""
    if isinstance(source, io.TextIOWrapper):
        source.reconfigure(errors="replace")


def _reply(
    answer: Callable[[UncheckedObject], Mapping[str, object]], line: str, seconds: float | None
) -> dict[str, object]:
    number = None
    try:
        request = _parsed(line)
        if not isinstance(request, dict):
            raise InvalidError(f"expected a JSON object, got {line.strip()[:80]!r}")
        number = request.get("id")
        with within(seconds):
            return {"id": number, **answer(request)}
    except BidwrightError as error:
        return {"id": number, "error": one_sentence(str(error))}
    except Exception as error:
        # The next requests must not suffer from a bug that this one has found.
        return {"id": number, "error": f"internal error, {type(error).__name__}: {error}"[:300]}


def _parsed(line: str) -> Any:  # noqa: ANN401 - JSON is anything
    from bidwright.bridge.text_files import parse_json

    try:
        return parse_json(line)
    except InvalidError as error:
        shown = line.strip()[:80]
        raise InvalidError(f"expected a line of JSON, got {shown!r} ({error})") from None


def open_system(name: str) -> Any:  # noqa: ANN401 - a RuleBase, which is imported late
    """Return a system by its name or file."""
    from bidwright.kb.loading import compiled

    return compiled.open_system(name)
