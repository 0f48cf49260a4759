"""Processes that compute answers, and a cache of answers.

Equal questions that are asked at the same time are answered by one computation. A question that is
not answered in time ends its process, with all its unfinished work, and the next question gets a
fresh one.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Mapping

from bidwright import BidwrightError
from bidwright.editor.helper import Helper, HelperError
from bidwright.explorer.queries import Query
from bidwright.explorer.request_limits import MOST_REMEMBERED, MOST_WAITING

_MODULE = "bidwright.explorer.answering"


class RefusedError(BidwrightError):
    """A question that gets no answer.

    Attributes:
        status: the status of HTTP that says why.
    """

    def __init__(self, status: int, sentence: str) -> None:
        """Take the status of HTTP and the sentence for the reader."""
        super().__init__(sentence)
        self.status = status


class RememberedAnswers:
    """Answers by their questions, the ones unused for longest being forgotten."""

    def __init__(self, most: int = MOST_REMEMBERED) -> None:
        """Remember so many bytes."""
        self._most = most
        self._answers: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0

    def get(self, key: str) -> bytes | None:
        """Return an answer, None if it is not remembered."""
        if key in self._answers:
            self._answers.move_to_end(key)
        return self._answers.get(key)

    def put(self, key: str, content: bytes) -> None:
        """Remember an answer."""
        # An answer larger than the whole memory would empty it, and go itself.
        if key in self._answers or len(content) > self._most:
            return
        self._answers[key] = content
        self._size += len(key) + len(content)
        while self._size > self._most:
            old, gone = self._answers.popitem(last=False)
            self._size -= len(old) + len(gone)


class AnswerPool:
    """Answers questions by several processes."""

    def __init__(self, processes: int, files: Mapping[str, str] | None = None) -> None:
        """Use so many processes; `files` are systems of the command line, by their names."""
        arguments = [f"{name}={path}" for name, path in (files or {}).items()]
        self._helpers = [Helper(_MODULE, arguments) for _ in range(processes)]
        self._idle: asyncio.Queue[Helper] = asyncio.Queue()
        for helper in self._helpers:
            self._idle.put_nowait(helper)
        self._arguments = arguments
        self._running: dict[str, asyncio.Task[bytes]] = {}
        self._ending: set[asyncio.Task[None]] = set()
        self._remembered = RememberedAnswers()

    async def ask(
        self, do: str, query: Query, texts: Mapping[str, tuple[str, str]], seconds: float
    ) -> bytes:
        """Return the answer to a question as JSON.

        Args:
            do: the kind of question, a key of `answering.ANSWERS`.
            query: the values of the question.
            texts: name and text of the convention files of the page that it names, by their keys.
            seconds: the time limit.

        Raises:
            RefusedError: There is no answer; the error has the reason.
        """
        # By the keys of texts, which are hashes of them: the same key is the same text.
        key = json.dumps([do, query, sorted(texts)], sort_keys=True)
        remembered = self._remembered.get(key)
        if remembered is not None:
            return remembered
        task = self._running.get(key)
        if task is None:
            # New questions only: a question that is being answered costs nothing more.
            if len(self._running) >= MOST_WAITING:
                raise RefusedError(503, "too many questions wait for an answer: try again soon")
            task = asyncio.ensure_future(self._work_out(do, query, texts, seconds))
            self._running[key] = task
            task.add_done_callback(lambda done: self._finished(key, done))
        # Who asked first may go away while others wait for the same answer.
        return await asyncio.shield(task)

    def _finished(self, key: str, task: asyncio.Task[bytes]) -> None:
        del self._running[key]
        if not task.cancelled() and task.exception() is None:  # looked at, whoever still waits
            self._remembered.put(key, task.result())

    async def _work_out(
        self, do: str, query: Query, texts: Mapping[str, tuple[str, str]], seconds: float
    ) -> bytes:
        try:
            async with asyncio.timeout(seconds):
                return await self._asking(await self._idle.get(), do, query, texts)
        except TimeoutError:
            raise RefusedError(
                503, f"no answer was found within {seconds:.0f} seconds: try again later"
            ) from None

    async def _asking(
        self, helper: Helper, do: str, query: Query, texts: Mapping[str, tuple[str, str]]
    ) -> bytes:
        try:
            reply = await helper.ask(do=do, query=query, texts=texts)
        except asyncio.CancelledError:
            helper = self._replaced(helper)
            raise
        except HelperError as error:
            helper = self._replaced(helper)
            raise RefusedError(500, f"this could not be worked out ({error})") from None
        # A fresh helper takes the place of one that was ended: the number of processes stays.
        finally:
            self._idle.put_nowait(helper)
        if "refused" in reply:
            raise RefusedError(400, reply["refused"])
        return json.dumps(reply["answer"], ensure_ascii=False).encode()

    def _replaced(self, helper: Helper) -> Helper:
        """End a process, and return a helper that will start another."""
        ending = asyncio.ensure_future(helper.end())
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)
        fresh = Helper(_MODULE, self._arguments)
        self._helpers[self._helpers.index(helper)] = fresh
        return fresh

    async def stop(self) -> None:
        """End the processes, and wait until they have ended."""
        running = list(self._running.values())
        for task in running:
            task.cancel()
        # First the questions, whose ends replace their helpers, then the helpers that are left.
        await asyncio.gather(*running, return_exceptions=True)
        await asyncio.gather(*(helper.end() for helper in self._helpers), *self._ending)
