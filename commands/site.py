"""The verb `site`: the explorer as files for any web server."""

from __future__ import annotations

import re
from pathlib import Path

import click

from bidwright.commands.common_options import jobs_option, quiet_option
from bidwright.commands.numbers import Whole
from bidwright.commands.output import examples


@click.command(
    epilog=examples(
        "bidwright site public --system sayc --first 2",
        "bidwright site public --system my_system.bid --corpus boards.pbn --calls 8",
        "bidwright site public --url https://example.org/bridge/ --jobs 4",
    )
)
@click.argument("out", type=click.Path(path_type=Path))
@click.option(
    "--system",
    "systems",
    multiple=True,
    metavar="NAME|FILE",
    help="A system to explore (again for more).  [default: all of the package]",
)
@click.option(
    "--first",
    default=3,
    show_default=True,
    type=Whole(1, 4),
    help="Answer every auction of so many calls.",
)
@click.option(
    "--calls",
    default=6,
    show_default=True,
    type=Whole(1, 40),
    help="Answer examples and boards up to so many calls.",
)
@click.option(
    "--seen",
    default=1,
    show_default=True,
    type=Whole(1, 10_000),
    help="Answer boards' auctions past --first + 1 calls only if so many boards have them.",
)
@click.option(
    "--corpus",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Boards whose auctions it answers: .pbn, .lin or .jsonl; may be given several times.",
)
@click.option(
    "--vul",
    "vulnerabilities",
    multiple=True,
    metavar="WHO",
    help="A vulnerability (again for more), North dealing.  [default: none]",
)
@click.option("--url", default="", metavar="URL", help="Its address, for the sitemap and links.")
@click.option("--title", default="Bidwright", show_default=True, metavar="TEXT")
@click.option("--no-pages", is_flag=True, help="Write no pages of systems and conventions.")
@jobs_option
@quiet_option
def site(
    out: Path,
    systems: tuple[str, ...],
    first: int,
    calls: int,
    seen: int,
    corpus: tuple[Path, ...],
    vulnerabilities: tuple[str, ...],
    url: str,
    title: str,
    no_pages: bool,
    jobs: int,
    quiet: bool,
) -> None:
    """Write the explorer to the folder OUT as a static site, for any web server and below any path.

    The page and its answers are those of `bidwright serve`, worked out beforehand: all first
    calls, the auctions of the authors' examples, and those of boards. Besides there are pages of
    each system and convention, with a search. An interrupted run goes on where it was. What a site
    does not answer it says, with the command that does. docs/site.md has more.
    """
    from bidwright.bridge.cards import parse_vulnerability
    from bidwright.explorer.site.reached_auctions import of_files
    from bidwright.explorer.site.static_site import SiteSettings, build_site
    from bidwright.runtime.crew import Crew

    settings = SiteSettings(
        systems=_named(systems),
        first=first,
        most=calls,
        seen=seen,
        vulnerabilities=[parse_vulnerability(word) for word in vulnerabilities or ("none",)],
        corpus=list(of_files(corpus)),
        address=_address(url),
        title=title,
        pages=not no_pages,
    )
    size = build_site(out, settings, crew=Crew(jobs), quiet=quiet)
    click.echo(
        f"{out}: {size.auctions:,} auctions of {len(settings.systems)} systems in "
        f"{size.shards:,} files ({size.reused:,} were there), {size.pages} pages, "
        f"{size.bytes / 1e6:,.1f} MB"
    )


def _named(systems: tuple[str, ...]) -> dict[str, str]:
    """Return the systems by their names on the site.

    Raises:
        InvalidError: Two have the same name, or a file has a name that is none.
    """
    from bidwright.bridge.errors import InvalidError
    from bidwright.kb.loading.search_path import SUFFIX, available_systems

    named: dict[str, str] = {}
    for source in systems or tuple(available_systems()):
        is_name = source in available_systems()
        name = source if is_name else Path(source).name.removesuffix(SUFFIX)
        # The name becomes part of file names and addresses.
        if not is_name and (
            not re.fullmatch(r"[A-Za-z]\w{0,39}", name) or not Path(source).exists()
        ):
            names = ", ".join(available_systems())
            raise InvalidError(
                f"expected a system ({names}) or a file such as my_system.bid, got {source!r}"
            )
        if name in named or (not is_name and name in available_systems()):
            raise InvalidError(f"expected systems with different names, got {name!r} again")
        named[name] = source if is_name else str(Path(source).absolute())
    return named


def _address(url: str) -> str:
    """Return the address of a site with a slash at its end; empty if there is none.

    Raises:
        InvalidError: It is no address.
    """
    from urllib.parse import urlsplit

    from bidwright.bridge.errors import InvalidError

    if not url:
        return ""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise InvalidError(f"expected an address such as https://example.org/bridge/, got {url!r}")
    return url.rstrip("/") + "/"
