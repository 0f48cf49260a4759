"""`policy:`, `hybrid:` and `bmcs:` in matches, engines and on the command line; `audit`."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from bidwright.bridge.auction import Auction, parse_auction
from bidwright.bridge.calls import CALLS, FIRST_BID, Call, bid
from bidwright.bridge.deal import Deal, deal_from_owner
from bidwright.bridge.errors import BidwrightError
from bidwright.bridge.hand import parse_hand
from bidwright.bridge.solved_deals import numbered_deals
from bidwright.cli import main
from bidwright.inference.reading.player import choose
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.compiled import open_system
from bidwright.match.agents.agent import Agent, Request
from bidwright.match.agents.disclosure import Disclosure
from bidwright.match.agents.explaining import argue
from bidwright.match.agents.rules_agent import own_reading
from bidwright.match.agents.search_agent import SearchAgent
from bidwright.match.agents.serve import serve
from bidwright.match.agents.specs import default_context, open_agent
from bidwright.match.reports.opening_conformity import openings
from bidwright.neural.networks import Network, NetworkShape
from bidwright.neural.policies import policy_logs
from bidwright.neural.search.models import HybridModel, Model, NetworkModel, RuleModel
from bidwright.neural.search.population import Population
from bidwright.neural.search.proposals import DealSource
from bidwright.neural.search.rollouts import roll_out
from bidwright.neural.search.settings import SearchConfig
from bidwright.neural.search.work import Work
from bidwright.neural.tricks import TricksNetwork, TricksShape
from bidwright.neural.weights import load_weights, save_weights

MINI = str(Path(__file__).parents[2] / "systems" / "mini.bid")
HAND = "KQ4.AQ8.K9873.K2"


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with small networks that know nothing, the policy without doubts."""
    folder = tmp_path_factory.mktemp("weights")
    torch.manual_seed(5)
    policy = Network(NetworkShape(480, 38, 24, 2))
    with torch.no_grad():
        policy.last.weight.mul_(40)
    save_weights(folder / "policy.safetensors", policy, "policy", {})
    sayc = {"config": {"system": "sayc"}}
    save_weights(folder / "sayc.safetensors", policy, "policy", sayc)
    save_weights(folder / "wide.safetensors", Network(NetworkShape(481, 38, 8, 1)), "policy", {})
    save_weights(
        folder / "belief.safetensors", Network(NetworkShape(480, 156, 24, 2)), "belief", {}
    )
    save_weights(folder / "tricks.safetensors", TricksNetwork(TricksShape(16, 1)), "tricks", {})
    torn = folder / "torn.safetensors"
    torn.write_bytes((folder / "policy.safetensors").read_bytes()[:-64])
    return folder


