"""How a text feels: how pleasant, how stirred up, and which of Ekman's six emotions; English and Turkish, by lists.

In: any text. Out: valence, arousal and category. The lists are data/emotion.*, data/stirring.* and what stands beside
them; feelings asked after count half, negated ones are turned round, a long text is no stronger than a short one.
"""

from __future__ import annotations

import math
import re
from functools import cache, lru_cache
from typing import NamedTuple

from reverie.encode.feeling import CALM, Emotion
from reverie.language import lists
from reverie.language.detect import turkish_evidence
from reverie.language.letters import lower
from reverie.recipes.v9.feelings import Feeling, feeling_at, is_negated_verb, may_feel
from reverie.recipes.v9.technical import CLAUSE_MAX, is_technical
from reverie.recipes.v9.wordlists import WORDS

EKMAN = ("joy", "anger", "fear", "sadness", "surprise", "disgust")
_TEXT_MAX = 5000
_FULL_WORDS = 40
"""A text of more words is weighed down by the square root of its length: essays hold many words of feeling."""
_CATEGORY_MIN = 0.3
_TURNED = -0.5
"""What is left of a feeling under negation: "not happy" is less sad than "sad"."""
_ASKED = 0.5
_SCOPE = 3
"""Words behind an English negation that it turns round."""
_STRONGEST = 4
_OWN = 1.5
"""What one says one is tells more than what one says of a thing: "I hate this, I'm so anxious" is fear."""
_OWN_BEFORE = re.compile(r"(?:i'm|im|i am|i feel|i'm feeling|i felt|i was)(?: \S+){0,2}\Z")
_OWN_FORM = re.compile(r"(?:.*[^rdt]|.*[^o]r)[ıiuü]m\Z")
"""Endişeliyim, gerginim; not "seviyorum", "sevdim", which are said of a thing."""
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
    """A word in lower case; whether a clause ends behind it, how its sentence ends, whether it is shouted or dull."""

    word: str
    closes: bool
    asks: bool
    stops: bool
    shouted: bool
    dull: bool


class _Said(NamedTuple):
    """A feeling as it stands in the text: its weight after degree, question and negation; ``own``: one's own state."""

    feeling: Feeling
    valence: float
    arousal: float
    turned: bool
    own: bool = False


def emotion(text: str) -> Emotion:
    """The emotion a text speaks with; a text without any sign of one is calm (0, 0, None)."""
    text = text[:_TEXT_MAX].replace("’", "'")
    evidence = turkish_evidence(text)
    languages = ("tr",) if evidence > 0 else ("en",) if evidence < 0 else ("en", "tr")
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
    """The feelings of the words, in order, each word in one of them at most."""
    words = tuple(token.word for token in tokens)
    asked = _asked(tokens)
    said: list[_Said] = []
    scope = place = 0
    while place < len(tokens):
        if tokens[place].dull:
            scope = 0 if tokens[place].closes else max(0, scope - 1)
            place += 1
            continue
        feeling, length, turned, language = _match(words, place, languages)
        if feeling is not None and not is_technical(*_clause(tokens, place + length - 1), language):
            is_turned = turned or (scope > 0 if language == "en" else _is_denied(tokens, place + length - 1))
            own = _is_own_state(words, place, length, language)
            said.append(_weighed(feeling, _degree(words, place, language), asked[place], is_turned)._replace(own=own))
        last = tokens[place + length - 1]
        begins = feeling is None and _negates(words, place, languages)
        scope = _SCOPE if begins else max(0, scope - 1)
        if last.closes or last.word == "but":
            scope = 0
        place += length
    return said


def _clause(tokens: list[_Token], place: int) -> tuple[list[str], int]:
    """The words around a place that are of the same clause, and the place among them."""
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
    """Whether a feeling is said to be the speaker's own state: I'm so anxious, kaygılıyım, kaygılı hissediyorum."""
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
    """Whether an English negation stands here; "not only" is none."""
    word = words[place]
    if languages[0] != "en" or not (word.endswith("n't") or word in lists.words("negations.en", WORDS)):
        return False
    return words[place + 1 : place + 2] != ("only",)


def _is_denied(tokens: list[_Token], place: int) -> bool:
    """Whether one of the two words behind a Turkish word denies it: değil, yok, or a light verb that is negated."""
    for at in range(place, min(place + 2, len(tokens) - 1)):
        if tokens[at].closes:
            return False
        word = tokens[at + 1].word
        if _denies(word):
            tag = tokens[at + 2].word if at + 2 < len(tokens) else ""
            return not (word.startswith("de") and tag in ("mi", "mı"))  # "güzel değil mi" is a way to say yes
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
    """For each word whether its sentence ends in a question mark."""
    asked = [False] * len(tokens)
    asks = False
    for place in range(len(tokens) - 1, -1, -1):
        token = tokens[place]
        if token.asks or token.stops:
            asks = token.asks and not token.stops
        asked[place] = asks
    return asked


def _signs(text: str) -> list[_Said]:
    """The feelings of emoji and emoticons, each kind of sign once."""
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
    """How much each feeling stirs up; a second one of the same kind adds half."""
    seen: set[str] = set()
    parts: list[float] = []
    for one in sorted(said, key=lambda one: -one.arousal):
        parts.append(one.arousal * (0.5 if one.feeling.kind in seen else 1.0))
        seen.add(one.feeling.kind)
    return parts


def _loudness(text: str, tokens: list[_Token]) -> list[float]:
    """What exclamation marks and capitals add, without what adds nothing."""
    runs = [match.group().count("!") for match in _BANGS.finditer(text)] if "!" in text else []
    bangs = _EXCLAIMED[min(3, max(runs))] + _EXCLAIMED_AGAIN * min(2, len(runs) - 1) if runs else 0.0
    shouted = sum(token.shouted for token in tokens)
    capitals = _CAPITALS[min(2, shouted)]
    if shouted >= _SHOUTED_MIN and text.isupper():
        capitals = _SHOUTED
    return [part for part in (bangs, capitals) if part]


def _category(said: list[_Said], damped: float) -> str | None:
    """The category with the most weight, the earlier of Ekman's list if two have as much; None if none has enough."""
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
    """Whether a word neither feels nor turns feelings round."""
    return not (
        word == "but" or any(may_feel(word, language) for language in languages) or _negates((word,), 0, languages)
    )


def _is_shouted(core: str, word: str, language: str) -> bool:
    """Whether a word in capitals is a common one, and no abbreviation or name."""
    if len(core) < 2 or not core.isupper() or not core.replace("'", "").isalpha():
        return False
    names = (f"common-words.{language}", f"function-words.{language}", f"stop-question.{language}")
    is_known = any(word in lists.words(name) for name in names) or feeling_at((word,), 0, language)[0] is not None
    return is_known and core not in ("US", "IT", "TV", "OK")
