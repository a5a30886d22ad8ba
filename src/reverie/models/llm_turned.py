"""Whether a text a model wrote turns round what its sources say, though all their words are in it.

In: sources and the text. Out: a complaint: a plan told as a fact, what was told as what is, tea and coffee exchanged,
somebody's employer given to another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from reverie.language.entities import entities
from reverie.language.kin import kin_of
from reverie.language.letters import fold
from reverie.language.named_entities import named
from reverie.language.sentences import sentences
from reverie.models.llm_roles import exchanged
from reverie.models.llm_telling import Telling, telling
from reverie.models.llm_words import clauses, language_of, tokens

_PERSON = "person"
_SAME = 4
"""Letters by which two forms of a word are told as one here: kahve, kahveyi."""
_PARTS = re.compile(r"[,;:.!?\n]|\b(?:and|but|while|ve|ama|ise)\b")
_WORD = re.compile(r"\w+")


def turned(sources: Sequence[str], text: str) -> str:
    """What the text turns round, in words; "" for nothing."""
    told = [telling(source) for source in sources]
    said = telling(text)
    if said.moods != frozenset().union(*(one.moods for one in told)):
        return "It states what is only wished, doubted, due or planned, or the reverse."
    if said.denies != any(one.denies for one in told):
        return "It turns a denial around."
    if _is_shifted(frozenset(chain.from_iterable(map(_tenses, sources))), _tenses(text)):
        return "It tells what was as what is, or the reverse."
    if any(exchanged(one.roles, said.roles) or _swapped(one, said, told) for one in told):
        return "It exchanges what stands where."
    return "It says of one what a text says of another." if _misgiven(sources, text) else ""


def _tenses(text: str) -> frozenset[bool]:
    """For each clause whether it tells what was."""
    language = language_of(text)
    return frozenset(telling(one).is_past for sentence in sentences(text) for one in clauses(sentence, language))


def _is_shifted(known: frozenset[bool], said: frozenset[bool]) -> bool:
    """Whether nothing is told as past that was, or all is though nothing was; "moved from" may tell what is."""
    return True not in said if True in known else bool(said) and False not in said


def _swapped(one: Telling, said: Telling, told: Sequence[Telling]) -> bool:
    """Whether a word with an opposite is gone, and the opposite there, that no source has: left, right."""
    known = frozenset().union(*(source.opposites for source in told))
    return any((line, 1 - side) in said.opposites - known for line, side in one.opposites - said.opposites)


def _misgiven(sources: Sequence[str], text: str) -> bool:
    """Whether a name or a word stands with somebody in the text beside whom no source has it."""
    known = {pair for source in sources for pair in (*_given(source), *_together(source))}
    names = {name for name, _ in known}
    if any(pair[0] in names and pair not in known for pair in _given(text)):
        return True
    told = {pair for source in sources for pair in _worded(sentences(source))}
    words = {word for word, _ in told}
    return any(pair[0] in words and pair not in told for pair in _worded(_PARTS.split(text), alone=True))


def _worded(parts: Sequence[str], *, alone: bool = False) -> Iterator[tuple[str, str]]:
    """The content words of each part with all whom it names; ``alone``: only where it names one."""
    for part in parts:
        persons = _persons(part)
        people = frozenset(persons.values())
        if len(people) == 1 or not alone:
            words = (word for word in tokens(part, language_of(part)) if word.term)
            stems = {word.plain[:_SAME] for word in words if word.raw.partition("'")[0] not in persons}
            yield from ((stem, person) for stem in stems for person in people)


def _given(text: str) -> Iterator[tuple[str, str]]:
    """Each name that is nobody's, with whoever was named last before it."""
    persons = _persons(text)
    places = [(found.start(), name) for name in entities(text) for found in re.finditer(re.escape(name), text)]
    places += [(found.start(), found.group()) for found in _WORD.finditer(text) if found.group() in persons]
    owner = ""
    for _, name in sorted(places):
        if name in persons:
            owner = persons[name]
        elif owner:
            yield fold(name), owner


def _together(text: str) -> Iterator[tuple[str, str]]:
    """Each name with all who are named in the same part of a sentence."""
    persons = _persons(text)
    for part in _PARTS.split(text):
        people = {person for name, person in persons.items() if re.search(rf"\b{re.escape(name)}", part)}
        yield from ((fold(name), person) for name in entities(text) if name in part for person in people)


def _persons(text: str) -> dict[str, str]:
    """Words of a text that name somebody, by name or as a relative, and whom."""
    language = language_of(text)
    known = {one.surface: fold(one.surface) for one in named(text) if one.kind == _PERSON}
    kin = {word: person for word in _WORD.findall(text) if (person := kin_of(word, language))}
    return known | kin
