"""``Reverie``: the one public class, and the place where an engine is composed of its parts."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self, TypedDict, Unpack

from reverie.engine.base import Parts
from reverie.engine.consolidate import Sleeping
from reverie.engine.curate import Noting
from reverie.engine.embedding import BackgroundCatchUp
from reverie.engine.erasure import Erasing
from reverie.engine.factories import open_embedder, open_reranker, open_store, reception, refresh_terms, require_parts
from reverie.engine.logs import finish, left
from reverie.engine.maintain import Care
from reverie.engine.retrieve import LookingBack, Reading
from reverie.engine.runtime import RandomIds, SystemClock
from reverie.engine.transfer import Moving
from reverie.errors import InvalidInput, StoreBusy, StoreFull, StoreReadOnly
from reverie.ops.log import OpsLog
from reverie.ops.telemetry import NoTelemetry, Telemetry
from reverie.ports import Clock, Embedder, Ids, Mind, Reranker
from reverie.recall.settings import RerankSettings
from reverie.recipes.named import recipe
from reverie.recipes.recipe import Recipe
from reverie.screen.values import ScreenSettings
from reverie.types import Scope

DECAY_AT_OPEN_H = 24.0
"""Hours between one decay and the next that opening the store brings: looking at it twice must not change it twice."""


class Options(TypedDict, total=False):
    """What ``Reverie.open`` takes beside the path; each has its default.

    Attributes:
        embedder: an embedder, the specification of one ("default", "hash", "openai:…"), or None for text alone.
        recipe: a recipe's name ("reverie", "v9", "exocortex", "openclaw", "ocean"), or one of your own.
        create: False: raise StoreMissing instead of making a new store.
        clock: where the time comes from; the machine's by default.
        ids: where ids and salts come from; the operating system's chance by default.
        home: whose OpenClaw's table is, where a store of that kind is made: its user, its project, and the agent of
            rows that name none.
        background: embed what has no vector of this model in a thread; recall goes by text meanwhile, and by the quick
            model where a slower one stands beside it.
        screen: what is masked, marked and held back before anything is written; None: nothing is.
        mind: a language model for what one can do better; None: the heuristics alone.
        reranker: a model that reads the first of what was found together with the cue: a reranker, or the
            specification of one ("fastembed:…"); None, the default: nothing is read.
        rerank: how many it reads, how much that counts, and how long it may take.
        log: where operations are logged; None: nowhere.
        telemetry: where spans and counters go; nowhere by default.
    """

    embedder: Embedder | str | None
    recipe: Recipe | str
    create: bool
    clock: Clock | None
    ids: Ids | None
    home: Scope | None
    background: bool
    screen: ScreenSettings | None
    mind: Mind | None
    reranker: Reranker | str | None
    rerank: RerankSettings
    log: OpsLog | None
    telemetry: Telemetry


def _require_known(options: Mapping[str, object]) -> None:
    """Raise InvalidInput for an option that there is not."""
    known = Options.__annotations__
    unknown = sorted(set(options) - set(known))
    if unknown:
        raise InvalidInput(f"Reverie.open has no option {unknown[0]!r}.", f"It has {', '.join(known)}.")


def _behind(screen: ScreenSettings | None, mind: Mind | None) -> Mind | None:
    """A mind whose words the screen sees first; what that needs is loaded only where there is one."""
    if screen is None or mind is None:
        return mind
    from reverie.engine.llm_tasks import ScreenedMind

    return ScreenedMind(mind, screen)


class Reverie(Noting, Erasing, Reading, LookingBack, Sleeping, Care, Moving):
    """A memory: it keeps what was said and recalls the right few sentences, within the scope each call names.

    Safe to share between threads; several processes may open the same path at once.

    >>> from datetime import UTC, datetime
    >>> from reverie import Reverie, Scope
    >>> scope = Scope(agent="helper", user="ada", project="home")
    >>> with Reverie.open(":memory:", embedder=None) as memory:
    ...     _ = memory.remember("My sister Zeynep moved to Izmir in May.", scope, at=datetime(2026, 6, 1, tzinfo=UTC))
    ...     _ = memory.remember("The printer is out of toner again.", scope, at=datetime(2026, 6, 2, tzinfo=UTC))
    ...     answer = memory.recall("Where does my sister live?", scope)
    ...     print(answer.hits[0].memory.text)
    My sister Zeynep moved to Izmir in May.
    """

    @classmethod
    def open(cls, path: str | Path, **options: Unpack[Options]) -> Self:
        """Open the store at ``path`` (a file, a folder that holds ``reverie.db``, or ":memory:"), or make it.

        ``lance:FOLDER`` is OpenClaw's own LanceDB table, worked on in place.

        Raises:
            StoreError: the path cannot be opened; its kind and ``mend`` say why and what to do.
            ModelError: the model cannot be loaded. An endpoint that does not answer is no error: recall goes by text.
            InvalidInput: there is no such option or recipe.
        """
        _require_known(options)
        require_parts(options)
        model = open_embedder(options.get("embedder", "default"))
        limits = options.get("rerank", RerankSettings())
        reranker = open_reranker(options.get("reranker"), deadline_ms=limits.deadline_ms)
        clock, ids = options.get("clock") or SystemClock(), options.get("ids") or RandomIds()
        screen = options.get("screen", ScreenSettings())
        store = open_store(
            path,
            options.get("create", True),
            lambda: reception(model, clock, ids, screen, options.get("log")),
            options.get("home"),
        )
        refresh_terms(store)
        chosen = options.get("recipe", "reverie")
        parts = Parts(
            store=store,
            embedder=model,
            clock=clock,
            ids=ids,
            recipe=recipe(chosen) if isinstance(chosen, str) else chosen,
            screen=screen,
            mind=_behind(screen, options.get("mind")),
            log=options.get("log"),
            telemetry=options.get("telemetry", NoTelemetry()),
            place=str(path),
            reranker=reranker,
            rerank=limits,
        )
        engine = cls(parts)
        finish(parts.place)
        engine._finish_begun()
        if options.get("background", True) and model is not None:
            engine._catch_up_with(model)
        if engine._recipe.recall.decay_at_open:
            engine._decay_all()
        return engine

    def _catch_up_with(self, model: Embedder) -> None:
        """Embed in a thread of its own what has no vector of the model yet."""
        self._catching_up = BackgroundCatchUp(self._store, model, self._lock)
        if self.missing():
            self._catching_up.start(0.0)

    def _finish_begun(self) -> None:
        """Go on with what a killed process had begun, as far as the store can be written."""
        for note, work in left(self._parts.place):
            with suppress(StoreReadOnly, StoreFull, StoreBusy, OSError):
                for scope, names in work.erase:
                    self._erase_rest(scope, names)
                if work.screen_after is not None and (admission := self._admission()) is not None:
                    admission.screened(work.screen_after)
                note.unlink(missing_ok=True)

    def _decay_all(self) -> None:
        """Let memories of every scope fade, as far as the store can be written; a scope that just did is let be."""
        for scope in self.scopes():
            if not self._has_slept(scope, DECAY_AT_OPEN_H):
                with suppress(StoreReadOnly, StoreFull, StoreBusy):
                    self._decay(scope, quiet=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
