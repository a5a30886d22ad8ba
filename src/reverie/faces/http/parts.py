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

from reverie.answers import Job, JobState
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
KEY = "nightly"
NIGHT_MAX = 500
"""Nightly dreams that wait at most: fewer than the ended jobs that are kept."""
FOLLOW_S = 0.5
"""Pause before another look whether a nightly dream has ended."""
NAP_S = 30.0
"""Longest sleep in seconds, so that a suspended machine or a changed clock is noticed this soon."""
T = TypeVar("T")

logger = logging.getLogger("reverie.http")


def _local_now() -> datetime:
    return datetime.now().astimezone()


@dataclass(slots=True)
class Nightly:
    """Enqueues dreams once a day, at a local time of day, over the scopes where something happened since their last."""

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
        """Enqueue a dream over each scope that is due, and follow them to their ends, ``NIGHT_MAX`` at a time."""
        try:
            scopes = await self._in_thread(self.serving.engine.jobs.due)
        except ReverieError as error:
            logger.warning("no nightly dream: %s", error)
            return
        for first in range(0, len(scopes), NIGHT_MAX):
            jobs = [await self._enqueued(scope) for scope in scopes[first : first + NIGHT_MAX]]
            for job in jobs:
                if job is not None:
                    await self._followed(job)
        await self._seal()

    async def _seal(self) -> None:
        """Seal the journals; the log, which lies elsewhere than the store, keeps the seal's hash."""
        try:
            seal = await self._in_thread(self.serving.engine.admin.seal)
        except Exception as error:  # noqa: BLE001 -- an edge, as for a dream
            logger.warning("the journals were not sealed: %s", error)
            return
        logger.info("seal %s over %s scopes: %s", seal.number, seal.scopes, seal.hash)

    async def _enqueued(self, scope: Scope) -> Job | None:
        """Enqueue a scope's dream, unless one of this or another night is open; None if it may not be."""
        try:
            return await self._in_thread(lambda: self.serving.engine.jobs.enqueue("dream", scope, key=KEY))
        except ReverieError as error:
            self._told(scope, str(error))
            return None

    async def _followed(self, job: Job) -> None:
        """Wait until a job has ended, and count how; one that somebody cancelled counts as failed."""
        engine = self.serving.engine
        try:
            while (now := await self._in_thread(lambda: engine.jobs.show(job.id, job.scope))).is_open:
                await self.sleep(FOLLOW_S)
        except ReverieError as error:  # the store was closed, or somebody ended a thousand more jobs meanwhile
            self._told(job.scope, str(error))
            return
        self._told(job.scope, "" if now.state is JobState.DONE else now.reason or str(now.state))

    def _told(self, scope: Scope, failure: str) -> None:
        """Log and count one dream; an empty ``failure``: it was done."""
        if failure:
            logger.error("the nightly dream of %s failed: %s", scope, failure)
        else:
            logger.info("the nightly dream of %s is done", scope)
        self.serving.metrics.dreamt(done=not failure)

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
