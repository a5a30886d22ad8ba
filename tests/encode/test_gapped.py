"""Halves of sentences that leave out the verb of the other half."""

from __future__ import annotations

import pytest

from reverie.encode.gapped import is_gapped
from tests.spoken import english, turkish


@pytest.mark.req("D17")
@pytest.mark.parametrize(
    ("half", "other", "language", "gapped"),
    [
        *english(
            ("Murat to milk.", "I'm allergic to hazelnuts.", "en", True),
            ("my wife at Siemens", "I work at Bosch", "en", True),
            ("my wife a Golf", "I drive a Polo", "en", True),
            ("IntelliJ for Java", "I use Vim for Python", "en", True),
            ("IntelliJ on Mondays", "I use Vim for Python", "en", False),
            ("Monday to Friday", "I walk to work", "en", False),
            ("kids in a flat", "I live in Leeds with my wife", "en", False),
            ("mostly on my ThinkPad", "I work on Vim", "en", False),
            ("Leeds", "I live in Hull", "en", False),
        ),
        *turkish(
            ("Murat'ın da süte.", "Benim fındığa alerjim var.", "tr", True),
            ("eşim Siemens'te", "Ben Bosch'ta çalışıyorum", "tr", True),
            ("patronumun ise Golf'e", "Benim Polo'ya merakım var", "tr", True),
            ("tasarım için Figma", "Toplantılar için Slack kullanıyoruz", "tr", True),
            ("Java'yı IntelliJ'de", "Python'ı Vim'de yazıyorum", "tr", True),
            ("eşim evli", "Ben Bosch'ta çalışıyorum", "tr", False),
            ("küçük bir evde", "Leeds'te yaşıyorum", "tr", False),
            ("eşim Siemens'te çalışıyor", "Ben Bosch'ta çalışıyorum", "tr", False),
            ("Çankaya'da", "Ankara'da yaşıyorum", "tr", False),
        ),
    ],
)
def test_a_half_without_its_verb(half: str, other: str, language: str, gapped: bool) -> None:
    """By the small word or the case both have; no time, place or remark of the same fact."""
    assert is_gapped(half, other, language) is gapped
