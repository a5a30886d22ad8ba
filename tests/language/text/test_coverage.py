from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.text.coverage import Linkable, Linking, holds, lacks, link, overlap
from tests.spoken import NEITHER, english, neither, turkish


@pytest.mark.req("D33")
@pytest.mark.parametrize(
    ("whole", "part"),
    [
        *english(
            ("Tom lives in Stavanger. Tom married Kari in 2019.", "Tom married Kari in 2019."),
            (
                "Ada sails. Tom lives in Stavanger! Tom has a boat called Sula. Bo is here.",
                "tom lives in Stavanger\nTom has a boat called Sula",
            ),
            ('The note says "buy milk".', "The note says buy milk"),
        ),
        *turkish(
            ("Tolga Bursa'da yaşıyor. Tolga 2019'da Zeynep'le evlendi.", "Tolga 2019'da Zeynep'le evlendi."),
            (
                "Ada yelken açıyor. Tolga Bursa'da yaşıyor! Tolga'nın Martı adında bir teknesi var. Bo burada.",
                "tolga Bursa’da yaşıyor\nTolga'nın Martı adında bir teknesi var",
            ),
            ('Notta "süt al" yazıyor.', "Notta süt al yazıyor"),
        ),
    ],
)
def test_what_a_text_says_it_holds(whole: str, part: str) -> None:
    """All sentences of the one, in a row, wherever in the other; stops, quotation marks and a first capital apart."""
    assert holds(whole, part)


@pytest.mark.req("D33")
@pytest.mark.parametrize(
    ("whole", "part"),
    [
        *english(
            ("Tom lives in Stavanger. Tom married Kari.", "Tom has a boat called Sula in Stavanger."),
            ("Tom lives in Stavanger.", "Tom lives in Stavanger. Tom has a boat."),
            ("Tom has a house in Stavanger. Kari has a boat.", "Tom has a boat in Stavanger."),
            ("Tom never eats meat.", "Tom eats meat."),
            ("Tom eats meat.", "Tom never eats meat."),
            ("Tom lived in Stavanger.", "Tom lives in Stavanger."),
            ("Tom pays 40 euros a month.", "Tom pays 50 euros a month."),
        ),
        *turkish(
            ("Tolga Bursa'da yaşıyor. Tolga Zeynep'le evlendi.", "Tolga'nın Bursa'da Martı adında bir teknesi var."),
            ("Tolga Bursa'da yaşıyor.", "Tolga Bursa'da yaşıyor. Tolga'nın bir teknesi var."),
            ("Tolga'nın Bursa'da evi var. Zeynep'in teknesi var.", "Tolga'nın Bursa'da teknesi var."),
            ("Tolga et yemiyor.", "Tolga et yiyor."),
            ("Tolga et yiyor.", "Tolga et yemiyor."),
            ("Tolga Bursa'da yaşıyordu.", "Tolga Bursa'da yaşıyor."),
            ("Tolga ayda 40 avro ödüyor.", "Tolga ayda 50 avro ödüyor."),
        ),
        *neither(("", ""), ("Tom.", ""), ("...", ".."), ("", "Tom.")),
    ],
)
def test_what_a_text_leaves_out_or_says_otherwise_it_does_not_hold(whole: str, part: str) -> None:
    """A fact less, words of two sentences, a denial, another time or number; and what has no words stands nowhere."""
    assert not holds(whole, part)


