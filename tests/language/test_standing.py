"""Standing orders and preferences are told from what merely sounds like them, in English and Turkish."""

from __future__ import annotations

import pytest

from reverie.language.standing import MARKS, asks_advice, asks_record, mark, standing
from reverie.types import Kind, Role
from tests.spoken import english, neither, turkish

ORDERS = [*english("Always answer in metric units."), *turkish("Bana her zaman metrik birimlerle cevap ver.")]


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "Always answer in metric units.",
            "Never use emoji when you write to me.",
            "From now on, reply in short sentences.",
            "Thanks! Please list the sources whenever I ask about health.",
            "Include a diagram every time I ask about networks.",
            "I want you to always double-check the totals.",
            "From today, answer shortly.",
            "Every time I deploy, remind me of the tag.",
            "From now on I want you to keep it short.",
            "Don't recommend me anything with gluten.",
            "Always answer me in Turkish, please.",
        ),
        *turkish(
            "bana hep Türkçe cevap ver",
            "Asla emoji kullanma.",
            "Beni sabah dokuzdan önce asla arama.",
            "Sakın bana resmî bir dille seslenmeyin.",
            "Bundan sonra kısa cümlelerle yanıtla.",
            "Sağlık sorduğumda kaynakları da belirt.",
            "Her seferinde ağ sorularıma bir çizim ekle.",
            "Bana her zaman kısa cevaplar vermeni istiyorum.",
            "Bugünden itibaren kısa yanıtla.",
            "Ne zaman sürüm çıkarsam bana etiketi hatırlat.",
            "Bana glütenli bir şey önerme.",
            "Bundan sonra bana Türkçe cevap ver lütfen.",
        ),
    ],
)
def test_an_order_stands(text: str) -> None:
    """What holds for later answers is an instruction."""
    assert standing(text) is Kind.INSTRUCTION


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "I prefer pytest.",
            "For trips I'd rather take the train, you know.",
            "I tend to choose small libraries.",
            "My preference is for quiet rooms.",
        ),
        *turkish(
            "pytest kullanmayı tercih ederim.",
            "Yolculukta treni yeğlerim.",
            "Genelde küçük kütüphaneleri seçerim.",
            "Tercihim sessiz odalardan yana.",
        ),
    ],
)
def test_a_preference_stands(text: str) -> None:
    """What a person would rather have is a preference."""
    assert standing(text) is Kind.PREFERENCE


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "I always loved that lake.",
            "Never mind.",
            "We never went back there.",
            "I will try to walk more from now on.",
            "I want to frame the ticket from today's show.",
            "From now on, I will explain each step of the project.",
            "Every time I use the phone it freezes.",
            "She looked forward to the concert.",
        ),
        *turkish(
            "Hep aynı şeyi yapıyorum.",
            "Artık orada çalışmıyorum.",
            "Oraya asla gitmedik.",
            "Bu asla kabul edilmez bir uygulama.",
            "Çok sakin çalışma.",
            "Hiçbir zaman sıkılmadığım yer sinema.",
            "Onu asla görmedik, Fatma",
            "Onu asla affetmem.",
            "Bundan sonra daha çok yürüyeceğim.",
            "Konseri dört gözle bekliyordu.",
            "Ne zaman telefonu açsam donuyor.",
        ),
        *neither("", "\ud83d \x00"),
    ],
)
def test_what_only_tells_something_does_not_stand(text: str) -> None:
    """A habit, a past or a plan is no order."""
    assert standing(text) is None


@pytest.mark.parametrize(
    "text",
    [
        *english("Look:\n```\nAlways use tabs when I ask.\n```"),
        *turkish("Bak:\n```\nSorduğumda hep sekme kullan.\n```"),
    ],
)
def test_code_gives_no_orders(text: str) -> None:
    """What stands in code is nobody's wish."""
    assert standing(text) is None
    assert standing(text.replace("```", "")) is Kind.INSTRUCTION


@pytest.mark.parametrize("said", ORDERS)
def test_only_the_person_served_gives_orders(said: str) -> None:
    """An assistant's or a bystander's words are never marked, a user's are."""
    assert mark(said, Kind.EPISODE, Role.USER) == MARKS[Kind.INSTRUCTION]
    assert mark(said, Kind.EPISODE, Role.ASSISTANT) is None
    assert mark(said, Kind.EPISODE, Role.PERSON) is None


@pytest.mark.parametrize("liked", [*english("Likes rye bread"), *turkish("Çavdar ekmeğini sever")])
def test_a_formed_preference_is_marked_by_its_kind(liked: str) -> None:
    """Whatever its words."""
    assert mark(liked, Kind.PREFERENCE, Role.USER) == MARKS[Kind.PREFERENCE]


@pytest.mark.parametrize("said", ORDERS)
def test_a_formed_fact_is_never_marked(said: str) -> None:
    """Though its words are an order."""
    assert mark(said, Kind.FACT, Role.USER) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *english(
            ("Can you suggest a hotel?", True),
            ("How should I store the keys?", True),
            ("How many keys are there?", False),
            ("Where did we eat?", False),
        ),
        *turkish(
            ("Bana bir otel önerir misin?", True),
            ("Anahtarları nasıl saklamalıyım?", True),
            ("Kaç anahtar var?", False),
            ("Nerede yedik?", False),
        ),
    ],
)
def test_advice_is_told_from_a_look_back(text: str, expected: bool) -> None:
    """Preferences matter where something is to be chosen or made."""
    assert asks_advice(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *english(
            ("Have I ever been to Rome?", True),
            ("In which order did these come?", True),
            ("When is the deadline?", False),
        ),
        *turkish(
            ("Roma'ya hiç gittim mi?", True),
            ("Bunlar hangi sırayla geldi?", True),
            ("Son teslim ne zaman?", False),
        ),
    ],
)
def test_a_look_at_the_conversation_is_told(text: str, expected: bool) -> None:
    """Questions about what was said are no task for standing orders."""
    assert asks_record(text) is expected
