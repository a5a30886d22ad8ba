"""Calendar spans: from a day, week, month, season or year to a half-open pair of times in UTC.

Weeks begin on Monday. Times outside the years 1 to 9999 raise ValueError or OverflowError, which callers treat as
no such time.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

EARLIEST = datetime.min.replace(tzinfo=UTC)
LATEST = datetime.max.replace(tzinfo=UTC)
SPRING_MONTH = 3
"""First month of spring: seasons are the meteorological ones of the northern hemisphere, winter from December."""


class CalendarSpan(NamedTuple):
    """A span of time, ``start`` ≤ t < ``end``."""

    start: datetime
    end: datetime


def midnight(day: date) -> datetime:
    """Return the first moment of a day."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def days(first: date, count: int = 1) -> CalendarSpan:
    """Return ``count`` whole days."""
    return CalendarSpan(midnight(first), midnight(first + timedelta(days=count)))


def week(day: date) -> CalendarSpan:
    """Return the week of a day, Monday to Sunday."""
    return days(day - timedelta(days=day.weekday()), 7)


def weekend(day: date) -> CalendarSpan:
    """Return Saturday and Sunday of the week of a day."""
    return days(day - timedelta(days=day.weekday()) + timedelta(days=5), 2)


def months(year: int, month: int, count: int = 1) -> CalendarSpan:
    """Return ``count`` whole months; ``month`` outside 1 to 12 changes the year."""
    return CalendarSpan(midnight(_first_of(year, month)), midnight(_first_of(year, month + count)))


def _first_of(year: int, month: int) -> date:
    return date(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)


def years(year: int, count: int = 1) -> CalendarSpan:
    """Return ``count`` whole years."""
    return CalendarSpan(midnight(date(year, 1, 1)), midnight(date(year + count, 1, 1)))


def season(year: int, number: int) -> CalendarSpan:
    """Return a season of the year in which it begins; ``number`` 0 is spring, 3 winter."""
    return months(year, SPRING_MONTH + 3 * number, 3)


def third(whole: CalendarSpan, number: int) -> CalendarSpan:
    """Return the beginning (0), middle (1) or end (2) of a month (ten days) or a year (four months)."""
    year, month = whole.start.year, whole.start.month
    if (whole.end - whole.start).days > 31:
        return months(year, 1 + 4 * number, 4)
    bounds = [date(year, month, 1), date(year, month, 11), date(year, month, 21), whole.end.date()]
    return CalendarSpan(midnight(bounds[number]), midnight(bounds[number + 1]))


