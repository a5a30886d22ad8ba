"""How rows are numbered: scope and place in it make a memory's key, model and memory a vector's. Pure arithmetic."""

from __future__ import annotations

from reverie.errors import StoreFull

_PLACE_BITS = 32
VECTOR_BITS = 56
SCOPES_MAX = 2 ** (VECTOR_BITS - _PLACE_BITS) - 1
MODELS_MAX = 2 ** (63 - VECTOR_BITS) - 1
MEMORY_MASK = 2**VECTOR_BITS - 1


def base(scope: int) -> int:
    """What the keys of a scope's memories begin after."""
    return scope << _PLACE_BITS


def scope_of(key: int) -> int:
    """The scope's number in a memory's key."""
    return key >> _PLACE_BITS


def vector_base(model: int) -> int:
    """Added to a memory's key it gives the key of its vector."""
    return model << VECTOR_BITS


def require_room(what: str, number: int, most: int) -> None:
    """Raise StoreFull when no further number is to be had."""
    if number > most:
        raise StoreFull(f"A store holds at most {most} {what}.", "Begin a second store.")
