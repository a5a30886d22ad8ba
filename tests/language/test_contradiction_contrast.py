"""Sentences that name a value only as replaced."""

from __future__ import annotations

import pytest

from reverie.language.contradiction import contradicts
from reverie.language.contradiction_contrast import replacing
from tests.spoken import english, turkish


@pytest.mark.parametrize(
    ("sentence", "language", "left", "replaced"),
    [
        *english(
            ("The deadline is June 12, not June 5.", "en", "The deadline is June 12.", {"6-5"}),
            ("The deadline is not on June 5 but on June 12.", "en", "The deadline is on June 12.", {"6-5"}),
            ("It costs $50 and not $35, sadly.", "en", "It costs $50 sadly.", {"35"}),
            ("The talk is on Monday, not Friday.", "en", "The talk is on Monday.", {"4"}),
            ("The talk is not on Friday.", "en", "The talk is not on Friday.", set()),
            ("I have 3 cats and not 2 dogs.", "en", "I have 3 cats and not 2 dogs.", set()),
        ),
        *turkish(
            ("Son tarih 12 Haziran, 5 Haziran değil.", "tr", "Son tarih 12 Haziran.", {"6-5"}),
            ("Son tarih 5 Haziran değil, 12 Haziran.", "tr", "Son tarih 12 Haziran.", {"6-5"}),
            ("Fiyatı 500 lira, 350 lira değil.", "tr", "Fiyatı 500 lira.", {"350"}),
            ("Sunum pazartesi, cuma değil.", "tr", "Sunum pazartesi.", {"4"}),
            ("Sunum cuma değil.", "tr", "Sunum cuma değil.", set()),
            ("3 kedim var, 2 köpeğim değil.", "tr", "3 kedim var, 2 köpeğim değil.", set()),
        ),
    ],
)
def test_what_is_replaced_is_left_out(sentence: str, language: str, left: str, replaced: set[str]) -> None:
    """Where another value of its kind stands beside it."""
    assert replacing(sentence, language) == (left, replaced)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("The deadline is June 5.", "The deadline is June 12, not June 5."),
            ("The budget is $35.", "The budget is not $35 but $50."),
            ("The meeting is on Friday.", "The meeting is on Monday, not Friday."),
        ),
        *turkish(
            ("Son tarih 5 Haziran.", "Son tarih 12 Haziran, 5 Haziran değil."),
            ("Bütçe 350 lira.", "Bütçe 350 lira değil, 500 lira."),
            ("Toplantı cuma günü.", "Toplantı pazartesi günü, cuma değil."),
        ),
    ],
)
def test_who_names_the_old_value_takes_it_back(earlier: str, later: str) -> None:
    """Even of what there may be several."""
    assert contradicts(earlier, later) is not None


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("The meeting is on Monday.", "The meeting is on Thursday, not Friday."),
            ("My wedding is on June 5.", "The meeting is on June 12, not June 5."),
            ("The deadline for the report is June 5.", "The deadline for the talk is June 12, not June 5."),
            ("We have 5 dogs.", "We have 3 cats, not 5."),
        ),
        *turkish(
            ("Toplantı pazartesi günü.", "Toplantı perşembe, cuma değil."),
            ("Düğünüm 5 Haziran.", "Toplantı 12 Haziran, 5 Haziran değil."),
            ("Raporun son tarihi 5 Haziran.", "Sunumun son tarihi 12 Haziran, 5 Haziran değil."),
            ("5 köpeğimiz var.", "3 kedimiz var, 5 değil."),
        ),
    ],
)
def test_another_value_or_another_thing_stays(earlier: str, later: str) -> None:
    """What is named as replaced is not what was said."""
    assert contradicts(earlier, later) is None
