"""Mentioning: whom and what a message names, so that a pronoun may stand for it later.

Not whom it speaks to: "Seeing her walk, Mel!" does not say that she is Mel.
"""

from __future__ import annotations

import re
from functools import cache

from reverie.language import lists
from reverie.language.coreference import PERSON, TEXT_MAX, Antecedent
from reverie.language.letters import compose, plain
from reverie.language.named_entities import Entity, named
from reverie.language.relations import is_person_noun

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_LEAD = 16
"""Characters before a name among which a word that calls it is looked for."""
_BEHIND = re.compile(r"\s*(?:[,.!?…]|\Z)")


def antecedents(text: str) -> tuple[Antecedent, ...]:
    """What a message names and does not merely call, in its order."""
    return tuple(Antecedent(one.surface, one.kind) for one in named(text) if not _is_called(one, text))


def _is_called(entity: Entity, text: str) -> bool:
    """Whether a person stands where one is spoken to, apart from the sentence, wherever the name stands."""
    if entity.kind != PERSON:
        return False
    places = [match.span() for match in re.finditer(re.escape(entity.surface), text)]
    return bool(places) and all(
        _before().search(plain(text[max(0, start - _LEAD) : start])) and _BEHIND.match(text, end)
        for start, end in places
    )


@cache
def _before() -> re.Pattern[str]:
    """What stands before a name that is called: a beginning, a stop, a word that calls."""
    calls = "|".join(lists.entries("calls"))
    return re.compile(rf"(?:\A|[,.!?…\n-]|\b(?:{calls}))\s*\Z")


def speaks_of_somebody(text: str) -> bool:
    """Whether a text speaks of a person by a noun and no name: my brother, kız kardeşim; not "my brother Mark"."""
    text = compose(text[:TEXT_MAX])
    for person in (one.surface for one in named(text) if one.kind == PERSON):
        text = re.sub(rf"([\w-]+)\s+(?={re.escape(person)}\b)", _without_noun, text)
    return has_person(_words(text))


def _without_noun(match: re.Match[str]) -> str:
    """What stands before a name, or nothing if it is a noun for who is named."""
    return "" if has_person(_words(match[1])) else match.group()


def _words(text: str) -> list[str]:
    return [word.partition("'")[0] for word in _WORD.findall(plain(text).replace("’", "'"))]


def has_person(words: list[str]) -> bool:
    """Whether a noun for a person stands among the words, lower case, without diacritics."""
    return any(is_person_noun(word, language) for word in words for language in ("en", "tr"))
