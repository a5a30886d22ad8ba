"""Split texts into clauses and words, and find who does what to whom, to compare a model's text with its sources."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise, takewhile
from pathlib import Path
from typing import NamedTuple

from reverie.language.text import lists
from reverie.language.text.letters import fold, lower, plain, turkish_evidence
from reverie.language.text.words import stem

WORDS = Path(__file__).with_name("words")
"""The folder of the word lists by which a model's text is checked."""
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
"""The last alternatives match at the end of a text only: severim, sevmem."""
_NEGATED_VERB = re.compile(r"(.+?)(m[iu]yor|m[ae]d[iu]|m[ae]m[iu]s|m[ae]y[ae]c[ae][gk]|m[ae]z|m[ae]m\Z|m[ae]y[iu]z\Z)")
_VERB = re.compile(
    r"(.+?)(?:[iu]?yor\w*|[dt][iu](?:m|k|n|niz|lar|ler)?\Z|m[iu]s\w*\Z|[aeiu]?r(?:[iu]m|[iu]z|s[iu]n|lar|ler|d[iu]m)\Z)"
)
_PRESENT_TR = re.compile(r"yor|[aeiu]r(?:[iu]m|[iu]z)?\Z|m[ae]z|m[ae]m\Z")
_FIRST_TR = re.compile(r"(?:yor[ud]*(?:m|z|k)|[dt][iu][mk]|[rs][iu][mz]|[ae]m|y[iu][mz])\Z|(?:yorum|yoruz)\Z")


class GrammarToken(NamedTuple):
    """A word: as written, in plain letters without its ending, its place, its term ("" if it has no content)."""

    raw: str
    plain: str
    start: int
    end: int
    term: str


class Verb(NamedTuple):
    """A Turkish finite verb: its root, and whether it is negated, in the present, and in the first person."""

    root: str
    denied: bool
    present: bool
    first: bool


@cache
def grammar(kind: str) -> frozenset[str]:
    """Return the function words of a kind, English and Turkish together."""
    return frozenset(lists.table("grammar", WORDS)[kind])


def language_of(text: str) -> str:
    """Return "en" or "tr" for a statement; names do not count, and for two or three words Turkish endings decide."""
    words = text.split()
    evidence = turkish_evidence(" ".join(words[:1] + [word for word in words[1:] if not word[0].isupper()]))
    if evidence == 0 and "I" not in words:
        evidence = turkish_evidence(text)
    if evidence == 0 and _TURKISH_SHORT.search(text[:200].lower()):
        return "tr"
    return "tr" if evidence > 0 else "en"


def clauses(sentence: str, language: str) -> list[str]:
    """Split a sentence into clauses."""
    cut = _CLAUSE_TR if language == "tr" else _CLAUSE_EN
    return [clause.strip() for clause in cut.split(sentence) if clause and clause.strip()]


def tokens(text: str, language: str) -> list[GrammarToken]:
    """Return the words, numbers and currency signs of a text, in order."""
    found = [_token(match, language) for match in _TOKEN.finditer(text)]
    return _without_auxiliaries(found) if language == "en" else found


def _without_auxiliaries(found: list[GrammarToken]) -> list[GrammarToken]:
    """Clear the term of English "have" where it only forms a tense: have never met, has been moved."""
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
    """Return the English irregular past forms."""
    return frozenset(" ".join(lists.entries("past.en", WORDS)).split())


def _token(match: re.Match[str], language: str) -> GrammarToken:
    raw = match.group()
    word, term = _word(raw, language)
    return GrammarToken(raw, word, match.start(), match.end(), term)


@lru_cache(maxsize=1 << 15)
def _word(raw: str, language: str) -> tuple[str, str]:
    """Return a word in plain letters without what an apostrophe adds, and its term ("" for a stop word)."""
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
    """Map each word form to its term; negated forms map to terms such as "not like", and others to "ended"."""
    table = lists.table(f"synonyms.{language}", WORDS)
    return {form: term for term, forms in table.items() for form in forms}


