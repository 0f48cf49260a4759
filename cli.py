"""The command line: the verbs, each in a module of its own, and the exit codes."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module

import click

import bidwright
from bidwright.bridge.errors import BidwrightError, InvalidError, shortened
from bidwright.bridge.text_files import without_controls
from bidwright.commands.usage_errors import usage_sentence
from bidwright.runtime.extras import missing_extra
from bidwright.runtime.files import NO_ROOM, reason_of
from bidwright.runtime.garbage import collect_rarely

PROBLEMS, USAGE, INTERRUPTED = 1, 2, 130

VERBS = {
    "audit": "bidwright.commands.audit:audit",
    "bid": "bidwright.commands.bid:bid",
    "check": "bidwright.commands.check:check",
    "completion": "bidwright.commands.completion:completion",
    "conformance": "bidwright.lab.commands.conformance:conformance",
    "coverage": "bidwright.commands.coverage:coverage",
    "deal": "bidwright.commands.deal:deal",
    "diff": "bidwright.commands.diff:diff",
    "doc": "bidwright.commands.doc:doc",
    "engine": "bidwright.commands.engine:engine",
    "explain": "bidwright.commands.explain:explain",
    "find": "bidwright.commands.find:find",
    "fmt": "bidwright.commands.format:fmt",
    "games": "bidwright.lab.commands.games:games",
    "import": "bidwright.commands.import_:import_",
    "lesson": "bidwright.commands.lesson:lesson",
    "lsp": "bidwright.commands.lsp:lsp",
    "match": "bidwright.commands.match:match",
    "mcp": "bidwright.commands.mcp:mcp",
    "mutate": "bidwright.commands.mutate:mutate",
    "new": "bidwright.commands.new:new",
    "report": "bidwright.commands.report:report",
    "reproduce": "bidwright.commands.reproduce:reproduce",
    "rest": "bidwright.commands.rest:rest",
    "review": "bidwright.commands.review:review",
    "rules": "bidwright.commands.rules:rules",
    "sample": "bidwright.commands.sample:sample",
    "seat": "bidwright.commands.seat:seat",
    "serve": "bidwright.commands.serve:serve",
    "site": "bidwright.commands.site:site",
    "solve": "bidwright.commands.solve:solve",
    "sweep": "bidwright.commands.sweep:sweep",
    "table": "bidwright.commands.table:table",
    "test": "bidwright.commands.test:test",
    "train": "bidwright.commands.train:train",
    "verify": "bidwright.commands.verify:verify",
}
"""The module and the command of each verb, as `module:command`; a module is imported on use."""

SUMMARIES = {
    "First": {
        "explain": "Explain what each call of AUCTION promises and denies, and why; or a CODE of "
        "check",
        "bid": "Bid HAND after AUCTION; name the rule, and why no rule before it applies",
        "check": "Check convention files or systems, bid their examples, and prove them sound",
        "new": "Write FILE, a system that begins with another one and checks green",
        "serve": "Serve the explorer: a web page on auctions, deals, convention files and practice",
    },
    "Auctions and hands": {
        "sample": "Draw deals that agree with AUCTION, each with exactly its chance",
        "solve": "Print the double-dummy tricks of each contract, and par",
        "review": "Hold the boards of FILE (PBN or LIN) against the disclosed systems",
        "find": "Find the boards of FILEs (PBN or LIN) by the meaning of their calls",
    },
    "Systems and conventions": {
        "test": "Run the examples of systems or files (default sayc)",
        "fmt": "Put convention files into one layout; comments, groups and line breaks stay",
        "rules": "List the rules of SYSTEM, or those that apply after AUCTION in the order of "
        "choice",
        "deal": "Deal hands for a rule or a position, each as likely as any other",
        "coverage": "Show the rules, tests and thresholds of SYSTEM that its examples and a corpus "
        "exercise",
        "mutate": "Move each threshold of SYSTEM by one: does any example notice?",
        "sweep": "Try other ranges for a number of a rule: frequency, changes, and value in IMPs",
        "diff": "Show the differences between two versions of a system, most frequent first",
        "doc": "Write a system as convention card and notes, or export it",
        "import": "Turn a file of another program into a convention file, with an account of every "
        "line",
        "site": "Write the explorer to the folder OUT as a static site, for any web server and "
        "below any path",
        "lesson": "Write a lesson on TOPIC: hands to bid, with their answers",
        "lsp": "Serve editors of convention files over standard input and output",
        "mcp": "Serve coding agents by the Model Context Protocol, over standard input and output",
    },
    "Matches and other programs": {
        "match": "Play a duplicate match between two sides",
        "verify": "Bid a match again: every call must come out as it did",
        "report": "Write a match file's report: one HTML page with its plots",
        "table": "Manage a table: four programs connect, and are led through the boards in both "
        "rooms",
        "seat": "Sit down at a table manager and bid with an agent",
        "engine": "Bid hands for a program: requests and replies are JSON, one a line",
        "rest": "Serve a seat over HTTP: GET /bid with hand, seat, dealer, vul and ctx",
    },
    "Learning": {
        "train": "Make data and train networks on top of the rules",
        "audit": "Measure deviations of practice from agreement, per call, with examples",
        "reproduce": "Run the command behind a published figure; without a NAME, list the figures",
    },
    "The laboratory": {
        "games": "Solve small cooperative games: optima, regret minimisation, joint policy "
        "search, networks",
        "conformance": "Examine a program that speaks the table-manager protocol: which line "
        "breaks which rule?",
    },
    "This program": {
        "completion": "Print the script that makes a shell complete verbs, options and files",
    },
}
"""The verbs as the help lists them, by purpose, each with the first sentence of its help.