SAID = [
    *english(
        ("The tap drips in the kitchen. It is loud.", "The safe is locked."),
        ("The safe is open.", "The safe is locked."),
        ("Boat is 434.", "Boat is 371."),
        ("Ada eats nuts.", "Ada does not eat nuts."),
        ("Ada does not eat nuts.", "Ada eats nuts."),
        ("It is untrue that Ada eats nuts.", "Ada eats nuts."),
        ("Ada hardly eats nuts.", "Ada eats nuts."),
        ("Ada eats without nuts.", "Ada eats nuts."),
        ("Ada eats nuts.", "Ada refuses nuts."),
        ("Ada eats nuts?", "Ada eats nuts."),
        ("We use Redis here.", "We no longer use Redis here."),
        ("Bo is taller than Ada.", "Ada is taller than Bo."),
        ("Bo has 2 dogs and 3 cats.", "Bo has 2 cats and 3 dogs."),
        ("Mert flies to Ankara on 5 May.", "Mert flies to Ankara on 6 May."),
        ("Mert flies to Ankara.", "Mert flies to Ankara with Zeynep."),
        ("Mert flies to Ankara with Zeynep.", "Mert flies from Ankara with Zeynep."),
        ("Zeynep has six cats.", "Zeynep has five cats."),
        ("We met in london.", "We met in paris."),
        ("Ada likes tea a lot.", "Ada likes tea."),
        ("I am fond of tea.", "I like tea."),
        ("Ada writes C++.", "Ada writes C."),
        ("Ada writes C.", "Ada writes C#."),
        ("Ada writes C++.", "Ada writes C#."),
        ("Ada works on NET.", "Ada works on .NET."),
        ("The file lies in etc.", "The file lies in /etc."),
        ("The file lies in ../a.", "The file lies in ./a."),
        ("It was 5 degrees.", "It was -5 degrees."),
        ("It costs 5 a month.", "It costs $5 a month."),
        ("Tom has a boat. Tom lives here.", "Tom lives here. Tom has a boat."),
    ),
    *turkish(
        ("Mutfakta musluk damlıyor. Sesi çok.", "Kasa kilitli."),
        ("Kasa açık.", "Kasa kapalı."),
        ("Teknenin boyu 434.", "Teknenin boyu 371."),
        ("Ada fıstık yiyor.", "Ada fıstık yemiyor."),
        ("Ada fıstık yemez.", "Ada fıstık yer."),
        ("Ada'nın fıstık yediği yalan.", "Ada fıstık yer."),
        ("Ada fıstık yer değil.", "Ada fıstık yer."),
        ("Ada pek fıstık yer.", "Ada fıstık yer."),
        ("Ada fıstıksız yer.", "Ada fıstık yer."),
        ("Ada fıstık yer mi?", "Ada fıstık yer."),
        ("Burada Redis kullanıyoruz.", "Burada artık Redis kullanmıyoruz."),
        ("Bo Ada'dan uzun.", "Ada Bo'dan uzun."),
        ("Bo'nun 2 köpeği ve 3 kedisi var.", "Bo'nun 2 kedisi ve 3 köpeği var."),
        ("Mert 5 Mayıs'ta Ankara'ya uçuyor.", "Mert 6 Mayıs'ta Ankara'ya uçuyor."),
        ("Mert Ankara'ya uçuyor.", "Mert Zeynep'le Ankara'ya uçuyor."),
        ("Mert Zeynep'le Ankara'ya uçuyor.", "Mert Zeynep'le Ankara'dan uçuyor."),
        ("Zeynep'in altı kedisi var.", "Zeynep'in beş kedisi var."),
        ("Toplantı izmir'de.", "Toplantı bursa'da."),
        ("Ada çayı çok sever.", "Ada çayı sever."),
        ("Çaya bayılırım.", "Çayı severim."),
        ("Ada C++ yazıyor.", "Ada C yazıyor."),
        ("Ada C yazıyor.", "Ada C# yazıyor."),
        ("Ada C++ yazıyor.", "Ada C# yazıyor."),
        ("Ada NET ile çalışıyor.", "Ada .NET ile çalışıyor."),
        ("Dosya etc içinde.", "Dosya /etc içinde."),
        ("Dosya ../a içinde.", "Dosya ./a içinde."),
        ("Hava 5 dereceydi.", "Hava -5 dereceydi."),
        ("Ayda 5 tutuyor.", "Ayda $5 tutuyor."),
        ("Tolga'nın teknesi var. Tolga burada.", "Tolga burada. Tolga'nın teknesi var."),
    ),
    *neither(
        ("上海很好 北京", "北京很好"),
        ("אדה גרה בחיפה", "אדה גרה בתל אביב"),
        ("x" * 9_000, "y" * 9_000),
        ("😀", "😡"),
        ("", "\x00"),
        ("the code is b-13.", "the code is b-12."),
        ("5 > 6", "5 < 6"),
        ("v1.2.3", "v1.23"),
    ),
]


@pytest.mark.req("D33")
@pytest.mark.parametrize(("whole", "part"), SAID)
def test_what_says_less_or_other_may_not(whole: str, part: str) -> None:
    """One name, number, date, denial or sign less, another one, one more, or of something else; not the other way."""
    assert lacks(whole, part)
    assert lacks(part, whole)
    assert lacks(f"{whole}\nAda has 5 cats.", part)
    assert lacks(f"{whole}\n{part}", part) == ()


@pytest.mark.parametrize("text", neither("上海很好", "\ud83d\x00", "x" * 9_000, "C++", "cd ..", "(a) [b] {c}", "😀"))
def test_the_same_words_are_held(text: str) -> None:
    """Whatever they are written in."""
    assert lacks(text, text) == ()
    assert lacks(f"Ada has 5 cats.\n{text}\nBo has none.", text) == ()


SIGNS = ("5", "05", "C++", ".NET", "/etc", "-5")
WORDS_EN = ("Ada", "Bo", "eats", "likes", "the", "red", "nuts", "tea", "May", "never", *SIGNS)
WORDS_TR = ("Ada", "Işıl", "yer", "sever", "bir", "kızıl", "fıstık", "çay", "Mayıs", "asla", *SIGNS)
MORE_EN = ("not", "hardly", "without", "false", "C", "C#", "NET", "etc", "6", "June", "Kari", "green", "un", "?")
MORE_TR = ("değil", "pek", "hariç", "yalan", "C", "C#", "NET", "etc", "6", "Haziran", "Kari", "yeşil", "mi", "?")


