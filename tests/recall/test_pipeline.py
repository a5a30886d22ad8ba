from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie import FixedClock, RandomIds, Reverie, Scope
from reverie.answers import Hit, Recollection
from reverie.formulas.freshness import Extension
from reverie.formulas.tiers import HotEdges
from reverie.recall.pipeline import ReadPath, pack, recall
from reverie.recall.rerank import Rerank
from reverie.recall.signals import Signals
from reverie.recall.state import Candidate
from reverie.recipes.published.ocean import Tfidf
from reverie.recipes.published.selection import HotTier
from reverie.recipes.recipe import recipe
from reverie.types import Kind, Standing, Tier
from tests.recall.fake_corpus import START, FakeCorpus, Line, Surroundings, by_id, quest, request, world
from tests.recall.stages import stage_of
from tests.spoken import english, turkish

HOT = HotTier(HotEdges(0.8, 10.0, 30.0, 0.4), most=15, minutes=5.0)
HELD = Standing(tier=Tier.SEMANTIC, utility=0.9)


def with_hot_tier() -> ReadPath:
    """The default's read path with what stands in front."""
    path = recipe("reverie").recall
    return replace(path, stages=(HOT, *path.stages))


def ask(corpus: FakeCorpus, text: str, vector: tuple[float, ...] | None = None, top_k: int = 3) -> Recollection:
    """Recall with the default recipe and no token limit."""
    around = Surroundings({} if vector is None else {text: vector})
    return recall(request(text, top_k=top_k), world(corpus, around), recipe("reverie").recall)[0]


def stages(answer: Recollection) -> dict[str, str]:
    """What each stage noted."""
    return {step.stage: step.note for step in answer.trace}


def test_every_stage_leaves_a_note() -> None:
    """A skipped stage says so; none is silent but the one that asks a reranker, where there is none."""
    notes = stages(ask(FakeCorpus([Line("red kite")]), "kite"))
    wanted = [stage.name for stage in recipe("reverie").recall.stages if not isinstance(stage, Rerank)]
    assert list(notes) == ["understand", *wanted, "pack"]
    assert "meaning skipped: no model" in notes["search"]
    assert all(notes.values())


def test_meaning_waits_until_memories_are_embedded() -> None:
    """While most have no vector, text alone decides, and the trace says why."""
    corpus = FakeCorpus([Line("red kite"), Line("blue boat", vector=(1.0, 0.0))])
    answer = ask(corpus, "kite", (1.0, 0.0))
    assert "only 1 of 2" in stages(answer)["search"]
    assert answer.hits[0].memory.text == "red kite"


def test_meaning_finds_what_shares_no_word() -> None:
    """The nearest vector comes although no term matches."""
    corpus = FakeCorpus([Line("red kite", vector=(0.0, 1.0)), Line("blue boat", vector=(1.0, 0.0))])
    answer = ask(corpus, "ship", (1.0, 0.0))
    assert answer.hits[0].memory.text == "blue boat"
    assert answer.hits[0].cosine == 1.0


def test_the_raw_cosine_is_kept_apart() -> None:
    """Scaling never overwrites the similarity itself: a weak best is still weak."""
    corpus = FakeCorpus([Line("red kite", vector=(0.6, 0.8)), Line("blue boat", vector=(0.0, 1.0))])
    first = next(hit for hit in ask(corpus, "ship", (1.0, 0.0)).hits if hit.memory.text == "red kite")
    assert first.cosine is not None
    assert abs(first.cosine - 0.6) < 1e-6
    assert next(signal.value for signal in first.signals if signal.name == "meaning") == 1.0


def test_a_repeat_gives_way() -> None:
    """The same words twice fill one place, not two."""
    corpus = FakeCorpus([Line("kite"), Line("kite"), Line("kite two")])
    answer = ask(corpus, "kite", top_k=2)
    assert [hit.memory.text for hit in answer.hits] == ["kite", "kite two"]
    assert [hit.withheld for hit in answer.withheld] == ["repeats number 1"]


def test_nothing_kept_means_nothing_recalled() -> None:
    """An empty scope answers, with nothing."""
    assert ask(FakeCorpus([]), "kite").hits == ()


def test_the_same_request_gives_the_same_answer() -> None:
    """No chance in the read path."""
    corpus = FakeCorpus([Line(f"kite {n % 3}", vector=(n / 9, 1 - n / 9)) for n in range(9)])
    one, two = ask(corpus, "kite 1", (0.5, 0.5)), ask(corpus, "kite 1", (0.5, 0.5))
    assert one.hits == two.hits


