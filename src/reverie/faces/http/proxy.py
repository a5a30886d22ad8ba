"""A proxy in front of a language model's API, which adds memories to requests and keeps what was said.

A program names this server as its base URL instead of the model's. Requests and answers pass unchanged, streams byte
for byte, except that the last turn of a conversation gets a fenced block of memories. If the memory fails or is late,
the request goes on without it: a program must never wait for its memory.
"""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import aclosing, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, cast
from urllib.parse import unquote

import anyio
import httpx
from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Send

from reverie.config import ProxySettings
from reverie.engine.core import Reverie
from reverie.engine.requests import Caller, calling
from reverie.engine.runtime import SystemClock
from reverie.errors import InvalidScope, ReverieError
from reverie.faces.http.conversations import Conversations, Exchange
from reverie.faces.http.dialects import Dialect, ReplyReader, dialect_of
from reverie.faces.http.guard import require_own_page
from reverie.faces.http.problems import Problem, Refused, forbidden, unauthorized
from reverie.faces.http.tokens import LOCAL, PREFIX, Keyring, Principal, Right, is_in_tenant
from reverie.types import Scope

KEY_PATH = "/key/"
"""Before a token in the base URL, for programs that have no place for it but need the model's own key."""
_HOP = frozenset(
    (
        *("connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer"),
        *("transfer-encoding", "upgrade", "host"),
    )
)
"""Headers of one connection, which are not passed on."""
_KEYS = ("authorization", "x-api-key", "api-key")
_OWN = "x-reverie-"
_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
_THREADS = 4
_SESSION_CHARS = 200
_REPLY_BYTES = 16_000_000
"""Longest answer whose text is kept."""
_TIMEOUT = httpx.Timeout(connect=15.0, read=900.0, write=120.0, pool=None)
"""A model may think for minutes before the first byte."""

_LOOK_S = 0.25
"""How often it is looked whether the program still waits for the first byte."""

_STOPPED = Problem(503, "proxy-stopped", "The proxy was stopped before the answer was whole.", "Ask again later.")
_BROKEN_OFF = Problem(502, "upstream-broke-off", "The model's server broke its answer off.", "Ask again.")
_LAST_WORD_S = 1.0
"""How long a program that does not read is offered the reason why its stream ends."""

logger = logging.getLogger("reverie.proxy")


@dataclass(slots=True)
class Running:
    """The requests that run, so that a proxy that stops can end each in order. For the thread of the loop only."""

    is_stopped: bool = False
    scopes: set[anyio.CancelScope] = field(default_factory=set)

    @contextmanager
    def ended(self) -> Iterator[anyio.CancelScope]:
        """Run a block that is cancelled when the proxy stops; at once if it has stopped."""
        with anyio.CancelScope() as scope:
            self.scopes.add(scope)
            try:
                if self.is_stopped:
                    scope.cancel()
                yield scope
            finally:
                self.scopes.discard(scope)

    def end(self) -> None:
        """End all that runs, and whatever still begins."""
        self.is_stopped = True
        for scope in list(self.scopes):
            scope.cancel()


@dataclass(slots=True)
class Proxy:
    """The parts of one proxy.

    Attributes:
        engine: the memory.
        settings: where the model is, and how much is recalled.
        keyring: the tokens of programs.
        scope: the scope of a program whose token does not say another.
        is_open: no token is asked for; only on this machine.
        transport: how the model is reached; the network by default.
    """

    engine: Reverie
    settings: ProxySettings
    keyring: Keyring
    scope: Scope
    is_open: bool = False
    transport: httpx.AsyncBaseTransport | None = None
    now: Callable[[], datetime] = field(default_factory=lambda: SystemClock().now)
    conversations: Conversations = field(init=False)
    crew: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(_THREADS))
    running: Running = field(default_factory=Running)

    def __post_init__(self) -> None:
        self.conversations = Conversations(self.engine, self.now, self.settings.budget_tokens)


@dataclass(frozen=True, slots=True)
class _Asking:
    """Who asks, of which scope, and the path that the model's server gets."""

    principal: Principal
    scope: Scope
    path: str

    @property
    def caller(self) -> Caller:
        """The caller named in the events of what the request does."""
        return Caller(f"proxy:{self.principal.name}", self.principal.name if self.principal.tool else "")


