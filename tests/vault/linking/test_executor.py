from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from reverie.errors import StoreFull
from reverie.vault import files
from reverie.vault.files import Edit, Places
from reverie.vault.linking import executor, sync
from reverie.vault.linking.executor import FileStep, Move, Names, carried_out, clear
from reverie.vault.linking.links import FilePlace
from reverie.vault.linking.scan import tied
from reverie.vault.vault import Vault
from tests.vault.linking.conftest import Both
from tests.vault.linking.test_linking import ONE, WORDS, told
from tests.vault.linking.test_links import NOW
from tests.vault.linking.test_scan import file, known


def late(monkeypatch: pytest.MonkeyPatch, edit: Path, text: str) -> None:
    """Have a person change a file in the last moment, once."""
    done = []

    def carried(steps: list[FileStep]) -> list[bool]:
        if not done and any(step.edit or step.move or step.delete for step in steps):
            done.append(edit.write_text(edit.read_text().replace(WORDS, text)))
        return carried_out(steps)

    monkeypatch.setattr(executor, "carried_out", carried)


@pytest.mark.req("B11")
def test_a_person_who_is_quicker_wins_and_nothing_is_lost(both: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was to be written waits: the next look finds that both sides changed, and keeps both."""
    path = both.put(ONE, WORDS)
    both.sync()
    both.engine.correct(both.held()[WORDS].id, "CPL went from $12 to $16.", both.scope())
    late(monkeypatch, path, "CPL went from $12 to $19.")
    done = both.sync()
    assert done.conflicts == 1
    assert path.read_text().endswith("---\nCPL went from $12 to $19.")
    assert set(both.held()) == {"CPL went from $12 to $16.", "CPL went from $12 to $19."}


@pytest.mark.req("B11")
def test_fields_that_could_not_be_written_are_written_later(both: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, whatever else changed meanwhile."""
    path = both.put(ONE, WORDS)
    both.sync()
    both.engine.admin.amend(both.held()[WORDS].id, both.scope(), importance=0.8, verified=True)
    late(monkeypatch, path, "CPL went from $12 to $19.")
    both.sync()
    text = path.read_text()
    assert "importance: 0.8\n" in text
    assert "verified: true\n" in text
    memory = both.held()["CPL went from $12 to $19."]
    assert memory.standing.importance == pytest.approx(0.8)


@pytest.mark.req("B11")
def test_a_name_that_is_taken_in_the_archive_is_told(both: Both) -> None:
    """The file stays where it is until somebody makes room."""
    path = both.put(ONE, WORDS)
    both.sync()
    taken = both.vault.places.archive("hawk") / path.name
    taken.write_text("somebody's")
    both.engine.forget(both.held()[WORDS].id, both.scope())
    done = both.linked.sync()
    assert [fault.path for fault in done.faults if "another file" in fault.reason] == [path]
    assert path.exists()
    taken.unlink()
    assert told(both.sync()) == [("archived", ONE)]


@pytest.mark.req("B11")
def test_what_the_engine_refuses_is_told_every_time(both: Both) -> None:
    """An immutable memory does not take a file's new words; the file keeps them."""
    path = both.put(ONE, WORDS)
    both.sync()
    both.engine.admin.protect(both.held()[WORDS].id, both.scope())
    path.write_text(path.read_text().replace("$15", "$17"))
    for _ in range(2):
        done = both.linked.sync()
        assert [fault.path for fault in done.faults] == [path]
        assert "immutable" in done.faults[0].reason
    both.engine.admin.protect(both.held()[WORDS].id, both.scope(), immutable=False)
    assert told(both.sync()) == [("corrected", ONE)]


@pytest.mark.req("B11")
@pytest.mark.parametrize("broken_at", ["files", "ties"])
def test_a_sync_that_breaks_off_is_gone_on_with(both: Both, monkeypatch: pytest.MonkeyPatch, broken_at: str) -> None:
    """After the engine was told, or after the files were written: nothing becomes two, and no conflict comes of it."""
    paths = [both.put(f"hawk/obs-2026-02-15-00{number}", f"Number {number}.") for number in range(4)]
    both.sync()
    paths[0].write_text(paths[0].read_text().replace("Number 0.", "Number 10."))
    paths[1].unlink()
    both.engine.correct(both.held()["Number 2."].id, "Number 12.", both.scope())
    both.engine.forget(both.held()["Number 3."].id, both.scope())
    both.put("hawk/new", "Number 20.", importance="0.7")
    both.engine.observe("I decided to pause RevPie.", both.scope(), deliberate=True)
    learned = {text for text in both.held() if "RevPie" in text}

    def full(*_: object) -> object:
        raise StoreFull("The disk is full.", "Make room.")

    with monkeypatch.context() as broken:
        broken.setattr(*((executor, "carried_out") if broken_at == "files" else (sync, "save")), full)
        with pytest.raises(StoreFull):
            both.linked.sync()
    assert both.sync().conflicts == 0
    assert set(both.held()) == {"Number 10.", "Number 12.", "Number 20.", *learned}
    active = sorted(path.name for path in both.vault.places.vault("hawk").iterdir())
    assert len(active) == len(both.held())
    assert both.held()["Number 20."].standing.importance == pytest.approx(0.7)


@pytest.mark.req("B11")
def test_a_conflict_that_breaks_off_becomes_no_second_one(both: Both, monkeypatch: pytest.MonkeyPatch) -> None:
    """The words that lie beside already, and the memory that was noted, are found again."""
    path = both.put(ONE, WORDS)
    both.sync()
    both.engine.correct(both.held()[WORDS].id, "CPL went from $12 to $16.", both.scope())
    path.write_text(path.read_text().replace("$15", "$17"))

    def full(*_: object) -> None:
        raise StoreFull("The disk is full.", "Make room.")

    with monkeypatch.context() as broken:
        broken.setattr(sync, "save", full)
        with pytest.raises(StoreFull):
            both.linked.sync()
    both.sync()
    assert len(both.held()) == 2
    assert sorted(one.name for one in path.parent.iterdir()) == [
        "obs-2026-02-15-001-conflict.md",
        "obs-2026-02-15-001.md",
    ]


def test_words_of_nothing_are_not_taken_in(both: Both) -> None:
    """The file is named, and left alone."""
    path = both.put(ONE, "\n\n")
    done = both.linked.sync()
    assert [(fault.path, fault.reason) for fault in done.faults] == [(path, "not taken in: it has no words")]
    assert both.engine.admin.formed(both.scope()) == []


def test_what_killed_writers_left_is_cleared_away(both: Both) -> None:
    """Nothing else that is hidden is."""
    folder = both.vault.places.vault("hawk")
    left, other = folder / ".obs-1.md.123.reverie", folder / ".mine"
    left.write_text("half")
    other.write_text("mine")
    both.put(ONE, WORDS)
    both.sync()
    assert (left.exists(), other.exists()) == (False, True)
    assert files.contents(left) is None


TIE = tied(file("a", "one"), known("m1", "one"), NOW, shared=False)


def test_a_file_is_edited_and_then_moved(tmp_path: Path) -> None:
    """In one step, or not at all where somebody changed it."""
    path, to = tmp_path / "a.md", tmp_path / "archive" / "a.md"
    path.write_bytes(b"old")
    step = FileStep(TIE, replace(TIE, place=FilePlace.GONE), Edit(path, b"old", b"new"), Move(path, to, b"new"))
    assert carried_out([step, FileStep(TIE)]) == [True, True]
    assert (path.exists(), to.read_bytes()) == (False, b"new")
    path.write_bytes(b"somebody's")
    assert carried_out([step]) == [False]
    assert path.read_bytes() == b"somebody's"


def test_a_move_never_goes_over_another_file(tmp_path: Path) -> None:
    """It says that it is blocked."""
    path, to = tmp_path / "a.md", tmp_path / "b.md"
    path.write_bytes(b"one")
    to.write_bytes(b"two")
    move = Move(path, to, b"one")
    assert move.blocked
    assert carried_out([FileStep(TIE, move=move)]) == [False]
    assert (path.read_bytes(), to.read_bytes()) == (b"one", b"two")


def test_only_what_was_read_is_deleted(tmp_path: Path) -> None:
    """Not what somebody wrote since; what is gone already stays so."""
    path = tmp_path / "a.md"
    path.write_bytes(b"new")
    step = FileStep(None, TIE, delete=Move(path, path, b"old"))
    assert carried_out([step]) == [False]
    path.write_bytes(b"old")
    assert carried_out([step]) == [True]
    assert not path.exists()


def test_leftovers_are_cleared_in_every_folder(vault: Vault) -> None:
    """Of the link, the shared folder, the agent's vault and archive."""
    folders = [vault.places.own, vault.places.shared, vault.places.vault("owl"), vault.places.archive("owl")]
    for folder in folders:
        folder.mkdir(exist_ok=True)
        (folder / ".x.md.77.reverie").write_text("half")
        (folder / ".x.md").write_text("a person's")
    clear(vault.places, "owl")
    assert all(sorted(path.name for path in folder.iterdir()) == [".x.md"] for folder in folders)


DAY = date(2026, 2, 15)


def test_names_are_free_in_the_vault_the_archive_and_any_case(tmp_path: Path) -> None:
    """What is given out is taken; what is gone and may come back is kept free."""
    places = Places(tmp_path)
    for folder, name in ((places.vault("hawk"), "OBS-2026-02-15-001"), (places.archive("hawk"), "obs-2026-02-15-002")):
        folder.mkdir(parents=True)
        (folder / f"{name}.md").write_text("broken")
    names = Names(places, "hawk", ["obs-2026-02-15-003"])
    assert [names.of_day(DAY), names.of_day(DAY)] == ["obs-2026-02-15-004", "obs-2026-02-15-005"]
    assert names.again("obs-2026-02-15-003") == "obs-2026-02-15-003"
    assert names.again("obs-2026-02-15-001") is None


def test_a_conflict_has_a_name_beside(tmp_path: Path) -> None:
    """The second one gets a number."""
    names = Names(Places(tmp_path), "hawk")
    given = [names.beside("obs-2026-02-15-001", "conflict") for _ in range(2)]
    assert given == ["obs-2026-02-15-001-conflict", "obs-2026-02-15-001-conflict-2"]
