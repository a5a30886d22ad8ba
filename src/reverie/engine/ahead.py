"""Helper processes for large imports: they screen, embed and analyse messages ahead, and the engine writes them.

In: batches of messages, in order. Out: the same batches in the same order, ready to be written. What depends on a
message and the few before it in its session is computed here; what depends on the store is left to the engine. So the
same journal is written with any number of processes. A process that fails costs time only: the engine does its part.
"""

from __future__ import annotations

import logging
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from queue import Empty, SimpleQueue
from typing import IO, TypeAlias

from reverie.encode.facts import Aids
from reverie.encode.memory_factory import EpisodeReading
from reverie.encode.pipeline import Incoming, Prepared, prepare, read_episode, screened
from reverie.encode.session import SESSIONS_KEPT, Sessions, WorkingSettings
from reverie.encode.settings import EncodeSettings
from reverie.ports import Embedder
from reverie.screen.values import ScreenSettings
from reverie.types import FloatArray, Message, Scope

FROM = 8
"""Batches from which an import that forms memories is worth helper processes, twice as many for one that does not: a
process takes 0.9 s to start, as long as it takes to prepare 400 messages, or to screen and embed 800."""
PROCESSES_MAX = 4
"""Most helper processes: four prepare messages faster than one process writes them. Each takes 220 MB."""
_AHEAD = 2
"""Batches that are prepared ahead, beyond one for each process."""
_CHARS_MAX = 32_000_000
"""Of so many characters no further batch is prepared ahead, so that memory stays bounded whatever the messages are."""
_BEFORE = 4
"""How many messages before a batch are handed to it in each session, to resolve what its first messages refer to."""
_SCOPE = Scope("helper", "helper", "helper")
_SIZE = 8
_ONE = threading.Lock()
"""Held by the import of this process that has helper processes: a second at the same time does without."""

logger = logging.getLogger("reverie.imports")


@dataclass(frozen=True, slots=True)
class Work:
    """What helper processes need to know: how to screen, to embed and, if ``encode`` is given, to form candidates.

    ``embedder`` is the specification of the engine's embedder, which computes the same vectors in every process.
    """

    screen: ScreenSettings | None
    embedder: str
    encode: EncodeSettings | None
    working: WorkingSettings


@dataclass(frozen=True, slots=True)
class Ahead:
    """The fact candidates of a message, formed before it was written, and their vectors.

    They hold if the session's last messages are then still those of ``context``.
    """

    prepared: Prepared
    context: tuple[str, ...]
    vectors: tuple[FloatArray | None, ...]


@dataclass(frozen=True, slots=True)
class Ready:
    """A screened message with its vector; ``read`` and ``ahead`` are what else was computed ahead, None if nothing."""

    said: Prepared
    vector: FloatArray | None
    read: EpisodeReading | None = None
    ahead: Ahead | None = None

    @property
    def written(self) -> Incoming:
        """The message as it is written without fact candidates."""
        return Incoming(self.said, self.vector, read=self.read)

    def formed(self, context: tuple[str, ...]) -> Incoming | None:
        """Return the message with its candidates; None unless they were formed after these messages."""
        ahead = self.ahead
        if ahead is None or ahead.context != context:
            return None
        return Incoming(ahead.prepared, self.vector, ahead.vectors, self.read)


Batch: TypeAlias = list[Ready]


@dataclass(frozen=True, slots=True)
class _Task:
    """A batch to prepare, with the messages before it in each of its sessions."""

    messages: list[Message]
    before: list[Message]


class _Ended(Exception):
    """A helper process ended, or did not do its work."""


