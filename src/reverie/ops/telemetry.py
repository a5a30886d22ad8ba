"""Traces and metrics through OpenTelemetry's API: spans around operations, counters and durations.

They carry names and plain attributes, never texts, to the exporters the host has configured. If the API is not
installed or not configured, a span is one shared object that does nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from opentelemetry.metrics import Counter, Histogram, Meter, MeterProvider
    from opentelemetry.trace import Span as OtelSpan
    from opentelemetry.trace import Tracer, TracerProvider

Attribute: TypeAlias = str | bool | int | float

SCOPE_NAME = "reverie"
"""OpenTelemetry instrumentation scope of all spans and metrics here."""


class Span(Protocol):
    """A running operation that can be given attributes."""

    def set(self, name: str, value: Attribute) -> None:
        """Set an attribute: a count or a name, never a memory's text."""
        ...


class Telemetry(Protocol):
    """Receives spans, counts and measurements of operations."""

    def span(self, name: str) -> AbstractContextManager[Span]:
        """Return a span for a ``with`` block; an error that leaves the block is noted on it."""
        ...

    def count(self, name: str, amount: int = 1, attributes: Mapping[str, Attribute] | None = None) -> None:
        """Add an amount to the counter of this name."""
        ...

    def measure(self, name: str, value: float, unit: str = "ms") -> None:
        """Add a value to the histogram of this name."""
        ...


class _NoSpan:
    __slots__ = ()

    def __enter__(self) -> _NoSpan:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def set(self, name: str, value: Attribute) -> None:
        """Do nothing."""


_NO_SPAN = _NoSpan()


class NoTelemetry:
    """Telemetry that does nothing, used without OpenTelemetry."""

    __slots__ = ()

    def span(self, name: str) -> AbstractContextManager[Span]:  # noqa: ARG002 -- the name is the protocol's
        """Return the shared span that does nothing."""
        return _NO_SPAN

    def count(self, name: str, amount: int = 1, attributes: Mapping[str, Attribute] | None = None) -> None:
        """Do nothing."""

    def measure(self, name: str, value: float, unit: str = "ms") -> None:
        """Do nothing."""


def connect(
    tracers: TracerProvider | None = None, meters: MeterProvider | None = None, *, version: str = ""
) -> Telemetry:
    """Return telemetry over the given providers, else over the host's (set now or later); one that does nothing without
    the OpenTelemetry API.
    """
    try:
        from opentelemetry import metrics, trace
    except ImportError:
        return NoTelemetry()
    tracer = trace.get_tracer(SCOPE_NAME, version, tracers)
    return OpenTelemetry(tracer, metrics.get_meter(SCOPE_NAME, version, meters))


class OpenTelemetry:
    """Telemetry over a tracer and a meter. Instruments are made at first use, with names under ``reverie.``."""

    __slots__ = ("_counters", "_histograms", "_meter", "_tracer")

    def __init__(self, tracer: Tracer, meter: Meter) -> None:
        self._tracer = tracer
        self._meter = meter
        self._counters: dict[str, Counter] = {}
        self._histograms: dict[str, Histogram] = {}

    def span(self, name: str) -> AbstractContextManager[Span]:
        """Start a span of this name below the current one."""
        span = self._tracer.start_span(name)
        if not span.is_recording() and not span.get_span_context().is_valid:
            return _NO_SPAN  # nobody is listening, and there is no trace to hand on
        return _OpenSpan(span)

    def count(self, name: str, amount: int = 1, attributes: Mapping[str, Attribute] | None = None) -> None:
        """Add an amount to the counter of this name."""
        counter = self._counters.get(name)
        if counter is None:
            counter = self._counters.setdefault(name, self._meter.create_counter(f"{SCOPE_NAME}.{name}"))
        counter.add(amount, attributes)

    def measure(self, name: str, value: float, unit: str = "ms") -> None:
        """Add a value to the histogram of this name."""
        histogram = self._histograms.get(name)
        if histogram is None:
            made = self._meter.create_histogram(f"{SCOPE_NAME}.{name}", unit)
            histogram = self._histograms.setdefault(name, made)
        histogram.record(value)


class _OpenSpan:
    """A span that is recorded, or that continues a trace."""

    __slots__ = ("_current", "_span")

    def __init__(self, span: OtelSpan) -> None:
        self._span = span

    def __enter__(self) -> _OpenSpan:
        from opentelemetry import trace

        # An error's text may quote a memory, so only its type is noted, below.
        self._current = trace.use_span(
            self._span, end_on_exit=True, record_exception=False, set_status_on_exception=False
        )
        self._current.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace_back: TracebackType | None
    ) -> None:
        if kind is not None:
            from opentelemetry.trace import Status, StatusCode

            self._span.set_attribute("error.type", kind.__name__)
            self._span.set_status(Status(StatusCode.ERROR))
        self._current.__exit__(kind, error, trace_back)

    def set(self, name: str, value: Attribute) -> None:
        """Set an attribute, with its name under ``reverie.``."""
        self._span.set_attribute(f"{SCOPE_NAME}.{name}", value)