def application(proxy: Proxy) -> Starlette:
    """Return the application; whoever runs it also runs its lifespan and closes the engine afterwards."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with httpx.AsyncClient(transport=proxy.transport, timeout=_TIMEOUT) as client:
            app.state.client = client
            yield

    async def passed(request: Request) -> Response:
        try:
            return await _passed(proxy, request, _asking(proxy, request))
        except Refused as error:
            problem = error.problem
            return JSONResponse(_error(problem), problem.status)

    return Starlette(routes=[Route("/{path:path}", passed, methods=_METHODS)], lifespan=lifespan)


async def _passed(proxy: Proxy, request: Request, asking: _Asking) -> Response:
    """Pass a request on, with memories if it asks a model something, and its answer back. Raises Refused."""
    body = await _body(request, proxy.settings.body_mb * 1_000_000)
    asked = _json(body) if request.method == "POST" else None
    dialect = dialect_of(asking.path, asked) if asked is not None else None
    exchange: Exchange | None = None
    if asked is not None and dialect is not None:
        session = request.headers.get(f"{_OWN}session", "")[:_SESSION_CHARS]
        blocks, exchange = await _recalled(proxy, asking, partial(_begun, proxy, asking, dialect, asked, session))
        if blocks:
            body = json.dumps(dialect.with_blocks(asked, blocks)).encode("ascii")
    answer = await _sent(proxy, request, asking, body, read=dialect is not None)
    may_keep = proxy.settings.capture and asking.principal.right >= Right.WRITE and answer.is_success
    pieces: AsyncIterator[bytes] = answer.aiter_raw()
    if dialect is not None and exchange is not None and may_keep:
        reader = ReplyReader(dialect, streamed=_is_stream(answer), most=_REPLY_BYTES)
        pieces = _read(pieces, reader, partial(_keep, proxy, asking, exchange))
    return _Answer(proxy.running, answer, _closed(answer, pieces))


async def _sent(proxy: Proxy, request: Request, asking: _Asking, body: bytes, *, read: bool) -> httpx.Response:
    """Send a request to the model's server; ``read``: its answer will be read, so it may not be compressed.

    Raises Refused if the server cannot be reached.
    """
    client: httpx.AsyncClient = request.app.state.client
    query = bytes(request.scope["query_string"]).decode("latin-1")
    url = f"{proxy.settings.upstream.rstrip('/')}{asking.path}{'?' if query else ''}{query}"
    headers = _with_key(request.headers.raw, proxy.settings.key)
    if read:
        headers = [*(one for one in headers if one[0] != b"accept-encoding"), (b"accept-encoding", b"identity")]
    answer, problem = None, Problem(499, "program-gone", "The program did not wait for the answer.", "Ask again.")
    with proxy.running.ended() as stopped:
        async with anyio.create_task_group() as group:
            group.start_soon(_stop_if_gone, request, group.cancel_scope)
            try:
                answer = await client.send(
                    client.build_request(request.method, url, headers=headers, content=body), stream=True
                )
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                logger.warning("the model's server cannot be reached: %s", type(error).__name__)
                what = "The model's server cannot be reached."
                problem = Problem(502, "upstream-unreachable", what, "Look at proxy.upstream.")
            group.cancel_scope.cancel()
    if answer is None and stopped.cancelled_caught:
        problem = _STOPPED
    if answer is None:
        raise Refused(problem)
    return answer


async def _stop_if_gone(request: Request, sending: anyio.CancelScope) -> None:
    """Cancel what is sent for a program when the program has gone, so that its model stops, too."""
    while not await request.is_disconnected():
        await anyio.sleep(_LOOK_S)
    sending.cancel()


_Recalled = tuple[dict[int, str], Exchange | None]
"""The blocks to add, by the place of their turn, and the exchange that the request opens, if it asks something."""


def _begun(
    proxy: Proxy, asking: _Asking, dialect: Dialect, request: Mapping[str, Any], session: str, found: list[_Recalled]
) -> None:
    """Put into ``found`` what is known at once, then what recall adds; ``session`` is the program's name for it."""
    conversations, turns, asked = proxy.conversations, dialect.turns(request), dialect.asked(request)
    if asked is None:
        found.append((conversations.again(turns, asking.scope), None))
        return
    exchange = conversations.begin(turns, asked, asking.scope, session)
    found.append((exchange.blocks, exchange))
    if proxy.settings.recall:
        exchange = conversations.recall(turns, exchange)
        found.append((exchange.blocks, exchange))


