from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from reverie.models.llm_call import Reply, Wire, asked_pause_s
from reverie.models.llm_port import Failed, Why
from reverie.models.openai import Endpoint
from tests.models import fake_chat
from tests.models.fake_chat import FakeChat

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeChat]:
    """An endpoint on this machine, reached past any proxy."""
    monkeypatch.setenv("no_proxy", "*")
    with fake_chat.fake_chat() as running:
        yield running


def test_any_status_is_a_reply(server: FakeChat) -> None:
    """With its body and its wish to be left alone."""
    server.script = [fake_chat.Reply(b"busy", 503, {"Retry-After": "7"})]
    assert Wire(Endpoint(server.url), lambda: 0.0).post({}, 5) == Reply(503, b"busy", "7")


def test_without_a_key_no_header_is_sent(server: FakeChat) -> None:
    """Local servers ask for none."""
    server.script = [fake_chat.Reply(b"{}")]
    Wire(Endpoint(server.url + "/"), lambda: 0.0).post({}, 5)
    assert (server.keys, server.paths) == ([None], ["/v1/chat/completions"])


def test_a_server_that_trickles_is_late(server: FakeChat) -> None:
    """Each piece comes in time, the whole does not."""
    server.script = [fake_chat.Reply(b"x" * 300_000)]
    readings = iter(range(0, 10_000, 3))
    late = Wire(Endpoint(server.url), lambda: float(next(readings))).post({}, 5)
    assert isinstance(late, Failed)
    assert late.why is Why.TIMEOUT


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, 0),
        ("", 0),
        ("12", 12),
        ("Sun, 01 Mar 2026 12:00:30 GMT", 30),
        ("Sun, 01 Mar 2026 12:00:30 -0000", 30),
        ("Sun, 01 Mar 2026 11:00:00 GMT", 0),
        ("soon", 0),
        ("-5", 0),
    ],
)
def test_retry_after_is_a_number_or_a_date(header: str | None, seconds: float) -> None:
    """What is neither, or past, asks for nothing."""
    assert asked_pause_s(header, NOW) == seconds
