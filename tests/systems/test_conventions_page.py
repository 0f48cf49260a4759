"""The page docs/conventions.md lists every module; hands of each bid as shelf_hands.md says."""

import re
from pathlib import Path

import pytest

from bidwright.authoring.checking.system_report import check_system
from bidwright.kb.loading.load import load, systems_root

CONVENTIONS = systems_root() / "conventions"
PAGE = (Path(__file__).parents[2] / "docs" / "conventions.md").read_text(encoding="utf-8")
HANDS = Path(__file__).with_name("shelf_hands.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^### (\w+): (.*?)(?=^##|\Z)", HANDS, re.MULTILINE | re.DOTALL))


def test_every_module_has_hands_and_stands_on_the_page() -> None:
    shelf = {each.name.removesuffix(".bid") for each in CONVENTIONS.iterdir()}
    modules = {name for name in shelf if not name.startswith("_")}
    assert set(SECTIONS) == modules
    table = PAGE.partition("| for | conventions |")[2].partition("\n\n")[0]
    assert sorted(re.findall(r"`(\w+)`", table)) == sorted(modules)


@pytest.mark.parametrize("name", sorted(SECTIONS))
def test_title_on_the_page_is_that_of_the_file(name: str) -> None:
    title = load(str(CONVENTIONS / f"{name}.bid")).title
    assert f"`{name}` {title}," in PAGE.replace(" |", ",")
    assert SECTIONS[name].startswith(f"{title}\n")


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
