"""What a message states, as document D forms it: pronouns made names, facts cut apart, causes beside their effects.

In: a text, and what was said before it. Out: the text with names, and its facts, in order, each a sentence by itself;
where a cause and its effect are joined, which fact is the reason of which.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from reverie.encode.own_words import Own, Read, own_sentences
from reverie.encode.standing_alone import stands_alone
from reverie.language import lists
from reverie.language.letters import plain
from reverie.language.named_entities import named
from reverie.language.patterns import read
from reverie.language.question import is_first_person
from reverie.language.sentences import capital
from reverie.recipes.v9.causes import halves, opened
from reverie.recipes.v9.coreference import resolved
from reverie.recipes.v9.leaning import is_bare
from reverie.recipes.v9.mentioning import antecedents, spoken_of
from reverie.recipes.v9.splitting import atomic

_WORD = re.compile(r"[^\W\d_]+")


def resolved_facts(text: str, before: Sequence[str] = ()) -> Read:
    """The message with names for pronouns, and its facts."""
    text = resolved(text, (*spoken_of(before), *antecedents(text)))
    return Read(text, facts(text))


def facts(text: str) -> tuple[Own, ...]:
    """The facts of a text that are neither asked, supposed, invented, quoted nor handed in to be worked on."""
    found: list[Own] = []
    head = -1  # where stands what was said last, of a pair the effect; -1: nothing that a connective could join
    for sentence in own_sentences(text):
        if not sentence:
            head = -1
        for fact in atomic(sentence):
            joined = _following(found[head], fact) if head >= 0 else None
            if joined:
                found[head] = joined[0]
            parts = joined[1:] if joined else _parted(fact)
            head = len(found) + (len(parts) > 1 and not parts[0].because)
            found += parts
    return tuple(found)


def _parted(fact: str) -> tuple[Own, ...]:
    """A fact, or its cause and its effect where each of the two is a fact by itself."""
    found = halves(fact)
    if found is None:
        return (Own(fact, fact),)
    names = [entity.surface for entity in named(fact)]
    first, second = found.first, resolved(found.second, antecedents(found.first))
    if not (_is_whole(first, names) and _is_whole(second, names)):
        return (Own(fact, fact),)
    first, second = capital(first, found.language), capital(second, found.language)
    if found.cause_first:
        return Own(first, fact), Own(second, fact, first)
    return Own(first, fact, second), Own(second, fact)


def _following(before: Own, fact: str) -> tuple[Own, Own] | None:
    """The fact before and this one, which opens with what joins it to that: "That's why …", "Çünkü …"."""
    found = opened(fact)
    if found is None:
        return None
    names = [entity.surface for one in (before.text, fact) for entity in named(one)]
    if not (_is_whole(before.text, names) and _is_whole(found.rest, names)):
        return None
    rest = capital(found.rest, found.language)
    if found.cause_before:
        return before, Own(rest, fact, before.text)
    return before._replace(because=before.because or rest), Own(rest, fact)


def _is_whole(half: str, names: Sequence[str]) -> bool:
    """Whether it can be understood without the other half: no word of it points back, and it says of whom it speaks.

    "The pay was bad" does not; "my pay was bad" does, for of the speaker something else is said in the third person.
    "I quit" does not say what.
    """
    words = _WORD.findall(plain(half))
    languages = read(half).languages
    if any(is_bare(half, one) or lists.words(f"pronouns.{one}").intersection(words) for one in languages):
        return False
    is_about = any(name in half for name in names) or is_first_person(half)
    return is_about and stands_alone(half)
