"""Detect the emotion of a text: valence, arousal, and one of Ekman's six categories; English and Turkish, by word
lists.

A word in a technical sense ("a fatal error") does not count.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple, TypeAlias

from reverie.language.text import lists
from reverie.language.text.letters import fold, languages_of, lower
from reverie.language.text.words import stem
from reverie.recipes.published.v9 import WORDS
from reverie.types import CALM, Emotion

# Technical senses: a killed process, a fatal error, "sunucu çöktü".


CLAUSE_MAX = 6
"""Number of words of the clause examined on each side."""
_BEFORE, _BEHIND = 3, 4
"""Number of words before and after it in which the thing may be named."""
_AWAY = re.compile(r".{3,}(?:[dt][ae]n?|ken|[ıiuü]p)\Z")
"""Turkish: a place, origin or time clause, so that the noun before it is not what the event affected."""


def is_technical(words: Sequence[str], place: int, language: str) -> bool:
    """Whether the word at a position is used of a machine or program, so that it expresses no emotion."""
    things = _things(words[place], language)
    return bool(things) and (_is_before(words, place, things, language) or _is_behind(words, place, things, language))


def _is_before(words: Sequence[str], place: int, things: frozenset[str], language: str) -> bool:
    behind = words[place + 1 : place + 1 + _BEHIND]
    if not _kind("people", language).isdisjoint(behind) and not _is_behind(words, place, things, language):
        return False
    for word in reversed(words[max(0, place - _BEFORE) : place]):
        if word in _kind("apart", language) or (language == "tr" and _AWAY.fullmatch(word)):
            return False
        if _is_thing(word, things, language):
            return True
    return False


def _is_behind(words: Sequence[str], place: int, things: frozenset[str], language: str) -> bool:
    for word in words[place + 1 : place + 1 + _BEHIND]:
        if _is_thing(word, things, language):
            return True
        if word not in _kind("between", language):
            return False
    return False


def _is_thing(word: str, things: frozenset[str], language: str) -> bool:
    """Whether a word is one of the things; in Turkish with any noun ending."""
    if word in things or language == "en":
        return word in things
    return any(word[:length] in things and _tail().fullmatch(word[length:]) for length in range(3, len(word)))


@cache
def _tail() -> re.Pattern[str]:
    """Return the pattern of Turkish noun endings that keep the meaning: plural, possessive, case."""
    return re.compile(r"(?:l[ae]r)?(?:[ıiuü]m|[ıiuü]m[ıiuü]z|m|s?[ıiuü])?(?:['’]?n?[ıiuü]|['’]?[yn]?[ae])?")


@cache
def _kind(kind: str, language: str) -> frozenset[str]:
    return frozenset(lists.table(f"technical.{language}", WORDS)[kind])


@lru_cache(maxsize=1 << 12)
def _things(word: str, language: str) -> frozenset[str]:
    """Return the things of which a word may be used technically; none for most words."""
    found: set[str] = set()
    for roots, things in lists.table(f"technical.{language}", WORDS).items():
        if roots not in ("between", "apart", "people") and word.startswith(tuple(roots.split())):
            found.update(things)
    return frozenset(found)


# Emotion words, from the lists data/emotion.* and data/stirring.*, with their inflected forms.


_FOLDED_MIN = 5
"""Fewest letters of a word that is also matched without Turkish letters; otherwise "oldu" would match "öldü"."""
_ROOT_MIN = 2
_STEM_MIN = 3
"""Shortest English stem: "awful" and "AWS" have the same one below it."""
_TAIL_MAX = 14
_NEGATED = re.compile(
    r"(?:y?[ae])?m(?:[ıiuü]yor|[ae](?:d[ıiuü]|y[ae]c[ae]|z|m[ae]|m[ıiuü]ş|y[ae]n|y[ıi]n|y[ıi]z|y[ae]r|s[ıi]n|s[ae]|m?\Z))"
)


class Feeling(NamedTuple):
    """An emotion word's kind (an emotion, "none", "urgent", "alarm" or "curse"), valence −1 … 1 and arousal 0 … 1."""

    kind: str
    valence: float
    arousal: float


class _Entry(NamedTuple):
    feeling: Feeling
    is_verb: bool


_Found: TypeAlias = tuple[Feeling | None, bool]
_NOTHING: tuple[None, int, bool] = (None, 1, False)


