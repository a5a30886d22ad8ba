"""What needs no memory: greetings, confirmations, slash commands and acknowledgements, English and Turkish.

In: a message. Out: why it is trivial, or None. A message is trivial only if all of it is: one word beyond the lists
(data/pregate.*, those for writing apart), and it is looked up or kept after all.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

from reverie.language import lists
from reverie.language.expressions import expression
from reverie.language.letters import compose, plain

GREETING = "greeting"
COMMAND = "slash command"
ACKNOWLEDGEMENT = "acknowledgement"
FILLER = "filler"
_TEXT_MAX = 120
"""A longer message is no bare greeting or thanks."""
_WORDS_MAX = 12
_VOCATIVE = "vocative"
_PHRASE_MAX = 6
_COMMAND = expression(r"/[^\W\d_][\w:-]*(?=\s|\Z)")
_BARE_COMMAND = expression(r"/[^\W\d_][\w:-]*\s*\Z")
_WORD = expression(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_CONTENT = expression(r"[^\W_]")
_LONG_DRAWN = expression(r"(\w)\1{2,}\Z|(?<=\w\w)(\w)\2\Z")
_NAME = expression(r"[^\W\d_]+[.!,…~ ]*\Z")


def trivial(text: str) -> str | None:
    """Why a message needs no recall: a greeting, confirmation, slash command or acknowledgement; None if it does."""
    stripped = text.strip()
    if _COMMAND.match(stripped):
        return COMMAND
    return _covered(stripped, "trivial") if len(stripped) <= _TEXT_MAX else None


def trivial_write(text: str) -> str | None:
    """Why a message holds nothing to keep: as ``trivial``, or a filler; a command with words behind it may."""
    stripped = text.strip()
    if _COMMAND.match(stripped):
        return COMMAND if _BARE_COMMAND.match(stripped) else None
    return _covered(stripped, "trivial-write") if len(stripped) <= _TEXT_MAX else None


def _covered(text: str, name: str) -> str | None:
    """The reason of the first phrase, if phrases of the lists are all a text consists of."""
    if not _CONTENT.search(text):
        return ACKNOWLEDGEMENT  # emoji, dots, nothing
    words = _words(text)
    if words is None:
        return None
    for language in ("en", "tr"):
        reason = _reason(words, _phrases(name, language))
        if reason is not None:
            return reason
    return _greeting_by_name(text, words)


def _words(text: str) -> tuple[str, ...] | None:
    """The words in lower case without diacritics; None if there is anything else that may mean something."""
    words = plain(compose(text))
    if any(sign.isdecimal() for sign in words):
        return None
    found = tuple(_WORD.findall(words))
    return found if found and len(found) <= _WORDS_MAX else None


def _reason(words: tuple[str, ...], phrases: Mapping[tuple[str, ...], str]) -> str | None:
    """The reason of the first phrase that is no vocative, if phrases cover all words; the longest phrase first."""
    reason: str | None = None
    place = 0
    while place < len(words):
        length, kind = _longest(words, place, phrases)
        if kind is None:
            return None
        if kind != _VOCATIVE:
            reason = reason or kind
        place += length
    return reason


def _longest(words: tuple[str, ...], place: int, phrases: Mapping[tuple[str, ...], str]) -> tuple[int, str | None]:
    for length in range(min(_PHRASE_MAX, len(words) - place), 0, -1):
        part = words[place : place + length]
        kind = phrases.get(part) or phrases.get((*part[:-1], _drawn(part[-1])))
        if kind is not None:
            return length, kind
    return 0, None


@lru_cache(maxsize=1 << 10)
def _drawn(word: str) -> str:
    """A word without the repetition of its last letter: heyyy, tamamm."""
    return _LONG_DRAWN.sub(lambda match: match[1] or match[2], word)


def _greeting_by_name(text: str, words: tuple[str, ...]) -> str | None:
    """A greeting and one word with a capital, which is whom it greets: "Merhaba Ayşe", "Hi Tom!"."""
    if len(words) < 2 or "?" in text:
        return None
    last = text.split()[-1]
    if not last[0].isupper() or not _NAME.match(last):
        return None
    reasons = {_reason(words[:-1], _phrases("trivial", language)) for language in ("en", "tr")}
    return GREETING if GREETING in reasons else None


@cache
def _phrases(name: str, language: str) -> dict[tuple[str, ...], str]:
    """Phrase → reason."""
    phrases = {
        tuple(phrase.split()): kind
        for kind, listed in lists.table(f"pregate/trivial.{language}").items()
        for phrase in listed
    }
    if name != "trivial":
        fillers = (phrase for line in lists.entries(f"pregate/{name}.{language}") for phrase in line.split(", "))
        phrases = {tuple(phrase.split()): FILLER for phrase in fillers} | phrases
    return phrases
