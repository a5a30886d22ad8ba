"""An endpoint that speaks a /rerank: each dialect, and what a broken or hostile one answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from threading import Event

import pytest

from reverie import RerankSettings, Reverie, Scope
from reverie.errors import InvalidSetting, ModelUnavailable
from reverie.models.openai import Endpoint
from reverie.models.port_values import MAX_CUE_CHARS, MAX_SCORED_CHARS
from reverie.models.registry import load_reranker
from reverie.models.rerank import EndpointReranker, model_and_url, scores_in
from tests.models.contract import check_reranker
from tests.models.fake_rerank import FakeRerank, Hostile, fake_rerank

KEY = "sk-secret"
DIALECTS = ["cohere", "cohere-v1", "jina", "vllm", "llama.cpp", "tei"]


@pytest.fixture(autouse=True)
def _past_any_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")


@pytest.fixture
def server() -> Iterator[FakeRerank]:
    """An endpoint on this machine."""
    with fake_rerank() as running:
        yield running


def model(server: FakeRerank, timeout_s: float = 30.0, name: str = "tiny") -> EndpointReranker:
    """The adapter over the fake endpoint."""
    return EndpointReranker(name, Endpoint(server.url, api_key=KEY, timeout_s=timeout_s, attempts=1))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_is_understood(dialect: str) -> None:
    """Sorted or not, with the texts beside the scores or without, under either name; any text will do."""
    with fake_rerank(dialect) as server:
        reranker = model(server)
        assert reranker.score("tea", ["bb", "a", "dddd", "ccc"]).tolist() == [2.0, 1.0, 4.0, 3.0]
        check_reranker(reranker)
        assert {request["path"] for request in server.asked} == {f"{server.url[len('http://127.0.0.1:') :][5:]}/rerank"}


def test_an_endpoint_with_one_model_needs_no_name() -> None:
    """Nothing is sent that it would have to know."""
    with fake_rerank("llama.cpp") as server:
        reranker = model(server, name="")
        assert reranker.score("tea", ["a", "bb"]).tolist() == [1.0, 2.0]
        assert "model" not in server.asked[0]
        assert reranker.name == "127.0.0.1"


def test_the_form_is_found_once() -> None:
    """The second cue is asked in the form that was answered; a refusal afterwards is one."""
    with fake_rerank("tei") as server:
        reranker = model(server)
        reranker.score("tea", ["a", "bb"])
        reranker.score("tea", ["a", "bb"])
        assert ["texts" in request for request in server.asked] == [False, True, True]
        assert server.asked[1]["raw_scores"] is server.asked[1]["truncate"] is True
        server.script = [Hostile(status=422)]
        with pytest.raises(ModelUnavailable, match="status 422"):
            reranker.score("tea", ["a", "bb"])
        assert len(server.asked) == 4


def test_an_endpoint_that_refuses_both_forms_is_told_by_the_first(server: FakeRerank) -> None:
    """What it says to the form it does not speak says nothing."""
    server.script = [Hostile(status=400), Hostile(status=500)]
    with pytest.raises(ModelUnavailable, match="status 400"):
        model(server).score("tea", ["a", "bb"])


def test_only_the_beginning_of_a_text_goes_out(server: FakeRerank) -> None:
    """And of a cue: more than most rerankers read would be refused, or cut there."""
    model(server).score("c" * 5_000, ["t" * 5_000, "a", " "])
    (asked,) = server.asked
    assert (len(asked["query"]), [len(text) for text in asked["documents"]]) == (MAX_CUE_CHARS, [MAX_SCORED_CHARS, 1])
    assert asked["top_n"] == 2


def test_the_key_goes_into_one_header(server: FakeRerank) -> None:
    """It is sent as a bearer token; without a key no header is sent."""
    model(server).score("tea", ["a"])
    EndpointReranker("tiny", Endpoint(server.url)).score("tea", ["a"])
    assert server.keys == [f"Bearer {KEY}", None]


@pytest.mark.parametrize(
    ("status", "words"),
    [(401, "refused the key"), (404, "does not know the model"), (429, "over its limit"), (503, "503"), (307, "307")],
)
def test_a_refusal_is_told_and_not_repeated(server: FakeRerank, status: int, words: str) -> None:
    """The error names reason and mend, never the key; no redirect is followed."""
    server.script = [Hostile(b'{"error": "sk-secret"}', status, {"Location": f"{server.url}/rerank"})]
    with pytest.raises(ModelUnavailable, match=words) as caught:
        model(server).score("tea", ["a", "bb"])
    assert len(server.asked) == 1
    assert KEY not in str(caught.value)
    assert caught.value.mend


def rows(*pairs: tuple[object, object]) -> bytes:
    """An answer with these indices and scores."""
    return json.dumps({"results": [{"index": i, "relevance_score": s} for i, s in pairs]}).encode()


BAD = [
    b"<html>busy</html>",
    b"",
    b"\xff",
    b"{}",
    b"[]",
    b"null",
    b"7",
    b'"ab"',
    b'["a", "b"]',
    b"[" * 100_000,
    b'{"results": null}',
    b'{"results": {"0": 1, "1": 2}}',
    b'{"results": [{"index": 0}, {"index": 1}]}',
    b'{"results": [{"score": 1}, {"score": 2}]}',
    b'{"results": [[0, 1], [1, 2]]}',
    b'[{"index": 0, "score": NaN}, {"index": 1, "score": 1}]',
    b'[{"index": 0, "score": Infinity}, {"index": 1, "score": 1}]',
    b'[{"index": 0, "score": 1e300}, {"index": 1, "score": 1}]',
    b'[{"index": 0, "score": 1' + b"0" * 400 + b'}, {"index": 1, "score": 1}]',
    rows((0, 1.0)),
    rows((0, 1.0), (0, 2.0)),
    rows((0, 1.0), (1, 2.0), (1, 2.0)),
    rows((0, 1.0), (2, 2.0)),
    rows((0, 1.0), (-1, 2.0)),
    rows((0, 1.0), (1, 2.0), (2, 3.0)),
    rows((0, "1"), (1, 2.0)),
    rows((0, None), (1, 2.0)),
    rows((0, True), (1, 2.0)),
    rows((False, 1.0), (True, 2.0)),
    rows((0.0, 1.0), (1.0, 2.0)),
]


@pytest.mark.parametrize("body", BAD, ids=[f"{n}: {body[:24]!r}" for n, body in enumerate(BAD)])
def test_something_else_is_no_answer(server: FakeRerank, body: bytes) -> None:
    """Pages, broken JSON, scores that are missing, double, too many, of no text, or no numbers."""
    server.script = [Hostile(body)]
    with pytest.raises(ModelUnavailable):
        model(server).score("tea", ["a", "bb"])


def test_an_answer_that_never_ends_is_cut(server: FakeRerank) -> None:
    """More than a megabyte is read of nobody."""
    server.script = [Hostile(b" " * 3_000_000 + rows((0, 1.0), (1, 2.0)))]
    with pytest.raises(ModelUnavailable, match="more than"):
        model(server).score("tea", ["a", "bb"])


def test_one_that_nobody_listens_behind_is_told() -> None:
    """The reason names the host."""
    with fake_rerank() as server:
        url = server.url
    with pytest.raises(ModelUnavailable, match=r"127\.0\.0\.1"):
        EndpointReranker("m", Endpoint(url, attempts=1)).score("tea", ["a", "bb"])


def test_the_time_left_is_for_both_forms(server: FakeRerank) -> None:
    """A slow refusal of the first leaves nothing for the second."""
    readings = iter([0.0, 0.0, 0.0, 9.0, 9.0, 9.0, 9.0])
    server.script = [Hostile(status=422)]
    reranker = EndpointReranker("m", Endpoint(server.url, timeout_s=5.0, attempts=1), lambda: next(readings))
    with pytest.raises(ModelUnavailable, match="within 5 s"):
        reranker.score("tea", ["a", "bb"])
    assert len(server.asked) == 1


def test_scores_come_back_in_the_order_of_the_texts() -> None:
    """Whatever their order was."""
    assert scores_in(rows((2, 1), (0, 0.5), (1, -3.0)), 3) == [0.5, -3.0, 1.0]


@pytest.mark.parametrize(
    ("argument", "parts"),
    [
        ("m@http://127.0.0.1:8080/v1", ("m", "http://127.0.0.1:8080/v1")),
        ("team@home/m@https://example.org", ("team@home/m", "https://example.org")),
        ("http://127.0.0.1:8080", ("", "http://127.0.0.1:8080")),
    ],
)
def test_model_and_address_are_told_apart(argument: str, parts: tuple[str, str]) -> None:
    """The address stands behind the last @; alone it names no model."""
    assert model_and_url(argument) == parts


@pytest.mark.parametrize("argument", ["", "m", "m@", "m@localhost:8080", "m@ftp://x", "http://user:pass@host/v1"])
def test_an_address_that_is_none_is_refused(argument: str) -> None:
    """No text goes to a host that nobody named; the error says how an address is written, and not the key."""
    with pytest.raises(InvalidSetting, match="no endpoint") as refused:
        load_reranker(f"rerank:{argument}", api_key=KEY)
    assert "rerank:MODEL@http://" in refused.value.mend
    assert KEY not in str(refused.value)


# In the engine

KEPT = ("The kite is red.", "The kite of my sister is blue and very long.", "A kite flew over the harbour.")


def read_by(server: FakeRerank, scope: Scope, deadline_ms: int = 30_000) -> tuple[list[str], str]:
    """What a recall hands over where this endpoint reads, and what the trace says of it."""
    limits = RerankSettings(weight=10.0, deadline_ms=deadline_ms)
    with Reverie.open(":memory:", embedder=None, reranker=f"rerank:m@{server.url}", rerank=limits) as engine:
        for text in KEPT:
            engine.remember(text, scope)
        answer = engine.recall("red kite", scope)
    note = next(step.note for step in answer.trace if step.stage == "reader")
    return [hit.memory.text for hit in answer.hits], note


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_recall_is_reranked_by_any_of_them(dialect: str, scope: Scope) -> None:
    """The longest, which these servers like, comes first."""
    with fake_rerank(dialect) as server:
        texts, note = read_by(server, scope)
    assert texts == sorted(KEPT, key=len, reverse=True)
    assert note.startswith("3 read")


@pytest.mark.parametrize(
    "hostile", [Hostile(b"<html>"), Hostile(status=500), Hostile(rows((0, 1), (0, 1), (2, 1))), Hostile(status=302)]
)
def test_a_bad_answer_leaves_the_order_and_a_reason(server: FakeRerank, scope: Scope, hostile: Hostile) -> None:
    """Best by words is first, as without a reranker."""
    server.script = [hostile]
    texts, note = read_by(server, scope)
    assert texts[0] == "The kite is red."
    assert sorted(texts) == sorted(KEPT)
    assert note.startswith("skipped: The rerank endpoint at 127.0.0.1")


def test_a_slow_endpoint_costs_the_deadline_and_no_more(server: FakeRerank, scope: Scope) -> None:
    """The answer comes without it."""
    goes_on = Event()
    server.script = [Hostile(b"{}", goes_on=goes_on)]
    texts, note = read_by(server, scope, deadline_ms=50)
    goes_on.set()
    assert texts[0] == "The kite is red."
    assert "within" in note
