from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.recipes.published.v9.facts import SENTENCE_MAX, atomic, facts, is_bare, is_framed, leans, pair
from tests.spoken import ENGLISH, NEITHER, TURKISH, english, turkish

LEANING = [
    *english(
        ("my wife isn't", "en"),
        ("my sister has two", "en"),
        ("my son has one too", "en"),
        ("my dad lives there too", "en"),
        ("I have two kids with his sister", "en"),
    ),
    *turkish(
        ("kocam yiyor", "tr"),
        ("eşim sevmez", "tr"),
        ("babam onu hiç aramıyor", "tr"),
        ("Mert orada çalışmıyor", "tr"),
        ("nefret ediyorum", "tr"),
        ("annem değil", "tr"),
    ),
]
UPRIGHT = [
    *english(("my wife works at Bosch", "en"), ("I'm 34", "en"), ("I have two kids", "en"), ("I have one dog", "en")),
    *turkish(("karım Bosch'ta çalışıyor", "tr"), ("yaşım 34", "tr"), ("iki çocuğum var", "tr"), ("babam doktor", "tr")),
]
FRAMED = [
    *english(
        ("It seems I'm allergic to nuts", "en"),
        ("On stage I'm a widow", "en"),
        ("I'm supposedly married", "en"),
        ("I play a character: I'm married", "en"),
    ),
    *turkish(
        ("Yazın İspanya'da yaşıyorum", "tr"),
        ("Mayıstan itibaren Bosch'ta çalışıyorum", "tr"),
        ("2010'da Roma'da yaşıyordum", "tr"),
        ("Çocukken Bursa'da yaşıyordum", "tr"),
        ("Güya evliyim", "tr"),
        ("Sahnede dulum", "tr"),
        ("Bir karakteri oynuyorum: evliyim", "tr"),
    ),
]
FREE = [
    *english(("I'm vegan", "en"), ("I live in Berlin", "en"), ("My sister is vegan", "en")),
    *turkish(("Evliyim", "tr"), ("Evde çalışıyorum", "tr"), ("Bosch'ta mühendisim", "tr"), ("Erken yatarım", "tr")),
]
BARE = [
    *english(("I quit.", "en"), ("We've stopped.", "en"), ("I didn't quit.", "en")),
    *turkish(("Gelmedim.", "tr"), ("Taşındık.", "tr"), ("Bıraktım.", "tr")),
]
TOLD = [
    *english(("I quit my job.", "en"), ("I'm vegan.", "en"), ("The pay was bad.", "en")),
    *turkish(("İşi bıraktım.", "tr"), ("Veganım.", "tr"), ("Maaş düşüktü.", "tr")),
]


@pytest.mark.parametrize(("clause", "language"), LEANING)
def test_what_points_back_or_leaves_something_out_leans(clause: str, language: str) -> None:
    """Pronouns, "too", a bare auxiliary or number, a verb without its object."""
    assert leans(clause, language)


@pytest.mark.parametrize(("clause", "language"), UPRIGHT)
def test_what_says_its_own_does_not_lean(clause: str, language: str) -> None:
    """A number may be an age, or count what is named."""
    assert not leans(clause, language)


@pytest.mark.parametrize(("clause", "language"), FRAMED)
def test_a_time_a_place_a_doubt_or_a_role_rules_over_what_follows(clause: str, language: str) -> None:
    """The second half would hold always, everywhere and surely."""
    assert is_framed(clause, language)


@pytest.mark.parametrize(("clause", "language"), FREE)
def test_what_opens_with_its_fact_is_no_frame(clause: str, language: str) -> None:
    """The place of a verb, and a name, are no place apart."""
    assert not is_framed(clause, language)


@pytest.mark.parametrize(("sentence", "language"), BARE)
def test_a_verb_alone_says_nothing_of_what(sentence: str, language: str) -> None:
    """Nobody knows later what was quit."""
    assert is_bare(sentence, language)


@pytest.mark.parametrize(("sentence", "language"), TOLD)
def test_an_object_or_a_complement_is_enough(sentence: str, language: str) -> None:
    """What somebody is can be one word."""
    assert not is_bare(sentence, language)


