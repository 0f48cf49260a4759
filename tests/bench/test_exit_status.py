"""How measurements end."""

import pytest

from bidwright.bench.exit_status import exit_status
from bidwright.bridge.errors import InvalidError


def test_a_measurement_that_ends_has_status_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_status(lambda: print("done"), "all is kept") == 0
    assert capsys.readouterr().out == "done\n"


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (InvalidError("expected a board"), 2, "expected a board\n"),
        (KeyboardInterrupt(), 130, "stopped; all is kept\n"),
    ],
)
def test_what_stops_a_measurement_is_told(
    error: BaseException, status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def measure() -> None:
        raise error

    assert exit_status(measure, "all is kept") == status
    assert capsys.readouterr() == ("", said)
