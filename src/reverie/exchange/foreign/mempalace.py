"""Import from mempalace: a palace's drawers, in its Chroma or SQLite database, and the triples of its knowledge graph.

A drawer's text is imported unchanged; wing and room become the session. Closets and registries are the program's
indexes and are skipped. A triple becomes a sentence, linked to its source drawer and marked as ended if it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby

from reverie.errors import InvalidExport
from reverie.exchange.fields import Ended, FieldError, ImportedLink, Item, Report, Skipped, name_in, time_in
from reverie.exchange.foreign.note import Program, Row, Tables, key_in, kind_of_link, text_in
from reverie.types import Message

MEMPALACE = Program("mempalace")
DOCUMENT = "chroma:document"
_VALUES = ("string_value", "int_value", "float_value", "bool_value")
_TRIPLE = ("id", "subject", "predicate", "object", "valid_from", "valid_to", "source_drawer_id", "extracted_at")
_CLOSETS = "mempalace_closets"


def fits_tables(tables: Tables) -> bool:
    """Whether a database is one of a palace's."""
    return any(fits(tables) for fits in (_is_chroma, _is_exact, _is_graph))


def _is_chroma(tables: Tables) -> bool:
    return {"embeddings", "embedding_metadata", "segments", "collections"} <= set(tables.columns)


def _is_exact(tables: Tables) -> bool:
    return {"document", "metadata_json"} <= tables.columns.get("documents", frozenset())


def _is_graph(tables: Tables) -> bool:
    return {"subject", "predicate", "object"} <= tables.columns.get("triples", frozenset())


class Palace:
    """Collects the drawers read so far, because triples refer to drawers in another file."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._drawers: dict[str, str] = {}
        self._links: list[tuple[str, str, str]] = []

    def items(self, tables: Tables) -> Iterator[Item]:
        """Yield the drawers and triples of one database."""
        readers: tuple[tuple[Callable[[Tables], bool], Callable[[Tables], Iterator[Item]]], ...] = (
            (_is_chroma, self._chroma),
            (_is_exact, self._exact),
            (_is_graph, self._triples),
        )
        for fits, reader in readers:
            if fits(tables):
                try:
                    yield from reader(tables)
                except InvalidExport as error:
                    self._report(Skipped("database", "table that cannot be read", broken=True, detail=error.message))

    def links(self) -> Iterator[Item]:
        """Yield the edges between triples and drawers, once everything was read."""
        for triple, drawer, name in self._links:
            if drawer in self._drawers:
                yield ImportedLink(triple, self._drawers[drawer], kind_of_link(name), name)

    def _chroma(self, tables: Tables) -> Iterator[Item]:
        names = {row["id"]: str(row["name"]) for row in tables.rows("collections", ("id", "name"))}
        rows = tables.rows("segments", ("id", "collection"))
        inside = {row["id"]: names.get(row["collection"], "") for row in rows}
        drawers = {row["id"]: row for row in tables.rows("embeddings", ("id", "segment_id", "embedding_id"))}
        metadata = tables.rows("embedding_metadata", ("id", "key", *_VALUES))
        for number, values in groupby(metadata, key=lambda row: row["id"]):
            held = {str(row["key"]): next((row[n] for n in _VALUES if row[n] is not None), None) for row in values}
            row = drawers.get(number, {})
            yield from self._drawer(
                row.get("embedding_id"), held, held.get(DOCUMENT), inside.get(row.get("segment_id"))
            )

    def _exact(self, tables: Tables) -> Iterator[Item]:
        names = {row["id"]: str(row["name"]) for row in tables.rows("collections", ("id", "name"))}
        for row in tables.rows("documents", ("id", "collection_id", "document", "metadata_json")):
            try:
                held = json.loads(text_in(row, "metadata_json") or "{}")
            except (ValueError, RecursionError, FieldError):
                held = {}
            held = held if isinstance(held, dict) else {}
            yield from self._drawer(row["id"], held, row["document"], names.get(row["collection_id"]))

    def _drawer(self, key: object, held: Mapping[str, object], text: object, inside: str | None) -> Iterator[Message]:
        where = f"drawer {key}"
        if inside == _CLOSETS or held.get("ingest_mode") == "registry":
            self._report(Skipped(where, "index of the program"))
            return
        try:
            said = text_in({"document": text}, "document")
            if not said.strip():
                self._report(Skipped(where, "drawer without words"))
                return
            place = "/".join(part for part in (name_in(held, "wing"), name_in(held, "room")) if part)
            at = time_in(held, "timestamp", "filed_at")
            note = MEMPALACE.note(said, key_in({"id": key}), place=place, at=at, role=held.get("role"))
        except FieldError as error:
            self._report(Skipped(where, "drawer that cannot be read", broken=True, detail=str(error)))
            return
        self._drawers[str(key)] = note.message_id or ""
        yield note

    def _triples(self, tables: Tables) -> Iterator[Item]:
        names = {}
        if "entities" in tables.columns:
            names = {row["id"]: row["name"] for row in tables.rows("entities", ("id", "name"))}
        for number, row in enumerate(tables.rows("triples", _TRIPLE), 1):
            try:
                yield from self._triple(row, names)
            except FieldError as error:
                where = f"triple {number}"
                self._report(Skipped(where, "triple that cannot be read", broken=True, detail=str(error)))

    def _triple(self, row: Row, names: Mapping[object, object]) -> Iterator[Item]:
        ends = [text_in({"name": names.get(row[end]) or row[end]}, "name") for end in ("subject", "object")]
        predicate = text_in(row, "predicate")
        if not (all(ends) and predicate):
            raise FieldError("an end or the predicate is missing")
        text = f"{ends[0]} {predicate.replace('_', ' ')} {ends[1]}"
        at = time_in(row, "valid_from", "extracted_at")
        note = MEMPALACE.note(text, f"triple:{key_in(row)}", place=f"knowledge/{ends[0]}", at=at)
        yield note
        if (until := time_in(row, "valid_to")) is not None:
            yield Ended(note.message_id or "", until)
        if drawer := text_in(row, "source_drawer_id"):
            self._links.append((note.message_id or "", drawer, "elaborates"))
