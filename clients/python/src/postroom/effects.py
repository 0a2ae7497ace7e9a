"""What the rules ask of the world.

The rules of the client (keys, repeats, pages, events) are generators, which stand once for both clients: they yield what is to be
done, one of the effects below, and are sent what came of it. Only ``sync.py`` and ``asynchronous.py`` do anything.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar, Union

from .keys import KeptKey


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    """Behind the address of the API."""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    timeout_seconds: float = 40.0
    is_stream: bool = False
    """Whether its answer, if it is none of an error, is left to be read piece by piece."""


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    """By their names in small letters."""
    body: bytes


@dataclass(frozen=True)
class Lost:
    """There is no answer, or only a part of it."""

    why: str
    cause: BaseException | None


@dataclass(frozen=True)
class Send:
    """Answers a Reply or what was Lost."""

    request: Request


@dataclass(frozen=True)
class Read:
    """Answers the next piece of the stream that was opened last, or None when it has ended, or was silent for so long."""

    silent_seconds: float


@dataclass(frozen=True)
class Leave:
    """Lets go of the stream that was opened last."""


@dataclass(frozen=True)
class Pause:
    seconds: float


@dataclass(frozen=True)
class Keep:
    """Answers what the store keeps of the step."""

    step: str
    made: KeptKey


@dataclass(frozen=True)
class Renew:
    step: str
    kept: KeptKey


@dataclass(frozen=True)
class Give:
    """Hands an entry or an event to whoever iterates."""

    item: Any


Effect: TypeAlias = Union[Send, Read, Leave, Pause, Keep, Renew, Give]

T = TypeVar("T")

#: A rule that ends with a T.
Steps: TypeAlias = Generator[Effect, Any, T]
