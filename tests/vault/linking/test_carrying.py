"""What a sync that could not finish leaves, and what the next one makes of it."""

from pathlib import Path

import pytest

from reverie.errors import StoreFull
from reverie.vault import files
from reverie.vault.linking import executor, sync
from reverie.vault.linking.executor import FileStep, carried_out
from tests.vault.linking.conftest import Both
from tests.vault.linking.test_linking import ONE, WORDS, told


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
