from __future__ import annotations

import gc
import json
import sys
import threading
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reverie import FixedClock, HashEmbedder, RandomIds, Reverie, Scope
from reverie.consolidate.history import Cycle, DreamSummary
from reverie.encode.notes import Note
from reverie.engine import context
from reverie.engine.context import (
    SESSIONS_KEPT,
    EmbeddingCache,
    EmbeddingCaches,
    Guests,
    HotTiers,
    ToldDreams,
    is_protected,
    require_free,
    settle,
    short_turns,
)
from reverie.errors import Conflict, InvalidInput, ModelUnavailable, NotFound
from reverie.events import DreamStage
from reverie.ops.log import OpsLog
from reverie.types import FloatArray
from tests.encode.making import memory
from tests.engine.conftest import NOW


@pytest.mark.req("D21")
@pytest.mark.parametrize(("flag", "lifted"), [("pinned", "pin("), ("immutable", "protect(")])
def test_what_is_protected_says_how_to_lift_it(flag: str, lifted: str) -> None:
    """Pinned and immutable, each with its own way out."""
    assert is_protected(memory("x", **{flag: True}))
    with pytest.raises(Conflict) as refused:
        require_free(memory("x", **{flag: True}))
    assert lifted in refused.value.mend


def test_what_is_not_protected_is_free() -> None:
    """Nothing is raised."""
    assert not is_protected(memory("x"))
    require_free(memory("x"))


def test_a_memory_that_is_not_there(engine: Reverie, scope: Scope) -> None:
    """Says where to look."""
    with pytest.raises(NotFound) as missing:
        engine.memory("nothing", scope)
    assert missing.value.mend


