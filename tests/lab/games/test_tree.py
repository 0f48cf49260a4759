"""Game trees have the sizes of the paper, and are those that OpenSpiel makes of the same games."""

from importlib.util import find_spec

import numpy as np
import pytest

from bidwright.bridge.errors import InvalidError
from bidwright.lab.games import policies
from bidwright.lab.games.game import CHANCE, OVER, Game, History
from bidwright.lab.games.tree import grow
from bidwright.lab.games.zoo import Communication, game_of

from .conftest import Relay

SIZES = {
    "comm-3": (633, 129),
    "comm-5": (34785, 2049),
    "hanabi": (53, 45),
    "bidding-4": (241, 61),
    "bidding-8": (1985, 249),
    "bidding-16": (16129, 1009),
    "mini-3": (4081, 1021),
    "mini-4": (25576, 5116),
}
"""States and information sets, Table 1 of the paper."""


@pytest.mark.parametrize(("name", "sizes"), SIZES.items())
def test_states_and_information_sets_are_as_many_as_in_the_paper(
    name: str, sizes: tuple[int, int]
) -> None:
    tree = grow(game_of(name))
    assert (tree.nodes, tree.counted_infosets) == sizes


@pytest.mark.parametrize("game", [Relay(), game_of("hanabi"), game_of("mini-2")])
def test_arrays_agree_with_the_game(game: Game) -> None:
    tree = grow(game)
    shape = tree.shape
    histories: dict[int, History] = {0: ()}
    for node in range(1, tree.nodes):
        up = int(shape.parent[node])
        move = node - int(shape.first[up])
        histories[node] = (*histories[up], game.moves(histories[up])[move])
        if shape.turn[up] == CHANCE:
            assert shape.odds[shape.slot[node] - tree.slots] == game.odds(histories[up])[move]
        else:
            assert shape.slot[node] == shape.base[shape.infoset[up]] + move
            assert tree.moves[shape.slot[node]] == histories[node][-1]
    assert [game.turn(histories[node]) for node in range(tree.nodes)] == list(shape.turn)
    for node, history in histories.items():
        if shape.turn[node] == OVER:
            assert shape.payoff[node] == game.payoff(history)
        elif shape.turn[node] != CHANCE:
            assert tree.views[shape.infoset[node]] == game.view(history)
            members = shape.members[slice(*shape.members_at[shape.infoset[node] :][:2])]
            assert node in members


def test_successors_reach_over_moves_of_chance() -> None:
    tree = grow(Relay())
    shape = tree.shape
    opening = tree.places[0, (0,)]
    slot = shape.base[opening] + 1
    after = shape.next_infosets[shape.next_at[slot] : shape.next_at[slot + 1]]
    assert {tree.views[place] for place in after} == {(1, (1, 0)), (2, (1, 1))}


def test_value_of_a_policy_is_the_mean_payoff() -> None:
    tree = grow(Relay())
    policy = policies.random(tree, 1, np.random.default_rng(1))[0]

    def value(history: History, odds: float) -> float:
        game = tree.game
        if game.turn(history) == OVER:
            return odds * game.payoff(history)
        if game.turn(history) == CHANCE:
            weights = list(game.odds(history))
        else:
            base = tree.shape.base[tree.places[game.view(history)]]
            weights = [float(x) for x in policy[base : base + len(game.moves(history))]]
        return sum(
            value((*history, move), odds * weight)
            for move, weight in zip(game.moves(history), weights, strict=True)
        )

    assert policies.values(tree, policy[None])[0] == pytest.approx(value((), 1.0))


def test_unequal_moves_in_one_information_set_are_refused() -> None:
    class Broken(Communication):
        def legal(self, calls: tuple[int, ...]) -> range:
            return range(2 + len(calls))

        def view(self, history: History) -> int:
            return self.turn(history)

    with pytest.raises(InvalidError, match="one player with one list of moves"):
        grow(Broken(2))


def test_unknown_game_is_refused() -> None:
    with pytest.raises(InvalidError, match=r"expected the name of a game .*, got 'bidding-99'"):
        game_of("bidding-99")


def _gambit(game: Game) -> str:
    """Return a game in the extensive form of Gambit, which OpenSpiel reads."""
    names = " ".join(f'"{player}"' for player in range(game.players))
    lines = [f'EFG 2 R "{game.name}" {{ {names} }}']
    infosets: list[dict[object, int]] = [{} for _ in range(game.players)]
    count = [0]

    def write(history: History) -> None:
        count[0] += 1
        number, turn = count[0], game.turn(history)
        if turn == OVER:
            pay = " ".join([repr(game.payoff(history))] * game.players)
            lines.append(f't "" {number} "" {{ {pay} }}')
            return
        if turn == CHANCE:
            moves = zip(game.moves(history), game.odds(history), strict=True)
            text = " ".join(f'"{move}" {odds!r}' for move, odds in moves)
            lines.append(f'c "" {number} "" {{ {text} }} 0')
        else:
            place = infosets[turn].setdefault(game.view(history), len(infosets[turn]) + 1)
            text = " ".join(f'"{move}"' for move in game.moves(history))
            lines.append(f'p "" {turn + 1} {place} "" {{ {text} }} 0')
        for move in game.moves(history):
            write((*history, move))

    write(())
    return "\n".join(lines) + "\n"


@pytest.mark.skipif(find_spec("pyspiel") is None, reason="OpenSpiel is not installed")
@pytest.mark.parametrize("name", ["hanabi", "comm-2", "bidding-4", "mini-2"])
def test_openspiel_gives_the_same_values(name: str, tmp_path: object) -> None:
    import pyspiel

    game = game_of(name)
    tree = grow(game)
    path = f"{tmp_path}/game.efg"
    with open(path, "w", encoding="utf-8") as file:
        file.write(_gambit(game))
    theirs = pyspiel.load_game("efg_game", {"filename": path})
    policy = policies.random(tree, 1, np.random.default_rng(2))[0]
    seen = set()

    def value(state: object, history: History) -> float:
        if state.is_terminal():  # type: ignore[attr-defined]
            return float(state.returns()[0])  # type: ignore[attr-defined]
        if state.is_chance_node():  # type: ignore[attr-defined]
            weights = [odds for _, odds in state.chance_outcomes()]  # type: ignore[attr-defined]
        else:
            seen.add(state.information_state_string())  # type: ignore[attr-defined]
            base = tree.shape.base[tree.places[game.view(history)]]
            weights = list(policy[base : base + len(game.moves(history))])
        actions = state.legal_actions()  # type: ignore[attr-defined]
        return sum(
            weight * value(state.child(action), (*history, move))  # type: ignore[attr-defined]
            for weight, action, move in zip(weights, actions, game.moves(history), strict=True)
        )

    assert value(theirs.new_initial_state(), ()) == pytest.approx(
        policies.values(tree, policy[None])[0]
    )
    assert len(seen) == tree.infosets


@pytest.mark.skipif(find_spec("pyspiel") is None, reason="OpenSpiel is not installed")
def test_hanabi_pays_as_that_of_openspiel() -> None:
    import pyspiel

    theirs, ours = pyspiel.load_game("tiny_hanabi"), game_of("hanabi")
    for deal in range(4):
        for first in range(3):
            for second in range(3):
                state = theirs.new_initial_state()
                for move in (*ours.dealt(deal), first, second):
                    state.apply_action(move)
                assert ours.payoff((deal, first, second)) == state.returns()[0]
