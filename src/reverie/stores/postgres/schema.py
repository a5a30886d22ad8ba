"""Lay out and check the schema: numbered files of SQL, each run once by the owner of the database."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

from reverie.errors import InvalidInput, StoreError, StoreMissing, StoreTooNew
from reverie.stores.postgres.connection import (
    _MIGRATE,
    APP,
    SCHEMA,
    Link,
    Row,
    connected,
    driver,
    pooled,
    role_of,
    translated,
)
from reverie.stores.postgres.jobs import lay_out

if TYPE_CHECKING:
    from psycopg import Connection

_LOCK = 0x726576657269  # of every migration, in any database
_OLDEST = 140_000
_LOGIN_MOST = 59
"""Bytes of a login's name, which PostgreSQL cuts at 63; its policies are called "own_" and the name."""


def migrations() -> list[tuple[int, str]]:
    """Return number and SQL of each migration, in order."""
    folder = resources.files("reverie.stores.postgres") / "migrations"
    found = [file for file in folder.iterdir() if file.name.endswith(".sql")]
    return sorted((int(file.name[:4]), file.read_text("utf-8")) for file in found)


def migrate(url: str, tenants: tuple[str, ...] = ()) -> int:
    """Bring a database's schema up to date, as its owner, and add tenants; return its version.

    Raises:
        StoreTooNew: a newer Reverie made it.
        StoreError: the server is too old, or the user may not do this.
    """
    for tenant in tenants:
        _require_name(tenant)
    psycopg = driver()
    connection = connected(url, plain=True)
    try:
        if connection.info.server_version < _OLDEST:
            raise StoreError("This PostgreSQL is older than 14.", "Use PostgreSQL 14 or newer.")
        with connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            if connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (APP,)).fetchone() is None:
                connection.execute(f"CREATE ROLE {APP} NOLOGIN NOBYPASSRLS")
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
            connection.execute(f"SET LOCAL search_path = {SCHEMA}")
            connection.execute(f"GRANT USAGE ON SCHEMA {SCHEMA} TO {APP}")
            connection.execute("CREATE TABLE IF NOT EXISTS migration (version integer PRIMARY KEY)")
            connection.execute(f"GRANT SELECT ON migration TO {APP}")
            done = {row[0] for row in connection.execute("SELECT version FROM migration").fetchall()}
            known = migrations()
            _require_known(done, known)
            lay_out(connection)
            for number, sql in known:
                if number not in done:
                    connection.execute(sql)
                    connection.execute("INSERT INTO migration VALUES (%s)", (number,))
            for tenant in tenants:
                name = tenant.encode()
                connection.execute("INSERT INTO tenant (name) VALUES (%s) ON CONFLICT DO NOTHING", (name,))
            return known[-1][0]
    except psycopg.Error as error:
        raise translated(error) from error
    finally:
        connection.close()


def admit(url: str, tenant: str, login: str) -> None:
    """Give a login to one tenant alone, as the database's owner; made if need be, without a password. Repeatable.

    Whatever SQL is run in a session of it, it reaches no other tenant. Run it again after each migration.

    Raises:
        InvalidInput: the login is the application's role, or a member of it.
        StoreMissing: there is no such tenant.
        StoreError: the user may not do this.
    """
    _require_name(tenant)
    if not login.strip() or len(login.encode()) > _LOGIN_MOST or not login.isprintable():
        raise InvalidInput(f"{login!r:.60} names no login.", f"Use at most {_LOGIN_MOST} ordinary characters.")
    psycopg = driver()
    from psycopg import sql

    connection = connected(url, plain=True)
    try:
        with connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))  # rights cannot be granted by two at once
            connection.execute(f"SET LOCAL search_path = {SCHEMA}")
            row = connection.execute("SELECT id FROM tenant WHERE name = %s", (tenant.encode(),)).fetchone()
            if row is None:
                raise _no_tenant(tenant)
            if connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (login,)).fetchone() is None:
                connection.execute(sql.SQL("CREATE ROLE {} LOGIN NOBYPASSRLS").format(sql.Identifier(login)))
            member = connection.execute("SELECT pg_has_role(%s, %s, 'MEMBER')", (login, APP)).fetchone()
            if member is None or member[0]:
                raise InvalidInput(
                    f"{login} is a member of {APP}, which may name any tenant.", "Name another, or a new one."
                )
            connection.execute("SELECT admit(%s, %s)", (login, row[0]))
    except psycopg.Error as error:
        raise translated(error) from error
    finally:
        connection.close()


def opened(url: str, tenant: str) -> tuple[int, Link]:
    """Return the number of a tenant and connections to its database, after checking both.

    Raises:
        StoreMissing: there is no such tenant.
        StoreError, StoreTooNew: the schema is missing, older or newer; or a pooler hands on connections.
    """
    _require_name(tenant)
    psycopg = driver()
    connection = connected(url)
    try:
        ((role,),) = connection.execute("SELECT current_setting('role')").fetchall()
        if role != role_of(url):
            raise pooled()
        number = _number_of(connection, tenant)
        link = Link(url, number)
        try:
            link.require_sessions(connection)
        except BaseException:
            link.close()
            raise
    except psycopg.Error as error:
        raise translated(error) from error
    finally:
        connection.close()
    return number, link


def _number_of(connection: Connection[Row], tenant: str) -> int:
    """Return the number of a tenant, after checking that the schema is the one this version knows."""
    done = {row[0] for row in connection.execute("SELECT version FROM migration").fetchall()}
    known = migrations()
    _require_known(done, known)
    if len(done) < len(known):
        raise StoreError(f"The schema of this database is version {max(done, default=0)}.", _MIGRATE)
    row = connection.execute("SELECT tenant_named(%s)", (tenant.encode(),)).fetchone()
    if row is None or row[0] is None:
        raise _no_tenant(tenant)
    return int(row[0])


def _no_tenant(tenant: str) -> StoreMissing:
    return StoreMissing(
        f"There is no tenant {tenant!r} in this database.",
        "As the owner of the database, run `reverie store migrate` with --tenant.",
    )


def _require_known(done: set[int], known: list[tuple[int, str]]) -> None:
    if done - {number for number, _ in known}:
        raise StoreTooNew("A newer Reverie made the schema of this database.", "Install that version.")


def _require_name(tenant: str) -> None:
    if not tenant.strip() or len(tenant) > 200 or not tenant.isprintable():
        raise InvalidInput(f"{tenant!r:.60} names no tenant.", "Use at most 200 ordinary characters.")
