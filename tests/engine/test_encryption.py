"""Encrypted stores: the key, what lies on disk, wrong keys, and moving a store to encrypted and back."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from reverie import FixedClock, HashEmbedder, RandomIds, Reverie, Scope
from reverie.engine.encryption import decrypt, encrypt, key_for
from reverie.errors import ReverieError, StoreBusy, StoreError
from tests.engine.conftest import NOW

pytest.importorskip("sqlcipher3", reason="the extra sqlcipher is not installed")
pytestmark = pytest.mark.req("D57e")

SCOPE = Scope("helper", "ada", "home")
WORDS = ("zebracode", "quokkaplan", "ibexgarten")
"""In the texts, and nowhere else."""


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """Where the key lies, once it is made."""
    folder = tmp_path / "keys"
    folder.mkdir()
    return folder / "store.key"


def opened(path: str | Path, key: Path, **more: object) -> Reverie:
    """An engine on a store, with a clock that stands still."""
    how = {"embedder": HashEmbedder(64), "clock": FixedClock(NOW), "ids": RandomIds(seed=4), "background": False}
    return Reverie.open(path, key_file=str(key), **(how | more))  # type: ignore[arg-type]  # options by name


def lived(path: str | Path, key: Path) -> str:
    """A store with some memories; returns its digest."""
    with opened(path, key) as engine:
        for number, word in enumerate(WORDS * 3):
            engine.remember(f"Message {number} tells of the {word} in the cellar.", SCOPE)
        engine.dream(SCOPE)
        return engine.admin.digest()


def holding(folder: Path, *apart: Path) -> list[Path]:
    """The files below a folder that hold one of the words in plain bytes."""
    files = [path for path in folder.rglob("*") if path.is_file() and path not in apart]
    return [path for path in files if any(word.encode() in path.read_bytes() for word in WORDS)]


def stamps(folder: Path) -> dict[str, bytes]:
    """Every file of a folder with its content."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


def test_an_encrypted_store_answers_as_a_plain_one(tmp_path: Path, key: Path) -> None:
    """The same hits, scores and cosines, the same digest; it opens again with the key that was made for it."""
    plain, hidden = tmp_path / "plain.db", f"sqlcipher:{tmp_path / 'hidden.db'}"
    assert lived(plain, key) == lived(hidden, key)
    with opened(plain, key) as one, opened(hidden, key) as other:
        for cue in ("Where is the zebracode?", "cellar", "message 4"):
            ours, theirs = (
                [(hit.memory, hit.score, hit.cosine) for hit in engine.recall(cue, SCOPE).hits]
                for engine in (one, other)
            )
            assert ours == theirs
            assert ours


def test_no_byte_of_a_text_lies_on_disk(tmp_path: Path, key: Path) -> None:
    """Not in the file, its log, its journals, drafts, backups or replays, while it is used and afterwards."""
    folder = tmp_path / "stores"
    folder.mkdir()
    with opened(f"sqlcipher:{folder / 'hidden.db'}", key) as engine:
        ids = [engine.remember(f"The {word} is here.", SCOPE).id for word in WORDS * 20]
        assert (folder / "hidden.db-wal").stat().st_size
        assert holding(tmp_path) == []
        engine.dream(SCOPE)
        engine.admin.erase(ids[:1], SCOPE, why="asked")
        engine.admin.compact(SCOPE)
        engine.admin.backup(folder / "copy.db")
        engine.admin.replay(folder / "again.db")
        assert holding(tmp_path) == []
        assert engine.admin.verify() == []
    assert holding(tmp_path) == []
    with (
        opened(f"sqlcipher:{folder / 'copy.db'}", key) as copy,
        opened(f"sqlcipher:{folder / 'again.db'}", key) as again,
    ):
        assert copy.admin.digest() == again.admin.digest()


def test_intermediate_results_stay_in_memory(tmp_path: Path, key: Path) -> None:
    """No query sorts or groups in a temporary file."""
    with opened(f"sqlcipher:{tmp_path / 'hidden.db'}", key) as engine:
        connection = engine._context.store._connection  # type: ignore[attr-defined]  # of SQLite's store
        assert connection.row("PRAGMA temp_store") == (2,)


