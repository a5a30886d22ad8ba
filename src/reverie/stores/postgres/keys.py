"""Keys by scope: a master key wraps a random key for each scope, and that key seals what was said there.

Whoever has the database without the master key learns names of scopes, ids, times, kinds, counts and lengths, and no
word. The ranking runs in the application, so nothing is searched by the server but sealed names, which are equal where
their plain names are.

Random bytes come from outside, and not from ``ports.Ids``: a key that a seed gives again is no key.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import Any, Protocol, TypeAlias

from reverie.errors import NotFound, StoreCorrupt, StoreError
from reverie.extras import lacking
from reverie.stores.codec import NO_HASH, from_micros, to_micros
from reverie.stores.postgres.connection import Link, Row, Statement
from reverie.stores.postgres.rows import CLEAR, Box, string
from reverie.stores.sqlite.cipher import Key
from reverie.types import Scope

Random: TypeAlias = Callable[[int], bytes]
"""Returns so many random bytes that nobody can guess."""

_RANDOM, _NAME = b"\x01", b"\x02"
_WRAPPED, _DESTROYED = b"\x01", b"\x00"
_NONCE, _KEY, _CHECK, _LOOKUP = 12, 32, 8, 16
_KEPT = 4_096
_CHANGE_KEYS = """
UPDATE scope s SET key = c.key FROM unnest(%s::bigint[], %s::bytea[]) c (id, key) WHERE s.id = c.id
"""
_NEW_SCOPE = """
INSERT INTO scope (tenant, agent, usr, project, head, key, did)
SELECT %s, %s, %s, %s, %s, %s, array_fill(0::bigint, ARRAY[9])
WHERE %s = coalesce((SELECT value FROM setting WHERE tenant = %s AND name = 'master' FOR SHARE), '')
ON CONFLICT DO NOTHING
"""
_OWN_TABLES = (
    *("vector", "lacking", "access", "touch", "source", "relation", "companion", "record", "memory", "event"),
)
_OF_SCOPE = "tenant = %s AND agent = %s AND usr = %s AND project = %s"
LIVING = f"AND length(s.key) > {_CHECK + 1}"
"""SQL that leaves out the scopes ``s`` whose key is missing or destroyed."""


@dataclass(frozen=True, slots=True)
class KeySource:
    """Where a tenant's keys come from: ``find`` returns the master key, and with True makes one if there is none."""

    find: Callable[[bool], Key]
    random: Random


def _aead() -> Any:
    """Return AES-256-GCM. Raises StoreError where the extra is not installed."""
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    except ImportError:
        raise lacking("postgres", "An encrypted database", StoreError) from None
    return AESGCM


def _derived(key: bytes, purpose: bytes, more: bytes = b"") -> bytes:
    return blake2b(more, key=key, person=purpose, digest_size=_KEY).digest()


class SealedBox(Box):
    """Seals the bytes of one scope with AES-256-GCM; each value is 29 bytes longer than its plain one.

    A nonce is random, or, where equal values have to be equal when sealed, a keyed hash of the value.
    """

    hides = True

    def __init__(self, key: bytes, random: Random) -> None:
        aead = _aead()
        self._random = random
        self._values, self._names = aead(key), aead(_derived(key, b"reverie-names"))
        self._nonces, self._keys = _derived(key, b"reverie-nonces"), _derived(key, b"reverie-keys")

    def seal(self, plain: bytes) -> bytes:
        """Return the bytes to store."""
        nonce = self._random(_NONCE)
        return b"".join((_RANDOM, nonce, self._values.encrypt(nonce, plain, None)))

    def same(self, plain: bytes) -> bytes:
        """Return the bytes to store, the same for the same plain ones."""
        nonce = blake2b(plain, key=self._nonces, digest_size=_NONCE).digest()
        return b"".join((_NAME, nonce, self._names.encrypt(nonce, plain, None)))

    def key(self, plain: bytes) -> bytes:
        """Return a keyed hash to look something up by; a sealed name could be too long for an index."""
        return blake2b(plain, key=self._keys, digest_size=_LOOKUP).digest()

    def open(self, stored: bytes) -> bytes:
        """Return the bytes that ``seal`` or ``same`` was given. Raises StoreCorrupt."""
        from cryptography.exceptions import InvalidTag

        cipher = self._names if stored[:1] == _NAME else self._values
        try:
            plain: bytes = cipher.decrypt(stored[1 : _NONCE + 1], stored[_NONCE + 1 :], None)
        except (InvalidTag, ValueError) as error:
            raise StoreCorrupt(
                "A sealed value does not open with its scope's key: it was changed or belongs to another scope.",
                "Restore the server's last backup.",
            ) from error
        return plain


