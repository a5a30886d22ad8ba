"""What a later sentence replaces by name."""

from __future__ import annotations

import pytest

from reverie.language.contradiction import contradicts
from reverie.language.contradiction_reading import reading
from reverie.language.contradiction_replaced import is_replaced
from tests.spoken import BOTH, english, turkish


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("We use Slack for everything at work.", "We switched from Slack to Teams last month."),
            ("We use Slack.", "Our team switched from Slack to Microsoft Teams."),
            ("Our backend uses Flask.", "We moved the backend from Flask to FastAPI."),
            ("Our backend uses Flask.", "We've finally migrated from Flask to FastAPI."),
            ("We host the site on Heroku.", "We moved the site from Heroku to Fly."),
            ("I work at Siemens.", "I switched jobs from Siemens to Bosch."),
            ("I live in Berlin.", "I moved from Berlin to Munich."),
            ("I use Firefox on my laptop.", "I switched from Firefox to Chrome on my laptop."),
            ("Our office is in Berlin.", "We moved our office from Berlin to Munich."),
            ("I use Firefox.", "I just replaced Firefox with Chrome."),
            ("My sister lives in Ankara.", "Sorry, I meant Izmir, not Ankara."),
            ("We use Jira.", "We've moved from Jira to Linear because it was slow."),
        ),
        *turkish(
            ("İşte her şey için Slack kullanıyoruz.", "Geçen ay Slack'ten Teams'e geçtik."),
            ("Slack kullanıyoruz.", "Ekibimiz Slack'ten Teams'e geçti."),
            ("Backend'imiz Flask kullanıyor.", "Flask'tan FastAPI'ye geçtik."),
            ("Panelde React kullanıyoruz.", "Panelde React'ten Vue'ya geçtik."),
            ("Slack kullanıyoruz.", "Slack yerine artık Teams kullanıyoruz."),
            ("Siemens'te çalışıyorum.", "İşimi değiştirip Siemens'ten Bosch'a geçtim."),
            ("Berlin'de yaşıyorum.", "Berlin'den Münih'e taşındım."),
            ("Firefox kullanıyorum.", "Nihayet Firefox'tan Chrome'a geçtim."),
            ("Editörüm Vim.", "Vim'den Emacs'e geçtim."),
            ("Uygulamamız Flask kullanıyor.", "Flask'tan Django'ya geçtik."),
            ("Chrome kullanıyorum.", "Dün Chrome'dan Firefox'a geçtim."),
            ("Tasarımı Figma'da yapıyoruz.", "Figma'dan Penpot'a geçtik."),
        ),
    ],
)
def test_what_the_speaker_gives_up_for_another_is_taken_back(earlier: str, later: str) -> None:
    """A tool in use, by name, for all of it or for what the earlier says."""
    assert contradicts(earlier, later) is not None


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("My sister Elif lives in Ankara.", "I moved from Ankara to Izmir."),
            ("My wife works at Bosch.", "I switched from Bosch to Siemens."),
            ("My colleague Anna uses Flask at Bosch.", "We switched from Flask to FastAPI."),
            ("My plumber uses Slack.", "We switched from Slack to Teams."),
            ("My brother Tim plays for Ajax.", "I switched from Ajax to React."),
            ("I live in Berlin.", "I went from Berlin to Munich by train yesterday."),
            ("I live in Berlin.", "I went from Berlin to Munich for the weekend."),
            ("I live in Berlin.", "I changed my train ticket from Berlin to Munich."),
            ("I love Berlin.", "We moved the conference from Berlin to Munich."),
            ("I work at Sparkasse.", "I moved my savings from Sparkasse to Revolut."),
            ("My brother Kerem works at Getir.", "I replaced Kerem with Selin on the on-call list."),
            ("I use Firefox.", "I never switched from Firefox to Chrome."),
            ("We use Slack.", "We haven't switched from Slack to Teams yet."),
            ("I use Firefox.", "I nearly switched from Firefox to Chrome."),
            ("I use Firefox.", "I switched from Firefox to Chrome but I still use Firefox at home."),
            ("We use React.", "We should have switched from React to Vue."),
            ("I use Firefox.", "In 2015 I switched from Firefox to Chrome, but I went back."),
            ("I use Firefox.", "I switched from Firefox to Chrome. But I went back a week later."),
            ("We use React.", "I read that Netflix switched from React to Vue."),
            ("Netflix uses React.", "We switched from React to Vue."),
            ("We use Slack at work.", "My book club switched from Slack to Discord."),
            ("We use Slack at work.", "Our customer Acme switched from Slack to Teams."),
            ("Our team uses Jira.", "My previous company switched from Jira to Linear."),
            ("I use Notion for my diary.", "I switched from Notion to Obsidian for my work notes."),
            ("I use Firefox on my laptop.", "I switched from Firefox to Chrome on my phone."),
            ("I fly with Lufthansa to Tokyo on May 3.", "I switched from Lufthansa to Swiss for the Rome trip."),
            ("I love Slack.", "We switched from Slack to Teams."),
            ("I use Slack.", "If we switched from Slack to Teams, I'd be glad."),
            ("We use Slack.", "Slack has been switched from blue to green."),
            ("I use Python at work.", "I moved from Python Street to Java Road."),
            ("We use Teams.", "My manager told me we switched from Teams to Slack."),
            ("We use Teams.", "The rumor is that we switched from Teams to Slack."),
            ("We use Teams.", "We switched from Teams to Slack for one week."),
            ("We use Teams.", "We switched from Teams to Slack only for customer calls."),
            ("I use Uber.", "On Friday we switched from Uber to Lyft because of the price."),
            ("I use Vim at work.", "At home I switched from Vim to Emacs."),
            ("My kids use Duolingo.", "I switched from Duolingo to Anki."),
            ("I drink Pepsi.", "The restaurant switched from Pepsi to Coke."),
            ("We use Jira at work.", "Half of the team switched from Jira to Linear."),
            ("We use Jira.", "Some of us switched from Jira to Linear."),
            ("Our team uses Jira.", "The other team switched from Jira to Linear."),
            ("Our team uses Jira.", "The design team switched from Jira to Linear."),
            ("I keep my notes in Notion.", "I switched from Notion to Linear for tasks."),
        ),
        *turkish(
            ("Ablam Elif Ankara'da yaşıyor.", "Ankara'dan İzmir'e taşındım."),
            ("Eşim Bosch'ta çalışıyor.", "Bosch'tan Siemens'e geçtim."),
            ("İş arkadaşım Anna Flask kullanıyor.", "Flask'tan FastAPI'ye geçtik."),
            ("Tesisatçım Slack kullanıyor.", "Slack'ten Teams'e geçtik."),
            ("Kardeşim Tim Ajax'ta oynuyor.", "Ajax'tan React'e geçtim."),
            ("Berlin'de yaşıyorum.", "Dün trenle Berlin'den Münih'e geçtim."),
            ("Berlin'de yaşıyorum.", "Hafta sonu için Berlin'den Münih'e geçtik."),
            ("Berlin'i seviyorum.", "Konferansı Berlin'den Münih'e taşıdık."),
            ("Berlin'de yaşıyorum.", "Tren biletimi Berlin'den Münih'e çevirdim."),
            ("Sparkasse'de çalışıyorum.", "Birikimlerimi Sparkasse'den Revolut'a çevirdim."),
            ("Kardeşim Kerem Getir'de çalışıyor.", "Nöbet listesinde Kerem yerine Selin'i yazdım."),
            ("Slack kullanıyoruz.", "Az kalsın Slack'ten Teams'e geçiyorduk."),
            ("Slack kullanıyoruz.", "Slack'ten Teams'e hiç geçmedik."),
            ("Slack kullanıyoruz.", "Slack'ten Teams'e geçmedik."),
            ("Firefox kullanıyorum.", "Firefox'tan Chrome'a geçtim ama evde hâlâ Firefox kullanıyorum."),
            ("React kullanıyoruz.", "React'ten Vue'ya geçmeliydik."),
            ("Firefox kullanıyorum.", "2015'te Firefox'tan Chrome'a geçtim ama geri döndüm."),
            ("Firefox kullanıyorum.", "Firefox'tan Chrome'a geçtim. Ama sonra geri döndüm."),
            ("React kullanıyoruz.", "Netflix'in React'ten Vue'ya geçtiğini okudum."),
            ("React kullanıyoruz.", "Netflix React'ten Vue'ya geçti."),
            ("Netflix React kullanıyor.", "React'ten Vue'ya geçtik."),
            ("İşte Slack kullanıyoruz.", "Kitap kulübüm Slack'ten Discord'a geçti."),
            ("İş yerinde Slack kullanıyoruz.", "Müşterimiz Acme Slack'ten Teams'e geçti."),
            ("İş yerinde Jira kullanıyoruz.", "Eski şirketim Jira'dan Linear'a geçmişti."),
            ("İş yerinde Jira kullanıyoruz.", "Eski şirketim Jira'dan Linear'a geçti."),
            ("Günlüğüm için Notion kullanıyorum.", "İş notlarım için Notion'dan Obsidian'a geçtim."),
            ("Dizüstünde Firefox kullanıyorum.", "Telefonda Firefox'tan Chrome'a geçtim."),
            ("Panelde React kullanıyoruz.", "Tanıtım sitesinde React'ten Vue'ya geçtik."),
            ("Panelde React kullanıyoruz.", "Tanıtım sitesinde React yerine Vue kullanıyoruz."),
            ("Slack'i seviyorum.", "Slack'ten Teams'e geçtik."),
            ("Slack kullanıyoruz.", "Slack'ten Teams'e geçtik mi?"),
            ("Slack kullanıyoruz.", "Ekibin yarısı Slack'ten Teams'e geçti."),
            ("Slack kullanıyoruz.", "Tasarım ekibi Slack'ten Teams'e geçti."),
            ("Slack kullanıyoruz.", "Müdürüm Slack'ten Teams'e geçtiğimizi söyledi."),
            ("Slack kullanıyoruz.", "Bir haftalığına Slack'ten Teams'e geçtik."),
            ("İşte Vim kullanıyorum.", "Evde Vim'den Emacs'e geçtim."),
            ("Üretimde Postgres kullanıyoruz.", "Testlerde Postgres'ten SQLite'a geçtik."),
            ("Apple'da çalışıyorum.", "Apple'dan Android'e geçtim."),
            ("Google'da çalışıyorum.", "Google'dan Bing'e geçtim."),
            ("Bosch'ta çalışıyorum.", "Mutfakta Bosch yerine Siemens kullanıyoruz."),
            ("Slack kullanıyoruz.", "Slack'ten Teams'e geçmek üzereydik."),
            ("Slack kullanıyoruz.", "Neredeyse Slack'ten Teams'e geçtik."),
            ("Slack kullanıyoruz.", "Diğer ekip Slack'ten Teams'e geçti."),
        ),
    ],
)
def test_another_use_another_user_or_no_switch_takes_nothing_back(earlier: str, later: str) -> None:
    """Of relatives, customers and clubs, of another place, denied, undone, nearly so, of long ago."""
    assert contradicts(earlier, later) is None


@BOTH
def test_a_clause_is_held_against_a_switch() -> None:
    """The tool that is in use, and no other."""
    for used, other, switched in (
        ("We use Slack.", "We use Zoom.", "We switched from Slack to Teams."),
        ("Slack kullanıyoruz.", "Zoom kullanıyoruz.", "Slack'ten Teams'e geçtik."),
    ):
        (switch,) = reading(switched).switches
        assert is_replaced(reading(used).clauses[0], switch)
        assert not is_replaced(reading(other).clauses[0], switch)
