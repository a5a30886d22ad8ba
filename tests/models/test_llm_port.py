from __future__ import annotations

from reverie.models.llm_port import Failed, LlmAnswer, LlmAsk, LlmField, Why
from tests.models.fake_model import FakeModel


def test_an_answer_and_a_failure_can_be_told_apart_by_type() -> None:
    """The caller's fallback is one isinstance."""
    asked = LlmAsk("t", "t.1", "", (LlmField("a", "b"),), dict)
    failure: LlmAnswer[dict[str, str]] | Failed = FakeModel(Failed(Why.TIMEOUT)).complete(asked)
    assert isinstance(failure, Failed)
    assert f"{failure.why}" == "timeout"
