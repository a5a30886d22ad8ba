from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from reverie.consolidate.history import (
    DreamReport,
    StepReport,
    by_step,
    cycles,
    left_of,
    marks,
    newest,
    period_of,
    reason,
    retold,
    rewound,
    step_of,
    written,
)
from reverie.consolidate.settings import StepName
from reverie.consolidate.snapshot import Gathering, Outcome
from reverie.events import (
    Action,
    Change,
    Changed,
    Draft,
    DreamStage,
    Dreamt,
    Erased,
    Event,
    FieldChange,
    Formed,
    Payload,
    Related,
    Value,
    folded,
)
from reverie.ports import Store
from reverie.recipes.published.v9.dream import DREAM
from reverie.stores.ram import RamStore
from reverie.types import Kind, Memory, Relation, RelationKind, Role, Scope, State
from tests.consolidate.making import HERE, NOW, edge, memory, night
from tests.spoken import english, neither, turkish
from tests.stores.making import ADA, Writer, draft


def test_a_cycle_is_as_far_as_its_last_event_says() -> None:
    """Begun, done, taken back; in the order they began."""
    writer = Writer(RamStore())
    for cycle, stage in (("one", "begun"), ("one", "done"), ("two", "begun"), ("one", "undone")):
        writer.event(ADA, Action.DREAM, Dreamt(cycle, "today", DreamStage(stage)))
    found = cycles(writer.store, ADA)
    assert [(one.id, one.stage, one.seq) for one in found] == [
        ("one", DreamStage.UNDONE, 1),
        ("two", DreamStage.BEGUN, 3),
    ]


def test_a_cycles_events_are_told_by_their_reason() -> None:
    """Not those of others, nor those that took it back."""
    store = RamStore()
    with store.begin(ADA, durable=True) as tx:
        tx.append(draft(ADA, Action.DREAM, Dreamt("one", "today", DreamStage.BEGUN)))
        for number, why in enumerate(
            (reason("one", StepName.DRIFT), "dream one taken back", reason("two", StepName.DRIFT))
        ):
            made = draft(ADA, Action.CHANGE, Changed((), "one"), number=number)
            tx.append(type(made)(made.scope, made.at, made.actor, made.action, why, made.payload, made.salt))
        made = draft(ADA, Action.RELATE, Related((), (), "one"), number=9)
        why = reason("one", StepName.LINKS)
        tx.append(type(made)(made.scope, made.at, made.actor, made.action, why, made.payload, made.salt))
    (cycle,) = cycles(store, ADA)
    found = list(written(store, ADA, cycle))
    assert [step_of(event) for event in found] == [StepName.DRIFT, StepName.LINKS]
    assert list(by_step(found)) == [StepName.DRIFT, StepName.LINKS]


@pytest.mark.req("D33")
def test_a_period_is_a_day_from_midnight() -> None:
    """Moments of one day have one period; without a period each cycle has its own."""
    night = datetime(2026, 6, 15, 3, tzinfo=UTC)
    name, start = period_of(night, DREAM.period_hours, "cycle")
    assert (name, start) == ("2026-06-15T00:00+00:00", datetime(2026, 6, 15, tzinfo=UTC))
    assert period_of(night + timedelta(hours=20), DREAM.period_hours, "other")[0] == name
    assert period_of(night + timedelta(hours=21), DREAM.period_hours, "other")[0] != name
    assert period_of(night, None, "cycle") == ("cycle", night)


@pytest.mark.req("D33")
def test_a_step_tells_what_how_many_why_and_before_and_after() -> None:
    """The most common reason first, a few samples, a few notes."""
    gathering = Gathering()
    for number in range(5):
        gathering.alter(memory(f"m{number}"), "useless" if number else "too many", state=State.DORMANT, utility=0.25)
    gathering.formed.append(memory("new", text="A long  story\n" + "x" * 200))
    gathering.notes += [f"note {number}" for number in range(9)]
    report = StepReport.of(StepName.FORGETTING, gathering.outcome(), left=2)
    assert (report.changed, report.formed, report.reasons) == (5, 1, (("useless", 4), ("too many", 1)))
    lines = report.lines()
    assert lines[:4] == [
        "forgetting: 5 changed, 1 formed, 2 left, changed meanwhile",
        "  4 × useless",
        "  1 × too many",
        "  m0 “Something about m0.”: state active → dormant, utility 0.5 → 0.25",
    ]
    assert lines[6].startswith("  new new: A long story xxx")
    assert lines[-1] == "  … and 4 more"


