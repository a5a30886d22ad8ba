"""Model and ops log together, put side by side as the engine does it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie.engine.runtime import FixedClock
from reverie.models.llm import ChatModel, ChatSettings, LlmEnvironment
from reverie.models.llm_port import Failed, ModelCall
from reverie.models.llm_tasks import merge
from reverie.models.openai import Endpoint
from reverie.ops.log import OpsEntry, OpsLog, tokens_on
from tests.models.fake_chat import fake_chat, refuses, says

CLOCK = FixedClock(datetime(2026, 3, 1, 12, tzinfo=UTC))


def entry_of(call: ModelCall) -> OpsEntry:
    """A model's call as a line of the log: what failed is done by the heuristic."""
    return OpsEntry(
        op=call.task,
        input=call.input,
        output=call.output,
        model=call.model,
        latency_ms=call.latency_ms,
        success=call.success,
        fallback=not call.success,
        tokens_in=call.tokens_in,
        tokens_out=call.tokens_out,
    )


@pytest.mark.req("D19")
def test_every_call_of_a_model_is_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answered or not, with model, tokens and time, as a masked head; the day's tokens can be read back."""
    monkeypatch.setenv("no_proxy", "*")
    path = tmp_path / "ops-log.jsonl"
    log = OpsLog(path, CLOCK, mask=lambda text: text.replace("hunter2", "***"))
    seconds = iter(range(1000))
    with fake_chat() as server:
        usage = {"prompt_tokens": 300, "completion_tokens": 20}
        server.script = [says({"text": "Ada likes tea; her password is hunter2."}, usage=usage), refuses(401)]
        surroundings = LlmEnvironment(
            CLOCK, lambda: 0.5, lambda call: log.write(entry_of(call)), stopwatch=lambda: float(next(seconds))
        )
        model = ChatModel(ChatSettings("tiny", Endpoint(server.url, api_key="sk-secret")), surroundings)
        assert merge(model, "Ada likes tea.", "Her password is hunter2.") == "Ada likes tea; her password is hunter2."
        assert isinstance(merge(model, "x " * 500, "y"), Failed)
    assert log.close()
    first, second = [json.loads(line) for line in path.read_text().splitlines()]
    assert (first["op"], first["model"], first["success"], first["fallback"]) == ("merge", "tiny", True, False)
    assert (first["tokensIn"], first["tokensOut"]) == (300, 20)
    assert first["latencyMs"] > 0
    assert first["input"] == "Ada likes tea.\nHer password is ***."
    assert (second["success"], second["fallback"]) == (False, True)
    assert len(second["input"]) <= 81
    assert "sk-secret" not in path.read_text()
    assert tokens_on(path, CLOCK.now().date()) == 320
