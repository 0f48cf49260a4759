"""Options of the verbs that speak the table-manager protocol, and the log of its lines."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from bidwright.commands.common_options import FILE
from bidwright.commands.numbers import Finite, Whole


class _Host(click.types.StringParamType):
    """The name or the address of a machine."""

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click passes on what it has
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str:
        """Return the name.

        Raises:
            click.BadParameter: No machine can be called that.
        """
        name = str(super().convert(value, param, ctx))
        try:
            # The resolver encodes names as IDNA and fails there with an error of its own.
            is_name = bool(name.strip()) and bool(name.encode("idna"))
        except UnicodeError:
            is_name = False
        if not is_name:
            self.fail("expected the name or the address of a machine", param, ctx)
        return name


HOST = _Host()
PORT = Whole(0, 65535)
WAIT = Finite(0)
"""Seconds, also none."""

transcript_option = click.option(
    "--transcript", type=FILE, help="Write every line sent and received."
)
pause_option = click.option(
    "--pause", type=WAIT, default=0.0, help="Seconds to wait before each line that is sent."
)


def line_log(path: Path | None) -> Callable[[str, str, str], None]:
    """Return a function that writes lines sent and received to a file, with the time of each.

    Raises:
        InvalidError: The file cannot be written.
    """
    from bidwright.bridge.errors import InvalidError
    from bidwright.match.protocol.wire import no_log

    if path is None:
        return no_log
    try:
        file = path.open("w", encoding="utf-8")
    except OSError as error:
        raise InvalidError(f"cannot write {path}: {error.strerror}") from None
    began = time.monotonic()

    def log(direction: str, name: str, text: str) -> None:
        file.write(f"{time.monotonic() - began:9.3f} {direction} {name}: {text}\n")
        # Flushed each time: a transcript matters most after a crash.
        file.flush()

    return log