def test_what_reads_as_before_is_no_sample() -> None:
    """A number that moved beyond what is shown is counted and not listed."""
    gathering = Gathering()
    gathering.alter(memory("still"), "drifts", utility=0.50001)
    gathering.alter(memory("moved"), "drifts", utility=0.50001, importance=0.25)
    lines = StepReport.of(StepName.DRIFT, gathering.outcome()).lines()
    assert lines[0] == "utility drift: 2 changed"
    assert [line.split(":")[0].strip() for line in lines[2:]] == ["moved “Something about moved.”"]
    assert "utility" not in lines[2]


def test_a_step_without_work_says_so() -> None:
    """In one line."""
    assert StepReport.of(StepName.DRIFT, Gathering().outcome()).lines() == ["utility drift: nothing to do"]


@pytest.mark.parametrize(
    ("given", "said"),
    [({}, "0 things done"), ({"dry_run": True}, "0 things would be done"), ({"resumed": True}, "resumed and done")],
)
def test_a_dream_says_whether_it_was_one(given: dict[str, bool], said: str) -> None:
    """Dry, resumed, or whole."""
    report = DreamReport(night(), "2026-06-15T00:00+00:00", 7, (), **given)
    assert said in report.lines()[0]
    assert "7 formed memories" in report.lines()[0]
    assert report.changed == 0


def sample(before: dict[str, object], said: str = "Tea.", /, **after: Value) -> str:
    """The line of one changed memory."""
    gathering = Gathering()
    gathering.alter(memory("m", said, **before), "why", **after)
    return "".join(StepReport.of(StepName.DRIFT, gathering.outcome()).lines()[2:])


LONG = "entity://person/amy-ellis-nutt", "a tag that is rather long", "another tag that is long"


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ({"tags": LONG}, {"tags": (*LONG, "fading")}, "tags + fading"),
        ({"tags": LONG}, {"tags": LONG[1:]}, "tags − amy ellis nutt"),
        ({"tags": ("a", "b")}, {"tags": ("b", *"cdefg")}, "tags + c, d, e and 2 more, − a"),
        ({}, {"tagged_until": NOW}, "tagged_until – → 2026-06-15 03:00"),
        ({}, {"pinned": True, "superseded_by": "n"}, "pinned no → yes, superseded_by – → n"),
        (
            {"drifted_at": NOW},
            {"utility": 0.25, "drifted_at": None},
            "utility 0.5 → 0.25, drifted_at 2026-06-15 03:00 → –",
        ),
    ],
)
def test_a_sample_says_what_was_added_and_what_was_taken_away(
    before: dict[str, object], after: dict[str, Value], told: str
) -> None:
    """As people read it: names for addresses, minutes for moments, times last."""
    assert sample(before, **after) == f"  m “Tea.”: {told}"


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        *english(
            (
                "My sister Meera lives in Leeds with her cats.",
                "My sister Meera lives in York with her cats.",
                "Leeds → York",
            )
        ),
        *english(
            ("My sister Meera lives in Leeds, UK.", "My sister Meera lives in Leeds, UK. She bakes.", "+ She bakes.")
        ),
        *turkish(
            (
                "Kız kardeşim Selin şimdi İzmir'de oturuyor.",
                "Kız kardeşim Selin şimdi Bursa'da oturuyor.",
                "İzmir'de → Bursa'da",
            )
        ),
        *turkish(
            ("Kız kardeşim Selin İzmir'de oturuyor. Fırıncı.", "Kız kardeşim Selin İzmir'de oturuyor.", "− Fırıncı.")
        ),
        *neither(("x" * 100 + "a", "x" * 100 + "b", "…a → …b")),
    ],
)
def test_of_long_words_the_part_that_changed_is_told(before: str, after: str, told: str) -> None:
    """Two long texts that begin alike do not read alike."""
    assert sample({}, before, text=after).endswith(f"”: text {told}")