class Master:
    """A tenant's master key, which wraps the keys of its scopes."""

    def __init__(self, tenant: int, key: Key, random: Random) -> None:
        secret = bytes.fromhex(key.digits)
        self.key = key
        self.random = random
        self.check = _derived(secret, b"reverie-check").hex()
        """Tells master keys apart without showing anything of them."""
        self._tenant = tenant
        self._cipher = _aead()(_derived(secret, b"reverie-wrap", str(tenant).encode()))
        self._mark = bytes.fromhex(self.check)[:_CHECK]

    def wrap(self, scope: Scope, plain: bytes) -> bytes:
        """Return a scope's key as it is stored."""
        nonce = self.random(_NONCE)
        return b"".join((_WRAPPED, self._mark, nonce, self._cipher.encrypt(nonce, plain, self._bound(scope))))

    def fresh(self) -> bytes:
        """Return a new key for a scope."""
        return self.random(_KEY)

    def box(self, key: bytes) -> SealedBox:
        """Return what seals a scope with its key."""
        return SealedBox(key, self.random)

    def unwrap(self, scope: Scope, wrapped: bytes | None) -> bytes:
        """Return a scope's key. Raises NotFound where there is none, StoreError if another master key wrapped it."""
        from cryptography.exceptions import InvalidTag

        if not wrapped:
            raise NotFound(
                f"The key of {scope} is missing, so what was said there cannot be read.",
                "Bring back its row of the table scope from a backup of the server. Other scopes are not concerned.",
            )
        if wrapped[:1] == _DESTROYED:
            when = from_micros(int.from_bytes(wrapped[1:], "big", signed=True))
            raise NotFound(
                f"The key of {scope} was destroyed on {when:%Y-%m-%d %H:%M} UTC, and all that was said there with it.",
                "This cannot be undone. Use another scope.",
            )
        if wrapped[1 : _CHECK + 1] != self._mark:
            raise wrong_master(self.key.origin)
        start = 1 + _CHECK
        try:
            nonce = wrapped[start : start + _NONCE]
            plain: bytes = self._cipher.decrypt(nonce, wrapped[start + _NONCE :], self._bound(scope))
        except (InvalidTag, ValueError) as error:
            raise NotFound(
                f"The key of {scope} is damaged, or another scope's or tenant's.",
                "Bring back its row of the table scope from a backup of the server. Other scopes are not concerned.",
            ) from error
        return plain

    def _bound(self, scope: Scope) -> bytes:
        return f"{self._tenant}\x00{scope.canonical}".encode()


def wrong_master(origin: str) -> StoreError:
    """Make the error for a master key that is not the tenant's."""
    return StoreError(
        f"The key from {origin} is not the master key of this tenant, or no longer. Nothing was changed.",
        "Name the right key (setting key_file, or your keyring's entry reverie/store).",
    )


class Keys:
    """What seals each scope of a tenant: nothing where ``master`` is None, else the scope's own key."""

    def __init__(self, link: Link, tenant: int, master: Master | None) -> None:
        self._link = link
        self._tenant = tenant
        self._boxes: dict[Scope, Box] = {}
        self.master = master

    @property
    def key(self) -> Key | None:
        """The master key; None where nothing is encrypted."""
        return None if self.master is None else self.master.key

    @property
    def check(self) -> str:
        """Tells which master key this is; "" for none."""
        return "" if self.master is None else self.master.check

    def known(self, scope: Scope) -> Box | None:
        """Return a scope's box without asking the server; None if it was not met yet."""
        return CLEAR if self.master is None else self._boxes.get(scope)

    def box(self, scope: Scope) -> Box:
        """Return what seals a scope. Raises NotFound if its key is missing or destroyed."""
        found = self.known(scope)
        if found is not None or self.master is None:
            return found or CLEAR
        row = self._link.row(f"SELECT key FROM scope WHERE {_OF_SCOPE}", self._of(scope))
        return self.master.box(self.master.fresh()) if row is None else self.meet(scope, row[0])  # none: for nobody

    def meet(self, scope: Scope, wrapped: bytes | None) -> Box:
        """Return what seals a scope of which this is the stored key now. Raises NotFound, StoreError."""
        if self.master is None:
            if wrapped is not None:
                raise encrypted_now()
            return CLEAR
        known = self._boxes.get(scope)
        if known is None or not wrapped or wrapped[:1] == _DESTROYED:
            self.forget(scope)
            known = self.master.box(self.master.unwrap(scope, wrapped))
            if len(self._boxes) >= _KEPT:
                self._boxes.clear()
            self._boxes[scope] = known
        return known

    def new_scope(self, scope: Scope) -> Statement:
        """Return what adds a scope, with a key of its own; nothing if the tenant has another master key by now."""
        wrapped = None if self.master is None else self.master.wrap(scope, self.master.fresh())
        return _NEW_SCOPE, (*self._of(scope), bytes.fromhex(NO_HASH), wrapped, self.check, self._tenant)

    def outdated(self) -> StoreError:
        """Make the error for a tenant whose master key is another since it was opened here."""
        return encrypted_now() if self.master is None else wrong_master(self.master.key.origin)

    def forget(self, scope: Scope) -> None:
        """Ask the server for a scope's key when it is next needed."""
        self._boxes.pop(scope, None)

    def _of(self, scope: Scope) -> tuple[object, ...]:
        return (self._tenant, scope.agent, scope.user, scope.project)


