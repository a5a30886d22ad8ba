"""Names, places, products, works and handles in a text, told by their shape alone: English and Turkish, first form.

A capital inside a sentence makes a name. At the beginning of one it does so only with another name behind it, with the
same word capitalised elsewhere, or if the word is neither common nor formed like a verb. Always names: @handles, quoted
titles, versions, abbreviations, mixed case (iPhone, GPT-4).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from reverie.language import lists
from reverie.language.chunks import reading
from reverie.language.detect import turkish_evidence
from reverie.language.expressions import expression
from reverie.language.gazetteer import is_given_name
from reverie.language.letters import fold, lower
from reverie.language.shapes import COUNT, LINK, NAME, OPENER, SURE, WORD, Shape

ENTITIES_MAX = 16
_TEXT_MAX = 20_000
"""Characters that are looked at: a message's names stand in its beginning or not at all."""
_NAME_WORDS_MAX = 6
"""More words with capitals in a row are a heading, not a name."""
_TITLE_WORDS_MAX = 8
"""More words in quotation marks are a sentence, not a title."""

_SHORT_MAX = 60
_VERB_LAST = expression(r"\s[a-zçğıöşü]{2,}(?:[dt][ıiuü]|m[ıiuü]ş|[ıiuü]yor)[.!…]{0,3}\s{0,2}\Z")
_TOO = frozenset({"de", "da"})
_VOWELS, _FRONT = frozenset("aeıioöuü"), frozenset("eiöü")
_HEADS = ("sı", "si", "su", "sü", "ları", "leri")

_QUOTED = expression(r"[\"“«„]([^\s\"“”«»„](?:[^\"“”«»„\n]{0,60}[^\s\"“”«»„])?)[\"”»]")
_HANDLE = expression(r"(?<![\w.@])@\w[\w.]{0,40}\w")


class _Name(NamedTuple):
    """A name found, and whether only the beginning of a sentence speaks for it."""

    text: str
    weak: bool


def entities(text: str) -> tuple[str, ...]:
    """At most 16 distinct names as they are written, without case endings: handles and titles, then in order."""
    return _entities(text[:_TEXT_MAX])


@lru_cache(maxsize=16)  # what is kept, its density, its kind and its named things ask for the same names
def _entities(text: str) -> tuple[str, ...]:
    found: list[_Name] = []
    if "@" in text:
        found += [_Name(handle, False) for handle in _HANDLE.findall(text)]
    if any(sign in text for sign in '"“«„'):
        found += [_Name(title, False) for title in _QUOTED.findall(text) if _is_title(title)]
        text = _QUOTED.sub(" , ", text)
    if not text.isupper():  # shouting has no capitals
        read = reading(text, "tr" if _is_short_turkish(text) else None)
        for line in read.lines():
            found += _names([chunk.shape for chunk in line], read.language)
    return _distinct(found)


def _is_title(quoted: str) -> bool:
    """Whether what is quoted may be a title: it begins so and is no sentence."""
    return (
        (quoted[0].isupper() or quoted[0].isdecimal())
        and quoted.count(" ") < _TITLE_WORDS_MAX
        and quoted[-1] not in ".,"
    )


def _distinct(found: list[_Name]) -> tuple[str, ...]:
    sure = {name.text for name in found if not name.weak}
    kept: dict[str, str] = {}
    for name in found:
        if not name.weak or name.text in sure:
            kept.setdefault(fold(lower(name.text, "en")), name.text)
    return tuple(list(kept.values())[:ENTITIES_MAX])


def _names(shapes: list[Shape], language: str) -> Iterator[_Name]:
    """The runs of names in a line."""
    done = 0
    for place in [place for place, shape in enumerate(shapes) if shape.kind >= OPENER]:  # few, and often none
        if place < done:
            continue
        shape = shapes[place]
        initial = _is_initial(shapes, place)
        if initial and language == "tr" and _is_noun(shape, shapes[place + 1 : place + 2]):
            continue
        if _starts(shape, initial, shapes[place + 1 : place + 2]) or _is_headed(shape, shapes[place + 1 : place + 2]):
            done = _end(shapes, place, language)
            yield from _finished(shapes[place:done], initial)


