"""The server: in, the service; out, the official SDK's server with tools, resources and prompts."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, TypeAlias, TypeVar

from anyio import from_thread, to_thread
from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from reverie import __version__
from reverie.engine.requests import Caller, calling
from reverie.errors import ReverieError
from reverie.faces.mcp import resources
from reverie.faces.mcp.fencing import broke, failed, refused, shortened, wrong_arguments
from reverie.faces.mcp.service import Service
from reverie.faces.mcp.tools import TOOLS, Tool, plain

# Work in threads: in, a plain call; out, its answer, while the server goes on reading.


T = TypeVar("T")
Report: TypeAlias = Callable[[float, float | None, str | None], Coroutine[Any, Any, None]]


async def in_thread(work: Callable[[], T]) -> T:
    """What a call gives that was run in a worker thread."""
    return await to_thread.run_sync(work)


class Progress:
    """Tells a client how far a long call is; called in the worker's thread, it ends a call that was cancelled."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._told = -1

    def __call__(self, done: int, steps: int, name: str) -> None:
        """So many of the steps are done, and the one of this name is at work. Raises where the client cancelled."""
        from_thread.check_cancelled()
        if done > self._told:
            self._told = done
            from_thread.run(self._report, done, steps, name)


# The server: in, the service; out, the official SDK's server with tools, resources and prompts.


NAME = "reverie"
Context: TypeAlias = ServerRequestContext[Any, Any]


def build_server(service: Service) -> Server[Any]:
    """The server over a service; it answers every revision of the protocol that the SDK knows."""
    handlers = _Handlers(service)
    return Server(
        NAME,
        version=__version__,
        title="Reverie",
        instructions=resources.text("instructions").replace("{scope}", service.scope),
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
        on_list_prompts=handlers.list_prompts,
        on_get_prompt=handlers.get_prompt,
    )


class _Handlers:
    """What the SDK calls, a method a request."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._tools = [tool.told() for tool in TOOLS.values()]

    async def list_tools(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=self._tools)

    async def call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = TOOLS.get(params.name)
        if tool is None:
            unknown = f"There is no tool {params.name!r}. There are {', '.join(TOOLS)}."
            raise MCPError(types.INVALID_PARAMS, shortened(unknown, 600))
        scope = self._service.scope
        try:
            taken = tool.takes.model_validate(params.arguments or {})
            with calling(Caller(f"mcp:{tool.name}", tool.name)):
                given = await in_thread(partial(tool.work, self._service, taken, **_means(tool, context)))
        except ValidationError as error:
            return failed(scope, wrong_arguments(error))
        except ReverieError as error:
            return failed(scope, str(error))
        except Exception:  # noqa: BLE001 - the agent's edge: its loop goes on, and the log says what broke
            return failed(scope, broke(tool.name))
        return _answer(plain(given))

    async def list_resources(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=list(resources.LISTED))

    async def list_templates(
        self, _: Context, __: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=list(resources.TEMPLATES))

    async def read_resource(self, _: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri = str(params.uri)
        text = await _or_refused("a resource", partial(resources.read, self._service, uri))
        found = types.TextResourceContents(uri=params.uri, text=text, mime_type=resources.MIME)
        return types.ReadResourceResult(contents=[found])

    async def list_prompts(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=list(resources.PROMPTS))

    async def get_prompt(self, _: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        arguments = params.arguments or {}
        return await _or_refused("a prompt", partial(resources.rendered, self._service, params.name, arguments))


def _means(tool: Tool, context: Context) -> dict[str, Any]:
    """What a long call is given beside its arguments."""
    return {"progress": Progress(context.session.report_progress)} if tool.long else {}


def _answer(structured: dict[str, Any]) -> types.CallToolResult:
    """The answer twice, as the protocol asks: as data, and as its text for clients that know no data."""
    text = json.dumps(structured, ensure_ascii=False)
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)], structured_content=structured, is_error=False
    )


async def _or_refused(what: str, work: Callable[[], T]) -> T:
    try:
        return await in_thread(work)
    except ReverieError as error:
        raise refused(error) from None
    except Exception:  # noqa: BLE001 - the agent's edge: its loop goes on, and the log says what broke
        raise MCPError(types.INTERNAL_ERROR, broke(what)) from None
