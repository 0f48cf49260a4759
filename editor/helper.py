"""The server's side of a worker process: requests that are waited for without blocking."""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import count
from typing import Any, TypedDict

from bidwright.bridge.errors import BidwrightError
from bidwright.kb.language.diagnostics import DiagnosticValues

PROOFS = "proofs"
"""The step of a check that comes after all problems without a need for proofs."""

# A whole system's texts are one line; the limit of asyncio is 64 KB.
_LONGEST_LINE = 1 << 26


class HelperReply(TypedDict, total=False):
    """A reply: a step of a check with its problems, the result at the end, or an error."""

    id: int
    step: str
    found: list[DiagnosticValues]
    result: object
    error: str


class HelperError(BidwrightError):
    """A request that the worker could not answer."""


class Helper:
    """A worker process, started when it is first needed and again if it has died."""

    def __init__(
        self, module: str = "bidwright.editor.worker", arguments: Sequence[str] = ()
    ) -> None:
        """Start without a process; `module` is what it will run, with some arguments."""
        self._command = ("-m", module, *arguments)
        self._process: Process | None = None
        self._numbers = count(1)
        self._waiting: dict[int, asyncio.Future[HelperReply]] = {}
        self._listeners: dict[int, Callable[[HelperReply], None]] = {}
        self._reading: asyncio.Task[None] | None = None
        # Two requests at once would start two processes otherwise.
        self._starting = asyncio.Lock()

    async def _alive(self) -> Process:
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable,
                    *self._command,
                    stdin=PIPE,
                    stdout=PIPE,
                    stderr=DEVNULL,
                    limit=_LONGEST_LINE,
                )
                self._reading = asyncio.create_task(self._read(self._process))
            return self._process

    async def _read(self, process: Process) -> None:
        assert process.stdout is not None
        while line := await process.stdout.readline():
            reply = json.loads(line)
            number = reply["id"]
            if "step" in reply:
                if number in self._listeners:
                    self._listeners[number](reply)
            elif number in self._waiting and not self._waiting[number].done():
                self._waiting[number].set_result(reply)
        # Nobody would wait for ever for a process that died.
        for future in self._waiting.values():
            if not future.done():
                future.set_result({"error": "the process that works it out has ended"})

    async def ask(self, listen: Callable[[HelperReply], None] | None = None, **request: Any) -> Any:  # noqa: ANN401 - whatever the request asks for
        """Return the answer to a request; a request that is cancelled is broken off.

        Args:
            listen: called with each step of a check.
            request: see `worker`.

        Raises:
            HelperError: it failed.
        """
        process = await self._alive()
        number = next(self._numbers)
        future: asyncio.Future[HelperReply] = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        if listen is not None:
            self._listeners[number] = listen
        try:
            await self._send(process, {"id": number, **request})
            reply = await future
        except asyncio.CancelledError:
            # The worker must learn of it, or it works on for nobody; if it died there is nobody to
            # send to.
            with suppress(ConnectionError):
                await self._send(process, {"cancel": number})
            raise
        except ConnectionError as error:
            raise HelperError(f"the process that works it out has ended: {error}") from None
        finally:
            del self._waiting[number]
            self._listeners.pop(number, None)
        if "error" in reply:
            raise HelperError(reply["error"])
        return reply["result"]

    async def _send(self, process: Process, request: Mapping[str, object]) -> None:
        assert process.stdin is not None
        process.stdin.write(json.dumps(request).encode() + b"\n")
        await process.stdin.drain()

    def stop(self) -> None:
        """End the process."""
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.kill()

    async def end(self) -> None:
        """End the process, and wait until it has."""
        self.stop()
        if self._process is not None and self._reading is not None:
            await self._process.wait()
            await self._reading
