from __future__ import annotations

import json
import socket
import ssl
import urllib.error
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from reverie import Reverie, Scope
from reverie.errors import InvalidSetting, ModelUnavailable
from reverie.models.openai import OPENAI_URL, Endpoint, OpenAIEmbedder, model_and_url
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


MALFORMED = {
    "no vector": [],
    "null for the list": None,
    "a vector of no numbers": [{"index": 0, "embedding": []}, {"index": 1, "embedding": []}],
    "one vector for two texts": [{"index": 0, "embedding": [1, 2]}],
    "three vectors for two texts": [{"index": n, "embedding": [1, 2]} for n in range(3)],
    "ragged": [{"index": 0, "embedding": [1, 2]}, {"index": 1, "embedding": [1]}],
    "one vector empty": [{"index": 0, "embedding": [1, 2]}, {"index": 1, "embedding": []}],
    "one place twice": [{"index": 0, "embedding": [1, 2]}, {"index": 0, "embedding": [3, 4]}],
    "a place that is not asked for": [{"index": 1, "embedding": [1, 2]}, {"index": 2, "embedding": [3, 4]}],
    "no place": [{"embedding": [1, 2]}, {"embedding": [1, 2]}],
    "a place that is null": [{"index": None, "embedding": [1, 2]}, {"index": 1, "embedding": [1, 2]}],
    "a null among the entries": [{"index": 0, "embedding": [1, 2]}, None],
    "a null for a vector": [{"index": 0, "embedding": [1, 2]}, {"index": 1, "embedding": None}],
    "a null for a number": [{"index": 0, "embedding": [1, 2]}, {"index": 1, "embedding": [1, None]}],
    "a text for a number": [{"index": 0, "embedding": [1, 2]}, {"index": 1, "embedding": [1, "2"]}],
    "true for a number": [{"index": 0, "embedding": [1, 2]}, {"index": 1, "embedding": [1, True]}],
    "a text for a vector": [{"index": 0, "embedding": "AACAPw=="}, {"index": 1, "embedding": "AACAPw=="}],
    "a vector of vectors": [{"index": 0, "embedding": [[1, 2]]}, {"index": 1, "embedding": [[1, 2]]}],
    "a number for a vector": [{"index": 0, "embedding": 1}, {"index": 1, "embedding": 2}],
    "NaN": [{"index": 0, "embedding": [1, 2]}, {"index": 1, "embedding": [1, float("nan")]}],
    "infinity": [{"index": 0, "embedding": [1, 2]}, {"index": 1, "embedding": [float("inf"), 2]}],
    "a fraction too large for 32 bits": [{"index": 0, "embedding": [1, 2]}, {"index": 1, "embedding": [1e300, 2]}],
    "a number too large for any": [{"index": 0, "embedding": [1, 2]}, {"index": 1, "embedding": [10**400, 2]}],
}


@pytest.mark.parametrize("dims", [None, 2])
@pytest.mark.parametrize("data", MALFORMED.values(), ids=MALFORMED.keys())
def test_a_malformed_answer_is_refused_and_teaches_nothing(
    server: FakeEndpoint, pauses: list[float], data: Any, dims: int | None
) -> None:
    """Whatever is wrong with it, no vector comes of it, and it does not say how many dimensions the model has."""
    server.body = json.dumps({"data": data}).encode()
    adapter = model(server, pauses, dims=dims)
    with pytest.raises(ModelUnavailable, match="answered with"):
        adapter.embed_passages(["tea", "milk"])
    assert pauses == []
    if dims is None:
        server.body = None
        assert adapter.info.dims == DIMS


@pytest.mark.parametrize("body", [b" ", b"null", b"7", b'"data"', b'{"data": {"a": 1}}', b"[" * 100_000])
def test_an_answer_without_a_list_is_refused(server: FakeEndpoint, pauses: list[float], body: bytes) -> None:
    """Nothing, something else than an object, no list in it, or brackets without end."""
    server.body = body
    with pytest.raises(ModelUnavailable, match="something other than embeddings"):
        model(server, pauses).embed_query("tea")


