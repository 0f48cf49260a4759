"""The page docs/conventions.md: a section for every module, true to it, with hands that bid."""

import re
from pathlib import Path

import pytest

from bidwright.authoring.checking.system_report import check_system
from bidwright.kb.loading.load import load, systems_root

CONVENTIONS = systems_root() / "conventions"
PAGE = (Path(__file__).parents[2] / "docs" / "conventions.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^### (\w+): (.*?)(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL))


def text_of(name: str) -> str:
    """Return the text of a module."""
    return (CONVENTIONS / f"{name}.bid").read_text(encoding="utf-8")


def test_every_module_has_a_section() -> None:
    """The page lists the shelf, and nothing else."""
    shelf = {each.name.removesuffix(".bid") for each in CONVENTIONS.iterdir()}
    assert set(SECTIONS) == {name for name in shelf if not name.startswith("_")}


def test_the_table_has_every_section_in_its_order() -> None:
    linked = re.findall(r"\[([^]]+)\]\(#(\w+?)-", PAGE)
    titles = [(section.partition("\n")[0], name) for name, section in SECTIONS.items()]
    assert linked == titles


@pytest.mark.parametrize("name", sorted(SECTIONS))
def test_section_is_true_to_the_header(name: str) -> None:
    """Title, parameters, sources and gaps are those of the file."""
    section, system = SECTIONS[name], load(str(CONVENTIONS / f"{name}.bid"))
    assert section.startswith(f"{system.title}\n")
    header = re.search(rf"^convention {name}(?:\((.*)\))? ", text_of(name), re.MULTILINE)
    assert header is not None
    assert re.findall(r"^- parameters: `(.*)`$", section, re.MULTILINE) == (
        [header[1]] if header[1] else []
    )
    own = text_of(name)
    for word in ("source", "gaps"):
        listed = re.findall(rf"^- {word}: (.*)$", section, re.MULTILINE)
        assert listed == re.findall(rf'^  {word} "(.*)"$', own, re.MULTILINE)


@pytest.mark.system
@pytest.mark.parametrize("name", sorted(SECTIONS))
def test_hands_of_the_section_bid_as_stated(name: str, tmp_path: Path) -> None:
    """The system that the section shows has no problem."""
    for text in re.findall(r"^```bid\n(.*?)^```$", SECTIONS[name], re.MULTILINE | re.DOTALL):
        path = tmp_path / "shown.bid"
        path.write_text(text, encoding="utf-8")
        assert check_system(str(path)).problems == []


def test_the_system_that_the_page_begins_with_can_be_used() -> None:
    """SAYC with two modules: nothing is wrong with the text; its hands are bid elsewhere."""
    shown = re.search(r"^```bid\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert shown is not None
    assert re.findall(r"^include (\w+)$", shown[1], re.MULTILINE) == ["sayc", "dont", "rkcb"]
