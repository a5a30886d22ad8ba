"""The only access to the server: connections of one tenant, statements in few round trips, and Reverie's own errors.

A session names its tenant when it connects, and takes the application's role, whatever user it logged in as.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import local
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar
from weakref import WeakKeyDictionary

from reverie.errors import (
    Conflict,
    InvalidInput,
    NotFound,
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
from reverie.stores.postgres.wire import Refused, Row, Statement, Wire

if TYPE_CHECKING:
    from psycopg import Connection

__all__ = ["Row", "Statement"]

T = TypeVar("T")
_LOGS = logging.getLogger("psycopg")
Held: TypeAlias = "Callable[[], Connection[Row]]"

WAIT_S = 5.0
"""Seconds that a call waits for a connection."""
LOCK_MS = 5_000
"""Milliseconds that a statement waits for a lock: another writer of the same scope."""
STATEMENT_MS = 600_000
CONNECTIONS_MOST = 16
SCHEMA = "reverie"
APP = "reverie_app"
_ADMITTED = "SELECT 1 FROM pg_policies WHERE schemaname = current_schema() AND policyname = 'own_' || session_user"
_IDLE_S = 300.0
_TRIES = 3
_POOLED = ("unsupported startup parameter", 'unrecognized configuration parameter "reverie.tenant"')
_SESSION = "SELECT pg_backend_pid(), coalesce(current_setting('reverie.session', true), '')"
_OFTEN = 48
"""Round trips after which a connection keeps its plans. Plans for any scope cost as much as those of about so many
trips for one: a connection that ends earlier never pays for them, one that lives longer pays at most twice."""
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
    "23502": (NotFound, "The key of this scope was destroyed meanwhile.", "Use another scope."),
    "54000": (InvalidInput, "The text is longer than a store can hold (1 GB).", "Split it."),
    "42P01": (StoreError, "There is no schema of Reverie in this database, or an old one.", _MIGRATE),
    "42703": (StoreError, "The schema of this database is of another version.", _MIGRATE),
    "42883": (StoreError, "There is no schema of Reverie in this database, or an old one.", _MIGRATE),
    "3F000": (StoreError, "There is no schema of Reverie in this database.", _MIGRATE),
    "42501": (StoreError, "The role may not do this.", f"Log in as a member of {APP}."),
    "22023": (StoreError, f"There is no role {APP}, or this user is no member of it.", _MIGRATE),
    "XX001": (StoreCorrupt, "The server reports damaged data.", "Restore its backup."),
}


_roles: dict[str, str] = {}
"""By address, the role that its sessions take, where it is not ``APP``."""


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
    if state in ("42P05", "26000") or any(sign in str(error) for sign in _POOLED):  # another's prepared statements
        return pooled()
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


def pooled() -> StoreError:
    """Make the error for a pooler that hands on connections between transactions."""
    return StoreError(
        "Between here and the server is a pooler that hands on connections between transactions, or drops a session's"
        " settings: the tenant and the locks of a dream would be lost.",
        "Give the address of the server itself; Reverie keeps a pool of its own.",
    )


class Link:
    """The connections of one store, and the one that a thread's transaction holds."""

    def __init__(self, url: str, tenant: int) -> None:
        driver()
        from psycopg_pool import ConnectionPool

        self._closed = False
        self._own = local()
        self.trips = 0
        """Round trips to the server so far; a test counts them."""
        self._wires: WeakKeyDictionary[Connection[Row], Wire] = WeakKeyDictionary()
        self._pool: ConnectionPool[Connection[Row]] = ConnectionPool(
            url,
            min_size=0,
            max_size=CONNECTIONS_MOST,
            open=True,
            timeout=WAIT_S,
            reconnect_timeout=WAIT_S,
            max_idle=_IDLE_S,
            kwargs={"autocommit": True, "options": options(tenant, _roles.get(url, APP))},
        )

    @property
    def held(self) -> Held | None:
        """Gives the connection of this thread's transaction or snapshot, ready to read from; None outside of both."""
        return getattr(self._own, "held", None)

    def require_open(self) -> None:
        """Raise StoreClosed after ``close``."""
        if self._closed:
            raise StoreClosed("The store is closed.", "Open it again.")

    def require_sessions(self, other: Connection[Row]) -> None:
        """Raise StoreError unless each connection keeps a server process of its own, whatever the others do.

        A setting of one session must still be there after another's transaction has begun, and after it has ended.
        """
        own = self.take()
        try:
            before = self.trip(other, [(f"{_SESSION}, set_config('reverie.session', 'own', false)", ())])[0][0][0]
            second = self.trip(own, [("BEGIN", ()), (_SESSION, ())])[1][0][0]
            while_it_runs = self.trip(other, [(_SESSION, ())])[0]
            self.rollback(own)
            if second == before or [*while_it_runs, *self.trip(other, [(_SESSION, ())])[0]] != [(before, "own")] * 2:
                raise pooled()
        finally:
            self.rollback(own)
            self.give(own)

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
            connection = self._pool.getconn()
        except PoolTimeout as error:
            raise StoreMissing("The server does not answer.", "Check its address, and whether it runs.") from error
        wire = self._wire(connection)
        if not wire.keeps_plans and wire.answers >= _OFTEN:
            with suppress(ReverieError):  # one that is lost is noticed by whoever took it
                self._over(connection, Wire.keep_plans)
        return connection

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
        self.send(connection, statements)
        self.trips += 1
        return self._over(connection, lambda wire: wire.receive(), commits)

    def send(self, connection: Connection[Row], statements: Sequence[Statement]) -> None:
        """Send statements without waiting; the next ``trip`` over this connection returns their rows before its own."""
        self._over(connection, lambda wire: wire.send(statements))

    def _over(self, connection: Connection[Row], do: Callable[[Wire], T], commits: bool = False) -> T:
        try:
            return do(self._wire(connection))
        except _wrong() as error:
            raise translated(error, at_commit=commits) from error
        except BaseException:
            connection.close()  # what it still answers would be taken for the answer to something else
            raise

    def _wire(self, connection: Connection[Row]) -> Wire:
        found = self._wires.get(connection)
        if found is None:
            found = self._wires[connection] = Wire(connection)
        return found

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
        try:
            if not connection.closed and (self._wire(connection).is_busy or connection.info.transaction_status != 0):
                self.trip(connection, [("ROLLBACK", ())])
        except ReverieError:
            connection.close()


