"""Whom and what a question is about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.classify.question import (
    asks_assistant,
    asks_time,
    is_first_person,
    named_speakers,
    without_speakers,
)
from tests.spoken import NEITHER, english, neither, turkish

ASKS_ENGLISH = [
    "What did you recommend for my back?",
    "Which restaurants had you suggested?",
    "Can you remind me of the name of that hotel?",
    "I'm checking our previous chat about Rome",
    "you told me about a book",
    "You’d mentioned a podcast",
]
ASKS_TURKISH = [
    "Bana ne önermiştin?",
    "Hangi oteli tavsiye ettin?",
    "Geçen konuşmamızda hangi kitap vardı?",
    "söylediğin restoranın adı neydi",
    "Otelin adını hatırlatır mısın?",
    "ne demistin",
]
OTHER_ENGLISH = [
    "Where did Caroline go?",
    "What did I tell you about my dog?",
    "Which books do I like?",
    "Did Caroline tell Melanie?",
]
OTHER_TURKISH = [
    "Ayşe nerede çalışıyor?",
    "Hangi filmi izledim?",
    "Kardeşimin adı ne?",
    "Sana köpeğim hakkında ne anlattım?",
    "Elif bunu Mert'e söyledi mi?",
]


@pytest.mark.parametrize("text", [*english(*ASKS_ENGLISH), *turkish(*ASKS_TURKISH)])
def test_asking_what_the_assistant_said(text: str) -> None:
    """You said, did you, remind me, our last conversation, in both languages."""
    assert asks_assistant(text)


@pytest.mark.parametrize("text", [*english(*OTHER_ENGLISH), *turkish(*OTHER_TURKISH), *neither("")])
def test_asking_something_else(text: str) -> None:
    """What others said, or the asker."""
    assert not asks_assistant(text)


@pytest.mark.parametrize(
    "text",
    [
        *english(
            "When did the boat leave?",
            "when was that",
            "Since when has she rowed?",
            "In which month did they marry?",
            "What time is the ferry?",
            "How long ago was the storm?",
        ),
        *turkish(
            "Tekne ne zaman gitti?",
            "o ne zamandı",
            "Ne zamandan beri kürek çekiyor?",
            "hangi gun evlendiler",
            "Feribot saat kaçta?",
            "Vapur kaçta kalkıyor?",
            "Ayın kaçında taşınıyoruz?",
            "Fırtına ne kadar zaman önce oldu?",
        ),
    ],
)
def test_asking_for_a_time(text: str) -> None:
    """When, which day, how long ago."""
    assert asks_time(text)


@pytest.mark.parametrize(
    "text",
    [
        *english("When I cook, which pan is best?", "What do I say when it rains?", "How long is the boat?"),
        *turkish(
            "Zaman nasıl geçti?",
            "Yemek yaparken hangi tava daha iyi?",
            "Yağmur yağdığında ne derim?",
            "Tekne ne kadar uzun?",
            "Bunların kaçta kaçı bitti?",
        ),
        *neither(""),
    ],
)
def test_asking_for_no_time(text: str) -> None:
    """A condition, a length, a fraction, and time itself."""
    assert not asks_time(text)


FIRST_ENGLISH = [
    "What is my name?",
    "Where do I live?",
    "Tell us about our trip",
    "I've been where?",
]
FIRST_TURKISH = [
    "Adım ne?",
    "Benim kedimin adı ne?",
    "Annem nereli?",
    "hangi ilacı kullanıyorum",
    "nereye tasindim",
    "Nerede çalışıyorduk?",
    "kaç yaşındayım",
    "Söylediğim şarkı hangisiydi?",
    "doktorumun adı neydi",
]
NOT_FIRST_ENGLISH = [
    "What is Caroline's job?",
    "Who won the US elections?",
    "Is it a mine field of yours?".replace("mine field", "minefield"),
]
NOT_FIRST_TURKISH = [
    "Ayşe nerede çalışıyor?",
    "Yardım hattının numarası nedir?",
    "Eğitim sistemi nasıl değişti?",
    "Resim ve bilim ne zaman başladı?",
    "Plastik nedir?",
    "Bu istatistik nereden?",
]


@pytest.mark.parametrize("text", [*english(*FIRST_ENGLISH), *turkish(*FIRST_TURKISH)])
def test_speaking_of_the_asker(text: str) -> None:
    """Pronouns, relatives, and Turkish verbs in the first person."""
    assert is_first_person(text)


@pytest.mark.parametrize("text", [*english(*NOT_FIRST_ENGLISH), *turkish(*NOT_FIRST_TURKISH), *neither("")])
def test_not_speaking_of_the_asker(text: str) -> None:
    """Neither the United States nor Turkish nouns that end like verbs."""
    assert not is_first_person(text)


NAMES = (
    "Caroline",
    "Melanie",
    "user",
    "assistant",
    "Will",
    "Can",
    "Ayşe Yılmaz",
    "Ali Kaya",
    "Ali Demir",
    "James",
    "İsmail",
)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        *english(
            ("What is Caroline's job?", ("Caroline",)),
            ("did CAROLINE see melanies kids", ("Caroline", "Melanie")),
            ("Melanie and Caroline", ("Caroline", "Melanie")),
            ("James' dog", ("James",)),
            ("What did Will say?", ("Will",)),
            ("Can we ask Can?", ("Can",)),
            ("Will you go? What can I do?", ()),
            ("what does the user tell the assistant", ()),
            ("Carolines-like Jamestown and Melaniexyz", ()),
        ),
        *turkish(
            ("Ayşe'nin kedisi", ("Ayşe Yılmaz",)),
            ("aysenin kedisi", ("Ayşe Yılmaz",)),
            ("Ayşe Yılmaz'a ne dedim", ("Ayşe Yılmaz",)),
            ("Ali ne dedi?", ("Ali Kaya", "Ali Demir")),
            ("Ali Kaya'nın evi", ("Ali Kaya",)),
            ("İsmail ile Caroline nerede buluştu?", ("Caroline", "İsmail")),
            ("ISMAIL nerede?", ("İsmail",)),
            ("ismail'e sor", ("İsmail",)),
            ("Caroline’ın işi", ("Caroline",)),
            ("Bugün Can geldi mi?", ("Can",)),
            ("Can'a sorabilir miyiz?", ("Can",)),
            ("Canım sıkkın, can sıkıntısına ne iyi gelir?", ()),
            ("Kullanıcı asistana ne dedi?", ()),
            ("Ayşegül Alibeyköy'de mi?", ()),
        ),
        *neither(("", ())),
    ],
)
def test_speakers_are_named_in_any_form(text: str, named: tuple[str, ...]) -> None:
    """By first name or in full, whole words only, roles never, in the order of the names given."""
    assert named_speakers(text, NAMES) == named


@NEITHER
def test_a_name_in_a_script_without_blanks_is_named_anywhere() -> None:
    """There are no words to compare with."""
    assert named_speakers("李明说了什么", ["李明", "王"]) == ("李明",)


@pytest.mark.parametrize(
    ("text", "names", "named"),
    [
        *english(
            ("what did Smith say", ["Dr. Smith", "Dr. Jones"], ("Dr. Smith",)),
            ("what did the dr say", ["Dr. Smith"], ()),
        ),
        *turkish(
            ("Yılmaz ne dedi", ["Prof. Yılmaz", "Prof. Kaya"], ("Prof. Yılmaz",)),
            ("prof ne dedi", ["Prof. Yılmaz"], ()),
        ),
    ],
)
def test_titles_are_no_first_names(text: str, names: list[str], named: tuple[str, ...]) -> None:
    """Dr. Smith is named by Smith, not by any doctor."""
    assert named_speakers(text, names) == named


@NEITHER
def test_without_names_none_is_named() -> None:
    """An empty scope has no speakers."""
    assert named_speakers("Caroline", []) == ()
    assert named_speakers("1 2 3", ["123", "", "!?"]) == ()


@NEITHER
@given(st.text(), st.lists(st.text(), max_size=4))
def test_any_text_and_names_are_read(text: str, names: list[str]) -> None:
    """Nothing fails, and only given names come back, each once."""
    named = named_speakers(text, names)
    assert set(named) <= set(names)
    assert len(set(named)) == len(named)
    assert asks_assistant(text) in (True, False)
    assert is_first_person(text) in (True, False)


@pytest.mark.parametrize(
    ("text", "names", "left"),
    [
        *english(
            ("Evan's son paint with Sam?", ["Evan"], "son paint with Sam?"),
            ("EVAN’S car, and evan too", ["Evan"], "car, and too"),
            ("camp with Jane Doe", ["Jane Doe"], "camp with"),
            ("will it rain where Will lives", ["Will"], "will it rain where lives"),
            ("the harbour", ["Evan"], "the harbour"),
            ("Evan's  car", [], "Evan's  car"),
        ),
        *turkish(
            ("Ayşe'nin annesi nereli?", ["Ayşe"], "annesi nereli?"),
            ("ELİF’İN arabası, elif de gelsin", ["Elif"], "arabası, de gelsin"),
            ("Ayşe Yılmaz ile kamp", ["Ayşe Yılmaz"], "ile kamp"),
            ("canım, Can nerede?", ["Can"], "canım, nerede?"),
            ("Can'ın kedisi, can dostum", ["Can"], "kedisi, can dostum"),
            ("liman yolu", ["Elif"], "liman yolu"),
            ("Elif'in  arabası", [], "Elif'in  arabası"),
        ),
        *neither(("Evan?", ["Evan"], "Evan?")),
    ],
)
def test_a_text_without_whom_it_names(text: str, names: list[str], left: str) -> None:
    """With any ending, in any case; a common word only as a name; a text of nothing else stays whole."""
    assert without_speakers(text, names) == left


@NEITHER
@given(st.text(), st.lists(st.text(min_size=1), max_size=3))
def test_leaving_names_out_never_fails(text: str, names: list[str]) -> None:
    """Nor does it add a word."""
    assert set(without_speakers(text, names).split()) <= set(text.split())
