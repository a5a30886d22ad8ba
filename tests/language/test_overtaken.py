"""Which of two messages tells how things are now: the later one, where it says something new of the same."""

from __future__ import annotations

import pytest

from reverie.language.overtaken import TEXT_MAX, asks_now, news, people, renews, replaces
from tests.spoken import english, turkish


@pytest.mark.parametrize(
    "question",
    [
        *english(
            "Where do I live?",
            "Who is my manager?",
            "What is my boyfriend's name?",
            "Which bus do I take?",
            "What's the wifi called?",
            "How much do I pay for the gym each month?",
            "Where did I put the spare key?",
            "When will the book club meet next?",
            "Where is the wedding going to be held?",
        ),
        *turkish(
            "Nerede yaşıyorum?",
            "Müdürüm kim?",
            "Sevgilimin adı ne?",
            "Hangi otobüse biniyorum?",
            "Arabam ne marka?",
            "Kızım kaçıncı sınıfta?",
            "Hangi ekipteyim?",
            "İşe neyle gidiyorum?",
            "Ameliyat hangi gün olacak?",
        ),
    ],
)
def test_how_one_thing_is_now(question: str) -> None:
    """What is asked of the present, of one thing."""
    assert asks_now(question)


@pytest.mark.parametrize(
    "question",
    [
        *english(
            "Where did I live before?",
            "What was my first job?",
            "Why do I take the bus?",
            "Which cities do I like?",
            "What did each of us order?",
            "What will I do tomorrow?",
            "Where did I eat?",
            "What have I painted?",
            "Which gym should I join?",
            "What did you say about my car?",
        ),
        *turkish(
            "Eskiden nerede yaşıyordum?",
            "İlk işim neydi?",
            "Neden otobüse biniyorum?",
            "Hangi şehirleri seviyorum?",
            "Dün ne yaptım?",
            "Yarın nereye gideceğim?",
            "Hangi otele gideyim?",
            "Ne alacağım?",
            "Neyle gittim?",
            "Bana hangi salonu önerirsin?",
        ),
    ],
)
def test_the_past_a_reason_several_things_and_advice_are_other_questions(question: str) -> None:
    """There the later message is no better than the earlier."""
    assert not asks_now(question)


@pytest.mark.parametrize(
    ("earlier", "later", "question"),
    [
        *english(
            ("I drive an old Corolla.", "Traded the Corolla in, I've got a Tesla now.", "What car do I drive?"),
            ("My manager is Priya.", "My new manager Tom is calmer than Priya was.", "Who is my manager?"),
            ("I live in Leeds.", "I moved to Bristol last week.", "Where do I live?"),
            ("I have a cat. I live in Leeds.", "I no longer have a cat.", "Do I have a cat?"),
        ),
        *turkish(
            ("Eski bir Corolla kullanıyorum.", "Corolla'yı sattım, Tesla aldım.", "Hangi arabayı kullanıyorum?"),
            ("Redmi Note kullanıyorum.", "Redmi bozuldu, artık Samsung kullanıyorum.", "Hangi telefonu kullanıyorum?"),
            ("Leeds'te yaşıyorum.", "Geçen hafta Bristol'a taşındım.", "Nerede yaşıyorum?"),
            ("Arabam var. Leeds'te yaşıyorum.", "Artık arabam yok.", "Arabam var mı?"),
        ),
    ],
)
def test_what_was_answered_with_is_replaced(earlier: str, later: str, question: str) -> None:
    """The later message says something new of a word that the earlier one answered with, or takes it back."""
    assert replaces(earlier, later, question)


@pytest.mark.parametrize(
    ("earlier", "later", "question"),
    [
        *english(
            (
                "My dentist appointment is on Tuesday.",
                "The dentist called, they pushed my appointment to Friday.",
                "When is my dentist appointment?",
            ),
            ("The router is in the hall.", "I moved the router upstairs.", "Where is my router?"),
        ),
        *turkish(
            ("Modem koridorda duruyor.", "Modemi salona taşıdım.", "Modemim nerede?"),
            ("Bisikletim bodrumda.", "Bisikletimi balkona koydum.", "Bisikletim nerede?"),
        ),
    ],
)
def test_what_is_asked_is_told_anew(earlier: str, later: str, question: str) -> None:
    """All that the question and the earlier message name, in one sentence of the asker's that says something new."""
    assert renews(earlier, later, question)


