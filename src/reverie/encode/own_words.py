"""What of a message says something of its speaker: its facts without questions, suppositions, stories and quotations.

In: a text. Out: its facts, in order, each a sentence by itself; where a cause and its effect are joined, which fact is
the reason of which. The frames are data/not-own.*.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from reverie.encode.standing_alone import stands_alone
from reverie.language import lists, patterns
from reverie.language.causes import halves, opened
from reverie.language.letters import compose, plain
from reverie.language.named_entities import named
from reverie.language.patterns import read
from reverie.language.rewriting import third_person
from reverie.language.sentences import is_question, sentences
from reverie.language.splitting import atomic

_ANYBODY = "Ada"
_WORD = re.compile(r"[^\W\d_]+")


class Own(NamedTuple):
    """A fact, the statement it was said in (itself, where that was not cut), and the fact that is its cause or ""."""

    text: str
    said: str
    because: str = ""


def own_facts(text: str) -> tuple[Own, ...]:
    """The facts of a text that are neither asked, supposed, invented, quoted nor handed in to be worked on."""
    facts: list[Own] = []
    follows = False
    for sentence in sentences(compose(text)):
        if is_question(sentence) or patterns.found("not-own", sentence):
            if sentence.endswith(":"):  # what follows is what is to be translated
                break
            follows = False
            continue
        for fact in atomic(sentence):
            facts[-1:] = _following(facts[-1], fact) if follows else [*facts[-1:], *_parted(fact)]
            follows = True
    return tuple(facts)


def _parted(fact: str) -> list[Own]:
    """A fact, or its cause and its effect where each of the two is a fact by itself."""
    found = halves(fact)
    if found is None or not (_is_whole(found.first) and _is_whole(found.second)):
        return [Own(fact, fact)]
    if found.cause_first:
        return [Own(found.first, fact), Own(found.second, fact, found.first)]
    return [Own(found.first, fact, found.second), Own(found.second, fact)]


def _following(before: Own, fact: str) -> list[Own]:
    """The fact before and this one, which may open with what joins it to that: "That's why …", "Çünkü …"."""
    found = opened(fact)
    if found is None or not (_is_whole(before.text) and _is_whole(found.rest)):
        return [before, *_parted(fact)]
    if found.cause_before:
        return [before, Own(found.rest, fact, before.text)]
    return [before._replace(because=found.rest), Own(found.rest, fact)]


def _is_whole(half: str) -> bool:
    """Whether it can be understood without the other half: no word of it points back, and it says of whom it speaks.

    "The pay was bad" does not; "my pay was bad" does, for of the speaker something else is said in the third person.
    """
    words = _WORD.findall(plain(half))
    if any(lists.words(f"pronouns.{language}").intersection(words) for language in read(half).languages):
        return False
    return stands_alone(half) and (bool(named(half)) or _ANYBODY in third_person(half, _ANYBODY))
