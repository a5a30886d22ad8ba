from __future__ import annotations

import inspect
import json
from collections.abc import Callable

import pytest

from reverie import Reverie
from reverie.engine.consolidate import Consolidation
from reverie.engine.curate import Curation
from reverie.engine.erasure import Eraser
from reverie.engine.ingest import Ingestion
from reverie.engine.maintain import Maintenance
from reverie.engine.retrieve import Retrieval
from reverie.engine.transfer import Transfer
from reverie.faces.http.parts import Serving
from reverie.faces.http.tokens import Right
from reverie.types import Scope
from tests.faces.http.conftest import NOW, OTHER, SCOPE, Client, named
from tests.faces.http.table import QUERIES, Operation, operations, rights

METHODS = {
    "about": "/v1/about",
    "amend": "/v1/memories/{memory_id}/amend",
    "backup": "/v1/backup",
    "embed": "/v1/embed",
    "compact": "/v1/compact",
    "correct": "/v1/memories/{memory_id}",
    "decay": "/v1/decay",
    "doctor": "/v1/doctor",
    "digest": "/v1/replay",
    "dream": "/v1/dream",
    "dreams": "/v1/dreams",
    "expand": "/v1/memories/{memory_id}/expand",
    "condense": "/v1/condense",
    "end_session": "/v1/working",
    "erase": "/v1/memories/{memory_id}",
    "events": "/v1/events",
    "explain": "/v1/explain",
    "export_journal": "/v1/export",
    "export_markdown": "/v1/export-markdown",
    "export_memories": "/v1/memories",
    "feedback": "/v1/memories/{memory_id}/feedback",
    "forget": "/v1/memories/{memory_id}/forget",
    "forgetting_curve": "/v1/memories/{memory_id}/curve",
    "formed": "/v1/formed",
    "graph": "/v1/memories/{memory_id}/graph",
    "head": "/readyz",
    "health": "/v1/health",
    "history": "/v1/memories/{memory_id}/history",
    "provenance": "/v1/memories/{memory_id}/provenance",
    "hot": "/v1/hot",
    "import_from": "/v1/import-from",
    "import_journal": "/v1/import",
    "injected": "/v1/injected",
    "latest": "/v1/latest",
    "memory": "/v1/memories/{memory_id}",
    "missing": "/v1/server",
    "model": "/v1/server",
    "note": "/v1/note",
    "observe": "/v1/observe",
    "pin": "/v1/memories/{memory_id}/pin",
    "protect": "/v1/memories/{memory_id}/protect",
    "quarantine": "/v1/memories/{memory_id}/quarantine",
    "quarantined": "/v1/quarantine",
    "recall": "/v1/recall",
    "recipe": "/v1/server",
    "reranker": "/v1/server",
    "relate": "/v1/memories/{memory_id}/relations",
    "relations": "/v1/relations",
    "release": "/v1/memories/{memory_id}/release",
    "remember": "/v1/remember",
    "remember_many": "/v1/remember-many",
    "restore": "/v1/memories/{memory_id}/restore",
    "reopen": "/v1/memories/{memory_id}/reopen",
    "replay": "/v1/replay",
    "revive": "/v1/memories/{memory_id}/revive",
    "scopes": "/v1/scopes",
    "stats": "/v1/stats",
    "timeline": "/v1/memories",
    "undo": "/v1/undo",
    "undo_event": "/v1/undo",
    "anchor": "/v1/anchor",
    "verify": "/v1/verify",
    "working": "/v1/working",
}
"""Public method → its route."""
HERE_ALONE = {
    "open",
    "jobs",
    "close",
    "bind",
    "admin",
    "transfer",
    "screened",
    "screened_many",
    "admission",
    "keep_many",
    "observe_many",
    "erase_rest",
    "has_slept",
    "decay_at_open",
    "use_model",
    "use_reranker",
    "held_of",
    "erase_all",
    "shred",
    "rotate",
    "copies",
    "sync",
    "sync_conflicts",
    "repair",
    "seal",
    "bundle",
    "accept",
}
"""What a server does once, for all who ask, and what crosses scopes, which a request never does."""

SCOPED = [one for one in operations() if one.is_scoped]
WRITING = [one for one in operations() if rights().get(one.name, 0) > Right.READ]


def ask(client: Client, one: Operation, memory_id: str, scope: Scope) -> int:
    """The status of a request that fits an operation."""
    query = {**named(scope), **QUERIES.get(one.name, {})}
    return client.ask(one.method, one.at(memory_id), params=query, **one.options()).status_code


