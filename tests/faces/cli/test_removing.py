import os

import pytest

from reverie import Reverie, Scope
from reverie.faces.cli import exits, invocation
from tests.faces.cli.conftest import Run


def first(run: Run) -> str:
    """The id of the earliest memory."""
    found: str = run("timeline", "--json").shape["memories"][0]["id"]
    return found


def test_a_forgotten_memory_is_listed_and_not_recalled(keys: Run) -> None:
    """It stays in the timeline with its end; the reason is in the journal."""
    done = keys("forget", first(keys), "--why", "moved house", "--json")
    assert done.shape["memory"]["valid_until"]
    assert len(keys("timeline", "--json").shape["memories"]) == 3
    assert "spare" not in keys("recall", "spare key").out
    assert "scope: helper/ada/home" in keys("forget", first(keys)).out


def test_erasing_needs_a_yes_where_nobody_can_be_asked(keys: Run) -> None:
    """Without it nothing happens, and a script can tell."""
    done = keys("memory", "erase", first(keys))
    assert done.code == 8
    assert len(keys("timeline", "--json").shape["memories"]) == 3
    assert keys("memory", "erase", first(keys), "--yes", "--json").shape["erased"]
    assert len(keys("timeline", "--json").shape["memories"]) == 2


@pytest.mark.parametrize(("answer", "left"), [("y\n", 2), ("n\n", 3), ("\n", 3)])
def test_a_person_is_shown_what_goes_and_asked(
    keys: Run, monkeypatch: pytest.MonkeyPatch, answer: str, left: int
) -> None:
    """Only a yes erases."""
    monkeypatch.setattr(invocation, "is_terminal", lambda _: True)
    done = keys("memory", "erase", first(keys), input=answer)
    assert "The spare key hangs behind the boiler." in done.err
    assert done.code == (0 if left == 2 else 8)
    assert len(keys("timeline", "--json").shape["memories"]) == left


def test_the_question_obeys_no_stored_text(home: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one place where a hostile text could talk somebody into a yes."""
    home("remember", "\x1b[1A\x1b[2Kharmless\n\n", "--speaker", "\x1b]0;x\x07")
    monkeypatch.setattr(invocation, "is_terminal", lambda _: True)
    done = home("memory", "erase", first(home), input="n\n")
    assert not {"\x1b", "\x07"} & set(done.err)


@pytest.mark.parametrize("command", [("forget",), ("memory", "erase", "--yes")])
def test_an_unknown_id_is_not_found(keys: Run, command: tuple[str, ...]) -> None:
    """Also for an id of another scope."""
    assert keys(*command, "nothing").code == 3
    assert keys(*command, first(keys), "--user", "grace").code == 3


def test_what_is_not_confirmed_is_json_where_json_was_asked_for(keys: Run) -> None:
    """In the form of every error."""
    done = keys("memory", "erase", first(keys), "--json")
    assert (done.code, done.err) == (8, "")
    assert done.shape == exits.UNDONE
    assert done.shape["error"]["exit_code"] == 8


def test_reasons_go_with_an_erasure_and_every_help_says_so(keys: Run) -> None:
    """What was given with --why for changes of a memory goes with it; the chain holds."""
    name = first(keys)
    keys("forget", name, "--why", "Zanzibarquux wrong")
    assert keys("memory", "erase", name, "--yes", "--why", "asked for").code == 0
    with Reverie.open("reverie.db", embedder=None) as memory:
        whys = {event.why for event in memory.admin.events(Scope("helper", "ada", "home"))}
    assert "asked for" in whys
    assert "Zanzibarquux" not in str(whys)
    assert keys("store", "verify").code == 0
    for name in ("forget", "memory erase", "feedback", "correct", "restore", "memory release"):
        assert "until the memory is erased" in " ".join(keys(*name.split(), "--help").out.split())


# A person


def held(home: Run) -> None:
    """Two of a person's scopes, and somebody else's."""
    home("remember", "Elif'in kedisi uyuyor.")
    home("remember", "Elif plays chess.", "--project", "work")
    home("remember", "Elif moved to Oslo.", "--user", "tom")
    home("remember", "The printer hums.")


def test_what_is_held_of_a_person_is_listed_and_erased_with_a_proof(home: Run) -> None:
    """In this user's scopes: count, ids and first words; then the heads before and after."""
    held(home)
    listed = home("audit", "subject", "elif", "--json").shape
    assert listed["count"] == 2
    assert [one["scope"]["project"] for one in listed["held"]] == ["home", "work"]
    assert home("audit", "subject", "elif", "--erase", "--json").code == 8
    done = home("audit", "subject", "elif", "--erase", "--yes", "--json").shape
    ids = [memory["id"] for one in listed["held"] for memory in one["memories"]]
    assert [name for one in done["erased"] for name in one["memories"]] == ids
    assert all(one["before"]["seq"] < one["after"]["seq"] for one in done["erased"])
    assert home("audit", "subject", "elif", "--json").shape["count"] == 0
    assert home("audit", "subject", "elif", "--all-scopes", "--json").shape["count"] == 1
    assert home("store", "verify").code == 0


def test_a_person_is_shown_to_people_too(home: Run) -> None:
    """First words, scopes, and the question before anything goes."""
    held(home)
    shown = home("audit", "subject", "Elif", "--erase", "--yes")
    assert "Elif plays chess." in shown.out
    assert shown.out.count("erased from") == shown.out.count("journal: event") == 2
    assert "nothing is held of Elif" in home("audit", "subject", "Elif").out


def test_all_scopes_are_for_the_owner_of_the_store(home: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who may read the file need not be who is answerable for it."""
    held(home)
    with monkeypatch.context() as patch:
        patch.setattr(os, "getuid", lambda: 4242)
        patch.setattr(os, "geteuid", lambda: 4242)
        assert home("audit", "subject", "Elif", "--all-scopes").code != 0
    assert home("audit", "subject", "Elif", "--json").shape["count"] == 2
