"""Open engines for the settings of calls, so that each answers at once.

While the embedding model loads, the engine recalls by text. Writers wait for the model, so that no memory is formed
without it. A store that is slow, damaged or hangs does not delay calls for others: each is opened on its own, and only
a few calls at a time wait for it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.config import DEFAULTS, RerankerSettings, Settings
from reverie.engine.core import Reverie
from reverie.engine.factories import open_embedder
from reverie.engine.logs import STORE_FILE
from reverie.engine.requests import Question
from reverie.engine.rerank_deadline import Unready
from reverie.errors import ModelError, ReverieError, StoreBusy, StoreCorrupt, StoreMissing
from reverie.ports import paired
from reverie.types import Scope
from reverie.wire.logs import open_log
from reverie.wire.opening import open_mind, open_recipe, open_reranker, open_telemetry, unready_reranker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reverie.ports import Bond, Embedder, Mind, Reranker, Said, Told

NOWHERE, MEMORY = "none", ":memory:"
FIRST_ANSWER_S = 1.0
"""Seconds that loading a model waits for the first answer (``may_load``), because it would slow that answer down."""
TURNS = 4
"""Most calls that one store answers or delays at a time: a quarter of what the process takes at once."""
TURN_S = 2.0
"""Seconds an answer waits for its turn, or for a store that another call is opening."""
REHEARSED = "What did we decide last week about the plan, who was asked, and how is it? Geçen hafta ne konuşmuştuk?"
"""A cue of about as many words as a prompt."""
FOR_COMMANDS = 8
"""Engines in this process from which on none is opened for a command's sake."""
DAMAGED_S = 60.0
"""Seconds until a damaged store is tried again, unless its file changes before: detecting the damage may take long."""


class Unhurried:
    """A language model that forms memories but does not route cues, since a recall must not wait for it."""

    def __init__(self, mind: Mind) -> None:
        self._mind = mind

    def merge(self, old: str, new: str) -> str | None:
        """Merge two texts with the language model."""
        return self._mind.merge(old, new)

    def form(self, said: Said) -> Told:
        """Form memories with the language model."""
        return self._mind.form(said)

    def relate(self, new: str, others: Sequence[str]) -> tuple[Bond, ...] | None:
        """Relate a memory to others with the language model."""
        return self._mind.relate(new, others)

    def route(self, cue: str) -> str | None:  # noqa: ARG002 - the port's signature
        """Return None, so that the faster heuristic routes."""
        return None

    def theme(self, texts: Sequence[str]) -> str | None:
        """Name a theme with the language model."""
        return self._mind.theme(texts)

    def pattern(self, texts: Sequence[str]) -> str | None:
        """Name a pattern with the language model."""
        return self._mind.pattern(texts)

    def summary(self, category: str, texts: Sequence[str]) -> str | None:
        """Summarise with the language model."""
        return self._mind.summary(category, texts)


@dataclass(slots=True)
class _Held:
    """An engine with the file it was opened on, or the error that kept it from being opened.

    ``opened`` is set when either is known; ``whole`` when its model is loaded, or cannot be.
    """

    file: tuple[int, ...] | None
    engine: Reverie | None = None
    fault: ReverieError | None = None
    tried_at: float = 0.0
    opened: threading.Event = field(default_factory=threading.Event)
    whole: threading.Event = field(default_factory=threading.Event)
    turns: threading.BoundedSemaphore = field(default_factory=lambda: threading.BoundedSemaphore(TURNS))

    def is_whole(self, file: tuple[int, ...] | None) -> bool:
        """Whether the engine is open on this file, with its model if it has one."""
        return self.opened.is_set() and self.whole.is_set() and self.fault is None and self.file == file

    def known(self, patience_s: float) -> Reverie:
        """Return the engine, after waiting while another thread opens it. Raises ReverieError."""
        if not self.opened.wait(patience_s):
            raise StoreBusy("The store is still being opened.", "Wait a moment; `reverie doctor` says what is wrong.")
        if self.engine is None:
            assert self.fault is not None
            raise self.fault
        return self.engine


