"""Pieces that come up as work goes on: results in the order in which they were begun."""

from __future__ import annotations

import time
from contextlib import closing

import pytest

from bidwright.bridge.errors import InvalidError
from bidwright.runtime.crew import Crew
from bidwright.runtime.processes import WorkerError
from bidwright.runtime.team import PieceTeam, assemble
from bidwright.tests.runtime.pieces import Addition, adding


@pytest.fixture(params=[1, 2])
def team(request: pytest.FixtureRequest) -> PieceTeam[Addition, int]:
    made: PieceTeam[Addition, int] = assemble(Crew(request.param), adding, (100,))
    return made


def test_results_come_in_the_order_of_the_beginnings(team: PieceTeam[Addition, int]) -> None:
    with closing(team):
        for number, seconds in enumerate((0.2, 0.0, 0.1, 0.0)):
            team.begin((seconds, team.share(number)))
        assert [team.result() for _ in range(3)] == [100, 101, 102]
        team.begin((0.0, team.share(7)))
        assert [team.result(), team.result()] == [103, 107]


def test_failure_is_told(team: PieceTeam[Addition, int]) -> None:
    with closing(team):
        team.begin((-1.0, team.share(1)))
        with pytest.raises((InvalidError, WorkerError), match="no time"):
            team.result()


def test_what_was_not_done_is_given_up() -> None:
    team: PieceTeam[Addition, int] = assemble(Crew(2), adding, (100,))
    for _ in range(4):
        team.begin((60.0, team.share(1)))
    begun = time.monotonic()
    team.close()
    assert time.monotonic() - begun < 30
