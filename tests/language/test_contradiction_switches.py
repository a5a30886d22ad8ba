"""What a sentence says was replaced by what."""

from __future__ import annotations

import pytest

from reverie.language.contradiction_switches import switches
from reverie.language.letters import plain
from tests.spoken import english, turkish


def replaced(sentence: str, language: str) -> list[tuple[str, str]]:
    """The old and the new as written."""
    return [(switch.written_was, switch.written_now) for switch in switches(sentence, plain(sentence), language)]


@pytest.mark.parametrize(
    ("language", "sentence", "expected"),
    [
        *english(
            ("en", "We switched from Slack to Teams.", [("Slack", "Teams")]),
            ("en", "Sorry, I meant Bruno, not Rex.", [("Rex", "Bruno")]),
            ("en", "I take the 7:45 train, not 7:15.", [("7:15", "7:45 train")]),
            ("en", "I meant 43, not 42.", [("42", "43")]),
            ("en", "The bakery opens at 7 instead of 6.", [("6", "7")]),
        ),
        *turkish(
            ("tr", "Slack'ten Teams'e geçtik.", [("Slack", "Teams")]),
            ("tr", "Pardon, Paşa değil Karabaş.", [("Paşa", "Karabaş")]),
            ("tr", "7:15 değil, 7:45 trenine biniyorum.", [("7:15", "7:45")]),
            ("tr", "42 değil 43 demek istedim.", [("42", "43")]),
            ("tr", "Fırın 6 yerine 7'de açılıyor.", [("6", "7")]),
        ),
    ],
)
def test_the_old_and_the_new(language: str, sentence: str, expected: list[tuple[str, str]]) -> None:
    """A name for a name, a number for a number, without what stands before it."""
    assert replaced(sentence, language) == expected


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        *english(
            ("en", "No, not Elif, I meant Anna is the doctor."),
            ("en", "I meant Anna is the doctor, not Elif."),
            ("en", "Nope, not Rex."),
            ("en", "Well, not 42, I meant something else."),
            ("en", "Today the bakery opens at 7 instead of 6."),
            ("en", "The bakery opened at 7 instead of 6."),
            ("en", "On Sundays the bakery opens at 7 instead of 6."),
        ),
        *turkish(
            ("tr", "Hayır, Elif değil, doktoru sordum."),
            ("tr", "Hayır, Paşa değil, kediyi sordum."),
            ("tr", "Yok, Paşa değil."),
            ("tr", "Pardon, 42 değil, başka bir şey demek istedim."),
            ("tr", "Fırın bugün 6 yerine 7'de açılıyor."),
            ("tr", "Fırın 6 yerine 7'de açıldı."),
            ("tr", "Pazarları fırın 6 yerine 7'de açılıyor."),
        ),
    ],
)
def test_a_word_of_talk_or_another_thing_is_no_value(language: str, sentence: str) -> None:
    """Who only says no replaces nothing; nor does what was so once, or is so for a part of the time."""
    assert replaced(sentence, language) == []


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        *english(
            ("en", "I never switched from Firefox to Chrome."),
            ("en", "We haven't switched from Slack to Teams yet."),
            ("en", "I nearly switched from Firefox to Chrome."),
            ("en", "We should have switched from React to Vue."),
            ("en", "In 2015 I switched from Firefox to Chrome."),
            ("en", "It went from Slack to Teams."),
            ("en", "The price might be 7 instead of 6."),
        ),
        *turkish(
            ("tr", "Firefox'tan Chrome'a hiç geçmedim."),
            ("tr", "Slack'ten Teams'e geçmedik."),
            ("tr", "Az kalsın Slack'ten Teams'e geçiyorduk."),
            ("tr", "React'ten Vue'ya geçmeliydik."),
            ("tr", "2015'te Firefox'tan Chrome'a geçtim."),
            ("tr", "Slack'ten Teams'e geçti."),
            ("tr", "Fiyatı 6 yerine 7 olabilir."),
        ),
    ],
)
def test_what_never_was_or_was_long_ago_or_of_nobody_replaces_nothing(language: str, sentence: str) -> None:
    """Denied, nearly so, wished, of another time, of who knows whom."""
    assert replaced(sentence, language) == []


@pytest.mark.parametrize(
    ("language", "sentence", "speaker", "things", "rest"),
    [
        *english(
            ("en", "We moved the site from Heroku to Fly last month.", True, {"site"}, {"site"}),
            ("en", "The site moved from Heroku to Fly.", False, {"site"}, {"site"}),
            ("en", "Our team switched from Slack to Teams at work.", True, set(), {"work"}),
        ),
        *turkish(
            ("tr", "Geçen ay sitede Heroku'dan Fly'a geçtik.", True, set(), {"site"}),
            ("tr", "Site Heroku'dan Fly'a geçti.", False, {"site"}, {"site"}),
            ("tr", "Ekibimiz Slack'ten Teams'e geçti.", True, set(), set()),
        ),
    ],
)
def test_who_exchanges_what(language: str, sentence: str, speaker: bool, things: set[str], rest: set[str]) -> None:
    """The speaker, a thing of theirs, and all that tells where; when it was is no part of it."""
    (switch,) = switches(sentence, plain(sentence), language)
    assert switch.exchange is not None
    assert (switch.exchange.speaker, switch.exchange.things, switch.exchange.rest) == (speaker, things, rest)
