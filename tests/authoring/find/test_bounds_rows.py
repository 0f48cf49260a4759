"""Bounds as rows of bytes."""

from __future__ import annotations

from bidwright.authoring.find.bounds_rows import WIDTH, BoundsTest, decode, encode
from bidwright.kb.logic.bounds import ANYTHING, Bounds

BALANCED = Bounds(
    hcp=(15, 17),
    points=(15, 21),
    lengths=((2, 5), (2, 5), (2, 4), (3, 4)),
    controls=(3, 8),
    aces=(1, 4),
    balanced=True,
    sure=frozenset({0, 51}),
    impossible=frozenset({12, 50}),
)
SHAPELY = Bounds(balanced=False)


def test_a_row_is_read_as_it_was_written() -> None:
    for bounds in (ANYTHING, BALANCED, SHAPELY):
        assert len(encode(bounds)) == WIDTH
        assert decode(encode(bounds)) == bounds


def test_equal_rows_are_tried_once() -> None:
    tried: list[Bounds] = []

    def is_strong(bounds: Bounds) -> bool:
        tried.append(bounds)
        return bounds.hcp[0] >= 15

    test = BoundsTest(is_strong)
    rows = encode(SHAPELY) + encode(BALANCED) + encode(BALANCED)
    assert not test.of_anything
    assert test.outcomes(rows, [2, 0, 1]).tolist() == [True, False, True]
    assert tried == [ANYTHING, BALANCED, SHAPELY]
