from __future__ import annotations

import io
import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie import Reverie, Scope
from reverie.config import OpsSettings, Settings
from reverie.engine.runtime import FixedClock, RandomIds
from reverie.exchange import Skipped
from reverie.faces.hook import client
from reverie.ops.log import OpsEntry, read_log
from reverie.screen.values import ScreenAction, ScreenSettings
from reverie.types import RelationKind
from reverie.wire.logs import log_path, older_logs, open_log
from reverie.wire.shapes import live_event, shape, touched


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of all logs, below a home of the test's own."""
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path / "home" / ".local" / "state" / "reverie" / "logs"


@pytest.mark.parametrize(
    ("store", "log", "wanted"),
    [("a/reverie.db", "logs/x.jsonl", "logs/x.jsonl"), ("a/reverie.db", "none", None), (":memory:", "", None)],
)
def test_the_settings_may_say_where_the_log_lies(store: str, log: str, wanted: str | None) -> None:
    """Or that there is none; a store in memory has none."""
    found = log_path(Settings(store=store, ops=OpsSettings(log=log)))
    assert found == (None if wanted is None else Path(wanted))


def test_each_store_has_a_log_of_its_own_in_the_state_folder(tmp_path: Path, state: Path) -> None:
    """By whichever of its names it is called: its file, its folder, a link."""
    folder = tmp_path / "memory"
    folder.mkdir()
    (tmp_path / "link").symlink_to(folder)
    names = (folder / "reverie.db", folder, tmp_path / "link", tmp_path / "link" / "reverie.db")
    paths = {log_path(Settings(store=str(name))) for name in names}
    [path] = paths
    assert path is not None
    assert (path.name, path.parent.parent) == ("ops-log.jsonl", state)
    assert log_path(Settings(store=str(tmp_path / "other" / "memory" / "reverie.db"))) not in paths


