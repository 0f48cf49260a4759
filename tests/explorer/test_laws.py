"""The Laws of calling in the page are those of bridge, for many random auctions."""

from __future__ import annotations

import json
import shutil
import subprocess
from importlib.resources import files

import pytest

from bidwright.tests.explorer.legality import ASKED, random_auctions

_NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(_NODE is None, reason="there is no node on this machine")


def _by_the_page(script: str, given: object) -> object:
    """Return the result of a function of the module `laws.js` for a value, as node runs it."""
    assert _NODE is not None
    module = files("bidwright.explorer").joinpath("static", "laws.js").read_text(encoding="utf-8")
    program = (
        f"import {{ readFileSync }} from 'node:fs';\n{module}\n"
        "const laws = { legalCalls, isOver, callOf, legalPart };\n"
        f"console.log(JSON.stringify(({script})(laws, JSON.parse(readFileSync(0, 'utf8')))));"
    )
    ran = subprocess.run(
        [_NODE, "--input-type=module", "-e", program],
        input=json.dumps(given),
        capture_output=True,
        encoding="utf-8",
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def test_the_page_and_bridge_allow_the_same_calls() -> None:
    auctions = random_auctions(30_000, seed=1)
    assert any(over and len(calls) > 20 for calls, _, over in auctions)
    assert any("XX" in legal for _, legal, _ in auctions)
    answers = _by_the_page(ASKED, [calls for calls, _, _ in auctions])
    assert answers == [[legal, over] for _, legal, over in auctions]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (["1n", "pass", "dbl", "r"], ["1NT", "P"]),
        (["1S", "d", "RDBL", "2\N{BLACK HEART SUIT}"], ["1S", "X", "XX", "2H"]),
        (["1D", "1C", "2C"], ["1D"]),
        (["1D", "<b>"], ["1D"]),
        (["P", "P", "P", "P", "P"], ["P", "P", "P", "P"]),
    ],
)
def test_a_link_is_read_as_far_as_it_is_legal(written: list[str], read: list[str]) -> None:
    assert _by_the_page("(laws, texts) => laws.legalPart(texts)", written) == read
