"""The stand-in's agent: what extensions are handed, and as much of the agent as they ask of it."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from helpers import extension, files, history, subagents
from helpers.log import Log
from layout import OLD


@dataclass
class UserMessage:
    message: str
    attachments: list[str] = field(default_factory=list)
    system_message: list[str] = field(default_factory=list)


class LoopData:
    """What one monologue carries from hook to hook."""

    def __init__(self, **given: Any) -> None:
        self.iteration = -1
        self.system: list[str] = []
        self.user_message: history.Message | None = None
        self.history_output: list[Any] = []
        self.extras_temporary: OrderedDict[str, Any] = OrderedDict()
        self.extras_persistent: OrderedDict[str, Any] = OrderedDict()
        self.last_response = ""
        self.params_temporary: dict[str, Any] = {}
        self.params_persistent: dict[str, Any] = {}
        self.current_tool = None
        for name, value in given.items():
            setattr(self, name, value)


class AgentConfig:
    """The older layout keeps the models and the memory's folder here; the newer one in plugins' configurations."""

    def __init__(self, mcp_servers: str = "", profile: str = "", **models: Any) -> None:
        self.mcp_servers, self.profile = mcp_servers, profile
        self.knowledge_subdirs: list[str] = []
        self.additional: dict[str, Any] = {}
        if OLD:
            self.memory_subdir = ""
            self.__dict__.update(models)
        elif models:
            raise TypeError(f"the newer layout takes no {sorted(models)}")


class AgentContext:
    def __init__(self, config: AgentConfig) -> None:
        self.id, self.config, self.data = "context", config, {}
        self.log = Log()
        self.paused, self.task = False, None
        self.agent0 = Agent(0, config, self)

    def get_agent(self) -> Agent:
        return self.agent0

    def get_data(self, key: str) -> Any:
        return self.data.get(key)


class Agent:
    def __init__(self, number: int, config: AgentConfig, context: AgentContext) -> None:
        self.number, self.config, self.context = number, config, context
        self.agent_name = f"A{number}"
        self.history = history.History(self)
        self.last_user_message: history.Message | None = None
        self.data: dict[str, Any] = {}
        self.loop_data = LoopData()

    def get_data(self, field: str) -> Any:
        return self.data.get(field)

    def set_data(self, field: str, value: Any) -> None:
        self.data[field] = value

    def hist_add_user_message(self, message: UserMessage) -> history.Message:
        said = {"user_message": message.message, "attachments": message.attachments}
        self.last_user_message = self.history.add_message(False, {key: value for key, value in said.items() if value})
        return self.last_user_message

    def read_prompt(self, file: str, **values: Any) -> str:
        return files.read_prompt_file(file, subagents.get_paths(self, "prompts"), **values)

    def parse_prompt(self, file: str, **values: Any) -> Any:
        return self.read_prompt(file, **values)

    async def call_utility_model(self, *_: Any, **__: Any) -> str:
        raise ConnectionError("the stand-in has no language model")

    if OLD:

        async def call_extensions(self, extension_point: str, **given: Any) -> None:
            await extension.call_extensions(extension_point, agent=self, **given)
