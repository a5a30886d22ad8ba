from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.recipes.published.v9.third_person import LIMIT, is_own, rewritten_english, third_person, without_fillers
from tests.spoken import ENGLISH, NEITHER, english, turkish

SAID_ENGLISH = [
    ("I prefer tea", "User prefers tea"),
    ("My name is Ellen", "User's name is Ellen"),
    ("I don't eat meat", "User doesn't eat meat"),
    ("Um, I want 3 apples", "User wants 3 apples"),
    ("Well, my cat is, you know, old", "User's cat is old"),
    ("The port is 8080", "The port is 8080"),
    ("We went to Rome", "User: We went to Rome"),
]
SAID_TURKISH = [
    ("Çayı severim", "Kullanıcı çayı sever"),
    ("Benim adım Elif", "Kullanıcının adı Elif"),
    ("Et yemem", "Kullanıcı et yemez"),
    ("Eee, 3 elma istiyorum", "Kullanıcı 3 elma istiyor"),
    ("Şey, kedim, yani, yaşlı", "Kullanıcının kedisi yaşlı"),
    ("Port numarası 8080", "Port numarası 8080"),
    ("Roma'ya gittik", "Kullanıcı: Roma'ya gittik"),
]


@pytest.mark.req("D11")
@pytest.mark.parametrize(("said", "told"), [*english(*SAID_ENGLISH), *turkish(*SAID_TURKISH)])
def test_a_message_is_told_of_its_speaker(said: str, told: str) -> None:
    """What is sure is rewritten, what is not stands behind the speaker's name."""
    assert third_person(said) == told


@pytest.mark.parametrize(
    ("said", "told"),
    [
        *english(("I painted it and my sister framed it", "Mira painted it and Mira's sister framed it")),
        *turkish(
            ("Bana kitabı ver", "Mira'ya kitabı ver"),
            ("Benim adım bu, kitabı okudum", "Mira'nın adı bu, kitabı okudu"),
        ),
    ],
)
def test_the_subject_may_have_a_name(said: str, told: str) -> None:
    """With the endings of the language."""
    assert third_person(said, subject="Mira") == told


@pytest.mark.req("D11")
@pytest.mark.parametrize(
    ("said", "end"),
    [
        *english(("I like the sea. " * 60, "sea."), ("I like " + "very " * 200 + "much", "very…")),
        *turkish(("Denizi severim. " * 60, "sever."), ("Denizi " + "çok " * 200 + "severim", "çok…")),
    ],
)
def test_the_result_is_at_most_five_hundred_characters(said: str, end: str) -> None:
    """Cut behind a sentence, else behind a word."""
    told = third_person(said)
    assert len(told) <= LIMIT == 500
    assert told.endswith(end)
    assert third_person(said, limit=0) == ""


@pytest.mark.parametrize(
    ("text", "language", "left"),
    [
        *english(
            ("So, um, the bus, you know, was late", "en", "The bus was late"),
            ("I mean it, like it or not", "en", "I mean it, like it or not"),
            ("Basically I prefer tea", "en", "I prefer tea"),
            ("It rained. Honestly my sister prefers tea", "en", "It rained. My sister prefers tea"),
            ("Basically useless advice", "en", "Basically useless advice"),
            ("I honestly do not know, I just guess", "en", "I honestly do not know, I just guess"),
            ("Actually I prefer tea", "en", "Actually I prefer tea"),
            ('He said "well, um, no"', "en", 'He said "well, um, no"'),
        ),
        *turkish(
            ("Yani, hmm, otobüs, işte, geç kaldı", "tr", "Otobüs geç kaldı"),
            ("Şey gibi bir şey, işte bu", "tr", "Şey gibi bir şey, işte bu"),
            ("Yani ben çayı tercih ederim", "tr", "Ben çayı tercih ederim"),
            ("Yağmur yağdı. Valla biz çayı severiz", "tr", "Yağmur yağdı. Biz çayı severiz"),
            ("Yani dediğin doğru", "tr", "Yani dediğin doğru"),
            ("Ben yani bilmiyorum, sadece tahmin ediyorum", "tr", "Ben yani bilmiyorum, sadece tahmin ediyorum"),
            ("Aslında ben çayı tercih ederim", "tr", "Aslında ben çayı tercih ederim"),
            ('"yani, hmm, hayır" dedi', "tr", '"yani, hmm, hayır" dedi'),
        ),
    ],
)
def test_fillers_go_only_where_they_say_nothing(text: str, language: str, left: str) -> None:
    """The same words are left where they mean something, and in quotations."""
    assert without_fillers(text, language) == left


