"""Runs of the program with bad input, what came of them, and the table of that.

A run is the command line in a process that is forked after the imports, so that it costs some
milliseconds; where streams, limits or the environment are what is tried, it is a new program. It
may take so much processor time and memory; what passes either is told as it came.
"""

from __future__ import annotations

import codecs
import os
import resource
import signal
import subprocess
import sys
import time
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

MIB, GIB = 1 << 20, 1 << 30

_MOST_LINES = 300
"""Lines of a message; at most forty mistakes of a file are printed at once, a few lines each."""
_MOST_OUTPUT = 200 * MIB

VERDICTS = ("sentence", "answer", "hang", "memory", "traceback", "other")
"""The outcomes of a run: a sentence that refuses, an answer all the same, or a fault."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of a run.

    Attributes:
        kind: files, streams, servers or environment.
        group: the verb with its option, or the part of the server.
        name: the bad input.
        verdict: one of `VERDICTS`.
        code: the exit code or the status of HTTP; negative for the signal that ended it.
        seconds: of processor time.
        megabytes: of memory at most.
        detail: the beginning of what it said.
    """

    kind: str
    group: str
    name: str
    verdict: str
    code: int
    seconds: float
    megabytes: float
    detail: str

    def row(self) -> dict[str, Any]:
        """Return it as JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Bounds:
    """The limits of a run: seconds of the processor, and bytes of memory beyond the imports."""

    seconds: float = 30.0
    memory: int = GIB


def verdict(code: int, errors: str, output: str, *, hung: bool, memory: int, most: int) -> str:
    """Return the outcome of a run of the command line."""
    if hung:
        return "hang"
    if memory > most:
        return "memory"
    both = errors + output
    # Before the exit code, which an internal error may have in order.
    if "Traceback (most recent call last)" in both or "internal error" in both:
        return "traceback"
    if code not in (0, 1, 2) or errors.count("\n") > _MOST_LINES or steers(both):
        return "other"
    if code and not both.strip():
        return "other"  # refused without a word
    return "sentence" if code else "answer"


def steers(text: str) -> bool:
    """Return True if a text has a character that steers a terminal or cannot be seen."""
    return any(
        unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp") and sign not in "\n\t\r"
        # A set: an output may have millions of signs, and few different ones.
        for sign in set(text)
    )


def forked(
    kind: str,
    group: str,
    name: str,
    words: Sequence[str],
    folder: Path,
    bounds: Bounds,
    stdin: bytes = b"",
) -> Outcome:
    """Run the command line in a forked process.

    Args:
        kind: of the input, as in `Outcome`.
        group: as in `Outcome`.
        name: as in `Outcome`.
        words: the arguments.
        folder: where it runs; what it prints is kept there while it runs.
        bounds: what it may take.
        stdin: what it reads from the standard input.
    """
    files = [folder / f".{each}" for each in ("in", "out", "err")]
    files[0].write_bytes(stdin)
    # Beyond what this process has already by its imports.
    before = _address_space()
    child = os.fork()
    if not child:
        # Half as much more than the bound: what goes beyond it is measured and named `memory`, and
        # a limit at the bound would make a MemoryError, a sentence, of it.
        _in_child(words, folder, files, before + bounds.memory * 3 // 2)
    code, hung, usage = _waited(child, bounds.seconds)
    return _outcome(kind, group, name, code, hung, usage, files[1:], bounds)


def _in_child(words: Sequence[str], folder: Path, files: Sequence[Path], most: int) -> None:
    """Run the command line and end the process."""
    code = 70
    try:
        # A group of its own, so that what it starts is ended with it.
        os.setpgid(0, 0)
        os.chdir(folder)
        for number, path in enumerate(files):
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC if number else os.O_RDONLY
            os.dup2(os.open(path, flags, 0o600), number)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - to the end
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        # A run that prints without end would fill the disk within its 30 seconds.
        resource.setrlimit(resource.RLIMIT_FSIZE, (_MOST_OUTPUT, _MOST_OUTPUT))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        from bidwright.cli import main

        code = main(list(words))
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 1
    except BaseException as error:  # what main lets through is a fault
        print(f"Traceback (most recent call last): {error!r}", file=sys.stderr)
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        # Not `sys.exit`: the parent's handlers at exit would run once more, on its files.
        os._exit(code & 0xFF)


def started(
    kind: str,
    group: str,
    name: str,
    command: str,
    folder: Path,
    bounds: Bounds,
    environment: Mapping[str, str] | None = None,
) -> Outcome:
    """Run a command of the shell; `$B` stands for the program.

    Args:
        kind: of the input, as in `Outcome`.
        group: as in `Outcome`.
        name: as in `Outcome`.
        command: for bash.
        folder: where it runs.
        bounds: what it may take.
        environment: all variables that it has; not given: those of this process.
    """
    files = [folder / ".out", folder / ".err"]
    # A limit on the size of files would cut the interpreter's own, and each run after it would
    # fail to decode them. `-B` keeps it from writing any.
    program = f"{sys.executable}{' -B' if 'ulimit -f' in command else ''} -m bidwright"
    with files[0].open("wb") as out, files[1].open("wb") as err:
        process = subprocess.Popen(
            # The shell, since streams that are closed, full or cut are made with its redirections.
            ["bash", "-c", command.replace("$B", program)],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            process_group=0,
        )
    code, hung, usage = _waited(process.pid, bounds.seconds)
    process.returncode = code  # it was waited for
    return _outcome(kind, group, name, code, hung, usage, files, bounds)


def _outcome(
    kind: str,
    group: str,
    name: str,
    code: int,
    hung: bool,
    usage: resource.struct_rusage,
    files: Sequence[Path],
    bounds: Bounds,
) -> Outcome:
    output, errors = (_text(path) for path in files)
    memory = usage.ru_maxrss * 1024
    what = verdict(code, errors, output, hung=hung, memory=memory, most=bounds.memory)
    message = (errors.strip() or output.strip())[:300]
    seconds = usage.ru_utime + usage.ru_stime
    return Outcome(kind, group, name, what, code, round(seconds, 2), memory / MIB, message)


def _text(path: Path) -> str:
    with path.open("rb") as file:
        content = file.read(4 * MIB)
    # In runs that set the encoding of the output; the marks of UTF-16 read as UTF-8 looked like
    # characters that steer a terminal.
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return content.decode("utf-16" if wide else "utf-8", errors="replace")


def _waited(child: int, seconds: float) -> tuple[int, bool, resource.struct_rusage]:
    """Wait for a process, end it when its time is over; return its code and what it took."""
    patience = Patience(child, seconds)
    pause = 0.002
    while True:
        ended, status, usage = os.wait4(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status), False, usage
        if patience.is_over():
            break
        time.sleep(pause)
        # Most runs end in milliseconds; those that do not are looked at five times a second.
        pause = min(pause * 1.5, 0.2)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    _, status, usage = os.wait4(child, 0)
    return os.waitstatus_to_exitcode(status), True, usage


class Patience:
    """The time that a process and those that it started may take, whatever else the machine does.

    Time of the processor counts, and time in which none of them runs or waits for a processor. A
    process that others keep from running costs nothing, so that a busy machine makes no hang.

    Attributes:
        process: the number of the first of them.
        seconds: how long they may take of the processor, and how long they may all wait.
    """

    def __init__(self, process: int, seconds: float) -> None:
        """Begin to count for a process."""
        self.process = process
        self.seconds = seconds
        self._began = _processor_seconds(process)[0]
        self._idle = 0.0
        self._used, self._seen = self._began, time.monotonic()

    def is_over(self) -> bool:
        """Look at the processes; tell whether they took or waited for as long as they may."""
        used, runnable = _processor_seconds(self.process)
        now = time.monotonic()
        # A process that waits for a processor is runnable, and its time does not count: on a busy
        # machine what was only slow was reported as a hang.
        if used == self._used and not runnable:
            self._idle += now - self._seen
        elif used != self._used:
            self._idle = 0.0
        self._used, self._seen = used, now
        return used - self._began > self.seconds or self._idle > self.seconds


def _processor_seconds(process: int) -> tuple[float, bool]:
    """Return the seconds that a process and those below it took, and if one of them can run."""
    total, runnable, left = 0.0, False, [process]
    while left:
        number = left.pop()
        with suppress(OSError, IndexError, ValueError):
            # After the last parenthesis: the name of a program stands in parentheses and may have
            # any letters.
            words = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
            # Its own time and that of children it has waited for, in user and system mode.
            total += sum(map(int, words[11:15])) / os.sysconf("SC_CLK_TCK")
            for task in Path(f"/proc/{number}/task").iterdir():
                state = (task / "stat").read_text().rpartition(")")[2].split()[0]
                runnable |= state in "RD"
                left += map(int, (task / "children").read_text().split())
    return total, runnable


def _address_space() -> int:
    return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def table(outcomes: Iterable[Outcome], by: str = "kind") -> list[str]:
    """Return the lines of a table: how many runs of each kind came to what."""
    counts: dict[str, Counter[str]] = {}
    for outcome in outcomes:
        row = counts.setdefault(str(getattr(outcome, by)), Counter())
        row[outcome.verdict] += 1
    total: Counter[str] = sum(counts.values(), Counter())
    width = max(map(len, [*counts, "together"]))
    heads = ("tried", "sentence", "answer", "hang", "memory", "traceback", "other")
    lines = [f"{by:{width}}" + "".join(f"{head:>11}" for head in heads)]
    for name, row in [*counts.items(), ("together", total)]:
        numbers = [sum(row.values()), *(row[each] for each in VERDICTS)]
        lines.append(f"{name:{width}}" + "".join(f"{number:>11,}" for number in numbers))
    return lines
