"""Where calls go, and what may go there."""

from __future__ import annotations

import ipaddress
import re
from http.cookiejar import DefaultCookiePolicy
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import httpx

from .effects import Request
from .problems import PostroomError


def _version() -> str:
    try:
        return version("postroom")
    except PackageNotFoundError:  # Run from the folder of its source.
        return "0"


AGENT = f"postroom-python/{_version()}"


def base_of(url: str, allow_http: bool) -> httpx.URL:
    """The address of the API, without a slash at its end. Raises PostroomError invalid_options."""

    def invalid(why: str) -> PostroomError:
        return PostroomError("invalid_options", why)

    try:
        parsed = httpx.URL(url)
    except (httpx.InvalidURL, TypeError) as cause:
        raise invalid("url: is not an address.") from cause
    if not parsed.host or parsed.scheme not in ("https", "http"):
        raise invalid("url: is not an address that begins with https:.")
    if parsed.userinfo or parsed.query or parsed.fragment or "?" in url or "#" in url:
        raise invalid("url: may have neither a user, nor a query, nor a fragment.")
    if parsed.scheme == "http" and not (allow_http or _is_here(parsed.host)):
        raise invalid("url: must begin with https:, or else the token can be read on the way.")
    return parsed.copy_with(path=parsed.path.rstrip("/") or "/")


def _is_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def address_of(base: httpx.URL, path: str) -> httpx.URL:
    return httpx.URL(str(base).rstrip("/") + path)


def headers_of(request: Request, token: object) -> dict[str, str]:
    if not isinstance(token, str) or not re.fullmatch(r"[\x21-\x7e]+", token):
        raise PostroomError("invalid_options", "token: is empty or no token.")
    return {
        "accept": "application/json",
        "user-agent": AGENT,
        **request.headers,
        "authorization": f"Bearer {token}",
        **({} if request.body is None else {"content-type": "application/json"}),
    }


def settings(base: httpx.URL) -> dict[str, Any]:
    """What both clients of httpx have."""
    return {
        # The token must not go where the service, or somebody in between, leads.
        "follow_redirects": False,
        # A proxy of the environment gets a tunnel, through which nobody reads the token; without TLS it would get the token.
        "trust_env": base.scheme == "https",
        "timeout": None,
    }


def without_cookies(cookies: httpx.Cookies) -> None:
    """The token is all that identifies the caller."""
    cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
