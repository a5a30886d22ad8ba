"""What schemathesis, in its own process, is told beside the description: texts packed as base64, lines as a body.

And times that are on the calendar in UTC too, which no schema can say (those that are not: ``routes/test_writing``).
"""

from __future__ import annotations

import base64
from datetime import datetime, timedelta, timezone

import schemathesis
from hypothesis import strategies as st
from schemathesis import SerializationContext


def _packed(text: str) -> str:
    return base64.b64encode(text.encode("utf-8", "surrogatepass")).decode("ascii")


schemathesis.openapi.format("base64-text", st.text(st.characters(), max_size=50).map(_packed))
schemathesis.openapi.format("base64-words", st.text(st.characters(), max_size=50).filter(str.strip).map(_packed))


def _zone(minutes: int) -> timezone:
    return timezone(timedelta(minutes=minutes))


_TIMES = st.datetimes(
    datetime(1, 1, 2),
    datetime(9999, 12, 30),
    timezones=st.integers(-23 * 60 - 59, 23 * 60 + 59).map(_zone),
)
_ENDS = st.sampled_from(["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
schemathesis.openapi.format("date-time", _TIMES.map(datetime.isoformat) | _ENDS)


@schemathesis.serializer("application/x-ndjson")
def lines(context: SerializationContext, value: object) -> bytes:
    """Whatever was made up, as bytes."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


@schemathesis.hook
def filter_query(context: schemathesis.HookContext, query: dict[str, object] | None) -> bool:
    """What stands alone where a list is asked is no fault: in an address it looks like a list of one."""
    assert context.operation is not None
    lists = {one.name for one in context.operation.query if one.definition["schema"].get("type") == "array"}
    return all(isinstance(value, list) for name, value in (query or {}).items() if name in lists)