async def _recalled(proxy: Proxy, asking: _Asking, work: Callable[[list[_Recalled]], None]) -> _Recalled:
    """Return the last that ``work`` finds within the time allowed; nothing if the memory fails at once."""
    found: list[_Recalled] = [({}, None)]
    with anyio.move_on_after(proxy.settings.deadline_ms / 1000) as timed:
        try:
            with calling(asking.caller):
                await to_thread.run_sync(work, found, limiter=proxy.crew, abandon_on_cancel=True)
        except ReverieError as error:
            logger.warning("a request goes on without memories: %s. %s", type(error).__name__, error.mend)
        except Exception:  # an edge: no fault of the memory may stop the program's request
            logger.exception("a request goes on without memories")
    if timed.cancelled_caught:
        logger.warning("a request goes on without memories: recall took longer than proxy.deadline_ms")
    return found[-1]


class _Answer(StreamingResponse):
    """The model's answer as it comes; if the proxy stops or the model's server fails amid it, one that says so.

    A stream of events ends with an error event, which the clients of every protocol raise. Any other answer is left
    without its end, so that no program takes it for whole.
    """

    def __init__(self, running: Running, answer: httpx.Response, pieces: AsyncGenerator[bytes]) -> None:
        super().__init__(pieces, answer.status_code)
        self.raw_headers = [(name.lower(), value) for name, value in answer.headers.raw if _passes(name)]
        self._pieces = pieces
        self._running = running
        self._takes_events = _is_stream(answer) and not {"content-encoding", "content-length"} & answer.headers.keys()

    async def stream_response(self, send: Send) -> None:
        """Send the answer."""
        problem: Problem | None = None
        async with aclosing(self._pieces):
            with self._running.ended() as stopped:
                try:
                    await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
                    async for piece in self._pieces:
                        await send({"type": "http.response.body", "body": piece, "more_body": True})
                except httpx.HTTPError as error:
                    logger.warning("the model's server broke an answer off: %s", type(error).__name__)
                    problem = Problem(
                        502, "upstream-broke-off", "The model's server broke its answer off.", "Ask again."
                    )
        if stopped.cancelled_caught:
            problem = _STOPPED
        if problem is None:
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        elif self._takes_events:
            event = f"\n\nevent: error\ndata: {json.dumps(_error(problem))}\n\n".encode()
            with anyio.move_on_after(_LAST_WORD_S):
                await send({"type": "http.response.body", "body": event, "more_body": False})


