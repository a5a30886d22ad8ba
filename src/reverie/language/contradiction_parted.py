"""What a speaker had and gave away: I drive a Fiesta, I sold the Fiesta; a job told by its kind: I quit the hospital.

In: an earlier clause and a later one. Out: whether the later ends what the earlier says. Two bikes, an old one, a bike
of somebody else and one sold long ago may be another.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from reverie.language import lists
from reverie.language.contradiction_reading import Clause
from reverie.language.contradiction_values import Token
from reverie.language.contradiction_words import MINE_TR, grammar, matches, patterns, tokens, turkish_verb, verb_terms
from reverie.language.letters import plain
from reverie.language.patterns import labelled

_NAME_MIN = 4
"""A kind of employer with fewer letters may begin another word."""
_TWO = re.compile(r"\b(?:and|or|ve|veya|ile)\b")
_WORKS_TR = re.compile(r"([\w ]+)['’]n?[dt][ae](?: \w+){0,3} calisiyor(?:um|uz)\b")
_ENDINGS_TR = tuple(re.compile(rf"{ending}\Z") for ending in ("", r"y?[ae]", r"y?[iu]", r"[iu]?m(?:[iu]z)?[iu]?"))
_SEVERAL = {"en": re.compile(r"s\Z"), "tr": re.compile(r"l[ae]r")}


class _Parted(NamedTuple):
    kind: str
    what: str


def is_parted(was: Clause, now: Clause) -> bool:
    """Whether the speaker no longer has what the earlier clause says, or no longer works there."""
    if was.language != now.language or was.denial or now.denial:
        return False
    parted = _parted(now.folded, now.language)
    if parted is None or was.past or was.bounded or was.partly or (now.bounded and not now.recent):
        return False
    if parted.kind == "job":
        return any(_is_of_kind(name, parted.what) for name in _employers(was))
    return not was.others and not was.values and not _TWO.search(was.folded) and _is_had(was, parted.what)


@lru_cache(maxsize=1 << 12)
def _parted(folded: str, language: str) -> _Parted | None:
    """What a clause says the speaker gave away or left."""
    untimed = " ".join(patterns("recent", language).sub(" ", folded).split())
    if matches("partly", language, untimed):
        return None
    for kind, pattern in labelled(f"contradiction-parted.{language}"):
        if match := pattern.search(untimed):
            return _Parted(kind, match["what"])
    return None


def _employers(clause: Clause) -> list[str]:
    """Where a clause says that the speaker works."""
    told = [claim.written for claim in clause.claims if claim.name == "employer" and claim.owner == {"1"}]
    return told + (_WORKS_TR.findall(clause.folded) if clause.language == "tr" and not clause.others else [])


def _is_of_kind(written: str, what: str) -> bool:
    """Whether an employer's name ends in what it is: Southmead *Hospital*."""
    words = plain(written).split()
    return len(words) > 1 and len(what) >= _NAME_MIN and words[-1].startswith(what)


def _is_had(was: Clause, what: str) -> bool:
    """Whether what was given away is what the earlier clause says the speaker has, and all that tells which agrees."""
    given = [token for token in tokens(what, was.language) if token.term and token.plain not in grammar("lately")]
    had = _had_turkish(was.tokens) if was.language == "tr" else _had_english(was.tokens)
    if not given or not had or not grammar("not owned").isdisjoint(token.plain for token in had):
        return False
    if _forms(given[-1], was.language).isdisjoint(_forms(had[-1], was.language)):
        return False
    several = _SEVERAL[was.language]
    is_one = not several.search(had[-1].plain) or several.search(given[-1].plain) is not None
    return is_one and {token.term for token in given[:-1]} <= {token.term for token in had[:-1]}


def _forms(token: Token, language: str) -> set[str]:
    """What a noun may be without its endings: bisikletimi, bisiklete, bisiklet."""
    return {token.term} if language == "en" else {ending.sub("", token.plain) for ending in _ENDINGS_TR}


def _had_english(words: Sequence[Token]) -> list[Token]:
    """The thing in "I drive an old Ford Fiesta to work"."""
    verb = next((at for at, token in enumerate(words) if token.term in _having("en")), 0)
    if not any(token.plain in ("i", "we") for token in words[:verb]):
        return []
    ends = grammar("purpose") | grammar("condition")
    end = next((at for at in range(verb + 1, len(words)) if words[at].plain in ends), len(words))
    if end < len(words) and words[end].plain == "for":
        return []  # a van for work may be another's
    return [token for token in words[verb + 1 : end] if token.term]


def _had_turkish(words: Sequence[Token]) -> list[Token]:
    """The thing in "eski bir Ford Fiesta kullanıyorum", "bir piyanom var"."""
    *before, last = words
    found = [token for token in before if token.term]
    if last.plain == "var":
        return found if found and MINE_TR.search(plain(before[-1].raw)) else []
    verb = turkish_verb(last.plain)
    is_had = verb is not None and verb.first and f"v {verb.root}" in _having("tr")
    is_one = len(before) > 1  # "araba kullanıyorum" says that one can drive
    return found if is_had and is_one and found and found[-1] == before[-1] else []


@cache
def _having(language: str) -> frozenset[str]:
    """The terms of verbs for having something or going about in it."""
    return verb_terms(lists.entries(f"contradiction-having.{language}"), language)
