from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from reverie.encode.gate import APPENDED_MAX, NO_ADVICE, Advice, GateContext, Judged, Pondered, advise, gate, judge
from reverie.encode.neighbours import Near
from reverie.encode.session import Session, Sessions
from reverie.formulas.gates import GateVerdict
from reverie.ports import Bond, Said, Told
from reverie.recipes.recipe import recipe
from reverie.types import RelationKind, Role
from tests.encode.making import AT, SCOPE, Chosen, memory, origin, thought
from tests.encode.test_neighbours import stored
from tests.spoken import english, turkish

V9 = recipe("v9").encode.gate
OWN = recipe("reverie").encode.gate
CLAW = recipe("openclaw").encode.gate

TAKING_BACK = [
    ("Our weekly team meeting starts at 10:00.", "Our weekly team meeting starts at 14:00 now."),
    ("I love coffee.", "I don't like coffee anymore."),
    ("Haftalık ekip toplantımız 10:00'da.", "Haftalık ekip toplantımız artık 14:00'te."),
    ("Kira 12000 lira.", "Kira 15000 lira oldu."),
]
ALIKE = 0.85
"""How like such statements are."""


@pytest.mark.req("D4")
@pytest.mark.parametrize(
    ("similarity", "importance", "verdict"),
    [
        (-0.2, 0.0, GateVerdict.CREATE),
        (0.65, 0.0, GateVerdict.CREATE),
        (0.699, 0.0, GateVerdict.CREATE),
        (0.701, 0.0, GateVerdict.SKIP),
        (0.72, 0.58, GateVerdict.SKIP),
        (0.72, 0.6, GateVerdict.CREATE),
        (0.749, 0.59, GateVerdict.SKIP),
        (0.751, 0.0, GateVerdict.UPDATE),
        (0.9, 0.0, GateVerdict.UPDATE),
        (0.919, 1.0, GateVerdict.UPDATE),
        (0.921, 0.0, GateVerdict.REINFORCE),
        (1.0, 0.0, GateVerdict.REINFORCE),
    ],
)
def test_the_verdict_follows_from_the_similarity(similarity: float, importance: float, verdict: GateVerdict) -> None:
    """The table of document D, read as similarities (reading 1)."""
    found = gate(thought("a kite"), origin(), [Near(memory("a boat"), similarity)], importance, V9)
    assert found.verdict is verdict
    assert f"prediction error {1 - similarity:.3f} to old" in found.why


@pytest.mark.req("D4", "D17")
@pytest.mark.parametrize(("was", "now"), TAKING_BACK)
@pytest.mark.parametrize("similarity", [0.1, 0.72, 0.99])
def test_a_contradiction_supersedes_whatever_the_similarity(was: str, now: str, similarity: float) -> None:
    """The later statement of the same person takes the earlier back."""
    found = gate(thought(now), origin(), [Near(memory(was), similarity, ALIKE)], 0.0, V9)
    assert found.verdict is GateVerdict.SUPERSEDE
    assert [target.id for target in found.targets] == ["old"]


def test_all_that_is_contradicted_is_superseded() -> None:
    """Two memories say the same wrong thing: both close."""
    was, now = TAKING_BACK[0]
    near = [Near(memory(was, name), 0.6, 0.95) for name in ("a", "b")]
    found = gate(thought(now), origin(), near, 0.0, V9)
    assert [target.id for target in found.targets] == ["a", "b"]


@pytest.mark.req("D4")
@pytest.mark.parametrize("role", [Role.ASSISTANT, Role.TOOL, Role.SYSTEM])
@pytest.mark.parametrize(("was", "now"), [TAKING_BACK[0], TAKING_BACK[2]])
def test_only_people_take_something_back(role: Role, was: str, now: str) -> None:
    """What an agent or a tool writes is prose: it is misread."""
    found = gate(thought(now), origin(role=role), [Near(memory(was), 0.1, ALIKE)], 0.0, V9)
    assert found.verdict is GateVerdict.CREATE


@pytest.mark.parametrize(("was", "now"), [TAKING_BACK[0], TAKING_BACK[2]])
def test_nobody_takes_back_what_somebody_else_said(was: str, now: str) -> None:
    """Ada's meeting is at ten, Bora's at two."""
    found = gate(thought(now), origin(speaker="bora"), [Near(memory(was), 0.1, ALIKE)], 0.0, V9)
    assert found.verdict is GateVerdict.CREATE


