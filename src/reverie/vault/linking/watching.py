"""A linked vault that is kept so: in, a vault and its engine; out, a sync whenever something changed, until it ends."""

from __future__ import annotations

from collections.abc import Callable

from reverie.errors import ReverieError
from reverie.vault.held import Fault
from reverie.vault.linking.linking import Linked, Synced


def watch(
    linked: Linked, wait: Callable[[], bool], told: Callable[[Synced], None], left: Callable[[str], None]
) -> None:
    """Sync again and again; what cannot be done now is told once, and tried again.

    Args:
        linked: the vault and its engine.
        wait: called between two looks; False ends it.
        told: is told of every sync that did something, or left something else alone than the last one.
        left: is told why a sync could not be done.
    """
    last: tuple[Fault, ...] = ()
    why = ""
    while True:
        try:
            done = linked.sync()
            if done.changes or done.faults != last:
                told(done)
            last, why = done.faults, ""
        except ReverieError as error:
            if error.message != why:
                left(f"{error.message} {error.mend}")
            why = error.message
        if not wait():
            return
