"""Whether half of a sentence can stand without the other half.

In: a clause of a sentence that is to be cut. Out: whether it leans on what stands before it, sets a frame for what
follows, or says nothing but a verb.
"""

from __future__ import annotations

import re

from reverie.language import lists, patterns
from reverie.language.apostrophes import spelled
from reverie.language.letters import plain
from reverie.language.tenses import is_past_verb
from reverie.recipes.v9 import clauses
from reverie.recipes.v9.wordlists import WORDS

_WORD = re.compile(r"[^\W\d_][\w'’]*")
_DONE = re.compile(
    r"(?:yor|(?:d|t)[iu]|m[iu]s|[ae]ca[kg]|[ae]ce[kg]|m[ae]z|m[ae]|\w[aeiu]r)(?:[iu]?[mz]|[ln][ae]r|k|n[iu]z)?\Z"
)
"""A Turkish word that may be a verb, in any person."""
_IS_NOT = re.compile(r"degil(?:[iu][mz])?\Z")
_PLACE = re.compile(r"\w{2}[dt][ae]\Z")
_LIVES = re.compile(r"yor\w*\Z|(?:d|t)[iu][mk]\Z")


def leans(clause: str, language: str) -> bool:
    """Whether a clause points back, says "too", or leaves out its verb or its object."""
    said = plain(spelled(clause) if language == "en" else clause).replace("’", "'").rstrip(" .!…")
    if patterns.any_of(f"leaning.{language}", WORDS).search(said):
        return True
    return language == "tr" and _has_no_object(clause)


def is_framed(clause: str, language: str) -> bool:
    """Whether a first half opens with a time, a place, a doubt or a role under which the second stands as well."""
    said = plain(clause).replace("’", "'")
    if patterns.any_of(f"framed.{language}", WORDS).search(said):
        return True
    return language == "tr" and (":" in clause or _is_placed(said.split()))


def is_bare(sentence: str, language: str) -> bool:
    """Whether a sentence says who did something and nothing else: I quit; gelmedim."""
    words = [word.replace("’", "'") for word in _WORD.findall(plain(spelled(sentence)))]
    if language == "tr":
        return len(words) == 1 and _LIVES.search(words[0]) is not None
    if not words or words[0].partition("'")[0] not in lists.words("subjects.en", WORDS):
        return False
    doing = [word for word in words[1:] if word not in lists.words("auxiliaries.en", WORDS)]
    return len(doing) == 1 and is_past_verb(doing[0])


def _has_no_object(clause: str) -> bool:
    """Whether nothing stands between the subject of a Turkish clause and its verb: kocam yiyor, annem değil."""
    words = clause.split()
    if not words:
        return False
    subject = clauses.turkish_subject(clause)
    last = plain(words[-1].rstrip(".!…"))
    if not subject or len(subject.split()) != len(words) - 1 or last == "var":
        return False
    return bool(_DONE.search(last) or _IS_NOT.search(last))


def _is_placed(words: list[str]) -> bool:
    """Whether a clause begins with a place that its verb has not: of what somebody is, or beside the verb's own place.

    A name in its case is somewhere: Bosch'ta mühendisim.
    """
    if len(words) < 2 or not _PLACE.search(words[0].rstrip(",")):
        return False
    return _LIVES.search(words[-1]) is None or any(_PLACE.search(word.replace("'", "")) for word in words[1:])
