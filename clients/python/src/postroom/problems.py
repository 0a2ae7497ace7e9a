"""What is raised: the refusals of the service, by their code, and what the client itself finds."""

from __future__ import annotations

import sys
from typing import Literal, TypeAlias, TypedDict, Union

from .generated.schemas import Candidate, MissingPart, ProblemItem

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired

#: The codes of refusals that have no members of their own. More may be added: keep a default where you decide by it.
PlainCode: TypeAlias = Literal[
    "malformed_request",
    "malformed_json",
    "invalid_query",
    "invalid_cursor",
    "idempotency_key_missing",
    "idempotency_key_invalid",
    "idempotency_in_progress",
    "idempotency_key_reused",
    "token_missing",
    "invalid_token",
    "token_expired",
    "not_found",
    "no_such_route",
    "method_not_allowed",
    "request_timeout",
    "changed_meanwhile",
    "body_too_large",
    "file_too_large",
    "unsupported_media_type",
    "range_not_satisfiable",
    "letter_not_written",
    "segment_in_use",
    "validation_failed",
    "recipient_suppressed",
    "no_contact",
    "erased",
    "time_in_past",
    "local_time_missing",
    "unreadable_file",
    "login_failed",
    "server_unreachable",
    "private_address",
    "secret_needed",
    "needs_successor",
    "quota_exceeded",
    "rate_limited",
    "headers_too_large",
    "internal",
    "provider_failed",
    "unavailable",
    "still_running",
]


class _Members(TypedDict):
    """A refusal of the service (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    """What is wrong with this call, in words."""
    instance: str
    requestId: str
    """Identifies the call in the log of the service."""
    retryable: bool
    """Whether the same call is worth repeating, with the same key."""
    errors: NotRequired[list[ProblemItem]]


class PlainProblem(_Members):
    code: PlainCode


class InsufficientScope(_Members):
    code: Literal["insufficient_scope"]
    scopes: list[str]
    """All the scopes that the call needs."""


class Conflict(_Members):
    code: Literal["conflict"]
    people: NotRequired[list[str]]
    """The cards that it is about."""


class Merged(_Members):
    code: Literal["merged"]
    mergedInto: str
    """The card that the other one has become part of."""


class InvalidState(_Members):
    code: Literal["invalid_state"]
    state: NotRequired[str]
    """The state that the resource is in, and what would be allowed."""
    allowed: NotRequired[list[str]]


class CampaignIncomplete(_Members):
    code: Literal["campaign_incomplete"]
    missing: list[MissingPart]


class ContactAmbiguous(_Members):
    code: Literal["contact_ambiguous"]
    candidates: list[Candidate]


class SenderAmbiguous(_Members):
    code: Literal["sender_ambiguous"]
    candidates: list[Candidate]


#: A refusal of the service, by its code: a comparison of ``problem["code"]`` tells type checkers which members there are.
Problem: TypeAlias = Union[
    PlainProblem,
    InsufficientScope,
    Conflict,
    Merged,
    InvalidState,
    CampaignIncomplete,
    ContactAmbiguous,
    SenderAmbiguous,
]

#: What the client itself raises.
#:
#: - ``no_answer``: no clear answer came within ``retry_for_seconds``. The change may have been carried out: repeat it with the same
#:   step or ``key``.
#: - ``redirected``: the service answered with a redirect, which is not followed, because the token would go with it.
#: - ``step_too_old``: the key of the step is older than the service keeps keys, so a repeat could be carried out a second time.
#: - ``not_ended``: an operation has not ended within the time that was given to it.
#: - ``invalid_signature``: a webhook is not signed by its secret, or too long ago.
#: - ``invalid_options``: what the client was given cannot be used.
ClientCode: TypeAlias = Literal[
    "no_answer",
    "redirected",
    "step_too_old",
    "not_ended",
    "invalid_signature",
    "invalid_options",
]


class PostroomError(Exception):
    """Everything that calls and checks raise, apart from what ends the program and what a store of yours raises."""

    def __init__(self, code: str, message: str, *, key: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        """Of the service, which adds codes over time, or one of ClientCode."""
        self.key = key
        """The key of the change: the same key repeats the same call."""


class Refusal(PostroomError):
    """A refusal of the service."""

    def __init__(self, problem: Problem, *, key: str | None = None) -> None:
        super().__init__(problem["code"], problem["detail"], key=key)
        self.problem = problem
        self.status = problem["status"]
        self.request_id = problem["requestId"]
