"""The two clients, synchronous and asynchronous; both send the same calls.

Each method has the signature of the engine's method of the same name, and raises the errors that method raises.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine
from functools import wraps
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, Self, TypeVar, overload

from reverie.answers import Anchor, Curve, Digest, Expansion, Fault, Health, Injection, Origin, Stats
from reverie.consolidate.history import Compacted, DreamReport, DreamSummary
from reverie.encode.session import WorkingItem
from reverie.engine.consolidate import Consolidation
from reverie.engine.core import Reverie
from reverie.engine.curate import Curation
from reverie.engine.maintain import Maintenance
from reverie.engine.retrieve import Retrieval
from reverie.engine.undo import UndoReport
from reverie.errors import ModelMissing, ServerUnavailable
from reverie.events import Event
from reverie.extras import lacking
from reverie.faces.client import calls
from reverie.faces.client.call import Call, Parts, put_through, read
from reverie.types import Memory, Relation, Scope

if TYPE_CHECKING:
    import httpx


P = ParamSpec("P")
T = TypeVar("T")

TIMEOUT_S = 30.0
_SELF = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)


class Method(Generic[P, T]):
    """A method of both clients: sends the call it describes and returns the value, or a coroutine for it."""

    def __init__(self, describe: Callable[P, Call[T] | Parts[T]]) -> None:
        @wraps(describe)
        def method(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> Any:
            return self.send(describe(*args, **kwargs))

        signature = inspect.signature(describe)
        signed: Any = method
        signed.__signature__ = signature.replace(parameters=[_SELF, *signature.parameters.values()])
        self._method = signed

    @overload
    def __get__(self, client: None, kind: type) -> Callable[Concatenate[Any, P], Any]: ...
    @overload
    def __get__(self, client: Client | Part, kind: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, client: AsyncClient | AsyncPart, kind: type) -> Callable[P, Coroutine[Any, Any, T]]: ...
    def __get__(self, client: object | None, kind: type) -> Callable[..., Any]:
        """Return the method bound to a client; on the class, the plain function with ``self``, for introspection."""
        found: Callable[..., Any] = self._method.__get__(client, kind)
        return found


class Verbs:
    """The main methods of both clients: the engine's own, and those of ``calls`` that differ."""

    remember = Method(calls.remember)
    observe = Method(calls.observe)
    recall = Method(calls.recall)
    explain = Method(calls.explain)
    timeline = Method(calls.timeline)
    memory = Method(put_through(Reverie.memory, "GET", "memories/{memory_id}", Memory, "memory"))
    correct = Method(put_through(Reverie.correct, "PUT", "memories/{memory_id}", Memory, "memory"))
    forget = Method(put_through(Reverie.forget, "POST", "memories/{memory_id}/forget", Memory, "memory"))
    restore = Method(put_through(Reverie.restore, "POST", "memories/{memory_id}/restore", Memory, "memory"))
    feedback = Method(put_through(Reverie.feedback, "POST", "memories/{memory_id}/feedback", Memory, "memory"))
    relate = Method(put_through(Reverie.relate, "POST", "memories/{source}/relations", Relation, "relation"))
    dream = Method(calls.dream)
    undo = Method(put_through(Reverie.undo, "POST", "undo", UndoReport, long=True))


