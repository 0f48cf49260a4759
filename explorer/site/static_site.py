"""Writes the site: the explorer's page, its answers as shards, pages to read, search, sitemap.

Nothing of it needs a program on the server, and nothing names its own address, so it works below
any path. A run that was interrupted goes on: shards and pages that are there already are kept.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TypedDict
from urllib.parse import urlsplit
from xml.sax.saxutils import escape

import bidwright
from bidwright import InvalidError, Vulnerability
from bidwright.bridge.json_values import UncheckedObject
from bidwright.bridge.regular_files import MIB, read_regular, read_regular_text
from bidwright.bridge.text_files import parse_json
from bidwright.explorer.site.answer_shards import (
    DATA,
    SUFFIX,
    ShardFile,
    ShardWriter,
    fingerprint,
    packed,
    shard_file,
    write_packed,
)
from bidwright.explorer.site.reached_auctions import (
    BEGINNING,
    Calls,
    first_calls,
    of_boards,
    of_examples,
    shards_of,
)
from bidwright.explorer.site.reading_pages import (
    CONVENTIONS,
    SYSTEMS,
    KeyedEntry,
    PageOrder,
    packaged_conventions,
    page_key,
    template,
    write_page,
)
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.loading.load import load
from bidwright.runtime.crew import ALONE, Crew, work
from bidwright.runtime.files import reason_of, write_text
from bidwright.runtime.progress import counting
from bidwright.runtime.sentences import noun_for

MANIFEST = "site.json"
"""The file that every site has: its systems, and the names of their indexes."""
SEARCH = "search.json"
_STATIC = "static"
_MOST_BYTES = 64 * MIB
"""Bytes of a file of the site."""
_NOT_COPIED = ("index.html", "worker.js")
_WORKER = "worker.js"
_FIRST_VIEW = (
    *("api.js", "deals.js", "dom.js", "explore.js", "laws.js", "own_text.js", "panel.js"),
    *("place.js", "shards.js", "tools.js"),
)
"""The modules of the explorer's first view, which a browser fetches at once.

With the page's own and the style they are twelve: a browser asks a plain server for six at a time.
"""
_KEEPS = "what is there is kept: the same command goes on"


@dataclass(frozen=True, slots=True)
class SiteSettings:
    """The content of a site.

    Attributes:
        systems: the systems to explore: the name or the path of each, by the name on the site.
        first: number of calls up to which every auction is there.
        most: the calls of examples and boards that are there, from the first on.
        seen: the boards that must begin with an auction of more than `first` + 1 calls.
        vulnerabilities: the vulnerabilities that are there.
        corpus: the auctions of boards that were bid.
        address: the address of the site, for the sitemap; empty if nobody knows it.
        title: the title.
        pages: True for pages of systems and conventions.
    """

    systems: Mapping[str, str]
    first: int = 3
    most: int = 6
    seen: int = 1
    vulnerabilities: Sequence[Vulnerability] = (Vulnerability.NONE,)
    corpus: Sequence[Calls] = ()
    address: str = ""
    title: str = "Bidwright"
    pages: bool = True


@dataclass(slots=True)
class SiteSize:
    """The numbers of a site.

    Attributes:
        auctions: the auctions that it answers, of all systems.
        shards: the files that hold them.
        reused: those of them that were there already.
        pages: the pages to read.
        bytes: the size of all files.
    """

    auctions: int = 0
    shards: int = 0
    reused: int = 0
    pages: int = 0
    bytes: int = 0


@dataclass(slots=True)
class _SystemShards:
    """The shards of a system: their names by vulnerability and beginning, files, and the index."""

    name: str
    title: str
    names: dict[str, dict[str, str]] = field(default_factory=dict)
    files: list[ShardFile] = field(default_factory=list)
    index: str = ""


def build_site(
    out: Path, settings: SiteSettings, *, crew: Crew = ALONE, quiet: bool = True
) -> SiteSize:
    """Write a site; return its numbers.

    Raises:
        InvalidError: The folder cannot be used, or a system has errors.
    """
    _take_folder(out)
    size = SiteSize()
    systems = [_shards_of_system(out, name, settings) for name in settings.systems]
    _write_shards(systems, settings, size, crew, quiet=quiet)
    entries = _write_pages(out, settings, crew, quiet=quiet) if settings.pages else []
    size.pages = len(entries)
    names = _copy_static(out)
    manifest = _manifest(out, systems, settings)
    _write_text_files(out, settings, systems, entries, manifest, names)
    _remove_old(out, systems)
    size.bytes = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    return size


def _take_folder(out: Path) -> None:
    """Check that a folder is a site or empty, and make it if there is none.

    Raises:
        InvalidError: It has other files, or cannot be made.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        # A folder of a repository has `.git`; any other file that is not ours may be somebody's
        # work.
        others = [each for each in out.iterdir() if not each.name.startswith(".")]
        if others and not (out / MANIFEST).exists():
            raise InvalidError(
                f"expected an empty folder, or a site of bidwright, got {out} with {others[0].name}"
            )
        if not others:
            write_text(out / MANIFEST, "{}\n")
    except OSError as error:
        raise InvalidError(f"cannot use {out}: {reason_of(error)}") from None


