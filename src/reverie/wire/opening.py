"""Opening the engine as the settings say, at once or behind a face that already answers while models load."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from reverie.errors import InvalidSetting, ModelError, ReverieError, StoreError
from reverie.wire.logs import NOWHERE, log_path

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Self

    from reverie.config import Settings
    from reverie.engine.core import Reverie
    from reverie.ops.log import OpsLog
    from reverie.ops.telemetry import Telemetry
    from reverie.ports import Embedder, Mind, Reranker
    from reverie.recipes.recipe import Recipe
    from reverie.types import Scope


# Opening the engine as the settings say: in, the settings; out, the engine with its model, screen and telemetry.


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


# Loading the models behind a face that already answers: in, an engine without them; out, the same engine with them.


log = logging.getLogger("reverie.warming")


class Warming:
    """Loads models in a thread of its own and hands them to the engine: from entering to leaving, or once started.

    First the embedder, then the reranker. ``fault`` says why one could not be; it is logged, and the engine goes on
    without it.
    """

    def __init__(
        self,
        engine: Reverie,
        load: Callable[[], Embedder | None],
        load_reranker: Callable[[], Reranker | None] = lambda: None,
    ) -> None:
        self.engine = engine
        self.fault: ReverieError | None = None
        self._load = load
        self._load_reranker = load_reranker
        self._thread = threading.Thread(target=self._run, name="reverie-warming", daemon=True)

    def start(self) -> Self:
        """Begin loading."""
        self._thread.start()
        return self

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.wait()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait until the model is there or cannot be; whether that is known."""
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            model = self._load()
            if model is not None:
                self.engine.admin.use_model(model)
        except (ModelError, InvalidSetting, StoreError) as error:
            self.fault = error
            log.warning("recalling by text alone: %s", error)
        try:
            reranker = self._load_reranker()
            if reranker is not None:
                self.engine.admin.use_reranker(reranker)
        except (ModelError, InvalidSetting) as error:
            from reverie.engine.rerank_deadline import Unready

            self.fault = error
            self.engine.admin.use_reranker(Unready(error.message))
            log.warning("recalling without the reranker: %s", error)