def _wrong() -> tuple[type[Exception], ...]:
    return Refused, driver().Error


def role_of(url: str) -> str:
    """Return the role of sessions at an address: the application's, or "none" where the login has the rights."""
    return _roles.get(url, APP) or "none"


def options(tenant: int | None, role: str = APP) -> str:
    """Return what a session sets as it connects: role ("": the login's own), schema, tenant, how long it waits."""
    wanted: dict[str, object] = {
        "search_path": SCHEMA,
        "lock_timeout": LOCK_MS,
        "statement_timeout": STATEMENT_MS,
        "client_encoding": "UTF8",
    }
    if role:
        wanted["role"] = role
    if tenant is not None:
        wanted["reverie.tenant"] = tenant
    return " ".join(f"-c {name}={value}" for name, value in wanted.items())


def connected(url: str, tenant: int | None = None, *, plain: bool = False) -> Connection[Row]:
    """Open one connection; ``plain``: as the user of the address, for the owner. Raises StoreMissing."""
    psycopg = driver()

    def opened(**given: str) -> Connection[Row]:
        found: Connection[Row] = psycopg.connect(url, autocommit=True, connect_timeout=10, **given)
        return found

    try:
        return opened() if plain else opened(options=options(tenant, _roles.get(url, APP)))
    except psycopg.Error as error:
        refused = translated(error)
        if plain or f'"{APP}"' not in str(error):  # else the user may not take that role
            raise refused from error
    own = _own(lambda: opened(options=options(tenant, "")))
    if own is None:
        raise refused
    _roles[url] = ""
    return own


def _own(opened: Callable[[], Connection[Row]]) -> Connection[Row] | None:
    """Connect without the application's role; None unless the user is a tenant's own login."""
    psycopg = driver()
    try:
        found = opened()
        if found.execute(_ADMITTED).fetchone() is not None:
            return found
        found.close()
    except psycopg.Error:
        pass
    return None