def encrypted_now() -> StoreError:
    """Make the error for a tenant that is encrypted and was opened as if it were not."""
    return StoreError(
        "This tenant's memories are encrypted.",
        "Say so: setting encrypted = true, or encrypted=true in the address; and name the key (setting key_file).",
    )


def unlocked(link: Link, tenant: int, source: KeySource | None) -> Keys:
    """Return a tenant's keys after checking the master key; an empty tenant opened with one is encrypted from now on.

    Raises:
        StoreError: the tenant is encrypted and no key is named, or the reverse, or the key is another.
    """
    row = link.row("SELECT value FROM setting WHERE tenant = %s AND name = 'master'", (tenant,))
    if source is None:
        if row is not None:
            raise encrypted_now()
        return Keys(link, tenant, None)
    if row is None and link.row("SELECT 1 FROM scope WHERE tenant = %s LIMIT 1", (tenant,)) is not None:
        raise StoreError(
            "This tenant has memories that are not encrypted. Nothing was changed.",
            "Export them, and import them into a new tenant that is encrypted from the start.",
        )
    _aead()  # first, so that no key is made where none can be used
    master = Master(tenant, source.find(row is None), source.random)
    if row is None:
        sql = """WITH made AS (INSERT INTO setting (tenant, name, value) VALUES (%s, 'master', %s)
            ON CONFLICT DO NOTHING RETURNING value)
            SELECT value FROM made UNION ALL SELECT value FROM setting WHERE tenant = %s AND name = 'master'"""
        row = link.row(sql, (tenant, master.check, tenant))
    if row is None or row[0] != master.check:
        raise wrong_master(master.key.origin)
    return Keys(link, tenant, master)


class Changing(Protocol):
    """Runs statements in a transaction and returns the rows of each."""

    def __call__(self, *statements: Statement) -> list[list[Row]]:
        """Run them."""
        ...


def shred(ask: Changing, tenant: int, scope: Scope, at: datetime) -> list[str]:
    """Destroy a scope's key and delete its rows; what remains says when. Return the ids of its memories."""
    names = (tenant, scope.agent, scope.user, scope.project)
    found = ask((f"SELECT id FROM scope WHERE {_OF_SCOPE} FOR UPDATE", names))[0]
    if not found:
        raise NotFound(f"Nothing was ever said in {scope}.", "Check the scope's three names.")
    number = found[0][0]
    gone = ask(("SELECT id FROM memory WHERE scope = %s ORDER BY ord", (number,)))[0]
    destroyed = _DESTROYED + to_micros(at).to_bytes(8, "big", signed=True)
    emptied = """UPDATE scope SET key = %s, seq = 0, head = %s, version = 0, stamp = stamp + 1, top = 0, memories = 0,
        did = array_fill(0::bigint, ARRAY[cardinality(did)]) WHERE id = %s"""
    ask(
        (emptied, (destroyed, bytes.fromhex(NO_HASH), number)),
        *((f"DELETE FROM {table} WHERE scope = %s", (number,)) for table in _OWN_TABLES),
    )
    return [string(row[0]) for row in gone]


def rewrap(ask: Changing, tenant: int, old: Master, new: Master) -> int:
    """Wrap every scope's key with another master key, in one transaction; return how many there are.

    Raises StoreError if the old one is not the tenant's any more.
    """
    held = ask(("SELECT value FROM setting WHERE tenant = %s AND name = 'master' FOR UPDATE", (tenant,)))[0]
    if not held or held[0][0] != old.check:
        raise wrong_master(old.key.origin)
    sql = f"SELECT s.id, s.key, s.agent, s.usr, s.project FROM scope s WHERE tenant = %s {LIVING} ORDER BY s.id"
    found = ask((f"{sql} FOR NO KEY UPDATE", (tenant,)))[0]
    made: list[tuple[int, bytes]] = []
    for number, wrapped, *names in found:
        scope = Scope(*names)
        made.append((number, new.wrap(scope, old.unwrap(scope, wrapped))))
    ask(
        (_CHANGE_KEYS, ([number for number, _ in made], [wrapped for _, wrapped in made])),
        ("UPDATE setting SET value = %s WHERE tenant = %s AND name = 'master'", (new.check, tenant)),
    )
    return len(made)


def lost(link: Link, keys: Keys, tenant: int, scopes: Sequence[Scope]) -> list[tuple[Scope, str]]:
    """Return the scopes whose key is missing or damaged, with what is wrong; those that were shredded are no damage."""
    if keys.master is None:
        return []
    sql = "SELECT agent, usr, project FROM scope s WHERE tenant = %s AND key IS NULL ORDER BY id"
    found: list[tuple[Scope, str]] = []
    for scope in (*(Scope(*row) for row in link.rows(sql, (tenant,))), *scopes):
        try:
            keys.forget(scope)
            keys.box(scope)
        except NotFound as error:
            found.append((scope, error.message))
    return found
