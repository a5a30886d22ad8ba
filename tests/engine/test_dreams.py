from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.life.simulation import state_digest
from reverie.consolidate.settings import DreamSettings
from reverie.engine.dreams import BATCH, ByVector, ByWords, dream, nearness_of
from reverie.engine.undo import undo
from reverie.errors import ModelUnavailable, NotFound
from reverie.events import Action, Changed, Draft, Dreamt, Forgotten, Formed, Related, folded
from reverie.language.text.analyzer import index_terms
from reverie.ports import Store
from reverie.recipes.default.dream import DREAM as REVERIE
from reverie.recipes.published.exocortex import DREAM as EXOCORTEX
from reverie.recipes.published.ocean import DREAM as OCEAN
from reverie.recipes.published.openclaw import DREAM as OPENCLAW
from reverie.recipes.published.v9.dream import DREAM as V9
from reverie.stores.ram import RamStore
from reverie.stores.sqlite import SqliteStore
from reverie.types import FloatArray, Kind, Memory, Relation, RelationKind, Scope, State
from tests.engine.lives import MODEL, NOW, SCOPE, Life, means_for

RECIPES = {"v9": V9, "reverie": REVERIE, "exocortex": EXOCORTEX, "openclaw": OPENCLAW, "ocean": OCEAN}
ALL = pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES)
STRENGTH = {"stability_days", "consolidated_at"}
"""What a dream may give a pinned flashbulb."""


def lived(seed: int, count: int = 60) -> RamStore:
    """A store with a life in it."""
    store = RamStore()
    Life(store, seed).live(count)
    return store


def formed(store: Store) -> dict[str, Memory]:
    """The formed memories by id."""
    return {memory.id: memory for memory in store.formed(SCOPE)}


@ALL
@pytest.mark.req("D21", "D33")
@pytest.mark.parametrize("seed", range(4))
def test_protected_memories_survive_every_step(recipe: DreamSettings, seed: int) -> None:
    """Night after night: immutable ones are untouched; of pinned ones nothing is taken, edited or moved."""
    store = lived(seed)
    before = formed(store)
    for nights in range(3):
        dream(means_for(store, seed=nights, at=NOW + timedelta(days=30 * nights)), SCOPE, recipe)
    for name, memory in formed(store).items():
        was = before.get(name, memory)
        if was.standing.immutable:
            assert memory == was
        elif was.standing.pinned:
            held = {one: getattr(was.standing, one) for one in STRENGTH}
            assert replace(memory, standing=replace(memory.standing, **held)) == was
            assert memory.standing.stability_days >= was.standing.stability_days


@ALL
@pytest.mark.req("D20", "D33")
@pytest.mark.parametrize("seed", range(4))
def test_every_mutation_is_explained_by_an_event(recipe: DreamSettings, seed: int) -> None:
    """Memories and edges before, and what the cycle's events say of each, give memories and edges after."""
    store = lived(seed)
    before, edges, head = formed(store), store.relations(SCOPE), store.head(SCOPE)[0]
    report = dream(means_for(store), SCOPE, recipe)
    for event in store.events(SCOPE, after=head):
        match event.payload:
            case Changed(changes, cycle):
                assert cycle == report.night.cycle
                assert len(changes) <= BATCH <= 500
                assert all(change.why for change in changes)
                for one in changes:  # a memory may change twice in one event
                    before[one.memory] = folded(before[one.memory], [one])
            case Formed(added, removed, cycle):
                assert (len(added), removed, cycle) == (1, (), report.night.cycle)
                before |= {memory.id: memory for memory in added}
            case Related(added, removed, cycle):
                assert (removed, cycle) == ((), report.night.cycle)
                edges += added
            case payload:
                assert isinstance(payload, Dreamt)
    assert formed(store) == before
    assert sorted(map(repr, edges)) == sorted(map(repr, store.relations(SCOPE)))
    assert store.check() == []


