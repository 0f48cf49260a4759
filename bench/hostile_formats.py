"""Bad inputs that the syntax of a format makes possible: what each reader's own words may do.

A sort of file with words for including, repeating, referring and counting can be made to include
itself, to repeat without end, to refer to nothing and to count to no number that there is. Every
input here is a small file, or one of some megabytes, with the commands that read it.
"""

from __future__ import annotations

import io
import json
import os
import struct
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

LARGE = 100 << 20
"""Bytes of a file that is nearly as large as its reader takes."""


def _full(piece: bytes, head: bytes = b"") -> Callable[[Path], object]:
    """Return a function that makes a large file of the smallest pieces of its format."""

    def make(path: Path) -> None:
        block = piece * (1 << 16)
        with path.open("wb") as file:
            file.write(head)
            for _ in range(LARGE // len(block)):
                file.write(block)

    return make


Made = bytes | Callable[[Path], object]
"""The content of a file, or what makes it at a path."""

_BOM = "\ufeff"
_DEEP = 3_000


def format_inputs(
    folder: Path, sorts: Sequence[str] | None = None
) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Write the inputs below a folder; yield each with the names of the commands that read it.

    Args:
        folder: where.
        sorts: the suffixes of the files that are written; None for all.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for suffix, inputs in INPUTS.items():
        if sorts is not None and suffix not in sorts:
            continue
        for name, content in inputs.items():
            path = folder / f"{name}{suffix}"
            if isinstance(content, bytes):
                path.write_bytes(content)
            else:
                content(path)
            yield path, COMMANDS[suffix]


COMMANDS = {
    ".bml": ("import @",),
    ".bss": ("import @",),
    ".bboalert": ("import @",),
    ".bbsa": ("import @",),
    ".pbn": (
        *("review --system good.bid --quiet @", "explain --pbn @", "solve --quiet --pbn @"),
        "find --quiet --system good.bid 'passed out' @",
    ),
    ".lin": (
        *("review --system good.bid --quiet @", "explain --lin @"),
        "bid --quiet --lin @ --system good.bid -o made.lin",
    ),
    ".yaml": ("train sl --quiet --data corpus.npz --config @ --out made_run",),
    ".npz": (
        "train sl --quiet --data @ --set steps=1 --out made_run",
        "match pass pass --quiet --boards 1 --deals @",
    ),
    ".safetensors": ("bid AKQ2.AKQ2.AK2.32 --agent policy:@",),
    ".jsonl": (
        *("verify --quiet @", "report @ --out made.html", "coverage --quiet good.bid --corpus @"),
        "train data --quiet --from @ --system good.bid -o made.npz",
    ),
    ".bid": ("check @", "fmt --check @", "explain 1C --system @"),
}
"""The readers of each sort of file; `@` stands for it."""


# ------------------------------------------------------------------------- notes


def _doubling(path: Path) -> None:
    """Copies that paste copies, each twice as long as the one before."""
    lines = ["#COPY a0", "1C  12+ hcp", "#ENDCOPY"]
    for number in range(1, 40):
        paste = f"#PASTE a{number - 1}"
        lines += [f"#COPY a{number}", paste, paste, "#ENDCOPY"]
    path.write_text("\n".join([*lines, "#PASTE a39"]) + "\n", encoding="utf-8")


def _chain(path: Path) -> None:
    """Files that include one another in a chain of many."""
    path.write_text("#INCLUDE chain/0.bml\n", encoding="utf-8")
    below = path.parent / "chain"
    below.mkdir()
    for number in range(300):
        (below / f"{number}.bml").write_text(f"#INCLUDE {number + 1}.bml\n", encoding="utf-8")
    (below / "300.bml").write_text("1C  12+ hcp\n", encoding="utf-8")


def _tree(path: Path) -> None:
    """Files that each include the next one ten times."""
    path.write_text("#INCLUDE tree/0.bml\n", encoding="utf-8")
    below = path.parent / "tree"
    below.mkdir()
    for number in range(9):
        text = f"#INCLUDE {number + 1}.bml\n" * 10
        (below / f"{number}.bml").write_text(text, encoding="utf-8")
    (below / "9.bml").write_text("1C  12+ hcp\n", encoding="utf-8")


def _circle_by_link(path: Path) -> None:
    """A folder that is a link to the folder above it."""
    (path.parent / "loop").symlink_to(".")
    path.write_text("#INCLUDE loop/loop/loop/circle_by_link.bml\n", encoding="utf-8")


_NOTES: dict[str, Made] = {
    "doubling": _doubling,
    "chain": _chain,
    "tree": _tree,
    "circle_by_link": _circle_by_link,
    "replaced": b"#COPY a\n1C  xxxx\n#ENDCOPY\n#PASTE a x=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n",
    "grown": b"#COPY a\n1C  x\n#ENDCOPY\n#PASTE a " + b"x=xx " * 2_000 + b"\n",
    "stairs": "".join(" " * n + "1C  12+ hcp\n" for n in range(_DEEP)).encode(),
    "stairs_of_calls": b"1C" + b"-1D" * 20_000 + b"  12+\n",
    "slashes": b"1C" + b"/1D" * 20_000 + b"  12+ hcp\n",
    "headings": "".join("*" * n + " After 1C-1D\n1H  4+!h\n" for n in range(1, 2_000)).encode(),
    "ranges": b"1C  " + b"1-" * 50_000 + b"\n",
    "dashes": b"1C  " + b"5--" * 50_000 + b"\n",
    "brackets": b"1C  " + b"(" * 50_000 + b"\n",
    "alternatives": b"1C  " + b"12+ hcp or " * 20_000 + b"13+\n",
    "negations": b"1C  " + b"not " * 50_000 + b"12+\n",
    "spaces": b"1C" + b" " * 90_000 + b"x" + b" " * 90_000 + b"\n",
    "number": b"1C  " + b"9" * 50_000 + b"+ hcp\n",
    "points": b"1C  12.5.5.5.5.5.5" + b".5" * 20_000 + b" hcp\n",
    "marks": "1C  \u202e12+ hcp\u2066\u200b\n1D  \u0661\u0662+ hcp\n1H  h\u0441p 12+\n".encode(),
    "suits": ("1C  " + "!c!d!h!s\u2663\u2666" * 10_000 + "\n").encode(),
    "seats": b"#SEAT 1234\n#VUL YY\n" * 5_000 + b"1C  12+ hcp\n",
    "seat_wrong": b"#SEAT 99999999999999999999\n1C  12+ hcp\n",
    "open_copy": b"#COPY a\n1C  12+ hcp\n",
    "option_marks": b"1C  12+ hcp\n" + b"    - 5+!h\n" * 20_000,
    "surrogates": b"1C  \xed\xa0\x80 12+ hcp\n",
    "mark_of_order": (_BOM * 5_000 + "1C  12+ hcp\n").encode(),
    "full_of_lines": _full(b"\n"),
    "full_of_rows": _full(b"1C\n"),
    "form_feeds": b"1C  12+ hcp\x0c\x0b\x1c\x1d\x85\n1D  12+\n",
}

_RECORDS: dict[str, Made] = {
    "stars": b"*" * 500_000 + b"\n",
    "equals": b"0NYYY1C=" * 50_000 + b"\n",
    "calls": b"00" + b"1C" * 50_000 + b"=NNNNNN5+ clubs\n",
    "tabs": b"\t" * 500_000,
    "full_of_lines": _full(b"\n"),
    "full_of_stars": _full(b"*\n"),
}

_ALERTS: dict[str, Made] = {
    "commas": b"1C," + b"," * 500_000 + b"\n",
    "context": b"1C" * 50_000 + b",1D,5+!d\n",
    "pattern": b"/(a+)+$/" + b"a" * 5_000 + b",1C,12+\n",
    "wildcards": b"_" * 20_000 + b"*" * 20_000 + b",1C,12+\n",
    "alternatives": b"[" + b"1C|" * 20_000 + b"],1D,4+\n",
    "options": b"Option,a\n" * 30_000,
    "import": b"Import,/etc/passwd\nImport,https://127.0.0.1/x\n1C,1D,4+!d\n",
    "script": b"Script,x,system('touch pwned')\n1C,1D,%x%\nAlias,1,2\n",
    "aliases": b"".join(b"Alias,a%d,a%da%d\n" % (n, n + 1, n + 1) for n in range(200)),
    "full_of_lines": _full(b"\n"),
    "full_of_commas": _full(b",,\n"),
    "trusted": b"Trusted,on\nOnAnyMutation,alert(1)\n1C,1D,4+\n",
}

_CARDS: dict[str, Made] = {
    "keys": b"".join(b"Key %d = 1\n" % n for n in range(50_000)),
    "values": b"System type = " + b"9" * 20_000 + b"\n",
    "negative": b"System type = -1\nLebensohl after 1NT = 99\n",
    "no_value": b"System type =\n=\n==\n= =\n",
    "full_of_lines": _full(b"\n"),
    "full_of_keys": _full(b"a = 1\n"),
    "twice": b"System type = 0\nSystem type = 3\n" * 2_000,
}

# ------------------------------------------------------------------------ boards

_DEAL = "N:AKQJ.T98.765.432 T987.AKQ.J43.J65 6543.J765.AKQ.AK 2.432.T982.QT987"


def _pbn(*lines: str) -> bytes:
    head = ['[Board "1"]', '[Dealer "N"]', '[Vulnerable "None"]', f'[Deal "{_DEAL}"]']
    return ("\n".join([*head, *lines]) + "\n").encode("utf-8", "surrogatepass")


_PBN: dict[str, Made] = {
    "tags": _pbn(*(f'[T{n} "x"]' for n in range(100_000))),
    "tag": _pbn('[Event "' + "x" * 3_000_000 + '"]'),
    "comment": _pbn("{" + "x" * 1_000_000),
    "comments": _pbn("{" * 200_000 + "}" * 200_000),
    "quotes": _pbn('[Event "' + '\\"' * 200_000),
    "passes": _pbn('[Auction "N"]', "Pass " * 100_000),
    "notes": _pbn('[Auction "N"]', "1C =1= Pass =2= " * 2_000, '[Note "99999999999:x"]'),
    "note_of_note": _pbn('[Auction "N"]', "1C =1= AP", '[Note "1:' + "=1=" * 50_000 + '"]'),
    "explained": _pbn('[Auction "N"]', "1C =1= AP", '[Note "1:' + "5-3 !S; " * 20_000 + '"]'),
    "numbers": _pbn('[Auction "N"]', "1C =1= AP", '[Note "1:' + "9" * 6_000 + '+ hcp"]'),
    "board": _pbn('[Board "' + "9" * 20_000 + '"]'),
    "board_name": _pbn(
        '[Board "\u202e\u20661"]', '[Event "\u2028\u200b"]', '[Auction "N"]', "1C AP"
    ),
    "players": _pbn('[North "\u202e<script>"]', '[Auction "N"]', "1C AP"),
    "systems": _pbn(
        '[BidSystemNS "/etc/passwd"]', '[BidSystemEW "../../x"]', '[Auction "N"]', "1C AP"
    ),
    "system_name": _pbn('[BidSystemNS "' + "x" * 100_000 + '"]', '[Auction "N"]', "1C AP"),
    "cards": _pbn('[Deal "N:' + "A" * 100_000 + ' - - -"]'),
    "dots": _pbn('[Deal "N:' + "." * 100_000 + '"]'),
    "contract": _pbn('[Contract "9NTXXXX"]', '[Declarer "Q"]', '[Result "' + "9" * 5_000 + '"]'),
    "result": _pbn('[Contract "1NT"]', '[Declarer "N"]', '[Result "99999999999999999999"]'),
    "play": _pbn('[Play "N"]', "SA S2 S3 S4\n" * 50_000, "*"),
    "escapes": b"%" * 500_000 + b"\n% EXPORT\n" + _pbn('[Auction "N"]', "1C AP"),
    "hashes": _pbn('[Event "#"]') + b'[Event "#"]\n[Deal "#"]\n' * 20_000,
    "double_dummy": _pbn('[OptimumResultTable "x"]', "N NT 99999999999\n" * 5_000),
    "surrogates": _pbn('[Event "\ud800"]', '[Auction "N"]', "1C AP"),
    "full_of_lines": _full(b"\n"),
    "full_of_boards": _full(b'[Deal ""]\n'),
    "full_of_tags": _full(b'[A ""]\n'),
    "full_of_words": _full(b"x ", b'[Auction "N"]\n'),
    "full_of_comments": _full(b"{x}"),
}

_LIN: dict[str, Made] = {
    "bars": b"|" * 1_000_000,
    "calls": b"md|1,,,|mb|" + b"p|mb|" * 100_000,
    "hands": b"md|1" + b"S" * 500_000 + b",,,|mb|p|\n",
    "many_hands": b"md|1" + b"SA," * 50_000 + b"|mb|p|\n",
    "dealer": b"md|9SA,HA,DA,CA|mb|1C|\n",
    "explained": b"md|1S42HT95DKQ92CAT82,SA7HAK42DJ843CQJ9,SKQT98HQJ8DA76CK7,|mb|p|mb|1C|an|"
    + b"2-5 !S; " * 20_000
    + b"|mb|p|mb|p|mb|p|pg||\n",
    "negative": b"qx|o-99999999999999999999|md|1,,,|mb|1C|\n",
    "named": "qx|o\u202e1|pn|\u2028,\u200b,a,b|md|1,,,|mb|1C|an|\u202e|\n".encode(),
    "full_of_lines": _full(b"\n"),
    "full_of_boards": _full(b"qx||"),
    "full_of_commas": _full(b",", b"rs|"),
    "full_of_names": _full(b"a,", b"pn|"),
    "results": b"rs|" + b"4HN=," * 50_000 + b"|md|1,,,|mb|p|\n",
    "rooms": b"".join(
        b"qx|%s%d|md|1,,,|mb|p|pg||\n" % (b"oc"[n % 2 : n % 2 + 1], n) for n in range(3_000)
    ),
}

# -------------------------------------------------------------- settings, arrays

_LAUGHS = "a0: &a0 [x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12)
)
_MERGES = "a0: &a0 {x: 1}\n" + "".join(
    f"a{n}: &a{n}\n" + f"  <<: [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12)
)

