"""The public class, on both stores: what a user would notice."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reverie import Message, Reverie, Role, Scope, TimeWindow
from reverie.errors import Conflict, InvalidInput, InvalidScope, ModelUnavailable, NotFound, StoreClosed, StoreError
from reverie.events import Action
from tests.engine.conftest import NOW, open_at
from tests.engine.full_life import ORDER


def tell(engine: Reverie, scope: Scope, *texts: str) -> list[str]:
    """Remember some texts; their ids."""
    return [engine.remember(text, scope).id for text in texts]


def found(engine: Reverie, cue: str, scope: Scope) -> list[str]:
    """The texts a cue recalls, best first."""
    return [hit.memory.text for hit in engine.recall(cue, scope).hits]


def test_what_was_said_is_recalled_word_for_word(engine: Reverie, scope: Scope) -> None:
    """The right sentence comes first, unchanged."""
    tell(engine, scope, "The  spare key hangs behind the boiler!", "Dinner is at eight.", "The boat is blue.")
    assert found(engine, "Where is the spare key?", scope)[0] == "The  spare key hangs behind the boiler!"


def test_every_hit_shows_its_signals(engine: Reverie, scope: Scope) -> None:
    """A score is the sum of what it is made of."""
    tell(engine, scope, "The spare key hangs behind the boiler.")
    hit = engine.recall("spare key", scope).hits[0]
    assert hit.score == pytest.approx(sum(signal.share for signal in hit.signals), abs=1e-6)
    found_by = {"text", "window", "coverage", "meaning", "own meaning"}
    told_by = {"speaker", "user", "assistant", "device", "telling", "length", "size", "time", "dated", "recency"}
    told_by |= {"order", "taste"}
    assert found_by | told_by == {signal.name for signal in hit.signals}


def test_an_answer_names_its_scope(engine: Reverie, scope: Scope) -> None:
    """Receipts and recollections echo where they come from."""
    assert engine.remember("x", scope).scope == scope
    assert engine.recall("x", scope).scope == scope


@pytest.mark.parametrize(
    "other", [Scope("b", "ada", "home"), Scope("helper", "b", "home"), Scope("helper", "ada", "b")]
)
def test_no_part_of_a_scope_is_crossed(engine: Reverie, scope: Scope, other: Scope) -> None:
    """Another agent, another user, another project: nothing comes over, by any call."""
    kept = tell(engine, scope, "The spare key hangs behind the boiler.")[0]
    assert found(engine, "spare key", other) == []
    assert engine.timeline(other) == []
    assert engine.admin.stats(other).memories == 0
    assert engine.admin.events(other) == []
    for call in (engine.memory, engine.forget):
        with pytest.raises(NotFound):
            call(kept, other)
    with pytest.raises(NotFound):
        engine.admin.erase(kept, other, why="asked")
    assert found(engine, "spare key", scope)


def test_a_call_without_a_scope_is_refused(engine: Reverie) -> None:
    """There is no default to fall into."""
    with pytest.raises(InvalidScope, match="every call names one"):
        engine.recall("x", None)  # type: ignore[arg-type]  # the missing scope is the point


def test_a_message_with_an_id_is_kept_once(engine: Reverie, scope: Scope) -> None:
    """Sending it again changes nothing and says so."""
    first = engine.remember(Message("hello", message_id="m1"), scope)
    again = engine.remember(Message("hello", message_id="m1"), scope)
    assert (first.new, again.new, again.id) == (True, False, first.id)
    assert engine.admin.stats(scope).memories == 1


def test_a_message_id_with_other_words_is_a_conflict(engine: Reverie, scope: Scope) -> None:
    """Nothing is overwritten, and the caller is told."""
    engine.remember(Message("hello", message_id="m1"), scope)
    with pytest.raises(Conflict):
        engine.remember(Message("goodbye", message_id="m1"), scope)
    assert [memory.text for memory in engine.timeline(scope)] == ["hello"]


def test_a_bulk_import_goes_on_where_it_stopped(engine: Reverie, scope: Scope) -> None:
    """The second run finds the first run's messages known."""
    messages = [Message(f"note {n}", session="s", message_id=f"m{n}") for n in range(600)]
    sizes: list[int] = []
    assert engine.transfer.remember_many(messages[:300], scope).new == 300
    report = engine.transfer.remember_many(iter(messages), scope, progress=sizes.append)
    assert (report.new, report.known, sum(sizes)) == (300, 300, 600)
    assert [memory.seq for memory in engine.timeline(scope)] == list(range(600))


