"""Limits on questions to the explorer: sizes, numbers, seconds."""

from __future__ import annotations

MOST_TARGET = 4_096
"""Bytes of the path and the query of a request."""

MOST_HEAD = 32_768
"""Bytes of the first line and the headers of a request that are not yet all there."""

MOST_CONNECTIONS = 1_000
"""Clients that are connected at once."""

MOST_BODY = 400_000
"""Bytes of the body of a request."""

MOST_AUCTION = 600
"""Characters of an auction as it is typed; the longest auction has 319 calls."""

MOST_TYPED = 20_000
"""Characters of an auction that is typed, which may be a board or a link."""

MOST_TEXT = 200_000
"""Characters of a convention file of the page."""

MOST_PASTED = 300_000
"""Characters of boards that are pasted."""

MOST_BOARDS = 64
"""Boards of a pasted text that are read."""

MOST_REVIEWED = 32
"""Boards of a pasted text that are held against the systems in one report."""

MOST_QUESTION = 120
"""Characters of a question about the odds."""

MOST_DEALS = 24
"""Deals that are shown of a sample."""

MOST_SEED = 2**31 - 1
"""The largest seed."""

MOST_SESSIONS = 256
"""The most browsers with texts; the one unused for longest is forgotten."""

MOST_TEXTS = 8
"""Texts that are kept for a browser, the last ones."""

MOST_KEPT = 32_000_000
"""Characters of all texts that are kept."""

MOST_WAITING = 400
"""Requests that may wait for an answer at once."""

MOST_REMEMBERED = 64 * 2**20
"""Bytes of answers that are remembered."""

SECONDS = 45.0
"""Seconds until an answer is given up, those spent waiting for a process included."""

LONG_SECONDS = 120.0
"""The same for long answers: comparing two systems, proofs."""

SECONDS_OF_BODY = 10.0
"""The time limit, in seconds, on the body of a request."""