def test_a_damaged_index_is_repaired(tmp_path: Path, key: Path) -> None:
    """From the journal, with an encrypted copy of the store as it was."""
    digest = lived(f"sqlcipher:{tmp_path / 'hidden.db'}", key)
    with opened(f"sqlcipher:{tmp_path / 'hidden.db'}", key) as engine:
        engine._context.store._connection.run("UPDATE scope SET memories = memories + 1")  # type: ignore[attr-defined]  # of SQLite's store
        done = engine.admin.repair()
        assert (done.digest, done.faults, "scope" in done.rebuilt) == (digest, (), True)
    assert holding(tmp_path) == []
    with opened(f"sqlcipher:{done.backup}", key) as copy:
        assert copy.admin.digest() == digest


@pytest.mark.parametrize("how", ["another key", "no key", "no prefix", "plain"])
@pytest.mark.parametrize("log", [False, True], ids=["closed", "with a log"])
def test_what_does_not_fit_is_one_error_and_changes_nothing(tmp_path: Path, key: Path, how: str, log: bool) -> None:
    """Another key, no key, an encrypted store named as a plain one, and the reverse: the error says what to do."""
    folder = tmp_path / "stores"
    folder.mkdir()
    path, origin = folder / "memory.db", tmp_path / "origin.db"
    with opened(origin if how == "plain" else f"sqlcipher:{origin}", key) as engine:
        engine.remember("The zebracode is here.", SCOPE)
        engine.admin.compact(SCOPE)
        engine.remember("The ibexgarten is here.", SCOPE)
        for end in ("", "-wal", "-head"):  # as a killed process leaves them
            shutil.copyfile(f"{origin}{end}", f"{path}{end}")
    if not log:
        opened(path if how == "plain" else f"sqlcipher:{path}", key).close()
    assert (folder / "memory.db-wal").exists() is log
    other = key.with_name("other.key")
    if how == "another key":
        key_for(str(other), make=True)
    named = path if how == "no prefix" else f"sqlcipher:{path}"
    before = stamps(folder)
    with pytest.raises(StoreError) as caught:
        opened(named, other if "key" in how else key)
    assert stamps(folder) == before
    expected = {"another key": "right key", "no key": "Bring the file back", "no prefix": "sqlcipher:PATH"}
    assert expected.get(how, "store encrypt") in caught.value.mend
    assert caught.value.message.count(".") >= 1
    assert (not other.exists()) is (how != "another key")


_MOUNTS = """
mount -t tmpfs none /run && mkdir -p /run/secrets /run/credentials /run/mine && \\
mount -t tmpfs none /run/secrets || exit 77
mkdir /run/secrets/..data
for place in /run/secrets/plain /run/secrets/..data/key /run/credentials/plain /run/mine/plain; do
    echo $KEY > $place
    chmod 444 $place
done
ln -s ..data/key /run/secrets/linked
ln -s /run/mine/plain /run/secrets/out
mount -o remount,ro /run/secrets
exec "$@"
"""
"""Lays secrets where a container's engine does, in a namespace of mounts of its own; 77: that is not allowed here."""
_READ = """
import os, sys
from reverie.engine.encryption import held_key
from reverie.errors import StoreError
if os.environ["AS"]:
    os.setgid(int(os.environ["AS"]))
    os.setuid(int(os.environ["AS"]))
for path in sys.argv[1:]:
    try:
        print(held_key(path, make=False).digits == os.environ["KEY"])
    except StoreError as error:
        print(error.message)
"""


