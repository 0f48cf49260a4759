"""Means, intervals and stopping, against values that are known."""

from __future__ import annotations

from math import inf, isclose, sqrt
from statistics import mean, variance

import numpy as np
import pytest

from bidwright.match.record.estimate import (
    FEWEST,
    StoppingRule,
    Tally,
    confidence_sequence,
    interval,
    t_quantile,
)


@pytest.mark.parametrize(
    ("probability", "degrees", "value"),
    [
        # Fisher and Yates, Statistical Tables, table III.
        (0.975, 1, 12.706),
        (0.975, 2, 4.303),
        (0.975, 5, 2.571),
        (0.975, 10, 2.228),
        (0.975, 30, 2.042),
        (0.975, 120, 1.980),
        (0.995, 10, 3.169),
        (0.95, 20, 1.725),
        (0.5, 7, 0.0),
    ],
)
def test_t_quantiles_agree_with_the_tables(probability: float, degrees: int, value: float) -> None:
    assert t_quantile(probability, degrees) == pytest.approx(value, abs=2e-3)


def test_a_tally_has_the_mean_and_variance_of_its_values() -> None:
    values = [3.0, -1.0, 0.0, 12.0, 0.0, -5.0]
    tally = Tally.of(values)
    assert isclose(tally.mean, mean(values))
    assert isclose(tally.variance, variance(values))
    assert isclose(tally.error, sqrt(variance(values) / 6))


def test_the_interval_of_a_textbook_sample() -> None:
    # Student's sleep data (1908), difference of the two drugs: 0.70 to 2.46 hours.
    sleep = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]
    found = interval(Tally.of(sleep))
    assert found.low == pytest.approx(0.70, abs=0.005)
    assert found.high == pytest.approx(2.46, abs=0.005)


def test_one_board_says_nothing() -> None:
    assert interval(Tally.of([5])).half_width == inf
    assert confidence_sequence(Tally.of([5])).half_width == inf
    assert Tally.of([5]).error == inf


def _imps(rng: np.random.Generator, size: int) -> list[float]:
    """Return IMPs as matches have them: mostly nothing, now and then a swing either way."""
    swing = rng.choice([1, 2, 5, 6, 10, 11, 13], size) * rng.choice([-1, 1], size)
    return [float(value) for value in swing * (rng.random(size) < 0.3)]


def _first_stop(rule: StoppingRule, values: list[float]) -> int | None:
    """Return the number of boards until the end of a match, `None` if there is none."""
    tally = Tally()
    for count, value in enumerate(values, start=1):
        tally.add(value)
        if rule.verdict(tally):
            return count
    return None


def test_the_usual_interval_covers_as_often_as_it_says() -> None:
    rng = np.random.default_rng(5)
    covered = sum(not interval(Tally.of(_imps(rng, 100))).excludes(0) for _ in range(1000))
    assert 930 <= covered <= 970


def test_looking_after_every_board_is_paid_for_by_the_confidence_sequence() -> None:
    # Two equal sides, 1000 boards, a look after each: the sequence may be wrong in 5 %.
    rng = np.random.default_rng(6)
    rule = StoppingRule(0.95)
    runs = 300
    wrong = sum(_first_stop(rule, _imps(rng, 1000)) is not None for _ in range(runs))
    assert wrong <= 0.05 * runs


def test_the_usual_interval_would_be_wrong_far_more_often() -> None:
    rng = np.random.default_rng(6)

    def stops(values: list[float]) -> bool:
        tally = Tally()
        for count, value in enumerate(values, start=1):
            tally.add(value)
            if count >= FEWEST and interval(tally).excludes(0):
                return True
        return False

    assert sum(stops(_imps(rng, 500)) for _ in range(100)) > 15


def test_a_better_side_is_found_to_be_better() -> None:
    rng = np.random.default_rng(7)
    values = [value + 1 for value in _imps(rng, 1000)]
    rule = StoppingRule(0.95)
    stop = _first_stop(rule, values)
    assert stop is not None
    assert stop < 500
    assert rule.verdict(Tally.of(values)) == "ahead"
    assert rule.verdict(Tally.of(-value for value in values)) == "behind"


def test_equal_sides_are_level_only_if_a_margin_is_given() -> None:
    tally = Tally.of([1.0, -1.0] * 1000)
    assert StoppingRule(0.95).verdict(tally) is None
    assert StoppingRule(0.95, margin=0.2).verdict(tally) == "level"
    assert StoppingRule(0.95, margin=0.01).verdict(tally) is None


def test_a_width_is_reached_whoever_is_better() -> None:
    rng = np.random.default_rng(8)
    rule = StoppingRule(0.95, within=0.5)
    for lead in (0.0, 2.0):
        values = [value + lead for value in _imps(rng, 3000)]
        stop = _first_stop(rule, values)
        assert stop is not None
        before, there = Tally.of(values[: stop - 1]), Tally.of(values[:stop])
        assert confidence_sequence(before).half_width > 0.5
        assert confidence_sequence(there).half_width <= 0.5
        assert confidence_sequence(there).low < lead < confidence_sequence(there).high


def test_nothing_is_decided_on_a_few_boards() -> None:
    assert StoppingRule().verdict(Tally.of([10.0, 11.0] * (FEWEST // 2 - 1))) is None
    assert StoppingRule().verdict(Tally.of([10.0, 11.0] * (FEWEST // 2))) == "ahead"


def test_the_sequence_at_its_best_is_not_much_wider_than_the_usual_interval() -> None:
    tally = Tally.of([5.0, -5.0] * 500)
    assert confidence_sequence(tally).half_width < 1.6 * interval(tally).half_width
