"""Whether two statements have one frame and differ in what stands at one place of it: tea or coffee in my reports.

In: the words of two texts. Out: whether another thing is named there. A verb, an adverb in another form, or a word of
nearly the same sense is a rewording.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import takewhile
from typing import NamedTuple

from reverie.language import lists
from reverie.language.contradiction_values import Token
from reverie.language.contradiction_words import past_forms, turkish_verb
from reverie.language.letters import fold, lower
from reverie.language.stem import stem

_RUN_MAX = 2
"""So many words may stand at the place where two frames differ: green tea, coffee."""
_COMMON_MIN = 3
"""Letters that two forms of a Turkish word have in common at least: its stemmer takes more off here than there."""
_VERB_LISTS = ("verbs.en", "verbs-base.en", "verbs-past.en", "verbs-third.en", "auxiliaries.en")


class Worded(NamedTuple):
    """A word: its term and core, the sets of like words it stands in, whether it may name a thing and is Turkish."""

    term: str
    core: str
    alike: frozenset[int]
    names: bool
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
    return is_one_place and is_apart and all(word.names for word in (*here, *there))


def _is_same(one: Worded, other: Worded) -> bool:
    if one.term == other.term or one.core == other.core or one.alike & other.alike:
        return True
    shorter, longer = sorted((one.core, other.core), key=len)
    return (
        one.turkish and len(shorter) >= _COMMON_MIN and longer.startswith(shorter[: max(_COMMON_MIN, len(shorter) - 1)])
    )


@lru_cache(maxsize=1 << 14)
def _worded(raw: str, term: str, plain: str, language: str, ends: bool) -> Worded:
    head = lower(raw.partition("'")[0].partition("’")[0], language)
    core = fold(stem(head, language))
    alike = _sets(language)
    sets = frozenset((*alike.get(core, ()), *alike.get(fold(head), ())))
    is_verb = ends and turkish_verb(plain) is not None if language == "tr" else _is_english_verb(head)
    return Worded(term, core, sets, not is_verb, language == "tr")


def _is_english_verb(head: str) -> bool:
    """Whether an English word says what is done or how: one of the lists, or what ends like one."""
    is_form = len(head) > len("being") and head.endswith(("ed", "ing", "ly"))
    return is_form or head in past_forms() or any(head in lists.words(name) for name in _VERB_LISTS)


@cache
def _sets(language: str) -> Mapping[str, tuple[int, ...]]:
    """Each word with the numbers of the sets it stands in, as it is and by its stem."""
    found: dict[str, tuple[int, ...]] = {}
    for number, line in enumerate(lists.entries(f"rewordings.{language}")):
        for name in line.split(", "):
            for form in {fold(name), fold(stem(name, language))}:
                found[form] = (*found.get(form, ()), number)
    return found