@pytest.mark.parametrize(("words", "more"), [*english((WORDS_EN, MORE_EN)), *turkish((WORDS_TR, MORE_TR))])
@given(st.data())
def test_a_made_up_memory_is_held_by_itself_and_by_nothing_that_differs(
    words: tuple[str, ...], more: tuple[str, ...], data: st.DataObject
) -> None:
    """Beside any other sentences it is held; with one word left out, put in, replaced or moved it is not."""
    one = st.lists(st.sampled_from(words), min_size=2, max_size=7)
    told = data.draw(st.lists(one, min_size=1, max_size=3))
    others = [_text([words]) for words in data.draw(st.lists(one, max_size=3))]
    text = _text(told)
    assert lacks(" ".join([*others, text, *others]), text) == ()
    altered = [list(words) for words in told]
    sentence = data.draw(st.sampled_from(altered))
    place = data.draw(st.integers(0, len(sentence) - 1))
    match data.draw(st.sampled_from(("out", "in", "replaced", "moved"))):
        case "out":
            del sentence[place]
        case "in":
            sentence.insert(place, data.draw(st.sampled_from(more)))
        case "replaced":
            sentence[place] = data.draw(st.sampled_from(more))
        case "moved":
            sentence.insert(data.draw(st.integers(0, len(sentence) - 1)), sentence.pop(place))
    if altered != told:
        assert lacks(_text(altered), text)


def _text(told: list[list[str]]) -> str:
    return " ".join(f"so {' '.join(words)} here." for words in told)


@pytest.mark.parametrize(
    "text",
    [
        *english("I paid the rent yesterday.", "The dentist is on Monday.", "The rent is due on 5 May."),
        *turkish("Dün kirayı ödedim.", "Dişçi pazartesi günü.", "Kiranın günü 5 Mayıs."),
    ],
)
def test_yesterday_is_another_day_on_another_day(text: str) -> None:
    """The same words are not the same date."""
    assert lacks(text, text) == ()
    assert lacks(text, text, same_day=False)


def of(entities: str, terms: str, kind: str = "fact") -> Linkable:
    return Linkable(frozenset(entities.split()), kind, terms)


def shared(common: int, total: int) -> tuple[str, str]:
    """Two lists of terms with so many in common of so many."""
    rest = total - common
    words = [f"w{n}" for n in range(total)]
    return " ".join(words[: common + rest // 2]), " ".join([*words[:common], *words[common + rest // 2 :]])


@NEITHER
@pytest.mark.req("D16")
@pytest.mark.parametrize(
    ("entities", "common", "kinds", "linked"),
    [
        ("a b", 0, "fact plan", ("same_entity", 0.7)),
        ("a", 31, "fact plan", ("elaborates", 0.5)),
        ("a", 30, "fact fact", ("related_to", 0.4)),
        ("a", 30, "fact plan", None),
        ("", 31, "fact plan", None),
        ("", 31, "fact fact", ("related_to", 0.4)),
        ("", 16, "fact fact", ("related_to", 0.4)),
        ("", 15, "fact fact", None),
        ("a b", 90, "fact fact", ("same_entity", 0.7)),
    ],
)
def test_the_three_heuristics(entities: str, common: int, kinds: str, linked: tuple[str, float] | None) -> None:
    """Two entities; over 30 % of the words and an entity; over 15 % and the same category. The first that holds."""
    first, second = shared(common, 100)
    one, other = kinds.split()
    assert link(of(entities, first, one), of(entities, second, other)) == linked


@NEITHER
@pytest.mark.req("D16")
def test_thresholds_come_from_the_recipe() -> None:
    """Another recipe's numbers are other relations."""
    pair = of("a", "x y"), of("a", "x y")
    assert link(*pair, Linking(same_entity_min=1)) == ("same_entity", 0.7)
    assert link(*pair, Linking(elaborates_above=1, related_above=1)) is None
    assert link(*pair, Linking(elaborates_confidence=0.9)) == ("elaborates", 0.9)


sets = st.frozensets(st.sampled_from("abcdef"), max_size=6)
linkables = st.builds(Linkable, sets, st.sampled_from(["fact", "plan"]), st.sampled_from(["x", "x y", "y z", "z", ""]))


@NEITHER
@given(linkables, linkables)
def test_which_is_first_makes_no_difference(first: Linkable, second: Linkable) -> None:
    """The relation is symmetric, its confidence in [0, 1]."""
    found = link(first, second)
    assert found == link(second, first)
    assert found is None or 0 <= found.confidence <= 1


@NEITHER
@given(sets, sets)
def test_overlap_is_a_share(first: frozenset[str], second: frozenset[str]) -> None:
    """In [0, 1], 1 for a text with itself, 0 where nothing is shared."""
    assert 0 <= overlap(first, second) <= 1
    assert overlap(first, first) == (1 if first else 0)
    assert (overlap(first, second) == 0) == (not first & second)