def test_a_secret_on_a_mount_that_cannot_be_written_is_taken(tmp_path: Path) -> None:
    """By whoever owns it, also behind Kubernetes' links; not on a mount that can be written, nor out of the folder."""
    if shutil.which("unshare") is None:
        pytest.skip("needs unshare")
    is_root = os.geteuid() == 0
    space = ["unshare", "--mount"] if is_root else ["unshare", "--mount", "--user", "--map-root-user"]
    places = ["/run/secrets/plain", "/run/secrets/linked", "/run/secrets/out", "/run/credentials/plain"]
    command = [*space, "sh", "-c", _MOUNTS, "sh", sys.executable, "-c", _READ, *places]
    environment = {**os.environ, "KEY": "ab" * 32, "AS": "10001" if is_root else "", "HOME": str(tmp_path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode == 77 or "unshare" in done.stderr:
        pytest.skip("no namespaces of mounts here")
    assert done.returncode == 0, done.stderr
    plain, linked, out, writable = done.stdout.splitlines()
    assert (plain, linked) == ("True", "True")
    assert "it is a link" in out
    assert ("belongs to another user" if is_root else "Others may read") in writable


def test_a_key_that_others_may_read_is_refused(tmp_path: Path, key: Path) -> None:
    """As is a link, and what is no key; a new one is made for its owner alone, never for a store that is there."""
    made = key_for(str(key), make=True)
    assert key.stat().st_mode & 0o777 == 0o600
    assert made.digits not in repr(made)
    assert key_for(str(key), make=True) == made
    key.chmod(0o640)
    with pytest.raises(StoreError, match="chmod 600"):
        key_for(str(key), make=False)
    key.chmod(0o600)
    (link := tmp_path / "link").symlink_to(key)
    with pytest.raises(StoreError, match="not a link"):
        key_for(str(link), make=False)
    key.write_text("password")
    with pytest.raises(StoreError, match="64 hexadecimal digits"):
        key_for(str(key), make=False)


class Ring:
    """A keyring, as the library's back ends are."""

    priority = 5

    def __init__(self) -> None:
        self.held: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, name: str) -> str | None:
        return self.held.get((service, name))

    def set_password(self, service: str, name: str, value: str) -> None:
        self.held[service, name] = value


@pytest.fixture
def ring(monkeypatch: pytest.MonkeyPatch) -> Iterator[Ring]:
    """The system's keyring, in memory."""
    made = Ring()
    module = SimpleNamespace(get_keyring=lambda: made, get_password=made.get_password, set_password=made.set_password)
    monkeypatch.setitem(sys.modules, "keyring", module)
    return iter([made])


def test_the_key_lies_in_the_keyring_where_no_file_is_named(tmp_path: Path, ring: Iterator[Ring]) -> None:
    """One is made for a new store, and found for the next; without it, an existing store is not opened."""
    held, path = next(ring), f"sqlcipher:{tmp_path / 'hidden.db'}"
    Reverie.open(path, embedder=None).close()
    made = dict(held.held)
    assert list(made) == [("reverie", "store")]
    Reverie.open(path, embedder=None).close()
    Reverie.open(f"sqlcipher:{tmp_path / 'second.db'}", embedder=None).close()
    assert held.held == made
    held.held.clear()
    with pytest.raises(StoreError, match="has no key for Reverie's stores"):
        Reverie.open(path, embedder=None)
    assert held.held == {}


def test_without_a_keyring_the_error_names_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine without one, and a library that is not installed: an error each that says what to do."""
    nothing = SimpleNamespace(get_keyring=lambda: SimpleNamespace(priority=0))
    monkeypatch.setitem(sys.modules, "keyring", nothing)
    with pytest.raises(StoreError, match="setting key_file"):
        Reverie.open(f"sqlcipher:{tmp_path / 'hidden.db'}", embedder=None)
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(StoreError, match=r"reverie\[sqlcipher\]"):
        Reverie.open(f"sqlcipher:{tmp_path / 'hidden.db'}", embedder=None)
    assert list(tmp_path.iterdir()) == []


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, key: Path) -> None:
    """Before a key is made."""
    monkeypatch.setitem(sys.modules, "sqlcipher3", None)
    with pytest.raises(StoreError, match=r"reverie\[sqlcipher\]"):
        opened(f"sqlcipher:{tmp_path / 'hidden.db'}", key)
    assert not key.exists()


def test_a_store_moves_to_encrypted_and_back(tmp_path: Path, key: Path) -> None:
    """With every memory, index and vector; nothing plain is left, and its permissions stay."""
    folder = tmp_path / "stores"
    folder.mkdir()
    path = folder / "memory.db"
    digest = lived(path, key)
    path.chmod(0o640)
    with opened(path, key, ids=RandomIds(seed=9)) as engine:
        before = [(hit.memory.id, hit.cosine) for hit in engine.recall("zebracode", SCOPE).hits]
        digest = engine.admin.digest()
    assert encrypt(path, str(key)).digest == digest
    assert holding(tmp_path) == []
    assert path.stat().st_mode & 0o777 == 0o640
    with opened(f"sqlcipher:{path}", key) as engine:
        assert engine.admin.digest() == digest
        assert engine.admin.verify() == []
        assert engine._context.store._connection.row("PRAGMA journal_mode") == ("wal",)  # type: ignore[attr-defined]  # of SQLite's store
    assert decrypt(path, str(key)).digest == digest
    with opened(path, key) as engine:
        assert engine.admin.digest() == digest
        assert engine.admin.verify() == []
        assert [(hit.memory.id, hit.cosine) for hit in engine.recall("zebracode", SCOPE).hits] == before
    assert sorted(one.name for one in folder.iterdir()) == ["memory.db", "memory.db-dream", "memory.db-head"]


def test_a_store_in_use_is_not_moved(tmp_path: Path, key: Path) -> None:
    """Nor one that is what it should become: an error each, and nothing changes."""
    path = tmp_path / "memory.db"
    digest = lived(path, key)
    with opened(path, key, ids=RandomIds(seed=9)) as engine:
        with pytest.raises(StoreBusy, match="has the store open"):
            encrypt(path, str(key))
        engine.remember("It goes on.", SCOPE)
        digest = engine.admin.digest()
    with pytest.raises(StoreError, match="is not encrypted"):
        decrypt(path, str(key))
    encrypt(path, str(key))
    with pytest.raises(StoreError, match="encrypted already"):
        encrypt(path, str(key))
    with opened(f"sqlcipher:{path}", key) as engine:
        assert engine.admin.digest() == digest


def test_a_process_that_waited_for_the_move_does_not_write_to_the_old_file(tmp_path: Path, key: Path) -> None:
    """Who had opened the old file before the swap finds no store there, and is told of nothing that is then lost."""
    path = tmp_path / "memory.db"
    lived(path, key)
    with path.open("rb") as old:
        encrypt(path, str(key))
        assert set(old.read()) == {255}


def test_plain_copies_are_named_or_erased(tmp_path: Path, key: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Backups made on this machine are told of; with ``erase_copies`` they go, exports stay and are named."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    path, backup, export = (tmp_path / name for name in ("memory.db", "backup.db", "notes"))
    lived(path, key)
    with opened(path, key) as engine:
        engine.admin.backup(backup)
        engine.transfer.export_markdown(export, SCOPE)
    assert encrypt(path, str(key)).plain == (str(backup), str(export))
    decrypt(path, str(key))
    done = encrypt(path, str(key), erase_copies=True)
    assert (done.plain, done.removed) == ((str(export),), (str(backup),))
    assert all(one.is_relative_to(export) for one in holding(tmp_path))


MOVER = """
import sys
from reverie.engine.encryption import decrypt, encrypt
print("begun", flush=True)
(encrypt if sys.argv[1] == "encrypt" else decrypt)(sys.argv[2], sys.argv[3])
"""


@pytest.mark.soak
def test_a_killed_move_leaves_the_old_store_or_the_new_one(
    tmp_path: Path, key: Path, share: Callable[[int], int]
) -> None:
    """Whole, whenever it is killed; the next move goes through."""
    path, chance = tmp_path / "memory.db", Random(5)
    digest = lived(path, key)
    encrypt(path, str(key))
    decrypt(path, str(key))
    found = set()
    for number in range(share(40)):
        plain = path.read_bytes().startswith(b"SQLite format 3")
        job = [sys.executable, "-c", MOVER, "encrypt" if plain else "decrypt", str(path), str(key)]
        with subprocess.Popen(job, stdout=subprocess.PIPE, env=dict(os.environ)) as mover:
            assert mover.stdout is not None
            mover.stdout.readline()
            time.sleep(chance.random() * 0.2)
            mover.send_signal(signal.SIGKILL)
        found.add(is_plain := path.read_bytes().startswith(b"SQLite format 3"))
        with opened(path if is_plain else f"sqlcipher:{path}", key, embedder=None) as engine:
            assert engine.admin.digest() == digest, number
            assert engine._context.store._connection.row("PRAGMA journal_mode") == ("wal",)  # type: ignore[attr-defined]  # of SQLite's store
            assert [one for one in engine.admin.verify() if one.name != "half"] == []
    if not path.read_bytes().startswith(b"SQLite format 3"):
        decrypt(path, str(key))
    encrypt(path, str(key))
    assert holding(tmp_path) == []


def test_what_is_no_file_cannot_be_encrypted(tmp_path: Path, key: Path) -> None:
    """A store in memory, another program's table, and a path where nothing is."""
    for path in (":memory:", f"lance:{tmp_path}", tmp_path / "nothing.db"):
        with pytest.raises(ReverieError):
            encrypt(path, str(key))
    assert not key.exists()
