"""Bad inputs of every kind: odd files, damaged ones, texts that attack, forged match files.

What is odd whatever a file is for (a pipe, a device, a folder, ...) is made by `odd_files`; what is
damaged comes from a good file, by `damaged`. All is drawn from a seed and written below one folder.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bidwright.match.record.match_file import sealed_line

Json = dict[str, Any]

SYSTEM = 'system good "Good"\n\nopening "o"\n  1C "c" hcp 12+; natural\n  pass "rest"\n'
"""A convention file that is read in no time."""

LIN = (
    "qx|o1|md|1S42HT95DKQ92CAT82,SA7HAK42DJ843CQJ9,SKQT98HQJ8DA76CK7,|ah|Board 1|sv|o|"
    "mb|p|mb|1C|mb|1S|mb|p|mb|p|mb|p|pg||\n"
)
"""A board as players of a site keep it."""

YAML = "steps: 2\nbatch: 4\nwidth: 16\n"
"""Settings of a training run."""

_SPARSE = 8_000_000_000
_ONLY_ROOT = "root reads every file: not tried"


def odd_files(folder: Path, suffix: str, good: bytes, rng: random.Random) -> Iterator[Path]:
    """Write files that are odd for any purpose, and yield the paths.

    Args:
        folder: where; it is made.
        suffix: of the files, with the dot.
        good: the content of a good file of the sort, for a link that turns in a circle beside it.
        rng: what random bytes are drawn from.
    """
    folder.mkdir(parents=True, exist_ok=True)

    def path(name: str) -> Path:
        return folder / f"{name}{suffix}"

    os.mkfifo(path("pipe"))
    path("zero").symlink_to("/dev/zero")
    path("random_device").symlink_to("/dev/urandom")
    path("folder").mkdir()
    path("dangling").symlink_to("nothing")
    path("circle").symlink_to(path("circle").name)
    path("empty").write_bytes(b"")
    with path("sparse").open("wb") as file:
        file.truncate(_SPARSE)
    path("bytes").write_bytes(rng.randbytes(5_000))
    path("utf16").write_bytes(good.decode("latin-1").encode("utf-16"))
    path("nul").write_bytes(good + b"\0" * 1_000)
    path("marks").write_bytes("\u202e\u2066 \u200b\u2028\x1b[31m".encode() + good)
    path("line").write_bytes(b"1C " * 1_000_000)
    path("lines").write_bytes(b"\n" * 3_000_000)
    path("brackets").write_bytes(b"[" * 200_000)
    path("parentheses").write_bytes(good + b"(" * 100_000)
    path("not_utf8").write_bytes(good.replace(b"o", b"\xf3\xa9", 1) + b"\xff\xfe\x80")
    path("digits").write_bytes(b"9" * 20_000)
    path("number").write_bytes(good.replace(b"1", b"9" * 6_000))
    path("missing_number").write_bytes(good.replace(b"1", b"\xd9\xa1"))
    names = ["pipe", "zero", "random_device", "folder", "missing", "dangling", "circle", "empty"]
    names += ["sparse", "bytes", "utf16", "nul", "marks", "line", "lines", "brackets"]
    names += ["parentheses", "not_utf8", "digits", "number", "missing_number"]
    yield from map(path, names)
    if os.geteuid():
        path("forbidden").write_bytes(good)
        path("forbidden").chmod(0)
        yield path("forbidden")


def damaged(folder: Path, suffix: str, good: bytes, rng: random.Random) -> Iterator[Path]:
    """Write a good file cut off, doubled, and with bytes changed, and yield the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    size = len(good)
    texts = {f"cut_{at}": good[:at] for at in (1, size // 3, 2 * size // 3, size - 1)}
    texts["doubled"] = good + good
    texts["backwards"] = good[::-1]
    for number in range(3):
        changed = bytearray(good)
        for _ in range(max(1, size // 200)):
            changed[rng.randrange(size)] = rng.randrange(256)
        texts[f"changed_{number}"] = bytes(changed)
    for name, content in texts.items():
        path = folder / f"{name}{suffix}"
        path.write_bytes(content)
        yield path


# -------------------------------------------------------------- convention files

_OPENING = 'system a "A"\n\nopening "o"\n'
_OK = f'{_OPENING}  1C "c" hcp 12+; natural\n  pass "rest"\n'
_LETS = 'system a "A"\n\n{}\nopening "o"\n  1C "c" x; natural\n  pass "rest"\n'

_INJECTED = [
    *("x). :- true. a(", '\\") :- holds(', "#script (python) import os #end.", "%*", "@f()"),
    *('");alert(1)//', "<script>alert(1)</script>", "{{7*7}}", "${7*7}", "%s%n", "\\x1b[31m"),
    *("\\n\\n1D", "$(touch pwned)", "`touch pwned`", "'; DROP TABLE", "\\u0000"),
    "&amp;<img src=x onerror=alert(1)>",
]
_WORDS = ["case", "usually", "P", "N", "hcp", "self", "min", "X", "Y", "pass", "public", "import"]


def convention_texts() -> Iterator[tuple[str, str]]:
    """Yield texts of convention files that attack their reader, with a name of each."""
    for number, injected in enumerate(_INJECTED):
        text = injected if '\\"' in injected else injected.replace('"', '\\"')
        yield (
            f"injected_{number}",
            f'system a "{text}"\n  source "{text}"\n  gaps "{text}"\n\nopening "{text}"\n'
            f'  lab: 1C "{text}" hcp 12+; natural, alert "{text}", convention "{text}"\n'
            f'  pass "{text}"\n\nexample AKQ2.AKQ2.AK2.32 -> 1C\n',
        )
    for word in _WORDS:
        yield f"let_{word}", _LETS.format(f"let {word} = hcp 12+\n").replace(" x;", f" {word};")
        yield (
            f"named_{word}",
            _OK.replace("system a", f"system {word}").replace("1C", f"{word}: 1C"),
        )
    yield from _SMALL.items()
    for name, make in _LARGE.items():
        yield name, make()


_SMALL = {
    "crlf": _OK.replace("\n", "\r\n"),
    "cr": _OK.replace("\n", "\r"),
    "tabs": _OK.replace("  ", "\t"),
    "homoglyph": _OK.replace("hcp", "h\u0441p"),
    "full_width": _OK.replace("12", "\uff11\uff12"),
    "arabic": _OK.replace("12", "\u0661\u0662"),
    "suits": _OK.replace("1C", "1\u2663").replace("hcp 12+", "\u2663 4+"),
    "variation": _OK.replace("1C", "1\u2664\ufe0e"),
    "accents": _OK.replace('"c"', '"' + "e\u0301" * 5_000 + '"'),
    "only_header": 'system a "A"\n',
    "only_spaces": "   \n\t\n",
    "no_newline": _OK[:-1],
    "itself": _LETS.format("let x = x\n"),
    "circle_of_lets": _LETS.format("let x = y\nlet y = x\n"),
    "missing_let": _LETS.format("let x = nothing\n"),
    "includes_itself": 'system a "A"\n\ninclude a\ninclude includes_itself\n',
    "includes_root": 'system a "A"\n\ninclude /etc/passwd\ninclude ../../../etc/passwd\n',
    "includes_device": 'system a "A"\n\ninclude /dev/zero\ninclude zero\ninclude pipe\n',
    "huge_priority": _OK.replace("natural", "natural, priority -99999999999999999999", 1),
    "latitude": _OK + "\nlatitude 999999\n",
    "latitude_below": _OK + "\nlatitude -5\n",
    "huge_bound": _OK.replace("12+", "9" * 5_000 + "+"),
    "shape": _OPENING + f'  1C "c" shape 9999|0=0=0=0=13|{"x" * 5_000}; natural\n',
    "rebase": _OK + "\nrebase 1C -> 1C\nrebase 1X -> 2X\nrebase ... -> ...\n",
    "impossible": _OK + "\nrebase 1C -> 7NT XX XX XX\nrebase any -> any\n",
    "undiscussed": _OK + "\nundiscussed after any\nundiscussed ... any\n",
    "blocks_in_a_circle": _OK + "\nblock a\n  use a\n\nblock b\n  use c\n\nblock c\n  use b\n",
    "asks_itself": _OK + '\nanswer q|q|q in q "x"\n  1D; asks q\n    use q\n',
    "arguments": 'system a "A"\n\ninclude sayc(notrump = 37..0, rebid = 99999, nosuch = 3)\n',
    "parameters": 'convention a(x = x, y = 1..2, x = 3) "A"\n',
    "twice": _OPENING + "  a: 1C hcp 12+\n  a: 1C hcp 13+\n  a: 1D hcp 14+\n",
    "products": _OPENING + '  1C "c" hcp*hcp*hcp*hcp*clubs*clubs >= 10; natural\n',
    "examples": _OK
    + "".join(f"\nexample {'A' * n} after {'1C ' * n} -> 7NT" for n in range(1, 60)),
    "retired": _OK + '\nretire example AKQ2.AKQ2.AK2.32 -> 1C "x"\n',
    "any_and_dots": 'system a "A"\n\nafter ...' + " any" * 12 + ' "b"\n  pass "p"\n',
    "coprime": _OPENING
    + '  1C "c" 997*clubs + 991*diamonds + 983*hearts + 977*spades + 971*hcp >= 12345; natural\n'
    + '  pass "p"\n',
}

_LARGE: dict[str, Callable[[], str]] = {
    "rules_3000": lambda: (
        _OPENING
        + "".join(f'  1C "c{n}" hcp {n % 30}+, clubs {n % 8}+; natural\n' for n in range(3_000))
    ),
    "let_chain_20000": lambda: _LETS.format(
        "".join(f"let x{n} = x{n + 1}\n" for n in range(20_000))
    ),
    "parameters_3000": lambda: _LETS.format(
        "let f(" + ",".join(f"a{n}" for n in range(3_000)) + ") = hcp 1+\n"
    ),
    "pattern_60": lambda: (
        'system a "A"\n\nafter '
        + " ".join("1X|2X|3X|4X|5X|6X" for _ in range(60))
        + ' "b"\n  pass "p"\n'
    ),
    "or_chain": lambda: (
        _OPENING
        + '  1C "c" '
        + ", ".join(f"(hcp {n}+ or clubs {n % 9}+)" for n in range(150))
        + "; natural\n"
    ),
    "nested_ifs": lambda: (
        _OPENING
        + '  1C "c" hcp >= '
        + "".join(f"(({n} if clubs {n % 8}+ else " for n in range(20))
        + "1"
        + "))" * 20
        + "; natural\n"
    ),
    "nested_parentheses": lambda: _OK.replace("hcp 12+", "(" * 5_000 + "hcp 12+" + ")" * 5_000),
    "nots": lambda: _OK.replace("hcp 12+", "not " * 20_000 + "hcp 12+"),
    "blocks_doubling": lambda: (
        _OK + "".join(f"\nblock b{n}\n  use b{n + 1}\n  use b{n + 1}\n" for n in range(40))
    ),
    "staircase": lambda: (
        _OPENING
        + "".join("  " * (n + 1) + f'{"pass" if n % 2 else "1C"} "x"\n' for n in range(400))
    ),
    "string": lambda: _OK.replace('"c"', '"' + "z" * 1_900_000 + '"'),
    "comment": lambda: _OK + "#" * 1_900_000 + "\n",
    "backslashes": lambda: _OK.replace("hcp 12+", "hcp \\\n" * 300_000 + "12+"),
    "long_name": lambda: _OK.replace("system a", "system " + "a" * 100_000),
    "mistakes": lambda: _OPENING + '  1C "c" hpc 12+; natural\n' * 20_000,
    "calls_35": lambda: (
        _OPENING
        + "  "
        + "|".join(f"{level}{suit}" for level in range(1, 8) for suit in ("C", "D", "H", "S", "NT"))
        + ' "x" hcp 0+\n'
    ),
    "includes_300": lambda: 'system a "A"\n\n' + "include nothing\n" * 300,
}


# ------------------------------------------------------------------- match files


def forged(lines: list[Json], folder: Path) -> Iterator[Path]:
    """Write match files that a stranger sealed anew, and yield their paths.

    Args:
        lines: the contents of a good match file.
        folder: where to; files that the forged ones name lie beside it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, change in _FORGERIES.items():
        copied: list[Json] = json.loads(json.dumps(lines))
        change(copied)
        sealed, before = [], ""
        for line in copied:
            line.pop("seal", None)
            text, before = sealed_line(line, before)
            sealed.append(text)
        path = folder / f"{name}.jsonl"
        path.write_text("".join(sealed), encoding="utf-8")
        yield path
    plain = "".join(json.dumps(line) + "\n" for line in lines)
    for name, text in {
        "no_seal": plain,
        "deep": "[" * 100_000 + "]" * 100_000,
        "not_a_number": plain.replace('"seed"', '"odd": NaN, "seed"', 1),
        "endless": plain.replace('"seed"', '"odd": 1e999, "seed"', 1),
        "surrogate": plain.replace('"seed"', '"odd": "\\ud800", "seed"', 1),
        "header_alone": plain.partition("\n")[0],
        "list": "[1, 2]\n" + plain,
    }.items():
        path = folder / f"{name}.jsonl"
        path.write_text(text, encoding="utf-8")
        yield path


def _players(spec: str, system: str | None) -> Callable[[list[Json]], None]:
    def change(lines: list[Json]) -> None:
        side = lines[0]["a"]
        side |= {"spec": spec, "system": system}
        for player in side["players"]:
            player |= {"spec": spec, "system": system}

    return change


def _boards(change: Callable[[Json], object]) -> Callable[[list[Json]], None]:
    def all_of_them(lines: list[Json]) -> None:
        for line in lines[1:]:
            change(line)

    return all_of_them


def _rooms(**fields: object) -> Callable[[list[Json]], None]:
    return _boards(lambda line: [line[room].update(fields) for room in ("open", "closed")])


def _titles(lines: list[Json]) -> None:
    for side in "ab":
        for player in lines[0][side]["players"]:
            player["title"] = _STEERING


_STEERING = "<script>alert(1)</script></pre><svg onload=alert(5)>\x1b[31m\u202e\u2028"

_FORGERIES: dict[str, Callable[[list[Json]], None]] = {
    **{
        f"{kind}_{number}": _players(f"{kind}:{path}", path if kind == "rules" else "sayc")
        for kind in ("rules", "policy", "hybrid", "bmcs")
        for number, path in enumerate(
            [
                *("/dev/zero", "/dev/stdin", "/dev/tty", "/etc/passwd", "/proc/self/mem"),
                *("pipe.bid", "zero.bid", "../zero.bid", "folder.bid", "missing.bid", "sayc\0"),
                *("a" * 5_000, "../" * 50 + "etc/passwd", "~/.ssh/id_rsa", "nul", "link.bid"),
            ]
        )
    },
    "engine": _players("engine:touch pwned", None),
    "table_manager": _players("tm:127.0.0.1:9", None),
    "no_agent": _players("nothing:x", None),
    "script": _players(f"engine:{_STEERING}", _STEERING),
    "title": _titles,
    "notes": _rooms(notes={"0": _STEERING}),
    "deciders": _rooms(by=[_STEERING] * 4),
    "imps": _boards(lambda line: line.update(imps=dict.fromkeys(line["imps"], 10**300))),
    "infinite": _boards(lambda line: line.update(imps=dict.fromkeys(line["imps"], 1e308))),
    "tricks": _rooms(tricks=10**9),
    "auction": _rooms(auction=["1C"] * 10_000),
    "nonsense": _rooms(auction=["7NT", "1C", "XX"]),
    "deal": _boards(lambda line: line.update(deal="N:" + "A" * 100_000)),
    "dealer": _boards(lambda line: line.update(dealer=["N"])),
    "number": _boards(lambda line: line.update(board=-(10**30))),
    "deals": lambda lines: lines[0].update(deals="/dev/zero"),
    "settings": lambda lines: lines[0].update(settings={"scorer": "/dev/zero", "leads": 10**9}),
    "format": lambda lines: lines[0].update(format=10**9),
    "side": lambda lines: lines[0].update(a=[]),
    "nested": lambda lines: lines[0].update(versions=json.loads("[" * 200 + "]" * 200)),
}