@pytest.mark.parametrize("variable", ["XDG_STATE_HOME", "HOME"])
@pytest.mark.parametrize("value", ["", ".", "state", "../x"])
def test_a_state_folder_never_lies_where_one_works(variable: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative variable leads into whatever folder one stands in, so it counts as not set."""
    monkeypatch.setenv(variable, value)
    path = log_path(Settings(store="m.db"))
    assert path is None if variable == "HOME" else path is not None and path.is_absolute()
    if variable != "HOME":
        assert path is not None
        assert path.is_relative_to(client.state_folder())


def test_texts_are_masked_on_their_way_into_the_log(tmp_path: Path) -> None:
    """By the same screen as memories, whole or cut."""
    settings = Settings(
        screen=ScreenSettings(email=ScreenAction.MASK), ops=OpsSettings(log=str(tmp_path / "x.jsonl"), whole_texts=True)
    )
    log = open_log(settings)
    assert log is not None
    log.write(OpsEntry("remember", input="write to ada.lovelace@posteo.net " + "now " * 50))
    log.close()
    [line] = read_log(tmp_path / "x.jsonl")
    shown = str(dict(line.fields)["input"])
    assert "ada.lovelace@posteo.net" not in shown
    assert shown.count("now") == 50


LINKS = ["ops-log.jsonl", "ops-log-2026-03-01.jsonl"]


@pytest.mark.parametrize("name", LINKS)
def test_what_lies_beside_a_store_is_never_written(tmp_path: Path, name: str) -> None:
    """A folder may come with a link to the user's own files under the log's name."""
    victim, folder = tmp_path / ".bashrc", tmp_path / "cloned"
    victim.write_text("# mine\n")
    folder.mkdir()
    (folder / name).symlink_to(victim)
    settings = Settings(store=str(folder / "reverie.db"))
    log = open_log(settings)
    assert log is not None
    log.write(OpsEntry("remember", input="$(touch ran)"))
    assert log.flush()
    assert log.counts.written == 1
    with pytest.raises(OSError, match="link"):
        log.erase_texts()
    log.close()
    assert victim.read_text() == "# mine\n"
    with pytest.raises(OSError, match="link"):
        list(read_log(next(older_logs(settings))))


def test_an_older_log_beside_the_store_is_erased_with_the_new_one(tmp_path: Path) -> None:
    """And so are the logs of stores that are gone: this one may have lain there before it was moved."""
    old, gone = tmp_path / "ops-log.jsonl", Settings(store=str(tmp_path / "before" / "reverie.db"))
    other = Settings(store=str(tmp_path / "other.db"))
    (tmp_path / "other.db").touch()
    for settings in (gone, other):
        log = open_log(settings)
        assert log is not None
        log.write(OpsEntry("remember", input="Ada likes oolong."))
        log.close()
    old.write_text('{"op": "remember", "input": "Ada likes oolong."}\n')
    (tmp_path / "reverie.db").touch()
    log = open_log(Settings(store=str(tmp_path / "reverie.db")))
    assert log is not None
    log.write(OpsEntry("remember", input="Ada likes oolong."))
    assert log.erase_texts() == 3
    log.close()
    left = [path for path in tmp_path.rglob("ops-log.jsonl") if b"oolong" in path.read_bytes()]
    assert left == [log_path(other)]


def test_a_state_folder_that_cannot_be_written_costs_the_lines_alone(tmp_path: Path) -> None:
    """They are dropped and counted, as on a full disk."""
    (tmp_path / "home").write_text("a file where the home should be")
    log = open_log(Settings(store=str(tmp_path / "reverie.db")))
    assert log is not None
    log.write(OpsEntry("remember"))
    log.close()
    assert log.counts == (0, 1)


def test_the_hooks_own_log_follows_no_link(tmp_path: Path, state: Path) -> None:
    """Nor does it write into a file of another name, or wait for a pipe."""
    victim, log = tmp_path / ".bashrc", state.parent / client.LOG_FILE
    victim.write_text("# mine\n")
    log.parent.mkdir(parents=True)
    for make in (lambda: log.symlink_to(victim), lambda: log.hardlink_to(victim), lambda: os.mkfifo(log)):
        make()
        client.log("$(touch ran)")
        log.unlink()
    assert victim.read_text() == "# mine\n"
    client.log("a line")
    assert log.read_text().endswith("a line\n")


NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def engine() -> Reverie:
    """An engine in memory."""
    return Reverie.open(":memory:", embedder=None, clock=FixedClock(NOW), ids=RandomIds(seed=1))


def test_every_kind_of_event_is_plain_data(engine: Reverie, scope: Scope) -> None:
    """Whatever happened can be written as JSON, and names the memories it touched."""
    receipt = engine.observe("My sister moved to Izmir in May.", scope)
    other = engine.remember("The key is under the mat.", scope)
    engine.relate(receipt.id, other.id, scope, RelationKind.ELABORATES)
    engine.recall("Where did my sister move?", scope)
    engine.admin.pin(receipt.id, scope)
    engine.admin.pin(receipt.id, scope, pinned=False)
    engine.dream(scope)
    engine.forget(receipt.id, scope)
    engine.admin.erase(other.id, scope, why="asked to")
    events = engine.admin.events(scope)
    assert {str(event.action) for event in events} >= {
        "remember", "form", "relate", "recall", "change", "dream", "forget", "erase"
    }  # fmt: skip # one line
    for event in events:
        shown = json.loads(json.dumps(shape(event)))
        assert (shown["payload"] is None) == (event.payload is None)
        short = json.loads(json.dumps(live_event(event)))
        assert short["memories"] == list(touched(event.payload))
        assert short["scope"]["user"] == scope.user
    assert touched(events[0].payload) == (receipt.id,)
    assert touched(None) == ()


def test_looking_back_is_plain_data(scope: Scope) -> None:
    """Dreams, health, curves and what was taken back, each with what its value holds."""
    clock, ids = FixedClock(NOW), RandomIds(seed=1)
    engine = Reverie.open(":memory:", embedder=None, recipe="v9", clock=clock, ids=ids)
    receipt = engine.observe("My sister moved to Izmir in May.", scope)
    engine.dream(scope)
    [dream] = engine.admin.dreams(scope)
    health = engine.admin.health(scope)
    curve = engine.admin.forgetting_curve(receipt.formed[0], scope, days=3)
    assert shape(dream)["cycle"] == dream.cycle
    assert shape(health)["gated_share"] == health.gated_share
    assert len(shape(curve)["points"]) == len(curve.points)
    undone = shape(engine.undo(scope))
    assert undone["cycle"] == dream.cycle
    json.dumps([shape(dream), shape(health), shape(curve), undone])


def test_moving_is_plain_data(engine: Reverie, scope: Scope, tmp_path: Path) -> None:
    """What went out and what came in, counted."""
    engine.remember("The key is under the mat.", scope)
    out = io.BytesIO()
    assert engine.transfer.export_journal(out, scope).events == 1
    file = tmp_path / "a.jsonl"
    file.write_bytes(out.getvalue())
    into = Scope("a", "b", "c")
    assert shape(engine.transfer.import_journal(file, into=into))["new"] == 1
    file.write_text('{"text": "Another."}\n')
    assert shape(engine.transfer.import_from(file, into))["new"] == 1
    assert shape(Skipped("line 2", "no text", broken=True))["broken"]
