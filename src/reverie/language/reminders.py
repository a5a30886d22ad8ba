"""Read a request to be reminded: what of, and when. English and Turkish.

In: the words of a person, and when they were said. Out: the action, and the parts of the trigger: a moment, a
recurrence, or the words of an event or topic. Learned weights tell a request; its trigger is read from its clauses: a
time, a repetition, a condition. Where a verb names the request ("remind me", "hatırlat"), what is left of its sentence
is the action, else the message as it was said.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo

from reverie.language.text import lists
from reverie.language.text.analyzer import reading
from reverie.language.text.heads import ASKS_REMINDER, likely
from reverie.language.text.letters import compose, detect_language, plain
from reverie.language.text.patterns import masked, sentences
from reverie.language.time.dates import moments

TEXT_MAX = 2000
"""Number of characters that are read; a longer message is no request to be reminded."""
MORNING = time(9)
"""The time of day of a reminder for a day."""

_ASKING = {
    "en": re.compile(
        r"(?:^\s*|[\0.!?,;:–—-]\s*|\b(?:please|kindly|just|and|then|also|so|hey|hi|ok|okay|should|to)\s+|"
        r"\b(?:can|could|would|will)\s+(?:you\s+)?(?:please\s+)?|\b(?:you|need)\s+to\s+)"
        r"(?P<ask>remind\s+(?:me|us)(?:\s+(?:again|please))?\b"
        r"|(?:set|add|make|create|put)\s+(?:me\s+|up\s+|in\s+)?(?:a|another)\s+reminder(?:\s+for\s+(?:me|us))?\b"
        r"|(?:don'?t|do\s+not|never)\s+let\s+(?:me|us)\s+forget\b)"
    ),
    "tr": re.compile(
        r"(?P<ask>(?:\b(?:bana|bize|lutfen)\s+)*\bhatirlat(?:"
        r"(?:in(?:iz)?|sana|saniza|iver(?:in)?)?(?=\s*(?:$|[.!?,;:)]|\b(?:bana|lutfen|olur|tamam)\b))"
        r"|(?:ir|abilir|iverir)\s+mi(?:sin(?:iz)?|siniz)\b"
        r"|man(?:iz)?i\s+(?:isti|rica|isteri)\w*"
        r"|ma\s+(?:kur|ekle|olustur|ayarla|yap)\w*)"
        r"|\bunutturma(?:yin(?:iz)?)?\b)"
    ),
}
_RECALLS = re.compile(r"\s*(?:of\s+)?(?:what|who|whom|whose|where|why|how|which)\b")
"""What follows "remind me" in a question about what was said."""

_NUMBERS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "ten": 10,
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
    "half an": 0.5,
    "half a": 0.5,
    "a couple of": 2,
    "bir": 1,
    "iki": 2,
    "uc": 3,
    "dort": 4,
    "bes": 5,
    "alti": 6,
    "on": 10,
    "on bes": 15,
    "yirmi": 20,
    "otuz": 30,
    "yarim": 0.5,
}
_NUMBER = rf"(?P<number>\d{{1,4}}|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"
_UNITS = {
    **dict.fromkeys(("minute", "min", "dakika", "dk"), timedelta(minutes=1)),
    **dict.fromkeys(("hour", "hr", "saat"), timedelta(hours=1)),
    **dict.fromkeys(("day", "gun"), timedelta(days=1)),
    **dict.fromkeys(("week", "hafta"), timedelta(weeks=1)),
    **dict.fromkeys(("month", "ay"), timedelta(days=30)),
}
_UNIT = rf"(?P<unit>{'|'.join(sorted(_UNITS, key=len, reverse=True))})"
_AHEAD = {
    "en": (
        re.compile(rf"\b(?:in|after)\s+{_NUMBER}\s+{_UNIT}s?\b(?:\s+from\s+now\b)?"),
        re.compile(rf"\b{_NUMBER}\s+{_UNIT}s?\s+from\s+now\b"),
    ),
    "tr": (re.compile(rf"\b{_NUMBER}\s+{_UNIT}(?:lik)?\s+(?:sonra(?:ya|sina)?|icinde)\b"),),
}

_WEEKDAYS = {
    **{
        name: number
        for number, name in enumerate(("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"))
    },
    **{
        name: number
        for number, name in enumerate(("pazartesi", "sali", "carsamba", "persembe", "cuma", "cumartesi", "pazar"))
    },
}
_WEEKDAY = "|".join(sorted(_WEEKDAYS, key=len, reverse=True))
_DAY = re.compile(rf"\b(?:(?:on|by|this|next|bu|gelecek|onumuzdeki|haftaya)\s+)?(?P<day>{_WEEKDAY})(?:\s+gunu)?\b")
_MONTHS = {
    name: number
    for names in (
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
        ("oca", "sub", "mar", "nis", "may", "haz", "tem", "agu", "eyl", "eki", "kas", "ara"),
    )
    for number, name in enumerate(names, start=1)
}
"""Months by the first three letters of their names."""
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?|ocak|subat|mart|nisan|mayis|haziran|temmuz|agustos|eylul|ekim|kasim|aralik)"
)
_DATE = re.compile(
    rf"\b(?:(?:on|by)\s+)?(?:the\s+)?(?P<nth>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?:['’]?[dt][ae])?\b"
    rf"|\b(?:(?:on|by)\s+)?{_MONTH.replace('month', 'month2')}\.?\s+(?P<nth2>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:)"
)
_NTH = {
    "en": re.compile(r"\bon\s+the\s+(?P<nth>\d{1,2})(?:st|nd|rd|th)\b"),
    "tr": re.compile(r"\bayin\s+(?P<nth>\d{1,2})['’]?(?:[iu]n[dt][ae]|s[iu]nd[ae]|[dt][ae])\b"),
}
_EVERY = {
    "en": re.compile(
        rf"\b(?:every|each)\s+(?:(?P<other>other\s+)|(?P<count>\d{{1,3}})\s+)?(?:(?P<unit>minute|hour|day|week|month|year)s?"
        rf"|(?P<weekdays>weekday|working\s+day|workday)s?|(?P<days>(?:{_WEEKDAY})s?(?:(?:\s*,\s*|\s+and\s+)(?:{_WEEKDAY})s?)*)"
        r"|(?P<nth>\d{1,2})(?:st|nd|rd|th)(?:\s+(?:day\s+)?of\s+(?:the|each|every)\s+month)?"
        r"|(?P<part>morning|noon|afternoon|evening|night))\b"
        rf"|\b(?:on\s+)?(?P<days2>(?:{_WEEKDAY})s(?:(?:\s*,\s*|\s+and\s+)(?:{_WEEKDAY})s)*|weekdays)\b"
        r"|\b(?P<adverb>hourly|daily|weekly|monthly|yearly|annually)\b"
    ),
    "tr": re.compile(
        rf"\bher\s+(?:(?P<count>\d{{1,3}}|iki|uc)\s+)?(?:ayin\s+(?P<nth>\d{{1,2}})['’]?\w*|(?P<days>(?:{_WEEKDAY})"
        rf"(?:(?:\s*,\s*|\s+ve\s+)(?:{_WEEKDAY}))*)(?:\s+gunu)?|hafta\s*ici(?P<weekdays>)|(?P<unit>dakika|saat|gun|hafta|ay|yil|sene)(?:d[ae]\s+bir)?"
        r"|(?P<part>sabah|oglen|ogle|aksam|gece))\b|\b(?P<days2>(?:{_WEEKDAY})(?:lari|leri|\s+gunleri))\b|\bhafta\s*ici(?P<weekdays2>)|\b(?P<adverb>hergun)\b"
    ),
}
_FREQUENCIES = {
    **dict.fromkeys(("minute", "dakika"), "MINUTELY"),
    **dict.fromkeys(("hour", "saat", "hourly"), "HOURLY"),
    **dict.fromkeys(("day", "gun", "daily", "hergun"), "DAILY"),
    **dict.fromkeys(("week", "hafta", "weekly"), "WEEKLY"),
    **dict.fromkeys(("month", "ay", "monthly"), "MONTHLY"),
    **dict.fromkeys(("year", "yil", "sene", "yearly", "annually"), "YEARLY"),
}
BYDAY = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_PARTS = {
    **dict.fromkeys(("morning", "sabah", "sabahi", "sabahleyin"), time(9)),
    **dict.fromkeys(("noon", "midday", "oglen", "ogle", "ogleyin"), time(12)),
    **dict.fromkeys(("afternoon", "ogleden sonra"), time(15)),
    **dict.fromkeys(("evening", "tonight", "aksam", "aksami", "aksamleyin"), time(19)),
    **dict.fromkeys(("night", "gece"), time(21)),
    **dict.fromkeys(("midnight",), time(0)),
}
_PART = re.compile(rf"\b(?:(?:in\s+the|at|this|bu)\s+)?(?P<part>{'|'.join(sorted(_PARTS, key=len, reverse=True))})\b")
_CLOCK = {
    "en": re.compile(
        r"\b(?:at|by|around|@)\s*(?P<hour>[01]?\d|2[0-4])(?:[:.](?P<minute>[0-5]\d))?\s*(?P<half>a\.?m\b\.?|p\.?m\b\.?|o'?clock\b)?"
        r"(?!\d)|\b(?P<hour2>[01]?\d|2[0-3])(?:[:.](?P<minute2>[0-5]\d))?\s*(?P<half2>a\.?m\b\.?|p\.?m\b\.?)"
        r"|\b(?P<hour3>[01]?\d|2[0-3]):(?P<minute3>[0-5]\d)\b"
    ),
    "tr": re.compile(
        r"\b(?:saat\s+)(?P<hour>[01]?\d|2[0-4])(?:[:.](?P<minute>[0-5]\d))?(?P<half>\s*bucuk)?(?:['’]?\w{1,3}(?![\w]))?"
        r"|\b(?P<hour2>[01]?\d|2[0-3])[:.](?P<minute2>[0-5]\d)(?:['’]?[dt][ae])?\b(?P<half2>)"
        r"|\b(?P<hour3>[01]?\d|2[0-3])['’]?(?:[dt][ae]|[dy][ae])\b(?P<minute3>)"
    ),
}
_HOURS = (
    *("twelve", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("on iki", "bir", "iki", "uc", "dort", "bes", "alti", "yedi", "sekiz", "dokuz", "on", "on bir"),
)
"""Hours in words, from twelve on, English and Turkish."""
_HOUR = rf"(?P<hour>\d{{1,2}}|{'|'.join(sorted(_HOURS, key=len, reverse=True))})"
_SHARES = {"quarter": 15, "ceyrek": 15, "half": 30, "five": 5, "bes": 5, "ten": 10, "on": 10, "twenty": 20, "yirmi": 20}
_SHARE = rf"(?P<share>{'|'.join(_SHARES)})"
_QUARTER = {
    "en": re.compile(rf"\b(?:at\s+)?(?:a\s+)?{_SHARE}\s+(?P<way>past|to)\s+{_HOUR}\b"),
    "tr": re.compile(rf"\b{_HOUR}['’]?(?:y?[iuae]|n[iuae])\s+{_SHARE}\s+(?P<way>kala|gec\w+)\b"),
}
_LATER = frozenset(("evening", "tonight", "aksam", "aksami", "aksamleyin", "night", "gece", "afternoon"))
_IF = {
    "en": re.compile(
        r"\b(?P<lead>the\s+next\s+time|next\s+time|as\s+soon\s+as|when(?:ever)?|once|if|after|before)\s+(?P<clause>[^,;.!?]+)"
    ),
    "tr": re.compile(
        r"(?:^|[,;]\s*)(?P<clause>[^,;.!?]*?(?:\w+(?:inca|ince|unca)|\w*(?:di|du|ti|tu)(?:g|ğ)[iu](?:m|n)?(?:d[ae]|\s+zaman|\s+anda|nda)"
        r"|\w+[dt][ae]n\s+(?:hemen\s+)?sonra|\w+(?:[iu]r|[ae]r|yor|mis|[dt][iu]y)s[ae](?:m|k|n|niz)?\b))(?=\W|$)"
    ),
}
_JOINS = {
    "en": re.compile(
        r"^(?:\s|,|;|:|-|\b(?:to|that|about|of|and|please|for|then|i\s+(?:need|have|should|must)\s+to)\b)+|[\s,;:.!?-]+$"
    ),
    "tr": re.compile(r"^(?:\s|,|;|:|-|\b(?:bana|lutfen|ve|icin)\b)+|[\s,;:.!?-]+$|\s+(?:bana|lutfen)$"),
}


@dataclass(frozen=True, slots=True)
class Reminder:
    """A request to be reminded, as it was read.

    ``at`` is the first moment, in UTC, None for a condition; ``rule`` the recurrence in the form of RFC 5545 ("" for
    none); ``words`` the stems of the event or topic that it waits for, () for a time; ``follows``: it waits until that
    has happened, not for its mention.
    """

    action: str
    at: datetime | None
    rule: str = ""
    words: tuple[str, ...] = ()
    follows: bool = False


ASKED = 0.4
"""Least probability that a message asks to be reminded. By leaving out a hand at a time (decision 0074)."""


def reminders(text: str, at: datetime, zone: ZoneInfo) -> list[Reminder]:
    """Return the requests to be reminded in a person's words, said at ``at``; times of day are those of ``zone``.

    Learned weights say whether a message asks (``text.heads``); what stands in quotation marks or code is not read.
    """
    own = masked(text) if len(text) <= TEXT_MAX else ""
    if not own.strip() or likely(own, ASKS_REMINDER) < ASKED:
        return []
    found = [reminder for sentence in sentences(compose(text)) if (reminder := _asked(sentence, at, zone)) is not None]
    told = _next_morning(at.astimezone(zone))
    if found and not (len(found) == 1 and found[0].at == told):
        return found
    whole = _whole(" ".join(compose(text).split()), at, zone)  # another sentence may say when
    if not found:
        return [whole]
    return found if whole.at == told else [replace(whole, action=found[0].action)]


def _asked(sentence: str, at: datetime, zone: ZoneInfo) -> Reminder | None:
    """Read a sentence that names its request by a verb; None for another."""
    language = detect_language(sentence)
    ways = (_read(sentence, at, zone, one) for one in (language, "en" if language == "tr" else "tr"))
    return next((one for one in ways if one is not None), None)


def _whole(text: str, at: datetime, zone: ZoneInfo) -> Reminder:
    """Read the trigger of a message that asks in other words; the message as it was said is the action."""
    here = at.astimezone(zone)
    clause = _Clause(text, detect_language(text))
    rule, first = _repeated(clause, here)
    if not rule:
        first = _timed(clause, here)
    if rule or first is not None:
        return Reminder(text, (first or here).astimezone(UTC), rule)
    waiting = _waiting(clause)
    if waiting is not None:
        return Reminder(text, None, "", waiting.words, waiting.follows)
    return Reminder(text, _next_morning(here))


class _Clause:
    """A sentence of which parts are taken one after another; what is left is the action."""

    def __init__(self, sentence: str, language: str) -> None:
        self.sentence = sentence
        self.language = language
        self.left = plain(sentence)
        self.opens = 0

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Find a pattern in what is left, and blank it out."""
        found = pattern.search(self.left)
        if found is not None:
            self.blank(found.start(), found.end())
        return found

    def blank(self, start: int, end: int) -> None:
        """Take a span out of what is left; positions stay."""
        self.left = self.left[:start] + "\0" * (end - start) + self.left[end:]

    def take_day(self, begin: int, finish: int) -> None:
        """Blank out a day and its preposition, but not the part of the day in it: that is read with the clock."""
        part = _PART.search(self.left[begin:finish])
        named = self.left[begin:finish]
        self.blank(_led(self.left, begin), finish)
        if part is not None:
            self.left = (
                self.left[:begin] + named[part.start() : part.end()].rjust(len(named), "\0") + self.left[finish:]
            )

    def rest(self) -> str:
        """Return the words that are left, as they were written."""
        kept = "".join(sign if mark != "\0" else " " for sign, mark in zip(self.sentence, self.left, strict=True))
        words, before = " ".join(kept.split()), None
        while words != before:
            before = words
            match = _JOINS[self.language].search(plain(words))
            if match is not None:
                words = (words[: match.start()] + words[match.end() :]).strip()
        return words


