"""Settings of the test run."""

from hypothesis import settings

from bidwright.runtime.garbage import collect_rarely

# Tests never time anything: a busy machine must not make a property fail.
settings.register_profile("bidwright", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None)
settings.load_profile("bidwright")
"""The same examples whenever the tests run; `--hypothesis-profile explore` tries new ones."""

collect_rarely()
