"""Transfer from a policy that has learnt before, to imitation: its weights, and its calls."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from bidwright.bridge.errors import InvalidError
from bidwright.kb.loading.compiled import open_system
from bidwright.neural.data.auctions import Auctions
from bidwright.neural.data.corpus_positions import Positions
from bidwright.neural.data.variants import variant_file
from bidwright.neural.made_for import made_for
from bidwright.neural.networks import CARDS, CardVectors, Network, log_policy
from bidwright.neural.policies import load_policy
from bidwright.neural.train.league import members

_CHUNK = 8192


def begin_with(network: Network, name: str) -> None:
    """Copy the weights of a policy into a network.

    Weights that see the 480 bits alone can begin a network that sees card vectors as well, with
    zeros for these inputs. A network with other outputs than calls keeps its own last layer.

    Raises:
        InvalidError: The weights are of another size, or see something else.
    """
    weights = load_policy(name).network
    state, ours = weights.state_dict(), network.state_dict()
    widens = network.shape.encoding == CARDS and weights.shape.encoding == "full"
    if widens and network.shape.width == weights.shape.width:
        first = torch.zeros_like(ours["first.weight"])
        first[:, : weights.shape.inputs] = state["first.weight"]
        # Zeros for the new inputs: the network begins as the narrower one.
        state = {**ours, **state, "first.weight": first}
    if network.shape.outputs != weights.shape.outputs:
        # A network of other outputs learns its last layer anew.
        state |= {name: ours[name] for name in ("last.weight", "last.bias")}
    if {k: v.shape for k, v in state.items()} != {k: v.shape for k, v in ours.items()}:
        raise InvalidError(
            f"expected weights {network.shape.width} wide and {network.shape.depth} deep that see "
            f"{network.shape.encoding!r} to begin with, got {weights.shape} in '{name}'"
        )
    network.load_state_dict(state)


def blend(network: Network, name: str, share: float) -> None:
    """Interpolate a network between the weights that it began with and its present ones.

    Each parameter is moved back along a straight line, to `share` of its change; layers that
    the weights lack stay. Learning from few examples then costs less of earlier abilities.

    Source: Wortsman et al., "Robust fine-tuning of zero-shot models", 2022.
    """
    learnt = {key: value.clone() for key, value in network.state_dict().items()}
    begin_with(network, name)
    state = network.state_dict()
    network.load_state_dict({key: state[key].lerp(learnt[key], share) for key in learnt})


def teach(
    positions: Positions, corpus: Auctions, teacher: str, folder: Path, device: torch.device
) -> int:
    """Replace the calls of the rules by those of a teacher; return the number of changed calls.

    Calls are replaced wherever the side of the player to call plays the teacher's system.

    Args:
        positions: the positions to learn from, of this corpus; changed in place.
        corpus: the auctions.
        teacher: `WEIGHTS as SYSTEM`.
        folder: the folder for files of variants.
        device: the device of the teacher.

    Raises:
        InvalidError: The teacher cannot be understood or opened, or nobody plays the system.
    """
    (member,) = members([f"1 {teacher}"])
    if not member.system or member.is_past:
        raise InvalidError(f"expected a teacher such as 'sayc as sayc', got {teacher!r}")
    network = load_policy(member.name).network.to(device)
    asked = np.flatnonzero(_plays(positions, corpus, variant_file(member.system, folder)))
    if not len(asked):
        raise InvalidError(f"expected a corpus in which a side plays {member.system}")
    table, changed = torch.from_numpy(corpus.cards).to(device), 0
    for start in range(0, len(asked), _CHUNK):
        which = asked[start : start + _CHUNK]
        seen = torch.from_numpy(positions.observe(which)).to(device)
        cards = CardVectors(table, torch.from_numpy(positions.card[which]).to(device))
        legal = torch.from_numpy(positions.legal(which)).to(device)
        with torch.inference_mode():
            call = log_policy(network(seen, cards), legal).argmax(dim=1).cpu().numpy()
        changed += int((positions.wanted[which] != call).sum())
        positions.wanted[which] = call
    return changed


def _plays(positions: Positions, corpus: Auctions, system: str) -> NDArray[np.bool_]:
    """Return True where the side of the player to call plays a system, bool `[P]`."""
    entries = corpus.origin.get("systems") or [made_for(corpus.origin).entries()]
    fingerprint = open_system(system).fingerprint
    rows = [each.get("system_fingerprint") == fingerprint for each in entries]
    # Rows of the table are pairs of systems in order; see `data.bidding`.
    system_of = (positions.card[:, 0] - 1) // len(rows)
    return np.asarray(np.array(rows)[system_of] & (positions.card[:, 0] > 0))
