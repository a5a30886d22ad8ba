"""One scope of the reference store: changes, and their inverses."""

from __future__ import annotations

from threading import RLock

from reverie.events import Forgotten, Recalled, Remembered
from reverie.stores.ram_scope import RamScope, Undo
from reverie.types import IndexEntry
from tests.stores.making import ADA, MODEL, at, episode, memory_of, vector


def filled() -> tuple[RamScope, Undo]:
    """A scope with two messages, and the undo log of what comes after."""
    undo: Undo = []
    scope = RamScope(RLock(), undo)
    for seq, name in ((1, "a"), (2, "b")):
        said = episode(ADA, name, "tea", seq=seq, message_id=name)
        scope.remember(seq, Remembered(said, (memory_of(said),)), [IndexEntry(("tea",), 1, vector(seq), MODEL)])
    undo.clear()
    return scope, undo


def told(scope: RamScope) -> list[object]:
    """Everything the scope tells."""
    corpus = scope.corpus(MODEL)
    return [
        [record.current() for record in scope.in_order()],
        [scope.find_message(name) for name in ("a", "b", "c")],
        scope.next_place("s"),
        corpus.size,
        corpus.postings("tea").ordinals.tolist(),
        corpus.previous.tolist(),
    ]


def test_every_change_can_be_taken_back() -> None:
    """Remembering, recalling, forgetting and erasing, undone in reverse, leave what was there before."""
    scope, undo = filled()
    before = told(scope)
    said = episode(ADA, "c", "tea", seq=9, message_id="c")
    scope.remember(3, Remembered(said, (memory_of(said),)), [IndexEntry(("tea",), 1)])
    scope.recall(at(1), Recalled(("a", "c")))
    scope.forget(Forgotten("b", None, at(2)))
    scope.erase(scope.events_about(["a"]))
    changed = told(scope)
    while undo:
        undo.pop()()
    scope.forget_corpora()
    assert changed != before
    assert told(scope) == before


def test_keys_are_never_used_twice() -> None:
    """A memory written after an erasure does not take the erased one's place."""
    scope, _ = filled()
    scope.erase({2})
    said = episode(ADA, "c", "tea")
    scope.remember(3, Remembered(said, (memory_of(said),)), [IndexEntry((), 0)])
    assert sorted(scope.records) == [1, 3]
