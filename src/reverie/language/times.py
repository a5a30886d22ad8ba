"""Times in a text: from "last week" or "7 Mayıs'ta" to a half-open window in UTC, and from a time to index terms.

Own rules, English and Turkish: docs/decisions/0006-time-expressions.md.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeAlias

from reverie.errors import InvalidInput
from reverie.language import lists, time_asked, time_english, time_turkish
from reverie.language.dating import is_anchored
from reverie.language.detect import turkish_evidence
from reverie.language.expressions import expression
from reverie.language.letters import compose, plain
from reverie.language.patterns import any_of
from reverie.language.stem import stem
from reverie.language.time_readings import readings
from reverie.language.time_rules import YEAR, Found, Rule, scan
from reverie.language.time_spans import coming
from reverie.types import TimeWindow

_TEXT_MAX = 2000
"""Characters that are looked at: who asks about a time does not need more words to say so."""
_CERTAIN = 2
_YEAR = expression(YEAR)
_Glue: TypeAlias = Callable[[str, list[Found], datetime], Found]


def without_bound(text: str, now: datetime) -> tuple[str, TimeWindow | None]:
    """A text and the window of time it speaks of, None if it names none; of several times the first.

    ``now`` is aware; days, weeks (from Monday), months and years are those of UTC. A month or day without its year is
    the latest one not after now, but the next one where the text asks about what is to come.

    The text comes without the words that name a bound of the window: who asks what was before 2026 looks for nothing
    that tells of 2026.

    Raises:
        InvalidInput: ``now`` has no time zone.
    """
    read = compose(text[:_TEXT_MAX])
    window, found = _read(read, now)
    if found is None or not found.bounds:
        return text, window
    return f"{read[: found.start]} {read[found.end :]}{text[_TEXT_MAX:]}", window


def _read(text: str, now: datetime) -> tuple[TimeWindow | None, Found | None]:
    """The window, and the place of the words it is read from."""
    if now.tzinfo is None:
        raise InvalidInput("The time has no time zone.", "Hand in an aware datetime, for example datetime.now(UTC).")
    evidence = turkish_evidence(text)
    words = plain(text)
    moment = now.astimezone(UTC)
    for language in (time_turkish, time_english) if evidence > 0 else (time_english, time_turkish):
        name = "tr" if language is time_turkish else "en"
        if language.TRIGGER.search(words) and (found := scan(words, moment, _rules(words, name))):
            whole = _whole(words, _ahead(words, found, moment, name), language.glue, moment)
            return _window(text, whole), whole
        if abs(evidence) >= _CERTAIN:
            break
    return None, None


def _rules(words: str, language: str) -> tuple[Rule, ...]:
    """What a question is read by: the rules of questions alone, then those of every text."""
    rules: tuple[Rule, ...] = time_turkish.rules() if language == "tr" else time_english.rules()
    if not time_asked.TRIGGERS[language].search(words):
        return rules
    return (*time_asked.rules(language, ahead=_looks_ahead(words, language)), *rules)


def _looks_ahead(words: str, language: str) -> bool:
    """Whether a question is about what is to come."""
    is_past = any_of(f"tense/past.{language}").search(words) is not None
    return not is_past and any_of(f"question/asks-ahead.{language}").search(words) is not None


def _ahead(words: str, found: list[Found], now: datetime, language: str) -> list[Found]:
    """What was found; in a question about what is to come the next Friday and not the last."""
    if not _looks_ahead(words, language):
        return found

    def moved(one: Found) -> Found:
        said = words[one.start : one.end]
        period = "" if is_anchored(said, language) else readings(language).period(said, _YEAR)
        span = coming(one.span, period) if period and one.span.end <= now else None
        return one._replace(span=span) if span else one

    return [moved(one) for one in found]


def _window(text: str, found: Found | None) -> TimeWindow | None:
    return TimeWindow(found.span.start, found.span.end, text[found.start : found.end].strip()) if found else None


def _whole(words: str, found: list[Found], glue: _Glue, now: datetime) -> Found | None:
    """The first expression with its range; but one that names its year goes before those that count from now."""
    try:
        return _preferred(words, found, glue, now)
    except (ValueError, OverflowError):  # the range leaves the calendar
        return None


def _preferred(words: str, found: list[Found], glue: _Glue, now: datetime) -> Found:
    first = glue(words, found, now)
    if not _YEAR.search(words, first.start, first.end):
        for place, other in enumerate(found):
            if _YEAR.search(words, other.start, other.end):
                return glue(words, found[place:], now)
    return first


def date_terms(at: datetime, language: str) -> list[str]:
    """Day, name of the month and year as index terms, so that "7 May 2023" in a question finds what was said then."""
    name = lists.table(f"time-words.{'tr' if language == 'tr' else 'en'}")[f"month {at.month}"][0]
    return [str(at.day), stem(name, language), str(at.year)]
