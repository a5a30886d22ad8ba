"""Names that are known: technologies, organisations, products, places and given names, found in a text by their words.

In: a text. Out: its words without punctuation and endings, and what stands in the lists at a place among them. The
lists are data/entities-*.txt and data/given-names.txt.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from reverie.language import lists
from reverie.language.letters import APOSTROPHES, fold, lower

KINDS = ("tech", "org", "product", "place")
"""Of a name in several lists the earlier counts."""
_CHUNK_MAX = 64
_HEAD_MIN = 4
_FOLDED_MIN = 4
"""Shorter names must be written with their own letters."""
_ENDING_MAX = 5
_OPENING = "([{\"“‘«„'*_~<#-–—`@"
_CLOSING = ".,;:!?…)]}\"”’»'*_~>-–—`"
_SENTENCE_ENDS = frozenset(".!?…:")


class Word(NamedTuple):
    """A word of a text: without punctuation and ending, the same as compared, its ending, and whether it is initial."""

    core: str
    key: str
    ending: str
    initial: bool


class Listed(NamedTuple):
    """A name of the lists: kind, slug, and whether it is also an ordinary word."""

    kind: str
    slug: str
    ambiguous: bool


class _Alias(NamedTuple):
    keys: tuple[str, ...]
    spelling: tuple[str, ...]
    listed: Listed


class _Chunk(NamedTuple):
    core: str
    key: str
    ending: str
    ends_sentence: bool


def words_in(text: str) -> tuple[Word, ...]:
    """The words of a text, each line opening a sentence; parts between slashes are words of their own."""
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
    """The words of a run without blanks, and whether it ends a sentence."""
    chunks = _chunks(run)
    cores = [chunk for chunk in chunks if chunk.core]
    words = (Word(chunk.core, chunk.key, chunk.ending, initial and not place) for place, chunk in enumerate(cores))
    return tuple(words), any(chunk.ends_sentence for chunk in chunks[-1:])


def listed_at(words: Sequence[Word], place: int, *, turkish: bool = False) -> tuple[Listed, int] | None:
    """The longest name of the lists that begins at a place, of how many words; if Turkish, also with a bare ending."""
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
    """Whether a name of the lists may begin with a word: most words are settled by this alone."""
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
    """A name in lower-case ASCII letters and digits with hyphens; other scripts keep their letters."""
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
    """Whether two spellings differ in case alone: CIN is not Çin."""
    return any(lower(core, language) == lower(spelling, language) for language in ("en", "tr"))


def _without_version(core: str) -> str | None:
    """Python3.12 without its number, PostgreSQL-based without what is said of it."""
    head = core.partition("-")[0].rstrip("0123456789.")
    return head if head != core and len(head) >= _HEAD_MIN else None


@lru_cache(maxsize=1 << 12)
def _without_ending(core: str) -> str | None:
    """Ankarada as Ankara: a Turkish case ending that is written without its apostrophe."""
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
    """The words of a run without blanks."""
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
    """First word → the names that begin with it, the longest first."""
    found: dict[str, list[_Alias]] = {}
    for kind in KINDS:
        for name, spellings in lists.table(f"entities-{kind}").items():
            for spelling in spellings:
                cores = tuple(_chunk(part).core for part in spelling.removesuffix("!").split())
                alias = _Alias(tuple(map(_key, cores)), cores, Listed(kind, name, spelling.endswith("!")))
                found.setdefault(alias.keys[0], []).append(alias)
    return {key: tuple(sorted(group, key=lambda alias: -len(alias.keys))) for key, group in found.items()}
