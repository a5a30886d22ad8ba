"""The stand-in's stock recall: a task that empties the block of memories, looks for some, and writes it anew."""

from __future__ import annotations

import asyncio
from typing import Any

from agent import LoopData
from helpers import plugins
from helpers.extension import Extension
from plugins._memory.helpers.memory import Memory


class RecallMemories(Extension):
    async def execute(self, loop_data: LoopData, **_: Any) -> None:
        how = plugins.get_plugin_config("_memory", self.agent) or {}
        if not how["memory_recall_enabled"]:
            return
        task = None
        if loop_data.iteration % how["memory_recall_interval"] == 0:
            item = self.agent.context.log.log(type="util", heading="Searching memories...")
            task = asyncio.create_task(asyncio.wait_for(self.search_memories(item, loop_data, how), timeout=30))
        self.agent.set_data("_recall_memories_task", task)
        self.agent.set_data("_recall_memories_iter", loop_data.iteration)

    async def search_memories(self, item: Any, loop_data: LoopData, how: dict[str, Any]) -> None:
        extras = loop_data.extras_persistent
        for name in ("memories", "solutions"):
            extras.pop(name, None)
        said = loop_data.user_message.output_text() if loop_data.user_message else "None"
        query = said + "\n\n" + self.agent.history.output_text()[-how["memory_recall_history_len"] :]
        db = await Memory.get(self.agent)
        for name, areas in (("memories", ("main", "fragments")), ("solutions", ("solutions",))):
            found = await db.search_similarity_threshold(
                query=query,
                limit=how[f"memory_recall_{name}_max_search"],
                threshold=how["memory_recall_similarity_threshold"],
                filter=" or ".join(f"area == '{area}'" for area in areas),
            )
            kept = [document.page_content for document in found[: how[f"memory_recall_{name}_max_result"]]]
            item.update(heading=f"{len(kept)} {name} found")
            if kept:
                extras[name] = self.agent.parse_prompt(f"agent.system.{name}.md", **{name: "\n\n".join(kept)})
