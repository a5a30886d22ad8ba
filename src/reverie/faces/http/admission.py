"""Let a team's requests in, count them, and answer those with an Idempotency-Key once.

``Admission`` finds out who asks, holds tenants to their quotas and writes the audit. ``once`` runs a request of a key
that nobody used yet, and repeats the answer of one that was used.
"""

from __future__ import annotations

import hmac
import json
import logging
import secrets
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import count
from typing import IO, TYPE_CHECKING, TypeVar
from urllib.parse import parse_qsl

import anyio
from anyio import CapacityLimiter, to_thread
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Send
from starlette.types import Scope as AsgiScope

from reverie.answers import Receipt
from reverie.config import TeamSettings
from reverie.engine.core import Reverie
from reverie.engine.runtime import SystemClock, salting
from reverie.errors import InvalidScope, InvalidSetting, NotFound
from reverie.events import Event
from reverie.extras import lacking
from reverie.faces.http.problems import Problem, Refused, forbidden, unauthorized
from reverie.faces.http.team import Claim, Entry, Quota, State, Team
from reverie.faces.http.tokens import Principal, digest_of, is_in_tenant
from reverie.types import Scope
from reverie.wire.shapes import shape, touched

if TYPE_CHECKING:
    from reverie.faces.http.oidc import Provider

CHANGING = ("POST", "PUT", "DELETE")
READING = ("/v1/recall", "/v1/explain", "/v1/verify", "/v1/doctor", "/v1/replay", "/v1/backup")
"""Routes that are asked with POST and change nothing that a second request would change again."""
GROWING = (
    "/v1/remember",
    "/v1/remember-many",
    "/v1/observe",
    "/v1/note",
    "/v1/intentions",
    "/v1/import",
    "/v1/import-from",
)
"""Routes that are refused where a quota of memories, bytes or scopes is used up."""
KEY_MAX = 200
MEASURED_S = 1.0
SMALL = 1000
USED_EVERY_S = 60.0
WAIT_S = 30.0
STEP_S = 0.05
BODY_IN_MEMORY = 1_000_000
ANSWER_MAX = 4_000_000
MARKS = 64
EVENTS = 1000
THREADS = 4
_NOT_KEPT = (401, 403, 408, 413, 429)
_NONCE_BYTES = 12

T = TypeVar("T")

logger = logging.getLogger("reverie.http")


@dataclass(frozen=True, slots=True)
class _Measured:
    """What a tenant uses, and when that was measured."""

    at_s: float
    used: Quota
    scopes: frozenset[Scope]