@lru_cache(maxsize=1 << 14)
def may_feel(word: str, language: str) -> bool:
    """Whether a list entry may begin with a word; most words are ruled out by this."""
    return _term(word, language) in _beginnings(language) or _last((), word, language)[0] is not None


def feeling_at(words: Sequence[str], place: int, language: str) -> tuple[Feeling | None, int, bool]:
    """Return the feeling of the longest entry at a position, its number of words, and whether its form is negated."""
    first = _term(words[place], language)
    lengths = _beginnings(language).get(first, ())
    for length in lengths:
        if place + length <= len(words):
            before = (first, *(_term(word, language) for word in words[place + 1 : place + length - 1]))
            found, denied = _last(before, words[place + length - 1], language)
            if found is not None:
                return found, length, denied
    found, denied = _last((), words[place], language)
    return (found, 1, denied) if found is not None else _NOTHING


def is_negated_verb(word: str, roots: Sequence[str]) -> bool:
    """Whether a Turkish word is a negated form of one of the roots: etmedi, olamıyorum."""
    return any(word.startswith(root) and _NEGATED.match(word, len(root)) is not None for root in roots)


@lru_cache(maxsize=1 << 15)
def _term(word: str, language: str) -> str:
    return stem(word, language) if word and language == "en" else word


@lru_cache(maxsize=1 << 15)
def _last(before: tuple[str, ...], word: str, language: str) -> _Found:
    """Return the feeling of an entry that ends with this word, and whether its form is negated."""
    entries = _entries(language)
    if language == "en":
        entry = entries.get((*before, _term(word, "en"))) or entries.get((*before, "=" + word))
        return (entry.feeling, False) if entry else (None, False)
    return _turkish_last(entries, before, word)


def _turkish_last(entries: Mapping[tuple[str, ...], _Entry], before: tuple[str, ...], word: str) -> _Found:
    exact = entries.get((*before, "=" + word))
    if exact is not None:
        return exact.feeling, False
    for length in range(len(word), _ROOT_MIN - 1, -1):
        for spelling in dict.fromkeys((word[:length], fold(word[:length]) + "~")):
            entry = entries.get((*before, spelling))
            if entry is not None and _is_ending(word[length:], entry.is_verb):
                return entry.feeling, False
            verb = entries.get((*before, spelling + "-"))
            if verb is not None and (denied := _verb_ending(word, length)) is not None:
                return verb.feeling, denied
    return None, False


def _is_ending(tail: str, is_verb: bool) -> bool:
    return not is_verb and len(tail) <= _TAIL_MAX and _endings("noun-endings.tr").fullmatch(tail) is not None


def _verb_ending(word: str, length: int) -> bool | None:
    """Whether a verb ending is negated; None if it is no verb ending."""
    if _NEGATED.match(word, length) is not None:
        return True
    tail = word[length:]
    is_ending = 0 < len(tail) <= _TAIL_MAX and _endings("verb-tails.tr").fullmatch(tail) is not None
    return False if is_ending else None


@cache
def _endings(name: str) -> re.Pattern[str]:
    return re.compile(f"(?:{'|'.join(lists.entries(name, WORDS))})*")


@cache
def _beginnings(language: str) -> dict[str, tuple[int, ...]]:
    """Map the first word of entries of several words to their lengths, longest first."""
    found: dict[str, set[int]] = {}
    for key in _entries(language):
        if len(key) > 1:
            found.setdefault(key[0], set()).add(len(key))
    return {first: tuple(sorted(lengths, reverse=True)) for first, lengths in found.items()}


@cache
def _entries(language: str) -> dict[tuple[str, ...], _Entry]:
    """Return all entries: stems in English, beginnings of words in Turkish (verbs with a final -)."""
    entries: dict[tuple[str, ...], _Entry] = {}
    for words, feeling, is_exact in _listed(language):
        entry = _Entry(feeling, words[-1].endswith("-"))
        for key in _spelled(words, language, is_exact):
            entries.setdefault(key, entry)
    return entries


