"""A language model for tests that answers from a list, through the same schema and checks as a real one."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from reverie.models.llm_call import read_answer
from reverie.models.llm_port import Failed, LlmAnswer, LlmAsk, Why

T = TypeVar("T")


class FakeModel:
    """Says each of ``answers`` in turn: a value to be written as JSON, or a failure."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asks: list[LlmAsk[Any]] = []

    def complete(self, ask: LlmAsk[T]) -> LlmAnswer[T] | Failed:
        self.asks.append(ask)
        answer = self.answers.pop(0)
        if isinstance(answer, Failed):
            return answer
        value = read_answer(json.dumps(answer), ask.answer)
        if isinstance(value, Failed):
            return value
        wrong = ask.check(value) if ask.check else ""
        return Failed(Why.REJECTED, wrong) if wrong else LlmAnswer(value, "fake", ask.prompt, 1, 1)

    def texts(self) -> dict[str, str]:
        """The fields of the last ask."""
        return {field.name: field.text for field in self.asks[-1].fields}
