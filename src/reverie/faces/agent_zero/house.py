"""Access to Agent Zero for its extensions: an agent's memory, settings, paths and log, in either layout."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class HostLogLine:
    """A line for Agent Zero's log, and whether it reports a fault."""

    content: str
    fault: bool


def failed(prefix: str, what: str, error: Exception) -> HostLogLine:
    """Return the line for an error: what did not happen, and the error's name or the missing package's."""
    missing = f" ({error.name})" if isinstance(error, ImportError) and error.name else ""
    return HostLogLine(f"{prefix} {what}: {type(error).__name__}{missing}", fault=True)


def told(prefix: str, summary: str, faults: Sequence[str] = ()) -> HostLogLine:
    """Return the line for a result: the summary, then the faults."""
    return HostLogLine(f"{prefix} {'; '.join((summary, *faults))}", fault=bool(faults))


_SAID_IN = ("user_message", "message", "text", "tool_result", "content", "raw_content")
"""Keys under which Agent Zero keeps a message's words, its own name for them first."""
_DEEPEST = 8
_HALF = 2_000
"""A longer message is searched by this many characters at its beginning and at its end: a pasted file is no question,
and no embedding model reads further.
"""


def said(message: object) -> str:
    """Return the words of a message of the history; empty if there are none."""
    return "\n".join(text for text in _texts(getattr(message, "content", None), _DEEPEST) if text.strip())


def cue(text: str) -> str:
    """Return the part of a text that is used for searching."""
    return text if len(text) <= 2 * _HALF else f"{text[:_HALF]} {text[-_HALF:]}"


def _texts(content: object, deepest: int) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, Mapping) and deepest:
        inner = next((content[key] for key in _SAID_IN if content.get(key)), None)
        yield from _texts(inner, deepest - 1)
    elif isinstance(content, Sequence) and deepest and not isinstance(content, bytes | bytearray):
        for part in content:
            yield from _texts(part, deepest - 1)


_MEMORY = ("plugins._memory.helpers.memory", "python.helpers.memory")
_RECALL_TASK = "_recall_memories_task"


class House:
    """One agent's surroundings. Whatever is missing gives an empty value, never an error."""

    def __init__(self, agent: Any) -> None:
        self.agent = agent

    async def memory(self) -> Any:
        """Return the agent's store from Agent Zero; None if there is none, or memory is switched off."""
        module = self._memory_module()
        return None if module is None or self._is_switched_off() else await module.Memory.get(self.agent)

    def folder(self, memory: Any) -> Path:
        """Return the folder of the store."""
        name = str(memory.memory_subdir)
        find = getattr(self._memory_module(), "abs_db_dir", None)
        return Path(find(name)) if find else self.path("usr", "memory", name)

    def path(self, *parts: str) -> Path:
        """Return a path below Agent Zero's root."""
        files = self._helper("files")
        return Path(files.get_abs_path(*parts)) if files else Path.cwd().joinpath(*parts)

    def setting(self, name: str) -> object:
        """Return a setting of Agent Zero's own memory; None if it is not set."""
        if self._is_plugin():
            plugins = self._helper("plugins")
            said = plugins.get_plugin_config("_memory", self.agent) if plugins else None
        else:
            settings = self._helper("settings")
            said = settings.get_settings() if settings else None
        return said.get(name) if isinstance(said, Mapping) else None

    def model(self) -> str:
        """Return the chat model's name; empty if unknown."""
        configured = getattr(getattr(self.agent, "config", None), "chat_model", None)
        if configured is None and self._is_plugin():
            module = _module("plugins._model_config.helpers.model_config")
            said = module.get_chat_model_config(self.agent) if module else None
            return str(said.get("name") or "") if isinstance(said, Mapping) else ""
        return str(getattr(configured, "name", "") or "")

    def domain(self, loop_data: Any) -> str:
        """Return the domain that the belief state's tracker knew last; empty without a tracker."""
        extras = getattr(loop_data, "extras_persistent", None)
        said = extras.get("_bst_domain") if isinstance(extras, Mapping) else None
        if not said:
            store = getattr(self.agent, "_bst_store", None)
            belief = store.get("__bst_belief_state__") if isinstance(store, Mapping) else None
            said = belief.get("domain") if isinstance(belief, Mapping) else None
        return said.strip() if isinstance(said, str) else ""

    def session(self) -> str:
        """Return the chat's id."""
        return str(getattr(self.agent.context, "id", "") or "chat")

    def is_subordinate(self) -> bool:
        """Whether another agent, not a person, speaks to this one."""
        return self.agent.get_data("_superior") is not None

    def answer(self, loop_data: Any) -> list[object]:
        """Return the last answer in every readable form: as the host parses its model's output, and as plain JSON."""
        raw = str(getattr(loop_data, "last_response", "") or "")
        tools = self._helper("extract_tools")
        forms: list[object] = [tools.json_parse_dirty(raw)] if tools else []
        with suppress(ValueError):
            forms.append(json.loads(raw[raw.find("{") : raw.rfind("}") + 1]))
        return forms

    def stock_recall(self) -> Any:
        """Return the running task of Agent Zero's own recall; None if it does not run."""
        task = self.agent.get_data(_RECALL_TASK)
        return task if task is not None and not task.done() else None

    def log(self, content: str, *, fault: bool) -> None:
        """Write a line to the agent's log; errors are ignored."""
        with suppress(Exception):
            self.agent.context.log.log(type="warning" if fault else "util", content=content)

    def _is_switched_off(self) -> bool:
        """Whether memory is a plugin that is disabled for this agent or project."""
        enabled = getattr(self._helper("plugins"), "get_enabled_plugins", None) if self._is_plugin() else None
        return enabled is not None and "_memory" not in enabled(self.agent)

    def _is_plugin(self) -> bool:
        module = self._memory_module()
        return module is not None and module.__name__.startswith("plugins.")

    def _helper(self, name: str) -> Any:
        own = f"helpers.{name}", f"python.helpers.{name}"
        return _module(*(own if self._is_plugin() else reversed(own)))

    def _memory_module(self) -> Any:
        return _module(*_MEMORY)


def _module(*names: str) -> Any:
    """Return the first of these modules that is loaded, else that can be; None if there is none."""
    for name in names:
        if name in sys.modules:
            return sys.modules[name]
    for name in names:
        with suppress(ImportError):
            return import_module(name)
    return None
