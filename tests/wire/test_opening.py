from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from reverie import HashEmbedder, Reverie
from reverie.config import LlmSettings, RerankerSettings, Settings, SkillSettings
from reverie.engine.llm_tasks import LlmMind
from reverie.engine.rerank_deadline import Unready
from reverie.errors import InvalidInput, InvalidSetting, ModelMissing, ReverieError, StoreMissing
from reverie.ops.log import OpsEntry
from reverie.ops.telemetry import NoTelemetry
from reverie.recipes.published.openclaw_keys import Keys
from reverie.types import FloatArray, Scope
from reverie.wire.logs import open_log
from reverie.wire.opening import (
    Warming,
    home,
    open_engine,
    open_mind,
    open_recipe,
    open_reranker,
    open_telemetry,
    unready_reranker,
)

SCOPE = Scope("helper", "ada", "home")


def test_no_language_model_is_asked_for_by_default() -> None:
    """One that is named is opened with its limits; one that is misspelt is refused."""
    assert open_mind(Settings(), None) is None
    local = LlmSettings(spec="openai:m@http://127.0.0.1:1/v1", tokens_per_day=0)
    assert isinstance(open_mind(Settings(store=":memory:", llm=local), None), LlmMind)
    with pytest.raises(InvalidSetting):
        open_mind(Settings(store=":memory:", llm=LlmSettings(spec="opnai:m")), None)


def test_no_reranker_is_asked_for_by_default() -> None:
    """One that is named is opened with its limits, and one stands in while that takes; a misspelt one is refused."""
    assert open_reranker(Settings()) is None
    assert unready_reranker(Settings()) is None
    own = Settings(store=":memory:", reranker=RerankerSettings(spec="rerank:m@http://127.0.0.1:1", weight=2.0))
    reranker = open_reranker(own)
    assert unready_reranker(own) is not None
    with open_engine(own, None, None, mind=False, create=True, reranker=reranker) as engine:
        assert engine.admin.reranker == "m@127.0.0.1"
        assert engine._context.parts.rerank.weight == 2.0
    with pytest.raises(InvalidSetting):
        open_reranker(Settings(reranker=RerankerSettings(spec="reranc:m@http://127.0.0.1:1")))


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
        assert memory.admin.recipe == "openclaw"
        for text in ("The red kite flies.", "The blue kite flies."):
            memory.observe(text, SCOPE)
        assert len(memory.recall("kite flies", SCOPE).hits) <= 1
    found = open_recipe(settings)
    assert not isinstance(found, str)
    assert found.recall.limit == 1
    assert open_recipe(Settings(recipe="v9")) == "v9"


@pytest.mark.req("D54")
def test_skill_cards_are_a_step_of_any_recipe_and_of_none_by_default() -> None:
    """With the bound of the settings; a bound that is no share is refused."""
    for name in ("reverie", "v9", "openclaw"):
        made = open_recipe(Settings(recipe=name, skills=SkillSettings(cards=True, bound=0.7)))
        assert not isinstance(made, str)
        assert (made.name, str(made.dream.order[-1])) == (name, "skill cards")
        assert made.dream.skills is not None
        assert made.dream.skills.bound == 0.7
    with pytest.raises(InvalidInput):
        open_recipe(Settings(skills=SkillSettings(cards=True, bound=7.0)))


def test_recall_goes_by_text_until_the_model_is_there(scope: Scope) -> None:
    """And by meaning afterwards, over what was written meanwhile as well."""
    may_load = threading.Event()

    def load() -> HashEmbedder:
        may_load.wait()
        return HashEmbedder()

    with Reverie.open(":memory:", embedder=None) as engine, Warming(engine, load) as warming:
        engine.remember("The spare key hangs behind the boiler.", scope)
        (hit,) = engine.recall("Where is the spare key?", scope).hits
        assert hit.cosine is None
        assert not warming.wait(0)
        may_load.set()
        assert warming.wait(30)
        engine.admin.embed()
        (hit,) = engine.recall("Where is the spare key?", scope).hits
        assert hit.cosine is not None
        assert warming.fault is None


@pytest.mark.parametrize("error", [ModelMissing("It is not installed.", "Install it."), InvalidSetting("Unknown.")])
def test_a_model_that_cannot_be_loaded_costs_meaning_only(
    scope: Scope, error: ReverieError, caplog: pytest.LogCaptureFixture
) -> None:
    """The log says why, and the engine goes on by text."""

    def load() -> HashEmbedder:
        raise error

    with Reverie.open(":memory:", embedder=None) as engine:
        with Warming(engine, load) as warming:
            assert warming.wait(30)
        assert warming.fault is error
        engine.remember("The spare key hangs behind the boiler.", scope)
        assert engine.recall("Where is the spare key?", scope).hits
    assert error.message in caplog.text


def test_no_model_is_no_fault(caplog: pytest.LogCaptureFixture) -> None:
    """The setting "none" asks for text alone; an engine that was closed meanwhile needs none."""
    with Reverie.open(":memory:", embedder=None) as engine:
        with Warming(engine, lambda: None) as warming:
            assert warming.wait(30)
        assert (engine.admin.model, warming.fault) == ("none", None)
    with caplog.at_level(logging.WARNING), Warming(engine, HashEmbedder) as late:
        assert late.wait(30)
    assert engine.admin.model == "none"


class Reader:
    """A reranker that likes every text the same."""

    name = "reader"

    def score(self, cue: str, texts: Sequence[str]) -> FloatArray:
        return np.zeros(len(texts), np.float32)


def test_the_reranker_comes_after_the_model() -> None:
    """Until then one stands in that says so."""
    with Reverie.open(":memory:", embedder=None, reranker=Unready()) as engine:
        with Warming(engine, HashEmbedder, Reader) as warming:
            assert warming.wait(30)
        assert (engine.admin.model, engine.admin.reranker, warming.fault) == ("hash@1/256", "reader", None)


def test_a_reranker_that_cannot_be_loaded_costs_the_order_only(scope: Scope, caplog: pytest.LogCaptureFixture) -> None:
    """Log and trace say why, and the engine has its model all the same."""
    error = ModelMissing("It is not installed.", "Install it.")

    def load() -> Reader:
        raise error

    with Reverie.open(":memory:", embedder=None, reranker=Unready()) as engine:
        with Warming(engine, HashEmbedder, load) as warming:
            assert warming.wait(30)
        assert (engine.admin.model, warming.fault) == ("hash@1/256", error)
        for text in ("The spare key hangs behind the boiler.", "The key of the shed is lost."):
            engine.remember(text, scope)
        answer = engine.recall("Where is the spare key?", scope)
        assert "skipped: It is not installed." in [step.note for step in answer.trace]
    assert error.message in caplog.text