@pytest.mark.parametrize("recipe", [V9, REVERIE, EXOCORTEX, OCEAN], ids=["v9", "reverie", "exocortex", "ocean"])
@pytest.mark.req("D33", "D20", "B3")
@pytest.mark.parametrize("seed", range(4))
def test_a_second_dream_of_the_period_changes_nothing(recipe: DreamSettings, seed: int) -> None:
    """Not even later the same day; and the journal has no trace of it."""
    store = lived(seed)
    dream(means_for(store), SCOPE, recipe)
    after, head = state_digest(store, SCOPE), store.head(SCOPE)
    assert dream(means_for(store, seed=2, at=NOW + timedelta(hours=9)), SCOPE, recipe).changed == 0
    assert (state_digest(store, SCOPE), store.head(SCOPE)) == (after, head)


@ALL
@pytest.mark.req("D33")
def test_a_dry_run_writes_nothing_and_tells_the_same(recipe: DreamSettings) -> None:
    """But for its first line."""
    store = lived(7)
    head = store.head(SCOPE)
    told = dream(means_for(store), SCOPE, recipe, dry_run=True).lines()
    assert store.head(SCOPE) == head
    assert dream(means_for(store), SCOPE, recipe).lines()[1:] == told[1:]


def test_what_came_since_the_first_dream_of_the_day_has_its_night() -> None:
    """The second takes up the new memory alone."""
    store = lived(3)
    dream(means_for(store), SCOPE, OCEAN)
    before = formed(store)
    made = replace(before["f00001"], id="new", recorded_at=NOW + timedelta(hours=1), valid_until=None)
    made = replace(
        made, standing=replace(made.standing, state=State.ACTIVE, importance=0.1, pinned=False, immutable=False)
    )
    means = means_for(store, seed=3, at=NOW + timedelta(hours=2))
    with store.begin(SCOPE, durable=True) as tx:
        tx.append(Draft(SCOPE, NOW, "tester", Action.FORM, "", Formed((made,)), bytes(16)))
    assert dream(means, SCOPE, OCEAN).changed == 1
    after = formed(store)
    assert after.pop("new").standing.state is State.DORMANT
    assert after == before


class Killed(BaseException):
    """The process is gone."""


class Dying:
    """A store that dies after so many writes (never, if below 0); everything else is the store's."""

    def __init__(self, store: Store, left: int) -> None:
        self._store = store
        self.left = left

    def begin(self, scope: Scope, *, durable: bool) -> AbstractContextManager[Any]:
        if self.left == 0:
            raise Killed
        self.left -= 1
        return self._store.begin(scope, durable=durable)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