@pytest.mark.req("D19")
def test_every_operation_is_a_line_where_there_is_a_log(tmp_path: Path, scope: Scope) -> None:
    """Remembering, observing, recalling; without a log nothing is written and nothing fails."""
    clock = FixedClock(NOW)
    log = OpsLog(tmp_path / "ops-log.jsonl", clock)
    engine = Reverie.open(":memory:", embedder=None, clock=clock, ids=RandomIds(seed=1), log=log)
    engine.observe("I moved to Lisbon in May.", scope)
    engine.recall("Lisbon", scope)
    engine.close()
    lines = (tmp_path / "ops-log.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 2


@pytest.mark.req("D26", "D19")
@pytest.mark.parametrize(("text", "cue"), [("I bought a kite.", "Which port?"), ("Uçurtma aldım.", "Hangi kapı?")])
def test_what_is_withheld_for_low_confidence_is_a_line_of_its_own(
    tmp_path: Path, scope: Scope, text: str, cue: str
) -> None:
    """Which hits, how sure each was, and not their words; where all was sure enough there is no such line."""
    clock, file = FixedClock(NOW), tmp_path / "ops-log.jsonl"
    log, ids = OpsLog(file, clock), RandomIds(seed=1)
    with Reverie.open(
        ":memory:", embedder=HashEmbedder(), recipe="v9", clock=clock, ids=ids, log=log, background=False
    ) as engine:
        (name,) = engine.observe(text, scope, deliberate=True).formed
        assert engine.recall(text, scope).hits
        answer = engine.recall(cue, scope)
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    low = [line for line in lines if line["op"] == "low confidence"]
    assert [(line["input"], line["resultCount"]) for line in low] == [(cue, len(answer.withheld))]
    assert f"{name}: low confidence: 0." in low[0]["output"]
    assert text not in low[0]["output"]


@pytest.mark.req("D19")
def test_tending_undoing_and_each_step_of_a_dream_are_lines_without_content(tmp_path: Path, scope: Scope) -> None:
    """Each says what, whose, which ids, how many and how long; one that was refused says so."""
    clock, file = FixedClock(NOW), tmp_path / "ops-log.jsonl"
    with Reverie.open(":memory:", embedder=None, clock=clock, ids=RandomIds(seed=1), log=OpsLog(file, clock)) as engine:
        one, other = (engine.admin.note([Note(f"Zeynep keeps {thing}.")], scope)[0].id for thing in ("bees", "hens"))
        engine.feedback(one, scope, "used")
        engine.admin.pin(one, scope)
        with pytest.raises(Conflict):
            engine.feedback(one, scope, "wrong")
        engine.admin.pin(one, scope, pinned=False)
        engine.admin.protect(one, scope)
        engine.admin.protect(one, scope, immutable=False)
        engine.admin.revive(other, scope)
        engine.relate(one, other, scope, "causes")
        engine.undo(scope, event=engine.admin.head())
        engine.dream(scope)
        engine.undo(scope)
        steps = [str(name) for name in engine._context.recipe.dream.order]
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    named = ["feedback", "pin", "feedback", "unpin", "protect", "unprotect", "revive", "relate", "undo"]
    assert [line["op"] for line in lines] == [*named, *(f"dream: {name}" for name in steps), "dream", "undo"]
    assert [line["success"] for line in lines] == [True, True, False, *[True] * (len(lines) - 3)]
    assert all(line["input"].startswith(str(scope)) for line in lines if line["op"] != "dream")
    assert lines[7]["input"] == f"{scope} {one} {other}"
    assert (lines[7]["output"], lines[7]["resultCount"]) == ("causes", 1)
    assert (lines[2]["output"], lines[2]["resultCount"]) == ("Conflict", None)
    assert all(line["latencyMs"] is not None for line in lines)
    assert "Zeynep" not in "".join(line["input"] + line["output"] for line in lines)


class Down(HashEmbedder):
    """A model whose endpoint does not answer."""

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        raise ModelUnavailable("The endpoint did not answer.", "Start it.")


@pytest.mark.parametrize("odd", [5, None, b"why", ["why"], object()], ids=lambda odd: type(odd).__name__)
def test_a_reason_is_a_text(engine: Reverie, scope: Scope, odd: Any) -> None:
    """Anything else is refused before anything is written."""
    kept = engine.remember("The kite flew over Lisbon.", scope).id
    before = len(engine.admin.events(scope))
    for call in (engine.forget, engine.admin.erase):
        with pytest.raises(InvalidInput, match="reason"):
            call(kept, scope, why=odd)
    with pytest.raises(InvalidInput, match="reason"):
        engine.correct(kept, "The kite flew over Porto.", scope, why=odd)
    assert len(engine.admin.events(scope)) == before
    assert engine.memory(kept, scope).text == "The kite flew over Lisbon."


def test_a_model_that_is_down_is_a_line(tmp_path: Path, scope: Scope) -> None:
    """How many texts stay without vectors, and why; the message itself is kept."""
    clock = FixedClock(NOW)
    log = OpsLog(tmp_path / "ops-log.jsonl", clock)
    with Reverie.open(":memory:", embedder=Down(), log=log, clock=clock, background=False) as engine:
        assert not engine.remember("The kite flew over Lisbon.", scope).embedded
    (line,) = [json.loads(line) for line in (tmp_path / "ops-log.jsonl").read_text().splitlines()]
    assert (line["op"], line["input"], line["success"]) == ("embed", "1 texts", False)
    assert line["output"] == "The endpoint did not answer."


AT = datetime(2026, 6, 15, 12, tzinfo=UTC)
SCOPE = Scope("helper", "ada", "home")


class Model:
    """Counts what it is asked to embed."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, text: str) -> FloatArray:
        """A vector of the text's length."""
        self.asked.append(text)
        return np.array([len(text)], np.float32)


def cache() -> EmbeddingCache:
    """A session's cache."""
    return EmbeddingCaches().of(SCOPE, "s")


@pytest.mark.req("D24")
def test_a_text_is_embedded_once() -> None:
    """Whatever it is made of: the key is a hash of its bytes, lone surrogates too."""
    held, model = cache(), Model()
    for text in ("tea", "tea", "çay", "\ud800", "\ud800", ""):
        held.get(text, AT, model)
    assert model.asked == ["tea", "çay", "\ud800", ""]
    assert (held.hits, len(held)) == (2, 4)


@pytest.mark.req("D24")
@pytest.mark.parametrize(("minutes", "asked"), [(0, 1), (29.9, 1), (30, 2), (31, 2), (-1, 2)])
def test_a_vector_is_kept_for_thirty_minutes(minutes: float, asked: int) -> None:
    """Being asked for does not make it younger; a clock that goes back makes it stale."""
    held, model = cache(), Model()
    held.get("tea", AT, model)
    held.get("tea", AT + timedelta(minutes=minutes), model)
    assert len(model.asked) == asked


@pytest.mark.req("D24")
def test_two_hundred_vectors_and_no_more() -> None:
    """The one asked for longest ago goes first."""
    held, model = cache(), Model()
    for n in range(200):
        held.get(f"t{n}", AT, model)
    held.get("t0", AT, model)
    assert len(model.asked) == 200
    held.get("one more", AT, model)
    assert len(held) == 200
    held.get("t0", AT, model)
    assert len(model.asked) == 201
    held.get("t1", AT, model)
    assert len(model.asked) == 202


@pytest.mark.req("D24", "D20")
def test_a_cache_belongs_to_a_session() -> None:
    """Of one scope; it is cleared when the session ends, and when something in the scope is erased."""
    caches = EmbeddingCaches()
    here = caches.of(SCOPE, "s")
    assert caches.of(SCOPE, "s") is here
    assert caches.of(SCOPE, "t") is not here
    assert caches.of(Scope("b", "ada", "home"), "s") is not here
    caches.end(SCOPE, "s")
    assert caches.of(SCOPE, "s") is not here
    other, kept = caches.of(SCOPE, None), caches.of(Scope("b", "b", "b"), "s")
    caches.forget(SCOPE)
    assert caches.of(SCOPE, None) is not other
    assert caches.of(Scope("b", "b", "b"), "s") is kept


def test_a_bounded_number_of_sessions_is_held() -> None:
    """The one longest silent goes first."""
    caches = EmbeddingCaches()
    first = caches.of(SCOPE, "s0")
    for n in range(1, SESSIONS_KEPT + 1):
        caches.of(SCOPE, f"s{n}")
    assert caches.of(SCOPE, "s0") is not first


def test_a_hot_tier_is_made_anew_after_its_minutes() -> None:
    """Five minutes long the same; then what is hot now."""
    tiers, made = HotTiers(), iter([("a",), ("b",)])
    found = [tiers.get(SCOPE, AT + timedelta(minutes=m), 5.0, lambda: next(made)) for m in (0, 4.9, 5)]
    assert found == [("a",), ("a",), ("b",)]


def test_a_dream_is_retold_once_until_something_is_erased() -> None:
    """One that is interrupted is told anew each time; a scope that something was erased from is forgotten."""
    scope, at = Scope("a", "u", "p"), datetime(2026, 3, 2, tzinfo=UTC)
    told: list[int] = []

    def tell() -> DreamSummary:
        told.append(1)
        return DreamSummary("c", "c", at, at, DreamStage.DONE, ())

    dreams = ToldDreams()
    done, cut = Cycle("c", "c", 1, at, DreamStage.DONE, (9, at)), Cycle("c", "c", 1, at, DreamStage.BEGUN)
    for erased, times in ((0, 1), (0, 1), (5, 2), (5, 2)):
        dreams.get(scope, done, erased, tell)
        assert len(told) == times
    dreams.forget(scope)
    dreams.get(scope, done, 5, tell)
    dreams.get(scope, cut, 5, tell)
    dreams.get(scope, cut, 5, tell)
    assert len(told) == 5


def test_a_dream_waits_for_who_recalls_but_not_for_ever() -> None:
    """Until the guest has gone; one that stays is waited for as long as patience lasts."""
    guests, gone = Guests(), threading.Event()
    came = threading.Event()

    def visit() -> None:
        with guests.one():
            came.set()
            gone.wait()

    visitor = threading.Thread(target=visit)
    visitor.start()
    came.wait()
    started = time.monotonic()
    guests.let_through()
    assert time.monotonic() - started >= context._PATIENCE_S
    gone.set()
    visitor.join()
    started = time.monotonic()
    guests.let_through()
    assert time.monotonic() - started < context._PATIENCE_S


def test_the_slower_model_rests_while_somebody_recalls_and_for_a_while_after(monkeypatch: pytest.MonkeyPatch) -> None:
    """Recalls come in bursts; but it goes on after some time however many there are, and at once if it is to stop."""
    monkeypatch.setattr(context, "_REST_S", 0.05)
    guests = Guests()
    started = time.monotonic()
    guests.rest(lambda: False)
    assert time.monotonic() - started < 0.05, "nobody has recalled"
    with guests.one():
        started = time.monotonic()
        guests.rest(lambda: True)
        assert time.monotonic() - started < 0.05, "it is to stop"
        monkeypatch.setattr(context, "_REST_MOST_S", 0.2)
        guests.rest(lambda: False)
        assert time.monotonic() - started >= 0.2, "no longer than that"
    monkeypatch.setattr(context, "_REST_MOST_S", 60.0)
    started = time.monotonic()
    guests.rest(lambda: False)
    assert 0.05 <= time.monotonic() - started < 30, "the recall has just ended"


def test_turns_are_short_while_any_dream_lasts() -> None:
    """And as before once the last has ended, also after an error."""
    usual = sys.getswitchinterval()
    with short_turns():
        with short_turns():
            assert sys.getswitchinterval() < usual
        assert sys.getswitchinterval() < usual
    assert sys.getswitchinterval() == usual


def test_a_paced_loop_leaves_nothing_out() -> None:
    """In order, whether or not somebody recalls; what is paced is not taken before it is wanted."""
    guests = Guests()
    assert list(guests.paced(range(100))) == list(range(100))
    with guests.one():
        assert list(guests.paced("ab")) == ["a", "b"]
    assert next(iter(guests.paced(iter(int, 1)))) == 0


def test_what_a_dream_loaded_is_put_aside_and_taken_back() -> None:
    """Garbage is collected past it while a dream lasts; nothing outside of one, or where a host did so itself."""
    assert gc.get_freeze_count() == 0
    settle()
    assert gc.get_freeze_count() == 0
    with short_turns():
        settle()
        assert gc.get_freeze_count() > 0
    assert gc.get_freeze_count() == 0
    gc.freeze()
    try:
        held = gc.get_freeze_count()
        with short_turns():
            settle()
        assert gc.get_freeze_count() == held
    finally:
        gc.unfreeze()
