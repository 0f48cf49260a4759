"""Corpora: made by rules with interruptions, read from files, seen as positions."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bidwright.bridge.auction import Auction
from bidwright.bridge.cards import Side
from bidwright.bridge.deal import deal_from_owner
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.solved_deals import SolvedDeals
from bidwright.cli import main
from bidwright.inference.reading.player import choose
from bidwright.inference.reading.reader import Reader
from bidwright.inference.reading.selfplay import bid_out
from bidwright.kb.loading.compiled import open_system
from bidwright.neural.data.auctions import NO_CALL, Auctions, load_auctions
from bidwright.neural.data.bidding import BiddingPlan
from bidwright.neural.data.corpus_positions import Positions
from bidwright.neural.data.making import make_corpus
from bidwright.neural.env.boards import Boards
from bidwright.neural.env.lanes import Lanes
from bidwright.runtime.crew import ALONE, Crew

MINI = str(Path(__file__).parents[2] / "systems" / "mini.bid")


def test_without_random_calls_the_auctions_are_those_of_rule_bidders(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path / "c.npz", BiddingPlan(MINI, 3, 0.0), 20)
    reader = Reader(dict.fromkeys(Side, open_system(MINI)))
    for number in range(20):
        auction = corpus.auction(number)
        deal = deal_from_owner(corpus.owner[number])
        bid = bid_out(reader, deal, auction.dealer, auction.vulnerability)
        assert bid.auction == auction
    assert (corpus.calls == corpus.wanted).all()


def test_at_random_calls_the_corpus_says_what_the_rules_wanted(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path / "c.npz", BiddingPlan(MINI, 4, 0.2), 40)
    other = (corpus.calls != corpus.wanted).sum() / (corpus.calls != NO_CALL).sum()
    assert 0.1 < other < 0.2  # some random calls are what the rules wanted
    reader = Reader(dict.fromkeys(Side, open_system(MINI)))
    for number in range(10):
        auction = corpus.auction(number)
        for turn in range(len(auction.calls)):
            before = Auction(auction.dealer, auction.calls[:turn], auction.vulnerability)
            hand = deal_from_owner(corpus.owner[number]).hands[before.turn]
            assert hand is not None
            assert choose(reader.read(before), hand).call == corpus.wanted[number, turn]


def test_echoes_fit_the_auction_and_say_what_the_rules_want(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path / "c.npz", BiddingPlan(MINI, 4, 0.1, 3), 12)
    assert len(corpus) == 48
    plain = make_corpus(tmp_path / "p.npz", BiddingPlan(MINI, 4, 0.1), 12)
    assert plain.digest() == corpus[np.arange(0, 48, 4)].digest()
    reader = Reader(dict.fromkeys(Side, open_system(MINI)))
    learnt = (corpus.wanted != NO_CALL).any(axis=1)
    assert learnt.sum() > 40
    for number in np.flatnonzero(learnt).tolist():
        auction, deal = corpus.auction(number), deal_from_owner(corpus.owner[number])
        assert auction == corpus.auction(number - number % 4)
        for turn in range(0, len(auction.calls), 3):
            before = Auction(auction.dealer, auction.calls[:turn], auction.vulnerability)
            hand = deal.hands[before.turn]
            assert hand is not None
            assert choose(reader.read(before), hand).call == corpus.wanted[number, turn]
    assert len({bytes(owner) for owner in corpus.owner[learnt]}) == learnt.sum()
    assert [corpus.split(held) for held in (8, 9, 10, 11, 12)] == [40, 36, 36, 36, 36]


@pytest.mark.system
def test_interrupted_and_shared_runs_end_in_the_corpus_of_an_uninterrupted_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BiddingPlan, "batch", 6)
    plan = BiddingPlan(MINI, 5, echoes=1)
    whole = make_corpus(tmp_path / "whole.npz", plan, 30)

    def stop(done: int) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "pieces.npz"
    with pytest.raises(KeyboardInterrupt):
        make_corpus(path, plan, 30, ALONE, stop)
    part = tmp_path / "pieces.npz.part"
    part.write_bytes(part.read_bytes()[:-7])  # killed in the middle of a record
    with pytest.raises(InvalidError, match="expected auctions bid by the same plan in"):
        make_corpus(path, BiddingPlan(MINI, 6), 30)
    pieces = make_corpus(path, plan, 30, Crew(2))
    assert pieces.digest() == whole.digest() == load_auctions(path).digest()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["pieces.npz", "whole.npz"]
    with pytest.raises(InvalidError, match="holds another corpus"):
        make_corpus(path, BiddingPlan(MINI, 6), 30)


@pytest.mark.parametrize(
    "other", [{"sets": "usual"}, {"others": ("sayc",)}, {"echoes": 1}, {"random_share": 0.5}]
)
def test_a_corpus_that_was_asked_for_otherwise_is_not_taken_for_this_one(
    other: dict[str, Any], tmp_path: Path
) -> None:
    plan, path = BiddingPlan(MINI, 5), tmp_path / "c.npz"
    asked = replace(plan, **other)
    for first, second in ((plan, asked), (asked, plan)):
        path.unlink(missing_ok=True)
        make_corpus(path, first, 2)
        with pytest.raises(InvalidError, match="holds another corpus"):
            make_corpus(path, second, 2)


def test_one_process_at_a_time_makes_a_corpus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BiddingPlan, "batch", 6)
    plan, path = BiddingPlan(MINI, 5), tmp_path / "c.npz"
    refused = []

    def other(done: int) -> None:
        if done < 12:
            with pytest.raises(InvalidError, match="another process is writing it"):
                make_corpus(path, plan, 12)
            refused.append(done)

    corpus = make_corpus(path, plan, 12, ALONE, other)
    assert refused == [6]
    assert make_corpus(tmp_path / "alone.npz", plan, 12).digest() == corpus.digest()


def test_a_corpus_knows_the_state_of_its_system(tmp_path: Path) -> None:
    system, path = tmp_path / "mini.bid", tmp_path / "corpus.npz"
    text = Path(MINI).read_text()
    system.write_text(text)
    plan = BiddingPlan(str(system), 5)
    corpus = make_corpus(path, plan, 3)
    assert corpus.origin["system_fingerprint"] == open_system(MINI).fingerprint
    system.write_text("# a comment\n" + text)
    assert make_corpus(path, plan, 3).digest() == corpus.digest()
    system.write_text(text.replace("hcp 15..17, bal", "hcp 16..18, bal"))
    with pytest.raises(InvalidError, match="holds another corpus"):
        make_corpus(path, plan, 3)
    older = {**corpus.origin, "system_hash": "of the texts"}
    del older["system_fingerprint"]
    replace(corpus, origin=older).save(path)
    assert make_corpus(path, plan, 3).origin == older, "from before there were fingerprints"


def test_positions_know_which_calls_are_legal(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path / "c.npz", BiddingPlan(MINI, 7, 0.5), 60)
    assert {1, 2} <= set(corpus.calls[corpus.calls != NO_CALL].tolist()), "doubles, redoubles"
    positions = Positions(corpus)
    for row, legal in enumerate(positions.legal(np.arange(len(positions)))):
        whole, turn = corpus.auction(int(positions.auction[row])), int(positions.turn[row])
        before = Auction(whole.dealer, whole.calls[:turn], whole.vulnerability)
        assert tuple(np.flatnonzero(legal)) == tuple(sorted(before.legal_calls()))


def test_positions_show_what_the_lanes_show(tmp_path: Path) -> None:
    corpus = make_corpus(tmp_path / "c.npz", BiddingPlan(MINI, 7, 0.1), 15)
    positions = Positions(corpus)
    assert len(positions) == corpus.lengths.sum()
    deals = SolvedDeals(corpus.owner, np.zeros((15, 5, 4), dtype=np.uint8))
    boards = Boards.seen_from_dealer(deals, corpus.dealer.astype(int), corpus.vulnerable)
    lanes = Lanes(boards, 1)
    for turn in range(int(corpus.lengths.max())):
        which = np.flatnonzero(positions.turn == turn)
        seen = positions.observe(which, hidden=True)
        assert positions.auction[which].tolist() == lanes.running.tolist()
        assert (seen == lanes.observe(hidden=True)).all()
        lanes.step(corpus.calls[lanes.running, turn].astype(int))


FILES = {
    "two.pbn": """[Board "1"]
