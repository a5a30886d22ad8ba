"""Check bearer tokens of an OpenID Connect provider, and map their claims to a tenant, a right and scopes.

The provider's keys are fetched once, kept, and fetched again when they are old or a token names an unknown one. While
the provider is down, the kept keys go on for a day.
"""

from __future__ import annotations

import json
import logging
import urllib.error
import urllib.request
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from reverie.config import TeamSettings
from reverie.errors import InvalidSetting
from reverie.extras import lacking
from reverie.faces.http.problems import Problem, Refused, forbidden, unauthorized
from reverie.faces.http.team import TENANT
from reverie.faces.http.tokens import Binding, Principal, Right, is_in_tenant

if TYPE_CHECKING:
    from joserfc.jwk import KeySet

TOKEN_MAX = 16_384
ANSWER_MAX = 1_000_000
TIMEOUT_S = 3.0
KEPT_MAX_S = 86_400.0
"""Seconds for which keys are good while the provider cannot be reached."""
RETRY_S = 15.0
NAME_MAX = 200
SCOPE_PARTS = 3
ALGORITHMS = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA", "Ed25519"),
)
"""Signatures by a private key; a shared secret (HS256) or none never is one."""
USUAL = ("RS256", "ES256", "EdDSA")
_OWN_HOSTS = ("localhost", "127.0.0.1", "::1")
_KINDS = ("RSA", "EC", "OKP")

logger = logging.getLogger("reverie.http")


class ProviderDown(Exception):
    """The provider does not answer as it should."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        """Follow no redirect: keys come from where the provider says, or not at all."""


def fetched(url: str) -> Mapping[str, Any]:
    """Fetch a JSON object over HTTPS, or from this machine. Raises ProviderDown."""
    opener = urllib.request.build_opener(_NoRedirect)
    try:
        parts = urlsplit(url)
        if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _OWN_HOSTS):
            raise ProviderDown(f"{url} is not https")
        with opener.open(url, timeout=TIMEOUT_S) as answer:
            found = json.loads(answer.read(ANSWER_MAX))
    except (OSError, ValueError, urllib.error.URLError) as error:
        raise ProviderDown(f"{url}: {error}") from None
    if not isinstance(found, dict):
        raise ProviderDown(f"{url} answers no object")
    return found


@dataclass(slots=True)
class _Kept:
    """The keys, when they were fetched and when that was last tried, in monotonic seconds."""

    keys: KeySet | None = None
    fetched_s: float = float("-inf")
    tried_s: float = float("-inf")
    is_down: bool = False

    def has(self, kid: str | None) -> bool:
        """Whether there is a key of this name; without a name, whether there are keys."""
        return self.keys is not None and (kid is None or any(key.kid == kid for key in self.keys))


class Keys:
    """The provider's public keys; ``now_s`` is a monotonic clock, ``fetch`` brings a JSON object from an address."""

    def __init__(
        self,
        settings: TeamSettings,
        now_s: Callable[[], float],
        fetch: Callable[[str], Mapping[str, Any]] = fetched,
    ) -> None:
        self._settings, self._now_s, self._fetch = settings, now_s, fetch
        self._kept, self._lock = _Kept(), Lock()

    def found(self, kid: str | None) -> KeySet:
        """Return the keys, fetched anew if they are old or ``kid`` is not among them, but at most so often.

        Raises:
            ProviderDown: they cannot be fetched, and there are none that are good still.
        """
        kept, now = self._kept, self._now_s()
        if self._is_due(kid, now) and self._lock.acquire(blocking=not kept.has(kid)):  # whoever has the key never waits
            try:
                if self._is_due(kid, now):
                    self._renew(now)
            finally:
                self._lock.release()
        if kept.keys is None or now - kept.fetched_s > KEPT_MAX_S or (kept.is_down and not kept.has(kid)):
            raise ProviderDown("there are no keys of the provider")
        return kept.keys

    def _is_due(self, kid: str | None, now: float) -> bool:
        kept, settings = self._kept, self._settings
        if kept.has(kid) and now - kept.fetched_s < settings.keys_s:
            return False
        return now - kept.tried_s >= (RETRY_S if kept.is_down else settings.refetch_s)

    def _renew(self, now: float) -> None:
        kept = self._kept
        kept.tried_s = now
        try:
            kept.keys, kept.fetched_s, kept.is_down = self._fetched(), now, False
        except ProviderDown as error:
            kept.is_down = True
            logger.warning("the provider's keys cannot be fetched: %s", error)

    def _fetched(self) -> KeySet:
        from joserfc.errors import JoseError
        from joserfc.jwk import KeySet

        issuer = self._settings.issuer
        described = self._fetch(f"{issuer.rstrip('/')}/.well-known/openid-configuration")
        if described.get("issuer") != issuer:
            raise ProviderDown("the discovery document names another issuer")
        raw = self._fetch(str(described.get("jwks_uri")))
        listed = raw.get("keys")
        public = [key for key in listed if _is_usable(key)] if isinstance(listed, list) else []
        try:
            return KeySet.import_key_set({"keys": public})
        except (JoseError, ValueError, TypeError, KeyError) as error:
            raise ProviderDown(f"the keys cannot be read: {type(error).__name__}") from None


def _is_usable(key: object) -> bool:
    """Whether a key of a set may check a signature: a public one, never a shared secret."""
    return isinstance(key, dict) and key.get("kty") in _KINDS and key.get("use", "sig") == "sig" and "d" not in key


