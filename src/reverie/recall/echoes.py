"""Echoes: where a host asks on its own, what only says the cue again is no answer to it.

A person asks the same thing in another session, and their earlier question, kept like everything they said, would stand
first, push the answer out and make it look as if there were one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain, islice

from reverie.recall.quest import Candidate, Quest
from reverie.recall.repeats import spoken, words_of

WHY = "says only what is asked"


@dataclass(frozen=True, slots=True)
class Echoes:
    """Withholds what is the cue word for word, and questions that share at least ``share`` of their words with it.

    Looked at are the first ``times`` as many candidates as are wanted. Asked by hand, everything comes.
    """

    times: int
    share: float
    name: str = "echoes"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, the echoes among them withheld and behind the others."""
        if not quest.request.automatic:
            return quest.noted("asked by hand")
        found = iter(quest.candidates)
        head = list(islice(found, quest.limit * self.times))
        heard = [candidate for candidate in head if self._repeats(candidate, quest.request.text)]
        if not heard:
            return replace(quest, candidates=chain[Candidate](head, found)).noted("none")
        kept = [candidate for candidate in head if candidate not in heard]
        behind = [replace(candidate, withheld=WHY) for candidate in heard]
        return replace(quest, candidates=chain[Candidate](kept, found, behind)).noted(f"{len(behind)} withheld")

    def _repeats(self, candidate: Candidate, cue: str) -> bool:
        return not candidate.withheld and is_echo(candidate.memory.text, cue, self.share)


def is_echo(text: str, cue: str, share: float) -> bool:
    """Whether a text is the cue word for word, or a question that shares so much of the longer one's words with it.

    A statement of the same words is none: "I do like tea" answers "Do I like tea?".
    """
    said = spoken(text)
    if said and said == spoken(cue):
        return True
    words, asked = words_of(text), words_of(cue)
    return text.rstrip().endswith("?") and len(words & asked) >= share * max(len(words), len(asked), 1)
