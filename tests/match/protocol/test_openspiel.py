"""Our clients under an independent manager: OpenSpiel's, which was written for WBridge5.

Needs `pip install open-spiel`; it is not among the dependencies of the tests.
"""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")
bluechip = pytest.importorskip("open_spiel.python.bots.bluechip_bridge")

BOARDS = 2
_SECONDS = 60


class Controller:
    """A client in a process of its own, as OpenSpiel's manager holds one."""

    def __init__(self, agent: str) -> None:
        """Start the client and wait for it."""
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(_SECONDS)
            words = ["--port", str(server.getsockname()[1]), "--agent", agent]
            words += ["--team", "WBridge5", "--dialect", "wbridge5"]
            self._process = subprocess.Popen([sys.executable, "-m", "bidwright", "seat", *words])
            self._socket, _ = server.accept()
        self._socket.settimeout(_SECONDS)
        self._lines = self._socket.makefile("rw", encoding="ascii", newline="")

    def read_line(self) -> str:
        """Return the client's next line."""
        return self._lines.readline().rstrip("\r\n")

    def send_line(self, line: str) -> None:
        """Send the client a line."""
        self._lines.write(f"{line}\r\n")
        self._lines.flush()

    def terminate(self) -> None:
        """Hang up; the client must end well."""
        self._lines.close()
        self._socket.close()
        assert self._process.wait(_SECONDS) == 0


def test_four_clients_bid_and_play_whole_boards(tiny: Path) -> None:
    game = pyspiel.load_game(bluechip.GAME_STR)
    bots = [
        bluechip.BlueChipBridgeBot(game, n, lambda: Controller(f"rules:{tiny}")) for n in range(4)
    ]
    rng = np.random.default_rng(4)
    for _ in range(BOARDS):
        state = game.new_initial_state()
        for bot in bots:
            bot.restart()
        while not state.is_terminal():
            state.apply_action(_action(state, bots, rng))
        for bot in bots:
            bot.inform_state(state)
    for bot in bots:
        bot.terminate()


def _action(state: Any, bots: list[Any], rng: np.random.Generator) -> int:  # noqa: ANN401
    if state.is_chance_node():
        return int(rng.choice([action for action, _ in state.chance_outcomes()]))
    action: int = bots[state.current_player()].step(state)
    assert action in state.legal_actions()
    return action
