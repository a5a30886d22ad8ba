"""What a call asks about its scope before it reads or writes: answered in one round trip, or as it was seen last."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import local
from typing import TypeVar

from reverie.errors import Denied
from reverie.stores.postgres import rows
from reverie.stores.postgres.connection import Link, Row
from reverie.stores.postgres.rows import raw
from reverie.stores.postgres.search import Corpora
from reverie.types import ModelInfo, Scope

T = TypeVar("T")
_SEEN_MOST = 4_096
"""Scopes whose records are kept as last seen."""


class Overtaken(Exception):
    """The scope is not as a writing call took it to be: nothing is written, and the call is run anew."""


@dataclass(slots=True)
class _Look:
    """Rows of a scope's records, of those about it, and of its state, as of one moment; ``own`` None: not yet looked.

    ``assumed``: the scope's records as last seen, instead of all these.
    """

    scope: Scope
    model: ModelInfo | None
    assumed: list[Row] | None = None
    own: list[Row] | None = None
    about: list[Row] | None = None
    state: list[Row] | None = None


class Looks:
    """What each thread's call sees of the scope that it names."""

    def __init__(self, link: Link, tenant: int, corpora: Corpora) -> None:
        self._link = link
        self._tenant = tenant
        self._corpora = corpora
        self._own = local()
        self._seen: dict[Scope, list[Row]] = {}

    def ahead(self, scope: Scope, model: ModelInfo | None, do: Callable[[], T], writes: bool) -> T:
        """Run a call that names one scope.

        A call that reads is shown the scope's records and state as of one moment, up to its first write. One that
        writes is shown the records as they were last seen; they are compared once the scope is locked, and if they
        changed since, nothing is written and the call is run anew. So it is if it was denied: somebody may have
        allowed it meanwhile.
        """
        seen = self._seen.get(scope) if writes else None
        self._own.look = _Look(scope, model, seen)
        try:
            return do()
        except (Overtaken, Denied):
            if seen is None:
                raise
            self._own.look = _Look(scope, model)
            return do()
        finally:
            self._own.look = None

    def drop(self) -> None:
        """Forget what this thread's call saw: it writes, or something of it is gone."""
        self._own.look = None

    def begin(self, scope: Scope) -> list[Row] | None:
        """Forget what this thread's call saw, as it writes; return the records it relies on, if it assumed them."""
        look = self._look
        self._own.look = None
        return look.assumed if look is not None and look.scope == scope else None

    def saw(self, scope: Scope, own: list[Row]) -> None:
        """Keep a scope's records as they are now."""
        if len(self._seen) >= _SEEN_MOST:
            self._seen.clear()
        self._seen[scope] = own

    def records(self, scope: Scope | None, about: str | None) -> list[Row] | None:
        """Return the records of a scope, or all about one, as this thread's call sees them; None: it must ask."""
        look = self._look
        if look is None:
            return None
        if about is None and scope == look.scope:
            return look.assumed if look.assumed is not None else self._looked(look).own
        if scope is None and about == look.scope.canonical and look.assumed is None:
            return self._looked(look).about
        return None

    def state(self, scope: Scope, model: ModelInfo | None) -> list[Row] | None:
        """Return the state of a scope as this thread's call sees it; None: it must ask."""
        look = self._look
        if look is None or look.assumed is not None or (look.scope, look.model) != (scope, model):
            return None
        return self._looked(look).state

    def head(self, scope: Scope) -> Row | None:
        """Return number, last event and counts of a scope, if this thread's call has looked at it."""
        look = self._look
        return None if look is None or look.scope != scope or not look.state else rows.head_in(look.state[0])

    @property
    def _look(self) -> _Look | None:
        look: _Look | None = getattr(self._own, "look", None)
        return None if self._link.held is not None else look

    def _looked(self, look: _Look) -> _Look:
        if look.own is None:
            scope = look.scope
            about = (f"{rows.RECORD} AND r.about = %s", (self._tenant, raw(scope.canonical)))
            statements = [rows.records_of(self._tenant, scope), about, self._corpora.state_query(scope, look.model)]
            found = self._link.reading(lambda connection: self._link.trip(connection, statements))
            look.own, look.about, look.state = found
            self.saw(scope, look.own)
        return look
