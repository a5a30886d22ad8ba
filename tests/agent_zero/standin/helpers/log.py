"""The stand-in's log: items that can be added to."""

from __future__ import annotations

from typing import Any


class LogItem:
    def __init__(self, type: str, heading: str = "", content: str = "", kvps: dict[str, Any] | None = None) -> None:
        self.type, self.heading, self.content, self.kvps = type, heading, content, dict(kvps or {})

    def update(self, heading: str | None = None, content: str | None = None, **more: Any) -> None:
        self.heading = self.heading if heading is None else heading
        self.content = self.content if content is None else content
        self.kvps.update(more)

    def stream(self, heading: str = "", content: str = "", **more: str) -> None:
        self.update(self.heading + heading, self.content + content)
        for key, value in more.items():
            self.kvps[key] = self.kvps.get(key, "") + value


class Log:
    def __init__(self) -> None:
        self.logs: list[LogItem] = []

    def log(  # the real one's parameters
        self,
        type: str,
        heading: str | None = None,
        content: str | None = None,
        kvps: dict[str, Any] | None = None,
        update_progress: str | None = None,
        id: str | None = None,
        **more: Any,
    ) -> LogItem:
        self.logs.append(LogItem(type, heading or "", content or "", {**(kvps or {}), **more}))
        return self.logs[-1]
