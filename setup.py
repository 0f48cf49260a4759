"""The packages of the wheel, found by their folders: the root of this tree is `bidwright` itself.

Everything else that a build needs is in pyproject.toml; its `packages.find` cannot give what it
finds the name of the package that the root is.
"""

from setuptools import find_packages, setup

STAYS = ("bench", "examples", "tests")
"""Folders of modules that are not installed."""

setup(
    script_name="setup.py",  # this file, which is no module of the root
    packages=[
        "bidwright",
        *(
            f"bidwright.{name}"
            for name in sorted(find_packages("."))
            if name.partition(".")[0] not in STAYS
        ),
    ],
)
