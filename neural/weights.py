"""Weights on disk: safetensors with a card about their kind, shape and source.

The card is a JSON object in the file's header: `kind` (policy, belief, residual, allowed, tricks),
`shape`, `digest` of the numbers, `bidwright` (version), and what the training run adds: `config`,
`data`, `system`, `system_fingerprint`, `measured`, `command`. Weights that ship with the package
are opened by name, others by path.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, astuple, dataclass
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, Generic, Literal, Required, TypeVar, overload

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

import bidwright
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.json_values import UncheckedObject
from bidwright.bridge.regular_files import GIB, check_regular
from bidwright.bridge.text_files import parse_json
from bidwright.neural.env.layout import OBSERVATION
from bidwright.neural.made_for import SystemEntries
from bidwright.neural.networks import Network, NetworkShape
from bidwright.neural.residual import ResidualBelief, ResidualShape
from bidwright.neural.tricks import TricksNetwork, TricksShape
from bidwright.runtime.fence import check_inside
from bidwright.runtime.files import replacing_bytes

SUFFIX = ".safetensors"
_MOST_BYTES = 64 * GIB
"""The most bytes of a file of weights; memory is taken only for numbers that fit the card."""

AnyNetwork = Network | ResidualBelief | TricksNetwork

NETWORKS: dict[str, tuple[type[Any], type[Any]]] = {
    "policy": (Network, NetworkShape),
    "belief": (Network, NetworkShape),
    "residual": (ResidualBelief, ResidualShape),
    "allowed": (Network, NetworkShape),
    "tricks": (TricksNetwork, TricksShape),
}
"""The network and its shape of each kind of weights."""

_CARD = "card"
_SHIPPED = "shipped"


class CardEntries(SystemEntries, total=False):
    """The entries of a card about the examples that a network learnt from.

    Attributes:
        data: the origin and the hash of the corpus.
        plain: the hash of the belief network that a residual one corrects.
    """

    data: UncheckedObject | None
    plain: str


class FitCard(CardEntries, total=False):
    """The card of a network that learnt from examples.

    Attributes:
        config: the settings of the run.
        measured: the last measurements, by name.
        command: the command of the user.
    """

    config: Required[dict[str, object]]
    measured: Required[dict[str, float]]
    command: Required[str]


class SelfPlayCard(CardEntries, total=False):
    """The card of a policy that learnt from self-play.

    Attributes:
        algorithm: the algorithm.
        command: the command of the user.
        config: the settings of the run.
        start: the hash of the weights that it began with.
        measured: the last measurements, by name.
        iteration: the rounds that were done.
        decisions: the decisions that were learnt from.
    """

    algorithm: Required[str]
    command: Required[str]
    config: Required[dict[str, object]]
    start: Required[str]
    measured: dict[str, float]
    iteration: int
    decisions: int


N = TypeVar("N", Network, ResidualBelief, TricksNetwork)


@dataclass(frozen=True, eq=False)
class Weights(Generic[N]):
    """A network and its card."""

    network: N
    card: UncheckedObject

    @property
    def digest(self) -> str:
        """The hash of the numbers."""
        return str(self.card["digest"])


def save_weights(path: Path, network: AnyNetwork, kind: str, card: Mapping[str, object]) -> None:
    """Write a network with its card, all at once.

    Args:
        path: the file.
        network: the network.
        kind: the kind of the network: `policy`, `belief`, `residual`, `allowed` or `tricks`.
        card: further entries of the card.
    """
    tensors = {name: each.detach().cpu().contiguous() for name, each in _tensors(network).items()}
    full = {
        # Entries of the run cannot replace those that describe the file.
        **card,
        "kind": kind,
        "shape": asdict(network.shape),
        "digest": _digest(tensors),
        "bidwright": bidwright.__version__,
    }
    with replacing_bytes(path) as file:
        file.write(save(tensors, {_CARD: json.dumps(full)}))


def read_card(path: Path) -> UncheckedObject:
    """Return the card of a file of weights.

    Raises:
        InvalidError: If the file is missing, damaged or something else.
    """
    return _read(path, tensors=False)[0]


@overload
def load_weights(
    name: str | Path, kind: Literal["policy", "belief", "allowed"]
) -> Weights[Network]: ...
@overload
def load_weights(name: str | Path, kind: Literal["residual"]) -> Weights[ResidualBelief]: ...
@overload
def load_weights(name: str | Path, kind: Literal["tricks"]) -> Weights[TricksNetwork]: ...
def load_weights(name: str | Path, kind: str) -> Weights[Any]:
    """Return the weights of a name or path.

    Raises:
        InvalidError: If there are none, they are damaged, or they are of another kind.
    """
    path = find_weights(name)
    card, tensors = _read(path, tensors=True)
    if card["kind"] != kind:
        raise InvalidError(f"expected weights of kind {kind!r} in '{path}', got {card['kind']!r}")
    # A hash of the numbers, not of the file: the card may be rewritten.
    if card["digest"] != _digest(tensors):
        raise InvalidError(f"the weights in '{path}' are damaged: their hash is not the card's")
    try:
        network_class, shape_class = NETWORKS[kind]
        shape = shape_class(**card["shape"])
        _check_shape(network_class, shape, tensors)
        network = network_class(shape)
        network.load_state_dict(tensors)
    except (TypeError, RuntimeError, ValueError):
        raise InvalidError(f"the weights in '{path}' do not fit the shape on their card") from None
    # NaN anywhere would make every probability NaN.
    if not all(bool(each.isfinite().all()) for each in tensors.values()):
        raise InvalidError(f"the weights in '{path}' are no numbers: some are infinite or NaN")
    return Weights(network.eval(), card)


def _check_shape(network_class: type[Any], shape: Any, tensors: dict[str, Tensor]) -> None:  # noqa: ANN401 - of any network
    """Check that a file has the numbers for a shape, before memory is taken for them.

    Raises:
        ValueError: It has not.
    """
    # A brief network is given more numbers than it uses; others use more than they are given.
    most = max(
        (OBSERVATION, len(tensors), *(size for each in tensors.values() for size in each.shape))
    )
    sizes = [size for size in astuple(shape) if not isinstance(size, str)]
    if not all(type(size) is int and 0 < size <= most for size in sizes):
        raise ValueError
    # On the device `meta` a network has shapes and no memory.
    with torch.device("meta"):
        expected = _tensors(network_class(shape))
    if {name: each.shape for name, each in expected.items()} != {
        name: each.shape for name, each in tensors.items()
    }:
        raise ValueError


def find_weights(name: str | Path) -> Path:
    """Return the file of weights with a path, or that ships with the package under a name.

    Raises:
        InvalidError: If there is none.
        OutsideError: If it may not be opened now.
    """
    by_name = shipped()
    path = Path(name)
    # A folder of that name, such as systems/sayc, does not hide weights that ship.
    if str(name) in by_name and not path.is_file():
        return by_name[str(name)]
    check_inside(path)
    if path.is_file():
        return path
    raise InvalidError(f"expected a file of weights or a name ({', '.join(by_name)}), got '{name}'")


def shipped() -> dict[str, Path]:
    """Return the files of the weights that ship with the package, by name."""
    folder = Path(str(files("bidwright") / "neural" / _SHIPPED))
    return {each.stem: each for each in sorted(folder.glob(f"*{SUFFIX}"))}


def _tensors(network: AnyNetwork) -> dict[str, Tensor]:
    return dict(network.state_dict())


def _digest(tensors: dict[str, Tensor]) -> str:
    digest = sha256()
    # Sorted by name, since the order in a file is not promised.
    for name in sorted(tensors):
        flat = tensors[name].contiguous().flatten().view(torch.uint8)
        digest.update(name.encode() + flat.numpy().tobytes())
    return digest.hexdigest()


def _read(path: Path, *, tensors: bool) -> tuple[UncheckedObject, dict[str, Tensor]]:
    try:
        check_regular(path, _MOST_BYTES)
        with safe_open(path, framework="pt") as file:
            # Whoever wrote the file wrote the card, too: it is read like any foreign JSON.
            card = parse_json((file.metadata() or {})[_CARD])
            numbers = {name: file.get_tensor(name) for name in file.keys()} if tensors else {}  # noqa: SIM118
    except (OSError, SafetensorError, KeyError, ValueError) as error:
        reason = "it has no card" if isinstance(error, KeyError) else error
        raise InvalidError(f"expected weights with a card in '{path}': {reason}") from None
    if not isinstance(card, dict) or not {"kind", "shape", "digest"} <= card.keys():
        raise InvalidError(f"expected weights with a card in '{path}', its card is incomplete")
    return card, numbers
