"""From a text to clauses and tokens by which a model's text is compared with its sources, English and Turkish.

A token's term is the same for all forms of a word and for its synonyms; what carries no content has the term "".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from reverie.language import lists
from reverie.language.detect import turkish_evidence
from reverie.language.letters import lower, plain
from reverie.language.stem import stem

WORDS = Path(__file__).with_name("words")
"""Where the lists lie by which a model's text is checked."""
_TOKEN = re.compile(
    r"[$€£₺%]|v?\d+(?:[.,:-]\d+)*(?:%|[a-z]{1,2}(?![^\W\d]))?(?:['’]\w+)?|[^\W\d][\w]*(?:-\w+)*(?:['’]\w+)?", re.I
)
_STARTERS = (
    "i|we|he|she|it|they|my|our|can|could|how|what|should|do|does|is|are|would|where|which|when|the|this|that|please"
    "|you|there|because|i'm|i've|we're|we've|it's|that's|they're|let's|any|who|why|whether|considering|especially"
)
_CLAUSE_EN = re.compile(
    r",?\s+(?:but|because|although|though|while|which|by the way|anyway|since)\b\s*"
    rf"|,\s+(?=(?:so|and|or|{_STARTERS})\b)"
    r"|\s+(?:and|so)\s+(?=(?:i|we|he|she|they|my|our|i'm|i've|the|it|it's|now|can|could|how|what|should)\b)"
    r"|\s+[–—-]\s+|:\s+|\(|\)",
    re.I,
)
_CLAUSE_TR = re.compile(r",\s+|\s+(?:ama|fakat|çünkü|cunku|ancak|ve|yoksa)\s+|\s+[–—-]\s+|:\s+|[()]", re.I)
_TURKISH_SHORT = re.compile(
    r"[çğıöşüâî]|\b(?:var|yok|degil|ben|biz|bizim|benim)\b|\w(?:yor(?:um|uz|lar)?|m[ae]d[iu]m|[iu]m[iu]z)\b"
    r"|(?:\w[^\W\d][aeiu]r|\byer)[iu][mz](?=\W*\Z)|[^\W\d]{2}m(?:[ae]m|[ae]y[iu]z)(?=\W*\Z)"
)
"""The last alternatives stand at the end: severim, sevmem."""
_NEGATED_VERB = re.compile(r"(.+?)(m[iu]yor|m[ae]d[iu]|m[ae]m[iu]s|m[ae]y[ae]c[ae][gk]|m[ae]z|m[ae]m\Z|m[ae]y[iu]z\Z)")
_VERB = re.compile(
    r"(.+?)(?:[iu]?yor\w*|[dt][iu](?:m|k|n|niz|lar|ler)?\Z|m[iu]s\w*\Z|[aeiu]?r(?:[iu]m|[iu]z|s[iu]n|lar|ler|d[iu]m)\Z)"
)
_PRESENT_TR = re.compile(r"yor|[aeiu]r(?:[iu]m|[iu]z)?\Z|m[ae]z|m[ae]m\Z")
_FIRST_TR = re.compile(r"(?:yor[ud]*(?:m|z|k)|[dt][iu][mk]|[rs][iu][mz]|[ae]m|y[iu][mz])\Z|(?:yorum|yoruz)\Z")


class Token(NamedTuple):
    """A word: as written, in plain letters without its ending, its place, its term ("" if it carries no content)."""

    raw: str
    plain: str
    start: int
    end: int
    term: str


class Verb(NamedTuple):
    """A Turkish finite verb: its root, and whether it is denied, present, and in the first person."""

    root: str
    denied: bool
    present: bool
    first: bool


@cache
def grammar(kind: str) -> frozenset[str]:
    """The small words of a kind, both languages together."""
    return frozenset(lists.table("grammar", WORDS)[kind])


def language_of(text: str) -> str:
    """The language of a statement, whatever names are in it; of two or three words the Turkish endings decide."""
    words = text.split()
    evidence = turkish_evidence(" ".join(words[:1] + [word for word in words[1:] if not word[0].isupper()]))
    if evidence == 0 and "I" not in words:
        evidence = turkish_evidence(text)
    if evidence == 0 and _TURKISH_SHORT.search(text[:200].lower()):
        return "tr"
    return "tr" if evidence > 0 else "en"


