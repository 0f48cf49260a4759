"""Settings of the test run."""

from hypothesis import settings

# Tests never time anything: a busy machine must not make a property fail.
settings.register_profile("bidwright", deadline=None)
settings.load_profile("bidwright")
