"""Decide whether a message is worth a memory: trivial messages, filters, and information density."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, lru_cache

from reverie.language.classify.categories import ClassedStatement, category, statements
from reverie.language.names.entities import entities
from reverie.language.names.named_entities import named
from reverie.language.text import lists
from reverie.language.text.analyzer import keywords
from reverie.language.text.letters import compose, plain
from reverie.language.text.patterns import LabelReading, any_of, read
from reverie.language.text.words import expression
from reverie.language.time import english, turkish
from reverie.language.time.rules import scan
from reverie.types import Kind

# Trivial messages: greetings, confirmations, slash commands and acknowledgements, English and Turkish.


GREETING = "greeting"
COMMAND = "slash command"
ACKNOWLEDGEMENT = "acknowledgement"
FILLER = "filler"
_TEXT_MAX = 120
"""Longest message that can be a mere greeting or thanks."""
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
    """Return why a message needs no recall (greeting, confirmation, slash command, acknowledgement), or None."""
    stripped = text.strip()
    if _COMMAND.match(stripped):
        return COMMAND
    return _covered(stripped, "trivial") if len(stripped) <= _TEXT_MAX else None


def trivial_write(text: str) -> str | None:
    """Return why a message has nothing to store: as ``trivial``, or a filler; a command with arguments may."""
    stripped = text.strip()
    if _COMMAND.match(stripped):
        return COMMAND if _BARE_COMMAND.match(stripped) else None
    return _covered(stripped, "trivial-write") if len(stripped) <= _TEXT_MAX else None


def _covered(text: str, name: str) -> str | None:
    """Return the reason of the first phrase, if phrases of the lists cover the whole text, else None."""
    if not _CONTENT.search(text):
        return ACKNOWLEDGEMENT  # emoji, dots or nothing
    words = _words(text)
    if words is None:
        return None
    for language in ("en", "tr"):
        reason = _reason(words, _phrases(name, language))
        if reason is not None:
            return reason
    return _greeting_by_name(text, words)


def _words(text: str) -> tuple[str, ...] | None:
    """Return the folded words; None if anything else in the text may have a meaning."""
    words = plain(compose(text))
    if any(sign.isdecimal() for sign in words):
        return None
    found = tuple(_WORD.findall(words))
    return found if found and len(found) <= _WORDS_MAX else None


def _reason(words: tuple[str, ...], phrases: Mapping[tuple[str, ...], str]) -> str | None:
    """Return the reason of the first phrase that is no vocative, if phrases cover all words, longest first."""
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
    """Remove repetitions of a word's last letter: heyyy, tamamm."""
    return _LONG_DRAWN.sub(lambda match: match[1] or match[2], word)


def _greeting_by_name(text: str, words: tuple[str, ...]) -> str | None:
    """Recognise a greeting with a capitalised name: "Merhaba Ayşe", "Hi Tom!"."""
    if len(words) < 2 or "?" in text:
        return None
    last = text.split()[-1]
    if not last[0].isupper() or not _NAME.match(last):
        return None
    reasons = {_reason(words[:-1], _phrases("trivial", language)) for language in ("en", "tr")}
    return GREETING if GREETING in reasons else None


@cache
def _phrases(name: str, language: str) -> dict[tuple[str, ...], str]:
    """Return phrase → reason."""
    phrases = {
        tuple(phrase.split()): kind
        for kind, listed in lists.table(f"pregate/trivial.{language}").items()
        for phrase in listed
    }
    if name != "trivial":
        fillers = (phrase for line in lists.entries(f"pregate/{name}.{language}") for phrase in line.split(", "))
        phrases = {tuple(phrase.split()): FILLER for phrase in fillers} | phrases
    return phrases


# The observer's seven filters: messages from which nothing is formed.


FILTERS = ("length", "system", "injection", "xml", "markdown", "code", "emoji")
"""Order in which the filters are applied."""
_HEAD_MAX = 20_000
"""Number of characters examined by patterns; longer texts fail by length, unless the limits are changed."""
_BOUNDARY = r"\b"
"""Beginning of most patterns, factored out so that positions inside words are skipped quickly."""
_SYSTEM_SIGNS = ("<", "[", "heartbeat", "system", "tool", "no_reply")
"""Quick test: without one of these, no pattern of the list matches."""
_BLOCK = re.compile(r"<([a-zA-Z][\w:.-]{0,60})(?:\s[^<>]{0,400})?>.*?</\1\s*>", re.DOTALL)
_LONELY_TAG = re.compile(r"<[?!]?[a-zA-Z][^<>]{0,400}>")
_MARKED_LINE = re.compile(
    r"^[ \t]*(?:[-*+•][ \t]+\S|\d{1,3}[.)][ \t]+\S|#{1,6}[ \t]+\S|.*\*\*[^*\n]+\*\*)", re.MULTILINE
)
_FENCED = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_INLINE = re.compile(r"`[^`\n]+`")
_INDENTED = re.compile(r"^(?: {4}|\t).*\S.*$", re.MULTILINE)
_EMOJI = re.compile(
    r"[\U0001f1e6-\U0001f1ff]{2}"
    r"|[\U0001f300-\U0001faff\u2600-\u27bf\u2b50\u2b55\u231a\u231b\u23e9-\u23f3](?:[\ufe0f\u20e3\U0001f3fb-\U0001f3ff]"
    r"|\u200d[\U0001f300-\U0001faff\u2600-\u27bf])*"
)


@dataclass(frozen=True, slots=True)
class FilterLimits:
    """Limits of the filters: length in characters (both exclusive), lines, shares (0 … 1), and number of emoji."""

    length_min: int = 10
    length_max: int = 5000
    markdown_lines: int = 5
    code_share: float = 0.5
    xml_share: float = 0.5
    emoji_max: int = 3


