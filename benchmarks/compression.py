"""``python -m benchmarks compression``: how much labelled evidence a digest holds, beside truncation and extracts.

In: a set and its files. Sessions, joined to documents of at least ``LEAST`` tokens, are compressed to 1/2, 1/5 and 1/10
of their tokens without a look at the questions. Out: for each way the share of the evidence messages' content that
is left, under its own message: content words (stems), and names and numbers alone; with 95 % intervals over questions,
and the paired difference to the best other way. A token is four characters, for all alike; a digest pays for its
pointers. Evidence that is merely pointed to counts for nothing. Also planted facts: none may be lost.
"""

from __future__ import annotations

import argparse
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import product
from typing import TypeAlias

import numpy as np

from benchmarks.sets import chosen, load
from benchmarks.statistics import Values, difference, intervals, resample
from benchmarks.systems.reverie import message, message_ids
from benchmarks.values import Haystack, Item, Notes
from reverie import Reverie, Scope
from reverie.answers import Digest
from reverie.formulas.arrays import Floats
from reverie.language.digest import Source, digest, terse
from reverie.language.text import lists
from reverie.language.text.analyzer import index_terms
from reverie.language.text.patterns import sentences
from reverie.recipes.default.recall import CONDENSE
from reverie.recipes.recipe import OwnRecipe, Recipe, recipe
from reverie.types import PEOPLE

RATIOS = (2, 5, 10)
LEAST = 1000
"""Fewest tokens of a document that is compressed."""
OURS = "digest"
_DAMPING, _ROUNDS, _NEAR = 0.85, 50, 0.1
"""LexRank's published numbers: damping, power iterations, cosine from which two sentences are linked."""
_LETTERS = 4.0
_HARD = re.compile(r"(?<![.!?…] )(?<!^)\b[A-ZÇĞİÖŞÜ][\w'’-]+|\S*\d\S*")
"""A word with a capital inside of a sentence, or anything with a digit."""

Kept: TypeAlias = dict[int, list[str]]
"""What is left of each message of a document, by its place."""
Way: TypeAlias = Callable[[Sequence[Item], int], Kept]


def tokens(text: str) -> int:
    """Count tokens as four characters each."""
    return math.ceil((len(text) + 1) / _LETTERS)


@cache
def _stops() -> frozenset[str]:
    names = [
        f"{kind}.{language}" for kind in ("stop-index", "stop-question", "function-words") for language in ("en", "tr")
    ]
    words = frozenset[str]().union(*map(lists.words, names))
    return words | {term for word in words for term in index_terms(word)}


def content(text: str) -> frozenset[str]:
    """Return the stems of the content words of a text."""
    return frozenset(index_terms(text)) - _stops()


def hard(text: str) -> frozenset[str]:
    """Return the names and numbers of a text."""
    return frozenset(_bare(one) for one in _HARD.findall(text))


def _bare(word: str) -> str:
    return word.strip(".,;:!?()[]\"'").lower().split("'")[0]


# The ways to compress a document into so many tokens.


@dataclass(frozen=True, slots=True)
class Piece:
    """One sentence of a message: the message's place, the sentence's, and its words."""

    message: int
    place: int
    text: str


def _pieces(document: Sequence[Item]) -> list[Piece]:
    return [Piece(m, k, one) for m, item in enumerate(document) for k, one in enumerate(sentences(item.text))]


def _filled(pieces: Sequence[Piece], order: Sequence[int], budget: int) -> Kept:
    kept: Kept = defaultdict(list)
    for number in order:
        cost = tokens(pieces[number].text)
        if cost <= budget:
            kept[pieces[number].message].append(pieces[number].text)
            budget -= cost
    return kept


def head(document: Sequence[Item], budget: int) -> Kept:
    """Keep the beginning: truncation."""
    kept: Kept = {}
    for place, item in enumerate(document):
        kept[place] = [item.text[: int(budget * _LETTERS)]]
        budget -= tokens(item.text)
        if budget <= 0:
            break
    return kept


def tail(document: Sequence[Item], budget: int) -> Kept:
    """Keep the end: truncation from the other side."""
    kept = head(document[::-1], budget)
    return {len(document) - 1 - place: texts for place, texts in kept.items()}


def each(document: Sequence[Item], budget: int) -> Kept:
    """Keep the beginning of every message, the same share of each."""
    share = budget / sum(tokens(item.text) for item in document)
    return {place: [item.text[: int(len(item.text) * share)]] for place, item in enumerate(document)}


