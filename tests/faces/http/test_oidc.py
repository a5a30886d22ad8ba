from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reverie import Reverie
from reverie.config import TeamSettings
from reverie.engine.runtime import FixedClock, RandomIds
from reverie.errors import InvalidSetting
from reverie.faces.http.oidc import KEPT_MAX_S, RETRY_S, Keys, Provider
from tests.faces.http.conftest import NOW, Client
from tests.faces.http.teams import Issuer, Service, issuing

SCOPE = {"agent": "acme.helper", "user": "ada", "project": "home"}


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    """A provider with one key."""
    with issuing() as running:
        yield running


@pytest.fixture
def service(tmp_path: Path, issuer: Issuer) -> Iterator[Service]:
    """A server that accepts the provider's tokens, and knows the tenant acme."""
    ids = RandomIds(seed=1)
    with Reverie.open(tmp_path / "reverie.db", embedder=None, clock=FixedClock(NOW), ids=ids) as engine:
        settings = TeamSettings(on=True, issuer=issuer.url, audience="reverie")
        made = Service(engine, tmp_path / "reverie.db", settings)
        made.tenant("acme")
        yield made
        made.team.close()


@pytest.fixture
def status(service: Service) -> Callable[[str], int]:
    """The status with which a token's question is answered."""
    return lambda token: Client(service.serving, token).ask("GET", "/v1/stats", params=SCOPE).status_code


def test_a_providers_token_is_its_tenants_caller(service: Service, issuer: Issuer) -> None:
    """Claims say which tenant, what right, and which scopes; the journal names who wrote."""
    client = Client(service.serving, issuer.token(service.hands.now, reverie_scope="acme.helper/*/home"))
    told = client.ask("GET", "/v1/whoami").json()
    assert told == {
        "name": "acme@ada",
        "rights": "write",
        "scope": {"agent": "acme.helper", "user": None, "project": "home"},
        "tenant": "acme",
    }
    answer = client.ask("POST", "/v1/remember", params={"user": "ada"}, json={"text": "The key is here."})
    assert answer.status_code == 200
    [event] = client.ask("GET", "/v1/events", params=SCOPE).json()["events"]
    assert event["actor"] == "http:acme@ada"
    assert client.ask("GET", "/v1/stats", params={**SCOPE, "project": "work"}).status_code == 403
    assert client.ask("GET", "/v1/export", params=SCOPE).status_code == 403


@pytest.mark.parametrize(
    ("claims", "wanted"),
    [
        ({}, 200),
        ({"aud": ["other", "reverie"]}, 200),
        ({"reverie_right": ["viewer", "read"]}, 200),
        ({"aud": "other"}, 401),
        ({"aud": None}, 401),
        ({"iss": "http://127.0.0.1:1"}, 401),
        ({"sub": None}, 401),
        ({"sub": "a\nb"}, 401),
        ({"exp": None}, 401),
        ({"exp": int(NOW.timestamp()) - 59}, 200),
        ({"exp": int(NOW.timestamp()) - 61}, 401),
        ({"nbf": int(NOW.timestamp()) + 59}, 200),
        ({"nbf": int(NOW.timestamp()) + 61}, 401),
        ({"tenant": None}, 403),
        ({"tenant": "globex"}, 403),
        ({"tenant": "../acme"}, 403),
        ({"reverie_right": None}, 403),
        ({"reverie_right": "owner"}, 403),
        ({"reverie_scope": "globex/*/*"}, 403),
        ({"reverie_scope": "acmex/*/*"}, 403),
        ({"reverie_scope": "acme.helper"}, 403),
        ({"reverie_scope": 3}, 403),
    ],
)
def test_each_claim_is_held_to_what_it_must_be(
    status: Callable[[str], int], issuer: Issuer, claims: dict[str, object], wanted: int
) -> None:
    """Issuer, audience, times with the allowed skew: 401; no known tenant, right or scope: 403."""
    assert status(issuer.token(NOW, **claims)) == wanted


def test_no_algorithm_but_the_pinned_ones(status: Callable[[str], int], issuer: Issuer) -> None:
    """None, a shared secret made of the public key, another pinned-out one, a foreign key of the same name."""
    from joserfc import jwk

    [own] = issuer.keys.values()
    pem = own.as_pem(private=False)
    shared = jwk.OctKey.import_key(base64.b64encode(pem))
    segments = issuer.token(NOW).split(".")
    none = base64.urlsafe_b64encode(json.dumps({"alg": "none", "kid": "first"}).encode()).decode().rstrip("=")
    forged = [
        f"{none}.{segments[1]}.",
        issuer.token(NOW, header={"alg": "HS256"}, key=shared),
        issuer.token(NOW, key=jwk.ECKey.generate_key("P-256")),
        f"{segments[0]}.{segments[1]}.{segments[2][:-6]}AAAAAA",
        f"{segments[0]}.{segments[1]}x.{segments[2]}",
    ]
    assert [status(one) for one in forged] == [401] * len(forged)
    assert status(issuer.token(NOW)) == 200


