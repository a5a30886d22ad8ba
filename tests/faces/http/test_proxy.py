"""The proxy before a language model's API: the official clients, a played model, and what is kept and added between."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, TypeVar, cast

import anthropic
import httpx
import openai
import pytest

from reverie import Reverie, Scope
from reverie.config import ProxySettings
from reverie.errors import InvalidSetting, StoreError
from reverie.faces.http.dialects import CHAT, MESSAGES, RESPONSES, Dialect, ReplyReader, dialect_of
from reverie.faces.http.proxy import Proxy, application
from reverie.faces.http.server import Server, serve_proxy
from reverie.faces.http.tokens import Keyring, Right
from tests.faces.http.conftest import NOW, OTHER, SCOPE
from tests.faces.http.played import ANSWER, Played, playing

FACT = "My sister Elif moved to Ankara in May."
QUESTION = "Where does my sister Elif live now?"
MARK = "[[reverie:"
FIRST = {"model": "m", "messages": [{"role": "user", "content": QUESTION}]}
Token = Callable[..., str]
Client = TypeVar("Client", openai.OpenAI, anthropic.Anthropic)


@pytest.fixture(scope="module")
def module_model() -> Iterator[Played]:
    """A played model for the whole module."""
    with playing() as found:
        yield found


@pytest.fixture
def model(module_model: Played) -> Played:
    """The played model, which was asked nothing yet."""
    module_model.asked.clear()
    module_model.status = 200
    return module_model


class _Clock:
    """A time that a test sets."""

    def __init__(self) -> None:
        self.at = NOW

    def now(self) -> datetime:
        return self.at


@pytest.fixture
def clock() -> _Clock:
    """The proxy's time."""
    return _Clock()


_STACK: list[ExitStack] = []


@pytest.fixture(autouse=True)
def _clients_closed() -> Iterator[None]:
    """Close every client that a test opened."""
    with ExitStack() as stack:
        _STACK.append(stack)
        yield
        _STACK.remove(stack)


def opened(kind: type[Client], address: str, key: str) -> Client:
    """An official client of the proxy, which asks once and is closed when the test ends."""
    client: Any = kind(base_url=address, api_key=key, max_retries=0)  # type: ignore[call-arg] # both take these
    return cast("Client", _STACK[-1].enter_context(client))


@contextmanager
def running(proxy: Proxy) -> Iterator[str]:
    """The proxy on a free port until the block ends, and its address."""
    found: list[str] = []
    ready = threading.Event()

    def told(where: str) -> None:
        found.append(where)
        ready.set()

    server = Server(application(proxy), ("127.0.0.1", 0), told, lambda: None)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    assert ready.wait(30)
    try:
        yield found[0]
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture
def proxy(engine: Reverie, keyring: Keyring, model: Played, clock: _Clock) -> Proxy:
    """A proxy before the played model."""
    settings = ProxySettings(upstream=model.url, key="sk-upstream", deadline_ms=20_000)
    return Proxy(engine, settings, keyring, SCOPE, now=clock.now)


@pytest.fixture
def address(proxy: Proxy) -> Iterator[str]:
    """Where it answers."""
    with running(proxy) as where:
        yield where


def kept(engine: Reverie, scope: Scope = SCOPE, least: int = 0) -> list[tuple[str, str]]:
    """What is kept of both sides, oldest first; an answer arrives before it is kept, so ``least`` are waited for."""
    for _ in range(3000):
        found = [one for one in engine.timeline(scope) if str(one.kind) == "episode"]
        if len(found) >= least:
            break
        threading.Event().wait(0.01)
    found.sort(key=lambda one: (one.at, one.session, one.seq))
    return [(str(one.role), one.text) for one in found]


def test_openai_chat_gets_memories_and_is_kept(engine: Reverie, address: str, model: Played, token: Token) -> None:
    """What was said in one conversation reaches the model in another, fenced; only what was said is kept."""
    client = opened(openai.OpenAI, address, token(Right.WRITE))
    for text in (FACT, QUESTION):
        answer = client.chat.completions.create(model="m", messages=[{"role": "user", "content": text}])
        assert answer.choices[0].message.content == ANSWER
        kept(engine, least=2)
    first, second = (body["messages"][0]["content"] for body in model.bodies())
    assert first == FACT
    assert second.startswith(QUESTION)
    assert MARK in second
    assert FACT in second
    told = kept(engine, least=4)
    assert sorted(told) == sorted([("user", FACT), ("assistant", ANSWER), ("user", QUESTION), ("assistant", ANSWER)])
    assert {path for path, _, _ in model.asked} == {"/base/chat/completions"}


