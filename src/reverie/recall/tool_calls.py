"""Tool calls: looked for by themselves where a cue asks what was done (decision 0059).

In: the columns of a scope, a cue's vector. Out: which memories are tool calls, and how likely the cue asks for them.
That is read off the vector: a direction in the model's space, learned from sentences of many kinds. A model for which
none was learned asks for none. Elsewhere tool calls compete with all else, and the learned weights keep them few.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from reverie.conflicts.pairs import learned_for
from reverie.formulas.logistic import probability
from reverie.ports import Corpus
from reverie.recall.state import Candidate, RecallState, ordered
from reverie.types import ROLE_CODES, TOOL_SPEAKER, BoolArray, FloatArray, Memory, Role

ASKED = "what was done"
"""The signal of a tool call that was asked for; its value is how likely the cue asks for it."""
_TOOL = ROLE_CODES[Role.TOOL]
_DATA = Path(__file__).with_name("data")


@dataclass(frozen=True, slots=True)
class ToolCallSettings:
    """How tool calls come.

    Attributes:
        likely: from this probability on a cue asks what was done.
        most: so many come then.
        lift: what each of them gains, in log-odds.
    """

    likely: float
    most: int
    lift: float


def tool_calls(corpus: Corpus) -> BoolArray | None:
    """(n,) mask of the memories that report a tool's action; None if there are none."""
    names = list(corpus.speaker_names)
    if TOOL_SPEAKER not in names:
        return None
    result: BoolArray = (corpus.speakers == names.index(TOOL_SPEAKER)) & (corpus.roles == _TOOL)
    return result if result.any() else None


def is_tool_call(memory: Memory) -> bool:
    """Whether a memory reports a tool's action; the same rule as ``tool_calls``."""
    return memory.role is Role.TOOL and memory.speaker == TOOL_SPEAKER


def merged(found: Iterator[Candidate], brought: Sequence[Candidate]) -> Iterator[Candidate]:
    """Both by score: others are read only until what was brought has its place, and no tool call comes twice."""
    names = {one.memory.id for one in brought}
    waiting = ordered(brought)
    for one in found:
        while waiting and waiting[0].score >= one.score:
            yield waiting.pop(0)
        if one.memory.id not in names:
            yield one
    yield from waiting


def is_asked_for(candidate: Candidate) -> bool:
    """Whether a candidate was brought because the cue asks what was done."""
    return any(signal.name == ASKED for signal in candidate.signals)


def asks_what_was_done(quest: RecallState) -> float:
    """How likely a cue asks what was done, in [0, 1]; 0 for a model without a direction."""
    head = head_of(quest.world.model)
    vector = None if head is None else quest.world.embed(quest.request.text)
    if head is None or vector is None or len(vector) != len(head) - 1 or not vector.any():
        return 0.0
    return probability(float(head[-1]), [float(head[:-1] @ vector)])


@cache
def head_of(model: str) -> FloatArray | None:
    """(dims + 1,) the direction and intercept that were learned for a model, by its name; None where there are none."""
    file = learned_for(model, _DATA, "done")
    if file is None:
        return None
    with np.load(file) as held:
        found: FloatArray = held["done"].astype(np.float32)
    return found
