from __future__ import annotations

import numpy as np
import pytest

from reverie.models.e5_network import E5File, unpack
from tests.models.tiny_e5 import CHARACTERS, DIMS, HEADS, HIDDEN, LAYERS, PIECES, SCORES, tiny_file

DATA, TENSORS = tiny_file()
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
