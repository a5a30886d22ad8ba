"""An embedding model whose vectors are kept on disk, so that a benchmark embeds each text once in a lifetime.

A vector is found by the SHA-256 of the model's key, its fingerprint and the text; questions and passages are kept
apart, because some models embed them differently. The fingerprint is of the vectors the model gives to a few fixed
texts, so that a model whose code changed under the same name does not get its old vectors back. The cache lives in the
user's cache folder unless told otherwise, never in the project.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from reverie.ports import Embedder, Paired
from reverie.types import FloatArray, ModelInfo

if TYPE_CHECKING:
    import argparse  # a measured process reads no command line, and its memory counts

NO_MODEL = "none"
"""What a result file names where no model was used."""

BATCH = 256
"""Texts embedded between two writes to the cache: a stopped run loses at most these."""

PROBES = ("Where did I leave the spare key?", "Geçen yaz İzmir'de ne yaptık?", "One, two; three! " * 200)
"""What a model is told apart by: both languages, and a text long enough to be cut."""

SECOND_READS = 250_000
"""Characters of a haystack that the slower model is made to read: a minute and a half."""
SHARED_READS = 2_000_000
"""And where haystacks share most of what was said, so that it is read once for all of them: lives amid others."""
READ_MAX = 1_100
"""Characters of a text that it reads at most, about."""

LOOKUP = 500
"""Keys in one question to SQLite, which takes at least 999."""


def default_cache() -> Path:
    """The user's cache folder for the benchmarks."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "reverie-benchmarks"


class Behind:
    """An embedder in front of another (``ports.Embedder``), with whatever more the other can do."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner

    @property
    def info(self) -> ModelInfo:
        """Identity of the model behind it."""
        return self._inner.info

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """(n, dims), as the model behind it."""
        return self._inner.embed_passages(texts)

    def embed_query(self, text: str) -> FloatArray:
        """(dims,), as the model behind it."""
        return self._inner.embed_query(text)

    def second(self) -> Embedder:
        """The model that stands beside the one behind it (``ports.Paired``)."""
        return cast("Paired", self._inner).second()

    def __getattr__(self, name: str) -> Any:
        """What only some models bring: a calibration."""
        if name == "_inner":  # not there yet: a copy is being made
            raise AttributeError(name)
        return getattr(self._inner, name)


class CachedEmbedder(Behind):
    """An embedder in front of another, with a file of vectors between them."""

    def __init__(self, inner: Embedder, folder: Path) -> None:
        super().__init__(inner)
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._second: CachedEmbedder | None = None
        self._file = sqlite3.connect(folder / "vectors.db", check_same_thread=False)
        self._file.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID")
        self._identity = f"{inner.info.key}\n{fingerprint(inner)}"
        self.made = 0

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """As the model behind it: shape (n, dims)."""
        keys = [self._key("passage", text) for text in texts]
        found = self._read(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        waiting = list(missing.items())
        for start in range(0, len(waiting), BATCH):
            batch = waiting[start : start + BATCH]
            vectors = self._inner.embed_passages([text for _, text in batch])
            fresh = {key: vectors[row] for row, (key, _) in enumerate(batch)}
            self._write(fresh)
            found.update(fresh)
        if not keys:
            return np.zeros((0, self.info.dims), dtype=np.float32)
        return np.stack([found[key] for key in keys])

    def embed_query(self, text: str) -> FloatArray:
        """As the model behind it: shape (dims,)."""
        key = self._key("query", text)
        found = self._read([key])
        if key not in found:
            found[key] = self._inner.embed_query(text)
            self._write(found)
        return found[key]

    def second(self) -> Embedder:
        """The model that stands beside the one behind it, behind the same cache."""
        if self._second is None:
            self._second = CachedEmbedder(super().second(), self._folder)
        return self._second

    def close(self) -> None:
        """Close the cache file."""
        self._file.close()
        if self._second is not None:
            self._second.close()

    def _key(self, use: str, text: str) -> bytes:
        label = f"{self._identity}\n{use}\n{text}"
        return hashlib.sha256(label.encode("utf-8", "surrogatepass")).digest()

    def _read(self, keys: Sequence[bytes]) -> dict[bytes, FloatArray]:
        found: dict[bytes, FloatArray] = {}
        for start in range(0, len(keys), LOOKUP):
            part = keys[start : start + LOOKUP]
            marks = ",".join("?" * len(part))
            for key, blob in self._file.execute(f"SELECT key, vector FROM vectors WHERE key IN ({marks})", part):
                found[key] = np.frombuffer(blob, dtype=np.float32)
        return found

    def _write(self, fresh: dict[bytes, FloatArray]) -> None:
        rows = [(key, np.ascontiguousarray(vector, dtype=np.float32).tobytes()) for key, vector in fresh.items()]
        with self._file:
            self._file.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)
        self.made += len(rows)


def fingerprint(embedder: Embedder) -> str:
    """What a model makes of the probes, to two decimals: SHA-256 in hex."""
    vectors = np.round(embedder.embed_passages(list(PROBES)) * 100).astype(np.int16)
    return hashlib.sha256(vectors.tobytes()).hexdigest()


class Quick(Behind):
    """An embedder without the model that stands beside it (``ports.Embedder``)."""

    @property
    def info(self) -> ModelInfo:
        """Identity of the model behind it alone."""
        return replace(self._inner.info, second=None)


def affordable(embedder: Embedder | None, texts: Iterable[str], most: int = SECOND_READS) -> Embedder | None:
    """The embedder, without the slower model beside it where that would have to read more than ``most`` characters.

    So it is in life: the slower one reads in the background, and recall goes by the quick one until it has.
    """
    if embedder is None or embedder.info.second is None:
        return embedder
    read = sum(min(len(text), READ_MAX) for text in texts)
    return embedder if read <= most else Quick(embedder)


class KeptVectors(Behind):
    """An embedder that keeps every vector it has seen in memory (``ports.Embedder``)."""

    def __init__(self, inner: Embedder) -> None:
        super().__init__(inner)
        self._passages: dict[str, FloatArray] = {}
        self._queries: dict[str, FloatArray] = {}
        self._second: KeptVectors | None = None

    def second(self) -> Embedder:
        """The model that stands beside the one behind it, its vectors kept as well."""
        if self._second is None:
            self._second = KeptVectors(super().second())
        return self._second

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


def cached_embedder(options: argparse.Namespace) -> Embedder | None:
    """The embedding model of the options behind its cache; None where none is wanted."""
    from reverie.models.registry import load_embedder

    found = load_embedder(options.embedder)
    if found is None:
        return None
    return CachedEmbedder(found, options.cache or default_cache())