@dataclass(slots=True)
class Admission:
    """A team's side of one server. ``now`` tells the time of expiry, ``now_s`` is monotonic."""

    team: Team
    settings: TeamSettings
    engine: Reverie
    provider: Provider | None = None
    now: Callable[[], datetime] = field(default_factory=lambda: SystemClock().now)
    crew: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(THREADS))
    _used: dict[str, datetime] = field(default_factory=dict)
    _measured: dict[str, _Measured] = field(default_factory=dict)
    _texts: dict[Scope, tuple[int, int]] = field(default_factory=dict)

    def principal(self, bearer: str) -> Principal | None:
        """Return who a bearer token belongs to; None if unknown. Raises Refused: 401, 403, 503."""
        found = self._of_provider(bearer) if bearer.count(".") == 2 else self._of_table(bearer)
        if found is not None and found.binding.tenant:
            self._require_tenant(found.binding.tenant)
        return found

    def _of_provider(self, bearer: str) -> Principal | None:
        return None if self.provider is None else self.provider.principal(bearer)

    def _of_table(self, bearer: str) -> Principal | None:
        digest, now = digest_of(bearer), self.now()
        found = self.team.token(digest)
        if found is None:
            return None
        if found.expires_at is not None and found.expires_at <= now:
            raise unauthorized("The token has expired.", "Ask for a new one.")
        last = self._used.get(digest) or found.used_at
        if last is None or (now - last).total_seconds() >= USED_EVERY_S:
            self._used[digest] = now
            self.team.used(digest, now)
        return found.principal

    def _require_tenant(self, name: str) -> Quota:
        for tenant in self.team.tenants():
            if tenant.name == name:
                return tenant.quota
        raise forbidden(f"There is no tenant {name!r} here.", "Whoever runs the server adds it.")

    def spend(self, asked: Asking) -> None:
        """Hold a tenant to its quota before a request runs. Raises Refused: 429."""
        tenant = asked.principal.binding.tenant
        if not tenant:
            return
        quota = self._require_tenant(tenant)
        if quota.requests:
            now = self.now().astimezone(UTC)
            spent = self.team.spend(tenant, now.date().isoformat())
            if spent > quota.requests:
                midnight = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
                wait = int((midnight - now).total_seconds()) + 1
                raise _over(tenant, "requests", quota.requests, "Wait until tomorrow (UTC)", {"Retry-After": str(wait)})
        if asked.grows and (quota.memories or quota.bytes or quota.scopes):
            self._hold(tenant, quota, asked)

    def _hold(self, tenant: str, quota: Quota, asked: Asking) -> None:
        measured = self._measure(tenant, quota, asked.now_s)
        mend = "Erase what is no longer needed"
        for what in ("memories", "bytes"):
            most = getattr(quota, what)
            if most and getattr(measured.used, what) >= most:
                raise _over(tenant, what, most, mend, {})
        if quota.scopes and measured.used.scopes >= quota.scopes and asked.scope not in measured.scopes:
            raise _over(tenant, "scopes", quota.scopes, "Write into one that exists", {})

    def _measure(self, tenant: str, quota: Quota, now_s: float) -> _Measured:
        """Return what a tenant uses, as it was at most a second ago."""
        known = self._measured.get(tenant)
        if known is not None and now_s - known.at_s < MEASURED_S:
            return known
        admin = self.engine.admin
        scopes = [scope for scope in admin.scopes() if is_in_tenant(scope.agent, tenant)]
        stats = {scope: admin.stats(scope) for scope in scopes} if quota.memories or quota.bytes else {}
        memories = sum(one.memories for one in stats.values())
        texts = sum(self._bytes(scope, one.events) for scope, one in stats.items()) if quota.bytes else 0
        found = _Measured(now_s, Quota(memories, texts, len(scopes)), frozenset(scopes))
        if not _is_near(found.used, quota):
            self._measured[tenant] = found
        return found

    def _bytes(self, scope: Scope, events: int) -> int:
        """Return the bytes of a scope's texts, counted anew when its journal has grown."""
        known = self._texts.get(scope)
        if known is None or known[0] != events:
            found = sum(len(one.text.encode("utf-8", "surrogatepass")) for one in self.engine.timeline(scope))
            known = self._texts[scope] = (events, found)
        return known[1]

    def log(self, asked: Asking, status: int) -> None:
        """Write one request into the audit."""
        now, who = self.now(), asked.principal
        tenant, name = (who.binding.tenant, who.name) if asked.is_known else ("", "")
        entry = Entry(now, tenant, name, asked.action, str(asked.scope or ""), asked.request_id, status)
        if asked.method == "DELETE" and status < 300 and asked.scope is not None and not asked.key:
            self.team.forget_answers(str(asked.scope))
        self.team.log(entry, now - timedelta(days=self.settings.audit_days))

    def claimed(self, asked: Asking, body: str) -> Claim:
        """Claim the key of a request."""
        now = self.now()
        since = now - timedelta(hours=self.settings.idempotency_hours)
        return self.team.claim(asked.key_digest, body, str(asked.scope or ""), now, since)


def opened(team: Team, settings: TeamSettings, engine: Reverie, now_s: Callable[[], float]) -> Admission:
    """Return the admission that the settings ask for. Raises InvalidSetting."""
    _require_cipher()
    admission = Admission(team, settings, engine)
    if settings.issuer:
        from reverie.faces.http.oidc import Keys, Provider

        admission.provider = Provider(settings, Keys(settings, now_s), admission.now)
    return admission


def _require_cipher() -> None:
    try:
        import cryptography  # noqa: F401 - so that a missing extra shows at the start
    except ImportError:
        raise lacking("serve,team", "The setting team.on", InvalidSetting) from None


def _is_near(used: Quota, quota: Quota) -> bool:
    """Whether a quota is so small, or so far used, that it must be counted at every request."""
    pairs = ((used.memories, quota.memories), (used.bytes, quota.bytes), (used.scopes, quota.scopes))
    return any(most > 0 and (most < SMALL or now * 2 >= most) for now, most in pairs)


def _over(tenant: str, what: str, most: int, mend: str, headers: dict[str, str]) -> Refused:
    more = f"{mend}, or ask whoever runs the server for more: `reverie serve tenant add {tenant} --{what} N`."
    return Refused(Problem(429, "quota-exceeded", f"The tenant {tenant} has used its {most} {what}.", more, headers))


