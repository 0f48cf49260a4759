"""Sessions on loopback: our manager and our clients, and what goes wrong between them."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from helpers import (  # type: ignore[import-not-found]  # beside this file
    Raw,
    Scripted,
    Session,
    opener,
    passer,
    play_out,
    player,
    run,
    seeded,
)

from bidwright.bridge.calls import Call
from bidwright.bridge.cards import Seat, Vulnerability
from bidwright.bridge.pbn import read_pbn
from bidwright.match.agents.agent import AgentError, Answer, Request
from bidwright.match.agents.specs import default_context, open_agent
from bidwright.match.play.deals import BoardSource
from bidwright.match.protocol.lobby import Fault
from bidwright.match.protocol.managed_table import turned
from bidwright.match.protocol.record import Record
from bidwright.match.protocol.seat import Manner, Player, SeatError
from bidwright.match.protocol.wire import Gone
from bidwright.match.record.match_file import read_match
from bidwright.match.record.match_lines import room_of

HELLO = 'Connecting "{}" as {} using protocol version {}'


def _record(out: Path | None = None, pbn: Path | None = None) -> Record:
    return Record(BoardSource(7), out, pbn)


async def _raw(port: int) -> Any:  # noqa: ANN401 - a Raw
    return Raw(*await asyncio.open_connection("127.0.0.1", port))


def test_both_rooms_with_four_clients(tmp_path: Path) -> None:
    out, pbn = tmp_path / "match.jsonl", tmp_path / "match.pbn"
    session = Session(seeded(2), _record(out, pbn))
    run(play_out(session))
    match = read_match(out)
    assert [line["board"] for line in match.boards] == [1, 2]
    assert match.spec("a") == "table:A"
    for line in match.boards:
        for room, side in (("open", "NS"), ("closed", "EW")):
            declarer = room_of(line, room)["declarer"]
            assert declarer is None or declarer in side
    boards = read_pbn(pbn)
    assert [(board.number, board.tags["Room"]) for board in boards] == [
        (1, "Open"),
        (1, "Closed"),
        (2, "Open"),
        (2, "Closed"),
    ]
    assert boards[0].players[Seat.NORTH] == boards[1].players[Seat.EAST] == "A"
    assert "2 boards" in session.record.summary()


def test_cards_of_the_second_room_are_turned() -> None:
    board = seeded(2)[1]
    other = turned(board)
    assert other.deal.north == board.deal.east
    assert other.dealer is board.dealer.rho
    assert (board.vulnerability, other.vulnerability) == (Vulnerability.NS, Vulnerability.EW)


def test_both_rooms_with_eight_clients(tmp_path: Path) -> None:
    session = Session(seeded(2), _record(tmp_path / "m.jsonl"), rooms="two")
    run(play_out(session, rooms=2))
    four = Session(seeded(2), _record(tmp_path / "n.jsonl"))
    run(play_out(four))
    assert session.record.lines == four.record.lines


@pytest.mark.parametrize("dialect", ["plain", "wbridge5"])
def test_cards_are_played_when_wanted(dialect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from bidwright.match.protocol import seat as client

    def first(play: Any, known: Any, seed: int) -> int:  # noqa: ANN401 - the player's arguments
        return int(play.legal(known[play.turn])[0])

    monkeypatch.setattr(client, "guessed_card", first)
    session = Session(seeded(1), _record(), rooms="one", play=True)
    run(play_out(session, dialect=dialect))
    room = session.record.lines[0]["open"]
    assert len(room["play"]) == 52
    assert 0 <= room["taken"] <= 13
    assert session.record.lines[0]["imps"] == {}
    relayed = [line for line in session.lines if re.match(r"> \w+: \w+ plays ", line)]
    assert len(relayed) == 3 * 52
    assert sum("Dummy's cards" in line for line in session.lines) == 3
    assert sum("> North: Timing" in line for line in session.lines) == 1


def test_manager_plays_for_clients_that_only_bid() -> None:
    session = Session(seeded(1), _record(), rooms="one", play=True, play_for=frozenset(Seat))
    run(play_out(session, play=False))
    room = session.record.lines[0]["open"]
    assert room["taken"] == room["tricks"]["dd"]


def test_explanations_reach_opponents_only() -> None:
    session = Session(seeded(1), _record(), rooms="one")
    run(play_out(session))
    sent = [line for line in session.lines if line.startswith(">") and "bids 1C" in line]
    bidder = next(line for line in session.lines if line.startswith("<") and "bids 1C" in line)
    seat = Seat[bidder.split()[1].rstrip(":").upper()]
    told = {line.split()[1].rstrip(":"): "Alert. eight or more; HCP=8-37" in line for line in sent}
    assert told == {
        seat.lho.name.capitalize(): True,
        seat.partner.name.capitalize(): False,
        seat.rho.name.capitalize(): True,
    }


def test_explanations_can_be_switched_off() -> None:
    session = Session(seeded(1), _record(), rooms="one", alerts=False)
    run(play_out(session))
    assert not any("Alert" in line for line in session.lines if line.startswith(">"))


def test_client_is_told_what_opponents_say() -> None:
    told: list[Any] = []

    def listener(request: Request) -> Answer:
        told.extend(each for each in request.heard if each)
        return Answer(Call.PASS)

    async def conversation() -> None:
        task, port = await Session(seeded(1), _record(), rooms="one").start()
        agents = [opener, listener, opener, listener]
        clients = [
            player(port, seat, "AB"[seat.side], Scripted(agent))
            for seat, agent in zip(Seat, agents, strict=True)
        ]
        await asyncio.gather(task, *(client.run() for client in clients))

    run(conversation())
    assert {(each["call"], tuple(each["hcp"])) for each in told} == {("1C", (8, 37))}


def test_clients_may_take_any_seat() -> None:
    async def conversation() -> Session:
        session = Session(seeded(1), _record(), rooms="one")
        task, port = await session.start()
        clients = [player(port, None, "A", Scripted(passer)) for _ in Seat]
        await asyncio.gather(task, *(client.run() for client in clients))
        return session

    assert run(conversation()).record.lines[0]["open"]["contract"] is None


def test_lost_client_is_replaced_and_the_board_begun_again() -> None:
    async def conversation() -> Session:
        session = Session(seeded(1), _record(), rooms="one")
        task, port = await session.start()
        stay = [player(port, seat, "AB"[seat.side], Scripted(opener)) for seat in Seat if seat]
        others = [asyncio.create_task(client.run()) for client in stay]
        lost = await _raw(port)
        await lost.ask(HELLO.format("A", "North", 18))
        await lost.ask("North ready for teams")
        assert await lost.ask("North ready to start") == "Start of board"
        await lost.ask("North ready for deal")
        await lost.ask("North ready for cards")
        lost.writer.close()
        await player(port, Seat.NORTH, "A", Scripted(opener)).run()
        await asyncio.gather(task, *others)
        return session

    session = run(conversation())
    assert len(session.record.lines) == 1
    assert any("its seat is kept free" in text for text in session.said)
    starts = [line for line in session.lines if line == "> East: Start of board"]
    assert len(starts) == 2


def test_session_goes_on_where_it_was_cut_short(tmp_path: Path) -> None:
    whole, part = tmp_path / "whole.jsonl", tmp_path / "part.jsonl"
    run(play_out(Session(seeded(3), _record(whole, tmp_path / "whole.pbn"))))
    run(play_out(Session(seeded(1), _record(part))))
    with part.open("a") as file:
        file.write('{"board":2,"dea')  # the manager was killed while it wrote
    again = Session(seeded(3), _record(part, tmp_path / "part.pbn"))
    run(play_out(again))
    assert part.read_bytes() == whole.read_bytes()
    assert (tmp_path / "part.pbn").read_text() == (tmp_path / "whole.pbn").read_text()
    assert sum("Board number 1." in line for line in again.lines) == 0


# ------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (HELLO.format("A", "North", 18), 'expected a free seat, North is taken by "A"'),
        (HELLO.format("C", "South", 18), 'expected team "A" as South, got "C"'),
        (HELLO.format("A", "South", 17), "expected protocol version 18 or 19, got 17"),
        (
            "North ready for teams",
            "expected a line such as 'Connecting \"TEAM\" as SEAT using protocol version 18', "
            "got 'North ready for teams'",
        ),
        (
            "GET / HTTP/1.1",
            "expected a line of the table-manager protocol, got 'GET / HTTP/1.1' from 127.0.0.1",
        ),
        ("caf\u00e9", "expected characters 32 to 127, got 'caf\u00e9' from 127.0.0.1"),
        ("x" * 5000, "expected a line of at most 4096 characters from 127.0.0.1"),
    ],
)
def test_client_that_cannot_be_seated_is_told_why(line: str, answer: str) -> None:
    async def conversation() -> str:
        session = Session(seeded(1), _record(), rooms="one")
        task, port = await session.start()
        first = await _raw(port)
        await first.ask(HELLO.format("A", "North", 18))
        said = str(await (await _raw(port)).ask(line))
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return said

    said = run(conversation())
    assert said.startswith(answer.encode("ascii", "replace").decode())


async def _against(*lines: str, **settings: Any) -> tuple[str, Session]:  # noqa: ANN401
    """Have the dealer, North, send lines instead of a call; return the answer."""
    session = Session(seeded(1), _record(), rooms="one", **settings)
    task, port = await session.start()
    others = [
        asyncio.create_task(player(port, seat, "AB"[seat.side], Scripted(opener)).run())
        for seat in Seat
        if seat
    ]
    north = await _raw(port)
    await north.ask(HELLO.format("A", "North", 18))
    await north.ask("North ready for teams")
    await north.ask("North ready to start")
    await north.ask("North ready for deal")
    await north.ask("North ready for cards")
    answer = await north.ask(*lines)
    try:
        await task
    finally:
        north.writer.close()
        await asyncio.gather(*others, return_exceptions=True)
    return answer, session


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("North redoubles", "illegal call XX after ''"),
        ("East passes", "expected a call of North, got 'East passes'"),
        ("North plays 2C", "expected a call of North, got 'North plays 2C'"),
    ],
)
def test_illegal_call_is_answered_and_stops_the_session(line: str, answer: str) -> None:
    with pytest.raises(Fault) as error:
        run(_against(line, line, line))
    assert str(error.value) == f"{answer} from North on board 1"


def test_broken_line_stops_the_session_with_the_line() -> None:
    with pytest.raises(Fault) as error:
        run(_against("North bids 8C"))
    assert (
        str(error.value) == "expected a bid (1C to 7NT), got 'North bids 8C' from North on board 1"
    )


def test_silent_client_stops_the_session() -> None:
    with pytest.raises(Fault) as error:
        run(_against("North ready for North's bid", timeout=0.3))
    assert str(error.value) == "expected a line from North within 0.3 seconds, got none on board 1"


def test_board_with_a_fault_can_be_skipped() -> None:
    answer, session = run(_against("North bids 8C", on_fault="skip"))
    assert answer == "End of session"
    assert session.manager.skipped == [1]
    assert session.record.lines == []


def test_port_in_use_is_said() -> None:
    async def conversation() -> None:
        server = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        session = Session(seeded(1), _record())
        session.manager._lobby.settings = type(session.manager._lobby.settings)(port=port)
        async with server:
            await session.start()

    with pytest.raises(Fault, match=r"cannot listen at 127\.0\.0\.1:\d+: "):
        run(conversation())


# -------------------------------------------------------------------- clients


def test_client_says_that_there_is_no_manager() -> None:
    async def conversation() -> None:
        server = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        server.close()
        await server.wait_closed()
        await player(port, Seat.NORTH, "A", Scripted(passer), wait=0).run()

    with pytest.raises(
        SeatError, match=r"expected a table manager at 127\.0\.0\.1:\d+, found none"
    ):
        run(conversation())


async def _managed(*lines: str, agent: Scripted | None = None) -> None:
    """Seat a client North, send it lines, and hang up."""
    over = asyncio.Event()

    async def manage(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        for line in lines:
            writer.write(f"{line}\r\n".encode("ascii"))
        writer.write_eof()
        with suppress(OSError):
            await reader.read()
        writer.close()
        over.set()

    server = await asyncio.start_server(manage, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        try:
            await player(port, Seat.NORTH, "A", agent or Scripted(passer)).run()
        finally:
            await over.wait()


SEATED = ('North ("A") seated', 'Teams : N/S : "A". E/W : "B"', "Start of board")
BOARD = (*SEATED, "Board number 1. Dealer East. Neither vulnerable.")
WEST = "Board number 1. Dealer West. Neither vulnerable."
CARDS = (*BOARD, "North's cards : S A K 3. H Q T 9 2. D -. C J 8 7 6 5 4.")


@pytest.mark.parametrize(
    ("lines", "error", "message"),
    [
        (("seat taken",), SeatError, "the table manager refused: seat taken"),
        ((SEATED[0], "Start of board"), SeatError, "expected the teams from the table manager"),
        ((*SEATED, CARDS[-1]), SeatError, "expected the board before 'North's cards"),
        ((*CARDS, "South passes"), SeatError, "expected no such call from the table manager now"),
        ((*BOARD, "East passes"), SeatError, "expected no such call from the table manager now"),
        ((*CARDS, "East plays 2C"), SeatError, "expected no such card from the table manager now"),
        ((*CARDS, "East passes"), Gone, "the table manager closed the connection"),
    ],
)
def test_client_says_what_the_manager_did_wrong(
    lines: tuple[str, ...], error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as found:
        run(_managed(*lines))
    assert str(found.value).startswith(message)


def test_client_passes_over_lines_it_does_not_know() -> None:
    run(_managed(*SEATED[:2], "Please be patient", "Error: who knows", "End of session"))


def test_illegal_call_of_an_agent_is_not_sent() -> None:
    agent = Scripted(lambda request: Answer(Call.DOUBLE))
    with pytest.raises(AgentError, match="scripted made the illegal call X after 'P' on board 1"):
        run(_managed(*SEATED, WEST, CARDS[-1], "West passes", agent=agent))


# ----------------------------------------------------------------- version 19

HAND = "North's cards : S A K 3. H Q T 9 2. D -. C J 8 7 6 5 4."
QUESTIONS = [
    ("Explain South's bids 1NT", "no explanation", ()),
    (
        "Explain South's bids 1NT",
        "Strong: 15 to 17 HCP and a balanced hand; C=2-5,",
        ("East passes",),
    ),
    (
        "Explain South's bids 1S",
        "Natural: 11 to 17 HCP and five or more spades; C=0-8,",
        ("East passes",),
    ),
    (
        "Explain South's bids 1NT",
        "Strong: 15 to 17 HCP and a balanced hand; ",
        ("East passes", "South bids 1NT"),
    ),
    ("Explain South's bids 1S", "no explanation", ("East passes", "South bids 1NT")),
    ("Explain East's passes", "no explanation", ("East passes",)),
]


@pytest.mark.parametrize(("question", "answer", "calls"), QUESTIONS)
def test_client_says_what_a_call_means(
    tiny: Path, question: str, answer: str, calls: tuple[str, ...]
) -> None:
    async def conversation() -> str:
        told: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        async def manage(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            for line in (*BOARD, HAND, *calls, question):
                writer.write(f"{line}\r\n".encode("ascii"))
            heard = [(await reader.readline()).decode().strip() for _ in range(6 + len(calls))]
            told.set_result((await reader.readline()).decode().strip() or heard[-1])
            writer.close()

        server = await asyncio.start_server(manage, "127.0.0.1", 0)
        context = default_context()
        agent = open_agent(f"rules:{tiny}", context)
        manner = Manner(port=server.sockets[0].getsockname()[1], seat=Seat.NORTH, version=19)
        async with server:
            with suppress(Gone):
                await Player(agent, context.library, manner).run()
            return await told

    assert run(conversation()).startswith(answer)


def test_manager_asks_what_calls_mean_that_come_without_a_word() -> None:
    async def conversation() -> Session:
        session = Session(seeded(1), _record(), rooms="one", explain=True)
        task, port = await session.start()
        agents = [Scripted(lambda request: Answer(Call.PASS)) for _ in Seat]
        clients = [
            player(port, seat, "AB"[seat.side], agent, version=19 if seat.side == 0 else 18)
            for seat, agent in zip(Seat, agents, strict=True)
        ]
        for client in clients[::2]:
            client._explained = lambda asked: f"nothing in {asked.seat}"
        await asyncio.gather(task, *(client.run() for client in clients))
        return session

    session = run(conversation())
    assert session.record.lines[0]["open"]["notes"] == {"0": "nothing in N", "2": "nothing in S"}
    assert "> East: North passes Infos. nothing in N" in session.lines
    assert "> South: Explain North's passes" in session.lines
    assert "> South: North passes" in session.lines
    assert not any("Explain East" in line for line in session.lines)
