"""Spans of the calendar: from a day, week, month, season or year to a half-open pair of moments in UTC.

Weeks begin on Monday. Whatever lies outside the years 1 to 9999 raises ValueError or OverflowError; the reader of the
text takes that for "no such time".
"""

from __future__ import annotations

from calendar import monthrange
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

EARLIEST = datetime.min.replace(tzinfo=UTC)
LATEST = datetime.max.replace(tzinfo=UTC)
SPRING_MONTH = 3
"""Seasons are the meteorological ones of the northern half: spring begins in March, winter in December."""


class CalendarSpan(NamedTuple):
    """``start`` ≤ t < ``end``."""

    start: datetime
    end: datetime


def midnight(day: date) -> datetime:
    """The first moment of a day."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def days(first: date, count: int = 1) -> CalendarSpan:
    """So many whole days."""
    return CalendarSpan(midnight(first), midnight(first + timedelta(days=count)))


def week(day: date) -> CalendarSpan:
    """The week that holds a day, Monday to Sunday."""
    return days(day - timedelta(days=day.weekday()), 7)


def weekend(day: date) -> CalendarSpan:
    """Saturday and Sunday of the week that holds a day."""
    return days(day - timedelta(days=day.weekday()) + timedelta(days=5), 2)


def months(year: int, month: int, count: int = 1) -> CalendarSpan:
    """So many whole months; ``month`` may lie outside 1 to 12 and is carried into the year."""
    return CalendarSpan(midnight(_first_of(year, month)), midnight(_first_of(year, month + count)))


def _first_of(year: int, month: int) -> date:
    return date(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)


def years(year: int, count: int = 1) -> CalendarSpan:
    """So many whole years."""
    return CalendarSpan(midnight(date(year, 1, 1)), midnight(date(year + count, 1, 1)))


def season(year: int, number: int) -> CalendarSpan:
    """A season of the year it begins in; ``number`` 0 is spring, 3 winter."""
    return months(year, SPRING_MONTH + 3 * number, 3)


def third(whole: CalendarSpan, number: int) -> CalendarSpan:
    """The beginning (0), middle (1) or end (2) of a month (ten days) or a year (four months)."""
    year, month = whole.start.year, whole.start.month
    if (whole.end - whole.start).days > 31:
        return months(year, 1 + 4 * number, 4)
    bounds = [date(year, month, 1), date(year, month, 11), date(year, month, 21), whole.end.date()]
    return CalendarSpan(midnight(bounds[number]), midnight(bounds[number + 1]))


def unit(name: str, day: date, shift: int = 0) -> CalendarSpan:
    """The calendar unit (day, week, weekend, month, quarter, year) that holds a day, moved by so many units."""
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
    """The last so many units up to and with a day."""
    return CalendarSpan(midnight(_back(name, day, count)), midnight(day + timedelta(days=1)))


_MONTHS = {"quarter": 3, "year": 12}
"""How many months a unit has; one where it is not here."""


def _back(name: str, day: date, count: int) -> date:
    if name in ("day", "week"):
        return day - timedelta(days=count * (7 if name == "week" else 1))
    first = _first_of(day.year, day.month - count * _MONTHS.get(name, 1))
    return first.replace(day=min(day.day, monthrange(first.year, first.month)[1]))


def ago(name: str, now: datetime, count: int) -> CalendarSpan:
    """So many units ago: the calendar unit of that moment; hours and minutes loosely, by a quarter or at least one."""
    if name in ("hour", "minute"):
        step = timedelta(hours=1) if name == "hour" else timedelta(minutes=1)
        slack = max(step, count * step / 4)
        return CalendarSpan(now - count * step - slack, now - count * step + slack)
    return unit(name, now.date(), -count)


def half_ago(name: str, now: datetime, count: int) -> CalendarSpan:
    """So many and a half units ago, as loosely as that is said: a half year by a month, a half month by a week."""
    today = now.date()
    if name == "hour":
        return ago("minute", now, 60 * count + 30)
    if name == "year":
        return months(today.year, today.month - 12 * count - 7, 3)
    days_back, slack = {"day": (count + 1, 0), "week": (7 * count + 4, 2), "month": (30 * count + 15, 7)}[name]
    return days(today - timedelta(days=days_back + slack), 2 * (slack or 1))


def latest_date(month: int, day: int, today: date) -> date:
    """The last such day of the year that is not after today; 29 February may lie some years back."""
    for year in range(today.year, today.year - 9, -1):
        if day <= monthrange(year, month)[1] and date(year, month, day) <= today:
            return date(year, month, day)
    raise ValueError(f"no day {day} in month {month}")


def latest_day(day: int, today: date) -> date:
    """Return the latest date, today or before, with this day of the month: early in July, "the 31st" is 31 May."""
    for back in range(3):
        first = _first_of(today.year, today.month - back)
        if day <= monthrange(first.year, first.month)[1] and first.replace(day=day) <= today:
            return first.replace(day=day)
    raise ValueError(f"no day {day} in any month")


def next_day(day: date) -> date:
    """The same day of the next month that has it."""
    first = _first_of(day.year, day.month + 1)
    if day.day > monthrange(first.year, first.month)[1]:
        first = _first_of(first.year, first.month + 1)
    return first.replace(day=day.day)


def latest_year_of(month: int, today: date) -> int:
    """The year of the last such month that has begun by today."""
    return today.year if month <= today.month else today.year - 1


def weekday(number: int, today: date, which: str) -> date:
    """The day of the week: ``last`` before today, ``latest`` today or before, ``this`` week's, ``next`` after today."""
    behind = (today.weekday() - number) % 7
    if which == "next":
        return today + timedelta(days=7 - behind)
    if which == "this":
        return today - timedelta(days=today.weekday() - number)
    return today - timedelta(days=behind or (7 if which == "last" else 0))


