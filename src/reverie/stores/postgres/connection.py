"""The only access to the server: connections of one tenant, statements in few round trips, and Reverie's own errors.

A session names its tenant when it connects, and takes the application's role, whatever user it logged in as.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import local
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from reverie.errors import (
    Conflict,
    InvalidInput,
    ReverieError,
    StoreBusy,
    StoreClosed,
    StoreCorrupt,
    StoreError,
    StoreFull,
    StoreMissing,
    StoreReadOnly,
    StoreUncertain,
)
from reverie.extras import lacking

if TYPE_CHECKING:
    from psycopg import Connection, Cursor

T = TypeVar("T")
_LOGS = logging.getLogger("psycopg")
Row: TypeAlias = tuple[Any, ...]
Statement: TypeAlias = tuple[str, Sequence[object]]
"""SQL with placeholders, and its values."""

Held: TypeAlias = "Callable[[], Connection[Row]]"

WAIT_S = 5.0
"""Seconds that a call waits for a connection."""
LOCK_MS = 5_000
"""Milliseconds that a statement waits for a lock: another writer of the same scope."""
STATEMENT_MS = 600_000
CONNECTIONS_MOST = 16
SCHEMA = "reverie"
APP = "reverie_app"
_TRIES = 3
_MIGRATE = "As the owner of the database, run `reverie store migrate` with its address."

_BY_STATE: dict[str, tuple[type[ReverieError], str, str]] = {
    "55P03": (StoreBusy, "Somebody has been writing in this scope for too long.", "Ask again in a moment."),
    "40P01": (StoreBusy, "Two writers waited for each other.", "Ask again."),
    "40001": (StoreBusy, "Somebody else changed the same rows.", "Ask again."),
    "57014": (StoreBusy, "The server took too long to answer.", "Ask again; look at the server's load."),
    "53100": (StoreFull, "The server's disk is full.", "Make room there; nothing written before is lost."),
    "53200": (StoreBusy, "The server is out of memory.", "Ask again; give the server more."),
    "53300": (StoreBusy, "The server has no connection left.", "Raise its max_connections, or run fewer workers."),
    "25006": (StoreReadOnly, "This server is a replica, which cannot be written.", "Name the primary."),
    "23505": (
        Conflict,
        "The memory, or the message, is there already in this scope.",
        "Use a fresh id, or look it up.",
    ),
    "54000": (InvalidInput, "The text is longer than a store can hold (1 GB).", "Split it."),
    "42P01": (StoreError, "There is no schema of Reverie in this database, or an old one.", _MIGRATE),
    "42703": (StoreError, "The schema of this database is of another version.", _MIGRATE),
    "42883": (StoreError, "There is no schema of Reverie in this database, or an old one.", _MIGRATE),
    "3F000": (StoreError, "There is no schema of Reverie in this database.", _MIGRATE),
    "42501": (StoreError, "The role may not do this.", f"Log in as a member of {APP}."),
    "22023": (StoreError, f"There is no role {APP}, or this user is no member of it.", _MIGRATE),
    "XX001": (StoreCorrupt, "The server reports damaged data.", "Restore its backup."),
}


def driver() -> Any:
    """Import psycopg. Raises StoreError where the extra is not installed."""
    try:
        import psycopg
    except ImportError:
        raise lacking("postgres", "A store in PostgreSQL", StoreError) from None
    if not _LOGS.handlers:
        _LOGS.addHandler(logging.NullHandler())  # what it warns of is raised; without a handler it would be printed
    return psycopg


def translated(error: Exception, *, at_commit: bool = False) -> ReverieError:
    """Make the Reverie error for one of the driver's; ``at_commit``: it came while a commit was under way."""
    state = getattr(error, "sqlstate", None)
    if at_commit and (state is None or state.startswith(("08", "57P"))):
        return StoreUncertain(
            "The connection was lost while the change was being committed: it may be kept or not.",
            "Look whether it is there, or send it again with the same message id, which is harmless.",
        )
    if state is None or (state[:2] in ("08", "57") and state != "57014"):
        first = str(error).strip().partition("\n")[0]
        return StoreMissing(f"The server does not answer: {first}.", "Check its address, and whether it runs.")
    found = _BY_STATE.get(state)
    if found is not None:
        kind, message, mend = found
        return kind(message, mend)
    return StoreError(f"The server refused: {error} ({state}).", "This is a fault in Reverie; please report it.")


