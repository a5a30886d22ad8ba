"""The store of a team: PostgreSQL. Rankings are computed in the application, from the same columns as elsewhere."""

from reverie.stores.postgres.store import PostgresStore

__all__ = ["PostgresStore"]