def test_openai_streams_and_responses(engine: Reverie, address: str, model: Played, token: Token) -> None:
    """A streamed chat and both kinds of the Responses protocol give the same text, and are kept as such."""
    engine.remember(FACT, SCOPE, at=NOW - timedelta(days=1))
    client = opened(openai.OpenAI, address, token(Right.WRITE))
    stream = client.chat.completions.create(model="m", messages=[{"role": "user", "content": QUESTION}], stream=True)
    assert "".join(chunk.choices[0].delta.content or "" for chunk in stream) == ANSWER
    assert client.responses.create(model="m", input=f"{QUESTION} Say it.").output_text == ANSWER
    asked: Any = [{"role": "user", "content": [{"type": "input_text", "text": f"Tell me: {QUESTION}"}]}]
    with client.responses.stream(model="m", input=asked) as events:
        assert "".join(one.delta for one in events if one.type == "response.output_text.delta") == ANSWER
    chat, plain, listed = model.bodies()
    assert FACT in chat["messages"][0]["content"]
    assert FACT in plain["input"]
    assert listed["input"][0]["content"][0]["text"] == f"Tell me: {QUESTION}"
    assert FACT in listed["input"][0]["content"][1]["text"]
    assert [text for role, text in kept(engine, least=7) if role == "assistant"] == [ANSWER] * 3


def test_anthropic_gets_memories_and_is_kept(engine: Reverie, address: str, model: Played, token: Token) -> None:
    """Anthropic's client, whole and streamed, with a tool call in the answer."""
    engine.remember(FACT, SCOPE, at=NOW - timedelta(days=1))
    client = opened(anthropic.Anthropic, address, token(Right.WRITE))
    tools: Any = [{"name": "look_up", "input_schema": {"type": "object"}}]
    whole = client.messages.create(
        model="m", max_tokens=9, tools=tools, messages=[{"role": "user", "content": QUESTION}]
    )
    assert [part.type for part in whole.content] == ["text", "tool_use"]
    told: Any = [{"type": "text", "text": f"{QUESTION} Please.", "cache_control": {"type": "ephemeral"}}]
    with client.messages.stream(model="m", max_tokens=9, messages=[{"role": "user", "content": told}]) as stream:
        assert "".join(stream.text_stream) == ANSWER
    first, second = (body["messages"][0]["content"] for body in model.bodies())
    assert FACT in first
    assert second[0] == told[0]
    assert FACT in second[1]["text"]
    assert {path for path, _, _ in model.asked} == {"/base/v1/messages"}
    assert ("assistant", ANSWER) in kept(engine, least=5)
    assert not any(MARK in text for _, text in kept(engine))


def test_streams_pass_byte_for_byte(address: str, model: Played, token: Token) -> None:
    """Streamed tool calls arrive as the model sent them, with its headers and without a token of ours going out."""
    own = token(Right.WRITE)
    request = {**FIRST, "stream": True, "tools": [{"type": "function"}]}
    straight = httpx.post(f"{model.url}/chat/completions", json=request)
    passed = httpx.post(
        f"{address}/key/{own}/chat/completions?a=1", json=request, headers={"Authorization": "Bearer sk-mine"}
    )
    assert passed.content == straight.content
    assert passed.headers["x-model"] == "played"
    path, headers, _ = model.asked[-1]
    assert path == "/base/chat/completions?a=1"
    assert headers["authorization"] == "Bearer sk-mine"
    assert not any(own in text for text in (path, *headers.values()))


def test_added_blocks_stay_the_same_bytes(engine: Reverie, address: str, model: Played, token: Token) -> None:
    """Later requests of a conversation hold its earlier ones unchanged, so that a model's prompt cache holds."""
    engine.remember(FACT, SCOPE, at=NOW - timedelta(days=1))
    engine.remember("Elif's flat in Ankara has a green door.", SCOPE, at=NOW - timedelta(days=1))
    client = opened(openai.OpenAI, address, token(Right.WRITE))
    said: list[Any] = []
    for text in (QUESTION, "What colour is the door of Elif's flat?", "And when did Elif move?"):
        said.append({"role": "user", "content": text})
        answer = client.chat.completions.create(model="m", messages=said)
        said.append({"role": "assistant", "content": answer.choices[0].message.content})
        kept(engine, least=2 + len(said))
    requests = [body["messages"] for body in model.bodies()]
    for before, after in pairwise(requests):
        assert after[: len(before)] == before
    told = "".join(str(one["content"]) for one in requests[-1])
    assert told.count(FACT) == 1
    assert len({one.session for one in engine.timeline(SCOPE) if one.session.startswith("proxy-")}) == 1
    client.chat.completions.create(model="m", messages=[*said[2:], {"role": "user", "content": "Thanks."}])
    assert len({one.session for one in engine.timeline(SCOPE) if one.session.startswith("proxy-")}) == 1


