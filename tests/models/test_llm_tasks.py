from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from reverie.models.llm_port import Failed, LlmAsk, Why
from reverie.models.llm_tasks import (
    Drawn,
    DrawnForesight,
    DrawnMemory,
    ProposedLink,
    form,
    merge,
    patterns,
    relate,
    route,
    summary,
    themes,
)
from reverie.types import Kind, RelationKind
from tests.models.fake_model import FakeModel

SAID = datetime(2026, 3, 3, 15, tzinfo=UTC)  # a Tuesday
DOWN = Failed(Why.UNREACHABLE, "nobody")


def formed(**changes: Any) -> dict[str, Any]:
    """A right answer to formation, and what is different in it."""
    answer = {
        "resolvedText": "Ada likes tea.",
        "atomicFacts": ["Ada likes tea."],
        "foresightSignals": [],
        "temporalType": "persistent",
        "validUntil": None,
        "entities": ["Ada"],
        "category": "preference",
    }
    return answer | changes


def rejected(outcome: object) -> bool:
    """Whether the answer was refused by its check."""
    return isinstance(outcome, Failed) and outcome.why is Why.REJECTED


@pytest.mark.req("D12")
def test_formation_gives_the_documents_output() -> None:
    """Text, facts, foresight, validity, entities, category; the model is told speaker, day and what came before."""
    model = FakeModel(formed())
    outcome = form(model, "I like it.", SAID, "Ada", ["Do you like tea?"])
    assert outcome == DrawnMemory("Ada likes tea.", ("Ada likes tea.",), (), None, ("Ada",), Kind.PREFERENCE)
    assert model.texts() == {
        "said": "2026-03-03, a Tuesday",
        "speaker": "Ada",
        "before 1": "Do you like tea?",
        "message": "I like it.",
    }
    assert model.asks[0].prompt == "form.1"


@pytest.mark.req("D12")
def test_a_plan_without_a_day_is_open_for_a_week() -> None:
    """+7 days from when it was said; with a day, to the end of that day."""
    signals = [{"text": "Ada will call Ben.", "until": None}, {"text": "Ada flies to Oslo.", "until": "2026-03-05"}]
    outcome = form(FakeModel(formed(foresightSignals=signals, temporalType="time_bounded")), "…", SAID, "Ada", [])
    assert isinstance(outcome, DrawnMemory)
    assert outcome.foresight == (
        DrawnForesight("Ada will call Ben.", datetime(2026, 3, 10, 15, tzinfo=UTC)),
        DrawnForesight("Ada flies to Oslo.", datetime(2026, 3, 6, tzinfo=UTC)),
    )
    assert outcome.valid_until == datetime(2026, 3, 10, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("changes", "until"),
    [
        ({"temporalType": "persistent", "validUntil": "2026-03-08"}, None),
        ({"temporalType": "time_bounded", "validUntil": "2026-03-08"}, datetime(2026, 3, 9, tzinfo=UTC)),
        ({"temporalType": "time_bounded", "validUntil": "2026-03-08T18:00:00Z"}, datetime(2026, 3, 9, tzinfo=UTC)),
        ({"temporalType": "time_bounded"}, datetime(2026, 3, 10, 15, tzinfo=UTC)),
    ],
)
def test_validity_ends_with_its_day(changes: dict[str, Any], until: datetime | None) -> None:
    """What is persistent has no end; what is bounded without a day has a week."""
    outcome = form(FakeModel(formed(**changes)), "I like it.", SAID, "Ada", [])
    assert isinstance(outcome, DrawnMemory)
    assert outcome.valid_until == until


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("I never eat meat.", {"resolvedText": "Ada eats meat.", "atomicFacts": ["Ada eats meat."]}),
        ("Et yemiyorum, çünkü sağlıksız.", {"resolvedText": "Ada et yer.", "atomicFacts": ["Ada et yer."]}),
        ("See you soon.", {"validUntil": "next week"}),
        ("Görüşürüz.", {"foresightSignals": [{"text": "Ada gelecek.", "until": "haftaya"}]}),
    ],
)
def test_formation_that_turns_a_fact_around_is_refused(text: str, changes: dict[str, Any]) -> None:
    """A lost negation, or a day that is none."""
    assert rejected(form(FakeModel(formed(**changes)), text, SAID, "Ada", []))