def test_a_sample_is_one_short_line() -> None:
    """The memory's first words, without what a terminal would obey; of many fields the first."""
    many: dict[str, Value] = {
        "emotion": "x" * 99,
        "data_source": "y" * 99,
        "write_source": "z" * 99,
        "superseded_by": "w" * 99,
    }
    line = sample({}, "Tea\x1b[31m\nor\u202e coffee " + "a" * 99, **many)
    assert line.startswith("  m “Tea [31m or coffee aaa")
    assert line.endswith(", and 3 more")
    assert len(line) < 150
    assert line.isprintable()


def test_what_only_looks_changed_is_no_sample() -> None:
    """Blanks, order, seconds."""
    assert sample({"tags": ("a", "b")}, tags=("b", "a")) == ""
    assert sample({}, "Tea  and coffee.", text="Tea and coffee.") == ""
    assert sample({"drifted_at": NOW}, drifted_at=NOW.replace(second=5)) == ""


SCOPE = Scope("a", "u", "p")
AT = datetime(2026, 3, 2, tzinfo=UTC)
FACT = Memory("m1", SCOPE, Kind.FACT, "Tea.", AT, AT, "s", 0, "Ada", Role.USER, sources=("e",))


def write(store: Store, action: Action, payload: Payload, why: str, hour: int = 0) -> int:
    """One event, told by its reason; its number."""
    with store.begin(SCOPE, durable=True) as tx:
        return tx.append(Draft(SCOPE, AT + timedelta(hours=hour), "a", action, why, payload, bytes(16))).seq


def drift(name: str, why: str) -> Change:
    return Change(name, (FieldChange("utility", 0.5, 0.6),), why)


def dreamt(store: Store, cycle: str, hour: int, *, end: bool = True) -> None:
    """A dream of two steps, in the middle of which a person pins something."""
    write(store, Action.DREAM, Dreamt(cycle, "night", DreamStage.BEGUN), "dream begun", hour)
    why = f"dream {cycle}: {StepName.REHEARSAL.value}"
    write(store, Action.CHANGE, Changed((drift("m1", "often"), drift("m2", "often")), cycle), why, hour)
    write(store, Action.CHANGE, Changed((drift("m1", "mine"),)), "by hand", hour)
    write(store, Action.CHANGE, Changed((drift("m1", "rarely"),), cycle), why, hour)
    edge = Relation("m1", "m2", RelationKind.RELATED_TO, 0.5, AT)
    write(store, Action.RELATE, Related((edge,), cycle=cycle), f"dream {cycle}: {StepName.CLUSTERING.value}", hour)
    if end:
        write(store, Action.DREAM, Dreamt(cycle, "night", DreamStage.DONE), "dream done", hour + 1)


def test_a_dream_is_told_step_by_step() -> None:
    """Each memory counted once a step, each reason as often as it was given; nothing that others did meanwhile."""
    store = RamStore()
    dreamt(store, "c1", 1)
    dreamt(store, "c2", 5, end=False)
    (second, first), erased = newest(store, SCOPE, 20)
    assert erased == 0
    told = retold(store, SCOPE, first)
    assert (told.cycle, told.at, told.ended) == ("c1", AT + timedelta(hours=1), AT + timedelta(hours=2))
    rehearsal, clustering = told.steps
    assert (rehearsal.name, rehearsal.changed) == (StepName.REHEARSAL, 2)
    assert rehearsal.reasons == (("often", 2), ("rarely", 1))
    assert [change.memory for change in rehearsal.samples] == ["m1", "m2", "m1"]
    assert (clustering.related, told.changed) == (1, 3)
    cut = retold(store, SCOPE, second)
    assert (cut.stage, cut.ended, cut.undone) == (DreamStage.BEGUN, None, False)
    assert "interrupted" in cut.lines()[0]


