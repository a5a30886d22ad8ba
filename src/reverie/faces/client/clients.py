"""The two clients: one that waits for each answer, one that is awaited; both send what ``calls`` describes.

Each method has the signature of the engine's method of its name, and raises what the engine would have raised.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine
from functools import wraps
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Self, TypeVar

from reverie.errors import ModelMissing, ServerUnavailable
from reverie.faces.client import calls
from reverie.faces.client.call import Call, Parts, read

if TYPE_CHECKING:
    import httpx


P = ParamSpec("P")
T = TypeVar("T")

TIMEOUT_S = 30.0
_SELF = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)


def _waiting(describe: Callable[P, Call[T] | Parts[T]]) -> Callable[Concatenate[Client | _Part, P], T]:
    @wraps(describe)
    def method(self: Client | _Part, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.send(describe(*args, **kwargs))

    _sign(method, describe)
    return method


def _awaited(
    describe: Callable[P, Call[T] | Parts[T]],
) -> Callable[Concatenate[AsyncClient | _AsyncPart, P], Coroutine[Any, Any, T]]:
    @wraps(describe)
    async def method(self: AsyncClient | _AsyncPart, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.send(describe(*args, **kwargs))

    _sign(method, describe)
    return method


def _sign(method: Any, describe: Callable[..., object]) -> None:
    """Give the method the call's parameters behind ``self``, for whoever inspects it."""
    signature = inspect.signature(describe)
    method.__signature__ = signature.replace(parameters=[_SELF, *signature.parameters.values()])


