"""The guard in front of the HTTP application: authenticates, limits and labels every request.

It finds out who asks or refuses them, limits their rate and the size of bodies, and sets the same headers on every
answer. Without tokens, a request must name this machine as its host and come from no other site's page.
"""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from anyio import to_thread
from fastapi import HTTPException
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from reverie.errors import ReverieError
from reverie.faces.http.parts import Serving
from reverie.faces.http.problems import Problem, Refused, of_error, of_status, unauthorized
from reverie.faces.http.tokens import LOCAL, NOBODY, Principal

if TYPE_CHECKING:
    from reverie.faces.http.admission import Admission, Asking

PRINCIPAL = "reverie.principal"
REQUEST_ID = "reverie.request_id"
ELSEWHERE = "other"

API_POLICY = "default-src 'none'; frame-ancestors 'none'"
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_OWN_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
_KEPT_ID = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)
_PRIVATE = ("/v1/", "/metrics")

logger = logging.getLogger("reverie.http")
access = logging.getLogger("reverie.access")


def is_own_host(host: str) -> bool:
    """Whether a host name or address, of the server or in a request, is this machine's own."""
    return host.lower() in _OWN_HOSTS


@dataclass(slots=True)
class _Exchange:
    """One request and the status of its answer."""

    scope: Scope
    headers: Headers
    request_id: str
    status: int = 500
    principal: Principal | None = None

    @property
    def path(self) -> str:
        return str(self.scope["path"])

    @property
    def is_private(self) -> bool:
        return self.path.startswith(_PRIVATE)

    @property
    def route(self) -> str:
        """The template of the route that matched, or "other"."""
        return str(getattr(self.scope.get("route"), "path", ELSEWHERE))


class Guard:
    """ASGI middleware that checks every request before the application sees it."""

    def __init__(self, app: ASGIApp, serving: Serving) -> None:
        self._app = app
        self._serving = serving

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check one request, and answer it or pass it to the application."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # there are no web sockets
            await send({"type": "websocket.close", "code": 1008})
            return
        headers = Headers(scope=scope)
        exchange = _Exchange(scope, headers, _request_id(headers))
        scope[REQUEST_ID] = exchange.request_id
        metrics, started = self._serving.metrics, self._serving.now_s()
        metrics.running.inc()
        try:
            await self._answered(exchange, receive, _marked(exchange, self._audited(exchange, send)))
        finally:
            metrics.running.dec()
            took_s = self._serving.now_s() - started
            metrics.served(_method(scope), exchange.route, exchange.status, took_s)
            if self._serving.settings.serve.access_log:
                who = exchange.principal.name if exchange.principal else "-"
                line = (exchange.request_id, _method(scope), exchange.route, exchange.status, took_s * 1000, who)
                access.info("%s %s %s %s %.1f ms %r", *line)

    async def _answered(self, exchange: _Exchange, receive: Receive, send: Send) -> None:
        scope = exchange.scope
        try:
            if exchange.is_private:
                scope[PRINCIPAL] = exchange.principal = await self._principal(exchange)
            limited = _limited(receive, exchange.headers, self._serving.body_max(exchange.path))
            if exchange.is_private and self._serving.admission is not None:
                await self._admitted(self._serving.admission, exchange, limited, send)
                return
        except Refused as error:
            problem = error.problem
            logger.info("%s %s refused: %s", exchange.request_id, problem.status, problem.kind)
            await problem.answer(exchange.request_id)(scope, receive, send)
            return
        except ReverieError as error:
            logger.error("%s %s", exchange.request_id, error)
            await of_error(error).answer(exchange.request_id)(scope, receive, send)
            return
        except HTTPException as error:  # a body that is too long
            await of_status(error.status_code, str(error.detail)).answer(exchange.request_id)(scope, receive, send)
            return
        await self._app(scope, limited, send)

    async def _admitted(self, admission: Admission, exchange: _Exchange, receive: Receive, send: Send) -> None:
        """Hold a team's request to its tenant's quota, and run it; once, if it has a key. Raises Refused."""
        asked = self._asking(exchange)
        if asked.principal.binding.tenant:
            await to_thread.run_sync(lambda: admission.spend(asked), limiter=admission.crew)
        if asked.key and asked.changes:
            from reverie.faces.http.admission import Once

            await Once(admission, asked).run(self._app, exchange.scope, receive, send)
        else:
            await self._app(exchange.scope, receive, send)

    def _asking(self, exchange: _Exchange) -> Asking:
        from reverie.faces.http.admission import Asking

        return Asking(
            principal=exchange.principal or NOBODY,
            is_known=exchange.principal is not None,
            method=_method(exchange.scope),
            path=exchange.path,
            query=bytes(exchange.scope.get("query_string", b"")).decode("latin-1"),
            request_id=exchange.request_id,
            key=exchange.headers.get("idempotency-key", ""),
            now_s=self._serving.now_s(),
        )

    def _audited(self, exchange: _Exchange, send: Send) -> Send:
        """Return a ``send`` that writes the request into a team's audit before its answer begins."""
        admission = self._serving.admission
        if admission is None or not exchange.is_private:
            return send

        async def audited(message: Message) -> None:
            if message["type"] == "http.response.start":
                asked, status = self._asking(exchange), int(message["status"])
                try:
                    await to_thread.run_sync(lambda: admission.log(asked, status), limiter=admission.crew)
                except ReverieError as error:
                    logger.error("%s is missing in the audit: %s", exchange.request_id, error)
            await send(message)

        return audited

    async def _principal(self, exchange: _Exchange) -> Principal:
        """Return who asks. Raises Refused."""
        serving = self._serving
        if serving.is_open:
            require_own_page(exchange.headers)
            found: Principal | None = LOCAL
        else:
            found = await self._known(exchange)
        client = exchange.scope.get("client")
        who = f"token {found.name}" if found else f"address {client[0] if client else ''}"
        self._require_patience(who, found.per_minute if found else 0)
        if found is None:
            raise unauthorized(
                "The request brings no token that is known here.",
                "Send `Authorization: Bearer TOKEN`: `reverie serve` prints yours.",
            )
        return found

    async def _known(self, exchange: _Exchange) -> Principal | None:
        """Return whose token it is; None if unknown. What a team's table or provider refuses counts as unknown does."""
        serving, bearer = self._serving, _bearer(exchange.headers)
        found = serving.keyring.principal(bearer)
        admission = serving.admission
        if found is not None or admission is None or not bearer:
            return found
        try:
            return await to_thread.run_sync(lambda: admission.principal(bearer), limiter=admission.crew)
        except Refused:
            client = exchange.scope.get("client")
            self._require_patience(f"address {client[0] if client else ''}", 0)
            raise

    def _require_patience(self, who: str, per_minute: int) -> None:
        """Take a request from a client's bucket. Raises Refused: 429."""
        if wait := self._serving.buckets.wait_s(who, self._serving.now_s(), per_minute):
            raise Refused(
                Problem(
                    429,
                    "too-many-requests",
                    "More requests came than the limit allows.",
                    "Wait as long as Retry-After says, or raise serve.requests_per_minute.",
                    headers={"Retry-After": str(int(wait) + 1)},
                )
            )


