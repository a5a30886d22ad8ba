from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from reverie import Reverie
from reverie.config import Settings
from reverie.engine.maintain import Maintenance
from reverie.errors import StoreBusy
from reverie.faces.http import live as following
from reverie.faces.http.parts import Serving
from reverie.faces.http.tokens import Keyring
from tests.faces.http.conftest import NOW, OTHER, SCOPE, Client


async def next_change(changes: AsyncIterator[str]) -> dict[str, Any]:
    """The next event that is no comment."""
    async for text in changes:
        fields = dict(line.split(": ", 1) for line in text.strip().splitlines() if not line.startswith(":"))
        if fields:
            assert fields["event"] == "change"
            return {"id": int(fields["id"]), **json.loads(fields["data"])}
    raise AssertionError("the stream ended")


def test_what_another_process_writes_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An event another engine on the same file makes comes as it happens, of this scope alone."""
    monkeypatch.setattr(following, "LOOK_S", 0.01)
    path = tmp_path / "reverie.db"
    with Reverie.open(path, embedder=None) as ours, Reverie.open(path, embedder=None) as theirs:
        serving = Serving(ours, Settings(), Keyring(None))

        async def run() -> dict[str, Any]:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(serving.live.watch)
                changes = serving.live.follow(SCOPE, None, None)
                assert (await anext(changes)).startswith(":")
                theirs.remember("Not for you.", OTHER)
                kept = theirs.remember("The key is under the mat.", SCOPE).id
                with anyio.fail_after(30):
                    found = await next_change(changes)
                assert found["memories"] == [kept]
                await changes.aclose()  # type: ignore[attr-defined] # it is a generator
                tasks.cancel_scope.cancel()
            return found

        found = anyio.run(run)
    assert found["action"] == "remember"
    assert found["scope"] == {"agent": "helper", "user": "ada", "project": "home"}
    assert found["id"] == found["seq"] == 1


def test_a_store_that_cannot_be_read_is_one_line(
    serving: Serving, engine: Reverie, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Of two runs of failures the first of each, and then it looks on."""
    monkeypatch.setattr(following, "LOOK_S", 0.0)
    busy = StoreBusy("The store is busy.", "Wait.")
    looks: Iterator[int | StoreBusy] = iter([busy, busy, 1, busy, busy, 2])

    def head(self: Reverie) -> int:
        look = next(looks)
        if isinstance(look, StoreBusy):
            raise look
        if look == 2:
            serving.live.end()
        return look

    monkeypatch.setattr(Maintenance, "head", head)
    serving.live._listeners = 1
    anyio.run(serving.live.watch)
    assert caplog.text.count("live changes cannot be read: The store is busy.") == 2


def test_a_client_goes_on_from_where_it_was(client: Client, engine: Reverie) -> None:
    """``after`` and Last-Event-ID give what came later, and the stream ends when it is to."""
    for text in ("one", "two", "three"):
        engine.remember(text, SCOPE, at=NOW)
    whole = client.get("/v1/live", after="0", seconds="0").text
    later = client.ask(
        "GET",
        "/v1/live",
        params={"agent": "helper", "user": "ada", "project": "home", "seconds": "0"},
        headers={"Last-Event-ID": "2"},
    ).text
    assert [line for line in whole.splitlines() if line.startswith("id")] == ["id: 1", "id: 2", "id: 3"]
    assert [line for line in later.splitlines() if line.startswith("id")] == ["id: 3"]


def test_the_stream_is_events_and_never_kept(client: Client) -> None:
    """Its type is that of server-sent events."""
    answer = client.get("/v1/live", seconds="0")
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.headers["cache-control"] == "no-store"


def test_when_the_server_stops_every_stream_ends(serving: Serving) -> None:
    """Whoever follows is let go at once, and counted no longer."""

    async def run() -> list[str]:
        seen = []
        async for text in serving.live.follow(SCOPE, None, None):
            seen.append(text)
            serving.live.end()
        return seen

    assert anyio.run(run) == [": following\n\n"]
    assert "reverie_live_listeners 0.0" in serving.metrics.text().decode()


def test_too_many_are_turned_away(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond so many the next one is told to come later."""
    monkeypatch.setattr(following, "LISTENERS_MAX", 0)
    assert Client(serving).get("/v1/live", seconds="0").status_code == 503


def test_silence_is_broken_now_and_then(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing changes a comment goes out, so that a dead connection is noticed."""
    monkeypatch.setattr(following, "BEAT_S", 0.01)

    async def run() -> list[str]:
        seen: list[str] = []
        async for text in serving.live.follow(SCOPE, None, None):
            seen.append(text)
            if len(seen) == 2:
                serving.live.end()
        return seen

    assert anyio.run(run)[1] == ": still here\n\n"