FACTS = [
    *english(
        ("I'm vegan and allergic to nuts.", ("I'm vegan.", "I'm allergic to nuts.")),
        (
            "I'm married, I live in Berlin and I have two kids.",
            ("I'm married.", "I live in Berlin.", "I have two kids."),
        ),
        ("I work at Bosch and my wife works at Bosch.", ("I work at Bosch.", "My wife works at Bosch.")),
        (
            "We use GitHub Actions for CI and Datadog for monitoring.",
            ("We use GitHub Actions for CI.", "We use Datadog for monitoring."),
        ),
        (
            "I'm allergic to peanuts and I have a doctor's appointment on Friday.",
            ("I'm allergic to peanuts.", "I have a doctor's appointment on Friday."),
        ),
        ("I don't eat pork and I don't drink alcohol.", ("I don't eat pork.", "I don't drink alcohol.")),
        ("I'm a nurse and live in Berlin.", ("I'm a nurse.", "I live in Berlin.")),
        ("My sister is vegan and allergic to nuts.", ("My sister is vegan.", "My sister is allergic to nuts.")),
        ("I live in Berlin, but I work in Potsdam.", ("I live in Berlin.", "I work in Potsdam.")),
        (
            "I'm vegan, allergic to nuts and live in Berlin.",
            ("I'm vegan.", "I'm allergic to nuts.", "I live in Berlin."),
        ),
        ("im vegan and allergic to nuts", ("im vegan", "I'm allergic to nuts")),
    ),
    *turkish(
        ("Veganım ve fındığa alerjim var.", ("Veganım.", "Fındığa alerjim var.")),
        ("Evliyim ve Getir'de çalışıyorum.", ("Evliyim.", "Getir'de çalışıyorum.")),
        ("34 yaşındayım ve hemşireyim.", ("34 yaşındayım.", "Hemşireyim.")),
        ("Domuz eti yemiyorum ve alkol içmiyorum.", ("Domuz eti yemiyorum.", "Alkol içmiyorum.")),
        (
            "Bosch'ta çalışıyorum ve karım Bosch'ta çalışıyor.",
            ("Bosch'ta çalışıyorum.", "Karım Bosch'ta çalışıyor."),
        ),
        (
            "CI için GitHub Actions ve izleme için Datadog kullanıyoruz.",
            ("CI için GitHub Actions kullanıyoruz.", "İzleme için Datadog kullanıyoruz."),
        ),
        (
            "Fıstığa alerjim var ve cuma günü doktor randevum var.",
            ("Fıstığa alerjim var.", "Cuma günü doktor randevum var."),
        ),
        (
            "Adım Ali, Bursa'da yaşıyorum, 34 yaşındayım ve hemşireyim.",
            ("Adım Ali.", "Bursa'da yaşıyorum.", "34 yaşındayım.", "Hemşireyim."),
        ),
        ("Annem hemşire ve babam doktor.", ("Annem hemşire.", "Babam doktor.")),
        ("Evliyim ama çocuğum yok.", ("Evliyim.", "Çocuğum yok.")),
    ),
]
WHOLE = [
    *english(
        "I like bread and butter.",
        "My wife and I live in Berlin.",
        "I live between Berlin and Hamburg.",
        "I live in Berlin and Paris.",
        "I live in Berlin, Germany.",
        "I'm from Oslo, Norway.",
        "I'm allergic to nuts and eggs.",
        "My dog is black and white.",
        "I bought and sold a house.",
        "I love the sound and love theme.",
        "I want to live in Berlin and work at Bosch.",
        "If I'm vegan and I live in Berlin, tell me.",
        "I think I'm allergic to nuts and I have asthma.",
        "I don't like Rome and my wife hates Rome.",
        "I used to smoke but I quit smoking.",
        "I have a cat named Tom and a dog named Rex.",
        "I live in Berlin with my wife and two kids.",
        "Tom is a nurse, and he's vegan.",
        "I'm planning to visit Oslo, which is my favorite city.",
        "I'm diabetic, my wife isn't.",
        "I have a cat, my sister has two.",
        "My brother lives in Rome and his wife works at Fiat.",
        "It seems I'm allergic to nuts and I'm lactose intolerant.",
        "On stage I'm a widow and I have three sons.",
    ),
    *turkish(
        "Ekmek ve peynir severim.",
        "Eşim ve ben Berlin'de yaşıyoruz.",
        "Annem ve babam doktor.",
        "Annem Bursa'da ve babam İzmir'de yaşıyor.",
        "Bosch'ta ve Siemens'te çalışıyorum.",
        "Fındığa ve yumurtaya alerjim var.",
        "Öğretmenim ve annem İzmir'de yaşıyor.",
        "Adım ve soyadım aynı.",
        "Kedim ve köpeğim var.",
        "Kahveyi seviyorum ve içiyorum.",
        "Yemiyorum ve içmiyorum.",
        "Sigara ve alkol kullanmıyorum.",
        "Vegansam ve Berlin'de yaşıyorsam söyle.",
        "Sanırım veganım ve fındığa alerjim var.",
        "Doktorum ve öğretmenim Ankara'da yaşıyor.",
        "Telefonum ve adresim değişti.",
        "Eskiden sigara içiyordum ama sigarayı bıraktım.",
        "Eve gittim ve uyudum.",
        "Çay ve kahve severim.",
        "Ben et yemiyorum, kocam yiyor.",
        "Bosch'ta çalışıyorum, orayı seviyorum.",
        "Selin Bosch'ta çalışıyor, Mert orada çalışmıyor.",
        "2010'da Roma'da yaşıyordum ve Fiat'ta çalışıyordum.",
        "Sahnede dulum ve üç oğlum var.",
    ),
]