def clauses(sentence: str, language: str) -> list[str]:
    """The clauses of a sentence, cut where another statement begins."""
    cut = _CLAUSE_TR if language == "tr" else _CLAUSE_EN
    return [clause.strip() for clause in cut.split(sentence) if clause and clause.strip()]


def tokens(text: str, language: str) -> list[Token]:
    """The words, numbers and signs of money of a text, in order."""
    found = [_token(match, language) for match in _TOKEN.finditer(text)]
    return _without_auxiliaries(found) if language == "en" else found


def _without_auxiliaries(found: list[Token]) -> list[Token]:
    """English "have" says nothing where it only makes a tense: have never met, has been moved."""
    past = past_forms()
    for place, token in enumerate(found):
        if token.plain not in grammar("having"):
            continue
        following = next(
            (word.plain for word in found[place + 1 : place + 4] if word.plain not in grammar("between")), ""
        )
        if (
            following in past
            or following in ("been", "used", "worked")
            or (len(following) > 4 and following.endswith("ed"))
        ):
            found[place] = token._replace(term="")
    return found


@cache
def past_forms() -> frozenset[str]:
    """English irregular past forms."""
    return frozenset(" ".join(lists.entries("past.en", WORDS)).split())


def _token(match: re.Match[str], language: str) -> Token:
    raw = match.group()
    word, term = _word(raw, language)
    return Token(raw, word, match.start(), match.end(), term)


@lru_cache(maxsize=1 << 15)
def _word(raw: str, language: str) -> tuple[str, str]:
    """A word in plain letters without what an apostrophe adds, and its term."""
    core = raw.replace("’", "'")
    head, apostrophe, ending = core.partition("'")
    if apostrophe and (core[0].isdigit() or language == "tr" or ending.lower() in ("s", "m", "re", "ve", "ll", "d")):
        core = head
    word = plain(lower(core, language))
    if word in _stops(language):
        return word, ""
    return word, synonyms(language).get(word) or _stem(lower(core, language), language)


def _stem(word: str, language: str) -> str:
    return plain(stem(word[:64], language))


@cache
def _stops(language: str) -> frozenset[str]:
    stops = " ".join(lists.entries(f"stop.{language}", WORDS)).split()
    return frozenset(stops) - ({"have", "has", "had", "having"} if language == "en" else frozenset())


@cache
def synonyms(language: str) -> Mapping[str, str]:
    """Each form with the term it stands for; also "not like" and "ended" as terms."""
    table = lists.table(f"synonyms.{language}", WORDS)
    return {form: term for term, forms in table.items() for form in forms}


@lru_cache(maxsize=1 << 14)
def turkish_verb(word: str) -> Verb | None:
    """What a Turkish word in plain letters is as a finite verb, None if it has no such ending."""
    if word in grammar("trailing"):
        return None
    is_first = _FIRST_TR.search(word) is not None
    is_present = _PRESENT_TR.search(word) is not None
    if match := _NEGATED_VERB.match(word):
        return Verb(_root(match[1]), True, is_present, is_first)
    if match := _VERB.match(word):
        return Verb(_root(match[1]), False, is_present, is_first)
    return None


def _root(word: str) -> str:
    """A root as it is in all tenses: without the vowel it may lose, with the hard sound it ends in."""
    if len(word) > 2 and word[-1] in "aeiou":
        word = word[:-1]
    elif len(word) == 2 and word[-1] in "aeiou":
        word = word[0]
    return word[:-1] + "t" if word.endswith("d") else word


@cache
def calendar_words(language: str) -> frozenset[str]:
    """The months and weekdays of a language, in plain letters."""
    table = lists.table(f"time-words.{language}")
    named = (names for key, names in table.items() if key.startswith(("month", "weekday")))
    return frozenset(plain(name) for names in named for name in names)
