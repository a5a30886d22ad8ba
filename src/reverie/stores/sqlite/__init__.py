"""The SQLite store, cut by idea: connection, schema, journal, writing, reading, loading, care."""

from reverie.stores.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
