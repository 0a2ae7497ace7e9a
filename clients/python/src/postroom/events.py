"""Events, each once and in order. Where a reader stands is a cursor, which it keeps together with what it has done."""

from __future__ import annotations

import codecs
import json
import math
import re
import time
from collections.abc import Iterator, Sequence

from .call import Times, call, pause_of
from .effects import Give, Leave, Pause, Read, Request, Steps
from .methods import query_of
from .types import CallOptions

WAIT_SECONDS = 25
SHORTEST_SECONDS = 1.0
# The service says something every 15 seconds: what is silent for three times as long has been lost on the way.
SILENT_SECONDS = 45.0


def follow(
    times: Times,
    after: str | None,
    from_: str | None,
    kinds: Sequence[str] | None,
    how: CallOptions,
) -> Steps[None]:
    """Follows ``GET /events``. It ends with what calls raise, and goes on from the cursor of the last event."""
    cursor = after
    while True:
        began = time.monotonic()
        place = {"from": from_} if cursor is None else {"cursor": cursor}
        query = query_of({**place, "kinds": kinds or None, "limit": 200, "wait": WAIT_SECONDS}, ["kinds"])
        # Whoever follows wants to go on, however long the service is away.
        forever: CallOptions = {"retry_for_seconds": math.inf, **how}
        answer = yield from call(times, Request("GET", f"/events{query}"), forever)
        for event in answer.body["events"]:
            yield Give(event)
        cursor = answer.body["cursor"]
        # An API process that stops answers at once.
        if not answer.body["events"] and not answer.body["next"]:
            yield Pause(max(0.0, SHORTEST_SECONDS - (time.monotonic() - began)))


def stream(times: Times, after: str | None) -> Steps[None]:
    """Reads the stream of events.

    It comes back by itself, behind the last event that it has given, as often as the stream ends or is lost. It ends with a refusal
    that does not pass by itself.
    """
    cursor = after
    attempt = 0
    while True:
        attempt += 1
        headers = {"accept": "text/event-stream", **({} if cursor is None else {"last-event-id": cursor})}
        request = Request("GET", "/events/stream", headers, is_stream=True)
        # Opening it is a call like others; without an end, because whoever reads a stream wants it back.
        yield from call(times, request, {"retry_for_seconds": math.inf}, read=lambda reply: None)
        messages = Messages()
        while True:
            # While the reader is at work, nothing is read, and that is no silence.
            piece: bytes | None = yield Read(SILENT_SECONDS)
            if piece is None:
                break
            for id, data in messages.of(piece):
                attempt = 0
                cursor = id
                if data is not None:
                    yield Give({**json.loads(data), "cursor": id})
        yield Leave()
        yield Pause(pause_of(None, max(1, attempt)))


class Messages:
    """The messages of a stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). What is cut off is left out."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._text = ""

    def of(self, piece: bytes) -> Iterator[tuple[str, str | None]]:
        self._text += self._decoder.decode(piece)
        *blocks, self._text = re.split(r"\r?\n\r?\n", self._text)
        for block in blocks:
            fields = [re.fullmatch(r"(\w+): ?(.*)", line) for line in re.split(r"\r?\n", block)]
            found = [(field[1], field[2]) for field in fields if field]
            ids = [value for name, value in found if name == "id"]
            data = [value for name, value in found if name == "data"]
            if ids and ids[-1]:
                yield ids[-1], "\n".join(data) if data else None
