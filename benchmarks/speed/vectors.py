"""A stand-in for an embedding model: unit vectors that lie as real ones do, for next to no time.

A text's vector follows from its hash: a common mean, one of 4,000 clusters in 64 latent dimensions, and noise, so that
two texts have a cosine of about .26 and two of a cluster .75. A query's vector lies at a cosine of about .85 from that
of the message it was made from. The time it takes all the same is kept in ``watch``, to be left out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from benchmarks.speed.measurements import Stopwatch
from reverie.types import FloatArray, ModelInfo

DIMS = 384
LATENT = 64
CLUSTERS = 4000
NOISES = 2048

MEAN_SHARE = 0.51
CLUSTER_SHARE = 0.70
NOISE_SHARE = 0.50
QUERY_NOISE = 0.62


class FakeEmbedder:
    """Vectors by hash. ``targets``: query → the stored text it was made from."""

    def __init__(self, seed: int, targets: Mapping[str, str] | None = None) -> None:
        chance = np.random.default_rng([seed, DIMS])
        self._mean = _unit(chance.standard_normal((1, DIMS)))
        self._centres = _unit(chance.standard_normal((CLUSTERS, LATENT)))
        # Scaled so that a unit centre stays about a unit vector.
        self._projection = chance.standard_normal((LATENT, DIMS)).astype(np.float32) / np.float32(np.sqrt(DIMS))
        self._noises = _unit(chance.standard_normal((NOISES, DIMS))).astype(np.float16)
        self._info = ModelInfo("benchmark-fake", f"seed-{seed}", DIMS)
        self.watch = Stopwatch()
        self._ready: dict[str, FloatArray] = {}
        for query, target in (targets or {}).items():
            near = self.vectors([target])[0] + np.float32(QUERY_NOISE) * self._noise([query])[0]
            self._ready[query] = _unit(near[np.newaxis])[0]

    @property
    def info(self) -> ModelInfo:
        """A name of its own, so that no real vector is ever compared with these."""
        return self._info

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """Shape (n, 384)."""
        return self.watch.call(lambda: self.vectors(texts))

    def embed_query(self, text: str) -> FloatArray:
        """Shape (384,); made beforehand for the queries of the run."""
        found = self._ready.get(text)
        return self.embed_passages([text])[0] if found is None else found

    def prepare(self, texts: Sequence[str]) -> None:
        """Make the vectors of messages that will be remembered under the clock."""
        self._ready.update(zip(texts, self.vectors(texts), strict=True))

    def vectors(self, texts: Sequence[str]) -> FloatArray:
        """The vectors, without looking at the clock."""
        if len(texts) == 1 and texts[0] in self._ready:
            return self._ready[texts[0]][np.newaxis]
        hashes = _hashes(texts)
        clusters = self._centres[hashes % CLUSTERS] @ self._projection
        mixed = MEAN_SHARE * self._mean + CLUSTER_SHARE * clusters + NOISE_SHARE * self._noise(texts)
        return _unit(mixed)

    def _noise(self, texts: Sequence[str]) -> FloatArray:
        hashes = _hashes(texts) // CLUSTERS
        first, second = self._noises[hashes % NOISES], self._noises[hashes // NOISES % NOISES]
        return _unit(first.astype(np.float32) + second.astype(np.float32))


def _hashes(texts: Sequence[str]) -> npt.NDArray[np.uint64]:
    digests = b"".join(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest() for text in texts)
    return np.frombuffer(digests, dtype="<u8").astype(np.uint64)


def _unit(rows: npt.NDArray[np.floating]) -> FloatArray:
    scaled: FloatArray = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return scaled