def processes() -> int:
    """Return how many helper processes to use on this machine; 0: none."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    can_start = bool(sys.executable) and not getattr(sys, "frozen", False)
    return min(cores, PROCESSES_MAX) if cores > 1 and can_start else 0


def batches(
    messages: Generator[list[Message], None, None], work: Work | None, here: Callable[[list[Message]], Batch]
) -> Generator[Batch, None, None]:
    """Yield batches ready to be written: prepared ahead in helper processes if there are many, else by ``here``.

    An error of the iteration is raised once all batches before it are yielded.
    """
    source = _Source(messages)
    coming = iter(source)
    least = FROM if work is not None and work.encode is not None else 2 * FROM
    first = list(islice(coming, least)) if work is not None else []
    count = processes() if len(first) == least else 0
    if work is not None and count and _ONE.acquire(blocking=False):
        try:
            yield from _from_helpers(_chained(first, coming), pickle.dumps(work), count, here)
        finally:
            _ONE.release()
    else:
        for batch in _chained(first, coming):
            yield here(batch)
    if source.fault is not None:
        raise source.fault


class _Source:
    """Iterates over batches, up to an error, which is then in ``fault``."""

    def __init__(self, messages: Iterator[list[Message]]) -> None:
        self._messages = messages
        self.fault: Exception | None = None

    def __iter__(self) -> Iterator[list[Message]]:
        try:
            yield from self._messages
        except Exception as fault:  # noqa: BLE001 - of any kind: the caller's own iteration is read here
            self.fault = fault


def _chained(first: list[list[Message]], coming: Iterator[list[Message]]) -> Iterator[list[Message]]:
    """Yield the first batches, without keeping them, then the others."""
    while first:
        yield first.pop(0)
    yield from coming


def _from_helpers(
    messages: Iterator[list[Message]], work: bytes, count: int, here: Callable[[list[Message]], Batch]
) -> Iterator[Batch]:
    waiting: deque[tuple[list[Message], Future[Batch]]] = deque()
    sessions = _LastSaid()
    with _Pool(work, count) as pool:
        while True:
            while len(waiting) < count + _AHEAD and _chars(waiting) < _CHARS_MAX:
                batch = next(messages, None)
                if batch is None:
                    break
                waiting.append((batch, pool.submit(_Task(batch, sessions.before(batch)))))
            if not waiting:
                return
            batch, future = waiting.popleft()
            try:
                ready = future.result()
            except _Ended:
                ready = here(batch)
            yield ready


def _chars(waiting: deque[tuple[list[Message], Future[Batch]]]) -> int:
    return sum(len(message.text) for batch, _ in waiting for message in batch)


class _LastSaid:
    """The last messages of the sessions of an import."""

    def __init__(self) -> None:
        self._held: OrderedDict[str, deque[Message]] = OrderedDict()

    def before(self, batch: list[Message]) -> list[Message]:
        """Return the last messages of the batch's sessions that came before it, and add the batch to them."""
        found = [
            one for name in dict.fromkeys(message.session for message in batch) for one in self._held.get(name, ())
        ]
        for message in batch:
            last = self._held.pop(message.session, None) or deque(maxlen=_BEFORE)
            last.append(message)
            self._held[message.session] = last
        while len(self._held) > SESSIONS_KEPT:
            self._held.popitem(last=False)
        return found


# In the engine's process: a thread for each helper process hands it one task after the other.


class _Pool:
    """The helper processes of one import; none is left when the block ends."""

    def __init__(self, work: bytes, count: int) -> None:
        self._tasks: SimpleQueue[tuple[_Task, Future[Batch]] | None] = SimpleQueue()
        self._gate = threading.Lock()
        self._running: list[subprocess.Popen[bytes]] = []
        self._threads: list[threading.Thread] = []
        self._closing = False
        for number in range(count):
            with suppress(OSError):  # no further process can be started
                process = _started()
                self._running.append(process)
                thread = threading.Thread(
                    target=self._serve, args=(process, work), name=f"reverie-import-{number}", daemon=True
                )
                self._threads.append(thread)
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> _Pool:
        return self

    def __exit__(self, *_: object) -> None:
        """End the processes, whatever they do: they hold nothing that is not written elsewhere."""
        self._closing = True
        for process in list(self._running):
            process.kill()
        for _thread in self._threads:
            self._tasks.put(None)
        for thread in self._threads:
            thread.join()

    def submit(self, task: _Task) -> Future[Batch]:
        """Hand in a task; its result raises ``_Ended`` if no process did it."""
        future: Future[Batch] = Future()
        with self._gate:
            if self._running:
                self._tasks.put((task, future))
            else:
                future.set_exception(_Ended())
        return future

    def _serve(self, process: subprocess.Popen[bytes], work: bytes) -> None:
        to, back = process.stdin, process.stdout
        assert to is not None
        assert back is not None
        try:
            _send(to, work)
            while (asked := self._tasks.get()) is not None:
                task, future = asked
                try:
                    future.set_result(_asked(to, back, task))
                except BaseException:
                    future.set_exception(_Ended())
                    raise
        except (_Ended, OSError, EOFError, pickle.PickleError, MemoryError) as fault:
            self._tell(process, fault)
        finally:
            self._end(process)

    def _tell(self, process: subprocess.Popen[bytes], fault: BaseException) -> None:
        if not self._closing:
            process.kill()
            why = str(fault) if isinstance(fault, _Ended) else f"exit code {process.wait()}"
            logger.warning(
                "a helper process of an import ended (%s); the import goes on without it, only more slowly", why
            )

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                assert pipe is not None
                pipe.close()
        with self._gate:
            self._running.remove(process)
            with suppress(Empty):
                while not self._running:
                    if (left := self._tasks.get_nowait()) is not None:
                        left[1].set_exception(_Ended())


