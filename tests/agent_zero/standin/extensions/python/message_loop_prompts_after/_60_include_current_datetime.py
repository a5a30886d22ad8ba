"""The stand-in's clock in the prompt: what stands there shows that the loop went on after extension 56."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from agent import LoopData
from helpers.extension import Extension


class IncludeCurrentDatetime(Extension):
    async def execute(self, loop_data: LoopData, **_: Any) -> None:
        now = datetime.now().strftime("%Y-%m-%d %H:%M:%S")  # noqa: DTZ005  # the local time, as the real one gives it
        loop_data.extras_temporary["current_datetime"] = now
