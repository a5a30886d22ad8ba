"""Whom a message names, whom it calls, and whom it speaks of without a name."""

from __future__ import annotations

import pytest

from reverie.encode.statements import has_person
from reverie.recipes.published.v9.coreference import antecedents, hides_somebody, speaks_of_somebody, spoken_of
from tests.spoken import english, turkish


@pytest.mark.req("D12")
@pytest.mark.parametrize(
    ("text", "names"),
    [
        *english(
            ("I met Maya Demir in Oslo.", ["Maya Demir", "Oslo"]),
            ("Hey Maya, she is in Oslo.", ["Oslo"]),
            ("Thanks, Maya! She called.", []),
            ("Maya Demir called, thanks!", ["Maya Demir"]),
            ("My wife Lena is pregnant.", ["Lena"]),
        ),
        *turkish(
            ("Maya Demir ile Oslo'da tanıştım.", ["Maya Demir", "Oslo"]),
            ("Merhaba Ayşe, o Oslo'da.", ["Oslo"]),
            ("Teşekkürler, Ayşe! Aradı.", []),
            ("Ayşe Kaya aradı, teşekkürler!", ["Ayşe Kaya"]),
            ("Oğlum Rüzgar okula başladı.", ["Rüzgar"]),
        ),
    ],
)
def test_who_is_called_is_not_named(text: str, names: list[str]) -> None:
    """One speaks to somebody as "you", and of somebody as "she"."""
    assert [one.name for one in antecedents(text)] == names


@pytest.mark.parametrize(
    ("text", "somebody"),
    [
        *english(
            ("My sister is ill.", True),
            ("My boss is ill.", True),
            ("The kite is red.", False),
            ("My wife Lena is pregnant.", False),
            ("My wife Lena called my sister.", True),
            ("My wife loves Lena.", True),
            ("My nana is ill.", True),
            ("My stepmom moved to Izmir.", True),
        ),
        *turkish(
            ("Kardeşim hasta.", True),
            ("Patronum hasta.", True),
            ("Uçurtma kırmızı.", False),
            ("Eşim Lena hamile.", False),
            ("Eşim Lena kardeşimi aradı.", True),
            ("Eşim Oslo'yu seviyor.", True),
            ("Damadım İzmir'e taşındı.", True),
            ("Yengem hasta.", True),
            ("Kaynanam Ankara'dan geldi.", True),
            ("Bacanağım hasta.", True),
        ),
    ],
)
def test_somebody_without_a_name(text: str, somebody: bool) -> None:
    """A noun for a person."""
    assert speaks_of_somebody(text) is somebody


@pytest.mark.parametrize("noun", [*english("sister", "teachers"), *turkish("kardesimin", "ogretmenler")])
def test_a_noun_for_a_person_is_known(noun: str) -> None:
    """With its endings; the words come without diacritics."""
    assert has_person(["red", noun])
    assert not has_person(["red", "kite"])


@pytest.mark.req("D12")
@pytest.mark.parametrize(
    ("text", "unsure"),
    [
        *english(
            ("Did Greg call?", True),
            ("Greg called.", False),
            ("Greg called. Did Greg write, too?", False),
            ("Is Notion any good?", False),
        ),
        *turkish(
            ("Kerem aradı mı?", True),
            ("Kerem aradı.", False),
            ("Kerem aradı. Kerem yazdı mı?", False),
            ("Google güzel mi?", False),
        ),
    ],
)
def test_a_person_is_unsure_whom_only_a_question_names(text: str, unsure: bool) -> None:
    """The answer may go on of somebody else."""
    assert [one.unsure for one in antecedents(text)] == [unsure]


@pytest.mark.req("D12")
@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        *english(
            ("My daughter has a fever.", True),
            ("Our younger son is ill.", True),
            ("Did Greg call her?", True),
            ("The developer is ill.", False),
            ("My daughter Lena has a fever.", False),
            ("Greg called.", False),
        ),
        *turkish(
            ("Kızımın ateşi var.", True),
            ("Patronumuz hasta.", True),
            ("Kerem onu aradı mı?", True),
            ("Doktor hasta.", False),
            ("Kızım Rüzgar okula başladı.", False),
            ("Kerem aradı.", False),
        ),
    ],
)
def test_somebody_of_the_speakers_without_a_name_is_remembered(text: str, hidden: bool) -> None:
    """My daughter, and the "her" whom somebody calls."""
    assert hides_somebody(text) is hidden


@pytest.mark.parametrize(
    ("texts", "names"),
    [
        (["Maya Demir moved to Oslo."], ["Maya Demir", "Oslo"]),
        (["Maya Demir moved to Oslo.", "My sister is ill."], ["Oslo"]),
        (["Maya Demir called.", "ok", "ok", "ok", "ok"], []),
        (["Ayşe Kaya Oslo'ya taşındı."], ["Ayşe Kaya", "Oslo"]),
        (["Ayşe Kaya Oslo'ya taşındı.", "Kardeşim hasta."], ["Oslo"]),
        (["Mehmet dün Oslo'ya geldi.", "Damadım hasta."], ["Oslo"]),
        (["Mehmet dün Oslo'ya geldi.", "Kaynanam hasta."], ["Oslo"]),
        (["Maya Demir moved to Oslo.", "My stepmom is ill."], ["Oslo"]),
        (["Ayşe Kaya aradı.", "tamam", "tamam", "tamam", "tamam"], []),
        (["My sister is ill.", "Maya Demir moved to Oslo."], ["Oslo"]),
        (["My sister is ill.", "ok", "ok", "ok", "Maya Demir called."], ["Maya Demir"]),
        (["Did Maya Demir call her?"], []),
        (["Kızım hasta.", "Ayşe Kaya Oslo'ya taşındı."], ["Oslo"]),
        (["Kızım hasta.", "tamam", "tamam", "tamam", "Ayşe Kaya aradı."], ["Ayşe Kaya"]),
        (["Ayşe Kaya onu aradı mı?"], []),
    ],
)
def test_names_serve_pronouns_for_a_few_messages(texts: list[str], names: list[str]) -> None:
    """Until somebody without a name is spoken of: then "she" may be that one."""
    assert [name.name for name in spoken_of(texts[-4:])] == names