class Client:
    """A memory behind ``reverie serve``, used as ``Reverie`` itself is.

    Args:
        url: where the server answers, as in "http://127.0.0.1:8377"; the address that ``reverie serve`` prints may be
            given whole, with its token.
        token: what ``reverie token add`` or ``reverie serve`` printed.
        timeout_s: seconds to wait for an answer; a dream, an import or a check may take as long as it takes.
        transport: what carries requests instead of the network, for tests.

    Raises:
        ModelMissing: httpx is not installed.
    """

    def __init__(
        self,
        url: str,
        *,
        token: str | None = None,
        timeout_s: float = TIMEOUT_S,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._http: httpx.Client = _http().Client(**_options(url, token, timeout_s, transport))
        self.admin, self.transfer = ClientAdmin(self), ClientTransfer(self)

    def send(self, call: Call[T] | Parts[T]) -> T:
        """Send a call and read its answer. Raises ServerUnavailable, or what the server tells of."""
        import httpx

        if isinstance(call, Parts):
            return call.joined([self.send(part) for part in call.calls])
        try:
            answer = self._http.request(call.method, call.path, **_sent(call))
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise _unreachable(error) from error
        return call.read(read(answer.status_code, answer.content))

    remember = _waiting(calls.remember)
    observe = _waiting(calls.observe)
    recall = _waiting(calls.recall)
    explain = _waiting(calls.explain)
    timeline = _waiting(calls.timeline)
    memory = _waiting(calls.memory)
    correct = _waiting(calls.correct)
    restore = _waiting(calls.restore)
    forget = _waiting(calls.forget)
    feedback = _waiting(calls.feedback)
    relate = _waiting(calls.relate)
    dream = _waiting(calls.dream)
    undo = _waiting(calls.undo)

    def close(self) -> None:
        """Let go of the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncClient:
    """The same for those who do not wait: every method is awaited."""

    def __init__(
        self,
        url: str,
        *,
        token: str | None = None,
        timeout_s: float = TIMEOUT_S,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._http: httpx.AsyncClient = _http().AsyncClient(**_options(url, token, timeout_s, transport))
        self.admin, self.transfer = AsyncClientAdmin(self), AsyncClientTransfer(self)

    async def send(self, call: Call[T] | Parts[T]) -> T:
        """Send a call and read its answer. Raises ServerUnavailable, or what the server tells of."""
        import httpx

        if isinstance(call, Parts):
            return call.joined([await self.send(part) for part in call.calls])
        try:
            answer = await self._http.request(call.method, call.path, **_sent(call))
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise _unreachable(error) from error
        return call.read(read(answer.status_code, answer.content))

    remember = _awaited(calls.remember)
    observe = _awaited(calls.observe)
    recall = _awaited(calls.recall)
    explain = _awaited(calls.explain)
    timeline = _awaited(calls.timeline)
    memory = _awaited(calls.memory)
    correct = _awaited(calls.correct)
    restore = _awaited(calls.restore)
    forget = _awaited(calls.forget)
    feedback = _awaited(calls.feedback)
    relate = _awaited(calls.relate)
    dream = _awaited(calls.dream)
    undo = _awaited(calls.undo)

    async def close(self) -> None:
        """Let go of the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


class _Part:
    """A part of a client: it sends as the client does."""

    def __init__(self, client: Client) -> None:
        self.send = client.send


class ClientAdmin(_Part):
    """``client.admin``: what an operator does now and then, as ``engine.admin``."""

    note = _waiting(calls.note)
    formed = _waiting(calls.formed)
    latest = _waiting(calls.latest)
    stats = _waiting(calls.stats)
    scopes = _waiting(calls.scopes)
    events = _waiting(calls.events)
    history = _waiting(calls.history)
    dreams = _waiting(calls.dreams)
    health = _waiting(calls.health)
    forgetting_curve = _waiting(calls.forgetting_curve)
    amend = _waiting(calls.amend)
    reopen = _waiting(calls.reopen)
    erase = _waiting(calls.erase)
    pin = _waiting(calls.pin)
    protect = _waiting(calls.protect)
    revive = _waiting(calls.revive)
    release = _waiting(calls.release)
    quarantined = _waiting(calls.quarantined)
    about = _waiting(calls.about)
    hot = _waiting(calls.hot)
    relations = _waiting(calls.relations)
    graph = _waiting(calls.graph)
    working = _waiting(calls.working)
    end_session = _waiting(calls.end_session)
    decay = _waiting(calls.decay)
    compact = _waiting(calls.compact)
    anchor = _waiting(calls.anchor)
    verify = _waiting(calls.verify)
    doctor = _waiting(calls.doctor)
    catch_up = _waiting(calls.catch_up)


class ClientTransfer(_Part):
    """``client.transfer``: memories in, many at a time, as ``engine.transfer``."""

    remember_many = _waiting(calls.remember_many)


class _AsyncPart:
    """The same for those who do not wait."""

    def __init__(self, client: AsyncClient) -> None:
        self.send = client.send


class AsyncClientAdmin(_AsyncPart):
    """``client.admin``: what an operator does now and then, as ``engine.admin``."""

    note = _awaited(calls.note)
    formed = _awaited(calls.formed)
    latest = _awaited(calls.latest)
    stats = _awaited(calls.stats)
    scopes = _awaited(calls.scopes)
    events = _awaited(calls.events)
    history = _awaited(calls.history)
    dreams = _awaited(calls.dreams)
    health = _awaited(calls.health)
    forgetting_curve = _awaited(calls.forgetting_curve)
    amend = _awaited(calls.amend)
    reopen = _awaited(calls.reopen)
    erase = _awaited(calls.erase)
    pin = _awaited(calls.pin)
    protect = _awaited(calls.protect)
    revive = _awaited(calls.revive)
    release = _awaited(calls.release)
    quarantined = _awaited(calls.quarantined)
    about = _awaited(calls.about)
    hot = _awaited(calls.hot)
    relations = _awaited(calls.relations)
    graph = _awaited(calls.graph)
    working = _awaited(calls.working)
    end_session = _awaited(calls.end_session)
    decay = _awaited(calls.decay)
    compact = _awaited(calls.compact)
    anchor = _awaited(calls.anchor)
    verify = _awaited(calls.verify)
    doctor = _awaited(calls.doctor)
    catch_up = _awaited(calls.catch_up)


class AsyncClientTransfer(_AsyncPart):
    """``client.transfer``: memories in, many at a time, as ``engine.transfer``."""

    remember_many = _awaited(calls.remember_many)


def _http() -> Any:
    try:
        import httpx
    except ImportError:
        raise ModelMissing("The client needs httpx.", "Install it: pip install 'reverie[client]'.") from None
    return httpx


def _options(url: str, token: str | None, timeout_s: float, transport: object) -> dict[str, Any]:
    url, _, brought = url.partition("#token=")
    token = token or brought
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return {"base_url": url, "headers": headers, "timeout": timeout_s, "transport": transport, "trust_env": False}


def _sent(call: Call[Any]) -> dict[str, Any]:
    """A call as httpx takes it."""
    options: dict[str, Any] = {"params": call.query}
    if call.content is not None:
        options |= {"content": call.content, "headers": {"Content-Type": "application/json"}}
    return options | ({"timeout": None} if call.long else {})


def _unreachable(error: Exception) -> ServerUnavailable:
    what = str(error) or type(error).__name__
    return ServerUnavailable(f"The server does not answer: {what}.", "Is `reverie serve` running there?")
