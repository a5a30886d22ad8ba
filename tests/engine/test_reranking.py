"""Rereading: a deadline, bad answers, rest, and what an engine makes of all that."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reverie import FixedClock, Recollection, RerankSettings, Reverie, Scope
from reverie.engine.rerank_deadline import AT_ONCE, REST_AFTER, REST_S, Rereading, Unready
from reverie.errors import InvalidInput, InvalidSetting, ModelUnavailable
from reverie.models import registry
from reverie.types import FloatArray
from tests.engine.conftest import NOW

PATIENT_MS = 30_000


class Reader:
    """A reranker that answers as it is told to, and notes what it was asked."""

    name = "tiny reader"

    def __init__(self, answer: Callable[[Sequence[str]], Any]) -> None:
        self._answer = answer
        self.asked: list[tuple[str, list[str]]] = []

    def score(self, cue: str, texts: Sequence[str]) -> FloatArray:
        self.asked.append((cue, list(texts)))
        scores: FloatArray = self._answer(texts)
        return scores


def by_length(texts: Sequence[str]) -> FloatArray:
    """The longest first."""
    return np.array([len(text) for text in texts], np.float32)


def failing(error: Exception) -> Callable[[Sequence[str]], Any]:
    """An answer that is an error."""

    def answer(texts: Sequence[str]) -> Any:
        raise error

    return answer


def test_an_answer_in_time_is_a_score_for_each_text() -> None:
    """Whatever numbers the reranker's own library has."""
    read = Rereading(Reader(lambda texts: [3, 2.5]), PATIENT_MS)("cue", ["a", "b"])
    assert read.scores is not None
    assert (read.scores.tolist(), read.why) == ([3.0, 2.5], "")


@pytest.mark.parametrize(
    "answer",
    [[1.0], [1.0, 2.0, 3.0], [1.0, float("nan")], [1.0, float("inf")], [1.0, 1e300], [[1.0], [2.0]], None, "ab", []],
)
def test_a_bad_answer_is_a_reason(answer: Any) -> None:
    """Too few, too many, no number, too large, none at all."""
    read = Rereading(Reader(lambda texts: answer), PATIENT_MS)("cue", ["a", "b"])
    assert read.scores is None
    assert read.why == "tiny reader did not give one finite number for each of 2 texts."


def test_an_error_is_a_reason_that_quotes_nothing() -> None:
    """Ours says what happened; a library's own may hold a text or a key, so only its kind is told."""
    down = Rereading(Reader(failing(ModelUnavailable("It is down.", "Start it."))), PATIENT_MS)
    assert down("cue", ["a", "b"]).why == "It is down."
    broken = Rereading(Reader(failing(RuntimeError("secret text"))), PATIENT_MS)
    assert broken("cue", ["a", "b"]).why == "tiny reader failed (RuntimeError)."


def test_what_is_late_is_not_waited_for() -> None:
    """It goes on by itself; when so many do, the next is told at once that it is busy."""
    may_end = threading.Event()

    def slowly(texts: Sequence[str]) -> FloatArray:
        may_end.wait()
        return by_length(texts)

    reader = Reader(slowly)
    now = [0.0]
    rereading = Rereading(reader, 5, lambda: now[0])
    whys = []
    for _ in range(AT_ONCE):
        whys.append(rereading("cue", ["a", "bb"]).why)
        now[0] += REST_S
    assert set(whys) == {"tiny reader did not answer within 5 ms."}
    assert rereading("cue", ["a", "bb"]).why == "The reranker is busy with other cues."
    assert len(reader.asked) == AT_ONCE
    may_end.set()


def test_after_three_failures_it_is_left_alone_for_a_while() -> None:
    """The reason stays told; then it is asked again, and one success forgets the failures before."""
    now, answers = [0.0], [failing(ModelUnavailable("It is down."))] * (REST_AFTER + 1)
    answers += [by_length, *answers, by_length]
    reader = Reader(lambda texts: answers.pop(0)(texts))
    rereading = Rereading(reader, PATIENT_MS, lambda: now[0])
    for _ in range(REST_AFTER):
        assert rereading("cue", ["a", "b"]).why == "It is down."
    assert rereading("cue", ["a", "b"]).why == "It is down. It is left alone for a moment."
    assert len(reader.asked) == REST_AFTER
    now[0] += REST_S
    assert rereading("cue", ["a", "b"]).why == "It is down."
    assert rereading("cue", ["a", "b"]).scores is not None
    for _ in range(REST_AFTER - 1):
        assert rereading("cue", ["a", "b"]).why == "It is down."
    assert rereading("cue", ["a", "b"]).why == "It is down."
    assert "left alone" in rereading("cue", ["a", "b"]).why


# In the engine

KEPT = ("The kite is red.", "The kite of my sister is blue and very long.", "A kite flew over the harbour.")


def note(answer: Recollection) -> str | None:
    """What the trace says of the reranker."""
    return next((step.note for step in answer.trace if step.stage == "reader"), None)


def filled(scope: Scope, **options: Any) -> Reverie:
    """An engine that remembers some kites, by text alone."""
    engine = Reverie.open(":memory:", embedder=None, clock=FixedClock(NOW), **options)
    for text in KEPT:
        engine.remember(text, scope)
    return engine


