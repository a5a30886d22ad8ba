"""What the engine tells of its operations: a span, how long it took, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from reverie import Reverie, Scope
from reverie.ops.telemetry import Attribute, Span


class Heard:
    """Telemetry that keeps what it is told."""

    def __init__(self) -> None:
        self.spans: list[str] = []
        self.counts: Counter[str] = Counter()
        self.times: dict[str, float] = {}

    @contextmanager
    def span(self, name: str) -> Iterator[Span]:
        """Its name."""
        self.spans.append(name)
        yield _Facts()

    def count(self, name: str, amount: int = 1, attributes: Mapping[str, Attribute] | None = None) -> None:
        """Summed."""
        del attributes
        self.counts[name] += amount

    def measure(self, name: str, value: float, unit: str = "ms") -> None:
        """The last, in ms."""
        assert unit == "ms"
        self.times[name] = value


class _Facts:
    def set(self, name: str, value: Attribute) -> None:
        """Nobody reads them here."""


def test_observing_recalling_and_dreaming_are_told(scope: Scope) -> None:
    """Three spans, three times, and how much was formed, found and changed."""
    heard = Heard()
    with Reverie.open(":memory:", embedder=None, telemetry=heard) as engine:
        formed = engine.observe("I prefer green tea over coffee.", scope).formed
        found = engine.recall("Which tea does she prefer?", scope).hits
        changed = engine.dream(scope).changed
    assert heard.spans == ["remember", "recall", "dream"]
    assert all(took >= 0.0 for took in heard.times.values())
    assert list(heard.times) == ["remember", "recall", "dream"]
    assert formed
    assert found
    assert heard.counts == {"remember.formed": len(formed), "recall.hits": len(found), "dream.changed": changed}