def test_every_public_method_has_its_route() -> None:
    """Whatever the Python class can do, HTTP can: a new method without a route fails here."""
    kinds = (Reverie, Ingestion, Curation, Eraser, Retrieval, Consolidation, Maintenance, Transfer)
    public = {name for kind in kinds for name, _ in inspect.getmembers(kind) if not name.startswith("_")}
    assert public - HERE_ALONE == set(METHODS)
    assert set(METHODS.values()) <= {one.path for one in operations()}


def test_every_route_asks_who_it_is_except_for_the_watchers() -> None:
    """No route answers without looking at the token, but those that say whether the process lives."""
    assert {one.path for one in operations() if not one.dependency} == {"/healthz", "/livez", "/readyz"}


@pytest.mark.parametrize("one", WRITING, ids=lambda one: f"{one.method} {one.path}")
def test_a_read_token_cannot_write(
    one: Operation, serving: Serving, engine: Reverie, token: Callable[..., str]
) -> None:
    """Every route that changes something turns a read token away, and the store stays as it is."""
    kept = engine.remember("The key is under the mat.", SCOPE, at=NOW).id
    client = Client(serving, token(Right.READ))
    before = engine.admin.head()
    assert ask(client, one, kept, SCOPE) == 403
    assert engine.admin.head() == before


@pytest.mark.parametrize(("recipe", "refused"), [("v9", {}), ("reverie", {"curve": 422})])
def test_no_route_that_reads_writes(
    serving: Serving, engine: Reverie, token: Callable[..., str], refused: dict[str, int]
) -> None:
    """After every route a read token may ask, the journal stands where it stood: recalling counts nothing for it."""
    kept = engine.remember("The key is under the mat.", SCOPE, at=NOW).id
    client = Client(serving, token(Right.READ, None))
    before = engine.admin.head()
    reading = [one for one in operations() if one.dependency and one not in WRITING]
    found = {one.name: status for one in reading if (status := ask(client, one, kept, SCOPE)) != 200}
    assert found == refused | {"job": 404}, (
        "a 422 may mean that BODIES or QUERIES in table.py has no example of this name"
    )
    assert engine.admin.head() == before


@pytest.mark.parametrize("one", SCOPED, ids=lambda one: f"{one.method} {one.path}")
def test_a_scopes_token_sees_no_other_scope(
    one: Operation, serving: Serving, engine: Reverie, token: Callable[..., str]
) -> None:
    """Over every route: for another scope the answer is 403 whether anything is there or not."""
    theirs = engine.remember("Bob's secret is a tuba.", OTHER, at=NOW).id
    client = Client(serving, token(Right.ADMIN, SCOPE))
    assert ask(client, one, theirs, OTHER) == ask(client, one, "nothing", Scope("no", "such", "scope")) == 403


@pytest.mark.parametrize("one", SCOPED, ids=lambda one: f"{one.method} {one.path}")
def test_another_scopes_memory_is_not_there(
    one: Operation, serving: Serving, engine: Reverie, token: Callable[..., str]
) -> None:
    """Over every route: asked within its own scope for a memory of another, a token gets nothing of it."""
    theirs = engine.remember("Bob's secret is a tuba.", OTHER, at=NOW).id
    client = Client(serving, token(Right.ADMIN, SCOPE))
    answer = client.ask(
        one.method, one.at(theirs), params={**named(SCOPE), **QUERIES.get(one.name, {})}, **one.options()
    )
    assert "tuba" not in answer.text
    if "{memory_id}" in one.path:
        assert answer.status_code == 404


def test_what_concerns_the_whole_store_is_for_no_scopes_token(serving: Serving, token: Callable[..., str]) -> None:
    """A token bound to a scope neither copies nor checks the store, nor reads its metrics, whatever its right."""
    client = Client(serving, token(Right.ADMIN, SCOPE))
    whole = [one for one in operations() if one.dependency == "everything"]
    assert len(whole) >= 7
    assert {one.path: status for one in whole if (status := ask(client, one, "", SCOPE)) != 403} == {}


def test_a_scopes_token_is_told_of_its_scope_alone(
    serving: Serving, engine: Reverie, token: Callable[..., str]
) -> None:
    """Scopes and settings show a bound token no other scope, and no path."""
    engine.remember("Mine.", SCOPE)
    engine.remember("Theirs.", OTHER)
    client = Client(serving, token(Right.ADMIN, SCOPE))
    assert client.get("/v1/scopes", None).json()["scopes"] == [named(SCOPE)]
    assert not {"store", "user", "agent", "project", "ops.log"} & set(
        client.get("/v1/settings", None).json()["settings"]
    )
    assert client.get("/v1/whoami", None).json() == {"name": f"ADMIN-{SCOPE}", "rights": "admin", "scope": named(SCOPE)}