def test_a_changed_message_does_not_stop_an_import(engine: Reverie, scope: Scope) -> None:
    """What is known with other words is named; everything else is kept."""
    engine.remember(Message("hello", message_id="m1"), scope)
    report = engine.transfer.remember_many(
        [Message("changed", message_id="m1"), Message("new", message_id="m2")], scope
    )
    assert (report.new, report.known, report.conflicts) == (1, 0, ("m1",))
    assert [memory.text for memory in engine.timeline(scope)] == ["hello", "new"]


def test_messages_that_break_off_are_kept_as_far_as_they_came(engine: Reverie, scope: Scope) -> None:
    """Whoever makes them may fail, and one of them may be none: what came before is not lost with it."""

    def breaking(count: int) -> Iterator[Message]:
        yield from (Message(f"note {n}", message_id=f"m{n}") for n in range(count))
        raise OSError("the line is dead")

    for count in (3, 256, 300):
        with pytest.raises(OSError, match="dead"):
            engine.transfer.remember_many(breaking(count), scope)
        assert len(engine.timeline(scope)) == count
    with pytest.raises(InvalidInput):
        engine.transfer.remember_many([Message("good"), Message("bad", speaker="")], scope)
    assert "good" in {memory.text for memory in engine.timeline(scope)}


def test_what_the_screen_did_to_many_messages_is_counted(engine: Reverie, scope: Scope) -> None:
    """Held back or masked, of the new ones alone."""
    messages = [Message("Wifi şifrem: Qx7mWv2Lp9z1", message_id="m1"), Message(ORDER, message_id="m2"), Message("tea")]
    for counts in ((1, 1), (0, 0)):
        done = engine.transfer.remember_many(messages, scope)
        assert (done.held, done.masked) == counts


def test_an_export_brought_back_is_known(engine: Reverie, scope: Scope) -> None:
    """A message under the id its memory already has is the same message."""
    kept = engine.remember("hello", scope).id
    assert engine.transfer.remember_many([Message("hello", message_id=kept)], scope).known == 1


def test_forgetting_hides_and_keeps(engine: Reverie, scope: Scope) -> None:
    """A forgotten memory is not recalled, stands in the timeline, and forgetting it twice is forgetting it once."""
    kept = tell(engine, scope, "The spare key hangs behind the boiler.", "Dinner is at eight.")[0]
    assert engine.forget(kept, scope, why="moved").valid_until == NOW
    engine.forget(kept, scope)
    assert "key" not in " ".join(found(engine, "spare key", scope))
    assert len(engine.timeline(scope)) == 2
    assert [event.why for event in engine.admin.events(scope) if event.action is Action.FORGET] == ["moved"]


def test_a_forgotten_memory_still_held_before(engine: Reverie, scope: Scope) -> None:
    """Asked as of a moment before it was forgotten, it answers."""
    kept = tell(engine, scope, "The spare key hangs behind the boiler.")[0]
    engine.forget(kept, scope)
    before = NOW - timedelta(hours=1)
    assert [hit.memory.id for hit in engine.recall("spare key", scope, now=before).hits] == [kept]


def test_erasing_leaves_a_tombstone_without_content(engine: Reverie, scope: Scope) -> None:
    """Text, index and journal content go; that something was erased stays, and the chain holds."""
    kept, other = tell(engine, scope, "The spare key hangs behind the boiler.", "Dinner is at eight.")
    found(engine, "spare key", scope)
    engine.admin.erase(kept, scope, why="asked by the user")
    assert found(engine, "spare key boiler", scope) in ([], ["Dinner is at eight."])
    assert [memory.id for memory in engine.timeline(scope)] == [other]
    erased = next(event for event in engine.admin.events(scope) if event.seq == 1)
    assert erased.payload is None
    assert engine.admin.verify() == []


def test_an_erased_message_id_may_come_again(engine: Reverie, scope: Scope) -> None:
    """After erasure the id is free."""
    kept = engine.remember(Message("secret", message_id="m1"), scope).id
    engine.admin.erase(kept, scope, why="asked")
    assert engine.remember(Message("public", message_id="m1"), scope).new


def test_recall_counts_what_it_handed_over_and_explain_does_not(engine: Reverie, scope: Scope) -> None:
    """Looking is not using."""
    kept = tell(engine, scope, "The spare key hangs behind the boiler.")[0]
    engine.explain("spare key", scope)
    assert engine.memory(kept, scope).accesses == 0
    engine.recall("spare key", scope)
    engine.recall("spare key", scope)
    assert engine.memory(kept, scope).accesses == 2
    assert engine.memory(kept, scope).last_access == NOW


