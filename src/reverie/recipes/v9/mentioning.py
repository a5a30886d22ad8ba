"""Mentioning: whom and what a message names, so that a pronoun may stand for it later.

Not whom it speaks to: "Seeing her walk, Mel!" does not say that she is Mel.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache

from reverie.encode.standing_alone import has_person
from reverie.language import lists
from reverie.language.kin import kin
from reverie.language.letters import compose, plain
from reverie.language.named_entities import PERSON, Entity, named
from reverie.language.relations import is_person_noun
from reverie.language.sentences import is_question, sentences
from reverie.recipes.v9.coreference import TEXT_MAX, Antecedent, acts_on_another, borne_by
from reverie.recipes.v9.wordlists import WORDS

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_LEAD = 16
"""Characters before a name among which a word that calls it is looked for."""
_CASE = r"(?:[iu]n|[aeiu]|[dt][ae]n?|l[ae])?\Z"
_MINE_KIN = re.compile(rf"m(?:[iu]z)?{_CASE}")
_MINE = re.compile(rf"[iu]m(?:[iu]z)?{_CASE}")
_BEHIND = re.compile(r"\s*(?:[,.!?…]|\Z)")


@lru_cache(maxsize=64)  # a message is looked back to four times
def antecedents(text: str) -> tuple[Antecedent, ...]:
    """What a message names and does not merely call, in its order."""
    found = [one for one in named(text) if not _is_called(one, text)]
    stated = " ".join(sentence for sentence in sentences(compose(text)) if not is_question(sentence)) if found else ""
    return tuple(_antecedent(one, stated) for one in found)


def _antecedent(entity: Entity, stated: str) -> Antecedent:
    """A named one; a person is unsure whom no statement names, but a question alone."""
    if entity.kind != PERSON:
        return Antecedent(entity.surface, entity.kind)
    return Antecedent(entity.surface, PERSON, entity.surface not in stated, borne_by(entity.surface))


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
    calls = "|".join(lists.entries("calls", WORDS))
    return re.compile(rf"(?:\A|[,.!?…\n-]|\b(?:{calls}))\s*\Z")


def spoken_of(before: Sequence[str]) -> tuple[Antecedent, ...]:
    """Whom and what the last messages of a session named, the latest last.

    Where one speaks of somebody without a name ("my sister"), a later "she" may be that one: no person named before
    can be meant for certain. Nor one named after, where it is one of the speaker's.
    """
    named_by: list[tuple[Antecedent, ...]] = []
    for text in before:
        if speaks_of_somebody(text):
            named_by = [_things(names) for names in named_by]
        named_by.append(() if speaks_of_somebody(text) else antecedents(text))
    said = tuple(one for names in named_by for one in names)
    return tuple(replace(one, unsure=True) for one in _things(said)) if any(map(hides_somebody, before)) else said


def _things(names: Sequence[Antecedent]) -> tuple[Antecedent, ...]:
    return tuple(one for one in names if one.kind != PERSON)


@lru_cache(maxsize=64)
def speaks_of_somebody(text: str) -> bool:
    """Whether a text speaks of a person by a noun and no name: my brother, kız kardeşim; not "my brother Mark"."""
    return has_person(_unnamed(text))


@lru_cache(maxsize=64)
def hides_somebody(text: str) -> bool:
    """Whether a later "she" may be somebody a text does not name: my daughter, kızım, the "her" whom Greg calls."""
    words = _unnamed(text)
    if any(_is_own_english(words, place) or _is_own_turkish(word) for place, word in enumerate(words)):
        return True
    return acts_on_another(text, [one.name for one in antecedents(text) if one.kind == PERSON])


def _is_own_english(words: list[str], place: int) -> bool:
    """Whether the noun at a place is for somebody of the speaker's: my daughter, our younger son."""
    return is_person_noun(words[place], "en") and not {"my", "our"}.isdisjoint(words[max(0, place - 2) : place])


def _is_own_turkish(word: str) -> bool:
    """Whether a Turkish noun is for somebody of the speaker's: kızımın, patronumuz."""
    if kin(word, "tr"):
        return _MINE_KIN.search(word) is not None
    return is_person_noun(word, "tr") and _MINE.search(word) is not None


def _unnamed(text: str) -> list[str]:
    """The words of a text without the nouns for whom it names."""
    text = compose(text[:TEXT_MAX])
    for person in (one.surface for one in named(text) if one.kind == PERSON):
        text = re.sub(rf"([\w-]+)\s+(?={re.escape(person)}\b)", _without_noun, text)
    return _words(text)


def _without_noun(match: re.Match[str]) -> str:
    """What stands before a name, or nothing if it is a noun for who is named."""
    return "" if has_person(_words(match[1])) else match.group()


def _words(text: str) -> list[str]:
    return [word.partition("'")[0] for word in _WORD.findall(plain(text).replace("’", "'"))]
