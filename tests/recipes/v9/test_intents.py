from __future__ import annotations

import pytest
from _pytest.mark.structures import ParameterSet  # what pytest.param returns has no public name
from hypothesis import given
from hypothesis import strategies as st

from reverie.recall.state import Intent
from reverie.recipes.published.v9.recall import HydeIntent, SubTier, SubTierBoost, hyde_intent, route, sub_tier
from reverie.types import Kind, Standing, Tier
from tests.recall.fake_corpus import FakeCorpus, Line, by_id, holding, request
from tests.spoken import NEITHER, english, neither, turkish

ROUTES = {
    "causal": [
        "Why did I leave Acme?",
        "What made Caroline choose that agency?",
        "What was the reason for the delay?",
        "How come we moved?",
        "Acme'den neden ayrıldım?",
        "Caroline o ajansı niçin seçti?",
        "Gecikmenin sebebi neydi?",
        "Niye taşındık?",
    ],
    "preference": [
        "What is my favorite tea?",
        "Do I like spicy food?",
        "Which seat do I prefer?",
        "Can you recommend a hotel in Rome?",
        "En sevdiğim çay hangisi?",
        "Acı yemek sever miyim?",
        "Hangi koltuğu tercih ediyorum?",
        "Roma'da bir otel önerir misin?",
    ],
    "temporal": [
        "When did Melanie run the race?",
        "What did I do last week?",
        "How long have we lived here?",
        "Where was I in March 2024?",
        "Melanie yarışı ne zaman koştu?",
        "Geçen hafta ne yaptım?",
        "Kaç yıldır burada yaşıyoruz?",
        "Mart 2024'te neredeydim?",
    ],
    "entity_profile": [
        "Who is Melanie?",
        "Tell me about Acme",
        "What do you know about my sister?",
        "Describe Caroline.",
        "Melanie kimdir?",
        "Acme hakkında bilgi ver",
        "Ablam hakkında ne biliyorsun?",
        "Caroline'ı tanıt.",
    ],
    "factual": [
        "What did Caroline research?",
        "Which city do my parents live in?",
        "How many dogs do I have?",
        "Is the server in Frankfurt?",
        "Caroline neyi araştırdı?",
        "Annemler hangi şehirde oturuyor?",
        "Kaç köpeğim var?",
        "Sunucu Frankfurt'ta mı?",
    ],
    "general": [
        "I went to the beach with Tom.",
        "dogs",
        "the new kitchen",
        "Tom'la sahile gittim.",
        "köpekler",
        "yeni mutfağımız",
    ],
}
HYDE = {
    "definition": ["What is a mutex?", "What does RRF mean?", "RRF ne demek?", "Mutex nedir?"],
    "howto": ["How do I reset the router?", "How to bake bread", "Modemi nasıl sıfırlarım?", "Ekmek nasıl yapılır?"],
    "reasoning": ["Why did we choose Oslo?", "What made her quit?", "Neden Oslo'yu seçtik?", "Niye ayrıldı?"],
    "lookup": ["Where are my keys?", "Which hotel did I book?", "Anahtarlarım nerede?", "Hangi oteli ayırttım?"],
    "technical": [
        "The build throws a syntax error",
        "Can you debug this script for me?",
        "Derleyici hata veriyor",
        "Docker sunucuda açılmıyor",
    ],
    "preference": ["What is my favorite tea?", "Which do I prefer?", "En sevdiğim çay ne?", "Neyi tercih ediyorum?"],
    "general": ["Did Tom call?", "the beach with Tom", "Tom aradı mı?", "Tom'la sahil"],
}


