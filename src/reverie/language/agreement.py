"""What a text tells by more than its words: what it denies, when and how sure it is, and who does what to whom.

In: a text. Out: what must be equal in two texts that say the same; a language model's wording is read so beside its
sources (``models/llm_turned``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from reverie.language import lists
from reverie.language.contradiction_values import Token, values
from reverie.language.contradiction_words import grammar, language_of, past_forms, tokens, turkish_verb
from reverie.language.denied_verbs import denies, forbids, is_ones_own
from reverie.language.letters import compose
from reverie.language.moods import moods
from reverie.language.opposites import Telling, telling
from reverie.language.roles import Roles, roles

_TEXT_MAX = 2_000
_WAS = re.compile(r"(?:yor|[aeiu]r|m[iu]s|y|var|yok)[dt][iu](?:m|k|n|niz|lar|ler)?\Z")
_AHEAD = re.compile(r"m[ae]y[ae]c[ae][gk](?!\w*[dt][iu])")
"""Turkish: gelmeyeceğim is no past; gelmeyecektim is one."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is denied, whether the past is told, in which moods, in which ``roles``, and which words have opposites."""

    denied: tuple[tuple[str, ...], ...]
    is_past: bool
    moods: frozenset[str]
    roles: Roles
    telling: Telling


@lru_cache(maxsize=1 << 12)
def facts(text: str) -> Facts:
    """What a text tells so; of its first 2,000 characters."""
    text = compose(text[:_TEXT_MAX])
    language = language_of(text)
    words = tokens(text, language)
    taken = {place for value in values(words, language) for place in range(value.first, value.last + 1)}
    rest = [word for place, word in enumerate(words) if place not in taken]
    return Facts(
        denied=_denied(rest, language),
        is_past=_is_past(rest, language, ends=bool(words) and len(words) - 1 not in taken),
        moods=moods(text, language),
        roles=roles(text, rest, language),
        telling=telling(rest, language),
    )


def _denied(words: list[Token], language: str) -> tuple[tuple[str, ...], ...]:
    """What is denied, in order of the terms: English by the two terms behind, Turkish by the two before."""
    find = _denied_turkish if language == "tr" else _denied_english
    return tuple(sorted(find(words, place) for place in range(len(words)) if find(words, place)))


def _denied_english(words: list[Token], place: int) -> tuple[str, ...]:
    word = words[place]
    if not (_is_over(word) or word.plain in grammar("denying") or word.plain.endswith("n't") or _denying(word, "en")):
        return ()
    return ("no", *_near(words[place + 1 :]))


def _denied_turkish(words: list[Token], place: int) -> tuple[str, ...]:
    word = words[place]
    has_end = forbids(word.plain) or is_ones_own(word.plain)
    is_verb = (denies(word.plain) or forbids(word.plain)) and (not has_end or _ends_clause(words, place))
    is_word = word.plain.startswith(tuple(grammar("denying turkish"))) or _denying(word, "tr")
    return ("no", *_near(words[:place][::-1])) if _is_over(word) or is_verb or is_word else ()


def _is_over(word: Token) -> bool:
    return word.term.startswith("not ") or word.term == "ended"


def _denying(word: Token, language: str) -> bool:
    """Whether a verb denies by what it means: avoid, kaçınmak."""
    return word.plain.startswith(lists.entries(f"denying-verbs.{language}"))


def _ends_clause(words: list[Token], place: int) -> bool:
    """Whether a mark or a small word stands behind a word: gönderme lütfen, yemem ama; not almam için."""
    following = words[place + 1 : place + 2]
    return all(
        word.start - words[place].end > 1 or word.plain == "lutfen" or (not word.term and word.plain != "icin")
        for word in following
    )


def _near(words: list[Token]) -> tuple[str, ...]:
    return tuple(sorted([word.term for word in words if word.term][:2]))


def _is_past(words: list[Token], language: str, *, ends: bool) -> bool:
    """Whether a text tells what was: by its first finite verb in English, by its last word in Turkish."""
    if language == "tr":
        last = words[-1].plain if words and ends else ""
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