@lru_cache(maxsize=1 << 14)
def turkish_verb(word: str) -> Verb | None:
    """Analyse a Turkish word in plain letters as a finite verb; None if it has no such ending."""
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
    """Return a root as it is in all tenses: without the vowel it may lose, and with its final d as t."""
    if len(word) > 2 and word[-1] in "aeiou":
        word = word[:-1]
    elif len(word) == 2 and word[-1] in "aeiou":
        word = word[0]
    return word[:-1] + "t" if word.endswith("d") else word


@cache
def calendar_words(language: str) -> frozenset[str]:
    """Return the months and weekdays of a language, in plain letters."""
    table = lists.table(f"time-words.{language}")
    named = (names for key, names in table.items() if key.startswith(("month", "weekday")))
    return frozenset(plain(name) for names in named for name in names)


_JOINS = frozenset({"and", "or", "ve", "veya", "&"})
_VOWELS = frozenset("aeiou")
_CORE_MIN = 3
_BREAKS = re.compile(r"[,;:.!?\n()]")
_STOPS = re.compile(r"[;:.!?\n()]")
_CASES = (
    ("from", re.compile(r"[dt][ae]n\Z")),
    ("at", re.compile(r"[dt][ae](?:ki)?\Z")),
    ("with", re.compile(r"l[ae]\Z")),
    ("of", re.compile(r"[iu]n\Z")),
    ("to", re.compile(r"[ae]\Z")),
    ("object", re.compile(r"[iu]\Z")),
)


@dataclass(frozen=True, slots=True)
class Roles:
    """The roles in a text: its words, (mark, word) pairs, words listed side by side, and English words in order.

    A mark is a preposition or case. ``order`` holds the words that occur once, with the number of their part of the
    sentence; commas and "and" separate parts.
    """

    words: frozenset[str]
    marked: frozenset[tuple[str, str]]
    joined: tuple[frozenset[str], ...]
    order: tuple[tuple[str, int], ...]

    def marks(self, word: str) -> frozenset[str]:
        """Return the marks of a word."""
        return frozenset(mark for mark, marked in self.marked if marked == word)


@dataclass(frozen=True, slots=True)
class _Place:
    """A word at its place: its part of the sentence, its mark, and whether it continues a list."""

    word: str
    part: int
    mark: str
    goes_on: bool


def roles(text: str, words: Sequence[GrammarToken], language: str) -> Roles:
    """Find the roles in a text whose words are given."""
    places = _turkish(text, words) if language == "tr" else _english(text, words)
    counts = Counter(place.word for place in places)
    return Roles(
        words=frozenset(counts),
        marked=frozenset((place.mark, place.word) for place in places if place.mark),
        joined=tuple(_lists(places)),
        order=() if language == "tr" else tuple((p.word, p.part) for p in places if counts[p.word] == 1),
    )


def exchanged(a: Roles, b: Roles) -> bool:
    """Whether two words that both texts have exchange their roles between them; symmetric in ``a`` and ``b``."""
    return _marks_exchanged(a, b) or _order_turned(a, b)


def _marks_exchanged(a: Roles, b: Roles) -> bool:
    """Whether the same mark belongs to different words in the two texts: (spaces) over tabs, (tabs) over spaces."""
    here = [(mark, word) for mark, word in a.marked - b.marked if word in b.words]
    there = [(mark, word) for mark, word in b.marked - a.marked if word in a.words]
    return any(
        mark == other_mark and not any({word, other} <= together for together in (*a.joined, *b.joined))
        for mark, word in here
        for other_mark, other in there
    )


def _order_turned(a: Roles, b: Roles) -> bool:
    """Whether the words before and after a word change sides: "Can owes Anna", "Anna owes Can".

    A phrase that is moved as a whole (in Oslo, yesterday) does not count; nor does a passive with "by".
    """
    firm = {
        word
        for word, _ in a.order
        if "by" not in (marks := a.marks(word)) | b.marks(word) and (not marks or marks != b.marks(word))
    }
    sides = _sides(b, firm)
    return any(
        word in sides and before & sides[word][1] and behind & sides[word][0]
        for word, (before, behind) in _sides(a, firm).items()
    )


