"""The methods of operations: parameters of the path, then the members of the body or the query, then how it is called."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar
from urllib.parse import quote, urlencode

from .call import Times, as_json, call
from .effects import Give, Reply, Request, Steps
from .problems import PostroomError
from .steps import change
from .types import NOT_GIVEN, Answer, CallOptions, ChangeOptions

T = TypeVar("T")


@dataclass(frozen=True)
class Described(Generic[T]):
    """An operation whose answer is a T, as its method needs to know it."""

    method: str
    path: str
    """Behind the address of the API, with the names of its parameters in braces."""
    takes: Literal["body", "query"] | None = None
    """What its method takes behind the parameters of the path."""
    items: str | None = None
    """The member of the answer that holds the entries of a list."""
    answers: Literal["json", "text", "bytes"] = "json"
    commas: tuple[str, ...] = ()
    """Parameters that are lists with commas."""


def run(
    times: Times,
    described: Described[Any],
    ids: Sequence[str],
    given: Mapping[str, Any],
    how: CallOptions | ChangeOptions,
) -> Steps[Answer[Any]]:
    """Makes the call of a method."""
    members = {name: value for name, value in given.items() if value is not NOT_GIVEN}
    path = path_of(described.path, ids)
    if described.takes == "query":
        path += query_of(members, described.commas)
    body = _json(members) if described.takes == "body" else None
    options: ChangeOptions = {**how}
    unknown = set(options) - ChangeOptions.__optional_keys__
    if unknown:
        raise TypeError(f"There is no option or member {', '.join(sorted(unknown))}.")
    if_match = options.get("if_match")
    headers = {} if if_match is None else {"if-match": if_match}
    request = Request(described.method, path, headers, body)
    read = {"json": as_json, "text": _as_text, "bytes": _as_bytes}[described.answers]
    if described.method == "GET":
        return (yield from call(times, request, options, read=read))
    return (yield from change(times, request, options, read))


def entries(
    times: Times,
    described: Described[Any],
    ids: Sequence[str],
    given: Mapping[str, Any],
    how: CallOptions,
) -> Steps[None]:
    """Gives the entries of all pages, and asks for no page before it is wanted."""
    assert described.items is not None
    place: Mapping[str, Any] = {}
    while True:
        answer = yield from run(times, described, ids, {**given, **place}, how)
        for item in answer.body[described.items]:
            yield Give(item)
        if not answer.body["next"]:
            return
        place = {"cursor": answer.body["next"]}


def _as_text(reply: Reply) -> str:
    return reply.body.decode("utf-8")


def _as_bytes(reply: Reply) -> bytes:
    return reply.body


def _json(members: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(members, ensure_ascii=False, allow_nan=False, default=_plain).encode("utf-8")
    except (TypeError, ValueError) as cause:
        raise PostroomError("invalid_options", f"The body cannot be written as JSON: {cause}.") from cause


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return list(value)
    raise TypeError(f"{type(value).__name__} is no JSON")


def path_of(path: str, ids: Sequence[str]) -> str:
    """Raises PostroomError invalid_options for what would lead to another address, such as an empty id or ``..``."""
    filled = path
    for name, id in zip(re.findall(r"\{\w+\}", path), ids, strict=True):
        if not isinstance(id, str) or re.fullmatch(r"\.{0,2}", id):
            raise PostroomError("invalid_options", f"{name[1:-1]}: {id!r} is no id.")
        filled = filled.replace(name, quote(id, safe=""), 1)
    return filled


def query_of(query: Mapping[str, Any], commas: Sequence[str] = ()) -> str:
    """``field={"tier": "gold"}`` is the parameter ``field.tier``. What is None is left out; a list is repeated or has commas."""
    parameters: list[tuple[str, str]] = []
    for name, value in query.items():
        if value is None or value is NOT_GIVEN:
            continue
        if isinstance(value, Mapping):
            for member, one in value.items():
                full = member if member.startswith(f"{name}.") else f"{name}.{member}"
                parameters.append((full, _text(one)))
        elif isinstance(value, Sequence) and not isinstance(value, str):
            if name in commas:
                parameters.append((name, ",".join(map(_text, value))))
            else:
                parameters += [(name, _text(one)) for one in value]
        else:
            parameters.append((name, _text(value)))
    return f"?{urlencode(parameters)}" if parameters else ""


def _text(value: object) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)
