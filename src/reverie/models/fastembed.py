"""Embed and rerank with any model of the fastembed library, an optional dependency.

The library is imported, and the model downloaded if need be, when the adapter is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any

from reverie.errors import ModelMissing
from reverie.extras import lacking
from reverie.models.port_values import clean, filled_rows, filled_scores, unit_rows
from reverie.types import FloatArray, ModelInfo

_MAX_CHARS = 16_000  # the model cuts at its own number of tokens


class FastEmbedEmbedder:
    """Embeds texts with a fastembed model on one thread, with its own prompts for queries and passages.

    Raises:
        ModelMissing: the library is not installed, or cannot load the model.
    """

    def __init__(self, name: str) -> None:
        try:
            from fastembed import TextEmbedding
        except ImportError as error:
            raise _not_installed() from error
        try:
            self._model: Any = TextEmbedding(model_name=name, threads=1)
        except (OSError, ValueError) as error:
            raise _not_loaded(name) from error
        dims = unit_rows(list(self._model.passage_embed(["dimensions"]))).shape[1]
        self._info = ModelInfo(name=name, revision="fastembed", dims=dims)

    @property
    def info(self) -> ModelInfo:
        """The model's name, revision and dimensions."""
        return self._info

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """Embed messages, (n, dims) unit rows; a blank text gives a zero row."""
        return filled_rows([clean(text, _MAX_CHARS) for text in texts], self._info.dims, self._model.passage_embed)

    def embed_query(self, text: str) -> FloatArray:
        """Embed a cue, (dims,) of length 1, or zero for a blank text."""
        ask = self._model.query_embed
        row: FloatArray = filled_rows([clean(text, _MAX_CHARS)], self._info.dims, lambda one: ask(*one))[0]
        return row


class FastEmbedReranker:
    """Reranks texts with a fastembed cross-encoder on one thread, one call at a time.

    Raises:
        ModelMissing: the library is not installed, is too old, or cannot load the model.
    """

    def __init__(self, name: str) -> None:
        try:
            from fastembed.rerank.cross_encoder import TextCrossEncoder
        except ImportError as error:
            raise _not_installed() from error
        try:
            self._model: Any = TextCrossEncoder(model_name=name, threads=1)
        except (OSError, ValueError) as error:
            raise _not_loaded(name) from error
        self._name = name
        self._turn = Lock()

    @property
    def name(self) -> str:
        """The model's published name."""
        return self._name

    def score(self, cue: str, texts: Sequence[str]) -> FloatArray:
        """Score each text for a cue, (n,) in the model's own scale; a blank text gets the lowest score."""
        with self._turn:
            return filled_scores(self._name, cue, texts, self._model.rerank)


def _not_installed() -> ModelMissing:
    return lacking("fastembed", "A model of fastembed", ModelMissing)


def _not_loaded(name: str) -> ModelMissing:
    mend = "Check the name, and that the model is on disk or can be fetched."
    return ModelMissing(f"fastembed cannot load {name!r}.", mend)
