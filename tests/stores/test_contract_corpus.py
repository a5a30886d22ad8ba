"""What every store must do, the reference and the default alike: columns, postings, neighbours, vectors, and views."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reverie.errors import InvalidInput, NotFound
from reverie.events import Action, Formed, Remembered
from reverie.ports import Store
from reverie.stores.ram import RamStore
from reverie.stores.sqlite import SqliteStore
from reverie.types import IndexEntry, Kind, Memory, ModelInfo, Role, Scope
from tests.stores.making import (
    ADA,
    ELSEWHERE,
    GRACE,
    MODEL,
    OTHER_MODEL,
    Writer,
    at,
    content,
    draft,
    episode,
    live_a_life,
    memory_of,
    vector,
)


def test_columns_follow_the_order_of_writing(store: Store, writer: Writer) -> None:
    """Lengths count terms, words the text's; speakers are numbered as they appear, roles as declared."""
    writer.remember(ADA, "tea and rain", terms=("tea", "rain"), speaker="Bo", role=Role.ASSISTANT, at=at(5))
    writer.remember(ADA, "ship", terms=("ship", "bo", "ship"), speaker="Ann", role=Role.USER, at=at(-7.5))
    writer.remember(ADA, "", terms=(), speaker="Bo", role=Role.PERSON, at=at(0))
    corpus = store.corpus(ADA, MODEL)
    assert corpus.size == 3
    assert corpus.lengths.tolist() == [2, 3, 0]
    assert corpus.words.tolist() == [3, 1, 0]
    assert (list(corpus.speaker_names), corpus.speakers.tolist()) == (["Bo", "Ann"], [0, 1, 0])
    assert corpus.roles.tolist() == [1, 0, 4]
    assert (corpus.said_at - at(0).timestamp()).tolist() == [300.0, -450.0, 0.0]


def test_a_corpus_is_up_to_date_and_the_same_while_nothing_changes(store: Store, writer: Writer) -> None:
    """Each call sees what was written before it; between writes it costs nothing, not even a new object."""
    writer.remember(ADA, "tea")
    corpus = store.corpus(ADA, MODEL)
    assert store.corpus(ADA, MODEL) is corpus
    writer.remember(ADA, "rain")
    assert store.corpus(ADA, MODEL).size == 2


def test_new_words_of_a_memory_are_searched_by_whoever_had_loaded_the_old_ones(store: Store, writer: Writer) -> None:
    """Terms and vector are those of the new text, in a corpus that was in memory before, as in one loaded anew."""
    fact = writer.form(ADA, writer.remember(ADA, "tea"), "red kite")
    before = store.corpus(ADA, MODEL).vectors_of(np.array([1]))
    assert store.corpus(ADA, MODEL).postings("kite").ordinals.tolist() == [1]
    writer.change(ADA, fact, text="blue ship")
    corpus = store.corpus(ADA, MODEL)
    assert (corpus.postings("kite").ordinals.size, corpus.postings("ship").ordinals.tolist()) == (0, [1])
    assert corpus.vectors_of(np.array([1])).tolist() == [pytest.approx(vector((writer.number - 1) * 11), abs=1e-3)]
    assert corpus.vectors_of(np.array([1])).tolist() != before.tolist()


def test_memories_made_in_place_of_one_that_is_gone_are_counted(store: Store, writer: Writer) -> None:
    """Taking back what nobody has, and adding in the same event: the next ones come after them."""
    said = writer.remember(ADA, "tea")
    lost = memory_of(episode(ADA, said, ""), "lost", Kind.FACT, "gone")
    fresh = replace(lost, id="fresh", text="ship")
    entry = IndexEntry(("ship",), 1, vector(3), MODEL)
    writer.event(ADA, Action.FORM, Formed((fresh,), (lost,), "undoing"), [entry])
    writer.remember(ADA, "rain")
    assert [memory.text for memory in store.corpus(ADA, MODEL).fetch([0, 1, 2])] == ["tea", "ship", "rain"]
    assert store.stats(ADA).memories == 3
    assert store.check() == []


