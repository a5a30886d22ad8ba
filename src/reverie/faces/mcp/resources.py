"""The resources: in, an address; out, JSON of what it names: memories, timelines, the hot set, counts."""

from __future__ import annotations

import json
from datetime import MAXYEAR, UTC, datetime, timedelta
from urllib.parse import unquote

from mcp import types

from reverie.errors import InvalidInput, NotFound
from reverie.faces.mcp import values
from reverie.faces.mcp.service import Service
from reverie.faces.mcp.tools import plain

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
