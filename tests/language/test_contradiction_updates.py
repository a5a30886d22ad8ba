"""Statements alike but for one thing, of which the later says that it changed."""

from __future__ import annotations

import pytest

from reverie.language.contradiction import contradicts
from reverie.language.contradiction_reading import reading
from reverie.language.contradiction_updates import updated
from tests.spoken import english, turkish


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("Our CI runs on Jenkins.", "Our CI runs on Buildkite now."),
            ("We use Jenkins for CI.", "We use Buildkite for CI now."),
            ("I prefer tabs.", "I prefer spaces now."),
            ("Our backend is written in Go.", "Our backend is written in Rust now."),
            ("I keep my notes in Evernote.", "I keep my notes in Obsidian now."),
            ("My piano lesson is on Tuesdays at 5.", "My piano lesson is on Thursdays at 5 now."),
            ("The API runs on port 8080.", "The API runs on port 8000 now."),
        ),
        *turkish(
            ("CI'mız Jenkins üzerinde çalışıyor.", "CI'mız artık Buildkite üzerinde çalışıyor."),
            ("CI için Jenkins kullanıyoruz.", "CI için artık Buildkite kullanıyoruz."),
            ("Tab tercih ediyorum.", "Artık boşluk tercih ediyorum."),
            ("Backend'imiz Go ile yazılıyor.", "Backend'imiz artık Rust ile yazılıyor."),
            ("Notlarımı Evernote'ta tutuyorum.", "Notlarımı artık Obsidian'da tutuyorum."),
            ("Piyano dersim salı günleri saat 5'te.", "Piyano dersim artık perşembe günleri saat 5'te."),
            ("API 8080 portunda çalışıyor.", "API artık 8000 portunda çalışıyor."),
        ),
    ],
)
def test_a_plain_update_takes_back_what_it_replaces(earlier: str, later: str) -> None:
    """A shared purpose, subject, place or choice makes one of two the only one."""
    assert contradicts(earlier, later) is not None


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("I like tea.", "I like coffee now."),
            ("Ada owns the parser.", "Ada owns the lexer now."),
            ("I play tennis on Sundays.", "I play football on Sundays now."),
            ("We use Jenkins for CI.", "We use Jenkins for deployment now."),
            ("I use Excel for work.", "I use Word for work now."),
            ("I prefer tea over coffee.", "I prefer tea over milk now."),
            ("My cat likes tuna.", "My cat likes salmon now."),
            ("We use Jenkins for CI.", "We use Buildkite for CI too now."),
        ),
        *turkish(
            ("Caz severim.", "Artık rock severim."),
            ("Ayrıştırıcıya Ada bakıyor.", "Artık belgelere Ada bakıyor."),
            ("Pazar günleri satranç oynuyorum.", "Artık pazar günleri briç oynuyorum."),
            ("Planlama için Trello kullanıyoruz.", "Takip için artık Linear kullanıyoruz."),
            ("İş için Excel kullanıyorum.", "İş için artık Word kullanıyorum."),
            ("Çayı kahveye tercih ederim.", "Artık çayı süte tercih ederim."),
            ("Kedim ton balığı sever.", "Kedim artık somon sever."),
            ("CI için Jenkins kullanıyoruz.", "CI için artık Buildkite da kullanıyoruz."),
        ),
    ],
)
def test_what_may_only_have_been_added_takes_nothing_back(earlier: str, later: str) -> None:
    """Who likes coffee now may like tea as before."""
    assert contradicts(earlier, later) is None


@pytest.mark.parametrize(
    ("earlier", "later", "pair"),
    [
        *english(("We use Jenkins for CI.", "We use Buildkite for CI now.", ("Jenkins", "Buildkite"))),
        *turkish(("CI için Jenkins kullanıyoruz.", "CI için artık Buildkite kullanıyoruz.", ("Jenkins", "Buildkite"))),
    ],
)
def test_what_is_exchanged_is_told(earlier: str, later: str, pair: tuple[str, str]) -> None:
    """What was said and what is said now, as both are written."""
    assert updated(reading(earlier).clauses[0], reading(later).clauses[0]) == pair
