"""Card vectors: what systems are shown to play, in corpora, networks and at the table."""

from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn.functional import cross_entropy

from bidwright.bridge.auction import Auction, parse_auction
from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat, Side, Vulnerability
from bidwright.bridge.deal import deal_from_owner
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.hand import parse_hand
from bidwright.bridge.solved_deals import numbered_deals
from bidwright.cli import main
from bidwright.inference.reading.player import choose
from bidwright.inference.reading.reader import Reader
from bidwright.kb.loading.compiled import open_system
from bidwright.kb.logic.features import features
from bidwright.match.agents.agent import Request
from bidwright.match.agents.disclosure import Disclosure
from bidwright.match.agents.search_agent import SearchAgent
from bidwright.match.agents.specs import default_context, open_agent
from bidwright.neural import card_vectors
from bidwright.neural.card_vectors import card_vector, side_cards
from bidwright.neural.data.auctions import load_auctions
from bidwright.neural.data.corpus_positions import Positions
from bidwright.neural.data.variants import variant_file
from bidwright.neural.env.card_layout import (
    CARD,
    CARDS_SCALE,
    FACTS,
    MOST_CARDS,
    MOST_POINTS,
    POINTS_SCALE,
    STANDARD,
)
from bidwright.neural.env.lanes import Lanes
from bidwright.neural.networks import CARDS, CardVectors, Network, NetworkShape
from bidwright.neural.search.proposals import boards_of
from bidwright.neural.search.work import Work
from bidwright.neural.weights import load_weights, save_weights

MINI = str(Path(__file__).parents[1] / "systems" / "mini.bid")
POINTS = slice(1, 3)


@pytest.fixture
def weak(tmp_path: Path) -> str:
    """Return the path of the mini system with a notrump of 12 to 14, written a moment ago."""
    path = tmp_path / "weak.bid"
    text = Path(MINI).read_text(encoding="utf-8")
    path.write_text(text.replace("hcp 15..17, balanced", "hcp 12..14, balanced"), encoding="utf-8")
    return str(path)


def facts(own: str, theirs: str | None = None) -> dict[str, np.ndarray]:
    """Return the facts of each standard position."""
    vector = card_vector(open_system(own), open_system(theirs) if theirs else None)
    assert (vector.shape, vector[0]) == ((CARD,), 1.0)
    return dict(zip(STANDARD, vector[1:].reshape(-1, FACTS), strict=True))


def test_the_encoding_is_what_weights_were_trained_with() -> None:
    """Whoever changes positions or facts gives the encoding another name, and this another hash."""
    scales = (FACTS, MOST_POINTS, POINTS_SCALE, MOST_CARDS, CARDS_SCALE)
    told = "\n".join(("cards1", *map(str, scales), *STANDARD))
    assert CARDS == "cards1"
    assert sha256(told.encode()).hexdigest()[:16] == "75e059e696c7f4e6"
    assert len(set(STANDARD)) == len(STANDARD) == 68


def test_a_vector_says_what_the_calls_of_a_system_show() -> None:
    found = facts("sayc")
    notrump = found["1NT"]
    assert notrump[0] == 1
    assert notrump[POINTS] * 4 == pytest.approx([15, 17])
    assert notrump[3:11] * 2 == pytest.approx([2, 5] * 4)
    assert notrump[-4:].tolist() == [0, 0, 0, 0]
    assert found["1NT (P) 2D"][-4:].tolist() == [1, 1, 0, 0], "a transfer"
    assert found["1NT (P) 2D"][7:9] * 2 == pytest.approx([5, 8]), "hearts"
    assert found["1S (P) 2NT"][-4:].tolist() == [1, 1, 1, 0], "forces to game"
    assert found["(1C) X"][0] == 1


def test_a_system_written_yesterday_has_its_vector_without_code(weak: str) -> None:
    strong, other = facts(MINI), facts(weak)
    assert other["1NT"][POINTS] * 4 == pytest.approx([12, 14])
    assert strong["1NT"][POINTS] * 4 == pytest.approx([15, 17])
    assert (strong["2C"] == other["2C"]).all()