def _listed(language: str) -> Iterator[tuple[list[str], Feeling, bool]]:
    """Yield words, feeling, and whether the words must match exactly."""
    for key, phrases in lists.table(f"emotion.{language}", WORDS).items():
        kind, valence, arousal = key.split()
        for phrase in phrases:
            yield phrase.split(), Feeling(kind, float(valence), float(arousal)), False
    for key, phrases in lists.table(f"stirring.{language}", WORDS).items():
        kind, arousal, valence = key.split()
        for phrase in phrases:
            yield phrase.split(), Feeling(kind, float(valence), float(arousal)), True


def _spelled(words: list[str], language: str, is_exact: bool) -> Iterator[tuple[str, ...]]:
    if language == "en":
        *before, last = words
        is_exact = is_exact or last.startswith("=")
        last = last.removeprefix("=")
        is_exact = is_exact or len(stem(last, "en")) < _STEM_MIN
        yield (*(stem(word, "en") for word in before), "=" + last if is_exact else stem(last, "en"))
        return
    yield from _turkish(words)
    if sum(len(word) for word in words) >= _FOLDED_MIN:
        folded = [fold(word) for word in words]
        last = folded[-1]
        if folded != words:
            yield (*folded[:-1], last[:-1] + "~-" if last.endswith("-") else last + "~")


def _turkish(words: list[str]) -> Iterator[tuple[str, ...]]:
    yield tuple(words)
    last = words[-1]
    if last.endswith(("a-", "e-")):  # ağla-: ağlıyor
        yield (*words[:-1], last[:-2] + "-")


# Valence, arousal and category of a text.


EKMAN = ("joy", "anger", "fear", "sadness", "surprise", "disgust")
_TEXT_MAX = 5000
_FULL_WORDS = 40
"""Length in words above which emotion is divided by the square root of length: essays contain many such words."""
_CATEGORY_MIN = 0.3
_TURNED = -0.5
"""Factor on a feeling under negation: "not happy" is less sad than "sad"."""
_ASKED = 0.5
_SCOPE = 3
"""Number of words in the scope of an English negation."""
_STRONGEST = 4
_OWN = 1.5
"""Factor on the speaker's own state, against feelings about a thing: "I hate this, I'm so anxious" is fear."""
_OWN_BEFORE = re.compile(r"(?:i'm|im|i am|i feel|i'm feeling|i felt|i was)(?: \S+){0,2}\Z")
_OWN_FORM = re.compile(r"(?:.*[^rdt]|.*[^o]r)[ıiuü]m\Z")
"""Endişeliyim, gerginim; not "seviyorum", "sevdim", which are about a thing."""
_EXCLAIMED = (0.0, 0.15, 0.3, 0.45)
_EXCLAIMED_AGAIN = 0.05
_CAPITALS = (0.0, 0.2, 0.4)
_SHOUTED = 0.5
_SHOUTED_MIN = 3
_BANGS = re.compile(r"!+(?:[?!]*!)?")
_EMOTICON_SIGNS = (":", "=", "<", "^", "xD", "XD")
_EDGES = '.,;:!?…"“”„«»()[]{}<>*_#~-–—'
_BREAKS = frozenset(".,;:!?…)")
_STOPS = frozenset(".!…")


class _Token(NamedTuple):
    """A word in lower case: whether it ends a clause, how its sentence ends, whether it is shouted or irrelevant."""

    word: str
    closes: bool
    asks: bool
    stops: bool
    shouted: bool
    dull: bool


class _Said(NamedTuple):
    """A feeling in the text, weighted by degree, question and negation; ``own``: the speaker's own state."""

    feeling: Feeling
    valence: float
    arousal: float
    turned: bool
    own: bool = False


def emotion(text: str) -> Emotion:
    """Detect the emotion of a text; one without any sign of emotion is calm (0, 0, None)."""
    text = text[:_TEXT_MAX].replace("’", "'")
    languages = languages_of(text)
    tokens = [_token(chunk, languages) for chunk in text.split()]
    said = [*_felt(tokens, languages), *_signs(text)]
    loud = _loudness(text, tokens)
    if not said and not loud:
        return CALM
    damped = min(1.0, math.sqrt(_FULL_WORDS / max(1, len(tokens))))
    valence = math.tanh(damped * sum(one.valence for one in said))
    parts = sorted([*_stirred(said), *loud], reverse=True)[:_STRONGEST]
    arousal = 1.0 - math.prod(1.0 - damped * part for part in parts)
    return Emotion(round(valence, 6) + 0.0, round(arousal, 6), _category(said, damped))


