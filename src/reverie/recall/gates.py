"""Gates for automatic recalls: end the recall for a cue that needs no memory, and withhold an unsure answer.

A person or agent that asks explicitly sees every hit, with its confidence.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice

from reverie.language.classify.worth import trivial
from reverie.language.text.heads import NEEDS_NOTHING, likely
from reverie.recall.state import RecallState
from reverie.recall.tool_calls import is_asked_for


@dataclass(frozen=True, slots=True)
class PreGate:
    """End the recall for a trivial cue; unless ``always``, only in automatic recalls (``Request.automatic``).

    ``idle``: the probability of needing no memory from which an automatic cue ends the recall (None: never).
    """

    always: bool
    idle: float | None = None
    name: str = "pre-gate"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state, ended if the cue is trivial."""
        if not (self.always or quest.request.automatic):
            return quest.noted("asked by hand")
        why = trivial(quest.request.text)
        if why is None and self.idle is not None and quest.request.automatic:
            chance = likely(quest.request.text, NEEDS_NOTHING)
            why = f"needs nothing, with probability {chance:.2f}" if chance >= self.idle else None
        return replace(quest, ended=why).noted(why) if why else quest.noted("passed")


@dataclass(frozen=True, slots=True)
class AnswerGate:
    """Withhold the answer of an automatic recall if the confidence is less than ``least``.

    Explicit recalls pass, with their confidence; from ``full`` on no doubt is expressed. Without an estimate everything
    passes. Tool calls pass if the cue asks what was done, as that depends on the cue alone.
    """

    full: float
    least: float
    name: str = "answer gate"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state, with the candidates withheld if unsure; standing instructions may still be added."""
        if quest.confidence is None or not quest.request.automatic:
            return quest.noted("not estimated" if quest.confidence is None else "asked by hand")
        if quest.confidence >= self.least:
            return quest.noted("passed")
        why = f"hardly anything here matters: probability {quest.confidence:.2f}, below {self.least:g}"
        head = list(islice(quest.candidates, quest.limit))
        asked = [candidate for candidate in head if is_asked_for(candidate)]
        held = [replace(candidate, withheld=why) for candidate in head if not is_asked_for(candidate)]
        return replace(quest, candidates=[*asked, *held], gated=not asked).noted(why)
