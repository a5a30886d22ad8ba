"""Gates of automatic recalls: a cue that needs no memory ends the recall, and an unsure answer is withheld.

A manual recall returns everything that was found, with its confidence.
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
    """A stage that ends the recall for a trivial cue; unless ``always``, only an automatic one (``Request.automatic``).

    ``idle``: an automatic recall also ends from this probability on that the cue needs no memory; None: it does not.
    """

    always: bool
    idle: float | None = None
    name: str = "pre-gate"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state, with the reason in ``ended`` if the cue is trivial or needs no memory."""
        if not (self.always or quest.request.automatic):
            return quest.noted("asked by hand")
        why = trivial(quest.request.text)
        if why is None and self.idle is not None and quest.request.automatic:
            chance = likely(quest.request.text, NEEDS_NOTHING)
            why = f"needs nothing, with probability {chance:.2f}" if chance >= self.idle else None
        return replace(quest, ended=why).noted(why) if why else quest.noted("passed")


@dataclass(frozen=True, slots=True)
class AnswerGate:
    """A stage that withholds an automatic recall's candidates if its confidence is below ``least``.

    Manual recalls and recalls without a confidence pass. From ``full`` on the answer is shown without a remark of
    doubt. Tool calls that were brought because the cue asks what was done pass too: the cue itself decides about those.
    """

    full: float
    least: float
    name: str = "answer gate"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state; if its confidence is too low, withhold all first hits but requested tool calls."""
        if quest.confidence is None or not quest.request.automatic:
            return quest.noted("not estimated" if quest.confidence is None else "asked by hand")
        if quest.confidence >= self.least:
            return quest.noted("passed")
        why = f"hardly anything here matters: probability {quest.confidence:.2f}, below {self.least:g}"
        head = list(islice(quest.candidates, quest.limit))
        asked = [candidate for candidate in head if is_asked_for(candidate)]
        held = [replace(candidate, withheld=why) for candidate in head if not is_asked_for(candidate)]
        return replace(quest, candidates=[*asked, *held], gated=not asked).noted(why)
