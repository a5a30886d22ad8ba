"""Live changes as server-sent events, and Prometheus's metrics."""

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


# Metrics: in, what was served; out, Prometheus's text. A registry of its own, labels from short fixed lists alone.


CONTENT_TYPE = CONTENT_TYPE_LATEST
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0)


class Metrics:
    """What is counted of one server. A route is its template, so that no memory and no scope becomes a label."""

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
        """One request was answered."""
        self._requests.labels(method, route, str(status)).inc()
        self._took.labels(route).observe(took_s)

    def dreamt(self, *, done: bool) -> None:
        """A scope's nightly dream came to its end, or failed."""
        self._dreams.labels("done" if done else "failed").inc()

    def text(self) -> bytes:
        """All of it, as Prometheus reads it."""
        return generate_latest(self.registry)


# Live changes: in, one scope; out, its new events as server-sent events, whichever process made them.


LOOK_S = 0.25
"""How often the journal's head is looked at."""
BEAT_S = 15.0
"""After so long without a change a comment is sent, by which both sides notice that the other is gone."""
LISTENERS_MAX = 256
PAGE = 200

T = TypeVar("T")

logger = logging.getLogger("reverie.http")


class Live:
    """Those who follow changes, and the one task that looks for them."""

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
        """Whether nobody more may follow."""
        return self._listeners >= LISTENERS_MAX

    def end(self) -> None:
        """Let every stream come to its end: the server stops."""
        self._ended = True
        self._wake()

    async def watch(self) -> None:
        """Look for changes until cancelled; a store that cannot be read for a while is looked at again.

        Of failures in a row the first is a line in the log.
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
        """The scope's events after ``after`` (None: from now on) as they come, for so many seconds (None: for ever)."""
        self._listeners += 1
        self._metrics.listening.set(self._listeners)
        try:
            last = await self._run(self._engine.admin.head) if after is None else after
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
        """Those who wait go on; the next ones wait for the next change."""
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
    """An event as it goes over the wire: its place in the journal is the id to go on from."""
    return f"id: {event.seq}\nevent: change\ndata: {json.dumps(live_event(event))}\n\n"
