"""Two models as one: each text gets both vectors side by side, so a cosine is the weighed mean of both.

In: texts. Out: unit vectors of as many numbers as both have together. What one model misses the other may see; the
weights make them count the same once both are centred (decision 0039).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reverie.formulas.similarity_scales import Answering, uncrowded
from reverie.models.e5 import SPREAD, E5Embedder
from reverie.models.use import UseEmbedder
from reverie.models.vectors import unit_rows
from reverie.ports import Embedder
from reverie.types import FloatArray, ModelInfo

E5_SHARE = 0.8
"""Share of e5 in a cosine. Its texts lie ``SPREAD`` times closer together, so it says about as much as the other."""


ANSWERING = Answering(slope=35.56, intercept=-25.69)
"""2026-11-24, ``python -m benchmarks bands --embedder use+e5``, 30 questions of each of twelve sets (decision 0048)."""


class JoinedEmbedder:
    """The default model and multilingual-e5-small together: the best recall of those that need no network.

    Raises:
        ModelMissing: the package with a model's weights is not installed.
        ModelCorrupt: its file is not the published one.
    """

    def __init__(self) -> None:
        self._parts: tuple[tuple[Embedder, float], ...] = ((UseEmbedder(), 1.0 - E5_SHARE), (E5Embedder(), E5_SHARE))
        known = [part.info for part, _ in self._parts]
        self._info = ModelInfo(
            name="+".join(info.name for info in known),
            revision=f"{'+'.join(info.revision for info in known)}:{E5_SHARE:g}",
            dims=sum(info.dims for info in known),
        )

    @property
    def info(self) -> ModelInfo:
        """Identity of both, and of how they are weighed."""
        return self._info

    def calibration(self, cosine: float) -> float:
        """Its cosine as the documents' numbers mean one (``encode.nearest.scale_of``)."""
        return float(uncrowded(cosine, 1.0 / (1.0 - E5_SHARE + E5_SHARE / SPREAD)))

    def confidence(self, cosine: float) -> float:
        """How sure a cosine of a question and a passage is of an answer (``encode.nearest.confidence_of``)."""
        return ANSWERING.confidence(cosine)

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """Shape (n, 896), unit rows; a text without content gives a zero row."""
        return unit_rows(np.hstack([part.embed_passages(texts) * weight**0.5 for part, weight in self._parts]))

    def embed_query(self, text: str) -> FloatArray:
        """Shape (896,), unit length or zero."""
        sides = [part.embed_query(text) * weight**0.5 for part, weight in self._parts]
        row: FloatArray = unit_rows(np.hstack(sides))[0]
        return row
