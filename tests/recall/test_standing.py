"""Standing orders and preferences come along where they apply, in the last places of the first page."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reverie import FixedClock, HashEmbedder, Question, RandomIds, Reverie, Scope
from reverie.language.standing import MARKS, standing
from reverie.recall import answerable
from reverie.recall.marks import marks
from reverie.recall.quest import Candidate
from reverie.recall.standing import MARK, StandingOrders
from reverie.recipes.named import recipe
from reverie.types import Kind
from tests.recall.fake_corpus import START, FakeCorpus, Line, Surroundings, holding, request
from tests.spoken import english, turkish

STAGE = StandingOrders(page=3, orders=1, preferences=1, share=0.25, places=0.4)
DEFAULT = next(stage for stage in recipe("reverie").recall.stages if isinstance(stage, StandingOrders))
ORDER, WISH = (MARKS[kind] for kind in (Kind.INSTRUCTION, Kind.PREFERENCE))
SCOPE = Scope("helper", "ada", "home")


def stands(text: str, mark: str, vector: tuple[float, ...] | None = None, speaker: str = "user") -> Line:
    """A message that was marked when it was indexed."""
    return Line(text, speaker=speaker, entities=(mark,), vector=vector)


def after(lines: list[Line], asked: str, around: Surroundings | None = None, **more: object) -> list[Candidate]:
    """The candidates behind the stage; the first line was found best."""
    scores = [0.9 - 0.1 * place for place in range(len(lines))]
    return list(STAGE(holding(request(asked, **more), FakeCorpus(lines), scores, around)).candidates)


def shown(found: list[Candidate]) -> list[tuple[int, bool]]:
    """Line and whether it came because it stands."""
    return [(c.ordinal, any(s.name == MARK for s in c.signals)) for c in found]


PLAIN = [Line("one"), Line("two"), Line("three"), Line("four")]
ASKED = [*english("When does it end?"), *turkish("Ne zaman bitiyor?")]
TASKS = [
    *english(("always in metric units", "When does it end?")),
    *turkish(("hep metrik birimle", "Ne zaman bitiyor?")),
]
"""A standing order, and a question that it holds for."""


@pytest.mark.parametrize(("order", "asked"), TASKS)
def test_an_order_takes_the_last_place_of_the_page(order: str, asked: str) -> None:
    """Who gave way comes right after it, and nobody comes twice."""
    found = after([*PLAIN, stands(order, ORDER)], asked)
    assert shown(found) == [(0, False), (1, False), (4, True), (2, False), (3, False)]
    assert [c.score for c in found] == sorted((c.score for c in found), reverse=True)


@pytest.mark.parametrize("advice", [*english("What do you recommend me to eat?"), *turkish("Bana ne önerirsin?")])
@pytest.mark.parametrize(("wanted", "orders"), [(1, 0), (2, 0), (3, 1), (4, 1), (5, 2), (9, 3), (10, 4)])
def test_who_wants_few_hits_is_not_handed_orders_instead(advice: str, wanted: int, orders: int) -> None:
    """Of the recipe's own: four in ten at most, and never the first."""
    plain = [Line(f"{place} word") for place in range(10)]
    told = [stands("amber birch", ORDER), stands("cedar daisy", ORDER), stands("ember", WISH), stands("fern", WISH)]
    scores = [0.9 - 0.01 * place for place in range(14)]
    quest = replace(holding(request(advice), FakeCorpus([*plain, *told]), scores), limit=wanted)
    first = list(DEFAULT(quest).candidates)[:wanted]
    assert sum(candidate.ordinal >= 10 for candidate in first) == orders
    assert first[0].ordinal == 0


@pytest.mark.parametrize(("order", "asked"), TASKS)
def test_what_was_found_anyway_keeps_its_place(order: str, asked: str) -> None:
    """It is marked, and nobody gives way."""
    found = after([stands(order, ORDER), *PLAIN], asked)
    assert shown(found) == [(0, True), (1, False), (2, False), (3, False), (4, False)]


@pytest.mark.parametrize(("order", "asked"), TASKS)
def test_what_stands_comes_even_where_it_was_no_answer(order: str, asked: str) -> None:
    """A band had withheld the order as it had the rest; the order comes whole, the rest stays withheld."""
    lines = [Line("one"), stands(order, ORDER), Line("two")]
    quest = holding(request(asked), FakeCorpus(lines), [0.9, 0.8, 0.7])
    unsure = [replace(one, withheld="not sure", shown="…") for one in quest.candidates]
    found = list(STAGE(replace(quest, candidates=unsure)).candidates)
    assert [(one.withheld, one.shown) for one in found] == [("not sure", "…"), ("", ""), ("not sure", "…")]


