from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from reverie.errors import InvalidSetting, ModelMissing
from reverie.models.sentence_transformers import SentenceTransformersEmbedder, SentenceTransformersReranker
from tests.models.contract import check_embedder, check_reranker


class OldModel:
    """A model as the library had them before prompts: one way to encode."""

    def __init__(self, name: str, revision: str | None, **options: Any) -> None:
        assert options == {"device": "cpu", "trust_remote_code": False, "model_kwargs": {"use_safetensors": True}}
        if name == "nowhere":
            raise OSError("no such model")
        self.texts: list[str] = []

    def encode(self, texts: list[str], **options: Any) -> np.ndarray:
        assert options == {"convert_to_numpy": True, "show_progress_bar": False}
        self.texts += texts
        return np.array([[len(text), 2.0, 0.0] for text in texts])


class NewModel(OldModel):
    """A model with ways of its own for questions and passages."""

    def encode_query(self, texts: list[str], **options: Any) -> np.ndarray:
        return self.encode([f"query: {text}" for text in texts], **options)

    def encode_document(self, texts: list[str], **options: Any) -> np.ndarray:
        return self.encode([f"passage: {text}" for text in texts], **options)


class Reader(OldModel):
    """A cross-encoder of one label: letters that a pair has in common."""

    def predict(self, pairs: list[tuple[str, str]], **options: Any) -> np.ndarray:
        assert options == {"convert_to_numpy": True, "show_progress_bar": False}
        return np.array([len(set(cue) & set(text)) for cue, text in pairs], np.float32)


class Classifier(Reader):
    """A cross-encoder of three labels, which says of no text how well it fits."""

    def predict(self, pairs: list[tuple[str, str]], **options: Any) -> np.ndarray:
        return np.zeros((len(pairs), 3))


def install(monkeypatch: pytest.MonkeyPatch, model: type, version: str = "6.0.0", reader: type = Reader) -> None:
    """Put a library with these models in place of the real one."""
    library = ModuleType("sentence_transformers")
    library.__version__ = version  # type: ignore[attr-defined]  # the same
    library.SentenceTransformer = model  # type: ignore[attr-defined]  # a module made for this test
    library.CrossEncoder = reader  # type: ignore[attr-defined]  # the same
    monkeypatch.setitem(sys.modules, "sentence_transformers", library)


@pytest.mark.parametrize("model", [OldModel, NewModel])
def test_it_keeps_the_promise_of_the_port(monkeypatch: pytest.MonkeyPatch, model: type) -> None:
    """Any text gives a float32 row of unit length or zero."""
    install(monkeypatch, model)
    check_embedder(SentenceTransformersEmbedder("tiny"))


def test_the_models_own_prompts_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions and passages go their own ways where the library has them."""
    install(monkeypatch, NewModel)
    adapter = SentenceTransformersEmbedder("tiny")
    assert adapter.embed_query("tea")[0] != adapter.embed_passages(["tea"])[0, 0]


def test_the_identity_names_model_and_revision(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another revision is another model."""
    install(monkeypatch, OldModel)
    assert SentenceTransformersEmbedder("tiny").info.key == "tiny@default/3"
    assert SentenceTransformersEmbedder("tiny", revision="abc").info.key == "tiny@abc/3"


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """What to install stands in the message."""
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ModelMissing, match=r"reverie\[sentence-transformers\]"):
        SentenceTransformersEmbedder("tiny")


def test_a_model_it_cannot_load_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library's own error becomes ours."""
    install(monkeypatch, OldModel)
    with pytest.raises(ModelMissing, match="nowhere"):
        SentenceTransformersEmbedder("nowhere")


@pytest.mark.parametrize("adapter", [SentenceTransformersEmbedder, SentenceTransformersReranker])
@pytest.mark.parametrize("version", ["2.7.0", "3.0.1", "4.1.0", "5.7.0", "", "dev"])
def test_a_library_that_runs_a_models_code_is_refused(
    monkeypatch: pytest.MonkeyPatch, version: str, adapter: type
) -> None:
    """Whatever is asked of it; the message says what to install."""
    install(monkeypatch, OldModel, version)
    with pytest.raises(ModelMissing, match="sentence-transformers>=6"):
        adapter("tiny")


@pytest.mark.parametrize("name", ["./model", "../model", ".", "model", "org/name", "link"])
def test_no_folder_one_works_in_is_taken_for_a_model(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    """Not by a path from there, nor because it bears a published model's name; a whole path may lead there."""
    install(monkeypatch, OldModel)
    for folder in ("model", "org/name"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "link").symlink_to("nowhere")
    monkeypatch.chdir(tmp_path)
    for adapter in (SentenceTransformersEmbedder, SentenceTransformersReranker):
        with pytest.raises(InvalidSetting, match="whole path"):
            adapter(name)
    assert SentenceTransformersEmbedder(str(tmp_path / name)).info.name == str(tmp_path / name)


def test_a_path_may_begin_at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library knows no tilde."""
    asked: list[str] = []

    class Asked(OldModel):
        def __init__(self, name: str, revision: str | None, **options: Any) -> None:
            asked.append(name)
            super().__init__(name, revision, **options)

    install(monkeypatch, Asked)
    monkeypatch.setenv("HOME", "/srv/ada")
    SentenceTransformersEmbedder("~/models/mine")
    assert asked == ["/srv/ada/models/mine"]


def test_a_reranker_keeps_the_promise_of_its_port(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any text gives a finite number; the library's own numbers come through. No code, safetensors alone."""
    install(monkeypatch, OldModel)
    reranker = SentenceTransformersReranker("tiny")
    check_reranker(reranker)
    assert reranker.score("tea", ["eat", "sea", "oo"]).tolist() == [3.0, 2.0, 0.0]
    assert reranker.name == "tiny"


def test_a_reranker_without_the_library_or_the_model_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """What to install, or which name is wrong."""
    install(monkeypatch, OldModel)
    with pytest.raises(ModelMissing, match="nowhere"):
        SentenceTransformersReranker("nowhere")
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ModelMissing, match=r"reverie\[sentence-transformers\]"):
        SentenceTransformersReranker("tiny")


def test_a_model_of_several_labels_is_no_reranker(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused when it is loaded, not at the first recall."""
    install(monkeypatch, OldModel, reader=Classifier)
    with pytest.raises(ModelMissing, match="several numbers"):
        SentenceTransformersReranker("tiny")