def lead(document: Sequence[Item], budget: int) -> Kept:
    """Keep the first sentence of each message, then the second, as far as they fit."""
    pieces = _pieces(document)
    return _filled(pieces, sorted(range(len(pieces)), key=lambda n: (pieces[n].place, n)), budget)


def drawn(document: Sequence[Item], budget: int) -> Kept:
    """Keep sentences by chance."""
    pieces = _pieces(document)
    order = list(range(len(pieces)))
    random.Random(len(pieces)).shuffle(order)
    return _filled(pieces, order, budget)


def lexrank(document: Sequence[Item], budget: int) -> Kept:
    """Keep the most central sentences by LexRank (Erkan and Radev 2004)."""
    return _filled(*_by_lexrank(tuple(document)), budget)


def textrank(document: Sequence[Item], budget: int) -> Kept:
    """Keep the most central sentences by TextRank (Mihalcea and Tarau 2004), linked by cosine."""
    return _filled(*_by_textrank(tuple(document)), budget)


@lru_cache(maxsize=1)  # a document is compressed to several lengths
def _by_lexrank(document: tuple[Item, ...]) -> tuple[list[Piece], list[int]]:
    pieces = _pieces(document)
    return pieces, _central((_cosines(pieces) > _NEAR).astype(np.float64))


@lru_cache(maxsize=1)
def _by_textrank(document: tuple[Item, ...]) -> tuple[list[Piece], list[int]]:
    pieces = _pieces(document)
    links = _cosines(pieces)
    np.fill_diagonal(links, 0.0)
    return pieces, _central(links)


def _cosines(pieces: Sequence[Piece]) -> Floats:
    terms = [content(piece.text) for piece in pieces]
    held = Counter(term for own in terms for term in own)
    columns = {term: place for place, term in enumerate(sorted(held))}
    rows = np.zeros((len(pieces), max(1, len(columns))), np.float32)
    for row, own in enumerate(terms):
        for term in own:
            rows[row, columns[term]] = math.log(1.0 + len(pieces) / held[term])
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    rows /= np.where(lengths == 0.0, 1.0, lengths)
    found: Floats = (rows @ rows.T).astype(np.float64)
    return found


def _central(links: Floats) -> list[int]:
    """Order sentences by a random walk over their links, the most visited first."""
    sums = links.sum(axis=1, keepdims=True)
    steps = links / np.where(sums == 0.0, 1.0, sums)
    visits = np.full(len(links), 1.0 / max(1, len(links)))
    for _ in range(_ROUNDS):
        visits = (1.0 - _DAMPING) / len(links) + _DAMPING * (steps.T @ visits)
    return sorted(range(len(links)), key=lambda place: (-round(float(visits[place]), 12), place))


def condensed(document: Sequence[Item], budget: int) -> Kept:
    """Keep the statements of Reverie's digest."""
    return _told(
        digest([Source(str(m), one.text, one.role in PEOPLE) for m, one in enumerate(document)], budget, tokens)
    )


def _told(made: Digest) -> Kept:
    kept: Kept = defaultdict(list)
    for one in made.statements:
        for name in one.sources:
            kept[int(name)].append(one.text)
    return kept


def short_lead(document: Sequence[Item], budget: int) -> Kept:
    """Keep what ``lead`` does, of sentences made terse: what choosing adds to leaving words out."""
    pieces = [Piece(one.message, one.place, terse(one.text)) for one in _pieces(document)]
    return _filled(pieces, sorted(range(len(pieces)), key=lambda n: (pieces[n].place, n)), budget)


WAYS: dict[str, Way] = {
    "truncated head": head,
    "truncated tail": tail,
    "truncated each": each,
    "random": drawn,
    "lead": lead,
    "LexRank": lexrank,
    "TextRank": textrank,
    "terse lead": short_lead,
    OURS: condensed,
}
RIVALS = tuple(name for name in WAYS if name not in (OURS, "terse lead"))


# Measuring.


def documents(haystack: Haystack) -> Iterator[list[Item]]:
    """Join whole sessions to documents."""
    current: list[Item] = []
    size = 0
    for item in haystack.items:
        if current and item.session != current[-1].session and size >= LEAST:
            yield current
            current, size = [], 0
        current.append(item)
        size += tokens(item.text)
    if current:
        yield current


Held: TypeAlias = dict[tuple[str, int], dict[str, tuple[float, float]]]
"""By way and ratio, for each evidence message: the shares left of its content, and of its names and numbers."""


