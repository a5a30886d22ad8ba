"""Standing orders by what they ask for, and orders about one task."""

from __future__ import annotations

import unicodedata

import pytest

from reverie.language.category import category
from reverie.language.density import density
from reverie.language.orders import (
    is_for_one_task,
    is_order,
    is_request,
    is_revoked,
    without_courtesy,
    without_opener,
    without_remark,
)
from reverie.language.standing import mark, standing
from reverie.types import Kind, Role
from tests.spoken import english, turkish

ORDERS = [
    *english(
        "Please keep your answers short.",
        "Don't use emojis when you write to me.",
        "Please don't recommend me anything with gluten.",
        "Don't schedule anything before 9 am.",
        "Never send an email without asking me.",
        "Use metric units.",
        "Write dates as day/month/year.",
        "Ask me before you delete anything.",
        "Be concise.",
        "I want you to be brief.",
        "Speak to me informally.",
        "No emojis please.",
        "Don't ever share my address with anyone.",
        "When you write code for me, use Python.",
        "Make sure every function has a docstring.",
        "Run the tests before you commit.",
        "I want all prices in euros.",
        "Actually, use pnpm, not npm.",
        "If I ask for code, don't explain it.",
    ),
    *turkish(
        "Lütfen emoji kullanma.",
        "Emoji kullanma lütfen.",
        "Bana sormadan e-posta gönderme.",
        "Tarihleri her zaman gün/ay/yıl şeklinde yaz.",
        "Bana hiçbir zaman İngilizce cevap verme.",
        "Kod örneklerini her zaman Python ile ver.",
        "Bana asla Windows araçları önerme.",
        "Bundan sonra bana Türkçe cevap ver lütfen.",
        "Cevaplarını kısa tut.",
        "Bir şey silmeden önce bana sor.",
        "Öğleden önce beni arama.",
        "Metrik birimler kullan.",
        "Yanıtların 100 kelimeyi geçmesin.",
        "Bana kod yazarken Python kullan.",
        "Tarif verdiğinde kalorileri de yaz.",
        "Commit atmadan önce testleri çalıştır.",
        "Fiyatları lira cinsinden göster.",
        "Bir de npm değil pnpm kullan.",
        "Her değişiklikten sonra testleri çalıştır.",
    ),
]
PASSING = [
    *english(
        "Write me a poem about Ankara.",
        "Don't change this line.",
        "Please don't do that again.",
        "Keep it short this time.",
        "Please don't cry.",
        "Please stop the server.",
        "Call me later.",
        "Trips like these are great - always full of memories!",
        "Run the tests.",
        "Add a docstring to this function.",
        "If you see John, tell him I said hi.",
        "All the tests passed.",
    ),
    *turkish(
        "Bana Ankara hakkında bir şiir yaz.",
        "Bunu değiştirme.",
        "Lütfen bu metni çevir.",
        "Merak etme.",
        "Lütfen raporu gönder.",
        "Lütfen bir şiir yaz.",
        "Bu güzel bir konuşma.",
        "Sonra ara beni.",
        "Testleri çalıştır.",
        "Bu fonksiyona docstring ekle.",
        "Eve gelirken ekmek al.",
        "Bütün testler geçti.",
    ),
]


@pytest.mark.parametrize("text", ORDERS)
def test_an_order_that_holds_is_known_everywhere_alike(text: str) -> None:
    """Its category, its density and its mark are read from one list."""
    assert is_order(text)
    assert category(text) is Kind.INSTRUCTION
    assert density(text).total >= 2
    assert mark(text, Kind.EPISODE, Role.USER) == "§instruction"


@pytest.mark.parametrize("text", PASSING)
def test_what_is_over_with_the_task_is_no_standing_order(text: str) -> None:
    """Nor what only looks like an order."""
    assert not is_order(text)
    assert category(text) is not Kind.INSTRUCTION


@pytest.mark.parametrize(
    ("text", "once"),
    [
        *english(("Use that.", True), ("From now on never use that.", False)),
        *turkish(("Bunu kullan.", True), ("Bundan sonra bunu kullanma.", False)),
    ],
)
def test_what_says_that_it_holds_is_for_more_than_one_task(text: str, once: bool) -> None:
    """Whatever it points to."""
    assert is_for_one_task(text) is once


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        *english(("Please stop the server.", True), ("Please stop apologising.", False)),
        *turkish(("Lütfen yardım et.", True), ("Lütfen her zaman Türkçe yaz.", False)),
    ],
)
def test_please_alone_makes_no_order(text: str, is_one: bool) -> None:
    """A request is over once it is granted."""
    assert is_request(text) is is_one


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        *english(("Answer in Turkish, please.", "Answer in Turkish."), ("Please answer.", "Please answer.")),
        *turkish(("Türkçe yaz lütfen!", "Türkçe yaz!"), ("Lütfen yaz.", "Lütfen yaz.")),
    ],
)
def test_a_courtesy_at_the_end_changes_nothing(text: str, bare: str) -> None:
    """At the beginning the patterns know it."""
    assert without_courtesy(text) == bare


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        *english(("Actually, use tabs.", "use tabs."), ("Use tabs, actually.", "Use tabs, actually.")),
        *turkish(("Bu arada sekme kullan.", "sekme kullan."), ("Sekme kullan bu arada.", "Sekme kullan bu arada.")),
    ],
)
def test_what_stands_before_an_order_is_passed_over(text: str, bare: str) -> None:
    """Only at the beginning."""
    assert without_opener(text) == bare