# ---------------------------------------------------------------------- answers


def _shards_of_system(out: Path, name: str, settings: SiteSettings) -> _SystemShards:
    """Return the shards of a system: their auctions, and the name of each file.

    Raises:
        InvalidError: The system has errors.
    """
    rules = open_system(settings.systems[name])
    auctions: set[Calls] = set(first_calls(settings.first))
    auctions.update(of_examples(rules.examples, settings.most))
    auctions.update(of_boards(settings.corpus, settings.first + 1, settings.most, settings.seen))
    shards = shards_of(auctions)
    digits = fingerprint(rules)
    system = _SystemShards(name, rules.title)
    for vulnerability in settings.vulnerabilities:
        names = system.names[vulnerability.word] = {}
        for shard in shards:
            path = shard_file(out, name, digits, vulnerability.word, shard)
            system.files.append(ShardFile(name, vulnerability.word, shard, path))
            names[shard.before] = Path(path).name.removesuffix(SUFFIX)
    return system


def _write_shards(
    systems: Sequence[_SystemShards],
    settings: SiteSettings,
    size: SiteSize,
    crew: Crew,
    *,
    quiet: bool,
) -> None:
    """Work out the shards that are not there."""
    everything = [file for system in systems for file in system.files]
    missing = [file for file in everything if not Path(file.path).exists()]
    total = sum(len(file.shard.last) for file in everything)
    done = total - sum(len(file.shard.last) for file in missing)
    size.auctions, size.shards = total, len(everything)
    size.reused = len(everything) - len(missing)
    # `open_system` takes names and paths; the page names the files of the command line.
    named = {name: source for name, source in settings.systems.items() if name != source}
    written = work(crew, ShardWriter, (named,), missing, None, InvalidError, _KEEPS)
    with counting(total, "answers", "auctions", quiet=quiet) as progress, closing(written):
        progress.show(done)
        for number in written:
            done += number
            progress.show(done)


class ListedSystem(TypedDict):
    """A system of a site; `given` if it is a file of the command line."""

    name: str
    title: str
    index: str
    files: int
    bytes: int
    given: bool


class SiteManifest(TypedDict):
    """The content of a site."""

    title: str
    version: str
    vulnerabilities: list[str]
    first: int
    most: int
    systems: list[ListedSystem]


def _manifest(out: Path, systems: Sequence[_SystemShards], settings: SiteSettings) -> SiteManifest:
    """Write the index of each system; return the manifest that names them."""
    listed: list[ListedSystem] = []
    for system in systems:
        content = system.names
        system.index = f"index-{sha256(packed(content)).hexdigest()[:12]}"
        write_packed(out / DATA / system.name / f"{system.index}{SUFFIX}", content)
        used = {Path(file.path) for file in system.files}
        listed.append(
            {
                "name": system.name,
                "title": system.title,
                "index": system.index,
                "files": len(used),
                "bytes": sum(path.stat().st_size for path in used),
                "given": settings.systems[system.name] != system.name,
            }
        )
    return {
        "title": settings.title,
        "version": bidwright.__version__,
        "vulnerabilities": [each.word for each in settings.vulnerabilities],
        "first": settings.first,
        "most": settings.most,
        "systems": listed,
    }


