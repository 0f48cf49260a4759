"""A connection that carries lines: ASCII, ended by CR LF, read with patience."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from bidwright.bridge.errors import BidwrightError
from bidwright.match.protocol.line_parser import LineError, parse_line, shown
from bidwright.match.protocol.lines import Message

LIMIT = 4096
"""Characters of the longest line that is read."""

Log = Callable[[str, str, str], None]
"""Notes a line: `<` received, `>` sent or `!` remarked; with whom; the text."""


class Gone(BidwrightError, ConnectionError):
    """The other end closed the connection, or it broke."""


class Late(BidwrightError, TimeoutError):
    """The other end did not answer in time."""


# Without a limit an end that reads nothing would hold the whole table.
_PATIENCE = 60.0
"""The longest time, in seconds, that an end may read nothing."""

_ALIVE = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 15, "TCP_KEEPCNT": 4}
"""Settings of TCP keep-alive for a silent end: seconds of silence, between probes, and probes."""


def _keep_alive(connection: Any) -> None:  # noqa: ANN401 - a socket, wrapped by asyncio
    """Let the system notice an end that vanished without a word, as after a power cut."""
    if connection is None:
        return
    # Where a system lacks the settings the connection works all the same.
    with suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        # Platforms differ in the names: macOS has no TCP_KEEPIDLE.
        for name, value in _ALIVE.items():
            if hasattr(socket, name):
                connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def no_log(direction: str, name: str, text: str) -> None:
    """Keep no notes."""


class Wire:
    """One end of a connection.

    Attributes:
        name: the other end, as messages name it.
        ending: the line ending of the last line received.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        name: str,
        pause: float = 0,
        log: Log = no_log,
        spoken: Callable[[str], str] = str,
    ) -> None:
        """Speak over a stream.

        Args:
            reader: lines come from it.
            writer: lines go to it.
            name: the other end.
            pause: seconds to wait before a line is sent; some programs lose lines otherwise.
            log: notes every line.
            spoken: turns a line into the dialect of the other end.
        """
        self.name = name
        self._reader, self._writer = reader, writer
        self._pause, self._log, self._spoken = pause, log, spoken
        self._lost = False
        self.ending = b"\r\n"
        _keep_alive(writer.get_extra_info("socket"))

    @property
    def ended(self) -> bool:
        """True once the other end is known to be gone."""
        # `at_eof`: the other end closed, and all that it sent is read.
        return self._lost or self._reader.at_eof()

    def _gone(self, reason: str) -> Gone:
        self._lost = True
        return Gone(f"{self.name} {reason}")

    async def receive_text(self, timeout: float | None = None) -> str:
        """Return the next line that is not empty, without its end.

        Raises:
            Gone: There will be none.
            Late: There was none in time.
            LineError: It has no end, or is not ASCII.
        """
        try:
            async with asyncio.timeout(timeout):
                return await self._next_text()
        except TimeoutError:
            raise Late(
                f"expected a line from {self.name} within {timeout:g} seconds, got none"
            ) from None

    async def _next_text(self) -> str:
        while True:
            try:
                data = await self._reader.readline()
            except ValueError:
                raise LineError(
                    f"expected a line of at most {LIMIT} characters from {self.name}, "
                    "got a longer one"
                ) from None
            except OSError as error:
                raise self._gone(f"was lost: {error.strerror or error}") from None
            # A line without its end was cut off by the loss of the connection.
            if not data.endswith(b"\n"):
                raise self._gone("closed the connection")
            self.ending = data[len(data.rstrip(b"\r\n")) :]
            # Latin-1 never fails, so a line that is not ASCII can be quoted in the error.
            text = data.decode("latin-1").strip("\r\n\0 \t")
            # Empty lines are skipped inside the time limit: sent again and again they once put it
            # off for ever.
            if text:
                self._log("<", self.name, text)
                if not text.isascii():
                    raise LineError(
                        f"expected characters 32 to 127, got {shown(text)} from {self.name}"
                    )
                return text

    async def receive(self, timeout: float | None = None) -> Message:
        """Return the message of the next line.

        Raises:
            Gone: There will be none.
            Late: There was none in time.
            LineError: It is not the protocol's.
        """
        text = await self.receive_text(timeout)
        try:
            return parse_line(text)
        except LineError as error:
            raise LineError(f"{error} from {self.name}") from None

    async def send(self, line: Message | str) -> None:
        """Send a line.

        Raises:
            Gone: The connection is broken, or the other end reads nothing.
        """
        if self._pause:
            await asyncio.sleep(self._pause)
        text = self._spoken(str(line))
        self._log(">", self.name, text)
        try:
            self._writer.write(text.encode("ascii", "replace") + b"\r\n")
            # `drain` waits while the other end reads nothing; see `_PATIENCE`.
            async with asyncio.timeout(_PATIENCE):
                await self._writer.drain()
        except TimeoutError:
            raise self._gone(f"took no line for {_PATIENCE:g} seconds") from None
        except OSError as error:
            raise self._gone(f"was lost: {error.strerror or error}") from None

    def remark(self, text: str) -> None:
        """Note something about the connection."""
        self._log("!", self.name, text)

    def hang_up(self) -> None:
        """Close the connection without waiting until it is closed."""
        with suppress(OSError):
            self._writer.close()

    async def close(self) -> None:
        """Close the connection."""
        self.hang_up()
        with suppress(OSError):
            await self._writer.wait_closed()


async def together(*tasks: Awaitable[Any]) -> list[Any]:
    """Return the results of tasks that run at the same time; the first failure ends them all."""
    running = [asyncio.ensure_future(task) for task in tasks]
    try:
        return await asyncio.gather(*running)
    finally:
        # A task that is left running would read the line that the next wait is for.
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
