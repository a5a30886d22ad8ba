"""Reasons given for other memories that quote what is erased."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from reverie import Reverie, Scope
from reverie.engine.erasure import quotes, terms
from reverie.events import Action, Change, Changed, FieldChange
from tests.engine.conftest import open_at
from tests.engine.test_erasing import exported, old_hashes
from tests.spoken import english, neither, turkish

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
REASONS = ("amend", "forget", "feedback", "correct", "note", "dream over")


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
@pytest.mark.parametrize("act", REASONS)
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