_YAML: dict[str, Made] = {
    "laughs": _LAUGHS.encode() + b"steps: *a11\n",
    "merges": _MERGES.encode(),
    "itself": b"&a [*a]\n",
    "itself_as_key": b"&a ? *a : 1\n",
    "lists": b"steps: " + b"[" * 5_000 + b"]" * 5_000 + b"\n",
    "indented": "".join(" " * n + "- \n" for n in range(_DEEP)).encode(),
    "keys": b"? " * 5_000 + b"1\n",
    "python": b"steps: !!python/object/apply:os.system ['touch pwned']\n",
    "python_name": b"steps: !!python/name:os.system\n",
    "binary": b"steps: !!binary " + b"A" * 100_000 + b"\n",
    "number": b"steps: " + b"9" * 20_000 + b"\n",
    "sixty": b"steps: " + b"1:" * 5_000 + b"59\n",
    "infinite": b"steps: .inf\nbatch: .nan\n",
    "dates": b"steps: 9999-99-99\nbatch: 2001-12-14t21:59:43.10-05:00\n",
    "set": b"!!set {steps, batch}\n",
    "documents": b"---\nsteps: 1\n" * 5_000,
    "twice": b"steps: 1\nsteps: 2\n",
    "tag": b"%TAG ! tag:x,2000:\n---\n!foo {steps: 1}\n",
    "bool": b"yes: no\n1: 2\nnull: 3\n[1]: 4\n",
    "data_elsewhere": b"data: /dev/zero\nsteps: 1\n",
    "full_of_lines": _full(b"\n"),
    "full_of_keys": _full(b"a: 1\n"),
    "marks": "steps: \u202e1\n\u200bbatch: 2\n".encode(),
}


