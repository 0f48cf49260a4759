"""The verb `mcp`: tools for coding agents."""

from __future__ import annotations

import click


@click.command()
def mcp() -> None:
    """Serve coding agents by the Model Context Protocol, over standard input and output.

    Its tools are check, explain, bid, find, boundary_hands and finding; docs/agents.md has a skill
    that takes a paragraph of English to a convention that is proved. Needs the extra `mcp`:
    pip install ".[mcp]" in a checkout.

    Example, for an agent's list of servers: {"command": "bidwright", "args": ["mcp"]}
    """
    from bidwright.front.agent_tools import tool_server

    tool_server().run()