@pytest.mark.req("D12")
@pytest.mark.parametrize(("text", "facts"), FACTS)
def test_two_facts_of_one_sentence_stand_by_themselves(text: str, facts: tuple[str, ...]) -> None:
    """Each with the subject they share, so that one can change without the other."""
    assert atomic(text) == facts


@pytest.mark.req("D12")
@pytest.mark.parametrize("text", WHOLE)
def test_what_is_no_fact_by_itself_is_not_cut_off(text: str) -> None:
    """Phrases, names, shared verbs and objects, conditions, doubts, and what would point back."""
    assert atomic(text) == (text,)


@ENGLISH
def test_two_plans_may_share_their_day() -> None:
    """Cut, the first would have none."""
    assert pair("I'm going to pack", "I'm going to fly to Rome on Friday", "en", comma=False) is None


@TURKISH
def test_nothing_has_no_halves() -> None:
    """A sentence may begin or end with its connective."""
    assert pair("", "veganım", "tr", comma=False) is None
    assert pair("Veganım", "", "tr", comma=True) is None


CUT_ENGLISH = [
    ("Alice works at Google and Bob works at Apple.", ("Alice works at Google.", "Bob works at Apple.")),
    ("I live in Berlin and work at Siemens.", ("I live in Berlin.", "I work at Siemens.")),
    ("My sister moved to Oslo; Tom stayed in Bergen.", ("My sister moved to Oslo.", "Tom stayed in Bergen.")),
    ("I'm a fan of Nike and my wife prefers Adidas.", ("I'm a fan of Nike.", "My wife prefers Adidas.")),
    ("Alice moved to Rome, and Bob didn't leave Paris.", ("Alice moved to Rome.", "Bob didn't leave Paris.")),
    ("I don't use Windows; my wife uses Linux.", ("I don't use Windows.", "My wife uses Linux.")),
    ("We met Tom. I like Oslo.", ("We met Tom.", "I like Oslo.")),
    (
        "My mother lives in Izmir, my father lives in Ankara and works at METU.",
        ("My mother lives in Izmir.", "My father lives in Ankara.", "My father works at METU."),
    ),
    ("Tom lives in Oslo, and Ann lives in Bergen.", ("Tom lives in Oslo.", "Ann lives in Bergen.")),
    (
        "Tom lives in Oslo, Anna lives in Bergen and works at Equinor.",
        ("Tom lives in Oslo.", "Anna lives in Bergen.", "Anna works at Equinor."),
    ),
]
CUT_TURKISH = [
    ("Ali Ankara'da yaşıyor ve Ayşe İzmir'de çalışıyor.", ("Ali Ankara'da yaşıyor.", "Ayşe İzmir'de çalışıyor.")),
    ("Ali Ankara'da yaşıyor ve İzmir'de çalışıyor.", ("Ali Ankara'da yaşıyor.", "Ali İzmir'de çalışıyor.")),
    ("Ankara'da doğdum ve İzmir'de büyüdüm.", ("Ankara'da doğdum.", "İzmir'de büyüdüm.")),
    ("Annem Bursa'da doğdu; babam Konya'da doğdu.", ("Annem Bursa'da doğdu.", "Babam Konya'da doğdu.")),
    ("Ali Google'da çalışıyor ve Ayşe Apple'da çalışmıyor.", ("Ali Google'da çalışıyor.", "Ayşe Apple'da çalışmıyor.")),
    ("Ayşe et yemiyor ve Ali süt içmiyor.", ("Ayşe et yemiyor.", "Ali süt içmiyor.")),
    ("Tom'la tanıştık. Oslo'yu seviyorum.", ("Tom'la tanıştık.", "Oslo'yu seviyorum.")),
    (
        "Annem İzmir'de yaşıyor, babam Ankara'da yaşıyor ve ODTÜ'de çalışıyor.",
        ("Annem İzmir'de yaşıyor.", "Babam Ankara'da yaşıyor.", "Babam ODTÜ'de çalışıyor."),
    ),
    (
        "Kız kardeşim Oslo'da yaşıyor ve Equinor'da çalışıyor.",
        ("Kız kardeşim Oslo'da yaşıyor.", "Kız kardeşim Equinor'da çalışıyor."),
    ),
    (
        "Elif Oslo'da yaşıyor, Can Bergen'de yaşıyor ve Equinor'da çalışıyor.",
        ("Elif Oslo'da yaşıyor.", "Can Bergen'de yaşıyor.", "Can Equinor'da çalışıyor."),
    ),
]
WHOLE_SPLITTING = {
    "condition": [
        *english(
            "If Alice goes to Rome and Bob goes to Paris, call me.",
            "Alice goes to Rome and Bob goes to Paris unless Tom objects.",
            "When Alice left Rome and Bob left Paris it rained.",
        ),
        *turkish(
            "Ali Ankara'ya giderse ve Ayşe İzmir'de kalırsa ararım.",
            "Eğer Ali Ankara'ya gitti ve Ayşe İzmir'de kaldı diyorsan ara.",
            "Ali Ankara'dayken ve Ayşe İzmir'deyken yağmur yağdı.",
        ),
    ],
    "negation": [
        *english(
            "I don't like Rome and Bob hates Paris.",
            "Alice never visited Rome and saw Paris.",
            "Neither Alice came from Rome and Bob came from Paris.",
        ),
        *turkish(
            "Ali Ankara'yı ve Ayşe İzmir'i sevmiyor.",
            "Ali'nin Roma'ya gittiğini ve Ayşe'nin Paris'te kaldığını sanmıyorum.",
            "Ne Ali Ankara'da ve ne Ayşe İzmir'de yaşıyor.",
        ),
    ],
    "report": [
        *english(
            "Tom said that Alice moved to Rome and Bob moved to Paris.",
            "Maybe Alice moved to Rome and Bob moved to Paris.",
            "I think Alice works at Google and Bob works at Apple.",
        ),
        *turkish(
            "Ali Roma'ya taşındı ve Ayşe Paris'te kaldı dedi.",
            "Belki Ali Roma'ya taşındı ve Ayşe Paris'te kaldı.",
            "Sanırım Ali Google'da çalışıyor ve Ayşe Apple'da çalışıyor.",
        ),
    ],
    "phrase": [
        *english(
            "I visited Rome and Paris.",
            "I want to visit Rome and see Paris.",
            "I met Alice from Google and Bob from Apple.",
        ),
        *turkish(
            "Roma'yı ve Paris'i gezdim.",
            "Ali Ankara'da ve Ayşe İzmir'de yaşıyor.",
            "Google'dan Ali ve Apple'dan Ayşe geldi.",
        ),
    ],
    "foreign": [
        *english(
            'She sang "Alice went to Rome and Bob went to Paris".',
            "Run `Alice works at Google and Bob works at Apple`",
            "Does Alice work at Google and Bob works at Apple?",
        ),
        *turkish(
            "\"Ali Roma'ya gitti ve Ayşe Paris'te kaldı\" dizesi.",
            "`Ali Roma'ya gitti ve Ayşe Paris'te kaldı` komutu",
            "Ali Roma'da yaşıyor ve Ayşe Paris'te yaşıyor mu?",
        ),
    ],
    "comma": [
        *english(
            "I'm from Oslo, Tom is too.",
            "Alice moved to Rome, Bob told me in Paris.",
            "When Alice left Rome, Bob left Paris.",
            "Alice lives in Rome, Italy.",
        ),
        *turkish(
            "Oslo'da doğdum, Can da doğdu.",
            "Ayşe Roma'ya taşındı, Ali Paris'te söyledi.",
            "Ayşe Roma'dan ayrıldıysa, Ali Paris'ten ayrıldı.",
            "Ayşe Roma'da, Ali Paris'te yaşıyor.",
        ),
    ],
    "same things": [
        *english(
            "Alice likes Rome and Alice likes Rome.",
            "I went home and slept.",
            "we ate and the kids played",
        ),
        *turkish(
            "Ali Roma'yı seviyor ve Ali Roma'yı seviyor.",
            "Eve gittim ve uyudum.",
            "yemek yedik ve çocuklar oynadı",
        ),
    ],
}