def test_a_reranker_of_ones_own_reads_what_was_found_and_moves_it(scope: Scope) -> None:
    """Only texts of the scope that were found go out, with the cue; what it likes best is first."""
    reader = Reader(by_length)
    limits = RerankSettings(weight=10.0, deadline_ms=PATIENT_MS)
    with filled(scope, reranker=reader, rerank=limits) as engine:
        engine.remember("The longest of all kites belongs to somebody else entirely.", Scope("x", "y", "z"))
        answer = engine.recall("kite", scope)
        assert [hit.memory.text for hit in answer.hits] == sorted(KEPT, key=len, reverse=True)
        assert note(answer) is not None
        ((cue, texts),) = reader.asked
        assert cue == "kite"
        assert sorted(texts) == sorted(KEPT)
        assert engine.admin.reranker == "tiny reader"
        assert engine.admin.doctor() == []


def test_without_one_nothing_changes_and_with_a_broken_one_only_the_trace_does(scope: Scope) -> None:
    """Every hit, score and signal is as it was."""
    limits = RerankSettings(deadline_ms=PATIENT_MS)
    with filled(scope) as plain, filled(scope, reranker=Reader(failing(KeyError())), rerank=limits) as broken:
        before, after = plain.recall("kite", scope), broken.recall("kite", scope)
        assert plain.admin.reranker == "none"
        assert note(before) is None
        assert note(after) == "skipped: tiny reader failed (KeyError)."
        seen = [[(hit.memory.text, hit.score, hit.signals) for hit in answer.hits] for answer in (before, after)]
        assert seen[0] == seen[1]


def test_doctor_tells_one_that_fails_and_one_that_nobody_asks(scope: Scope) -> None:
    """No memory goes out for that."""
    reader = Reader(failing(ModelUnavailable("It is down.", "Start it.")))
    with filled(scope, reranker=reader, rerank=RerankSettings(deadline_ms=PATIENT_MS)) as engine:
        (fault,) = engine.admin.doctor()
        assert (fault.name, fault.what.startswith("It is down.")) == ("reranker-unavailable", True)
        assert not set(KEPT) & {text for _, texts in reader.asked for text in texts}
    with filled(scope, reranker=reader, recipe="v9") as engine:
        assert [fault.name for fault in engine.admin.doctor()] == ["reranker-unused"]


def test_one_that_is_loaded_later_takes_over(scope: Scope) -> None:
    """Until then the trace says that it is still being loaded."""
    limits = RerankSettings(deadline_ms=PATIENT_MS)
    with filled(scope, reranker=Unready(), rerank=limits) as engine:
        assert note(engine.recall("kite", scope)) == "skipped: The reranker is still being loaded."
        engine.admin.use_reranker(Reader(by_length))
        assert note(engine.recall("kite", scope)).startswith("3 read, ")


def test_what_is_gated_is_not_read(scope: Scope) -> None:
    """A host that asks on its own, and for which nothing here matters, sends nothing out."""
    from reverie import Question

    reader = Reader(by_length)
    with filled(scope, reranker=reader) as engine:
        answer = engine.recall(Question("thanks!", automatic=True), scope)
        assert answer.hits == ()
        assert reader.asked == []


@pytest.mark.parametrize("wrong", [7, Reader, object(), "nonsense", "rerank:", "rerank:m@nowhere", "fastembed:"])
def test_what_is_no_reranker_is_refused(wrong: Any, tmp_path: Path) -> None:
    """Before a store is made."""
    with pytest.raises(InvalidSetting):
        Reverie.open(tmp_path / "new.db", embedder=None, reranker=wrong)
    assert not (tmp_path / "new.db").exists()


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        {"first": 2},
        RerankSettings(first=1),
        RerankSettings(deadline_ms=0),
        RerankSettings(weight=-1.0),
        RerankSettings(weight=float("nan")),
        RerankSettings(first=2.5),  # type: ignore[arg-type]  # what a caller may hand in
        RerankSettings(weight="1"),  # type: ignore[arg-type]  # the same
    ],
)
def test_limits_have_their_ranges(wrong: Any) -> None:
    """Two texts at least, a weight from 0, a millisecond."""
    with pytest.raises(InvalidInput):
        Reverie.open(":memory:", embedder=None, rerank=wrong)


def test_a_specification_is_loaded_with_its_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """An endpoint gets the deadline and no key that was meant for another."""
    seen: list[tuple[str, dict[str, Any]]] = []

    def load(spec: str, **options: Any) -> Reader:
        seen.append((spec, options))
        return Reader(by_length)

    monkeypatch.setattr(registry, "load_reranker", load)
    limits = RerankSettings(deadline_ms=250)
    for spec in ("rerank:m@http://127.0.0.1:1", "fastembed:m"):
        Reverie.open(":memory:", embedder=None, reranker=spec, rerank=limits).close()
    assert seen == [("rerank:m@http://127.0.0.1:1", {"api_key": "", "timeout_s": 0.25}), ("fastembed:m", {})]
