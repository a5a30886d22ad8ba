"""Pre-gate: a greeting, a confirmation or a command asks for nothing, so nothing is searched (D23)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from reverie.language.pregate import trivial
from reverie.recall.quest import Quest


@dataclass(frozen=True, slots=True)
class PreGate:
    """Ends the quest for a trivial cue; unless ``always``, only where nobody asked by hand (``Request.automatic``)."""

    always: bool
    name: str = "pre-gate"

    def __call__(self, quest: Quest) -> Quest:
        """The quest, ended where the cue is trivial."""
        if not (self.always or quest.request.automatic):
            return quest.noted("asked by hand")
        why = trivial(quest.request.text)
        return replace(quest, ended=why).noted(why) if why else quest.noted("passed")
