"""The route table as tests use it: in, the routers; out, every operation and a request that fits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
from fastapi.routing import APIRoute

from reverie.faces.http.app import TOPICS
from reverie.faces.http.tokens import Right

BODIES: dict[str, object] = {
    "remember": {"text": "The key is under the mat."},
    "remember_many": {"messages": [{"text": "One."}, {"text": "Two."}]},
    "observe": {"text": "I moved to Izmir in May."},
    "note": {"notes": [{"text": "The key is under the mat."}]},
    "intend": {"action": "Call the bank.", "at": "2030-01-01T09:00:00Z"},
    "settle": {"outcome": "done"},
    "start_job": {"kind": "dream"},
    "recall": {"cue": "Where is the key?"},
    "explain": {"cue": "Where is the key?"},
    "correct": {"text": "The key is in the drawer."},
    "relate": {"target": "ELSE", "kind": "causes"},
    "feedback": {"verdict": "used"},
}
"""A route's function → a body that fits, where it needs one."""
QUERIES: dict[str, dict[str, str]] = {
    "about": {"entity": "entity://person/ada"},
    "live": {"seconds": "0"},
    "condense": {"session": "default"},
}
"""A route's function → the parameters of the address that it needs, beside the scope."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One route: its name, how it is asked, and what it needs."""

    name: str
    method: str
    path: str
    dependency: str

    @property
    def is_scoped(self) -> bool:
        """Whether it names a scope."""
        return self.dependency.startswith("scoped")

    def at(self, memory_id: str) -> str:
        """Its path for a memory."""
        return self.path.replace("{memory_id}", memory_id).replace("{job_id}", memory_id)

    def options(self) -> dict[str, Any]:
        """What else goes into a request that fits."""
        if self.method in ("POST", "PUT") and "import" not in self.path:
            return {"json": BODIES.get(self.name, {})}
        return {"content": b"{}"} if "import" in self.path else {}


def operations() -> Iterator[Operation]:
    """Every route that asks who it is."""
    for topic in TOPICS:
        for route in topic.routes:
            assert isinstance(route, APIRoute)
            needs = [one.call.__qualname__.split(".")[0] for one in route.dependant.dependencies if one.call]
            guards = [name for name in needs if name in ("scoped", "anybody", "everything")]
            yield Operation(route.name, *route.methods, route.path, guards[0] if guards else "")


def rights() -> dict[str, int]:
    """Route name → the right it needs, from its own dependency."""
    found: dict[str, int] = {}
    for topic in TOPICS:
        for route in topic.routes:
            assert isinstance(route, APIRoute)
            for one in route.dependant.dependencies:
                cells = [cell.cell_contents for cell in getattr(one.call, "__closure__", None) or ()]
                found.update({route.name: content for content in cells if isinstance(content, Right)})  # noqa: B035 - there is one
    return found


def conforms(answer: httpx.Response, name: str) -> dict[str, Any]:
    """The JSON of an answer, held to the shape the description promises for the route of this name."""
    assert answer.status_code == 200, answer.text
    [model] = [
        route.response_model
        for topic in TOPICS
        for route in topic.routes
        if isinstance(route, APIRoute) and route.name == name
    ]
    shape: dict[str, Any] = answer.json()
    model.model_validate(shape)
    return shape
