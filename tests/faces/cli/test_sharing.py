"""The commands that share memories: grant, revoke and list, bundle and accept (D50)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faces.cli.conftest import Run

pytestmark = [pytest.mark.req("D50")]

BO = ("--agent", "helper", "--user", "bo", "--project", "work")


def test_a_grant_is_given_shown_used_and_revoked(home: Run) -> None:
    """The receiver sees whose the memory is, in words and in JSON; only the giver revokes."""
    home("remember", "The spare key hangs behind the boiler.")
    made = home("project", "grant", "helper/bo/work", "--kind", "episode", "--until", "2100-01-01", "--json").shape
    scope, grant = made["scope"], made["grant"]
    assert (grant["kinds"], grant["receiver"]["user"], grant["may_reshare"]) == (["episode"], "bo", False)
    name = "/".join(scope.values())
    shown = home("recall", "Where is the spare key?", *BO)
    assert f"from {name}" in " ".join(shown.out.split())
    [hit] = home("recall", "Where is the spare key?", "--json", *BO).shape["hits"]
    assert hit["origin"] == scope
    assert [one["origin"] for one in home("recall", "spare key", "--json").shape["hits"]] == [None]
    assert f"from {name}" in " ".join(home("explain", "Where is the spare key?", *BO).out.split())
    assert "episode until 2100-01-01" in home("project", "grants").out
    forgotten = home("forget", hit["memory"]["id"], *BO)
    assert (forgotten.code != 0, f"is of scope {name}" in forgotten.err) == (True, True)
    refused = home("project", "revoke", grant["id"], *BO)
    assert (refused.code != 0, "Only its giver" in refused.err) == (True, True)
    assert "revoked" in home("project", "revoke", grant["id"], "--why", "asked").out
    assert home("recall", "Where is the spare key?", "--json", *BO).shape["hits"] == []
    assert home("project", "grants").out.strip() == "no grants"


@pytest.mark.parametrize("scope", ["bo", "a/b/c/d", "//", '["a","b"]', "[1,2,3]", "[[[", '{"a":1}'])
def test_what_is_no_scope_is_refused(home: Run, scope: str) -> None:
    """With the form that it should have."""
    refused = home("project", "grant", scope)
    assert (refused.code != 0, bool(refused.err)) == (True, True)


def test_a_scope_with_slashes_is_written_as_a_list(home: Run) -> None:
    """Any name that a scope can have can be a receiver."""
    made = home("project", "grant", '["a/b","c d","ü\\n"]', "--tag", "x", "--json").shape["grant"]
    assert made["receiver"] == {"agent": "a/b", "user": "c d", "project": "ü\n"}


def test_a_bundle_is_written_and_accepted(home: Run, tmp_path: Path) -> None:
    """Its public key is what the reader needs; accepting it twice says that nothing was new."""
    pytest.importorskip("cryptography")
    home("remember", "The spare key hangs behind the boiler.")
    file, key = str(tmp_path / "home.bundle"), str(tmp_path / "ada.key")
    wrote = home("project", "bundle", file, "--key", key)
    assert "1 memories" in wrote.out
    public = home("project", "bundle", file, "--key", key, "--json").shape["key"]
    assert public in wrote.out
    assert "1 new memories, 0 known" in home("project", "accept", file, "--trust", public, *BO).out
    assert home("project", "accept", file, "--trust", public, "--json", *BO).shape["known"] == 1
    Path(file).write_bytes(Path(file).read_bytes().replace(b"boiler", b"kettle"))
    assert "altered" in home("project", "accept", file, "--trust", public, *BO).err
