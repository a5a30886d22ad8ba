"""Words of a text: cut at blanks, in lower case, with their stems and what one looks like to who searches for names."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from threading import Lock
from typing import Any, NamedTuple, Protocol, cast

from reverie.language.text import lists
from reverie.language.text.letters import APOSTROPHES, fold, lower

# Regular expressions that are compiled when something is first looked for.


class _Waiting:
    """Compiles itself at its first use; from then on the compiled pattern's own methods are its attributes."""

    def __init__(self, form: str, flags: int) -> None:
        self._form = form
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self._form, self._flags)
        self.__dict__.update((own, getattr(compiled, own)) for own in dir(compiled) if not own.startswith("_"))
        return getattr(compiled, name)


def expression(form: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern that is compiled at its first use; one that is badly written raises ``re.error`` then."""
    return cast("re.Pattern[str]", _Waiting(form, flags))


# From a lower-case word to the term that stands for all its forms, English and Turkish.


TURKISH_STEM_MAX = 5
"""Letters of a Turkish stem that are kept. Tuned 2026-11-21 on xquad-tr-dev: R@1 87 uncut, 89.1 at 5, 89.7 at 6; at 6
fewer forms of everyday words meet (60 % of pairs, 72 % at 5)."""
_SAFE_MIN = 4
"""A stem of so many letters is taken as it is."""
_AGAIN_MIN = 5
"""From so many letters on a second ending is looked for: one pass leaves "arkadaşlar" of "arkadaşlarım"."""
_VOWELS = frozenset("aeıioöuüâîû")

_snowball = Lock()  # a Snowball stemmer keeps its word in the object: two threads must not share it at once


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 -- the name is PyStemmer's


@lru_cache(maxsize=1 << 15)  # one word comes in many chunks: with a comma, in brackets, at the end of a sentence
def stem(word: str, language: str) -> str:
    """The term for one lower-case word; a number or a word in another script comes back as it is."""
    if language == "en" and word.isascii():
        with _snowball:
            return _stemmer("english").stemWord(word)
    if "\u0370" <= word[0] < "\u1d00" or word[0] >= "\u2c80":  # no Latin letter
        return word
    if not word.isascii() and any("\ud800" <= sign <= "\udfff" for sign in word):  # no stemmer takes half a character
        return word
    if language == "tr":
        return _turkish(word)
    with _snowball:
        return _stemmer("english").stemWord(fold(word))


def release() -> str:
    """The stemmer's release: another one may give other stems."""
    import Stemmer  # lazy, as below

    return str(Stemmer.version())


def _turkish(word: str) -> str:
    short = _stripped(word)
    while len(short) >= _AGAIN_MIN and len(again := _stripped(short)) >= _AGAIN_MIN - 1 and again != short:
        short = again
    folded = fold(short)
    return folded[:TURKISH_STEM_MAX] if folded.isascii() and folded.isalpha() else folded


def _stripped(word: str) -> str:
    """Strip a word's endings as Snowball does, if the rest can be a word.

    It makes "ev" of "evde" and "gün" of "günde", but also "a" of "ayşe", "de" of "deniz", and "dok" of "doğum".
    """
    with _snowball:
        short = _stemmer("turkish").stemWord(word)
    if len(short) >= _SAFE_MIN:
        return short
    is_word = len(short) == _SAFE_MIN - 1 or (len(short) == 2 and short[0] in _VOWELS and short[1] not in _VOWELS)
    return short if is_word and word.startswith(short) else word


@cache
def _stemmer(name: str) -> _Stemmer:
    import Stemmer  # lazy: a compiled module that reading a store does not need

    made: _Stemmer = Stemmer.Stemmer(name, 0)  # 0: no cache of its own, ours holds whole analyses
    return made


# What one run without blanks looks like to who searches for names: English and Turkish, by its shape alone.


_CHUNK_MAX = 64
_VERSION = expression(r"[vV]\d+(?:\.\d+)+\Z|\d+(?:\.\d+){2,}\Z")
_NUMBER = expression(r"\d{1,3}(?:\.\d+)?\Z")
_MIXED = expression(r"[^\W\d_]*[a-zçğıöşü][A-ZÇĞİÖŞÜ]|\w+\.js\Z")
_OPENING = "([{\"“‘«„'*_~<#-–—"
_CLOSING = ".,;:!?…)]}\"”’»'*_~>-–—"
_NEVER = ("function-words", "stop-index", "stop-question", "no-names")
_SENTENCE_ENDS = frozenset(".!?…:")
_ROOT_MAX = 4
"""A word of so few letters has no verb's ending."""

OTHER, LINK, COUNT, OPENER, WORD, NAME, SURE = range(7)
"""Kinds: no part of a name; a small word or a number, parts of one; words with a capital: common ones that often open
a name (New), other common ones, words that are names, words that are names wherever they stand."""


class WordShape(NamedTuple):
    """A run without blanks: its kind, its core without punctuation and endings, and how it ends what it is part of."""

    kind: int
    core: str
    opens: bool
    closes: bool
    ends_sentence: bool
    like_verb: bool


def shape(chunk: str, language: str) -> WordShape:
    """The shape of a run, in a language."""
    if len(chunk) > _CHUNK_MAX:
        return WordShape(OTHER, "", True, True, False, False)
    inner = chunk.lstrip(_OPENING)
    core = inner.rstrip(_CLOSING)
    closing = inner[len(core) :]
    if core.isascii() and core.isalpha() and core.islower():  # most words, and no name
        kind, suffixed, like_verb = LINK if core in lists.words("name-links") else OTHER, False, False
    else:
        core, suffixed = _without_ending(core.translate(APOSTROPHES), language)
        kind = _kind(core, language)
        if suffixed and kind == NAME:
            kind = SURE
        like_verb = kind == NAME and _is_like_verb(lower(core, language), language)
    ends_sentence = not _SENTENCE_ENDS.isdisjoint(closing)
    return WordShape(kind, core, inner != chunk, suffixed or bool(closing), ends_sentence, like_verb)


def plain_shape(word: str) -> WordShape:
    """The shape of a run of plain lower-case letters: no name."""
    return WordShape(LINK if word in lists.words("name-links") else OTHER, word, False, False, False, False)


def _is_like_verb(word: str, language: str) -> bool:
    return len(word) > _ROOT_MAX and lists.has_ending(word, f"verb-endings.{language}")


def _without_ending(core: str, language: str) -> tuple[str, bool]:
    """A name without 's or a Turkish case ending, and whether it had one; don't and I'll are no names with endings."""
    head, apostrophe, ending = core.rpartition("'")
    if not apostrophe or not head or _is_never(core.lower(), language):
        return core, False
    is_ending = ending in lists.words("case-endings.tr") or ending.lower() in lists.words("short-endings.en")
    return (head, True) if is_ending else (core, False)


def _kind(core: str, language: str) -> int:
    """The kind of a core."""
    if core in lists.words("name-links"):
        return LINK
    if core[:1].isdecimal() or _VERSION.match(core):
        return SURE if _VERSION.match(core) else COUNT if _NUMBER.match(core) else OTHER
    is_mixed = _MIXED.match(core) is not None
    if len(core) == 1 or "/" in core or "@" in core or not (is_mixed or core[:1].isupper()):
        return OTHER
    return _capital(core, language, is_mixed)


def _capital(core: str, language: str, is_mixed: bool) -> int:
    """The kind of a word with a capital in it."""
    if core in lists.words("name-openers"):
        return OPENER
    word = lower(core, language)
    if _is_never(word, language):
        return OTHER
    if not is_mixed and stem(word, language) in _common(language):
        return WORD
    return SURE if is_mixed or core.isupper() else NAME


def _is_never(word: str, language: str) -> bool:
    """Whether a word is no name even with a capital inside a sentence: function words, days, months, greetings."""
    return any(word in lists.words(f"{kind}.{language}") for kind in _NEVER)


@cache
def _common(language: str) -> frozenset[str]:
    """The stems of common words: at the beginning of a sentence their capital says nothing."""
    return frozenset(stem(word, language) for word in lists.entries(f"common-words.{language}"))


# Cutting text into words: from what stands between two blanks to lower-case words that can be stemmed and indexed.


WORD_MAX = 64
"""Longest word in characters; what is longer is cut into pieces of this length."""
CHUNK_MAX = 256
"""Longest run without blanks that is read as a whole: normalising is quadratic in the worst case."""

_SWELL_MAX = 3
"""How many times longer normalising may make a run; one Arabic ligature stands for eighteen letters."""
_AROUND = ',;:!?()[]{}"*'
"""What stands around most words and says nothing; most chunks are one word within these, and need no more reading."""
_APOSTROPHES = "'’‘ʼ`´"
_NUMBER_WITH_ENDING = re.compile(r"(\d+)([a-z]{1,3})\Z")
_ORDINALS = frozenset({"st", "nd", "rd", "th"})
_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_UNSPACED = (
    _HAN + "\u3040-\u30ff\u31f0-\u31ff\u1100-\u11ff\uac00-\ud7af"  # kana, Hangul
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Tibetan, Burmese, Khmer
)
_SIGNS = (
    "\u231a\u231b\u23e9-\u23fa\u2600-\u27bf\u2b05-\u2b55"
    "\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff"  # not the skin tones: they only vary a sign
)
_SIGN = rf"[\U0001f1e6-\U0001f1ff]{{2}}|[{_SIGNS}]"
"""A flag, which is two letters of its own alphabet, or an emoji."""


@cache
def _letter() -> str:
    """Return the characters of a word (letters, digits, underscores, marks) as the inside of a regex class."""
    return r"\w" + "".join("-".join(chr(int(end, 16)) for end in entry.split("-")) for entry in lists.entries("marks"))


@cache
def _compounds() -> str:
    """A word, and what signs join to it."""
    return rf"[{_letter()}]+(?:[{_APOSTROPHES}.&·-]{{1,2}}[{_letter()}]+)*"


@cache
def _token() -> re.Pattern[str]:
    """What a run without blanks is made of."""
    spelled = "|".join(re.escape(name) for name in sorted(lists.table("spelled-out"), key=len, reverse=True))
    return re.compile(
        r"(?P<skipped>https?://(?:www\.)?|(?<!\w)www\.)"
        rf"|(?P<spelled>(?<!\w)(?i:{spelled})(?![^\W\d]))"
        r"|(?P<number>(?<!\w)[vV]?\d+(?:[.,]\d+)+(?!\w))"
        rf"|(?P<compound>{_compounds()})"
        rf"|(?P<sign>{_SIGN})"
    )


@cache
def _long() -> re.Pattern[str]:
    """What a run too long to be normalised is made of."""
    return re.compile(rf"({_compounds()})|({_SIGN})")


@cache
def _part() -> re.Pattern[str]:
    """A part of a compound."""
    return re.compile(rf"(?:(?!_)[{_letter()}])+")


@cache
def _run() -> re.Pattern[str]:
    """A stretch of signs of scripts without blanks, or of others."""
    return re.compile(rf"([{_UNSPACED}]+)|[^{_UNSPACED}]+")


@cache
def _unspaced() -> re.Pattern[str]:
    return re.compile(rf"[{_UNSPACED}]")


@cache
def _han() -> re.Pattern[str]:
    return re.compile(rf"[{_HAN}]+")


def words_of(chunk: str, language: str) -> list[str]:
    """The words in a run without blanks, in lower case, in order; a compound gives its parts and, if useful, itself."""
    core = chunk.strip(_AROUND)
    if core.isascii() and core.isalpha() and len(core) <= WORD_MAX:
        return [lower(core, language)]
    if len(chunk) <= CHUNK_MAX:
        return _read(chunk, language)
    found: list[str] = []
    for piece, sign in _long().findall(chunk):
        if sign:
            found.append(sign)
        for start in range(0, len(piece), WORD_MAX):
            found += words_of(piece[start : start + WORD_MAX], language)
    return found


def _read(chunk: str, language: str) -> list[str]:
    """The words of a run short enough to be normalised."""
    found: list[str] = []
    for match in _token().finditer(_normal(chunk)):
        text, kind = match.group(), match.lastgroup
        if kind == "compound":
            found += _compound(text, language)
        elif kind == "number":
            found += _number(text.lstrip("vV"), language)
        elif kind == "spelled":
            found += lists.table("spelled-out")[text.lower()]
        elif kind == "sign":
            found.append(text)
    return found


def _normal(chunk: str) -> str:
    if chunk.isascii():
        return chunk
    normal = unicodedata.normalize("NFKC", chunk)
    return normal if len(normal) <= _SWELL_MAX * len(chunk) else chunk


def _compound(text: str, language: str) -> list[str]:
    """Parts of a word with apostrophes, hyphens or dots inside: ``node.js`` gives node, js, nodejs."""
    if text.isalpha():
        return _simple(text, language)
    text = _word_without_ending(text, language)
    parts = _part().findall(text)
    whole = "".join(parts)
    if len(parts) > 1 and _is_one_word(text, parts):
        return _simple(whole, language)
    found: list[str] = []
    for part in parts:
        found += [lower(part, language)] if part.isascii() and part.isalpha() else _simple(part, language)
    if len(parts) == 2 and _is_also_one_word(text, parts):
        found += _simple(whole, language)
    return found


def _word_without_ending(text: str, language: str) -> str:
    """A word without what an apostrophe adds to it: Turkish case endings, English 's and shortened verbs."""
    cut = max(text.rfind(sign) for sign in _APOSTROPHES)
    if cut < 1:
        return text
    head, tail = text[:cut].rstrip(_APOSTROPHES), text[cut + 1 :]
    if tail.lower() in lists.words("short-endings.en"):
        return head
    is_name = len(head) > 1 or head.isdecimal()  # O'Brien has no ending
    return head if language == "tr" and is_name and tail.islower() and tail.isalpha() else text


def _is_one_word(text: str, parts: list[str]) -> bool:
    """Whether only the whole means something: don't, U.S.A., p.m."""
    if "." in text:
        return all(len(part) == 1 and part.isalpha() for part in parts)
    return len(parts) == 2 and parts[1] in ("t", "T") and parts[0][-1] in "nN" and text[-2] in _APOSTROPHES


def _is_also_one_word(text: str, parts: list[str]) -> bool:
    """Whether people also write the two parts as one word: after a dot or apostrophe, or if one is short (e-mail)."""
    if any(part.isdecimal() for part in parts):
        return False
    return min(map(len, parts)) <= 2 or "." in text or any(sign in text for sign in _APOSTROPHES)


def _simple(part: str, language: str) -> list[str]:
    """One word without anything inside, cut to length, numbers in their plain form, unspaced scripts in pairs."""
    if not part.isascii() and _unspaced().search(part):
        return [
            word
            for run in _run().finditer(part)
            for word in (_pairs(run.group()) if run.group(1) else _simple(run.group(), language))
        ]
    word = lower(part, language)
    if len(word) <= WORD_MAX:
        return _numeral(word)
    return [short for start in range(0, len(word), WORD_MAX) for short in _numeral(word[start : start + WORD_MAX])]


def _pairs(run: str) -> list[str]:
    """A run of a script that sets no blanks, as overlapping pairs; Chinese signs singly too, for many are words."""
    if len(run) == 1:
        return [run]
    pairs = [run[at : at + 2] for at in range(len(run) - 1)]
    return pairs + [sign for han in _han().findall(run) for sign in han]


def _numeral(word: str) -> list[str]:
    """07 as 7, ٣ as 3, 7th as 7, 5km as 5 and km; any other word as it is."""
    if not word[:1].isdecimal():
        return [word] if word else []
    if word.isdecimal():
        return [_plain(word)]
    match = _NUMBER_WITH_ENDING.match(word)
    if match is None:
        return [word]
    number = _plain(match[1])
    return [number] if match[2] in _ORDINALS else [number, match[2]]


def _number(text: str, language: str) -> list[str]:
    """A number with points or commas: 1,000 as 1000, 3.5 as 3·5, a date as its parts, a version also by its head."""
    groups = re.split("[.,]", text)
    signs = re.sub(r"\d", "", text)
    if len(set(signs)) > 1:  # both: the last one is the decimal point
        return _cut(_plain("".join(groups[:-1])) + "·" + groups[-1])
    if _is_thousands(groups, signs[0], language):
        return _cut(_plain("".join(groups)))
    plain = [_plain(group) for group in groups]
    if len(groups) == 2:
        return _cut(plain[0] + "·" + groups[1])
    if signs[0] == "," or (len(groups) == 3 and len(groups[-1]) in (2, 4) and max(map(len, groups[:2])) <= 2):
        return [piece for number in plain for piece in _cut(number)]
    return _cut("·".join(plain)) + _cut("·".join(plain[:2]))


def _is_thousands(groups: list[str], sign: str, language: str) -> bool:
    """Whether the points or commas only group the digits by three."""
    if any(len(group) != 3 for group in groups[1:]) or len(groups[0]) > 3 or groups[0].startswith("0"):
        return False
    return sign == "," or language == "tr" or len(groups) > 2


def _plain(digits: str) -> str:
    """A number in ASCII digits, without leading zeros."""
    if not digits.isascii():
        digits = "".join(str(unicodedata.decimal(sign)) for sign in digits)
    return digits.lstrip("0") or "0"


def _cut(word: str) -> list[str]:
    return [word[start : start + WORD_MAX] for start in range(0, len(word), WORD_MAX)]
