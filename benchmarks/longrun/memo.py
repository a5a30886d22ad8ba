"""Pure functions of the write path, remembered between the arms: every arm hears the same words.

What the screen finds in a text, what the observer makes of it and which words it is indexed by depend on the text
alone. Remembering them changes nothing but the time a run takes; a test holds a run with and without to each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module

KEPT = 200_000
PURE = (
    ("reverie.encode.pipeline", "observe"),
    ("reverie.encode.pipeline", "screen"),
    ("reverie.encode.memory_factory", "entities"),
    ("reverie.encode.memory_factory", "keywords"),
)
"""Module and the name under which it calls a function whose arguments can be hashed and whose result is frozen."""


@contextmanager
def remembering() -> Iterator[None]:
    """Within, each pure function is worked out once for the same arguments."""
    modules = [(import_module(module), name) for module, name in PURE]
    usual = [getattr(module, name) for module, name in modules]
    for (module, name), function in zip(modules, usual, strict=True):
        setattr(module, name, lru_cache(KEPT)(function))
    try:
        yield
    finally:
        for (module, name), function in zip(modules, usual, strict=True):
            setattr(module, name, function)