def test_a_time_the_cue_speaks_of_raises_what_was_said_then(engine: Reverie, scope: Scope) -> None:
    """Of two equal sentences the one from May comes first when May is asked for."""
    for month in (3, 5):
        engine.remember(
            "We painted the kitchen again", scope, session=f"s{month}", at=datetime(2026, month, 9, tzinfo=UTC)
        )
    engine.remember("Nothing else", scope)
    answer = engine.recall("What did we paint in May 2026?", scope)
    assert answer.cue.window is not None
    assert answer.hits[0].memory.at.month == 5


def test_a_window_the_caller_sets_filters(engine: Reverie, scope: Scope) -> None:
    """Outside it nothing is handed over, and the trace says that it was filtered."""
    for month in (3, 5):
        engine.remember(f"Painted the kitchen, month {month}", scope, at=datetime(2026, month, 9, tzinfo=UTC))
    march = TimeWindow(datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC), "March")
    answer = engine.recall("kitchen", scope, window=march)
    assert [hit.memory.at.month for hit in answer.hits] == [3]
    assert any("filtered" in step.note for step in answer.trace)


def test_the_budget_is_kept(engine: Reverie, scope: Scope) -> None:
    """Never more tokens than asked for; what did not fit says so."""
    tell(engine, scope, *(f"kite number {n} " + "and a long tail " * n for n in range(12)))
    answer = engine.recall("kite", scope, budget_tokens=60)
    assert 0 < answer.tokens <= 60
    assert any("does not fit" in hit.withheld for hit in answer.withheld)


@pytest.mark.parametrize(
    "wrong", [{"top_k": 0}, {"top_k": True}, {"budget_tokens": -1}, {"now": datetime(2026, 1, 1)}, {"top_k": "3"}]
)
def test_a_wrong_limit_is_refused(engine: Reverie, scope: Scope, wrong: dict[str, object]) -> None:
    """With what to use instead."""
    with pytest.raises(InvalidInput) as refused:
        engine.recall("x", scope, **wrong)  # type: ignore[arg-type]  # the wrong type is the point
    assert refused.value.mend


def test_a_question_of_stop_words_alone_does_not_fail(engine: Reverie, scope: Scope) -> None:
    """A cue like "What is it?" finds something or nothing, but answers."""
    tell(engine, scope, "It is what it is.")
    for cue in ("What is it?", "", "?!", "\0", "NEAR(", '"', "a OR b* AND", "\ud800"):
        answer = engine.recall(cue, scope)
        assert answer.trace
        assert {hit.memory.text for hit in answer.hits} <= {"It is what it is."}


def test_a_closed_engine_says_so(where: str, scope: Scope) -> None:
    """A call after close is an error of its own; closing twice is not."""
    engine = open_at(where)
    engine.close()
    engine.close()
    with pytest.raises(StoreClosed):
        engine.recall("x", scope)