def _request_id(headers: Headers) -> str:
    """Return the client's own request id if it is harmless, else a new one."""
    given = headers.get("x-request-id", "")
    return given if _KEPT_ID.fullmatch(given) else secrets.token_hex(8)


def _bearer(headers: Headers) -> str:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def require_own_page(headers: Headers) -> None:
    """Raise Refused for a request from another site's page, or under a host name that is not this machine's."""
    host = _host_of(f"//{headers.get('host', '')}")
    if host is None or not is_own_host(host):
        raise Refused(
            Problem(
                403,
                "foreign-host",
                "The request does not name this machine as its host.",
                "Ask for http://127.0.0.1 or http://localhost; other names need a token.",
            )
        )
    origin, site = headers.get("origin"), headers.get("sec-fetch-site", "none")
    is_foreign = origin is not None and urlsplit_or_none(origin) != f"http://{headers.get('host', '')}"
    if is_foreign or site not in ("none", "same-origin"):
        raise Refused(
            Problem(
                403,
                "foreign-origin",
                "The request comes from a page of another site.",
                "Use this server's own page, or a token.",
            )
        )


def urlsplit_or_none(origin: str) -> str | None:
    """Return an origin as ``scheme://host:port``; None if it is not valid."""
    try:
        parts = urlsplit(origin)
        return f"{parts.scheme}://{parts.netloc}"
    except ValueError:
        return None


def _host_of(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None


def _method(scope: Scope) -> str:
    method = str(scope["method"])
    return method if method in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH") else ELSEWHERE


def _limited(receive: Receive, headers: Headers, most: int) -> Receive:
    """Limit the request's body while it is read. Raises Refused if its stated length is too large."""
    said = headers.get("content-length", "0")
    if said.isdecimal() and int(said[:20]) > most:
        raise _too_long(most)
    read = 0

    async def counted() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > most:
            problem = _too_long(most).problem
            raise HTTPException(problem.status, problem.detail)
        return message

    return counted


def _too_long(most: int) -> Refused:
    return Refused(
        Problem(
            413,
            "content-too-large",
            f"The body has more than {most} bytes.",
            "Send less at once, or raise serve.body_mb.",
            headers={"Connection": "close"},
        )
    )


def _marked(exchange: _Exchange, send: Send) -> Callable[[Message], Awaitable[None]]:
    """Return a ``send`` that adds the headers common to all answers."""
    is_page = exchange.path == "/" or exchange.path.startswith("/app/")

    async def marked(message: Message) -> None:
        if message["type"] == "http.response.start":
            exchange.status = message["status"]
            headers = MutableHeaders(scope=message)
            headers["X-Request-Id"] = exchange.request_id
            headers["Content-Security-Policy"] = PAGE_POLICY if is_page else API_POLICY
            headers.setdefault("Cache-Control", "no-cache" if is_page else "no-store")
            for name, value in HEADERS.items():
                headers[name] = value
        await send(message)

    return marked
