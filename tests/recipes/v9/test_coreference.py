"""Pronouns made names, where only one name fits."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.recipes.published.v9.coreference import Antecedent, acts_on_another, borne_by, resolved
from tests.spoken import NEITHER, english, turkish

ALICE = (Antecedent("Alice", "person"),)
AYSE = (Antecedent("Ayşe", "person"),)
ALICE_AND_NOTION = (Antecedent("Alice", "person"), Antecedent("Notion", "product"))
GREG = (Antecedent("Greg", "person", borne_by="men"),)
ASKED = (Antecedent("Kerem", "person", unsure=True),)
ASKED_OF = (Antecedent("Alice", "person", unsure=True, borne_by="women"),)
REPLACED = [
    *english(
        ("She moved to Oslo.", ALICE, "Alice moved to Oslo."),
        ("He's been tired.", ALICE, "Alice has been tired."),
        ("She's happy.", ALICE, "Alice is happy."),
        ("She's lent it.", ALICE, "Alice has lent it."),
        ("She's moved to Oslo.", ALICE, "Alice has moved to Oslo."),
        ("She'll come.", ALICE, "Alice will come."),
        ("I like his dog.", ALICE, "I like Alice's dog."),
        ("We met at her house.", ALICE, "We met at Alice's house."),
        ("It supports markdown.", ALICE_AND_NOTION, "Notion supports markdown."),
        ("It is fast.", ALICE_AND_NOTION, "Notion is fast."),
        ("It was expensive and we left.", ALICE_AND_NOTION, "Notion was expensive and we left."),
        ("It's written in C.", ALICE_AND_NOTION, "Notion is written in C."),
        ("Greg is a doctor. He lives in Hull.", GREG, "Greg is a doctor. Greg lives in Hull."),
        ("Its price went up.", ALICE_AND_NOTION, "Notion's price went up."),
        ("Alice called. She is fine.", ALICE, "Alice called. Alice is fine."),
        ("My wife Alice called. She is fine.", ALICE, "My wife Alice called. Alice is fine."),
        ("He lives in Hull.", GREG, "Greg lives in Hull."),
        ("She lives in Hull.", ASKED_OF, "Alice lives in Hull."),
        ("Alice works here and his dog is ill.", ALICE, "Alice works here and Alice's dog is ill."),
    ),
    *turkish(
        ("O İzmir'de yaşıyor.", AYSE, "Ayşe İzmir'de yaşıyor."),
        ("O çok mutlu.", AYSE, "Ayşe çok mutlu."),
        ("Yengem Ayşe aradı. O şimdi iyi.", AYSE, "Yengem Ayşe aradı. Ayşe şimdi iyi."),
        ("O caz seviyor.", AYSE, "Ayşe caz seviyor."),
        ("O çay içiyor.", AYSE, "Ayşe çay içiyor."),
        ("Ayşe doktor. O İzmir'de yaşıyor.", AYSE, "Ayşe doktor. Ayşe İzmir'de yaşıyor."),
        ("O çalışıyor.", AYSE, "Ayşe çalışıyor."),
        ("Onun evi büyük.", AYSE, "Ayşe'nin evi büyük."),
        ("Onu gördüm.", AYSE, "Ayşe'yi gördüm."),
        ("Ona kitap verdim.", AYSE, "Ayşe'ye kitap verdim."),
        ("Ondan haber aldım.", AYSE, "Ayşe'den haber aldım."),
        ("Onda para var.", AYSE, "Ayşe'de para var."),
        ("Ayşe aradı. O şimdi iyi.", AYSE, "Ayşe aradı. Ayşe şimdi iyi."),
        ("Eşim Ayşe aradı. O şimdi iyi.", AYSE, "Eşim Ayşe aradı. Ayşe şimdi iyi."),
        ("Ayşe ondan sonra geldi. O şimdi iyi.", AYSE, "Ayşe ondan sonra geldi. Ayşe şimdi iyi."),
        ("Ayşe iyi, onu pazarda gördüm.", AYSE, "Ayşe iyi, Ayşe'yi pazarda gördüm."),
        ("Ayşe geldi. Ona kitap verdim.", AYSE, "Ayşe geldi. Ayşe'ye kitap verdim."),
    ),
]
KEPT = [
    *english(
        ("I gave her flowers.", ALICE),
        ("I told her yesterday.", ALICE),
        ("It is raining.", ALICE_AND_NOTION),
        *((f"It is {word}.", ALICE_AND_NOTION) for word in ("late", "cold", "important", "sunny", "hard", "true")),
        ("It is important that we go.", ALICE_AND_NOTION),
        ("It is fast.", (*ALICE_AND_NOTION, Antecedent("Redis", "product"))),
        ("It is fast.", ALICE),
        ("It is cold in Oslo.", ALICE_AND_NOTION),
        ("Alice met a doctor. He was late.", ALICE),
        ("It was a good day.", ALICE_AND_NOTION),
        ("A castle with its own lake.", ALICE_AND_NOTION),
        ("She and he left.", ALICE),
        ('"She left", I read.', ALICE),
        ("My brother called. He is moving.", ALICE),
        ("My boss met Alice. She was late.", ALICE),
        ("Bob came. He was late.", ALICE),
        ("She moved.", (*ALICE, Antecedent("Carol", "person"))),
        ("She moved.", (Antecedent("Notion", "product"),)),
        ("They moved.", ALICE),
        ("She prefers chocolate.", GREG),
        ("I like her.", GREG),
        ("He lives in Hull.", ASKED_OF),
        ("He lives in Hull.", ASKED),
        ("Greg sent him flowers. He prefers chocolate.", GREG),
        ("Alice told her everything. She was shocked.", ALICE),
        ("Greg told his assistant to wait.", GREG),
        ("He called Greg at home.", GREG),
        ("She moved.", ()),
    ),
    *turkish(
        ("O araba çalışıyor.", AYSE),
        ("O adam çay seviyor.", AYSE),
        ("O doktor seviyor.", AYSE),
        ("O caz seviyor.", (*AYSE, Antecedent("Kerem", "person"))),
        ("Ayşe annesini aradı. O iyi.", AYSE),
        ("O gün eve geldi.", AYSE),
        ("Patronum dün Ayşe'yi aradı. Onun işi bitti.", AYSE),
        ("O kedi güzel.", AYSE),
        ("O zaman gidelim.", AYSE),
        ("O adı duydum.", AYSE),
        ("Onun için geldim.", AYSE),
        ("Ondan sonra gittik.", AYSE),
        ('"Onu gördüm" yazıyor.', AYSE),
        ("Kardeşim aradı. O geliyor.", AYSE),
        ("Damadım aradı. O geliyor.", AYSE),
        ("Kayınbiraderim aradı. O geliyor.", AYSE),
        ("Mehmet geldi. Onu gördüm.", AYSE),
        ("Onu gördüm.", (*AYSE, Antecedent("Ali", "person"))),
        ("Onu gördüm.", (*AYSE, Antecedent("Notion", "product"))),
        ("Onlar taşındı.", AYSE),
        ("O Bursa'da yaşıyor.", ASKED),
        ("Onu pazarda gördüm.", ASKED),
        ("Kerem ona çiçek gönderdi. O çikolata seviyor.", (Antecedent("Kerem", "person"),)),
        ("Ayşe onu dün aradı. Onu çok seviyor.", AYSE),
        ("Ayşe onun evinde.", AYSE),
        ("Kerem onu aradı.", (Antecedent("Kerem", "person"),)),
        ("O Oslo'da yaşıyor.", (Antecedent("Oslo", "place"),)),
        ("O Ayşe'yi çok seviyor.", AYSE),
        ("Onu gördüm.", ()),
        ("O onu sevdiğini söyledi.", AYSE),
    ),
]


@pytest.mark.req("D12")
@pytest.mark.parametrize(("text", "antecedents", "made"), REPLACED)
def test_a_pronoun_becomes_the_name_it_stands_for(text: str, antecedents: tuple[Antecedent, ...], made: str) -> None:
    """Subjects and possessives, with their endings."""
    assert resolved(text, antecedents) == made


@pytest.mark.req("D12")
@pytest.mark.parametrize(("text", "antecedents"), KEPT)
def test_what_may_be_somebody_else_stays(text: str, antecedents: tuple[Antecedent, ...]) -> None:
    """Objects, weather, "that day", two that fit, strangers, relatives, quotations, nobody known or known for sure."""
    assert resolved(text, antecedents) == text


@pytest.mark.parametrize(
    ("text", "antecedents", "made"),
    [
        *english(
            ("She's in. She is out.", ALICE, "Alice is in. Alice is out."),
            ("She said she slept.", ALICE, "Alice said she slept."),
        ),
        *turkish(
            ("O uyuyor. O çok yorgun.", AYSE, "Ayşe uyuyor. Ayşe çok yorgun."),
            ("Onu aradım, ona anlattım.", AYSE, "Ayşe'yi aradım, ona anlattım."),
        ),
    ],
)
def test_one_pronoun_a_sentence(text: str, antecedents: tuple[Antecedent, ...], made: str) -> None:
    """Each fact gets its name once; who else is meant in it nobody knows."""
    assert resolved(text, antecedents) == made


@pytest.mark.parametrize(
    ("text", "persons", "another"),
    [
        *english(
            ("Did Greg call her?", ["Greg"], True),
            ("Has Dr. Miller seen him?", ["Miller"], True),
            ("Alice sent her flowers.", ["Alice"], True),
            ("Alice washed her car.", ["Alice"], False),
            ("I met Greg and liked him.", ["Greg"], False),
            ("Greg called.", [], False),
        ),
        *turkish(
            ("Kerem onu aradı mı?", ["Kerem"], True),
            ("Kerem dün ona çiçek aldı.", ["Kerem"], True),
            ("Ayşe onunla konuştu.", ["Ayşe"], True),
            ("Ayşe arabasını yıkadı.", ["Ayşe"], False),
            ("Ayşe ile tanıştım ve onu sevdim.", ["Ayşe"], False),
            ("Onu Kerem'e sordum.", ["Kerem"], False),
        ),
    ],
)
def test_who_acts_on_a_pronoun_is_not_who_it_means(text: str, persons: list[str], another: bool) -> None:
    """A later "she" may be that one; a woman's own car is no other person."""
    assert acts_on_another(text, persons) is another


@pytest.mark.parametrize(
    ("name", "bearers"),
    [
        *english(("Greg Miller", "men"), ("Alice", "women"), ("Alex", ""), ("Miller", ""), ("", "")),
        *turkish(("Mehmet", "men"), ("Ali", "men"), ("Fatma", "women"), ("Zeynep", "women"), ("Emine", "women")),
        *turkish(("Kerem Kaya", "men"), ("Ayşe", "women"), ("Deniz", ""), ("Kaya", ""), ("İlkay", "")),
    ],
)
def test_whose_a_name_is(name: str, bearers: str) -> None:
    """By the given name; of what both bear nothing is said."""
    assert borne_by(name) == bearers


@NEITHER
@given(st.text(max_size=200))
def test_a_text_without_pronouns_is_untouched(text: str) -> None:
    """Whatever else it holds."""
    text = text.lower().replace("o", "0").replace("he", "").replace("hi", "").replace("it", "")
    assert resolved(text, ALICE_AND_NOTION).split() == unicodedata.normalize("NFC", text).split()
