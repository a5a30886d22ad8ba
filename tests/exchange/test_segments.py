"""Segments: bound to name, scope and key; two versions of one merge; what counts follows from the operations alone."""

from __future__ import annotations

import sys
from itertools import permutations

import pytest

from reverie import Scope
from reverie.errors import InvalidExport, StoreError
from reverie.exchange.segments import (
    Key,
    Op,
    Register,
    Segment,
    contiguous,
    erased_in,
    merged,
    registers,
    seal,
    tag_of,
    unseal,
)

A, B = "a" * 26, "b" * 26
KEY, SALT = bytes(range(32)), bytes(32)
TAG = tag_of(KEY, Scope("helper", "ada", "home"))


def op(name: str, register: str, micros: int, machine: str = A, over: tuple[Key, ...] = (), value: object = 1) -> Op:
    """An operation of a machine's first segment."""
    return Op((name, register), (micros, machine, 1), over, value)


ONE = Segment(A, 1, (op("m1", "wording", 5, value={"text": "çay \ud83d"}), op("m2", "alive", 6)), frozenset({"m3"}))


def test_what_was_sealed_is_read_back_and_nothing_of_it_can_be_seen() -> None:
    """Text of any kind, in a file whose bytes tell only the machine's key mark and number."""
    raw = seal(ONE, KEY, TAG, SALT)
    assert unseal(raw, KEY, TAG, ONE.name) == ONE
    assert b"m1" not in raw


@pytest.mark.parametrize("place", range(0, 200, 7))
def test_no_byte_can_be_changed(place: int) -> None:
    """Head, salt and content: each is refused."""
    raw = bytearray(seal(ONE, KEY, TAG, SALT))
    raw[min(place, len(raw) - 1)] ^= 1
    with pytest.raises(InvalidExport):
        unseal(bytes(raw), KEY, TAG, ONE.name)


def test_a_segment_is_refused_in_another_scope_or_under_another_name() -> None:
    """Both are part of what is authenticated."""
    raw = seal(ONE, KEY, TAG, SALT)
    with pytest.raises(InvalidExport):
        unseal(raw, KEY, tag_of(KEY, Scope("helper", "ada", "office")), ONE.name)
    with pytest.raises(InvalidExport):
        unseal(raw, KEY, TAG, Segment(B, 1, ()).name)


def test_without_the_package_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Encryption is an optional extra."""
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.ciphers.aead", None)
    with pytest.raises(StoreError, match="needs the extra sync") as caught:
        seal(ONE, KEY, TAG, SALT)
    assert "reverie[sync]" in caught.value.mend


def test_two_versions_merge_to_what_neither_erased() -> None:
    """In either order, and again; a different segment of that name is refused."""
    left, right = ONE.without({"m1"}), ONE.without({"m2"})
    both = merged(left, right)
    assert both == merged(right, left) == merged(both, ONE)
    assert (both.ops, both.erased) == ((), frozenset({"m1", "m2", "m3"}))
    with pytest.raises(InvalidExport):
        merged(ONE, Segment(A, 1, (op("m1", "alive", 5),)))


def test_what_was_formed_from_an_erased_memory_is_erased() -> None:
    """Through any number of steps."""
    chain = [op(f"m{n + 1}", "wording", n, value={"sources": [f"m{n}"]}) for n in range(3)]
    assert erased_in([Segment(A, 1, tuple(chain), frozenset({"m0"}))]) == {"m0", "m1", "m2", "m3"}


def test_the_order_of_segments_does_not_matter() -> None:
    """The head that counts: rank, then time, then machine; what a later one knew of is no head."""
    first = op("m", "x", 5, A, value="a")
    same = op("m", "x", 5, B, value="b")
    later = Op(("m", "x"), (3, A, 2), (first.key,), "c")
    segments = [Segment(A, 1, (first,)), Segment(B, 1, (same,)), Segment(A, 2, (later,))]
    for order in permutations(segments):
        held: Register = registers(order)["m", "x"]
        assert [one.value for one in held.heads] == ["c", "b"]
        assert held.winner(lambda _: 0).value == "b"
        assert held.winner(lambda value: value == "c").value == "c"


def test_a_segment_counts_with_all_before_it() -> None:
    """The first that is missing is named."""
    held = [Segment(A, 1, ()), Segment(A, 3, ()), Segment(B, 2, ())]
    assert contiguous(held) == ([held[0]], [Segment(A, 2, ()).name, Segment(B, 1, ()).name])
