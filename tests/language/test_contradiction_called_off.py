"""Plans that are called off or put on another day."""

from __future__ import annotations

import pytest

from reverie.language.contradiction import contradicts
from reverie.language.contradiction_called_off import is_called_off
from reverie.language.contradiction_reading import reading
from tests.spoken import BOTH, english, turkish


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("I have a dentist appointment on June 12 (2027-06-12) at 3pm.", "My dentist appointment was cancelled."),
            ("I have a dentist appointment on June 12.", "My dentist appointment moved to June 15."),
            ("I have a dentist appointment on June 12.", "I rescheduled my dentist appointment to June 15."),
            ("I'm flying to Berlin on Friday (2026-11-27).", "My Berlin trip is cancelled."),
            ("I'm flying to Berlin on Friday.", "They cancelled my flight to Berlin."),
            ("Our meeting with Sam is on Friday at 3pm.", "The meeting with Sam was postponed to Monday."),
            ("Our meeting is on Friday at 3pm.", "The meeting was postponed to Monday."),
            ("The wedding is on May 5.", "We called off the wedding."),
            ("My flight to Oslo is on May 5.", "My flight to Oslo got cancelled."),
            ("My daughter's school recital is on May 5.", "My daughter's school recital got postponed."),
        ),
        *turkish(
            ("12 Haziran'da (2027-06-12) dişçi randevum var.", "Dişçi randevum iptal oldu."),
            ("12 Haziran'da dişçi randevum var.", "Dişçi randevum 15 Haziran'a alındı."),
            ("12 Haziran'da dişçi randevum var.", "Dişçi randevumu iptal ettim."),
            ("12 Haziran'da dişçi randevum var.", "Dişçi randevumu 15 Haziran'a aldırdım."),
            ("Cuma günü (2026-11-27) Berlin'e uçuyorum.", "Berlin seyahatim iptal oldu."),
            ("Toplantı cuma günü saat 3'te.", "Toplantı pazartesiye ertelendi."),
            ("Düğün 5 Mayıs'ta.", "Düğünü iptal ettik."),
            ("Oslo uçuşum 5 Mayıs'ta.", "Oslo uçuşum iptal edildi."),
            ("Kızımın okul gösterisi 5 Mayıs'ta.", "Kızımın okul gösterisi ertelendi."),
            ("Sam'le toplantımız cuma günü saat 3'te.", "Sam'le toplantımız pazartesiye ertelendi."),
        ),
    ],
)
def test_a_plan_that_is_off_is_taken_back(earlier: str, later: str) -> None:
    """Cancelled, postponed or moved, by its own name or as the trip it is."""
    found = contradicts(earlier, later)
    assert found is not None
    assert found.reason in ("called off", "date")


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        *english(
            ("My daughter's school recital is on May 5.", "My son's school recital got postponed."),
            ("I have a dentist appointment on June 12.", "My sister's dentist appointment was cancelled."),
            ("I have a meeting with Sam on Friday.", "The meeting was cancelled."),
            ("I have a dentist appointment on June 12.", "My dentist appointment on July 3 was cancelled."),
            ("Football practice is every Monday at 6.", "Football practice was cancelled."),
            ("Football practice is on Mondays at 6.", "Football practice was cancelled."),
            ("I had a dentist appointment on June 12.", "My dentist appointment was cancelled."),
            ("I'm flying to Berlin on Friday.", "My Paris trip is cancelled."),
            ("My exam is on Friday.", "I cancelled my gym membership."),
            ("I have a dentist appointment on June 12.", "I moved to June street."),
            ("I have an exam on Friday.", "My flight was delayed."),
            ("I have a dentist appointment on June 12.", "Should I cancel my dentist appointment?"),
            ("I have a dentist appointment on June 12.", "I might cancel my dentist appointment."),
            ("I have a dentist appointment on June 12.", "My dentist appointment was not cancelled."),
            ("I have a dentist appointment on June 12.", "If my dentist appointment is cancelled, I'll rest."),
            ("Football practice is on Mondays at 6.", "Practice was cancelled."),
            ("My meeting is on Friday.", "My meeting was cancelled."),
        ),
        *turkish(
            ("Cuma günü Berlin'e uçuyorum.", "Paris seyahatim iptal oldu."),
            ("Her pazartesi futbol antrenmanım var.", "Futbol antrenmanım iptal oldu."),
            ("12 Haziran'da dişçi randevum var.", "Ablamın dişçi randevusu iptal oldu."),
            ("12 Haziran'da dişçi randevum var.", "20 Temmuz'daki dişçi randevum iptal oldu."),
            ("12 Haziran'da dişçi randevum var.", "Kuaför randevum iptal oldu."),
            ("5 Mayıs'ta sınavım var.", "Uçuşum ertelendi."),
            ("12 Haziran'da dişçi randevum var.", "Dişçi randevumu iptal etsem mi?"),
            ("Kızımın okul gösterisi 5 Mayıs'ta.", "Oğlumun okul gösterisi ertelendi."),
            ("Cuma günü Sam'le toplantım var.", "Toplantı iptal oldu."),
            ("Futbol antrenmanı pazartesileri saat 6'da.", "Futbol antrenmanı iptal oldu."),
            ("12 Haziran'da dişçi randevum vardı.", "Dişçi randevum iptal oldu."),
            ("Sınavım cuma günü.", "Spor salonu üyeliğimi iptal ettim."),
            ("12 Haziran'da dişçi randevum var.", "Haziran Sokağı'na taşındım."),
            ("12 Haziran'da dişçi randevum var.", "Dişçi randevum iptal olabilir."),
            ("12 Haziran'da dişçi randevum var.", "Dişçi randevum iptal olmadı."),
            ("12 Haziran'da dişçi randevum var.", "Dişçi randevum iptal olursa dinlenirim."),
            ("Toplantım cuma günü.", "Toplantım iptal oldu."),
        ),
    ],
)
def test_another_plan_stays(earlier: str, later: str) -> None:
    """Another's, another place or day, a part of a series, one that is over, or one that is not surely off."""
    assert contradicts(earlier, later) is None


@BOTH
def test_a_formed_memory_with_a_date_behind_its_time_is_compared_whole() -> None:
    """The day in brackets cuts no clause."""
    for earlier, later in (
        ("I have a dentist appointment on June 12 (2027-06-12) at 3pm.", "My dentist appointment was cancelled."),
        ("12 Haziran'da (2027-06-12) dişçi randevum var.", "Dişçi randevum iptal oldu."),
    ):
        (was,), (now,) = reading(earlier).clauses, reading(later).clauses
        assert "(" not in was.text
        assert is_called_off(was, now)
        assert not is_called_off(now, was)
