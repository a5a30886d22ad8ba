"""The tools: in, nothing; out, the table of what a model may call, as short as it can be told.

Recalling counts as read-only: it notes that a memory was used, and changes nothing that anybody said. What shall hold
no longer, or shall say something else, is closed and kept, but a person may want to be asked first: destructive.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mcp import types
from pydantic import BaseModel

from reverie.faces.mcp import values
from reverie.faces.mcp.service import Service
from reverie.faces.mcp.values import input_schema, output_schema


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: what it is for, what it takes and gives, who does its work; ``long``: it tells how far it is."""

    name: str
    about: str
    takes: type[values.Input]
    gives: type[values.Output]
    work: Callable[..., values.Output]
    reads: bool = False
    destroys: bool = False
    repeats: bool = False
    long: bool = False

    def told(self) -> types.Tool:
        """The tool as a client is told of it."""
        return types.Tool(
            name=self.name,
            description=self.about,
            input_schema=dict(input_schema(self.takes)),
            output_schema=dict(output_schema(self.gives)),
            annotations=types.ToolAnnotations(
                read_only_hint=self.reads,
                destructive_hint=self.destroys,
                idempotent_hint=self.repeats,
                open_world_hint=False,
            ),
        )


TOOLS = {
    tool.name: tool
    for tool in (
        Tool(
            "memory_recall",
            "Find what is remembered. Ask before answering about the user, earlier talks or decisions.",
            values.Recall,
            values.Recalled,
            Service.recall,
            reads=True,
            repeats=True,
        ),
        Tool(
            "memory_store",
            "Remember a fact, preference or decision, in a whole sentence.",
            values.Store,
            values.Stored,
            Service.store,
        ),
        Tool(
            "memory_get",
            "One memory: text, history, links.",
            values.Named,
            values.Whole,
            Service.get,
            True,
            False,
            True,
        ),
        Tool("memory_list", "The latest memories.", values.Listing, values.Notes, Service.list, True, False, True),
        Tool(
            "memory_update",
            "Correct a memory; the old text is kept as past.",
            values.Update,
            values.Changed,
            Service.update,
            destroys=True,
            repeats=True,
        ),
        Tool(
            "memory_forget",
            "Recall a memory no more; nothing is deleted.",
            values.Forget,
            values.Changed,
            Service.forget,
            destroys=True,
            repeats=True,
        ),
        Tool("memory_feedback", "Say how a memory turned out.", values.Feedback, values.Changed, Service.feedback),
        Tool("memory_link", "Relate two memories.", values.Link, values.Linked, Service.link, repeats=True),
        Tool(
            "memory_consolidate",
            "Tidy up the whole memory; may take minutes.",
            values.Consolidate,
            values.Consolidated,
            Service.consolidate,
            repeats=True,
            long=True,
        ),
    )
}
"""Name → tool, in the order they are told."""


def plain(value: BaseModel) -> dict[str, Any]:
    """A value as JSON has it, without what is not there."""
    return value.model_dump(mode="json", exclude_none=True)
