"""The embedding cache: so many vectors, so long, least lately used goes first, and none passes to another session."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from reverie.consolidate.history import Cycle, DreamSummary
from reverie.engine.context import SESSIONS_KEPT, EmbeddingCache, EmbeddingCaches, HotTiers, ToldDreams
from reverie.events import DreamStage
from reverie.types import FloatArray, Scope

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
