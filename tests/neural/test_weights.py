"""Weights come back as they went; damaged or mismatched ones give one clear error."""

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from bidwright.bridge.errors import InvalidError
from bidwright.neural.networks import Network, NetworkShape
from bidwright.neural.weights import find_weights, load_weights, read_card, save_weights, shipped


@pytest.fixture
def path(tmp_path: Path) -> Path:
    torch.manual_seed(1)
    file = tmp_path / "net.safetensors"
    save_weights(file, Network(NetworkShape(480, 38, 16, 2)), "policy", {"command": "a command"})
    return file


def test_weights_and_card_come_back(path: Path) -> None:
    torch.manual_seed(1)
    network = Network(NetworkShape(480, 38, 16, 2)).eval()
    found = load_weights(path, "policy")
    seen = torch.ones(3, 480, dtype=torch.uint8)
    assert torch.equal(found.network(seen), network(seen))
    assert found.card["command"] == "a command"
    assert read_card(path) == found.card


def test_a_changed_number_is_noticed(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-3] ^= 1
    path.write_bytes(content)
    with pytest.raises(InvalidError, match="are damaged"):
        load_weights(path, "policy")


@pytest.mark.parametrize("keep", [0, 5, 100, 3000])
def test_a_truncated_file_is_one_error(path: Path, keep: int) -> None:
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(InvalidError, match="expected weights with a card in"):
        load_weights(path, "policy")


def test_another_kind_is_refused(path: Path) -> None:
    with pytest.raises(InvalidError, match=r"expected weights of kind 'belief' .* got 'policy'"):
        load_weights(path, "belief")


def test_a_card_of_another_shape_is_refused(path: Path) -> None:
    card = read_card(path)
    card["shape"]["width"] = 32
    save_file(load_file(path), path, {"card": json.dumps(card)})
    with pytest.raises(InvalidError, match="do not fit the shape"):
        load_weights(path, "policy")


def test_weights_without_a_card_are_refused(path: Path) -> None:
    save_file(load_file(path), path)
    with pytest.raises(InvalidError, match="it has no card"):
        load_weights(path, "policy")


def test_a_folder_of_the_same_name_does_not_hide_weights_that_ship(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = next(iter(shipped()))
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).mkdir()
    assert find_weights(name) == shipped()[name]


def test_an_unknown_name_lists_what_there_is() -> None:
    with pytest.raises(InvalidError, match="expected a file of weights or a name"):
        load_weights("no-such-weights", "policy")


@pytest.mark.parametrize(
    "shape", [{"width": 10**7}, {"depth": 10**9}, {"width": -1}, {"width": 1e6}, {"width": None}]
)
def test_a_card_of_an_enormous_shape_takes_no_memory(path: Path, shape: dict[str, object]) -> None:
    card = dict(read_card(path))
    card["shape"] |= shape
    save_file(load_file(path), path, {"card": json.dumps(card)})
    with pytest.raises(InvalidError, match="do not fit the shape"):
        load_weights(path, "policy")


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_weights_that_are_no_numbers_are_refused(path: Path, number: float) -> None:
    network = Network(NetworkShape(480, 38, 16, 2))
    with torch.no_grad():
        network.last.bias[3] = number
    save_weights(path, network, "policy", {})
    with pytest.raises(InvalidError, match="some are infinite or NaN"):
        load_weights(path, "policy")


def test_a_card_that_is_nested_too_deep_is_one_error(path: Path) -> None:
    save_file(load_file(path), path, {"card": "[" * 100_000})
    with pytest.raises(InvalidError, match="expected weights with a card in"):
        load_weights(path, "policy")
