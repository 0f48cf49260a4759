"""The packages of the wheel, found by their folders: the root of this tree is `bidwright` itself.

Everything else that a build needs is in pyproject.toml; its `packages.find` cannot give what it
finds the name of the package that the root is.

A wheel has its systems compiled and checked: nobody waits for that after an installation. An
editable install has not, and works it out on first use. Where `BIDWRIGHT_PACKED` names systems,
such as `sayc`, the wheel has only those compiled, which is enough to try a wheel; the others are
worked out on first use, as in an editable install.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

STAYS = ("bench", "examples", "tests")
"""Folders of modules that are not installed."""


class BuildWithSystems(build_py):
    """Copies the modules, and puts beside them what they make of the systems that they come with.

    That takes minutes of processor time for all of them. Where `BIDWRIGHT_CACHE` names a folder,
    what the same code has made of the same systems before is taken from there.
    """

    def run(self) -> None:
        """Copy the modules, then compile and check the systems with the copy."""
        super().run()
        if self.editable_mode:
            return
        root = Path(self.build_lib).resolve()
        packaged = root / "bidwright" / "runtime" / "packaged"
        shutil.rmtree(packaged, ignore_errors=True)
        with TemporaryDirectory() as scratch:
            pack = [sys.executable, "-m", "bidwright.authoring.checking.packaging", str(packaged)]
            subprocess.run(
                [*pack, *os.environ.get("BIDWRIGHT_PACKED", "").split()],
                cwd=scratch,
                check=True,
                env={
                    "BIDWRIGHT_CACHE": scratch,
                    **os.environ,
                    # pip gives an isolated build its packages by a path of its own, which another
                    # process does not inherit.
                    "PYTHONPATH": os.pathsep.join([str(root), *filter(None, sys.path)]),
                    "PYTHONDONTWRITEBYTECODE": "1",
                },
            )
        sizes = [entry.stat().st_size for entry in packaged.iterdir()]
        print(f"compiled systems: {len(sizes)} entries, {sum(sizes) / 1e6:.1f} MB")


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
    cmdclass={"build_py": BuildWithSystems},
)
