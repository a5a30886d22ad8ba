"""Statements over one connection in as few messages as can be: each is prepared once, and all are sent together.

The driver's own cursors send every statement by itself and describe every column of an answer: over a socket that was
most of what a recall cost the client (docs/decisions/0090-postgresql-speed.md). This is the driver's layer below them.
"""

from __future__ import annotations

import select
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import count
from struct import Struct
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from psycopg import Connection
    from psycopg.pq.abc import PGconn, PGresult

Row: TypeAlias = tuple[Any, ...]
Statement: TypeAlias = tuple[str, Sequence[object]]
"""SQL with a ``%s`` for each of its values, and these."""

_INT8, _BYTEA, _TEXT, _FLOAT8, _BOOL = 20, 17, 25, 701, 16
_ARRAYS = {_INT8: 1016, _BYTEA: 1001, _TEXT: 1009, _FLOAT8: 1022, _BOOL: 1000}
_UNSAID = 0
"""The server finds the type; so for NULL, and for a list that says nothing of its own."""
_BINARY, _AS_TEXT = 1, 0
_LONG, _DOUBLE, _LENGTH, _HEAD = Struct("!q"), Struct("!d"), Struct("!i"), Struct("!iiIii")
_WAIT_MS = 1_000

Encoded: TypeAlias = tuple[int, bytes | None, int]
"""A value's type, its bytes (None: NULL) and their format."""


class Refused(Exception):
    """The server refused a statement, or its answer was lost; ``sqlstate`` None: lost."""

    def __init__(self, message: str, sqlstate: str | None) -> None:
        super().__init__(message)
        self.sqlstate = sqlstate


def encoded(value: object) -> Encoded:
    """Return a value as the server reads it in binary; a list as an array of its first element's type."""
    encode = _SCALARS.get(type(value))
    if encode is not None:
        return encode[0], encode[1](value), _BINARY
    if value is None:
        return _UNSAID, None, _BINARY
    if isinstance(value, list | tuple):
        return _array(value)
    for kind, (number, write) in _SCALARS.items():
        if isinstance(value, kind):
            return number, write(value), _BINARY
    raise TypeError(f"{type(value).__name__} has no type in the tables")


_SCALARS: dict[type, tuple[int, Callable[[Any], bytes]]] = {
    bool: (_BOOL, lambda value: b"\x01" if value else b"\x00"),
    int: (_INT8, _LONG.pack),
    bytes: (_BYTEA, bytes),
    str: (_TEXT, str.encode),
    float: (_FLOAT8, _DOUBLE.pack),
}


def _array(values: Sequence[object]) -> Encoded:
    first = next((value for value in values if value is not None), None)
    if first is None:
        return _UNSAID, f"{{{','.join(['NULL'] * len(values))}}}".encode(), _AS_TEXT
    number, write = _SCALARS[type(first)]
    parts = [_HEAD.pack(1, int(None in values), number, len(values), 1)]
    for value in values:
        if value is None:
            parts.append(_LENGTH.pack(-1))
        else:
            data = write(value)
            parts += (_LENGTH.pack(len(data)), data)
    return _ARRAYS[number], b"".join(parts), _BINARY


@lru_cache(maxsize=1024)
def _numbered(sql: str) -> bytes:
    """Write a statement with $1, $2 … in place of its ``%s``."""
    first, *others = sql.split("%s")
    return "".join([first, *(f"${number}{part}" for number, part in enumerate(others, 1))]).encode()