@pytest.fixture
def opened(weights: Path) -> Callable[[str], Agent]:
    """Return a function that opens agents; `@` stands for the folder with weights."""
    context = default_context(MINI)
    return lambda spec: open_agent(spec.replace("@", f"{weights}/"), context)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("policy:", "expected weights after 'policy:', a name or a path"),
        ("policy:nobody", "expected a file of weights or a name ("),
        ("policy:@belief.safetensors", "expected weights of kind 'policy' in"),
        ("policy:@wide.safetensors", "got 481 to 38"),
        ("policy:@torn.safetensors", "expected weights with a card in"),
        ("policy:@policy.safetensors,prior=1", "unknown option 'prior'"),
        ("hybrid:@policy.safetensors,prio=1", "unknown option 'prio'; did you mean 'prior'?"),
        ("hybrid:@policy.safetensors,prior=-1", "expected a number, 0 or more, as prior, got '-1'"),
        ("hybrid:@policy.safetensors,prior=nan", "expected a number, 0 or more, as prior"),
        (
            "hybrid:@policy.safetensors,shield=yes",
            "expected shield=off|promises|possible|on, got 'yes'",
        ),
        ("hybrid:@policy.safetensors,budget=0.5", "expected a whole number, 0 or more, as budget"),
        ("hybrid:@policy.safetensors,shield", "expected an option such as prior=0.5"),
        ("hybrid:@policy.safetensors,system=saic", "did you mean 'sayc'?"),
        ("bmcs:", "expected weights after 'bmcs:', a name or a path, or bmcs:rules"),
        ("bmcs:rules,proposals=both", "expected belief=WEIGHTS with proposals=both"),
        ("bmcs:rules,tricks=@belief.safetensors", "expected weights of kind 'tricks' in"),
        ("bmcs:rules,k=0", "expected 1 or more as k, p_max and r_max"),
        ("bmcs:rules,r_max=" + "9" * 30, "expected 1,000,000 or less as p_max and r_max"),
        ("bmcs:rules,slips=0", "expected a share above 0 and below 1 as slips, got 0.0"),
        ("bmcs:rules,slips=1", "expected a share above 0 and below 1 as slips, got 1.0"),
        ("bmcs:rules,wide=1", "expected a share below 1 as wide, got 1.0"),
        ("bmcs:rules,theirs=@belief.safetensors", "expected weights of kind 'policy' in"),
        ("bmcs:rules,theirs=0.5 nobody", "expected a file of weights or a name ("),
        ("bmcs:rules,theirs=0.5 rules / sayc", "such as '0.5 WEIGHTS', '0.3 WEIGHTS as acol' or"),
        ("bmcs:rules,theirs=0.5 past", "with ' / ' between several, got '0.5 past'"),
        ("bmcs:rules,theirs=1 rules as sayc", "expected a share and an opponent, such as"),
        ("bmcs:rules,theirs=1 rules / 2 rules", "expected the opponent 'rules' once"),
        ("bmcs:rules,theirs=1 @policy.safetensors as saic", "did you mean 'sayc'?"),
        ("bmcs:rules,theirs=1 @policy.safetensors as sayc", "leave out 'as sayc'"),
        ("bmcs:rules,wide=most", "expected a number, 0 or more, or belief as wide, got 'most'"),
        ("bmcs:rules,wide=belief", "expected belief=WEIGHTS of a residual network with wide="),
        (
            "bmcs:rules,wide=belief,belief=@belief.safetensors",
            "expected belief=WEIGHTS of a residual network with wide=belief",
        ),
    ],
)
def test_a_specification_that_cannot_be_opened_is_refused(
    opened: Callable[[str], Agent], spec: str, message: str
) -> None:
    with pytest.raises(BidwrightError) as caught:
        opened(spec)
    assert message in str(caught.value)


def test_weights_that_name_no_system_need_one(weights: Path) -> None:
    with pytest.raises(BidwrightError, match="do not say what system they are for"):
        open_agent(f"hybrid:{weights}/policy.safetensors", default_context())
    assert open_agent(f"policy:{weights}/policy.safetensors", default_context()).system is None
    assert open_agent(f"hybrid:{weights}/sayc.safetensors", default_context()).system == "sayc"


@pytest.mark.parametrize("spec", ["policy:any", "hybrid:any", "bmcs:rules"])
def test_without_torch_one_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], spec: str
) -> None:
    import bidwright.neural.requirements as requirements

    monkeypatch.setattr(requirements, "find_spec", lambda name: None if name == "torch" else name)
    assert main(["bid", HAND, "--agent", spec]) == 2
    assert capsys.readouterr().err == (
        "bidwright: networks need torch, which is not installed: "
        "pip install '.[neural]' in a checkout\n"
    )


def request_after(auction: str, hand: str = HAND, theirs: str = MINI) -> Request:
    calls = parse_auction(auction)
    systems = {calls.turn.side: MINI, calls.turn.side.other: theirs}
    ordered = [systems[side] for side in sorted(systems)]
    return Request(calls, parse_hand(hand), Disclosure(default_context().library, *ordered))