def test_neighbours_stand_by_session_and_place(store: Store, writer: Writer) -> None:
    """Interleaved sessions, late messages and equal places are linked as if they had come in order."""
    places = [("s", 5), ("t", 0), ("s", 1), ("s", 3), ("t", 0), ("s", 9), ("s", 1), ("s", 0)]
    for session, place in places:
        writer.remember(ADA, "tea", session=session, seq=place)
        store.corpus(ADA, MODEL)
    corpus = store.corpus(ADA, MODEL)
    assert corpus.previous.tolist() == [3, -1, 7, 6, 1, 0, 2, -1]
    assert corpus.following.tolist() == [5, 4, 6, 0, -1, -1, 3, 2]


def test_only_messages_are_neighbours(store: Store, writer: Writer) -> None:
    """What was formed from a message stands outside the chain of messages."""
    for _ in range(2):
        writer.remember(ADA, "tea", formed=[(Kind.FACT, "likes tea")])
    corpus = store.corpus(ADA, MODEL)
    assert corpus.previous.tolist() == [-1, -1, 0, -1]
    assert corpus.following.tolist() == [2, -1, -1, -1]


def test_an_erased_message_leaves_no_hole_between_its_neighbours(store: Store, writer: Writer) -> None:
    """The messages before and after an erased one become neighbours."""
    names = [writer.remember(ADA, "tea") for _ in range(3)]
    store.corpus(ADA, MODEL)
    writer.erase(ADA, names[1])
    corpus = store.corpus(ADA, MODEL)
    assert (corpus.previous.tolist(), corpus.following.tolist()) == ([-1, 0], [1, -1])


def test_the_place_after_the_last_follows_the_messages_that_are_there(store: Store, writer: Writer) -> None:
    """The next place is one more than the greatest of the session, not of what was erased from it."""
    names = [writer.remember(ADA, "tea", seq=place) for place in (4, 2)]
    with store.begin(ADA, durable=False) as tx:
        assert tx.next_seq(ADA, "s") == 5
    writer.erase(ADA, names[0])
    with store.begin(ADA, durable=False) as tx:
        assert tx.next_seq(ADA, "s") == 3


def test_postings_name_each_memory_once_with_its_count(store: Store, writer: Writer) -> None:
    """Ascending ordinals, how often in each, whether asked before or after more was written."""
    writer.remember(ADA, "x", terms=("tea", "rain", "tea"))
    corpus = store.corpus(ADA, MODEL)
    assert corpus.postings("tea").ordinals.tolist() == [0]
    writer.remember(GRACE, "x", terms=("tea",))
    writer.remember(ADA, "x", terms=("rain",))
    writer.remember(ADA, "x", terms=("tea", "TEA", "te"))
    for view in (store.corpus(ADA, MODEL), store.corpus(ADA, None)):
        found = view.postings("tea")
        assert (found.ordinals.tolist(), found.counts.tolist()) == ([0, 2], [2, 1])
        assert found.ordinals.dtype == np.int64
        assert found.counts.dtype == np.float32
        assert view.postings("rain").ordinals.tolist() == [0, 1]
        assert view.postings("TEA").ordinals.tolist() == [2]
        assert view.postings("nowhere").ordinals.size == 0
    assert corpus.postings("tea").ordinals.tolist() == [0]


def test_nearest_gives_cosines_in_order_and_ties_by_ordinal(store: Store, writer: Writer) -> None:
    """The best first, exact cosines, equal vectors in order of writing, only among those allowed."""
    for text in "abcdef":
        writer.remember(ADA, text)
    twin = vector(0)
    for scope, name in writer.names[2:5:2]:
        store.put_vectors(MODEL, [(scope, name, twin)])
    corpus = store.corpus(ADA, MODEL)
    ordinals, cosines = corpus.nearest(twin, 3, None)
    assert ordinals.tolist() == [0, 2, 4]
    assert corpus.cosines(twin, ordinals) == pytest.approx([1, 1, 1], abs=2e-3)
    assert cosines == pytest.approx([1, 1, 1], abs=2e-3)
    assert np.ptp(cosines) == 0
    everything, all_cosines = corpus.nearest(twin, 99, None)
    assert sorted(everything.tolist()) == list(range(6))
    assert all_cosines.tolist() == sorted(all_cosines.tolist(), reverse=True)
    assert corpus.similarities(twin, everything).tolist() == all_cosines.tolist()
    among = np.array([False, True, True, False, False, True])
    assert set(corpus.nearest(twin, 2, among)[0].tolist()) < {1, 2, 5}
    assert corpus.nearest(twin, 0, None)[0].size == 0
    assert corpus.nearest(twin, 9, np.zeros(6, np.bool_))[0].size == 0