def _remove_old(out: Path, systems: Sequence[_SystemShards]) -> None:
    """Remove answers that no index names any more."""
    used = {Path(file.path) for system in systems for file in system.files}
    used.update(out / DATA / each.name / f"{each.index}{SUFFIX}" for each in systems)
    for path in (out / DATA).rglob(f"*{SUFFIX}"):
        if path not in used:
            path.unlink()


# ---------------------------------------------------------------------- pages


def _orders(out: Path, settings: SiteSettings) -> Iterator[PageOrder]:
    about = (str(out), settings.address, settings.title)
    for name, source in settings.systems.items():
        yield PageOrder(SYSTEMS, name, source, *about, explored=True)
    for name, path in packaged_conventions().items():
        yield PageOrder(CONVENTIONS, name, path, *about, explored=False)


def _write_pages(out: Path, settings: SiteSettings, crew: Crew, *, quiet: bool) -> list[KeyedEntry]:
    """Write the pages to read that are not there as they should be; return their entries."""
    before: dict[str, KeyedEntry] = {}
    with suppress(OSError, InvalidError):
        read = parse_json(read_regular(out / SEARCH, _MOST_BYTES))
        before = {entry["path"]: entry for entry in read["entries"]}
    orders = list(_orders(out, settings))
    entries: dict[str, KeyedEntry] = {}
    for order in orders:
        entry = before.get(order.path)
        page = out / order.path / "index.html"
        # A page with the same texts and code is kept: writing one bids its examples and exercises
        # anew.
        if entry and page.exists() and entry["key"] == page_key(order, load(order.source)):
            entries[order.path] = entry
    missing = [order for order in orders if order.path not in entries]
    written = work(crew, _page_writer, (), missing, None, InvalidError, _KEEPS)
    with counting(len(orders), "pages", "pages", quiet=quiet) as progress, closing(written):
        progress.show(len(entries))
        for entry in written:
            entries[entry["path"]] = entry
            # After each page, so that an interrupted run knows what it has written.
            _write_search(out, entries.values())
            progress.show(len(entries))
    return [entries[order.path] for order in orders]


def _page_writer() -> Callable[[PageOrder], KeyedEntry]:
    return write_page


def _write_search(out: Path, entries: Iterable[KeyedEntry]) -> None:
    text = json.dumps({"entries": list(entries)}, ensure_ascii=False, separators=(",", ":"))
    write_text(out / SEARCH, text)


# ---------------------------------------------------------------------- files of the page


def _page_files() -> Iterator[Traversable]:
    """Yield the files of the explorer's page, and those that only a site has."""
    for folder in (
        files("bidwright.explorer") / "static",
        files("bidwright.explorer.site") / "static",
    ):
        yield from sorted(folder.iterdir(), key=lambda file: file.name)


def _copy_static(out: Path) -> list[str]:
    """Copy the files of the page; return their names."""
    folder = out / _STATIC
    folder.mkdir(exist_ok=True)
    names = []
    for file in _page_files():
        if file.name not in _NOT_COPIED:
            write_text(folder / file.name, read_regular_text(file, _MOST_BYTES))
            names.append(file.name)
    return names