@dataclass(frozen=True, slots=True)
class Asking:
    """A request as the admission sees it: who asks for what in which scope. ``now_s`` is monotonic."""

    principal: Principal
    is_known: bool
    method: str
    path: str
    query: str
    request_id: str
    key: str
    now_s: float

    @property
    def action(self) -> str:
        """The method, and the path without what stands for a memory or was made up."""
        parts = self.path.split("/")
        plain = all(part.isascii() and part.replace("-", "").isalpha() and part.islower() for part in parts[2:3])
        if len(parts) < 3 or not plain or parts[1] != "v1" or len(parts[2]) > 40:
            return f"{self.method} {'/metrics' if self.path == '/metrics' else 'other'}"
        known = [parts[2], *("{id}" for _ in parts[3:4]), *(parts[4:5] if parts[4:5] and parts[4].isalpha() else [])]
        return f"{self.method} /v1/{'/'.join(known)}"[:100]

    @property
    def scope(self) -> Scope | None:
        """The scope that the address or the token names; None if it is none."""
        named, bound = dict(parse_qsl(self.query, keep_blank_values=True)), self.principal.binding
        parts = ("agent", bound.agent), ("user", bound.user), ("project", bound.project)
        try:
            return Scope(*(named.get(name) or own or "" for name, own in parts))
        except InvalidScope:
            return None

    @property
    def changes(self) -> bool:
        """Whether it may change something, so that a key counts."""
        return self.method in CHANGING and self.path not in READING

    @property
    def grows(self) -> bool:
        """Whether it may add memories."""
        return (self.method == "POST" and self.path in GROWING) or self.method == "PUT"

    @property
    def key_digest(self) -> str:
        """The key as it is kept, apart for each caller."""
        return _keyed(self.key, f"kept {self.principal.name}").hex()


def _keyed(key: str, what: str) -> bytes:
    return hmac.digest(key.encode("utf-8", "surrogatepass"), what.encode("utf-8", "surrogatepass"), "sha256")


class Once:
    """One request with an Idempotency-Key: it is done once, and its answer repeated."""

    def __init__(self, admission: Admission, asked: Asking) -> None:
        if not asked.key.isprintable() or len(asked.key) > KEY_MAX:
            raise Refused(
                Problem(422, "invalid-request", "The Idempotency-Key is none.", f"Send 1 to {KEY_MAX} characters.")
            )
        self._admission, self._asked = admission, asked

    async def run(self, app: ASGIApp, scope: AsgiScope, receive: Receive, send: Send) -> None:
        """Answer the request. Raises Refused: 409 while another does it or the answer is lost, 422 for another body."""
        with tempfile.SpooledTemporaryFile(max_size=BODY_IN_MEMORY) as body:
            digest = await self._read(receive, body)
            claim = await self._claim(digest)
            answer = await self._kept(claim)
            if answer is not None:
                await answer(scope, receive, send)
                return
            await self._do(app, scope, _again(body), send, claim.secret)

    async def _read(self, receive: Receive, body: IO[bytes]) -> str:
        """Keep the body; return the digest of the request, without what changes from one try to the next."""
        asked = self._asked
        hashed = sha256("\n".join((asked.method, asked.path, *sorted(asked.query.split("&")), "")).encode("ascii"))
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise Refused(Problem(400, "bad-request", "The request ended before its body."))
            piece = message.get("body", b"")
            hashed.update(piece)
            body.write(piece)
            if not message.get("more_body", False):
                return hashed.hexdigest()

    async def _claim(self, digest: str) -> Claim:
        """Claim the key; wait while another request of it runs."""
        left = WAIT_S
        while True:
            claim = await self._in_thread(lambda: self._admission.claimed(self._asked, digest))
            if claim.state is not State.RUNNING:
                return claim
            if left <= 0:
                raise Refused(
                    Problem(
                        409,
                        "request-in-progress",
                        "A request with this Idempotency-Key is still running.",
                        "Ask again with the same key.",
                        headers={"Retry-After": "1"},
                    )
                )
            left -= STEP_S
            await anyio.sleep(STEP_S)

    async def _kept(self, claim: Claim) -> Response | None:
        """Return the answer of a request that was done; None if it is still to be done."""
        if claim.state is State.OTHER:
            raise Refused(
                Problem(
                    422,
                    "idempotency-key-reused",
                    "This Idempotency-Key came with another request before.",
                    "Use a new key for each request, and the same one only to repeat it.",
                )
            )
        if claim.state is State.DONE:
            if claim.answer is None:
                raise _lost("")
            return _unsealed(self._asked, claim.status, claim.answer)
        return await self._in_thread(lambda: self._recovered(claim.secret)) if claim.state is State.LEFT else None

    def _recovered(self, secret: bytes) -> Response | None:
        """Find out whether a request whose process died was done, by the salts of its events; rebuild its answer."""
        event = self._event(secret)
        if event is None:
            return None
        kind, body = "application/json", self._rebuilt(event)
        if body is not None:
            self._admission.team.settle(self._asked.key_digest, 200, _sealed(self._asked, kind, body))
            return Response(body, media_type=kind)
        self._admission.team.settle(self._asked.key_digest, 200, None)
        raise _lost(f" Its event is number {event.seq}.")

    def _event(self, secret: bytes) -> Event | None:
        scope, marks = self._asked.scope, set(_salts(secret, MARKS))
        after = 0
        while scope is not None:
            found = self._admission.engine.admin.events(scope, after=after, limit=EVENTS)
            for event in found:
                if event.salt in marks:
                    return event
            if len(found) < EVENTS:
                return None
            after = found[-1].seq
        return None

    def _rebuilt(self, event: Event) -> bytes | None:
        """Return the answer of a route that answers with a receipt or one memory; None for others."""
        ids, path, engine = touched(event.payload), self._asked.path, self._admission.engine
        scope = event.scope
        try:
            if path in ("/v1/remember", "/v1/observe") and ids:
                made = engine.memory(ids[0], scope)
                has_vector = bool(engine.admin.model)
                receipt = Receipt(made.id, scope, made.session, made.seq, new=True, embedded=has_vector, formed=ids[1:])
                return _dumped({"scope": shape(scope), **shape(receipt)})
            is_one = path.startswith("/v1/memories/") and not path.endswith("/relations") and event.payload is not None
            if is_one and self._asked.method != "DELETE" and ids:
                # correcting makes a memory and ends one: the answer is the one that holds
                memories = [engine.memory(one, scope) for one in ids]
                chosen = next((one for one in memories if one.valid_until is None), memories[0])
                return _dumped({"scope": shape(scope), "memory": shape(chosen)})
        except NotFound:
            return None
        return None

    async def _do(self, app: ASGIApp, scope: AsgiScope, receive: Receive, send: Send, secret: bytes) -> None:
        """Run the request, keep its answer, then send it."""
        caught = _Caught()
        kept = False
        try:
            with salting(_salts(secret)):
                await app(scope, receive, caught)
            await self._in_thread(lambda: self._keep(caught))
            kept = True
        finally:
            if not kept:
                with anyio.CancelScope(shield=True):
                    await self._in_thread(lambda: self._admission.team.settle(self._asked.key_digest, 0, None))
        for message in caught.messages:
            await send(message)

    def _keep(self, caught: _Caught) -> None:
        asked, team = self._asked, self._admission.team
        if caught.status >= 500 or caught.status in _NOT_KEPT:
            team.settle(asked.key_digest, 0, None)
            return
        is_short = len(caught.body) <= ANSWER_MAX
        if asked.method == "DELETE" and caught.status < 300 and asked.scope is not None:
            team.forget_answers(str(asked.scope))
        team.settle(
            asked.key_digest, caught.status, _sealed(asked, caught.media_type, caught.body) if is_short else None
        )

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await to_thread.run_sync(work, limiter=self._admission.crew)