def test_the_turn_after_a_tool_is_not_asked_again(engine: Reverie, address: str, model: Played, token: Token) -> None:
    """A request that brings a tool's result gets the block of its question again, and keeps nothing twice."""
    engine.remember(FACT, SCOPE, at=NOW - timedelta(days=1))
    own = token(Right.WRITE)
    call = {"role": "assistant", "content": None, "tool_calls": [{"id": "t1"}]}
    more = [*FIRST["messages"], call, {"role": "tool", "tool_call_id": "t1", "content": "sunny"}]
    for messages in (FIRST["messages"], more):
        httpx.post(f"{address}/key/{own}/chat/completions", json={"model": "m", "messages": messages})
    first, second = (body["messages"] for body in model.bodies())
    assert FACT in first[0]["content"]
    assert second[0] == first[0]
    assert second[1:] == more[1:]
    assert [text for role, text in kept(engine, least=3) if role == "user" and text == QUESTION] == [QUESTION]


def test_a_request_sent_again_is_kept_once(engine: Reverie, address: str, clock: _Clock, token: Token) -> None:
    """The same first message within a minute is a retry; later it begins another conversation."""
    own = token(Right.WRITE)
    for minutes in (0, 0, 5):
        clock.at += timedelta(minutes=minutes)
        httpx.post(f"{address}/key/{own}/chat/completions", json=FIRST)
    assert kept(engine, least=4).count(("user", QUESTION)) == 2


def test_keys_keep_scopes_apart(engine: Reverie, address: str, model: Played, token: Token) -> None:
    """Each token has its own memory; it reaches no other by a header, and an unknown one reaches nothing."""
    ada, bob = token(Right.WRITE, SCOPE), token(Right.WRITE, OTHER)
    say = {"model": "m", "messages": [{"role": "user", "content": FACT}]}
    httpx.post(f"{address}/key/{ada}/chat/completions", json=say)
    kept(engine, SCOPE, 2)
    httpx.post(f"{address}/key/{bob}/chat/completions", json=FIRST)
    assert FACT not in json.dumps(model.bodies()[-1])
    crossed = httpx.post(f"{address}/key/{bob}/chat/completions", json=FIRST, headers={"X-Reverie-User": "ada"})
    assert crossed.status_code == 403
    asked = len(model.asked)
    with pytest.raises(openai.AuthenticationError):
        opened(openai.OpenAI, address, "rev_unknown").models.list()
    with pytest.raises(anthropic.AuthenticationError):
        opened(anthropic.Anthropic, address, "sk-theirs").models.list()
    assert len(model.asked) == asked
    assert kept(engine, OTHER, 2) == [("user", QUESTION), ("assistant", ANSWER)]


def test_a_key_for_everything_names_its_scope(engine: Reverie, address: str, token: Token) -> None:
    """A service with one token says by headers whose memory and which conversation it means."""
    headers = {"X-Reverie-User": "bob", "X-Reverie-Session": "chat-7"}
    httpx.post(f"{address}/key/{token(Right.WRITE, None)}/chat/completions", json=FIRST, headers=headers)
    kept(engine, OTHER, 2)
    assert [one.session for one in engine.timeline(OTHER)] == ["chat-7", "chat-7"]
    assert engine.timeline(SCOPE) == []


