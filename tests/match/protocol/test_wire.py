"""Ends that are silent, slow, deaf, or too many."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable

import pytest
from helpers import run  # type: ignore[import-not-found]  # beside this

from bidwright.match.protocol import lobby, wire
from bidwright.match.protocol.lobby import Lobby, Settings
from bidwright.match.protocol.wire import Gone, Late, Wire

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def _with_ends(talk: Callable[[Wire, Streams], Awaitable[None]]) -> None:
    """Run a conversation between a wire and the bare streams of its other end."""

    async def conversation() -> None:
        seated: asyncio.Future[Wire] = asyncio.get_running_loop().create_future()

        async def visit(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            seated.set_result(Wire(reader, writer, "North"))

        server = await asyncio.start_server(visit, "127.0.0.1", 0)
        streams = await asyncio.open_connection(*server.sockets[0].getsockname())
        one = await seated
        try:
            await talk(one, streams)
        finally:
            streams[1].close()
            await one.close()
            server.close()

    run(conversation())


def test_empty_lines_put_off_no_deadline() -> None:
    async def talk(one: Wire, streams: Streams) -> None:
        async def chatter() -> None:
            while True:
                streams[1].write(b"\r\n")
                await asyncio.sleep(0.01)

        task = asyncio.create_task(chatter())
        with pytest.raises(Late, match=r"within 0\.2 seconds, got none"):
            await one.receive_text(0.2)
        task.cancel()

    _with_ends(talk)


def test_an_end_that_reads_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "_PATIENCE", 0.2)

    async def talk(one: Wire, streams: Streams) -> None:
        streams[1].transport.pause_reading()  # type: ignore[attr-defined]  # of a socket
        with pytest.raises(Gone, match="North took no line for"):
            await one.send("x" * 100_000_000)

    _with_ends(talk)


def test_the_system_looks_after_silent_connections() -> None:
    async def talk(one: Wire, streams: Streams) -> None:
        connection = one._writer.get_extra_info("socket")
        assert connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1

    _with_ends(talk)


def test_a_crowd_that_takes_no_seat_is_turned_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "_MOST_VISITS", 3)

    async def conversation() -> None:
        hall = Lobby(Settings(port=0))
        port = await hall.open()
        crowd = [await asyncio.open_connection("127.0.0.1", port) for _ in range(5)]
        ended = [asyncio.create_task(reader.read()) for reader, _ in crowd]
        done, waiting = await asyncio.wait(ended, timeout=0.5)
        assert (len(done), len(waiting)) == (2, 3)
        for _, writer in crowd:
            writer.close()
        await asyncio.gather(*ended)
        await hall.close()

    run(conversation())
