"""What both sides of a synchronisation last agreed on, row by row, and what receiving a foreign row takes."""

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

# What a store needs to receive rows that it has not written itself: handed in by the engine, which has it anyway.


class Indexing(Protocol):
    """What makes a memory findable."""

    def __call__(self, memory: Memory, vector: FloatArray | None = None, model: ModelInfo | None = None) -> IndexEntry:
        """The entry for one memory."""


def _unheard(_: ModelError) -> None:
    """Nobody listens."""


@dataclass(slots=True)
class Reception:
    """How a foreign row becomes a memory.

    Attributes:
        index: makes a memory findable.
        screened: a text → what may be written down of it, and why it must not be recalled ("": it may).
        clock: when it came in.
        ids: salts for the journal.
        embedder: embeds a few rows as they come; None: they are found by text until somebody catches up.
        unembedded: told why new rows got no vector, where the model is down.
    """

    index: Indexing
    screened: Callable[[str], tuple[str, str]]
    clock: Clock
    ids: Ids
    embedder: Embedder | None = None
    unembedded: Callable[[ModelError], None] = _unheard


# What both sides last agreed on, row by row, and how far each had come: kept in the store's own file.


_COLUMNS = "row, scope, memory, own, words, ours, theirs, waits"


@dataclass(frozen=True, slots=True)
class SyncMark:
    """What stands for one memory.

    Attributes:
        row: its id in the table.
        scope: the number of its scope.
        memory: its id with us.
        own: we wrote the row; else it came from there.
        words: our words as they were told to the table, as a mark.
        ours: all of ours that the table tells, as a mark.
        theirs: what the row said last, as a mark; "": it is not in the table.
        waits: something is still to be written, which needs a vector of the table's model.
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
    """The marks and notes of one store."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def prepare(self) -> None:
        """Make the table of marks if need be; inside a transaction."""
        if not self.ready():
            self._connection.run(BESIDE_LANCE)

    def ready(self) -> bool:
        """Whether there is a table of marks."""
        return self._connection.row("SELECT 1 FROM sqlite_master WHERE name = 'lance_row'") is not None

    def theirs(self) -> dict[str, str]:
        """What every row said last, by its id: a table of many rows is compared by these."""
        return {str(row): str(theirs) for row, theirs in self._connection.rows("SELECT row, theirs FROM lance_row")}

    def at(self, row: str) -> SyncMark | None:
        """The mark of a row."""
        return next(self._found("WHERE row = ?", (row,)), None)

    def waiting(self) -> list[SyncMark]:
        """Those that wait."""
        return list(self._found("WHERE waits ORDER BY row"))

    def of(self, scope: int, memory_id: str) -> SyncMark | None:
        """The mark of a memory."""
        return next(self._found("WHERE scope = ? AND memory = ?", (scope, text(memory_id))), None)

    def orphans(self) -> list[SyncMark]:
        """Marks of memories that are no more: erased, or unmade."""
        gone = "WHERE NOT EXISTS (SELECT 1 FROM memory m WHERE m.scope = lance_row.scope AND m.id = lance_row.memory)"
        return list(self._found(gone))

    def received(self) -> bool:
        """Whether a row that came from there stands in the table."""
        return self._connection.row("SELECT 1 FROM lance_row WHERE NOT own AND theirs <> '' LIMIT 1") is not None

    def put(self, mark: SyncMark) -> None:
        """Note a mark, in the place of what stood for its row and memory."""
        self._connection.run(
            f"INSERT OR REPLACE INTO lance_row ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (mark.row, mark.scope, text(mark.memory), mark.own, mark.words, mark.ours, mark.theirs, mark.waits),
        )

    def drop(self, row: str) -> None:
        """Forget a row."""
        self._connection.run("DELETE FROM lance_row WHERE row = ?", (row,))

    def start_over(self) -> None:
        """Another table stands there now: what it is to hold waits to be written."""
        self._connection.run("UPDATE lance_row SET theirs = '', waits = 1")
        for name in ("models", "wrote", "version", "stamp"):
            self.note(name, "")

    def take_back(self) -> list[str]:
        """The rows that we wrote; they wait again."""
        rows = [str(row) for (row,) in self._connection.rows("SELECT row FROM lance_row WHERE own AND theirs <> ''")]
        self._connection.run("UPDATE lance_row SET theirs = '', waits = 1 WHERE own")
        return rows

    def told(self, name: str) -> str:
        """A note; "" where there is none."""
        row = self._connection.row("SELECT value FROM meta WHERE name = ?", (f"lance.{name}",))
        return "" if row is None else str(row[0])

    def note(self, name: str, value: str) -> None:
        """Write a note."""
        self._connection.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", (f"lance.{name}", value))

    @property
    def seq(self) -> int:
        """The last event that was brought to the table."""
        return int(self.told("seq") or 0)

    @property
    def version(self) -> Version | None:
        """The table's last version that was looked at."""
        told = self.told("version")
        return Version(int(told), self.told("stamp")) if told else None

    @version.setter
    def version(self, version: Version) -> None:
        """Note how far it was looked at."""
        self.note("version", str(version.number))
        self.note("stamp", version.stamp)

    @property
    def home(self) -> Scope | None:
        """Whose the table is: user and project of every row, and the agent of those that name none."""
        told = self.told("home")
        return Scope(*json.loads(told)) if told else None

    def settle(self, home: Scope) -> None:
        """Note whose the table is."""
        self.note("home", json.dumps([home.agent, home.user, home.project]))

    @property
    def models(self) -> Mapping[str, bool]:
        """Model → whether the table's vectors are its."""
        told = self.told("models")
        return json.loads(told) if told else {}

    def judge(self, key: str, *, same: bool) -> None:
        """Note whether the table's vectors are a model's."""
        self.note("models", json.dumps({**self.models, key: same}))

    def _found(self, where: str, values: tuple[object, ...] = ()) -> Iterator[SyncMark]:
        for row, scope, memory, own, words, ours, theirs, waits in self._connection.rows(
            f"SELECT {_COLUMNS} FROM lance_row {where}", values
        ):
            yield SyncMark(row, scope, string(memory), bool(own), words, ours, theirs, bool(waits))


# What both directions of one meeting share: the transaction, the marks, whose the table is, and events of its own.


ACTOR = "openclaw"
"""Who an event of the table's own is by, and the speaker and session of what it brought."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """One coming together of table and store, inside one transaction.

    ``names_agents``: the table says whose a row is. Where it does not, all of it is the home's agent's.
    """

    tx: Transaction
    connection: Connection
    marks: SyncMarks
    reception: Reception
    home: Scope
    names_agents: bool
    now: datetime

    def shows(self, scope: Scope) -> bool:
        """Whether what is formed in a scope stands in the table. It knows agents, and neither users nor projects."""
        home = self.home
        return scope == (replace(home, agent=scope.agent) if self.names_agents else home)

    def scope(self, number: int) -> Scope:
        """The scope of a number."""
        return reads.scopes(self.connection)[number]

    def number(self, scope: Scope) -> int:
        """The number of a scope that was written to."""
        return writes.scope_id(self.connection, scope) or 0

    def memory(self, scope: Scope, memory_id: str) -> Memory | None:
        """A memory as it stands now."""
        number = writes.scope_id(self.connection, scope)
        return None if number is None else reads.by_id(self.connection, scope, number, memory_id)

    def draft(self, scope: Scope, action: Action, why: str, payload: Payload) -> Draft:
        """An event of the table's."""
        return Draft(scope, self.now, ACTOR, action, why, payload, self.reception.ids.salt())