def test_the_caller_says_how_many_else_the_recipe() -> None:
    """Two where two are asked for, else the recipe's; a host that asks on its own may get fewer."""
    around = world(FakeCorpus([Line(f"kite {n}") for n in range(20)]))
    search = stage_of(recipe("reverie").recall, Signals)
    path = replace(recipe("reverie").recall, stages=(search,), limit=5, automatic_limit=3)

    def count(**asked: object) -> int:
        return len(recall(request("kite", **asked), around, path)[0].hits)

    assert [count(top_k=2), count(), count(automatic=True), count(automatic=True, top_k=9)] == [2, 5, 3, 9]


@pytest.mark.req("D36", "A7")
def test_what_stands_is_not_handed_over_twice() -> None:
    """What is hot and answers the cue is a hit; what does not stands beside. Both cost tokens."""
    lines = [
        Line(text, session=f"s{n}", kind=Kind.FACT, accesses=10, standing=HELD)
        for n, text in enumerate(("kite fast", "sail"))
    ]
    answer, _ = recall(request("kite", top_k=3), world(FakeCorpus(lines)), with_hot_tier())
    assert [hit.memory.id for hit in answer.hits] == ["m0"]
    assert [hit.memory.id for hit in answer.standing] == ["m1"]
    assert answer.tokens == sum(hit.tokens for hit in (*answer.hits, *answer.standing))


@pytest.mark.req("D31")
def test_only_what_was_injected_is_strengthened() -> None:
    """Reading 11: what was withheld, or merely stands, was not retrieved; without a law nothing is strengthened."""
    hot = Line("sail", session="s2", kind=Kind.FACT, accesses=10, standing=HELD)
    lines = [Line("kite", kind=Kind.FACT), Line("kite", kind=Kind.FACT), hot]
    around, path = world(FakeCorpus(lines)), replace(with_hot_tier(), strengthen=recipe("v9").recall.strengthen)
    answer, changes = recall(request("kite"), around, path)
    assert [len(answer.hits), len(answer.withheld), len(answer.standing)] == [1, 1, 1]
    assert [change.memory for change in changes] == ["m0"]
    assert recall(request("kite"), around, replace(path, strengthen=None))[1] == ()


@pytest.mark.req("D2")
@pytest.mark.parametrize("word", ["kite", "deniz"])
def test_the_tip_of_the_tongue_is_reported(word: str) -> None:
    """In the trace."""
    line = Line(word, kind=Kind.FACT, day=-90, standing=Standing(storage=5.0))
    path = replace(recipe("reverie").recall, strengthen=recipe("v9").recall.strengthen)
    answer, _ = recall(request(word), world(FakeCorpus([line])), path)
    assert "tip of the tongue: m0" in stages(answer)["Hebbian"]


@pytest.mark.req("D39")
def test_a_stage_that_ends_the_quest_is_the_last() -> None:
    """Nothing is searched behind it, and the answer says why."""
    answer = recall(request("hello"), world(FakeCorpus([Line("hello")])), recipe("v9").recall)[0]
    assert list(stages(answer)) == ["understand", "pre-gate", "pack"]
    assert answer.ended
    assert answer.hits == ()


SCOPE = Scope("agent", "ada", "home")


@pytest.mark.req("D18", "D16")
@pytest.mark.parametrize("cue", ["Tell me about PostgreSQL", "PostgreSQL hakkında ne biliyorsun?"])
def test_end_to_end_the_hub_knows_what_was_formed_about_an_entity(cue: str) -> None:
    """In a language that shares no other word with it."""
    ids, clock = RandomIds(seed=1), FixedClock(START)
    with Reverie.open(":memory:", recipe="v9", embedder=None, clock=clock, ids=ids, background=False) as engine:
        engine.observe("We decided to use PostgreSQL for the billing service.", SCOPE)
        answer = engine.recall(cue, SCOPE)
    assert answer.intent == "entity_profile"
    assert any("PostgreSQL" in hit.memory.text and hit.memory.kind is not Kind.EPISODE for hit in answer.hits)
    assert "1 by name" in stages(answer)["decompose"]


MEMORY = FakeCorpus([Line("a")]).fetch([0])[0]


def hits(*tokens: int, withheld: str = "") -> list[Hit]:
    """Ranked hits of these costs."""
    return [Hit(MEMORY, rank, 1.0 / rank, (), None, cost, withheld) for rank, cost in enumerate(tokens, start=1)]