def test_a_cue_without_content_is_as_near_to_all(store: Store, writer: Writer) -> None:
    """A zero vector ties with everything, so the first memories come first."""
    for text in "abc":
        writer.remember(ADA, text)
    ordinals, cosines = store.corpus(ADA, MODEL).nearest(np.zeros(16, np.float32), 2, None)
    assert (ordinals.tolist(), cosines.tolist()) == ([0, 1], [0, 0])


def test_a_memory_without_a_vector_is_never_near(store: Store, writer: Writer) -> None:
    """It is passed over by the search, has cosine 0, and is not counted as embedded."""
    writer.remember(ADA, "a", embedded=None)
    writer.remember(ADA, "b")
    writer.remember(ADA, "c", embedded=OTHER_MODEL)
    corpus = store.corpus(ADA, MODEL)
    assert corpus.embedded == 1
    assert corpus.nearest(vector(1), 9, None)[0].tolist() == [1]
    assert corpus.cosines(vector(1), np.array([0, 2])).tolist() == [0, 0]
    assert store.corpus(ADA, OTHER_MODEL).nearest(vector(1), 9, None)[0].tolist() == [2]
    without = store.corpus(ADA, None)
    assert (without.embedded, without.nearest(vector(1), 9, None)[0].size) == (0, 0)
    assert without.cosines(vector(1), np.array([1])).tolist() == [0]


def test_vectors_are_handed_out_as_they_were_stored(store: Store, writer: Writer) -> None:
    """In the order asked for, as half precision keeps them; zeros where there is none, no columns without a model."""
    writer.remember(ADA, "a", embedded=None)
    name = writer.remember(ADA, "b", embedded=None)
    twin = vector(7)
    store.put_vectors(MODEL, [(ADA, name, twin)])
    rows = store.corpus(ADA, MODEL).vectors_of(np.array([1, 0, 1]))
    kept = twin.astype(np.float16).astype(np.float32).tolist()
    assert rows.tolist() == [kept, [0.0] * 16, kept]
    assert store.corpus(ADA, None).vectors_of(np.array([1, 0])).shape == (2, 0)


def test_a_vector_of_the_wrong_shape_is_refused(store: Store, writer: Writer) -> None:
    """Neither a cue nor a memory can be compared in other dimensions, or with what is no number."""
    writer.remember(ADA, "a")
    with pytest.raises(InvalidInput):
        store.corpus(ADA, MODEL).nearest(vector(1, 8), 1, None)
    for bad in (vector(1, 8), np.full(16, np.nan, np.float32), vector(1)[np.newaxis]):
        with pytest.raises(InvalidInput):
            store.put_vectors(MODEL, [(ADA, "m00001", bad)])


def test_vectors_made_later_are_found_and_counted(store: Store, writer: Writer) -> None:
    """The unembedded come oldest first, in batches; what is put is found; nothing is put on the erased."""
    names = [writer.remember(ADA, "a", embedded=None) for _ in range(5)]
    other = writer.remember(GRACE, "b", embedded=None)
    writer.remember(ADA, "c")
    view = store.corpus(ADA, MODEL)
    assert store.missing(MODEL) == 6
    assert store.missing(ModelInfo("unheard", "1", 3)) == 7
    assert [memory.id for memory in store.unindexed(MODEL, 3)] == names[:3]
    assert [memory.id for memory in store.unindexed(MODEL, 3, GRACE)] == [other]
    assert [memory.id for memory in store.unindexed(MODEL, 3, ADA)] == names[:3]
    nowhere = Scope("no", "bo", "dy")
    assert (store.unindexed(MODEL, 3, nowhere), store.missing(MODEL, nowhere)) == ([], 0)
    assert (store.missing(MODEL, ADA), store.missing(MODEL, GRACE)) == (5, 1)
    store.put_vectors(MODEL, [(ADA, name, vector(i)) for i, name in enumerate(names[:3])])
    assert [memory.id for memory in store.unindexed(MODEL, 9)] == [*names[3:], other]
    assert store.corpus(ADA, MODEL).nearest(vector(1), 1, None)[0].tolist() == [1]
    assert (view.embedded, view.nearest(vector(1), 9, None)[0].tolist()) == (1, [5])
    writer.erase(ADA, names[3])
    store.put_vectors(MODEL, [(ADA, names[3], vector(3)), (GRACE, names[4], vector(4)), (GRACE, other, vector(5))])
    assert [memory.id for memory in store.unindexed(MODEL, 9)] == [names[4]]
    assert (store.missing(MODEL), store.corpus(ADA, MODEL).embedded) == (1, 4)
    assert store.check() == []


