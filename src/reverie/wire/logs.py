"""Where operations are logged: in, the settings; out, the log's file, and the older files that belong to it.

Logs lie in the user's own state folder, one folder for each store. A store may lie in a folder that somebody else
filled, and what lies beside it there is not ours to write.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.engine.logs import LOG_FILE, file_of, log_folder, logs_of, sign

if TYPE_CHECKING:
    from reverie.config import Settings
    from reverie.ops.log import OpsLog
    from reverie.screen.values import ScreenSettings

NOWHERE, MEMORY = "none", ":memory:"


def log_path(settings: Settings) -> Path | None:
    """Where operations are logged: what the settings say, else in the user's state folder; None: nowhere."""
    if settings.ops.log:
        return None if settings.ops.log == NOWHERE else Path(settings.ops.log)
    folder = log_folder(settings.store)
    return None if folder is None else folder / LOG_FILE


def older_logs(settings: Settings) -> Iterator[Path]:
    """The log that an earlier Reverie wrote beside the store. It is read and erased as the new one, never written."""
    if not settings.ops.log and settings.store != MEMORY:
        yield file_of(settings.store).with_name(LOG_FILE)


def open_log(settings: Settings) -> OpsLog | None:
    """The ops log, masked as memories are."""
    from reverie.engine.runtime import SystemClock
    from reverie.ops.log import OpsLog, OpsLogSettings

    path = log_path(settings)
    if path is None:
        return None
    sign(settings.store, path)
    kept = OpsLogSettings(head_chars=None) if settings.ops.whole_texts else OpsLogSettings()
    return OpsLog(path, SystemClock(), _Masked(settings.screen), kept, lambda: logs_of(settings.store))


class _Masked:
    """Takes secrets out of a text; called in the log's own thread, which loads what it needs for it."""

    def __init__(self, settings: ScreenSettings) -> None:
        self._settings = settings

    def __call__(self, text: str) -> str:
        from reverie.screen.pipeline import screen

        return screen(text, self._settings).text
