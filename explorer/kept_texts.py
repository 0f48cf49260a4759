"""The convention files that browsers have opened in the page, kept in memory for each of them."""

from __future__ import annotations

import re
import secrets
from collections import OrderedDict

from bidwright import InvalidError
from bidwright.explorer.page_systems import PageText, file_name
from bidwright.explorer.request_limits import (
    MOST_KEPT,
    MOST_SESSIONS,
    MOST_TEXT,
    MOST_TEXTS,
)

_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


class KeptTexts:
    """Texts by browser; the oldest are forgotten where there are too many."""

    def __init__(self) -> None:
        """Begin without texts."""
        self._browsers: OrderedDict[str, OrderedDict[str, PageText]] = OrderedDict()
        self._size = 0

    def browser(self, token: str | None) -> str:
        """Return the token of a browser: its own if it is known here, else a new one."""
        # A token that nobody was given is not taken over: a page could otherwise set one for its
        # visitor.
        if token is None or not _TOKEN.fullmatch(token) or token not in self._browsers:
            token = secrets.token_urlsafe(32)
        return token

    def keep(self, token: str, name: str, text: str) -> PageText:
        """Keep a text for a browser; return it with its key.

        Raises:
            InvalidError: The text is too long or no text, or its name is none.
        """
        if len(text) > MOST_TEXT:
            raise InvalidError(f"expected a text of at most {MOST_TEXT:,} characters")
        # JSON may have half of a pair of surrogates, which no encoding and no hash takes.
        if not text.isascii():
            try:
                text.encode()
            except UnicodeEncodeError:
                raise InvalidError("expected text, got half a character") from None
        page = PageText(file_name(name), text)
        texts = self._browsers.setdefault(token, OrderedDict())
        self._browsers.move_to_end(token)
        if page.key not in texts:
            texts[page.key] = page
            self._size += len(text)
        texts.move_to_end(page.key)
        while len(texts) > MOST_TEXTS:
            self._size -= len(texts.popitem(last=False)[1].text)
        # A whole browser at a time, the one unused for longest: half of somebody's texts helps
        # nobody.
        while len(self._browsers) > MOST_SESSIONS or self._size > MOST_KEPT:
            _, gone = self._browsers.popitem(last=False)
            self._size -= sum(len(each.text) for each in gone.values())
        return page

    def text(self, token: str | None, key: str) -> PageText | None:
        """Return a text of a browser, None if it is not kept."""
        texts = self._browsers.get(token or "")
        if texts is None or key not in texts:
            return None
        self._browsers.move_to_end(token or "")
        texts.move_to_end(key)
        return texts[key]
