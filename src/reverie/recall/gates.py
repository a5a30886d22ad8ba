"""Gates: where a host asks on its own, a cue that needs nothing ends the recall, and an unsure answer is withheld.

Who asks by hand sees what there is, and how sure of it we are.
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
    """End the recall of a trivial query; unless ``always``, only for automatic recalls (``Request.automatic``).

    ``idle``: how likely an automatic cue must be one that needs nothing, for the quest to end (None: it never does).
    """

    always: bool
    idle: float | None = None
    name: str = "pre-gate"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the recall state, ended where the cue is trivial."""
        if not (self.always or quest.request.automatic):
            return quest.noted("asked by hand")
        why = trivial(quest.request.text)
        if why is None and self.idle is not None and quest.request.automatic:
            chance = likely(quest.request.text, NEEDS_NOTHING)
            why = f"needs nothing, with probability {chance:.2f}" if chance >= self.idle else None
        return replace(quest, ended=why).noted(why) if why else quest.noted("passed")


@dataclass(frozen=True, slots=True)
class AnswerGate:
    """Hands nothing over where it is less likely than ``least`` that anything here matters to the cue.

    Only where a host asks on its own (``Request.automatic``): who asks by hand sees what there is, and how sure of it
    we are; from ``full`` on nothing is said of doubt. Without an estimate everything passes. What tools did comes all
    the same where the cue asks what was done, which is told by the cue itself.
    """

    full: float
    least: float
    name: str = "answer gate"

    def __call__(self, quest: RecallState) -> RecallState:
        """The candidates, or as many as are wanted withheld; what stands may still come."""
        if quest.confidence is None or not quest.request.automatic:
            return quest.noted("not estimated" if quest.confidence is None else "asked by hand")
        if quest.confidence >= self.least:
            return quest.noted("passed")
        why = f"hardly anything here matters: probability {quest.confidence:.2f}, below {self.least:g}"
        head = list(islice(quest.candidates, quest.limit))
        asked = [candidate for candidate in head if is_asked_for(candidate)]
        held = [replace(candidate, withheld=why) for candidate in head if not is_asked_for(candidate)]
        return replace(quest, candidates=[*asked, *held], gated=not asked).noted(why)
