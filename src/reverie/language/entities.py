"""Names, places, products, works and handles in a text, told by their shape alone: English and Turkish, first form.

A capital inside a sentence makes a name. At the beginning of one it does so only with another name behind it, with the
same word capitalised elsewhere, or if the word is neither common nor formed like a verb. Always names: @handles, quoted
titles, versions, abbreviations, mixed case (iPhone, GPT-4).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from reverie.language import lists
from reverie.language.detect import detect_language
from reverie.language.letters import fold, lower
from reverie.language.stem import stem

ENTITIES_MAX = 16
_TEXT_MAX = 20_000
"""Characters that are looked at: a message's names stand in its beginning or not at all."""
_CHUNK_MAX = 64
_NAME_WORDS_MAX = 6
"""More words with capitals in a row are a heading, not a name."""
_TITLE_WORDS_MAX = 8
"""More words in quotation marks are a sentence, not a title."""

_QUOTED = re.compile(r"[\"“«„]([^\s\"“”«»„](?:[^\"“”«»„\n]{0,60}[^\s\"“”«»„])?)[\"”»]")
_HANDLE = re.compile(r"(?<![\w.@])@\w[\w.]{0,40}\w")
_VERSION = re.compile(r"[vV]\d+(?:\.\d+)+\Z|\d+(?:\.\d+){2,}\Z")
_NUMBER = re.compile(r"\d{1,3}(?:\.\d+)?\Z")
_MIXED = re.compile(r"[^\W\d_]*[a-zçğıöşü][A-ZÇĞİÖŞÜ]|\w+\.js\Z")
_OPENING = "([{\"“‘«„'*_~<#-–—"
_CLOSING = ".,;:!?…)]}\"”’»'*_~>-–—"
_APOSTROPHES = str.maketrans(dict.fromkeys("’‘`´", "'"))
_ENGLISH_ENDINGS = frozenset({"s", "re", "ve", "ll", "d", "m"})
_NEVER = ("function-words", "stop-index", "stop-question", "no-names")
_SENTENCE_ENDS = frozenset(".!?…:")

_OTHER, _LINK, _COUNT, _OPENER, _WORD, _NAME, _SURE = range(7)
"""Kinds: no part of a name; a small word or a number, parts of one; words with a capital: common ones that often open
a name (New), other common ones, words that are names, words that are names wherever they stand."""


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
    """At most 16 distinct names as they are written, without case endings: handles and titles, then in order."""
    text = text[:_TEXT_MAX]
    found: list[_Name] = []
    if "@" in text:
        found += [_Name(handle, False) for handle in _HANDLE.findall(text)]
    if any(sign in text for sign in '"“«„'):
        found += [_Name(title, False) for title in _QUOTED.findall(text) if _is_title(title)]
        text = _QUOTED.sub(" , ", text)
    if not text.isupper():  # shouting has no capitals
        read = _turkish if detect_language(text) == "tr" else _english
        for line in text.splitlines():
            found += _names(line.split(), read)
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


def _names(chunks: list[str], read: _Reading) -> Iterator[_Name]:
    """The runs of names in a line."""
    run: list[_Shape] = []
    initial = begins = True
    for place, chunk in enumerate(chunks):
        shape = read(chunk)
        if not run and shape.kind < _OPENER:
            initial = shape.ends_sentence or (initial and not shape.core)  # a dash before a list's entry
            continue
        following = chunks[place + 1 : place + 2]
        if run and (shape.opens or not _continues(shape, run, following, read)):
            yield from _finished(run, begins)
            run = []
        if run or _starts(shape, initial, following, read):
            if not run:
                begins = initial
            run.append(shape)
            if shape.closes:
                yield from _finished(run, begins)
                run = []
        initial = shape.ends_sentence
    if run:
        yield from _finished(run, begins)


def _starts(shape: _Shape, initial: bool, following: list[str], read: _Reading) -> bool:
    """Whether a run begins: with a name, with a common word's capital inside a sentence, with New before a name."""
    if shape.kind >= _NAME:
        return True
    if shape.kind == _OPENER:
        return not initial or (not shape.closes and _is_name(following, read))
    return shape.kind == _WORD and not initial


def _continues(shape: _Shape, run: list[_Shape], following: list[str], read: _Reading) -> bool:
    """Whether a run goes on: with a capital, with a small word before a name, with a number that closes it."""
    if shape.kind >= _OPENER:
        return True
    if shape.kind == _LINK:
        return not shape.closes and _is_name(following, read)
    return shape.kind == _COUNT and (shape.closes or run[-1].kind == _SURE or "." in shape.core or not following)


def _is_name(following: list[str], read: _Reading) -> bool:
    return bool(following) and read(following[0]).kind >= _OPENER


def _finished(run: list[_Shape], begins: bool) -> Iterator[_Name]:
    """The name a run makes; a verb at the beginning of a sentence is no part of it."""
    if begins and run[0].like_verb and len(run) > 1:
        run, begins = run[1:], False
    if len(run) > _NAME_WORDS_MAX or run[0].kind < _OPENER:
        return
    weak = begins and len(run) == 1 and run[0].kind != _SURE and run[0].like_verb
    yield _Name(" ".join(shape.core for shape in run), weak)


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
    core, suffixed = _without_ending(core.translate(_APOSTROPHES), language)
    kind = _kind(core, language)
    if suffixed and kind == _NAME:
        kind = _SURE
    word = lower(core, language)
    like_verb = kind == _NAME and len(word) > 4 and word.endswith(lists.entries(f"verb-endings.{language}"))
    return _Shape(kind, core, inner != chunk, suffixed or bool(closing), bool(_SENTENCE_ENDS & set(closing)), like_verb)


def _without_ending(core: str, language: str) -> tuple[str, bool]:
    """A name without 's or a Turkish case ending, and whether it had one; don't and I'll are no names with endings."""
    head, apostrophe, ending = core.rpartition("'")
    if not apostrophe or not head or _is_never(core.lower(), language):
        return core, False
    is_ending = ending in lists.words("case-endings.tr") or ending.lower() in _ENGLISH_ENDINGS
    return (head, True) if is_ending else (core, False)


def _kind(core: str, language: str) -> int:
    """The kind of a core."""
    if core in lists.words("name-links"):
        return _LINK
    if core[:1].isdecimal() or _VERSION.match(core):
        return _SURE if _VERSION.match(core) else _COUNT if _NUMBER.match(core) else _OTHER
    is_mixed = _MIXED.match(core) is not None
    if len(core) == 1 or "/" in core or "@" in core or not (is_mixed or core[:1].isupper()):
        return _OTHER
    return _capital(core, language, is_mixed)


def _capital(core: str, language: str, is_mixed: bool) -> int:
    """The kind of a word with a capital in it."""
    if core in lists.words("name-openers"):
        return _OPENER
    word = lower(core, language)
    if _is_never(word, language):
        return _OTHER
    if not is_mixed and stem(word, language) in _common(language):
        return _WORD
    return _SURE if is_mixed or core.isupper() else _NAME


def _is_never(word: str, language: str) -> bool:
    """Whether a word is no name even with a capital inside a sentence: function words, days, months, greetings."""
    return any(word in lists.words(f"{kind}.{language}") for kind in _NEVER)


@cache
def _common(language: str) -> frozenset[str]:
    """The stems of common words: at the beginning of a sentence their capital says nothing."""
    return frozenset(stem(word, language) for word in lists.entries(f"common-words.{language}"))
