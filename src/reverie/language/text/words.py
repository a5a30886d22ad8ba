"""Split texts into words, stem them, and classify their shape for the search of names."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from threading import Lock
from typing import Any, NamedTuple, Protocol, cast

from reverie.language.text import lists
from reverie.language.text.letters import APOSTROPHES, fold, lower

# Regular expressions compiled on first use.


class _Waiting:
    """A pattern that compiles itself on first use, and then has the compiled pattern's methods."""

    def __init__(self, form: str, flags: int) -> None:
        self._form = form
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self._form, self._flags)
        self.__dict__.update((own, getattr(compiled, own)) for own in dir(compiled) if not own.startswith("_"))
        return getattr(compiled, name)


def expression(form: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern that is compiled on first use; an invalid one raises ``re.error`` then."""
    return cast("re.Pattern[str]", _Waiting(form, flags))


# Stems: one term for all forms of a word, English and Turkish.


TURKISH_STEM_MAX = 5
"""Number of letters of a Turkish stem that are kept. Tuned 2026-11-21 on xquad-tr-dev: R@1 87 uncut, 89.1 at 5, 89.7 at
6; at 6 fewer forms of everyday words match (60 % of pairs, 72 % at 5)."""
_SAFE_MIN = 4
"""Fewest letters of a stem that is always accepted."""
_AGAIN_MIN = 5
"""Fewest letters for removing a second ending: one pass leaves "arkadaşlar" of "arkadaşlarım"."""
_VOWELS = frozenset("aeıioöuüâîû")

_snowball = Lock()  # a Snowball stemmer keeps its word in the object, so threads must not share it


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 -- the name is PyStemmer's


@lru_cache(maxsize=1 << 15)  # one word comes in many runs: with a comma, in brackets, at the end of a sentence
def stem(word: str, language: str) -> str:
    """Return the stem of a lower-case word; numbers and words of other scripts stay unchanged."""
    if language == "en" and word.isascii():
        with _snowball:
            return _stemmer("english").stemWord(word)
    if "\u0370" <= word[0] < "\u1d00" or word[0] >= "\u2c80":  # not a Latin letter
        return word
    if not word.isascii() and any("\ud800" <= sign <= "\udfff" for sign in word):  # stemmers reject lone surrogates
        return word
    if language == "tr":
        return _turkish(word)
    with _snowball:
        return _stemmer("english").stemWord(fold(word))


def release() -> str:
    """Return the stemmer's release: another one may give other stems."""
    import Stemmer  # imported when needed, as below

    return str(Stemmer.version())


def _turkish(word: str) -> str:
    short = _stripped(word)
    while len(short) >= _AGAIN_MIN and len(again := _stripped(short)) >= _AGAIN_MIN - 1 and again != short:
        short = again
    folded = fold(short)
    return folded[:TURKISH_STEM_MAX] if folded.isascii() and folded.isalpha() else folded


def _stripped(word: str) -> str:
    """Return Snowball's stem if it can be a word, else the word unchanged.

    Snowball reduces "evde" to "ev" and "günde" to "gün", but also "ayşe" to "a", "deniz" to "de", and "doğum" to "dok".
    """
    with _snowball:
        short = _stemmer("turkish").stemWord(word)
    if len(short) >= _SAFE_MIN:
        return short
    is_word = len(short) == _SAFE_MIN - 1 or (len(short) == 2 and short[0] in _VOWELS and short[1] not in _VOWELS)
    return short if is_word and word.startswith(short) else word


@cache
def _stemmer(name: str) -> _Stemmer:
    import Stemmer  # imported when needed: reading a store needs no stemmer

    made: _Stemmer = Stemmer.Stemmer(name, 0)  # 0: no cache, since whole analyses are cached here
    return made


# Shapes: what a run without blanks looks like to the search of names, English and Turkish.


_CHUNK_MAX = 64
_VERSION = expression(r"[vV]\d+(?:\.\d+)+\Z|\d+(?:\.\d+){2,}\Z")
_NUMBER = expression(r"\d{1,3}(?:\.\d+)?\Z")
_MIXED = expression(r"[^\W\d_]*[a-zçğıöşü][A-ZÇĞİÖŞÜ]|\w+\.js\Z")
_OPENING = "([{\"“‘«„'*_~<#-–—"
_CLOSING = ".,;:!?…)]}\"”’»'*_~>-–—"
_NEVER = ("function-words", "stop-index", "stop-question", "no-names")
_SENTENCE_ENDS = frozenset(".!?…:")
_ROOT_MAX = 4
"""Words of at most this length have no verb ending."""

OTHER, LINK, COUNT, OPENER, WORD, NAME, SURE = range(7)
"""Kinds of words: OTHER is no part of a name; LINK (a small word) and COUNT (a number) may be inside one. Capitalised:
OPENER is a common word that often begins a name (New), WORD another common word, NAME a name, SURE a name anywhere."""


class WordShape(NamedTuple):
    """Shape of a run without blanks: kind, core without punctuation and endings, and what it opens or closes."""

    kind: int
    core: str
    opens: bool
    closes: bool
    ends_sentence: bool
    like_verb: bool


def shape(chunk: str, language: str) -> WordShape:
    """Return the shape of a run."""
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
    """Return the shape of a run of plain lower-case letters, which is no name."""
    return WordShape(LINK if word in lists.words("name-links") else OTHER, word, False, False, False, False)


def _is_like_verb(word: str, language: str) -> bool:
    return len(word) > _ROOT_MAX and lists.has_ending(word, f"verb-endings.{language}")


def _without_ending(core: str, language: str) -> tuple[str, bool]:
    """Remove 's or a Turkish case ending from a name, and tell whether there was one; don't and I'll are no names."""
    head, apostrophe, ending = core.rpartition("'")
    if not apostrophe or not head or _is_never(core.lower(), language):
        return core, False
    is_ending = ending in lists.words("case-endings.tr") or ending.lower() in lists.words("short-endings.en")
    return (head, True) if is_ending else (core, False)


def _kind(core: str, language: str) -> int:
    """Return the kind of a core."""
    if core in lists.words("name-links"):
        return LINK
    if core[:1].isdecimal() or _VERSION.match(core):
        return SURE if _VERSION.match(core) else COUNT if _NUMBER.match(core) else OTHER
    is_mixed = _MIXED.match(core) is not None
    if len(core) == 1 or "/" in core or "@" in core or not (is_mixed or core[:1].isupper()):
        return OTHER
    return _capital(core, language, is_mixed)


def _capital(core: str, language: str, is_mixed: bool) -> int:
    """Return the kind of a capitalised word."""
    if core in lists.words("name-openers"):
        return OPENER
    word = lower(core, language)
    if _is_never(word, language):
        return OTHER
    if not is_mixed and stem(word, language) in _common(language):
        return WORD
    return SURE if is_mixed or core.isupper() else NAME


def _is_never(word: str, language: str) -> bool:
    """Whether a word is never a name: function words, days, months, greetings."""
    return any(word in lists.words(f"{kind}.{language}") for kind in _NEVER)


@cache
def _common(language: str) -> frozenset[str]:
    """Return the stems of common words, which are capitalised at the beginning of a sentence."""
    return frozenset(stem(word, language) for word in lists.entries(f"common-words.{language}"))


# Tokenisation: from runs without blanks to lower-case words.


WORD_MAX = 64
"""Longest word in characters; longer ones are cut into pieces of this length."""
CHUNK_MAX = 256
"""Longest run that is read as a whole, since normalisation is quadratic in the worst case."""

_SWELL_MAX = 3
"""Largest growth factor of a run by normalisation; one Arabic ligature stands for eighteen letters."""
_AROUND = ',;:!?()[]{}"*'
"""Punctuation around words; inside it, most runs are a single word, which needs no further analysis."""
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
"""A flag, which consists of two letters of its own alphabet, or an emoji."""


@cache
def _letter() -> str:
    """Return the content of a character class for words: letters, digits, underscores and marks."""
    return r"\w" + "".join("-".join(chr(int(end, 16)) for end in entry.split("-")) for entry in lists.entries("marks"))


@cache
def _compounds() -> str:
    """Return a pattern for a word with parts joined by punctuation."""
    return rf"[{_letter()}]+(?:[{_APOSTROPHES}.&·-]{{1,2}}[{_letter()}]+)*"


@cache
def _token() -> re.Pattern[str]:
    """Return the pattern of the parts of a run without blanks."""
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
    """Return the pattern of the parts of a run too long to be normalised."""
    return re.compile(rf"({_compounds()})|({_SIGN})")


@cache
def _part() -> re.Pattern[str]:
    """Return the pattern of a part of a compound."""
    return re.compile(rf"(?:(?!_)[{_letter()}])+")


@cache
def _run() -> re.Pattern[str]:
    """Return the pattern of a stretch in scripts without blanks, or in others."""
    return re.compile(rf"([{_UNSPACED}]+)|[^{_UNSPACED}]+")


@cache
def _unspaced() -> re.Pattern[str]:
    return re.compile(rf"[{_UNSPACED}]")


@cache
def _han() -> re.Pattern[str]:
    return re.compile(rf"[{_HAN}]+")


def words_of(chunk: str, language: str) -> list[str]:
    """Split a run without blanks into lower-case words, in order; a compound gives its parts and, if useful, itself."""
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
    """Split a run that is short enough to be normalised."""
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
    """Split a word with apostrophes, hyphens or dots: ``node.js`` gives node, js, nodejs."""
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
    """Remove what follows an apostrophe: Turkish case endings, English 's and contracted verbs."""
    cut = max(text.rfind(sign) for sign in _APOSTROPHES)
    if cut < 1:
        return text
    head, tail = text[:cut].rstrip(_APOSTROPHES), text[cut + 1 :]
    if tail.lower() in lists.words("short-endings.en"):
        return head
    is_name = len(head) > 1 or head.isdecimal()  # O'Brien has no ending
    return head if language == "tr" and is_name and tail.islower() and tail.isalpha() else text


def _is_one_word(text: str, parts: list[str]) -> bool:
    """Whether a compound means something only as a whole: don't, U.S.A., p.m."""
    if "." in text:
        return all(len(part) == 1 and part.isalpha() for part in parts)
    return len(parts) == 2 and parts[1] in ("t", "T") and parts[0][-1] in "nN" and text[-2] in _APOSTROPHES


def _is_also_one_word(text: str, parts: list[str]) -> bool:
    """Whether the two parts are also written as one word: after a dot or apostrophe, or if one is short (e-mail)."""
    if any(part.isdecimal() for part in parts):
        return False
    return min(map(len, parts)) <= 2 or "." in text or any(sign in text for sign in _APOSTROPHES)


def _simple(part: str, language: str) -> list[str]:
    """Normalise one word: cut to length, numbers in plain form, unspaced scripts in pairs."""
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
    """Split a run of a script without blanks into overlapping pairs, and Chinese also into characters."""
    if len(run) == 1:
        return [run]
    pairs = [run[at : at + 2] for at in range(len(run) - 1)]
    return pairs + [sign for han in _han().findall(run) for sign in han]


def _numeral(word: str) -> list[str]:
    """Normalise a numeral: 07 to 7, ٣ to 3, 7th to 7, 5km to 5 and km; other words stay."""
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
    """Normalise a number with points or commas: 1,000 to 1000, 3.5 to 3·5, a date to parts, a version also to its
    head.
    """
    groups = re.split("[.,]", text)
    signs = re.sub(r"\d", "", text)
    if len(set(signs)) > 1:  # both signs: the last one is the decimal point
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
    """Whether points or commas only group digits by three."""
    if any(len(group) != 3 for group in groups[1:]) or len(groups[0]) > 3 or groups[0].startswith("0"):
        return False
    return sign == "," or language == "tr" or len(groups) > 2


def _plain(digits: str) -> str:
    """Return a number in ASCII digits, without leading zeros."""
    if not digits.isascii():
        digits = "".join(str(unicodedata.decimal(sign)) for sign in digits)
    return digits.lstrip("0") or "0"


def _cut(word: str) -> list[str]:
    return [word[start : start + WORD_MAX] for start in range(0, len(word), WORD_MAX)]
