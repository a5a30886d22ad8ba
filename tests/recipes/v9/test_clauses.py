from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.text.patterns import capital
from reverie.recipes.published.v9.clauses import SENTENCE_MAX, halves, is_own_clause, opened, second_clause
from tests.spoken import ENGLISH, NEITHER, TURKISH, english, turkish


@pytest.mark.parametrize(
    ("left", "right", "language", "whole"),
    [
        *english(
            ("I live in Berlin", "work at Siemens", "en", "I work at Siemens"),
            ("Alice Smith lives in Berlin", "works at Siemens", "en", "Alice Smith works at Siemens"),
            ("My brother moved to Rome", "married Ann", "en", "My brother married Ann"),
            ("I live in Berlin", "I work at Siemens", "en", "I work at Siemens"),
            ("Alice is loved by Google", "hired by Apple", "en", ""),
            ("I will visit Rome", "see Paris", "en", ""),
            ("I love the beaches of Rome", "the museum visits in Paris", "en", ""),
            ("Wow, John, sounds like you", "Max had a great time", "en", ""),
            ("My mother lives in Rome, my father lives in Paris", "works at Fiat", "en", "my father works at Fiat"),
            ("Tom lives in Oslo but Ann lives in Bergen", "works at Fiat", "en", "Ann works at Fiat"),
            ("I live in Paris, France", "work at Fiat", "en", "I work at Fiat"),
            ("Ann moved to Rome, Kim and Tom moved to Oslo", "married Max", "en", ""),
            ("Ann moved to Rome (Tom stayed in Paris)", "married Max", "en", ""),
            ("I learned Tom moved to Oslo", "worked at Fiat", "en", ""),
            ("Ann moved to Rome, the whole family of Tom in Paris", "married Max", "en", ""),
        ),
        *turkish(
            ("Ali Ankara'da yaşıyor", "İzmir'de çalışıyor", "tr", "Ali İzmir'de çalışıyor"),
            ("Ben Ankara'da doğdum", "İzmir'de büyüdüm", "tr", "Ben İzmir'de büyüdüm"),
            ("Kardeşim Roma'ya taşındı", "Paris'te evlendi", "tr", "Kardeşim Paris'te evlendi"),
            ("Ali Ankara'da yaşıyor", "Ayşe İzmir'de çalışıyor", "tr", "Ayşe İzmir'de çalışıyor"),
            ("Ankara'da doğdum", "İzmir'de okudu", "tr", ""),
            ("Ali Ankara'da bir kedi", "Ayşe İzmir'de bir köpek aldı", "tr", ""),
            ("Ali Roma'ya geldi", "Mingo lideri gitti", "tr", ""),
            ("Grainger Çarşısı'nın kendisi açıldı", "Newcastle'ın çarşısıydı", "tr", ""),
            ("Annem Roma'da yaşıyor, babam Paris'te yaşıyor", "Fiat'ta çalışıyor", "tr", "babam Fiat'ta çalışıyor"),
            ("Elif Roma'da yaşıyor ama Can Paris'te yaşıyor", "Fiat'ta çalışıyor", "tr", "Can Fiat'ta çalışıyor"),
            ("Ali Roma'da yaşıyor, Paris'te çalışıyor", "Oslo'yu seviyor", "tr", "Ali Oslo'yu seviyor"),
            ("Kız kardeşim Oslo'da yaşıyor", "Fiat'ta çalışıyor", "tr", "Kız kardeşim Fiat'ta çalışıyor"),
            ("En yakın arkadaşım Oslo'da oturuyor", "Fiat'ta çalışıyor", "tr", "En yakın arkadaşım Fiat'ta çalışıyor"),
            ("Şirketimiz Postgres kullanıyor", "AWS'de çalışıyor", "tr", "Şirketimiz AWS'de çalışıyor"),
            ("Annem Elif Oslo'da yaşıyor", "Fiat'ta çalışıyor", "tr", "Annem Elif Fiat'ta çalışıyor"),
            ("Annem ve babam Oslo'da yaşıyor", "Fiat'ta çalışıyor", "tr", ""),
            ("Annem gibi Oslo'da yaşıyor", "Fiat'ta çalışıyor", "tr", ""),
            ("Ankara'da annem yaşıyor", "İzmir'de çalışıyor", "tr", ""),
            ("Ali Roma'da Ayşe Paris'te yaşıyor", "Fiat'ta çalışıyor", "tr", ""),
            ("Ali Roma'ya taşındı (Ayşe Paris'te kaldı)", "Oslo'da evlendi", "tr", ""),
            ("Annem Oslo'da yaşıyor, yan komşu Roma'da yaşıyor", "Fiat'ta çalışıyor", "tr", ""),
            ("Annem Oslo'da yaşıyor", "Ankara'da çalışıyorum", "tr", ""),
            ("Ankara'da yaşıyor", "İzmir'de çalışıyor", "tr", ""),
        ),
    ],
)
def test_the_second_clause_and_its_subject(left: str, right: str, language: str, whole: str) -> None:
    """A subject is repeated where it is missing; what is no clause is nothing."""
    assert second_clause(left, right, language, by_mark=False) == whole


