"""The client of Postroom: every call once, also across a crash of the program.

from postroom import Postroom
"""

from .asynchronous import AsyncPostroom
from .files import FileKeys
from .generated.events import EventKind, KeptEvent, WebhookEvent
from .keys import AsyncKeyStore, KeptKey, KeyStore, MemoryKeys
from .pages import AsyncPages, Pages
from .problems import ClientCode, PostroomError, Problem, Refusal
from .sync import Postroom
from .types import NOT_GIVEN, Answer, CallOptions, ChangeOptions, NotGiven
from .webhook import verify_webhook

__all__ = [
    "NOT_GIVEN",
    "Answer",
    "AsyncKeyStore",
    "AsyncPages",
    "AsyncPostroom",
    "CallOptions",
    "ChangeOptions",
    "ClientCode",
    "EventKind",
    "FileKeys",
    "KeptEvent",
    "KeptKey",
    "KeyStore",
    "MemoryKeys",
    "NotGiven",
    "Pages",
    "Postroom",
    "PostroomError",
    "Problem",
    "Refusal",
    "WebhookEvent",
    "verify_webhook",
]
