"""Disks that are full or closed, clocks that go back, names that differ in case, front matter that is broken."""

import subprocess
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest

from reverie import FixedClock, Reverie
from reverie.errors import ReverieError, StoreError, StoreFull
from reverie.vault.files import Places
from reverie.vault.laws import Laws
from reverie.vault.linking.links import VaultLink
from reverie.vault.linking.sync import LinkedVault, link
from reverie.vault.vault import Vault
from tests.vault.conftest import DAY
from tests.vault.linking.conftest import NOW, Both
from tests.vault.linking.test_linking import ONE, WORDS, told
from tests.vault.notes import put


@pytest.fixture
def small(small_disk: Path, tmp_path: Path, laws: Laws) -> Iterator[Both]:
    """A vault on a small disk, linked with a store beside it."""
    vault, clock = Vault(Places(small_disk / "repo"), laws), FixedClock(NOW)
    vault.init(("hawk", "owl"))
    with Reverie.open(tmp_path / "memory.db", embedder=None, clock=clock) as engine:
        link(vault.places, VaultLink("memory.db", "ada", "ocean"))
        yield Both(vault, engine, clock, LinkedVault(vault.places, laws, engine, clock))


def fill(ballast: Path) -> None:
    """Leave no room on a disk."""
    with suppress(OSError), ballast.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(1024))


@pytest.mark.req("B2", "B11")
def test_a_full_disk_loses_nothing(small: Both, small_disk: Path) -> None:
    """Neither in a sync nor in maintenance; with room both go on, and nothing is there twice."""
    paths = [small.put(f"hawk/n{number}", f"Number {number}. " + "x" * 3000) for number in range(40)]
    small.sync()
    for text, memory in list(small.held().items())[:30]:
        small.engine.correct(memory.id, f"{text} Corrected. {'y' * 3000}", small.scope())
    ballast = small_disk / "ballast"
    before = {path: path.read_bytes() for path in paths}
    fill(ballast)
    with pytest.raises(StoreFull) as caught:
        small.linked.sync()
    assert "space" in caught.value.mend
    for path in paths:
        text = path.read_bytes()
        assert text == before[path] or text.rstrip().endswith(b"y")
    with pytest.raises(StoreError):
        small.vault.maintain(DAY + timedelta(days=29))
    assert [path for path in small_disk.rglob(".*.reverie") if path.is_file()] == []
    ballast.unlink()
    small.sync()
    assert len(small.held()) == len(list(small.vault.places.vault("hawk").glob("*.md"))) == 40
    assert sum("Corrected" in path.read_text() for path in paths) == 30


@pytest.mark.req("B2", "B11")
def test_a_closed_disk_is_told_and_nothing_is_forgotten(small: Both, small_disk: Path) -> None:
    """What the engine learned waits until it can be written."""
    path = small.put(ONE, WORDS)
    small.sync()
    small.engine.correct(small.held()[WORDS].id, "CPL went from $12 to $16.", small.scope())
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    try:
        for work in (small.linked.sync, lambda: small.vault.maintain(DAY)):
            with pytest.raises(ReverieError) as caught:
                work()
            assert "cannot be written" in caught.value.message
    finally:
        subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
    assert list(small.held()) == ["CPL went from $12 to $16."]
    assert told(small.sync()) == [("rewritten", ONE)]
    assert path.read_text().endswith("$16.")


@pytest.mark.req("B11")
def test_a_clock_that_goes_back_changes_nothing(both: Both) -> None:
    """Neither for the link nor for maintenance; and what is of tomorrow is noted as of now."""
    both.put(ONE, WORDS, created="2026-03-30")
    both.sync()
    assert both.held()[WORDS].at <= both.clock.at
    both.vault.maintain(DAY + timedelta(days=60))
    both.sync()
    both.clock.at -= timedelta(days=400)
    assert both.linked.sync().changes == ()
    both.vault.maintain(DAY - timedelta(days=400))
    files = both.files()
    both.vault.maintain(DAY - timedelta(days=400))
    assert both.files() == files


