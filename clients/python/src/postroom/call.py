"""One call: its attempts until there is a clear answer, all with the same key."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any

from .effects import Lost, Pause, Reply, Request, Send, Steps
from .problems import PostroomError, Problem, Refusal
from .types import Answer, CallOptions

FIRST_PAUSE_SECONDS = 0.25
LONGEST_PAUSE_SECONDS = 10.0

# What may pass by itself. The service says so of its own refusals; what stands between may answer with the same numbers.
PASSING = {408, 429, 500, 502, 503, 504}

Reader = Callable[[Reply], Any]


@dataclass(frozen=True)
class Times:
    """How long calls may take that do not say so themselves."""

    timeout_seconds: float
    retry_for_seconds: float


def as_json(reply: Reply) -> Any:
    return json.loads(reply.body)


def call(times: Times, request: Request, how: CallOptions, key: str | None = None, read: Reader = as_json) -> Steps[Answer[Any]]:
    """Repeats the call, with the same key, while its answer is lost, or while the service says that it will be able to answer later.

    A change without a key is never repeated. Raises Refusal, and PostroomError no_answer or redirected.
    """
    if key is not None and not re.fullmatch(r"[\x21-\x7e]{1,255}", key):
        raise PostroomError("invalid_options", "A key has 1 to 255 visible ASCII characters.")
    headers = {**request.headers, **({} if key is None else {"idempotency-key": key})}
    timeout = how.get("timeout_seconds", times.timeout_seconds)
    request = replace(request, headers=headers, timeout_seconds=timeout)
    until = time.monotonic() + how.get("retry_for_seconds", times.retry_for_seconds)
    may_repeat = request.method == "GET" or key is not None
    attempt = 0
    while True:
        attempt += 1
        reply: Reply | Lost = yield Send(request)
        outcome = _outcome_of(request, reply, key, read)
        if isinstance(outcome, Answer):
            return outcome
        pause = pause_of(outcome.retry_after, attempt)
        if not outcome.may_pass or not may_repeat or time.monotonic() + pause > until:
            raise outcome.error from outcome.cause
        yield Pause(pause)


@dataclass(frozen=True)
class _Failure:
    error: PostroomError
    may_pass: bool
    retry_after: float | None = None
    cause: BaseException | None = None


def _outcome_of(request: Request, reply: Reply | Lost, key: str | None, read: Reader) -> Answer[Any] | _Failure:
    def no_answer(why: str, cause: BaseException | None = None, after: float | None = None) -> _Failure:
        error = PostroomError("no_answer", f"{request.method} {request.path}: {why}", key=key)
        return _Failure(error, may_pass=True, retry_after=after, cause=cause)

    if isinstance(reply, Lost):
        return no_answer(reply.why, reply.cause)
    if 300 <= reply.status < 400:
        why = f"{request.method} {request.path}: a redirect, which is not followed"
        return _Failure(PostroomError("redirected", why, key=key), may_pass=False)
    if not 200 <= reply.status < 300:
        problem = _problem_in(reply.body)
        after = retry_after(reply.headers.get("retry-after"))
        if problem is None:
            failure = no_answer(f"{reply.status} that is not of the service", after=after)
            return replace(failure, may_pass=reply.status in PASSING)
        may_pass = reply.status in PASSING or problem["code"] == "idempotency_in_progress"
        return _Failure(Refusal(problem, key=key), may_pass, after)
    try:
        body = read(reply)
    except ValueError as cause:
        return no_answer("an answer that cannot be read", cause)
    return Answer(
        body=body,
        status=reply.status,
        request_id=reply.headers.get("x-request-id"),
        etag=reply.headers.get("etag"),
        replayed=reply.headers.get("idempotent-replayed") == "true",
        key=key,
    )


def _problem_in(body: bytes) -> Problem | None:
    try:
        problem = json.loads(body)
    except ValueError:
        return None
    if not isinstance(problem, Mapping):
        return None
    texts = all(isinstance(problem.get(name), str) for name in ("code", "detail"))
    given: Any = {"requestId": "", "status": 0, **problem}
    return given if texts else None


def retry_after(header: str | None) -> float | None:
    """Seconds, or a date (RFC 9110, 10.2.3)."""
    if not header:
        return None
    if re.fullmatch(r"[0-9]{1,9}", header.strip()):
        return float(header)
    try:
        at = parsedate_to_datetime(header)
    except ValueError:
        return None
    if at.tzinfo is None:
        at = at.replace(tzinfo=timezone.utc)
    return max(0.0, (at - datetime.now(timezone.utc)).total_seconds())


def pause_of(given: float | None, attempt: int) -> float:
    """Never earlier than the service says, and spread, so that those who were refused together do not come back together."""
    spread = random.random()
    if given is not None:
        return given + spread * max(FIRST_PAUSE_SECONDS, given / 4)
    longest = min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2.0 ** min(attempt - 1, 30))
    return (0.5 + spread / 2) * longest
