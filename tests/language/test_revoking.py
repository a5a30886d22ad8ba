"""What takes a standing order back: a permission, a ban that is lifted, another value of the same kind."""

from __future__ import annotations

import pytest

from reverie.language.revoking import allows_only, answer_attributes, takes_back
from tests.spoken import english, turkish


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("Always use bullet points in your answers.", "You don't have to use bullet points any more."),
            ("Never use emojis.", "Forget what I said about emojis, you can use them again."),
            ("Never use emojis.", "You can use emojis again."),
            ("Stop writing tests.", "Always write tests."),
            ("Never add comments to the code.", "Always add comments to the code."),
            ("Never use emojis.", "Emojis are fine again."),
            ("Always give temperatures in Celsius.", "Actually, give temperatures in Fahrenheit from now on."),
            ("Always answer in English.", "From now on answer me in Turkish."),
            ("Always write tests.", "Don't write tests anymore."),
            ("Always write tests.", "Stop writing tests."),
            ("Always answer me in bullet points.", "Don't answer me in bullet points anymore."),
            ("From now on answer in Dutch.", "Answer in English again please."),
            ("Always add type hints.", "There's no need to add type hints any more."),
            ("Never suggest pork dishes.", "It's okay to suggest pork dishes again."),
            ("Always mention the price.", "Drop the price rule."),
            ("Keep your answers short.", "You can write longer answers now."),
            ("Always answer in English.", "You can answer in any language again."),
            ("Always answer in English.", "I'm lifting the English rule."),
            ("Always quote prices without VAT", "stop quoting without VAT"),
            ("Sign letters as Ms. D", "sign them with Denise from now on, not Ms. D"),
            ("Give recipes without salt.", "Recipes can be salty again."),
            ("Always add the Portuguese words.", "no need for the Portuguese words any more"),
            ("Never use emojis or tables.", "You can use emojis and tables again."),
        ),
        *turkish(
            ("Cevaplarında asla emoji kullanma.", "Artık emoji kullanabilirsin."),
            ("Her zaman test de yaz.", "Artık test yazma, ben yazıyorum."),
            ("Her zaman madde işareti kullan.", "Madde işareti kullanmana artık gerek yok."),
            ("Hep madde madde yaz.", "Artık madde madde yazmak zorunda değilsin."),
            ("Emoji kullanma.", "Artık emoji kullanabilirsin."),
            ("Artık test yazma.", "Her zaman test yaz."),
            ("Bana hep uzun cevap ver.", "Bundan sonra bana kısa cevap ver."),
            ("Bana her zaman resmi cevap ver.", "Artık samimi cevap ver."),
            ("Asla tablo kullanma.", "Artık tablo kullanabilirsin."),
            ("Her zaman kaynak belirt.", "Kaynak belirtmek zorunda değilsin artık."),
            ("Tabloları hep Markdown yaz.", "Markdown talimatını unut."),
            ("Koda asla yorum ekleme.", "Koda her zaman yorum ekle."),
            ("Emoji kullanma.", "Emoji konusunda söylediğimi unut."),
            ("Bana hep İngilizce cevap ver.", "Bundan sonra bana Türkçe cevap ver."),
            ("Sıcaklıkları hep Celsius ver.", "Aslında bundan sonra sıcaklıkları Fahrenheit ver."),
            ("Bana bundan sonra Almanca cevap ver.", "Yine Türkçe cevap ver."),
            ("Her zaman fiyatı belirt.", "Fiyatı belirtmene artık gerek yok."),
            ("Asla domuz eti önerme.", "Artık domuz eti önerebilirsin."),
            ("Emoji kullanma.", "Emoji kullanabilirsin artık."),
            ("Cevaplarını kısa tut.", "Artık uzun yazabilirsin."),
            ("Hep İngilizce cevap ver.", "Artık istediğin dilde cevap verebilirsin."),
            ("Bana hep Türkçe cevap ver.", "Türkçe cevap verme şartını kaldırıyorum."),
            ("Fiyatları KDV'siz söyle.", "KDV'siz söylemeyi bırak."),
            ("Mektupları Bayan D diye imzala.", "Bundan sonra Denise diye imzala, Bayan D değil."),
            ("Tarifleri tuzsuz ver.", "Tarifler tuzlu olabilir artık."),
            ("KDV dahil söyle", "KDV'yi boşver artık, hariç söyle"),
            ("Portekizce kelimeleri hep ekle.", "Portekizce kelimelere gerek yok artık."),
            ("Asla emoji veya tablo kullanma.", "Artık emoji ve tablo kullanabilirsin."),
        ),
    ],
)
def test_an_order_is_taken_back(earlier: str, later: str) -> None:
    """By name of what it was about, or by another value."""
    assert takes_back(earlier, later)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("Always use bullet points.", "You can use emojis again."),
            ("Always write tests.", "You don't have to write the docs any more."),
            ("Never use emojis.", "Don't use emojis anymore."),
            ("Never add comments to the code.", "Always add comments to the docs."),
            ("Always use emojis.", "You can use emojis again."),
            ("Always write tests.", "Stop the server."),
            ("Always write tests.", "I don't want to write tests anymore at my job, it bores me."),
            ("Never push to main.", "Stop using bullet points."),
            ("Always answer in English.", "Always answer in short sentences."),
            ("Always use pnpm.", "You can use the data now."),
            ("Keep answers short and never use emojis.", "You can use emojis again."),
            ("Never use emojis or tables.", "You can use emojis again."),
            ("Always write tests. Never use emojis.", "You can use emojis again."),
            ("Always answer in English and use metric units", "Answer in Turkish from now on."),
            ("Keep your answers short.", "You can use longer names now."),
            ("Answer without emojis.", "Stop using emojis."),
        ),
        *turkish(
            ("Hep madde madde yaz.", "Artık emoji kullanabilirsin."),
            ("Emoji kullanma.", "Artık emoji kullanma."),
            ("Koda asla yorum ekleme.", "Belgeye her zaman yorum ekle."),
            ("Her zaman test yaz.", "Artık belge yazmana gerek yok."),
            ("Her zaman test yaz.", "Test ortamını durdurabilirsin artık."),
            ("Bana hep kısa cevap ver.", "Bana bundan sonra Ada de."),
            ("Asla yorum ekleme.", "Artık eve gidebilirsin."),
            ("Her zaman pnpm kullan.", "Artık pnpm kullanıyorum."),
            ("Cevaplarını kısa tut ve emoji kullanma.", "Emoji kullanabilirsin artık."),
            ("Asla emoji veya tablo kullanma.", "Artık emoji kullanabilirsin."),
            ("Her zaman test yaz. Asla emoji kullanma.", "Artık emoji kullanabilirsin."),
            ("Hep İngilizce cevap ver ve metrik birim kullan", "Bundan sonra Türkçe cevap ver."),
            ("Cevaplarını kısa tut.", "Artık uzun yürüyebilirsin."),
            ("Emojisiz yaz.", "Emoji kullanmayı bırak."),
        ),
    ],
)
def test_another_order_stays(earlier: str, later: str) -> None:
    """What speaks of something else, repeats the order, or is none takes nothing back."""
    assert not takes_back(earlier, later)