@pytest.mark.parametrize(
    ("earlier", "later", "question"),
    [
        *english(
            ("I drive a Corolla.", "My brother's Corolla just broke down, he bought a bike.", "What car do I drive?"),
            ("I drive a Corolla.", "Maybe I'll trade the Corolla in, a new one would be nice.", "What car do I drive?"),
            ("I drive a Corolla.", "Should I put new tyres on the Corolla?", "What car do I drive?"),
            ("I drive a Corolla.", "I dreamt the Corolla had turned into a boat.", "What car do I drive?"),
            ("I play the cello.", "I also started the piano beside the cello.", "What do I play?"),
            ("Our standup is at 9.", "The designers moved their standup to 10.", "When is our standup?"),
            ("I play the cello.", "The cello needs strings.", "What do I play?"),
            ("I sold the Skoda, I have a Tesla.", "Tom is back. He sold the Skoda he had.", "What car do I drive?"),
            ("Tom lives in York and drives a Volvo.", "Tom is back. He sold the Volvo.", "Where does Tom live?"),
            ("I live in Leeds, my sister lives in York.", "I moved to Hull.", "Where does my sister live?"),
            ("I sold the Polo last year.", "Emma sold the Polo she got.", "What do I drive?"),
        ),
        *turkish(
            ("Corolla kullanıyorum.", "Abimin Corolla'sı bozuldu, yeni araba aldı.", "Hangi arabayı kullanıyorum?"),
            ("Corolla kullanıyorum.", "Belki Corolla'yı satıp yenisini alırım.", "Hangi arabayı kullanıyorum?"),
            ("Corolla kullanıyorum.", "Corolla'ya yeni lastik taksam mı?", "Hangi arabayı kullanıyorum?"),
            ("Corolla kullanıyorum.", "Rüyamda Corolla'yı sattım.", "Hangi arabayı kullanıyorum?"),
            ("Çello çalıyorum.", "Çellonun yanında ayrıca piyanoya başladım.", "Ne çalıyorum?"),
            ("Toplantımız saat dokuzda.", "Tasarımcılar toplantıyı ona aldı.", "Toplantımız ne zaman?"),
            ("Çello çalıyorum.", "Çellonun teli koptu.", "Ne çalıyorum?"),
            ("Skoda'yı sattım, Tesla'm var.", "Kemal Skoda'sını sattı.", "Hangi arabayı kullanıyorum?"),
            ("Emre İzmir'de oturuyor ve Volvo kullanıyor.", "Emre Volvo'yu sattı.", "Emre nerede oturuyor?"),
            ("Ben İzmir'de yaşıyorum, ablam Bursa'da.", "Van'a taşındım.", "Ablam nerede yaşıyor?"),
            ("Geçen yıl Polo'yu sattım.", "Ayşe aldığı Polo'yu sattı.", "Ne kullanıyorum?"),
        ),
    ],
)
def test_others_plans_questions_dreams_and_additions_take_no_place(earlier: str, later: str, question: str) -> None:
    """What somebody else did, what may be, what is asked or dreamt, what comes beside, and what is not new."""
    assert not replaces(earlier, later, question)
    assert not renews(earlier, later, question)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        *english(("My sister called mum.", {"sister", "mother"}), ("I called the bank.", set())),
        *turkish(("Ablam annemi aradı.", {"abla", "anne"}), ("Bankayı aradım.", set())),
    ],
)
def test_of_whom_a_text_speaks(text: str, found: set[str]) -> None:
    """By what they are to the speaker, in any case."""
    assert people(text) == found


@pytest.mark.parametrize(
    "later", [*english("I sold the Corolla. " + "It rained. " * 60), *turkish("Corolla'yı sattım. " + "Yağdı. " * 80)]
)
def test_who_tells_at_length_is_not_compared(later: str) -> None:
    """A page tells of much, and something in it is always new."""
    assert len(later) > TEXT_MAX
    assert news("I drive a Corolla.", later, "What do I drive?") == ()
