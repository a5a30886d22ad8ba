"""What a text tells by more than its words: what it denies, when and how sure it is, and who does what to whom.

In: a text. Out: what must be equal in two texts that say the same; a model's wording is read so beside its sources.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from reverie.language import lists
from reverie.language.letters import compose, fold, lower, plain
from reverie.language.stem import stem
from reverie.models.llm_roles import Roles, roles
from reverie.models.llm_words import WORDS, Token, grammar, language_of, past_forms, tokens, turkish_verb

_TEXT_MAX = 2_000
_WAS = re.compile(r"(?:yor|[aeiu]r|m[iu]s|y|var|yok)[dt][iu](?:m|k|n|niz|lar|ler)?\Z")
_AHEAD = re.compile(r"m[ae]y[ae]c[ae][gk](?!\w*[dt][iu])")
"""Turkish: gelmeyeceğim is no past; gelmeyecektim is one."""
_FORMS = re.compile(
    r"\w{2,}?(?:mama|meme|m[ae]y[ae]n|m[ae]y[ae]l[iu]m|m[ae]y[iu]p\Z|m[ae]y[iu]n(?:[iu]z|c[ae])?\Z|m[ae]yken\Z)"
)
_LOOSE_FORMS = re.compile(r"(\w{2,}?)m[ae](?:d[ae]n|s[iu]n(?:l[ae]r)?|s[ae](?:m|n|k|n[iu]z|l[ae]r)?|y[ae]y[iu]m)\Z")
_OWN = re.compile(r"(?<!ma)(?<!me)m[ae]m\Z")
_ORDER = re.compile(r"(\w{2,})m[ae]\Z")


@dataclass(frozen=True, slots=True)
class Telling:
    """Whether a text denies, whether it tells the past, its moods and roles, and its words with opposites.

    ``opposites`` are the words that have one, by line and side of their list.
    """

    denies: bool
    is_past: bool
    moods: frozenset[str]
    roles: Roles
    opposites: frozenset[tuple[str, int]]


@lru_cache(maxsize=1 << 12)
def telling(text: str) -> Telling:
    """What a text tells so; of its first 2,000 characters."""
    text = compose(text[:_TEXT_MAX])
    language = language_of(text)
    words = tokens(text, language)
    return Telling(
        denies=any(_denies(words, place, language) for place in range(len(words))),
        is_past=_is_past(words, language),
        moods=_moods(text, language),
        roles=roles(text, words, language),
        opposites=frozenset(side for word in words for side in _sides(_bare(word, language), language)),
    )


def _denies(words: list[Token], place: int, language: str) -> bool:
    word = words[place]
    if _is_over(word) or _denying(word, language):
        return True
    if language == "en":
        return word.plain in grammar("denying") or word.plain.endswith("n't")
    has_end = _forbids(word.plain) or _OWN.search(word.plain) is not None
    is_verb = (_is_denied(word.plain) or _forbids(word.plain)) and (not has_end or _ends_clause(words, place))
    return is_verb or word.plain.startswith(tuple(grammar("denying turkish")))


def _is_over(word: Token) -> bool:
    return word.term.startswith("not ") or word.term == "ended"


def _denying(word: Token, language: str) -> bool:
    """Whether a verb denies by what it means: avoid, kaçınmak."""
    return word.plain.startswith(lists.entries(f"denying-verbs.{language}", WORDS))


def _ends_clause(words: list[Token], place: int) -> bool:
    """Whether a mark or a small word stands behind a word: gönderme lütfen, yemem ama; not almam için."""
    following = words[place + 1 : place + 2]
    return all(
        word.start - words[place].end > 1 or word.plain == "lutfen" or (not word.term and word.plain != "icin")
        for word in following
    )


def _is_past(words: list[Token], language: str) -> bool:
    """Whether a text tells what was: by its first finite verb in English, by its last word in Turkish."""
    if language == "tr":
        last = words[-1].plain if words else ""
        verb = turkish_verb(last)
        is_ahead = _AHEAD.search(last) is not None
        return (verb is not None and not verb.present and not is_ahead) or _WAS.search(last) is not None
    for place, word in enumerate(words):
        if word.plain in grammar("present"):
            return False
        is_over = [one.plain for one in words[place : place + 2]] == ["used", "to"]
        if is_over or word.plain in past_forms() or (len(word.plain) > len("need") and word.plain.endswith("ed")):
            return True
    return False


@lru_cache(maxsize=1 << 14)
def _is_denied(word: str) -> bool:
    """Whether a word is a denied verb, finite or not."""
    if word.startswith(tuple(lists.entries("no-denials.tr", WORDS))):
        return False
    verb = turkish_verb(word)
    loose = _LOOSE_FORMS.match(word)
    return (
        (verb is not None and verb.denied)
        or _FORMS.match(word) is not None
        or (loose is not None and loose[1] in _roots())
    )


def _forbids(word: str) -> bool:
    """Whether a word is a denied order: gönderme. It is one only where a clause ends, else a noun (yüzme dersi)."""
    found = _ORDER.match(word)
    return found is not None and found[1] in _roots()


@cache
def _roots() -> frozenset[str]:
    return frozenset(map(plain, lists.entries("verb-roots.tr")))


def _moods(text: str, language: str) -> frozenset[str]:
    """The moods of a text, by the names of their list."""
    folded = plain(text).replace("’", "'")
    return frozenset(mood for mood, shape in _mood_shapes(language).items() if shape.search(folded))


@cache
def _mood_shapes(language: str) -> Mapping[str, re.Pattern[str]]:
    table = lists.table(f"moods.{language}", WORDS)
    return {mood: re.compile("|".join(f"(?:{shape})" for shape in shapes)) for mood, shapes in table.items()}


def _bare(word: Token, language: str) -> str:
    return fold(lower(word.raw.replace("’", "'").partition("'")[0], language))


def _sides(word: str, language: str) -> Iterator[tuple[str, int]]:
    exact, beginnings = _opposites(language)
    yield from exact.get(word if language == "tr" else stem(word, language), ())
    for beginning, sides in beginnings.get(word[:2], ()):
        if word.startswith(beginning):
            yield from sides


_Sides = tuple[tuple[str, int], ...]


@cache
def _opposites(language: str) -> tuple[dict[str, _Sides], dict[str, tuple[tuple[str, _Sides], ...]]]:
    """Each word with the lines and sides it stands on; and each beginning of words, by its first two letters."""
    exact: dict[str, _Sides] = {}
    beginnings: dict[str, tuple[tuple[str, _Sides], ...]] = {}
    for line in lists.entries(f"opposites.{language}", WORDS):
        for side, named in enumerate(line.split(" | ")):
            for name in named.split(", "):
                word = fold(name.rstrip("*"))
                if name.endswith("*"):
                    beginnings[word[:2]] = (*beginnings.get(word[:2], ()), (word, ((line, side),)))
                    continue
                word = word if language == "tr" else stem(word, language)
                exact[word] = (*exact.get(word, ()), (line, side))
    return exact, beginnings