NEGATIONS = re.compile(r"\b(?:not|no|never|\w+n't)\b")
SENTENCES = [
    "I do not own 2 cars",
    "No, I never said that to Tom",
    "I haven't paid 30 euros",
    "I can't come on 5 May",
    "my 3 sons don't smoke",
    "I won't take 20 mg",
]


@pytest.mark.parametrize("said", english(*SENTENCES))
def test_negations_numbers_and_names_stay(said: str) -> None:
    """As many as before, the same figures, the same names."""
    told = third_person(said)
    assert len(NEGATIONS.findall(told)) == len(NEGATIONS.findall(said))
    assert re.findall(r"\d+", told) == re.findall(r"\d+", said)
    assert ("Tom" in told) == ("Tom" in said)


@pytest.mark.parametrize(
    ("said", "negative"),
    turkish(
        ("2 arabam yok", "yok"),
        ("Bunu Mehmet'e söylemedim", "söylemedi"),
        ("30 lira ödemedim", "ödemedi"),
        ("5 Mayıs'ta gelemem", "gelemez"),
        ("Sigara içmiyorum", "içmiyor"),
        ("20 mg almayacağım", "almayacak"),
    ),
)
def test_turkish_negations_numbers_and_names_stay(said: str, negative: str) -> None:
    """The negation is in the verb and stays there."""
    told = third_person(said)
    assert negative in told
    assert re.findall(r"\d+", told) == re.findall(r"\d+", said)
    assert ("Mehmet'e" in told) == ("Mehmet'e" in said)


@NEITHER
@given(st.text())
def test_any_text_is_told(text: str) -> None:
    """Nothing fails, nothing is too long."""
    assert len(third_person(text)) <= LIMIT


CASES = [
    ("I am a nurse and I work at night", "Ada is a nurse and Ada works at night"),
    ("I'm tired, I've slept badly", "Ada is tired, Ada has slept badly"),
    ("I really like jazz", "Ada really likes jazz"),
    ("I watch TV, I try new food, I go out", "Ada watches TV, Ada tries new food, Ada goes out"),
    ("I went home and I put it away", "Ada went home and Ada put it away"),
    ("I can swim but I will not dive", "Ada can swim but Ada will not dive"),
    ("Do I need a visa?", "Does Ada need a visa?"),
    ("Should I stay, or am I late?", "Should Ada stay, or is Ada late?"),
    ("Tom and I like jazz", "Tom and Ada like jazz"),
    ("I live here and work at a bank", "Ada lives here and works at a bank"),
    ("I want to swim and run on the beach", "Ada wants to swim and run on the beach"),
    ("give me my pen, it is mine", "give Ada Ada's pen, it is Ada's"),
    ("I read about World War I", "Ada read about World War I"),
    ("Queen Elizabeth I was a queen to me", "Queen Elizabeth I was a queen to Ada"),
    ('I said "I love my job"', 'Ada said "I love my job"'),
    ("I saw My Fair Lady", "Ada saw My Fair Lady"),
    ("write me at me@my.org", "write Ada at me@my.org"),
    ("The sun is up", "The sun is up"),
    ("I need you to remind me", "Ada needs you to remind Ada"),
    ("I needed a visa", "Ada needed a visa"),
    ("I am 34 and have two kids", "Ada is 34 and has two kids"),
    ("I'm learning the cello and I love it", "Ada is learning the cello and Ada loves it"),
    ("It's cold here and I hate winter", "It's cold here and Ada hates winter"),
    ("My brother lives in Oslo and I miss him", "Ada's brother lives in Oslo and Ada misses him"),
    ("My friends and I play chess", "Ada's friends and Ada play chess"),
    ("I sail in summer and camp in autumn", "Ada sails in summer and camps in autumn"),
    ("I overcame it and I read a lot", "Ada overcame it and Ada read a lot"),
    ("My mine is a gold mine and the mine is mine", "Ada's mine is a gold mine and the mine is Ada's"),
]


@pytest.mark.parametrize(("said", "told"), english(*CASES))
def test_pronouns_verbs_and_owners(said: str, told: str) -> None:
    """The verb agrees, titles, numbers, quotations and addresses stay."""
    assert rewritten_english(said, "Ada") == told


@pytest.mark.parametrize(
    "said", english("We went home", "I told our boss", "I grok it", "let's go", "The team meets daily and I take notes")
)
def test_what_is_not_sure_is_not_rewritten(said: str) -> None:
    """Others are meant too, or the verb is not known."""
    assert rewritten_english(said, "Ada") is None


@ENGLISH
def test_words_of_the_first_person_are_known() -> None:
    """Singular and plural."""
    assert is_own("give it to me")
    assert is_own("our house")
    assert not is_own("the house")
