from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from reverie.models import use
from reverie.models.use import UseNetwork
from reverie.types import FloatArray

DIMS, BRANCH = 512, 256


def weights() -> dict[str, np.ndarray]:
    """Small random weights in the published shapes, a table of two words a shard."""
    rng = np.random.default_rng(7)

    def some(*shape: int) -> np.ndarray:
        return rng.normal(0, 0.05, shape).astype(np.float32)

    w = {f"q{shard}": rng.integers(0, 64, (2, DIMS), dtype=np.uint8) for shard in range(1, 18)}
    w |= {"scale": some(17) + 0.02, "lo": some(17), "eps": np.array(1e-12)}
    w |= {"ln_g": some(1280), "ln_b": some(1280), "cnn_W": some(1280, DIMS), "cnn_b": some(DIMS)}
    w |= {"d0": some(DIMS, 320), "d1": some(320, 320), "p1": some(DIMS, 320)}
    w |= {"d2": some(320, DIMS), "d3": some(DIMS, DIMS), "p3": some(320, DIMS)}
    for n in (2, 3, 5):
        w |= {f"proj{n}": some(DIMS, BRANCH), f"proj_b{n}": some(BRANCH)}
        w |= {f"ln_g{n}": some(BRANCH), f"ln_b{n}": some(BRANCH)}
        for layer in (1, 2):
            w |= {f"w{layer}_{n}": some(n * BRANCH, BRANCH), f"b{layer}_{n}": some(BRANCH)}
    return w


WEIGHTS = weights()


@pytest.fixture(scope="module")
def network() -> UseNetwork:
    """The network over the small weights."""
    archive = io.BytesIO()
    np.savez(archive, **WEIGHTS)
    return UseNetwork(archive.getvalue())


def normal(row: FloatArray, gain: FloatArray, shift: FloatArray) -> FloatArray:
    """Layer normalisation of one row, as in the textbook."""
    return (row - row.mean()) / np.sqrt(row.var() + 1e-12) * gain + shift


def slowly(tokens: list[int]) -> FloatArray:
    """The same network written token by token."""
    w = WEIGHTS
    words = [w[f"q{t % 17 + 1}"][t // 17] * w["scale"][t % 17] + w["lo"][t % 17] for t in tokens]
    branches = []
    for n, before in ((2, 0), (3, 1), (5, 2)):
        rows = [normal(x @ w[f"proj{n}"] + w[f"proj_b{n}"], w[f"ln_g{n}"], w[f"ln_b{n}"]) for x in words]
        for layer in (1, 2):
            padded = [np.zeros(BRANCH)] * before + rows + [np.zeros(BRANCH)] * (n - 1 - before)
            seen = [np.concatenate(padded[at : at + n]) for at in range(len(rows))]
            rows = [
                np.maximum(x @ w[f"w{layer}_{n}"] + w[f"b{layer}_{n}"], 0) + r for x, r in zip(seen, rows, strict=True)
            ]
        branches.append(rows)
    features = [normal(np.concatenate(parts), w["ln_g"], w["ln_b"]) for parts in zip(words, *branches, strict=True)]
    mean = sum(f @ w["cnn_W"] + w["cnn_b"] for f in features) / np.sqrt(len(tokens))
    first = np.maximum(np.maximum(mean @ w["d0"], 0) @ w["d1"] + mean @ w["p1"], 0)
    return np.tanh(np.maximum(first @ w["d2"], 0) @ w["d3"] + first @ w["p3"])


@pytest.mark.parametrize("tokens", [[1, 2], [1, 5, 30, 33, 17, 2], [0]])
def test_it_is_the_network_written_out(network: UseNetwork, tokens: list[int]) -> None:
    """The batched arithmetic gives what the plain formulas give, at the text's edges too."""
    assert np.allclose(network.run([tokens])[0], slowly(tokens), atol=1e-4)


def test_texts_do_not_see_each_other(network: UseNetwork) -> None:
    """A text among others gets the vector it gets alone."""
    texts = [[1, 4, 9, 2], [1, 2], [1, 33, 20, 11, 5, 2]]
    assert np.allclose(network.run(texts), [network.run([text])[0] for text in texts], atol=1e-5)


def test_a_vector_does_not_depend_on_what_was_seen_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bit for bit the same from a new network, and from one whose table of tokens has been overwritten many times."""
    archive = io.BytesIO()
    np.savez(archive, **WEIGHTS)
    monkeypatch.setattr(use, "_KEPT_TOKENS", 7)
    asked = [[1, 5, 30, 33, 17, 2]]
    used = UseNetwork(archive.getvalue())
    before = used.run(asked)
    for first in range(28):
        used.run([[first, first + 1, first + 2], [33, first + 3]])
    assert np.array_equal(used.run(asked), before)
    assert np.array_equal(UseNetwork(archive.getvalue()).run(asked), before)


def test_threads_may_embed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each gets the vector it gets alone, though the others' tokens push its own out of the table."""
    archive = io.BytesIO()
    np.savez(archive, **WEIGHTS)
    monkeypatch.setattr(use, "_KEPT_TOKENS", 8)
    shared = UseNetwork(archive.getvalue())
    texts = [[[1, first, first + 1, first + 2, 2]] for first in range(3, 31)]
    alone = [shared.run(text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(5):
            for one, other in zip(pool.map(shared.run, texts), alone, strict=True):
                assert np.array_equal(one, other)
