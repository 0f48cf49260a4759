"""The cases that found the product unsafe, one by one: command, exit code, sentence.

    python bench/hostile_cases.py
    python bench/hostile_cases.py --only cache --json cases.json

`hostile.py` measures kinds of bad inputs; these are the inputs of the reports that began it: files
that wait or have no end, a pipe beside a file with a misspelt word, caches that a stranger filled,
match files sealed anew, texts that attack their reader, streams and limits. Each is written anew
below a temporary folder. A fault is counted as there; there is exit code 1 if there is one.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bidwright.bench.hostile import HAND, _import_all
from bidwright.bench.hostile_inputs import LIN, SYSTEM
from bidwright.bench.hostile_runs import Bounds, Outcome, forked, started, table
from bidwright.lab.ending import ended
from bidwright.match.record.match_file import sealed_line

_FAULTS = ("hang", "memory", "traceback", "other")
_HEAD = 'system a "A"\n\nopening "o"\n'
_OK = 'system a "A"\n\nopening "o"\n  1C "c" hcp 12+; natural\n  pass "rest"\n'
_MISSPELT = _OK.replace("hcp 12+", "strange_name")
_INCLUDES = 'system a "A"\n\ninclude x\n'
_VERBS = (
    *("check @", "fmt @", "explain 1C --system @", "rules @", "test @", "doc --quiet @"),
    *("coverage --quiet @", f"bid {HAND} --system @"),
)

# ------------------------------------------------------------- convention files

_FOLDERS = {
    "a pipe beside a misspelt word": ("mkfifo x.bid", _MISSPELT),
    "zero device beside a misspelt word": ("ln -s /dev/zero x.bid", _MISSPELT),
    "8 GB beside a misspelt word": ("truncate -s 8G x.bid", _MISSPELT),
    "include of a pipe": ("mkfifo x.bid", _INCLUDES),
    "include of a zero device": ("ln -s /dev/zero x.bid", _INCLUDES),
    "include of a folder": ("mkdir x.bid", _INCLUDES),
    "include of /etc/passwd by a link": ("ln -s /etc/passwd x.bid", _INCLUDES),
    "include outside the project by a link": (
        "echo 'convention s \"S\"\n\nlet password = hunter2' >../secret.bid; "
        "ln -s ../secret.bid x.bid",
        _INCLUDES,
    ),
    "include in a circle": (
        "echo 'convention x \"X\"\n\ninclude y\ninclude main' >x.bid; "
        "echo 'convention y \"Y\"\n\ninclude x' >y.bid",
        _INCLUDES,
    ),
}
"""The files of a folder beside `main.bid`, and the text of that."""

_PATHS = {
    "a folder": "mkdir odd.bid",
    "a link to itself": "ln -s odd.bid odd.bid",
    "/dev/tty": "ln -s /dev/tty odd.bid",
    "/dev/stdin": "ln -s /dev/stdin odd.bid",
    "/proc/self/mem": "ln -s /proc/self/mem odd.bid",
    "/dev/random": "ln -s /dev/random odd.bid",
    "100 MB sparse": "truncate -s 100M odd.bid",
    "8 GB sparse": "truncate -s 8G odd.bid",
    "nothing": "touch odd.bid",
}
"""Texts that `check` and `fmt` read as one file."""


def _encoded() -> dict[str, bytes]:
    """Return files of odd encodings."""
    marks = '"\u202eevil \u2066x\u2069 \u200b\u2028y\u2029"'
    return {
        "1,000 NULs": _OK.encode() + b"\0" * 1_000,
        "UTF-16": _OK.encode("utf-16"),
        "CRLF": _OK.replace("\n", "\r\n").encode(),
        "CR only": _OK.replace("\n", "\r").encode(),
        "Latin-1": _OK.replace('"c"', '"\xe9"').encode("latin-1"),
        "direction marks": _OK.replace('"c"', marks).encode(),
        "a surrogate": _OK.replace('"c"', '"\ud800"').encode("utf-8", "surrogatepass"),
        "Cyrillic letter in hcp": _OK.replace("hcp", "h\u0441p").encode(),
        "let with a Cyrillic letter": _OK.replace(
            "\nopening", "\nlet h\u0441p = hcp 5+\n\nopening"
        ).encode(),
        "Arabic digits": _OK.replace("12+", "\u0661\u0662+").encode(),
        "suit signs": _OK.replace("1C", "1\u2663").replace("hcp 12+", "\u2663 4+").encode(),
        "variation selector": _OK.replace("1C", "1\u2664\ufe0e").encode(),
    }


def _words() -> dict[str, str]:
    """Return files with names that are words of Python or of the language."""
    texts: dict[str, str] = {}
    for word in ("case", "usually", "P", "N", "hcp", "self", "min", "X", "Y", "pass", "public"):
        named = f'system {word} "A"\n\nopening "o"\n  {word}: 1C "c" hcp 12+; natural\n  pass\n'
        let = f'system a "A"\n\nlet {word} = hcp 12+\n\nopening "o"\n  1C "c" {word}; natural\n'
        texts |= {f"label {word}": named, f"let {word}": let}
    return texts


_INJECTED = (
    *("x). :- true. a(", "\\) :- holds(", "#script (python) import os #end.", "%*", "@f()"),
    *("');alert(1)//", "<script>alert(1)</script>", "{{7*7}}", "${7*7}", "%s%n", "\\x1b[31m"),
    *("$(touch pwned)", "`touch pwned`", "'; DROP TABLE", "&amp;<img src=x onerror=alert(1)>"),
)
_FEATURES = (
    *("hcp", "aces", "kings", "queens", "clubs", "diamonds", "hearts", "spades", "losers"),
    "controls",
)


def _sizes() -> dict[str, tuple[str, str]]:
    """Return large and deep files, with the command for each."""
    check, explain = "check @", "explain 1C --system @"
    terms = " + ".join(f"{n + 1} * {name}" for n, name in enumerate(_FEATURES * 20))
    xor = _HEAD + '  1C "c" ' + ", ".join(f"(hcp {n}+ or clubs {n % 9}+)" for n in range(150))
    either = _HEAD + '  1C "c" ; natural\n'
    either += "".join(f"    either a{n}: hcp {n % 37}+, clubs {n % 5}+\n" for n in range(600))
    public = "".join(
        f'  {1 + n % 7}D "x{n}" hcp >= partner.hcp.min + {n % 9}, rho.hcp.max {n}..; natural\n'
        for n in range(300)
    )
    blocks = 'system a "A"\n\nblock b0\n  1C "c" hcp 12+; natural\n  pass\n\n'
    doubled = "".join(f"block b{n}\n  use b{n - 1}\n  use b{n - 1}\n\n" for n in range(1, 30))
    nested = "".join(
        f'block b{n}\n  1C "c"\n    use b{n - 1}\n  1D "d"\n    use b{n - 1}\n\n'
        for n in range(1, 25)
    )
    removed = "".join(
        f"remove opening.{level}{suit}\n"
        for level in range(1, 5)
        for suit in ("C", "D", "H", "S", "NT")
    )
    return {
        "3,000 rules for a call": (
            check,
            _HEAD + "".join(f'  1C "c{n}" hcp {n % 30}+; natural\n' for n in range(3_000)),
        ),
        "3,000 suit letters": (
            check,
            'system a "A"\n\n'
            + "".join(f'after 1X (1Y) 2Z (2W) "b{n}"\n  3X "x" X 4+\n' for n in range(750)),
        ),
        "a pattern of 60 alternatives": (
            check,
            'system a "A"\n\nafter ' + " ".join(["1X|2X|3X|4X|5X|6X"] * 60) + ' "b"\n  pass\n',
        ),
        "after ... and 200 times any": (
            explain,
            _OK + "\n" + "".join(f'after ... {"any " * n}"b{n}"\n  pass\n' for n in range(1, 200)),
        ),
        "300 rules about public facts": (
            "explain 1C_(P)_1D --system @",
            _OK + '\nafter ... (any) "b"\n' + public,
        ),
        "150 alternatives, explained": (explain, xor + "; natural\n"),
        "150 alternatives, dealt": ("sample 1C -n 5 --quiet --system @", xor + "; natural\n"),
        "a sum of 200 terms": (explain, _HEAD + f'  1C "c" {terms} >= 500; natural\n'),
        "400 shapes": (explain, _HEAD + '  1C "c" shape ' + "|".join(["xxxx"] * 400) + "\n"),
        "priorities of six digits": (
            f"bid {HAND} --system @",
            _HEAD + '  1C "c" hcp 12+; priority 999999\n  1D "d" hcp 12+; priority -999999\n',
        ),
        "replace opening": (explain, 'system a "A"\n\ninclude sayc\n\nreplace opening\n'),
        "remove all openings": (check, 'system a "A"\n\ninclude sayc\n\n' + removed),
        "320 includes": (
            check,
            'system a "A"\n\n'
            + "".join(f"include sayc(notrump = {n % 10 + 5}..{n % 10 + 7})\n" for n in range(320)),
        ),
        "20,000 examples": ("test @", _OK + f"\nexample {HAND} -> 1C" * 20_000 + "\n"),
        "blocks that double": (check, blocks + doubled + 'opening "o"\n  use b29\n'),
        "blocks that double below rules": (
            check,
            'system a "A"\n\nblock b0\n  pass\n\n' + nested + 'opening "o"\n  use b24\n',
        ),
        "600 alternatives of a rule": (check, either),
        "600 alternatives, explained": (explain, either),
        "1.9 M letters in a text": ("doc --quiet @", _OK.replace('"c"', f'"{"z" * 1_900_000}"')),
        "1.9 M letters in a comment": ("fmt --check @", _OK + "#" * 1_900_000 + "\n"),
        "1.9 M empty lines": ("fmt --check @", _OK + "\n" * 1_900_000),
        "1.9 M blanks": (check, _OK + " " * 1_900_000 + "\n"),
        "300,000 lines that go on": (check, _OK.replace("hcp 12+", "hcp \\\n" * 300_000 + "12+")),
        "a convention as a system": (explain, 'convention a(x = 12..14) "A"\n\nopening "o"\n'),
    }


def _convention_files(folder: Path, bounds: Bounds) -> Iterator[Outcome]:
    number = 0
    for name, (beside, text) in _FOLDERS.items():
        number += 1
        where = folder / f"beside{number}"
        where.mkdir()
        (where / "main.bid").write_text(text, encoding="utf-8")
        _shell(beside, where)
        for verb in ("check main.bid", "explain 1C --system main.bid"):
            yield _unquoted(forked("files", name, "", verb.split(), where, bounds))
    for name, make in _PATHS.items():
        number += 1
        where = folder / f"path{number}"
        where.mkdir()
        _shell(make, where)
        for verb in ("check odd.bid", "fmt odd.bid"):
            yield forked("files", name, "", verb.split(), where, bounds)
    for name, make in {"a pipe": "mkfifo odd.bid", "/dev/zero": "ln -s /dev/zero odd.bid"}.items():
        where = folder / name.replace("/", "_")
        where.mkdir()
        _shell(make, where)
        for verb in _VERBS:
            words = verb.replace("@", "odd.bid").split()
            yield forked("files", name, "", words, where, bounds)
    texts: list[tuple[str, bytes, Sequence[str]]] = [
        (name, content, ("check @", "explain 1C --system @", "fmt --check @"))
        for name, content in _encoded().items()
    ]
    texts += [(name, text.encode(), ("explain 1C --system @",)) for name, text in _words().items()]
    for number, injected in enumerate(_INJECTED):
        text = _OK.replace('"c"', f'"{injected}"').replace('"rest"', f'"{injected}"')
        texts.append((f"injection {number}", text.encode(), ("check @", "doc --quiet @")))
    texts += [(name, text.encode(), (verb,)) for name, (verb, text) in _sizes().items()]
    path = folder / "text.bid"
    for name, content, verbs in texts:
        path.write_bytes(content)
        for verb in verbs:
            words = [word.replace("@", path.name).replace("_", " ") for word in verb.split()]
            yield forked("files", name, "", words, folder, bounds)
    if list(folder.rglob("pwned")):
        yield Outcome("files", "injection", "pwned", "other", 0, 0, 0, "a program was started")


def _shell(line: str, folder: Path) -> None:
    started("files", "", "", line, folder, Bounds())


def _unquoted(outcome: Outcome) -> Outcome:
    """Return an outcome, as a fault if it quotes a file from outside."""
    quoted = "root:" in outcome.detail or "hunter2" in outcome.detail
    return Outcome(**{**outcome.row(), "verdict": "other"}) if quoted else outcome


# ----------------------------------------------------------------- cache, matches


def _caches(folder: Path, bounds: Bounds) -> Iterator[Outcome]:
    command = "explain 1C --system good.bid"
    learnt = f"BIDWRIGHT_CACHE={folder}/learnt exec $B {command}"
    started("cache", "", "", learnt, folder, bounds, _home(folder))
    names = [path.name for path in (folder / "learnt").glob("*.entry")]
    if not names:
        sys.exit("nothing was cached, so there is nothing to plant")
    victim = folder / "thesis.tex"
    for name, plant in {
        "links to the user's files": f"ln -s {victim} $e",
        "pipes": "mkfifo $e",
        "links to /dev/zero": "ln -s /dev/zero $e",
        "folders": "mkdir $e",
        "rubbish": "head -c 1000 /dev/urandom >$e",
    }.items():
        cache = folder / "planted"
        shutil.rmtree(cache, ignore_errors=True)
        cache.mkdir()
        victim.write_text("precious", encoding="utf-8")
        _shell(f"cd planted; for e in {' '.join(names)}; do {plant}; done", folder)
        line = f"BIDWRIGHT_CACHE={cache} exec $B {command}"
        outcome = started("cache", name, "", line, folder, bounds, _home(folder))
        if victim.read_text(encoding="utf-8") != "precious" or outcome.code:
            outcome = Outcome(**{**outcome.row(), "verdict": "other"})
        yield outcome


def _home(folder: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(folder), "OMP_NUM_THREADS": "1"}


def _matches(folder: Path, bounds: Bounds) -> Iterator[Outcome]:
    match = "$B match rules:good.bid pass --boards 2 --quiet --out good.jsonl"
    started("match files", "good", "", match, folder, bounds)
    lines = [json.loads(line) for line in (folder / "good.jsonl").read_text().splitlines()]
    _shell("mkfifo pipe.bid; ln -s /dev/zero zero.bid", folder)
    script = "<script>alert(1)</script></pre><svg onload=alert(5)>\x1b[31m\u202e"
    for name, change in {
        "rules:/dev/zero": _of_players("rules:/dev/zero", "/dev/zero"),
        "rules:/dev/stdin": _of_players("rules:/dev/stdin", "/dev/stdin"),
        "rules: a pipe": _of_players("rules:pipe.bid", "pipe.bid"),
        "rules: a link to /dev/zero": _of_players("rules:zero.bid", "zero.bid"),
        "policy: a link to /dev/zero": _of_players("policy:zero.bid", "sayc"),
        "policy: a pipe": _of_players("policy:pipe.bid", "sayc"),
        "a script as a player": _of_players(f"engine:{script}", script),
        "scripts as notes": lambda rows: _in_rooms(rows, notes={"0": script}),
        "scripts as deciders": lambda rows: _in_rooms(rows, by=[script] * 4),
        "IMPs of 300 digits": lambda rows: [
            row["imps"].update(dict.fromkeys(row["imps"], 10**300)) for row in rows[1:]
        ],
        "deals from /dev/zero": lambda rows: rows[0].update(deals="/dev/zero"),
    }.items():
        rows: list[dict[str, Any]] = json.loads(json.dumps(lines))
        change(rows)
        sealed, before = [], ""
        for row in rows:
            row.pop("seal", None)
            text, before = sealed_line(row, before)
            sealed.append(text)
        (folder / "forged.jsonl").write_text("".join(sealed), encoding="utf-8")
        for verb in ("verify --quiet forged.jsonl", "report forged.jsonl --out forged.html"):
            yield _escaped(
                forked("match files", name, "", verb.split(), folder, bounds),
                folder / "forged.html",
            )


def _of_players(spec: str, system: str) -> Any:  # noqa: ANN401 - changes rows in their place
    def change(rows: list[dict[str, Any]]) -> None:
        rows[0]["a"] |= {"spec": spec, "system": system}
        for player in rows[0]["a"]["players"]:
            player |= {"spec": spec, "system": system}

    return change


def _in_rooms(rows: list[dict[str, Any]], **fields: object) -> None:
    for row in rows[1:]:
        for room in ("open", "closed"):
            row[room].update(fields)


def _escaped(outcome: Outcome, page: Path) -> Outcome:
    """Return an outcome, as a fault if a page has a script of the file."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    page.unlink(missing_ok=True)
    runs = "<script>alert(" in text or "<svg onload" in text
    return Outcome(**{**outcome.row(), "verdict": "other"}) if runs else outcome