def unit(name: str, day: date, shift: int = 0) -> CalendarSpan:
    """Return the calendar unit (day, week, weekend, month, quarter, year) of a day, shifted by units."""
    if name == "day":
        return days(day + timedelta(days=shift))
    if name == "week":
        return week(day + timedelta(days=7 * shift))
    if name == "weekend":
        return weekend(day + timedelta(days=7 * shift))
    if name == "month":
        return months(day.year, day.month + shift)
    if name == "quarter":
        return months(day.year, (day.month - 1) // 3 * 3 + 1 + 3 * shift, 3)
    return years(day.year + shift)


def rolling(name: str, day: date, count: int) -> CalendarSpan:
    """Return the last ``count`` units up to and including a day."""
    return CalendarSpan(midnight(_back(name, day, count)), midnight(day + timedelta(days=1)))


_MONTHS = {"quarter": 3, "year": 12}
"""Number of months in a unit; 1 for all others."""


def _back(name: str, day: date, count: int) -> date:
    if name in ("day", "week"):
        return day - timedelta(days=count * (7 if name == "week" else 1))
    first = _first_of(day.year, day.month - count * _MONTHS.get(name, 1))
    return first.replace(day=min(day.day, monthrange(first.year, first.month)[1]))


def ago(name: str, now: datetime, count: int) -> CalendarSpan:
    """Return the calendar unit ``count`` units ago; for hours and minutes a range of ± a quarter, at least one."""
    if name in ("hour", "minute"):
        step = timedelta(hours=1) if name == "hour" else timedelta(minutes=1)
        slack = max(step, count * step / 4)
        return CalendarSpan(now - count * step - slack, now - count * step + slack)
    return unit(name, now.date(), -count)


def half_ago(name: str, now: datetime, count: int) -> CalendarSpan:
    """Return the span "so many and a half" units ago, with a tolerance: a month for years, a week for months."""
    today = now.date()
    if name == "hour":
        return ago("minute", now, 60 * count + 30)
    if name == "year":
        return months(today.year, today.month - 12 * count - 7, 3)
    days_back, slack = {"day": (count + 1, 0), "week": (7 * count + 4, 2), "month": (30 * count + 15, 7)}[name]
    return days(today - timedelta(days=days_back + slack), 2 * (slack or 1))


def latest_date(month: int, day: int, today: date) -> date:
    """Return the last such date not after today; for 29 February maybe some years back."""
    for year in range(today.year, today.year - 9, -1):
        if day <= monthrange(year, month)[1] and date(year, month, day) <= today:
            return date(year, month, day)
    raise ValueError(f"no day {day} in month {month}")


def latest_day(day: int, today: date) -> date:
    """Return the last such day of any month not after today: at the beginning of July, the 31st is that of May."""
    for back in range(3):
        first = _first_of(today.year, today.month - back)
        if day <= monthrange(first.year, first.month)[1] and first.replace(day=day) <= today:
            return first.replace(day=day)
    raise ValueError(f"no day {day} in any month")


def next_day(day: date) -> date:
    """Return the same day in the next month that has it."""
    first = _first_of(day.year, day.month + 1)
    if day.day > monthrange(first.year, first.month)[1]:
        first = _first_of(first.year, first.month + 1)
    return first.replace(day=day.day)


def latest_year_of(month: int, today: date) -> int:
    """Return the year of the last such month that has begun by today."""
    return today.year if month <= today.month else today.year - 1


def weekday(number: int, today: date, which: str) -> date:
    """Return a weekday: ``last`` before today, ``latest`` until today, ``this`` week's, ``next`` after today."""
    behind = (today.weekday() - number) % 7
    if which == "next":
        return today + timedelta(days=7 - behind)
    if which == "this":
        return today - timedelta(days=today.weekday() - number)
    return today - timedelta(days=behind or (7 if which == "last" else 0))


def which_month(month: int, today: date, which: int) -> CalendarSpan:
    """Return the last month of that name that is over (-1), this year's (0), or the next to begin (1)."""
    if which == 0:
        return months(today.year, month)
    if which > 0:
        return months(today.year + (month <= today.month), month)
    return months(today.year - (month >= today.month), month)


def which_season(number: int, now: datetime, which: str) -> CalendarSpan:
    """Return a season by name: the ``last`` that is over, the ``latest`` that has begun, the ``next`` to begin, or
    ``this`` one: the present one, else the one that begins in this calendar year.
    """
    around = [season(year, number) for year in range(now.year - 2, now.year + 2)]
    if which == "next":
        return next(span for span in around if span.start > now)
    if which == "this":
        return next((span for span in around if span.start <= now < span.end), season(now.year, number))
    begun = [span for span in around if (span.end if which == "last" else span.start) <= now]
    return begun[-1]


def bounded(word: str, span: CalendarSpan, now: datetime) -> CalendarSpan:
    """Return an open span: since, until (including the time), before (excluding it), or after."""
    tomorrow = midnight(now.date() + timedelta(days=1))
    if word == "since":
        return CalendarSpan(span.start, max(tomorrow, span.end))
    if word == "after":
        return CalendarSpan(span.end, tomorrow if span.end < tomorrow else LATEST)
    return CalendarSpan(EARLIEST, span.start if word in ("before", "prior to") else span.end)


def joined(first: CalendarSpan, last: CalendarSpan, first_period: str, last_period: str) -> CalendarSpan | None:
    """Return the span from one time to another; a recurring one (by week, month or year) is moved next to the other."""
    if first_period and first.start >= last.start:
        first = _moved(first, first_period, last.start, -1)
    elif first_period == "year" and not last_period:
        while (later := _moved_by(first, first_period, 1)).start < last.start:
            first = later
    elif last_period and not first_period:
        while last.start.year > first.start.year and _moved_by(last, last_period, -1).start > first.start:
            last = _moved_by(last, last_period, -1)
        if last.end <= first.start:
            last = _moved_by(last, last_period, 1)
    return CalendarSpan(first.start, last.end) if first.start < last.end else None


def _moved(span: CalendarSpan, period: str, before: datetime, step: int) -> CalendarSpan:
    while span.start > before:
        span = _moved_by(span, period, step)
    return span


def _moved_by(span: CalendarSpan, period: str, step: int) -> CalendarSpan:
    if period == "week":
        return CalendarSpan(span.start + step * timedelta(days=7), span.end + step * timedelta(days=7))
    if period == "month":
        day = span.start.date()
        return days(next_day(day) if step > 0 else latest_day(day.day, day - timedelta(days=1)))
    return CalendarSpan(span.start.replace(year=span.start.year + step), span.end.replace(year=span.end.year + step))


def coming(span: CalendarSpan, period: str) -> CalendarSpan | None:
    """Return the span a week, month or year later; None for a missing 29 February."""
    try:
        if period == "month":
            return days(next_day(span.start.date()))
        if period == "week":
            return CalendarSpan(span.start + timedelta(days=7), span.end + timedelta(days=7))
        return _moved_by(span, "year", 1)
    except (ValueError, OverflowError):  # 29 February, or the last year of the calendar
        return None


def before(span: CalendarSpan, period: str) -> CalendarSpan | None:
    """Return the span a month or year earlier; None for a missing 29 February, and before the calendar."""
    try:
        return _moved_by(span, period, -1)
    except (ValueError, OverflowError):
        return None


def neighbour(name: str, span: CalendarSpan, *, after: bool) -> CalendarSpan:
    """Return the day, week, month or year right before or after a span; a week has seven days from there."""
    length = {"day": 1, "week": 7, "weekend": 7, "month": 30, "year": 365}[name]
    step = timedelta(days=length)
    whole = CalendarSpan(span.end, span.end + step) if after else CalendarSpan(span.start - step, span.start)
    return weekend(whole.start.date() + timedelta(days=(5 - whole.start.weekday()) % 7)) if name == "weekend" else whole


def is_calendar_unit(span: CalendarSpan) -> bool:
    """Whether a span is a week, weekend, month or year of the calendar."""
    first = span.start.date()
    try:
        return span in (week(first), weekend(first), months(first.year, first.month), years(first.year))
    except (ValueError, OverflowError):  # at the end of the calendar
        return False


def only_one(one: CalendarSpan, period: str, whole: CalendarSpan) -> CalendarSpan | None:
    """Return the only occurrence of a recurring span (by week, month or year) in ``whole``; ``one`` is any of them.

    None if there is none or more than one.
    """
    known = one.start

    def is_alike(day: datetime) -> bool:
        if period == "week":
            return day.weekday() == known.weekday()
        return day.day == known.day and (period == "month" or day.month == known.month)

    each = (whole.start + timedelta(days=count) for count in range((whole.end - whole.start).days))
    starts = list(filter(is_alike, each))
    if len(starts) != 1:
        return None
    is_month = known.day == one.end.day == 1 and one.end - known <= timedelta(days=31)
    found = (
        months(starts[0].year, starts[0].month)
        if is_month
        else CalendarSpan(starts[0], starts[0] + (one.end - one.start))
    )
    return found if found.end <= whole.end else None
