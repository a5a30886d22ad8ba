import json
import os
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie import Scope
from reverie.answers import Fault, Job, JobKind, JobState
from reverie.engine import replication
from reverie.engine.replication import replay
from reverie.errors import StoreFull
from reverie.faces.cli.jobs import _row
from reverie.ports import Store
from tests.faces.cli.conftest import Run


def test_stats_count_one_scope_or_all(keys: Run) -> None:
    """With --all, no scope need be named."""
    keys("remember", "another", "--user", "grace")
    [mine] = keys("stats", "--json").shape["scopes"]
    assert (mine["memories"], mine["sessions"], mine["speakers"]) == (3, 2, 2)
    both = keys("stats", "--all", "--json").shape["scopes"]
    assert sorted((s["scope"]["user"], s["memories"]) for s in both) == [("ada", 3), ("grace", 1)]
    shown = keys("stats", "--all").out
    assert "scope: helper/ada/home" in shown
    assert "scope: helper/grace/home" in shown


def test_embed_gives_vectors_to_what_has_none(keys: Run) -> None:
    """Once; the second time there is nothing to do."""
    assert keys("store", "embed", "--embedder", "hash", "--json").shape["embedded"] == 3
    again = keys("store", "embed", "--embedder", "hash")
    assert again.out.startswith("embedded 0 memories with ")


def test_a_backup_is_a_store(keys: Run) -> None:
    """It answers like the one it was taken from, and is not written over."""
    assert keys("store", "backup", "copy.db", "--json").shape["bytes"] > 0
    assert "behind the boiler" in keys("recall", "spare key", "--store", "copy.db").out
    assert keys("store", "backup", "copy.db").code == 4
    assert keys("store", "backup", "nowhere/copy.db").code == 11


def test_a_sound_store_verifies(keys: Run) -> None:
    """With the digest that a replay must reach."""
    done = keys("store", "verify", "--json")
    assert done.code == 0
    assert done.shape["faults"] == []
    assert keys("store", "verify").out == f"no fault; digest {done.shape['digest']}\n"


def test_an_anchor_finds_what_was_cut(keys: Run) -> None:
    """Written once, kept elsewhere; a store that went on is fine, an older copy of it is not."""
    keys("store", "backup", "old.db")
    keys("remember", "The meter was read.")
    done = keys("audit", "anchor", "anchor.json", "--json")
    assert (done.code, done.shape["events"]) == (0, keys("stats", "--json").shape["scopes"][0]["events"])
    assert keys("audit", "anchor", "anchor.json").code == 4
    assert " events of 1 scopes in anchor.json" in keys("audit", "anchor", "anchor.json", "--force").out
    keys("remember", "The meter was read again.")
    assert keys("store", "verify", "--anchor", "anchor.json").code == 0
    cut = keys("store", "verify", "--anchor", "anchor.json", "--store", "old.db", "--json")
    assert [fault["name"] for fault in cut.shape["faults"]] == ["anchor-cut"]
    assert cut.code == 6


def test_a_seal_lies_in_the_store(keys: Run) -> None:
    """`verify` compares with it; a second seal of the same journals is the first."""
    done = keys("audit", "seal", "--json")
    assert (done.code, done.shape["number"], done.shape["scopes"]) == (0, 1, 1)
    assert done.shape["hash"] in keys("audit", "seal").out
    assert keys("store", "verify").code == 0
    with sqlite3.connect("reverie.db") as raw:
        raw.execute(
            "UPDATE meta SET value = replace(value, '\"changed\":[[', '\"changed\":[[\"\",') WHERE name > 'seal:'"
        )
    raw.close()
    broken = keys("store", "verify", "--json")
    assert ([fault["name"] for fault in broken.shape["faults"]], broken.code) == (["seal-broken"], 6)
    refused = keys("audit", "seal")
    assert (refused.code, "--anew" in refused.err) == (4, True)
    assert "seal 2 over" in keys("audit", "seal", "--anew").out
    assert keys("store", "verify").code == 0


@pytest.mark.parametrize("content", ["", "{", "[]", "null", "{}", '{"store": 1}', "\x00", "9" * 5000])
def test_what_is_no_anchor_is_told(keys: Run, content: str) -> None:
    """Any file that `audit anchor` did not write; a store is never written over by one."""
    Path("no-anchor").write_text(content)
    assert "audit anchor" in keys("store", "verify", "--anchor", "no-anchor").err
    assert keys("store", "verify", "--anchor", "nowhere").code != 0
    assert keys("audit", "anchor", "reverie.db", "--force").code == 4


