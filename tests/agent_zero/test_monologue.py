"""Whole monologues in the real program: from the message, through the request that a model receives, to the end."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tests.agent_zero.houses import House
from tests.agent_zero.played_model import ANSWER, PlayedModel, played

TOLD = "The user prefers the helix editor"


@pytest.fixture
def model() -> Iterator[PlayedModel]:
    """A model on loopback that always answers."""
    with played() as model:
        yield model


@pytest.fixture
def real(house: House, model: PlayedModel) -> House:
    """The real program with our extensions in it, talking to the played model."""
    if not house.kind.is_real:
        pytest.skip("the stand-in has no monologue; the real one's is run by `make hosts-agent-zero`")
    house.set(memory_recall_enabled=False)
    house.configure(maintenance_interval_loops=1)
    house.talk_to(model.url)
    return house


def logged(house: House, wanted: str) -> bool:
    """Whether a line comes to stand in the log: the end of a monologue works on behind the answer."""
    for _ in range(100):
        if any(wanted in line for line in house.ask("log")):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.req("A14")
def test_a_memory_reaches_the_model_and_the_answer_its_user(real: House, model: PlayedModel) -> None:
    """What was injected stands in the request; the monologue's end is ours too."""
    real.start(model.url)
    one = real.add(TOLD)
    assert real.ask("monologue", "which editor does the user prefer?") == ANSWER
    assert any(TOLD in one and "[[reverie:begin" in one for one in model.heard())
    assert real.lineage(one)["access_count"] == 1
    assert logged(real, "[MEM-ENHANCE]")
    assert logged(real, "[MEM-MAINT]")


@pytest.mark.req("A13")
@pytest.mark.parametrize("fault", ["hooks.now", "hooks.enhance", "hooks.maintain", "enhance", "maintain"])
def test_a_fault_of_ours_does_not_touch_the_answer(real: House, model: PlayedModel, fault: str) -> None:
    """The extension raises in the middle of the loop: the user has the answer all the same, twice over."""
    real.start(model.url)
    real.add(TOLD)
    real.ask("sabotage", f"reverie.faces.agent_zero.{fault}")
    for _ in range(2):
        assert real.ask("monologue", "which editor does the user prefer?") == ANSWER


@pytest.mark.req("A14", "A7")
def test_several_monologues_go_on_counting(real: House, model: PlayedModel) -> None:
    """Message after message in one context, a restart between them."""
    real.start(model.url)
    one = real.add(TOLD)
    for turns in (1, 2):
        real.ask("monologue", "which editor does the user prefer?")
        assert real.lineage(one)["access_count"] == turns
    assert logged(real, "[MEM-MAINT] pass 2")
    real.stop()
    real.start(model.url)
    assert real.ask("monologue", "which editor does the user prefer?") == ANSWER
    assert real.lineage(one)["access_count"] == 3
