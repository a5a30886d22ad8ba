"""Put a backup in the place of a store: examine it, keep the store there is aside, and replace it in one step.

Nobody else may have the store open. A process that is killed leaves the old store or the restored one, whole.
"""

from __future__ import annotations

import os
import shutil
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from reverie.durable import OWNER_ONLY, create, draft_of, is_there, unwritable
from reverie.errors import Conflict, ReverieError, StoreBusy, StoreCorrupt, StoreUntrusted
from reverie.stores.exclusive import alone
from reverie.stores.sqlite import agreements, file, journal, maintenance
from reverie.stores.sqlite.cipher import Key
from reverie.stores.sqlite.conversion import BUSY_S, held, synced

_SIDES = ("-wal", "-shm", "-head", "-journal")


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restored store holds: the digest that file and backup share, and its scopes and events by their journals.

    ``aside`` is where the store lies that was there before; empty if there was none.
    """

    digest: str
    scopes: int
    events: int
    aside: str = ""


def examine(path: Path, key: Key | None) -> Restored:
    """Check a backup whole, without writing. Raises StoreError: it is no store, or damaged."""
    connection = file.unchanging(path, BUSY_S, key=key)
    try:
        faults = [one for one in maintenance.check(connection) if one.name != "erasure"]
        if faults:
            raise StoreCorrupt(f"{path} is damaged: {faults[0].what}", "Restore an older backup.")
        heads = journal.heads(connection)
        return Restored(maintenance.digest_of_all(connection), len(heads), sum(seq for seq, _ in heads.values()))
    finally:
        connection.close()


def restore(path: Path, backup: Path, aside: Path, key: Key | None, state: Path | None) -> Restored:
    """Make the store at ``path`` what ``backup`` is, and prove it; what was there is moved to ``aside``.

    ``state`` is the folder in which agreements to stores are noted.

    Raises:
        StoreBusy: another process has the store open.
        Conflict: the backup is the store itself, or there is something at ``aside``.
        StoreError: the backup is no store or damaged, or the files cannot be written; the store stays as it was.
    """
    real = Path(os.path.realpath(path))
    if is_there(real) and backup.exists() and real.samefile(backup):
        raise Conflict(f"{backup} is the store itself.", "Name a backup.")
    if is_there(aside):
        raise Conflict(f"{aside} is there already.", "Move it away.")
    wanted = examine(backup, key)
    with ExitStack() as at_end:
        at_end.enter_context(alone(real))
        if is_there(real):
            _rest(real, key, at_end)
        draft = draft_of(real)
        at_end.callback(_gone, draft)
        _copied(backup, draft)
        found = examine(draft, key)
        if found != wanted:
            raise StoreCorrupt("The copy is not what the backup is. Nothing was changed.", "Try again.")
        _swapped(real, draft, aside)
    with suppress(OSError):
        agreements.agree(real, state)
    return Restored(found.digest, found.scopes, found.events, str(aside) if is_there(aside) else "")


def _rest(real: Path, key: Key | None, at_end: ExitStack) -> None:
    """Hold the store so that nobody else has it open, its log merged; a damaged one is taken as it is."""
    try:
        at_end.enter_context(held(real, key))
    except (StoreBusy, StoreUntrusted):
        raise
    except ReverieError:
        return


def _copied(source: Path, draft: Path) -> None:
    try:
        with source.open("rb") as old, create(draft) as new:
            shutil.copyfileobj(old, new, 1 << 20)
            new.flush()
            os.fsync(new.fileno())
        draft.chmod(OWNER_ONLY)
    except OSError as error:
        raise unwritable(error, draft) from error


def _swapped(real: Path, draft: Path, aside: Path) -> None:
    """Link the old file to its place aside, then put the draft in its place: at no moment is there no store."""
    try:
        if is_there(real):
            os.link(real, aside)
        draft.replace(real)
        for end in _SIDES:
            real.with_name(real.name + end).unlink(missing_ok=True)
    except OSError as error:
        raise unwritable(error, real) from error
    synced(real.parent)


def _gone(draft: Path) -> None:
    for end in ("", *_SIDES):
        with suppress(OSError):
            draft.with_name(draft.name + end).unlink(missing_ok=True)