@pytest.mark.req("B11")
def test_names_that_differ_in_case_alone_are_never_given(both: Both) -> None:
    """A file of the engine's goes beside a namesake in other letters, active or archived."""
    both.put("hawk/OBS-2026-02-20-001", WORDS)
    (both.vault.places.archive("hawk") / "Obs-2026-02-20-002.md").write_text("somebody's")
    both.engine.observe("I decided to pause RevPie.", both.scope(), deliberate=True)
    both.linked.sync()
    names = {path.stem for path in both.vault.places.vault("hawk").iterdir()}
    assert names == {"OBS-2026-02-20-001", "obs-2026-02-20-003"}


BROKEN = {
    "no head at all": (1, "words alone\n"),
    "no end": (1, "---\ntags: []\n"),
    "not UTF-8": (2, "---\ntags: [\udcff]\n---\n"),
    "no number": (3, "---\ntags: []\nimportance: high\ncreated: 2026-02-15\nmax_age: 30d\nsource: hawk\n---\nx\n"),
    "no day": (4, "---\ntags: []\nimportance: 0.5\ncreated: soon\nmax_age: 30d\nsource: hawk\n---\nx\n"),
    "twice": (3, "---\ntags: []\ntags: []\nimportance: 0.5\n---\nx\n"),
}


@pytest.mark.req("B2", "B11")
@pytest.mark.parametrize("kind", BROKEN)
def test_broken_front_matter_is_named_with_its_line(both: Both, kind: str) -> None:
    """And mending it brings what it says in."""
    line, text = BROKEN[kind]
    path = put(both.vault, ONE, content="")
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    (fault,) = both.linked.sync().faults
    assert (fault.path, fault.line) == (path, line)
    assert fault.reason
    assert both.engine.admin.formed(both.scope()) == []
    path.unlink()
    both.put(ONE, WORDS)
    assert told(both.sync()) == [("taken in", ONE)]


@pytest.mark.req("B11")
def test_what_a_link_leads_to_is_never_read_or_written(both: Both, tmp_path: Path) -> None:
    """A tied file that becomes a link to a place outside is gone; what it leads to stays as it is."""
    path = both.put(ONE, WORDS)
    both.sync()
    outside = tmp_path / "outside.md"
    outside.write_bytes(path.read_bytes().replace(b"$15", b"$99"))
    path.unlink()
    path.symlink_to(outside)
    raw = outside.read_bytes()
    assert told(both.linked.sync()) == [("forgotten", ONE)]
    both.engine.admin.reopen(both.engine.admin.formed(both.scope())[0].id, both.scope())
    both.linked.sync()
    assert outside.read_bytes() == raw
    assert path.is_symlink()
    assert not any("$99" in text for text in both.held())


@pytest.mark.req("B2")
def test_what_is_written_is_plain_yaml_for_obsidian(both: Both) -> None:
    """Properties that Obsidian shows: lists, a number, a day, text, a checkbox; and links it follows."""
    both.put(ONE, WORDS)
    both.put("hawk/b", "See [[obs-2026-02-15-001]].", backlinks='["[[obs-2026-02-15-001|this]]"]')
    both.engine.observe('I decided: "yes" #1 [maybe] {no} & so on: fine.', both.scope(), deliberate=True)
    both.sync()
    yaml = pytest.importorskip("yaml")
    for path in both.vault.places.vault("hawk").iterdir():
        head = yaml.safe_load(path.read_text().split("---\n")[1])
        assert isinstance(head["tags"], list)
        assert isinstance(head["importance"], float)
        assert head["created"].isoformat()[:2] == "20"
        assert isinstance(head["verified"], bool)
    assert len(both.engine.admin.relations(both.scope())) == 1


@pytest.mark.req("B2")
def test_what_dataview_would_run_is_written_as_text(both: Both) -> None:
    """Code in a memory stays text in Obsidian; a file with such code that a person wrote stays as it is."""
    own = "My list:\n```dataview\nTASK\n```"
    path = both.put(ONE, own)
    both.engine.observe("I decided to show `$= dv.current()` on the page.", both.scope(), deliberate=True)
    both.sync()
    both.sync()
    files = [one.read_text() for one in both.vault.places.vault("hawk").iterdir()]
    assert any("`·$= dv.current()`" in text for text in files)
    assert not any("`$=" in text for text in files)
    assert path.read_text().endswith(own)
    assert not both.linked.sync().changes
