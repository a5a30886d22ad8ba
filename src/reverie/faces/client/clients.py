"""The two clients: one that waits for each answer, one that is awaited; both send what ``calls`` describes.

Each method has the signature of the engine's method of its name, and raises what the engine would have raised.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine
from functools import wraps
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, Self, TypeVar, overload

from reverie.errors import ModelMissing, ServerUnavailable
from reverie.faces.client import calls
from reverie.faces.client.call import Call, Parts, read

if TYPE_CHECKING:
    import httpx


P = ParamSpec("P")
T = TypeVar("T")

TIMEOUT_S = 30.0
_SELF = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)


class Method(Generic[P, T]):
    """A method of both clients: what sends a call of ``calls``, and answers with its answer or what to await for it."""

    def __init__(self, describe: Callable[P, Call[T] | Parts[T]]) -> None:
        @wraps(describe)
        def method(self: Client | AsyncClient, /, *args: P.args, **kwargs: P.kwargs) -> Any:
            return self.send(describe(*args, **kwargs))

        signature = inspect.signature(describe)
        signed: Any = method
        signed.__signature__ = signature.replace(parameters=[_SELF, *signature.parameters.values()])
        self._method = signed

    @overload
    def __get__(self, client: None, kind: type) -> Callable[Concatenate[Any, P], Any]: ...
    @overload
    def __get__(self, client: Client, kind: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, client: AsyncClient, kind: type) -> Callable[P, Coroutine[Any, Any, T]]: ...
    def __get__(self, client: Client | AsyncClient | None, kind: type) -> Callable[..., Any]:
        """The method of a client; of the class, for whoever inspects it, with ``self`` before its parameters."""
        found: Callable[..., Any] = self._method.__get__(client, kind)
        return found


class Methods:
    """The methods of both clients, one for each call."""

    remember = Method(calls.remember)
    remember_many = Method(calls.remember_many)
    observe = Method(calls.observe)
    note = Method(calls.note)
    recall = Method(calls.recall)
    explain = Method(calls.explain)
    timeline = Method(calls.timeline)
    memory = Method(calls.memory)
    formed = Method(calls.formed)
    latest = Method(calls.latest)
    stats = Method(calls.stats)
    scopes = Method(calls.scopes)
    events = Method(calls.events)
    history = Method(calls.history)
    dreams = Method(calls.dreams)
    health = Method(calls.health)
    forgetting_curve = Method(calls.forgetting_curve)
    correct = Method(calls.correct)
    amend = Method(calls.amend)
    forget = Method(calls.forget)
    reopen = Method(calls.reopen)
    erase = Method(calls.erase)
    feedback = Method(calls.feedback)
    pin = Method(calls.pin)
    protect = Method(calls.protect)
    revive = Method(calls.revive)
    release = Method(calls.release)
    quarantined = Method(calls.quarantined)
    about = Method(calls.about)
    hot = Method(calls.hot)
    relate = Method(calls.relate)
    relations = Method(calls.relations)
    graph = Method(calls.graph)
    working = Method(calls.working)
    end_session = Method(calls.end_session)
    dream = Method(calls.dream)
    decay = Method(calls.decay)
    compact = Method(calls.compact)
    undo = Method(calls.undo)
    undo_event = Method(calls.undo_event)
    anchor = Method(calls.anchor)
    verify = Method(calls.verify)
    doctor = Method(calls.doctor)
    catch_up = Method(calls.catch_up)


class Client(Methods):
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

    def close(self) -> None:
        """Let go of the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncClient(Methods):
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

    async def close(self) -> None:
        """Let go of the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


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
