"""The stand-in's wait for the stock recall; in the delayed mode not in the turn that began it."""

from __future__ import annotations

from typing import Any

from agent import LoopData
from helpers import plugins
from helpers.extension import Extension


class RecallWait(Extension):
    async def execute(self, loop_data: LoopData, **_: Any) -> None:
        how = plugins.get_plugin_config("_memory", self.agent) or {}
        task = self.agent.get_data("_recall_memories_task")
        if not task or task.done():
            return
        if how["memory_recall_delayed"] and self.agent.get_data("_recall_memories_iter") == loop_data.iteration:
            loop_data.extras_temporary["memory_recall_delayed"] = "Memories are still being looked for."
            return
        await task
