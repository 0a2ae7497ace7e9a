"""The client that waits for its answers: what the rules ask, done by httpx and the clock of this thread."""

from __future__ import annotations

import copy
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, TypeVar

import httpx

from . import effects
from .call import Times
from .events import follow, stream
from .generated.events import KeptEvent
from .generated.operations import Operations
from .generated.schemas import Operation
from .keys import KeyStore, MemoryKeys
from .methods import Described, entries, run
from .pages import Pages
from .problems import PostroomError
from .service import address_of, base_of, headers_of, settings, without_cookies
from .types import Answer, CallOptions, ChangeOptions
from .wait import wait

if sys.version_info >= (3, 11):
    from typing import ParamSpec, Self, Unpack
else:
    from typing_extensions import ParamSpec, Self, Unpack

T = TypeVar("T")
P = ParamSpec("P")


class Postroom(Operations):
    """Every operation of the API as a method, each change carried out once. May be used by several threads.

    :param url: The address of the API, such as ``https://postroom.firm.example/api/v1``.
    :param token: The token, or what gives it for each attempt. It is sent to the origin of ``url`` alone.
    :param keys: Where the keys of steps are kept; by default in memory, as long as the program runs.
    :param timeout_seconds: How long one attempt of a call may take. The service waits for up to 25 before it answers.
    :param retry_for_seconds: How long a call without a clear answer is repeated in all.
    :param allow_http: Allows ``http:`` to other machines than this one. The token can be read on the way.
    :param transport: Replaces that of httpx.
    """

    def __init__(
        self,
        *,
        url: str,
        token: str | Callable[[], str],
        keys: KeyStore | None = None,
        timeout_seconds: float = 40,
        retry_for_seconds: float = 120,
        allow_http: bool = False,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.keys: KeyStore = MemoryKeys() if keys is None else keys
        """Where the keys of steps are kept."""
        self._base = base_of(url, allow_http)
        self._token = token
        self._times = Times(timeout_seconds, retry_for_seconds)
        self._http = httpx.Client(transport=transport, **settings(self._base))
        without_cookies(self._http.cookies)
        self._is_whole = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        trace: TracebackType | None = None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connections."""
        self._http.close()

    def answer(self, method: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Answer[T]:
        """The whole answer of a call, with its ``etag`` and ``request_id``: ``postroom.answer(postroom.get_person, "ext:42")``."""
        whole = copy.copy(self)
        whole._is_whole = True
        answer = getattr(whole, _name_of(method, self))(*args, **kwargs)
        if isinstance(answer, Answer):
            return answer
        raise PostroomError("invalid_options", "A list has an answer() of its own.")

    def wait(
        self,
        key: str | None = None,
        *,
        step: str | None = None,
        for_seconds: float = 600,
        **how: Unpack[CallOptions],
    ) -> Operation:
        """Waits until the work that a call has started has ended, well or not: ``state`` says which.

        Name the call by its key, or by its step. Raises PostroomError not_ended.
        """
        operation: Operation = self._drive(wait(self._times, key, step, for_seconds, how)).body
        return operation

    def follow_events(
        self,
        *,
        after: str | None = None,
        from_: str | None = None,
        kinds: Sequence[str] | None = None,
        **how: Unpack[CallOptions],
    ) -> Iterator[KeptEvent]:
        """Events as they happen, each once and in order, by calls that wait for them.

        Keep the ``cursor`` of the last one, and begin after it.

        :param after: The cursor of the last event that you have dealt with.
        :param from_: Where to begin without a cursor: ``now``, or a time. By default with the oldest event that is kept.
        :param kinds: Only these kinds, where ``touch.*`` stands for all of a group.
        """
        return self._iterate(follow(self._times, after, from_, kinds, how))

    def stream_events(self, *, after: str | None = None) -> Iterator[KeptEvent]:
        """The same from the stream of the service, which takes one connection. Without ``after`` it begins now."""
        return self._iterate(stream(self._times, after))

    def _run(
        self,
        described: Described[T],
        ids: Sequence[str],
        given: Mapping[str, Any],
        how: CallOptions | ChangeOptions,
    ) -> T:
        answer: Any = self._drive(run(self._times, described, ids, given, how))
        whole: T = answer if self._is_whole else answer.body
        return whole

    def _list(self, described: Described[T], ids: Sequence[str], given: Mapping[str, Any], how: CallOptions) -> Pages[T, Any]:
        return Pages(
            lambda: self._drive(run(self._times, described, ids, given, how)),
            lambda: self._iterate(entries(self._times, described, ids, given, how)),
        )

    def _drive(self, steps: effects.Steps[T]) -> T:
        """Carries out a rule that gives nothing before its end."""
        opened = _Opened()
        sent: Any = None
        error: BaseException | None = None
        while True:
            try:
                effect = steps.send(sent) if error is None else steps.throw(error)
            except StopIteration as end:
                ended: T = end.value
                return ended
            try:
                sent, error = self._carry_out(effect, opened), None
            except BaseException as raised:
                sent, error = None, raised

    def _iterate(self, steps: effects.Steps[None]) -> Iterator[Any]:
        """Carries out a rule that gives items on its way."""
        opened = _Opened()
        sent: Any = None
        try:
            while True:
                try:
                    effect = steps.send(sent)
                except StopIteration:
                    return
                if isinstance(effect, effects.Give):
                    yield effect.item
                    sent = None
                    continue
                try:
                    sent = self._carry_out(effect, opened)
                except Exception as raised:
                    steps.throw(raised)
                    raise
        finally:
            opened.leave()

    def _carry_out(self, effect: effects.Effect, opened: _Opened) -> Any:
        if isinstance(effect, effects.Send):
            return self._send(effect.request, opened)
        if isinstance(effect, effects.Read):
            return opened.read(effect.silent_seconds)
        if isinstance(effect, effects.Leave):
            return opened.leave()
        if isinstance(effect, effects.Pause):
            return time.sleep(effect.seconds)
        if isinstance(effect, effects.Keep):
            return self.keys.keep(effect.step, effect.made)
        if isinstance(effect, effects.Renew):
            return self.keys.renew(effect.step, effect.kept)
        raise AssertionError(effect)

    def _send(self, request: effects.Request, opened: _Opened) -> effects.Reply | effects.Lost:
        token = self._token if isinstance(self._token, str) else self._token()
        limit = _Limit(request.timeout_seconds)
        sent = self._http.build_request(
            request.method,
            address_of(self._base, request.path),
            headers=headers_of(request, token),
            content=request.body,
            extensions={"timeout": limit},
        )
        try:
            response = self._http.send(sent, stream=True)
            if request.is_stream and response.status_code == 200:
                opened.begin(response, limit)
                return effects.Reply(response.status_code, response.headers, b"")
            try:
                pieces = []
                for piece in response.iter_bytes():
                    pieces.append(piece)
                    if limit.left() <= 0:
                        raise httpx.ReadTimeout("the answer takes too long")
            finally:
                response.close()
            return effects.Reply(response.status_code, response.headers, b"".join(pieces))
        except httpx.TimeoutException as cause:
            return effects.Lost("no answer within its time", cause)
        except (httpx.TransportError, httpx.DecodingError, httpx.StreamError) as cause:
            return effects.Lost(f"no answer ({cause or type(cause).__name__})", cause)


def _name_of(method: Callable[..., Any], owner: object) -> str:
    if getattr(method, "__self__", None) is not owner or method.__name__ in ("wait", "answer"):
        raise PostroomError("invalid_options", "It is the answer of an operation of the same client.")
    return method.__name__


class _Limit(dict[str, float]):
    """The time limits of a request, as httpx passes them on: whatever it begins, it has what is left of the time of the attempt."""

    def __init__(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds
        self._silent: float | None = None
        super().__init__(connect=seconds, read=seconds, write=seconds, pool=seconds)

    def left(self) -> float:
        return self._until - time.monotonic()

    def listen(self, seconds: float) -> None:
        """From now on, so long for each piece."""
        self._silent = seconds

    def get(self, name: str, default: Any = None) -> Any:
        return self._silent if self._silent is not None else max(0.001, self.left())


class _Opened:
    """The stream that a rule reads, if it reads one."""

    def __init__(self) -> None:
        self._response: httpx.Response | None = None
        self._limit: _Limit | None = None
        self._pieces: Iterator[bytes] | None = None

    def begin(self, response: httpx.Response, limit: _Limit) -> None:
        self.leave()
        self._response, self._limit = response, limit

    def read(self, silent_seconds: float) -> bytes | None:
        if self._response is None or self._limit is None:
            return None
        if self._pieces is None:
            # httpx asks for its limit when it begins to read.
            self._limit.listen(silent_seconds)
            self._pieces = self._response.iter_bytes()
        try:
            return next(self._pieces, None)
        except (httpx.TransportError, httpx.DecodingError, httpx.StreamError):
            return None

    def leave(self) -> None:
        if self._response is not None:
            self._response.close()
        self._response = self._limit = self._pieces = None