def test_a_shared_secret_among_the_keys_is_none(status: Callable[[str], int], issuer: Issuer) -> None:
    """A key set that holds a symmetric key does not let anybody sign with it."""
    from joserfc import jwk

    shared = jwk.OctKey.generate_key(256, {"kid": "shared"})
    issuer.extra_keys = [shared.as_dict(private=True)]
    assert status(issuer.token(NOW)) == 200
    assert status(issuer.token(NOW, header={"alg": "HS256", "kid": "shared"}, key=shared)) == 401


@pytest.mark.parametrize("token", ["a.b.c", "..", "x" * 20_000 + ".b.c", "é.b.c", "e30.e30.e30", "." * 2])
def test_what_is_no_token_is_refused(status: Callable[[str], int], token: str, issuer: Issuer) -> None:
    """Empty, huge and made-up ones are 401, and nothing is fetched for them."""
    if token.isascii():
        assert status(token) == 401
    assert issuer.asked == []


def test_a_huge_token_is_refused_even_if_it_is_good(status: Callable[[str], int], issuer: Issuer) -> None:
    """The provider signed it, and it is too long."""
    assert status(issuer.token(NOW, more="x" * 20_000)) == 401


@pytest.mark.filterwarnings("ignore:EdDSA is deprecated")
@pytest.mark.parametrize(("kind", "curve"), [("RSA", 2048), ("OKP", "Ed25519")])
def test_other_kinds_of_keys(status: Callable[[str], int], issuer: Issuer, kind: str, curve: str | int) -> None:
    """RS256 and EdDSA beside ES256."""
    issuer.rotate("other", kind, curve)
    assert status(issuer.token(NOW)) == 200


def test_a_rotated_key_is_found_and_an_unknown_one_asked_for_rarely(
    service: Service, status: Callable[[str], int], issuer: Issuer
) -> None:
    """A new key's first token fetches it, once in a minute at most; the old key's tokens are refused then."""
    old = issuer.token(NOW)
    assert status(old) == 200
    assert len(issuer.asked) == 2
    issuer.rotate("second")
    new = issuer.token(NOW)
    assert status(new) == 401
    assert len(issuer.asked) == 2
    service.hands.seconds += service.settings.refetch_s
    assert status(new) == 200
    assert len(issuer.asked) == 4
    assert status(old) == 401
    assert [status(issuer.token(NOW, header={"kid": f"k{n}"})) for n in range(20)] == [401] * 20
    assert len(issuer.asked) == 4


def test_while_the_provider_is_down_its_kept_keys_go_on_for_a_day(
    service: Service, status: Callable[[str], int], issuer: Issuer
) -> None:
    """Known keys go on past their age, unknown ones are 503 with when to come back, and after a day all are."""
    token = issuer.token(NOW)
    assert status(token) == 200
    issuer.is_down = True
    service.hands.seconds += service.settings.keys_s + 1
    assert status(token) == 200
    unknown = Client(service.serving, issuer.token(NOW, header={"kid": "other"})).ask("GET", "/v1/whoami")
    assert (unknown.status_code, unknown.json()["type"]) == (503, "urn:reverie:provider-unavailable")
    assert int(unknown.headers["retry-after"]) >= 1
    service.hands.seconds += KEPT_MAX_S
    assert status(token) == 503
    issuer.is_down = False
    service.hands.seconds += RETRY_S
    assert status(token) == 200


def test_a_provider_that_is_down_from_the_start(status: Callable[[str], int], issuer: Issuer) -> None:
    """There are no keys: 503, and the provider is not asked at every request."""
    issuer.is_down = True
    assert [status(issuer.token(NOW)) for _ in range(3)] == [503] * 3
    assert len(issuer.asked) == 1


def test_another_issuers_document_is_not_believed(status: Callable[[str], int], issuer: Issuer) -> None:
    """The discovery document has to name the issuer that was asked."""
    issuer.said_issuer = "http://127.0.0.1:1"
    assert status(issuer.token(NOW)) == 503


@pytest.mark.parametrize("wrong", [{"algorithms": "HS256"}, {"algorithms": "RS256, none"}, {"audience": ""}])
def test_settings_that_would_let_anybody_in_are_refused(wrong: dict[str, str]) -> None:
    """At the start, not at the first token."""
    settings = TeamSettings(**{"on": True, "issuer": "https://id.example", "audience": "reverie", **wrong})  # type: ignore[arg-type] # a test's own values
    with pytest.raises(InvalidSetting):
        Provider(settings, Keys(settings, lambda: 0.0), lambda: NOW)


@pytest.mark.parametrize("url", ["http://id.example", "file:///etc", "https://", "ftp://127.0.0.1"])
def test_keys_come_over_https_or_from_this_machine(url: str, status: Callable[[str], int]) -> None:
    """Anything else is as good as down."""
    from reverie.faces.http.oidc import ProviderDown, fetched

    with pytest.raises(ProviderDown):
        fetched(f"{url}/keys")
