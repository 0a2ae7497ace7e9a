"""Lists, and what the generated methods stand on: one page, or all entries from page to page."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

from .methods import Described
from .types import Answer, CallOptions, ChangeOptions

T = TypeVar("T")
Item = TypeVar("Item")


class Pages(Generic[T, Item]):
    """A list: all its entries where it is iterated, and one page of them by ``page()``. Nothing is asked before."""

    def __init__(self, ask: Callable[[], Answer[T]], entries: Callable[[], Iterator[Item]]) -> None:
        self._ask = ask
        self._entries = entries

    def page(self) -> T:
        """The page that ``limit`` and ``cursor`` describe; its ``next`` is the cursor of the one behind it."""
        return self._ask().body

    def answer(self) -> Answer[T]:
        """The page, with what comes beside it."""
        return self._ask()

    def __iter__(self) -> Iterator[Item]:
        return self._entries()


class AsyncPages(Generic[T, Item]):
    """A list: all its entries where it is iterated, and one page of them by ``page()``. Nothing is asked before."""

    def __init__(self, ask: Callable[[], Awaitable[Answer[T]]], entries: Callable[[], AsyncIterator[Item]]) -> None:
        self._ask = ask
        self._entries = entries

    async def page(self) -> T:
        """The page that ``limit`` and ``cursor`` describe; its ``next`` is the cursor of the one behind it."""
        return (await self._ask()).body

    async def answer(self) -> Answer[T]:
        """The page, with what comes beside it."""
        return await self._ask()

    def __aiter__(self) -> AsyncIterator[Item]:
        return self._entries()


class Runs(ABC):
    """What the generated methods of Postroom call."""

    @abstractmethod
    def _run(
        self,
        described: Described[T],
        ids: Sequence[str],
        given: Mapping[str, Any],
        how: CallOptions | ChangeOptions,
    ) -> T: ...

    @abstractmethod
    def _list(self, described: Described[T], ids: Sequence[str], given: Mapping[str, Any], how: CallOptions) -> Pages[T, Any]: ...


class AsyncRuns(ABC):
    """What the generated methods of AsyncPostroom call."""

    @abstractmethod
    async def _run(
        self,
        described: Described[T],
        ids: Sequence[str],
        given: Mapping[str, Any],
        how: CallOptions | ChangeOptions,
    ) -> T: ...

    @abstractmethod
    def _list(
        self, described: Described[T], ids: Sequence[str], given: Mapping[str, Any], how: CallOptions
    ) -> AsyncPages[T, Any]: ...
