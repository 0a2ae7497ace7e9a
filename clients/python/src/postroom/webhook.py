"""Webhooks as Standard Webhooks 1.0 describes them (https://www.standardwebhooks.com)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from .generated.events import WebhookEvent
from .problems import PostroomError

# A rotation has two; nobody makes us check hundreds.
MOST_SIGNATURES = 10


class Headers(Protocol):
    """The headers of a request, as every framework has them, and a dict too."""

    def items(self) -> Iterable[tuple[str, str]]: ...


def verify_webhook(
    *,
    body: str | bytes,
    headers: Headers,
    secret: str | Sequence[str],
    tolerance_seconds: float = 300,
    now: float | None = None,
) -> WebhookEvent:
    """The event of a webhook, if it is from the service and was sent just now. Raises PostroomError invalid_signature.

    :param body: The body as it came, byte for byte.
    :param headers: The headers of the request.
    :param secret: The secret of the webhook; while it rotates, the old one and the new one.
    :param tolerance_seconds: How far the time of the request may differ from that of this machine.
    :param now: The time of this machine, in seconds since 1970.
    """
    given: dict[str, str] = {}
    for name, value in headers.items():
        given.setdefault(name.lower(), value)
    id, timestamp, signature = (given.get(f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not id or not timestamp or not signature:
        raise _refused("A header of the webhook is missing.")
    here = time.time() if now is None else now
    if not re.fullmatch(r"[0-9]{1,12}", timestamp) or abs(here - int(timestamp)) > tolerance_seconds:
        raise _refused("The webhook was signed too long ago, or the clocks differ.")
    content = body.encode("utf-8") if isinstance(body, str) else bytes(body)
    try:
        signed = f"{id}.{timestamp}.".encode() + content
        signatures = [one[3:].encode("ascii") for one in signature.split(" ") if one.startswith("v1,")]
    except UnicodeEncodeError as cause:
        raise _refused("The webhook is not signed by this secret.") from cause
    for one in [secret] if isinstance(secret, str) else secret:
        made = base64.b64encode(hmac.new(_key_of(one), signed, hashlib.sha256).digest())
        for other in signatures[:MOST_SIGNATURES]:
            # Takes the same time whatever differs.
            if hmac.compare_digest(made, other):
                event: Any = json.loads(content)
                valid: WebhookEvent = event
                return valid
    raise _refused("The webhook is not signed by this secret.")


def _refused(message: str) -> PostroomError:
    return PostroomError("invalid_signature", message)


def _key_of(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        raise PostroomError("invalid_options", "secret: is not of the form whsec_….")
    return key