@pytest.mark.parametrize("places", [(0, 1), (1, 0)])
@pytest.mark.parametrize(
    ("told", "beside", "asked"),
    [
        *english(
            (
                ("Always give lengths in metric units.", "Always give lengths in imperial units."),
                "Always answer in Turkish.",
                "When does it end?",
            )
        ),
        *turkish(
            (
                ("Bana uzunlukları hep metre cinsinden ver.", "Bana uzunlukları hep inç cinsinden ver."),
                "Bana hep Türkçe yanıt ver.",
                "Ne zaman bitiyor?",
            )
        ),
    ],
)
def test_of_two_orders_in_nearly_the_same_words_the_newer_comes(
    told: tuple[str, str], beside: str, asked: str, places: tuple[int, int]
) -> None:
    """Whichever fits better; an order of its own that shares half the words comes beside it."""
    near = [(1.0, 0.0), (0.9, 0.1)]
    older, newer = (replace(stands(told[n], ORDER, near[places[n]]), day=n - 9) for n in (0, 1))
    other = stands(beside, ORDER, (0.3, 0.9))
    lines = [older, newer, other, *PLAIN]
    stage = replace(STAGE, orders=2)
    quest = holding(request(asked), FakeCorpus(lines), [0.1] * len(lines), Surroundings({asked: (1.0, 0.0)}))
    came = {c.memory.text for c in stage(quest).candidates if any(s.name == MARK for s in c.signals)}
    assert came == {told[1], other.text}


@pytest.mark.parametrize(
    ("order", "later", "asked", "comes"),
    [
        *english(
            ("Never use emojis in your answers.", "You can use emojis in your answers again.", "Write a card.", ()),
            (
                "I prefer window seats on trains.",
                "I prefer aisle seats on trains now.",
                "What do you recommend?",
                ("I prefer aisle seats on trains now.",),
            ),
        ),
        *turkish(
            ("Cevaplarda asla emoji kullanma.", "Artık cevaplarda emoji kullanabilirsin.", "Bir kart yaz.", ()),
            (
                "Editörde koyu temayı tercih ederim.",
                "Editörde artık açık temayı tercih ederim.",
                "Ne önerirsin?",
                ("Editörde artık açık temayı tercih ederim.",),
            ),
        ),
    ],
)
def test_an_order_that_was_most_likely_taken_back_does_not_come(
    order: str, later: str, asked: str, comes: tuple[str, ...]
) -> None:
    """Nor what only lifts it."""
    sign = ORDER if standing(order) is Kind.INSTRUCTION else WISH
    near = ((0.9, 0.1), (0.9, 0.15))
    told = (
        replace(stands(text, sign, vector), day=day)
        for text, vector, day in zip((order, later), near, (-60, -8), strict=True)
    )
    found = after(
        [*(replace(one, vector=(0.0, 1.0)) for one in PLAIN), *told], asked, Surroundings({asked: (1.0, 0.0)})
    )
    assert {c.memory.text for c in found if any(s.name == MARK for s in c.signals)} == set(comes)


@pytest.mark.parametrize(
    ("general", "topical", "asked"),
    [
        *english(
            (
                ("Always answer in German.", "From now on answer in Turkish.", "Never use emojis."),
                "Never suggest pork.",
                "Fix it.",
            )
        ),
        *turkish(
            (
                ("Bana hep Almanca cevap ver.", "Bundan sonra Türkçe cevap ver.", "Asla emoji kullanma."),
                "Asla domuz eti önerme.",
                "Düzelt.",
            )
        ),
    ],
)
@pytest.mark.parametrize("automatic", [True, False])
def test_orders_about_every_answer_come_where_a_host_asks(
    general: tuple[str, str, str], topical: str, asked: str, automatic: bool
) -> None:
    """The latest of each kind, however unlike the cue they are, beside what is most like it."""
    told = [stands(text, ORDER, (0.0, 1.0)) for text in general]
    lines = [*(Line(f"{n} word") for n in range(10)), stands(topical, ORDER, (1.0, 0.0)), *told]
    lines = [replace(line, day=n - 20) for n, line in enumerate(lines)]
    stage = replace(DEFAULT, orders=1, preferences=0)
    quest = holding(
        request(asked, automatic=automatic), FakeCorpus(lines), [0.9] * len(lines), Surroundings({asked: (1.0, 0.0)})
    )
    came = {c.memory.text for c in stage(quest).candidates if any(s.name == MARK for s in c.signals)}
    assert came == ({topical, *general[1:]} if automatic else {topical})


