"""What table and store last agreed on, row by row, and what is needed to turn a row of the table into a memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from reverie.errors import ModelError
from reverie.events import Action, Draft, Payload
from reverie.ports import Clock, Embedder, Ids, Transaction
from reverie.stores.lance.table import Version
from reverie.stores.sqlite import reads, writes
from reverie.stores.sqlite.connection import Connection, string, text
from reverie.stores.sqlite.schema import BESIDE_LANCE
from reverie.types import FloatArray, IndexEntry, Memory, ModelInfo, Scope


class Indexing(Protocol):
    """Makes the index entry of a memory."""

    def __call__(self, memory: Memory, vector: FloatArray | None = None, model: ModelInfo | None = None) -> IndexEntry:
        """Return the index entry of one memory, with its vector if given."""


def _unheard(_: ModelError) -> None:
    """Ignore the error."""


@dataclass(slots=True)
class Reception:
    """What is needed to turn a row that OpenClaw wrote into a memory; the engine supplies it.

    Attributes:
        index: makes a memory's index entry.
        screened: maps a text to its masked form and to the reason for quarantine ("" for none).
        clock: gives the time of writing.
        ids: makes salts for the journal.
        embedder: embeds a few new rows at once; None: they are found by text alone until they are embedded later.
        unembedded: called with the reason if new rows got no vector because the model failed.
    """

    index: Indexing
    screened: Callable[[str], tuple[str, str]]
    clock: Clock
    ids: Ids
    embedder: Embedder | None = None
    unembedded: Callable[[ModelError], None] = _unheard


_COLUMNS = "row, scope, memory, own, words, ours, theirs, waits"


@dataclass(frozen=True, slots=True)
class SyncMark:
    """What table and store last agreed on for one memory.

    Attributes:
        row: its id in the table.
        scope: the number of its scope.
        memory: its id in the store.
        own: Reverie wrote the row; else OpenClaw did.
        words: digest of the memory's text as written to the table.
        ours: digest of all that the table shows of the memory.
        theirs: digest of the row as last seen; "": it is not in the table.
        waits: the row is still to be written, which needs a vector of the table's model.
    """

    row: str
    scope: int
    memory: str
    own: bool
    words: str
    ours: str
    theirs: str
    waits: bool = False


class SyncMarks:
    """The marks and notes of one store, kept in its SQLite file."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def prepare(self) -> None:
        """Create the table of marks if it does not exist; called inside a transaction."""
        if not self.ready():
            self._connection.run(BESIDE_LANCE)

    def ready(self) -> bool:
        """Whether the table of marks exists."""
        return self._connection.row("SELECT 1 FROM sqlite_master WHERE name = 'lance_row'") is not None

    def theirs(self) -> dict[str, str]:
        """Map each row's id to its digest as last seen, to find what changed in the table."""
        return {str(row): str(theirs) for row, theirs in self._connection.rows("SELECT row, theirs FROM lance_row")}

    def at(self, row: str) -> SyncMark | None:
        """Return the mark of a row; None if there is none."""
        return next(self._found("WHERE row = ?", (row,)), None)

    def waiting(self) -> list[SyncMark]:
        """Return the marks of rows that are still to be written."""
        return list(self._found("WHERE waits ORDER BY row"))

    def of(self, scope: int, memory_id: str) -> SyncMark | None:
        """Return the mark of a memory; None if there is none."""
        return next(self._found("WHERE scope = ? AND memory = ?", (scope, text(memory_id))), None)

    def orphans(self) -> list[SyncMark]:
        """Return the marks of memories that no longer exist."""
        gone = "WHERE NOT EXISTS (SELECT 1 FROM memory m WHERE m.scope = lance_row.scope AND m.id = lance_row.memory)"
        return list(self._found(gone))

    def received(self) -> bool:
        """Whether the table contains a row that OpenClaw wrote."""
        return self._connection.row("SELECT 1 FROM lance_row WHERE NOT own AND theirs <> '' LIMIT 1") is not None

    def put(self, mark: SyncMark) -> None:
        """Store a mark; it replaces the earlier marks of its row and its memory."""
        self._connection.run(
            f"INSERT OR REPLACE INTO lance_row ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (mark.row, mark.scope, text(mark.memory), mark.own, mark.words, mark.ours, mark.theirs, mark.waits),
        )

    def drop(self, row: str) -> None:
        """Delete the mark of a row."""
        self._connection.run("DELETE FROM lance_row WHERE row = ?", (row,))

    def start_over(self) -> None:
        """Prepare for another table in place of the one known: all rows are to be written to it."""
        self._connection.run("UPDATE lance_row SET theirs = '', waits = 1")
        for name in ("models", "wrote", "version", "stamp"):
            self.note(name, "")

    def take_back(self) -> list[str]:
        """Mark the rows that Reverie wrote as still to be written; return their ids, to be deleted from the table."""
        rows = [str(row) for (row,) in self._connection.rows("SELECT row FROM lance_row WHERE own AND theirs <> ''")]
        self._connection.run("UPDATE lance_row SET theirs = '', waits = 1 WHERE own")
        return rows

    def told(self, name: str) -> str:
        """Return the value stored under a name; "" if there is none."""
        row = self._connection.row("SELECT value FROM meta WHERE name = ?", (f"lance.{name}",))
        return "" if row is None else str(row[0])

    def note(self, name: str, value: str) -> None:
        """Store a value under a name in the file."""
        self._connection.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", (f"lance.{name}", value))

    @property
    def position(self) -> int:
        """The position in the file of the last event that was written to the table."""
        return int(self.told("seq") or 0)

    @property
    def version(self) -> Version | None:
        """The last version of the table that was read."""
        told = self.told("version")
        return Version(int(told), self.told("stamp")) if told else None

    @version.setter
    def version(self, version: Version) -> None:
        """Record the version of the table that was read."""
        self.note("version", str(version.number))
        self.note("stamp", version.stamp)

    @property
    def home(self) -> Scope | None:
        """The table's owner: user and project of every row, and the agent of rows that name none."""
        told = self.told("home")
        return Scope(*json.loads(told)) if told else None

    def settle(self, home: Scope) -> None:
        """Record the table's owner."""
        self.note("home", json.dumps([home.agent, home.user, home.project]))

    @property
    def models(self) -> Mapping[str, bool]:
        """Map models to whether the table's vectors are of that model."""
        told = self.told("models")
        return json.loads(told) if told else {}

    def judge(self, key: str, *, same: bool) -> None:
        """Record whether the table's vectors are of a model."""
        self.note("models", json.dumps({**self.models, key: same}))

    def _found(self, where: str, values: tuple[object, ...] = ()) -> Iterator[SyncMark]:
        for row, scope, memory, own, words, ours, theirs, waits in self._connection.rows(
            f"SELECT {_COLUMNS} FROM lance_row {where}", values
        ):
            yield SyncMark(row, scope, string(memory), bool(own), words, ours, theirs, bool(waits))


