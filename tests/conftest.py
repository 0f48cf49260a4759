"""Settings of the test run."""

import gc
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import settings

from bidwright.runtime.garbage import collect_rarely

# Tests never time anything: a busy machine must not make a property fail.
settings.register_profile("bidwright", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None)
settings.load_profile("bidwright")
"""The same examples whenever the tests run; `--hypothesis-profile explore` tries new ones."""

collect_rarely()


@pytest.fixture(autouse=True, scope="module")
def _leave_what_is_kept() -> Iterator[None]:
    """What there is after a file of tests is not looked through for garbage any more.

    Systems and readings that are kept come to gigabytes, and one look at all of them to seconds.
    """
    yield
    gc.freeze()


_SLOWEST_FILES = 25


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """With `--durations`, tell which files take longest: many small tests add up, too."""
    if config.option.durations is None:
        return
    spent: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for each in reports:
            if isinstance(each, pytest.TestReport):
                spent[each.nodeid.partition("::")[0]] += round(1000 * each.duration)
    terminalreporter.section(f"slowest {_SLOWEST_FILES} files")
    for file, milliseconds in spent.most_common(_SLOWEST_FILES):
        terminalreporter.write_line(f"{milliseconds / 1000:.1f}s {file}")
