"""The default embedder if both models are installed: USE, and beside it the slower, better E5 (decision 0056).

Texts are embedded by USE at once. ``second`` gives E5, by which the engine embeds the cue and, in the background, the
messages. The vectors of both models are stored apart, and recall weighs each model's similarities separately.
"""

from __future__ import annotations

from dataclasses import replace
from threading import Lock

from reverie.models.e5 import INFO, Arithmetic, E5Embedder
from reverie.models.use import UseEmbedder
from reverie.ports import Embedder
from reverie.types import ModelInfo


class UseWithE5(UseEmbedder):
    """Universal Sentence Encoder with multilingual-e5-small as second model (``ports.Paired``).

    Raises:
        ModelMissing: the package with a model's weights is not installed; for the second model at its first use.
        ModelCorrupt: a file of weights is not the published one; for the second model at its first use.
    """

    def __init__(self, arithmetic: Arithmetic = Arithmetic.QUICKEST) -> None:
        super().__init__()
        self._arithmetic = arithmetic
        self._info = replace(self._info, second=INFO)
        self._second: E5Embedder | None = None
        self._loading = Lock()

    @property
    def info(self) -> ModelInfo:
        """Name, revision and dimensions of the first model, with those of the second."""
        return self._info

    def second(self) -> Embedder:
        """Return multilingual-e5-small, loaded at the first call: a second, and 130 MB."""
        with self._loading:
            if self._second is None:
                self._second = E5Embedder(self._arithmetic)
            return self._second
