"""Metrics: in, what was served; out, Prometheus's text. A registry of its own, labels from short fixed lists alone."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

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
