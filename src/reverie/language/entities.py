"""Names, places, products, works and handles in a text, told by their shape alone: English and Turkish, first form.

A capital inside a sentence makes a name. At the beginning of one it does so only with another name behind it, with the
same word capitalised elsewhere, or if the word is neither common nor formed like a verb. Always names: @handles, quoted
titles, versions, abbreviations, mixed case (iPhone, GPT-4).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from reverie.language import lists
from reverie.language.detect import detect_language
from reverie.language.letters import fold, lower
from reverie.language.stem import stem

ENTITIES_MAX = 16
_TEXT_MAX = 20_000
"""Characters that are looked at: a message's names stand in its beginning or not at all."""
_CHUNK_MAX = 64

_QUOTED = re.compile(r"[\"“«„]([^\s\"“”«»„](?:[^\"“”«»„\n]{0,60}[^\s\"“”«»„])?)[\"”»]")
_HANDLE = re.compile(r"(?<![\w.@])@\w[\w.]{0,40}\w")
_VERSION = re.compile(r"[vV]\d+(?:\.\d+)+\Z|\d+(?:\.\d+){2,}\Z")
_NUMBER = re.compile(r"\d{1,3}(?:\.\d+)?\Z")
_MIXED = re.compile(r"[^\W\d_]*[a-zçğıöşü][A-ZÇĞİÖŞÜ]|\w+\.js\Z")
_OPENING = "([{\"“‘«„'*_~<#-–—"
_CLOSING = ".,;:!?…)]}\"”’»'*_~>-–—"
_SENTENCE_ENDS = frozenset(".!?…:")

_OTHER, _COMMON, _LINK, _COUNT, _NAME, _SURE = range(6)


class _Shape(NamedTuple):
    """A run without blanks: its kind, its core without punctuation and endings, and how it ends what it is part of."""

    kind: int
    core: str
    opens: bool
    closes: bool
    ends_sentence: bool
    like_verb: bool


class _Name(NamedTuple):
    """A name found, and whether only the beginning of a sentence speaks for it."""

    text: str
    weak: bool


_Reading = Callable[[str], _Shape]


def entities(text: str) -> tuple[str, ...]:
    """At most 16 distinct names as they are written, without case endings: titles and handles, then the order of the text."""
    text = text[:_TEXT_MAX]
    found: list[_Name] = []
    if "@" in text:
        found += [_Name(handle, False) for handle in _HANDLE.findall(text)]
    if any(sign in text for sign in "\"“«„"):
        found += [_Name(title, False) for title in _QUOTED.findall(text) if _is_title(title)]
        text = _QUOTED.sub(" , ", text)
    if not text.isupper():  # shouting has no capitals
        read = _turkish if detect_language(text) == "tr" else _english
        for line in text.splitlines():
            found += _names(line.split(), read)
    return _distinct(found)


def _is_title(quoted: str) -> bool:
    return quoted[0].isupper() or quoted[0].isdecimal()


def _distinct(found: list[_Name]) -> tuple[str, ...]:
    sure = {name.text for name in found if not name.weak}
    kept: dict[str, str] = {}
    for name in found:
        if not name.weak or name.text in sure:
            kept.setdefault(fold(lower(name.text, "en")), name.text)
    return tuple(list(kept.values())[:ENTITIES_MAX])


def _names(chunks: list[str], read: _Reading) -> Iterator[_Name]:
    """The runs of names in a line."""
    run: list[_Shape] = []
    initial = begins = True
    for place, chunk in enumerate(chunks):
        shape = read(chunk)
        if run and (shape.opens or not _continues(shape, run, chunks[place + 1 : place + 2], read)):
            yield from _finished(run, begins)
            run = []
        if shape.kind >= _NAME or run:
            if not run:
                begins = initial
            run.append(shape)
            if shape.closes:
                yield from _finished(run, begins)
                run = []
        initial = shape.ends_sentence
    if run:
        yield from _finished(run, begins)


def _continues(shape: _Shape, run: list[_Shape], following: list[str], read: _Reading) -> bool:
    """Whether a run goes on: with a name, with a small word before a name, with a number that closes it or a product."""
    if shape.kind >= _NAME:
        return True
    if shape.kind == _LINK:
        return not shape.closes and bool(following) and read(following[0]).kind >= _NAME
    return shape.kind == _COUNT and (shape.closes or run[-1].kind == _SURE or "." in shape.core or not following)


def _finished(run: list[_Shape], begins: bool) -> Iterator[_Name]:
    """The name a run makes; a verb at the beginning of a sentence is no part of it."""
    if begins and run[0].like_verb and len(run) > 1:
        run, begins = run[1:], False
        if run[0].kind < _NAME:
            return
    if len(run) == 1 and begins and run[0].kind != _SURE:
        yield _Name(run[0].core, run[0].like_verb)
    else:
        yield _Name(" ".join(shape.core for shape in run), False)


@lru_cache(maxsize=1 << 14)
def _english(chunk: str) -> _Shape:
    return _shape(chunk, "en")


@lru_cache(maxsize=1 << 14)
def _turkish(chunk: str) -> _Shape:
    return _shape(chunk, "tr")


def _shape(chunk: str, language: str) -> _Shape:
    if len(chunk) > _CHUNK_MAX:
        return _Shape(_OTHER, "", True, True, False, False)
    inner = chunk.lstrip(_OPENING)
    core = inner.rstrip(_CLOSING)
    closing = inner[len(core) :]
    core, suffixed = _without_ending(core)
    kind = _kind(core, language)
    if suffixed and kind == _NAME:
        kind = _SURE
    word = lower(core, language)
    like_verb = kind == _NAME and len(word) > 4 and word.endswith(lists.entries(f"verb-endings.{language}"))
    return _Shape(kind, core, inner != chunk, suffixed or bool(closing), bool(_SENTENCE_ENDS & set(closing)), like_verb)


def _without_ending(core: str) -> tuple[str, bool]:
    """A name without 's or a Turkish case ending, and whether it had one."""
    head, apostrophe, ending = core.replace("’", "'").rpartition("'")
    if not apostrophe or not head:
        return core, False
    if ending in lists.words("case-endings.tr") or ending.lower() in ("s", "re", "ve", "ll", "d", "m", "t"):
        return core[: len(head)], True
    return core, False


def _kind(core: str, language: str) -> int:
    """What a core is: no part of a name, a common word with a capital, a small word, a number, a name, surely a name."""
    if core in lists.words("name-links"):
        return _LINK
    if _VERSION.match(core):
        return _SURE
    if _NUMBER.match(core):
        return _COUNT
    if len(core) < 2 or "/" in core or "@" in core or core.isdecimal():
        return _OTHER
    is_mixed = _MIXED.match(core) is not None
    if not is_mixed and not core[0].isupper():
        return _OTHER
    if _is_common(lower(core, language), language):
        return _COMMON
    return _SURE if is_mixed or core.isupper() else _NAME


def _is_common(word: str, language: str) -> bool:
    return stem(word, language) in _common(language) or word in lists.words(f"function-words.{language}")


@lru_cache(maxsize=None)
def _common(language: str) -> frozenset[str]:
    """The stems of the words that make no name."""
    names = (f"common-words.{language}", f"stop-index.{language}", f"stop-question.{language}")
    return frozenset(stem(word, language) for name in names for word in lists.entries(name))
