"""Decisions that a search has looked at: the same whoever searches; calls of the file to learn."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from bidwright.bridge.auction import Auction
from bidwright.bridge.calls import CALLS
from bidwright.bridge.cards import Side
from bidwright.bridge.deal import deal_from_owner
from bidwright.bridge.errors import InvalidError
from bidwright.cli import main
from bidwright.inference.reading.conformity import conforming_calls, possible_for
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.features import features_of
from bidwright.neural.data.auctions import NO_CALL, Auctions, load_auctions
from bidwright.neural.data.making import make_corpus
from bidwright.neural.data.searched import SEARCH, SearchedPlan, outcome
from bidwright.neural.policies import load_policy, policy_logs
from bidwright.neural.train.imitation import POLICY_FILE, ImitationConfig, imitate
from bidwright.runtime.crew import ALONE, Crew

MINI = str(Path(__file__).parents[2] / "systems" / "mini.bid")
COUNT = 12
QUICK = replace(SEARCH, p_max=32, r_max=16, k=3, p_min=0.002, caution=1.0)


@pytest.fixture(scope="module")
def plan(corpus_file: Path, tmp_path_factory: pytest.TempPathFactory) -> SearchedPlan:
    """Return the settings of a search with a policy that has imitated the mini system a little."""
    run = tmp_path_factory.mktemp("policy")
    config = ImitationConfig(data=str(corpus_file), steps=800, batch=128, width=64, depth=2)
    imitate(run, config, "", lambda step, words: None)
    return SearchedPlan(str(run / POLICY_FILE), MINI, 5, "possible", search=QUICK)


@pytest.fixture(scope="module")
def searched(plan: SearchedPlan, tmp_path_factory: pytest.TempPathFactory) -> Auctions:
    """Return the result of the search."""
    return make_corpus(tmp_path_factory.mktemp("searched") / "whole.npz", plan, COUNT)


def before(corpus: Auctions, row: int, turn: int) -> Auction:
    whole = corpus.auction(row)
    return Auction(whole.dealer, whole.calls[:turn], whole.vulnerability)


@pytest.mark.system
def test_it_is_the_same_whoever_searches_and_however_often(
    plan: SearchedPlan, searched: Auctions, tmp_path: Path
) -> None:
    class Stop(Exception):
        pass

    def stop(done: int) -> None:
        raise Stop

    path = tmp_path / "pieces.npz"
    with pytest.raises(Stop):
        make_corpus(path, plan, COUNT, ALONE, stop)
    with pytest.raises(InvalidError, match="expected auctions bid by the same plan"):
        make_corpus(path, replace(plan, seed=6), COUNT)
    found = make_corpus(path, plan, COUNT, Crew(2))
    assert found.digest() == searched.digest()
    assert load_auctions(path).origin == searched.origin
    chosen, changed = outcome(searched)
    assert 0 < changed <= chosen < int(searched.lengths.sum())


@pytest.mark.system
def test_the_policy_bids_and_only_calls_of_the_file_are_to_learn(
    plan: SearchedPlan, searched: Auctions
) -> None:
    network = load_policy(plan.policy).network
    reader = Reader(dict.fromkeys(Side, open_system(MINI)))
    for row, turn in np.argwhere(searched.calls != NO_CALL).tolist():
        auction = before(searched, row, turn)
        hand = deal_from_owner(searched.owner[row]).hands[auction.turn]
        assert hand is not None
        own = int(policy_logs(network, [auction], [hand])[0].argmax())
        assert searched.calls[row, turn] == own
        if (wanted := int(searched.wanted[row, turn])) != NO_CALL:
            held = np.array([features_of(hand)], dtype=np.int16)
            assert possible_for(reader.read(auction), held)[0, wanted]


@pytest.mark.system
def test_without_latitude_calls_of_the_rules_are_to_learn(
    plan: SearchedPlan, searched: Auctions, tmp_path: Path
) -> None:
    found = make_corpus(tmp_path / "usual.npz", replace(plan, tier="usual"), COUNT)
    assert np.array_equal(found.calls, searched.calls)
    assert 0 < outcome(found)[0] <= outcome(searched)[0]
    reader = Reader(dict.fromkeys(Side, open_system(MINI)))
    for row, turn in np.argwhere(found.wanted != NO_CALL).tolist():
        auction = before(found, row, turn)
        hand = deal_from_owner(found.owner[row]).hands[auction.turn]
        assert hand is not None
        call = CALLS[found.wanted[row, turn]]
        assert call in conforming_calls(reader.read(auction).decision, hand)


@pytest.mark.system
def test_a_cautious_search_changes_nothing(
    plan: SearchedPlan, searched: Auctions, tmp_path: Path
) -> None:
    cautious = replace(plan, search=replace(QUICK, caution=50.0))
    found = make_corpus(tmp_path / "cautious.npz", cautious, COUNT)
    assert np.array_equal(found.calls, searched.calls)
    assert outcome(found)[1] == 0


@pytest.mark.parametrize(
    "more", [{"settle": 3}, {"seconds": 1.0}, {"rollouts": "hybrid"}, {"proposals": "belief"}]
)
def test_a_search_that_would_not_come_out_the_same_is_refused(more: dict[str, object]) -> None:
    with pytest.raises(InvalidError, match=f"expected {next(iter(more))}="):
        SearchedPlan("sayc_sl", MINI, search=replace(SEARCH, **more))  # type: ignore[arg-type]


def test_the_verb_makes_the_same_corpus(
    plan: SearchedPlan, searched: Auctions, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ",".join(
        f"{k}={asdict(QUICK)[k]}" for k in ("p_max", "r_max", "k", "p_min", "caution")
    )
    words = ["train", "experts", "--policy", plan.policy, "--system", MINI, "-n", str(COUNT)]
    words += ["--seed", "5", "--search", options, "--quiet"]
    assert main([*words, "-o", str(tmp_path / "c.npz")]) == 0
    chosen, changed = outcome(searched)
    assert f"{chosen:,} were searched, {changed:,} of them changed" in capsys.readouterr().out
    assert load_auctions(tmp_path / "c.npz").digest() == searched.digest()
    assert main([*words, "--search", "depth=3", "-o", str(tmp_path / "d.npz")]) == 2
    assert "unknown option 'depth'" in capsys.readouterr().err
