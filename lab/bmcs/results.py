"""Runs of the project's own commands, each kept in a folder as JSON and not run again.

A result is named by its inputs: the words of its command, the runs that it begins with, and the
rules of SAYC. So another size or other rules make another result beside it, and the same command
resumes an interrupted run.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, TypedDict

from bidwright import InvalidError
from bidwright.runtime.files import write_text


class RunRecord(TypedDict):
    """The record of a run.

    Attributes:
        command: the command as it is shown.
        rules: the fingerprint of the rules.
        seconds: the processor time that it took.
        result: the output of the command.
    """

    command: str
    rules: str
    seconds: float
    result: Any


TOP = Path(__file__).resolve().parents[2]
OWN, DEALS = "OWN", "DEALS"
"""In the words of a command: what the run may write, as a path without an ending; solved deals."""
_PLACES = re.compile(rf"{OWN}(?::([\w-]+))?|{DEALS}")


@dataclass(frozen=True)
class Run:
    """A command that is run.

    Attributes:
        name: the name of its result.
        words: the words of the command, from `match`, `train`, ... or `bench/...py` on. `OWN` and
            `DEALS` stand for paths, and `OWN:NAME` for the output of the run of that name.
        silent: further words that only choose the form of the result.
    """

    name: str
    words: tuple[str, ...]
    silent: tuple[str, ...] = ()

    @property
    def needs(self) -> tuple[str, ...]:
        """The names of the runs that it begins with."""
        names = (match[1] for word in self.words for match in _PLACES.finditer(word))
        return tuple(dict.fromkeys(name for name in names if name))


class RunResults:
    """The results of some runs.

    Attributes:
        rows: the runs by name.
        folder: the folder of the results.
        deals: a data set of solved deals.
        rules: the fingerprint of the rules of SAYC.
    """

    def __init__(self, rows: Sequence[Run], folder: Path, deals: Path, rules: str) -> None:
        """Take the runs."""
        self.rows = {row.name: row for row in rows}
        self.folder, self.deals, self.rules = folder, deals, rules

    def shown(self, name: str) -> str:
        """Return the command of a run as it is typed; `bmcs` stands for the folder."""
        row = self.rows[name]
        words = [
            _PLACES.sub(
                lambda found: "deals.npz" if found[0] == DEALS else f"bmcs/{found[1] or name}", word
            )
            for word in row.words
        ]
        program = "python" if words[0].endswith(".py") else "bidwright"
        return f"{program} {shlex.join(words)}"

    def path(self, name: str) -> Path:
        """Return the path of a run's output, without an ending."""
        return self.folder / f"{name}-{self._key(name)}"

    def _key(self, name: str) -> str:
        row = self.rows[name]
        # The keys of the needed runs are part of it, so a change far back makes all that follows
        # anew.
        facts = [*row.words, self.rules, *(self._key(need) for need in row.needs)]
        # Eight digits tell some hundred results apart, and a name can still be typed.
        return sha256("\n".join(facts).encode()).hexdigest()[:8]

    def kept(self, name: str) -> RunRecord | None:
        """Return the record of a run; None if it was not run.

        Raises:
            InvalidError: It cannot be read.
        """
        path = self._kept_at(name)
        try:
            record: RunRecord = json.loads(path.read_text(encoding="utf-8"))
            return record
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise InvalidError(f"expected the result of a run in '{path}': {error}") from None

    def result(self, name: str) -> Any:  # noqa: ANN401 - as the command prints it
        """Return the output of a run's command; None if it was not run."""
        record = self.kept(name)
        return None if record is None else record["result"]

    def _kept_at(self, name: str) -> Path:
        return self.path(name).with_suffix(".result.json")

    def run(self, name: str) -> RunRecord:
        """Return the record of a run, having done it and the runs that it needs if need be.

        Raises:
            InvalidError: The command failed.
        """
        if (before := self.kept(name)) is not None:
            return before
        row = self.rows[name]
        for need in row.needs:
            self.run(need)
        self.folder.mkdir(parents=True, exist_ok=True)
        clock = self.path(name).with_suffix(".seconds")
        # Of an interrupted run the time before counts as well.
        spent = float(json.loads(clock.read_text(encoding="utf-8"))) if clock.exists() else 0.0
        begun = os.times()
        try:
            printed = self._printed(row)
        finally:
            ended = os.times()
            # Processor time of the children: it depends less than a clock on what else the machine
            # does.
            spent += sum(ended[2:4]) - sum(begun[2:4])
            write_text(clock, json.dumps(spent))
        record: RunRecord = {
            "command": self.shown(name),
            "rules": self.rules,
            "seconds": round(spent, 1),
            "result": self._said(row, printed),
        }
        write_text(self._kept_at(name), json.dumps(record, indent=1) + "\n")
        return record

    def _printed(self, row: Run) -> str:
        words = [
            _PLACES.sub(
                lambda found: (
                    str(self.deals) if found[0] == DEALS else str(self.path(found[1] or row.name))
                ),
                word,
            )
            for word in (*row.words, *row.silent)
        ]
        # The interpreter that runs this module, so the commands are those of the same installation.
        script = words[0].endswith(".py")
        start = [str(TOP / words[0])] if script else ["-m", "bidwright", words[0]]
        done = subprocess.run(
            # The standard error stays that of the terminal: progress is shown there.
            [sys.executable, *start, *words[1:]],
            check=False,
            stdout=subprocess.PIPE,
            text=True,
        )
        if done.returncode:
            raise InvalidError(f"exit status {done.returncode} of: {self.shown(row.name)}")
        return done.stdout

    def _said(self, row: Run, printed: str) -> Any:  # noqa: ANN401 - as the command prints it
        """Return the curve of a training run, or the JSON that another command printed or wrote."""
        path = self.path(row.name)
        # A training run prints nothing to read; its log has the curve.
        if (curve := path / "log.jsonl").is_file():
            lines = map(json.loads, curve.read_text(encoding="utf-8").splitlines())
            return [line for line in lines if "imps" in line or "held_out_loss" in line]
        if (written := path.with_suffix(".json")).is_file():
            return json.loads(written.read_text(encoding="utf-8"))
        return json.loads(printed) if printed.startswith(("{", "[")) else None
