"""A team's service without a socket: in, tables beside a store; out, servers, tokens and a small provider of tokens."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from joserfc import jwk, jwt

from reverie import Reverie
from reverie.config import Settings, TeamSettings
from reverie.faces.http.admission import Admission
from reverie.faces.http.oidc import Keys, Provider
from reverie.faces.http.parts import Serving
from reverie.faces.http.team import Quota, SqliteTeam, TeamToken, Tenant, make_token
from reverie.faces.http.tokens import Binding, Keyring, Principal, Right
from tests.faces.http.conftest import NOW


@dataclass(slots=True)
class Hands:
    """Clocks that a test moves."""

    now: datetime = NOW
    seconds: float = 1000.0

    def forward(self, seconds: float) -> None:
        """Let time pass on both."""
        self.now += timedelta(seconds=seconds)
        self.seconds += seconds


@dataclass(slots=True)
class Service:
    """A server for a team on one store, its tables and its clocks."""

    engine: Reverie
    path: Path
    settings: TeamSettings = field(default_factory=lambda: TeamSettings(on=True))
    serve: dict[str, Any] = field(default_factory=dict)
    hands: Hands = field(default_factory=Hands)
    team: SqliteTeam = field(init=False)
    serving: Serving = field(init=False)

    def __post_init__(self) -> None:
        self.team = SqliteTeam(self.path.with_suffix(".team.db"))
        self.serving = self.another(self.team)

    def another(self, team: SqliteTeam) -> Serving:
        """One more server on the same store."""
        settings = replace(Settings(), team=self.settings, serve=replace(Settings().serve, **self.serve))
        admission = Admission(team, self.settings, self.engine, now=lambda: self.hands.now)
        if self.settings.issuer:
            keys = Keys(self.settings, lambda: self.hands.seconds)
            admission.provider = Provider(self.settings, keys, lambda: self.hands.now)
        keyring = Keyring(self.path.with_suffix(".tokens.json"))
        return Serving(self.engine, settings, keyring, admission=admission, now_s=lambda: self.hands.seconds)

    def tenant(self, name: str, **quota: int) -> None:
        """Add a tenant, or set its quota."""
        self.team.put_tenant(Tenant(name, Quota(**quota)))

    def token(
        self, tenant: str = "", right: Right = Right.WRITE, name: str = "ada", bound: Binding | None = None, **more: Any
    ) -> str:
        """Make a token; ``expires_at`` and ``per_minute`` as they are kept."""
        principal = Principal(name, right, replace(bound or Binding(), tenant=tenant))
        principal = replace(principal, per_minute=more.pop("per_minute", 0))
        return make_token(self.team, TeamToken(name, principal, "", self.hands.now, **more))


class Issuer:
    """A provider of OpenID Connect on loopback: its discovery document, its keys, and tokens signed with them."""

    def __init__(self) -> None:
        self.keys: dict[str, Any] = {}
        self.asked: list[str] = []
        self.is_down = False
        self.extra_keys: list[dict[str, Any]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked.append(self.path)
                if outer.is_down:
                    self.send_error(500)
                    return
                body = json.dumps(outer.answer(self.path)).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.said_issuer = self.url

    def answer(self, path: str) -> dict[str, Any]:
        """What it says at a path."""
        if path.endswith("openid-configuration"):
            return {"issuer": self.said_issuer, "jwks_uri": f"{self.url}/keys"}
        return {"keys": [key.as_dict(private=False) for key in self.keys.values()] + self.extra_keys}

    def rotate(self, kid: str, kind: str = "EC", curve: str | int = "P-256") -> None:
        """Sign with a new key from now on, and publish it alone."""
        self.keys = {kid: jwk.JWKRegistry.generate_key(kind, curve, {"kid": kid, "use": "sig"})}

    def token(self, now: datetime, *, header: dict[str, Any] | None = None, key: Any = None, **claims: Any) -> str:
        """A token for Ada of acme that may write, changed by what a test says; None takes a claim out."""
        [(kid, own)] = self.keys.items()
        at = int(now.timestamp())
        told: dict[str, Any] = {"iss": self.url, "aud": "reverie", "sub": "ada", "iat": at, "exp": at + 600}
        told |= {"tenant": "acme", "reverie_right": "write"} | claims
        told = {name: value for name, value in told.items() if value is not None}
        alg = {"EC": "ES256", "RSA": "RS256", "OKP": "EdDSA"}[own.key_type]
        head = {"alg": alg, "kid": kid} | (header or {})
        return jwt.encode(head, told, key or own, algorithms=["ES256", "RS256", "EdDSA", "HS256", "none"])


@contextmanager
def issuing() -> Iterator[Issuer]:
    """A provider that runs, with one key."""
    issuer = Issuer()
    issuer.rotate("first")
    thread = threading.Thread(target=issuer.server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield issuer
    finally:
        issuer.server.shutdown()
        thread.join()
        issuer.server.server_close()
