from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType

import numpy as np
import pytest

from reverie.errors import ModelMissing
from reverie.models.fastembed import FastEmbedEmbedder, FastEmbedReranker
from tests.models.contract import check_embedder, check_reranker


class Model:
    """A model as the library has them: generators of vectors."""

    def __init__(self, model_name: str, threads: int) -> None:
        if model_name == "nowhere":
            raise ValueError("no such model")

    def passage_embed(self, texts: list[str]) -> Iterator[np.ndarray]:
        return (np.array([len(text), 2.0, 0.0]) for text in texts)

    def query_embed(self, query: str) -> Iterator[np.ndarray]:
        return (np.array([len(text), 0.0, 2.0]) for text in [query])


class Reader:
    """A cross-encoder as the library has them: a generator of scores."""

    def __init__(self, model_name: str, threads: int) -> None:
        assert threads == 1
        if model_name == "nowhere":
            raise ValueError("no such model")

    def rerank(self, query: str, documents: list[str]) -> Iterator[float]:
        return (float(len(set(query) & set(text))) for text in documents)


@pytest.fixture
def _library(monkeypatch: pytest.MonkeyPatch) -> None:
    library = ModuleType("fastembed")
    library.TextEmbedding = Model  # type: ignore[attr-defined]  # a module made for this test
    monkeypatch.setitem(sys.modules, "fastembed", library)
    monkeypatch.setitem(sys.modules, "fastembed.rerank", ModuleType("fastembed.rerank"))
    readers = ModuleType("fastembed.rerank.cross_encoder")
    readers.TextCrossEncoder = Reader  # type: ignore[attr-defined]  # the same
    monkeypatch.setitem(sys.modules, "fastembed.rerank.cross_encoder", readers)


@pytest.mark.usefixtures("_library")
def test_it_keeps_the_promise_of_the_port() -> None:
    """Any text gives a float32 row of unit length or zero."""
    check_embedder(FastEmbedEmbedder("tiny"))


@pytest.mark.usefixtures("_library")
def test_questions_go_their_own_way() -> None:
    """The library's ways for questions and for passages are both used."""
    adapter = FastEmbedEmbedder("tiny")
    assert adapter.embed_query("tea")[2] > 0
    assert adapter.embed_passages(["tea"])[0, 1] > 0
    assert adapter.info.key == "tiny@fastembed/3"


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """What to install stands in the message."""
    monkeypatch.setitem(sys.modules, "fastembed", None)
    with pytest.raises(ModelMissing, match=r"reverie\[fastembed\]"):
        FastEmbedEmbedder("tiny")


@pytest.mark.usefixtures("_library")
def test_a_model_it_cannot_load_is_named() -> None:
    """The library's own error becomes ours."""
    with pytest.raises(ModelMissing, match="nowhere"):
        FastEmbedEmbedder("nowhere")


@pytest.mark.usefixtures("_library")
def test_a_reranker_keeps_the_promise_of_its_port() -> None:
    """Any text gives a finite number; the library's own numbers come through."""
    reranker = FastEmbedReranker("tiny")
    check_reranker(reranker)
    assert reranker.score("tea", ["eat", "sea", "oo"]).tolist() == [3.0, 2.0, 0.0]
    assert reranker.name == "tiny"


def test_a_reranker_without_the_library_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """So does a version that knows no reranker."""
    monkeypatch.setitem(sys.modules, "fastembed", None)
    with pytest.raises(ModelMissing, match=r"reverie\[fastembed\]"):
        FastEmbedReranker("tiny")


@pytest.mark.usefixtures("_library")
def test_a_reranker_it_cannot_load_is_named() -> None:
    """The library's own error becomes ours."""
    with pytest.raises(ModelMissing, match="nowhere"):
        FastEmbedReranker("nowhere")
