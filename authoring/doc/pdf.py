"""HTML as PDF, printed by the Chromium of the system."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from bidwright.bridge.errors import InvalidError
from bidwright.bridge.regular_files import read_regular

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""Browsers that print, by the names of their programs."""

_MOST_BYTES = 64_000_000
"""The largest PDF that is read back."""

_SECONDS = 120
"""The time for a browser."""


class NoPrinterError(InvalidError):
    """There is no browser that prints, or it did not."""


def printer() -> str | None:
    """Return the path of a browser that prints; None if there is none."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


def need_printer() -> str:
    """Return the path of a browser that prints.

    Raises:
        NoPrinterError: there is none.
    """
    program = printer()
    if program is None:
        raise NoPrinterError(
            "expected Chromium or Chrome on this machine to write PDF, found neither: install one,"
            " or write HTML (-o card.html) and print it from a browser"
        )
    return program


def to_pdf(html: str) -> bytes:
    """Return an HTML document as PDF, on pages as its style says.

    Raises:
        NoPrinterError: no browser was found, or it printed nothing.
    """
    program = need_printer()
    with TemporaryDirectory(prefix="bidwright-") as folder:
        page, printed = Path(folder, "page.html"), Path(folder, "page.pdf")
        page.write_text(html, encoding="utf-8")
        command = [
            *(program, "--headless", "--disable-gpu", "--no-pdf-header-footer"),
            # A profile of its own: a browser that is open already would take the command, and print
            # nothing.
            *(f"--user-data-dir={folder}/profile", f"--print-to-pdf={printed}", page.as_uri()),
        ]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            command.insert(1, "--no-sandbox")  # it does not start as root with it
        try:
            subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise NoPrinterError(_failed(program, str(error))) from None
        if not printed.exists():
            raise NoPrinterError(_failed(program, "it printed nothing"))
        return read_regular(printed, _MOST_BYTES)


def _failed(program: str, why: str) -> str:
    return (
        f"{program} did not write the PDF ({why}):"
        " write HTML (-o card.html) and print it from a browser"
    )
