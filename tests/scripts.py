"""The scripts of the tree as modules; they are no part of the package."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parents[1] / "scripts"


def script(name: str) -> Any:  # noqa: ANN401 - type checkers do not see what a script has
    """Return a script as a module, loaded anew: what a test changes in it is its own."""
    spec = importlib.util.spec_from_file_location(name, _FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look there
    spec.loader.exec_module(module)
    return module