@pytest.mark.parametrize(
    ("wish", "advice", "look_back"),
    [
        *english(("I prefer trains", "How should I travel?", "When does it end?")),
        *turkish(("Treni tercih ederim", "Nasıl yolculuk etmeliyim?", "Ne zaman bitiyor?")),
    ],
)
def test_preferences_come_where_advice_is_asked_for(wish: str, advice: str, look_back: str) -> None:
    """Not for a look at what was said."""
    lines = [*PLAIN, stands(wish, WISH)]
    assert (4, True) in shown(after(lines, advice))
    assert (4, True) not in shown(after(lines, look_back))


@pytest.mark.parametrize(
    "asked",
    [
        *english("Have I ever been there?", "In which order did I mention them?"),
        *turkish("Oraya hiç gittim mi?", "Bunlardan hangi sırayla bahsettim?"),
    ],
)
def test_no_orders_for_the_record(asked: str) -> None:
    """What was said is no task."""
    assert not any(is_marked for _, is_marked in shown(after([*PLAIN, stands("always so", ORDER)], asked)))


@pytest.mark.parametrize("asked", ASKED)
def test_the_order_nearest_in_meaning_is_chosen(asked: str) -> None:
    """Of two, though the other one is later."""
    lines = [
        *PLAIN,
        stands("dates as day and month", ORDER, (1.0, 0.0)),
        stands("code with colours", ORDER, (0.0, 1.0)),
    ]
    around = Surroundings(vectors={asked: (1.0, 0.1)})
    assert (4, True) in shown(after(lines, asked, around))
    assert (5, True) in shown(after(lines, asked))


@pytest.mark.parametrize(
    ("order", "asked"),
    [
        *english(("always " + "very " * 40 + "short", "When does it end?")),
        *turkish(("hep " + "çok " * 40 + "kısa", "Ne zaman bitiyor?")),
    ],
)
def test_the_budget_is_kept(order: str, asked: str) -> None:
    """An order longer than its share of the budget stays out."""
    lines = [*PLAIN, stands(order, ORDER)]
    assert (4, True) in shown(after(lines, asked, budget_tokens=1000))
    assert (4, True) not in shown(after(lines, asked, budget_tokens=100))


@pytest.mark.parametrize(("order", "asked"), TASKS)
def test_only_the_user_gives_orders(order: str, asked: str) -> None:
    """A marked line of somebody else does not come."""
    lines = [*PLAIN, stands(order, ORDER, speaker="Ada")]
    assert not any(is_marked for _, is_marked in shown(after(lines, asked)))


@pytest.mark.parametrize(
    ("order", "asked"),
    [
        *english(("Always give lengths in metric units.", "How far is the lake?")),
        *turkish(("bana hep Türkçe cevap ver", "Göl ne kadar uzakta?")),
    ],
)
@pytest.mark.parametrize("observed", [False, True], ids=["remember", "observe"])
def test_an_order_said_once_comes_with_every_answer(order: str, asked: str, observed: bool) -> None:
    """Remembered or observed, among forty other messages, without a word in common."""
    engine = Reverie.open(":memory:", embedder=HashEmbedder(), clock=FixedClock(START), ids=RandomIds(1))
    with engine as memory:
        tell = memory.observe if observed else memory.remember
        tell(order, SCOPE)
        for number in range(40):
            memory.remember(f"The lake was quiet on walk number {number}, göl sakindi.", SCOPE)
        answer = memory.recall(asked, SCOPE)
        formed = {one.kind for one in memory.formed(SCOPE)}
    assert order in {hit.memory.text for hit in answer.hits}
    assert (Kind.INSTRUCTION in formed) is observed