def test_a_replay_gives_the_same_store(keys: Run) -> None:
    """Forgetting, erasing and recalls included."""
    ids = [memory["id"] for memory in keys("timeline", "--json").shape["memories"]]
    keys("recall", "boiler")
    keys("forget", ids[0])
    keys("memory", "erase", ids[1], "--yes")
    done = keys("store", "replay", "again.db", "--json")
    assert done.code == 0
    assert done.shape["digest"] == keys("store", "verify", "--json").shape["digest"]
    assert keys("timeline", "--store", "again.db", "--json").out == keys("timeline", "--json").out


def test_a_replay_never_touches_a_store_that_is_there(keys: Run, folder: Path) -> None:
    """Least of all the one it is made from."""
    before = keys("recall", "spare key", "--json").shape["hits"]
    assert keys("store", "replay", "reverie.db").code == 4
    assert [hit["memory"]["id"] for hit in keys("recall", "spare key", "--json").shape["hits"]] == [
        hit["memory"]["id"] for hit in before
    ]


def test_a_replay_that_differs_is_a_fault(keys: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Named, with its mend, and seen by a script."""
    monkeypatch.setattr("reverie.engine.maintain.Maintenance.digest", lambda _: "0" * 64)
    done = keys("store", "replay", "again.db", "--json")
    assert done.code == 6
    assert [fault["name"] for fault in done.shape["faults"]] == ["replay-differs"]


def test_a_replay_is_whole_or_not_there(keys: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until it is done there is nothing under the name that was asked for; one that fails leaves nothing at all."""

    def stopped(source: Store, target: Store, step: Callable[[int], None]) -> str:
        replay(source, target, step)
        assert not (folder / "again.db").exists()
        raise StoreFull("The disk is full.", "Make room.")

    with monkeypatch.context() as failing:
        failing.setattr(replication, "replay", stopped)
        assert keys("store", "replay", "again.db").code == 14
    assert not [*folder.glob("*again.db*"), *folder.glob(".*.reverie*")]
    assert keys("store", "replay", "again.db").code == 0
    assert keys("store", "verify", "--store", "again.db").code == 0
    assert [path.name for path in folder.iterdir() if "again.db" in path.name or path.suffix == ".reverie"] == [
        "again.db"
    ]


def test_a_replay_does_not_write_over_what_was_made_meanwhile(
    keys: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes minutes: who was quicker keeps the name."""

    def outrun(source: Store, target: Store, step: Callable[[int], None]) -> str:
        (folder / "again.db").write_text("another's")
        return replay(source, target, step)

    monkeypatch.setattr(replication, "replay", outrun)
    assert keys("store", "replay", "again.db").code == 4
    assert (folder / "again.db").read_text() == "another's"
    assert not list(folder.glob(".*.reverie*"))


def spoil(sql: str) -> None:
    """Change the store's file behind its back."""
    raw = sqlite3.connect("reverie.db")
    raw.executescript(sql)
    raw.close()


def test_a_replay_mends_tables_that_cannot_be_read(keys: Run) -> None:
    """The new store is whole, and the answer says that it is the one to use."""
    spoil("DELETE FROM episode WHERE event = 2")
    done = keys("store", "replay", "again.db", "--json")
    assert [one["name"] for one in done.shape["faults"]] == ["replay-differs"]
    assert keys("store", "verify", "--store", "again.db").code == 0
    assert len(keys("timeline", "--store", "again.db", "--json").shape["memories"]) == 3


@pytest.mark.parametrize("sql", ["DELETE FROM event WHERE seq = 2", "DELETE FROM scope"])
def test_a_broken_journal_makes_no_store(keys: Run, folder: Path, sql: str) -> None:
    """A part of the memories would pass for all of them."""
    spoil(sql)
    assert keys("store", "replay", "again.db").code == 16
    assert not list(folder.glob("again.db*"))


def test_what_a_broken_journal_leaves_can_be_taken_out(keys: Run, folder: Path) -> None:
    """As doctor advises: exported, and imported into a new store."""
    spoil("DELETE FROM event WHERE seq = 2")
    assert any("`reverie export`" in one["mend"] for one in keys("doctor", "--json").shape["faults"])
    assert keys("export", "out.jsonl").code == 0
    assert keys("init", "new", "--agent", "helper", "--user", "ada", "--project", "home").code == 0
    into = ("--store", "new/reverie.db")
    assert keys("import", "out.jsonl", "--json", *into).shape["new"] == 3
    assert keys("doctor", *into).code == 0


def test_faults_are_listed_and_seen_by_a_script(keys: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each with its mend."""
    monkeypatch.setattr(
        "reverie.engine.maintain.Maintenance.verify", lambda *_: [Fault("chain-broken", "Event 3.", "Restore.")]
    )
    done = keys("store", "verify")
    assert done.code == 6
    assert all(word in done.out for word in ("chain-broken", "Event 3.", "Restore."))


def test_a_damaged_file_is_told(keys: Run, folder: Path) -> None:
    """Whatever the damage, no traceback: an error of ours, or faults."""
    store = folder / "reverie.db"
    raw = bytearray(store.read_bytes())
    raw[: len(raw) // 2] = b"\xff" * (len(raw) // 2)
    store.write_bytes(raw)
    assert keys("store", "verify").code in (6, 16)
    assert keys("doctor").code == 6


def spoil_page(folder: Path, table: str) -> None:
    """Zero the first page of a table."""
    raw = sqlite3.connect("reverie.db")
    (page,) = raw.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    raw.close()
    with (folder / "reverie.db").open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(bytes(4096))


@pytest.mark.parametrize("table", ["memory", "episode", "standing"])
def test_a_replay_mends_a_page_that_was_lost(keys: Run, folder: Path, table: str) -> None:
    """Whatever of the store cannot even be counted."""
    spoil_page(folder, table)
    assert keys("store", "verify").code == 6
    assert keys("store", "replay", "again.db").code == 6
    assert keys("doctor", "--store", "again.db").code == 0
    assert len(keys("timeline", "--store", "again.db", "--json").shape["memories"]) == 3


def test_copies_are_their_owners_alone(keys: Run, folder: Path) -> None:
    """The store, backups, replays and exports, whatever the mask; a file that was there keeps its permissions."""
    before = os.umask(0)
    try:
        keys("store", "backup", "copy.db")
        keys("store", "replay", "again.db")
        keys("export", "out.jsonl")
        keys("export", "--lossless", "all.jsonl")
        keys("export", "--markdown", "notes")
        (folder / "out.jsonl").chmod(0o640)
        keys("export", "out.jsonl", "--force")
    finally:
        os.umask(before)
    modes = {name: (folder / name).stat().st_mode & 0o777 for name in ("copy.db", "again.db", "all.jsonl", "out.jsonl")}
    assert modes == {"copy.db": 0o600, "again.db": 0o600, "all.jsonl": 0o600, "out.jsonl": 0o640}
    assert {path.stat().st_mode & 0o777 for path in (folder / "notes").rglob("*.md")} == {0o600}
    assert (folder / "reverie.db").stat().st_mode & 0o777 == 0o600


def test_an_audit_says_who_what_and_when_without_a_word(keys: Run, folder: Path) -> None:
    """Ids, actors, times and hashes; no text, and no reason that somebody wrote."""
    name = keys("timeline", "--json").shape["memories"][0]["id"]
    keys("forget", name, "--why", "Zanzibarquux said so")
    assert keys("audit", "export", "events.jsonl", "--json").shape["events"] >= 4
    written = (folder / "events.jsonl").read_text("ascii")
    events = [json.loads(line) for line in written.splitlines()]
    assert [one["seq"] for one in events] == sorted(one["seq"] for one in events)
    assert (events[-1]["action"], events[-1]["memories"], events[-1]["why"]) == ("forget", [name], "")
    assert events[-1]["actor"].startswith("cli:")
    assert "boiler" not in written
    assert "Zanzibarquux" not in written
    assert keys("audit", "export", "events.jsonl").code == 4
    assert keys("audit", "export", "none.jsonl", "--until", "2001-01-01", "--json").shape["events"] == 0


def test_where_a_memory_came_from_is_one_call(home: Run) -> None:
    """The fact, and the message it was formed of."""
    (fact,) = home("observe", "My sister Zeynep lives in Izmir.", "--json").shape["formed"]
    origins = home("memory", "provenance", fact, "--json").shape["origins"]
    assert [one["depth"] for one in origins] == [0, 1]
    assert origins[1]["memory"]["text"] == "My sister Zeynep lives in Izmir."
    assert "cli:" in home("memory", "provenance", fact).out


@pytest.mark.req("D52")
@pytest.mark.parametrize("table", ["memory", "episode", "standing", "meta", "memory_id"])
def test_what_doctor_advises_repairs_a_page_that_was_lost(keys: Run, folder: Path, table: str) -> None:
    """It says where the store as it was lies, what it rebuilt, and that the digest is that of a replay."""
    digest = keys("store", "verify", "--json").shape["digest"]
    spoil_page(folder, table)
    faults = keys("doctor", "--json").shape["faults"]
    assert all("`reverie doctor --repair`" in fault["mend"] for fault in faults)
    done = keys("doctor", "--repair", "--json")
    assert (done.code, done.shape["digest"], done.shape["faults"]) == (0, digest, [])
    assert Path(done.shape["backup"]).parent == folder
    assert done.shape["rebuilt"]
    assert keys("store", "verify", "--json").shape == {"faults": [], "digest": digest}
    assert len(keys("timeline", "--json").shape["memories"]) == 3
    assert "nothing to rebuild" in keys("doctor", "--repair").out


@pytest.mark.req("D52")
def test_a_repair_is_told_in_words(keys: Run, folder: Path) -> None:
    """Where the copy is, also one that was asked for elsewhere; a broken journal is named, and nothing is done."""
    spoil("DELETE FROM memory; DROP INDEX memory_timeline")
    assert keys("doctor", "--backup", "copy.db").code == 2
    done = keys("doctor", "--repair", "--backup", "copy.db")
    assert done.code == 0
    assert "copied the store as it was to" in done.out
    assert "rebuilt from the journal: schema, memory" in done.out
    assert (folder / "copy.db").exists()
    spoil("DELETE FROM relation; UPDATE event SET why = 'else' WHERE seq = 1")
    refused = keys("doctor", "--repair")
    assert refused.code == 16
    assert "nothing was changed" in refused.err
    assert "Restore the last backup" in refused.err
    assert not list(folder.glob("*before-repair*"))


@pytest.mark.req("D56", "D56b")
def test_the_words_of_a_memory_are_one_call(home: Run) -> None:
    """Statement by statement with numbers, and then the words, whole; a session is condensed with ids."""
    said = home("observe", "My sister Zeynep lives in the old town of Izmir.", "--json").shape
    (fact,) = said["formed"]
    found = home("memory", "expand", fact, "--json").shape
    assert [one["id"] for one in found["sources"]] == [said["id"]]
    assert found["statements"][0]["sources"] == [said["id"]]
    shown = home("memory", "expand", fact).out
    assert "[1]" in shown
    assert "1 statements, made of 1 memories" in shown
    condensed = home("session", "digest", "--json").shape
    assert condensed["statements"][0]["sources"] == [said["id"]]
    assert condensed["tokens"] < condensed["source_tokens"] + 2
    assert home("session", "digest", "--budget", "1", "--json").shape["statements"] == []
    assert "Izmir" in home("session", "digest").out
    assert home("memory", "expand", "nobody").code == 3


def test_of_a_folder_the_newest_backup_is_restored(talk: Run, folder: Path) -> None:
    """It says which one that was; a folder without a backup of this store is an error."""
    talk("backup")
    talk("remember", "Said between two backups.")
    talk("backup")
    newest = talk("backup", "list", "--json").shape["backups"][-1]["file"]
    talk("remember", "Said after both.")
    shown = talk("backup", "restore", "backups").out
    assert "restored from backups" in shown
    assert Path(newest).name in shown
    said = talk("timeline").out
    assert "between two" in said
    assert "after both" not in said
    (folder / "none").mkdir()
    assert "no backup of this store" in talk("backup", "restore", "none").err


@pytest.mark.parametrize(
    ("state", "done", "total", "shown"),
    [
        (JobState.RUNNING, 256, 256, "256"),
        (JobState.RUNNING, 40, 100, "40/100"),
        (JobState.DONE, 256, 256, "256/256"),
        (JobState.DONE, 0, 0, "0"),
        (JobState.FAILED, 256, 256, "256"),
    ],
)
def test_a_job_has_no_end_before_it_is_known(state: JobState, done: int, total: int, shown: str) -> None:
    """An import learns its whole as it goes: what it has done is no share of anything until then."""
    now = datetime(2026, 3, 1, tzinfo=UTC)
    job = Job("j", JobKind.IMPORT, Scope("a", "u", "p"), now, now, {}, state=state, done=done, total=total)
    assert _row(job)[2] == shown
