"""Atomic facts: a text cut into sentences, and a sentence into its clauses where each says something of its own.

A clause is cut off only where it cannot change its meaning: "and", "ve" or ";" stands between two whole clauses that
name different things (a comma, if each has its own subject) or that each tell a fact (``paired``), and no condition,
negation, report or doubt rules over both; nor where the second leans on the first (``leaning``). No word of
content is left out.
"""

from __future__ import annotations

import re
from functools import lru_cache

from reverie.language.detect import detect_language
from reverie.language.entities import entities
from reverie.language.letters import compose
from reverie.language.sentences import STOP, capital, is_question, masked, sentences
from reverie.recipes.v9 import clauses
from reverie.recipes.v9.leaning import is_framed, leans
from reverie.recipes.v9.paired import pair

SENTENCE_MAX = 400
"""Characters of a sentence that may be cut: what is longer is a list, a table or a document."""

_CUT = re.compile(r"(?P<semi>\s*;\s+)|,?\s+(?P<word>and|ve)\s+|,?\s+(?P<but>but|ama|fakat)\s+|(?P<comma>,\s+)")
_LANGUAGES = {"and": "en", "but": "en", "ve": "tr", "ama": "tr", "fakat": "tr"}


@lru_cache(maxsize=16)
def atomic(text: str) -> tuple[str, ...]:
    """The facts of a text, in order, each a sentence by itself; none for a text without words."""
    return tuple(fact for sentence in sentences(compose(text)) for fact in _facts(sentence))


def _facts(sentence: str) -> list[str]:
    """The facts of one sentence: cut once, and the rest again."""
    if len(sentence) > SENTENCE_MAX or is_question(sentence):
        return [sentence]
    hidden = masked(sentence)
    language = ""
    for cut in _CUT.finditer(hidden):
        language = language or detect_language(sentence)
        if language != _LANGUAGES.get(cut["word"] or cut["but"], language):
            continue
        left, right = sentence[: cut.start()].strip(), sentence[cut.end() :].strip()
        found = _cut(left, right, cut, language)
        if found:
            stop = STOP.findall(sentence)[0] or ""
            first, second = (half.removesuffix(stop) + stop for half in found)
            return [*_facts(first), *_facts(capital(second, language))]
    return [sentence]


def _cut(left: str, right: str, cut: re.Match[str], language: str) -> tuple[str, str] | None:
    """Both sides of a cut as clauses of their own; None where they must stay together."""
    is_pair = cut["semi"] is None
    if not left or not right or leans(right, language) or (is_pair and is_framed(left, language)):
        return None
    loose = (cut["comma"] or cut["but"]) is not None
    if is_pair and (paired := pair(left, right.rstrip(".!…"), language, comma=loose)):
        return paired
    if cut["but"]:
        return None
    if cut["comma"] and not (clauses.is_own_clause(left, language) and clauses.is_own_clause(right, language)):
        return None
    second = _second(left, right, language, by_mark=not is_pair)
    return (left, second) if second else None


def _second(left: str, right: str, language: str, *, by_mark: bool) -> str:
    """The clause behind the cut, with its subject; empty if the two must stay together."""
    if not _name_different_things(left, right):
        return ""
    return clauses.second_clause(left, right, language, by_mark=by_mark)


def _name_different_things(left: str, right: str) -> bool:
    ours, theirs = set(entities(left)), set(entities(right))
    return bool(ours - theirs) and bool(theirs - ours)
