"""What both directions of one meeting share: the transaction, the marks, whose the table is, and events of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from reverie.events import Action, Draft, Payload
from reverie.ports import Transaction
from reverie.stores.lance.marks import Marks
from reverie.stores.lance.reception import Reception
from reverie.stores.sqlite import reading, writing
from reverie.stores.sqlite.connection import Connection
from reverie.types import Memory, Scope

ACTOR = "openclaw"
"""Who an event of the table's own is by, and the speaker and session of what it brought."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """One coming together of table and store, inside one transaction.

    ``names_agents``: the table says whose a row is. Where it does not, all of it is the home's agent's.
    """

    tx: Transaction
    connection: Connection
    marks: Marks
    reception: Reception
    home: Scope
    names_agents: bool
    now: datetime

    def shows(self, scope: Scope) -> bool:
        """Whether what is formed in a scope stands in the table. It knows agents, and neither users nor projects."""
        home = self.home
        return scope == (replace(home, agent=scope.agent) if self.names_agents else home)

    def scope(self, number: int) -> Scope:
        """The scope of a number."""
        return reading.scopes(self.connection)[number]

    def number(self, scope: Scope) -> int:
        """The number of a scope that was written to."""
        return writing.scope_id(self.connection, scope) or 0

    def memory(self, scope: Scope, memory_id: str) -> Memory | None:
        """A memory as it stands now."""
        number = writing.scope_id(self.connection, scope)
        return None if number is None else reading.by_id(self.connection, scope, number, memory_id)

    def draft(self, scope: Scope, action: Action, why: str, payload: Payload) -> Draft:
        """An event of the table's."""
        return Draft(scope, self.now, ACTOR, action, why, payload, self.reception.ids.salt())
