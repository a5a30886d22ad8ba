"""Which statements are worth a memory, of which kind, and why others are not."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from reverie.answers import Decision
from reverie.encode.facts import (
    NO_CLASS,
    NOT_THEIRS,
    POINTS_BACK,
    Aids,
    FactCandidate,
    Teller,
    counted,
    kind_of,
    observe,
    think,
    unwanted,
)
from reverie.encode.settings import FormSettings
from reverie.recipes.recipe import recipe
from reverie.types import Kind, Message, Role
from tests.spoken import NEITHER, english, turkish

AT = datetime(2026, 5, 4, 9, tzinfo=UTC)
USER, TOOL, FEED = Teller(Role.USER), Teller(Role.TOOL), Teller(Role.SYSTEM, feed=True)


def decided(text: str, role: Role = Role.USER, *, feed: bool = False) -> tuple[tuple[FactCandidate, ...], Decision]:
    """What the default recipe forms of a message, and what it says of that."""
    encode = recipe("reverie").encode
    seen = observe(text, encode.observe, deliberate=True)
    return think(Message(text, speaker="ada", role=role), AT, seen, encode.form, Aids(feed=feed))


def texts(text: str, role: Role = Role.USER, *, feed: bool = False) -> list[str]:
    """The words of these thoughts."""
    return [thought.text for thought in decided(text, role, feed=feed)[0]]


def form() -> FormSettings:
    """What the default recipe asks for."""
    settings = recipe("reverie").encode.form
    assert settings is not None
    return settings


@pytest.mark.parametrize(
    ("text", "teller", "kind"),
    [
        *english(
            ("I prefer tea.", USER, Kind.PREFERENCE),
            ("I prefer tea.", TOOL, None),
            ("Ada prefers Turkish coffee without sugar.", FEED, Kind.PREFERENCE),
            ("Always answer in German.", FEED, None),
            ("Your dentist appointment is on Friday at 14:00.", TOOL, Kind.PLAN),
            ("Build 512 failed on main.", TOOL, None),
        ),
        *turkish(
            ("Çayı tercih ederim.", USER, Kind.PREFERENCE),
            ("Çayı tercih ederim.", TOOL, None),
            ("Ada şekersiz Türk kahvesi tercih ediyor.", FEED, Kind.PREFERENCE),
            ("Her zaman Almanca cevap ver.", FEED, None),
            ("Diş randevunuz cuma günü saat 14:00'te.", TOOL, Kind.PLAN),
            ("512 numaralı derleme başarısız oldu.", TOOL, None),
        ),
    ],
)
def test_the_kind_of_a_statement_depends_on_who_tells_it(text: str, teller: Teller, kind: Kind | None) -> None:
    """A feed tells of people; it orders and corrects nothing."""
    assert kind_of(text, teller) is kind


@pytest.mark.parametrize(
    ("text", "teller", "why"),
    [
        *english(
            ("I live in Ankara.", USER, None),
            ("The weather was nice.", USER, NO_CLASS),
            ("They love the animals.", USER, POINTS_BACK),
            ("Ada met Grace in London.", FEED, None),
            ("I worked with Google and Anthropic.", TOOL, NOT_THEIRS),
            ("I prefer tea.", TOOL, NOT_THEIRS),
            ("Your dentist appointment is on Friday at 14:00.", TOOL, None),
            ("Thanks!", USER, "acknowledgement"),
        ),
        *turkish(
            ("Ben evliyim.", USER, None),
            ("Hava güzeldi.", USER, NO_CLASS),
            ("Onlar hayvanları seviyor.", USER, POINTS_BACK),
            ("Ada Londra'da Grace ile buluştu.", FEED, None),
            ("Google ve Anthropic ile çalıştım.", TOOL, NOT_THEIRS),
            ("Çayı tercih ederim.", TOOL, NOT_THEIRS),
            ("Diş randevunuz cuma günü saat 14:00'te.", TOOL, None),
            ("Teşekkürler!", USER, "acknowledgement"),
        ),
    ],
)
def test_why_nothing_is_formed_of_a_statement(text: str, teller: Teller, why: str | None) -> None:
    """None where something is."""
    assert unwanted(text, kind_of(text, teller), teller, form()) == why


@NEITHER
def test_reasons_are_counted_in_the_order_in_which_they_were_given() -> None:
    """None of them is lost."""
    assert counted([NO_CLASS, POINTS_BACK, NO_CLASS]) == f"2 {NO_CLASS}, 1 {POINTS_BACK}"
    assert counted([]) == ""


@pytest.mark.parametrize(
    ("said", "role", "why"),
    [
        *english(
            ("The weather was nice.", Role.USER, "of 1 statements, by rules: 1 without a class"),
            ("They love cats. They love dogs.", Role.USER, "of 2 statements, by rules: 2 not to be understood alone"),
            ("I prefer tea.", Role.ASSISTANT, "of 1 statements, by rules: 1 not a person's own"),
        ),
        *turkish(
            ("Hava güzeldi.", Role.USER, "of 1 statements, by rules: 1 without a class"),
            (
                "Onlar kedi sever. Onlar köpek sever.",
                Role.USER,
                "of 2 statements, by rules: 2 not to be understood alone",
            ),
            ("Çayı tercih ederim.", Role.ASSISTANT, "of 1 statements, by rules: 1 not a person's own"),
        ),
    ],
)
def test_the_decision_says_why_statements_are_left_out(said: str, role: Role, why: str) -> None:
    """Counted, each reason once."""
    assert decided(said, role)[1].why == why


@pytest.mark.parametrize(
    ("said", "formed"),
    [
        *english(
            ("Remember that I park on level 3.", ["I park on level 3."]),
            ("Don't forget that Ali can't eat gluten.", ["Ali can't eat gluten."]),
            ("Remember that it is on level 3.", []),
        ),
        *turkish(
            ("Unutma, Ali glüten yiyemiyor.", ["Ali glüten yiyemiyor."]),
            ("Hatırla: yedek anahtar saksının altında.", ["Yedek anahtar saksının altında."]),
            ("Unutma ki onlar üçüncü katta.", []),
        ),
    ],
)
def test_what_somebody_asks_to_have_remembered_is_formed_without_the_asking(said: str, formed: list[str]) -> None:
    """It needs no class, but it must be understood alone."""
    assert texts(said) == formed


@pytest.mark.parametrize(
    "said", [*english("Remember that I park on level 3."), *turkish("Unutma ki üçüncü kata park ediyorum.")]
)
def test_only_the_user_asks_to_have_something_remembered(said: str) -> None:
    """People among themselves, and answers, speak to others."""
    assert texts(said, Role.PERSON) == texts(said, Role.ASSISTANT) == []


@pytest.mark.parametrize(
    "said",
    [
        *english("Ada prefers Turkish coffee without sugar.", "Ada met Grace in London."),
        *turkish("Ada şekersiz Türk kahvesi tercih ediyor.", "Ada Londra'da Grace ile buluştu."),
    ],
)
def test_of_a_feed_is_formed_what_has_a_class(said: str) -> None:
    """As of a person; what a tool says so is nobody's own."""
    assert texts(said, Role.SYSTEM, feed=True) == [said]
    assert texts(said, Role.SYSTEM) == []


