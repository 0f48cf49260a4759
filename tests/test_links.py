"""Links between the pages of the documentation lead somewhere."""

import re
from functools import cache
from pathlib import Path

import pytest

from bidwright.tests.scripts import script

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    page.relative_to(ROOT)
    for pattern in (
        "*.md",
        "docs/*.md",
        "docs/results/*.md",
        "lab/*.md",
        "bench/*.md",
        "systems/**/*.md",
        "editors/**/*.md",
    )
    for page in ROOT.glob(pattern)
)
_BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


@cache
def _prose(page: Path) -> str:
    """Return a page without its blocks of code."""
    return _BLOCK.sub("", page.read_text(encoding="utf-8"))


def _anchors(page: Path) -> set[str]:
    """Return the names of a page's headings in links."""
    headings = re.findall(r"^#+ (.*)$", _prose(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in headings}


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", _prose(ROOT / page)):
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        target = (ROOT / page).parent / name if name else ROOT / page
        assert target.exists(), link
        assert not anchor or anchor in _anchors(target), link


def test_the_readme_leads_to_every_page() -> None:
    linked = re.findall(r"\]\((docs/\w+\.md)", _prose(ROOT / "README.md"))
    assert sorted(set(linked)) == [str(page) for page in PAGES if page.parent.name == "docs"]


def test_documents_have_no_more_words_than_before() -> None:
    """These only shrink: what was measured belongs to docs/results, what a command prints to it."""
    counts = script("words_of_docs").words()
    way_out = "say something else in fewer words; scripts/words_of_docs.py counts them by page"
    assert sum(all_words for all_words, _ in counts.values()) <= 45_000, way_out
    assert sum(prose for _, prose in counts.values()) <= 36_600, way_out


def test_the_readme_counts_the_conventions() -> None:
    number = len(list((ROOT / "systems" / "conventions").glob("*.bid")))
    assert f"[library of {number} conventions](docs/conventions.md)" in (
        ROOT / "README.md"
    ).read_text(encoding="utf-8")
