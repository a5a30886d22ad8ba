"""Contradictions: labelled pairs in two halves and two languages, and what every pair of texts may expect."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.contradiction import Contradiction, contradicts, contradicts_read, reading
from tests.spoken import BOTH, NEITHER, english, turkish

DATA = Path(__file__).parent / "data"
PRECISION_MIN = 0.95
RECALL_MIN = {
    ("development", "en"): 0.90,
    ("development", "tr"): 0.95,
    ("held-out", "en"): 0.74,
    ("held-out", "tr"): 0.62,
}
"""Recall reached on 2026-11-22: .927 and .976 where the rules were tuned, .741 and .630 on the other half."""


class Pair(NamedTuple):
    """A labelled pair."""

    kind: str
    contradicts: bool
    earlier: str
    later: str


def pairs(half: str, language: str) -> list[Pair]:
    """The labelled pairs of a half in a language."""
    found: list[Pair] = []
    kind, label = "", ""
    for line in (DATA / f"contradiction-{half}.{language}.txt").read_text("utf-8").splitlines():
        if line.startswith("## "):
            kind, _, label = line[3:].rpartition(" ")
        elif not line.startswith("#"):
            earlier, _, later = line.partition(" => ")
            found.append(Pair(kind, label == "yes", earlier, later))
    return found


@pytest.mark.parametrize(
    ("half", "language"),
    [
        *english(("development", "en"), ("held-out", "en")),
        *turkish(("development", "tr"), ("held-out", "tr")),
    ],
)
def test_precision_and_recall_on_labelled_pairs(half: str, language: str) -> None:
    """At least 95 of 100 alarms are right, and recall does not fall below what was reached."""
    labelled = pairs(half, language)
    fired = [pair for pair in labelled if contradicts(pair.earlier, pair.later)]
    right = sum(pair.contradicts for pair in fired)
    wrong = [pair for pair in fired if not pair.contradicts]
    assert right >= PRECISION_MIN * len(fired), wrong
    assert right >= RECALL_MIN[half, language] * sum(pair.contradicts for pair in labelled)


@BOTH
def test_there_are_as_many_turkish_pairs_as_english() -> None:
    """Over three hundred in all, of the same kinds, and as many of each kind in both languages."""
    counts = {
        language: sorted((half, pair.kind) for half in ("development", "held-out") for pair in pairs(half, language))
        for language in ("en", "tr")
    }
    assert counts["en"] == counts["tr"]
    assert sum(map(len, counts.values())) >= 300


@pytest.mark.parametrize("half", ["development", "held-out"])
@pytest.mark.parametrize("language", [*english("en"), *turkish("tr")])
def test_nothing_contradicts_itself(half: str, language: str) -> None:
    """Said twice, a thing is only said again."""
    texts = {text for pair in pairs(half, language) for text in (pair.earlier, pair.later)}
    assert [text for text in texts if contradicts(text, text)] == []


@pytest.mark.parametrize(
    ("earlier", "later", "found"),
    [
        *english(
            (
                "My monthly rent is 900 euros.",
                "My monthly rent is 980 euros now.",
                Contradiction("number", "rent", "900 euros", "980 euros"),
            ),
            ("I live in Oslo.", "I moved to Lyon.", Contradiction("name", "home", "Oslo", "Lyon")),
            (
                "The exam deadline is May 4.",
                "The exam deadline is May 9.",
                Contradiction("date", "deadline", "May 4", "May 9"),
            ),
            (
                "I eat fish.",
                "I don't eat fish.",
                Contradiction("negation", "I eat fish", "I eat fish.", "I don't eat fish."),
            ),
            (
                "We keep the code on Gitea.",
                "We moved from Gitea to Forgejo.",
                Contradiction("correction", "We keep the code on Gitea", "Gitea", "Forgejo"),
            ),
        ),
        *turkish(
            (
                "Aylık kiram 12 bin lira.",
                "Aylık kiram 15 bin lira.",
                Contradiction("number", "kira", "12 bin lira", "15 bin lira"),
            ),
            ("Oslo'da yaşıyorum.", "Lyon'a taşındım.", Contradiction("name", "home", "Oslo", "Lyon")),
            (
                "Sınavın son tarihi 4 Mayıs.",
                "Sınavın son tarihi 9 Mayıs.",
                Contradiction("date", "son tarih", "4 Mayıs", "9 Mayıs"),
            ),
            (
                "Balık yiyorum.",
                "Balık yemiyorum.",
                Contradiction("negation", "Balık yiyorum", "Balık yiyorum.", "Balık yemiyorum."),
            ),
            (
                "Kodu Gitea'da tutuyoruz.",
                "Gitea'dan Forgejo'ya geçtik.",
                Contradiction("correction", "Kodu Gitea'da tutuyoruz", "Gitea", "Forgejo"),
            ),
        ),
    ],
)
def test_a_contradiction_says_of_what_and_what_was_and_is(earlier: str, later: str, found: Contradiction) -> None:
    """Its reason, its subject, what was said and what is said now."""
    assert contradicts(earlier, later) == found


@pytest.mark.parametrize("naming", [*english("My dog's name is {}."), *turkish("Köpeğimin adı {}.")])
def test_the_order_of_two_statements_is_the_order_of_the_values(naming: str) -> None:
    """What is said later is what holds."""
    found = contradicts(naming.format("Bruno"), naming.format("Rex"))
    assert found is not None
    assert (found.was, found.now) == ("Bruno", "Rex")


@pytest.mark.parametrize("language", [*english("en"), *turkish("tr")])
def test_what_was_read_before_gives_the_same_answer(language: str) -> None:
    """Reading and comparing apart is comparing."""
    for pair in pairs("development", language):
        assert contradicts_read(reading(pair.earlier), reading(pair.later)) == contradicts(pair.earlier, pair.later)


@pytest.mark.parametrize(
    ("earlier", "later", "now"),
    [
        *english(
            (
                "Thanks, that helps! My monthly book budget is $35, so what should I read next? Please be brief.",
                "By the way, my monthly book budget is $50 now. Can you suggest something long?",
                "$50",
            )
        ),
        *turkish(
            (
                "Sağ ol, çok işime yaradı! Aylık kitap bütçem 350 lira, sence şimdi ne okuyayım? Kısa yaz lütfen.",
                "Bu arada aylık kitap bütçem artık 500 lira. Uzun bir şey önerir misin?",
                "500 lira",
            )
        ),
    ],
)
def test_a_value_may_stand_in_a_long_message(earlier: str, later: str, now: str) -> None:
    """Among questions and thanks."""
    found = contradicts(earlier, later)
    assert found is not None
    assert found.now == now


@NEITHER
@given(st.text(), st.text())
def test_any_two_texts_can_be_compared(earlier: str, later: str) -> None:
    """Nothing is raised, whatever they hold, and no answer depends on what was asked before."""
    assert contradicts(earlier, later) == contradicts(earlier, later)


@pytest.mark.parametrize("plain", [*english("I have two cats."), *turkish("İki kedim var.")])
@pytest.mark.parametrize(
    "text", ["", "\x00", "\ud800", "\ud83d\ude00", "שלום 5", "9" * 5000, "not " * 3000, "a" * 1_000_000]
)
def test_strange_texts_contradict_nothing(text: str, plain: str) -> None:
    """Empty, with half characters, endless."""
    assert contradicts(text, plain) is None
    assert contradicts(plain, text) is None


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(("I can swim.", "I can't swim well.")),
        *turkish(("Yüzebilirim.", "İyi yüzemem.")),
    ],
)
def test_who_cannot_do_it_well_can_do_it(earlier: str, later: str) -> None:
    """What is denied is the manner."""
    assert contradicts(earlier, later) is None


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("My flight is at 9 am.", "My flight is at 11 am."),
            ("My phone number is 555-1234.", "My old phone number was 555-9876."),
            ("My phone number is 555-1234.", "My phone number is +1 555-1234."),
            ("My rent is 900 euros.", "My rent was 800 euros."),
            ("I live in Ankara.", "I moved to Paris in 2019."),
            ("I live in Ankara.", "My brother moved to Izmir last month."),
            ("My favourite colour is teal.", "Tom's favourite colour is brown."),
            ("I run 5 km on Mondays.", "I run 10 km on Sundays."),
            ("My flight to Rome is on Friday.", "My flight to Paris was moved to Saturday."),
            ("My meeting is on Friday.", "My meeting was moved to Saturday."),
            ("My small dog likes beef.", "My large dog likes beef."),
            ("The north gate is open.", "The south gate is open."),
            ("The gym opens at 6.", "The bakery opens at 7, not 6."),
            ("I drink black filter coffee with milk.", "I don't drink black filter coffee with milk on weekends."),
            ("My flight is on May 3.", "That's wrong. My wedding is on May 5."),
        ),
        *turkish(
            ("Uçuşum saat 9'da.", "Uçuşum saat 11'de."),
            ("Telefon numaram 555-1234.", "Eski telefon numaram 555-9876."),
            ("Telefon numaram 0532 123 45 67.", "Telefon numaram +90 532 123 45 67."),
            ("Kiram 12 bin lira.", "Kiram 10 bin liraydı."),
            ("Ankara'da yaşıyorum.", "2019'da Paris'e taşındım."),
            ("Ankara'da yaşıyorum.", "Kardeşim geçen ay İzmir'e taşındı."),
            ("En sevdiğim renk mavi.", "İkinci en sevdiğim renk kahverengi."),
            ("Pazartesileri 5 km koşuyorum.", "Pazarları 10 km koşuyorum."),
            ("Roma uçuşum cuma günü.", "Paris uçuşum cumartesiye alındı."),
            ("Toplantım cuma günü.", "Toplantım cumartesiye alındı."),
            ("Küçük köpeğim hasta.", "Büyük köpeğim hasta."),
            ("Kuzey kapısı açık.", "Güney kapısı açık."),
            ("Bahçemde 3 ağaç var.", "Yeni bahçemde 5 ağaç var."),
            ("Spor salonu 6'da açılıyor.", "Fırın 7'de açılıyor, 6'da değil."),
            ("Sütlü sade filtre kahve içiyorum.", "Hafta sonları sütlü sade filtre kahve içmiyorum."),
            ("Uçuşum 3 Mayıs'ta.", "Bu yanlış. Düğünüm 5 Mayıs'ta."),
        ),
    ],
)
def test_what_was_or_is_of_another_takes_nothing_back(earlier: str, later: str) -> None:
    """Another flight, an old number, a rent of before, a move of long ago; another day, another of two things."""
    assert contradicts(earlier, later) is None


@pytest.mark.parametrize(
    ("earlier", "later", "now"),
    [
        *english(
            ("My flight is at 9 am.", "I was wrong, my flight is at 11 am.", "11 am"),
            ("I live in Ankara.", "My boss said yes to it, and we moved to Izmir yesterday.", "Izmir"),
            ("My budget is $50.", "My budget also went up to $80.", "$80"),
            ("My flight is on Friday.", "My flight was moved to Saturday.", "Saturday"),
            ("My flight is on May 3.", "Wait, that's wrong. My flight is on May 5.", "May 5"),
            ("My sister lives in Berlin.", "Sorry, my sister lives in Munich, not Berlin.", "Munich"),
        ),
        *turkish(
            ("Uçuşum saat 9'da.", "Yanlış söyledim, uçuşum saat 11'de.", "11'de"),
            ("Ankara'da yaşıyorum.", "Patronum olur dedi, biz de dün İzmir'e taşındık.", "İzmir"),
            ("Aylık bütçem 500 lira.", "Aylık bütçem de 750 liraya çıktı.", "750 liraya"),
            ("Uçuşum cuma günü.", "Uçuşum cumartesiye alındı.", "cumartesiye"),
            ("Uçuşum 3 Mayıs'ta.", "Dur, bu yanlış. Uçuşum 5 Mayıs'ta.", "5 Mayıs'ta"),
            ("Ablam Berlin'de yaşıyor.", "Pardon, ablam Berlin'de değil Münih'te yaşıyor.", "Münih"),
        ),
    ],
)
def test_an_ordinary_correction_is_found(earlier: str, later: str, now: str) -> None:
    """A slip mended, a move of just now; what also went up did go up."""
    found = contradicts(earlier, later)
    assert found is not None
    assert found.now == now


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("I love coffee.", "I don't like coffee anymore."),
            ("I love jazz.", "I no longer enjoy jazz."),
            ("I adore cats.", "I hate cats."),
            ("I don't like tea.", "I love tea now."),
            ("I eat meat.", "I don't eat meat anymore."),
        ),
        *turkish(
            ("Kahveyi severim.", "Artık kahveyi sevmiyorum."),
            ("Futbolu severim.", "Artık futboldan hoşlanmıyorum."),
            ("Kahveye bayılırım.", "Kahveden nefret ediyorum."),
            ("Kahve sevmem.", "Artık kahveyi seviyorum."),
            ("Et yerim.", "Artık et yemiyorum."),
            ("Kahve severim.", "Kahve sevmem."),
        ),
    ],
)
def test_a_liking_that_is_over_is_taken_back(earlier: str, later: str) -> None:
    """In whatever tense or case it was said."""
    found = contradicts(earlier, later)
    assert found is not None
    assert found.reason == "negation"


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("I love coffee.", "I don't like coffee with milk."),
            ("I love coffee.", "My sister doesn't like coffee anymore."),
            ("I love coffee.", "I don't drink coffee anymore."),
            ("I love coffee.", "I don't like coffee in the evening."),
        ),
        *turkish(
            ("Kahveyi severim.", "Sütlü kahveyi sevmiyorum."),
            ("Kahveyi severim.", "Kardeşim artık kahveyi sevmiyor."),
            ("Kahveyi severim.", "Artık kahve içmiyorum."),
            ("Kahveyi severim.", "Akşamları kahve sevmem."),
        ),
    ],
)
def test_a_liking_with_a_bound_of_its_own_takes_nothing_back(earlier: str, later: str) -> None:
    """One kind of it, another person's, another verb, a time of the day."""
    assert contradicts(earlier, later) is None


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("I live in Utrecht.", "At five I moved to Lisbon."),
            ("I live in Utrecht.", "I moved to Lisbon at the age of five."),
            ("I live in Utrecht.", "As a teen I moved to Lisbon."),
            ("I use a Mac.", "I don't use a Mac at work."),
            ("I use a Mac.", "At home I don't use a Mac."),
            ("I use a Mac.", "At the office I don't use a Mac."),
            ("I have a driving licence.", "I don't have my driving licence with me."),
            ("I'm vegetarian.", "I'm not vegetarian because of the animals but for my health."),
            ("I'm vegetarian.", "I'm not vegetarian for the animals."),
            ("My flight to Rome is on May 3.", "My flight from Rome was moved to May 10."),
            ("My flight from Rome is on May 3.", "My flight to Rome was moved to May 10."),
            ("My flight to Rome is on May 3.", "My return flight from Rome was cancelled."),
            ("I live in Izmir.", "From May I work at Bosch and I live in Bonn."),
            ("I live in Izmir.", "From May on I live in Bonn."),
        ),
        *turkish(
            ("Utrecht'te yaşıyorum.", "Beş yaşındayken Lizbon'a taşındım."),
            ("Ankara'da yaşıyorum.", "On yaşındayken İzmir'e taşındık."),
            ("Ankara'da yaşıyorum.", "Küçükken İzmir'e taşındık."),
            ("Ankara'da yaşıyorum.", "Lisedeyken İzmir'e taşındım."),
            ("Mac kullanıyorum.", "İşte Mac kullanmıyorum."),
            ("Mac kullanıyorum.", "Ofiste Mac kullanmıyorum."),
            ("Mac kullanıyorum.", "Evde Mac kullanmıyorum."),
            ("Ehliyetim var.", "Ehliyetim yanımda yok."),
            ("Ehliyetim var.", "Yanımda ehliyetim yok."),
            ("Vejetaryenim.", "Hayvanlar için vejetaryen değilim, sağlığım için."),
            ("Roma'ya uçuşum 3 Mayıs'ta.", "Roma'dan uçuşum 10 Mayıs'a alındı."),
            ("Roma gidiş uçuşum 3 Mayıs'ta.", "Roma dönüş uçuşum 10 Mayıs'a alındı."),
            ("Roma uçuşum 3 Mayıs'ta.", "Roma dönüş uçuşum 10 Mayıs'a alındı."),
            ("İzmir'de yaşıyorum.", "Mayıstan itibaren Bosch'ta çalışıyorum ve Bonn'da yaşıyorum."),
        ),
    ],
)
def test_another_time_place_way_or_reason_takes_nothing_back(earlier: str, later: str) -> None:
    """As a child, at work, on the way back, from May, or not for that reason."""
    assert contradicts(earlier, later) is None


