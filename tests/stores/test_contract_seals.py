"""What every store must do with seals: keep them, and show with them a scope that vanished or went back."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from pathlib import Path

import pytest

from reverie.engine.seals import faults, seal, sealed
from reverie.errors import Conflict, InvalidInput
from reverie.ports import Store
from reverie.stores.sqlite import SqliteStore
from reverie.types import Scope
from tests.stores.making import ADA, GRACE, Writer, at

ODD = Scope("yardımcı 😀", 'ş|"quoted"', "p")
SCOPES = (ADA, GRACE, ODD)


def filled(store: Store, *, rounds: int = 3) -> Writer:
    """Some messages in three scopes."""
    writer = Writer(store)
    for _ in range(rounds):
        for scope in SCOPES:
            writer.remember(scope, "tea")
    return writer


def copied(store: Store, into: Store, ends: dict[Scope, int], seals: Collection[int] = range(1, 99)) -> Store:
    """Another store with the journals up to these numbers, and these of its seals."""
    for scope, end in ends.items():
        with into.begin(scope, durable=True) as tx:
            for event in store.events(scope):
                if event.seq <= end:
                    tx.adopt(event)
    for number, text in store.seals():
        if number in seals:
            into.seal(number, text)
    return into


def test_a_store_keeps_its_seals_in_order(store: Store) -> None:
    """Each number once; they say the same when read again."""
    assert list(store.seals()) == []
    for number in (1, 2, 10, 11):
        store.seal(number, f"text {number}")
    with pytest.raises(Conflict):
        store.seal(2, "another")
    assert list(store.seals()) == [(number, f"text {number}") for number in (1, 2, 10, 11)]


def test_journals_that_only_went_on_are_no_finding(store: Store) -> None:
    """After a seal, more events, another seal, an erasure and a seal in which nothing changed."""
    with pytest.raises(InvalidInput):
        seal(store, at(0))
    writer = filled(store)
    first = seal(store, at(1))
    assert (first.number, first.scopes, first.events) == (1, 3, 9)
    name = writer.remember(ADA, "rain")
    assert faults(store) == []
    second = seal(store, at(2))
    assert (second.number, second.events, second == first) == (2, 10, False)
    assert seal(store, at(3)) == second
    writer.erase(ADA, name)
    assert seal(store, at(4)).number == 3
    assert (faults(store), store.check()) == ([], [])
    told = [json.loads(text) for _, text in store.seals()]
    assert [len(one["changed"]) for one in told] == [3, 1, 1], "only what changed"


def test_a_scope_that_vanished_is_told(store: Store, new_store: Callable[[], Store]) -> None:
    """Now and after further nights, until it is sealed anew; nothing is sealed over it."""
    filled(store)
    seal(store, at(1))
    left = copied(store, new_store(), {ADA: 3, ODD: 3})
    (fault,) = faults(left)
    assert (fault.name, str(GRACE) in fault.what) == ("seal-gone", True)
    Writer(left, prefix="n").remember(ADA, "later")
    with pytest.raises(Conflict, match="Nothing was sealed"):
        seal(left, at(2))
    assert [one.name for one in faults(left)] == ["seal-gone"]
    again = seal(left, at(3), anew=True)
    assert (again.number, again.scopes, faults(left)) == (2, 2, [])


def test_a_scope_that_went_back_is_told(store: Store, new_store: Callable[[], Store]) -> None:
    """Cut, and cut and then written on beyond what was sealed."""
    filled(store)
    seal(store, at(1))
    left = copied(store, new_store(), {ADA: 3, GRACE: 1, ODD: 3})
    assert [one.name for one in faults(left)] == ["seal-cut"]
    writer = Writer(left, prefix="n")
    for _ in range(4):
        writer.remember(GRACE, "other")
    assert [one.name for one in faults(left)] == ["seal-other"]


def test_a_chain_with_a_gap_or_a_change_is_broken(store: Store, new_store: Callable[[], Store]) -> None:
    """A seal that was removed, one that was altered, one that is none; a new chain mends it."""
    writer = filled(store)
    for number in (1, 2, 3):
        seal(store, at(number))
        writer.remember(ADA, "more")
    ends = dict.fromkeys(SCOPES, 9)
    left = copied(store, new_store(), ends, seals=(1, 3))
    assert [one.name for one in faults(left)] == ["seal-broken"]
    assert (seal(left, at(9), anew=True).number, faults(left)) == (4, [])
    writer.remember(ADA, "more")
    other = copied(store, new_store(), ends, seals=(1,))
    text = dict(store.seals())[2]
    for number, wrong in enumerate((text.replace('"root":"', '"root":"0'), "{}", "no", '{"anew":true}'), start=2):
        other.seal(number, wrong)
    assert [one.name for one in faults(other)] == ["seal-broken"]
    with pytest.raises(Conflict):
        seal(other, at(9))


def test_a_backup_holds_the_seals(store: Store, tmp_path: Path) -> None:
    """And they are of its journals."""
    filled(store)
    last = seal(store, at(1))
    store.backup(tmp_path / "copy")
    if not (tmp_path / "copy").is_file():
        return
    copy = SqliteStore(tmp_path / "copy", create=False, key=getattr(store, "key", None))
    assert (sealed(copy).last, faults(copy)) == (last, [])
    copy.close()
