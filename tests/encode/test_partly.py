"""What of a memory holds on though a part of it is taken back."""

from __future__ import annotations

import pytest

from reverie.encode.gate import gate
from reverie.encode.nearest import Near
from reverie.encode.partly import holds_more
from reverie.formulas.prediction_error import Verdict
from reverie.language.contradiction import contradicts
from reverie.recipes.named import recipe
from tests.encode.making import memory, origin, thought
from tests.spoken import english, turkish

MORE = [
    *english(
        (
            "I'm building a weather station with a Raspberry Pi 4 and a BME280 sensor.",
            "I replaced the BME280 with a SHT40.",
        ),
        ("I live in Berlin, but I work in Potsdam.", "I live in Hamburg now."),
        ("I'm allergic to cats and dogs.", "I'm not allergic to dogs after all."),
        ("I like tea and hate coffee.", "I like coffee now."),
        ("I work at Bosch and my wife at Siemens.", "I quit Bosch."),
        ("I play bass in a band and we rehearse on Mondays.", "I don't play bass anymore."),
        ("I don't drink and my wife smokes.", "I drink again."),
        ("I use Vim for Python, IntelliJ for Java.", "I switched from Vim to Neovim."),
        ("I use IntelliJ for Java, Vim for Python.", "I switched from Vim to Neovim."),
        ("We write tests in Selenium, we use GitLab for versions.", "We switched from Selenium to Playwright."),
        ("I'm allergic to hazelnuts, Murat to milk.", "I'm not allergic to hazelnuts after all."),
        ("I work at Bosch, my wife at Siemens.", "I quit Bosch."),
        ("I drive a Polo, my wife a Golf.", "I sold the Polo."),
    ),
    *turkish(
        ("Toplantılar için Slack ve Zoom kullanıyoruz.", "Zoom'dan Teams'e geçtik."),
        ("Berlin'de yaşıyorum ama Potsdam'da çalışıyorum.", "Artık Hamburg'da yaşıyorum."),
        ("Kediye ve köpeğe alerjim var.", "Köpeğe alerjim yokmuş."),
        ("Metformin ve ramipril kullanıyorum.", "Artık ramipril kullanmıyorum."),
        ("Et ve balık yemiyorum.", "Artık balık yiyorum."),
        ("Evliyim, eşim Ankara'da çalışıyor.", "Artık evli değilim."),
        ("Kocam Bosch'ta çalışıyor, ben evdeyim.", "Kocam artık Bosch'ta çalışmıyor."),
        ("Testleri Selenium ile yazıyoruz, sürümler için GitLab kullanıyoruz.", "Selenium'dan Playwright'a geçtik."),
        ("Python için Vim kullanıyorum, Java için IntelliJ.", "Vim'den Neovim'e geçtim."),
        ("Python'ı Vim'de yazıyorum, Java'yı IntelliJ'de.", "Vim'den Neovim'e geçtim."),
        ("Benim fındığa alerjim var, Murat'ın da süte.", "Fındığa alerjim yokmuş."),
        ("Fındığa alerjim var, kızımın ise süte.", "Fındığa alerjim yokmuş."),
        ("Ben Ankara'da yaşıyorum, ablam da İzmir'de.", "Artık Bursa'da yaşıyorum."),
    ),
]
WHOLE = [
    *english(
        ("I live in Berlin with my wife and two kids.", "I live in Hamburg now."),
        ("I live in Berlin.", "I live in Hamburg now."),
        ("My wife and I live in Berlin.", "We live in Hamburg now."),
        ("I'm allergic to cats and dogs.", "I'm not allergic to cats or dogs."),
        ("I use Vim for Python, for work.", "I switched from Vim to Neovim."),
        ("I use Vim, mostly on my ThinkPad.", "I switched from Vim to Neovim."),
        ("I live in Leeds, in a flat in Chapeltown.", "I live in Hull now."),
    ),
    *turkish(
        ("Eşim ve iki çocuğumla Berlin'de yaşıyorum.", "Artık Hamburg'da yaşıyorum."),
        ("Berlin'de yaşıyorum.", "Artık Hamburg'da yaşıyorum."),
        ("Eşim ve ben Berlin'de yaşıyoruz.", "Artık Hamburg'da yaşıyoruz."),
        ("Kediye ve köpeğe alerjim var.", "Kediye ve köpeğe alerjim yokmuş."),
        ("Python için Vim kullanıyorum, evde de.", "Vim'den Neovim'e geçtim."),
        ("Selenium kullanıyoruz, her gün.", "Selenium'dan Playwright'a geçtik."),
        ("Ankara'da yaşıyorum, Çankaya'da.", "Artık Bursa'da yaşıyorum."),
    ),
]


@pytest.mark.req("D17")
@pytest.mark.parametrize(("was", "now"), MORE)
def test_a_memory_that_says_more_stays_beside_what_takes_a_part_back(was: str, now: str) -> None:
    """Closed whole, the rest would be lost."""
    how = contradicts(was, now)
    assert how is not None
    assert holds_more(was, now, how)
    found = gate(thought(now), origin(), [Near(memory(was), 0.5)], 0.0, recipe("reverie").encode.gate)
    assert (found.verdict, [target.id for target in found.targets]) == (Verdict.CREATE, ["old"])
    assert "says more that holds" in found.why


@pytest.mark.req("D17")
@pytest.mark.parametrize(("was", "now"), WHOLE)
def test_a_memory_that_says_one_thing_is_closed(was: str, now: str) -> None:
    """Also where it names several."""
    how = contradicts(was, now)
    assert how is not None
    assert not holds_more(was, now, how)