def held_of(haystack: Haystack) -> Held:
    """Compress every document with evidence in every way, and measure what is left of each evidence message."""
    gold = {name for question in haystack.questions for name in question.gold}
    addressed = {_bare(word) for item in haystack.items for word in item.speaker.split()}  # "Hi Ann!" states nothing
    held: Held = defaultdict(dict)
    for document in documents(haystack):
        wanted = [(place, item) for place, item in enumerate(document) if item.id in gold]
        whole = sum(tokens(item.text) for item in document)
        for name, ratio in product(WAYS, RATIOS) if wanted else ():
            kept = WAYS[name](document, whole // ratio)
            for place, item in wanted:
                held[name, ratio][item.id] = _shares(item.text, "\n".join(kept.get(place, ())), addressed)
    return held


def _shares(text: str, left: str, addressed: Collection[str]) -> tuple[float, float]:
    """Return the shares left of a text's content, and of its names and numbers but for who is addressed."""
    words = frozenset(map(_bare, left.split()))  # a name may open a sentence now
    return _share(content(text), content(left)), _share(hard(text).difference(addressed), words)


def _share(units: frozenset[str], left: frozenset[str]) -> float:
    """Return the share of units that is left; NaN if there are none."""
    return len(units & left) / len(units) if units else math.nan


def _by_question(haystack: Haystack, held: dict[str, tuple[float, float]], which: int) -> list[float]:
    found = []
    for question in haystack.questions:
        shares = [held[name][which] for name in question.gold if name in held and question.answerable]
        shares = [share for share in shares if not math.isnan(share)]
        found.append(sum(shares) / len(shares) if shares else math.nan)
    return found


def measured(haystacks: Sequence[Haystack], seed: int) -> Iterator[str]:
    """Yield the lines of a set's table."""
    values: dict[tuple[str, int, int], list[float]] = defaultdict(list)
    for haystack in haystacks:
        held = held_of(haystack)
        for name, ratio in held:
            for which in (0, 1):
                values[name, ratio, which] += _by_question(haystack, held[name, ratio], which)
    for which, what in enumerate(("content words", "names and numbers")):
        for ratio in RATIOS:
            rows = {name: np.array(values[name, ratio, which]) for name in WAYS}
            yield from _table(what, ratio, rows, seed)


def _table(what: str, ratio: int, rows: dict[str, Values], seed: int) -> Iterator[str]:
    asked = ~np.isnan(rows[OURS])
    weights = resample(int(asked.sum()), seed)
    yield f"{what} left at 1/{ratio}, {int(asked.sum())} questions"
    for name, row in rows.items():
        found = intervals(row[asked][:, np.newaxis], weights)
        yield f"  {name:16}{found.mean[0]:7.1%} [{found.low[0]:.1%}, {found.high[0]:.1%}]"
    best = max(RIVALS, key=lambda name: float(rows[name][asked].mean()))
    gain = difference(rows[OURS][asked], rows[best][asked], weights)
    yield f"  {OURS} over {best}: {gain.mean:+.1%} [{gain.low:+.1%}, {gain.high:+.1%}]"


# Recall with little room: hits that do not fit, left out or condensed.


BUDGETS = (100, 200, 400)
_SCOPE = Scope(agent="benchmark", user="reader", project="compression")


def packed(haystacks: Sequence[Haystack], seed: int) -> Iterator[str]:
    """Yield lines: the content of the evidence that a recall by text brings, with hits that do not fit condensed."""
    base = recipe("reverie")
    condensing = OwnRecipe("condensing", replace(base.recall, condense=CONDENSE), base.encode, base.dream, base.working)
    found = [np.array([row for one in haystacks for row in _brought(one, arm)]) for arm in (base, condensing)]
    asked = ~np.isnan(found[0]).any(axis=1)
    weights = resample(int(asked.sum()), seed)
    for place, budget in enumerate(BUDGETS):
        plain, short = (rows[asked][:, place] for rows in found)
        gain = difference(short, plain, weights)
        yield (
            f"recall in {budget} tokens, {int(asked.sum())} questions: {plain.mean():.1%}, condensed {short.mean():.1%}"
            f", {gain.mean:+.1%} [{gain.low:+.1%}, {gain.high:+.1%}], better {gain.better}, worse {gain.worse}"
        )


def _brought(haystack: Haystack, arm: Recipe) -> Iterator[list[float]]:
    """Yield for each question and budget the share of its evidence's content that is injected."""
    texts = {item.id: item.text for item in haystack.items}
    with Reverie.open(":memory:", embedder=None, recipe=arm, background=False) as engine:
        engine.transfer.remember_many((message(item) for item in haystack.items), _SCOPE)
        known = dict(message_ids(engine, _SCOPE))
        for question in haystack.questions:
            row = []
            for budget in BUDGETS:
                seen = engine.explain(question.text, _SCOPE, budget_tokens=budget, now=question.asked_at)
                hits = (*seen.recollection.standing, *seen.recollection.hits)
                told = {known[hit.memory.id]: hit.shown or hit.memory.text for hit in hits if hit.memory.id in known}
                gold = question.gold if question.answerable else ()
                shares = [_share(content(texts[name]), content(told.get(name, ""))) for name in gold]
                row.append(sum(shares) / len(shares) if shares else math.nan)
            yield row


# Planted facts: names, numbers, dates and denials in sentences of many forms; a complete digest loses none.


PLANTED = 500
_NAMES = ("Zeynep", "Okan", "Priya", "Lars", "Ayşe", "Tom", "May", "Will", "Rose", "İpek")
_PLACES = ("Izmir", "Oslo", "Reading", "Of", "Ankara", "Nice")
_FORMS = (
    ("Hi there, {name} is really at the {place} office on {date}.", "name place date"),
    ("Please note that the code of {name} is {number}, not {other}.", "name number other not"),
    ("It's {number} kilometres to {place}, and that is not very far.", "number place not"),
    ("{name} isn't in {place} for {number} days, thanks!", "name place number isn't"),
    ("I am never at {place} on {date}.", "place date never"),
    ("{name} is without a car in {place}.", "name place without"),
    ("Actually the {name} account is at -{number} of {other}.", "name number other"),
    ("Yani {name} {date} günü {place} şehrinde değil.", "name date place değil"),
    ("Aslında {name} {number} lira ödedi, {other} değil.", "name number other değil"),
    ("`the {name} is of {number}` is what it's for.", "name number"),
)


@dataclass(frozen=True, slots=True)
class Planted:
    """A text with what was planted in it, and the words beside each fact."""

    text: str
    facts: tuple[str, ...]


def planted(seed: int, count: int = PLANTED) -> list[Planted]:
    """Generate texts with planted names, numbers, dates and denials, the same for a seed."""
    chance = random.Random(seed)
    return [_planted(chance) for _ in range(count)]


def _planted(chance: random.Random) -> Planted:
    texts, facts = list[str](), list[str]()
    for _ in range(chance.randint(1, 6)):
        form, wanted = chance.choice(_FORMS)
        filled = {
            "name": chance.choice(_NAMES),
            "place": chance.choice(_PLACES),
            "number": f"{chance.randint(2, 10**6):,}",
            "other": str(chance.randint(2, 10**6) / 100),
            "date": f"{chance.randint(1, 28)}.{chance.randint(1, 12)}.{chance.randint(1990, 2030)}",
        }
        texts.append(form.format(**filled))
        facts += [filled.get(word, word) for word in wanted.split()]
    return Planted(" ".join(texts), tuple(facts))


def lost_facts(texts: Sequence[Planted]) -> tuple[int, int]:
    """Condense planted texts together; return the facts that are gone from their own statements, and all facts."""
    made = digest([Source(str(place), one.text) for place, one in enumerate(texts)])
    kept = {place: Counter(_words(" ".join(said))) for place, said in _told(made).items()}
    wanted = [Counter(_words(" ".join(dict.fromkeys(one.facts)))) for one in texts]
    missing = sum((facts - kept.get(place, Counter())).total() for place, facts in enumerate(wanted))
    return missing, sum(facts.total() for facts in wanted)


def _words(text: str) -> list[str]:
    return re.findall(r"[\w.,'’]*\w", text)


def run(options: argparse.Namespace, given: Sequence[str]) -> None:
    """Print the planted facts that were lost, and a table a set."""
    del given  # the table depends on no folder's name
    missing, all_of = lost_facts(planted(options.seed))
    print(f"planted facts lost: {missing} of {all_of}")
    for one in chosen(options.set, options.data) if options.set and options.data else ():
        notes = Notes()
        print(f"\n{one.set.name}")
        haystacks = list(load(one.set, one.paths, notes, options.limit))
        for line in packed(haystacks, options.seed) if options.recall else measured(haystacks, options.seed):
            print(line)