def test_a_reading_key_keeps_nothing(engine: Reverie, address: str, model: Played, token: Token) -> None:
    """It recalls; nothing of its conversations is kept. The model's key is sent instead of the token."""
    engine.remember(FACT, SCOPE, at=NOW - timedelta(days=1))
    own = token(Right.READ)
    httpx.post(f"{address}/v1/messages", json=FIRST, headers={"x-api-key": own})
    assert FACT in json.dumps(model.bodies()[0])
    assert model.asked[0][1]["x-api-key"] == "sk-upstream"
    assert kept(engine) == [("user", FACT)]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"no json",
        b"[1]",
        b'{"messages": 3}',
        b'{"messages": []}',
        b'{"messages": [{"role": "user", "content": 5}, 7, null]}',
        b'{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"x"}}]}]}',
        b'{"messages":[{"role":"user","content":"  \\u0000 "}],  "n": 1.0}',
        b"[" * 100_000,
    ],
)
def test_odd_requests_pass_unchanged(address: str, model: Played, token: Token, body: bytes) -> None:
    """What it does not understand, or has nothing to add to, reaches the model byte for byte."""
    assert httpx.post(f"{address}/key/{token(Right.WRITE)}/chat/completions", content=body).status_code == 200
    assert model.asked[-1][2] == body


def test_lone_surrogates_and_emoji_survive(engine: Reverie, address: str, model: Played, token: Token) -> None:
    """A text with half a character gets memories as any other, and says the same afterwards."""
    engine.remember(FACT, SCOPE, at=NOW - timedelta(days=1))
    odd = QUESTION + " \ud83d \U0001f642 مرحبا"
    body = json.dumps({"messages": [{"role": "user", "content": odd}]}).encode()
    httpx.post(f"{address}/key/{token(Right.WRITE)}/chat/completions", content=body)
    told = model.bodies()[0]["messages"][0]["content"]
    assert told.startswith(odd)
    assert FACT in told


