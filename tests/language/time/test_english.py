"""What is English about times in English; the labelled expressions are in test_times.py."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from reverie.language.text.letters import plain
from reverie.language.time.english import TRIGGER, glue, rules
from reverie.language.time.rules import scan
from tests.spoken import ENGLISH, english

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
    english(
        ("what about May and June?", ""),
        ("between May and June", "2023-05-01 2023-07-01 between May and June"),
        ("the days between Monday and Wednesday", "2024-05-13 2024-05-16 between Monday and Wednesday"),
        ("from March on", "2024-03-01 2024-05-16 from March on"),
        ("from 7 May to 9 May", "2024-05-07 2024-05-10 from 7 May to 9 May"),
        ("the week after 9 June 2023", "2023-06-10 2023-06-17 week after 9 June 2023"),
        ("three days before 9 June 2023", "2023-06-06 2023-06-07 three days before 9 June 2023"),
        ("a gift from April", ""),
        ("in April", "2024-04-01 2024-05-01 April"),
        ("of February", "2024-02-01 2024-03-01 February"),
        ("it was Friday I think", ""),
        ("Friday night", "2024-05-10 2024-05-11 Friday night"),
        ("this may be", ""),
        ("this March", "2024-03-01 2024-04-01 this March"),
        ("on the 15th", "2024-05-15 2024-05-16 on the 15th"),
        ("on the 16th at noon", "2024-04-16 2024-04-17 on the 16th"),
        ("on the 5th of last month", "2024-04-05 2024-04-06 on the 5th of last month"),
        ("on the 2nd floor", ""),
        ("in my 20s", ""),
        ("in the 20s", "2020-01-01 2030-01-01 the 20s"),
    ),
)
def test_words_around_a_time_decide(text: str, expected: str) -> None:
    """A month, a day or a decade needs its preposition, and a preposition makes a range."""
    assert found(text) == expected


@ENGLISH
def test_the_cheap_look_never_hides_a_time() -> None:
    """Whatever the rules find holds one of the words that are looked for first."""
    texts = [
        "last fall",
        "two weeks ago",
        "Q1",
        "the other day",
        "on Sunday",
        "in Dec",
        "the 90s",
        "an hour ago",
        "tonight",
    ]
    assert all(TRIGGER.search(text.lower()) for text in texts if found(text))
    assert not TRIGGER.search("what is the name of my sister?")


@pytest.mark.parametrize(
    ("text", "expected"),
    english(
        ("My exam is on 12.06.", "2023-06-12 2023-06-13 12.06"),
        ("It was on 5.03", "2024-03-05 2024-03-06 5.03"),
        ("It was on 3/25.", "2024-03-25 2024-03-26 3/25"),
        ("It was on 25/3.", "2024-03-25 2024-03-26 25/3"),
        ("It is on 4/5.", ""),
        ("We run on 3.12", ""),
        ("I am on 24/7", ""),
        ("I paid 12.06", ""),
        ("It rose on 12.06%", ""),
        ("The score was 4/25", ""),
        ("It is on version 12.06", ""),
        ("It is on 31.06", ""),
    ),
)
def test_a_day_and_a_month_in_figures(text: str, expected: str) -> None:
    """Where it is certain which is which, and that they are no price, version or score."""
    assert found(text) == expected
