"""Loading the models behind a face that already answers: in, an engine without them; out, the same engine with them.

Until then it recalls by text alone and nothing is reranked, and what is written meanwhile is embedded afterwards.
"""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from reverie.errors import InvalidSetting, ModelError, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Self

    from reverie.engine.core import Reverie
    from reverie.errors import ReverieError
    from reverie.ports import Embedder, Reranker

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
                self.engine.use_model(model)
        except (ModelError, InvalidSetting, StoreError) as error:
            self.fault = error
            log.warning("recalling by text alone: %s", error)
        try:
            reranker = self._load_reranker()
            if reranker is not None:
                self.engine.use_reranker(reranker)
        except (ModelError, InvalidSetting) as error:
            from reverie.engine.rerank_deadline import Unready

            self.fault = error
            self.engine.use_reranker(Unready(error.message))
            log.warning("recalling without the reranker: %s", error)
