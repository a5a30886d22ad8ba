"""Places of a sync: the user's key, this machine's copy of all segments, a folder, a branch of a git repository.

Git is called with fixed arguments: no hook, filter or transport of the repository is run, and nothing is checked out.
"""

from __future__ import annotations

import base64
import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Protocol, TypeVar

from reverie import durable
from reverie.errors import Conflict, InvalidExport, InvalidInput, NotFound, StoreBusy, StoreError, StoreMissing
from reverie.exchange.segments import FILE_MAX, KEY_BYTES, Segment, erased_in, merged, named, seal, tag_of, unseal
from reverie.locking import locked
from reverie.ports import Clock, Ids
from reverie.types import Scope

T = TypeVar("T")
FOLDER = "reverie-sync"
BRANCH = "refs/heads/reverie-sync"
_KEY_HEAD = "reverie-sync-key-1:"
_PENDING = ".pending"
_MACHINE = re.compile(r"[0-9a-z]{26}")
WAIT_S = 60.0
GIT_S = 120.0
ATTEMPTS = 6


def sync_folder(state: Path | None = None) -> Path:
    """Return the folder of the key and of the copies of segments. Raises StoreError without a home folder."""
    state = state or durable.state_folder(os.environ)
    if state is None:
        raise StoreError("There is no state folder.", "Set HOME or XDG_STATE_HOME to an absolute path.")
    return state / "sync"


def new_key(state: Path | None = None) -> str:
    """Make a key for this user's machines, keep it in the state folder, and return it as text to be shown once.

    Raises:
        Conflict: there is a key already.
        StoreFull, StoreReadOnly, StoreError: it cannot be written.
    """
    return _keep(_KEY_HEAD + base64.urlsafe_b64encode(os.urandom(KEY_BYTES)).decode(), state)


def take_key(text: str, state: Path | None = None) -> str:
    """Keep a key that another machine showed, in the state folder; return it.

    Raises:
        InvalidInput: it is no key.
        Conflict: there is another key already.
    """
    return _keep(text.strip(), state)


def _keep(text: str, state: Path | None) -> str:
    file = sync_folder(state) / "key"
    _key_in(text)
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with durable.create(file) as out:
            out.write(f"{text}\n".encode())
            out.flush()
            os.fsync(out.fileno())
    except FileExistsError:
        if key_of(state) == _key_in(text):
            return text
        raise Conflict(
            f"There is a key already, in {file}.",
            "Other machines need that one. To begin anew, move it away first, and use a new folder.",
        ) from None
    except OSError as error:
        raise durable.unwritable(error, file) from None
    return text


def key_of(state: Path | None = None) -> bytes:
    """Return this user's key.

    Raises:
        NotFound: there is none yet.
        StoreError: others may read the file, or it cannot be read.
    """
    file = sync_folder(state) / "key"
    if not durable.is_there(file):
        raise NotFound(
            "There is no key for synchronisation yet.",
            "On the first machine: `reverie sync --new-key`. On every other: `reverie sync --key-from FILE`.",
        )
    try:
        with os.fdopen(durable.open_own(file, os.O_RDONLY), "rb") as held:
            if os.name == "posix" and os.fstat(held.fileno()).st_mode & 0o077:
                raise StoreError(f"Others may read the key {file}.", f"Run `chmod 600 {file}`.")
            return _key_in(held.read(200).decode("ascii", "replace").strip())
    except OSError as error:
        raise durable.unreadable(error, file) from None


def _key_in(text: str) -> bytes:
    head, _, rest = text.partition(":")
    try:
        key = base64.b64decode(rest, altchars=b"-_", validate=True)
    except ValueError:
        key = b""
    if f"{head}:" != _KEY_HEAD or len(key) != KEY_BYTES:
        raise InvalidInput("This is no key for synchronisation.", "Give the file that `reverie sync --new-key` made.")
    return key


class Folder(Protocol):
    """A place that holds the segments of a scope; ``ignored`` names other files that were found there."""

    ignored: list[str]

    def read_all(self) -> Mapping[str, bytes]:
        """Return the content of each segment's file, by name."""

    def write(self, name: str, raw: bytes) -> None:
        """Add or replace a segment's file. Raises StoreFull, StoreReadOnly, StoreError."""


