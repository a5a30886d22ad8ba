from __future__ import annotations

import io
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias
from unittest.mock import Mock

import pytest

from reverie import FixedClock, HashEmbedder, RandomIds, Reverie, Scope
from reverie.engine import erasure, logs
from reverie.engine.erasure import Eraser, quotes, terms
from reverie.errors import Conflict, InvalidInput, NotFound, StoreFull
from reverie.events import Action, Change, Changed, FieldChange
from reverie.faces.hook import client
from reverie.faces.hook.frames import Spool
from reverie.ops import log as erasing
from reverie.ops.log import OpsLog
from reverie.stores import codec
from reverie.types import State
from tests.engine.conftest import NOW, open_at
from tests.spoken import english, neither, turkish

Act: TypeAlias = Callable[[Reverie, str, Scope], object]
WORD = "Kvorblinsk"


def exported(engine: Reverie) -> str:
    """The whole journal as the lossless export writes it."""
    out = io.BytesIO()
    engine.transfer.export_journal(out)
    return out.getvalue().decode()


def old_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seal events as it was done until 2026-11-24: the header's hash covers the reason itself."""
    monkeypatch.setattr(codec, "_sealed", lambda why, _: why)


SUPERSEDING = [
    (f"I live in {WORD}.", "I moved, I live in Dranbolsk now."),
    (f"{WORD}'te yaşıyorum.", "Taşındım, artık Dranbolsk'ta yaşıyorum."),
]
REASONS: dict[str, Act] = {
    "correct": lambda engine, name, scope: engine.correct(name, "The kite is red.", scope, why=f"no longer {WORD}"),
    "forget": lambda engine, name, scope: engine.forget(name, scope, why=f"{WORD} is over"),
    "feedback": lambda engine, name, scope: engine.feedback(name, scope, "useless", why=f"{WORD} is no use"),
    "wrong": lambda engine, name, scope: engine.feedback(name, scope, "wrong", why=f"{WORD} is wrong"),
    "amend": lambda engine, name, scope: engine.admin.amend(name, scope, tags=[WORD], why=f"about {WORD}"),
    "tags": lambda engine, name, scope: engine.admin.amend(name, scope, tags=[WORD]),
    "reopen": lambda engine, name, scope: (
        engine.forget(name, scope, why=f"{WORD} is over"),
        engine.admin.reopen(name, scope, why=f"{WORD} is not over"),
    ),
    "undo": lambda engine, name, scope: (
        engine.feedback(name, scope, "used", why=f"{WORD} helped"),
        engine.undo(scope, event=engine.admin.history(name, scope)[-1].seq),
    ),
}


