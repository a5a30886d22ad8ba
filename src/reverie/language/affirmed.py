"""Denials of plain facts: I don't live in Ankara, evli değilim; each tells as much as what it denies.

In: one sentence, English or Turkish. Out: the same without its "not", and the kind of memory to form of the denial.
"""

from __future__ import annotations

import re
from functools import lru_cache

from reverie.language import patterns
from reverie.language.expressions import expression
from reverie.types import Kind

_DO = expression(r"\b(?:do not|don['’]?t) (?=\w)")
_DOES = expression(r"\b(?:does not|doesn['’]?t) (\w+)")
_BE = expression(r"\b(am|is|are|was|were|have|has|had)(?: not|n['’]t)\b|(?<=['’])(m|s|re|ve) not\b")
_SIBILANT = ("s", "x", "z", "ch", "sh", "o")
_VOWELS = "aeiou"
_PRESENT = expression(r"\b(\w{1,40})m([iu])yor(?=(?:um|uz|lar)?\b)")
_PAST = expression(r"\b(\w{1,40})m[ae]d[iu](?=[mk]\b)")
_COPULA = expression(r"\b(\w{1,40}) degil(?:i(m|z))?\b")
_NONE = expression(r"\byok(?=\s*(?:$|[.,;!]))")
_SOFTENED = frozenset({"et", "git", "gut", "tat"})
"""Turkish verbs whose t becomes d before a vowel."""
_VOICELESS = "fstkchp"
_JOKED = expression(
    r"[\s,;.–—-]+(?:i was (?:just |only )?(?:joking|kidding)|i['’]m (?:just )?kidding|just kidding"
    r"|[sş]aka yap[ıi](?:yordum|m[ıi][sş]t[ıi]m|t[ıi]m)|[sş]akayd[ıi])(?=\s*[.!…]*\s*\Z)",
    re.IGNORECASE,
)


def affirmed(sentence: str) -> str | None:
    """The sentence in lower case without diacritics and without what denies; None where nothing is plainly denied."""
    words, languages = patterns.read(sentence)
    if patterns.found("statement/denied-not", sentence):
        return None
    for language in languages:
        said = _turkish(words) if language == "tr" else _english(words)
        if said != words:
            return said
    return None


@lru_cache(maxsize=64)  # the class, the density and the category ask about the same sentences
def denied(sentence: str) -> Kind | None:
    """FACT or PREFERENCE for a sentence that denies a plain fact; None for a condition, a wish, an opinion."""
    said = affirmed(sentence)
    if said is None or patterns.found("statement/life-not", sentence):
        return None
    label = patterns.label("category", said)
    if label in (Kind.FACT, Kind.PREFERENCE):
        return Kind(label)
    return Kind.FACT if patterns.label("statement/life", said) else None


def meant(text: str) -> str:
    """The text; of a denial without "I was joking" at its end: the joke was what is denied."""
    said = _JOKED.sub("", text)
    return said if said != text and denied(said) else text


def _english(words: str) -> str:
    words = _DOES.sub(lambda match: _third(match[1]), _DO.sub("", words))
    return _BE.sub(lambda match: match[1] or match[2], words)


def _third(verb: str) -> str:
    """The third person of an English verb: works, studies, has."""
    if verb == "have":
        return "has"
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(_SIBILANT) else "s")


def _turkish(words: str) -> str:
    words = _PRESENT.sub(lambda match: _present(match[1], match[2]), words)
    words = _PAST.sub(lambda match: _past(match[1]), words)
    words = _COPULA.sub(lambda match: _copula(match[1], match[2] or ""), words)
    return _NONE.sub("var", words)


def _present(stem: str, vowel: str) -> str:
    """The stem of a Turkish verb with -yor: yaşa → yaşıyor, oyna → oynuyor, oku → okuyor."""
    if stem in _SOFTENED:
        stem = stem[:-1] + "d"
    if stem[-1] in "iu":
        return stem + "yor"
    if stem[-1] in "ae":
        stem = stem[:-1]
    return stem + _harmony(stem, vowel) + "yor"


def _past(stem: str) -> str:
    return stem + ("t" if stem[-1] in _VOICELESS else "d") + _harmony(stem, "i")


def _copula(word: str, person: str) -> str:
    """What somebody is: evli degilim → evliyim; of somebody else the word alone."""
    if not person:
        return word
    if word[-1] in _VOWELS:
        return f"{word}y{_harmony(word, 'i')}{person}"
    softened = word[:-1] + "g" if word[-1] == "k" else word
    return softened + _harmony(word, "i") + person


def _harmony(stem: str, otherwise: str) -> str:
    """The narrow vowel behind a stem without diacritics: i or u."""
    last = next((sign for sign in reversed(stem) if sign in _VOWELS), None)
    return otherwise if last is None else "u" if last in "ou" else "i"
