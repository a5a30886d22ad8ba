import pytest

from reverie.engine.curate import Feedback
from reverie.engine.injections import PROMPT, Delivery, InjectionLog
from reverie.engine.runtime import SystemClock
from reverie.faces.cli.tend import VERDICTS
from reverie.types import Scope
from tests.faces.cli.conftest import ORDER, Run, formed


def test_the_verdicts_are_the_engines() -> None:
    """Spelled out twice, so that help loads nothing."""
    assert list(VERDICTS) == [str(verdict) for verdict in Feedback]


@pytest.mark.parametrize(
    ("verdict", "field", "rises"),
    [
        ("used", "utility", True),
        ("useless", "utility", False),
        ("important", "importance", True),
        ("verified", "confidence", True),
        ("wrong", "importance", False),
    ],
)
def test_feedback_moves_what_it_is_about(talk: Run, verdict: str, field: str, rises: bool) -> None:
    """And says how the memory stands then."""
    before = formed(talk)[0]
    after = talk("feedback", before["id"], f"--{verdict}", "--why", "said so", "--json").shape["memory"]
    assert (after["standing"][field] > before["standing"][field]) is rises
    assert verdict in talk("feedback", before["id"], f"--{verdict}").out


def test_feedback_is_one_verdict(talk: Run) -> None:
    """None or two are a mistake in the line."""
    name = formed(talk)[0]["id"]
    assert talk("feedback", name).code == 2
    assert talk("feedback", name, "--used", "--wrong").code == 2


def test_what_is_pinned_or_protected_can_be_let_go(talk: Run) -> None:
    """Both are marks that a person sets and takes away."""
    name = formed(talk)[0]["id"]
    assert talk("memory", "pin", name, "--json").shape["memory"]["standing"]["pinned"] is True
    assert "pinned" in talk("memory", "protect", name).out
    assert talk("memory", "unpin", name, "--json").shape["memory"]["standing"]["pinned"] is False
    assert talk("memory", "protect", name, "--off", "--json").shape["memory"]["standing"]["immutable"] is False


def test_a_memory_that_does_not_sleep_may_be_revived_too(talk: Run) -> None:
    """Its last access is now; one that was superseded is not woken."""
    name = formed(talk)[0]["id"]
    assert talk("memory", "revive", name, "--json").shape["memory"]["last_access"]
    talk("feedback", name, "--wrong")
    assert talk("memory", "revive", name).code == 2


def test_what_the_screen_holds_back_is_listed_and_released_by_a_person(talk: Run) -> None:
    """With the reason; once released it is recalled."""
    [held] = talk("memory", "quarantined", "--json").shape["memories"]
    assert held["text"] == ORDER
    assert "hidden prompt" in talk("memory", "quarantined").out
    assert ORDER not in talk("recall", "system prompt instructions").out
    done = talk("memory", "release", held["id"], "--why", "a quotation", "--json").shape["memory"]
    assert done["standing"]["state"] == "active"
    assert ORDER in talk("recall", "system prompt instructions").out
    assert talk("memory", "release", held["id"]).code == 2
    assert talk("memory", "quarantined").out.endswith("0 in quarantine\n")


def test_not_this_is_held_back_until_it_is_released(talk: Run) -> None:
    """With what was formed from it; undoing the event lets all of it out."""
    given = talk("recall", "Zeynep", "--json").shape["hits"][0]["memory"]
    listed = talk("injected", "--json").shape["injections"]
    assert listed[0]["trigger"] == "manual"
    assert given["id"] in [one["memory"]["id"] for one in listed[0]["memories"]]
    shown = talk("injected").out
    assert ("recalled by hand" in shown, given["id"] in shown, "Not this?" in shown) == (True, True, True)
    assert "quarantined" in talk("memory", "quarantine", given["id"]).out
    assert talk("memory", "quarantine", given["id"]).code == 0
    assert given["id"] not in talk("recall", "Zeynep").out
    last = talk("memory", "history", given["id"], "--json").shape["events"][-1]
    assert (last["action"], last["why"]) == ("change", "asked for at the command line")
    assert talk("undo", "--event", str(last["seq"])).code == 0
    assert given["id"] in talk("recall", "Zeynep").out


def test_why_a_hook_withheld_what_is_counted_and_fits_the_screen(talk: Run) -> None:
    """Reasons by number, the first three memories, those that were handed over in other words last; all with --full."""
    held = [one["id"] for one in talk("timeline", "--json").shape["memories"] if one["text"] != ORDER][:4]
    whys = ("repeats number 7", f"told again in {held[0]}", "in the session's context already", "over the token budget")
    now = SystemClock().now()
    scope = Scope("helper", "ada", "home")
    for given, withheld in (((), tuple(zip(held, whys, strict=True))), ((), ())):
        told = Delivery(scope, "s1", "hook:codex", PROMPT, now, now, memories=given, withheld=withheld)
        InjectionLog("reverie.db", SystemClock()).write(told)
    shown = talk("injected").out
    assert "nothing was looked for, or nothing found" in shown
    assert "1 repeats another" in shown
    assert "1 told again in another" in shown
    listed = [line for line in shown.splitlines() if line.startswith("    ") and " · " in line]
    assert [any(held[place] in line for line in listed) for place in range(4)] == [True, False, True, True]
    assert max(map(len, shown.splitlines())) <= 80
    assert f"told again in {held[0]}" in " ".join(talk("injected", "--full").out.split())


@pytest.mark.parametrize("command", ["pin", "unpin", "protect", "revive", "release", "quarantine"])
def test_a_memory_that_is_not_there_is_not_found(talk: Run, command: str) -> None:
    """With the code a script expects."""
    assert talk("memory", command, "nobody").code == 3


def test_a_correction_takes_a_memorys_place(talk: Run) -> None:
    """The old one stays, and is listed as of the moment before."""
    old = formed(talk)[0]
    new = talk("correct", old["id"], "It is otherwise now.", "--why", "seen", "--json").shape["memory"]
    assert (new["text"], new["standing"]["supersedes"]) == ("It is otherwise now.", old["id"])
    then = talk("timeline", "--as-of", old["at"], "--json").shape["memories"]
    assert old["id"] in [memory["id"] for memory in then]
    assert new["id"] not in [memory["id"] for memory in then]
    assert "corrected by" in talk("correct", new["id"], "Or so.").out


def test_what_was_forgotten_can_be_restored(talk: Run) -> None:
    """It holds again and is recalled; ``memory show`` says how it is kept."""
    name = formed(talk)[0]["id"]
    talk("forget", name)
    assert "no longer holds since" in talk("memory", "show", name).out
    assert "restored" in talk("restore", name, "--why", "a mistake").out
    shown = talk("memory", "show", name)
    assert "no longer holds" not in shown.out
    assert talk("memory", "show", name, "--json").shape["memory"]["valid_until"] is None
    assert talk("memory", "show", "nobody").code == 3
