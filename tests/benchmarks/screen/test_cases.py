"""The cases are what they claim, and the same every time."""

from __future__ import annotations

import random
import re
from collections import Counter

from benchmarks.screen.cases import harmless, made, orders, secrets, written


def test_the_same_seed_makes_the_same_secrets() -> None:
    """And another seed others."""
    assert list(secrets(120, 1)) == list(secrets(120, 1))
    assert list(secrets(120, 1)) != list(secrets(120, 2))


def test_every_secret_stands_in_its_text() -> None:
    """In a sentence of its group, in either language."""
    cases = list(secrets(300, 1))
    assert all(case.secret in case.text for case in cases)
    assert {case.language for case in cases} == {"en", "tr"}
    assert len({case.kind for case in cases}) >= 30


def test_a_form_is_filled_in() -> None:
    """Stretches by chance, the rest as written."""
    assert re.fullmatch(r"x-[0-9a-f]{8}\n\d{2}", made("x-{h,8}\\n{d,2}", random.Random(1)))


def test_the_orders_are_as_many_in_both_languages() -> None:
    """Kind by kind; and no text comes twice, but for one hidden order that is the same in both."""
    cases = list(orders())
    assert Counter(c.kind for c in cases if c.language == "en") == Counter(c.kind for c in cases if c.language == "tr")
    assert len({case.text for case in cases}) == len(cases)
    assert len(list(harmless())) == len(set(harmless()))


def test_texts_of_many_hands_have_each_kind_and_their_secrets_within() -> None:
    """English and Turkish of seven hands; the one that is only measured on is none of the others."""
    known, unseen = list(written(unseen=False)), list(written(unseen=True))
    for found in (known, unseen):
        assert {one.kind for one in found} == {"injection", "harmless", "secret", "no-secret"}
        assert all(one.secret and one.secret in one.text for one in found if one.kind == "secret")
    assert not {one.text for one in known} & {one.text for one in unseen}
