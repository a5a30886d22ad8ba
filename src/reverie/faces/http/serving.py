"""One server's parts: in, the engine and the settings; out, what every route and the guard stand on."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from anyio import CapacityLimiter

from reverie.config import Settings
from reverie.engine.core import Reverie
from reverie.faces.http.limiting import Buckets
from reverie.faces.http.live import Live
from reverie.faces.http.metrics import Metrics
from reverie.faces.http.tokens import Keyring

THREADS = 4
"""Engine calls at once: more would only wait for one another, on the store's lock and on the interpreter's."""
LONG_THREADS = 2
"""Calls at once that may take minutes: dreams, checks, copies. Those that recall never wait for them."""
FOLLOWER_THREADS = 1
IMPORT = "/v1/import"


class Crew:
    """Who does the work: threads for calls, fewer for long ones, one for those who follow changes."""

    def __init__(self) -> None:
        self.calls = CapacityLimiter(THREADS)
        self.long = CapacityLimiter(LONG_THREADS)
        self.following = CapacityLimiter(FOLLOWER_THREADS)


@dataclass(slots=True)
class Serving:
    """What a server is made of. ``is_local``: it listens on this machine's own address alone."""

    engine: Reverie
    settings: Settings
    keyring: Keyring
    is_local: bool = True
    metrics: Metrics = field(default_factory=Metrics)
    crew: Crew = field(default_factory=Crew)
    live: Live = field(init=False)
    buckets: Buckets = field(init=False)

    def __post_init__(self) -> None:
        self.live = Live(self.engine, self.metrics, self.crew.following)
        self.buckets = Buckets(self.settings.serve.requests_per_minute)

    @property
    def is_open(self) -> bool:
        """Whether anybody on this machine may do anything: no token was ever made, and nobody else can reach it."""
        return self.is_local and self.keyring.is_open

    def body_max(self, path: str) -> int:
        """Most bytes of a request's body: what is imported goes to a file as it comes, so it may be longer."""
        serve = self.settings.serve
        return (serve.import_mb if path.startswith(IMPORT) else serve.body_mb) * 1_000_000

    def now_s(self) -> float:
        """A clock that never goes back."""
        return time.monotonic()
