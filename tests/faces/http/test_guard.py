from __future__ import annotations

import logging
from collections.abc import Callable

import pytest

from reverie import Reverie
from reverie.faces.http.guard import HEADERS, is_own_host
from reverie.faces.http.parts import Serving
from reverie.faces.http.tokens import Keyring
from tests.faces.http.conftest import BASE, SCOPE, Client, named


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:8377", "localhost:1", "LOCALHOST", "[::1]:8377"])
def test_without_tokens_this_machine_may_ask_by_its_own_names(client: Client, host: str) -> None:
    """Loopback's names are let in, with any port."""
    assert client.ask("GET", "/v1/scopes", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example:8377", "169.254.1.1", "", "[", "localhost.evil"]
)
def test_without_tokens_a_name_that_was_made_to_point_here_is_turned_away(client: Client, host: str) -> None:
    """A page that rebinds its own name to this machine gets nothing: its requests bear its name."""
    answer = client.ask("GET", "/v1/scopes", headers={"Host": host})
    assert (answer.status_code, answer.json()["type"]) == (403, "urn:reverie:foreign-host")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Origin": "https://127.0.0.1:8377"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_without_tokens_a_page_of_another_site_is_turned_away(
    client: Client, engine: Reverie, headers: dict[str, str]
) -> None:
    """What a browser sends for another site neither reads nor writes."""
    answer = client.ask("POST", "/v1/remember", params=named(SCOPE), json={"text": "planted"}, headers=headers)
    assert (answer.status_code, answer.json()["type"]) == (403, "urn:reverie:foreign-origin")
    assert engine.admin.scopes() == []


def test_without_tokens_the_servers_own_page_may_ask(client: Client) -> None:
    """The dashboard's requests name this server as their origin."""
    headers = {"Origin": BASE, "Sec-Fetch-Site": "same-origin"}
    assert client.ask("POST", "/v1/remember", params=named(SCOPE), json={"text": "x"}, headers=headers).is_success


def test_a_form_of_another_site_is_no_json(client: Client, engine: Reverie) -> None:
    """A body that is not declared as JSON is refused: a form cannot declare that."""
    answer = client.ask(
        "POST", "/v1/remember", params=named(SCOPE), content=b'{"text":"x"}', headers={"Content-Type": "text/plain"}
    )
    assert answer.status_code == 415
    assert engine.admin.scopes() == []


def test_a_preflight_is_answered_without_leave(client: Client) -> None:
    """No answer bears a header by which another site would be let in."""
    answer = client.ask("OPTIONS", "/v1/remember", headers={"Origin": "https://evil.example"})
    assert answer.status_code in (403, 405)
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_with_tokens_nobody_asks_without_one(serving: Serving, token: Callable[..., str]) -> None:
    """Once there is a token, none, a wrong one and one in another scheme are turned away alike."""
    good = token()
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Basic {good}"}, {"Authorization": good}):
        answer = Client(serving).ask("GET", "/v1/scopes", headers=headers)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"].startswith("Bearer")
    assert Client(serving, good).get("/v1/scopes", None).status_code == 200


def test_with_tokens_any_host_name_will_do(serving: Serving, token: Callable[..., str]) -> None:
    """Behind a proxy with a name of its own, the token is what counts."""
    assert Client(serving, token(), "http://memory.example").get("/v1/scopes", None).status_code == 200


def test_whoever_is_watched_over_needs_no_token(serving: Serving, token: Callable[..., str]) -> None:
    """Life signs, the description and the page are for everybody."""
    token()
    client = Client(serving)
    assert {client.get(path, None).status_code for path in ("/healthz", "/livez", "/readyz", "/openapi.json", "/")} == {
        200
    }


def test_a_broken_file_of_tokens_lets_nobody_in(serving: Serving, keyring: Keyring, token: Callable[..., str]) -> None:
    """A file that cannot be read is an error, never an open door."""
    token()
    assert keyring._path is not None
    keyring._path.write_text("{")
    assert Client(serving).get("/v1/scopes", None).status_code == 500