class AdminCalls:
    """The methods of ``engine.admin`` that can be called over HTTP."""

    note = Method(calls.note)
    formed = Method(calls.formed)
    latest = Method(put_through(Retrieval.latest, "GET", "latest", list[Memory], "memories"))
    stats = Method(put_through(Retrieval.stats, "GET", "stats", Stats))
    scopes = Method(put_through(Retrieval.scopes, "GET", "scopes", list[Scope], "scopes"))
    events = Method(calls.events)
    injected = Method(put_through(Retrieval.injected, "GET", "injected", list[Injection], "injections"))
    history = Method(put_through(Retrieval.history, "GET", "memories/{memory_id}/history", list[Event], "events"))
    provenance = Method(
        put_through(Retrieval.provenance, "GET", "memories/{memory_id}/provenance", list[Origin], "origins")
    )
    expand = Method(put_through(Retrieval.expand, "GET", "memories/{memory_id}/expand", Expansion))
    condense = Method(put_through(Retrieval.condense, "GET", "condense", Digest))
    dreams = Method(put_through(Retrieval.dreams, "GET", "dreams", list[DreamSummary], "dreams"))
    health = Method(put_through(Retrieval.health, "GET", "health", Health))
    forgetting_curve = Method(put_through(Retrieval.forgetting_curve, "GET", "memories/{memory_id}/curve", Curve))
    amend = Method(put_through(Curation.amend, "POST", "memories/{memory_id}/amend", Memory, "memory"))
    reopen = Method(put_through(Curation.reopen, "POST", "memories/{memory_id}/reopen", Memory, "memory"))
    erase = Method(calls.erase)
    pin = Method(put_through(Curation.pin, "POST", "memories/{memory_id}/pin", Memory, "memory"))
    protect = Method(put_through(Curation.protect, "POST", "memories/{memory_id}/protect", Memory, "memory"))
    revive = Method(put_through(Curation.revive, "POST", "memories/{memory_id}/revive", Memory, "memory"))
    quarantine = Method(put_through(Curation.quarantine, "POST", "memories/{memory_id}/quarantine", Memory, "memory"))
    release = Method(put_through(Curation.release, "POST", "memories/{memory_id}/release", Memory, "memory"))
    quarantined = Method(put_through(Curation.quarantined, "GET", "quarantine", list[Memory], "memories"))
    about = Method(put_through(Curation.about, "GET", "about", list[Memory], "memories"))
    hot = Method(put_through(Consolidation.hot, "GET", "hot", list[Memory], "memories"))
    relations = Method(calls.relations)
    graph = Method(calls.graph)
    working = Method(put_through(Curation.working, "GET", "working", list[WorkingItem], "items"))
    end_session = Method(put_through(Curation.end_session, "DELETE", "working", list[WorkingItem], "items"))
    decay = Method(put_through(Consolidation.decay, "POST", "decay", DreamReport, long=True))
    compact = Method(put_through(Consolidation.compact, "POST", "compact", Compacted, long=True))
    anchor = Method(put_through(Maintenance.anchor, "GET", "anchor", Anchor))
    verify = Method(put_through(Maintenance.verify, "POST", "verify", list[Fault], "faults", long=True))
    doctor = Method(put_through(Maintenance.doctor, "POST", "doctor", list[Fault], "faults", long=True))
    embed = Method(calls.embed)


class TransferCalls:
    """The methods of ``engine.transfer`` that need no file on the server's machine."""

    remember_many = Method(calls.remember_many)


class Part:
    """A group of a client's methods, which sends through the client."""

    def __init__(self, client: Client) -> None:
        self.send = client.send


class AsyncPart:
    """A group of an asynchronous client's methods, which sends through the client."""

    def __init__(self, client: AsyncClient) -> None:
        self.send = client.send


class ClientAdmin(Part, AdminCalls):
    """``client.admin``: maintenance methods, as in ``engine.admin``."""


class ClientTransfer(Part, TransferCalls):
    """``client.transfer``: bulk import, as in ``engine.transfer``."""


class AsyncClientAdmin(AsyncPart, AdminCalls):
    """``client.admin`` of the asynchronous client."""


class AsyncClientTransfer(AsyncPart, TransferCalls):
    """``client.transfer`` of the asynchronous client."""


class Client(Verbs):
    """A memory behind ``reverie serve``, used as ``Reverie`` itself is.

    Args:
        url: where the server answers, as in "http://127.0.0.1:8377"; the address that ``reverie serve`` prints may be
            given whole, with its token.
        token: what ``reverie serve token add`` or ``reverie serve`` printed.
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
        """Send a call and return its value. Raises ServerUnavailable, or the error the server reports."""
        import httpx

        if isinstance(call, Parts):
            return call.joined([self.send(part) for part in call.calls])
        try:
            answer = self._http.request(call.method, call.path, **_sent(call))
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise _unreachable(error) from error
        return call.read(read(answer.status_code, answer.content))

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncClient(Verbs):
    """An asynchronous client for a memory behind ``reverie serve``: like ``Client``, but every method is awaited."""

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
        """Send a call and return its value. Raises ServerUnavailable, or the error the server reports."""
        import httpx

        if isinstance(call, Parts):
            return call.joined([await self.send(part) for part in call.calls])
        try:
            answer = await self._http.request(call.method, call.path, **_sent(call))
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise _unreachable(error) from error
        return call.read(read(answer.status_code, answer.content))

    async def close(self) -> None:
        """Close the connections."""
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
        raise lacking("client", "The client of a Reverie server", ModelMissing) from None
    return httpx


def _options(url: str, token: str | None, timeout_s: float, transport: object) -> dict[str, Any]:
    url, _, brought = url.partition("#token=")
    token = token or brought
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return {"base_url": url, "headers": headers, "timeout": timeout_s, "transport": transport, "trust_env": False}


def _sent(call: Call[Any]) -> dict[str, Any]:
    """Return a call's body, query and timeout as arguments for httpx."""
    options: dict[str, Any] = {"params": call.query}
    if call.content is not None:
        options |= {"content": call.content, "headers": {"Content-Type": "application/json"}}
    return options | ({"timeout": None} if call.long else {})


def _unreachable(error: Exception) -> ServerUnavailable:
    what = str(error) or type(error).__name__
    return ServerUnavailable(f"The server does not answer: {what}.", "Is `reverie serve` running there?")
