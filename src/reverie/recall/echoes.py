"""Echoes: where a host asks on its own, what only says the cue again is no answer to it.

A person asks the same thing in another session, and their earlier question, kept like everything they said, would stand
first, push the answer out and make it look as if there were one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain, islice

from reverie.recall.quest import Candidate, Quest
from reverie.recall.repeats import words_of

WHY = "says only what is asked"


@dataclass(frozen=True, slots=True)
class Echoes:
    """Withholds what consists of the cue's words alone, and questions that share at least ``share`` of their words.

    Looked at are the first ``times`` as many candidates as are wanted. Asked by hand, everything comes.
    """

    times: int
    share: float
    name: str = "echoes"

    def __call__(self, quest: Quest) -> Quest:
        """The candidates, the echoes among them withheld and behind the others."""
        if not quest.request.automatic:
            return quest.noted("asked by hand")
        asked = words_of(quest.request.text)
        found = iter(quest.candidates)
        head = list(islice(found, quest.limit * self.times))
        heard = [candidate for candidate in head if self._is_echo(candidate.memory.text, asked)]
        if not heard:
            return replace(quest, candidates=chain[Candidate](head, found)).noted("none")
        kept = [candidate for candidate in head if candidate not in heard]
        behind = [replace(candidate, withheld=WHY) for candidate in heard]
        return replace(quest, candidates=chain[Candidate](kept, found, behind)).noted(f"{len(behind)} withheld")

    def _is_echo(self, text: str, asked: frozenset[str]) -> bool:
        words = words_of(text)
        if words <= asked:
            return bool(words)
        is_question = text.rstrip().endswith("?")
        return is_question and len(words & asked) >= self.share * max(len(words), len(asked))
