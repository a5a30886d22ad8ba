"""What a run looks like to who searches for names."""

from __future__ import annotations

import pytest

from reverie.language.shapes import COUNT, LINK, NAME, OPENER, OTHER, SURE, WORD, shape


@pytest.mark.parametrize(
    ("chunk", "language", "kind"),
    [
        ("walking", "en", OTHER),
        ("of", "en", LINK),
        ("15", "en", COUNT),
        ("New", "en", OPENER),
        ("Weather", "en", WORD),
        ("Caroline", "en", NAME),
        ("Caroline's", "en", SURE),
        ("iPhone", "en", SURE),
        ("v2.1.0", "en", SURE),
        ("March", "en", OTHER),
        ("yürüyorum", "tr", OTHER),
        ("ve", "tr", OTHER),
        ("15", "tr", COUNT),
        ("Yeni", "tr", OPENER),
        ("Hava", "tr", WORD),
        ("Ayşe", "tr", NAME),
        ("Ayşe'nin", "tr", SURE),
        ("eTwinning", "tr", SURE),
        ("v2.1.0", "tr", SURE),
        ("Mart", "tr", OTHER),
    ],
)
def test_the_kind_of_a_run(chunk: str, language: str, kind: int) -> None:
    """By capitals, digits, endings and the lists of either language."""
    assert shape(chunk, language).kind == kind


@pytest.mark.parametrize(
    ("chunk", "core", "opens", "closes", "ends_sentence"),
    [
        ("kite", "kite", False, False, False),
        ("kite,", "kite", False, True, False),
        ("(kite).", "kite", True, True, True),
        ("“Kite!”", "Kite", True, True, True),
        ("—", "", True, False, False),
        ("...", "", False, True, True),
    ],
)
def test_how_a_run_stands_in_what_it_is_part_of(
    chunk: str, core: str, opens: bool, closes: bool, ends_sentence: bool
) -> None:
    """What stands around the word says where a name or a sentence ends."""
    seen = shape(chunk, "en")
    assert (seen.core, seen.opens, seen.closes, seen.ends_sentence) == (core, opens, closes, ends_sentence)


def test_a_capital_at_a_sentence_s_beginning_may_be_a_verb_s() -> None:
    """Told by the ending, in either language."""
    assert shape("Jogging", "en").like_verb
    assert shape("Gidiyorum", "tr").like_verb
    assert not shape("Caroline", "en").like_verb
    assert not shape("Ayşe", "tr").like_verb


def test_a_very_long_run_is_no_part_of_a_name() -> None:
    """It is not even looked at."""
    assert shape("A" * 65, "en").kind == OTHER
