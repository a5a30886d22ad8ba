"""Access tokens: who a client is, what it may do, and how often; kept as digests in a file beside the store."""

from __future__ import annotations

import contextlib
import hmac
import json
import math
import os
import re
import secrets
import stat
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from hashlib import sha256
from pathlib import Path
from threading import Lock

from reverie.durable import OWNER_ONLY, open_own, replace, require_private, state_folder, unwritable
from reverie.engine.requests import Caller
from reverie.errors import Conflict, InvalidInput, InvalidSetting, NotFound, StoreCorrupt, StoreMissing
from reverie.locking import locked
from reverie.types import Scope

BUCKETS_KEPT = 4096


class Buckets:
    """Rate limits: one bucket for each client, holding a minute's requests; the least recently used are dropped."""

    def __init__(self, per_minute: int) -> None:
        self._most = float(per_minute)
        self._held: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = Lock()

    def wait_s(self, who: str, now_s: float, per_minute: int = 0) -> float:
        """Return the seconds until ``who`` may ask; 0 takes a request from the bucket. ``now_s`` must be monotonic.

        ``per_minute``: the limit of this client, instead of the one for all.
        """
        most = float(per_minute) or self._most
        if not most:
            return 0.0
        with self._lock:
            left, last = self._held.pop(who, (most, now_s))
            left = min(most, left + (now_s - last) * most / 60.0)
            wait = 0.0 if left >= 1.0 else (1.0 - left) * 60.0 / most
            self._held[who] = (left if wait else left - 1.0, now_s)
            if len(self._held) > BUCKETS_KEPT:
                self._held.popitem(last=False)
        return wait


PREFIX = "rev_"
NAME_MAX = 100
_CHANCE_BYTES = 32
OWN_FILE = "serve-token"
_OWN = re.compile(rb"rev_[A-Za-z0-9_-]{43}\n?")
_OWN_BYTES = 1000
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_VERSION = 1


class Right(IntEnum):
    """The rights of a token; each includes those before it."""

    READ = 1
    WRITE = 2
    ADMIN = 3


@dataclass(frozen=True, slots=True)
class Binding:
    """The scopes a token is for: each part named, or None for any; with a ``tenant``, only of that tenant's."""

    agent: str | None = None
    user: str | None = None
    project: str | None = None
    tenant: str = ""

    @property
    def is_everything(self) -> bool:
        """Whether it allows every scope."""
        return not self.tenant and self.agent is None and self.user is None and self.project is None

    def allows(self, scope: Scope) -> bool:
        """Whether it allows a scope."""
        pairs = ((self.agent, scope.agent), (self.user, scope.user), (self.project, scope.project))
        is_own = not self.tenant or is_in_tenant(scope.agent, self.tenant)
        return is_own and all(bound is None or bound == asked for bound, asked in pairs)

    def __str__(self) -> str:
        agent = self.agent or (f"{self.tenant}.*" if self.tenant else "*")
        return "/".join((agent, self.user or "*", self.project or "*"))


def is_in_tenant(agent: str, tenant: str) -> bool:
    """Whether a scope's agent belongs to a tenant: it is the tenant's name, or begins with it and a dot."""
    return agent == tenant or agent.startswith(f"{tenant}.")


@dataclass(frozen=True, slots=True)
class Principal:
    """Who asks: the token's name, rights and scopes.

    ``tool``: a model's tool asks, so what it writes counts as the assistant's, never the person's. ``page``: the
    request comes from this server's own dashboard. ``per_minute``: its own limit of requests; 0: the server's.
    """

    name: str
    right: Right
    binding: Binding
    tool: bool = False
    page: bool = False
    per_minute: int = 0

    @property
    def caller(self) -> Caller:
        """The caller named in the events of its calls."""
        return Caller(f"{'dashboard' if self.page else 'http'}:{self.name}", self.name if self.tool else "")


LOCAL = Principal("local", Right.ADMIN, Binding())
"""The user who runs the server; with ``--open``, anybody on this machine while there are no tokens."""