def _archive(**members: bytes) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, member in members.items():
            archive.writestr(name.replace("__", "/").replace("DOT", "."), member)
    return content.getvalue()


def _array(header: str, data: bytes = b"") -> bytes:
    text = header.encode("latin-1").ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + data


def _header(shape: str, kind: str = "|u1") -> bytes:
    return _array(f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}")


def _objects(path: Path) -> None:
    np.savez(path, owner=np.array([{"a": 1}], dtype=object), allow_pickle=True)


_ARRAYS: dict[str, Made] = {
    "above": _archive(**{"..__..__ownerDOTnpy": _header("(1,)")}),
    "large": _archive(
        ownerDOTnpy=_header("(1000000000000, 52)"), tricksDOTnpy=_header("(1, 5, 4)")
    ),
    "overflow": _archive(ownerDOTnpy=_header("(4611686018427387904, 4, 52)")),
    "negative": _archive(ownerDOTnpy=_header("(-1, 52)") + b"x" * 100),
    "zero": _archive(ownerDOTnpy=_header("(0, 52)"), tricksDOTnpy=_header("(0, 5, 4)")),
    "dimensions": _archive(ownerDOTnpy=_header("(" + "1, " * 30 + ")") + b"x"),
    "code": _archive(ownerDOTnpy=_array("__import__('os').system('touch pwned')")),
    "deep_header": _archive(ownerDOTnpy=_array("(" * 100 + ")" * 100)),
    "objects": _objects,
    "names": _archive(ownerDOTnpy=_header("(1,)", "<U1000000000")),
    "bomb": _archive(ownerDOTnpy=_header("(3000000000,)") + bytes(100_000_000)),
    "no_array": _archive(ownerDOTnpy=b"x", tricksDOTnpy=b""),
    "text": _archive(readmeDOTtxt=b"x"),
    "no_archive": b"PK\x05\x06" + bytes(18),
    "version": _archive(ownerDOTnpy=b"\x93NUMPY\xff\xff" + bytes(100)),
    "bare": _header("(1, 52)") + bytes(52),
}


