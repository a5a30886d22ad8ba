"""Whether a name is a person's by the word for kin or another close one right before it: "my wife Lena".

In: the words of a text and where a name stands. Out: yes, only where it can be no thing: not in "I gave my wife
Chanel", nor in "Annem Pilates yapıyor", where Turkish has the object behind its subject.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from reverie.language import lists
from reverie.language.gazetteer import Word
from reverie.language.kin import is_kin_subject, kin
from reverie.language.letters import fold, lower, plain

_BEFORE_MAX = 5
"""Words before the relation among which its owner and a verb of two objects are looked for."""
_OWNER_MAX = 3
_GOAL = re.compile(r"\w{2,}(?:[ae]|[dt][ae]n?)\Z")
"""A Turkish noun in the dative, locative or ablative, without diacritics."""
_INFINITIVE = re.compile(r"\w+m[ae](?:y[ae]|kt[ae]n?|d[ae]n?|n[ae])?\Z")
_OF_NAME = re.compile(r"\w+[iu]n[dn]?[ae]n?\Z")
"""The same of something that belongs to the name: "Zumba kursuna"."""
_OF_KIND = re.compile(r".+(?:[cç][ae]|l[ıiuü])\Z")
"""Languages and where one comes from: Japonca, Karadenizli."""


def is_relation(word: str) -> bool:
    """Whether a Turkish word, as written, is one for somebody close."""
    return lower(word, "tr") in lists.words("relations.tr") or is_kin_subject(word)


def is_person_noun(word: str, language: str) -> bool:
    """Whether a word is a noun for a person or somebody close, of one or several; a Turkish one may but begin so.

    ``word``: in lower case without diacritics.
    """
    if language == "tr":
        return word.startswith(lists.entries("person-nouns.tr")) or kin(word, "tr") != ""
    return any(form in lists.words("person-nouns.en") or _is_close_one(form) for form in (word, word.removesuffix("s")))


def _is_close_one(word: str) -> bool:
    """Whether an English word, in lower case, is one for somebody close."""
    return word in lists.words("relations.en") or kin(fold(word), "en") != ""


def is_related(text: str, words: Sequence[Word], place: int, length: int) -> bool:
    """Whether the name at a place is that of a person whom the word right before it tells."""
    if place == 0 or words[place].initial:
        return False
    before, last = words[place - 1], words[place + length - 1]
    if (
        before.ending
        or not (before.initial or before.core[0].islower())
        or not _is_close(text, before, words[place], last)
    ):
        return False
    if _is_close_one(before.key):
        return _is_english(words[max(0, place - 1 - _BEFORE_MAX) : place - 1])
    return is_relation(before.core) and _is_turkish(words, place, length)


def _is_close(text: str, before: Word, first: Word, last: Word) -> bool:
    """Whether nothing but a blank stands before a name, or a comma on both its sides."""
    noun, name, end = (re.escape(word.core) for word in (before, first, last))
    return re.search(rf"\b{noun}(?:\s+{name}\b|,\s+{name}\b(?:(?<={end})|[^,.;:!?]*\b{end}),)", text) is not None


def _is_english(before: Sequence[Word]) -> bool:
    """Whether the relation is somebody's, and no verb stands before it that takes a second object."""
    owned = any(word.key in lists.words("owners.en") or word.ending == "s" for word in before[-_OWNER_MAX:])
    return owned and lists.words("gives-two.en").isdisjoint(word.key for word in before)


def _is_turkish(words: Sequence[Word], place: int, length: int) -> bool:
    """Whether what follows the name leaves it to be no object: where one goes, what one is, a verb without object."""
    name, behind = words[place + length - 1], words[place + length : place + length + 1]
    if name.ending or _OF_KIND.fullmatch(name.core) or not behind or behind[0].initial:
        return False
    following = plain(behind[0].core)
    if behind[0].ending:
        return behind[0].ending in lists.words("place-endings.tr")
    if following.startswith(lists.entries("person-verbs.tr")):
        return True
    said = lower(behind[0].core, "tr")
    is_noun = said in lists.words("common-words.tr") or said in lists.words("function-words.tr")
    is_other = _INFINITIVE.match(following) or _OF_NAME.match(following)
    return _GOAL.match(following) is not None and not is_noun and not is_other