NOBODY = Principal("", Right.READ, Binding())
"""Stands for whoever brings no valid token, in the audit."""

GIVEN = Principal("serve.token", Right.ADMIN, Binding())
"""Whoever sends the token from the settings."""


@dataclass(frozen=True, slots=True)
class Token:
    """A stored token: its owner, and the hex digest of the secret."""

    principal: Principal
    digest: str
    created_at: str


def tokens_path(store: Path) -> Path:
    """Return the file of a store's tokens: ``reverie.tokens.json`` beside ``reverie.db``."""
    file = store / "reverie.db" if store.is_dir() else store
    return file.with_suffix(".tokens.json")


def fresh_token() -> str:
    """Return a new random token."""
    return PREFIX + secrets.token_urlsafe(_CHANCE_BYTES)


def digest_of(token: str) -> str:
    """Return the SHA-256 digest of a token, as it is stored."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


class Keyring:
    """The tokens of one file, read again whenever it changes. ``path`` is None for a store in memory.

    ``given`` is one more token with all rights, from whoever started the server, and not stored. ``own`` is the user's
    own.
    """

    def __init__(self, path: Path | None, given: str = "", own: str = "") -> None:
        self._path = path
        pairs = ((given, GIVEN), (own, LOCAL))
        self._handed = tuple((digest_of(text), principal) for text, principal in pairs if text)
        self._seen: tuple[int, int, int] | None = None
        self._tokens: tuple[Token, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether no token was ever made here, for one user or for a team."""
        path = self._path
        return not self._handed and (
            path is None or not (path.exists() or path.with_suffix("").with_suffix(".team.db").exists())
        )

    @property
    def is_empty(self) -> bool:
        """Whether there is no valid token."""
        return not self._handed and not self.tokens()

    def principal(self, token: str) -> Principal | None:
        """Return who a token belongs to; None if unknown. Takes the same time either way.

        Raises:
            StoreCorrupt: the file is damaged.
            InvalidInput: others can read or write the file: it may have come with the folder.
        """
        asked = digest_of(token)
        known = [*self._handed, *((token.digest, token.principal) for token in self.tokens())]
        found = None
        for digest, principal in known:
            if hmac.compare_digest(digest, asked):
                found = principal
        return found

    def tokens(self) -> tuple[Token, ...]:
        """Return every token, sorted by name."""
        if self._path is None:
            return ()
        try:
            stat = self._path.stat()
        except FileNotFoundError:
            self._seen, self._tokens = None, ()
            return ()
        seen = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
        if seen != self._seen:
            require_private(self._path)
            self._tokens = _read(self._path)
            self._seen = seen
        return self._tokens

    def add(self, principal: Principal, now: datetime) -> str:
        """Make a token, store its digest, and return the token itself, which is shown only now.

        Raises:
            InvalidInput: the name is empty, too long or not printable.
            Conflict: there is a token of this name.
        """
        if not principal.name.strip() or len(principal.name) > NAME_MAX or not principal.name.isprintable():
            raise InvalidInput(f"{principal.name!r} is no name.", f"Use 1 to {NAME_MAX} printable characters.")
        token = fresh_token()
        with self._writing() as tokens:
            if any(known.principal.name == principal.name for known in tokens):
                raise Conflict(f"There is a token {principal.name!r} already.", "Choose another name, or remove it.")
            self._write([*tokens, Token(principal, digest_of(token), now.isoformat())])
        return token

    def remove(self, name: str) -> None:
        """Remove a token, so that it is no longer valid. Raises NotFound."""
        with self._writing() as tokens:
            kept = [known for known in tokens if known.principal.name != name]
            if len(kept) == len(tokens):
                raise NotFound(f"There is no token {name!r}.", "List them with `reverie serve token list`.")
            self._write(kept)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[tuple[Token, ...]]:
        """Yield the tokens while the file is locked against other writers."""
        if self._path is None:
            raise InvalidInput("A store in memory has no tokens.", "Name a store on disk.")
        if not self._path.parent.is_dir():
            raise StoreMissing(f"There is no folder {self._path.parent}.", "Check the path, or make it first.")
        with locked(self._path.with_name(self._path.name + ".lock"), math.inf, 0o600):
            yield self.tokens()

    def _write(self, tokens: Sequence[Token]) -> None:
        assert self._path is not None
        ordered = sorted(tokens, key=lambda token: token.principal.name)
        text = json.dumps({"version": _VERSION, "tokens": [_row(token) for token in ordered]}, indent=2) + "\n"
        try:
            replace(self._path, text.encode("ascii"), mode=0o600)
        except OSError as error:
            raise unwritable(error, self._path) from None