def test_elsewhere_nobody_is_let_in_without_a_token(engine: Reverie, keyring: Keyring, serving: Serving) -> None:
    """A server that others can reach is never open, even if its file of tokens goes while it runs."""
    serving.is_local = False
    assert Client(serving).get("/v1/scopes", None).status_code == 401


def test_more_than_the_limit_has_to_wait(limited: Callable[..., Serving]) -> None:
    """The request after the last one allowed is told how long to wait; counts of others are their own."""
    client = Client(limited(requests_per_minute=3))
    statuses = [client.get("/v1/scopes", None).status_code for _ in range(4)]
    assert statuses == [200, 200, 200, 429]
    answer = client.get("/v1/scopes", None)
    assert 1 <= int(answer.headers["retry-after"]) <= 21
    assert client.get("/livez", None).status_code == 200


def test_each_token_has_its_own_limit(limited: Callable[..., Serving], token: Callable[..., str]) -> None:
    """One client that asks too much does not keep another from asking."""
    serving = limited(requests_per_minute=1)
    one, two = Client(serving, token(name="one")), Client(serving, token(name="two"))
    assert [one.get("/v1/scopes", None).status_code for _ in range(2)] == [200, 429]
    assert two.get("/v1/scopes", None).status_code == 200


def test_a_body_beyond_the_limit_is_not_read(limited: Callable[..., Serving], engine: Reverie) -> None:
    """A long body is refused by what it says of itself, and by what comes where it says nothing."""
    client = Client(limited(body_mb=1))
    body = b'{"text":"' + b"x" * 1_000_000 + b'"}'
    kind = {"Content-Type": "application/json"}

    async def pieces() -> object:
        for start in range(0, len(body), 100_000):
            yield body[start : start + 100_000]

    for content in (body, pieces()):
        answer = client.ask("POST", "/v1/remember", params=named(SCOPE), content=content, headers=kind)
        assert (answer.status_code, answer.headers["content-type"]) == (413, "application/problem+json")
    assert engine.admin.scopes() == []


def test_an_import_may_be_longer(limited: Callable[..., Serving]) -> None:
    """What goes to a file as it comes has a limit of its own."""
    answer = Client(limited(body_mb=1)).ask("POST", "/v1/import", params=named(SCOPE), content=b"x" * 1_500_000)
    assert answer.json()["type"] == "urn:reverie:invalid-export"


def test_every_answer_bears_the_same_headers(client: Client) -> None:
    """An answer, an error, the page and a refusal: each typed for good, framed nowhere, and with its id."""
    answers = [client.get("/v1/scopes", None), client.get("/nowhere", None), client.get("/", None)]
    answers.append(client.ask("GET", "/v1/scopes", headers={"Host": "evil.example"}))
    for answer in answers:
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS
        assert answer.headers["x-request-id"]
        assert "default-src 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(("given", "kept"), [("abc-1", True), ("a b", False), ("x" * 65, False), ("", False)])
def test_a_harmless_request_id_is_kept(client: Client, given: str, kept: bool) -> None:
    """A client's own id comes back; one that is none is replaced."""
    assert (client.ask("GET", "/livez", headers={"X-Request-Id": given}).headers["x-request-id"] == given) is kept


def test_no_token_and_no_text_is_ever_logged(
    serving: Serving, token: Callable[..., str], caplog: pytest.LogCaptureFixture
) -> None:
    """Answers, refusals and faults leave no secret and no word of a memory in any log."""
    secret = token()
    caplog.set_level(logging.DEBUG)
    client = Client(serving, secret)
    client.post("/v1/remember", {"text": "a tuba in the attic"})
    client.post("/v1/remember", {"text": 3, "a tuba": 1})
    Client(serving, "wrong-" + secret).post("/v1/remember", {"text": "a tuba"})
    serving.engine.close()
    client.post("/v1/recall", {"cue": "a tuba"})
    logged = "\n".join(record.getMessage() for record in caplog.records if not record.name.startswith("httpx"))
    assert "refused: unauthorized" in logged
    assert secret not in logged
    assert "tuba" not in logged


def test_only_this_machines_addresses_are_its_own() -> None:
    """The unspecified address is everybody's."""
    assert [host for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "::", "10.0.0.1") if is_own_host(host)] == [
        "127.0.0.1",
        "::1",
        "localhost",
    ]