def _started() -> subprocess.Popen[bytes]:
    """Start a helper process: the same Python, which finds modules where this one does, never in the current folder."""
    path = [place for place in sys.path if place]
    code = "import sys; sys.path[:] = sys.argv[1:]; from reverie.engine.ahead import serve; serve()"
    return subprocess.Popen(
        [sys.executable, "-P", "-c", code, *path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl+C is for the engine, which ends its helpers
    )


def _asked(to: IO[bytes], back: IO[bytes], task: _Task) -> Batch:
    _send(to, pickle.dumps(task))
    answer: object = pickle.loads(_received(back))
    if not isinstance(answer, list):
        raise _Ended(str(answer))
    return answer


def _send(to: IO[bytes], data: bytes) -> None:
    to.write(len(data).to_bytes(_SIZE, "big"))
    to.write(data)
    to.flush()


def _received(back: IO[bytes]) -> bytes:
    """Read what the other process sent. Raises EOFError if it has ended."""
    size = int.from_bytes(_exactly(back, _SIZE), "big")
    return _exactly(back, size)


def _exactly(back: IO[bytes], size: int) -> bytes:
    data = back.read(size)
    if len(data) != size:
        raise EOFError
    return data


# In a helper process.


def serve() -> None:
    """Do what the engine asks for on standard input, until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asked, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints may not get among the answers
    with suppress(EOFError, OSError):
        bench = _Bench(pickle.loads(_received(asked)))
        while True:
            task: _Task = pickle.loads(_received(asked))
            try:
                answer: object = bench.done(task)
            except Exception as fault:  # noqa: BLE001 - the engine does the same work, and raises what there is to raise
                answer = f"{type(fault).__name__}: {fault}"
            _send(answers, pickle.dumps(answer))


class _Bench:
    """Prepares batches in a helper process, with its own embedder."""

    def __init__(self, work: Work) -> None:
        from reverie.models.registry import load_embedder

        self._work = work
        self._embedder: Embedder | None = load_embedder(work.embedder)

    def done(self, task: _Task) -> Batch:
        """Prepare a batch as the engine would."""
        work = self._work
        said = [screened(message, work.screen) for message in task.messages]
        vectors = self._vectors([one.message.text for one in said])
        sessions = Sessions(work.working)
        for message in task.before if work.encode else ():
            _heard(sessions, screened(message, work.screen))
        return [self._ready(one, vector, sessions) for one, vector in zip(said, vectors, strict=True)]

    def _ready(self, said: Prepared, vector: FloatArray | None, sessions: Sessions) -> Ready:
        message, settings = said.message, self._work.encode
        read = None if message.at is None else read_episode(message, message.at)
        return Ready(said, vector, read, None if settings is None else self._ahead(said, sessions, settings))

    def _ahead(self, said: Prepared, sessions: Sessions, settings: EncodeSettings) -> Ahead | None:
        """Form a message's candidates, unless it has no time of its own: then it is said when it is written."""
        message, context = said.message, tuple(sessions.of(_SCOPE, said.message.session).texts)
        _heard(sessions, said)
        if message.at is None:
            return None
        prepared = prepare(said, message.at, settings, Aids(context))
        return Ahead(prepared, context, tuple(self._vectors([one.text for one in prepared.thoughts])))

    def _vectors(self, texts: list[str]) -> Sequence[FloatArray | None]:
        if self._embedder is None or not texts:
            return [None] * len(texts)
        return list(self._embedder.embed_passages(texts))


def _heard(sessions: Sessions, said: Prepared) -> None:
    if not said.quarantine:
        sessions.of(_SCOPE, said.message.session).heard(said.message.text, None)
