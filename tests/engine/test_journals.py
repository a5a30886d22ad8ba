"""A journal between store and file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from reverie import Reverie
from reverie.engine import replication
from reverie.engine.replication import checked, events
from reverie.errors import InvalidExport
from reverie.events import Action, Draft, Event, Remembered
from reverie.exchange.journal import End, end_line, event_line, head_line
from reverie.stores import codec
from reverie.types import Scope
from tests.engine.full_life import HOME, OTHER, opened


@pytest.fixture
def memory() -> Reverie:
    """Two scopes with an event each."""
    engine = opened(":memory:")
    engine.remember("tea", HOME)
    engine.remember("hose", OTHER)
    return engine


def written(memory: Reverie, path: Path, scope: Scope | None = None) -> Path:
    """The export of a store's journal."""
    with path.open("wb") as out:
        replication.write(memory._context.store, out, scope)
    return path


def forged(path: Path, raw: bytes, event: Event, scope: Scope | None = None) -> Path:
    """A file of one event with this payload, whose hashes fit: made by somebody who knows how."""
    salt = b"salt"
    draft = Draft(event.scope, event.at, event.actor, event.action, event.why, event.payload, salt)  # type: ignore[arg-type] # it has one
    sealed = replace(codec.seal(draft, raw, 1, codec.NO_HASH), payload=None)
    lines = head_line(scope), event_line(sealed, raw), end_line(End(1, 1, sealed.hash, ""))
    path.write_bytes(b"".join(lines))
    return path


def test_what_a_file_holds_is_said(memory: Reverie, tmp_path: Path) -> None:
    """Whole: contiguous, with the store's digest; a scope's: neither."""
    whole = checked(written(memory, tmp_path / "all"))
    assert (whole.scopes, whole.events, whole.actions) == ((HOME, OTHER), 2, {Action.REMEMBER: 2})
    assert whole.contiguous
    assert (whole.seq, whole.hash) == memory._context.store.head()
    assert whole.digest == memory.admin.digest()
    part = checked(written(memory, tmp_path / "part", OTHER))
    assert (part.scopes, part.contiguous, part.digest) == ((OTHER,), False, "")


def test_the_events_come_back_as_they_were(memory: Reverie, tmp_path: Path) -> None:
    """With payload, salt and hashes."""
    assert list(events(written(memory, tmp_path / "all"))) == list(memory._context.store.events())


def test_what_is_written_meanwhile_is_in_it(memory: Reverie, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The digest in the last line belongs to the events above it."""
    asked = iter([True])
    digest = memory._context.store.digest

    def late() -> str:
        found = digest()
        if next(asked, False):
            memory.remember("said while the export ran", HOME)
        return found

    monkeypatch.setattr(memory._context.store, "digest", late)
    contents = checked(written(memory, tmp_path / "all"))
    assert (contents.events, contents.digest) == (3, digest())


def test_lines_in_another_order_or_of_another_scope_are_refused(memory: Reverie, tmp_path: Path) -> None:
    """One left out, two swapped, a stranger in a scope's file."""
    head, first, second, end = written(memory, tmp_path / "all").read_bytes().splitlines(keepends=True)
    for lines in ((head, second, end.replace(b'"events":2', b'"events":1')), (head, second, first, end)):
        (tmp_path / "bad").write_bytes(b"".join(lines))
        with pytest.raises(InvalidExport, match="an event before it is missing"):
            checked(tmp_path / "bad")
    (tmp_path / "bad").write_bytes(b"".join((head_line(HOME), first, second, end)))
    with pytest.raises(InvalidExport, match="line 3: it is of another scope"):
        checked(tmp_path / "bad")


@pytest.mark.parametrize("field", ["text", "seq", "at", "role"])
def test_a_forged_payload_is_refused_though_its_hashes_fit(memory: Reverie, tmp_path: Path, field: str) -> None:
    """A field of another type reaches no store."""
    event = next(iter(memory._context.store.events(HOME)))
    assert isinstance(event.payload, Remembered)
    raw = codec.encode(Draft(HOME, event.at, "a", event.action, "", event.payload, b""))
    plain = json.loads(raw)
    assert checked(forged(tmp_path / "ok", raw, event)).events == 1
    plain["episode"][field] = {"not": "what it was"}
    with pytest.raises(InvalidExport, match="line 2"):
        checked(forged(tmp_path / "bad", codec.dump(plain), event))


def test_a_payload_with_something_more_in_it_is_refused(memory: Reverie, tmp_path: Path) -> None:
    """It would be told differently than it was hashed."""
    event = next(iter(memory._context.store.events(HOME)))
    raw = codec.encode(Draft(HOME, event.at, "a", event.action, "", event.payload, b""))  # type: ignore[arg-type] # it has one
    plain = json.loads(raw) | {"more": 1}
    with pytest.raises(InvalidExport, match="not written as it is told"):
        checked(forged(tmp_path / "bad", codec.dump(plain), event))
