"""Where operations are logged: in, the settings; out, the log's file, and the older files that belong to it.

Logs lie in the user's own state folder, one folder for each store. A store may lie in a folder that somebody else
filled, and what lies beside it there is not ours to write.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.config import state_folder
from reverie.durable import OWNER_ONLY, replace

if TYPE_CHECKING:
    from reverie.config import Settings
    from reverie.ops.log import OpsLog
    from reverie.screen.settings import ScreenSettings

LOG_FILE = "ops-log.jsonl"
NOWHERE, MEMORY = "none", ":memory:"
_LOGS, _OF = "logs", "store"
"""The folder of all logs, and the file in each that names the store it is of."""
_NAME_MAX = 40


def log_path(settings: Settings) -> Path | None:
    """Where operations are logged: what the settings say, else in the user's state folder; None: nowhere."""
    if settings.ops.log:
        return None if settings.ops.log == NOWHERE else Path(settings.ops.log)
    state = state_folder()
    if settings.store == MEMORY or state is None:
        return None
    store = _file(settings.store)
    digits = sha256(os.fsencode(store)).hexdigest()[:16]
    return state / _LOGS / f"{store.parent.name[:_NAME_MAX] or 'root'}-{digits}" / LOG_FILE


def older_logs(settings: Settings) -> Iterator[Path]:
    """The log that an earlier Reverie wrote beside the store. It is read and erased as the new one, never written."""
    if not settings.ops.log and settings.store != MEMORY:
        yield _file(settings.store).with_name(LOG_FILE)


def open_log(settings: Settings) -> OpsLog | None:
    """The ops log, masked as memories are."""
    from reverie.engine.runtime import SystemClock
    from reverie.ops.log import OpsLog, OpsLogSettings

    path = log_path(settings)
    if path is None:
        return None
    if not settings.ops.log:
        _sign(path.with_name(_OF), _file(settings.store))
    kept = OpsLogSettings(head_chars=None) if settings.ops.whole_texts else OpsLogSettings()
    return OpsLog(path, SystemClock(), _Masked(settings.screen), kept, lambda: _perhaps(settings, path))


def _perhaps(settings: Settings, path: Path) -> Iterator[Path]:
    """Every other log that may hold a text of the store's: the older ones, and those whose store is gone.

    A store that was moved has a new log; its old one names a path where there is none any more.
    """
    yield from older_logs(settings)
    if settings.ops.log:
        return
    for sign in sorted(path.parent.parent.glob(f"*/{_OF}")):
        with suppress(OSError, ValueError):
            if sign.parent != path.parent and not Path(os.fsdecode(sign.read_bytes())).exists():
                yield sign.with_name(path.name)


def _sign(sign: Path, store: Path) -> None:
    """Write down which store a log is of. Where it cannot be written, neither can the log, and that counts so."""
    if not sign.exists():
        with suppress(OSError):
            sign.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace(sign, os.fsencode(store), mode=OWNER_ONLY)


def _file(store: str) -> Path:
    """The store's file, without links: by any of its names it has one log."""
    from reverie.engine.opening import STORE_FILE

    named = Path(store)
    return Path(os.path.realpath(named / STORE_FILE if named.is_dir() else named))


class _Masked:
    """Takes secrets out of a text; called in the log's own thread, which loads what it needs for it."""

    def __init__(self, settings: ScreenSettings) -> None:
        self._settings = settings

    def __call__(self, text: str) -> str:
        from reverie.screen.screening import screen

        return screen(text, self._settings).text
