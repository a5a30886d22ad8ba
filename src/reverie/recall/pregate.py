"""Pre-gate: a greeting, a confirmation or a command asks for nothing, so nothing is searched (D23).

Nor, where a host asks on its own, for what by its words most likely needs nothing: thanks, a task that says all it
needs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reverie.language.pregate import trivial
from reverie.language.text_heads import NEEDS_NOTHING, likely
from reverie.recall.quest import Quest


@dataclass(frozen=True, slots=True)
class PreGate:
    """Ends the quest for a trivial cue; unless ``always``, only where nobody asked by hand (``Request.automatic``).

    ``idle``: how likely an automatic cue must be one that needs nothing, for the quest to end (None: it never does).
    """

    always: bool
    idle: float | None = None
    name: str = "pre-gate"

    def __call__(self, quest: Quest) -> Quest:
        """The quest, ended where the cue is trivial."""
        if not (self.always or quest.request.automatic):
            return quest.noted("asked by hand")
        why = trivial(quest.request.text)
        if why is None and self.idle is not None and quest.request.automatic:
            chance = likely(quest.request.text, NEEDS_NOTHING)
            why = f"needs nothing, with probability {chance:.2f}" if chance >= self.idle else None
        return replace(quest, ended=why).noted(why) if why else quest.noted("passed")
