"""What is Turkish about times in Turkish; the labelled expressions are in test_times.py."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from reverie.language.text.letters import plain
from reverie.language.time.rules import scan
from reverie.language.time.turkish import TRIGGER, glue, rules
from tests.spoken import TURKISH, turkish

NOW = datetime(2024, 5, 15, 14, 30, tzinfo=UTC)


def found(text: str) -> str:
    """First day, last moment's day and phrase of what is read, or nothing."""
    words = plain(text)
    spans = scan(words, NOW, rules())
    if not spans:
        return ""
    whole = glue(words, spans, NOW)
    return f"{whole.span.start:%Y-%m-%d} {whole.span.end:%Y-%m-%d} {text[whole.start : whole.end]}"


@pytest.mark.parametrize(
    ("text", "expected"),
    turkish(
        ("Eylül'ün doğum günü", ""),
        ("Eylül'de", "2023-09-01 2023-10-01 Eylül'de"),
        ("ocakta yemek var", ""),
        ("eylülün 12'sinde", "2023-09-12 2023-09-13 eylülün 12'sinde"),
        ("2022 Eylül'ün 12'si", "2022-09-12 2022-09-13 2022 Eylül'ün 12'si"),
        ("mayısın 3'ünden beri", "2024-05-03 2024-05-16 mayısın 3'ünden beri"),
        ("geçen ayın 5'inde", "2024-04-05 2024-04-06 geçen ayın 5'inde"),
        ("geçen ayın 31'inde", "2024-04-01 2024-05-01 geçen ayın"),
        ("geçen ayın 5 toplantısı", "2024-04-01 2024-05-01 geçen ayın"),
        ("ayın 15'inde", "2024-05-15 2024-05-16 ayın 15'inde"),
        ("ayın 16'sında", "2024-04-16 2024-04-17 ayın 16'sında"),
        ("ayın 31'inde", "2024-03-31 2024-04-01 ayın 31'inde"),
        ("ayın 3'ünden ayın 10'una kadar", "2024-05-03 2024-05-11 ayın 3'ünden ayın 10'una kadar"),
        ("3 Mayıs'tan 10 Mayıs'a kadar", "2024-05-03 2024-05-11 3 Mayıs'tan 10 Mayıs'a kadar"),
        ("14 Mayıs ile 20 Mayıs arasında", "2023-05-14 2023-05-21 14 Mayıs ile 20 Mayıs arasında"),
        ("çayın 3'ü", ""),
        ("geçen haftanın salısı", "2024-05-07 2024-05-08 geçen haftanın salısı"),
        ("bu haftanın cumasında", "2024-05-17 2024-05-18 bu haftanın cumasında"),
        ("geçen haftanın toplantısı", "2024-05-06 2024-05-13 geçen haftanın"),
        ("Ocak'ta", "2024-01-01 2024-02-01 Ocak'ta"),
        ("mart", ""),
        ("martta", "2024-03-01 2024-04-01 martta"),
        ("marttan beri", "2024-03-01 2024-05-16 marttan beri"),
        ("nisandan hazirana kadar", "2023-04-01 2023-07-01 nisandan hazirana kadar"),
        ("Nisan ve Mayıs ayları arasında", "2024-04-01 2024-06-01 Nisan ve Mayıs ayları arasında"),
        ("pazarda", ""),
        ("pazar günü", "2024-05-12 2024-05-13 pazar günü"),
        ("dünya turu", ""),
        ("bu yazı güzel", ""),
        ("bu yaz", "2024-06-01 2024-09-01 bu yaz"),
        ("yirmi gün önce", "2024-04-25 2024-04-26 yirmi gün önce"),
        ("on bir ay önce", "2023-06-01 2023-07-01 on bir ay önce"),
    ),
)
def test_endings_decide(text: str, expected: str) -> None:
    """A month needs the ending of a place in time, a day its word, and kadar, beri, arasında make a range."""
    assert found(text) == expected


@TURKISH
def test_what_is_typed_without_turkish_letters_is_read() -> None:
    """The same window."""
    for written, typed in [
        ("geçen yaz", "gecen yaz"),
        ("üç gün önce", "uc gun once"),
        ("Şubat ayında", "subat ayinda"),
    ]:
        assert found(written).split()[:2] == found(typed).split()[:2]


@TURKISH
def test_the_cheap_look_never_hides_a_time() -> None:
    """Whatever the rules find holds one of the words that are looked for first."""
    texts = [
        "geçen yaz",
        "iki hafta önce",
        "dün",
        "haziranda",
        "son günlerde",
        "2022'de",
        "cuma günü",
        "öbür gün",
        "kışın",
    ]
    assert all(found(text) and TRIGGER.search(plain(text)) for text in texts)
    assert not TRIGGER.search(plain("kedimin adı ne"))


@pytest.mark.parametrize(
    ("text", "expected"),
    turkish(
        ("Sınavım 12.06'da", "2023-06-12 2023-06-13 12.06'da"),
        ("Sınav 12.06 tarihinde", "2023-06-12 2023-06-13 12.06 tarihinde"),
        ("Sınav 10.05 günü", "2024-05-10 2024-05-11 10.05 günü"),
        ("Sınav 25/3'te", "2024-03-25 2024-03-26 25/3'te"),
        ("Sınav 4/5 tarihinde", "2024-05-04 2024-05-05 4/5 tarihinde"),
        ("Toplantı 12.06'ya alındı", "2023-06-12 2023-06-13 12.06'ya"),
        ("Sınav 4/5'te", ""),
        ("Uçağım 10.05'te", ""),
        ("Uçağım saat 12.06'da", ""),
        ("Her sabah 9.06'da", ""),
        ("Dolar 41.06'da", ""),
        ("12.06 lira ödedim", ""),
        ("Sürüm 12.06'da", ""),
        ("Altının 3/4'ünü sattım", ""),
    ),
)
def test_a_day_and_a_month_in_figures(text: str, expected: str) -> None:
    """Where it is certain which is which, and that they are no price, version, part or time of day."""
    assert found(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    turkish(
        ("Toplantı pazartesiye ertelendi", "2024-05-13 2024-05-14 pazartesiye"),
        ("Toplantıyı cuma gününe aldık", "2024-05-10 2024-05-11 cuma gününe"),
        ("Düğün eylüle kaldı, ertelendi", ""),
        ("Düğün eylüle ertelendi", "2023-09-01 2023-10-01 eylüle"),
        ("Ocağa çorba koydum", ""),
        ("Pazara gittim", ""),
    ),
)
def test_a_dative_is_a_time_before_a_verb_of_moving(text: str, expected: str) -> None:
    """Elsewhere it is the market, the stove, or where somebody went."""
    assert found(text) == expected