@ENGLISH
def test_a_negation_does_not_reach_over_a_semicolon() -> None:
    """Over "and" it might."""
    assert second_clause("I don't use Windows", "my wife uses Linux", "en", by_mark=True) == "my wife uses Linux"
    assert second_clause("I don't use Windows", "my wife uses Linux", "en", by_mark=False) == ""


@TURKISH
@pytest.mark.parametrize("by_mark", [True, False])
def test_a_turkish_negation_reaches_over_nothing(by_mark: bool) -> None:
    """It stands in the verb at the end of its own clause."""
    left, right = "Ben Windows kullanmıyorum", "eşim Linux kullanıyor"
    assert second_clause(left, right, "tr", by_mark=by_mark) == right


@pytest.mark.parametrize(
    ("text", "language", "whole"),
    [
        *english(
            ("Tom lives in Oslo", "en", True),
            ("Tom is too", "en", False),
            ("he lives in Oslo", "en", False),
            ("Tom said Ann lives in Oslo", "en", False),
            ("if Tom lives in Oslo", "en", False),
        ),
        *turkish(
            ("Can Oslo'da yaşıyor", "tr", True),
            ("kız kardeşim Oslo'da yaşıyor", "tr", True),
            ("Can da yaşıyor", "tr", False),
            ("Oslo'da yaşıyor", "tr", False),
            ("Can Oslo'da yaşıyor dedi", "tr", False),
            ("Can Oslo'da yaşıyorsa", "tr", False),
        ),
    ],
)
def test_a_clause_of_its_own_has_a_subject_and_a_name_behind_it(text: str, language: str, whole: bool) -> None:
    """And no word in it rules over more."""
    assert is_own_clause(text, language) is whole


EFFECT_FIRST = [
    *english(
        ("I quit because the pay was bad.", "I quit.", "The pay was bad."),
        ("We left the flat mainly because the rent rose.", "We left the flat.", "The rent rose."),
        ("The tests fail due to the fact that the disk is full.", "The tests fail.", "The disk is full."),
        ("I eat beans because I don't eat meat!", "I eat beans!", "I don't eat meat!"),
        ("I can't eat bread because I have celiac disease.", "I can't eat bread.", "I have celiac disease."),
        ("I chose them 'cause they help people.", "I chose them.", "They help people."),
    ),
    *turkish(
        ("İşi bıraktım çünkü maaş düşüktü.", "İşi bıraktım.", "Maaş düşüktü."),
        ("İşe gitmedim, çünkü ayağım kırıldı.", "İşe gitmedim.", "Ayağım kırıldı."),
        ("Testler geçmiyor çünkü ileti kuyruğu dolu.", "Testler geçmiyor.", "İleti kuyruğu dolu."),
        ("Vejetaryenim çünkü hayvanları seviyorum!", "Vejetaryenim!", "Hayvanları seviyorum!"),
        ("Ekmek yiyemem çünkü çölyak hastasıyım.", "Ekmek yiyemem.", "Çölyak hastasıyım."),
        ("Onları seçtim çünkü insanlara yardım ediyorlar.", "Onları seçtim.", "İnsanlara yardım ediyorlar."),
    ),
]
CAUSE_FIRST = [
    *english(
        ("Because the pay was bad, I quit the job.", "The pay was bad.", "I quit the job."),
        ("The pay was bad, so I quit my job.", "The pay was bad.", "I quit my job."),
        ("We bought a van so that the kids can sleep.", "We bought a van.", "The kids can sleep."),
        ("The tire was worn; therefore I replaced it.", "The tire was worn.", "I replaced it."),
        ("I don't eat meat, which is why I cook beans.", "I don't eat meat.", "I cook beans."),
    ),
    *turkish(
        ("Maaş düşüktü, bu yüzden işi bıraktım.", "Maaş düşüktü.", "İşi bıraktım."),
        ("Et yemem, o nedenle nohut pişiririm.", "Et yemem.", "Nohut pişiririm."),
        ("Lastik eskiydi; dolayısıyla yenisini aldım.", "Lastik eskiydi.", "Yenisini aldım."),
        ("Disk doldu ve bunun sonucunda sunucu çöktü.", "Disk doldu.", "Sunucu çöktü."),
        ("Kira arttı, bundan dolayı taşındık.", "Kira arttı.", "Taşındık."),
    ),
]
NOT_NAMED = [
    *english(
        "Is it because the pay was bad?",
        "I quit because of the pay.",
        "Not because I like it.",
        "I'm hungry, so let's eat something.",
        'It says "I quit because the pay was bad".',
        "I didn't quit because the pay was bad.",
        "She said I quit because the pay was bad.",
        "I may quit because the pay is bad.",
        "I hope Tom joins Bosch because he hates Siemens.",
        "I think Tom comes because he promised it.",
        "I moved so that my son could attend a good school.",
        "I will quit because they cut the pay if I stay.",
        "If it rains, I will be wet, so I took my coat.",
    ),
    *turkish(
        "Maaş düşük olduğu için mi bıraktın?",
        "Maaş düşük olduğu için işi bıraktım.",
        "Senin için geldim buraya.",
        "Bu iş uzun sürdü.",
        '"İşi bıraktım çünkü maaş düşüktü" yazıyor.',
        "Sevdiğim için değil.",
        "Bıraktım dedi çünkü maaş düşüktü.",
        "Belki bırakırım çünkü maaş düşük.",
        "İnşallah Ali Bosch'a geçer çünkü Siemens'i sevmiyor.",
        "Ali gelir diye düşünüyorum çünkü söz verdi.",
        "İzmir'e taşınabilirim çünkü annem orada.",
        "Eğer kalırsam azalır çünkü maaşı kestiler.",
        "Yağmur yağarsa ıslanırım, bu yüzden palto aldım.",
    ),
]
OPENED = [
    *english(
        ("That's why I quit.", "I quit.", True),
        ("Therefore we moved to Hetzner.", "We moved to Hetzner.", True),
        ("Because the pay was bad.", "The pay was bad.", False),
    ),
    *turkish(
        ("Bu yüzden işi bıraktım.", "İşi bıraktım.", True),
        ("Dolayısıyla Hetzner'e geçtik.", "Hetzner'e geçtik.", True),
        ("Çünkü maaş düşüktü.", "Maaş düşüktü.", False),
    ),
]
NOT_OPENED = [
    *english("I quit.", "Is that why I quit?", "Because the pay was bad, I quit.", "Therefore if it rains I stay."),
    *turkish("İşi bıraktım.", "Bu yüzden mi bıraktın?", "İşi bıraktım çünkü az.", "Bu yüzden yağarsa kalırım."),
]