Written here so that the list is printed without importing thirty commands.
"""


def _as_argument(word: str) -> str:
    """Return a word of the command line such that a hand void in spades is no option.

    `-.KJ84.Q9653.AT72` and `.KJ84.Q9653.AT72` are the same hand; no option begins with `-.`.
    """
    return word[1:] if word.startswith("-.") else word


class _Verbs(click.Group):
    """The verbs, each imported when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        module, _, name = VERBS[cmd_name].partition(":")
        command = getattr(import_module(module), name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            from difflib import get_close_matches

            close = get_close_matches(args[0], VERBS, n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            raise click.UsageError(f"No such command {args[0]!r}.{hint}", ctx)
        return super().resolve_command(ctx, [_as_argument(each) for each in args])

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, VERBS))
        for title, summaries in SUMMARIES.items():
            with formatter.section(title):
                formatter.write_dl(
                    [(f"{verb:{width}}", summary) for verb, summary in summaries.items()]
                )


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(bidwright.__version__, message="%(prog)s %(version)s")
@click.option("--debug", is_flag=True, help="Show a traceback when something fails.")
def cli(debug: bool) -> None:
    """Bridge bidding from convention files: explain auctions, bid hands, check files."""


_MOST = 1_000
"""Characters of a line of a message."""


def _shown(message: str) -> str:
    """Return a message with lines of a readable length and without control characters."""
    return "\n".join(shortened(line, _MOST) for line in without_controls(message).split("\n"))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    debug = "--debug" in arguments
    _prepare_streams()
    collect_rarely()
    try:
        code = cli.main(args=arguments, prog_name="bidwright", standalone_mode=False)
        if not sys.stdout.closed:  # the language server closes it
            sys.stdout.flush()
    except click.ClickException as error:
        print(f"bidwright: {_shown(usage_sentence(error))}", file=sys.stderr)
        return USAGE
    except BidwrightError as error:
        if debug:
            import traceback  # it takes long to import

            traceback.print_exc()
        print(f"bidwright: {_shown(str(error))}", file=sys.stderr)
        return USAGE
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        _leave_output()  # its reader has gone
        return PROBLEMS
    except OSError as error:
        if not debug and _is_of_memory(error):
            return _no_memory()
        # `tempfile` tries to write in each folder that it knows, and says so when all are full.
        is_full = error.errno in NO_ROOM or "temporary directory" in reason_of(error)
        if debug or not is_full:
            return _internal_error(error, debug)
        _leave_output()
        print(f"bidwright: there is no room to write: {reason_of(error)}", file=sys.stderr)
        return USAGE
    except ModuleNotFoundError as error:
        said = missing_extra(error)
        if debug or said is None:
            return _internal_error(error, debug)
        print(f"bidwright: {said}", file=sys.stderr)
        return USAGE
    except Exception as error:
        if debug or not _is_of_memory(error):
            return _internal_error(error, debug)
        return _no_memory()
    return code if isinstance(code, int) else 0


def _leave_output() -> None:
    """Write the rest of the standard output, to nowhere if its file takes no more.

    The interpreter writes what it still holds as it ends, and failing in that is exit status 120.
    """
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):  # there may be no standard output
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _no_memory() -> int:
    print("bidwright: there is not enough memory for so much at once", file=sys.stderr)
    return USAGE


_OF_MEMORY = (
    *("allocate memory", "out of memory", "failed to map segment", "can't start new thread"),
    "Could not find/load shared object file",
)
"""Words of libraries that had not enough memory, to work or to be loaded."""


def _is_of_memory(error: BaseException) -> bool:
    """Return True if there was not enough memory, which many libraries report in words only."""
    if isinstance(error, MemoryError | SystemError):  # the second, where C code did not expect it
        return True
    if isinstance(error, OSError) and error.errno == errno.ENOMEM:
        return True
    of_libraries = isinstance(error, RuntimeError | ImportError | OSError)
    if of_libraries and any(words in str(error) for words in _OF_MEMORY):
        return True
    before = error.__cause__ or error.__context__
    return before is not None and _is_of_memory(before)


class _NoInput(io.TextIOBase):
    """The standard input of a program that was started without one."""

    def readable(self) -> bool:
        return True

    def read(self, size: int | None = -1, /) -> str:
        raise InvalidError("expected something on the standard input, which is closed")

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        return self.read(size)


def _prepare_streams() -> None:
    """Make streams that were closed, and let the others print letters outside their encoding.

    Output to a stream that was closed gets lost; a letter that cannot be printed, as on a pipe of
    Windows, is printed as an escape.
    """
    # In this order each takes the number of the stream that is missing.
    if sys.stdin is None:
        os.open(os.devnull, os.O_RDONLY)
        sys.stdin = _NoInput()
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - to the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _internal_error(error: Exception, debug: bool) -> int:
    if debug:
        raise error
    what = f"{type(error).__name__}: {error}"[:200]
    print(f"bidwright: internal error, {what} (--debug shows where)", file=sys.stderr)
    return PROBLEMS
