"""Packages that `pip install .` alone does not bring, with the extras that do."""

from __future__ import annotations

from importlib.util import find_spec

from bidwright.bridge.errors import BidwrightError

EXTRAS = {
    "numba": ("deals", "drawing deals"),
    "matplotlib": ("plots", "drawing plots"),
    "endplay": ("match", "double dummy"),
    "ray": ("cluster", "working on a cluster"),
    "fsspec": ("cluster", "keeping shards at a URL"),
}
"""By package: the extra that has it, and what needs it."""


class MissingExtraError(BidwrightError):
    """A feature needs an extra that is not installed."""


def need(package: str) -> None:
    """Check that a package of an extra is installed.

    Raises:
        MissingExtraError: it is not.
    """
    try:
        is_there = find_spec(package) is not None
    except ValueError:  # it is barred from being imported
        is_there = False
    if not is_there:
        raise MissingExtraError(_sentence(package))


def missing_extra(error: ModuleNotFoundError) -> MissingExtraError | None:
    """Return the error for an import that failed; None if no extra has the package."""
    package = (error.name or "").partition(".")[0]
    return MissingExtraError(_sentence(package)) if package in EXTRAS else None


def _sentence(package: str) -> str:
    extra, what = EXTRAS[package]
    return f"{what} needs {package}, which is not installed: pip install '.[{extra}]' in a checkout"
