"""Live changes as server-sent events, and metrics for Prometheus."""

from __future__ import annotations

import asyncio
import json
import logging
import math
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, TypeVar

import anyio
from anyio import CapacityLimiter, to_thread
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from reverie.errors import ReverieError
from reverie.wire.shapes import live_event

if TYPE_CHECKING:
    from reverie.engine.core import Reverie
    from reverie.events import Event
    from reverie.types import Scope


CONTENT_TYPE = CONTENT_TYPE_LATEST
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0)


class Metrics:
    """Metrics of one server. A route is labelled by its template, so that no memory or scope becomes a label."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "reverie_http_requests", "Requests answered.", ("method", "route", "status"), registry=self.registry
        )
        self._took = Histogram(
            "reverie_http_request_seconds",
            "Seconds until the answer was whole.",
            ("route",),
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self.running = Gauge("reverie_http_running", "Requests being answered.", registry=self.registry)
        self.listening = Gauge("reverie_live_listeners", "Clients that follow changes.", registry=self.registry)
        self._dreams = Counter("reverie_dreams", "Nightly dreams, by outcome.", ("outcome",), registry=self.registry)
        ProcessCollector(registry=self.registry)

    def served(self, method: str, route: str, status: int, took_s: float) -> None:
        """Count one answered request."""
        self._requests.labels(method, route, str(status)).inc()
        self._took.labels(route).observe(took_s)

    def dreamt(self, *, done: bool) -> None:
        """Count one nightly dream of a scope, done or failed."""
        self._dreams.labels("done" if done else "failed").inc()

    def text(self) -> bytes:
        """Return all metrics in Prometheus's text format."""
        return generate_latest(self.registry)


LOOK_S = 0.25
"""Seconds between two looks at the journal's head."""
BEAT_S = 15.0
"""Seconds without a change after which a comment is sent, so that either side notices when the other is gone."""
LISTENERS_MAX = 256
PAGE = 200

T = TypeVar("T")

logger = logging.getLogger("reverie.http")


class Live:
    """The clients that follow changes, and the task that watches for them, whichever process makes them."""

    def __init__(self, engine: Reverie, metrics: Metrics, limiter: CapacityLimiter) -> None:
        self._engine = engine
        self._metrics = metrics
        self._limiter = limiter
        self._head = 0
        self._listeners = 0
        self._ended = False
        self._changed = asyncio.Event()

    @property
    def is_full(self) -> bool:
        """Whether no further client may follow."""
        return self._listeners >= LISTENERS_MAX

    def end(self) -> None:
        """End every stream, because the server stops."""
        self._ended = True
        self._wake()

    async def watch(self) -> None:
        """Watch for changes until cancelled; go on after errors of the store.

        Of several failures in a row only the first is logged.
        """
        failing = False
        while not self._ended:
            if self._listeners:
                try:
                    await self._look()
                    failing = False
                except ReverieError as error:
                    if not failing:
                        logger.warning("live changes cannot be read: %s", error)
                    failing = True
            await asyncio.sleep(LOOK_S)

    async def _look(self) -> None:
        head = await self._run(self._engine.admin.head)
        if head != self._head:
            self._head = head
            self._wake()

    async def follow(self, scope: Scope, after: int | None, seconds: float | None) -> AsyncIterator[str]:
        """Yield the scope's events after ``after`` (None: from now) as they come, for ``seconds`` (None: for ever)."""
        self._listeners += 1
        self._metrics.listening.set(self._listeners)
        try:
            last = await self._run(lambda: self._engine.admin.head(scope)) if after is None else after
            until = anyio.current_time() + (math.inf if seconds is None else seconds)
            yield ": following\n\n"
            while not self._ended:
                changed = self._changed
                events = await self._run(lambda: self._page(scope, last))  # noqa: B023 - awaited at once
                for event in events:
                    last = event.seq
                    yield told(event)
                left = until - anyio.current_time()
                if not events and left <= 0:
                    return
                if not events and not await _within(changed, min(left, BEAT_S)):
                    yield ": still here\n\n"
        finally:
            self._listeners -= 1
            self._metrics.listening.set(self._listeners)

    def _page(self, scope: Scope, after: int) -> list[Event]:
        return self._engine.admin.events(scope, after=after, limit=PAGE)

    def _wake(self) -> None:
        """Wake all waiting streams; later ones wait for the next change."""
        self._changed.set()
        self._changed = asyncio.Event()

    async def _run(self, work: Callable[[], T]) -> T:
        return await to_thread.run_sync(work, limiter=self._limiter, abandon_on_cancel=True)


async def _within(event: asyncio.Event, seconds: float) -> bool:
    with anyio.move_on_after(seconds):
        await event.wait()
        return True
    return False


def told(event: Event) -> str:
    """Return an event in the server-sent format; its id is its journal number, from which a client can resume."""
    return f"id: {event.seq}\nevent: change\ndata: {json.dumps(live_event(event))}\n\n"
