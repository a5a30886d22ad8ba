"""Bundles: signed files by which the memories of a scope reach another store, and by which their erasure follows.

In: a scope and a signing key, or a bundle and the key that its reader trusts. Out: a file; or its memories as observed
messages of the reader's scope. A bundle is two lines of JSON: the content, and the Ed25519 signature over that line's
bytes. Nothing of a bundle is read before its signature is checked.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from reverie.durable import OWNER_ONLY, replace, unreadable, unwritable
from reverie.engine.grants import Terms, chosen_kinds, chosen_tags, is_handed_over, terms_of
from reverie.engine.logs import note_copy
from reverie.engine.requests import by_tool, require_path, require_scope, require_words
from reverie.errors import Conflict, InvalidExport, InvalidInput, NotFound, ReverieError
from reverie.extras import lacking
from reverie.types import Kind, Memory, Message, Record, Role, Scope, in_utc

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from reverie.engine.context import Context
    from reverie.engine.ingest import Ingestion

FORMAT = "reverie-bundle/1"
SHARED, TAKEN = "bundle", "accepted bundle"
"""Sorts of records: which memories a scope's bundles have held, and which a scope has accepted from a giver."""
BYTES_MAX = 64 * 1024 * 1024
_PREFIX = "ed25519:"
_KEY_BYTES = 32
BY_GIVER = "erased by its giver"
"""Reason of the event that erases an accepted copy."""
FEDERATION: Literal["federation"] = "federation"


@dataclass(frozen=True, slots=True)
class Bundled:
    """Result of writing a bundle: its giver, how many memories it holds, how many it names as ``erased``, and ``key``.

    ``ended`` is the number of memories of earlier bundles that the giver has forgotten or corrected since. ``key`` is
    the public key that a reader needs.
    """

    giver: Scope
    memories: int
    erased: int
    ended: int
    key: str


@dataclass(frozen=True, slots=True)
class Accepted:
    """Result of accepting a bundle: how many of its memories were ``new`` or ``known``, and what else changed.

    ``erased`` and ``forgotten``: copies whose originals the giver has erased, or forgotten or corrected. ``held``: new
    messages that the screen put into quarantine.
    """

    giver: Scope
    new: int
    known: int
    erased: int
    forgotten: int
    held: int


# Keys and signatures.


def public_key(path: str | Path) -> str:
    """Return the public key of the signing key in a file, which is made if there is none; only its owner may read it.

    Raises:
        Conflict: the package cryptography is not installed.
        InvalidInput: the file holds no Ed25519 key.
    """
    return _name(_private(require_path(path)))


