"""`engine:COMMAND`: a program that answers requests as JSON lines, many in flight at a time.

A request is a line `{"id": 1, "hand": "S.H.D.C", "seat": "N", "dealer": "E", "vul": "none",
"auction": ["P", "1NT"], "meaning": true}`, with `board`, `seed`, and the systems disclosed as
`ns` and `ew`. The answer is `{"id": 1, "call": "2C"}`, with what the call means if the program
says so; answers come in any order. Before it answers, a program may ask about the opponents'
calls: `{"id": 1, "ask": 0}` (the call's index) gets `{"id": 1, "about": 0, "meaning": {...}}`.
"""

from __future__ import annotations

import json
import os
import queue
import shlex
import subprocess
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from shutil import which
from typing import IO, NotRequired, TypedDict

from bidwright.bridge.calls import parse_call
from bidwright.bridge.cards import Side
from bidwright.bridge.errors import BidwrightError, InvalidError, shortened
from bidwright.bridge.json_values import UncheckedObject
from bidwright.bridge.regular_files import GIB, read_regular
from bidwright.bridge.text_files import parse_json
from bidwright.match.agents.agent import AgentError, Answer, Request
from bidwright.match.agents.specs import Context
from bidwright.match.record.match_lines import AgentCard
from bidwright.runtime.sentences import noun_for

TIMEOUT = 120.0
"""The longest time without a line from the program, in seconds, before it counts as dead."""

MOST_LINE = 1_000_000
"""Characters of the longest line that is read; a program that sends a longer one is given up."""

_MOST_PROGRAM = 16 * GIB
"""Bytes of a file on the command line of a program, which is hashed."""

_MOST_LINES = 10_000
"""Lines that wait to be read; a program that sends more has to wait."""

_SHOWN = 160
"""Characters of a program's output that a message repeats."""


class RequestValues(TypedDict):
    """A request for a call; the systems of the sides only where they are known."""

    id: int
    hand: str
    seat: str
    dealer: str
    vul: str
    auction: list[str]
    board: int
    seed: int
    meaning: bool
    ns: NotRequired[str]
    ew: NotRequired[str]


class ExplanationReply(TypedDict):
    """A reply to a question about a call: its meaning, or the reason why there is none."""

    id: int
    about: object
    meaning: NotRequired[UncheckedObject]
    error: NotRequired[str]


def request_json(number: int, request: Request) -> RequestValues:
    """Return a request as the JSON object that is sent to a program."""
    auction = request.auction
    values: RequestValues = {
        "id": number,
        "hand": str(request.hand),
        "seat": str(request.seat),
        "dealer": str(auction.dealer),
        "vul": auction.vulnerability.word,
        "auction": [str(call) for call in auction.calls],
        "board": request.board,
        "seed": request.seed,
        "meaning": True,
    }
    ns, ew = (request.view.system(side) for side in Side)
    if ns is not None:
        values["ns"] = ns
    if ew is not None:
        values["ew"] = ew
    return values


