"""Published figures: each stands in its document, and its command is one that can be run."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import click
import pytest

from bidwright.cli import cli, main
from bidwright.commands.reproduce import published

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", published())
def test_a_published_figure_stands_in_its_document(name: str) -> None:
    figure = published()[name]
    assert figure.printed in (ROOT / figure.document).read_text("utf-8")


@pytest.mark.parametrize("name", published())
def test_the_command_of_a_figure_can_be_parsed(name: str) -> None:
    figure = published()[name]
    if figure.is_script:
        assert (ROOT / figure.command[0]).is_file()
        return
    if figure.is_module:
        assert find_spec(figure.command[1]) is not None
        return
    context = click.Context(cli)
    command = cli.get_command(context, figure.command[0])
    words = list(figure.command[1:])
    while isinstance(command, click.Group):
        command = command.get_command(context, words.pop(0))
    assert command is not None
    command.make_context(figure.command[0], words)


def test_what_would_be_run_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "policy-against-rules", "--dry-run"]) == 0
    printed = capsys.readouterr().out
    assert "\n$ bidwright match policy:sayc rules:sayc --boards 2000 --seed" in printed
    assert main(["reproduce"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(published())


def test_an_unknown_figure_is_answered_by_those_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["reproduce", "everything"]) == 2
    assert "no published figure is called 'everything'; one of policy-against-rules" in (
        capsys.readouterr().err
    )


def test_a_command_is_run(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from bidwright.commands import reproduce

    figure = reproduce.Figure("f", "one hand", "1NT", "README.md", ("bid", "x"), 0.1, "chosen")
    monkeypatch.setattr(reproduce, "published", lambda: {"f": figure})
    assert main(["reproduce", "f"]) == 2
    printed = capfd.readouterr()
    assert "$ bidwright bid x" in printed.out
    assert printed.err.startswith("bidwright: ")
