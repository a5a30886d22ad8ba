"""The embedding model as a service."""

from __future__ import annotations

import json
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import numpy as np
import pytest

from benchmarks.systems.peer import served
from reverie.models.hashing import HashEmbedder


def post(address: str, asked: object) -> list[dict[str, object]]:
    """The entries of a reply."""
    request = Request(address, json.dumps(asked).encode(), {"Content-Type": "application/json"})
    with urlopen(request, timeout=10) as reply:
        found: list[dict[str, object]] = json.load(reply)["data"]
        return found


def test_each_text_gets_the_models_own_vector() -> None:
    """In the order asked, to the last digit; one text may stand without a list."""
    model = HashEmbedder()
    texts = ["a grey parrot", "gri bir papağan", "half a pair: \ud83d"]
    with served(model) as address:
        entries = post(f"{address}/embeddings", {"model": "any", "input": texts})
        (alone,) = post(f"{address}/embeddings", {"model": "any", "input": texts[0]})
    assert [entry["index"] for entry in entries] == [0, 1, 2]
    found = np.array([entry["embedding"] for entry in entries], dtype=np.float32)
    assert np.array_equal(found, model.embed_passages(texts))
    assert alone["embedding"] == entries[0]["embedding"]


def test_there_is_no_language_model() -> None:
    """A peer that calls one is told so, rather than measured."""
    with served(HashEmbedder()) as address, pytest.raises(HTTPError, match="404"):
        post(f"{address}/chat/completions", {"model": "any", "input": []})