def test_only_so_many_are_told_and_none_where_none_is_asked_for() -> None:
    """The newest ones."""
    store = RamStore()
    for number in range(3):
        dreamt(store, f"c{number}", 3 * number)
    assert [cycle.id for cycle in newest(store, SCOPE, 2)[0]] == ["c2", "c1"]
    assert newest(store, SCOPE, 0)[0] == []


def test_what_was_erased_is_told_as_missing() -> None:
    """The number of the erasure says that what was told before holds no longer."""
    store = RamStore()
    write(store, Action.DREAM, Dreamt("c", "c", DreamStage.BEGUN), "dream begun")
    write(store, Action.FORM, Formed((FACT,), cycle="c"), f"dream c: {StepName.CLUSTERING.value}")
    write(store, Action.DREAM, Dreamt("c", "c", DreamStage.DONE), "dream done")
    before = retold(store, SCOPE, newest(store, SCOPE, 1)[0][0])
    assert before.steps[0].made == (FACT,)
    number = write(store, Action.ERASE, Erased(("m1",), ()), "asked for")
    cycles, erased = newest(store, SCOPE, 1)
    assert erased == number
    assert retold(store, SCOPE, cycles[0]).steps[0].notes == ("1 events whose content was erased",)


def test_samples_are_told_with_the_words_that_are_still_there() -> None:
    """What is gone is told by its id."""
    store = RamStore()
    write(store, Action.FORM, Formed((FACT,)), "formed")
    dreamt(store, "c", 1)
    lines = retold(store, SCOPE, newest(store, SCOPE, 1)[0][0]).lines()
    assert "  m1 “Tea.”: utility 0.5 → 0.6" in lines
    assert "  m2: utility 0.5 → 0.6" in lines


def event(payload: Payload) -> Event:
    """An event with this payload."""
    return Event(1, HERE, NOW, "dream", Action.CHANGE, "", payload, b"", "", "", "")


def acted() -> tuple[Outcome, list[Event]]:
    """An outcome that changes one memory twice and another once, forms one and links it; and its events."""
    gathering = Gathering()
    one = memory("a", utility=0.5)
    gathering.alter(one, "first", utility=0.6)
    gathering.alter(folded(one, gathering.changes), "second", utility=0.7)
    gathering.alter(memory("b"), "first", importance=0.9)
    gathering.formed.append(memory("new"))
    gathering.related.append(edge("new", "a", RelationKind.ELABORATES))
    outcome = gathering.outcome()
    payloads = [Formed(outcome.formed), Related(tuple(outcome.related)), *(Changed((one,)) for one in outcome.changes)]
    return outcome, [event(payload) for payload in payloads]


def test_what_was_before_comes_back() -> None:
    """Memories in their order, each field as it was, without what was formed and linked."""
    outcome, events = acted()
    before = [memory("a", utility=0.5), memory("b")]
    after = [*(folded(one, [c for c in outcome.changes if c.memory == one.id]) for one in before), *outcome.formed]
    kept = edge("a", "b", RelationKind.CAUSES)
    assert rewound(after, [kept, *outcome.related], events) == (before, [kept])


def test_what_was_erased_meanwhile_is_passed_over() -> None:
    """It cannot be brought back."""
    _, events = acted()
    assert rewound([memory("b", importance=0.9)], [], events) == ([memory("b")], [])


def test_what_is_done_is_not_done_again() -> None:
    """Of a step that was interrupted the rest is left; of one that was not, everything."""
    outcome, events = acted()
    assert left_of(outcome, frozenset()) is outcome
    rest = left_of(outcome, marks(events[:3]))
    assert ([change.why for change in rest.changes], rest.formed, rest.related) == (["second", "first"], (), [])
    assert not left_of(outcome, marks(events)).changes
