from collections.abc import Iterator

import pytest

from reverie import errors
from reverie.errors import ReverieError, StoreBusy
from reverie.wire.errors import CODES, code, name, told


def tree(kind: type[ReverieError]) -> Iterator[type[ReverieError]]:
    """A class and everything below it."""
    yield kind
    for below in kind.__subclasses__():
        yield from tree(below)


def test_every_error_has_its_codes() -> None:
    """The table covers the tree, and names no class outside it."""
    assert set(CODES) == {kind for kind in tree(ReverieError) if kind.__module__ == "reverie.errors"}


def test_a_callers_mistake_is_told_from_the_stores() -> None:
    """What the caller can mend is in the four hundreds, the rest in the five hundreds; 2xx and 3xx are no errors."""
    for kind, codes in CODES.items():
        callers = issubclass(
            kind, errors.InvalidInput | errors.NotFound | errors.Conflict | errors.Denied | errors.AccessRefused
        )
        assert (400 if callers else 500) <= codes.status < (500 if callers else 600), kind


def test_a_class_of_ones_own_is_told_as_its_nearest_ancestor() -> None:
    """An adapter's own error below the tree is not a fault of the face."""

    class Locked(StoreBusy):
        pass

    assert code(Locked("held")) == CODES[StoreBusy]


@pytest.mark.parametrize(("kind", "written"), [(StoreBusy, "store-busy"), (errors.NotFound, "not-found")])
def test_names_on_the_wire_are_words_with_dashes(kind: type[ReverieError], written: str) -> None:
    """As problem types are written."""
    assert name(kind) == written


def test_what_is_told_holds_what_to_do() -> None:
    """A program can show it to whoever can mend it."""
    assert told(StoreBusy("Held.", "Wait.")) == {"kind": "StoreBusy", "message": "Held.", "mend": "Wait."}