WORDS = [
    "Alice",
    "Bob",
    "Rome",
    "Ali",
    "Ayşe",
    "works",
    "loves",
    "moved",
    "and",
    "ve",
    ";",
    ".",
    "if",
    "not",
    "didn't",
    "Ankara'da",
    "yaşıyor",
    "çalıştı",
    "I",
    "my",
    "wife",
]


@pytest.mark.req("D12")
@pytest.mark.parametrize(("text", "facts"), [*english(*CUT_ENGLISH), *turkish(*CUT_TURKISH)])
def test_clauses_about_different_things_are_facts_of_their_own(text: str, facts: tuple[str, ...]) -> None:
    """Each with its subject, each with its own negation."""
    assert atomic(text) == facts


@pytest.mark.req("D12")
@pytest.mark.parametrize("text", [text for texts in WHOLE_SPLITTING.values() for text in texts])
def test_what_belongs_together_is_never_cut(text: str) -> None:
    """Conditions, shared negations, reports, phrases, quotations, questions, and clauses that name the same."""
    assert atomic(text) == (text,)


@NEITHER
@pytest.mark.req("D12")
@given(st.lists(st.sampled_from(WORDS), max_size=20))
def test_no_word_is_lost(words: list[str]) -> None:
    """Every word but the connectives stands in a fact, in order; subjects may come twice."""
    text = " ".join(words)
    kept = iter(word.strip(".;").lower() for fact in atomic(text) for word in fact.split())
    wanted = [word.strip(".;").lower() for word in words if word not in ("and", "ve", ";", ".")]
    assert all(word in kept for word in filter(None, wanted))


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        *english(
            (
                "Alice works at Google, and Bob works at Apple, and Carol works at Intel.",
                ("Alice works at Google.", "Bob works at Apple.", "Carol works at Intel."),
            )
        ),
        *turkish(
            (
                "Ali Google'da çalışıyor ve Ayşe Apple'da çalışıyor ve Elif Intel'de çalışıyor.",
                ("Ali Google'da çalışıyor.", "Ayşe Apple'da çalışıyor.", "Elif Intel'de çalışıyor."),
            ),
            (
                "Ali Ankara'da yaşıyor; Ayşe İzmir'de çalışıyor ve Elif Bursa'da okuyor.",
                ("Ali Ankara'da yaşıyor.", "Ayşe İzmir'de çalışıyor.", "Elif Bursa'da okuyor."),
            ),
        ),
    ],
)
def test_a_chain_of_clauses_gives_as_many_facts(text: str, facts: tuple[str, ...]) -> None:
    """Cut once, and the rest again."""
    assert atomic(text) == facts