@pytest.mark.parametrize(
    "said",
    [
        *english(
            "I use Postgres in this example.",
            "We use React in this tutorial.",
            "I use an ESP32 for that.",
            "I live in the cloud, so I never travel.",
            "I decided to restart the pods.",
            "I decided to make a schedule for you.",
        ),
        *turkish(
            "Bu örnekte Postgres kullanıyorum.",
            "Bu derste React kullanıyoruz.",
            "Bunun için bir ESP32 kullanıyorum.",
            "Bulutta yaşıyorum.",
            "Podları yeniden başlatmaya karar verdim.",
            "Senin için bir program hazırlamaya karar verdim.",
        ),
    ],
)
def test_what_an_assistant_says_of_itself_is_not_kept(said: str) -> None:
    """What it uses in an example, and what it decided to do, is over with the talk."""
    assert texts(said, Role.ASSISTANT) == []


@pytest.mark.parametrize(
    ("said", "role"),
    [
        *english(
            ("The API runs on port 8000.", Role.ASSISTANT),
            ("Your budget is 1500 euros.", Role.ASSISTANT),
            ("I use Postgres in this example.", Role.USER),
        ),
        *turkish(
            ("API 8000 portunda çalışıyor.", Role.ASSISTANT),
            ("Sen Ankara'da yaşıyorsun.", Role.ASSISTANT),
            ("Bu örnekte Postgres kullanıyorum.", Role.USER),
        ),
    ],
)
def test_what_an_assistant_says_of_the_world_is_kept(said: str, role: Role) -> None:
    """And what people say of themselves."""
    assert texts(said, role) == [said]


@pytest.mark.parametrize(
    ("said", "formed"),
    [
        *english(("Selin's mother lives in Bursa.", True)),
        *turkish(("Selin aradı. Annesi Bursa'da yaşıyor.", False), ("Annem Bursa'da yaşıyor.", True)),
    ],
)
def test_the_kin_of_nobody_is_not_kept(said: str, formed: bool) -> None:
    """Whose mother "annesi" is, the sentence does not say."""
    assert bool(texts(said)) is formed


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        *english(("Remember to buy milk.", None), ("Remember to use metric units.", Kind.INSTRUCTION)),
        *turkish(("Süt almayı unutma.", None), ("Her zaman metrik birim kullan.", Kind.INSTRUCTION)),
    ],
)
def test_an_errand_is_no_standing_order(said: str, kind: Kind | None) -> None:
    """It is over with the milk."""
    assert kind_of(said, USER) is kind
