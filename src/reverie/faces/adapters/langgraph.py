"""LangGraph's long-term store on Reverie.

From an engine and a scope, make a ``BaseStore`` (sync and async) for ``graph.compile(store=…)``. Each namespace is a
scope of its own below the given one; values come back as they were put; a search with a query is Reverie's recall.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from reverie.engine.core import Reverie
from reverie.errors import InvalidInput
from reverie.extras import lacking
from reverie.faces.adapters.shelf import Names, Shelf, ShelfEntry, Shelves
from reverie.types import Scope

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        MatchCondition,
        Op,
        PutOp,
        Result,
        SearchItem,
        SearchOp,
        validate_op_namespace,
    )
except ImportError as error:
    raise lacking("langgraph", "The adapter for LangGraph") from error

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {"$gt": gt, "$gte": ge, "$lt": lt, "$lte": le}
_EQUALITIES: dict[str, Callable[[Any, Any], bool]] = {"$eq": eq, "$ne": ne}
_ALL = 10_000

Ranked = tuple[Names, ShelfEntry, float | None]
"""A namespace, an entry in it, and the entry's score."""


class ReverieStore(BaseStore):  # type: ignore[misc]  # the package is skipped by our type check
    """A LangGraph store over an engine and a scope.

    ``index=False`` keeps a value from being found by a query; a list of fields counts as True, because a value is
    searched whole. Time to live is not supported. ``erase``: deleting an item deletes every version of it for good.
    """

    supports_ttl = False

    def __init__(self, engine: Reverie, scope: Scope, *, erase: bool = False) -> None:
        self._shelves = Shelves(engine, scope, "langgraph", erase=erase)

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations together: reads see the state before them, and of several puts of a key the last counts.

        Raises:
            InvalidInput: a value cannot be written as JSON, or holds something that the screen masks.
        """
        results: list[Result] = []
        puts: dict[tuple[Names, str], PutOp] = {}
        for op in ops:
            validate_op_namespace(op)
            if isinstance(op, PutOp):
                puts[op.namespace, op.key] = op
            results.append(self._read(op))
        written = [(op, None if op.value is None else _json(op.key, op.value)) for op in puts.values()]
        for op, text in written:
            self._put(op, text)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Run ``batch`` in a thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _read(self, op: Op) -> Result:
        match op:
            case GetOp():
                entry = self._shelves.at(op.namespace).get(op.key)
                return None if entry is None else Item(**_fields(op.namespace, entry))
            case SearchOp():
                return self._search(op)
            case ListNamespacesOp():
                return self._namespaces(op)
            case PutOp(ttl=None):
                return None
            case PutOp():
                raise NotImplementedError("Reverie keeps no time to live. Put the item without ttl.")
        raise ValueError(f"There is no operation {type(op).__name__}.")

    def _put(self, op: PutOp, text: str | None) -> None:
        shelf = self._shelves.at(op.namespace)
        if text is None:
            shelf.drop(op.key)
        else:
            shelf.put(op.key, text, searched=op.index is not False)

    def _search(self, op: SearchOp) -> list[SearchItem]:
        shelves = self._shelves.under(op.namespace_prefix)
        wanted = None if op.filter else max(0, op.offset + op.limit)
        found = _asked(shelves, op.query, wanted) if op.query else _listed(shelves, wanted)
        items = (SearchItem(**_fields(names, entry), score=score) for names, entry, score in found)
        fitting = (item for item in items if _fits_all(item.value, op.filter or {}))
        return list(islice(fitting, op.offset, op.offset + op.limit))

    def _namespaces(self, op: ListNamespacesOp) -> list[Names]:
        conditions = op.match_conditions or ()
        found = {
            names[: op.max_depth]
            for names, shelf in self._shelves.under()
            if all(_matches(condition, names) for condition in conditions) and not shelf.is_empty()
        }
        return sorted(found)[op.offset : op.offset + op.limit]


def _listed(shelves: list[tuple[Names, Shelf]], wanted: int | None) -> Iterator[Ranked]:
    """Yield the entries of the shelves, at most ``wanted`` of each."""
    for names, shelf in shelves:
        for entry in shelf.entries() if wanted is None else shelf.first(wanted):
            yield names, entry, None


def _asked(shelves: list[tuple[Names, Shelf]], query: str, wanted: int | None) -> Iterator[Ranked]:
    """Yield the recalled entries, best first, then the others without a score, as LangGraph expects."""
    top_k = _ALL if wanted is None else max(1, min(wanted, _ALL))
    hits = [(names, hit) for names, shelf in shelves for hit in shelf.find(query, top_k)]
    hits.sort(key=lambda pair: -pair[1].score)
    for names, hit in hits:
        yield names, hit.entry, hit.score
    told = {(names, hit.entry.key) for names, hit in hits}
    for names, entry, _ in _listed(shelves, None if wanted is None else wanted + len(told)):
        if (names, entry.key) not in told and not entry.held_back:
            yield names, entry, None


def _fields(names: Names, entry: ShelfEntry) -> dict[str, Any]:
    return {
        "namespace": names,
        "key": entry.key,
        "value": json.loads(entry.text),
        "created_at": entry.created_at,
        "updated_at": entry.updated_at,
    }


def _json(key: str, value: Mapping[str, Any]) -> str:
    try:
        return json.dumps(dict(value), ensure_ascii=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(
            f"The value of {key!r} is no JSON: {error}.", "Put text, numbers, lists and dicts."
        ) from None


def _matches(condition: MatchCondition, names: Names) -> bool:
    """Whether a namespace begins or ends as a condition says; "*" matches any one label."""
    path = tuple(condition.path)
    if len(path) > len(names):
        return False
    part = names[: len(path)] if condition.match_type == "prefix" else names[len(names) - len(path) :]
    return all(wanted in ("*", name) for wanted, name in zip(path, part, strict=True))


def _fits_all(value: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return all(_fits(value.get(name), condition) for name, condition in wanted.items())


def _fits(held: Any, wanted: Any) -> bool:
    """Whether a field matches a filter: a plain value, a nested value, or operators."""
    if isinstance(wanted, Mapping):
        if any(str(name).startswith("$") for name in wanted):
            return all(_compares(held, operator, bound) for operator, bound in wanted.items())
        return isinstance(held, Mapping) and _fits_all(held, wanted)
    if isinstance(wanted, list | tuple):
        return isinstance(held, list) and len(held) == len(wanted) and all(map(_fits, held, wanted))
    return bool(held == wanted)


def _compares(held: Any, operator: str, bound: Any) -> bool:
    if operator in _EQUALITIES:
        return _EQUALITIES[operator](held, bound)
    if operator not in _COMPARISONS:
        raise ValueError(f"There is no filter operator {operator!r}.")
    if isinstance(held, str) and isinstance(bound, str):
        return _COMPARISONS[operator](held, bound)
    try:
        return _COMPARISONS[operator](float(held), float(bound))
    except (TypeError, ValueError):
        return False
