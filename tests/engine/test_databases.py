"""A store over several databases that a TOML file lists: as one store to its users, and what a wrong list says."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from reverie import FixedClock, HashEmbedder, RandomIds, Reverie, Scope
from reverie.answers import JobState
from reverie.engine.backups import folder_of
from reverie.engine.databases import read_list
from reverie.engine.encryption import encrypt
from reverie.engine.factories import open_store, rebalance
from reverie.errors import InvalidInput, InvalidSetting, ReverieError, StoreMissing
from tests.conftest import TENTH
from tests.engine.full_life import ASKED_AT, HOME, OTHER, lived, rankings, state
from tests.postgres_server import WHY_NOT, new_database

NAMES = ("east", "north", "west")
SCOPES = [Scope("helper", f"user {number}", "home") for number in range(12)]
MODEL = HashEmbedder(64)


def opened(where: str | Path, tenant: str = "") -> Reverie:
    """An engine whose clock stands after the conversation, with ids from a seed."""
    clock, ids = FixedClock(ASKED_AT), RandomIds(seed=7)
    return Reverie.open(where, tenant=tenant, embedder=MODEL, clock=clock, ids=ids, background=False)


def listed(folder: Path, **stores: str) -> Path:
    """A list of databases; a value may also be a table in TOML."""
    path = folder / "databases.toml"
    lines = [f"{name} = {store if store[0] == '{' else json.dumps(store)}" for name, store in stores.items()]
    path.write_text("\n".join(["[databases]", *lines]), encoding="utf-8")
    return path


def told(memory: Reverie) -> list[object]:
    """Everything about the scopes, and in what order a recall brings it."""
    found: list[object] = [memory.admin.scopes()]
    for scope in memory.admin.scopes():
        hits = memory.explain("Who likes tea?", scope).recollection.hits  # counts nothing
        found.append([(hit.memory.id, hit.score, hit.cosine) for hit in hits])
        found.append(state(memory, scope))
    return found


SAID = (
    "I like tea, and my sister Elif lives in Izmir.",
    "Elif lives in Ankara now.",
    "Call the plumber tomorrow at nine.",
    "Her cat is called Pamuk.",
)


def live(memory: Reverie, *, whole: bool) -> Reverie:
    """Observe, dream and undo in many scopes; ``whole``: and everything else that can be done, in two."""
    for number, scope in enumerate(SCOPES):
        for text in SAID:
            memory.observe(f"{text} ({number})", scope)
        formed = memory.admin.formed(scope)
        memory.relate(formed[0].id, formed[-1].id, scope, "causes")
        memory.dream(scope)
    memory.undo(SCOPES[0])
    memory.admin.erase(memory.timeline(SCOPES[1])[0].id, SCOPES[1], why="asked to")
    return lived(memory) if whole else memory


@pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)
def test_three_databases_of_a_server_tell_what_one_file_tells(tmp_path: Path, share: Callable[[int], int]) -> None:
    """Digests, rankings with scores and cosines, edges and dreams; every database has its share of the scopes."""
    path, whole = listed(tmp_path, **{name: new_database()[1] for name in NAMES}), share(TENTH) > 1
    shards, file = (live(opened(*where), whole=whole) for where in ((path, "test"), (tmp_path / "one.db",)))
    assert shards.admin.digest() == file.admin.digest()
    assert told(shards) == told(file)
    if whole:
        for scope in (HOME, OTHER):
            assert rankings(shards, scope) == rankings(file, scope)
    assert shards.admin.verify() == shards.admin.doctor() == []
    assert shards.admin.replay(tmp_path / "replayed.db") == file.admin.digest()
    scopes = file.admin.scopes()
    for memory in (shards, file):
        memory.close()
    with opened(path, "test") as again:
        assert again.admin.scopes() == scopes
    for shard in read_list(path).values():
        with opened(shard.store, "test") as one:
            assert 1 < len(one.admin.scopes()) < len(scopes)


def test_a_database_more_takes_its_share(tmp_path: Path) -> None:
    """A changed list is refused until its scopes were moved; then everything reads as before, vectors included."""
    path = listed(tmp_path, a="a.db", b="b.db")
    with opened(path) as memory:
        for scope in SCOPES:
            memory.remember(f"{scope.user} likes tea", scope)
        before, digest = told(memory), memory.admin.digest()
    listed(tmp_path, a="a.db", b="b.db", c='{ store = "c.db", weight = 2 }')
    with pytest.raises(InvalidSetting, match="reverie store rebalance"):
        opened(path)
    moved = rebalance(path, models=(MODEL.info,)).scopes
    assert {new for _, _, new in moved} == {"c"}
    assert 0 < len(moved) < len(SCOPES)
    with opened(path) as memory:
        assert memory.admin.missing() == 0
        assert told(memory) == before
    with closing(open_store(path, create=False)) as store:
        assert store.digest() == digest
    assert rebalance(path).scopes == ()


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ("[databases", InvalidSetting),
        ("", InvalidSetting),
        ("[databases]", InvalidSetting),
        ("[stores]\na = 'a.db'", InvalidSetting),
        ("[databases]\na = 'a.db'\n[other]", InvalidSetting),
        ("[databases]\na = 5", InvalidSetting),
        ("[databases]\na = ''", InvalidSetting),
        ("[databases]\na = ':memory:'", InvalidSetting),
        ("[databases]\na = 'sqlcipher:a.db'", InvalidSetting),
        ("[databases]\na = 'more.toml'", InvalidSetting),
        ("[databases]\na = { store = 'a.db', weight = -1 }", InvalidSetting),
        ("[databases]\na = { store = 'a.db', weight = true }", InvalidSetting),
        ("[databases]\na = { store = 'a.db', weight = 0 }", InvalidSetting),
        ("[databases]\na = { store = 'a.db', wieght = 1 }", InvalidSetting),
        ("[databases]\na = 'nowhere/a.db'", StoreMissing),
    ],
)
def test_a_list_that_is_none_says_so(tmp_path: Path, content: str, error: type[ReverieError]) -> None:
    """With what to write instead, and without making anything."""
    path = tmp_path / "databases.toml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(error) as caught:
        opened(path)
    assert caught.value.mend


def test_a_list_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    """And a file that is no list cannot be rebalanced; a file has no tenants."""
    with pytest.raises(StoreMissing):
        opened(tmp_path / "databases.toml")
    with pytest.raises(InvalidInput, match=r"ends in \.toml"):
        rebalance(tmp_path / "memory.db")
    with pytest.raises(InvalidInput, match="no tenants"):
        opened(listed(tmp_path, a="a.db"), "team")
    assert not list(tmp_path.glob("*.db"))


@pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)
def test_jobs_of_databases_on_servers_are_done_by_any_worker(tmp_path: Path) -> None:
    """Another process with the same list, on whatever machine, does what this one adds, in each database."""
    path = listed(tmp_path, east=new_database()[1], west=new_database()[1])
    with opened(path, "test") as asking, opened(path, "test") as working:
        scopes = [scope for scope in SCOPES[:4] if asking.remember("I like tea.", scope)]
        added = [asking.jobs.enqueue("dream", scope, background=False) for scope in scopes]
        assert working.jobs.work() == len(added)
        assert [asking.jobs.show(job.id, job.scope).state for job in added] == [JobState.DONE] * len(added)
    assert not list(tmp_path.glob("*jobs*"))


def test_what_a_list_cannot_do_says_what_to_do_instead(tmp_path: Path) -> None:
    """Encryption, keys, a backup in one file, and a repair; nothing is changed or left behind."""
    path = listed(tmp_path, a="a.db", b="b.db")
    encrypted = listed(tmp_path, a="postgresql://nowhere/x?encrypted=true").rename(tmp_path / "encrypted.toml")
    listed(tmp_path, a="a.db", b="b.db")
    with opened(path) as memory:
        memory.remember("I like tea.", SCOPES[0])
        before = sorted(tmp_path.iterdir())
        tries: list[tuple[Callable[[], object], str]] = [
            (lambda: opened(f"sqlcipher:{path}"), "one encrypted database"),
            (lambda: opened(encrypted), "one encrypted database"),
            (lambda: memory.admin.shred(SCOPES[0]), "Erase the scope's memories"),
            (lambda: memory.admin.rotate(tmp_path / "new.key"), "encrypted tenant"),
            (lambda: memory.admin.repair(), "Name a store's file"),
            (lambda: encrypt(path), "Name a store's file"),
            (lambda: folder_of(str(path)), "reverie store backup FOLDER"),
        ]
        for attempt, mend in tries:
            with pytest.raises(ReverieError) as caught:
                attempt()
            assert mend in caught.value.mend
        assert sorted(tmp_path.iterdir()) == before
        assert [one.text for one in memory.timeline(SCOPES[0])] == ["I like tea."]
