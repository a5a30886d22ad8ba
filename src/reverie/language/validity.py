"""Since when what a statement tells is true, by its own words: "I moved to Izmir in May 2025" is true from May 2025 on.

In: a statement, when it was said, and its kind. Out: the beginning in ISO 8601, as precisely as it was said; empty
where the words do not certainly say it: two times, a plan, a present that a past only describes ("the flat I bought").
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Protocol

from reverie.language import lists, time_english, time_turkish
from reverie.language.dating import TEXT_MAX, Moment, iso, moments
from reverie.language.letters import compose, plain
from reverie.language.patterns import any_of, read
from reverie.language.sentences import masked, sentences
from reverie.language.tenses import is_conditional, is_future, is_past, is_past_verb
from reverie.language.time_rules import Found
from reverie.language.time_spans import EARLIEST, days
from reverie.language.time_tense import Heard, bounds, has_verb
from reverie.types import Kind

_TOLD_BY_SINCE = frozenset({Kind.PREFERENCE, Kind.INSTRUCTION, Kind.PLAN})
"""What is meant to last: of these only a "since" tells the beginning, not the time of what they speak of."""
_WORD = re.compile(r"[a-z']+")
_SPEAKERS = frozenset({"i", "we", "you", "they"})
_SUBJECTS = _SPEAKERS | {"he", "she", "it"}
_IS = frozenset({"am", "is", "are", "i'm", "we're", "you're", "they're", "he's", "she's", "it's"})
_HAD = frozenset({"has", "have", "had", "was", "were", "i've", "we've", "you've", "they've"})
_ASIDE = re.compile(r"which|who|that|while|if|though|although|[(]")
"""What opens a clause that only describes something in another."""
_DESCRIBES = re.compile(r"\w[dt][iu]g[iu]\w*|\wy[ae]n\b|\ws[ae]yd[iu]")
"""A Turkish verb that describes what follows or only supposes it: aldığım ev, taşınmayan komşu, taşınsaydım."""


class _Language(Protocol):
    def glue(self, plain: str, found: list[Found], now: datetime, /) -> Found:
        """The first of the times with what governs it or joins it to the next."""


_LANGUAGES: dict[str, _Language] = {"en": time_english, "tr": time_turkish}


def valid_from(text: str, at: datetime, kind: Kind) -> str:
    """Since when a statement said ``at`` (aware) is true; empty: since it was said, as far as its words go."""
    said = sentences(compose(text[:TEXT_MAX]))
    named = moments(said[0], at) if len(said) == 1 else ()
    if not named or is_future(said[0]):
        return ""
    now, language = at.astimezone(UTC), read(said[0]).languages[0]
    if is_conditional(said[0], language):
        return ""
    heard = Heard(said[0], plain(masked(said[0])), now, language)
    whole = _governed(heard, named)
    if whole is None or not EARLIEST < whole.span.start < now or whole.span.start.date() == now.date():
        return ""
    if whole.bounds:
        is_since = whole.span.start == named[0].span.start
        return iso(named[0].span if is_since else days(whole.span.start.date()))
    return iso(whole.span) if kind not in _TOLD_BY_SINCE and _tells_past(heard, whole) else ""


def _governed(heard: Heard, named: tuple[Moment, ...]) -> Found | None:
    """The one time that is named, with what governs it (since, until, from … to); None where there are several."""
    found = [Found(one.begin, one.finish, one.span) for one in named]
    try:
        whole = _LANGUAGES[heard.language].glue(heard.words, found, heard.at)
    except (ValueError, OverflowError):  # the range leaves the calendar
        return None
    return whole if whole.end >= found[-1].end else None


def _tells_past(heard: Heard, whole: Found) -> bool:
    """Whether a sentence tells what happened then, and nothing that is so now."""
    start, end = bounds(whole, heard)
    cuts = list(any_of(f"tense/clause-breaks.{heard.language}").finditer(heard.words))
    if any(cut.end() == start and _ASIDE.search(cut.group()) for cut in cuts):
        return False
    begins, ends = [0, *(cut.end() for cut in cuts)], [*(cut.start() for cut in cuts), len(heard.words)]
    around = [(begin, stop) for begin, stop in zip(begins, ends, strict=True) if stop <= start or begin >= end]
    if any(_is_of_now(heard, begin, stop) for begin, stop in around):
        return False
    if not is_past(heard.sentence[start:end]):
        return False
    if heard.language == "tr":
        return _DESCRIBES.search(heard.words, whole.end, end) is None
    return _happened(_WORD.findall(heard.words[start:end]))


def _is_of_now(heard: Heard, start: int, end: int) -> bool:
    """Whether a clause beside the one that names the time has a verb that is not in the past tense."""
    words = heard.words[start:end]
    has_one = has_verb(words, heard.language) or not _IS.isdisjoint(_WORD.findall(words))
    return has_one and not is_past(heard.sentence[start:end])


def _happened(words: list[str]) -> bool:
    """Whether the first verb of an English clause is in the past tense and no second subject stands behind it."""
    first = next((place for place, word in enumerate(words) if word in _HAD or is_past_verb(word)), len(words))
    if any(_is_present(words, place) for place in range(first)):
        return False
    behind = list(zip(words[first + 1 :], words[first + 2 :], strict=False))
    return not any(word in _SUBJECTS and (after in _HAD or is_past_verb(after)) for word, after in behind)


def _is_present(words: list[str], place: int) -> bool:
    """Whether a word before the first past tense is a verb of now: is, works, and live behind its I."""
    word = words[place]
    if word in _IS:
        return True
    if word in lists.words("verbs-third.en"):
        return place + 1 < len(words) and not is_past_verb(words[place + 1])
    return word in lists.words("verbs-base.en") and not _SPEAKERS.isdisjoint(words[max(0, place - 2) : place])
