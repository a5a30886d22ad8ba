"""Plain words that are given as one's own password: "şifrem karakartal", "my password is" and four words or more.

In: a text in lower case without diacritics, and a naming in it. Out: the span of the words, or nothing. What is said of
a password looks just like it, so no word may be one that joins sentences or is said of passwords, and in Turkish the
ending of the word must not make it a verb, a place or a quality.
"""

from __future__ import annotations

import re
from functools import cache

from reverie.language import lists as words
from reverie.language.expressions import expression
from reverie.language.letters import plain
from reverie.screen.secrecy import is_nothing
from reverie.screen.values import Span

_WORDS = r"[a-z]{2,14}(?:[ \t-]{1,2}[a-z]{2,14}){3,9}?"
_ENDS = r"(?=[\"'’”`]?\s{0,3}(?:[.!,;)\n]|\Z|oldu\b))"
_OURS = r"(?:[iu]?m|[iu]?m[iu]z)(?:\s{0,2}:|\s{1,2}(?:artik|simdi|hala|su)\b:?)?\s{1,3}[\"'‘“`]?"
_PHRASE = expression(rf"(?:\s{{1,3}}is(?:\s{{1,2}}now)?\s{{0,1}}:?|\s{{0,2}}:)\s{{1,3}}({_WORDS}){_ENDS}")
MY = expression(r"\b(?:my|our)(?:[ \t]{1,3}[\w'’-]{1,20}){0,3}[ \t]{1,3}\Z")
"""What makes a password one's own: "my old wifi"."""
_TURKISH_PHRASE = expression(rf"{_OURS}({_WORDS}){_ENDS}")
_TURKISH_WORD = expression(rf"{_OURS}([a-z]{{6,24}}){_ENDS}")
_PASSWORDS = ("sifre", "parola", "sfr")
_PHRASES = ("pass phrase", "passphrase", "ifade", "cumle")
_SAID_OF = expression(
    r"(?:[dt][iu]|[dt][iu][mnk]|[iu]yor\w{0,4}|m[iu]s\w{0,4}|[ae]c[ae]\w{1,3}|m[ae]l[iu]|[aeiu]r|m[ae]z|m|mak|mek|s[ae]"
    r"|[dt][ae]n?|[dt][ae]ki|[yl][ae]|c[ae]|c[iu]|ken|l[iu]|s[iu]z|sel|sal)\Z"
)
"""Endings of Turkish verbs, places and qualities: "şifrem telefonda", "şifrem çalışmıyor", "şifrem rakamlı"."""
_TOLD_OF = expression(r"(?:ed|ly)\Z")
"""And of English ones: "stored", "extremely"."""
_NETWORK = expression(
    r"\b(?:wi-?fi|wlan|internet|network|modem|router|hotspot)[a-z]{0,10}(?:['’][a-z]{1,4})?[ \t]{1,3}\Z"
)
"""Whose password is one's own to tell, without "my": "wifi parolası …"."""
_NETWORK_PHRASE = expression(rf"s[iu](?:\s{{0,2}}:)?\s{{1,3}}[\"'‘“`]?({_WORDS}){_ENDS}")
_ROW_MAX = 6
"""Passwords of words have four to six of them; what is longer is rather a sentence."""
_BENT = expression(
    r"(?:[iu]m(?:[iu]z)?(?:[iu]n)?|n[iu]n|s[iu]n[iu]?\w{0,4}|l[ae]r[iu]\w{0,4}|[dt][ae]n|[dt][ae]ki|[iu]yor\w{0,4}"
    r"|[ae]c[ae][kg]\w{0,4}|m[iu]s\w{0,4}|m[ae]z|yl[ae]|s[iu]n)\Z"
)
"""Endings by which words belong to a sentence, in a row of plain ones: "kızımın doğum günü"."""


def given(low: str, head: re.Match[str], kind: str) -> Span | None:
    """The plain words after a naming, if they are given as one's own password."""
    if kind != "password":
        return None
    named = re.sub(r"[\s_-]+", " ", head.group())
    if named.endswith(_PHRASES):
        is_my = MY.search(low, max(0, head.start() - 80), head.start())
        match = _PHRASE.match(low, head.end()) if is_my else None
        told_of = _TOLD_OF if match else _SAID_OF
        match = match or _TURKISH_PHRASE.match(low, head.end())
        return Span(kind, *match.span(1)) if match and _is_phrase(match[1], told_of, _joining()) else None
    if row := _row(low, head, named):
        return Span(kind, *row.span(1))
    match = _TURKISH_WORD.match(low, head.end()) if named in _PASSWORDS else None
    if match is None or is_nothing(match[1]) or _SAID_OF.search(match[1]):
        return None
    return None if match[1] in _joining() else Span(kind, *match.span(1))


def _row(low: str, head: re.Match[str], named: str) -> re.Match[str] | None:
    """A row of plain words after "my password is", "şifrem", "wifi parolası": as passphrases are made."""
    before = low[max(0, head.start() - 80) : head.start()]
    is_turkish = named in _PASSWORDS
    if is_turkish:
        match = _TURKISH_PHRASE.match(low, head.end())
        match = match or (_NETWORK_PHRASE.match(low, head.end()) if _NETWORK.search(before) else None)
    else:
        match = _PHRASE.match(low, head.end()) if MY.search(before) or _NETWORK.search(before) else None
    if match is None:
        return None
    row = re.split(r"[\s-]+", match[1])
    if is_turkish:  # at the head "doğru" joins nothing
        joining = _joining_in("tr") - {word for word in row[:1] if is_nothing(word)}
        is_row = _is_phrase(match[1], _SAID_OF, joining) and not any(map(_BENT.search, row))
    else:
        is_row = _is_phrase(match[1], _TOLD_OF, _joining()) and not row[0].endswith(("ing", "en"))
    return match if is_row and len(row) <= _ROW_MAX else None


def _is_phrase(told: str, told_of: re.Pattern[str], joining: frozenset[str]) -> bool:
    """Whether words are a row of names for things and no sentence."""
    row = re.split(r"[\s-]+", told)
    if sum(map(is_nothing, row)) > 1 or is_nothing(row[-1]) or told_of.search(row[-1]):
        return False
    return not any(map(_TOLD_OF.search, row)) and joining.isdisjoint(row)


@cache
def _joining() -> frozenset[str]:
    """The words that join others to sentences."""
    return _joining_in("en") | _joining_in("tr")


@cache
def _joining_in(language: str) -> frozenset[str]:
    names = (f"function-words.{language}", f"stop-index.{language}")
    return frozenset(plain(word) for name in names for word in words.words(name))
