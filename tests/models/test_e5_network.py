from __future__ import annotations

import math

import numpy as np
import pytest

from reverie.models.e5_network import E5File, E5Network, unpack
from reverie.types import FloatArray
from tests.models.tiny_e5 import CHARACTERS, DIMS, HEADS, HIDDEN, LAYERS, PIECES, SCORES, tiny_file

DATA, TENSORS = tiny_file()


@pytest.fixture(scope="module")
def network() -> E5Network:
    """The network over the tiny file."""
    return E5Network(E5File(DATA))


def normal(rows: FloatArray, name: str) -> FloatArray:
    """Layer normalisation as in the textbook."""
    centred = rows - rows.mean(axis=1, keepdims=True)
    return centred / np.sqrt(centred.var(axis=1, keepdims=True) + 1e-12) * TENSORS[f"{name}.w"] + TENSORS[f"{name}.b"]


def linear(rows: FloatArray, name: str) -> FloatArray:
    """One matrix with its bias."""
    return rows @ TENSORS[f"l0.{name}.w"].T + TENSORS[f"l0.{name}.b"]


def slowly(tokens: list[int]) -> FloatArray:
    """The same layer with every head written out, in 64 bits, with the exact error function."""
    state = TENSORS["emb.word"][tokens].astype(float) + TENSORS["emb.pos"][: len(tokens)] + TENSORS["emb.type"]
    state = normal(state, "emb.ln")
    queries, keys, values = (linear(state, part) for part in "qkv")
    width = DIMS // HEADS
    heads = []
    for head in range(HEADS):
        mine = slice(head * width, (head + 1) * width)
        weights = np.exp(queries[:, mine] @ keys[:, mine].T / math.sqrt(width))
        heads.append(weights / weights.sum(axis=1, keepdims=True) @ values[:, mine])
    state = normal(state + linear(np.concatenate(heads, axis=1), "ao"), "l0.aln")
    wide = linear(state, "fi")
    wide = wide * (1 + np.vectorize(math.erf)(wide / math.sqrt(2))) / 2
    return normal(state + linear(wide, "fo"), "l0.oln").mean(axis=0)


@pytest.mark.parametrize("tokens", [[0, 2], [0, 5, 7, 8, 10, 2], [3]])
def test_it_is_the_network_written_out(network: E5Network, tokens: list[int]) -> None:
    """The batched arithmetic gives what the plain formulas give."""
    assert np.allclose(network.run([tokens])[0], slowly(tokens), atol=1e-4)


def test_texts_do_not_see_each_other(network: E5Network) -> None:
    """A text among others gets the vector it gets alone."""
    texts = [[0, 7, 2], [0, 5, 8, 8, 2], [0, 2]]
    assert np.allclose(network.run(texts), [network.run([text])[0] for text in texts], atol=1e-5)


FILE = E5File(DATA)


def test_four_bits_are_unpacked_low_halves_first() -> None:
    """Scale 0.5; the byte 0x9F holds 15 for place 0 and 9 for place 16, less 8 each."""
    block = np.zeros((1, 18), dtype=np.uint8)
    block[0, :2] = np.array([0.5], dtype="<f2").view(np.uint8)
    block[0, 2:] = 0x88
    block[0, 2] = 0x9F
    numbers = unpack(block)[0]
    assert numbers[0] == 3.5
    assert numbers[16] == 0.5
    assert not numbers[1:16].any()


def test_the_sizes_are_read() -> None:
    """What the header says about the network."""
    sizes = FILE.sizes
    assert (sizes.dims, sizes.layers, sizes.heads, sizes.hidden) == (DIMS, LAYERS, HEADS, HIDDEN)
    assert sizes.epsilon == pytest.approx(1e-12)


def test_the_vocabulary_is_read() -> None:
    """Pieces, scores, special tokens and what characters become."""
    vocabulary = FILE.vocabulary
    assert vocabulary.pieces == PIECES
    assert vocabulary.scores == SCORES
    assert (vocabulary.begin, vocabulary.end, vocabulary.unknown) == (0, 2, 3)
    assert vocabulary.characters == CHARACTERS


def test_tensors_are_found_by_name() -> None:
    """Full ones as they are, packed ones unpacked and turned."""
    assert np.array_equal(FILE.floats("l0.q.b"), TENSORS["l0.q.b"])
    assert np.array_equal(FILE.matrix("l0.fo.w", HIDDEN), TENSORS["l0.fo.w"].T)
    assert np.array_equal(unpack(FILE.packed("emb.word")), TENSORS["emb.word"])