def _read(sentence: str, at: datetime, zone: ZoneInfo, language: str) -> Reminder | None:
    clause = _Clause(sentence, language)
    here = at.astimezone(zone)
    asked = _ASKING[language].search(clause.left) or _asked_after(clause, here)
    if asked is None or _RECALLS.match(clause.left, asked.end("ask")):
        return None
    clause.blank(asked.start("ask"), asked.end("ask"))
    if language == "en" and _is_opening(clause.left[: asked.start("ask")]):
        clause.opens = asked.start("ask")
        clause.blank(0, clause.opens)
    rule, first = _repeated(clause, here)
    if not rule:
        first = _timed(clause, here)
    if rule or first is not None:
        return Reminder(clause.rest(), (first or here).astimezone(UTC), rule)
    return _waiting(clause) or _someday(clause, here)


def _asked_after(clause: _Clause, here: datetime) -> re.Match[str] | None:
    """Find a request behind a time ("every day at nine remind me …"); the clause stays as it is."""
    other = _Clause(clause.sentence, clause.language)
    if not _repeated(other, here)[0]:
        _timed(other, here)
    return _ASKING[clause.language].search(other.left)


_OPENING = re.compile(
    r"[\W_]*(?:(?:please|kindly|just|and|then|also|so|hey|hi|ok|okay|can|could|would|will|you|need|to|should|i|we)\b\W*)*\Z"
)


