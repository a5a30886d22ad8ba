"""``doctor``: looks at everything a command needs, in the order it is needed, and names each fault with its mend.

Where another command would stop at the first error, this one goes on as far as it can.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reverie.errors import ModelError, ReverieError, StoreCorrupt
from reverie.faces.cli.care import show_faults
from reverie.faces.cli.command import Command
from reverie.faces.cli.invocation import Invocation, pass_invocation
from reverie.faces.cli.progress import busy
from reverie.wire.logs import log_path

if TYPE_CHECKING:
    from reverie.answers import Fault

_RESTORE = "Restore the last backup."


@click.command("doctor", cls=Command, short_help="Name each fault and its mend.")
@pass_invocation
def doctor_command(invocation: Invocation) -> None:
    """Look for faults in the settings, the scope, the models, the store and the log, and say how to mend each."""
    with busy("examining"):
        faults, checked = examine(invocation)
    show_faults(invocation.screen, faults, {"checked": checked}, f"no fault; looked at {', '.join(checked)}")


def examine(invocation: Invocation) -> tuple[list[Fault], list[str]]:
    """Every fault, and the names of what could be looked at."""
    try:
        invocation.settings()
    except ReverieError as error:
        return [as_fault(error)], ["settings"]
    faults: list[Fault] = []
    try:
        invocation.scope()
    except ReverieError as error:
        faults.append(as_fault(error))
    checked = ["settings", "scope", "model", "store", "ops log"]
    try:
        found = _store_faults(invocation, model=True)
    except ModelError as error:
        faults.append(as_fault(error))
        found = _store_faults(invocation, model=False)
    return [*faults, *found], checked


def _store_faults(invocation: Invocation, *, model: bool) -> list[Fault]:
    """What the engine finds once the store is open; a store that cannot be opened is the fault itself."""
    if (empty := _empty(invocation.settings().store)) is not None:
        return [empty]
    try:
        with invocation.open(model=model, reads=model) as memory:
            return [*memory.doctor(), *_log_faults(invocation)]
    except ModelError:
        raise
    except ReverieError as error:
        return [as_fault(error)]


def _empty(store: str) -> Fault | None:
    """The fault of a file without a byte where the store should be: opened, it would pass for a new store."""
    from reverie.answers import Fault
    from reverie.engine.factories import STORE_FILE

    path = Path(store)
    try:
        file = path / STORE_FILE if path.is_dir() else path
        if not file.is_file() or file.stat().st_size:
            return None
    except OSError:  # opening it will say why
        return None
    what = f"{file} is empty: there is no store in it. A copy that was broken off leaves such a file, or a full disk."
    mend = "Restore the last backup. If nothing was ever kept here, delete the file and run `reverie init`."
    return Fault("store-empty", what, mend)


def _log_faults(invocation: Invocation) -> list[Fault]:
    """Whether the ops log takes a line: whatever keeps it from that is never told where it happens."""
    from reverie.answers import Fault
    from reverie.ops.log import OpsEntry

    log = invocation.log
    if log is None:
        return []
    log.write(OpsEntry("doctor"))
    log.flush()
    if not log.counts.dropped:
        return []
    what = f"The ops log dropped {log.counts.dropped} of this command's lines."
    mend = f"Check that {log_path(invocation.settings())} can be written, or set ops.log to another file or to none."
    return [Fault("ops-log-dropped", what, mend)]


def as_fault(error: ReverieError) -> Fault:
    """An error as a fault: StoreTooNew becomes store-too-new; its mend is not to look here once more."""
    from reverie.answers import Fault

    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", type(error).__name__).lower()
    mend = _RESTORE if isinstance(error, StoreCorrupt) and "`reverie doctor`" in error.mend else error.mend
    return Fault(name, error.message, mend)
