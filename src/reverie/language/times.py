"""Times in a text: from "last week" or "7 Mayıs'ta" to a half-open window in UTC, and from a time to index terms.

Own rules, English and Turkish: docs/decisions/0006-time-expressions.md.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime

from reverie.errors import InvalidInput
from reverie.language import lists, time_english, time_turkish
from reverie.language.detect import turkish_evidence
from reverie.language.letters import lower
from reverie.language.stem import stem
from reverie.language.time_rules import YEAR, Found, scan
from reverie.types import TimeWindow

_TEXT_MAX = 2000
"""Characters that are looked at: who asks about a time does not need more words to say so."""
_CERTAIN = 2
_YEAR = re.compile(YEAR)
_PLAIN = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZÇĞİIÖŞÜÂÎÛçğıöşüâîûʼ‘`",
    "abcdefghijklmnopqrstuvwxyzcgiiosuaiucgiosuaiu’’’",
)
"""Lower case without diacritics, one character for one: places in the plain text are places in the text."""


def time_window(text: str, now: datetime) -> TimeWindow | None:
    """The window of time a text speaks of, None if it names none; of several times the first.

    ``now`` is aware; days, weeks (from Monday), months and years are those of UTC. A month or day without its year is
    the latest one not after now.

    Raises:
        InvalidInput: ``now`` has no time zone.
    """
    if now.tzinfo is None:
        raise InvalidInput("The time has no time zone.", "Hand in an aware datetime, for example datetime.now(UTC).")
    evidence = turkish_evidence(text)
    text = text[:_TEXT_MAX]
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    plain = text.translate(_PLAIN)
    moment = now.astimezone(UTC)
    for language in (time_turkish, time_english) if evidence > 0 else (time_english, time_turkish):
        if language.TRIGGER.search(plain) and (found := scan(plain, moment, language.rules())):
            whole = _whole(plain, found, language.glue, moment)
            return TimeWindow(whole.span.start, whole.span.end, text[whole.start : whole.end].strip())
        if abs(evidence) >= _CERTAIN:
            break
    return None


def _whole(plain: str, found: list[Found], glue: Callable[[str, list[Found], datetime], Found], now: datetime) -> Found:
    """The first expression with its range; but one that names its year goes before those that count from now."""
    first = glue(plain, found, now)
    if not _YEAR.search(plain, first.start, first.end):
        for place, other in enumerate(found):
            if _YEAR.search(plain, other.start, other.end):
                return glue(plain, found[place:], now)
    return first


def date_terms(at: datetime, language: str) -> list[str]:
    """Day, name of the month and year as index terms, so that "7 May 2023" in a question finds what was said then."""
    name = lists.entries(f"months.{'tr' if language == 'tr' else 'en'}")[at.month - 1].split()[0]
    return [str(at.day), stem(lower(name, language), language), str(at.year)]
