"""Opening the engine as the settings say: in, the settings; out, the engine with its model, screen and telemetry.

What the settings do not ask for is not loaded: a recall pays for no language model and no telemetry it has not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reverie.errors import ReverieError
from reverie.wire.logs import NOWHERE, log_path

if TYPE_CHECKING:
    from reverie.config import Settings
    from reverie.engine.core import Reverie
    from reverie.ops.log import OpsLog
    from reverie.ops.telemetry import Telemetry
    from reverie.ports import Embedder, Mind, Reranker
    from reverie.recipes.recipe import Recipe
    from reverie.types import Scope


def open_engine(
    settings: Settings,
    embedder: Embedder | None,
    log: OpsLog | None,
    *,
    mind: bool,
    create: bool = False,
    reranker: Reranker | None = None,
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
            reranker=reranker,
            rerank=settings.reranker.limits,
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
    from reverie.recipes.published.openclaw import keyed

    return keyed(settings.openclaw)


def home(settings: Settings) -> Scope | None:
    """Whose a table is that names no user and no project; None where the settings do not name them."""
    from reverie.types import Scope

    named = settings.agent, settings.user, settings.project
    return Scope(*named) if all(part.strip() for part in named) else None


def open_mind(settings: Settings, log: OpsLog | None) -> Mind | None:
    """The language model the settings name. Raises InvalidSetting."""
    chosen = settings.llm
    if chosen.spec.strip().lower() == NOWHERE:
        return None
    from reverie.engine.llm_tasks import open_mind
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


def open_reranker(settings: Settings) -> Reranker | None:
    """The reranker the settings name. Raises InvalidSetting, ModelError."""
    chosen = settings.reranker
    from reverie.engine import factories

    return factories.open_reranker(chosen.spec, chosen.api_key, deadline_ms=chosen.deadline_ms)


def unready_reranker(settings: Settings) -> Reranker | None:
    """What stands in for the reranker the settings name while that is being loaded; None where they name none."""
    if settings.reranker.spec.strip().lower() == NOWHERE:
        return None
    from reverie.engine.rerank_deadline import Unready

    return Unready()


def open_telemetry(settings: Settings) -> Telemetry:
    """OpenTelemetry's, where it is asked for and installed."""
    from reverie.ops.telemetry import NoTelemetry, connect

    return connect() if settings.ops.telemetry else NoTelemetry()
