"""Serve MCP over HTTP: the protocol at ``/mcp``, a health check at ``/health``.

A request must carry the token, name this machine as its host, and not come from a page of another origin. This stops
browsers that were led here under a false name (DNS rebinding).
"""

from __future__ import annotations

import asyncio
import hmac
import json
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from reverie.errors import InvalidSetting
from reverie.wire.connections import Connections

PATH = "/mcp"
HEALTH = "/health"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
TOKEN_CHARS = 16
"""Least length of a token: 64 bits if it is hexadecimal."""
_GRACE_S = 3


@dataclass(frozen=True, slots=True)
class Address:
    """Where to listen, the token clients must send, and further host names of this server."""

    host: str
    port: int
    token: str
    names: tuple[str, ...] = ()

    def require_token(self) -> None:
        """Raise InvalidSetting if the token is missing or too short to be safe."""
        if len(self.token) < TOKEN_CHARS:
            what = "no token is set" if not self.token else f"the token has less than {TOKEN_CHARS} characters"
            raise InvalidSetting(
                f"MCP over HTTP needs a token, and {what}.",
                'Set one: export REVERIE_MCP_TOKEN="$(openssl rand -hex 32)".',
            )

    @property
    def hosts(self) -> frozenset[str]:
        """Every host name that a request may use for this server."""
        return frozenset(name.lower() for name in (*LOOPBACK, self.host, *self.names))


class Guard:
    """Admits requests that name this machine, come from no foreign page, and carry the token."""

    def __init__(self, app: ASGIApp, address: Address) -> None:
        self._app = app
        self._hosts = address.hosts
        self._token = address.token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reject the request, or pass it to the application."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            status, extra = self._verdict(scope)
            await (self._app(scope, receive, send) if status is None else _say(send, status, extra))

    def _verdict(self, scope: Scope) -> tuple[int | None, dict[str, str]]:
        """Return the status and headers to answer with; a status of None passes the request on."""
        headers = Headers(scope=scope)
        if _name(headers.get("host", "")) not in self._hosts:
            return 421, {}
        origin = headers.get("origin")
        if origin is not None and _name(origin.partition("://")[2]) not in self._hosts:
            return 403, {}
        if scope["path"] == HEALTH:
            return (200, {}) if scope["method"] in ("GET", "HEAD") else (405, {"allow": "GET, HEAD"})
        if not self._knows(headers.get("authorization", "")):
            return 401, {"www-authenticate": 'Bearer realm="reverie"'}
        return None, {}

    def _knows(self, authorization: str) -> bool:
        scheme, _, given = authorization.partition(" ")
        known = hmac.compare_digest(given.strip().encode("utf-8", "surrogateescape"), self._token)
        return known and scheme.lower() == "bearer"


SAID = {
    200: "ok",
    401: "Send the token of this server: Authorization: Bearer TOKEN.",
    403: "Pages of other origins are not served.",
    405: "Ask with GET.",
    421: "This server does not go by that name.",
}
"""Message for each status."""


def app_of(server: Server[Any], address: Address) -> ASGIApp:
    """Return the MCP application behind its guard, which checks host names itself, also for IPv6 and ports."""
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    return Guard(app, address)


def serve_http(server: Server[Any], address: Address, listening: Callable[[str], None]) -> None:
    """Serve until the process is stopped; call ``listening`` with the server's URL.

    Raises:
        InvalidSetting: there is no valid token, or the address cannot be listened on.
    """
    address.require_token()
    with _bound(address) as bound:
        host = f"[{address.host}]" if ":" in address.host else address.host
        listening(f"http://{host}:{bound.getsockname()[1]}{PATH}")
        config = uvicorn.Config(
            app_of(server, address),
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=_GRACE_S,
            server_header=False,
            http=cast("type[asyncio.Protocol]", Connections().protocol(AutoHTTPProtocol)),
        )
        uvicorn.Server(config).run(sockets=[bound])


def _bound(address: Address) -> socket.socket:
    try:
        family, _, _, _, place = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(place, family=family)
    except (OSError, OverflowError) as error:
        raise InvalidSetting(
            f"Nothing can listen on {address.host}, port {address.port}: {error}.", "Use another address or port."
        ) from None


def _name(host: str) -> str:
    """Return a host's name without its port, in lower case; an IPv6 address without its brackets."""
    host = host.lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


async def _say(send: Send, status: int, extra: dict[str, str]) -> None:
    body = json.dumps({"status" if status == 200 else "error": SAID[status]}).encode()
    headers: Sequence[tuple[str, str]] = [
        ("content-type", "application/json"),
        ("content-length", str(len(body))),
        *extra.items(),
    ]
    encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": body})