def _private(path: Path) -> Ed25519PrivateKey:
    _require_library()
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    try:
        if not path.exists():
            made = Ed25519PrivateKey.generate()
            plain = serialization.NoEncryption()
            pem = made.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY), "wb") as out:
                out.write(pem)
        key = serialization.load_pem_private_key(path.read_bytes(), None)
    except OSError as error:
        raise unwritable(error, path) from None
    except (ValueError, TypeError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise InvalidInput(f"{path} holds no Ed25519 key.", "Name a file that does not exist yet: a key is made there.")
    return key


def _require_library() -> None:
    try:
        import cryptography  # noqa: F401 - only whether it is there
    except ImportError:
        raise lacking("federation", "A signed bundle", Conflict) from None


def _name(key: Ed25519PrivateKey) -> str:
    return _PREFIX + _text(key.public_key().public_bytes_raw())


def _text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode("ascii").rstrip("=")


def _bytes(said: str) -> bytes:
    return base64.b64decode(said + "=" * (-len(said) % 4), altchars=b"-_", validate=True)


def _require_key(said: object) -> str:
    """Return a public key in its canonical form. Raises InvalidInput."""
    words = require_words("The trusted key", said).strip()
    with suppress(ValueError):
        raw = _bytes(words.removeprefix(_PREFIX))
        if words.startswith(_PREFIX) and len(raw) == _KEY_BYTES:
            return _PREFIX + _text(raw)
    raise InvalidInput("The trusted key is no public key.", f"Give what the giver's command printed: {_PREFIX}…")


# Content: what a bundle says, checked.


@dataclass(frozen=True, slots=True)
class _Shared:
    """One memory in a bundle."""

    id: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class _Content:
    giver: Scope
    key: str
    made_at: datetime
    until: datetime | None
    memories: tuple[_Shared, ...]
    erased: tuple[str, ...]
    ended: tuple[str, ...]

    def bytes(self) -> bytes:
        """Return the content as canonical JSON, in ASCII."""
        plain = {
            "ended": self.ended,
            "erased": self.erased,
            "format": FORMAT,
            "giver": [self.giver.agent, self.giver.user, self.giver.project],
            "key": self.key,
            "made_at": self.made_at.isoformat(),
            "memories": [{"at": one.at.isoformat(), "id": one.id, "text": one.text} for one in self.memories],
            "until": self.until and self.until.isoformat(),
        }
        return json.dumps(plain, ensure_ascii=True, sort_keys=True, separators=(",", ":")).encode("ascii")


def _opened(path: Path, trusted: str) -> _Content:
    """Return a bundle's content. Raises InvalidExport for a file that the trusted key has not signed as it is."""
    _require_library()
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    line, _, rest = _read(path).partition(b"\n")
    try:
        signature = _bytes(json.loads(rest)["signature"])
        Ed25519PublicKey.from_public_bytes(_bytes(trusted.removeprefix(_PREFIX))).verify(signature, line)
    except (InvalidSignature, ValueError, TypeError, LookupError, RecursionError):
        raise InvalidExport(
            f"{path} is no bundle that the trusted key has signed, or it was altered.",
            "Ask its giver for a new one, and for the public key by another way.",
        ) from None
    try:
        content = _content(json.loads(line))
    except (ValueError, TypeError, LookupError, RecursionError, ReverieError):
        content = None
    if content is None or content.key != trusted or content.bytes() != line:
        raise InvalidExport(f"{path} is signed, but its content cannot be read.", "Ask its giver for a new one.")
    return content


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            found = file.read(BYTES_MAX + 1)
    except FileNotFoundError:
        raise NotFound(f"There is no file {path}.", "Name the file that the giver sent.") from None
    except OSError as error:
        raise unreadable(error, path) from None
    if len(found) > BYTES_MAX:
        raise InvalidExport(f"{path} is larger than {BYTES_MAX >> 20} MiB.", "Let its giver share less.")
    return found


def _content(plain: Any) -> _Content:
    if plain["format"] != FORMAT:
        raise ValueError
    shared = [
        _Shared(str(one["id"]), str(one["text"]), in_utc(datetime.fromisoformat(one["at"])))
        for one in plain["memories"]
    ]
    return _Content(
        giver=Scope(*plain["giver"]),
        key=plain["key"],
        made_at=in_utc(datetime.fromisoformat(plain["made_at"])),
        until=None if plain["until"] is None else in_utc(datetime.fromisoformat(plain["until"])),
        memories=tuple(shared),
        erased=tuple(map(str, plain["erased"])),
        ended=tuple(map(str, plain["ended"])),
    )


# The collaborator.


class Bundles:
    """Collaborator for sharing between stores: writes bundles and accepts them."""

    def __init__(self, context: Context, ingestion: Ingestion) -> None:
        self._context = context
        self._ingestion = ingestion

    def bundle(
        self,
        path: str | Path,
        scope: Scope,
        *,
        key: str | Path,
        kinds: Iterable[Kind] = (),
        tags: Iterable[str] = (),
        until: datetime | None = None,
    ) -> Bundled:
        """Write a scope's valid memories to a signed file, with the ids of shared ones that were erased since.

        Without ``kinds`` a memory formed from a message that the file holds is left out, as its reader forms its own.

        Args:
            path: the file, which is replaced.
            scope: whose memories.
            key: file of the signing key, made if there is none; ``bundles.public_key`` is what a reader needs.
            kinds: only these kinds; none: all.
            tags: only memories with one of these tags; none: all.
            until: when readers shall no longer accept the file; None: never.

        Raises:
            Conflict: the package cryptography is not installed, or a model's tool calls.
        """
        if tool := by_tool():
            raise Conflict(f"The tool {tool} may not share memories.", "Let a person do it: `reverie project bundle`.")
        terms = terms_of(chosen_kinds(kinds), chosen_tags(tags))
        target, signer = require_path(path), _private(require_path(key))
        with self._context.locks.of(scope):
            now = self._context.clock.now()
            chosen = self._chosen(require_scope(scope), terms, now)
            held = self._ids(scope, SHARED, scope.canonical)
            erased, ended = self._gone(scope, held, now)
            end = None if until is None else in_utc(until)
            shared = tuple(_Shared(one.id, one.text, one.at) for one in chosen)
            content = _Content(scope, _name(signer), now, end, shared, erased, ended)
            line = content.bytes()
            self._keep(scope, SHARED, scope.canonical, scope.canonical, [*held, *(one.id for one in chosen)], "")
        note_copy(self._context.parts.place, target)
        try:
            replace(target, b"%b\n%b\n" % (line, json.dumps({"signature": _text(signer.sign(line))}).encode("ascii")))
        except OSError as error:
            raise unwritable(error, target) from None
        return Bundled(scope, len(chosen), len(erased), len(ended), content.key)

    def _chosen(self, scope: Scope, terms: Terms, now: datetime) -> list[Memory]:
        held = [one for one in self._context.store.memories(scope) if is_handed_over(one, now) and terms.allow(one)]
        said = {one.id for one in held if one.kind is Kind.EPISODE}
        over = self._context.store.outlived(scope, sorted(said))
        left = [one for one in held if one.id not in over]
        if terms.kinds is not None:
            return left
        return [one for one in left if one.id in said or (said - over).isdisjoint(one.sources)]

    def _gone(self, scope: Scope, held: Sequence[str], now: datetime) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return which memories of earlier bundles no longer exist, and which exist and are no longer handed over."""
        left = {one.id: one for one in self._context.store.named(scope, held)}
        ended = tuple(name for name in held if name in left and not is_handed_over(left[name], now))
        return tuple(name for name in held if name not in left), ended

    def accept(self, path: str | Path, scope: Scope, *, trusted: str) -> Accepted:
        """Take the memories of a bundle into a scope, as messages of ``source="federation"`` that its giver said.

        They are screened like all messages. What the giver has erased since is erased here, with all that was formed
        from it. What was accepted before changes nothing, and what was erased here does not come back.

        Args:
            path: the file.
            scope: whose memory they become.
            trusted: the giver's public key, as ``bundle`` returned it to the giver; from a source you trust.

        Raises:
            InvalidExport: the key has not signed this file, or it was altered. Nothing was written.
            Conflict: it has expired, or is older than one that was accepted. Nothing was written.
            InvalidInput: the giver is the scope itself, or the key is none.
        """
        key, file = _require_key(trusted), require_path(path)
        content = _opened(file, key)
        if content.giver == require_scope(scope):
            raise InvalidInput(f"The bundle is of {scope} itself.", "Accept it in another scope.")
        with self._context.locks.of(scope):
            return self._taken(content, scope)

    def _taken(self, content: _Content, scope: Scope) -> Accepted:
        """Store what is new, and end what its giver ended."""
        words = f"{content.key} {content.giver.canonical}"
        name = hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()
        known = self._known(scope, name, content)
        new = [one for one in content.memories if one.id not in set(known)]
        held = sum(self._is_quarantined(self._observed(one, content, scope), scope) for one in new)
        taken = dict.fromkeys((*known, *(one.id for one in new)))
        erased = self._erase([one for one in content.erased if one in taken], content, scope)
        forgotten = self._forget([one for one in content.ended if one in taken], content, scope)
        if taken:
            self._keep(scope, TAKEN, name, content.giver.canonical, list(taken), content.made_at.isoformat())
        return Accepted(content.giver, len(new), len(content.memories) - len(new), erased, forgotten, held)

    def _known(self, scope: Scope, name: str, content: _Content) -> list[str]:
        """Return which memories of a giver were accepted before. Raises Conflict if this bundle is out of date."""
        if content.until is not None and content.until <= self._context.clock.now():
            raise Conflict(f"The bundle ended at {content.until.isoformat()}.", "Ask its giver for a new one.")
        record = self._context.record(scope, TAKEN, name)
        if record is None:
            return []
        body = json.loads(record.body)
        if content.made_at < datetime.fromisoformat(body["made_at"]):
            raise Conflict("A newer bundle of this giver was accepted already.", "Ask its giver for a new one.")
        return list(body["ids"])

    def _observed(self, shared: _Shared, content: _Content, scope: Scope) -> str:
        message = Message(
            shared.text,
            speaker=str(content.giver),
            role=Role.SYSTEM,
            session=f"from {content.giver}",
            at=shared.at,
            message_id=_message_id(shared.id, content),
        )
        return self._ingestion.observe(message, scope, source=FEDERATION).id

    def _is_quarantined(self, memory_id: str, scope: Scope) -> bool:
        memory = self._context.store.memory(scope, memory_id)
        return memory is not None and memory.standing.state == "quarantined"

    def _copies(self, ids: Sequence[str], content: _Content, scope: Scope) -> list[str]:
        """Return the memories of the scope that hold the copies of these memories of the giver."""
        with self._context.store.begin(scope, durable=False) as tx:
            found = [tx.find_message(scope, _message_id(one, content)) for one in ids]
        return [one.id for one in found if one is not None]

    def _erase(self, ids: Sequence[str], content: _Content, scope: Scope) -> int:
        from reverie.engine.erasure import Eraser

        copies = self._copies(ids, content, scope)
        if copies:
            Eraser(self._context).erase(copies, scope, why=BY_GIVER)
        return len(copies)

    def _forget(self, ids: Sequence[str], content: _Content, scope: Scope) -> int:
        from reverie.engine.curate import Curation

        curation, now, count = Curation(self._context, self._ingestion), self._context.clock.now(), 0
        for name in self._copies(ids, content, scope):
            if self._context.memory(name, scope).holds_at(now):
                with suppress(Conflict):  # somebody pinned the copy
                    curation.forget(name, scope, why="ended by its giver")
                    count += 1
        return count

    def _ids(self, scope: Scope, sort: str, name: str) -> list[str]:
        record = self._context.record(scope, sort, name)
        return [] if record is None else list(json.loads(record.body)["ids"])

    def _keep(self, scope: Scope, sort: str, name: str, about: str, ids: Sequence[str], made_at: str) -> None:
        """Write a record of ids if it differs from the one there is."""
        terms = {"ids": list(dict.fromkeys(ids)), "made_at": made_at}
        self._context.keep_record(scope, sort, name, Record.of(scope, sort, name, terms, about))


def _message_id(memory_id: str, content: _Content) -> str:
    return f"{FEDERATION} {content.key} {content.giver.canonical} {memory_id}"