async def _closed(answer: httpx.Response, pieces: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
    """Yield the answer's bytes as they come, and close its connection, also if the program has gone."""
    try:
        async with aclosing(cast("AsyncGenerator[bytes]", pieces)):
            async for piece in pieces:
                yield piece
    finally:
        with anyio.CancelScope(shield=True):
            await answer.aclose()


async def _read(
    pieces: AsyncIterator[bytes], reader: ReplyReader, keep: Callable[[str], Awaitable[None]]
) -> AsyncIterator[bytes]:
    """Yield the answer's bytes as they come; then, also if the program has gone, keep what was said."""
    try:
        async for piece in pieces:
            reader.feed(piece)
            yield piece
    finally:
        with anyio.CancelScope(shield=True):
            await keep(reader.text())


async def _keep(proxy: Proxy, asking: _Asking, exchange: Exchange, reply: str) -> None:
    try:
        with calling(asking.caller):
            await to_thread.run_sync(proxy.conversations.keep, exchange, reply, limiter=proxy.crew)
    except ReverieError as error:
        logger.warning("an exchange was not kept: %s. %s", type(error).__name__, error.mend)
    except Exception:  # an edge: the answer has been passed on, the log tells
        logger.exception("an exchange was not kept")


def _asking(proxy: Proxy, request: Request) -> _Asking:
    """Return who asks and what for. Raises Refused."""
    path, token = bytes(request.scope["raw_path"]).decode("latin-1"), ""
    if path.startswith(KEY_PATH):
        token, _, rest = path.removeprefix(KEY_PATH).partition("/")
        path = f"/{rest}"
    if any(part in (".", "..") for part in unquote(path).split("/")):
        raise forbidden("The path leads out of the model's server.", "Write it without dots.")
    token = token or next((text for text in _keys(request) if text.startswith(PREFIX)), "")
    if proxy.is_open and not token:
        require_own_page(request.headers)
        return _Asking(LOCAL, _scope(proxy, LOCAL, request), path)
    principal = proxy.keyring.principal(token) if token else None
    if principal is None:
        raise unauthorized(
            "The request brings no token that is known here.",
            "Use the base URL that `reverie proxy` prints, or a token of `reverie serve token add` as the API key.",
        )
    return _Asking(principal, _scope(proxy, principal, request), path)


def _keys(request: Request) -> Iterable[str]:
    """Yield the keys that a request brings, in every place where programs put them."""
    for name in (f"{_OWN}token", *_KEYS):
        yield _key(request.headers.get(name, ""))


def _key(header: str) -> str:
    return header.removeprefix("Bearer ").strip()


def _scope(proxy: Proxy, principal: Principal, request: Request) -> Scope:
    """Return the scope: what the headers name, else what the token binds, else the proxy's own. Raises Refused."""
    bound, own = principal.binding, proxy.scope
    agent = own.agent if not bound.tenant or is_in_tenant(own.agent, bound.tenant) else bound.tenant
    defaults = {"agent": bound.agent or agent, "user": bound.user or own.user, "project": bound.project or own.project}
    named = {part: request.headers.get(f"{_OWN}{part}", default) for part, default in defaults.items()}
    try:
        scope = Scope(**named)
    except InvalidScope as error:
        raise forbidden(error.message, error.mend) from None
    if not bound.allows(scope):
        raise forbidden(f"The token is not for {scope}.", f"Its scopes are {bound}.")
    return scope


def _with_key(headers: Iterable[tuple[bytes, bytes]], key: str) -> list[tuple[bytes, bytes]]:
    """Return the headers for the model's server: a token of ours is replaced by ``key``, or left out without one."""
    passed = [(name, value) for name, value in headers if _passes(name) and name != b"content-length"]
    has_key = False
    kept: list[tuple[bytes, bytes]] = []
    for name, value in passed:
        is_key = name.decode("latin-1") in _KEYS
        if not (is_key and _key(value.decode("latin-1")).startswith(PREFIX)):
            has_key |= is_key
            kept.append((name, value))
        elif key:
            has_key = True
            kept.append((name, f"Bearer {key}".encode() if name == b"authorization" else key.encode()))
    return kept if has_key or not key else [*kept, (b"authorization", f"Bearer {key}".encode())]


def _passes(name: bytes) -> bool:
    """Whether a header is passed on: not one of the connection, nor one of ours."""
    lower = name.lower().decode("latin-1")
    return lower not in _HOP and not lower.startswith(_OWN)


def _is_stream(answer: httpx.Response) -> bool:
    return str(answer.headers.get("content-type", "")).startswith("text/event-stream")


async def _body(request: Request, most: int) -> bytes:
    """Return the request's body. Raises Refused if it is longer than ``most`` bytes."""
    held = bytearray()
    async for piece in request.stream():
        held += piece
        if len(held) > most:
            raise Refused(
                Problem(413, "content-too-large", f"The body has more than {most} bytes.", "See proxy.body_mb.")
            )
    return bytes(held)


def _json(body: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _error(problem: Problem) -> dict[str, object]:
    """Return an error in a shape that the clients of every protocol read."""
    text = f"{problem.detail} {problem.mend}".strip()
    return {"type": "error", "error": {"type": problem.kind, "code": problem.kind, "message": text}}
