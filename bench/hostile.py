"""Bad inputs by kind, fed to the product: is each refused in a sentence, or does it harm?

    python bench/hostile.py
    python bench/hostile.py --only files --group import --json hostile.json
    python bench/hostile.py --only files --sort .pbn

Files: pipes, devices, folders, links, sparse, damaged, and texts that attack, through every verb
that reads such a file. Formats: what the words of a format make possible, as files that include and
repeat one another. Streams: closed, full, and of encodings that lack letters. Environment: no home,
caches that strangers fill, odd widths, little memory or room, files that change while they are
read. Servers: `serve` and `rest`, asked what no page asks, by too many that never end a request.
All happens below a temporary folder, and on this machine only.

What comes of a run: `sentence` (refused, exit code 1 or 2), `answer` (it could be used all the
same), `hang` (over 30 seconds of processor time, or as long without running at all), `memory`
(over 1 GB), `traceback` (an internal error, or status 500), `other` (a signal, a refusal without a
word, more lines than anybody reads, or characters that steer a terminal). The last four are
faults; each is printed, and there is exit code 1. Files that the user may not read are not tried as
root. Needs Linux.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import bidwright
from bidwright.bench.hostile_formats import LARGE, format_inputs
from bidwright.bench.hostile_inputs import (
    LIN,
    SYSTEM,
    YAML,
    convention_texts,
    damaged,
    forged,
    odd_files,
)
from bidwright.bench.hostile_runs import Bounds, Outcome, forked, started, table
from bidwright.cli import VERBS
from bidwright.kb.language.format import reformat
from bidwright.lab.ending import ended

HAND = "AKQ2.AKQ2.AK2.32"
_IMPORTED = ("bridge", "runtime", "kb", "inference", "neural", "match", "authoring")
_FAULTS = ("hang", "memory", "traceback", "other")
_KEPT_EVERY = 50
"""Runs between two writings of all outcomes: a long run that was ended leaves the last ones."""
_COPY = "@"
"""Stands in a command for the bad file."""

CONVENTION = [
    f"explain 1C --system {_COPY}",
    f"explain 1C --ns {_COPY} --ew good.bid",
    f"bid {HAND} --system {_COPY}",
    f"bid {HAND} --agent rules:{_COPY}",
    f"rules {_COPY}",
    f"coverage --quiet {_COPY}",
    f"mutate --quiet --limit 1 {_COPY}",
    f"sweep opening.1C:12..14 --boards 2 --no-match --quiet --system {_COPY}",
    f"diff --quiet --deals 20 --positions 2 {_COPY} good.bid",
    f"diff --quiet --deals 20 --positions 2 good.bid {_COPY}",
    f"fmt --check {_COPY}",
    f"fmt {_COPY}",
    f"check {_COPY}",
    f"check --prove --jobs 1 {_COPY}",
    f"check --vs {_COPY} --prove --jobs 1 good.bid",
    f"test {_COPY}",
    f"doc --quiet {_COPY}",
    f"doc --quiet --format bss {_COPY}",
    f"new --force --base {_COPY} made.bid",
    f"sample 1C -n 2 --quiet --system {_COPY}",
    f"deal --auction 1C -n 1 --system {_COPY}",
    f"match rules:{_COPY} pass --boards 1 --quiet",
    f"match rules:good.bid pass --system-b {_COPY} --boards 1 --quiet",
    f"review good.pbn --system {_COPY}",
    f"verify good.jsonl --quiet --theirs-a {_COPY}",
    f"train data --quiet -n 2 --system {_COPY} -o made.npz",
    f"audit --quiet --boards 1 rules:{_COPY}",
    f"engine --agent rules:{_COPY}",
    f"reproduce {_COPY}",
]
BOARDS = [
    f"review --system good.bid {_COPY}",
    f"match pass pass --quiet --boards 1 --deals {_COPY}",
    f"bid --quiet --pbn {_COPY} --system good.bid -o made.pbn",
    f"find --quiet --system good.bid 'passed out' {_COPY}",
    f"explain --pbn {_COPY} --annotate --system good.bid",
    f"train data --quiet --from {_COPY} --system good.bid -o made.npz",
    f"coverage --quiet good.bid --corpus {_COPY}",
    f"mutate --quiet --limit 1 good.bid --corpus {_COPY}",
    f"check --prove --jobs 1 good.bid --corpus {_COPY}",
]
RECORDS = [
    f"coverage --quiet good.bid --corpus {_COPY}",
    f"train data --quiet --from {_COPY} --system good.bid -o made.npz",
]
NOTES = [f"import {_COPY}", f"import {_COPY} -o made.bid --force --report made.txt"]
MATCHES = [
    f"verify --quiet {_COPY}",
    f"report {_COPY} --out made.html",
    f"match rules:good.bid pass --boards 2 --quiet --out {_COPY}",
]
WEIGHTS = [
    f"bid {HAND} --agent policy:{_COPY}",
    f"bid {HAND} --agent hybrid:{_COPY}",
    f"match policy:{_COPY} pass --boards 1 --quiet",
    f"audit --quiet --boards 1 {_COPY}",
    f"train compare {_COPY} good.safetensors --deals solved.npz --last 2",
    f"train experts --quiet --policy {_COPY} -n 1 -o made.npz",
    f"train positions --quiet --policy {_COPY} -n 1 -o made.npz",
]
ARRAYS = [
    f"train sl --quiet --data {_COPY} --set steps=1 --out made_run",
    f"train tricks --quiet --deals {_COPY} --set steps=1 --out made_run",
    f"train allowed --quiet --data {_COPY} --set steps=1 --out made_run",
    f"train belief --quiet --data {_COPY} --set steps=1 --out made_run",
    f"train belief --quiet --positions {_COPY} --set steps=1 --out made_run",
    f"train compare good.safetensors good.safetensors --last 2 --deals {_COPY}",
    f"train positions --quiet --data {_COPY} -n 1 -o made.npz",
]
KEPT = [
    f"solve --quiet -n 2 -o {_COPY}",
    f"train data --quiet -n 2 --system good.bid -o {_COPY}",
    f"match pass pass --boards 1 --quiet --known {_COPY}",
    f"mutate --quiet --limit 1 good.bid --out {_COPY}",
]

FILES: dict[str, tuple[str, list[str]]] = {
    ".bid": ("good.bid", CONVENTION),
    ".pbn": ("good.pbn", [f"explain --pbn {_COPY}", f"solve --pbn {_COPY}", *BOARDS]),
    ".lin": ("good.lin", [f"explain --lin {_COPY}", *BOARDS]),
    ".jsonl": ("corpus.jsonl", RECORDS),
    ".bml": ("good.bml", NOTES),
    ".bss": ("good.bss", NOTES),
    ".bbsa": ("good.bbsa", [*NOTES, f"new --force --card {_COPY} made.bid"]),
    ".bboalert": ("good.bboalert", NOTES),
    ".match.jsonl": ("good.jsonl", MATCHES),
    ".safetensors": ("good.safetensors", WEIGHTS),
    ".npz": ("corpus.npz", ARRAYS),
    ".yaml": ("good.yaml", [f"train sl --quiet --data corpus.npz --config {_COPY} --out made_run"]),
    ".kept": ("good.bid", KEPT),
}
"""For each sort of file a good one, and the commands that read one."""

_OTHERS = "others"
SORTS = (*FILES, _OTHERS)
"""Sorts of files, and the rest: texts that attack, standard input, what lies beside, forgeries."""

ON_STANDARD_INPUT = ["fmt -", "explain --jsonl", "explain -", "engine --agent rules:good.bid"]


def prepared(folder: Path, bounds: Bounds) -> None:
    """Write good files of every sort, made by the product itself.

    Raises:
        SystemExit: One could not be made.
    """
    (folder / "good.bid").write_text(SYSTEM, encoding="utf-8")
    (folder / "good.lin").write_text(LIN, encoding="utf-8")
    (folder / "good.yaml").write_text(YAML, encoding="utf-8")
    shipped = Path(__file__).parents[1] / "neural" / "shipped"
    shutil.copy(shipped / "sayc_sl.safetensors", folder / "good.safetensors")
    for words in (
        "match rules:good.bid pass --boards 2 --quiet --out good.jsonl --pbn good.pbn",
        "doc --quiet good.bid --format bml -o good.bml",
        "doc --quiet good.bid --format bss -o good.bss",
        "doc --quiet good.bid --format bboalert -o good.bboalert",
        "doc --quiet sayc --format bbsa -o good.bbsa",
        "train data --quiet --system good.bid -n 4 -o corpus.npz",
        "solve --quiet -n 2 -o solved.npz",
        "sample 1C --system good.bid -n 3 --quiet --format jsonl --out corpus.jsonl",
    ):
        outcome = forked("files", "good", words, words.split(), folder, bounds)
        if outcome.code:
            sys.exit(f"{words}: {outcome.detail}")


# ------------------------------------------------------------------------- files


def file_runs(
    folder: Path, bounds: Bounds, seed: int, group: str, sorts: Sequence[str] = SORTS
) -> Iterator[Outcome]:
    """Feed files that are odd or damaged to every verb that reads such a file.

    Args:
        folder: where the files are made.
        bounds: what a run may take.
        seed: what is random is drawn from it and the sort of file.
        group: a part of the commands.
        sorts: those of `SORTS` that are fed.
    """
    for suffix, (good, commands) in FILES.items():
        if suffix not in sorts:
            continue
        rng = random.Random(f"{seed} {suffix}")
        content = (folder / good).read_bytes()
        odd = folder / f"odd{suffix}"
        paths = [*odd_files(odd, suffix, content, rng)]
        bad = [*paths, *damaged(folder / f"damaged{suffix}", suffix, content, rng)]
        for command in commands:
            if group not in command:
                continue
            for path in bad:
                yield _fed(command, path, folder, bounds)
        shutil.rmtree(odd)
    if _OTHERS in sorts:
        yield from _texts(folder, bounds, group)
        yield from _standard_input(folder, bounds, random.Random(seed), group)
        yield from _beside(folder, bounds, group)
        yield from _forgeries(folder, bounds, group)


def _fed(command: str, path: Path, folder: Path, bounds: Bounds) -> Outcome:
    """Give one command one bad file, which it may write over: it gets a copy of a regular one."""
    used = path
    writes = not {"fmt", "solve", "match", "mutate", "train"}.isdisjoint(command.split()[:1])
    if writes and path.is_file() and not path.is_symlink() and path.stat().st_size < 1 << 24:
        used = folder / f"copy_of_{path.name}"
        shutil.copy(path, used)
    words = [word.replace(_COPY, str(used)) for word in shlex.split(command)]
    if path.suffix == ".yaml" and path.is_file() and not _has_settings(path):
        words += ["--set", "steps=1"]  # a file without a setting asks for a whole training
    outcome = forked("files", command, path.name, words, folder, bounds)
    if used is not path:
        used.unlink(missing_ok=True)
    for output in folder.glob("made*"):
        shutil.rmtree(output) if output.is_dir() else output.unlink()
    return outcome


def _has_settings(path: Path) -> bool:
    """Return True if anything but blanks stands within the first bytes of a file."""
    with path.open("rb") as file:
        return bool(file.read(1 << 16).strip())


def _texts(folder: Path, bounds: Bounds, group: str) -> Iterator[Outcome]:
    """Feed convention files that attack their reader to the verbs that do most with a text."""
    where = folder / "texts"
    where.mkdir()
    for name, text in convention_texts():
        path = where / f"{name}.bid"
        path.write_text(text, encoding="utf-8", newline="")
        for command in (f"check {_COPY}", f"explain 1C --system {_COPY}", f"fmt --check {_COPY}"):
            if group in command:
                yield _fed(command, path, folder, bounds)
        if name.startswith("injected") and group in "doc":
            yield _fed(f"doc --quiet {_COPY}", path, folder, bounds)


def _standard_input(
    folder: Path, bounds: Bounds, rng: random.Random, group: str
) -> Iterator[Outcome]:
    """Write bad requests and texts to the verbs that read the standard input."""
    text = SYSTEM.encode()
    auction = b'{"id": 1, "auction": %s, "hand": "AKQ2.AKQ2.AK2.32"}\n'
    inputs = {
        "nothing": b"",
        "bytes": rng.randbytes(5_000),
        "nul": text + b"\0" * 1_000,
        "not_utf8": text.replace(b"A", b"\xf3\xa9"),
        "utf16": SYSTEM.encode("utf-16"),
        "marks": SYSTEM.replace("c", "\u202e").encode(),
        "deep": b"[" * 200_000 + b"\n",
        "digits": b"9" * 20_000 + b"\n",
        "number": auction % (b'["1C"], "dealer": ' + b"9" * 6_000),
        "not_a_number": auction % b"NaN",
        "surrogate": auction % b'["\\ud800"]',
        "object": b"{}\n",
        "list": b"[]\n",
        "calls": auction % (b'["' + b"P" * 100_000 + b'"]'),
        "many_calls": auction % (b"[" + b'"P",' * 5_000 + b'"P"]'),
        "system": auction % b'["1C"], "system": "/dev/zero"',
        "systems": auction % b'["1C"], "ns": ["x"], "ew": {"y": 1}',
        "deals": auction % b'["1C"], "deals": 1e308',
        "line": b'{"id": "' + b"x" * 3_000_000 + b'"}\n',
        "many": b"{}\n" * 200,
    }
    for command in ON_STANDARD_INPUT:
        if group in command:
            for name, content in inputs.items():
                yield forked(
                    "files", command, f"stdin {name}", command.split(), folder, bounds, content
                )


def _beside(folder: Path, bounds: Bounds, group: str) -> Iterator[Outcome]:
    """Read good files that lie beside others, or link to others, which lead elsewhere."""
    where = folder / "beside"
    where.mkdir()
    secret = folder / "secret_outside.bid"
    secret.write_text('convention s "S"\n\nlet password = hunter2\n', encoding="utf-8")
    main, other = where / "main.bid", where / "x.bid"
    notes = where / "main.bml"
    notes.write_text("#INCLUDE x.bid\n1C = 12+ hcp\n", encoding="utf-8")
    targets: dict[str, Callable[[], object]] = {
        "pipe": lambda: os.mkfifo(other),
        "zero": lambda: other.symlink_to("/dev/zero"),
        "passwd": lambda: other.symlink_to("/etc/passwd"),
        "secret": lambda: other.symlink_to(secret),
        "folder": other.mkdir,
        "circle": lambda: other.symlink_to(other.name),
        "sparse": lambda: _sparse(other),
    }
    texts = {
        "misspelt": SYSTEM.replace("hcp 12+", "strange_name"),
        "include": SYSTEM.replace("\nopening", "\ninclude x\n\nopening"),
    }
    for name, make in targets.items():
        make()
        for what, text in texts.items():
            main.write_text(text, encoding="utf-8")
            for command in ("check beside/main.bid", "explain 1C --system beside/main.bid"):
                if group in command:
                    yield _unquoted(
                        forked("files", what, f"beside {name}", command.split(), folder, bounds)
                    )
        if group in "check fmt test":
            for verb in ("check", "fmt --check", "test"):
                words = [*verb.split(), "beside"]
                yield _unquoted(forked("files", verb, f"folder {name}", words, folder, bounds))
        if group in "import":
            words = ["import", "beside/main.bml"]
            yield _unquoted(forked("files", "import", f"beside {name}", words, folder, bounds))
        other.rmdir() if name == "folder" else other.unlink()


def _unquoted(outcome: Outcome) -> Outcome:
    """Return an outcome, as a fault if it quotes what lies outside the folder."""
    if "root:" in outcome.detail or "hunter2" in outcome.detail:
        return Outcome(**{**outcome.row(), "verdict": "other"})
    return outcome


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(8_000_000_000)


def _forgeries(folder: Path, bounds: Bounds, group: str) -> Iterator[Outcome]:
    """Feed match files that a stranger sealed anew to their readers."""
    if group not in "verify report":
        return
    where = folder / "forged"
    lines = [json.loads(line) for line in (folder / "good.jsonl").read_text().splitlines()]
    paths = [*forged(lines, where)]
    os.mkfifo(where / "pipe.bid")
    (where / "zero.bid").symlink_to("/dev/zero")
    (where / "folder.bid").mkdir()
    (where / "link.bid").symlink_to("/etc/passwd")
    for path in paths:
        for command in MATCHES[:2]:
            if group in command:
                yield _unquoted(_fed(command, path, folder, bounds))
    for left in where.rglob("pwned"):
        yield Outcome("files", "verify", str(left), "other", 0, 0, 0, "a program was started")


def format_runs(
    folder: Path, bounds: Bounds, group: str, sorts: Sequence[str] | None = None
) -> Iterator[Outcome]:
    """Feed files that make the most of a format's words to the commands that read the format."""
    where = folder / "formats"
    for path, commands in format_inputs(where, sorts):
        for command in commands:
            if group in command:
                yield _unquoted(_fed(command, path, folder, bounds))
        if path.is_file() and path.stat().st_size >= LARGE // 2:
            path.unlink()
    for started_here in (folder / "pwned", where / "pwned"):
        if started_here.exists():
            yield Outcome("formats", "any", "pwned", "other", 0, 0, 0, "a program was started")


