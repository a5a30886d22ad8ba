from __future__ import annotations

from reverie.models.llm_limits import AtMost
from reverie.models.llm_port import Answer, Ask, Failed, Field, LanguageModel, Why
from reverie.models.llm_tasks import Routed, route
from tests.models.fake_model import FakeModel


def test_a_wrapped_model_is_a_model() -> None:
    """What takes a model takes one behind a limit as well."""
    model: LanguageModel = AtMost(AtMost(FakeModel({"intent": "causal", "confidence": 0.5}), 2), 1)
    assert route(model, "Why?") == Routed("causal", 0.5)
    assert isinstance(route(model, "Why?"), Failed)


def test_an_answer_and_a_failure_can_be_told_apart_by_type() -> None:
    """The caller's fallback is one isinstance."""
    asked = Ask("t", "t.1", "", (Field("a", "b"),), dict)
    failure: Answer[dict[str, str]] | Failed = FakeModel(Failed(Why.TIMEOUT)).complete(asked)
    assert isinstance(failure, Failed)
    assert f"{failure.why}" == "timeout"
