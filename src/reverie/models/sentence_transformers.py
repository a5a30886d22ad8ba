"""Any model that the sentence-transformers library can load, for those who have it.

In: a model's name or folder, then texts. Out: unit vectors. The library and torch are imported when the adapter is
made.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from reverie.errors import ModelMissing
from reverie.models.texts import clean
from reverie.models.vectors import filled_rows, unit_rows
from reverie.types import FloatArray, ModelInfo

_MAX_CHARS = 16_000  # the model cuts at its own number of tokens
_QUIETLY = {"convert_to_numpy": True, "show_progress_bar": False}


class SentenceTransformersEmbedder:
    """A sentence-transformers model on the CPU. Its own prompts for queries and passages are used where it has them.

    Raises:
        ModelMissing: the library is not installed, or cannot load the model.
    """

    def __init__(self, name: str, revision: str | None = None) -> None:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise ModelMissing(
                "The library sentence-transformers is not installed.",
                "Install it: pip install 'reverie[sentence-transformers]'",
            ) from error
        try:
            self._model: Any = SentenceTransformer(name, revision=revision, device="cpu")
        except (OSError, ValueError) as error:
            raise ModelMissing(
                f"sentence-transformers cannot load {name!r}.", "Check the name, or give a folder that holds the model."
            ) from error
        self._passage = getattr(self._model, "encode_document", self._model.encode)
        self._query = getattr(self._model, "encode_query", self._model.encode)
        dims = unit_rows(self._passage(["dimensions"], **_QUIETLY)).shape[1]
        self._info = ModelInfo(name=name, revision=revision or "default", dims=dims)

    @property
    def info(self) -> ModelInfo:
        """Identity of the model."""
        return self._info

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """Shape (n, dims), unit rows; a blank text gives a zero row."""
        return self._rows(self._passage, texts)

    def embed_query(self, text: str) -> FloatArray:
        """Shape (dims,), unit length, or zero for a blank text."""
        row: FloatArray = self._rows(self._query, [text])[0]
        return row

    def _rows(self, encode: Any, texts: Sequence[str]) -> FloatArray:
        return filled_rows([clean(text, _MAX_CHARS) for text in texts], self._info.dims, partial(encode, **_QUIETLY))
