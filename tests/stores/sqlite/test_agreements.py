from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from reverie.config.trust import Trust
from reverie.durable import state_folder
from reverie.errors import Conflict, StoreCorrupt, StoreReadOnly, StoreUntrusted
from reverie.stores.exclusive import alone
from reverie.stores.sqlite import SqliteStore
from tests.stores.making import ADA, Writer


def opened(path: Path) -> SqliteStore:
    """A store, opened as the engine opens it."""
    return SqliteStore(path, state=state_folder(os.environ))


def write(path: Path, count: int, name: str, *, durable: bool = True) -> None:
    """Open a store, keep some messages, and close it."""
    with closing(opened(path)) as store:
        writer = Writer(store, name, durable=durable)
        for number in range(count):
            writer.remember(ADA, f"{name} {number}")


def overwrite(path: Path, source: Path) -> None:
    """Another content in the very same file, as a file system does that gives a number again."""
    inode = path.stat().st_ino
    with path.open("r+b") as file:
        file.truncate()
        file.write(source.read_bytes())
    assert path.stat().st_ino == inode


def log_of(path: Path) -> Path:
    """A store's log."""
    return path.with_name(f"{path.name}-wal")


def left_by_a_kill(path: Path, target: Path, count: int = 3) -> Path:
    """A copy of a store and its log as a process that wrote on would leave them, were it killed."""
    target.parent.mkdir(exist_ok=True)
    shutil.copy(path, target)
    store = opened(target)
    writer = Writer(store, "on", durable=True)
    for number in range(count):
        writer.remember(ADA, f"on {number}")
    killed = target.with_name("killed")
    for end in ("", "-wal"):
        shutil.copy(f"{target}{end}", f"{killed}{end}")
    store.close()
    return killed


@pytest.fixture
def owned(tmp_path: Path) -> Path:
    """A store of nine messages that the user agreed to when it had six, closed."""
    path = tmp_path / "clone" / "reverie.db"
    path.parent.mkdir()
    write(path, 6, "mine")
    shutil.copy(path, tmp_path / "older")
    Trust().own(path)
    write(path, 3, "more")
    return path


def test_what_the_user_does_with_it_needs_no_consent_anew(owned: Path, tmp_path: Path) -> None:
    """Writing, from two processes too, with and without a sync; compacting, erasing the index, a kill."""
    write(owned, 5, "again")
    write(owned, 5, "counted", durable=False)
    with closing(opened(owned)) as one, closing(opened(owned)) as two:
        for store, name in ((one, "one"), (two, "two")):
            Writer(store, name, durable=True).remember(ADA, name)
            assert Trust().owns(owned)
        one.compact()
        assert Trust().owns(owned)
        killed = tmp_path / "killed"
        Writer(two, "three", durable=True).remember(ADA, "three")
        for end in ("", "-wal"):
            shutil.copy(f"{owned}{end}", f"{killed}{end}")
    overwrite(owned, killed)
    shutil.copy(f"{killed}-wal", f"{owned}-wal")
    assert Trust().owns(owned)
    write(owned, 1, "after")
    assert Trust().owns(owned)


def test_a_store_that_lost_its_log_is_still_the_users(owned: Path) -> None:
    """It is told that messages are missing; whose the store is, nobody has to be asked for that."""
    store = opened(owned)
    Writer(store, "lost", durable=True).remember(ADA, "lost")
    whole = owned.read_bytes()
    store.close()
    owned.write_bytes(whole)
    assert Trust().owns(owned) is False  # all was merged meanwhile: this is an older state, put back
    Trust().own(owned)
    store = opened(owned)
    Writer(store, "lost", durable=True).remember(ADA, "lost")
    copy = {end: Path(f"{owned}{end}").read_bytes() for end in ("", "-head")}
    state = {file: file.read_bytes() for file in Path(os.environ["XDG_STATE_HOME"]).rglob("stores/*")}
    store.close()
    for end, content in copy.items():
        Path(f"{owned}{end}").write_bytes(content)
    for file, content in state.items():
        file.write_bytes(content)
    assert Trust().owns(owned)
    with closing(opened(owned)) as store:
        assert [fault.name for fault in store.check()] == ["tail"]


def _foreign(owned: Path, folder: Path) -> None:
    write(folder / "theirs", 30, "theirs")
    overwrite(owned, folder / "theirs")


def _foreign_and_short(owned: Path, folder: Path) -> None:
    write(folder / "theirs", 1, "theirs")
    overwrite(owned, folder / "theirs")


def _forked(owned: Path, folder: Path) -> None:
    write(folder / "older", 30, "theirs")
    overwrite(owned, folder / "older")


def _forked_and_short(owned: Path, folder: Path) -> None:
    write(folder / "older", 1, "theirs")
    overwrite(owned, folder / "older")


def _older(owned: Path, folder: Path) -> None:
    overwrite(owned, folder / "older")


def _log(owned: Path, folder: Path) -> None:
    write(folder / "theirs", 1, "theirs")
    shutil.copy(f"{left_by_a_kill(folder / 'theirs', folder / 'x' / 'store')}-wal", log_of(owned))