# ----------------------------------------------------------- streams, environment


def stream_runs(folder: Path, bounds: Bounds, group: str) -> Iterator[Outcome]:
    """Start verbs with streams that are closed or full, or have an encoding that lacks letters."""
    polish = SYSTEM.replace('"c"', '"si\u0142a \u2663 \u65e5"').replace(
        "rest", "\u0441\u0438\u043b\u0430"
    )
    (folder / "polish.bid").write_text(polish, encoding="utf-8")
    (folder / "wrong.bid").write_text(polish.replace("hcp", "si\u0142a"), encoding="utf-8")
    commands = [
        "explain 1C --system polish.bid",
        "explain 1C --system polish.bid --json",
        "check wrong.bid",
        "rules polish.bid",
        "check missing.bid",
        "explain --jsonl",
        "fmt -",
    ]
    closings = ["<&-", ">&-", "2>&-", "<&- >&-", "<&- 2>&-", ">&- 2>&-", "<&- >&- 2>&-"]
    full = [">/dev/full", "2>/dev/full", ">/dev/full 2>/dev/full"]
    for command in commands:
        for redirected in closings + full:
            if group in command:
                yield _started_stream(command, redirected, folder, bounds)
    encodings = [
        *({"PYTHONIOENCODING": name} for name in ("cp1252", "latin-1", "ascii", "cp437", "utf-16")),
        {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        {"LANG": "pl_PL.ISO-8859-2", "PYTHONUTF8": "0"},
    ]
    for command in (*commands[:4], "doc --quiet polish.bid"):
        for chosen in encodings:
            if group in command:
                name = " ".join(f"{key}={value}" for key, value in chosen.items())
                environment = {**os.environ, **chosen}
                yield started(
                    "streams", command, name, f"exec $B {command}", folder, bounds, environment
                )
    for command in ("doc --quiet polish.bid", "rules polish.bid"):
        if group in command:
            line = f"$B {command} | head -1"
            yield started("streams", command, "| head -1", line, folder, bounds)


def _started_stream(command: str, redirected: str, folder: Path, bounds: Bounds) -> Outcome:
    """Start a verb with streams changed; where all that it says is lost, it says nothing."""
    line = f"exec $B {command} {redirected}"
    outcome = started("streams", command, redirected, line, folder, bounds)
    if outcome.verdict == "other" and outcome.code in (1, 2) and not outcome.detail:
        return Outcome(**{**outcome.row(), "verdict": "sentence"})
    return outcome


def environment_runs(folder: Path, bounds: Bounds, group: str) -> Iterator[Outcome]:
    """Start the program without a home, with caches of strangers, odd widths, little memory."""
    command = "explain 1C --system good.bid"
    plain = {key: os.environ[key] for key in ("PATH",) if key in os.environ}
    settings: dict[str, dict[str, str]] = {
        "nothing": {},
        **{f"HOME={home}": {"HOME": home} for home in ("", "/nonexistent", "/dev/null", "/proc")},
        **{
            f"{name}={value}": {"HOME": str(folder), name: value}
            for name in ("BIDWRIGHT_CACHE", "XDG_STATE_HOME", "XDG_CACHE_HOME")
            for value in (
                "/dev/null",
                "/proc",
                "/nonexistent/x",
                "a\nb",
                "good.bid",
                "~",
                "x" * 5_000,
            )
        },
        **{
            f"COLUMNS={width}": {"HOME": str(folder), "COLUMNS": width}
            for width in ("1", "20", "0", "-5", "999999999", "9" * 50, "x", "", "\u0663")
        },
        "TERM": {"HOME": str(folder), "TERM": "\x1b[31m"},
        "PYTHONWARNINGS": {"HOME": str(folder), "PYTHONWARNINGS": "always"},
        "TMPDIR": {"HOME": str(folder), "TMPDIR": "/nonexistent"},
    }
    verbs = [command, "check good.bid", "--help"]
    for name, more in settings.items():
        for verb in verbs if name.startswith("COLUMNS") else verbs[:1]:
            if group in verb:
                line = f"exec $B {verb}"
                yield started("environment", verb, name, line, folder, bounds, {**plain, **more})
    if group in command:
        yield from _planted(folder, bounds, command, plain)
    limits = [f"ulimit -v {kib}" for kib in range(100_000, 650_000, 50_000)]
    limits += [f"ulimit -n {number}" for number in (6, 10, 20)]
    limits += ["ulimit -f 0", "ulimit -s 256", "mkdir -p gone; cd gone; rmdir ../gone"]
    for limit in limits:
        for verb in (command, "sample 1C --system good.bid -n 2", "check good.bid"):
            if group in verb:
                home = {**plain, "HOME": str(folder), "BIDWRIGHT_CACHE": str(folder / "small")}
                line = f"({limit}; exec $B {verb}) 2>&1 | cat; exit ${{PIPESTATUS[0]}}"
                yield started("environment", verb, limit, line, folder, bounds, home)
    for name, line in _ODD_LINES.items():
        if group in line:
            home = {**plain, "HOME": str(folder)}
            outcome = started("environment", "line", name, line, folder, bounds, home)
            if name in _QUIET and outcome.verdict == "other" and not outcome.detail:
                outcome = Outcome(**{**outcome.row(), "verdict": "answer"})
            yield outcome


_RACE = (
    "(for n in $(seq 60); do cp good.bid raced.new; mv raced.new raced.bid; rm -f raced.bid; "
    "{}; rm -f raced.bid; done) 2>/dev/null & sleep 0.3; "
    'for n in 1 2 3; do $B {} || code=$?; done; wait; exit "${{code:-0}}"'
)
"""A file that is replaced by something else again and again while it is read."""

_ODD_LINES = {
    **{
        f"race {name} {verb}": _RACE.format(made, f"{verb} raced.bid")
        for name, made in {
            "pipe": "mkfifo raced.bid",
            "zero": "ln -s /dev/zero raced.bid",
            "folder": "mkdir raced.bid; rmdir raced.bid",
        }.items()
        for verb in ("check", "fmt", "explain 1C --system")
    },
    "argument of bytes": "exec $B explain $'\\xff\\xfe'",
    "system of bytes": "exec $B explain 1C --system $'a\\xff.bid'",
    "file named by bytes": "cp good.bid $'b\\xff.bid'; exec $B check $'b\\xff.bid'",
    "file named by lines": "cp good.bid $'c\\n1 |.bid'; exec $B check $'c\\n1 |.bid'",
    "file named by marks": "cp good.bid $'d\\u202e\\e[31m.bid'; exec $B check d*.bid",
    "missing, named by marks": "exec $B check $'e\\u202e\\e[31m.bid'",
    "folder of odd names": "mkdir odd; cp good.bid $'odd/\\xff.bid'; exec $B check odd",
    "name like an option": "cp good.bid ./--prove.bid; exec $B check -- --prove.bid",
    "long name": "exec $B check $(printf 'x%.0s' $(seq 5000)).bid",
    "many arguments": "exec $B explain $(printf 'P %.0s' $(seq 20000))",
    "long argument": "exec $B explain $(printf '1%.0s' $(seq 100000))",
    "a folder as input": "exec $B fmt - </",
    "a folder as requests": "exec $B explain --jsonl </",
    "no end of input": "exec $B fmt - </dev/zero",
    "no end of requests": "exec $B explain --jsonl --system good.bid </dev/zero",
    "reader gone": "$B rules sayc | true",
    "reader slow": "$B rules good.bid | (sleep 1; cat)",
    "pipe ignored": "trap '' PIPE; $B rules sayc | true",
    "hung up": "trap '' HUP; exec $B explain 1C --system good.bid",
    "small file doc": "ulimit -f 1; exec $B doc --quiet sayc -o small.html",
    "small file match": "ulimit -f 1; "
    "exec $B match pass pass --boards 40 --quiet --out small.jsonl",
    "small file data": "ulimit -f 1; exec $B solve --quiet -n 400 -o small.npz",
    "small file fmt": "sed 's/^  /     /' good.bid >moved.bid; "
    "(ulimit -f 0; exec $B fmt moved.bid) 2>&1 | cat; exit ${PIPESTATUS[0]}",
    "small file sample": "ulimit -f 1; exec $B sample 1C --system good.bid -n 400 --out small.txt",
    "small file cache": "ulimit -f 1; "
    "BIDWRIGHT_CACHE=small_cache exec $B explain 1C --system good.bid",
    "a folder to write": "mkdir -p taken.html; exec $B doc --quiet good.bid -o taken.html/x/y.html",
    "a device to write": "exec $B doc --quiet good.bid -o /dev/full",
    "itself to write": "cp good.bid own.bid; exec $B import own.bid -o own.bid --force",
    "cache that nobody may write": "mkdir -p closed; chmod 500 closed; "
    "BIDWRIGHT_CACHE=closed exec $B explain 1C --system good.bid",
    "cache that is a circle": "ln -sfn round round; "
    "BIDWRIGHT_CACHE=round exec $B explain 1C --system good.bid",
    "cache of others": "mkdir -p theirs; chown 12345 theirs; chmod 777 theirs; "
    "BIDWRIGHT_CACHE=theirs exec $B explain 1C --system good.bid",
    "key that others read": "mkdir -p keys; BIDWRIGHT_CACHE=keys $B explain 1C --system good.bid; "
    "chmod -R a+rw keys; BIDWRIGHT_CACHE=keys exec $B explain 1C --system good.bid",
    "no processes": "ulimit -u 1; exec $B check --prove good.bid --jobs 2",
    "no time": "ulimit -t 1; exec $B check --prove sayc --jobs 1",
    "umask": "umask 777; exec $B doc --quiet good.bid -o masked.html",
    "time zone": "TZ=:/dev/zero exec $B explain 1C --system good.bid",
    "language": "LANG=$(printf 'x%.0s' $(seq 5000)) exec $B explain 1C --system good.bid",
    "colours": "FORCE_COLOR=1 NO_COLOR=1 CLICOLOR_FORCE=x exec $B check good.bid",
    "no program path": "PATH= exec $B explain 1C --system good.bid",
}
"""Lines for the shell: names, arguments, streams and limits that nobody gives on purpose."""

_QUIET = ("reader gone", "pipe ignored", "no time")
"""The cases without a reader for messages, or that the system ends."""


def _planted(
    folder: Path, bounds: Bounds, command: str, plain: dict[str, str]
) -> Iterator[Outcome]:
    """Start the program with a cache that holds a stranger's files under its names."""
    home = {**plain, "HOME": str(folder)}
    cache, victim = folder / "stranger", folder / "thesis.tex"
    learnt = {**home, "BIDWRIGHT_CACHE": str(folder / "learnt")}
    yield started("environment", command, "first", f"exec $B {command}", folder, bounds, learnt)
    names = [path.name for path in (folder / "learnt").glob("*.entry")]
    if not names:
        sys.exit("nothing was cached, so there is nothing to plant")
    plants: dict[str, Callable[[Path], object]] = {
        "link to a file": lambda path: path.symlink_to(victim),
        "pipe": os.mkfifo,
        "zero device": lambda path: path.symlink_to("/dev/zero"),
        "folder": lambda path: path.mkdir(),
        "rubbish": lambda path: path.write_bytes(random.Random(1).randbytes(1_000)),
        "empty": lambda path: path.touch(),
        "sparse": _sparse,
        "pickle": lambda path: path.write_bytes(b"\0" * 32 + b"cos\nsystem\n(S'touch pwned'\ntR."),
    }
    for name, plant in plants.items():
        cache.mkdir()
        victim.write_text("precious", encoding="utf-8")
        for entry in names:
            plant(cache / entry)
        environment = {**home, "BIDWRIGHT_CACHE": str(cache)}
        line = f"exec $B {command}"
        outcome = started(
            "environment", command, f"cache of {name}", line, folder, bounds, environment
        )
        harmed = victim.read_text(encoding="utf-8") != "precious" or (folder / "pwned").exists()
        if harmed or outcome.code:
            outcome = Outcome(**{**outcome.row(), "verdict": "other"})
        yield outcome
        shutil.rmtree(cache)


# -------------------------------------------------------------------------- main


def main(argv: Sequence[str] | None = None) -> int:
    """Feed bad inputs to the product and print the outcomes; return 1 if there is a fault."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=_Help)
    kinds = ("files", "formats", "streams", "environment", "servers")
    parser.add_argument("--only", choices=kinds, action="append", help="this kind (again for more)")
    parser.add_argument("--group", default="", help="commands in which this stands")
    parser.add_argument(
        "--sort", choices=SORTS, action="append", help="of files and formats this sort (repeat)"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=30.0, help="of the processor, for a run")
    parser.add_argument("--json", type=Path, help="a file for all outcomes")
    parser.add_argument("--verbose", action="store_true", help="print every outcome")
    given = parser.parse_args(argv)
    if sys.platform != "linux":
        parser.error("expected Linux")
    bounds = Bounds(given.seconds)
    chosen = given.only or kinds
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory(prefix="hostile") as name:
        folder = Path(name)
        os.environ |= {"BIDWRIGHT_CACHE": str(folder / "cache"), "OMP_NUM_THREADS": "1"}
        _import_all()
        prepared(folder, bounds)
        for outcome in _runs(chosen, folder, bounds, given):
            outcomes.append(outcome)
            if given.json and len(outcomes) % _KEPT_EVERY == 0:
                _keep(outcomes, given.json)
            if given.verbose or outcome.verdict in _FAULTS:
                print(
                    f"{outcome.verdict} ({outcome.code}, {outcome.seconds:.1f} s, "
                    f"{outcome.megabytes:.0f} MB): {outcome.group} < {outcome.name!r}: "
                    f"{outcome.detail!r}",
                    flush=True,
                )
    if not outcomes:
        parser.error(f"expected a command with {given.group!r} in it, there is none")
    print("\n".join(table(outcomes)))
    if not os.geteuid():
        print("files that may not be read: not tried, since root reads every file")
    if given.json:
        _keep(outcomes, given.json)
    return int(any(outcome.verdict in _FAULTS for outcome in outcomes))


def _keep(outcomes: Sequence[Outcome], path: Path) -> None:
    rows = [outcome.row() for outcome in outcomes]
    path.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help that keeps the lines of the docstring."""


def _runs(
    chosen: Sequence[str], folder: Path, bounds: Bounds, given: argparse.Namespace
) -> Iterator[Outcome]:
    group = given.group
    if "files" in chosen:
        yield from file_runs(folder, bounds, given.seed, group, given.sort or SORTS)
    if "formats" in chosen:
        yield from format_runs(folder, bounds, group, given.sort)
    if "streams" in chosen:
        yield from stream_runs(folder, bounds, group)
    if "environment" in chosen:
        yield from environment_runs(folder, bounds, group)
    if "servers" in chosen:
        from bidwright.bench.hostile_servers import server_runs

        yield from server_runs(folder, bounds, group)


def _import_all() -> None:
    """Import the modules that the verbs need and read a file, so that forked processes need not."""
    root = Path(bidwright.__file__).parent
    names = [target.partition(":")[0] for target in VERBS.values()]
    for room in _IMPORTED:
        files = sorted((root / room).rglob("*.py"))
        names += [
            ".".join(("bidwright", *path.relative_to(root).with_suffix("").parts)) for path in files
        ]
    for name in (*names, "clingo", "safetensors.torch", "yaml", "jinja2", "scipy.optimize"):
        with suppress(ImportError):
            import_module(name.removesuffix(".__init__"))
    reformat(SYSTEM, "good.bid")


if __name__ == "__main__":
    sys.exit(ended(main))
