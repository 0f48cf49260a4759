"""Nothing speaks of the program as if a registry had it: whoever has not cloned it would fail."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
_SUFFIXES = {".md", ".py", ".js", ".json", ".toml", ".html"}
_LEFT_OUT = {"node_modules", "build", "dist"}
_AS_PUBLISHED = re.compile(r"(pip|pipx|uv tool) install ['\"]?bidwright\b")


def test_nothing_is_installed_from_a_registry_by_name() -> None:
    files = (
        file
        for top in ROOT.iterdir()
        if top.name not in _LEFT_OUT and (not top.name.startswith(".") or top.name == ".github")
        for file in (top.rglob("*") if top.is_dir() else [top])
        if file.suffix in _SUFFIXES and file.name != "CHANGES.md" and file != Path(__file__)
    )
    saying = [str(file) for file in files if _AS_PUBLISHED.search(file.read_text("utf-8"))]
    assert saying == []
