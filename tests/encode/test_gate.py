"""The gate: created, merged, said again, taking back, or nothing; and what protects a memory."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from reverie.encode.gate import APPENDED_MAX, gate
from reverie.encode.nearest import Near
from reverie.formulas.prediction_error import Verdict
from reverie.recipes.named import recipe
from reverie.types import Role
from tests.encode.making import AT, memory, origin, thought
from tests.spoken import english, turkish

V9 = recipe("v9").encode.gate
OWN = recipe("reverie").encode.gate
CLAW = recipe("openclaw").encode.gate

TAKING_BACK = [
    ("User lives in Ankara.", "User lives in Izmir now."),
    ("My favourite colour is blue.", "My favourite colour is green."),
    ("Kullanıcı Ankara'da yaşıyor.", "Kullanıcı artık İzmir'de yaşıyor."),
    ("En sevdiğim renk mavi.", "En sevdiğim renk yeşil."),
    ("I love coffee.", "I don't like coffee anymore."),
    ("Kahveyi severim.", "Artık kahveyi sevmiyorum."),
    ("Always answer in English.", "From now on answer in Turkish."),
    ("Bana hep kısa cevap ver.", "Artık uzun cevap ver."),
]


@pytest.mark.req("D4")
@pytest.mark.parametrize(
    ("similarity", "importance", "verdict"),
    [
        (-0.2, 0.0, Verdict.CREATE),
        (0.65, 0.0, Verdict.CREATE),
        (0.699, 0.0, Verdict.CREATE),
        (0.701, 0.0, Verdict.SKIP),
        (0.72, 0.58, Verdict.SKIP),
        (0.72, 0.6, Verdict.CREATE),
        (0.749, 0.59, Verdict.SKIP),
        (0.751, 0.0, Verdict.UPDATE),
        (0.9, 0.0, Verdict.UPDATE),
        (0.919, 1.0, Verdict.UPDATE),
        (0.921, 0.0, Verdict.REINFORCE),
        (1.0, 0.0, Verdict.REINFORCE),
    ],
)
def test_the_verdict_follows_from_the_similarity(similarity: float, importance: float, verdict: Verdict) -> None:
    """The table of document D, read as similarities (reading 1)."""
    found = gate(thought("a kite"), origin(), [Near(memory("a boat"), similarity)], importance, V9)
    assert found.verdict is verdict
    assert f"prediction error {1 - similarity:.3f} to old" in found.why


@pytest.mark.req("D4", "D17")
@pytest.mark.parametrize(("was", "now"), TAKING_BACK)
@pytest.mark.parametrize("similarity", [0.1, 0.72, 0.99])
def test_a_contradiction_supersedes_whatever_the_similarity(was: str, now: str, similarity: float) -> None:
    """The later statement of the same person takes the earlier back."""
    found = gate(thought(now), origin(), [Near(memory(was), similarity)], 0.0, V9)
    assert found.verdict is Verdict.SUPERSEDE
    assert [target.id for target in found.targets] == ["old"]


def test_all_that_is_contradicted_is_superseded() -> None:
    """Two memories say the same wrong thing: both close."""
    near = [Near(memory("User lives in Ankara.", name), 0.6) for name in ("a", "b")]
    found = gate(thought("User lives in Izmir now."), origin(), near, 0.0, V9)
    assert [target.id for target in found.targets] == ["a", "b"]


@pytest.mark.req("D4")
@pytest.mark.parametrize("role", [Role.ASSISTANT, Role.TOOL, Role.SYSTEM])
@pytest.mark.parametrize(("was", "now"), [TAKING_BACK[0], TAKING_BACK[2]])
def test_only_people_take_something_back(role: Role, was: str, now: str) -> None:
    """What an agent or a tool writes is prose: the rules would misread it."""
    found = gate(thought(now), origin(role=role), [Near(memory(was), 0.1)], 0.0, V9)
    assert found.verdict is Verdict.CREATE


@pytest.mark.parametrize(("was", "now"), [TAKING_BACK[0], TAKING_BACK[2]])
def test_nobody_takes_back_what_somebody_else_said(was: str, now: str) -> None:
    """Ada lives in Ankara, Bora in Izmir."""
    found = gate(thought(now), origin(speaker="bora"), [Near(memory(was), 0.1)], 0.0, V9)
    assert found.verdict is Verdict.CREATE


@pytest.mark.req("D21")
@pytest.mark.parametrize("flag", ["pinned", "immutable"])
@pytest.mark.parametrize(("was", "now"), [TAKING_BACK[0], TAKING_BACK[2]])
def test_what_is_protected_is_contradicted_and_stays(flag: str, was: str, now: str) -> None:
    """The new statement stands beside it."""
    found = gate(thought(now), origin(), [Near(memory(was, **{flag: True}), 0.9)], 0.0, V9)
    assert (found.verdict, [target.id for target in found.targets]) == (Verdict.CREATE, ["old"])
    assert "protected" in found.why


@pytest.mark.req("D17")
@pytest.mark.parametrize(("now", "was"), [TAKING_BACK[0], TAKING_BACK[2]])
def test_what_was_said_before_and_learned_after_does_not_take_back(was: str, now: str) -> None:
    """An import of old talk: "I live in Ankara", said before the Izmir one knows of already."""
    found = gate(thought(now), origin(at=AT - timedelta(days=400)), [Near(memory(was), 0.5)], 0.0, V9)
    assert (found.verdict, found.late, found.why.startswith("said before old")) == (Verdict.SUPERSEDE, True, True)


@pytest.mark.req("D21")
def test_an_immutable_memory_is_neither_updated_nor_repeated() -> None:
    """What adds to it stands beside it; what says it again is not formed a second time."""
    held = memory("a boat", immutable=True)
    assert gate(thought("a kite"), origin(), [Near(held, 0.8)], 0.0, V9).verdict is Verdict.CREATE
    assert gate(thought("a boat"), origin(), [Near(held, 0.99)], 0.0, V9).verdict is Verdict.SKIP


@pytest.mark.req("D21", "D28")
def test_a_pinned_memory_is_appended_to_and_never_replaced() -> None:
    """Appending forgets nothing; taking the newer words would."""
    held = memory("a boat", pinned=True)
    assert gate(thought("a kite"), origin(), [Near(held, 0.8)], 0.0, V9).verdict is Verdict.UPDATE
    assert gate(thought("a kite"), origin(), [Near(held, 0.95)], 0.0, CLAW).verdict is Verdict.CREATE


@pytest.mark.parametrize(
    ("was", "now", "apart"),
    [
        ("Maya likes the red kite.", "Bora likes the red kite.", "entities"),
        ("The rack has 12 slots.", "The rack has 14 slots.", "numbers"),
        ("Maya eats fish.", "Maya does not eat fish.", "negation"),
        ("Maya paints on Friday.", "Maya paints on Monday.", "time"),
        ("Maya prefers tabs over spaces.", "Maya prefers spaces over tabs.", "roles"),
        ("Ayşe kırmızı uçurtmayı seviyor.", "Bora kırmızı uçurtmayı seviyor.", "entities"),
        ("Rafta 12 yuva var.", "Rafta 14 yuva var.", "numbers"),
        ("Ayşe balık yer.", "Ayşe balık yemez.", "negation"),
        ("Ayşe cuma günü çalışıyor.", "Ayşe pazartesi günü çalışıyor.", "time"),
        ("Ayşe kedileri köpeklere tercih ediyor.", "Ayşe köpekleri kedilere tercih ediyor.", "roles"),
    ],
)
def test_the_default_merges_only_what_agrees(was: str, now: str, apart: str) -> None:
    """No cosine is enough; ``v9`` merges by it alone."""
    said = origin(role=Role.ASSISTANT)
    found = gate(thought(now), said, [Near(memory(was), 0.97)], 0.0, OWN)
    assert (found.verdict, apart in found.why) == (Verdict.CREATE, True)
    assert gate(thought(now), said, [Near(memory(was), 0.97)], 0.0, V9).verdict is Verdict.REINFORCE


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("Maya likes the red kite.", "Maya likes the red kite a lot."),
        ("Ayşe balık seviyor.", "Ayşe balık çok seviyor."),
    ],
)
def test_the_default_merges_what_says_the_same(was: str, now: str) -> None:
    """Names, numbers, negation, time and roles agree."""
    assert gate(thought(now), origin(), [Near(memory(was), 0.85)], 0.0, OWN).verdict is Verdict.UPDATE


@pytest.mark.req("C7")
@pytest.mark.parametrize(
    ("similarity", "verdict"),
    [
        (0.9, Verdict.CREATE),
        (0.911, Verdict.CREATE),
        (0.913, Verdict.UPDATE),
        (1.0, Verdict.UPDATE),
        (1.1, Verdict.UPDATE),
    ],
)
def test_openclaw_merges_from_85_hundredths_of_its_scale(similarity: float, verdict: Verdict) -> None:
    """Its .85 is a cosine of .9118 (reading 16); importance plays no part."""
    assert gate(thought("a kite"), origin(), [Near(memory("a boat"), similarity)], 0.0, CLAW).verdict is verdict


def test_what_somebody_asked_for_is_never_skipped() -> None:
    """In the gap of document D's table it is created."""
    near = [Near(memory("a boat"), 0.72)]
    assert gate(thought("a kite"), origin(), near, 0.0, V9).verdict is Verdict.SKIP
    assert gate(thought("a kite"), origin(deliberate=True), near, 0.0, V9).verdict is Verdict.CREATE