def test_a_vector_put_again_replaces_the_first(store: Store, writer: Writer) -> None:
    """The second vector is the one that counts, and it counts once."""
    name = writer.remember(ADA, "a")
    store.corpus(ADA, MODEL)
    store.put_vectors(MODEL, [(ADA, name, vector(99))])
    corpus = store.corpus(ADA, MODEL)
    assert corpus.cosines(vector(99), np.array([0]))[0] == pytest.approx(1, abs=2e-3)
    assert (corpus.embedded, store.stats(ADA).embedded) == (1, 1)
    assert store.check() == []


def test_models_never_mix(store: Store, writer: Writer) -> None:
    """Each model sees its own vectors; dropping keeps one model's and says how many went."""
    name = writer.remember(ADA, "a")
    writer.remember(ADA, "b", embedded=OTHER_MODEL)
    store.put_vectors(OTHER_MODEL, [(ADA, name, vector(50))])
    assert [store.corpus(ADA, model).embedded for model in (MODEL, OTHER_MODEL)] == [1, 2]
    writer.remember(GRACE, "c")
    assert (store.outdated(OTHER_MODEL), store.outdated(MODEL)) == ([ADA, GRACE], [ADA])
    assert store.drop_vectors(ADA, keep=OTHER_MODEL) == 1
    assert store.drop_vectors(ADA, keep=OTHER_MODEL) == 0
    assert (store.outdated(OTHER_MODEL), store.corpus(GRACE, MODEL).embedded) == ([GRACE], 1)
    assert store.drop_vectors(GRACE, keep=OTHER_MODEL) == 1
    assert store.drop_vectors(Scope("no", "bo", "dy"), keep=OTHER_MODEL) == 0
    assert [store.corpus(ADA, model).embedded for model in (MODEL, OTHER_MODEL)] == [0, 2]
    assert (store.missing(MODEL), store.missing(MODEL, ADA), store.missing(MODEL, GRACE)) == (3, 2, 1)
    assert store.check() == []


def test_a_second_model_stands_beside_the_first(store: Store, writer: Writer) -> None:
    """Both models' vectors lie at the same places, come later, are replaced and dropped together, and never mix."""
    both = replace(MODEL, second=OTHER_MODEL)
    names = [writer.remember(ADA, "a"), writer.remember(ADA, "b")]
    beside = store.corpus(ADA, both).second
    assert beside is not None
    assert beside.embedded == 0
    assert not len(beside.nearest(vector(1), 9, None)[0])
    store.put_vectors(OTHER_MODEL, [(ADA, names[1], vector(50))])
    names.append(writer.remember(ADA, "c", embedded=both))
    store.put_vectors(OTHER_MODEL, [(ADA, names[2], vector(51))])
    corpus = store.corpus(ADA, both)
    assert corpus.second is not None
    assert (corpus.embedded, corpus.second.embedded, store.missing(OTHER_MODEL)) == (3, 2, 1)
    assert corpus.second.nearest(vector(51), 1, None)[0].tolist() == [2]
    assert corpus.second.similarities(vector(50), np.array([0]))[0] == 0
    assert np.allclose(corpus.second.of(np.array([1, 2])), np.stack([vector(50), vector(51)]), atol=1e-3)
    store.put_vectors(OTHER_MODEL, [(ADA, names[1], vector(52))])
    replaced = store.corpus(ADA, both).second
    assert replaced is not None
    assert np.allclose(replaced.of(np.array([1])), vector(52), atol=1e-3)
    assert store.drop_vectors(ADA, keep=both) == 0
    writer.erase(ADA, names[1])
    left = store.corpus(ADA, both).second
    assert left is not None
    assert (left.embedded, store.corpus(ADA, MODEL).second) == (1, None)
    assert store.drop_vectors(ADA, keep=MODEL) == 1
    assert store.check() == []