def _write_text_files(
    out: Path,
    settings: SiteSettings,
    systems: Sequence[_SystemShards],
    entries: Sequence[KeyedEntry],
    manifest: SiteManifest,
    names: Sequence[str],
) -> None:
    """Write the first page, the library, the search, the sitemap, the worker, the manifest."""
    about = {"title": settings.title, "address": settings.address}
    of_kind = {
        kind: [entry for entry in entries if entry["kind"] == kind]
        for kind in (SYSTEMS, CONVENTIONS)
    }
    shell = ["./", *(f"{_STATIC}/{name}" for name in names)]
    (out / "library").mkdir(exist_ok=True)
    library = template("library.html.j2").render(**about, **of_kind)
    write_text(out / "library" / "index.html", library)
    _write_search(out, entries)
    missing = template("missing.html.j2").render(
        title=settings.title,
        base=urlsplit(settings.address).path or "/",
        systems=len(systems),
        conventions=len(of_kind[CONVENTIONS]),
    )
    write_text(out / "404.html", missing)
    write_text(out / "index.html", _first_page(out, settings, systems, manifest, names))
    # A worker with another version drops what the browser has kept.
    version = _version(out, [*names, "../index.html", "../library/index.html"])
    worker = read_regular_text(files("bidwright.explorer.site") / "static" / _WORKER, _MOST_BYTES)
    shell += ["library/", SEARCH, MANIFEST]
    worker = worker.replace('"VERSION"', json.dumps(version)).replace("[SHELL]", json.dumps(shell))
    write_text(out / _WORKER, worker)
    if settings.address:
        addresses = ["", "library/", *(entry["path"] for entry in entries)]
        write_text(out / "sitemap.xml", _sitemap(settings.address, addresses))
        write_text(out / "robots.txt", f"Sitemap: {settings.address}sitemap.xml\n")
    write_text(out / ".nojekyll", "")
    write_text(out / MANIFEST, json.dumps(manifest, ensure_ascii=False) + "\n")


def _first_page(
    out: Path,
    settings: SiteSettings,
    systems: Sequence[_SystemShards],
    manifest: SiteManifest,
    names: Sequence[str],
) -> str:
    """Return the explorer's page with the manifest and the first answers in it.

    With these in the page its first meaning is there without a further request.
    """
    text = read_regular_text(files("bidwright.explorer") / "static" / "index.html", _MOST_BYTES)
    first = systems[0]
    word = settings.vulnerabilities[0].word
    path = next(
        file.path
        for file in first.files
        if file.shard.before == BEGINNING and file.vulnerability == word
    )
    begins = {"name": Path(path).name.removesuffix(SUFFIX), "content": _unpacked(Path(path))}
    # "</script>" in a text would end the script: the sign is written as an escape.
    values = json.dumps({**manifest, "begins": begins}, ensure_ascii=False).replace("<", "\\u003c")
    count = len(systems)
    description = (
        "Click a bridge auction and see what every call shows, how often it is chosen, and the "
        f"rule that proves it: {count} {noun_for(count, 'bidding system')}, conventions with "
        "examples and practice deals."
    )
    head = [
        f'<meta name="description" content="{escape(description)}">',
        '<meta http-equiv="Content-Security-Policy" content="default-src \'self\'; '
        "base-uri 'none'\">",
        *(f'<link rel="canonical" href="{settings.address}">' for _ in settings.address[:1]),
        *(
            f'<link rel="modulepreload" href="{_STATIC}/{name}">'
            for name in names
            if name in _FIRST_VIEW
        ),
    ]
    text = text.replace("</title>", "</title>\n" + "\n".join(head), 1)
    text = text.replace("Bidwright explorer", escape(settings.title), 1)
    values = f'<script type="application/json" id="site">{values}</script>'
    return text.replace("</body>", f"{values}\n</body>", 1)


def _unpacked(path: Path) -> UncheckedObject:
    content: UncheckedObject = json.loads(gzip.decompress(read_regular(path, _MOST_BYTES)))
    return content


def _version(out: Path, names: Iterable[str]) -> str:
    """Return a hash of the files that the service worker keeps."""
    digest = sha256()
    for name in names:
        digest.update(read_regular(out / _STATIC / name, _MOST_BYTES))
    return digest.hexdigest()[:12]


def _sitemap(address: str, paths: Iterable[str]) -> str:
    places = "\n".join(f"<url><loc>{escape(address + path)}</loc></url>" for path in paths)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{places}\n</urlset>\n'
    )
