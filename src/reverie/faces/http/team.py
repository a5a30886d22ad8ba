"""What a team's service keeps: tenants, their tokens and quotas, the audit, and the answers of requests with a key.

``Team`` is the port; ``SqliteTeam`` keeps it in one file beside the store, ``<store>.team.db``. It holds no token, only
digests; no text of a memory in the clear; and answers only encrypted by the keys that clients sent.
"""

from __future__ import annotations

import re
import secrets
import sqlite3
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from threading import RLock
from typing import Any, Protocol

from reverie.durable import OWNER_ONLY
from reverie.errors import Conflict, InvalidInput, NotFound, StoreBusy, StoreMissing
from reverie.faces.http.tokens import NAME_MAX, Binding, Principal, Right, digest_of, fresh_token, is_in_tenant
from reverie.locking import locked
from reverie.stores.sqlite.beside import SmallFile

TENANT = re.compile(r"[a-z0-9][a-z0-9-]{0,39}", re.ASCII)
PURGED_EVERY_S = 3600
_SECRET_BYTES = 32
_SCHEMA = """
CREATE TABLE tenant (name TEXT PRIMARY KEY, memories INTEGER, bytes INTEGER, scopes INTEGER, requests INTEGER) STRICT;
CREATE TABLE token (
  tenant TEXT NOT NULL, name TEXT NOT NULL, digest TEXT NOT NULL UNIQUE, right INTEGER NOT NULL, agent TEXT, usr TEXT,
  project TEXT, tool INTEGER NOT NULL, per_minute INTEGER NOT NULL, created_at TEXT NOT NULL, expires_at TEXT,
  used_at TEXT, PRIMARY KEY (tenant, name)
) STRICT;
CREATE TABLE audit (
  id INTEGER PRIMARY KEY, at TEXT NOT NULL, tenant TEXT NOT NULL, who TEXT NOT NULL, action TEXT NOT NULL,
  scope TEXT NOT NULL, request_id TEXT NOT NULL, status INTEGER NOT NULL
) STRICT;
CREATE INDEX audit_at ON audit (at);
CREATE INDEX audit_tenant ON audit (tenant, id);
CREATE TABLE claim (
  key TEXT PRIMARY KEY, body TEXT NOT NULL, scope TEXT NOT NULL, at TEXT NOT NULL, owner TEXT NOT NULL, secret BLOB,
  status INTEGER NOT NULL, answer BLOB
) STRICT;
CREATE INDEX claim_at ON claim (at);
CREATE TABLE spent (tenant TEXT, day TEXT, requests INTEGER NOT NULL, PRIMARY KEY (tenant, day)) STRICT;
"""


@dataclass(frozen=True, slots=True)
class Quota:
    """What a tenant may use; 0 for no limit. ``bytes`` of its memories' texts, ``requests`` a day (UTC)."""

    memories: int = 0
    bytes: int = 0
    scopes: int = 0
    requests: int = 0


@dataclass(frozen=True, slots=True)
class Tenant:
    """A customer of the service: the scopes whose agent is its name, or begins with its name and a dot, are its own."""

    name: str
    quota: Quota = Quota()


