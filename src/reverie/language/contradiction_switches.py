"""What a sentence says was replaced by what: switched from Slack to Teams, Slack değil Teams.

In: a sentence. Out: its switches. Who switched, and with what, must be told: a switch of others, one that never was, or
one of long ago is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from reverie.language import lists
from reverie.language.contradiction_people import people
from reverie.language.contradiction_values import Token, calendar_words
from reverie.language.contradiction_words import (
    clauses,
    grammar,
    matches,
    past_forms,
    patterns,
    tokens,
    turkish_verb,
)
from reverie.language.letters import plain
from reverie.language.patterns import labelled

_INSTEAD = re.compile(r"\binstead of\b|\d\S* yerine\b|\byerine\b")
_PAST_TR = re.compile(r"[dt][iu](?:m|k|n|lar|ler)?\W*\Z")


@dataclass(frozen=True, slots=True)
class Switch:
    """What a sentence says no longer holds, what holds instead, and the terms of the whole sentence."""

    was: frozenset[str]
    now: frozenset[str]
    written_was: str
    written_now: str
    terms: frozenset[str]
    others: frozenset[str]
    mends: bool
    contrasts: bool
    things: frozenset[str]
    """The terms without Turkish verbs, which elsewhere are compared by their roots."""
    exchange: Exchange | None = None
    """Who exchanged what, where a name is given up for another; None where a value is only put right."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """Who gives up one name for another: the speaker or of what (our *backend*), all that tells where and for what, and
    whether it is a job that was changed, or those the speaker is one of did it.
    """

    speaker: bool
    things: frozenset[str]
    rest: frozenset[str]
    job: bool
    group: bool = False


def switches(sentence: str, folded: str, language: str) -> list[Switch]:
    """What a sentence says was replaced by what."""
    if not matches("switching", language, folded) or _is_of_one_occasion(folded, language):
        return []
    found = []
    for kind, pattern in labelled(f"contradiction-switches.{language}"):
        parts = [sentence] if kind == "says" else clauses(sentence, language)
        read = (
            _switch(part, place, kind, language)
            for part in parts
            for place in pattern.finditer(plain(part))
            if _is_stated(plain(part), language)
        )
        found += [switch for switch in read if switch is not None][:1]
    return found


def _is_stated(folded: str, language: str) -> bool:
    """Whether what holds what is replaced is stated; "instead of" by itself states nothing, and here it does."""
    return not matches("unasserted", language, _INSTEAD.sub(" ", folded))


def _switch(sentence: str, match: re.Match[str], kind: str, language: str) -> Switch | None:
    words = tokens(sentence, language)
    was, now = (_said([t for t in words if match.start(name) <= t.start < match.end(name)]) for name in ("was", "now"))
    mends = any(token.plain in grammar("mending") for token in words)
    if not was or not now or not all(token.raw[:1].isupper() or token.raw[:1].isdigit() for token in was):
        return None
    contrasts = not {"not", "instead", "degil", "degil,"}.isdisjoint(match[0].split())
    if contrasts and not _is_replacement(was, now, mends or language == "tr"):
        return None
    exchanges = kind != "says" and was[0].raw[:1].isupper()
    if exchanges:
        now = _name(now)
    exchange = _exchange(words, match, (*was, *now), language) if exchanges else None
    old, new = (frozenset(token.term or token.plain for token in part) for part in (was, now))
    if old & new or (exchanges and exchange is None):
        return None
    terms = frozenset(token.term for token in words if token.term and token not in was and token not in now)
    verbs = {token.term for token in words[-1:] if language == "tr" and turkish_verb(token.plain)}
    ends = (min(part[-1].end, match.end(name)) for part, name in ((was, "was"), (now, "now")))
    said, says = (sentence[part[0].start : end] for part, end in zip((was, now), ends, strict=True))
    who = people(words, language)
    return Switch(old, new, said, says, terms, who, mends, contrasts, terms - verbs, exchange)


def _name(now: Sequence[Token]) -> list[Token]:
    """The name something begins with: *Microsoft Teams* last month."""
    ends = (at for at, token in enumerate(now) if at and not (token.raw[0].isupper() or token.raw[0].isdigit()))
    return list(now[: next(ends, None)])


def _exchange(words: Sequence[Token], match: re.Match[str], named: Sequence[Token], language: str) -> Exchange | None:
    """Who gives up what for what, None where nobody known does, or did so at a time of its own."""
    untimed = patterns("recent", language).sub(lambda found: " " * len(found[0]), match.string)
    if any(matches(when, language, untimed) for when in ("bounded", "partly")):
        return None
    others = [t for t in words if t not in named and t.term and not _says_nothing(t, untimed, language)]
    rest = frozenset(token.term for token in others if not match.start() <= token.start < match.end())
    job = any(token.plain in grammar("jobs") for token in words if token.term)
    if language == "tr":
        return _exchange_tr(words, rest, job)
    before = [token for token in words if token.start < match.start()]
    if _is_denied(before):
        return None
    span = match.span("object") if "object" in match.groupdict() else (0, 0)
    moved = frozenset(token.term for token in others if span[0] <= token.start < span[1])
    is_self = not before or any(token.plain in ("i", "we") for token in before)
    groups = (whose.plain in ("my", "our") and _is_own_group(token) for whose, token in pairwise(before))
    speaker = is_self or any(groups)
    subject = frozenset() if speaker else frozenset(token.term for token in others if token in before)
    return Exchange(speaker, moved | subject, rest | moved, job, not is_self) if speaker or moved | subject else None


def _exchange_tr(words: Sequence[Token], rest: frozenset[str], job: bool) -> Exchange | None:
    """A Turkish exchange: its last word is the verb, which says whether the speaker did it."""
    verb = turkish_verb(words[-1].plain)
    if verb is None or verb.denied:
        return None
    rest -= {words[-1].term}
    speaker = verb.first or any(_is_own_group(token) for token in words)
    things = frozenset() if speaker else rest
    return Exchange(speaker, things, rest, job, not verb.first) if speaker or things else None


def _is_own_group(token: Token) -> bool:
    """Whether a word names those the speaker is one of: our team, ekibimiz."""
    return token.plain in grammar("own groups")


def _is_denied(before: Sequence[Token]) -> bool:
    """Whether an English verb behind the words did not come true: never, nearly."""
    denying = grammar("denying") | grammar("not quite")
    return any(token.plain in denying or token.plain.endswith("n't") for token in before)


def _says_nothing(token: Token, untimed: str, language: str) -> bool:
    """Whether a word only says when or how fully: last month, *finally*, *everything*; or that it was "our team"."""
    if (
        token.raw[0].isdigit()
        or not untimed[token.start : token.end].strip()
        or token.plain in (*grammar("own groups"), *grammar("jobs"))
    ):
        return True
    is_manner = language == "en" and token.plain.endswith("ly") and token.raw.islower()
    small = grammar("lately") | grammar("wholly") | lists.words("adverbs.en")
    return is_manner or token.plain in small or any(token.plain in table for table in calendar_words(language))


def _is_of_one_occasion(folded: str, language: str) -> bool:
    """Whether "instead of" or "yerine" tells what was done once, or is done for a part of the time."""
    found = _INSTEAD.search(folded)
    if found is None or matches("partly", language, folded):
        return found is not None
    is_number = found[0][0].isdigit() or language == "en"  # of a name Turkish says so of what holds now, too
    is_moved = matches("cues" if language == "tr" else "moved", language, folded)
    return is_number and (matches("bounded", language, folded) or (_is_past(folded, language) and not is_moved))


def _is_past(folded: str, language: str) -> bool:
    if language == "tr":
        return _PAST_TR.search(folded) is not None
    words = {word.strip(".,;!") for word in folded.split()}
    return not past_forms().isdisjoint(words) or any(len(word) > 4 and word.endswith("ed") for word in words)


def _said(words: list[Token]) -> list[Token]:
    """Words without what says nothing before them: "meant Ada"."""
    place = next((at for at, token in enumerate(words) if token.term or token.raw[0].isdigit()), 0)
    return words[place:]


def _is_replacement(was: Sequence[Token], now: Sequence[Token], is_told: bool) -> bool:
    """Whether "Ada, not Eda" gives a name for a name or a number for a number: "No, not Eda" only denies.

    "Contemporary dance, not Salsa" only says which of two; Turkish says so of a name in no other way.
    """
    if any(token.plain in grammar("discourse") for token in (*was, *now)):
        return False
    if was[0].raw[0].isdigit():
        return any(token.raw[:1].isdigit() for token in now)
    return is_told and all(token.raw[:1].isupper() for token in now)
