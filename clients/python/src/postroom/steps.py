"""A change as a step: with the key that is kept under its name."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta, timezone
from typing import Any

from .call import Reader, Times, call
from .effects import Keep, Renew, Request, Steps
from .keys import KeptKey
from .problems import PostroomError
from .types import Answer, ChangeOptions

DAY = timedelta(days=1)
# The service keeps a key for 30 days after its last use. A day is left for clocks that differ.
KEPT = 29 * DAY


def new_key() -> str:
    return str(uuid.uuid4())


def key_of(step: str) -> Steps[KeptKey]:
    """The key of a step.

    Raises PostroomError step_too_old, before anything is sent: the service may have forgotten that it has carried the step out.
    """
    if not step:
        raise PostroomError("invalid_options", "A step needs a name.")
    kept: KeptKey = yield Keep(step, KeptKey(new_key(), datetime.now(timezone.utc)))
    if datetime.now(timezone.utc) - kept.used_at < KEPT:
        return kept
    raise PostroomError(
        "step_too_old",
        f'The step "{step}" was last called on {kept.used_at.isoformat()}, and the service keeps keys for 30 days. Look whether it'
        " was carried out; to have it carried out now, forget the step.",
        key=kept.key,
    )


def change(times: Times, request: Request, how: ChangeOptions, read: Reader) -> Steps[Answer[Any]]:
    """A change has a key in any case: that of its step, the caller's, or a new one."""
    step, key = how.get("step"), how.get("key")
    if step is None:
        return (yield from call(times, request, how, key if key is not None else new_key(), read))
    if key is not None:
        raise PostroomError("invalid_options", "A call has a step or a key, not both.")
    kept = yield from key_of(step)
    sent_at = datetime.now(timezone.utc)
    answer = yield from call(times, request, how, kept.key, read)
    # After an answer the service keeps the key for another 30 days. Written down once a day, so that few calls write.
    if sent_at - kept.used_at >= DAY:
        try:
            yield Renew(step, KeptKey(kept.key, sent_at))
        except Exception:  # A renewal that fails costs no more than that the step is too old earlier.
            pass
    return answer
