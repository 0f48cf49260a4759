"""The weights that ship with the package: they open by name, and their cards tell all."""

import re
from importlib.resources import files
from pathlib import Path

import pytest

from bidwright.match.agents.specs import default_context, open_agent
from bidwright.match.reports.audit import Audit, run_audit
from bidwright.neural.made_for import MadeFor
from bidwright.neural.weights import load_weights, read_card

FOLDER = Path(str(files("bidwright") / "neural" / "shipped"))
SHIPPED = sorted(FOLDER.glob("*.safetensors"))
KINDS = {
    "league": "policy",
    "sayc": "policy",
    "sayc_sl": "policy",
    "sayc_belief": "belief",
    "tricks": "tricks",
}
MOST_BYTES = 20_000_000
DOC = (Path(__file__).parents[2] / "docs" / "training.md").read_text(encoding="utf-8")
BOARDS = 40


def test_all_that_ships_is_small_and_told_of() -> None:
    assert {each.stem for each in SHIPPED} == set(KINDS)
    assert sum(each.stat().st_size for each in SHIPPED) <= MOST_BYTES
    rows = dict(re.findall(r"^\| `(\w+)` \|.*\| `([0-9a-f]{8})` \|$", DOC, re.MULTILINE))
    assert rows == {each.stem: read_card(each)["digest"][:8] for each in SHIPPED}


@pytest.mark.parametrize("name", KINDS)
def test_a_card_says_how_the_weights_were_made_and_what_they_are_worth(name: str) -> None:
    kind = KINDS[name]
    card = load_weights(name, kind).card  # type: ignore[call-overload]
    assert " train " in card["command"]
    assert card["config"]["seed"] == (8012 if name == "league" else 0)
    assert card["measured"]
    systems = card["data"]["systems"] if name == "league" else [card]
    if kind != "tricks":
        assert systems[0]["system"] == "sayc"
        assert all(re.fullmatch("[0-9a-f]{16}", each["system_fingerprint"]) for each in systems)


def test_the_policy_learnt_from_the_one_that_imitates() -> None:
    base = load_weights("sayc_sl", "policy").card["digest"]
    assert base.startswith(load_weights("sayc", "policy").card["start"])


@pytest.mark.system
@pytest.mark.parametrize(
    ("spec", "system"),
    [
        ("hybrid:sayc", "sayc"),
        ("policy:league,system=sayc", "sayc"),
        ("policy:league,system=acol", "acol"),
        ("policy:league,system=acol_benjamin", "acol_benjamin"),
    ],
)
def test_openings_are_in_the_file(spec: str, system: str) -> None:
    context = default_context(system)
    agent = open_agent(spec, context)
    audit = Audit(agent.spec, system, 9, context.library.system(system).fingerprint, MadeFor())
    run_audit(audit, agent, context.library, BOARDS, lambda _: None)
    openings = audit.openings().values()
    made = sum(each.made for each in openings)
    assert made > BOARDS / 2
    assert sum(each.conforming for each in openings) >= 0.9 * made
    if spec.startswith("hybrid"):
        assert audit.of().possible == audit.of().made