@pytest.mark.parametrize(
    ("text", "back"),
    [
        *english(("You no longer need to list the calories.", True), ("List the calories.", False)),
        *turkish(("Kalorileri yazmana artık gerek yok.", True), ("Kalorileri yaz.", False)),
    ],
)
def test_an_order_taken_back_is_told_from_an_order(text: str, back: bool) -> None:
    """Whether or not the order itself is known."""
    assert is_revoked(text) is back


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "Keep your answers short, I read them on my phone.",
            "Keep your answers short since I read them on my phone.",
            "Keep your answers short – I read them on my phone.",
            "Be concise, I am usually in a hurry.",
            "No emojis, they look childish.",
            "Call me Ada, everyone does.",
        ),
        *turkish(
            "Cevapların kısa olsun, telefondan okuyorum.",
            "Cevapların kısa olsun çünkü telefondan okuyorum.",
            "Cevapların kısa olsun – telefondan okuyorum.",
            "Kısa cevap ver, genelde acelem oluyor.",
            "Emoji olmasın, çocukça duruyor.",
            "Türkçe cevap ver, İngilizcem zayıf.",
        ),
    ],
)
def test_a_reason_behind_an_order_does_not_hide_it(text: str) -> None:
    """It is the order that is to hold, whatever is said of why."""
    assert is_order(text)
    assert is_order(without_remark(text))
    assert len(without_remark(text)) < len(text)


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "Be concise, I am in a hurry.",
            "Keep this answer short, I read it on my phone.",
            "Turn off the light, I sleep badly.",
            "Use the blue pen, I like it.",
            "I use tabs, they are neat.",
            "Don't worry, I am fine.",
        ),
        *turkish(
            "Kısa cevap ver, acelem var.",
            "Bu cevap kısa olsun, telefondan okuyorum.",
            "Işığı kapat, kötü uyuyorum.",
            "Mavi kalemi kullan, onu seviyorum.",
            "Sekme kullanıyorum, seviyorum.",
            "Türkçe yaz, Ayşe'ye gönder.",
        ),
    ],
)
def test_a_reason_makes_no_order(text: str) -> None:
    """What is for one task, and what passes with the hour, stays so."""
    assert not is_order(text)


@pytest.mark.parametrize(
    "text",
    [
        *english("Keep your résumé answers short, I read them on my phone."),
        *turkish("Türkçe cevap ver, İngilizcem zayıf."),
    ],
)
def test_letters_written_as_two_signs_are_read_as_one(text: str) -> None:
    """What is pasted on a Mac has its marks apart; the order is the same."""
    assert without_remark(unicodedata.normalize("NFD", text)) == without_remark(text)
    assert len(without_remark(text)) < len(text)


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "My boss told me: always answer in English.",
            "Claire told me: always lock the door.",
            "Tom told his assistant: always answer in French.",
            "Tom told his assistant: never use tabs.",
            "According to Claire, always use tabs.",
            "Claire's rule: never use tabs.",
        ),
        *turkish(
            "Doktor bana: asla tuz yeme, dedi.",
            "Murat bana: her zaman Türkçe yaz, dedi.",
            "Murat bana dedi ki: her zaman Türkçe yaz.",
            "Patron asla sekme kullanma dedi.",
            "Annem hep kapıyı kilitle der.",
            "Öğretmenimiz asla emoji kullanmayın diye uyardı.",
        ),
    ],
)
def test_what_others_order_is_no_order_of_the_speaker(text: str) -> None:
    """Whoever says it, by name or by what they are, to whomever."""
    assert standing(text) is None
    assert category(text) is not Kind.INSTRUCTION


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "As I told you: always answer in French.",
            "That said: always answer in French.",
            "Our style guide says: never use tabs.",
            "Let me tell you: never use tabs.",
            "When the user asks: always answer in French.",
        ),
        *turkish(
            "Sana dedim: her zaman Türkçe yaz.",
            "Kural: her zaman Türkçe yaz.",
            "Stil rehberi diyor ki: asla sekme kullanma.",
            "Bana her sabah su iç diye hatırlat.",
            "Bundan sonra bana hep Ada de.",
        ),
    ],
)
def test_who_repeats_an_order_of_their_own_gives_one(text: str) -> None:
    """Or quotes the rules of the work at hand."""
    assert standing(text) is Kind.INSTRUCTION
