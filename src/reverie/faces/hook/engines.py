"""Engines by settings: in, the settings of a call; out, an engine that answers at once.

While the embedding model loads, the engine recalls by text. Whoever writes waits for the model, so that nothing is
formed without it. One store that is slow, damaged or made to hang holds up nobody who works with another: each is
opened on its own, and only so many calls at a time wait for it.
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
from reverie.engine.rerank_deadline import Unready
from reverie.errors import ModelError, ReverieError, StoreBusy, StoreCorrupt, StoreMissing
from reverie.ports import paired
from reverie.wire.logs import open_log
from reverie.wire.opening import open_mind, open_recipe, open_reranker, open_telemetry, unready_reranker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reverie.ports import Bond, Embedder, Mind, Reranker, Said, Told

NOWHERE, MEMORY = "none", ":memory:"
FIRST_ANSWER_S = 1.0
"""A model that loads slows down whoever answers, so it begins when the first answer is given (``may_load``)."""
TURNS = 4
"""Calls that one store answers, or keeps waiting, at a time: a quarter of those the process takes at once."""
TURN_S = 2.0
"""How long an answer waits for its turn, or for a store that another call is opening."""
DAMAGED_S = 60.0
"""How long a damaged store is not tried again, unless its file changes: finding out may have taken seconds."""


class Unhurried:
    """A language model that forms but does not route: a recall must not wait for it."""

    def __init__(self, mind: Mind) -> None:
        self._mind = mind

    def merge(self, old: str, new: str) -> str | None:
        """As the mind does."""
        return self._mind.merge(old, new)

    def form(self, said: Said) -> Told:
        """As the mind does."""
        return self._mind.form(said)

    def relate(self, new: str, others: Sequence[str]) -> tuple[Bond, ...] | None:
        """As the mind does."""
        return self._mind.relate(new, others)

    def route(self, cue: str) -> str | None:  # noqa: ARG002 - the port's signature
        """Nothing: the heuristic is quicker."""
        return None

    def theme(self, texts: Sequence[str]) -> str | None:
        """As the mind does."""
        return self._mind.theme(texts)

    def pattern(self, texts: Sequence[str]) -> str | None:
        """As the mind does."""
        return self._mind.pattern(texts)

    def summary(self, category: str, texts: Sequence[str]) -> str | None:
        """As the mind does."""
        return self._mind.summary(category, texts)


@dataclass(slots=True)
class _Held:
    """An engine on the file that it was opened on, or what kept it from being opened.

    ``opened`` is set when either is known; ``whole`` when its model is there, or cannot be.
    """

    file: tuple[int, ...] | None
    engine: Reverie | None = None
    fault: ReverieError | None = None
    tried_at: float = 0.0
    opened: threading.Event = field(default_factory=threading.Event)
    whole: threading.Event = field(default_factory=threading.Event)
    turns: threading.BoundedSemaphore = field(default_factory=lambda: threading.BoundedSemaphore(TURNS))

    def known(self, patience_s: float) -> Reverie:
        """The engine, waited for while another thread opens it. Raises ReverieError."""
        if not self.opened.wait(patience_s):
            raise StoreBusy("The store is still being opened.", "Wait a moment; `reverie doctor` tells what is wrong.")
        if self.engine is None:
            assert self.fault is not None
            raise self.fault
        return self.engine


class Engines:
    """The engines of one process, one for each kind of settings. ``clock`` says how long a damaged store is let be."""

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
        """An engine that answers now, by text alone if need be, held while it answers. Raises ReverieError."""
        held = self._of(settings)
        if not held.turns.acquire(timeout=TURN_S):
            raise StoreBusy("Too many calls wait for this store.", "`reverie doctor` tells what is wrong with it.")
        try:
            yield held.known(TURN_S)
        finally:
            held.turns.release()

    def whole(self, settings: Settings, patience_s: float = 60.0) -> Reverie:
        """The engine with its model, waited for. Raises ReverieError."""
        held = self._of(settings)
        engine = held.known(patience_s)
        held.whole.wait(patience_s)
        return engine

    @property
    def loading(self) -> bool:
        """Whether a model is still being loaded: until then everything takes longer."""
        with self._lock:
            return not all(held.whole.is_set() for held in self._held.values() if held.fault is None)

    def held(self, settings: Settings) -> Reverie | None:
        """The engine that is open already, if there is one."""
        with self._lock:
            held = self._held.get(_key(settings))
        return held.engine if held else None

    def close(self) -> None:
        """Close them all; what they write is written."""
        with self._lock:
            gone = [*self._held.values(), *self._old]
            self._held.clear()
            self._old.clear()
        for held in gone:
            if held.engine is not None:
                held.engine.close()

    def _of(self, settings: Settings) -> _Held:
        """What is held for these settings; whoever comes first opens it, outside the lock, and others wait for that."""
        key = _key(settings)
        file = _file(key.store)
        with self._lock:
            held = self._held.get(key)
            if held is not None and self._holds(held, key, file):
                return held
            if held is not None and held.engine is not None:  # the store was taken away or another put in its place
                self._old.append(held)
            self._held[key] = held = _Held(file)
        self._bring(key, held)
        return held

    def _holds(self, held: _Held, key: Settings, file: tuple[int, ...] | None) -> bool:
        """Whether what is held is still that of the store: a damaged one for a while, or until its file changes."""
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
            held.fault = StoreBusy("The store could not be opened.", "`reverie doctor` tells why.")
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
        """Load the models that are not there yet, and hand them to the engine."""
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
                    pair.second()  # a second, which no prompt shall wait for
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
        if settings.store != MEMORY:
            Path(settings.store).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        log = open_log(settings)
        mind = open_mind(settings, log)
        return Reverie.open(
            settings.store,
            embedder=embedder,
            recipe=open_recipe(settings),
            create=True,  # `at_home` lets through only what somebody named
            background=embedder is not None,
            screen=settings.screen,
            mind=None if mind is None else Unhurried(mind),
            reranker=self._rerankers.get(settings.reranker) or unready_reranker(settings),
            rerank=settings.reranker.limits,
            log=log,
            telemetry=open_telemetry(settings),
        )


def _reads_nothing(settings: Settings) -> bool:
    """Whether no reranker is wanted."""
    return settings.reranker.spec.strip().lower() == NOWHERE


def _file(store: str, *, whole: bool = False) -> tuple[int, ...] | None:
    """Which file a store is, and how large and old if asked for as a ``whole``; None for one in memory, or none."""
    try:
        path = Path(store)
        held = (path / STORE_FILE if path.is_dir() else path).stat()
    except OSError:
        return None
    which = (held.st_dev, held.st_ino)
    return (*which, held.st_size, held.st_mtime_ns) if whole else which


def at_home(settings: Settings, folder: Path) -> Settings:
    """The settings with their paths seen from the folder of the call, not from ours.

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
    """The settings without what makes no other engine: whose memory it is, and how hooks are served.

    A reranker gets half of what the whole answer may take, at most: a late answer is none.
    """
    plain, most_ms = Settings(), max(1, settings.hook.deadline_ms // 2)
    reranker = replace(settings.reranker, deadline_ms=min(settings.reranker.deadline_ms, most_ms))
    served = replace(settings, hook=plain.hook, serve=plain.serve, mcp=plain.mcp, plots=plain.plots)
    return replace(served, agent="", user="", project="", reranker=reranker)