@pytest.mark.req("D21")
@pytest.mark.parametrize("flag", ["pinned", "immutable"])
@pytest.mark.parametrize(("was", "now"), [TAKING_BACK[0], TAKING_BACK[2]])
def test_what_is_protected_is_contradicted_and_stays(flag: str, was: str, now: str) -> None:
    """The new statement stands beside it."""
    found = gate(thought(now), origin(), [Near(memory(was, **{flag: True}), 0.9, ALIKE)], 0.0, V9)
    assert (found.verdict, [target.id for target in found.targets]) == (GateVerdict.CREATE, ["old"])
    assert "protected" in found.why


@pytest.mark.req("D17")
@pytest.mark.parametrize(("now", "was"), [TAKING_BACK[0], TAKING_BACK[2]])
def test_what_was_said_before_and_learned_after_does_not_take_back(was: str, now: str) -> None:
    """An import of old talk: the meeting at ten, said before the one at two that is known already."""
    found = gate(thought(now), origin(at=AT - timedelta(days=400)), [Near(memory(was), 0.5, ALIKE)], 0.0, V9)
    assert (found.verdict, found.late, found.why.startswith("said before old")) == (GateVerdict.SUPERSEDE, True, True)


@pytest.mark.req("D21")
def test_an_immutable_memory_is_neither_updated_nor_repeated() -> None:
    """What adds to it stands beside it; what says it again is not formed a second time."""
    held = memory("a boat", immutable=True)
    assert gate(thought("a kite"), origin(), [Near(held, 0.8)], 0.0, V9).verdict is GateVerdict.CREATE
    assert gate(thought("a boat"), origin(), [Near(held, 0.99)], 0.0, V9).verdict is GateVerdict.SKIP


@pytest.mark.req("D21", "D28")
def test_a_pinned_memory_is_appended_to_and_never_replaced() -> None:
    """Appending forgets nothing; taking the newer words would."""
    held = memory("a boat", pinned=True)
    assert gate(thought("a kite"), origin(), [Near(held, 0.8)], 0.0, V9).verdict is GateVerdict.UPDATE
    assert gate(thought("a kite"), origin(), [Near(held, 0.95)], 0.0, CLAW).verdict is GateVerdict.CREATE


@pytest.mark.parametrize(
    ("was", "now", "unsaid"),
    [
        *english(
            ("Maya likes the red kite.", "Bora likes the red kite.", "bora"),
            ("The rack has 12 slots.", "The rack has 14 slots.", "14"),
            ("Maya eats fish.", "Maya does not eat fish.", "not"),
            ("Maya paints on Friday.", "Maya paints on Monday.", "Monday"),
            ("Maya prefers tabs over spaces.", "Maya prefers spaces over tabs.", "how it was said"),
            ("Maya likes the red kite.", "Maya likes the red kite a lot.", "lot"),
        ),
        *turkish(
            ("Ayşe kırmızı uçurtmayı seviyor.", "Bora kırmızı uçurtmayı seviyor.", "bora"),
            ("Rafta 12 yuva var.", "Rafta 14 yuva var.", "14"),
            ("Ayşe balık yer.", "Ayşe balık yemez.", "yemez"),
            ("Ayşe cuma günü çalışıyor.", "Ayşe pazartesi günü çalışıyor.", "pazartesi"),
            ("Ayşe kedileri köpeklere tercih ediyor.", "Ayşe köpekleri kedilere tercih ediyor.", "kedilere"),
            ("Ayşe balık seviyor.", "Ayşe balık çok seviyor.", "çok"),
        ),
    ],
)
@pytest.mark.parametrize("similarity", [0.72, 0.97])
def test_the_default_knows_only_what_is_said_in_the_same_words(
    was: str, now: str, unsaid: str, similarity: float
) -> None:
    """No cosine is enough to pass over words; ``v9`` merges by it alone."""
    said = origin(role=Role.ASSISTANT)
    found = gate(thought(now), said, [Near(memory(was), similarity)], 0.0, OWN)
    assert (found.verdict, unsaid in found.why) == (GateVerdict.CREATE, True)
    assert gate(thought(now), said, [Near(memory(was), 0.97)], 0.0, V9).verdict is GateVerdict.REINFORCE


