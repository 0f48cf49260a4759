"""Reinforcement learning: rounds of self-play and learning, evaluated on deals kept apart."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TypedDict

import numpy as np
import torch

from bidwright.bridge.calls import NUM_CALLS
from bidwright.bridge.errors import InvalidError
from bidwright.bridge.solved_deals import SolvedDeals, load_solved
from bidwright.kb.loading.compiled import open_system
from bidwright.neural.env.boards import Boards
from bidwright.neural.env.lanes import Lanes
from bidwright.neural.env.layout import OBSERVATION
from bidwright.neural.evaluate import agreement, greedy, play_duplicate
from bidwright.neural.made_for import MadeFor, made_for
from bidwright.neural.networks import Network, NetworkShape
from bidwright.neural.policies import load_allowed, load_policy
from bidwright.neural.policy_conformity import opening_conformity
from bidwright.neural.train.a2c import A2C, OPTIMISERS, A2CConfig
from bidwright.neural.train.actors import Actors, Asked, RoundState, Shapes
from bidwright.neural.train.advantages import CRITIC_OUTPUTS
from bidwright.neural.train.allowed_training import TIERS, tiers_of
from bidwright.neural.train.distributed import Processes, joined
from bidwright.neural.train.experience import CRITIC_INPUTS, critic_inputs
from bidwright.neural.train.joint_search import DEPTHS
from bidwright.neural.train.learner import Learner, LearnerState, SelfPlayConfig
from bidwright.neural.train.opponents import OpponentPool, State
from bidwright.neural.train.ppo import PPO, PPOConfig
from bidwright.neural.train.rivals import Rivals
from bidwright.neural.train.run import (
    Run,
    check_learnt,
    device_of,
    interrupted_between_steps,
    numpy_rng,
    suited,
)
from bidwright.neural.train.supervised import Show
from bidwright.neural.weights import SelfPlayCard, Weights, save_weights
from bidwright.runtime.crew import ALONE, Crew

POLICY_FILE = "policy.safetensors"
BEST_FILE = "best.safetensors"
"""The file of the policy with the best evaluation against its start."""
ALGORITHMS: dict[str, tuple[type[SelfPlayConfig], type[Learner]]] = {
    "ppo": (PPOConfig, PPO),
    "a2c-pr": (A2CConfig, A2C),
}
"""Configuration and learner of each algorithm."""

NEW = "new"
"""The name of a policy with random weights."""

# The purpose of the draw of past selves that are dropped.
_FORGET = 400


def reinforce(
    folder: Path,
    config: SelfPlayConfig,
    algorithm: str,
    command: str,
    show: Show,
    crew: Crew = ALONE,
) -> SelfPlayCard:
    """Train a policy by self-play in a run's folder; write its weights there.

    Args:
        folder: the run's folder.
        config: the settings, of the algorithm's class.
        algorithm: a key of `ALGORITHMS`.
        command: the command of the user, for the card.
        show: called with the progress.
        crew: the processes or the cluster that bid the boards.

    Returns:
        The card of the weights.

    Raises:
        InvalidError: If weights, deals or folder cannot be used.
    """
    _check(config)
    device = device_of(config)
    used = suited(config, device)
    torch.set_num_threads(config.threads)
    start = _start(config)
    # A second copy, since the start itself goes on to learn.
    prior = load_policy(config.prior) if config.prior else _start(config)
    deals = load_solved(Path(config.deals))
    rivals = Rivals(config, device, folder / "systems")
    if not 0 < config.evaluation_deals < len(deals):
        raise InvalidError(
            f"expected more than {config.evaluation_deals} deals in '{config.deals}', "
            f"got {len(deals)}"
        )
    with joined(device) as processes:
        # All processes begin with the same critic.
        torch.manual_seed(config.seed)
        inputs = critic_inputs(config.critic, config.tables)
        outputs = CRITIC_OUTPUTS[config.critic_of]
        critic = Network(NetworkShape(inputs, outputs, config.width, config.depth)).to(device)
        learner = ALGORITHMS[algorithm][1](
            used,
            start.network.to(device).train(),
            critic,
            prior.network.to(device),
            device,
            processes,
            _allowed(config, device),
            rivals.systems.vectors,
        )
        shapes = Shapes(start.network.shape, critic.shape)
        actors = Actors(config, shapes, folder, rivals, crew, processes)
        with closing(actors), Run(folder, config, writes=processes.leads) as run:
            trainer = _Trainer(
                run, used, learner, deals, start, prior.network, rivals, processes, actors
            )
            return trainer.train(trainer.card(algorithm, command), show)


def _start(config: SelfPlayConfig) -> Weights[Network]:
    """Return a policy to begin with, the same one at each call."""
    if config.start != NEW:
        return load_policy(config.start)
    # Apart from the run's generator: the start must not depend on what was drawn before.
    with torch.random.fork_rng([]):
        torch.manual_seed(config.seed)
        shape = NetworkShape(OBSERVATION, NUM_CALLS, config.width, config.depth, config.encoding)
        return Weights(Network(shape).eval(), {"digest": NEW})


def _allowed(config: SelfPlayConfig, device: torch.device) -> Network | None:
    """Return the network of allowed calls, for a penalty or a mask; None if there is neither.

    Raises:
        InvalidError: The weights cannot be read, or lack the tier of the penalty.
    """
    if config.leash == "prior" and not config.mask:
        return None
    weights = load_allowed(config.allowed)
    # Weights made before there were tiers have both.
    if config.leash_tier not in (tiers := tiers_of(weights.card.get("data") or {})):
        raise InvalidError(
            f"expected weights that know the tier {config.leash_tier!r} in '{config.allowed}', "
            f"got {' and '.join(tiers)}"
        )
    return weights.network.to(device)


def _check(config: SelfPlayConfig) -> None:
    for setting, known_values in (
        ("leash", ("prior", "file", "both")),
        ("leash_tier", TIERS),
        ("critic_of", tuple(CRITIC_OUTPUTS)),
    ):
        if (value := getattr(config, setting)) not in known_values:
            raise InvalidError(f"expected {' or '.join(known_values)} as {setting}, got {value!r}")
    if isinstance(config, A2CConfig) and config.optimiser not in OPTIMISERS:
        names = " or ".join(OPTIMISERS)
        raise InvalidError(f"expected {names} as optimiser, got {config.optimiser!r}")
    if isinstance(config, PPOConfig) and config.all_calls and config.critic_of != "calls":
        raise InvalidError("expected critic_of=calls with all_calls=true")
    if (config.leash != "prior" or config.mask) and not config.allowed:
        raise InvalidError("expected weights of `train allowed` for the setting 'allowed'")
    for name in ("start", "deals"):
        if not getattr(config, name):
            raise InvalidError(f"expected a file for the setting {name!r}")
    if config.critic not in CRITIC_INPUTS:
        critics = ", ".join(CRITIC_INPUTS)
        raise InvalidError(f"expected one of {critics} as critic, got {config.critic!r}")
    if config.search_share and config.search_allowed and not config.system:
        raise InvalidError(
            "expected a system whose calls the search may use, or search_allowed=false"
        )
    if config.search_share and config.search_deals and not config.system:
        raise InvalidError("expected a system whose meanings deals are drawn by, or search_deals=0")
    if config.search_depth not in DEPTHS:
        depths = " or ".join(map(str, DEPTHS))
        raise InvalidError(f"expected {depths} as search_depth, got {config.search_depth}")
    # What is predicted over all deals that look alike may not see the cards that tell them apart.
    is_weighed = config.search_share and config.search_weight
    if is_weighed and (config.critic, config.critic_of) != ("own", "calls"):
        raise InvalidError("expected critic=own and critic_of=calls with search_weight above 0")
    # Learning would never begin.
    if isinstance(config, A2CConfig) and config.burn_in > config.replay:
        raise InvalidError(
            f"expected a burn_in of at most the {config.replay:,} decisions of replay that are "
            f"kept, got {config.burn_in:,}"
        )


def _gains(measured: Mapping[str, float]) -> str:
    """Return the gain of a policy for the line of progress; empty before a measurement."""
    if not measured:
        return ""
    on_learnt = measured.get("imps_learnt")  # runs begun by an older version lack it
    beside = f" ({on_learnt:+.2f} on deals learnt from)" if on_learnt is not None else ""
    return f", {measured['imps']:+.2f} IMPs/board{beside}"


class TrainingState(TypedDict):
    """All of a run of self-play that changes, for a checkpoint.

    Attributes:
        learner: the learner's state.
        pool: past selves of the policy.
        decisions: the decisions that were learnt from.
        measured: the last measurements, by name.
        best: the best gain over the start, in IMPs a board.
        asked: the rounds in progress of each process.
    """

    learner: LearnerState
    pool: list[State]
    decisions: int
    measured: dict[str, float]
    best: float
    asked: list[list[RoundState]]


@dataclass
class _Trainer:
    run: Run
    config: SelfPlayConfig
    learner: Learner
    deals: SolvedDeals
    start: Weights[Network]
    prior: Network
    rivals: Rivals
    processes: Processes
    actors: Actors

    def __post_init__(self) -> None:
        config = self.config
        cut = len(self.deals) - config.evaluation_deals
        self.boards = self._as_boards(self.deals[cut:])
        # As many as are held out, so that both gains have the same error.
        self.learnt = self._as_boards(self.deals[: min(cut, config.evaluation_deals)])
        self.rules = open_system(config.system) if config.system else None
        self.pool = OpponentPool(config.pool_size)
        device, cards = self.learner.device, self.rivals.own_cards()
        # The policy of the beginning, fresh: the learner's network changes.
        self.first = greedy(_start(config).network, device, cards)
        self.by_prior = greedy(self.prior, device, cards)

    def _as_boards(self, deals: SolvedDeals) -> Boards:
        boards = Boards.numbered(deals)
        return boards if self.config.vulnerable else boards.nobody_vulnerable()

    def card(self, algorithm: str, command: str) -> SelfPlayCard:
        origin = made_for(self.start.card)
        # Weights from nothing have no system; the run's setting names it.
        if origin.system is None and self.rules is not None:
            origin = MadeFor(Path(self.config.system).name, self.rules.fingerprint)
        card: SelfPlayCard = {
            "algorithm": algorithm,
            "command": command,
            "config": self.run.asked(self.config),
            "data": self.start.card.get("data"),
            "start": self.start.digest[:16],
        }
        origin.add_to(card)
        return card

    def train(self, card: SelfPlayCard, show: Show) -> SelfPlayCard:
        """Play and learn until all rounds are done; return the card."""
        config, learner = self.config, self.learner
        iteration, decisions, best = 0, 0, -np.inf
        measured: dict[str, float] = {}
        if self.run.resumed is not None:
            resumed, rank = self.run.resumed, self.processes.rank
            # Any error here means a damaged checkpoint, and is reported as that.
            with self.run.restoring():
                learner.restore(resumed["learner"])
                self.pool.selves = list(resumed["pool"])
                iteration, decisions = resumed["step"], int(resumed["decisions"])
                measured, best = dict(resumed["measured"]), float(resumed["best"])
                # A process that the run did not have before has no rounds in progress.
                asked = list(chain.from_iterable(resumed["asked"][rank : rank + 1]))
                under_way = [Asked.of(each) for each in asked]
            for round_asked in under_way:
                self.actors.ask(round_asked)
        else:
            self.pool.add(learner.policy, numpy_rng(config, _FORGET, 0))

        def state() -> TrainingState:
            return {
                "learner": learner.state(),
                "pool": self.pool.selves,
                "decisions": decisions,
                "measured": measured,
                "best": best,
                # Rounds in progress are part of the state: their weights are older than the
                # learner's.
                "asked": self.processes.gathered([each.state() for each in self.actors.asked]),
            }

        begun, before = time.monotonic(), decisions
        with interrupted_between_steps(self.processes) as stopped:
            while iteration < config.iterations:
                numbers, count = self._round(iteration)
                iteration += 1
                decisions += count
                if iteration % config.pool_every == 0:
                    self.pool.add(learner.policy, numpy_rng(config, _FORGET, iteration))
                if iteration % config.evaluate_every == 0 or iteration == config.iterations:
                    measured = self._measure()
                    numbers |= measured
                    now = card.copy()
                    now["measured"], now["iteration"] = measured, iteration
                    self._save(POLICY_FILE, now)
                    # The last policy is not always the best: what is kept has the best gain over
                    # the start.
                    if measured["imps"] > best:
                        best = measured["imps"]
                        self._save(BEST_FILE, now)
                self.run.log(iteration, {"decisions": decisions, **numbers})
                rate = (decisions - before) / max(1e-9, time.monotonic() - begun)
                imps = _gains(measured)
                show(iteration, f"{rate:,.0f} decisions/s{imps}")
                if self.run.is_due(self.processes):
                    self.run.save(iteration, state())
                # After the step, so that the curve is the one of an undisturbed run.
                if stopped():
                    self.run.save(iteration, state())
                    raise KeyboardInterrupt
        self.run.save(iteration, state())
        card = card.copy()
        card["measured"], card["decisions"] = measured, decisions
        return card

    def _round(self, iteration: int) -> tuple[dict[str, float], int]:
        learner, asked = self.learner, self.actors.asked
        # Rounds begin ahead of the learner by the bound, but none after the last.
        last = min(iteration + self.config.lag, self.config.iterations - 1)
        # After a resumption the rounds in progress have been begun already.
        for number in range(asked[-1].round + 1 if asked else iteration, last + 1):
            self.actors.begin(number, learner.policy, learner.critic, self.pool)
        experience, about_play = self.actors.experience()
        # Measurements put the network into evaluation.
        learner.policy.train()
        numbers = learner.learn(experience, iteration) | about_play
        return numbers, len(experience) * self.processes.size

    def _measure(self) -> dict[str, float]:
        """Return the gain of the policy over its start, and its agreement with the prior.

        The gain is also measured on deals that were learnt from: the excess there over that on
        other deals is memory of these deals.
        """
        policy = greedy(self.learner.policy, self.learner.device, self.rivals.own_cards())
        outcome = play_duplicate(policy, self.first, self.boards)
        # The excess here over the other gain is memory of deals.
        learnt = play_duplicate(policy, self.first, self.learnt)
        same = agreement(policy, self.by_prior, self.boards)
        measured = {
            "imps": outcome.mean,
            "imps_error": outcome.error,
            "imps_learnt": learnt.mean,
            "imps_learnt_error": learnt.error,
            "agreement": same.calls,
            "agreement_openings": same.openings,
            **self._conformity(same.lanes),
            **self.rivals.measured(self.learner.policy, self.boards),
        }
        self.learner.policy.train()
        return measured

    def _conformity(self, lanes: Lanes) -> dict[str, float]:
        """Return the share of openings that conform to the system, in all and for each bid."""
        if self.rules is None:
            return {}
        by_call = opening_conformity(lanes, self.rules)
        calls = sum(each.made for each in by_call.values())
        conforming = sum(each.conforming for each in by_call.values())
        shares = {f"conformity_{call}": each.share for call, each in sorted(by_call.items())}
        return {"conformity": conforming / max(1, calls), **shares}

    def _save(self, name: str, card: SelfPlayCard) -> None:
        # A network that learnt itself to NaN would be written as weights that nothing opens.
        check_learnt(self.learner.policy)
        if self.processes.leads:
            save_weights(self.run.folder / name, self.learner.policy, "policy", card)
