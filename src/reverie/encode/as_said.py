"""As said: the words of the speaker that a formed memory was made of, where it was told in the third person.

What contradicts what is read off the words as they were said: "I no longer like it" speaks of its speaker, "User no
longer likes it" of anybody.
"""

from __future__ import annotations

from functools import lru_cache

from reverie.encode.mentioning import antecedents
from reverie.encode.own_words import own_facts
from reverie.encode.settings import FormSettings
from reverie.encode.wording import worded
from reverie.language.coreference import resolved
from reverie.language.dating import dated
from reverie.types import Memory


def as_said(memory: Memory, episode: Memory, settings: FormSettings) -> str:
    """The statement of the episode that the memory tells, with its dates; "" where none is told just so."""
    for part in _statements(episode.text):
        if worded(part, memory.role, memory.speaker, memory.at, settings) == memory.text:
            return dated(part, memory.at).text
    return ""


@lru_cache(maxsize=256)
def _statements(text: str) -> tuple[str, ...]:
    return tuple(fact.text for fact in own_facts(resolved(text, antecedents(text))))
