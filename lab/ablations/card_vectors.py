"""The value of the card vector: policies that imitate several systems, with and without it.

    python -m bidwright.lab.ablations.card_vectors --auctions 600 --echoes 15 --folder cards

Bids a corpus in which each side plays any of `--systems` and imitates it twice, from the 480 bits
alone and with the card vectors of both sides (`cards1`). It prints the share of calls in held-out
auctions that each policy predicts, for each system of the player to call; the same for a corpus of
`--variant`, a system that neither has seen, which all four play; and there for the vector hidden.
Errors are binomial and take calls of one auction as independent. The same command resumes an
interrupted run.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch import nn

from bidwright.lab.ending import ended
from bidwright.neural.data.auctions import NO_CALL, Auctions, undisclosed
from bidwright.neural.data.bidding import BiddingPlan
from bidwright.neural.data.corpus_positions import Positions
from bidwright.neural.data.making import make_corpus
from bidwright.neural.data.variants import variant_file
from bidwright.neural.networks import CARDS
from bidwright.neural.train.imitation import POLICY_FILE, ImitationConfig, call_accuracy, imitate
from bidwright.neural.weights import load_weights

SYSTEMS = ["sayc", "acol", "two_over_one"]
VARIANT = "sayc(notrump = 12..14, rebid = 15..17)"
_HELD_OUT = 0.1


def corpus(file: Path, systems: list[str], given: argparse.Namespace, auctions: int) -> Auctions:
    """Return a corpus of auctions; each side plays any of some systems."""
    plan = BiddingPlan(systems[0], given.seed, 0.05, given.echoes, tuple(systems[1:]))
    return make_corpus(file, plan, auctions)


def policies(folder: Path, data: Path, given: argparse.Namespace) -> dict[str, nn.Module]:
    """Return a policy for each encoding, trained on a corpus."""
    by_encoding: dict[str, nn.Module] = {}
    for encoding in ("full", CARDS):
        config = ImitationConfig(
            data=str(data),
            encoding=encoding,
            held_out=_HELD_OUT,
            steps=given.steps,
            batch=given.batch,
            width=given.width,
            depth=3,
            evaluate_every=given.steps // 4,
            device="cpu",
        )
        run = folder / f"run_{encoding}"
        imitate(run, config, "lab/ablations/card_vectors.py", lambda step, words: None)
        by_encoding[encoding] = load_weights(run / POLICY_FILE, "policy").network
    return by_encoding


def by_system(auctions: Auctions, systems: list[str]) -> dict[str, Auctions]:
    """Return the held-out auctions by the system of North-South."""
    # Cards are numbered from 1 (0 is undisclosed), one for each ordered pair of systems: the
    # quotient is the system of North-South.
    number = (auctions.card[:, 0].astype(int) - 1) // len(systems)
    return {Path(n).stem: auctions[np.flatnonzero(number == k)] for k, n in enumerate(systems)}


def measured(network: nn.Module, auctions: Auctions, side: int | None) -> tuple[float, float, int]:
    """Return the share of calls predicted, its error, and their number, of one side or of both."""
    wanted = auctions.wanted.copy()
    if side is not None:
        turn = np.arange(wanted.shape[1])
        is_own = (auctions.dealer[:, None].astype(int) + turn) % 2 == side
        # The calls of the other side stay in the auction as inputs, but are not predicted.
        wanted[~is_own] = NO_CALL
    some = replace(auctions, wanted=wanted)
    with torch.inference_mode():
        measures = call_accuracy(network, Positions(some), torch.from_numpy(auctions.cards))
    share, count = measures["accuracy"], int(measures["positions"])
    return share, (share * (1 - share) / count) ** 0.5, count


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--systems", nargs="+", default=SYSTEMS, help="or variants of them")
    parser.add_argument("--variant", default=VARIANT, help="a system held out")
    parser.add_argument("--auctions", type=int, default=600)
    parser.add_argument("--echoes", type=int, default=15)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--width", type=int, default=192)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    systems = [variant_file(each, given.folder) for each in given.systems]
    variant = variant_file(given.variant, given.folder)
    whole = corpus(given.folder / "seen.npz", systems, given, given.auctions)
    other = corpus(given.folder / "variant.npz", [variant], given, max(1, given.auctions // 10))
    networks = policies(given.folder, given.folder / "seen.npz", given)
    held_out = whole[whole.split(max(1, round(len(whole) * _HELD_OUT))) :]
    # Side 0 alone: the auctions are sorted by the system of North-South, and East-West play any.
    tables: dict[str, tuple[Auctions, int | None]] = {
        name: (some, 0) for name, some in by_system(held_out, systems).items()
    }
    tables[f"{Path(variant).stem} (not seen)"] = (other, None)
    # The same calls with the card hidden: the difference is the value of the card.
    card, cards = undisclosed(len(other))
    tables["the same, nothing disclosed"] = (replace(other, card=card, cards=cards), None)
    results: list[dict[str, object]] = []
    print(f"{'calls predicted':32}{'480 bits':>16}{'with cards':>16}{'calls':>9}")
    for name, (some, side) in tables.items():
        shares = {key: measured(network, some, side) for key, network in networks.items()}
        texts = [f"{share:.2%} +- {error:.2%}" for share, error, _ in shares.values()]
        count = next(iter(shares.values()))[2]
        print(f"{name:32}{texts[0]:>16}{texts[1]:>16}{count:>9,}", flush=True)
        results.append({"system": name, "calls": count, **{k: v[:2] for k, v in shares.items()}})
    if given.json:
        given.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(ended(main))