@ALL
@pytest.mark.req("D33")
def test_a_dream_that_was_killed_goes_on_where_it_stopped(recipe: DreamSettings) -> None:
    """Wherever it was killed: the same cycle ends as if nothing had happened, and is taken back whole."""
    counting, before = Dying(lived(5), -1), state_digest(lived(5), SCOPE)
    dream(means_for(counting), SCOPE, recipe)  # type: ignore[arg-type]  # the rest is the store's
    wanted, writes = state_digest(counting, SCOPE), -1 - counting.left  # type: ignore[arg-type]  # the rest is the store's
    for survived in sorted({1, 2, writes // 3, writes // 2, 3 * writes // 4, writes - 2, writes - 1}):
        store = lived(5)
        with pytest.raises(Killed):
            dream(means_for(Dying(store, survived)), SCOPE, recipe)  # type: ignore[arg-type]  # the rest is the store's
        report = dream(means_for(store, seed=9, at=NOW + timedelta(minutes=5)), SCOPE, recipe)
        assert report.resumed
        assert state_digest(store, SCOPE) == wanted, survived
        means = means_for(store, seed=10)
        undo(store, SCOPE, means.clock, means.ids, means.lock)
        assert state_digest(store, SCOPE) == before


def test_a_step_run_alone_does_not_end_an_interrupted_dream() -> None:
    """Whoever asks for one step begins a cycle of its own; the night goes on when it is asked for again."""
    store = lived(5)
    with pytest.raises(Killed):
        dream(means_for(Dying(store, 3)), SCOPE, V9)  # type: ignore[arg-type]  # the rest is the store's
    alone = replace(V9, period_hours=None, order=V9.order[:1])
    assert not dream(means_for(store, seed=4), SCOPE, alone).resumed
    assert dream(means_for(store, seed=5), SCOPE, V9).resumed


class Meddling:
    """A lock that lets somebody else write, once, while the dream has given it back."""

    def __init__(self, meddle: Any, after: int) -> None:
        self._meddle = meddle
        self._left = after

    def __enter__(self) -> None:
        self._left -= 1
        if self._left == 0:
            self._meddle()

    def __exit__(self, *_: object) -> None:
        return None


@pytest.mark.req("D20")
def test_what_somebody_changed_meanwhile_is_left_alone() -> None:
    """A memory forgotten by a person while the dream goes on keeps what the person did, and the report says so."""
    store = lived(2)
    name = "f00010"

    def meddle() -> None:
        with store.begin(SCOPE, durable=True) as tx:
            tx.append(Draft(SCOPE, NOW, "ada", Action.FORGET, "", Forgotten(name, None, NOW), bytes(16)))

    before = formed(store)[name]
    touched = dream(means_for(store), SCOPE, V9, dry_run=True)
    assert sum(step.changed for step in touched.steps)
    report = dream(replace(means_for(store), lock=Meddling(meddle, after=5)), SCOPE, V9)
    assert formed(store)[name] == replace(before, valid_until=NOW)
    assert sum(step.left for step in report.steps) > 0


class Away:
    """An embedder whose endpoint does not answer."""

    info = MODEL.info

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        raise ModelUnavailable("nobody there")

    def embed_query(self, text: str) -> FloatArray:
        raise ModelUnavailable("nobody there")


@pytest.mark.req("D33", "D34")
def test_what_a_dream_forms_can_be_found(tmp_path: Path) -> None:
    """By its words and its vector, and it names episodes that are there; without the model by its words alone."""
    for embedder, embedded in ((MODEL, True), (Away(), False)):
        store = SqliteStore(tmp_path / f"{embedded}.db")
        Life(store, 4).live(60)
        report = dream(replace(means_for(store), embedder=embedder), SCOPE, V9)
        made = next(one for step in report.steps for one in step.made)
        assert all(store.memory(SCOPE, source) for source in made.sources)
        corpus = store.corpus(SCOPE, MODEL.info)
        ordinals, _ = corpus.nearest(MODEL.embed_query(made.text), corpus.size, None)
        assert (made.id in {one.id for one in corpus.fetch(ordinals.tolist())}) is embedded
        rarest = min(index_terms(made.text), key=lambda term: len(corpus.postings(term).ordinals))
        assert made.id in {one.id for one in corpus.fetch(corpus.postings(rarest).ordinals.tolist())}
        store.close()


def test_what_got_no_vector_is_told(tmp_path: Path) -> None:
    """Each memory that was made while the model was down, and why."""
    store = SqliteStore(tmp_path / "reverie.db")
    Life(store, 4).live(60)
    told: list[tuple[int, str]] = []
    means = replace(means_for(store), embedder=Away(), unembedded=lambda n, why: told.append((n, why.message)))
    report = dream(means, SCOPE, V9)
    assert len(told) >= sum(step.formed for step in report.steps) > 0
    assert set(told) == {(1, "nobody there")}
    store.close()


class Mind:
    """A model that knows the answer."""

    def theme(self, texts: Sequence[str]) -> str | None:
        return "They talk of the garden."

    def pattern(self, texts: Sequence[str]) -> str | None:
        return None

    def summary(self, category: str, texts: Sequence[str]) -> str | None:
        return "A summary."


@pytest.mark.req("D33")
def test_with_a_model_the_themes_are_its_own() -> None:
    """Where it has no answer the extract stands."""
    store = lived(1)
    report = dream(means_for(store, mind=Mind()), SCOPE, V9)  # type: ignore[arg-type]  # only what a dream asks of a mind
    made = [one for one in formed(store).values() if one.standing.write_source == "dream"]
    themes = [one.text for one in made if "theme" in one.standing.tags]
    assert set(themes) == {"They talk of the garden."}
    assert all(one.text for one in made if one.kind is Kind.PATTERN)
    assert report.changed


@ALL
@pytest.mark.req("D33")
def test_both_stores_dream_the_same(recipe: DreamSettings, tmp_path: Path) -> None:
    """The same memories, edges and journal."""
    ram, sqlite = lived(6), SqliteStore(tmp_path / "m.db")
    Life(sqlite, 6).live(60)
    dream(means_for(ram), SCOPE, recipe)
    dream(means_for(sqlite), SCOPE, recipe)
    assert sqlite.digest() == ram.digest()
    assert state_digest(sqlite, SCOPE) == state_digest(ram, SCOPE)
    assert sqlite.check() == []
    sqlite.close()


def test_threads_get_their_usual_turns_back() -> None:
    """Also when the dream fails."""
    usual = sys.getswitchinterval()
    with pytest.raises(Killed):
        dream(means_for(Dying(lived(1), 0)), SCOPE, V9)  # type: ignore[arg-type]  # the rest is the store's
    assert sys.getswitchinterval() == usual


def test_an_empty_scope_dreams_of_nothing() -> None:
    """The first dream of the period is noted, and can be taken back."""
    store = RamStore()
    means = means_for(store)
    assert dream(means, SCOPE, REVERIE).changed == 0
    assert undo(store, SCOPE, means.clock, means.ids, means.lock).changed == 0
    with pytest.raises(NotFound):
        undo(store, SCOPE, means.clock, means.ids, means.lock)


def test_a_contradiction_across_nights_puts_the_older_to_sleep() -> None:
    """An edge found in the evening works the next night."""
    store = lived(8)
    dream(means_for(store), SCOPE, V9)
    awake = [m for m in store.formed(SCOPE) if m.standing.state is State.ACTIVE and not m.valid_until]
    free = [m for m in awake if not (m.standing.pinned or m.standing.immutable) and m.standing.write_source != "dream"]
    older, newer = sorted(free, key=lambda memory: memory.at)[:2]
    edge = Relation(newer.id, older.id, RelationKind.CONTRADICTS, 1.0, NOW)
    with store.begin(SCOPE, durable=True) as tx:
        tx.append(Draft(SCOPE, NOW, "tester", Action.RELATE, "", Related((edge,)), bytes(16)))
    dream(means_for(store, seed=2, at=NOW + timedelta(days=1)), SCOPE, V9)
    assert formed(store)[older.id].standing.state is not State.ACTIVE


def test_memories_lie_where_the_store_has_their_vectors() -> None:
    """A unit vector each; zeros for what the corpus does not know."""
    store = RamStore()
    Life(store, 1).live(10)
    memories = store.formed(SCOPE)
    corpus = store.corpus(SCOPE, MODEL.info)
    places = {one.id: ordinal for ordinal, one in enumerate(corpus.fetch(range(corpus.size)))}
    nearness = nearness_of(places, corpus)
    assert isinstance(nearness, ByVector)
    found = nearness.vectors([memories[3], replace(memories[0], id="unknown")])
    assert found[0] == pytest.approx(MODEL.embed_query(memories[3].text), abs=2e-3)
    assert not found[1].any()


def test_an_edge_is_read_on_the_models_own_scale() -> None:
    """A model with .84 for unrelated texts reads .96 as .82; without a scale of its own an edge is what it says."""
    store = RamStore()
    Life(store, 1).live(10)
    corpus = store.corpus(SCOPE, MODEL.info)
    crowded = nearness_of({}, corpus, lambda cosine: 1 - (1 - cosine) * 4.5)
    assert crowded.edge(0.82) == pytest.approx(0.96)
    assert crowded.edge(1.0) == pytest.approx(1.0)
    assert crowded.read(0.96) == pytest.approx(0.82)
    assert nearness_of({}, corpus).edge(0.9) == nearness_of({}, corpus).read(0.9) == 0.9


def test_without_vectors_their_words_say_where_they_lie() -> None:
    """The same words, the same place."""
    store = RamStore()
    Life(store, 1).live(10)
    nearness = nearness_of({}, store.corpus(SCOPE, None))
    assert isinstance(nearness, ByWords)
    one = store.formed(SCOPE)[0]
    same, other = replace(one, id="a"), replace(one, id="b", text="zebra")
    found = nearness.vectors([one, same, other])
    assert float(found[0] @ found[1]) == pytest.approx(1.0, abs=2e-3)
    assert float(found[0] @ found[2]) < 0.5
    assert np.array_equal(found, nearness.vectors([one, same, other]))
    assert len(nearness.vectors([])) == 0
