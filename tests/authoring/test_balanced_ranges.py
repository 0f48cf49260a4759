"""Opener's rebid of one notrump goes with his opening."""

import pytest

from bidwright.authoring.balanced_ranges import rebid_beside, with_rebid

SAYC = {"notrump": "15..17", "rebid": "12..14", "majors": "5"}


@pytest.mark.parametrize(
    ("notrump", "rebid"),
    [
        ("16..18", "12..15"),
        ("15..17", "12..14"),
        ("14..16", "12..13"),
        ("13..15", "16..17"),
        ("12 .. 14", "15..17"),
        ("10..12", "13..15"),
        ("14..17", "12..13"),
        ("13..16", None),
        ("15+", None),
        ("some", None),
    ],
)
def test_rebid_beside(notrump: str, rebid: str | None) -> None:
    assert rebid_beside(notrump) == rebid


def test_only_a_notrump_that_was_moved_alone_moves_the_rebid() -> None:
    assert with_rebid({"notrump": "12..14"}, SAYC) == {"notrump": "12..14", "rebid": "15..17"}
    for values in ({"notrump": "12..14", "rebid": "15..16"}, {"majors": "4"}, {"notrump": "15+"}):
        assert with_rebid(values, SAYC) == values
    assert with_rebid({"notrump": "12..14"}, {"notrump": "15..17"}) == {"notrump": "12..14"}
