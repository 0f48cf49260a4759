"""Long-lived processes are asked, each request once, and their memory is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from bidwright.bench.long_lived import Requests, main, measured
from bidwright.tests.bench.four_hands.small import SYSTEM


def test_no_auction_is_asked_twice() -> None:
    requests = Requests(2)
    auctions = [requests.auction() for _ in range(500)]
    assert len(set(auctions)) == 500
    assert {len(auction.calls) for auction in auctions} == {1, 2}


@pytest.mark.system
@pytest.mark.parametrize("name", ["engine", "explain", "rest", "lsp"])
def test_a_service_is_started_asked_and_ended(name: str, tmp_path: Path) -> None:
    for module in {"rest": ("fastapi", "uvicorn"), "lsp": ("pygls",)}.get(name, ()):
        pytest.importorskip(module)
    system = tmp_path / "small.bid"
    system.write_text(SYSTEM)
    asked = str(system) if name != "lsp" else "sayc"
    rows = list(measured(name, 4, 1, asked))
    assert [row["requests"] for row in rows] == [1, 2, 3, 4]
    assert all(row["megabytes"] > 20 for row in rows)
    assert rows[-1]["seconds"] >= rows[0]["seconds"] > 0


def test_bad_usage_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["engine", "--requests", "0"])
    assert ended.value.code == 2
    assert "expected at least one request" in capsys.readouterr().err
