"""Every file is read by the functions that refuse other than regular files, and too large ones."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from bidwright.bridge import text_files
from bidwright.kb.language import limits
from bidwright.match.record import match_file
from bidwright.runtime import cache

ROOT = Path(__file__).parents[1]
FOLDERS = (
    *("bridge", "runtime", "kb", "inference", "neural", "match", "authoring", "editor"),
    *("explorer", "commands", "lab"),
)

READING = {
    *("open", "fdopen", "read_text", "read_bytes", "mmap", "memmap", "safe_open", "load_file"),
    *("fromfile", "loadtxt", "genfromtxt", "read_csv", "FileInput", "ZipFile", "TarFile"),
}
"""Names of functions and methods that open or read a file."""

LOADERS = {"np", "numpy", "torch", "yaml", "json", "tomllib", "pickle"}
"""Modules with a `load` that reads a file."""

ALLOWED = {
    "bridge/regular_files.py": {
        "os.open(path, _OPEN | (0 if follow else getattr(os, 'O_NOFOLLOW', 0)))": "the one way",
        "path.read_bytes()": "a file of the package in an archive, which is no path",
    },
    "bridge/arrays.py": {
        "os.fdopen(handle, 'rb', closefd=False)": "of a handle of `regular_file`",
        "np.load(binary, allow_pickle=False)": "of a handle of `regular_file`",
    },
    "neural/weights.py": {
        "safe_open(path, framework='pt')": "after `check_regular`; it maps the file",
    },
    "neural/train/config.py": {"yaml.load(text, _Loader)": "of text that was read, no file"},
    "neural/train/run.py": {
        "torch.load(self._checkpoint, map_location='cpu', weights_only=True)": (
            "after `check_regular`; it maps the file"
        ),
    },
    "runtime/shards.py": {
        "np.load(io.BytesIO(data), allow_pickle=False)": "of bytes that were read",
    },
    "runtime/journal.py": {
        "os.open(path, _OPEN, 438)": "to add to; without waiting, and looked at before it is read"
    },
    "runtime/files.py": {
        "target.open('wb')": "to write what is no regular file, as the user asks",
        "(folder / 'lock').open('ab')": "a lock, which is not read",
        "os.open(temporary, flags, 438)": "to write a file that is new",
        "os.fdopen(handle, 'wb')": "to write a file that is new",
        "os.open(folder, os.O_RDONLY)": "a folder, to have its names on the disk",
    },
    "cli.py": {
        "os.open(os.devnull, os.O_WRONLY)": "to write what nobody reads",
        "os.open(os.devnull, os.O_RDONLY)": "in place of an input that was closed",
        "open(os.devnull, 'w', encoding='utf-8')": "to write what nobody reads",
    },
    "explorer/answering.py": {
        "os.fdopen(os.dup(sys.stdout.fileno()), 'w', encoding='utf-8')": "the standard output",
    },
    "editor/worker.py": {
        "os.fdopen(os.dup(sys.stdout.fileno()), 'w', encoding='utf-8')": "the standard output",
    },
    "authoring/review/session_page.py": {
        "(folder / 'session.html.j2').read_text(encoding='utf-8')": "a file of the package",
    },
    "runtime/cache.py": {
        "os.fdopen(handle, 'wb')": "to write a secret that is new",
        "file.read_bytes()": "an entry that comes with the package",
    },
    "runtime/code.py": {"file.read_bytes()": "code of the package"},
    "runtime/jit.py": {"file.read_bytes()": "code of the package"},
    "kb/language/mistakes.py": {
        "(files(__package__) / 'mistakes.toml').read_text(encoding='utf-8')": "of the package",
    },
    "kb/language/player_phrases.py": {
        "(files(__package__) / 'player_phrases.toml').read_text(encoding='utf-8')": (
            "of the package"
        ),
    },
    "inference/engine/solver.py": {
        "(folder / f'{name}.lp').read_text(encoding='utf-8')": "a file of the package",
    },
    "match/protocol/record.py": {
        "self._pbn.open(mode, encoding='utf-8')": "to write, in the modes 'w' and 'a'",
    },
    "lab/games/store.py": {
        "(self.folder / f'{self.game}.lock').open('w', encoding='utf-8')": "a lock, not read",
    },
    "commands/table_options.py": {"path.open('w', encoding='utf-8')": "to write a log"},
}
"""Calls that open or read a file in another way, by the module, and the reason."""

EXPERIMENTS = {ROOT / "lab" / "ablations", ROOT / "lab" / "bmcs"}
"""Programs of a checkout that read nothing but files written by the runs that they start."""

OF_THE_PACKAGE = "files('bidwright"
"""Parts of the texts of calls that read files of the package."""


def _calls(path: Path) -> Iterator[tuple[str, ast.Call]]:
    """Yield the calls of a module that open or read a file, with the name of the function."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        if isinstance(function, ast.Name):
            if function.id in READING - {"read_text", "read_bytes"}:  # these are methods of paths
                yield function.id, node
        elif isinstance(function, ast.Attribute):
            owner, name = ast.unparse(function.value), function.attr
            loads = name == "load" and owner in LOADERS
            if loads or (name in READING and not _is_no_file(owner, name)):
                yield name, node


def _is_no_file(owner: str, name: str) -> bool:
    """Return True for a method of ours with the name of a method of files."""
    return name == "open" and owner in ("self.projects", "self._lobby", "self", "super()")


def _modules() -> list[Path]:
    found = [path for folder in FOLDERS for path in (ROOT / folder).glob("**/*.py")]
    found = [path for path in found if not {*path.parents} & EXPERIMENTS]
    return sorted([*found, ROOT / "cli.py", ROOT / "__main__.py", ROOT / "__init__.py"])


def test_no_module_reads_a_file_in_another_way() -> None:
    others = [
        f"{path.relative_to(ROOT)}:{call.lineno}: {ast.unparse(call)}"
        for path in _modules()
        for _, call in _calls(path)
        if OF_THE_PACKAGE not in (text := ast.unparse(call))
        and text not in ALLOWED.get(path.relative_to(ROOT).as_posix(), {})
    ]
    assert others == []


def test_the_page_on_trust_has_the_limits_that_hold() -> None:
    page = " ".join((ROOT / "docs" / "trust.md").read_text(encoding="utf-8").split())
    assert (
        f"{limits.MOST_BYTES:,} bytes of a convention file, {text_files.MOST_BYTES:,} of boards, "
        f"notes and settings, {match_file._MOST_BYTES:,} of a match file and of an entry of the "
        "cache"
    ) in page
    assert cache._MOST_BYTES == match_file._MOST_BYTES


def test_every_exception_is_still_there() -> None:
    for name, allowed in ALLOWED.items():
        texts = {ast.unparse(call) for _, call in _calls(ROOT / name)}
        assert allowed.keys() <= texts, name


def test_other_ways_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(
        "open(a)\nPath(a).read_text()\na.read_bytes()\nnp.load(a)\nyaml.load(a)\nio.open(a)\n"
        "gzip.open(a)\nnp.fromfile(a)\nos.open(a, 0)\nread_regular(a, 1)\nyaml.safe_dump(a)\n",
        encoding="utf-8",
    )
    assert [call.lineno for _, call in _calls(path)] == [1, 2, 3, 4, 5, 6, 7, 8, 9]