def _is_short_turkish(text: str) -> bool:
    """Whether a few words that tell no language end in a Turkish verb: "Disk doldu"."""
    return len(text) <= _SHORT_MAX and _VERB_LAST.search(text) is not None and turkish_evidence(text) == 0


def _is_headed(shape: Shape, following: list[Shape]) -> bool:
    """Whether a common word opens a Turkish name that ends in what it is: "Bilgi Üniversitesi", not "Annem Cansu"."""
    if shape.kind != WORD or shape.closes or not following or following[0].kind < WORD:
        return False
    head = following[0].core
    return lower(head, "tr").endswith(_HEADS) and not is_given_name(head)


def _is_noun(shape: Shape, following: list[Shape]) -> bool:
    """Whether a Turkish noun that may be a name is none, by what follows it: "Yağmur yağdı", not "Yağmur aradı"."""
    if shape.kind != NAME:
        return False
    signs = lists.table("name-nouns.tr").get(lower(shape.core, "tr"), ())
    behind = lower(following[0].core, "tr") if following and not _is_name(following) and not shape.closes else ""
    return "*" in signs or (bool(behind) and behind.startswith(tuple(signs)))


def _is_initial(shapes: list[Shape], place: int) -> bool:
    """Whether a sentence begins at this place; a dash before a list's entry changes nothing."""
    while place > 0:
        place -= 1
        if shapes[place].ends_sentence or shapes[place].core:
            return shapes[place].ends_sentence
    return True


def _end(shapes: list[Shape], place: int, language: str) -> int:
    """Where the run that begins at a place ends."""
    while not shapes[place].closes:
        place += 1
        if place == len(shapes) or shapes[place].opens or not _continues(shapes, place):
            return place
        if language == "tr" and _is_too(shapes[place].core, shapes[place - 1].core):
            return place
    return place + 1


def _starts(shape: Shape, initial: bool, following: list[Shape]) -> bool:
    """Whether a run begins: with a name, with a common word's capital inside a sentence, with New before a name."""
    if shape.kind == OPENER:
        return not initial or (not shape.closes and _is_name(following))
    return shape.kind >= NAME or not initial


def _continues(shapes: list[Shape], place: int) -> bool:
    """Whether a run goes on: with a capital, with a small word before a name, with a number that closes it."""
    shape, following = shapes[place], shapes[place + 1 : place + 2]
    if shape.kind >= OPENER:
        return True
    if shape.kind == LINK:
        return not shape.closes and _is_name(following)
    return shape.kind == COUNT and (
        shape.closes or shapes[place - 1].kind == SURE or "." in shape.core or not following
    )


def _is_too(word: str, before: str) -> bool:
    """Whether a word is the Turkish "too" behind somebody's name: "Elif de Vestel'de", not "Leonardo da Vinci"."""
    if word not in _TOO or not is_given_name(before):
        return False
    vowels = [sign for sign in lower(before, "tr") if sign in _VOWELS]
    return bool(vowels) and (vowels[-1] in _FRONT) == (word == "de")


def _is_name(following: list[Shape]) -> bool:
    return bool(following) and following[0].kind >= OPENER


def _finished(run: list[Shape], begins: bool) -> Iterator[_Name]:
    """The name a run makes; a verb at the beginning of a sentence is no part of it."""
    if begins and run[0].like_verb and len(run) > 1:
        run, begins = run[1:], False
    if len(run) > _NAME_WORDS_MAX or run[0].kind < OPENER:
        return
    weak = begins and len(run) == 1 and run[0].kind != SURE and run[0].like_verb
    yield _Name(" ".join(shape.core for shape in run), weak)