class Engines:
    """The engines of one process, one for each distinct settings. ``clock`` times the retries of damaged stores."""

    def __init__(self, tell: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._tell = tell
        self._clock = clock
        self._held: dict[Settings, _Held] = {}
        self._old: list[_Held] = []
        self._models: dict[tuple[str, str], Embedder | None] = {}
        self._rerankers: dict[RerankerSettings, Reranker | None] = {}
        self._lock = threading.Lock()
        self._loading = threading.Lock()
        self.may_load = threading.Event()

    @contextmanager
    def answering(self, settings: Settings) -> Iterator[Reverie]:
        """Yield an engine that answers now, by text alone if need be, and hold its turn. Raises ReverieError."""
        held = self._of(settings)
        if not held.turns.acquire(timeout=TURN_S):
            raise StoreBusy("Too many calls wait for this store.", "`reverie doctor` says what is wrong with it.")
        try:
            yield held.known(TURN_S)
        finally:
            held.turns.release()

    @contextmanager
    def ready(self, settings: Settings) -> Iterator[Reverie | None]:
        """Yield the engine for these settings if it is open, has its model, and has a turn free now; else None."""
        key = _key(settings)
        with self._lock:
            held = self._held.get(key)
        if held is None or not held.is_whole(_file(key.store)) or not held.turns.acquire(blocking=False):
            yield None
            return
        try:
            yield held.engine
        finally:
            held.turns.release()

    def has_room(self, settings: Settings) -> bool:
        """Whether the engine for these settings is open, or one more may be opened for a command."""
        with self._lock:
            return _key(settings) in self._held or len(self._held) < FOR_COMMANDS

    def whole(self, settings: Settings, patience_s: float = 60.0) -> Reverie:
        """Return the engine once its model is loaded. Raises ReverieError."""
        held = self._of(settings)
        engine = held.known(patience_s)
        held.whole.wait(patience_s)
        return engine

    def rehearse(self, settings: Settings, scope: Scope) -> None:
        """Recall from a scope once without counting it, when the model is loaded, so that no prompt waits for the rest.

        What comes into memory with the first recall: vectors, the scope's index and the model's tables. Raises
        ReverieError.
        """
        self.whole(settings).explain(Question(REHEARSED, automatic=True), scope)

    @property
    def loading(self) -> bool:
        """Whether a model is still loading, which slows everything down."""
        with self._lock:
            return not all(held.whole.is_set() for held in self._held.values() if held.fault is None)

    def held(self, settings: Settings) -> Reverie | None:
        """Return the engine for these settings if it is open already."""
        with self._lock:
            held = self._held.get(_key(settings))
        return held.engine if held else None

    def close(self) -> None:
        """Close all engines, after writing what they have to write."""
        with self._lock:
            gone = [*self._held.values(), *self._old]
            self._held.clear()
            self._old.clear()
        for held in gone:
            if held.engine is not None:
                held.engine.close()

    def _of(self, settings: Settings) -> _Held:
        """Return the entry for these settings; the first caller opens the engine, outside the lock, and others wait."""
        key = _key(settings)
        file = _file(key.store)
        with self._lock:
            held = self._held.get(key)
            if held is not None and self._holds(held, key, file):
                return held
            if held is not None and held.engine is not None:  # the store was removed or replaced
                self._old.append(held)
            self._held[key] = held = _Held(file)
        self._bring(key, held)
        return held

    def _holds(self, held: _Held, key: Settings, file: tuple[int, ...] | None) -> bool:
        """Whether an entry is still valid for the store: a damaged store's for a while, or until its file changes."""
        if not held.opened.is_set():
            return True
        if held.fault is None:
            return held.file == file
        if not isinstance(held.fault, StoreCorrupt) or self._clock() - held.tried_at > DAMAGED_S:
            return False
        return held.file == _file(key.store, whole=True)

    def _bring(self, key: Settings, held: _Held) -> None:
        known, has_reranker = (key.embedder, key.api_key), _reads_nothing(key) or key.reranker in self._rerankers
        try:
            held.engine = self._open(key, self._models.get(known))
            held.file = _file(key.store)
        except ReverieError as fault:
            held.fault, held.tried_at, held.file = fault, self._clock(), _file(key.store, whole=True)
            held.whole.set()
            return
        except BaseException:
            held.fault = StoreBusy("The store could not be opened.", "`reverie doctor` says why.")
            held.whole.set()
            raise
        finally:
            held.opened.set()
        if known in self._models or key.embedder.strip().lower() == NOWHERE:
            held.whole.set()
        if not held.whole.is_set() or not has_reranker:
            thread = threading.Thread(
                target=self._load, args=(key, held, held.engine), name="reverie-hook-model", daemon=True
            )
            thread.start()

    def _load(self, key: Settings, held: _Held, engine: Reverie) -> None:
        """Load missing models and give them to the engine."""
        self.may_load.wait(FIRST_ANSWER_S)
        if not held.whole.is_set():
            self._load_embedder(key, held, engine)
        if not _reads_nothing(key):
            self._load_reranker(key, engine)

    def _load_embedder(self, key: Settings, held: _Held, engine: Reverie) -> None:
        try:
            with self._loading:
                known = (key.embedder, key.api_key)
                if known not in self._models:
                    self._models[known] = open_embedder(key.embedder, key.api_key)
            if (model := self._models[known]) is not None:
                engine.admin.use_model(model)
                held.whole.set()
                if (pair := paired(model)) is not None:
                    pair.second()  # takes a second, for which no prompt should wait
        except ModelError as error:
            self._tell(f"recall by text alone: {type(error).__name__}")
        except Exception as fault:  # noqa: BLE001 -- a thread of its own: the log tells, recall goes on by text
            self._tell(f"the model could not be loaded: {type(fault).__name__}")
        finally:
            held.whole.set()

    def _load_reranker(self, key: Settings, engine: Reverie) -> None:
        try:
            with self._loading:
                if key.reranker not in self._rerankers:
                    self._rerankers[key.reranker] = open_reranker(key)
            if (reranker := self._rerankers[key.reranker]) is not None:
                engine.admin.use_reranker(reranker)
        except ReverieError as error:
            engine.admin.use_reranker(Unready(error.message))
            self._tell(f"recall without the reranker: {type(error).__name__}")
        except Exception as fault:  # noqa: BLE001 -- a thread of its own: the log tells, recall goes on without it
            self._tell(f"the reranker could not be loaded: {type(fault).__name__}")

    def _open(self, settings: Settings, embedder: Embedder | None) -> Reverie:
        if settings.store != MEMORY and "://" not in settings.store:
            Path(settings.store).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        log = open_log(settings)
        mind = open_mind(settings, log)
        return Reverie.open(
            settings.named_store,
            embedder=embedder,
            recipe=open_recipe(settings),
            create=True,  # `at_home` admits only a store that somebody named
            background=embedder is not None,
            screen=settings.screen,
            mind=None if mind is None else Unhurried(mind),
            reranker=self._rerankers.get(settings.reranker) or unready_reranker(settings),
            rerank=settings.reranker.limits,
            log=log,
            telemetry=open_telemetry(settings),
            corpus_mb=settings.corpus_mb,
            key_file=settings.key_file,
        )


def _reads_nothing(settings: Settings) -> bool:
    """Whether no reranker is configured."""
    return settings.reranker.spec.strip().lower() == NOWHERE


def _file(store: str, *, whole: bool = False) -> tuple[int, ...] | None:
    """Return the identity of a store's file, with ``whole`` also size and age; None for one in memory or missing."""
    try:
        path = Path(store)
        held = (path / STORE_FILE if path.is_dir() else path).stat()
    except OSError:
        return None
    which = (held.st_dev, held.st_ino)
    return (*which, held.st_size, held.st_mtime_ns) if whole else which


def at_home(settings: Settings, folder: Path) -> Settings:
    """Return the settings with paths resolved against the folder of the call.

    Raises:
        StoreMissing: no store is named, and there is none in the folder.
    """
    store = settings.store
    if store != MEMORY and not Path(store).is_absolute():
        path = folder / store
        if store == DEFAULTS["store"] and not path.exists():
            raise StoreMissing("No store is named for this folder.", "Run `reverie install`, or `reverie init` here.")
        store = str(path)
    log = settings.ops.log
    if log and log != NOWHERE and not Path(log).is_absolute():
        log = str(folder / log)
    return replace(settings, store=store, ops=replace(settings.ops, log=log))


def _key(settings: Settings) -> Settings:
    """Return the settings without those that do not affect the engine: the scope, and how hooks are served.

    A reranker gets at most half the time of the whole answer, because a late answer is lost.
    """
    plain, most_ms = Settings(), max(1, settings.hook.deadline_ms // 2)
    reranker = plain.reranker
    if not _reads_nothing(settings):
        reranker = replace(settings.reranker, deadline_ms=min(settings.reranker.deadline_ms, most_ms))
    served = replace(settings, hook=plain.hook, serve=plain.serve, mcp=plain.mcp, plots=plain.plots)
    return replace(served, agent="", user="", project="", reranker=reranker)