def test_reindexing_replaces_every_term(store: Store, writer: Writer) -> None:
    """Terms and lengths are the new ones, read while reindexing; a memory left out has none; vectors stay."""
    writer.remember(ADA, "tea rain")
    writer.remember(ADA, "ship")
    writer.remember(GRACE, "violin")
    before = store.corpus(ADA, MODEL)
    assert before.postings("tea").ordinals.tolist() == [0]
    store.reindexed("v1")
    memories = (m for m in store.memories(ADA) if m.text != "ship")
    store.reindex(ADA, "v2", ((m.id, IndexEntry((*m.text.upper().split(), "x"), 7)) for m in memories))
    corpus = store.corpus(ADA, MODEL)
    assert (store.analyzer(), store.analyzer(ADA), store.analyzer(GRACE)) == ("v1", "v2", "v1")
    assert (corpus.lengths.tolist(), corpus.words.tolist(), corpus.embedded) == ([3, 0], [7, 0], 2)
    assert corpus.postings("tea").ordinals.size == 0
    assert corpus.postings("TEA").ordinals.tolist() == [0]
    assert store.corpus(GRACE, MODEL).postings("violin").ordinals.tolist() == [0]
    store.reindex(Scope("no", "bo", "dy"), "v2", [("m00001", IndexEntry(("x",), 1))])
    store.reindexed("v3")
    assert (store.analyzer(), store.analyzer(ADA), store.analyzer(GRACE)) == ("v3", "v3", "v3")
    assert store.check() == []


def test_a_failed_reindexing_changes_nothing(store: Store, writer: Writer) -> None:
    """The old terms and the old version stay if the new terms cannot be made."""
    writer.remember(ADA, "tea")

    def broken() -> Iterator[tuple[str, IndexEntry]]:
        yield "m00001", IndexEntry(("rain",), 1)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.reindex(ADA, "v2", broken())
    assert store.analyzer(ADA) == ""
    assert store.corpus(ADA, MODEL).postings("tea").ordinals.tolist() == [0]


def test_a_view_stays_as_of_its_moment(store: Store, writer: Writer) -> None:
    """Nothing written later shows in a corpus taken before: size, neighbours, validity, postings, vectors."""
    first = writer.remember(ADA, "tea", seq=5)
    writer.remember(ADA, "tea", embedded=None, seq=6)
    view = store.corpus(ADA, MODEL)
    store.put_vectors(MODEL, [(ADA, "m00002", vector(1))])
    store.corpus(ADA, MODEL)
    writer.remember(ADA, "tea", seq=0)
    writer.forget(ADA, first, at(0))
    later = store.corpus(ADA, MODEL)
    assert (view.size, later.size) == (2, 3)
    assert (view.previous.tolist(), later.previous.tolist()) == ([-1, 0], [2, 0, -1])
    assert view.recallable(at(1)) is None
    assert later.recallable(at(1)) is not None
    assert [corpus.postings("tea").ordinals.tolist() for corpus in (view, later)] == [[0, 1], [0, 1, 2]]
    assert [len(corpus.nearest(vector(1), 9, None)[0]) for corpus in (view, later)] == [1, 3]


def test_memories_come_in_the_order_asked_for(store: Store, writer: Writer) -> None:
    """Any order, repeats, none."""
    names = [writer.remember(ADA, text) for text in "abc"]
    corpus = store.corpus(ADA, None)
    assert [memory.id for memory in corpus.fetch([2, 0, 0])] == [names[2], names[0], names[0]]
    assert corpus.fetch([]) == []
    assert corpus.fetch([1]) == [store.memory(ADA, names[1])]


