"""Two facts of one sentence: I'm vegan and allergic to nuts; evliyim ve Getir'de çalışıyorum.

In: what stands on both sides of an "and", "ve" or comma. Out: both as sentences of their own, or None. They are cut
only where each shows by itself what it would be kept as, and where nothing rules over both.
"""

from __future__ import annotations

import re
from functools import lru_cache

from reverie.language import lists
from reverie.language.apostrophes import spelled
from reverie.language.category import plain_category
from reverie.language.letters import plain
from reverie.language.tenses import is_conditional
from reverie.recipes.v9 import clauses
from reverie.recipes.v9.wordlists import WORDS
from reverie.types import Kind

_KEPT = frozenset({Kind.FACT, Kind.PREFERENCE, Kind.DECISION, Kind.PLAN})
_DENYING = re.compile(r"\b(?:not|never|no|\w+n['’]?t)\b", re.IGNORECASE)
_OWN = re.compile(r"(?:i|we)\b", re.IGNORECASE)
_BE = frozenset({"am", "are", "is", "'m", "'re", "'s"})
_HALF = re.compile(r",| and ")
_IN_TURN = re.compile(r"((?:i|we)(?: (?!to\b)\w+)? (?:use|run|have|take)) .+ for [\w' -]+", re.IGNORECASE)
"""We use Redis for caching, and what is used for what else."""
_IN_TURN_TOO = re.compile(r"\S+(?: \S+){0,2} for [\w' -]+")
_IN_TURN_TR = re.compile(r"\S+(?: \S+)? için \S+(?: \S+){0,2}")
_IN_TURN_TOO_TR = re.compile(r"\S+(?: \S+)? için \S+(?: \S+){0,2} (?P<verb>kullanıyor(?:um|uz))")
_VERB = re.compile(r"(?:yor(?:um|uz)|(?:d|t)[iu][mk]|[ae]c[ae]g[iu][mz]|[aeiu]r[iu][mz]|m[ae]m|m[ae]y[iu]z)\Z")
"""A Turkish verb in the first person."""
_COPULA = re.compile(r"(?:[aeiu]y|\bdegil)[iu][mz]\Z")
"""What somebody is: hemşireyim, değilim."""
_ENDED = re.compile(r"[iu][mz]\Z")
_OWNED = re.compile(r"\wm(?:[iu]z)? (?:hic )?(?:var|yok)\Z")
"""What somebody has: fındığa alerjim var."""
_NAMED = re.compile(r"(?:benim )?(?:adim|ismim) \w+\Z")
_IN_CASE = re.compile(r"['’]\w+\Z")


def pair(left: str, right: str, language: str, *, comma: bool) -> tuple[str, str] | None:
    """The two facts on both sides of a cut, the second with its subject; None where they are to stay together."""
    if not left or not right or is_conditional(left, language) or is_conditional(right, language):
        return None
    found = _turkish(left, right) if language == "tr" else _english(left, right, comma=comma)
    return None if found is None or not _are_facts(*found) else found


@lru_cache(maxsize=64)  # a half is asked about at each cut of its sentence
def _kind(clause: str) -> Kind | None:
    kind = plain_category(clause)
    return kind if kind in _KEPT else None


def _are_facts(first: str, second: str) -> bool:
    """Whether each would be kept by itself; of two plans one may hold the day of both."""
    kinds = (_kind(first), _kind(second))
    return None not in kinds and kinds != (Kind.PLAN, Kind.PLAN)


def _english(left: str, right: str, *, comma: bool) -> tuple[str, str] | None:
    said, (left, right) = (left, right), (spelled(left), spelled(right))
    opening = clauses.opening(left)
    if opening is None or _first(right) in lists.words("pronouns.en") or _is_bound(left, right):
        return None
    if clauses.opening(right) is not None:
        return said
    if _DENYING.search(left):
        return None
    if comma:
        second = "" if _first(right) in _small() else _same_being(left, right, opening)
    else:
        second = _same_being(left, right, opening) or _in_turn(left, right) or _same_doing(left, right)
    return (said[0], second) if second else None


def _first(clause: str) -> str:
    return plain(clause.split()[0]).partition("'")[0]


def _small() -> frozenset[str]:
    """The words that behind a comma go on with what was said: married, from Oslo."""
    return lists.words("function-words.en") - {"a", "an"}


def _is_bound(left: str, right: str) -> bool:
    """Whether a word of the first half rules over the second; a denial does not where "I" is said twice."""
    free = left if not (_OWN.match(left) and _OWN.match(right)) else _DENYING.sub("", left)
    return clauses.is_ruled(free, "en")


def _same_being(left: str, right: str, opening: clauses.Opening) -> str:
    """I'm allergic to nuts, of "I'm vegan and allergic to nuts": both must say of anybody what they are."""
    said = left[len(opening.head) :].strip()
    if opening.verb not in _BE or not said or _first(said).endswith("ing") or clauses.is_ruled(_first(right), "en"):
        return ""
    are_told = all(_kind(f"I'm {what}") in (Kind.FACT, Kind.PREFERENCE) for what in (said, _HALF.split(right)[0]))
    return f"{opening.head} {right}" if are_told else ""


def _same_doing(left: str, right: str) -> str:
    """I have two kids, of "I live in Berlin and have two kids"; no liking: "I love rice and love songs"."""
    subject = clauses.shared_subject(left, right)
    second = f"{subject} {right}"
    return second if subject and _kind(second) is Kind.FACT else ""


def _in_turn(left: str, right: str) -> str:
    """We use Datadog for monitoring, of "We use GitHub Actions for CI and Datadog for monitoring"."""
    found = _IN_TURN.fullmatch(left)
    return f"{found[1]} {right}" if found and _IN_TURN_TOO.fullmatch(right) else ""


def _turkish(left: str, right: str) -> tuple[str, str] | None:
    if (told := _IN_TURN_TOO_TR.fullmatch(right)) and _IN_TURN_TR.fullmatch(left):
        return f"{left} {told['verb']}", right
    if clauses.is_ruled(left, "tr") or clauses.is_ruled(right, "tr"):
        return None
    of_own, is_of_other = is_own(right), clauses.turkish_subject(right) != ""
    if is_own(left):
        return (left, right) if of_own or (is_of_other and " " in left) else None
    is_of_two = is_of_other and clauses.turkish_subject(left) != "" and " " in left
    return (left, right) if is_of_two and not of_own and not _IN_CASE.search(left) else None


def is_own(clause: str) -> bool:
    """Whether a Turkish clause ends in what the speaker does, is or has."""
    words = plain(clause).split()
    last = words[-1]
    if _COPULA.search(last):
        return True
    if len(words) == 1:
        return (
            last not in lists.words("possessed.tr", WORDS)
            and _ENDED.search(last) is not None
            and not _VERB.search(last)
        )
    if _VERB.search(last) or _OWNED.search(" ".join(words)) or _NAMED.match(" ".join(words)):
        return True
    return (
        last not in lists.words("possessed.tr", WORDS)
        and _ENDED.search(last) is not None
        and _kind(words[-1]) is not None
    )