def _is_opening(words: str) -> bool:
    """Whether what stands before the request is politeness alone."""
    return _OPENING.match(words) is not None


def _waiting(clause: _Clause) -> Reminder | None:
    """Read the event or topic that the request waits for."""
    found = clause.take(_IF[clause.language])
    if found is None:
        return None
    said = found["clause"].replace("\0", " ")
    if clause.language == "en" and not clause.rest() and (last := said.rfind(" to ")) > 0:
        clause.left = clause.left[: found.start("clause") + last] + found["clause"][last:] + clause.left[found.end() :]
        said = said[:last]
    words = topic(said, clause.language)
    lead = found.groupdict().get("lead") or ""
    follows = lead in ("after", "once", "as soon as") or (clause.language == "tr" and "sonra" in said)
    return Reminder(clause.rest(), None, "", words, follows) if words else None


_PARTICIPLE = re.compile(r"(?<=\w)(?:y?[iu]nc[ae]|([dt][iu])[gğ][iu](?:m|n)?(?:d[ae]|nda|\s+(?:zaman|anda)))\b")
"""Endings of a Turkish verb in a clause of time: aradığında, gelince."""


def topic(words: str, language: str) -> tuple[str, ...]:
    """Return the stems of the words that name an event or topic, each once, in order."""
    plainly = _PARTICIPLE.sub(r"\1", words) if language == "tr" else words
    found = reading(plainly, language)
    content = [term for chunk in found.chunks for term, _ in chunk.content if term not in _general(language)]
    return tuple(dict.fromkeys(content or (term for term in found.terms() if term not in _general(language))))


