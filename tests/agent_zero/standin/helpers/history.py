"""The stand-in's history: a message's content is a mapping, and its text is JSON behind the speaker's name."""

from __future__ import annotations

import json
from typing import Any


class Message:
    def __init__(self, ai: bool, content: Any) -> None:
        self.ai, self.content, self.summary = ai, content, ""

    def output(self) -> list[dict[str, Any]]:
        return [{"ai": self.ai, "content": self.summary or self.content}]

    def output_text(self, human_label: str = "user", ai_label: str = "ai") -> str:
        return "\n".join(_text(one, ai_label if one["ai"] else human_label) for one in self.output())


class History:
    def __init__(self, agent: Any) -> None:
        self.agent, self.messages = agent, []

    def add_message(self, ai: bool, content: Any) -> Message:
        self.messages.append(Message(ai, content))
        return self.messages[-1]

    def output(self) -> list[dict[str, Any]]:
        return [one for message in self.messages for one in message.output()]

    def output_text(self, human_label: str = "user", ai_label: str = "ai") -> str:
        return "\n".join(message.output_text(human_label, ai_label) for message in self.messages)


def _text(one: dict[str, Any], label: str) -> str:
    content = one["content"]
    return f"{label}: {content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)}"
