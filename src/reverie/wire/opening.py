"""Opening the engine as the settings say: in, the settings; out, the engine with its model, screen, log and telemetry.

What the settings do not ask for is not loaded: a recall pays for no language model and no telemetry it has not.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from reverie.errors import ReverieError

if TYPE_CHECKING:
    from reverie.config import Settings
    from reverie.engine.core import Reverie
    from reverie.ops.log import OpsLog
    from reverie.ops.telemetry import Telemetry
    from reverie.ports import Embedder, Mind
    from reverie.recipes.recipe import Recipe
    from reverie.screen.settings import ScreenSettings
    from reverie.types import Scope

LOG_FILE = "ops-log.jsonl"
NOWHERE = "none"


def open_engine(
    settings: Settings, embedder: Embedder | None, log: OpsLog | None, *, mind: bool, create: bool = False
) -> Reverie:
    """The engine on the store the settings name; ``mind`` asks for the language model too, ``create`` for a new store.

    Raises:
        ReverieError: the store or the model cannot be opened; the log is closed then.
    """
    from reverie.engine.core import Reverie

    try:
        return Reverie.open(
            settings.store,
            embedder=embedder,
            home=home(settings),
            recipe=open_recipe(settings),
            create=create,
            background=False,
            screen=settings.screen,
            mind=open_mind(settings, log) if mind else None,
            log=log,
            telemetry=open_telemetry(settings),
        )
    except ReverieError:
        if log is not None:
            log.close()
        raise


def open_recipe(settings: Settings) -> Recipe | str:
    """The recipe in force: its name, or, where its keys may be set, the recipe made of them."""
    if settings.recipe != "openclaw":
        return settings.recipe
    from reverie.recipes.openclaw.keyed import keyed

    return keyed(settings.openclaw)


def home(settings: Settings) -> Scope | None:
    """Whose a table is that names no user and no project; None where the settings do not name them."""
    from reverie.types import Scope

    named = settings.agent, settings.user, settings.project
    return Scope(*named) if all(part.strip() for part in named) else None


def log_path(settings: Settings) -> Path | None:
    """Where operations are logged: what the settings say, else beside the store; None: nowhere."""
    if settings.ops.log:
        return None if settings.ops.log == NOWHERE else Path(settings.ops.log)
    if settings.store == ":memory:":
        return None
    store = Path(settings.store)
    return (store if store.is_dir() else store.parent) / LOG_FILE


def open_log(settings: Settings) -> OpsLog | None:
    """The ops log, masked as memories are."""
    from reverie.engine.runtime import SystemClock
    from reverie.ops.log import OpsLog, OpsLogSettings

    path = log_path(settings)
    if path is None:
        return None
    kept = OpsLogSettings(head_chars=None) if settings.ops.whole_texts else OpsLogSettings()
    return OpsLog(path, SystemClock(), _Masked(settings.screen), kept)


class _Masked:
    """Takes secrets out of a text; called in the log's own thread, which loads what it needs for it."""

    def __init__(self, settings: ScreenSettings) -> None:
        self._settings = settings

    def __call__(self, text: str) -> str:
        from reverie.screen.screening import screen

        return screen(text, self._settings).text


def open_mind(settings: Settings, log: OpsLog | None) -> Mind | None:
    """The language model the settings name. Raises InvalidSetting."""
    chosen = settings.llm
    if chosen.spec.strip().lower() == NOWHERE:
        return None
    from reverie.engine.minding import open_mind
    from reverie.engine.runtime import SystemClock

    return open_mind(
        chosen.spec,
        SystemClock(),
        log,
        log_path(settings),
        api_key=chosen.api_key or None,
        timeout_s=chosen.timeout_s,
        attempts=chosen.attempts,
        deadline_s=chosen.deadline_s,
        rereads=chosen.rereads,
        tokens_per_day=chosen.tokens_per_day or None,
        rest_after=chosen.rest_after,
        rest_s=chosen.rest_s,
    )


def open_telemetry(settings: Settings) -> Telemetry:
    """OpenTelemetry's, where it is asked for and installed."""
    from reverie.ops.telemetry import NoTelemetry, connect

    return connect() if settings.ops.telemetry else NoTelemetry()
