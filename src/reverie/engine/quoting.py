"""Reasons that quote what goes: in, the texts that an erasure takes; out, the events whose reasons hold a word of them.

A word that some memory of the scope still holds is nobody's secret there, and stays.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

from reverie.events import Action, Changed, Event, Payload, is_wordless
from reverie.ports import Store
from reverie.stores import chain
from reverie.types import Memory, Scope

_REASONED = frozenset(Action) - {Action.REMEMBER, Action.RECALL}
"""What happens to a memory for a reason that somebody gives."""
_WORDY = ("text", "entities", "keywords", "tags")
_WORD = re.compile(r"[^\W_]+")


@dataclass(slots=True)
class Quoting:
    """Events of which the reason goes, and those that lose all their content, as the reason is part of it."""

    unreasoned: list[Event] = field(default_factory=list)
    emptied: list[Event] = field(default_factory=list)


def quoting(store: Store, scope: Scope, texts: Iterable[str], gone: Collection[str], done: Collection[int]) -> Quoting:
    """The events of a scope with reasons that have a word, however inflected, of these texts and of nothing that stays.

    ``gone`` are the ids of the memories that go, ``done`` the numbers of events that lose their reasons anyhow.
    """
    words = terms(" ".join(texts))
    found = [
        (event, own, inner)
        for event in store.events(scope, actions=_REASONED)
        if event.seq not in done
        for own, inner in [(_own(event) & words, _inner(event.payload) & words)]
        if own or inner
    ]
    only = _unheld({word for _, own, inner in found for word in own | inner}, store.memories(scope), gone)
    told = Quoting()
    for event, own, inner in found:
        if inner & only:
            told.emptied.append(event)
        elif own & only:
            told.unreasoned.append(event)
    return told


def texts_of(memories: Iterable[Memory], payloads: Iterable[Payload | None]) -> Iterator[str]:
    """Every text of memories, and what they ever said by the events that changed them."""
    for memory in memories:
        yield from (memory.text, memory.speaker, *memory.entities, *memory.keywords, *memory.standing.tags)
    for payload in payloads:
        for change in payload.changes if isinstance(payload, Changed) else ():
            for one in change.fields:
                if one.name in _WORDY:
                    for value in (one.before, one.after):
                        yield from (str(part) for part in (value if isinstance(value, tuple) else (value,)))


def quotes(why: str, texts: Iterable[str]) -> bool:
    """Whether a reason has a word, however inflected, of these texts."""
    return not is_wordless(why) and not _all_terms(" ".join(texts)).isdisjoint(_all_terms(why))


def terms(text: str) -> set[str]:
    """The words of a text as they are compared: plain, and stemmed in both languages; none that only joins others."""
    from reverie.language.letters import plain

    return {word for word in _all_terms(text) if plain(word) not in _small_words()}


def _all_terms(text: str) -> set[str]:
    from reverie.language.analyzer import index_terms
    from reverie.language.letters import plain

    plainly = {plain(word) for word in _WORD.findall(text)}
    return plainly.union(*(index_terms(text, language) for language in ("en", "tr")))


@cache
def _small_words() -> frozenset[str]:
    from reverie.language import lists
    from reverie.language.letters import plain

    names = ("function-words.en", "function-words.tr", "stop-index.en", "stop-index.tr")
    return frozenset(plain(word) for name in names for word in lists.entries(name))


def _own(event: Event) -> set[str]:
    return set() if chain.without_reason(event) is event else terms(event.why)


def _inner(payload: Payload | None) -> set[str]:
    """The words of the reasons that stand in what an event holds; a dream's are of a few lists."""
    if not isinstance(payload, Changed) or payload.cycle:
        return set()
    return terms(" ".join(change.why for change in payload.changes if not is_wordless(change.why)))


def _unheld(words: set[str], memories: Iterable[Memory], gone: Collection[str]) -> set[str]:
    """Those of the words that no memory holds but those that go."""
    if not words:
        return words
    from reverie.language.letters import plain

    left = set(words)
    for memory in memories:
        text = " ".join(texts_of([memory], ()))
        if memory.id not in gone and any(word in plain(text) for word in left):
            left -= terms(text)
        if not left:
            break
    return left