@pytest.mark.parametrize(
    "clauses",
    [
        *english("Alice works at Google and Bob works at Apple "),
        *turkish("Ali Google'da çalışıyor ve Ayşe Apple'da çalışıyor "),
    ],
)
def test_a_long_list_is_left_alone(clauses: str) -> None:
    """What is longer than a sentence is not read as one."""
    text = clauses * (SENTENCE_MAX // 40)
    assert atomic(text) == (text.strip(),)


@NEITHER
@given(st.text(max_size=300))
def test_any_text_has_facts_or_is_blank(text: str) -> None:
    """Nothing is raised; only a blank text has none."""
    assert bool(atomic(text)) == bool(text.strip())


@pytest.mark.req("D12", "D16")
@pytest.mark.parametrize(
    ("text", "effect", "cause"),
    [
        *english(
            ("I moved to Berlin because I got a job at Siemens.", "I moved to Berlin.", "I got a job at Siemens."),
            ("My pay was bad, so I quit my job.", "I quit my job.", "My pay was bad."),
            ("Heroku closed. That's why we moved to Hetzner.", "We moved to Hetzner.", "Heroku closed."),
            ("We use Redis. Because Memcached loses data.", "We use Redis.", "Memcached loses data."),
            ("We chose Postgres because it supports JSON.", "We chose Postgres.", "Postgres supports JSON."),
        ),
        *turkish(
            ("Berlin'e taşındım çünkü Siemens'te iş buldum.", "Berlin'e taşındım.", "Siemens'te iş buldum."),
            ("Heroku'dan ayrıldım, bu yüzden Hetzner'e geçtim.", "Hetzner'e geçtim.", "Heroku'dan ayrıldım."),
            ("Heroku'dan bıktık. Bu yüzden Hetzner'e geçtik.", "Hetzner'e geçtik.", "Heroku'dan bıktık."),
            (
                "Redis kullanıyoruz. Çünkü Memcached veri kaybediyor.",
                "Redis kullanıyoruz.",
                "Memcached veri kaybediyor.",
            ),
        ),
    ],
)
def test_a_cause_and_its_effect_are_two_facts(text: str, effect: str, cause: str) -> None:
    """The effect knows its cause, whichever of the two was said first."""
    found = {fact.text: fact.because for fact in facts(text)}
    assert found == {effect: cause, cause: ""}


@pytest.mark.req("D16")
@pytest.mark.parametrize(
    ("text", "effect"),
    [
        *english(("I bought a Tesla because my old Honda died. That's why I'm broke now.", "I bought a Tesla.")),
        *turkish(
            ("Bodrum'a taşındım çünkü Trendyol'dan ayrıldım. Bu yüzden evimi sattım.", "Bodrum'a taşındım."),
            ("Annem hastalandı, o yüzden İzmir'e taşındım. Bu nedenle işimi bıraktım.", "İzmir'e taşındım."),
        ),
    ],
)
def test_what_follows_from_a_statement_follows_from_its_effect(text: str, effect: str) -> None:
    """Not from the reason that stands nearer."""
    assert facts(text)[-1].because == effect


@pytest.mark.req("D12")
@pytest.mark.parametrize(
    "text",
    [
        *english(
            "I sold my car because it was too old.",
            "I moved to Izmir because my mother lives there.",
            "I like how they cook because of the spices.",
            "I quit because they are rude.",
            "Yes because I work at Siemens.",
            "I quit my job because the pay was bad.",
            "I quit because I got a job at Siemens.",
        ),
        *turkish(
            "Berlin'e taşındım çünkü orada parklar var.",
            "Onu işe aldık çünkü Rust biliyor.",
            "Evet çünkü Siemens'te çalışıyorum.",
            "İşimi bıraktım çünkü maaş düşüktü.",
            "Gelmedim çünkü Siemens'te iş buldum.",
            "Arabamı sattım çünkü onu kimse sevmiyordu.",
            "İzmir'e taşındım çünkü annem orada yaşıyor.",
        ),
    ],
)
def test_what_needs_its_other_half_stays_with_it(text: str) -> None:
    """A pronoun would point at nothing, a "yes" say nothing, and nobody would know what pay it was."""
    assert [fact.text for fact in facts(text)] == [text]
    assert not any(fact.because for fact in facts(text))


@pytest.mark.parametrize(
    "text",
    [
        *english("Heroku closed. Right? That's why we moved to Hetzner."),
        *turkish("Heroku'dan bıktık. Değil mi? Bu yüzden Hetzner'e geçtik."),
    ],
)
def test_a_question_between_them_parts_two_sentences(text: str) -> None:
    """Nobody knows what "that" was."""
    assert not any(fact.because for fact in facts(text))