@pytest.mark.req("D17")
@pytest.mark.parametrize(
    ("earlier", "later", "over"),
    [
        *english(
            ("I'm allergic to cats.", "We no longer have a cat, Pamuk died.", False),
            ("I'm afraid of dogs.", "I don't have a dog anymore.", False),
            ("I have insurance for my cat.", "I don't have a cat anymore.", False),
            ("I have a cat.", "I don't have a cat anymore.", True),
            ("I'm on a diet.", "I'm not on a diet anymore.", True),
        ),
        *turkish(
            ("Kedilere alerjim var.", "Artık kedimiz yok, Pamuk öldü.", False),
            ("Köpeklere alerjim var.", "Artık köpeğimiz yok.", False),
            ("Köpekleri çok severim.", "Artık köpeğimiz yok.", False),
            ("Arabam için sigortam var.", "Artık arabam yok.", False),
            ("Kahveye alerjim var.", "Kahveyi bıraktım.", False),
            ("Kedimiz var.", "Artık kedimiz yok, Pamuk öldü.", True),
            ("Kedilere alerjim var.", "Artık kedilere alerjim yok.", True),
        ),
    ],
)
def test_what_is_no_more_ends_only_what_there_was(earlier: str, later: str, over: bool) -> None:
    """A dead cat ends that there is one, and no allergy to cats."""
    assert (contradicts(earlier, later) is not None) is over