def test_a_bound_token_may_leave_its_scope_out(serving: Serving, engine: Reverie, token: Callable[..., str]) -> None:
    """What the address does not name is the token's; where that is nothing, the answer says what is missing."""
    engine.remember("The key is under the mat.", SCOPE, at=NOW)
    assert Client(serving, token(Right.READ, SCOPE)).get("/v1/stats", None).json()["scope"] == named(SCOPE)
    answer = Client(serving, token(Right.READ, None)).get("/v1/stats", None)
    assert answer.status_code == 422
    assert answer.json()["type"] == "urn:reverie:invalid-scope"


def test_a_message_goes_in_and_comes_back(client: Client) -> None:
    """Remembered over HTTP, it is recalled, listed and counted."""
    receipt = client.post("/v1/remember", {"text": "The key is under the mat.", "at": NOW.isoformat()}).json()
    found = client.post("/v1/recall", {"cue": "Where is the key?"}).json()
    assert [hit["memory"]["id"] for hit in found["hits"]] == [receipt["id"]]
    assert found["scope"] == named(SCOPE)
    assert client.get("/v1/memories").json()["memories"][0]["text"] == "The key is under the mat."
    assert client.get("/v1/stats").json()["accesses"] == 1


@pytest.mark.parametrize("text", ["\ud800", "\ud83d" + "x", "", "a\0b", "\u202e evil", "é" * 9])
def test_any_text_comes_back_as_it_went(client: Client, text: str) -> None:
    """Lone surrogates, NUL and marks survive the way there and back."""
    receipt = client.ask(
        "POST",
        "/v1/remember",
        params=named(SCOPE),
        content=json.dumps({"text": text}),
        headers={"Content-Type": "application/json"},
    ).json()
    assert client.get(f"/v1/memories/{receipt['id']}").json()["memory"]["text"] == text


def test_stored_markup_comes_back_as_data(client: Client) -> None:
    """A stored script is a string in JSON: typed, never sniffed, and nothing may run it."""
    text = "<script>alert(1)</script>"
    receipt = client.post("/v1/remember", {"text": text}).json()
    answer = client.get(f"/v1/memories/{receipt['id']}")
    assert answer.json()["memory"]["text"] == text
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")


@pytest.mark.parametrize(
    ("method", "path", "options", "status", "kind"),
    [
        ("GET", "/v1/nowhere", {}, 404, "not-found"),
        ("GET", "/nowhere", {}, 404, "not-found"),
        ("PATCH", "/v1/stats", {}, 405, "method-not-allowed"),
        ("GET", "/v1/memories/none", {"params": named(SCOPE)}, 404, "not-found"),
        ("POST", "/v1/recall", {"params": named(SCOPE), "json": {}}, 422, "invalid-request"),
        ("POST", "/v1/recall", {"params": named(SCOPE), "json": {"cue": "x", "cheu": 1}}, 422, "invalid-request"),
        ("POST", "/v1/recall", {"params": named(SCOPE), "content": b"{"}, 415, "unsupported-media-type"),
        ("GET", "/v1/stats", {"params": {"agent": "a"}}, 422, "invalid-scope"),
        ("GET", "/v1/memories", {"params": {**named(SCOPE), "limit": "0"}}, 422, "invalid-request"),
    ],
)
def test_every_error_is_a_problem(
    client: Client, method: str, path: str, options: dict[str, object], status: int, kind: str
) -> None:
    """Whatever is wrong: problem+json, with a type, a request id and the status once more."""
    answer = client.ask(method, path, **options)
    problem = answer.json()
    assert answer.status_code == problem["status"] == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert problem["type"] == f"urn:reverie:{kind}"
    assert problem["request_id"] == answer.headers["x-request-id"]


def test_a_missing_method_is_told_which_there_are(client: Client) -> None:
    """405 names every method of the path, over all its routes."""
    assert client.ask("PATCH", "/v1/memories/x").headers["allow"] == "DELETE, GET, PUT"


def test_a_fault_of_ours_is_a_problem_without_its_insides(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    """What nobody foresaw answers 500 and says nothing of what it was."""

    def broken(*_: object) -> None:
        raise RuntimeError("the insides")

    monkeypatch.setattr(serving.engine.admin, "stats", broken)
    answer = Client(serving).get("/v1/stats")
    assert answer.status_code == answer.json()["status"] == 500
    assert "insides" not in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"
