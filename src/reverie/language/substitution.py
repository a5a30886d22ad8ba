"""Whether two statements have one frame and differ in what stands at one place of it: tea or coffee in my reports.

In: the words of two texts. Out: whether another thing is named there, or done: keep or sell the car. A word of nearly
the same sense, another form of one, and an adverb are rewordings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import takewhile
from typing import NamedTuple

from reverie.language import lists
from reverie.language.contradiction_values import Token
from reverie.language.contradiction_words import past_forms, turkish_verb
from reverie.language.letters import fold, lower, plain
from reverie.language.stem import stem

_RUN_MAX = 2
"""So many words may stand at the place where two frames differ: green tea, coffee."""
_COMMON_MIN = 3
"""Letters that two forms of a Turkish word have in common at least: its stemmer takes more off here than there."""
_GOING_ON = re.compile(r"m[ae]kt[ae]\w*\Z")
"""Turkish: yaşamaktayım says what yaşıyorum says."""
_VERB_LISTS = ("verbs.en", "verbs-base.en", "pasts.en", "verbs-unbent.en", "verbs-third.en")
_DONE, _NAMED = frozenset({"verb"}), frozenset({"thing"})
_ADVERB = re.compile(r"\w{3,}ly\Z")


class Worded(NamedTuple):
    """A word: its term and core, the sets of like words it stands in, and which kinds of word it may be.

    ``turkish``: it is no finite verb, and its stemmer leaves an ending on here and takes it off there.
    """

    term: str
    core: str
    alike: frozenset[int]
    kinds: frozenset[str]
    turkish: bool


Frame = tuple[Worded, ...]
"""The words of a text that carry content, in order."""


def frame(words: Sequence[Token], language: str) -> Frame:
    """The frame of a text."""
    last = words[-1:] if language == "tr" else ()
    return tuple(_worded(word.raw, word.term, word.plain, language, word in last) for word in words if word.term)


def substituted(a: Frame, b: Frame) -> bool:
    """Whether two frames are equal but for one place, and another thing stands there; it has no direction."""
    first = sum(1 for _ in takewhile(lambda pair: _is_same(*pair), zip(a, b, strict=False)))
    rest = list(zip(reversed(a[first:]), reversed(b[first:]), strict=False))
    last = sum(1 for _ in takewhile(lambda pair: _is_same(*pair), rest))
    here, there = a[first : len(a) - last], b[first : len(b) - last]
    is_one_place = (
        0 < len(here) <= _RUN_MAX and 0 < len(there) <= _RUN_MAX and first + last >= max(len(here), len(there))
    )
    is_apart = not any(_is_same(one, other) for one in here for other in there)
    return is_one_place and is_apart and bool(_kinds(here) & _kinds(there))


def _kinds(words: Frame) -> frozenset[str]:
    """What some words may be as one, a verb or a thing: a verb in a thing's place rewords it."""
    if not all(word.kinds for word in words):
        return frozenset()
    has_verb = any(word.kinds == _DONE for word in words)
    return _DONE if has_verb else frozenset.union(*(word.kinds for word in words))


def _is_same(one: Worded, other: Worded) -> bool:
    if one.term == other.term or one.core == other.core or one.alike & other.alike:
        return True
    shorter, longer = sorted((one.core, other.core), key=len)
    return (
        one.turkish
        and other.turkish
        and len(shorter) >= _COMMON_MIN
        and longer.startswith(shorter[: max(_COMMON_MIN, len(shorter) - 1)])
    )


@lru_cache(maxsize=1 << 14)
def _worded(raw: str, term: str, word: str, language: str, ends: bool) -> Worded:
    head = lower(raw.partition("'")[0].partition("’")[0], language)
    verb = turkish_verb(_GOING_ON.sub("iyor", word)) if ends else None
    core = fold(stem(_bases().get(head, head) if language == "en" else head, language))
    alike = _sets(language)
    sets = {
        number for form in (core, fold(head), term, *([verb.root] if verb else ())) for number in alike.get(form, ())
    }
    kinds = _english_kinds(head, word) if language == "en" else _DONE if verb else _NAMED
    return Worded(term, verb.root if verb else core, frozenset(sets), kinds, language == "tr" and verb is None)


def _english_kinds(head: str, word: str) -> frozenset[str]:
    """Whether an English word may be a verb or a thing; an adverb or a helping verb is none: it may come and go."""
    if {head, word} & lists.words("auxiliaries.en") or _ADVERB.match(head):
        return frozenset()
    if head in past_forms() or any(head in lists.words(name) for name in _VERB_LISTS):
        return _DONE
    return _DONE | _NAMED if len(head) > len("being") and head.endswith(("ed", "ing")) else _NAMED


@cache
def _sets(language: str) -> Mapping[str, tuple[int, ...]]:
    """Each word with the numbers of the sets it stands in, as it is and by its stem; Turkish verbs by their root."""
    found: dict[str, tuple[int, ...]] = {}
    lines = (*lists.entries(f"rewordings.{language}"), *lists.entries(f"verb-rewordings.{language}"))
    for number, line in enumerate(lines):
        for name in line.split(", "):
            for form in {fold(name), fold(stem(name, language)), *([_root(name)] if language == "tr" else ())}:
                found[form] = (*found.get(form, ()), number)
    return found


@cache
def _bases() -> Mapping[str, str]:
    """English irregular forms with their base: got, get."""
    lines = [line.split() for line in lists.entries("irregular.en")]
    return {form: forms[0] for forms in lines for form in forms}


def _root(verb: str) -> str:
    """The root of a Turkish verb as its finite forms show it: yaşa, yaşıyor → yas."""
    found = turkish_verb(f"{plain(verb)}iyor")
    return found.root if found else verb
