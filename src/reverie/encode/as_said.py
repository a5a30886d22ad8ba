"""As said: the words of the speaker that a formed memory was made of, where it was told in the third person.

What contradicts what is read off the words as they were said: "I no longer like it" speaks of its speaker, "User no
longer likes it" of anybody.
"""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache

from reverie.encode.mentioning import antecedents
from reverie.encode.own_words import own_facts
from reverie.encode.settings import FormSettings
from reverie.encode.wording import worded
from reverie.language.coreference import resolved
from reverie.language.dating import dated
from reverie.types import Memory, Role


def as_said(memory: Memory, episode: Memory, settings: FormSettings) -> str:
    """The statement of the episode that the memory tells, with its dates; "" where none is told just so."""
    return _as_said(memory.text, episode.text, memory.role, memory.speaker, memory.at, settings)


@lru_cache(maxsize=1 << 12)  # the same memories are near again and again
def _as_said(text: str, said: str, role: Role | None, speaker: str, at: datetime, settings: FormSettings) -> str:
    for fact in own_facts(resolved(said, antecedents(said))):
        if worded(fact.text, role, speaker, at, settings) == text:
            return dated(fact.text, at).text
    return ""
