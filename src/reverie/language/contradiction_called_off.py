"""Plans that are called off or put on another day: "My dentist appointment was cancelled", "Toplantı ertelendi".

In: what an earlier clause says is planned, and a later one. Out: whether the later says that it will not be so. That a
trip to Berlin is off takes back "I'm flying to Berlin on Friday"; a bare "the meeting" takes back a bare meeting alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from reverie.language import lists
from reverie.language.contradiction_reading import Clause
from reverie.language.contradiction_values import Value
from reverie.language.contradiction_words import grammar, matches, tokens, verb_terms
from reverie.language.letters import plain
from reverie.language.patterns import labelled

_TIMES = ("date", "weekday", "clock")
_TOWARDS_TR = re.compile(r"(?:['’]y?|y)[ae]\Z")
"""The ending of a Turkish time to which something is put: 15 Haziran'a, pazartesiye."""
_TOWARDS_EN = re.compile(r"\b(?:to|until|till) (?:the |next |this )?\Z")
_MINE_TR = re.compile(r"[iu]m[iu]?\Z")
_WAYS = {
    "en": re.compile(r"\b(?P<way>to|from) (?P<place>\w+)"),
    "tr": re.compile(r"(?P<place>\w+)['’](?P<way>y?[ae]|[dt][ae]n)\b"),
}
_BACK = re.compile(r"\b(?:return|returning|inbound|donus\w*)\b")
_SURE_TERMS = 2
"""So many terms name one plan among others: dentist appointment."""


def is_called_off(was: Clause, now: Clause) -> bool:
    """Whether the later clause calls off, or puts on another day, what the earlier says is planned."""
    if was.language != now.language or was.denial or now.denial or was.others != _of_whom(now):
        return False
    if was.past or not (was.bounded or _times(was)) or matches("repeated", was.language, was.folded):
        return False
    return any(_is_meant(was, now, first, last) for first, last in _called_off(now)) and not is_other_way(was, now)


def is_other_way(was: Clause, now: Clause) -> bool:
    """Whether one of two clauses is of the way there and the other of the way back: to Rome, from Rome."""
    if (_BACK.search(was.folded) is None) != (_BACK.search(now.folded) is None):
        return True
    old, new = ({(found["place"], _is_from(found["way"])) for found in _ways(clause)} for clause in (was, now))
    return any(place == other and way != back for place, way in old for other, back in new) and old.isdisjoint(new)


def _is_from(way: str) -> bool:
    return way == "from" or way.endswith("n")


def _ways(clause: Clause) -> Iterator[re.Match[str]]:
    return _WAYS[clause.language].finditer(clause.folded)


def _called_off(clause: Clause) -> Iterator[tuple[int, int]]:
    """Where a clause names what is called off, or put to a time that it names as well."""
    for kind, pattern in labelled(f"contradiction-off.{clause.language}"):
        match = pattern.search(clause.folded)
        if match and (kind == "off" or any(_is_target(clause, value, match.end("what")) for value in clause.values)):
            yield match.span("what")


def _is_target(clause: Clause, value: Value, behind: int) -> bool:
    """Whether a value is the time to which something is put: to Friday, 15 Haziran'a."""
    if value.kind not in _TIMES:
        return False
    start = clause.tokens[value.first].start
    return _is_towards(clause, value) or (start >= behind and _TOWARDS_EN.search(clause.folded, 0, start) is not None)


def _of_whom(clause: Clause) -> frozenset[str]:
    """Of whom a clause speaks; who called something off is nobody it is of: they cancelled my flight."""
    return clause.others - grammar("calling off")


def _is_meant(was: Clause, now: Clause, first: int, last: int) -> bool:
    """Whether what is called off is what was planned, and no other time is named for it."""
    named = frozenset(token.term for token in now.tokens if token.term and first <= token.start < last)
    said = was.terms
    if travels := _travels(was.language):
        thing, doing = travels
        if named & thing and said & doing:
            named, said = named - thing, said - doing
    said = frozenset(term for term in said - grammar("planned") if not term[0].isdigit())
    if not named or not named <= said:
        return False
    when = _times(now, first, last)
    if when and not any(when.get(kind) == normal for kind, normal in _times(was).items()):
        return False
    return len(named) >= _SURE_TERMS or (named == said and not _may_be_another(now))


def _may_be_another(clause: Clause) -> bool:
    """Whether a plan of the speaker's own, and nothing else tells which, is one of several: my meeting, toplantım."""
    several = grammar("many of one's own")
    if clause.language == "tr":
        return any(token.plain.startswith(tuple(several)) and _MINE_TR.search(token.plain) for token in clause.tokens)
    words = [token.plain for token in clause.tokens]
    return "my" in words and not several.isdisjoint(words)


def _times(clause: Clause, first: int = 0, last: int | None = None) -> dict[str, str]:
    """The times that a part of a clause names, by their kind."""
    end = len(clause.text) if last is None else last
    found = (value for value in clause.values if value.kind in _TIMES)
    return {
        value.kind: value.normal
        for value in found
        if first <= clause.tokens[value.first].start < end and not _is_towards(clause, value)
    }


def _is_towards(clause: Clause, value: Value) -> bool:
    """Whether a Turkish time is where something is put."""
    return clause.language == "tr" and _TOWARDS_TR.search(plain(clause.tokens[value.last].raw)) is not None


@cache
def _travels(language: str) -> tuple[frozenset[str], frozenset[str]]:
    """The terms for going somewhere: as a thing, and as what one does."""
    table = lists.table(f"contradiction-travel.{language}")
    thing = frozenset(token.term for token in tokens(" ".join(table["thing"]), language))
    return thing, verb_terms(table["doing"], language)
