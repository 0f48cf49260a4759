"""The glossary maps every term that the program prints by itself."""

from __future__ import annotations

import os
import re
from pathlib import Path

from bidwright.inference.explanation import purpose
from bidwright.inference.explanation.glossary import FACTS, glossary
from bidwright.inference.explanation.terms import ACTS, FORCES, SYNONYMS, TRADE

ROOT = Path(__file__).parents[3]


def test_the_page_is_made_from_the_tables() -> None:
    page = ROOT / "docs" / "glossary.md"
    if os.environ.get("REWRITE_GOLDEN"):
        page.write_text(glossary(), encoding="utf-8")
    assert page.read_text(encoding="utf-8") == glossary()


def test_every_name_of_an_act_has_an_entry() -> None:
    source = Path(purpose.__file__).read_text(encoding="utf-8")
    acts = source[source.index("def _act(") :]
    named = set(re.findall(r'"([a-z][a-z -]+)"', re.sub(r'"""(.|\n)*?"""', "", acts)))
    assert named <= {*ACTS, *TRADE, *FORCES}


def test_what_synonyms_stand_for_has_an_entry() -> None:
    assert set(SYNONYMS.values()) - {*ACTS, *TRADE, *FORCES, *FACTS} == set()
