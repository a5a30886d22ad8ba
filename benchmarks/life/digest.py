"""How a scope stands, in one line: a store in, a digest out. Two stores of one digest hold the same."""

from __future__ import annotations

from hashlib import sha256

from reverie.ports import Store
from reverie.types import Scope


def state_digest(store: Store, scope: Scope) -> str:
    """SHA-256 over the scope's memories as they stand and the edges between them, whatever led there."""
    total = sha256()
    for memory in sorted(store.memories(scope), key=lambda memory: memory.id):
        total.update(repr(memory).encode())
    for relation in store.relations(scope):
        total.update(repr(relation).encode())
    return total.hexdigest()
