"""Combine the fast default model with the better, slower multilingual-e5-small (decision 0056).

In: texts. Out: the fast model's vectors at once. The engine gets the other model from ``second``: for the vector of a
cue, and in the background for those of messages. The vectors of the two models are stored and weighted apart.
"""

from __future__ import annotations

from dataclasses import replace
from threading import Lock

from reverie.models.e5 import INFO, Arithmetic, E5Embedder
from reverie.models.use import UseEmbedder
from reverie.ports import Embedder
from reverie.types import ModelInfo


class UseWithE5(UseEmbedder):
    """Embedder with the default model, and multilingual-e5-small as its second model (``ports.Paired``).

    Raises:
        ModelMissing: a package with weights is not installed; for the second model on first use.
        ModelCorrupt: a file of weights is not the published one; for the second model on first use.
    """

    def __init__(self, arithmetic: Arithmetic = Arithmetic.QUICKEST) -> None:
        super().__init__()
        self._arithmetic = arithmetic
        self._info = replace(self._info, second=INFO)
        self._second: E5Embedder | None = None
        self._loading = Lock()

    @property
    def info(self) -> ModelInfo:
        """Identity of the fast model, and of the second one."""
        return self._info

    def second(self) -> Embedder:
        """Return multilingual-e5-small, loaded on first use: a second, and 130 MB."""
        with self._loading:
            if self._second is None:
                self._second = E5Embedder(self._arithmetic)
            return self._second
