"""What a run looks like to who searches for names."""

from __future__ import annotations

import pytest

from reverie.language.text.words import COUNT, LINK, NAME, OPENER, OTHER, SURE, WORD, shape
from tests.spoken import BOTH, NEITHER, english, neither, turkish


@pytest.mark.parametrize(
    ("chunk", "language", "kind"),
    [
        *english(
            ("walking", "en", OTHER),
            ("of", "en", LINK),
            ("New", "en", OPENER),
            ("Weather", "en", WORD),
            ("Caroline", "en", NAME),
            ("Caroline's", "en", SURE),
            ("iPhone", "en", SURE),
            ("March", "en", OTHER),
        ),
        *turkish(
            ("yürüyorum", "tr", OTHER),
            ("ve", "tr", OTHER),
            ("Yeni", "tr", OPENER),
            ("Hava", "tr", WORD),
            ("Ayşe", "tr", NAME),
            ("Ayşe'nin", "tr", SURE),
            ("eTwinning", "tr", SURE),
            ("Mart", "tr", OTHER),
        ),
        *neither(("15", "en", COUNT), ("15", "tr", COUNT), ("v2.1.0", "en", SURE), ("v2.1.0", "tr", SURE)),
    ],
)
def test_the_kind_of_a_run(chunk: str, language: str, kind: int) -> None:
    """By capitals, digits, endings and the lists of either language."""
    assert shape(chunk, language).kind == kind


@pytest.mark.parametrize(
    ("chunk", "language", "core", "stands"),
    [
        *english(
            ("kite", "en", "kite", (False, False, False)),
            ("kite,", "en", "kite", (False, True, False)),
            ("(kite).", "en", "kite", (True, True, True)),
            ("“Kite!”", "en", "Kite", (True, True, True)),
        ),
        *turkish(
            ("uçurtma", "tr", "uçurtma", (False, False, False)),
            ("Uçurtmayı;", "tr", "Uçurtmayı", (False, True, False)),
            ("(İzmir'de).", "tr", "İzmir", (True, True, True)),
            ("«Uçurtma!»", "tr", "Uçurtma", (True, True, True)),
        ),
        *neither(("—", "en", "", (True, False, False)), ("...", "en", "", (False, True, True))),
    ],
)
def test_how_a_run_stands_in_what_it_is_part_of(
    chunk: str, language: str, core: str, stands: tuple[bool, bool, bool]
) -> None:
    """What stands around the word says where a name or a sentence ends."""
    seen = shape(chunk, language)
    assert (seen.core, (seen.opens, seen.closes, seen.ends_sentence)) == (core, stands)


@BOTH
def test_a_capital_at_a_sentence_s_beginning_may_be_a_verb_s() -> None:
    """Told by the ending, in either language."""
    assert shape("Jogging", "en").like_verb
    assert shape("Gidiyorum", "tr").like_verb
    assert not shape("Caroline", "en").like_verb
    assert not shape("Ayşe", "tr").like_verb


@NEITHER
def test_a_very_long_run_is_no_part_of_a_name() -> None:
    """It is not even looked at."""
    assert shape("A" * 65, "en").kind == OTHER