def which_month(month: int, today: date, which: int) -> CalendarSpan:
    """The last month of that name that is over (-1), this year's (0), or the next to begin (1)."""
    if which == 0:
        return months(today.year, month)
    if which > 0:
        return months(today.year + (month <= today.month), month)
    return months(today.year - (month >= today.month), month)


def which_season(number: int, now: datetime, which: str) -> CalendarSpan:
    """A season by name: the ``last`` that is over, the ``latest`` that has begun, the ``next`` to begin, or ``this``
    one, which is the present one or else the one that begins in this calendar year.
    """
    around = [season(year, number) for year in range(now.year - 2, now.year + 2)]
    if which == "next":
        return next(span for span in around if span.start > now)
    if which == "this":
        return next((span for span in around if span.start <= now < span.end), season(now.year, number))
    begun = [span for span in around if (span.end if which == "last" else span.start) <= now]
    return begun[-1]


def bounded(word: str, span: CalendarSpan, now: datetime) -> CalendarSpan:
    """Open on one side: since, until (with the time named), before (without it), after."""
    tomorrow = midnight(now.date() + timedelta(days=1))
    if word == "since":
        return CalendarSpan(span.start, max(tomorrow, span.end))
    if word == "after":
        return CalendarSpan(span.end, tomorrow if span.end < tomorrow else LATEST)
    return CalendarSpan(EARLIEST, span.start if word in ("before", "prior to") else span.end)


def joined(first: CalendarSpan, last: CalendarSpan, first_period: str, last_period: str) -> CalendarSpan | None:
    """From one time to another; one that comes again ("week", "month" or "year"ly) moves next to the other."""
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
    """The same a week, a month or a year on; None for a 29 February that does not come."""
    try:
        if period == "month":
            return days(next_day(span.start.date()))
        if period == "week":
            return CalendarSpan(span.start + timedelta(days=7), span.end + timedelta(days=7))
        return _moved_by(span, "year", 1)
    except (ValueError, OverflowError):  # 29 February, or the last year of the calendar
        return None


def before(span: CalendarSpan, period: str) -> CalendarSpan | None:
    """The same a month or a year back; None for a 29 February that was not, and before the calendar."""
    try:
        return _moved_by(span, period, -1)
    except (ValueError, OverflowError):
        return None


def neighbour(name: str, span: CalendarSpan, *, after: bool) -> CalendarSpan:
    """The day, week, month or year right before or after a span: a week as seven days, not the calendar's."""
    length = {"day": 1, "week": 7, "weekend": 7, "month": 30, "year": 365}[name]
    step = timedelta(days=length)
    whole = CalendarSpan(span.end, span.end + step) if after else CalendarSpan(span.start - step, span.start)
    return weekend(whole.start.date() + timedelta(days=(5 - whole.start.weekday()) % 7)) if name == "weekend" else whole


def is_calendar_unit(span: CalendarSpan) -> bool:
    """Whether a span is one calendar week, weekend, month or year."""
    first = span.start.date()
    try:
        return span in (week(first), weekend(first), months(first.year, first.month), years(first.year))
    except (ValueError, OverflowError):  # at the end of the calendar
        return False


def only_one(one: CalendarSpan, period: str, whole: CalendarSpan) -> CalendarSpan | None:
    """Return the occurrence inside ``whole`` of a time that recurs every week, month or year; ``one`` is any
    occurrence.

    None where none lies in it, or several do.
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
