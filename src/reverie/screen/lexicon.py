"""The signs by which a text gives orders to a model: lists of words, and rules over them, from ``data/orders.*.txt``.

In: words in lower case without diacritics. Out: the lists a word begins an entry of. The files describe their form.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TypeVar

from reverie.language.expressions import expression
from reverie.language.letters import plain
from reverie.screen import lists

T = TypeVar("T")
LEADS = ("en@lead", "tr@lead")
"""What may stand before a verb that orders."""
TELLER = "en@teller"
"""Who tells of themselves or of others: after "I have to" stands no order."""
WORD = expression(r"[^\W_]+|[:@]")
_APART = str.maketrans(
    {sign: sign if sign.isalnum() else f" {sign} " if sign in ":@" else " " for sign in map(chr, range(128))}
)
_PART = expression(r"@[\w-]+|!|\d+|[^\s@!]+")
_BARRED = expression(r"(?<!\S)([-~])(\d*)(@[\w-]+)")
_STEM = 3
"""By so many letters the stems are found."""
_ENDING_MAX = 12


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a list: its words after the first; a word that ends in ``*`` may have any ending."""

    name: str
    first: str
    rest: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a rule: a list, and how many words may stand before it; ``leads``: it must stand where orders do."""

    name: str
    gap: int
    leads: bool


@dataclass(frozen=True, slots=True)
class Rule:
    """Parts that follow one another, what they say of the text, and how much that weighs: 1 suffices.

    ``names`` are the lists of the parts. Of ``before`` nothing may stand right before them, of ``after`` within ``gap``
    words after them in their sentence, of ``within`` between the first and the last.
    """

    points: float
    reason: str
    parts: tuple[Part, ...]
    names: frozenset[str]
    before: str = ""
    after: str = ""
    gap: int = 0
    within: str = ""


@dataclass(frozen=True, slots=True)
class Begun:
    """What a word begins: lists that hold it alone, longer entries by their second word; ``loose``: the others."""

    alone: tuple[str, ...]
    longer: dict[str, tuple[Entry, ...]]
    loose: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All rules by the list they begin with, and all entries by their first word or the beginning of it."""

    rules: dict[str, tuple[Rule, ...]]
    words: dict[str, tuple[Entry, ...]]
    stems: dict[str, tuple[Entry, ...]]


@cache
def lexicon() -> Lexicon:
    """The rules of both languages."""
    rules: list[Rule] = []
    entries: dict[Entry, None] = {}
    for language in ("en", "tr"):
        for line in lists.entries(f"orders.{language}"):
            if line.startswith("@"):
                name, _, listed = line.partition(" = ")
                entries |= dict.fromkeys(_entry(f"{language}{plain(name)}", told) for told in listed.split(" | "))
            else:
                rule = _rule(language, line)
                rules.append(rule)
                bare = (part.name.partition("=")[2] for part in rule.parts if "=" in part.name)
                entries |= dict.fromkeys(_entry(f"{language}={told}", told) for told in bare)
    words: dict[str, list[Entry]] = {}
    stems: dict[str, list[Entry]] = {}
    for entry in entries:
        kept = (
            stems.setdefault(entry.first[:_STEM], [])
            if entry.first.endswith("*")
            else words.setdefault(entry.first, [])
        )
        kept.append(entry)
    return Lexicon(_by_beginning(rules), _fixed(words), _fixed(stems))


def words_of(low: str) -> list[str]:
    """The words of a text in lower case without diacritics, and its colons and at signs, in order."""
    return low.translate(_APART).split() if low.isascii() else WORD.findall(low)  # most texts; in a third of the time


def _by_beginning(rules: list[Rule]) -> dict[str, tuple[Rule, ...]]:
    found: dict[str, list[Rule]] = {}
    for rule in rules:
        found.setdefault(rule.parts[0].name, []).append(rule)
    return _fixed(found)


def _fixed(found: dict[str, list[T]]) -> dict[str, tuple[T, ...]]:
    return {key: tuple(values) for key, values in found.items()}


def _entry(name: str, told: str) -> Entry:
    first, *rest = re.findall(r"[^\W_]+\*?|[:@]", plain(told))
    return Entry(name, first, tuple(rest))


def _rule(language: str, line: str) -> Rule:
    """``1.0 reason: ! @list 3 @list word``; ``-@list`` before or after the parts, ``-8@list``, ``~@list``."""
    points, _, told = line.partition(" ")
    reason, _, form = told.partition(": ")
    before = after = within = ""
    space = 0
    for match in _BARRED.finditer(plain(form)):
        if match[1] == "~":
            within = language + match[3]
        elif match.start() == 0:
            before = language + match[3]
        else:
            after, space = language + match[3], int(match[2] or 0)
    parts = _parts(language, _BARRED.sub("", plain(form)))
    return Rule(float(points), reason, parts, frozenset(part.name for part in parts), before, after, space, within)


def _parts(language: str, form: str) -> tuple[Part, ...]:
    parts: list[Part] = []
    gap, leads = 0, False
    for piece in _PART.findall(form):
        if piece == "!":
            leads = True
        elif piece.isdecimal():
            gap = int(piece)
        else:
            parts.append(Part(language + (piece if piece.startswith("@") else f"={piece}"), gap, leads))
            gap, leads = 0, False
    return tuple(parts)


@lru_cache(maxsize=1 << 14)  # the same words come again and again
def begun(word: str) -> Begun | None:
    """The entries that begin with this word; None: no entry does."""
    known = lexicon()
    whole, alike = known.words.get(word, ()), known.stems.get(word[:_STEM])
    if not whole and alike is None:
        return None
    entries = [*whole, *(entry for entry in alike or () if fits(word, entry.first))]
    if not entries:
        return None
    longer: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.rest and not entry.rest[0].endswith("*"):
            longer.setdefault(entry.rest[0], []).append(entry)
    loose = tuple(entry for entry in entries if entry.rest and entry.rest[0].endswith("*"))
    return Begun(tuple(entry.name for entry in entries if not entry.rest), _fixed(longer), loose)


def fits(word: str, form: str) -> bool:
    """Whether a word is the one an entry shows, ending aside where it ends in ``*``."""
    if not form.endswith("*"):
        return word == form
    return word.startswith(form[:-1]) and len(word) - len(form) < _ENDING_MAX