@cache
def _general(language: str) -> frozenset[str]:
    """Return the stems of words that say that something comes up, whatever it is."""
    words = lists.words(f"reminder-general.{language}")
    return frozenset(term for word in sorted(words) for term in reading(word, language).terms()) | words


def _someday(clause: _Clause, here: datetime) -> Reminder | None:
    """Without a time or condition, the next morning is meant."""
    action = clause.rest()
    return Reminder(action, _next_morning(here)) if action else None


def _next_morning(here: datetime) -> datetime:
    return datetime.combine(here.date() + timedelta(days=1), MORNING, here.tzinfo).astimezone(UTC)


def _repeated(clause: _Clause, here: datetime) -> tuple[str, datetime | None]:
    """Read a recurrence: its rule in the form of RFC 5545, and from when on."""
    found = clause.take(_EVERY[clause.language])
    if found is None:
        return "", None
    parts = {name.rstrip("2"): value for name, value in found.groupdict().items() if value is not None}
    clock = _clock(clause) or _PARTS.get(parts.get("part", ""), MORNING)
    count = _count(parts)
    every = f";INTERVAL={count}" if count > 1 else ""
    rule = _on_days(parts)
    if rule:
        return rule + every, _on(here, clock)
    frequency = _FREQUENCIES.get(parts.get("unit") or parts.get("adverb", ""), "DAILY")
    step = _SHORT.get(frequency)
    return f"FREQ={frequency}{every}", _on(here, clock) if step is None else _later(here, step * count)


