"""Decomposition of a question: two to four questions that can be searched for one by one, or the question alone.

No word of content is left out: each stands in at least one part.
"""

from __future__ import annotations

import re

from reverie.language import lists
from reverie.language.detect import detect_language
from reverie.language.entities import entities
from reverie.language.keywords import keywords
from reverie.language.letters import compose, plain
from reverie.language.patterns import any_of, found
from reverie.language.question import is_first_person
from reverie.language.sentences import MASK, masked
from reverie.recipes.v9.wordlists import WORDS

PARTS_MAX = 4
TEXT_MAX = 600
"""Characters; a longer text is no question but a document, and is searched for as it is."""
NAMES_MAX = 200
"""Characters of a question that is asked once for each of two names."""

_QUESTION = re.compile(r"\?+[\s)\"”]*")
_AND = re.compile(r",? (?:and|ve|ile) ")
_BOTH = re.compile(r"\b[Bb]oth \Z")
_WORD = re.compile(r"[\w']+")


def sub_queries(text: str) -> tuple[str, ...]:
    """The two to four questions a text is made of; the text alone if it is one."""
    whole = compose(text).strip()
    if not whole or len(whole) > TEXT_MAX:
        return (text,)
    parts = [part for question in _questions(whole) for part in _by_connective(question)]
    if len(parts) == 1:
        parts = _by_names(whole)
    if len(parts) > PARTS_MAX:
        parts = [*parts[: PARTS_MAX - 1], " ".join(parts[PARTS_MAX - 1 :])]
    return tuple(parts) if len(parts) > 1 else (text,)


def _questions(text: str) -> list[str]:
    """The text cut after each question mark; what says nothing by itself stays with its neighbour."""
    cut: list[str] = []
    start = 0
    for mark in _QUESTION.finditer(masked(text)):
        cut.append(text[start : mark.end()].strip())
        start = mark.end()
    tail = text[start:].strip()
    if tail and cut:
        cut[-1] += " " + tail
    kept = cut[:1] or [text]
    for piece in cut[1:]:
        if _stands_alone(piece, named=False) and _stands_alone(kept[-1], named=False):
            kept.append(piece)
        else:
            kept[-1] += " " + piece
    return kept


def _stands_alone(piece: str, *, named: bool) -> bool:
    """Whether a piece can be searched for by itself: it has a content word, and a name or the asker where it speaks of
    somebody by pronoun, or where ``named`` asks of whom it speaks: "ve ne zaman gitti" does not say.
    """
    language = detect_language(piece)
    words = _WORD.findall(plain(piece))
    points_back = not lists.words(f"pronouns.{language}").isdisjoint(words)
    if not points_back and (not lists.words(f"asker.{language}", WORDS).isdisjoint(words) or is_first_person(piece)):
        return bool(keywords(piece))
    if points_back or (named and not _has_subject(piece, words, language)):
        return bool(entities(piece))
    return bool(keywords(piece))


def _has_subject(piece: str, words: list[str], language: str) -> bool:
    """Whether a question says of what it asks: in Turkish by a word of content before its last one, the verb."""
    return language == "en" or any(plain(word) != words[-1] for word in keywords(piece))


def _by_connective(question: str) -> list[str]:
    """A question cut where a second one is added to it: "and also", "ayrıca", "and where", "ve … nerede"."""
    words, language = plain(masked(question)), detect_language(question)
    for name, named in (("also", False), ("and-question", True)):
        pieces: list[str] = []
        start = 0
        for cut in any_of(f"{name}.{language}", WORDS).finditer(words):
            pieces.append(question[start : cut.start()].strip(" ,;"))
            start = cut.end()
        pieces.append(question[start:].strip())
        if len(pieces) > 1 and all(_asks(piece, language, named=named) for piece in pieces):
            return pieces
    return [question]


def _asks(piece: str, language: str, *, named: bool) -> bool:
    """Whether a piece can be searched for alone and, where ``named`` is asked for, is a question of its own."""
    is_question = (language == "en" and not named) or any_of(f"asks.{language}", WORDS).search(plain(piece)) is not None
    return is_question and _stands_alone(piece, named=named)


def _by_names(question: str) -> list[str]:
    """Two questions of one about two that are named: what A and B did gives what A did and what B did."""
    if (
        len(question) > NAMES_MAX
        or MASK in masked(question)
        or found("of-two", question, WORDS)
        or not found("asks", question, WORDS)
    ):
        return [question]
    names = sorted(entities(question), key=len, reverse=True)
    for link in _AND.finditer(question):
        before, after = question[: link.start()], question[link.end() :]
        left = next((name for name in names if _ends_with(before, name)), "")
        right = next((name for name in names if after.startswith(name)), "")
        if left and right and left != right:
            head, tail = _BOTH.sub("", before[: -len(left)]), after[len(right) :]
            return [head + name + tail for name in (left, right)]
    return [question]


def _ends_with(before: str, name: str) -> bool:
    rest = before.removesuffix(name)
    return rest != before and not rest[-1:].isalnum() and not rest.endswith((", ", "-"))
