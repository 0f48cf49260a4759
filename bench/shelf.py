"""The shelf of conventions: each module alone and on a system, its examples and what is proved.

    python bench/shelf.py --system sayc --prove dont rkcb

Without names all modules are taken. A module is checked alone, then included after the system, with
all examples of both. Prints lines, rules, examples that bid as stated, problems, and with --prove
what `check --prove` said last, and the CPU seconds: where others work too, these are what
can be compared.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

from bidwright.kb.loading.load import systems_root
from bidwright.lab.ending import ended

SHELF = systems_root() / "conventions"

VALUES = {
    ("sayc", "baron"): "invite = 8..9, slam = 16..17, more = 17+",
    ("sayc", "multi"): "strong = 22..23",
}
"""Values of a module's parameters that go with a system, as the module's first lines give them."""


def names() -> list[str]:
    """Return the modules of the shelf."""
    files = (each.name for each in SHELF.iterdir())
    return sorted(name.removesuffix(".bid") for name in files if name.endswith(".bid"))


def checked(path: str, cache: str, *, prove: bool) -> tuple[str, float]:
    """Return the last line of `check` for a file, and its CPU seconds."""
    command = [str(Path(sys.executable).with_name("bidwright")), "check", path]
    if prove:
        command += ["--prove", "--jobs", "1"]
    before = getrusage(RUSAGE_CHILDREN)
    done = subprocess.run(
        command, env={**os.environ, "BIDWRIGHT_CACHE": cache}, capture_output=True, text=True
    )
    after = getrusage(RUSAGE_CHILDREN)
    if done.returncode > 1:
        sys.exit(done.stderr or f"check {path} ended with {done.returncode}")
    summary = done.stdout.strip().rsplit("\n", 1)[-1].partition(": ")[2]
    if not summary:  # `check` was ended from outside, or had nothing to say
        summary = f"no summary, exit {done.returncode}: {done.stderr.strip()[-100:]}"
    return summary, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Check the modules asked for, and print a line for each as it is done."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("modules", nargs="*", default=names())
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--alone", action="store_true", help="leave the system out")
    parser.add_argument("--prove", action="store_true")
    options = parser.parse_args()
    table = Table("module", "lines", "alone", "s", f"on {options.system}", "s")
    with TemporaryDirectory() as folder:
        for name in options.modules:
            path = str(SHELF / f"{name}.bid")
            lines = len(Path(path).read_text(encoding="utf-8").splitlines())
            alone, seconds = checked(path, folder, prove=options.prove)
            row = [name, str(lines), alone, f"{seconds:.1f}", "", ""]
            if not options.alone:
                both = Path(folder) / f"on_{name}.bid"
                values = VALUES.get((options.system, name), "")
                given = f"{name}({values})" if values else name
                both.write_text(f'system on "On"\n\ninclude {options.system}\ninclude {given}\n')
                summary, seconds = checked(str(both), folder, prove=options.prove)
                row[4:] = [summary, f"{seconds:.1f}"]
            print(" | ".join(row), file=sys.stderr, flush=True)
            table.add_row(*row)
    Console().print(table)


if __name__ == "__main__":
    sys.exit(ended(main))
