"""The keys of steps: made once, kept before a call goes out, and found again by the next run of the same program."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True)
class KeptKey:
    """A key, and when a call with it was last known to reach the service, or was made."""

    key: str
    used_at: datetime


class KeyStore(Protocol):
    """Where keys are kept. One store is for one job: the same name of a step is the same call there.

    AsyncPostroom calls it in a thread, so that it may wait for a disk.
    """

    def keep(self, step: str, made: KeptKey) -> KeptKey:
        """Answers the key of the step, or keeps ``made`` as its key.

        It must not answer before the key will be found again, whatever ends the program, and of two programs that come at once
        both must get the same key.
        """

    def renew(self, step: str, kept: KeptKey) -> None:
        """Replaces what is kept of the step, whose key stays. It must never leave the step without its key."""

    def forget(self, step: str) -> None:
        """Forgets the step: the next call of this name is another one."""


class AsyncKeyStore(Protocol):
    """The same for AsyncPostroom, by coroutines."""

    async def keep(self, step: str, made: KeptKey) -> KeptKey: ...

    async def renew(self, step: str, kept: KeptKey) -> None: ...

    async def forget(self, step: str) -> None: ...


class MemoryKeys:
    """Keeps keys as long as the program runs: repeats have the same key, and another run has others."""

    def __init__(self) -> None:
        self._kept: dict[str, KeptKey] = {}

    def keep(self, step: str, made: KeptKey) -> KeptKey:
        return self._kept.setdefault(step, made)

    def renew(self, step: str, kept: KeptKey) -> None:
        self._kept[step] = kept

    def forget(self, step: str) -> None:
        self._kept.pop(step, None)
