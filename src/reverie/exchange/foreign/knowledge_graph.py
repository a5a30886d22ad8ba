"""Import from the reference MCP memory server: its file of JSON lines, or the answer of its ``read_graph``.

    {"type":"entity","name":"Ada","entityType":"person","observations":["plays the viola"]}
    {"type":"relation","from":"Ada","to":"Quartet","relationType":"plays_in"}

Each observation becomes a message with the entity's name; each relation becomes a sentence, and an edge that joins
the first messages of the two entities.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from reverie.exchange.fields import FieldError, ImportedLink, Item, Report, Skipped, kind_of
from reverie.exchange.foreign.note import Program, kind_of_link
from reverie.types import Message

SERVER = Program("memory-server")


def fits(record: Mapping[str, object]) -> bool:
    """Whether a record is one line of the memory server's file."""
    kind = record.get("type")
    return (kind == "entity" and "observations" in record) or (kind == "relation" and "relationType" in record)


def fits_whole(record: Mapping[str, object]) -> bool:
    """Whether a record is a whole graph."""
    return isinstance(record.get("entities"), list) and isinstance(record.get("relations"), list)


class KnowledgeGraph:
    """Collects the entities read so far, because relations can precede the entities they join."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._first: dict[str, str] = {}
        self._edges: list[tuple[str, str, str, str]] = []

    def whole(self, record: Mapping[str, object], where: str) -> Iterator[Message]:
        """Yield the messages of a whole graph."""
        for part, kind in (("entities", "entity"), ("relations", "relation")):
            found = record.get(part)
            for number, one in enumerate(found if isinstance(found, list) else [], 1):
                place = f"{where}, {kind} {number}"
                if isinstance(one, dict):
                    yield from self.line({**one, "type": kind}, place)
                else:
                    self._fault(place, f"it is {kind_of(one)}, not an object")

    def line(self, record: Mapping[str, object], where: str) -> Iterator[Message]:
        """Yield the messages of one line."""
        try:
            yield from (
                self._relation(record, where) if record.get("type") == "relation" else self._entity(record, where)
            )
        except FieldError as error:
            self._fault(where, str(error))

    def edges(self) -> Iterator[Item]:
        """Yield the edges, once everything was read."""
        for source, target, name, where in self._edges:
            ends = self._first.get(source), self._first.get(target)
            if ends[0] is None or ends[1] is None or ends[0] == ends[1]:
                self._report(Skipped(where, "relation of which an end is no memory", detail=f"{source} → {target}"))
            else:
                yield ImportedLink(ends[0], ends[1], kind_of_link(name), name)

    def _entity(self, record: Mapping[str, object], where: str) -> Iterator[Message]:
        name, kind = _text(record, "name"), record.get("entityType")
        about = f"{name} ({kind})" if isinstance(kind, str) and kind.strip() else name
        observations = record.get("observations")
        if not isinstance(observations, list):
            raise FieldError(f"observations is {kind_of(observations)}, not a list")
        for number, one in enumerate(observations or [None], 1):
            text = about if one is None and not observations else f"{about}: {one}"
            if observations and (not isinstance(one, str) or not one.strip()):
                self._fault(f"{where}, observation {number}", f"it is {kind_of(one)} without words")
                continue
            note = SERVER.note(text, f"entity:{name}", place=name)
            self._first.setdefault(name, note.message_id or "")
            yield note

    def _relation(self, record: Mapping[str, object], where: str) -> Iterator[Message]:
        source, target, name = (_text(record, field) for field in ("from", "to", "relationType"))
        self._edges.append((source, target, name, where))
        yield SERVER.note(f"{source} {name} {target}", f"relation:{source}:{target}", place=source)

    def _fault(self, where: str, detail: str) -> None:
        self._report(Skipped(where, "part of a graph that cannot be read", broken=True, detail=detail))


def _text(record: Mapping[str, object], name: str) -> str:
    value = record.get(name)
    if not isinstance(value, str) or not value.strip():
        raise FieldError(f"{name} is missing" if value in (None, "") else f"{name} is {kind_of(value)}, not text")
    return value
