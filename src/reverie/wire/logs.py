"""Where the ops log of a store lies: its path from the settings, and older log files that belong to it.

Logs lie in the user's own state folder, one folder for each store. A store may lie in a folder that somebody else
filled, where Reverie must not write files beside it.
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
    """Return the path of the ops log: the settings' own, else one in the user's state folder; None for no log."""
    if settings.ops.log:
        return None if settings.ops.log == NOWHERE else Path(settings.ops.log)
    folder = log_folder(settings.store)
    return None if folder is None else folder / LOG_FILE


def older_logs(settings: Settings) -> Iterator[Path]:
    """Yield the log that an earlier version wrote beside the store: it is read and erased like the new one, never
    written.
    """
    if not settings.ops.log and settings.store != MEMORY:
        yield file_of(settings.store).with_name(LOG_FILE)


def open_log(settings: Settings) -> OpsLog | None:
    """Open the ops log, with secrets masked as they are in memories; None without a log."""
    from reverie.engine.runtime import SystemClock
    from reverie.ops.log import OpsLog, OpsLogSettings

    path = log_path(settings)
    if path is None:
        return None
    sign(settings.store, path)
    shown = 0 if settings.encrypted else None if settings.ops.whole_texts else OpsLogSettings().head_chars
    kept = OpsLogSettings(head_chars=shown)  # no text of an encrypted store stands outside it
    return OpsLog(path, SystemClock(), _Masked(settings.screen), kept, lambda: logs_of(settings.store))


class _Masked:
    """Masks secrets in a text; called in the log's thread, where the screen is loaded on first use."""

    def __init__(self, settings: ScreenSettings) -> None:
        self._settings = settings

    def __call__(self, text: str) -> str:
        from reverie.screen.pipeline import screen

        return screen(text, self._settings).text
