"""The store over OpenClaw's table: formed memories are kept in the table, journal and all else in a file beside it.

OpenClaw's own plugin and Reverie use the same table at once: each sees at its next access what the other wrote, changed
or deleted. A crash in between loses nothing, because the next synchronisation compares again (decision 0031).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from reverie.answers import Fault
from reverie.errors import InvalidInput, StoreError, StoreMissing, StoreReadOnly
from reverie.events import Action
from reverie.ports import Embedder
from reverie.stores.corpus import CorpusView
from reverie.stores.lance import table as versions
from reverie.stores.lance.sync import FILE, NEWS, MeetingStore
from reverie.stores.lance.sync_state import Reception
from reverie.stores.lance.table import require_package
from reverie.stores.sqlite.store import SqliteTransaction
from reverie.types import FloatArray, Memory, ModelInfo, Scope


class LanceStore(MeetingStore):
    """A store whose formed memories are in the table ``memories`` of a LanceDB folder (``ports.Store``).

    Raises:
        StoreMissing: the folder is missing, or no store was initialised in it, and ``create`` is False.
        InvalidInput: it is opened for the first time without ``home``, the table's owner.
        StoreError: LanceDB is not installed, or the table is not OpenClaw's or cannot be read.
    """

    def __init__(
        self,
        folder: Path,
        reception: Reception,
        *,
        create: bool = True,
        home: Scope | None = None,
        busy_timeout_s: float = 30.0,
        state: Path | None = None,
    ) -> None:
        require_package()
        _prepare(folder, create, home)
        super().__init__(folder, reception, create=create, busy_timeout_s=busy_timeout_s, state=state)
        self._fault: StoreError | None = None
        self._busy = True
        self._put_off = 0
        try:
            self._settle(home)
            self._meet()
        except StoreReadOnly as error:  # reading is still possible
            self._fault = error
        except BaseException:
            super().close()
            raise
        self._busy = False

    def begin(self, scope: Scope, *, durable: bool) -> SqliteTransaction:
        """Open a write transaction in a scope, after synchronising with the table."""
        self._follow()
        return super().begin(scope, durable=durable)

    def corpus(self, scope: Scope, model: ModelInfo | None) -> CorpusView:
        """Return the scope's searchable columns, with what OpenClaw's plugin has stored meanwhile."""
        self._follow()
        return super().corpus(scope, model)

    def memory(self, scope: Scope, memory_id: str) -> Memory | None:
        """Return a memory by id; None if there is none."""
        self._follow()
        return super().memory(scope, memory_id)

    def formed(self, scope: Scope) -> list[Memory]:
        """Return every memory of the scope that is not an episode, in order of writing."""
        self._follow()
        return super().formed(scope)

    def scopes(self) -> list[Scope]:
        """Return every scope that was ever written to, by Reverie or into the table."""
        self._follow()
        return super().scopes()

    def memories(
        self,
        scope: Scope,
        *,
        session: str | None = None,
        start: datetime | None = None,
        end: datetime | None = None,
        limit: int | None = None,
    ) -> Iterator[Memory]:
        """Yield memories by time said, then sequence number, then order of writing; ``end`` is exclusive."""
        self._follow()
        return super().memories(scope, session=session, start=start, end=end, limit=limit)

    def missing(self, model: ModelInfo, scope: Scope | None = None) -> int:
        """Count the memories without a vector of this model, of a scope or of all."""
        self._follow()
        return super().missing(model, scope)

    def put_vectors(self, model: ModelInfo, rows: Sequence[tuple[Scope, str, FloatArray]]) -> None:
        """Store vectors of memories already written; the first show whether the table's vectors are of this model."""
        super().put_vectors(model, rows)
        with self._connection.lock:
            if self._marks.ready() and (model.key not in self._marks.models or self._marks.waiting()):
                self._try(lambda: self._compare(model, rows))

    @contextmanager
    def alone(self, scope: Scope) -> Iterator[None]:
        """Lock the store for one process in a ``with`` block; the table is synchronised once, at its end."""
        with super().alone(scope):
            self._put_off += 1
            try:
                yield
            finally:
                self._put_off -= 1
                with self._connection.lock:
                    self._try(self._meet)

    def compact(self) -> int:
        """Compact the file, merge the table's small fragments, and delete its versions older than a week."""
        with self._connection.lock:
            table = self._open_table()
            if table is not None:
                table.compact()
            return super().compact()

    def check(self, *, replay: bool = True) -> list[Fault]:
        """Look for damage, and report the failure of the last synchronisation."""
        faults, fault = super().check(replay=replay), self._fault
        return faults if fault is None else [*faults, Fault("openclaw-table", fault.message, fault.mend)]

    def advice(self) -> list[Fault]:
        """Report what is no damage but worth knowing: memories not in the table yet, a missing table, foreign rows."""
        with self._connection.lock:
            self._connection.require_open()
            if not self._marks.ready():
                return []
            waits, table = len(self._marks.waiting()), self._open_table()
            found = [_waits(waits, self._folder)] if waits else []
            if table is None and self._marks.version is not None:
                found.append(Fault("table-gone", f"There is no table in {self._folder} any more.", _GONE))
            if table is not None and (strangers := table.strangers()):
                what = f"{strangers} rows of the table have no UUID as their id and are left alone."
                found.append(Fault("strange-rows", what, "OpenClaw writes none such; look what else does."))
            return found

    def embed_with(self, embedder: Embedder) -> None:
        """Set the embedder for new rows of the table."""
        self._reception.embedder = embedder

    def close(self) -> None:
        """Close file and table."""
        super().close()
        self._table = None

    def _settle(self, home: Scope | None) -> None:
        """Create the marks' table and record whose OpenClaw's table is, at the first opening."""
        if self._marks.ready() and self._marks.home is not None:
            return
        if home is None:
            raise _nobodys(self._folder)
        with self._changing():
            self._marks.prepare()
            self._marks.settle(home)

    def _ended(self, did: frozenset[Action], done: bool) -> None:
        super()._ended(did, done)
        if done and did & NEWS:
            self._try(self._meet)

    def _follow(self) -> None:
        """Synchronise if the table has changed; takes some microseconds if it has not."""
        if self._busy or self._put_off:
            return
        with self._connection.lock:
            self._connection.require_open()
            if not self._connection.writing and versions.latest(self._folder) != self._seen:
                self._try(self._meet)

    def _try(self, do: Callable[[], None]) -> None:
        """Run a synchronisation; a failure is not raised but kept for ``check``, and the next one makes up for it."""
        if self._busy or self._put_off or self._connection.writing:
            return
        self._busy = True
        try:
            do()
            self._fault = None
        except StoreError as fault:
            self._fault = fault
        finally:
            self._busy = False


