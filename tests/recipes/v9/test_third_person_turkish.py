"""Turkish from the first person to the third."""

from __future__ import annotations

import pytest

from reverie.recipes.published.v9.third_person_turkish import rewritten_turkish
from tests.spoken import turkish

CASES = [
    ("Gece çalışıyorum ve yoruluyorum", "Kullanıcı gece çalışıyor ve yoruluyor"),
    ("Dün eve geldim ama uyumadım", "Kullanıcı dün eve geldi ama uyumadı"),
    ("Yarın İzmir'e gideceğim", "Kullanıcı yarın İzmir'e gidecek"),
    ("Kahve içerim, bira içmem", "Kullanıcı kahve içer, bira içmez"),
    ("Bugün yüzebilirim ama koşamam", "Kullanıcı bugün yüzebilir ama koşamaz"),
    ("Artık uyumalıyım", "Kullanıcı artık uyumalı"),
    ("Evliyim ve mutluyum", "Kullanıcı evli ve mutlu"),
    ("Şimdi evdeyim", "Kullanıcı şimdi evde"),
    ("mutlu değilim", "Kullanıcı mutlu değil"),
    ("Ben öğretmenim", "Kullanıcı öğretmen"),
    ("Annem dün geldi", "Kullanıcının annesi dün geldi"),
    ("Annemi aradım", "Kullanıcı annesini aradı"),
    ("Yengem dün geldi", "Kullanıcının yengesi dün geldi"),
    ("Kaynanamı aradım", "Kullanıcı kaynanasını aradı"),
    ("Damadımla konuştum", "Kullanıcı damadıyla konuştu"),
    ("Kardeşlerim dün geldi", "Kullanıcının kardeşleri dün geldi"),
    ("Köpeğimi gezdirdim", "Kullanıcı köpeğini gezdirdi"),
    ("Gittiğim yer güzeldi", "Kullanıcının gittiği yer güzeldi"),
    ("Bana 3 elma ver", "Kullanıcıya 3 elma ver"),
    ('Mehmet\'e "seni seviyorum" dedim', 'Kullanıcı Mehmet\'e "seni seviyorum" dedi'),
    ("Ankara'da doğdum. Bursa'da büyüdüm.", "Kullanıcı Ankara'da doğdu. Kullanıcı Bursa'da büyüdü."),
    ("Sistemde hata var", "Sistemde hata var"),
    ("İki kedim var", "Kullanıcının iki kedisi var"),
    ("Ali geldi ama param yok", "Ali geldi ama Kullanıcının parası yok"),
    ("Alerjim var, fıstık yiyemem", "Kullanıcının alerjisi var, fıstık yiyemez"),
    ("Param yok ama gideceğim", "Kullanıcının parası yok ama gidecek"),
    ("En sevdiğim renk turkuaz", "Kullanıcının en sevdiği renk turkuaz"),
    ("Bence en çok sevdiğim şehir İzmir", "Bence Kullanıcının en çok sevdiği şehir İzmir"),
    ("En sevdiğim çayı aldım", "Kullanıcı en sevdiği çayı aldı"),
    ("Kız kardeşim Elif doktor", "Kullanıcının kız kardeşi Elif doktor"),
    ("Doğum günüm 3 Mayıs", "Kullanıcının doğum günü 3 Mayıs"),
    ("En yakın arkadaşım Berlin'de yaşıyor", "Kullanıcının en yakın arkadaşı Berlin'de yaşıyor"),
    ("Bugün iş arkadaşım Can aradı", "Bugün Kullanıcının iş arkadaşı Can aradı"),
    ("Ali ev adresimi sordu", "Ali Kullanıcının ev adresini sordu"),
    ("Ali annemi aradı", "Ali Kullanıcının annesini aradı"),
    ("Ankara'daki evim satıldı", "Kullanıcının Ankara'daki evi satıldı"),
    ("GitHub hesabım kapandı", "Kullanıcının GitHub hesabı kapandı"),
    ("İngilizce öğretmenim geldi", "Kullanıcının İngilizce öğretmeni geldi"),
    ("Dün akşam annem geldi", "Dün akşam Kullanıcının annesi geldi"),
    ("Telefon numaram 5551234", "Kullanıcının telefon numarası 5551234"),
]


@pytest.mark.parametrize(("said", "told"), turkish(*CASES))
def test_verbs_predicates_and_owners(said: str, told: str) -> None:
    """By the ending of the word; names and quotations stay."""
    assert rewritten_turkish(said, "Kullanıcı") == told


@pytest.mark.parametrize(
    "said",
    turkish(
        "Dün eve gittik",
        "Bize geldiler",
        "Kazağım kırmızı",
        "Vejetaryenim",
        "Arabamız var",
        "Kadife arabam bozuldu",
        "Banka hesabımı kapattı",
    ),
)
def test_what_is_not_sure_is_not_rewritten(said: str) -> None:
    """Others are meant too, or the word is not known."""
    assert rewritten_turkish(said, "Kullanıcı") is None


@pytest.mark.parametrize("said", turkish("Dostum geldi", "Akşam program var", "Filmi izlediler", "Kartım"))
def test_nouns_are_not_taken_for_verbs(said: str) -> None:
    """They end alike."""
    told = rewritten_turkish(said, "Kullanıcı")
    assert told in (None, said) or told == "Kullanıcının dostu geldi"


@pytest.mark.parametrize(
    ("name", "told"),
    turkish(
        ("Elif", "Elif'e"), ("Ayşe", "Ayşe'ye"), ("Umut", "Umut'a"), ("Gül", "Gül'e"), ("Kullanıcı", "Kullanıcıya")
    ),
)
def test_names_take_the_ending_that_fits(name: str, told: str) -> None:
    """By their last vowel; roles take no apostrophe."""
    assert rewritten_turkish("Bana bak", name) == f"{told} bak"
