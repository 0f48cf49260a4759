"""docs/results/games.md shows the results that are stored beside it."""

from pathlib import Path

import pytest

from bidwright.bridge.errors import InvalidError
from bidwright.lab.games import report

DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.system
def test_tables_of_the_page_are_those_of_the_store() -> None:
    page = (DOCS / "results" / "games.md").read_text(encoding="utf-8")
    again = "write it anew with: bidwright games page docs/results/games.md --store docs/games"
    assert report.renewed(page, DOCS / "games") == page, again


def test_unknown_table_is_refused() -> None:
    with pytest.raises(InvalidError, match="expected one of table1, table2, speed, table4"):
        report.renewed("<!-- games table9 -->\n<!-- end -->", DOCS / "games")