[Dealer "N"]
[Vulnerable "NS"]
[Deal "N:K4.AQJ8.QJT9.743 Q73.9.52.AKT9862 A9862.K53.AK8.J5 JT5.T7642.7643.Q"]
[Auction "N"]
1NT Pass 3NT AP

[Board "2"]
[Dealer "E"]
[Vulnerable "None"]
[Deal "N:K4.AQJ8.QJT9.743 - - -"]
[Auction "E"]
1NT AP
""",
    "one.jsonl": '{"deal":"N:K4.AQJ8.QJT9.743 Q73.9.52.AKT9862 A9862.K53.AK8.J5 '
    'JT5.T7642.7643.Q","dealer":"N","vul":"NS","auction":"1N P 3N P P P"}\n{"deal": 3}\n',
}


@pytest.mark.parametrize("name", FILES)
def test_auctions_are_read_from_files(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(FILES[name])
    out = tmp_path / "out.npz"
    assert main(["train", "data", "--from", str(path), "-o", str(out)]) == 0
    corpus = load_auctions(out)
    assert str(corpus.auction(0)) == "1NT (P) 3NT (P) P (P)"
    assert corpus.vulnerable.tolist() == [[1, 0]]
    assert (corpus.calls == corpus.wanted).all()


def test_what_is_left_out_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text(FILES["one.jsonl"])
    main(["train", "data", "--from", str(path), "-o", str(tmp_path / "out.npz")])
    assert "left out one.jsonl:2: expected JSON with deal" in capsys.readouterr().err


@pytest.mark.parametrize("content", [b"", b"not an archive", b"PK\x03\x04 cut short"])
def test_a_broken_corpus_is_one_clear_error(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "broken.npz"
    path.write_bytes(content)
    with pytest.raises(InvalidError, match="expected a corpus of auctions, got "):
        load_auctions(path)


def test_a_corpus_that_does_not_say_where_it_is_from_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "c.npz"
    make_corpus(path, BiddingPlan(MINI, 3, 0.0), 2)
    with np.load(path) as file:
        arrays = dict(file)
    np.savez(path, **{**arrays, "origin": np.array("[]")})
    with pytest.raises(InvalidError, match="expected a corpus that says where it is from"):
        load_auctions(path)


@pytest.mark.parametrize("name", ["owner", "dealer", "calls"])
def test_an_array_that_is_one_number_is_one_clear_error(name: str, tmp_path: Path) -> None:
    path = tmp_path / "c.npz"
    make_corpus(path, BiddingPlan(MINI, 3, 0.0), 2)
    with np.load(path) as file:
        arrays = dict(file)
    np.savez(path, **{**arrays, name: np.uint8(3)})
    with pytest.raises(InvalidError, match="got arrays of other shapes in"):
        load_auctions(path)


def test_a_run_killed_before_the_corpus_was_written_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, path = BiddingPlan(MINI, 7), tmp_path / "c.npz"
    whole = make_corpus(tmp_path / "whole.npz", plan, 8)

    def killed(corpus: Auctions, path: Path) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Auctions, "save", killed)
        with pytest.raises(KeyboardInterrupt):
            make_corpus(path, plan, 8)
    assert make_corpus(path, plan, 8).digest() == whole.digest()