class Mirror:
    """This machine's copy of all segments of a scope: it survives a lost folder, and carries them between places."""

    def __init__(self, folder: Path, key: bytes, tag: str, machine: str, ids: Ids) -> None:
        self.machine = machine
        self.tag = tag
        self._place = PlainFolder(folder)
        self._folder = folder
        self._key = key
        self._ids = ids
        self._raw = dict(self._place.read_all())
        self._held = {name: unseal(raw, key, tag, name) for name, raw in self._raw.items()}
        self._there: dict[str, Segment] = {}

    def segments(self) -> list[Segment]:
        """Return all segments."""
        return list(self._held.values())

    def next_number(self) -> int:
        """Return the number of this machine's next segment."""
        return 1 + max((one.number for one in self._held.values() if one.machine == self.machine), default=0)

    def take(self, folder: Folder) -> int:
        """Copy the segments of a folder that are new or have lost content; return how many. All are checked first.

        Raises:
            InvalidExport: a file was changed, cut short or renamed, or has another key or a newer format.
        """
        found = folder.read_all()
        there = {name: self._unsealed(name, raw) for name, raw in found.items()}
        fresh: dict[str, bytes] = {}
        for name, segment in there.items():
            both = merged(self._held[name], segment) if name in self._held else segment
            if both != self._held.get(name):
                fresh[name] = found[name] if both == segment else self._sealed(both)
        for name, raw in fresh.items():
            self._put(name, raw)
        self._there = there
        return len(fresh)

    def _unsealed(self, name: str, raw: bytes) -> Segment:
        held = self._raw.get(name)
        return self._held[name] if held == raw else unseal(raw, self._key, self.tag, name)

    def prepare(self, segment: Segment) -> None:
        """Write this machine's next segment; it counts only once the store says that it holds its content."""
        path = self._folder / (segment.name + _PENDING)
        try:
            durable.replace(path, self._sealed(segment), mode=durable.OWNER_ONLY)
        except OSError as error:
            raise durable.unwritable(error, path) from None

    def finish(self, numbers: Mapping[str, int]) -> None:
        """Add prepared segments that the store holds, and delete those of a sync that was broken off before that."""
        for pending in sorted(self._folder.glob("*" + _PENDING)):
            told = named(pending.name.removesuffix(_PENDING))
            if told is not None and told[1] <= numbers.get(told[0], 0):
                name = pending.name.removesuffix(_PENDING)
                if name not in self._held:
                    self._put(name, pending.read_bytes())
            pending.unlink(missing_ok=True)

    def scrub(self, erased: Collection[str]) -> None:
        """Rewrite every segment that holds content of erased memories without it."""
        for name, segment in list(self._held.items()):
            clean = segment.without(erased)
            if clean != segment:
                self._put(name, self._sealed(clean))

    def give(self, folder: Folder) -> int:
        """Write to the folder the segments that it lacks, then those with less content here; return how many."""
        wanted = [name for name in sorted(self._held) if self._there.get(name) != self._held[name]]
        for name in sorted(wanted, key=lambda name: name in self._there):
            folder.write(name, self._raw[name])
        return len(wanted)

    def _put(self, name: str, raw: bytes) -> None:
        self._place.write(name, raw)
        self._raw[name] = raw
        self._held[name] = unseal(raw, self._key, self.tag, name)

    def _sealed(self, segment: Segment) -> bytes:
        return seal(segment, self._key, self.tag, self._ids.salt() + self._ids.salt())


@contextmanager
def mirror_of(store: str, scope: Scope, state: Path | None, clock: Clock, ids: Ids) -> Iterator[Mirror]:
    """Open this machine's copy of a scope's segments for a store, alone.

    Raises:
        NotFound: there is no key yet.
        StoreBusy: another sync of this store runs.
    """
    key, folder = key_of(state), _folder_of(store, state)
    with locked(folder / "lock", WAIT_S, durable.OWNER_ONLY):
        tag = tag_of(key, scope)
        inner = folder / tag
        try:
            inner.mkdir(exist_ok=True, mode=0o700)
            machine = _machine(folder / "machine", clock, ids)
        except OSError as error:
            raise durable.unwritable(error, folder) from None
        yield Mirror(inner, key, tag, machine, ids)