class Link:
    """The connections of one store, and the one that a thread's transaction holds."""

    def __init__(self, url: str, tenant: int) -> None:
        driver()
        from psycopg_pool import ConnectionPool

        self._closed = False
        self._own = local()
        self.trips = 0
        """Round trips to the server so far; a test counts them."""
        self._pool: ConnectionPool[Connection[Row]] = ConnectionPool(
            url,
            min_size=0,
            max_size=CONNECTIONS_MOST,
            open=True,
            timeout=WAIT_S,
            reconnect_timeout=WAIT_S,
            max_idle=60.0,
            kwargs={"autocommit": True, "prepare_threshold": 2, "options": options(tenant)},
        )

    @property
    def held(self) -> Held | None:
        """Gives the connection of this thread's transaction or snapshot, ready to read from; None outside of both."""
        return getattr(self._own, "held", None)

    def require_open(self) -> None:
        """Raise StoreClosed after ``close``."""
        if self._closed:
            raise StoreClosed("The store is closed.", "Open it again.")

    def close(self) -> None:
        """Close every connection."""
        if not self._closed:
            self._closed = True
            self._pool.close()

    def take(self) -> Connection[Row]:
        """Take a connection; ``give`` returns it."""
        self.require_open()
        from psycopg_pool import PoolTimeout

        try:
            return self._pool.getconn()
        except PoolTimeout as error:
            raise StoreMissing("The server does not answer.", "Check its address, and whether it runs.") from error

    def give(self, connection: Connection[Row]) -> None:
        """Return a connection."""
        self._pool.putconn(connection)

    def refresh(self) -> None:
        """Replace the connections that are broken."""
        self._pool.check()

    def hold(self, held: Held | None) -> None:
        """Let this thread's reads use a connection from now on; None: any."""
        self._own.held = held

    def reading(self, do: Callable[[Connection[Row]], T]) -> T:
        """Read over this thread's own connection, or any; again over another if that one had been lost."""
        self.require_open()
        held = self.held
        if held is not None:
            return do(held())
        for left in reversed(range(_TRIES)):
            connection = self.take()
            try:
                return do(connection)
            except StoreMissing:
                if not left:
                    raise
            finally:
                self.give(connection)
            self.refresh()
        raise AssertionError("unreachable")

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        """Run one query in one round trip and return its rows."""
        return self.reading(lambda connection: self.trip(connection, [(sql, values)])[0])

    def row(self, sql: str, values: Sequence[object] = ()) -> Row | None:
        """Return the first row of a query."""
        return next(iter(self.rows(sql, values)), None)

    def trip(
        self, connection: Connection[Row], statements: Sequence[Statement], *, commits: bool = False
    ) -> list[list[Row]]:
        """Run statements in one round trip; return the rows of each, [] for one that returns none."""
        psycopg = driver()
        self.trips += 1
        try:
            if len(statements) == 1:
                return [_fetched(_run(connection, statements[0]))]
            with connection.pipeline():
                cursors = [_run(connection, statement) for statement in statements]
            return [_fetched(cursor) for cursor in cursors]
        except psycopg.Error as error:
            raise translated(error, at_commit=commits) from error

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let this thread read one state of the store in a ``with`` block, whatever others commit meanwhile."""
        self.require_open()
        if self.held is not None:
            yield
            return
        connection = self.take()
        try:
            self.trip(connection, [("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", ())])
            self.hold(lambda: connection)
            yield
        finally:
            self.hold(None)
            self.rollback(connection)
            self.give(connection)

    def rollback(self, connection: Connection[Row]) -> None:
        """End a transaction without its changes; a lost connection has done so by itself."""
        psycopg = driver()
        try:
            if not connection.closed and connection.info.transaction_status != 0:
                connection.execute("ROLLBACK")
                self.trips += 1
        except psycopg.Error:
            connection.close()


def _run(connection: Connection[Row], statement: Statement) -> Cursor[Row]:
    return connection.cursor(binary=True).execute(statement[0], statement[1])


def _fetched(cursor: Cursor[Row]) -> list[Row]:
    return cursor.fetchall() if cursor.description is not None else []


def options(tenant: int | None) -> str:
    """Return what a session sets as it connects: role, schema, tenant, how long it waits."""
    wanted = {"role": APP, "search_path": SCHEMA, "lock_timeout": LOCK_MS, "statement_timeout": STATEMENT_MS}
    if tenant is not None:
        wanted["reverie.tenant"] = tenant
    return " ".join(f"-c {name}={value}" for name, value in wanted.items())


def connected(url: str, tenant: int | None = None, *, plain: bool = False) -> Connection[Row]:
    """Open one connection; ``plain``: as the user of the address, for the owner. Raises StoreMissing."""
    psycopg = driver()
    given = {} if plain else {"options": options(tenant)}
    try:
        found: Connection[Row] = psycopg.connect(url, autocommit=True, connect_timeout=10, **given)
    except psycopg.Error as error:
        raise translated(error) from error
    return found
