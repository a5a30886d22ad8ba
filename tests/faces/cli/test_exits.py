from collections.abc import Iterator

from reverie.errors import InvalidInput, ReverieError
from reverie.faces.cli import exits


def tree(kind: type[ReverieError]) -> Iterator[type[ReverieError]]:
    """A class and everything below it."""
    yield kind
    for below in kind.__subclasses__():
        yield from tree(below)


def test_every_error_has_an_exit_code() -> None:
    """The table covers the tree, and names no class outside it."""
    assert set(exits.ERRORS) == {kind for kind in tree(ReverieError) if kind.__module__ == "reverie.errors"}


def test_codes_tell_errors_apart() -> None:
    """Only what the caller typed wrong shares a code, the one click uses for it."""
    shared = [code for kind, code in exits.ERRORS.items() if not issubclass(kind, InvalidInput) or code != 2]
    assert len(shared) == len(set(shared))
    assert all(0 < code < 126 for code in exits.ERRORS.values())


def test_outcomes_and_errors_do_not_collide() -> None:
    """But for the unexpected, which is both."""
    assert set(exits.OUTCOMES) & set(exits.ERRORS.values()) == {exits.UNEXPECTED}


def test_the_table_for_readers_has_every_code() -> None:
    """One row a code, in order."""
    rows = [int(line.split("|")[1]) for line in exits.table().splitlines()[2:]]
    assert rows == sorted({*exits.OUTCOMES, *exits.ERRORS.values()})
    assert all(kind.__name__ in exits.table() for kind in exits.ERRORS)


def test_what_ends_a_command_without_an_error_is_told_like_one() -> None:
    """The same four fields."""
    told = exits.failure("Unconfirmed", "what", "mend", 8)
    assert told == {"error": {"kind": "Unconfirmed", "message": "what", "mend": "mend", "exit_code": 8}}