@dataclass(frozen=True, slots=True)
class Own:
    """The token of the user who runs the server; ``was_readable``: others could read its predecessor."""

    token: str
    was_readable: bool = False


def own_token(environment: Mapping[str, str]) -> Own:
    """Return the user's own token from the state folder; make a new one if there is none or others could read it.

    Raises:
        InvalidSetting: there is no state folder, or the file is a link, another user's, or not a token.
        StoreError: it cannot be written.
    """
    state = state_folder(environment)
    if state is None:
        raise InvalidSetting(
            "HOME is not set, so there is no place for the server's token.", "Set HOME, or REVERIE_SERVE_TOKEN."
        )
    path = state / OWN_FILE
    try:
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
        with locked(path.with_name(OWN_FILE + ".lock"), mode=OWNER_ONLY):
            kept = _kept(path)
            if kept is not None and not kept.was_readable:
                return kept
            token = fresh_token()
            replace(path, f"{token}\n".encode("ascii"), mode=OWNER_ONLY)
    except OSError as error:
        raise unwritable(error, path) from None
    return Own(token, was_readable=kept is not None)


def _kept(path: Path) -> Own | None:
    """Return the token in a file; None without a file. Raises InvalidSetting."""
    try:
        with os.fdopen(open_own(path, os.O_RDONLY), "rb") as file:
            is_readable = os.name == "posix" and bool(os.fstat(file.fileno()).st_mode & _OTHERS)
            content = file.read(_OWN_BYTES)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _not_ours(path, error.strerror or str(error)) from None
    if _OWN.fullmatch(content) is None:
        raise _not_ours(path, "it holds no token that was made here")
    return Own(content.decode("ascii").strip(), is_readable)


def _not_ours(path: Path, why: str) -> InvalidSetting:
    return InvalidSetting(
        f"The server's token cannot be taken from {path}: {why}.",
        "Look at what lies there and move it away; the next start makes a new token. Or set REVERIE_SERVE_TOKEN.",
    )


def _row(token: Token) -> dict[str, object]:
    binding = token.principal.binding
    return {
        "name": token.principal.name,
        "sha256": token.digest,
        "rights": token.principal.right.name.lower(),
        "scope": {"agent": binding.agent, "user": binding.user, "project": binding.project},
        "tool": token.principal.tool,
        "created_at": token.created_at,
    }


def _read(path: Path) -> tuple[Token, ...]:
    try:
        raw = json.loads(path.read_text(encoding="ascii"))
        if raw["version"] != _VERSION:
            raise ValueError("another version wrote it")
        return tuple(_token(row) for row in raw["tokens"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise StoreCorrupt(
            f"{path} is not a file of tokens ({type(error).__name__}).",
            "Restore it from a backup, or delete it and make the tokens anew.",
        ) from None


def _token(row: dict[str, object]) -> Token:
    scope, digest = row["scope"], row["sha256"]
    if not isinstance(scope, dict) or not isinstance(digest, str) or not digest.isascii():
        raise ValueError("a row is not whole")
    parts = {name: scope[name] for name in ("agent", "user", "project")}
    if not all(part is None or (isinstance(part, str) and part) for part in parts.values()):
        raise ValueError("a part of a scope is not text")
    right, tool = Right[str(row["rights"]).upper()], row.get("tool", False) is True
    principal = Principal(str(row["name"]), right, Binding(**parts), tool)
    return Token(principal, digest, str(row["created_at"]))