def _sides(one: Roles, firm: set[str]) -> Mapping[str, tuple[frozenset[str], frozenset[str]]]:
    """Map each word to the words before and after it in its part of the sentence."""
    parts: dict[int, list[str]] = {}
    for word, part in one.order:
        if word in firm:
            parts.setdefault(part, []).append(word)
    return {
        word: (frozenset(held[:place]), frozenset(held[place + 1 :]))
        for held in parts.values()
        for place, word in enumerate(held)
    }


def _lists(places: Sequence[_Place]) -> list[frozenset[str]]:
    """Return the groups of words that are listed side by side, with commas or "and" between."""
    found: list[set[str]] = []
    for before, place in pairwise(places):
        if place.goes_on:
            if not found or before.word not in found[-1]:
                found.append({before.word})
            found[-1].add(place.word)
    return [frozenset(one) for one in found]


def _english(text: str, words: Sequence[GrammarToken]) -> list[_Place]:
    """Return English words with marks; a mark holds until the next function word, comma or subject."""
    found: list[_Place] = []
    mark, part, goes_on, end = "", 0, False, 0
    for token in words:
        word = token.plain.partition("'")[0]
        if broken := _BREAKS.search(text[end : token.start]):
            mark, part, goes_on = "", part + 1, _STOPS.search(text[end : token.start]) is None
        end = token.end
        if word in _JOINS:
            part, goes_on = part + (not broken), True
        elif word in _marks("en"):
            mark, goes_on = _marks("en")[word], False
        elif word not in lists.words("role-passed.en", WORDS):
            mark = "" if word in _persons("en") and word == _persons("en")[word] else mark
            found.append(_Place(_core(token, "en"), part, mark, goes_on and bool(found)))
            goes_on = False
    return found


def _turkish(text: str, words: Sequence[GrammarToken]) -> list[_Place]:
    """Return Turkish words, each with its case as mark; a following postposition is added to it."""
    found: list[_Place] = []
    ahead, part, goes_on, end = "", 0, False, 0
    for token in words:
        if _BREAKS.search(text[end : token.start]):
            part, goes_on = part + 1, _STOPS.search(text[end : token.start]) is None
        end = token.end
        mark = _marks("tr").get(token.plain, "")
        if token.plain in _JOINS:
            goes_on = True
        elif mark.startswith("order ") and not (found and found[-1].mark == "from"):
            ahead, goes_on = mark, False
        elif mark and found:
            last = found.pop()
            found.append(_Place(last.word, last.part, f"{last.mark} {mark}", last.goes_on))
        else:
            found.append(_Place(_core(token, "tr"), part, ahead or _case(token), goes_on and bool(found)))
            ahead, goes_on = "", False
    return found


def _core(token: GrammarToken, language: str) -> str:
    """Return the part that all forms of a word share; Turkish stems lose a final vowel that the stemmer may leave."""
    head = lower(token.raw.partition("'")[0].partition("’")[0], language)
    if language == "en" and head in _persons("en"):
        return _persons("en")[head]
    found = fold(stem(head, language))
    is_loose = language == "tr" and len(found) > _CORE_MIN and found[-1] in _VOWELS
    return found[:-1] if is_loose else found


def _case(token: GrammarToken) -> str:
    """Return the case of a Turkish word by its ending, "" without one; the last vowel of a name (Veli) is none."""
    head, apostrophe, ending = token.raw.replace("’", "'").partition("'")
    if not apostrophe:
        word, short = fold(lower(head, "tr")), fold(stem(lower(head, "tr"), "tr"))
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, short, strict=False)))
        ending = word[same:] if len(word) - same > 1 or not head[0].isupper() else ""
    ending = fold(lower(ending, "tr"))
    return next((name for name, shape in _CASES if shape.search(ending)), "")


@cache
def _marks(language: str) -> Mapping[str, str]:
    return {word: mark for mark, words in lists.table(f"role-marks.{language}", WORDS).items() for word in words}


@cache
def _persons(language: str) -> Mapping[str, str]:
    return {word: person for person, words in lists.table(f"role-persons.{language}", WORDS).items() for word in words}