def test_threads_share_an_engine(engine: Reverie, scope: Scope) -> None:
    """Eight writers and readers at once: all is there, nothing twice."""
    faults: list[Exception] = []

    def work(who: int) -> None:
        try:
            for n in range(20):
                engine.remember(Message(f"thread {who} note {n}", session=f"s{who}"), scope)
                engine.recall(f"note {n}", scope)
        except Exception as fault:  # noqa: BLE001 -- a thread's fault must reach the assertion below
            faults.append(fault)

    threads = [threading.Thread(target=work, args=(who,)) for who in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert len({memory.text for memory in engine.timeline(scope)}) == 160


class Unreachable:
    """A model whose endpoint is down."""

    def __init__(self, inner: object) -> None:
        self.inner = inner
        self.up = False

    def __getattr__(self, name: str) -> object:
        if name.startswith("embed_") and not self.up:
            raise ModelUnavailable("The endpoint did not answer.", "Start it.")
        return getattr(self.inner, name)


def test_a_model_that_is_down_costs_no_message(where: str, scope: Scope) -> None:
    """The message is kept, recall goes by text and says so, and catching up embeds it later."""
    from reverie import HashEmbedder

    model = Unreachable(HashEmbedder())
    with open_at(where, model) as engine:
        assert not engine.remember("The spare key hangs behind the boiler.", scope).embedded
        answer = engine.recall("spare key", scope)
        assert answer.hits
        assert any("did not answer" in step.note for step in answer.trace)
        model.up = True
        assert engine.admin.embed() == 1
        assert engine.recall("spare key", scope).hits[0].cosine is not None


def test_another_model_re_embeds_and_recalls_by_text_meanwhile(tmp_path: Path, scope: Scope) -> None:
    """Vectors of two models are never compared; after catching up, meaning counts again."""
    from reverie import HashEmbedder

    file = str(tmp_path / "memory.db")
    with open_at(file) as engine:
        tell(engine, scope, *(f"note {n}" for n in range(150)))
    sizes: list[int] = []
    with open_at(file, HashEmbedder(dims=128)) as engine:
        assert engine.recall("note 7", scope).hits[0].cosine is None
        assert [fault.name for fault in engine.admin.doctor()] == ["not-embedded"]
        assert engine.admin.embed(sizes.append) == 150
        assert len(sizes) > 1
        assert engine.recall("note 7", scope).hits[0].cosine is not None
        assert engine.admin.doctor() == []


def test_catching_up_in_the_background_starts_by_itself(tmp_path: Path, scope: Scope) -> None:
    """Opening with a new model embeds without being asked; closing waits for it."""
    file = str(tmp_path / "memory.db")
    with open_at(file, None) as engine:
        tell(engine, scope, *(f"note {n}" for n in range(10)))
    from reverie import HashEmbedder

    engine = Reverie.open(file, embedder=HashEmbedder())
    while engine.admin.missing():
        pass
    engine.close()
    with open_at(file) as engine:
        assert engine.admin.missing() == 0


def test_replay_rebuilds_an_identical_store(engine: Reverie, scope: Scope, tmp_path: Path) -> None:
    """The journal alone gives the same digest and the same rankings, after forgetting and erasing."""
    ids = tell(engine, scope, *(f"kite number {n} flies" for n in range(30)))
    engine.recall("kite 7", scope)
    engine.forget(ids[3], scope)
    engine.admin.erase(ids[5], scope, why="asked")
    target = tmp_path / "again.db"
    assert engine.admin.replay(target) == engine.admin.digest()
    with open_at(str(target)) as again:
        again.admin.embed()
        for cue in ("kite 7", "number 12 flies"):
            one, two = engine.explain(cue, scope).recollection, again.explain(cue, scope).recollection
            assert [hit.memory.id for hit in one.hits] == [hit.memory.id for hit in two.hits]


def test_a_replay_is_made_where_nothing_is_or_for_its_digest(engine: Reverie, scope: Scope, tmp_path: Path) -> None:
    """Whatever is at the path stays as it is; a folder that is not there is told."""
    tell(engine, scope, "The spare key hangs behind the boiler.")
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(Conflict, match=r"notes\.txt"):
        engine.admin.replay(tmp_path / "notes.txt")
    assert (tmp_path / "notes.txt").read_text() == "mine"
    with pytest.raises(StoreError):
        engine.admin.replay(tmp_path / "nowhere" / "again.db")
    assert engine.admin.replay(":memory:") == engine.admin.digest()
    assert [path.name for path in tmp_path.iterdir() if "reverie" in path.name or "again" in path.name] == []


def test_a_backup_opens_and_recalls(engine: Reverie, scope: Scope, tmp_path: Path) -> None:
    """The copy is a store of its own."""
    tell(engine, scope, "The spare key hangs behind the boiler.")
    engine.admin.backup(tmp_path / "copy.db")
    with open_at(str(tmp_path / "copy.db")) as copy:
        assert found(copy, "spare key", scope)


def test_both_stores_rank_alike(tmp_path: Path, scope: Scope) -> None:
    """The same journal gives the same order and the same scores in memory and on disk."""
    answers = []
    for where in (":memory:", str(tmp_path / "memory.db")):
        with open_at(where) as engine:
            for n in range(80):
                engine.remember(Message(f"kite {n % 7} over the {n % 11} hills", session=f"s{n % 3}"), scope)
            answers.append([(h.memory.id, h.score) for h in engine.recall("kite 3 hills", scope).hits])
    assert answers[0] == answers[1]


def test_turkish_finds_turkish(engine: Reverie, scope: Scope) -> None:
    """Case and suffixes of Turkish do not stand in the way."""
    tell(engine, scope, "Ayşe geçen yaz İSTANBUL'a taşındı.", "Akşam yemeği sekizde.", "Tekne mavi.")
    assert found(engine, "Kim İstanbul'da oturuyor?", scope)[0].startswith("Ayşe")


def test_roles_are_kept(engine: Reverie, scope: Scope) -> None:
    """Who spoke, in which role, in which place."""
    kept = engine.remember(Message("Sure.", speaker="Bot", role=Role.ASSISTANT, session="s9"), scope)
    memory = engine.memory(kept.id, scope)
    assert (memory.speaker, memory.role, memory.session, memory.seq) == ("Bot", Role.ASSISTANT, "s9", 0)


@pytest.mark.parametrize("path", ["x.db", Path("x.db")])
def test_a_path_is_for_open(path: str | Path) -> None:
    """Who calls the class with one is told what to call."""
    with pytest.raises(InvalidInput, match=r"Reverie\.open with the path"):
        Reverie(path)  # type: ignore[arg-type] # what a caller might do
    assert not Path("x.db").exists()
