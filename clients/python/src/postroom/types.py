"""How calls are made, and what comes beside their answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, Generic, Literal, TypeAlias, TypedDict, TypeVar

T = TypeVar("T")


class _NotGiven(Enum):
    TOKEN = "NOT_GIVEN"


#: A member that is left out. It is not ``None``, which is the null of JSON, and empties a member where that is possible.
NOT_GIVEN: Final = _NotGiven.TOKEN
NotGiven: TypeAlias = Literal[_NotGiven.TOKEN]


class CallOptions(TypedDict, total=False):
    """How a call is made."""

    timeout_seconds: float
    """How long one attempt may take, until its answer has been read."""
    retry_for_seconds: float
    """How long a call without a clear answer is repeated in all."""


class ChangeOptions(CallOptions, total=False):
    """How a change is made. Without a step and a key it has a new key, which its repeats have too."""

    step: str
    """Names a step of your job, such as ``letter to ext:42``. Its key is kept before the call goes out, so that a program that has
    died takes the same step again with the same key, and it is carried out once."""
    key: str
    """A key of your own."""
    if_match: str | None
    """The ``etag`` of what was read: the change is refused with ``changed_meanwhile`` if it is another one by now."""


@dataclass(frozen=True)
class Answer(Generic[T]):
    """An answer with what came beside its body."""

    body: T
    status: int
    request_id: str | None
    """Identifies the call in the log of the service."""
    etag: str | None
    """Identifies what was read, for ``if_match``."""
    replayed: bool
    """Whether this is the answer of an earlier call with the same key."""
    key: str | None
    """The key of the change; None for a read."""