def _felt(tokens: list[_Token], languages: tuple[str, ...]) -> list[_Said]:
    """Return the feelings of the words in order; each word belongs to at most one."""
    words = tuple(token.word for token in tokens)
    asked = _asked(tokens)
    said: list[_Said] = []
    scope = place = 0
    while place < len(tokens):
        if tokens[place].dull:
            scope = _left(scope, tokens[place].closes)
            place += 1
            continue
        feeling, length, turned, language = _match(words, place, languages)
        if feeling is not None and not is_technical(*_clause(tokens, place + length - 1), language):
            is_turned = turned or (scope > 0 if language == "en" else _is_denied(tokens, place + length - 1))
            own = _is_own_state(words, place, length, language)
            said.append(_weighed(feeling, _degree(words, place, language), asked[place], is_turned)._replace(own=own))
        last = tokens[place + length - 1]
        begins = feeling is None and _negates(words, place, languages)
        ends = last.closes or last.word == "but"
        scope = _SCOPE if begins and not ends else _left(scope, ends)
        place += length
    return said


def _left(scope: int, ends: bool) -> int:
    """Return the number of words that remain in the scope of a negation."""
    return 0 if ends else max(0, scope - 1)


def _clause(tokens: list[_Token], place: int) -> tuple[list[str], int]:
    """Return the words of the clause around a position, and the position among them."""
    first = last = place
    while first > max(0, place - CLAUSE_MAX) and not tokens[first - 1].closes:
        first -= 1
    while last + 1 < min(len(tokens), place + CLAUSE_MAX) and not tokens[last].closes:
        last += 1
    return [token.word for token in tokens[first : last + 1]], place - first


def _match(words: tuple[str, ...], place: int, languages: tuple[str, ...]) -> tuple[Feeling | None, int, bool, str]:
    for language in languages:
        feeling, length, turned = feeling_at(words, place, language)
        if feeling is not None:
            return feeling, length, turned, language
    return None, 1, False, languages[0]


def _is_own_state(words: tuple[str, ...], place: int, length: int, language: str) -> bool:
    """Whether a feeling is stated as the speaker's own: I'm so anxious, kaygılıyım, kaygılı hissediyorum."""
    if language == "en":
        return _OWN_BEFORE.search(" ".join(words[max(0, place - 4) : place])) is not None
    following = words[place + length : place + length + 1]
    is_felt = bool(following) and following[0].startswith(("hissediyoru", "hissettim"))
    return is_felt or _OWN_FORM.match(words[place + length - 1]) is not None


def _weighed(feeling: Feeling, degree: float, asked: bool, turned: bool) -> _Said:
    factor = degree * (_ASKED if asked else 1.0)
    valence = feeling.valence * factor * (_TURNED if turned else 1.0)
    return _Said(feeling, valence, min(0.9, feeling.arousal * factor * (0.5 if turned else 1.0)), turned)


def _negates(words: tuple[str, ...], place: int, languages: tuple[str, ...]) -> bool:
    """Whether an English negation is at this position; "not only" is none."""
    word = words[place]
    if languages[0] != "en" or not (word.endswith("n't") or word in lists.words("negations.en", WORDS)):
        return False
    return words[place + 1 : place + 2] != ("only",)


def _is_denied(tokens: list[_Token], place: int) -> bool:
    """Whether one of the two words after a Turkish word negates it: değil, yok, or a negated light verb."""
    for at in range(place, min(place + 2, len(tokens) - 1)):
        if tokens[at].closes:
            return False
        word = tokens[at + 1].word
        if _denies(word):
            tag = tokens[at + 2].word if at + 2 < len(tokens) else ""
            return not (word.startswith("de") and tag in ("mi", "mı"))  # "güzel değil mi" affirms
    return False


@lru_cache(maxsize=1 << 12)
def _denies(word: str) -> bool:
    entries = lists.entries("negations.tr", WORDS)
    if word in entries or word.startswith(tuple(entry[:-1] for entry in entries if entry.endswith("*"))):
        return True
    return is_negated_verb(word, lists.entries("light-verbs.tr", WORDS))


def _degree(words: tuple[str, ...], place: int, language: str) -> float:
    return _degrees(language).get(words[place - 1], 1.0) if place else 1.0


@cache
def _degrees(language: str) -> dict[str, float]:
    table = lists.table(f"degrees.{language}", WORDS)
    return {word: float(factor) for factor, words in table.items() for word in words}


