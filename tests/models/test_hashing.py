from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from reverie.errors import InvalidSetting
from reverie.models.hashing import HashEmbedder
from tests.models.contract import check_embedder

PRINT_QUERY = (
    "from reverie.models.hashing import HashEmbedder; print(HashEmbedder(16).embed_query('Ada likes tea').tolist())"
)


def cosine(first: str, second: str) -> float:
    """The similarity the model gives two texts."""
    model = HashEmbedder()
    return float(model.embed_query(first) @ model.embed_query(second))


def test_it_keeps_the_promise_of_the_port() -> None:
    """Any text gives a float32 row of unit length or zero."""
    check_embedder(HashEmbedder())


@pytest.mark.parametrize("seed", ["1", "2"])
def test_every_process_gives_the_same_vector(seed: str) -> None:
    """Python's own string hash differs between processes; this one does not."""
    printed = subprocess.run(
        [sys.executable, "-c", PRINT_QUERY],
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert printed.strip() == str(HashEmbedder(16).embed_query("Ada likes tea").tolist())


def test_shared_words_bring_texts_together() -> None:
    """More words in common, more similarity; none in common, next to none."""
    assert cosine("Ada drinks green tea", "Ada drinks tea") > cosine("Ada drinks green tea", "Ada swims") > 0.1
    assert abs(cosine("Ada drinks green tea", "plumbing invoice overdue")) < 0.2


def test_forms_of_a_word_are_close() -> None:
    """Shared letter groups tie inflected forms, which Turkish needs."""
    assert cosine("kitap", "kitaplar") > 0.25
    assert cosine("kitap", "otobüs") < 0.2


def test_case_does_not_matter() -> None:
    """Case is folded, the Turkish capital İ as well."""
    assert cosine("İstanbul TEA", "istanbul tea") == pytest.approx(1)


def test_order_does_not_matter() -> None:
    """The words are a bag, and the sums come out the same to the last bit."""
    model = HashEmbedder()
    assert np.array_equal(model.embed_query("tea likes Ada"), model.embed_query("Ada likes tea"))


@pytest.mark.parametrize("dims", [0, 7, -256, 65_537])
def test_unusable_dimensions_are_refused(dims: int) -> None:
    """Too few or too many dimensions are an invalid setting."""
    with pytest.raises(InvalidSetting):
        HashEmbedder(dims)


def test_the_identity_names_the_dimensions() -> None:
    """Vectors of 64 and of 256 numbers never meet."""
    assert HashEmbedder(64).info.key == "hash@1/64"
    assert HashEmbedder().info.key == "hash@1/256"
