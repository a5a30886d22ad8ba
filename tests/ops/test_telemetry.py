from __future__ import annotations

import builtins
import subprocess
import sys
from time import perf_counter
from typing import Any

import pytest

from reverie.ops.telemetry import NoTelemetry, Telemetry, connect


def cost_us(telemetry: Telemetry) -> float:
    """Microseconds of a span with an attribute, a count and a measure: the best of many."""
    best = float("inf")
    for _ in range(300):
        start = perf_counter()
        for _ in range(10):
            with telemetry.span("recall") as span:
                span.set("hits", 5)
        best = min(best, (perf_counter() - start) / 10)
    return best * 1e6


def test_nothing_happens_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the API is not installed, everything is taken and nothing done."""
    imported = builtins.__import__

    def missing(name: str, *args: Any) -> Any:
        if name.startswith("opentelemetry"):
            raise ImportError(name)
        return imported(name, *args)

    monkeypatch.setattr(builtins, "__import__", missing)
    telemetry = connect()
    assert isinstance(telemetry, NoTelemetry)
    with telemetry.span("recall") as span:
        span.set("hits", 5)
    telemetry.count("recalled", 5, {"recipe": "v9"})
    telemetry.measure("recall", 1.5)


def test_an_error_passes_through_a_span_of_nothing() -> None:
    """It is nobody's to swallow."""
    with pytest.raises(ValueError, match="mine"), NoTelemetry().span("recall"):
        raise ValueError("mine")


def test_a_span_of_nothing_costs_nothing() -> None:
    """At most two microseconds, on a machine that does other things as well."""
    assert cost_us(NoTelemetry()) <= 2.0


def test_an_unconfigured_api_costs_next_to_nothing() -> None:
    """Installed, but nobody listens: a span is the same object that does nothing; measured at 1.3 microseconds."""
    pytest.importorskip("opentelemetry.trace")
    telemetry = connect()
    assert telemetry.span("recall") is NoTelemetry().span("recall")
    assert cost_us(telemetry) <= 6.0  # three times the bound we measure: test machines are slow


def test_importing_it_imports_nothing() -> None:
    """The API is looked for when it is asked for."""
    code = "import reverie.ops.telemetry, sys; print('opentelemetry' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


class TestListening:
    """With OpenTelemetry's own SDK behind the API."""

    @pytest.fixture
    def spans(self) -> Any:
        """Where finished spans end up."""
        exporter = pytest.importorskip("opentelemetry.sdk.trace.export.in_memory_span_exporter")
        return exporter.InMemorySpanExporter()

    @pytest.fixture
    def reader(self) -> Any:
        """Where metrics are read."""
        return pytest.importorskip("opentelemetry.sdk.metrics.export").InMemoryMetricReader()

    @pytest.fixture
    def telemetry(self, spans: Any, reader: Any) -> Telemetry:
        """Over providers of its own, so that nothing global is set."""
        from opentelemetry.sdk.metrics import MeterProvider
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import SimpleSpanProcessor

        tracers = TracerProvider(shutdown_on_exit=False)
        tracers.add_span_processor(SimpleSpanProcessor(spans))
        return connect(tracers, MeterProvider([reader], shutdown_on_exit=False), version="1")

    def test_spans_are_nested_and_named(self, telemetry: Telemetry, spans: Any) -> None:
        """An operation inside another is its child; attributes stand under our name."""
        with telemetry.span("dream") as outer:
            outer.set("memories", 7)
            with telemetry.span("recall"):
                pass
        inner, whole = spans.get_finished_spans()
        assert (inner.name, whole.name) == ("recall", "dream")
        assert inner.parent.span_id == whole.context.span_id
        assert dict(whole.attributes) == {"reverie.memories": 7}
        assert whole.instrumentation_scope.name == "reverie"

    def test_an_error_is_noted_without_its_words(self, telemetry: Telemetry, spans: Any) -> None:
        """Its text may quote a memory: the type is told, the words are not; and it goes on its way."""
        with pytest.raises(ValueError, match="secret"), telemetry.span("recall"):
            raise ValueError("secret")
        (span,) = spans.get_finished_spans()
        assert dict(span.attributes) == {"error.type": "ValueError"}
        assert span.status.is_ok is False
        assert "secret" not in span.to_json()

    def test_counts_and_times_are_summed(self, telemetry: Telemetry, reader: Any) -> None:
        """Counters by attribute, distributions with their unit."""
        telemetry.count("remembered", 2, {"recipe": "v9"})
        telemetry.count("remembered", 3, {"recipe": "v9"})
        telemetry.measure("recall", 4.0)
        telemetry.measure("recall", 6.0)
        (scope,) = reader.get_metrics_data().resource_metrics[0].scope_metrics
        found = {metric.name: metric for metric in scope.metrics}
        (counted,) = found["reverie.remembered"].data.data_points
        (measured,) = found["reverie.recall"].data.data_points
        assert (counted.value, dict(counted.attributes)) == (5, {"recipe": "v9"})
        assert (measured.count, measured.sum, found["reverie.recall"].unit) == (2, 10.0, "ms")

    def test_a_trace_that_is_not_sampled_is_carried_on(self, spans: Any) -> None:
        """Children of a span that nobody records belong to the same trace all the same."""
        from opentelemetry import trace
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.sampling import ALWAYS_OFF

        telemetry = connect(TracerProvider(ALWAYS_OFF, shutdown_on_exit=False))
        with telemetry.span("dream"):
            assert trace.get_current_span().get_span_context().is_valid
        assert spans.get_finished_spans() == ()
