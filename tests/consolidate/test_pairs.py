from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from reverie.consolidate.clusters import near_pairs
from reverie.types import FloatArray, Memory
from tests.consolidate.making import Lying, at_cosine, memory, snapshot


class Rows:
    """Memories lie at the row their name says (``Nearness``)."""

    def __init__(self, rows: FloatArray) -> None:
        self._rows = rows

    def vectors(self, memories: Sequence[Memory]) -> FloatArray:
        return self._rows[[int(one.id) for one in memories]]

    def read(self, cosine: float) -> float:
        return cosine

    edge = read


def test_a_pair_is_told_once_with_its_cosine() -> None:
    """The nearest first; what lies no nearer than the edge is left out."""
    where = dict(zip("ab", at_cosine(0.95), strict=True))
    found = near_pairs(snapshot(*[memory(name) for name in "abc"], lying=Lying(where)), np.arange(3), 0.9)
    assert [(pair.first, pair.second, pair.cosine) for pair in found] == [(0, 1, pytest.approx(0.95, abs=1e-5))]


def test_the_words_of_two_people_are_no_pair() -> None:
    """However alike: one of the two would go to sleep."""
    where = dict(zip("ab", at_cosine(0.95), strict=True))
    both = [replace(memory(name), speaker=speaker) for name, speaker in zip("ab", ("Ada", "Bora"), strict=True)]
    assert near_pairs(snapshot(*both, lying=Lying(where)), np.arange(2), 0.9) == []


def test_the_edge_is_read_on_the_models_own_scale() -> None:
    """Where a model has all texts four times closer together, .95 is far from the .9 of a recipe."""
    where = dict(zip("ab", at_cosine(0.95), strict=True))
    both = [memory(name) for name in "ab"]
    assert near_pairs(snapshot(*both, lying=Lying(where)), np.arange(2), 0.9)
    assert not near_pairs(snapshot(*both, lying=Lying(where, spread=4.0)), np.arange(2), 0.9)


@pytest.mark.req("D20")
def test_in_a_large_store_nearly_every_pair_is_found_without_comparing_all() -> None:
    """Two hundred pairs at cosine .97 among 4,000 memories: nine in ten and more are found, and nothing else."""
    chance = np.random.default_rng(5)
    rows = chance.standard_normal((4_000, 96)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    for place in range(0, 400, 2):
        aside = rows[place + 1] - rows[place] * (rows[place + 1] @ rows[place])
        rows[place + 1] = 0.97 * rows[place] + np.sqrt(1 - 0.97**2) * aside / np.linalg.norm(aside)
    found = near_pairs(snapshot(*[memory(str(n)) for n in range(4_000)], lying=Rows(rows)), np.arange(4_000), 0.96)
    assert {(pair.first, pair.second) for pair in found} <= {(place, place + 1) for place in range(0, 400, 2)}
    assert len(found) > 180


def test_a_shared_entity_finds_what_directions_miss() -> None:
    """Whatever way they point, two memories of one entity are compared."""
    chance = np.random.default_rng(6)
    rows = chance.standard_normal((600, 32)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    rows[1] = 0.5 * rows[0] + np.sqrt(0.75) * (rows[1] - rows[0] * (rows[1] @ rows[0])) / np.linalg.norm(
        rows[1] - rows[0] * (rows[1] @ rows[0])
    )
    many = [memory(str(n), entities=("ada",) if n < 2 else ()) for n in range(600)]
    assert (0, 1) in {
        (pair.first, pair.second) for pair in near_pairs(snapshot(*many, lying=Rows(rows)), np.arange(600), 0.49)
    }


def test_equal_memories_are_paired_with_those_beside_them() -> None:
    """Each of a thousand with five, not with all: else a few were held against all others, and no others judged."""
    many = [memory(f"m{n}") for n in range(1_000)]
    lying = Lying({one.id: (1.0,) for one in many})
    found = {(pair.first, pair.second) for pair in near_pairs(snapshot(*many, lying=lying), np.arange(1_000), 0.9)}
    assert len(found) <= 5 * len(many)
    assert found >= {(row, row + 1) for row in range(999) if row + 1 != 500}