def test_a_memory_erased_under_a_view_is_not_found(store: Store, writer: Writer) -> None:
    """Fetching what went since the view was taken says so; a new memory never stands in its place."""
    writer.remember(ADA, "a")
    last = writer.remember(ADA, "b")
    view = store.corpus(ADA, MODEL)
    writer.erase(ADA, last)
    writer.remember(ADA, "c")
    with pytest.raises(NotFound):
        view.fetch([0, 1])
    assert [memory.text for memory in view.fetch([0])] == ["a"]


@pytest.mark.parametrize("count", [600, 4300])
def test_many_memories_at_once_are_as_many_one_by_one(count: int, tmp_path: Path) -> None:
    """Loaded in one go or brought up to date in steps, in bulk or by the row: the same corpus."""
    ram, stepwise = RamStore(), SqliteStore(tmp_path / "a")
    for store in (ram, stepwise):
        writer = Writer(store)
        for number in range(30):
            writer.remember(ADA, f"tea {number % 7}", session=f"s{number % 3}", seq=number * 7 % 11)
            content(store, ADA)
        _write_many(store, count)
        content(store, ADA)
        writer.prefix = "z"
        for number in range(30):
            writer.remember(ADA, f"tea {number % 7}", session=f"s{number % 3}", seq=number * 5 % 13)
    whole = SqliteStore(tmp_path / "a")
    expected = content(ram, ADA)
    assert content(stepwise, ADA) == expected
    assert content(whole, ADA) == expected
    stepwise.close()
    whole.close()


def _write_many(store: Store, count: int) -> None:
    with store.begin(ADA, durable=False) as tx:
        for number in range(count):
            said = episode(ADA, f"bulk{number}", "tea", session=f"s{number % 5}", seq=number * 7919 % 997)
            entry = IndexEntry(("tea", f"w{number % 50}"), 1, vector(number), MODEL)
            tx.append(draft(ADA, Action.REMEMBER, Remembered(said, (memory_of(said),))), [entry])


def test_threads_share_one_store(store: Store) -> None:
    """Threads write and read at once: all is there, once, the chain holds, no reader sees half a message."""

    def write(name: str) -> None:
        writer = Writer(store, name)
        for _ in range(15):
            writer.remember(ADA, "tea", session=name)

    def read(times: int) -> None:
        for _ in range(times):
            corpus = store.corpus(ADA, MODEL)
            assert len(corpus.fetch(range(corpus.size))) == corpus.size == corpus.embedded
            assert corpus.postings("tea").ordinals.tolist() == list(range(corpus.size))
            assert corpus.following.max(initial=-1) < corpus.size

    with ThreadPoolExecutor(5) as threads:
        work = [*(threads.submit(write, name) for name in "abc"), threads.submit(read, 40), threads.submit(read, 40)]
    assert [part.exception() for part in work] == [None] * 5
    assert sorted(memory.seq for memory in store.memories(ADA)) == sorted([*range(15)] * 3)
    assert store.check() == []


def test_more_scopes_than_are_kept_in_memory(store: Store) -> None:
    """Asking round about many scopes answers as asking each first."""
    live_a_life(store, 3, 30)
    writer = Writer(store)
    scopes = [Scope("tester", f"user{number}", "house") for number in range(40)]
    for scope in scopes:
        writer.remember(scope, f"tea {scope.user}")
    for _ in range(2):
        for scope in scopes:
            corpus = store.corpus(scope, MODEL)
            assert [memory.scope for memory in corpus.fetch(range(corpus.size))] == [scope]
            assert corpus.postings(scope.user).ordinals.tolist() == [0]
    assert isinstance(store.corpus(ELSEWHERE, MODEL).fetch([0])[0], Memory)


def test_the_centre_is_where_cosines_are_seen_from(store: Store, writer: Writer) -> None:
    """A cue at the centre is as near to all; without vectors there is no centre."""
    for text in "abc":
        writer.remember(ADA, text)
    corpus = store.corpus(ADA, MODEL)
    assert corpus.centre is not None
    assert corpus.similarities(corpus.centre, np.arange(3)).tolist() == [0, 0, 0]
    rows = corpus.vectors_of(np.arange(3)) - corpus.centre
    seen = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    assert corpus.similarities(corpus.centre + seen[1], np.arange(3)) == pytest.approx(seen @ seen[1], abs=1e-5)
    assert store.corpus(ADA, None).centre is None
