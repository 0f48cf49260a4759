"""The verb `serve`, and the pages of its documentation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bidwright.cli import main
from bidwright.commands.serve import serve

DOC = (Path(__file__).parents[2] / "docs" / "explorer.md").read_text(encoding="utf-8")


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    pytest.importorskip("fastapi")
    from bidwright.explorer import web_app

    calls: list[tuple[object, ...]] = []
    monkeypatch.setattr(web_app, "serve_explorer", lambda *given: calls.append(given))
    return calls


def commands() -> list[str]:
    return re.findall(r"\| `bidwright (serve[^`]*)`", DOC)


def test_there_are_commands_in_the_documentation() -> None:
    assert len(commands()) >= 3


@pytest.mark.parametrize("command", commands())
def test_a_command_of_the_documentation_starts_the_server(
    command: str,
    served: list[tuple[object, ...]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my_system.bid").write_text('system mine "M"\n', encoding="utf-8")
    assert main(command.split()) == 0
    assert len(served) == 1


def test_it_listens_to_this_machine_only(served: list[tuple[object, ...]]) -> None:
    assert main(["serve"]) == 0
    (given,) = served
    assert given[:5] == ("127.0.0.1", 8080, {}, (), None)


LOCAL = {"localhost", "127.0.0.1", "::1"}


@pytest.mark.parametrize(
    ("host", "names", "allowed"),
    [
        ("127.0.0.1", [], LOCAL),
        ("LocalHost", [], LOCAL),
        ("127.0.0.2", [], {*LOCAL, "127.0.0.2"}),
        ("127.0.0.1", ["Bridge.example"], {*LOCAL, "bridge.example"}),
        ("0.0.0.0", ["bridge.example"], {*LOCAL, "0.0.0.0", "bridge.example"}),
        ("0.0.0.0", [], None),
        ("bridge.example", [], None),
    ],
)
def test_only_who_listens_to_others_may_be_called_by_any_name(
    host: str, names: list[str], allowed: set[str] | None
) -> None:
    pytest.importorskip("fastapi")
    from bidwright.explorer.web_app import names_of

    assert names_of(host, names) == allowed


def test_a_file_is_offered_by_its_name(
    served: list[tuple[object, ...]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.bid"
    path.write_text('system mine "M"\n', encoding="utf-8")
    assert main(["serve", str(path)]) == 0
    assert served[0][2] == {"mine": str(path)}
    assert capsys.readouterr().err == ""  # it does not listen yet
    tell = served[0][5]
    assert callable(tell)
    tell()
    assert "http://127.0.0.1:8080/?ns=mine&ew=mine (ctrl-C" in capsys.readouterr().err
    assert main(["serve", str(path), str(path)]) == 2
    assert "expected files with different names" in capsys.readouterr().err


def test_help_says_which_extra_it_needs() -> None:
    assert 'pip install ".[serve]" in a checkout' in " ".join((serve.help or "").split())