class EngineAgent:
    """Asks a program, which is started with the first request."""

    def __init__(
        self, command: str, system: str | None = None, timeout: float | None = None
    ) -> None:
        """Prepare a command line.

        Args:
            command: the program and its arguments, quoted as in a shell; no shell runs it.
            system: the system it plays, if that is known.
            timeout: seconds to wait for a line.

        Raises:
            InvalidError: The command cannot be read.
            AgentError: There is no such program.
        """
        self.spec = f"engine:{command}"
        self.system = system
        try:
            # No shell: a command line from a file must not be able to start anything else.
            self._words = shlex.split(command)
        except ValueError as error:
            raise InvalidError(f"expected a command line, got {command!r}: {error}") from None
        if not self._words:
            raise InvalidError("expected a command after 'engine:', such as engine:./mybot")
        if which(self._words[0]) is None:
            raise AgentError(f"expected a program to run, found none called {self._words[0]!r}")
        self._timeout = TIMEOUT if timeout is None else timeout
        self._process: _Process | None = None
        self._number = 0

    def card(self) -> AgentCard:
        """Return the command, and the hashes of the files that it names."""
        files = {}
        for word in self._words:
            # A match file proves what was played by the content of programs and scripts, not by
            # names.
            path = Path(which(word) or word)
            if path.is_file():
                files[word] = sha256(read_regular(path, _MOST_PROGRAM)).hexdigest()
        return {"spec": self.spec, "system": self.system, "files": files}

    def calls(self, requests: Sequence[Request]) -> list[Answer]:
        """Return the program's answers, all requests sent at once.

        Raises:
            AgentError: The program died, fell silent, or sent what cannot be understood.
        """
        if self._process is None:
            self._process = _Process(self._words, self._timeout)
        first = self._number + 1
        # Numbers go on over batches, so a late reply is never taken for an answer to a new request.
        self._number += len(requests)
        waiting = dict(enumerate(requests, first))
        answers: dict[int, Answer] = {}
        # A program may answer many requests together, as networks do.
        self._process.send([request_json(number, request) for number, request in waiting.items()])
        while waiting:
            line = self._process.receive(len(waiting))
            number, reply = self._read(line, waiting)
            if "ask" in reply:
                self._process.send([_explanation(number, reply["ask"], waiting[number])])
            else:
                answers[number] = self._answer(reply, waiting.pop(number), line)
        return [answers[number] for number in sorted(answers)]

    def _read(self, line: str, waiting: dict[int, Request]) -> tuple[int, UncheckedObject]:
        """Return a reply and the number of the request that it answers."""
        try:
            reply = parse_json(line)
        except InvalidError:
            raise AgentError(
                f"{self._who()} sent a line that is not JSON: {_short(line)}"
            ) from None
        if not isinstance(reply, dict):
            raise AgentError(f"{self._who()} sent a line that is no object: {_short(line)}")
        number = reply.get("id")
        if not isinstance(number, int) or number not in waiting:
            raise AgentError(f"{self._who()} answered what was not asked: {_short(line)}")
        # A program may give up one request; whatever the reason, the match cannot go on without its
        # call.
        if "error" in reply:
            raise AgentError(f"{self._who()} could not bid: {reply['error']}")
        return number, reply

    def _answer(self, reply: UncheckedObject, request: Request, line: str) -> Answer:
        text = reply.get("call")
        if not isinstance(text, str):
            raise AgentError(f"{self._who()} sent no 'call': {_short(line)}")
        try:
            call = parse_call(text)
        except InvalidError as error:
            raise AgentError(f"{self._who()} sent no call it could make: {error}") from None
        meaning = reply.get("meaning")
        meaning = meaning if isinstance(meaning, dict) else None
        # Fields that only inform are dropped when they have another type; the call alone must be
        # right.
        by, rule = reply.get("by"), reply.get("rule")
        return Answer(
            call,
            by if isinstance(by, str) else "",
            rule if isinstance(rule, str) else None,
            _note(reply, meaning),
            meaning,
        )

    def _who(self) -> str:
        return f"engine {' '.join(self._words)!r}"

    def close(self) -> None:
        """End the program."""
        if self._process is not None:
            self._process.close()
            self._process = None


def _note(reply: UncheckedObject, meaning: UncheckedObject | None) -> str | None:
    """Return the alert of a reply: its own text, or that of a call said to be artificial."""
    if isinstance(reply.get("alert"), str):
        return str(reply["alert"])
    if meaning is not None and meaning.get("artificial") and isinstance(meaning.get("text"), str):
        return str(meaning["text"]) or "alert"
    return None


def _explanation(number: int, place: object, request: Request) -> ExplanationReply:
    """Return the reply to a question about a call."""
    try:
        if not isinstance(place, int):
            raise InvalidError(f"expected the index of a call as 'ask', got {place!r}")
        return {"id": number, "about": place, "meaning": request.disclosed(place)}
    except BidwrightError as error:
        # An impossible question gets an error as its answer: the program waits for some reply.
        return {"id": number, "about": place, "error": str(error)}


def _short(line: str) -> str:
    line = line.strip()
    return repr(line if len(line) <= _SHOWN else line[:_SHOWN] + "...")


