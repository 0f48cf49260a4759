"""Settings of the test run."""

import atexit
import gc
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from bidwright.runtime import cache, progress

# Tests never time anything: a busy machine must not make a property fail.
settings.register_profile("bidwright", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None)
settings.load_profile("bidwright")
"""The same examples whenever the tests run; `--hypothesis-profile explore` tries new ones."""

_CACHE = "BIDWRIGHT_CACHE"


def pytest_configure() -> None:
    """Keep compiled systems, bids and proofs out of the user's cache, between runs and workers.

    It is the folder that `scripts/check.sh` uses. Keys are hashes of texts and code; tests of the
    cache have folders of their own.
    """
    if _CACHE not in os.environ:
        script = Path(__file__).parents[1] / "scripts" / "changed.py"
        words = [sys.executable, str(script), "--cache-folder"]
        os.environ[_CACHE] = subprocess.check_output(words, text=True).strip()
    cache.first_cache_folder()  # machine code is found there whatever folder a test chooses


progress._SECONDS_BETWEEN_LINES = 3600.0
"""No signs of life: a busy machine must not write to the standard error that a test looks at."""


gc.disable()
"""Garbage is looked for between files: nearly all that a test makes is kept, and looks at it while
it is made took an eighth of the time."""

_WORTH_A_LOOK = 600_000
"""Blocks of memory, some 130 bytes each, that a file of tests may leave without a look at them."""


@pytest.fixture(autouse=True, scope="module")
def _look_for_garbage_once() -> Iterator[None]:
    """Look for garbage after a file that left much; what stays is not looked through again.

    Systems and readings that are kept come to gigabytes, and one look at all of them to seconds.
    """
    before = sys.getallocatedblocks()
    yield
    if sys.getallocatedblocks() - before > _WORTH_A_LOOK:
        gc.collect()
    gc.freeze()


_LEAVE = "BIDWRIGHT_TESTS_LEAVE"
"""The variable that has a process of tests leave as soon as it has told its results."""

_status = [0]


def pytest_sessionfinish(exitstatus: int) -> None:
    """Keep the exit status for the end."""
    _status[0] = int(exitstatus)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    """Leave at once: to take gigabytes of kept systems and readings apart takes a minute."""
    if _LEAVE in os.environ:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(_status[0])


_PROCESSOR = "processor seconds"
_SLOWEST_FILES = 25


def _processor_seconds() -> float:
    """Return the processor time of this process, and of those it started that have ended."""
    return sum(os.times()[:4])


_counted = [_processor_seconds()]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Give a report the processor time since the one before it."""
    report = yield
    before, _counted[0] = _counted[0], _processor_seconds()
    report.user_properties.append((_PROCESSOR, _counted[0] - before))
    return report


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """With `--durations`, tell which files take most processor time: small tests add up, too.

    Where `BIDWRIGHT_TESTS_TIMES` names a file, what each test took is written there.
    """
    if config.option.durations is None:
        return
    tests: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for each in reports:
            if isinstance(each, pytest.TestReport):
                spent = dict(each.user_properties).get(_PROCESSOR, 0.0)
                tests[each.nodeid] += round(1000 * float(str(spent)))
    files: Counter[str] = Counter()
    for test, milliseconds in tests.items():
        files[test.partition("::")[0]] += milliseconds
    total = sum(files.values()) / 1000
    terminalreporter.section(f"{total:.0f} seconds of processor time; the files with most")
    for file, milliseconds in files.most_common(_SLOWEST_FILES):
        terminalreporter.write_line(f"{milliseconds / 1000:.1f}s {file}")
    if written := os.environ.get("BIDWRIGHT_TESTS_TIMES"):
        lines = (
            f"{milliseconds / 1000:.3f} {test}\n" for test, milliseconds in tests.most_common()
        )
        Path(written).write_text("".join(lines), encoding="utf-8")
