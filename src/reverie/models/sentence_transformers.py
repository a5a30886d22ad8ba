"""Embed and rerank with any model that the sentence-transformers library can load, an optional dependency.

The library and torch are imported when the adapter is made.
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
from reverie.extras import lacking
from reverie.models.port_values import clean, filled_rows, filled_scores, unit_rows
from reverie.types import FloatArray, ModelInfo

_MAX_CHARS = 16_000  # the model cuts at its own number of tokens
_LEAST = 6
"""Oldest major version accepted: earlier ones run code from a model's folder without being asked to."""
_WEIGHTS_ALONE = {"use_safetensors": True}
"""Only safetensors are loaded: weights in the older form are unpickled, and a pickle may contain code."""
_QUIETLY = {"convert_to_numpy": True, "show_progress_bar": False}


class SentenceTransformersEmbedder:
    """Embeds texts with a sentence-transformers model on the CPU, with its own prompts for queries and passages.

    ``name`` is a published name or an absolute path. Code that comes with a model is not run, and only weights in
    safetensors are read.

    Raises:
        InvalidSetting: ``name`` is a path relative to the working folder.
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
        """The model's name, revision and dimensions."""
        return self._info

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """Embed messages, (n, dims) unit rows; a blank text gives a zero row."""
        return self._rows(self._passage, texts)

    def embed_query(self, text: str) -> FloatArray:
        """Embed a cue, (dims,) of length 1, or zero for a blank text."""
        row: FloatArray = self._rows(self._query, [text])[0]
        return row

    def _rows(self, encode: Any, texts: Sequence[str]) -> FloatArray:
        return filled_rows([clean(text, _MAX_CHARS) for text in texts], self._info.dims, partial(encode, **_QUIETLY))


class SentenceTransformersReranker:
    """Reranks texts with a sentence-transformers cross-encoder on the CPU, one call at a time.

    ``name``, code and weights are treated as by the embedder.

    Raises:
        InvalidSetting: ``name`` is a path relative to the working folder.
        ModelMissing: the library is not installed or too old, or the model cannot be loaded or gives several scores.
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
        """Score each text for a cue, (n,) in the model's own scale; a blank text gets the lowest score."""
        with self._turn:
            return filled_scores(self._name, cue, texts, self._predicted)

    def _predicted(self, cue: str, texts: Sequence[str]) -> Any:
        return self._model.predict([(cue, text) for text in texts], **_QUIETLY)


def _loaded(kind: str, name: str, revision: str | None) -> Any:
    """Load a model with one of the library's classes. Raises InvalidSetting, ModelMissing."""
    try:
        import sentence_transformers as library
    except ImportError as error:
        raise lacking("sentence-transformers", "A model of sentence-transformers", ModelMissing) from error
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
    """Raise ModelMissing if the library's version runs a model's code without being asked to."""
    major = version.partition(".")[0]
    if not major.isdecimal() or int(major) < _LEAST:
        raise ModelMissing(
            f"sentence-transformers {version} runs code that lies beside a model.",
            f"Update it: pip install 'sentence-transformers>={_LEAST}'",
        )


def _place(name: str) -> str:
    """Return a published name, or an absolute path; the library would load any folder of that name instead.

    Raises InvalidSetting for a path relative to the working folder, which may be somebody else's.
    """
    if name.startswith("~"):
        return str(Path(name).expanduser())
    if not Path(name).is_absolute() and (name.startswith(".") or os.path.lexists(name)):
        raise InvalidSetting(
            f"{name!r} is a folder in the one you work in.", "Give the model's whole path, or work elsewhere."
        )
    return name
