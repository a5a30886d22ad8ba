"""Tool calls: an extra search among them alone if a cue asks what was done (decision 0059).

In: a corpus and a cue's vector. Out: which memories are tool calls, and the probability that a cue asks for them, by a
direction in the model's vector space, learned from sentences of many kinds; 0 for a model without one. For other cues
tool calls compete with all memories, and the learned weights keep them few.
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
"""Name of the signal of a tool call that the cue asks for; its value is the probability that it does."""
_TOOL = ROLE_CODES[Role.TOOL]
_DATA = Path(__file__).with_name("data")


@dataclass(frozen=True, slots=True)
class ToolCallSettings:
    """How many tool calls are added to the candidates, and when.

    Attributes:
        likely: least probability that the cue asks what was done, for tool calls to be added.
        most: most tool calls that are added.
        lift: log-odds added to the score of each.
    """

    likely: float
    most: int
    lift: float


def tool_calls(corpus: Corpus) -> BoolArray | None:
    """Return a mask (n,) of the memories that record a tool call; None if there are none."""
    names = list(corpus.speaker_names)
    if TOOL_SPEAKER not in names:
        return None
    result: BoolArray = (corpus.speakers == names.index(TOOL_SPEAKER)) & (corpus.roles == _TOOL)
    return result if result.any() else None


def is_tool_call(memory: Memory) -> bool:
    """Whether a memory records a tool call, by the rule of ``tool_calls``."""
    return memory.role is Role.TOOL and memory.speaker == TOOL_SPEAKER


def merged(found: Iterator[Candidate], brought: Sequence[Candidate]) -> Iterator[Candidate]:
    """Merge two sequences by falling score, reading ``found`` lazily; what is in both is yielded once."""
    names = {one.memory.id for one in brought}
    waiting = ordered(brought)
    for one in found:
        while waiting and waiting[0].score >= one.score:
            yield waiting.pop(0)
        if one.memory.id not in names:
            yield one
    yield from waiting


def is_asked_for(candidate: Candidate) -> bool:
    """Whether a candidate was added because the cue asks what was done."""
    return any(signal.name == ASKED for signal in candidate.signals)


def asks_what_was_done(quest: RecallState) -> float:
    """Return the probability, in [0, 1], that a cue asks what was done; 0 for a model without a learned direction."""
    head = head_of(quest.world.model)
    vector = None if head is None else quest.world.embed(quest.request.text)
    if head is None or vector is None or len(vector) != len(head) - 1 or not vector.any():
        return 0.0
    return probability(float(head[-1]), [float(head[:-1] @ vector)])


@cache
def head_of(model: str) -> FloatArray | None:
    """Return the direction and intercept (dims + 1,) learned for a model, by its name; None if there are none."""
    file = learned_for(model, _DATA, "done")
    if file is None:
        return None
    with np.load(file) as held:
        found: FloatArray = held["done"].astype(np.float32)
    return found