class _Caught:
    """An answer that is held back until it is kept."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.status = 500

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        self.messages.append(message)

    @property
    def body(self) -> bytes:
        return b"".join(one.get("body", b"") for one in self.messages if one["type"] == "http.response.body")

    @property
    def media_type(self) -> str:
        return next(
            (value.decode("latin-1") for name, value in self.messages[0]["headers"] if name == b"content-type"), ""
        )


def _again(body: IO[bytes]) -> Receive:
    """Return a ``receive`` that gives a kept body."""
    body.seek(0)

    async def receive() -> Message:
        piece = body.read(BODY_IN_MEMORY)
        return {"type": "http.request", "body": piece, "more_body": len(piece) == BODY_IN_MEMORY}

    return receive


def _salts(secret: bytes, most: int | None = None) -> Iterator[bytes]:
    """Yield salts that only whoever has the secret can tell from random ones."""
    for number in count() if most is None else range(most):
        yield hmac.digest(secret, number.to_bytes(8, "big"), "sha256")[:16]


def _sealed(asked: Asking, media_type: str, body: bytes) -> bytes:
    """Encrypt an answer by the client's key, so that whoever has only the file cannot read it."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    nonce = secrets.token_bytes(_NONCE_BYTES)
    plain = media_type.encode("latin-1") + b"\n" + body
    sealed: bytes = AESGCM(_keyed(asked.key, "answer")).encrypt(nonce, plain, asked.key_digest.encode("ascii"))
    return nonce + sealed


def _unsealed(asked: Asking, status: int, sealed: bytes) -> Response:
    """Return a kept answer again."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    nonce, held = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
    plain = AESGCM(_keyed(asked.key, "answer")).decrypt(nonce, held, asked.key_digest.encode("ascii"))
    media_type, _, body = plain.partition(b"\n")
    return Response(body, status, {"Content-Type": media_type.decode("latin-1"), "Idempotency-Replayed": "true"})


def _dumped(value: object) -> bytes:
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode("ascii")


def _lost(where: str) -> Refused:
    return Refused(
        Problem(
            409,
            "answer-lost",
            f"The request of this Idempotency-Key was done, and its answer is not kept.{where}",
            "Read what it changed; send it with a new key only if it is to be done again.",
        )
    )