def test_a_policy_is_held_to_the_rules_as_far_as_it_is_asked(
    opened: Callable[[str], Agent],
) -> None:
    request = request_after("")
    bare, shielded, ruled = (
        opened(f"{kind}:@policy.safetensors{options}").calls([request])[0]
        for kind, options in (
            ("policy", ""),
            ("hybrid", ",prior=0,shield=on"),
            ("hybrid", ",prior=inf,shield=off"),
        )
    )
    assert bare.decider == "net"
    assert bare.call is not Call.C1NT
    assert (shielded.call, shielded.decider) == (Call.C1NT, "rule:opening.1NT")
    assert ruled == shielded


@pytest.mark.system
def test_a_match_with_networks_is_verified_and_disclosed(
    weights: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "match.jsonl"
    search = f"bmcs:rules,system={MINI},tricks=none,r_max=4,p_max=32,r_min=2,seconds=0"
    hybrid = f"hybrid:{weights}/policy.safetensors,system={MINI},budget=1"
    assert main(["match", search, hybrid, "--boards", "2", "--out", str(out), "--json"]) == 0
    header = json.loads(out.read_text().splitlines()[0])
    assert [header[side]["system"] for side in "ab"] == [MINI, MINI]
    (searcher,), (player,) = header["a"]["players"], header["b"]["players"]
    assert searcher["search"]["r_max"] == 4
    assert searcher["weights"] == {}
    assert player["rules"] == {"prior": 0.0, "shield": "possible", "budget": 1}
    assert re.fullmatch("[0-9a-f]{64}", player["weights"]["policy"])
    capsys.readouterr()
    assert main(["verify", str(out)]) == 0


def test_an_engine_serves_a_hybrid_with_what_its_calls_mean(
    opened: Callable[[str], Agent],
) -> None:
    sink = io.StringIO()
    line = json.dumps({"id": 3, "hand": HAND, "auction": [], "meaning": True})
    agent = opened("hybrid:@policy.safetensors")
    serve(agent, default_context().library, io.StringIO(line + "\n"), sink)
    reply = json.loads(sink.getvalue())
    assert (reply["id"], reply["call"], reply["by"]) == (3, "1NT", "rule")
    assert reply["meaning"]["hcp"] == [15, 17]


def test_bid_shows_the_arithmetic_of_a_search(
    weights: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = (
        f"bmcs:{weights}/policy.safetensors,tricks={weights}/tricks.safetensors,prior=0,shield=off,"
        f"belief={weights}/belief.safetensors,proposals=both,r_max=16,p_max=64,settle=4"
        ",seconds=0"
    )
    command = ["bid", HAND, "P (P)", "--agent", spec, "--system", MINI]
    assert main([*command, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    search = found["search"]
    assert {search["own"], "1NT"} <= {each["call"] for each in search["candidates"]}
    assert search["own"] != "1NT"
    assert found["call"] == search["call"]
    assert search["proposed"] == 64
    assert 1 <= search["effective"] <= 64
    assert search["source"] == "both"
    own = next(each for each in search["candidates"] if each["call"] == search["own"])
    assert (own["imps"], own["error"]) == (0, 0)
    assert sum(each["policy"] for each in found["calls"]) == pytest.approx(1)
    assert found["meaning"]["call"] == found["call"]
    assert main(command) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"{found['call']}  (")
    assert re.search(r"^call +before +IMPs +\+- +deals$", text, re.MULTILINE)
    assert f"64 deals proposed (both), effective size {search['effective']:.1f}; " in text
    assert f"\nStopped: {search['reason']}.\n" in text


def test_every_agent_can_be_asked_for_a_bid(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bid", HAND, "--agent", f"rules:{MINI}", "--system", MINI]) == 0
    assert capsys.readouterr().out == (
        "1NT  (rule:opening.1NT)\nshows: 15 to 17, balanced; 15-17 HCP, balanced\n"
    )


@pytest.fixture
def weak(tmp_path: Path) -> str:
    """Return the path of the mini system, under the same name, with a notrump of 12 to 14."""
    path = tmp_path / "weak.bid"
    text = Path(MINI).read_text(encoding="utf-8")
    text = text.replace("hcp 15..17, balanced", "hcp 12..14, balanced")
    path.write_text(text.replace("hcp 10..15; signoff", "hcp 13..18; signoff"), encoding="utf-8")
    return str(path)


def models_of(agent: Agent, request: Request) -> tuple[Model | Population, Model | Population]:
    assert isinstance(agent, SearchAgent)
    models = agent._models(own_reading(request, MINI, agent._library), request, Work())
    return models[request.seat.side], models[request.seat.side.other]


def test_opponents_are_rolled_out_as_their_system_says(
    opened: Callable[[str], Agent], tiny: Path, weak: str
) -> None:
    alone = opened("bmcs:@policy.safetensors,prior=0,shield=off")
    prepared = opened("bmcs:@policy.safetensors,prior=0,shield=off,theirs=@sayc.safetensors")
    kinds = []
    for agent, theirs in (
        (alone, MINI),
        (prepared, MINI),
        (alone, str(tiny)),
        (alone, weak),
        (prepared, weak),
    ):
        own, other = models_of(agent, request_after("(1NT)", theirs=theirs))
        kinds.append((type(own), type(other), own is other))
    network = NetworkModel
    assert kinds == [
        (network, network, True),
        (network, network, True),
        (network, RuleModel, False),
        (network, RuleModel, False),
        (network, network, False),
    ]
    silent = request_after("(1NT)")
    silent = replace(silent, view=silent.view.seen_by(silent.seat.side))
    assert [len(set(map(id, models_of(agent, silent)))) for agent in (alone, prepared)] == [1, 2]
    assert alone.calls([request_after("(1NT)", theirs=str(tiny))])[0].call in set(Call)


def test_a_population_stands_for_all_opponents(
    opened: Callable[[str], Agent], weights: Path, weak: str
) -> None:
    """Whatever they disclose; the arithmetic says whom they are taken for."""
    population = "3 @policy.safetensors / 1 rules / 1 @sayc.safetensors"
    more = "tricks=@tricks.safetensors,prior=0,shield=off,seconds=0,r_max=8,p_max=64"
    agent = opened(f"bmcs:@policy.safetensors,{more},theirs={population}")
    names = (f"{weights}/policy.safetensors", "rules", f"{weights}/sayc.safetensors")
    for theirs in (MINI, weak):
        own, other = models_of(agent, request_after("(1NT)", theirs=theirs))
        assert isinstance(own, NetworkModel)
        assert isinstance(other, Population)
        assert (other.names, other.shares) == (names, (0.6, 0.2, 0.2))
        kinds = [type(each) for each in other.members]
        assert kinds == [NetworkModel, RuleModel, NetworkModel]
    digests = agent.card()["weights"]["theirs"]
    assert isinstance(digests, dict)
    assert set(digests) == {names[0], names[2]}
    assert digests[names[0]] == agent.card()["weights"]["policy"]
    request = request_after("(1NT)", "Q42.T83.J873.K52", theirs=weak)
    found = argue(agent, request)
    taken = found.details["search"]["opponents"]
    assert {each["name"]: each["share"] for each in taken} == dict(
        zip(names, (0.6, 0.2, 0.2), strict=True)
    )
    assert sum(each["chance"] for each in taken) == pytest.approx(1)
    assert taken[0]["name"] == "rules", "the policies know nothing of opening 1NT"
    assert taken[0]["chance"] > 0.9
    assert f"The opponents are taken for rules ({taken[0]['chance']:.1%}) or " in found.sentences[1]
    hashes = opened("bmcs:rules,theirs=1 @sayc.safetensors").card()["weights"]["theirs"]
    assert isinstance(hashes, dict)
    (alone,) = hashes.items()
    assert alone[0] == names[2]
    assert opened("bmcs:rules,theirs=@sayc.safetensors").card()["weights"]["theirs"] == alone[1]


def test_a_hybrid_is_rolled_out_as_a_hybrid(opened: Callable[[str], Agent], weak: str) -> None:
    """Its own calls in the future are those that the shield lets it make."""
    agent = opened("bmcs:@policy.safetensors,prior=0,shield=on")
    hybrid = opened("hybrid:@policy.safetensors,prior=0,shield=on")
    request = request_after("(1NT)", "Q42.T83.J873.K52", theirs=weak)
    own, other = models_of(agent, request)
    assert (type(own), type(other)) == (HybridModel, RuleModel)
    owner = numbered_deals(3, range(8))
    ours = request.seat.side
    models = {ours: own, ours.other: other}
    found = roll_out(owner, request.auction, [Call.PASS], models, lambda: False)
    assert found is not None
    for row, deal in enumerate(map(deal_from_owner, owner)):
        auction = request.auction.with_call(Call.PASS)
        while not auction.is_over:
            hand = deal[auction.turn]
            assert hand is not None
            if auction.turn.side == ours:
                asked = replace(request, auction=auction, hand=hand)
                auction = auction.with_call(hybrid.calls([asked])[0].call)
            else:
                reading = request.view.reading(auction)
                assert reading is not None
                auction = auction.with_call(choose(reading, hand).call)
        contract = auction.contract()
        assert contract is not None
        expected = bid(contract.level, contract.denomination) - FIRST_BID
        assert (found.bid[row, 0], found.declarer[row, 0]) == (expected, contract.declarer)


def test_opponents_deals_and_calls_are_those_of_their_own_rules(
    opened: Callable[[str], Agent], weak: str
) -> None:
    agent = opened("bmcs:@policy.safetensors,prior=0,shield=off")
    request = request_after("(1NT)", "Q42.T83.J873.K52", theirs=weak)
    assert isinstance(agent, SearchAgent)
    reading = own_reading(request, MINI, agent._library)
    models = agent._models(reading, request, Work())
    source = DealSource(reading, request.hand, SearchConfig(), None)
    owner = source.draw(12, np.random.default_rng(4))
    found = roll_out(owner, request.auction, [Call.PASS], models, lambda: False)
    assert found is not None
    for row, deal in enumerate(map(deal_from_owner, owner)):
        opener = deal[request.auction.dealer]
        assert opener is not None
        assert 12 <= opener.hcp <= 14
        auction = bid_out(agent, request.auction.with_call(Call.PASS), deal, reading.reader)
        contract = auction.contract()
        assert contract is not None
        expected = bid(contract.level, contract.denomination) - FIRST_BID
        assert (found.bid[row, 0], found.declarer[row, 0]) == (expected, contract.declarer)


def bid_out(agent: SearchAgent, auction: Auction, deal: Deal, reader: Reader) -> Auction:
    """Return an auction bid on by the agent's policy, and by the other side's rules."""
    ours = auction.turn.side.other
    assert agent._nets.policy is not None
    while not auction.is_over:
        hand = deal[auction.turn]
        assert hand is not None
        if auction.turn.side == ours:
            logs = policy_logs(agent._nets.policy.network, [auction], [hand])[0]
            auction = auction.with_call(CALLS[int(logs.argmax())])
        else:
            auction = auction.with_call(choose(reader.read(auction), hand).call)
    return auction


def test_a_search_plays_a_match_against_another_system(
    weights: Path, weak: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "match.jsonl"
    search = f"bmcs:{weights}/policy.safetensors,tricks={weights}/tricks.safetensors,system={MINI}"
    search += ",r_max=8,p_max=32,seconds=0,prior=3"
    command = ["match", search, f"rules:{weak}", "--boards", "3", "--seed", "8", "--json"]
    assert main([*command, "--out", str(out)]) == 0
    header = json.loads(out.read_text().splitlines()[0])
    assert [header[side]["system"] for side in "ab"] == [MINI, weak]
    capsys.readouterr()
    assert main(["verify", str(out)]) == 0


@pytest.mark.system
def test_a_search_answers_the_same_in_any_company(opened: Callable[[str], Agent]) -> None:
    agent = opened("bmcs:@policy.safetensors,tricks=@tricks.safetensors,prior=0,r_max=24,seconds=0")
    asked = [request_after(calls) for calls in ("", "P (P)", "P (1S)", "(1H)")]
    together = agent.calls(asked)
    assert [agent.calls([each])[0] for each in reversed(asked)] == together[::-1]
    assert argue(agent, asked[1]).answer == together[1]


# ------------------------------------------------------------------------ audit


def audited(words: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    assert main(["audit", *words, "--json", "--quiet"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_the_rules_practise_what_they_agreed(capsys: pytest.CaptureFixture[str]) -> None:
    found = audited([f"rules:{MINI}", "--boards", "20"], capsys)
    assert found["departures"] == []
    total = found["all"]
    assert total["share"] == 1.0  # type: ignore[index]
    assert (total["possible"], total["mass"]) == (total["made"], None)  # type: ignore[index]


@pytest.mark.system
def test_an_audit_tells_both_tiers_and_what_was_given_to_calls_that_conform(
    weights: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shares = {}
    for shield in ("off", "on"):
        spec = f"hybrid:{weights}/policy.safetensors,system={MINI},shield={shield},prior=0"
        shares[shield] = audited([spec, "--boards", "6"], capsys)["all"]
    bare, held = shares["off"], shares["on"]
    assert bare["conforming"] <= bare["possible"] < bare["made"]  # type: ignore[index]
    assert 0 < bare["mass"] < 0.9  # type: ignore[index]
    assert held["mass"] == pytest.approx(1)  # type: ignore[index]
    assert held["possible"] == held["made"]  # type: ignore[index]
    near = audited(["policy:sayc_sl,system=sayc", "--boards", "20"], capsys)["all"]
    assert near["conforming"] < near["possible"] <= near["made"]  # type: ignore[index]
    assert main(["audit", f"rules:{MINI}", "--boards", "2", "--quiet"]) == 0
    text = capsys.readouterr().out
    assert "100.0% conform, 100.0% with latitude" in text
    assert re.search("^position +made +conform +possible +mass +denied", text, re.MULTILINE)


@pytest.mark.system
def test_an_audit_counts_what_a_match_report_counts(
    weights: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = f"hybrid:{weights}/policy.safetensors,system={MINI},shield=off,prior=0.5"
    found = audited([spec, "--boards", "25", "--seed", "3", "--examples", "1"], capsys)
    out = tmp_path / "match.jsonl"
    command = ["match", spec, spec, "--boards", "25", "--seed", "3", "--out", str(out)]
    assert main(command) == 0
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    boards = [line for line in lines if "deal" in line]
    view = Disclosure(default_context().library, MINI, MINI)
    judged = openings(boards, {"open": view, "closed": view})
    for entry in found["openings"]:  # type: ignore[attr-defined]
        sides = [judged[side].get(Call[f"C{entry['call']}"]) for side in "ab"]
        both_rooms = [each for each in sides if each]
        assert sum(each.made for each in both_rooms) == 2 * entry["made"]
        assert sum(each.conforming for each in both_rooms) == 2 * entry["conforming"]
    calls = sum(len(line["open"]["auction"]) for line in boards)
    assert found["all"]["made"] == calls  # type: ignore[index]
    departures = found["departures"]
    missed = sum(each["made"] - each["conforming"] for each in departures)  # type: ignore[attr-defined]
    assert missed == calls - found["all"]["conforming"] > 0  # type: ignore[index]
    for entry in departures:  # type: ignore[attr-defined]
        (example,) = entry["examples"]
        assert example["call"] == entry["call"] != example["due"]
        assert entry["made"] - entry["conforming"] == entry["denied"] + entry["no_rule_fits"]


@pytest.fixture
def changed(weights: Path, tmp_path: Path) -> tuple[str, str, str]:
    """Return a policy made for the mini system, that system, and one with another notrump."""
    rules = open_system(MINI)
    card = {"system": "mini.bid", "system_fingerprint": rules.fingerprint}
    policy = tmp_path / "made.safetensors"
    save_weights(
        policy, load_weights(weights / "policy.safetensors", "policy").network, "policy", card
    )
    other = tmp_path / "other.bid"
    other.write_text(Path(MINI).read_text().replace("hcp 15..17, bal", "hcp 16..18, bal"))
    return str(policy), MINI, str(other)


@pytest.mark.parametrize("spec", ["policy:@", "hybrid:@", "bmcs:@"])
def test_weights_for_another_state_of_the_rules_are_told_in_a_line(
    changed: tuple[str, str, str], caplog: pytest.LogCaptureFixture, spec: str
) -> None:
    policy, same, other = changed
    open_agent(f"{spec.replace('@', policy)},system={same}", default_context())
    assert caplog.messages == []
    for _ in range(2):
        open_agent(f"{spec.replace('@', policy)},system={other}", default_context())
    before, after = open_system(same).fingerprint, open_system(other).fingerprint
    assert before != after
    assert caplog.messages == [
        f"warning: the weights '{policy}' were made for mini.bid {before}, "
        f"and are to play other.bid {after}: they may deviate from it; 'audit' counts how often, "
        "and 'policy:league,system=other.bid' is given the file"
    ]


def test_weights_for_another_system_are_told_by_name_where_no_fingerprint_is_known(
    changed: tuple[str, str, str], caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    policy, same, other = changed
    bare = tmp_path / "bare.safetensors"
    save_weights(bare, load_weights(policy, "policy").network, "policy", {"system": "mini.bid"})
    open_agent(f"policy:{bare},system={same}", default_context())
    assert caplog.messages == []
    open_agent(f"policy:{bare},system={other}", default_context())
    assert caplog.messages == [
        f"warning: the weights '{bare}' were made for mini.bid (fingerprint not recorded), "
        f"and are to play other.bid {open_system(other).fingerprint}: they may deviate from it; "
        "'audit' counts how often, and 'policy:league,system=other.bid' is given the file"
    ]


def test_an_audit_names_both_states_of_the_rules(
    changed: tuple[str, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    policy, same, other = changed
    states = {system: open_system(system).fingerprint for system in (same, other)}
    found = audited([policy, "--system", other, "--boards", "1"], capsys)
    assert found["system_fingerprint"] == states[other]
    made = {"system": "mini.bid", "system_fingerprint": states[same]}
    assert found["made_for"] == made
    assert audited([f"rules:{same}", "--boards", "1"], capsys)["made_for"] is None
    assert main(["audit", policy, "--system", same, "--boards", "1", "--quiet"]) == 0
    assert capsys.readouterr().out.split("\n")[1] == (
        f"rules of {same}: {states[same]}; weights made for mini.bid {states[same]}, the same"
    )


def test_an_audit_is_shown_as_tables(weights: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = f"{weights}/policy.safetensors"
    assert main(["audit", path, "--system", MINI, "--boards", "4", "--quiet"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"policy:{path} against {MINI}: 4 boards, ")
    heads = r"made +conform +possible +mass +denied +no rule fits"
    assert re.search(rf"^position +{heads}$", text, re.MULTILINE)
    assert re.search(
        r"^  board \d: \S+ after .*: \S+ \((denied|no rule fits); ", text, re.MULTILINE
    )