def _asked(tokens: list[_Token]) -> list[bool]:
    """Return for each word whether its sentence ends in a question mark."""
    asked = [False] * len(tokens)
    asks = False
    for place in range(len(tokens) - 1, -1, -1):
        token = tokens[place]
        if token.asks or token.stops:
            asks = token.asks and not token.stops
        asked[place] = asks
    return asked


def _signs(text: str) -> list[_Said]:
    """Return the feelings of emoji and emoticons, each sign once."""
    found = {} if text.isascii() else {sign: _sign_table()[sign] for sign in set(text) & _sign_table().keys()}
    if any(sign in text for sign in _EMOTICON_SIGNS):
        found |= {chunk: _sign_table()[chunk] for chunk in text.split() if chunk in _sign_table()}
    return [_Said(found[sign], found[sign].valence, found[sign].arousal, False) for sign in sorted(found)]


@cache
def _sign_table() -> dict[str, Feeling]:
    table: dict[str, Feeling] = {}
    for key, signs in lists.table("emotion-signs", WORDS).items():
        kind, valence, arousal = key.split()
        table |= dict.fromkeys(signs, Feeling(kind, float(valence), float(arousal)))
    return table


def _stirred(said: list[_Said]) -> list[float]:
    """Return the arousal of each feeling; repeated kinds count half."""
    seen: set[str] = set()
    parts: list[float] = []
    for one in sorted(said, key=lambda one: -one.arousal):
        parts.append(one.arousal * (0.5 if one.feeling.kind in seen else 1.0))
        seen.add(one.feeling.kind)
    return parts


def _loudness(text: str, tokens: list[_Token]) -> list[float]:
    """Return the non-zero arousal of exclamation marks and of capitals."""
    runs = [match.group().count("!") for match in _BANGS.finditer(text)] if "!" in text else []
    bangs = _EXCLAIMED[min(3, max(runs))] + _EXCLAIMED_AGAIN * min(2, len(runs) - 1) if runs else 0.0
    shouted = sum(token.shouted for token in tokens)
    capitals = _CAPITALS[min(2, shouted)]
    if shouted >= _SHOUTED_MIN and text.isupper():
        capitals = _SHOUTED
    return [part for part in (bangs, capitals) if part]


def _category(said: list[_Said], damped: float) -> str | None:
    """Return the category of most weight, ties in Ekman's order; None if its weight is too small."""
    weights, felt = dict.fromkeys(EKMAN, 0.0), dict.fromkeys(EKMAN, 0.0)
    for one in said:
        if one.feeling.kind in weights and not one.turned:
            felt[one.feeling.kind] += max(abs(one.valence), one.arousal)
            weights[one.feeling.kind] += max(abs(one.valence), one.arousal) * (_OWN if one.own else 1.0)
    best = max(EKMAN, key=lambda kind: weights[kind])
    return best if felt[best] * damped >= _CATEGORY_MIN else None


@lru_cache(maxsize=1 << 14)
def _token(chunk: str, languages: tuple[str, ...]) -> _Token:
    language = languages[0]
    inner = chunk.lstrip(_EDGES)
    core = inner.rstrip(_EDGES)
    closing = set(inner[len(core) :]) if core else set(chunk)
    word = lower(core[:64], language)
    stops = bool(closing & _STOPS)
    return _Token(
        word,
        bool(closing & _BREAKS),
        "?" in closing,
        stops,
        _is_shouted(core, word, language),
        _is_dull(word, languages),
    )


def _is_dull(word: str, languages: tuple[str, ...]) -> bool:
    """Whether a word neither expresses a feeling nor negates one."""
    return not (
        word == "but" or any(may_feel(word, language) for language in languages) or _negates((word,), 0, languages)
    )


def _is_shouted(core: str, word: str, language: str) -> bool:
    """Whether a word in capitals is a common word, not an abbreviation or a name."""
    if len(core) < 2 or not core.isupper() or not core.replace("'", "").isalpha():
        return False
    names = (f"common-words.{language}", f"function-words.{language}", f"stop-question.{language}")
    is_known = any(word in lists.words(name) for name in names) or feeling_at((word,), 0, language)[0] is not None
    return is_known and core not in ("US", "IT", "TV", "OK")
