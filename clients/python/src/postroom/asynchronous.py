"""The client for asyncio: what the rules ask, done by httpx and the event loop."""

from __future__ import annotations

import asyncio
import copy
import inspect
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, TypeVar

import httpx

from . import effects
from .call import Times
from .events import follow, stream
from .generated.events import KeptEvent
from .generated.operations import AsyncOperations
from .generated.schemas import Operation
from .keys import AsyncKeyStore, KeyStore, MemoryKeys
from .methods import Described, entries, run
from .pages import AsyncPages
from .problems import PostroomError
from .service import address_of, base_of, headers_of, settings, without_cookies
from .sync import _name_of
from .types import Answer, CallOptions, ChangeOptions
from .wait import wait

if sys.version_info >= (3, 11):
    from typing import ParamSpec, Self, Unpack
else:
    from typing_extensions import ParamSpec, Self, Unpack

T = TypeVar("T")
P = ParamSpec("P")


class AsyncPostroom(AsyncOperations):
    """Postroom for asyncio: the same methods, which are awaited. A call ends with its task, whatever it is waiting for.

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
        token: str | Callable[[], str | Awaitable[str]],
        keys: KeyStore | AsyncKeyStore | None = None,
        timeout_seconds: float = 40,
        retry_for_seconds: float = 120,
        allow_http: bool = False,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.keys: KeyStore | AsyncKeyStore = MemoryKeys() if keys is None else keys
        """Where the keys of steps are kept."""
        self._base = base_of(url, allow_http)
        self._token = token
        self._times = Times(timeout_seconds, retry_for_seconds)
        self._http = httpx.AsyncClient(transport=transport, **settings(self._base))
        without_cookies(self._http.cookies)
        self._is_whole = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        trace: TracebackType | None = None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends the connections."""
        await self._http.aclose()

    async def answer(self, method: Callable[P, Awaitable[T]], *args: P.args, **kwargs: P.kwargs) -> Answer[T]:
        """The whole answer of a call, with its ``etag`` and ``request_id``: ``await postroom.answer(postroom.get_person, "ext:42")``."""
        whole = copy.copy(self)
        whole._is_whole = True
        made = getattr(whole, _name_of(method, self))(*args, **kwargs)
        answer = await made if inspect.iscoroutine(made) else made
        if isinstance(answer, Answer):
            return answer
        raise PostroomError("invalid_options", "A list has an answer() of its own.")

    async def wait(
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
        answer = await self._drive(wait(self._times, key, step, for_seconds, how))
        operation: Operation = answer.body
        return operation

    def follow_events(
        self,
        *,
        after: str | None = None,
        from_: str | None = None,
        kinds: Sequence[str] | None = None,
        **how: Unpack[CallOptions],
    ) -> AsyncIterator[KeptEvent]:
        """Events as they happen, each once and in order, by calls that wait for them.

        Keep the ``cursor`` of the last one, and begin after it.

        :param after: The cursor of the last event that you have dealt with.
        :param from_: Where to begin without a cursor: ``now``, or a time. By default with the oldest event that is kept.
        :param kinds: Only these kinds, where ``touch.*`` stands for all of a group.
        """
        return self._iterate(follow(self._times, after, from_, kinds, how))

    def stream_events(self, *, after: str | None = None) -> AsyncIterator[KeptEvent]:
        """The same from the stream of the service, which takes one connection. Without ``after`` it begins now."""
        return self._iterate(stream(self._times, after))

    async def _run(
        self,
        described: Described[T],
        ids: Sequence[str],
        given: Mapping[str, Any],
        how: CallOptions | ChangeOptions,
    ) -> T:
        answer: Any = await self._drive(run(self._times, described, ids, given, how))
        whole: T = answer if self._is_whole else answer.body
        return whole

    def _list(self, described: Described[T], ids: Sequence[str], given: Mapping[str, Any], how: CallOptions) -> AsyncPages[T, Any]:
        return AsyncPages(
            lambda: self._drive(run(self._times, described, ids, given, how)),
            lambda: self._iterate(entries(self._times, described, ids, given, how)),
        )

    async def _drive(self, steps: effects.Steps[T]) -> T:
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
                sent, error = await self._carry_out(effect, opened), None
            except BaseException as raised:
                sent, error = None, raised

    async def _iterate(self, steps: effects.Steps[None]) -> AsyncIterator[Any]:
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
                    sent = await self._carry_out(effect, opened)
                except Exception as raised:
                    steps.throw(raised)
                    raise
        finally:
            await opened.leave()

    async def _carry_out(self, effect: effects.Effect, opened: _Opened) -> Any:
        if isinstance(effect, effects.Send):
            return await self._send(effect.request, opened)
        if isinstance(effect, effects.Read):
            return await opened.read(effect.silent_seconds)
        if isinstance(effect, effects.Leave):
            return await opened.leave()
        if isinstance(effect, effects.Pause):
            return await asyncio.sleep(effect.seconds)
        if isinstance(effect, effects.Keep):
            return await _stored(self.keys.keep, effect.step, effect.made)
        if isinstance(effect, effects.Renew):
            return await _stored(self.keys.renew, effect.step, effect.kept)
        raise AssertionError(effect)

    async def _send(self, request: effects.Request, opened: _Opened) -> effects.Reply | effects.Lost:
        token = self._token if isinstance(self._token, str) else self._token()
        if inspect.isawaitable(token):
            token = await token
        sent = self._http.build_request(
            request.method,
            address_of(self._base, request.path),
            headers=headers_of(request, token),
            content=request.body,
        )
        try:
            return await asyncio.wait_for(self._exchange(request, sent, opened), request.timeout_seconds)
        except (asyncio.TimeoutError, httpx.TimeoutException) as cause:
            return effects.Lost("no answer within its time", cause)
        except (httpx.TransportError, httpx.DecodingError, httpx.StreamError) as cause:
            return effects.Lost(f"no answer ({cause or type(cause).__name__})", cause)

    async def _exchange(self, request: effects.Request, sent: httpx.Request, opened: _Opened) -> effects.Reply:
        response = await self._http.send(sent, stream=True)
        if request.is_stream and response.status_code == 200:
            await opened.begin(response)
            return effects.Reply(response.status_code, response.headers, b"")
        try:
            body = await response.aread()
        finally:
            await response.aclose()
        return effects.Reply(response.status_code, response.headers, body)


async def _stored(method: Callable[..., Any], *args: object) -> Any:
    """What the store answers; one without coroutines is called in a thread, because it may wait for a disk."""
    if inspect.iscoroutinefunction(method):
        return await method(*args)
    return await asyncio.to_thread(method, *args)


class _Opened:
    """The stream that a rule reads, if it reads one."""

    def __init__(self) -> None:
        self._response: httpx.Response | None = None
        self._pieces: AsyncIterator[bytes] | None = None

    async def begin(self, response: httpx.Response) -> None:
        await self.leave()
        self._response, self._pieces = response, response.aiter_bytes()

    async def read(self, silent_seconds: float) -> bytes | None:
        if self._pieces is None:
            return None
        pieces = self._pieces

        async def piece() -> bytes | None:
            async for one in pieces:
                return one
            return None

        try:
            return await asyncio.wait_for(piece(), silent_seconds)
        except (asyncio.TimeoutError, httpx.TransportError, httpx.DecodingError, httpx.StreamError):
            return None

    async def leave(self) -> None:
        response, self._response, self._pieces = self._response, None, None
        if response is not None:
            await response.aclose()
