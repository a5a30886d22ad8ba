"""Condense texts into short statements, each with the ids of the texts it is from; no language model is needed.

In: texts with ids. Out: a ``Digest``. Two means: words without content are left out of every statement (``terse``),
and where a budget is given, the statements with the most information for their length are kept. Names, numbers, dates
and negations are never left out of a statement that is kept; code, addresses and quotations stay as they are.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from reverie.answers import Digest, Statement
from reverie.formulas.text_statistics import estimated_tokens
from reverie.language.text import lists
from reverie.language.text.analyzer import reading
from reverie.language.text.coverage import lacks
from reverie.language.text.letters import APOSTROPHES, detect_language, lower
from reverie.language.text.patterns import MASK, masked, sentences

OTHERS_SHARE = 0.5
"""Weight of what an assistant, a tool or a feed said beside what people said (decision 0075)."""
POINTER_TOKENS = 2
"""Tokens that the pointer to a source costs, as in "[12]"."""
HARD_WEIGHT = 2.0
"""Weight of the terms of names, numbers and dates beside other content words (decision 0075)."""
_HARD = re.compile(r"(?<=[\w,;:] )[^\W\d_a-zçğıöşü]\w+|\S*\d\S*")
"""A capital inside of a sentence, or a digit: a name, number or date."""
_ENDS = ".!?…"
_MARKS = ".,;:!?…"
_FENCE = "```"


Said: TypeAlias = tuple[str, str]
"""A statement and its speaker: two speakers who say the same are two statements."""


@dataclass(frozen=True, slots=True)
class Source:
    """A text to condense: its id, whether a person said it (no assistant, tool or feed), and who."""

    id: str
    text: str
    personal: bool = True
    speaker: str = ""


def digest(
    sources: Sequence[Source], budget_tokens: int | None = None, count: Callable[[str], int] = estimated_tokens
) -> Digest:
    """Condense texts, within a budget of tokens if one is given; ``count`` gives the tokens of a text.

    What one speaker says in several texts is kept once, with all their ids. If there is no room for all, those with the
    rarest content words for their length are kept; names and numbers count more, early sentences of a text too.

    Source: decision-0075
    """
    found: dict[Said, dict[str, int]] = {}
    for source in sources:
        for place, text in enumerate(statements(source.text)):
            found.setdefault((text, source.speaker), {}).setdefault(source.id, place)
    costs = {said: count(said[0]) for said in found}
    kept = set(found) if budget_tokens is None else _within(found, sources, budget_tokens, costs)
    told = tuple(Statement(said[0], tuple(ids), said[1]) for said, ids in found.items() if said in kept)
    cost = sum(map(costs.__getitem__, kept)) + POINTER_TOKENS * len(set[str]().union(*(one.sources for one in told)))
    partial = set[str]().union(*(found[said] for said in found.keys() - kept))
    whole = sum(map(count, (source.text for source in sources)))
    return Digest(told, cost, whole, tuple(dict.fromkeys(one.id for one in sources if one.id in partial)))


def _within(
    found: dict[Said, dict[str, int]], sources: Sequence[Source], budget_tokens: int, costs: dict[Said, int]
) -> set[Said]:
    """Return the statements that fit into a budget: those of the most information for their tokens."""
    personal = {source.id for source in sources if source.personal}
    terms = {said: _terms(said[0]) for said in found}
    held = Counter(term for own in terms.values() for term in own)
    rarity = {term: math.log(1.0 + len(found) / count) for term, count in held.items()}

    def worth(said: Said) -> float:
        share = 1.0 if personal.intersection(found[said]) else OTHERS_SHARE
        place = min(found[said].values())
        value = math.fsum(weight * rarity[term] for term, weight in terms[said].items())
        return share * value / math.sqrt(1.0 + place) / (costs[said] + POINTER_TOKENS)

    kept, pointed, left = set[Said](), set[str](), budget_tokens
    order = {said: place for place, said in enumerate(found)}
    for said in sorted(found, key=lambda said: (-worth(said), order[said])):
        new = found[said].keys() - pointed
        cost = costs[said] + POINTER_TOKENS * len(new)
        if cost <= left:
            kept.add(said)
            pointed |= new
            left -= cost
    return kept


def _terms(text: str) -> dict[str, float]:
    """Return the content words of a statement as stems, each with its weight."""
    terms = {stem: 1.0 for chunk in reading(text).chunks for stem, _ in chunk.content}
    for word in _HARD.findall(text):
        for chunk in reading(word).chunks:
            terms.update(dict.fromkeys(chunk.terms, HARD_WEIGHT))
    return terms


def statements(text: str) -> list[str]:
    """Split a text into its sentences, and leave words without content out of each; a block of code stays whole."""
    if _FENCE not in text:
        return [short for one in sentences(text) if (short := terse(one))]
    found: list[str] = []
    for place, part in enumerate(text.split(_FENCE)):
        if place % 2:
            found.append(f"{_FENCE}{part}{_FENCE}")
        else:
            found += statements(part)
    return found


def pointed(text: str, members: Sequence[Source]) -> tuple[Statement, ...]:
    """Return the statements of a text that was made of members, each with the ids of those that say it."""
    said = [(one, frozenset(statements(one.text))) for one in members]
    parts = [text] if any(text == one.text for one in members) else _parts(text)
    return tuple(
        Statement(part, tuple(one.id for one, own in said if part in own or part in one.text)) for part in parts
    )


def _parts(text: str) -> list[str]:
    """Split into sentences, with blocks of code whole and nothing left out."""
    parts = text.split(_FENCE)
    return [
        piece
        for place, part in enumerate(parts)
        for piece in ([f"{_FENCE}{part}{_FENCE}"] if place % 2 else sentences(part))
    ]


def lost(condensed: str, text: str, *, same_day: bool = True) -> tuple[str, ...]:
    """Return what condensed statements leave out of a text apart from words without content; empty if nothing.

    ``same_day``: both are from one day, so that "yesterday" means the same.
    """
    return lacks(condensed, "\n".join(statements(text)), same_day=same_day)


def terse(sentence: str) -> str:
    """Return a sentence without the words that say nothing of their own.

    A word stays before a number or a name, beside a negation, and where it is a name itself. A sentence with code or
    a quotation stays as it is, and so does one of which nothing would be left.

    >>> terse("I really want to be at the station in 20 minutes, and that is not a joke.")
    'I want station in 20 minutes, and is not a joke.'
    """
    chunks = sentence.split()
    words = [_bare(chunk) for chunk in masked(sentence).split()]
    dropped = _dropped(detect_language(sentence))
    if len(words) != len(chunks) or dropped.isdisjoint(words):
        return sentence.strip()
    kept: list[str] = []
    for place, chunk in enumerate(chunks):
        if not _is_empty(place, chunks, words, dropped):
            kept.append(chunk)
        elif chunk[-1] in _ENDS:
            kept[-1:] = [kept[-1].rstrip(_MARKS) + chunk[-1]] if kept else [chunk]
    return " ".join(kept) or sentence.strip()


def _is_empty(place: int, chunks: Sequence[str], words: Sequence[str], dropped: frozenset[str]) -> bool:
    """Whether a word of a sentence can be left out."""
    word, chunk = words[place], chunks[place]
    if word not in dropped or not (chunk[0].islower() or (place == 0 and chunk[1:].islower())):
        return False
    beside = (*words[max(place - 1, 0) : place], *words[place + 1 : place + 2])
    if any(one in _guards() or one.endswith("n't") for one in beside):
        return False
    return place + 1 == len(words) or not _is_firm(chunks[place + 1], words[place + 1])


def _is_firm(chunk: str, word: str) -> bool:
    """Whether a word is a number, with digits or spelled out, may be a name, or is quoted: "to" stays before "Bob"."""
    return chunk[0].isupper() or any(map(str.isdigit, chunk)) or word in _numbers() or MASK in word


def _bare(chunk: str) -> str:
    """Return a chunk as it is looked up: lower case, without the stops after it; "" if it has other signs around it."""
    word = chunk.translate(APOSTROPHES).rstrip(_MARKS)
    return lower(word, "en")


@cache
def _dropped(language: str) -> frozenset[str]:
    return lists.words(f"dropped.{language}")


@cache
def _guards() -> frozenset[str]:
    return lists.words("kept-after")


@cache
def _numbers() -> frozenset[str]:
    tables = [lists.table(f"time-words.{language}") for language in ("en", "tr")]
    named = (name for table in tables for key, names in table.items() if key.startswith("number ") for name in names)
    return frozenset(named) - {"a", "an"}
