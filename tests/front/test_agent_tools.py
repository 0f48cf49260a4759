"""The tools for coding agents, alone and through the protocol."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from bidwright.bridge.errors import InvalidError
from bidwright.cli import main
from bidwright.front import agent_tools
from bidwright.front.agent_tools import TOOLS

ROOT = Path(__file__).parents[2]
MINI = str(ROOT / "tests" / "systems" / "mini.bid")
SKILL = ROOT / "editors" / "agents" / "bidwright-convention" / "SKILL.md"


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Return the command lines that tools would run; nothing is run."""
    lines: list[list[str]] = []

    def note(words: Sequence[str]) -> str:
        lines.append(list(words))
        return ""

    monkeypatch.setattr(agent_tools, "run_command", note)
    return lines


def test_each_tool_runs_a_command_that_the_program_takes(commands: list[list[str]]) -> None:
    from bidwright.cli import cli

    agent_tools.check([MINI], prove=True)
    agent_tools.explain("1NT (P) 2C", system=MINI)
    agent_tools.bid("KQ4.AQ8.K9873.K2", system=MINI)
    agent_tools.bid("KQ4.AQ8.K9873.K2", "1S (P)", system=MINI)
    agent_tools.find("contract 4H", [str(ROOT / "examples")])
    agent_tools.boundary_hands(MINI, rule="opening.1NT")
    agent_tools.finding("E201")
    for verb, *words in commands:
        command = cli.get_command(None, verb)  # type: ignore[arg-type]
        assert command is not None
        command.make_context(verb, words)
    assert {line[0] for line in commands} == {"check", "explain", "bid", "find", "deal"}


def test_a_tool_answers_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    hand = "KQ4.AQ8.K9873.K2"
    main(["bid", hand, "--system", MINI, "--vul", "none"])
    assert agent_tools.bid(hand, system=MINI) == capsys.readouterr().out.strip()


def test_a_word_of_an_agent_is_no_option(commands: list[list[str]]) -> None:
    with pytest.raises(InvalidError, match="expected no option, got '--json'"):
        agent_tools.check(["--json"])
    assert "expected a code such as E201" in agent_tools.finding("--help")
    assert commands == []


def test_documents_and_skill_name_the_tools() -> None:
    text = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)
    assert named == [tool.__name__ for tool in TOOLS]
    skill = SKILL.read_text(encoding="utf-8")
    assert skill.startswith("---\nname: bidwright-convention\ndescription: ")
    assert {"check", "finding", "boundary_hands"} <= set(re.findall(r"`(\w+)`", skill))


@pytest.mark.system
def test_an_agent_lists_and_calls_tools_over_standard_streams() -> None:
    pytest.importorskip("mcp")
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    server = StdioServerParameters(
        command=sys.executable, args=["-m", "bidwright", "mcp"], env=dict(os.environ)
    )

    async def session() -> tuple[set[str], str]:
        async with stdio_client(server) as (read, write), ClientSession(read, write) as client:
            await client.initialize()
            tools = await client.list_tools()
            arguments = {"hand": "KQ4.AQ8.K9873.K2", "system": MINI}
            answer = await client.call_tool("bid", arguments)
            (content,) = answer.content
            assert content.type == "text"
            return {tool.name for tool in tools.tools}, content.text

    names, text = asyncio.run(session())
    assert names == {tool.__name__ for tool in TOOLS}
    assert text.startswith("N 1NT  15 to 17, balanced")
