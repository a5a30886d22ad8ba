"""Standing instructions: add orders about every answer, even without a word of the cue (decisions 0023, 0060).

In: a recall with its candidates. Out: the same with the latest of these orders among the first, within a token limit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from math import floor

from reverie.answers import Signal
from reverie.conflicts.pairs import statement
from reverie.conflicts.verdict import replacing
from reverie.formulas.text_statistics import estimated_tokens
from reverie.language.orders import EVERY, MARKS, asks_advice, asks_record
from reverie.recall.co_retrieval import seen_of
from reverie.recall.deduplication import words_of
from reverie.recall.query import USER
from reverie.recall.state import Candidate, RecallState, held_at
from reverie.recall.supersession import touched, trail
from reverie.types import Kind, Memory

MARK = "standing"
"""Name of the signal of a hit that was added or kept because it is a standing instruction; its value is 1."""

TAKEN_BACK = 0.5
"""Probability of being replaced by a later order from which on an order is left out, as for marking outdated hits."""
_RECENT = 12
"""How many of the latest orders about every answer are read."""
_SAME = 0.75
"""Share of the longer order's words from which on two orders are the same. At a half "always answer in Turkish" would
equal "always answer in bullet points"."""


@dataclass(frozen=True, slots=True)
class StandingInstructions:
    """A stage that adds the latest ``general`` orders about every answer: its language, length or form of address.

    An automatic recall returns them before the first page, because a budget may end anywhere in the page. A manual one
    returns them in the last places of the first page, at most the share ``places`` of it (in whole hits, rounded
    down), so that they never precede the best evidence. Together they take at most ``share`` of the token budget.
    Orders on a topic and preferences need no places: the search has signals for them (``signals``).
    """

    share: float
    places: float
    general: int
    name: str = "standing orders"

    def __call__(self, quest: RecallState) -> RecallState:
        """Return the state with the standing instructions among the first candidates."""
        request = quest.request
        if request.as_of is not None or (asks_record(request.text) and not asks_advice(request.text)):
            return quest.noted("what was said is asked for")
        chosen = self._within(quest, _general(quest, self.general))
        if not chosen:
            return quest.noted("none apply")
        page = min(quest.page.size, quest.limit)
        found = iter(quest.candidates)
        head = list(islice(found, page))
        merged = _before(head, chosen) if request.automatic else _merged(head, chosen, floor(self.places * page))
        passed = {one.memory.id for one in merged}
        rest = (one for one in found if one.memory.id not in passed)
        return replace(quest, candidates=chain(merged, rest)).noted(f"{len(chosen)} apply")

    def _within(self, quest: RecallState, chosen: Sequence[Candidate]) -> list[Candidate]:
        """Return those that fit into the share of the token budget, the latest first."""
        budget = quest.request.budget_tokens
        if budget is None:
            return list(chosen)
        left = int(self.share * budget)
        kept = []
        for one in chosen:
            tokens = estimated_tokens(one.memory.text)
            if tokens <= left:
                left -= tokens
                kept.append(one)
        return kept


def _general(quest: RecallState, most: int) -> list[Candidate]:
    """Return the user's latest orders about every answer that are in force, at most ``most``."""
    corpus = quest.world.corpus
    marked = corpus.postings(EVERY).ordinals
    ordinals = marked[corpus.roles[marked] == USER][::-1]
    among = held_at(corpus, quest.request)
    ordinals = (ordinals if among is None else ordinals[among[ordinals]])[:_RECENT]
    if not len(ordinals):
        return []
    memories = corpus.fetch(ordinals.tolist())
    found = [
        Candidate(ordinal, memory, 1.0, (Signal(MARK, 1.0, 0.0, 0.0),))
        for ordinal, memory in zip(ordinals.tolist(), memories, strict=True)
    ]
    return list(islice(_in_force(quest, _once(found)), most))


def _is_told(order: Candidate, others: Sequence[Candidate]) -> bool:
    """Whether an order is among other candidates, or one of them is its message, or was formed from it."""
    return any(one.memory.id == order.memory.id or _is_of(order.memory, one.memory) for one in others)


def _in_force(quest: RecallState, chosen: Sequence[Candidate]) -> Iterator[Candidate]:
    """Yield the orders in force: not probably replaced by a later one, and with no superseded formed memory."""
    episodes = [one.memory for one in chosen if one.memory.kind is Kind.EPISODE and not quest.request.past]
    doubtful = {one.id for one in touched(episodes, quest)} if episodes else set()
    over = _taken_back(quest, chosen)
    for one in chosen:
        if one.memory.id in over:
            continue
        if one.memory.id not in doubtful or trail(one.memory, quest) is None:
            yield one


def _taken_back(quest: RecallState, told: Sequence[Candidate]) -> set[str]:
    """Return the ids of the orders that a later one among them probably replaced."""
    chances = replacing([statement(one.memory) for one in told], seen_of(told, quest))
    return {one.memory.id for one, own in zip(told, chances, strict=True) if own.max(initial=0.0) >= TAKEN_BACK}


