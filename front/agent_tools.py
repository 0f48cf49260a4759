"""The tools that coding agents get: commands of the program, run and answered as text.

A tool has a function with typed arguments, and runs the command of the same meaning in a process of
its own, so that its answers are the command's, and no tool can stop the server.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from bidwright.bridge.errors import InvalidError

if TYPE_CHECKING:
    from mcp.server import MCPServer

_SECONDS = 600
"""Seconds that a tool may take; a proof of a whole system takes minutes."""
_MOST_OUTPUT = 60_000
"""Characters of an answer; of a longer one the end is left out."""
_CODE = re.compile(r"[EWI][0-9]{3}")
_OPTION = re.compile(r"-+[A-Za-z]")

INSTRUCTIONS = (
    "bidwright compiles contract-bridge convention files (.bid) that bid, explain and prove. Write "
    "a file, call check on it until it is green, then check with prove, and look at boundary_hands "
    "of each rule: a hand just inside and one just outside of each threshold. finding says what a "
    "code such as E201 or W435 means, with a wrong and a right file."
)


def run_command(words: Sequence[str]) -> str:
    """Return the output of a command: its answer, and below it its reports.

    Args:
        words: the words of the command line, the verb first.
    """
    try:
        ran = subprocess.run(
            # The interpreter that runs the server: another `bidwright` on the path may be another
            # version.
            [sys.executable, "-m", "bidwright", *words],
            capture_output=True,
            encoding="utf-8",
            # Texts of convention files may have anything in them; the answer has to be a text.
            errors="replace",
            # A command that asks would wait for ever, and the server's own input is the protocol.
            stdin=subprocess.DEVNULL,
            timeout=_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return f"no answer was found within {_SECONDS} seconds"
    text = "\n".join(part.strip() for part in (ran.stdout, ran.stderr) if part.strip())
    # Agents pay for what they read, and the beginning says most.
    if len(text) > _MOST_OUTPUT:
        text = f"{text[:_MOST_OUTPUT]}\n... {len(text) - _MOST_OUTPUT:,} characters more"
    return text or "nothing to report"


def check(files: list[str], prove: bool = False) -> str:
    """Check convention files: mistakes with line, expectation and advice, and examples not bid so.

    Args:
        files: paths of .bid files, folders of systems, or names of systems such as sayc.
        prove: look for faults of meaning as well: dead rules, gaps, contradictions; minutes.
    """
    return run_command(["check", *(["--prove"] if prove else []), *_words(files)])


def explain(auction: str, system: str = "sayc", vulnerability: str = "none") -> str:
    """Explain each call of an auction: its promises and denials, with the rules that prove them.

    Args:
        auction: the calls, those of one side in brackets: 1NT (P) 2C (P) 2D.
        system: the system of both sides: a name or the path of a .bid file.
        vulnerability: none, ns, ew or both; North deals.
    """
    options = ["--full", "--system", system, "--vul", vulnerability]
    return run_command(["explain", *_words([auction]), *options])


def bid(hand: str, auction: str = "", system: str = "sayc", vulnerability: str = "none") -> str:
    """Bid a hand after an auction: the call, its rule, and why no rule before it applies.

    Args:
        hand: thirteen cards, spades first: KQ4.AQ8.K9873.K2.
        auction: the calls so far; empty for the first call.
        system: the system of both sides: a name or the path of a .bid file.
        vulnerability: none, ns, ew or both; North deals.
    """
    options = ["--system", system, "--vul", vulnerability]
    return run_command(["bid", *_words([hand, auction] if auction else [hand]), *options])


def find(query: str, files: list[str], system: str = "sayc", most: int = 20) -> str:
    """Find boards by the meaning of their calls, such as "responder shows hearts 5+; contract 4H".

    Args:
        query: clauses joined by semicolons, as docs/find.md has them.
        files: PBN or LIN files, or folders of them.
        system: the system of both sides, if the files do not say it.
        most: the number of boards to print.
    """
    options = ["--system", system, "--most", str(int(most)), "--quiet"]
    return run_command(["find", *_words([query, *files]), *options])


def boundary_hands(system: str, rule: str = "", auction: str = "") -> str:
    """Show pairs of hands on the two sides of each threshold of a rule, with what each bids.

    Args:
        system: a name or the path of a .bid file.
        rule: the id of a rule such as opening.1NT, or its call if there is an auction.
        auction: the calls before it; empty for the first auction at which the rule bids.
    """
    options = ["--system", system, "--boundary"]
    # The values stand behind their options, so they cannot be taken for one.
    for option, text in (("--rule", rule), ("--auction", auction)):
        options += [option, text] if text else []
    return run_command(["deal", *options])


def finding(code: str) -> str:
    """Explain a code of check, with a file that triggers it and one that does not.

    Args:
        code: such as E201 or W435.
    """
    if not _CODE.fullmatch(code.strip()):
        return f"expected a code such as E201, got {code[:40]!r}"
    return run_command(["explain", code.strip()])


TOOLS: tuple[Callable[..., str], ...] = (check, explain, bid, find, boundary_hands, finding)
"""The tools; the docstring of each is what an agent reads."""


def _words(words: Sequence[str]) -> list[str]:
    """Return words of a command line that are no options.

    Raises:
        InvalidError: One looks like an option.
    """
    for word in words:
        # An agent is fed with texts of others: none of its words may become an option of the
        # command.
        if _OPTION.match(word):
            raise InvalidError(f"expected no option, got {word[:40]!r}")
    return list(words)


def tool_server() -> MCPServer:
    """Return a server of the tools by the Model Context Protocol.

    Raises:
        InvalidError: The extra `mcp` is not installed.
    """
    try:
        from mcp.server import MCPServer
    except ImportError:
        raise InvalidError(
            'expected the extra "mcp" (pip install ".[mcp]" in a checkout), mcp is not installed'
        ) from None
    from bidwright import __version__

    server = MCPServer("bidwright", instructions=INSTRUCTIONS, version=__version__)
    for tool in TOOLS:
        # Answers are text for people; a scheme of the result would say no more than that.
        server.tool(structured_output=False)(tool)
    return server
