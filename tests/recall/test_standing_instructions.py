from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from math import inf

import numpy as np
import pytest

from reverie import FixedClock, HashEmbedder, Question, RandomIds, Reverie, Scope
from reverie.conflicts import verdict as room
from reverie.conflicts.pairs import ALONE
from reverie.conflicts.verdict import Verdict
from reverie.encode.notes import Note
from reverie.formulas.tiers import HotEdges
from reverie.language.orders import EVERY, MARKS
from reverie.recall import confidence
from reverie.recall.annotations import marks
from reverie.recall.standing_instructions import MARK, StandingInstructions
from reverie.recall.state import Candidate, Page
from reverie.recipes.published.selection import HotTier
from reverie.recipes.recipe import OwnRecipe, recipe
from reverie.types import Kind, Standing, State, Tier
from tests.conflicts.verdicts import NEVER
from tests.recall.fake_corpus import PAGE, START, FakeCorpus, Line, holding, quest, request, world
from tests.spoken import NEITHER, english, turkish

STAGE = StandingInstructions(share=0.25, places=0.5, general=1)
FOUR = replace(PAGE, size=4)
DEFAULT = next(stage for stage in recipe("reverie").recall.stages if isinstance(stage, StandingInstructions))
ORDER = MARKS[Kind.INSTRUCTION]
SCOPE = Scope("helper", "ada", "home")
PLAIN = [Line("one"), Line("two"), Line("three"), Line("four")]
ASKED = "When does it end?"


def stands(text: str, *, speaker: str = "user", day: float = 0.0) -> Line:
    """An order about every answer, as it was marked when it was indexed."""
    return Line(text, speaker=speaker, entities=(ORDER, EVERY), day=day)


def after(
    lines: Sequence[Line], stage: StandingInstructions = STAGE, page: Page = FOUR, **more: object
) -> list[Candidate]:
    """The candidates behind the stage; the first line was found best."""
    scores = [0.9 - 0.01 * place for place in range(len(lines))]
    return list(stage(replace(holding(request(ASKED, **more), FakeCorpus(lines), scores), page=page)).candidates)


def shown(found: Sequence[Candidate]) -> list[tuple[int, bool]]:
    """Line and whether it came because it stands."""
    return [(c.ordinal, any(s.name == MARK for s in c.signals)) for c in found]


def came(found: Sequence[Candidate]) -> set[str]:
    """The texts that came because they stand."""
    return {c.memory.text for c in found if any(s.name == MARK for s in c.signals)}


@NEITHER
def test_an_order_takes_the_last_place_of_the_page() -> None:
    """Who gave way comes right after it, and nobody comes twice."""
    found = after([*PLAIN, stands("amber")])
    assert shown(found) == [(0, False), (1, False), (2, False), (4, True), (3, False)]
    assert [c.score for c in found] == sorted((c.score for c in found), reverse=True)


@NEITHER
def test_where_a_host_asks_it_stands_before_the_page() -> None:
    """A budget that ends within the page holds it; what was found anyway comes up, and nobody comes twice."""
    assert shown(after([*PLAIN, stands("amber")], automatic=True))[0] == (4, True)
    assert shown(after([PLAIN[0], stands("amber"), *PLAIN[1:]], automatic=True))[:2] == [(1, True), (0, False)]


@NEITHER
@pytest.mark.parametrize(("wanted", "orders"), [(1, 0), (2, 0), (4, 0), (5, 1), (9, 1), (10, 2)])
def test_who_wants_few_hits_is_not_handed_orders_instead(wanted: int, orders: int) -> None:
    """Of the recipe's own: two in ten at most, and never the first."""
    lines = [*(Line(f"{place} word") for place in range(10)), stands("amber birch"), stands("cedar daisy")]
    scores = [0.9 - 0.01 * place for place in range(len(lines))]
    quest = replace(holding(request(ASKED), FakeCorpus(lines), scores), limit=wanted)
    first = list(DEFAULT(quest).candidates)[:wanted]
    assert sum(candidate.ordinal >= 10 for candidate in first) == orders
    assert first[0].ordinal == 0


@NEITHER
def test_what_was_found_anyway_keeps_its_place() -> None:
    """It is marked, and nobody gives way."""
    found = after([stands("amber"), *PLAIN])
    assert shown(found) == [(0, True), (1, False), (2, False), (3, False), (4, False)]


@NEITHER
def test_what_stands_comes_even_where_it_was_no_answer() -> None:
    """A band had withheld the order as it had the rest; the order comes whole, the rest stays withheld."""
    quest = holding(request(ASKED), FakeCorpus([Line("one"), stands("amber"), Line("two")]), [0.9, 0.8, 0.7])
    unsure = [replace(one, withheld="not sure", shown="…") for one in quest.candidates]
    found = list(STAGE(replace(quest, candidates=unsure, page=FOUR)).candidates)
    assert [(one.withheld, one.shown) for one in found] == [("not sure", "…"), ("", ""), ("not sure", "…")]