class Provider:
    """Checks the tokens of the provider that the settings name. ``now`` is the time that expiry is measured by.

    Raises:
        InvalidSetting: no audience, an unknown algorithm, or the extra is not installed.
    """

    def __init__(self, settings: TeamSettings, keys: Keys, now: Callable[[], datetime]) -> None:
        try:
            import joserfc.jwt  # noqa: F401 - so that a missing extra shows at the start
            from joserfc.errors import SecurityWarning
        except ImportError:
            raise lacking("serve,team", "The setting team.issuer", InvalidSetting) from None
        # most providers still call Ed25519 by its older name
        warnings.filterwarnings("ignore", "EdDSA is deprecated", SecurityWarning)
        self._settings, self._keys, self._now = settings, keys, now
        self._algorithms = [one.strip() for one in settings.algorithms.split(",") if one.strip()] or [*USUAL]
        if wrong := [one for one in self._algorithms if one not in ALGORITHMS]:
            raise InvalidSetting(f"team.algorithms names {wrong[0]!r}.", f"Choose among {', '.join(ALGORITHMS)}.")
        if not settings.audience:
            raise InvalidSetting("team.issuer needs team.audience.", "Set what its tokens are made for.")

    def principal(self, token: str) -> Principal:
        """Return who a token names.

        Raises:
            Refused: 401 for a bad or expired token, 403 for one without tenant or right, 503 without the keys.
        """
        claims = self._claims(token)
        settings = self._settings
        tenant, subject = _at(claims, settings.tenant_claim), claims["sub"]
        if not isinstance(tenant, str) or not TENANT.fullmatch(tenant):
            raise forbidden(f"The token names no tenant in {settings.tenant_claim}.", "Ask your provider's keeper.")
        if not isinstance(subject, str) or not subject.isprintable() or not 0 < len(subject) <= NAME_MAX:
            raise unauthorized("The token's subject is no name.")
        right = _right(_at(claims, settings.right_claim))
        if right is None:
            raise forbidden(
                f"The token names no right in {settings.right_claim}.", "It has to say read, write or admin."
            )
        return Principal(f"{tenant}@{subject}", right, _binding(_at(claims, settings.scope_claim), tenant))

    def _claims(self, token: str) -> Mapping[str, Any]:
        """Return the claims of a token whose signature, issuer, audience and times hold. Raises Refused."""
        from joserfc import jwt
        from joserfc.errors import ExpiredTokenError, JoseError

        if len(token) > TOKEN_MAX:
            raise unauthorized("The token is too long.")
        try:
            keys = self._keys.found(_kid(token, self._algorithms))
            decoded = jwt.decode(token, keys, algorithms=self._algorithms)
            jwt.JWTClaimsRegistry(
                now=int(self._now().timestamp()),
                leeway=self._settings.leeway_s,
                iss={"essential": True, "value": self._settings.issuer},
                aud={"essential": True, "value": self._settings.audience},
                exp={"essential": True},
                sub={"essential": True},
            ).validate(decoded.claims)
        except ExpiredTokenError:
            raise unauthorized("The token has expired.") from None
        except ProviderDown:
            raise Refused(
                Problem(
                    503,
                    "provider-unavailable",
                    "The provider of tokens does not answer, so this token cannot be checked.",
                    "Try again; or use a token that was made here.",
                    headers={"Retry-After": str(int(RETRY_S))},
                )
            ) from None
        except (JoseError, ValueError, TypeError, KeyError, RecursionError, OverflowError):
            raise unauthorized("The token is not one of the provider's for this server.") from None
        return decoded.claims


def _kid(token: str, algorithms: list[str]) -> str | None:
    """Return the key that a token names, before anything is fetched for it. Raises ValueError, JoseError, Refused."""
    from joserfc import jws

    header = jws.extract_compact(token.encode("ascii")).headers()
    if header.get("alg") not in algorithms:
        raise ValueError("another algorithm")
    kid = header.get("kid")
    if kid is not None and not isinstance(kid, str):
        raise ValueError("a key's name is text")
    return kid


def _at(claims: Mapping[str, Any], path: str) -> object:
    """Return a claim by its name, or by its path with dots: ``realm_access.roles``."""
    if path in claims:
        return claims[path]
    found: object = claims
    for part in path.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def _right(value: object) -> Right | None:
    """Return the highest right that a claim names, as a text or a list of them."""
    named = value.split() if isinstance(value, str) else value if isinstance(value, list) else []
    found = []
    for one in named:
        with suppress(KeyError):
            found.append(Right[str(one).upper()])
    return max(found, default=None)


def _binding(value: object, tenant: str) -> Binding:
    """Return the scopes that a claim names as ``agent/user/project``; without it the tenant's. Raises Refused."""
    if value is None:
        return Binding(tenant=tenant)
    parts = value.split("/") if isinstance(value, str) else []
    if len(parts) != SCOPE_PARTS or not all(part.strip() for part in parts):
        raise forbidden("The token's scope is none.", "It has to be agent/user/project, with * for any.")
    agent, user, project = (None if part == "*" else part for part in parts)
    if agent is not None and not is_in_tenant(agent, tenant):
        raise forbidden("The token's scope is not its tenant's.", f"Its agent must begin with {tenant}.")
    return Binding(agent, user, project, tenant)