# ------------------------------------------------------------ streams, environment

_EXPLAIN = "explain 1C --system good.bid"
_POLISH = "explain 1C --system polish.bid"


def _piped(line: str) -> str:
    """Return a line with its output through a pipe, since limits on files do not concern it."""
    return f"({line}) 2>&1 | cat; exit ${{PIPESTATUS[0]}}"


_LINES = {
    "no HOME": "exec env -i PATH=$PATH $B explain 1C --system good.bid",
    **{
        f"HOME={home}": f"HOME={home} exec $B {_EXPLAIN}"
        for home in ("/nonexistent", "/dev/null", "''")
    },
    **{
        f"cache {cache}": f"BIDWRIGHT_CACHE={cache} exec $B {_EXPLAIN}"
        for cache in ("/dev/null", "/proc", "$'a\\nb'", ".")
    },
    "LC_ALL=C": f"LC_ALL=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0 exec $B {_POLISH}",
    **{
        f"output in {name}": f"PYTHONIOENCODING={name} exec $B {_POLISH} --full"
        for name in ("ascii", "latin-1", "cp1252")
    },
    "doc in ASCII": "PYTHONIOENCODING=ascii exec $B doc --quiet polish.bid",
    **{
        f"COLUMNS={width}": f"COLUMNS={width} exec $B {_EXPLAIN}"
        for width in ("20", "0", "-5", "x", "999999999")
    },
    "help in one column": "env -u TERM COLUMNS=1 $B --help",
    "closed standard output": f"exec $B {_EXPLAIN} >&-",
    "closed standard error": f"exec $B {_EXPLAIN} 2>&-",
    "closed standard input": "exec $B explain --jsonl --system good.bid <&-",
    "full output": f"exec $B {_EXPLAIN} >/dev/full",
    "full output, JSON": f"exec $B {_EXPLAIN} --json >/dev/full",
    "full output, doc": "exec $B doc --quiet good.bid >/dev/full",
    "doc -o /dev/full": "exec $B doc --quiet good.bid -o /dev/full",
    **{
        f"{verb.split()[0]} into head": f"set -o pipefail; $B {verb} | head -1"
        for verb in ("doc --quiet good.bid", "rules sayc", "sample 1C -n 3000 --system good.bid")
    },
    "folder is gone": "mkdir gone; cd gone; rmdir ../gone; exec $B explain 1C",
    "a file of a folder that is gone": "mkdir lost; cd lost; rmdir ../lost; exec $B check x.bid",
    "20 open files": f"ulimit -n 20; exec $B {_EXPLAIN}",
    "600 MB": f"ulimit -v 600000; exec $B {_EXPLAIN}",
    "300 MB": "ulimit -v 300000; exec $B sample 1C -n 10 --system good.bid",
    "nothing may be written": _piped(f"ulimit -f 0; BIDWRIGHT_CACHE=new exec $B {_EXPLAIN}"),
    "one block, match": _piped(
        "ulimit -f 1; exec $B match pass pass --boards 40 --quiet --out s.jsonl"
    ),
    "one block, new": _piped("ulimit -f 0; exec $B new small.bid --force"),
    "port that is taken, serve": "exec $B serve good.bid --port $PORT",
    "port that is taken, rest": "exec $B rest --agent rules:good.bid --port $PORT",
    "port that is taken, table": "exec $B table --port $PORT",
    "host that is none, rest": "exec $B rest --agent rules:good.bid --host 300.1.1.1 --port 9777",
    "host that is a line": "exec $B serve good.bid --host 'a b;c' --port 9777",
    "umask 0": f"umask 0; BIDWRIGHT_CACHE=open exec $B {_EXPLAIN}",
    "a file of 3 million empty lines": "head -c 3000000 /dev/zero | tr '\\0' '\\n' >empty.jsonl; "
    "exec $B coverage --quiet good.bid --corpus empty.jsonl",
}


