"""Segments: what one machine changed in a scope between two synchronisations, as encrypted files that never change.

In: operations on registers, each the value of one group of a memory's fields or of one edge. Out: bytes, and back. A
file is bound to its name, scope, format and key; any change of these or of its content is refused.
"""

from __future__ import annotations

import hmac
import json
import re
import zlib
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeAlias

from reverie.errors import InvalidExport, StoreError
from reverie.extras import lacking

if TYPE_CHECKING:
    from reverie.types import Scope

Key: TypeAlias = tuple[int, str, int]
"""Identifies and orders an operation: its time in microseconds, its machine, the number of its segment."""
Slot: TypeAlias = tuple[str, ...]
"""A register: memory id and group of fields; or source, target and kind of an edge."""

_FAMILY = b"reverie-sync/"
MAGIC = _FAMILY + b"1\n"
KEY_BYTES = 32
SALT_BYTES = 32
_MARK_BYTES = 8
FILE_MAX = 1 << 28
"""Largest file that is read, in bytes."""
_NAME = re.compile(r"([0-9a-z]{26})-([0-9]{8})\.segment")
_MEND = "Delete the file: a machine that has it whole puts it back at its next sync."


@dataclass(frozen=True, slots=True)
class Op:
    """One operation: sets a register to ``value`` (None: its default), knowing the operations ``over`` that it ends."""

    slot: Slot
    key: Key
    over: tuple[Key, ...]
    value: Any


@dataclass(frozen=True, slots=True)
class Segment:
    """Number ``number`` (from 1) of a machine: its operations, and the ids of memories whose content is erased."""

    machine: str
    number: int
    ops: tuple[Op, ...]
    erased: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """Return the name of its file."""
        return f"{self.machine}-{self.number:08d}.segment"

    def without(self, erased: Collection[str]) -> Segment:
        """Return the segment without the operations on erased memories; their ids stay, so that none comes back."""
        kept = tuple(op for op in self.ops if not any(owner in erased for owner in owners(op.slot)))
        if len(kept) == len(self.ops):
            return self
        named = {owner for op in self.ops for owner in owners(op.slot) if owner in erased}
        return replace(self, ops=kept, erased=self.erased | named)


def owners(slot: Slot) -> Slot:
    """Return the ids of the memories that a register is about: one, or the two ends of an edge."""
    return slot[:-1]


def merged(one: Segment, other: Segment) -> Segment:
    """Merge two versions of a segment: what either lacks as erased is erased.

    Raises:
        InvalidExport: they are not the same segment.
    """
    erased = one.erased | other.erased
    left, right = (replace(each.without(erased), erased=erased) for each in (one, other))
    if left != right:
        raise InvalidExport(
            f"Two different segments have the name {one.name}.",
            "A machine's state folder was copied to another. Delete the file `machine` in sync/ of one state folder.",
        )
    return left


def named(name: str) -> tuple[str, int] | None:
    """Return machine and number that a file's name gives; None for any other file."""
    found = _NAME.fullmatch(name)
    return None if found is None else (found[1], int(found[2]))


def tag_of(key: bytes, scope: Scope) -> str:
    """Return the name of a scope's folder: without the key, nobody can tell which scope it is."""
    parts = json.dumps([scope.agent, scope.user, scope.project]).encode()
    return hmac.new(key, b"scope" + parts, sha256).hexdigest()[:32]


