"""The parts of one server, shared by the guard and the routes; and the nightly dream."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from datetime import time as datetime_time
from typing import TYPE_CHECKING, TypeVar

import anyio
from anyio import CapacityLimiter, to_thread

from reverie.config import Settings
from reverie.engine.core import Reverie
from reverie.engine.requests import Caller, calling
from reverie.errors import InvalidSetting, ReverieError
from reverie.faces.http.live import Live, Metrics
from reverie.faces.http.tokens import Buckets, Keyring
from reverie.types import Scope

if TYPE_CHECKING:
    from reverie.faces.http.admission import Admission

THREADS = 4
"""Most engine calls at once; more would only wait for each other, on the store's lock and on the interpreter's."""
LONG_THREADS = 2
"""Most calls at once that may take minutes (dreams, checks, copies); recall never waits for them."""
FOLLOWER_THREADS = 1
IMPORT = "/v1/import"


class Crew:
    """Thread limits: for ordinary calls, for long ones, and for clients that follow changes."""

    def __init__(self) -> None:
        self.calls = CapacityLimiter(THREADS)
        self.long = CapacityLimiter(LONG_THREADS)
        self.following = CapacityLimiter(FOLLOWER_THREADS)


@dataclass(slots=True)
class Serving:
    """The parts of one server. ``is_local``: it listens only on this machine's own address; ``admission``: a team's
    tokens, quotas and audit; ``now_s``: a monotonic time in seconds.
    """

    engine: Reverie
    settings: Settings
    keyring: Keyring
    is_local: bool = True
    admission: Admission | None = None
    now_s: Callable[[], float] = time.monotonic
    metrics: Metrics = field(default_factory=Metrics)
    crew: Crew = field(default_factory=Crew)
    live: Live = field(init=False)
    buckets: Buckets = field(init=False)

    def __post_init__(self) -> None:
        self.live = Live(self.engine, self.metrics, self.crew.following)
        self.buckets = Buckets(self.settings.serve.requests_per_minute)

    @property
    def is_open(self) -> bool:
        """Whether anybody on this machine may do anything: no token was ever made, and nobody else can reach the
        server.
        """
        return self.is_local and self.admission is None and self.keyring.is_open

    def body_max(self, path: str) -> int:
        """Return the largest body for a path in bytes; imports may be longer, because they are streamed to a file."""
        serve = self.settings.serve
        return (serve.import_mb if path.startswith(IMPORT) else serve.body_mb) * 1_000_000


NIGHTLY = Caller("http:nightly")
"""The caller named in the events of nightly dreams."""
NAP_S = 30.0
"""Longest sleep in seconds, so that a suspended machine or a changed clock is noticed this soon."""
T = TypeVar("T")

logger = logging.getLogger("reverie.http")


def _local_now() -> datetime:
    return datetime.now().astimezone()


@dataclass(slots=True)
class Nightly:
    """Dreams over every scope once a day, one after another, at a local time of day."""

    serving: Serving
    at: datetime_time
    now: Callable[[], datetime] = _local_now
    sleep: Callable[[float], Awaitable[None]] = field(default=anyio.sleep)

    @classmethod
    def of(cls, serving: Serving) -> Nightly | None:
        """Create from the settings; None if they name no time. Raises InvalidSetting."""
        at = time_of_day(serving.settings.serve.dream_at)
        return None if at is None else cls(serving, at)

    async def run(self) -> None:
        """Dream at every due time, until cancelled."""
        while True:
            due = next_after(self.now(), self.at)
            while (left := (due - self.now()).total_seconds()) > 0:
                await self.sleep(min(left, NAP_S))
            await self.night()

    async def night(self) -> None:
        """Dream over every scope once."""
        try:
            scopes = await self._in_thread(self.serving.engine.admin.scopes)
        except ReverieError as error:
            logger.warning("no nightly dream: %s", error)
            return
        for scope in scopes:
            await self._dream(scope)
        await self._seal()

    async def _seal(self) -> None:
        """Seal the journals; the log, which lies elsewhere than the store, keeps the seal's hash."""
        try:
            seal = await self._in_thread(self.serving.engine.admin.seal)
        except Exception as error:  # noqa: BLE001 -- an edge, as for a dream
            logger.warning("the journals were not sealed: %s", error)
            return
        logger.info("seal %s over %s scopes: %s", seal.number, seal.scopes, seal.hash)

    async def _dream(self, scope: Scope) -> None:
        try:
            report = await self._in_thread(lambda: self.serving.engine.dream(scope))
        except Exception:  # an edge: no failure of one dream, even a bug, may stop the others
            logger.exception("the nightly dream of %s failed", scope)
            self.serving.metrics.dreamt(done=False)
            return
        logger.info("the nightly dream of %s: %s changes", scope, report.changed)
        self.serving.metrics.dreamt(done=True)

    async def _in_thread(self, work: Callable[[], T]) -> T:
        with calling(NIGHTLY):
            return await to_thread.run_sync(work, limiter=self.serving.crew.long, abandon_on_cancel=True)


def time_of_day(text: str) -> datetime_time | None:
    """Parse a time of day; None for an empty text. Raises InvalidSetting."""
    if not text:
        return None
    try:
        return datetime.strptime(text, "%H:%M").time()  # noqa: DTZ007 - only the time of day is taken from it
    except ValueError:
        raise InvalidSetting(f"serve.dream_at is {text!r}.", 'Write hour and minute, as in "03:30".') from None


def next_after(now: datetime, at: datetime_time) -> datetime:
    """Return the next time after ``now`` at which local clocks show ``at``."""
    today = now.replace(hour=at.hour, minute=at.minute, second=0, microsecond=0)
    naive = today.replace(tzinfo=None) + timedelta(days=0 if today > now else 1)
    return naive.astimezone()