def test_without_facts_the_text_is_the_fact() -> None:
    """And what comes twice counts once."""
    bare, twice = formed(atomicFacts=[]), formed(atomicFacts=["a", "a"])
    facts = [form(FakeModel(answer), "I like it.", SAID, "Ada", []) for answer in (bare, twice)]
    assert [fact.atomic_facts for fact in facts if isinstance(fact, DrawnMemory)] == [("Ada likes tea.",), ("a",)]


@pytest.mark.req("D28")
@pytest.mark.parametrize(
    ("old", "new", "merged"),
    [
        ("Ada likes tea.", "Ada has two cats.", "Ada likes tea and has two cats."),
        ("Ada çayı sever.", "Ada'nın iki kedisi var.", "Ada çayı sever, iki kedisi var."),
    ],
)
def test_a_merge_holds_both(old: str, new: str, merged: str) -> None:
    """A text that says all is the answer."""
    assert merge(FakeModel({"text": merged}), old, new) == merged


@pytest.mark.req("D28")
@pytest.mark.parametrize(
    ("old", "new", "merged"),
    [
        ("Ada likes tea.", "Ada has two cats.", "Ada likes tea and has cats."),
        ("Ben does not eat meat.", "Ben eats fish.", "Ben eats meat and fish."),
        ("Ada likes tea.", "Ada has two cats.", "Ada likes tea and has two cats, Mia and Leo."),
        ("Ada likes tea.", "Ada likes tea.", "Ada likes tea." + " She does like it so much." * 3),
        ("Ada çayı sever.", "Ada'nın iki kedisi var.", "Ada çayı sever, kedisi var."),
        ("Ben et yemiyor.", "Ben balık yer.", "Ben et ve balık yer."),
        ("Ada çayı sever.", "Ada'nın iki kedisi var.", "Ada çayı sever, iki kedisi var: Mia ve Leo."),
        ("Ada çayı sever.", "Ada çayı sever.", "Ada çayı sever." + " Çayı gerçekten çok sever." * 3),
    ],
)
def test_a_merge_that_lost_or_added_is_none(old: str, new: str, merged: str) -> None:
    """A fact lost, turned around or invented, or mere talk: the caller appends instead."""
    assert rejected(merge(FakeModel({"text": merged}), old, new))


@pytest.mark.req("D16")
@pytest.mark.parametrize(
    ("kind", "expected", "from_new"),
    [
        ("supersedes", RelationKind.SUPERSEDES, True),
        ("superseded_by", RelationKind.SUPERSEDES, False),
        ("contradicts", RelationKind.CONTRADICTS, True),
        ("causes", RelationKind.CAUSES, True),
        ("caused_by", RelationKind.CAUSES, False),
        ("elaborates", RelationKind.ELABORATES, True),
        ("same_entity", RelationKind.SAME_ENTITY, True),
        ("related_to", RelationKind.RELATED_TO, True),
    ],
)
def test_each_kind_of_link_is_understood(kind: str, expected: RelationKind, from_new: bool) -> None:
    """Six kinds, two of them in both directions; all that the engine knows."""
    answer = {"links": [{"number": 2, "kind": kind, "confidence": 0.8}]}
    assert relate(FakeModel(answer), "new", ["a", "b"]) == (ProposedLink(1, expected, from_new, 0.8),)
    assert len(RelationKind) == 6


@pytest.mark.req("D16")
def test_two_memories_have_one_link() -> None:
    """Of several the surest; in the order of the memories."""
    links = [(2, "related_to", 0.5), (1, "causes", 0.6), (2, "elaborates", 0.9), (2, "causes", 0.7)]
    answer = {"links": [{"number": n, "kind": k, "confidence": c} for n, k, c in links]}
    assert relate(FakeModel(answer), "new", ["a", "b"]) == (
        ProposedLink(0, RelationKind.CAUSES, True, 0.6),
        ProposedLink(1, RelationKind.ELABORATES, True, 0.9),
    )


def test_a_link_to_nothing_is_refused() -> None:
    """A number beyond the list; with nothing to compare with, nobody is asked."""
    beyond = {"links": [{"number": 3, "kind": "causes", "confidence": 1}]}
    assert rejected(relate(FakeModel(beyond), "new", ["a", "b"]))
    assert relate(FakeModel(), "new", []) == ()