@NEITHER
def test_the_latest_come_and_of_two_in_nearly_the_same_words_the_newer() -> None:
    """An order of its own that shares half the words comes beside it."""
    told = [
        stands("red kite old boat", day=-9),
        stands("red kite old boats", day=-8),
        stands("red kite tea rent", day=-7),
    ]
    assert came(after([*PLAIN, *told], replace(STAGE, general=2))) == {told[1].text, told[2].text}
    assert came(after([*PLAIN, *told])) == {told[2].text}


@NEITHER
def test_an_order_that_was_most_likely_taken_back_does_not_come(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes it back comes in its place."""
    none = np.zeros(len(ALONE))
    likely = Verdict(NEVER, none, none + 1.0, np.where(np.array(ALONE) == "overlap", 90.0, 0.0))
    told = [stands("red kite old boat", day=-9), stands("red kite new rent", day=-8)]
    both = replace(STAGE, general=2)
    assert came(after([*PLAIN, *told], both)) == {told[0].text, told[1].text}
    monkeypatch.setattr(room, "shipped", lambda: {"by themselves, by one model": likely})
    assert came(after([*PLAIN, *told], both)) == {told[1].text}


@NEITHER
def test_only_the_user_gives_orders() -> None:
    """Whoever else speaks is not obeyed."""
    assert came(after([*PLAIN, stands("amber", speaker="Ada")])) == set()


@NEITHER
def test_the_budget_is_kept() -> None:
    """An order longer than the share is left out."""
    order = stands("amber " * 40)
    assert came(after([*PLAIN, order], budget_tokens=100)) == set()
    assert came(after([*PLAIN, order], budget_tokens=1_000)) == {order.text}


@pytest.mark.parametrize(
    "asked",
    [
        *english("Did I ever tell you about my sister?", "In which order did I mention these?"),
        *turkish("Sana kız kardeşimden hiç bahsettim mi?", "Bunlardan hangisini önce söyledim?"),
    ],
)
def test_no_orders_for_the_record(asked: str) -> None:
    """Who asks what was said wants that."""
    lines = [*PLAIN, stands("amber")]
    quest = holding(request(asked), FakeCorpus(lines), [0.9 - 0.1 * place for place in range(len(lines))])
    assert came(list(STAGE(replace(quest, page=FOUR)).candidates)) == set()


ORDERS = [
    *english(("Please always keep your answers to me short, two sentences at most.", "How far is the lake?")),
    *turkish(("Bana her zaman kısa cevap ver lütfen, en fazla iki cümle olsun.", "Göl ne kadar uzakta?")),
]
"""An order about every answer, and a question it holds for."""


@pytest.mark.parametrize(("order", "asked"), ORDERS)
@pytest.mark.parametrize("observed", [False, True], ids=["remember", "observe"])
def test_an_order_said_once_comes_with_every_answer(order: str, asked: str, observed: bool) -> None:
    """And bears its mark, whichever telling of it is shown."""
    engine = Reverie.open(":memory:", embedder=HashEmbedder(), clock=FixedClock(START), ids=RandomIds(1))
    with engine as memory:
        for number in range(20):
            memory.remember(f"{number} boats lay in the harbour.", SCOPE)
        tell = memory.observe if observed else memory.remember
        tell(order, SCOPE)
        hits = memory.recall(asked, SCOPE).hits
    (found,) = [hit for hit in hits if hit.memory.text == order or order.startswith(hit.memory.text)]
    assert [one.name for one in marks(found.memory, found.signals)] == ["standing"]


@pytest.mark.parametrize(("order", "asked"), ORDERS)
def test_an_order_comes_where_a_host_asks_though_nothing_answers(
    order: str, asked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a store so small that the order is found, and withheld as no answer, like everything else."""
    unlikely = confidence.Weights(-5.0, {})
    sections = (confidence.WITH_MEANING, confidence.TEXT_ALONE)
    monkeypatch.setattr(confidence, "shipped", lambda: dict.fromkeys(sections, unlikely))
    engine = Reverie.open(":memory:", embedder=HashEmbedder(), clock=FixedClock(START), ids=RandomIds(1))
    with engine as memory:
        memory.remember(order, SCOPE)
        memory.remember("7041 / 22", SCOPE)
        answer = memory.recall(Question(asked, automatic=True), SCOPE)
    assert [hit.memory.text for hit in answer.hits] == [order]


@NEITHER
def test_a_message_with_two_orders_comes_once() -> None:
    """The message, which tells both, whether or not it was found anyway."""
    for found_first in (True, False):
        source = "m0" if found_first else "m10"
        message = stands("amber birch cedar daisy")
        formed = [
            replace(stands(one), kind=Kind.INSTRUCTION, sources=(source,)) for one in ("amber birch", "cedar daisy")
        ]
        plain = [Line(f"{n} word") for n in range(10)]
        lines = [message, *plain, *formed] if found_first else [*plain, message, *formed]
        found = after(lines, DEFAULT, PAGE)[: PAGE.size]
        assert came(found) == {message.text}


EDGES = HotEdges(utility=0.8, accesses=10.0, age_days=30.0, standing_utility=inf)
TIER = HotTier(EDGES, most=2, minutes=5.0)


def known(text: str = "a", utility: float = 0.9, accesses: int = 10, day: float = -1, **life: object) -> Line:
    """A semantic fact."""
    standing = replace(Standing(tier=Tier.SEMANTIC, utility=utility), **life)  # type: ignore[arg-type]  # test's fields
    return Line(text, kind=Kind.FACT, accesses=accesses, day=day, standing=standing)


def hot(*lines: Line, tier: HotTier = TIER) -> list[str]:
    """The texts that stand."""
    return [candidate.memory.text for candidate in tier(quest(request("x"), world(FakeCorpus(lines)))).hot]


@pytest.mark.req("D36")
def test_all_conditions_must_be_met() -> None:
    """Useful, often used, young, active, semantic: each alone keeps a memory out."""
    lines = [
        known("in"),
        known("useless", utility=0.79),
        known("rare", accesses=9),
        known("old", day=-30),
        known("fading", state=State.FADING),
        known("episodic", tier=Tier.EPISODIC),
    ]
    assert hot(*lines) == ["in"]


@pytest.mark.req("D36")
def test_the_most_useful_first_and_so_many() -> None:
    """Equally useful ones: the more used, then the later."""
    lines = [known("a", 0.85), known("b", 0.9), known("c", 0.9, accesses=12), known("d", 0.9, day=0)]
    assert hot(*lines) == ["c", "d"]


@pytest.mark.req("D36")
def test_the_choice_is_kept_and_what_stopped_holding_drops_out() -> None:
    """Who was chosen four minutes ago stands; forgotten since, it does not."""
    before, now = FakeCorpus([known("a"), known("b")]), FakeCorpus([known("a"), replace(known("b"), holds=False)])
    kept: list[tuple[str, ...]] = []

    def keep(minutes: float, make: object) -> tuple[str, ...]:
        assert minutes == 5.0
        if not kept:
            kept.append(make())  # type: ignore[operator]  # what the port hands over
        return kept[0]

    first = TIER(quest(request("x"), replace(world(before), kept=keep)))
    second = TIER(quest(request("x"), replace(world(now), kept=keep)))
    assert [len(first.hot), len(second.hot)] == [2, 1]
    assert second.hot[0].memory.text == "a"


def test_what_is_gone_stands_no_longer() -> None:
    """A name that was kept and is nobody's now is passed over."""
    around = replace(world(FakeCorpus([known("a"), known("b")])), kept=lambda _, __: ("m1", "gone"))
    assert [c.memory.text for c in TIER(quest(request("x"), around)).hot] == ["b"]


HOT = Scope("agent", "ada", "home")


@pytest.mark.req("D36")
def test_end_to_end_it_is_chosen_anew_after_five_minutes() -> None:
    """What became hot a moment after the choice stands from the next choice on, and what was erased at no time."""
    clock, own = FixedClock(START), recipe("reverie")
    tier = replace(TIER, edges=replace(EDGES, utility=0.5, accesses=0.0))
    path = replace(own.recall, stages=(tier, *own.recall.stages))
    hot = OwnRecipe("hot", path, own.encode, own.dream, own.working)
    ids = RandomIds(seed=1)
    with Reverie.open(":memory:", embedder=None, recipe=hot, clock=clock, ids=ids, background=False) as engine:
        assert engine.recall("kite", HOT).standing == ()
        engine.admin.note([Note(f"Elif bought {what}.") for what in ("a boat", "an oar", "a sail", "a rope")], HOT)
        engine.dream(HOT)  # several about one name are promoted
        clock.at = START + timedelta(minutes=4, seconds=59)
        assert engine.recall("kite", HOT).standing == ()
        clock.at = START + timedelta(minutes=5)
        first, second = engine.recall(Question("hello", automatic=True), HOT).standing
        engine.admin.erase(first.memory.id, HOT, why="asked")
        assert [hit.memory.id for hit in engine.recall("kite", HOT).standing] == [second.memory.id]
