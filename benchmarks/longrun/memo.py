"""Pure functions of the write path, remembered between the arms: every arm hears the same words.

What the screen finds in a text, what the observer makes of it and which words it is indexed by depend on the text
alone. Remembering them changes nothing but the time a run takes; a test holds a run with and without to each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module

import numpy as np

from reverie.ports import Embedder
from reverie.types import FloatArray, ModelInfo

KEPT = 200_000
PURE = (
    ("reverie.encode.pipeline", "observe"),
    ("reverie.encode.pipeline", "screen"),
    ("reverie.encode.form", "entities"),
    ("reverie.encode.form", "keywords"),
    ("reverie.encode.session", "antecedents"),
    ("reverie.encode.session", "speaks_of_somebody"),
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


class KeptVectors:
    """An embedder that keeps every vector it has seen in memory (``ports.Embedder``)."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self._passages: dict[str, FloatArray] = {}
        self._queries: dict[str, FloatArray] = {}

    @property
    def info(self) -> ModelInfo:
        """Identity of the model behind it."""
        return self._inner.info

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """(n, dims), as the model behind it."""
        missing = list(dict.fromkeys(text for text in texts if text not in self._passages))
        if missing:
            self._passages.update(zip(missing, self._inner.embed_passages(missing), strict=True))
        rows = [self._passages[text] for text in texts]
        return np.stack(rows) if rows else np.zeros((0, self.info.dims), np.float32)

    def embed_query(self, text: str) -> FloatArray:
        """(dims,), as the model behind it."""
        if text not in self._queries:
            self._queries[text] = self._inner.embed_query(text)
        return self._queries[text]
