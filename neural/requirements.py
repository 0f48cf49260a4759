"""Requirements of networks that `pip install .` alone does not bring."""

from __future__ import annotations

from importlib.util import find_spec

from bidwright.bridge.errors import BidwrightError


class NeedsTorchError(BidwrightError):
    """Networks are asked for where torch is not installed."""


def need(*packages: str) -> None:
    """Check that packages are installed.

    Raises:
        NeedsTorchError: One is not.
    """
    for package in packages:
        # Only looked for, not imported: torch takes seconds to load.
        if find_spec(package) is None:
            raise NeedsTorchError(
                f"networks need {package}, which is not installed: "
                "pip install '.[neural]' in a checkout"
            )
