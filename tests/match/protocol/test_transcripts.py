"""Our client understands managers of every dialect; transcripts of each are in `transcripts/`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from helpers import Scripted, run  # type: ignore[import-not-found]  # beside this file

from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Card
from bidwright.match.agents.agent import Answer, Request
from bidwright.match.protocol import seat as client
from bidwright.match.protocol.line_parser import LineError, habit, parse_line
from bidwright.match.protocol.lines import Called, Connecting, DummyReceived, Message, Played, Ready
from bidwright.match.protocol.seat import Manner, Player
from bidwright.match.protocol.wire import Gone

TRANSCRIPTS = sorted(Path(__file__).with_name("transcripts").glob("*.txt"))


def _lines(path: Path) -> list[tuple[str, str]]:
    """Return the speaker and the words, `C` the client and `M` the manager."""
    text = path.read_text(encoding="ascii")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(line[0], line[3:]) for line in lines]


def _message(text: str) -> Message | str:
    """Return the words of a line; the answer to a question may be any text."""
    try:
        return parse_line(text)
    except LineError:
        return text


def _plain(message: Message | str) -> Message | str:
    """Return a message without the client's choices: an own system's name, dummy's name."""
    if isinstance(message, Connecting):
        return Connecting(message.team, message.seat, message.version)
    if isinstance(message, Ready) and message.what == "card":
        return Ready(message.seat, "card", None, message.trick)
    return message


def test_there_is_a_transcript_for_each_dialect() -> None:
    names = {path.stem for path in TRANSCRIPTS}
    assert len(names) >= 7


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_lines_of_a_dialect_are_read(path: Path) -> None:
    for who, text in _lines(path):
        message = _message(text)
        if isinstance(message, str):
            assert who == "C"
            assert text == "no explanation"
        elif path.stem == "bluechip_v18":
            assert habit(text, message) is None


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_client_follows_a_manager(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = _lines(path)
    said = [_message(text) for who, text in lines if who == "C"]
    calls = iter([each.call for each in said if isinstance(each, Called)])
    cards = iter([each.card for each in said if isinstance(each, Played)])
    monkeypatch.setattr(client, "guessed_card", _next_card(cards))
    hello = said[0]
    assert isinstance(hello, Connecting)
    heard: list[str] = []
    over = asyncio.Event()

    async def manage(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for who, text in lines:
            if who == "M":
                writer.write(f"{text}\r\n".encode("ascii"))
                await writer.drain()
            elif not isinstance(_message(text), DummyReceived):
                heard.append((await reader.readline()).decode("ascii").strip())
                if _plain(_message(heard[-1])) != _plain(_message(text)):
                    break
        writer.close()
        over.set()

    async def conversation() -> None:
        server = await asyncio.start_server(manage, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        manner = Manner(
            port=port, seat=hello.seat, team=hello.team, version=hello.version, timeout=20
        )
        async with server:
            with suppress(Gone):  # some transcripts end within a board
                await Player(Scripted(_next_call(calls)), None, manner).run()
            await over.wait()

    run(conversation())
    expected = [text for who, text in lines if who == "C"]
    expected = [text for text in expected if not isinstance(_message(text), DummyReceived)]
    assert [_plain(_message(text)) for text in heard] == [
        _plain(_message(text)) for text in expected
    ]


def _next_call(calls: Iterator[Call]) -> Callable[[Request], Answer]:
    return lambda request: Answer(next(calls))


def _next_card(cards: Iterator[Card]) -> Callable[..., Card]:
    return lambda play, known, seed: next(cards)