def test_what_does_not_fit_is_passed_over_and_says_so() -> None:
    """With 10 tokens, 6 fits, 8 does not, 4 does."""
    injected, withheld = pack(hits(6, 8, 4), 10, 10)
    assert [hit.tokens for hit in injected] == [6, 4]
    assert [hit.withheld for hit in withheld] == ["does not fit: 8 tokens, 4 left"]


def test_no_budget_means_the_first_k() -> None:
    """Without a limit only the count cuts."""
    injected, withheld = pack(hits(600, 800, 400), 2, None)
    assert [hit.rank for hit in injected] == [1, 2]
    assert withheld == []


def test_a_hit_withheld_before_stays_withheld() -> None:
    """A repeat is not injected even if there is room."""
    injected, withheld = pack(hits(1, withheld="repeats number 1"), 5, 100)
    assert injected == []
    assert len(withheld) == 1


@given(st.lists(st.integers(0, 50), max_size=30), st.integers(0, 200), st.integers(1, 10))
def test_the_budget_and_the_count_always_hold(tokens: list[int], budget: int, top_k: int) -> None:
    """Whatever comes: never more tokens than allowed, never more hits than asked for."""
    injected, _ = pack(hits(*tokens), top_k, budget)
    assert sum(hit.tokens for hit in injected) <= budget
    assert len(injected) <= top_k


STAGE = Tfidf(((Kind.FACT, 30.0),), 10.0, (Extension(0.8, 2.0),), floor=0.1, least=0.05, most=50)


def found(lines: Sequence[Line], cue: str = "kite") -> dict[str, Candidate]:
    """What a cue finds."""
    return by_id(STAGE(quest(request(cue), world(FakeCorpus(lines)))))


def note(text: str = "kite", importance: float = 0.5, day: float = 0, kind: Kind = Kind.FACT) -> Line:
    """An observation."""
    return Line(text, kind=kind, day=day, standing=Standing(importance=importance))


@pytest.mark.req("B8")
@pytest.mark.parametrize(("one", "other"), [("kite", "boat"), ("deniz", "sel")])
def test_a_score_by_hand(one: str, other: str) -> None:
    """Two of two words, one of them asked for; half its age gone: cosine × .5 × .525."""
    lines = [note(f"{one} {other}", day=-15), note(other)]
    rare, common = math.log(3 / 2) + 1, math.log(3 / 3) + 1
    cosine = rare / math.hypot(rare, common)
    assert found(lines, one)["m0"].score == pytest.approx(cosine * 0.5 * (1 - 0.95 * 0.5))


@pytest.mark.req("B8")
def test_what_matters_too_little_or_is_past_its_age_is_not_looked_at() -> None:
    """At .1, and on the day after its thirtieth; on the thirtieth it is."""
    assert list(found([note(importance=0.1), note(importance=0.11)])) == ["m1"]
    assert list(found([note(day=-31), note(day=-30)])) == ["m1"]


@pytest.mark.req("B5")
def test_what_matters_stays_longer() -> None:
    """Twice as long at .8; other kinds have their own age."""
    assert list(found([note(importance=0.8, day=-59)])) == ["m0"]
    assert list(found([note(day=-11, kind=Kind.PLAN)])) == []


def test_without_a_shared_word_nothing_is_found() -> None:
    """No vectors here."""
    assert found([note("boat")]) == {}


def test_only_the_most_promising_are_read() -> None:
    """By the index: who says it in fewer words goes first."""
    narrow = Tfidf(((Kind.FACT, 30.0),), 10.0, (), floor=0.1, least=0.05, most=1)
    lines = [note("kite and much more about other things"), note("kite")]
    assert list(by_id(narrow(quest(request("kite"), world(FakeCorpus(lines)))))) == ["m1"]


@pytest.mark.req("B6", "B8")
@pytest.mark.parametrize("word", [*english("kite"), *turkish("deniz")])
def test_time_that_the_sweep_gave_holds_in_search(word: str) -> None:
    """Found to its forty-fifth day, fresh by that age; twice as long where it matters."""
    given = Standing(importance=0.75, tags=("max_age: 45d",))
    lines = [Line(word, kind=Kind.FACT, day=day, standing=given) for day in (-32, -45, -46)]
    hits = found(lines, word)
    assert set(hits) == {"m0", "m1"}
    assert hits["m0"].score == pytest.approx(0.75 * (1 - 0.95 * 32 / 45))
    doubled = Line(word, kind=Kind.FACT, day=-89, standing=Standing(importance=0.8, tags=given.tags))
    assert list(found([doubled], word)) == ["m0"]
