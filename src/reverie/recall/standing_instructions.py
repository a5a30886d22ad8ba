"""Standing: orders about every answer come along, though they share no word with the cue (decisions 0023, 0060).

In: a quest with its candidates. Out: the same with the latest of them among the first, within their token share.
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
"""The signal of a hit that came or was kept because it stands; its value is how well it fits the cue."""

TAKEN_BACK = 0.5
"""How likely something told later must replace an order or preference for it not to come: as likely as recall marks."""
_RECENT = 12
"""So many of the latest orders about every answer are looked at."""
_SAME = 0.75
"""Share of the longer order's words from which another one is the same, told anew. At half of them "always answer in
Turkish" would be "always answer in bullet points"."""


@dataclass(frozen=True, slots=True)
class StandingInstructions:
    """Brings the latest ``general`` orders about every answer: its language, its length, how the person is addressed.

    Where a host asks on its own they stand before the page: what fits the end of a budget comes by chance. Who asks by
    hand gets them in the last places of the first page, at most ``places`` of these (a share, in whole hits:
    none of two), so that they never stand before the best evidence. Together they take at most ``share`` of the token
    budget. Orders on a topic and tastes need no places: the search weighs that they stand (``fuse``).
    """

    share: float
    places: float
    general: int
    name: str = "standing orders"

    def __call__(self, quest: RecallState) -> RecallState:
        """The quest with its candidates, what stands among the first."""
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
        """Those that fit into the share of the budget, the latest first."""
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
    """The latest orders about every answer that the user told and that are in force."""
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
    """Whether an order is among others, or the message one of them was formed from, or the other way."""
    return any(one.memory.id == order.memory.id or _is_of(order.memory, one.memory) for one in others)


def _in_force(quest: RecallState, chosen: Sequence[Candidate]) -> Iterator[Candidate]:
    """Those that nobody took back: nothing told later most likely did, nor was what was formed of them superseded."""
    episodes = [one.memory for one in chosen if one.memory.kind is Kind.EPISODE and not quest.request.past]
    doubtful = {one.id for one in touched(episodes, quest)} if episodes else set()
    over = _taken_back(quest, chosen)
    for one in chosen:
        if one.memory.id in over:
            continue
        if one.memory.id not in doubtful or trail(one.memory, quest) is None:
            yield one


def _taken_back(quest: RecallState, told: Sequence[Candidate]) -> set[str]:
    """The ids of those that something among them, told later, most likely replaced."""
    chances = replacing([statement(one.memory) for one in told], seen_of(told, quest))
    return {one.memory.id for one, own in zip(told, chances, strict=True) if own.max(initial=0.0) >= TAKEN_BACK}


def _once(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Of an order and the message it was formed from the message; of two in nearly the same words the newer.

    The newer stands where the better one stood: what it says otherwise is what holds now.
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
    """An order as it is compared with others: the messages it comes from, and its words."""

    found: Candidate
    sources: frozenset[str]
    words: frozenset[str]

    def is_of(self, other: _Order) -> bool:
        """Whether both come from one message."""
        return not self.sources.isdisjoint(other.sources)

    def repeats(self, other: _Order) -> bool:
        """Whether both say nearly the same words."""
        return len(self.words & other.words) >= _SAME * max(len(self.words), len(other.words))


def _read(found: Candidate) -> _Order:
    memory = found.memory
    return _Order(found, frozenset(memory.sources or (memory.id,)), words_of(memory.text))


def _merged(head: Sequence[Candidate], chosen: Sequence[Candidate], places: int) -> list[Candidate]:
    """The first page with so many of the chosen in its last places, those found anyway marked; who gave way follows."""
    told, lacking = _compared(head, chosen)
    kept = [_marked(one, orders) for one, orders in zip(head, told, strict=True)]
    brought = lacking[:places]
    staying = {one.memory.id for one, orders in zip(head, told, strict=True) if orders}
    yielding = _last(kept, staying, len(brought))
    stays = [one for place, one in enumerate(kept) if place not in yielding]
    placed = [one.rescored(MARK, one.score, stays[-1].score if stays else one.score) for one in brought]
    return [*stays, *placed, *(kept[place] for place in sorted(yielding))]


def _before(head: Sequence[Candidate], chosen: Sequence[Candidate]) -> list[Candidate]:
    """The chosen, then the page: a host hands over what fits, and what stands at a budget's end comes by chance."""
    told, lacking = _compared(head, chosen)
    best = head[0].score if head else 0.0
    brought = [one.rescored(MARK, one.score, max(best, one.score)) for one in lacking]
    standing = [_marked(one, orders) for one, orders in zip(head, told, strict=True) if orders]
    return [*brought, *standing, *(one for one, orders in zip(head, told, strict=True) if not orders)]


def _compared(head: Sequence[Candidate], chosen: Sequence[Candidate]) -> tuple[list[list[Candidate]], list[Candidate]]:
    """Which of the chosen each of a page tells, and those that nobody on it hands over."""
    told = [[order for order in chosen if _is_told(order, [one])] for one in head]
    shown = [one for one, orders in zip(head, told, strict=True) if orders and _hands_over(one, orders)]
    return told, [one for one in chosen if not _is_told(one, shown)]


def _is_of(order: Memory, other: Memory) -> bool:
    """Whether one of an order and another memory is the only message the other was formed from, to tell that order."""
    if order.kind is Kind.EPISODE:
        return other.kind in MARKS and other.sources == (order.id,)
    return other.kind is Kind.EPISODE and order.sources == (other.id,)


def _hands_over(found: Candidate, orders: Sequence[Candidate]) -> bool:
    """Whether what was found is an order, or its message, beside which the order would be withheld as a repeat."""
    is_message = found.memory.kind is Kind.EPISODE and not found.withheld
    return is_message or any(order.memory.id == found.memory.id for order in orders)


def _last(kept: Sequence[Candidate], staying: Collection[str], count: int) -> frozenset[int]:
    """The places of the last ones that do not stand themselves."""
    places = [place for place, one in enumerate(kept) if one.memory.id not in staying]
    return frozenset(places[len(places) - count :] if count < len(places) else places) if count else frozenset()


def _marked(found: Candidate, orders: Sequence[Candidate]) -> Candidate:
    """What was found and also stands comes whole, even where as an answer it would have been withheld.

    Where another memory was chosen that tells the same, this one stays withheld, and comes whole only to tell it.
    """
    if not orders:
        return found
    same = next((order for order in orders if order.memory.id == found.memory.id), None)
    signals = (*found.signals, *(same or orders[0]).signals)
    if same is not None:
        return replace(found, signals=signals, withheld="", shown="")
    tells = all(order.memory.text in found.shown for order in orders)
    return replace(found, signals=signals, shown=found.shown if tells else "")
