"""The runs for each table and figure of the BMCS paper, at a size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bidwright.lab.bmcs.results import DEALS, OWN, Run

SL, RL, BELIEF = "sayc_sl", "sayc", "sayc_belief"
"""The shipped weights that stand for the paper's networks."""

SEARCHES = {
    "constraints": "",
    "belief": f",proposals=belief,belief={BELIEF}",
    "uniform": ",proposals=uniform",
    "few": ",p_max=64,r_max=16",
}
"""Ways to search, with the options beyond the usual ones: deals from what calls show (ours), from
the belief network (RL-BMCS), any deals (RL-MCS), and a sixteenth of the deals."""

_PAPERS = ("--algorithm", "a2c-pr", "--config", "bmcs2024")
_OURS = ("--config", "ppo_small")
_SET = "--set"

ARMS: dict[str, tuple[str, ...]] = {
    "full": _PAPERS,
    "no-pr": (*_PAPERS, "--no-pr"),
    "no-hi": (*_PAPERS, "--no-hi"),
    "new": (*_PAPERS, _SET, "start=new"),
    "ppo": _OURS,
    "ppo-free": (*_OURS, _SET, "leash_targets=[]"),
}
"""Ways of self-play: the paper's, its ablations, from random weights; ours with and without KL."""


@dataclass(frozen=True)
class Size:
    """The sizes of measurements.

    Attributes:
        boards: boards of a match without search.
        search_boards: boards of a match with search.
        audits: boards of audits of openings and calls; with search a quarter.
        positions: positions for the comparison of beliefs.
        drawn: deals drawn at each position.
        auctions: auctions of the corpus for imitation, each with 15 echoes; three in ten are held
            out.
        steps: steps of imitation.
        rounds: rounds of self-play.
        round_boards: boards of each round.
        rate: the policy's learning rate in self-play the paper's way.
        width: neurons of a layer of the networks that are trained; three quarters as many layers.
        depth: layers of these networks.
        seeds: runs of each way of self-play.
        seed: the random seed of boards and corpora.
    """

    boards: int = 1000
    search_boards: int = 200
    audits: int = 400
    positions: int = 600
    drawn: int = 300
    auctions: int = 1000
    steps: int = 2000
    rounds: int = 40
    round_boards: int = 300
    rate: float = 1.3e-5
    width: int = 128
    depth: int = 3
    seeds: int = 2
    seed: int = 2024


def search(way: str) -> str:
    """Return the specification of a search: nothing of the rules, and no deadline."""
    # The paper's search has no rules in it, and a deadline would make a result depend on the
    # machine.
    return f"bmcs:{RL},prior=0,shield=off,seconds=0{SEARCHES[way]}"


def runs(size: Size) -> Iterator[Run]:
    """Yield all runs, in an order in which each comes after the runs that it needs."""
    for name, weights in (("sl", SL), ("rl", RL)):
        yield _match(f"{name}-rules", f"policy:{weights}", "rules:sayc", size.boards, size)
        yield _audit(f"audit-{name}", f"policy:{weights}", size.audits, size)
    yield _compared("rl-sl", RL, SL)
    yield _match("bmcs-rules", search("constraints"), "rules:sayc", size.search_boards, size)
    for way in SEARCHES:
        yield _match(f"{way}-rl", search(way), f"policy:{RL}", size.search_boards, size)
    # A searched decision takes far longer than a policy's, so its audit has a quarter of the
    # boards.
    yield _audit("audit-bmcs", search("constraints"), size.audits // 4, size)
    yield Run(
        "belief",
        (
            *("bench/belief.py", "--belief", BELIEF, "--agent", f"policy:{RL}", "--deals", DEALS),
            *("--positions", str(size.positions), "--drawn", str(size.drawn)),
        ),
        ("--json", f"{OWN}.json"),
    )
    yield from _imitation(size)
    for seed in range(size.seeds):
        for arm in ARMS:
            yield _self_play(arm, seed, size)
            if arm != "full":
                trained, full = (f"{OWN}:{way}-{seed}/policy.safetensors" for way in (arm, "full"))
                yield _compared(f"{arm}-{seed}-full", trained, full)


def _match(name: str, a: str, b: str, boards: int, size: Size) -> Run:
    words = ("match", a, b, "--boards", str(boards), "--seed", str(size.seed))
    return Run(name, words, ("--out", f"{OWN}.jsonl", "--json", "--quiet"))


def _audit(name: str, who: str, boards: int, size: Size) -> Run:
    words = ("audit", who, "--boards", str(boards), "--seed", str(size.seed))
    return Run(name, words, ("--examples", "0", "--json", "--quiet"))


def _compared(name: str, a: str, b: str) -> Run:
    return Run(name, ("train", "compare", a, b, "--deals", DEALS), ("--json",))


def _imitation(size: Size) -> Iterator[Run]:
    bid = ("train", "data", "--system", "sayc", "-n", str(size.auctions), "--echoes", "15")
    yield Run("corpus", (*bid, "--seed", str(size.seed), "-o", f"{OWN}.npz"), ("--quiet",))
    settings = {
        "held_out": 0.3,
        "steps": size.steps,
        "evaluate_every": max(1, size.steps // 8),
        "width": size.width,
        "depth": size.depth,
    }
    learn = ("train", "sl", "--config", "bmcs2024_sl", "--data", f"{OWN}:corpus.npz")
    yield Run("imitation", (*learn, *_set(settings), "--out", OWN), ("--quiet",))


def _self_play(arm: str, seed: int, size: Size) -> Run:
    settings: dict[str, object] = {
        "seed": seed,
        "iterations": size.rounds,
        "boards": size.round_boards,
        "evaluate_every": max(1, size.rounds // 2),
        "width": size.width,
        "depth": size.depth,
        "bf16": "true",
        "vulnerable": "true",
        "system": "sayc",
        # A run from random weights is also set against the start of the others, which it does not
        # have as its own.
        "held_out": f"[1 {RL}]" if arm != "new" else f"[1 {RL}, 1 {SL}]",
    }
    # Our PPO has a learning rate of its own; the option is for the paper's way only.
    if ARMS[arm][: len(_PAPERS)] == _PAPERS:
        settings["policy_rate"] = size.rate
    start = () if arm == "new" else ("--policy", SL)
    words = ("train", "rl", *ARMS[arm], *start, "--deals", DEALS, *_set(settings), "--out", OWN)
    return Run(f"{arm}-{seed}", words, ("--quiet",))


def _set(settings: Mapping[str, object]) -> tuple[str, ...]:
    return tuple(word for key, value in settings.items() for word in (_SET, f"{key}={value}"))
