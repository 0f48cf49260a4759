"""The figures of the BMCS paper, from its tables and its text.

Source: Qiu, Wang, You and Zhou, "Bridge bidding via deep reinforcement learning and belief Monte
Carlo search", IEEE/CAA J. Autom. Sinica 11 (2024), pp. 2111-2122. Its Figures 2 to 6 are not
printed as numbers, but for a few in the text. IMPs a deal are against WBridge5, which is not to be
had for a machine; `±` is a standard error.
"""

from __future__ import annotations

from typing import NamedTuple

ACCURACY = "94.37 %"
"""Section VI-A: calls of WBridge5 that the imitation (SL) predicts."""

RL_AGAINST_SL = "+0.87 ± 0.02"
"""Section VI-B, to Figure 2: the best policy of self-play (RL) against SL."""

AGAINST_WBRIDGE5 = {
    "RL": "+0.68 ± 0.05",
    "RL-BMCS": "+0.98 ± 0.05",
    "RL-MCS": "+0.80 ± 0.05",
    "no PR": "+0.53 ± 0.05",
    "no HI": "+0.58 ± 0.05",
}
"""Tables III and IV: 10,000 deals each."""

OPENINGS = {
    "1C": (74.25, 61.11, 89.27),
    "1D": (76.76, 73.08, 88.26),
    "1H": (73.91, 63.72, 80.04),
    "1S": (75.47, 65.88, 79.80),
    "1NT": (76.15, 69.19, 85.71),
    "2C": (25.71, 26.26, 32.53),
    "2D": (92.13, 92.41, 94.89),
    "2H": (94.61, 90.66, 93.51),
    "2S": (94.18, 86.35, 95.35),
    "2NT": (53.53, 48.98, 82.22),
    "3C": (33.50, 28.70, 41.48),
    "3D": (49.38, 36.47, 74.73),
    "3H": (50.49, 41.13, 49.04),
    "3S": (65.35, 50.45, 55.44),
}
"""Table V: openings that conform to SAYC by points and lengths, in %: RL, RL-BMCS, WBridge5."""

OPENED = {"RL": 54.3, "RL-BMCS": 56.1}
"""Section VI-F, to Figure 4: games in which the agent opens, in % of 20,000 (10,862 and 11,226)."""


class Setting(NamedTuple):
    """A setting of Tables I or II, or of the text.

    Attributes:
        what: its name in the paper.
        printed: its value there.
        key: our setting with this value; empty if there is none.
        value: the value that `key` must have.
    """

    what: str
    printed: str
    key: str
    value: object


SETTINGS: dict[str, tuple[Setting, ...]] = {
    "bmcs2024_sl": (
        Setting("neurons of a layer (III)", "2048", "width", 2048),
        Setting("layers (III)", "4", "depth", 4),
        Setting("optimiser Adam, learning rate (VI-A)", "1e-4", "learning_rate", 1e-4),
        Setting("mini-batch (VI-A)", "512", "batch", 512),
    ),
    "bmcs2024": (
        Setting("actor threads x environments: tables at once", "12 x 150", "boards", 900),
        Setting("tables of a deal (IV)", "2", "tables", 2),
        Setting("replay buffer capacity", "80 K", "replay", 80_000),
        Setting("replay buffer burn-in frames", "20 K", "burn_in", 20_000),
        Setting("batch size", "2048", "batch", 2048),
        Setting("optimiser Adan, learning rate of the policy", "1.3e-5", "policy_rate", 1.3e-5),
        Setting("optimiser Adan, learning rate of the value", "1.3e-4", "critic_rate", 1.3e-4),
        Setting("priority exponent", "0.8", "priority_exponent", 0.8),
        Setting("importance sampling exponent", "0.6", "importance_exponent", 0.6),
        Setting("entropy weight", "0.01", "entropy_weight", 0.01),
        Setting("discount factor (returns as they are)", "1", "trace", 1.0),
        Setting("sync frequency", "10", "updates", 10),
        Setting("IMPs that are a reward of 1 (IV)", "24", "reward_scale", 24.0),
        Setting("training steps (VI-B): 10 a round", "2.5e6", "iterations", 250_000),
        Setting("vulnerable (VI-B)", "never", "vulnerable", False),
        Setting("input of the value network (IV)", "all hands", "critic", "hands"),
    ),
    "bmcs2024_belief": (
        Setting("actor threads x environments: tables at once", "6 x 100", "boards", 600),
        Setting("replay buffer capacity", "80 K", "", None),
        Setting("replay buffer burn-in frames", "20 K", "", None),
        Setting("batch size", "256", "batch", 256),
        Setting("optimiser Adam, learning rate", "3e-4", "learning_rate", 3e-4),
        Setting("priority exponent", "0", "", None),
        Setting("training steps (VI-C)", "3e5", "steps", 300_000),
    ),
}
"""Tables I and II, and the settings of the text, by our configuration in `neural/runs`."""

INPUTS = {"policy and belief network": 480, "value network": 636}
"""Table VI: numbers that go in. The belief network puts out 156 (V)."""
