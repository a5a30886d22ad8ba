"""What of a text its speaker states."""

from __future__ import annotations

import pytest

from reverie.language.contradiction_asserted import asserted
from tests.spoken import english, turkish

OWN = [
    *english(
        ("en", ["I live in Oslo."]),
        ("en", ["As I said, I live in Oslo now."]),
        ("en", ["My boss said yes to it and I moved to Oslo."]),
        ("en", ["Correction: my flight is at 11 am."]),
        ("en", ["Write this down: I live in Oslo."]),
        ("en", ["I met Kelly in the book club."]),
    ),
    *turkish(
        ("tr", ["Oslo'da yaşıyorum."]),
        ("tr", ["Dediğim gibi, artık Oslo'da yaşıyorum."]),
        ("tr", ["Patronum olur dedi, ben de Oslo'ya taşındım."]),
        ("tr", ["Düzeltme: uçuşum saat 11'de."]),
        ("tr", ["Not al: artık Oslo'da yaşıyorum."]),
        ("tr", ["Artık Romanya'da, bir kitapçıda çalışıyorum."]),
    ),
]


@pytest.mark.parametrize(("language", "sentences"), OWN)
def test_what_the_speaker_says_of_himself_stays(language: str, sentences: list[str]) -> None:
    """A correction, a note, a word of his own; a book club is no book."""
    assert asserted(sentences, language) == sentences


@pytest.mark.parametrize(
    ("language", "sentence", "left"),
    [
        *english(
            ("en", "My friend says: I live in Oslo now.", "My friend "),
            ("en", 'She wrote "I live in Oslo now".', "She "),
            ("en", "I live in Oslo now, my friend says.", ""),
            ("en", "Translate into German: I moved to Paris.", ""),
            ("en", "I dreamed that I moved to Paris.", ""),
            ("en", "In this story, I live in Paris.", ""),
            ("en", "Let's pretend: I live in Paris.", ""),
        ),
        *turkish(
            ("tr", "Arkadaşım diyor ki: artık Oslo'da yaşıyorum.", "Arkadaşım "),
            ("tr", 'Arkadaşım yazmış: "Oslo\'ya taşındım".', "Arkadaşım "),
            ("tr", "Artık Oslo'da yaşıyorum, diyor arkadaşım.", ""),
            ("tr", "Almancaya çevir: Paris'e taşındım.", "Almancaya "),
            ("tr", "Rüyamda Paris'e taşındım.", ""),
            ("tr", "Bu hikâyede, Paris'te yaşıyorum.", ""),
            ("tr", "Farz edelim: Paris'te yaşıyorum.", ""),
        ),
    ],
)
def test_what_is_quoted_dreamt_or_invented_is_left_out(language: str, sentence: str, left: str) -> None:
    """From where it begins; a dream or a story takes the whole sentence."""
    assert asserted([sentence], language) == [left]


@pytest.mark.parametrize(
    ("language", "frame", "inside", "back"),
    [
        *english(
            ("en", "In my novel I am a spy.", "I live in Paris.", "By the way, I live in Oslo."),
            ("en", "Translate this:", "I live in Paris.", "Anyway, I live in Oslo."),
        ),
        *turkish(
            ("tr", "Romanımda casusum.", "Paris'te yaşıyorum.", "Bu arada Oslo'da yaşıyorum."),
            ("tr", "Şunu Almancaya çevir:", "Paris'te yaşıyorum.", "Neyse, Oslo'da yaşıyorum."),
        ),
    ],
)
def test_a_frame_holds_until_the_speaker_speaks_for_himself(language: str, frame: str, inside: str, back: str) -> None:
    """What follows belongs to it, until "by the way"."""
    assert asserted([frame, inside, inside, back], language)[1:] == ["", "", back]


@pytest.mark.parametrize(
    ("language", "before", "order"),
    [
        *english(("en", "I moved to Paris.", "Translate this into German.")),
        *turkish(("tr", "Paris'e taşındım.", "Bunu Almancaya çevir.")),
    ],
)
def test_an_order_may_work_on_the_words_before_it(language: str, before: str, order: str) -> None:
    """Then those state nothing either."""
    assert asserted([before, order], language) == ["", ""]