@pytest.mark.req("D18")
@pytest.mark.parametrize("intent", ["factual", "temporal", "causal", "entity_profile", "preference", "general"])
def test_a_question_is_routed(intent: str) -> None:
    """To each of the six intents."""
    routed = route(FakeModel({"intent": intent, "confidence": 0.9}), "Neden taşındı?")
    assert not isinstance(routed, Failed)
    assert (routed.intent, routed.confidence) == (intent, 0.9)


TEXTS = ["Ada runs on Mondays.", "Ada runs on Fridays.", "Ada bakes bread."]
KOŞU = ["Ada pazartesi günü koşar.", "Ada cuma günü koşar.", "Ada ekmek yapar."]


@pytest.mark.req("D33")
@pytest.mark.parametrize(("texts", "text"), [(TEXTS, "Ada runs twice a week."), (KOŞU, "Ada düzenli koşar.")])
def test_themes_and_patterns_name_their_sources(texts: list[str], text: str) -> None:
    """Counted from 0, each once."""
    text = text.replace("twice a week", "regularly")
    answer = {"found": [{"text": text, "numbers": [2, 1, 2]}]}
    assert themes(FakeModel(answer), texts) == (Drawn(text, (0, 1)),)
    assert patterns(FakeModel(answer), texts) == (Drawn(text, (0, 1)),)
    assert patterns(FakeModel({"found": []}), texts) == ()


@pytest.mark.req("D33")
@pytest.mark.parametrize(
    "found",
    [
        {"text": "Ada runs.", "numbers": [4]},
        {"text": "Ada never runs.", "numbers": [1, 2]},
        {"text": "Ada runs 10 miles.", "numbers": [1, 2]},
        {"text": "Ada runs with Grace.", "numbers": [1, 2]},
    ],
)
def test_a_theme_says_nothing_of_its_own(found: dict[str, Any]) -> None:
    """A source that is not there; a negation, a number, a name that none has."""
    assert rejected(themes(FakeModel({"found": [found]}), TEXTS))


def test_one_occurrence_is_no_pattern() -> None:
    """A theme may come from one memory, a pattern may not."""
    answer = {"found": [{"text": "Ada bakes bread.", "numbers": [3, 3]}]}
    assert themes(FakeModel(answer), TEXTS) == (Drawn("Ada bakes bread.", (2,)),)
    assert rejected(patterns(FakeModel(answer), TEXTS))


@pytest.mark.req("D34")
def test_a_summary_is_brought_up_to_date() -> None:
    """The last one goes along; what comes back is short and holds nothing new."""
    model = FakeModel({"text": "Ada runs and bakes."})
    assert summary(model, Kind.FACT, TEXTS, "Ada runs.") == "Ada runs and bakes."
    assert model.texts()["previous"] == "Ada runs."
    assert model.texts()["category"] == "fact"
    assert rejected(summary(FakeModel({"text": "Ada runs 7 days."}), Kind.FACT, TEXTS))
    assert rejected(summary(FakeModel({"text": "Ada runs. " * 130}), Kind.FACT, TEXTS))


def test_every_task_passes_a_failure_on() -> None:
    """The caller sees why, and does without."""
    model = FakeModel(*[DOWN] * 7)
    outcomes = [
        form(model, "x", SAID, "Ada", []),
        merge(model, "a", "b"),
        relate(model, "a", ["b"]),
        route(model, "a"),
        themes(model, ["a"]),
        patterns(model, ["a"]),
        summary(model, Kind.FACT, ["a"]),
    ]
    assert outcomes == [DOWN] * 7
    assert [ask.prompt for ask in model.asks] == [
        "form.1",
        "merge.1",
        "relate.1",
        "route.1",
        "themes.1",
        "patterns.1",
        "summary.1",
    ]


def test_a_bad_day_is_asked_for_once_more_and_then_left_out() -> None:
    """The facts do not fall with it."""
    outcomes: list[str] = []

    class Again(FakeModel):
        """A model that gives the same answer when it is asked again."""

        def complete(self, ask: LlmAsk[Any]) -> Any:
            outcomes.append(str(super().complete(ask)))
            return super().complete(ask)

    outcome = form(Again(*[formed(validUntil="soon")] * 2), "I like it.", SAID, "Ada", [])
    assert "YYYY-MM-DD" in outcomes[0]
    assert isinstance(outcome, DrawnMemory)
    assert outcome.valid_until is None