@pytest.mark.parametrize(
    ("text", "is_permission"),
    [
        *english(
            ("You can use emojis again.", True),
            ("You don't have to use bullet points any more.", True),
            ("Forget what I said about emojis.", True),
            ("You can write longer answers now.", True),
            ("I'm lifting the English rule.", True),
            ("Stop using bullet points.", False),
            ("You can use emojis again. Always answer in English.", False),
            ("Always answer in English.", False),
        ),
        *turkish(
            ("Artık emoji kullanabilirsin.", True),
            ("Madde işareti kullanmana artık gerek yok.", True),
            ("Emoji konusunda söylediğimi unut.", True),
            ("Artık uzun yazabilirsin.", True),
            ("Türkçe cevap verme şartını kaldırıyorum.", True),
            ("KDV'yi boşver artık, hariç söyle", False),
            ("Artık madde işareti kullanma.", False),
            ("Artık emoji kullanabilirsin. Bana hep İngilizce cevap ver.", False),
            ("Bana hep İngilizce cevap ver.", False),
        ),
    ],
)
def test_a_permission_orders_nothing(text: str, is_permission: bool) -> None:
    """What only lifts an order need not be handed to anybody; what forbids something is an order."""
    assert allows_only(text) == is_permission


@pytest.mark.parametrize(
    ("text", "attributes"),
    [
        *english(
            ("Keep your answers short.", ("length",)),
            ("Use metric units.", ("units",)),
            ("Never use emojis.", ("emoji",)),
            ("Don't use emojis.", ("emoji",)),
            ("Use pnpm.", ()),
            ("I keep my answers short.", ()),
        ),
        *turkish(
            ("Cevaplarını kısa tut.", ("length",)),
            ("Metrik birimler kullan.", ("units",)),
            ("Asla emoji kullanma.", ("emoji",)),
            ("Emoji kullanma.", ("emoji",)),
            ("pnpm kullan.", ()),
            ("Cevaplarımı kısa tutarım.", ()),
        ),
    ],
)
def test_an_order_about_every_answer_names_what_of_it(text: str, attributes: tuple[str, ...]) -> None:
    """Whether or not it says that it holds from then on."""
    assert answer_attributes(text) == attributes


@pytest.mark.parametrize(
    ("earlier", "later", "is_lifted"),
    [
        *english(
            ("Never use tabs.", "You can use tables again.", False),
            ("Always add comments.", "You don't have to add commas any more.", False),
            ("Always call me Sam.", "Never call me Samantha.", False),
            ("Never book flights on Sundays.", "You can book the flight now.", False),
            ("Never push to main without asking.", "You can push to main now.", False),
            ("Always use tabs, no spaces.", "Stop using tabs.", True),
            ("Always commit without asking me.", "Never commit without asking me.", True),
            ("Never use emojis.", "I take back what I said about emojis.", True),
            ("Never use emojis.", "The no-emoji rule no longer applies.", True),
            ("Never use emojis.", "Feel free to use emojis from now on.", True),
        ),
        *turkish(
            ("Asla tablo kullanma.", "Artık tab kullanabilirsin.", False),
            ("Asla notları silme.", "Artık verileri silebilirsin.", False),
            ("Asla fotoğrafları silme.", "Artık etiketleri silebilirsin.", False),
            ("Her zaman yorum ekle.", "Artık yol tarifi ekleme.", False),
            ("Bana hep Ali de.", "Artık Alihan kim bilmiyorum.", False),
            ("Asla etiket kullanma.", "Artık etiket kullanabilirsin.", True),
            ("Her zaman not ver.", "Not vermene artık gerek yok.", True),
            ("Emoji kullanma.", "Emoji konusunda fikrimi değiştirdim.", True),
            ("Sormadan commit atma.", "Artık sormadan commit atabilirsin.", True),
            ("Asla etiketleri silme.", "Artık etiketleri silebilirsin.", True),
        ),
    ],
)
def test_words_and_occasions_that_only_look_alike(earlier: str, later: str, is_lifted: bool) -> None:
    """Forms of one word are one word, its beginning is not; a permission for this once lifts no rule."""
    assert takes_back(earlier, later) is is_lifted
