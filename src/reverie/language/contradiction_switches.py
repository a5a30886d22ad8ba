"""What a sentence says was replaced by what: switched from Slack to Teams, Slack değil Teams.

In: a sentence, also in plain letters. Out: its switches.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from reverie.language import lists
from reverie.language.contradiction_people import people
from reverie.language.contradiction_values import Token
from reverie.language.contradiction_words import grammar, is_first, matches, past_forms, tokens, turkish_verb

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
    first: bool
    others: frozenset[str]
    mends: bool
    contrasts: bool
    things: frozenset[str]
    """The terms without Turkish verbs, which elsewhere are compared by their roots."""


@cache
def _switch_patterns(language: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(entry) for entry in lists.entries(f"contradiction-switches.{language}"))


def switches(sentence: str, folded: str, language: str) -> list[Switch]:
    """What a sentence says was replaced by what."""
    found = []
    is_possible = matches("switching", language, folded) and not _is_of_one_occasion(folded, language)
    for pattern in _switch_patterns(language):
        places = pattern.finditer(folded) if is_possible else ()
        read = (_switch(sentence, place, language) for place in places)
        found += [switch for switch in read if switch is not None][:1]
    return found


def _switch(sentence: str, match: re.Match[str], language: str) -> Switch | None:
    words = tokens(sentence, language)
    was, now = (_said([t for t in words if match.start(name) <= t.start < match.end(name)]) for name in ("was", "now"))
    mends = any(token.plain in grammar("mending") for token in words)
    if not was or not now or not all(token.raw[:1].isupper() or token.raw[:1].isdigit() for token in was):
        return None
    contrasts = not {"not", "instead", "degil", "degil,"}.isdisjoint(match[0].split())
    if contrasts and not _is_replacement(was, now, mends or language == "tr"):
        return None
    old, new = (frozenset(token.term or token.plain for token in part) for part in (was, now))
    terms = frozenset(token.term for token in words if token.term and token not in was and token not in now)
    written = [
        sentence[part[0].start : min(part[-1].end, match.end(name))] for name, part in (("was", was), ("now", now))
    ]
    if old & new:
        return None
    verbs = {token.term for token in words[-1:] if language == "tr" and turkish_verb(token.plain)}
    who, first = people(words, language), is_first(words, language)
    return Switch(old, new, written[0], written[1], terms, first, who, mends, contrasts, terms - verbs)


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