def test_a_memory_does_not_grow_without_bound() -> None:
    """What would become too long to be read as one thing becomes two."""
    held = memory("a boat " * (APPENDED_MAX // 7))
    assert gate(thought("a kite"), origin(), [Near(held, 0.8)], 0.0, V9).verdict is Verdict.CREATE


def test_a_recipe_without_a_gate_and_an_empty_memory_create() -> None:
    """There is nothing to compare with."""
    assert gate(thought("a kite"), origin(), [Near(memory("a boat"), 1.0)], 0.0, None).verdict is Verdict.CREATE
    assert gate(thought("a kite"), origin(), [], 0.0, V9).verdict is Verdict.CREATE


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("I live in Ankara.", "My sister Elif lives in Ankara."),
        ("Ankara'da yaşıyorum.", "Ablam Elif Ankara'da yaşıyor."),
    ],
)
def test_what_differs_is_not_passed_over_as_known(was: str, now: str) -> None:
    """A likeness says nothing of whom a statement is about."""
    found = gate(thought(now), origin(), [Near(memory(was), 0.72)], 0.0, OWN)
    assert (found.verdict, "they differ in" in found.why) == (Verdict.CREATE, True)


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("I am allergic to nuts.", "I am allergic to nuts and milk."),
        ("Fındığa alerjim var.", "Fındığa ve süte alerjim var."),
    ],
)
@pytest.mark.parametrize("similarity", [0.72, 0.8, 0.99])
def test_the_words_of_two_people_are_two_memories(was: str, now: str, similarity: float) -> None:
    """Bora's "I" is not Ada's."""
    found = gate(thought(now), origin(speaker="bora"), [Near(memory(was), similarity)], 0.0, OWN)
    assert (found.verdict, "who speaks" in found.why) == (Verdict.CREATE, True)
    near = [Near(memory(was), similarity)]
    assert gate(thought(now), origin(speaker="bora"), near, 0.0, V9).verdict is Verdict.CREATE


@pytest.mark.req("D17")
@pytest.mark.parametrize(
    ("was", "now"),
    [
        *english(("My sister {} lives in London.", "My sister lives in Paris now.")),
        *turkish(("Kız kardeşim {} Londra'da yaşıyor.", "Kız kardeşim artık Paris'te yaşıyor.")),
    ],
)
def test_of_two_sisters_either_may_be_meant(was: str, now: str) -> None:
    """One that is known moves; of two nobody knows which did."""
    known = [
        replace(memory(was.format(name), name), entities=(f"entity://person/{name.lower()}",))
        for name in ("Meera", "Selin")
    ]
    near = [Near(one, 0.6) for one in known]
    assert gate(thought(now), origin(), near[:1], 0.0, V9).verdict is Verdict.SUPERSEDE
    assert gate(thought(now), origin(), near, 0.0, V9).verdict is Verdict.CREATE
