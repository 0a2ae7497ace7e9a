"""Carries out what a test asks, line by line, by the client of its choice: `python driver.py Postroom` or `AsyncPostroom`."""

import asyncio
import base64
import itertools
import json
import sys
from datetime import datetime
from typing import Any

from postroom import AsyncPostroom, FileKeys, KeptKey, MemoryKeys, Postroom, PostroomError, verify_webhook

LISTS = ("list_people", "list_events", "list_conversations", "list_imported_rows")


class Ready:
    """What a coroutine of the asynchronous client would answer, from the other one."""

    def __init__(self, client: Postroom) -> None:
        self._client = client

    async def call(self, method: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
        return getattr(self._client, method)(*args, **kwargs)

    async def answer(self, method: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
        return vars(self._client.answer(getattr(self._client, method), *args, **kwargs))

    async def page(self, method: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
        return getattr(self._client, method)(*args, **kwargs).page()

    async def take(self, n: int, method: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
        return list(itertools.islice(getattr(self._client, method)(*args, **kwargs), n))


class Awaited:
    def __init__(self, client: AsyncPostroom) -> None:
        self._client = client

    async def call(self, method: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
        return await getattr(self._client, method)(*args, **kwargs)

    async def answer(self, method: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
        return vars(await self._client.answer(getattr(self._client, method), *args, **kwargs))

    async def page(self, method: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
        return await getattr(self._client, method)(*args, **kwargs).page()

    async def take(self, n: int, method: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
        items: list[Any] = []
        async for item in getattr(self._client, method)(*args, **kwargs):
            items.append(item)
            if len(items) == n:
                break
        return items


class AsyncMemory:
    """A store of coroutines."""

    def __init__(self) -> None:
        self._keys = MemoryKeys()

    async def keep(self, step: str, made: KeptKey) -> KeptKey:
        await asyncio.sleep(0)
        return self._keys.keep(step, made)

    async def renew(self, step: str, kept: KeptKey) -> None:
        self._keys.renew(step, kept)

    async def forget(self, step: str) -> None:
        self._keys.forget(step)


async def carry_out(state: dict[str, Any], do: str, **given: Any) -> Any:
    if do == "client":
        options = {**given}
        folder = options.pop("folder", None)
        kind = options.pop("store", "memory")
        options["keys"] = FileKeys(folder) if folder else AsyncMemory() if kind == "coroutines" else MemoryKeys()
        state["keys"] = options["keys"]
        if sys.argv[1] == "Postroom":
            state["client"] = Ready(Postroom(**options))
        else:
            state["client"] = Awaited(AsyncPostroom(**options))
        return None
    if do == "verify":
        return verify_webhook(**given)
    if do in ("keep", "forget"):
        key, used_at = given.get("key"), given.get("used_at")
        args = [given["step"]] if do == "forget" else [given["step"], KeptKey(key or "", datetime.fromisoformat(used_at or ""))]
        kept = getattr(state["keys"], do)(*args)
        kept = await kept if asyncio.iscoroutine(kept) else kept
        return {"key": kept.key, "used_at": kept.used_at.isoformat()} if kept else None
    client = state["client"]
    args, kwargs = given.get("args", []), given.get("kwargs", {})
    if do == "together":
        return await asyncio.gather(*(client.call(given["method"], args, kwargs) for _ in range(given["n"])))
    if do == "within":
        try:
            return await asyncio.wait_for(client.call(given["method"], args, kwargs), given["seconds"])
        except asyncio.TimeoutError:
            return "ended"
    if do == "take":
        return await client.take(given["n"], given["method"], args, kwargs)
    value = await getattr(client, do)(given["method"], args, kwargs)
    return {"base64": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


async def main() -> None:
    state: dict[str, Any] = {}
    while line := await asyncio.to_thread(sys.stdin.readline):
        try:
            answer: dict[str, Any] = {"value": await carry_out(state, **json.loads(line))}
        except PostroomError as error:
            members = {name: getattr(error, name, None) for name in ("code", "key", "status", "request_id", "problem")}
            answer = {"error": {**members, "message": str(error), "kind": type(error).__name__}}
        except Exception as error:
            answer = {"error": {"code": None, "message": repr(error), "kind": type(error).__name__}}
        print(json.dumps(answer), flush=True)


asyncio.run(main())
