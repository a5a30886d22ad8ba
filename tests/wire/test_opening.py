from pathlib import Path

import pytest

from reverie.config import LlmSettings, OpsSettings, Settings
from reverie.engine.minding import LlmMind
from reverie.errors import InvalidSetting, StoreMissing
from reverie.ops.entry import OpsEntry
from reverie.ops.reading import read_log
from reverie.ops.telemetry import NoTelemetry
from reverie.recipes.openclaw.keys import Keys
from reverie.screen.settings import Action, ScreenSettings
from reverie.types import Scope
from reverie.wire.opening import home, log_path, open_engine, open_log, open_mind, open_recipe, open_telemetry

SCOPE = Scope("helper", "ada", "home")


@pytest.mark.parametrize(
    ("store", "log", "wanted"),
    [
        ("a/reverie.db", "", "a/ops-log.jsonl"),
        (".", "", "ops-log.jsonl"),
        ("a/reverie.db", "logs/x.jsonl", "logs/x.jsonl"),
        ("a/reverie.db", "none", None),
        (":memory:", "", None),
    ],
)
def test_the_log_lies_beside_the_store(store: str, log: str, wanted: str | None) -> None:
    """Unless the settings say otherwise; a store in memory has none."""
    found = log_path(Settings(store=store, ops=OpsSettings(log=log)))
    assert found == (None if wanted is None else Path(wanted))


def test_texts_are_masked_on_their_way_into_the_log(tmp_path: Path) -> None:
    """By the same screen as memories, whole or cut."""
    settings = Settings(
        screen=ScreenSettings(email=Action.MASK), ops=OpsSettings(log=str(tmp_path / "x.jsonl"), whole_texts=True)
    )
    log = open_log(settings)
    assert log is not None
    log.write(OpsEntry("remember", input="write to ada.lovelace@posteo.net " + "now " * 50))
    log.close()
    [line] = read_log(tmp_path / "x.jsonl")
    shown = str(dict(line.fields)["input"])
    assert "ada.lovelace@posteo.net" not in shown
    assert shown.count("now") == 50


def test_no_language_model_is_asked_for_by_default() -> None:
    """One that is named is opened with its limits; one that is misspelt is refused."""
    assert open_mind(Settings(), None) is None
    local = LlmSettings(spec="openai:m@http://127.0.0.1:1/v1", tokens_per_day=0)
    assert isinstance(open_mind(Settings(store=":memory:", llm=local), None), LlmMind)
    with pytest.raises(InvalidSetting):
        open_mind(Settings(store=":memory:", llm=LlmSettings(spec="opnai:m")), None)


def test_telemetry_is_told_only_where_it_is_asked_for() -> None:
    """Its library is not even looked for."""
    assert isinstance(open_telemetry(Settings()), NoTelemetry)


def test_a_store_that_is_missing_leaves_no_thread(tmp_path: Path) -> None:
    """The log is closed with the error."""
    settings = Settings(store=str(tmp_path / "none.db"))
    log = open_log(settings)
    assert log is not None
    with pytest.raises(StoreMissing):
        open_engine(settings, None, log, mind=False)
    log.write(OpsEntry("late"))
    assert log.counts.dropped == 1


def test_home_is_the_scope_the_settings_name_whole() -> None:
    """Or nobody's: half a scope would be somebody else's."""
    assert home(Settings(agent="a", user="u", project="p")) == Scope("a", "u", "p")
    assert home(Settings(agent="a", user="u")) is None
    assert home(Settings()) is None


def test_the_keys_of_openclaws_recipe_are_settings(tmp_path: Path) -> None:
    """They make the recipe where it is opened; every other recipe goes by its name."""
    settings = Settings(store=str(tmp_path / "x.db"), recipe="openclaw", openclaw=Keys(limit=1, confidence_threshold=0))
    with open_engine(settings, None, None, mind=False, create=True) as memory:
        assert memory.recipe == "openclaw"
        for text in ("The red kite flies.", "The blue kite flies."):
            memory.observe(text, SCOPE)
        assert len(memory.recall("kite flies", SCOPE).hits) <= 1
    found = open_recipe(settings)
    assert not isinstance(found, str)
    assert found.recall.limit == 1
    assert open_recipe(Settings(recipe="v9")) == "v9"
