"""Embed and rerank with any model that the sentence-transformers library can load.

In: a model's name or folder, then texts. Out: unit vectors, or scores of a reranker. Constructing an adapter imports
the library and torch.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from reverie.errors import InvalidSetting, ModelMissing
from reverie.models.port_values import clean, filled_rows, filled_scores, unit_rows
from reverie.types import FloatArray, ModelInfo

_MAX_CHARS = 16_000  # the model truncates at its own number of tokens
_LEAST = 6
"""Oldest major version: earlier ones run code in a model's folder unasked."""
_WEIGHTS_ALONE = {"use_safetensors": True}
"""Only safetensors: older weight files are pickles, which may contain code."""
_QUIETLY = {"convert_to_numpy": True, "show_progress_bar": False}


class SentenceTransformersEmbedder:
    """Embedder with a sentence-transformers model on the CPU, with the model's prompts for queries and passages if any.

    ``name`` is a published name or an absolute path. Code in a model's folder is not run, and weights are read from
    safetensors only.

    Raises:
        InvalidSetting: the name is a path inside the working folder.
        ModelMissing: the library is not installed, is too old, or cannot load the model.
    """

    def __init__(self, name: str, revision: str | None = None) -> None:
        self._model = _loaded("SentenceTransformer", name, revision)
        self._passage = getattr(self._model, "encode_document", self._model.encode)
        self._query = getattr(self._model, "encode_query", self._model.encode)
        dims = unit_rows(self._passage(["dimensions"], **_QUIETLY)).shape[1]
        self._info = ModelInfo(name=name, revision=revision or "default", dims=dims)

    @property
    def info(self) -> ModelInfo:
        """Identity of the model."""
        return self._info

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """Embed texts as unit rows, shape (n, dims); a blank text gives a zero row."""
        return self._rows(self._passage, texts)

    def embed_query(self, text: str) -> FloatArray:
        """Embed a query as a unit vector, shape (dims,); zero for a blank text."""
        row: FloatArray = self._rows(self._query, [text])[0]
        return row

    def _rows(self, encode: Any, texts: Sequence[str]) -> FloatArray:
        return filled_rows([clean(text, _MAX_CHARS) for text in texts], self._info.dims, partial(encode, **_QUIETLY))


class SentenceTransformersReranker:
    """Reranker with a cross-encoder of sentence-transformers on the CPU; concurrent calls wait for each other.

    ``name``, code and weights as for the embedder.

    Raises:
        InvalidSetting: the name is a path inside the working folder.
        ModelMissing: the library is missing or too old, or the model cannot be loaded or gives more than one score.
    """

    def __init__(self, name: str, revision: str | None = None) -> None:
        self._model = _loaded("CrossEncoder", name, revision)
        self._name = name
        self._turn = Lock()
        if np.shape(self._predicted("cue", ["text"])) != (1,):
            raise ModelMissing(f"{name!r} gives several numbers for a text.", "Choose a model for reranking.")

    @property
    def name(self) -> str:
        """Published name of the model, or its folder."""
        return self._name

    def score(self, cue: str, texts: Sequence[str]) -> FloatArray:
        """Score texts for a cue, shape (n,), on the model's own scale; a blank text gets the lowest score."""
        with self._turn:
            return filled_scores(self._name, cue, texts, self._predicted)

    def _predicted(self, cue: str, texts: Sequence[str]) -> Any:
        return self._model.predict([(cue, text) for text in texts], **_QUIETLY)


def _loaded(kind: str, name: str, revision: str | None) -> Any:
    """Load a model with a class of the library. Raises InvalidSetting or ModelMissing."""
    try:
        import sentence_transformers as library
    except ImportError as error:
        raise ModelMissing(
            "The library sentence-transformers is not installed.",
            "Install it: pip install 'reverie[sentence-transformers]'",
        ) from error
    _require_refusing(library.__version__)
    try:
        return getattr(library, kind)(
            _place(name), revision=revision, device="cpu", trust_remote_code=False, model_kwargs=_WEIGHTS_ALONE
        )
    except (OSError, ValueError, ImportError) as error:
        raise ModelMissing(
            f"sentence-transformers cannot load {name!r}.",
            "Check the name or the folder; it must hold weights as safetensors, and no code of its own.",
        ) from error


def _require_refusing(version: str) -> None:
    """Raise ModelMissing for a version of the library that runs a model's code unasked."""
    major = version.partition(".")[0]
    if not major.isdecimal() or int(major) < _LEAST:
        raise ModelMissing(
            f"sentence-transformers {version} runs code that lies beside a model.",
            f"Update it: pip install 'sentence-transformers>={_LEAST}'",
        )


def _place(name: str) -> str:
    """Return a published name or an absolute path; the library would take any folder of that name for the model.

    Raises InvalidSetting for a path relative to the working folder, which may belong to somebody else.
    """
    if name.startswith("~"):
        return str(Path(name).expanduser())
    if not Path(name).is_absolute() and (name.startswith(".") or os.path.lexists(name)):
        raise InvalidSetting(
            f"{name!r} is a folder in the one you work in.", "Give the model's whole path, or work elsewhere."
        )
    return name
