"""Asked: what only asks answers nothing.

Where everything that is said is kept, an earlier question is the nearest neighbour of the same question asked again. It
would stand before its answer, and make it look as if there were one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reverie.language.sentences import is_question, sentences
from reverie.recall.quest import Candidate, Quest
from reverie.types import Kind

WHY = "only asks"
_READ = 2_000
"""Characters of a message that are looked at: one as long as that is no mere question."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Withholds messages that hold nothing but questions; what was formed stays, and so do statements."""

    name: str = "asked"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, mere questions among them withheld."""
        found = [_judged(candidate) for candidate in quest.candidates]
        asked = sum(candidate.withheld == WHY for candidate in found)
        return replace(quest, candidates=found).noted(f"{asked} only ask")


def _judged(candidate: Candidate) -> Candidate:
    memory = candidate.memory
    if candidate.withheld or memory.kind is not Kind.EPISODE or not only_asks(memory.text):
        return candidate
    return replace(candidate, withheld=WHY)


def only_asks(text: str) -> bool:
    """Whether every sentence of a text is a question."""
    if len(text) > _READ:
        return False
    found = [sentence for sentence in sentences(text) if sentence.strip()]
    return bool(found) and all(is_question(sentence) for sentence in found)