def _log_of_an_older_state(owned: Path, folder: Path) -> None:
    shutil.copy(f"{left_by_a_kill(folder / 'older', folder / 'x' / 'store')}-wal", log_of(owned))


PUT = (_foreign, _foreign_and_short, _forked, _forked_and_short, _older, _log, _log_of_an_older_state)


@pytest.mark.parametrize("put", PUT)
def test_another_content_in_the_same_file_is_asked_for(
    owned: Path, tmp_path: Path, put: Callable[[Path, Path], None]
) -> None:
    """Under the very number of the file: foreign, forked, older, or by a log beside it; opened, nothing is merged."""
    put(owned, tmp_path)
    before = sha256(owned.read_bytes()).digest()
    assert not Trust().owns(owned)
    for _ in range(2):
        with pytest.raises(StoreUntrusted, match="not the one that you agreed to") as told:
            opened(owned)
        assert "reverie config trust" in told.value.mend
    assert sha256(owned.read_bytes()).digest() == before
    Trust().own(owned)
    assert Trust().owns(owned)
    opened(owned).close()


def test_a_foreign_log_beside_a_store_is_an_error_and_taken_away_harms_nothing(tmp_path: Path) -> None:
    """Of a store, too, that needs no consent: what was kept is all there afterwards."""
    path, theirs = tmp_path / "mine.db", tmp_path / "theirs.db"
    write(path, 6, "mine")
    write(theirs, 2, "theirs")
    shutil.copy(f"{left_by_a_kill(theirs, tmp_path / 'x' / 'store')}-wal", log_of(path))
    with pytest.raises(StoreCorrupt, match="is not this store's log") as told:
        opened(path)
    assert f"Move {path}-wal away" in told.value.mend
    log_of(path).unlink()
    with closing(opened(path)) as store:
        assert [memory.text for memory in store.memories(ADA)] == [f"mine {number}" for number in range(6)]
        assert store.check() == []


def test_a_store_that_was_empty_is_not_taken_for_one_that_is_not(tmp_path: Path) -> None:
    """Made here, never written to: what somebody then puts in its place is asked for, what the user writes is not."""
    path, theirs = tmp_path / "mine.db", tmp_path / "theirs.db"
    for mine in (False, True):
        path.unlink(missing_ok=True)
        with closing(opened(path)):
            Trust().own(path)
        write(theirs, 2, f"theirs{mine}")
        if mine:
            write(path, 2, "mine")
        else:
            overwrite(path, theirs)
        assert Trust().owns(path) is mine


@pytest.mark.parametrize("in_place", [True, False])
def test_a_backup_that_is_put_back_is_the_users(owned: Path, tmp_path: Path, in_place: bool) -> None:
    """Over the file, or as another file; written on, it stays so. One with a byte changed is asked for."""
    with closing(opened(owned)) as store:
        store.backup(tmp_path / "backup")
    write(owned, 4, "later")
    altered = bytearray((tmp_path / "backup").read_bytes())
    altered[-1] ^= 1
    (tmp_path / "altered").write_bytes(altered)
    (tmp_path / "altered").replace(owned)
    assert not Trust().owns(owned)
    if in_place:
        Trust().own(owned)
        overwrite(owned, tmp_path / "backup")
    else:
        shutil.copy(tmp_path / "backup", tmp_path / "new")
        (tmp_path / "new").replace(owned)
    assert Trust().owns(owned)
    write(owned, 1, "on")
    assert Trust().owns(owned)
    with closing(opened(owned)) as store:
        assert store.check() == []


def test_consent_from_before_such_notes_is_bound_at_its_first_use(owned: Path, tmp_path: Path) -> None:
    """From then on, another content is asked for."""
    for note in Path(os.environ["XDG_STATE_HOME"]).rglob("stores/*"):
        note.unlink()
    assert Trust().owns(owned)
    _foreign(owned, tmp_path)
    assert not Trust().owns(owned)


def test_what_is_taken_back_leaves_no_note(owned: Path) -> None:
    """Nor does a store that the user names, and never agreed to, have one."""
    notes = Path(os.environ["XDG_STATE_HOME"]) / "reverie" / "stores"
    here = set(notes.iterdir())
    write(owned.with_name("other.db"), 1, "other")
    assert set(notes.iterdir()) == here
    Trust().revoke(owned)
    assert len(set(notes.iterdir())) == len(here) - 1


HOLDER = """
import sys
from pathlib import Path
from reverie.stores.exclusive import alone
with alone(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_another_process_is_kept_out_until_this_one_dies(tmp_path: Path) -> None:
    """Killed without a word, it holds nothing any more."""
    path = tmp_path / "store"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    with pytest.raises(Conflict), alone(path):
        pass
    holder.kill()
    holder.communicate()
    with alone(path):
        assert not path.exists()


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    """Nothing can be held beside a store that cannot be."""
    with pytest.raises(StoreReadOnly), alone(tmp_path / "nowhere" / "store"):
        pass