class Wire:
    """What is under way on one connection, and what was prepared there."""

    def __init__(self, connection: Connection[Any]) -> None:
        from psycopg.adapt import Transformer
        from psycopg.pq import ConnStatus, ExecStatus

        self._pg: PGconn = connection.pgconn
        self._load = Transformer()
        self._names = count()
        self.answers = 0
        """Round trips so far."""
        self.keeps_plans = False
        self._prepared: dict[tuple[str, tuple[int, ...]], bytes] = {}
        self._kinds: dict[str, list[tuple[tuple[int, ...], bytes]]] = {}
        self._sent: list[tuple[str, tuple[int, ...], bytes] | None] = []
        self._fresh: dict[tuple[str, tuple[int, ...]], bytes] = {}
        self._status, self._bad = ExecStatus, ConnStatus.BAD

    def send(self, statements: Sequence[Statement]) -> None:
        """Send statements; the server begins with them, and ``receive`` collects what it answers."""
        pg = self._pg
        encoded_ = [(sql, list(map(encoded, values))) for sql, values in statements]  # before anything is sent
        if not self._sent:
            pg.enter_pipeline_mode()
        for sql, given in encoded_:
            name = self._named(sql, tuple([one[0] for one in given]))
            pg.send_query_prepared(name, [one[1] for one in given], [one[2] for one in given], _BINARY)
            self._sent.append(None)
        pg.flush()

    def receive(self) -> list[list[Row]]:
        """Return the rows of every statement sent since the last call, once the server has run them all.

        Raises:
            Refused: for the first that failed, or because the connection is lost; after it the others did not run.
        """
        if not self._sent:
            return []
        pg = self._pg
        sent, self._sent = self._sent, []
        self._fresh = {}
        pg.pipeline_sync()
        self._flushed()
        self.answers += 1
        found, failed = [], None
        for waiting in sent:
            result = self._result()
            if result.status == self._status.TUPLES_OK:
                found.append(self._rows(result))
            elif result.status == self._status.COMMAND_OK:
                if waiting is None:
                    found.append([])
                else:
                    self._keep(*waiting)
            elif failed is None and result.status != self._status.PIPELINE_ABORTED:
                failed = _refused(result)
        self._result()  # the end of the pipeline
        pg.exit_pipeline_mode()
        if failed is not None:
            raise failed
        return found

    def keep_plans(self) -> None:
        """Have the server plan each statement once for all scopes, instead of at each use for the scope at hand."""
        self.keeps_plans = True
        self.send([("SET plan_cache_mode = force_generic_plan", ())])
        self.receive()

    @property
    def is_busy(self) -> bool:
        """Whether something was sent that nobody has received."""
        return bool(self._sent)

    def _named(self, sql: str, types: tuple[int, ...]) -> bytes:
        """Return the name of the prepared statement, sending it first if this connection has none that fits."""
        key = (sql, types)
        name = self._prepared.get(key) or self._fresh.get(key)
        if name is not None:
            return name
        for others, other in self._kinds.get(sql, ()):
            if all(own in (_UNSAID, kind) for own, kind in zip(types, others, strict=True)):
                self._prepared[key] = other
                return other
        name = b"r%d" % next(self._names)
        self._pg.send_prepare(name, _numbered(sql), types)
        self._sent.append((sql, types, name))
        self._fresh[key] = name
        return name

    def _keep(self, sql: str, types: tuple[int, ...], name: bytes) -> None:
        self._prepared[sql, types] = name
        self._kinds.setdefault(sql, []).append((types, name))

    def _rows(self, result: PGresult) -> list[Row]:
        count_ = result.ntuples
        if not count_:
            return []
        self._load.set_pgresult(result, format=_BINARY)
        found: list[Row] = self._load.load_rows(0, count_, tuple)
        return found

    def _flushed(self) -> None:
        while self._pg.flush():
            if _waited(self._pg.socket, writing=True):
                self._pg.consume_input()

    def _result(self) -> PGresult:
        pg = self._pg
        while True:
            while pg.is_busy():
                _waited(pg.socket)
                pg.consume_input()
            result = pg.get_result()
            if result is not None:
                return result
            if pg.status == self._bad:
                raise Refused("the connection was lost", None)


def _refused(result: PGresult) -> Refused:
    from psycopg.pq import DiagnosticField

    state = result.error_field(DiagnosticField.SQLSTATE)
    message = result.error_field(DiagnosticField.MESSAGE_PRIMARY) or result.error_message
    return Refused(message.decode("utf-8", "replace"), None if state is None else state.decode())


def _waited(socket: int, *, writing: bool = False) -> bool:
    """Wait until the socket can be read, or also written; whether it can be read."""
    if hasattr(select, "poll"):
        poll = select.poll()
        poll.register(socket, select.POLLIN | (select.POLLOUT if writing else 0))
        found = poll.poll(_WAIT_MS)
        return any(event & ~select.POLLOUT for _, event in found)
    readable, _, _ = select.select([socket], [socket] if writing else [], [], _WAIT_MS / 1000)
    return bool(readable)
