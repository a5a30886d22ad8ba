"""The resources and prompts: in, an address or a name; out, JSON of what it names, or a text with fenced memories."""

from __future__ import annotations

import json
from datetime import MAXYEAR, UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from urllib.parse import unquote

from mcp import types

from reverie.errors import InvalidInput, NotFound
from reverie.faces.mcp import values
from reverie.faces.mcp.service import Service
from reverie.faces.mcp.tools import plain

# The prompts: what a person hands to a model at a session's start and end, with what is remembered, fenced.


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
    """A text for a model, from ``data/NAME.txt``; lines that begin with "# " are its header."""
    lines = (_DATA / f"{name}.txt").read_text("utf-8").splitlines()
    return "\n".join(line for line in lines if not line.startswith("# ")).strip()


def rendered(service: Service, name: str, arguments: dict[str, str]) -> types.GetPromptResult:
    """The messages of a prompt. Raises NotFound for one that is not there."""
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


# The resources: in, an address; out, JSON of what it names: memories, timelines, the hot set, counts.


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
    """What an address names, as JSON. Raises NotFound for an address of nothing."""
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
    """One memory; some clients write the first part of an address in lower case."""
    try:
        return service.get(values.Named(id=memory_id))
    except NotFound:
        if memory_id == memory_id.upper():
            raise
        return service.get(values.Named(id=memory_id.upper()))


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