def _weights(header: object, data: bytes = b"", size: int | None = None) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if size is None else size) + text + data


_TENSOR = {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}

_WEIGHTS: dict[str, Made] = {
    "header_size": _weights(b"{}", size=2**64 - 1),
    "header_long": _weights(b"{}", size=2**30),
    "header_deep": _weights(b"[" * 50_000),
    "header_text": _weights(b'"x"'),
    "shape": _weights({"a": {**_TENSOR, "shape": [2**62, 2**62]}}, b"\0" * 4),
    "shape_negative": _weights({"a": {**_TENSOR, "shape": [-1]}}, b"\0" * 4),
    "offsets": _weights({"a": {**_TENSOR, "data_offsets": [0, 2**60]}}, b"\0" * 4),
    "overlap": _weights({"a": _TENSOR, "b": _TENSOR}, b"\0" * 4),
    "dtype": _weights({"a": {**_TENSOR, "dtype": "X99"}}, b"\0" * 4),
    "names": _weights(
        {f"a{n}": {**_TENSOR, "shape": [0], "data_offsets": [0, 0]} for n in range(50_000)}
    ),
    "card": _weights({"__metadata__": {"card": "[" * 50_000}, "a": _TENSOR}, b"\0" * 4),
    "card_marks": _weights(
        {"__metadata__": {"card": '{"system": "\u202e"}'}, "a": _TENSOR}, b"\0" * 4
    ),
}

