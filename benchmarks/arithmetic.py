"""How fast multilingual-e5-small is by ONNX Runtime beside numpy, and whether its vectors and their order stay.

In: messages and cues of the lives' train part, in English and Turkish. Out, printed: processor time of a question, a
message and 32 passages, the two in turns on one thread; cosines of the vectors of both; and of each cue the nearest
messages. ``python -m benchmarks.arithmetic``.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from statistics import median

import numpy as np

from benchmarks.lives.form import lives
from reverie.models.e5 import Arithmetic, E5Embedder
from reverie.models.use import UseEmbedder
from reverie.ports import Embedder
from reverie.types import FloatArray

MESSAGES, CUES = 400, 100
QUESTION, MESSAGE, PASSAGE = 8, 25, 60
"""Words of what is timed."""
ASKED, BATCH = 20, 32
NEAREST = 10


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--rounds", type=int, default=5, help="turns of each")
    options.add_argument("--seed", type=int, default=0, help="of what is drawn")
    options.add_argument("--processes", type=int, default=0, help="how many embed at once; nothing else is measured")
    given = options.parse_args()
    if given.processes:
        for line in side_by_side(drawn(given.seed)[0], given.processes, given.rounds):
            print(line, flush=True)
        return
    numpy, onnx = E5Embedder(Arithmetic.NUMPY), E5Embedder(Arithmetic.ONNX)
    messages, cues = drawn(given.seed)
    for line in (*timed(numpy, onnx, messages, given.rounds), *compared(numpy, onnx, messages, cues)):
        print(line, flush=True)


def side_by_side(messages: Sequence[str], processes: int, rounds: int) -> Iterator[str]:
    """Messages a second of one process and of several at once, in turns, by the wall clock and by processor time.

    Processor time says what cores of their own would give; the wall clock also what else the machine does.
    """
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        list(pool.map(_embedding_s, [messages] * processes * 2))  # every process has its model and has seen the words
        for count in (1, processes):
            by_wall, by_core = [], []
            for _ in range(rounds):
                began = time.perf_counter()
                seconds = list(pool.map(_embedding_s, [messages] * count))
                by_wall.append(count * len(messages) / (time.perf_counter() - began))
                by_core.append(sum(len(messages) / one for one in seconds))
            wall, core = median(by_wall), median(by_core)
            yield f"{count} at once: {wall:.0f} messages a second by the clock, {core:.0f} by processor time"


_MODELS: list[Embedder] = []


def _embedding_s(messages: Sequence[str]) -> float:
    """Embed messages by this process's model, loaded at the first call; return the seconds of processor time."""
    if not _MODELS:
        _MODELS.append(UseEmbedder())
    began = time.process_time()
    _MODELS[0].embed_passages(messages)
    return time.process_time() - began


def drawn(seed: int) -> tuple[list[str], list[str]]:
    """Messages and cues, half of each in either language."""
    chance = random.Random(seed)
    messages, cues = [], []
    known = list(lives("train"))
    for language in ("en", "tr"):
        spoken = [life for life in known if life.language == language]
        messages += chance.sample([item.text for life in spoken for item in life.items], MESSAGES // 2)
        cues += chance.sample([cue.text for life in spoken for cue in life.cues], CUES // 2)
    chance.shuffle(messages)
    return messages, cues


def timed(numpy: Embedder, onnx: Embedder, messages: Sequence[str], rounds: int) -> Iterator[str]:
    """A line for each kind of text: the median over the rounds, milliseconds of one core."""
    words = " ".join(messages).split()

    def texts(count: int, length: int) -> list[str]:
        return [" ".join(words[start : start + length]) for start in range(0, count * length, length)]

    asked, said, read = texts(ASKED, QUESTION), texts(ASKED, MESSAGE), texts(BATCH, PASSAGE)
    work: dict[str, tuple[int, Callable[[Embedder], object]]] = {
        f"a question of {QUESTION} words": (ASKED, lambda model: [model.embed_query(text) for text in asked]),
        f"a message of {MESSAGE} words": (ASKED, lambda model: [model.embed_passages([text]) for text in said]),
        f"{BATCH} passages of {PASSAGE} words": (1, lambda model: model.embed_passages(read)),
    }
    for name, (count, run) in work.items():
        taken: tuple[list[float], list[float]] = ([], [])
        for number in range(rounds + 1):
            for model, times in zip((numpy, onnx), taken, strict=True):
                began = time.process_time()
                run(model)
                if number:  # the first round warms up
                    times.append((time.process_time() - began) * 1000 / count)
        slow, quick = map(median, taken)
        yield f"{name}: numpy {slow:.1f} ms, onnx {quick:.1f} ms, {slow / quick:.2f} times as fast"


def compared(numpy: Embedder, onnx: Embedder, messages: Sequence[str], cues: Sequence[str]) -> Iterator[str]:
    """Cosines of the two vectors of each text, and what of the nearest messages of each cue stays."""
    kept, quick = (model.embed_passages(messages) for model in (numpy, onnx))
    asked, quickly = (np.stack([model.embed_query(cue) for cue in cues]) for model in (numpy, onnx))
    for name, one, other in (("messages", kept, quick), ("cues", asked, quickly)):
        cosines = np.einsum("ij,ij->i", one, other)
        yield f"cosine of the two vectors, {len(one)} {name}: least {cosines.min():.6f}, mean {cosines.mean():.6f}"
    before, after = _nearest(asked @ kept.T), _nearest(quickly @ quick.T)
    same = np.mean([len(set(one) & set(other)) / NEAREST for one, other in zip(before, after, strict=True)])
    first = np.mean([one[0] == other[0] for one, other in zip(before, after, strict=True)])
    yield f"of the {NEAREST} nearest {same:.1%} are the same; the first in {first:.0%} of {len(cues)} cues"


def _nearest(cosines: FloatArray) -> list[list[int]]:
    found: list[list[int]] = np.argsort(-cosines, axis=1, kind="stable")[:, :NEAREST].tolist()
    return found


if __name__ == "__main__":
    main()