def test_a_vector_is_kept_by_what_the_rules_mean(
    weak: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BIDWRIGHT_CACHE", str(tmp_path / "cache"))  # nothing that others kept
    first = card_vector(open_system(weak), None)
    commented = tmp_path / "commented.bid"
    text = Path(weak).read_text(encoding="utf-8")
    commented.write_text(text + "\n# nothing\n", encoding="utf-8")
    monkeypatch.setattr(card_vectors, "_computed", None)
    assert (card_vector(open_system(commented), None) == first).all()
    other = tmp_path / "other.bid"
    other.write_text(text.replace("hcp 12..14, balanced", "hcp 11..14, balanced"), encoding="utf-8")
    with pytest.raises(TypeError):  # it would be computed anew
        card_vector(open_system(other), None)


def test_what_is_not_disclosed_is_zeros(weak: str) -> None:
    rules = open_system(weak)
    own, theirs = side_cards(rules, None)
    assert own[0] == 1
    assert not theirs.any()
    assert not side_cards(None, None).any()


def test_a_defence_is_that_to_the_opponents_own_system() -> None:
    found = [facts(MINI, theirs)["(1C) X"] for theirs in (MINI, "sayc")]
    assert found[0].shape == found[1].shape == (FACTS,)
    assert (facts(MINI, "sayc")["1NT"] == facts(MINI)["1NT"]).all()


# ---------------------------------------------------------------------- networks


def sure(shape: NetworkShape) -> Network:
    torch.manual_seed(3)
    network = Network(shape)
    with torch.no_grad():
        network.last.weight.mul_(30)
    return network.eval()


def test_a_network_hears_what_is_played_and_silence_is_a_row_of_zeros(weak: str) -> None:
    network = sure(NetworkShape(480, 38, 16, 2, CARDS))
    vectors = [card_vector(open_system(each), None) for each in (MINI, weak)]
    table = torch.from_numpy(np.stack([np.zeros(CARD, np.float32), *vectors]))
    seen = torch.randint(2, (3, 480)).float()
    which = torch.tensor([[0, 0], [1, 2], [2, 1]])
    network.settle(table)
    told = network(seen, CardVectors(table, which))
    assert torch.allclose(told[:1], network(seen[:1]), atol=1e-4)
    for row in (1, 2):
        assert not torch.allclose(told[row], network(seen[[row]])[0], atol=0.01)
        other = CardVectors(table, which[[row]].flip(1))
        assert not torch.allclose(told[row], network(seen[[row]], other)[0], atol=0.01)


def test_weights_of_the_old_encoding_do_not_ask(tmp_path: Path) -> None:
    shipped = load_weights("sayc", "policy").network
    assert not shipped.asks_for_cards
    seen = torch.randint(2, (4, 480))
    table = CardVectors(torch.rand(2, CARD), torch.ones(4, 2, dtype=torch.int64))
    assert (shipped(seen, table) == shipped(seen)).all()
    file = tmp_path / "new.safetensors"
    network = sure(NetworkShape(480, 38, 16, 2, CARDS))
    save_weights(file, network, "policy", {})
    again = load_weights(file, "policy").network
    assert again.asks_for_cards
    assert (again(seen, table) == network(seen, table)).all()


def test_an_encoding_that_this_version_does_not_know_is_refused() -> None:
    with pytest.raises(InvalidError, match="expected an encoding"):
        NetworkShape(480, 38, 16, 2, "cards0")
    with pytest.raises(InvalidError, match="expected 480 numbers for the encoding cards1, got 9"):
        NetworkShape(9, 38, 16, 2, CARDS)


# ----------------------------------------------------------------------- corpora


def test_every_decision_of_a_corpus_has_the_cards_of_both_sides(weak: str, tmp_path: Path) -> None:
    words = ["train", "data", "--system", MINI, "--system", weak, "-n", "40", "--echoes", "1"]
    file = tmp_path / "both.npz"
    assert main([*words, "--quiet", "-o", str(file)]) == 0
    corpus = load_auctions(file)
    assert [each["system"] for each in corpus.origin["systems"]] == ["mini.bid", "weak.bid"]
    rules = [open_system(MINI), open_system(weak)]
    readers = [[Reader({Side.NS: ns, Side.EW: ew}) for ew in rules] for ns in rules]
    positions = Positions(corpus)
    pairs, looked = set(), 0
    for row in range(0, len(positions), 7):
        number, turn = int(positions.auction[row]), int(positions.turn[row])
        whole = corpus.auction(number)
        before = Auction(whole.dealer, whole.calls[:turn], whole.vulnerability)
        mine, other = (int(each) for each in positions.card[row])
        own, theirs = divmod(mine - 1, 2)
        pairs.add((own, theirs))
        assert other == 1 + theirs * 2 + own
        vectors = side_cards(rules[own], rules[theirs])
        assert (corpus.cards[[mine, other]] == vectors).all()
        ns, ew = (own, theirs) if before.turn.side is Side.NS else (theirs, own)
        hand = deal_from_owner(corpus.owner[number])[before.turn]
        assert hand is not None
        wanted = choose(readers[ns][ew].read(before), hand).call
        assert wanted == positions.wanted[row]
        looked += 1
    assert looked > 50
    assert len(pairs) == 4
    assert main([*words, "--quiet", "-o", str(file)]) == 0, "it is whole"


def test_a_corpus_made_before_there_were_vectors_discloses_nothing(
    corpus_file: Path, tmp_path: Path
) -> None:
    with np.load(corpus_file) as file:
        old = {name: file[name] for name in file if name not in ("card", "cards")}
    np.savez(tmp_path / "old.npz", **old)
    corpus = load_auctions(tmp_path / "old.npz")
    assert not Positions(corpus).card.any()
    old |= {"card": np.full((len(corpus), 2), 9, np.uint16), "cards": np.zeros((2, CARD), "f4")}
    np.savez(tmp_path / "bad.npz", **old)
    with pytest.raises(InvalidError, match="expected card vectors of"):
        load_auctions(tmp_path / "bad.npz")


@pytest.mark.system
def test_the_same_weights_open_by_the_system_that_they_are_told(weak: str) -> None:
    """Two systems with vectors that differ in two numbers: the range of 1NT."""
    rules = [open_system(MINI), open_system(weak)]
    vectors = [card_vector(each, None) for each in rules]
    assert int((vectors[0] != vectors[1]).sum()) == 2
    table = torch.from_numpy(np.stack([np.zeros(CARD, np.float32), *vectors]))
    owner = numbered_deals(9, range(20_000))
    hands = features(owner == 0)
    calls = []
    for each in rules:
        reader = Reader({Side.NS: each, Side.EW: each})
        decision = reader.start(Seat.NORTH, Vulnerability.NONE).decision
        by_rule = np.array([*(one.call for one in decision.instances), Call.PASS])
        calls.append(by_rule[decision.choose_for(hands)].astype(np.int64))
    wanted = torch.from_numpy(np.stack(calls))
    seen = torch.from_numpy(Lanes(boards_of(owner, Auction(Seat.NORTH)), 1).observe())
    torch.manual_seed(0)
    network = Network(NetworkShape(480, 38, 64, 2, CARDS))
    network.settle(table)
    steps = torch.optim.AdamW(network.parameters(), 2e-3)
    rng = np.random.default_rng(0)
    for _ in range(400):
        which = torch.from_numpy(rng.integers(18_000, size=256))
        system = torch.from_numpy(rng.integers(2, size=256))
        told = CardVectors(table, (1 + system)[:, None].expand(-1, 2))
        loss = cross_entropy(network(seen[which], told), wanted[system, which])
        steps.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        steps.step()
    apart = torch.arange(20_000)[(wanted[0] != wanted[1]) & (torch.arange(20_000) >= 18_000)]
    right = []
    for plays in (0, 1):
        for says in (plays, 1 - plays):
            told = CardVectors(table, torch.full((len(apart), 2), 1 + says))
            with torch.inference_mode():
                made = network(seen[apart], told).argmax(dim=1)
            right.append(float((made == wanted[plays, apart]).float().mean()))
    assert min(right[0], right[2]) > 0.6
    assert max(right[1], right[3]) < 0.4


@pytest.mark.system
def test_a_variant_is_a_system_with_other_values(tmp_path: Path) -> None:
    words = ["train", "data", "--system", "sayc(notrump = 12..14)", "-n", "1", "--quiet"]
    assert main([*words, "-o", str(tmp_path / "one.npz")]) == 0
    file = tmp_path / "one.systems" / "sayc_notrump_12_14.bid"
    assert load_auctions(tmp_path / "one.npz").origin["system"] == file.name
    assert facts(str(file))["1NT"][POINTS] * 4 == pytest.approx([12, 14])
    assert variant_file("sayc", tmp_path) == "sayc"
    wrong = [*words[:3], "sayc(nonsense = 3)", *words[4:], "-o", str(tmp_path / "no.npz")]
    assert main(wrong) == 2


# ------------------------------------------------------------------------ agents


@pytest.fixture
def listening(tmp_path: Path) -> Path:
    """Return weights that double 1NT if the card of its maker says 15, else pass."""
    network = Network(NetworkShape(480, 38, 16, 1, CARDS))
    place = 1 + FACTS * STANDARD.index("1NT") + 1
    assert network.card is not None
    with torch.no_grad():
        for each in network.parameters():
            each.zero_()
        network.card.embed.weight[0, place] = 4.0
        network.card.embed.bias[0] = -14.0  # positive from 15 points on
        network.first.weight[0, 480 + 64] = 10.0  # the other side's
        network.norm.weight.fill_(1.0)
        network.last.weight[Call.DOUBLE, 0] = 10.0
        network.last.bias[Call.PASS] = 5.0
    path = tmp_path / "listening.safetensors"
    save_weights(path, network, "policy", {})
    return path


@pytest.mark.parametrize("spec", ["policy:@", "hybrid:@,shield=off,prior=0"])
def test_at_the_table_a_policy_is_told_what_was_disclosed(
    spec: str, listening: Path, weak: str
) -> None:
    context = default_context(MINI)
    agent = open_agent(spec.replace("@", f"{listening}") + f",system={MINI}", context)
    hand = parse_hand("KQ4.AQ8.K9873.K2")
    auction = parse_auction("(1NT)", Seat.WEST)
    views = [Disclosure(context.library, MINI, theirs) for theirs in (MINI, weak, None)]
    asked = [Request(auction, hand, view) for view in views]
    made = [answer.call for answer in agent.calls(asked)]
    assert made == [Call.DOUBLE, Call.PASS, Call.PASS]


def test_a_search_rolls_out_with_the_cards_of_both_sides(listening: Path, weak: str) -> None:
    context = default_context(MINI)
    more = f",system={MINI},theirs={listening},prior=0,shield=off"
    agent = open_agent(f"bmcs:{listening}{more}", context)
    assert isinstance(agent, SearchAgent)
    view = Disclosure(context.library, MINI, weak)
    request = Request(parse_auction("(1NT)", Seat.WEST), parse_hand("KQ4.AQ8.K9873.K2"), view)
    cards, swapped = agent._cards(request)
    assert cards is not None
    assert swapped is not None
    assert (cards == side_cards(open_system(MINI), open_system(weak))).all()
    assert (swapped == cards[::-1]).all()
    reading = view.reading(request.auction)
    assert reading is not None
    models = agent._models(reading, request, Work())
    own, other = (models[side]._table for side in (Side.NS, Side.EW))  # type: ignore[union-attr]
    assert (own.numpy() == cards).all()
    assert (other.numpy() == swapped).all()


def test_opponents_with_a_system_of_their_own_are_rolled_out_by_a_policy_that_sees_it(
    listening: Path, weak: str
) -> None:
    """The own policy, told what they disclosed; or members of a population, told what they say."""
    context = default_context(MINI)
    alone = f"bmcs:{listening},system={MINI},prior=0,shield=off"
    several = f"{alone},theirs=1 {listening} as {MINI} / 1 {listening} / 1 rules"
    view = Disclosure(context.library, MINI, weak)
    request = Request(parse_auction("(1NT)", Seat.WEST), parse_hand("KQ4.AQ8.K9873.K2"), view)
    reading = view.reading(request.auction)
    assert reading is not None
    mini, other = open_system(MINI), open_system(weak)
    agents = [open_agent(spec, context) for spec in (alone, several)]
    found = []
    for agent in agents:
        assert isinstance(agent, SearchAgent)
        found.append(agent._models(reading, request, Work())[Side.EW])
    assert (found[0]._table.numpy() == side_cards(other, mini)).all()  # type: ignore[union-attr]
    tables = [each._table for each in found[1].members[:2]]  # type: ignore[union-attr]
    assert (tables[0].numpy() == side_cards(mini, mini)).all()
    assert (tables[1].numpy() == side_cards(other, mini)).all()
    assert found[1].names[0] == f"{listening} as {MINI}"  # type: ignore[union-attr]