def seal(segment: Segment, key: bytes, tag: str, salt: bytes) -> bytes:
    """Return the bytes of a segment's file; ``salt``: ``SALT_BYTES`` random bytes, never used twice.

    Raises:
        StoreError: the package for encryption is not installed.
    """
    ops = [[list(op.slot), op.key[0], [list(one) for one in op.over], op.value] for op in segment.ops]
    plain = {"erased": sorted(segment.erased), "ops": ops}
    text = json.dumps(plain, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    head = MAGIC + _mark(key) + salt
    bound = head + f"{tag}/{segment.name}".encode()
    body: bytes = _cipher(key, salt).encrypt(bytes(12), zlib.compress(text.encode()), bound)
    return head + body


def unseal(raw: bytes, key: bytes, tag: str, name: str) -> Segment:
    """Read the bytes of the file ``name``.

    Raises:
        InvalidExport: another format, another key, or a file that was changed, cut short or renamed.
    """
    told = named(name)
    if told is None or not raw.startswith(_FAMILY):
        raise InvalidExport(f"{name} is no segment of a sync.", _MEND)
    if not raw.startswith(MAGIC):
        raise InvalidExport(f"{name} has a newer format than this version reads.", "Update Reverie on this machine.")
    body = len(MAGIC) + _MARK_BYTES + SALT_BYTES
    if len(raw) <= body:
        raise InvalidExport(f"{name} was cut short.", _MEND)
    if raw[len(MAGIC) :][:_MARK_BYTES] != _mark(key):
        raise InvalidExport(
            f"{name} is encrypted with another key.",
            "Give this machine the key of the others (`reverie sync --key-from FILE`), or use another folder.",
        )
    head = raw[:body]
    plain = _opened(raw[body:], _cipher(key, head[-SALT_BYTES:]), head + f"{tag}/{name}".encode(), name)
    try:
        return _read(json.loads(plain), *told)
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise InvalidExport(f"{name} cannot be read ({type(error).__name__}).", "Update Reverie.") from None


def _opened(body: bytes, cipher: Any, bound: bytes, name: str) -> bytes:
    from cryptography.exceptions import InvalidTag

    try:
        whole: bytes = cipher.decrypt(bytes(12), body, bound)
        return zlib.decompress(whole)
    except (InvalidTag, zlib.error):
        raise InvalidExport(f"{name} was changed, cut short or renamed.", _MEND) from None


def _read(plain: dict[str, Any], machine: str, number: int) -> Segment:
    ops = tuple(
        Op(_slot(slot), (_count(micros), machine, number), tuple(map(_key, over)), value)
        for slot, micros, over, value in plain["ops"]
    )
    return Segment(machine, number, ops, frozenset(map(_word, plain["erased"])))


def _slot(plain: list[Any]) -> Slot:
    if len(plain) not in (2, 3):
        raise ValueError("no register")
    return tuple(map(_word, plain))


def _key(plain: list[Any]) -> Key:
    micros, machine, number = plain
    return _count(micros), _word(machine), _count(number)


def _word(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def _count(value: Any) -> int:
    if type(value) is not int:
        raise TypeError("no count")
    return value


def _mark(key: bytes) -> bytes:
    """Return the bytes by which a file says which key it needs."""
    return hmac.new(key, b"mark", sha256).digest()[:_MARK_BYTES]


def _cipher(key: bytes, salt: bytes) -> Any:
    """Return the cipher of one file: ChaCha20-Poly1305 with a key of its own, so that no nonce is used twice."""
    try:
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF
    except ImportError:
        raise lacking("sync", "Synchronisation", StoreError) from None
    return ChaCha20Poly1305(HKDF(SHA256(), KEY_BYTES, salt, b"reverie-sync").derive(key))


class Register:
    """All known operations on one register; which of them count follows from the operations alone."""

    def __init__(self) -> None:
        self.ops: dict[Key, Op] = {}

    @property
    def heads(self) -> list[Op]:
        """Return the operations that no other one knew of, by key: more than one where machines did not know better."""
        over = {key for op in self.ops.values() for key in op.over}
        return [op for key, op in sorted(self.ops.items()) if key not in over]

    def winner(self, rank: Callable[[Any], int]) -> Op:
        """Return the head that counts: of the highest rank, then the latest, then by machine."""
        return max(self.heads, key=lambda op: (rank(op.value), op.key))


def registers(segments: Collection[Segment]) -> dict[Slot, Register]:
    """Collect the operations of segments by register; the order of the segments does not matter."""
    found: dict[Slot, Register] = {}
    for op in _ops(segments):
        found.setdefault(op.slot, Register()).ops[op.key] = op
    return found


def _ops(segments: Collection[Segment]) -> Iterator[Op]:
    for segment in segments:
        yield from segment.ops


def erased_in(segments: Collection[Segment]) -> frozenset[str]:
    """Return the ids that segments name as erased, and those of memories formed from these."""
    erased = {name for segment in segments for name in segment.erased}
    sources = [
        (op.slot[0], frozenset(op.value.get("sources", ())))
        for op in _ops(segments)
        if len(op.slot) == 2 and op.slot[1] == "wording" and isinstance(op.value, dict)
    ]
    while more := {name for name, of in sources if name not in erased and not of.isdisjoint(erased)}:
        erased |= more
    return frozenset(erased)


def contiguous(segments: Collection[Segment]) -> tuple[list[Segment], list[str]]:
    """Return the segments that have all earlier ones of their machine, and the names of the first missing ones."""
    by_machine: dict[str, dict[int, Segment]] = {}
    for segment in segments:
        by_machine.setdefault(segment.machine, {})[segment.number] = segment
    whole, missing = list[Segment](), list[str]()
    for machine, held in sorted(by_machine.items()):
        number = 1
        while number in held:
            whole.append(held[number])
            number += 1
        if number <= max(held):
            missing.append(Segment(machine, number, ()).name)
    return whole, missing