_SHORT = {"MINUTELY": timedelta(minutes=1), "HOURLY": timedelta(hours=1)}


def _count(parts: dict[str, str]) -> int:
    """Return every how many units something recurs."""
    said = parts.get("count", "1")
    return 2 if "other" in parts else int(_NUMBERS.get(said, said) or 1)


def _on_days(parts: dict[str, str]) -> str:
    """Return the rule for days of the week or of the month; "" if none are named."""
    if "weekdays" in parts or parts.get("days") == "weekdays":
        return "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
    if "days" in parts:
        days = sorted({_WEEKDAYS[day] for day in re.findall(_WEEKDAY, parts["days"])})
        return f"FREQ=WEEKLY;BYDAY={','.join(BYDAY[day] for day in days)}"
    return f"FREQ=MONTHLY;BYMONTHDAY={int(parts['nth'])}" if 0 < int(parts.get("nth", 0)) <= 31 else ""


def _later(here: datetime, step: timedelta) -> datetime:
    """Return the local moment a span later; hours are counted, not read off the clock, over a change of time."""
    if step >= timedelta(days=1):
        return here + step
    return (here.astimezone(UTC) + step).astimezone(here.tzinfo)


def _on(day: datetime, clock: time) -> datetime:
    return datetime.combine(day.date(), clock, day.tzinfo)