# ---------------------------------------------------------------- lines, systems


def _swapped_folder(path: Path) -> None:
    path.mkdir()
    for _ in range(50):
        path = path / "x.bid"
        path.mkdir()
    os.mkfifo(path / "pipe.bid")


_LINES: dict[str, Made] = {
    "full_of_lines": _full(b"\n"),
    "full_of_objects": _full(b"{}\n"),
    "full_of_words": _full(b"x\n"),
    "long_line": b'{"a": "' + b"x" * 20_000_000 + b'"}\n',
    "twice": b'{"format": 1, "format": 2, "seal": "x", "seal": "y"}\n',
    "booleans": b'{"format": true, "a": false, "b": null, "seal": []}\n',
    "exponent": b'{"format": 1e400, "boards": -0.0, "seal": "x"}\n',
    "escapes": b'{"format": "' + b"\\u202e" * 100_000 + b'"}\n',
    "mark_of_order": _BOM.encode() + b'{"format": 1}\n',
    "carriage": b'{"format": 1}\r{"format": 1}\r',
    "spaces": b" " * 5_000_000 + b"\n",
    "nul": b'{"format": "\\u0000\0"}\n',
}

_HEAD = 'system a "A"\n\n'

_SYSTEMS: dict[str, Made] = {
    "folders": _swapped_folder,
    "full_of_lines": _full(b"\n", _HEAD.encode()),
    "full_of_rules": _full(b"  1C hcp 1+\n", _HEAD.encode()),
    "circle_of_three": (_HEAD + "include one\n").encode(),
    "fullwidth": (_HEAD + '\uff4f\uff50ening "o"\n  1C hcp 12+\n').encode(),
    "joiner": (_HEAD + "let a\u200db = hcp 12+\n").encode(),
    "combining": (_HEAD + "let a\u0301 = hcp 12+\nlet \u00e1 = hcp 13+\n").encode(),
    "kelvin": (_HEAD + "let \u212a = hcp 12+\n").encode(),
    "dotless": (_HEAD + "let h\u0131 = hcp 12+\nlet hi = hcp 13+\n").encode(),
    "tags": (_HEAD + 'opening "o"\n  1C "\U000e0041\U000e0042" hcp 12+\n').encode(),
    "selector": (_HEAD + 'opening "o"\n  1C "x\ufe0f\ufe0f" hcp 12+\n').encode(),
    "private": (_HEAD + 'opening "o"\n  1C "\ue000\U0010ffff\ufffe" hcp 12+\n').encode(),
    "superscript": (_HEAD + 'opening "o"\n  1C hcp \u00b9\u00b2+\n').encode(),
    "minus": (_HEAD + 'opening "o"\n  1C hcp \u22125..\u221212\n').encode(),
    "spaces": (_HEAD + 'opening\u00a0"o"\n\u2003\u20031C\u3000hcp 12+\n').encode(),
    "vertical": (_HEAD + 'opening "o"\x0b  1C hcp 12+\x0c').encode(),
    "next_line": (_HEAD + 'opening "o"\u0085  1C hcp 12+\u0085').encode(),
    "long_bound": (
        _HEAD + 'opening "o"\n  1C hcp ' + "1" * 4_000 + ".." + "2" * 4_000 + "\n"
    ).encode(),
    "chain_of_not": (_HEAD + "let a = " + "not (" * 90 + "hcp 1+" + ")" * 90 + "\n").encode(),
    "weights": (
        _HEAD + 'opening "o"\n  1C ' + " + ".join(["9999999*hcp"] * 500) + " >= 1\n"
    ).encode(),
    "examples": (_HEAD + "example " + "A" * 100_000 + " -> 1C\n").encode(),
    "auction": (_HEAD + "after " + "1C (P) " * 5_000 + '"x"\n  1D hcp 1+\n').encode(),
    "any": (_HEAD + "after " + "any|" * 2_000 + 'any "x"\n  1D hcp 1+\n').encode(),
    "unclosed": (_HEAD + 'opening "' + "o\n" * 100_000).encode(),
    "open_escape": (_HEAD + 'opening "o\\').encode(),
    "mark_within": (_HEAD + f'opening "o{_BOM}"\n  1C hcp 12+\n').encode(),
}

INPUTS: dict[str, dict[str, Made]] = {
    ".bml": _NOTES,
    ".bss": _RECORDS,
    ".bboalert": _ALERTS,
    ".bbsa": _CARDS,
    ".pbn": _PBN,
    ".lin": _LIN,
    ".yaml": _YAML,
    ".npz": _ARRAYS,
    ".safetensors": _WEIGHTS,
    ".jsonl": _LINES,
    ".bid": _SYSTEMS,
}
"""The contents for each sort of file, by name."""
