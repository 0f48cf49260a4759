"""What imitation takes over from a policy that has learnt before: its weights, and its calls."""

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
    """Give a network the numbers of a policy.

    Weights that see the 480 bits alone can begin a network that sees card vectors as well: it is
    indifferent to them at first. One that says something else than calls keeps its own last layer.

    Raises:
        InvalidError: The weights are of another size, or see something else.
    """
    found = load_policy(name).network
    state, own = found.state_dict(), network.state_dict()
    widens = network.shape.encoding == CARDS and found.shape.encoding == "full"
    if widens and network.shape.width == found.shape.width:
        first = torch.zeros_like(own["first.weight"])
        first[:, : found.shape.inputs] = state["first.weight"]
        state = {**own, **state, "first.weight": first}
    if network.shape.outputs != found.shape.outputs:
        state |= {name: own[name] for name in ("last.weight", "last.bias")}
    if {k: v.shape for k, v in state.items()} != {k: v.shape for k, v in own.items()}:
        raise InvalidError(
            f"expected weights {network.shape.width} wide and {network.shape.depth} deep that see "
            f"{network.shape.encoding!r} to begin with, got {found.shape} in '{name}'"
        )
    network.load_state_dict(state)


def blend(network: Network, name: str, share: float) -> None:
    """Keep a share of what a network has learnt since it began with weights; undo the rest.

    Each number is moved back towards where it began, along a straight line; what is made of card
    vectors stays if the weights made nothing of them. What is learnt from few examples costs less
    of what was known before.

    Source: Wortsman et al., "Robust fine-tuning of zero-shot models", 2022.
    """
    learnt = {key: value.clone() for key, value in network.state_dict().items()}
    begin_with(network, name)
    state = network.state_dict()
    network.load_state_dict({key: state[key].lerp(learnt[key], share) for key in learnt})


def teach(
    positions: Positions, corpus: Auctions, teacher: str, folder: Path, device: torch.device
) -> int:
    """Put a teacher's calls in the place of those of the rules; return how many changed.

    It is asked wherever the side of the player to call plays a system.

    Args:
        positions: what is learnt, of this corpus; changed.
        corpus: the auctions.
        teacher: `WEIGHTS as SYSTEM`.
        folder: where files of variants are put.
        device: where to compute.

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
        told = CardVectors(table, torch.from_numpy(positions.card[which]).to(device))
        legal = torch.from_numpy(positions.legal(which)).to(device)
        with torch.inference_mode():
            call = log_policy(network(seen, told), legal).argmax(dim=1).cpu().numpy()
        changed += int((positions.wanted[which] != call).sum())
        positions.wanted[which] = call
    return changed


def _plays(positions: Positions, corpus: Auctions, system: str) -> NDArray[np.bool_]:
    """Return bool `[P]`: where the side of the player to call plays a system."""
    entries = corpus.origin.get("systems") or [made_for(corpus.origin).entries()]
    fingerprint = open_system(system).fingerprint
    rows = [each.get("system_fingerprint") == fingerprint for each in entries]
    own = (positions.card[:, 0] - 1) // len(rows)
    return np.asarray(np.array(rows)[own] & (positions.card[:, 0] > 0))
