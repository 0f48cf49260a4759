"""Bid random deals by rules and check every call, and on a sample what follows from the calls.

    python bench/soundness.py --system sayc --calls 1000000 --out sayc.sound --jobs 2
    python bench/soundness.py --system acol --calls 1000000 --among random --out acol.sound

Rule bidders sit in all seats, or (`--among random`) against opponents who call at random. Counted
are hands outside what their calls show, positions without a rule, illegal calls and calls that
contradict their maker's earlier ones; on every 500th deal (`--sample`) drawn deals, odds and the
reasons of explanations are checked, too (`bench/soundness_checks.py`). What is found is kept in the
file: a run that was killed goes on. `--cluster` and `--shards` are those of `match`. Exit status 1
if there is a fault, 2 for bad input.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from itertools import count
from pathlib import Path
from typing import Any

from bidwright.bench.soundness_checks import FAULTS, Task, prepare
from bidwright.bridge.errors import BidwrightError
from bidwright.kb.loading.compiled import open_system
from bidwright.lab.ending import ended
from bidwright.runtime.code import code_key
from bidwright.runtime.crew import Crew, work
from bidwright.runtime.garbage import collect_rarely
from bidwright.runtime.journal import Journal
from bidwright.runtime.progress import counting

Json = dict[str, Any]

_CHUNK = 20
"""Deals that a process checks at a time."""
_SHOWN = 20
"""Faults that are printed."""


def parsed(words: Sequence[str] | None) -> argparse.Namespace:
    """Return the arguments."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--system", default="sayc")
    parser.add_argument("--among", choices=("self", "random"), default="self")
    parser.add_argument("--calls", type=int, default=200_000, help="calls of rule bidders")
    parser.add_argument("--sample", type=int, default=500, help="look into every so many-th deal")
    parser.add_argument("--out", type=Path, required=True, help="keeps what is found")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--cluster", help="work on a Ray cluster there, or auto")
    parser.add_argument("--shards", help="keep pieces of work there: a folder, or a URL")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args(words)
    collect_rarely()
    if min(given.jobs, given.sample, given.calls) < 1 or given.seed < 0:
        parser.error("expected at least one call, process and deal to look into, and a seed from 0")
    return given


def header_of(task: Task) -> Json:
    """Return the settings that decide the results."""
    rules = open_system(task.system)
    code = code_key("bridge", "kb", "inference")[:16]
    return {"soundness": asdict(task), "rules": rules.fingerprint, "code": code, "chunk": _CHUNK}


def run(task: Task, calls: int, out: Path, crew: Crew) -> tuple[Counter[str], list[str]]:
    """Check until so many calls were made; return what was counted, and the faults."""
    counts: Counter[str] = Counter()
    faults: list[str] = []
    about = header_of(task)
    header = json.dumps(about).encode() + b"\n"
    with Journal(out, header, "results of this check of these rules") as journal:
        lines = journal.content.splitlines()
        for line in lines:
            more, messages = json.loads(line)
            counts.update(more)
            faults += messages
        chunks = (range(at * _CHUNK, (at + 1) * _CHUNK) for at in count(len(lines)))
        with (
            closing(work(crew, prepare, (task,), chunks, about)) as results,
            counting(calls, "checking", "calls") as progress,
        ):
            progress.show(counts["calls"])
            while counts["calls"] < calls:
                more, messages = next(results)
                journal.add(json.dumps([more, messages]).encode() + b"\n")
                counts.update(more)
                faults += messages
                progress.show(counts["calls"], f"{sum(counts[kind] for kind in FAULTS)} faults")
    return counts, faults


def main(words: Sequence[str] | None = None) -> int:
    """Run the check and print the counts; return the exit status."""
    given = parsed(words)
    task = Task(given.system, given.among, given.seed, given.sample)
    try:
        counts, faults = run(
            task, given.calls, given.out, Crew(given.jobs, given.cluster, given.shards)
        )
    except BidwrightError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"stopped; {given.out} keeps what was found", file=sys.stderr)
        return 130
    for fault in faults[:_SHOWN]:
        print(fault)
    if len(faults) > _SHOWN:
        print(f"and {len(faults) - _SHOWN} more")
    result = {**header_of(task), **dict.fromkeys(FAULTS, 0), **counts}
    print(f"{given.system}, rules {result['rules'][:16]}, among {given.among}:")
    print("  ".join(f"{kind} {counts[kind]:,}" for kind in sorted({*FAULTS, *counts})))
    if given.json:
        given.json.write_text(json.dumps({**result, "faults": faults}, indent=2) + "\n")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(ended(main))
