from __future__ import annotations

from dataclasses import replace

from reverie import Reverie, __version__
from reverie.faces.http.parts import Serving
from tests.faces.http.conftest import SCOPE, Client
from tests.faces.http.table import conforms


def test_whoever_asks_on_this_machine_is_told_so(client: Client) -> None:
    """Without tokens, one governs everything."""
    found = conforms(client.get("/v1/whoami", None), "whoami")
    assert found == {"name": "local", "rights": "admin", "scope": {"agent": None, "user": None, "project": None}}


def test_settings_show_no_secret(serving: Serving) -> None:
    """A key is shown as being set, and never as what it is."""
    serving.settings = replace(serving.settings, api_key="sk-very-secret")
    answer = Client(serving).get("/v1/settings", None)
    assert conforms(answer, "settings")["settings"]["api_key"] == "set"
    assert "very-secret" not in answer.text


def test_the_server_says_what_it_is(client: Client) -> None:
    """Version, model and recipe."""
    found = conforms(client.get("/v1/server", None), "server")
    own = {"version": __version__, "model": "none", "reranker": "none", "recipe": "reverie", "missing": 0}
    assert found == own


def test_the_store_is_checked_embedded_and_replayed(client: Client, engine: Reverie) -> None:
    """A sound store has no fault, and its journal alone makes the same store again."""
    engine.remember("The key is under the mat.", SCOPE)
    assert conforms(client.post("/v1/verify", scope=None), "verify")["faults"] == []
    assert conforms(client.post("/v1/doctor", scope=None), "doctor")["faults"] == []
    assert conforms(client.post("/v1/embed", scope=None), "embed")["embedded"] == 0
    found = conforms(client.post("/v1/replay", scope=None), "replay")
    assert found["digest"] == found["replayed"]


def test_counts_are_prometheuss(client: Client) -> None:
    """The text has its type and version."""
    answer = client.get("/metrics", None)
    assert answer.headers["content-type"].startswith("text/plain; version=")
    assert "reverie_http_running 1.0" in answer.text