def sentences(text: str) -> tuple[str, str, bool]:
    """Both halves as sentences, and whether the cause is the first."""
    found = halves(text)
    assert found is not None
    return capital(found.first, found.language), capital(found.second, found.language), found.cause_first


@pytest.mark.req("D16")
@pytest.mark.parametrize(("text", "effect", "cause"), EFFECT_FIRST)
def test_the_effect_goes_before_its_reason(text: str, effect: str, cause: str) -> None:
    """Because, due to the fact that; çünkü. Each side becomes a sentence."""
    assert sentences(text) == (effect, cause, False)


@pytest.mark.req("D16")
@pytest.mark.parametrize(("text", "cause", "effect"), CAUSE_FIRST)
def test_the_cause_goes_before_what_follows_from_it(text: str, cause: str, effect: str) -> None:
    """So, therefore, so that, because A, B; bu yüzden, dolayısıyla."""
    assert sentences(text) == (cause, effect, True)


@pytest.mark.req("D16")
@pytest.mark.parametrize("text", NOT_NAMED)
def test_what_names_no_cause(text: str) -> None:
    """Questions, phrases, quotations; what a negation, a report, a doubt or a condition may rule over."""
    assert halves(text) is None


@pytest.mark.req("D16")
@pytest.mark.parametrize(("text", "rest", "cause_before"), OPENED)
def test_a_sentence_opens_with_what_joins_it_to_the_one_before(text: str, rest: str, cause_before: bool) -> None:
    """That's why: the cause went before. Because, by itself: the effect did."""
    found = opened(text)
    assert found is not None
    assert (capital(found.rest, found.language), found.cause_before) == (rest, cause_before)


@pytest.mark.parametrize("text", NOT_OPENED)
def test_what_opens_with_no_connective(text: str) -> None:
    """Nor does a question, or what stands under a condition."""
    assert opened(text) is None


@NEITHER
def test_a_document_is_not_looked_at() -> None:
    """What is longer than a sentence is a list or a table."""
    text = f"I quit because {'the pay was bad and ' * (SENTENCE_MAX // 20)} the office was far."
    assert len(text) > SENTENCE_MAX
    assert halves(text) is None


@pytest.mark.parametrize("said", [*english("I left because {}"), *turkish("Eve döndüm çünkü {}")])
@given(text=st.text(max_size=200))
def test_no_text_is_too_odd(said: str, text: str) -> None:
    """Whatever stands behind it, both halves say something."""
    found = halves(said.format(text))
    assert found is None or (found.first.strip(" .") and found.second.strip(" "))
