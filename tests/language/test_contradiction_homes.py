"""Homes in towns that no list holds."""

from __future__ import annotations

import pytest

from reverie.language.contradiction import contradicts
from reverie.language.contradiction_homes import (
    city_around,
    denied_places,
    may_be_town,
    places,
    tells_of_move,
)
from tests.spoken import BOTH, english, turkish


@pytest.mark.parametrize(
    ("earlier", "later", "now"),
    [
        *english(
            ("My sister Meera lives in London.", "My sister Meera lives in Otley now.", "Otley"),
            (
                "My sister Meera lives in London.",
                "My sister Meera now lives in Bishops Stortford.",
                "Bishops Stortford",
            ),
            ("My sister Meera lives in Leeds.", "Actually, my sister Meera lives in Otley now, not Leeds.", "Otley"),
            ("My sister Meera lives in Leeds.", "My sister Meera lives in Otley, not Leeds.", "Otley"),
            ("My sister Meera lives in Leeds.", "My sister Meera relocated to Otley last week.", "Otley"),
            ("My sister lives in Otley.", "My sister lives in Whitby now.", "Whitby"),
            ("I live in Otley.", "I live in London these days.", "London"),
            ("I live in Boston.", "I moved to Nantucket.", "Nantucket"),
            ("I live in Otley.", "I just moved to London.", "London"),
            ("I live in Otley.", "I moved to London last week.", "London"),
            ("I live in Germany.", "I live in Otley, not Germany.", "Otley"),
            ("I live in London.", "I live in Camden now.", "Camden"),
            ("İstanbul'da yaşıyorum.", "I live in Otley now.", "Otley"),
        ),
        *turkish(
            ("Kız kardeşim Selin İzmir'de oturuyor.", "Kız kardeşim Selin artık Bodrum'da oturuyor.", "Bodrum"),
            ("Kız kardeşim Selin İzmir'de oturuyor.", "Kız kardeşim Selin Bodrum'a taşındı.", "Bodrum"),
            ("Selin İzmir'de oturuyor.", "Aslında Selin Alanya'da oturuyor, İzmir'de değil.", "Alanya"),
            ("Ablam İzmir'de oturuyor.", "Ablam İzmir'de değil Alanya'da oturuyor.", "Alanya"),
            ("Ablam İzmir'de oturuyor.", "Meğer yanlış söylemişim, ablam Alanya'da oturuyor.", "Alanya"),
            ("Meera İzmir'de oturuyor.", "Meera Fethiye'ye taşındı.", "Fethiye"),
            ("Ablam Fethiye'de oturuyor.", "Ablam artık Alanya'da oturuyor.", "Alanya"),
            ("Fethiye'de yaşıyorum.", "Şimdi Ankara'da yaşıyorum.", "Ankara"),
            ("Ankara'da yaşıyorum.", "Şu an Kadıköy'de yaşıyorum.", "Kadıköy"),
            ("Fethiye'de yaşıyorum.", "Nihayet Ankara'ya taşındım.", "Ankara"),
            ("Fethiye'de yaşıyorum.", "Geçen hafta Ankara'ya taşındım.", "Ankara"),
            ("Almanya'da yaşıyorum.", "Almanya'da değil Fethiye'de yaşıyorum.", "Fethiye"),
            ("I live in London.", "Artık Kadıköy'de yaşıyorum.", "Kadıköy"),
        ),
    ],
)
def test_a_town_of_no_list_takes_the_place_of_the_home_before(earlier: str, later: str, now: str) -> None:
    """Where the later says that it is new, or names the old place."""
    found = contradicts(earlier, later)
    assert found is not None
    assert (found.subject, found.now) == ("home", now)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("My sister lives in London.", "My sister lives in Camden."),
            ("My sister lives in London.", "My sister lives in Camden, London now."),
            ("My sister lives in London.", "My sister lives in Victorian houses now."),
            ("My sister lives in London.", "My sister moved to Anna's."),
            ("I live in London.", "I live in Baker Street now."),
            ("I live in London.", "I live in Otley for now."),
            ("I live in London.", "I also live in Otley now."),
            ("I live in London.", "I live in Excel these days."),
            ("I live in London.", "I moved to Google."),
            ("I live in London.", "I moved to Firefox last month."),
            ("I live in London.", "I moved to Marketing."),
            ("I live in London.", "We moved to Friday."),
            ("I live in London.", "I want to move to Otley."),
            ("I live in London.", "My company moved to Otley."),
            ("I live in Hackney.", "I moved to London."),
            ("I live in Germany.", "I live in Otley now."),
            ("I live in Otley.", "I live in Germany now."),
            ("I live in Europe.", "I live in Otley now."),
            ("I live in the UK.", "I live in England now."),
            ("I live in Texas.", "I live in Austin now."),
            ("Betlehem'de yaşıyorum.", "I live in Bethlehem now."),
        ),
        *turkish(
            ("İzmir'de oturuyorum.", "Karşıyaka'da oturuyorum."),
            ("İstanbul'da yaşıyorum.", "Artık İstanbul Kadıköy'de yaşıyorum."),
            ("İstanbul'da yaşıyorum.", "İstanbul Kadıköy'de yaşıyorum artık."),
            ("İzmir'de oturuyorum.", "Artık Ayşe'de oturuyorum."),
            ("İzmir'de oturuyorum.", "Şimdi Mado'da oturuyorum."),
            ("İzmir'de oturuyorum.", "Şimdilik Fethiye'de oturuyorum."),
            ("İzmir'de oturuyorum.", "Artık Bornova'da da oturuyorum."),
            ("İzmir'de oturuyorum.", "Artık yazları Çeşme'de oturuyorum."),
            ("İzmir'de oturuyorum.", "Google'a taşındım."),
            ("İzmir'de oturuyorum.", "Figma'ya taşındık."),
            ("İzmir'de oturuyorum.", "Pazarlama'ya taşındım."),
            ("İzmir'de oturuyorum.", "Cuma'ya taşındı."),
            ("İzmir'de oturuyorum.", "Fethiye'ye taşınmak istiyorum."),
            ("İzmir'de oturuyorum.", "Şirketim Fethiye'ye taşındı."),
            ("Kadıköy'de yaşıyorum.", "İstanbul'a taşındım."),
            ("Türkiye'de yaşıyorum.", "Artık Fethiye'de yaşıyorum."),
            ("Fethiye'de yaşıyorum.", "Artık Türkiye'de yaşıyorum."),
            ("Ege'de yaşıyorum.", "Artık Fethiye'de yaşıyorum."),
            ("Birleşik Krallık'ta yaşıyorum.", "Artık İngiltere'de yaşıyorum."),
            ("Teksas'ta yaşıyorum.", "Artık Austin'de yaşıyorum."),
            ("I live in Bethlehem.", "Artık Betlehem'de yaşıyorum."),
        ),
    ],
)
def test_what_may_be_no_other_home_takes_nothing_back(earlier: str, later: str) -> None:
    """A part of the city without a word of change, what is no town, what holds beside it, one place in the other."""
    assert contradicts(earlier, later) is None


