"""Lay out and check the schema: numbered files of SQL, each run once by the owner of the database."""

from __future__ import annotations

from importlib import resources

from reverie.errors import InvalidInput, StoreError, StoreMissing, StoreTooNew
from reverie.stores.postgres.connection import _MIGRATE, APP, SCHEMA, connected, driver, translated
from reverie.stores.postgres.jobs import lay_out

_LOCK = 0x726576657269  # of every migration, in any database
_OLDEST = 140_000


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


def tenant_number(url: str, tenant: str) -> int:
    """Return the number of a tenant, after checking that the schema is the one this version knows.

    Raises:
        StoreMissing: there is no such tenant.
        StoreError, StoreTooNew: the schema is missing, older or newer.
    """
    _require_name(tenant)
    psycopg = driver()
    connection = connected(url)
    try:
        done = {row[0] for row in connection.execute("SELECT version FROM migration").fetchall()}
        known = migrations()
        _require_known(done, known)
        if len(done) < len(known):
            raise StoreError(f"The schema of this database is version {max(done, default=0)}.", _MIGRATE)
        row = connection.execute("SELECT tenant_named(%s)", (tenant.encode(),)).fetchone()
    except psycopg.Error as error:
        raise translated(error) from error
    finally:
        connection.close()
    if row is None or row[0] is None:
        raise StoreMissing(
            f"There is no tenant {tenant!r} in this database.",
            "As the owner of the database, run `reverie store migrate` with --tenant.",
        )
    return int(row[0])


def _require_known(done: set[int], known: list[tuple[int, str]]) -> None:
    if done - {number for number, _ in known}:
        raise StoreTooNew("A newer Reverie made the schema of this database.", "Install that version.")


def _require_name(tenant: str) -> None:
    if not tenant.strip() or len(tenant) > 200 or not tenant.isprintable():
        raise InvalidInput(f"{tenant!r:.60} names no tenant.", "Use at most 200 ordinary characters.")