def _timed(clause: _Clause, here: datetime) -> datetime | None:
    """Read a moment: a span from now, or a day with or without a time of day."""
    ahead = next((found for one in _AHEAD[clause.language] if (found := clause.take(one)) is not None), None)
    if ahead is not None:
        step = _UNITS[ahead["unit"]] * float(_NUMBERS.get(ahead["number"], ahead["number"]))
        clock = _clock(clause) if step >= timedelta(days=1) else None
        later = _later(here, step)
        return later if clock is None else _on(later, clock)
    day = _day(clause, here)
    clock = _clock(clause)
    if day is not None:
        return _on(day, clock or MORNING)
    if clock is None:
        return None
    today = _on(here, clock)
    return today if today > here else _on(here + timedelta(days=1), clock)


def _day(clause: _Clause, here: datetime) -> datetime | None:
    """Read the day, and take it out of the clause."""
    words = clause.sentence[clause.opens :].replace("?", ".")  # "can you" before it would make it a question
    for one in moments(words, here):
        begin, finish = one.begin + clause.opens, one.finish + clause.opens
        if one.span.end > here and "\0" not in clause.left[begin:finish]:
            clause.take_day(begin, finish)
            midnight = here.replace(hour=0, minute=0, second=0, microsecond=0)
            return max(one.span.start.replace(tzinfo=here.tzinfo), midnight)
    if (date := clause.take(_DATE)) is not None:
        parts = {name.rstrip("2"): value for name, value in date.groupdict().items() if value is not None}
        return _date(here, int(parts["nth"]), _MONTHS[parts["month"][:3]])
    if (day := clause.take(_DAY)) is not None:
        return here + timedelta(days=(_WEEKDAYS[day["day"]] - here.weekday() - 1) % 7 + 1)
    if (nth := clause.take(_NTH[clause.language])) is not None:
        return _nth(here, int(nth["nth"]))
    return None


_LEAD = re.compile(r"\b(?:on|by|in|at|for|before|until)\s+\Z")


def _led(left: str, begin: int) -> int:
    """Return where the preposition of a time begins."""
    lead = _LEAD.search(left[max(0, begin - 10) : begin])
    return begin if lead is None else begin - len(lead.group())


def _date(here: datetime, number: int, month: int) -> datetime | None:
    """Return the next day with this number and month, in this year or one of the next eight."""
    for year in range(here.year, here.year + 9):
        try:
            day = here.replace(year=year, month=month, day=number)
        except ValueError:
            continue
        if day >= here:
            return day
    return None


def _nth(here: datetime, number: int) -> datetime | None:
    """Return the next day of a month with this number, in this month or one of the next twelve."""
    for ahead in range(13):
        year, month = divmod(here.year * 12 + here.month - 1 + ahead, 12)
        try:
            day = here.replace(year=year, month=month + 1, day=number)
        except ValueError:
            continue
        if day >= here:
            return day
    return None


def _clock(clause: _Clause) -> time | None:
    """Read the time of day, and take it out of the clause."""
    part = clause.take(_PART)
    if (named := clause.take(_QUARTER[clause.language])) is not None:
        return _in_words(named, is_later=part is not None and part["part"] in _LATER)
    found = clause.take(_CLOCK[clause.language])
    if found is None:
        return None if part is None else _PARTS[part["part"]]
    parts = {name.rstrip("23"): value for name, value in found.groupdict().items() if value}
    hour, minute, half = int(parts["hour"]), int(parts.get("minute", 0)), parts.get("half", "").strip()
    is_later = half.startswith("p") or (part is not None and part["part"] in _LATER and not half.startswith("a"))
    return time(_of_day(hour, half, is_later=is_later), 30 if half.startswith("bucuk") else minute)


def _in_words(named: re.Match[str], *, is_later: bool) -> time:
    """Return the time of day of "quarter past four" or "dokuza çeyrek kala"."""
    said = named["hour"]
    hour = int(said) if said.isdecimal() else _HOURS.index(said) % 12
    sign = -1 if named["way"] in ("to", "kala") else 1
    minutes = (_of_day(hour, "", is_later=is_later) * 60 + sign * _SHARES[named["share"]]) % (24 * 60)
    return time(minutes // 60, minutes % 60)


def _of_day(hour: int, half: str, *, is_later: bool) -> int:
    """Return the hour of the day, from 0 to 23, of an hour on a clock with twelve or twenty-four."""
    if hour == 12 and half.startswith("a"):
        return 0
    return hour + 12 if hour < 12 and is_later else hour % 24
