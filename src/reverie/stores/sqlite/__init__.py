"""The SQLite store, one module per concern: connection, schema, journal, writes, reads, search, maintenance."""

from reverie.stores.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
