"""The default where both are installed: the quick model, and beside it the better and slower one (decision 0056).

In: texts. Out: the quick model's vectors, at once; and, by ``second``, the other model, which the engine asks for the
cue's vector and, in the background, for those of messages. Each model's vectors are kept apart, so that what only one
of them sees is weighed for itself.
"""

from __future__ import annotations

from dataclasses import replace
from threading import Lock

from reverie.models.e5 import INFO, Arithmetic, E5Embedder
from reverie.models.use import UseEmbedder
from reverie.ports import Embedder
from reverie.types import ModelInfo


class UseWithE5(UseEmbedder):
    """The quick model with multilingual-e5-small beside it (``ports.Paired``).

    Raises:
        ModelMissing: the package with a model's weights is not installed; the second's when it is first asked for.
        ModelCorrupt: its file is not the published one; likewise.
    """

    def __init__(self, arithmetic: Arithmetic = Arithmetic.QUICKEST) -> None:
        super().__init__()
        self._arithmetic = arithmetic
        self._info = replace(self._info, second=INFO)
        self._second: E5Embedder | None = None
        self._loading = Lock()

    @property
    def info(self) -> ModelInfo:
        """Identity of the quick model, and of the one beside it."""
        return self._info

    def second(self) -> Embedder:
        """multilingual-e5-small, loaded when first asked for: a second, and 130 MB."""
        with self._loading:
            if self._second is None:
                self._second = E5Embedder(self._arithmetic)
            return self._second