def _cases(table: dict[str, list[str]]) -> list[ParameterSet]:
    """The first half of each row is English, the second Turkish."""
    first = [(text, intent) for intent, texts in table.items() for text in texts[: len(texts) // 2]]
    second = [(text, intent) for intent, texts in table.items() for text in texts[len(texts) // 2 :]]
    return [*english(*first), *turkish(*second)]


@pytest.mark.req("D18")
@pytest.mark.parametrize(("text", "intent"), [*_cases(ROUTES), *neither(("", "general"), ("...", "general"))])
def test_a_question_is_routed(text: str, intent: str) -> None:
    """Six intents, in English and in Turkish."""
    assert route(text) == intent


@pytest.mark.req("D10")
@pytest.mark.parametrize(("text", "intent"), _cases(HYDE))
def test_a_question_has_an_intent_for_its_documents(text: str, intent: str) -> None:
    """Seven intents, in English and in Turkish."""
    assert hyde_intent(text) == intent


@NEITHER
@pytest.mark.req("D10", "D18")
def test_the_intents_are_the_documented_ones() -> None:
    """Six for the router, seven for the hypothetical documents; each has its cases in both languages."""
    assert set(Intent) == set(ROUTES)
    assert set(HydeIntent) == set(HYDE)
    assert (len(Intent), len(HydeIntent)) == (6, 7)
    assert {len(texts) % 2 for texts in [*ROUTES.values(), *HYDE.values()]} == {0}


@pytest.mark.parametrize(
    "text",
    [
        *english("When I am tired I drink tea.", "the day before we met"),
        *turkish("Yorgun olduğumda çay içerim.", "tanıştığımız gün"),
    ],
)
def test_a_time_clause_is_no_question_about_time(text: str) -> None:
    """Who says "when I am tired" does not ask when."""
    assert route(text) != Intent.TEMPORAL


@NEITHER
@given(st.text(max_size=200))
def test_any_text_has_an_intent(text: str) -> None:
    """Nothing is raised, whatever is asked."""
    assert route(text) in Intent
    assert hyde_intent(text) in HydeIntent


SEMANTIC = Standing(tier=Tier.SEMANTIC)


def of(line: Line) -> SubTier:
    """The sub-tier of one line."""
    return sub_tier(FakeCorpus([line]).fetch([0])[0])


@pytest.mark.req("D37")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (Line("I moved"), SubTier.PERSONAL),
        (Line("Taşındım"), SubTier.PERSONAL),
        (Line("the user moved", "assistant", standing=Standing(data_source="user_message")), SubTier.PERSONAL),
        (Line("the tests pass", "assistant"), SubTier.OBSERVED),
        (Line("testler geçiyor", "assistant"), SubTier.OBSERVED),
        (Line("told by another", standing=Standing(data_source="federation")), SubTier.VICARIOUS),
        (Line("başkasından duyuldu", standing=Standing(data_source="federation")), SubTier.VICARIOUS),
        (Line("both", "assistant", standing=Standing(data_source="federation, user_message")), SubTier.VICARIOUS),
        (
            Line("ikisi", "assistant", standing=Standing(data_source="assistant_message, user_message")),
            SubTier.PERSONAL,
        ),
    ],
)
def test_an_episodic_memory_by_its_source(line: Line, expected: SubTier) -> None:
    """Its user's own, observed, or another agent's."""
    assert of(line) is expected


@pytest.mark.req("D37")
@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("Ada drinks tea", Kind.PATTERN, SubTier.SCHEMATIC),
        ("Ada always drinks tea", Kind.FACT, SubTier.SCHEMATIC),
        ("Ada her zaman çay içer", Kind.FACT, SubTier.SCHEMATIC),
        ("Ada steeps tea", Kind.SKILL, SubTier.PROCEDURAL),
        ("how to steep tea", Kind.FACT, SubTier.PROCEDURAL),
        ("çay nasıl yapılır", Kind.FACT, SubTier.PROCEDURAL),
        ("yedekler nasıl alınır", Kind.FACT, SubTier.PROCEDURAL),
        ("sunucunun nasıl yeniden başlatılacağı", Kind.FACT, SubTier.PROCEDURAL),
        ("iznin nasıl istendiği", Kind.FACT, SubTier.PROCEDURAL),
        ("Ada bugün nasıl diye sordum", Kind.FACT, SubTier.FACTUAL),
        ("Ada lives in Izmir", Kind.FACT, SubTier.FACTUAL),
        ("Ada İzmir'de yaşıyor", Kind.FACT, SubTier.FACTUAL),
    ],
)
def test_a_semantic_memory_by_its_content(text: str, kind: Kind, expected: SubTier) -> None:
    """A rule, a procedure, or a plain fact."""
    assert of(Line(text, kind=kind, standing=SEMANTIC)) is expected


@pytest.mark.req("D37")
def test_a_sub_tier_multiplies() -> None:
    """The user's own by 1.1, what was overheard by .8."""
    factors = ((SubTier.PERSONAL, 1.1), (SubTier.OBSERVED, 0.8))
    corpus = FakeCorpus([Line("a"), Line("b", speaker="assistant")])
    after = by_id(SubTierBoost(factors)(holding(request("x"), corpus, [0.5, 0.5])))
    assert [after[name].score for name in sorted(after)] == pytest.approx([0.55, 0.4])
