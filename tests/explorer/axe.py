"""The accessibility checker axe-core, if this machine has it, to be run in a page."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
"""The rules of WCAG 2.2, level AA, by the tags of axe."""
_ASK = """async (tags) => {
  const found = await axe.run(document, { runOnly: { type: 'tag', values: tags } });
  return found.violations.map((each) => ({
    id: each.id, help: each.help, nodes: each.nodes.map((node) => node.html.slice(0, 160)) }));
}"""


def axe_script() -> Path | None:
    """Return the file of axe-core: named by AXE_CORE, or that of `axe-playwright-python`."""
    named = os.environ.get("AXE_CORE")
    if named:
        return Path(named)
    package = find_spec("axe_playwright_python")
    if package is None or package.origin is None:
        return None
    return next(Path(package.origin).parent.rglob("axe.min.js"), None)


def violations(page: Page, script: Path) -> list[Any]:
    """Return the rules that a page breaks, each with the elements that break it."""
    page.evaluate(script.read_text(encoding="utf-8"))
    found: list[Any] = page.evaluate(_ASK, LEVELS)
    return found