def _folder_of(store: str, state: Path | None) -> Path:
    path = store if store == ":memory:" else str(Path(store).absolute())
    return sync_folder(state) / sha256(path.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def scrub_here(store: str, scope: Scope, erased: Collection[str], ids: Ids) -> None:
    """Rewrite this machine's copies of a scope's segments without erased memories, and those formed from them."""
    folder = _folder_of(store, None)
    if not folder.is_dir() or not durable.is_there(sync_folder() / "key"):
        return  # never synchronised; or nobody here can read the segments any more
    key = key_of()
    tag = tag_of(key, scope)
    with locked(folder / "lock", WAIT_S, durable.OWNER_ONLY):
        mirror = Mirror(folder / tag, key, tag, "", ids)
        mirror.scrub(erased_in([*mirror.segments(), Segment("", 0, (), frozenset(erased))]))


def _machine(file: Path, clock: Clock, ids: Ids) -> str:
    """Return this machine's id, made on the first call."""
    if durable.is_there(file):
        told = file.read_text("ascii", "replace").strip()
        if not _MACHINE.fullmatch(told):
            raise StoreError(f"{file} names no machine.", "Delete it; this machine then takes a new name.")
        return told
    made = ids.new_id(clock.now()).lower()
    durable.replace(file, made.encode(), mode=durable.OWNER_ONLY)
    return made


class PlainFolder:
    """The segments of a scope in a folder of the file system."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.ignored: list[str] = []

    def read_all(self) -> Mapping[str, bytes]:
        """Return the content of each segment's file, by name; links are not followed."""
        if not durable.is_there(self._folder):
            return {}
        try:
            names = sorted(one.name for one in self._folder.iterdir() if not one.name.startswith("."))
            self.ignored = [name for name in names if named(name) is None and not name.endswith(_PENDING)]
            return {name: self._read(name) for name in names if named(name) is not None}
        except OSError as error:
            raise durable.unreadable(error, self._folder) from None

    def _read(self, name: str) -> bytes:
        with os.fdopen(durable.open_plain(self._folder / name, os.O_RDONLY), "rb") as file:
            raw = file.read(FILE_MAX + 1)
        if len(raw) > FILE_MAX:
            raise InvalidExport(f"{name} is longer than {FILE_MAX} bytes.", "Delete it.")
        return raw

    def write(self, name: str, raw: bytes) -> None:
        """Add or replace a segment's file atomically."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            durable.replace(self._folder / name, raw)
        except OSError as error:
            raise durable.unwritable(error, self._folder / name) from None


def through(place: str, tag: str, work: Callable[[Folder], T]) -> T:
    """Run a sync through a folder, or a branch of a git repository; if somebody else pushed meanwhile, again.

    Raises:
        StoreMissing: there is no such folder.
        InvalidInput: the address is none that git may be given.
        StoreBusy: others pushed again and again.
    """
    if not place.strip() or "\0" in place:
        raise InvalidInput("No place is named.", "Give a folder, or the address of a git repository.")
    if not is_git(place):
        folder = Path(place).expanduser()
        if not folder.is_dir():
            raise StoreMissing(f"There is no folder {place}.", "Make it first, or connect what it is on.")
        return work(PlainFolder(folder / FOLDER / tag))
    for _ in range(ATTEMPTS):
        with tempfile.TemporaryDirectory(prefix="reverie-sync-") as temporary:
            repository = GitBranch(place, tag, Path(temporary))
            done = work(repository)
            if repository.push():
                return done
    raise StoreBusy("Other machines pushed at the same time, again and again.", "Run this again.")


_ADDRESS = re.compile(r"(https?|ssh|git|file)://\S+|[\w.-]+@[\w.-]+:\S+")


def is_git(place: str) -> bool:
    """Whether a place is a git repository: an address, or a folder that is one.

    Raises:
        InvalidInput: an address that git could take for an option or a command.
    """
    if place.startswith("-") or re.match(r"[\w+.-]+::", place):
        raise InvalidInput(f"{place!r:.80} is no address for a sync.", "Give an https or ssh address, or a path.")
    if _ADDRESS.fullmatch(place):
        return True
    if "://" in place:
        raise InvalidInput(f"{place!r:.80} is no address for a sync.", "Give an https or ssh address, or a path.")
    path = Path(place).expanduser()
    return (path / ".git").exists() or ((path / "HEAD").is_file() and (path / "objects").is_dir())


class GitBranch:
    """The segments of a scope in the branch ``reverie-sync`` of a repository; read without a checkout."""

    def __init__(self, address: str, tag: str, folder: Path) -> None:
        is_path = not _ADDRESS.fullmatch(address)
        self._address = str(Path(address).expanduser().absolute()) if is_path else address
        self._local = is_path or address.startswith("file:")
        self._tag = tag
        self._folder = folder
        self._blobs: dict[str, str] = {}
        self._rewrote = False
        self.ignored: list[str] = []
        self._git("init", "--quiet", "--template=")
        told = self._git("ls-remote", *self._pack("upload-pack"), "--", self._address, BRANCH)
        self._old = told.decode("ascii", "replace").partition("\t")[0].strip()
        if self._old:
            what = ("--quiet", "--depth=1", "--no-tags", *self._pack("upload-pack"))
            self._git("fetch", *what, "--", self._address, BRANCH)
            self._git("read-tree", self._old)

    def read_all(self) -> Mapping[str, bytes]:
        """Return the content of each segment's file, by name."""
        if not self._old:
            return {}
        found: dict[str, bytes] = {}
        for row in self._git("ls-tree", "-z", self._old, "--", f"{self._tag}/").split(b"\0"):
            about, _, path = row.decode("utf-8", "surrogateescape").partition("\t")
            name = path.rpartition("/")[2]
            if named(name) is None:
                self.ignored.extend([name] if name else [])
                continue
            mode, kind, blob = about.split()
            if kind == "blob" and mode == "100644":
                found[name] = self._git("cat-file", "blob", blob)
                self._blobs[name] = blob
        return found

    def write(self, name: str, raw: bytes) -> None:
        """Add or replace a segment's file in the next commit."""
        blob = self._git("hash-object", "-w", "--stdin", given=raw).decode().strip()
        self._rewrote |= name in self._blobs
        self._blobs[name] = blob
        self._git("update-index", "--add", "--cacheinfo", f"100644,{blob},{self._tag}/{name}")

    def push(self) -> bool:
        """Commit and push what was written; False if somebody else pushed meanwhile.

        If content was erased, the branch begins anew with this commit, so that no earlier one holds it.
        """
        tree = self._git("write-tree").decode().strip()
        if self._old and tree == self._git("rev-parse", f"{self._old}^{{tree}}").decode().strip():
            return True
        if not self._blobs:
            return True
        parents = ("-p", self._old) if self._old and not self._rewrote else ()
        commit = self._git("commit-tree", tree, *parents, "-m", "sync").decode().strip()
        lease = f"--force-with-lease={BRANCH}:{self._old}"
        what = ("--quiet", "--porcelain", "--no-verify", *self._pack("receive-pack"), lease)
        done = self._run("push", *what, "--", self._address, f"{commit}:{BRANCH}")
        if done.returncode == 0:
            return True
        if b"rejected]" in done.stdout + done.stderr:
            return False
        raise self._failed(done)

    def _pack(self, what: str) -> tuple[str, ...]:
        """Keep a repository on this machine from running hooks of its own."""
        return (f"--{what}=git -c core.hooksPath=/dev/null {what}",) if self._local else ()

    def _git(self, *words: str, given: bytes = b"") -> bytes:
        done = self._run(*words, given=given)
        if done.returncode:
            raise self._failed(done)
        return done.stdout

    def _run(self, *words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        try:
            return subprocess.run(
                ["git", *_SETTINGS, *words],
                cwd=self._folder,
                env=_environment(),
                input=given,
                capture_output=True,
                timeout=GIT_S,
                check=False,
            )
        except FileNotFoundError:
            raise StoreError("git is not installed.", "Install it, or give a folder.") from None
        except subprocess.TimeoutExpired:
            raise StoreError(
                f"git did not end within {GIT_S:.0f} s.", "Check the connection, then run this again."
            ) from None

    def _failed(self, done: subprocess.CompletedProcess[bytes]) -> StoreError:
        told = (done.stderr or done.stdout).decode("utf-8", "replace").replace(self._address, "the repository")
        last = next((row.strip() for row in reversed(told.splitlines()) if row.strip()), "no reason given")
        return StoreError(f"git refused: {last[:300]}", "Check the address and that this user may push there.")


_SETTINGS: Sequence[str] = tuple(
    part
    for setting in (
        "core.hooksPath=/dev/null",
        "core.fsmonitor=false",
        "core.autocrlf=false",
        "protocol.ext.allow=never",
        "gc.auto=0",
        "user.name=reverie",
        "user.email=reverie@localhost",
    )
    for part in ("-c", setting)
)
_KEPT = frozenset({"GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_EXEC_PATH"})


def _environment() -> dict[str, str]:
    """Return the environment of git: nothing that points it to another repository, and no question to the user."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in _KEPT}
    return kept | {"GIT_TERMINAL_PROMPT": "0", "GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh", "LC_ALL": "C"}