class _Process:
    """A running program, its output and its last words read by threads so that no pipe fills."""

    def __init__(self, words: Sequence[str], timeout: float) -> None:
        self._words = words
        self._timeout = timeout
        try:
            self._child = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                # Programs print in any encoding; undecodable bytes must not end the match.
                errors="replace",
                bufsize=1,
                # Python programs would hold replies back in a buffer that the match waits for.
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )
        except OSError as error:
            raise AgentError(
                f"expected a program to run, cannot start {' '.join(words)!r}: {error.strerror}"
            ) from None
        # A bounded queue makes a program that talks without end wait, instead of filling the
        # memory.
        self._lines: queue.Queue[str | None] = queue.Queue(_MOST_LINES)
        self._last_words: deque[str] = deque(maxlen=5)
        self._threads = [
            threading.Thread(target=self._listen, daemon=True),
            # Messages are read all the time, too: a full pipe would stop the program.
            threading.Thread(target=self._overhear, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def _listen(self) -> None:
        for line in _lines_of(self._child.stdout):
            if line.strip():
                self._lines.put(line)
            # A line without an end is given up at the limit; the rest of it is not a line.
            if len(line) == MOST_LINE:
                return
        self._lines.put(None)

    def _overhear(self) -> None:
        self._last_words.extend(
            shortened(line.strip(), _SHOWN)
            for line in _lines_of(self._child.stderr)
            if line.strip()
        )

    def send(self, messages: Sequence[RequestValues | ExplanationReply]) -> None:
        """Write messages, one a line; a program that died is noticed by `receive`."""
        text = "".join(json.dumps(message, separators=(",", ":")) + "\n" for message in messages)
        # The pipe of a dead program breaks here; `receive` says why it died.
        with suppress(OSError):
            _pipe(self._child.stdin).write(text)
            _pipe(self._child.stdin).flush()

    def receive(self, waiting: int) -> str:
        """Return the next line; `waiting` requests are still to be answered."""
        name = " ".join(self._words)
        requests = f"{waiting} {noun_for(waiting, 'request')}"
        try:
            line = self._lines.get(timeout=self._timeout)
        except queue.Empty:
            raise AgentError(
                f"engine {name!r} sent nothing for {self._timeout:g} seconds "
                f"with {requests} to answer"
            ) from None
        if line is None:
            # The end stays in the queue for the next caller, who would wait for ever otherwise.
            self._lines.put(None)
            # The last words may still be on their way when the output has ended.
            self._threads[1].join(timeout=2)
            words = f"; it said: {' / '.join(self._last_words)}" if self._last_words else ""
            status = _status(self._child)
            raise AgentError(f"engine {name!r} {status} with {requests} to answer{words}")
        if len(line) == MOST_LINE:
            raise AgentError(f"engine {name!r} sent a line of more than {MOST_LINE:,} characters")
        return line

    def close(self) -> None:
        """End the program: its input ends, and if that does not make it stop, it is stopped."""
        # A well-behaved program ends with its input; others get two seconds.
        with suppress(OSError):
            _pipe(self._child.stdin).close()
        try:
            self._child.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        with suppress(queue.Empty):  # whoever listens may be waiting for room
            while True:
                self._lines.get_nowait()
        for thread in self._threads:
            thread.join(timeout=2)
        for stream in (self._child.stdout, self._child.stderr):
            _pipe(stream).close()


def _pipe(stream: IO[str] | None) -> IO[str]:
    assert stream is not None
    return stream


def _lines_of(stream: IO[str] | None) -> Iterator[str]:
    """Yield lines until there are none; of a longer one the first `MOST_LINE` characters."""
    return iter(lambda: _pipe(stream).readline(MOST_LINE), "")


def _status(child: subprocess.Popen[str]) -> str:
    """Return the end of a program in words, with its status or signal."""
    try:
        code = child.wait(timeout=2)
    # A program may close its output and go on running.
    except subprocess.TimeoutExpired:
        return "closed its output"
    return f"ended with status {code}" if code >= 0 else f"was killed by signal {-code}"


def open_engine(argument: str, context: Context) -> EngineAgent:
    """Open `engine:COMMAND`."""
    return EngineAgent(argument, context.system, context.timeout)