def _once(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Remove duplicates: keep an order's message and not what was formed from it, and the newer of near-duplicates.

    The newer one takes the place of the better one: where they differ, the newer one is valid.
    """
    kept: list[_Order] = []
    for order in map(_read, candidates):
        place = next((n for n, other in enumerate(kept) if order.is_of(other) or order.repeats(other)), None)
        if place is None:
            kept.append(order)
        elif order.is_of(kept[place]):
            if order.found.memory.kind is Kind.EPISODE:
                kept[place] = order
        elif order.found.memory.at > kept[place].found.memory.at:
            kept[place] = order
    return [order.found for order in kept]


@dataclass(frozen=True, slots=True)
class _Order:
    """An order with what is compared between orders: the messages it comes from, and its words."""

    found: Candidate
    sources: frozenset[str]
    words: frozenset[str]

    def is_of(self, other: _Order) -> bool:
        """Whether both orders come from the same message."""
        return not self.sources.isdisjoint(other.sources)

    def repeats(self, other: _Order) -> bool:
        """Whether both orders have nearly the same words."""
        return len(self.words & other.words) >= _SAME * max(len(self.words), len(other.words))


def _read(found: Candidate) -> _Order:
    memory = found.memory
    return _Order(found, frozenset(memory.sources or (memory.id,)), words_of(memory.text))


def _merged(head: Sequence[Candidate], chosen: Sequence[Candidate], places: int) -> list[Candidate]:
    """Put up to ``places`` missing orders into the page's last places, mark those found, and append what gave way."""
    told, lacking = _compared(head, chosen)
    kept = [_marked(one, orders) for one, orders in zip(head, told, strict=True)]
    brought = lacking[:places]
    staying = {one.memory.id for one, orders in zip(head, told, strict=True) if orders}
    yielding = _last(kept, staying, len(brought))
    stays = [one for place, one in enumerate(kept) if place not in yielding]
    placed = [one.rescored(MARK, one.score, stays[-1].score if stays else one.score) for one in brought]
    return [*stays, *placed, *(kept[place] for place in sorted(yielding))]


def _before(head: Sequence[Candidate], chosen: Sequence[Candidate]) -> list[Candidate]:
    """Put all orders, missing and found ones, before the rest of the page."""
    told, lacking = _compared(head, chosen)
    best = head[0].score if head else 0.0
    brought = [one.rescored(MARK, one.score, max(best, one.score)) for one in lacking]
    standing = [_marked(one, orders) for one, orders in zip(head, told, strict=True) if orders]
    return [*brought, *standing, *(one for one, orders in zip(head, told, strict=True) if not orders)]


def _compared(head: Sequence[Candidate], chosen: Sequence[Candidate]) -> tuple[list[list[Candidate]], list[Candidate]]:
    """Return the orders that each candidate of a page states, and the orders that none of them would inject."""
    told = [[order for order in chosen if _is_told(order, [one])] for one in head]
    shown = [one for one, orders in zip(head, told, strict=True) if orders and _hands_over(one, orders)]
    return told, [one for one in chosen if not _is_told(one, shown)]


def _is_of(order: Memory, other: Memory) -> bool:
    """Whether one of two memories is an order formed from the other, and the other its only message."""
    if order.kind is Kind.EPISODE:
        return other.kind in MARKS and other.sources == (order.id,)
    return other.kind is Kind.EPISODE and order.sources == (other.id,)


def _hands_over(found: Candidate, orders: Sequence[Candidate]) -> bool:
    """Whether a candidate is an order, or the message of one, next to which the order would be withheld as a repeat."""
    is_message = found.memory.kind is Kind.EPISODE and not found.withheld
    return is_message or any(order.memory.id == found.memory.id for order in orders)


def _last(kept: Sequence[Candidate], staying: Collection[str], count: int) -> frozenset[int]:
    """Return the last ``count`` places of candidates that need not stay."""
    places = [place for place, one in enumerate(kept) if one.memory.id not in staying]
    return frozenset(places[len(places) - count :] if count < len(places) else places) if count else frozenset()


def _marked(found: Candidate, orders: Sequence[Candidate]) -> Candidate:
    """Mark a candidate as a standing instruction, and show its whole text even if it was withheld.

    If another memory was chosen for the same order, this one stays withheld, and its text abbreviated if that has it.
    """
    if not orders:
        return found
    same = next((order for order in orders if order.memory.id == found.memory.id), None)
    signals = (*found.signals, *(same or orders[0]).signals)
    if same is not None:
        return replace(found, signals=signals, withheld="", shown="")
    tells = all(order.memory.text in found.shown for order in orders)
    return replace(found, signals=signals, shown=found.shown if tells else "")
