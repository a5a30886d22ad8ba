"""A proxy that stops, or whose model fails, amid an answer: the program is told, what was said is kept."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import anthropic
import httpx
import openai
import pytest
from openai.types.chat import ChatCompletionChunk

from reverie import Reverie, Scope
from reverie.config import ProxySettings
from reverie.faces.http.proxy import Proxy, application
from reverie.faces.http.server import Server
from reverie.faces.http.tokens import Keyring
from tests.loopback import ANY_PORT, serving

CLI = "import sys; from reverie.faces.cli import main; sys.exit(main())"
SCOPE = Scope("chat", "ada", "home")
FACT = "My sister Elif moved to Ankara in May."
CHAT = b'data: {"choices": [{"index": 0, "delta": {"content": "Noted. "}}]}\n\n'
MESSAGES = (
    b'event: content_block_delta\ndata: {"type": "content_block_delta", "index": 0, '
    b'"delta": {"type": "text_delta", "text": "Noted. "}}\n\n'
)
PATIENCE_S = 60.0


@contextmanager
def model(*, breaks_off: bool = False, asked: threading.Event | None = None) -> Iterator[str]:
    """A model that answers until nobody listens; or breaks its answer off; or, at /silent, never begins."""
    over = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing on the terminal."""

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            while "/silent" in self.path and not over.wait(0.05):
                (asked or over).set()
            event = MESSAGES if "messages" in self.path else CHAT
            self.send_response(200)
            self.send_header("content-type", "text/plain" if "/plain" in self.path else "text/event-stream")
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            try:
                while not over.wait(0.05):
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(event), event))
                    if breaks_off:
                        break
            except OSError:
                pass
            self.close_connection = True

    with serving(ThreadingHTTPServer(ANY_PORT, Handler)) as server:
        yield f"http://127.0.0.1:{server.server_port}"
        over.set()


@contextmanager
def proxy(folder: Path, upstream: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`reverie proxy` as a process of its own, and its base URL."""
    Reverie.open(folder / "reverie.db", embedder=None).close()
    command = [sys.executable, "-c", CLI, "proxy", "--port", "0", "--no-model", "--open", "--upstream", upstream]
    named = {"REVERIE_STORE": str(folder / "reverie.db")}
    named |= {f"REVERIE_{part.upper()}": getattr(SCOPE, part) for part in ("agent", "user", "project")}
    running = subprocess.Popen(
        command, cwd=folder, env={**os.environ, **named}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert running.stdout is not None
        yield running, running.stdout.readline().split()[-1]
    finally:
        running.kill()
        running.communicate()


def ended(running: subprocess.Popen[str]) -> str:
    """What the process wrote on standard error until it ended, which must be with 0 and without a traceback."""
    _, errors = running.communicate(timeout=PATIENCE_S)
    assert running.returncode == 0, errors
    assert "Traceback" not in errors
    return errors


def said(folder: Path) -> list[str]:
    """What is kept, oldest first."""
    with Reverie.open(folder / "reverie.db", embedder=None) as engine:
        assert engine.admin.verify() == []
        kept = [one for one in engine.timeline(SCOPE) if str(one.kind) == "episode"]
    return [one.text for one in sorted(kept, key=lambda one: one.seq)]


def asked(chat: openai.OpenAI) -> openai.Stream[ChatCompletionChunk]:
    """The stream of an answer to the fact."""
    return chat.chat.completions.create(model="m", messages=[{"role": "user", "content": FACT}], stream=True)


def test_stopped_twice_amid_a_stream_it_ends_in_order(tmp_path: Path) -> None:
    """It ends at once, with 0: the client raises an error that says why, and what was said is kept."""
    with model() as upstream, proxy(tmp_path, upstream) as (running, base):
        chat = openai.OpenAI(base_url=base, api_key="sk", max_retries=0)
        with (
            chat,
            asked(chat) as stream,
        ):
            running.send_signal(signal.SIGINT)
            for _ in range(5):  # it still answers, until it is told once more
                assert next(stream).choices[0].delta.content == "Noted. "
            running.send_signal(signal.SIGINT)
            with pytest.raises(openai.APIError, match="proxy was stopped"):
                list(stream)
        assert "stop again" in ended(running)
    question, answer = said(tmp_path)
    assert question == FACT
    assert answer.startswith("Noted. Noted.")


def test_stopped_once_an_answer_gets_a_while(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A stream that does not end by itself is ended when patience is over; Anthropic's client is told why, too."""
    where: list[str] = []
    ready = threading.Event()
    engine = Reverie.open(tmp_path / "reverie.db", embedder=None)
    with model() as upstream, engine:
        parts = Proxy(engine, ProxySettings(upstream=upstream), Keyring(None), SCOPE, is_open=True)
        told = [where.append, lambda _: ready.set()]
        server = Server(
            application(parts), ("127.0.0.1", 0), lambda at: [tell(at) for tell in told], parts.running.end, 0.3
        )
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        assert ready.wait(PATIENCE_S)
        client = anthropic.Anthropic(base_url=where[0], api_key="sk", max_retries=0)
        with (
            client,
            client.messages.create(
                model="m", max_tokens=9, messages=[{"role": "user", "content": FACT}], stream=True
            ) as stream,
        ):
            next(iter(stream))
            server.should_exit = True
            with pytest.raises(anthropic.APIStatusError, match="proxy was stopped"):
                list(stream)
        thread.join(PATIENCE_S)
    assert said(tmp_path)[0] == FACT
    assert [one for one in caplog.records if one.levelname == "ERROR"] == []


def test_stopped_before_the_first_byte_or_amid_no_stream(tmp_path: Path) -> None:
    """A program that still waits is answered 503; one that is amid another kind of answer finds it without its end."""
    body = {"messages": [{"role": "user", "content": FACT}]}
    answers: list[httpx.Response] = []
    asked = threading.Event()
    with model(asked=asked) as upstream, proxy(tmp_path, upstream) as (running, base):
        waiting = threading.Thread(
            target=lambda: answers.append(httpx.post(f"{base}/silent/chat/completions", json=body, timeout=PATIENCE_S))
        )
        waiting.start()
        assert asked.wait(PATIENCE_S)
        with httpx.stream("POST", f"{base}/plain", json=body, timeout=PATIENCE_S) as plain:
            pieces = plain.iter_raw()
            assert next(pieces)
            running.send_signal(signal.SIGINT)
            running.send_signal(signal.SIGTERM)
            with pytest.raises(httpx.RemoteProtocolError):
                list(pieces)
        waiting.join(PATIENCE_S)
        ended(running)
    assert answers[0].status_code == 503
    assert answers[0].json()["error"]["code"] == "proxy-stopped"
    assert said(tmp_path) == []


def test_a_model_that_breaks_its_answer_off(tmp_path: Path) -> None:
    """The program is told; what the model said is kept; the proxy goes on without a traceback."""
    with model(breaks_off=True) as upstream, proxy(tmp_path, upstream) as (running, base):
        chat = openai.OpenAI(base_url=base, api_key="sk", max_retries=0)
        with (
            chat,
            asked(chat) as stream,
            pytest.raises(openai.APIError, match="broke its answer off"),
        ):
            list(stream)
        running.send_signal(signal.SIGTERM)
        ended(running)
    assert said(tmp_path) == [FACT, "Noted. "]