def test_a_broken_memory_stops_nothing(
    proxy: Proxy, address: str, model: Played, token: Token, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If recall and keeping fail, the request and the answer pass all the same."""

    def broken(*_: object, **__: object) -> Any:
        raise StoreError("The store is gone.", "Look for it.")

    monkeypatch.setattr(proxy.engine, "recall", broken)
    monkeypatch.setattr(proxy.engine, "observe", broken)
    answer = httpx.post(f"{address}/key/{token(Right.WRITE)}/chat/completions", json=FIRST)
    assert answer.json()["choices"][0]["message"]["content"] == ANSWER
    assert model.bodies() == [FIRST]


def test_a_slow_memory_is_not_waited_for(
    engine: Reverie, keyring: Keyring, model: Played, token: Token, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After proxy.deadline_ms the request goes on without memories, and is still kept."""
    release = threading.Event()
    recall = engine.recall

    def slow(*given: Any, **named: Any) -> Any:
        release.wait(30)
        return recall(*given, **named)

    monkeypatch.setattr(engine, "recall", slow)
    proxy = Proxy(engine, ProxySettings(upstream=model.url, deadline_ms=500), keyring, SCOPE)
    with running(proxy) as address:
        answer = httpx.post(f"{address}/key/{token(Right.WRITE)}/chat/completions", json=FIRST)
        release.set()
    assert answer.status_code == 200
    assert model.bodies() == [FIRST]
    assert ("user", QUESTION) in kept(engine, least=2)


def test_a_refusal_of_the_model_is_passed_and_not_kept(
    engine: Reverie, address: str, model: Played, token: Token
) -> None:
    """A status of the model's server arrives as it is; what got no answer is not kept."""
    model.status = 429
    client = opened(openai.OpenAI, address, token(Right.WRITE))
    with pytest.raises(openai.RateLimitError):
        client.chat.completions.create(model="m", messages=[{"role": "user", "content": QUESTION}])
    assert kept(engine) == []


def test_a_model_that_is_not_there_is_an_error_with_a_mend(engine: Reverie, keyring: Keyring, token: Token) -> None:
    """502 in the shape that clients read, which says what to look at."""
    proxy = Proxy(engine, ProxySettings(upstream="http://127.0.0.1:9/v1"), keyring, SCOPE)
    with running(proxy) as address:
        client = opened(openai.OpenAI, address, token(Right.WRITE))
        with pytest.raises(openai.InternalServerError, match=r"proxy\.upstream"):
            client.models.list()


def test_a_program_that_has_gone_keeps_no_model_thinking(engine: Reverie, keyring: Keyring, token: Token) -> None:
    """The line to the model is closed soon after the program's, not when the model would have answered."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        settings = ProxySettings(upstream=f"http://127.0.0.1:{door.getsockname()[1]}/v1")
        with running(Proxy(engine, settings, keyring, SCOPE)) as address:
            with pytest.raises(httpx.ReadTimeout):
                httpx.post(f"{address}/key/{token(Right.WRITE)}/chat/completions", json=FIRST, timeout=1.0)
            door.settimeout(30)
            line, _ = door.accept()
            with line:
                line.settimeout(30)
                while line.recv(65_536):
                    pass  # the request; then nothing, as the line is closed


def test_paths_and_sizes_are_bounded(engine: Reverie, keyring: Keyring, model: Played, token: Token) -> None:
    """No path leads out of the model's base, and a body over the limit is refused before it is sent."""
    settings = ProxySettings(upstream=model.url, body_mb=1)
    with running(Proxy(engine, settings, keyring, SCOPE)) as address:
        own = token(Right.WRITE)
        assert httpx.get(f"{address}/key/{own}/a/%2e%2e/%2e%2e/secret").status_code == 403
        assert httpx.post(f"{address}/key/{own}/messages", content=b"x" * 1_000_001).status_code == 413
    assert model.asked == []


def test_without_a_token_only_for_this_machines_programs(
    engine: Reverie, keyring: Keyring, model: Played, clock: _Clock
) -> None:
    """--open asks for no token, and still refuses a page of another site and another host's name."""
    proxy = Proxy(engine, ProxySettings(upstream=model.url), keyring, SCOPE, is_open=True, now=clock.now)
    with running(proxy) as address:
        assert httpx.post(f"{address}/chat/completions", json=FIRST).status_code == 200
        for headers in ({"Origin": "https://elsewhere.example"}, {"Host": "rebound.example"}):
            assert httpx.post(f"{address}/chat/completions", json=FIRST, headers=headers).status_code == 403
    assert len(model.asked) == 1


def test_it_does_not_start_where_it_would_be_open_to_others(proxy: Proxy) -> None:
    """Without a model's address, or on another address without a token, it says what to do."""
    with pytest.raises(InvalidSetting, match="--upstream"):
        serve_proxy(replace(proxy, settings=ProxySettings()), print)
    with pytest.raises(InvalidSetting, match="token"):
        serve_proxy(replace(proxy, settings=replace(proxy.settings, host="0.0.0.0"), is_open=True), print)


@pytest.mark.parametrize(
    ("path", "request_", "dialect"),
    [
        ("/chat/completions", {"messages": []}, CHAT),
        ("/openai/deployments/x/chat/completions", {"messages": []}, CHAT),
        ("/v1/responses/", {"input": []}, RESPONSES),
        ("/v1/responses", {"input": "Hello"}, RESPONSES),
        ("/v1/messages", {"messages": []}, MESSAGES),
        ("/v1/messages/count_tokens", {"messages": []}, None),
        ("/v1/threads/thread_1/messages", {"role": "user", "content": "Hello"}, None),
        ("/v1/threads/thread_1/messages", {"role": "user", "content": "Hello", "messages": "no list"}, None),
        ("/embeddings", {"input": "Hello"}, None),
    ],
)
def test_a_protocol_is_known_by_path_and_conversation(
    path: str, request_: dict[str, object], dialect: Dialect | None
) -> None:
    """Every other request is only passed on, also one whose path ends as another protocol's."""
    assert dialect_of(path, request_) is dialect


def test_a_message_of_a_thread_passes_unchanged(engine: Reverie, address: str, model: Played, token: Token) -> None:
    """OpenAI's Assistants keep a conversation themselves: no memory is added, nothing is kept, compression is asked."""
    engine.remember(FACT, SCOPE, at=NOW - timedelta(days=1))
    body = json.dumps({"role": "user", "content": QUESTION}).encode()
    where = f"{address}/key/{token(Right.WRITE)}/v1/threads/thread_1/messages"
    httpx.post(where, content=body, headers={"accept-encoding": "gzip"})
    assert model.asked[-1][2] == body
    assert model.asked[-1][1]["accept-encoding"] == "gzip"
    assert kept(engine) == [("user", FACT)]


def test_a_stream_is_read_in_any_pieces() -> None:
    """However the bytes are cut, the text is the same; broken lines are left out, and a limit holds."""
    line = b'data: {"type":"content_block_delta","delta":{"type":"text_delta","text":"\xc4\x9fa"}}\r\n'
    whole = b": ping\r\n" + line + b"data: {broken\n" + line
    for size in (1, 2, 7, len(whole)):
        reader = ReplyReader(MESSAGES, streamed=True, most=10_000)
        for at in range(0, len(whole), size):
            reader.feed(whole[at : at + size])
        assert reader.text() == "ğağa"
    short = ReplyReader(MESSAGES, streamed=False, most=3)
    short.feed(b"{}  ")
    assert short.text() == ""
