"""Find names, places, products, works and handles in a text, by shape and by a gazetteer; English and Turkish."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from reverie.language.text import lists
from reverie.language.text.analyzer import reading
from reverie.language.text.letters import APOSTROPHES, fold, lower, turkish_evidence
from reverie.language.text.words import COUNT, LINK, NAME, OPENER, SURE, WORD, WordShape, expression

# The gazetteer: known technologies, organisations, products, places and given names.


KINDS = ("tech", "org", "product", "place")
"""Kinds of lists; the first one that contains a name decides."""
_CHUNK_MAX = 64
_HEAD_MIN = 4
_FOLDED_MIN = 4
"""Shorter names must be spelled with their own letters."""
_ENDING_MAX = 5
_OPENING = "([{\"“‘«„'*_~<#-–—`@"
_CLOSING = ".,;:!?…)]}\"”’»'*_~>-–—`"
_SENTENCE_ENDS = frozenset(".!?…:")


class Word(NamedTuple):
    """A word: without punctuation and ending, its folded key, its ending, and whether it begins a sentence."""

    core: str
    key: str
    ending: str
    initial: bool


class GazetteerEntry(NamedTuple):
    """A name in the gazetteer: kind, slug, and whether it is also an ordinary word."""

    kind: str
    slug: str
    ambiguous: bool


class _Alias(NamedTuple):
    keys: tuple[str, ...]
    spelling: tuple[str, ...]
    listed: GazetteerEntry


class _Chunk(NamedTuple):
    core: str
    key: str
    ending: str
    ends_sentence: bool


def words_in(text: str) -> tuple[Word, ...]:
    """Split a text into words; each line begins a sentence, and slashes separate words."""
    found: list[Word] = []
    for line in text.splitlines():
        initial = True
        for run in line.split():
            words, ends = _words(run, initial)
            found += words
            initial = ends or (initial and not words)
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def _words(run: str, initial: bool) -> tuple[tuple[Word, ...], bool]:
    """Split a run without blanks into words, and tell whether it ends a sentence."""
    chunks = _chunks(run)
    cores = [chunk for chunk in chunks if chunk.core]
    words = (Word(chunk.core, chunk.key, chunk.ending, initial and not place) for place, chunk in enumerate(cores))
    return tuple(words), any(chunk.ends_sentence for chunk in chunks[-1:])


def listed_at(words: Sequence[Word], place: int, *, turkish: bool = False) -> tuple[GazetteerEntry, int] | None:
    """Return the longest name of the gazetteer at a position, and its number of words; in Turkish also with an
    ending.
    """
    word = words[place]
    for alias in _aliases().get(word.key, ()):
        if _stands(alias, words, place):
            return alias.listed, len(alias.keys)
    if len(word.core) < _HEAD_MIN:
        return None
    shorter = _without_version(word.core) or (_without_ending(word.core) if turkish and not word.ending else None)
    if shorter is None:
        return None
    known = [alias for alias in _aliases().get(_key(shorter), ()) if alias.keys == (_key(shorter),)]
    return (known[0].listed, 1) if known and not known[0].listed.ambiguous else None


@lru_cache(maxsize=1 << 14)
def may_begin(core: str, *, turkish: bool) -> bool:
    """Whether a name of the gazetteer may begin with a word; most words are ruled out by this."""
    if _key(core) in _aliases():
        return True
    shorter = _without_version(core) or (_without_ending(core) if turkish else None)
    return shorter is not None and _key(shorter) in _aliases()


def is_given_name(name: str) -> bool:
    """Whether a word, as written, is a given name."""
    return name in lists.words("given-names") or name + "!" in lists.words("given-names")


def is_doubtful_name(name: str) -> bool:
    """Whether a given name is also an ordinary word."""
    return name + "!" in lists.words("given-names")


def slug(name: str) -> str:
    """Convert a name to lower-case ASCII letters and digits with hyphens; other scripts keep their letters."""
    plain = fold(lower(name, "en"))
    return "-".join("".join(sign if sign.isalnum() else " " for sign in plain).split())


def _stands(alias: _Alias, words: Sequence[Word], place: int) -> bool:
    length = len(alias.keys)
    part = words[place : place + length]
    if tuple(word.key for word in part) != alias.keys or any(word.ending not in ("", "s") for word in part[:-1]):
        return False
    if alias.listed.ambiguous:
        return tuple(word.core for word in part) == alias.spelling
    return length > 1 or len(words[place].key) >= _FOLDED_MIN or _alike(words[place].core, alias.spelling[0])


def _alike(core: str, spelling: str) -> bool:
    """Whether two spellings differ only in case: CIN is not Çin."""
    return any(lower(core, language) == lower(spelling, language) for language in ("en", "tr"))


def _without_version(core: str) -> str | None:
    """Remove the number of Python3.12, or what follows the hyphen in PostgreSQL-based."""
    head = core.partition("-")[0].rstrip("0123456789.")
    return head if head != core and len(head) >= _HEAD_MIN else None


@lru_cache(maxsize=1 << 12)
def _without_ending(core: str) -> str | None:
    """Remove a Turkish case ending written without apostrophe: Ankarada becomes Ankara."""
    for length in range(_ENDING_MAX, 1, -1):
        head = core[:-length]
        if (
            len(head) >= _HEAD_MIN
            and core[-length:] in lists.table("entity-shapes")["case ending"]
            and _key(head) in _aliases()
        ):
            return head
    return None


@lru_cache(maxsize=1 << 14)
def _key(core: str) -> str:
    return fold(lower(core, "en"))


def _chunks(run: str) -> tuple[_Chunk, ...]:
    """Split a run without blanks into words."""
    if len(run) > _CHUNK_MAX:
        return ()
    if "/" in run and "//" not in run:
        return tuple(_chunk(part) for part in run.split("/") if part)
    return (_chunk(run),)


def _chunk(run: str) -> _Chunk:
    inner = run.lstrip(_OPENING)
    core = inner.rstrip(_CLOSING)
    closing = inner[len(core) :]
    core = core.translate(APOSTROPHES)
    head, apostrophe, ending = core.rpartition("'")
    ending = lower(ending, "tr")
    if apostrophe and head and (ending in lists.words("case-endings.tr") or ending in lists.words("short-endings.en")):
        core = head
    else:
        ending = ""
    return _Chunk(core, _key(core), ending, bool(_SENTENCE_ENDS & set(closing)))


@cache
def _aliases() -> dict[str, tuple[_Alias, ...]]:
    """Map first words to the names that begin with them, longest first."""
    found: dict[str, list[_Alias]] = {}
    for kind in KINDS:
        for name, spellings in lists.table(f"entities-{kind}").items():
            for spelling in spellings:
                cores = tuple(_chunk(part).core for part in spelling.removesuffix("!").split())
                alias = _Alias(tuple(map(_key, cores)), cores, GazetteerEntry(kind, name, spelling.endswith("!")))
                found.setdefault(alias.keys[0], []).append(alias)
    return {key: tuple(sorted(group, key=lambda alias: -len(alias.keys))) for key, group in found.items()}


# Names by shape, English and Turkish.


ENTITIES_MAX = 16
_TEXT_MAX = 20_000
"""Number of characters examined for names."""
_NAME_WORDS_MAX = 6
"""More capitalised words in a row are a heading."""
_TITLE_WORDS_MAX = 8
"""More words in quotation marks are a sentence."""

_SHORT_MAX = 60
_VERB_LAST = expression(r"\s[a-zçğıöşü]{2,}(?:[dt][ıiuü]|m[ıiuü]ş|[ıiuü]yor)[.!…]{0,3}\s{0,2}\Z")
_TOO = frozenset({"de", "da"})
_VOWELS, _FRONT = frozenset("aeıioöuü"), frozenset("eiöü")
_HEADS = ("sı", "si", "su", "sü", "ları", "leri")

_QUOTED = expression(r"[\"“«„]([^\s\"“”«»„](?:[^\"“”«»„\n]{0,60}[^\s\"“”«»„])?)[\"”»]")
_HANDLE = expression(r"(?<![\w.@])@\w[\w.]{0,40}\w")


class _Name(NamedTuple):
    """A name found; ``weak`` if it is capitalised only at the beginning of a sentence."""

    text: str
    weak: bool


def entities(text: str) -> tuple[str, ...]:
    """Return at most 16 distinct names as written, without case endings: handles and titles first, then in order."""
    return _entities(text[:_TEXT_MAX])


@lru_cache(maxsize=16)  # content, density, kind and named things need the same names
def _entities(text: str) -> tuple[str, ...]:
    found: list[_Name] = []
    if "@" in text:
        found += [_Name(handle, False) for handle in _HANDLE.findall(text)]
    if any(sign in text for sign in '"“«„'):
        found += [_Name(title, False) for title in _QUOTED.findall(text) if _is_title(title)]
        text = _QUOTED.sub(" , ", text)
    if not text.isupper():  # capitals mean nothing in a text of capitals
        read = reading(text, "tr" if _is_short_turkish(text) else None)
        for line in read.lines():
            found += _names([chunk.shape for chunk in line], read.language)
    return _distinct(found)


def _is_title(quoted: str) -> bool:
    """Whether a quotation may be a title: it is capitalised and no sentence."""
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


def _names(shapes: list[WordShape], language: str) -> Iterator[_Name]:
    """Yield the runs of names in a line."""
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
    """Whether a short text of no clear language ends in a Turkish verb: "Disk doldu"."""
    return len(text) <= _SHORT_MAX and _VERB_LAST.search(text) is not None and turkish_evidence(text) == 0


def _is_headed(shape: WordShape, following: list[WordShape]) -> bool:
    """Whether a common word begins a Turkish name ending in its type: "Bilgi Üniversitesi", not "Annem Cansu"."""
    if shape.kind != WORD or shape.closes or not following or following[0].kind < WORD:
        return False
    head = following[0].core
    return lower(head, "tr").endswith(_HEADS) and not is_given_name(head)


def _is_noun(shape: WordShape, following: list[WordShape]) -> bool:
    """Whether a Turkish noun is no name because of what follows: "Yağmur yağdı", not "Yağmur aradı"."""
    if shape.kind != NAME:
        return False
    signs = lists.table("name-nouns.tr").get(lower(shape.core, "tr"), ())
    behind = lower(following[0].core, "tr") if following and not _is_name(following) and not shape.closes else ""
    return "*" in signs or (bool(behind) and behind.startswith(tuple(signs)))


def _is_initial(shapes: list[WordShape], place: int) -> bool:
    """Whether a sentence begins at this position; a dash before a list item does not matter."""
    while place > 0:
        place -= 1
        if shapes[place].ends_sentence or shapes[place].core:
            return shapes[place].ends_sentence
    return True


def _end(shapes: list[WordShape], place: int, language: str) -> int:
    """Return the end of the run that begins at a position."""
    while not shapes[place].closes:
        place += 1
        if place == len(shapes) or shapes[place].opens or not _continues(shapes, place):
            return place
        if language == "tr" and _is_too(shapes[place].core, shapes[place - 1].core):
            return place
    return place + 1


def _starts(shape: WordShape, initial: bool, following: list[WordShape]) -> bool:
    """Whether a run begins: with a name, a capitalised word inside a sentence, or New before a name."""
    if shape.kind == OPENER:
        return not initial or (not shape.closes and _is_name(following))
    return shape.kind >= NAME or not initial


def _continues(shapes: list[WordShape], place: int) -> bool:
    """Whether a run continues: with a capital, a small word before a name, or a final number."""
    shape, following = shapes[place], shapes[place + 1 : place + 2]
    if shape.kind >= OPENER:
        return True
    if shape.kind == LINK:
        return not shape.closes and _is_name(following)
    return shape.kind == COUNT and (
        shape.closes or shapes[place - 1].kind == SURE or "." in shape.core or not following
    )


def _is_too(word: str, before: str) -> bool:
    """Whether a word is the Turkish "too" after a person's name: "Elif de Vestel'de", not "Leonardo da Vinci"."""
    if word not in _TOO or not is_given_name(before):
        return False
    vowels = [sign for sign in lower(before, "tr") if sign in _VOWELS]
    return bool(vowels) and (vowels[-1] in _FRONT) == (word == "de")


def _is_name(following: list[WordShape]) -> bool:
    return bool(following) and following[0].kind >= OPENER


def _finished(run: list[WordShape], begins: bool) -> Iterator[_Name]:
    """Yield the name that a run of words forms, without a verb at the beginning of a sentence."""
    if begins and run[0].like_verb and len(run) > 1:
        run, begins = run[1:], False
    if len(run) > _NAME_WORDS_MAX or run[0].kind < OPENER:
        return
    weak = begins and len(run) == 1 and run[0].kind != SURE and run[0].like_verb
    yield _Name(" ".join(shape.core for shape in run), weak)