@pytest.mark.parametrize(
    ("order", "other"),
    [
        *english(("Always give lengths in metric units.", "The printer is out of toner.")),
        *turkish(("Uzunlukları bana hep metrik birimlerle ver.", "Yazıcının toneri bitmiş.")),
    ],
)
def test_an_order_comes_where_a_host_asks_though_nothing_answers(
    order: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a store so small that the order is found, and withheld as no answer, like everything else."""
    unlikely = answerable.Weights(-5.0, {})
    sections = (answerable.WITH_MEANING, answerable.TEXT_ALONE)
    monkeypatch.setattr(answerable, "shipped", lambda: dict.fromkeys(sections, unlikely))
    engine = Reverie.open(":memory:", embedder=HashEmbedder(), clock=FixedClock(START), ids=RandomIds(1))
    with engine as memory:
        memory.remember(order, SCOPE)
        memory.remember(other, SCOPE)
        answer = memory.recall(Question("Wie weit ist der See?", automatic=True), SCOPE)
    assert [hit.memory.text for hit in answer.hits] == [order]
    assert not answer.gated


@pytest.mark.parametrize(
    ("text", "asked", "mark"),
    [
        *english(
            ("Please always answer in metric units.", "How far is the moon?", "standing"),
            ("I always prefer window seats on trains.", "Which seat do you recommend?", "preference"),
        ),
        *turkish(
            ("Bana hep metrik birimlerle cevap ver.", "Ay ne kadar uzakta?", "standing"),
            ("Trende her zaman cam kenarını tercih ederim.", "Hangi koltuğu önerirsin?", "preference"),
        ),
    ],
)
@pytest.mark.parametrize("observed", [False, True], ids=["remember", "observe"])
def test_whichever_telling_of_an_order_is_shown_bears_the_mark(
    text: str, asked: str, mark: str, observed: bool
) -> None:
    """Of the message and what was formed of it one is shown, and the other is no other order."""
    engine = Reverie.open(":memory:", embedder=HashEmbedder(), clock=FixedClock(START), ids=RandomIds(1))
    with engine as memory:
        memory.remember("The moon was bright, ay parlaktı.", SCOPE)
        tell = memory.observe if observed else memory.remember
        tell(text, SCOPE)
        hits = memory.recall(asked, SCOPE).hits
    shown_marks = [tuple(one.name for one in marks(hit.memory, hit.signals)) for hit in hits if hit.memory.text == text]
    assert shown_marks == [(mark,)]


@pytest.mark.parametrize(
    ("text", "asked", "order"),
    [
        *english(
            (
                "I adopted a cat named Pixel. Always answer in metric units.",
                "How far is it to the lake?",
                "Always answer in metric units.",
            )
        ),
        *turkish(
            (
                "Pixel adında bir kedi sahiplendim. Bana hep metrik birimlerle cevap ver.",
                "Göl ne kadar uzakta?",
                "Bana hep metrik birimlerle cevap ver.",
            )
        ),
    ],
)
def test_what_else_a_message_tells_is_no_order(text: str, asked: str, order: str) -> None:
    """The mark stands at the message and at the order, not at the fact formed from the same message."""
    engine = Reverie.open(":memory:", embedder=HashEmbedder(), clock=FixedClock(START), ids=RandomIds(1))
    with engine as memory:
        memory.observe(text, SCOPE)
        assert {one.kind for one in memory.formed(SCOPE)} > {Kind.INSTRUCTION}
        hits = memory.recall(asked, SCOPE).hits
    marked = {hit.memory.text for hit in hits if marks(hit.memory, hit.signals)}
    assert marked
    assert marked <= {text, order}


@pytest.mark.parametrize("asked", ASKED)
def test_of_a_great_many_orders_the_one_that_fits_comes(asked: str) -> None:
    """It is found among two thousand, and of two equal ones the latest."""
    fitting = stands("always in metric units", ORDER, (1.0, 0.0))
    others = [stands(f"call me number {n}", ORDER, (0.2, 0.98)) for n in range(2_000)]
    lines = [*PLAIN, fitting, *others[:1_000], fitting, *others[1_000:]]
    scores = [0.9, 0.8, 0.7, 0.6, *[0.1] * (len(lines) - len(PLAIN))]
    quest = holding(request(asked), FakeCorpus(lines), scores, Surroundings({asked: (1.0, 0.0)}))
    assert shown(list(STAGE(quest).candidates))[2] == (len(PLAIN) + 1_001, True)


@pytest.mark.parametrize(
    ("parts", "asked"),
    [
        *english((("From now on always answer in metric units.", "And keep your answers short."), "What do I drive?")),
        *turkish(
            (("Bundan sonra bana hep metrik birimlerle cevap ver.", "Cevapların kısa olsun."), "Ne kullanıyorum?")
        ),
    ],
)
@pytest.mark.parametrize("found_first", [True, False])
def test_a_message_with_two_orders_comes_once(parts: tuple[str, str], asked: str, found_first: bool) -> None:
    """The message alone where it was found anyway, else what was formed of it alone."""
    message = stands(" ".join(parts), ORDER)
    source = "m0" if found_first else "m10"
    formed = [replace(stands(one, ORDER), kind=Kind.INSTRUCTION, sources=(source,)) for one in parts]
    plain = [Line(f"{n} word") for n in range(10)]
    lines = [message, *plain, *formed] if found_first else [*plain, message, *formed]
    quest = holding(request(asked, automatic=True), FakeCorpus(lines), [0.9 - 0.01 * n for n in range(len(lines))])
    first = list(DEFAULT(quest).candidates)[: DEFAULT.page]
    came = {c.memory.text for c in first if any(s.name == MARK for s in c.signals)}
    assert came == ({message.text} if found_first else set(parts))