@pytest.mark.parametrize(
    ("written", "behind", "language", "moved", "may"),
    [
        *english(
            ("Otley", " now.", "en", True, True),
            ("Otley", ".", "en", True, True),
            ("Victorian", " houses", "en", False, False),
            ("Google", ".", "en", True, False),
            ("May", ".", "en", True, False),
            ("Sales", ".", "en", True, False),
            ("Bishops Stortford Old", ".", "en", False, False),
            ("Building B", " now", "en", False, False),
        ),
        *turkish(
            ("Fethiye", "'de oturuyor", "tr", False, True),
            ("Fethiye", "’ye taşındı", "tr", True, True),
            ("Fethiye", "de oturuyor", "tr", False, False),
            ("Figma", "'ya taşındık", "tr", True, False),
            ("Mayıs", "'a taşındı", "tr", True, False),
            ("Ayşe", "'de oturuyor", "tr", False, False),
            ("Pazarlama", "'ya taşındı", "tr", True, False),
            ("Gül Sokak", "'ta oturuyor", "tr", False, False),
        ),
    ],
)
def test_a_name_that_may_be_a_town(written: str, behind: str, language: str, *, moved: bool, may: bool) -> None:
    """One or two words that no list knows as something else, with nothing behind that makes them another thing."""
    assert may_be_town(written, behind, language, moved=moved) == may


@BOTH
def test_what_is_said_beside_a_town() -> None:
    """The city around it, a change, and the places that are denied."""
    assert city_around(", London now") == "london"
    assert city_around(", Ohio") == city_around(" now") == ""
    assert tells_of_move("she lives in otley now", "en")
    assert tells_of_move("artik fethiye'de oturuyor", "tr")
    assert not tells_of_move("su an fethiye'de oturuyor", "tr")
    assert "leeds" in denied_places("She lives in Otley, not Leeds.", "en")
    assert {"izmir", "selin izmir"} == denied_places("Selin İzmir'de değil Alanya'da oturuyor.", "tr")
    assert places()["teksas"] == places()["texas"] == ("state", "texas")
