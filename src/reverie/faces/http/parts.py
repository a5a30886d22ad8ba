"""One server's parts: what every route and the guard are handed; and its dream every night."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from datetime import time as datetime_time
from typing import TypeVar

import anyio
from anyio import CapacityLimiter, to_thread

from reverie.config import Settings
from reverie.engine.core import Reverie
from reverie.engine.requests import Caller, calling
from reverie.errors import InvalidSetting, ReverieError
from reverie.faces.http.live import Live, Metrics
from reverie.faces.http.tokens import Buckets, Keyring
from reverie.types import Scope

# One server's parts: in, the engine and the settings; out, what every route and the guard stand on.


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


# The nightly dream: in, a time of day; out, every scope dreamt over once a night, one after another.


NIGHTLY = Caller("http:nightly")
"""Who the events of the nightly dream name."""
NAP_S = 30.0
"""How long it sleeps at once: a machine that was asleep, or a clock that was set, is noticed so soon."""
T = TypeVar("T")

logger = logging.getLogger("reverie.http")


def _local_now() -> datetime:
    return datetime.now().astimezone()


@dataclass(slots=True)
class Nightly:
    """Dreams over every scope at a time of day, as clocks show it here."""

    serving: Serving
    at: datetime_time
    now: Callable[[], datetime] = _local_now
    sleep: Callable[[float], Awaitable[None]] = field(default=anyio.sleep)

    @classmethod
    def of(cls, serving: Serving) -> Nightly | None:
        """As the settings say; None: it never dreams by itself. Raises InvalidSetting."""
        at = time_of_day(serving.settings.serve.dream_at)
        return None if at is None else cls(serving, at)

    async def run(self) -> None:
        """Wait for the night, dream, and so on until cancelled."""
        while True:
            due = next_after(self.now(), self.at)
            while (left := (due - self.now()).total_seconds()) > 0:
                await self.sleep(min(left, NAP_S))
            await self.night()

    async def night(self) -> None:
        """Every scope once."""
        try:
            scopes = await self._in_thread(self.serving.engine.admin.scopes)
        except ReverieError as error:
            logger.warning("no nightly dream: %s", error)
            return
        for scope in scopes:
            await self._dream(scope)

    async def _dream(self, scope: Scope) -> None:
        try:
            report = await self._in_thread(lambda: self.serving.engine.dream(scope))
        except Exception:  # an edge: whatever one dream meets, even our own fault, the others' turn comes
            logger.exception("the nightly dream of %s failed", scope)
            self.serving.metrics.dreamt(done=False)
            return
        logger.info("the nightly dream of %s: %s changes", scope, report.changed)
        self.serving.metrics.dreamt(done=True)

    async def _in_thread(self, work: Callable[[], T]) -> T:
        with calling(NIGHTLY):
            return await to_thread.run_sync(work, limiter=self.serving.crew.long, abandon_on_cancel=True)


def time_of_day(text: str) -> datetime_time | None:
    """The time a setting names; None where it names none. Raises InvalidSetting."""
    if not text:
        return None
    try:
        return datetime.strptime(text, "%H:%M").time()  # noqa: DTZ007 - only the time of day is taken from it
    except ValueError:
        raise InvalidSetting(f"serve.dream_at is {text!r}.", 'Write hour and minute, as in "03:30".') from None


def next_after(now: datetime, at: datetime_time) -> datetime:
    """The next moment after ``now`` at which clocks show ``at``."""
    today = now.replace(hour=at.hour, minute=at.minute, second=0, microsecond=0)
    naive = today.replace(tzinfo=None) + timedelta(days=0 if today > now else 1)
    return naive.astimezone()
