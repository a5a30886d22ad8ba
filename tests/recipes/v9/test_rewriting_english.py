"""English from the first person to the third."""

from __future__ import annotations

import pytest

from reverie.recipes.published.v9.third_person import is_own, rewritten_english
from tests.spoken import ENGLISH, english

CASES = [
    ("I am a nurse and I work at night", "Ada is a nurse and Ada works at night"),
    ("I'm tired, I've slept badly", "Ada is tired, Ada has slept badly"),
    ("I really like jazz", "Ada really likes jazz"),
    ("I watch TV, I try new food, I go out", "Ada watches TV, Ada tries new food, Ada goes out"),
    ("I went home and I put it away", "Ada went home and Ada put it away"),
    ("I can swim but I will not dive", "Ada can swim but Ada will not dive"),
    ("Do I need a visa?", "Does Ada need a visa?"),
    ("Should I stay, or am I late?", "Should Ada stay, or is Ada late?"),
    ("Tom and I like jazz", "Tom and Ada like jazz"),
    ("I live here and work at a bank", "Ada lives here and works at a bank"),
    ("I want to swim and run on the beach", "Ada wants to swim and run on the beach"),
    ("give me my pen, it is mine", "give Ada Ada's pen, it is Ada's"),
    ("I read about World War I", "Ada read about World War I"),
    ("Queen Elizabeth I was a queen to me", "Queen Elizabeth I was a queen to Ada"),
    ('I said "I love my job"', 'Ada said "I love my job"'),
    ("I saw My Fair Lady", "Ada saw My Fair Lady"),
    ("write me at me@my.org", "write Ada at me@my.org"),
    ("The sun is up", "The sun is up"),
    ("I need you to remind me", "Ada needs you to remind Ada"),
    ("I needed a visa", "Ada needed a visa"),
    ("I am 34 and have two kids", "Ada is 34 and has two kids"),
    ("I'm learning the cello and I love it", "Ada is learning the cello and Ada loves it"),
    ("It's cold here and I hate winter", "It's cold here and Ada hates winter"),
    ("My brother lives in Oslo and I miss him", "Ada's brother lives in Oslo and Ada misses him"),
    ("My friends and I play chess", "Ada's friends and Ada play chess"),
    ("I sail in summer and camp in autumn", "Ada sails in summer and camps in autumn"),
    ("I overcame it and I read a lot", "Ada overcame it and Ada read a lot"),
    ("My mine is a gold mine and the mine is mine", "Ada's mine is a gold mine and the mine is Ada's"),
]


@pytest.mark.parametrize(("said", "told"), english(*CASES))
def test_pronouns_verbs_and_owners(said: str, told: str) -> None:
    """The verb agrees, titles, numbers, quotations and addresses stay."""
    assert rewritten_english(said, "Ada") == told


@pytest.mark.parametrize(
    "said", english("We went home", "I told our boss", "I grok it", "let's go", "The team meets daily and I take notes")
)
def test_what_is_not_sure_is_not_rewritten(said: str) -> None:
    """Others are meant too, or the verb is not known."""
    assert rewritten_english(said, "Ada") is None


@ENGLISH
def test_words_of_the_first_person_are_known() -> None:
    """Singular and plural."""
    assert is_own("give it to me")
    assert is_own("our house")
    assert not is_own("the house")
