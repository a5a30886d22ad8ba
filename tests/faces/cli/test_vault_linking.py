import json
from collections.abc import Callable
from pathlib import Path

import pytest

from reverie.faces.cli import vault_link
from reverie.faces.cli.exits import PARTLY, UNCONFIRMED
from reverie.vault.linking.sync import LinkedVault, Synced
from tests.faces.cli.conftest import Run
from tests.faces.cli.test_scheduling import CRONTAB, Machine

NAME = "helper/obs-2026-02-15-001"
FILE = Path(f"agents/helper/memory/vault/{NAME[7:]}.md")
WORDS = "CPL went from $12 to $15."


@pytest.fixture
def machine(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine with cron."""
    made = Machine(folder, monkeypatch)
    made.has("crontab", CRONTAB)
    return made


@pytest.fixture
def linked(home: Run) -> Run:
    """``run`` in a folder that is a store and a vault of helper and owl, linked, with one observation."""
    assert home("vault", "init", "helper", "owl").code == 0
    home("vault", "new", WORDS, "--tag", "cpl", "--today", "2026-02-15")
    done = home("vault", "link")
    assert (done.code, done.out) == (0, f"taken in: {NAME} (a new file)\nchanges made: 1 · conflicts: 0 · tied: 1\n")
    return home


@pytest.mark.req("B11")
def test_a_linked_vault_is_recalled_from(linked: Run) -> None:
    """A sync says what it did; a second one has nothing to do."""
    assert WORDS in linked("recall", "CPL").out
    FILE.write_text(FILE.read_text().replace("$15", "$17"))
    assert linked("vault", "sync", "--dry-run").out.startswith(f"corrected: {NAME} (the file was edited)\n")
    assert linked("vault", "sync").out.startswith(f"corrected: {NAME} (the file was edited)\n")
    assert "$17" in linked("recall", "CPL").out
    shape = linked("vault", "sync", "--json").shape
    assert (shape["linked"], shape["tied"], shape["changes"], shape["conflicts"]) == (True, 1, [], 0)


@pytest.mark.req("B11")
def test_a_conflict_and_a_broken_file_are_told(linked: Run) -> None:
    """By a line each, and exit code 7."""
    memory = linked("recall", "CPL", "--json").shape["hits"][0]["memory"]["id"]
    linked("correct", memory, "CPL went from $12 to $16.")
    FILE.write_text(FILE.read_text().replace("$15", "$17"))
    done = linked("vault", "sync")
    assert done.code == PARTLY
    assert f"conflict: {NAME} (both sides changed; the engine's words are in {NAME[7:]}-conflict.md)" in done.out
    FILE.with_name("broken.md").write_text("no head")
    done = linked("vault", "sync")
    assert done.code == PARTLY
    assert "broken.md, line 1" in done.err
    assert linked("vault", "sync", "--json").shape["faults"][0]["line"] == 1


@pytest.mark.req("B11")
def test_the_link_ends_and_both_sides_stay(linked: Run) -> None:
    """Another store needs an end first; the same one may be named again."""
    assert linked("vault", "link").code == 0
    assert linked("vault", "link", "--project", "other").code == 4
    assert linked("vault", "unlink").out.startswith("no longer linked: ")
    assert linked("vault", "unlink").code == 3
    assert linked("vault", "sync").code == 3
    assert FILE.exists()
    assert WORDS in linked("recall", "CPL").out
    assert json.loads(linked("vault", "link", "--json").out)["changes"] == []


def test_a_link_needs_a_scope_a_store_and_a_vault(run: Run) -> None:
    """Each is asked for by name."""
    assert "no vault" in run("vault", "link").err
    run("vault", "init", "helper")
    assert "No user and project" in run("vault", "link").err
    assert "There is no store" in run("vault", "link", "--user", "ada", "--project", "home").err
    assert run("vault", "link", "--vault", "elsewhere").code == 2


@pytest.mark.req("B11")
def test_the_days_care_is_a_sync_around_maintenance(linked: Run) -> None:
    """What is archived by age is forgotten; in a vault that is not linked it is maintenance alone."""
    text = FILE.read_text().replace("created: 2026-02-15", "created: 2020-02-15")
    FILE.write_text(text.replace("importance: 0.5", "importance: 0.3"))
    done = linked("vault", "sync", "--maintain")
    assert done.code == 0
    assert "archived: " in done.out
    assert f"forgotten: {NAME} (the file was archived)" in done.out
    assert linked("recall", "CPL", "--json").shape["hits"] == []
    assert linked("vault", "sync", "--maintain").out == "changes made: 0 · conflicts: 0 · tied: 1\n"
    linked("vault", "unlink")
    assert linked("vault", "sync", "--maintain", "--json").shape == {"linked": False, "changes": [], "faults": []}
    FILE.with_name("broken.md").write_text("no head")
    assert linked("vault", "sync", "--maintain").code == PARTLY
    for wrong in (["--watch", "--gone"], ["--maintain", "--dry-run"]):
        assert linked("vault", "sync", *wrong).code == 2


@pytest.mark.req("B11")
def test_watching_tells_every_change(linked: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until it is told to stop."""
    told: list[float] = []

    def pause(seconds: float) -> bool:
        told.append(seconds)
        FILE.write_text(FILE.read_text().replace("$15", "$17"))
        return len(told) < 2

    monkeypatch.setattr(vault_link, "pause", pause)
    done = linked("vault", "sync", "--watch", "--every", "0.5")
    assert done.out == (f"corrected: {NAME} (the file was edited)\nchanges made: 1 · conflicts: 0 · tied: 1\n")
    assert told == [0.5, 0.5]


def test_a_sync_that_finds_nothing_loads_no_model(linked: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only words that are written want one."""
    asked: list[str] = []
    real: Callable[[LinkedVault], Synced] = LinkedVault.sync

    def sync(both: LinkedVault, **given: bool) -> Synced:
        before, both.warm = both.warm, lambda: asked.append("model")
        assert before is not None
        return real(both, **given)

    monkeypatch.setattr(LinkedVault, "sync", sync)
    linked("vault", "sync")
    assert asked == []
    FILE.write_text(FILE.read_text().replace("$15", "$17"))
    linked("vault", "sync")
    assert asked == ["model"]


def test_the_vault_is_cared_for_every_night(linked: Run, folder: Path, machine: Machine) -> None:
    """Shown first, entered on a yes, taken away again; beside the dream, not in its place."""
    done = linked("vault", "schedule", "--at", "04:15")
    assert done.code == UNCONFIRMED
    assert f"vault sync --maintain --vault={folder}" in done.out
    assert not machine.table.exists()
    shape = linked("vault", "schedule", "--yes", "--json").shape
    assert (shape["vault"], shape["done"], shape["by"]) == (str(folder), True, "cron")
    assert linked("dream", "schedule", "--yes").code == 0
    lines = machine.table.read_text().splitlines()
    assert len(lines) == 2
    assert lines[0].endswith(f"# {shape['name']}")
    assert linked("vault", "schedule", "--remove", "--yes").out.endswith("taken away\n")
    assert len(machine.table.read_text().splitlines()) == 1
    gone = linked("vault", "schedule", "--remove", "--yes")
    assert gone.code == 3
    assert "`reverie vault schedule` enters it" in gone.err


@pytest.mark.req("B8", "B11")
def test_queries_by_the_pipe_are_answered_one_by_one(linked: Run) -> None:
    """From an index kept at hand; an empty line ends an answer."""
    done = linked("vault", "search", "-", "--today", "2026-02-15", input="CPL\nunheard of\n")
    first, second, rest = done.out.split("\n\n")
    assert NAME in first
    assert (second, rest) == ("nothing found in 1 observations", "")