@pytest.mark.parametrize("old", [False, True], ids=["sealed", "old-hashes"])
@pytest.mark.parametrize("act", REASONS)
def test_a_reason_goes_with_what_it_was_given_for(
    where: str, scope: Scope, act: str, old: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the journal and its export, whichever way the header was hashed; the chain holds, and a replay is the same."""
    if old:
        old_hashes(monkeypatch)
    with open_at(where) as engine:
        kept = engine.remember("The dragon is blue.", scope).id
        name = engine.remember(f"The kite of {WORD} is green.", scope).id
        REASONS[act](engine, name, scope)
        assert WORD in exported(engine)
        engine.admin.erase(name, scope, why=f"{WORD} must go")
        assert WORD not in exported(engine)
        assert engine.admin.verify() == []
        assert engine.admin.replay(":memory:") == engine.admin.digest()
        assert engine.memory(kept, scope).text == "The dragon is blue."


@pytest.mark.parametrize(("first", "second"), SUPERSEDING)
def test_the_engines_own_reasons_quote_nothing(where: str, scope: Scope, first: str, second: str) -> None:
    """What supersedes another is named by its id: its words go with it, and the other stays as it stood."""
    with open_at(where) as engine:
        (old,) = engine.observe(first, scope, deliberate=True).formed
        newer = engine.correct(old, second, scope)
        closed = [one for one in engine.timeline(scope) if one.standing.state is State.SUPERSEDED]
        assert closed, "the case is that one supersedes another"
        engine.admin.erase(newer.id, scope, why="asked")
        assert "Dranbolsk" not in exported(engine)
        assert WORD in exported(engine)
        assert engine.admin.verify() == []
        assert engine.admin.replay(":memory:") == engine.admin.digest()
        assert [engine.memory(one.id, scope).standing.state for one in closed] == [State.SUPERSEDED] * len(closed)


def quoting(engine: Reverie, scope: Scope, old: str, new: str) -> None:
    """Write a change as it was until 2026-11-24: it closes a memory with another's words, and lifts a third one."""
    close = Change(old, (FieldChange("superseded_by", "", new),), f"name: home: {WORD} → Dranbolsk")
    third = engine.remember("The printer hums.", scope).id
    lift = Change(third, (FieldChange("importance", 0.5, 0.75),), f"captured by {new}")
    engine._context.append(scope, Action.CHANGE, "observed", Changed((close, lift)))


@pytest.mark.parametrize("gone", ["old", "new"])
def test_an_old_event_that_changed_what_stays_is_said_anew(where: str, scope: Scope, gone: str) -> None:
    """It loses its content; what it did to the others is said after the erasure, and can be replayed from there."""
    with open_at(where) as engine:
        old = engine.remember(f"I live in {WORD}.", scope).id
        new = engine.remember("I live in Dranbolsk.", scope).id
        quoting(engine, scope, old, new)
        engine.feedback(old, scope, "used")
        before = {one.id: one for one in engine.timeline(scope)}
        erased = {"old": old, "new": new}[gone]
        engine.admin.erase(erased, scope, why="asked")
        word = {"old": WORD, "new": "Dranbolsk"}[gone]
        assert word not in exported(engine)
        assert {one.id: one for one in engine.timeline(scope)} == {k: v for k, v in before.items() if k != erased}
        assert engine.admin.verify() == []
        assert engine.admin.replay(":memory:") == engine.admin.digest()


def test_a_header_without_its_reason_is_vouched_for(
    tmp_path: Path, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody can alter the rest of an old header unseen once its reason was erased."""
    path = tmp_path / "memory.db"
    old_hashes(monkeypatch)
    with open_at(str(path)) as engine:
        name = engine.remember("The kite is green.", scope).id
        engine.forget(name, scope, why="the kite burned")
        engine.admin.erase(name, scope, why="asked")
        assert [event.why for event in engine.admin.events(scope)][1] == codec.ERASED_REASON
        assert engine.admin.verify() == []
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE event SET actor = 'mallory' WHERE seq = 2")
    with open_at(str(path)) as engine:
        assert "header of event 2 was changed" in str(engine.admin.verify())


def test_what_was_erased_stays_so_where_a_journal_is_taken_in(tmp_path: Path, scope: Scope) -> None:
    """A store that takes a journal over has its erasures, with the chain whole; undo refuses."""
    with open_at(str(tmp_path / "one.db")) as engine:
        name = engine.remember(f"The kite of {WORD} is green.", scope).id
        engine.forget(name, scope, why=f"{WORD} is over")
        engine.admin.erase(name, scope, why="asked")
        with pytest.raises(Conflict, match="erased"):
            engine.undo(scope, event=2)
        (tmp_path / "out.jsonl").write_text(exported(engine), encoding="utf-8")
        digest = engine.admin.digest()
    with open_at(str(tmp_path / "two.db")) as other:
        other.transfer.import_journal(tmp_path / "out.jsonl", into_its_own_scopes=True)
        assert other.admin.verify() == []
        assert other.admin.digest() == digest
        assert WORD not in exported(other)


def test_a_replica_that_hears_of_an_erasure_later_erases_the_same(tmp_path: Path, scope: Scope) -> None:
    """It derives what goes from its own journal: reasons, tags and what was formed."""
    with open_at(str(tmp_path / "one.db")) as engine:
        engine.remember("The dragon is blue.", scope)
        name = engine.remember(f"The kite of {WORD} is green.", scope).id
        engine.correct(name, "The kite is red.", scope, why=f"no longer {WORD}")
        (tmp_path / "before.jsonl").write_text(exported(engine), encoding="utf-8")
        engine.admin.erase(name, scope, why="asked")
        (tmp_path / "after.jsonl").write_text(exported(engine), encoding="utf-8")
    with open_at(str(tmp_path / "two.db")) as other:
        other.transfer.import_journal(tmp_path / "before.jsonl", into=Scope("another", "one", "here"))
        other.transfer.import_journal(tmp_path / "after.jsonl", into=Scope("another", "one", "here"))
        assert WORD not in exported(other)
        assert other.admin.verify() == []


def test_several_go_at_once_or_none(engine: Reverie, scope: Scope) -> None:
    """One unknown id, and nothing is erased; the answer names what went, and the journal's head before and after."""
    names = [engine.remember(f"The kite flew {n} times.", scope).id for n in range(3)]
    with pytest.raises(NotFound):
        engine.admin.erase([*names, "nobody"], scope, why="asked")
    with pytest.raises(InvalidInput):
        engine.admin.erase([], scope, why="asked")
    before = engine.admin.events(scope)
    done = engine.admin.erase(names[:2], scope, why="asked")
    after = engine.admin.events(scope)
    assert done.memories == tuple(names[:2])
    assert done.before == (before[-1].seq, before[-1].hash)
    assert done.after == (after[-1].seq, after[-1].hash)
    assert [one.id for one in engine.timeline(scope)] == names[2:]
    assert [event.action for event in after if event.action is Action.ERASE] == [Action.ERASE]


def test_what_a_dream_made_goes_with_a_member(where: str, scope: Scope) -> None:
    """A correction has no source but itself: the theme that repeats it must not outlive it."""
    clock = FixedClock(NOW)
    with Reverie.open(where, embedder=HashEmbedder(), clock=clock, ids=RandomIds(seed=1), background=False) as engine:
        names = [
            engine.observe(f"The {colour} kite flew over the bay.", scope, deliberate=True).formed
            for colour in ("red", "green", "blue", "white", "black")
        ]
        (first,) = names[0]
        new = engine.correct(first, f"The {WORD} kite flew over the bay.", scope)
        engine.dream(scope)
        engine.admin.erase(new.id, scope, why="asked")
        assert WORD.lower() not in exported(engine).lower()
        assert engine.admin.verify() == []
        assert engine.admin.replay(":memory:") == engine.admin.digest()


# Logs


def logged(path: Path, where: Path) -> OpsLog:
    """A log as the command line opens it, noted as the store's."""
    logs.sign(where, path)
    return OpsLog(path, FixedClock(NOW))


@pytest.mark.parametrize("place", ["own", "elsewhere"])
def test_an_engine_without_a_log_reaches_the_stores_logs(tmp_path: Path, scope: Scope, place: str) -> None:
    """Whichever face erases: Python's, where the command line wrote the log, in the state folder or elsewhere."""
    where, folder = tmp_path / "memory.db", logs.log_folder(tmp_path / "memory.db")
    assert folder is not None
    path = folder / logs.LOG_FILE if place == "own" else tmp_path / "else" / "x.jsonl"
    log = logged(path, where)
    with Reverie.open(where, embedder=None, log=log) as engine:
        name = engine.observe(f"I live in {WORD}.", scope, deliberate=True).id
    assert WORD in path.read_text()
    with Reverie.open(where, embedder=None) as engine:
        engine.admin.erase(name, scope, why="asked")
    assert WORD not in path.read_text()
    assert list(folder.glob("erasing-*")) == []


def test_a_log_that_a_killed_process_left_is_emptied_at_the_next_opening(tmp_path: Path, scope: Scope) -> None:
    """What is to be emptied is noted before the erasure begins."""
    where = tmp_path / "memory.db"
    path = tmp_path / "x.jsonl"
    log = logged(path, where)
    with Reverie.open(where, embedder=None, log=log) as engine:
        name = engine.observe(f"I live in {WORD}.", scope, deliberate=True).id
    with Reverie.open(where, embedder=None) as engine, pytest.MonkeyPatch.context() as patch:
        patch.setattr(erasing, "erase_texts", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            engine.admin.erase(name, scope, why="asked")
    assert WORD in path.read_text()
    Reverie.open(where, embedder=None).close()
    assert WORD not in path.read_text()


def test_a_log_that_cannot_be_written_is_told_and_tried_again(tmp_path: Path, scope: Scope) -> None:
    """The memory is gone by then; what the log repeats of it must not be left in silence."""
    where, path = tmp_path / "memory.db", tmp_path / "x.jsonl"
    with Reverie.open(where, embedder=None, log=logged(path, where)) as engine:
        name = engine.observe(f"I live in {WORD}.", scope, deliberate=True).id
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(erasing, "erase_texts", Mock(side_effect=OSError(28, "no room")))
            with pytest.raises(StoreFull, match="erased"):
                engine.admin.erase(name, scope, why="asked")
        assert engine.timeline(scope) == []
    Reverie.open(where, embedder=None).close()
    assert WORD not in path.read_text()


# A person


def test_what_is_held_of_a_person_is_found_within_the_scopes_named(engine: Reverie, scope: Scope) -> None:
    """What they said, and what names them; nothing of a scope that was not named."""
    other, hidden = replace(scope, project="work"), replace(scope, user="tom")
    said = engine.remember("The kite is red.", scope, speaker="Elif").id
    told = engine.observe("Elif'in kedisi bahçede uyuyor.", scope, deliberate=True)
    tagged = engine.remember("The printer hums.", other).id
    engine.admin.amend(tagged, other, tags=["elif"])
    engine.remember("Elif lives in Oslo.", hidden)
    engine.remember("Elifnur aradı.", scope)
    held = engine.admin.held_of("Elif", [scope, other])
    assert {place: {one.id for one in found} for place, found in held.items()} == {
        scope: {said, told.id, *told.formed},
        other: {tagged},
    }
    for place, found in held.items():
        engine.admin.erase([one.id for one in found], place, why="asked")
    assert engine.admin.held_of("Elif", [scope, other]) == {}
    assert len(engine.admin.held_of("Elif", engine.admin.scopes())[hidden]) == 1
    with pytest.raises(InvalidInput):
        engine.admin.held_of(" ", [scope])


@pytest.mark.parametrize("done", [0, 1])
def test_an_erasure_of_several_scopes_that_was_cut_short_ends_at_the_next_opening(tmp_path: Path, done: int) -> None:
    """Wherever it was killed: before the first scope, or between them."""
    where, scopes = tmp_path / "memory.db", [Scope("helper", "ada", place) for place in ("a", "b")]
    with Reverie.open(where, embedder=None) as engine, pytest.MonkeyPatch.context() as patch:
        names = {scope: [engine.remember("The kite is green.", scope).id] for scope in scopes}
        kept = engine.remember("The dragon is blue.", scopes[0]).id
        erase = engine._parts.eraser._erase
        acts = [erase] * done + [Mock(side_effect=KeyboardInterrupt)]
        patch.setattr(Eraser, "_erase", lambda _, *args, **named: acts.pop(0)(*args, **named))
        with pytest.raises(KeyboardInterrupt):
            engine.admin.erase_all(names, why="asked")
    Reverie.open(where, embedder=None).close()
    with Reverie.open(where, embedder=None) as engine:
        assert [one.id for scope in scopes for one in engine.timeline(scope)] == [kept]
        assert engine.admin.verify() == []
    folder = logs.log_folder(where)
    assert folder is not None
    assert list(folder.glob("unfinished-*")) == []


def test_one_unknown_memory_and_no_scope_is_erased(engine: Reverie, scope: Scope) -> None:
    """It is asked for before anything goes."""
    name = engine.remember("The kite is green.", scope).id
    with pytest.raises(NotFound):
        engine.admin.erase_all({scope: [name], Scope("helper", "ada", "other"): ["nobody"]}, why="asked")
    assert engine.memory(name, scope)


# Copies


def test_copies_of_a_store_are_known_while_they_are_there(tmp_path: Path, scope: Scope) -> None:
    """Backups and replays, whichever engine made them."""
    where = tmp_path / "memory.db"
    with Reverie.open(where, embedder=None) as engine:
        engine.remember("The kite is green.", scope)
        engine.admin.backup(tmp_path / "one.db")
        engine.admin.replay(tmp_path / "two.db")
    (tmp_path / "two.db").unlink()
    with Reverie.open(where, embedder=None) as engine:
        assert engine.admin.copies() == [tmp_path / "one.db"]
        logs.note_copy(where, tmp_path / "never-written.jsonl")
        engine.transfer.export_markdown(tmp_path / "pages", scope)
        assert engine.admin.copies() == [tmp_path / "one.db", tmp_path / "pages"]


@pytest.mark.parametrize("end", ["", "-journal", "-wal"])
def test_what_a_killed_copy_left_is_named(tmp_path: Path, scope: Scope, end: str) -> None:
    """A hidden file of a process that is no more, where copies are made; one of a process that runs is its own."""
    (tmp_path / "copies").mkdir()
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    with Reverie.open(tmp_path / "memory.db", embedder=None) as engine:
        engine.admin.backup(tmp_path / "copies" / "one.db")
        assert engine.admin.doctor() == []
        (tmp_path / "copies" / f".{os.getpid()}-7.reverie{end}").touch()
        assert engine.admin.doctor() == []
        half = tmp_path / "copies" / f".{dead.pid}-0.reverie{end}"
        half.write_text(WORD)
        (fault,) = engine.admin.doctor()
        assert (fault.name, str(half) in fault.what) == ("half-made-copy", True)


TOLD = [
    *english(
        (("The kite of Kvorblinsk is green.", "as Kvorblinsk's is", "Kvorblinsk"),),
        (("Kvorblinsk eats nuts.", "after the kvorblinsks called", "kvorblinsk"),),
        (("Bo flew the kites.", "for a kite", "kite"),),
    ),
    *turkish(
        (("Kvorblinsk'in uçurtması yeşil.", "Kvorblinsk'ten sonra", "Kvorblinsk"),),
        (("Kvorblinsk fıstık yer.", "kvorblinsklar aradı", "kvorblinsk"),),
        (("Bo uçurtmalarla oynadı.", "uçurtma için", "uçurtma"),),
    ),
    *neither((("The code is b-4711.", "see b-4711", "4711"),)),
]
REASONS_QUOTING = ("amend", "forget", "feedback", "correct", "note", "dream over")


def give(engine: Reverie, act: str, name: str, scope: Scope, why: str) -> None:
    """Do something to a memory for a reason."""
    match act:
        case "amend":
            engine.admin.amend(name, scope, tags=["seen"], why=why)
        case "forget":
            engine.forget(name, scope, why=why)
        case "feedback":
            engine.feedback(name, scope, "used", why=why)
        case "correct":
            engine.correct(name, "The dragon is red.", scope, why=why)
        case "note":
            from reverie.encode.notes import Note

            engine.admin.note([Note("The printer hums.")], scope, why=why)
        case _:
            other = engine.remember("The tap drips.", scope).id
            engine.admin.erase(other, scope, why=why)


@pytest.mark.parametrize("old", [False, True], ids=["sealed", "old-hashes"])
@pytest.mark.parametrize("act", REASONS_QUOTING)
@pytest.mark.parametrize("told", TOLD)
def test_a_reason_for_another_memory_that_quotes_goes(
    where: str, scope: Scope, told: tuple[str, str, str], act: str, old: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However inflected the word is; what was done for it stays done, the chain holds, a replay gives the same."""
    text, why, word = told
    if old:
        old_hashes(monkeypatch)
    with open_at(where) as engine:
        name = engine.remember("The dragon is blue.", scope).id
        gone = engine.remember(text, scope).id
        give(engine, act, name, scope, why)
        before = {one.id: one for one in engine.timeline(scope) if one.id != gone}
        assert word in exported(engine).replace(text, "")
        engine.admin.erase(gone, scope, why="asked")
        assert word.casefold() not in exported(engine).casefold()
        assert {one.id: one for one in engine.timeline(scope)} == before
        assert engine.admin.verify() == []
        assert engine.admin.replay(":memory:") == engine.admin.digest()


@pytest.mark.parametrize(
    ("text", "kept", "why"),
    [
        *english(
            ("The kite of Kvorblinsk is green.", "The kite of Dranbolsk is blue.", "the kite again"),
            ("It is the kite.", "The dragon is blue.", "it is the one"),
        ),
        *turkish(
            ("Kvorblinsk'in uçurtması yeşil.", "Dranbolsk'un uçurtması mavi.", "yine uçurtmalar"),
            ("Bu uçurtma için.", "Ejderha mavi.", "bu ve şu için"),
        ),
    ],
)
def test_a_word_that_something_else_holds_stays(where: str, scope: Scope, text: str, kept: str, why: str) -> None:
    """And one that only joins others."""
    with open_at(where) as engine:
        name, gone = engine.remember(kept, scope).id, engine.remember(text, scope).id
        engine.admin.amend(name, scope, tags=["seen"], why=why)
        engine.admin.erase(gone, scope, why="asked")
        assert why in [event.why for event in engine.admin.events(scope)]


def test_a_reason_within_a_change_goes_and_the_change_is_said_anew(where: str, scope: Scope) -> None:
    """Where it stands in the content itself, the event loses that, and one after the erasure says what it came to."""
    with open_at(where) as engine:
        name = engine.remember("The dragon is blue.", scope).id
        gone = engine.remember("The kite of Kvorblinsk is green.", scope).id
        change = Change(name, (FieldChange("importance", 0.5, 0.75),), "as Kvorblinsk said")
        engine._context.append(scope, Action.CHANGE, "observed", Changed((change,)))
        engine.admin.erase(gone, scope, why="asked")
        assert "Kvorblinsk" not in exported(engine)
        assert engine.memory(name, scope).standing.importance == 0.75
        assert engine.admin.verify() == []
        assert engine.admin.replay(":memory:") == engine.admin.digest()


def test_reasons_in_the_other_scopes_of_one_erasure_go_too(where: str, scope: Scope) -> None:
    """Each scope of it loses what quotes the others; a scope that is not part of it is left alone."""
    work, private = Scope("helper", "ada", "work"), Scope("helper", "tom", "home")
    with open_at(where) as engine:
        held = {
            place: [engine.remember(f"{word} called.", place).id] for place, word in ((scope, "Elif"), (work, "Can"))
        }
        for place in (scope, work, private):
            name = engine.remember("The dragon is blue.", place).id
            engine.admin.amend(name, place, tags=["seen"], why="Elif and Can said so")
        engine.admin.erase_all(held, why="asked by Can")
        told = {place: [event.why for event in engine.admin.events(place)] for place in (scope, work, private)}
        assert not any("Elif" in why or "Can" in why for place in (scope, work) for why in told[place])
        assert "Elif and Can said so" in told[private]
        assert engine.admin.verify() == []


def test_a_store_that_hears_of_it_later_drops_the_same_reasons(tmp_path: Path, scope: Scope) -> None:
    """Under its own numbers, where the journal is taken into another scope."""
    into = Scope("another", "one", "here")
    with open_at(str(tmp_path / "one.db")) as engine:
        name = engine.remember("The dragon is blue.", scope).id
        gone = engine.remember("The kite of Kvorblinsk is green.", scope).id
        engine.forget(name, scope, why="Kvorblinsk said so")
        (tmp_path / "before.jsonl").write_text(exported(engine), encoding="utf-8")
        engine.admin.erase(gone, scope, why="asked")
        (tmp_path / "after.jsonl").write_text(exported(engine), encoding="utf-8")
    with open_at(str(tmp_path / "two.db")) as other:
        other.remember("The printer hums.", Scope("another", "one", "elsewhere"))
        for file in ("before", "after"):
            other.transfer.import_journal(tmp_path / f"{file}.jsonl", into=into)
        out = io.BytesIO()
        other.transfer.export_journal(out)
        assert b"Kvorblinsk" not in out.getvalue()
        assert other.admin.verify() == []


@pytest.mark.parametrize(
    ("text", "word"), [*english(("the kites", "kite")), *turkish(("uçurtmalar", "uçurtma")), *neither(("b-47", "47"))]
)
def test_words_are_compared_plain_and_by_their_stems(text: str, word: str) -> None:
    """In both languages, without the words that only join others."""
    assert terms(text) & terms(word)
    assert quotes(text, [word])
    assert not terms("the of it is ve bu için ile")


SAID = 'I live in "Kvorblinsk"\nnear the harbour, ğüş.'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where calls wait."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return Path(client.state_folder(), client.SPOOL)


@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("said", [SAID, f"<ide_selection>x</ide_selection>\n{SAID}\n", "Ada?"])
def test_a_call_that_repeats_what_is_erased_goes(
    folder: Path, tmp_path: Path, scope: Scope, said: str, ascii_only: bool
) -> None:
    """However the host writes its JSON, and with what it wraps around; another call stays, and is kept later."""
    text = SAID if SAID in said else said
    spool = Spool(folder)
    for number, prompt in enumerate((said, "Where does Ada? live", "I live in Oslo.")):
        spool.put(str(number), b"head" + json.dumps({"prompt": prompt}, ensure_ascii=ascii_only).encode())
    with Reverie.open(tmp_path / "memory.db", embedder=None) as engine:
        name = engine.observe(text, scope).id
        other = engine.observe("The dragon is blue.", scope).id
        engine.admin.erase(other, scope, why="asked")
        assert len(list(spool.waiting())) == 3
        engine.admin.erase(name, scope, why="asked")
    assert [stamp for stamp, _ in spool.waiting()] == ["1", "2"]


def test_a_secret_that_was_masked_hides_no_call(folder: Path) -> None:
    """What is around it stands in the call."""
    Spool(folder).put("1", json.dumps({"prompt": "The safe of Kvorblinsk opens with hunter2, Ada says."}).encode())
    erasure.forget_waiting(["The safe of Dranbolsk opens with [password], Ada says."])
    assert len(list(folder.iterdir())) == 1
    erasure.forget_waiting(["The safe of Kvorblinsk opens with [password], Ada says."])
    assert list(folder.iterdir()) == []


def test_where_nothing_waits_nothing_is_made(folder: Path) -> None:
    """No folder, no call."""
    erasure.forget_waiting(["text"])
    assert not folder.exists()