ACTOR = "openclaw"
"""The actor of events that come from the table, and speaker and session of their memories."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """One synchronisation of table and store, inside one transaction; shared by both directions.

    ``names_agents``: rows name their agent. If they do not, all belong to the owner's agent.
    """

    tx: Transaction
    connection: Connection
    marks: SyncMarks
    reception: Reception
    home: Scope
    names_agents: bool
    now: datetime

    def shows(self, scope: Scope) -> bool:
        """Whether formed memories of a scope belong in the table: those of its owner's user and project."""
        home = self.home
        return scope == (replace(home, agent=scope.agent) if self.names_agents else home)

    def scope(self, number: int) -> Scope:
        """Return the scope of a number."""
        return reads.scopes(self.connection)[number]

    def number(self, scope: Scope) -> int:
        """Return the number of a scope; 0 if nothing was written to it."""
        return writes.scope_id(self.connection, scope) or 0

    def memory(self, scope: Scope, memory_id: str) -> Memory | None:
        """Return a memory as it is now; None if there is none."""
        number = writes.scope_id(self.connection, scope)
        return None if number is None else reads.by_id(self.connection, scope, number, memory_id)

    def draft(self, scope: Scope, action: Action, why: str, payload: Payload) -> Draft:
        """Make the draft of an event whose actor is OpenClaw."""
        return Draft(scope, self.now, ACTOR, action, why, payload, self.reception.ids.salt())