@pytest.mark.parametrize("said", [*english("Maya likes the red kite."), *turkish("Ayşe balık seviyor.")])
def test_the_default_passes_over_what_is_said_again(said: str) -> None:
    """What is near may be worded in one by a model, which is checked; what stands there word for word is known."""
    first, more = memory(said), f"{said} It is new."
    assert gate(thought(said), origin(role=Role.USER), [Near(first, 0.99)], 0.0, OWN).verdict is GateVerdict.REINFORCE
    assert gate(thought(more), origin(), [Near(first, 0.85)], 0.0, OWN).verdict is GateVerdict.UPDATE
    assert gate(thought(said), origin(), [Near(memory(more), 0.72)], 0.0, OWN).verdict is GateVerdict.SKIP


@pytest.mark.req("C7")
@pytest.mark.parametrize(
    ("similarity", "verdict"),
    [
        (0.9, GateVerdict.CREATE),
        (0.911, GateVerdict.CREATE),
        (0.913, GateVerdict.UPDATE),
        (1.0, GateVerdict.UPDATE),
        (1.1, GateVerdict.UPDATE),
    ],
)
def test_openclaw_merges_from_85_hundredths_of_its_scale(similarity: float, verdict: GateVerdict) -> None:
    """Its .85 is a cosine of .9118 (reading 16); importance plays no part."""
    assert gate(thought("a kite"), origin(), [Near(memory("a boat"), similarity)], 0.0, CLAW).verdict is verdict


def test_what_somebody_asked_for_is_never_skipped() -> None:
    """In the gap of document D's table it is created."""
    near = [Near(memory("a boat"), 0.72)]
    assert gate(thought("a kite"), origin(), near, 0.0, V9).verdict is GateVerdict.SKIP
    assert gate(thought("a kite"), origin(deliberate=True), near, 0.0, V9).verdict is GateVerdict.CREATE


