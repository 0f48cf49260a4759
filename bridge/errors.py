"""The package's exceptions: what cannot be read, what the Laws forbid, what is unclear.

Messages are lower case, say what was expected, show the input by `repr`, and say where.
"""


class BidwrightError(Exception):
    """Root of every exception that the package raises on purpose.

    Example:
        >>> import bidwright
        >>> try:
        ...     bidwright.open_system("blue_moon")
        ... except bidwright.BidwrightError as error:
        ...     print(str(error)[:17], "...", str(error)[-15:])
        expected a system ... got 'blue_moon'
    """


class InvalidError(BidwrightError, ValueError):
    """The text cannot be read: it is not the notation that was expected.

    Example:
        >>> import bidwright
        >>> try:
        ...     bidwright.parse_call("8NT")
        ... except bidwright.InvalidError as error:
        ...     print(error)
        expected a call (P, X, XX or 1C to 7NT), got '8NT'
    """


class IllegalError(BidwrightError, ValueError):
    """The text reads, but the Laws forbid it or no such deal exists.

    Example:
        >>> import bidwright
        >>> try:
        ...     bidwright.parse_auction("1D 1C")
        ... except bidwright.IllegalError as error:
        ...     print(error)
        illegal call 1C after 1D in auction '1D'
    """


class AmbiguousError(BidwrightError, ValueError):
    """The text has several readings."""


class IllegalCallError(IllegalError):
    """A call that the auction so far does not allow (Laws 18, 19 and 22)."""


_MOST = 400
"""Characters of a sentence."""


def one_sentence(message: str) -> str:
    r"""Return a message in one line of readable length; of a longer one the middle is left out.

    Example:
        >>> one_sentence("expected a seat,  got\n'Q'")
        "expected a seat, got 'Q'"
        >>> len(one_sentence("N" * 10_000))
        400
    """
    return shortened(" ".join(message.split()), _MOST)


def shortened(line: str, most: int) -> str:
    """Return a line of so many characters at most; of a longer one the middle is left out."""
    if len(line) <= most:
        return line
    # Both ends stay: what was expected stands first, place and way out last.
    end = most // 3
    return f"{line[: most - end - 5]} ... {line[-end:]}"
