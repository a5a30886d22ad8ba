"""Whether a text names a person, in English and Turkish."""

from __future__ import annotations

import pytest

from reverie.language.names.people import names, naming
from tests.spoken import NEITHER, english, neither, turkish

NAMED = [
    *turkish(
        ("Elif", "Elif'in kedisi uyuyor."),
        ("Elif", "Dün ELİF’le konuştum."),
        ("elif", "Elifin kedisi, Elif'ten büyük."),
        ("Elif", "Elife'i değil, Elif'i gördüm."),
        ("Çiğdem", "cigdem aradı"),
        ("ışık", "IŞIK'a söyle"),
        ("Deniz Aydın", "Deniz Aydın'ın evi"),
    ),
    *english(
        ("Ada", "@ada, Ada's kite"),
        ("@ada", "Ada flew."),
        ("Ada Lovelace", "ada\nlovelace's engine"),
        ("José", "JOSE\u0301 wrote"),
        ("O'Brien", "O’Brien's boat"),
        ("Al", "Al's boat"),
        ("A.B. (x)", "by A.B. (x) himself"),
    ),
]
NOT_NAMED = [
    *turkish(("Elif", "Elifnur aradı."), ("Ada", "Adaçayı içtim"), ("Deniz Aydın", "Deniz ile Aydın geldi")),
    *english(("Ada", "Adam's canada adamant"), ("Al", "Ali, Alda and all"), ("Ada Lovelace", "Ada met Lovelace")),
    *neither((".*", "anything"), ("", "anything")),
]


@pytest.mark.parametrize(("name", "text"), NAMED)
def test_a_name_is_found_however_it_is_written(name: str, text: str) -> None:
    """Case, marks, apostrophes, Turkish endings, @; a name is no pattern."""
    assert naming(name)(text)


@pytest.mark.parametrize(("name", "text"), NOT_NAMED)
def test_another_word_is_nobody(name: str, text: str) -> None:
    """What only begins alike, or holds the name, is somebody else."""
    assert not naming(name)(text)


@NEITHER
def test_an_address_of_an_entity_names_by_its_end() -> None:
    """Its kind is no name."""
    assert names(naming("Elif Aydın"), ["entity://person/elif-aydin"])
    assert not names(naming("person"), ["entity://person/elif-aydin"])
