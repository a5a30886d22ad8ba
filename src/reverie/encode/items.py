"""The two sides of each joint of a statement, by their words: cats | dogs of "I'm allergic to cats and dogs".

In: a statement. Out: pairs of what stands before and behind an "and", "or", "ve", "veya": two clauses where both are
some, else the two items of a list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reverie.language import chunks, clauses, lists
from reverie.language.category import category
from reverie.language.detect import detect_language
from reverie.language.leaning import leans
from reverie.language.letters import plain
from reverie.language.paired import is_own

_JOINT = re.compile(r"[,;]?\s+(?P<word>and|or|ve|veya|ya da)\s+|[,;]?\s+(?:but|ama|fakat)\s+|[,;]\s+", re.IGNORECASE)
_JOINTS_MAX = 4
_TEXT_MAX = 400

Words = frozenset[str]


def items(statement: str) -> Iterator[tuple[Words, Words]]:
    """The words of content on both sides of each joint; a second clause that leans on the first is no side."""
    text = statement[:_TEXT_MAX].rstrip(" .!…")
    language = detect_language(text)
    for joint in [*_JOINT.finditer(text)][:_JOINTS_MAX]:
        left, right = text[: joint.start()].strip(), text[joint.end() :].strip()
        if not left or not right:
            continue
        if _is_clause(left, language) and _follows(right, language):
            if not leans(right, language):
                yield content(left, language), content(right, language)
        elif joint["word"]:
            yield _listed(left, right, language)


def content(text: str, language: str) -> Words:
    """What a text is about, as terms: without verbs and words of two letters, unless there is nothing else."""
    said = [pair for chunk in chunks.reading(text, language).chunks for pair in chunk.content]
    named = frozenset(term for term, word in said if not _is_verb(word, language))
    return named or frozenset(term for term, _ in said) or frozenset(plain(text).split())


def _is_clause(text: str, language: str) -> bool:
    if not text:
        return False
    if language == "en":
        return clauses.opening(text) is not None
    if " " not in text:
        return is_own(text) and category(text) is not None
    return is_own(text) or clauses.ends_finite(text) or clauses.turkish_subject(text) != ""


def _follows(text: str, language: str) -> bool:
    """Whether a second clause begins: behind a first one a subject is enough."""
    return _is_clause(text, language) or (language == "en" and plain(text.split()[0]) in lists.words("subjects.en"))


def _is_verb(word: str, language: str) -> bool:
    bare = plain(word)
    if language == "tr":
        return clauses.ends_finite(bare)
    return any(bare in lists.words(name) for name in ("verbs-base.en", "verbs-third.en"))


def _listed(left: str, right: str, language: str) -> tuple[Words, Words]:
    """The item before a joint and the one behind it; of a Turkish one as many words as the first has."""
    before = _run(left.split()[::-1], language)
    if language == "en":
        return content(" ".join(before), language), content(" ".join(_behind(right.split(), language)), language)
    return content(" ".join(before), language), content(" ".join(right.split()[: len(before)]), language)


def _behind(words: list[str], language: str) -> list[str]:
    """The words of an English item, behind the article or the verb it begins with."""
    if plain(words[0]) in lists.words("subjects.en"):
        return []
    while len(words) > 1 and not _carries(words[0], language):
        words = words[1:]
    return _run(words, language)


def _run(words: list[str], language: str) -> list[str]:
    """The words up to the first that carries nothing."""
    end = next((at for at, word in enumerate(words) if at and not _carries(word, language)), len(words))
    return words[:end]


def _carries(word: str, language: str) -> bool:
    bare = plain(word.strip(",;:"))
    return bare not in lists.words(f"function-words.{language}") and not _is_verb(bare, language)
