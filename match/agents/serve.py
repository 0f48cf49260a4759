"""Serves any agent as an engine: requests and replies are JSON lines, as `engine_agent` sends them.

All lines that have come are answered together, so that an agent which decides many hands at a time
does so here as well.
"""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Sequence
from typing import IO, Any, NotRequired, TypedDict

from bidwright.bridge.cards import Side, parse_seat
from bidwright.bridge.errors import BidwrightError, IllegalError, InvalidError, one_sentence
from bidwright.bridge.hand import parse_hand
from bidwright.bridge.json_values import UncheckedObject
from bidwright.bridge.text_files import lines_of, parse_json
from bidwright.inference.explanation.service import Library, auction_of
from bidwright.match.agents.agent import Agent, Answer, Request
from bidwright.match.agents.disclosure import Disclosure
from bidwright.runtime.time_limits import OutOfTimeError, within

AT_A_TIME = 512
"""Requests that are put to the agent together."""


def serve(
    agent: Agent, library: Library, source: IO[str], sink: IO[str], seconds: float | None = None
) -> None:
    """Answer each line of `source` with a line in `sink`, until it ends.

    Requests that are answered together have so many seconds together, if any are given.

    Raises:
        AgentError: The agent failed; what it had answered before is written.
        InvalidError: `source` cannot be read; the lines before are answered.
    """
    lines: queue.SimpleQueue[str | Exception | None] = queue.SimpleQueue()

    def listen() -> None:
        try:
            for line in lines_of(source):
                if line.strip():
                    lines.put(line)
            lines.put(None)
        except Exception as error:  # it is raised where somebody waits for lines
            lines.put(error)

    # A thread reads, since a line has to be taken while the agent works, or the sender waits.
    threading.Thread(target=listen, daemon=True).start()
    over = False
    while not over:
        batch = [lines.get()]
        # All that came meanwhile is one batch; the first line is waited for.
        while len(batch) < AT_A_TIME and not lines.empty():
            batch.append(lines.get())
        # The end of the input, or its error, is the last entry of a batch.
        asked = [line for line in batch if isinstance(line, str)]
        over = len(asked) < len(batch)
        # Replies to lines before an error are still written.
        for reply in replies(agent, library, asked, seconds):
            sink.write(json.dumps(reply) + "\n")
        sink.flush()
        if isinstance(batch[-1], Exception):
            raise batch[-1]


class ReplyValues(TypedDict):
    """A reply: a call, or the reason why there is none; what the agent does not say is left out."""

    id: object
    call: NotRequired[str]
    by: NotRequired[str]
    rule: NotRequired[str]
    alert: NotRequired[str]
    meaning: NotRequired[UncheckedObject]
    error: NotRequired[str]


def replies(
    agent: Agent, library: Library, lines: Sequence[str], seconds: float | None = None
) -> list[ReplyValues]:
    """Return the reply to each line, in their order.

    Raises:
        AgentError: The agent failed.
    """
    answered: list[ReplyValues] = []
    asked: list[tuple[int, UncheckedObject, Request]] = []
    for line in lines:
        number = None
        try:
            content = _parsed(line)
            if not isinstance(content, dict):
                raise InvalidError(f"expected a JSON object, got {line.strip()[:80]!r}")
            number = content.get("id")
            asked.append((len(answered), content, request_of(content, agent, library)))
        except BidwrightError as error:
            # A bad line gets its error and the others are answered: one client must not end the
            # service.
            answered.append({"id": number, "error": one_sentence(str(error))})
        else:
            answered.append({"id": number})
    left = dict.fromkeys(place for place, _, _ in asked)
    try:
        with within(seconds):
            answers = agent.calls([request for _, _, request in asked]) if asked else []
            for (place, content, request), answer in zip(asked, answers, strict=True):
                _fill(answered[place], answer, request, bool(content.get("meaning")))
                del left[place]
    # Time is for the batch as a whole; what was answered within it stays.
    except OutOfTimeError as error:
        for place in left:
            answered[place]["error"] = str(error)
    return answered


def _parsed(line: str) -> Any:  # noqa: ANN401 - JSON is anything
    try:
        return parse_json(line)
    except InvalidError as error:
        raise InvalidError(f"expected a line of JSON: {error}") from None


def request_of(content: UncheckedObject, agent: Agent, library: Library) -> Request:
    """Return the request that an object stands for.

    Raises:
        InvalidError: Something is missing or cannot be read.
        IllegalError: The auction is illegal or over, or it is another seat's turn.
    """
    auction = auction_of(content)
    if auction.is_over:
        raise IllegalError(f"expected an auction in progress, got {str(auction)!r}")
    seat = content.get("seat")
    # `seat` may be left out: the auction says whose turn it is.
    if seat is not None and parse_seat(str(seat)) != auction.turn:
        raise IllegalError(f"expected the hand of {auction.turn}, whose turn it is, got {seat!r}")
    hand = content.get("hand")
    if not isinstance(hand, str):
        raise InvalidError(f"expected a hand such as KQ4.AQ8.K9873.K2 as 'hand', got {hand!r}")
    systems = {side: _text(content, side.name.lower()) for side in Side}
    # The agent's own system wins over what a client claims for its side.
    systems[auction.turn.side] = agent.system or systems[auction.turn.side]
    for system in systems.values():
        if system is not None:
            library.system(system)
    return Request(
        auction,
        parse_hand(hand),
        Disclosure(library, *systems.values()),
        board=_number(content, "board", 1),
        seed=_number(content, "seed", 0),
    )


def _text(content: UncheckedObject, name: str) -> str | None:
    value = content.get(name)
    if value is not None and not isinstance(value, str):
        raise InvalidError(f"expected text as {name!r}, got {value!r}")
    return value


def _number(content: UncheckedObject, name: str, default: int) -> int:
    value = content.get(name, default)
    # `True` is an int in Python, but no number in JSON.
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise InvalidError(f"expected a whole number, 0 or more, as {name!r}, got {value!r}")
    return value


def _fill(reply: ReplyValues, answer: Answer, request: Request, with_meaning: bool) -> None:
    """Add an answer to a reply; with what the call means, if that is wanted and known."""
    reply["call"] = str(answer.call)
    if answer.by:
        reply["by"] = answer.by
    if answer.rule is not None:
        reply["rule"] = answer.rule
    if answer.note is not None:
        reply["alert"] = answer.note
    if with_meaning:
        meaning = answer.meaning or _meaning(answer, request)
        if meaning is not None:
            reply["meaning"] = meaning


def _meaning(answer: Answer, request: Request) -> UncheckedObject | None:
    from bidwright.inference.explanation.service import quick_json

    # Agents can be wrong; an illegal call has no meaning.
    if not request.auction.is_legal(answer.call):
        return None
    meanings = request.view.meanings(
        request.auction.with_call(answer.call), len(request.auction.calls)
    )
    return None if meanings is None else quick_json(meanings)
