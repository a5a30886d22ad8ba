"""Open the engine from the settings, at once or with models that load in the background."""

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


def open_engine(
    settings: Settings,
    embedder: Embedder | None,
    log: OpsLog | None,
    *,
    mind: bool,
    create: bool = False,
    reranker: Reranker | None = None,
) -> Reverie:
    """Open the engine on the settings' store; ``mind`` adds the language model, ``create`` allows a new store.

    Raises:
        ReverieError: the store or the model cannot be opened; the log is closed then.
    """
    from reverie.engine.core import Reverie

    try:
        return Reverie.open(
            settings.named_store,
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
            reminders=settings.reminders,
            corpus_mb=settings.corpus_mb,
            key_file=settings.key_file,
            count_within_s=settings.count_within_s,
        )
    except ReverieError:
        if log is not None:
            log.close()
        raise


def open_recipe(settings: Settings) -> Recipe | str:
    """Return the recipe's name, or the recipe made from settings: for ``openclaw``, and with skill cards.

    Raises:
        InvalidInput: the bound of skill cards is above 1, or there is no such recipe.
    """
    chosen: Recipe | str = settings.recipe
    if settings.recipe == "openclaw":
        from reverie.recipes.published.openclaw import keyed

        chosen = keyed(settings.openclaw)
    if not settings.skills.cards:
        return chosen
    from reverie.recipes.recipe import recipe, with_cards

    return with_cards(recipe(chosen) if isinstance(chosen, str) else chosen, settings.skills.bound)


def home(settings: Settings) -> Scope | None:
    """Return the scope for a table whose rows name no user and no project; None if the settings leave a part empty."""
    from reverie.types import Scope

    named = settings.agent, settings.user, settings.project
    return Scope(*named) if all(part.strip() for part in named) else None


def open_mind(settings: Settings, log: OpsLog | None) -> Mind | None:
    """Open the language model the settings name; None for "none". Raises InvalidSetting."""
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
    """Open the reranker the settings name. Raises InvalidSetting, ModelError."""
    chosen = settings.reranker
    from reverie.engine import factories

    return factories.open_reranker(chosen.spec, chosen.api_key, deadline_ms=chosen.deadline_ms)


def unready_reranker(settings: Settings) -> Reranker | None:
    """Return a placeholder for the reranker while it is being loaded; None if the settings name none."""
    if settings.reranker.spec.strip().lower() == NOWHERE:
        return None
    from reverie.engine.rerank_deadline import Unready

    return Unready()


def open_telemetry(settings: Settings) -> Telemetry:
    """Return OpenTelemetry's telemetry if it is switched on and installed, else one that does nothing."""
    from reverie.ops.telemetry import NoTelemetry, connect

    return connect() if settings.ops.telemetry else NoTelemetry()


log = logging.getLogger("reverie.warming")


class Warming:
    """Loads models in a background thread and gives them to the engine; started by ``start`` or as a context manager.

    First the embedder, then the reranker. ``fault`` holds the error if one cannot be loaded; it is logged, and the
    engine goes on without that model.
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
        """Begin loading the models in the background."""
        self._thread.start()
        return self

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.wait()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Wait until loading has ended, with or without success; return whether it has."""
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
