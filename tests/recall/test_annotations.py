"""What is said of a memory beside its words: from signals and states to words that name the other memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from reverie import Message, Reverie, Scope
from reverie.answers import Hit, Signal
from reverie.recall.annotations import Annotation, Mark, ids, labels, marks, note, notes, numbers, told
from reverie.types import Kind, Memory, Role, Standing, State
from tests.spoken import NEITHER, english, turkish

NOW = datetime(2026, 1, 1, tzinfo=UTC)
Make = Callable[..., Memory]


@pytest.fixture
def made(scope: Scope) -> Make:
    """``made("id", kind=…)``: a memory."""
    with Reverie.open(":memory:", embedder=None) as engine:
        one = engine.memory(engine.remember(Message("x", at=NOW), scope).id, scope)

    def make(name: str, *sources: str, **fields: Any) -> Memory:
        return replace(one, id=name, sources=sources or (name,), **fields)

    return make


def signal(name: str, about: str = "") -> Signal:
    """A mark's signal."""
    return Signal(name, 1.0, 0.0, 0.0, about)


@NEITHER
def test_a_mark_comes_from_a_signal_or_a_state(made: Make) -> None:
    """What is superseded is not called outdated as well, and finds its successor wherever it is named."""
    gone = made("a", standing=Standing(state=State.SUPERSEDED, superseded_by="b"))
    assert marks(made("a")) == ()
    assert marks(made("a"), [signal("text"), signal("outdated", "b")]) == (Mark("outdated", "b"),)
    assert marks(made("a"), [signal("outdated", "b"), signal("superseded")]) == (Mark("superseded", "b"),)
    assert marks(gone) == (Mark("superseded", "b"),)
    assert marks(made("a"), [signal("contradicts", "c")]) == (Mark("contradicts", "c"),)


@NEITHER
def test_only_the_user_gives_standing_orders(made: Make) -> None:
    """An instruction of somebody else's is a quotation."""
    assert marks(made("a", kind=Kind.INSTRUCTION)) == (Mark("standing"),)
    assert marks(made("a", kind=Kind.INSTRUCTION, role=Role.ASSISTANT)) == (Mark("quoted"),)
    assert marks(made("a", kind=Kind.INSTRUCTION, role=Role.TOOL)) == (Mark("quoted"),)


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        *english(
            ("From now on always answer in short sentences.", "standing"),
            ("I prefer tea.", "preference"),
            ("I'm crazy about fish.", "preference"),
        ),
        *turkish(
            ("Bundan sonra hep kısa cümlelerle cevap ver.", "standing"),
            ("Çayı tercih ederim.", "preference"),
            ("Artık balık yemiyorum, vejetaryen oldum.", "preference"),
        ),
    ],
)
def test_a_preference_is_told_from_an_order(made: Make, text: str, mark: str) -> None:
    """By its kind, and a message by its words."""
    assert marks(made("a", text=text), [signal("standing")]) == (Mark(mark),)


@NEITHER
def test_the_other_is_named_where_it_is_known() -> None:
    """Else the mark stands alone."""
    found = [Mark("outdated", "b"), Mark("contradicts", "c")]
    assert told(found, {"b": "#2", "c": "#3"}) == "outdated: #2 is newer, contradicts #3"
    assert told(found, {}) == "outdated, contradicted"
    assert told([Mark("superseded", "b"), Mark("standing"), Mark("preference")], {"b": "#1"}) == (
        "superseded by #1, standing instruction, standing preference"
    )


@NEITHER
def test_a_page_names_both_sides(made: Make) -> None:
    """Who is named tells its number; what is not on the page goes by what was made of the same message."""
    page = [
        Annotation(made("new", "said"), "x"),
        Annotation(made("old"), "x", (Mark("outdated", "said"),)),
        Annotation(made("yes"), "x", (Mark("contradicts", "no"),)),
        Annotation(made("no"), "x", (Mark("contradicts", "yes"),)),
        Annotation(made("plain"), "x"),
        Annotation(made("lost"), "x", (Mark("superseded", "elsewhere"),)),
    ]
    assert labels(page, [made("said")]) == [
        "#1",
        "outdated: #1 is newer",
        "#3, contradicts #4",
        "#4, contradicts #3",
        "",
        "superseded",
    ]
    assert labels([Annotation(made("a"), "x"), Annotation(made("b"), "x")]) == ["", ""]
    assert labels([]) == []


@NEITHER
def test_nothing_is_said_against_itself(made: Make) -> None:
    """A copy of the same message is no other memory."""
    old = Annotation(made("old", "said"), "x", (Mark("contradicts", "said"),))
    assert labels([old], [made("said")]) == ["contradicted"]
    assert numbers({4: old.memory}, [made("said"), made("else")]) == {"old": "#4", "said": "#4"}


@NEITHER
def test_a_shorter_page_has_no_longer_labels(made: Make) -> None:
    """What a budget leaves out costs nothing more."""
    page = [
        Annotation(made("a"), "x", (Mark("outdated", "c"), Mark("contradicts", "b"))),
        Annotation(made("b"), "x", (Mark("contradicts", "a"),)),
        Annotation(made("c"), "x", (Mark("superseded", "b"),)),
    ]
    whole = labels(page)
    for size in range(4):
        assert all(len(short) <= len(long) for short, long in zip(labels(page[:size]), whole, strict=False))


@NEITHER
def test_notes_are_hits_and_memories_as_they_are_shown(made: Make) -> None:
    """Abbreviated where the hit is; ids name the others where nothing is numbered."""
    hit = Hit(made("a", text="long text"), 1, 0.5, (signal("outdated", "b"),), None, 2, shown="long …")
    (found,) = notes([hit])
    assert (found.text, ids(found)) == ("long …", ["outdated: b is newer"])
    assert (note(made("a", text="t")).text, ids(note(made("a")))) == ("t", [])


@pytest.mark.parametrize(
    ("older", "latest", "cue"),
    [
        *english(("My rent is 950 euros a month.", "My rent is 1100 euros a month.", "How much is my rent?")),
        *turkish(("Kiram ayda 950 avro.", "Kiram ayda 1100 avro.", "Kiram ne kadar?")),
    ],
)
def test_end_to_end_an_older_amount_says_that_a_newer_one_is_there(
    scope: Scope, older: str, latest: str, cue: str
) -> None:
    """By number."""
    with Reverie.open(":memory:", embedder=None) as engine:
        for days, text in enumerate((older, latest)):
            engine.observe(Message(text, session=f"s{days}", at=NOW + timedelta(days=days)), scope)
        answer = engine.recall(cue, scope)
    found = notes(answer.hits)
    told_of = dict(zip([one.text for one in found], labels(found, [h.memory for h in answer.withheld]), strict=True))
    assert told_of[latest] == "#1"
    assert told_of[older] == "outdated: #1 is newer"