@dataclass(frozen=True, slots=True)
class TeamToken:
    """A token in the table. ``name`` is unique within its tenant; times are in UTC."""

    name: str
    principal: Principal
    digest: str
    created_at: datetime
    expires_at: datetime | None = None
    used_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One request in the audit: who asked for what, when, in which scope, and the status of the answer; no texts."""

    at: datetime
    tenant: str
    who: str
    action: str
    scope: str
    request_id: str
    status: int


class State(StrEnum):
    """What is known of a request with a key."""

    MINE = "mine"  # new: whoever claimed it does the work
    RUNNING = "running"  # somebody does it now
    LEFT = "left"  # whoever did it ended before the answer was kept; whoever claimed it finds out what was done
    DONE = "done"
    OTHER = "other"  # the key was used for another request


@dataclass(frozen=True, slots=True)
class Claim:
    """The state of a key; ``secret`` marks the events of the request, ``answer`` is encrypted, None if too long."""

    state: State
    secret: bytes = b""
    status: int = 0
    answer: bytes | None = None


class Team(Protocol):
    """A table of tenants, tokens, audit entries, claimed keys and spent requests, safe for many processes."""

    def tenants(self) -> tuple[Tenant, ...]:
        """Return every tenant, sorted by name."""

    def put_tenant(self, tenant: Tenant) -> None:
        """Add a tenant or set its quota. Raises InvalidInput."""

    def drop_tenant(self, name: str) -> None:
        """Remove a tenant with its tokens; its memories stay. Raises NotFound."""

    def tokens(self) -> tuple[TeamToken, ...]:
        """Return every token, sorted by tenant and name."""

    def token(self, digest: str) -> TeamToken | None:
        """Return the token of a digest."""

    def put_token(self, token: TeamToken) -> None:
        """Add a token. Raises Conflict, NotFound (no such tenant)."""

    def drop_token(self, tenant: str, name: str) -> None:
        """Revoke a token. Raises NotFound."""

    def used(self, digest: str, at: datetime) -> None:
        """Record a token's last use."""

    def spend(self, tenant: str, day: str) -> int:
        """Count one request of a day; return how many there were, this one included."""

    def claim(self, key: str, body: str, scope: str, at: datetime, since: datetime) -> Claim:
        """Claim a key for a request; claims made before ``since`` are forgotten. Survives a power failure."""

    def settle(self, key: str, status: int, answer: bytes | None) -> None:
        """Keep the answer of a claimed key; status 0: it is not known what was done."""

    def forget_answers(self, scope: str) -> None:
        """Drop the kept answers of a scope, because something in it was erased."""

    def log(self, entry: Entry, since: datetime) -> None:
        """Add to the audit; entries from before ``since`` are dropped once an hour."""

    def entries(self, tenant: str | None, since: datetime | None, limit: int) -> tuple[Entry, ...]:
        """Return the newest entries, oldest first; of one tenant, "" for those without, None for all."""

    def check(self) -> None:
        """Return if the table answers and its migrations are done. Raises StoreError."""


def team_path(store: Path) -> Path:
    """Return the file of a store's team: ``reverie.team.db`` beside ``reverie.db``."""
    file = store / "reverie.db" if store.is_dir() else store
    return file.with_suffix(".team.db")


def make_token(team: Team, token: TeamToken) -> str:
    """Make a token like this one, whose digest is set here, keep it, and return the secret, which is shown only now.

    Raises:
        InvalidInput: the name is empty or not printable, or the scope is not the tenant's.
        Conflict: the tenant has a token of this name.
        NotFound: there is no such tenant.
    """
    bound = token.principal.binding
    if not token.name.strip() or len(token.name) > NAME_MAX or not token.name.isprintable():
        raise InvalidInput(f"{token.name!r} is no name.", f"Use 1 to {NAME_MAX} printable characters.")
    if bound.tenant and bound.agent is not None and not is_in_tenant(bound.agent, bound.tenant):
        raise InvalidInput(
            f"The agent {bound.agent!r} is not of the tenant {bound.tenant}.",
            f"A tenant's agents are its name, or begin with it and a dot: {bound.tenant}.{bound.agent}.",
        )
    secret = fresh_token()
    team.put_token(replace(token, digest=digest_of(secret)))
    return secret