def test_a_memory_does_not_grow_without_bound() -> None:
    """What would become too long to be read as one thing becomes two."""
    held = memory("a boat " * (APPENDED_MAX // 7))
    assert gate(thought("a kite"), origin(), [Near(held, 0.8)], 0.0, V9).verdict is GateVerdict.CREATE


def test_a_recipe_without_a_gate_and_an_empty_memory_create() -> None:
    """There is nothing to compare with."""
    assert gate(thought("a kite"), origin(), [Near(memory("a boat"), 1.0)], 0.0, None).verdict is GateVerdict.CREATE
    assert gate(thought("a kite"), origin(), [], 0.0, V9).verdict is GateVerdict.CREATE


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
    assert (found.verdict, "does not say" in found.why) == (GateVerdict.CREATE, True)


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
    assert (found.verdict, "who speaks" in found.why) == (GateVerdict.CREATE, True)
    near = [Near(memory(was), similarity)]
    assert gate(thought(now), origin(speaker="bora"), near, 0.0, V9).verdict is GateVerdict.CREATE


@pytest.mark.req("D17")
@pytest.mark.parametrize(
    ("was", "now"),
    [
        *english(("My sister {} has lessons at 10:00.", "My sister has lessons at 14:00 now.")),
        *turkish(("Kız kardeşimin ({}) dersi 10:00'da.", "Kız kardeşimin dersi artık 14:00'te.")),
    ],
)
def test_of_two_sisters_either_may_be_meant(was: str, now: str) -> None:
    """Of one that is known it is clear; of two nobody knows whose lessons they are."""
    known = [
        replace(memory(was.format(name), name), entities=(f"entity://person/{name.lower()}",))
        for name in ("Meera", "Selin")
    ]
    near = [Near(one, 0.6, ALIKE) for one in known]
    assert gate(thought(now), origin(), near[:1], 0.0, V9).verdict is GateVerdict.SUPERSEDE
    assert gate(thought(now), origin(), near, 0.0, V9).verdict is GateVerdict.CREATE


V9_JUDGING = recipe("v9")


def session() -> Session:
    """A session in which nothing was said."""
    return Sessions(V9_JUDGING.working).of(SCOPE, "s")


def judged(cosine: float, count: int = 1, name: str = "v9") -> Judged:
    """A thought about a probe beside so many memories of kites, each so similar to it."""
    model = Chosen({"probe": (0, 1.0), "kite": (0, cosine)})
    store = stored([memory(f"kite {n}", f"m{n}") for n in range(count)], model)
    world = GateContext(lambda: store.corpus(SCOPE, model.info), list)
    one = Pondered(thought("the probe"), model.embed_query("the probe"))
    return judge(one, origin(), world, recipe(name).encode, session())


@pytest.mark.req("D4", "D39")
def test_eight_neighbours_are_looked_at() -> None:
    """And the gate decides by the nearest."""
    found = judged(0.8, count=10)
    assert len(found.near) == 8
    assert (found.passage.verdict, found.passage.target) == (GateVerdict.UPDATE, found.near[0].memory)


@pytest.mark.req("C7")
def test_openclaw_looks_at_the_nearest_alone() -> None:
    """Its gate asks for one."""
    assert len(judged(0.8, count=3, name="openclaw").near) == 1


@pytest.mark.req("D39")
def test_the_gate_uses_a_provisional_importance() -> None:
    """Novelty .28, reward and attention unknown: .07 + .125 + .1 = .295 is not important enough for the gap."""
    found = judged(0.72)
    assert found.weight.importance == pytest.approx(0.295, abs=1e-3)
    assert found.passage.verdict is GateVerdict.SKIP


def test_recipes_that_compare_nothing_look_nothing_up() -> None:
    """Neither gate nor weights nor edges."""

    def nothing() -> None:
        raise AssertionError("the corpus was asked for")

    world = GateContext(nothing, list)  # type: ignore[arg-type]  # asking for it is the fault
    found = judge(Pondered(thought("x"), None), origin(), world, recipe("ocean").encode, session())
    assert (found.near, found.passage.verdict) == ((), GateVerdict.CREATE)


class Asked:
    """A mind that notes what it is asked, and answers everything."""

    def __init__(self) -> None:
        self.merges: list[tuple[str, str]] = []
        self.bonds: list[tuple[str, tuple[str, ...]]] = []

    def merge(self, old: str, new: str) -> str | None:
        """Both, with a plus between."""
        self.merges.append((old, new))
        return f"{old} + {new}"

    def form(self, said: Said) -> Told:
        """No answer would end what is asked of it: it has none of what the message says."""
        return Told()

    def relate(self, new: str, others: Sequence[str]) -> tuple[Bond, ...] | None:
        """Every new memory causes the first of the others."""
        self.bonds.append((new, tuple(others)))
        return (Bond(0, RelationKind.CAUSES, True, 0.9),)

    def route(self, cue: str) -> str | None:
        """Nothing."""
        return None

    def theme(self, texts: Sequence[str]) -> str | None:
        """Nothing."""
        return None

    def pattern(self, texts: Sequence[str]) -> str | None:
        """Nothing."""
        return None

    def summary(self, category: str, texts: Sequence[str]) -> str | None:
        """Nothing."""
        return None


@pytest.mark.req("D28", "D16")
@pytest.mark.parametrize(("cosine", "merges", "bonds"), [(0.8, 1, 0), (0.3, 0, 1), (0.925, 0, 0), (0.72, 0, 0)])
def test_a_model_is_asked_only_what_will_be_needed(cosine: float, merges: int, bonds: int) -> None:
    """A wording for an update, bonds for what is created; nothing for what is said again or skipped."""
    mind = Asked()
    advice = advise(mind, [judged(cosine)], V9_JUDGING.encode)
    assert (len(mind.merges), len(mind.bonds)) == (merges, bonds)
    assert (advice.merged("kite 0", "the probe") == "kite 0 + the probe") is bool(merges)
    assert (advice.related("the probe", ["kite 0"]) is not None) is bool(bonds)


def test_a_recipe_without_edges_asks_for_none() -> None:
    """No bonds."""
    mind = Asked()
    advise(mind, [judged(0.3)], replace(V9_JUDGING.encode, relate=None))
    assert mind.bonds == []


def test_what_the_model_does_not_word_is_created_and_bound_where_it_stands_beside() -> None:
    """It is asked for bonds as for anything that is created; where it would be appended it is not."""
    mind = Asked()
    mind.merge = lambda old, new: None  # type: ignore[method-assign,assignment]  # it has no wording
    advise(mind, [judged(0.8)], V9_JUDGING.encode)
    assert mind.bonds == []
    advise(mind, [judged(0.8)], recipe("reverie").encode)
    assert len(mind.bonds) == 1


def test_advice_holds_for_its_texts_alone() -> None:
    """Where the store has moved on meanwhile there is none."""
    bonds = (Bond(0, RelationKind.CAUSES, True, 0.9),)
    advice = Advice({("old", "new"): "both"}, {("new", ("old",)): bonds})
    assert (advice.merged("old", "new"), advice.related("new", ["old"])) == ("both", bonds)
    assert (advice.merged("older", "new"), advice.related("new", ["old", "other"])) == (None, None)
    assert (NO_ADVICE.merged("old", "new"), NO_ADVICE.related("new", ["old"])) == (None, None)