LIMITS = FilterLimits()


def filtered(text: str, limits: FilterLimits = LIMITS) -> str | None:
    """Return the first of FILTERS that a message fails, or None."""
    stripped = text.strip()
    if not limits.length_min < len(stripped) < limits.length_max:
        return "length"
    by_words = _by_words(stripped[:_HEAD_MAX])
    return by_words or _by_form(stripped[:_HEAD_MAX], limits)


def _by_words(text: str) -> str | None:
    words = plain(compose(text))
    if any(sign in words for sign in _SYSTEM_SIGNS) and _any("observer-system").search(words):
        return "system"
    is_order = any(_any(f"observer-injection.{language}").search(words) for language in ("en", "tr"))
    return "injection" if is_order else None


def _by_form(text: str, limits: FilterLimits) -> str | None:
    if "<" in text and _is_xml(text, limits.xml_share):
        return "xml"
    if "\n" in text and len(_MARKED_LINE.findall(text)) >= limits.markdown_lines:
        return "markdown"
    if _is_code(text, limits.code_share):
        return "code"
    return "emoji" if not text.isascii() and len(_EMOJI.findall(text)) > limits.emoji_max else None


def _is_xml(text: str, share: float) -> bool:
    """Whether more than a share of the text is inside elements, or it begins with tags."""
    inside = sum(len(match.group()) for match in _BLOCK.finditer(text))
    return inside > share * len(text) or (text.startswith("<") and len(_LONELY_TAG.findall(text)) > 1)


def _is_code(text: str, share: float) -> bool:
    """Whether more than a share of the text is code: fenced, in backticks, or indented by four."""
    fenced = sum(len(match.group()) for match in _FENCED.finditer(text)) if "```" in text or "~~~" in text else 0
    rest = _FENCED.sub("", text) if fenced else text
    inline = sum(len(match.group()) for match in _INLINE.finditer(rest)) if "`" in rest else 0
    indented = sum(len(match.group()) for match in _INDENTED.finditer(rest)) if "\n" in rest else 0
    return fenced + max(inline, indented) > share * len(text)


@cache
def _any(name: str) -> re.Pattern[str]:
    patterns = lists.entries(name)
    words = "|".join(pattern.removeprefix(_BOUNDARY) for pattern in patterns if pattern.startswith(_BOUNDARY))
    others = [pattern for pattern in patterns if not pattern.startswith(_BOUNDARY)]
    return re.compile("|".join([rf"\b(?:{words})", *others]), re.MULTILINE)


# Information density: entities, facts, times and corrections, English and Turkish.


_DENSITY_TEXT_MAX = 4000
_KEYWORDS_MIN = 2
"""Fewest content words of an event: one of them is the verb."""
_VALUE = re.compile(r"(?<![\w.,])[$€£₺]?\d+(?:[.,:/-]\d+)*(?![\w])%?|\b[\w.+-]+@[\w-]+\.\w+|https?://\S+")
_WEIGHTY = frozenset({Kind.INSTRUCTION, Kind.CORRECTION, Kind.PREFERENCE, Kind.DECISION})
_WEIGHT = 2
"""Number of facts in a weighty statement: what it is, and its object."""
_ANY_TIME = datetime(2100, 1, 1, tzinfo=UTC)
"""Reference time: times are only counted, so any will do."""


@dataclass(frozen=True, slots=True)
class Density:
    """Numbers of distinct entities, facts, times and corrections in a message."""

    entities: int
    facts: int
    temporal: int
    corrections: int

    @property
    def total(self) -> int:
        """Sum of the four numbers."""
        return self.entities + self.facts + self.temporal + self.corrections


def density(text: str) -> Density:
    """Compute the information density of a message."""
    text = text[:_DENSITY_TEXT_MAX]
    reading = read(text)
    fired = statements(text)
    said = len({statement.kind for statement in fired} - {"correction"}) + _events(reading)
    values, times = _values(reading)
    facts = said + int(_speaks(text, fired, said))
    return Density(
        entities=max(len(entities(text)), len(named(text))),
        facts=(facts if facts >= _WEIGHT else max(facts, _weighty(text))) + values,
        temporal=times,
        corrections=len({statement.sentence for statement in fired if statement.kind == "correction"}),
    )


def _weighty(text: str) -> int:
    """Return ``_WEIGHT`` if the category of the text changes an agent's actions or beliefs, else 0."""
    return _WEIGHT * (category(text) in _WEIGHTY)


def _speaks(text: str, fired: tuple[ClassedStatement, ...], said: int) -> bool:
    """Whether there are content words besides those of the statement in its shortest form."""
    if not fired:
        return said > 0 and len(keywords(text)) >= _KEYWORDS_MIN
    words = min((statement.words for statement in fired), key=len)
    if not words:  # a fact of life contains its object
        return True
    return any(plain(word) not in words for word in keywords(text))


def _events(reading: LabelReading) -> int:
    """Return 1 if the text reports an event, else 0."""
    return int(any(any_of(f"statement/event.{language}").search(reading.words) for language in reading.languages))


def _values(reading: LabelReading) -> tuple[int, int]:
    """Count the distinct numbers and addresses that are no times, and the distinct times."""
    rules = turkish if reading.languages[0] == "tr" else english
    found = scan(reading.words, _ANY_TIME, rules.rules()) if rules.TRIGGER.search(reading.words) else []
    values = {
        match.group()
        for match in _VALUE.finditer(reading.words)
        if not any(time.start <= match.start() < time.end for time in found)
    }
    return len(values), len({reading.words[time.start : time.end] for time in found})
