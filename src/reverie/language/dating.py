"""Relative times made absolute: "yesterday" becomes "yesterday (2026-03-04)", measured from when it was said.

In: a text and its time. Out: the text with dates written into it, and the span it speaks of. What is uncertain stays as
it is: a bare "on Friday" without a tense, habits, whatever stands in quotation marks or code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from typing import NamedTuple

from reverie.errors import InvalidInput
from reverie.language import lists, time_english, time_turkish
from reverie.language import time_spans as spans
from reverie.language.letters import compose, plain
from reverie.language.patterns import any_of
from reverie.language.sentences import masked, sentences
from reverie.language.tenses import is_future, is_past
from reverie.language.time_readings import readings
from reverie.language.time_rules import YEAR, Found, Rule, rule, scan
from reverie.language.time_rules import any_of as one_of
from reverie.language.time_spans import Span

TEXT_MAX = 4000
"""Characters that are looked at: behind them nothing is dated."""

_YEAR = re.compile(YEAR)
_DATED = re.compile(r"\s*\(\d{4}")
_LEAD_MAX = 30
_MODULES = {"en": time_english, "tr": time_turkish}


@dataclass(frozen=True, slots=True)
class Dated:
    """A text with its relative times resolved; ``start`` ≤ t < ``end`` is the first span it names, None if it has none."""

    text: str
    start: datetime | None
    end: datetime | None


class Moment(NamedTuple):
    """A time a sentence names: at ``begin`` … ``finish`` of it, the ``span``, and whether its date must be written out."""

    begin: int
    finish: int
    span: Span
    relative: bool


def dated(text: str, at: datetime) -> Dated:
    """The text with each relative time followed by its date in ISO 8601: a day, a month, a year, or first/last day.

    ``at`` is aware and says when the text was said; days are those of UTC.

    Raises:
        InvalidInput: ``at`` has no time zone.
    """
    text = compose(text)
    pieces: list[str] = []
    done = 0
    first: Span | None = None
    for sentence in sentences(text[:TEXT_MAX]):
        begin = text.index(sentence, done)
        for moment in moments(sentence, at):
            first = first or moment.span
            if moment.relative and not _DATED.match(sentence, moment.finish):
                pieces += [text[done : begin + moment.finish], f" ({iso(moment.span)})"]
                done = begin + moment.finish
        pieces.append(text[done : begin + len(sentence)])
        done = begin + len(sentence)
    pieces.append(text[done:])
    return Dated("".join(pieces), first.start if first else None, first.end if first else None)


def moments(sentence: str, at: datetime) -> tuple[Moment, ...]:
    """The times a sentence names, in order, each certain in the light of the sentence's tense.

    Raises:
        InvalidInput: ``at`` has no time zone.
    """
    if at.tzinfo is None:
        raise InvalidInput("The time has no time zone.", "Hand in an aware datetime, for example datetime.now(UTC).")
    return _moments(sentence, at.astimezone(UTC))


@lru_cache(maxsize=64)  # foresight asks about the same sentences
def _moments(sentence: str, at: datetime) -> tuple[Moment, ...]:
    words = plain(masked(sentence))
    from reverie.language.patterns import read

    for language in read(sentence).languages:
        if _MODULES[language].TRIGGER.search(words):
            found = scan(words, at, _rules(language))
            kept = [moment for one in found if (moment := _certain(sentence, words, one, at, language))]
            if kept:
                return tuple(kept)
    return ()
