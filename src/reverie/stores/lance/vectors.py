"""Vectors on both sides: which of ours fit the table, which of its are ours to use, and whose its are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from reverie.errors import ModelError
from reverie.formulas.centring import unit
from reverie.stores.lance.marks import Marks
from reverie.stores.lance.models import SAMPLE, same
from reverie.stores.lance.reception import Reception
from reverie.stores.lance.rows import Row
from reverie.stores.lance.table import Table
from reverie.stores.lance.taking_in import Vectors
from reverie.stores.sqlite import keys, reading, writing
from reverie.stores.sqlite.connection import Connection, string
from reverie.stores.vectors import unpack
from reverie.types import FloatArray, Memory, ModelInfo, Scope

FEW = 64
"""So many new rows are embedded as they come; more are left to whoever catches up."""
_BATCH = 512
_MODELS = """
SELECT id, key, name, revision, dims FROM model
WHERE EXISTS (SELECT 1 FROM coverage WHERE model = id AND count > 0) ORDER BY id DESC
"""
_LACKING = """
SELECT r.row, r.scope, r.memory FROM lance_row r JOIN memory m ON m.scope = r.scope AND m.id = r.memory
WHERE NOT r.own AND r.theirs <> '' AND NOT EXISTS (SELECT 1 FROM vector WHERE key = ? + m.key) ORDER BY r.row
"""


class TableVectors:
    """What is known of the table's vectors."""

    def __init__(self, connection: Connection, marks: Marks) -> None:
        self._connection = connection
        self._marks = marks

    def writable(self, dims: int | None) -> list[tuple[int, ModelInfo]]:
        """The models, with their numbers, whose vectors may be written to a table of so many dimensions (None: new).

        Those that are the table's. While nothing that came from elsewhere lies in it, the latest that fits: whoever
        chose it means it, and the first row from elsewhere tells.
        """
        verdicts = self._marks.models
        known = [(row[0], ModelInfo(row[2], row[3], row[4])) for row in self._connection.rows(_MODELS)]
        if proven := [one for one in known if verdicts.get(one[1].key)]:
            return proven
        if self._marks.received():
            return []
        return [one for one in known if dims in (None, one[1].dims) and one[1].key not in verdicts][:1]

    def of(self, memory: Memory, models: Sequence[tuple[int, ModelInfo]]) -> FloatArray | None:
        """A memory's vector of one of these models."""
        scope = writing.scope_id(self._connection, memory.scope)
        key = None if scope is None else reading.key_of(self._connection, scope, memory.id)
        if key is None:
            return None
        for number, model in models:
            row = self._connection.row("SELECT data FROM vector WHERE key = ?", (keys.vector_base(number) + key,))
            if row is not None:
                found: FloatArray = unit(unpack(row[0], model.dims)[0].astype(np.float32))
                if found.any():
                    return found
        return None

    def told(self, table: Table, rows: Sequence[Row], reception: Reception) -> bool | None:
        """Whether the table's vectors are the embedder's, told by some rows; None: known already, or no telling."""
        try:
            model = reception.embedder.info if reception.embedder is not None else None
            if reception.embedder is None or model is None or model.key in self._marks.models:
                return None
            if model.dims != table.dims:
                return False
            sample = [row for row in rows if row.text.strip() and reception.screened(row.text)[0] == row.text][:SAMPLE]
            theirs = table.vectors([row.id for row in sample])
            ours = reception.embedder.embed_passages([row.text for row in sample]) if theirs else ()
        except ModelError:
            return None
        return same([(vector, theirs[row.id]) for row, vector in zip(sample, ours, strict=False) if row.id in theirs])

    def prepared(self, table: Table, rows: Sequence[Row], reception: Reception) -> Vectors:
        """The vectors of rows we do not know yet: the table's own where it is our model, else newly made of a few."""
        embedder = reception.embedder
        known = self._marks.theirs() if rows and embedder is not None else {}
        new = [row for row in rows if row.id not in known and row.text.strip()]
        if not new or embedder is None:
            return {}
        texts = [reception.screened(row.text)[0] for row in new]
        try:
            model = embedder.info
            if self._marks.models.get(model.key):
                whole = [row.id for row, text in zip(new, texts, strict=True) if row.text == text]
                return {name: (unit(row), model) for name, row in table.vectors(whole).items()}
            made = embedder.embed_passages(texts) if len(new) <= FEW else ()
        except ModelError as error:
            reception.unembedded(error)
            return {}  # found by text until somebody catches up
        return {row.id: (vector, model) for row, vector in zip(new, made, strict=False)}

    def compared(self, table: Table, model: ModelInfo, rows: Sequence[tuple[Scope, str, FloatArray]]) -> bool | None:
        """Whether the table's vectors are this model's, told by rows just embedded; None: no telling."""
        if model.dims != table.dims:
            return False
        numbers = {scope: number for number, scope in reading.scopes(self._connection).items()}
        ours: dict[str, FloatArray] = {}
        for scope, name, vector in rows:
            mark = self._marks.of(numbers.get(scope, 0), name)
            if mark is not None and not mark.own and mark.theirs and not mark.waits and np.any(vector):
                ours[mark.row] = vector
        theirs = table.vectors(list(islice(ours, SAMPLE)))
        return same([(ours[name], vector) for name, vector in theirs.items()])

    def fill(self, table: Table, model: ModelInfo) -> Iterator[list[tuple[Scope, str, FloatArray]]]:
        """What came from the table and has no vector of its model yet, with the table's own, some hundred at a time."""
        scopes = reading.scopes(self._connection)
        number = writing.model_id(self._connection, model)
        found = iter(self._connection.rows(_LACKING, (keys.vector_base(number),)))
        while rows := list(islice(found, _BATCH)):
            theirs = table.vectors([row for row, _, _ in rows])
            yield [
                (scopes[scope], string(memory), unit(theirs[row]))
                for row, scope, memory in rows
                if row in theirs and theirs[row].shape == (model.dims,)
            ]