@pytest.mark.parametrize("data", [[], [{"index": 0, "embedding": []}], [{"index": 0, "embedding": [float("nan"), 1]}]])
def test_a_malformed_answer_leaves_the_store_alone(server: FakeEndpoint, pauses: list[float], data: Any) -> None:
    """The message is kept without a vector; once the endpoint answers rightly, it gets one and is found."""
    server.body = json.dumps({"data": data}).encode()
    scope = Scope("a", "u", "p")
    with Reverie.open(":memory:", embedder=model(server, pauses), background=False) as engine:
        assert not engine.remember("The spare key hangs behind the boiler.", scope).embedded
        assert (engine.admin.stats(scope).embedded, engine.admin.model) == (0, "unavailable")
        assert engine.recall("Where is the spare key?", scope).hits
        server.body = None
        assert engine.admin.embed() == 1
        assert (engine.admin.stats(scope).embedded, engine.admin.model) == (1, f"tiny@openai/{DIMS}")
        assert engine.recall("Where is the spare key?", scope).hits


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


def test_a_closed_port_is_tried_once_more_and_no_oftener(pauses: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    """What refuses the connection is down, or being started again: half a second, not four."""
    monkeypatch.setenv("no_proxy", "*")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        with pytest.raises(ModelUnavailable, match="did not answer"):
            OpenAIEmbedder("tiny", Endpoint(url), pause=pauses.append).embed_query("tea")
    assert pauses == [0.5]


@pytest.mark.parametrize(
    ("fault", "waited"),
    [
        (socket.gaierror(-2, "no such name"), [0.5]),
        (ssl.SSLCertVerificationError("self-signed"), [0.5]),
        (TimeoutError("too late"), [0.5, 1.0, 2.0]),
        (ConnectionResetError("gone"), [0.5, 1.0, 2.0]),
    ],
)
def test_patience_is_for_what_may_heal(pauses: list[float], fault: OSError, waited: list[float]) -> None:
    """A name nobody knows stays unknown; who is late or hangs up may do better the next time."""
    adapter: Any = OpenAIEmbedder("tiny", Endpoint("http://example.invalid/v1"), pause=pauses.append)

    def fail(*_: object, **__: object) -> None:
        raise urllib.error.URLError(fault)

    adapter._opener.open = fail
    with pytest.raises(ModelUnavailable, match="did not answer"):
        adapter.embed_query("tea")
    assert pauses == waited


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


@pytest.mark.parametrize(
    "url",
    [
        *("", "127.0.0.1:8080", "file:///etc/hosts", "http://", "ftp://example.org/v1"),
        *("http://[::1", "http://host:port/v1", "http://host:99999/v1", "http://ho st/v1", "http://host/v1\n"),
        *("http://host/yerleştirme", b"http://host/v1", 5, None),
    ],
)
def test_other_addresses_are_refused(url: Any) -> None:
    """Only http and https with a host."""
    with pytest.raises(InvalidSetting, match="no endpoint") as refused:
        Endpoint(url)
    assert "http://" in refused.value.mend


@pytest.mark.parametrize("key", ["sk-secret\n", "sk-sécret", 5])
def test_a_key_no_header_can_carry_is_refused(key: Any) -> None:
    """Before it is sent, and without showing it."""
    with pytest.raises(InvalidSetting, match="key") as refused:
        Endpoint(api_key=key)
    assert "cret" not in str(refused.value)


@pytest.mark.parametrize("options", [{"timeout_s": "5"}, {"attempts": 1.5}, {"batch_size": None}])
def test_patience_is_a_number(options: dict[str, Any]) -> None:
    """Anything else is refused by name."""
    with pytest.raises(InvalidSetting, match="timeout_s must be a number"):
        Endpoint(**options)


@pytest.mark.parametrize("dims", [0, -1, 1.5, "8"])
def test_dimensions_are_a_whole_number(dims: Any) -> None:
    """A model without dimensions would write empty vectors."""
    with pytest.raises(InvalidSetting, match="dimensions"):
        OpenAIEmbedder("tiny", Endpoint(), dims=dims)


@pytest.mark.parametrize(
    ("argument", "halves"),
    [
        ("tiny", ("tiny", OPENAI_URL)),
        ("tiny@http://127.0.0.1:8080/v1", ("tiny", "http://127.0.0.1:8080/v1")),
        ("team@home/tiny @ https://example.org", ("team@home/tiny", "https://example.org")),
        ("tiny@localhost:8080/v1", ("tiny", "localhost:8080/v1")),
        ("tiny@", ("tiny", "")),
    ],
)
def test_a_model_and_its_address(argument: str, halves: tuple[str, str]) -> None:
    """The address is what stands behind the last @, whatever it looks like; OpenAI's only where there is none."""
    assert model_and_url(argument) == halves


@pytest.mark.parametrize("option", ["timeout_s", "attempts", "batch_size"])
def test_patience_must_be_positive(option: str) -> None:
    """Zero of anything would never ask."""
    with pytest.raises(InvalidSetting, match="positive"):
        Endpoint(**{option: 0})
