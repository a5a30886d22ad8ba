"""Whom and what a question is about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.question import asks_assistant, asks_time, is_first_person, named_speakers, without_speakers

ASKS = [
    "What did you recommend for my back?",
    "Which restaurants had you suggested?",
    "Can you remind me of the name of that hotel?",
    "I'm checking our previous chat about Rome",
    "you told me about a book",
    "You’d mentioned a podcast",
    "Bana ne önermiştin?",
    "Hangi oteli tavsiye ettin?",
    "Geçen konuşmamızda hangi kitap vardı?",
    "söylediğin restoranın adı neydi",
    "Otelin adını hatırlatır mısın?",
    "ne demistin",
]
DOES_NOT_ASK = [
    "Where did Caroline go?",
    "What did I tell you about my dog?",
    "Which books do I like?",
    "Ayşe nerede çalışıyor?",
    "Hangi filmi izledim?",
    "Kardeşimin adı ne?",
    "",
    "Did Caroline tell Melanie?",
]


@pytest.mark.parametrize("text", ASKS)
def test_asking_what_the_assistant_said(text: str) -> None:
    """You said, did you, remind me, our last conversation, in both languages."""
    assert asks_assistant(text)


@pytest.mark.parametrize("text", DOES_NOT_ASK)
def test_asking_something_else(text: str) -> None:
    """What others said, or the asker."""
    assert not asks_assistant(text)


@pytest.mark.parametrize(
    "text",
    [
        "When did the boat leave?",
        "when was that",
        "Since when has she rowed?",
        "In which month did they marry?",
        "What time is the ferry?",
        "How long ago was the storm?",
        "Tekne ne zaman gitti?",
        "hangi gun evlendiler",
        "Feribot saat kaçta?",
        "Fırtına ne kadar zaman önce oldu?",
    ],
)
def test_asking_for_a_time(text: str) -> None:
    """When, which day, how long ago."""
    assert asks_time(text)


@pytest.mark.parametrize(
    "text",
    [
        "When I cook, which pan is best?",
        "What do I say when it rains?",
        "How long is the boat?",
        "Zaman nasıl geçti?",
        "",
    ],
)
def test_asking_for_no_time(text: str) -> None:
    """A condition, a length, and time itself."""
    assert not asks_time(text)


FIRST = [
    "What is my name?",
    "Where do I live?",
    "Tell us about our trip",
    "I've been where?",
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
NOT_FIRST = [
    "What is Caroline's job?",
    "Who won the US elections?",
    "",
    "Is it a mine field of yours?".replace("mine field", "minefield"),
    "Ayşe nerede çalışıyor?",
    "Yardım hattının numarası nedir?",
    "Eğitim sistemi nasıl değişti?",
    "Resim ve bilim ne zaman başladı?",
    "Plastik nedir?",
    "Bu istatistik nereden?",
]


@pytest.mark.parametrize("text", FIRST)
def test_speaking_of_the_asker(text: str) -> None:
    """Pronouns, relatives, and Turkish verbs in the first person."""
    assert is_first_person(text)


@pytest.mark.parametrize("text", NOT_FIRST)
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
        ("What is Caroline's job?", ("Caroline",)),
        ("did CAROLINE see melanies kids", ("Caroline", "Melanie")),
        ("Melanie and Caroline", ("Caroline", "Melanie")),
        ("Ayşe'nin kedisi", ("Ayşe Yılmaz",)),
        ("aysenin kedisi", ("Ayşe Yılmaz",)),
        ("Ayşe Yılmaz'a ne dedim", ("Ayşe Yılmaz",)),
        ("Ali ne dedi?", ("Ali Kaya", "Ali Demir")),
        ("Ali Kaya'nın evi", ("Ali Kaya",)),
        ("James' dog", ("James",)),
        ("ISMAIL nerede?", ("İsmail",)),
        ("ismail'e sor", ("İsmail",)),
        ("Caroline’ın işi", ("Caroline",)),
        ("What did Will say?", ("Will",)),
        ("Can we ask Can?", ("Can",)),
        ("Will you go? What can I do?", ()),
        ("what does the user tell the assistant", ()),
        ("Carolines-like Jamestown and Melaniexyz", ()),
        ("", ()),
    ],
)
def test_speakers_are_named_in_any_form(text: str, named: tuple[str, ...]) -> None:
    """By first name or in full, whole words only, roles never, in the order of the names given."""
    assert named_speakers(text, NAMES) == named


def test_a_name_in_a_script_without_blanks_is_named_anywhere() -> None:
    """There are no words to compare with."""
    assert named_speakers("李明说了什么", ["李明", "王"]) == ("李明",)


def test_titles_are_no_first_names() -> None:
    """Dr. Smith is named by Smith, not by any doctor."""
    assert named_speakers("what did Smith say", ["Dr. Smith", "Dr. Jones"]) == ("Dr. Smith",)
    assert named_speakers("what did the dr say", ["Dr. Smith"]) == ()


def test_without_names_none_is_named() -> None:
    """An empty scope has no speakers."""
    assert named_speakers("Caroline", []) == ()
    assert named_speakers("1 2 3", ["123", "", "!?"]) == ()


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
        ("Evan's son paint with Sam?", ["Evan"], "son paint with Sam?"),
        ("EVAN’S car, and evan too", ["Evan"], "car, and too"),
        ("Ayşe'nin annesi nereli?", ["Ayşe"], "annesi nereli?"),
        ("camp with Jane Doe", ["Jane Doe"], "camp with"),
        ("will it rain where Will lives", ["Will"], "will it rain where lives"),
        ("Evan?", ["Evan"], "Evan?"),
        ("the harbour", ["Evan"], "the harbour"),
        ("Evan's  car", [], "Evan's  car"),
    ],
)
def test_a_text_without_whom_it_names(text: str, names: list[str], left: str) -> None:
    """With any ending, in any case; a common word only as a name; a text of nothing else stays whole."""
    assert without_speakers(text, names) == left


@given(st.text(), st.lists(st.text(min_size=1), max_size=3))
def test_leaving_names_out_never_fails(text: str, names: list[str]) -> None:
    """Nor does it add a word."""
    assert set(without_speakers(text, names).split()) <= set(text.split())