def _streams(folder: Path, bounds: Bounds) -> Iterator[Outcome]:
    import socket

    polish = _OK.replace('"c"', '"si\u0142a \u2663"')
    (folder / "polish.bid").write_text(polish, encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        home = {**_home(folder), "PORT": str(taken.getsockname()[1])}
        for name, line in _LINES.items():
            outcome = started("streams", name, "", line, folder, bounds, home)
            silent = outcome.verdict == "other" and outcome.code in (1, 2) and not outcome.detail
            if silent and ("closed" in name or "full" in name):
                outcome = Outcome(**{**outcome.row(), "verdict": "sentence"})
            yield outcome


# -------------------------------------------------------------------------- main

_KINDS = {
    "files": _convention_files,
    "cache": _caches,
    "matches": _matches,
    "streams": _streams,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the cases and print a line for each; return 1 if there is a fault."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--only", choices=_KINDS, action="append", help="this kind (again for more)"
    )
    parser.add_argument("--seconds", type=float, default=30.0, help="of the processor, for a case")
    parser.add_argument("--json", type=Path, help="a file for all outcomes")
    given = parser.parse_args(argv)
    bounds = Bounds(given.seconds)
    outcomes = []
    with tempfile.TemporaryDirectory(prefix="cases") as name:
        os.environ |= {"BIDWRIGHT_CACHE": f"{name}/entries", "OMP_NUM_THREADS": "1"}
        _import_all()
        for kind in given.only or _KINDS:
            folder = Path(name) / kind
            folder.mkdir()
            (folder / "good.bid").write_text(SYSTEM, encoding="utf-8")
            (folder / "good.lin").write_text(LIN, encoding="utf-8")
            for outcome in _KINDS[kind](folder, bounds):
                outcomes.append(outcome)
                sentence = outcome.detail.partition("\n")[0].replace(str(folder), ".")
                print(
                    f"{outcome.verdict:<9} {outcome.code:>3} {outcome.seconds:5.1f} s "
                    f"{outcome.megabytes:5.0f} MB  {outcome.group}: {sentence[:160]}",
                    flush=True,
                )
    print("\n".join(table(outcomes)))
    if given.json:
        rows = [outcome.row() for outcome in outcomes]
        given.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return int(any(outcome.verdict in _FAULTS for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(ended(main))
