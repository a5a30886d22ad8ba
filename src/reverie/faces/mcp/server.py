"""Build the MCP server with its tools, resources and prompts; every memory text it returns is fenced."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from datetime import MAXYEAR, UTC, datetime, timedelta
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeAlias, TypeVar
from urllib.parse import unquote

from anyio import from_thread, to_thread
from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from reverie import __version__
from reverie.engine.requests import Caller, calling
from reverie.errors import InvalidInput, NotFound, ReverieError
from reverie.faces.mcp import values
from reverie.faces.mcp.fencing import broke, failed, refused, shortened, wrong_arguments
from reverie.faces.mcp.service import Service, Tool, plain

_DATA = Path(__file__).with_name("data")
START = "session_start"
REFLECTION = "session_reflection"
PROMPTS = (
    types.Prompt(
        name=START,
        description="Begin with what is remembered.",
        arguments=[types.PromptArgument(name="topic", description="What the session is about.", required=False)],
    ),
    types.Prompt(name=REFLECTION, description="Look back and keep what will matter later."),
)


@cache
def text(name: str) -> str:
    """Load a text for a model from ``data/NAME.txt``, without the header lines that begin with "# "."""
    lines = (_DATA / f"{name}.txt").read_text("utf-8").splitlines()
    return "\n".join(line for line in lines if not line.startswith("# ")).strip()


def rendered(service: Service, name: str, arguments: dict[str, str]) -> types.GetPromptResult:
    """Return the messages of a prompt. Raises NotFound for an unknown name."""
    if name == START:
        return _result(name, service, service.beginning(arguments.get("topic", "")).notes)
    if name == REFLECTION:
        return _result(name, service, service.list(values.Listing(limit=100, session=service.session)).notes)
    known = ", ".join(prompt.name for prompt in PROMPTS)
    raise NotFound(f"There is no prompt {name[:100]!r}.", f"There are {known}.")


def _result(name: str, service: Service, notes: str) -> types.GetPromptResult:
    filled = text(name).replace("{scope}", service.scope).replace("{notes}", notes or "(nothing yet)")
    message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=filled))
    return types.GetPromptResult(messages=[message])


SCHEME = "memory://"
MIME = "application/json"
LATEST = 50
LISTED = (
    types.Resource(uri="memory://timeline", name="timeline", description="The latest memories.", mime_type=MIME),
    types.Resource(uri="memory://hot", name="hot", description="The memories most useful now.", mime_type=MIME),
    types.Resource(uri="memory://stats", name="stats", description="How much is remembered.", mime_type=MIME),
)
TEMPLATES = (
    types.ResourceTemplate(uri_template="memory://{id}", name="memory", description="One memory.", mime_type=MIME),
    types.ResourceTemplate(
        uri_template="memory://timeline/{day}",
        name="day",
        description="What was said on a day, as in 2026-03-02.",
        mime_type=MIME,
    ),
    types.ResourceTemplate(
        uri_template="memory://session/{name}",
        name="session",
        description="The last that was said in a conversation.",
        mime_type=MIME,
    ),
)


def read(service: Service, uri: str) -> str:
    """Return a resource as JSON. Raises NotFound for an unknown address."""
    kind, _, rest = uri.removeprefix(SCHEME).rstrip("/").partition("/")
    if not uri.startswith(SCHEME) or not kind:
        raise _unknown(uri)
    return json.dumps(plain(_named(service, uri, unquote(kind), unquote(rest))), ensure_ascii=False)


def _named(service: Service, uri: str, kind: str, rest: str) -> values.Output:
    match kind, rest:
        case "timeline", "":
            return service.list(values.Listing(limit=LATEST))
        case "timeline", day:
            start = _day(day)
            return service.list(values.Listing(limit=100, since=start, until=start + timedelta(days=1)))
        case "session", name if name:
            return service.list(values.Listing(limit=100, session=name))
        case "hot", "":
            return service.hot()
        case "stats", "":
            return service.counts()
        case memory_id, "":
            return _memory(service, memory_id)
        case _:
            raise _unknown(uri)


def _memory(service: Service, memory_id: str) -> values.Whole:
    """Return one memory; the id is retried in upper case, because some clients lower-case part of an address."""
    try:
        return service.get(values.Get(id=memory_id))
    except NotFound:
        if memory_id == memory_id.upper():
            raise
        return service.get(values.Get(id=memory_id.upper()))


def _day(text: str) -> datetime:
    try:
        day = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise InvalidInput(f"{text!r} is no day.", "Write it as in memory://timeline/2026-03-02.") from None
    if day.year == MAXYEAR:
        raise InvalidInput(f"{text!r} lies too far ahead.", "Name a day that people live in.")
    return day


def _unknown(uri: str) -> NotFound:
    known = ", ".join([one.uri for one in LISTED] + [one.uri_template for one in TEMPLATES])
    return NotFound(f"There is no resource {uri[:200]!r}.", f"There are {known}.")


T = TypeVar("T")
Report: TypeAlias = Callable[[float, float | None, str | None], Coroutine[Any, Any, None]]


async def in_thread(work: Callable[[], T]) -> T:
    """Run a call in a worker thread and return its result."""
    return await to_thread.run_sync(work)


class Progress:
    """Reports a long call's progress to the client; called in the worker's thread, it stops a cancelled call."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._told = -1

    def __call__(self, done: int, steps: int, name: str) -> None:
        """Report ``done`` of ``steps`` and the name of the current step. Raises if the client has cancelled."""
        from_thread.check_cancelled()
        if done > self._told:
            self._told = done
            from_thread.run(self._report, done, steps, name)


NAME = "reverie"
Context: TypeAlias = ServerRequestContext[Any, Any]


def build_server(service: Service) -> Server[Any]:
    """Return the MCP server for a service; it speaks every protocol revision that the SDK knows."""
    handlers = _Handlers(service)
    return Server(
        NAME,
        version=__version__,
        title="Reverie",
        instructions=text("instructions").replace("{scope}", service.scope),
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
        on_list_prompts=handlers.list_prompts,
        on_get_prompt=handlers.get_prompt,
    )


class _Handlers:
    """The request handlers that the SDK calls."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._tools = [tool.told() for tool in service.tools.values()]

    async def list_tools(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=self._tools)

    async def call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = self._service.tools.get(params.name)
        if tool is None:
            unknown = f"There is no tool {params.name!r}. There are {', '.join(self._service.tools)}."
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
        return types.ListResourcesResult(resources=list(LISTED))

    async def list_templates(
        self, _: Context, __: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=list(TEMPLATES))

    async def read_resource(self, _: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri = str(params.uri)
        text = await _or_refused("a resource", partial(read, self._service, uri))
        found = types.TextResourceContents(uri=params.uri, text=text, mime_type=MIME)
        return types.ReadResourceResult(contents=[found])

    async def list_prompts(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=list(PROMPTS))

    async def get_prompt(self, _: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        arguments = params.arguments or {}
        return await _or_refused("a prompt", partial(rendered, self._service, params.name, arguments))


def _means(tool: Tool, context: Context) -> dict[str, Any]:
    """Return the extra arguments of a long call: its progress callback."""
    return {"progress": Progress(context.session.report_progress)} if tool.long else {}


def _answer(structured: dict[str, Any]) -> types.CallToolResult:
    """Return the answer twice, as the protocol asks: as data, and as text for clients without structured content."""
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
