import pytest

from tests.faces.cli.conftest import Run


@pytest.mark.req("D56", "D56a")
def test_an_intention_is_added_listed_handed_over_and_settled(talk: Run) -> None:
    """From the command line alone; what is due is told by a recall once."""
    one = talk("due", "add", "Call the dentist.", "--at", "2020-01-01T09:00", "--json").shape["intention"]
    assert (one["action"], one["progress"]) == ("Call the dentist.", "open")
    assert "1 due" in talk("due").out
    assert "Reminder, due since 2020-01-01 09:00 UTC: Call the dentist." in talk("recall", "hello").out
    assert "Reminder" not in talk("recall", "hello").out
    assert talk("due", "--json").shape["due"][0]["progress"] == "due"
    assert talk("due", "settle", one["id"], "snoozed").code == 2
    assert "done: Call the dentist." in talk("due", "settle", one["id"], "done").out
    assert talk("due", "settle", one["id"], "cancelled").code == 4
    assert "0 due" in talk("due").out
    assert "done" in talk("due", "--all").out


@pytest.mark.req("D56", "D56a")
def test_topics_recurrences_and_the_calendar(talk: Run) -> None:
    """Each trigger has its option, and exactly one is given."""
    talk("due", "add", "Ask.", "--about", "the ladder")
    talk("due", "add", "Send notes.", "--after", "the meeting with Kerem")
    weekly = ("due", "add", "Water.", "--at", "2030-01-07T08:00", "--every", "FREQ=WEEKLY;BYDAY=MO")
    assert "FREQ=WEEKLY;BYDAY=MO" in talk(*weekly, "--zone", "Europe/Istanbul").out
    assert talk("due", "add", "Nothing.").code == 2
    assert talk("due", "add", "Both.", "--at", "2030-01-01", "--about", "tea").code == 2
    assert talk("due", "calendar", "due.ics", "--json").shape["events"] == 1
    assert talk("due", "calendar", "due.ics").code == 4
    assert "after meet" in talk("due", "--all").out
