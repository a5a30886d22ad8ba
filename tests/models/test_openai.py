from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from reverie.errors import InvalidSetting, ModelUnavailable
from reverie.models.openai import Endpoint, OpenAIEmbedder
from tests.models.contract import check_embedder
from tests.models.fake_endpoint import DIMS, FakeEndpoint, fake_endpoint

KEY = "sk-secret"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeEndpoint]:
    """An endpoint on this machine, reached past any proxy."""
    monkeypatch.setenv("no_proxy", "*")
    with fake_endpoint() as running:
        yield running


@pytest.fixture
def pauses() -> list[float]:
    """How long the adapter would have waited, in seconds."""
    return []


def model(server: FakeEndpoint, pauses: list[float], dims: int | None = None, **options: Any) -> OpenAIEmbedder:
    """The adapter over the fake endpoint, which notes its pauses and does not make them."""
    return OpenAIEmbedder("tiny", Endpoint(server.url, api_key=KEY, **options), dims=dims, pause=pauses.append)


def test_it_keeps_the_promise_of_the_port(server: FakeEndpoint, pauses: list[float]) -> None:
    """Any text gives a float32 row of unit length or zero."""
    check_embedder(model(server, pauses))


def test_texts_are_sent_in_batches_and_put_back_in_order(server: FakeEndpoint, pauses: list[float]) -> None:
    """Five filled texts in batches of two are three requests; blanks stay, the answers' order does not matter."""
    rows = model(server, pauses, dims=DIMS, batch_size=2).embed_passages(["a", "", "bb", "ccc", " ", "dddd", "eeeee"])
    assert [request["input"] for request in server.asked] == [["a", "bb"], ["ccc", "dddd"], ["eeeee"]]
    assert [request["model"] for request in server.asked] == ["tiny"] * 3
    assert [request["path"] for request in server.asked] == ["/v1/embeddings"] * 3
    lengths = [round(float(row[0] / row[1])) if row[1] else 0 for row in rows]
    assert lengths == [1, 0, 2, 3, 0, 4, 5]


def test_the_key_goes_into_one_header(server: FakeEndpoint, pauses: list[float]) -> None:
    """It is sent as a bearer token; without a key no header is sent."""
    model(server, pauses).embed_query("tea")
    OpenAIEmbedder("tiny", Endpoint(server.url)).embed_query("tea")
    assert server.keys == [f"Bearer {KEY}", None]


def test_the_first_answer_says_the_dimensions(server: FakeEndpoint, pauses: list[float]) -> None:
    """Asked for its identity before any text, the adapter asks once."""
    adapter = model(server, pauses)
    assert [adapter.info.key, adapter.info.key] == ["tiny@openai/4"] * 2
    assert len(server.asked) == 1


def test_a_passing_refusal_is_asked_again(server: FakeEndpoint, pauses: list[float]) -> None:
    """A limit and two failures, then an answer; the pauses double, and a Retry-After counts up to eight seconds."""
    server.refusals = [(429, {"Retry-After": "3"}), (503, {}), (500, {"Retry-After": "999"})]
    assert model(server, pauses).embed_query("tea")[0] > 0
    assert pauses == [3.0, 1.0, 8.0]


@pytest.mark.parametrize("status", [429, 502])
def test_patience_ends(server: FakeEndpoint, pauses: list[float], status: int) -> None:
    """After the last attempt the refusal is an error."""
    server.refusals = [(status, {})] * 5
    with pytest.raises(ModelUnavailable):
        model(server, pauses, attempts=3).embed_query("tea")
    assert len(server.asked) == 3
    assert pauses == [0.5, 1.0]


@pytest.mark.parametrize(
    ("status", "words"), [(401, "refused the key"), (404, "does not know the model"), (418, "status 418"), (307, "307")]
)
def test_a_lasting_refusal_is_not_repeated(server: FakeEndpoint, pauses: list[float], status: int, words: str) -> None:
    """The error names reason and mend, never the key, even if the endpoint repeats it; no redirect is followed."""
    server.refusals = [(status, {"Location": "http://127.0.0.1:9/"})]
    with pytest.raises(ModelUnavailable, match=words) as caught:
        model(server, pauses).embed_query("tea")
    assert len(server.asked) == 1
    assert KEY not in str(caught.value)
    assert caught.value.mend


@pytest.mark.parametrize(
    "body",
    [
        b"<html>",
        b"\xff",
        b"[]",
        b"{}",
        b'{"data": []}',
        b'{"data": [{"index": 0}]}',
        b'{"data": [{"index": 0, "embedding": ["x"]}]}',
        b'{"data": [{"index": 0, "embedding": [1, 2]}, {"index": 1, "embedding": [1]}]}',
        b'{"data": [{"index": 0, "embedding": [1, 2, 3]}]}',
    ],
)
def test_something_else_is_no_embedding(server: FakeEndpoint, pauses: list[float], body: bytes) -> None:
    """Pages, broken JSON, missing or ragged vectors, other dimensions: each is an error that says so."""
    server.body = body
    with pytest.raises(ModelUnavailable, match="answered with"):
        model(server, pauses, dims=DIMS).embed_query("tea")


def test_nobody_there(pauses: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    """A closed port is tried as often as asked, then named."""
    monkeypatch.setenv("no_proxy", "*")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        adapter = OpenAIEmbedder("tiny", Endpoint(url, attempts=2), pause=pauses.append)
        with pytest.raises(ModelUnavailable, match=r"127\.0\.0\.1 did not answer"):
            adapter.embed_query("tea")
    assert len(pauses) == 1


def test_who_does_not_answer_is_left_alone_for_a_while(server: FakeEndpoint, pauses: list[float]) -> None:
    """After the last attempt calls fail at once with the same words; ten seconds later it is asked again."""
    now = [0.0]
    adapter = OpenAIEmbedder("tiny", Endpoint(server.url, attempts=2), pause=pauses.append, clock=lambda: now[0])
    server.refusals = [(503, {})] * 2
    for _ in range(3):
        with pytest.raises(ModelUnavailable, match="status 503") as caught:
            adapter.embed_query("tea")
        assert caught.value.mend
        now[0] += 4.0
    assert len(server.asked) == 2
    assert adapter.embed_query("tea")[0] > 0


def test_blank_texts_ask_nothing(server: FakeEndpoint, pauses: list[float]) -> None:
    """With known dimensions, blanks are zero rows without a request."""
    rows = model(server, pauses, dims=DIMS).embed_passages(["", "\n"])
    assert np.array_equal(rows, np.zeros((2, DIMS)))
    assert server.asked == []


def test_the_key_is_not_shown() -> None:
    """The settings print without it."""
    assert KEY not in repr(Endpoint(api_key=KEY))


@pytest.mark.parametrize("url", ["", "127.0.0.1:8080", "file:///etc/hosts", "http://", "ftp://example.org/v1"])
def test_other_addresses_are_refused(url: str) -> None:
    """Only http and https with a host."""
    with pytest.raises(InvalidSetting, match="no endpoint"):
        Endpoint(url)


@pytest.mark.parametrize("option", ["timeout_s", "attempts", "batch_size"])
def test_patience_must_be_positive(option: str) -> None:
    """Zero of anything would never ask."""
    with pytest.raises(InvalidSetting, match="positive"):
        Endpoint(**{option: 0})