class SqliteTeam:
    """The tables in one SQLite file, 0600; ``close`` it. Answers of a process that died are taken over by others.

    Raises:
        StoreMissing, StoreTooNew, StoreError: it cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        if not path.parent.is_dir():
            raise StoreMissing(f"There is no folder {path.parent}.", "Check the path, or make it first.")
        self._path, self._lock, self._held = path, RLock(), ExitStack()
        self._owner, self._purged = "", datetime.min.replace(tzinfo=UTC)
        self._file = SmallFile(path, (_SCHEMA,))

    def close(self) -> None:
        """Close the file and let go of claims."""
        with self._lock:
            self._file.close()
            self._held.close()
            if self._owner:
                self._place(self._owner).unlink(missing_ok=True)

    def check(self) -> None:
        """Return if the table answers and its migrations are done."""
        with self._file.changing():
            self._file.require_known()

    def tenants(self) -> tuple[Tenant, ...]:
        """Return every tenant, sorted by name."""
        rows = self._file.rows("SELECT name, memories, bytes, scopes, requests FROM tenant ORDER BY name")
        return tuple(Tenant(name, Quota(*limits)) for name, *limits in rows)

    def put_tenant(self, tenant: Tenant) -> None:
        """Add a tenant or set its quota."""
        if not TENANT.fullmatch(tenant.name):
            raise InvalidInput(f"{tenant.name!r} is no tenant's name.", "Use 1 to 40 of a to z, 0 to 9 and -.")
        quota = tenant.quota
        with self._file.changing() as base:
            base.execute(
                "INSERT OR REPLACE INTO tenant VALUES (?, ?, ?, ?, ?)",
                (tenant.name, quota.memories, quota.bytes, quota.scopes, quota.requests),
            )

    def drop_tenant(self, name: str) -> None:
        """Remove a tenant with its tokens."""
        with self._file.changing() as base:
            base.execute("DELETE FROM token WHERE tenant = ?", (name,))
            if not base.execute("DELETE FROM tenant WHERE name = ?", (name,)).rowcount:
                raise NotFound(f"There is no tenant {name!r}.", "List them with `reverie serve tenant list`.")

    def tokens(self) -> tuple[TeamToken, ...]:
        """Return every token, sorted by tenant and name."""
        return tuple(_token(row) for row in self._file.rows("SELECT * FROM token ORDER BY tenant, name"))

    def token(self, digest: str) -> TeamToken | None:
        """Return the token of a digest."""
        rows = self._file.rows("SELECT * FROM token WHERE digest = ?", digest)
        return _token(rows[0]) if rows else None

    def put_token(self, token: TeamToken) -> None:
        """Add a token."""
        who, bound = token.principal, token.principal.binding
        with self._file.changing() as base:
            if bound.tenant and not base.execute("SELECT 1 FROM tenant WHERE name = ?", (bound.tenant,)).fetchone():
                raise NotFound(f"There is no tenant {bound.tenant!r}.", "Add it with `reverie serve tenant add`.")
            try:
                base.execute(
                    "INSERT INTO token VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)",
                    (
                        *(bound.tenant, token.name, token.digest, int(who.right), bound.agent, bound.user),
                        *(bound.project, who.tool, who.per_minute, _text(token.created_at)),
                        None if token.expires_at is None else _text(token.expires_at),
                    ),
                )
            except sqlite3.IntegrityError:
                raise Conflict(
                    f"There is a token {token.name!r} already.", "Choose another name, or remove it."
                ) from None

    def drop_token(self, tenant: str, name: str) -> None:
        """Revoke a token."""
        with self._file.changing() as base:
            if not base.execute("DELETE FROM token WHERE tenant = ? AND name = ?", (tenant, name)).rowcount:
                raise NotFound(f"There is no token {name!r}.", "List them with `reverie serve token list`.")

    def used(self, digest: str, at: datetime) -> None:
        """Record a token's last use."""
        with self._file.changing() as base:
            base.execute("UPDATE token SET used_at = ? WHERE digest = ?", (_text(at), digest))

    def spend(self, tenant: str, day: str) -> int:
        """Count one request of a day."""
        with self._file.changing() as base:
            base.execute("DELETE FROM spent WHERE tenant = ? AND day < ?", (tenant, day))
            row = base.execute(
                "INSERT INTO spent VALUES (?, ?, 1)"
                " ON CONFLICT DO UPDATE SET requests = requests + 1 RETURNING requests",
                (tenant, day),
            ).fetchone()
        return int(row[0])

    def claim(self, key: str, body: str, scope: str, at: datetime, since: datetime) -> Claim:
        """Claim a key for a request."""
        with self._lock:
            owner = self._mine()
            with self._file.changing(durable=True) as base:
                base.execute("DELETE FROM claim WHERE at < ?", (_text(since),))
                query = "SELECT body, owner, secret, status, answer FROM claim WHERE key = ?"
                row = base.execute(query, (key,)).fetchone()
                if row is None:
                    secret = secrets.token_bytes(_SECRET_BYTES)
                    values = (key, body, scope, _text(at), owner, secret)
                    base.execute("INSERT INTO claim VALUES (?, ?, ?, ?, ?, ?, 0, NULL)", values)
                    return Claim(State.MINE, secret)
                return self._known(base, row, key, body)

    def _known(self, base: sqlite3.Connection, row: Sequence[Any], key: str, body: str) -> Claim:
        """Return the state of a claimed key; take it over if nobody works on it."""
        of, by, secret, status, answer = row
        owner = self._mine()
        if of != body:
            return Claim(State.OTHER)
        if status:
            return Claim(State.DONE, status=status, answer=answer)
        if by == owner or self._is_alive(by):
            return Claim(State.RUNNING)
        base.execute("UPDATE claim SET owner = ? WHERE key = ?", (owner, key))
        return Claim(State.LEFT, secret)

    def _mine(self) -> str:
        """Return this process's mark, whose file is locked while the process lives."""
        if not self._owner:
            self._owner = secrets.token_hex(8)
            self._held.enter_context(locked(self._place(self._owner), 0.0, OWNER_ONLY))
        return self._owner

    def _place(self, owner: str) -> Path:
        return self._path.with_name(f"{self._path.name}.{owner}.lock")

    def _is_alive(self, owner: str) -> bool:
        place = self._place(owner)
        if not owner or not place.exists():
            return False
        try:
            with locked(place, 0.0, OWNER_ONLY):
                place.unlink(missing_ok=True)
        except StoreBusy:
            return True
        return False

    def settle(self, key: str, status: int, answer: bytes | None) -> None:
        """Keep the answer of a claimed key."""
        secret = "secret" if status == 0 else "NULL"
        with self._file.changing() as base:
            base.execute(
                f"UPDATE claim SET status = ?, answer = ?, owner = '', secret = {secret} WHERE key = ?",
                (status, answer, key),
            )

    def forget_answers(self, scope: str) -> None:
        """Drop the kept answers of a scope."""
        with self._file.changing() as base:
            base.execute("UPDATE claim SET answer = NULL WHERE scope = ?", (scope,))

    def log(self, entry: Entry, since: datetime) -> None:
        """Add to the audit."""
        with self._file.changing() as base:
            if entry.at - self._purged > timedelta(seconds=PURGED_EVERY_S):
                base.execute("DELETE FROM audit WHERE at < ?", (_text(since),))
                self._purged = entry.at
            base.execute(
                "INSERT INTO audit VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *(_text(entry.at), entry.tenant, entry.who, entry.action),
                    *(entry.scope, entry.request_id, entry.status),
                ),
            )

    def entries(self, tenant: str | None, since: datetime | None, limit: int) -> tuple[Entry, ...]:
        """Return the newest entries, oldest first."""
        start = "" if since is None else _text(since)
        query = "SELECT at, tenant, who, action, scope, request_id, status FROM audit WHERE at >= ?"
        rows = (
            self._file.rows(f"{query} ORDER BY id DESC LIMIT ?", start, limit)
            if tenant is None
            else self._file.rows(f"{query} AND tenant = ? ORDER BY id DESC LIMIT ?", start, tenant, limit)
        )
        return tuple(Entry(datetime.fromisoformat(at), *more) for at, *more in reversed(rows))


def _text(at: datetime) -> str:
    """Return a time in UTC in one width, so that texts sort as times do."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def _token(row: Sequence[Any]) -> TeamToken:
    tenant, name, digest, right, agent, user, project, tool, per_minute, created, expires, used = row
    principal = Principal(
        f"{tenant}:{name}" if tenant else name,
        Right(right),
        Binding(agent, user, project, tenant),
        tool=bool(tool),
        per_minute=per_minute,
    )
    return TeamToken(name, principal, digest, datetime.fromisoformat(created), _moment(expires), _moment(used))
