"""Merges that hold all words of their sources and say something else."""

from __future__ import annotations

import pytest

from reverie.models.llm_grounding import losses, turned
from tests.spoken import NEITHER, english, turkish


@pytest.mark.req("D28")
@pytest.mark.parametrize(
    ("old", "new", "merged", "what"),
    [
        *english(
            ("I used to live in Paris.", "I live near a park.", "I live in Paris near a park.", "what was"),
            ("I live in Paris.", "I have a cat in Paris.", "I lived in Paris and had a cat.", "what was"),
            ("I might move to Oslo.", "I like Oslo.", "I move to Oslo and like it.", "planned"),
            ("I want to learn Japanese.", "I live in Tokyo.", "I learn Japanese and live in Tokyo.", "planned"),
            (
                "I switched from tea to coffee.",
                "I like coffee.",
                "I switched from coffee to tea, like coffee.",
                "stands",
            ),
            ("Take it before meals.", "Take it with water.", "Take it with water after meals.", "stands"),
            (
                "Mert works at Getir.",
                "Elif works at Insider.",
                "Mert works at Insider, Elif works at Getir.",
                "another",
            ),
            (
                "My sister likes tea.",
                "My brother likes figs.",
                "My sister likes figs, my brother likes tea.",
                "another",
            ),
            ("I avoid eggs.", "I eat at noon.", "I eat eggs at noon.", "denial"),
        ),
        *turkish(
            ("Eskiden Paris'te yaşıyordum.", "Parkta yürürüm.", "Paris'te yaşıyorum, parkta yürürüm.", "what was"),
            ("Paris'te yaşıyorum.", "Kedim var.", "Paris'te yaşıyordum, kedim vardı.", "what was"),
            ("Belki Oslo'ya taşınırım.", "Oslo'yu severim.", "Oslo'ya taşınırım, Oslo'yu severim.", "planned"),
            ("Japonca öğrenmek isterim.", "Tokyo'dayım.", "Tokyo'dayım, Japonca öğrenirim.", "planned"),
            ("Çaydan kahveye geçtim.", "Kahve severim.", "Kahveden çaya geçtim, kahve severim.", "stands"),
            ("Yemekten önce al.", "Su ile al.", "Su ile yemekten sonra al.", "stands"),
            ("Mert Getir'de çalışıyor.", "Elif Insider'da.", "Mert Insider'da çalışıyor, Elif Getir'de.", "another"),
            ("Ablam çay sever.", "Abim incir sever.", "Ablam incir sever, abim çay sever.", "another"),
            ("Bana e-posta gönderme.", "Bana mesaj at.", "Bana e-posta gönder, mesaj at.", "denial"),
        ),
    ],
)
def test_a_merge_that_turns_something_round_is_told(old: str, new: str, merged: str, what: str) -> None:
    """Time, mood, order, and whose it is."""
    assert what in turned((old, new), merged)
    assert losses((old, new), merged)


@pytest.mark.req("D28")
@pytest.mark.parametrize(
    ("old", "new", "merged"),
    [
        *english(
            ("I used to live in Paris.", "I live in Oslo.", "I used to live in Paris, and now live in Oslo."),
            ("I might move to Oslo.", "I like Oslo.", "I like Oslo and might move there."),
            ("I will visit Rome in June.", "I love Rome.", "I love Rome and will visit it in June."),
            ("I switched from tea to coffee.", "I drink coffee.", "I switched from tea to coffee and drink it."),
            ("Mert works at Getir.", "Elif works at Insider.", "Mert works at Getir and Elif works at Insider."),
            ("My sister likes tea.", "My brother likes figs.", "My sister likes tea and my brother likes figs."),
            ("The team uses Postgres.", "The team backs up Postgres.", "The team uses Postgres and backs it up."),
            ("My sister lives in Oslo.", "My sister has a cat.", "My sister lives in Oslo and has a cat."),
        ),
        *turkish(
            ("Eskiden Paris'te yaşardım.", "Oslo'da yaşıyorum.", "Eskiden Paris'te yaşardım, Oslo'da yaşıyorum."),
            ("Belki Oslo'ya taşınırım.", "Oslo'yu severim.", "Oslo'yu severim, belki oraya taşınırım."),
            ("Haziranda Roma'ya gideceğim.", "Roma'yı severim.", "Roma'yı severim, haziranda oraya gideceğim."),
            ("Çaydan kahveye geçtim.", "Kahve içiyorum.", "Çaydan kahveye geçtim, kahve içiyorum."),
            ("Mert Getir'de çalışıyor.", "Elif Insider'da.", "Mert Getir'de çalışıyor, Elif Insider'da."),
            ("Ablam çay sever.", "Abim incir sever.", "Ablam çay, abim incir sever."),
            ("Ekip Postgres kullanıyor.", "Ekip Postgres'i yedekliyor.", "Ekip Postgres kullanıyor ve yedekliyor."),
            ("Ablam Oslo'da yaşıyor.", "Ablamın kedisi var.", "Ablam Oslo'da yaşıyor, bir kedisi var."),
        ),
    ],
)
def test_a_merge_that_leaves_all_as_it_stands_is_kept(old: str, new: str, merged: str) -> None:
    """Clauses side by side, in either order, and a pronoun for what was named."""
    assert losses((old, new), merged) == ""


@NEITHER
@pytest.mark.parametrize("odd", ["", "\x00", "שלום", "1" * 5000, "😀" * 50])
def test_odd_texts_turn_nothing(odd: str) -> None:
    """A text that is its own source says what it says."""
    assert turned((odd, odd), odd) == ""