_GONE = "Start OpenClaw, which makes it, or put it back; what is remembered is kept here and written to it then."


def _prepare(folder: Path, create: bool, home: Scope | None) -> None:
    """Check, before anything is made, that there is a folder to open and that the table's owner is known."""
    if not folder.is_dir():
        if not create or not folder.parent.is_dir():
            raise StoreMissing(f"There is no folder {folder}.", "Check the path, or make it with `reverie init`.")
        if home is None:
            raise _nobodys(folder)
        folder.mkdir(mode=0o700)
    elif not (folder / FILE).exists():
        if not create:
            raise StoreMissing(f"There is no store in {folder} yet.", f"Run `reverie init --store lance:{folder}`.")
        if home is None:
            raise _nobodys(folder)


def _nobodys(folder: Path) -> InvalidInput:
    return InvalidInput(
        f"Nobody said whose the table in {folder} is: it names agents, and neither users nor projects.",
        "Run `reverie init` with --agent, --user and --project; in Python, Reverie.open(…, home=Scope(…)).",
    )


def _waits(count: int, folder: Path) -> Fault:
    return Fault(
        "not-in-table",
        f"{count} memories are not in OpenClaw's table in {folder} yet: they have no vector of its model.",
        "Set `embedder` to the model OpenClaw's plugin uses (as in openai:text-embedding-3-small), then run "
        "`reverie store embed`. Until then Reverie alone recalls them.",
    )
