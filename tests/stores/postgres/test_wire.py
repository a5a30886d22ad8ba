"""Statements of one connection: what goes in comes out, and what fails leaves the connection as it was."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.postgres_server import WHY_NOT, addresses

pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)


@pytest.fixture
def wire() -> Iterator[Any]:
    """A connection with a table of its own."""
    from reverie.stores.postgres.connection import connected
    from reverie.stores.postgres.wire import Wire

    connection = connected(addresses()[0].replace("reverie_owner@", "postgres@"), plain=True)
    connection.execute("CREATE TEMPORARY TABLE kept (n integer PRIMARY KEY, data bytea, words text, share float8)")
    yield Wire(connection)
    connection.close()


def ask(wire: Any, *statements: tuple[str, tuple[object, ...]]) -> list[list[tuple[object, ...]]]:
    wire.send(statements)
    found: list[list[tuple[object, ...]]] = wire.receive()
    return found


def test_values_come_back(wire: Any) -> None:
    """Whole numbers, bytes, texts, fractions, truth, nothing; the same statement with a value where NULL was before."""
    put = "INSERT INTO kept VALUES (%s, %s, %s, %s)"
    ask(wire, (put, (1, None, None, None)), (put, (2, b"\x00\xff", "ğ %s", 0.25)))
    assert ask(wire, ("SELECT * FROM kept ORDER BY n", ()))[0] == [
        (1, None, None, None),
        (2, b"\x00\xff", "ğ %s", 0.25),
    ]
    assert ask(wire, ("SELECT %s::boolean, %s::bigint", (True, -(2**63)))) == [[(True, -(2**63))]]
    with pytest.raises(TypeError):
        ask(wire, ("SELECT %s", ({},)))


def test_lists_are_arrays(wire: Any) -> None:
    """Also empty ones, ones of nothing, and ones with gaps."""
    for kind, values in (("bytea", [b"a", None, b""]), ("bigint", [3, 1]), ("text", []), ("float8", [None, None])):
        sql = f"SELECT item FROM unnest(%s::{kind}[]) WITH ORDINALITY found (item, place) ORDER BY place"
        assert ask(wire, (sql, (values,)))[0] == [(value,) for value in values]


def test_after_an_error_the_connection_works(wire: Any) -> None:
    """What was sent after the failing statement did not run; what was prepared before it still is."""
    from reverie.stores.postgres.wire import Refused

    put, count = "INSERT INTO kept (n) VALUES (%s)", ("SELECT count(*) FROM kept", ())
    ask(wire, (put, (1,)))
    with pytest.raises(Refused) as failed:
        ask(wire, ("BEGIN", ()), (put, (2,)), (put, (1,)), ("SELECT 1 AS late", ()), ("COMMIT", ()))
    assert failed.value.sqlstate == "23505"
    assert ask(wire, ("ROLLBACK", ()), ("SELECT 1 AS late", ()), ("SELECT count(*) FROM kept", ())) == [
        [],
        [(1,)],
        [(1,)],
    ]
    with pytest.raises(Refused):
        ask(wire, ("SELECT nothing FROM nowhere", ()))
    assert ask(wire, count) == [[(1,)]]


def test_what_was_sent_before_comes_first(wire: Any) -> None:
    """Sent without waiting, more than a socket holds at once: the answers come in order."""
    wire.send([("SELECT %s::bytea", (bytes(1_000_000),))])
    wire.send([("SELECT %s::bigint", (number,)) for number in range(500)])
    assert wire.is_busy
    first, *others = wire.receive()
    assert (len(first[0][0]), [row for [row] in others]) == (1_000_000, [(number,) for number in range(500)])
    assert (wire.is_busy, wire.receive()) == (False, [])


def test_a_lost_connection_is_told(wire: Any) -> None:
    """An error of the connection, never an answer of before."""
    import psycopg

    from reverie.stores.postgres.wire import Refused

    with pytest.raises((Refused, psycopg.OperationalError)):
        ask(wire, ("SELECT pg_terminate_backend(pg_backend_pid())", ()), ("SELECT 1", ()))
    with pytest.raises((Refused, psycopg.OperationalError)):
        ask(wire, ("SELECT 1", ()))
