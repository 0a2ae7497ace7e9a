"""The end of an operation."""

from __future__ import annotations

import math
import time
from typing import Any
from urllib.parse import quote

from .call import Times, call
from .effects import Pause, Request, Steps
from .problems import PostroomError
from .steps import key_of
from .types import Answer, CallOptions

LONGEST_WAIT_SECONDS = 25
# What one answer takes beside the wait itself.
ROOM_SECONDS = 5.0
# An API process that stops answers at once.
SHORTEST_SECONDS = 1.0


def wait(times: Times, key: str | None, step: str | None, for_seconds: float, how: CallOptions) -> Steps[Answer[Any]]:
    """Waits until the operation has ended. Raises not_ended, and not_found where no call has had the key."""
    if (key is None) == (step is None):
        raise PostroomError("invalid_options", "An operation is named by its key or by its step.")
    if step is not None:
        key = (yield from key_of(step)).key
    assert key is not None
    until = time.monotonic() + for_seconds
    timeout = how.get("timeout_seconds", times.timeout_seconds)
    while True:
        began = time.monotonic()
        left = min(until - began, timeout - ROOM_SECONDS)
        seconds = min(LONGEST_WAIT_SECONDS, max(0, math.ceil(left)))
        request = Request("GET", f"/operations/{quote(key, safe='')}?wait={seconds}")
        answer = yield from call(times, request, how)
        operation = answer.body
        if operation["endedAt"] is not None:
            return answer
        if time.monotonic() >= until:
            held = f" for {operation['waitingFor']}" if operation["waitingFor"] else ""
            raise PostroomError("not_ended", f"The operation {operation['id']} is {operation['state']}{held}.", key=key)
        yield Pause(max(0.0, SHORTEST_SECONDS - (time.monotonic() - began)))
